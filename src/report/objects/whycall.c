/* SPDX-License-Identifier: Apache-2.0 */
/* whycall.c - why one method may call another: the site, the receiver, and its way from creation to the call. When
 * there is no such call: whether the methods are reachable, and the sites that come nearest. */
#include "ir/access.h"
#include "report/write/json.h"
#include "report/java/names.h"
#include "report/java/order.h"
#include "report/objects/basis.h"
#include "report/objects/pta.h"
#include "report/objects/steps.h"
#include "report/objects/steps_json.h"

#define MAX_NEAR 10        /* sites that are shown when none calls the callee */
#define MAX_SHOWN 8        /* receiver classes of each */

enum no_call { NO_CALLER, NO_CALLEE, NO_SITE };
static const char *const no_call_names[] = { "caller-unreachable", "callee-unreachable", "no-site" };

static enum no_call why_not(const struct whycall *w)
{
	if (!callgraph_reaches(w->graph, w->caller))
		return NO_CALLER;
	return callgraph_reaches(w->graph, w->callee) ? NO_SITE : NO_CALLEE;
}

/* Does the site call a method of the callee's name and descriptor? */
static bool is_near(const struct program *p, const struct cg_site *s, method_id callee)
{
	return s->mref.i && mref_row(p, s->mref)->sel.i == method_row(p, callee)->sel.i;
}

/* Where no object is followed, the call says it. */
static bool is_dispatched(const struct whycall *w)
{
	unsigned op = w->witness.site.op;

	return w->facts ? w->witness.has_receiver : op == IR_CALL_VIRTUAL || op == IR_CALL_INTERFACE;
}

/* The site of the witness rests on these; none, if it is not by a dynamic feature. */
static uint32_t find_basis(const struct whycall *w, struct dynamic_basis rows[MAX_BASIS])
{
	const struct pta_witness *v = &w->witness;
	uint32_t site = w->features && v->site.implied > 1 && !v->site.fact ? dynamic_find(w->features, w->caller, v->site.pc) : 0;

	return site ? dynamic_explain(w->features, site, w->callee, rows) : 0;
}

/* JSON */

struct writer {
	struct step_json k;
	const struct whycall *w;
	const struct report_head *head;
	struct order order;
};

static void write_site(struct writer *x, const struct cg_site *s)
{
	struct json *j = &x->k.j;
	uint32_t line = line_of(x->k.p, x->w->caller, s->pc);

	strbuf_clear(&x->k.text);
	strbuf_addstr(&x->k.text, names_method(&x->k.names, x->w->caller));
	strbuf_addf(&x->k.text, "@%u", (unsigned)s->pc);
	json_key(j, "site"), json_escaped(j, strbuf_str(&x->k.text));
	json_key(j, "pc"), json_uint(j, s->pc);
	if (line)
		json_key(j, "line"), json_uint(j, line);
	json_key(j, "op"), json_escaped(j, str_of(op_name(s->op)));
	if (s->mref.i)
		json_key(j, "declared"), json_escaped(j, names_mref(&x->k.names, s->mref));
}

static void write_step(struct writer *x, const struct pta_step *s)
{
	struct json *j = &x->k.j;

	json_break(j);
	json_object(j);
	json_key(j, "step"), json_escaped(j, str_of(step_name(x->k.p, s)));
	if (s->sort == STEP_THROWN)
		step_json_method(&x->k, "method", s->method);
	else if (s->method.i)
		step_json_code(&x->k, s->method, s->pc);
	if (s->value)
		step_json_value(&x->k, s->value);
	if (s->field.i)
		step_json_field(&x->k, s->field);
	if (s->sort == STEP_FIELD || s->sort == STEP_ELEMENT)
		step_json_object(&x->k, "object", s->place);
	json_end_object(j);
}

static void write_witness(struct writer *x)
{
	const struct pta_witness *v = &x->w->witness;
	struct dynamic_basis rows[MAX_BASIS];
	struct json *j = &x->k.j;

	json_key(j, "call"), json_object(j);
	write_site(x, &v->site);
	if (v->site.fact && v->site.fact <= x->head->facts.n)
		json_key(j, "fact"), json_str(j, str_of(x->head->facts.data[v->site.fact - 1].path));
	json_end_object(j);
	json_key(j, "dispatched"), json_bool(j, is_dispatched(x->w));
	basis_json(&x->k, rows, find_basis(x->w, rows));
	if (!v->has_receiver)
		return;
	json_break(j);
	step_json_object(&x->k, "receiver", v->place);
	json_key(j, "steps"), json_array(j);
	for (uint32_t i = 0; i < v->nsteps; i++)
		if (!v->steps[i].is_hidden)
			write_step(x, &v->steps[i]);
	json_end_array(j);
}

