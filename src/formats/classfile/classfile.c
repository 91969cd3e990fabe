/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/classfile/classfile.h"

#include "formats/classfile/classfile_p.h"
#include "formats/classfile/descriptor.h"

#define MAGIC 0xcafebabe
#define OLDEST_MAJOR 45

/* Bytes after the tag of each kind of constant; 0: no such kind. Utf8 has its text in addition. */
static const uint8_t entry_size[CP_PACKAGE + 1] = {
	[CP_UTF8] = 2, [CP_INTEGER] = 4, [CP_FLOAT] = 4, [CP_LONG] = 8, [CP_DOUBLE] = 8, [CP_CLASS] = 2,
	[CP_STRING] = 2, [CP_FIELD] = 4, [CP_METHOD] = 4, [CP_IMETHOD] = 4, [CP_NAMETYPE] = 4, [CP_HANDLE] = 3,
	[CP_METHODTYPE] = 2, [CP_DYNAMIC] = 4, [CP_INVOKEDYNAMIC] = 4, [CP_MODULE] = 2, [CP_PACKAGE] = 2,
};

static const char *const tag_names[CP_PACKAGE + 1] = {
	[0] = "unusable", [CP_UTF8] = "Utf8", [CP_INTEGER] = "Integer", [CP_FLOAT] = "Float", [CP_LONG] = "Long",
	[CP_DOUBLE] = "Double", [CP_CLASS] = "Class", [CP_STRING] = "String", [CP_FIELD] = "Fieldref",
	[CP_METHOD] = "Methodref", [CP_IMETHOD] = "InterfaceMethodref", [CP_NAMETYPE] = "NameAndType",
	[CP_HANDLE] = "MethodHandle", [CP_METHODTYPE] = "MethodType", [CP_DYNAMIC] = "Dynamic",
	[CP_INVOKEDYNAMIC] = "InvokeDynamic", [CP_MODULE] = "Module", [CP_PACKAGE] = "Package",
};

bool expect_tag(struct parse *p, uint16_t index, enum cp_tag tag, uint64_t offset)
{
	unsigned found = cf_tag(p->cf, index);

	if (LIKELY(found == tag))
		return true;
	return FAIL(p, E012, offset, "constant pool entry #%u is %s instead of %s", index, tag_names[found],
		    tag_names[tag]);
}

bool expect_tag_or_0(struct parse *p, uint16_t index, enum cp_tag tag, uint64_t offset)
{
	return index == 0 || expect_tag(p, index, tag, offset);
}

/* Structure of modified UTF-8 (JVMS 4.4.7): no NUL, no stray or missing continuation, no four-byte form. */
static bool is_modified_utf8(const uint8_t *s, const uint8_t *end)
{
	while (s < end) {
		size_t more = *s < 0x80 ? 0 : *s < 0xc0 ? 9 : *s < 0xe0 ? 1 : *s < 0xf0 ? 2 : 9;

		if (*s == 0 || more >= (size_t)(end - s))
			return false;
		for (s++; more > 0; more--, s++)
			if ((*s & 0xc0) != 0x80)
				return false;
	}
	return true;
}

/* Are these eight bytes ASCII without NUL? */
static bool is_plain(const uint8_t *s)
{
	uint64_t w;

	memcpy(&w, s, 8);
	return !((w | (w - 0x0101010101010101u)) & 0x8080808080808080u);
}

/* Most text is ASCII, which goes eight bytes at a time, the last eight overlapping. */
static bool utf8_ok(const uint8_t *s, size_t n)
{
	const uint8_t *end = s + n;

	if (n < 8)
		return is_modified_utf8(s, end);
	while (end - s > 8 && is_plain(s))
		s += 8;
	return (end - s <= 8 && is_plain(end - 8)) || is_modified_utf8(s, end);
}

