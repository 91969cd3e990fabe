/* SPDX-License-Identifier: Apache-2.0 */
/* What library calls read and write (docs/formats/callbacks-json.md). Calls are in the order of their callers' printed names, fields in
 * that of their numbers. In JSON, what is the same is written once: objects, a field's objects, effects. */
#include "report/graph/effects.h"

#include <stdlib.h>

#include "report/java/names.h"
#include "report/java/order.h"
#include "report/write/screen.h"

#define MAX_CALLS 60             /* on a screen */
#define MAX_CLASSES 6            /* of each, in each direction */
#define MAX_FIELDS 6             /* of a class */
#define MAX_METHODS 30           /* in lists of --side-effect-free */

struct writer {
	const struct callbacks *c;
	const struct callgraph *g;
	const struct program *p;
	const struct application_head *head;
	struct names names, brief;
	enum escape form;
	uint32_t *order;                 /* calls, as they are written */
	struct strbuf text;
	/* JSON: what is numbered when it comes */
	VEC(uint32_t) sets;
	uint32_t *number_of_set;         /* 1 + number */
	VEC(uint32_t) places;
	uint32_t *number_of_place;       /* 1 + number */
	VEC(uint32_t) effects;
	uint32_t *number_of_effect;      /* likewise */
};

/* Order */

struct sorted_call {
	uint64_t key;            /* rank of the caller, pc */
	uint32_t call;
};

static int compare_calls(const void *x, const void *y)
{
	const struct sorted_call *a = x, *b = y;

	return (a->key > b->key) - (a->key < b->key);
}

static void sort_calls(struct writer *w)
{
	uint32_t n = w->c->calls.len;
	struct sorted_call *rows = mem_alloc((n + 1) * sizeof(*rows));
	struct order o;

	order_init(&o, w->g);
	for (uint32_t i = 0; i < n; i++)
		rows[i] = (struct sorted_call){ map_key(o.ranks[w->c->calls.data[i].caller.i], w->c->calls.data[i].pc), i };
	qsort(rows, n, sizeof(*rows), compare_calls);
	w->order = mem_alloc((n + 1) * sizeof(*w->order));
	for (uint32_t i = 0; i < n; i++)
		w->order[i] = rows[i].call;
	order_release(&o);
	free(rows);
}

static void open_writer(struct writer *w, name_render *render, enum escape form)
{
	w->p = callgraph_program(w->g);
	w->form = form;
	names_init(&w->names, w->p, render, form);
	names_init(&w->brief, w->p, name_brief, form);
	sort_calls(w);
}

static void close_writer(struct writer *w)
{
	names_release(&w->names);
	names_release(&w->brief);
	strbuf_release(&w->text);
	vec_release(&w->sets);
	vec_release(&w->places);
	vec_release(&w->effects);
	free(w->number_of_set);
	free(w->number_of_place);
	free(w->number_of_effect);
	free(w->order);
}

static const struct library_call *call_at(const struct writer *w, uint32_t i)
{
	return &w->c->calls.data[w->order[i]];
}

/* Sets of accesses */

static const struct reach_access *access_at(const struct writer *w, uint32_t i)
{
	return &w->c->accesses.data[i];
}

/* A field of some objects: what an effect has at a place of its list. */
static struct reach_set set_at(const struct writer *w, uint32_t at)
{
	return w->c->sets.data[w->c->lists.data[at]];
}

static bool is_static(const struct writer *w, struct reach_set g)
{
	return access_at(w, g.first)->place == NO_PLACE;
}

static bool is_all_new(const struct writer *w, struct reach_set g)
{
	for (uint32_t i = 0; i < g.n; i++)
		if (!access_at(w, g.first + i)->is_new)
			return false;
	return true;
}

