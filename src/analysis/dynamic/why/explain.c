/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/dynamic/why/explain.h"

#include "analysis/dynamic/values_p.h"
#include "ir/access.h"

const char *basis_name(enum basis_sort s)
{
	static const char *const names[] = { "answer", "written", "cast", "level" };

	return names[s];
}

struct explainer {
	struct values *v;
	struct dynamic_basis *out;
	uint32_t n;
	struct map seen;         /* node -> 1: in this search */
};

static void add(struct explainer *e, struct dynamic_basis b)
{
	if (e->n < MAX_BASIS)
		e->out[e->n++] = b;
}

static bool has_meta(const struct values *v, uint32_t node, meta x)
{
	uint32_t bit = map_get(&v->meta_numbers, x) - 1;
	const struct vnode *n = &v->nodes.data[node];

	return bit != UINT32_MAX && bit / 64 < n->metas.len && n->metas.data[bit / 64] >> (bit % 64) & 1;
}

/* Back from a node, the nearest one that has the meta by itself: by a query, or since it is written there. */
static uint32_t find_origin(struct explainer *e, uint32_t node, meta x)
{
	VEC(uint32_t) queue = { 0 };
	uint32_t found = 0;

	map_release(&e->seen);
	e->seen = (struct map){ 0 };
	vec_push(&queue, node);
	for (uint32_t at = 0; at < queue.len && !found; at++) {
		const struct vnode *n = &e->v->nodes.data[queue.data[at]];
		bool is_copied = false;
		for (uint32_t i = 0; !n->query && i < n->inputs.len; i++) {
			uint32_t *seen = map_at(&e->seen, n->inputs.data[i]);
			if (!has_meta(e->v, n->inputs.data[i], x))
				continue;
			is_copied = true;
			if (!*seen)
				vec_push(&queue, n->inputs.data[i]);
			*seen = 1;
		}
		found = is_copied ? 0 : queue.data[at];
	}
	vec_release(&queue);
	return found;
}

static const struct ir_stmt *definition(struct explainer *e, uint32_t node)
{
	const struct vnode *n = &e->v->nodes.data[node];

	return n->where == AT_VALUE || n->where == AT_ANSWER ? code_definition(values_code(e->v, (method_id){ n->of }), n->value) : NULL;
}

static void explain_meta(struct explainer *e, uint32_t node, meta x);

/* Does the query answer with it when it is asked about the other, whatever else it is given? */
static bool answers(struct explainer *e, enum query q, meta about, meta x)
{
	struct member_filter any = { .names.is_open = true };
	meta_list list = { 0 };
	bool found = false;

	query_answer(e->v->h, q, about, &any, &list);
	for (uint32_t i = 0; i < list.len; i++)
		found |= list.data[i] == x;
	vec_release(&list);
	return found;
}

static str_id member_name(const struct program *p, meta x)
{
	if (meta_sort(x) == META_METHOD)
		return sel_row(p, method_row(p, meta_method(x))->sel)->name;
	return meta_sort(x) == META_FIELD ? sel_row(p, field_row(p, meta_field(x))->sel)->name : (str_id){ 0 };
}

/* What it was asked about, and by which name. */
static void explain_query(struct explainer *e, uint32_t node, meta x)
{
	enum query q = e->v->nodes.data[node].query;
	uint32_t about = e->v->nodes.data[node].inputs.data[0];
	uint32_t name = e->v->nodes.data[node].inputs.len > 1 ? e->v->nodes.data[node].inputs.data[1] : 0;
	struct arena mem;

	arena_init(&mem);
	struct metas given = vnode_metas(e->v, about, &mem);
	for (uint32_t i = 0; i < given.n; i++)
		if (q != QUERY_HANDLE ? answers(e, q, given.data[i], x) : given.n == 1) {
			explain_meta(e, about, given.data[i]);
			break;
		}
	meta called = meta_of(META_STRING, member_name(e->v->p, x).i);
	if (name && meta_id(called) && has_meta(e->v, name, called))
		explain_meta(e, name, called);
	arena_release(&mem);
}

