/* SPDX-License-Identifier: Apache-2.0 */
/* print.c - a C program as text; text_p.h specifies the form. */
#include <inttypes.h>

#include "base/text/textreader.h"
#include "cir/text_p.h"

struct printer {
	const struct cprogram *p;
	struct strbuf *out;
	str_id file;                   /* of the function whose body this is */
};

/* `name%7`; in declarations also names that need quotes. */
static void print_row(const struct printer *w, str_id name, char sign, uint32_t id, bool declares)
{
	struct str s = interned(&w->p->names, name);

	if (id == 0) {
		strbuf_addch(w->out, '_');
		return;
	}
	if (cir_is_plain(s))
		strbuf_addstr(w->out, s);
	else if (declares && s.len > 0)
		text_quote(w->out, s, false);
	strbuf_addf(w->out, "%c%u", sign, (unsigned)id);
}

static void print_var(const struct printer *w, uint32_t v)
{
	print_row(w, w->p->vars.data[v].name, '%', v, false);
}

static void print_object(const struct printer *w, uint32_t o)
{
	print_row(w, w->p->objs.data[o].name, '@', o, false);
}

static void print_fn(const struct printer *w, cfn_id f)
{
	print_row(w, w->p->fns.data[f.i].name, '#', f.i, false);
}

static void print_layout_ref(const struct printer *w, clayout_id l)
{
	print_row(w, w->p->layouts.data[l.i].name, '$', l.i, false);
}

static void print_flags(const struct printer *w, const struct cir_flag *table, unsigned flags)
{
	for (; table->word; table++)
		if (flags & table->bit)
			strbuf_addf(w->out, " %s", table->word);
}

static void print_loc(const struct printer *w, cloc_id id)
{
	const struct cloc *l = &w->p->locs.data[id.i];

	if (id.i == 0)
		return;
	strbuf_adds(w->out, " !");
	if (l->file.i != w->file.i || l->file.i == 0) {
		text_quote(w->out, interned(&w->p->names, l->file), false);
		strbuf_addch(w->out, ':');
	}
	strbuf_addf(w->out, "%u:%u", (unsigned)l->line, (unsigned)l->column);
}

static void print_fields(const struct printer *w, const struct clayout *l)
{
	strbuf_adds(w->out, " {");
	for (uint32_t i = 0; i < l->nfields; i++) {
		const struct cfield *f = &w->p->fields.data[l->first + i];
		struct str name = interned(&w->p->names, f->name);

		strbuf_addf(w->out, "%s%" PRIu64 " ", i ? ", " : " ", f->offset);
		print_layout_ref(w, f->layout);
		strbuf_addch(w->out, ' ');
		if (cir_is_plain(name))
			strbuf_addstr(w->out, name);
		else if (name.len)
			text_quote(w->out, name, false);
		else
			strbuf_addch(w->out, '_');
	}
	strbuf_adds(w->out, " }");
}

static void print_layout(const struct printer *w, uint32_t id)
{
	const struct clayout *l = &w->p->layouts.data[id];
	static const char *const kinds[] = { "scalar", "struct", "array" };

	strbuf_adds(w->out, "layout ");
	print_row(w, l->name, '$', id, true);
	strbuf_addf(w->out, " %s %" PRIu64, kinds[l->kind], l->size);
	if (l->kind == CLAYOUT_STRUCT) {
		print_fields(w, l);
	} else if (l->kind == CLAYOUT_ARRAY) {
		strbuf_adds(w->out, " of ");
		print_layout_ref(w, l->elem);
		strbuf_addf(w->out, " x %" PRIu64, l->count);
	}
	strbuf_addch(w->out, '\n');
}

static void print_object_line(const struct printer *w, uint32_t id)
{
	const struct cobj *o = &w->p->objs.data[id];

	strbuf_adds(w->out, "object ");
	print_row(w, o->name, '@', id, true);
	strbuf_addf(w->out, " %s ", cir_obj_kinds[o->kind]);
	print_layout_ref(w, o->layout);
	strbuf_addf(w->out, " size %" PRIu64, o->size);
	print_flags(w, cir_obj_flags, o->flags);
	if (o->fn.i) {
		strbuf_adds(w->out, " in ");
		print_fn(w, o->fn);
	}
	print_loc(w, o->loc);
	strbuf_addch(w->out, '\n');
}

