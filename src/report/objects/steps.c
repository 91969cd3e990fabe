/* SPDX-License-Identifier: Apache-2.0 */
#include "report/objects/steps.h"

#include "ir/access.h"
#include "report/java/params.h"

#define NUMBER_COLUMNS 7      /* of a row's number, with the spaces around it */
#define LABEL_COLUMNS 14
#define SHORT_INDENT 9        /* of what happens, where places have lines of their own */

void rows_init(struct rows *x, struct sink *out, const struct callgraph *g, const struct pta *facts,
	       const struct report_head *head)
{
	*x = (struct rows){ .s = { out, head->color }, .p = callgraph_program(g), .facts = facts,
			    .width = head->width ? head->width : 100 };
	names_init(&x->source, x->p, name_source, ESCAPE_PLAIN);
	names_init(&x->brief, x->p, name_brief, ESCAPE_PLAIN);
}

void rows_release(struct rows *x)
{
	names_release(&x->source);
	names_release(&x->brief);
	strbuf_release(&x->place);
	strbuf_release(&x->phrase);
}

static bool is_static_field(const struct program *p, field_id f)
{
	return field_row(p, f)->flags & ACCESS_STATIC;
}

/* A field whatever the object, where the analysis does not look at objects, is no static one. */
const char *step_name(const struct program *p, const struct pta_step *s)
{
	static const char *const names[] = {
		[STEP_NEW] = "new", [STEP_TYPE] = "type", [STEP_CLIENT] = "client", [STEP_JVM] = "jvm", [STEP_UNKNOWN] = "unknown",
		[STEP_ASSIGN] = "assign", [STEP_ARGUMENT] = "argument", [STEP_RESULT] = "result",
		[STEP_FIELD] = "field", [STEP_STATIC] = "static-field", [STEP_ELEMENT] = "element",
		[STEP_THROWN] = "thrown", [STEP_CALL] = "call",
	};
	bool is_field = s->sort == STEP_STATIC && s->field.i && !is_static_field(p, s->field);

	return names[is_field ? STEP_FIELD : s->sort];
}

bool rows_is_client(const struct rows *x, method_id m)
{
	return placeholders_is_code(x->p, x->clients, m);
}

static bool is_client_variable(const struct rows *x, const struct pta_step *s)
{
	return x->clients && s->sort == STEP_STATIC && s->field.i && field_row(x->p, s->field)->owner.i == x->clients->cls.i;
}

/* Within the code of clients there are variables and what is in them; reading them is no news. */
static bool is_shown(const struct rows *x, const struct pta_step *s)
{
	return !s->is_hidden && !(s->sort == STEP_ASSIGN && rows_is_client(x, s->method));
}

/* Words */

/* Writes words from column `at` on, ends the line; further lines start at `indent`. */
static void show_words(struct rows *x, struct str text, uint32_t at, uint32_t indent)
{
	bool is_first = true;

	for (uint32_t i = 0; i < text.len;) {
		uint32_t end = i;
		while (end < text.len && text.p[end] != ' ')
			end++;
		uint32_t n = text_columns(str_sub(text, i, end));
		if (!is_first && at + 1 + n > x->width) {
			sink_printf(x->s.out, "\n%*s", (int)indent, "");
			at = indent;
			is_first = true;
		}
		if (!is_first)
			sink_putc(x->s.out, ' ');
		at += n + !is_first;
		is_first = false;
		sink_str(x->s.out, str_sub(text, i, end));
		i = end + 1;
	}
	sink_putc(x->s.out, '\n');
}

void rows_end_label(struct rows *x, struct strbuf *text)
{
	show_words(x, strbuf_str(text), LABEL_COLUMNS, LABEL_COLUMNS);
	strbuf_release(text);
}

void rows_end_line(struct rows *x, struct strbuf *text, uint32_t indent)
{
	show_words(x, strbuf_str(text), 0, indent);
	strbuf_release(text);
}

/* Rows */

static void measure(struct rows *x)
{
	uint32_t n = text_columns(strbuf_str(&x->place));

	x->column = n > x->column ? n : x->column;
}

/* Places longer than half a line have lines of their own. */
void rows_measured(struct rows *x)
{
	if (x->column > x->width / 2 - 4)
		x->column = 0;
}

