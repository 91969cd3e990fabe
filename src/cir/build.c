/* SPDX-License-Identifier: Apache-2.0 */
/* build.c - rows of a C program. They are added and never taken away: ids are numbers of rows, and stay what they are. */
#include "cir/cir.h"

void cprogram_init(struct cprogram *p)
{
	*p = (struct cprogram){ .pointer_size = 8 };
	interner_init(&p->names);
	vec_push(&p->locs, (struct cloc){ 0 });
	vec_push(&p->layouts, (struct clayout){ 0 });
	vec_push(&p->objs, (struct cobj){ 0 });
	vec_push(&p->vars, (struct cvar){ 0 });
	vec_push(&p->fns, (struct cfn){ 0 });
	vec_push(&p->calls, (struct ccall){ 0 });
	vec_push(&p->notes, (struct cnote){ 0 });
}

static void forget_index(struct cindex *x)
{
	vec_release(&x->first);
	vec_release(&x->rows);
}

void cprogram_release(struct cprogram *p)
{
	interner_release(&p->names);
	vec_release(&p->locs);
	map_release(&p->folders);
	vec_release(&p->layouts);
	vec_release(&p->fields);
	vec_release(&p->objs);
	vec_release(&p->vars);
	vec_release(&p->fns);
	vec_release(&p->stmts);
	vec_release(&p->calls);
	vec_release(&p->args);
	vec_release(&p->notes);
	vec_release(&p->aliases);
	vec_release(&p->uses);
	vec_release(&p->fn_names);
	vec_release(&p->obj_names);
	vec_release(&p->var_names);
	forget_index(&p->index);
	*p = (struct cprogram){ 0 };
}

/* Statements of one line come one after another: to compare with the last row finds nearly all that are equal. */
cloc_id cir_loc(struct cprogram *p, str_id file, uint32_t line, uint32_t column)
{
	const struct cloc *last = vec_last(&p->locs);

	if (file.i == 0 && line == 0 && column == 0)
		return (cloc_id){ 0 };
	if (last->file.i != file.i || last->line != line || last->column != column)
		vec_push(&p->locs, ((struct cloc){ file, line, column }));
	return (cloc_id){ p->locs.len - 1 };
}

cobj_id cir_object(struct cprogram *p, struct cobj o)
{
	vec_push(&p->objs, o);
	return (cobj_id){ p->objs.len - 1 };
}

cvar_id cir_var(struct cprogram *p, enum cvar_kind kind, str_id name, cfn_id fn)
{
	vec_push(&p->vars, ((struct cvar){ .kind = (uint8_t)kind, .name = name, .fn = fn }));
	return (cvar_id){ p->vars.len - 1 };
}

clayout_id cir_layout(struct cprogram *p, struct clayout l)
{
	vec_push(&p->layouts, l);
	return (clayout_id){ p->layouts.len - 1 };
}

cfn_id cir_function(struct cprogram *p, str_id name, uint32_t nparams, uint16_t flags, cloc_id loc)
{
	cfn_id f = { p->fns.len };
	struct cobj o = { .kind = COBJ_FUNCTION, .flags = flags & CFN_STATIC ? COBJ_STATIC : 0, .name = name, .fn = f, .loc = loc };
	struct cfn row = { .name = name, .flags = flags, .params = p->vars.len, .nparams = nparams, .loc = loc };

	for (uint32_t i = 0; i < nparams; i++)
		cir_var(p, CVAR_PARAM, (str_id){ 0 }, f);
	row.result = cir_var(p, CVAR_RESULT, (str_id){ 0 }, f);
	row.obj = cir_object(p, o);
	vec_push(&p->fns, row);
	return f;
}

/* Arguments are found at offsets that nobody knows: an array of one cell. */
cobj_id cir_rest(struct cprogram *p, cfn_id f)
{
	struct cfn *row = &p->fns.data[f.i];

	if (row->rest.i == 0) {
		clayout_id l = cir_layout(p, (struct clayout){ .kind = CLAYOUT_SCALAR, .size = p->pointer_size });
		struct cobj o = { .kind = COBJ_LOCAL, .flags = COBJ_REPEATS, .name = intern(&p->names, STR("...")), .fn = f, .layout = l,
				  .loc = row->loc };

		row->rest = cir_object(p, o);
	}
	return row->rest;
}

