// SPDX-License-Identifier: Apache-2.0
// links: base formats/classfile
/* test_classfile.c - class files written here byte by byte, so that each field can lie. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "classfile_outcome.h"

static const char *first_code(const struct outcome *o)
{
	return o->d.entries.len ? diag_name(o->d.entries.data[0].code) : "none";
}

/* Writing class files. */

static void u1(struct strbuf *b, unsigned v)
{
	strbuf_addch(b, (char)(v & 0xff));
}

static void u2(struct strbuf *b, unsigned v)
{
	u1(b, v >> 8);
	u1(b, v);
}

static void u4(struct strbuf *b, uint32_t v)
{
	u2(b, v >> 16);
	u2(b, v & 0xffff);
}

static void utf8(struct strbuf *b, const char *s)
{
	u1(b, CP_UTF8);
	u2(b, (unsigned)strlen(s));
	strbuf_adds(b, s);
}

static void entry1(struct strbuf *b, unsigned tag, unsigned x)
{
	u1(b, tag);
	u2(b, x);
}

static void entry2(struct strbuf *b, unsigned tag, unsigned x, unsigned y)
{
	entry1(b, tag, x);
	u2(b, y);
}

static void handle(struct strbuf *b, unsigned kind, unsigned ref)
{
	u1(b, CP_HANDLE);
	u1(b, kind);
	u2(b, ref);
}

/* The parts of a class file under test. Unset parts are those of a small valid class, whose pool begins with
 * 1 Class A, 2 Utf8 "A", 3 Class Object, 4 Utf8 "java/lang/Object", 5 Utf8 "Code", 6 Utf8 "m", 7 Utf8 "()V",
 * 8 Utf8 "I", 9 NameAndType m()V, 10 Methodref A.m()V, 11 NameAndType m:I, 12 Fieldref A.m:I */
#define BASE_POOL 13
struct made {
	unsigned major, access, super, count;   /* count: of entries in `pool` */
	struct strbuf pool, fields, methods, attrs;
	unsigned nfields, nmethods, nattrs;
	struct strbuf out;
};

static void put_base_pool(struct strbuf *b)
{
	entry1(b, CP_CLASS, 2);
	utf8(b, "A");
	entry1(b, CP_CLASS, 4);
	utf8(b, "java/lang/Object");
	utf8(b, "Code");
	utf8(b, "m");
	utf8(b, "()V");
	utf8(b, "I");
	entry2(b, CP_NAMETYPE, 6, 7);
	entry2(b, CP_METHOD, 1, 9);
	entry2(b, CP_NAMETYPE, 6, 8);
	entry2(b, CP_FIELD, 1, 11);
}

static void put_body(struct made *m)
{
	struct strbuf *b = &m->out;

	u2(b, m->access ? m->access : ACC_SUPER);
	u2(b, 1);
	u2(b, m->super ? m->super : 3);
	u2(b, 0);
	u2(b, m->nfields);
	strbuf_add(b, m->fields.s, m->fields.len);
	u2(b, m->nmethods);
	strbuf_add(b, m->methods.s, m->methods.len);
	u2(b, m->nattrs);
	strbuf_add(b, m->attrs.s, m->attrs.len);
}

static void finish(struct made *m, struct outcome *o)
{
	struct strbuf *b = &m->out;

	u4(b, 0xcafebabe);
	u2(b, 0);
	u2(b, m->major ? m->major : 61);
	u2(b, BASE_POOL + m->count);
	put_base_pool(b);
	strbuf_add(b, m->pool.s, m->pool.len);
	put_body(m);
	parse(o, b->s, b->len);
	strbuf_release(&m->pool);
	strbuf_release(&m->fields);
	strbuf_release(&m->methods);
	strbuf_release(&m->attrs);
	strbuf_release(b);
}

static void expect(struct made *m, const char *code)
{
	struct outcome o;

	finish(m, &o);
	assert_string_equal(first_code(&o), code);
	assert_int_equal(o.ok, strcmp(code, "none") == 0);
	if (o.ok)
		classfile_walk(&o.cf);
	release(&o);
}

