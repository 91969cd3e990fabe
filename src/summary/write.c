/* SPDX-License-Identifier: Apache-2.0 */
/* write.c - a summary as text; docs/formats/summary.md describes it. */
#include <inttypes.h>

#include "base/text/textreader.h"
#include "cir/words.h"
#include "summary/form_p.h"

struct writer {
	const struct summary *s;
	const struct cprogram *p;
	struct strbuf *out;
	struct sform form;
	uint32_t fn;                   /* the function at hand; 0: none */
	uint32_t newest;               /* of the variables of no function, the last one that was new */
	uint32_t var, obj, note, use;  /* the next rows */
};

static struct str name_of(const struct writer *w, str_id s)
{
	return interned(&w->p->names, s);
}

static void put_label(const struct writer *w, str_id label)
{
	strbuf_addstr(w->out, interned(&w->form.text, label));
}

/* `_`: none */
static void put_name(const struct writer *w, str_id name)
{
	struct str s = name_of(w, name);

	if (!s.len)
		strbuf_addch(w->out, '_');
	else if (cir_is_plain(s))
		strbuf_addstr(w->out, s);
	else
		text_quote(w->out, s, false);
}

static void put_flags(const struct writer *w, const struct cir_flag *table, unsigned flags)
{
	for (; table->word; table++)
		if (flags & table->bit)
			strbuf_addf(w->out, " %s", table->word);
}

/* In the file of the function at hand: from its line on. */
static void put_loc(const struct writer *w, cloc_id id)
{
	const struct cloc *l = &w->p->locs.data[id.i], *fn = &w->p->locs.data[w->p->fns.data[w->fn].loc.i];
	int64_t ahead = (int64_t)l->line - fn->line;

	if (sform_same_loc(w->p, id, (cloc_id){ 0 }))
		return;
	strbuf_adds(w->out, " !");
	if (w->fn && fn->file.i && fn->file.i == l->file.i) {
		strbuf_addf(w->out, "%c%" PRId64 ":%u", ahead < 0 ? '-' : '+', ahead < 0 ? -ahead : ahead, (unsigned)l->column);
		return;
	}
	text_quote(w->out, name_of(w, l->file), false);
	strbuf_addf(w->out, ":%u:%u", (unsigned)l->line, (unsigned)l->column);
}

/* Layouts */

static void put_layout(const struct writer *w, clayout_id id)
{
	const struct clayout *l = &w->p->layouts.data[id.i];
	bool is_array = l->kind == CLAYOUT_ARRAY;

	if (!id.i) {
		strbuf_addch(w->out, '_');
	} else if (sform_is_row(l)) {
		put_label(w, w->form.layouts.data[id.i]);
	} else if (!is_array) {
		strbuf_addf(w->out, "%" PRIu64, l->size);
	} else {
		put_layout(w, l->elem);
		strbuf_addf(w->out, "[%" PRIu64, l->count);
		if (l->size != l->count * w->p->layouts.data[l->elem.i].size)
			strbuf_addf(w->out, ":%" PRIu64, l->size);
		strbuf_addch(w->out, ']');
	}
}

static void write_layout(const struct writer *w, uint32_t id)
{
	static const char *const kinds[] = { "scalar", "struct", "array" };
	const struct clayout *l = &w->p->layouts.data[id];

	strbuf_adds(w->out, "layout ");
	put_label(w, w->form.layouts.data[id]);
	strbuf_addf(w->out, " %s %" PRIu64, kinds[l->kind], l->size);
	if (l->kind == CLAYOUT_ARRAY) {
		strbuf_adds(w->out, " of ");
		put_layout(w, l->elem);
		strbuf_addf(w->out, " x %" PRIu64, l->count);
	}
	strbuf_addch(w->out, '\n');
	for (uint32_t i = 0; l->kind == CLAYOUT_STRUCT && i < l->nfields; i++) {
		const struct cfield *f = &w->p->fields.data[l->first + i];
		strbuf_addf(w->out, "  %" PRIu64 " ", f->offset);
		put_layout(w, f->layout);
		strbuf_addch(w->out, ' ');
		put_name(w, f->name);
		strbuf_addch(w->out, '\n');
	}
}

/* Rows that are named */

static void put_owner(const struct writer *w, uint32_t fn)
{
	if (fn == w->fn || !fn)
		return;
	put_label(w, w->form.fns.data[fn]);
	strbuf_addch(w->out, ':');
}

