// SPDX-License-Identifier: Apache-2.0
// links: base formats/coverage
/* test_reasons.c - rows, their steps and acts come back and are found; what is damaged is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/digest.h"
#include "formats/coverage/reasons.h"

#define HEAD 12
static const uint32_t keys[][2] = { { 0, 4 }, { 0, 7 }, { 3, 1 }, { 900, 2 }, { 900, UINT32_MAX }, { UINT32_MAX, 1 } };
enum { ROWS = sizeof(keys) / sizeof(keys[0]) };

/* Row i has i steps, and i % 3 acts. */
static void make(struct reasons *r)
{
	*r = (struct reasons){ .plan = 0xfedcba9876543210 };
	for (uint32_t i = 0; i < ROWS; i++) {
		vec_push(&r->rows, ((struct reason){ keys[i][0], keys[i][1], r->steps.len, i, r->acts.len, i % 3 }));
		for (uint32_t k = 0; k < i; k++)
			vec_push(&r->steps,
				 ((struct reason_step){k ? STR("p.Factory.make:12") : STR(""), STR("new p.Circle")}));
		for (uint32_t k = 0; k < i % 3; k++)
			vec_push(&r->acts, k ? STR("p.Shapes.add(Shape)") : STR("new p.Circle()"));
		vec_last(&r->rows)->target = i, vec_last(&r->rows)->cost = 10 * i, vec_last(&r->rows)->idea = i % 3;
		vec_push(&r->refuted, ((struct reason_refuted){ keys[i][0], keys[i][1], i % REFUTED_BYS }));
	}
	vec_push(&r->ideas, ((struct reason_idea){ 4, STR("p.Shapes.add(Shape)"), STR("a();\nb();\n"), STR("p.Circle"), true }));
	vec_push(&r->ideas, ((struct reason_idea){ .type = 7, .call = STR("new p.Circle()") }));
	vec_push(&r->refuted_targets, ((struct reason_refuted){ 3, 9, REFUTED_BY_CONDITIONS }));
}

static void test_rows_come_back(void **state)
{
	struct reasons r, back;
	struct strbuf out = { 0 }, err = { 0 };
	struct arena mem;

	(void)state;
	arena_init(&mem);
	make(&r);
	reasons_write(&r, &out);
	assert_true(reasons_read(&back, (struct span){ (const uint8_t *)out.s, out.len }, &mem, &err));
	arena_release(&mem);
	assert_true(back.plan == r.plan && back.rows.len == ROWS);
	for (uint32_t i = 0; i < ROWS; i++) {
		const struct reason *row = reasons_find(&back, keys[i][0], keys[i][1]);
		assert_ptr_equal(row, &back.rows.data[i]);
		assert_int_equal(row->nsteps, i);
		for (uint32_t k = 0; k < i; k++) {
			assert_true(str_is(back.steps.data[row->first_step + k].place, k ? "p.Factory.make:12" : ""));
			assert_true(str_is(back.steps.data[row->first_step + k].text, "new p.Circle"));
		}
		assert_int_equal(row->nacts, i % 3);
		for (uint32_t k = 0; k < row->nacts; k++)
			assert_true(str_is(back.acts.data[row->first_act + k], k ? "p.Shapes.add(Shape)" : "new p.Circle()"));
		assert_true(row->target == i && row->cost == 10 * i && row->idea == i % 3);
		assert_int_equal(reasons_refuted(&back, keys[i][0], keys[i][1])->why, i % REFUTED_BYS);
	}
	assert_int_equal(back.ideas.len, 2);
	assert_true(str_is(back.ideas.data[0].code, "a();\nb();\n") && str_is(back.ideas.data[0].imports, "p.Circle"));
	assert_true(back.ideas.data[0].is_whole && !back.ideas.data[1].is_whole && back.ideas.data[1].type == 7);
	assert_null(reasons_refuted(&back, 3, 9));
	assert_non_null(reasons_refuted_target(&back, 3, 9));
	assert_null(reasons_find(&back, 0, 5));
	assert_null(reasons_find(&back, 1, 4));
	reasons_release(&r);
	reasons_release(&back);
	strbuf_release(&out);
}

static bool is_refused(const struct strbuf *b, size_t n)
{
	struct reasons back;
	struct strbuf err = { 0 };
	struct arena mem;
	uint8_t *copy = mem_alloc(n);

	memcpy(copy, b->s, n);
	arena_init(&mem);
	bool ok = reasons_read(&back, (struct span){ copy, n }, &mem, &err);
	reasons_release(&back);
	arena_release(&mem);
	free(copy);
	bool has_reason = err.len > 0;
	strbuf_release(&err);
	assert_true(ok != has_reason);
	return !ok;
}

static void test_damage_is_found(void **state)
{
	struct reasons r;
	struct strbuf out = { 0 };

	(void)state;
	make(&r);
	reasons_write(&r, &out);
	for (size_t n = 0; n < out.len; n++)
		assert_true(is_refused(&out, n));
	for (size_t i = 0; i < out.len; i++) {
		out.s[i] ^= 1;
		assert_true(is_refused(&out, out.len));
		out.s[i] ^= 1;
	}
	reasons_release(&r);
	strbuf_release(&out);
}

static void test_sealed_nonsense_is_survived(void **state)
{
	struct reasons r;
	struct strbuf out = { 0 };
	uint32_t refused = 0;

	(void)state;
	make(&r);
	reasons_write(&r, &out);
	for (size_t i = HEAD + 8; i < out.len; i++)
		for (int x = 1; x < 256; x++) {
			out.s[i] = (char)(out.s[i] ^ x);
			uint64_t d = digest_add(DIGEST_START, out.s + HEAD + 8, out.len - HEAD - 8);
			for (int k = 0; k < 8; k++)
				out.s[HEAD + k] = (char)(d >> 8 * k);
			refused += is_refused(&out, out.len);
			out.s[i] = (char)(out.s[i] ^ x);
		}
	assert_true(refused > 1000);
	reasons_release(&r);
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_come_back),
		cmocka_unit_test(test_damage_is_found),
		cmocka_unit_test(test_sealed_nonsense_is_survived),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
