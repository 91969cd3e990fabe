/* SPDX-License-Identifier: Apache-2.0 */
/* select.h - part of the call graph of an application: what people can look at. */
#ifndef ANALYSIS_CALLBACKS_SELECT_H
#define ANALYSIS_CALLBACKS_SELECT_H

#include "analysis/callbacks/callbacks.h"

struct callbacks_selection {
	bool (*has_class)(const void *ctx, class_id c);  /* only edges from or to methods of these; NULL: all */
	const void *ctx;
	method_id from;                  /* and only what it calls, directly or not; none: all */
	uint32_t depth;                  /* as far as that many calls away; 0: any number */
};
/* The other edges are taken out of `c`; its counts are then of those that stay, but for those of methods and library calls. O(edges). */
void callbacks_select(struct callbacks *c, const struct callgraph *g, const struct callbacks_selection *s);

#endif
