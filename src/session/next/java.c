/* SPDX-License-Identifier: Apache-2.0 */
#include "session/next/java.h"

#include <string.h>

#include "ir/access.h"

void java_init(struct java *x, struct recipe *r, struct pta *facts, struct hierarchy *h)
{
	*x = (struct java){ .r = r, .facts = facts, .p = h->p, .values = { .h = h, .clients = r->clients } };
	arena_init(&x->mem);
}

void java_release(struct java *x)
{
	value_finder_release(&x->values);
	arena_release(&x->mem);
	vec_release(&x->locals);
	vec_release(&x->imports);
	strbuf_release(&x->text);
}

#define BASE_DEPTH 2

/* Types */

static class_id outermost(const struct program *p, class_id c)
{
	for (uint32_t depth = 0; class_row(p, c)->outer.i && depth < 16; depth++)
		c = class_row(p, c)->outer;
	return c;
}

static struct str simple_name(struct str internal)
{
	return str_sub(internal, (uint32_t)(str_rfind(internal, '/') + 1), internal.len);
}

static bool is_of_lang(struct str internal)
{
	return str_starts(internal, "java/lang/") && str_rfind(internal, '/') == 9;
}

/* False: another class of that name is imported, or is known without. */
static bool import(struct java *x, class_id top)
{
	struct str name = simple_name(class_name(x->p, top));
	struct strbuf of_lang = { 0 };
	bool is_taken = false;

	for (uint32_t i = 0; i < x->imports.len; i++) {
		if (x->imports.data[i].i == top.i)
			return true;
		is_taken |= str_eq(simple_name(class_name(x->p, x->imports.data[i])), name);
	}
	if (is_of_lang(class_name(x->p, top)))
		return !is_taken;
	strbuf_adds(&of_lang, "java/lang/");
	strbuf_addstr(&of_lang, name);
	is_taken |= program_find_class(x->p, strbuf_str(&of_lang)).i != 0;
	strbuf_release(&of_lang);
	if (is_taken)
		return false;
	vec_push(&x->imports, top);
	return true;
}

static void add_type(struct java *x, class_id c, struct strbuf *out)
{
	const struct ir_class *row = class_row(x->p, c);

	if (row->kind == CLASS_ARRAY) {
		add_type(x, row->element, out);
		strbuf_adds(out, "[]");
		return;
	}
	if (row->kind != CLASS_FILE) {
		print_class(x->p, c, out);
		return;
	}
	struct str name = class_name(x->p, c);
	bool is_imported = import(x, outermost(x->p, c));
	uint32_t at = is_imported ? (uint32_t)(str_rfind(name, '/') + 1) : 0;
	for (; at < name.len; at++)
		strbuf_addch(out, name.p[at] == '$' || name.p[at] == '/' ? '.' : (char)name.p[at]);
	x->is_whole &= can_be_named(x->p, c);
}

/* Variables */

static bool is_word(struct str s)
{
	static const char *const words[] = { "abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class", "const",
		"continue", "default", "do", "double", "else", "enum", "extends", "false", "final", "finally", "float", "for", "goto", "if",
		"implements", "import", "instanceof", "int", "interface", "long", "native", "new", "null", "package", "private",
		"protected", "public", "return", "short", "static", "super", "switch", "synchronized", "this", "throw", "throws",
		"transient", "true", "try", "void", "volatile", "while", "_" };

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (str_is(s, words[i]))
			return true;
	return false;
}

static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static char lower(char c) { return is_upper(c) ? (char)(c - 'A' + 'a') : c; }

static bool is_all_upper(struct str s)
{
	for (uint32_t i = 0; i < s.len; i++)
		if (s.p[i] >= 'a' && s.p[i] <= 'z')
			return false;
	return true;
}

/* The last word of the class's name: DescriptiveStatistics is statistics, XMLOutputter outputter, URL url. */
static struct str last_word(struct str internal)
{
	struct str name = simple_name(internal);
	uint32_t at = (uint32_t)(str_rfind(name, '$') + 1), begin = at;

	for (uint32_t i = at + 1; i + 1 < name.len; i++)
		if (is_upper((char)name.p[i]) && name.p[i + 1] >= 'a' && name.p[i + 1] <= 'z')
			begin = i;
	return str_sub(name, begin, name.len);
}