/* A class whose pool has one more entry: tag and bytes. */
static void expect_entry(const char *code, unsigned tag, const char *bytes, size_t n)
{
	struct made m = { .count = 1 };

	u1(&m.pool, tag);
	strbuf_add(&m.pool, bytes, n);
	expect(&m, code);
}
#define EXPECT_ENTRY(code, tag, bytes) expect_entry(code, tag, bytes, sizeof(bytes) - 1)

static void test_smallest(void **state)
{
	struct made m = { 0 };
	struct outcome o;

	(void)state;
	finish(&m, &o);
	assert_true(o.ok);
	assert_int_equal(o.d.entries.len, 0);
	assert_int_equal(o.cf.major, 61);
	assert_int_equal(o.cf.ncp, BASE_POOL);
	assert_true(str_is(cf_name(&o.cf, o.cf.this_class), "A"));
	assert_true(str_is(cf_name(&o.cf, o.cf.super_class), "java/lang/Object"));
	assert_true(str_is(cf_ref(&o.cf, 12).desc, "I"));
	assert_int_equal(cf_ref(&o.cf, 10).owner, 1);
	assert_int_equal(cf_tag(&o.cf, 0), 0);
	assert_int_equal(cf_tag(&o.cf, BASE_POOL), 0);
	assert_int_equal(cf_tag(&o.cf, 65535), 0);
	release(&o);
}

static void test_header(void **state)
{
	static const char magic[] = "\xca\xfe\xba\xbf\0\0\0\x3d\0\1";
	struct outcome o;
	struct made old = { .major = 44 }, oldest = { .major = 45 }, newer = { .major = 70 };

	(void)state;
	parse(&o, magic, sizeof(magic) - 1);
	assert_string_equal(first_code(&o), "E010");
	release(&o);
	expect(&old, "E011");
	expect(&oldest, "none");
	finish(&newer, &o);
	assert_true(o.ok);
	assert_string_equal(first_code(&o), "W013");
	assert_int_equal(o.d.entries.len, 1);
	release(&o);
}

static void test_diagnostic_names_the_place(void **state)
{
	struct made m = { .super = 2 };
	struct outcome o;
	struct strbuf text = { 0 };

	(void)state;
	finish(&m, &o);
	assert_false(o.ok);
	diag_render(&o.d.entries.data[0], &text);
	assert_non_null(strstr(text.s, "test.jar!Test: "));
	assert_non_null(strstr(text.s, "error[E012]: constant pool entry #2 is Utf8 instead of Class"));
	strbuf_release(&text);
	release(&o);
}

static void test_pool_kinds(void **state)
{
	(void)state;
	EXPECT_ENTRY("none", CP_INTEGER, "\0\0\0\1");
	EXPECT_ENTRY("none", CP_STRING, "\0\2");
	EXPECT_ENTRY("E012", CP_STRING, "\0\1");
	EXPECT_ENTRY("E012", CP_STRING, "\0\0");
	EXPECT_ENTRY("E012", CP_STRING, "\xff\xff");
	EXPECT_ENTRY("E012", CP_CLASS, "\0\3");
	EXPECT_ENTRY("E016", CP_METHODTYPE, "\0\2");
	EXPECT_ENTRY("none", CP_METHODTYPE, "\0\7");
	EXPECT_ENTRY("E012", CP_METHOD, "\0\2\0\x09");
	EXPECT_ENTRY("E012", CP_METHOD, "\0\1\0\x0a");
	EXPECT_ENTRY("E016", CP_METHOD, "\0\1\0\x0b");
	EXPECT_ENTRY("E016", CP_FIELD, "\0\1\0\x09");
	EXPECT_ENTRY("none", CP_IMETHOD, "\0\1\0\x09");
	EXPECT_ENTRY("E011", CP_LONG, "\0\0\0\0\0\0\0\1");      /* needs two places */
	EXPECT_ENTRY("E011", 2, "\0\2");
	EXPECT_ENTRY("E011", 13, "\0\2");
	EXPECT_ENTRY("E011", 21, "\0\2");
	EXPECT_ENTRY("E011", 0, "\0\2");
	EXPECT_ENTRY("E011", CP_DYNAMIC, "\0\0\0\x0b");         /* no such bootstrap method */
	EXPECT_ENTRY("E016", CP_INVOKEDYNAMIC, "\0\0\0\x0b");
}

