/* SPDX-License-Identifier: Apache-2.0 */
/* link.c - two programs become one. Symbols are those of objects: functions have one each.
 *
 * What the library shares with the program goes where the program has it; all else gets rows of its own, behind the program's. */
#include <stdlib.h>

#include "cir/copy_p.h"

enum fate { NEW, GIVEN, TAKEN };         /* a symbol of the library: its own; the program's; it fills in the program's */

struct linker {
	struct cprogram *p;
	const struct cprogram *lib;
	const struct clink_opt *opt;
	struct ccopy c;
	struct map symbols;            /* by name: an object of the program */
	uint8_t *fates;                /* by object of the library */
	struct map forwards;           /* by object of the program: what it was declared as is something else */
};

static const struct cfn *fn_of(const struct cprogram *p, const struct cobj *o)
{
	return &p->fns.data[o->kind == COBJ_FUNCTION ? o->fn.i : 0];
}

static bool is_weak(const struct cprogram *p, const struct cobj *o)
{
	return (fn_of(p, o)->flags & CFN_WEAK) != 0;
}

/* That another program may name. */
static bool is_offered_name(const struct cobj *o)
{
	return cir_is_symbol(o) && !(o->flags & (COBJ_STATIC | COBJ_MODEL | COBJ_PLACEHOLDER));
}

/* A name that was given first stays: definitions before declarations. */
static void add_symbol(struct linker *k, str_id name, uint32_t o)
{
	uint32_t *at = map_at(&k->symbols, name.i);
	const struct cobj *old = &k->p->objs.data[*at];

	if (!*at || (!cir_is_defined(k->p, old) && cir_is_defined(k->p, &k->p->objs.data[o])))
		*at = o;
}

static void index_symbols(struct linker *k)
{
	for (uint32_t i = 1; i < k->p->objs.len; i++)
		if (is_offered_name(&k->p->objs.data[i]))
			add_symbol(k, k->p->objs.data[i].name, i);
	for (uint32_t i = 0; i < k->p->aliases.len; i++)
		add_symbol(k, k->p->aliases.data[i].name, k->p->aliases.data[i].obj.i);
}

static bool is_offered(const struct cprogram *lib, const struct cobj *o)
{
	return is_offered_name(o) && (!cir_is_defined(lib, o) || o->flags & COBJ_EXPORTED);
}

static uint32_t find(struct linker *k, str_id name)
{
	return map_get(&k->symbols, ccopy_name(&k->c, name).i);
}

/* Places */

static void conflict(struct linker *k, const struct cobj *o)
{
	if (k->opt->on_conflict)
		k->opt->on_conflict(k->opt->ctx, interned(&k->lib->names, o->name));
}

/* It was declared as something that it is not: whoever named that names this. */
static void forward(struct linker *k, uint32_t from, uint32_t to)
{
	*map_at(&k->forwards, from) = to;
}

/* First values of both are given by one function. */
static bool is_initialiser(const struct linker *k, const struct cobj *o)
{
	return o->kind == COBJ_FUNCTION && o->fn.i == k->lib->initialisers.i && k->p->initialisers.i;
}

static enum fate fate_of(struct linker *k, const struct cobj *o, uint32_t known)
{
	const struct cobj *there = &k->p->objs.data[known];

	if (!known)
		return NEW;
	if (!cir_is_defined(k->lib, o) || is_initialiser(k, o))
		return GIVEN;
	if (!cir_is_defined(k->p, there) || (is_weak(k->p, there) && !is_weak(k->lib, o)))
		return TAKEN;
	if (!is_weak(k->lib, o))
		conflict(k, o);
	return GIVEN;
}

static bool same_kind(const struct linker *k, const struct cobj *o, uint32_t there)
{
	return (o->kind == COBJ_FUNCTION) == (k->p->objs.data[there].kind == COBJ_FUNCTION);
}

static uint32_t find_known(struct linker *k, const struct cobj *o)
{
	if (is_initialiser(k, o))
		return k->p->fns.data[k->p->initialisers.i].obj.i;
	return is_offered(k->lib, o) ? find(k, o->name) : 0;
}