static bool is_used(const struct java *x, struct str name)
{
	for (uint32_t i = 0; i < x->locals.len; i++)
		if (str_eq(x->locals.data[i].name, name))
			return true;
	return is_word(name);
}

static struct java_local new_local(struct java *x, class_id type)
{
	class_id of = type;
	struct strbuf name = { 0 };

	while (class_row(x->p, of)->kind == CLASS_ARRAY)
		of = class_row(x->p, of)->element;
	struct str word = last_word(class_name(x->p, of));
	for (uint32_t i = 0; i < word.len; i++)
		strbuf_addch(&name, i == 0 || is_all_upper(word) ? lower((char)word.p[i]) : (char)word.p[i]);
	if (of.i != type.i)
		strbuf_adds(&name, "s");
	size_t stem = name.len;
	for (unsigned n = 2; is_used(x, strbuf_str(&name)); n++) {
		name.len = stem;
		strbuf_addf(&name, "%u", n);
	}
	struct java_local l = { .type = type, .name = { arena_copy(&x->mem, name.s, name.len), (uint32_t)name.len } };
	strbuf_release(&name);
	vec_push(&x->locals, l);
	return l;
}

/* "Type name = value;": takes what is in `value`. */
static struct java_local define(struct java *x, class_id type, struct strbuf *value)
{
	struct strbuf line = { 0 };

	add_type(x, type, &line);
	struct java_local l = new_local(x, type);
	strbuf_addch(&line, ' ');
	strbuf_addstr(&line, l.name);
	strbuf_adds(&line, " = ");
	strbuf_addstr(&line, strbuf_str(value));
	strbuf_adds(&line, ";\n");
	strbuf_addstr(&x->text, strbuf_str(&line));
	strbuf_release(&line);
	strbuf_clear(value);
	return l;
}

/* The newest one that is an instance of the class; no name: none. */
static struct java_local find_local(struct java *x, class_id c)
{
	for (uint32_t i = x->is_new ? 0 : x->locals.len; i-- > 0;)
		if (hierarchy_is_subtype(x->values.h, x->locals.data[i].type, c))
			return x->locals.data[i];
	return (struct java_local){ 0 };
}

/* The newest one that is known to be of this class; no name: none. */
static struct java_local find_exact(const struct java *x, class_id c)
{
	for (uint32_t i = x->locals.len; i-- > 0;)
		if (c.i && x->locals.data[i].exact.i == c.i)
			return x->locals.data[i];
	return (struct java_local){ 0 };
}

/* The class of the object that an act is made on, as far as the way tells; none: it does not. */
static class_id exact_base(const struct java *x, const struct recipe_act *a)
{
	return a->base.i ? a->base : a->callee.i ? method_row(x->p, a->callee)->owner : (class_id){ 0 };
}

/* Is an act still to come that is made on such an object? */
static bool is_wanted(const struct java *x, class_id c)
{
	for (uint32_t i = 0; i < x->nlater; i++)
		if (c.i && x->later[i].param != 1 && exact_base(x, &x->later[i]).i == c.i)
			return true;
	return false;
}

/* Values */

/* Returns of which type it is; none: not known. */
static class_id add_value(struct java *x, class_id c, uint32_t depth, struct strbuf *out);

/* The type at the start of a descriptor. */
static void add_desc(struct java *x, struct str desc, struct strbuf *out)
{
	class_id c;
	uint32_t n = type_at(x->p, desc, &c);

	if (!c.i)
		c = program_class_of_desc(x->p, str_sub(desc, 0, n));
	add_type(x, c, out);
}

static void add_primitive(char code, struct strbuf *out)
{
	static const char codes[] = "BCDFIJSZ";
	static const char *const texts[] = { "(byte) 1", "'a'", "1.0", "1.0f", "1", "1L", "(short) 1", "true" };
	const char *at = strchr(codes, code);

	strbuf_adds(out, at && code ? texts[at - codes] : "null");
}

/* Of the fractions that a call is given, two are bounds, and the next is between them. */
static void add_number(char code, uint32_t *nfractions, struct strbuf *out)
{
	static const char *const texts[] = { "0.5", "1.5", "1.0", "2.0" };

	if ((code != 'D' && code != 'F') || *nfractions >= ARRAY_LEN(texts)) {
		add_primitive(code, out);
		return;
	}
	strbuf_adds(out, texts[(*nfractions)++]);
	strbuf_adds(out, code == 'F' ? "f" : "");
}

