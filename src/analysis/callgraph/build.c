/* SPDX-License-Identifier: Apache-2.0 */
/* Rapid type analysis: a worklist of methods and a growing set of instantiated classes, which meet the dispatched calls
 * in dispatch.c. Class hierarchy analysis is the same with every class instantiated from the start; only lambda
 * classes, which come into being when the code that makes them is reached, are added on the way. */
#include <stdlib.h>

#include "algo/lists.h"
#include "analysis/callgraph/assumed.h"
#include "analysis/callgraph/dispatch.h"
#include "analysis/callgraph/fill.h"
#include "analysis/callgraph/link.h"
#include "analysis/dynamic/outside/outside.h"
#include "ir/access.h"

struct builder {
	struct callgraph *g;
	struct program *p;
	struct linker l;
	struct dispatcher *d;
	const struct cg_opt *opt;
	method_list work;
	VEC(bool) initialised;            /* by class */
	struct arena scratch;
	class_id array;                   /* the one array class that stands for all */
	class_id stream_class;
	struct dynamic *dynamic;
	VEC(struct dynamic_call) dispatched;      /* calls of dispatchers */
	VEC(uint32_t) last_dispatched;            /* by dynamic site: 1 + row of the last of them, ... */
	VEC(uint32_t) dispatched_before;          /* and by row that of the one before it */
	VEC(uint32_t) linked;                     /* sites, in order, whose calls have nothing of their callers: IR_CALL_LINKED */
	/* index_calls() */
	struct lists sites_of, sites_of_one, sets_of;
	uint32_t indexed;                         /* methods before it, of those that are reached */
	uint32_t nlinked;                         /* of `linked`, those before it */
	VEC(uint32_t) indexed_members;            /* by set: how many of its members */
	method_list caller_of;                    /* by site */
	struct assumed assumed;
	method_id native;                         /* assumed_native() */
};

static void reach(void *ctx, method_id m, unsigned entry)
{
	struct builder *b = ctx;
	struct cg_node *n = callgraph_node(b->g, m);

	n->entry |= (uint8_t)entry;
	if (n->reached)
		return;
	n->reached = 1;
	vec_push(&b->work, m);
}

static bool *initialised_at(struct builder *b, class_id c)
{
	while (b->initialised.len <= c.i)
		vec_push(&b->initialised, false);
	return &b->initialised.data[c.i];
}

static void run_initialiser(void *ctx, class_id of, method_id clinit)
{
	struct builder *b = ctx;
	bool *is_initialised = initialised_at(b, of);

	if (*is_initialised)
		return;
	*is_initialised = true;
	reach(b, clinit, ENTRY_BY_JVM);
}

/* Of the supertypes only those with an initialiser are remembered: to ask for the others again is cheap. */
static void initialise(struct builder *b, class_id c)
{
	if (*initialised_at(b, c))
		return;
	hierarchy_initialisers(&b->g->h, c, run_initialiser, b);
	*initialised_at(b, c) = true;
}

static void instantiate(struct builder *b, class_id c)
{
	dispatch_instantiate(b->d, class_row(b->p, c)->kind == CLASS_ARRAY ? b->array : c);
}

/* Sites */

static void add_site(struct builder *b, const struct caller *from, struct cg_site site)
{
	if (!from->is_outside)
		vec_push(&b->g->sites, site);
}

/* The JVM's calls are in methods of sherd/JVM. */
static enum entry_by entry_of(const struct caller *from)
{
	return !from->is_outside ? ENTRY_BY_NONE : from->m.i ? ENTRY_BY_JVM : ENTRY_BY_CLIENT;
}

static void add_dispatched(struct builder *b, const struct caller *from, struct cg_site *site)
{
	uint32_t key = dispatch_key(b->d, site->mref);

	site->set = b->d->keys.data[key].set;
	site->receivers = key;
	if (from->is_outside)
		dispatch_from_outside(b->d, key, entry_of(from));
}

static void visit(struct builder *b, const struct caller *from, const struct ir_stmt *s);

/* The models do not recurse. */
static void visit_inlined(struct builder *b, const struct caller *from, method_id m)
{
	const struct ir_body *body = b->p->source.outline(b->p->source.ctx, b->p, m, &b->scratch);

	for (uint32_t i = 0; body && i < body->nstmts; i++)
		visit(b, from, &body->stmts[i]);
}

