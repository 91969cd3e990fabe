/* SPDX-License-Identifier: Apache-2.0 */
/* chain_plan.c - call chains as a part of a plan: bodies and calls to watch, and the forest.
 *
 * Also what the analysis did not reach is watched: a chain that was not foreseen shows that it is wrong. A dispatched call is watched
 * when the graph has an edge there, or when its method is named like one of the component. */
#include <stdlib.h>

#include "formats/classfile/bytecode.h"
#include "ir/access.h"
#include "session/artifact/plan_p.h"

struct chain_maker {
	struct plan_maker *m;
	const struct chain_graph *x;
	const struct forest *f;
	struct plan_chains *out;
	struct map body_of;           /* method -> 1 + body */
	VEC(method_id) methods;       /* by body */
	struct map site_at;           /* (node, pc) -> site of the graph */
	struct map selectors;         /* of dispatched methods of the component -> 1 */
	uint32_t *call_of;            /* by site of the graph: 1 + call */
	uint32_t *first_out;          /* by site of the graph: 1 + its first edge */
};

/* Bodies */

struct named_body {
	struct str name, desc;
	method_id m;
};

static int compare_bodies(const void *x, const void *y)
{
	const struct named_body *a = x, *b = y;
	int c = str_cmp(a->name, b->name);

	return c ? c : str_cmp(a->desc, b->desc);
}

static const struct cf_member *member_of(struct chain_maker *k, method_id m, struct unit **u)
{
	const struct ir_method *row = method_row(k->m->p, m);

	*u = loader_unit(k->m->s->loader, row->owner);
	return *u ? &(*u)->cf.methods[row->index] : NULL;
}

static uint64_t code_digest(struct chain_maker *k, method_id m)
{
	struct unit *u;
	const struct cf_member *member = member_of(k, m, &u);

	return member && member->code ? plan_code_digest(cf_code(&u->cf, member).code) : 0;
}

/* A class file that no JVM would load may have a method twice: the first one counts. */
static void add_bodies(struct chain_maker *k, uint32_t class)
{
	struct program *p = k->m->p;
	const struct ir_class *c = class_row(p, k->m->f->component.classes.data[class]);
	struct plan_class *row = &k->m->plan->classes.data[class];
	VEC(struct named_body) list = { 0 };

	row->first_body = k->out->bodies.len;
	for (uint32_t i = 0; i < c->nmethods; i++) {
		method_id m = { c->first_method + i };
		if (!(method_row(p, m)->flags & ACCESS_ABSTRACT))
			vec_push(&list, ((struct named_body){ sel_name(p, method_row(p, m)->sel), sel_desc(p, method_row(p, m)->sel), m }));
	}
	if (list.len)
		qsort(list.data, list.len, sizeof(*list.data), compare_bodies);
	for (uint32_t i = 0; i < list.len; i++) {
		struct named_body b = list.data[i];
		if (i && compare_bodies(&list.data[i - 1], &b) == 0)
			continue;
		vec_push(&k->methods, b.m);
		vec_push(&k->out->bodies, ((struct plan_method){ .class = class, .name = plan_keep(k->m, b.name),
								 .desc = plan_keep(k->m, b.desc), .code = code_digest(k, b.m) }));
		*map_at(&k->body_of, b.m.i) = k->out->bodies.len;
		if (!(method_row(p, b.m)->flags & (ACCESS_STATIC | ACCESS_PRIVATE)))
			*map_at(&k->selectors, method_row(p, b.m)->sel.i) = 1;
	}
	row->nbodies = k->out->bodies.len - row->first_body;
	vec_release(&list);
}

/* Calls */

struct found_call {
	struct insn in;
	mref_id ref;
	uint64_t key;                 /* calls that look the same have the same */
	uint32_t nth;
};
typedef VEC(struct found_call) found_calls;

static void find_calls(struct chain_maker *k, struct unit *u, struct span code, found_calls *out, struct map *of)
{
	struct insn in;

	for (uint32_t pc = 0; pc < code.len && bytecode_decode(code, pc, &in); pc += in.len) {
		unsigned tag = in.op >= BC_invokevirtual && in.op <= BC_invokeinterface ? cf_tag(&u->cf, (uint16_t)in.a) : 0;
		if (tag != CP_METHOD && tag != CP_IMETHOD)
			continue;
		mref_id ref = unit_mref(k->m->p, u, (uint16_t)in.a);
		uint32_t *n = map_at(of, map_key(in.op, ref.i));
		vec_push(out, ((struct found_call){ in, ref, map_key(in.op, ref.i), (*n)++ }));
	}
}