static bool is_plain(class_id c, const struct program *p)
{
	return c.i == p->object.i || str_starts(class_name(p, c), "java/lang/");
}

/* Is it an instance of a generic class with parameters that it chose: is its raw type what fits everywhere? */
static bool hides_parameters(const struct java *x, class_id type, class_id c)
{
	return type.i && type.i != c.i && class_row(x->p, c)->is_generic && !class_row(x->p, type)->is_generic;
}

/* What is passed for a parameter: the object that it is about, one that is at hand, or a value. */
static void add_argument(struct java *x, class_id c, uint32_t depth, bool is_cast, struct strbuf *out)
{
	struct java_local l = !is_plain(c, x->p) ? find_local(x, c) : (struct java_local){ 0 };

	class_id type = c;
	struct strbuf value = { 0 };
	if (l.name.len)
		strbuf_addstr(&value, l.name), type = l.type;
	else
		type = add_value(x, c, depth, &value);
	if (type.i != c.i && (is_cast || hides_parameters(x, type, c))) {
		strbuf_addch(out, '(');
		add_type(x, c, out);
		strbuf_adds(out, ") ");
	}
	strbuf_addstr(out, strbuf_str(&value));
	strbuf_release(&value);
}

/* The object as the class, from its variable. */
static void add_object(struct java *x, struct java_local l, class_id c, bool is_base, struct strbuf *out)
{
	bool is_cast = c.i && (!hierarchy_is_subtype(x->values.h, l.type, c) || hides_parameters(x, l.type, c));

	strbuf_adds(out, is_cast && is_base ? "((" : is_cast ? "(" : "");
	if (is_cast) {
		add_type(x, c, out);
		strbuf_adds(out, ") ");
	}
	strbuf_addstr(out, l.name);
	strbuf_adds(out, is_cast && is_base ? ")" : "");
}

static struct java_local reach(struct java *x, uint32_t stmt, class_id base);

/* A call that clients make on a variable of that type; 0: there is none. */
static uint32_t call_on(const struct java *x, class_id type)
{
	const struct placeholders *ph = x->r->clients;

	for (uint32_t i = 0; i < ph->stmts.len; i++)
		if (ph->stmts.data[i].sort == PH_CALL && ph->stmts.data[i].from && ph->types.data[ph->stmts.data[i].from].i == type.i)
			return i + 1;
	return 0;
}

/* What the way tells of an argument: an object of a class that clients cannot name is made as the analysis finds its way to them. */
static void add_known_argument(struct java *x, class_id c, bool is_cast, struct strbuf *out)
{
	class_id arg = x->arg;
	bool is_named = can_be_named(x->p, arg);
	struct java_local l = is_named ? (struct java_local){ 0 } : find_exact(x, arg);

	x->arg = (class_id){ 0 };
	if (!is_named && !l.name.len)
		l = reach(x, call_on(x, c), arg);
	if (l.name.len) {
		add_object(x, l, c, false, out);
		return;
	}
	x->is_whole &= is_named;
	add_argument(x, can_be_named(x->p, arg) ? arg : c, 0, is_cast, out);
}

/* Are there others of that name with as many parameters? */
static bool is_overloaded(const struct java *x, method_id m)
{
	const struct ir_method *row = method_row(x->p, m);
	uint32_t n = 0;

	for (class_id c = row->owner; c.i; c = class_row(x->p, c)->super) {
		const struct ir_class *k = class_row(x->p, c);
		for (uint32_t i = 0; i < k->nmethods; i++) {
			sel_id s = method_row(x->p, (method_id){ k->first_method + i })->sel;
			bool is_named_so = sel_row(x->p, s)->name.i == sel_row(x->p, row->sel)->name.i;
			n += is_named_so && s.i != row->sel.i && sel_row(x->p, s)->nargs == sel_row(x->p, row->sel)->nargs;
		}
		if (str_is(sel_name(x->p, row->sel), "<init>"))
			break;
	}
	return n > 0;
}

/* What the way tells of the argument. */
static bool is_known_argument(const struct java *x, class_id c)
{
	return x->arg.i && c.i && c.i != x->p->object.i && hierarchy_is_subtype(x->values.h, x->arg, c);
}

