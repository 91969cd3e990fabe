/* SPDX-License-Identifier: Apache-2.0 */
/* data.c - the data of the page of an application's calls; html_p.h says what is in it. */
#include "report/graph/html/html_p.h"

/* Methods, numbered by their printed names */

static void mark_methods(struct calls_data *d)
{
	for (uint32_t i = 0; i < d->c->edges.len; i++) {
		const struct app_edge *e = &d->c->edges.data[i];
		if (!d->first[e->caller.i])
			d->first[e->caller.i] = 1 + i;
		d->numbers[e->caller.i] = d->numbers[e->callee.i] = 1;
	}
}

static void number_methods(struct calls_data *d)
{
	for (uint32_t k = 0; k < callgraph_nmethods(d->g); k++) {
		method_id m = callgraph_method(d->g, k);
		if (!d->numbers[m.i])
			continue;
		vec_push(&d->methods, m);
		d->numbers[m.i] = d->methods.len;
	}
}

void calls_data_init(struct calls_data *d, struct sink *out, const struct callbacks *c, const struct callgraph *g,
		     const struct application_head *head)
{
	const struct program *p = callgraph_program(g);

	*d = (struct calls_data){ .j = { .out = out }, .c = c, .g = g, .head = head };
	names_init(&d->names, p, name_source, ESCAPE_NONE);
	names_init(&d->brief, p, name_brief, ESCAPE_NONE);
	interner_init(&d->strings);
	d->first = mem_zalloc((p->methods.len + 1) * sizeof(*d->first));
	d->numbers = mem_zalloc((p->methods.len + 1) * sizeof(*d->numbers));
	d->class_numbers = mem_zalloc((p->classes.len + 1) * sizeof(*d->class_numbers));
	mark_methods(d);
	number_methods(d);
}

void calls_data_release(struct calls_data *d)
{
	names_release(&d->names);
	names_release(&d->brief);
	interner_release(&d->strings);
	vec_release(&d->methods);
	vec_release(&d->classes);
	free(d->first);
	free(d->numbers);
	free(d->class_numbers);
	strbuf_release(&d->packed);
	strbuf_release(&d->text);
}

/* Pieces */

static void write_text(struct calls_data *d, struct str s)
{
	strbuf_clear(&d->text);
	page_add_text(&d->text, s);
	json_escaped(&d->j, strbuf_str(&d->text));
}

static void write_asked(struct calls_data *d, const char *key, const char *value)
{
	if (value)
		json_key(&d->j, key), write_text(d, str_of(value));
}

static void pack(struct calls_data *d, uint64_t n)
{
	page_pack(&d->packed, n);
}

static void pack_string(struct calls_data *d, struct str s)
{
	pack(d, intern(&d->strings, s).i);
}

static void write_packed(struct calls_data *d, const char *key)
{
	json_break(&d->j);
	json_key(&d->j, key), json_escaped(&d->j, strbuf_str(&d->packed));
	strbuf_clear(&d->packed);
}

static void begin(struct calls_data *d, const char *key)
{
	json_break(&d->j);
	json_key(&d->j, key);
	json_array(&d->j);
}

/* The object */

static void write_head(struct calls_data *d)
{
	const struct report_head *h = d->head->head;

	json_key(&d->j, "head"), json_object(&d->j);
	write_asked(d, "entry", h->entry);
	write_asked(d, "application", d->head->application);
	write_asked(d, "algorithm", h->algorithm);
	write_asked(d, "assume", h->assume);
	write_asked(d, "precision", d->head->precision);
	write_asked(d, "class_path", h->class_path);
	write_asked(d, "jdk", h->jdk);
	json_end_object(&d->j);
}

static void write_sums(struct calls_data *d)
{
	begin(d, "sums");
	json_uint(&d->j, d->c->methods);
	json_uint(&d->j, d->c->library_calls);
	json_uint(&d->j, d->c->unfinished);
	for (int i = 0; i < CALL_SORTS; i++)
		json_uint(&d->j, d->c->counts[i]);
	json_end_array(&d->j);
}

static uint32_t class_number(struct calls_data *d, class_id c)
{
	if (!d->class_numbers[c.i]) {
		vec_push(&d->classes, intern(&d->strings, names_class(&d->names, c)).i);
		d->class_numbers[c.i] = d->classes.len;
	}
	return d->class_numbers[c.i] - 1;
}

