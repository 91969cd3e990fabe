// SPDX-License-Identifier: Apache-2.0
// links: base algo cir analysis/allocation
/* Programs that are reduced to what is referred to, and linked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/allocation/allocation.h"
#include "base/diag.h"
#include "cir/cir.h"

static void parse(struct cprogram *p, const char *text)
{
	struct diag d;
	struct strbuf why = { 0 };
	const char *reason = "";

	diag_init(&d);
	cprogram_init(p);
	if (!cir_parse(p, str_of(text), "case", &d)) {
		diag_render(&d.entries.data[0], &why);
		fail_msg("%s", why.s);
	}
	if (!cir_check(p, &reason))
		fail_msg("%s", reason);
	diag_release(&d);
}

static void expect_sound(const struct cprogram *p)
{
	const char *reason = "";

	if (!cir_check(p, &reason))
		fail_msg("%s", reason);
}

/* Numbers of rows that have names would only be in the way. */
static void print(const struct cprogram *p, struct strbuf *out)
{
	strbuf_clear(out);
	cir_print(p, out);
	char *to = out->s;
	for (const char *from = out->s; *from; from++) {
		bool is_number = to > out->s && strchr("%#$@", *from) && ((to[-1] >= 'a' && to[-1] <= 'z') || to[-1] == '_');
		if (is_number)
			from += strspn(from + 1, "0123456789");
		else
			*to++ = *from;
	}
	*to = 0;
}

static bool has(const struct cprogram *p, const char *text)
{
	struct strbuf out = { 0 };

	print(p, &out);
	bool found = strstr(out.s, text) != NULL;
	strbuf_release(&out);
	return found;
}

/* Objects of these names, functions among them, may be named by clients. */
static void export(struct cprogram *p, const char *names)
{
	for (uint32_t i = 1; i < p->objs.len; i++) {
		struct strbuf name = { 0 };
		strbuf_adds(&name, " ");
		strbuf_addstr(&name, interned(&p->names, p->objs.data[i].name));
		strbuf_adds(&name, " ");
		if (name.len > 2 && strstr(names, name.s))
			p->objs.data[i].flags |= COBJ_EXPORTED;
		strbuf_release(&name);
	}
}

static void compact(struct cprogram *p, const char *text, const char *exports)
{
	struct cprogram from;

	parse(&from, text);
	export(&from, exports);
	cir_compact(&from, p);
	expect_sound(p);
	cprogram_release(&from);
}

#define TYPES "layout ptr scalar 8\nlayout node struct 16 { 0 ptr next, 8 ptr value }\n"

/* Neither the object, nor the function, nor the layout; nor the first value of either. */
static void test_dropped(void **state)
{
	struct cprogram p;
	(void)state;

	compact(&p, TYPES "object unused global node static\nobject api global ptr\nobject held global ptr static\n"
			  "function get(x)\n{\n  result = held at 0\n}\n"
			  "function other(y)\n{\n  y = &unused\n  call get(y)\n}\n"
			  "function inits() starts\n{\n  t = &api\n  held at 0 = t\n  u = &held\n  unused at 0 = u\n}\n"
			  "initialisers inits\n", " api get ");
	assert_true(has(&p, "object api global ptr"));
	assert_true(has(&p, " = held at 0\n"));
	assert_true(has(&p, "  held at 0 = "));
	assert_false(has(&p, "unused"));
	assert_false(has(&p, "other"));
	assert_false(has(&p, "node"));
	assert_false(has(&p, "= &held"));
	cprogram_release(&p);
}

static void expect_same(const char *first, const char *second, const char *exports)
{
	struct cprogram p, q, again;
	struct strbuf x = { 0 }, y = { 0 }, z = { 0 };

	compact(&p, first, exports);
	compact(&q, second, exports);
	cir_compact(&p, &again);
	cir_print(&p, &x);
	cir_print(&q, &y);
	cir_print(&again, &z);
	assert_string_equal(x.s, y.s);
	assert_string_equal(x.s, z.s);
	strbuf_release(&x);
	strbuf_release(&y);
	strbuf_release(&z);
	cprogram_release(&p);
	cprogram_release(&q);
	cprogram_release(&again);
}

/* Whichever module comes first. */
static void test_order(void **state)
{
	(void)state;

	expect_same(TYPES "object a global ptr static\nobject b global node static\n"
		    "function one(x)\n{\n  a at 0 = x\n  call two(x)\n}\nfunction two(y)\n{\n  y = &b + 8\n}\n",
		    TYPES "object b global node static\nobject a global ptr static\n"
		    "function two(y)\n{\n  y = &b + 8\n}\nfunction one(x)\n{\n  a at 0 = x\n  call two(x)\n}\n", " one two ");
}

