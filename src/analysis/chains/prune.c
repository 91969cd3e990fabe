/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/chains/prune_p.h"

#include <stdlib.h>

#define MOST_CONTEXTS 4096            /* of a method; more, and new ones know only the class of `this` */

struct chain_prune *chain_prune_new(const struct chain_graph *x)
{
	struct chain_prune *u = mem_zalloc(sizeof(*u));

	u->x = x;
	conditions_init(&u->c, x->h, x->calls);
	arena_init(&u->mem);
	u->ncontexts = mem_zalloc((x->methods.len + 1) * sizeof(*u->ncontexts));
	u->first_site = mem_zalloc((x->methods.len + 2) * sizeof(*u->first_site));
	for (uint32_t node = 0, s = 1; node <= x->methods.len; node++) {
		while (s < x->sites.len && x->sites.data[s].node < node)
			s++;
		u->first_site[node] = s;
	}
	return u;
}

void chain_prune_free(struct chain_prune *u)
{
	if (!u)
		return;
	conditions_release(&u->c);
	arena_release(&u->mem);
	free(u->ncontexts);
	free(u->first_site);
	vec_release(&u->facts);
	map_release(&u->facts_of);
	map_release(&u->context_of);
	map_release(&u->reason_of);
	vec_release(&u->reasons);
	strbuf_release(&u->text);
	vec_release(&u->classes);
	vec_release(&u->bounds);
	free(u);
}

uint32_t chain_prune_forgotten(const struct chain_prune *u)
{
	return u->forgotten;
}

/* Contexts: lists of numbers, the class of `this` first, fields of it that are not null, then values of the other parameters. */

#define MOST_KEPT 24
#define HEAD 2                        /* numbers before the values */

static uint32_t read_context(const struct chain_prune *u, uint32_t context, uint32_t *numbers)
{
	uint32_t n = 0;

	for (uint32_t at = context; at; at = (uint32_t)(u->c.table.lists.data[at] >> 32))
		n++;
	for (uint32_t at = context, i = n; at; at = (uint32_t)(u->c.table.lists.data[at] >> 32))
		numbers[--i] = (uint32_t)u->c.table.lists.data[at];
	return n;
}

static uint32_t make_context(struct chain_prune *u, uint32_t node, class_id self, uint32_t kept, const uint32_t *values, uint32_t n)
{
	uint32_t list = 0;

	while (n && !values[n - 1])
		n--;
	if (self.i || kept || n)
		list = value_list_add(&u->c.table, 0, self.i);
	uint32_t alone = self.i ? list : 0;
	if (kept || n)
		list = value_list_add(&u->c.table, list, kept);
	for (uint32_t i = 0; i < n; i++)
		list = value_list_add(&u->c.table, list, values[i]);
	if ((!kept && !n) || map_get(&u->context_of, map_key(node, list)))
		return list;
	if (u->ncontexts[node] >= MOST_CONTEXTS) {
		u->forgotten++;
		return alone;
	}
	u->ncontexts[node]++;
	*map_at(&u->context_of, map_key(node, list)) = 1;
	return list;
}

/* Evaluation of a node in a context */

static struct value value_of_this(struct chain_prune *u, method_id m, class_id self)
{
	bool is_exact;
	class_id owner = method_row(u->x->p, m)->owner, c = chain_self_class(u->x, self, &is_exact);

	if (!self.i || class_row(u->x->p, c)->is_unseen || class_row(u->x->p, c)->kind != CLASS_FILE)
		return value_object(owner, false);
	return value_object(c, is_exact);
}

bool prune_evaluate(struct chain_prune *u, uint32_t node, uint32_t context, struct evaluation *e)
{
	method_id m = u->x->methods.data[node];
	const struct code *k = conditions_code(&u->c, m);
	uint32_t numbers[MOST_KEPT + HEAD], n = read_context(u, context, numbers);
	struct value params[MOST_KEPT + 1];
	uint32_t first = k && k->is_static ? 0 : 1, nparams = 0;

	if (!k)
		return false;
	if (first)
		params[nparams++] = value_of_this(u, m, (class_id){ n ? numbers[0] : 0 });
	for (uint32_t i = 0; i < MOST_KEPT && nparams <= MOST_KEPT; i++) {
		struct value v = i + HEAD < n ? u->c.table.values.data[numbers[i + HEAD]] : VALUE_UNKNOWN;
		params[nparams] = v.kind == VALUE_ANY ? conditions_param(&u->c, m, nparams) : v;
		nparams++;
	}
	conditions_evaluate_knowing(&u->c, k, params, nparams, CONDITIONS_DEPTH, n > 1 ? numbers[1] : 0, e);
	return true;
}

