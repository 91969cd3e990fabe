/* SPDX-License-Identifier: Apache-2.0 */
/* copy.c - rows of one program to another. */
#include "cir/copy_p.h"

#include <stdlib.h>

#include "base/hash.h"

void ccopy_init(struct ccopy *c, const struct cprogram *from, struct cprogram *to)
{
	*c = (struct ccopy){ .from = from, .to = to };
	c->fns = mem_zalloc(sizeof(uint32_t) * (from->fns.len + UINT64_C(1)));
	c->objs = mem_zalloc(sizeof(uint32_t) * (from->objs.len + UINT64_C(1)));
	c->vars = mem_zalloc(sizeof(uint32_t) * (from->vars.len + UINT64_C(1)));
	c->layouts = mem_zalloc(sizeof(uint32_t) * (from->layouts.len + UINT64_C(1)));
	c->names = mem_zalloc(sizeof(uint32_t) * (from->names.strings.len + UINT64_C(1)));
}

void ccopy_release(struct ccopy *c)
{
	free(c->fns);
	free(c->objs);
	free(c->vars);
	free(c->layouts);
	free(c->names);
	map_release(&c->known);
	vec_release(&c->args);
}

str_id ccopy_name(struct ccopy *c, str_id s)
{
	if (!c->names[s.i])
		c->names[s.i] = 1 + intern(&c->to->names, interned(&c->from->names, s)).i;
	return (str_id){ c->names[s.i] - 1 };
}

cloc_id ccopy_loc(struct ccopy *c, cloc_id l)
{
	const struct cloc *row = &c->from->locs.data[l.i];

	return l.i ? cir_loc(c->to, ccopy_name(c, row->file), row->line, row->column) : l;
}

static bool same_fields(const struct cprogram *p, const struct clayout *x, const struct clayout *y)
{
	for (uint32_t i = 0; i < x->nfields; i++) {
		const struct cfield *f = &p->fields.data[x->first + i], *g = &p->fields.data[y->first + i];
		if (f->offset != g->offset || f->layout.i != g->layout.i || f->name.i != g->name.i)
			return false;
	}
	return true;
}

static bool same_layout(const struct cprogram *p, const struct clayout *x, const struct clayout *y)
{
	return x->kind == y->kind && x->size == y->size && x->name.i == y->name.i && x->nfields == y->nfields &&
	       x->elem.i == y->elem.i && x->count == y->count && same_fields(p, x, y);
}

static uint64_t layout_key(const struct cprogram *p, const struct clayout *l)
{
	uint64_t h = hash_mix(l->kind + l->size * 31 + l->name.i * UINT64_C(1000003) + l->elem.i * UINT64_C(7919) + l->count * 17);

	for (uint32_t i = 0; i < l->nfields; i++) {
		const struct cfield *f = &p->fields.data[l->first + i];
		h = hash_mix(h + f->offset * 31 + f->layout.i * UINT64_C(1000003) + f->name.i);
	}
	return h | 1;
}

static void copy_fields(struct ccopy *c, const struct clayout *from, struct clayout *l)
{
	for (uint32_t i = 0; i < from->nfields; i++)
		ccopy_layout(c, c->from->fields.data[from->first + i].layout);
	l->first = c->to->fields.len;
	for (uint32_t i = 0; i < from->nfields; i++) {
		const struct cfield *f = &c->from->fields.data[from->first + i];
		vec_push(&c->to->fields, ((struct cfield){ f->offset, ccopy_layout(c, f->layout), ccopy_name(c, f->name) }));
	}
}