static void visit_call(struct builder *b, const struct caller *from, const struct ir_stmt *s)
{
	struct link k = link_call(&b->l, from, s);

	if (k.initialises.i)
		initialise(b, k.initialises);
	if (k.dynamic && b->opt->dynamic && !from->is_outside && !from->is_model)
		dynamic_note(b->dynamic, from->m, s->pc, k.site.mref, k.dynamic);
	if (k.sort == LINK_INLINED)
		visit_inlined(b, from, k.target);
	if (k.sort == LINK_DISPATCHED)
		add_dispatched(b, from, &k.site);
	if (k.sort == LINK_ONE) {
		k.site.set = SET_OF_ONE | k.target.i;
		reach(b, k.target, entry_of(from));
	}
	if (k.is_listed && s->sub == IR_CALL_LINKED)
		vec_push(&b->linked, b->g->sites.len);
	if (k.is_listed)
		vec_push(&b->g->sites, k.site);
}

static void visit_classes(struct builder *b, const struct ir_stmt *s)
{
	class_id initialised = link_initialises(&b->l, s), instantiated = link_instantiates(&b->l, s);

	if (initialised.i)
		initialise(b, initialised);
	if (instantiated.i)
		instantiate(b, instantiated);
}

static void visit(struct builder *b, const struct caller *from, const struct ir_stmt *s)
{
	struct ir_stmt call;

	switch (s->op) {
	case IR_CALL_STATIC:
	case IR_CALL_SPECIAL:
	case IR_CALL_VIRTUAL:
	case IR_CALL_INTERFACE:
		visit_call(b, from, s);
		break;
	case IR_CALL_DYNAMIC:
	case IR_CONST_DYNAMIC:
		add_site(b, from, (struct cg_site){ .pc = s->pc, .op = IR_CALL_DYNAMIC, .cause = CG_BOOTSTRAP });
		break;
	case IR_CONST_HANDLE:
		visit_classes(b, s);
		if (link_handle(s, &call))
			visit_call(b, from, &call);
		break;
	default:
		visit_classes(b, s);
		break;
	}
}

static void add_hooks(struct builder *b, const struct caller *from)
{
	struct hook hook;

	for (uint32_t i = 0; hook_at(b->p, from->m, i, &hook); i++) {
		uint32_t key = dispatch_hook_key(b->d, hook);
		struct cg_site site = { .op = IR_CALL_SPECIAL, .implied = 1, .cause = CG_REFLECTION,
					.mref = program_mref(b->p, b->p->serializable, hook.sel, true),
					.set = b->d->keys.data[key].set };
		add_site(b, from, site);
	}
}

/* What natives without a model call back, one synthetic method calls for all of them. */
static uint32_t assumed_native(struct builder *b)
{
	if (!b->opt->dynamic || b->opt->dynamic->level == DYNAMIC_LISTED)
		return 0;
	if (!b->native.i)
		b->native = assumed_native_method(b->p, b->dynamic);
	reach(b, b->native, ENTRY_BY_NONE);
	return SET_OF_ONE | b->native.i;
}

/* Methods */

static void visit_method(struct builder *b, method_id m)
{
	struct ir_method row = *method_row(b->p, m);
	struct caller from = link_caller(&b->l, m);

	arena_clear(&b->scratch);
	callgraph_node(b->g, m)->first = b->g->sites.len;
	const struct ir_body *body = b->p->source.outline(b->p->source.ctx, b->p, m, &b->scratch);
	for (uint32_t i = 0; body && i < body->nstmts; i++)
		visit(b, &from, &body->stmts[i]);
	if (!body) {
		enum cg_cause cause = row.flags & ACCESS_NATIVE ? CG_NATIVE : CG_LINK_ERROR;      /* malformed: VerifyError */
		uint32_t set = cause == CG_NATIVE ? assumed_native(b) : 0;
		add_site(b, &from, (struct cg_site){ .op = IR_CALL_DYNAMIC, .cause = (uint8_t)cause, .implied = 1, .set = set });
	}
	if (row.owner.i == b->stream_class.i)
		add_hooks(b, &from);
	struct cg_node *node = callgraph_node(b->g, m);
	node->n = b->g->sites.len - node->first;
	if (!from.is_outside)
		vec_push(&b->g->reached, m);
	else
		node->reached = 0;
}