static void put_object(const struct writer *w, uint32_t o)
{
	if (o && w->p->objs.data[o].kind != COBJ_FUNCTION)
		put_owner(w, w->p->objs.data[o].fn.i);
	if (o)
		put_label(w, w->form.objs.data[o]);
	else
		strbuf_addch(w->out, '_');
}

static void put_var(struct writer *w, uint32_t v)
{
	const struct cvar *row = &w->p->vars.data[v];

	if (!v) {
		strbuf_addch(w->out, '_');
	} else if (row->fn.i) {
		put_owner(w, row->fn.i);
		put_label(w, w->form.vars.data[v]);
	} else if (v == w->newest + 1) {
		strbuf_addch(w->out, '^');
		w->newest++;
	} else if (v <= w->newest) {
		strbuf_addch(w->out, '~');
		if (v < w->newest)
			strbuf_addf(w->out, "%u", (unsigned)(w->newest - v));
	} else {
		strbuf_addf(w->out, "::%u", (unsigned)v);
	}
}

/* Statements */

static void put_call(struct writer *w, const struct ccall *c)
{
	if (c->result.i) {
		put_var(w, c->result.i);
		strbuf_adds(w->out, " = ");
	}
	strbuf_adds(w->out, "call ");
	if (c->callee.i) {
		put_label(w, w->form.fns.data[c->callee.i]);
	} else {
		strbuf_addch(w->out, '*');
		put_var(w, c->pointer.i);
	}
	for (uint32_t i = 0; i < c->nargs; i++) {
		strbuf_adds(w->out, i ? ", " : "(");
		put_var(w, w->p->args.data[c->args + i].i);
	}
	strbuf_adds(w->out, c->nargs ? ")" : "()");
	put_flags(w, cir_call_flags, c->flags);
	if (c->hint.i) {
		strbuf_adds(w->out, " hint ");
		put_layout(w, c->hint);
	}
	if (c->size)
		strbuf_addf(w->out, " size %" PRIu64, c->size);
	if (c->memory.i) {
		strbuf_adds(w->out, " memory ");
		put_object(w, c->memory.i);
	}
}

static void put_offset(const struct writer *w, int64_t off)
{
	strbuf_addf(w->out, " %c %" PRId64, off < 0 ? '-' : '+', off < 0 ? -off : off);
}

static void put_left(struct writer *w, const struct cstmt *s)
{
	if (s->op == C_PUT) {
		put_object(w, s->dst);
		strbuf_addf(w->out, " at %" PRId32, s->off);
	} else {
		strbuf_adds(w->out, s->op == C_STORE || s->op == C_MOVE ? "*" : "");
		put_var(w, s->dst);
	}
	strbuf_adds(w->out, " = ");
}

static void put_right(struct writer *w, const struct cstmt *s)
{
	if (s->op == C_ADDR || s->op == C_GET) {
		strbuf_adds(w->out, s->op == C_ADDR ? "&" : "");
		put_object(w, s->src);
		if (s->op == C_GET)
			strbuf_addf(w->out, " at %" PRId32, s->off);
		else if (s->off)
			put_offset(w, s->off);
	} else {
		strbuf_adds(w->out, s->op == C_LOAD || s->op == C_MOVE ? "*" : "");
		put_var(w, s->src);
		if (s->op == C_SHIFT)
			put_offset(w, s->off);
	}
	if (s->width)
		strbuf_addf(w->out, s->op == C_SHIFT ? " + n*%u" : " for %u", (unsigned)s->width);
}

static void write_stmt(struct writer *w, const struct cstmt *s)
{
	strbuf_adds(w->out, "  ");
	if (s->op == C_CALL) {
		put_call(w, &w->p->calls.data[s->dst]);
	} else {
		put_left(w, s);
		put_right(w, s);
	}
	put_flags(w, cir_stmt_flags, s->flags);
	put_loc(w, s->loc);
	strbuf_addch(w->out, '\n');
}

/* Declarations */

static void write_object(const struct writer *w, uint32_t id)
{
	const struct cobj *o = &w->p->objs.data[id];

	strbuf_adds(w->out, o->fn.i ? "  object " : "object ");
	put_label(w, w->form.objs.data[id]);
	strbuf_addf(w->out, " %s ", cir_obj_kinds[o->kind]);
	put_layout(w, o->layout);
	if (o->size)
		strbuf_addf(w->out, " size %" PRIu64, o->size);
	put_flags(w, cir_obj_flags, o->flags);
	put_loc(w, o->loc);
	strbuf_addch(w->out, '\n');
}