static void place_object(struct linker *k, uint32_t i)
{
	const struct cobj *o = &k->lib->objs.data[i];
	uint32_t known = find_known(k, o);
	enum fate fate = fate_of(k, o, known);

	if (fate != NEW && !same_kind(k, o, known)) {
		if (fate == TAKEN)
			forward(k, known, k->p->objs.len);
		else if (o->kind == COBJ_FUNCTION)       /* a call of data: nobody knows what it runs */
			known = 0;
		fate = fate == TAKEN || !known ? NEW : fate;
	}
	k->fates[i] = (uint8_t)fate;
	k->c.objs[i] = fate == NEW ? cir_object(k->p, (struct cobj){ .kind = o->kind }).i : known;
}

static void place_function(struct linker *k, uint32_t i)
{
	uint32_t o = k->lib->fns.data[i].obj.i;

	if (k->fates[o] == NEW) {
		k->c.fns[i] = k->p->fns.len;
		vec_push(&k->p->fns, (struct cfn){ 0 });
	} else {
		k->c.fns[i] = k->p->objs.data[k->c.objs[o]].fn.i;
	}
}

/* Parameters and results of functions that the program has are its own: nothing of the library's bodies names others'. */
static bool is_given(const struct linker *k, cfn_id f)
{
	return f.i && k->fates[k->lib->fns.data[f.i].obj.i] == GIVEN;
}

static void place_all(struct linker *k)
{
	for (uint32_t i = 1; i < k->lib->objs.len; i++)
		place_object(k, i);
	for (uint32_t i = 1; i < k->lib->fns.len; i++)
		place_function(k, i);
	for (uint32_t i = 1; i < k->lib->vars.len; i++) {
		if (is_given(k, k->lib->vars.data[i].fn))
			continue;
		k->c.vars[i] = k->p->vars.len;
		vec_push(&k->p->vars, (struct cvar){ 0 });
	}
}

/* Rows */

/* What the library does not export is hidden from then on. */
static uint8_t object_flags(const struct linker *k, const struct cobj *o)
{
	uint8_t flags = o->flags;
	bool is_hidden = is_offered_name(o) && cir_is_defined(k->lib, o) && !(flags & COBJ_EXPORTED);

	if (!k->opt->keep_exports)
		flags &= (uint8_t)~COBJ_EXPORTED;
	return is_hidden ? (uint8_t)(flags | COBJ_STATIC) : flags;
}

static void copy_object(struct linker *k, uint32_t i)
{
	const struct cobj *o = &k->lib->objs.data[i];

	if (k->fates[i] == GIVEN)
		return;
	struct cobj row = ccopy_object(&k->c, i);
	row.flags = object_flags(k, o);
	k->p->objs.data[k->c.objs[i]] = row;
}

static void copy_function(struct linker *k, uint32_t i)
{
	if (is_given(k, (cfn_id){ i }))
		return;
	struct cfn row = ccopy_function(&k->c, i);
	if (k->p->objs.data[row.obj.i].flags & COBJ_STATIC)
		row.flags |= CFN_STATIC;
	if (!(row.flags & CFN_DEFINED))
		row.flags &= (uint16_t)~CFN_MODEL;
	cir_rename_function(k->p, (cfn_id){ k->c.fns[i] }, row.name);
	k->p->fns.data[k->c.fns[i]] = row;
}

static void copy_var(struct linker *k, uint32_t i)
{
	if (k->c.vars[i])
		k->p->vars.data[k->c.vars[i]] = ccopy_var(&k->c, i);
}

/* The first values of what the program defines itself are not there. */
static bool is_replaced(const struct linker *k, const struct cstmt *s)
{
	return s->op == C_PUT && k->fates[s->dst] == GIVEN && cir_is_defined(k->lib, &k->lib->objs.data[s->dst]);
}

/* What a function has so far, again: its rows have to follow one another. */
static void repeat_body(struct cprogram *p, cfn_id f)
{
	struct cfn row = p->fns.data[f.i];

	cir_begin(p, f);
	for (uint32_t i = 0; i < row.nstmts; i++) {
		struct cstmt s = p->stmts.data[row.stmts + i];
		if (s.op == C_CALL) {
			s.dst = p->calls.len;
			vec_push(&p->calls, p->calls.data[p->stmts.data[row.stmts + i].dst]);
		}
		vec_push(&p->stmts, s);
	}
}

