/* SPDX-License-Identifier: Apache-2.0 */
/* metadata.c - facts as reachability-metadata.json. Facts about one type under one condition are one entry; those of native code are
 * another, since jniAccessible means all of its entry. */
#include "report/facts/facts_p.h"
#include "report/write/json.h"

enum part { TYPES, MADE_TYPES, LAMBDAS, RESOURCES, CUSTOM };

static enum part part_of(const struct fact *f)
{
	switch (f->sort) {
	case FACT_RESOURCE: case FACT_BUNDLE: return RESOURCES;
	case FACT_LAMBDA: return LAMBDAS;
	case FACT_SERIALIZED: return f->ninterfaces ? MADE_TYPES : f->extra.len ? CUSTOM : TYPES;
	case FACT_PROXY: return MADE_TYPES;
	default: return TYPES;
	}
}

static bool is_jni(const struct fact *f)
{
	return f->sort == FACT_JNI_CLASS || f->sort == FACT_JNI_METHOD || f->sort == FACT_JNI_FIELD;
}

static int compare_interfaces(const struct fact *a, const struct fact *b)
{
	int c = 0;

	for (uint32_t i = 0; !c && i < a->ninterfaces && i < b->ninterfaces; i++)
		c = str_cmp(a->interfaces[i], b->interfaces[i]);
	return c ? c : (a->ninterfaces > b->ninterfaces) - (a->ninterfaces < b->ninterfaces);
}

/* 0: rows of one entry */
static int by_entry(const struct fact *a, const struct fact *b)
{
	int c = (int)part_of(a) - (int)part_of(b);

	if (c || (c = str_cmp(a->class, b->class)) || (c = compare_interfaces(a, b)) || (c = str_cmp(a->condition, b->condition)))
		return c;
	if (part_of(a) == TYPES)
		return (int)is_jni(a) - (int)is_jni(b);
	return part_of(a) == MADE_TYPES ? 0 : fact_compare(a, b);
}

static void write_condition(struct json *j, struct str condition)
{
	if (!condition.len)
		return;
	json_key(j, "condition");
	json_object(j);
	json_key(j, "typeReached"), json_str(j, condition);
	json_end_object(j);
}

static void write_key(struct json *j, const char *key)
{
	json_key(j, key), json_bool(j, true);
}

static void write_names(struct json *j, const char *key, const struct fact *f)
{
	json_key(j, key);
	json_array(j);
	for (uint32_t i = 0; i < f->ninterfaces; i++)
		json_str(j, f->interfaces[i]);
	json_end_array(j);
}

/* Members */

static void write_types(struct json *j, struct str descriptor)
{
	struct strbuf type = { 0 };
	struct str rest = str_sub(descriptor, 1, descriptor.len);

	json_key(j, "parameterTypes");
	json_array(j);
	while (rest.len && rest.p[0] != ')') {
		strbuf_clear(&type);
		rest = fact_add_java_type(&type, rest);
		json_str(j, strbuf_str(&type));
	}
	json_end_array(j);
	strbuf_release(&type);
}

static void write_member(struct json *j, const struct fact *f)
{
	json_object(j);
	json_key(j, "name"), json_str(j, f->name);
	if (f->descriptor.len)
		write_types(j, f->descriptor);
	json_end_object(j);
}

static bool is_all_constructors(const struct fact *f)
{
	return str_is(f->name, "<init>") && !f->descriptor.len;
}

enum member { NO_MEMBER, METHOD, FIELD };

static enum member member_of(const struct fact *f)
{
	switch (f->sort) {
	case FACT_CONSTRUCTOR: case FACT_INVOKE: case FACT_JNI_METHOD: return METHOD;
	case FACT_FIELD: case FACT_JNI_FIELD: return FIELD;
	default: return NO_MEMBER;
	}
}

/* The key of a row that is true or not there; NULL: the row is written otherwise. */
static const char *flag_of(const struct fact *f)
{
	enum member member = member_of(f);

	if (f->sort == FACT_UNSAFE)
		return "unsafeAllocated";
	if (f->sort == FACT_SERIALIZED)
		return "serializable";
	if (f->sort == FACT_JNI_CLASS)
		return "jniAccessible";
	if (member == METHOD && is_all_constructors(f))
		return f->all_public ? "allPublicConstructors" : "allDeclaredConstructors";
	if (member == METHOD && !f->name.len)
		return f->all_public ? "allPublicMethods" : "allDeclaredMethods";
	if (member == FIELD && !f->name.len)
		return f->all_public ? "allPublicFields" : "allDeclaredFields";
	return NULL;
}

