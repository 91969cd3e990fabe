// SPDX-License-Identifier: Apache-2.0
// links: base algo solve formats/elf cir bitcode cmodel analysis/cpta analysis/modref analysis/allocation analysis/summarize
/* claws order MODULE...  - the answer of each engine, and with fields on and off, contains that of the finer one
 * claws fragment [--without KIND] LIBRARY CLIENT...  - what both together say of the library, the library alone says, too
 * claws summary LIBRARY CLIENT...  - with the library's summary a client gets what it gets with the library, and nothing else
 * claws summary LIBRARY... -- CLIENT...  - so with those of several, each made by itself, whoever of them calls whom
 *
 * Answers are points-to sets of variables and cells, targets of calls, reached functions, MOD and USE. In a library
 * alone, what is a client's is ph_var, and a client's functions are ph_proc. Modules for `fragment` are KEYED ones of
 * tests/oracle/cinstrument.c; LIBRARY is one module. Prints what does not hold, then `N laws, N broken, N answers`:
 * answers are what was compared. Exit status 1 when any is broken. --without leaves out the placeholders' statements of
 * one kind (addr, load, store, ...): then some must be. */
#include <inttypes.h>

#include "base/map.h"
#include "analysis/summarize/summarize.h"
#include "cpipeline.h"

#define SHOWN 8
#define SHOWN_CELLS 8
#define EFFECTS 6000             /* statements of a large program whose effects are compared */

typedef VEC(uint32_t) uint32_vec;

/* Two results: what the finer one says is asked of the coarser one. Programs are the same for `order`. */
struct laws {
	const struct cprogram *p, *q;                /* finer, coarser */
	struct cpta *a, *b;
	struct modref *ma, *mb;
	const char *name;
	VEC(uint32_t) obj, var, fn;                  /* of the finer program: the coarser's, 0: none */
	bool exact;                                  /* a collapsed object is not what one is that did not collapse */
	bool texts;                                  /* strings are equal when their texts are */
	cobj_id ph_var;                              /* 0: there are no placeholders */
	cfn_id ph_proc;
	ccell_vec fine, coarse;
	affected_vec fine_places, coarse_places;
	cfn_vec fine_fns, coarse_fns;
	uint32_t laws, broken, shown, wrong;
	uint64_t answers;
	uint32_t step;                               /* effects of each so many statements are compared */
	struct map compared;                         /* pairs of sets that hold */
	uint32_vec key, other_key;                  /* names of objects, when several may have one; by objects of either program */
	bool *seen;                                  /* by object of the finer program: a client can tell it; NULL: all */
};

static bool is_wrong(struct laws *l)
{
	if (!l->wrong++)
		l->broken++;
	return l->shown++ < SHOWN;
}

static void print_cell(const struct cpta *a, ccell_id c)
{
	struct strbuf s = { 0 };
	struct ccell x = cpta_cell(a, c);

	cname_cell(cpta_program(a), x.obj, x.off, &s);
	printf("%s%s", s.s, x.whole ? " (all of it)" : "");
	strbuf_release(&s);
}

static void print_cells(const struct cpta *a, const ccell_vec *v)
{
	printf(" - it has");
	for (uint32_t k = 0; k < v->len && k < SHOWN_CELLS; k++) {
		printf(k ? ", " : " ");
		print_cell(a, v->data[k]);
	}
	puts(v->len ? "" : " nothing");
}

/* Cells */

static bool is_function(const struct cprogram *p, uint32_t obj)
{
	return p->objs.data[obj].kind == COBJ_FUNCTION;
}

static bool is_string(const struct cprogram *p, cobj_id o)
{
	return p->objs.data[o.i].kind == COBJ_STRING;
}

static int by_id(const void *x, const void *y)
{
	const ccell_id *a = x, *b = y;

	return a->i < b->i ? -1 : a->i > b->i;
}

static bool has_cell(const ccell_vec *v, ccell_id c)
{
	return c.i && bsearch(&c, v->data, v->len, sizeof *v->data, by_id);
}

static bool has_object(const struct cpta *a, const ccell_vec *v, uint32_t obj)
{
	for (uint32_t k = 0; k < v->len; k++)
		if (cpta_cell(a, v->data[k]).obj.i == obj)
			return true;
	return false;
}

/* Does the set have a cell that stands for all of the object? */
static bool has_whole(const struct cpta *a, const ccell_vec *v, uint32_t obj)
{
	for (uint32_t k = 0; k < v->len; k++) {
		struct ccell x = cpta_cell(a, v->data[k]);

		if (x.obj.i == obj && x.whole)
			return true;
	}
	return false;
}

