/* SPDX-License-Identifier: Apache-2.0 */
/* model.c - functions of the C library get their bodies from the table. */
#include "cmodel/cmodel_p.h"
#include "base/digest.h"

#include "libc_model.h"

/* Objects */

static bool is_global(const struct cobj *o)
{
	return o->kind == COBJ_GLOBAL && !(o->flags & COBJ_STATIC) && o->name.i;
}

static void index_globals(struct models *m)
{
	for (uint32_t i = 1; i < m->p->objs.len; i++)
		if (is_global(&m->p->objs.data[i])) {
			uint32_t *place = map_at(&m->globals, m->p->objs.data[i].name.i);
			if (!*place || !(m->p->objs.data[i].flags & COBJ_IMPORTED))
				*place = i;
		}
}

/* A program's own definition takes the place of the library's. */
static cobj_id make_global(struct models *m, str_id name)
{
	cobj_id o = { map_get(&m->globals, name.i) };
	struct cobj *row = &m->p->objs.data[o.i];

	if (o.i && row->flags & COBJ_IMPORTED) {
		row->flags = (uint8_t)((row->flags & ~COBJ_IMPORTED) | COBJ_MODEL);
		if (row->layout.i == 0) {
			row->layout = m->cell;
			row->flags |= COBJ_REPEATS;
		}
	}
	return o;
}

static cobj_id make_object(struct models *m, const struct model_row *row)
{
	str_id name = intern(&m->p->names, row->name);
	cobj_id o = { 0 };

	if (row->kind == MODEL_GLOBAL)
		o = make_global(m, name);
	if (o.i == 0)
		o = cir_object(m->p, (struct cobj){ .kind = COBJ_GLOBAL, .flags = COBJ_MODEL | COBJ_REPEATS, .name = name,
						    .layout = m->cell });
	return o;
}

static void fail(struct models *m, uint32_t line, const char *reason)
{
	if (!m->error.reason)
		m->error = (struct model_error){ reason, line };
}

/* `= &name` */
static struct str first_value(struct models *m, const struct model_row *row)
{
	struct model_lexer x = model_lexer_start(row->rest, row->line);

	if (x.token == TOKEN_END)
		return (struct str){ 0 };
	model_lexer_next(&x);
	bool right = str_is(x.word, "&");
	model_lexer_next(&x);
	struct str name = x.word;
	right &= x.token == TOKEN_NAME;
	model_lexer_next(&x);
	if (!right || x.token != TOKEN_END)
		fail(m, row->line, "'= &' and a name expected");
	return name;
}

cobj_id models_object(struct models *m, struct str name)
{
	uint32_t i = model_table_row(m->table, name);
	const struct model_row *row = &m->table->rows.data[i];
	cobj_id made = { 0 };

	/* first values are followed in a loop: each row is made once */
	for (cobj_id holder = { 0 }; i && (row->kind == MODEL_OBJECT || row->kind == MODEL_GLOBAL);
	     row = &m->table->rows.data[i]) {
		bool is_new = m->objs.data[i].i == 0;
		if (is_new)
			m->objs.data[i] = make_object(m, row);
		if (holder.i)
			vec_push(&m->initial, ((struct model_initial){ holder, m->objs.data[i] }));
		if (made.i == 0)
			made = m->objs.data[i];
		struct str value = is_new ? first_value(m, row) : (struct str){ 0 };
		holder = m->objs.data[i];
		i = value.len ? model_table_row(m->table, value) : 0;
		if (value.len && i == 0)
			fail(m, row->line, "the first value is no object of the table");
	}
	return made;
}

/* Functions */

static const struct model_row *row_of(const struct models *m, cfn_id f)
{
	const struct model_row *row = &m->table->rows.data[model_table_row(m->table, interned(&m->p->names, m->p->fns.data[f.i].name))];

	return row->rest.p || row->kind == MODEL_PURE ? row : NULL;
}

static bool is_function_row(const struct model_row *row)
{
	return row && (row->kind == MODEL_FUNCTION || row->kind == MODEL_PURE);
}

cfn_id models_function(struct models *m, struct str name)
{
	uint32_t row = model_table_row(m->table, name);
	cfn_id f = row && is_function_row(&m->table->rows.data[row]) ? cir_find_function(m->p, name) : (cfn_id){ 0 };

	if (row && f.i == 0 && is_function_row(&m->table->rows.data[row])) {
		f = cir_function(m->p, intern(&m->p->names, name), 0, CFN_VARIADIC, (cloc_id){ 0 });
		vec_push(&m->pending, f);
	}
	return f;
}

static void write_pending(struct models *m)
{
	while (m->pending.len) {
		cfn_id f = vec_pop(&m->pending);
		model_body(m, row_of(m, f), f, (cfn_id){ 0 }, (cloc_id){ 0 });
	}
}