/* Reads entry `index`; returns its tag, or 0 after a diagnostic. */
static unsigned scan_entry(struct parse *p, uint32_t index)
{
	const uint8_t *at = p->r.p;
	size_t left = reader_left(&p->r), offset = reader_offset(&p->r);
	unsigned tag = left ? at[0] : 0;

	if (left && (tag > CP_PACKAGE || !entry_size[tag]))
		return FAIL(p, E011, offset, "constant pool entry #%u has the unknown tag %u", index, tag);
	size_t size = left ? 1u + entry_size[tag] : 1;
	if (tag == CP_UTF8 && left >= 3)
		size += (size_t)(at[1] << 8 | at[2]);
	if (size > left)
		return FAIL(p, E011, offset, "file ends inside constant pool entry #%u", index);
	if (tag == CP_UTF8 && !utf8_ok(at + 3, size - 3))
		return FAIL(p, E011, offset, "constant pool entry #%u is not modified UTF-8", index);
	p->r.p += size;
	return tag;
}

/* First pass over the pool: where each entry is. */
static bool scan_pool(struct parse *p)
{
	uint32_t n = reader_u2(&p->r);

	/* The smallest entry has three bytes: a count that cannot be true must not cost memory. */
	if (n == 0 || (n - 1) * (size_t)3 > reader_left(&p->r))
		return FAIL(p, E011, 8, "a constant pool of %u entries does not fit in the file", n);
	uint32_t *cp = arena_array(p->mem, uint32_t, n);

	cp[0] = 0;
	p->cf->cp = cp;
	p->cf->ncp = (uint16_t)n;
	for (uint32_t i = 1; i < n; i++) {
		cp[i] = (uint32_t)reader_offset(&p->r);
		unsigned tag = scan_entry(p, i);

		if (!tag)
			return false;
		p->tags |= 1u << tag;
		if (tag != CP_LONG && tag != CP_DOUBLE)
			continue;
		if (++i == n)
			return FAIL(p, E011, cp[i - 1], "constant pool entry #%u needs two places", i - 1);
		cp[i] = 0;
	}
	return true;
}

static bool check_class_entry(struct parse *p, uint16_t i, uint32_t at)
{
	if (!expect_tag(p, cf_u2(p->cf, at + 1), CP_UTF8, at))
		return false;
	if (!name_is_class(cf_name(p->cf, i)))
		return FAIL(p, E011, at, "constant pool entry #%u is not a class name", i);
	return true;
}

static bool check_name_type(struct parse *p, uint16_t i, uint32_t at)
{
	uint16_t name = cf_u2(p->cf, at + 1), desc = cf_u2(p->cf, at + 3);

	if (!expect_tag(p, name, CP_UTF8, at) || !expect_tag(p, desc, CP_UTF8, at))
		return false;
	struct str n = cf_utf8(p->cf, name), d = cf_utf8(p->cf, desc);
	bool method = d.len && d.p[0] == '(';

	if (method ? !desc_is_method(d) : !desc_is_field(d))
		return FAIL(p, E016, at, "constant pool entry #%u has a malformed descriptor", i);
	if (method ? !name_is_method(n) : !name_is_field(n))
		return FAIL(p, E011, at, "constant pool entry #%u has an illegal name", i);
	return true;
}

/* Entries that refer to text only. */
static bool check_leaf(struct parse *p, uint16_t i, unsigned tag)
{
	uint32_t at = p->cf->cp[i];

	switch (tag) {
	case CP_CLASS:
		return check_class_entry(p, i, at);
	case CP_NAMETYPE:
		return check_name_type(p, i, at);
	case CP_METHODTYPE:
		if (!expect_tag(p, cf_u2(p->cf, at + 1), CP_UTF8, at))
			return false;
		if (!desc_is_method(cf_name(p->cf, i)))
			return FAIL(p, E016, at, "constant pool entry #%u has a malformed descriptor", i);
		return true;
	case CP_STRING: case CP_MODULE: case CP_PACKAGE:
		return expect_tag(p, cf_u2(p->cf, at + 1), CP_UTF8, at);
	default:
		return true;
	}
}

/* JVMS 4.4.2: a special method that is referred to is <init>, and returns nothing. */
static bool method_name_ok(struct cf_ref ref)
{
	return ref.name.p[0] != '<' || (str_eq(ref.name, STR("<init>")) && str_ends(ref.desc, ")V"));
}

