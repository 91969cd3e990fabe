/* SPDX-License-Identifier: Apache-2.0 */
/* compare_markdown.c - comparisons of analyses as tables of Markdown, for documents. */
#include "report/requirements/compare_p.h"

/* What would end a cell or start markup is quoted. */
static void write_text(struct sink *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("|*_`\\<", *text))
			sink_putc(out, '\\');
		sink_putc(out, *text);
	}
}

static void write_row(struct sink *out, const struct table *t, uint32_t row)
{
	for (uint32_t i = 0; i < t->ncolumns; i++) {
		sink_puts(out, i ? " | " : "| ");
		write_text(out, t->cells.data[row * t->ncolumns + i]);
	}
	sink_puts(out, " |\n");
}

static void write_table(void *ctx, const struct table *t)
{
	struct sink *out = ctx;

	sink_puts(out, "\n**");
	write_text(out, t->title);
	sink_puts(out, "**\n\n");
	write_row(out, t, 0);
	for (uint32_t i = 0; i < t->ncolumns; i++)
		sink_puts(out, i ? " ---: |" : "| --- |");
	sink_putc(out, '\n');
	for (uint32_t row = 1; row < table_nrows(t); row++)
		write_row(out, t, row);
	if (t->note.len) {
		sink_putc(out, '\n');
		write_text(out, t->note.s);
		sink_putc(out, '\n');
	}
}

/* No head: the document around the tables says what was asked. */
bool report_compare_markdown(struct sink *out, const struct comparison *c,
			     const struct requirements_head *head ATTR_UNUSED)
{
	struct strbuf note = { 0 };

	comparison_tables(c, UINT32_MAX, write_table, out);
	add_sample_note(c, &note);
	if (note.len)
		sink_printf(out, "\n%s\n", note.s);
	strbuf_release(&note);
	return sink_finish(out);
}