/* What passes through a model would reach all of its callers, and all calls would modify the same: calls get copies of it. */
static void copy_for_calls(struct models *m, const struct model_flow *flows, uint32_t nfns)
{
	uint32_t ncalls = m->p->calls.len;

	for (uint32_t i = 1; i < ncalls; i++) {
		struct ccall c = m->p->calls.data[i];
		if (c.callee.i == 0 || c.callee.i >= nfns || !(flows[c.callee.i].memory || (flows[c.callee.i].result && c.result.i)))
			continue;
		struct cfn of = m->p->fns.data[c.callee.i];
		cfn_id f = cir_function(m->p, of.name, of.nparams, of.flags & CFN_VARIADIC, of.loc);
		model_body(m, row_of(m, c.callee), f, c.caller, c.loc);
		m->p->fns.data[f.i].of = c.callee;
		m->p->calls.data[i].callee = f;
	}
}

static uint32_t give_bodies(struct models *m)
{
	uint32_t n = 0, nfns = m->p->fns.len;
	struct model_flow *flows = mem_zalloc(nfns * sizeof(*flows));

	for (uint32_t i = 1; i < nfns; i++) {
		cfn_id f = { i };
		const struct model_row *row = m->p->fns.data[i].flags & CFN_DEFINED ? NULL : row_of(m, f);
		if (!is_function_row(row))
			continue;
		flows[i] = model_body(m, row, f, (cfn_id){ 0 }, (cloc_id){ 0 });
		n++;
	}
	write_pending(m);
	copy_for_calls(m, flows, nfns);
	write_pending(m);
	free(flows);
	return n;
}

static void know_globals(struct models *m)
{
	for (uint32_t i = 1, n = m->p->objs.len; i < n; i++) {
		const struct cobj *o = &m->p->objs.data[i];
		if (is_global(o) && o->flags & COBJ_IMPORTED && !(o->flags & COBJ_MODEL))
			models_object(m, interned(&m->p->names, o->name));
	}
}

/* The function that starts programs: it gives the library's memory its first values, and main its arguments. */
static void make_start(struct models *m)
{
	struct cprogram *p = m->p;
	cfn_id f = cir_function(p, intern(&p->names, STR("_start")), 0, CFN_STARTS | CFN_MODEL | CFN_STATIC, (cloc_id){ 0 });

	cir_begin(p, f);
	for (uint32_t i = 1; i < m->table->rows.len; i++) {
		const struct model_row *row = &m->table->rows.data[i];
		cfn_id started = row->kind == MODEL_START ? cir_find_function(p, row->name) : (cfn_id){ 0 };
		if (started.i && p->fns.data[started.i].flags & CFN_DEFINED)
			model_start(m, row, started, f);
	}
	for (uint32_t i = 0; i < m->initial.len; i++) {
		cvar_id t = cir_var(p, CVAR_TEMP, (str_id){ 0 }, f);
		cir_stmt(p, (struct cstmt){ .op = C_ADDR, .flags = CSTMT_HIDDEN, .dst = t.i, .src = m->initial.data[i].value.i });
		cir_stmt(p, (struct cstmt){ .op = C_PUT, .flags = CSTMT_HIDDEN, .dst = m->initial.data[i].obj.i, .src = t.i });
	}
	cir_end(p, f);
	write_pending(m);
}

static void models_init(struct models *m, struct cprogram *p, const struct model_table *t)
{
	*m = (struct models){ .p = p, .table = t };
	m->cell = cir_layout(p, (struct clayout){ .kind = CLAYOUT_SCALAR, .size = p->pointer_size });
	for (uint32_t i = 0; i < t->rows.len; i++)
		vec_push(&m->objs, (cobj_id){ 0 });
	index_globals(m);
	/* only streams of fopencookie have handlers: most programs have none */
	if (cir_find_function(p, STR("fopencookie")).i)
		m->stream_row = model_table_row(t, STR("stream$runs"));
}

static void models_release(struct models *m)
{
	vec_release(&m->objs);
	vec_release(&m->initial);
	vec_release(&m->pending);
	map_release(&m->globals);
}

bool cmodel_table(struct cprogram *p, struct str text, bool loads_unknown, const char *artifact, struct diag *d, uint32_t *given)
{
	struct model_table t;
	struct model_error e;

	*given = 0;
	if (model_table_read(&t, text, &e)) {
		struct models m;
		models_init(&m, p, &t);
		m.loads_unknown = loads_unknown;
		*given = give_bodies(&m);
		know_globals(&m);
		make_start(&m);
		e = m.error;
		models_release(&m);
	}
	model_table_release(&t);
	if (e.reason)
		diag_add(d, DIAG_E030, artifact, (struct str){ 0 }, e.line, "%s", e.reason);
	return !e.reason;
}

static struct str libc_table(void)
{
	return (struct str){ libc_model, (uint32_t)(sizeof(libc_model) - 1) };
}

uint32_t cmodel_libc(struct cprogram *p, bool loads_unknown)
{
	uint32_t given;

	cmodel_table(p, libc_table(), loads_unknown, "libc.model", NULL, &given);
	return given;
}

uint64_t cmodel_digest(void)
{
	struct str text = libc_table();

	return digest_str(DIGEST_START, text);
}