static bool is_whole_at(const struct cpta *a, uint32_t obj, uint64_t off)
{
	ccell_id c = cpta_cell_at(a, (cobj_id){ obj }, off);

	return c.i && cpta_cell(a, c).whole;
}

/* Which string of a library's and its client's it is, nobody knows. */
static bool has_text(const struct laws *l, const ccell_vec *v, uint32_t obj)
{
	struct str text = interned(&l->p->names, l->p->objs.data[obj].name);

	for (uint32_t k = 0; k < v->len; k++) {
		const struct cobj *o = &l->q->objs.data[cpta_cell(l->b, v->data[k]).obj.i];

		if (o->kind == COBJ_STRING && str_eq(interned(&l->q->names, o->name), text))
			return true;
	}
	return false;
}

/* One of the same name: which of several calls at a place it is from, nobody knows. */
static bool has_key(const struct laws *l, const ccell_vec *v, struct ccell x)
{
	for (uint32_t k = 0; k < v->len && l->key.len; k++) {
		struct ccell y = cpta_cell(l->b, v->data[k]);

		bool is_it = (y.off == x.off && y.whole == x.whole) || (y.whole && !l->exact);

		if (l->other_key.data[y.obj.i] == l->key.data[x.obj.i] && is_it)
			return true;
	}
	return false;
}

/* Is what this cell of the finer result stands for in the set of the coarser one? */
static bool stands_in(const struct laws *l, ccell_id c, const ccell_vec *v)
{
	struct ccell x = cpta_cell(l->a, c);
	uint32_t obj = l->obj.data[x.obj.i];

	if (obj && !x.whole && !(l->exact && is_whole_at(l->b, obj, x.off)) && has_cell(v, cpta_cell_at(l->b, (cobj_id){ obj }, x.off)))
		return true;
	if (obj && (x.whole || !l->exact) && has_whole(l->b, v, obj))
		return true;
	if (l->texts && is_string(l->p, x.obj) && has_text(l, v, x.obj.i))
		return true;
	if (has_key(l, v, x))
		return true;
	if (!l->ph_var.i || (obj && !is_string(l->p, x.obj)))
		return false;
	return has_object(l->b, v, is_function(l->p, x.obj.i) ? l->q->fns.data[l->ph_proc.i].obj.i : l->ph_var.i);
}

/* Equal sets are compared once. */
static bool is_compared(struct laws *l, uint32_t fine, uint32_t coarse)
{
	uint32_t *at = map_at(&l->compared, map_key(fine, coarse));

	return (*at)++ > 0;
}

/* l->fine in l->coarse, for the thing that `print` names */
static void compare_sets(struct laws *l, const char *what, void (*print)(const struct laws *l, uint32_t id), uint32_t id)
{
	for (uint32_t k = 0; k < l->fine.len; k++) {
		l->answers++;
		if (stands_in(l, l->fine.data[k], &l->coarse) || !is_wrong(l))
			continue;
		printf("%s: %s ", l->name, what);
		print(l, id);
		printf(" lacks ");
		print_cell(l->a, l->fine.data[k]);
		print_cells(l->b, &l->coarse);
	}
}

static void print_var(const struct laws *l, uint32_t id)
{
	struct strbuf s = { 0 };

	cname_var(l->p, (cvar_id){ id }, &s);
	printf("%s", s.s);
	strbuf_release(&s);
}

static void print_fine_cell(const struct laws *l, uint32_t id)
{
	print_cell(l->a, (ccell_id){ id });
}

static void compare_vars(struct laws *l)
{
	for (uint32_t v = 1; v < l->p->vars.len; v++) {
		cvar_id to = { l->var.data[v] };

		if (!to.i || is_compared(l, cpta_set_of_var(l->a, (cvar_id){ v }), cpta_set_of_var(l->b, to)))
			continue;
		vec_clear(&l->fine);
		vec_clear(&l->coarse);
		cpta_points_to(l->a, (cvar_id){ v }, &l->fine);
		if (!l->fine.len)
			continue;
		cpta_points_to(l->b, to, &l->coarse);
		compare_sets(l, "points-to of variable", print_var, v);
	}
}

/* Memory of the C library's: it is not a part of the fragment, only what the fragment gets from it is. */
static bool is_model(const struct cprogram *p, cobj_id o)
{
	const struct cobj *x = &p->objs.data[o.i];

	return (x->flags & COBJ_MODEL) || (x->fn.i && (p->fns.data[x->fn.i].flags & CFN_MODEL));
}

