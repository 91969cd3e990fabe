/* SPDX-License-Identifier: Apache-2.0 */
/* pointsto.c - the facts of a points-to analysis, streamed: see docs/formats/points-to.md. */
#include "ir/access.h"
#include "report/write/json.h"
#include "report/java/names.h"
#include "report/objects/pta.h"
#include "report/write/screen.h"

#define MAX_SHOWN 6        /* text: objects of a set */

struct run_of {
	uint32_t first, n;
};

/* The fields that can hold references to objects, by printed name; a class's own and inherited ones. */
struct fields {
	const struct program *p;
	enum escape form;
	struct arena text;
	struct str *names;             /* by field; p is NULL: not made yet */
	struct run_of *of_class;       /* by class: of `lists`; first is 1 more */
	VEC(field_id) lists;
	VEC(field_id) statics;
};

static struct str field_name(struct fields *f, field_id id)
{
	struct str *t = &f->names[id.i];
	struct strbuf raw = { 0 }, done = { 0 };

	if (t->p)
		return *t;
	print_class(f->p, field_row(f->p, id)->owner, &raw);
	strbuf_addch(&raw, '.');
	strbuf_addstr(&raw, sel_name(f->p, field_row(f->p, id)->sel));
	escape_add(&done, f->form, strbuf_str(&raw));
	*t = strbuf_str(&done);
	t->p = arena_copy(&f->text, t->p, (size_t)t->len + 1);
	strbuf_release(&raw);
	strbuf_release(&done);
	return *t;
}

static bool holds_reference(const struct program *p, field_id id)
{
	struct str desc = sel_desc(p, field_row(p, id)->sel);

	return desc.len && (desc.p[0] == 'L' || desc.p[0] == '[');
}

/* By insertion: lists are short, and a superclass's part is in order already. */
static void add_sorted(struct fields *f, uint32_t first, field_id id)
{
	uint32_t at = f->lists.len;

	vec_push(&f->lists, id);
	for (; at > first && str_cmp(field_name(f, f->lists.data[at - 1]), field_name(f, id)) > 0; at--)
		f->lists.data[at] = f->lists.data[at - 1];
	f->lists.data[at] = id;
}

static void add_declared(struct fields *f, uint32_t first, class_id c)
{
	const struct ir_class *row = class_row(f->p, c);

	for (uint32_t i = 0; i < row->nfields; i++) {
		field_id id = { row->first_field + i };
		if (!(field_row(f->p, id)->flags & ACCESS_STATIC) && holds_reference(f->p, id))
			add_sorted(f, first, id);
	}
}

static struct run_of fields_of(struct fields *f, class_id c)
{
	struct run_of *r = &f->of_class[c.i];

	if (!r->first) {
		uint32_t first = f->lists.len;
		for (class_id k = c; k.i; k = class_row(f->p, k)->super)
			add_declared(f, first, k);
		*r = (struct run_of){ first + 1, f->lists.len - first };
	}
	return (struct run_of){ r->first - 1, r->n };
}

static void fields_init(struct fields *f, const struct program *p, enum escape form)
{
	*f = (struct fields){ .p = p, .form = form };
	arena_init(&f->text);
	f->names = mem_zalloc(sizeof(*f->names) * ((size_t)p->fields.len + 1));
	f->of_class = mem_zalloc(sizeof(*f->of_class) * ((size_t)p->classes.len + 1));
}

static void fields_release(struct fields *f)
{
	arena_release(&f->text);
	free(f->names);
	free(f->of_class);
	vec_release(&f->lists);
	vec_release(&f->statics);
}

struct named_field {
	struct str name;
	field_id id;
};

static int compare_named(const void *a, const void *b)
{
	const struct named_field *x = a, *y = b;
	int c = str_cmp(x->name, y->name);

	return c ? c : (x->id.i > y->id.i) - (x->id.i < y->id.i);
}

/* Is it a class of --only? */
static bool is_chosen(const struct report_head *head, class_id c)
{
	return selection_writes(&head->selection, c);
}

