/* SPDX-License-Identifier: Apache-2.0 */
/* dispatcher_p.h - a dispatcher in the making, for the files that write its statements. */
#ifndef ANALYSIS_DYNAMIC_DISPATCHER_P_H
#define ANALYSIS_DYNAMIC_DISPATCHER_P_H

#include "analysis/dynamic/dispatcher.h"
#include "analysis/dynamic/handles/handle.h"
#include "ir/builder.h"

struct dispatcher_maker {
	struct hierarchy *h;
	struct program *p;
	struct handles *handles;
	enum dynamic_sort sort;
	bool is_exact;                           /* the methods themselves are called, not what receivers select */
	mref_id ref;                             /* the library method */
	class_id result;                         /* of the library method */
	class_id last;                           /* the type of its last parameter; none: it has none */
	struct body_builder b;
	ir_value zero[IR_KIND_OBJECT + 1];       /* by kind, of the first block */
	ir_value *operands;
	class_id *types;                         /* of these */
	uint32_t noperands;
	uint32_t lambda;                         /* the method is one of the object that this handle makes; 0: it is a dispatcher */
	ir_value any;                            /* invocations: an array of arguments that may be anywhere; 0: not needed */
};

ir_value dispatcher_cast(struct dispatcher_maker *k, ir_value v, class_id type);
bool dispatcher_is_primitive(const struct dispatcher_maker *k, class_id type);
enum ir_kind dispatcher_kind(struct dispatcher_maker *k, class_id type);
ir_value dispatcher_box(struct dispatcher_maker *k, class_id type);      /* an object for a primitive of this type */
bool dispatcher_is_box(const struct dispatcher_maker *k, class_id c);     /* is it the class of such objects? */
/* A statement at a place of its own: calls are told apart by these. */
ir_value dispatcher_call(struct dispatcher_maker *k, enum ir_op op, mref_id ref, const ir_value *args, uint32_t n);

/* Writes and defines the method, which does one of these. */
void dispatcher_write(struct dispatcher_maker *k, method_id m, const meta *what, uint32_t n);

/* handles/invoke.c: what an invocation of a handle does. */
bool dispatcher_needs_any(const struct dispatcher_maker *k, const meta *what, uint32_t n);
void dispatcher_invoke(struct dispatcher_maker *k, uint32_t handle);
void dispatcher_wrap(struct dispatcher_maker *k, uint32_t handle);       /* lambda.c: makes an object that calls one */

#endif