static void compare_contents(struct laws *l)
{
	for (uint32_t c = 1; c <= cpta_ncells(l->a); c++) {
		struct ccell x = cpta_cell(l->a, (ccell_id){ c });
		ccell_id to = { 0 };

		if (cpta_cell_at(l->a, x.obj, x.off).i != c)
			continue;            /* others stand for it */
		if (l->seen && !l->seen[x.obj.i])
			continue;
		if (!l->obj.data[x.obj.i] || (l->texts && (is_model(l->p, x.obj) || is_string(l->p, x.obj))))
			continue;
		vec_clear(&l->fine);
		vec_clear(&l->coarse);
		to = cpta_cell_at(l->b, (cobj_id){ l->obj.data[x.obj.i] }, x.off);
		if (to.i && is_compared(l, cpta_set_of_cell(l->a, (ccell_id){ c }), cpta_set_of_cell(l->b, to)))
			continue;
		cpta_content(l->a, (ccell_id){ c }, &l->fine);
		if (to.i)
			cpta_content(l->b, to, &l->coarse);
		compare_sets(l, "content of cell", print_fine_cell, c);
	}
}

/* Calls */

static const char *fn_name(const struct cprogram *p, uint32_t f)
{
	return interned(&p->names, p->fns.data[f].name).p;
}

/* By name: a model may be there in several copies. */
static bool has_fn(const struct laws *l, uint32_t f)
{
	for (uint32_t k = 0; k < l->coarse_fns.len; k++) {
		uint32_t g = l->coarse_fns.data[k].i;

		if (g == l->fn.data[f] || strcmp(fn_name(l->p, f), fn_name(l->q, g)) == 0 || (!l->fn.data[f] && g == l->ph_proc.i))
			return true;
	}
	return false;
}

static void compare_targets(struct laws *l, uint32_t call, uint32_t to)
{
	struct strbuf s = { 0 };

	vec_clear(&l->fine_fns);
	vec_clear(&l->coarse_fns);
	cpta_targets(l->a, (ccall_id){ call }, &l->fine_fns);
	cpta_targets(l->b, (ccall_id){ to }, &l->coarse_fns);
	for (uint32_t k = 0; k < l->fine_fns.len; k++) {
		l->answers++;
		if (has_fn(l, l->fine_fns.data[k].i) || !is_wrong(l))
			continue;
		cname_loc(l->p, l->p->calls.data[call].loc, &s);
		printf("%s: call in %s at %s lacks %s\n", l->name, fn_name(l->p, l->p->calls.data[call].caller.i), s.s,
		       fn_name(l->p, l->fine_fns.data[k].i));
	}
	strbuf_release(&s);
}

/* Effects */

static bool has_var(const struct laws *l, uint32_t var)
{
	for (uint32_t k = l->coarse_places.len; k-- > 0 && !l->coarse_places.data[k].cell.i;)
		if (l->coarse_places.data[k].var.i == var)
			return true;
	return false;
}

/* l->coarse: the cells of l->coarse_places */
static bool has_place(const struct laws *l, struct affected x)
{
	if (x.cell.i)
		return stands_in(l, x.cell, &l->coarse);
	return l->var.data[x.var.i] ? has_var(l, l->var.data[x.var.i]) : has_object(l->b, &l->coarse, l->ph_var.i);
}

static void cells_of(const affected_vec *places, ccell_vec *out)
{
	vec_clear(out);
	for (uint32_t k = 0; k < places->len && places->data[k].cell.i; k++)
		vec_push(out, places->data[k].cell);
}

static void compare_effects(struct laws *l, enum effect e, uint32_t fn, uint32_t stmt, uint32_t to)
{
	struct strbuf s = { 0 };

	vec_clear(&l->fine_places);
	vec_clear(&l->coarse_places);
	modref_stmt(l->ma, (cfn_id){ fn }, stmt, e, &l->fine_places);
	if (l->fine_places.len)
		modref_stmt(l->mb, (cfn_id){ l->fn.data[fn] }, to, e, &l->coarse_places);
	cells_of(&l->coarse_places, &l->coarse);
	for (uint32_t k = 0; k < l->fine_places.len; k++) {
		l->answers++;
		if (has_place(l, l->fine_places.data[k]) || !is_wrong(l))
			continue;
		cname_loc(l->p, l->p->stmts.data[stmt].loc, &s);
		strbuf_addf(&s, " in %s, statement %u of %u, operation %u, lacks ", fn_name(l->p, fn), stmt - l->p->fns.data[fn].stmts,
			    l->p->fns.data[fn].nstmts, l->p->stmts.data[stmt].op);
		modref_name(l->ma, l->fine_places.data[k], &s);
		printf("%s: %s at %s", l->name, e == EFFECT_MOD ? "MOD" : "USE", s.s);
		print_cells(l->b, &l->coarse);
	}
	strbuf_release(&s);
}

