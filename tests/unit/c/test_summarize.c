// SPDX-License-Identifier: Apache-2.0
// links: base algo solve formats/elf cir cmodel analysis/cpta analysis/allocation analysis/summarize
/* Basic and optimised summaries, to the statement: a module of the shape of figures 3.5 to 3.8 of A. Rountev's thesis (Dataflow
 * analysis of software fragments), and one for each thing that is left out or kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/summarize/summarize.h"
#include "base/diag.h"
#include "base/strbuf.h"
#include "cmodel/cmodel.h"

/* The library's functions with an object that `exports` lists may be called by clients. */
static void parse(struct cprogram *p, const char *text, const char *exports)
{
	struct diag d;
	struct strbuf why = { 0 };

	diag_init(&d);
	cprogram_init(p);
	if (!cir_parse(p, str_of(text), "case", &d)) {
		diag_render(&d.entries.data[0], &why);
		fail_msg("%s", why.s);
	}
	diag_release(&d);
	for (uint32_t i = 1; i < p->objs.len; i++) {
		struct strbuf name = { 0 };
		strbuf_adds(&name, " ");
		strbuf_addstr(&name, interned(&p->names, p->objs.data[i].name));
		strbuf_adds(&name, " ");
		if (name.len > 2 && strstr(exports, name.s))
			p->objs.data[i].flags |= COBJ_EXPORTED;
		strbuf_release(&name);
	}
}

static void optimise(struct cprogram *p, enum cengine engine, struct cprogram *out)
{
	struct summarize *s = summarize_begin(p);

	cmodel_libc(p, true);
	summarize_allocation(s);
	cmodel_placeholders(p, true);
	struct cpta *facts = cpta_compute(p, &(struct cpta_opt){ .engine = engine, .any_calls = true });
	summarize_end(s, facts, out);
	cpta_free(facts);
	summarize_free(s);
}

/* Numbers of what has a name would only be in the way; so would widths. */
static void print(const struct cprogram *p, struct strbuf *out)
{
	cir_print(p, out);
	char *to = out->s;
	for (const char *from = out->s; *from; from++) {
		bool named = to > out->s && strchr("%#$@", *from) && (to[-1] == '_' || (to[-1] >= 'a' && to[-1] <= 'z'));
		if (named)
			from += strspn(from + 1, "0123456789");
		else
			*to++ = *from;
	}
	*to = 0;
}

static void expect_body(const struct cprogram *p, const char *name, const char *body)
{
	struct strbuf out = { 0 }, head = { 0 };

	print(p, &out);
	strbuf_addf(&head, "\nfunction %s(", name);
	char *from = strstr(out.s, head.s);
	assert_non_null(from);
	char *begin = strstr(from, "\n{\n"), *next = strstr(from + 1, "\nfunction ");
	if (!begin || (next && next < begin)) {
		assert_string_equal("no body", body);
	} else {
		*strstr(begin, "}\n") = 0;
		assert_string_equal(begin + 3, body);
	}
	strbuf_release(&out);
	strbuf_release(&head);
}

static bool has_function(const struct cprogram *p, const char *name)
{
	for (uint32_t i = 1; i < p->fns.len; i++)
		if (str_is(interned(&p->names, p->fns.data[i].name), name))
			return true;
	return false;
}

struct both {
	struct cprogram basic, optimised;
};

static void summarize_with(struct both *b, enum cengine engine, const char *text, const char *exports)
{
	struct cprogram p;
	const char *reason = "";

	parse(&p, text, exports);
	summarize_basic(&p, &b->basic);
	optimise(&p, engine, &b->optimised);
	if (!cir_check(&b->basic, &reason) || !cir_check(&b->optimised, &reason))
		fail_msg("%s", reason);
	cprogram_release(&p);
}

static void summarize(struct both *b, const char *text, const char *exports)
{
	summarize_with(b, CENGINE_STEENS, text, exports);
}

static void release(struct both *b)
{
	cprogram_release(&b->basic);
	cprogram_release(&b->optimised);
}

#define TYPES "layout ptr scalar 8\nlayout node struct 16 { 0 ptr next, 8 ptr value }\n"

/* A global and a function that clients use; a hook of theirs; locals of which only an inner function gets the addresses. In the figures'
 * words: notify is exec, hand is p, hook is fp, count is neg, top is g. */
#define MODULE \
	TYPES "object top global ptr\nobject low local ptr in notify\nobject high local ptr in notify\n" \
	"function notify(hand, hook)\n{\n" \
	"  low@2 at 0 = _\n  high@3 at 0 = _\n" \
	"  same = hand\n  got = top at 0\n  call *hook(got, same)\n" \
	"  where = &low@2\n  call count(where)\n  where = &high@3\n  value = high@3 at 0\n  *same = value\n  top at 0 = same\n}\n" \
	"function count(place) static\n{\n  n = *place\n  m = n\n  *place = m\n}\n"

/* Figure 3.6: the basic summary has all statements. */
static void test_basic(void **state)
{
	struct both b;
	(void)state;

	summarize(&b, MODULE, " notify top ");
	expect_body(&b.basic, "notify", "  low at 0 = _\n  high at 0 = _\n  same = hand\n  got = top at 0\n  call *hook(got, same)\n"
					"  where = &low\n  call count(where)\n  where = &high\n  value = high at 0\n  *same = value\n"
					"  top at 0 = same\n");
	expect_body(&b.basic, "count", "  n = *place\n  m = n\n  *place = m\n");
	release(&b);
}

