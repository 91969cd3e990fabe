/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/classfile/classfile_p.h"
#include "formats/classfile/descriptor.h"

/* Each reads one attribute from `b`, which ends with it, and may leave `b` failed or unfinished: the caller
 * diagnoses that. */
typedef bool attr_check(struct parse *p, struct reader *b, struct cf_member *m);
static attr_check check_code, check_lines, check_stack_map, check_locals, check_local_types, check_utf8, check_classes,
	check_constant_value, check_inner_classes, check_enclosing, check_nest_host, check_bootstrap, check_record,
	check_module;

static const struct attr_rule {
	struct str name;
	uint8_t places, since;
	bool once;
	attr_check *check;
} rules[ATTR_KINDS] = {
#define ATTRIBUTE(kind, name, places, since, once, check) { { name, sizeof(name) - 1 }, places, since, once, check },
#include "formats/classfile/attributes.def"
#undef ATTRIBUTE
};

static enum attr_kind kind_of(const struct classfile *cf, struct str name, unsigned place)
{
	for (unsigned k = 0; k < ATTR_KINDS; k++)
		if (name.len == rules[k].name.len && (rules[k].places & place) && str_eq(name, rules[k].name))
			return cf->major >= rules[k].since ? (enum attr_kind)k : ATTR_KINDS;
	return ATTR_KINDS;
}

static size_t here(const struct reader *b)
{
	return reader_offset(b);
}

/* Checks the body `b` of an attribute of a known kind. */
static bool check_known(struct parse *p, enum attr_kind kind, struct reader *b, struct cf_member *m)
{
	size_t at = here(b);

	if (!rules[kind].check(p, b, m))
		return false;
	if (b->failed || reader_left(b))
		return FAIL(p, E011, at, "the attribute %s has a wrong length", rules[kind].name.p);
	return true;
}

/* One attribute; `seen` holds a bit for each kind met in this list. */
static bool parse_attribute(struct parse *p, struct reader *r, enum attr_place place, struct cf_member *m, uint32_t *seen)
{
	size_t at = here(r);
	uint16_t name = reader_u2(r);
	size_t len = reader_u4(r);

	if (r->failed || len > reader_left(r))
		return FAIL(p, E011, at, "an attribute is longer than what contains it");
	if (!expect_tag(p, name, CP_UTF8, at))
		return false;
	enum attr_kind kind = kind_of(p->cf, cf_utf8(p->cf, name), place);
	struct reader body = *r;

	body.end = r->p + len;
	r->p += len;
	if (kind == ATTR_KINDS)
		return true;
	if ((*seen & 1u << kind) && rules[kind].once)
		return FAIL(p, E011, at, "a second attribute %s", rules[kind].name.p);
	*seen |= 1u << kind;
	return check_known(p, kind, &body, m);
}

bool parse_attributes(struct parse *p, struct reader *r, enum attr_place place, struct cf_member *m)
{
	size_t at = here(r);
	uint32_t n = reader_count(r, 6), seen = 0;

	if (r->failed)
		return FAIL(p, E011, at, "the count of attributes does not fit in what contains them");
	for (uint32_t i = 0; i < n; i++)
		if (!parse_attribute(p, r, place, m, &seen))
			return false;
	if ((seen & 1u << AT_NEST_HOST) && (seen & 1u << AT_NEST_MEMBERS))
		return FAIL(p, E011, at, "both NestHost and NestMembers");
	return true;
}

static bool expect_index(struct parse *p, struct reader *b, enum cp_tag tag)
{
	uint16_t index = reader_u2(b);

	return b->failed || expect_tag(p, index, tag, here(b) - 2);
}

static bool expect_index_or_0(struct parse *p, struct reader *b, enum cp_tag tag)
{
	uint16_t index = reader_u2(b);

	return b->failed || expect_tag_or_0(p, index, tag, here(b) - 2);
}

/* A u2 count and as many indices of entries of one kind. */
static bool expect_indices(struct parse *p, struct reader *b, enum cp_tag tag)
{
	for (uint32_t n = reader_count(b, 2); n > 0; n--)
		if (!expect_index(p, b, tag))
			return false;
	return true;
}

static bool check_utf8(struct parse *p, struct reader *b, struct cf_member *m)
{
	(void)m;
	return expect_index(p, b, CP_UTF8);
}

static bool check_classes(struct parse *p, struct reader *b, struct cf_member *m)
{
	(void)m;
	return expect_indices(p, b, CP_CLASS);
}