static void compare_bodies(struct laws *l)
{
	for (uint32_t f = 1; f < l->p->fns.len; f++) {
		const struct cfn *x = &l->p->fns.data[f], *y = &l->q->fns.data[l->fn.data[f]];

		if (!l->fn.data[f] || !cpta_reached(l->a, (cfn_id){ f }))
			continue;
		l->answers++;
		if (!cpta_reached(l->b, (cfn_id){ l->fn.data[f] }) && is_wrong(l))
			printf("%s: %s is not reached\n", l->name, fn_name(l->p, f));
		if (x->nstmts != y->nstmts && is_wrong(l))
			printf("%s: %s has %u statements here, %u there\n", l->name, fn_name(l->p, f), x->nstmts, y->nstmts);
		for (uint32_t k = 0; k < x->nstmts && x->nstmts == y->nstmts; k++) {
			const struct cstmt *s = &l->p->stmts.data[x->stmts + k], *t = &l->q->stmts.data[y->stmts + k];

			if (s->op == C_CALL && t->op == C_CALL)
				compare_targets(l, s->dst, t->dst);
			if (l->step > 1 && (x->stmts + k) % l->step)
				continue;
			compare_effects(l, EFFECT_MOD, f, x->stmts + k, y->stmts + k);
			compare_effects(l, EFFECT_USE, f, x->stmts + k, y->stmts + k);
		}
	}
}

static void compare(struct laws *l, const char *name)
{
	l->name = name;
	l->laws++;
	l->wrong = l->shown = 0;
	l->step = l->p->stmts.len / EFFECTS + 1;
	map_release(&l->compared);
	compare_vars(l);
	compare_contents(l);
	compare_bodies(l);
	if (l->wrong)
		printf("broken: %s: %u answers are missing\n", name, l->wrong);
	fflush(stdout);
}

/* Order */

static void same_program(struct laws *l, const struct cprogram *p)
{
	l->p = l->q = p;
	for (uint32_t k = 0; k < p->objs.len; k++)
		vec_push(&l->obj, k);
	for (uint32_t k = 0; k < p->vars.len; k++)
		vec_push(&l->var, k);
	for (uint32_t k = 0; k < p->fns.len; k++)
		vec_push(&l->fn, k);
}

/* From fine to coarse, each a pair with the one before it; then each with fields on and off. */
static void check_order(struct laws *l, const struct cprogram *p)
{
	static const struct cpta_opt runs[] = {
		{ .engine = CENGINE_ANDERSEN, .fields = true }, { .engine = CENGINE_CATEGORIES, .categories = 8, .fields = true },
		{ .engine = CENGINE_ONE_LEVEL, .fields = true }, { .engine = CENGINE_STEENS, .fields = true },
		{ .engine = CENGINE_STEENS, .fields = false }, { .engine = CENGINE_ONE_LEVEL, .fields = false },
		{ .engine = CENGINE_CATEGORIES, .categories = 8, .fields = false }, { .engine = CENGINE_ANDERSEN, .fields = false }
	};
	static const int pairs[][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 7, 6 }, { 6, 5 }, { 5, 4 },
		{ 0, 7 }, { 1, 6 }, { 2, 5 }, { 3, 4 } };
	struct cpta *a[8];
	struct modref *m[8];
	char name[64];

	same_program(l, p);
	for (int k = 0; k < 8; k++) {
		a[k] = solve_program(p, &runs[k]);
		m[k] = modref_compute(a[k], NULL, NULL);
	}
	for (uint32_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
		int x = pairs[k][0], y = pairs[k][1];

		l->a = a[x], l->b = a[y], l->ma = m[x], l->mb = m[y];
		snprintf(name, sizeof name, "%s%s in %s%s", cengine_name(runs[x].engine), runs[x].fields ? "" : " without fields",
			 cengine_name(runs[y].engine), runs[y].fields ? "" : " without fields");
		compare(l, name);
	}
	for (int k = 0; k < 8; k++) {
		modref_free(m[k]);
		cpta_free(a[k]);
	}
}

/* Fragments: what is what in the other program. Keys and names of a keyed module are its own. */

struct twins {
	struct interner names;
	struct map map;                      /* name -> id */
	struct map seen;                     /* name -> how often */
	bool places;                         /* modules have no keys: lines and files tell objects apart */
};