/* A function's object has its name and place, unless it is said here. */
static void write_address(const struct writer *w)
{
	const struct cfn *f = &w->p->fns.data[w->fn];
	const struct cobj *o = &w->p->objs.data[f->obj.i];
	bool is_there = sform_same_loc(w->p, o->loc, f->loc);

	if (o->name.i == f->name.i && is_there && !o->layout.i && !o->size && o->flags == (f->flags & CFN_STATIC ? COBJ_STATIC : 0))
		return;
	strbuf_adds(w->out, "  address");
	put_flags(w, cir_obj_flags, o->flags);
	if (o->name.i != f->name.i) {
		strbuf_adds(w->out, " name ");
		put_name(w, o->name);
	}
	if (o->layout.i) {
		strbuf_adds(w->out, " layout ");
		put_layout(w, o->layout);
	}
	if (o->size)
		strbuf_addf(w->out, " size %" PRIu64, o->size);
	if (!is_there) {
		strbuf_adds(w->out, " elsewhere");
		put_loc(w, o->loc);
	}
	strbuf_addch(w->out, '\n');
}

static bool is_plain_temp(const struct writer *w, uint32_t v)
{
	const struct cvar *row = &w->p->vars.data[v];

	return row->kind == CVAR_TEMP && !row->name.i && sform_same_loc(w->p, row->loc, (cloc_id){ 0 });
}

static bool is_here(const struct writer *w)
{
	return w->var < w->p->vars.len && w->p->vars.data[w->var].fn.i == w->fn;
}

static void write_var(struct writer *w, const char *kind)
{
	const struct cvar *row = &w->p->vars.data[w->var];

	strbuf_addf(w->out, "%s%s ", w->fn ? "  " : "", kind);
	if (w->fn)
		put_label(w, w->form.vars.data[w->var]);
	else
		put_name(w, row->name);
	put_loc(w, row->loc);
	strbuf_addch(w->out, '\n');
	w->var++;
}

static void write_vars(struct writer *w)
{
	while (is_here(w)) {
		uint32_t first = w->var;
		while (is_here(w) && is_plain_temp(w, w->var))
			w->var++;
		if (w->var > first)
			strbuf_addf(w->out, "%stemps %u\n", w->fn ? "  " : "", (unsigned)(w->var - first));
		else
			write_var(w, cir_var_kinds[w->p->vars.data[w->var].kind]);
	}
}

static void write_param(struct writer *w)
{
	strbuf_adds(w->out, "  param ");
	put_label(w, w->form.vars.data[w->var]);
	if (w->use < w->p->uses.len && w->p->uses.data[w->use].param.i == w->var) {
		const struct cuse *u = &w->p->uses.data[w->use++];
		strbuf_adds(w->out, " use");
		put_flags(w, cir_use_flags, u->flags);
		if (u->moves)
			strbuf_addf(w->out, " moves %u", (unsigned)u->moves - 1);
	}
	put_loc(w, w->p->vars.data[w->var].loc);
	strbuf_addch(w->out, '\n');
	w->var++;
}

static void write_notes(struct writer *w)
{
	for (; w->note < w->p->notes.len && w->p->notes.data[w->note].fn.i == w->fn; w->note++) {
		const struct cnote *n = &w->p->notes.data[w->note];
		strbuf_addf(w->out, "%snote %s ", w->fn ? "  " : "", cir_note_kinds[n->kind]);
		put_name(w, n->text);
		put_loc(w, n->loc);
		strbuf_addch(w->out, '\n');
	}
}

static void write_objects(struct writer *w)
{
	for (; w->obj < w->p->objs.len; w->obj++) {
		const struct cobj *o = &w->p->objs.data[w->obj];
		if (o->fn.i != w->fn || o->kind == COBJ_FUNCTION)
			return;
		write_object(w, w->obj);
	}
}

/* Functions */

static void write_head(const struct writer *w, const struct cfn *f)
{
	uint32_t fn = w->fn;

	strbuf_adds(w->out, "\nfunction ");
	put_label(w, w->form.fns.data[fn]);
	put_flags(w, cir_fn_flags, f->flags);
	if (w->p->initialisers.i == fn)
		strbuf_adds(w->out, " initialises");
	if (f->realloc)
		strbuf_addf(w->out, " moves %u", (unsigned)f->realloc - 1);
	if (f->returns)
		strbuf_addf(w->out, " returns %u", (unsigned)f->returns - 1);
	put_loc(&(struct writer){ .p = w->p, .out = w->out }, f->loc);
	strbuf_addch(w->out, '\n');
}

