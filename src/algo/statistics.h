/* SPDX-License-Identifier: Apache-2.0 */
/* statistics.h - what a small sample says: descriptive statistics, and bounds of the median by the sign test, which
 * assumes nothing about how the values are distributed. */
#ifndef ALGO_STATISTICS_H
#define ALGO_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

struct summary {
	uint32_t n;
	double median, mean, min, max;
	double stddev;                /* of the sample: n - 1 in the denominator; 0 for a single value */
};
/* All zero for no values. O(n log n). */
struct summary summary_compute(const double *values, uint32_t n);

/* P(X >= k), where X counts the heads among n tosses of a fair coin. */
double binomial_tail(uint32_t n, uint32_t k);

enum sign_side { SIGN_ABOVE, SIGN_BELOW };
/* The paired sign test with one tail: the probability of as many values above x (or below it) as there are, if either
 * were as likely as the other. Values equal to x are dropped. 1 when none is left. */
double sign_test(const double *values, uint32_t n, double x, enum sign_side side);

/* Where the sign test stops being significant. "M > x is more likely than M < x" is, at level alpha, for every x below
 * `lower` and for no x above it; "M < x is more likely than M > x" for every x above `upper` and for no x below it.
 * At the bounds themselves, where values are dropped, it may be either. */
struct median_bounds {
	bool found;                   /* false: too few values for this level at any x; 5 are enough for 0.05 */
	double lower, upper;
	bool holds_at_lower, holds_at_upper;     /* significant at the bound itself */
};
struct median_bounds median_bounds_compute(const double *values, uint32_t n, double alpha);

#endif