/* Entries with a NameAndType, which check_leaf has seen before. */
static bool check_ref(struct parse *p, uint16_t i, unsigned tag)
{
	uint32_t at = p->cf->cp[i];
	bool dynamic = tag == CP_DYNAMIC || tag == CP_INVOKEDYNAMIC;

	if (!dynamic && (tag < CP_FIELD || tag > CP_IMETHOD))
		return true;
	if (!expect_tag(p, cf_u2(p->cf, at + 3), CP_NAMETYPE, at))
		return false;
	if (!dynamic && !expect_tag(p, cf_u2(p->cf, at + 1), CP_CLASS, at))
		return false;
	struct cf_ref ref = cf_ref(p->cf, i);

	if ((ref.desc.p[0] == '(') != (tag != CP_FIELD && tag != CP_DYNAMIC))
		return FAIL(p, E016, at, "the descriptor of constant pool entry #%u does not suit a %s", i,
			    tag_names[tag]);
	if ((tag == CP_METHOD || tag == CP_IMETHOD) && !method_name_ok(ref))
		return FAIL(p, E011, at, "constant pool entry #%u refers to an illegal special method", i);
	return true;
}

/* JVMS 4.4.8: what each kind of handle may refer to. */
static bool handle_ok(const struct parse *p, struct cf_handle h)
{
	unsigned tag = cf_tag(p->cf, h.ref);
	bool special = tag >= CP_FIELD && tag <= CP_IMETHOD && cf_ref(p->cf, h.ref).name.p[0] == '<';

	switch (h.kind) {
	case 1: case 2: case 3: case 4:
		return tag == CP_FIELD;
	case 5:
		return tag == CP_METHOD && !special;
	case 6: case 7:
		return (tag == CP_METHOD || (tag == CP_IMETHOD && p->cf->major >= JAVA_8)) && !special;
	case 8:
		return tag == CP_METHOD && special;
	case 9:
		return tag == CP_IMETHOD && !special;
	default:
		return false;
	}
}

static bool check_handle(struct parse *p, uint16_t i, unsigned tag)
{
	if (tag != CP_HANDLE)
		return true;
	struct cf_handle h = cf_handle(p->cf, i);

	if (!handle_ok(p, h))
		return FAIL(p, E012, p->cf->cp[i], "constant pool entry #%u is a method handle of kind %u to #%u (%s)", i,
			    h.kind, h.ref, tag_names[cf_tag(p->cf, h.ref)]);
	return true;
}

/* Second pass over the pool: references, innermost first so that each check may rely on the last. */
static bool check_pool(struct parse *p)
{
	static bool (*const checks[])(struct parse *, uint16_t, unsigned) = { check_leaf, check_ref, check_handle };
	size_t n = p->tags & 1u << CP_HANDLE ? 3 : 2;

	for (size_t c = 0; c < n; c++)
		for (uint32_t i = 1; i < p->cf->ncp; i++)
			if (!checks[c](p, (uint16_t)i, cf_tag(p->cf, (uint16_t)i)))
				return false;
	return true;
}

/* Rows of BootstrapMethods are known only at the end of the file. */
static bool check_dynamic(struct parse *p)
{
	const struct classfile *cf = p->cf;

	if (!(p->tags & (1u << CP_DYNAMIC | 1u << CP_INVOKEDYNAMIC)))
		return true;
	for (uint32_t i = 1; i < cf->ncp; i++) {
		unsigned tag = cf_tag(cf, (uint16_t)i);

		if ((tag == CP_DYNAMIC || tag == CP_INVOKEDYNAMIC) && cf_u2(cf, cf->cp[i] + 1) >= cf->nbootstrap)
			return FAIL(p, E011, cf->cp[i], "constant pool entry #%u names a bootstrap method that is missing",
				    i);
	}
	return true;
}

static bool parse_header(struct parse *p)
{
	if (p->cf->bytes.len > UINT32_MAX)
		return FAIL(p, E010, 0, "the file is larger than 4 GB");
	if (reader_u4(&p->r) != MAGIC)
		return FAIL(p, E010, 0, "the file does not begin with CAFEBABE");
	p->cf->minor = reader_u2(&p->r);
	p->cf->major = reader_u2(&p->r);
	if (p->r.failed)
		return FAIL(p, E011, 4, "file ends inside the version");
	if (p->cf->major < OLDEST_MAJOR)
		return FAIL(p, E011, 4, "class file version %u.%u does not exist", p->cf->major, p->cf->minor);
	if (p->cf->major > CF_KNOWN_MAJOR)
		diag_add(p->d, DIAG_W013, p->artifact, p->item, 4, "class file version %u is newer than %u, the newest known",
			 p->cf->major, CF_KNOWN_MAJOR);
	return true;
}

