/* SPDX-License-Identifier: Apache-2.0 */
/* A must-analysis of events: a class was initialised, a method ran and returned. The JVM does not come up when a method of its start
 * throws, so each of them returns; and what happens on every way from its entry to a return has happened. An exception that is caught may
 * leave a block anywhere, so that nothing in the block is sure on that way. What an event leads to is found when it is known to be
 * sure. Only what happens on some of a method's ways is followed before the ways meet, FOLLOWED events deep: two constructors call a
 * third. (With JDK 17 that finds 137 classes instead of 112; to go deeper finds no more.)
 *
 * An initialiser that was needed has run and returned: else its class could not be used, and the statement that needs it would throw. */
#include "analysis/callgraph/booted.h"

#include <stdlib.h>

#include "base/sort.h"
#include "ir/access.h"

#define FOLLOWED 3

struct booted {
	struct map classes;               /* -> 1 */
};

struct event {
	class_id cls;                     /* was initialised; none: the method ran */
	method_id m;
	class_id self;                    /* of `this`, exactly; none: not known. Of static methods sherd/JVM: the JVM calls it */
};

/* Sorted numbers of events. */
struct events {
	const uint32_t *at;
	uint32_t n;
};

struct code {
	const struct ir_body *body;
	const struct ir_stmt **defs;      /* by value */
	struct events *own;               /* by block */
};

struct walk {
	struct linker *l;
	struct program *p;
	VEC(struct event) events;         /* [0] is none */
	struct map of_class, of_method;   /* class; (method, self) -> event */
	VEC(struct code) codes;           /* [0] is none */
	struct map code_of;               /* event -> row of codes */
	VEC(struct events) followed;
	struct map followed_of;           /* (event, depth) -> row of followed */
	VEC(uint32_t) gathered;           /* of the block or class at hand */
	VEC(uint32_t) sure;               /* to be looked at */
	struct map is_sure;
	struct arena mem;
};

/* Sets */

static struct events keep(struct walk *w)
{
	uint32_t n = sort_ids(w->gathered.data, w->gathered.len);
	struct events s = { arena_copy(&w->mem, w->gathered.data, n * sizeof(uint32_t)), n };

	vec_clear(&w->gathered);
	return s;
}

static struct events unite(struct walk *w, struct events a, struct events b)
{
	if (!a.n || !b.n)
		return a.n ? a : b;
	uint32_t *to = arena_array(&w->mem, uint32_t, a.n + b.n), n = 0;
	for (uint32_t i = 0, k = 0; i < a.n || k < b.n;) {
		uint32_t x = k == b.n || (i < a.n && a.at[i] <= b.at[k]) ? a.at[i] : b.at[k];
		i += i < a.n && a.at[i] == x;
		k += k < b.n && b.at[k] == x;
		to[n++] = x;
	}
	return (struct events){ to, n };
}

static struct events intersect(struct walk *w, struct events a, struct events b)
{
	uint32_t *to = arena_array(&w->mem, uint32_t, a.n < b.n ? a.n : b.n), n = 0;

	for (uint32_t i = 0, k = 0; i < a.n && k < b.n;) {
		if (a.at[i] == b.at[k])
			to[n++] = a.at[i];
		uint32_t x = a.at[i], y = b.at[k];
		i += x <= y;
		k += y <= x;
	}
	return (struct events){ to, n };
}

static struct events without(struct walk *w, struct events a, struct events b)
{
	uint32_t *to = arena_array(&w->mem, uint32_t, a.n), n = 0;

	for (uint32_t i = 0, k = 0; i < a.n; i++) {
		while (k < b.n && b.at[k] < a.at[i])
			k++;
		if (k == b.n || b.at[k] != a.at[i])
			to[n++] = a.at[i];
	}
	return (struct events){ to, n };
}

/* Events */

static uint32_t event_number(struct walk *w, uint32_t *at, struct event e)
{
	if (!*at) {
		*at = w->events.len;
		vec_push(&w->events, e);
	}
	return *at;
}

static void gather_class(struct walk *w, class_id c)
{
	if (!c.i)
		return;
	program_load(w->p, c);
	if (class_row(w->p, c)->kind == CLASS_FILE)
		vec_push(&w->gathered, event_number(w, map_at(&w->of_class, c.i), (struct event){ .cls = c }));
}

