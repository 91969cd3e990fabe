/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/conditions/values.h"

#include "ir/access.h"

struct value value_range(int32_t low, int32_t high)
{
	if (low == INT32_MIN && high == INT32_MAX)
		return VALUE_UNKNOWN;
	return (struct value){ .kind = VALUE_INT, .low = low, .high = high };
}

struct value value_long(int64_t n)
{
	return (struct value){ .kind = VALUE_LONG, .low = (int32_t)(uint32_t)n, .high = (int32_t)(n >> 32) };
}

int64_t value_long_of(struct value v)
{
	return (int64_t)((uint64_t)(uint32_t)v.high << 32 | (uint32_t)v.low);
}

struct value value_object(class_id cls, bool is_exact)
{
	return (struct value){ .kind = VALUE_REF, .flags = (uint8_t)(REF_OBJECT | (is_exact ? REF_EXACT : 0)), .cls = cls };
}

struct value value_string(const struct program *p, str_id text)
{
	struct value v = value_object(p->string, true);

	v.identity = ID_STRING;
	v.id = text.i;
	return v;
}

struct value value_text(const struct program *p, str_id text)
{
	struct value v = value_string(p, text);

	v.identity = ID_TEXT;
	return v;
}

struct value value_class(const struct program *p, class_id of)
{
	struct value v = value_object(p->class_, true);

	v.identity = ID_CLASS;
	v.id = of.i;
	return v;
}

bool value_equal(struct value a, struct value b)
{
	return a.kind == b.kind && a.flags == b.flags && a.identity == b.identity && a.cls.i == b.cls.i && a.id == b.id &&
	       a.low == b.low && a.high == b.high;
}

/* Joining */

static struct value join_refs(struct hierarchy *h, struct value a, struct value b)
{
	struct value v = a;

	if (value_is_null(a) || value_is_null(b)) {
		v = value_is_null(a) ? b : a;
		v.flags |= REF_NULL;
		return v;
	}
	v.flags = (uint8_t)(((a.flags | b.flags) & (REF_NULL | REF_OBJECT)) | (a.flags & b.flags & REF_EXACT));
	if (a.identity != b.identity || a.id != b.id) {
		v.identity = ID_NONE;
		v.id = 0;
	}
	if (a.cls.i == b.cls.i)
		return v;
	v.flags &= (uint8_t)~REF_EXACT;
	if (!a.cls.i || !b.cls.i)
		v.cls = (class_id){ 0 };
	else if (hierarchy_is_subtype(h, a.cls, b.cls))
		v.cls = b.cls;
	else if (!hierarchy_is_subtype(h, b.cls, a.cls))
		v.cls = (class_id){ 0 };
	return v;
}

/* References of which nothing is known are one value. */
static struct value normal(struct value v)
{
	if (v.kind == VALUE_REF && (v.flags & REF_NULL) && (v.flags & REF_OBJECT) && !v.cls.i && !v.identity)
		return VALUE_UNKNOWN;
	return v;
}

struct value value_join(struct hierarchy *h, struct value a, struct value b)
{
	if (a.kind == VALUE_NONE || b.kind == VALUE_NONE)
		return a.kind == VALUE_NONE ? b : a;
	if (value_equal(a, b))
		return a;
	if (a.kind == VALUE_INT && b.kind == VALUE_INT)
		return value_range(a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high);
	if (a.kind == VALUE_REF && b.kind == VALUE_REF)
		return normal(join_refs(h, a, b));
	return VALUE_UNKNOWN;
}

/* Classes */

/* May objects of the class have types that nobody knows? */
static bool is_vague(struct hierarchy *h, class_id c)
{
	const struct ir_class *row = class_row(h->p, c);

	return row->kind == CLASS_PHANTOM || row->kind == CLASS_SYNTHETIC || row->is_unseen || hierarchy_misses_ancestor(h, c);
}

static bool is_plain_class(struct hierarchy *h, class_id c)
{
	const struct ir_class *row = class_row(h->p, c);

	return row->kind == CLASS_FILE && !(row->flags & ACCESS_INTERFACE);
}