static void copy_initialisers(struct linker *k)
{
	const struct cfn *f = &k->lib->fns.data[k->lib->initialisers.i];
	cfn_id id = { k->c.fns[k->lib->initialisers.i] };

	repeat_body(k->p, id);
	for (uint32_t i = 0; i < f->nstmts; i++)
		if (!is_replaced(k, &k->lib->stmts.data[f->stmts + i]))
			ccopy_stmt(&k->c, &k->lib->stmts.data[f->stmts + i]);
	cir_end(k->p, id);
	k->p->fns.data[id.i].flags |= CFN_STARTS;
	k->p->initialisers = id;
}

static void copy_bodies(struct linker *k)
{
	for (uint32_t i = 1; i < k->lib->fns.len; i++)
		if (!is_given(k, (cfn_id){ i }) && i != k->lib->initialisers.i && (k->lib->fns.data[i].flags & CFN_DEFINED))
			ccopy_body(&k->c, i);
	if (k->lib->initialisers.i)
		copy_initialisers(k);
}

static void copy_rest(struct linker *k)
{
	for (uint32_t i = 1; i < k->lib->notes.len; i++) {
		const struct cnote *x = &k->lib->notes.data[i];
		if (!is_given(k, x->fn))
			cir_note(k->p, x->kind, (cfn_id){ k->c.fns[x->fn.i] }, ccopy_loc(&k->c, x->loc), ccopy_name(&k->c, x->text));
	}
	for (uint32_t i = 0; i < k->lib->uses.len; i++) {
		struct cuse u = k->lib->uses.data[i];
		u.param.i = k->c.vars[u.param.i];
		if (u.param.i)
			vec_push(&k->p->uses, u);
	}
}

/* Aliases: what the program names so is what they stand for. */
static void copy_aliases(struct linker *k)
{
	for (uint32_t i = 0; i < k->lib->aliases.len; i++) {
		const struct calias *a = &k->lib->aliases.data[i];
		uint32_t known = find(k, a->name), o = k->c.objs[a->obj.i];
		str_id name = ccopy_name(&k->c, a->name);
		vec_push(&k->p->aliases, ((struct calias){ name, { o } }));
		if (known && known != o && !cir_is_defined(k->p, &k->p->objs.data[known]))
			forward(k, known, o);
	}
}

/* What was declared as something else */

static uint32_t forwarded(const struct linker *k, uint32_t o)
{
	uint32_t to = map_get(&k->forwards, o);

	return to ? to : o;
}

static void forward_statements(struct linker *k)
{
	for (uint32_t i = 0; i < k->p->stmts.len; i++) {
		struct cstmt *s = &k->p->stmts.data[i];
		if (s->op == C_PUT)
			s->dst = forwarded(k, s->dst);
		else if (s->op == C_ADDR || s->op == C_GET)
			s->src = forwarded(k, s->src);
	}
	for (uint32_t i = 1; i < k->p->calls.len; i++) {
		struct ccall *c = &k->p->calls.data[i];
		const struct cobj *to = &k->p->objs.data[forwarded(k, k->p->fns.data[c->callee.i].obj.i)];
		if (c->callee.i && to->kind == COBJ_FUNCTION)
			c->callee = to->fn;
	}
}

/* Nobody names it any more. */
static void retire_forwarded(struct linker *k)
{
	for (uint32_t i = 1; i < k->p->objs.len; i++) {
		struct cobj *o = &k->p->objs.data[i];
		if (!map_get(&k->forwards, i))
			continue;
		o->flags = COBJ_STATIC;
		if (o->kind == COBJ_FUNCTION)
			k->p->fns.data[o->fn.i].flags |= CFN_STATIC | CFN_DEFINED;
	}
}

void cir_link(struct cprogram *p, const struct cprogram *library, const struct clink_opt *opt)
{
	struct linker k = { .p = p, .lib = library, .opt = opt };

	ccopy_init(&k.c, library, p);
	k.fates = mem_zalloc(library->objs.len + UINT64_C(1));
	index_symbols(&k);
	place_all(&k);
	for (uint32_t i = 1; i < library->objs.len; i++)
		copy_object(&k, i);
	for (uint32_t i = 1; i < library->fns.len; i++)
		copy_function(&k, i);
	for (uint32_t i = 1; i < library->vars.len; i++)
		copy_var(&k, i);
	copy_bodies(&k);
	copy_rest(&k);
	copy_aliases(&k);
	if (k.forwards.len) {
		forward_statements(&k);
		retire_forwarded(&k);
	}
	ccopy_folders(&k.c);
	ccopy_release(&k.c);
	map_release(&k.symbols);
	map_release(&k.forwards);
	free(k.fates);
}
