/* SPDX-License-Identifier: Apache-2.0 */
/* plan_p.h - a plan that is being made. */
#ifndef SESSION_ARTIFACT_PLAN_P_H
#define SESSION_ARTIFACT_PLAN_P_H

#include "formats/classfile/bytecode.h"
#include "formats/classfile/stores.h"
#include "session/artifact/plan.h"

/* A pair: of a use, a definition; each by method and pc. */
struct use_of {
	uint64_t use, def;
};

struct plan_maker {
	struct session *s;
	struct program *p;
	struct fragment *f;
	const struct requirements *found;
	struct plan_more more;
	bool has_open_clients;
	struct made_plan *out;
	struct plan *plan;
	struct map row_of;            /* class, or what method_key() says -> row of types */
	struct map range_of;          /* first of a list of the requirements -> row of ranges + 1 */
	struct map own_of;            /* first of a list of receivers or targets, and what calls name -> row of ranges + 1 */
	VEC(struct plan_range) ranges;
	struct map edges_of;          /* (method, pc) -> 1 + its first edge of callbacks */
	struct map exits;             /* (method, pc) -> 1: it is watched for callbacks */
	VEC(struct use_of) uses;      /* by use */
	struct map uses_of;           /* (method, pc) -> 1 + its first of uses */
	struct map refs_of;           /* how instructions name fields -> the field */
	VEC(fref_id) refs;            /* these */
	struct strbuf text;           /* scratch */
};

/* A type of the plan that is to be: a class, or a method of the component that is called back, or a definition. */
struct named_type {
	struct str name;
	uint64_t key;                 /* of row_of */
	class_id c;                   /* none: a method, or a statement */
};
typedef VEC(struct named_type) type_list;

/* A call, or the use of a field, that is to be a site. */
struct ordered {
	uint32_t class;               /* place in the component: by name */
	struct str name, desc;
	uint32_t pc;
	uint32_t row;                 /* of the requirements' sites; UINT32_MAX: it is none of theirs, but watched for callbacks */
	method_id in;
	uint8_t op;                   /* of the instruction, where it is none of theirs, */
	mref_id ref;                  /* and what it calls; for invokedynamic: */
	class_id bootstrap;
	sel_id sel;
	fref_id field;                /* of a use of a field */
};
typedef VEC(struct ordered) ordered_list;

/* Text that lives as long as the plan. */
struct str plan_keep(struct plan_maker *m, struct str t);
struct str plan_keep_class(struct plan_maker *m, class_id c);
class_id plan_type(struct plan_maker *m, class_id c);         /* the class whose type a plan has for it */

/* How calls that look the same are told: by instruction and what it names. */
uint64_t plan_call_key(struct plan_maker *m, struct unit *u, const struct insn *in);

/* callback_plan.c: types for methods that are called back; calls that may run code of libraries; what is known of such a call. */
void plan_callback_types(struct plan_maker *m, type_list *list);
void plan_order_callbacks(struct plan_maker *m, ordered_list *list);
struct plan_site plan_callback_site(struct plan_maker *m, const struct ordered *o);
void plan_add_callbacks(struct plan_maker *m, const struct ordered *o, struct plan_site *s);

/* The types from `first` on, sorted, each once. */
struct plan_range plan_end_range(struct plan_maker *m, uint32_t first);
/* field_plan.c: types for definitions; uses of fields; what is known of one; at last the fields. */
void plan_store_types(struct plan_maker *m, type_list *list);
void plan_order_uses(struct plan_maker *m, ordered_list *list);
struct plan_site plan_use_site(struct plan_maker *m, const struct ordered *o);
void plan_add_fields(struct plan_maker *m);

/* ladder_plan.c: needs the lists of the site. */
void plan_add_ladder(struct plan_maker *m, const struct req_site *s, struct plan_site *row);

/* chain_plan.c: needs types and classes. */
void plan_add_chains(struct plan_maker *m);

#endif
