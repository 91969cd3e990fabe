/* SPDX-License-Identifier: Apache-2.0 */
/* express.c - what a form can say of facts. Each row becomes none, one or several of the form. */
#include "base/text/utf8.h"
#include "report/facts/facts_p.h"

struct expressing {
	struct facts *out;
	enum facts_form form;
};

static const struct str none = { "", 0 };

/* A row like `f`, of another sort, without what no form can say. */
static struct fact *add(struct expressing *e, const struct fact *f, enum fact_sort sort)
{
	struct fact row = *f;

	row.sort = sort;
	row.at = (struct fact_place){ none, none, none, 0, FACT_NO_PC };
	row.file = none;
	row.line = 0;
	row.count = 0;
	vec_push(&e->out->rows, row);
	return vec_last(&e->out->rows);
}

/* About the class alone; a class is found where its members are used. */
static void add_class(struct expressing *e, const struct fact *f, enum fact_sort sort, struct str class)
{
	struct fact *row = add(e, f, sort);

	row->class = class;
	row->name = row->descriptor = row->extra = none;
	row->interfaces = NULL;
	row->ninterfaces = 0;
	row->all_public = false;
}

static bool say_class(struct expressing *e, const struct fact *f)
{
	add_class(e, f, FACT_CLASS, f->class);
	return true;
}

static bool is_method(const struct fact *f)
{
	return f->descriptor.len && f->descriptor.p[0] == '(';
}

/* What a handle, or native code, uses: as if by reflection. */
static enum fact_sort reflective_sort(const struct fact *f)
{
	if (f->sort == FACT_JNI_FIELD || (f->sort == FACT_HANDLE && !is_method(f)))
		return FACT_FIELD;
	return str_is(f->name, "<init>") ? FACT_CONSTRUCTOR : FACT_INVOKE;
}

/* Names that a form cannot have, or that would be read as others */

static bool is_well_formed(struct str s)
{
	const char *at = s.p, *end = s.len ? s.p + s.len : s.p;

	while (at < end)
		if (utf8_next(&at, end) == UTF8_BAD)
			return false;
	return true;
}

static bool is_class(struct str s)
{
	return fact_is_class_name(s) && is_well_formed(s);
}

static bool are_classes(const struct str *all, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (!is_class(all[i]))
			return false;
	return true;
}

static bool is_member(struct str s)
{
	return !s.len || (fact_is_member_name(s) && !str_is(s, "<clinit>") && is_well_formed(s));
}

/* Types of descriptors, but for those with wildcards, which the reader of rules let pass. */
static bool has_class_names(struct str descriptor)
{
	struct strbuf type = { 0 };
	bool ok = true;

	while (ok && descriptor.len) {
		bool is_sign = descriptor.p[0] == '(' || descriptor.p[0] == ')';
		bool is_class_type = descriptor.p[0] == 'L' || descriptor.p[0] == '[';
		strbuf_clear(&type);
		descriptor = is_sign ? str_sub(descriptor, 1, descriptor.len) : fact_add_java_type(&type, descriptor);
		bool has_wildcard = type.len && (memchr(type.s, '*', type.len) || memchr(type.s, '?', type.len) || strstr(type.s, "..."));
		ok = is_sign || !is_class_type || has_wildcard || is_class(strbuf_str(&type)) || type.s[0] == '%';
	}
	strbuf_release(&type);
	return ok;
}

/* Metadata */

/* It has no wildcards and no filters, and knows methods by their parameters, fields by their names. */
static bool metadata_can_say(const struct fact *f)
{
	if (f->is_pattern || f->filter || f->if_used || f->needs_all || (!f->name.len && f->descriptor.len))
		return false;
	if ((f->class.len && !is_class(f->class)) || (f->condition.len && !is_class(f->condition)))
		return false;
	return are_classes(f->interfaces, f->ninterfaces) && has_class_names(f->descriptor);
}

static struct str without_return(struct str descriptor)
{
	return str_sub(descriptor, 0, (uint32_t)(str_rfind(descriptor, ')') + 1));
}

