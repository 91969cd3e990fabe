/* SPDX-License-Identifier: Apache-2.0 */
/* cobertura.c - coverage as Cobertura's XML, for the many services that read it. A line is one that has calls, and
 * hit when one was made; its conditions are the requirements of its calls. */
#include "report/coverage/coverage_p.h"
#include "report/coverage/sources.h"
#include "report/write/xml.h"

struct tally {
	struct cov_counts lines, branches;
};

struct writer {
	struct xml x;
	const struct coverage *c;
	const struct coverage_head *head;
	struct cov_layout layout;
	struct cov_lines lines;
	struct tally *classes;        /* by row of the layout's classes */
	struct strbuf path;
};

/* Sums, which the format wants before what they are sums of */

static void add_tally(struct tally *to, const struct tally *t)
{
	cov_add(&to->lines, t->lines);
	cov_add(&to->branches, t->branches);
}

static struct tally tally_lines(const struct cov_lines *lines)
{
	struct tally t = { 0 };

	for (uint32_t i = 0; i < lines->lines.len; i++) {
		const struct cov_line *l = &lines->lines.data[i];
		cov_add(&t.lines, (struct cov_counts){ .required = 1, .covered = l->made > 0 });
		cov_add(&t.branches, l->branches);
	}
	return t;
}

static void find_lines(struct writer *w, uint32_t first_site, uint32_t n)
{
	cov_lines_clear(&w->lines);
	cov_lines_add(&w->lines, &w->layout, first_site, n);
	cov_lines_sort(&w->lines, w->c);
}

static const struct plan_class *class_at(const struct writer *w, uint32_t row)
{
	return &w->c->plan->classes.data[w->layout.classes.data[row]];
}

static void tally_classes(struct writer *w)
{
	w->classes = mem_zalloc((w->layout.classes.len + 1) * sizeof(*w->classes));
	for (uint32_t i = 0; i < w->layout.classes.len; i++) {
		find_lines(w, class_at(w, i)->first_site, class_at(w, i)->nsites);
		w->classes[i] = tally_lines(&w->lines);
	}
}

static struct tally tally_of(const struct writer *w, uint32_t first, uint32_t end)
{
	struct tally t = { 0 };

	for (uint32_t i = first; i < end; i++)
		add_tally(&t, &w->classes[i]);
	return t;
}

/* Elements */

static void write_rate(struct writer *w, const char *key, struct cov_counts n)
{
	uint64_t parts = n.required ? n.covered * 10000 / n.required : 10000;

	xml_attrf(&w->x, key, "%u.%04u", (unsigned)(parts / 10000), (unsigned)(parts % 10000));
}

static void write_rates(struct writer *w, const struct tally *t)
{
	write_rate(w, "line-rate", t->lines);
	write_rate(w, "branch-rate", t->branches);
	xml_attrf(&w->x, "complexity", "0");
}

static void write_conditions_of(struct writer *w, struct cov_list in, const char *type, uint32_t *number)
{
	const struct cov_item *items = cov_items(w->c, in);

	for (uint32_t i = 0; i < in.required; i++) {
		xml_start(&w->x, "condition");
		xml_uint(&w->x, "number", (*number)++);
		xml_attrf(&w->x, "type", "%s", type);
		xml_attrf(&w->x, "coverage", "%s", items[i].count ? "100%" : "0%");
		xml_end(&w->x, "condition");
	}
}

static void write_conditions(struct writer *w, const struct cov_line *l)
{
	uint32_t number = 0;

	xml_start(&w->x, "conditions");
	for (uint32_t i = 0; i < l->n; i++) {
		const struct cov_site *s = &w->c->sites.data[w->lines.calls.data[l->first + i].site];
		for (uint32_t k = 0; k < CRITERIA; k++)
			if (cov_criteria[k].is_branch)
				write_conditions_of(w, s->of[k], cov_criteria[k].noun, &number);
	}
	xml_end(&w->x, "conditions");
}

/* The conditions themselves are long: they are with the class, where other tools look for them. */
static void write_line(struct writer *w, const struct cov_line *l, bool is_of_class)
{
	struct cov_counts n = l->branches;

	xml_start(&w->x, "line");
	xml_uint(&w->x, "number", l->line);
	xml_uint(&w->x, "hits", cov_hits(l->hits));
	xml_attrf(&w->x, "branch", "%s", n.required ? "true" : "false");
	if (n.required) {
		xml_attrf(&w->x, "condition-coverage", "%u%% (%llu/%llu)", (unsigned)(n.covered * 100 / n.required),
			  (unsigned long long)n.covered, (unsigned long long)n.required);
		if (is_of_class)
			write_conditions(w, l);
	}
	xml_end(&w->x, "line");
}

