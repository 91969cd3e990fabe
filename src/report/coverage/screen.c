/* SPDX-License-Identifier: Apache-2.0 */
#include "report/coverage/screen.h"

#include <stdarg.h>

#include "report/java/params.h"

#define DEFAULT_WIDTH 100
#define MIN_WIDTH 60

void cov_screen_init(struct cov_screen *x, struct sink *out, const struct coverage_head *head)
{
	uint32_t width = head->width ? head->width : DEFAULT_WIDTH;

	*x = (struct cov_screen){ .s = { out, head->color }, .head = head, .width = width < MIN_WIDTH ? MIN_WIDTH : width };
	interner_init(&x->simple);
	interner_init(&x->lambdas);
	arena_init(&x->mem);
}

void cov_screen_release(struct cov_screen *x)
{
	interner_release(&x->simple);
	interner_release(&x->lambdas);
	vec_release(&x->full);
	vec_release(&x->lambda_names);
	arena_release(&x->mem);
	strbuf_release(&x->text);
	strbuf_release(&x->shown);
}

/* Words */

/* As it is shown; valid until the next call. */
static struct str printable(struct cov_screen *x, struct str text)
{
	strbuf_clear(&x->shown);
	escape_add(&x->shown, ESCAPE_PLAIN, text);
	return strbuf_str(&x->shown);
}

void cov_break(struct cov_screen *x)
{
	sink_putc(x->s.out, '\n');
	x->at = 0;
}

static void pad_to(struct cov_screen *x, uint32_t column)
{
	for (; x->at < column; x->at++)
		sink_putc(x->s.out, ' ');
}

void cov_word(struct cov_screen *x, int style, struct str text, char end)
{
	struct str shown = printable(x, text);
	uint32_t n = text_columns(shown) + (end != 0);

	if (x->at > x->indent && x->at + 1 + n > x->width)
		cov_break(x);
	pad_to(x, x->at > x->indent ? x->at + 1 : x->indent);
	if (style != STYLE_NONE)
		screen_style(&x->s, (enum style)style);
	sink_str(x->s.out, shown);
	if (end)
		sink_putc(x->s.out, end);
	if (style != STYLE_NONE)
		screen_plain(&x->s);
	x->at += n;
}

void cov_words(struct cov_screen *x, int style, struct str sentence)
{
	uint32_t from = 0;

	for (uint32_t i = 0; i <= sentence.len; i++)
		if (i == sentence.len || sentence.p[i] == ' ') {
			if (i > from)
				cov_word(x, style, str_sub(sentence, from, i), 0);
			from = i + 1;
		}
}

void cov_unit(struct cov_screen *x, int style, struct str text)
{
	if (x->indent + text_columns(text) <= x->width)
		cov_word(x, style, text, 0);
	else
		cov_words(x, style, text);
}

void cov_wordsf(struct cov_screen *x, int style, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	cov_words(x, style, str_of(text));
}

void cov_title(struct cov_screen *x, int style, const char *title, const char *more)
{
	sink_putc(x->s.out, '\n');
	screen_style(&x->s, STYLE_BOLD);
	if (style != STYLE_NONE)
		screen_style(&x->s, (enum style)style);
	sink_puts(x->s.out, title);
	screen_plain(&x->s);
	if (more)
		sink_puts(x->s.out, "  "), sink_puts(x->s.out, more);
	sink_putc(x->s.out, '\n');
}

void cov_fact(struct cov_screen *x, const char *label, struct str value)
{
	screen_fact(&x->s, x->width, label, value);
}

void cov_note(struct cov_screen *x, struct str sentence)
{
	sink_puts(x->s.out, "  - ");
	x->at = x->indent = 4;
	cov_words(x, STYLE_NONE, sentence);
	sink_putc(x->s.out, '\n');
}

/* Calls */

struct str cov_call(struct cov_screen *x, const struct plan_site *p)
{
	strbuf_clear(&x->text);
	strbuf_addstr(&x->text, cov_short(x, p->owner));
	strbuf_addch(&x->text, '.');
	strbuf_addstr(&x->text, p->name);
	add_params(p->desc, &x->text);
	return strbuf_str(&x->text);
}

void cov_line_number(struct cov_screen *x, const struct plan_site *p)
{
	char place[32];

	snprintf(place, sizeof place, p->line ? "%u" : "@%u", (unsigned)(p->line ? p->line : p->pc));
	screen_style(&x->s, STYLE_DIM);
	sink_printf(x->s.out, "%10s", place);
	screen_plain(&x->s);
	sink_puts(x->s.out, "  ");
}

/* Commands */

void cov_add_quoted(struct strbuf *out, struct str word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+,=-";
	bool is_plain = word.len > 0;

	for (uint32_t i = 0; i < word.len; i++)
		is_plain = is_plain && word.p[i] && strchr(plain, word.p[i]);
	if (is_plain) {
		strbuf_addstr(out, word);
		return;
	}
	strbuf_addch(out, '\'');
	for (uint32_t i = 0; i < word.len; i++)
		word.p[i] == '\'' ? strbuf_adds(out, "'\\''") : strbuf_addch(out, word.p[i]);
	strbuf_addch(out, '\'');
}

void cov_more_command(struct cov_screen *x, const char *option)
{
	struct strbuf quoted = { 0 };

	cov_words(x, STYLE_DIM, STR("sherd report"));
	cov_add_quoted(&quoted, str_of(x->head->result ? x->head->result : "RESULT"));
	cov_word(x, STYLE_DIM, strbuf_str(&quoted), 0);
	cov_words(x, STYLE_DIM, str_of(option));
	strbuf_release(&quoted);
}

/* Shares */

void cov_percent(struct cov_screen *x, struct cov_counts n)
{
	uint32_t permille = coverage_permille(n);

	if (!n.required)
		sink_puts(x->s.out, "      -");
	else
		sink_printf(x->s.out, "%3u.%u %%", (unsigned)permille / 10, (unsigned)permille % 10);
}

void cov_bar(struct cov_screen *x, struct cov_counts n, uint32_t wide)
{
	uint32_t filled = n.required ? coverage_permille(n) * wide / 1000 : 0;

	screen_style(&x->s, STYLE_GREEN);
	for (uint32_t i = 0; i < filled; i++)
		sink_puts(x->s.out, "█");
	screen_plain(&x->s);
	screen_style(&x->s, STYLE_DIM);
	for (uint32_t i = filled; i < wide; i++)
		sink_puts(x->s.out, "░");
	screen_plain(&x->s);
}

void cov_method_name(struct cov_screen *x, const struct plan_method *m)
{
	strbuf_clear(&x->text);
	strbuf_addstr(&x->text, m->name);
	add_params(m->desc, &x->text);
	cov_start(x, 4);
	cov_words(x, STYLE_NONE, strbuf_str(&x->text));
	cov_break(x);
}