static bool check_nest_host(struct parse *p, struct reader *b, struct cf_member *m)
{
	(void)m;
	return expect_index(p, b, CP_CLASS);
}

/* JVMS table 4.7.2-A */
static bool constant_suits(unsigned tag, struct str desc)
{
	switch (desc.p[0]) {
	case 'B': case 'C': case 'I': case 'S': case 'Z':
		return tag == CP_INTEGER;
	case 'F':
		return tag == CP_FLOAT;
	case 'J':
		return tag == CP_LONG;
	case 'D':
		return tag == CP_DOUBLE;
	default:
		return tag == CP_STRING && str_eq(desc, STR("Ljava/lang/String;"));
	}
}

static bool check_constant_value(struct parse *p, struct reader *b, struct cf_member *m)
{
	size_t at = here(b);
	unsigned tag = cf_tag(p->cf, reader_u2(b));

	/* On other fields it means nothing. */
	if (b->failed || !(m->access & ACC_STATIC) || constant_suits(tag, cf_utf8(p->cf, m->desc)))
		return true;
	return FAIL(p, E012, at, "ConstantValue does not suit the type of the field");
}

static bool check_handlers(struct parse *p, struct reader *b)
{
	for (uint32_t n = reader_count(b, 8); n > 0; n--) {
		size_t at = here(b);
		uint32_t start = reader_u2(b), end = reader_u2(b), target = reader_u2(b);

		if (start >= end || end > p->code_len || target >= p->code_len)
			return FAIL(p, E011, at, "an exception handler lies outside the code");
		if (!expect_index_or_0(p, b, CP_CLASS))
			return false;
	}
	return true;
}

static bool check_code(struct parse *p, struct reader *b, struct cf_member *m)
{
	size_t at = here(b);
	uint32_t words = desc_param_words(cf_utf8(p->cf, m->desc)) + !(m->access & ACC_STATIC);

	reader_u2(b);
	uint32_t locals = reader_u2(b);

	p->code_len = reader_u4(b);
	if (!b->failed && (p->code_len == 0 || p->code_len > 65535))
		return FAIL(p, E011, at + 4, "code of %u bytes", p->code_len);
	reader_take(b, p->code_len);
	if (b->failed)
		return FAIL(p, E011, at, "the code is longer than its attribute");
	if (words > locals)
		return FAIL(p, E011, at + 2, "%u words of parameters do not fit in %u locals", words, locals);
	m->code = (uint32_t)at;
	return check_handlers(p, b) && parse_attributes(p, b, IN_CODE, m);
}

static bool check_lines(struct parse *p, struct reader *b, struct cf_member *m)
{
	(void)m;
	for (uint32_t n = reader_count(b, 4); n > 0; n--) {
		uint32_t row = reader_u4(b);

		if (row >> 16 >= p->code_len)
			return FAIL(p, E011, here(b) - 4, "LineNumberTable names a pc outside the code");
	}
	return true;
}

/* A row of LocalVariableTable or LocalVariableTypeTable: the JVM checks the text only in the former. */
static bool check_local_row(struct parse *p, struct reader *b, bool desc)
{
	size_t at = here(b);
	uint32_t pc = reader_u2(b), len = reader_u2(b);
	uint16_t name = reader_u2(b), type = reader_u2(b);

	reader_u2(b);
	if (pc + len > p->code_len)
		return FAIL(p, E011, at, "a local variable lives outside the code");
	if (!expect_tag(p, name, CP_UTF8, at + 4) || !expect_tag(p, type, CP_UTF8, at + 6))
		return false;
	if (desc && !desc_is_field(cf_utf8(p->cf, type)))
		return FAIL(p, E016, at, "the descriptor of a local variable is malformed");
	return true;
}

static bool check_local_table(struct parse *p, struct reader *b, bool desc)
{
	for (uint32_t n = reader_count(b, 10); n > 0; n--)
		if (!check_local_row(p, b, desc))
			return false;
	return true;
}

static bool check_locals(struct parse *p, struct reader *b, struct cf_member *m)
{
	(void)m;
	return check_local_table(p, b, true);
}

static bool check_local_types(struct parse *p, struct reader *b, struct cf_member *m)
{
	(void)m;
	return check_local_table(p, b, false);
}

/* The verifier rejects a malformed table, except in version 50, where it then infers the types itself. */
static bool check_stack_map(struct parse *p, struct reader *b, struct cf_member *m)
{
	size_t at = here(b);

	(void)m;
	if (p->cf->major >= JAVA_7 && !frames_ok(p->cf, *b, p->code_len))
		return FAIL(p, E011, at, "StackMapTable is malformed");
	b->p = b->end;
	return true;
}

