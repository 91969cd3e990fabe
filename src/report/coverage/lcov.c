/* SPDX-License-Identifier: Apache-2.0 */
/* lcov.c - coverage as LCOV's trace files: a block of branches a call, a branch a requirement. */
#include "report/coverage/coverage_p.h"
#include "report/coverage/sources.h"

struct writer {
	struct sink *out;
	const struct coverage *c;
	const struct coverage_head *head;
	struct cov_layout layout;
	struct cov_lines lines;
	struct strbuf text, path;
};

/* The names of a text format: a comma or line break would end them. */
static void write_name(struct writer *w, struct str name)
{
	struct strbuf *t = &w->text;

	strbuf_clear(t);
	escape_add(t, ESCAPE_PLAIN, name);
	for (size_t i = 0; i < t->len; i++)
		sink_putc(w->out, t->s[i] == ',' ? ';' : t->s[i]);
	sink_putc(w->out, '\n');
}

/* Where it is, when the sources are there; below a package otherwise. */
static void write_file(struct writer *w, const struct plan_class *k)
{
	struct source_file f;

	strbuf_clear(&w->path);
	source_path(k->name, k->source, &w->path);
	sink_puts(w->out, "SF:");
	if (source_open(w->head->source, strbuf_str(&w->path), &f)) {
		strbuf_clear(&w->text);
		escape_add(&w->text, ESCAPE_PLAIN, f.folder);
		sink_str(w->out, strbuf_str(&w->text));
		if (f.folder.len && f.folder.p[f.folder.len - 1] != '/')
			sink_putc(w->out, '/');
		source_close(&f);
	}
	strbuf_clear(&w->text);
	escape_add(&w->text, ESCAPE_PLAIN, strbuf_str(&w->path));
	sink_str(w->out, strbuf_str(&w->text));
	sink_putc(w->out, '\n');
}

/* FN: and FNDA:, of methods that have calls; one is taken for executed when a call in it was made. */
static uint64_t calls_of(const struct writer *w, const struct plan_method *m)
{
	uint64_t most = 0;

	for (uint32_t i = m->first_site; i < m->first_site + m->nsites; i++)
		if (w->c->sites.data[i].count > most)
			most = w->c->sites.data[i].count;
	return cov_hits(most);
}

static void write_method(struct writer *w, uint32_t row, bool is_data)
{
	const struct plan_method *m = &w->c->plan->methods.data[row];
	uint32_t line = w->layout.lines.data[m->first_site];

	for (uint32_t i = m->first_site; i < m->first_site + m->nsites; i++)
		line = w->layout.lines.data[i] < line ? w->layout.lines.data[i] : line;
	sink_puts(w->out, is_data ? "FNDA:" : "FN:");
	sink_uint(w->out, is_data ? calls_of(w, m) : line);
	sink_putc(w->out, ',');
	strbuf_clear(&w->path);
	cov_add_method(w->c, row, &w->path);
	write_name(w, strbuf_str(&w->path));
}

static void write_methods(struct writer *w, const struct cov_source *s)
{
	uint32_t found = 0, hit = 0;

	for (int is_data = 0; is_data < 2; is_data++)
		for (uint32_t i = s->first; i < s->first + s->n; i++) {
			const struct plan_class *k = &w->c->plan->classes.data[w->layout.classes.data[i]];
			for (uint32_t m = k->first_method; m < k->first_method + k->nmethods; m++) {
				write_method(w, m, is_data);
				found += !is_data;
				hit += !is_data && calls_of(w, &w->c->plan->methods.data[m]) > 0;
			}
		}
	sink_printf(w->out, "FNF:%u\nFNH:%u\n", (unsigned)found, (unsigned)hit);
}

static void write_branches_of(struct writer *w, const struct cov_on_line *call, uint32_t block, struct cov_list in,
			      uint32_t *number)
{
	const struct cov_item *items = cov_items(w->c, in);

	for (uint32_t i = 0; i < in.required; i++) {
		sink_printf(w->out, "BRDA:%u,%u,%u,", (unsigned)call->line, (unsigned)block, (unsigned)(*number)++);
		if (w->c->sites.data[call->site].count || items[i].count)
			sink_uint(w->out, cov_hits(items[i].count));
		else
			sink_putc(w->out, '-');
		sink_putc(w->out, '\n');
	}
}

static void write_branches(struct writer *w)
{
	struct cov_counts n = { 0 };

	for (uint32_t l = 0; l < w->lines.lines.len; l++) {
		const struct cov_line *line = &w->lines.lines.data[l];
		cov_add(&n, line->branches);
		for (uint32_t i = 0; i < line->n; i++) {
			const struct cov_on_line *call = &w->lines.calls.data[line->first + i];
			const struct cov_site *s = &w->c->sites.data[call->site];
			uint32_t number = 0;
			for (uint32_t k = 0; k < CRITERIA; k++)
				if (cov_criteria[k].is_branch)
					write_branches_of(w, call, i, s->of[k], &number);
		}
	}
	sink_printf(w->out, "BRF:%llu\nBRH:%llu\n", (unsigned long long)n.required, (unsigned long long)n.covered);
}

static void write_lines(struct writer *w)
{
	uint32_t hit = 0;

	for (uint32_t l = 0; l < w->lines.lines.len; l++) {
		const struct cov_line *line = &w->lines.lines.data[l];
		sink_printf(w->out, "DA:%u,%llu\n", (unsigned)line->line, (unsigned long long)cov_hits(line->hits));
		hit += line->made > 0;
	}
	sink_printf(w->out, "LF:%u\nLH:%u\n", (unsigned)w->lines.lines.len, (unsigned)hit);
}

static void write_source(struct writer *w, const struct cov_source *s)
{
	cov_lines_clear(&w->lines);
	for (uint32_t i = s->first; i < s->first + s->n; i++) {
		const struct plan_class *k = &w->c->plan->classes.data[w->layout.classes.data[i]];
		cov_lines_add(&w->lines, &w->layout, k->first_site, k->nsites);
	}
	cov_lines_sort(&w->lines, w->c);
	sink_puts(w->out, "TN:\n");
	write_file(w, &w->c->plan->classes.data[w->layout.classes.data[s->first]]);
	write_methods(w, s);
	write_branches(w);
	write_lines(w);
	sink_puts(w->out, "end_of_record\n");
}

bool report_coverage_lcov(struct sink *out, const struct coverage *c, const struct coverage_head *head)
{
	struct writer w = { .out = out, .c = c, .head = head };

	cov_layout_init(&w.layout, c);
	for (uint32_t i = 0; i < w.layout.sources.len; i++)
		write_source(&w, &w.layout.sources.data[i]);
	cov_lines_release(&w.lines);
	cov_layout_release(&w.layout);
	strbuf_release(&w.text);
	strbuf_release(&w.path);
	return sink_finish(out);
}
