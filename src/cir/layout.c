// SPDX-License-Identifier: Apache-2.0
/* layout.c - which bytes of an object are one cell.
 *
 * Fields of structs are apart, since programs name them; elements of arrays are not, since an index is a number that
 * only a run knows. Offsets count from the start of the object through all that is nested in it, so that a pointer to
 * a field of a struct in a struct is a number, whichever way it was computed.
 *
 * All questions descend from the layout to the part that has a byte: in a struct to the last field that starts at or
 * before it, so that padding belongs to the field before; in an array to the element, all elements being one. What
 * lies behind the end of the last member belongs to it: when that is an array, it goes on. Layouts come from files:
 * what is nested deeper than LEVELS, a cycle perhaps, ends there. */
#include "cir/cir.h"

enum { LEVELS = 64 };

/* A part of a layout: where it starts, and a place in it. */
struct part {
	const struct clayout *l;
	uint64_t base, rel;
	bool padding;                /* behind a part: `rel` is its last byte instead */
};

uint64_t cstride_join(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static const struct clayout *row(const struct cprogram *p, clayout_id l)
{
	return l.i && l.i < p->layouts.len ? &p->layouts.data[l.i] : NULL;
}

/* The number of fields that start at or before `rel`. */
static uint32_t fields_until(const struct cprogram *p, const struct clayout *l, uint64_t rel)
{
	const struct cfield *f = &p->fields.data[l->first];
	uint32_t lo = 0, hi = l->nfields;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (f[mid].offset <= rel)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Padding behind a field that is not the last is its last byte. */
static void stay_within(struct part *at)
{
	if (at->rel < at->l->size)
		return;
	at->rel = at->l->size ? at->l->size - 1 : 0;
	at->padding = true;
}

static bool enter_struct(const struct cprogram *p, struct part *at)
{
	uint32_t n = at->l->nfields ? fields_until(p, at->l, at->rel) : 0;
	bool last = n == at->l->nfields;
	const struct cfield *f;

	if (!n)
		return false;
	f = &p->fields.data[at->l->first + n - 1];
	at->base += f->offset;
	at->rel -= f->offset;
	at->l = row(p, f->layout);
	if (!at->l)
		return false;
	if (!last)
		stay_within(at);
	return true;
}

static bool enter_array(const struct cprogram *p, struct part *at)
{
	const struct clayout *elem = row(p, at->l->elem);

	if (!elem || !elem->size)
		return false;
	at->rel %= elem->size;
	at->l = elem;
	return true;
}

/* To the part that has the place; false: there are no parts, or the place is before the first. */
static bool enter(const struct cprogram *p, struct part *at)
{
	return at->l->kind == CLAYOUT_STRUCT ? enter_struct(p, at) : at->l->kind == CLAYOUT_ARRAY && enter_array(p, at);
}

uint64_t clayout_cell(const struct cprogram *p, clayout_id l, uint64_t off)
{
	struct part at = { row(p, l), 0, off, false };

	if (!at.l)
		return off;
	for (int level = 0; level < LEVELS && enter(p, &at); level++)
		;
	return at.base;
}

bool clayout_inside(const struct cprogram *p, clayout_id l, uint64_t off)
{
	struct part at = { row(p, l), 0, off, false };

	if (!at.l)
		return false;
	for (int level = 0; level < LEVELS && enter(p, &at); level++)
		;
	return at.rel || at.padding;
}

static bool moves_within(const struct cprogram *p, const struct clayout *l, uint64_t step)
{
	const struct clayout *elem = l->kind == CLAYOUT_ARRAY ? row(p, l->elem) : NULL;

	return elem && (elem->kind == CLAYOUT_SCALAR || (elem->size && step % elem->size == 0));
}

/* outside: not in a struct that starts at the place. */
static bool in_array(const struct cprogram *p, clayout_id l, uint64_t off, uint64_t step, bool outside)
{
	struct part at = { row(p, l), 0, off, false };

	for (int level = 0; at.l && level < LEVELS; level++) {
		if (moves_within(p, at.l, step))
			return true;
		if (outside && at.l->kind == CLAYOUT_STRUCT && at.l->nfields > 1 && !at.rel && !at.padding)
			return false;
		if (!enter(p, &at))
			break;
	}
	return false;
}

bool clayout_in_array(const struct cprogram *p, clayout_id l, uint64_t off, uint64_t step)
{
	return in_array(p, l, off, step, false);
}

bool clayout_around(const struct cprogram *p, clayout_id l, uint64_t off, uint64_t step)
{
	return in_array(p, l, off, step, true);
}

bool clayout_middle(const struct cprogram *p, clayout_id l, uint64_t off, uint64_t below)
{
	struct part at = { row(p, l), 0, off, false };

	for (int level = 0; at.l && level < LEVELS; level++) {
		const struct clayout *elem = at.l->kind == CLAYOUT_ARRAY ? row(p, at.l->elem) : NULL;
		bool counts = elem && (!below || (elem->kind == CLAYOUT_SCALAR && elem->size < below));

		if (counts && at.rel >= elem->size)
			return true;
		if (!enter(p, &at))
			break;
	}
	return false;
}

bool clayout_starts(const struct cprogram *p, clayout_id l, uint64_t off, uint64_t size)
{
	struct part at = { row(p, l), 0, off, false };

	for (int level = 0; at.l && level < LEVELS; level++) {
		if (!at.rel && !at.padding && at.l->size == size)
			return true;
		if (!enter(p, &at))
			break;
	}
	return false;
}

bool clayout_leaves(const struct cprogram *p, clayout_id l, uint64_t off, uint64_t back)
{
	struct part at = { row(p, l), 0, off, false };

	for (int level = 0; at.l && level < LEVELS; level++) {
		const struct clayout *array = at.l->kind == CLAYOUT_ARRAY ? at.l : NULL;

		if (!enter(p, &at))
			break;
		if (!array || back <= at.rel)
			continue;
		if (back >= array->size || (at.l->kind != CLAYOUT_SCALAR && back % at.l->size))
			return true;
	}
	return false;
}

uint64_t clayout_part(const struct cprogram *p, clayout_id l, uint64_t off)
{
	struct part at = { row(p, l), 0, off, false };

	for (int level = 0; at.l && level < LEVELS; level++) {
		if (!at.rel && !at.padding)
			return at.l->kind == CLAYOUT_SCALAR ? 0 : at.l->size;
		if (!enter(p, &at))
			break;
	}
	return 0;
}

/* A range of bytes folded into an element is one range, or what is left of the element without a range in the middle: two,
 * of which the first starts where the element does and the second ends where it does. Folding those again gives no more. */
struct range { uint64_t lo, hi; };
struct ranges { struct range r[2]; };          /* ascending, empty ones are { 0, 0 } */

struct listing {
	const struct cprogram *p;
	void (*each)(void *ctx, uint64_t cell);
	void *ctx;
};

static bool is_empty(const struct ranges *s)
{
	return s->r[0].lo == s->r[0].hi && s->r[1].lo == s->r[1].hi;
}

/* The part in [from, to), relative to `from`. */
static struct ranges part(const struct ranges *s, uint64_t from, uint64_t to)
{
	struct ranges out = { 0 };

	for (int i = 0; i < 2; i++) {
		uint64_t lo = s->r[i].lo > from ? s->r[i].lo : from, hi = s->r[i].hi < to ? s->r[i].hi : to;

		if (lo < hi)
			out.r[i] = (struct range){ lo - from, hi - from };
	}
	return out;
}

/* Padding behind a part that is not the last stands for its last byte. */
static void clamp(struct ranges *s, uint64_t size)
{
	for (int i = 0; i < 2; i++) {
		struct range *r = &s->r[i];

		if (r->lo == r->hi || r->hi <= size)
			continue;
		if (!size) {
			*r = (struct range){ 0, 1 };
			continue;
		}
		r->hi = size;
		if (r->lo >= size)
			r->lo = size - 1;
	}
}

/* Two ranges are kept; a third that does not touch the first makes it the whole element, which is more than there is,
 * never less. */
static void join(struct ranges *s, struct range r, uint64_t size)
{
	struct range a = s->r[0], b = r;

	if (a.lo == a.hi) {
		s->r[0] = b;
	} else if (a.hi >= b.lo && b.hi >= a.lo) {      /* they touch */
		s->r[0] = (struct range){ a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi };
	} else if (s->r[1].lo == s->r[1].hi) {
		s->r[0] = a.lo < b.lo ? a : b;
		s->r[1] = a.lo < b.lo ? b : a;
	} else {
		*s = (struct ranges){ { { 0, size } } };
	}
}

/* The same bytes in the first of an array's elements of `size` bytes. */
static struct ranges fold(const struct ranges *s, uint64_t size)
{
	struct ranges out = { 0 };

	for (int i = 0; i < 2; i++) {
		uint64_t len = s->r[i].hi - s->r[i].lo, lo = s->r[i].lo % size;

		if (!len)
			continue;
		if (len >= size)
			return (struct ranges){ { { 0, size } } };
		if (lo + len > size)
			join(&out, (struct range){ 0, lo + len - size }, size);
		join(&out, (struct range){ lo, lo + len < size ? lo + len : size }, size);
	}
	return out;
}

static void list(const struct listing *k, const struct clayout *l, uint64_t base, struct ranges s, int level);

/* The fields that the ranges touch. What is between two fields belongs to the first, what is behind the last one to
 * that. */
static void list_struct(const struct listing *k, const struct clayout *l, uint64_t base, struct ranges s, int level)
{
	uint64_t lo = s.r[0].lo < s.r[0].hi ? s.r[0].lo : s.r[1].lo;
	uint64_t hi = s.r[1].lo < s.r[1].hi ? s.r[1].hi : s.r[0].hi;
	const struct cfield *f = &k->p->fields.data[l->first];
	uint32_t i = fields_until(k->p, l, lo);

	if (i)
		i--;
	else
		k->each(k->ctx, base);                  /* before the first field */
	for (; i < l->nfields && f[i].offset < hi; i++) {
		bool last = i + 1 == l->nfields;
		struct ranges inside = part(&s, f[i].offset, last ? UINT64_MAX : f[i + 1].offset);
		const struct clayout *child = row(k->p, f[i].layout);

		if (!last && child)
			clamp(&inside, child->size);
		if (!is_empty(&inside))
			list(k, child, base + f[i].offset, inside, level + 1);
	}
}

static void list(const struct listing *k, const struct clayout *l, uint64_t base, struct ranges s, int level)
{
	const struct clayout *elem = l && l->kind == CLAYOUT_ARRAY ? row(k->p, l->elem) : NULL;

	if (level == LEVELS)
		l = NULL;
	if (l && l->kind == CLAYOUT_STRUCT && l->nfields)
		list_struct(k, l, base, s, level);
	else if (l && elem && elem->size)
		list(k, elem, base, fold(&s, elem->size), level + 1);
	else
		k->each(k->ctx, base);
}

void clayout_each(const struct cprogram *p, clayout_id l, uint64_t from, uint64_t len, void (*each)(void *ctx, uint64_t cell),
		  void *ctx)
{
	struct listing k = { p, each, ctx };

	if (len > UINT64_MAX - from)
		len = UINT64_MAX - from;
	if (!len)
		return;
	if (row(p, l))
		list(&k, row(p, l), 0, (struct ranges){ { { from, from + len } } }, 0);
	else
		each(ctx, from);
}
