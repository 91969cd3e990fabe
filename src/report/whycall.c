/* SPDX-License-Identifier: Apache-2.0 */
/* whycall.c - why one method may call another: the site, the receiver, and its way from creation to the call. When
 * there is no such call: whether the methods are reachable, and the sites that come nearest. */
#include "ir/access.h"
#include "report/json.h"
#include "report/names.h"
#include "report/order.h"
#include "report/pta.h"
#include "report/screen.h"

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

/* The number of the parameter that value `v` is, 0 for the receiver or first one; -1: none. */
static int64_t param_of(const struct program *p, method_id m, ir_value v)
{
	struct arena mem;
	int64_t found = -1;

	arena_init(&mem);
	const struct ir_body *b = p->source.body(p->source.ctx, (struct program *)p, m, &mem);
	for (uint32_t i = 0; b && i < b->nstmts && found < 0; i++)
		if (b->stmts[i].op == IR_PARAM && b->stmts[i].result == v)
			found = b->stmts[i].ref;
	arena_release(&mem);
	return found;
}

/* A step and the one before it: where an object comes from decides what is said. */
struct step_at {
	const struct pta_step *step, *before;     /* before: NULL for the first */
};

static struct step_at step_at(const struct pta_witness *w, uint32_t i)
{
	return (struct step_at){ &w->steps[i], i ? &w->steps[i - 1] : NULL };
}

static bool was_in_memory(const struct pta_step *s)
{
	return s && (s->sort == STEP_FIELD || s->sort == STEP_STATIC || s->sort == STEP_ELEMENT);
}

static bool is_static_field(const struct program *p, field_id f)
{
	return field_row(p, f)->flags & ACCESS_STATIC;
}

/* A field whatever the object, where the analysis does not look at objects, is no static one. */
static enum step_sort sort_of(const struct program *p, const struct pta_step *s)
{
	return s->sort == STEP_STATIC && !is_static_field(p, s->field) ? STEP_FIELD : s->sort;
}

static const char *step_name(enum step_sort s)
{
	static const char *const names[] = {
		[STEP_NEW] = "new", [STEP_ASSIGN] = "assign", [STEP_ARGUMENT] = "argument", [STEP_RESULT] = "result",
		[STEP_FIELD] = "field", [STEP_STATIC] = "static-field", [STEP_ELEMENT] = "element",
		[STEP_THROWN] = "thrown", [STEP_CALL] = "call",
	};

	return names[s];
}

/* JSON */

struct writer {
	struct json j;
	const struct whycall *w;
	const struct program *p;
	struct names names;
	struct order order;
	struct strbuf text;
};

static void write_method(struct writer *x, const char *key, method_id m)
{
	json_key(&x->j, key), json_escaped(&x->j, names_method(&x->names, m));
}

static void write_position(struct writer *x, method_id m, uint32_t pc)
{
	uint32_t line = line_of(x->p, m, pc);

	write_method(x, "method", m);
	json_key(&x->j, "pc"), json_uint(&x->j, pc);
	if (line)
		json_key(&x->j, "line"), json_uint(&x->j, line);
}

static void write_object(struct writer *x, const char *key, uint32_t place)
{
	struct pta_place at = pta_place(x->w->facts, place);

	json_key(&x->j, key), json_object(&x->j);
	if (at.cls.i)
		json_key(&x->j, "class"), json_escaped(&x->j, names_class(&x->names, at.cls));
	if (at.method.i)
		write_position(x, at.method, at.pc);
	json_key(&x->j, "sort"), json_escaped(&x->j, str_of(place_sort_name(at.sort)));
	json_end_object(&x->j);
}

static void write_site(struct writer *x, const struct cg_site *s)
{
	struct json *j = &x->j;
	uint32_t line = line_of(x->p, x->w->caller, s->pc);

	strbuf_clear(&x->text);
	strbuf_addstr(&x->text, names_method(&x->names, x->w->caller));
	strbuf_addf(&x->text, "@%u", (unsigned)s->pc);
	json_key(j, "site"), json_escaped(j, strbuf_str(&x->text));
	json_key(j, "pc"), json_uint(j, s->pc);
	if (line)
		json_key(j, "line"), json_uint(j, line);
	json_key(j, "op"), json_escaped(j, str_of(op_name(s->op)));
	if (s->mref.i)
		json_key(j, "declared"), json_escaped(j, names_mref(&x->names, s->mref));
}

