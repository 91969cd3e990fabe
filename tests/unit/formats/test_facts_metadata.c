// SPDX-License-Identifier: Apache-2.0
// links: base formats/facts
/* test_facts_metadata.c - reachability metadata, and the files that came before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/compiler.h"
#include "facts_expect.h"

static void metadata_reflection(void **state)
{
	(void)state;
	expect_rows("{ \"comment\": [\"by hand\"], \"reflection\": [\n"
		    "{\"type\": \"app.Foo\", \"reason\": \"x\"},\n"
		    "{\"methods\": [{\"name\": \"<init>\", \"parameterTypes\": [\"int\", \"java.lang.String[]\"]},\n"
		    "{\"name\": \"run\"}, {\"parameterTypes\": [], \"name\": \"stop\"}],\n"
		    "\"fields\": [{\"name\": \"x\"}], \"unsafeAllocated\": true, \"serializable\": false,\n"
		    "\"condition\": {\"typeReached\": \"app.Main\"}, \"type\": \"app.Bar\"},\n"
		    "{\"type\":\"app.C\",\"allDeclaredConstructors\":true,\"allPublicMethods\":true,\"allDeclaredFields\":true,"
		    "\"allPublicConstructors\":false,\"allDeclaredMethods\":true,\"allPublicFields\":true}\n"
		    "]}",
		    "2 class app.Foo\n"
		    "3 class app.Bar if app.Main\n"
		    "3 constructor app.Bar <init> (I[Ljava/lang/String;)V if app.Main\n"
		    "3 invoke app.Bar run if app.Main\n"
		    "3 invoke app.Bar stop () if app.Main\n"
		    "3 field app.Bar x if app.Main\n"
		    "3 unsafe app.Bar if app.Main\n"
		    "7 class app.C\n"
		    "7 constructor app.C <init>\n"
		    "7 invoke app.C public\n"
		    "7 field app.C\n"
		    "7 invoke app.C\n"
		    "7 field app.C public\n");
}

static void metadata_made_types(void **state)
{
	(void)state;
	expect_rows("{\"reflection\":[\n"
		    "{\"type\":{\"proxy\":[\"app.I\",\"app.J\"]}},\n"
		    "{\"type\":{\"proxy\":[\"app.I\"]},\"serializable\":true},\n"
		    "{\"type\":{\"lambda\":{\"declaringClass\":\"app.L\",\"declaringMethod\":{\"name\":\"m\",\"parameterTypes\":[\"int\"]},"
		    "\"interfaces\":[\"java.lang.Runnable\"]}},\"serializable\":true},\n"
		    "{\"type\":\"app.N\",\"jniAccessible\":true,\"methods\":[{\"name\":\"n\",\"parameterTypes\":[]}]},\n"
		    "{\"type\":\"app.S\",\"serializable\":true}]}",
		    "2 proxy - [app.I,app.J]\n"
		    "3 proxy - [app.I]\n"
		    "3 serialize - [app.I]\n"
		    "4 lambda app.L m (I) [java.lang.Runnable]\n"
		    "5 class app.N\n"
		    "5 invoke app.N n ()\n"
		    "5 jni-class app.N\n"
		    "5 jni-method app.N n ()\n"
		    "6 class app.S\n"
		    "6 serialize app.S\n");
}

static void metadata_other_sections(void **state)
{
	(void)state;
	expect_rows("{\"jni\":[{\"type\":\"a.N\",\"fields\":[{\"name\":\"f\"}]}],\n"
		    "\"serialization\":[{\"type\":\"a.S\",\"customTargetConstructorClass\":\"a.T\"}],\n"
		    "\"resources\":[{\"glob\":\"a/**/b*.txt\",\"module\":\"m\"},{\"bundle\":\"a.Texts\"}],\n"
		    "\"bundles\":[{\"name\":\"a.More\",\"locales\":[\"de\"]}]}",
		    "1 jni-class a.N\n"
		    "1 jni-field a.N f\n"
		    "2 serialize a.S =a.T\n"
		    "3 resource - a/**/b*.txt =m\n"
		    "3 bundle a.Texts\n"
		    "4 bundle a.More\n");
}

