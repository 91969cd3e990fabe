/* SPDX-License-Identifier: Apache-2.0 */
/* jacoco.c - coverage as JaCoCo's XML: branches are requirements, instructions are the calls that have some. */
#include "report/coverage/coverage_p.h"
#include "report/write/xml.h"

enum counter { INSTRUCTION, BRANCH, LINE, METHOD, CLASS, COUNTERS };
static const char *const counter_names[] = { "INSTRUCTION", "BRANCH", "LINE", "METHOD", "CLASS" };

struct counters {
	struct cov_counts of[COUNTERS];
};

struct writer {
	struct xml x;
	const struct coverage *c;
	struct cov_layout layout;
	struct cov_lines lines;
	struct strbuf text;
};

/* Counting */

static void add_one(struct counters *to, enum counter which, bool is_covered)
{
	cov_add(&to->of[which], (struct cov_counts){ .required = 1, .covered = is_covered });
}

static void add_calls(struct counters *to, const struct coverage *c, uint32_t first, uint32_t n)
{
	for (uint32_t i = first; i < first + n; i++) {
		add_one(to, INSTRUCTION, c->sites.data[i].count > 0);
		cov_add(&to->of[BRANCH], cov_branches(&c->sites.data[i]));
	}
}

static void add_lines(struct counters *to, const struct cov_lines *lines)
{
	for (uint32_t i = 0; i < lines->lines.len; i++)
		add_one(to, LINE, lines->lines.data[i].made > 0);
}

static void find_lines(struct writer *w, uint32_t first_site, uint32_t n)
{
	cov_lines_clear(&w->lines);
	cov_lines_add(&w->lines, &w->layout, first_site, n);
	cov_lines_sort(&w->lines, w->c);
}

static struct counters count_method(struct writer *w, const struct plan_method *m)
{
	struct counters n = { 0 };

	find_lines(w, m->first_site, m->nsites);
	add_lines(&n, &w->lines);
	add_calls(&n, w->c, m->first_site, m->nsites);
	add_one(&n, METHOD, n.of[INSTRUCTION].covered > 0);
	return n;
}

/* What a source file or package has of the class; lines are counted there. */
static struct counters count_class(struct writer *w, const struct plan_class *k)
{
	struct counters n = { 0 };

	add_calls(&n, w->c, k->first_site, k->nsites);
	for (uint32_t i = 0; i < k->nmethods; i++) {
		struct counters m = { 0 };
		const struct plan_method *pm = &w->c->plan->methods.data[k->first_method + i];
		add_calls(&m, w->c, pm->first_site, pm->nsites);
		add_one(&n, METHOD, m.of[INSTRUCTION].covered > 0);
	}
	add_one(&n, CLASS, n.of[INSTRUCTION].covered > 0);
	return n;
}

static void add_counters(struct counters *to, const struct counters *n)
{
	for (int i = 0; i < COUNTERS; i++)
		cov_add(&to->of[i], n->of[i]);
}

/* Elements */

static void write_counters(struct writer *w, const struct counters *n)
{
	for (int i = 0; i < COUNTERS; i++) {
		if (!n->of[i].required)
			continue;
		xml_start(&w->x, "counter");
		xml_attrf(&w->x, "type", "%s", counter_names[i]);
		xml_uint(&w->x, "missed", n->of[i].required - n->of[i].covered);
		xml_uint(&w->x, "covered", n->of[i].covered);
		xml_end(&w->x, "counter");
	}
}

static void write_method(struct writer *w, const struct plan_method *m)
{
	struct counters n = count_method(w, m);

	xml_start(&w->x, "method");
	xml_attr(&w->x, "name", m->name);
	xml_attr(&w->x, "desc", m->desc);
	if (w->lines.lines.len)
		xml_uint(&w->x, "line", w->lines.lines.data[0].line);
	write_counters(w, &n);
	xml_end(&w->x, "method");
}

/* p/q/C */
static void write_slashed(struct writer *w, const char *key, struct str dotted)
{
	strbuf_clear(&w->text);
	for (uint32_t i = 0; i < dotted.len; i++)
		strbuf_addch(&w->text, dotted.p[i] == '.' ? '/' : dotted.p[i]);
	xml_attr(&w->x, key, strbuf_str(&w->text));
}

