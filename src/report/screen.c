/* SPDX-License-Identifier: Apache-2.0 */
#include "report/screen.h"

#include "report/escape.h"

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

/* The type at the start of a descriptor as in source code, without packages; returns what it took. */
static uint32_t add_type(struct str desc, struct strbuf *out)
{
	static const char codes[] = "BCDFIJSZV";
	static const char *const words[] = { "byte", "char", "double", "float", "int",
					     "long", "short", "boolean", "void" };
	uint32_t dims = 0, end;

	while (dims < desc.len && desc.p[dims] == '[')
		dims++;
	const char *code = dims < desc.len && desc.p[dims] ? strchr(codes, desc.p[dims]) : NULL;
	for (end = dims; !code && end < desc.len && desc.p[end] != ';';)
		end++;
	if (code) {
		strbuf_adds(out, words[code - codes]);
	} else {
		struct str name = str_sub(desc, dims < end ? dims + 1 : dims, end);
		strbuf_addstr(out, str_sub(name, (uint32_t)(str_rfind(name, '/') + 1), name.len));
	}
	for (uint32_t i = 0; i < dims; i++)
		strbuf_adds(out, "[]");
	return end < desc.len ? end + 1 : desc.len;
}

void add_params(struct str desc, struct strbuf *out)
{
	int64_t close = str_rfind(desc, ')');

	strbuf_addch(out, '(');
	for (uint32_t at = 1; at < close;) {
		if (at > 1)
			strbuf_adds(out, ", ");
		at += add_type(str_sub(desc, at, (uint32_t)close), out);
	}
	strbuf_addch(out, ')');
}

void name_brief(const struct program *p, class_id owner, sel_id sel, struct strbuf *out)
{
	print_class(p, owner, out);
	strbuf_addch(out, '.');
	strbuf_addstr(out, sel_name(p, sel));
}

void name_source(const struct program *p, class_id owner, sel_id sel, struct strbuf *out)
{
	name_brief(p, owner, sel, out);
	add_params(sel_desc(p, sel), out);
}

void add_place(struct names *brief, method_id m, uint32_t pc, struct strbuf *out)
{
	uint32_t line = line_of(brief->p, m, pc);

	strbuf_addstr(out, names_method(brief, m));
	if (line)
		strbuf_addf(out, ":%u", (unsigned)line);
	else
		strbuf_addf(out, "@%u", (unsigned)pc);
}
