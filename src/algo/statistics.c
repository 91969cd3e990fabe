/* SPDX-License-Identifier: Apache-2.0 */
/* statistics.c - descriptive statistics and the sign test. */
#include "algo/statistics.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static int compare_values(const void *a, const void *b)
{
	double x, y;

	memcpy(&x, a, sizeof x);
	memcpy(&y, b, sizeof y);
	return (x > y) - (x < y);
}

/* free() it. */
static double *sorted_copy(const double *values, uint32_t n)
{
	double *copy = mem_alloc(sizeof(double) * n);

	memcpy(copy, values, sizeof(double) * n);
	qsort(copy, n, sizeof *copy, compare_values);
	return copy;
}

/* By Newton's method, from above; it ends when rounding stops the descent. Nothing else here needs the mathematical
 * library. */
static double square_root(double x)
{
	double root = x > 1 ? x : 1;

	if (x <= 0)
		return 0;
	for (double next = (root + x / root) / 2; next < root; next = (root + x / root) / 2)
		root = next;
	return root;
}

static double mean_of(const double *values, uint32_t n)
{
	double sum = 0;

	for (uint32_t i = 0; i < n; i++)
		sum += values[i];
	return sum / n;
}

static double deviation_of(const double *values, uint32_t n, double mean)
{
	double sum = 0;

	if (n < 2)
		return 0;
	for (uint32_t i = 0; i < n; i++)
		sum += (values[i] - mean) * (values[i] - mean);
	return square_root(sum / (n - 1));
}

struct summary summary_compute(const double *values, uint32_t n)
{
	struct summary s = { .n = n };

	if (n == 0)
		return s;
	double *sorted = sorted_copy(values, n);
	s.median = n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
	s.min = sorted[0];
	s.max = sorted[n - 1];
	s.mean = mean_of(sorted, n);
	s.stddev = deviation_of(sorted, n, s.mean);
	free(sorted);
	return s;
}

/* P(X = k): C(n, k) / 2^n, with the halvings among the factors so that nothing overflows. */
static double binomial_point(uint32_t n, uint32_t k)
{
	double p = 1;
	uint32_t halvings = n;

	for (uint32_t i = 1; i <= k; i++) {
		p *= (double)(n - k + i) / i;
		for (; p > 1 && halvings > 0; halvings--)
			p /= 2;
	}
	for (; p > 0 && halvings > 0; halvings--)
		p /= 2;
	return p;
}

double binomial_tail(uint32_t n, uint32_t k)
{
	double sum = 0;

	if (k > n)
		return 0;
	if (k <= n / 2)         /* the long tail: what the short one on the other side leaves */
		return k == 0 ? 1 : 1 - binomial_tail(n, n - k + 1);
	double term = binomial_point(n, k);
	for (uint32_t i = k; i <= n; i++) {
		sum += term;
		term *= (double)(n - i) / (i + 1);
	}
	return sum;
}

double sign_test(const double *values, uint32_t n, double x, enum sign_side side)
{
	uint32_t above = 0, below = 0;

	for (uint32_t i = 0; i < n; i++) {
		above += values[i] > x;
		below += values[i] < x;
	}
	return binomial_tail(above + below, side == SIGN_ABOVE ? above : below);
}

/* The most values that may speak against a hypothesis that n values are to support; UINT32_MAX: not even none. */
static uint32_t most_against(uint32_t n, double alpha)
{
	uint32_t most = UINT32_MAX;

	for (uint32_t against = 0; against <= n / 2 && binomial_tail(n, n - against) <= alpha; against++)
		most = against;
	return most;
}

/* Between two neighbouring values nothing is dropped, and only the number of those below x counts: significance ends at
 * an order statistic. Dropping ties can only make the test weaker than it is just outside, and stronger than just
 * inside. */
struct median_bounds median_bounds_compute(const double *values, uint32_t n, double alpha)
{
	struct median_bounds b = { 0 };
	uint32_t most = most_against(n, alpha);

	if (n == 0 || most >= n)
		return b;
	double *sorted = sorted_copy(values, n);
	b.found = true;
	b.lower = sorted[most];
	b.upper = sorted[n - 1 - most];
	b.holds_at_lower = sign_test(sorted, n, b.lower, SIGN_ABOVE) <= alpha;
	b.holds_at_upper = sign_test(sorted, n, b.upper, SIGN_BELOW) <= alpha;
	free(sorted);
	return b;
}