static void write_field_of(struct writer *x, field_id f)
{
	const struct ir_field *row = field_row(x->p, f);

	strbuf_clear(&x->text);
	strbuf_addstr(&x->text, names_class(&x->names, row->owner));
	strbuf_addch(&x->text, '.');
	escape_add(&x->text, ESCAPE_JSON, sel_name(x->p, row->sel));
	json_key(&x->j, "field"), json_escaped(&x->j, strbuf_str(&x->text));
}

static void write_step(struct writer *x, const struct pta_step *s)
{
	struct json *j = &x->j;

	json_break(j);
	json_object(j);
	json_key(j, "step"), json_escaped(j, str_of(step_name(sort_of(x->p, s))));
	if (s->sort == STEP_THROWN)
		write_method(x, "method", s->method);
	else if (s->method.i)
		write_position(x, s->method, s->pc);
	if (s->value) {
		char name[16];
		snprintf(name, sizeof(name), "v%u", (unsigned)s->value);
		json_key(j, "value"), json_escaped(j, str_of(name));
	}
	if (s->field.i)
		write_field_of(x, s->field);
	if (s->sort == STEP_FIELD || s->sort == STEP_ELEMENT)
		write_object(x, "object", s->place);
	json_end_object(j);
}

static void write_witness(struct writer *x)
{
	const struct pta_witness *v = &x->w->witness;
	struct json *j = &x->j;

	json_key(j, "call"), json_object(j);
	write_site(x, &v->site);
	json_end_object(j);
	json_key(j, "dispatched"), json_bool(j, v->has_receiver);
	if (!v->has_receiver)
		return;
	json_break(j);
	write_object(x, "receiver", v->place);
	json_key(j, "steps"), json_array(j);
	for (uint32_t i = 0; i < v->nsteps; i++)
		write_step(x, &v->steps[i]);
	json_end_array(j);
}

static void write_near_site(struct writer *x, const struct cg_site *s)
{
	struct cg_classes c = order_receivers(&x->order, s);

	json_break(&x->j);
	json_object(&x->j);
	write_site(x, s);
	json_key(&x->j, "receivers"), json_array(&x->j);
	for (uint32_t i = 0; i < c.n; i++)
		json_escaped(&x->j, names_class(&x->names, c.classes[i]));
	json_end_array(&x->j);
	if (s->open)
		json_key(&x->j, "open"), json_bool(&x->j, true);
	json_end_object(&x->j);
}

static void write_no_call(struct writer *x)
{
	enum no_call reason = why_not(x->w);
	uint32_t n = 0;
	const struct cg_site *sites = reason == NO_CALLER ? NULL : callgraph_sites(x->w->graph, x->w->caller, &n);

	json_key(&x->j, "reason"), json_escaped(&x->j, str_of(no_call_names[reason]));
	json_key(&x->j, "sites"), json_array(&x->j);
	for (uint32_t i = 0; i < n; i++)
		if (is_near(x->p, &sites[i], x->w->callee))
			write_near_site(x, &sites[i]);
	json_end_array(&x->j);
}

bool report_whycall_json(struct sink *out, const struct whycall *w, const struct report_head *head)
{
	struct writer x = { .j = { .out = out }, .w = w, .p = callgraph_program(w->graph) };
	struct json *j = &x.j;

	order_init(&x.order, w->graph);
	names_init(&x.names, x.p, name_full, ESCAPE_JSON);
	json_object(j);
	json_key(j, "schema"), json_escaped(j, STR("sherd/why-call/1"));
	json_key(j, "algorithm"), json_str(j, str_of(head->algorithm));
	json_key(j, "entry"), json_str(j, str_of(head->entry));
	json_break(j);
	write_method(&x, "caller", w->caller);
	write_method(&x, "callee", w->callee);
	json_key(j, "found"), json_bool(j, w->witness.found);
	json_break(j);
	if (w->witness.found)
		write_witness(&x);
	else
		write_no_call(&x);
	json_end_object(j);
	sink_putc(out, '\n');
	names_release(&x.names);
	order_release(&x.order);
	strbuf_release(&x.text);
	return sink_finish(out);
}