static void write_near_site(struct writer *x, const struct cg_site *s)
{
	struct cg_classes c = order_receivers(&x->order, s);

	json_break(&x->k.j);
	json_object(&x->k.j);
	write_site(x, s);
	json_key(&x->k.j, "receivers"), json_array(&x->k.j);
	for (uint32_t i = 0; i < c.n; i++)
		json_escaped(&x->k.j, names_class(&x->k.names, c.classes[i]));
	json_end_array(&x->k.j);
	if (s->open)
		json_key(&x->k.j, "open"), json_bool(&x->k.j, true);
	json_end_object(&x->k.j);
}

static void write_no_call(struct writer *x)
{
	enum no_call reason = why_not(x->w);
	uint32_t n = 0;
	const struct cg_site *sites = reason == NO_CALLER ? NULL : callgraph_sites(x->w->graph, x->w->caller, &n);

	json_key(&x->k.j, "reason"), json_escaped(&x->k.j, str_of(no_call_names[reason]));
	json_key(&x->k.j, "sites"), json_array(&x->k.j);
	for (uint32_t i = 0; i < n; i++)
		if (is_near(x->k.p, &sites[i], x->w->callee))
			write_near_site(x, &sites[i]);
	json_end_array(&x->k.j);
}

bool report_whycall_json(struct sink *out, const struct whycall *w, const struct report_head *head)
{
	struct writer x = { .w = w, .head = head };
	struct json *j = &x.k.j;

	order_init(&x.order, w->graph);
	step_json_init(&x.k, out, w->graph, w->facts, NULL);
	json_object(j);
	json_key(j, "schema"), json_escaped(j, STR("sherd/why-call/1"));
	json_key(j, "algorithm"), json_str(j, str_of(head->algorithm));
	if (head->assume)
		json_key(j, "assume"), json_str(j, str_of(head->assume));
	json_key(j, "entry"), json_str(j, str_of(head->entry));
	sources_json(j, &head->facts);
	settings_json(j, &head->settings);
	json_break(j);
	step_json_method(&x.k, "caller", w->caller);
	step_json_method(&x.k, "callee", w->callee);
	json_key(j, "found"), json_bool(j, w->witness.found);
	json_break(j);
	if (w->witness.found)
		write_witness(&x);
	else
		write_no_call(&x);
	json_end_object(j);
	sink_putc(out, '\n');
	order_release(&x.order);
	step_json_release(&x.k);
	return sink_finish(out);
}

/* Text */

struct screen {
	struct rows rows;
	const struct whycall *w;
	const struct report_head *head;
	struct order order;
};

static void show_label(struct screen *x, const char *label)
{
	screen_label(&x->rows.s, label);
}

static const char *maker_of(const struct cg_site *s)
{
	if (s->implied == 1 + DYNAMIC_CALLBACK)
		return " by unknown code, which is called here";
	return s->implied > 1 ? " by reflection" : s->implied ? ", implied" : "";
}

static void show_site(struct screen *x, const struct cg_site *s)
{
	struct strbuf text = { 0 };

	show_label(x, "Call");
	add_place(&x->rows.brief, x->w->caller, s->pc, &text);
	strbuf_addf(&text, "  %s call%s", op_name(s->op), maker_of(s));
	if (s->mref.i) {
		strbuf_adds(&text, " of ");
		strbuf_addstr(&text, names_mref(&x->rows.source, s->mref));
	}
	rows_end_label(&x->rows, &text);
	if (!s->fact || s->fact > x->head->facts.n)
		return;
	show_label(x, "Fact");
	escape_add(&text, ESCAPE_PLAIN, str_of(x->head->facts.data[s->fact - 1].path));
	rows_end_label(&x->rows, &text);
}

static void show_receiver(struct screen *x, uint32_t place)
{
	struct strbuf text = { 0 };

	show_label(x, "Receiver");
	rows_add_object(&x->rows, place, &text);
	if (pta_place(x->w->facts, place).sort == PLACE_CLASS)
		strbuf_adds(&text, "; its objects are not told apart");
	rows_end_label(&x->rows, &text);
}

static bool show_basis(struct screen *x)
{
	struct dynamic_basis rows[MAX_BASIS];
	uint32_t n = find_basis(x->w, rows);

	basis_show(&x->rows, rows, n, x->head->assume);
	return n > 0;
}

