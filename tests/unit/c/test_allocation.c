// SPDX-License-Identifier: Apache-2.0
// links: base algo cir analysis/allocation
/* Allocation sites, and which functions are wrappers of allocators. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "analysis/allocation/allocation.h"
#include "base/diag.h"
#include "cir/cir.h"

/* Models as cmodel/ makes them. */
#define MODELS                                                  \
	"layout ptr scalar 8\n"                                 \
	"layout node struct 16 { 0 ptr next, 8 ptr value }\n"   \
	"object g global ptr\n"                                 \
	"object inner heap model in malloc\n"                   \
	"object moved heap model in realloc\n"                  \
	"object dup heap model in strdup\n"                     \
	"function malloc(n) model allocates\n"                  \
	"{\n  result = &inner\n}\n"                             \
	"function realloc(p, n) model allocates moves 0\n"      \
	"{\n  t = &moved\n  *t = *p\n  result = t\n}\n"         \
	"function strdup(s) model allocates\n"                  \
	"{\n  result = &dup\n  _ = *s\n}\n"                     \
	"function free(p) model\n"                              \
	"{\n}\n"                                                \
	"function memset(s, c, n) model\n"                      \
	"{\n  *s = _\n  result = s\n}\n"                        \
	"function memcpy(d, s, n) model\n"                      \
	"{\n  *d = *s\n  result = d\n}\n"                       \
	"function strchr(s, c) model\n"                         \
	"{\n  result = s + 0 + n*1\n}\n"                        \
	"function keep(p) model\n"                              \
	"{\n  g at 0 = p\n}\n"                                  \
	"function external(p)\n"                                \
	"function printf(f) variadic model\n"                   \
	"{\n}\n"                                                \
	"function vprint(f) variadic model rest _\n"            \
	"{\n}\n"

struct fixture {
	struct cprogram p;
	struct diag d;
	struct strbuf out;
};

static void release(struct fixture *f)
{
	cprogram_release(&f->p);
	diag_release(&f->d);
	strbuf_release(&f->out);
}

/* The program of the models and `text`, with its sites; returns how many wrappers there are. */
static uint32_t prepare(struct fixture *f, const char *text)
{
	const char *reason = NULL;

	*f = (struct fixture){ 0 };
	diag_init(&f->d);
	cprogram_init(&f->p);
	strbuf_adds(&f->out, MODELS);
	strbuf_adds(&f->out, text);
	if (!cir_parse(&f->p, strbuf_str(&f->out), "test", &f->d))
		fail_msg("%s", f->d.entries.data[0].text);
	uint32_t n = allocation_rewrite(&f->p, false);
	if (!cir_check(&f->p, &reason))
		fail_msg("%s", reason);
	return n;
}

/* Numbers but those of rows without a name would only be in the way. */
static void drop_numbers(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++) {
		bool named = to > text && strchr("%#$", *from) && (to[-1] == '_' || (to[-1] >= 'a' && to[-1] <= 'z'));

		if (named)
			from += strspn(from + 1, "0123456789");
		else
			*to++ = *from;
	}
	*to = 0;
}

/* The body of a function, as text. */
static void expect_body(struct fixture *f, const char *name, const char *text)
{
	strbuf_clear(&f->out);
	cir_print(&f->p, &f->out);
	struct strbuf head = { 0 };
	strbuf_addf(&head, "\nfunction %s#", name);
	const char *from = strstr(strstr(f->out.s, head.s), "{\n") + 2, *to = strstr(from, "}\n");
	f->out.s[to - f->out.s] = 0;
	strbuf_release(&head);
	drop_numbers(f->out.s + (from - f->out.s));
	assert_string_equal(from, text);
}

static uint32_t wrappers(const char *text)
{
	struct fixture f;
	uint32_t n = prepare(&f, text);

	release(&f);
	return n;
}