/* "java.util.HashMap.size"; "[]": elements. */
static struct str field_text(struct writer *w, field_id f)
{
	strbuf_clear(&w->text);
	if (!f.i)
		return STR("[]");
	struct ir_field row = *field_row(w->p, f);
	strbuf_addstr(&w->text, names_class(&w->names, row.owner));
	strbuf_addch(&w->text, '.');
	escape_add(&w->text, w->form, sel_name(w->p, row.sel));
	return strbuf_str(&w->text);
}

/* JSON */

static uint32_t number_place(struct writer *w, uint32_t place)
{
	uint32_t *at = &w->number_of_place[place];

	if (!*at) {
		vec_push(&w->places, place);
		*at = w->places.len;
	}
	return *at - 1;
}

static uint32_t number_set(struct writer *w, uint32_t set)
{
	uint32_t *at = &w->number_of_set[set];
	struct reach_set g = w->c->sets.data[set];

	if (!*at) {
		vec_push(&w->sets, set);
		*at = w->sets.len;
		for (uint32_t i = 0; i < g.n; i++)
			if (!is_static(w, g))
				number_place(w, access_at(w, g.first + i)->place);
	}
	return *at - 1;
}

static void write_objects(struct writer *w, struct json *j, struct reach_set g, bool is_new)
{
	bool has_some = false;

	for (uint32_t i = 0; i < g.n; i++) {
		const struct reach_access *x = access_at(w, g.first + i);
		if (!x->is_new != !is_new)
			continue;
		if (!has_some)
			json_key(j, is_new ? "new" : "objects"), json_array(j);
		has_some = true;
		json_uint(j, number_place(w, x->place));
	}
	if (has_some)
		json_end_array(j);
}

static void write_set(struct writer *w, struct json *j, struct reach_set g)
{
	json_break(j);
	json_object(j);
	json_key(j, "field"), json_escaped(j, field_text(w, access_at(w, g.first)->field));
	if (is_static(w, g)) {
		json_key(j, "static"), json_bool(j, true);
		if (is_all_new(w, g))
			json_key(j, "new"), json_array(j), json_end_array(j);
	} else {
		write_objects(w, j, g, false);
		write_objects(w, j, g, true);
	}
	json_end_object(j);
}

static void write_list(struct writer *w, struct json *j, const char *key, uint32_t first, uint32_t n)
{
	json_key(j, key), json_array(j);
	for (uint32_t i = first; i < first + n; i++)
		json_uint(j, number_set(w, w->c->lists.data[i]));
	json_end_array(j);
}

static void write_effect(struct writer *w, struct json *j, const struct reach_effect *e)
{
	json_break(j);
	json_object(j);
	write_list(w, j, "reads", e->first_read, e->nreads);
	write_list(w, j, "writes", e->first_write, e->nwrites);
	if (e->nunknown) {
		json_key(j, "unknown"), json_array(j);
		for (uint32_t i = 0; i < e->nunknown; i++)
			json_escaped(j, names_method(&w->names, w->c->unknown_methods.data[e->first_unknown + i]));
		json_end_array(j);
	}
	json_end_object(j);
}

static void write_place(struct writer *w, struct json *j, const struct pta_place *at)
{
	uint32_t line = at->method.i ? line_of(w->p, at->method, at->pc) : 0;

	json_break(j);
	json_object(j);
	if (at->cls.i)
		json_key(j, "class"), json_escaped(j, names_class(&w->names, at->cls));
	if (at->method.i) {
		json_key(j, "method"), json_escaped(j, names_method(&w->names, at->method));
		json_key(j, "pc"), json_uint(j, at->pc);
	}
	if (line)
		json_key(j, "line"), json_uint(j, line);
	json_end_object(j);
}

static uint32_t number_effect(struct writer *w, uint32_t effect)
{
	uint32_t *at = &w->number_of_effect[effect];

	if (!*at) {
		vec_push(&w->effects, effect);
		*at = w->effects.len;
	}
	return *at - 1;
}

