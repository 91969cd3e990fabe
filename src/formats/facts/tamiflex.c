/* SPDX-License-Identifier: Apache-2.0 */
/* tamiflex.c - refl.log, in which TamiFlex notes what a run did by reflection: kind;target;caller;line;and more. */
#include "formats/facts/facts_p.h"

enum target { OF_CLASS, OF_MEMBER, OF_INTERFACES, NOTHING };

struct kind {
	const char *word;             /* with a * at the end: whatever begins so */
	enum fact_sort sort;
	enum target target;
	bool all_public;              /* of lists of members */
};

/* The first that fits counts. What runs no code of the target says nothing. */
static const struct kind kinds[] = {
	{ "Class.forName", FACT_CLASS, OF_CLASS, false },
	{ "Class.newInstance", FACT_CONSTRUCTOR, OF_CLASS, false },
	{ "Constructor.newInstance", FACT_CONSTRUCTOR, OF_MEMBER, false },
	{ "Method.invoke", FACT_INVOKE, OF_MEMBER, false },
	{ "Class.getMethods", FACT_QUERY, OF_CLASS, true },
	{ "Class.getDeclaredMethods", FACT_QUERY, OF_CLASS, false },
	{ "Class.getMethod", FACT_QUERY, OF_MEMBER, false },
	{ "Class.getDeclaredMethod", FACT_QUERY, OF_MEMBER, false },
	{ "Class.get*", FACT_CLASS, NOTHING, false },
	{ "Field.getDeclaringClass", FACT_FIELD, NOTHING, false },
	{ "Field.getModifiers", FACT_FIELD, NOTHING, false },
	{ "Field.getName", FACT_FIELD, NOTHING, false },
	{ "Field.get*", FACT_FIELD_READ, OF_MEMBER, false },
	{ "Field.set*", FACT_FIELD_WRITTEN, OF_MEMBER, false },
	{ "Proxy.*", FACT_PROXY, OF_INTERFACES, false },
	{ "Field.to*", FACT_FIELD, NOTHING, false },
	{ "Method.*", FACT_INVOKE, NOTHING, false },
	{ "Constructor.*", FACT_CONSTRUCTOR, NOTHING, false },
	{ "Array.newInstance", FACT_CLASS, NOTHING, false },
};

static bool fits(const char *word, struct str text)
{
	size_t n = strlen(word);

	return word[n - 1] == '*' ? text.len >= n - 1 && !memcmp(text.p, word, n - 1) : str_is(text, word);
}

static const struct kind *find_kind(struct str word)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (fits(kinds[i].word, word))
			return &kinds[i];
	return NULL;
}

/* app.Main.main: which of that name is not said. A line below 1 is not known. */
static bool read_caller(struct factreader *r, struct str caller, struct str line, struct fact_place *out)
{
	int64_t dot = str_rfind(caller, '.');
	uint64_t n = 0;

	if (!caller.len)
		return true;
	struct str name = str_sub(caller, (uint32_t)(dot + 1), caller.len);
	if (dot < 0 || !factname_is_member(name, NAME_JVM) || !factname_class(r, str_sub(caller, 0, (uint32_t)dot), NAME_JVM, &out->class))
		return false;
	if (line.len && line.p[0] != '-' && !fact_number(line, UINT16_MAX, &n))
		return false;
	out->name = factreader_copy(r, name);
	out->line = (uint32_t)n;
	return true;
}

/* <app.Foo: void bar(int)> */
static bool read_member(struct factreader *r, struct str text, struct fact *out)
{
	if (text.len < 2 || text.p[0] != '<' || text.p[text.len - 1] != '>')
		return false;
	if (!factname_java_member(r, str_sub(text, 1, text.len - 1), out))
		return false;
	bool is_field = out->sort == FACT_FIELD_READ || out->sort == FACT_FIELD_WRITTEN;
	bool is_method = out->descriptor.p[0] == '(', is_constructor = str_is(out->name, "<init>");
	if (is_constructor != (out->sort == FACT_CONSTRUCTOR) && out->sort != FACT_QUERY)
		return false;
	return is_method != is_field && !str_is(out->name, "<clinit>");
}

static bool read_target(struct factreader *r, struct str text, const struct kind *kind, struct fact *out)
{
	if (kind->target == OF_MEMBER)
		return read_member(r, text, out);
	if (kind->target == OF_INTERFACES)
		return factname_interfaces(r, text, 0, out);
	if (kind->sort == FACT_CONSTRUCTOR) {
		out->name = STR("<init>");
		out->descriptor = STR("()V");
	}
	out->all_public = kind->all_public;
	return factname_class(r, text, 0, &out->class);
}

static bool read_log_line(struct factreader *r, struct str line, uint32_t first)
{
	struct str fields[4] = { { "", 0 }, { "", 0 }, { "", 0 }, { "", 0 } };

	for (int i = 0; i < 4; i++)
		if (!fact_field(&line, ';', &fields[i]))
			return factreader_drop(r, first, "four fields are expected, with ; between them: kind, target, caller, line");
	const struct kind *kind = find_kind(fields[0]);
	if (!kind)
		return factreader_drop(r, first, "unknown kind \"%.*s\"", shown(fields[0]), fields[0].p);
	if (kind->target == NOTHING)
		return true;
	struct fact row = *factreader_add(r, kind->sort);
	if (!read_target(r, fields[1], kind, &row))
		return factreader_drop(r, first, "no target of %.*s", shown(fields[0]), fields[0].p);
	if (!read_caller(r, fields[2], fields[3], &row.at))
		return factreader_drop(r, first, "caller and line are pkg.Cls.name and a number");
	if (r->is_full)
		return true;
	r->f->rows.data[first] = row;
	if (row.sort == FACT_CLASS) {                 /* Class.forName initialises what it finds */
		struct fact *more = factreader_add(r, FACT_INITIALISER);
		row.sort = FACT_INITIALISER;
		*more = row;
	}
	return true;
}

bool facts_read_tamiflex(struct factreader *r, struct span bytes)
{
	struct factlines l = factlines_of(bytes);
	struct str line;

	while (!r->is_full && factlines_next(&l, &line))
		if (fact_trim(line).len)
			read_log_line(r, fact_trim(line), factreader_entry(r, l.line));
	return true;
}