static bool is_plain_temp(const struct cvar *v, cfn_id fn)
{
	return v->kind == CVAR_TEMP && v->name.i == 0 && v->loc.i == 0 && v->fn.i == fn.i;
}

/* How many variables from `v` on are temporaries of one function without names. */
static uint32_t temps_run(const struct cprogram *p, uint32_t v)
{
	uint32_t n = 0;

	while (v + n < p->vars.len && n < CIR_TEMPS && is_plain_temp(&p->vars.data[v + n], p->vars.data[v].fn))
		n++;
	return n;
}

static uint32_t print_var_line(const struct printer *w, uint32_t v)
{
	const struct cvar *row = &w->p->vars.data[v];
	uint32_t n = temps_run(w->p, v);
	bool run = n > 0;

	if (run) {
		strbuf_addf(w->out, "temps %%%u..%%%u ", (unsigned)v, (unsigned)(v + n - 1));
	} else {
		strbuf_adds(w->out, "var ");
		print_row(w, row->name, '%', v, true);
		strbuf_addf(w->out, " %s ", cir_var_kinds[row->kind]);
		n = 1;
	}
	print_fn(w, row->fn);
	if (!run)
		print_loc(w, row->loc);
	strbuf_addch(w->out, '\n');
	return n;
}

static void print_args(const struct printer *w, uint32_t n, uint32_t (*arg)(const struct cprogram *p, uint32_t i), uint32_t first)
{
	strbuf_addch(w->out, '(');
	for (uint32_t i = 0; i < n; i++) {
		strbuf_adds(w->out, i ? ", " : "");
		print_var(w, arg(w->p, first + i));
	}
	strbuf_addch(w->out, ')');
}

static uint32_t itself(const struct cprogram *p, uint32_t i)
{
	(void)p;
	return i;
}

static uint32_t actual(const struct cprogram *p, uint32_t i)
{
	return p->args.data[i].i;
}

static void print_call(const struct printer *w, const struct ccall *c)
{
	if (c->result.i) {
		print_var(w, c->result.i);
		strbuf_adds(w->out, " = ");
	}
	strbuf_adds(w->out, "call ");
	if (c->callee.i) {
		print_fn(w, c->callee);
	} else {
		strbuf_addch(w->out, '*');
		print_var(w, c->pointer.i);
	}
	print_args(w, c->nargs, actual, c->args);
	print_flags(w, cir_call_flags, c->flags);
	if (c->hint.i) {
		strbuf_adds(w->out, " hint ");
		print_layout_ref(w, c->hint);
	}
	if (c->size)
		strbuf_addf(w->out, " size %" PRIu64, c->size);
	if (c->memory.i) {
		strbuf_adds(w->out, " memory ");
		print_object(w, c->memory.i);
	}
}

static void print_offset(const struct printer *w, int64_t off)
{
	strbuf_addf(w->out, " %c %" PRId64, off < 0 ? '-' : '+', off < 0 ? -off : off);
}

static void print_shift(const struct printer *w, const struct cstmt *s)
{
	print_var(w, s->src);
	print_offset(w, s->off);
	if (s->width)
		strbuf_addf(w->out, " + n*%u", (unsigned)s->width);
}

static void print_left(const struct printer *w, const struct cstmt *s)
{
	if (s->op == C_STORE || s->op == C_MOVE)
		strbuf_addch(w->out, '*');
	if (s->op == C_PUT) {
		print_object(w, s->dst);
		strbuf_addf(w->out, " at %" PRId32, s->off);
	} else {
		print_var(w, s->dst);
	}
	strbuf_adds(w->out, " = ");
}

static void print_right(const struct printer *w, const struct cstmt *s)
{
	if (s->op == C_ADDR) {
		strbuf_addch(w->out, '&');
		print_object(w, s->src);
		if (s->off)
			print_offset(w, s->off);
	} else if (s->op == C_SHIFT) {
		print_shift(w, s);
	} else if (s->op == C_GET) {
		print_object(w, s->src);
		strbuf_addf(w->out, " at %" PRId32, s->off);
	} else {
		strbuf_adds(w->out, s->op == C_LOAD || s->op == C_MOVE ? "*" : "");
		print_var(w, s->src);
	}
	if (s->op >= C_GET && s->width)
		strbuf_addf(w->out, " for %u", (unsigned)s->width);
}

