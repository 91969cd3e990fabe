/* SPDX-License-Identifier: Apache-2.0 */
/* Why a call is in the graph: an object that makes it, and the cheapest way from its creation to the call. */
#include "analysis/pta/ways/ways_p.h"

#include "ir/access.h"

void name_nodes(struct pta *a, node_id first, enum name_sort sort, uint32_t of)
{
	if (a->opt.explains && first.i)
		vec_push(&a->names, ((struct name){ first, of, sort }));
}

uint32_t name_length(struct pta *a, const struct name *n)
{
	if (n->sort == NAME_VARIABLES)
		return has_own_variables(a) ? template_at(a, n->of)->nvars : 1;
	if (n->sort != NAME_SLOTS)
		return 1;
	class_id c = a->kinds.classes.data[solver_kind_of(a->s, (object_id){ n->of }).i];
	return c.i ? class_slots(a, c) : 1;
}

const struct name *name_of(struct pta *a, uint32_t node)
{
	uint32_t low = 0, high = a->names.len;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (a->names.data[middle].first.i <= node)
			low = middle;
		else
			high = middle;
	}
	const struct name *n = high ? &a->names.data[low] : NULL;
	return n && n->first.i <= node && node - n->first.i < name_length(a, n) ? n : NULL;
}

bool is_receiver_class(const struct pta *a, object_id o, class_id c)
{
	kind_id k = solver_kind_of(a->s, o);
	class_id of = a->kinds.classes.data[k.i];
	bool is_array = of.i && class_row(a->p, of)->kind == CLASS_ARRAY;

	if (is_unknown_kind(a, k.i))      /* where a call names a final class: only_target() */
		return c.i && (class_row(a->p, c)->flags & ACCESS_FINAL);
	return c.i && (of.i == c.i || (is_array && c.i == a->object_array.i));
}

/* The call */

static void fill_witness(struct pta *a, struct pta_witness *w, uint32_t site, const struct path *path)
{
	const struct site *row = &a->sites.data[site];
	struct pta_step last = { .sort = STEP_CALL, .method = row->method, .pc = row->link.site.pc, .by = row->method,
				 .by_pc = row->link.site.pc };

	add_steps(a, path);
	vec_push(&a->steps, last);
	w->has_receiver = true;
	w->object = path->object;
	w->place = object_place(a, path->object);
	w->receiver = a->places.data[w->place].is.cls;
}

static void end_witness(struct pta *a, struct pta_witness *w)
{
	w->steps = a->steps.data;
	w->nsteps = a->steps.len;
#ifdef SHERD_CHECK
	const char *reason;
	if (w->found && w->nsteps > 1 && !pta_check_witness(a, NULL, w, &reason))
		BUG("witness: %s", reason);
#endif
}

/* The first object of the node that makes the site call the method, objects of their own before those that stand for
 * all of a class. */
static object_id selecting_object(struct pta *a, uint32_t site, node_id n, method_id callee)
{
	struct set_view v = solver_set(a->s, n);
	object_id found = { 0 };

	for (uint32_t i = 0; i < v.n; i++)
		for (uint64_t bits = v.words[i]; bits; bits &= bits - 1) {
			object_id o = { v.blocks[i] * 64 + first_bit(bits) };
			if (receiver_target(a, site, o).i != callee.i)
				continue;
			found = o;
			if (o.i >= KINDS_MAX)
				return o;
		}
	return found;
}

/* Empty: there is none that could be shown. */
static void find_path(struct pta *a, object_id o, node_id to, struct path *out)
{
	struct explainer *e = explainer_of(a);

	e->is_wanted[to.i] = 1;
	search_run(a, o, 1, UINT32_MAX);
	if (e->is_done[to.i])
		search_path(a, to.i, out);
	search_end(a);
	e->is_wanted[to.i] = 0;
}

static void explain_site(struct pta *a, struct pta_witness *w, uint32_t site, method_id callee)
{
	w->found = true;
	w->site = a->sites.data[site].link.site;
	w->caller = a->sites.data[site].method;
	if (a->sites.data[site].link.sort != LINK_DISPATCHED)
		return;
	for (uint32_t i = 1; i < a->watches.len; i++) {
		struct watch call = a->watches.data[i];
		if (call.sort != WATCH_CALL || site_of_watch(a, &call) != site)
			continue;
		node_id receiver = receiver_of(a, &call);
		object_id o = selecting_object(a, site, receiver, callee);
		if (!o.i)
			continue;
		struct path path = { .object = o };
		find_path(a, o, receiver, &path);
		fill_witness(a, w, site, &path);
		vec_release(&path.nodes);
		return;
	}
}

static bool is_among(const method_list *l, method_id m)
{
	for (uint32_t i = 0; i < l->len; i++)
		if (l->data[i].i == m.i)
			return true;
	return false;
}

