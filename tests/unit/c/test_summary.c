// SPDX-License-Identifier: Apache-2.0
// links: base algo cir summary
/* Summaries of libraries as text and as bytes: they come back as they were, and what was changed is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/diag.h"
#include "summary/summary.h"

#define TYPES "layout ptr scalar 8\nlayout $2 scalar 8\nlayout node struct 16 { 0 $2 next, 8 $2 value }\n"

/* Everything that rows can have. */
static const char all[] =
	"cprogram 8\n"
	"layout $1 scalar 8\n"
	"layout node$2 struct 24 { 0 $1 next, 8 $1 _, 16 $1 \"odd name\" }\n"
	"layout $3 array 240 of node$2 x 10\n"
	"layout \"a b\"$4 array 0 of $1 x 0\n"
	"layout node$5 struct 8 { 0 $1 other }\n"
	"layout $6 array 80 of node$5 x 0\n"
	"layout word$7 scalar 4\n"
	"layout $8 struct 248 { 0 word$7 a, 8 $3 b }\n"
	"object g@1 global node$2 size 24 exported in _ !\"a.c\":3:5\n"
	"object \"hi \\\"\\\\\\n\\x01\"@2 string _ size 6 static constant\n"
	"object same@3 global $6 size 80 static !\"a.c\":9:1\n"
	"object same@4 global \"a b\"$4 size 8 static !\"b.c\":9:1\n"
	"object \"x/2\"@5 global word$7 size 4 static\n"
	"object same@6 string $8 size 5 static constant\n"
	"object @7 heap node$2 size 0 repeats in main !\"b.h\":9:9\n"
	"function main(argc, env, env) variadic starts weak settled summary !\"a.c\":10:0\n"
	"{\n"
	"  a = &g + 8 !12:1\n"
	"  a = &@2\n"
	"  \"a b\" = argc !\"b.h\":2:1\n"
	"  _ = &x - 24 hidden\n"
	"  _ = argc\n"
	"  a = argc + 16\n"
	"  a = argc - 2147483648 bytes !4:0\n"
	"  a = argc + 0 + n*24 elements hidden range !0:0\n"
	"  b = x at 8 for 8\n"
	"  x at 2147483647 = b for 4 !3:4\n"
	"  c = *b for 8\n"
	"  *b = _\n"
	"  *b = *c for 24\n"
	"  d = call helper(\"a b\", _, argc) fresh later hint node$5 size 48 hidden !17:7\n"
	"  call *d() untyped memory same@3\n"
	"  call *_(a) asm hint $8\n"
	"  e = &same@4\n"
	"  e = &@5\n"
	"  e = &@6\n"
	"  e = &helper\n"
	"  result = e\n"
	"}\n"
	"object x local $3 size 240 in main\n"
	"object x local \"a b\"$4 size 240 in main !\"a.c\":11:3\n"
	"function helper(format, _) model variadic static allocates moves 0 returns 1 rest _ other %8 of main !\"a.c\":30:0\n"
	"{\n"
	"  format = *format\n"
	"  t = @7 at 0\n"
	"  %10 = t + 8\n"
	"  main%1 = %9\n"
	"}\n"
	"temps %8..%9 helper\n"
	"temps %10..%13 _\n"
	"function helper() static !\"b.c\":30:0\n"
	"{\n"
	"}\n"
	"function declared(a)\n"
	"function inits() static starts\n"
	"{\n"
	"  %11 = &helper hidden\n"
	"  g at 0 = %11 for 8 hidden\n"
	"  %12 = &same@3 + 8 hidden\n"
	"  %13 = %12 hidden\n"
	"  g at 8 = %13 for 8 hidden\n"
	"  g at 16 = %12 for 8 hidden\n"
	"}\n"
	"use %1 escapes written returned shifted only moves 1\n"
	"note asm main !\"a.c\":15:1 \"nop; nop\"\n"
	"note no-debug _ \"a.bc\"\n"
	"initialisers inits\n";

static void fail_with(const struct diag *d)
{
	struct strbuf why = { 0 };

	diag_render(&d->entries.data[0], &why);
	fail_msg("%s", why.s);
}