static void solve(struct builder *b)
{
	while (b->work.len) {
		visit_method(b, vec_pop(&b->work));
		if (b->opt->progress && b->g->reached.len % 1024 == 0)
			b->opt->progress(b->opt->progress_ctx, b->g->reached.len);
	}
}

/* Dynamic features: rounds, until nothing new comes of the graph as it is. */

struct site_range {
	const struct cg_site *data;
	uint32_t n;
};

static struct site_range sites_of(const struct builder *b, method_id m)
{
	const struct cg_node *n = &b->g->nodes.data[m.i];

	return (struct site_range){ b->g->sites.data + n->first, n->n };
}

/* Members of sets that calls have, by method; what is only assumed has no calls. */
static void index_sets(struct builder *b)
{
	while (b->indexed_members.len < b->d->sets.len)
		vec_push(&b->indexed_members, 0);
	for (uint32_t i = 1; i < b->d->sets.len; i++) {
		const method_list *set = &b->d->sets.data[i];
		uint32_t *k = &b->indexed_members.data[i];
		for (; *k < set->len && lists_first(&b->sites_of, i, false); ++*k)
			lists_add(&b->sets_of, set->data[*k].i, i);
	}
}

static void index_site(struct builder *b, method_id caller, uint32_t site)
{
	uint32_t set = b->g->sites.data[site].set;

	while (b->caller_of.len < site)
		vec_push(&b->caller_of, (method_id){ 0 });
	vec_push(&b->caller_of, caller);
	if (b->nlinked < b->linked.len && b->linked.data[b->nlinked] == site)
		b->nlinked++;
	else
		lists_add(set & SET_OF_ONE ? &b->sites_of_one : &b->sites_of, set & ~SET_OF_ONE, site);
}

/* Who calls whom: sites of each set, or of a method alone, and sets of each method; what came since the round before is new. */
static void index_calls(struct builder *b)
{
	lists_mark(&b->sites_of);
	lists_mark(&b->sites_of_one);
	lists_mark(&b->sets_of);
	for (; b->indexed < b->g->reached.len; b->indexed++) {
		method_id m = b->g->reached.data[b->indexed];
		const struct cg_node *n = &b->g->nodes.data[m.i];
		for (uint32_t k = n->first; k < n->first + n->n; k++)
			index_site(b, m, k);
	}
	index_sets(b);
}

static void tell_sites(struct builder *b, const struct lists *l, uint32_t set, bool only_new,
		       void (*fn)(void *x, method_id caller, uint32_t pc, mref_id ref), void *x)
{
	for (uint32_t r = lists_first(l, set, only_new); r; r = lists_next(l, r)) {
		uint32_t site = lists_number(l, r);
		struct cg_site s = b->g->sites.data[site];
		fn(x, b->caller_of.data[site], s.pc, s.mref);
	}
}

static void tell_callers(void *ctx, method_id target, bool is_again,
			 void (*fn)(void *x, method_id caller, uint32_t pc, mref_id ref), void *x)
{
	struct builder *b = ctx;
	uint32_t site = dynamic_site_of(b->dynamic, target);

	tell_sites(b, &b->sites_of_one, target.i, is_again, fn, x);
	for (uint32_t r = lists_first(&b->sets_of, target.i, false); r; r = lists_next(&b->sets_of, r))
		tell_sites(b, &b->sites_of, lists_number(&b->sets_of, r), is_again && !lists_is_new(&b->sets_of, r), fn, x);
	if (!site || is_again)
		return;
	struct dynamic_place at = dynamic_place(b->dynamic, site);
	fn(x, at.caller, at.pc, at.ref);
}

static uint32_t tell_members(void *ctx, uint32_t set, uint32_t from, void (*fn)(void *x, method_id member), void *x)
{
	const struct builder *b = ctx;
	uint32_t n = b->d->sets.data[set].len;

	for (uint32_t i = from; i < n; i++)
		fn(x, b->d->sets.data[set].data[i]);
	return n;
}