static void older_files(void **state)
{
	(void)state;
	expect("reflect-config.json",
	       "[{\"name\":\"a.B\",\"queriedMethods\":[{\"name\":\"q\"}],\"queryAllPublicConstructors\":true,\"allDeclaredClasses\":true,"
	       "\"condition\":{\"typeReachable\":\"a.C\"}},{\"name\":\"[Ljava.lang.String;\"},{\"name\":\"[B\"}]",
	       "1 class a.B if a.C\n1 query a.B q if a.C\n1 query a.B <init> if a.C public\n1 class java.lang.String[]\n1 class byte[]\n", "");
	expect("dir/jni-config.json", "[{\"name\":\"a.B\",\"methods\":[{\"name\":\"<init>\",\"parameterTypes\":[]}]}]",
	       "1 jni-class a.B\n1 jni-method a.B <init> ()V\n", "");
	expect("proxy-config.json", "[[\"a.I\",\"a.J\"],\n{\"interfaces\":[\"a.K\"]}]", "1 proxy - [a.I,a.J]\n2 proxy - [a.K]\n", "");
	expect("serialization-config.json",
	       "{\"types\":[{\"name\":\"a.B\"}],\"lambdaCapturingTypes\":[{\"name\":\"a.L\"}],\"proxies\":[{\"interfaces\":[\"a.I\"]}]}",
	       "1 serialize a.B\n1 lambda a.L\n1 serialize - [a.I]\n", "");
	expect("serialization-config.json", "[{\"name\":\"a.B\",\"customTargetConstructorClass\":\"a.C\"}]", "1 serialize a.B =a.C\n", "");
	expect("resource-config.json",
	       "{\"resources\":{\"includes\":[{\"pattern\":\"\\\\QMETA-INF/x.y\\\\E\"},{\"pattern\":\"java.base:\\\\Qa\\\\E\"},\n"
	       "{\"pattern\":\"a/(b|c)\"},{\"pattern\":\"^d/.*\\\\.txt$\"},{\"pattern\":\"e.txt\"},{\"pattern\":\"a/[^/]*\\\\.txt\"}],\n\"excludes\":[]},\"globs\":[{\"glob\":\"g\"}]}",
	       "1 resource - META-INF/x.y\n1 resource - a =java.base\n2 resource - d/**.txt\n2 resource - e.txt\n2 resource - a/*.txt\n3 resource - g\n",
	       "resource-config.json: 2: error[E071]: a regular expression that no glob can say: write globs; the entry is left out\n"
	       "resource-config.json: 3: warning[W072]: resources that are excluded are not: more are assumed\n");
	expect("p", "[{\"type\":\"agent-extracted\",\"classes\":[{\"hash\":\"1\",\"nameInfo\":\"a/B\"}]}]", "",
	       "p: 1: warning[W072]: predefined classes are not read: add their class files to the class path\n");
}

#define LEFT "; the entry is left out\n"

static void metadata_entries_left_out(void **state)
{
	static const struct {
		const char *entry, *said;
	} cases[] = {
		{ "3", "f: 2: error[E071]: an entry is an object" LEFT },
		{ "{}", "f: 2: error[E071]: an entry without a type" LEFT },
		{ "{\"type\":3}", "f: 2: error[E071]: a type is a name, a proxy or a lambda" LEFT },
		{ "{\"type\":\"a/B\"}", "f: 2: error[E071]: no name of a class: write pkg.Outer$Inner, without wildcards" LEFT },
		{ "{\"type\":\"a.*\"}", "f: 2: error[E071]: no name of a class: write pkg.Outer$Inner, without wildcards" LEFT },
		{ "{\"type\":\"a.B\",\"type\":\"a.C\"}", "f: 2: error[E071]: the same key twice" LEFT },
		{ "{\"type\":\"a.B\",\"name\":\"a.C\"}", "f: 2: error[E071]: type and name contradict each other" LEFT },
		{ "{\"type\":{\"proxy\":[\"a.I\"]},\"name\":\"a.C\"}",
		  "f: 2: error[E071]: a class and a list of interfaces contradict each other" LEFT },
		{ "{\"type\":{\"proxy\":[]}}", "f: 2: error[E071]: the list of interfaces is empty" LEFT },
		{ "{\"type\":{\"proxy\":[\"a.I\"],\"lambda\":{\"declaringClass\":\"a\",\"interfaces\":[\"b\"]}}}",
		  "f: 2: error[E071]: a type is one proxy or one lambda" LEFT },
		{ "{\"type\":{\"lambda\":{}}}", "f: 2: error[E071]: a lambda has a declaringClass and interfaces" LEFT },
		{ "{\"type\":\"a.B\",\"methods\":{}}", "f: 2: error[E071]: a list of members is expected" LEFT },
		{ "{\"type\":\"a.B\",\"methods\":[{\"name\":\"\"}]}",
		  "f: 2: error[E071]: a member without a name, or with one that none can have" LEFT },
		{ "{\"type\":\"a.B\",\"methods\":[{\"name\":\"m\",\"parameterTypes\":[\"void\"]}]}",
		  "f: 2: error[E071]: no name of a type: write int, pkg.Cls or pkg.Cls[]" LEFT },
		{ "{\"type\":\"a.B\",\"fields\":[[]]}", "f: 2: error[E071]: a member is an object with a name" LEFT },
		{ "{\"type\":\"a.B\",\"unsafeAllocated\":\"yes\"}", "f: 2: error[E071]: true or false expected" LEFT },
		{ "{\"type\":\"a.B\",\"condition\":\"a.C\"}", "f: 2: error[E071]: a condition is an object" LEFT },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct strbuf text = { 0 };
		strbuf_addf(&text, "{\"reflection\":[{\"type\":\"a.First\"},\n%s,\n{\"type\":\"a.Last\"}]}", cases[i].entry);
		expect("f", text.s, "1 class a.First\n3 class a.Last\n", cases[i].said);
		strbuf_release(&text);
	}
}

