/* SPDX-License-Identifier: Apache-2.0 */
/* The cheapest ways of an object from where it is created, to all nodes that are asked for at once: forwards, over the copies as they
 * were stated. Receivers, which go from call to callee without a copy, are followed through the calls themselves. */
#include "analysis/pta/ways/ways_p.h"

#include <stdlib.h>

/* Indexes */

static void index_copies(struct pta *a, struct explainer *e)
{
	size_t n;
	const struct solver_copy *c = e->copies = solver_copies(a->s, &n);
	bool is_both = a->policy->unify_after;

	e->first = mem_zalloc((e->nnodes + 2) * sizeof(*e->first));
	e->out = mem_alloc((2 * n + 1) * sizeof(*e->out));
	for (size_t i = 0; i < n; i++) {
		e->first[c[i].from.i + 1]++;
		e->first[c[i].to.i + 1] += is_both;
	}
	for (uint32_t i = 1; i <= e->nnodes + 1; i++)
		e->first[i] += e->first[i - 1];
	uint32_t *at = mem_alloc((e->nnodes + 1) * sizeof(*at));
	for (uint32_t i = 0; i <= e->nnodes; i++)
		at[i] = e->first[i];
	for (size_t i = 0; i < n; i++) {
		e->out[at[c[i].from.i]++] = (uint32_t)i;
		if (is_both)
			e->out[at[c[i].to.i]++] = (uint32_t)i;
	}
	free(at);
}

uint32_t site_of_watch(const struct pta *a, const struct watch *w)
{
	return w->sort != WATCH_CALL ? w->instance : template_at(a, w->instance)->stmts[w->stmt].ref;
}

node_id receiver_of(struct pta *a, const struct watch *w)
{
	const struct template *t = template_at(a, w->instance);
	const struct t_stmt *s = &t->stmts[w->stmt];
	uint32_t var = t->args[s->from] ? t->args[s->from + 1] : 0;

	return var ? variable_node(a, w->instance, var) : a->everything;
}

/* By the nodes of their receivers. */
static void index_calls(struct pta *a, struct explainer *e)
{
	vec_push(&e->calls, (struct call_row){ 0 });
	vec_push(&e->watches, (struct call_row){ 0 });
	for (uint32_t i = a->watches.len; i-- > 1;) {
		const struct watch *w = &a->watches.data[i];
		if (w->sort == WATCH_HOOK || w->sort == WATCH_ESCAPE)
			vec_push(&e->outside, i);
		if (w->sort != WATCH_CALL)
			continue;
		uint32_t *first = map_at(&e->first_call, receiver_of(a, w).i);
		vec_push(&e->calls, ((struct call_row){ i, *first }));
		*first = e->calls.len - 1;
		first = map_at(&e->first_watch, site_of_watch(a, w));
		vec_push(&e->watches, ((struct call_row){ i, *first }));
		*first = e->watches.len - 1;
	}
}

static void add_object(struct pta *a, struct explainer *e, object_id o)
{
	class_id c = a->kinds.classes.data[solver_kind_of(a->s, o).i];

	if (c.i && class_row(a->p, c)->kind == CLASS_ARRAY)
		c = a->object_array;
	uint32_t *first = map_at(&e->first_object, c.i);
	vec_push(&e->objects, ((struct object_link){ o, *first }));
	*first = e->objects.len - 1;
}

/* By class; in the order of their creation, those that stand for all of a class last. */
static void index_objects(struct pta *a, struct explainer *e)
{
	vec_push(&e->objects, (struct object_link){ 0 });
	for (uint32_t i = a->kinds.classes.len; i-- > 1;)
		add_object(a, e, solver_kind_object(a->s, (kind_id){ i }));
	for (uint32_t i = a->objects.len; i-- > 0;)
		if (a->objects.data[i].place)
			add_object(a, e, (object_id){ KINDS_MAX + i });
}

static int by_place(const void *x, const void *y)
{
	const struct creation *a = x, *b = y;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return (a->instance > b->instance) - (a->instance < b->instance);
}