/* Fills f->statics with the static fields that hold anything, by name. */
static void find_statics(struct fields *f, struct pta *a, const struct report_head *head)
{
	VEC(struct named_field) found = { 0 };

	for (uint32_t i = 1; i < f->p->fields.len; i++) {
		field_id id = { i };
		const struct ir_field *row = field_row(f->p, id);
		bool is_asked = (row->flags & ACCESS_STATIC) && holds_reference(f->p, id) && is_chosen(head, row->owner);
		if (is_asked && pta_static_field(a, id).n)
			vec_push(&found, ((struct named_field){ field_name(f, id), id }));
	}
	if (found.len)
		qsort(found.data, found.len, sizeof(*found.data), compare_named);
	for (uint32_t i = 0; i < found.len; i++)
		vec_push(&f->statics, found.data[i].id);
	vec_release(&found);
}

static bool is_array(const struct program *p, class_id c)
{
	return c.i && class_row(p, c)->kind == CLASS_ARRAY;
}

const char *place_sort_name(enum place_sort s)
{
	static const char *const names[] = { [PLACE_NEW] = "new", [PLACE_CLASS] = "class", [PLACE_UNKNOWN] = "unknown",
					     [PLACE_OUTSIDE] = "outside" };

	return names[s];
}

/* JSON */

struct writer {
	struct json j;
	struct pta *a;
	struct callgraph *g;
	const struct program *p;
	struct names names;
	struct fields fields;
	const struct report_head *head;
	bool *is_named;                /* by object: in a set that is written; NULL: all objects are written */
};

/* Adds the digits of `n` before `end` and returns where they start. */
static char *put_digits(char *end, uint32_t n)
{
	do
		*--end = (char)('0' + n % 10);
	while (n /= 10);
	return end;
}

/* Sets are nearly all of the output, so their commas are not left to json.h. */
static void write_set(struct json *j, struct pta_set s)
{
	char text[12];

	json_key(j, "objects"), json_array(j);
	for (uint32_t i = 0; i < s.n; i++) {
		char *at = put_digits(text + sizeof(text), s.places[i]);
		if (i)
			*--at = ',';
		sink_write(j->out, at, (size_t)(text + sizeof(text) - at));
	}
	json_end_array(j);
}

static void write_object(struct writer *w, uint32_t id)
{
	struct pta_place at = pta_place(w->a, id);
	struct json *j = &w->j;

	json_break(j);
	json_object(j);
	json_key(j, "id"), json_uint(j, id);
	if (at.cls.i)
		json_key(j, "class"), json_escaped(j, names_class(&w->names, at.cls));
	if (at.method.i) {
		uint32_t line = line_of(w->p, at.method, at.pc);
		json_key(j, "method"), json_escaped(j, names_method(&w->names, at.method));
		json_key(j, "pc"), json_uint(j, at.pc);
		if (line)
			json_key(j, "line"), json_uint(j, line);
	}
	json_key(j, "sort"), json_escaped(j, str_of(place_sort_name(at.sort)));
	json_end_object(j);
}

static void write_objects(struct writer *w)
{
	uint32_t n = pta_nplaces(w->a);

	json_key(&w->j, "objects"), json_array(&w->j);
	for (uint32_t i = 0; i < n; i++)
		if (!w->is_named || w->is_named[i])
			write_object(w, i);
	json_end_array(&w->j);
}

static void write_value(struct json *j, ir_value v, struct pta_set s)
{
	char name[16];

	snprintf(name, sizeof(name), "v%u", (unsigned)v);
	json_break(j);
	json_object(j);
	json_key(j, "value"), json_escaped(j, str_of(name));
	write_set(j, s);
	json_end_object(j);
}

static void open_method(struct writer *w, method_id m)
{
	json_break(&w->j);
	json_object(&w->j);
	json_key(&w->j, "method"), json_escaped(&w->j, names_method(&w->names, m));
	json_key(&w->j, "values"), json_array(&w->j);
}