/* A body is one run of statements and one of calls: while it is written, nobody else writes. */
void cir_begin(struct cprogram *p, cfn_id f)
{
	struct cfn *row = &p->fns.data[f.i];

	row->stmts = p->stmts.len;
	row->calls = p->calls.len;
	row->nstmts = row->ncalls = 0;
}

void cir_end(struct cprogram *p, cfn_id f)
{
	struct cfn *row = &p->fns.data[f.i];

	row->nstmts = p->stmts.len - row->stmts;
	row->ncalls = p->calls.len - row->calls;
	row->flags |= CFN_DEFINED;
	for (uint32_t i = 0; i < row->ncalls; i++)
		p->calls.data[row->calls + i].caller = f;
}

void cir_stmt(struct cprogram *p, struct cstmt s)
{
	vec_push(&p->stmts, s);
}

ccall_id cir_call(struct cprogram *p, struct ccall c, const cvar_id *args)
{
	ccall_id id = { p->calls.len };

	c.args = p->args.len;
	for (uint32_t i = 0; i < c.nargs; i++)
		vec_push(&p->args, args[i]);
	vec_push(&p->calls, c);
	cir_stmt(p, (struct cstmt){ .op = C_CALL, .dst = id.i, .loc = c.loc });
	return id;
}

void cir_note(struct cprogram *p, enum cnote_kind kind, cfn_id f, cloc_id loc, str_id text)
{
	vec_push(&p->notes, ((struct cnote){ .kind = (uint8_t)kind, .fn = f, .loc = loc, .text = text }));
}

/* Readers, cir_compact and cir_link push rows themselves: so the index looks at what is new when it is asked. */
static void index_function(struct cprogram *p, cfn_id f)
{
	struct cindex *x = &p->index;
	str_id name = p->fns.data[f.i].name;

	while (x->first.len <= name.i)
		vec_push(&x->first, (cfn_id){ 0 });
	cfn_id *first = &x->first.data[name.i];

	vec_push(&x->rows, ((struct cindex_row){ .last = f }));
	if (first->i) {
		x->rows.data[x->rows.data[first->i].last.i].next = f;
		x->rows.data[first->i].last = f;
	} else {
		*first = f;
	}
}

static void index_functions(struct cprogram *p)
{
	if (!p->index.rows.len)
		vec_push(&p->index.rows, (struct cindex_row){ 0 });
	for (uint32_t i = p->index.rows.len; i < p->fns.len; i++)
		index_function(p, (cfn_id){ i });
}

cfn_id cir_find_function(struct cprogram *p, struct str name)
{
	str_id id;

	if (!interner_find(&p->names, name, &id))
		return (cfn_id){ 0 };
	index_functions(p);
	cfn_id f = id.i < p->index.first.len ? p->index.first.data[id.i] : (cfn_id){ 0 };

	while (f.i && p->fns.data[f.i].flags & CFN_STATIC)
		f = p->index.rows.data[f.i].next;
	return f;
}

void cir_rename_function(struct cprogram *p, cfn_id f, str_id name)
{
	bool is_known = f.i < p->index.rows.len && p->fns.data[f.i].name.i != name.i;

	p->fns.data[f.i].name = name;
	if (is_known)
		forget_index(&p->index);
}

bool cir_is_symbol(const struct cobj *o)
{
	return (o->kind == COBJ_FUNCTION || (o->kind == COBJ_GLOBAL && !o->fn.i)) && o->name.i;
}

bool cir_is_defined(const struct cprogram *p, const struct cobj *o)
{
	return o->kind == COBJ_FUNCTION ? (p->fns.data[o->fn.i].flags & CFN_DEFINED) != 0 : !(o->flags & COBJ_IMPORTED);
}

bool cir_is_copy(const struct cstmt *s)
{
	return s->op == C_COPY || (s->op == C_SHIFT && !s->off && !s->width && !(s->flags & CSTMT_ELEMENTS));
}
