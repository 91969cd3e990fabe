// SPDX-License-Identifier: Apache-2.0
// links: analysis/modref analysis/cpta cir solve algo base analysis/allocation
/* test_modref.c - side effects of statements, calls and procedures: what is active, accessible, direct, recursive. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/modref/modref.h"
#include "cir_case.h"

static const struct cpta_opt precise = { .fields = true };

#define HEAD "cprogram 8\nlayout ptr$1 scalar 8\nlayout pair$2 struct 16 { 0 ptr$1 a, 8 ptr$1 b }\n" \
	     "object g@1 global ptr$1 size 8\nobject h@2 global pair$2 size 16\n"

struct effects_case {
	struct cir_case c;
	struct modref *m;
};

static void open_case(struct effects_case *t, const char *text)
{
	case_open(&t->c, text, &precise);
	t->m = modref_compute(t->c.a, NULL, NULL);
}

static void close_case(struct effects_case *t)
{
	modref_free(t->m);
	case_close(&t->c);
}

static const char *line_of(struct effects_case *t, affected_vec *places)
{
	case_clear(&t->c);
	for (uint32_t i = 0; i < places->len; i++) {
		struct strbuf b = { 0 };

		modref_name(t->m, places->data[i], &b);
		vec_push(&t->c.names, b.s);
	}
	vec_release(places);
	return case_line(&t->c);
}

static cfn_id function(struct effects_case *t, const char *name)
{
	return cir_find_function(&t->c.p, str_of(name));
}

/* Of the k-th statement of a function. */
static const char *stmt(struct effects_case *t, const char *fn, uint32_t k, enum effect e)
{
	affected_vec places = { 0 };
	cfn_id f = function(t, fn);

	modref_stmt(t->m, f, t->c.p.fns.data[f.i].stmts + k, e, &places);
	return line_of(t, &places);
}

static const char *procedure(struct effects_case *t, const char *fn, enum effect e)
{
	affected_vec places = { 0 };

	modref_fn(t->m, function(t, fn), e, &places);
	return line_of(t, &places);
}

#define MOD(t, fn, k, expected) assert_string_equal(stmt(t, fn, k, EFFECT_MOD), expected)
#define USE(t, fn, k, expected) assert_string_equal(stmt(t, fn, k, EFFECT_USE), expected)

static void test_statements(void **state)
{
	struct effects_case t;
	(void)state;

	open_case(&t, HEAD "function main() starts\n{\np = &g\n*p = _ for 8\nh at 8 = p for 8\nq = h at 8 for 8\nl = *q for 8\n_ = p\n}\n");
	MOD(&t, "main", 0, "main::p");
	MOD(&t, "main", 1, "g");
	USE(&t, "main", 1, "main::p");
	MOD(&t, "main", 2, "h.b");
	USE(&t, "main", 2, "main::p");
	MOD(&t, "main", 3, "main::q");
	USE(&t, "main", 3, "h.b");
	USE(&t, "main", 4, "g main::q");
	MOD(&t, "main", 5, "");
	USE(&t, "main", 5, "main::p");
	assert_string_equal(procedure(&t, "main", EFFECT_MOD), "g h.b");
	close_case(&t);
}

/* Who writes to a constant ends there: only uses are of constants. */
static void test_constants(void **state)
{
	struct effects_case t;
	(void)state;

	open_case(&t, HEAD "object c@3 global ptr$1 size 8 constant\nobject @4 string ptr$1 size 8\n"
			   "function main() starts\n{\np = &g\np = &c\np = &@4\n*p = _ for 8\nv = *p for 8\n}\n");
	MOD(&t, "main", 3, "g");
	assert_non_null(strstr(stmt(&t, "main", 4, EFFECT_USE), "c g"));
	close_case(&t);
}