static void write_method(struct writer *w, method_id m)
{
	uint32_t n = pta_nvalues(w->a, m);
	bool any = false;

	for (ir_value v = 1; v <= n; v++) {
		struct pta_set s = pta_value(w->a, m, v);
		if (!s.n)
			continue;
		if (!any)
			open_method(w, m);
		any = true;
		write_value(&w->j, v, s);
	}
	if (any) {
		json_end_array(&w->j);
		json_end_object(&w->j);
	}
}

static void write_variables(struct writer *w)
{
	uint32_t n = callgraph_nmethods(w->g);

	json_key(&w->j, "variables"), json_array(&w->j);
	for (uint32_t k = 0; k < n; k++)
		if (is_chosen(w->head, method_row(w->p, callgraph_method(w->g, k))->owner))
			write_method(w, callgraph_method(w->g, k));
	json_end_array(&w->j);
}

static void write_statics(struct writer *w)
{
	struct json *j = &w->j;

	json_key(j, "static_fields"), json_array(j);
	for (uint32_t i = 0; i < w->fields.statics.len; i++) {
		json_break(j);
		json_object(j);
		json_key(j, "field"), json_escaped(j, field_name(&w->fields, w->fields.statics.data[i]));
		write_set(j, pta_static_field(w->a, w->fields.statics.data[i]));
		json_end_object(j);
	}
	json_end_array(j);
}

static void write_field(struct writer *w, uint32_t object, field_id f)
{
	struct pta_set s = pta_field(w->a, object, f);
	struct json *j = &w->j;

	if (!s.n)
		return;
	json_break(j);
	json_object(j);
	json_key(j, "object"), json_uint(j, object);
	json_key(j, "field"), json_escaped(j, f.i ? field_name(&w->fields, f) : STR("[]"));
	write_set(j, s);
	json_end_object(j);
}

/* Calls fn for the fields of an object that are shown; of arrays that methods of these classes make, the elements. */
static void each_field(struct writer *w, uint32_t object, void (*fn)(struct writer *w, uint32_t object, field_id f))
{
	struct pta_place at = pta_place(w->a, object);

	if (is_array(w->p, at.cls)) {
		if (!w->head->selection.writes || (at.method.i && is_chosen(w->head, method_row(w->p, at.method)->owner)))
			fn(w, object, (field_id){ 0 });
		return;
	}
	struct run_of r = at.cls.i ? fields_of(&w->fields, at.cls) : (struct run_of){ 0 };
	for (uint32_t i = 0; i < r.n; i++) {
		field_id f = w->fields.lists.data[r.first + i];
		if (is_chosen(w->head, field_row(w->p, f)->owner))
			fn(w, object, f);
	}
}

static void write_fields(struct writer *w)
{
	uint32_t n = pta_nplaces(w->a);

	json_key(&w->j, "fields"), json_array(&w->j);
	for (uint32_t i = 0; i < n; i++)
		each_field(w, i, write_field);
	json_end_array(&w->j);
}

/* Objects stand before the sets, so those of a part of the program are found first. */

static void name_set(struct writer *w, struct pta_set s)
{
	for (uint32_t i = 0; i < s.n; i++)
		w->is_named[s.places[i]] = true;
}

static void name_field(struct writer *w, uint32_t object, field_id f)
{
	struct pta_set s = pta_field(w->a, object, f);

	w->is_named[object] |= s.n != 0;
	name_set(w, s);
}

static void name_values(struct writer *w, method_id m)
{
	uint32_t n = pta_nvalues(w->a, m);

	for (ir_value v = 1; v <= n; v++)
		name_set(w, pta_value(w->a, m, v));
}

static void find_named(struct writer *w)
{
	uint32_t n = callgraph_nmethods(w->g), nobjects = pta_nplaces(w->a);

	w->is_named = mem_zalloc(nobjects);
	for (uint32_t k = 0; k < n; k++)
		if (is_chosen(w->head, method_row(w->p, callgraph_method(w->g, k))->owner))
			name_values(w, callgraph_method(w->g, k));
	for (uint32_t i = 0; i < w->fields.statics.len; i++)
		name_set(w, pta_static_field(w->a, w->fields.statics.data[i]));
	for (uint32_t i = 0; i < nobjects; i++)
		each_field(w, i, name_field);
}

