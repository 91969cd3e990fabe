/* SPDX-License-Identifier: Apache-2.0 */
#include "report/java/selection.h"

#include <stdlib.h>

#include "report/write/screen.h"

bool selection_has(const struct report_selection *s, const struct program *p, method_id m)
{
	return !s->writes || s->writes(s->ctx, method_row(p, m)->owner);
}

uint32_t selection_targets(const struct report_selection *s, const struct program *p, struct cg_targets t)
{
	uint32_t n = 0;

	if (!s->writes_called)
		return t.n;
	for (uint32_t i = 0; i < t.n; i++)
		n += s->writes_called(s->ctx, method_row(p, t.methods[i])->owner);
	return n;
}

bool selection_has_site(const struct report_selection *s, const struct program *p, const struct cg_site *site, struct cg_targets t)
{
	return t.n == 0 || site->cause != CG_RESOLVED || selection_targets(s, p, t) > 0;
}

struct application {
	const struct report_selection *s;
	const struct callgraph *g;
	bool *is_written;             /* by method id */
	uint32_t *kept;               /* by set: how many of its targets are written, and 1; 0: not known yet */
};

/* Marks the targets of a set, once; how many of them are written. */
static uint32_t apply_set(struct application *a, const struct cg_site *site, struct cg_targets t)
{
	uint32_t *kept = &a->kept[site->set];

	if (*kept)
		return *kept - 1;
	*kept = 1;
	for (uint32_t k = 0; k < t.n; k++) {
		if (!selection_writes_called(a->s, method_row(callgraph_program(a->g), t.methods[k])->owner))
			continue;
		a->is_written[t.methods[k].i] = true;
		++*kept;
	}
	return *kept - 1;
}

/* How many edges of the method are left out. */
static uint64_t apply_method(struct application *a, method_id m)
{
	bool is_own = selection_has(a->s, callgraph_program(a->g), m);
	uint64_t left = 0;
	uint32_t n;
	const struct cg_site *sites = callgraph_sites(a->g, m, &n);

	a->is_written[m.i] |= is_own;
	for (uint32_t i = 0; i < n; i++) {
		struct cg_targets t = callgraph_targets(a->g, &sites[i]);
		left += is_own ? t.n - apply_set(a, &sites[i], t) : t.n;
	}
	return left;
}

struct selection_left selection_apply(const struct report_selection *s, const struct callgraph *g, bool *is_written)
{
	size_t nmethods = (size_t)callgraph_program(g)->methods.len + 1;
	struct application a = { .s = s, .g = g, .is_written = is_written ? is_written : mem_zalloc(nmethods) };
	struct selection_left left = { 0 };

	a.kept = mem_zalloc(sizeof(*a.kept) * ((size_t)callgraph_nsets(g) + 1));
	for (uint32_t k = 0; k < callgraph_nmethods(g); k++)
		left.edges += apply_method(&a, callgraph_method(g, k));
	for (uint32_t k = 0; k < callgraph_nmethods(g); k++)
		left.methods += !a.is_written[callgraph_method(g, k).i];
	free(a.kept);
	if (!is_written)
		free(a.is_written);
	return left;
}

void selection_tell(const struct report_selection *s, struct selection_left left, struct strbuf *out)
{
	char methods[32], edges[32];

	if (!s->writes)
		return;
	strbuf_addf(out, "%s method%s and %s edge%s (", grouped(left.methods, methods), left.methods == 1 ? "" : "s",
		    grouped(left.edges, edges), left.edges == 1 ? "" : "s");
	if (s->only)
		strbuf_addf(out, "--only %s%s", s->only, s->among || s->no_jdk ? ", " : "");
	if (s->among)
		strbuf_addf(out, "--among%s", s->no_jdk ? ", " : "");
	strbuf_addf(out, "%s)", s->no_jdk ? "--no-jdk" : "");
}
