/* SPDX-License-Identifier: Apache-2.0 */
/* values.h - what is known of a value while code runs: an integer between two others, a constant, null or not, an object of a class.
 *
 * Values form a lattice: VALUE_NONE, no value as yet, is below all, and VALUE_ANY above. A value is an answer for every run: where it
 * says less than it could, that is imprecise; where it says more, that is an error. */
#ifndef ANALYSIS_CONDITIONS_VALUES_H
#define ANALYSIS_CONDITIONS_VALUES_H

#include "analysis/hierarchy/hierarchy.h"

enum value_kind {
	VALUE_NONE,
	VALUE_ANY,
	VALUE_INT,            /* low .. high; booleans, chars and others, too */
	VALUE_LONG,           /* a constant */
	VALUE_REF,
	VALUE_ORDINAL,        /* that of the enum constant in the field `id` */
};

/* of VALUE_REF */
enum ref_flags { REF_NULL = 1, REF_OBJECT = 2, REF_EXACT = 4 };      /* it may be null; or an object, of class `cls` and no subclass */
enum ref_identity {
	ID_NONE,
	ID_STRING,            /* the constant string `id` */
	ID_TEXT,              /* a string with the text `id`, of which there may be several */
	ID_CLASS,             /* the class object of `id` */
	ID_FIELD,             /* the object that was made for the static final field `id`, and for no other */
};

struct value {
	uint8_t kind, flags, identity;
	class_id cls;         /* VALUE_REF: objects are instances of it; none: of any class */
	uint32_t id;
	int32_t low, high;    /* VALUE_LONG: its halves */
};

#define VALUE_UNKNOWN ((struct value){ .kind = VALUE_ANY })
#define VALUE_OF_NULL ((struct value){ .kind = VALUE_REF, .flags = REF_NULL })

struct value value_range(int32_t low, int32_t high);
static inline struct value value_int(int32_t n)
{
	return value_range(n, n);
}
struct value value_long(int64_t n);
int64_t value_long_of(struct value v);
struct value value_object(class_id cls, bool is_exact);        /* not null */
struct value value_string(const struct program *p, str_id text);
/* A string with this text that need not be the constant. */
struct value value_text(const struct program *p, str_id text);
static inline bool value_has_text(struct value v)
{
	return v.kind == VALUE_REF && (v.identity == ID_STRING || v.identity == ID_TEXT);
}
struct value value_class(const struct program *p, class_id of);

static inline bool value_is_int(struct value v, int32_t *out)         /* one integer */
{
	*out = v.low;
	return v.kind == VALUE_INT && v.low == v.high;
}
static inline bool value_is_null(struct value v)                      /* always */
{
	return v.kind == VALUE_REF && !(v.flags & REF_OBJECT);
}
static inline bool value_is_object(struct value v)                    /* never null */
{
	return v.kind == VALUE_REF && !(v.flags & REF_NULL);
}
static inline bool value_is_exact(struct value v)
{
	return v.kind == VALUE_REF && (v.flags & REF_EXACT);
}
bool value_equal(struct value a, struct value b);

/* What may be either. */
struct value value_join(struct hierarchy *h, struct value a, struct value b);

enum answer { ANSWER_NO, ANSWER_YES, ANSWER_MAYBE };
/* Is it an instance of the class? Null is not. */
enum answer value_instance(struct hierarchy *h, struct value v, class_id of);
/* Can it be an object of just this class? */
bool value_may_be_of(struct hierarchy *h, struct value v, class_id c);
/* A condition of IR_IF, by its JVM opcode; `b` is of no account where it has one operand. MAYBE while one is VALUE_NONE, too. */
enum answer value_compare(struct hierarchy *h, unsigned opcode, struct value a, struct value b);
/* What `a` is once the condition is known to hold, or not to. */
struct value value_refine(unsigned opcode, bool holds, struct value a, struct value b);
/* An operation of IR_ARITH. */
struct value value_arith(unsigned opcode, struct value a, struct value b);

/* Interned: numbers for values and for lists of them. 0 is VALUE_UNKNOWN, and the empty list; unknown values at the end of a list do
 * not count. */
struct value_table {
	VEC(struct value) values;
	VEC(uint64_t) lists;          /* all but its last value, the number of that */
	struct map parts, pairs, lists_of;
	uint32_t nparts;
};
void value_table_init(struct value_table *t);
void value_table_release(struct value_table *t);
uint32_t value_intern(struct value_table *t, struct value v);
uint32_t value_list(struct value_table *t, const struct value *values, uint32_t n);
/* Adds a number to a list of numbers, of values or of anything else. */
uint32_t value_list_add(struct value_table *t, uint32_t list, uint32_t number);

#endif
