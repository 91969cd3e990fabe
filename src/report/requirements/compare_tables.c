/* SPDX-License-Identifier: Apache-2.0 */
/* compare_tables.c - comparisons as tables of text. */
#include <stdarg.h>

#include "report/requirements/compare_p.h"

#define GAP 2              /* columns between those of a table */

static void add_cell(struct table *t, const char *fmt, ...) ATTR_PRINTF(2, 3);

void table_release(struct table *t)
{
	strbuf_release(&t->note);
	vec_release(&t->cells);
	arena_release(&t->mem);
}

static void start_table(struct table *t, const char *title, uint32_t ncolumns)
{
	*t = (struct table){ .title = title, .ncolumns = ncolumns };
	arena_init(&t->mem);
}

static void add_cell(struct table *t, const char *fmt, ...)
{
	char text[160];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	vec_push(&t->cells, arena_strdup(&t->mem, text));
}

/* A name that the user gave. */
static void add_name(struct table *t, const char *name)
{
	struct strbuf text = { 0 };

	escape_add(&text, ESCAPE_PLAIN, str_of(name));
	vec_push(&t->cells, arena_strdup(&t->mem, text.s ? text.s : ""));
	strbuf_release(&text);
}

static void add_count(struct table *t, uint64_t n)
{
	char buf[32];

	add_cell(t, "%s", grouped(n, buf));
}

/* 0 is unknown. */
static void add_known(struct table *t, uint64_t n)
{
	if (n)
		add_count(t, n);
	else
		add_cell(t, "–");
}

static const char *last_name(const struct comparison *c)
{
	return c->analyses.data[c->analyses.len - 1];
}

static const char *metric_name(enum metric m)
{
	return m == METRIC_RC ? "RC" : "TM";
}

uint32_t table_column_width(const struct table *t, uint32_t column)
{
	uint32_t width = 0;

	for (uint32_t i = column; i < t->cells.len; i += t->ncolumns) {
		uint32_t n = text_columns(str_of(t->cells.data[i]));
		width = n > width ? n : width;
	}
	return width;
}

uint32_t table_width(const struct table *t)
{
	uint32_t width = 0;

	for (uint32_t i = 0; i < t->ncolumns; i++)
		width += GAP + table_column_width(t, i);
	return width;
}

/* One component: a row an analysis */

static void add_average(struct table *t, const struct comparison_cell *cell, enum metric m)
{
	if (cell && cell->stats.poly_sites)
		add_cell(t, "%.2f", cell_average(cell, m));
	else
		add_cell(t, "–");
}

/* How much more the analysis requires than the last one. */
static void add_more(struct table *t, const struct comparison_cell *cell, const struct comparison_cell *last,
		     enum metric m)
{
	if (!last || cell == last || !cell->stats.poly_sites)
		add_cell(t, "–");
	else
		add_cell(t, "%+.2f", cell_average(cell, m) - cell_average(last, m));
}

static void add_analysis(struct table *t, const struct comparison *c, uint32_t analysis)
{
	const struct comparison_cell *cell = comparison_find(c, 0, analysis);
	const struct comparison_cell *last = comparison_find(c, 0, c->analyses.len - 1);

	if (!cell)
		return;
	add_cell(t, "%s", c->analyses.data[analysis]);
	add_count(t, cell->stats.rc);
	add_average(t, cell, METRIC_RC);
	add_more(t, cell, last, METRIC_RC);
	add_count(t, cell->stats.tm);
	add_average(t, cell, METRIC_TM);
	add_more(t, cell, last, METRIC_TM);
	add_known(t, cell->analysed_methods);
	add_cell(t, "%.2f", cell->seconds);
}

void table_analyses(const struct comparison *c, struct table *t)
{
	static const char *const heads[] = { "Analysis", "RC", "N_RC", "more", "TM", "N_TM", "more",
					     "Methods", "Seconds" };
	char buf[32];

	start_table(t, "Requirements by analysis", ARRAY_LEN(heads));
	for (size_t i = 0; i < ARRAY_LEN(heads); i++)
		vec_push(&t->cells, heads[i]);
	for (uint32_t a = 0; a < c->analyses.len; a++)
		add_analysis(t, c, a);
	strbuf_addf(&t->note, "RC, TM: receiver classes and target methods at %s polymorphic calls; N_RC, N_TM: on "
			      "average; more: than %s.", grouped(c->cells.data[0].stats.poly_sites, buf), last_name(c));
}

/* Several components: a row each */

void table_components(const struct comparison *c, struct table *t)
{
	static const char *const heads[] = { "Component", "Classes", "Methods", "Calls", "Polymorphic" };

	start_table(t, "Components", ARRAY_LEN(heads));
	for (size_t i = 0; i < ARRAY_LEN(heads); i++)
		vec_push(&t->cells, heads[i]);
	for (uint32_t i = 0; i < c->components.len; i++) {
		const struct req_stats *s = &comparison_any(c, i)->stats;
		add_name(t, c->components.data[i]);
		add_count(t, s->classes);
		add_count(t, s->methods);
		add_count(t, s->sites);
		add_count(t, s->poly_sites);
	}
}

static const char *sizes_title(unsigned metrics)
{
	if (metrics == METRIC_RC)
		return "Receiver classes at each polymorphic call (N_RC)";
	if (metrics == METRIC_TM)
		return "Target methods at each polymorphic call (N_TM)";
	return "Receiver classes (RC) and target methods (TM) at each polymorphic call";
}

