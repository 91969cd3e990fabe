// SPDX-License-Identifier: Apache-2.0
// links: base algo solve cir analysis/cpta analysis/modref analysis/allocation
/* cref.c - `cref FILE...`: C programs as text: what Andersen's analysis finds, with fields and without, and MOD and USE without, for
 * cref.py to compare, and the laws between engines: the answer of each is in that of the next, and with fields in that
 * without. `--sites` gives allocations their objects first, `--no-wrappers` too, but takes no function for an allocator. */
#include <stdio.h>

#include "analysis/allocation/allocation.h"
#include "analysis/modref/modref.h"
#include "base/diag.h"
#include "base/sys/mapfile.h"
#include "base/strbuf.h"

/* From precise to coarse. */
static const struct cpta_opt ENGINES[] = {
	{ .engine = CENGINE_ANDERSEN },
	{ .engine = CENGINE_CATEGORIES, .categories = 4 },
	{ .engine = CENGINE_CATEGORIES, .categories = 2 },
	{ .engine = CENGINE_ONE_LEVEL },
	{ .engine = CENGINE_STEENS },
};

struct answer {
	const struct cpta *a;
	bool fields;
	const char *engine;
};

static bool holds(const ccell_vec *set, ccell_id c)
{
	for (uint32_t i = 0; i < set->len; i++)
		if (set->data[i].i == c.i)
			return true;
	return false;
}

/* Every cell of `less` is in `more`, as the other analysis has it. */
static bool is_subset(const struct answer *x, const ccell_vec *less, const struct answer *y, const ccell_vec *more)
{
	for (uint32_t i = 0; i < less->len; i++) {
		struct ccell c = cpta_cell(x->a, less->data[i]);

		if (!holds(more, cpta_cell_at(y->a, c.obj, c.off)))
			return false;
	}
	return true;
}

static bool broken(const struct answer *x, const struct answer *y, const char *what, uint32_t row)
{
	printf("broken %s fields=%d in %s fields=%d: %s %u\n", x->engine, x->fields, y->engine, y->fields, what, row);
	return false;
}

static bool vars_within(const struct answer *x, const struct answer *y)
{
	bool ok = true;

	for (uint32_t v = 1; v < cpta_program(x->a)->vars.len && ok; v++) {
		ccell_vec less = { 0 }, more = { 0 };

		cpta_points_to(x->a, (cvar_id){ v }, &less);
		cpta_points_to(y->a, (cvar_id){ v }, &more);
		ok = is_subset(x, &less, y, &more) || broken(x, y, "variable", v);
		vec_release(&less);
		vec_release(&more);
	}
	return ok;
}

static bool cells_within(const struct answer *x, const struct answer *y)
{
	bool ok = true;

	for (uint32_t i = 1; i <= cpta_ncells(x->a) && ok; i++) {
		struct ccell c = cpta_cell(x->a, (ccell_id){ i });
		ccell_vec less = { 0 }, more = { 0 };
		ccell_id other = cpta_cell_at(y->a, c.obj, c.off);

		cpta_content(x->a, (ccell_id){ i }, &less);
		if (other.i)
			cpta_content(y->a, other, &more);
		ok = is_subset(x, &less, y, &more) || broken(x, y, "object", c.obj.i);
		vec_release(&less);
		vec_release(&more);
	}
	return ok;
}

static bool targets_within(const struct answer *x, const struct answer *y)
{
	bool ok = true;

	for (uint32_t c = 1; c < cpta_program(x->a)->calls.len && ok; c++) {
		cfn_vec less = { 0 }, more = { 0 };
		uint32_t k = 0;

		cpta_targets(x->a, (ccall_id){ c }, &less);
		cpta_targets(y->a, (ccall_id){ c }, &more);
		for (uint32_t i = 0; i < less.len && ok; i++) {
			while (k < more.len && more.data[k].i < less.data[i].i)
				k++;
			ok = (k < more.len && more.data[k].i == less.data[i].i) || broken(x, y, "call", c);
		}
		vec_release(&less);
		vec_release(&more);
	}
	return ok;
}

static bool is_within(const struct answer *x, const struct answer *y)
{
	return vars_within(x, y) && cells_within(x, y) && targets_within(x, y);
}

/* A cell that the place is not found by stands for a place that is not known. */
static void print_set(const struct cpta *a, const ccell_vec *set)
{
	for (uint32_t i = 0; i < set->len; i++) {
		struct ccell c = cpta_cell(a, set->data[i]);

		if (cpta_cell_at(a, c.obj, c.off).i == set->data[i].i)
			printf(" %u+%llu", c.obj.i, (unsigned long long)c.off);
		else
			printf(" %u+*", c.obj.i);
	}
	putchar('\n');
}

static void print_vars(const struct cpta *a)
{
	for (uint32_t v = 1; v < cpta_program(a)->vars.len; v++) {
		ccell_vec set = { 0 };

		cpta_points_to(a, (cvar_id){ v }, &set);
		if (set.len) {
			printf("var %u", v);
			print_set(a, &set);
		}
		vec_release(&set);
	}
}

static void print_cells(const struct cpta *a)
{
	for (uint32_t i = 1; i <= cpta_ncells(a); i++) {
		struct ccell c = cpta_cell(a, (ccell_id){ i });
		ccell_vec set = { 0 };

		if (cpta_cell_at(a, c.obj, c.off).i == i)
			cpta_content(a, (ccell_id){ i }, &set);
		if (set.len) {
			printf("cell %u+%llu", c.obj.i, (unsigned long long)c.off);
			print_set(a, &set);
		}
		vec_release(&set);
	}
}

