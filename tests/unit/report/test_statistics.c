// SPDX-License-Identifier: Apache-2.0
// links: base algo
/* Statistics of samples: against definitions computed the long way, and against published figures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "algo/statistics.h"
#include "base/compiler.h"

static void assert_near(double is, double wanted, double most)
{
	if (!(is - wanted <= most && wanted - is <= most))
		fail_msg("%.9f is not within %g of %.9f", is, most, wanted);
}

static void summaries_of_small_samples(void **state)
{
	(void)state;
	struct summary none = summary_compute(NULL, 0);
	struct summary one = summary_compute((const double[]){ -2.5 }, 1);
	struct summary odd = summary_compute((const double[]){ 9, 1, 2 }, 3);
	struct summary even = summary_compute((const double[]){ 4, 2, 4, 4, 5, 5, 7, 9 }, 8);

	assert_int_equal(none.n, 0);
	assert_true(none.mean == 0 && none.stddev == 0);
	assert_true(one.median == -2.5 && one.mean == -2.5 && one.min == -2.5 && one.max == -2.5 && one.stddev == 0);
	assert_true(odd.median == 2 && odd.mean == 4 && odd.min == 1 && odd.max == 9);
	assert_near(odd.stddev, 4.358898943540674, 1e-12);      /* sqrt(19) */
	assert_true(even.median == 4.5 && even.mean == 5);
	assert_near(even.stddev, 2.138089935299395, 1e-12);     /* sqrt(32 / 7) */
}

static void deviations_of_any_size(void **state)
{
	(void)state;
	for (int e = -30; e <= 30; e++) {
		double unit = 1;
		for (int i = 0; i < abs(e); i++)
			unit *= e < 0 ? 0.1 : 10;
		struct summary s = summary_compute((double[]){ 0, unit * 2 }, 2);
		assert_near(s.stddev * s.stddev / (unit * unit), 2, 1e-9);
	}
}

/* P(X >= k) by counting the heads of all 2^n sequences. */
static double tail_by_counting(uint32_t n, uint32_t k)
{
	uint32_t hits = 0;

	for (uint32_t tosses = 0; tosses < 1u << n; tosses++) {
		uint32_t heads = 0;
		for (uint32_t i = 0; i < n; i++)
			heads += tosses >> i & 1;
		hits += heads >= k;
	}
	return (double)hits / (double)(1u << n);
}

static void tails_of_coins(void **state)
{
	(void)state;
	for (uint32_t n = 0; n <= 12; n++)
		for (uint32_t k = 0; k <= n + 1; k++)
			assert_near(binomial_tail(n, k), tail_by_counting(n, k), 1e-12);
}

/* Sizes whose powers of two no double holds. */
static void tails_of_many_coins(void **state)
{
	(void)state;
	assert_near(binomial_tail(5000, 0), 1, 1e-12);
	assert_near(binomial_tail(5001, 2501), 0.5, 1e-9);
	assert_true(binomial_tail(5000, 5000) == 0);            /* 2^-5000: no double is as small */
	assert_true(binomial_tail(1000, 1000) > 0);
	for (uint32_t k = 1; k <= 3000; k += 7) {
		double p = binomial_tail(3000, k);
		assert_near(p + binomial_tail(3000, 3000 - k + 1), 1, 1e-9);
		assert_true(p <= binomial_tail(3000, k - 1));
	}
}

static void sign_tests(void **state)
{
	(void)state;
	const double v[] = { 0, 0, 1, 2, 3, 4, 5 };

	assert_near(sign_test(v, 7, -1, SIGN_ABOVE), 1.0 / 128, 1e-15);
	assert_near(sign_test(v, 7, 0, SIGN_ABOVE), 1.0 / 32, 1e-15);        /* two ties dropped: 5 of 5 */
	assert_near(sign_test(v, 7, 0, SIGN_BELOW), 1, 1e-15);
	assert_near(sign_test(v, 7, 4, SIGN_BELOW), 7.0 / 64, 1e-15);        /* one tie: 5 of 6 */
	assert_near(sign_test(v, 2, 0, SIGN_ABOVE), 1, 1e-15);               /* nothing left */
}