static bool check_inner_classes(struct parse *p, struct reader *b, struct cf_member *m)
{
	(void)m;
	for (uint32_t n = reader_count(b, 8); n > 0; n--) {
		if (!expect_index_or_0(p, b, CP_CLASS) || !expect_index_or_0(p, b, CP_CLASS) ||
		    !expect_index_or_0(p, b, CP_UTF8))
			return false;
		reader_u2(b);
	}
	return true;
}

static bool check_enclosing(struct parse *p, struct reader *b, struct cf_member *m)
{
	(void)m;
	return expect_index(p, b, CP_CLASS) && expect_index_or_0(p, b, CP_NAMETYPE);
}

/* JVMS table 4.4-C */
static bool is_loadable(unsigned tag)
{
	return (tag >= CP_INTEGER && tag <= CP_STRING) || (tag >= CP_HANDLE && tag <= CP_DYNAMIC);
}

static bool check_bootstrap_row(struct parse *p, struct reader *b)
{
	if (!expect_index(p, b, CP_HANDLE))
		return false;
	for (uint32_t n = reader_count(b, 2); n > 0; n--) {
		uint16_t arg = reader_u2(b);

		if (!is_loadable(cf_tag(p->cf, arg)))
			return FAIL(p, E012, here(b) - 2, "bootstrap argument #%u is not a loadable constant", arg);
	}
	return true;
}

static bool check_bootstrap(struct parse *p, struct reader *b, struct cf_member *m)
{
	size_t at = here(b);
	uint32_t n = reader_count(b, 4);
	uint32_t *rows = arena_array(p->mem, uint32_t, n);

	(void)m;
	for (uint32_t i = 0; i < n; i++) {
		rows[i] = (uint32_t)here(b);
		if (!check_bootstrap_row(p, b))
			return false;
	}
	p->cf->bootstrap = (uint32_t)at;
	p->cf->nbootstrap = (uint16_t)n;
	p->cf->bootstrap_rows = rows;
	return true;
}

static bool check_component(struct parse *p, struct reader *b)
{
	size_t at = here(b);
	uint16_t name = reader_u2(b), desc = reader_u2(b);

	if (!expect_tag(p, name, CP_UTF8, at) || !expect_tag(p, desc, CP_UTF8, at + 2))
		return false;
	if (!name_is_field(cf_utf8(p->cf, name)))
		return FAIL(p, E011, at, "a record component has an illegal name");
	if (!desc_is_field(cf_utf8(p->cf, desc)))
		return FAIL(p, E016, at, "the descriptor of a record component is malformed");
	return parse_attributes(p, b, IN_RECORD, NULL);
}

static bool check_record(struct parse *p, struct reader *b, struct cf_member *m)
{
	(void)m;
	for (uint32_t n = reader_count(b, 6); n > 0; n--)
		if (!check_component(p, b))
			return false;
	return true;
}

/* exports and opens */
static bool check_exports(struct parse *p, struct reader *b)
{
	for (uint32_t n = reader_count(b, 6); n > 0; n--) {
		if (!expect_index(p, b, CP_PACKAGE))
			return false;
		reader_u2(b);
		if (!expect_indices(p, b, CP_MODULE))
			return false;
	}
	return true;
}

static bool check_requires(struct parse *p, struct reader *b)
{
	for (uint32_t n = reader_count(b, 6); n > 0; n--) {
		if (!expect_index(p, b, CP_MODULE))
			return false;
		reader_u2(b);
		if (!expect_index_or_0(p, b, CP_UTF8))
			return false;
	}
	return true;
}

static bool check_provides(struct parse *p, struct reader *b)
{
	for (uint32_t n = reader_count(b, 4); n > 0; n--)
		if (!expect_index(p, b, CP_CLASS) || !expect_indices(p, b, CP_CLASS))
			return false;
	return true;
}

static bool check_module(struct parse *p, struct reader *b, struct cf_member *m)
{
	(void)m;
	if (!(p->cf->access & ACC_MODULE)) {
		b->p = b->end;          /* no module: not read by anyone */
		return true;
	}
	if (!expect_index(p, b, CP_MODULE))
		return false;
	reader_u2(b);
	return expect_index_or_0(p, b, CP_UTF8) && check_requires(p, b) && check_exports(p, b) && check_exports(p, b) &&
	       expect_indices(p, b, CP_CLASS) && check_provides(p, b);
}
