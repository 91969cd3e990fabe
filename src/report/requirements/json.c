/* SPDX-License-Identifier: Apache-2.0 */
/* json.c - requirements as JSON, sherd/requirements/1: see docs/formats/requirements.md. */
#include "report/requirements/requirements_p.h"

#include "report/java/additions.h"
#include "report/java/clients.h"

struct writer {
	struct json j;
	const struct requirements *r;
	struct names names;
	struct strbuf site;
};

void json_number(struct json *j, const char *key, double value, int decimals)
{
	char text[64];
	int n = snprintf(text, sizeof text, "%.*f", decimals, value);

	json_key(j, key), json_raw(j, (struct str){ text, (uint32_t)n });
}

static void write_asked(struct json *j, const char *key, const char *value)
{
	if (value)
		json_key(j, key), json_str(j, str_of(value));
}

void json_request(struct json *j, const struct requirements_head *head, const char *component)
{
	write_asked(j, "component", component);
	write_asked(j, "interface", head->interface);
	clients_write(j, str_of(head->clients ? head->clients : ""));
	write_asked(j, "class_path", head->head.class_path);
	write_asked(j, "jdk", head->head.jdk);
}

static void write_criteria(struct writer *w)
{
	static const struct { unsigned bit; const char *name; } rows[] = {
		{ CRITERION_RC, "rc" }, { CRITERION_TM, "tm" }, { CRITERION_SENDERS, "senders" },
		{ CRITERION_ARGS, "args" },
	};

	json_key(&w->j, "criteria"), json_array(&w->j);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (w->r->criteria & rows[i].bit)
			json_escaped(&w->j, str_of(rows[i].name));
	json_end_array(&w->j);
}

static void write_count(struct writer *w, const char *key, uint64_t n)
{
	json_key(&w->j, key), json_uint(&w->j, n);
}

static void write_stats(struct writer *w)
{
	const struct req_stats *s = &w->r->stats;

	json_key(&w->j, "stats"), json_object(&w->j);
	write_count(w, "classes", s->classes);
	write_count(w, "methods", s->methods);
	write_count(w, "sites", s->sites);
	write_count(w, "reached_sites", s->reached_sites);
	write_count(w, "poly_sites", s->poly_sites);
	write_count(w, "starved_sites", s->starved_sites);
	write_count(w, "open_sites", s->open_sites);
	write_count(w, "client_sites", s->client_sites);
	write_count(w, "rc", s->rc);
	write_count(w, "tm", s->tm);
	json_number(&w->j, "n_rc", req_per_site(s, s->rc), 4);
	json_number(&w->j, "n_tm", req_per_site(s, s->tm), 4);
	if (w->r->criteria & CRITERION_SENDERS)
		write_count(w, "senders", s->senders);
	if (w->r->criteria & CRITERION_ARGS)
		write_count(w, "args", s->args);
	if (w->r->analysed_methods)
		write_count(w, "analysed_methods", w->r->analysed_methods);
	json_end_object(&w->j);
}

static void write_classes(struct writer *w, const char *key, struct id_range in)
{
	json_key(&w->j, key), json_array(&w->j);
	for (uint32_t k = 0; k < in.n; k++)
		json_escaped(&w->j, names_class(&w->names, req_class(w->r, in, k)));
	json_end_array(&w->j);
}

static void write_methods(struct writer *w, const char *key, struct id_range in)
{
	json_key(&w->j, key), json_array(&w->j);
	for (uint32_t k = 0; k < in.n; k++)
		json_escaped(&w->j, names_method(&w->names, req_method(w->r, in, k)));
	json_end_array(&w->j);
}

static void write_args(struct writer *w, const struct req_site *s)
{
	json_key(&w->j, "args"), json_array(&w->j);
	for (uint32_t i = 0; i < s->nargs; i++) {
		const struct req_arg *a = &w->r->args.data[s->first_arg + i];
		json_object(&w->j);
		write_count(w, "index", a->index);
		write_classes(w, "classes", a->classes);
		json_end_object(&w->j);
	}
	json_end_array(&w->j);
}

/* What is required at the site, as far as it was asked for. */
static void write_required(struct writer *w, const struct req_site *s)
{
	if (w->r->criteria & CRITERION_RC)
		write_classes(w, "rc", s->rc);
	if (w->r->criteria & CRITERION_TM)
		write_methods(w, "tm", s->tm);
	if (w->r->criteria & CRITERION_SENDERS)
		write_classes(w, "senders", s->senders);
	if (w->r->criteria & CRITERION_ARGS)
		write_args(w, s);
}

static void write_place(struct writer *w, const struct req_site *s)
{
	strbuf_clear(&w->site);
	strbuf_addstr(&w->site, names_method(&w->names, s->method));
	strbuf_addf(&w->site, "@%u", (unsigned)s->pc);
	json_key(&w->j, "site"), json_escaped(&w->j, strbuf_str(&w->site));
	if (s->line)
		write_count(w, "line", s->line);
}

static void write_site(struct writer *w, const struct req_site *s)
{
	struct json *j = &w->j;

	json_break(j);
	json_object(j);
	write_place(w, s);
	json_key(j, "op"), json_escaped(j, str_of(op_name(s->op)));
	json_key(j, "declared"), json_escaped(j, names_mref(&w->names, s->declared));
	json_key(j, "poly"), json_bool(j, s->is_poly);
	json_key(j, "reached"), json_bool(j, s->is_reached);
	write_required(w, s);
	if (s->by_callback.n)
		write_classes(w, "callback", s->by_callback);
	if (s->is_client)
		json_key(j, "client"), json_bool(j, true);
	if (s->is_open)
		json_key(j, "open"), json_bool(j, true);
	if (s->cause != CG_RESOLVED)
		json_key(j, "unresolved"), json_escaped(j, str_of(cg_cause_name(s->cause)));
	json_end_object(j);
}

static void write_result(struct writer *w, const struct requirements_head *head)
{
	struct json *j = &w->j;

	json_object(j);
	json_key(j, "schema"), json_escaped(j, STR("sherd/requirements/1"));
	json_key(j, "algorithm"), json_str(j, str_of(w->r->algorithm));
	write_asked(j, "assume", w->r->assume);
	json_request(j, head, head->component);
	additions_json(j, w->r->p);
	sources_json(j, &head->head.facts);
	settings_json(j, &head->head.settings);
	write_criteria(w);
	json_break(j);
	write_stats(w);
	json_break(j);
	json_key(j, "sites"), json_array(j);
	for (uint32_t i = 0; i < w->r->sites.len; i++)
		write_site(w, &w->r->sites.data[i]);
	json_end_array(j);
	json_end_object(j);
	sink_putc(j->out, '\n');
}

bool report_requirements_json(struct sink *out, const struct requirements *r, const struct requirements_head *head)
{
	struct writer w = { .j = { .out = out }, .r = r };

	names_init(&w.names, r->p, name_full, ESCAPE_JSON);
	write_result(&w, head);
	names_release(&w.names);
	strbuf_release(&w.site);
	return sink_finish(out);
}