enum answer value_instance(struct hierarchy *h, struct value v, class_id of)
{
	if (value_is_null(v))
		return ANSWER_NO;
	if (v.kind != VALUE_REF || !v.cls.i)
		return ANSWER_MAYBE;
	program_load(h->p, v.cls);
	program_load(h->p, of);
	if (hierarchy_is_subtype(h, v.cls, of))
		return value_is_object(v) ? ANSWER_YES : ANSWER_MAYBE;
	if (is_vague(h, v.cls) || is_vague(h, of))
		return ANSWER_MAYBE;
	if (value_is_exact(v))
		return ANSWER_NO;
	/* Of two classes, neither of which extends the other, nothing is an instance. */
	bool is_apart = is_plain_class(h, v.cls) && is_plain_class(h, of) && !hierarchy_is_subtype(h, of, v.cls);
	return is_apart ? ANSWER_NO : ANSWER_MAYBE;
}

bool value_may_be_of(struct hierarchy *h, struct value v, class_id c)
{
	if (value_is_null(v))
		return false;
	if (v.kind != VALUE_REF || !v.cls.i || is_vague(h, v.cls) || is_vague(h, c))
		return true;
	return value_is_exact(v) ? v.cls.i == c.i : hierarchy_is_subtype(h, c, v.cls);
}

/* Conditions */

enum relation { EQ, NE, LT, GE, GT, LE };

static enum answer answer_of(bool yes)
{
	return yes ? ANSWER_YES : ANSWER_NO;
}

static enum answer negate(enum answer a)
{
	return a == ANSWER_MAYBE ? a : a == ANSWER_YES ? ANSWER_NO : ANSWER_YES;
}

static enum answer compare_less(struct value a, struct value b)
{
	if (a.high < b.low)
		return ANSWER_YES;
	return a.low >= b.high ? ANSWER_NO : ANSWER_MAYBE;
}

static enum answer compare_equal(struct value a, struct value b)
{
	if (a.high < b.low || b.high < a.low)
		return ANSWER_NO;
	return a.low == a.high && b.low == b.high ? ANSWER_YES : ANSWER_MAYBE;
}

static enum answer compare_ints(enum relation r, struct value a, struct value b)
{
	if (a.kind == VALUE_ORDINAL && b.kind == VALUE_ORDINAL && a.id == b.id && (r == EQ || r == NE))
		return answer_of(r == EQ);
	if (a.kind != VALUE_INT || b.kind != VALUE_INT)
		return ANSWER_MAYBE;
	switch (r) {
	case EQ: return compare_equal(a, b);
	case NE: return negate(compare_equal(a, b));
	case LT: return compare_less(a, b);
	case GE: return negate(compare_less(a, b));
	case GT: return compare_less(b, a);
	default: return negate(compare_less(b, a));
	}
}

static bool are_apart(struct hierarchy *h, struct value a, struct value b)
{
	if (a.identity && a.identity == b.identity && a.id != b.id)
		return true;
	if (!a.cls.i || !b.cls.i)
		return false;
	return (value_is_exact(a) && !value_may_be_of(h, b, a.cls)) || (value_is_exact(b) && !value_may_be_of(h, a, b.cls));
}

static enum answer compare_refs(struct hierarchy *h, struct value a, struct value b)
{
	if (a.kind != VALUE_REF || b.kind != VALUE_REF)
		return ANSWER_MAYBE;
	if (value_is_null(a) && value_is_null(b))
		return ANSWER_YES;
	if ((value_is_null(a) && value_is_object(b)) || (value_is_null(b) && value_is_object(a)))
		return ANSWER_NO;
	if (!value_is_object(a) && !value_is_object(b))
		return ANSWER_MAYBE;
	if (value_is_null(a) || value_is_null(b))
		return ANSWER_MAYBE;
	if (a.identity && a.identity == b.identity && a.id == b.id)
		return value_is_object(a) && value_is_object(b) && a.identity != ID_TEXT ? ANSWER_YES : ANSWER_MAYBE;
	return are_apart(h, a, b) ? ANSWER_NO : ANSWER_MAYBE;
}