static void name_object(const struct cprogram *p, uint32_t o, bool places, struct strbuf *s)
{
	const struct cobj *x = &p->objs.data[o];

	strbuf_clear(s);
	strbuf_addf(s, "%u ", x->kind);
	strbuf_addstr(s, interned(&p->names, x->name));
	if (x->kind == COBJ_LOCAL || x->kind == COBJ_HEAP)
		strbuf_addf(s, " %s %u", x->fn.i ? fn_name(p, x->fn.i) : "", key_at(p, x->loc));
	if (x->kind == COBJ_FUNCTION && x->flags & (COBJ_STATIC | COBJ_HIDDEN))
		strbuf_addf(s, " %s", interned(&p->names, p->locs.data[x->loc.i].file).p);
	if (places)
		cname_loc(p, x->loc, s);
	if (places && x->fn.i)
		cname_loc(p, p->fns.data[x->fn.i].loc, s);
}

/* The k-th of a name is the k-th: code that was inlined twice has its locals twice. */
static uint64_t twin(struct twins *t, const struct cprogram *p, uint32_t o, struct strbuf *s)
{
	name_object(p, o, t->places, s);
	strbuf_addf(s, " %u", ++*map_at(&t->seen, intern(&t->names, strbuf_str(s)).i));
	return intern(&t->names, strbuf_str(s)).i;
}

static void key_objects(struct twins *t, const struct cprogram *p, struct strbuf *s, uint32_vec *out)
{
	vec_push(out, 0);
	for (uint32_t o = 1; o < p->objs.len; o++) {
		name_object(p, o, true, s);
		vec_push(out, intern(&t->names, strbuf_str(s)).i);
	}
}

static void count_keys(const uint32_vec *keys, struct map *out)
{
	for (uint32_t k = 0; k < keys->len; k++)
		++*map_at(out, keys->data[k]);
}

static bool is_client(const struct cprogram *p, cfn_id f)
{
	return f.i && !(p->fns.data[f.i].flags & (CFN_SUMMARY | CFN_MODEL | CFN_PLACEHOLDER));
}

/* A summary has its own order of what is the library's, and no names for memory that no client can tell: which is which of several of
 * one name, nobody knows. */
static void forget_uneven(struct laws *l)
{
	struct map here = { 0 }, there = { 0 };

	count_keys(&l->key, &here);
	count_keys(&l->other_key, &there);
	for (uint32_t o = 1; o < l->obj.len; o++) {
		uint32_t n = map_get(&here, l->key.data[o]);

		if (n != map_get(&there, l->key.data[o]) || (n > 1 && !is_client(l->p, l->p->objs.data[o].fn)))
			l->obj.data[o] = 0;
	}
	map_release(&here);
	map_release(&there);
}

static void match_objects(struct laws *l, bool places)
{
	struct twins t = { .places = places };
	struct strbuf s = { 0 };

	interner_init(&t.names);
	for (uint32_t o = 1; o < l->q->objs.len; o++)
		*map_at(&t.map, twin(&t, l->q, o, &s)) = o;
	map_release(&t.seen);
	if (places) {
		key_objects(&t, l->p, &s, &l->key);
		key_objects(&t, l->q, &s, &l->other_key);
	}
	vec_push(&l->obj, 0);
	for (uint32_t o = 1; o < l->p->objs.len; o++) {
		uint32_t to = map_get(&t.map, twin(&t, l->p, o, &s));

		vec_push(&l->obj, l->q->objs.data[to].flags & (COBJ_PLACEHOLDER | COBJ_IMPORTED) ? 0 : to);
	}
	if (places)
		forget_uneven(l);
	map_release(&t.map);
	map_release(&t.seen);
	interner_release(&t.names);
	strbuf_release(&s);
}

/* Functions that the library defines; models are compared by what they do to the library. */
static void match_functions(struct laws *l)
{
	vec_push(&l->fn, 0);
	for (uint32_t f = 1; f < l->p->fns.len; f++) {
		uint32_t o = l->obj.data[l->p->fns.data[f].obj.i], g = o ? l->q->objs.data[o].fn.i : 0;
		uint16_t flags = l->q->fns.data[g].flags;
		bool own = g && !(flags & (CFN_MODEL | CFN_UNKNOWN | CFN_PLACEHOLDER)) && (flags & CFN_DEFINED) &&
			!fn_is(l->q, (cfn_id){ g }, "");

		vec_push(&l->fn, own && g != l->q->initialisers.i ? g : 0);
		if (o && !vec_last(&l->fn)[0] && !(l->q->fns.data[g].flags & CFN_MODEL))
			l->obj.data[l->p->fns.data[f].obj.i] = 0;
	}
}

/* For each variable, the next one of its function; first[f]: f's first. */
static uint32_t *next_vars(const struct cprogram *p, uint32_t *first)
{
	uint32_t *next = calloc(p->vars.len, sizeof *next);

	for (uint32_t v = p->vars.len; v-- > 1;) {
		next[v] = first[p->vars.data[v].fn.i];
		first[p->vars.data[v].fn.i] = v;
	}
	return next;
}

