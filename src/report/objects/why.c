/* SPDX-License-Identifier: Apache-2.0 */
#include "report/objects/why.h"

#include "report/write/json.h"
#include "report/java/order.h"
#include "report/objects/pta.h"
#include "report/objects/steps.h"
#include "report/objects/steps_json.h"

#define MAX_SHOWN 40       /* receiver classes of the call, on the screen */

static const struct cg_site *find_site(const struct why *w)
{
	return callgraph_find_site(w->graph, w->method, w->pc, w->declared);
}

static bool is_client(const struct why *w, class_id c)
{
	return w->clients && placeholders_is_client(w->clients, c);
}

/* JSON */

struct writer {
	struct step_json k;
	const struct why *w;
};

static void write_step(struct writer *x, const struct pta_step *s)
{
	struct json *j = &x->k.j;

	json_break(j);
	json_object(j);
	json_key(j, "kind"), json_escaped(j, str_of(step_name(x->k.p, s)));
	if (s->by.i)
		step_json_code(&x->k, s->by, s->by_pc);
	else if (s->method.i)
		step_json_code(&x->k, s->method, s->pc);
	if (s->sort == STEP_ARGUMENT)
		step_json_method(&x->k, "to", s->method);
	if (s->value)
		step_json_value(&x->k, s->value);
	if (s->field.i)
		step_json_field(&x->k, s->field);
	if (s->sort == STEP_FIELD || s->sort == STEP_ELEMENT)
		step_json_object(&x->k, "object", s->place);
	if (s->is_hidden)
		json_key(j, "model"), json_bool(j, true);
	if (s->is_joined)
		json_key(j, "joined"), json_bool(j, true);
	json_end_object(j);
}

static bool starts_at_initialiser(const struct program *p, const struct call_path *c)
{
	return str_is(sel_name(p, method_row(p, c->start)->sel), "<clinit>");
}

static void write_path(struct writer *x, const char *key, const struct call_path *c)
{
	struct json *j = &x->k.j;

	if (!c->start.i)
		return;
	json_break(j);
	json_key(j, key), json_object(j);
	step_json_method(&x->k, "start", c->start);
	const char *by = placeholders_is_code(x->k.p, x->k.clients, c->start) ? "client" : starts_at_initialiser(x->k.p, c) ? "initialisation" :
		     x->w->clients ? "jvm" : "entry";
	json_key(j, "by"), json_escaped(j, str_of(by));
	json_key(j, "calls"), json_array(j);
	for (uint32_t i = 0; i < c->calls.len; i++) {
		json_break(j);
		json_object(j);
		step_json_code(&x->k, c->calls.data[i].caller, c->calls.data[i].pc);
		step_json_method(&x->k, "callee", c->calls.data[i].callee);
		json_end_object(j);
	}
	json_end_array(j);
	json_end_object(j);
}

static void write_found(struct writer *x)
{
	const struct pta_witness *v = &x->w->witness;
	struct json *j = &x->k.j;

	json_break(j);
	step_json_object(&x->k, "object", v->place);
	json_key(j, "shown"), json_bool(j, v->nsteps > 1);
	write_path(x, "creation", &x->w->to_creation);
	json_break(j);
	json_key(j, "steps"), json_array(j);
	for (uint32_t i = 0; i < v->nsteps; i++)
		write_step(x, &v->steps[i]);
	json_end_array(j);
	write_path(x, "reached", &x->w->to_call);
}

static void write_absent(struct writer *x)
{
	const struct cg_site *s = find_site(x->w);
	struct json *j = &x->k.j;
	struct order order;

	json_key(j, "reason"), json_escaped(j, str_of(s ? "no-receiver" : "not-reached"));
	json_key(j, "receivers"), json_array(j);
	if (s) {
		order_init(&order, x->w->graph);
		struct cg_classes c = order_receivers(&order, s);
		for (uint32_t i = 0; i < c.n; i++)
			json_escaped(j, names_class(&x->k.names, c.classes[i]));
		order_release(&order);
	}
	json_end_array(j);
	json_key(j, "open"), json_bool(j, s && s->open);
}

static void write_request(struct writer *x, const struct report_head *head)
{
	const struct why *w = x->w;
	struct json *j = &x->k.j;
	uint32_t line = line_of(x->k.p, w->method, w->pc);

	json_key(j, "schema"), json_escaped(j, STR("sherd/why/1"));
	json_key(j, "algorithm"), json_str(j, str_of(head->algorithm));
	if (head->assume)
		json_key(j, "assume"), json_str(j, str_of(head->assume));
	if (w->component)
		json_key(j, "component"), json_str(j, str_of(w->component));
	if (w->interface)
		json_key(j, "interface"), json_str(j, str_of(w->interface));
	if (w->client_sort)
		json_key(j, "clients"), json_str(j, str_of(w->client_sort));
	json_break(j);
	strbuf_clear(&x->k.text);
	strbuf_addstr(&x->k.text, names_method(&x->k.names, w->method));
	strbuf_addf(&x->k.text, "@%u", (unsigned)w->pc);
	json_key(j, "site"), json_escaped(j, strbuf_str(&x->k.text));
	if (line)
		json_key(j, "line"), json_uint(j, line);
	json_key(j, "op"), json_escaped(j, str_of(op_name(w->op)));
	json_key(j, "declared"), json_escaped(j, names_mref(&x->k.names, w->declared));
	json_break(j);
	json_key(j, "receiver"), json_escaped(j, names_class(&x->k.names, w->receiver));
	json_key(j, "found"), json_bool(j, w->witness.found);
}