static void tell_site(struct builder *b, const struct cg_site *s, const struct dynamic_targets *to)
{
	if (s->set & SET_OF_ONE)
		to->one(to->x, (method_id){ s->set & ~SET_OF_ONE });
	else if (to->set && s->set)
		to->set(to->x, s->set);
	else
		tell_members(b, s->set, 0, to->one, to->x);
}

static void tell_targets(void *ctx, method_id caller, uint32_t pc, mref_id ref, const struct dynamic_targets *to)
{
	struct builder *b = ctx;
	struct site_range r = sites_of(b, caller);
	uint32_t site = dynamic_find(b->dynamic, caller, pc);
	bool is_dispatched = site < b->last_dispatched.len && dynamic_place(b->dynamic, site).ref.i == ref.i;
	uint32_t last = is_dispatched ? b->last_dispatched.data[site] : 0;

	for (const struct cg_site *s = r.data; s < r.data + r.n; s++)
		if (s->pc == pc && s->mref.i == ref.i)
			tell_site(b, s, to);
	for (uint32_t k = last; k; k = b->dispatched_before.data[k - 1])
		to->one(to->x, b->dispatched.data[k - 1].dispatcher);
}

static bool tell_reached(void *ctx, method_id m)
{
	const struct builder *b = ctx;

	return m.i < b->g->nodes.len && b->g->nodes.data[m.i].reached;
}

/* Calls that are assumed pass who knows what; that names are not passed to private methods and those of packages is assumed, too. */
static bool tell_entry(void *ctx, method_id m)
{
	const struct builder *b = ctx;
	bool is_shown = method_row(b->p, m)->flags & (ACCESS_PUBLIC | ACCESS_PROTECTED);

	return tell_reached(ctx, m) && (b->g->nodes.data[m.i].entry || (is_shown && map_get(&b->assumed.called, m.i)));
}

static bool tell_client_entry(void *ctx, method_id m)
{
	const struct builder *b = ctx;

	return tell_reached(ctx, m) && (b->g->nodes.data[m.i].entry & ENTRY_BY_CLIENT);
}

static bool is_concrete(const struct builder *b, class_id c)
{
	const struct ir_class *row = class_row(b->p, c);

	return row->kind == CLASS_FILE && row->state == LOAD_DONE && !(row->flags & (ACCESS_ABSTRACT | ACCESS_INTERFACE));
}

/* Facts from outside say so. */
static void add_entry(struct builder *b, const struct dynamic_call *c)
{
	if (c->dispatcher.i)
		initialise(b, method_row(b->p, c->dispatcher)->owner);
	if (c->made.i && is_concrete(b, c->made))
		instantiate(b, c->made);
	if (c->dispatcher.i)
		reach(b, c->dispatcher, ENTRY_BY_CLIENT);
}

static void call_dispatcher(void *ctx, const struct dynamic_call *c)
{
	struct builder *b = ctx;

	if (!c->site) {
		add_entry(b, c);
		return;
	}
	while (b->last_dispatched.len <= c->site)
		vec_push(&b->last_dispatched, 0);
	vec_push(&b->dispatched_before, b->last_dispatched.data[c->site]);
	vec_push(&b->dispatched, *c);
	b->last_dispatched.data[c->site] = b->dispatched.len;
	reach(b, c->dispatcher, ENTRY_BY_NONE);
}

/* Everything that the level allows, where a call is not resolved. */

static void reach_assumed(void *ctx, method_id m)
{
	struct builder *b = ctx;
	struct ir_method row = *method_row(b->p, m);

	*map_at(&b->assumed.called, m.i) = 1;
	initialise(b, row.owner);
	if (str_is(sel_name(b->p, row.sel), "<init>"))
		instantiate(b, row.owner);
	reach(b, m, ENTRY_BY_NONE);
}

static bool assume_unresolved(struct builder *b)
{
	uint32_t before = b->assumed.calls.len;

	if (b->opt->dynamic->level == DYNAMIC_LISTED)
		return false;
	assumed_sites(&b->assumed, &b->g->h, &b->d->sets, b->dynamic, b->opt->dynamic->level);
	for (; b->assumed.reached < b->assumed.methods.len; b->assumed.reached++)
		reach_assumed(b, b->assumed.methods.data[b->assumed.reached]);
	return b->assumed.calls.len > before;
}