/* Wide accesses are of all cells that they go over. */
static void test_wide(void **state)
{
	struct effects_case t;
	(void)state;

	open_case(&t, HEAD "function main() starts\n{\np = &h\nh at 8 = p for 8\n*p = _ for 16\n*p = _ for 8\n*p = _\nq = &g\n*q = *p for 8\n}\n");
	MOD(&t, "main", 2, "h.a h.b");
	MOD(&t, "main", 3, "h.a");
	MOD(&t, "main", 4, "h.a h.b");
	MOD(&t, "main", 6, "g");
	USE(&t, "main", 6, "h.a main::p main::q");
	close_case(&t);
	/* from the middle of an element of an array into the next one */
	open_case(&t, HEAD "layout $3 array 32 of pair$2 x 2\nobject t@3 global $3 size 32\n"
			   "function main() starts\n{\nt at 0 = _ for 8\np = &t + 8\n*p = _ for 16\n}\n");
	MOD(&t, "main", 2, "t[].a t[].b");
	close_case(&t);
	/* several narrow cells at once, by name and through a pointer */
	open_case(&t, HEAD "layout int$3 scalar 4\nlayout two$4 struct 8 { 0 int$3 a, 4 int$3 b }\nobject n@3 global two$4 size 8\n"
			   "function main() starts\n{\nn at 4 = _ for 4\nn at 0 = _ for 8\np = &n\n*p = _ for 8\n*p = _ for 4\n}\n");
	MOD(&t, "main", 0, "n.b");
	MOD(&t, "main", 1, "n.a n.b");
	MOD(&t, "main", 3, "n.a n.b");
	MOD(&t, "main", 4, "n.a");
	close_case(&t);
}

/* What a local's own function does to it ends there; what others do through pointers does not. */
static void test_locals(void **state)
{
	struct effects_case t;
	(void)state;

	open_case(&t, HEAD "object x@3 local ptr$1 size 8 in main#1\nobject y@4 local ptr$1 size 8 in set#2\n"
			   "function main() starts\n{\na = &x\ncall set(a)\ncall none()\nx at 0 = _ for 8\n}\n"
			   "function set(p)\n{\n*p = _ for 8\ny at 0 = _ for 8\nq = &y\n*q = _ for 8\n}\n"
			   "function none()\n{\ng at 0 = _ for 8\n}\n");
	MOD(&t, "main", 1, "main::x");
	MOD(&t, "main", 2, "g");
	MOD(&t, "main", 3, "main::x");
	MOD(&t, "set", 3, "set::y");
	assert_string_equal(procedure(&t, "set", EFFECT_MOD), "main::x set::y");
	assert_string_equal(procedure(&t, "main", EFFECT_MOD), "g main::x");
	close_case(&t);
}

/* In a recursion the callee's local is another one, unless a pointer to the caller's is passed on. */
static void test_recursion(void **state)
{
	struct effects_case t;
	(void)state;

	open_case(&t, HEAD "object x@3 local ptr$1 size 8 in down#2\nfunction main() starts\n{\ncall down(_)\n}\n"
			   "function down(p)\n{\nx at 0 = _ for 8\ncall down(_)\ng at 0 = _ for 8\n}\n");
	MOD(&t, "down", 0, "down::x");
	MOD(&t, "down", 1, "g");
	MOD(&t, "main", 0, "g");
	close_case(&t);
	open_case(&t, HEAD "object x@3 local ptr$1 size 8 in down#2\nfunction main() starts\n{\ncall down(_)\n}\n"
			   "function down(p)\n{\na = &x\n*p = _ for 8\ncall down(a)\n}\n");
	MOD(&t, "down", 2, "down::x");
	MOD(&t, "main", 0, "");
	close_case(&t);
}

/* Functions that call each other share their effects on what everyone can get at; of what calls pass each has its own. */
static void test_components(void **state)
{
	struct effects_case t;
	(void)state;

	open_case(&t, HEAD "object u@3 local ptr$1 size 8 in main#1\nobject v@4 local ptr$1 size 8 in main#1\nobject w@5 local ptr$1 size 8 in even#2\n"
			   "function main() starts\n{\na = &u\nb = &v\ncall even(a)\ncall odd(b)\ncall leaf(a)\n}\n"
			   "function even(p)\n{\n*p = _ for 8\nc = &w\nh at 0 = c for 8\ncall odd(_)\ncall even(_)\n}\n"
			   "function odd(q)\n{\n*q = _ for 8\nh at 8 = _ for 8\ncall even(_)\nl = h at 0 for 8\n*l = _ for 8\ncall leaf(_)\n}\n"
			   "function leaf(r)\n{\ng at 0 = _ for 8\n}\n");
	MOD(&t, "main", 2, "g h.a h.b main::u");
	MOD(&t, "main", 3, "g h.a h.b main::v");
	MOD(&t, "main", 4, "g");
	MOD(&t, "even", 3, "even::w g h.a h.b");
	MOD(&t, "odd", 2, "even::w g h.a h.b");
	USE(&t, "odd", 2, "h.a");
	assert_string_equal(procedure(&t, "even", EFFECT_MOD), "even::w g h.a h.b main::u");
	assert_string_equal(procedure(&t, "odd", EFFECT_MOD), "even::w g h.a h.b main::v");
	assert_string_equal(procedure(&t, "odd", EFFECT_USE), "h.a");
	assert_string_equal(procedure(&t, "leaf", EFFECT_MOD), "g");
	assert_string_equal(procedure(&t, "main", EFFECT_MOD), "g h.a h.b main::u main::v");
	close_case(&t);
}