/* Shows x->place and x->phrase. */
static void show_row(struct rows *x)
{
	if (x->each) {
		x->each(x->ctx, strbuf_str(&x->place), strbuf_str(&x->phrase));
		return;
	}
	uint32_t n = text_columns(strbuf_str(&x->place)), indent = x->column ? NUMBER_COLUMNS + x->column + 2 : SHORT_INDENT;

	sink_printf(x->s.out, "  %3u  ", (unsigned)++x->number);
	screen_style(&x->s, STYLE_GREEN);
	sink_str(x->s.out, strbuf_str(&x->place));
	screen_plain(&x->s);
	if (!x->column)
		sink_putc(x->s.out, '\n');
	sink_printf(x->s.out, "%*s", (int)(x->column ? indent - NUMBER_COLUMNS - n : indent), "");
	show_words(x, strbuf_str(&x->phrase), indent, indent);
}

static void start_row(struct rows *x)
{
	strbuf_clear(&x->place);
	strbuf_clear(&x->phrase);
}

/* Objects and variables */

static void add_code(struct rows *x, method_id m, uint32_t pc, struct strbuf *out)
{
	if (rows_is_client(x, m))
		strbuf_adds(out, "client");
	else if (pc == PC_NONE)
		strbuf_addstr(out, names_method(&x->brief, m));
	else
		add_place(&x->brief, m, pc, out);
}

void rows_add_object(struct rows *x, uint32_t place, struct strbuf *out)
{
	struct pta_place at = pta_place(x->facts, place);

	if (!at.cls.i) {
		strbuf_adds(out, "an object of unknown class");
		return;
	}
	if (x->clients && placeholders_is_client(x->clients, at.cls)) {
		strbuf_adds(out, "an object of a client's class");
		return;
	}
	strbuf_addstr(out, names_class(&x->brief, at.cls));
	if (rows_is_client(x, at.method)) {
		strbuf_adds(out, ", created by the client");
	} else if (at.method.i) {
		strbuf_adds(out, ", created at ");
		add_place(&x->brief, at.method, at.pc, out);
	} else if (at.sort == PLACE_OUTSIDE) {
		strbuf_adds(out, ", created outside");
	}
}

static void add_field(struct rows *x, field_id f, struct strbuf *out)
{
	strbuf_addstr(out, names_class(&x->brief, field_row(x->p, f)->owner));
	strbuf_addch(out, '.');
	escape_add(out, ESCAPE_PLAIN, sel_name(x->p, field_row(x->p, f)->sel));
}

/* What happens */

/* The number of the parameter that value `v` is, 0 for the receiver or first one; -1: none. */
static int64_t param_of(const struct program *p, method_id m, ir_value v)
{
	struct arena mem;
	int64_t found = -1;

	arena_init(&mem);
	const struct ir_body *b = v ? p->source.body(p->source.ctx, (struct program *)p, m, &mem) : NULL;
	for (uint32_t i = 0; b && i < b->nstmts && found < 0; i++)
		if (b->stmts[i].op == IR_PARAM && b->stmts[i].result == v)
			found = b->stmts[i].ref;
	arena_release(&mem);
	return found;
}

/* "is passed as argument 2 of java.util.Map.put(Object, Object)" */
static void add_argument(struct rows *x, const struct pta_step *s)
{
	int64_t k = param_of(x->p, s->method, s->value);
	bool is_static = method_row(x->p, s->method)->flags & ACCESS_STATIC;

	if (k == 0 && !is_static)
		strbuf_adds(&x->phrase, "is the receiver of ");
	else if (k >= 0)
		strbuf_addf(&x->phrase, "is passed as argument %u of ", (unsigned)(k + is_static));
	else
		strbuf_adds(&x->phrase, "is passed to ");
	strbuf_addstr(&x->phrase, names_method(&x->source, s->method));
}

static void add_result(struct rows *x, const struct pta_step *before)
{
	strbuf_adds(&x->phrase, "is returned");
	if (before && before->method.i) {
		strbuf_adds(&x->phrase, " by ");
		strbuf_addstr(&x->phrase, names_method(&x->source, before->method));
	}
}