/* There is an object of the class or one below it, so that it is initialised. (Not so with interfaces.) */
static void gather_instance(struct walk *w, class_id c)
{
	program_load(w->p, c);
	if (!(class_row(w->p, c)->flags & ACCESS_INTERFACE))
		gather_class(w, c);
}

/* What native methods do is written down as what they may do. */
static void gather_method(struct walk *w, method_id m, class_id self)
{
	struct event e = { .m = m, .self = self };

	if (m.i && !(method_row(w->p, m)->flags & (ACCESS_NATIVE | ACCESS_ABSTRACT)))
		vec_push(&w->gathered, event_number(w, map_at(&w->of_method, map_key(m.i, self.i)), e));
}

static void gather_initialiser(void *ctx, class_id of, method_id clinit)
{
	gather_class(ctx, of);
	gather_method(ctx, clinit, (class_id){ 0 });
}

/* What happens with the initialisation of a class. */
static struct events events_of_class(struct walk *w, class_id c)
{
	struct supertypes s = hierarchy_supertypes(w->l->h, c);

	for (uint32_t i = 0; i < s.nclasses; i++)
		gather_class(w, s.classes[i]);
	hierarchy_initialisers(w->l->h, c, gather_initialiser, w);
	return keep(w);
}

/* Statements */

/* The class of the call's receiver, where that is exactly known. */
static class_id receiver_class(const struct walk *w, const struct code *k, const struct event *e, const struct ir_stmt *s)
{
	const struct ir_stmt *def = k->defs[k->body->args[s->args]];
	class_id named = mref_row(w->p, (mref_id){ s->ref })->owner;
	bool is_this = def->op == IR_PARAM && def->ref == 0 && !(method_row(w->p, e->m)->flags & ACCESS_STATIC);

	if (def->op == IR_NEW)
		return (class_id){ def->ref };
	if (is_this && e->self.i)
		return e->self;
	return class_row(w->p, named)->flags & ACCESS_FINAL ? named : (class_id){ 0 };
}

/* Of a dispatched call; none: there may be several. */
static method_id only_target(const struct walk *w, mref_id m, class_id receiver)
{
	const struct ir_mref *ref = mref_row(w->p, m);
	bool is_incomplete = false;

	if (receiver.i && !hierarchy_misses_ancestor(w->l->h, receiver))
		return dispatch_select(w->l->h, m, receiver, &is_incomplete);
	if (ref->resolution == RESOLVE_OK && (method_row(w->p, ref->target)->flags & (ACCESS_PRIVATE | ACCESS_FINAL)))
		return ref->target;
	return (method_id){ 0 };
}

/* What an invokedynamic comes down to, or the JVM does to link it, may be done by other means, or have been done in an archive. */
static void gather_call(struct walk *w, const struct code *k, const struct event *e, const struct ir_stmt *s)
{
	struct caller caller = link_caller(w->l, e->m);

	if (s->op == IR_CALL_DYNAMIC || s->sub != IR_CALL_WRITTEN)
		return;
	struct link link = link_call(w->l, &caller, s);
	class_id self = caller.is_outside ? w->l->jvm : (class_id){ 0 };
	if (s->op == IR_CALL_STATIC) {
		gather_class(w, link.initialises);
	} else {
		self = receiver_class(w, k, e, s);
		gather_instance(w, mref_row(w->p, (mref_id){ s->ref })->owner);
	}
	if (link.sort == LINK_ONE)
		gather_method(w, link.target, self);
	else if (link.sort == LINK_DISPATCHED)
		gather_method(w, only_target(w, (mref_id){ s->ref }, self), self);
}

static struct events events_of_block(struct walk *w, const struct code *k, const struct event *e, const struct ir_block *block)
{
	for (uint32_t i = block->first; i < block->end; i++) {
		const struct ir_stmt *s = &k->body->stmts[i];
		if (ir_is_call(s->op))
			gather_call(w, k, e, s);
		else if (s->op == IR_GETFIELD || s->op == IR_PUTFIELD)
			gather_instance(w, fref_row(w->p, (fref_id){ s->ref })->owner);
		else if (s->op != IR_CONST_HANDLE)      /* initialises nothing before it is invoked */
			gather_class(w, link_initialises(w->l, s));
	}
	return keep(w);
}

