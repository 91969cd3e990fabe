/* SPDX-License-Identifier: Apache-2.0 */
#include "report/objects/basis.h"

static const char *meta_word(meta x)
{
	static const char *const words[] = { [META_CLASS] = "class", [META_METHOD] = "method", [META_FIELD] = "field",
					     [META_STRING] = "string", [META_HANDLE] = "handle", [META_TYPE] = "type" };

	return meta_sort(x) < ARRAY_LEN(words) && words[meta_sort(x)] ? words[meta_sort(x)] : "value";
}

/* Its name, escaped as `names` are; nothing where it has none. */
static void add_meta(struct names *names, meta x, struct strbuf *out)
{
	switch (meta_sort(x)) {
	case META_CLASS:
		strbuf_addstr(out, names_class(names, meta_class(x)));
		break;
	case META_METHOD:
		strbuf_addstr(out, names_method(names, meta_method(x)));
		break;
	case META_FIELD:
		strbuf_addstr(out, names_class(names, field_row(names->p, meta_field(x))->owner));
		strbuf_addch(out, '.');
		escape_add(out, names->form, sel_name(names->p, field_row(names->p, meta_field(x))->sel));
		break;
	case META_STRING:
		escape_add(out, names->form, interned(&names->p->strings, (str_id){ meta_id(x) }));
		break;
	default:
		break;
	}
}

/* Text */

static void add_what(struct rows *x, meta what, struct strbuf *out)
{
	bool is_string = meta_sort(what) == META_STRING;
	size_t before = out->len;

	strbuf_adds(out, is_string ? "the string \"" : "");
	add_meta(&x->source, what, out);
	strbuf_adds(out, is_string ? "\"" : out->len == before ? "a method handle" : "");
}

static void add_reason(struct rows *x, struct dynamic_why why, struct strbuf *out)
{
	strbuf_addf(out, " (%s", dynamic_reason_help(why.reason));
	if (why.field.i) {
		strbuf_adds(out, ": ");
		add_meta(&x->source, meta_of(META_FIELD, why.field.i), out);
	} else if (why.reason != REASON_CALL && why.method.i) {
		strbuf_adds(out, ": ");
		add_place(&x->brief, why.method, why.pc, out);
	}
	strbuf_adds(out, ")");
}

static void add_phrase(struct rows *x, const struct dynamic_basis *b, const char *level, struct strbuf *out)
{
	switch (b->sort) {
	case BASIS_ANSWER:
		if (b->by.i)
			strbuf_addstr(out, names_mref(&x->source, b->by));
		strbuf_adds(out, " finds ");
		add_what(x, b->what, out);
		break;
	case BASIS_WRITTEN:
		add_what(x, b->what, out);
		break;
	case BASIS_CAST:
		strbuf_adds(out, "what is made is always cast to ");
		add_what(x, b->what, out);
		break;
	case BASIS_LEVEL:
		strbuf_addf(out, "what it does is not known, and --assume %s allows this", level);
		add_reason(x, b->why, out);
		break;
	}
}

void basis_show(struct rows *x, const struct dynamic_basis *rows, uint32_t n, const char *level)
{
	if (n)
		screen_puts(&x->s, STYLE_BOLD, "\nWhat it rests on\n");
	for (uint32_t i = 0; i < n; i++) {
		struct strbuf text = { 0 };
		strbuf_adds(&text, "  ");
		if (rows[i].method.i) {
			add_place(&x->brief, rows[i].method, rows[i].pc, &text);
			strbuf_adds(&text, "  ");
		}
		add_phrase(x, &rows[i], level, &text);
		rows_end_line(x, &text, 6);
	}
}

/* JSON */

static void write_why(struct step_json *x, struct dynamic_why why)
{
	struct json *j = &x->j;

	json_key(j, "why"), json_object(j);
	json_key(j, "reason"), json_escaped(j, str_of(dynamic_reason_name(why.reason)));
	if (why.field.i)
		step_json_field(x, why.field);
	else if (why.method.i)
		step_json_code(x, why.method, why.pc);
	json_end_object(j);
}

static void write_row(struct step_json *x, const struct dynamic_basis *b)
{
	struct json *j = &x->j;
	struct strbuf text = { 0 };

	json_break(j);
	json_object(j);
	json_key(j, "basis"), json_escaped(j, str_of(basis_name(b->sort)));
	add_meta(&x->names, b->what, &text);
	if (b->what && text.len)
		json_key(j, "what"), json_escaped(j, str_of(meta_word(b->what))), json_key(j, "name"), json_escaped(j, strbuf_str(&text));
	if (b->by.i)
		json_key(j, "by"), json_escaped(j, names_mref(&x->names, b->by));
	if (b->method.i)
		step_json_code(x, b->method, b->pc);
	if (b->sort == BASIS_LEVEL)
		write_why(x, b->why);
	json_end_object(j);
	strbuf_release(&text);
}

void basis_json(struct step_json *x, const struct dynamic_basis *rows, uint32_t n)
{
	if (!n)
		return;
	json_key(&x->j, "basis"), json_array(&x->j);
	for (uint32_t i = 0; i < n; i++)
		write_row(x, &rows[i]);
	json_end_array(&x->j);
}
