/* SPDX-License-Identifier: Apache-2.0 */
#include "report/objects/strings.h"

#include <string.h>

#include "ir/access.h"
#include "report/java/names.h"
#include "report/write/escape.h"
#include "report/write/json.h"
#include "report/write/screen.h"

#define MAX_LISTED 12      /* strings of a language that are listed on the screen */

/* Which parameter it is, from 1. */
static uint32_t parameter(const struct program *p, const struct dynamic_string *s)
{
	method_id target = mref_row(p, s->ref)->target;
	bool is_static = target.i && (method_row(p, target)->flags & ACCESS_STATIC);

	return s->operand + is_static;
}

static uint32_t line_at(struct program *p, const struct dynamic_string *s)
{
	return p->source.line ? p->source.line(p->source.ctx, p, s->method, s->pc) : 0;
}

/* JSON */

static void write_strings(struct json *j, const struct dynamic_string *s)
{
	const char *at = s->strings.s;

	json_key(j, "strings"), json_array(j);
	for (uint32_t i = 0; i < s->nstrings; i++, at += strlen(at) + 1)
		json_str(j, str_of(at));
	json_end_array(j);
	if (s->has_more)
		json_key(j, "more"), json_bool(j, true);
}

static void write_language(struct json *j, const struct dynamic_string *s)
{
	json_key(j, "language"), json_str(j, strbuf_str(&s->expression));
	json_key(j, "any"), json_bool(j, s->is_any);
	json_key(j, "finite"), json_bool(j, s->is_finite);
	if (s->has_example)
		json_key(j, "example"), json_str(j, strbuf_str(&s->example));
	if (s->is_finite)
		write_strings(j, s);
	if (s->is_widened)
		json_key(j, "widened"), json_bool(j, true);
	if (s->known.len)
		json_key(j, "known"), json_str(j, strbuf_str(&s->known));
	if (s->is_any && s->reason)
		json_key(j, "why"), json_str(j, str_of(dynamic_reason_name(s->reason)));
}

static void write_string(struct json *j, struct program *p, const struct dynamic_string *s)
{
	struct strbuf text = { 0 };
	uint32_t line = line_at(p, s);

	json_break(j);
	json_object(j);
	print_method(p, s->method, &text);
	strbuf_addf(&text, "@%u", (unsigned)s->pc);
	json_key(j, "site"), json_str(j, strbuf_str(&text));
	if (line)
		json_key(j, "line"), json_uint(j, line);
	strbuf_clear(&text);
	print_mref(p, s->ref, &text);
	json_key(j, "declared"), json_str(j, strbuf_str(&text));
	json_key(j, "parameter"), json_uint(j, parameter(p, s));
	json_key(j, "reached"), json_bool(j, s->is_reached);
	if (s->is_reached)
		write_language(j, s);
	json_end_object(j);
	strbuf_release(&text);
}

bool report_strings_json(struct sink *out, const struct strings_answer *a, const struct report_head *head)
{
	struct json j = { .out = out };

	json_object(&j);
	json_key(&j, "schema"), json_str(&j, STR("sherd/strings/1"));
	json_key(&j, "algorithm"), json_str(&j, str_of(head->algorithm));
	if (head->assume)
		json_key(&j, "assume"), json_str(&j, str_of(head->assume));
	json_key(&j, "entry"), json_str(&j, str_of(head->entry));
	sources_json(&j, &head->facts);
	json_break(&j);
	json_key(&j, "strings"), json_array(&j);
	for (uint32_t i = 0; i < a->n; i++)
		write_string(&j, a->program, &a->strings[i]);
	json_end_array(&j);
	json_end_object(&j);
	sink_putc(out, '\n');
	return sink_finish(out);
}

/* Text */

static void put_escaped(const struct screen_out *s, struct str text)
{
	struct strbuf shown = { 0 };

	escape_add(&shown, ESCAPE_PLAIN, text);
	sink_str(s->out, strbuf_str(&shown));
	strbuf_release(&shown);
}

static void put_row(const struct screen_out *s, const char *label, struct str value)
{
	screen_label(s, label);
	put_escaped(s, value);
	sink_putc(s->out, '\n');
}

static void put_list(const struct screen_out *s, const struct dynamic_string *x)
{
	const char *at = x->strings.s;

	for (uint32_t i = 0; i < x->nstrings && i < MAX_LISTED; i++, at += strlen(at) + 1)
		put_row(s, i ? "" : "Strings", at[0] ? str_of(at) : STR("(the empty string)"));
	if (x->nstrings > MAX_LISTED) {
		screen_label(s, "");
		sink_printf(s->out, "and %u%s more\n", (unsigned)(x->nstrings - MAX_LISTED), x->has_more ? " or" : "");
	}
	if (!x->nstrings)
		put_row(s, "Strings", STR("none: the call is not reached with a string"));
}

static void put_answer(const struct screen_out *s, const struct dynamic_string *x)
{
	if (!x->is_reached) {
		put_row(s, "Language", STR("none: the method is never called"));
		return;
	}
	if (x->is_any) {
		put_row(s, "Language", x->is_widened ? STR("any string: what is made here is too much to follow") : STR("any string"));
		if (x->reason)
			put_row(s, "Because", str_of(dynamic_reason_help(x->reason)));
		if (x->known.len)
			put_row(s, "Known", strbuf_str(&x->known));
		return;
	}
	put_row(s, "Language", strbuf_str(&x->expression));
	if (x->is_finite) {
		put_list(s, x);
		return;
	}
	put_row(s, "Strings", STR("infinitely many"));
	if (x->has_example)
		put_row(s, "Example", x->example.len ? strbuf_str(&x->example) : STR("(the empty string)"));
}

static void put_string(const struct screen_out *s, struct program *p, const struct dynamic_string *x)
{
	struct strbuf text = { 0 };
	uint32_t line = line_at(p, x);

	sink_putc(s->out, '\n');
	print_method(p, x->method, &text);
	screen_style(s, STYLE_BOLD);
	put_escaped(s, strbuf_str(&text));
	sink_printf(s->out, "@%u", (unsigned)x->pc);
	if (line)
		sink_printf(s->out, ", line %u", (unsigned)line);
	screen_plain(s);
	sink_putc(s->out, '\n');
	strbuf_clear(&text);
	strbuf_addf(&text, "parameter %u of ", (unsigned)parameter(p, x));
	print_mref(p, x->ref, &text);
	put_row(s, "String", strbuf_str(&text));
	put_answer(s, x);
	strbuf_release(&text);
}

bool report_strings_text(struct sink *out, const struct strings_answer *a, const struct report_head *head)
{
	struct screen_out s = { out, head->color };

	screen_puts(&s, STYLE_BOLD, "What strings can be");
	sink_putc(out, '\n');
	screen_label(&s, "Analysis");
	sink_printf(out, "%s from %s\n", head->algorithm, head->entry);
	if (head->assume) {
		screen_label(&s, "Assume");
		sink_printf(out, "%s\n", head->assume);
	}
	for (uint32_t i = 0; i < a->n; i++)
		put_string(&s, a->program, &a->strings[i]);
	return sink_finish(out);
}