/* Sums and the like would make new contexts for each turn of a recursion; masks and conversions do not. */
static bool may_grow(const struct ir_stmt *def)
{
	return def && def->op == IR_ARITH && def->sub != 126 && (def->sub < 145 || def->sub > 147);
}

static struct value passed_value(struct chain_prune *u, const struct evaluation *e, ir_value v, uint32_t block)
{
	struct value x = evaluation_use(&u->c, e, v, block);

	return x.kind == VALUE_INT && may_grow(e->code->def[v]) && (x.low < -1 || x.high > 1) ? VALUE_UNKNOWN : x;
}

static void note_call(struct chain_prune *u, const struct evaluation *e, const struct ir_stmt *s, uint32_t block, struct site_fact *f)
{
	const ir_value *args = &e->code->body->args[s->args];
	struct hierarchy *h = u->x->h;

	if (!e->live[block]) {
		f->dead_block = f->dead_block ? f->dead_block : block;
		return;
	}
	uint32_t first = s->op == IR_CALL_STATIC ? 0 : 1;
	if (first && s->nargs) {
		struct value of = evaluation_use(&u->c, e, args[0], block);
		f->receiver = f->is_live ? value_join(h, f->receiver, of) : of;
	}
	f->kept = f->is_live ? kept_meet(&u->c, f->kept, kept_before(&u->c, e, s)) : kept_before(&u->c, e, s);
	uint32_t n = s->nargs - first < MOST_KEPT ? s->nargs - first : MOST_KEPT;
	if (!f->is_live) {
		f->nargs = n;
		f->args = arena_zarray(&u->mem, uint32_t, n);
	}
	for (uint32_t i = 0; i < n && i < f->nargs; i++) {
		struct value v = passed_value(u, e, args[first + i], block);
		if (f->is_live)
			v = value_join(h, u->c.table.values.data[f->args[i]], v);
		f->args[i] = value_intern(&u->c.table, v);
	}
	f->is_live = true;
}

static struct site_fact *site_at(struct chain_prune *u, uint32_t node, struct site_fact *facts, const struct ir_stmt *s)
{
	for (uint32_t i = u->first_site[node]; i < u->first_site[node + 1]; i++) {
		const struct chain_site *site = &u->x->sites.data[i];
		if (site->pc == s->pc && site->op == s->op && site->declared.i == s->ref)
			return &facts[i - u->first_site[node]];
	}
	return NULL;
}

static void find_facts(struct chain_prune *u, uint32_t node, uint32_t context, struct site_fact *facts)
{
	struct evaluation e;

	if (!prune_evaluate(u, node, context, &e))
		return;
	for (uint32_t i = 0; i < e.code->body->nstmts; i++) {
		const struct ir_stmt *s = &e.code->body->stmts[i];
		if (!ir_is_call(s->op) || s->sub != IR_CALL_WRITTEN)
			continue;
		struct site_fact *f = site_at(u, node, facts, s);
		if (!f)
			continue;
		f->is_found = true;
		note_call(u, &e, s, e.code->block_of[i], f);
	}
	evaluation_release(&e);
}

static const struct site_fact *facts_of(struct chain_prune *u, uint32_t node, uint32_t context)
{
	uint32_t known = map_get(&u->facts_of, map_key(node, context));

	if (known)
		return u->facts.data[known - 1];
	struct site_fact *facts = arena_zarray(&u->mem, struct site_fact, u->first_site[node + 1] - u->first_site[node] + 1);
	find_facts(u, node, context, facts);
	vec_push(&u->facts, facts);
	*map_at(&u->facts_of, map_key(node, context)) = u->facts.len;
	return facts;
}

const struct site_fact *prune_fact(struct chain_prune *u, const struct chain_edge *e, uint32_t context)
{
	return &facts_of(u, e->from, context)[e->site - u->first_site[e->from]];
}

/* Following */

bool prune_other_receiver(struct chain_prune *u, const struct chain_edge *e, const struct site_fact *f)
{
	if (u->x->sites.data[e->site].op == IR_CALL_STATIC)
		return false;
	return value_is_null(f->receiver) || (e->self.i && !value_may_be_of(u->x->h, f->receiver, e->self));
}

/* What is known of fields goes on with `this`. */
static uint32_t kept_by(const struct chain_prune *u, const struct chain_edge *e, const struct site_fact *f)
{
	bool has_calls = u->x->first_edge.data[e->to] < u->x->first_edge.data[e->to + 1];

	return u->x->sites.data[e->site].by_this && !e->is_passed && f->is_live && has_calls ? f->kept : 0;
}