static void solve_all(struct builder *b)
{
	const struct dynamic_graph view = { .ctx = b, .callers = tell_callers, .targets = tell_targets, .members = tell_members,
					    .is_reached = tell_reached, .is_entry = tell_entry, .is_client_entry = tell_client_entry };
	bool more = b->opt->dynamic;

	solve(b);
	while (more) {
		index_calls(b);
		more = dynamic_round(b->dynamic, &view, call_dispatcher, b);
		more |= assume_unresolved(b);
		solve(b);
	}
}

/* The calls of dispatchers become those of the sites that they stand for. */

static struct cg_site site_now(struct builder *b, method_id m, struct cg_site s)
{
	uint32_t site = dynamic_find(b->dynamic, m, s.pc);

	if (site && dynamic_is_resolved(b->dynamic, site))
		s.cause = CG_RESOLVED;
	return s;
}

static void copy_sites(struct builder *b, site_list *out, method_id m)
{
	struct site_range r = sites_of(b, m);

	for (uint32_t i = 0; i < r.n; i++)
		vec_push(out, r.data[i].implied ? r.data[i] : site_now(b, m, r.data[i]));
}

/* By method, the last call of a dispatcher that it makes, each with the one before it: 1 + rows of `dispatched`. */
struct dispatched_lists {
	uint32_t *last, *before;
};

/* A set that is assumed is shared by all calls that may do the same. */
static void add_assumed(struct builder *b, site_list *out, method_id m, const struct dynamic_place *by)
{
	for (uint32_t k = assumed_first(&b->assumed, m); k; k = b->assumed.calls.data[k - 1].before) {
		const struct assumed_call *c = &b->assumed.calls.data[k - 1];
		vec_push(out, ((struct cg_site){ .pc = by ? by->pc : c->pc, .op = IR_CALL_DYNAMIC, .implied = (uint8_t)(1 + c->sort),
						 .set = c->set }));
	}
}

/* A dispatcher's calls, and those of the dispatchers that it calls itself, are calls of the site `by`. */
static void contract(struct builder *b, const struct dispatched_lists *l, site_list *out, uint32_t by, method_id dispatcher)
{
	struct dynamic_place at = dynamic_place(b->dynamic, by);
	struct site_range r = sites_of(b, dispatcher);

	for (uint32_t i = 0; i < r.n; i++) {
		struct cg_site s = site_now(b, dispatcher, r.data[i]);
		s.pc = at.pc;
		s.implied = (uint8_t)(1 + dynamic_sort_of(b->dynamic, by));
		s.fact = dynamic_source_of(b->dynamic, dispatcher) & OUTSIDE_MOST_FILES;
		vec_push(out, s);
	}
	add_assumed(b, out, dispatcher, &at);
	for (uint32_t k = l->last[dispatcher.i]; k; k = l->before[k - 1])
		contract(b, l, out, by, b->dispatched.data[k - 1].dispatcher);
}

static struct dispatched_lists list_dispatched(struct builder *b)
{
	struct dispatched_lists l;

	l.last = mem_zalloc(b->g->nodes.len * sizeof(uint32_t));
	l.before = mem_zalloc((b->dispatched.len + 1) * sizeof(uint32_t));
	for (uint32_t i = 0; i < b->dispatched.len; i++) {
		uint32_t *last = &l.last[dynamic_place(b->dynamic, b->dispatched.data[i].site).caller.i];
		l.before[i] = *last;
		*last = 1 + i;
	}
	return l;
}

static void contract_dispatchers(struct builder *b)
{
	struct dispatched_lists l = list_dispatched(b);
	site_list out = { 0 };
	method_list reached = { 0 };

	for (uint32_t i = 0; i < b->g->reached.len; i++) {
		method_id m = b->g->reached.data[i];
		struct cg_node *node = &b->g->nodes.data[m.i];
		node->reached = !dynamic_is_dispatcher(b->dynamic, m);
		if (!node->reached)
			continue;
		uint32_t start = out.len;
		copy_sites(b, &out, m);
		for (uint32_t k = l.last[m.i]; k; k = l.before[k - 1])
			contract(b, &l, &out, b->dispatched.data[k - 1].site, b->dispatched.data[k - 1].dispatcher);
		add_assumed(b, &out, m, NULL);
		*node = (struct cg_node){ .first = start, .n = out.len - start, .reached = 1, .entry = node->entry };
		vec_push(&reached, m);
	}
	vec_release(&b->g->sites);
	vec_release(&b->g->reached);
	b->g->sites = out;
	b->g->reached = reached;
	free(l.last);
	free(l.before);
}

