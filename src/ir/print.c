/* SPDX-License-Identifier: Apache-2.0 */
/* print.c - bodies as text; docs/ir.md specifies the form. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text/textreader.h"
#include "ir/arith.h"
#include "ir/text_p.h"

struct printer {
	const struct program *p;
	const struct ir_body *b;
	struct strbuf *out;
};

static void print_name(struct strbuf *out, struct str s)
{
	if (ir_is_plain_name(s))
		strbuf_addstr(out, s);
	else
		text_quote(out, s, true);
}

static void print_sel(const struct printer *w, sel_id sel)
{
	struct str desc = sel_desc(w->p, sel);

	print_name(w->out, sel_name(w->p, sel));
	strbuf_addch(w->out, ':');
	if (ir_is_plain_desc(desc))
		strbuf_addstr(w->out, desc);
	else
		text_quote(w->out, desc, true);
}

static void print_member(const struct printer *w, class_id owner, sel_id sel)
{
	print_name(w->out, class_name(w->p, owner));
	strbuf_addch(w->out, '.');
	print_sel(w, sel);
}

static void print_method_ref(const struct printer *w, mref_id m)
{
	const struct ir_mref *row = mref_row(w->p, m);

	if (row->is_interface)
		strbuf_adds(w->out, "interface ");
	print_member(w, row->owner, row->sel);
}

static void print_field_ref(const struct printer *w, fref_id f)
{
	const struct ir_fref *row = fref_row(w->p, f);

	print_member(w, row->owner, row->sel);
}

/* A decimal number that reads back as the same bits, or else the bits. */
static void print_float(struct strbuf *out, uint32_t bits)
{
	float f, back;
	char text[40];

	memcpy(&f, &bits, sizeof(f));
	snprintf(text, sizeof(text), "%.9g", (double)f);
	back = strtof(text, NULL);
	if (isfinite(f) && memcmp(&back, &f, sizeof(f)) == 0)
		strbuf_adds(out, text);
	else
		strbuf_addf(out, "0x%08lx", (unsigned long)bits);
}

static void print_double(struct strbuf *out, int64_t bits)
{
	double d, back;
	char text[40];

	memcpy(&d, &bits, sizeof(d));
	snprintf(text, sizeof(text), "%.17g", d);
	back = strtod(text, NULL);
	if (isfinite(d) && memcmp(&back, &d, sizeof(d)) == 0)
		strbuf_adds(out, text);
	else
		strbuf_addf(out, "0x%016llx", (unsigned long long)bits);
}

static void print_dynamic(const struct printer *w, const struct ir_dynamic *d)
{
	print_sel(w, d->sel);
	if (d->bootstrap.i) {
		strbuf_adds(w->out, " by ");
		print_method_ref(w, d->bootstrap);
	}
}

static void print_handle(const struct printer *w, const struct ir_stmt *s)
{
	strbuf_addf(w->out, "%s ", ir_handle_names[s->sub]);
	if (ir_is_field_handle(s->sub))
		print_field_ref(w, (fref_id){ s->ref });
	else
		print_method_ref(w, (mref_id){ s->ref });
}

static void print_ref(const struct printer *w, const struct ir_stmt *s)
{
	struct strbuf *out = w->out;

	if (ir_ops[s->op].ref == IR_REF_NONE || s->op == IR_SWITCH)
		return;
	strbuf_addch(out, ' ');
	if (s->op == IR_CONST_HANDLE)
		print_handle(w, s);
	else if (s->op == IR_CONST_FLOAT)
		print_float(out, s->ref);
	else if (s->op == IR_CONST_DOUBLE)
		print_double(out, w->b->longs[s->ref]);
	else if (ir_ops[s->op].ref == IR_REF_INT)
		strbuf_addf(out, "%ld", (long)(int32_t)s->ref);
	else if (ir_ops[s->op].ref == IR_REF_LONG)
		strbuf_addf(out, "%lld", (long long)w->b->longs[s->ref]);
	else if (ir_ops[s->op].ref == IR_REF_STRING)
		text_quote(out, interned(&w->p->strings, (str_id){ s->ref }), true);
	else if (ir_ops[s->op].ref == IR_REF_CLASS)
		print_name(out, class_name(w->p, (class_id){ s->ref }));
	else if (ir_ops[s->op].ref == IR_REF_MREF)
		print_method_ref(w, (mref_id){ s->ref });
	else if (ir_ops[s->op].ref == IR_REF_FREF)
		print_field_ref(w, (fref_id){ s->ref });
	else if (ir_ops[s->op].ref == IR_REF_PARAM)
		strbuf_addf(out, "%u", (unsigned)s->ref);
	else
		print_dynamic(w, &w->b->dynamics[s->ref]);
}