static void test_sites(void **state)
{
	struct fixture f;
	(void)state;

	assert_int_equal(prepare(&f, "function main() starts\n{\n"
				     "  x = call malloc(_) hint node size 32 !\"a.c\":3:1\n"
				     "  x = call malloc(_) hint node size 20 !\"a.c\":4:1\n"
				     "  x = call malloc(_)\n"
				     "  call malloc(_)\n"
				     "  y = call realloc(x, _) hint ptr\n"
				     "  y = call *y(_)\n"
				     "}\n"), 0);
	expect_body(&f, "main", "  x = call malloc(_) fresh hint node size 32 !\"a.c\":3:1\n"
				"  x = &@18 hidden !\"a.c\":3:1\n"
				"  x = call malloc(_) fresh hint node size 20 !\"a.c\":4:1\n"
				"  x = &@19 hidden !\"a.c\":4:1\n"
				"  x = call malloc(_) fresh\n"
				"  x = &@20 hidden\n"
				"  call malloc(_) fresh\n"
				"  y = call realloc(x, _) fresh hint ptr\n"
				"  %33 = &@21 hidden\n"
				"  *%33 = *x\n"
				"  y = %33 hidden\n"
				"  y = call *y(_) memory @22\n");
	const struct cobj *o = &f.p.objs.data[18];
	assert_int_equal(o[0].kind, COBJ_HEAP);
	assert_int_equal(o[0].layout.i, 2);
	assert_int_equal(o[0].flags, COBJ_REPEATS);
	assert_int_equal(o[0].size, 32);
	assert_int_equal(o[1].layout.i, 0);
	assert_int_equal(o[1].flags, 0);
	assert_int_equal(o[1].size, 20);
	assert_int_equal(o[3].layout.i, 1);
	strbuf_clear(&f.out);
	cname_object(&f.p, (cobj_id){ 18 }, &f.out);
	assert_string_equal(f.out.s, "heap@a.c:3");
	release(&f);
}

#define XMALLOC                                                 \
	"function xmalloc(n)\n{\n"                              \
	"  p = call malloc(n)\n  _ = p\n  call memset(p, _, n)\n  result = p\n}\n"

/* What ends in an array that goes on does not repeat: its size says nothing, unless that is all there is. */
static void test_open_ends(void **state)
{
	struct fixture f;
	(void)state;

	prepare(&f, "layout ends array 0 of ptr\nlayout open struct 8 { 0 ptr n, 8 ends rows }\n"
		    "layout one array 8 of ptr x 1\nlayout hack struct 16 { 0 ptr n, 8 one rows }\n"
		    "layout two array 16 of ptr x 2\nlayout closed struct 24 { 0 ptr n, 8 two rows }\n"
		    "function main() starts\n{\n"
		    "  x = call malloc(_) hint open\n  x = call malloc(_) hint open size 8\n"
		    "  x = call malloc(_) hint hack\n  x = call malloc(_) hint hack size 32\n  x = call malloc(_) hint hack size 16\n"
		    "  x = call malloc(_) hint closed\n}\n");
	const struct cobj *o = vec_last(&f.p.objs) - 5;
	const bool laid_out[] = { false, true, false, false, true, true };

	for (size_t i = 0; i < ARRAY_LEN(laid_out); i++)
		assert_int_equal(o[i].layout.i != 0, laid_out[i]);
	release(&f);
}

/* table(8) may be eight elements, and new(3) one of the third kind. */
static void test_sizes_of_wrappers(void **state)
{
	struct fixture f;
	(void)state;

	prepare(&f, XMALLOC "function main() starts\n{\n  x = call xmalloc(_) hint node size 3\n"
			    "  x = call xmalloc(_) hint node size 20\n  x = call malloc(_) hint node size 3\n}\n");
	assert_int_equal(vec_last(&f.p.objs)[-2].layout.i, 2);
	assert_int_equal(vec_last(&f.p.objs)[-1].layout.i, 0);
	assert_int_equal(vec_last(&f.p.objs)[0].layout.i, 0);
	release(&f);

	assert_int_equal(prepare(&f, XMALLOC "function main() starts\n{\n"
					     "  x = call xmalloc(_) hint ptr size 8\n"
					     "  y = call *x(_) hint ptr size 8\n}\n"), 1);
	for (uint32_t i = 1; i < f.p.objs.len; i++)
		assert_int_equal(f.p.objs.data[i].kind == COBJ_HEAP ? f.p.objs.data[i].size : 0, 0);
	assert_int_equal(vec_last(&f.p.objs)->layout.i, 1);
	release(&f);
}

static void test_wrappers(void **state)
{
	struct fixture f;
	(void)state;

	assert_int_equal(prepare(&f, "function main()\n{\n  x = call make(_) hint node\n}\n"
				     "function make(n)\n{\n  q = call xmalloc(n)\n  result = q\n}\n" XMALLOC), 2);
	expect_body(&f, "xmalloc", "  p = call malloc(n) fresh\n  p = &@22 hidden\n  _ = p\n  call memset(p, _, n)\n  %33 = p\n");
	expect_body(&f, "main", "  x = call make(_) fresh hint node\n  x = &@20 hidden\n");
	release(&f);
}