/* Start */

static void instantiate_everything(struct builder *b)
{
	for (uint32_t i = 1; i < b->p->classes.len; i++)
		if (is_concrete(b, (class_id){ i }))
			instantiate(b, (class_id){ i });
}

static void seed_jvm(struct builder *b)
{
	const struct ir_class *row = class_row(b->p, b->l.jvm);

	if (!b->opt->jvm || row->kind != CLASS_SYNTHETIC)
		return;
	for (uint32_t i = 0; i < row->nmethods; i++)
		reach(b, (method_id){ row->first_method + i }, ENTRY_BY_NONE);
}

static void seed_user(struct builder *b, const struct cg_entries *entries)
{
	for (uint32_t i = 0; i < entries->methods.len; i++) {
		method_id m = entries->methods.data[i];
		initialise(b, method_row(b->p, m)->owner);
		reach(b, m, ENTRY_BY_CLIENT);
	}
	for (uint32_t i = 0; i < entries->initialised.len; i++)
		initialise(b, entries->initialised.data[i]);
	for (uint32_t i = 0; i < entries->receivers.len; i++)
		instantiate(b, entries->receivers.data[i]);
	for (uint32_t i = 0; i < entries->calls.len; i++) {
		const struct caller client = { .is_outside = true, .is_made = true };
		bool is_interface = mref_row(b->p, entries->calls.data[i])->is_interface;
		struct ir_stmt call = { .op = is_interface ? IR_CALL_INTERFACE : IR_CALL_VIRTUAL,
					.ref = entries->calls.data[i].i };
		visit_call(b, &client, &call);
	}
}

static void start(struct builder *b)
{
	hierarchy_init(&b->g->h, b->p);
	linker_init(&b->l, &b->g->h);
	b->d = dispatcher_new(b->g, &b->g->h);
	b->g->dispatcher = b->d;
	b->dynamic = dynamic_new(&b->g->h, b->opt->dynamic);
	b->d->reach = reach;
	b->d->ctx = b;
	b->d->has_unknown = b->opt->dynamic && !b->opt->dynamic->no_callbacks;
	b->array = program_class(b->p, STR("[Ljava/lang/Object;"));
	b->stream_class = program_class(b->p, STR("java/io/ObjectStreamClass"));
}

/* Sites of a key for which some receiver's method may be in a missing class say so. */
static void mark_incomplete(struct builder *b)
{
	for (uint32_t i = 0; i < b->g->sites.len; i++) {
		struct cg_site *s = &b->g->sites.data[i];
		if (s->cause == CG_RESOLVED && b->d->keys.data[s->receivers].incomplete)
			s->cause = CG_MISSING;
	}
}

static void release(struct builder *b)
{
	vec_release(&b->initialised);
	vec_release(&b->work);
	arena_release(&b->scratch);
	linker_release(&b->l);
	vec_release(&b->dispatched);
	vec_release(&b->last_dispatched);
	vec_release(&b->dispatched_before);
	vec_release(&b->linked);
	lists_release(&b->sites_of);
	lists_release(&b->sites_of_one);
	lists_release(&b->sets_of);
	vec_release(&b->indexed_members);
	vec_release(&b->caller_of);
	assumed_release(&b->assumed);
	if (b->opt->explains)
		b->g->features = b->dynamic;
	else
		dynamic_free(b->dynamic);
}

void callgraph_build(struct callgraph *g, const struct cg_entries *entries, const struct cg_opt *opt)
{
	struct builder b = { .g = g, .p = g->p, .opt = opt };

	start(&b);
	if (opt->algorithm == CG_CHA)
		instantiate_everything(&b);
	seed_jvm(&b);
	seed_user(&b, entries);
	solve_all(&b);
	mark_incomplete(&b);
	contract_dispatchers(&b);
	callgraph_fill_dynamic(g, b.dynamic);
	dispatcher_finish(b.d);
	release(&b);
}