static void add_stored(struct rows *x, const struct pta_step *s)
{
	struct strbuf *out = &x->phrase;

	if (is_client_variable(x, s)) {
		class_id type = program_class_of_desc((struct program *)x->p, sel_desc(x->p, field_row(x->p, s->field)->sel));
		strbuf_adds(out, "is in a variable of type ");
		strbuf_addstr(out, names_class(&x->brief, type));
		return;
	}
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
	rows_add_object(x, s->place, out);
}

static bool was_thrown(const struct pta_step *before)
{
	return before && before->sort == STEP_THROWN;
}

static bool was_in_memory(const struct pta_step *s)
{
	return s && (s->sort == STEP_FIELD || s->sort == STEP_STATIC || s->sort == STEP_ELEMENT);
}

static const char *assigned(const struct pta_step *before)
{
	if (was_thrown(before))
		return "is caught";
	return was_in_memory(before) ? "is read from there" : "is assigned";
}

/* The parameters of the constructor that the client calls. */
static void add_constructor(struct rows *x, const struct pta_step *s)
{
	const struct placeholder *made = s->pc && s->pc <= x->clients->stmts.len ? &x->clients->stmts.data[s->pc - 1] : NULL;

	if (made && made->sort == PH_NEW && s->method.i == x->clients->main.i)
		add_params(sel_desc(x->p, method_row(x->p, made->method)->sel), &x->phrase);
	else
		strbuf_adds(&x->phrase, "()");
}

static void add_creation(struct rows *x, const struct pta_witness *w, const struct pta_step *s)
{
	if (s->sort == STEP_TYPE) {
		strbuf_adds(&x->phrase, "may be here: every variable of type ");
		strbuf_addstr(&x->phrase, names_class(&x->brief, w->receiver));
		strbuf_adds(&x->phrase, " holds such objects, which are not told apart");
	} else if (rows_is_client(x, s->method)) {
		strbuf_adds(&x->phrase, "makes it: new ");
		strbuf_addstr(&x->phrase, names_class(&x->brief, w->receiver));
		if (class_row(x->p, w->receiver)->kind != CLASS_ARRAY)
			add_constructor(x, s);
	} else {
		strbuf_adds(&x->phrase, "is created");
	}
}

static void add_phrase(struct rows *x, const struct pta_witness *w, const struct pta_step *s,
		       const struct pta_step *before)
{
	switch (s->sort) {
	case STEP_NEW:
	case STEP_TYPE:
		add_creation(x, w, s);
		break;
	case STEP_CLIENT:
		strbuf_adds(&x->phrase, before ? "is in the hands of who calls the entries" : "is made by who calls the entries");
		break;
	case STEP_JVM:
		strbuf_adds(&x->phrase, "is passed on, as any object of its type may be");
		break;
	case STEP_UNKNOWN:
		strbuf_adds(&x->phrase, "is in the hands of unknown code, which may call back");
		break;
	case STEP_ASSIGN:
		strbuf_adds(&x->phrase, assigned(before));
		break;
	case STEP_ARGUMENT:
		add_argument(x, s);
		break;
	case STEP_RESULT:
		add_result(x, before);
		break;
	case STEP_FIELD:
	case STEP_STATIC:
	case STEP_ELEMENT:
		add_stored(x, s);
		break;
	case STEP_THROWN:
		strbuf_adds(&x->phrase, was_thrown(before) ? "is not caught" : "is thrown");
		break;
	case STEP_CALL:
		strbuf_adds(&x->phrase, "is the receiver of the call");
		break;
	}
	if (s->is_joined)
		strbuf_adds(&x->phrase, ", against an assignment: to this analysis both sides are one");
	if (s->value && !x->each && !rows_is_client(x, s->method))
		strbuf_addf(&x->phrase, ": v%u", (unsigned)s->value);
}

static void add_step_place(struct rows *x, const struct pta_step *s, const struct pta_step *before)
{
	if (s->by.i)
		add_code(x, s->by, s->by_pc, &x->place);
	else if (s->sort == STEP_CLIENT)
		strbuf_adds(&x->place, "outside");
	else if (s->sort == STEP_JVM || (before && before->sort == STEP_JVM))
		strbuf_adds(&x->place, "JVM");
	else if (s->sort == STEP_UNKNOWN || (before && before->sort == STEP_UNKNOWN))
		strbuf_adds(&x->place, "unknown");
	else if (s->method.i)
		add_code(x, s->method, s->pc, &x->place);
}