/* Text */

struct screen {
	struct screen_out s;
	const struct whycall *w;
	const struct program *p;
	const struct report_head *head;
	struct names source, brief;
	struct order order;
	uint32_t column;               /* of the phrases */
};

/* Ends the line. */
static void show_text(struct screen *x, struct strbuf *text)
{
	sink_str(x->s.out, strbuf_str(text));
	sink_putc(x->s.out, '\n');
	strbuf_release(text);
}

/* shapes.Circle, created at shapes.Main.main:12 */
static void add_object(struct screen *x, uint32_t place, struct strbuf *out)
{
	struct pta_place at = pta_place(x->w->facts, place);

	if (!at.cls.i) {
		strbuf_adds(out, "an object of unknown class");
		return;
	}
	strbuf_addstr(out, names_class(&x->brief, at.cls));
	if (at.method.i) {
		strbuf_adds(out, ", created at ");
		add_place(&x->brief, at.method, at.pc, out);
	} else if (at.sort == PLACE_OUTSIDE) {
		strbuf_adds(out, ", created outside");
	}
}

static void add_field(struct screen *x, field_id f, struct strbuf *out)
{
	strbuf_addstr(out, names_class(&x->brief, field_row(x->p, f)->owner));
	strbuf_addch(out, '.');
	escape_add(out, ESCAPE_PLAIN, sel_name(x->p, field_row(x->p, f)->sel));
}

/* ": v3", the variable that holds the object now. */
static void add_value(ir_value v, struct strbuf *out)
{
	if (v)
		strbuf_addf(out, ": v%u", (unsigned)v);
}

/* "is passed as argument 2 of java.util.Map.put(Object, Object)" */
static void add_argument(struct screen *x, const struct pta_step *s, struct strbuf *out)
{
	int64_t k = param_of(x->p, s->method, s->value);
	bool is_static = method_row(x->p, s->method)->flags & ACCESS_STATIC;

	if (k == 0 && !is_static)
		strbuf_adds(out, "is the receiver of ");
	else if (k >= 0)
		strbuf_addf(out, "is passed as argument %u of ", (unsigned)(k + is_static));
	else
		strbuf_adds(out, "is passed to ");
	strbuf_addstr(out, names_method(&x->source, s->method));
}

static void add_result(struct screen *x, const struct pta_step *before, struct strbuf *out)
{
	strbuf_adds(out, "is returned");
	if (before && before->method.i) {
		strbuf_adds(out, " by ");
		strbuf_addstr(out, names_method(&x->source, before->method));
	}
}

static void add_stored(struct screen *x, const struct pta_step *s, struct strbuf *out)
{
	strbuf_adds(out, "is stored in ");
	if (s->sort == STEP_STATIC) {
		strbuf_adds(out, is_static_field(x->p, s->field) ? "static field " : "field ");
		add_field(x, s->field, out);
		return;
	}
	if (s->sort == STEP_ELEMENT) {
		strbuf_adds(out, "an array: ");
	} else if (s->field.i) {
		strbuf_adds(out, "field ");
		escape_add(out, ESCAPE_PLAIN, sel_name(x->p, field_row(x->p, s->field)->sel));
		strbuf_adds(out, " of ");
	} else {
		strbuf_adds(out, "a field of ");
	}
	add_object(x, s->place, out);
}

static bool was_thrown(const struct pta_step *before)
{
	return before && before->sort == STEP_THROWN;
}

static const char *assigned(const struct pta_step *before)
{
	if (was_thrown(before))
		return "is caught";
	return was_in_memory(before) ? "is read from there" : "is assigned";
}

