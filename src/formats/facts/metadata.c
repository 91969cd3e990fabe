/* SPDX-License-Identifier: Apache-2.0 */
/* metadata.c - reachability metadata of GraalVM: one object with sections, or one of the files that came before it.
 *
 * The sections, and most of those files, are lists of entries that say something about a type; the keys that an entry may have differ from
 * section to section, and one table has them all. An entry puts its rows into the table as its keys come; its type, which may come last,
 * is filled in at its end. The first row is about the type itself. */
#include "base/text/jsonreader.h"
#include "formats/facts/facts_p.h"

enum section { REFLECTION = 1, JNI = 2, SERIALIZATION = 4, LAMBDAS = 8, RESOURCES = 16, BUNDLES = 32 };
#define TYPES (REFLECTION | JNI)
#define ANY (TYPES | SERIALIZATION | LAMBDAS | RESOURCES | BUNDLES)

struct names {
	const struct str *of;
	uint32_t n;
};

struct metadata {
	struct factreader *r;
	struct jsonreader j;

	/* the entry that is read */
	enum section section;
	uint32_t first;               /* of its rows */
	uint64_t seen;                /* keys, as bits */
	bool is_wrong;                /* it was told */
	bool is_lambda, is_serialized, is_jni, is_predefined;
	struct str type, name;        /* the two keys of a type; empty: not there */
	struct names interfaces;      /* of a proxy or a lambda */
	struct fact lambda;           /* its class, method and descriptor */
	struct str condition, custom, module, glob, bundle;
};

struct key {
	const char *name;
	void (*read)(struct metadata *m, const struct key *key);
	unsigned sections;
	enum fact_sort sort;          /* of the rows that it adds */
	const char *member;           /* of these */
	bool all_public;
};

/* Values that are wrong are skipped, so that the reader stays in step. Of a file that ends too early that is all there is to say. */

static void wrong(struct metadata *m, const char *what)
{
	if (!m->is_wrong && jsonread_peek(&m->j)) {
		uint32_t entry = m->r->line;
		m->r->line = jsonread_line(&m->j);
		factreader_drop(m->r, UINT32_MAX, "%s; the entry is left out", what);
		m->r->line = entry;
	}
	m->is_wrong = true;
}

static bool wants(struct metadata *m, char open, const char *what)
{
	if (jsonread_peek(&m->j) == open)
		return true;
	wrong(m, what);
	jsonread_skip(&m->j);
	return false;
}

static struct str read_text(struct metadata *m, const char *what)
{
	if (!wants(m, '"', what) || !jsonread_string(&m->j))
		return (struct str){ "", 0 };
	return factreader_copy(m->r, strbuf_str(&m->j.text));
}

static struct str read_class(struct metadata *m)
{
	struct str class = { "", 0 };

	if (!wants(m, '"', "the name of a class is a string") || !jsonread_string(&m->j))
		return class;
	if (!m->is_wrong && !factname_class(m->r, strbuf_str(&m->j.text), 0, &class))
		wrong(m, "no name of a class: write pkg.Outer$Inner, without wildcards");
	return class;
}

static struct names read_classes(struct metadata *m)
{
	VEC(struct str) all = { 0 };

	if (wants(m, '[', "a list of names is expected") && jsonread_begin(&m->j, '['))
		do {
			struct str class = read_class(m);
			if (all.len == UINT16_MAX)
				wrong(m, "more interfaces than a class can have");
			else
				vec_push(&all, class);
		} while (jsonread_more(&m->j, ']'));
	struct names n = { arena_copy(&m->r->f->text, all.data, all.len * sizeof(*all.data)), all.len };
	if (!n.n)
		wrong(m, "the list of interfaces is empty");
	vec_release(&all);
	return n;
}

static bool read_bool(struct metadata *m)
{
	char c = jsonread_peek(&m->j);

	if (c != 't' && c != 'f')
		wrong(m, "true or false expected");
	jsonread_skip(&m->j);
	return c == 't';
}

static void skip(struct metadata *m, const struct key *key)
{
	(void)key;
	jsonread_skip(&m->j);
}

