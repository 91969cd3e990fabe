// SPDX-License-Identifier: Apache-2.0
// links: base cir
/* test_layout.c - which bytes are one cell: by examples, and on random layouts against all their bytes and parts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "cir/cir.h"

/* Layouts by hand. */

static clayout_id scalar(struct cprogram *p, uint64_t size)
{
	return cir_layout(p, (struct clayout){ .kind = CLAYOUT_SCALAR, .size = size });
}

static clayout_id array(struct cprogram *p, clayout_id elem, uint64_t count)
{
	return cir_layout(p, (struct clayout){ .kind = CLAYOUT_ARRAY, .size = count * p->layouts.data[elem.i].size, .elem = elem,
					       .count = count });
}

static clayout_id structure(struct cprogram *p, uint64_t size, uint32_t n, const struct cfield *f)
{
	struct clayout l = { .kind = CLAYOUT_STRUCT, .size = size, .first = p->fields.len, .nfields = n };

	for (uint32_t i = 0; i < n; i++)
		vec_push(&p->fields, f[i]);
	return cir_layout(p, l);
}

struct cells {
	uint64_t at[512];
	uint32_t n;
};

static void collect(void *ctx, uint64_t cell)
{
	struct cells *c = ctx;

	assert_true(c->n < 512);
	c->at[c->n++] = cell;
}

static void expect_cells(const struct cprogram *p, clayout_id l, uint64_t from, uint64_t len, uint32_t n, const uint64_t *want)
{
	struct cells got = { .n = 0 };

	clayout_each(p, l, from, len, collect, &got);
	assert_int_equal(got.n, n);
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(got.at[i], want[i]);
}

/* struct { int n; char tag; struct { void *a; int b; } pair[3]; char tail[1]; } of 64 bytes */
static clayout_id example(struct cprogram *p)
{
	clayout_id i4 = scalar(p, 4), i1 = scalar(p, 1), i8 = scalar(p, 8);
	clayout_id pair = structure(p, 16, 2, (struct cfield[]){ { 0, i8, { 0 } }, { 8, i4, { 0 } } });

	return structure(p, 64, 4, (struct cfield[]){ { 0, i4, { 0 } }, { 4, i1, { 0 } }, { 8, array(p, pair, 3), { 0 } },
						      { 56, array(p, i1, 1), { 0 } } });
}

static void bytes_have_cells(void **state)
{
	struct cprogram p;
	clayout_id l;
	(void)state;

	cprogram_init(&p);
	l = example(&p);
	assert_int_equal(clayout_cell(&p, l, 3), 0);
	assert_int_equal(clayout_cell(&p, l, 7), 4);            /* padding */
	assert_int_equal(clayout_cell(&p, l, 8), 8);
	assert_int_equal(clayout_cell(&p, l, 24), 8);           /* pair[1].a */
	assert_int_equal(clayout_cell(&p, l, 50), 16);          /* pair[2].b */
	assert_int_equal(clayout_cell(&p, l, 55), 16);
	assert_int_equal(clayout_cell(&p, l, 56), 56);
	assert_int_equal(clayout_cell(&p, l, 4000), 56);        /* the last array is open */
	assert_int_equal(clayout_cell(&p, (clayout_id){ 0 }, 77), 77);
	cprogram_release(&p);
}

static void ranges_have_cells(void **state)
{
	struct cprogram p;
	clayout_id l;
	(void)state;

	cprogram_init(&p);
	l = example(&p);
	expect_cells(&p, l, 0, 0, 0, NULL);
	expect_cells(&p, l, 0, 64, 5, (uint64_t[]){ 0, 4, 8, 16, 56 });
	expect_cells(&p, l, 5, 3, 1, (uint64_t[]){ 4 });
	expect_cells(&p, l, 36, 5, 2, (uint64_t[]){ 8, 16 });   /* pair[1].b and pair[2].a */
	expect_cells(&p, l, 40, 8, 1, (uint64_t[]){ 8 });
	expect_cells(&p, l, 1000, UINT64_MAX, 1, (uint64_t[]){ 56 });
	cprogram_release(&p);
}

