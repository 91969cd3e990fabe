/* SPDX-License-Identifier: Apache-2.0 */
/* conditions.h - which statements of a method can run, and with which values, given what is known of its parameters.
 *
 * Conditional constant propagation (Wegman and Zadeck, TOPLAS 1991) over bodies in SSA form: a block is live when a branch that is
 * not decided, or is decided for it, leads there, or an exception in a live block. Beside constants, there are ranges of integers,
 * null, classes of objects and the identity of enum constants (values.h). A call of a method that is known may be followed for its
 * result, fields that never change for what they hold (fields.c). What a value is where a condition about it holds is known, too.
 *
 * What is assumed: only the code of a class and its nest writes its private and final fields; that is, no reflection, no natives of
 * others and no debugger do. Docs: docs/analyses/chains.md. */
#ifndef ANALYSIS_CONDITIONS_CONDITIONS_H
#define ANALYSIS_CONDITIONS_CONDITIONS_H

#include "analysis/callgraph/callgraph.h"
#include "analysis/callgraph/sets.h"
#include "analysis/conditions/values.h"

/* A condition on how a block is entered. */
struct guard {
	const struct ir_stmt *branch;         /* IR_IF or IR_SWITCH, of its only predecessor; NULL: there is none */
	bool holds;                           /* of IR_IF */
	bool is_default;                      /* of IR_SWITCH */
	int32_t key;
};

/* A body, with what evaluation looks up; as long as the conditions. */
struct code {
	method_id m;
	const struct ir_body *body;
	const struct ir_stmt **def;           /* by value */
	uint32_t *block_of;                   /* by statement */
	uint32_t *idom;
	struct guard *guards;                 /* by block */
	bool *is_guarded;                     /* by value: a guard is about it */
	bool is_static;
};

struct conditions {
	struct program *p;
	struct hierarchy *h;
	const struct callgraph *calls;        /* whose single targets are followed; may be NULL */
	struct arena mem;
	struct value_table table;
	struct map code_of;                   /* method -> 1 + row of codes */
	VEC(struct code *) codes;             /* NULL: there is no body, or not one to look at */
	struct map results;                   /* (method, list of values), depth -> 1 + value */
	struct map keys;                      /* (method, list) -> number */
	uint32_t nkeys;
	struct map fields;                    /* (field, class of the object, or none) -> 1 + value */
	struct map nests;                     /* class of a nest -> 1 + row of nest_facts */
	VEC(struct nest *) nest_facts;
	sel_id clinit, finalize;
	class_id enum_;
	bool is_busy;                         /* stores are evaluated: fields are unknown */
	struct map kept;                      /* field -> 1: it does not stay, 2: it does */
	struct id_sets kept_sets;             /* of fields */
	struct map kept_keys, kept_after;     /* (method, class of `this`) -> number; (number, depth) -> 1 + set */
	uint32_t nkept_keys;
};

void conditions_init(struct conditions *c, struct hierarchy *h, const struct callgraph *calls);
void conditions_release(struct conditions *c);
void conditions_release_nests(struct conditions *c);    /* fields.c: by the former */

/* NULL: there is nothing to look at: it is abstract, native, damaged or too large. */
const struct code *conditions_code(struct conditions *c, method_id m);

struct evaluation {
	const struct code *code;
	bool *live;                           /* by block */
	struct value *values;                 /* by value; VALUE_NONE: it is never computed */
	uint64_t *taken;                      /* by block: bits of successors that may be taken, the last for all above 63 */
	uint8_t *changes;                     /* by value */
	uint32_t depth;                       /* of calls that are followed for their results */
	uint32_t *kept;                       /* by block: see kept_compute(); NULL: nothing is known */
	struct value self;                    /* with `kept`: `this` */
};

#define CONDITIONS_DEPTH 3

/* Evaluates the method where its parameters, `this` first, have these values. To be released. */
void conditions_evaluate(struct conditions *c, const struct code *code, const struct value *params, uint32_t n, uint32_t depth,
			 struct evaluation *out);
void evaluation_release(struct evaluation *e);

/* The same where fields of `this` are known not to be null, a set of c->kept_sets. */
void conditions_evaluate_knowing(struct conditions *c, const struct code *code, const struct value *params, uint32_t n, uint32_t depth,
				 uint32_t kept, struct evaluation *out);

/* Once it holds an object, does the field never hold null again? One of objects, that only its nest writes. */
bool conditions_is_kept(struct conditions *c, field_id f);
/* Is the value no null at the statement, by what it is, or since something was done before with the object? */
bool conditions_is_object(const struct code *k, ir_value v, uint32_t stmt);
/* kept.c: fields of `this` that hold objects at the start of each block, where `known` do when the method is called; sets of c->kept_sets,
 * on the heap. NULL: nothing is known. */
uint32_t *kept_compute(struct conditions *c, const struct code *k, struct value self, uint32_t known);
uint32_t kept_before(struct conditions *c, const struct evaluation *e, const struct ir_stmt *s);      /* at a statement */
bool kept_has(struct conditions *c, const struct evaluation *e, const struct ir_stmt *read);  /* does IR_GETFIELD read such a field? */
uint32_t kept_meet(struct conditions *c, uint32_t a, uint32_t b);     /* what both have */

/* The value where the block uses it. */
struct value evaluation_use(struct conditions *c, const struct evaluation *e, ir_value v, uint32_t block);
/* The branch that keeps a block from running: the one nearest to it. NULL: it is live, or no branch does. */
const struct ir_stmt *evaluation_why(const struct evaluation *e, uint32_t block);

/* What a parameter can be of which nothing is known. */
struct value conditions_param(struct conditions *c, method_id m, uint32_t k);
/* What the field holds, read from an object of which `of` is known, or from none. */
struct value conditions_field(struct conditions *c, fref_id f, struct value of);
/* What IR_ALOAD reads. */
struct value conditions_element(struct conditions *c, const struct evaluation *e, const struct ir_stmt *load, uint32_t block);
/* What a call returns. */
struct value conditions_result(struct conditions *c, const struct evaluation *e, const struct ir_stmt *call, uint32_t block);

#endif