static void test_handles(void **state)
{
	(void)state;
	EXPECT_ENTRY("none", CP_HANDLE, "\1\0\x0c");
	EXPECT_ENTRY("none", CP_HANDLE, "\6\0\x0a");
	EXPECT_ENTRY("none", CP_HANDLE, "\5\0\x0a");
	EXPECT_ENTRY("E012", CP_HANDLE, "\1\0\x0a");
	EXPECT_ENTRY("E012", CP_HANDLE, "\5\0\x0c");
	EXPECT_ENTRY("E012", CP_HANDLE, "\x08\0\x0a");          /* not a constructor */
	EXPECT_ENTRY("E012", CP_HANDLE, "\x09\0\x0a");          /* not of an interface */
	EXPECT_ENTRY("E012", CP_HANDLE, "\0\0\x0a");
	EXPECT_ENTRY("E012", CP_HANDLE, "\x0a\0\x0a");
	EXPECT_ENTRY("E012", CP_HANDLE, "\6\0\0");
}

static void test_utf8(void **state)
{
	(void)state;
	EXPECT_ENTRY("none", CP_UTF8, "\0\0");
	EXPECT_ENTRY("none", CP_UTF8, "\0\5\xc0\x80\xe2\x82\xac");
	EXPECT_ENTRY("none", CP_UTF8, "\0\x11" "0123456789abcdefg");
	EXPECT_ENTRY("E011", CP_UTF8, "\0\x11" "0123456789abcdef\0");
	EXPECT_ENTRY("E011", CP_UTF8, "\0\x11" "\0" "123456789abcdefg");
	EXPECT_ENTRY("E011", CP_UTF8, "\0\x10" "0123456789abcde\xff");
	EXPECT_ENTRY("E011", CP_UTF8, "\0\x08" "0123456\xc3");
	EXPECT_ENTRY("E011", CP_UTF8, "\0\1\0");
	EXPECT_ENTRY("E011", CP_UTF8, "\0\1\x80");
	EXPECT_ENTRY("E011", CP_UTF8, "\0\4\xf0\x9f\x98\x80");
	EXPECT_ENTRY("E011", CP_UTF8, "\0\2\xe2\x82");
	EXPECT_ENTRY("E011", CP_UTF8, "\0\3\xe2\x82" "a");
	EXPECT_ENTRY("E011", CP_UTF8, "\xff\xff" "cut");
}

static void expect_class_name(const char *code, const char *name)
{
	struct made m = { .count = 2 };

	utf8(&m.pool, name);
	entry1(&m.pool, CP_CLASS, BASE_POOL);
	expect(&m, code);
}

static void test_class_names(void **state)
{
	(void)state;
	expect_class_name("none", "a/b$c");
	expect_class_name("none", "[[La/b;");
	expect_class_name("none", "package-info");
	expect_class_name("none", "<odd>");
	expect_class_name("E011", "");
	expect_class_name("E011", "a.b");
	expect_class_name("E011", "La/b;");
	expect_class_name("E011", "/a");
	expect_class_name("E011", "a/");
	expect_class_name("E011", "a//b");
	expect_class_name("E011", "[a/b");
	expect_class_name("E011", "[V");
	expect_class_name("E011", "a[");
}

static void expect_name_type(const char *code, const char *name, const char *desc)
{
	struct made m = { .count = 4 };

	utf8(&m.pool, name);
	utf8(&m.pool, desc);
	entry2(&m.pool, CP_NAMETYPE, BASE_POOL, BASE_POOL + 1);
	entry2(&m.pool, desc[0] == '(' ? CP_METHOD : CP_FIELD, 1, BASE_POOL + 2);
	expect(&m, code);
}