static void write_members(struct json *j, const struct fact *const *rows, uint32_t n, enum member which, const char *key)
{
	bool is_open = false;

	for (uint32_t i = 0; i < n; i++) {
		if (member_of(rows[i]) != which || flag_of(rows[i]))
			continue;
		if (!is_open)
			json_key(j, key), json_array(j);
		is_open = true;
		write_member(j, rows[i]);
	}
	if (is_open)
		json_end_array(j);
}

/* Entries */

static void write_type(struct json *j, const struct fact *const *rows, uint32_t n)
{
	json_key(j, "type"), json_str(j, rows[0]->class);
	write_condition(j, rows[0]->condition);
	for (uint32_t i = 0; i < n; i++)
		if (flag_of(rows[i]))
			write_key(j, flag_of(rows[i]));
	write_members(j, rows, n, METHOD, "methods");
	write_members(j, rows, n, FIELD, "fields");
}

static void write_proxy(struct json *j, const struct fact *const *rows, uint32_t n)
{
	json_key(j, "type");
	json_object(j);
	write_names(j, "proxy", rows[0]);
	json_end_object(j);
	write_condition(j, rows[0]->condition);
	if (rows[n - 1]->sort == FACT_SERIALIZED)
		write_key(j, "serializable");
}

static void write_lambda(struct json *j, const struct fact *f)
{
	json_key(j, "type");
	json_object(j);
	json_key(j, "lambda");
	json_object(j);
	json_key(j, "declaringClass"), json_str(j, f->class);
	if (f->name.len)
		json_key(j, "declaringMethod"), write_member(j, f);
	write_names(j, "interfaces", f);
	json_end_object(j);
	json_end_object(j);
	write_condition(j, f->condition);
	write_key(j, "serializable");
}

static void write_resource(struct json *j, const struct fact *f)
{
	bool is_bundle = f->sort == FACT_BUNDLE;

	json_key(j, is_bundle ? "bundle" : "glob"), json_str(j, is_bundle ? f->class : f->name);
	if (f->extra.len)
		json_key(j, "module"), json_str(j, f->extra);
	write_condition(j, f->condition);
}

static void write_custom(struct json *j, const struct fact *f)
{
	json_key(j, "type"), json_str(j, f->class);
	json_key(j, "customTargetConstructorClass"), json_str(j, f->extra);
	write_condition(j, f->condition);
}

static void write_entry(struct json *j, const struct fact *const *rows, uint32_t n)
{
	json_break(j);
	json_object(j);
	switch (part_of(rows[0])) {
	case TYPES: write_type(j, rows, n); break;
	case MADE_TYPES: write_proxy(j, rows, n); break;
	case LAMBDAS: write_lambda(j, rows[0]); break;
	case RESOURCES: write_resource(j, rows[0]); break;
	case CUSTOM: write_custom(j, rows[0]); break;
	}
	json_end_object(j);
}

/* The rows from `at` to `end` whose parts are of one section; the next row is returned. */
static uint32_t write_section(struct json *j, const char *key, const struct fact *const *rows, uint32_t at, uint32_t end, enum part last)
{
	if (at == end || part_of(rows[at]) > last)
		return at;
	json_break(j);
	json_key(j, key);
	json_array(j);
	while (at < end && part_of(rows[at]) <= last) {
		uint32_t n = 1;
		while (at + n < end && !by_entry(rows[at], rows[at + n]))
			n++;
		write_entry(j, rows + at, n);
		at += n;
	}
	json_end_array(j);
	return at;
}

bool report_facts_metadata(struct sink *out, const struct facts *said)
{
	const struct fact **rows = facts_ordered(said, by_entry);
	struct json j = { .out = out };
	uint32_t at = 0, n = said->rows.len;

	json_object(&j);
	at = write_section(&j, "reflection", rows, at, n, LAMBDAS);
	at = write_section(&j, "resources", rows, at, n, RESOURCES);
	write_section(&j, "serialization", rows, at, n, CUSTOM);
	json_end_object(&j);
	sink_putc(out, '\n');
	free(rows);
	return sink_finish(out);
}
