// SPDX-License-Identifier: Apache-2.0
// links: base formats/calls
/* test_calls.c - earlier call graphs of applications: what is read, what is refused and where, what a change did. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/compiler.h"
#include "formats/calls/calls.h"

#define HEAD "{\"schema\":\"sherd/callbacks/1\",\"edges\":["
#define EDGE(caller, line, kind, callee) \
	"{\"caller\":\"" caller "\",\"line\":" line ",\"kind\":\"" kind "\",\"callee\":\"" callee "\"}"

static bool read_text(struct calls *c, const char *text, struct strbuf *err)
{
	calls_init(c);
	return calls_read((struct span){ (const uint8_t *)text, strlen(text) }, c, err);
}

static void refuses(const char *text, const char *why)
{
	struct strbuf err = { 0 };
	struct calls c;

	assert_false(read_text(&c, text, &err));
	if (strcmp(err.s, why) != 0)
		fail_msg("'%s' instead of '%s'", err.s, why);
	calls_release(&c);
	strbuf_release(&err);
}

static void what_is_no_result(void **state)
{
	(void)state;
	refuses("", "line 1: '{' expected");
	refuses("{\n\"schema\":\n\"sherd/callgraph/1\"}", "line 3: the schema is not sherd/callbacks/1: write the file with sherd callbacks "
							    "--format json");
	refuses("{\"edges\":[]}", "line 1: there is no schema: write the file with sherd callbacks --format json");
	refuses("{\"schema\":\"sherd/callbacks/1\"}\n", "line 1: there are no edges");
	refuses("{\"edges\":[],\"edges\":[]}", "line 1: edges twice");
	refuses(HEAD "\n{\"caller\":\"a\",\"kind\":\"direct\"}]}", "line 2: a call without caller, kind or callee");
	refuses(HEAD "\n" EDGE("a", "1", "sideways", "b") "]}", "line 2: the kind of a call is direct, callback or later");
	refuses(HEAD EDGE("", "1", "direct", "b") "]}", "line 1: a name is empty");
	refuses(HEAD EDGE("a", "-1", "direct", "b") "]}", "line 1: a number from 0 on expected");
	refuses(HEAD EDGE("a", "4294967296", "direct", "b") "]}", "line 1: the number is none below 4294967296");
	refuses(HEAD EDGE("a", "1e3", "direct", "b") "]}", "line 1: the number is none below 4294967296");
}

/* Broken off anywhere, a result is none. */
static void what_breaks_off(void **state)
{
	static const char whole[] = HEAD EDGE("a.B.m()V", "1", "direct", "b\\u0041\\n") "\n,\n" EDGE("a", "2", "later", "b") "],\"x\":[{}]}";

	(void)state;
	for (size_t n = 0; n < sizeof(whole); n++) {
		struct strbuf err = { 0 };
		struct calls c;
		calls_init(&c);
		bool ok = calls_read((struct span){ (const uint8_t *)whole, n }, &c, &err);
		assert_int_equal(ok, n == sizeof(whole) - 1);
		assert_int_equal(err.len == 0, ok);
		calls_release(&c);
		strbuf_release(&err);
	}
}

/* "-a direct b 3 4;+c later d" */
static void check_changes(const char *old_text, const char *new_text, const char *want)
{
	struct strbuf err = { 0 }, got = { 0 };
	struct calls old, new;
	struct calls_diff d;

	assert_true(read_text(&old, old_text, &err));
	assert_true(read_text(&new, new_text, &err));
	calls_compare(&d, &old, &new);
	for (uint32_t i = 0; i < d.changes.len; i++) {
		const struct calls_change *c = &d.changes.data[i];
		strbuf_addf(&got, "%s%c%s %s %s", i ? ";" : "", c->is_added ? '+' : '-', c->caller.p, call_kind_names[c->kind], c->callee.p);
		for (uint32_t k = c->first; k < c->first + c->n; k++)
			strbuf_addf(&got, " %u", (unsigned)d.lines.data[k]);
	}
	assert_string_equal(got.s ? got.s : "", want);
	calls_diff_release(&d);
	calls_release(&old);
	calls_release(&new);
	strbuf_release(&got);
	strbuf_release(&err);
}

static void changes(void **state)
{
	static const char old[] = HEAD EDGE("m", "9", "direct", "b") "," EDGE("m", "4", "direct", "b") "," EDGE("m", "4", "direct", "b") ","
				  EDGE("a", "1", "callback", "x") "]}";
	static const char moved[] = "{\"edges\":[" EDGE("a", "100", "callback", "x") "," EDGE("m", "7", "direct", "b")
				    "],\"schema\":\"sherd/callbacks/1\"}";
	static const char other[] = HEAD EDGE("a", "1", "later", "x") "," EDGE("m", "4", "direct", "b") "]}";

	(void)state;
	check_changes(old, old, "");
	check_changes(old, moved, "");          /* places do not count */
	check_changes(old, other, "-a callback x 1;+a later x 1");
	check_changes(old, HEAD "]}", "-a callback x 1;-m direct b 4 9");
	check_changes(HEAD "]}", old, "+a callback x 1;+m direct b 4 9");
}

static void facts(void **state)
{
	struct strbuf err = { 0 };
	struct calls a, b;
	struct calls_diff d;

	(void)state;
	assert_true(read_text(&a, "{\"precision\":\"simple\",\"entry\":\"public\",\"depth\":3,\"schema\":\"sherd/callbacks/1\",\"edges\":[]}", &err));
	assert_true(read_text(&b, "{\"entry\":\"public\",\"only\":\"x\",\"depth\":3,\"schema\":\"sherd/callbacks/1\",\"edges\":[]}", &err));
	calls_compare(&d, &a, &b);
	assert_int_equal(d.differs, 1u << CALLS_PRECISION | 1u << CALLS_ONLY);
	calls_diff_release(&d);
	calls_release(&a);
	calls_release(&b);
	strbuf_release(&err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_result),
		cmocka_unit_test(what_breaks_off),
		cmocka_unit_test(changes),
		cmocka_unit_test(facts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