/* The front end deals variables of a function in the order of its instructions: the k-th is the k-th. */
static void match_vars(struct laws *l)
{
	uint32_t *at = calloc(l->q->fns.len, sizeof *at), *next = next_vars(l->q, at);

	vec_push(&l->var, 0);
	for (uint32_t v = 1; v < l->p->vars.len; v++) {
		uint32_t f = l->fn.data[l->p->vars.data[v].fn.i], to = f ? at[f] : 0;

		vec_push(&l->var, to);
		if (to)
			at[f] = next[to];
	}
	free(next);
	free(at);
}

static bool is_placeholder(const struct cfn *f)
{
	return f->flags & CFN_PLACEHOLDER;
}

static void check_fragment(struct laws *l, const char *without, char **paths, uint32_t n)
{
	struct cprogram whole, part;
	struct cpta_opt opt = { .categories = 8, .fields = true };

	read_program(&whole, paths, n, false);
	read_program(&part, paths, 1, true);
	if (without)
		drop_statements(&part, without, is_placeholder);
	l->p = &whole;
	l->q = &part;
	l->texts = true;
	for (uint32_t o = 1; o < part.objs.len; o++)
		if (part.objs.data[o].flags & COBJ_PLACEHOLDER) {
			if (is_function(&part, o))
				l->ph_proc = part.objs.data[o].fn;
			else
				l->ph_var.i = o;
		}
	match_objects(l, false);
	match_functions(l);
	match_vars(l);
	for (int k = 0; k < CENGINES * 2; k++) {
		char name[64];

		opt.engine = (enum cengine)(k % CENGINES);
		opt.fields = k < CENGINES;
		if (opt.engine == CENGINE_CATEGORIES)
			continue;            /* an object's category is not the same in both programs */
		snprintf(name, sizeof name, "library and clients, %s%s", cengine_name(opt.engine), opt.fields ? "" : " without fields");
		l->a = solve_program(&whole, &opt);
		l->b = solve_program(&part, &opt);
		l->ma = modref_compute(l->a, NULL, NULL);
		l->mb = modref_compute(l->b, NULL, NULL);
		compare(l, name);
		modref_free(l->ma);
		modref_free(l->mb);
		cpta_free(l->a);
		cpta_free(l->b);
	}
	cprogram_release(&whole);
	cprogram_release(&part);
}

/* Summaries: of the library, by what a client can name; the whole program has the client's modules first, as the other has. */

static void optimise(struct cprogram *lib, struct cprogram *sum)
{
	struct summarize *s = summarize_begin(lib);

	cmodel_libc(lib, true);
	summarize_allocation(s);
	cmodel_placeholders(lib, true);
	struct cpta *facts = solve_program(lib, &(struct cpta_opt){ .engine = CENGINE_STEENS, .any_calls = true });
	summarize_end(s, facts, sum);
	cpta_free(facts);
	summarize_free(s);
}

/* Modules: libraries, then clients. */
struct given {
	char **paths;
	uint32_t nlibs, n;
};

static void link_summary(struct cprogram *p, char **path, bool optimised)
{
	struct cprogram lib, sum;
	struct clink_opt opt = { 0 };
	const char *reason;

	read_modules(&lib, path, 1);
	if (!cmodel_export_visible(&lib))
		die("the library exports nothing", *path);
	if (optimised)
		optimise(&lib, &sum);
	else
		summarize_basic(&lib, &sum);
	if (!cir_check(&sum, &reason))
		die("the summary is not consistent", reason);
	printf("%s: %u statements, %u calls, %u variables, %u objects\n", optimised ? "optimised" : "basic", sum.stmts.len, sum.calls.len,
	       sum.vars.len, sum.objs.len);
	cir_link(p, &sum, &opt);
	cprogram_release(&lib);
	cprogram_release(&sum);
}

static void read_with_summaries(struct cprogram *p, const struct given *g, bool optimised)
{
	read_modules(p, g->paths + g->nlibs, g->n - g->nlibs);
	for (uint32_t i = 0; i < g->nlibs; i++)
		link_summary(p, &g->paths[i], optimised);
	complete_program(p, false);
}

/* The client's functions come first, as they do without the library; the others that modules define are the library's. */
static void mark_library(struct cprogram *p, char **clients, uint32_t n)
{
	struct cprogram alone;

	read_modules(&alone, clients, n);
	for (uint32_t f = 1; f < p->fns.len; f++) {
		bool known = f < alone.fns.len;
		if (known && strcmp(fn_name(p, f), fn_name(&alone, f)) != 0)
			die("the client's functions are others with the library", fn_name(p, f));
		if (p->fns.data[f].flags & CFN_DEFINED && !(p->fns.data[f].flags & (CFN_MODEL | CFN_PLACEHOLDER)) &&
		    !(known && alone.fns.data[f].flags & CFN_DEFINED))
			p->fns.data[f].flags |= CFN_SUMMARY;
	}
	cprogram_release(&alone);
}