/* By what is assumed: on the object that stands for what is around the program, or because the level allows it. How that gets
 * there is not shown. */
static bool may_call(const struct pta *a, const struct site *s, method_id callee)
{
	bool is_allowed = s->assumed && is_among(&a->assumed.refs.data[s->assumed].targets, callee);

	for (uint32_t i = 0; s->link.sort == LINK_REFLECTED && !is_allowed && i < a->reflected.data[s->dynamic].sets.len; i++)
		is_allowed = is_among(&a->assumed.sets.data[a->reflected.data[s->dynamic].sets.data[i]], callee);
	return is_allowed;
}

/* Calls of dispatchers count as calls of the method that calls these. */
static void explain_sites(struct pta *a, struct pta_witness *w, const struct template *t, method_id callee, struct pta_calls at)
{
	for (uint32_t i = 0; t && i < t->nsites && !w->found; i++) {
		const struct site *s = &a->sites.data[t->first_site + i];
		if (!pta_calls_have(at, s->link.site.pc))
			continue;
		if (s->link.sort != LINK_REFLECTED && site_calls(s, callee))
			explain_site(a, w, t->first_site + i, callee);
		else if (s->callbacks && site_calls(&a->sites.data[s->callbacks], callee))
			explain_site(a, w, s->callbacks, callee);
		for (uint32_t k = 0; s->link.sort == LINK_REFLECTED && k < s->targets.len && !w->found; k++)
			explain_sites(a, w, a->templates.data[s->targets.data[k].i], callee, (struct pta_calls){ 0 });
		if (!w->found && may_call(a, s, callee))
			*w = (struct pta_witness){ .found = true, .site = s->link.site, .caller = s->method };
	}
}

struct pta_witness pta_explain(struct pta *a, method_id caller, method_id callee, struct pta_calls at)
{
	struct pta_witness w = { 0 };

	explainer_of(a);
	vec_clear(&a->steps);
	explain_sites(a, &w, caller.i < a->templates.len ? a->templates.data[caller.i] : NULL, callee, at);
	end_witness(a, &w);
	return w;
}

/* Receivers: many at once, since the ways of an object to all of its calls are found by one search */

/* One that is asked for. */
struct goal {
	uint32_t row;                 /* of the ways that are found */
	uint32_t site;
	uint32_t first_node, nnodes;  /* of seeker.nodes: where its receiver is */
};
struct hit { uint32_t row, node; };
struct seeker {
	struct pta *a;
	struct pta_ways *out;
	VEC(struct goal) goals;
	VEC(uint32_t) nodes;
	VEC(struct hit) hits;         /* of the object that is under way */
	struct path path;
};

static uint32_t site_at(const struct pta *a, const struct pta_target *t)
{
	const struct template *of = t->method.i < a->templates.len ? a->templates.data[t->method.i] : NULL;

	for (uint32_t i = 0; of && i < of->nsites; i++) {
		const struct link *l = &a->sites.data[of->first_site + i].link;
		if (l->sort == LINK_DISPATCHED && l->site.pc == t->pc)
			return of->first_site + i;
	}
	return 0;
}

static void add_goal(struct seeker *k, uint32_t row, const struct pta_target *t)
{
	struct goal g = { .row = row, .site = site_at(k->a, t), .first_node = k->nodes.len };

	if (!g.site || !t->receiver.i)
		return;
	const struct explainer *e = k->a->explainer;
	for (uint32_t r = map_get(&e->first_watch, g.site); r; r = e->watches.data[r].next)
		vec_push(&k->nodes, receiver_of(k->a, &k->a->watches.data[e->watches.data[r].watch]).i);
	g.nnodes = k->nodes.len - g.first_node;
	vec_push(&k->goals, g);
}

/* Only goals that the object can come to count: a way to each that may cost less than the one that is known. */
static uint32_t want(struct seeker *k, object_id o, uint32_t *limit)
{
	uint32_t n = 0;

	*limit = 0;
	vec_clear(&k->hits);
	for (uint32_t i = 0; i < k->goals.len; i++) {
		const struct goal *g = &k->goals.data[i];
		struct pta_way *way = &k->out->rows.data[g->row];
		for (uint32_t j = 0; j < g->nnodes; j++) {
			node_id node = { k->nodes.data[g->first_node + j] };
			uint8_t *is_wanted = &k->a->explainer->is_wanted[node.i];
			if (!solver_has(k->a->s, node, o) || !receiver_target(k->a, g->site, o).i)
				continue;
			if (!way->found)
				*way = (struct pta_way){ .found = true, .site = g->site, .object = o, .cost = UINT32_MAX };
			vec_push(&k->hits, ((struct hit){ g->row, node.i }));
			n += !*is_wanted;
			*is_wanted = 1;
			*limit = way->cost > *limit ? way->cost : *limit;
		}
	}
	return n;
}

