/* SPDX-License-Identifier: Apache-2.0 */
/* Breadth first from the start, in rounds: each goes on from the detours that the one before it came to. Many sites share a target set:
 * each is walked once, by the first site that has it. */
#include "analysis/callgraph/path.h"

#include <stdlib.h>

#include "base/compiler.h"

struct walk {
	const struct callgraph *g;
	struct path_call *by;           /* by method: the call that reached it; itself as the caller: a start */
	bool *seen_sets;
	VEC(method_id) queue;
	uint32_t at;                    /* in the queue */
	VEC(struct path_call) detours;  /* for the next round */
};

/* Classes, and all of packages. */
static const char *const detours[] = {
	"java/io/ObjectInputStream", "java/io/ObjectOutputStream", "java/io/ObjectStreamClass", "java/lang/reflect/", "java/lang/invoke/",
	"java/lang/Class", "jdk/internal/reflect/", "jdk/internal/misc/", "sun/reflect/", "java/beans/", "java/rmi/", "sun/rmi/",
};

static bool is_named(struct str name, const char *class)
{
	uint32_t n = str_of(class).len;

	return str_starts(name, class) && (class[n - 1] == '/' || name.len == n || name.p[n] == '$');
}

bool is_detour(const struct program *p, class_id c)
{
	for (size_t i = 0; i < ARRAY_LEN(detours); i++)
		if (is_named(class_name(p, c), detours[i]))
			return true;
	return false;
}

static void reach(struct walk *w, method_id m, struct path_call by)
{
	if (w->by[m.i].caller.i)
		return;
	w->by[m.i] = by;
	vec_push(&w->queue, m);
}

static void reach_targets(struct walk *w, method_id caller, const struct cg_site *s)
{
	if (!s->set || w->seen_sets[s->set])
		return;
	w->seen_sets[s->set] = true;
	const struct program *p = callgraph_program(w->g);
	struct cg_targets t = callgraph_targets(w->g, s);
	for (uint32_t i = 0; i < t.n; i++) {
		struct path_call call = { caller, s->pc, t.methods[i] };
		if (!is_detour(p, method_row(p, t.methods[i])->owner))
			reach(w, t.methods[i], call);
		else if (!w->by[t.methods[i].i].caller.i)
			vec_push(&w->detours, call);
	}
}

static void walk_round(struct walk *w, method_id to)
{
	while (w->at < w->queue.len && !w->by[to.i].caller.i) {
		uint32_t n;
		method_id m = w->queue.data[w->at++];
		const struct cg_site *sites = callgraph_sites(w->g, m, &n);
		for (uint32_t k = 0; k < n; k++)
			reach_targets(w, m, &sites[k]);
	}
}

static bool walk_to(struct walk *w, method_id to)
{
	walk_round(w, to);
	while (w->detours.len && !w->by[to.i].caller.i) {
		for (uint32_t i = 0; i < w->detours.len; i++)
			reach(w, w->detours.data[i].callee, w->detours.data[i]);
		vec_clear(&w->detours);
		walk_round(w, to);
	}
	return w->by[to.i].caller.i;
}

static void start_at(struct walk *w, method_id m)
{
	reach(w, m, (struct path_call){ .caller = m });
}

static void start_at_entries(struct walk *w)
{
	for (uint32_t i = 0; i < callgraph_nmethods(w->g); i++)
		if (callgraph_is_entry(w->g, callgraph_method(w->g, i)))
			start_at(w, callgraph_method(w->g, i));
}

static void keep_path(const struct walk *w, method_id to, struct call_path *out)
{
	for (; w->by[to.i].callee.i; to = w->by[to.i].caller)
		vec_push(&out->calls, w->by[to.i]);
	out->start = to;
	for (uint32_t i = 0, k = out->calls.len; i + 1 < k; i++) {
		struct path_call last = out->calls.data[--k];
		out->calls.data[k] = out->calls.data[i];
		out->calls.data[i] = last;
	}
}

void call_tree_init(struct call_tree *t, const struct callgraph *g, method_id from)
{
	struct walk w = { .g = g };

	w.by = mem_zalloc(callgraph_program(g)->methods.len * sizeof(*w.by));
	w.seen_sets = mem_zalloc(callgraph_nsets(g) + 1);
	if (from.i && callgraph_reaches(g, from))
		start_at(&w, from);
	walk_to(&w, (method_id){ 0 });
	start_at_entries(&w);
	walk_to(&w, (method_id){ 0 });
	*t = (struct call_tree){ g, w.by, callgraph_program(g)->methods.len };
	free(w.seen_sets);
	vec_release(&w.queue);
	vec_release(&w.detours);
}

bool call_tree_path(const struct call_tree *t, method_id to, struct call_path *out)
{
	const struct walk w = { .g = t->g, .by = t->by };

	vec_clear(&out->calls);
	if (!to.i || to.i >= t->nmethods || !t->by[to.i].caller.i)
		return false;
	keep_path(&w, to, out);
	return true;
}

void call_tree_release(struct call_tree *t)
{
	free(t->by);
}

bool call_path_find(const struct callgraph *g, method_id from, method_id to, struct call_path *out)
{
	struct walk w = { .g = g };

	if (!to.i || !callgraph_reaches(g, to))
		return false;
	w.by = mem_zalloc(callgraph_program(g)->methods.len * sizeof(*w.by));
	w.seen_sets = mem_zalloc(callgraph_nsets(g) + 1);
	if (from.i && callgraph_reaches(g, from))
		start_at(&w, from);
	bool ok = walk_to(&w, to);
	if (!ok) {
		start_at_entries(&w);      /* what `from` reaches leads nowhere: only new starts go on */
		ok = walk_to(&w, to);
	}
	if (ok)
		keep_path(&w, to, out);
	free(w.by);
	free(w.seen_sets);
	vec_release(&w.queue);
	vec_release(&w.detours);
	return ok;
}

void call_path_release(struct call_path *c)
{
	vec_release(&c->calls);
}

static bool calls(const struct callgraph *g, const struct path_call *c)
{
	uint32_t n;
	const struct cg_site *sites = callgraph_sites(g, c->caller, &n);

	for (uint32_t i = 0; i < n; i++) {
		if (sites[i].pc != c->pc)
			continue;
		struct cg_targets t = callgraph_targets(g, &sites[i]);
		for (uint32_t k = 0; k < t.n; k++)
			if (t.methods[k].i == c->callee.i)
				return true;
	}
	return false;
}

bool call_path_check(const struct callgraph *g, method_id from, method_id to, const struct call_path *c,
		      const char **reason)
{
	method_id at = c->start;

	*reason = NULL;
	if (!at.i || !callgraph_reaches(g, at) || (at.i != from.i && !callgraph_is_entry(g, at)))
		*reason = "the path starts at no entry";
	for (uint32_t i = 0; i < c->calls.len && !*reason; i++) {
		const struct path_call *call = &c->calls.data[i];
		if (call->caller.i != at.i)
			*reason = "the path is broken";
		else if (!callgraph_reaches(g, call->callee) || !calls(g, call))
			*reason = "a call of the path is not in the graph";
		at = call->callee;
	}
	if (!*reason && at.i != to.i)
		*reason = "the path leads elsewhere";
	return !*reason;
}