static void read_whole(struct cprogram *p, const struct given *g)
{
	char **order = calloc(g->n, sizeof *order);

	for (uint32_t k = 0; k < g->n; k++)
		order[k] = g->paths[(k + g->nlibs) % g->n];
	read_program(p, order, g->n, false);
	mark_library(p, order, g->n - g->nlibs);
	free(order);
}

static uint32_t count_vars(const struct cprogram *p, uint32_t fn)
{
	uint32_t n = 0;

	for (uint32_t v = 1; v < p->vars.len; v++)
		n += p->vars.data[v].fn.i == fn;
	return n;
}

/* Is the function's body the same in both? Not that of a library in its summary. Which call has which copy of a model depends on order. */
static bool has_summary(const struct cprogram *p, uint32_t f)
{
	return p->fns.data[f].flags & (CFN_SUMMARY | CFN_PLACEHOLDER | CFN_MODEL) || f == p->initialisers.i;
}

static void match_programs(struct laws *l, const struct cprogram *p, const struct cprogram *q)
{
	l->p = p;
	l->q = q;
	match_objects(l, true);
	vec_push(&l->fn, 0);
	for (uint32_t f = 1; f < p->fns.len; f++) {
		uint32_t g = q->objs.data[l->obj.data[p->fns.data[f].obj.i]].fn.i;
		bool same = g && !has_summary(p, f) && !has_summary(q, g) && p->fns.data[f].nstmts == q->fns.data[g].nstmts;
		vec_push(&l->fn, same ? g : 0);
		if (same && count_vars(p, f) != count_vars(q, g))
			die("a function of the client has other variables there", fn_name(p, f));
	}
	match_vars(l);
	for (uint32_t o = 1; o < p->objs.len; o++)
		if (p->objs.data[o].flags & COBJ_PLACEHOLDER && p->objs.data[o].kind != COBJ_FUNCTION)
			l->ph_var.i = o;
}

/* What a client can tell: globals, what its variables are, and what these lead to. */
struct sight {
	const struct cpta *a;
	bool *seen;
	VEC(uint32_t) found;
	ccell_vec set;
};

static void see(struct sight *s, uint32_t obj)
{
	if (s->seen[obj])
		return;
	s->seen[obj] = true;
	vec_push(&s->found, obj);
}

static void see_set(struct sight *s, uint32_t set)
{
	vec_clear(&s->set);
	cpta_set(s->a, set, &s->set);
	for (uint32_t k = 0; k < s->set.len; k++)
		see(s, cpta_cell(s->a, s->set.data[k]).obj.i);
}

static bool is_static(const struct cobj *o)
{
	return o->kind == COBJ_GLOBAL || (o->flags & COBJ_STATIC);
}

static bool *seen_by_client(const struct cpta *a)
{
	const struct cprogram *p = cpta_program(a);
	struct sight s = { .a = a, .seen = calloc(p->objs.len, 1) };
	struct map looked = { 0 };

	for (uint32_t o = 1; o < p->objs.len; o++)
		if (is_static(&p->objs.data[o]) || is_client(p, p->objs.data[o].fn))
			see(&s, o);
	for (uint32_t v = 1; v < p->vars.len; v++)
		if (is_client(p, p->vars.data[v].fn))
			see_set(&s, cpta_set_of_var(a, (cvar_id){ v }));
	for (uint32_t before = 0; before < s.found.len;) {
		before = s.found.len;
		for (uint32_t c = 1; c <= cpta_ncells(a); c++)
			if (s.seen[cpta_cell(a, (ccell_id){ c }).obj.i] && !(*map_at(&looked, c))++)
				see_set(&s, cpta_set_of_cell(a, (ccell_id){ c }));
	}
	map_release(&looked);
	vec_release(&s.found);
	vec_release(&s.set);
	return s.seen;
}

static void release(struct laws *l);

struct answers {
	struct cpta *a;
	struct modref *m;
};

static struct answers answer(const struct cprogram *p, const struct cpta_opt *opt)
{
	struct answers x = { .a = solve_program(p, opt) };

	x.m = modref_compute(x.a, NULL, NULL);
	return x;
}

static void forget(struct answers *x)
{
	modref_free(x->m);
	cpta_free(x->a);
}