static void test_member_names(void **state)
{
	(void)state;
	expect_name_type("none", "<init>", "()V");
	expect_name_type("none", "<odd>", "I");
	expect_name_type("E011", "<init>", "()I");
	expect_name_type("E011", "<clinit>", "()V");
	expect_name_type("E011", "<odd>", "()V");
	expect_name_type("E011", "a>", "()V");
	expect_name_type("E011", "", "()V");
	expect_name_type("E011", "", "I");
	expect_name_type("E011", "a/b", "I");
	expect_name_type("E011", "a.b", "()V");
	expect_name_type("E016", "a", "");
	expect_name_type("E016", "a", "V");
	expect_name_type("E016", "a", "(V)V");
}

/* Methods. */

static void put_method(struct made *m, unsigned access, unsigned name, unsigned desc, unsigned nattrs)
{
	u2(&m->methods, access);
	u2(&m->methods, name);
	u2(&m->methods, desc);
	u2(&m->methods, nattrs);
	m->nmethods++;
}

struct code {
	unsigned stack, locals;
	const char *bytes;
	size_t len;
	unsigned start, end, target, type;      /* a handler, when end > 0 or target > 0 */
	const struct strbuf *attrs;
	unsigned nattrs;
};

static void put_code(struct made *m, const struct code *c)
{
	struct strbuf *b = &m->methods;
	unsigned handlers = c->end || c->target;

	u2(b, 5);
	u4(b, (uint32_t)(12 + c->len + 8 * handlers + (c->attrs ? c->attrs->len : 0)));
	u2(b, c->stack);
	u2(b, c->locals);
	u4(b, (uint32_t)c->len);
	strbuf_add(b, c->bytes, c->len);
	u2(b, handlers);
	if (handlers) {
		u2(b, c->start);
		u2(b, c->end);
		u2(b, c->target);
		u2(b, c->type);
	}
	u2(b, c->nattrs);
	if (c->attrs)
		strbuf_add(b, c->attrs->s, c->attrs->len);
}

static void expect_code(const char *code, struct code c)
{
	struct made m = { 0 };

	put_method(&m, ACC_STATIC, 6, 7, 1);
	put_code(&m, &c);
	expect(&m, code);
}
#define NOPS(n) .bytes = "\0\0\0\0\0\0\0\xb1", .len = n

static void test_code(void **state)
{
	char *big = mem_zalloc(65536);

	(void)state;
	expect_code("none", (struct code){ NOPS(8) });
	expect_code("E011", (struct code){ NOPS(0) });
	expect_code("none", (struct code){ .bytes = big, .len = 65535 });
	expect_code("E011", (struct code){ .bytes = big, .len = 65536 });
	expect_code("none", (struct code){ NOPS(8), .start = 0, .end = 8, .target = 7 });
	expect_code("none", (struct code){ NOPS(8), .start = 0, .end = 8, .target = 7, .type = 3 });
	expect_code("E012", (struct code){ NOPS(8), .start = 0, .end = 8, .target = 7, .type = 2 });
	expect_code("E011", (struct code){ NOPS(8), .start = 0, .end = 9, .target = 7 });
	expect_code("E011", (struct code){ NOPS(8), .start = 4, .end = 4, .target = 7 });
	expect_code("E011", (struct code){ NOPS(8), .start = 0, .end = 8, .target = 8 });
	free(big);
}

static void test_code_presence(void **state)
{
	struct code body = { NOPS(8), .locals = 1 };
	struct made none = { 0 }, abstract = { .access = ACC_ABSTRACT | ACC_SUPER }, with = { 0 }, twice = { 0 };
	struct made tight = { 0 };

	(void)state;
	put_method(&none, 0, 6, 7, 0);
	expect(&none, "E011");
	put_method(&abstract, ACC_ABSTRACT, 6, 7, 0);
	expect(&abstract, "none");
	put_method(&with, ACC_NATIVE, 6, 7, 1);
	put_code(&with, &body);
	expect(&with, "E011");
	put_method(&twice, 0, 6, 7, 2);
	put_code(&twice, &body);
	put_code(&twice, &body);
	expect(&twice, "E011");
	put_method(&tight, 0, 6, 7, 1);
	put_code(&tight, &(struct code){ NOPS(8) });
	expect(&tight, "E011");         /* `this` needs a local */
}