static void write_facts(struct writer *w)
{
	const struct report_head *head = w->head;
	struct json *j = &w->j;

	find_statics(&w->fields, w->a, head);
	if (head->selection.writes)
		find_named(w);
	json_object(j);
	json_key(j, "schema"), json_escaped(j, STR("sherd/points-to/1"));
	json_key(j, "algorithm"), json_str(j, str_of(head->algorithm));
	json_key(j, "entry"), json_str(j, str_of(head->entry));
	json_break(j);
	write_objects(w);
	json_break(j);
	write_variables(w);
	json_break(j);
	write_statics(w);
	json_break(j);
	write_fields(w);
	json_end_object(j);
	sink_putc(j->out, '\n');
}

bool report_pointsto_json(struct sink *out, struct pta *a, struct callgraph *g, const struct report_head *head)
{
	struct writer w = { .j = { .out = out }, .a = a, .g = g, .p = callgraph_program(g), .head = head };

	names_init(&w.names, w.p, name_full, ESCAPE_JSON);
	fields_init(&w.fields, w.p, ESCAPE_JSON);
	write_facts(&w);
	free(w.is_named);
	names_release(&w.names);
	fields_release(&w.fields);
	return sink_finish(out);
}

/* Text */

struct screen {
	struct screen_out s;
	struct pta *a;
	struct callgraph *g;
	const struct program *p;
	const struct report_head *head;
	struct names source, brief;
	struct fields fields;
	struct strbuf text;
	const char *title;             /* of the section, until its first row is written */
};

static bool is_shown(const struct screen *s, class_id c)
{
	if (s->head->selection.writes)
		return c.i && is_chosen(s->head, c);
	return c.i && (!s->head->is_application || s->head->is_application(s->head->application, c));
}

/* shapes.Circle (shapes.Main.main:12) */
static void add_object(struct screen *s, uint32_t id)
{
	struct pta_place at = pta_place(s->a, id);

	if (!at.cls.i) {
		strbuf_adds(&s->text, "unknown");
		return;
	}
	strbuf_addstr(&s->text, names_class(&s->brief, at.cls));
	if (at.method.i) {
		strbuf_adds(&s->text, " (");
		add_place(&s->brief, at.method, at.pc, &s->text);
		strbuf_addch(&s->text, ')');
	} else if (at.sort == PLACE_OUTSIDE) {
		strbuf_adds(&s->text, " (outside)");
	}
}

/* The rest of a line: what the set holds. */
static void show_set(struct screen *s, struct pta_set set)
{
	strbuf_clear(&s->text);
	for (uint32_t i = 0; i < set.n && i < MAX_SHOWN; i++) {
		strbuf_adds(&s->text, i ? ", " : "");
		add_object(s, set.places[i]);
	}
	sink_str(s->s.out, strbuf_str(&s->text));
	if (set.n > MAX_SHOWN) {
		char buf[32];
		screen_style(&s->s, STYLE_DIM);
		sink_printf(s->s.out, ", … %s more", grouped(set.n - MAX_SHOWN, buf));
		screen_plain(&s->s);
	}
	sink_putc(s->s.out, '\n');
}

/* Before each row: sections without any are left out. */
static void show_title(struct screen *s)
{
	if (!s->title)
		return;
	sink_putc(s->s.out, '\n');
	screen_puts(&s->s, STYLE_BOLD, s->title);
	sink_putc(s->s.out, '\n');
	s->title = NULL;
}

static void show_name(struct screen *s, method_id m)
{
	show_title(s);
	sink_puts(s->s.out, "  ");
	screen_style(&s->s, STYLE_GREEN);
	sink_str(s->s.out, names_method(&s->source, m));
	screen_plain(&s->s);
	sink_putc(s->s.out, '\n');
}

static void show_method(struct screen *s, method_id m)
{
	uint32_t n = pta_nvalues(s->a, m);
	bool any = false;

	for (ir_value v = 1; v <= n; v++) {
		struct pta_set set = pta_value(s->a, m, v);
		if (!set.n)
			continue;
		if (!any)
			show_name(s, m);
		any = true;
		sink_printf(s->s.out, "    v%-5u ", (unsigned)v);
		show_set(s, set);
	}
}

