// SPDX-License-Identifier: Apache-2.0
// links: base formats/properties
/* test_properties.c - files of properties, as Java reads them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "formats/properties/properties.h"

static void add(void *ctx, struct str key, struct str value, uint32_t line)
{
	strbuf_addf(ctx, "%u %.*s|%.*s\n", (unsigned)line, (int)key.len, key.p, (int)value.len, value.p);
}

static void expect(const char *text, const char *wanted, uint32_t errors)
{
	struct strbuf out = { 0 };
	struct diag d;

	diag_init(&d);
	properties_read("x.properties", (struct span){ (const unsigned char *)text, strlen(text) }, &d, add, &out);
	assert_string_equal(out.len ? out.s : "", wanted);
	assert_int_equal(d.errors, errors);
	diag_release(&d);
	strbuf_release(&out);
}

static void separators(void **state)
{
	(void)state;
	expect("a=b\nc:d\ne f\n  g =  h \nalone\n=x\n", "1 a|b\n2 c|d\n3 e|f\n4 g|h \n5 alone|\n6 |x\n", 0);
	expect("", "", 0);
	expect("# no\n! no\n\n   # no\na=b", "5 a|b\n", 0);
	expect("a=b\r\nc=d\re=f", "1 a|b\n2 c|d\n3 e|f\n", 0);
}

static void lines(void **state)
{
	(void)state;
	expect("a=b,\\\n   c,\\\n\td\nx=y\\\\\nz=1", "1 a|b,c,d\n4 x|y\\\n5 z|1\n", 0);
	expect("a=b\\", "1 a|b\n", 0);
}

static void escapes(void **state)
{
	(void)state;
	expect("a\\ b\\=c=d\\te\\q\n", "1 a b=c|d\teq\n", 0);
	expect("a=\\u0041\\u00e4\\u20ac\n", "1 a|A\xc3\xa4\xe2\x82\xac\n", 0);
	expect("a=\\u00zz\nb=1\nc=\\u12", "2 b|1\n", 2);
	expect("a=\xe4\nb=\xc3\xa4\n", "1 a|\xc3\xa4\n2 b|\xc3\xa4\n", 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(separators), cmocka_unit_test(lines), cmocka_unit_test(escapes) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
