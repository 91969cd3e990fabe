// SPDX-License-Identifier: Apache-2.0
// links: base formats/facts
/* test_facts.c - forms of files of facts, sherd's own, what wildcards mean, and limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/compiler.h"
#include "facts_expect.h"

static void forms(void **state)
{
	static const struct {
		const char *text;
		enum facts_form form;
	} cases[] = {
		{ "", FACTS_UNKNOWN },
		{ " \n", FACTS_UNKNOWN },
		{ "\xef\xbb\xbf {\"a\"", FACTS_METADATA },
		{ "\n[", FACTS_METADATA },
		{ "# only a comment", FACTS_PROGUARD },
		{ "# a\n  -keep class a", FACTS_PROGUARD },
		{ "@other.pro", FACTS_PROGUARD },
		{ "sherd-dynamic 1\n", FACTS_RECORD },
		{ "Class.forName;app.Foo;app.Main.main;12;;\n", FACTS_TAMIFLEX },
		{ "app.Foo\r\n", FACTS_SEEDS },
		{ "app.Foo: int x\n", FACTS_SEEDS },
		{ "hello world", FACTS_UNKNOWN },
		{ "<html>", FACTS_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_int_equal(facts_detect((struct span){ (const uint8_t *)cases[i].text, strlen(cases[i].text) }), cases[i].form);
	assert_int_equal(facts_detect((struct span){ (const uint8_t *)"PK\3\4\0\0", 6 }), FACTS_UNKNOWN);
	assert_int_equal(facts_detect((struct span){ NULL, 0 }), FACTS_UNKNOWN);
	expect("f", "what is this", "",
	       "f: error[E070]: neither reachability metadata, ProGuard rules or seeds, a log of TamiFlex, nor a record of sherd\n");
}

#define AT "\tapp.Main.main([Ljava/lang/String;)V@7\t12\t3\n"
#define AT_ROW " @app.Main.main([Ljava/lang/String;)V:12#7 x3\n"

static void record(void **state)
{
	(void)state;
	expect_rows("sherd-dynamic 1\nload\tapp.Foo" AT "new\tapp.Foo" AT "construct\tapp.Foo.<init>(I)V" AT "invoke\tapp.Foo.bar()I" AT
		    "get\tapp.Foo.x:[I" AT "set\tapp.Foo.y:Ljava/lang/Object;" AT "proxy\tapp.I,app.J" AT "handle\tapp.Foo.bar()I" AT
		    "handle\tapp.Foo.x:[I" AT "service\tapp.S=app.P" AT "deserialize\tapp.Foo" AT "string\ta\\tb\\\\" AT
		    "load\tapp.Foo$$Lambda/0x1\t\t0\t0\n",
		    "2 class app.Foo" AT_ROW "3 constructor app.Foo <init> ()V" AT_ROW "4 constructor app.Foo <init> (I)V" AT_ROW
		    "5 invoke app.Foo bar ()I" AT_ROW "6 get app.Foo x [I" AT_ROW "7 set app.Foo y Ljava/lang/Object;" AT_ROW
		    "8 proxy - [app.I,app.J]" AT_ROW "9 handle app.Foo bar ()I" AT_ROW "10 handle app.Foo x [I" AT_ROW
		    "11 service app.P =app.S" AT_ROW "12 deserialize app.Foo" AT_ROW "13 string - a\tb\\" AT_ROW
		    "14 class app.Foo$$Lambda/0x1\n");
}

static void record_lines_left_out(void **state)
{
	static const struct {
		const char *line, *said;
	} cases[] = {
		{ "load\tapp.Foo", "five fields are expected, with tabs between them: kind, target, caller, line, count" },
		{ "load\tapp.Foo\t\t0\t0\t", "five fields are expected, with tabs between them: kind, target, caller, line, count" },
		{ "lode\tapp.Foo\t\t0\t0", "unknown kind \"lode\"" },
		{ "load\ta b\t\t0\t0", "no target of kind load" },
		{ "invoke\tapp.Foo.<init>()V\t\t0\t0", "no target of kind invoke" },
		{ "construct\tapp.Foo.bar()V\t\t0\t0", "no target of kind construct" },
		{ "construct\tapp.Foo.<init>()I\t\t0\t0", "no target of kind construct" },
		{ "invoke\tapp.Foo.x:I\t\t0\t0", "no target of kind invoke" },
		{ "invoke\tapp.Foo.bar(Q)V\t\t0\t0", "no target of kind invoke" },
		{ "get\tapp.Foo.x:V\t\t0\t0", "no target of kind get" },
		{ "proxy\ta,,b\t\t0\t0", "no target of kind proxy" },
		{ "service\ta.S\t\t0\t0", "no target of kind service" },
		{ "string\t\\x\t\t0\t0", "no target of kind string" },
		{ "load\tapp.Foo\tapp.Main.main\t0\t0", "no caller: write pkg.Cls.name(desc)ret@pc, or nothing" },
		{ "load\tapp.Foo\tapp.Main.main()V@x\t0\t0", "no caller: write pkg.Cls.name(desc)ret@pc, or nothing" },
		{ "load\tapp.Foo\t\t70000\t0", "line and count are numbers" },
		{ "load\tapp.Foo\t\t1\t-1", "line and count are numbers" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct strbuf text = { 0 }, said = { 0 };
		strbuf_addf(&text, "sherd-dynamic 1\nload\tFirst\t\t0\t0\n%s\nload\tLast\t\t0\t0\n", cases[i].line);
		strbuf_addf(&said, "f: 3: error[E071]: %s\n", cases[i].said);
		expect("f", text.s, "2 class First\n4 class Last\n", said.s);
		strbuf_release(&text);
		strbuf_release(&said);
	}
	expect("f", "sherd-dynamic 2\n", "",
	       "f: 1: error[E070]: the first line is not \"sherd-dynamic 1\": record again with this version of sherd\n");
	expect("f", "sherd-dynamic 1\nload\tA\t\t0\t0", "2 class A\n",
	       "f: 2: warning[W072]: the last line has no end: the record may have been cut off\n");
}

static void rows_are_bounded(void **state)
{
	struct strbuf text = { 0 };
	struct read r = { 0 };

	(void)state;
	for (uint32_t i = 0; i <= FACTS_MOST_ROWS; i++)
		strbuf_adds(&text, "a\n");
	facts_init(&r.f);
	diag_init(&r.d);
	assert_true(facts_read(&r.f, "f", (struct span){ (const uint8_t *)text.s, text.len }, &r.d));
	assert_int_equal(r.f.rows.len, FACTS_MOST_ROWS);
	assert_int_equal(r.d.entries.len, 1);
	assert_int_equal(r.d.entries.data[0].code, DIAG_E071);
	release(&r);
	strbuf_release(&text);
	facts_init(&r.f);
	assert_false(facts_read(&r.f, "f", (struct span){ (const uint8_t *)"a", FACTS_MOST_BYTES + 1 }, NULL));
	facts_release(&r.f);
}

static void classes_match(void **state)
{
	static const struct {
		const char *pattern, *yes, *no;
	} cases[] = {
		{ "a.B", "a.B", "a.BB" },      { "a.*", "a.B", "a.b.C" },	  { "a.**", "a.b.C", "a" },
		{ "**", "a.b.C", NULL },       { "a.?", "a.B", "a.BC" },	  { "?", "a", "." },
		{ "*.*", "a.B", "a.b.C" },     { "**.X*Y", "a.b.XaY", "a.Xb.Y" }, { "a.**.C*", "a.b.c.Cd", "a.b.D" },
		{ "**b.*c", "b.b.xc", "b.b" }, { "!a.*,a.**", "a.b.C", "a.B" },	  { "a.*,!a.B", "a.B", NULL },
		{ "!a.B", "a.C", "a.B" },      { "*x*y*", "axbyc", "ayx" },	  { "**x.**y.*", "ax.by.c", "ax.by" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct fact f = { .is_pattern = true, .class = str_of(cases[i].pattern) };
		assert_true(fact_matches_class(&f, str_of(cases[i].yes)));
		if (cases[i].no)
			assert_false(fact_matches_class(&f, str_of(cases[i].no)));
	}
	struct fact literal = { .class = STR("a.*") };
	assert_false(fact_matches_class(&literal, STR("a.B")));
	assert_true(fact_matches_class(&(struct fact){ 0 }, STR("a.B")));
}

static void descriptors_match(void **state)
{
	static const struct {
		const char *pattern, *yes, *no;
	} cases[] = {
		{ "(I)V", "(I)V", "(J)V" },
		{ "(I)", "(I)Ljava/lang/Object;", "(II)V" },
		{ "(L...;)", "(IJ[I)V", "I" },
		{ "(L...;)V", "()V", "()I" },
		{ "(IL...;J)V", "(IZZJ)V", "(IJZ)V" },
		{ "(IL...;J)V", "(IJJ)V", "(J)V" },
		{ "(%)V", "(Z)V", "(Lint;)V" },
		{ "(L***;)V", "([[I)V", "()V" },
		{ "([L***;)V", "([[I)V", "(I)V" },
		{ "(La/*;)V", "(La/B;)V", "(La/b/C;)V" },
		{ "()L**;", "()La/b/C;", "()[La/C;" },
		{ "()[L**;", "()[La/C;", "()[I" },
		{ "L**;", "La/B;", "I" },
		{ "%", "J", "V" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct fact f = { .is_pattern = true, .descriptor = str_of(cases[i].pattern) };
		assert_true(fact_matches_descriptor(&f, str_of(cases[i].yes)));
		assert_false(fact_matches_descriptor(&f, str_of(cases[i].no)));
	}
	struct fact literal = { .descriptor = STR("(I)") };
	assert_true(fact_matches_descriptor(&literal, STR("(I)V")));
	assert_false(fact_matches_descriptor(&literal, STR("(J)V")));
	struct fact name = { .is_pattern = true, .name = STR("get*") };
	assert_true(fact_matches_name(&name, STR("getX")));
	assert_false(fact_matches_name(&name, STR("setX")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forms),
		cmocka_unit_test(record),
		cmocka_unit_test(record_lines_left_out),
		cmocka_unit_test(rows_are_bounded),
		cmocka_unit_test(classes_match),
		cmocka_unit_test(descriptors_match),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
