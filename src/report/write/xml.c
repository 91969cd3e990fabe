/* SPDX-License-Identifier: Apache-2.0 */
#include "report/write/xml.h"

#include <assert.h>
#include <stdarg.h>

#include "report/write/escape.h"

void xml_release(struct xml *x)
{
	strbuf_release(&x->text);
}

static void end_start_tag(struct xml *x)
{
	if (x->is_open)
		sink_putc(x->out, '>');
	x->is_open = false;
}

static void next_line(struct xml *x)
{
	sink_putc(x->out, '\n');
	for (uint32_t i = 0; i < x->depth; i++)
		sink_putc(x->out, ' ');
}

void xml_start(struct xml *x, const char *tag)
{
	end_start_tag(x);
	next_line(x);
	sink_putc(x->out, '<');
	sink_puts(x->out, tag);
	x->is_open = true;
	x->depth++;
}

void xml_end(struct xml *x, const char *tag)
{
	assert(x->depth > 0);
	x->depth--;
	if (x->is_open) {
		sink_puts(x->out, "/>");
	} else {
		if (!x->has_text)
			next_line(x);
		sink_puts(x->out, "</");
		sink_puts(x->out, tag);
		sink_putc(x->out, '>');
	}
	x->is_open = x->has_text = false;
}

static void add_attr(struct xml *x, const char *key, struct str escaped)
{
	assert(x->is_open);
	sink_putc(x->out, ' ');
	sink_puts(x->out, key);
	sink_puts(x->out, "=\"");
	sink_str(x->out, escaped);
	sink_putc(x->out, '"');
}

void xml_attr(struct xml *x, const char *key, struct str value)
{
	strbuf_clear(&x->text);
	escape_add(&x->text, ESCAPE_XML, value);
	add_attr(x, key, strbuf_str(&x->text));
}

void xml_uint(struct xml *x, const char *key, uint64_t value)
{
	assert(x->is_open);
	sink_putc(x->out, ' ');
	sink_puts(x->out, key);
	sink_puts(x->out, "=\"");
	sink_uint(x->out, value);
	sink_putc(x->out, '"');
}

void xml_attrf(struct xml *x, const char *key, const char *fmt, ...)
{
	char text[160];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	add_attr(x, key, str_of(text));
}

void xml_text(struct xml *x, struct str text)
{
	end_start_tag(x);
	strbuf_clear(&x->text);
	escape_add(&x->text, ESCAPE_XML, text);
	sink_str(x->out, strbuf_str(&x->text));
	x->has_text = true;
}
