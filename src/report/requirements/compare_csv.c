/* SPDX-License-Identifier: Apache-2.0 */
/* compare_csv.c - comparisons of analyses as rows of RFC 4180: see docs/formats/requirements.md. */
#include "report/requirements/compare_p.h"

static void write_name(struct sink *out, const char *name)
{
	struct strbuf text = { 0 };

	escape_add(&text, ESCAPE_CSV, str_of(name));
	sink_str(out, strbuf_str(&text));
	strbuf_release(&text);
}

static void write_cell(struct sink *out, const struct comparison *c, const struct comparison_cell *cell)
{
	const struct req_stats *s = &cell->stats;

	write_name(out, c->components.data[cell->component]);
	sink_putc(out, ',');
	write_name(out, c->analyses.data[cell->analysis]);
	sink_printf(out, ",%llu,%llu,%llu,%llu", (unsigned long long)s->classes, (unsigned long long)s->methods,
		    (unsigned long long)s->sites, (unsigned long long)s->poly_sites);
	sink_printf(out, ",%llu,%llu,%.4f,%.4f,", (unsigned long long)s->rc, (unsigned long long)s->tm,
		    cell_average(cell, METRIC_RC), cell_average(cell, METRIC_TM));
	if (cell->analysed_methods)
		sink_uint(out, cell->analysed_methods);
	sink_printf(out, ",%.3f\n", cell->seconds);
}

bool report_compare_csv(struct sink *out, const struct comparison *c, const struct requirements_head *head ATTR_UNUSED)
{
	sink_puts(out, "component,algorithm,classes,methods,sites,poly_sites,rc,tm,n_rc,n_tm,analysed_methods,"
		       "seconds\n");
	for (uint32_t i = 0; i < c->components.len; i++)
		for (uint32_t a = 0; a < c->analyses.len; a++) {
			const struct comparison_cell *cell = comparison_find(c, i, a);
			if (cell)
				write_cell(out, c, cell);
		}
	return sink_finish(out);
}
