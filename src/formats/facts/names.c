/* SPDX-License-Identifier: Apache-2.0 */
/* names.c - names of classes, members and types as the forms of facts write them, and as class files do. */
#include "formats/facts/facts_p.h"

/* JVMS 4.2.1 and 4.2.2 allow nearly everything; what no compiler makes, and forms use as signs, is taken for a mistake. */

#define MOST_NAME UINT16_MAX                 /* JVMS 4.4.7 */

static bool is_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

static bool has_odd_char(struct str s, const char *odd, unsigned how, const char *only_jvm)
{
	for (uint32_t i = 0; i < s.len; i++) {
		char c = s.p[i];
		if ((unsigned char)c < ' ' || c == 0x7f || is_one_of(c, odd))
			return true;
		if ((!(how & NAME_PATTERN) && (c == '*' || c == '?')) || (!(how & NAME_JVM) && is_one_of(c, only_jvm)))
			return true;
	}
	return false;
}

/* Words that forms take for types or flags; no compiler makes classes of such names. */
static bool is_reserved(struct str s)
{
	static const char *const words[] = {
		"boolean", "byte", "char", "short", "int", "long", "float", "double", "void", "public", "private", "protected", "static",
		"final", "abstract", "synchronized", "volatile", "transient", "native", "strictfp", "class", "interface", "enum",
		"extends", "implements", "bridge", "varargs", "synthetic",
	};

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (str_is(s, words[i]))
			return true;
	return false;
}

bool factname_is_class(struct str s, unsigned how)
{
	if (!s.len || s.len > MOST_NAME || s.p[0] == '.' || s.p[s.len - 1] == '.' || (how & NAME_PATTERN && s.len > FACTS_MOST_PATTERN))
		return false;
	for (uint32_t i = 1; i < s.len; i++)
		if (s.p[i] == '.' && s.p[i - 1] == '.')
			return false;
	return !has_odd_char(s, " ;[](){},:=<>\"", how, "/") && (how & NAME_JVM || (s.p[0] != '-' && !is_reserved(s)));
}

bool factname_is_member(struct str s, unsigned how)
{
	if (str_is(s, "<init>") || str_is(s, "<clinit>"))
		return true;
	if (!s.len || s.len > MOST_NAME || (how & NAME_PATTERN && s.len > FACTS_MOST_PATTERN))
		return false;
	return !has_odd_char(s, ".;[]/()<>", how, " ,:{}\"");
}

/* Types */

static const struct {
	const char *name;
	char letter;
} primitives[] = {
	{ "boolean", 'Z' }, { "byte", 'B' }, { "char", 'C' },	{ "short", 'S' }, { "int", 'I' },
	{ "long", 'J' },    { "float", 'F' }, { "double", 'D' }, { "void", 'V' },
};

static char primitive_letter(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(primitives); i++)
		if (str_is(name, primitives[i].name))
			return primitives[i].letter;
	return 0;
}

static void add_class(struct strbuf *out, struct str name, char from, char to)
{
	for (uint32_t i = 0; i < name.len; i++)
		strbuf_addch(out, name.p[i] == from ? to : name.p[i]);
}

#define MOST_DIMENSIONS 255u          /* JVMS 4.3.2 */

/* Takes the brackets off the end of a type. */
static uint32_t take_dimensions(struct str *s)
{
	uint32_t n = 0;

	for (; n <= MOST_DIMENSIONS && str_ends(*s, "[]"); n++)
		*s = fact_trim(str_sub(*s, 0, s->len - 2));
	return n;
}

/* Class.getName writes arrays as descriptors with dots: [Lpkg.Cls; */
static bool add_dotted_descriptor(struct strbuf *out, struct str s)
{
	size_t from = out->len;

	add_class(out, s, '.', '/');
	return !memchr(s.p, '/', s.len) && factname_is_field_descriptor((struct str){ out->s + from, s.len });
}