static void print_calls(const struct cpta *a)
{
	for (uint32_t f = 1; f < cpta_program(a)->fns.len; f++)
		if (cpta_reached(a, (cfn_id){ f }))
			printf("reached %u\n", f);
	for (uint32_t c = 1; c < cpta_program(a)->calls.len; c++) {
		cfn_vec fns = { 0 };

		cpta_targets(a, (ccall_id){ c }, &fns);
		if (fns.len)
			printf("call %u", c);
		for (uint32_t i = 0; i < fns.len; i++)
			printf(" %u", fns.data[i].i);
		if (fns.len)
			putchar('\n');
		vec_release(&fns);
	}
}

static void print_places(const struct cpta *a, const char *word, uint32_t f, int64_t stmt, const affected_vec *places)
{
	printf(stmt < 0 ? "%s %u" : "%s %u.%lld", word, f, (long long)stmt);
	for (uint32_t i = 0; i < places->len; i++)
		if (places->data[i].cell.i)
			printf(" %u", cpta_cell(a, places->data[i].cell).obj.i);
	putchar('\n');
}

static void print_effects(const struct cpta *a)
{
	static const char *const words[] = { "mod", "use" };
	const struct cprogram *p = cpta_program(a);
	struct modref *m = modref_compute(a, NULL, NULL);
	affected_vec places = { 0 };

	for (uint32_t f = 1; f < p->fns.len; f++)
		for (enum effect e = EFFECT_MOD; e <= EFFECT_USE && cpta_reached(a, (cfn_id){ f }); e++) {
			modref_fn(m, (cfn_id){ f }, e, &places);
			print_places(a, words[e], f, -1, &places);
			for (uint32_t k = 0; k < p->fns.data[f].nstmts; k++) {
				modref_stmt(m, (cfn_id){ f }, p->fns.data[f].stmts + k, e, &places);
				print_places(a, words[e], f, k, &places);
			}
		}
	vec_release(&places);
	modref_free(m);
}

static bool compute(const struct cprogram *p, bool fields, struct answer *out)
{
	bool ok = true;

	for (size_t i = 0; i < ARRAY_LEN(ENGINES); i++) {
		struct cpta_opt opt = ENGINES[i];
		const char *reason = "";

		opt.fields = fields;
		out[i] = (struct answer){ cpta_compute(p, &opt), fields, cengine_name(opt.engine) };
		if (!cpta_check(out[i].a, &reason)) {
			printf("broken %s fields=%d: %s\n", out[i].engine, fields, reason);
			ok = false;
		}
		if (i > 0)
			ok = is_within(&out[i - 1], &out[i]) && ok;
	}
	return ok;
}

static bool analyse(const struct cprogram *p)
{
	struct answer on[ARRAY_LEN(ENGINES)], off[ARRAY_LEN(ENGINES)];
	bool ok = compute(p, true, on);

	ok = compute(p, false, off) && ok;
	for (size_t i = 0; i < ARRAY_LEN(ENGINES); i++)
		ok = is_within(&on[i], &off[i]) && ok;
	for (int fields = 1; fields >= 0; fields--) {
		const struct cpta *a = fields ? on[0].a : off[0].a;

		printf("fields %s\n", fields ? "on" : "off");
		print_vars(a);
		print_cells(a);
		print_calls(a);
		if (!fields)
			print_effects(a);
	}
	for (size_t i = 0; i < ARRAY_LEN(ENGINES); i++) {
		cpta_free((struct cpta *)on[i].a);
		cpta_free((struct cpta *)off[i].a);
	}
	return ok;
}

static void print_program(const struct cprogram *p)
{
	struct strbuf out = { 0 };

	cir_print(p, &out);
	puts("program");
	fwrite(out.s, 1, out.len, stdout);
	puts("end");
	strbuf_release(&out);
}

/* Weak functions are never wrappers. */
static void weaken(struct cprogram *p)
{
	for (uint32_t i = 1; i < p->fns.len; i++)
		if (!(p->fns.data[i].flags & CFN_MODEL))
			p->fns.data[i].flags |= CFN_WEAK;
}

static bool run(const char *path, bool sites, bool wrappers)
{
	struct cprogram p;
	struct diag d;
	struct mapfile m;
	struct strbuf why = { 0 };
	bool ok = mapfile_open(&m, path);

	if (!ok)
		return false;
	printf("file %s\n", path);
	diag_init(&d);
	cprogram_init(&p);
	ok = cir_parse(&p, (struct str){ (const char *)m.bytes.p, (uint32_t)m.bytes.len }, path, &d);
	if (!ok) {
		diag_render(&d.entries.data[0], &why);
		puts(why.s);
	}
	if (ok && !wrappers)
		weaken(&p);
	if (ok && sites) {
		printf("wrappers %u\n", allocation_rewrite(&p, false));
		print_program(&p);
	}
	ok = ok && analyse(&p);
	cprogram_release(&p);
	diag_release(&d);
	strbuf_release(&why);
	mapfile_close(&m);
	return ok;
}

int main(int argc, char **argv)
{
	bool sites = false, wrappers = true, ok = true;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--sites"))
			sites = true;
		else if (!strcmp(argv[i], "--no-wrappers"))
			sites = !(wrappers = false);
		else
			ok = run(argv[i], sites, wrappers) && ok;
	}
	return ok ? 0 : 1;
}
