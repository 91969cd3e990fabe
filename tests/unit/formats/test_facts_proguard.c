// SPDX-License-Identifier: Apache-2.0
// links: base formats/facts
/* test_facts_proguard.c - rules of ProGuard, and the seeds that it prints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/compiler.h"
#include "facts_expect.h"

static void proguard_rules(void **state)
{
	(void)state;
	expect_rows("# comment\n-keep class app.Foo\n-keep public class app.Bar extends app.Base { public <init>(int, java.lang.String);\n"
		    "void run(); private static int count; }",
		    "2 class app.Foo\n"
		    "3 class app.Bar {1/0 0/0 <app.Base}\n"
		    "3 constructor app.Bar <init> (ILjava/lang/String;)V {1/0 1/0 <app.Base}\n"
		    "4 invoke app.Bar run ()V {1/0 0/0 <app.Base}\n"
		    "4 field app.Bar count I {1/0 a/0 <app.Base}\n");
	expect_rows("-keepclassmembers,allowobfuscation enum * { public static **[] values(); public static ** valueOf(java.lang.String); }",
		    "1 invoke ** values ()[L**; pattern if-used {4000/0 9/0}\n"
		    "1 invoke ** valueOf (Ljava/lang/String;)L**; pattern if-used {4000/0 9/0}\n");
	expect_rows("-keepclasseswithmembers class * {\n native <methods>;\n}",
		    "1 class ** pattern needs-all\n"
		    "2 constructor ** <init> pattern needs-all {0/0 100/0}\n"
		    "2 invoke ** pattern needs-all {0/0 100/0}\n");
	expect_rows("-keepnames @a.Named !interface b.*,!c.**, d.? implements @a.Marked **",
		    "1 class b.*,!c.**,d.? pattern if-used {0/200 0/0 @a.Named <** <@a.Marked}\n");
	expect_rows("-keep,allowshrinking @interface a.A { *; }",
		    "1 class a.A if-used {2000/0 0/0}\n1 field a.A if-used {2000/0 0/0}\n"
		    "1 constructor a.A <init> if-used {2000/0 0/0}\n1 invoke a.A if-used {2000/0 0/0}\n");
}

static void proguard_members(void **state)
{
	(void)state;
	expect_rows("-keep class a.B { B(int); <init>(...); *** get*(...); *** *(...); % p(%,***); <fields>; *** f; a.C[][] g;\n"
		    "static <clinit>(); @a.Run !static void t?(a.**,int[]); }",
		    "1 class a.B\n"
		    "1 constructor a.B <init> (I)V\n"
		    "1 constructor a.B <init>\n"
		    "1 invoke a.B get* pattern\n"
		    "1 invoke a.B\n"
		    "1 invoke a.B p (%L***;)% pattern\n"
		    "1 field a.B\n"
		    "1 field a.B f\n"
		    "1 field a.B g [[La/C;\n"
		    "2 initialiser a.B {0/0 8/0}\n"
		    "2 invoke a.B t? (La/**;[I)V pattern {0/0 0/8 .@a.Run}\n");
}

static void proguard_options(void **state)
{
	(void)state;
	expect("f",
	       "-dontwarn a.**\n-injars 'in dir/x.jar'(!META-INF/**)\n-optimizations !code/simplification/*,!field/*\n-keepattributes *Annotation*\n"
	       "-include other.pro\n@more.pro\n-assumenosideeffects class a.Log { int d(...); }\n-kep class a.B\n"
	       "-if class a.C -keep class a.D\n-keep class a.E\n-if class **$I { int x; }\n-keep class <1>$J",
	       "9 class a.D if a.C\n10 class a.E\n12 class **$J if **$I pattern\n",
	       "f: 5: warning[W072]: other files are not included: give them with --facts, too\n"
	       "f: 6: warning[W072]: other files are not included: give them with --facts, too\n"
	       "f: 8: warning[W072]: unknown option -kep: it has no effect\n"
	       "f: 11: warning[W072]: of a condition only the name of the class counts\n"
	       "f: 12: warning[W072]: references to wildcards count as wildcards: more is kept\n");
}

#define RULE "; the rule is left out\n"

static void proguard_rules_left_out(void **state)
{
	static const struct {
		const char *rule, *said;
	} cases[] = {
		{ "-keep", "f: 2: error[E071]: class, interface or enum expected" RULE },
		{ "-keep a.B", "f: 2: error[E071]: class, interface or enum expected" RULE },
		{ "-keep class", "f: 2: error[E071]: the name of a class is expected" RULE },
		{ "-keep class a..B", "f: 2: error[E071]: the name of a class is expected" RULE },
		{ "-keep public !public class a.B", "f: 2: error[E071]: a flag that is both asked for and excluded" RULE },
		{ "-keep,allowall class a.B", "f: 2: error[E071]: unknown modifier of the rule" RULE },
		{ "-keep class a.B { int x }", "f: 2: error[E071]: ';' expected" RULE },
		{ "-keep class a.B { int x;", "f: 2: error[E071]: '}' expected" RULE },
		{ "-keep class a.B { int; }", "f: 2: error[E071]: the name of a member is expected" RULE },
		{ "-keep class a.B { void x; }", "f: 2: error[E071]: no field: write type name" RULE },
		{ "-keep class a.B { int x(void); }", "f: 2: error[E071]: no signature: write type name(types)" RULE },
		{ "-keep class a.B { int x(int", "f: 2: error[E071]: ')' expected" RULE },
		{ "-keep class a.B { ;; }", "f: 2: error[E071]: a member is expected" RULE },
		{ "-keep class a.B { ! ; }", "f: 2: error[E071]: a flag expected after '!'" RULE },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct strbuf text = { 0 };
		strbuf_addf(&text, "-keep class a.First\n%s\n-keep class a.Last", cases[i].rule);
		expect("f", text.s, "1 class a.First\n3 class a.Last\n", cases[i].said);
		strbuf_release(&text);
	}
}

static void seeds(void **state)
{
	(void)state;
	expect("f",
	       "app.Main\napp.Main: void main(java.lang.String[])\r\napp.Main: Main()\napp.Outer$In: Outer$In(int,app.Outer)\n"
	       "app.Main: int[][] grid\napp.Main: void <clinit>()\nhello there\napp.Main: odd\napp.Last",
	       "1 class app.Main\n"
	       "2 invoke app.Main main ([Ljava/lang/String;)V\n"
	       "3 constructor app.Main <init> ()V\n"
	       "4 constructor app.Outer$In <init> (ILapp/Outer;)V\n"
	       "5 field app.Main grid [[I\n"
	       "6 initialiser app.Main\n"
	       "9 class app.Last\n",
	       "f: 7: error[E071]: no name of a class\n"
	       "f: 8: error[E071]: no member: write pkg.Cls: type name(types), or pkg.Cls: type name\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(proguard_rules),
		cmocka_unit_test(proguard_members),
		cmocka_unit_test(proguard_options),
		cmocka_unit_test(proguard_rules_left_out),
		cmocka_unit_test(seeds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