/* Programs have no layouts within themselves, nor deep ones (cir_check). */
clayout_id ccopy_layout(struct ccopy *c, clayout_id id)
{
	const struct clayout *from = &c->from->layouts.data[id.i];
	struct clayout l = *from;

	if (!id.i || c->layouts[id.i])
		return (clayout_id){ c->layouts[id.i] };
	l.name = ccopy_name(c, from->name);
	l.elem = ccopy_layout(c, from->elem);
	if (l.kind == CLAYOUT_STRUCT)
		copy_fields(c, from, &l);
	uint32_t *known = map_at(&c->known, layout_key(c->to, &l));
	if (*known && same_layout(c->to, &c->to->layouts.data[*known], &l)) {
		c->to->fields.len -= l.nfields;
		c->layouts[id.i] = *known;
	} else {
		*known = c->layouts[id.i] = cir_layout(c->to, l).i;
	}
	return (clayout_id){ c->layouts[id.i] };
}

struct cobj ccopy_object(struct ccopy *c, uint32_t o)
{
	struct cobj row = c->from->objs.data[o];

	row.name = ccopy_name(c, row.name);
	row.fn.i = c->fns[row.fn.i];
	row.layout = ccopy_layout(c, row.layout);
	row.loc = ccopy_loc(c, row.loc);
	return row;
}

struct cvar ccopy_var(struct ccopy *c, uint32_t v)
{
	struct cvar row = c->from->vars.data[v];

	row.name = ccopy_name(c, row.name);
	row.fn.i = c->fns[row.fn.i];
	row.loc = ccopy_loc(c, row.loc);
	return row;
}

struct cfn ccopy_function(struct ccopy *c, uint32_t f)
{
	struct cfn row = c->from->fns.data[f];

	row.name = ccopy_name(c, row.name);
	row.obj.i = c->objs[row.obj.i];
	row.other.i = c->vars[row.other.i];
	row.params = row.nparams ? c->vars[row.params] : 0;
	row.result.i = c->vars[row.result.i];
	row.rest.i = c->objs[row.rest.i];
	row.stmts = row.nstmts = row.calls = row.ncalls = 0;
	row.of.i = c->fns[row.of.i];
	row.loc = ccopy_loc(c, row.loc);
	return row;
}

static void copy_call(struct ccopy *c, const struct ccall *from)
{
	struct ccall k = *from;

	vec_clear(&c->args);
	for (uint32_t i = 0; i < k.nargs; i++)
		vec_push(&c->args, ((cvar_id){ c->vars[c->from->args.data[k.args + i].i] }));
	k.callee.i = c->fns[k.callee.i];
	k.pointer.i = c->vars[k.pointer.i];
	k.result.i = c->vars[k.result.i];
	k.hint = ccopy_layout(c, k.hint);
	k.memory.i = c->objs[k.memory.i];
	k.caller.i = c->fns[k.caller.i];
	k.loc = ccopy_loc(c, k.loc);
	cir_call(c->to, k, c->args.data);
}

void ccopy_stmt(struct ccopy *c, const struct cstmt *from)
{
	struct cstmt s = *from;

	if (s.op == C_CALL) {
		copy_call(c, &c->from->calls.data[s.dst]);
		vec_last(&c->to->stmts)->flags = s.flags;
		return;
	}
	s.dst = s.op == C_PUT ? c->objs[s.dst] : c->vars[s.dst];
	s.src = s.op == C_ADDR || s.op == C_GET ? c->objs[s.src] : c->vars[s.src];
	s.loc = ccopy_loc(c, s.loc);
	cir_stmt(c->to, s);
}

void ccopy_body(struct ccopy *c, uint32_t f)
{
	const struct cfn *row = &c->from->fns.data[f];
	cfn_id id = { c->fns[f] };

	cir_begin(c->to, id);
	for (uint32_t i = 0; i < row->nstmts; i++)
		ccopy_stmt(c, &c->from->stmts.data[row->stmts + i]);
	cir_end(c->to, id);
}

void ccopy_folders(struct ccopy *c)
{
	for (uint32_t i = 1; i < c->from->names.strings.len && c->from->folders.len; i++) {
		uint32_t folder = map_get(&c->from->folders, i);
		if (folder && c->names[i])
			*map_at(&c->to->folders, c->names[i] - 1) = ccopy_name(c, (str_id){ folder }).i;
	}
}