static void print_op(const struct printer *w, const struct ir_stmt *s)
{
	strbuf_adds(w->out, ir_ops[s->op].text);
	if (s->op == IR_ARITH || s->op == IR_IF)
		strbuf_addf(w->out, ".%s", ir_ariths[s->sub & 255].name);
	else if (s->op == IR_ALOAD || s->op == IR_ASTORE)
		strbuf_addf(w->out, ".%s", ir_kind_names[s->sub]);
	else if (ir_is_call(s->op) && s->sub)
		strbuf_addf(w->out, " %s", ir_call_names[s->sub]);
	else if (s->op == IR_CAST && s->sub)
		strbuf_adds(w->out, " known");
}

static void print_args(const struct printer *w, const struct ir_stmt *s)
{
	for (uint32_t i = 0; i < s->nargs; i++)
		strbuf_addf(w->out, "%sv%u", i ? ", " : " (", (unsigned)w->b->args[s->args + i]);
	if (s->nargs)
		strbuf_addch(w->out, ')');
}

static void print_targets(const struct printer *w, const struct ir_stmt *s, const struct ir_block *k)
{
	const uint32_t *succs = w->b->edges + k->succs;

	for (uint32_t i = 0; i < k->nsuccs; i++) {
		strbuf_adds(w->out, i ? ", " : " ");
		if (s->op == IR_SWITCH && i == 0)
			strbuf_adds(w->out, "default ");
		else if (s->op == IR_SWITCH)
			strbuf_addf(w->out, "%lld ", (long long)w->b->longs[s->ref + i - 1]);
		strbuf_addf(w->out, "b%u", (unsigned)succs[i]);
	}
}

static void print_stmt(const struct printer *w, const struct ir_stmt *s, const struct ir_block *k)
{
	strbuf_adds(w->out, "  ");
	if (s->result) {
		enum ir_kind kind = w->b->kinds[s->result];

		if (kind != ir_default_kind(w->p, s, w->b->dynamics))
			strbuf_addf(w->out, "%s ", ir_kind_names[kind]);
		strbuf_addf(w->out, "v%u = ", (unsigned)s->result);
	}
	print_op(w, s);
	print_ref(w, s);
	print_args(w, s);
	if (ir_is_terminator(s->op))
		print_targets(w, s, k);
	if (s->pc)
		strbuf_addf(w->out, " @%u", (unsigned)s->pc);
	strbuf_addch(w->out, '\n');
}

static void print_edges(const struct printer *w, const char *what, uint32_t first, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		strbuf_addf(w->out, "%s b%u", i ? "" : what, (unsigned)w->b->edges[first + i]);
}

static void print_block(const struct printer *w, uint32_t n)
{
	const struct ir_block *k = &w->b->blocks[n];

	strbuf_addf(w->out, "b%u:", (unsigned)n);
	print_edges(w, " preds", k->preds, k->npreds);
	print_edges(w, " handlers", k->handlers, k->nhandlers);
	if (k->pc)
		strbuf_addf(w->out, " @%u", (unsigned)k->pc);
	strbuf_addch(w->out, '\n');
	for (uint32_t i = k->first; i < k->end; i++)
		print_stmt(w, &w->b->stmts[i], k);
}

void body_print(const struct program *p, const struct ir_body *b, struct strbuf *out)
{
	struct printer w = { p, b, out };

	for (uint32_t n = 0; n < b->nblocks; n++)
		print_block(&w, n);
}

void body_print_head(const struct program *p, class_id owner, sel_id sel, struct strbuf *out)
{
	struct printer w = { .p = p, .out = out };

	strbuf_adds(out, "method ");
	print_member(&w, owner, sel);
}