/* Keys of all entries */

static void unknown_key(struct metadata *m)
{
	factreader_note(m->r, jsonread_line(&m->j), "unknown key \"%.*s\": it has no effect", (int)(m->j.text.len < 100 ? m->j.text.len : 100),
		     m->j.text.s);
	jsonread_skip(&m->j);
}

static void read_condition_member(struct metadata *m)
{
	if (!jsonread_key(&m->j))
		return;
	struct str key = strbuf_str(&m->j.text);
	if (!str_is(key, "typeReached") && !str_is(key, "typeReachable")) {
		unknown_key(m);
	} else if (jsonread_peek(&m->j) == '{') {
		factreader_note(m->r, jsonread_line(&m->j), "the condition names no class: the entry counts always");
		jsonread_skip(&m->j);
	} else {
		m->condition = read_class(m);
	}
}

static void read_condition(struct metadata *m, const struct key *key)
{
	(void)key;
	if (wants(m, '{', "a condition is an object") && jsonread_begin(&m->j, '{'))
		do
			read_condition_member(m);
		while (jsonread_more(&m->j, '}'));
}

/* Members */

struct member {
	struct str name;
	bool has_types, is_wrong;
};

/* Leaves them in the scratch of the reading. */
static void read_types(struct metadata *m, struct member *out)
{
	struct strbuf types = { 0 };

	strbuf_addch(&types, '(');
	if (wants(m, '[', "parameterTypes is a list") && jsonread_begin(&m->j, '['))
		do {
			if (!wants(m, '"', "the name of a type is a string") || !jsonread_string(&m->j))
				continue;
			if (!factname_add_type(&types, strbuf_str(&m->j.text), 0) || types.s[types.len - 1] == 'V')
				wrong(m, "no name of a type: write int, pkg.Cls or pkg.Cls[]");
		} while (jsonread_more(&m->j, ']'));
	strbuf_addch(&types, ')');
	if (types.len > UINT16_MAX)
		wrong(m, "more parameters than a method can have");
	if (out->has_types)
		wrong(m, "parameterTypes twice");
	out->has_types = true;
	strbuf_clear(&m->r->scratch);
	strbuf_add(&m->r->scratch, types.s, types.len);
	strbuf_release(&types);
}

static void read_member_key(struct metadata *m, struct member *out, bool is_method)
{
	if (!jsonread_key(&m->j))
		return;
	struct str key = strbuf_str(&m->j.text);
	if (str_is(key, "name")) {
		if (out->name.len)
			wrong(m, "a member with two names");
		out->name = read_text(m, "the name of a member is a string");
	} else if (is_method && str_is(key, "parameterTypes")) {
		read_types(m, out);
	} else if (!is_method && (str_is(key, "allowWrite") || str_is(key, "allowUnsafeAccess"))) {
		read_bool(m);
	} else {
		unknown_key(m);
	}
}

static void add_member(struct metadata *m, const struct key *key, const struct member *in)
{
	bool is_constructor = str_is(in->name, "<init>");

	if (m->is_wrong || m->j.failed)
		return;
	if (!factname_is_member(in->name, 0) || str_is(in->name, "<clinit>") || (is_constructor && key->sort == FACT_FIELD)) {
		wrong(m, "a member without a name, or with one that none can have");
		return;
	}
	struct fact *row = factreader_add(m->r, is_constructor && key->sort == FACT_INVOKE ? FACT_CONSTRUCTOR : key->sort);
	row->name = in->name;
	if (in->has_types && is_constructor)
		strbuf_addch(&m->r->scratch, 'V');
	if (in->has_types)
		row->descriptor = factreader_copy(m->r, strbuf_str(&m->r->scratch));
}

static void read_member(struct metadata *m, const struct key *key)
{
	struct member in = { 0 };

	if (!wants(m, '{', "a member is an object with a name"))
		return;
	if (jsonread_begin(&m->j, '{'))
		do
			read_member_key(m, &in, key->sort != FACT_FIELD);
		while (jsonread_more(&m->j, '}'));
	add_member(m, key, &in);
}