static void write_call(struct writer *w, struct json *j, const struct library_call *c)
{
	struct str caller = names_method(&w->names, c->caller);
	uint32_t line = line_of(w->p, c->caller, c->pc);

	json_break(j);
	json_object(j);
	strbuf_clear(&w->text);
	strbuf_addstr(&w->text, caller);
	strbuf_addf(&w->text, "@%u", (unsigned)c->pc);
	json_key(j, "site"), json_escaped(j, strbuf_str(&w->text));
	if (line)
		json_key(j, "line"), json_uint(j, line);
	if (c->mref.i)
		json_key(j, "declared"), json_escaped(j, names_mref(&w->names, c->mref));
	if (c->effect)
		json_key(j, "effect"), json_uint(j, number_effect(w, c->effect));
	json_key(j, "callbacks"), json_array(j);
	for (uint32_t i = c->first; i < c->first + c->n; i++)
		if (w->c->edges.data[i].sort != CALL_DIRECT)
			json_escaped(j, names_method(&w->names, w->c->edges.data[i].callee));
	json_end_array(j);
	json_key(j, "free"), json_bool(j, c->is_free);
	json_end_object(j);
}

static void open_list(struct json *j, const char *key)
{
	json_break(j);
	json_key(j, key), json_array(j);
}

void report_effects_json(struct json *j, const struct callbacks *c, const struct callgraph *g)
{
	struct writer w = { .c = c, .g = g };

	open_writer(&w, name_full, ESCAPE_JSON);
	w.number_of_place = mem_zalloc((c->places.len + 1) * sizeof(*w.number_of_place));
	w.number_of_set = mem_zalloc((c->sets.len + 1) * sizeof(*w.number_of_set));
	w.number_of_effect = mem_zalloc((c->effects.len + 1) * sizeof(*w.number_of_effect));
	open_list(j, "calls");
	for (uint32_t i = 0; i < c->calls.len; i++)
		write_call(&w, j, call_at(&w, i));
	json_end_array(j);
	open_list(j, "effects");
	for (uint32_t i = 0; i < w.effects.len; i++)
		write_effect(&w, j, &c->effects.data[w.effects.data[i]]);
	json_end_array(j);
	open_list(j, "accesses");
	for (uint32_t i = 0; i < w.sets.len; i++)
		write_set(&w, j, c->sets.data[w.sets.data[i]]);
	json_end_array(j);
	open_list(j, "objects");
	for (uint32_t i = 0; i < w.places.len; i++)
		write_place(&w, j, &c->places.data[w.places.data[i]]);
	json_end_array(j);
	close_writer(&w);
}

/* Rows */

static void csv_start(struct writer *w, struct sink *out, const struct library_call *c)
{
	sink_str(out, names_method(&w->names, c->caller));
	sink_printf(out, ",%u,%u,", (unsigned)c->pc, (unsigned)line_of(w->p, c->caller, c->pc));
	if (c->mref.i)
		sink_str(out, names_mref(&w->names, c->mref));
}

/* How many fields it writes of what was there before. */
static uint32_t count_changes(const struct writer *w, const struct reach_effect *e)
{
	uint32_t n = 0;

	for (uint32_t i = e->first_write; i < e->first_write + e->nwrites; i++)
		n += !is_all_new(w, set_at(w, i));
	return n;
}

static void csv_call(struct writer *w, struct sink *out, const struct library_call *c)
{
	const struct reach_effect *e = &w->c->effects.data[c->effect];

	csv_start(w, out, c);
	if (c->effect)
		sink_printf(out, ",%s,%u,%u,%u,%u,%u\r\n", c->is_free ? "yes" : "no", (unsigned)c->ncallbacks,
			    (unsigned)e->nreads, (unsigned)e->nwrites, (unsigned)count_changes(w, e), (unsigned)e->nunknown);
	else
		sink_printf(out, ",no,%u,,,,\r\n", (unsigned)c->ncallbacks);
}