static void parse(struct cprogram *p, const char *text)
{
	struct diag d;

	diag_init(&d);
	cprogram_init(p);
	if (!cir_parse(p, str_of(text), "case", &d))
		fail_with(&d);
	diag_release(&d);
}

/* Clients may name what is marked, and all functions that are neither static nor marked. */
static void make(struct summary *s, const char *text)
{
	struct cprogram all_of_it;

	parse(&all_of_it, text);
	for (uint32_t i = 1; i < all_of_it.fns.len; i++)
		if ((all_of_it.fns.data[i].flags & (CFN_DEFINED | CFN_STATIC)) == CFN_DEFINED)
			all_of_it.objs.data[all_of_it.fns.data[i].obj.i].flags |= COBJ_EXPORTED;
	summary_init(s);
	cprogram_release(&s->program);
	cir_compact(&all_of_it, &s->program);
	cprogram_release(&all_of_it);
	s->library = intern(&s->program.names, STR("libcase"));
	s->exports = summary_exports_digest(&s->program);
}

static void write_form(const struct summary *s, bool text, struct strbuf *out)
{
	strbuf_clear(out);
	if (text)
		summary_write_text(s, out);
	else
		summary_write_binary(s, out);
}

static struct span span_of(const struct strbuf *b)
{
	return (struct span){ (const uint8_t *)b->s, b->len };
}

static void read_form(struct summary *s, const struct strbuf *from)
{
	struct diag d;

	diag_init(&d);
	summary_init(s);
	assert_true(summary_is(span_of(from)));
	if (!summary_read(s, span_of(from), "case", &d))
		fail_with(&d);
	diag_release(&d);
}

/* Both forms of what either form was read as are those of the summary; so is the program, but for the numbers of strings. */
static void expect_round_trips(const struct summary *s)
{
	struct strbuf forms[2] = { 0 }, again = { 0 }, programs[2] = { 0 };

	for (int i = 0; i < 2; i++)
		write_form(s, i, &forms[i]);
	for (int i = 0; i < 2; i++) {
		struct summary read;
		read_form(&read, &forms[i]);
		for (int j = 0; j < 2; j++) {
			write_form(&read, j, &again);
			assert_int_equal(again.len, forms[j].len);
			assert_memory_equal(again.s, forms[j].s, again.len);
		}
		cir_print(&read.program, &programs[i]);
		summary_release(&read);
	}
	assert_string_equal(programs[0].s, programs[1].s);
	for (int i = 0; i < 2; i++) {
		strbuf_release(&forms[i]);
		strbuf_release(&programs[i]);
	}
	strbuf_release(&again);
}

static void test_round_trips(void **state)
{
	struct summary s;
	(void)state;

	make(&s, all);
	s.options = SUMMARY_OPTIMISED;
	s.models = UINT64_MAX;
	vec_push(&s.modules, ((struct summary_module){ intern(&s.program.names, STR("a.bc")), 1 }));
	vec_push(&s.modules, ((struct summary_module){ intern(&s.program.names, STR("b \"quoted\".bc")), UINT64_C(1) << 63 }));
	vec_push(&s.inner, intern(&s.program.names, STR("inner_one")));
	expect_round_trips(&s);
	vec_push(&s.uses, ((struct summary_module){ intern(&s.program.names, STR("libother")), 2 }));
	vec_push(&s.uses, ((struct summary_module){ intern(&s.program.names, STR("other lib")), UINT64_MAX }));
	expect_round_trips(&s);
	summary_release(&s);
	make(&s, "cprogram 4\n");
	expect_round_trips(&s);
	summary_release(&s);
}

static const char queue[] =
	TYPES "object head global ptr static !\"q.c\":3:14\n"
	      "object limit global ptr exported !\"q.c\":4:5\n"
	      "function put(n) !\"q.c\":6:0\n{\n  t = head at 0 for 8 !8:12\n  *n = t for 8 !8:10\n  head at 0 = n for 8 !9:7\n}\n"
	      "function take() !\"q.c\":12:0\n{\n  n = head at 0 for 8 !14:19\n  u = *n for 8 !15:9\n  head at 0 = u for 8 !15:7\n"
	      "  result = n !16:2\n}\n";