bool factname_add_type(struct strbuf *out, struct str s, unsigned how)
{
	s = fact_trim(s);
	if (s.len && s.p[0] == '[')
		return add_dotted_descriptor(out, s);
	uint32_t dimensions = take_dimensions(&s);
	char letter = primitive_letter(s);

	if (dimensions > MOST_DIMENSIONS || (letter == 'V' && dimensions))
		return false;
	for (uint32_t i = 0; i < dimensions; i++)
		strbuf_addch(out, '[');
	if (how & NAME_PATTERN && str_is(s, "%"))
		letter = '%';
	if (letter) {
		strbuf_addch(out, letter);
		return true;
	}
	if (!factname_is_class(s, how) && !(how & NAME_PATTERN && str_is(s, "...")))
		return false;
	strbuf_addch(out, 'L');
	add_class(out, s, str_is(s, "...") ? 0 : '.', '/');
	strbuf_addch(out, ';');
	return true;
}

static bool add_parameter(struct strbuf *out, struct str type, unsigned how)
{
	return factname_add_type(out, type, how) && out->s[out->len - 1] != 'V';
}

bool factname_add_parameters(struct strbuf *out, struct str list, unsigned how)
{
	struct str type;
	size_t from = out->len;

	strbuf_addch(out, '(');
	list = fact_trim(list);
	if (list.len)
		while (fact_field(&list, ',', &type))
			if (!add_parameter(out, type, how))
				return false;
	strbuf_addch(out, ')');
	return out->len - from <= UINT16_MAX;
}

struct str fact_add_java_type(struct strbuf *out, struct str s)
{
	uint32_t dimensions = 0, n = 1;

	for (; s.len > 1 && s.p[0] == '['; s = str_sub(s, 1, s.len))
		dimensions++;
	if (s.len && s.p[0] == 'L') {
		while (n < s.len && s.p[n] != ';')
			n++;
		add_class(out, str_sub(s, 1, n), '/', '.');
		n += n < s.len;
	} else if (s.len && s.p[0] == '%') {
		strbuf_addch(out, '%');
	}
	for (size_t i = 0; s.len && i < ARRAY_LEN(primitives); i++)
		if (s.p[0] == primitives[i].letter)
			strbuf_adds(out, primitives[i].name);
	for (; dimensions; dimensions--)
		strbuf_adds(out, "[]");
	return s.len ? str_sub(s, n, s.len) : s;
}

/* Descriptors */

/* The length of the type at the start, 0 when there is none. */
static uint32_t type_length(struct str s, bool allows_void)
{
	uint32_t n = 0;

	while (n < s.len && s.p[n] == '[')
		n++;
	if (n == s.len || n > MOST_DIMENSIONS)
		return 0;
	if (is_one_of(s.p[n], "BCDFIJSZ") || (allows_void && n == 0 && s.p[n] == 'V'))
		return n + 1;
	uint32_t from = n + 1;
	for (n = from; n < s.len && s.p[n] != ';'; n++)
		if (s.p[n] == '.' || (s.p[n] == '/' && (n == from || s.p[n - 1] == '/')))
			return 0;
	if (n == s.len || n == from || s.p[from - 1] != 'L')
		return 0;
	return has_odd_char(str_sub(s, from, n), " ;[](),<>\"", NAME_JVM, "") ? 0 : n + 1;
}

bool factname_is_field_descriptor(struct str s)
{
	return s.len && type_length(s, false) == s.len;
}

bool factname_is_method_descriptor(struct str s)
{
	uint32_t at = 1, n;

	if (!s.len || s.p[0] != '(')
		return false;
	while (at < s.len && s.p[at] != ')') {
		n = type_length(str_sub(s, at, s.len), false);
		if (!n)
			return false;
		at += n;
	}
	return at < s.len && at + 1 + type_length(str_sub(s, at + 1, s.len), true) == s.len && at + 1 < s.len;
}

/* Classes and members */

bool factname_class(struct factreader *r, struct str text, unsigned how, struct str *out)
{
	struct strbuf *b = &r->scratch;

	strbuf_clear(b);
	text = fact_trim(text);
	if (factname_is_class(text, how)) {
		*out = factreader_copy(r, text);
		return true;
	}
	if (!str_ends(text, "[]") && !str_starts(text, "["))
		return false;
	if (!factname_add_type(b, text, how))
		return false;
	struct strbuf java = { 0 };
	fact_add_java_type(&java, strbuf_str(b));
	*out = factreader_copy(r, strbuf_str(&java));
	strbuf_release(&java);
	return true;
}