enum answer value_compare(struct hierarchy *h, unsigned opcode, struct value a, struct value b)
{
	if (opcode >= 153 && opcode <= 158)           /* ifeq .. ifle */
		return compare_ints((enum relation)(opcode - 153), a, value_int(0));
	if (opcode >= 159 && opcode <= 164)           /* if_icmpeq .. if_icmple */
		return compare_ints((enum relation)(opcode - 159), a, b);
	if (opcode == 165 || opcode == 166) {         /* if_acmpeq, if_acmpne */
		enum answer equal = compare_refs(h, a, b);
		return opcode == 165 ? equal : negate(equal);
	}
	enum answer is_null = compare_refs(h, a, VALUE_OF_NULL);      /* ifnull, ifnonnull */
	return opcode == 198 ? is_null : negate(is_null);
}

/* Refinement */

static struct value between(struct value a, int64_t low, int64_t high)
{
	int64_t l = a.kind == VALUE_INT ? a.low : INT32_MIN, h = a.kind == VALUE_INT ? a.high : INT32_MAX;

	l = l > low ? l : low;
	h = h < high ? h : high;
	return l <= h ? value_range((int32_t)l, (int32_t)h) : a;
}

static struct value refine_int(enum relation r, struct value a, struct value b)
{
	if (b.kind != VALUE_INT || (a.kind != VALUE_INT && a.kind != VALUE_ANY))
		return a;
	int64_t l = a.kind == VALUE_INT ? a.low : INT32_MIN, h = a.kind == VALUE_INT ? a.high : INT32_MAX;
	switch (r) {
	case EQ: return between(a, b.low, b.high);
	case NE:
		if (b.low != b.high || (l != b.low && h != b.low))
			return a;
		return l == b.low ? between(a, l + 1, h) : between(a, l, h - 1);
	case LT: return between(a, INT32_MIN, (int64_t)b.high - 1);
	case GE: return between(a, b.low, INT32_MAX);
	case GT: return between(a, (int64_t)b.low + 1, INT32_MAX);
	default: return between(a, INT32_MIN, b.high);
	}
}

static struct value refine_ref(bool equal, struct value a, struct value b)
{
	if (b.kind != VALUE_REF || (a.kind != VALUE_REF && a.kind != VALUE_ANY))
		return a;
	if (value_is_null(b) && !equal) {
		if (a.kind == VALUE_ANY)
			return value_object((class_id){ 0 }, false);
		if (!value_is_null(a))
			a.flags &= (uint8_t)~REF_NULL;
		return a;
	}
	return equal && (value_is_null(b) || b.identity) ? b : a;
}

struct value value_refine(unsigned opcode, bool holds, struct value a, struct value b)
{
	static const enum relation opposite[] = { NE, EQ, GE, LT, LE, GT };
	enum relation r = (enum relation)((opcode - 153) % 6);

	if (a.kind == VALUE_NONE)
		return a;
	if (opcode == 165 || opcode == 166)
		return refine_ref((opcode == 165) == holds, a, b);
	if (opcode == 198 || opcode == 199)
		return refine_ref((opcode == 198) == holds, a, VALUE_OF_NULL);
	return refine_int(holds ? r : opposite[r], a, opcode <= 158 ? value_int(0) : b);
}

/* Arithmetic */

static struct value arith_int(unsigned opcode, int32_t a, int32_t b)
{
	uint32_t x = (uint32_t)a, y = (uint32_t)b;

	switch (opcode) {
	case 96: return value_int((int32_t)(x + y));
	case 100: return value_int((int32_t)(x - y));
	case 104: return value_int((int32_t)(x * y));
	case 108: return b == 0 || b == -1 ? VALUE_UNKNOWN : value_int(a / b);
	case 112: return b == 0 || b == -1 ? VALUE_UNKNOWN : value_int(a % b);
	case 116: return value_int((int32_t)(0 - x));
	case 120: return value_int((int32_t)(x << (y & 31)));
	case 124: return value_int((int32_t)(x >> (y & 31)));
	case 126: return value_int((int32_t)(x & y));
	case 128: return value_int((int32_t)(x | y));
	case 130: return value_int((int32_t)(x ^ y));
	case 133: return value_long(a);
	case 145: return value_int((int8_t)x);
	case 146: return value_int((uint16_t)x);
	case 147: return value_int((int16_t)x);
	default: return VALUE_UNKNOWN;
	}
}

