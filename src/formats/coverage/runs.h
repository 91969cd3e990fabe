/* SPDX-License-Identifier: Apache-2.0 */
/* runs.h - what was seen in runs of a JVM: the data of the agent. Format: docs/formats/coverage.md.
 *
 * A file is a sequence of records, each with its length and check sum, only ever appended to: what is cut off or damaged ends
 * the run it belongs to, the records before it count. A record RUN begins a run; a file of the agent has one, a merged file
 * several, in the order of their identities. */
#ifndef FORMATS_RUNS_H
#define FORMATS_RUNS_H

#include "base/mem.h"
#include "base/span.h"
#include "base/strbuf.h"
#include "base/vec.h"

#define RUNS_VERSION 1
#define RUN_ID_LEN 16

/* A class of the plan that the JVM loaded, once for each loader. */
enum run_class_state {
	RUN_WATCHED,                  /* every site is watched */
	RUN_MATCHED,                  /* the class file is another one: its calls were matched by their order */
	RUN_OTHER,                    /* the class file is another one, nothing matched */
	RUN_FAILED,                   /* it could not be rewritten, `text` says why; some methods may be watched */
};
struct run_class {
	struct str name;
	uint64_t key;                 /* of the plan's class: what the numbers of sites mean */
	uint8_t state;
	uint32_t first_unwatched, missed;     /* in `unwatched`: sites that are not watched */
	struct str text;              /* "method p.C.m()V is not watched: its code would be longer than 65535 bytes" */
};
/* A class of receivers, or one that declares a target. */
enum run_loader { RUN_BOOT, RUN_PLATFORM, RUN_APP, RUN_OTHER_LOADER };
enum run_type_flags { RUN_HIDDEN = 1, RUN_PROXY = 2, RUN_ARRAY = 4, RUN_LAMBDA = 8 };
struct run_type {
	struct str name;              /* dotted; a hidden class without what follows its '/' ; [I for arrays */
	uint8_t loader;
	uint8_t flags;
	/* RUN_LAMBDA: what its class file says */
	struct str host;
	uint32_t first_fact, ninterfaces, nbodies;     /* in `facts`: interfaces, then owner.name(desc)ret that it mentions */
};
struct run_cell {                 /* this class was the receiver at this call; or the library called a method back; or it was made */
	uint32_t class;               /* row of classes: the first one with its name */
	uint32_t site;                /* number among the sites of the plan's class, from 0 */
	uint32_t type, target;        /* rows of types: of the receiver; that declares the target, UINT32_MAX: not known */
	uint32_t callee;              /* row of callees; `type` is then whose code calls it, or, of the definition of a field that is
				       * used, UINT32_MAX. UINT32_MAX: nothing is called back, and without a type, all that is known
				       * is that the call was made */
	uint64_t count;               /* the sum of all `more`, at least 1 */
};
/* Call chains. What the numbers of bodies and calls of a class mean: its key says whether the plan's are the same. */
struct run_code {
	struct str name;
	uint64_t key;                 /* chain_key of the plan's class */
};
#define RUN_LEVELS 15                 /* levels from here on are one */
struct run_node {                 /* a chain that was seen: that of its parent, and a call */
	uint32_t parent;              /* row of nodes; UINT32_MAX: an entry */
	uint32_t level;               /* of the entry */
	uint32_t call;                /* number among the calls of the class that its caller is of, from 0; of an entry 0 */
	uint32_t type;                /* row of types: of the receiver; UINT32_MAX: the call is not dispatched, or an entry */
	uint32_t code, body;          /* what runs: row of codes, number among the bodies of that class */
	uint64_t count;
};
typedef VEC(uint32_t) run_rows;
struct run_test {
	struct str name;              /* p.FooTest.testBar */
	uint32_t first, n;            /* of `test_cells`: rows of cells that it exercised, ascending */
	uint32_t first_node, nnodes;  /* of `test_nodes`, likewise */
};

struct run {
	uint8_t id[RUN_ID_LEN];
	uint64_t plan;
	uint64_t start;               /* seconds since 1970 */
	uint32_t pid;
	struct str session, jvm, command;   /* JaCoCo's sessionid; "17.0.15"; may be empty */
	bool is_complete;             /* it came to its end */
	bool is_damaged;              /* a record behind the last good one was cut off or wrong */
	bool is_parallel;             /* tests ran at the same time: what they share is counted for each */
	VEC(struct run_class) classes;
	VEC(uint32_t) unwatched;      /* numbers among the sites of a class, ascending */
	VEC(struct run_type) types;
	VEC(struct str) facts;
	VEC(struct str) callees;      /* methods of the component that were called back, statements that wrote: names as in plans */
	VEC(struct run_cell) cells;
	VEC(struct run_test) tests;
	run_rows test_cells;
	VEC(struct run_code) codes;
	VEC(struct run_node) nodes;   /* behind their parents */
	run_rows test_nodes;
	VEC(struct str) notes;        /* what went wrong, as sentences */
	struct span bytes;            /* all its records, as read */
};
struct runs {
	VEC(struct run) runs;         /* by identity; each once: of two versions of a run the one with more records */
	uint32_t nlost;               /* pieces of files that were cut off or damaged so that no run is left of them */
};
void runs_release(struct runs *r);

/* Adds the runs of a file to `r`; text is borrowed from `bytes`. False, with a sentence in `err`, when it is no such file or of
 * another version; a cut off or damaged file is read as far as it is good. An empty file is an error. Files of the agent that
 * were put one behind the other are read as if they were merged. Linear. */
bool runs_read(struct runs *r, struct span bytes, struct strbuf *err);
/* Appends the merged file; only for runs that were read. Equal sets of runs give equal bytes, whatever the order they were
 * added in. */
void runs_write(const struct runs *r, struct strbuf *out);

/* One record each, appended: for the agent. Rows are numbered by the order of their records, from 0; a record may refer to rows
 * of records before it. A file belongs to one JVM: records of two in one file would be taken for one run's. */
void run_put_header(struct strbuf *out);                                  /* of a file */
void run_put_run(struct strbuf *out, const struct run *r);                /* identity, plan, start ... command */
void run_put_class(struct strbuf *out, const struct run_class *c, const uint32_t *unwatched);   /* c->missed of them */
void run_put_type(struct strbuf *out, const struct run_type *t, const struct str *facts);
void run_put_cell(struct strbuf *out, const struct run_cell *c);          /* without its count */
struct run_count { uint32_t row; uint64_t more; };
void run_put_callee(struct strbuf *out, struct str name);
void run_put_callback(struct strbuf *out, const struct run_cell *c);      /* likewise; a cell as the others */
void run_put_counts(struct strbuf *out, const struct run_count *counts, uint32_t n);      /* to be added; cells ascending */
void run_put_test(struct strbuf *out, struct str name, const uint32_t *cells, uint32_t n); /* cells ascending; again: a union */
void run_put_code(struct strbuf *out, const struct run_code *c);
void run_put_node(struct strbuf *out, const struct run_node *n);          /* without its count */
void run_put_node_counts(struct strbuf *out, const struct run_count *counts, uint32_t n);
void run_put_node_test(struct strbuf *out, struct str name, const uint32_t *nodes, uint32_t n);
void run_put_note(struct strbuf *out, struct str text);
void run_put_parallel(struct strbuf *out);
void run_put_end(struct strbuf *out);

#endif
