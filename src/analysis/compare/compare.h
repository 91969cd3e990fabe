/* SPDX-License-Identifier: Apache-2.0 */
/* compare.h - what several analyses require of one component or many, side by side: the figures, and the statistics of their
 * differences. */
#ifndef ANALYSIS_COMPARE_H
#define ANALYSIS_COMPARE_H

#include "algo/statistics.h"
#include "analysis/fragment/requirements.h"

/* What one analysis requires of one component. */
struct comparison_cell {
	uint32_t component, analysis; /* rows of these tables */
	struct req_stats stats;
	uint64_t analysed_methods;    /* 0: not known, as of cha */
	double seconds;
};
/* Zeroed it is empty. Components and analyses stay in the order in which they first came; the last analysis is taken
 * for the most precise, and the others are compared with it. A component may lack analyses. Names are borrowed. */
struct comparison {
	VEC(const char *) components, analyses;
	VEC(struct comparison_cell) cells;
};
/* Adds the figures of `r`, in place of earlier ones of the same component and algorithm; `r` is not kept, its
 * algorithm's name is. */
void comparison_add(struct comparison *c, const char *component, const struct requirements *r);
void comparison_release(struct comparison *c);

enum metric { METRIC_RC = 1, METRIC_TM = 2 };

/* NULL: there is none. */
const struct comparison_cell *comparison_find(const struct comparison *c, uint32_t component, uint32_t analysis);
/* Any cell of the component, for its size: that does not depend on the analysis. */
const struct comparison_cell *comparison_any(const struct comparison *c, uint32_t component);
double cell_average(const struct comparison_cell *cell, enum metric m);       /* N_RC, N_TM */

/* How far an analysis is from the last one, over the components that have both and a polymorphic call. */
struct difference {
	struct summary summary;
	struct median_bounds bounds;
};
struct difference difference_compute(const struct comparison *c, uint32_t analysis, enum metric m);
#define COMPARISON_SAMPLE 5          /* components; fewer cannot be significant */
/* Are there components enough for statistics? */
bool comparison_is_sample(const struct comparison *c);

#endif