static void print_stmt(const struct printer *w, const struct cstmt *s)
{
	strbuf_adds(w->out, "  ");
	if (s->op == C_CALL) {
		print_call(w, &w->p->calls.data[s->dst]);
	} else {
		print_left(w, s);
		print_right(w, s);
	}
	print_flags(w, cir_stmt_flags, s->flags);
	print_loc(w, s->loc);
	strbuf_addch(w->out, '\n');
}

static void print_body(struct printer *w, const struct cfn *f)
{
	w->file = w->p->locs.data[f->loc.i].file;
	strbuf_adds(w->out, "{\n");
	for (uint32_t i = 0; i < f->nstmts; i++)
		print_stmt(w, &w->p->stmts.data[f->stmts + i]);
	strbuf_adds(w->out, "}\n");
	w->file = (str_id){ 0 };
}

static void print_function(struct printer *w, uint32_t id)
{
	const struct cfn *f = &w->p->fns.data[id];

	strbuf_adds(w->out, "function ");
	print_row(w, f->name, '#', id, true);
	print_args(w, f->nparams, itself, f->params);
	strbuf_adds(w->out, " result ");
	print_var(w, f->result.i);
	strbuf_adds(w->out, " object ");
	print_object(w, f->obj.i);
	if (f->rest.i) {
		strbuf_adds(w->out, " rest ");
		print_object(w, f->rest.i);
	}
	print_flags(w, cir_fn_flags, f->flags);
	if (f->realloc)
		strbuf_addf(w->out, " moves %u", (unsigned)f->realloc - 1);
	if (f->returns)
		strbuf_addf(w->out, " returns %u", (unsigned)f->returns - 1);
	if (f->other.i) {
		strbuf_adds(w->out, " other ");
		print_var(w, f->other.i);
	}
	if (f->of.i) {
		strbuf_adds(w->out, " of ");
		print_fn(w, f->of);
	}
	print_loc(w, f->loc);
	strbuf_addch(w->out, '\n');
	if (f->flags & CFN_DEFINED)
		print_body(w, f);
}

static void print_note(const struct printer *w, const struct cnote *n)
{
	strbuf_addf(w->out, "note %s ", cir_note_kinds[n->kind]);
	print_fn(w, n->fn);
	print_loc(w, n->loc);
	strbuf_addch(w->out, ' ');
	text_quote(w->out, interned(&w->p->names, n->text), false);
	strbuf_addch(w->out, '\n');
}

static void print_use(const struct printer *w, const struct cuse *u)
{
	strbuf_adds(w->out, "use ");
	print_var(w, u->param.i);
	print_flags(w, cir_use_flags, u->flags);
	if (u->moves)
		strbuf_addf(w->out, " moves %u", (unsigned)u->moves - 1);
	strbuf_addch(w->out, '\n');
}

void cir_print(const struct cprogram *p, struct strbuf *out)
{
	struct printer w = { .p = p, .out = out };

	strbuf_addf(out, "cprogram %u\n", (unsigned)p->pointer_size);
	for (uint32_t i = 1; i < p->layouts.len; i++)
		print_layout(&w, i);
	for (uint32_t i = 1; i < p->objs.len; i++)
		print_object_line(&w, i);
	for (uint32_t i = 1; i < p->vars.len;)
		i += print_var_line(&w, i);
	for (uint32_t i = 1; i < p->fns.len; i++)
		print_function(&w, i);
	for (uint32_t i = 0; i < p->uses.len; i++)
		print_use(&w, &p->uses.data[i]);
	for (uint32_t i = 1; i < p->notes.len; i++)
		print_note(&w, &p->notes.data[i]);
	if (p->initialisers.i) {
		strbuf_adds(out, "initialisers ");
		print_fn(&w, p->initialisers);
		strbuf_addch(out, '\n');
	}
}