static void test_members(void **state)
{
	struct made field = { .nfields = 1 }, bad_desc = { .nfields = 1 }, bad_name = { .nfields = 1 };
	struct made method = { 0 }, huge = { .nfields = 65535 };

	(void)state;
	u2(&field.fields, 0), u2(&field.fields, 6), u2(&field.fields, 8), u2(&field.fields, 0);
	expect(&field, "none");
	u2(&bad_desc.fields, 0), u2(&bad_desc.fields, 6), u2(&bad_desc.fields, 7), u2(&bad_desc.fields, 0);
	expect(&bad_desc, "E016");
	u2(&bad_name.fields, 0), u2(&bad_name.fields, 4), u2(&bad_name.fields, 8), u2(&bad_name.fields, 0);
	expect(&bad_name, "E011");
	put_method(&method, ACC_ABSTRACT, 6, 8, 0);
	expect(&method, "E016");
	expect(&huge, "E011");
}

static void test_class_flags(void **state)
{
	struct made both = { .access = ACC_ABSTRACT | ACC_FINAL }, interface = { .access = ACC_INTERFACE | ACC_ABSTRACT };
	struct made plain = { .access = ACC_INTERFACE }, older = { .access = ACC_INTERFACE, .major = 49 };
	struct made note = { .access = ACC_ANNOTATION }, own = { .access = ACC_INTERFACE | ACC_ABSTRACT, .super = 1 };

	(void)state;
	expect(&both, "E011");
	expect(&interface, "none");
	expect(&plain, "E011");
	expect(&older, "none");
	expect(&note, "E011");
	expect(&own, "E011");
}

static void put_attr(struct strbuf *b, unsigned name, const char *bytes, size_t n)
{
	u2(b, name);
	u4(b, (uint32_t)n);
	strbuf_add(b, bytes, n);
}

/* A class with one attribute of this name and body. */
static void expect_attr(const char *code, const char *name, const char *bytes, size_t n)
{
	struct made m = { .count = 1, .nattrs = 1 };

	utf8(&m.pool, name);
	put_attr(&m.attrs, BASE_POOL, bytes, n);
	expect(&m, code);
}
#define EXPECT_ATTR(code, name, bytes) expect_attr(code, name, bytes, sizeof(bytes) - 1)

static void test_class_attributes(void **state)
{
	(void)state;
	EXPECT_ATTR("none", "Unknown", "anything");
	EXPECT_ATTR("none", "Code", "means nothing here");
	EXPECT_ATTR("none", "Signature", "\0\2");
	EXPECT_ATTR("E012", "Signature", "\0\1");
	EXPECT_ATTR("E011", "Signature", "\0\2\0");
	EXPECT_ATTR("E011", "Signature", "\0");
	EXPECT_ATTR("none", "InnerClasses", "\0\1\0\1\0\0\0\0\0\0");
	EXPECT_ATTR("E012", "InnerClasses", "\0\1\0\1\0\2\0\0\0\0");
	EXPECT_ATTR("E011", "InnerClasses", "\0\2\0\1\0\0\0\0\0\0");
	EXPECT_ATTR("E011", "InnerClasses", "\xff\xff\0\1\0\0\0\0\0\0");
	EXPECT_ATTR("none", "EnclosingMethod", "\0\1\0\x09");
	EXPECT_ATTR("E012", "EnclosingMethod", "\0\1\0\x0a");
	EXPECT_ATTR("E012", "EnclosingMethod", "\0\0\0\0");
	EXPECT_ATTR("none", "NestHost", "\0\3");
	EXPECT_ATTR("E012", "NestMembers", "\0\2\0\1\0\2");
	EXPECT_ATTR("none", "PermittedSubclasses", "\0\0");
	EXPECT_ATTR("none", "Record", "\0\1\0\6\0\x08\0\0");
	EXPECT_ATTR("E016", "Record", "\0\1\0\6\0\7\0\0");
	EXPECT_ATTR("E011", "Record", "\0\1\0\6\0\x08\0\1");
	EXPECT_ATTR("none", "Module", "not in a module");
}