bool report_effects_csv(struct sink *out, const struct callbacks *c, const struct callgraph *g, const struct application_head *head)
{
	struct writer w = { .c = c, .g = g, .head = head };

	open_writer(&w, name_full, ESCAPE_CSV);
	sink_puts(out, "caller,pc,line,declared,free,callbacks,reads,writes,changes,unknown\r\n");
	for (uint32_t i = 0; i < c->calls.len; i++)
		csv_call(&w, out, call_at(&w, i));
	close_writer(&w);
	return sink_finish(out);
}

/* The screen: every call */

static class_id owner_of(const struct writer *w, struct reach_set g)
{
	field_id f = access_at(w, g.first)->field;

	return f.i ? field_row(w->p, f)->owner : (class_id){ 0 };
}

static void show_place(struct writer *w, struct sink *out, uint32_t place)
{
	const struct pta_place *at = &w->c->places.data[place];

	sink_str(out, at->cls.i ? names_class(&w->brief, at->cls) : STR("?"));
	if (!at->method.i)
		return;
	strbuf_clear(&w->text);
	add_place(&w->brief, at->method, at->pc, &w->text);
	sink_puts(out, " of ");
	sink_str(out, strbuf_str(&w->text));
}

/* The first object, and how many there are. */
static void show_objects(struct writer *w, struct sink *out, struct reach_set g)
{
	sink_puts(out, is_all_new(w, g) ? "  new " : "  of ");
	show_place(w, out, access_at(w, g.first)->place);
	if (g.n > 1)
		sink_printf(out, " … %u more", (unsigned)(g.n - 1));
}

static void show_field(struct writer *w, struct sink *out, struct reach_set g, uint32_t shown)
{
	if (!owner_of(w, g).i)
		return;
	sink_puts(out, shown ? ", " : ": ");
	strbuf_clear(&w->text);
	escape_add(&w->text, w->form, sel_name(w->p, field_row(w->p, access_at(w, g.first)->field)->sel));
	sink_str(out, strbuf_str(&w->text));
}

/* The fields of the class of the first one in a list, in a line. Returns where those of the next class begin. */
static uint32_t show_class(struct writer *w, struct sink *out, uint32_t first, uint32_t end)
{
	class_id owner = owner_of(w, set_at(w, first));
	struct reach_set most = { 0 };
	uint32_t n = 0;

	sink_str(out, owner.i ? names_class(&w->names, owner) : STR("elements of arrays"));
	for (; first < end; first++) {
		struct reach_set g = set_at(w, first);
		if (owner_of(w, g).i != owner.i)
			break;
		if (n < MAX_FIELDS || w->head->head->is_verbose)
			show_field(w, out, g, n);
		n++;
		if (!is_static(w, g) && g.n > most.n)
			most = g;
	}
	if (n > MAX_FIELDS && !w->head->head->is_verbose)
		sink_printf(out, " … %u more", (unsigned)(n - MAX_FIELDS));
	if (most.n)
		show_objects(w, out, most);
	sink_putc(out, '\n');
	return first;
}

static uint32_t skip_class(struct writer *w, uint32_t first, uint32_t end)
{
	class_id owner = owner_of(w, set_at(w, first));

	while (first < end && owner_of(w, set_at(w, first)).i == owner.i)
		first++;
	return first;
}

static void show_accesses(struct writer *w, struct sink *out, const char *label, uint32_t first, uint32_t n)
{
	uint32_t end = first + n, shown = 0, hidden = 0;

	while (first < end) {
		if (shown == MAX_CLASSES && !w->head->head->is_verbose) {
			first = skip_class(w, first, end);
			hidden++;
			continue;
		}
		sink_printf(out, "              %-8s", shown++ ? "" : label);
		first = show_class(w, out, first, end);
	}
	if (hidden)
		sink_printf(out, "                      … %u classes more\n", (unsigned)hidden);
}

