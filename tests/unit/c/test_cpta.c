// SPDX-License-Identifier: Apache-2.0
// links: analysis/cpta cir solve algo base analysis/allocation
/* test_cpta.c - what every sort of statement means for points-to sets, and what pointer arithmetic does to cells. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cir_case.h"

static const struct cpta_opt precise = { .fields = true };
static const struct cpta_opt monolithic = { 0 };

#define HEAD "cprogram 8\nlayout ptr$1 scalar 8\nlayout pair$2 struct 16 { 0 ptr$1 a, 8 ptr$1 b }\n" \
	     "layout $3 array 160 of pair$2 x 10\nlayout chars$4 scalar 1\nlayout $5 array 16 of chars$4 x 16\n" \
	     "layout rec$6 struct 48 { 0 ptr$1 head, 8 $5 text, 24 pair$2 in, 40 ptr$1 tail }\n" \
	     "object x@1 global ptr$1 size 8\nobject y@2 global ptr$1 size 8\nobject s@3 global pair$2 size 16\n" \
	     "object t@4 global $3 size 160\nobject r@5 global rec$6 size 48\nobject raw@6 global size 64\n"
#define MAIN "function main() starts\n{\n"
#define END "}\n"

#define EXPECT(t, name, expected) assert_string_equal(points_to(t, name), expected)

static void test_statements(void **state)
{
	struct cir_case t;
	(void)state;

	case_open(&t, HEAD MAIN "p = &x\nq = p\npp = &s + 8\n*pp = q\nl = *pp\nm = s at 8\ns at 0 = m\n" END, &precise);
	EXPECT(&t, "main::q", "x");
	EXPECT(&t, "main::l", "x");
	EXPECT(&t, "s.b", "x");
	EXPECT(&t, "s.a", "x");
	case_close(&t);
	case_open(&t, HEAD MAIN "p = &x\ns at 8 = p\nm = s at 0\n" END, &precise);
	EXPECT(&t, "main::m", "");
	case_close(&t);
	case_open(&t, HEAD MAIN "p = &x\ns at 8 = p\nm = s at 0\n" END, &monolithic);
	EXPECT(&t, "main::m", "x");
	case_close(&t);
}

static void test_fields_and_arrays(void **state)
{
	struct cir_case t;
	(void)state;

	case_open(&t, HEAD MAIN "e = &t\ne1 = e + 16 elements\nb = e1 + 8\nn = e + 8 + n*16\np = &x\n*b = p\nv = *n\nw = *e\n" END,
		  &precise);
	EXPECT(&t, "main::e1", "t[].a");
	EXPECT(&t, "main::b", "t[].b");
	EXPECT(&t, "main::n", "t[].b");
	EXPECT(&t, "main::v", "x");
	EXPECT(&t, "main::w", "");
	case_close(&t);
	/* bytes walk an array of bytes or pick a field; a field's address leads back to its struct */
	case_open(&t, HEAD MAIN "c = &r + 8\nd = c + 1 bytes\ne = c - 8 bytes\nf = c + 16 bytes\ng = c + 0 + n*1\n" END, &precise);
	EXPECT(&t, "main::d", "r.text[]");
	EXPECT(&t, "main::e", "r.head r.text[]");
	EXPECT(&t, "main::f", "r.in.a r.text[]");
	EXPECT(&t, "main::g", "r.text[]");
	case_close(&t);
	/* back from some element of an array to the struct that it is in: anywhere */
	case_open(&t, HEAD "layout in_$7 struct 176 { 0 ptr$1 one, 8 $3 all, 168 ptr$1 last }\nobject w@7 global in_$7 size 176\n" MAIN
		  "e = &w + 24\nb = e - 24 bytes\nc = e - 16 bytes\n" END, &precise);
	EXPECT(&t, "main::b", "w");
	EXPECT(&t, "main::c", "w.all[].a");
	case_close(&t);
	/* into the middle of a scalar, and on from there: anywhere */
	case_open(&t, HEAD MAIN "p = &x\ns at 8 = p\nb = &s\nc = b + 4 bytes\nd = c + 4 bytes\nv = *d\ne = b + 4 elements\n" END, &precise);
	EXPECT(&t, "main::d", "s");
	EXPECT(&t, "main::v", "x");
	EXPECT(&t, "main::e", "s");
	case_close(&t);
	/* outside of an object there is nothing, but from its end one comes back */
	case_open(&t, HEAD MAIN "p = &s\nq = p + 24 bytes\nr0 = p - 8 bytes\ne = p + 16 elements\nb = e - 16 elements\nf = &s + 16\nc = f - 16 elements\n" END,
		  &precise);
	EXPECT(&t, "main::q", "");
	EXPECT(&t, "main::r0", "");
	EXPECT(&t, "main::b", "s");
	EXPECT(&t, "main::c", "s");
	case_close(&t);
	/* a struct as an array of its fields, which are of one sort */
	case_open(&t, HEAD MAIN "p = &x\ns at 8 = p\nb = &s\nc = b + 0 + n*8 elements\nv = *c\n" END, &precise);
	EXPECT(&t, "main::v", "x");
	case_close(&t);
	/* what is behind a header, in memory of unknown size */
	case_open(&t, HEAD "object h@7 heap pair$2 repeats in main#1\n" MAIN
		  "p = &x\nb = &h\nc = b + 16 elements\nd = c + 0 + n*8 elements\n*d = p\ne = c + 8\nv = *e\n" END, &precise);
	EXPECT(&t, "main::v", "x");
	case_close(&t);
}