static void keep_way(struct seeker *k, struct pta_way *way, uint32_t node)
{
	const struct explainer *e = k->a->explainer;

	if (way->cost <= e->dist[node])
		return;
	search_path(k->a, node, &k->path);
	way->cost = e->dist[node];
	way->object = e->o;
	way->first_node = k->out->nodes.len;
	way->nnodes = k->path.nodes.len;
	for (uint32_t i = 0; i < k->path.nodes.len; i++)
		vec_push(&k->out->nodes, k->path.nodes.data[i]);
}

static void seek_object(struct seeker *k, object_id o)
{
	struct explainer *e = k->a->explainer;
	uint32_t limit, n = want(k, o, &limit);

	if (n && limit)
		search_run(k->a, o, n, limit - 1);
	for (uint32_t i = 0; i < k->hits.len; i++)
		if (e->is_done[k->hits.data[i].node])
			keep_way(k, &k->out->rows.data[k->hits.data[i].row], k->hits.data[i].node);
	search_end(k->a);
	for (uint32_t i = 0; i < k->hits.len; i++)
		e->is_wanted[k->hits.data[i].node] = 0;
}

/* Where a call names a final class, an object of unknown class may be one of that. */
static bool seek_class(struct seeker *k, class_id c, bool (*go_on)(void *ctx), void *ctx)
{
	const class_id of[] = { c, { 0 } };
	const struct explainer *e = k->a->explainer;

	for (size_t i = 0; i < ARRAY_LEN(of) && k->goals.len; i++)
		for (uint32_t r = map_get(&e->first_object, of[i].i); r; r = e->objects.data[r].next) {
			if (go_on && !go_on(ctx))
				return false;
			if (is_receiver_class(k->a, e->objects.data[r].o, c))
				seek_object(k, e->objects.data[r].o);
		}
	return true;
}

/* Targets of one class are one group, at the first of them. */
static void seek_all(struct seeker *k, const struct pta_target *t, uint32_t n, bool (*go_on)(void *ctx), void *ctx)
{
	struct map first = { 0 };
	uint32_t *next = mem_zalloc((n + 1) * sizeof(*next));
	bool goes_on = true;

	for (uint32_t i = n; i-- > 0;) {
		uint32_t *at = map_at(&first, t[i].receiver.i);
		next[i] = *at;
		*at = i + 1;
	}
	for (uint32_t i = 0; i < n && goes_on; i++) {
		vec_clear(&k->goals);
		vec_clear(&k->nodes);
		for (uint32_t r = map_get(&first, t[i].receiver.i) == i + 1 ? i + 1 : 0; r; r = next[r - 1])
			add_goal(k, r - 1, &t[r - 1]);
		goes_on = seek_class(k, t[i].receiver, go_on, ctx);
	}
	map_release(&first);
	free(next);
}

void pta_ways_find(struct pta *a, const struct pta_target *t, uint32_t n, bool (*go_on)(void *ctx), void *ctx, struct pta_ways *out)
{
	struct seeker k = { .a = a, .out = out };

	explainer_of(a);
	for (uint32_t i = 0; i < n; i++)
		vec_push(&out->rows, (struct pta_way){ 0 });
	seek_all(&k, t, n, go_on, ctx);
	vec_release(&k.goals);
	vec_release(&k.nodes);
	vec_release(&k.hits);
	vec_release(&k.path.nodes);
}

void pta_ways_release(struct pta_ways *w)
{
	vec_release(&w->rows);
	vec_release(&w->nodes);
}

struct pta_witness pta_way_witness(struct pta *a, const struct pta_ways *from, uint32_t k)
{
	const struct pta_way *way = &from->rows.data[k];
	struct pta_witness w = { .found = way->found };
	struct path path = { .object = way->object };

	vec_clear(&a->steps);
	if (w.found) {
		w.site = a->sites.data[way->site].link.site;
		w.caller = a->sites.data[way->site].method;
		for (uint32_t i = 0; i < way->nnodes; i++)
			vec_push(&path.nodes, from->nodes.data[way->first_node + i]);
		fill_witness(a, &w, way->site, &path);
	}
	end_witness(a, &w);
	vec_release(&path.nodes);
	return w;
}

struct pta_witness pta_explain_receiver(struct pta *a, method_id m, uint32_t pc, class_id receiver)
{
	const struct pta_target t = { m, pc, receiver };
	struct pta_ways ways = { 0 };

	pta_ways_find(a, &t, 1, NULL, NULL, &ways);
	struct pta_witness w = pta_way_witness(a, &ways, 0);
	pta_ways_release(&ways);
	return w;
}