static void show_callbacks(struct writer *w, struct sink *out, const struct library_call *c)
{
	uint32_t shown = 0;

	for (uint32_t i = c->first; i < c->first + c->n; i++) {
		const struct app_edge *e = &w->c->edges.data[i];
		if (e->sort == CALL_DIRECT || (shown == MAX_CLASSES && !w->head->head->is_verbose))
			continue;
		sink_printf(out, "              %-8s", shown++ ? "" : "calls");
		sink_str(out, names_method(&w->names, e->callee));
		sink_putc(out, '\n');
	}
	if (c->ncallbacks > shown)
		sink_printf(out, "                      … %u more\n", (unsigned)(c->ncallbacks - shown));
}

static void show_unknown(struct writer *w, struct sink *out, const struct library_call *c, const struct reach_effect *e)
{
	if (!c->effect)
		sink_puts(out, "              not known\n");
	if (!e->nunknown)
		return;
	sink_puts(out, "              unknown ");
	sink_str(out, names_method(&w->names, w->c->unknown_methods.data[e->first_unknown]));
	if (e->nunknown > 1)
		sink_printf(out, " … %u more", (unsigned)(e->nunknown - 1));
	sink_putc(out, '\n');
}

static void show_call(struct writer *w, struct sink *out, const struct library_call *c)
{
	const struct reach_effect *e = &w->c->effects.data[c->effect];
	uint32_t line = line_of(w->p, c->caller, c->pc);

	sink_printf(out, line ? "    %6u  " : "       @%u  ", (unsigned)(line ? line : c->pc));
	sink_str(out, c->mref.i ? names_mref(&w->names, c->mref) : STR("?"));
	sink_puts(out, c->is_free ? "  side-effect free\n" : "\n");
	show_callbacks(w, out, c);
	show_accesses(w, out, "reads", e->first_read, e->nreads);
	show_accesses(w, out, "writes", e->first_write, e->nwrites);
	show_unknown(w, out, c, e);
}

bool report_effects_text(struct sink *out, const struct callbacks *c, const struct callgraph *g, const struct application_head *head)
{
	struct writer w = { .c = c, .g = g, .head = head };
	struct screen_out s = { out, head->head->color };
	method_id caller = { 0 };
	uint32_t i = 0;

	open_writer(&w, name_source, ESCAPE_PLAIN);
	report_application_head(&s, head, c);
	screen_title(&s, "What library calls do", c->calls.len);
	for (; i < c->calls.len && (i < MAX_CALLS || head->head->is_verbose); i++) {
		const struct library_call *x = call_at(&w, i);
		if (x->caller.i != caller.i) {
			sink_puts(out, "\n  ");
			sink_str(out, names_method(&w.names, x->caller));
			sink_putc(out, '\n');
		}
		caller = x->caller;
		show_call(&w, out, x);
	}
	if (i < c->calls.len)
		sink_printf(out, "\n  … %u more; -v lists all\n", (unsigned)(c->calls.len - i));
	close_writer(&w);
	return sink_finish(out);
}

/* The screen: which change nothing, by what they name */

enum free_reason { NOT_FREE_CALLS, NOT_FREE_WRITES, NOT_FREE_UNKNOWN, FREE_REASONS };
static const char *const reason_names[] = { "calls back", "writes", "unknown" };

struct counted {
	uint32_t calls, first;   /* of `order`: a call of them */
	uint32_t reasons[FREE_REASONS];
	uint32_t what;           /* mref, or field */
};

typedef VEC(struct counted) counted_list;

static int compare_counts(const void *x, const void *y)
{
	const struct counted *a = x, *b = y;

	if (a->calls != b->calls)
		return a->calls < b->calls ? 1 : -1;
	return (a->first > b->first) - (a->first < b->first);
}

static struct counted *count(counted_list *list, struct map *row_of, uint32_t what, uint32_t call)
{
	uint32_t *at = map_at(row_of, 1 + (uint64_t)what);

	if (!*at) {
		vec_push(list, ((struct counted){ .what = what, .first = call }));
		*at = list->len;
	}
	list->data[*at - 1].calls++;
	return &list->data[*at - 1];
}