static void arrays_and_starts(void **state)
{
	struct cprogram p;
	clayout_id l;
	(void)state;

	cprogram_init(&p);
	l = example(&p);
	assert_true(clayout_in_array(&p, l, 8, 16));
	assert_true(clayout_in_array(&p, l, 16, 48));
	assert_false(clayout_in_array(&p, l, 8, 8));
	assert_false(clayout_in_array(&p, l, 4, 16));
	assert_true(clayout_in_array(&p, l, 56, 16));           /* scalars: any step */
	assert_true(clayout_around(&p, l, 8, 16));
	assert_false(clayout_around(&p, l, 8, 4));
	assert_true(clayout_around(&p, l, 56, 16));
	assert_true(clayout_middle(&p, l, 24, 0));
	assert_false(clayout_middle(&p, l, 24, 8));             /* of scalars only */
	assert_false(clayout_middle(&p, l, 8, 0));
	assert_false(clayout_middle(&p, l, 56, 0));
	assert_true(clayout_starts(&p, l, 0, 64));
	assert_true(clayout_starts(&p, l, 8, 48));
	assert_true(clayout_starts(&p, l, 24, 16));
	assert_true(clayout_starts(&p, l, 24, 8));
	assert_false(clayout_starts(&p, l, 24, 4));
	assert_false(clayout_starts(&p, l, 24, 48));
	cprogram_release(&p);
}

/* struct { char name[8]; int *p; } [3]: where an element starts, its array does, too. */
static void first_arrays(void **state)
{
	struct cprogram p;
	(void)state;

	cprogram_init(&p);
	clayout_id byte = cir_layout(&p, (struct clayout){ .kind = CLAYOUT_SCALAR, .size = 1 });
	clayout_id ptr = cir_layout(&p, (struct clayout){ .kind = CLAYOUT_SCALAR, .size = 8 });
	clayout_id name = cir_layout(&p, (struct clayout){ .kind = CLAYOUT_ARRAY, .size = 8, .elem = byte, .count = 8 });
	struct clayout row = { .kind = CLAYOUT_STRUCT, .size = 16, .first = p.fields.len, .nfields = 2 };

	vec_push(&p.fields, ((struct cfield){ 0, name, { 0 } }));
	vec_push(&p.fields, ((struct cfield){ 8, ptr, { 0 } }));
	clayout_id rows = cir_layout(&p, (struct clayout){ .kind = CLAYOUT_ARRAY, .size = 48, .elem = cir_layout(&p, row), .count = 3 });
	assert_true(clayout_in_array(&p, rows, 0, 1));
	assert_false(clayout_around(&p, rows, 0, 1));
	assert_true(clayout_around(&p, rows, 0, 32));
	assert_true(clayout_middle(&p, rows, 3, 8));
	assert_false(clayout_middle(&p, rows, 8, 8));
	assert_false(clayout_middle(&p, rows, 16, 8));
	assert_true(clayout_middle(&p, rows, 16, 0));
	cprogram_release(&p);
}

static void flexible_arrays_have_a_cell_behind(void **state)
{
	struct cprogram p;
	clayout_id i4, pair, l;
	(void)state;

	cprogram_init(&p);
	i4 = scalar(&p, 4);
	pair = structure(&p, 8, 2, (struct cfield[]){ { 0, i4, { 0 } }, { 4, i4, { 0 } } });
	l = structure(&p, 4, 2, (struct cfield[]){ { 0, i4, { 0 } }, { 4, array(&p, pair, 0), { 0 } } });
	assert_int_equal(clayout_cell(&p, l, 4), 4);
	assert_int_equal(clayout_cell(&p, l, 8), 8);
	assert_int_equal(clayout_cell(&p, l, 20), 4);
	expect_cells(&p, l, 0, 100, 3, (uint64_t[]){ 0, 4, 8 });
	cprogram_release(&p);
}

