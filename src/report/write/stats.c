/* SPDX-License-Identifier: Apache-2.0 */
#include "report/write/stats.h"

#include <inttypes.h>

void stats_release(struct stats *st)
{
	strbuf_release(&st->json);
	strbuf_release(&st->text);
}

static void add_key(struct stats *st, const char *key)
{
	strbuf_addf(&st->json, "%s\"%s\":", st->in_object ? "" : ",", key);
	st->in_object = false;
}

void stats_count(struct stats *st, const char *key, uint64_t n)
{
	add_key(st, key);
	strbuf_addf(&st->json, "%" PRIu64, n);
}

void stats_real(struct stats *st, const char *key, double x, int decimals)
{
	add_key(st, key);
	strbuf_addf(&st->json, "%.*f", decimals, x);
}

void stats_bool(struct stats *st, const char *key, bool b)
{
	add_key(st, key);
	strbuf_adds(&st->json, b ? "true" : "false");
}

void stats_text(struct stats *st, const char *key, const char *plain)
{
	add_key(st, key);
	strbuf_addf(&st->json, "\"%s\"", plain);
}

void stats_object(struct stats *st, const char *key)
{
	add_key(st, key);
	strbuf_addch(&st->json, '{');
	st->in_object = true;
}

void stats_end_object(struct stats *st)
{
	strbuf_addch(&st->json, '}');
	st->in_object = false;
}

static void start_label(struct stats *st, const char *label)
{
	strbuf_addf(&st->text, "%s%s ", st->in_line ? "  " : "", label);
	st->in_line = true;
}

void stats_show(struct stats *st, const char *label, uint64_t n)
{
	start_label(st, label);
	strbuf_addf(&st->text, "%" PRIu64, n);
}

void stats_show_real(struct stats *st, const char *label, double x, int decimals, const char *unit)
{
	start_label(st, label);
	strbuf_addf(&st->text, "%.*f %s", decimals, x, unit);
}

void stats_break(struct stats *st)
{
	if (st->in_line)
		strbuf_addch(&st->text, '\n');
	st->in_line = false;
}

bool stats_write_json(struct sink *out, const struct stats *st, const char *verb)
{
	sink_printf(out, "{\"schema\":\"sherd/stats/1\",\"verb\":\"%s\"", verb);
	sink_str(out, strbuf_str(&st->json));
	sink_puts(out, "}\n");
	return sink_finish(out);
}

bool stats_write_text(struct sink *out, const struct stats *st)
{
	sink_str(out, strbuf_str(&st->text));
	if (st->in_line)
		sink_putc(out, '\n');
	return sink_finish(out);
}
