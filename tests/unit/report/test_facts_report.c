// SPDX-License-Identifier: Apache-2.0
// links: base formats/facts report/write report/facts
/* test_facts_report.c - facts written for GraalVM and ProGuard, and read again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/compiler.h"
#include "facts_law.h"

static void read_all(struct facts *f, const char *text)
{
	struct diag d;

	facts_init(f);
	diag_init(&d);
	assert_true(facts_read(f, "f", (struct span){ (const uint8_t *)text, strlen(text) }, &d));
	diag_release(&d);
}

static void expect(enum facts_form form, const char *in, const char *out, uint32_t left_out)
{
	struct facts f, said;

	read_all(&f, in);
	facts_init(&said);
	assert_int_equal(facts_express(&said, form, f.rows.data, f.rows.len), left_out);
	char *text = law_write(&said, form);
	assert_string_equal(text, out);
	free(text);
	facts_release(&said);
	facts_release(&f);
}

static const char a_record[] =
	"sherd-dynamic 1\n"
	"load\tapp.Foo\tapp.Main.main()V@7\t12\t3\n"
	"load\tapp.Foo\tapp.Other.run()V@7\t12\t3\n"
	"construct\tapp.Foo.<init>(I[Lapp/Bar;)V\t\t0\t1\n"
	"invoke\tapp.Foo.run()V\t\t0\t1\n"
	"get\tapp.Foo.x:I\t\t0\t1\n"
	"set\tapp.Foo.x:I\t\t0\t1\n"
	"proxy\tapp.I,app.J\t\t0\t1\n"
	"handle\tapp.Bar.m(J)I\t\t0\t1\n"
	"service\tapp.S=app.P\t\t0\t1\n"
	"deserialize\tapp.D\t\t0\t1\n"
	"string\thello\t\t0\t1\n"
	"load\tapp.Foo$$Lambda/0x1\t\t0\t1\n"
	"load\tapp.Foo[]\t\t0\t1\n";

static void metadata(void **state)
{
	(void)state;
	expect(FACTS_METADATA, a_record,
	       "{\n"
	       "\"reflection\":[\n"
	       "{\"type\":\"app.Bar\",\"methods\":[{\"name\":\"m\",\"parameterTypes\":[\"long\"]}]},\n"
	       "{\"type\":\"app.D\",\"serializable\":true},\n"
	       "{\"type\":\"app.Foo\",\"methods\":[{\"name\":\"<init>\",\"parameterTypes\":[\"int\",\"app.Bar[]\"]},"
	       "{\"name\":\"run\",\"parameterTypes\":[]}],\"fields\":[{\"name\":\"x\"}]},\n"
	       "{\"type\":\"app.Foo[]\"},\n"
	       "{\"type\":\"app.P\",\"methods\":[{\"name\":\"<init>\",\"parameterTypes\":[]}]},\n"
	       "{\"type\":{\"proxy\":[\"app.I\",\"app.J\"]}}],\n"
	       "\"resources\":[\n"
	       "{\"glob\":\"META-INF/services/app.S\"}]}\n",
	       2);
	expect(FACTS_METADATA, "# nothing\n", "{}\n", 0);
	expect(FACTS_METADATA, "-keep class a.* { *; }", "{}\n", 4);
}

static void rules(void **state)
{
	(void)state;
	expect(FACTS_PROGUARD, a_record,
	       "-keep class app.Bar {\n    int m(long);\n}\n"
	       "-keep class app.D\n"
	       "-keep class app.Foo {\n    <init>(int,app.Bar[]);\n    void run();\n    int x;\n}\n"
	       "-keep class app.I\n"
	       "-keep class app.J\n"
	       "-keep class app.P {\n    <init>();\n}\n",
	       3);
	expect(FACTS_PROGUARD, "# nothing\n", "", 0);
}

static const char *const texts[] = {
	a_record,
	"{\"reflection\":[{\"type\":\"a.B\",\"methods\":[{\"name\":\"<init>\",\"parameterTypes\":[\"int\",\"a.C[]\"]},{\"name\":\"m\"}],"
	"\"fields\":[{\"name\":\"f\"}],\"allPublicMethods\":true,\"allDeclaredFields\":true,\"allPublicConstructors\":true,"
	"\"unsafeAllocated\":true,\"serializable\":true,\"jniAccessible\":true,\"condition\":{\"typeReached\":\"a.D\"}},"
	"{\"type\":\"a.B\"},{\"type\":\"a.\\ud83d\\ude00\\u202e\"},{\"type\":{\"proxy\":[\"a.I\",\"a.J\"]}},"
	"{\"type\":{\"proxy\":[\"a.J\",\"a.I\"]},\"serializable\":true},"
	"{\"type\":{\"lambda\":{\"declaringClass\":\"a.L\",\"declaringMethod\":{\"name\":\"m\",\"parameterTypes\":[]},\"interfaces\":[\"a.I\"]}},"
	"\"serializable\":true},{\"type\":{\"lambda\":{\"declaringClass\":\"a.L\",\"interfaces\":[\"a.J\"]}},\"serializable\":true}],"
	"\"resources\":[{\"glob\":\"a/**\",\"module\":\"m\"},{\"bundle\":\"a.T\"}],"
	"\"serialization\":[{\"type\":\"a.S\",\"customTargetConstructorClass\":\"a.T\"}],"
	"\"jni\":[{\"type\":\"a.N\",\"fields\":[{\"name\":\"x\"}],\"methods\":[{\"name\":\"<init>\",\"parameterTypes\":[]}]}]}",
	"-keep @a.N public !final class a.*,!b.** extends @a.M c.D { @a.R private !static *** get*(...); <init>(int,a.C[]); <fields>;\n"
	"% p(%,***); B(); <clinit>(); a.** q(int,...); int *; *** r; long s?; *** *(int); }\n"
	"-keepclassmembers enum * { *; }\n-keepclasseswithmembers class * { native <methods>; }\n-keepnames !interface a.B\n"
	"-keepnames class a.E { void m(); }\n-keepclassmembernames class a.F { int x; }\n-keepclasseswithmembernames class a.G { int x; }\n"
	"-if class **$I -keep @interface a.H\n-keep class a.B",
	"Class.forName;app.Foo;app.Main.main;12;;\nClass.getMethods;app.Foo;app.Main.main;12;;\nField.set;<app.Foo: int[] x>;;;;\n",
	"app.Main: void main(java.lang.String[])\napp.Main: Main()\napp.Main: void <clinit>()\n",
};

static void read_again(void **state)
{
	static const enum facts_form forms[] = { FACTS_METADATA, FACTS_PROGUARD };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts) * ARRAY_LEN(forms); i++) {
		struct strbuf said = { 0 }, read = { 0 };
		struct facts f;
		struct diag d;
		diag_init(&d);
		read_all(&f, texts[i / 2]);
		law_round(&f, forms[i % 2], &said, &read, &d);
		assert_string_equal(read.s, said.s);
		assert_int_equal(d.entries.len, 0);
		assert_true(said.len > 0);
		strbuf_release(&said);
		strbuf_release(&read);
		diag_release(&d);
		facts_release(&f);
	}
}

/* Whoever read a file of the form itself loses nothing but where a form allows several ways to say the same. */
static void own_form_is_kept(void **state)
{
	struct facts f, said;

	(void)state;
	for (int i = 1; i < 3; i++) {
		read_all(&f, texts[i]);
		facts_init(&said);
		assert_int_equal(facts_express(&said, i == 1 ? FACTS_METADATA : FACTS_PROGUARD, f.rows.data, f.rows.len), 0);
		facts_release(&said);
		facts_release(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(metadata),
		cmocka_unit_test(rules),
		cmocka_unit_test(read_again),
		cmocka_unit_test(own_form_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
