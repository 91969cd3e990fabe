// SPDX-License-Identifier: Apache-2.0
// links: base formats/facts
/* test_facts_tamiflex.c - logs of TamiFlex. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/compiler.h"
#include "facts_expect.h"

static void tamiflex(void **state)
{
	(void)state;
	expect("refl.log",
	       "Class.forName;app.Foo;app.Main.main;12;;\n"
	       "Method.invoke;<app.Foo: void bar(int)>;app.Main.main;14;isAccessible=true;\n"
	       "Constructor.newInstance;<app.Foo: void <init>()>;app.Main.<init>;15;;\n"
	       "Class.newInstance;app.Foo;app.Main.main;-1;;\n"
	       "Field.getInt;<app.Foo: int x>;app.Main.main;17;;\n"
	       "Field.set;<app.Foo: java.lang.Object y>;;;\n"
	       "Proxy.newProxyInstance;app.I,app.J;app.Main.main;19;;\n"
	       "Class.getDeclaredMethods;app.Foo;app.Main.main;20;;\n"
	       "Class.getModifiers;app.Foo;app.Main.main;21;;\n"
	       "Field.getName;<app.Foo: int x>;app.Main.main;22;;\n"
	       "Class.explode;app.Foo;app.Main.main;23;;\n"
	       "Method.invoke;app.Foo.bar;app.Main.main;24;;\n"
	       "Class.forName;app.Foo;main;25;;\n"
	       "Class.forName\n",
	       "1 class app.Foo @app.Main.main:12\n"
	       "1 initialiser app.Foo @app.Main.main:12\n"
	       "2 invoke app.Foo bar (I)V @app.Main.main:14\n"
	       "3 constructor app.Foo <init> ()V @app.Main.<init>:15\n"
	       "4 constructor app.Foo <init> ()V @app.Main.main:0\n"
	       "5 get app.Foo x I @app.Main.main:17\n"
	       "6 set app.Foo y Ljava/lang/Object;\n"
	       "7 proxy - [app.I,app.J] @app.Main.main:19\n"
	       "8 query app.Foo @app.Main.main:20\n",
	       "refl.log: 11: error[E071]: unknown kind \"Class.explode\"\n"
	       "refl.log: 12: error[E071]: no target of Method.invoke\n"
	       "refl.log: 13: error[E071]: caller and line are pkg.Cls.name and a number\n"
	       "refl.log: 14: error[E071]: four fields are expected, with ; between them: kind, target, caller, line\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tamiflex),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
