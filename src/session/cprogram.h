/* SPDX-License-Identifier: Apache-2.0 */
/* cprogram.h - one C program: modules to a complete program, its points-to facts, MOD and USE. */
#ifndef SESSION_CPROGRAM_H
#define SESSION_CPROGRAM_H

#include "analysis/cpta/cpta.h"
#include "analysis/modref/modref.h"
#include "analysis/summarize/summarize.h"
#include "cmodel/cmodel.h"
#include "report/c/c.h"
#include "session/driver.h"
#include "summary/summary.h"

struct csession_opt {
	const char *const *modules;
	uint32_t nmodules;
	bool library;                 /* clients are unknown; otherwise there is a main */
	const char *const *exports;   /* with library: files that list what clients may name, or "public": what is visible */
	uint32_t nexports;            /* 0: what is visible */
	enum cengine engine;
	uint32_t categories;
	bool fields;
	bool any_calls;               /* see cpta.h */
	bool loads_unknown;           /* see cmodel.h */
	const char *const *summaries; /* files with summaries of libraries that the modules use */
	uint32_t nsummaries;
	const char *const *parts;     /* with `summarizes`: files with summaries that are a part of the library, as modules are */
	uint32_t nparts;
	bool summarizes;              /* C_SUMMARY is what is wanted: with `library` and what has the coarsest facts: engine
	                               * steens, fields off, any_calls, loads_unknown */
	bool basic;                   /* C_SUMMARY: nothing is left out that a client could not tell */
};

struct csession {
	struct csession_opt opt;
	struct inquiry *inquiry;      /* borrowed */
	struct driver driver;
	struct cprogram program;      /* C_MODULES to C_PLACEHOLDERS */
	struct cplaceholders placeholders;
	struct cpta *facts;           /* C_POINTSTO; NULL: not yet */
	struct modref *effects;       /* C_MODREF; NULL: not yet */
	struct summarize *summarizing;      /* csession_summarize: until C_SUMMARY */
	struct cprogram summary;      /* C_SUMMARY */
	VEC(struct summary_module) made_of;   /* the modules of opt.parts */
	VEC(struct summary_module) uses;      /* summaries of others that it was made with */
	VEC(str_id) inner;            /* symbols that the modules define and do not export, when a summary is made */
	uint32_t nmodels, nwrappers;  /* functions with a model, allocation wrappers found */
	struct cpta_stats stats;      /* see csession_stats */
	bool has_stats;
};

/* May clients name all that is visible? */
bool csession_exports_visible(const struct csession_opt *o);

/* The session keeps its place in memory. Always end with csession_close. */
void csession_init(struct csession *s, struct inquiry *r, const struct csession_opt *opt);
/* Computes a row of analyses.def about C, with all that it requires. False, with a diagnostic, when that is not possible: modules
 * that cannot be read, no main (E065), exports that are not there. */
bool csession_need(struct csession *s, enum analysis_id wanted);
void csession_close(struct csession *s);

/* Computes C_SUMMARY: with it, facts and program are of no use any more, and nothing else can be computed. */
bool csession_summarize(struct csession *s);

/* The figures of the facts, counted when first asked for: not cheap. */
const struct cpta_stats *csession_stats(struct csession *s);
/* The figures of a verb, with those of the run. "callgraph" has those of the graph, too, "pointsto" of a library those about its
 * clients. */
void csession_figures(struct csession *s, const char *verb, struct stats *out);
/* What writers of results are given; with the figures of csession_stats() where they are wanted. */
struct c_result csession_result(struct csession *s, bool stats);
/* Functions without body and model: how many different names there are notes of. */
uint32_t csession_nunknown(const struct csession *s);
/* The program as text, as cir_print has it; after C_MODULES as it was read, after C_PLACEHOLDERS complete. */
void csession_print(const struct csession *s, struct strbuf *out);

/* Does the file look like bitcode, assembly or an object of LLVM: by its first bytes and its name? False when it cannot be read. */
bool csession_is_module(const char *path);

#endif