static uint32_t callee_context(struct chain_prune *u, const struct chain_edge *e, class_id self, const struct site_fact *f)
{
	const struct program *p = u->x->p;
	uint32_t values[MOST_KEPT], n = 0;
	method_id m = u->x->methods.data[e->to];
	uint32_t first = method_row(p, m)->flags & ACCESS_STATIC ? 0 : 1;
	bool is_same = !e->is_passed && method_row(p, m)->sel.i == mref_row(p, u->x->sites.data[e->site].declared)->sel.i;

	if (is_same && f->is_live && u->x->first_edge.data[e->to] < u->x->first_edge.data[e->to + 1])
		for (; n < f->nargs; n++) {
			struct value v = u->c.table.values.data[f->args[n]];
			values[n] = value_equal(v, conditions_param(&u->c, m, n + first)) ? 0 : f->args[n];
		}
	return make_context(u, e->to, self, kept_by(u, e, f), values, n);
}

/* Entries */

#define MOST_SPLIT 8          /* classes of a parameter that contexts tell apart */

/* What a parameter holds: one of `n` values. */
struct choice {
	uint32_t values[MOST_SPLIT], n;
};

/* An object that calls from outside pass; null may be there whatever they do. */
static struct value or_null(struct chain_prune *u, class_id c, bool is_exact)
{
	return value_join(u->x->h, value_object(c, is_exact && c.i != u->x->p->object.i), VALUE_OF_NULL);
}

/* One value for each class, if these are few and known; else one for all. */
static struct choice choose(struct chain_prune *u, uint32_t set, uint32_t most)
{
	struct choice c = { .n = 1 };
	struct value v = { 0 };

	if (!passed_classes(u->x->passed, set, &u->classes, &u->bounds))
		return c;
	bool is_split = !u->bounds.len && u->classes.len <= most;
	c.n = is_split ? u->classes.len : 1;
	for (uint32_t i = 0; i < u->classes.len; i++) {
		struct value of = or_null(u, u->classes.data[i], true);
		v = value_join(u->x->h, v, of);
		if (is_split)
			c.values[i] = value_intern(&u->c.table, of);
	}
	for (uint32_t i = 0; i < u->bounds.len; i++)
		v = value_join(u->x->h, v, or_null(u, u->bounds.data[i], false));
	if (!is_split)
		c.values[0] = value_intern(&u->c.table, v);
	return c;
}

/* All combinations of what parameters hold. */
static uint32_t combine(struct chain_prune *u, uint32_t node, const struct choice *choices, uint32_t n, uint32_t *out)
{
	class_id self = chain_entry_self(u->x, node);
	uint32_t total = 1, values[MOST_KEPT];

	for (uint32_t k = 0; k < n; k++)
		total *= choices[k].n;
	for (uint32_t i = 0; i < total; i++) {
		for (uint32_t k = 0, rest = i; k < n; k++) {
			values[k] = choices[k].values[rest % choices[k].n];
			rest /= choices[k].n;
		}
		out[i] = make_context(u, node, self, 0, values, n);
	}
	return total;
}

uint32_t chain_prune_entry(struct chain_prune *u, const struct chain_graph *x, uint32_t node, uint32_t out[CHAIN_MOST_ENTERED])
{
	const struct chain_entered *entered = x->entered;
	uint32_t first = method_row(x->p, x->methods.data[node])->flags & ACCESS_STATIC ? 0 : 1, room = CHAIN_MOST_ENTERED;
	uint32_t n = u && x->passed && entered && entered->is_passed[node] ? PASSED_MOST - first : 0;
	struct choice choices[PASSED_MOST];

	if (!u)
		return out[0] = chain_entry_self(x, node).i, 1;
	for (uint32_t k = 0; k < n; k++) {
		uint32_t set = entered->params[(size_t)node * PASSED_MOST + first + k];
		choices[k] = choose(u, set, room < MOST_SPLIT ? room : MOST_SPLIT);
		room /= choices[k].n;
	}
	return combine(u, node, choices, n, out);
}

enum chain_fate chain_prune_follow(struct chain_prune *u, const struct chain_graph *x, uint32_t edge, uint32_t context, uint32_t *out)
{
	const struct chain_edge *e = &x->edges.data[edge];
	uint32_t numbers[MOST_KEPT + HEAD];
	class_id self = { context }, known;

	if (u)
		self.i = read_context(u, context, numbers) ? numbers[0] : 0;
	if (!chain_follows(x, e, self, &known))
		return CHAIN_OTHER_THIS;
	*out = known.i;
	if (!u)
		return CHAIN_GOES_ON;
	const struct site_fact *f = prune_fact(u, e, context);
	if (f->is_found && (!f->is_live || prune_other_receiver(u, e, f)))
		return CHAIN_RULED_OUT;
	*out = callee_context(u, e, known, f);
	return CHAIN_GOES_ON;
}
