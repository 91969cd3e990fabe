/* SPDX-License-Identifier: Apache-2.0 */
/* selection.h - the part of a call graph that is written: the calls of some classes, and the methods that they call, all or some. */
#ifndef REPORT_JAVA_SELECTION_H
#define REPORT_JAVA_SELECTION_H

#include "analysis/callgraph/callgraph.h"

/* Zeroed: the whole graph. */
struct report_selection {
	bool (*writes)(const void *ctx, class_id c);          /* the calls of its methods; NULL: all */
	bool (*writes_called)(const void *ctx, class_id c);   /* and its methods, where these call them; NULL: all */
	const void *ctx;
	const char *only;             /* what was asked: the patterns of --only, or NULL */
	bool no_jdk, among;           /* --no-jdk, --among */
};

struct selection_left {
	uint64_t methods, edges;      /* that are not written, as callgraph_stats() counts them */
};

static inline bool selection_writes(const struct report_selection *s, class_id c)
{
	return !s->writes || s->writes(s->ctx, c);
}

static inline bool selection_writes_called(const struct report_selection *s, class_id c)
{
	return !s->writes_called || s->writes_called(s->ctx, c);
}

/* Are the calls of the method written? */
bool selection_has(const struct report_selection *s, const struct program *p, method_id m);
/* How many of the targets are written. */
uint32_t selection_targets(const struct report_selection *s, const struct program *p, struct cg_targets t);
/* Is a site that is called so written? Not if it has targets, and none of them is; what is not resolved always is. */
bool selection_has_site(const struct report_selection *s, const struct program *p, const struct cg_site *site, struct cg_targets t);

/* Marks the methods that are written in `is_written`, zeroed, by id; NULL: they are not asked for. Returns what is left.
 * O(edges of the graph). */
struct selection_left selection_apply(const struct report_selection *s, const struct callgraph *g, bool *is_written);

/* What is left out: "3 methods and 5 edges (--only p.*, --no-jdk)", raw; nothing for a whole graph. */
void selection_tell(const struct report_selection *s, struct selection_left left, struct strbuf *out);

#endif