/* An index over bytes of a struct may be any of its fields. */
static void test_collapse(void **state)
{
	struct cir_case t;
	(void)state;

	case_open(&t, HEAD MAIN "p = &x\ns at 8 = p\nb = &s\nc = b + 0 + n*1\nq = &y\n*c = q\nl = s at 0\nm = s at 8\n" END, &precise);
	EXPECT(&t, "main::c", "s");
	EXPECT(&t, "main::l", "x y");
	EXPECT(&t, "main::m", "x y");
	case_close(&t);
	/* nothing is stored: fields stay apart, and what is read there may be any of them */
	case_open(&t, HEAD MAIN "p = &x\ns at 8 = p\nb = &s\nc = b + 0 + n*1\nv = *c\nd = c + 8\nw = *d\n*c = _\nl = s at 0\n" END, &precise);
	EXPECT(&t, "main::v", "x");
	EXPECT(&t, "main::w", "x");
	EXPECT(&t, "main::l", "");
	case_close(&t);
}

static void test_raw_memory(void **state)
{
	struct cir_case t;
	(void)state;

	case_open(&t, HEAD MAIN "b = &raw\nc = b + 8\nd = b + 24\np = &x\nq = &y\n*c = p\n*d = q\nl = *c\nm = raw at 24\nn = raw at 0\n" END,
		  &precise);
	EXPECT(&t, "main::l", "x");
	EXPECT(&t, "main::m", "y");
	EXPECT(&t, "main::n", "");
	case_close(&t);
	/* elements of 16 bytes: 8 and 24 are one */
	case_open(&t, HEAD MAIN "b = &raw\nc = b + 8\nd = b + 24\np = &x\nq = &y\n*c = p\n*d = q\nl = raw at 8\ne = b + 0 + n*16\nn = *e\n" END,
		  &precise);
	EXPECT(&t, "main::l", "x y");
	EXPECT(&t, "main::n", "");
	case_close(&t);
	/* walked by bytes: all is one */
	case_open(&t, HEAD MAIN "b = &raw\nc = b + 8\np = &x\n*c = p\ne = b + 1 bytes\nn = *b\n" END, &precise);
	EXPECT(&t, "main::n", "x");
	case_close(&t);
}

static void test_moves(void **state)
{
	struct cir_case t;
	(void)state;

	case_open(&t, HEAD MAIN "p = &x\nq = &y\ns at 0 = p\ns at 8 = q\nf = &s\ng = &r + 24\n*g = *f for 16\n" END, &precise);
	EXPECT(&t, "r.in.a", "x");
	EXPECT(&t, "r.in.b", "y");
	case_close(&t);
	/* only the first field */
	case_open(&t, HEAD MAIN "p = &x\nq = &y\ns at 0 = p\ns at 8 = q\nf = &s\ng = &r + 24\n*g = *f for 8\nl = r at 32\n" END, &precise);
	EXPECT(&t, "r.in.a", "x");
	EXPECT(&t, "main::l", "");
	case_close(&t);
	/* elements of an array to elements of another, and over a struct */
	case_open(&t, HEAD "object u@7 global $3 size 160\n" MAIN
		  "p = &x\nq = &y\nt at 0 = p\nt at 24 = q\nf = &t\ng = &u\n*g = *f for 160\nh = &r + 24\n*h = *f for 16\n" END, &precise);
	EXPECT(&t, "u[].a", "x");
	EXPECT(&t, "u[].b", "y");
	case_close(&t);
	/* from the middle of an element into the next one */
	case_open(&t, HEAD "object u@7 global $3 size 160\n" MAIN
		  "p = &x\nq = &y\nt at 0 = p\nt at 24 = q\nf = &t + 8\ng = &u + 8\n*g = *f for 16\n" END, &precise);
	EXPECT(&t, "u[].a", "x");
	EXPECT(&t, "u[].b", "y");
	case_close(&t);
	/* through memory of unknown layout, whose cells come later */
	case_open(&t, HEAD MAIN "f = &raw\ng = &s\n*g = *f\nq = &y\nh = f + 8\n*h = q\n" END, &precise);
	EXPECT(&t, "s.b", "y");
	EXPECT(&t, "s.a", "");
	case_close(&t);
	/* from memory that collapses later, to all fields */
	case_open(&t, HEAD MAIN "f = &raw\ng = &s\n*g = *f\nq = &y\nh = f + 8\n*h = q\ni = f + 0 + n*1\nm = s at 0\n" END, &precise);
	EXPECT(&t, "main::m", "y");
	case_close(&t);
}

