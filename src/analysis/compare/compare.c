/* SPDX-License-Identifier: Apache-2.0 */
/* compare.c - the figures of several analyses, and the statistics of their differences. */
#include "analysis/compare/compare.h"

#define SIGNIFICANCE 0.05

/* The place of a name; n: not there. */
static uint32_t find(const char *const *names, uint32_t n, const char *name)
{
	uint32_t i = 0;

	while (i < n && strcmp(names[i], name) != 0)
		i++;
	return i;
}

void comparison_add(struct comparison *c, const char *component, const struct requirements *r)
{
	uint32_t row = find(c->components.data, c->components.len, component);
	uint32_t column = find(c->analyses.data, c->analyses.len, r->algorithm);
	struct comparison_cell cell = { row, column, r->stats, r->analysed_methods, r->seconds };

	if (row == c->components.len)
		vec_push(&c->components, component);
	if (column == c->analyses.len)
		vec_push(&c->analyses, r->algorithm);
	struct comparison_cell *old = (struct comparison_cell *)comparison_find(c, row, column);
	if (old)
		*old = cell;
	else
		vec_push(&c->cells, cell);
}

void comparison_release(struct comparison *c)
{
	vec_release(&c->components);
	vec_release(&c->analyses);
	vec_release(&c->cells);
}

const struct comparison_cell *comparison_find(const struct comparison *c, uint32_t component, uint32_t analysis)
{
	for (uint32_t i = 0; i < c->cells.len; i++)
		if (c->cells.data[i].component == component && c->cells.data[i].analysis == analysis)
			return &c->cells.data[i];
	return NULL;
}

const struct comparison_cell *comparison_any(const struct comparison *c, uint32_t component)
{
	const struct comparison_cell *cell = NULL;

	for (uint32_t a = 0; a < c->analyses.len && !cell; a++)
		cell = comparison_find(c, component, a);
	return cell;
}

double cell_average(const struct comparison_cell *cell, enum metric m)
{
	return req_per_site(&cell->stats, m == METRIC_RC ? cell->stats.rc : cell->stats.tm);
}

static uint32_t last_analysis(const struct comparison *c)
{
	return c->analyses.len - 1;
}

static bool has_difference(const struct comparison *c, uint32_t component, uint32_t analysis)
{
	const struct comparison_cell *cell = comparison_find(c, component, analysis);

	return cell && cell->stats.poly_sites && comparison_find(c, component, last_analysis(c));
}

static double difference_at(const struct comparison *c, uint32_t component, uint32_t analysis, enum metric m)
{
	return cell_average(comparison_find(c, component, analysis), m) -
	       cell_average(comparison_find(c, component, last_analysis(c)), m);
}

struct difference difference_compute(const struct comparison *c, uint32_t analysis, enum metric m)
{
	VEC(double) values = { 0 };
	struct difference d = { 0 };

	for (uint32_t i = 0; i < c->components.len; i++)
		if (has_difference(c, i, analysis))
			vec_push(&values, difference_at(c, i, analysis, m));
	d.summary = summary_compute(values.data, values.len);
	d.bounds = median_bounds_compute(values.data, values.len, SIGNIFICANCE);
	vec_release(&values);
	return d;
}

bool comparison_is_sample(const struct comparison *c)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->components.len; i++)
		n += has_difference(c, i, last_analysis(c));
	return n >= COMPARISON_SAMPLE;
}