static void strange_layouts_end(void **state)
{
	struct cprogram p;
	clayout_id self, empty;
	(void)state;

	cprogram_init(&p);
	self = (clayout_id){ p.layouts.len };
	cir_layout(&p, (struct clayout){ .kind = CLAYOUT_ARRAY, .size = 8, .elem = self, .count = 1 });
	empty = structure(&p, 0, 0, NULL);
	assert_int_equal(clayout_cell(&p, self, 13), 0);
	assert_false(clayout_starts(&p, self, 4, 8));
	expect_cells(&p, self, 3, 20, 1, (uint64_t[]){ 0 });
	assert_int_equal(clayout_cell(&p, empty, 9), 0);
	assert_int_equal(clayout_cell(&p, array(&p, empty, 5), 9), 0);
	expect_cells(&p, array(&p, empty, 5), 3, 1, 1, (uint64_t[]){ 0 });
	cprogram_release(&p);
}

/* Random layouts. */

enum { DEPTH = 4, MAX_BYTES = 160 };

static uint32_t next(uint64_t *seed, uint32_t n)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*seed >> 33) % n;
}

static clayout_id random_layout(struct cprogram *p, uint64_t *seed, int depth);

static clayout_id random_struct(struct cprogram *p, uint64_t *seed, int depth)
{
	uint32_t n = 1 + next(seed, 4);
	uint64_t at = next(seed, 6) ? 0 : 1 + next(seed, 3);            /* seldom with a hole before the first */
	struct cfield f[4];

	for (uint32_t i = 0; i < n; i++) {
		f[i] = (struct cfield){ at, random_layout(p, seed, depth - 1), { 0 } };
		at += p->layouts.data[f[i].layout.i].size + (next(seed, 2) ? next(seed, 4) : 0);
	}
	return structure(p, at, n, f);
}

static clayout_id random_layout(struct cprogram *p, uint64_t *seed, int depth)
{
	uint32_t kind = depth ? next(seed, 3) : 0;
	clayout_id l;

	if (kind == 0)
		return scalar(p, 1 + next(seed, 5));
	l = kind == 1 ? random_struct(p, seed, depth) : array(p, random_layout(p, seed, depth - 1), 1 + next(seed, 4));
	return p->layouts.data[l.i].size <= MAX_BYTES ? l : scalar(p, 8);
}

/* All parts, with all elements: where they are, what is canonical for them. */
struct part_row {
	uint64_t at, cell;
	const struct clayout *l;
};
struct parts {
	struct part_row row[8192];
	uint32_t n;
};

/* The part may go on until `end`: an array that is the last member does. */
static void add_parts(const struct cprogram *p, clayout_id id, struct part_row r, uint64_t end, struct parts *out)
{
	uint64_t size;

	if (r.at >= end)
		return;
	r.l = &p->layouts.data[id.i];
	assert_true(out->n < 8192);
	out->row[out->n++] = r;
	for (uint32_t i = 0; r.l->kind == CLAYOUT_STRUCT && i < r.l->nfields; i++) {
		const struct cfield *f = &p->fields.data[r.l->first + i];
		struct part_row at = { r.at + f->offset, r.cell + f->offset, NULL };
		uint64_t behind = at.at + p->layouts.data[f->layout.i].size;

		add_parts(p, f->layout, at, i + 1 < r.l->nfields && behind < end ? behind : end, out);
	}
	size = r.l->kind == CLAYOUT_ARRAY ? p->layouts.data[r.l->elem.i].size : 0;
	for (; size && r.at < end; r.at += size)
		add_parts(p, r.l->elem, (struct part_row){ r.at, r.cell, NULL }, r.at + size < end ? r.at + size : end, out);
}

/* Parts are listed from left to right: the byte's is the last scalar that starts at or before it. A byte before all of them,
 * or before the first of an element, is of the struct around it. */