static void write_lines(struct writer *w, bool is_of_class)
{
	xml_start(&w->x, "lines");
	for (uint32_t i = 0; i < w->lines.lines.len; i++)
		write_line(w, &w->lines.lines.data[i], is_of_class);
	xml_end(&w->x, "lines");
}

static void write_method(struct writer *w, const struct plan_method *m)
{
	find_lines(w, m->first_site, m->nsites);
	struct tally t = tally_lines(&w->lines);
	xml_start(&w->x, "method");
	xml_attr(&w->x, "name", m->name);
	xml_attr(&w->x, "signature", m->desc);
	write_rates(w, &t);
	write_lines(w, false);
	xml_end(&w->x, "method");
}

static void write_class(struct writer *w, uint32_t row)
{
	const struct plan_class *k = class_at(w, row);

	strbuf_clear(&w->path);
	source_path(k->name, k->source, &w->path);
	xml_start(&w->x, "class");
	xml_attr(&w->x, "name", k->name);
	xml_attr(&w->x, "filename", strbuf_str(&w->path));
	write_rates(w, &w->classes[row]);
	xml_start(&w->x, "methods");
	for (uint32_t i = 0; i < k->nmethods; i++)
		write_method(w, &w->c->plan->methods.data[k->first_method + i]);
	xml_end(&w->x, "methods");
	find_lines(w, k->first_site, k->nsites);
	write_lines(w, true);
	xml_end(&w->x, "class");
}

static void write_package(struct writer *w, uint32_t first, uint32_t end)
{
	const struct cov_source *sources = w->layout.sources.data;
	uint32_t from = sources[first].first, to = sources[end - 1].first + sources[end - 1].n;
	struct tally t = tally_of(w, from, to);

	xml_start(&w->x, "package");
	xml_attr(&w->x, "name", sources[first].package);
	write_rates(w, &t);
	xml_start(&w->x, "classes");
	for (uint32_t i = from; i < to; i++)
		write_class(w, i);
	xml_end(&w->x, "classes");
	xml_end(&w->x, "package");
}

static void write_sources(struct writer *w)
{
	const char *at = w->head->source;

	if (!at)
		return;
	xml_start(&w->x, "sources");
	for (size_t n; n = strcspn(at, ":"), *at; at += n + (at[n] == ':')) {
		if (!n)
			continue;
		xml_start(&w->x, "source");
		xml_text(&w->x, (struct str){ at, (uint32_t)n });
		xml_end(&w->x, "source");
	}
	xml_end(&w->x, "sources");
}

static void write_sums(struct writer *w)
{
	struct tally t = tally_of(w, 0, w->layout.classes.len);

	write_rates(w, &t);
	xml_uint(&w->x, "lines-covered", t.lines.covered);
	xml_uint(&w->x, "lines-valid", t.lines.required);
	xml_uint(&w->x, "branches-covered", t.branches.covered);
	xml_uint(&w->x, "branches-valid", t.branches.required);
	xml_attrf(&w->x, "version", "%s %s", cov_tool(w->head), w->head->version ? w->head->version : "");
	xml_uint(&w->x, "timestamp", cov_last_start(w->c) * 1000);
}

static void write_result(struct writer *w)
{
	sink_puts(w->x.out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			    "<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">");
	xml_start(&w->x, "coverage");
	write_sums(w);
	write_sources(w);
	xml_start(&w->x, "packages");
	for (uint32_t first = 0, end; first < w->layout.sources.len; first = end) {
		end = cov_package_end(&w->layout, first);
		write_package(w, first, end);
	}
	xml_end(&w->x, "packages");
	xml_end(&w->x, "coverage");
	sink_putc(w->x.out, '\n');
}

bool report_coverage_cobertura(struct sink *out, const struct coverage *c, const struct coverage_head *head)
{
	struct writer w = { .x = { .out = out }, .c = c, .head = head };

	cov_layout_init(&w.layout, c);
	tally_classes(&w);
	write_result(&w);
	free(w.classes);
	cov_lines_release(&w.lines);
	cov_layout_release(&w.layout);
	strbuf_release(&w.path);
	xml_release(&w.x);
	return sink_finish(out);
}