static void write_result(struct writer *w)
{
	const struct cvar *v = &w->p->vars.data[w->var];

	if (v->name.i || !sform_same_loc(w->p, v->loc, (cloc_id){ 0 }))
		write_var(w, "result");
	else
		w->var++;
}

static void write_references(struct writer *w, const struct cfn *f)
{
	if (f->rest.i) {
		strbuf_adds(w->out, "  rest ");
		put_object(w, f->rest.i);
		strbuf_addch(w->out, '\n');
	}
	if (f->other.i) {
		strbuf_adds(w->out, "  other ");
		put_var(w, f->other.i);
		strbuf_addch(w->out, '\n');
	}
	if (f->of.i) {
		strbuf_adds(w->out, "  of ");
		put_label(w, w->form.fns.data[f->of.i]);
		strbuf_addch(w->out, '\n');
	}
}

static void write_function(struct writer *w)
{
	const struct cfn *f = &w->p->fns.data[w->fn];

	write_head(w, f);
	write_address(w);
	for (uint32_t i = 0; i < f->nparams; i++)
		write_param(w);
	write_result(w);
	write_vars(w);
	write_objects(w);
	write_references(w, f);
	write_notes(w);
	for (uint32_t i = 0; i < f->nstmts; i++)
		write_stmt(w, &w->p->stmts.data[f->stmts + i]);
}

/* The head, and the whole */

static void write_origin(const struct writer *w)
{
	const struct summary *s = w->s;

	strbuf_addf(w->out, SUMMARY_TEXT "%d\nlibrary ", SUMMARY_VERSION);
	put_name(w, s->library);
	strbuf_addf(w->out, "\noptions%s\n", s->options & SUMMARY_OPTIMISED ? " optimised" : "");
	for (uint32_t i = 0; i < s->modules.len; i++) {
		strbuf_adds(w->out, "module ");
		put_name(w, s->modules.data[i].name);
		strbuf_addf(w->out, " %016" PRIx64 "\n", s->modules.data[i].digest);
	}
	strbuf_addf(w->out, "exports %016" PRIx64 "\nmodels %016" PRIx64 "\n", s->exports, s->models);
	for (uint32_t i = 0; i < s->uses.len; i++) {
		strbuf_adds(w->out, "uses ");
		put_name(w, s->uses.data[i].name);
		strbuf_addf(w->out, " %016" PRIx64 "\n", s->uses.data[i].digest);
	}
	if (s->attached.i) {
		strbuf_adds(w->out, "attached ");
		put_name(w, s->attached);
		strbuf_addch(w->out, '\n');
	}
	for (uint32_t i = 0; i < s->inner.len; i++) {
		strbuf_adds(w->out, "inner ");
		put_name(w, s->inner.data[i]);
		strbuf_addch(w->out, '\n');
	}
	strbuf_addf(w->out, "pointers %u\n\n", (unsigned)s->program.pointer_size);
}

static void write_declarations(struct writer *w)
{
	for (uint32_t i = 0; i < w->form.order.len; i++)
		if (sform_is_row(&w->p->layouts.data[w->form.order.data[i]]))
			write_layout(w, w->form.order.data[i]);
	strbuf_addch(w->out, '\n');
	write_objects(w);
	write_vars(w);
	write_notes(w);
}

static void write_aliases(const struct writer *w)
{
	if (w->p->aliases.len)
		strbuf_addch(w->out, '\n');
	for (uint32_t i = 0; i < w->p->aliases.len; i++) {
		strbuf_adds(w->out, "alias ");
		put_name(w, w->p->aliases.data[i].name);
		strbuf_addch(w->out, ' ');
		put_object(w, w->p->aliases.data[i].obj.i);
		strbuf_addch(w->out, '\n');
	}
}

void summary_write_text(const struct summary *s, struct strbuf *out)
{
	struct writer w = { .s = s, .p = &s->program, .out = out, .var = 1, .obj = 1, .note = 1 };
	size_t from = out->len;

	sform_init(&w.form, w.p);
	write_origin(&w);
	write_declarations(&w);
	for (w.fn = 1; w.fn < w.p->fns.len; w.fn++)
		write_function(&w);
	w.fn = 0;
	write_aliases(&w);
	strbuf_addf(out, "\nend %016" PRIx64 "\n", digest_add(DIGEST_START, out->s + from, out->len - from));
	sform_release(&w.form);
}
