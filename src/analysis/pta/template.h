/* SPDX-License-Identifier: Apache-2.0 */
/* template.h - a template in the making; template.c and features that add to templates. */
#ifndef ANALYSIS_PTA_TEMPLATE_H
#define ANALYSIS_PTA_TEMPLATE_H

#include "analysis/pta/pta_p.h"

#define MAX_INLINED 8            /* methods of sherd/JVM within each other */

/* A body being read: tables by SSA value. */
struct frame {
	const struct ir_body *body;
	bool keeps_bases;        /* pta_opt */
	bool *live;              /* the value matters */
	bool *is_null;
	class_id *types;
	bool *is_made;           /* it is made here, or is what a constructor constructs; opt.keeps_accesses */
	ir_value *alias;         /* itself, or the value that it always is */
	uint32_t *var;
	uint32_t *var_of_slot;   /* opt.merges_slots: by local variable; else NULL */
	uint32_t scope, scope_block;     /* the last scope that was made, and its block */
};

struct maker {
	struct pta *a;
	struct caller caller;
	VEC(struct t_stmt) stmts;
	VEC(uint32_t) args;
	VEC(struct handler) handlers;
	VEC(struct scope) scopes;
	VEC(struct t_access) accesses;
	VEC(class_id) types;     /* by variable */
	VEC(uint32_t) returned;
	VEC(class_id) initialises;
	uint32_t *params;
	class_id *param_types;
	uint32_t nparams, nvalues, first_site;
	const uint32_t *var_of_value;
	uint32_t depth;          /* of inlined bodies */
	bool has_body;
	bool delegates;          /* a site of the method does: see add_site() */
};

/* A new variable of this declared type; none: not known. */
uint32_t maker_var(struct maker *k, class_id type);
void maker_emit(struct maker *k, struct t_stmt s);
/* to = (c) from; is_sure: objects of unknown class do not pass. */
void maker_cast(struct maker *k, uint32_t to, uint32_t from, class_id c, bool is_sure);
/* A call site of the method; `scope` is where its exceptions go. Returns its number. */
uint32_t maker_site(struct maker *k, const struct link *l, uint32_t scope);
uint32_t maker_operands(struct maker *k, const struct frame *f, const struct ir_stmt *s);      /* for t_stmt.from of a T_CALL */
/* The field, as nodes name it; 0: there is none. */
uint32_t jvm_or_field(struct maker *k, fref_id f);
/* features/accesses.c: what of fields and elements a statement, or a native method, reads and writes; with opt.keeps_accesses. */
bool accesses_matter(const struct frame *f, const struct ir_stmt *s);     /* is its base to be kept? */
bool accesses_makes(const struct maker *k, const struct ir_stmt *s);      /* is its result an object that is_made? */
void accesses_of_stmt(struct maker *k, const struct frame *f, const struct ir_stmt *s);
void accesses_of_native(struct maker *k);
/* features/reflection.c: a dynamic call. True: what its result is comes from dispatchers alone. */
uint32_t reflection_site(struct maker *k, uint32_t number, struct link by, uint32_t scope);      /* the one of a dynamic call */
bool reflection_call(struct maker *k, const struct frame *f, const struct ir_stmt *s, const struct link *l, uint32_t scope, uint32_t site);
/* features/assumptions.c */
void assumptions_method(struct maker *k);        /* adds to a native without a model, and to the method that these call */
bool maker_is_constant(const struct maker *k, uint32_t var);      /* what it holds is known from the start */
class_id maker_result(struct maker *k, sel_id sel);               /* the class that the method returns; none: a primitive */
uint32_t frame_operand(const struct frame *f, const struct ir_stmt *s, uint32_t i);      /* its variable; 0: none */

#endif