static bool stop_at_3(void *ctx)
{
	return ++*(int *)ctx < 3;
}

static void test_stop(void **state)
{
	struct cir_case c;
	int asked = 0;
	(void)state;

	case_open(&c, HEAD "function main() starts\n{\ncall one()\n}\nfunction one()\n{\ncall two()\n}\nfunction two()\n{\ncall three()\n}\n"
			   "function three()\n{\n}\n", &precise);
	assert_null(modref_compute(c.a, stop_at_3, &asked));
	assert_int_equal(asked, 3);
	case_close(&c);
}

/* A call modifies only what it can get at: by its arguments, by globals, and from there on. */
static void test_accessible(void **state)
{
	struct effects_case t;
	(void)state;

	open_case(&t, HEAD "object u@3 local ptr$1 size 8 in exec#2\nobject s@4 local ptr$1 size 8 in exec#2\n"
			   "function main() starts\n{\ncall exec()\n}\n"
			   "function exec()\n{\nq = &u\ncall neg(q)\nf = &neg\ncall *f(_)\nr = &s\ng at 0 = r for 8\ncall *f(_)\ncall neg(r)\n}\n"
			   "function neg(p)\n{\n*p = _ for 8\n}\n");
	MOD(&t, "neg", 0, "exec::s exec::u");
	/* s is accessible through g everywhere; u only where q is passed */
	MOD(&t, "exec", 1, "exec::s exec::u");
	MOD(&t, "exec", 3, "exec::s");
	MOD(&t, "main", 0, "g");
	close_case(&t);
	/* through a pointer in a struct that is passed */
	open_case(&t, HEAD "object u@3 local ptr$1 size 8 in main#1\nobject s@4 local pair$2 size 16 in main#1\n"
			   "function main() starts\n{\nq = &u\ns at 8 = q for 8\nr = &s\ncall set(r)\n}\n"
			   "function set(p)\n{\nb = p + 8\nl = *b for 8\n*l = _ for 8\n}\n");
	MOD(&t, "main", 3, "main::u");
	USE(&t, "main", 3, "main::r main::s.b");
	close_case(&t);
}

/* Threads, handlers and destructors run while any function does: its locals are there for them, and theirs for it. */
#define APART(start, thread)                                                                                      \
	HEAD "object x@3 local ptr$1 size 8 in hold#2\nobject y@4 local ptr$1 size 8 in beside#3\n"               \
	     "function main() starts\n{\nf = &beside\n" start "call hold()\ncall look()\n}\n"                   \
	     "function hold()\n{\nq = &x\ng at 0 = q for 8\n}\n"                                               \
	     "function beside() " thread "\n{\nl = g at 0 for 8\n*l = _ for 8\nz = &y\nh at 0 = z for 8\n}\n"     \
	     "function look()\n{\nm = h at 0 for 8\n*m = _ for 8\n}\n"

static void test_apart(void **state)
{
	struct effects_case t;
	static const struct { const char *text, *beside, *look, *main; } rows[] = {
		{ APART("call *f()\n", ""), "", "", "g h.a" },
		{ APART("call *f() later\n", ""), "hold::x", "beside::y", "beside::y g h.a" },
		{ APART("", "starts"), "hold::x", "beside::y", "beside::y g" },
	};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		open_case(&t, rows[i].text);
		MOD(&t, "beside", 1, rows[i].beside);
		MOD(&t, "look", 1, rows[i].look);
		assert_string_equal(procedure(&t, "main", EFFECT_MOD), rows[i].main);
		close_case(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_statements), cmocka_unit_test(test_wide), cmocka_unit_test(test_constants),
		cmocka_unit_test(test_locals),
		cmocka_unit_test(test_recursion), cmocka_unit_test(test_components), cmocka_unit_test(test_stop),
		cmocka_unit_test(test_accessible), cmocka_unit_test(test_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
