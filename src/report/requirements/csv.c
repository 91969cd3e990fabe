/* SPDX-License-Identifier: Apache-2.0 */
/* csv.c - requirements as rows of RFC 4180, a row each: see docs/formats/requirements.md. */
#include "report/requirements/requirements_p.h"

struct writer {
	struct sink *out;
	const struct requirements *r;
	struct names names;           /* not escaped: fields are put together first */
	struct strbuf field, start;   /* start: "site,line," of the site being written */
};

static void write_field(struct writer *w, struct str raw)
{
	strbuf_clear(&w->field);
	escape_add(&w->field, ESCAPE_CSV, raw);
	sink_str(w->out, strbuf_str(&w->field));
}

static void start_rows(struct writer *w, const struct req_site *s)
{
	struct strbuf place = { 0 };

	strbuf_addstr(&place, names_method(&w->names, s->method));
	strbuf_addf(&place, "@%u", (unsigned)s->pc);
	strbuf_clear(&w->start);
	escape_add(&w->start, ESCAPE_CSV, strbuf_str(&place));
	strbuf_addch(&w->start, ',');
	if (s->line)
		strbuf_addf(&w->start, "%u", (unsigned)s->line);
	strbuf_addch(&w->start, ',');
	strbuf_release(&place);
}

static void write_row(struct writer *w, const char *criterion, struct str value)
{
	sink_str(w->out, strbuf_str(&w->start));
	sink_puts(w->out, criterion);
	sink_putc(w->out, ',');
	write_field(w, value);
	sink_putc(w->out, '\n');
}

static void write_classes(struct writer *w, const char *criterion, struct id_range in)
{
	for (uint32_t k = 0; k < in.n; k++)
		write_row(w, criterion, names_class(&w->names, req_class(w->r, in, k)));
}

static void write_args(struct writer *w, const struct req_site *s)
{
	char criterion[32];

	for (uint32_t i = 0; i < s->nargs; i++) {
		const struct req_arg *a = &w->r->args.data[s->first_arg + i];
		snprintf(criterion, sizeof criterion, "args:%u", (unsigned)a->index);
		write_classes(w, criterion, a->classes);
	}
}

/* Rows without a value: what is not among the requirements. */
static void write_gaps(struct writer *w, const struct req_site *s)
{
	char criterion[64];

	if (s->is_client)
		write_row(w, "client", STR(""));
	if (s->is_open)
		write_row(w, "open", STR(""));
	if (s->cause == CG_RESOLVED)
		return;
	snprintf(criterion, sizeof criterion, "unresolved:%s", cg_cause_name(s->cause));
	write_row(w, criterion, STR(""));
}

static void write_site(struct writer *w, const struct req_site *s)
{
	start_rows(w, s);
	if (w->r->criteria & CRITERION_RC)
		write_classes(w, "rc", s->rc);
	if (w->r->criteria & CRITERION_RC)
		write_classes(w, "callback", s->by_callback);
	if (w->r->criteria & CRITERION_TM)
		for (uint32_t k = 0; k < s->tm.n; k++)
			write_row(w, "tm", names_method(&w->names, req_method(w->r, s->tm, k)));
	if (w->r->criteria & CRITERION_SENDERS)
		write_classes(w, "senders", s->senders);
	if (w->r->criteria & CRITERION_ARGS)
		write_args(w, s);
	write_gaps(w, s);
}

bool report_requirements_csv(struct sink *out, const struct requirements *r, const struct requirements_head *head)
{
	struct writer w = { .out = out, .r = r };

	names_init(&w.names, r->p, name_full, ESCAPE_NONE);
	sink_puts(out, "site,line,criterion,value\n");
	for (uint32_t i = 0; i < r->sites.len; i++)
		if (r->sites.data[i].is_poly || head->all_sites)
			write_site(&w, &r->sites.data[i]);
	names_release(&w.names);
	strbuf_release(&w.field);
	strbuf_release(&w.start);
	return sink_finish(out);
}