static void test_older_files_lack_attributes(void **state)
{
	struct made m = { .major = 54, .count = 1, .nattrs = 1 };
	struct outcome o;

	(void)state;
	utf8(&m.pool, "NestHost");
	put_attr(&m.attrs, BASE_POOL, "lies", 4);
	finish(&m, &o);
	assert_true(o.ok);
	assert_int_equal(cf_nest_host(&o.cf), 0);
	release(&o);
}

static void test_attribute_lengths(void **state)
{
	struct made m = { .count = 1, .nattrs = 1 }, two = { .count = 1, .nattrs = 2 };

	(void)state;
	utf8(&m.pool, "Unknown");
	u2(&m.attrs, BASE_POOL);
	u4(&m.attrs, 0xffffffff);
	expect(&m, "E011");
	utf8(&two.pool, "SourceFile");
	put_attr(&two.attrs, BASE_POOL, "\0\2", 2);
	put_attr(&two.attrs, BASE_POOL, "\0\2", 2);
	expect(&two, "E011");
}

static void expect_bootstrap(const char *code, unsigned row, const char *bytes, size_t n)
{
	struct made m = { .count = 3, .nattrs = 1 };

	utf8(&m.pool, "BootstrapMethods");
	handle(&m.pool, 6, 10);
	entry2(&m.pool, CP_INVOKEDYNAMIC, row, 9);
	put_attr(&m.attrs, BASE_POOL, bytes, n);
	expect(&m, code);
}

static void test_bootstrap(void **state)
{
	(void)state;
	expect_bootstrap("none", 0, "\0\1\0\x0e\0\1\0\1", 8);
	expect_bootstrap("none", 1, "\0\2\0\x0e\0\1\0\1\0\x0e\0\0", 12);
	expect_bootstrap("E011", 1, "\0\1\0\x0e\0\1\0\1", 8);           /* no such row */
	expect_bootstrap("E012", 0, "\0\1\0\x0a\0\0", 6);               /* no handle */
	expect_bootstrap("E012", 0, "\0\1\0\x0e\0\1\0\2", 8);           /* Utf8 is not loadable */
	expect_bootstrap("E012", 0, "\0\1\0\x0e\0\1\0\x0c", 8);         /* nor is Fieldref */
	expect_bootstrap("E011", 0, "\0\1\0\x0e\0\2\0\1", 8);           /* too short */
	expect_bootstrap("E011", 0, "\0\1\0\x0e\0\0\0", 7);             /* too long */
}

/* A method of eight bytes of code with one attribute of its code. */
static void expect_code_attr(const char *code, unsigned major, const char *name, const char *bytes, size_t n)
{
	struct made m = { .major = major, .count = 1 };
	struct strbuf attrs = { 0 };

	utf8(&m.pool, name);
	put_attr(&attrs, BASE_POOL, bytes, n);
	put_method(&m, ACC_STATIC, 6, 7, 1);
	put_code(&m, &(struct code){ NOPS(8), .attrs = &attrs, .nattrs = 1 });
	strbuf_release(&attrs);
	expect(&m, code);
}
#define EXPECT_CODE_ATTR(code, major, name, bytes) expect_code_attr(code, major, name, bytes, sizeof(bytes) - 1)