static bool add_metadata_member(struct expressing *e, const struct fact *f, enum fact_sort sort)
{
	if (!is_member(f->name))
		return false;
	add_class(e, f, FACT_CLASS, f->class);
	struct fact *row = add(e, f, sort);
	if (sort == FACT_FIELD || sort == FACT_JNI_FIELD)
		row->descriptor = none;
	else if (!str_is(row->name, "<init>"))
		row->descriptor = without_return(row->descriptor);
	row->all_public &= !row->name.len || (str_is(row->name, "<init>") && !row->descriptor.len);
	return true;
}

/* jniAccessible is said of a type that is registered for reflection. */
static bool add_jni_member(struct expressing *e, const struct fact *f)
{
	if (!add_metadata_member(e, f, reflective_sort(f)))
		return false;
	add_class(e, f, FACT_JNI_CLASS, f->class);
	return add_metadata_member(e, f, f->sort);
}

static bool add_service(struct expressing *e, const struct fact *f)
{
	struct strbuf path = { 0 };

	if (!is_class(f->extra))
		return false;
	add_class(e, f, FACT_CLASS, f->class);
	add_class(e, f, FACT_CONSTRUCTOR, f->class);
	vec_last(&e->out->rows)->name = STR("<init>");
	vec_last(&e->out->rows)->descriptor = STR("()V");
	if (e->form == FACTS_METADATA) {
		strbuf_addf(&path, "META-INF/services/%.*s", (int)f->extra.len, f->extra.p);
		add_class(e, f, FACT_RESOURCE, none);
		vec_last(&e->out->rows)->name =
			(struct str){ arena_copy(&e->out->text, path.s, path.len), (uint32_t)path.len };
	}
	strbuf_release(&path);
	return true;
}

/* Of a class whose constructor is another's, only the older section can tell. */
static bool add_serialized(struct expressing *e, const struct fact *f)
{
	if (f->extra.len && (!is_class(f->extra) || f->ninterfaces))
		return false;
	if (f->ninterfaces)
		add(e, f, FACT_PROXY)->extra = none;
	else if (!f->extra.len)
		add_class(e, f, FACT_CLASS, f->class);
	add(e, f, FACT_SERIALIZED);
	return true;
}

static bool add_lambda(struct expressing *e, const struct fact *f)
{
	if (!f->ninterfaces || !is_member(f->name) || (f->descriptor.len && !f->name.len))
		return false;
	struct fact *row = add(e, f, FACT_LAMBDA);
	if (!str_is(row->name, "<init>"))
		row->descriptor = without_return(row->descriptor);
	return true;
}

static bool add_resource(struct expressing *e, const struct fact *f)
{
	if (!is_well_formed(f->name) || !is_well_formed(f->extra) || (f->sort == FACT_RESOURCE && !f->name.len))
		return false;
	add(e, f, f->sort);
	return true;
}

static bool express_metadata(struct expressing *e, const struct fact *f)
{
	if (!metadata_can_say(f))
		return false;
	switch (f->sort) {
	case FACT_CLASS: case FACT_QUERY: return say_class(e, f);
	case FACT_CONSTRUCTOR: case FACT_INVOKE: return add_metadata_member(e, f, f->sort);
	case FACT_FIELD: case FACT_FIELD_READ: case FACT_FIELD_WRITTEN: return add_metadata_member(e, f, FACT_FIELD);
	case FACT_HANDLE: return add_metadata_member(e, f, reflective_sort(f));
	case FACT_PROXY: return add(e, f, FACT_PROXY);
	case FACT_SERVICE: return add_service(e, f);
	case FACT_SERIALIZED: case FACT_DESERIALIZED: return add_serialized(e, f);
	case FACT_LAMBDA: return add_lambda(e, f);
	case FACT_RESOURCE: case FACT_BUNDLE: return add_resource(e, f);
	case FACT_UNSAFE: case FACT_JNI_CLASS: return say_class(e, f) && add(e, f, f->sort);
	case FACT_JNI_METHOD: case FACT_JNI_FIELD: return add_jni_member(e, f);
	case FACT_INITIALISER: case FACT_PROXY_CALL: case FACT_STRING: case FACT_SORTS: break;
	}
	return false;
}