bool fact_is_class_name(struct str s)
{
	bool is_array = take_dimensions(&s);

	return factname_is_class(s, 0) || (is_array && primitive_letter(s) && !str_is(s, "void"));
}

bool fact_is_member_name(struct str s)
{
	return factname_is_member(s, 0);
}

/* The index of the first `c`, or the length. */
static uint32_t find(struct str s, char c)
{
	const char *at = s.len ? memchr(s.p, c, s.len) : NULL;

	return at ? (uint32_t)(at - s.p) : s.len;
}

static struct str simple_name(struct str class)
{
	int64_t dot = str_rfind(class, '.');

	return str_sub(class, (uint32_t)(dot + 1), class.len);
}

/* A constructor by its class: pkg.Outer$Inner: Outer$Inner(int), and without what is around it. */
static bool names_constructor(struct str class, struct str name)
{
	struct str simple = simple_name(class);

	return str_eq(name, simple) || str_is(name, "<init>");
}

bool factname_java_member(struct factreader *r, struct str text, struct fact *out)
{
	uint32_t colon = find(text, ':'), open, blank;
	struct str class, member = fact_trim(str_sub(text, colon + (colon < text.len), text.len));
	struct strbuf *b = &r->scratch;

	if (!factname_class(r, str_sub(text, 0, colon), 0, &class))
		return false;
	open = find(member, '(');
	bool is_method = open < member.len;
	struct str head = fact_trim(str_sub(member, 0, open));
	blank = (uint32_t)(str_rfind(head, ' ') + 1);
	struct str type = fact_trim(str_sub(head, 0, blank)), name = str_sub(head, blank, head.len);

	if (is_method && !str_ends(member, ")"))
		return false;
	strbuf_clear(b);
	if (is_method && !factname_add_parameters(b, str_sub(member, open + 1, member.len - 1), 0))
		return false;
	if (is_method && !type.len && names_constructor(class, name)) {
		type = STR("void");
		name = STR("<init>");
	}
	bool is_special = str_is(name, "<init>") || str_is(name, "<clinit>");
	if (!factname_is_member(name, 0) || !factname_add_type(b, type, 0) || (is_special && !is_method))
		return false;
	if (str_is(type, "void") ? !is_method : is_special)
		return false;
	out->class = class;
	out->name = factreader_copy(r, name);
	out->descriptor = factreader_copy(r, strbuf_str(b));
	return true;
}

bool factname_jvm_member(struct factreader *r, struct str text, struct fact *out)
{
	uint32_t open = find(text, '(');
	bool is_method = open < text.len;
	int64_t colon = str_rfind(text, ':');

	if (!is_method && colon < 0)
		return false;
	uint32_t stop = is_method ? open : (uint32_t)colon;
	struct str owner = str_sub(text, 0, stop), descriptor = str_sub(text, is_method ? stop : stop + 1, text.len);
	int64_t dot = str_rfind(owner, '.');
	struct str class;

	if (dot < 0 || !(is_method ? factname_is_method_descriptor(descriptor) : factname_is_field_descriptor(descriptor)))
		return false;
	struct str name = str_sub(owner, (uint32_t)dot + 1, owner.len);
	if (!factname_is_member(name, NAME_JVM) || !factname_class(r, str_sub(owner, 0, (uint32_t)dot), NAME_JVM, &class))
		return false;
	out->class = class;
	out->name = factreader_copy(r, name);
	out->descriptor = factreader_copy(r, descriptor);
	return true;
}

bool factname_interfaces(struct factreader *r, struct str list, unsigned how, struct fact *out)
{
	VEC(struct str) all = { 0 };
	struct str one, class;
	bool ok = true;

	while (ok && fact_field(&list, ',', &one)) {
		ok = all.len < UINT16_MAX && factname_class(r, one, how, &class);
		if (ok)
			vec_push(&all, class);
	}
	out->interfaces = arena_copy(&r->f->text, all.data, all.len * sizeof(*all.data));
	out->ninterfaces = all.len;
	vec_release(&all);
	return ok;
}
