/* SPDX-License-Identifier: Apache-2.0 */
/* c_options.h - what verbs about C programs share: options, the run, the head of results, figures. */
#ifndef CLI_VERBS_C_OPTIONS_H
#define CLI_VERBS_C_OPTIONS_H

#include "cli/run.h"
#include "report/c/c.h"
#include "session/artifact/linked.h"
#include "session/cprogram.h"

/* The member `c` of a verb's struct. Zeroed it is good. */
struct c_options {
	int engine;                   /* enum cengine */
	int categories;               /* 0: as is usual */
	int fields;                   /* 0 on, 1 off */
	int calls;                    /* 0 matching, 1 any */
	int loaded;                   /* 0 none, 1 unknown */
	bool library;
	option_list exports;          /* none: what is visible */
	option_list summaries;
};
extern const char *const engine_names[];
extern const char *const on_off_names[], *const calls_names[], *const loaded_names[];

/* The groups are headings of --help: a verb that is about Java, too, has but one for C. */
#define C_OPTIONS_IN(T, analysis, clients)                                                                            \
	OPT_CHOICE(T, c.engine, "engine", NULL, "NAME", engine_names, analysis,                                       \
		   "from precise to coarse; the answer of each contains that of the one before"),                      \
	OPT_INT(T, c.categories, "categories", NULL, "K", analysis, "with --engine categories: how many (default: 8)"), \
	OPT_CHOICE(T, c.fields, "fields", NULL, "WHICH", on_off_names, analysis,                                      \
		   "tell the fields of structs apart, or see every object as one cell"),                              \
	OPT_CHOICE(T, c.calls, "calls", NULL, "WHICH", calls_names, analysis,                                         \
		   "through a pointer: only functions that take as many arguments as are passed, or any"),            \
	OPT_CHOICE(T, c.loaded, "loaded", NULL, "WHICH", loaded_names, analysis,                                      \
		   "what dlsym finds: nothing, or unknown code, which may do anything"),                              \
	OPT_FLAG(T, c.library, "library", NULL, clients,                                                              \
		 "the modules are a library: answer for all clients that it may get"),                                \
	OPT_LIST(T, c.exports, "exports", NULL, "WHAT", clients,                                                      \
		   "what clients may name: 'public' (default) for every visible definition, or a file: a header, the " \
		   "shared library, a linker's version script, or a name a line; several add up"),                     \
	OPT_LIST(T, c.summaries, "summary", NULL, "FILE", clients,                                                    \
		   "a library that the modules use, as sherd summarize wrote it, or a shared library, object or archive " \
		   "that carries it; 'auto': those that carry one among the libraries that a program is linked with; " \
		   "several add up")
#define C_OPTIONS(T) C_OPTIONS_IN(T, "Analysis", "Library")

/* Do the options make sense together? If not, `err` says what to write instead. */
bool c_options_check(const struct c_options *o, struct strbuf *err);
/* The first option that is about C and was given, "--engine"; NULL: none was. */
const char *c_options_given(const struct c_options *o);

struct c_analysis {
	const struct c_options *o;
	const char *const *modules;
	uint32_t nmodules;
	struct c_files files;         /* what these stand for */
	struct csession session;
	struct cli_run *run;
};

/* Computes a row of analyses.def about C, from the modules. False, with a diagnostic, when that is not possible. Always end with
 * c_release. */
bool c_compute(struct c_analysis *x, struct cli_run *r, enum analysis_id wanted);
void c_release(struct c_analysis *x);

struct c_patterns c_patterns_of(const option_list *l);
struct c_result c_result_of(struct c_analysis *x, bool stats);      /* with figures, for whole results? */
struct c_head c_head_of(const struct c_analysis *x);
bool c_write(struct c_analysis *x, bool (*write)(struct sink *out, void *ctx), void *ctx);      /* where there is a place for it */
void c_print_stats(struct c_analysis *x, const char *verb);

#endif