/* A Class entry that is not an array. */
static bool expect_plain_class(struct parse *p, uint16_t index, size_t offset)
{
	if (!expect_tag(p, index, CP_CLASS, offset))
		return false;
	if (cf_name(p->cf, index).p[0] == '[')
		return FAIL(p, E011, offset, "an array type cannot be named here");
	return true;
}

/* JVMS 4.1, as far as the JVM insists: combinations that mean nothing. */
static bool class_flags_ok(const struct classfile *cf)
{
	bool interface = cf->access & ACC_INTERFACE, strict = cf->major >= JAVA_5;
	bool abstract = (cf->access & ACC_ABSTRACT) || (interface && cf->major < JAVA_6);

	if (cf->access & ACC_MODULE)
		return true;
	if (abstract && (cf->access & ACC_FINAL))
		return false;
	if (interface && (!abstract || (strict && (cf->access & (ACC_SUPER | ACC_ENUM)))))
		return false;
	return interface || !strict || !(cf->access & ACC_ANNOTATION);
}

static bool check_super(struct parse *p, size_t offset)
{
	const struct classfile *cf = p->cf;

	if (cf->super_class == 0) {
		if (!(cf->access & ACC_MODULE) && !str_eq(cf_name(cf, cf->this_class), STR("java/lang/Object")))
			return FAIL(p, E011, offset, "the class has no superclass");
		return true;
	}
	if (!expect_plain_class(p, cf->super_class, offset))
		return false;
	if ((cf->access & ACC_INTERFACE) && !str_eq(cf_name(cf, cf->super_class), STR("java/lang/Object")))
		return FAIL(p, E011, offset, "the superclass of an interface is not java/lang/Object");
	return true;
}

static bool parse_interfaces(struct parse *p)
{
	uint32_t n = reader_count(&p->r, 2);
	uint16_t *list = arena_array(p->mem, uint16_t, n);

	p->cf->interfaces = list;
	p->cf->ninterfaces = (uint16_t)n;
	for (uint32_t i = 0; i < n; i++) {
		list[i] = reader_u2(&p->r);
		if (!expect_plain_class(p, list[i], reader_offset(&p->r) - 2))
			return false;
	}
	return true;
}

static bool parse_class(struct parse *p)
{
	struct classfile *cf = p->cf;
	size_t at = reader_offset(&p->r);

	cf->access = reader_u2(&p->r);
	cf->this_class = reader_u2(&p->r);
	cf->super_class = reader_u2(&p->r);
	if (p->r.failed)
		return FAIL(p, E011, at, "file ends after the constant pool");
	if (!expect_plain_class(p, cf->this_class, at + 2) || !check_super(p, at + 4))
		return false;
	if (!class_flags_ok(cf))
		return FAIL(p, E011, at, "class flags 0x%04x contradict each other", cf->access);
	return parse_interfaces(p);
}

static bool check_field(struct parse *p, const struct cf_member *m, size_t at)
{
	if (!name_is_field(cf_utf8(p->cf, m->name)))
		return FAIL(p, E011, at, "a field has an illegal name");
	if (!desc_is_field(cf_utf8(p->cf, m->desc)))
		return FAIL(p, E016, at, "the descriptor of a field is malformed");
	return true;
}

static bool check_method(struct parse *p, const struct cf_member *m, size_t at)
{
	struct str name = cf_utf8(p->cf, m->name), desc = cf_utf8(p->cf, m->desc);

	if (!name_is_method(name))
		return FAIL(p, E011, at, "a method has an illegal name");
	if (!desc_is_method(desc) || (str_eq(name, STR("<init>")) && !str_ends(desc, ")V")))
		return FAIL(p, E016, at, "the descriptor of a method is malformed");
	if (desc_param_words(desc) + !(m->access & ACC_STATIC) > DESC_MAX_WORDS)
		return FAIL(p, E016, at, "a method has more than %d words of parameters", DESC_MAX_WORDS);
	return true;
}

/* The JVM disregards these flags on a class initialiser. */
static bool has_body(const struct classfile *cf, const struct cf_member *m)
{
	return !(m->access & (ACC_ABSTRACT | ACC_NATIVE)) || str_eq(cf_utf8(cf, m->name), STR("<clinit>"));
}