static void explain_meta(struct explainer *e, uint32_t node, meta x)
{
	uint32_t origin = find_origin(e, node, x);
	const struct ir_stmt *s = origin ? definition(e, origin) : NULL;
	bool is_query = origin && e->v->nodes.data[origin].query && e->v->nodes.data[origin].inputs.len;
	struct dynamic_basis b = { .sort = is_query ? BASIS_ANSWER : BASIS_WRITTEN, .what = x };

	if (!origin || e->n == MAX_BASIS)
		return;
	if (s)
		b.method = (method_id){ e->v->nodes.data[origin].of };
	b.pc = s ? s->pc : 0;
	b.by = (mref_id){ s && ir_is_call(s->op) ? s->ref : 0 };
	add(e, b);
	if (is_query)
		explain_query(e, origin, x);
}

/* Which of the values makes the call reach the target? */

struct initialised {
	method_id target;
	bool is_found;
};

static void is_initialiser(void *ctx, class_id of ATTR_UNUSED, method_id clinit)
{
	struct initialised *x = ctx;

	x->is_found |= clinit.i == x->target.i;
}

static bool initialises(struct hierarchy *h, class_id c, method_id target)
{
	struct initialised x = { target, false };

	hierarchy_initialisers(h, c, is_initialiser, &x);
	return x.is_found;
}

/* A method itself, one that overrides it, or the initialiser of its class. */
static bool runs(struct hierarchy *h, method_id m, method_id target)
{
	struct ir_method is = *method_row(h->p, m), other = *method_row(h->p, target);

	return m.i == target.i || (is.sel.i == other.sel.i && hierarchy_is_subtype(h, other.owner, is.owner)) ||
	       initialises(h, is.owner, target);
}

static bool makes(struct hierarchy *h, class_id c, method_id target)
{
	bool is_own = method_row(h->p, target)->owner.i == c.i && str_is(sel_name(h->p, method_row(h->p, target)->sel), "<init>");

	return is_own || initialises(h, c, target);
}

static bool leads_to(struct hierarchy *h, meta x, method_id target)
{
	switch (meta_sort(x)) {
	case META_CLASS:
		return makes(h, meta_class(x), target);
	case META_METHOD:
		return runs(h, meta_method(x), target);
	case META_FIELD:
		return initialises(h, field_row(h->p, meta_field(x))->owner, target);
	default:
		return false;
	}
}

/* A member that is the target goes before one that it overrides. */
static meta find_meta(struct explainer *e, struct metas all, method_id target)
{
	meta found = 0;

	for (uint32_t i = 0; i < all.n; i++) {
		if (all.data[i] == meta_of(META_METHOD, target.i))
			return all.data[i];
		if (!found && leads_to(e->v->h, all.data[i], target))
			found = all.data[i];
	}
	return found || all.n != 1 ? found : all.data[0];
}

static void explain_level(struct explainer *e, struct dynamic *d, uint32_t site)
{
	struct dynamic_place at = dynamic_place(d, site);
	class_id cast = dynamic_cast(d, site);

	add(e, (struct dynamic_basis){ .sort = BASIS_LEVEL, .method = at.caller, .pc = at.pc, .why = dynamic_why(d, site) });
	if (cast.i && dynamic_level(d) <= DYNAMIC_CAST)
		add(e, (struct dynamic_basis){ .sort = BASIS_CAST, .what = meta_of(META_CLASS, cast.i), .method = at.caller, .pc = at.pc });
}

/* What happens within dispatchers is a matter of the call that they stand for. */
static void contract(const struct dynamic *d, struct dynamic_basis *b)
{
	uint32_t site = dynamic_site_of(d, b->method);

	if (!site)
		return;
	b->method = dynamic_place(d, site).caller;
	b->pc = dynamic_place(d, site).pc;
}

uint32_t dynamic_explain(struct dynamic *d, uint32_t site, method_id target, struct dynamic_basis out[MAX_BASIS])
{
	struct explainer e = { .v = dynamic_values(d), .out = out };
	uint32_t node = dynamic_node(d, site);
	struct arena mem;

	arena_init(&mem);
	meta x = node ? find_meta(&e, vnode_metas(e.v, node, &mem), target) : 0;
	if (x)
		explain_meta(&e, node, x);
	else if (dynamic_level(d) != DYNAMIC_LISTED && !dynamic_is_resolved(d, site))
		explain_level(&e, d, site);
	for (uint32_t i = 0; i < e.n; i++)
		contract(d, &out[i]);
	map_release(&e.seen);
	arena_release(&mem);
	return e.n;
}