static uint64_t slow_cell(const struct parts *all, uint64_t off)
{
	const struct part_row *best = &all->row[0];

	for (uint32_t i = 0; i < all->n; i++) {
		const struct part_row *r = &all->row[i];
		bool has = off >= r->at && off < r->at + r->l->size;

		if (r->l->kind == CLAYOUT_SCALAR ? r->at <= off : has)
			best = r;
	}
	return best->cell;
}

static bool slow_starts(const struct parts *all, uint64_t off, uint64_t size)
{
	for (uint32_t i = 0; i < all->n; i++)
		if (all->row[i].at == off && all->row[i].l->size == size)
			return true;
	return false;
}

static bool slow_in_array(const struct cprogram *p, const struct parts *all, uint64_t off, uint64_t step)
{
	for (uint32_t i = 0; i < all->n; i++) {
		const struct part_row *r = &all->row[i];
		const struct clayout *elem = r->l->kind == CLAYOUT_ARRAY ? &p->layouts.data[r->l->elem.i] : NULL;

		if (elem && r->at == r->cell && off >= r->at && off < r->at + r->l->size &&
		    (elem->kind == CLAYOUT_SCALAR || step % elem->size == 0))
			return true;
	}
	return false;
}

static void check_cells(const struct cprogram *p, clayout_id l, const struct parts *all)
{
	uint64_t size = p->layouts.data[l.i].size;

	for (uint64_t off = 0; off < size; off++) {
		uint64_t cell = clayout_cell(p, l, off);

		assert_int_equal(cell, slow_cell(all, off));
		assert_true(cell <= off && cell < size);
		assert_int_equal(clayout_cell(p, l, cell), cell);
		for (uint64_t k = 1; k < 40; k += 3) {
			assert_int_equal(clayout_starts(p, l, off, k), slow_starts(all, off, k));
			assert_int_equal(clayout_in_array(p, l, cell, k), slow_in_array(p, all, cell, k));
		}
	}
	for (uint64_t off = size; off < size + 50; off++)
		assert_true(clayout_cell(p, l, off) < size);
}

static void check_range(const struct cprogram *p, clayout_id l, uint64_t from, uint64_t len)
{
	uint8_t is_cell[2 * MAX_BYTES] = { 0 };
	struct cells got = { .n = 0 };
	uint32_t k = 0;

	for (uint64_t i = from; i < from + len; i++)
		is_cell[clayout_cell(p, l, i)] = 1;
	clayout_each(p, l, from, len, collect, &got);
	for (uint32_t i = 0; i < 2 * MAX_BYTES; i++) {
		if (!is_cell[i])
			continue;
		assert_true(k < got.n);
		assert_int_equal(got.at[k++], i);
	}
	assert_int_equal(k, got.n);
}

static void random_layouts_are_as_their_bytes(void **state)
{
	static struct parts all;
	uint64_t seed = 20;
	(void)state;

	for (int round = 0; round < 500; round++) {
		struct cprogram p;
		clayout_id l;
		uint64_t size;

		cprogram_init(&p);
		l = random_layout(&p, &seed, DEPTH);
		size = p.layouts.data[l.i].size;
		all.n = 0;
		add_parts(&p, l, (struct part_row){ 0 }, size, &all);
		check_cells(&p, l, &all);
		for (uint64_t from = 0; from < size + 10; from += 1 + next(&seed, 3))
			for (uint64_t len = 1; len < size + 20; len += 1 + next(&seed, 5))
				check_range(&p, l, from, len);
		cprogram_release(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_have_cells),
		cmocka_unit_test(ranges_have_cells),
		cmocka_unit_test(arrays_and_starts), cmocka_unit_test(first_arrays),
		cmocka_unit_test(flexible_arrays_have_a_cell_behind),
		cmocka_unit_test(strange_layouts_end),
		cmocka_unit_test(random_layouts_are_as_their_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