static void index_creations(struct pta *a, struct explainer *e)
{
	for (uint32_t in = 1; in < a->instances.len; in++) {
		const struct template *t = template_at(a, in);
		for (uint32_t i = 0; i < t->nstmts; i++) {
			if (t->stmts[i].op == T_OBJECT)
				vec_push(&e->creations, ((struct creation){ t->stmts[i].ref, in, i }));
			if (t->stmts[i].op == T_GET_ANY)
				vec_push(&e->creations, ((struct creation){ ANY_PLACE, in, i }));
		}
	}
	if (e->creations.len)
		qsort(e->creations.data, e->creations.len, sizeof(*e->creations.data), by_place);
}

static int by_first(const void *x, const void *y)
{
	const struct name *a = x, *b = y;

	return (a->first.i > b->first.i) - (a->first.i < b->first.i);
}

struct explainer *explainer_of(struct pta *a)
{
	if (a->explainer)
		return a->explainer;
	struct explainer *e = a->explainer = mem_zalloc(sizeof(*e));
	e->nnodes = (uint32_t)solver_stats(a->s).nodes;
	if (a->names.len)
		qsort(a->names.data, a->names.len, sizeof(*a->names.data), by_first);
	index_copies(a, e);
	index_calls(a, e);
	index_objects(a, e);
	index_creations(a, e);
	index_instances(a);
	e->cost = ways_costs(a, e->nnodes);
	e->before = mem_zalloc((e->nnodes + 1) * sizeof(*e->before));
	e->dist = mem_alloc((e->nnodes + 1) * sizeof(*e->dist));
	e->is_done = mem_zalloc(e->nnodes + 1);
	e->is_wanted = mem_zalloc(e->nnodes + 1);
	return e;
}

void explainer_free(struct pta *a)
{
	struct explainer *e = a->explainer;

	if (!e)
		return;
	free(e->first);
	free(e->out);
	free(e->cost);
	free(e->before);
	free(e->dist);
	free(e->is_done);
	free(e->is_wanted);
	for (uint32_t i = 0; i < COSTS; i++)
		vec_release(&e->buckets[i]);
	vec_release(&e->calls);
	vec_release(&e->watches);
	vec_release(&e->objects);
	map_release(&e->first_watch);
	map_release(&e->first_object);
	vec_release(&e->outside);
	vec_release(&e->creations);
	vec_release(&e->seen);
	map_release(&e->first_call);
	free(e);
	a->explainer = NULL;
}

/* Creations */

static const struct creation *first_creation(const struct explainer *e, uint32_t place)
{
	uint32_t low = 0, high = e->creations.len;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (e->creations.data[middle].place < place)
			low = middle + 1;
		else
			high = middle;
	}
	return e->creations.data + low;
}

const struct creation *next_creation(struct pta *a, object_id o, const struct creation *c)
{
	struct explainer *e = a->explainer;
	uint32_t place = object_place(a, o);

	for (c = c ? c + 1 : first_creation(e, place); c < e->creations.data + e->creations.len && c->place == place; c++)
		if (!a->places.data[place].by_site || object_at(a, place, a->instances.data[c->instance].context).i == o.i)
			return c;
	return NULL;
}

/* The search: nodes wait in buckets, by what the way to them costs */

static void visit(struct pta *a, uint32_t node, uint32_t before, uint32_t dist)
{
	struct explainer *e = a->explainer;

	dist += e->cost[node];
	if (e->is_done[node] || (e->before[node] && e->dist[node] <= dist))
		return;
	if (!e->before[node])
		vec_push(&e->seen, node);
	e->before[node] = before;
	e->dist[node] = dist;
	vec_push(&e->buckets[dist % COSTS], node);
	e->nwaiting++;
}

static void visit_holder(struct pta *a, uint32_t node, uint32_t before, uint32_t dist)
{
	if (node && solver_has(a->s, (node_id){ node }, a->explainer->o))
		visit(a, node, before, dist);
}

static uint32_t receiver_node(struct pta *a, uint32_t in)
{
	const struct template *t = template_at(a, in);

	return t->has_receiver && t->params[0] ? variable_node(a, in, t->params[0]).i : 0;
}

/* Into the methods that the object selects. */
static void visit_callees(struct pta *a, uint32_t node)
{
	struct explainer *e = a->explainer;

	for (uint32_t r = map_get(&e->first_call, node); r; r = e->calls.data[r].next) {
		struct watch w = a->watches.data[e->calls.data[r].watch];
		method_id m = receiver_target(a, site_of_watch(a, &w), e->o);
		for (uint32_t in = m.i ? a->instances_of.data[m.i] : 0; in; in = a->next_instance.data[in])
			if (receiver_node(a, in) && call_reaches(a, w.instance, &template_at(a, w.instance)->stmts[w.stmt], e->o, in))
				visit(a, receiver_node(a, in), node, e->dist[node]);
	}
}