static void read_members(struct metadata *m, const struct key *key)
{
	if (wants(m, '[', "a list of members is expected") && jsonread_begin(&m->j, '['))
		do
			read_member(m, key);
		while (jsonread_more(&m->j, ']'));
}

/* allDeclaredMethods and its like */
static void read_all(struct metadata *m, const struct key *key)
{
	if (!read_bool(m))
		return;
	struct fact *row = factreader_add(m->r, key->sort);
	row->name = key->member ? str_of(key->member) : (struct str){ "", 0 };
	row->all_public = key->all_public;
}

/* Types */

static void read_lambda_method(struct metadata *m)
{
	struct member in = { 0 };

	if (!wants(m, '{', "declaringMethod is an object") || !jsonread_begin(&m->j, '{'))
		return;
	do
		read_member_key(m, &in, true);
	while (jsonread_more(&m->j, '}'));
	m->lambda.name = in.name;
	if (in.has_types)
		m->lambda.descriptor = factreader_copy(m->r, strbuf_str(&m->r->scratch));
	if (!m->is_wrong && !m->j.failed && in.name.len && !factname_is_member(in.name, 0))
		wrong(m, "no name of a method");
}

static void read_lambda_key(struct metadata *m)
{
	if (!jsonread_key(&m->j))
		return;
	struct str key = strbuf_str(&m->j.text);
	if (str_is(key, "declaringClass"))
		m->lambda.class = read_class(m);
	else if (str_is(key, "declaringMethod"))
		read_lambda_method(m);
	else if (str_is(key, "interfaces"))
		m->interfaces = read_classes(m);
	else
		unknown_key(m);
}

static void read_lambda(struct metadata *m)
{
	m->is_lambda = true;
	if (wants(m, '{', "a lambda is an object") && jsonread_begin(&m->j, '{'))
		do
			read_lambda_key(m);
		while (jsonread_more(&m->j, '}'));
	if (!m->lambda.class.len || !m->interfaces.n)
		wrong(m, "a lambda has a declaringClass and interfaces");
}

static void read_made_type_key(struct metadata *m)
{
	if (!jsonread_key(&m->j))
		return;
	struct str key = strbuf_str(&m->j.text);
	if (m->is_lambda || m->interfaces.n)
		wrong(m, "a type is one proxy or one lambda");
	if (str_is(key, "proxy"))
		m->interfaces = read_classes(m);
	else if (str_is(key, "lambda"))
		read_lambda(m);
	else
		unknown_key(m);
}

static void read_type(struct metadata *m, const struct key *key)
{
	(void)key;
	if (jsonread_peek(&m->j) == '"') {
		m->type = read_class(m);
		return;
	}
	if (wants(m, '{', "a type is a name, a proxy or a lambda") && jsonread_begin(&m->j, '{'))
		do
			read_made_type_key(m);
		while (jsonread_more(&m->j, '}'));
}

static void read_name(struct metadata *m, const struct key *key)
{
	(void)key;
	if (m->section == BUNDLES)
		m->bundle = read_class(m);
	else
		m->name = read_class(m);
}

static void read_interfaces(struct metadata *m, const struct key *key)
{
	(void)key;
	if (m->interfaces.n)
		wrong(m, "two lists of interfaces");
	m->interfaces = read_classes(m);
}

static void read_serializable(struct metadata *m, const struct key *key)
{
	(void)key;
	m->is_serialized = read_bool(m);
}

static void read_jni(struct metadata *m, const struct key *key)
{
	(void)key;
	m->is_jni = read_bool(m);
}

static void read_custom(struct metadata *m, const struct key *key)
{
	(void)key;
	m->custom = read_class(m);
}

static void read_predefined(struct metadata *m, const struct key *key)
{
	(void)key;
	m->is_predefined = true;
	jsonread_skip(&m->j);
}

/* Resources */

static void read_glob(struct metadata *m, const struct key *key)
{
	(void)key;
	m->glob = read_text(m, "a glob is a string");
	if (!m->glob.len)
		wrong(m, "the glob is empty");
}