/* ProGuard */

/* Words without quotes: what is written is what is read, by ProGuard as well. */
static bool is_rule_word(struct str s, const char *more)
{
	if (!s.len)
		return true;
	for (uint32_t i = 0; i < s.len; i++) {
		char c = s.p[i];
		bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80;
		if (!is_letter && !(c && strchr("_$-", c)) && !(c && strchr(more, c)))
			return false;
	}
	return s.p[0] != '-' && utf8_is_shown(s);
}

static bool is_rule_member(struct str s)
{
	return str_is(s, "<init>") || is_rule_word(s, "*?");
}

/* Only one of these can follow the flags of a class. */
static bool has_one_keyword(const struct fact_filter *f)
{
	uint32_t words = (f->class_set | f->class_unset) & (FACT_INTERFACE | FACT_ANNOTATION | FACT_ENUM);

	return !(words & (words - 1));
}

static bool is_rule_filter(const struct fact_filter *f)
{
	return !f || (has_one_keyword(f) && is_rule_word(f->class_annotation, ".*?") && is_rule_word(f->super, ".*?") &&
		      is_rule_word(f->super_annotation, ".*?") && is_rule_word(f->member_annotation, ".*?"));
}

static bool are_rule_classes(const struct fact *f)
{
	for (uint32_t i = 0; i < f->ninterfaces; i++)
		if (!is_rule_word(f->interfaces[i], ".") || !is_class(f->interfaces[i]))
			return false;
	if (f->is_pattern)
		return is_rule_word(f->class, ".*?,!");
	return !f->class.len || (is_rule_word(f->class, ".") && is_class(f->class));
}

static bool is_rule_signature(const struct fact *f)
{
	if (!is_rule_member(f->name) || !has_class_names(f->descriptor))
		return false;
	if (f->is_pattern)
		return is_rule_word(f->descriptor, "()[/;.*?%");
	return is_rule_word(f->descriptor, "()[/;") && !memchr(f->name.p, '*', f->name.len) && !memchr(f->name.p, '?', f->name.len);
}

static bool rules_can_say(const struct fact *f)
{
	return are_rule_classes(f) && is_rule_word(f->condition, ".*?,!") && is_rule_signature(f) && is_rule_filter(f->filter);
}

static const struct fact_filter *class_part(struct expressing *e, const struct fact_filter *f)
{
	if (!f || !(f->member_set | f->member_unset | f->member_annotation.len))
		return f;
	struct fact_filter *part = arena_copy(&e->out->text, f, sizeof(*f));
	part->member_set = part->member_unset = 0;
	part->member_annotation = none;
	bool is_empty = !(f->class_set | f->class_unset | f->class_annotation.len | f->super.len);
	return is_empty ? NULL : part;
}

/* A rule for members that are kept if their class is may stand alone; all others keep the class. */
static void add_kept_class(struct expressing *e, const struct fact *f)
{
	if (f->if_used && !f->needs_all)
		return;
	add_class(e, f, FACT_CLASS, f->class);
	vec_last(&e->out->rows)->filter = class_part(e, f->filter);
}

static void set_pattern(struct fact *f)
{
	f->is_pattern = false;
	for (uint32_t i = 0; i < f->class.len; i++)
		f->is_pattern |= strchr("*?,!", f->class.p[i]) != NULL;
	for (uint32_t i = 0; i < f->name.len; i++)
		f->is_pattern |= strchr("*?", f->name.p[i]) != NULL;
	for (uint32_t i = 0; i < f->descriptor.len; i++)
		f->is_pattern |= strchr("*?%.", f->descriptor.p[i]) != NULL;
}

/* There is no word for inherited members: the public ones of the class. */
static void make_public(struct expressing *e, struct fact *row)
{
	struct fact_filter *f = arena_new(&e->out->text, struct fact_filter);

	if (row->filter)
		*f = *row->filter;
	f->member_set |= FACT_PUBLIC;
	row->filter = f;
	row->all_public = false;
}