static uint32_t flags_of(const struct insn *in, const struct chain_site *s)
{
	uint32_t op = in->op == BC_invokeinterface ? PLAN_INTERFACE : in->op == BC_invokespecial ? PLAN_SPECIAL
		    : in->op == BC_invokestatic ? PLAN_STATIC : 0;

	if (!s)
		return op;
	return op | PLAN_REACHED | (s->is_exit ? PLAN_EXIT : 0u) | (s->is_open ? PLAN_OPEN : 0u) | (s->made.i ? PLAN_NEW : 0u);
}

/* The body that a call names: 1 + its row; 0: none. */
static uint32_t resolved_body(struct chain_maker *k, mref_id ref)
{
	if (resolve_method(&k->m->f->h, ref) != RESOLVE_OK)
		return 0;
	return map_get(&k->body_of, mref_row(k->m->p, ref)->target.i);
}

static bool is_private(struct chain_maker *k, uint32_t body)
{
	return body && (method_row(k->m->p, k->methods.data[body - 1])->flags & ACCESS_PRIVATE);
}

/* What a call runs whatever its receiver: 1 + the body. 0: that depends, or it is none. */
static uint32_t callee_of(struct chain_maker *k, const struct found_call *c, uint32_t site)
{
	uint32_t body = resolved_body(k, c->ref);

	if (c->in.op == BC_invokevirtual || c->in.op == BC_invokeinterface)
		return is_private(k, body) ? body : 0;
	if (site && k->first_out[site])               /* invokespecial may select another one */
		return map_get(&k->body_of, k->x->methods.data[k->x->edges.data[k->first_out[site] - 1].to].i);
	return body;
}

static bool is_watched(struct chain_maker *k, const struct found_call *c, uint32_t site, uint32_t *callee)
{
	bool is_dispatched = c->in.op == BC_invokevirtual || c->in.op == BC_invokeinterface;

	*callee = 0;
	if (class_row(k->m->p, mref_row(k->m->p, c->ref)->owner)->kind == CLASS_ARRAY)
		return false;                         /* clone() of an array */
	*callee = callee_of(k, c, site);
	if (!is_dispatched || *callee)
		return *callee != 0;
	return (site && k->first_out[site]) || map_get(&k->selectors, mref_row(k->m->p, c->ref)->sel.i);
}

static void add_call(struct chain_maker *k, uint32_t body, const struct found_call *c, const struct map *of)
{
	uint32_t node = chain_node(k->x, k->methods.data[body]), callee;
	uint32_t site = node ? map_get(&k->site_at, map_key(node, c->in.pc)) : 0;
	const struct ir_mref ref = *mref_row(k->m->p, c->ref);
	struct program *p = k->m->p;

	if (!is_watched(k, c, site, &callee))
		return;
	struct plan_site row = { .method = body, .pc = c->in.pc, .flags = flags_of(&c->in, site ? &k->x->sites.data[site] : NULL),
				 .nth = c->nth, .of = map_get(of, c->key) };
	row.line = p->source.line(p->source.ctx, p, k->methods.data[body], c->in.pc);
	row.owner = plan_keep_class(k->m, ref.owner);
	row.name = plan_keep(k->m, sel_name(p, ref.sel));
	row.desc = plan_keep(k->m, sel_desc(p, ref.sel));
	vec_push(&k->out->calls, row);
	vec_push(&k->out->callees, callee);
	if (site)
		k->call_of[site] = k->out->calls.len;
}

static void add_calls(struct chain_maker *k, uint32_t body)
{
	struct unit *u;
	const struct cf_member *member = member_of(k, k->methods.data[body], &u);
	struct plan_method *row = &k->out->bodies.data[body];
	found_calls found = { 0 };
	struct map of = { 0 };

	row->first_site = k->out->calls.len;
	if (member && member->code)
		find_calls(k, u, cf_code(&u->cf, member).code, &found, &of);
	for (uint32_t i = 0; i < found.len; i++)
		add_call(k, body, &found.data[i], &of);
	row->nsites = k->out->calls.len - row->first_site;
	vec_release(&found);
	map_release(&of);
}

static void index_graph(struct chain_maker *k)
{
	const struct chain_graph *x = k->x;

	k->call_of = mem_zalloc(x->sites.len * sizeof(*k->call_of));
	k->first_out = mem_zalloc(x->sites.len * sizeof(*k->first_out));
	for (uint32_t i = 1; i < x->sites.len; i++)
		*map_at(&k->site_at, map_key(x->sites.data[i].node, x->sites.data[i].pc)) = i;
	for (uint32_t i = x->edges.len; i-- > 0;)
		k->first_out[x->edges.data[i].site] = i + 1;
}