static bool parse_member(struct parse *p, struct cf_member *m, enum attr_place place)
{
	size_t at = reader_offset(&p->r);

	m->access = reader_u2(&p->r);
	m->name = reader_u2(&p->r);
	m->desc = reader_u2(&p->r);
	m->attrs = (uint32_t)reader_offset(&p->r);
	m->code = 0;
	if (p->r.failed)
		return FAIL(p, E011, at, "file ends inside a %s", place == IN_FIELD ? "field" : "method");
	if (!expect_tag(p, m->name, CP_UTF8, at + 2) || !expect_tag(p, m->desc, CP_UTF8, at + 4))
		return false;
	if (!(place == IN_FIELD ? check_field : check_method)(p, m, at) || !parse_attributes(p, &p->r, place, m))
		return false;
	if (place == IN_METHOD && (m->code != 0) != has_body(p->cf, m))
		return FAIL(p, E011, at, m->code ? "an abstract or native method has code" : "a method has no code");
	return true;
}

static bool parse_members(struct parse *p, enum attr_place place, const struct cf_member **out, uint16_t *count)
{
	size_t at = reader_offset(&p->r);
	uint32_t n = reader_count(&p->r, 8);

	if (p->r.failed)
		return FAIL(p, E011, at, "the count of %s does not fit in the file",
			    place == IN_FIELD ? "fields" : "methods");
	struct cf_member *list = arena_array(p->mem, struct cf_member, n);

	*out = list;
	*count = (uint16_t)n;
	for (uint32_t i = 0; i < n; i++)
		if (!parse_member(p, &list[i], place))
			return false;
	return true;
}

bool classfile_parse(struct classfile *cf, struct span bytes, struct arena *mem, const char *artifact,
		     struct str item, struct diag *d)
{
	struct parse p = { cf, reader_of(bytes), mem, artifact, item, d, 0, 0 };

	*cf = (struct classfile){ .bytes = bytes };
	if (!parse_header(&p) || !scan_pool(&p) || !check_pool(&p) || !parse_class(&p))
		return false;
	if (!parse_members(&p, IN_FIELD, &cf->fields, &cf->nfields) ||
	    !parse_members(&p, IN_METHOD, &cf->methods, &cf->nmethods))
		return false;
	cf->attrs = (uint32_t)reader_offset(&p.r);
	if (!parse_attributes(&p, &p.r, IN_CLASS_FILE, NULL) || !check_dynamic(&p))
		return false;
	if (reader_left(&p.r))
		return FAIL(&p, E011, reader_offset(&p.r), "%zu bytes follow the class", reader_left(&p.r));
	return true;
}

struct cf_ref cf_ref(const struct classfile *cf, uint16_t i)
{
	uint32_t at = cf->cp[i], nt = cf->cp[cf_u2(cf, at + 3)];
	uint16_t first = cf_u2(cf, at + 1);
	bool dynamic = cf->bytes.p[at] == CP_DYNAMIC || cf->bytes.p[at] == CP_INVOKEDYNAMIC;

	return (struct cf_ref){
		.owner = dynamic ? 0 : first,
		.bootstrap = dynamic ? first : 0,
		.name = cf_utf8(cf, cf_u2(cf, nt + 1)),
		.desc = cf_utf8(cf, cf_u2(cf, nt + 3)),
	};
}

int32_t cf_int(const struct classfile *cf, uint16_t i)
{
	return (int32_t)cf_u4(cf, cf->cp[i] + 1);
}

int64_t cf_long(const struct classfile *cf, uint16_t i)
{
	return (int64_t)((uint64_t)cf_u4(cf, cf->cp[i] + 1) << 32 | cf_u4(cf, cf->cp[i] + 5));
}

float cf_float(const struct classfile *cf, uint16_t i)
{
	uint32_t bits = cf_u4(cf, cf->cp[i] + 1);
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

double cf_double(const struct classfile *cf, uint16_t i)
{
	int64_t bits = cf_long(cf, i);
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

struct cf_handle cf_handle(const struct classfile *cf, uint16_t i)
{
	return (struct cf_handle){ cf->bytes.p[cf->cp[i] + 1], cf_u2(cf, cf->cp[i] + 2) };
}
