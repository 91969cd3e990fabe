/* SPDX-License-Identifier: Apache-2.0 */
/* rewrite_edits.h - random edits of all methods of a class, the rewritten file and its check. */
#ifndef TESTS_REWRITE_EDITS_H
#define TESTS_REWRITE_EDITS_H

#include "rewrite_check.h"

#define PROBE "java/lang/SherdProbe"

struct edits {
	const struct classfile *cf;
	struct pool *pool;
	struct arena *mem;
	uint64_t seed;
	uint32_t longest;               /* of what is inserted beside probes */
	struct method_edit *rows;
	uint32_t n;
};

static uint32_t dice(struct edits *e, uint32_t sides)
{
	e->seed = e->seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(e->seed >> 33) % sides;
}

/* Instructions that do nothing. */
static struct insertion filler(struct edits *e, uint32_t pc)
{
	uint32_t n = dice(e, dice(e, 4) ? 8 : e->longest);
	uint8_t *code = arena_zalloc(e->mem, n);

	return (struct insertion){ .pc = pc, .code = { code, n }, .stack = (uint16_t)dice(e, 3), .locals = (uint16_t)dice(e, 3) };
}

/* What probes with a local of the method do. */
static uint32_t edit_more(struct edits *e, const struct probes *p, uint32_t pc, uint32_t id, struct insertion *out)
{
	struct insertion after = filler(e, pc);
	uint32_t n = 0;

	if (dice(e, 4) == 0)
		n += probe_passing(p, pc, "pass", id, &out[n]);
	if (dice(e, 2))
		n += probe_before(p, pc, "before", id, dice(e, 2), &out[n]);
	if (!probe_after(p, pc, "after", id, &out[n]) || dice(e, 3) == 0)
		return n;
	n++;
	after.after = true;
	if (dice(e, 4) == 0)
		out[n++] = after;
	return n;
}

static uint32_t edit_insn(struct edits *e, const struct cf_member *m, uint32_t pc, struct insertion *out)
{
	uint32_t n = 0, id = dice(e, 4) ? dice(e, 300) : dice(e, 1u << 30);

	if (pc == 0 && dice(e, 2))
		n += probe_entry(e->cf, m, e->pool, PROBE, "begin", id, e->mem, &out[n]);
	if (dice(e, 8) == 0)
		out[n++] = filler(e, pc);
	if (dice(e, 4))
		n += probe_call(e->cf, m, pc, e->pool, PROBE, "hit", id, e->mem, &out[n]);
	if (dice(e, 16) == 0)
		out[n++] = filler(e, pc);
	return n;
}

static void edit_method(struct edits *e, uint16_t method)
{
	const struct cf_member *m = &e->cf->methods[method];
	struct span code = m->code ? cf_code(e->cf, m).code : (struct span){ NULL, 0 };
	struct insertion *list = arena_array(e->mem, struct insertion, 8 * code.len + 2);
	static const char *const locals[] = { NULL, NULL, "I", "Ljava/lang/Object;", "[[J" };
	struct probes p = { e->cf, m, e->pool, e->mem, PROBE, locals[dice(e, ARRAY_LEN(locals))] };
	struct method_edit row = { .method = method, .insertions = list };
	struct insertion *leaving = arena_new(e->mem, struct insertion);
	bool more = dice(e, 2);
	uint32_t n = 0;
	struct insn in = { .len = 1 };

	if (more && p.local && dice(e, 32))     /* else nothing sets it */
		n += probe_entered(&p, "enter", dice(e, 300), &list[n]);
	row.local = more ? p.local : NULL;
	if (more && dice(e, 2) && probe_passing(&p, 0, "leave", dice(e, 300), leaving))
		row.leaving = leaving;
	for (uint32_t pc = 0; pc < code.len; pc += in.len) {
		if (!bytecode_decode(code, pc, &in))
			in.len = 1;
		n += edit_insn(e, m, pc, &list[n]);
		if (more)
			n += edit_more(e, &p, pc, dice(e, 300), &list[n]);
	}
	if (n > 0 && dice(e, 64) == 0)
		list[dice(e, n)].pc++;          /* maybe no instruction begins there */
	row.n = n;
	e->rows[e->n++] = row;
}

/* Edits about all methods at random, rewrites, and checks the result; returns the number of methods that were edited. */
static uint32_t rewrite_at_random(const struct classfile *cf, uint64_t seed, uint32_t longest)
{
	struct arena mem;
	struct classfile new;
	uint32_t edited = 0;

	arena_init(&mem);
	struct edits e = { .cf = cf, .pool = pool_new(cf, &mem), .mem = &mem, .seed = seed, .longest = longest };

	e.rows = arena_array(&mem, struct method_edit, cf->nmethods);
	for (uint16_t i = 0; i < cf->nmethods; i++)
		if (dice(&e, 8))
			edit_method(&e, i);
	struct span bytes = rewrite_class(cf, e.pool, e.rows, e.n, &mem);

	for (uint32_t i = 0; i < e.n; i++)
		edited += !e.rows[i].failed;
	if ((edited > 0) != (bytes.len > 0))
		DIFFER("%u methods edited, %zu bytes", (unsigned)edited, bytes.len);
	if (edited) {
		if (!classfile_parse(&new, bytes, &mem, "new", STR("class"), NULL))
			DIFFER("the new class file is malformed");
		rewrite_check(cf, &new, e.rows, e.n);
	}
	arena_release(&mem);
	return edited;
}

#endif