static void show_witness(struct screen *x)
{
	const struct pta_witness *v = &x->w->witness;

	show_site(x, &v->site);
	if (!x->w->facts && is_dispatched(x->w)) {
		sink_puts(x->rows.s.out, "\nNo object is followed: objects of each class that can be there count.\n");
		show_basis(x);
		return;
	}
	if (!v->has_receiver && v->site.implied > 1 && show_basis(x))
		return;
	if (!v->has_receiver) {
		bool is_callback = v->site.implied == 1 + DYNAMIC_CALLBACK;
		sink_puts(x->rows.s.out, is_callback ? "\nAn object that has the method is passed to unknown code, which may call it back.\n" :
				  "\nThe call is not dispatched: the reference alone decides which method runs.\n");
		return;
	}
	show_receiver(x, v->place);
	if (v->nsteps < 2) {        /* only the call itself */
		rows_show_no_way(&x->rows, x->head->assume);
		return;
	}
	screen_puts(&x->rows.s, STYLE_BOLD, "\nThe way of the receiver\n");
	rows_measure_steps(&x->rows, v);
	rows_measured(&x->rows);
	rows_show_steps(&x->rows, v);
	show_basis(x);
	screen_puts(&x->rows.s, STYLE_DIM, "\n  Variables have the numbers that sherd dump shows.\n");
}

static void show_near_site(struct screen *x, const struct cg_site *s)
{
	struct strbuf text = { 0 };
	struct cg_classes c = order_receivers(&x->order, s);

	strbuf_adds(&text, "  ");
	add_place(&x->rows.brief, x->w->caller, s->pc, &text);
	strbuf_adds(&text, "  calls ");
	strbuf_addstr(&text, names_mref(&x->rows.source, s->mref));
	for (uint32_t i = 0; i < c.n && i < MAX_SHOWN; i++) {
		strbuf_adds(&text, i ? ", " : " on ");
		strbuf_addstr(&text, names_class(&x->rows.brief, c.classes[i]));
	}
	if (c.n > MAX_SHOWN)
		strbuf_addf(&text, ", … %u more", (unsigned)(c.n - MAX_SHOWN));
	if (s->open)
		strbuf_adds(&text, c.n ? ", and on objects of unknown class" : " on objects of unknown class");
	rows_end_line(&x->rows, &text, 4);
}

static void show_near(struct screen *x)
{
	uint32_t n, near = 0;
	const struct cg_site *sites = callgraph_sites(x->w->graph, x->w->caller, &n);

	for (uint32_t i = 0; i < n && near < MAX_NEAR; i++)
		if (is_near(x->rows.p, &sites[i], x->w->callee)) {
			if (!near++)
				screen_puts(&x->rows.s, STYLE_BOLD, "\nCalls of that name\n");
			show_near_site(x, &sites[i]);
		}
}

static void show_unreachable(struct screen *x, method_id m)
{
	bool is_abstract = method_row(x->rows.p, m)->flags & ACCESS_ABSTRACT;

	sink_str(x->rows.s.out, names_method(&x->rows.source, m));
	if (is_abstract)
		sink_puts(x->rows.s.out, " is abstract: it has no code. Ask for a method that implements it.\n");
	else
		sink_printf(x->rows.s.out, " is not reachable from %s.\n", x->head->entry);
}

static void show_no_call(struct screen *x)
{
	enum no_call reason = why_not(x->w);

	sink_putc(x->rows.s.out, '\n');
	if (reason == NO_SITE)
		sink_puts(x->rows.s.out, "Both are reachable, but no call site of the first calls the second.\n");
	else
		show_unreachable(x, reason == NO_CALLER ? x->w->caller : x->w->callee);
	if (reason != NO_CALLER)
		show_near(x);
}

static void show_title(struct screen *x)
{
	struct strbuf text = { 0 };

	strbuf_adds(&text, x->w->witness.found ? "Why " : "No call: ");
	strbuf_addstr(&text, names_method(&x->rows.source, x->w->caller));
	strbuf_adds(&text, x->w->witness.found ? " may call " : " to ");
	strbuf_addstr(&text, names_method(&x->rows.source, x->w->callee));
	strbuf_addch(&text, '\n');
	screen_puts(&x->rows.s, x->w->witness.found ? STYLE_BOLD : STYLE_RED, text.s);
	strbuf_release(&text);
}

bool report_whycall_text(struct sink *out, const struct whycall *w, const struct report_head *head)
{
	struct screen x = { .w = w, .head = head };
	struct strbuf text = { 0 };

	rows_init(&x.rows, out, w->graph, w->facts, head);
	order_init(&x.order, w->graph);
	show_title(&x);
	show_label(&x, "Analysis");
	strbuf_adds(&text, head->algorithm);
	if (head->assume)
		strbuf_addf(&text, ", assuming %s,", head->assume);
	strbuf_adds(&text, " from ");
	escape_add(&text, ESCAPE_PLAIN, str_of(head->entry));
	rows_end_label(&x.rows, &text);
	if (w->witness.found)
		show_witness(&x);
	else
		show_no_call(&x);
	rows_release(&x.rows);
	order_release(&x.order);
	return sink_finish(out);
}
