/* SPDX-License-Identifier: Apache-2.0 */
/* compare_p.h - comparisons as tables of text, which the screen and Markdown lay out. */
#ifndef REPORT_REQUIREMENTS_COMPARE_P_H
#define REPORT_REQUIREMENTS_COMPARE_P_H

#include "report/requirements/requirements_p.h"

/* A table has a head row of `ncolumns` cells, then its rows. The first column is text, the others are numbers. */
struct table {
	const char *title;
	struct strbuf note;           /* below it: what the columns are; may be empty */
	uint32_t ncolumns;
	VEC(const char *) cells;      /* row by row, in `mem`; "" is an empty one */
	struct arena mem;
};
void table_release(struct table *t);
static inline uint32_t table_nrows(const struct table *t)
{
	return t->cells.len / t->ncolumns;
}

/* Each fills an empty table; release it. The first is about component 0, the others about all of them. */
void table_analyses(const struct comparison *c, struct table *t);
void table_components(const struct comparison *c, struct table *t);
void table_sizes(const struct comparison *c, unsigned metrics, struct table *t);
void table_differences(const struct comparison *c, struct table *t);
void table_costs(const struct comparison *c, struct table *t);

/* Passes every table of a comparison to `show`, in the order of the page; those that are wider than `width` columns in
 * parts where that is possible. */
typedef void table_show(void *ctx, const struct table *t);
void comparison_tables(const struct comparison *c, uint32_t width, table_show *show, void *ctx);
/* The columns that a table takes on a screen: of each, and in all. */
uint32_t table_column_width(const struct table *t, uint32_t column);
uint32_t table_width(const struct table *t);

/* "Statistics need ..."; empty when there is nothing to say. */
void add_sample_note(const struct comparison *c, struct strbuf *out);

#endif
