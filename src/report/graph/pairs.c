/* SPDX-License-Identifier: Apache-2.0 */
/* Def-use pairs, as a screen, as JSON (docs/formats/defuse-json.md) and as rows of RFC 4180. */
#include "report/graph/pairs.h"

#include <stdlib.h>

#include "report/java/names.h"
#include "report/java/order.h"
#include "report/java/sources.h"
#include "report/write/json.h"
#include "report/write/screen.h"

#define MAX_FIELDS 40            /* on a screen */
#define MAX_DEFINITIONS 6        /* of a field */
#define MAX_USES 6               /* of a definition */

struct writer {
	const struct pairs_subject *s;
	const struct program *p;
	struct names names;
	enum escape form;
	uint32_t *order;                 /* pairs, as they are written */
	struct strbuf text;
};

/* Order */

struct sorted_pair {
	uint32_t field, def, use;        /* ranks */
	uint32_t def_pc, use_pc, pair;
};

static int compare(uint32_t x, uint32_t y)
{
	return (x > y) - (x < y);
}

static int compare_pairs(const void *x, const void *y)
{
	const struct sorted_pair *a = x, *b = y;
	int c = compare(a->field, b->field);

	c = c ? c : compare(a->def, b->def);
	c = c ? c : compare(a->def_pc, b->def_pc);
	c = c ? c : compare(a->use, b->use);
	c = c ? c : compare(a->use_pc, b->use_pc);
	return c ? c : compare(a->pair, b->pair);
}

static void add_field(const struct program *p, field_id f, struct strbuf *out)
{
	print_class(p, field_row(p, f)->owner, out);
	strbuf_addch(out, '.');
	strbuf_addstr(out, sel_name(p, field_row(p, f)->sel));
}

struct named_field {
	struct str name;
	field_id field;
};

static int compare_fields(const void *x, const void *y)
{
	const struct named_field *a = x, *b = y;
	int c = str_cmp(a->name, b->name);

	return c ? c : compare(a->field.i, b->field.i);
}

/* By field id: its place among the printed names of those that have definitions. */
static void rank_fields(const struct writer *w, uint32_t *ranks, struct arena *mem)
{
	const struct defuse *d = w->s->pairs;
	struct named_field *rows = arena_array(mem, struct named_field, d->defs.len + 1);
	struct strbuf name = { 0 };
	uint32_t n = 0;

	for (uint32_t i = 0; i < d->defs.len; i++) {
		field_id f = d->defs.data[i].field;
		if (ranks[f.i])
			continue;
		ranks[f.i] = 1;
		strbuf_clear(&name);
		add_field(w->p, f, &name);
		struct str t = strbuf_str(&name);
		rows[n++] = (struct named_field){ { arena_copy(mem, t.p, (size_t)t.len + 1), t.len }, f };
	}
	qsort(rows, n, sizeof(*rows), compare_fields);
	for (uint32_t i = 0; i < n; i++)
		ranks[rows[i].field.i] = i + 1;
	strbuf_release(&name);
}

static void sort_pairs(struct writer *w)
{
	const struct defuse *d = w->s->pairs;
	struct sorted_pair *rows = mem_alloc((d->pairs.len + 1) * sizeof(*rows));
	struct arena mem;
	struct order o;

	arena_init(&mem);
	uint32_t *fields = arena_zarray(&mem, uint32_t, w->p->fields.len + 1);
	rank_fields(w, fields, &mem);
	order_init(&o, w->s->graph);
	for (uint32_t i = 0; i < d->pairs.len; i++) {
		const struct field_access *def = &d->defs.data[d->pairs.data[i].def], *use = &d->uses.data[d->pairs.data[i].use];
		rows[i] = (struct sorted_pair){ fields[def->field.i], o.ranks[def->method.i], o.ranks[use->method.i], def->pc, use->pc, i };
	}
	qsort(rows, d->pairs.len, sizeof(*rows), compare_pairs);
	w->order = mem_alloc((d->pairs.len + 1) * sizeof(*w->order));
	for (uint32_t i = 0; i < d->pairs.len; i++)
		w->order[i] = rows[i].pair;
	order_release(&o);
	arena_release(&mem);
	free(rows);
}

static void open_writer(struct writer *w, const struct pairs_subject *s, name_render *render, enum escape form)
{
	*w = (struct writer){ .s = s, .p = callgraph_program(s->graph), .form = form };
	names_init(&w->names, w->p, render, form);
	sort_pairs(w);
}

static void close_writer(struct writer *w)
{
	names_release(&w->names);
	strbuf_release(&w->text);
	free(w->order);
}

static const struct du_pair *pair_at(const struct writer *w, uint32_t i)
{
	return &w->s->pairs->pairs.data[w->order[i]];
}

static const struct field_access *def_at(const struct writer *w, uint32_t i)
{
	return &w->s->pairs->defs.data[pair_at(w, i)->def];
}