/* What a wrapper may do with the memory, and what not. */
static void test_what_is_a_wrapper(void **state)
{
	static const struct {
		uint32_t wrappers;
		const char *body;              /* of w(a, b), which allocates p */
	} cases[] = {
		{ 1, "  result = p\n" },
		{ 1, "  result = p\n  result = _\n" },
		{ 1, "  result = p\n  call free(p)\n  x = *p\n  q = &g\n  *q = x\n" },
		{ 1, "  result = p\n  *p = _\n  y = p + 8\n  *y = _\n" },
		{ 1, "  y = call memset(p, _, _)\n  result = y\n" },
		{ 1, "  result = p\n  call printf(_, p)\n" },
		{ 1, "  result = p\n  y = call strchr(p, _)\n  *y = _\n" },
		{ 1, "  result = p\n  *a = *p\n" },
		{ 1, "  p = call realloc(p, _)\n  result = p\n" },
		{ 1, "  q = call strdup(a)\n  result = p\n  result = q\n  call keep(a)\n" },
		{ 1, "  r = call w(a, b)\n  result = r\n  result = p\n" },
		{ 1, "  result = p\n  y = call memcpy(p, a, _)\n  call memcpy(y, a, _)\n" },
		{ 1, "  result = p\n  x = *a\n  result = x\n" },      /* or something else */
		{ 1, "  result = p\n  r = call *a()\n  result = r\n" },
		{ 1, "  result = p\n  r = call external(_)\n  result = r\n" },
		{ 1, "  result = p\n  result = a\n  result = b\n" },
		{ 0, "  r = call w(a, b)\n  result = r\n" },
		{ 0, "  _ = p\n" },                              /* not returned */
		{ 0, "  result = p\n  result = g at 0\n" },      /* or something else, and both are in one variable */
		{ 0, "  result = p\n  result = &g\n" },
		{ 0, "  y = p + 8\n  result = y\n" },
		{ 0, "  y = p + 0 elements\n  result = y\n  result = p\n" },      /* to some element */
		{ 0, "  result = p\n  g at 0 = p\n" },           /* stored */
		{ 0, "  result = p\n  *a = p\n" },
		{ 0, "  result = p\n  y = p + 8\n  *y = y\n" },
		{ 0, "  result = p\n  call keep(p)\n" },         /* kept */
		{ 0, "  result = p\n  y = call strchr(p, _)\n  call keep(y)\n" },
		{ 0, "  result = p\n  call external(p)\n" },
		{ 0, "  result = p\n  call *a(p)\n" },
		{ 0, "  result = p\n  call vprint(_, p)\n" },
		{ 0, "  result = p\n  *p = a\n" },               /* filled */
		{ 0, "  result = p\n  q = *a\n  *p = *q\n" },
		{ 0, "  result = p\n  *p = *a\n  *p = *b\n" },
		{ 0, "  result = p\n  y = p + 8\n  *y = *a\n" },
		{ 0, "  result = p\n  y = a + 8\n  *p = *y\n" },
		{ 0, "  result = p\n  y = call strchr(p, _)\n  call memcpy(y, a, _)\n" },
		{ 0, "  result = p\n  *p = *a\n  r = call w(b, b)\n  result = r\n" },
		{ 0, "  result = p\n  x = *a\n  result = x\n  r = call w(b, b)\n  result = r\n" },
	};
	struct strbuf text = { 0 };
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		strbuf_clear(&text);
		strbuf_addf(&text, "function w(a, b)\n{\n  p = call malloc(a)\n%s}\n", cases[i].body);
		if (wrappers(text.s) != cases[i].wrappers)
			fail_msg("%s wrapper: %s", cases[i].wrappers ? "not a" : "a", cases[i].body);
	}
	strbuf_release(&text);
}

static void test_flags_keep_wrappers_away(void **state)
{
	(void)state;
	assert_int_equal(wrappers("function w() weak\n{\n  p = call malloc(_)\n  result = p\n}\n"), 0);
	assert_int_equal(wrappers("function w() starts\n{\n  p = call malloc(_)\n  result = p\n}\n"), 0);
	assert_int_equal(wrappers("function w() model\n{\n  p = call malloc(_)\n  result = p\n}\n"), 0);
	assert_int_equal(wrappers("function w() static\n{\n  p = call malloc(_)\n  result = p\n}\n"), 1);
}