static void metadata_notes(void **state)
{
	(void)state;
	expect("f", "{\"foreign\":{},\n\"reflection\":[{\"type\":\"a.B\",\"odd\":[{}]}]}", "2 class a.B\n",
	       "f: 1: warning[W072]: unknown key \"foreign\": it has no effect\n"
	       "f: 2: warning[W072]: unknown key \"odd\": it has no effect\n");
	expect("f", "{\"reflection\":[{\"type\":{\"lambda\":{\"declaringClass\":\"a.B\",\"interfaces\":[\"a.I\"]}}}]}", "",
	       "f: 1: warning[W072]: the class of a lambda is followed only where it is serializable\n");
	expect("f", "{\"reflection\":[{\"type\":\"a.B\",\"condition\":{\"typeReached\":{\"proxy\":[\"a.I\"]}}}]}", "1 class a.B\n",
	       "f: 1: warning[W072]: the condition names no class: the entry counts always\n");
	expect("f", "{\"resources\":[{\"glob\":\"x\",\"bundle\":\"y\"},{\"module\":\"m\"}]}", "",
	       "f: 1: error[E071]: a glob or a bundle, but not both" LEFT "f: 1: error[E071]: neither a glob nor a bundle" LEFT);
	expect("f", "{\"reflection\":{\"type\":\"a.B\"}}", "", "f: 1: error[E071]: a list of entries is expected" LEFT);
}

static void metadata_broken(void **state)
{
	(void)state;
	expect("f", "{\"reflection\":[{\"type\":\"a.B\"},\n{\"type\":\"a.C\"", "1 class a.B\n",
	       "f: 2: error[E070]: '}' expected: correct the JSON; what comes after is not read\n");
	expect("f", "[", "", "f: 1: error[E070]: a value expected: correct the JSON; what comes after is not read\n");
	expect("f", "{} x", "", "f: 1: error[E070]: text behind the end: correct the JSON; what comes after is not read\n");
}

static void hostile_json(void **state)
{
	static const char *const starts[] = { "", "[", "{\"reflection\":[", "{\"reflection\":[{\"type\":", "{\"x\":", "{\"resources\":" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(starts); i++) {
		struct strbuf text = { 0 };
		struct read r;
		strbuf_adds(&text, starts[i]);
		for (int n = 0; n < 1000000; n++)
			strbuf_addch(&text, '[');
		read_as(&r, "f", text.s);
		assert_false(r.ok);
		assert_int_equal(r.f.rows.len, 0);
		assert_true(r.d.entries.len <= 2);
		release(&r);
		strbuf_release(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(metadata_reflection),
		cmocka_unit_test(metadata_made_types),
		cmocka_unit_test(metadata_other_sections),
		cmocka_unit_test(older_files),
		cmocka_unit_test(metadata_entries_left_out),
		cmocka_unit_test(metadata_notes),
		cmocka_unit_test(metadata_broken),
		cmocka_unit_test(hostile_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