/* Is what is at hand for such a parameter the object itself? */
static bool is_object(struct java *x, class_id c)
{
	struct str name = is_plain(c, x->p) ? (struct str){ 0 } : find_local(x, c).name;

	return name.len && str_eq(name, x->object.name);
}

static bool can_be_made_anew(struct java *x, class_id c)
{
	struct value_of v = value_find(&x->values, c, 0);

	return v.source == FROM_NEW && v.via.i == c.i;
}

/* What is compared with itself, or copied into itself, is not looked at: one more of the object's class. */
static void add_another(struct java *x, class_id c, bool is_cast, struct strbuf *out)
{
	struct strbuf value = { 0 };

	x->is_new = true;
	add_value(x, x->object.type, 0, &value);
	x->is_new = false;
	if (x->object.type.i != c.i && (is_cast || hides_parameters(x, x->object.type, c))) {
		strbuf_addch(out, '(');
		add_type(x, c, out);
		strbuf_adds(out, ") ");
	}
	strbuf_addstr(out, strbuf_str(&value));
	strbuf_release(&value);
}

/* None: there is no such parameter, or it is a primitive. */
static class_id type_of_param(struct java *x, struct str desc, uint32_t nth)
{
	class_id c = { 0 };
	uint32_t at = 1;

	for (uint32_t i = 0; i < nth && at < desc.len && desc.p[at] != ')'; i++)
		at += type_at(x->p, str_sub(desc, at, desc.len), &c);
	if (at >= desc.len || desc.p[at] == ')')
		return (class_id){ 0 };
	type_at(x->p, str_sub(desc, at, desc.len), &c);
	return c;
}

/* (a, b): `object` is the parameter, from 0, that is the object; none: UINT32_MAX. */
static void add_arguments(struct java *x, method_id m, uint32_t object, uint32_t depth, struct strbuf *out)
{
	struct str desc = sel_desc(x->p, method_row(x->p, m)->sel);
	bool is_cast = is_overloaded(x, m);
	uint32_t n = 0, nfractions = 0;

	strbuf_addch(out, '(');
	for (uint32_t at = 1; at < desc.len && desc.p[at] != ')'; n++) {
		struct str rest = str_sub(desc, at, desc.len);
		class_id c;
		at += type_at(x->p, rest, &c);
		strbuf_adds(out, n ? ", " : "");
		if (!c.i)
			add_number((char)rest.p[0], &nfractions, out);
		else if (n == object && x->object.name.len)
			add_object(x, x->object, c, false, out);
		else if (depth == 0 && is_known_argument(x, c))
			add_known_argument(x, c, is_cast, out);
		else if (c.i == type_of_param(x, desc, object).i && is_object(x, c) && can_be_made_anew(x, x->object.type))
			add_another(x, c, is_cast, out);
		else
			add_argument(x, c, depth, is_cast, out);
	}
	strbuf_addch(out, ')');
}

static void add_result(struct java *x, struct str desc, struct strbuf *out)
{
	class_id c;
	struct str result = str_sub(desc, (uint32_t)(str_rfind(desc, ')') + 1), desc.len);

	if (str_is(result, "V")) {
		strbuf_adds(out, "{ }");
		return;
	}
	type_at(x->p, result, &c);
	if (!c.i)
		add_primitive((char)result.p[0], out);
	else
		strbuf_adds(out, str_is(class_name(x->p, c), "java/lang/String") ? "\"text\"" : "null");
}

static void add_lambda(struct java *x, method_id m, struct strbuf *out)
{
	uint32_t n = sel_row(x->p, method_row(x->p, m)->sel)->nargs;

	strbuf_adds(out, n == 1 ? "" : "(");
	for (uint32_t i = 0; i < n; i++)
		strbuf_addf(out, "%s%c", i ? ", " : "", (int)('a' + i % 26));
	strbuf_adds(out, n == 1 ? " -> " : ") -> ");
	add_result(x, sel_desc(x->p, method_row(x->p, m)->sel), out);
}

