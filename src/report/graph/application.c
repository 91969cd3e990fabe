/* SPDX-License-Identifier: Apache-2.0 */
/* The call graph of an application, as a screen, as JSON (docs/formats/callbacks-json.md) and as rows of RFC 4180. Methods are in the
 * order of their printed names. */
#include "report/ways/ways.h"

#include <stdlib.h>

#include "report/graph/effects.h"
#include "report/java/names.h"
#include "report/java/sources.h"
#include "report/write/json.h"
#include "report/write/screen.h"

#define MAX_SHOWN 60             /* library calls on a screen */
#define MAX_CALLEES 6            /* of each */

struct writer {
	const struct callbacks *c;
	const struct callgraph *g;
	const struct application_head *head;
	struct names names, brief;
	uint32_t *order;                 /* edges, as they are written */
	struct strbuf text;
};

static void open_writer(struct writer *w, name_render *render, enum escape form)
{
	names_init(&w->names, callgraph_program(w->g), render, form);
	names_init(&w->brief, callgraph_program(w->g), name_brief, form);
	w->order = application_order(w->c, w->g);
}

static void close_writer(struct writer *w)
{
	names_release(&w->names);
	names_release(&w->brief);
	strbuf_release(&w->text);
	free(w->order);
}

static const struct app_edge *edge_at(const struct writer *w, uint32_t i)
{
	return &w->c->edges.data[w->order[i]];
}

/* JSON */

static void write_edge(struct writer *w, struct json *j, const struct app_edge *e)
{
	uint32_t line = line_of(callgraph_program(w->g), e->caller, e->pc);
	struct str caller = names_method(&w->names, e->caller);

	strbuf_clear(&w->text);
	strbuf_addstr(&w->text, caller);
	strbuf_addf(&w->text, "@%u", (unsigned)e->pc);
	json_break(j);
	json_object(j);
	json_key(j, "caller"), json_escaped(j, caller);
	json_key(j, "site"), json_escaped(j, strbuf_str(&w->text));
	if (line)
		json_key(j, "line"), json_uint(j, line);
	json_key(j, "kind"), json_escaped(j, str_of(call_sort_name(e->sort)));
	json_key(j, "callee"), json_escaped(j, names_method(&w->names, e->callee));
	if (e->sort != CALL_DIRECT && e->mref.i)
		json_key(j, "declared"), json_escaped(j, names_mref(&w->names, e->mref));
	if (e->by.i)
		json_key(j, "by"), json_escaped(j, names_method(&w->names, e->by));
	if (e->is_open)
		json_key(j, "open"), json_bool(j, true);
	if (e->is_walked)
		json_key(j, "walked"), json_bool(j, true);
	way_json(j, &w->names, &w->brief, w->c, e);
	json_end_object(j);
}

static void json_text(struct json *j, const char *key, const char *text)
{
	if (text)
		json_key(j, key), json_str(j, str_of(text));
}

static void json_head(struct json *j, const struct application_head *h, const struct callbacks *c)
{
	json_text(j, "schema", "sherd/callbacks/1");
	json_text(j, "entry", h->head->entry);
	json_text(j, "application", h->application);
	json_text(j, "algorithm", h->head->algorithm);
	json_text(j, "assume", h->head->assume);
	json_text(j, "precision", h->precision);
	json_text(j, "only", h->only);
	json_text(j, "from", h->from);
	if (h->depth)
		json_key(j, "depth"), json_uint(j, h->depth);
	json_key(j, "methods"), json_uint(j, c->methods);
	json_key(j, "library_calls"), json_uint(j, c->library_calls);
	for (int i = 0; i < CALL_SORTS; i++)
		json_key(j, call_sort_name((enum call_sort)i)), json_uint(j, c->counts[i]);
	json_key(j, "unfinished"), json_uint(j, c->unfinished);
	sources_json(j, &h->head->facts);
}

bool report_application_json(struct sink *out, const struct callbacks *c, const struct callgraph *g, const struct application_head *head)
{
	struct writer w = { .c = c, .g = g, .head = head };
	struct json j = { .out = out };

	open_writer(&w, name_full, ESCAPE_JSON);
	json_object(&j);
	json_head(&j, head, c);
	json_break(&j);
	json_key(&j, "edges"), json_array(&j);
	for (uint32_t i = 0; i < c->edges.len; i++)
		write_edge(&w, &j, edge_at(&w, i));
	json_end_array(&j);
	if (c->calls.len)
		report_effects_json(&j, c, g);
	json_end_object(&j);
	sink_putc(out, '\n');
	close_writer(&w);
	return sink_finish(out);
}

/* Rows */

bool report_application_csv(struct sink *out, const struct callbacks *c, const struct callgraph *g, const struct application_head *head)
{
	struct writer w = { .c = c, .g = g, .head = head };

	open_writer(&w, name_full, ESCAPE_CSV);
	sink_puts(out, "caller,pc,line,kind,callee\r\n");
	for (uint32_t i = 0; i < c->edges.len; i++) {
		const struct app_edge *e = edge_at(&w, i);
		sink_str(out, names_method(&w.names, e->caller));
		sink_printf(out, ",%u,%u,%s,", (unsigned)e->pc, (unsigned)line_of(callgraph_program(g), e->caller, e->pc),
			    call_sort_name(e->sort));
		sink_str(out, names_method(&w.names, e->callee));
		sink_puts(out, "\r\n");
	}
	close_writer(&w);
	return sink_finish(out);
}