/* The example of docs/formats/summary.md */
static void test_text(void **state)
{
	struct summary s;
	struct strbuf out = { 0 };
	(void)state;

	make(&s, queue);
	write_form(&s, true, &out);
	assert_string_equal(out.s, "sherd-summary 1\nlibrary libcase\noptions\nexports 93282b93c1c9ef42\nmodels 0000000000000000\n"
				   "pointers 8\n\nlayout $ptr scalar 8\n\n"
				   "object @head global $ptr static !\"q.c\":3:14\nobject @limit global $ptr exported !\"q.c\":4:5\n\n"
				   "function #put defined !\"q.c\":6:0\n  address exported\n  param %n\n  local %t\n"
				   "  %t = @head at 0 for 8 !+2:12\n  *%n = %t for 8 !+2:10\n  @head at 0 = %n for 8 !+3:7\n\n"
				   "function #take defined !\"q.c\":12:0\n  address exported\n  local %n\n  local %u\n"
				   "  %n = @head at 0 for 8 !+2:19\n  %u = *%n for 8 !+3:9\n  @head at 0 = %u for 8 !+3:7\n  %0 = %n !+4:2\n\n"
				   "end 3ecb9a8b16b5abc5\n");
	strbuf_release(&out);
	summary_release(&s);
}

/* How many lines of one text are not in the other, at their place behind what both begin with and before what both end with. */
static uint32_t changed_lines(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b), front = 0, back = 0;
	uint32_t lines = 0;

	while (front < n && front < m && a[front] == b[front])
		front++;
	while (back < n - front && back < m - front && a[n - 1 - back] == b[m - 1 - back])
		back++;
	for (size_t i = front; i < n - back; i++)
		lines += a[i] == '\n';
	return lines;
}

/* Without its last line, which changes with any other. */
static void text_without_end(const char *program, struct strbuf *out)
{
	struct summary s;

	make(&s, program);
	write_form(&s, true, out);
	*strstr(out->s, "\nend ") = 0;
	summary_release(&s);
}

/* A function that is moved, or has a line more, or one more beside it, changes its own lines. */
static void test_stable(void **state)
{
	static const char head[] = TYPES "object head global ptr static\n";
	static const char put[] = "function put(n) !\"q.c\":%d:0\n{\n  t = head at 0 !%d:12\n  *n = t !%d:10\n%s  head at 0 = n !%d:7\n}\n";
	static const char take[] = "function take() !\"q.c\":12:0\n{\n  n = head at 0 !14:19\n  result = n !16:2\n}\n";
	static const char other[] = "function a_first(x) !\"q.c\":1:0\n{\n  x = &head !1:2\n}\n";
	struct strbuf text[4] = { 0 }, programs[4] = { 0 };
	(void)state;

	for (int i = 0; i < 4; i++) {
		int at = i == 1 ? 60 : 6;
		strbuf_addf(&programs[i], "%s", head);
		strbuf_addf(&programs[i], put, at, at + 2, at + 2, i == 2 ? "  *n = *n for 8\n" : "", at + 3);
		strbuf_addf(&programs[i], "%s%s", take, i == 3 ? other : "");
		text_without_end(programs[i].s, &text[i]);
	}
	assert_int_equal(changed_lines(text[0].s, text[1].s), 0);        /* in one line */
	assert_int_equal(changed_lines(text[2].s, text[0].s), 1);
	assert_int_equal(changed_lines(text[3].s, text[0].s), 11);
	for (int i = 0; i < 4; i++) {
		strbuf_release(&text[i]);
		strbuf_release(&programs[i]);
	}
}

/* Bad input */

static bool is_refused(struct span bytes, const char *why)
{
	struct summary s;
	struct diag d;

	diag_init(&d);
	summary_init(&s);
	bool is_read = summary_read(&s, bytes, "case.sum", &d);
	bool says = d.errors == 1 && d.entries.data[0].code == DIAG_E081 && strstr(d.entries.data[0].text, why);
	if (!is_read && !says)
		print_message("%s\n", d.entries.len ? d.entries.data[0].text : "no message");
	diag_release(&d);
	summary_release(&s);
	return !is_read && says;
}

static bool text_is_refused(const char *text, const char *why)
{
	return is_refused((struct span){ (const uint8_t *)text, strlen(text) }, why);
}

