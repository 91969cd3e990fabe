/* SPDX-License-Identifier: Apache-2.0 */
/* json.c - JSON, streamed. */
#include "report/write/json.h"

#include <assert.h>

#include "report/write/escape.h"

/* What comes between the last value of the container and the next. */
static void separate(struct json *j)
{
	uint64_t bit = (uint64_t)1 << j->depth;

	if (j->keyed) {
		j->keyed = false;
		return;
	}
	if (j->filled & bit)
		sink_putc(j->out, ',');
	j->filled |= bit;
}

static void open_container(struct json *j, char bracket)
{
	separate(j);
	sink_putc(j->out, bracket);
	assert(j->depth < 63);
	j->depth++;
	j->filled &= ~((uint64_t)1 << j->depth);
}

static void close_container(struct json *j, char bracket)
{
	assert(j->depth > 0 && !j->keyed);
	j->depth--;
	sink_putc(j->out, bracket);
}

void json_object(struct json *j)
{
	open_container(j, '{');
}

void json_end_object(struct json *j)
{
	close_container(j, '}');
}

void json_array(struct json *j)
{
	open_container(j, '[');
}

void json_end_array(struct json *j)
{
	close_container(j, ']');
}

void json_key(struct json *j, const char *key)
{
	separate(j);
	sink_putc(j->out, '"');
	sink_puts(j->out, key);
	sink_write(j->out, "\":", 2);
	j->keyed = true;
}

void json_str(struct json *j, struct str s)
{
	struct strbuf text = { 0 };

	escape_add(&text, ESCAPE_JSON, s);
	json_escaped(j, strbuf_str(&text));
	strbuf_release(&text);
}

void json_escaped(struct json *j, struct str s)
{
	separate(j);
	sink_putc(j->out, '"');
	sink_str(j->out, s);
	sink_putc(j->out, '"');
}

void json_raw(struct json *j, struct str s)
{
	separate(j);
	sink_str(j->out, s);
}

void json_uint(struct json *j, uint64_t n)
{
	separate(j);
	sink_uint(j->out, n);
}

void json_bool(struct json *j, bool b)
{
	separate(j);
	sink_puts(j->out, b ? "true" : "false");
}

/* The comma goes before the line break, so `separate` must not add it again. */
void json_break(struct json *j)
{
	uint64_t bit = (uint64_t)1 << j->depth;

	if (j->filled & bit)
		sink_putc(j->out, ',');
	sink_putc(j->out, '\n');
	j->filled &= ~bit;
}