/* Figures 3.7 and 3.8: hand and same are one, where can only point to what no client can tell; a call of count is left, which does
 * nothing that can be told. */
static void test_optimised(void **state)
{
	struct both b;
	(void)state;

	summarize_with(&b, CENGINE_ANDERSEN, MODULE, " notify top ");
	expect_body(&b.optimised, "notify", "  %6 = top at 0\n  call *hook(%6, hand)\n  call count(_)\n"
					    "  *hand = _\n  top at 0 = hand\n");
	expect_body(&b.optimised, "count", "");
	release(&b);
}

/* With the facts of steens, high and what hand points to have one content: so a summary serves all engines. */
static void test_unified(void **state)
{
	struct both b;
	(void)state;

	summarize(&b, MODULE, " notify top ");
	expect_body(&b.optimised, "notify", "  %7 = top at 0\n  call *hook(%7, hand)\n  %8 = &@2\n  call count(%8)\n"
					    "  %8 = &@3\n  %9 = @3 at 0\n  *hand = %9\n  top at 0 = hand\n");
	release(&b);
}

/* What is equal: copies, the same address, the same load, the same two values; not what depends on itself or is called. */
static void test_equal(void **state)
{
	struct both b;
	(void)state;

	summarize(&b, TYPES "object top global ptr\nobject side global ptr\n"
		  "function copies(a, b)\n{\n  x = a\n  y = x\n  top at 0 = y\n  z = b\n  side at 0 = z\n}\n"
		  "function loads(a)\n{\n  x = *a\n  top at 0 = x\n  y = *a\n  side at 0 = y\n}\n"
		  "function unions(a, b)\n{\n  x = a\n  x = b\n  y = b\n  y = a\n  top at 0 = x\n  side at 0 = y\n}\n"
		  "function loops(a)\n{\n  x = a\n  x = y\n  y = *x\n  top at 0 = x\n  side at 0 = y\n}\n"
		  "function gives(a)\n{\n  result = a\n}\n", " copies loads unions loops gives top side ");
	expect_body(&b.optimised, "copies", "  top at 0 = a\n  side at 0 = b\n");
	expect_body(&b.optimised, "loads", "  %8 = *a\n  top at 0 = %8\n  side at 0 = %8\n");
	expect_body(&b.optimised, "unions", "  %16 = a\n  %16 = b\n  top at 0 = %16\n  side at 0 = %16\n");
	expect_body(&b.optimised, "loops", "  %11 = a\n  %11 = %12\n  %12 = *%11\n  top at 0 = %11\n  side at 0 = %12\n");
	expect_body(&b.optimised, "gives", "  %5 = a hidden\n");
	release(&b);
}

/* An access is kept where a client can tell the memory, its value where a client can tell the value. */
static void test_effects(void **state)
{
	struct both b;
	(void)state;

	summarize(&b, TYPES "object top global ptr\nobject mine local ptr in works\nobject theirs local ptr in lends\n"
		  "function works(a)\n{\n  x = *a\n  mine@2 at 0 = x\n  y = mine@2 at 0\n  z = top at 0\n  t = &mine@2\n  *t = _\n  *a = _\n}\n"
		  "function lends(f)\n{\n  t = &theirs@3\n  call *f(t)\n  x = theirs@3 at 0\n}\n", " works lends top ");
	expect_body(&b.optimised, "works", "  %6 = *a\n  @3 at 0 = %6\n  _ = top at 0\n  *a = _\n");
	release(&b);
}

/* Functions that call what is not there stay as they are. */
static void test_open(void **state)
{
	struct both b;
	(void)state;

	summarize(&b, TYPES "object top global ptr\nfunction other(x)\n"
		  "function opens(a)\n{\n  x = a\n  y = x\n  call other(y)\n}\n"
		  "function above(a)\n{\n  x = a\n  call opens(x)\n}\n"
		  "function apart(a)\n{\n  x = a\n  top at 0 = x\n}\n", " opens above apart top ");
	expect_body(&b.optimised, "opens", "  x = a\n  y = x\n  call other(y)\n");
	expect_body(&b.optimised, "above", "  x = a\n  call opens(x)\n");
	expect_body(&b.optimised, "apart", "  top at 0 = a\n");
	release(&b);
}

/* Models and their private copies are no part of it; what they were for is declared. */
static void test_models(void **state)
{
	struct both b;
	(void)state;

	summarize(&b, TYPES "object top global ptr\nfunction malloc(n)\nfunction strchr(s, c)\nfunction free(p)\n"
		  "function makes(s)\n{\n  m = call malloc(_)\n  top at 0 = m\n  t = call strchr(s, _)\n  *m = t\n  call free(t)\n}\n"
		  "function never() static\n{\n  call makes(_)\n}\n", " makes top ");
	expect_body(&b.optimised, "makes", "  call malloc(_) fresh\n  %5 = &@2 hidden\n  top at 0 = %5\n  %6 = call strchr(s, _)\n  *%5 = %6\n"
					   "  call free(%6)\n");
	expect_body(&b.optimised, "malloc", "no body");
	assert_false(has_function(&b.optimised, "never"));
	assert_false(has_function(&b.optimised, "_start"));
	assert_false(has_function(&b.optimised, "ph_proc"));
	assert_int_equal(b.optimised.notes.len, b.basic.notes.len);
	release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_basic),   cmocka_unit_test(test_optimised), cmocka_unit_test(test_equal),
		cmocka_unit_test(test_unified), cmocka_unit_test(test_effects),   cmocka_unit_test(test_open),
		cmocka_unit_test(test_models),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