static const struct pta_step *before(const struct pta_witness *w, uint32_t i)
{
	return i ? &w->steps[i - 1] : NULL;
}

void rows_measure_steps(struct rows *x, const struct pta_witness *w)
{
	for (uint32_t i = 0; i < w->nsteps; i++) {
		if (!is_shown(x, &w->steps[i]))
			continue;
		start_row(x);
		add_step_place(x, &w->steps[i], before(w, i));
		measure(x);
	}
}

void rows_show_steps(struct rows *x, const struct pta_witness *w)
{
	for (uint32_t i = 0; i < w->nsteps; i++) {
		if (!is_shown(x, &w->steps[i]))
			continue;
		start_row(x);
		add_step_place(x, &w->steps[i], before(w, i));
		add_phrase(x, w, &w->steps[i], before(w, i));
		show_row(x);
	}
}

void rows_show_no_way(struct rows *x, const char *level)
{
	struct strbuf text = { 0 };

	strbuf_adds(&text, "\nHow it gets to the call cannot be shown: it goes through native code");
	if (level)
		strbuf_addf(&text, ",\nor is made by a call that is not resolved, as --assume %s allows", level);
	sink_str(x->s.out, strbuf_str(&text));
	sink_puts(x->s.out, ".\n");
	strbuf_release(&text);
}

/* Paths */

static bool is_initialiser(const struct rows *x, method_id m)
{
	return str_is(sel_name(x->p, method_row(x->p, m)->sel), "<clinit>");
}

/* What the client writes is a member of the interface; what runs may be another method. */
static void add_client_call(struct rows *x, const struct path_call *c)
{
	const struct placeholder *s = c->pc && c->pc <= x->clients->stmts.len ? &x->clients->stmts.data[c->pc - 1] : NULL;

	if (c->caller.i != x->clients->main.i || !s || !s->method.i) {
		strbuf_adds(&x->phrase, "calls ");
		strbuf_addstr(&x->phrase, names_method(&x->source, c->callee));
		return;
	}
	strbuf_adds(&x->phrase, "calls ");
	strbuf_addstr(&x->phrase, names_method(&x->source, s->method));
	if (c->callee.i != s->method.i) {
		strbuf_adds(&x->phrase, ", which selects ");
		strbuf_addstr(&x->phrase, names_method(&x->source, c->callee));
	}
}

static void start_call(struct rows *x, const struct path_call *c)
{
	start_row(x);
	add_code(x, c->caller, c->pc, &x->place);
	if (rows_is_client(x, c->caller)) {
		add_client_call(x, c);
		return;
	}
	strbuf_adds(&x->phrase, "calls ");
	strbuf_addstr(&x->phrase, names_method(&x->source, c->callee));
}

void rows_measure_path(struct rows *x, const struct call_path *c)
{
	for (uint32_t i = 0; i < c->calls.len; i++) {
		start_call(x, &c->calls.data[i]);
		measure(x);
	}
}

static void show_start(struct rows *x, method_id m)
{
	if (rows_is_client(x, m) || (!x->clients && !is_initialiser(x, m)))
		return;
	start_row(x);
	strbuf_adds(&x->place, "JVM");
	if (is_initialiser(x, m)) {
		strbuf_adds(&x->phrase, "initialises class ");
		strbuf_addstr(&x->phrase, names_class(&x->brief, method_row(x->p, m)->owner));
		strbuf_adds(&x->phrase, " when it is first used");
	} else {
		strbuf_adds(&x->phrase, "calls ");
		strbuf_addstr(&x->phrase, names_method(&x->source, m));
	}
	show_row(x);
}

void rows_show_path(struct rows *x, const struct call_path *c)
{
	show_start(x, c->start);
	for (uint32_t i = 0; i < c->calls.len; i++) {
		start_call(x, &c->calls.data[i]);
		show_row(x);
	}
}
