/* SPDX-License-Identifier: Apache-2.0 */
/* compare_text.c - comparisons of analyses as tables on a screen. */
#include "report/requirements/compare_p.h"

#include "report/java/clients.h"

struct screen {
	struct screen_out s;
	uint32_t width;
};

static void pad(struct screen *x, uint32_t n)
{
	while (n-- > 0)
		sink_putc(x->s.out, ' ');
}

/* Text to the left, numbers to the right. */
static void show_cell(struct screen *x, const char *text, uint32_t column, uint32_t width)
{
	uint32_t left = width - text_columns(str_of(text));

	pad(x, 2 + (column ? left : 0));
	sink_puts(x->s.out, text);
	if (!column)
		pad(x, left);
}

static void show_row(struct screen *x, const struct table *t, uint32_t row)
{
	for (uint32_t i = 0; i < t->ncolumns; i++)
		show_cell(x, t->cells.data[row * t->ncolumns + i], i, table_column_width(t, i));
}

/* A sentence, broken into lines between words. */
static void show_note(struct screen *x, struct str text)
{
	uint32_t at = 0, from = 0;

	screen_style(&x->s, STYLE_DIM);
	for (uint32_t i = 0; i <= text.len; i++) {
		if (i < text.len && text.p[i] != ' ')
			continue;
		struct str word = str_sub(text, from, i);
		uint32_t n = text_columns(word);
		if (at == 0 || at + 1 + n > x->width) {
			sink_puts(x->s.out, at ? "\n  " : "  ");
			at = 2;
		} else {
			sink_putc(x->s.out, ' ');
			at++;
		}
		sink_str(x->s.out, word);
		at += n;
		from = i + 1;
	}
	screen_plain(&x->s);
	sink_putc(x->s.out, '\n');
}

static void show_table(void *ctx, const struct table *t)
{
	struct screen *x = ctx;

	sink_putc(x->s.out, '\n');
	screen_puts(&x->s, STYLE_BOLD, t->title);
	sink_putc(x->s.out, '\n');
	screen_style(&x->s, STYLE_DIM);
	show_row(x, t, 0);
	screen_plain(&x->s);
	sink_putc(x->s.out, '\n');
	for (uint32_t row = 1; row < table_nrows(t); row++) {
		show_row(x, t, row);
		sink_putc(x->s.out, '\n');
	}
	if (t->note.len)
		show_note(x, strbuf_str(&t->note));
}

static void show_head(struct screen *x, const struct comparison *c, const struct requirements_head *head)
{
	screen_puts(&x->s, STYLE_BOLD, "Analyses compared");
	sink_putc(x->s.out, '\n');
	if (c->components.len == 1)
		screen_fact(&x->s, x->width, "Component", screen_text(c->components.data[0]));
	screen_fact(&x->s, x->width, "Interface", screen_text(head->interface));
	clients_show(&x->s, x->width, screen_text(head->clients));
	screen_fact(&x->s, x->width, "Class path", screen_text(head->head.class_path));
	screen_fact(&x->s, x->width, "JDK", screen_text(head->head.jdk));
}

bool report_compare_text(struct sink *out, const struct comparison *c, const struct requirements_head *head)
{
	struct screen x = { { out, head->head.color }, screen_width(&head->head) };
	struct strbuf note = { 0 };

	show_head(&x, c, head);
	comparison_tables(c, x.width, show_table, &x);
	add_sample_note(c, &note);
	if (note.len) {
		sink_putc(out, '\n');
		show_note(&x, strbuf_str(&note));
	}
	strbuf_release(&note);
	return sink_finish(out);
}