void table_sizes(const struct comparison *c, unsigned metrics, struct table *t)
{
	uint32_t n = c->analyses.len, both = metrics == (METRIC_RC | METRIC_TM);

	start_table(t, sizes_title(metrics), 1 + n * (1 + both));
	add_cell(t, "Component");
	for (enum metric m = METRIC_RC; m <= METRIC_TM; m++)
		for (uint32_t a = 0; a < n && metrics & m; a++)
			add_cell(t, "%s%s%s", both ? metric_name(m) : "", both ? " " : "", c->analyses.data[a]);
	for (uint32_t i = 0; i < c->components.len; i++) {
		add_name(t, c->components.data[i]);
		for (enum metric m = METRIC_RC; m <= METRIC_TM; m++)
			for (uint32_t a = 0; a < n && metrics & m; a++)
				add_average(t, comparison_find(c, i, a), m);
	}
}

/* The greatest number of thousandths that is not above x, but for errors of rounding. */
static double thousandths_below(double x)
{
	double scaled = x * 1000 + 1e-6;
	int64_t n = (int64_t)scaled;

	return (double)((double)n > scaled ? n - 1 : n) / 1000;
}

static void add_number(struct table *t, double x)
{
	add_cell(t, "%.3f", x > -0.0005 && x < 0 ? 0 : x);      /* never -0.000 */
}

/* Bounds are rounded outwards: what is printed is a bound, too. */
static void add_difference(struct table *t, const struct comparison *c, uint32_t analysis, enum metric m)
{
	struct difference d = difference_compute(c, analysis, m);

	add_cell(t, "N_%s(%s, %s)", metric_name(m), c->analyses.data[analysis], last_name(c));
	add_number(t, d.summary.median);
	add_number(t, d.summary.mean);
	add_number(t, d.summary.min);
	add_number(t, d.summary.max);
	add_number(t, d.summary.stddev);
	if (d.bounds.found) {
		add_number(t, thousandths_below(d.bounds.lower));
		add_number(t, 0 - thousandths_below(0 - d.bounds.upper));
	} else {
		add_cell(t, "–"), add_cell(t, "–");
	}
}

void table_differences(const struct comparison *c, struct table *t)
{
	static const char *const heads[] = { "Difference", "Median", "Mean", "Min", "Max", "StdDev", "λ", "λ′" };

	start_table(t, "Differences from the last analysis", ARRAY_LEN(heads));
	for (size_t i = 0; i < ARRAY_LEN(heads); i++)
		vec_push(&t->cells, heads[i]);
	for (uint32_t a = 0; a + 1 < c->analyses.len; a++) {
		add_difference(t, c, a, METRIC_RC);
		add_difference(t, c, a, METRIC_TM);
	}
	strbuf_adds(&t->note, "λ, λ′: bounds of the median by the sign test, one-tailed, at the level 0.05.");
}

void table_costs(const struct comparison *c, struct table *t)
{
	uint32_t n = c->analyses.len;

	start_table(t, "Seconds of CPU, and methods analysed", 2 + n);
	add_cell(t, "Component");
	for (uint32_t a = 0; a < n; a++)
		add_cell(t, "%s", c->analyses.data[a]);
	add_cell(t, "Methods");
	for (uint32_t i = 0; i < c->components.len; i++) {
		const struct comparison_cell *last = comparison_find(c, i, n - 1);
		add_name(t, c->components.data[i]);
		for (uint32_t a = 0; a < n; a++) {
			const struct comparison_cell *cell = comparison_find(c, i, a);
			if (cell)
				add_cell(t, "%.2f", cell->seconds);
			else
				add_cell(t, "–");
		}
		add_known(t, last ? last->analysed_methods : 0);
	}
	strbuf_addf(&t->note, "Methods: those that %s finds reachable, in the component and all that it uses.",
		    last_name(c));
}

/* The page */

static void show_and_release(struct table *t, table_show *show, void *ctx)
{
	show(ctx, t);
	table_release(t);
}

static void show_sizes(const struct comparison *c, uint32_t width, table_show *show, void *ctx)
{
	struct table t;

	table_sizes(c, METRIC_RC | METRIC_TM, &t);
	if (table_width(&t) <= width) {
		show_and_release(&t, show, ctx);
		return;
	}
	table_release(&t);
	table_sizes(c, METRIC_RC, &t);
	show_and_release(&t, show, ctx);
	table_sizes(c, METRIC_TM, &t);
	show_and_release(&t, show, ctx);
}

void comparison_tables(const struct comparison *c, uint32_t width, table_show *show, void *ctx)
{
	struct table t;

	if (c->components.len == 1) {
		table_analyses(c, &t);
		show_and_release(&t, show, ctx);
		return;
	}
	table_components(c, &t);
	show_and_release(&t, show, ctx);
	show_sizes(c, width, show, ctx);
	if (c->analyses.len > 1 && comparison_is_sample(c)) {
		table_differences(c, &t);
		show_and_release(&t, show, ctx);
	}
	table_costs(c, &t);
	show_and_release(&t, show, ctx);
}

void add_sample_note(const struct comparison *c, struct strbuf *out)
{
	if (c->components.len > 1 && c->analyses.len > 1 && !comparison_is_sample(c))
		strbuf_addf(out, "Statistics of the differences need at least %d components with polymorphic calls.",
			    COMPARISON_SAMPLE);
}