/* Contents that move from a parameter's memory move at every call. */
static void test_moving(void **state)
{
	static const char *const ways[] = {
		"  q = call realloc(p, n)\n  result = q\n",
		"  q = call malloc(n)\n  *q = *p\n  result = q\n",
		"  q = call malloc(n)\n  call memcpy(q, p, n)\n  result = q\n",
		"  q = call malloc(n)\n  o = p\n  r = call memcpy(q, o, n)\n  result = r\n",
		"  q = call malloc(n)\n  result = q\n  r = call realloc(p, n)\n  result = r\n",
		"  q = call again(n, p)\n  result = q\n",
	};
	struct strbuf text = { 0 };
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		struct fixture f;

		strbuf_clear(&text);
		strbuf_addf(&text, "function main(x)\n{\n  y = call w(_, x)\n}\nfunction w(n, p)\n{\n%s}\n"
				   "function again(m, o)\n{\n  q = call realloc(o, m)\n  result = q\n}\n", ways[i]);
		assert_int_equal(prepare(&f, text.s), 2);
		assert_int_equal(f.p.fns.data[cir_find_function(&f.p, STR("w")).i].realloc, 2);
		strbuf_clear(&f.out);
		cir_print(&f.p, &f.out);
		const char *at = strstr(f.out.s, "call w#");
		assert_non_null(at);
		assert_non_null(strstr(at, " = *x%"));
		assert_true(strstr(at, " = *x%") < strstr(at, "}\n"));
		release(&f);
	}
	strbuf_release(&text);
}

/* p = realloc(p, n); return p: without an order of statements this may return the parameter. */
static void test_returned_parameter(void **state)
{
	struct fixture f;
	(void)state;

	assert_int_equal(prepare(&f, "function main(x)\n{\n  y = call w(x, _)\n}\n"
				     "function w(p, n)\n{\n  p = call inner(p, n)\n  result = p\n}\n"
				     "function inner(p, n)\n{\n  q = p\n  q = call realloc(q, n)\n  result = q\n}\n"), 2);
	expect_body(&f, "main", "  y = call w(x, _) fresh\n  %40 = &@20 hidden\n  *%40 = *x\n  y = %40 hidden\n  y = x hidden\n");
	release(&f);
}

/* What else a wrapper returns goes to its callers, and to theirs, without the memory's inner name. */
static void test_other_results(void **state)
{
	struct fixture f;
	(void)state;

	assert_int_equal(prepare(&f, "function main()\n{\n  x = call make(_)\n}\n"
				     "function make(n)\n{\n  q = call pool(n)\n  result = q\n}\n"
				     "function pool(n)\n{\n  p = call malloc(n)\n  result = p\n  y = g at 0\n  result = y\n}\n"), 2);
	expect_body(&f, "pool", "  p = call malloc(n) fresh\n  p = &@22 hidden\n  %33 = p\n  y = g@1 at 0\n  %33 = y\n  %39 = y hidden\n");
	expect_body(&f, "make", "  q = call pool(n) fresh\n  q = &@21 hidden\n  q = %39 hidden\n  %31 = q\n  %40 = %39 hidden\n");
	expect_body(&f, "main", "  x = call make(_) fresh\n  x = &@20 hidden\n  x = %40 hidden\n");
	release(&f);
}

/* A function that may return what it is given, or something else: what is moved from there may be something else's. */
static void test_moving_from_others(void **state)
{
	static const char *const bodies[] = { "  result = x\n", "  result = x\n  y = g at 0\n  result = y\n" };
	struct strbuf text = { 0 };
	(void)state;

	for (uint32_t i = 0; i < 2; i++) {
		strbuf_clear(&text);
		strbuf_addf(&text, "function w(a)\n{\n  q = call malloc(a)\n  y = call pick(q)\n  *q = *y\n"
				   "  result = q\n}\nfunction pick(x)\n{\n%s}\n", bodies[i]);
		assert_int_equal(wrappers(text.s), i == 0);
	}
	strbuf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sites),
		cmocka_unit_test(test_open_ends),
		cmocka_unit_test(test_sizes_of_wrappers),
		cmocka_unit_test(test_wrappers),
		cmocka_unit_test(test_what_is_a_wrapper),
		cmocka_unit_test(test_flags_keep_wrappers_away),
		cmocka_unit_test(test_moving),
		cmocka_unit_test(test_returned_parameter),
		cmocka_unit_test(test_other_results),
		cmocka_unit_test(test_moving_from_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