static void read_bundle(struct metadata *m, const struct key *key)
{
	(void)key;
	m->bundle = read_class(m);
}

static void read_module(struct metadata *m, const struct key *key)
{
	(void)key;
	m->module = read_text(m, "the name of a module is a string");
}

/* Is the rest of a regular expression at `at` one of the few signs that a glob has? Adds what it means. */
static bool add_sign(struct str s, uint32_t *at, struct strbuf *out)
{
	struct str rest = str_sub(s, *at, s.len);
	char c = rest.p[0];

	if (str_starts(rest, ".*") || str_starts(rest, ".+")) {
		strbuf_adds(out, "**");
		*at += 2;
	} else if (str_starts(rest, "[^/]*")) {
		strbuf_addch(out, '*');
		*at += 5;
	} else if (c == '\\' && rest.len > 1 && strchr(".$-_/", rest.p[1])) {
		strbuf_addch(out, rest.p[1]);
		*at += 2;
	} else if (strchr("\\*+?[](){}|^$", c)) {
		return false;
	} else {                               /* a dot alone is meant as one, though it says more */
		strbuf_addch(out, c);
		*at += 1;
	}
	return true;
}

/* Between \Q and \E all characters mean themselves. */
static bool add_quoted(struct str s, uint32_t *at, struct strbuf *out)
{
	for (*at += 2; *at < s.len && !str_starts(str_sub(s, *at, s.len), "\\E"); ++*at) {
		if (s.p[*at] == '*')
			return false;
		strbuf_addch(out, s.p[*at]);
	}
	*at = *at < s.len ? *at + 2 : s.len;
	return true;
}

/* The expressions that agents and people write, as globs. */
static bool glob_of_regex(struct str s, struct strbuf *out)
{
	uint32_t at = s.len && s.p[0] == '^';

	if (s.len > at && s.p[s.len - 1] == '$' && !str_ends(s, "\\$"))
		s.len--;
	while (at < s.len)
		if (!(str_starts(str_sub(s, at, s.len), "\\Q") ? add_quoted(s, &at, out) : add_sign(s, &at, out)))
			return false;
	return true;
}

/* A pattern may begin with the name of a module: java.base:\Qa/b\E */
static void read_pattern(struct metadata *m, const struct key *key)
{
	struct str s = read_text(m, "a pattern is a string"), module;
	struct strbuf *glob = &m->r->scratch;

	(void)key;
	struct str rest = s;
	if (fact_field(&rest, ':', &module) && rest.p && factname_is_class(module, 0)) {
		m->module = module;
		s = rest;
	}
	strbuf_clear(glob);
	if (!m->is_wrong && !m->j.failed && (!s.len || !glob_of_regex(s, glob)))
		wrong(m, "a regular expression that no glob can say: write globs");
	m->glob = factreader_copy(m->r, strbuf_str(glob));
}

/* Entries */