static const struct field_access *use_at(const struct writer *w, uint32_t i)
{
	return &w->s->pairs->uses.data[pair_at(w, i)->use];
}

static struct str field_name(struct writer *w, field_id f)
{
	struct strbuf raw = { 0 };

	add_field(w->p, f, &raw);
	strbuf_clear(&w->text);
	escape_add(&w->text, w->form, strbuf_str(&raw));
	strbuf_release(&raw);
	return strbuf_str(&w->text);
}

/* JSON */

static void write_place(struct writer *w, struct json *j, method_id m, uint32_t pc)
{
	uint32_t line = line_of(w->p, m, pc);

	json_key(j, "method"), json_escaped(j, names_method(&w->names, m));
	json_key(j, "pc"), json_uint(j, pc);
	if (line)
		json_key(j, "line"), json_uint(j, line);
}

static void write_access(struct writer *w, struct json *j, const char *key, const struct field_access *a)
{
	json_key(j, key), json_object(j);
	write_place(w, j, a->method, a->pc);
	if (a->is_library)
		json_key(j, "library"), json_bool(j, true);
	json_end_object(j);
}

static void write_object(struct writer *w, struct json *j, uint32_t place)
{
	if (place == PLACE_NONE)
		return;
	struct pta_place at = pta_place(w->s->facts, place);
	json_key(j, "object"), json_object(j);
	if (at.cls.i)
		json_key(j, "class"), json_escaped(j, names_class(&w->names, at.cls));
	if (at.method.i)
		write_place(w, j, at.method, at.pc);
	json_end_object(j);
}

static void write_pair(struct writer *w, struct json *j, uint32_t i)
{
	const struct field_access *def = def_at(w, i);

	json_break(j);
	json_object(j);
	json_key(j, "field"), json_escaped(j, field_name(w, def->field));
	write_access(w, j, "def", def);
	write_access(w, j, "use", use_at(w, i));
	json_key(j, "kind"), json_escaped(j, str_of(pair_sort_name(pair_at(w, i)->sort)));
	write_object(w, j, pair_at(w, i)->place);
	json_end_object(j);
}

static void json_text(struct json *j, const char *key, const char *text)
{
	if (text)
		json_key(j, key), json_str(j, str_of(text));
}

static void json_head(struct json *j, const struct pairs_subject *s)
{
	const struct application_head *h = s->head;
	const struct defuse *d = s->pairs;

	json_text(j, "schema", "sherd/defuse/1");
	json_text(j, "entry", h->head->entry);
	json_text(j, "application", h->application);
	json_text(j, "algorithm", h->head->algorithm);
	json_text(j, "assume", h->head->assume);
	json_text(j, "precision", h->precision);
	json_key(j, "definitions"), json_uint(j, d->definitions);
	json_key(j, "uses"), json_uint(j, d->reads);
	json_key(j, "fields"), json_uint(j, d->fields);
	for (int i = 0; i < PAIR_SORTS; i++)
		json_key(j, pair_sort_name((enum pair_sort)i)), json_uint(j, d->counts[i]);
	sources_json(j, &h->head->facts);
}

bool report_pairs_json(struct sink *out, const struct pairs_subject *s)
{
	struct json j = { .out = out };
	struct writer w;

	open_writer(&w, s, name_full, ESCAPE_JSON);
	json_object(&j);
	json_head(&j, s);
	json_break(&j);
	json_key(&j, "pairs"), json_array(&j);
	for (uint32_t i = 0; i < s->pairs->pairs.len; i++)
		write_pair(&w, &j, i);
	json_end_array(&j);
	json_end_object(&j);
	sink_putc(out, '\n');
	close_writer(&w);
	return sink_finish(out);
}

/* Rows */

static void write_cells(struct writer *w, struct sink *out, const struct field_access *a)
{
	sink_str(out, names_method(&w->names, a->method));
	sink_printf(out, ",%u,%u,", (unsigned)a->pc, (unsigned)line_of(w->p, a->method, a->pc));
}

bool report_pairs_csv(struct sink *out, const struct pairs_subject *s)
{
	struct writer w;

	open_writer(&w, s, name_full, ESCAPE_CSV);
	sink_puts(out, "field,def_method,def_pc,def_line,use_method,use_pc,use_line,kind\r\n");
	for (uint32_t i = 0; i < s->pairs->pairs.len; i++) {
		sink_str(out, field_name(&w, def_at(&w, i)->field));
		sink_putc(out, ',');
		write_cells(&w, out, def_at(&w, i));
		write_cells(&w, out, use_at(&w, i));
		sink_puts(out, pair_sort_name(pair_at(&w, i)->sort));
		sink_puts(out, "\r\n");
	}
	close_writer(&w);
	return sink_finish(out);
}

/* The screen */