/* (int a, Object b) */
static void add_declared(struct java *x, struct str desc, struct strbuf *out)
{
	uint32_t n = 0;

	strbuf_addch(out, '(');
	for (uint32_t at = 1; at < desc.len && desc.p[at] != ')'; n++) {
		struct str rest = str_sub(desc, at, desc.len);
		class_id c;
		at += type_at(x->p, rest, &c);
		strbuf_adds(out, n ? ", " : "");
		add_desc(x, rest, out);
		strbuf_addf(out, " %c", (int)('a' + n % 26));
	}
	strbuf_addch(out, ')');
}

/* new Shape() { public double area() { return 1.0; } } */
static void add_anonymous(struct java *x, class_id c, struct strbuf *out)
{
	struct abstract_methods all;

	abstract_methods(x->values.h, c, &all);
	strbuf_adds(out, "new ");
	add_type(x, c, out);
	strbuf_adds(out, "() {");
	for (uint32_t i = 0; i < all.n; i++) {
		const struct ir_method *m = method_row(x->p, all.methods[i]);
		struct str desc = sel_desc(x->p, m->sel), result = str_sub(desc, (uint32_t)(str_rfind(desc, ')') + 1), desc.len);
		strbuf_adds(out, m->flags & ACCESS_PUBLIC ? "\n    public " : "\n    protected ");
		add_desc(x, result, out);
		strbuf_addch(out, ' ');
		strbuf_addstr(out, sel_name(x->p, m->sel));
		add_declared(x, desc, out);
		strbuf_adds(out, str_is(result, "V") ? " { }" : " { return ");
		if (!str_is(result, "V"))
			add_result(x, desc, out), strbuf_adds(out, "; }");
	}
	strbuf_adds(out, "\n}");
}

static void add_array(struct java *x, class_id array, uint32_t depth, struct strbuf *out)
{
	class_id element = class_row(x->p, array)->element;
	const struct ir_class *row = class_row(x->p, element);
	struct str name = class_name(x->p, array);

	strbuf_adds(out, "new ");
	add_type(x, array, out);
	strbuf_adds(out, " {");
	if (row->kind == CLASS_PRIMITIVE) {
		add_primitive((char)name.p[name.len - 1], out);
		strbuf_adds(out, ", ");
		add_primitive((char)name.p[name.len - 1], out);
	} else {
		add_value(x, element, depth + 1, out);
	}
	strbuf_addch(out, '}');
}

static void add_made(struct java *x, const struct value_of *v, uint32_t depth, struct strbuf *out)
{
	strbuf_adds(out, "new ");
	add_type(x, v->via, out);
	add_arguments(x, v->method, UINT32_MAX, depth + 1, out);
}

static void add_member(struct java *x, class_id via, sel_id sel, struct strbuf *out)
{
	add_type(x, via, out);
	strbuf_addch(out, '.');
	strbuf_addstr(out, sel_name(x->p, sel));
}

static void import_named(struct java *x, const struct value_of *v)
{
	class_id c = v->import && v->import[0] ? program_find_class(x->p, str_of(v->import)) : v->via;

	if (v->import)
		x->is_whole &= c.i && import(x, outermost(x->p, c));
}

static void add_source(struct java *x, const struct value_of *v, uint32_t depth, struct strbuf *out)
{
	switch ((enum value_source)v->source) {
	case FROM_TABLE:
		import_named(x, v);
		strbuf_adds(out, v->text);
		break;
	case FROM_LAMBDA:
		add_lambda(x, v->method, out);
		break;
	case FROM_ANONYMOUS:
		add_anonymous(x, v->via, out);
		break;
	case FROM_NEW:
		add_made(x, v, depth, out);
		break;
	case FROM_FACTORY:
		add_member(x, v->via, method_row(x->p, v->method)->sel, out);
		add_arguments(x, v->method, UINT32_MAX, depth + 1, out);
		break;
	case FROM_FIELD:
		add_member(x, v->via, field_row(x->p, v->field)->sel, out);
		break;
	case FROM_ARRAY:
		add_array(x, v->via, depth, out);
		break;
	case FROM_NOWHERE:
		break;
	}
}

/* What nobody knows how to make is a variable that is to be filled in. */
static void add_gap(struct java *x, class_id c, struct strbuf *out)
{
	struct strbuf value = { 0 };

	x->is_whole = false;
	strbuf_adds(&value, "null /* yours */");
	struct java_local l = define(x, c, &value);
	strbuf_addstr(out, l.name);
	strbuf_release(&value);
}