/* By methods that calls name: `free` ones, or the others, with why. */
static void count_methods(struct writer *w, counted_list *out, bool is_free)
{
	struct map row_of = { 0 };

	for (uint32_t i = 0; i < w->c->calls.len; i++) {
		const struct library_call *c = call_at(w, i);
		if (c->is_free != is_free)
			continue;
		struct counted *row = count(out, &row_of, c->mref.i, i);
		const struct reach_effect *e = &w->c->effects.data[c->effect];
		row->reasons[NOT_FREE_CALLS] += c->ncallbacks > 0;
		row->reasons[NOT_FREE_WRITES] += count_changes(w, e) > 0;
		row->reasons[NOT_FREE_UNKNOWN] += !c->effect || e->nunknown;
	}
	if (out->len)
		qsort(out->data, out->len, sizeof(*out->data), compare_counts);
	map_release(&row_of);
}

/* Fields that calls write of objects that were there before, by how many calls. */
static void count_fields(struct writer *w, counted_list *out)
{
	struct map row_of = { 0 };
	uint32_t *calls = mem_zalloc((w->c->effects.len + 1) * sizeof(*calls));

	for (uint32_t i = 0; i < w->c->calls.len; i++)
		calls[w->c->calls.data[i].effect]++;
	for (uint32_t k = 1; k < w->c->effects.len; k++) {
		const struct reach_effect *e = &w->c->effects.data[k];
		for (uint32_t i = e->first_write; i < e->first_write + e->nwrites; i++) {
			uint32_t field = access_at(w, set_at(w, i).first)->field.i;
			if (!is_all_new(w, set_at(w, i)))
				count(out, &row_of, field, field)->calls += calls[k] - 1;
		}
	}
	if (out->len)
		qsort(out->data, out->len, sizeof(*out->data), compare_counts);
	map_release(&row_of);
	free(calls);
}

static void show_counted(struct writer *w, const struct screen_out *s, const counted_list *list, bool is_field)
{
	char number[32];
	uint32_t n = list->len < MAX_METHODS || w->head->head->is_verbose ? list->len : MAX_METHODS;

	for (uint32_t i = 0; i < n; i++) {
		const struct counted *x = &list->data[i];
		sink_printf(s->out, "    %8s  ", grouped(x->calls, number));
		if (is_field)
			sink_str(s->out, x->what ? field_text(w, (field_id){ x->what }) : STR("elements of arrays"));
		else
			sink_str(s->out, x->what ? names_mref(&w->names, (mref_id){ x->what }) : STR("?"));
		for (int k = 0; k < FREE_REASONS; k++)
			if (x->reasons[k])
				sink_printf(s->out, "  %s %s", reason_names[k], grouped(x->reasons[k], number));
		sink_putc(s->out, '\n');
	}
	if (n < list->len)
		sink_printf(s->out, "    … %s more; -v lists all\n", grouped(list->len - n, number));
}

bool report_free_text(struct sink *out, const struct callbacks *c, const struct callgraph *g, const struct application_head *head)
{
	struct writer w = { .c = c, .g = g, .head = head };
	struct screen_out s = { out, head->head->color };
	counted_list pure = { 0 }, others = { 0 }, fields = { 0 };

	open_writer(&w, name_source, ESCAPE_PLAIN);
	count_methods(&w, &pure, true);
	count_methods(&w, &others, false);
	count_fields(&w, &fields);
	report_application_head(&s, head, c);
	screen_title(&s, "Library calls that change nothing", c->free_calls);
	show_counted(&w, &s, &pure, false);
	screen_title(&s, "Others, by what they call", c->calls.len - c->free_calls);
	show_counted(&w, &s, &others, false);
	screen_title(&s, "Fields that these write", fields.len);
	show_counted(&w, &s, &fields, true);
	vec_release(&pure);
	vec_release(&others);
	vec_release(&fields);
	close_writer(&w);
	return sink_finish(out);
}
