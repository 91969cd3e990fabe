/* SPDX-License-Identifier: Apache-2.0 */
/* sherd why-call, where a library calls back. */
#include "report/ways/ways.h"

#include "report/java/sources.h"
#include "report/write/screen.h"

struct writer {
	const struct ways *of;
	struct names names, brief;
	struct strbuf text;
};

static void open_writer(struct writer *w, name_render *render, enum escape form)
{
	names_init(&w->names, callgraph_program(w->of->g), render, form);
	names_init(&w->brief, callgraph_program(w->of->g), name_brief, form);
}

static void close_writer(struct writer *w)
{
	names_release(&w->names);
	names_release(&w->brief);
	strbuf_release(&w->text);
}

/* JSON */

static void write_call(struct writer *w, struct json *j, const struct app_edge *e)
{
	uint32_t line = line_of(callgraph_program(w->of->g), e->caller, e->pc);

	json_break(j);
	json_object(j);
	json_key(j, "pc"), json_uint(j, e->pc);
	if (line)
		json_key(j, "line"), json_uint(j, line);
	json_key(j, "kind"), json_escaped(j, str_of(call_sort_name(e->sort)));
	if (e->mref.i)
		json_key(j, "declared"), json_escaped(j, names_mref(&w->names, e->mref));
	way_json(j, &w->names, &w->brief, w->of->c, e);
	json_end_object(j);
}

bool report_ways_json(struct sink *out, const struct ways *of, const struct report_head *head)
{
	struct writer w = { .of = of };
	struct json j = { .out = out };

	open_writer(&w, name_full, ESCAPE_JSON);
	json_object(&j);
	json_key(&j, "schema"), json_escaped(&j, STR("sherd/why-call/1"));
	json_key(&j, "algorithm"), json_str(&j, str_of(head->algorithm));
	json_key(&j, "entry"), json_str(&j, str_of(head->entry));
	sources_json(&j, &head->facts);
	json_key(&j, "caller"), json_escaped(&j, names_method(&w.names, of->caller));
	json_key(&j, "callee"), json_escaped(&j, names_method(&w.names, of->callee));
	json_key(&j, "found"), json_bool(&j, true);
	json_key(&j, "callbacks"), json_array(&j);
	for (uint32_t i = 0; i < of->c->edges.len; i++)
		if (ways_have(of, &of->c->edges.data[i]))
			write_call(&w, &j, &of->c->edges.data[i]);
	json_end_array(&j);
	json_end_object(&j);
	sink_putc(out, '\n');
	close_writer(&w);
	return sink_finish(out);
}

/* The screen */

static void show_steps(struct writer *w, const struct screen_out *s, const struct app_edge *e)
{
	for (uint32_t i = 0; i < e->nsteps; i++) {
		struct reach_step step = w->of->c->steps.data[e->first_step + i];
		bool is_last = i + 1 == e->nsteps;
		struct str next = names_method(&w->brief, is_last ? e->callee : w->of->c->steps.data[e->first_step + i + 1].method);
		strbuf_clear(&w->text);
		if (step.pc == PC_NONE)
			strbuf_addstr(&w->text, names_method(&w->brief, step.method));
		else
			add_place(&w->brief, step.method, step.pc, &w->text);
		sink_printf(s->out, "  %3u  ", (unsigned)(i + 1));
		sink_str(s->out, strbuf_str(&w->text));
		sink_puts(s->out, step.pc == PC_NONE ? "  initialises  " : "  calls  ");
		sink_str(s->out, next);
		sink_putc(s->out, '\n');
	}
}

static void show_call(struct writer *w, const struct screen_out *s, const struct app_edge *e)
{
	sink_putc(s->out, '\n');
	screen_label(s, "Call");
	strbuf_clear(&w->text);
	add_place(&w->brief, e->caller, e->pc, &w->text);
	sink_str(s->out, strbuf_str(&w->text));
	sink_puts(s->out, "  ");
	sink_str(s->out, e->mref.i ? names_mref(&w->names, e->mref) : STR("by a dynamic feature"));
	sink_putc(s->out, '\n');
	screen_label(s, "Callback");
	sink_puts(s->out, e->sort == CALL_LATER ? "later, in a thread that it starts\n" : e->is_open ? "by unknown code\n" : "before it returns\n");
	strbuf_clear(&w->text);
	way_object(&w->names, &w->brief, w->of->c, e, &w->text);
	if (w->text.len) {
		screen_label(s, "Receiver");
		sink_str(s->out, strbuf_str(&w->text));
		sink_putc(s->out, '\n');
	}
	if (e->nsteps)
		sink_puts(s->out, "\nThe way through the library\n");
	show_steps(w, s, e);
}

bool report_ways_text(struct sink *out, const struct ways *of, const struct report_head *head)
{
	struct writer w = { .of = of };
	struct screen_out s = { out, head->color };

	open_writer(&w, name_source, ESCAPE_PLAIN);
	strbuf_adds(&w.text, "Why ");
	strbuf_addstr(&w.text, names_method(&w.names, of->caller));
	strbuf_adds(&w.text, " may have ");
	strbuf_addstr(&w.text, names_method(&w.names, of->callee));
	strbuf_adds(&w.text, " called back\n");
	screen_puts(&s, STYLE_BOLD, w.text.s);
	screen_label(&s, "Analysis");
	sink_printf(out, "%s from ", head->algorithm);
	sink_str(out, str_of(head->entry));
	sink_putc(out, '\n');
	for (uint32_t i = 0; i < of->c->edges.len; i++)
		if (ways_have(of, &of->c->edges.data[i]))
			show_call(&w, &s, &of->c->edges.data[i]);
	close_writer(&w);
	return sink_finish(out);
}