static void show_head(const struct screen_out *s, const struct pairs_subject *x)
{
	const struct report_head *r = x->head->head;
	uint32_t width = r->width ? r->width : 100;
	const struct defuse *d = x->pairs;

	screen_puts(s, STYLE_BOLD, "Def-use pairs\n");
	screen_fact(s, width, "Entry", screen_text(r->entry));
	screen_fact(s, width, "Application", screen_text(x->head->application));
	screen_fact(s, width, "Algorithm", screen_text(r->algorithm));
	screen_fact(s, width, "Precision", screen_text(x->head->precision));
	screen_fact(s, width, "Class path", screen_text(r->class_path));
	screen_fact(s, width, "JDK", screen_text(r->jdk));
	sink_putc(s->out, '\n');
	screen_figure(s, "Definitions", d->definitions);
	screen_figure(s, "Uses", d->reads);
	sink_putc(s->out, '\n');
	screen_figure(s, "Within methods", d->counts[PAIR_INTRA]);
	screen_figure(s, "By calls", d->counts[PAIR_INTER]);
	sink_putc(s->out, '\n');
	screen_figure(s, "By threads", d->counts[PAIR_THREAD]);
	screen_figure(s, "By libraries", d->counts[PAIR_LIBRARY]);
	sink_putc(s->out, '\n');
}

static void show_access(struct writer *w, struct sink *out, const struct field_access *a)
{
	uint32_t line = line_of(w->p, a->method, a->pc);

	sink_printf(out, line ? "%6u  " : "  @%-4u  ", (unsigned)(line ? line : a->pc));
	sink_str(out, names_method(&w->names, a->method));
	if (a->is_library)
		sink_puts(out, ", by a library");
}

static void show_more(const struct screen_out *s, const char *indent, uint32_t n, const char *what)
{
	if (n)
		sink_printf(s->out, "%s… %u more %s\n", indent, (unsigned)n, what);
}

/* The uses of one definition, from the i-th pair on; returns where those of the next begin. */
static uint32_t show_definition(struct writer *w, const struct screen_out *s, uint32_t i, bool is_shown)
{
	uint32_t def = pair_at(w, i)->def, n = 0, left = 0;

	if (is_shown) {
		sink_puts(s->out, "    ");
		show_access(w, s->out, def_at(w, i));
		sink_putc(s->out, '\n');
	}
	for (; i < w->s->pairs->pairs.len && pair_at(w, i)->def == def; i++) {
		if (n++ >= MAX_USES && !w->s->head->head->is_verbose)
			left++;
		if (left || !is_shown)
			continue;
		screen_style(s, STYLE_DIM);
		sink_printf(s->out, "      %-8s", pair_sort_name(pair_at(w, i)->sort));
		screen_plain(s);
		show_access(w, s->out, use_at(w, i));
		sink_putc(s->out, '\n');
	}
	if (is_shown)
		show_more(s, "              ", left, left == 1 ? "use" : "uses");
	return i;
}

static uint32_t show_field(struct writer *w, const struct screen_out *s, uint32_t i, bool is_shown)
{
	field_id f = def_at(w, i)->field;
	uint32_t n = 0;

	if (is_shown) {
		sink_puts(s->out, "    ");
		screen_style(s, STYLE_BOLD);
		sink_str(s->out, sel_name(w->p, field_row(w->p, f)->sel));
		screen_plain(s);
		sink_putc(s->out, '\n');
	}
	for (; i < w->s->pairs->pairs.len && def_at(w, i)->field.i == f.i; n++)
		i = show_definition(w, s, i, is_shown && (n < MAX_DEFINITIONS || w->s->head->head->is_verbose));
	if (is_shown && n > MAX_DEFINITIONS && !w->s->head->head->is_verbose)
		show_more(s, "            ", n - MAX_DEFINITIONS, n - MAX_DEFINITIONS == 1 ? "definition" : "definitions");
	return i;
}

static void show_fields(struct writer *w, const struct screen_out *s)
{
	class_id last = { 0 };
	uint64_t shown = 0;
	bool is_verbose = w->s->head->head->is_verbose;

	for (uint32_t i = 0; i < w->s->pairs->pairs.len; shown++) {
		class_id c = field_row(w->p, def_at(w, i)->field)->owner;
		bool is_shown = shown < MAX_FIELDS || is_verbose;
		if (is_shown && c.i != last.i) {
			sink_puts(s->out, "\n  ");
			sink_str(s->out, names_class(&w->names, c));
			sink_putc(s->out, '\n');
		}
		last = c;
		i = show_field(w, s, i, is_shown);
	}
	if (shown > MAX_FIELDS && !is_verbose)
		sink_printf(s->out, "\n  … %llu more fields; -v lists all\n", (unsigned long long)(shown - MAX_FIELDS));
}

bool report_pairs_text(struct sink *out, const struct pairs_subject *x)
{
	struct screen_out s = { out, x->head->head->color };
	struct writer w;

	open_writer(&w, x, name_source, ESCAPE_PLAIN);
	show_head(&s, x);
	screen_title(&s, "Fields", x->pairs->fields);
	show_fields(&w, &s);
	close_writer(&w);
	return sink_finish(out);
}