/* Does it deserve a variable: a lambda, or an object that is made of others? */
static bool is_long(const struct java *x, const struct value_of *v)
{
	bool is_call = v->source == FROM_NEW || v->source == FROM_FACTORY;

	return v->source == FROM_LAMBDA || v->source == FROM_ANONYMOUS || (v->source == FROM_NEW && is_wanted(x, v->via)) ||
	       (is_call && sel_row(x->p, method_row(x->p, v->method)->sel)->nargs > 0);
}

static class_id type_of_value(class_id c, const struct value_of *v)
{
	return v->source == FROM_NEW ? v->via : v->source == FROM_TABLE || v->source == FROM_LAMBDA ? (class_id){ 0 } : c;
}

static class_id add_value(struct java *x, class_id c, uint32_t depth, struct strbuf *out)
{
	struct value_of v = value_find(&x->values, c, depth < VALUE_DEPTH ? depth : VALUE_DEPTH);
	struct strbuf value = { 0 };
	class_id type = type_of_value(c, &v);

	if (v.source == FROM_NOWHERE) {
		add_gap(x, c, out);
		return c;
	}
	add_source(x, &v, depth, &value);
	if (is_long(x, &v)) {
		type = type.i ? type : c;
		struct java_local l = define(x, type, &value);
		strbuf_addstr(&value, l.name);
	}
	strbuf_addstr(out, strbuf_str(&value));
	strbuf_release(&value);
	return type;
}

/* Acts */

static void end_statement(struct java *x, struct strbuf *line)
{
	strbuf_addstr(&x->text, strbuf_str(line));
	strbuf_adds(&x->text, ";\n");
}

static void write_new(struct java *x, class_id c, method_id m, const struct recipe_act *a)
{
	struct strbuf line = { 0 };

	x->is_whole &= (method_row(x->p, m)->flags & ACCESS_PUBLIC) && !is_inner(x->p, c);
	strbuf_adds(&line, "new ");
	add_type(x, c, &line);
	x->arg = a->arg;
	add_arguments(x, m, a->param > 1 ? a->param - 2 : UINT32_MAX, 0, &line);
	x->arg = (class_id){ 0 };
	struct java_local l = define(x, c, &line);
	if (a->gives || a->param == 1)
		x->object = l;
	strbuf_release(&line);
}

/* The class whose method is called: of what runs, where that can be named. */
static class_id base_class(const struct java *x, const struct placeholder *s, const struct recipe_act *a)
{
	class_id owner = a->callee.i ? method_row(x->p, a->callee)->owner : s->via;

	if (a->base.i && can_be_named(x->p, a->base))
		owner = a->base;
	bool is_better = owner.i != s->via.i && hierarchy_is_subtype(x->values.h, owner, s->via) && can_be_named(x->p, owner);

	return is_better ? owner : s->via;
}

static void write_acts(struct java *x, class_id receiver);

/* An object of the class for the call, as the analysis finds its way there; no name: there is none that a client could go. */
static struct java_local reach(struct java *x, uint32_t stmt, class_id base)
{
	struct java_local object = x->object, found;
	class_id arg = x->arg;

	if (!base.i || !stmt || x->depth >= BASE_DEPTH)
		return (struct java_local){ 0 };
	struct pta_witness w = pta_explain_receiver(x->facts, x->r->clients->main, stmt, base);
	if (!w.found || w.nsteps < 2)
		return (struct java_local){ 0 };
	pta_contract(x->facts, &w);
	recipe_make(x->r, &w, false);
	x->object = (struct java_local){ 0 };
	x->depth++;
	if (x->r->acts.len && vec_last(&x->r->acts)->stmt == stmt)
		x->r->acts.len--;       /* the call itself */
	write_acts(x, w.receiver);
	x->depth--;
	found = x->object;
	x->object = object;
	x->arg = arg;
	return found;
}

static bool is_stand_in(const struct value_of *v)
{
	return v->source == FROM_NOWHERE || v->source == FROM_ANONYMOUS || v->source == FROM_LAMBDA;
}

/* Is it an object of another class than the one that is meant? */
static bool is_another(const struct java *x, const struct value_of *v, class_id meant)
{
	return v->source == FROM_NEW ? !hierarchy_is_subtype(x->values.h, v->via, meant) : !can_be_named(x->p, meant);
}