static bool add_rule(struct expressing *e, const struct fact *f, enum fact_sort sort)
{
	add_kept_class(e, f);
	struct fact *row = add(e, f, sort);
	if (row->all_public)
		make_public(e, row);
	if (sort == FACT_INITIALISER)
		row->name = row->descriptor = none;
	return true;
}

/* The names of all of them must stay. */
static bool add_all_classes(struct expressing *e, const struct fact *f)
{
	for (uint32_t i = 0; i < f->ninterfaces; i++)
		add_class(e, f, FACT_CLASS, f->interfaces[i]);
	return !f->class.len || say_class(e, f);
}

static bool express_rules(struct expressing *e, const struct fact *f)
{
	if (!rules_can_say(f))
		return false;
	switch (f->sort) {
	case FACT_CLASS: return say_class(e, f);
	case FACT_INITIALISER: case FACT_CONSTRUCTOR: case FACT_INVOKE: return add_rule(e, f, f->sort);
	case FACT_QUERY: case FACT_HANDLE: case FACT_JNI_METHOD: return add_rule(e, f, reflective_sort(f));
	case FACT_FIELD: case FACT_FIELD_READ: case FACT_FIELD_WRITTEN: case FACT_JNI_FIELD: return add_rule(e, f, FACT_FIELD);
	case FACT_SERVICE: return add_service(e, f);
	case FACT_PROXY: case FACT_SERIALIZED: case FACT_DESERIALIZED: case FACT_LAMBDA: case FACT_UNSAFE: case FACT_JNI_CLASS:
		return add_all_classes(e, f);
	case FACT_PROXY_CALL: case FACT_RESOURCE: case FACT_BUNDLE: case FACT_STRING: case FACT_SORTS: break;
	}
	return false;
}

/* Order */

static int by_fact(const void *a, const void *b)
{
	return fact_compare(a, b);
}

static void sort_once(struct facts *f)
{
	uint32_t n = 0;

	if (f->rows.len)
		qsort(f->rows.data, f->rows.len, sizeof(*f->rows.data), by_fact);
	for (uint32_t i = 0; i < f->rows.len; i++)
		if (!n || fact_compare(&f->rows.data[n - 1], &f->rows.data[i]))
			f->rows.data[n++] = f->rows.data[i];
	f->rows.len = n;
}

/* Whoever makes rows may leave what is empty as it was: zero. */
static struct fact without_nulls(const struct fact *f)
{
	struct fact row = *f;
	struct str *all[] = { &row.class, &row.name, &row.descriptor, &row.extra, &row.condition };

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		if (!all[i]->len)
			*all[i] = none;
	return row;
}

uint32_t facts_express(struct facts *out, enum facts_form form, const struct fact *rows, uint32_t n)
{
	struct expressing e = { out, form };
	uint32_t left_out = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t first = out->rows.len;
		struct fact row = without_nulls(&rows[i]);
		if (form == FACTS_METADATA ? express_metadata(&e, &row) : express_rules(&e, &row))
			continue;
		out->rows.len = first;
		left_out++;
	}
	if (form == FACTS_PROGUARD)
		for (uint32_t i = 0; i < out->rows.len; i++)
			set_pattern(&out->rows.data[i]);
	sort_once(out);
	return left_out;
}

struct ordered {
	const struct fact *row;
	fact_order order;
};

static int by_order(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;
	int c = x->order(x->row, y->row);

	return c ? c : fact_compare(x->row, y->row);
}

const struct fact **facts_ordered(const struct facts *f, fact_order order)
{
	struct ordered *all = mem_alloc(f->rows.len * sizeof(*all) + 1);
	const struct fact **rows = mem_alloc(f->rows.len * sizeof(const struct fact *) + 1);

	for (uint32_t i = 0; i < f->rows.len; i++)
		all[i] = (struct ordered){ &f->rows.data[i], order };
	if (f->rows.len)
		qsort(all, f->rows.len, sizeof(*all), by_order);
	for (uint32_t i = 0; i < f->rows.len; i++)
		rows[i] = all[i].row;
	free(all);
	return rows;
}
