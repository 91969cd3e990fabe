/* SPDX-License-Identifier: Apache-2.0 */
/* names.c - names of tests, as frameworks tell them and as reports show them. */
#include <stdio.h>

#include "agent/test_name.h"

static const struct {
	const char *told, *name;
} four[] = {
	{ "testBar(p.FooTest)", "p.FooTest.testBar" },
	{ "testBar[2](p.FooTest)", "p.FooTest.testBar[2]" },
	{ "testBar[f(x)](p.FooTest$Inner)", "p.FooTest$Inner.testBar[f(x)]" },
	{ "initializationError(p.FooTest)", "p.FooTest.initializationError" },
	{ "p.FooTest", "p.FooTest" },
	{ "()", "()" }, { "a)", "a)" }, { "(a)", "(a)" }, { "", "" },
}, five[] = {
	{ "[engine:junit-jupiter]/[class:p.FooTest]/[method:testBar()]", "p.FooTest.testBar" },
	{ "[engine:junit-jupiter]/[class:p.FooTest]/[method:testBar(int, java.lang.String)]", "p.FooTest.testBar(int, java.lang.String)" },
	{ "[engine:junit-jupiter]/[class:p.FooTest]/[nested-class:Nested]/[method:testX()]", "p.FooTest$Nested.testX" },
	{ "[engine:junit-jupiter]/[class:p.FooTest]/[test-template:testBar(int)]/[test-template-invocation:#3]", "p.FooTest.testBar(int)[3]" },
	{ "[engine:junit-jupiter]/[class:p.FooTest]/[test-factory:made()]/[dynamic-container:#1]/[dynamic-test:#2]", "p.FooTest.made[1][2]" },
	{ "[engine:junit-jupiter]/[class-template:p.FooTest]/[class-template-invocation:#1]/[method:m()]", "p.FooTest[1].m" },
	{ "[engine:junit-platform-suite]/[suite:p.All]/[engine:junit-jupiter]/[class:p.FooTest]/[method:m()]", "p.FooTest.m" },
	{ "[engine:spock]/[spec:p.FooSpec]/[feature:a%5Bb%5D %2F c]", "p.FooSpec.a[b] / c" },
	{ "[engine:x", "[engine:x" }, { "nonsense", "nonsense" }, { "[a]/[b", "[a]/[b" },
};

static int check(const char *told, const char *name, struct strbuf *got)
{
	if (!got->s || strcmp(got->s, name)) {
		printf("%s: %s, not %s\n", told, got->s ? got->s : "nothing", name);
		strbuf_clear(got);
		return got->s || *name;
	}
	strbuf_clear(got);
	return 0;
}

int main(void)
{
	struct strbuf out = { 0 };
	int failed = 0;

	strbuf_adds(&out, "");
	for (size_t i = 0; i < sizeof(four) / sizeof(*four); i++) {
		test_name_4(str_of(four[i].told), &out);
		failed |= check(four[i].told, four[i].name, &out);
	}
	for (size_t i = 0; i < sizeof(five) / sizeof(*five); i++) {
		if (!test_name_5(str_of(five[i].told), &out))
			failed = 1;
		failed |= check(five[i].told, five[i].name, &out);
	}
	if (test_name_5(str_of("[engine:junit-vintage]/[runner:p.FooTest]/[test:testBar(p.FooTest)]"), &out))
		failed = 1;
	strbuf_release(&out);
	return failed;
}