static void test_cut_off(void **state)
{
	struct summary s;
	struct strbuf out = { 0 };
	(void)state;

	make(&s, all);
	for (int i = 0; i < 2; i++) {
		write_form(&s, i, &out);
		for (size_t n = 0; n < out.len; n++)
			assert_true(is_refused((struct span){ (const uint8_t *)out.s, n }, "sherd summarize"));
		strbuf_addch(&out, '\n');
		assert_true(is_refused(span_of(&out), "make it anew"));
	}
	strbuf_release(&out);
	summary_release(&s);
}

static void test_flipped(void **state)
{
	struct summary s;
	struct strbuf out = { 0 };
	(void)state;

	make(&s, queue);
	for (int i = 0; i < 2; i++) {
		write_form(&s, i, &out);
		for (size_t n = 0; n < out.len * 8; n++) {
			out.s[n / 8] = (char)(out.s[n / 8] ^ 1 << n % 8);
			assert_true(is_refused(span_of(&out), "summar"));
			out.s[n / 8] = (char)(out.s[n / 8] ^ 1 << n % 8);
		}
	}
	strbuf_release(&out);
	summary_release(&s);
}

static void test_other_version(void **state)
{
	struct summary s;
	struct strbuf out = { 0 };
	(void)state;

	assert_true(text_is_refused("sherd-summary 2\nlibrary new\n", "made by another version of sherd (2; this one reads 1): make it anew with"));
	assert_true(text_is_refused("hello\n", "not a summary"));
	make(&s, queue);
	write_form(&s, false, &out);
	out.s[8] = 77;
	assert_true(is_refused(span_of(&out), "made by another version of sherd (77; this one reads 1): make it anew with sherd summarize"));
	strbuf_release(&out);
	summary_release(&s);
}

/* Replaced, with or without a digest that fits. */
static void expect_line(const char *from, const char *to, const char *why)
{
	struct summary s;
	struct strbuf out = { 0 }, changed = { 0 };

	make(&s, queue);
	write_form(&s, true, &out);
	char *at = strstr(out.s, from);
	assert_non_null(at);
	*at = 0;
	strbuf_addf(&changed, "%s%s%s", out.s, to, at + strlen(from));
	*strstr(changed.s, "end ") = 0;
	changed.len = strlen(changed.s);
	strbuf_addf(&changed, "end %016llx\n", (unsigned long long)digest_add(DIGEST_START, changed.s, changed.len - 1));
	assert_true(text_is_refused(changed.s, why));
	strbuf_release(&out);
	strbuf_release(&changed);
	summary_release(&s);
}

#define NESTED "[1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1]"

static void test_contradictions(void **state)
{
	(void)state;
	expect_line("exports 9", "exports 8", "clients may use other names than it exports");
	expect_line("@limit global", "@limits global", "clients may use other names than it exports");
	expect_line("*%n = %t", "*%n = %x", "line 18: nothing has this label");
	expect_line("*%n = %t", "*%n = %9", "line 18: variable is out of range");
	expect_line("layout $ptr scalar 8\n", "layout $ptr scalar 8\nlayout $ptr scalar 8\n", "line 9: label is there twice");
	expect_line("library libcase\n", "\nlibrary libcase\n", "line 2: not as a summary is written");
	expect_line("  local %t\n", "  local %t\n  temps 4000000000\n", "line 17: more variables than the text can name");
	expect_line("  param %n\n", "", "line 17: nothing has this label");
	expect_line("%n !+4:2", "%n !+04:2", "line 28: not as a summary is written");
	expect_line("end ", "nonsense\nend ", "line 30: no line begins with this word");
	expect_line("$ptr static", "$ptr static static", "end of line expected");
	expect_line("*%n = %t", "*%n = %1", "line 18: a variable that has a name goes by it");
	expect_line("global $ptr static", "global 8" NESTED NESTED NESTED " static", "line 10: arrays are nested too deep");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trips), cmocka_unit_test(test_text),          cmocka_unit_test(test_stable),
		cmocka_unit_test(test_cut_off),     cmocka_unit_test(test_flipped),       cmocka_unit_test(test_other_version),
		cmocka_unit_test(test_contradictions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
