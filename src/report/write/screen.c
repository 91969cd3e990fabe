/* SPDX-License-Identifier: Apache-2.0 */
#include "report/write/screen.h"

#include "report/write/escape.h"

void screen_style(const struct screen_out *s, enum style st)
{
	static const char *const codes[] = { [STYLE_BOLD] = "1", [STYLE_DIM] = "2", [STYLE_RED] = "31",
					     [STYLE_GREEN] = "32" };

	if (s->color)
		sink_printf(s->out, "\033[%sm", codes[st]);
}

void screen_plain(const struct screen_out *s)
{
	if (s->color)
		sink_puts(s->out, "\033[0m");
}

void screen_puts(const struct screen_out *s, enum style st, const char *text)
{
	screen_style(s, st);
	sink_puts(s->out, text);
	screen_plain(s);
}

void screen_label(const struct screen_out *s, const char *label)
{
	sink_puts(s->out, "  ");
	screen_style(s, STYLE_DIM);
	sink_printf(s->out, "%-12s", label);
	screen_plain(s);
}

struct str text_skip(struct str t, uint32_t n)
{
	uint32_t i = 0;

	for (; i < t.len && n > 0; n--)
		for (i++; i < t.len && text_is_tail(t.p[i]);)
			i++;
	return str_sub(t, i, t.len);
}

void screen_fact(const struct screen_out *s, uint32_t width, const char *label, struct str value)
{
	struct strbuf text = { 0 };
	uint32_t room = width - 14;     /* behind the label */

	if (!value.len)
		return;
	screen_label(s, label);
	escape_add(&text, ESCAPE_PLAIN, value);
	struct str shown = strbuf_str(&text);
	if (text_columns(shown) > room) {
		sink_puts(s->out, "…");
		shown = text_skip(shown, text_columns(shown) - (room - 1));
	}
	sink_str(s->out, shown);
	sink_putc(s->out, '\n');
	strbuf_release(&text);
}

void screen_title(const struct screen_out *s, const char *text, uint64_t count)
{
	char buf[32];

	sink_putc(s->out, '\n');
	screen_puts(s, STYLE_BOLD, text);
	sink_printf(s->out, "  %s\n", grouped(count, buf));
}

void screen_figure(const struct screen_out *s, const char *label, uint64_t n)
{
	char buf[32];

	sink_printf(s->out, "  %-16s", label);
	screen_style(s, STYLE_BOLD);
	sink_printf(s->out, "%13s", grouped(n, buf));
	screen_plain(s);
}

const char *grouped(uint64_t n, char buf[32])
{
	char *at = buf + 31;

	*at = 0;
	for (int digits = 0; n || digits == 0; digits++, n /= 10) {
		if (digits && digits % 3 == 0)
			*--at = ',';
		*--at = (char)('0' + n % 10);
	}
	return at;
}

void screen_share(struct sink *out, uint64_t part, uint64_t whole)
{
	uint64_t tenths = whole ? (part * 1000 + whole / 2) / whole : 0;

	sink_printf(out, "  %u.%u %%\n", (unsigned)(tenths / 10), (unsigned)(tenths % 10));
}