static void add_code(struct chain_maker *k)
{
	struct plan *p = k->m->plan;

	for (uint32_t i = 0; i < p->classes.len; i++)
		add_bodies(k, i);
	index_graph(k);
	for (uint32_t i = 0; i < p->classes.len; i++) {
		struct plan_class *c = &p->classes.data[i];
		c->first_call = k->out->calls.len;
		for (uint32_t b = 0; b < c->nbodies; b++)
			add_calls(k, c->first_body + b);
		c->ncalls = k->out->calls.len - c->first_call;
	}
}

/* The forest */

static uint32_t body_of_node(const struct chain_maker *k, uint32_t node)
{
	return map_get(&k->body_of, k->x->methods.data[node].i) - 1;
}

/* False: the call is no instruction of the file, as when that has changed since it was analysed. */
static bool add_child(struct chain_maker *k, struct forest_child c)
{
	const struct chain_edge *e = &k->x->edges.data[c.edge];
	uint32_t type = e->receiver.i ? map_get(&k->m->row_of, plan_type(k->m, e->receiver).i) : 0;

	if (!k->call_of[e->site])
		return false;
	vec_push(&k->out->children, ((struct plan_child){ .call = k->call_of[e->site] - 1, .receiver = type,
							  .flags = e->is_client ? PLAN_TO_CLIENT : 0,
							  .callee = body_of_node(k, e->to), .state = c.state }));
	return true;
}

static void add_states(struct chain_maker *k)
{
	const struct forest *f = k->f;

	vec_push(&k->out->states, (struct plan_state){ 0 });
	for (uint32_t i = 1; i < f->states.len; i++) {
		const struct forest_state *s = &f->states.data[i];
		struct plan_state row = { .body = body_of_node(k, s->node), .first = k->out->children.len,
					  .is_wanted = s->passed == f->opt.filter.all };
		for (uint32_t c = 0; c < s->n; c++)
			row.n += add_child(k, f->children.data[s->first + c]);
		vec_push(&k->out->states, row);
	}
}

static void add_trees(struct chain_maker *k)
{
	for (uint32_t i = 0; i < k->f->levels.len; i++)
		vec_push(&k->out->levels, ((struct plan_level){ k->f->levels.data[i].level, k->f->levels.data[i].or_more }));
	for (uint32_t i = 0; i < k->f->trees.len; i++)
		vec_push(&k->out->trees, ((struct plan_tree){ k->f->trees.data[i].state, k->f->trees.data[i].level,
							      k->f->trees.data[i].start }));
}

static struct str filters_text(struct plan_maker *m, const struct chains_request *q)
{
	struct strbuf t = { 0 };

	if (q->levels)
		strbuf_addf(&t, " --levels %s", q->levels);
	if (q->from)
		strbuf_addf(&t, " --from %s", q->from);
	for (uint32_t i = 0; i < q->nthrough; i++)
		strbuf_addf(&t, " --through %s", q->through[i]);
	if (q->not_through)
		strbuf_addf(&t, " --not-through %s", q->not_through);
	for (uint32_t i = 0; i < q->nfilters; i++)
		strbuf_addf(&t, " %s %s", filter_kind_options[q->filters[i].kind], q->filters[i].list);
	struct str kept = t.len ? plan_keep(m, (struct str){ t.s + 1, (uint32_t)t.len - 1 }) : (struct str){ 0 };
	strbuf_release(&t);
	return kept;
}

_Static_assert((int)CHAIN_METHOD == PLAN_BY_METHOD && (int)CHAIN_SITE == PLAN_BY_SITE && (int)CHAIN_RECEIVER == PLAN_BY_RECEIVER,
	       "plans have the granularities of chains");

void plan_add_chains(struct plan_maker *m)
{
	const struct chains_request *q = &m->more.chains->request;
	struct chain_maker k = { .m = m, .x = m->more.chains->graph, .f = m->more.chains->forest, .out = &m->plan->chains };

	k.out->k = q->k;
	k.out->granularity = (uint8_t)q->granularity;
	k.out->from_main = q->from_main;
	k.out->backedges = q->backedges;
	k.out->filters = filters_text(m, q);
	k.out->prune = q->prunes ? STR("conditions") : STR("");
	k.out->pruned = m->more.chains->whole ? forest_total(m->more.chains->whole) - forest_total(m->more.chains->forest) : 0;
	add_code(&k);
	add_trees(&k);
	add_states(&k);
	map_release(&k.body_of);
	map_release(&k.site_at);
	map_release(&k.selectors);
	vec_release(&k.methods);
	free(k.call_of);
	free(k.first_out);
}