/* The screen */

void report_application_head(const struct screen_out *s, const struct application_head *h, const struct callbacks *c)
{
	const struct report_head *r = h->head;
	uint32_t width = r->width ? r->width : 100;

	screen_puts(s, STYLE_BOLD, "Application call graph\n");
	screen_fact(s, width, "Entry", screen_text(r->entry));
	screen_fact(s, width, "Application", screen_text(h->application));
	screen_fact(s, width, "Algorithm", screen_text(r->algorithm));
	screen_fact(s, width, "Precision", screen_text(h->precision));
	screen_fact(s, width, "Only", screen_text(h->only));
	screen_fact(s, width, "From", screen_text(h->from));
	screen_fact(s, width, "Class path", screen_text(r->class_path));
	screen_fact(s, width, "JDK", screen_text(r->jdk));
	sink_putc(s->out, '\n');
	screen_figure(s, "Methods", c->methods);
	screen_figure(s, "Library calls", c->library_calls);
	sink_putc(s->out, '\n');
	screen_figure(s, "Direct calls", c->counts[CALL_DIRECT]);
	screen_figure(s, "Callbacks", c->counts[CALL_BACK]);
	sink_putc(s->out, '\n');
	screen_figure(s, "By threads", c->counts[CALL_LATER]);
	if (c->unfinished)
		screen_figure(s, "Unfinished calls", c->unfinished);
	sink_putc(s->out, '\n');
}

static bool is_same_call(const struct app_edge *x, const struct app_edge *y)
{
	return x->caller.i == y->caller.i && x->pc == y->pc && (x->sort == CALL_LATER) == (y->sort == CALL_LATER);
}

/* The callbacks of one library call, from the i-th edge on; returns where those of the next begin. */
static uint32_t show_call(struct writer *w, const struct screen_out *s, uint32_t i)
{
	const struct app_edge *first = edge_at(w, i);
	uint32_t n = 0, line = line_of(callgraph_program(w->g), first->caller, first->pc);

	sink_printf(s->out, line ? "    %6u  " : "       @%u  ", (unsigned)(line ? line : first->pc));
	sink_str(s->out, first->mref.i ? names_mref(&w->names, first->mref) : STR("?"));
	sink_puts(s->out, first->sort == CALL_LATER ? "  later\n" : first->is_open ? "  unknown code\n" : "\n");
	for (; i < w->c->edges.len && is_same_call(first, edge_at(w, i)); i++) {
		if (edge_at(w, i)->sort == CALL_DIRECT)
			continue;
		if (n++ < MAX_CALLEES || w->head->head->is_verbose) {
			sink_puts(s->out, "              ");
			sink_str(s->out, names_method(&w->names, edge_at(w, i)->callee));
			sink_putc(s->out, '\n');
		}
	}
	if (n > MAX_CALLEES && !w->head->head->is_verbose)
		sink_printf(s->out, "              … %u more\n", (unsigned)(n - MAX_CALLEES));
	return i;
}

static void show_calls(struct writer *w, const struct screen_out *s, uint64_t total)
{
	method_id caller = { 0 };
	uint64_t shown = 0;

	for (uint32_t i = 0; i < w->c->edges.len && (shown < MAX_SHOWN || w->head->head->is_verbose);) {
		const struct app_edge *e = edge_at(w, i);
		if (e->sort == CALL_DIRECT) {
			i++;
			continue;
		}
		if (e->caller.i != caller.i) {
			sink_puts(s->out, "\n  ");
			sink_str(s->out, names_method(&w->names, e->caller));
			sink_putc(s->out, '\n');
		}
		caller = e->caller;
		i = show_call(w, s, i);
		shown++;
	}
	if (shown < total)
		sink_printf(s->out, "\n  … %llu more; -v lists all\n", (unsigned long long)(total - shown));
}

static uint64_t count_calls(const struct writer *w)
{
	const struct app_edge *last = NULL;
	uint64_t n = 0;

	for (uint32_t i = 0; i < w->c->edges.len; i++) {
		const struct app_edge *e = edge_at(w, i);
		if (e->sort == CALL_DIRECT)
			continue;
		n += !last || !is_same_call(last, e);
		last = e;
	}
	return n;
}

bool report_application_text(struct sink *out, const struct callbacks *c, const struct callgraph *g, const struct application_head *head)
{
	struct writer w = { .c = c, .g = g, .head = head };
	struct screen_out s = { out, head->head->color };

	open_writer(&w, name_source, ESCAPE_PLAIN);
	uint64_t calls = count_calls(&w);
	report_application_head(&s, head, c);
	screen_title(&s, "Library calls that call back", calls);
	show_calls(&w, &s, calls);
	close_writer(&w);
	return sink_finish(out);
}