bool report_why_json(struct sink *out, const struct why *w, const struct report_head *head)
{
	struct writer x = { .w = w };

	step_json_init(&x.k, out, w->graph, w->facts, w->clients);
	json_object(&x.k.j);
	write_request(&x, head);
	if (w->witness.found)
		write_found(&x);
	else
		write_absent(&x);
	json_end_object(&x.k.j);
	sink_putc(out, '\n');
	step_json_release(&x.k);
	return sink_finish(out);
}

/* Text */

struct screen {
	struct rows rows;
	const struct why *w;
	const struct report_head *head;
};

static void show_title(struct screen *x)
{
	struct rows *r = &x->rows;
	struct strbuf text = { 0 };

	strbuf_adds(&text, x->w->witness.found ? "How " : "Not possible: ");
	strbuf_addstr(&text, names_class(&r->brief, x->w->receiver));
	strbuf_adds(&text, x->w->witness.found ? " gets to " : " at ");
	add_place(&r->brief, x->w->method, x->w->pc, &text);
	strbuf_addch(&text, '\n');
	screen_puts(&r->s, x->w->witness.found ? STYLE_BOLD : STYLE_RED, text.s);
	strbuf_release(&text);
}

static void show_request(struct screen *x)
{
	const struct why *w = x->w;
	struct rows *r = &x->rows;
	struct strbuf text = { 0 };

	if (w->component) {
		screen_label(&r->s, "Component");
		escape_add(&text, ESCAPE_PLAIN, str_of(w->component));
		strbuf_adds(&text, "; interface ");
		escape_add(&text, ESCAPE_PLAIN, str_of(w->interface ? w->interface : "public"));
		strbuf_addf(&text, "; %s clients", w->client_sort ? w->client_sort : "closed");
		rows_end_label(r, &text);
	}
	screen_label(&r->s, "Analysis");
	strbuf_adds(&text, x->head->algorithm);
	if (x->head->assume)
		strbuf_addf(&text, ", assuming %s", x->head->assume);
	rows_end_label(r, &text);
	screen_label(&r->s, "Call");
	strbuf_addf(&text, "%s call of ", op_name(w->op));
	strbuf_addstr(&text, names_mref(&r->source, w->declared));
	strbuf_addf(&text, ", at pc %u", (unsigned)w->pc);
	rows_end_label(r, &text);
}

static void show_receiver(struct screen *x)
{
	const struct pta_witness *v = &x->w->witness;
	struct strbuf text = { 0 };

	screen_label(&x->rows.s, "Receiver");
	rows_add_object(&x->rows, v->place, &text);
	if (pta_place(x->w->facts, v->place).sort == PLACE_CLASS)
		strbuf_adds(&text, "; its objects are not told apart");
	rows_end_label(&x->rows, &text);
}

static void show_found(struct screen *x)
{
	const struct why *w = x->w;
	struct rows *r = &x->rows;

	show_receiver(x);
	rows_measure_path(r, &w->to_creation);
	rows_measure_steps(r, &w->witness);
	rows_measure_path(r, &w->to_call);
	rows_measured(r);
	if (w->witness.nsteps < 2) {
		rows_show_no_way(r, x->head->assume);
	} else {
		screen_puts(&r->s, STYLE_BOLD, "\nThe way of the receiver\n");
		if (w->to_creation.start.i)
			rows_show_path(r, &w->to_creation);
		rows_show_steps(r, &w->witness);
	}
	if (w->to_call.start.i) {
		screen_puts(&r->s, STYLE_BOLD, "\nHow the call is reached\n");
		r->number = 0;
		rows_show_path(r, &w->to_call);
	}
	screen_puts(&r->s, STYLE_DIM, "\n  Variables have the numbers that sherd dump shows.\n");
}

/* What the call is made on instead, clients' own classes as one. */
static void show_receivers(struct screen *x, const struct cg_site *s)
{
	struct strbuf text = { 0 };
	struct order order;
	bool has_client = false;
	uint32_t shown = 0;

	order_init(&order, x->w->graph);
	struct cg_classes c = order_receivers(&order, s);
	for (uint32_t i = 0; i < c.n; i++) {
		has_client |= is_client(x->w, c.classes[i]);
		if (is_client(x->w, c.classes[i]) || shown++ >= MAX_SHOWN)
			continue;
		strbuf_adds(&text, text.len ? ", " : "");
		strbuf_addstr(&text, names_class(&x->rows.brief, c.classes[i]));
	}
	if (shown > MAX_SHOWN)
		strbuf_addf(&text, ", … %u more", (unsigned)(shown - MAX_SHOWN));
	if (has_client)
		strbuf_addf(&text, "%sclasses of clients", text.len ? ", " : "");
	if (s->open)
		strbuf_addf(&text, "%sobjects of unknown class", text.len ? ", " : "");
	if (!text.len)
		strbuf_adds(&text, "nothing: no object gets there");
	screen_label(&x->rows.s, "Receivers");
	rows_end_label(&x->rows, &text);
	order_release(&order);
}

static void show_absent(struct screen *x)
{
	const struct cg_site *s = find_site(x->w);
	struct rows *r = &x->rows;

	if (s) {
		show_receivers(x, s);
		return;
	}
	sink_putc(r->s.out, '\n');
	struct strbuf text = { 0 };
	strbuf_addstr(&text, names_method(&r->source, x->w->method));
	strbuf_adds(&text, " is not reached: no client that uses the interface gets there.");
	rows_end_line(r, &text, 0);
}

bool report_why_text(struct sink *out, const struct why *w, const struct report_head *head)
{
	struct screen x = { .w = w, .head = head };

	rows_init(&x.rows, out, w->graph, w->facts, head);
	x.rows.clients = w->clients;
	show_title(&x);
	show_request(&x);
	if (w->witness.found)
		show_found(&x);
	else
		show_absent(&x);
	rows_release(&x.rows);
	return sink_finish(out);
}