static void test_code_attributes(void **state)
{
	(void)state;
	EXPECT_CODE_ATTR("none", 61, "LineNumberTable", "\0\1\0\7\0\1");
	EXPECT_CODE_ATTR("E011", 61, "LineNumberTable", "\0\1\0\x08\0\1");
	EXPECT_CODE_ATTR("E011", 61, "LineNumberTable", "\0\2\0\0\0\1");
	EXPECT_CODE_ATTR("none", 61, "LocalVariableTable", "\0\1\0\0\0\x08\0\6\0\x08\0\0");
	EXPECT_CODE_ATTR("E011", 61, "LocalVariableTable", "\0\1\0\1\0\x08\0\6\0\x08\0\0");
	EXPECT_CODE_ATTR("E012", 61, "LocalVariableTable", "\0\1\0\0\0\x08\0\1\0\x08\0\0");
	EXPECT_CODE_ATTR("E016", 61, "LocalVariableTable", "\0\1\0\0\0\x08\0\6\0\7\0\0");
	EXPECT_CODE_ATTR("none", 61, "StackMapTable", "\0\2\3\2");
	EXPECT_CODE_ATTR("E011", 61, "StackMapTable", "\0\2\3\6");              /* beyond the code */
	EXPECT_CODE_ATTR("E011", 61, "StackMapTable", "\0\2\3");
	EXPECT_CODE_ATTR("E011", 61, "StackMapTable", "\0\1\3\3");
	EXPECT_CODE_ATTR("E011", 61, "StackMapTable", "\0\1\x80\0\0");          /* reserved */
	EXPECT_CODE_ATTR("none", 61, "StackMapTable", "\0\1\x43\7\0\1");
	EXPECT_CODE_ATTR("E011", 61, "StackMapTable", "\0\1\x43\7\0\2");
	EXPECT_CODE_ATTR("E011", 61, "StackMapTable", "\0\1\x43\x09");
	EXPECT_CODE_ATTR("none", 61, "StackMapTable", "\0\1\xff\0\1\0\2\1\x08\0\0\0\1\5");
	EXPECT_CODE_ATTR("E011", 61, "StackMapTable", "\0\1\xff\0\1\xff\xff\1\x08\0\0\0\1\5");
	EXPECT_CODE_ATTR("none", 50, "StackMapTable", "\0\2\3\6");
	EXPECT_CODE_ATTR("none", 49, "StackMapTable", "means nothing");
}

/* Counts at their limits. */

static void test_largest_pool(void **state)
{
	struct made m = { .count = 65535 - BASE_POOL };
	struct outcome o;

	(void)state;
	for (unsigned i = 0; i < m.count; i++)
		entry1(&m.pool, CP_STRING, 2);
	finish(&m, &o);
	assert_true(o.ok);
	assert_int_equal(o.cf.ncp, 65535);
	assert_true(str_is(cf_name(&o.cf, 65534), "A"));
	release(&o);
}

static void test_impossible_counts_cost_nothing(void **state)
{
	static const char bytes[] = "\xca\xfe\xba\xbe\0\0\0\x3d\xff\xff\7\0\2\1\0\1A";
	struct outcome o;

	(void)state;
	parse(&o, bytes, sizeof(bytes) - 1);
	assert_string_equal(first_code(&o), "E011");
	assert_true(o.mem.used < 1000);
	release(&o);
}

static void test_trailing_bytes(void **state)
{
	struct made m = { .nattrs = 0 };

	(void)state;
	strbuf_addch(&m.attrs, 0);
	expect(&m, "E011");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_smallest),
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_diagnostic_names_the_place),
		cmocka_unit_test(test_pool_kinds),
		cmocka_unit_test(test_handles),
		cmocka_unit_test(test_utf8),
		cmocka_unit_test(test_class_names),
		cmocka_unit_test(test_member_names),
		cmocka_unit_test(test_code),
		cmocka_unit_test(test_code_presence),
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_class_flags),
		cmocka_unit_test(test_class_attributes),
		cmocka_unit_test(test_older_files_lack_attributes),
		cmocka_unit_test(test_attribute_lengths),
		cmocka_unit_test(test_bootstrap),
		cmocka_unit_test(test_code_attributes),
		cmocka_unit_test(test_largest_pool),
		cmocka_unit_test(test_impossible_counts_cost_nothing),
		cmocka_unit_test(test_trailing_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
