/* SPDX-License-Identifier: Apache-2.0 */
/* Classes and methods by the names that people write. */
#include <string.h>

#include "session/session_p.h"

class_id session_class(struct session *s, struct str dotted)
{
	struct strbuf name = { 0 };

	strbuf_addstr(&name, dotted);
	for (size_t i = 0; i < name.len; i++)
		if (name.s[i] == '.')
			name.s[i] = '/';
	class_id c = program_class(&s->program, strbuf_str(&name));
	strbuf_release(&name);
	program_load(&s->program, c);
	return class_row(&s->program, c)->kind == CLASS_PHANTOM ? (class_id){ 0 } : c;
}

bool split_method_name(struct str text, struct method_name *out)
{
	const char *paren = memchr(text.p, '(', text.len);
	uint32_t end = paren ? (uint32_t)(paren - text.p) : text.len;
	int64_t dot = str_rfind(str_sub(text, 0, end), '.');

	if (dot <= 0 || dot + 1 == end)
		return false;
	*out = (struct method_name){ str_sub(text, 0, (uint32_t)dot), str_sub(text, (uint32_t)dot + 1, end),
				     str_sub(text, end, text.len) };
	return true;
}

/* The first of the methods of `c` with this name, from number `from` on; none: no more. */
static method_id next_named(const struct program *p, class_id c, const struct method_name *n, uint32_t *from)
{
	const struct ir_class *row = class_row(p, c);

	for (uint32_t i = *from; i < row->nmethods; i++) {
		method_id m = { row->first_method + i };
		sel_id sel = method_row(p, m)->sel;
		*from = i + 1;
		if (str_eq(sel_name(p, sel), n->name) && (!n->desc.len || str_eq(sel_desc(p, sel), n->desc)))
			return m;
	}
	return (method_id){ 0 };
}

static void say_absent(const struct program *p, class_id c, const struct method_name *n, struct strbuf *why)
{
	strbuf_addf(why, "%.*s declares no method %.*s%.*s", (int)n->cls.len, n->cls.p, (int)n->name.len, n->name.p,
		    (int)n->desc.len, n->desc.p);
	for (c = class_row(p, c)->super; c.i; c = class_row(p, c)->super) {
		uint32_t from = 0;
		method_id m = next_named(p, c, n, &from);
		if (!m.i)
			continue;
		strbuf_adds(why, "; it inherits ");
		print_method(p, m, why);
		return;
	}
}

static void say_ambiguous(const struct program *p, class_id c, const struct method_name *n, struct strbuf *why)
{
	uint32_t from = 0;

	strbuf_addf(why, "%.*s.%.*s can be any of these; add the descriptor:", (int)n->cls.len, n->cls.p,
		    (int)n->name.len, n->name.p);
	for (method_id m; (m = next_named(p, c, n, &from)).i;) {
		strbuf_adds(why, "\n    ");
		print_method(p, m, why);
	}
}

bool session_method(struct session *s, const char *text, method_id *out, struct strbuf *why)
{
	struct method_name n;
	uint32_t from = 0;

	if (!split_method_name(str_of(text), &n)) {
		strbuf_addf(why, "'%s' is no method: write pkg.Cls.method or pkg.Cls.method(desc)ret", text);
		return false;
	}
	class_id c = session_class(s, n.cls);
	if (!c.i) {
		strbuf_addf(why, "no class %.*s on the class path; is the -cp right, and the name complete with its "
				 "package?", (int)n.cls.len, n.cls.p);
		return false;
	}
	*out = next_named(&s->program, c, &n, &from);
	if (!out->i)
		say_absent(&s->program, c, &n, why);
	else if (next_named(&s->program, c, &n, &from).i)
		say_ambiguous(&s->program, c, &n, why);
	return why->len == 0;
}
