/* SPDX-License-Identifier: Apache-2.0 */
/* Why a call is in the graph: an object that makes it, and the shortest way from its creation to the call. The way is
 * searched backwards over the copies as they were stated, through nodes that hold the object; receivers, which go from
 * call to callee without a copy, are followed through the calls themselves. */
#include "analysis/pta/explain_p.h"

#include <stdlib.h>

#include "base/sort.h"
#include "ir/access.h"

void name_nodes(struct pta *a, node_id first, enum name_sort sort, uint32_t of)
{
	if (a->opt.explains && first.i)
		vec_push(&a->names, ((struct name){ first, of, sort }));
}

static int by_first(const void *x, const void *y)
{
	const struct name *a = x, *b = y;

	return (a->first.i > b->first.i) - (a->first.i < b->first.i);
}

static uint32_t name_length(struct pta *a, const struct name *n)
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

/* Indexes */

static void index_copies(struct pta *a, struct explainer *e)
{
	size_t n;
	const struct solver_copy *c = e->copies = solver_copies(a->s, &n);
	bool is_both = a->policy->unify_after;

	e->first = mem_zalloc((e->nnodes + 2) * sizeof(*e->first));
	e->into = mem_alloc((2 * n + 1) * sizeof(*e->into));
	for (size_t i = 0; i < n; i++) {
		e->first[c[i].to.i + 1]++;
		e->first[c[i].from.i + 1] += is_both;
	}
	for (uint32_t i = 1; i <= e->nnodes + 1; i++)
		e->first[i] += e->first[i - 1];
	uint32_t *at = mem_alloc((e->nnodes + 1) * sizeof(*at));
	for (uint32_t i = 0; i <= e->nnodes; i++)
		at[i] = e->first[i];
	for (size_t i = 0; i < n; i++) {
		e->into[at[c[i].to.i]++] = (uint32_t)i;
		if (is_both)
			e->into[at[c[i].from.i]++] = (uint32_t)i;
	}
	free(at);
}

static bool is_call(const struct watch *w)
{
	return w->sort == WATCH_CALL || w->sort == WATCH_HOOK || w->sort == WATCH_ESCAPE;
}

static uint32_t site_of_watch(const struct pta *a, const struct watch *w)
{
	return w->sort != WATCH_CALL ? w->instance : template_at(a, w->instance)->stmts[w->stmt].ref;
}

