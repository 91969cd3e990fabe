/* SPDX-License-Identifier: Apache-2.0 */
/* calls.h - the call graph of an application as a table: what an earlier run wrote as JSON (docs/formats/callbacks-json.md), and what
 * a change did to it. */
#ifndef FORMATS_CALLS_CALLS_H
#define FORMATS_CALLS_CALLS_H

#include "base/intern.h"
#include "base/strbuf.h"

enum call_kind { CALLS_DIRECT, CALLS_BACK, CALLS_LATER, CALLS_KINDS };
extern const char *const call_kind_names[];      /* NULL-terminated: "direct", "callback", "later" */

struct call {
	str_id caller, callee, declared;         /* declared: 0 where it is not said */
	enum call_kind kind;
	uint32_t line;                           /* 0: not known */
};

/* What was asked for. */
enum calls_fact { CALLS_ENTRY, CALLS_APPLICATION, CALLS_ALGORITHM, CALLS_ASSUME, CALLS_PRECISION, CALLS_ONLY, CALLS_FROM, CALLS_DEPTH,
		  CALLS_FACTS };
extern const char *const calls_fact_names[];     /* the keys: "entry" */

struct calls {
	struct interner names;
	str_id facts[CALLS_FACTS];               /* 0: not said */
	VEC(struct call) rows;
};
void calls_init(struct calls *c);
void calls_release(struct calls *c);

/* Appends what the JSON has; other keys are skipped. False, with a sentence that names the line in `err`, when it is no such result. */
bool calls_read(struct span text, struct calls *out, struct strbuf *err);

/* Of one caller, kind and callee: in only one of the results. */
struct calls_change {
	bool is_added;
	struct str caller, callee, declared;     /* declared: of the first of the calls */
	enum call_kind kind;
	uint32_t first, n;                       /* of `lines`: ascending, each once; those of the result that has the calls */
};
/* In both, but at another number of places, or through other methods of libraries: a call of one was added or removed. */
struct calls_places {
	struct str caller, callee;
	enum call_kind kind;
	uint32_t old, new;
};
struct calls_diff {
	VEC(struct calls_change) changes;        /* by caller, kind, callee, as bytes compare */
	VEC(struct calls_places) places;         /* likewise */
	VEC(uint32_t) lines;
	uint64_t added[CALLS_KINDS], removed[CALLS_KINDS];
	uint64_t old[CALLS_KINDS], new[CALLS_KINDS];     /* distinct ones of each result */
	unsigned differs;                        /* bits of facts that are not the same */
};
/* Both stay in place as long as `out`. O(n log n). */
void calls_compare(struct calls_diff *out, const struct calls *old, const struct calls *new);
void calls_diff_release(struct calls_diff *d);

#endif