static const struct key keys[] = {
	{ "type", read_type, TYPES | SERIALIZATION | LAMBDAS, 0, NULL, false },
	{ "name", read_name, TYPES | SERIALIZATION | LAMBDAS | BUNDLES, 0, NULL, false },
	{ "condition", read_condition, ANY, 0, NULL, false },
	{ "reason", skip, ANY, 0, NULL, false },
	{ "interfaces", read_interfaces, TYPES | SERIALIZATION, 0, NULL, false },
	{ "methods", read_members, TYPES, FACT_INVOKE, NULL, false },
	{ "queriedMethods", read_members, TYPES, FACT_QUERY, NULL, false },
	{ "fields", read_members, TYPES, FACT_FIELD, NULL, false },
	{ "allDeclaredMethods", read_all, TYPES, FACT_INVOKE, NULL, false },
	{ "allPublicMethods", read_all, TYPES, FACT_INVOKE, NULL, true },
	{ "allDeclaredConstructors", read_all, TYPES, FACT_CONSTRUCTOR, "<init>", false },
	{ "allPublicConstructors", read_all, TYPES, FACT_CONSTRUCTOR, "<init>", true },
	{ "allDeclaredFields", read_all, TYPES, FACT_FIELD, NULL, false },
	{ "allPublicFields", read_all, TYPES, FACT_FIELD, NULL, true },
	{ "queryAllDeclaredMethods", read_all, TYPES, FACT_QUERY, NULL, false },
	{ "queryAllPublicMethods", read_all, TYPES, FACT_QUERY, NULL, true },
	{ "queryAllDeclaredConstructors", read_all, TYPES, FACT_QUERY, "<init>", false },
	{ "queryAllPublicConstructors", read_all, TYPES, FACT_QUERY, "<init>", true },
	{ "unsafeAllocated", read_all, TYPES, FACT_UNSAFE, NULL, false },
	{ "serializable", read_serializable, TYPES, 0, NULL, false },
	{ "jniAccessible", read_jni, TYPES, 0, NULL, false },
	{ "customTargetConstructorClass", read_custom, TYPES | SERIALIZATION, 0, NULL, false },
	{ "classes", read_predefined, TYPES, 0, NULL, false },
	{ "allDeclaredClasses", skip, TYPES, 0, NULL, false },
	{ "allPublicClasses", skip, TYPES, 0, NULL, false },
	{ "allRecordComponents", skip, TYPES, 0, NULL, false },
	{ "allPermittedSubclasses", skip, TYPES, 0, NULL, false },
	{ "allNestMembers", skip, TYPES, 0, NULL, false },
	{ "allSigners", skip, TYPES, 0, NULL, false },
	{ "glob", read_glob, RESOURCES, 0, NULL, false },
	{ "pattern", read_pattern, RESOURCES, 0, NULL, false },
	{ "bundle", read_bundle, RESOURCES, 0, NULL, false },
	{ "module", read_module, RESOURCES | BUNDLES, 0, NULL, false },
	{ "locales", skip, BUNDLES, 0, NULL, false },
	{ "classNames", skip, BUNDLES, 0, NULL, false },
};

static void read_key(struct metadata *m)
{
	if (!jsonread_key(&m->j))
		return;
	struct str name = strbuf_str(&m->j.text);
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		if (!(keys[i].sections & m->section) || !str_is(name, keys[i].name))
			continue;
		if (m->seen & (uint64_t)1 << i)
			wrong(m, "the same key twice");
		m->seen |= (uint64_t)1 << i;
		keys[i].read(m, &keys[i]);
		return;
	}
	unknown_key(m);
}

static enum fact_sort jni_sort(enum fact_sort sort)
{
	switch (sort) {
	case FACT_CLASS: return FACT_JNI_CLASS;
	case FACT_CONSTRUCTOR: case FACT_INVOKE: case FACT_QUERY: return FACT_JNI_METHOD;
	case FACT_FIELD: return FACT_JNI_FIELD;
	default: return sort;
	}
}

/* What was registered is so for native code, too: the same rows once more. */
static void add_jni(struct metadata *m)
{
	uint32_t n = m->r->f->rows.len;

	for (uint32_t i = m->first; i < n; i++) {
		struct fact from = m->r->f->rows.data[i];
		if (jni_sort(from.sort) == from.sort)
			continue;
		from.sort = jni_sort(from.sort);
		*factreader_add(m->r, from.sort) = from;
	}
}

static void become_jni(struct metadata *m)
{
	for (uint32_t i = m->first; i < m->r->f->rows.len; i++)
		m->r->f->rows.data[i].sort = jni_sort(m->r->f->rows.data[i].sort);
}

static void set_type(struct metadata *m, struct str class)
{
	for (uint32_t i = m->first; i < m->r->f->rows.len; i++) {
		m->r->f->rows.data[i].class = class;
		m->r->f->rows.data[i].condition = m->condition;
	}
}

static struct fact *add_serialized(struct metadata *m, struct str class)
{
	struct fact *row = factreader_add(m->r, FACT_SERIALIZED);

	row->class = class;
	row->extra = m->custom;
	row->condition = m->condition;
	return row;
}