static void index_calls(struct pta *a, struct explainer *e)
{
	vec_push(&e->callers, (struct caller_row){ 0 });
	for (uint32_t i = 1; i < a->watches.len; i++) {
		const struct watch *w = &a->watches.data[i];
		if (!is_call(w))
			continue;
		const struct site *site = &a->sites.data[site_of_watch(a, w)];
		for (uint32_t k = 0; k < site->targets.len; k++) {
			uint32_t *first = map_at(&e->first_caller, site->targets.data[k].i);
			vec_push(&e->callers, ((struct caller_row){ i, *first }));
			*first = e->callers.len - 1;
		}
	}
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

static struct explainer *explainer_of(struct pta *a)
{
	if (a->explainer)
		return a->explainer;
	struct explainer *e = a->explainer = mem_zalloc(sizeof(*e));
	e->nnodes = (uint32_t)solver_stats(a->s).nodes;
	if (a->names.len)
		qsort(a->names.data, a->names.len, sizeof(*a->names.data), by_first);
	index_copies(a, e);
	index_calls(a, e);
	index_creations(a, e);
	e->next = mem_zalloc((e->nnodes + 1) * sizeof(*e->next));
	e->creates = mem_zalloc(e->nnodes + 1);
	return e;
}

void explainer_free(struct pta *a)
{
	struct explainer *e = a->explainer;

	if (!e)
		return;
	free(e->first);
	free(e->into);
	free(e->next);
	free(e->creates);
	vec_release(&e->callers);
	vec_release(&e->creations);
	vec_release(&e->queue);
	vec_release(&e->created);
	map_release(&e->first_caller);
	free(e);
	a->explainer = NULL;
}

/* The search */

static node_id receiver_of(struct pta *a, const struct watch *w)
{
	const struct template *t = template_at(a, w->instance);
	const struct t_stmt *s = &t->stmts[w->stmt];
	uint32_t var = t->args[s->from] ? t->args[s->from + 1] : 0;

	return var ? variable_node(a, w->instance, var) : a->everything;
}

static void visit(struct pta *a, uint32_t node, uint32_t after)
{
	struct explainer *e = a->explainer;

	if (e->next[node] || !solver_has(a->s, (node_id){ node }, e->o))
		return;
	e->next[node] = after;
	vec_push(&e->queue, node);
}

static void visit_callers(struct pta *a, uint32_t node, uint32_t in)
{
	struct explainer *e = a->explainer;
	method_id m = a->instances.data[in].method;

	for (uint32_t r = map_get(&e->first_caller, m.i); r; r = e->callers.data[r].next) {
		struct watch w = a->watches.data[e->callers.data[r].watch];
		if (w.sort == WATCH_HOOK)
			visit(a, a->everything.i, node);
		else if (w.sort == WATCH_ESCAPE)
			visit(a, a->callbacks.escaped.i, node);
		else if (call_reaches(a, w.instance, &template_at(a, w.instance)->stmts[w.stmt], e->o, in))
			visit(a, receiver_of(a, &w).i, node);
	}
}

static void expand(struct pta *a, uint32_t node)
{
	struct explainer *e = a->explainer;
	const struct name *name = name_of(a, node);

	for (uint32_t i = e->first[node]; i < e->first[node + 1]; i++) {
		const struct solver_copy *c = &e->copies[e->into[i]];
		if (passes_mask(a, c->mask, e->o))
			visit(a, c->to.i == node ? c->from.i : c->to.i, node);
	}
	if (!name || name->sort != NAME_VARIABLES)
		return;
	const struct template *t = template_at(a, name->of);
	if (t->has_receiver && t->params[0] && variable_node(a, name->of, t->params[0]).i == node)
		visit_callers(a, node, name->of);
}

static struct creation *first_creation(struct explainer *e, uint32_t place)
{
	uint32_t low = 0, high = e->creations.len;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (e->creations.data[middle].place < place)
			low = middle + 1;
		else
			high = middle;
	}
	return &e->creations.data[low];
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

static void mark(struct explainer *e, uint32_t node)
{
	e->creates[node] = 1;
	vec_push(&e->created, node);
}

static void mark_creations(struct pta *a)
{
	struct explainer *e = a->explainer;

	for (const struct creation *c = NULL; (c = next_creation(a, e->o, c)) != NULL;) {
		uint32_t to = template_at(a, c->instance)->stmts[c->stmt].to;
		if (to)
			mark(e, variable_node(a, c->instance, to).i);
	}
	for (const struct creation *c = first_creation(e, ANY_PLACE); c < e->creations.data + e->creations.len; c++)
		if (reads_constant(a, c->instance, &template_at(a, c->instance)->stmts[c->stmt], e->o))
			mark(e, variable_node(a, c->instance, template_at(a, c->instance)->stmts[c->stmt].to).i);
	mark(e, a->everything.i);
	if (a->places.data[object_place(a, e->o)].is.sort == PLACE_CLASS)
		mark(e, a->client.i);
}

static void end_search(struct explainer *e)
{
	for (uint32_t i = 0; i < e->queue.len; i++)
		e->next[e->queue.data[i]] = 0;
	for (uint32_t i = 0; i < e->created.len; i++)
		e->creates[e->created.data[i]] = 0;
	vec_clear(&e->queue);
	vec_clear(&e->created);
}

static void keep_path(struct explainer *e, uint32_t node, struct path *out)
{
	vec_clear(&out->nodes);
	out->object = e->o;
	for (;; node = e->next[node]) {
		vec_push(&out->nodes, node);
		if (e->next[node] == node)
			return;
	}
}

typedef VEC(node_id) node_list;

/* A way of the object to one of the receivers that is shorter than what is in *best, if that is not empty. */
static void search(struct pta *a, object_id o, const node_list *receivers, struct path *best)
{
	struct explainer *e = a->explainer;
	uint32_t depth = 1, level_end;

	e->o = o;
	mark_creations(a);
	for (uint32_t i = 0; i < receivers->len; i++)
		visit(a, receivers->data[i].i, receivers->data[i].i);
	level_end = e->queue.len;
	for (uint32_t i = 0; i < e->queue.len; i++) {
		if (i == level_end) {
			level_end = e->queue.len;
			depth++;
		}
		if (best->nodes.len && depth >= best->nodes.len)
			break;
		if (e->creates[e->queue.data[i]]) {
			keep_path(e, e->queue.data[i], best);
			break;
		}
		expand(a, e->queue.data[i]);
	}
	end_search(e);
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
		node_list receivers = { 0 };
		struct path path = { .object = o };
		vec_push(&receivers, receiver);
		search(a, o, &receivers, &path);
		fill_witness(a, w, site, &path);
		vec_release(&receivers);
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
static void explain_sites(struct pta *a, struct pta_witness *w, const struct template *t, method_id callee)
{
	for (uint32_t i = 0; t && i < t->nsites && !w->found; i++) {
		const struct site *s = &a->sites.data[t->first_site + i];
		if (s->link.sort != LINK_REFLECTED && site_calls(s, callee))
			explain_site(a, w, t->first_site + i, callee);
		else if (s->callbacks && site_calls(&a->sites.data[s->callbacks], callee))
			explain_site(a, w, s->callbacks, callee);
		for (uint32_t k = 0; s->link.sort == LINK_REFLECTED && k < s->targets.len && !w->found; k++)
			explain_sites(a, w, a->templates.data[s->targets.data[k].i], callee);
		if (!w->found && may_call(a, s, callee))
			*w = (struct pta_witness){ .found = true, .site = s->link.site, .caller = s->method };
	}
}

struct pta_witness pta_explain(struct pta *a, method_id caller, method_id callee)
{
	struct pta_witness w = { 0 };

	explainer_of(a);
	vec_clear(&a->steps);
	explain_sites(a, &w, caller.i < a->templates.len ? a->templates.data[caller.i] : NULL, callee);
	end_witness(a, &w);
	return w;
}

/* The receiver */

static void find_receivers(struct pta *a, uint32_t site, node_list *out)
{
	for (uint32_t i = 1; i < a->watches.len; i++) {
		const struct watch *w = &a->watches.data[i];
		if (w->sort == WATCH_CALL && site_of_watch(a, w) == site)
			vec_push(out, receiver_of(a, w));
	}
}

/* Objects of the class in any of the nodes. Ids, sorted, each once. */
static void find_objects(struct pta *a, const node_list *nodes, class_id c, id_list *out)
{
	for (uint32_t k = 0; k < nodes->len; k++) {
		struct set_view v = solver_set(a->s, nodes->data[k]);
		for (uint32_t i = 0; i < v.n; i++)
			for (uint64_t bits = v.words[i]; bits; bits &= bits - 1) {
				object_id o = { v.blocks[i] * 64 + first_bit(bits) };
				if (is_receiver_class(a, o, c))
					vec_push(out, o.i);
			}
	}
	out->len = sort_ids(out->data, out->len);
}

static void explain_class(struct pta *a, struct pta_witness *w, uint32_t site, class_id receiver)
{
	node_list nodes = { 0 };
	id_list objects = { 0 };
	struct path best = { 0 };

	find_receivers(a, site, &nodes);
	find_objects(a, &nodes, receiver, &objects);
	for (uint32_t i = 0; i < objects.len; i++) {
		object_id o = { objects.data[i] };
		if (!receiver_target(a, site, o).i)
			continue;
		w->found = true;
		if (!best.object.i)
			best.object = o;
		search(a, o, &nodes, &best);
	}
	if (w->found) {
		w->site = a->sites.data[site].link.site;
		w->caller = a->sites.data[site].method;
		fill_witness(a, w, site, &best);
	}
	vec_release(&nodes);
	vec_release(&objects);
	vec_release(&best.nodes);
}

struct pta_witness pta_explain_receiver(struct pta *a, method_id m, uint32_t pc, class_id receiver)
{
	const struct template *t = m.i < a->templates.len ? a->templates.data[m.i] : NULL;
	struct pta_witness w = { 0 };

	explainer_of(a);
	vec_clear(&a->steps);
	for (uint32_t i = 0; t && i < t->nsites && !w.found; i++) {
		const struct link *l = &a->sites.data[t->first_site + i].link;
		if (l->sort == LINK_DISPATCHED && l->site.pc == pc)
			explain_class(a, &w, t->first_site + i, receiver);
	}
	end_witness(a, &w);
	return w;
}
