/* SPDX-License-Identifier: Apache-2.0 */
/* values.h - which classes, members and names a variable may stand for: traced back from where they are used, through
 * statements, calls, returns, fields and arrays, as far as they are asked for.
 *
 * A *node* is a variable of a method, what a method returns, or a field; or the elements of the arrays that one of these may
 * be. It has a set of *metas* and may be *open*: something comes that is not known. */
#ifndef ANALYSIS_DYNAMIC_VALUES_H
#define ANALYSIS_DYNAMIC_VALUES_H

#include "analysis/dynamic/dynamic.h"

/* Of methods: constructors, too. A handle is a row of handles/handle.h, a type the descriptor of a MethodType. */
enum meta_sort { META_CLASS = 1, META_METHOD, META_FIELD, META_STRING, META_HANDLE, META_TYPE };
typedef uint64_t meta;                   /* sort and id */

static inline meta meta_of(enum meta_sort sort, uint32_t id)
{
	return map_key(sort, id);
}
static inline enum meta_sort meta_sort(meta x) { return (enum meta_sort)(x >> 32); }
static inline uint32_t meta_id(meta x) { return (uint32_t)x; }
static inline class_id meta_class(meta x) { return (class_id){ meta_id(x) }; }
static inline method_id meta_method(meta x) { return (method_id){ meta_id(x) }; }
static inline field_id meta_field(meta x) { return (field_id){ meta_id(x) }; }

struct metas {
	const meta *data;                /* sorted */
	uint32_t n;
	bool is_open;
};

struct values;
struct handles;
struct values *values_new(struct hierarchy *h, const struct dynamic_opt *opt);      /* `opt` stays in place */
void values_free(struct values *v);

/* The node of operand `k` of the call at `pc` of a method that names `ref`; 0: there is no such statement. */
uint32_t values_operand(struct values *v, method_id m, uint32_t pc, mref_id ref, uint32_t k);
/* The node of the elements of that operand, an array; *is_one becomes true if it has one element. */
uint32_t values_elements(struct values *v, method_id m, uint32_t pc, mref_id ref, uint32_t k, bool *is_one);
/* The node of what that call returns, if it is a query (queries.def). */
uint32_t values_result(struct values *v, method_id m, uint32_t pc, mref_id ref);
/* The type that what the call makes, or what is made of the class that it finds, is always cast to; none: it is not known. */
class_id values_cast(struct values *v, method_id m, uint32_t pc, mref_id ref, enum dynamic_sort sort);
/* The node is this, too, whatever its statement says. */
void values_add(struct values *v, uint32_t node, meta x);
/* `m`, a dispatcher, writes fields of any class. */
void values_add_writer(struct values *v, method_id m);
/* Traces all nodes that were asked for through the graph as it is. */
struct handles *values_handles(struct values *v);
/* The method that keeps the operands of a call that makes handles (handles/binder.c); none: there is no such call. */
method_id values_binder(struct values *v, method_id m, uint32_t pc);
void values_trace(struct values *v, const struct dynamic_graph *g);
/* The strings of `opt`: those in methods that are reached are traced; and answers. */
void values_ask_strings(struct values *v, const struct dynamic_graph *g);
void values_answer_strings(struct values *v);
struct metas values_of(struct values *v, uint32_t node);         /* until the next is asked for */
bool values_is_open(const struct values *v, uint32_t node);
/* Would it be, were it not for what the level assumes: what settings are, and that names are those of classes? Of names that are put
 * together from settings and other words this says no. */
bool values_is_assumed(const struct values *v, uint32_t node);
struct dynamic_why values_why(struct values *v, uint32_t node);          /* of a node that is open */

#endif