static void test_calls(void **state)
{
	struct cir_case t;
	(void)state;

	case_open(&t, HEAD "function id(a)\n{\nresult = a\n}\nfunction other(b)\n{\n}\nfunction never(c)\n{\nz = &y\n}\n" MAIN
		  "f = &id\ng = f\np = &x\nq = call *g(p)\nh = &other\n" END, &precise);
	EXPECT(&t, "main::q", "x");
	EXPECT(&t, "id::a", "x");
	EXPECT(&t, "never::z", "");
	assert_string_equal(called(&t, "main", 0), "id");
	assert_false(cpta_reached(t.a, cir_find_function(&t.p, (struct str){ "never", 5 })));
	assert_int_equal(cpta_stats(t.a).indirect_edges, 1);
	case_close(&t);
}

static void test_variadic(void **state)
{
	struct cir_case t;
	(void)state;

	case_open(&t, HEAD "object more@7 local ptr$1 size 8 repeats in say#1\nfunction say(fmt) rest more@7 variadic\n{\nl = &more\nv = *l\n}\n" MAIN
		  "p = &x\nq = &y\ncall say(p, q)\n" END, &precise);
	EXPECT(&t, "say::fmt", "x");
	EXPECT(&t, "say::v", "y");
	case_close(&t);
}

static const char lattice[] = HEAD MAIN "p = &x\nq = &y\nr1 = &x\np = q\nx1 = &s\ny1 = &r\n*p = x1\n*q = y1\na = *p\nb = *r1\nc = x at 0\n" END;

/* The answers of the engines for one variable, from precise to cheap. */
static void test_engines(void **state)
{
	static const char *const expected[CENGINES] = { "r.head s.a", "r.head s.a", "r.head s.a", "r.head s.a" };
	struct cir_case t;
	(void)state;

	for (int e = 0; e < CENGINES; e++) {
		struct cpta_opt opt = { .engine = (enum cengine)e, .categories = 2, .fields = true };

		case_open(&t, lattice, &opt);
		EXPECT(&t, "main::a", expected[e]);
		case_close(&t);
	}
	/* assignments have a direction, but in steens */
	const char *const text = HEAD MAIN "p = &x\nq = &y\np = q\n" END;
	static const char *const of_q[CENGINES] = { "y", "y", "y", "x y" };

	for (int e = 0; e < CENGINES; e++) {
		struct cpta_opt opt = { .engine = (enum cengine)e, .categories = 2, .fields = true };

		case_open(&t, text, &opt);
		EXPECT(&t, "main::q", of_q[e]);
		case_close(&t);
	}
	/* what one pointer points to has one content, but in andersen */
	const char *const below = HEAD MAIN "p = &x\np = &y\nv = &s\nx at 0 = v\nl = y at 0\n" END;
	static const char *const of_l[CENGINES] = { "", "", "s.a", "s.a" };

	for (int e = 0; e < CENGINES; e++) {
		struct cpta_opt opt = { .engine = (enum cengine)e, .categories = 2, .fields = true };

		case_open(&t, below, &opt);
		EXPECT(&t, "main::l", of_l[e]);
		case_close(&t);
	}
}

static bool never(void *ctx)
{
	(void)ctx;
	return false;
}

static void test_stop(void **state)
{
	struct cpta_opt opt = { .fields = true, .go_on = never };
	struct cprogram p;
	const char *text = HEAD MAIN "p = &x\nq = p\n" END;
	(void)state;

	cprogram_init(&p);
	assert_true(cir_parse(&p, str_of(text), "case", NULL));
	assert_null(cpta_compute(&p, &opt));
	cprogram_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_statements), cmocka_unit_test(test_fields_and_arrays), cmocka_unit_test(test_collapse),
		cmocka_unit_test(test_raw_memory), cmocka_unit_test(test_moves), cmocka_unit_test(test_calls),
		cmocka_unit_test(test_variadic), cmocka_unit_test(test_engines), cmocka_unit_test(test_stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