/* Is the test significant at x? */
static bool holds(const double *v, uint32_t n, double x, enum sign_side side, double alpha)
{
	return sign_test(v, n, x, side) <= alpha;
}

/* Values are whole numbers, so halves lie between them: the bounds must part the halves where significance ends, and
 * say right what happens at themselves. */
static void check_bounds(const double *v, uint32_t n, double alpha)
{
	struct median_bounds b = median_bounds_compute(v, n, alpha);

	for (int half = -41; half <= 41; half += 2) {
		double x = half / 2.0;
		assert_int_equal(holds(v, n, x, SIGN_ABOVE, alpha), b.found && x < b.lower);
		assert_int_equal(holds(v, n, x, SIGN_BELOW, alpha), b.found && x > b.upper);
	}
	if (!b.found)
		return;
	assert_true(b.lower <= b.upper);
	assert_int_equal(holds(v, n, b.lower, SIGN_ABOVE, alpha), b.holds_at_lower);
	assert_int_equal(holds(v, n, b.upper, SIGN_BELOW, alpha), b.holds_at_upper);
}

static void bounds_by_brute_force(void **state)
{
	(void)state;
	static const double levels[] = { 0.05, 0.01, 0.25, 0.5 };
	uint32_t random = 12345;

	for (int round = 0; round < 4000; round++) {
		double v[24];
		uint32_t n = 1 + (uint32_t)round % ARRAY_LEN(v), spread = 1 + (uint32_t)round / 7 % 20;
		for (uint32_t i = 0; i < n; i++) {
			random = random * 1664525u + 1013904223u;
			v[i] = (double)((random >> 16) % (2 * spread + 1)) - spread;
		}
		check_bounds(v, n, levels[round % 4]);
	}
}

static void five_values_are_enough(void **state)
{
	(void)state;
	const double v[] = { 3, 1, 2, 5, 4 };
	struct median_bounds four = median_bounds_compute(v, 4, 0.05), five = median_bounds_compute(v, 5, 0.05);

	assert_false(four.found);
	assert_false(median_bounds_compute(NULL, 0, 0.05).found);
	assert_true(five.found);
	assert_true(five.lower == 1 && five.upper == 5);
	assert_false(five.holds_at_lower || five.holds_at_upper);
}

static void ties_at_a_bound(void **state)
{
	(void)state;
	const double v[] = { 0, 0, 1, 2, 3, 4, 5, 6, 7 };
	struct median_bounds b = median_bounds_compute(v, 9, 0.05);

	assert_true(b.lower == 0 && b.holds_at_lower);          /* 7 of 7 are above 0 */
	assert_true(b.upper == 6 && b.holds_at_upper);          /* 7 of 8 are below 6 */
}

/* Rountev, Milanova, Ryder: Fragment class analysis for testing of polymorphism in Java software, IEEE TSE 30(6), 2004.
 * Table II: N_RC of CHA, RTA, 0-CFA, AND and what is feasible, then N_TM of the same, for 18 tasks, in hundredths. */
enum { CHA, RTA, CFA, AND, PREC, ANALYSES };
#define RC 0
#define TM ANALYSES
static const int table_2[18][2 * ANALYSES] = {
	{ 400, 400, 400, 400, 400, 350, 350, 350, 350, 350 },
	{ 286, 286, 253, 253, 192, 248, 248, 218, 218, 157 },
	{ 200, 200, 100, 100, 100, 100, 100, 100, 100, 100 },
	{ 320, 220, 100, 100, 100, 160, 140, 100, 100, 100 },
	{ 700, 144, 128, 128, 128, 617, 138, 128, 128, 128 },
	{ 1440, 432, 250, 250, 236, 1091, 364, 250, 250, 236 },
	{ 376, 376, 292, 291, 285, 241, 241, 210, 209, 205 },
	{ 617, 191, 75, 71, 62, 355, 107, 56, 56, 52 },
	{ 642, 177, 51, 51, 31, 360, 108, 51, 51, 31 },
	{ 1432, 660, 182, 182, 0, 182, 164, 143, 143, 0 },
	{ 277, 155, 132, 132, 0, 100, 100, 100, 100, 0 },
	{ 573, 473, 410, 410, 0, 358, 358, 328, 328, 0 },
	{ 607, 395, 198, 198, 0, 252, 225, 173, 173, 0 },
	{ 553, 441, 294, 294, 0, 204, 189, 163, 163, 0 },
	{ 720, 348, 169, 169, 0, 324, 225, 144, 144, 0 },
	{ 400, 236, 186, 186, 0, 255, 186, 173, 173, 0 },
	{ 1002, 422, 116, 116, 0, 280, 187, 103, 103, 0 },
	{ 1440, 737, 420, 420, 0, 267, 216, 186, 186, 0 },
};