static void set_interfaces(struct metadata *m, struct fact *row)
{
	row->interfaces = m->interfaces.of;
	row->ninterfaces = m->interfaces.n;
}

static void restart_rows(struct metadata *m, const char *made)
{
	if (m->r->f->rows.len > m->first + 1)
		factreader_note(m->r, m->r->line, "members of %s are not followed", made);
	if (m->first < m->r->f->rows.len)
		m->r->f->rows.len = m->first;
}

static void finish_proxy(struct metadata *m)
{
	restart_rows(m, "a proxy class");
	if (m->section != SERIALIZATION) {
		struct fact *row = factreader_add(m->r, FACT_PROXY);
		set_interfaces(m, row);
		row->condition = m->condition;
	}
	if (m->section == SERIALIZATION || m->is_serialized)
		set_interfaces(m, add_serialized(m, (struct str){ "", 0 }));
}

static void finish_lambda(struct metadata *m)
{
	restart_rows(m, "the class of a lambda");
	if (!m->is_serialized && m->section != SERIALIZATION) {
		factreader_note(m->r, m->r->line, "the class of a lambda is followed only where it is serializable");
		return;
	}
	struct fact *row = factreader_add(m->r, FACT_LAMBDA);
	row->class = m->lambda.class;
	row->name = m->lambda.name;
	row->descriptor = m->lambda.descriptor;
	row->condition = m->condition;
	set_interfaces(m, row);
}

static void finish_class(struct metadata *m, struct str class)
{
	if (m->section == SERIALIZATION || m->section == LAMBDAS) {
		restart_rows(m, "the class");
		if (m->section == SERIALIZATION)
			add_serialized(m, class);
		else
			factreader_add(m->r, FACT_LAMBDA);
	} else if (m->is_serialized || m->custom.len) {
		add_serialized(m, class);
	}
	set_type(m, class);
	if (m->section == JNI)
		become_jni(m);
	else if (m->is_jni)
		add_jni(m);
}

static void finish_resource(struct metadata *m)
{
	bool is_bundle = m->bundle.len;

	if (is_bundle == (m->glob.len > 0)) {
		wrong(m, is_bundle ? "a glob or a bundle, but not both" : "neither a glob nor a bundle");
		return;
	}
	restart_rows(m, "a resource");
	struct fact *row = factreader_add(m->r, is_bundle ? FACT_BUNDLE : FACT_RESOURCE);
	*(is_bundle ? &row->class : &row->name) = is_bundle ? m->bundle : m->glob;
	row->extra = m->module;
	row->condition = m->condition;
}

static void finish_type(struct metadata *m)
{
	if (m->type.len && m->name.len && !str_eq(m->type, m->name))
		wrong(m, "type and name contradict each other");
	else if ((m->type.len || m->name.len) && (m->interfaces.n || m->is_lambda))
		wrong(m, "a class and a list of interfaces contradict each other");
	else if (m->is_lambda)
		finish_lambda(m);
	else if (m->interfaces.n)
		finish_proxy(m);
	else if (!m->type.len && !m->name.len)
		wrong(m, "an entry without a type");
	else
		finish_class(m, m->type.len ? m->type : m->name);
}

static void finish_entry(struct metadata *m)
{
	if (m->is_predefined) {
		factreader_note(m->r, m->r->line, "predefined classes are not read: add their class files to the class path");
		m->is_wrong = true;
	} else if (!m->is_wrong && !m->j.failed) {
		if (m->section & (RESOURCES | BUNDLES))
			finish_resource(m);
		else
			finish_type(m);
	}
	if ((m->is_wrong || m->j.failed) && m->first < m->r->f->rows.len)
		m->r->f->rows.len = m->first;
}

static void begin_entry(struct metadata *m, enum section section)
{
	struct factreader *r = m->r;
	struct jsonreader j = m->j;

	jsonread_peek(&j);
	*m = (struct metadata){ .r = r, .j = j, .section = section };
	m->first = factreader_entry(r, jsonread_line(&m->j));
	factreader_add(r, FACT_CLASS);
}

