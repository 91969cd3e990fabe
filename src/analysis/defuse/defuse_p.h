/* SPDX-License-Identifier: Apache-2.0 */
/* defuse_p.h - the application as flow of definitions: its methods as blocks of events, what calls lead to, and the facts that flow.
 *
 * A *fact* is one statement that defines: after it, the field has what it wrote, until another surely writes it again. */
#ifndef ANALYSIS_DEFUSE_P_H
#define ANALYSIS_DEFUSE_P_H

#include "analysis/callgraph/link.h"
#include "analysis/callgraph/sets.h"
#include "analysis/chains/triggers.h"
#include "analysis/defuse/defuse.h"

/* A statement that defines or uses, or what a library call does to a field. */
struct occurrence {
	uint32_t access;         /* row of defs or uses */
	uint32_t node;
	field_id field;
	uint32_t objects;        /* the objects it may be about, a set of `sets`; STATIC_FIELD */
	ir_value root;           /* of the base, behind casts; 0: static, or a library's */
	uint32_t fact;           /* of a definition: its number; from 1 on */
	bool is_library;
};
#define STATIC_FIELD UINT32_MAX

enum event_sort {
	EVENT_DEF, EVENT_USE,    /* `what`: an occurrence */
	EVENT_CALL,              /* `what`: a call point */
	EVENT_RENEW,             /* `what`: a value is defined anew; what was written through the last one stays as it is */
	EVENT_THROW,             /* an exception may leave the block here */
};
struct event {
	enum event_sort sort;
	uint32_t what;
};

struct flow_block {
	uint32_t first, end;             /* events */
	uint32_t succs, nsuccs;          /* rows of `to`: blocks of the same node, from 0 */
	uint32_t handlers, nhandlers;
	bool returns;
	bool catches_all;                /* no exception leaves the method */
};

/* What may run at one place, before the statement there. */
struct call_point {
	uint32_t first, n;               /* rows of `callees`: nodes */
	bool is_strong;                  /* one of them runs, once, and nothing else; else any, any number of times */
	uint32_t first_def, ndefs;       /* occurrences by a library */
	uint32_t first_use, nuses;
};

/* A method of the application. */
struct flow_node {
	method_id m;
	uint32_t first_block, nblocks;   /* 0: it has no body that is known */
	uint32_t first_def, ndefs;       /* occurrences */
	uint32_t first_call, ncalls;
	bool is_root;                    /* the user may call it, or the JVM before that */
	bool is_main;                    /* it is the only one that the user calls, once */
	bool is_reached;                 /* from a root, by calls that are known */
	bool is_threaded;                /* may run beside others */
};

/* Facts of one field are side by side. */
struct fact_range {
	field_id field;
	uint32_t first, end;
	bool is_static;
};

struct flow {
	const struct callgraph *g;
	struct pta *facts;
	struct program *p;
	const struct defuse_opt *opt;
	struct defuse *out;
	struct hierarchy h;
	struct linker linker;
	struct triggers *triggers;
	VEC(struct flow_node) nodes;     /* by method id; [0] unused */
	VEC(uint32_t) node_of;           /* by method */
	VEC(struct flow_block) blocks;
	VEC(uint32_t) to;
	VEC(struct event) events;
	VEC(struct call_point) calls;
	VEC(uint32_t) callees;
	VEC(struct occurrence) defs, uses;       /* by node */
	VEC(struct fact_range) ranges;           /* by field; [0] unused */
	struct map range_of;                     /* field -> row */
	VEC(uint32_t) def_of_fact;               /* [0] unused */
	struct id_sets sets;                     /* of places */
	struct map common;                       /* two sets -> 1 + row of `commons` */
	VEC(uint32_t) commons;                   /* a place that both have; NOTHING, or PLACE_NONE: one that is not known */
	struct map pairs;                        /* (definition, use) -> 1 + row of out->pairs */
	uint8_t *is_shared;                      /* by place: several threads may get hold of it; NULL: all */
};
#define NOTHING (UINT32_MAX - 1)

static inline bool flow_has(const struct flow *f, method_id m)
{
	return m.i < f->node_of.len && f->node_of.data[m.i];
}

/* gather.c: nodes, blocks, events and occurrences. */
void flow_gather(struct flow *f);

/* targets.c: what runs at statements of a method. */
struct targets {
	struct flow *f;
	method_id m;
	const struct ir_body *body;
	uint32_t first_edge, nedges;             /* of callbacks->edges */
	VEC(uint32_t) pcs;                       /* of call statements, sorted; several times where several have it */
	VEC(method_id) known, rest;              /* initialisers that statements run, and others of the method */
	uint64_t *begun;                         /* by block: of the first 64 known, those that have begun where it does */
	uint64_t has_begun;                      /* before the statement */
	VEC(uint32_t) found;                     /* scratch: nodes */
};
void targets_open(struct targets *t, struct flow *f, method_id m, const struct ir_body *body, struct arena *mem);
void targets_release(struct targets *t);
/* The statements that are asked about are those of the block, in their order. */
void targets_block(struct targets *t, uint32_t block);
/* Adds the class initialisers that the statement may run to `found`. */
void targets_initialisers(struct targets *t, const struct ir_stmt *s);
/* Adds what it calls, directly and back. True: that is all it can do. */
bool targets_calls(struct targets *t, const struct ir_stmt *s);

/* roots.c: where the application starts; which of its methods may run beside others, and on which objects. */
void flow_find_roots(struct flow *f);
void flow_find_shared(struct flow *f);

/* alias.c */
uint32_t flow_objects(struct flow *f, method_id m, ir_value v);          /* a set */
/* May both be of one object? *place says which. */
bool flow_meet(struct flow *f, const struct occurrence *def, const struct occurrence *use, bool is_threaded, uint32_t *place);

/* walk.c: calls fn(ctx, definition, use, is_intra) for all that a path leads from one to the other, of the same field: rows of
 * f->defs and f->uses. Some come several times. */
void flow_walk(struct flow *f, void (*fn)(void *ctx, uint32_t def, uint32_t use, bool is_intra), void *ctx);

#endif