static struct code make_code(struct walk *w, struct event e)
{
	struct code k = { .body = w->p->source.body(w->p->source.ctx, w->p, e.m, &w->mem) };

	if (!k.body)
		return k;
	k.defs = arena_zarray(&w->mem, const struct ir_stmt *, k.body->nvalues + 1);
	for (uint32_t i = 0; i < k.body->nstmts; i++)
		k.defs[k.body->stmts[i].result] = &k.body->stmts[i];
	k.own = arena_array(&w->mem, struct events, k.body->nblocks);
	for (uint32_t i = 0; i < k.body->nblocks; i++)
		k.own[i] = events_of_block(w, &k, &e, &k.body->blocks[i]);
	return k;
}

static struct code code_of(struct walk *w, uint32_t event)
{
	uint32_t row = map_get(&w->code_of, event);

	if (row)
		return w->codes.data[row];
	struct code k = make_code(w, w->events.data[event]);
	*map_at(&w->code_of, event) = w->codes.len;
	vec_push(&w->codes, k);
	return k;
}

/* Ways through a method */

struct ways {
	const struct code *code;
	bool needs_0;                     /* the JVM gives up when it returns another number */
	struct events *gen, *in, *out;    /* by block: what happens in it; has happened before it, after it */
	bool *is_known;                   /* by block */
};

static bool is_return(const struct ways *y, uint32_t block)
{
	const struct code *k = y->code;
	const struct ir_stmt *end = &k->body->stmts[k->body->blocks[block].end - 1];

	if (end->op != IR_RETURN || !y->needs_0 || !end->nargs)
		return end->op == IR_RETURN;
	const struct ir_stmt *value = k->defs[k->body->args[end->args]];
	return value->op != IR_CONST_INT || value->ref == 0;
}

static bool is_handler(const struct ir_body *b, const struct ir_block *of, uint32_t block)
{
	for (uint32_t i = 0; i < of->nhandlers; i++)
		if (b->edges[of->handlers + i] == block)
			return true;
	return false;
}

/* On every way to the block, as far as they are known. */
static struct events before(struct walk *w, const struct ways *y, uint32_t block)
{
	const struct ir_body *b = y->code->body;
	const struct ir_block *k = &b->blocks[block];
	struct events all = { 0 };
	bool is_first = true;

	for (uint32_t i = 0; i < k->npreds; i++) {
		uint32_t pred = b->edges[k->preds + i];
		if (!y->is_known[pred])
			continue;
		struct events s = is_handler(b, &b->blocks[pred], block) ? y->in[pred] : y->out[pred];
		all = is_first ? s : intersect(w, all, s);
		is_first = false;
	}
	return all;
}

/* From all that may be known downwards: more ways leave less. */
static void solve(struct walk *w, struct ways *y)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < y->code->body->nblocks; i++) {
			struct events in = before(w, y, i);
			if (y->is_known[i] && in.n == y->in[i].n)
				continue;
			y->in[i] = in;
			y->out[i] = unite(w, in, y->gen[i]);
			y->is_known[i] = changed = true;
		}
	}
}

static struct events at_returns(struct walk *w, const struct ways *y)
{
	struct events all = { 0 };
	bool is_first = true;

	for (uint32_t i = 0; i < y->code->body->nblocks; i++) {
		if (!is_return(y, i))
			continue;
		all = is_first ? y->out[i] : intersect(w, all, y->out[i]);
		is_first = false;
	}
	return all;
}

/* What has happened on every way, when these happen in the blocks. */
static struct events on_every_way(struct walk *w, struct ways *y, struct events *gen)
{
	uint32_t n = y->code->body->nblocks;

	y->gen = gen;
	y->in = arena_zarray(&w->mem, struct events, n);
	y->out = arena_zarray(&w->mem, struct events, n);
	y->is_known = arena_zarray(&w->mem, bool, n);
	solve(w, y);
	return at_returns(w, y);
}

static struct events follow(struct walk *w, uint32_t event, uint32_t depth);

/* What events lead to, with themselves. */
static struct events follow_all(struct walk *w, struct events s, uint32_t depth)
{
	struct events all = s;

