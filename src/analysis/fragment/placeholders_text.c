/* SPDX-License-Identifier: Apache-2.0 */
/* Placeholders as text that looks like Java. */
#include "analysis/fragment/fragment_p.h"

struct writer {
	const struct program *p;
	const struct placeholders *ph;
	struct strbuf *out;
	struct map uses;               /* short name (interned) -> how many types have it, plus 1 */
	struct interner names;
};

static class_id element_of(const struct program *p, class_id t, uint32_t *dims)
{
	for (*dims = 0; class_row(p, t)->kind == CLASS_ARRAY; t = class_row(p, t)->element)
		++*dims;
	return t;
}

/* The name behind the package, with $ as it stands in class files. */
static struct str short_name(const struct program *p, class_id c)
{
	struct str name = class_name(p, c);
	uint32_t package = package_of(name).len;

	return str_sub(name, package ? package + 1 : 0, name.len);
}

static void count_names(struct writer *w)
{
	uint32_t dims;

	for (uint32_t v = 1; v < w->ph->types.len; v++) {
		class_id c = element_of(w->p, w->ph->types.data[v], &dims);
		if (dims)
			continue;
		uint32_t *n = map_at(&w->uses, intern(&w->names, short_name(w->p, c)).i);
		*n = *n ? *n + 1 : 2;
	}
}

static void add_variable(struct writer *w, uint32_t v)
{
	uint32_t dims;
	class_id c = element_of(w->p, w->ph->types.data[v], &dims);
	struct str name = short_name(w->p, c);
	bool is_shared = map_get(&w->uses, intern(&w->names, name).i) > 2;

	strbuf_adds(w->out, "ph_");
	for (struct str t = is_shared ? class_name(w->p, c) : name; t.len; t = str_sub(t, 1, t.len))
		strbuf_addch(w->out, t.p[0] == '/' || t.p[0] == '$' ? '_' : t.p[0]);
	while (dims-- > 0)
		strbuf_adds(w->out, "Array");
}

/* As source code names it. */
static void add_type(struct writer *w, class_id c)
{
	size_t from = w->out->len;

	print_class(w->p, c, w->out);
	for (size_t i = from; i < w->out->len; i++)
		if (w->out->s[i] == '$')
			w->out->s[i] = '.';
}

static void add_argument(struct writer *w, class_id type)
{
	uint32_t v = map_get(&w->ph->variable_of, type.i);

	if (v)
		add_variable(w, v);
	else if (class_row(w->p, type)->kind != CLASS_PRIMITIVE)
		strbuf_adds(w->out, "null");
	else
		strbuf_adds(w->out, str_is(class_name(w->p, type), "boolean") ? "false" : "0");
}

static void add_arguments(struct writer *w, sel_id sel)
{
	const char *before = "";
	class_id type;

	strbuf_addch(w->out, '(');
	/* Every type in a signature has a name already: nothing is added to the program. */
	for (uint32_t at = 0; sel_next_param((struct program *)w->p, sel, &at, &type); before = ", ") {
		strbuf_adds(w->out, before);
		add_argument(w, type);
	}
	strbuf_addch(w->out, ')');
}

static void add_owner(struct writer *w, const struct placeholder *s)
{
	if (s->from)
		add_variable(w, s->from);
	else
		add_type(w, s->via);
}

static void add_call(struct writer *w, const struct placeholder *s)
{
	sel_id sel = method_row(w->p, s->method)->sel;

	add_owner(w, s);
	strbuf_addch(w->out, '.');
	strbuf_addstr(w->out, sel_name(w->p, sel));
	add_arguments(w, sel);
}

static void add_new_array(struct writer *w, class_id t)
{
	uint32_t dims;

	strbuf_adds(w->out, "new ");
	add_type(w, element_of(w->p, t, &dims));
	strbuf_adds(w->out, "[1]");
	while (--dims > 0)
		strbuf_adds(w->out, "[]");
}

static void add_field_name(struct writer *w, const struct placeholder *s)
{
	add_owner(w, s);
	strbuf_addch(w->out, '.');
	strbuf_addstr(w->out, sel_name(w->p, field_row(w->p, s->field)->sel));
}

static void add_source(struct writer *w, const struct placeholder *s)
{
	switch (s->sort) {
	case PH_NEW:
	case PH_CLIENT:
		strbuf_adds(w->out, "new ");
		add_type(w, s->via);
		add_arguments(w, method_row(w->p, s->method)->sel);
		break;
	case PH_CALL:
		add_call(w, s);
		break;
	case PH_ARRAY:
		add_new_array(w, w->ph->types.data[s->to]);
		break;
	case PH_GET:
		add_field_name(w, s);
		break;
	case PH_LOAD:
		add_variable(w, s->from);
		strbuf_adds(w->out, "[0]");
		break;
	case PH_STRING:
		strbuf_adds(w->out, "\"client\"");
		break;
	case PH_CAST:
		strbuf_addch(w->out, '(');
		add_type(w, w->ph->types.data[s->to]);
		strbuf_adds(w->out, ") ");
		add_variable(w, s->from);
		break;
	default:
		add_variable(w, s->sort == PH_ASSIGN ? s->from : s->to);
		break;
	}
}

static void add_statement(struct writer *w, const struct placeholder *s)
{
	strbuf_adds(w->out, "\t\t\t");
	if (s->sort == PH_PUT)
		add_field_name(w, s);
	else if (s->to)
		add_variable(w, s->sort == PH_STORE ? s->from : s->to);
	if (s->sort == PH_STORE)
		strbuf_adds(w->out, "[0]");
	if (s->to)
		strbuf_adds(w->out, " = ");
	add_source(w, s);
	strbuf_adds(w->out, ";\n");
}

void placeholders_print(const struct program *p, const struct placeholders *ph, struct strbuf *out)
{
	struct writer w = { .p = p, .ph = ph, .out = out };

	interner_init(&w.names);
	count_names(&w);
	strbuf_adds(out, "class Clients {\n\tstatic void main() {\n");
	for (uint32_t v = 1; v < ph->types.len; v++) {
		strbuf_adds(out, "\t\t");
		add_type(&w, ph->types.data[v]);
		strbuf_addch(out, ' ');
		add_variable(&w, v);
		strbuf_adds(out, ";\n");
	}
	strbuf_adds(out, "\t\ttry {\n");
	for (uint32_t i = 0; i < ph->stmts.len; i++)
		if (ph->stmts.data[i].sort != PH_CATCH)
			add_statement(&w, &ph->stmts.data[i]);
	strbuf_adds(out, "\t\t} catch (Throwable e) {\n\t\t\t");
	add_variable(&w, map_get(&ph->variable_of, p->throwable.i));
	strbuf_adds(out, " = e;\n\t\t}\n\t}\n}\n");
	map_release(&w.uses);
	interner_release(&w.names);
}