static void show_variables(struct screen *s)
{
	uint32_t n = callgraph_nmethods(s->g);

	s->title = "Variables";
	for (uint32_t k = 0; k < n; k++)
		if (is_shown(s, method_row(s->p, callgraph_method(s->g, k))->owner))
			show_method(s, callgraph_method(s->g, k));
}

static void show_statics(struct screen *s)
{
	find_statics(&s->fields, s->a, s->head);
	s->title = "Static fields";
	for (uint32_t i = 0; i < s->fields.statics.len; i++) {
		field_id f = s->fields.statics.data[i];
		if (!is_shown(s, field_row(s->p, f)->owner))
			continue;
		show_title(s);
		sink_puts(s->s.out, "    ");
		sink_str(s->s.out, field_name(&s->fields, f));
		sink_puts(s->s.out, ": ");
		show_set(s, pta_static_field(s->a, f));
	}
}

static void show_field(struct screen *s, uint32_t object, field_id f)
{
	if (!pta_field(s->a, object, f).n)
		return;
	show_title(s);
	strbuf_clear(&s->text);
	add_object(s, object);
	strbuf_adds(&s->text, f.i ? " ." : " []");
	if (f.i)
		escape_add(&s->text, ESCAPE_PLAIN, sel_name(s->p, field_row(s->p, f)->sel));
	sink_puts(s->s.out, "    ");
	sink_str(s->s.out, strbuf_str(&s->text));
	sink_puts(s->s.out, ": ");
	show_set(s, pta_field(s->a, object, f));
}

/* Is the object of a class of the application, or created by it? */
static bool is_own(const struct screen *s, struct pta_place at)
{
	return is_shown(s, at.cls) || (at.method.i && is_shown(s, method_row(s->p, at.method)->owner));
}

static void show_fields(struct screen *s)
{
	uint32_t n = pta_nplaces(s->a);

	s->title = "Fields of objects";
	for (uint32_t id = 0; id < n; id++) {
		struct pta_place at = pta_place(s->a, id);
		if (!is_own(s, at) || !at.cls.i)
			continue;
		if (is_array(s->p, at.cls))
			show_field(s, id, (field_id){ 0 });
		struct run_of r = fields_of(&s->fields, at.cls);
		for (uint32_t i = 0; i < r.n; i++)
			show_field(s, id, s->fields.lists.data[r.first + i]);
	}
}

static void show_head(struct screen *s)
{
	char buf[32];

	screen_puts(&s->s, STYLE_BOLD, "Points-to facts");
	sink_putc(s->s.out, '\n');
	screen_label(&s->s, "Entry");
	strbuf_clear(&s->text);
	escape_add(&s->text, ESCAPE_PLAIN, str_of(s->head->entry));
	sink_printf(s->s.out, "%s\n", s->text.s);
	screen_label(&s->s, "Algorithm");
	sink_printf(s->s.out, "%s\n", s->head->algorithm);
	screen_label(&s->s, "Objects");
	sink_printf(s->s.out, "%s\n", grouped(pta_nplaces(s->a), buf));
	if (s->head->is_application && !s->head->selection.writes)
		screen_puts(&s->s, STYLE_DIM, "  Only what the application's own code and objects hold; json has all.\n");
}

bool report_pointsto_text(struct sink *out, struct pta *a, struct callgraph *g, const struct report_head *head)
{
	struct screen s = { .s = { out, head->color }, .a = a, .g = g, .p = callgraph_program(g), .head = head };

	names_init(&s.source, s.p, name_source, ESCAPE_PLAIN);
	names_init(&s.brief, s.p, name_brief, ESCAPE_PLAIN);
	fields_init(&s.fields, s.p, ESCAPE_PLAIN);
	show_head(&s);
	show_variables(&s);
	show_statics(&s);
	show_fields(&s);
	names_release(&s.source);
	names_release(&s.brief);
	fields_release(&s.fields);
	strbuf_release(&s.text);
	return sink_finish(out);
}