/* One at hand, or one that is reached. */
static struct java_local find_base(struct java *x, class_id c, const struct value_of *v, const struct recipe_act *a)
{
	class_id meant = exact_base(x, a);
	bool is_named = !meant.i || can_be_named(x->p, meant);
	struct java_local l = a->param == 1 ? x->object : is_named ? find_local(x, c) : find_exact(x, meant);

	return l.name.len || !(is_stand_in(v) || is_another(x, v, meant.i ? meant : c)) ? l : reach(x, a->stmt, meant);
}

/* `as`: the class that it is cast to, if it need be. */
static void add_base(struct java *x, class_id c, class_id as, const struct recipe_act *a, struct strbuf *out)
{
	struct value_of v = value_find(&x->values, c, 0);
	struct java_local l = find_base(x, c, &v, a);
	class_id meant = exact_base(x, a);

	if (l.name.len) {
		add_object(x, l, as, true, out);
		return;
	}
	struct strbuf value = { 0 };
	x->is_whole &= !is_another(x, &v, meant.i ? meant : c);
	if (v.source == FROM_NOWHERE) {
		add_gap(x, c, out);
		return;
	}
	add_source(x, &v, 0, &value);
	add_object(x, define(x, v.source == FROM_NEW ? v.via : c, &value), as, true, out);
	strbuf_release(&value);
}

/* The class by way of which the method is called. */
static class_id raw_owner(const struct java *x, const struct placeholder *s)
{
	class_id owner = method_row(x->p, s->method)->owner;

	return class_row(x->p, owner)->is_generic && can_be_named(x->p, owner) ? owner : s->via;
}

static void keep_result(struct java *x, struct strbuf *line, class_id type, bool gives)
{
	if (!type.i) {
		end_statement(x, line);
		return;
	}
	struct java_local l = define(x, type, line);
	if (gives)
		x->object = l;
}

static bool may_return(struct java *x, method_id m, class_id c)
{
	struct pta_set all = pta_returned(x->facts, m);

	for (uint32_t i = 0; i < all.n; i++)
		if (pta_place(x->facts, all.places[i]).cls.i == c.i)
			return true;
	return false;
}

/* A class that clients cannot name, of what the method returns, that an act still to come is made on; none: there is no such. */
static class_id wanted_result(struct java *x, method_id m)
{
	for (uint32_t i = 0; i < x->nlater; i++) {
		class_id c = exact_base(x, &x->later[i]);
		if (c.i && x->later[i].param != 1 && !can_be_named(x->p, c) && may_return(x, m, c))
			return c;
	}
	return (class_id){ 0 };
}

static class_id result_of(struct java *x, sel_id sel)
{
	struct str desc = sel_desc(x->p, sel);
	class_id c;

	type_at(x->p, str_sub(desc, (uint32_t)(str_rfind(desc, ')') + 1), desc.len), &c);
	return c;
}

static bool is_equals(const struct program *p, sel_id s)
{
	return str_is(sel_name(p, s), "equals") && str_is(sel_desc(p, s), "(Ljava/lang/Object;)Z");
}

/* (another) of the same class, which is what it is about. False: nobody knows how to make one. */
static bool add_equal(struct java *x, class_id c, struct strbuf *out)
{
	struct value_of v = value_find(&x->values, c, 0);

	if (is_stand_in(&v) || is_another(x, &v, c))
		return false;
	strbuf_addch(out, '(');
	x->is_new = true;
	add_value(x, c, 0, out);
	x->is_new = false;
	strbuf_addch(out, ')');
	return true;
}

static void write_call(struct java *x, const struct placeholder *s, const struct recipe_act *a)
{
	const struct ir_method *m = method_row(x->p, s->method);
	bool is_static = m->flags & ACCESS_STATIC;
	uint32_t object = is_static ? a->param - 1 : a->param - 2;      /* of the parameters in parentheses */
	struct strbuf line = { 0 }, base = { 0 };

	x->is_whole &= (m->flags & ACCESS_PUBLIC) != 0;
	if (is_static)
		add_type(x, s->via, &base);
	else
		add_base(x, base_class(x, s, a), raw_owner(x, s), a, &base);
	x->arg = a->arg;
	strbuf_addstr(&line, strbuf_str(&base));
	strbuf_addch(&line, '.');
	strbuf_addstr(&line, sel_name(x->p, m->sel));
	if (!is_equals(x->p, m->sel) || a->param > 1 || !add_equal(x, base_class(x, s, a), &line))
		add_arguments(x, s->method, a->param ? object : UINT32_MAX, 0, &line);
	x->arg = (class_id){ 0 };
	class_id wanted = a->gives ? (class_id){ 0 } : wanted_result(x, a->callee.i ? a->callee : s->method);
	keep_result(x, &line, a->gives || wanted.i ? result_of(x, m->sel) : (class_id){ 0 }, a->gives);
	if (wanted.i)
		vec_last(&x->locals)->exact = wanted;
	strbuf_release(&line);
	strbuf_release(&base);
}