/* Of ranges: sums and differences that do not overflow, and masks. */
static struct value arith_ranges(unsigned opcode, struct value a, struct value b)
{
	bool both = a.kind == VALUE_INT && b.kind == VALUE_INT;
	int64_t low = opcode == 96 ? (int64_t)a.low + b.low : (int64_t)a.low - b.high;
	int64_t high = opcode == 96 ? (int64_t)a.high + b.high : (int64_t)a.high - b.low;

	if (both && (opcode == 96 || opcode == 100) && low >= INT32_MIN && high <= INT32_MAX)
		return value_range((int32_t)low, (int32_t)high);
	if (both && opcode >= 126 && opcode <= 130 && a.low >= 0 && b.low >= 0 && a.high <= 1 && b.high <= 1)
		return value_range(0, 1);
	if (opcode == 126 && a.kind == VALUE_INT && a.low == a.high && a.low >= 0)
		return value_range(0, a.low);
	if (opcode == 126 && b.kind == VALUE_INT && b.low == b.high && b.low >= 0)
		return value_range(0, b.low);
	return opcode == 146 ? value_range(0, UINT16_MAX) : VALUE_UNKNOWN;
}

struct value value_arith(unsigned opcode, struct value a, struct value b)
{
	int32_t x, y = 0;
	bool is_unary = opcode == 116 || opcode == 133 || (opcode >= 145 && opcode <= 147);

	if (a.kind == VALUE_NONE || (!is_unary && b.kind == VALUE_NONE))
		return (struct value){ 0 };
	if (opcode == 148 && a.kind == VALUE_LONG && b.kind == VALUE_LONG) {
		int64_t l = value_long_of(a), r = value_long_of(b);
		return value_int((l > r) - (l < r));
	}
	if (opcode == 148)
		return value_range(-1, 1);
	if (value_is_int(a, &x) && (is_unary || value_is_int(b, &y)))
		return arith_int(opcode, x, y);
	if (opcode == 136 && a.kind == VALUE_LONG)
		return value_int((int32_t)(uint32_t)value_long_of(a));
	return arith_ranges(opcode, a, is_unary ? VALUE_UNKNOWN : b);
}

/* Interning */

void value_table_init(struct value_table *t)
{
	*t = (struct value_table){ 0 };
	vec_push(&t->values, VALUE_UNKNOWN);
	vec_push(&t->lists, 0);
}

void value_table_release(struct value_table *t)
{
	vec_release(&t->values);
	vec_release(&t->lists);
	map_release(&t->parts);
	map_release(&t->pairs);
	map_release(&t->lists_of);
}

static uint32_t part(struct value_table *t, uint32_t a, uint32_t b, uint32_t tag)
{
	uint32_t *low = map_at(&t->parts, map_key(a, b));

	if (!*low)
		*low = ++t->nparts;
	uint32_t *at = map_at(&t->pairs, map_key(*low, tag));
	if (!*at)
		*at = ++t->nparts;
	return *at;
}

uint32_t value_intern(struct value_table *t, struct value v)
{
	if (v.kind == VALUE_ANY || v.kind == VALUE_NONE)
		return 0;
	uint32_t kind = (uint32_t)v.kind | (uint32_t)v.flags << 8 | (uint32_t)v.identity << 16;
	uint32_t head = part(t, (uint32_t)v.low, (uint32_t)v.high, kind);
	uint32_t *at = map_at(&t->pairs, map_key(part(t, v.cls.i, v.id, head), UINT32_MAX));

	if (!*at) {
		*at = t->values.len;
		vec_push(&t->values, v);
	}
	return *at;
}

uint32_t value_list_add(struct value_table *t, uint32_t list, uint32_t number)
{
	uint32_t *at = map_at(&t->lists_of, map_key(list, number));

	if (!*at) {
		*at = t->lists.len;
		vec_push(&t->lists, map_key(list, number));
	}
	return *at;
}

uint32_t value_list(struct value_table *t, const struct value *values, uint32_t n)
{
	uint32_t list = 0;

	while (n && values[n - 1].kind == VALUE_ANY)
		n--;
	for (uint32_t i = 0; i < n; i++)
		list = value_list_add(t, list, value_intern(t, values[i]));
	return list;
}