static void write_class(struct writer *w, const struct plan_class *k, struct str source)
{
	struct counters n = count_class(w, k);

	xml_start(&w->x, "class");
	write_slashed(w, "name", k->name);
	xml_attr(&w->x, "sourcefilename", source);
	for (uint32_t i = 0; i < k->nmethods; i++)
		write_method(w, &w->c->plan->methods.data[k->first_method + i]);
	find_lines(w, k->first_site, k->nsites);
	add_lines(&n, &w->lines);
	write_counters(w, &n);
	xml_end(&w->x, "class");
}

static void write_line(struct writer *w, const struct cov_line *l)
{
	xml_start(&w->x, "line");
	xml_uint(&w->x, "nr", l->line);
	xml_uint(&w->x, "mi", l->n - l->made);
	xml_uint(&w->x, "ci", l->made);
	xml_uint(&w->x, "mb", l->branches.required - l->branches.covered);
	xml_uint(&w->x, "cb", l->branches.covered);
	xml_end(&w->x, "line");
}

static const struct plan_class *class_at(const struct writer *w, uint32_t row)
{
	return &w->c->plan->classes.data[w->layout.classes.data[row]];
}

/* Adds to the sums of its package. */
static void write_source(struct writer *w, const struct cov_source *s, struct counters *package)
{
	struct counters n = { 0 };

	cov_lines_clear(&w->lines);
	for (uint32_t i = s->first; i < s->first + s->n; i++) {
		const struct plan_class *k = class_at(w, i);
		struct counters of_class = count_class(w, k);
		add_counters(&n, &of_class);
		cov_lines_add(&w->lines, &w->layout, k->first_site, k->nsites);
	}
	cov_lines_sort(&w->lines, w->c);
	add_lines(&n, &w->lines);
	xml_start(&w->x, "sourcefile");
	xml_attr(&w->x, "name", s->name);
	for (uint32_t i = 0; i < w->lines.lines.len; i++)
		write_line(w, &w->lines.lines.data[i]);
	write_counters(w, &n);
	xml_end(&w->x, "sourcefile");
	add_counters(package, &n);
}

static void write_package(struct writer *w, uint32_t first, uint32_t end, struct counters *all)
{
	const struct cov_source *sources = w->layout.sources.data;
	struct counters n = { 0 };

	xml_start(&w->x, "package");
	write_slashed(w, "name", sources[first].package);
	for (uint32_t s = first; s < end; s++)
		for (uint32_t i = 0; i < sources[s].n; i++)
			write_class(w, class_at(w, sources[s].first + i), sources[s].name);
	for (uint32_t s = first; s < end; s++)
		write_source(w, &sources[s], &n);
	write_counters(w, &n);
	xml_end(&w->x, "package");
	add_counters(all, &n);
}

/* Times are in milliseconds; when a run ended is not known. */
static void write_sessions(struct writer *w)
{
	const struct runs *r = w->c->runs;

	for (uint32_t i = 0; r && i < r->runs.len; i++) {
		const struct run *run = &r->runs.data[i];
		strbuf_clear(&w->text);
		strbuf_addstr(&w->text, run->session);
		for (uint32_t k = 0; !run->session.len && k < RUN_ID_LEN; k++)
			strbuf_addf(&w->text, "%02x", run->id[k]);
		xml_start(&w->x, "sessioninfo");
		xml_attr(&w->x, "id", strbuf_str(&w->text));
		xml_uint(&w->x, "start", run->start * 1000);
		xml_uint(&w->x, "dump", run->start * 1000);
		xml_end(&w->x, "sessioninfo");
	}
}

static void write_result(struct writer *w)
{
	struct counters all = { 0 };

	sink_puts(w->x.out, "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
			    "<!DOCTYPE report PUBLIC \"-//JACOCO//DTD Report 1.1//EN\" \"report.dtd\">");
	xml_start(&w->x, "report");
	xml_attr(&w->x, "name", w->c->plan->component);
	write_sessions(w);
	for (uint32_t first = 0, end; first < w->layout.sources.len; first = end) {
		end = cov_package_end(&w->layout, first);
		write_package(w, first, end, &all);
	}
	write_counters(w, &all);
	xml_end(&w->x, "report");
	sink_putc(w->x.out, '\n');
}

bool report_coverage_jacoco(struct sink *out, const struct coverage *c, const struct coverage_head *head)
{
	struct writer w = { .x = { .out = out }, .c = c };

	(void)head;
	cov_layout_init(&w.layout, c);
	write_result(&w);
	cov_lines_release(&w.lines);
	cov_layout_release(&w.layout);
	strbuf_release(&w.text);
	xml_release(&w.x);
	return sink_finish(out);
}