/* Table IV. What is feasible is known for the first nine tasks only. Where it has 1.17 as the upper bound of
 * N_TM(CHA, AND), no value of table II is near; 1.77, of task 17, is the value of that rank. */
static const struct {
	int metric, analysis, from;
	double median, mean, min, max, stddev, lower, upper;
} table_4[] = {
	{ RC, CHA, AND, 3.34, 4.58, 0, 12.5, 3.99, 1.63, 5.73 },
	{ TM, CHA, AND, 0.7, 1.54, 0, 8.41, 2.17, 0.32, 1.77 },
	{ RC, RTA, AND, 1.2, 1.41, 0, 4.78, 1.24, 0.63, 1.8 },
	{ TM, RTA, AND, 0.3, 0.37, 0, 1.14, 0.31, 0.2, 0.52 },
	{ RC, CFA, AND, 0, 0.003, 0, 0.04, 0.01, 0, 0.01 },
	{ TM, CFA, AND, 0, 0.0006, 0, 0.01, 0.002, 0, 0.01 },
	{ RC, CHA, PREC, 2.2, 3.83, 0, 12.05, 3.9, 0.9, 6.11 },
	{ TM, CHA, PREC, 0.91, 2.4, 0, 8.55, 2.88, 0, 4.89 },
	{ RC, RTA, PREC, 1, 0.99, 0, 1.96, 0.61, 0.15, 1.46 },
	{ TM, RTA, PREC, 0.4, 0.49, 0, 1.28, 0.44, 0, 0.91 },
	{ RC, CFA, PREC, 0.07, 0.13, 0, 0.61, 0.2, 0, 0.2 },
	{ TM, CFA, PREC, 0.04, 0.12, 0, 0.61, 0.2, 0, 0.2 },
	{ RC, AND, PREC, 0.06, 0.12, 0, 0.61, 0.2, 0, 0.2 },
	{ TM, AND, PREC, 0.04, 0.12, 0, 0.61, 0.2, 0, 0.2 },
};

/* Both tables are rounded, and bounds there are multiples of 0.01 at which the test holds: on the outer side of
 * ours. */
static void published_statistics(void **state)
{
	(void)state;
	const double rounding = 0.0101;

	for (size_t i = 0; i < ARRAY_LEN(table_4); i++) {
		uint32_t n = table_4[i].from == PREC ? 9 : 18;
		double v[18];
		for (uint32_t t = 0; t < n; t++)
			v[t] = (table_2[t][table_4[i].metric + table_4[i].analysis] -
				table_2[t][table_4[i].metric + table_4[i].from]) / 100.0;
		struct summary s = summary_compute(v, n);
		struct median_bounds b = median_bounds_compute(v, n, 0.05);
		assert_near(s.median, table_4[i].median, rounding);
		assert_near(s.mean, table_4[i].mean, rounding);
		assert_near(s.min, table_4[i].min, rounding);
		assert_near(s.max, table_4[i].max, rounding);
		assert_near(s.stddev, table_4[i].stddev, rounding);
		assert_true(b.found);
		assert_near(b.lower, table_4[i].lower, rounding);
		assert_near(b.upper, table_4[i].upper, rounding);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(summaries_of_small_samples),
		cmocka_unit_test(deviations_of_any_size),
		cmocka_unit_test(tails_of_coins),
		cmocka_unit_test(tails_of_many_coins),
		cmocka_unit_test(sign_tests),
		cmocka_unit_test(bounds_by_brute_force),
		cmocka_unit_test(five_values_are_enough),
		cmocka_unit_test(ties_at_a_bound),
		cmocka_unit_test(published_statistics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