/* Into the methods that the JVM, or unknown code, calls on whatever it has. */
static void visit_outside(struct pta *a, uint32_t node, enum watch_sort sort)
{
	struct explainer *e = a->explainer;

	for (uint32_t i = 0; i < e->outside.len; i++) {
		const struct watch *w = &a->watches.data[e->outside.data[i]];
		const struct site *site = &a->sites.data[site_of_watch(a, w)];
		for (uint32_t k = 0; w->sort == sort && k < site->targets.len; k++)
			for (uint32_t in = a->instances_of.data[site->targets.data[k].i]; in; in = a->next_instance.data[in])
				visit_holder(a, receiver_node(a, in), node, e->dist[node]);
	}
}

static void expand(struct pta *a, uint32_t node)
{
	struct explainer *e = a->explainer;

	for (uint32_t i = e->first[node]; i < e->first[node + 1]; i++) {
		const struct solver_copy *c = &e->copies[e->out[i]];
		if (passes_mask(a, c->mask, e->o))
			visit(a, c->from.i == node ? c->to.i : c->from.i, node, e->dist[node]);
	}
	visit_callees(a, node);
	if (node == a->everything.i)
		visit_outside(a, node, WATCH_HOOK);
	if (node == a->callbacks.escaped.i)
		visit_outside(a, node, WATCH_ESCAPE);
}

static void start_at(struct pta *a, uint32_t node)
{
	visit(a, node, node, 0);
}

static void start(struct pta *a)
{
	struct explainer *e = a->explainer;

	for (const struct creation *c = NULL; (c = next_creation(a, e->o, c)) != NULL;) {
		uint32_t to = template_at(a, c->instance)->stmts[c->stmt].to;
		if (to)
			start_at(a, variable_node(a, c->instance, to).i);
	}
	for (const struct creation *c = first_creation(e, ANY_PLACE); c < e->creations.data + e->creations.len; c++)
		if (reads_constant(a, c->instance, &template_at(a, c->instance)->stmts[c->stmt], e->o))
			start_at(a, variable_node(a, c->instance, template_at(a, c->instance)->stmts[c->stmt].to).i);
	if (solver_has(a->s, a->everything, e->o))
		start_at(a, a->everything.i);
	if (a->places.data[object_place(a, e->o)].is.sort == PLACE_CLASS && solver_has(a->s, a->client, e->o))
		start_at(a, a->client.i);
}

void search_run(struct pta *a, object_id o, uint32_t nwanted, uint32_t limit)
{
	struct explainer *e = explainer_of(a);

	e->o = o;
	start(a);
	for (uint32_t dist = 0; e->nwaiting && nwanted && dist <= limit; dist++) {
		id_list *now = &e->buckets[dist % COSTS];
		for (uint32_t i = 0; i < now->len && nwanted; i++) {
			uint32_t node = now->data[i];
			if (e->is_done[node] || e->dist[node] != dist)
				continue;       /* there was a cheaper way */
			e->is_done[node] = 1;
			nwanted -= e->is_wanted[node];
			expand(a, node);
		}
		e->nwaiting -= now->len;
		vec_clear(now);
	}
}

void search_path(const struct pta *a, uint32_t node, struct path *out)
{
	const struct explainer *e = a->explainer;

	vec_clear(&out->nodes);
	out->object = e->o;
	for (;; node = e->before[node]) {
		vec_push(&out->nodes, node);
		if (e->before[node] == node)
			break;
	}
	for (uint32_t i = 0, k = out->nodes.len; i + 1 < k; i++) {
		uint32_t last = out->nodes.data[--k];
		out->nodes.data[k] = out->nodes.data[i];
		out->nodes.data[i] = last;
	}
}

void search_end(struct pta *a)
{
	struct explainer *e = a->explainer;

	for (uint32_t i = 0; i < e->seen.len; i++)
		e->before[e->seen.data[i]] = e->is_done[e->seen.data[i]] = 0;
	for (uint32_t i = 0; e->nwaiting && i < COSTS; i++)
		vec_clear(&e->buckets[i]);
	e->nwaiting = 0;
	vec_clear(&e->seen);
}
