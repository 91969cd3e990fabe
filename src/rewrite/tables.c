/* SPDX-License-Identifier: Apache-2.0 */
#include "rewrite/tables_p.h"

/* Tables whose rows keep their size are copied and then corrected in place. */
static uint8_t *copy_body(const struct layout *l, const struct cf_attr *a, struct out *o)
{
	uint8_t *body = out_take(o, a->len);

	memcpy(body, l->cf->bytes.p + a->body, a->len);
	return body;
}

static uint32_t load2(const uint8_t *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

/* Rows of `size` bytes behind a u2 count; UINT32_MAX: the attribute has another length. */
static uint32_t row_count(const struct layout *l, const struct cf_attr *a, uint32_t size)
{
	uint32_t n = a->len >= 2 ? cf_u2(l->cf, a->body) : UINT32_MAX;

	return a->len == 2 + (uint64_t)n * size ? n : UINT32_MAX;
}

bool lines_write(const struct layout *l, const struct cf_attr *a, struct out *o)
{
	uint32_t n = row_count(l, a, 4);

	if (n == UINT32_MAX)
		return false;
	for (uint8_t *row = copy_body(l, a, o) + 2; n > 0; n--, row += 4) {
		uint32_t pc = load2(row);

		if (pc >= l->code.code.len)
			return false;
		store2(row, place_of(l, pc));
	}
	return true;
}

/* Moves the u2 pc and u2 length of a range. */
static bool move_range(const struct layout *l, uint8_t *row)
{
	uint32_t pc = load2(row), end = pc + load2(row + 2);

	if (end > l->code.code.len)
		return false;
	uint32_t from = place_of(l, pc), to = place_of(l, end);

	store2(row, from);
	store2(row + 2, to > from ? to - from : 0);
	return true;
}

bool locals_write(const struct layout *l, const struct cf_attr *a, struct out *o)
{
	uint32_t n = row_count(l, a, 10);

	if (n == UINT32_MAX)
		return false;
	for (uint8_t *row = copy_body(l, a, o) + 2; n > 0; n--, row += 10)
		if (!move_range(l, row))
			return false;
	return true;
}

/* Type annotations, JVMS 4.7.20 */

#define MAX_DEPTH 32            /* of annotations in annotations */

static void skip_value(struct reader *r, int depth);

/* The named values of an annotation, behind its type. */
static void skip_pairs(struct reader *r, int depth)
{
	for (uint32_t n = reader_count(r, 3); n > 0 && !r->failed; n--) {
		reader_u2(r);
		skip_value(r, depth);
	}
}

static void skip_value(struct reader *r, int depth)
{
	uint8_t tag = reader_u1(r);

	if (depth == 0) {
		r->failed = true;
	} else if (tag == 'e') {
		reader_take(r, 4);
	} else if (tag == '@') {
		reader_u2(r);
		skip_pairs(r, depth - 1);
	} else if (tag == '[') {
		for (uint32_t n = reader_count(r, 1); n > 0 && !r->failed; n--)
			skip_value(r, depth - 1);
	} else {
		reader_u2(r);
	}
}

/* The body under correction and a reader of it; both at the same place. */
struct annotations {
	uint8_t *body;
	struct reader r;
};

static uint8_t *take(struct annotations *t, size_t n)
{
	size_t at = reader_offset(&t->r);

	return reader_take(&t->r, n) ? t->body + at : NULL;
}

/* localvar_target: ranges of the code. */
static bool move_ranges(const struct layout *l, struct annotations *t)
{
	for (uint32_t n = reader_count(&t->r, 6); n > 0; n--) {
		uint8_t *row = take(t, 6);

		if (!row || !move_range(l, row))
			return false;
	}
	return true;
}

/* offset_target: an instruction. */
static bool move_offset(const struct layout *l, struct annotations *t)
{
	uint8_t *at = take(t, 2);

	if (!at || load2(at) >= l->code.code.len)
		return false;
	store2(at, insn_of(l, load2(at)));
	return true;
}

static bool move_target(const struct layout *l, struct annotations *t)
{
	uint8_t type = reader_u1(&t->r);

	if (type == 0x40 || type == 0x41)
		return move_ranges(l, t);
	if (type == 0x42)
		return take(t, 2) != NULL;              /* a row of the exception table */
	if (type >= 0x43 && type <= 0x46)
		return move_offset(l, t);
	if (type >= 0x47 && type <= 0x4b)
		return move_offset(l, t) && take(t, 1);
	return false;                                   /* belongs elsewhere */
}

bool type_annotations_write(const struct layout *l, const struct cf_attr *a, struct out *o)
{
	struct annotations t = { copy_body(l, a, o), reader_of((struct span){ l->cf->bytes.p + a->body, a->len }) };

	for (uint32_t n = reader_u2(&t.r); n > 0 && !t.r.failed; n--) {
		if (!move_target(l, &t))
			return false;
		take(&t, 2u * reader_u1(&t.r));         /* type_path */
		reader_u2(&t.r);
		skip_pairs(&t.r, MAX_DEPTH);
	}
	return !t.r.failed && !reader_left(&t.r);
}