/* Is what the first says in what the second one says, as far as a client can tell? */
static void check_direction(struct laws *all, const struct answers *fine, const struct answers *coarse, bool exact,
			    const char *name)
{
	struct laws l = { .a = fine->a, .b = coarse->a, .ma = fine->m, .mb = coarse->m, .texts = true, .exact = exact };

	match_programs(&l, cpta_program(fine->a), cpta_program(coarse->a));
	l.seen = seen_by_client(l.a);
	compare(&l, name);
	all->laws += l.laws;
	all->broken += l.broken;
	all->answers += l.answers;
	free(l.seen);
	release(&l);
}

/* What steens unifies depends on more than a client can tell, and so do categories of what an optimised summary leaves out: there it is
 * between the precise answer and the whole program's. */
static void check_both(struct laws *all, const struct cprogram *whole, const struct cprogram *part, const struct cpta_opt *opt,
		       bool optimised)
{
	struct cpta_opt precise = *opt;
	struct answers x, y = answer(part, opt), z = answer(whole, opt);
	char name[120];

	if (opt->engine == CENGINE_STEENS || (opt->engine == CENGINE_CATEGORIES && optimised))
		precise.engine = CENGINE_ANDERSEN;
	x = answer(whole, &precise);
	snprintf(name, sizeof name, "a client with the summary has what the whole program has, %s%s%s", cengine_name(opt->engine),
		 opt->fields ? "" : " without fields", opt->any_calls ? ", any calls" : "");
	check_direction(all, &x, &y, precise.engine == opt->engine, name);
	snprintf(name, sizeof name, "the whole program has what a client with the summary has, %s%s%s", cengine_name(opt->engine),
		 opt->fields ? "" : " without fields", opt->any_calls ? ", any calls" : "");
	check_direction(all, &y, &z, true, name);
	forget(&x);
	forget(&y);
	forget(&z);
}

static void check_summaries(struct laws *all, const struct given *g, bool optimised)
{
	struct cprogram whole, part;

	read_whole(&whole, g);
	read_with_summaries(&part, g, optimised);
	for (int k = 0; k < CENGINES * 2; k++) {
		struct cpta_opt opt = { .engine = (enum cengine)(k % CENGINES), .categories = 8, .fields = k < CENGINES };

		check_both(all, &whole, &part, &opt, optimised);
	}
	check_both(all, &whole, &part, &(struct cpta_opt){ .engine = CENGINE_ANDERSEN, .fields = true, .any_calls = true }, optimised);
	cprogram_release(&whole);
	cprogram_release(&part);
}

/* The libraries end with --; without that, the first is the only one. */
static struct given read_given(char **paths, uint32_t n)
{
	uint32_t k = 0;

	while (k < n && strcmp(paths[k], "--") != 0)
		k++;
	if (k == n)
		return (struct given){ paths, 1, n };
	memmove(paths + k, paths + k + 1, (n - k - 1) * sizeof *paths);
	return (struct given){ paths, k, n - 1 };
}

static void release(struct laws *l)
{
	map_release(&l->compared);
	vec_release(&l->obj);
	vec_release(&l->key);
	vec_release(&l->other_key);
	vec_release(&l->var);
	vec_release(&l->fn);
	vec_release(&l->fine);
	vec_release(&l->coarse);
	vec_release(&l->fine_places);
	vec_release(&l->coarse_places);
	vec_release(&l->fine_fns);
	vec_release(&l->coarse_fns);
}

int main(int argc, char **argv)
{
	struct laws l = { 0 };
	struct cprogram p;

	if (argc >= 3 && strcmp(argv[1], "order") == 0) {
		read_program(&p, argv + 2, (uint32_t)argc - 2, false);
		check_order(&l, &p);
		cprogram_release(&p);
	} else if (argc >= 4 && strcmp(argv[1], "fragment") == 0) {
		const char *without = argc >= 6 && strcmp(argv[2], "--without") == 0 ? argv[3] : NULL;
		int first = without ? 4 : 2;

		check_fragment(&l, without, argv + first, (uint32_t)(argc - first));
	} else if (argc >= 4 && strcmp(argv[1], "summary") == 0) {
		struct given g = read_given(argv + 2, (uint32_t)argc - 2);
		check_summaries(&l, &g, false);
		check_summaries(&l, &g, true);
	} else {
		die("usage: claws order MODULE... | claws fragment [--without KIND] LIBRARY CLIENT... | "
		    "claws summary LIBRARY CLIENT... | claws summary LIBRARY... -- CLIENT...", NULL);
	}
	printf("%u laws, %u broken, %" PRIu64 " answers\n", l.laws, l.broken, l.answers);
	release(&l);
	return l.broken != 0;
}