	for (uint32_t i = 0; depth && i < s.n; i++)
		all = unite(w, all, follow(w, s.at[i], depth - 1));
	return all;
}

/* What ways share beside `common`, though they come to it by different calls. Most methods have a way on which nothing else happens. */
static struct events follow_ways(struct walk *w, struct ways *y, struct events common, uint32_t depth)
{
	static const uint32_t something = 0;
	uint32_t n = y->code->body->nblocks;
	struct events *others = arena_array(&w->mem, struct events, n), *gen = arena_array(&w->mem, struct events, n);

	for (uint32_t i = 0; i < n; i++) {
		others[i] = without(w, y->code->own[i], common);
		gen[i] = (struct events){ &something, others[i].n ? 1 : 0 };
	}
	if (!depth || !on_every_way(w, y, gen).n)
		return common;
	for (uint32_t i = 0; i < n; i++)
		gen[i] = follow_all(w, others[i], depth);
	return unite(w, common, on_every_way(w, y, gen));
}

/* What happens in a method that returns: *common without following what it does on some ways only. */
static struct events events_of_method(struct walk *w, uint32_t event, uint32_t depth, struct events *common)
{
	struct code k = code_of(w, event);
	struct ways y = { .code = &k, .needs_0 = w->events.data[event].self.i == w->l->jvm.i };

	*common = k.body ? on_every_way(w, &y, k.own) : (struct events){ 0 };
	return k.body ? follow_ways(w, &y, *common, depth) : *common;
}

static struct events follow_event(struct walk *w, uint32_t event, uint32_t depth)
{
	class_id c = w->events.data[event].cls;
	struct events common;

	if (c.i)
		return follow_all(w, events_of_class(w, c), depth);
	struct events s = events_of_method(w, event, depth, &common);
	return unite(w, s, follow_all(w, common, depth));
}

static struct events follow(struct walk *w, uint32_t event, uint32_t depth)
{
	uint32_t row = map_get(&w->followed_of, map_key(event, depth + 1));

	if (row)
		return w->followed.data[row];
	struct events s = follow_event(w, event, depth);
	*map_at(&w->followed_of, map_key(event, depth + 1)) = w->followed.len;
	vec_push(&w->followed, s);
	return s;
}

/* All that happens */

static void add_sure(struct walk *w, struct events s)
{
	for (uint32_t i = 0; i < s.n; i++) {
		uint32_t *is_sure = map_at(&w->is_sure, s.at[i]);
		if (!*is_sure)
			vec_push(&w->sure, s.at[i]);
		*is_sure = 1;
	}
}

static void visit(struct walk *w, uint32_t event, struct booted *b)
{
	class_id c = w->events.data[event].cls;
	struct events common;

	if (c.i)
		*map_at(&b->classes, c.i) = 1;
	add_sure(w, c.i ? events_of_class(w, c) : events_of_method(w, event, FOLLOWED, &common));
}

static void release(struct walk *w)
{
	vec_release(&w->events);
	map_release(&w->of_class);
	map_release(&w->of_method);
	vec_release(&w->codes);
	map_release(&w->code_of);
	vec_release(&w->followed);
	map_release(&w->followed_of);
	vec_release(&w->gathered);
	vec_release(&w->sure);
	map_release(&w->is_sure);
	arena_release(&w->mem);
}

struct booted *booted_compute(struct linker *l)
{
	struct walk w = { .l = l, .p = l->p };
	struct booted *b = mem_zalloc(sizeof(*b));

	arena_init(&w.mem);
	vec_push(&w.events, (struct event){ 0 });
	vec_push(&w.codes, (struct code){ 0 });
	vec_push(&w.followed, (struct events){ 0 });
	gather_method(&w, program_declared(l->p, l->jvm, program_sel(l->p, STR("startup"), STR("()V"))), (class_id){ 0 });
	add_sure(&w, keep(&w));
	while (w.sure.len)
		visit(&w, vec_pop(&w.sure), b);
	release(&w);
	return b;
}

void booted_free(struct booted *b)
{
	if (!b)
		return;
	map_release(&b->classes);
	free(b);
}

bool booted_has(const struct booted *b, class_id c)
{
	return map_get(&b->classes, c.i);
}