/* A static function of a header is in both modules: they are told apart by what they do. */
static void test_twins(void **state)
{
	(void)state;

	expect_same(TYPES "object a global ptr static\nobject b global ptr static\n"
		    "function one#1(x)\n{\n  call twin#2(x)\n}\nfunction twin#2(x) static !\"h.h\":3:1\n{\n  a at 0 = x\n}\n"
		    "function two#3(x)\n{\n  call twin#4(x)\n}\nfunction twin#4(x) static !\"h.h\":3:1\n{\n  b at 0 = x\n}\n",
		    TYPES "object b global ptr static\nobject a global ptr static\n"
		    "function two#1(x)\n{\n  call twin#2(x)\n}\nfunction twin#2(x) static !\"h.h\":3:1\n{\n  b at 0 = x\n}\n"
		    "function one#3(x)\n{\n  call twin#4(x)\n}\nfunction twin#4(x) static !\"h.h\":3:1\n{\n  a at 0 = x\n}\n",
		    " one two ");
}

/* A function that only names what is in it is a name without a body. */
static void test_named(void **state)
{
	struct cprogram p;
	(void)state;

	compact(&p, TYPES "object kept local ptr static in user\nfunction user(x)\n{\n  kept at 0 = x\n}\n"
			  "function get()\n{\n  result = &kept@1\n}\n", " get ");
	assert_true(has(&p, "function user(x) result"));
	assert_false(has(&p, "kept at 0 ="));
	cprogram_release(&p);
}

/* Linking */

static char *last_conflict;

static void on_conflict(void *ctx, struct str name)
{
	(void)ctx;
	free(last_conflict);
	last_conflict = strndup(name.p, name.len);
}

/* The client, with the library behind it, as text; what it exports comes of the library's exports. */
static void join(struct cprogram *p, const char *client, const char *library, const char *exports)
{
	struct cprogram lib;
	struct clink_opt opt = { .on_conflict = on_conflict };

	free(last_conflict);
	last_conflict = NULL;
	parse(p, client);
	compact(&lib, library, exports);
	cir_link(p, &lib, &opt);
	expect_sound(p);
	cprogram_release(&lib);
}

/* What the client declares is what the library defines, with its layout; what the library declares is the client's. */
static void test_symbols(void **state)
{
	struct cprogram p;
	(void)state;

	join(&p, "layout ptr scalar 8\nobject mine global ptr\nobject table global _ imported\n"
		 "function main() starts\n{\n  a = &mine\n  x = call get(a)\n  y = table at 8\n}\nfunction get(p)\n"
		 "function hook(q)\n{\n  mine at 0 = q\n}\n",
	     TYPES "object table global node\nfunction get(a)\n{\n  call hook(a)\n  result = table at 8\n  call inner(a)\n}\n"
		   "function hook(z)\nfunction inner(i)\n{\n  table at 0 = i\n}\n", " get table ");
	cfn_id get = cir_find_function(&p, STR("get")), hook = cir_find_function(&p, STR("hook"));
	assert_true(p.fns.data[get.i].flags & CFN_DEFINED);
	assert_int_equal(p.fns.data[get.i].ncalls, 2);
	assert_int_equal(p.calls.data[p.fns.data[get.i].calls].callee.i, hook.i);
	assert_true(has(&p, "object table global node"));
	assert_true(has(&p, "function inner(i) result"));
	assert_int_equal(cir_find_function(&p, STR("inner")).i, 0);
	assert_null(last_conflict);
	for (uint32_t i = 1; i < p.objs.len; i++)
		assert_false(p.objs.data[i].flags & (COBJ_IMPORTED | COBJ_EXPORTED));
	cprogram_release(&p);
}

/* A name that the library does not export is another thing in the client. */
static void test_hidden(void **state)
{
	struct cprogram p;
	(void)state;

	join(&p, "object g global _\nfunction main() starts\n{\n  x = &g\n  call get()\n}\nfunction get()\n",
	     "object g global _\nfunction get()\n{\n  result = &g\n}\n", " get ");
	assert_int_equal(p.objs.data[1].flags, 0);
	assert_true(has(&p, "object g global _ size 0 static"));
	assert_null(last_conflict);
	cprogram_release(&p);
}

/* Both define it: the first one stays, unless it is weak. */
static void test_conflicts(void **state)
{
	struct cprogram p;
	(void)state;

	join(&p, "function get(x)\n{\n  result = x\n}\n", "object b global _\nfunction get(y)\n{\n  result = &b\n}\n", " get ");
	assert_string_equal(last_conflict, "get");
	assert_false(has(&p, "= &b"));
	cprogram_release(&p);
	join(&p, "function get(x) weak\n{\n  result = x\n}\n", "object b global _\nfunction get(y)\n{\n  result = &b\n}\n", " get ");
	assert_null(last_conflict);
	assert_true(has(&p, "= &b"));
	cprogram_release(&p);
	join(&p, "function get(x)\n{\n  result = x\n}\n", "object b global _\nfunction get(y) weak\n{\n  result = &b\n}\n", " get ");
	assert_null(last_conflict);
	assert_false(has(&p, "= &b"));
	cprogram_release(&p);
	free(last_conflict);
	last_conflict = NULL;
}