static void write_field(struct java *x, const struct placeholder *s, const struct recipe_act *a)
{
	const struct ir_field *f = field_row(x->p, s->field);
	class_id type = program_class_of_desc(x->p, sel_desc(x->p, f->sel));
	struct strbuf line = { 0 };

	x->is_whole &= (f->flags & ACCESS_PUBLIC) != 0;
	if (f->flags & ACCESS_STATIC)
		add_type(x, s->via, &line);
	else
		add_base(x, s->via, s->via, &(struct recipe_act){ 0 }, &line);
	strbuf_addch(&line, '.');
	strbuf_addstr(&line, sel_name(x->p, f->sel));
	if (s->sort == PH_PUT && x->object.name.len) {
		strbuf_adds(&line, " = ");
		add_object(x, x->object, type, false, &line);
	}
	keep_result(x, &line, s->sort == PH_GET ? type : (class_id){ 0 }, a->gives);
	strbuf_release(&line);
}

static void write_array(struct java *x, class_id array)
{
	struct strbuf line = { 0 };

	add_array(x, array, 0, &line);
	x->object = define(x, array, &line);
	strbuf_release(&line);
}

static void write_string(struct java *x, class_id type)
{
	struct strbuf line = { 0 };

	strbuf_adds(&line, "\"text\"");
	x->object = define(x, type, &line);
	strbuf_release(&line);
}

/* An object of a class that the client writes. */
static void write_own(struct java *x, class_id type)
{
	struct strbuf line = { 0 };

	x->is_whole = false;
	strbuf_adds(&line, "null /* a class of yours */");
	x->object = define(x, type, &line);
	strbuf_release(&line);
}

static void write_act(struct java *x, const struct recipe_act *a, class_id receiver)
{
	const struct placeholder *s = a->stmt ? &x->r->clients->stmts.data[a->stmt - 1] : NULL;

	if (!s) {
		write_new(x, receiver, easiest_constructor(x->p, receiver), a);
		return;
	}
	switch (s->sort) {
	case PH_NEW:
		write_new(x, s->via, s->method, a);
		break;
	case PH_CALL:
		write_call(x, s, a);
		break;
	case PH_GET:
	case PH_PUT:
		write_field(x, s, a);
		break;
	case PH_ARRAY:
		write_array(x, x->r->clients->types.data[s->to]);
		break;
	case PH_STRING:
		write_string(x, x->r->clients->types.data[s->to]);
		break;
	default:
		write_own(x, s->to ? x->r->clients->types.data[s->to] : x->p->object);
		break;
	}
}

/* Takes the acts: what one of them needs is made by a recipe of its own. */
static void write_acts(struct java *x, class_id receiver)
{
	const struct recipe_act *later = x->later;
	uint32_t nlater = x->nlater;
	VEC(struct recipe_act) acts = { 0 };

	for (uint32_t i = 0; i < x->r->acts.len; i++)
		vec_push(&acts, x->r->acts.data[i]);
	for (uint32_t i = 0; i < acts.len; i++) {
		x->later = acts.data + i + 1;
		x->nlater = acts.len - i - 1;
		write_act(x, &acts.data[i], receiver);
	}
	x->later = later;
	x->nlater = nlater;
	vec_release(&acts);
}

void java_write(struct java *x, class_id receiver)
{
	vec_clear(&x->locals);
	vec_clear(&x->imports);
	strbuf_clear(&x->text);
	arena_clear(&x->mem);
	x->object = (struct java_local){ 0 };
	x->is_whole = x->r->acts.len > 0 && !x->r->is_crossed;
	write_acts(x, receiver);
}