static void write_methods(struct calls_data *d)
{
	const struct program *p = callgraph_program(d->g);

	for (uint32_t i = 0; i < d->methods.len; i++) {
		const struct ir_method *m = method_row(p, d->methods.data[i]);
		pack(d, class_number(d, m->owner));
		pack_string(d, sel_name(p, m->sel));
		pack_string(d, sel_desc(p, m->sel));
	}
	write_packed(d, "methods");
}

static void write_classes(struct calls_data *d)
{
	begin(d, "classes");
	for (uint32_t i = 0; i < d->classes.len; i++)
		json_uint(&d->j, d->classes.data[i]);
	json_end_array(&d->j);
}

static void pack_by(struct calls_data *d, const struct app_edge *e)
{
	uint32_t line = line_of(callgraph_program(d->g), e->by, e->by_pc);

	pack_string(d, names_method(&d->names, e->by));
	pack(d, line ? 2 * (uint64_t)line : 2 * (uint64_t)e->by_pc + 1);
}

static void pack_edge(struct calls_data *d, const struct app_edge *e)
{
	bool is_named = e->sort != CALL_DIRECT && e->mref.i;

	pack(d, e->pc);
	pack(d, line_of(callgraph_program(d->g), e->caller, e->pc));
	pack(d, (uint32_t)e->sort | (e->is_open ? EDGE_OPEN : 0) | (is_named ? EDGE_NAMED : 0) | (e->by.i ? EDGE_BY : 0));
	pack(d, d->numbers[e->callee.i] - 1);
	if (is_named)
		pack_string(d, names_mref(&d->names, e->mref));
	if (e->by.i)
		pack_by(d, e);
}

/* Edges come grouped by caller, so that those of the first method are found by where they begin. */
static void write_edges(struct calls_data *d)
{
	uint32_t last = 0;

	for (uint32_t n = 0; n < d->methods.len; n++) {
		method_id m = d->methods.data[n];
		for (uint32_t i = d->first[m.i]; i && i <= d->c->edges.len; i++) {
			const struct app_edge *e = &d->c->edges.data[i - 1];
			if (e->caller.i != m.i)
				break;
			pack(d, n - last);
			last = n;
			pack_edge(d, e);
		}
	}
	write_packed(d, "edges");
}

static void write_witness(struct calls_data *d, uint32_t number, const struct app_edge *e)
{
	json_array(&d->j);
	json_uint(&d->j, number);
	json_array(&d->j);
	for (uint32_t i = e->first_step; i < e->first_step + e->nsteps; i++) {
		struct reach_step s = d->c->steps.data[i];
		write_text(d, names_method(&d->names, s.method));
		json_uint(&d->j, s.pc == PC_NONE ? 0 : line_of(callgraph_program(d->g), s.method, s.pc));
	}
	json_end_array(&d->j);
	struct strbuf object = { 0 };
	way_object(&d->names, &d->brief, d->c, e, &object);
	write_text(d, strbuf_str(&object));
	strbuf_release(&object);
	json_end_array(&d->j);
}

/* Edges have the numbers of their order in `edges`. */
static void write_witnesses(struct calls_data *d)
{
	uint32_t number = 0;

	begin(d, "witnesses");
	for (uint32_t n = 0; n < d->methods.len; n++) {
		method_id m = d->methods.data[n];
		for (uint32_t i = d->first[m.i]; i && i <= d->c->edges.len; i++, number++) {
			const struct app_edge *e = &d->c->edges.data[i - 1];
			if (e->caller.i != m.i)
				break;
			if (e->nsteps)
				write_witness(d, number, e);
		}
	}
	json_end_array(&d->j);
}

static void write_strings(struct calls_data *d)
{
	begin(d, "strings");
	for (uint32_t i = 0; i < d->strings.strings.len; i++)
		write_text(d, d->strings.strings.data[i]);
	json_end_array(&d->j);
}

void calls_write_data(struct calls_data *d)
{
	json_object(&d->j);
	write_head(d);
	write_sums(d);
	write_methods(d);
	write_classes(d);
	write_edges(d);
	if (d->c->steps.len)
		write_witnesses(d);
	write_strings(d);
	json_end_object(&d->j);
}
