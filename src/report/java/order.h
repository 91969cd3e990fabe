/* SPDX-License-Identifier: Apache-2.0 */
/* order.h - the order of outputs: methods, and classes of receivers, by printed name.
 *
 * callgraph_method() deals reachable methods in that order, so a method's number there is its rank, and a
 * target set is sorted by comparing numbers, once, however many sites share it. Classes are ranked on first use. */
#ifndef REPORT_JAVA_ORDER_H
#define REPORT_JAVA_ORDER_H

#include "analysis/callgraph/callgraph.h"

struct order {
	const struct callgraph *g;
	uint32_t *ranks;                       /* by method id: 1 + number; 0: not reachable */
	const method_id **sets;                /* by set: its methods in order; NULL: not sorted yet */
	VEC(uint64_t) keys;                    /* scratch */
	struct arena mem;
	/* for order_receivers */
	uint32_t *class_ranks;                 /* by class id; made on first use */
	struct map receivers;                  /* where the graph has a set of classes -> row of sorted_receivers */
	VEC(const class_id *) sorted_receivers;       /* [0] unused */
};

void order_init(struct order *o, const struct callgraph *g);
void order_release(struct order *o);

/* The targets of a site, by printed name. Valid until order_release. */
struct cg_targets order_targets(struct order *o, const struct cg_site *s);
/* The receivers of a site, by printed name. Valid until order_release. */
struct cg_classes order_receivers(struct order *o, const struct cg_site *s);

#endif
