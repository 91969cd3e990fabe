/* SPDX-License-Identifier: Apache-2.0 */
/* cprogram.h - one C program: modules to a complete program, its points-to facts, MOD and USE. */
#ifndef SESSION_CPROGRAM_H
#define SESSION_CPROGRAM_H

#include "analysis/cpta/cpta.h"
#include "analysis/modref/modref.h"
#include "cmodel/cmodel.h"
#include "report/c/c.h"
#include "session/inquiry.h"

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
};

struct csession {
	struct csession_opt opt;
	struct inquiry *inquiry;      /* borrowed */
	struct cprogram program;
	struct cplaceholders placeholders;
	struct cpta *facts;           /* NULL until csession_solve */
	struct modref *effects;       /* NULL until csession_modref */
	uint32_t nmodels, nwrappers;  /* functions with a model, allocation wrappers found */
	struct cpta_stats stats;      /* see csession_stats */
	bool has_stats;
};

/* May clients name all that is visible? */
bool csession_exports_visible(const struct csession_opt *o);

/* Reads, links and completes the program. False, with a diagnostic, when it cannot be served: modules that cannot be read,
 * no main (E065), exports that are not there. Always end with csession_close. */
bool csession_open(struct csession *s, struct inquiry *r, const struct csession_opt *opt);
void csession_solve(struct csession *s);
void csession_modref(struct csession *s);              /* after csession_solve */
void csession_close(struct csession *s);

/* The figures of the facts, counted when first asked for: not cheap. */
const struct cpta_stats *csession_stats(struct csession *s);
/* The figures of a verb, with those of the run. "callgraph" has those of the graph, too, "pointsto" of a library those about its
 * clients. */
void csession_figures(struct csession *s, const char *verb, struct stats *out);
/* What writers of results are given; with the figures of csession_stats() where they are wanted. */
struct c_result csession_result(struct csession *s, bool stats);
/* Functions without body and model: how many different names there are notes of. */
uint32_t csession_nunknown(const struct csession *s);
/* The program as text, as cir_print has it; as it was read, and complete. */
void csession_print(const struct csession *s, struct strbuf *out);
/* Reads modules and nothing else: for csession_print. */
bool csession_read(struct csession *s, struct inquiry *r, const struct csession_opt *opt);

/* Does the file look like bitcode, assembly or an object of LLVM: by its first bytes and its name? False when it cannot be read. */
bool csession_is_module(const char *path);

#endif