static void read_entry(struct metadata *m, enum section section)
{
	begin_entry(m, section);
	if (wants(m, '{', "an entry is an object") && jsonread_begin(&m->j, '{'))
		do
			read_key(m);
		while (jsonread_more(&m->j, '}'));
	finish_entry(m);
}

/* Files */

static void read_entries(struct metadata *m, enum section section)
{
	begin_entry(m, section);               /* for messages about the list */
	m->r->f->rows.len = m->first;
	if (wants(m, '[', "a list of entries is expected") && jsonread_begin(&m->j, '['))
		do
			read_entry(m, section);
		while (jsonread_more(&m->j, ']'));
}

static void read_old_resources(struct metadata *m)
{
	if (!jsonread_key(&m->j))
		return;
	struct str key = strbuf_str(&m->j.text);
	if (str_is(key, "includes")) {
		read_entries(m, RESOURCES);
	} else if (str_is(key, "excludes")) {
		factreader_note(m->r, jsonread_line(&m->j), "resources that are excluded are not: more are assumed");
		jsonread_skip(&m->j);
	} else {
		unknown_key(m);
	}
}

static void read_resources(struct metadata *m)
{
	if (jsonread_peek(&m->j) != '{') {
		read_entries(m, RESOURCES);
		return;
	}
	if (jsonread_begin(&m->j, '{'))
		do
			read_old_resources(m);
		while (jsonread_more(&m->j, '}'));
}

static void read_section(struct metadata *m)
{
	static const struct {
		const char *name;
		enum section section;
	} sections[] = {
		{ "reflection", REFLECTION }, { "jni", JNI },	      { "serialization", SERIALIZATION }, { "types", SERIALIZATION },
		{ "proxies", SERIALIZATION }, { "bundles", BUNDLES }, { "lambdaCapturingTypes", LAMBDAS }, { "globs", RESOURCES },
	};

	if (!jsonread_key(&m->j))
		return;
	struct str key = strbuf_str(&m->j.text);
	for (size_t i = 0; i < ARRAY_LEN(sections); i++)
		if (str_is(key, sections[i].name)) {
			read_entries(m, sections[i].section);
			return;
		}
	if (str_is(key, "resources"))
		read_resources(m);
	else if (str_is(key, "comment"))
		jsonread_skip(&m->j);
	else
		unknown_key(m);
}

/* proxy-config.json also has lists without a key. */
static void read_bare_proxy(struct metadata *m)
{
	begin_entry(m, REFLECTION);
	m->interfaces = read_classes(m);
	finish_entry(m);
}

static enum section section_of_file(struct factreader *r)
{
	struct str name = str_sub(r->file, (uint32_t)(str_rfind(r->file, '/') + 1), r->file.len);

	return str_starts(name, "jni-config") ? JNI : str_starts(name, "serialization-config") ? SERIALIZATION : REFLECTION;
}

static void read_old_list(struct metadata *m)
{
	enum section section = section_of_file(m->r);

	if (jsonread_begin(&m->j, '['))
		do {
			if (jsonread_peek(&m->j) == '[')
				read_bare_proxy(m);
			else
				read_entry(m, section);
		} while (jsonread_more(&m->j, ']'));
}

bool facts_read_metadata(struct factreader *r, struct span bytes)
{
	struct strbuf err = { 0 };
	struct metadata m = { .r = r, .j = jsonread_of(bytes, &err) };

	m.j.is_modified = true;
	if (jsonread_peek(&m.j) == '[')
		read_old_list(&m);
	else if (jsonread_begin(&m.j, '{'))
		do
			read_section(&m);
		while (jsonread_more(&m.j, '}'));
	bool ok = jsonread_end(&m.j);
	if (!ok)
		diag_add(r->d, DIAG_E070, r->artifact, (struct str){ 0 }, jsonread_line(&m.j), "%s: correct the JSON; what comes after is not read",
			 strstr(err.s, ": ") + 2);
	jsonread_release(&m.j);
	strbuf_release(&err);
	return ok;
}
