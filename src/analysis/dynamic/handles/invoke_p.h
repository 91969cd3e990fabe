/* SPDX-License-Identifier: Apache-2.0 */
/* invoke_p.h - values and arguments of invocations: invoke.c has members, adapt.c handles that are made of others. */
#ifndef ANALYSIS_DYNAMIC_HANDLES_INVOKE_P_H
#define ANALYSIS_DYNAMIC_HANDLES_INVOKE_P_H

#include "analysis/dynamic/dispatcher_p.h"

/* A value with its declared type. */
struct typed {
	ir_value v;              /* 0: it is void */
	class_id type;
};

/* Arguments; vague: their places are not known, and all of them are in dispatcher_maker.any. */
struct arguments {
	VEC(struct typed) list;
	bool is_vague;
};

struct typed invoke_handle(struct dispatcher_maker *k, uint32_t row, const struct arguments *a);
struct typed invoke_adapted(struct dispatcher_maker *k, const struct handle *h, const struct arguments *a);      /* with parts */

/* lambda.c: an object that calls the part of the handle; what such an object has captured, in its own methods. */
struct typed lambda_make(struct dispatcher_maker *k, uint32_t row, const struct arguments *a);
void lambda_captured(struct dispatcher_maker *k, struct arguments *a);

struct typed typed_object(struct dispatcher_maker *k, ir_value v);
/* As asType() does: boxed, unboxed or cast. */
ir_value typed_convert(struct dispatcher_maker *k, struct typed x, class_id to);
void typed_store(struct dispatcher_maker *k, ir_value array, struct typed x);
struct typed typed_load(struct dispatcher_maker *k, ir_value array);
ir_value typed_array(struct dispatcher_maker *k, class_id type);
ir_value typed_objects(struct dispatcher_maker *k);                      /* a new array of objects */
struct typed typed_either(struct dispatcher_maker *k, struct typed x, struct typed y);
struct typed typed_argument(struct dispatcher_maker *k, const struct arguments *a, uint32_t i);
/* What a site has bound: an operand of the call. */
struct typed typed_bound(struct dispatcher_maker *k, uint32_t site, uint32_t operand);

#endif