/* A global that the client defines itself keeps its own first values. */
static void test_initialisers(void **state)
{
	struct cprogram p;
	(void)state;

	join(&p, "object g global _\nobject one global _\nfunction inits() starts\n{\n  t = &one\n  g at 0 = t\n}\n"
		 "initialisers inits\n",
	     "object g global _\nobject h global _\nobject two global _\nfunction inits() starts\n{\n  t = &two\n  g at 0 = t\n"
	     "  h at 0 = t\n}\ninitialisers inits\n", " g h ");
	assert_string_equal(last_conflict, "g");
	assert_true(has(&p, "  h at 0 = "));
	struct strbuf out = { 0 };
	print(&p, &out);
	const char *first = strstr(out.s, "  g at 0 = ");
	assert_non_null(first);
	assert_null(strstr(first + 1, "  g at 0 = "));
	strbuf_release(&out);
	cprogram_release(&p);
	free(last_conflict);
	last_conflict = NULL;
}

/* Declared as data, defined as a function: whoever has its address has that of the function. */
static void test_forwards(void **state)
{
	struct cprogram p;
	(void)state;

	join(&p, "object get global _ imported\nfunction main() starts\n{\n  x = &get\n  call *x()\n}\n",
	     "function get()\n{\n}\n", " get ");
	cfn_id get = cir_find_function(&p, STR("get"));
	const struct cstmt *s = &p.stmts.data[p.fns.data[cir_find_function(&p, STR("main")).i].stmts];
	assert_int_equal(s->op, C_ADDR);
	assert_int_equal(s->src, p.fns.data[get.i].obj.i);
	cprogram_release(&p);
}

/* Settling */

#define MODELS "object inner heap _ model in malloc\nobject g global _\n" \
	       "function malloc(n) model allocates\n{\n  result = &inner\n}\n"

/* What a function does with its parameters is known where all that it calls is there; a weak one may be replaced. */
static void test_settled(void **state)
{
	struct cprogram p;
	(void)state;

	parse(&p, MODELS "function keeps(k)\n{\n  g at 0 = k\n}\nfunction same(s)\n{\n  result = s\n}\n"
			 "function passes(o, u)\n{\n  result = call same(o)\n}\nfunction outside(x)\n"
			 "function unsure(y)\n{\n  call outside(y)\n}\nfunction above(z)\n{\n  call unsure(z)\n}\n"
			 "function gives(n)\n{\n  result = call malloc(n)\n}\nfunction may(w) weak\n{\n}\nfunction uses(v)\n{\n  call may(v)\n}\n");
	allocation_rewrite(&p, true);
	expect_sound(&p);
	static const char *const settled[] = { "keeps", "same", "passes", "gives" }, *const open[] = { "unsure", "above", "may", "uses" };
	for (uint32_t i = 0; i < ARRAY_LEN(settled); i++)
		assert_true(p.fns.data[cir_find_function(&p, str_of(settled[i])).i].flags & CFN_SETTLED);
	for (uint32_t i = 0; i < ARRAY_LEN(open); i++)
		assert_false(p.fns.data[cir_find_function(&p, str_of(open[i])).i].flags & CFN_SETTLED);
	assert_true(p.fns.data[cir_find_function(&p, STR("gives")).i].flags & CFN_ALLOCATES);
	assert_true(has(&p, "use s returned only\n"));
	assert_false(has(&p, "use k"));
	cprogram_release(&p);
}

/* With the uses of settled functions, callers get what they get with their bodies. */
static void test_settled_uses(void **state)
{
	struct cprogram p, lib;
	struct clink_opt opt = { 0 };
	(void)state;

	parse(&lib, "function fill(f)\n{\n}\nfunction same(s)\n{\n  result = s\n}\n");
	export(&lib, " fill same ");
	allocation_rewrite(&lib, true);
	parse(&p, MODELS "function fill(a)\nfunction same(b)\nfunction gives(n)\n{\n  m = call malloc(n)\n  call fill(m)\n"
			 "  result = call same(m)\n}\n");
	cir_link(&p, &lib, &opt);
	expect_sound(&p);
	assert_int_equal(allocation_rewrite(&p, false), 1);
	assert_true(p.fns.data[cir_find_function(&p, STR("gives")).i].flags & CFN_ALLOCATES);
	cprogram_release(&p);
	cprogram_release(&lib);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dropped),      cmocka_unit_test(test_order),    cmocka_unit_test(test_twins),
		cmocka_unit_test(test_named),        cmocka_unit_test(test_symbols),  cmocka_unit_test(test_hidden),
		cmocka_unit_test(test_conflicts),    cmocka_unit_test(test_initialisers), cmocka_unit_test(test_forwards),
		cmocka_unit_test(test_settled),      cmocka_unit_test(test_settled_uses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