/* What happens to the object in a step. */
static void add_phrase(struct screen *x, struct step_at at, struct strbuf *out)
{
	switch (at.step->sort) {
	case STEP_NEW:
		strbuf_adds(out, "is created");
		break;
	case STEP_ASSIGN:
		strbuf_adds(out, assigned(at.before));
		break;
	case STEP_ARGUMENT:
		add_argument(x, at.step, out);
		break;
	case STEP_RESULT:
		add_result(x, at.before, out);
		break;
	case STEP_FIELD:
	case STEP_STATIC:
	case STEP_ELEMENT:
		add_stored(x, at.step, out);
		return;
	case STEP_THROWN:
		strbuf_adds(out, was_thrown(at.before) ? "is not caught" : "is thrown");
		return;
	case STEP_CALL:
		strbuf_adds(out, "is the receiver of the call");
		return;
	}
	add_value(at.step->value, out);
}

/* The place of a step; of one in a field, where it was before. The line of a throw is not known. */
static void add_step_place(struct screen *x, struct step_at at, struct strbuf *out)
{
	const struct pta_step *s = at.step->method.i ? at.step : at.before;

	if (s && s->sort == STEP_THROWN)
		strbuf_addstr(out, names_method(&x->brief, s->method));
	else if (s && s->method.i)
		add_place(&x->brief, s->method, s->pc, out);
}

static uint32_t columns(struct str t)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < t.len; i++)
		n += ((unsigned char)t.p[i] & 0xc0) != 0x80;
	return n;
}

/* Places longer than half a line have a line of their own. */
static void lay_out(struct screen *x)
{
	const struct pta_witness *v = &x->w->witness;
	uint32_t most = (x->head->width ? x->head->width : 100) / 2 - 4;
	struct strbuf place = { 0 };

	for (uint32_t i = 0; i < v->nsteps; i++) {
		strbuf_clear(&place);
		add_step_place(x, step_at(v, i), &place);
		uint32_t n = columns(strbuf_str(&place));
		if (n > x->column && n <= most)
			x->column = n;
	}
	strbuf_release(&place);
}

static void show_step(struct screen *x, uint32_t i)
{
	struct step_at at = step_at(&x->w->witness, i);
	struct strbuf place = { 0 }, phrase = { 0 };

	add_step_place(x, at, &place);
	add_phrase(x, at, &phrase);
	uint32_t n = columns(strbuf_str(&place));
	sink_printf(x->s.out, "  %3u  ", (unsigned)i + 1);
	screen_style(&x->s, STYLE_GREEN);
	sink_str(x->s.out, strbuf_str(&place));
	screen_plain(&x->s);
	if (n > x->column) {
		sink_putc(x->s.out, '\n');
		n = 0;
		sink_puts(x->s.out, "       ");
	}
	sink_printf(x->s.out, "%*s", (int)(x->column + 2 - n), "");
	show_text(x, &phrase);
	strbuf_release(&place);
}

static void show_site(struct screen *x, const struct cg_site *s)
{
	struct strbuf text = { 0 };

	screen_label(&x->s, "Call");
	add_place(&x->brief, x->w->caller, s->pc, &text);
	strbuf_addf(&text, "  %s call%s", op_name(s->op), s->implied ? ", implied" : "");
	if (s->mref.i) {
		strbuf_adds(&text, " of ");
		strbuf_addstr(&text, names_mref(&x->source, s->mref));
	}
	show_text(x, &text);
}

static void show_receiver(struct screen *x, uint32_t place)
{
	struct strbuf text = { 0 };

	screen_label(&x->s, "Receiver");
	add_object(x, place, &text);
	if (pta_place(x->w->facts, place).sort == PLACE_CLASS)
		strbuf_adds(&text, "; its objects are not told apart");
	show_text(x, &text);
}

static void show_witness(struct screen *x)
{
	const struct pta_witness *v = &x->w->witness;

	show_site(x, &v->site);
	if (!v->has_receiver) {
		sink_puts(x->s.out, "\nThe call is not dispatched: the reference alone decides which method runs.\n");
		return;
	}
	show_receiver(x, v->place);
	if (v->nsteps < 2) {        /* only the call itself */
		sink_puts(x->s.out, "\nHow it gets to the call cannot be shown: it goes through native code.\n");
		return;
	}
	screen_puts(&x->s, STYLE_BOLD, "\nThe way of the receiver\n");
	lay_out(x);
	for (uint32_t i = 0; i < v->nsteps; i++)
		show_step(x, i);
	screen_puts(&x->s, STYLE_DIM, "\n  Variables have the numbers that sherd dump shows.\n");
}

