/* SPDX-License-Identifier: Apache-2.0 */
/* compare_json.c - comparisons of analyses as JSON, sherd/requirements-comparison/1: see
 * docs/formats/requirements.md. */
#include "report/requirements/compare_p.h"

static void write_count(struct json *j, const char *key, uint64_t n)
{
	json_key(j, key), json_uint(j, n);
}

static void write_cell(struct json *j, const struct comparison *c, const struct comparison_cell *cell)
{
	json_break(j);
	json_object(j);
	json_key(j, "algorithm"), json_str(j, str_of(c->analyses.data[cell->analysis]));
	write_count(j, "rc", cell->stats.rc);
	write_count(j, "tm", cell->stats.tm);
	json_number(j, "n_rc", cell_average(cell, METRIC_RC), 4);
	json_number(j, "n_tm", cell_average(cell, METRIC_TM), 4);
	write_count(j, "reached_sites", cell->stats.reached_sites);
	write_count(j, "starved_sites", cell->stats.starved_sites);
	write_count(j, "open_sites", cell->stats.open_sites);
	write_count(j, "client_sites", cell->stats.client_sites);
	if (cell->analysed_methods)
		write_count(j, "analysed_methods", cell->analysed_methods);
	json_number(j, "seconds", cell->seconds, 3);
	json_end_object(j);
}

static void write_size(struct json *j, const struct req_stats *s)
{
	write_count(j, "classes", s->classes);
	write_count(j, "methods", s->methods);
	write_count(j, "sites", s->sites);
	write_count(j, "poly_sites", s->poly_sites);
}

static void write_component(struct json *j, const struct comparison *c, uint32_t component)
{
	json_break(j);
	json_object(j);
	json_key(j, "component"), json_str(j, str_of(c->components.data[component]));
	write_size(j, &comparison_any(c, component)->stats);
	json_key(j, "analyses"), json_array(j);
	for (uint32_t a = 0; a < c->analyses.len; a++) {
		const struct comparison_cell *cell = comparison_find(c, component, a);
		if (cell)
			write_cell(j, c, cell);
	}
	json_end_array(j);
	json_end_object(j);
}

static void write_difference(struct json *j, const struct comparison *c, uint32_t analysis, enum metric m)
{
	struct difference d = difference_compute(c, analysis, m);

	json_break(j);
	json_object(j);
	json_key(j, "metric"), json_escaped(j, m == METRIC_RC ? STR("n_rc") : STR("n_tm"));
	json_key(j, "algorithm"), json_str(j, str_of(c->analyses.data[analysis]));
	json_key(j, "from"), json_str(j, str_of(c->analyses.data[c->analyses.len - 1]));
	write_count(j, "components", d.summary.n);
	json_number(j, "median", d.summary.median, 6);
	json_number(j, "mean", d.summary.mean, 6);
	json_number(j, "min", d.summary.min, 6);
	json_number(j, "max", d.summary.max, 6);
	json_number(j, "stddev", d.summary.stddev, 6);
	if (d.bounds.found) {
		json_number(j, "lambda", d.bounds.lower, 6);
		json_number(j, "lambda_prime", d.bounds.upper, 6);
	}
	json_end_object(j);
}

/* An empty list where there are too few components for statistics. */
static void write_differences(struct json *j, const struct comparison *c)
{
	bool is_sample = comparison_is_sample(c);

	json_key(j, "differences"), json_array(j);
	for (uint32_t a = 0; a + 1 < c->analyses.len && is_sample; a++) {
		write_difference(j, c, a, METRIC_RC);
		write_difference(j, c, a, METRIC_TM);
	}
	json_end_array(j);
}

bool report_compare_json(struct sink *out, const struct comparison *c, const struct requirements_head *head)
{
	struct json j = { .out = out };

	json_object(&j);
	json_key(&j, "schema"), json_escaped(&j, STR("sherd/requirements-comparison/1"));
	json_request(&j, head, NULL);
	json_break(&j);
	json_key(&j, "components"), json_array(&j);
	for (uint32_t i = 0; i < c->components.len; i++)
		write_component(&j, c, i);
	json_end_array(&j);
	json_break(&j);
	write_differences(&j, c);
	json_end_object(&j);
	sink_putc(out, '\n');
	return sink_finish(out);
}