static void show_near_site(struct screen *x, const struct cg_site *s)
{
	struct strbuf text = { 0 };
	struct cg_classes c = order_receivers(&x->order, s);

	strbuf_adds(&text, "  ");
	add_place(&x->brief, x->w->caller, s->pc, &text);
	strbuf_adds(&text, "  calls ");
	strbuf_addstr(&text, names_mref(&x->source, s->mref));
	for (uint32_t i = 0; i < c.n && i < MAX_SHOWN; i++) {
		strbuf_adds(&text, i ? ", " : " on ");
		strbuf_addstr(&text, names_class(&x->brief, c.classes[i]));
	}
	if (c.n > MAX_SHOWN)
		strbuf_addf(&text, ", … %u more", (unsigned)(c.n - MAX_SHOWN));
	if (s->open)
		strbuf_adds(&text, c.n ? ", and on objects of unknown class" : " on objects of unknown class");
	show_text(x, &text);
}

static void show_near(struct screen *x)
{
	uint32_t n, near = 0;
	const struct cg_site *sites = callgraph_sites(x->w->graph, x->w->caller, &n);

	for (uint32_t i = 0; i < n && near < MAX_NEAR; i++)
		if (is_near(x->p, &sites[i], x->w->callee)) {
			if (!near++)
				screen_puts(&x->s, STYLE_BOLD, "\nCalls of that name\n");
			show_near_site(x, &sites[i]);
		}
}

static void show_unreachable(struct screen *x, method_id m)
{
	bool is_abstract = method_row(x->p, m)->flags & ACCESS_ABSTRACT;

	sink_str(x->s.out, names_method(&x->source, m));
	if (is_abstract)
		sink_puts(x->s.out, " is abstract: it has no code. Ask for a method that implements it.\n");
	else
		sink_printf(x->s.out, " is not reachable from %s.\n", x->head->entry);
}

static void show_no_call(struct screen *x)
{
	enum no_call reason = why_not(x->w);

	sink_putc(x->s.out, '\n');
	if (reason == NO_SITE)
		sink_puts(x->s.out, "Both are reachable, but no call site of the first calls the second.\n");
	else
		show_unreachable(x, reason == NO_CALLER ? x->w->caller : x->w->callee);
	if (reason != NO_CALLER)
		show_near(x);
}

static void show_title(struct screen *x)
{
	struct strbuf text = { 0 };

	strbuf_adds(&text, x->w->witness.found ? "Why " : "No call: ");
	strbuf_addstr(&text, names_method(&x->source, x->w->caller));
	strbuf_adds(&text, x->w->witness.found ? " may call " : " to ");
	strbuf_addstr(&text, names_method(&x->source, x->w->callee));
	strbuf_addch(&text, '\n');
	screen_puts(&x->s, x->w->witness.found ? STYLE_BOLD : STYLE_RED, text.s);
	strbuf_release(&text);
}

bool report_whycall_text(struct sink *out, const struct whycall *w, const struct report_head *head)
{
	struct screen x = { .s = { out, head->color }, .w = w, .p = callgraph_program(w->graph), .head = head };
	struct strbuf text = { 0 };

	order_init(&x.order, w->graph);
	names_init(&x.source, x.p, name_source, ESCAPE_PLAIN);
	names_init(&x.brief, x.p, name_brief, ESCAPE_PLAIN);
	show_title(&x);
	screen_label(&x.s, "Analysis");
	strbuf_addf(&text, "%s from ", head->algorithm);
	escape_add(&text, ESCAPE_PLAIN, str_of(head->entry));
	show_text(&x, &text);
	if (w->witness.found)
		show_witness(&x);
	else
		show_no_call(&x);
	names_release(&x.source);
	names_release(&x.brief);
	order_release(&x.order);
	return sink_finish(out);
}
