/* SPDX-License-Identifier: Apache-2.0 */
/* Why a call is in the graph: an object that selects the callee, and the shortest way from its creation to the call. The
 * way is searched backwards over the copies as they were stated, through nodes that hold the object; receivers, which
 * go from call to callee without a copy, are followed through the calls themselves. */
#include "analysis/pta/pta_p.h"

#include <stdlib.h>

void name_nodes(struct pta *a, node_id first, enum name_sort sort, uint32_t of)
{
	if (a->opt.explains && first.i)
		vec_push(&a->names, ((struct name){ first, of, sort }));
}

static const struct name *name_of(const struct pta *a, uint32_t node)
{
	uint32_t low = 0, high = a->names.len;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (a->names.data[middle].first.i <= node)
			low = middle;
		else
			high = middle;
	}
	return &a->names.data[low];
}

static int by_first(const void *x, const void *y)
{
	const struct name *a = x, *b = y;

	return (a->first.i > b->first.i) - (a->first.i < b->first.i);
}

struct search {
	struct pta *a;
	object_id o;
	uint32_t nnodes;
	uint32_t *first, *from;          /* the copies into node n come from from[first[n] .. first[n + 1]) */
	uint32_t *next;                  /* by node: the node after it on the way to the call, itself at the call; 0: not seen */
	uint8_t *creates;                /* by node: the object is created into it */
	VEC(uint32_t) queue;
	struct map first_caller;
};

static void index_copies(struct search *s)
{
	size_t n;
	const struct solver_copy *c = solver_copies(s->a->s, &n);

	s->first = mem_zalloc((s->nnodes + 2) * sizeof(*s->first));
	s->from = mem_alloc((n + 1) * sizeof(*s->from));
	for (size_t i = 0; i < n; i++)
		s->first[c[i].to.i + 1]++;
	for (uint32_t i = 1; i <= s->nnodes + 1; i++)
		s->first[i] += s->first[i - 1];
	uint32_t *at = mem_alloc((s->nnodes + 1) * sizeof(*at));
	for (uint32_t i = 0; i <= s->nnodes; i++)
		at[i] = s->first[i];
	for (size_t i = 0; i < n; i++)
		s->from[at[c[i].to.i]++] = c[i].from.i;
	free(at);
}

/* Rows of calls: (method, watch) pairs as lists, one a target of a site. */
struct caller_row { uint32_t watch, next; };
typedef VEC(struct caller_row) caller_table;

static void index_calls(struct search *s, caller_table *rows)
{
	struct pta *a = s->a;

	vec_push(rows, (struct caller_row){ 0 });
	for (uint32_t i = 1; i < a->watches.len; i++) {
		struct watch w = a->watches.data[i];
		if (w.sort != WATCH_CALL)
			continue;
		const struct site *site = &a->sites.data[template_at(a, w.instance)->stmts[w.stmt].ref];
		for (uint32_t k = 0; k < site->targets.len; k++) {
			uint32_t *first = map_at(&s->first_caller, site->targets.data[k].i);
			vec_push(rows, ((struct caller_row){ i, *first }));
			*first = rows->len - 1;
		}
	}
}

static node_id receiver_of(struct pta *a, const struct watch *w)
{
	const struct template *t = template_at(a, w->instance);
	const struct t_stmt *s = &t->stmts[w->stmt];
	uint32_t var = t->args[s->from] ? t->args[s->from + 1] : 0;

	return var ? variable_node(a, w->instance, var) : a->everything;
}

static void visit(struct search *s, uint32_t node, uint32_t after)
{
	if (s->next[node] || !solver_has(s->a->s, (node_id){ node }, s->o))
		return;
	s->next[node] = after;
	vec_push(&s->queue, node);
}

/* Calls that pass the object as the receiver of this instance. */
static void visit_callers(struct search *s, uint32_t node, uint32_t in, const caller_table *rows)
{
	struct pta *a = s->a;
	method_id m = a->instances.data[in].method;

	for (uint32_t r = map_get(&s->first_caller, m.i); r; r = rows->data[r].next) {
		struct watch w = a->watches.data[rows->data[r].watch];
		uint32_t site = template_at(a, w.instance)->stmts[w.stmt].ref;
		context_id with = context_of(a, w.instance, site, s->o, m);
		object_id kind = { solver_kind_of(a->s, s->o).i };
		if (with.i != a->instances.data[in].context.i)
			with = context_of(a, w.instance, site, kind, m);
		if (with.i == a->instances.data[in].context.i)
			visit(s, receiver_of(a, &w).i, node);
	}
}

static void expand(struct search *s, uint32_t node, const caller_table *rows)
{
	const struct name *name = name_of(s->a, node);

	for (uint32_t i = s->first[node]; i < s->first[node + 1]; i++)
		visit(s, s->from[i], node);
	if (name->sort != NAME_VARIABLES)
		return;
	const struct template *t = template_at(s->a, name->of);
	if (t->has_receiver && t->params[0] && variable_node(s->a, name->of, t->params[0]).i == node)
		visit_callers(s, node, name->of, rows);
}

/* Marks the nodes that the object is created into. */
static void mark_creation(struct search *s)
{
	struct pta *a = s->a;
	uint32_t place = object_place(a, s->o);

	for (uint32_t in = 1; in < a->instances.len; in++) {
		const struct template *t = template_at(a, in);
		for (uint32_t i = 0; i < t->nstmts; i++) {
			const struct t_stmt *st = &t->stmts[i];
			if (st->op == T_OBJECT && st->ref == place && st->to &&
			    object_at(a, place, a->instances.data[in].context).i == s->o.i)
				s->creates[variable_node(a, in, st->to).i] = 1;
		}
	}
	s->creates[a->client.i] |= a->places.data[place].is.sort == PLACE_CLASS;
}

/* The node where the object is created that is nearest to the call; 0: it comes from nowhere that can be shown. */
static uint32_t find_creation(struct search *s, uint32_t receiver)
{
	caller_table rows = { 0 };
	uint32_t found = 0;

	index_calls(s, &rows);
	mark_creation(s);
	visit(s, receiver, receiver);
	for (uint32_t i = 0; i < s->queue.len && !found; i++) {
		if (s->creates[s->queue.data[i]])
			found = s->queue.data[i];
		else
			expand(s, s->queue.data[i], &rows);
	}
	vec_release(&rows);
	return found;
}

/* Steps */

static ir_value value_of(const struct template *t, uint32_t var)
{
	for (ir_value v = 1; v <= t->nvalues; v++)
		if (t->var_of_value[v] == var)
			return v;
	return 0;
}

static uint32_t pc_of(struct pta *a, method_id m, ir_value v)
{
	arena_clear(&a->scratch);
	const struct ir_body *b = a->p->source.body(a->p->source.ctx, a->p, m, &a->scratch);
	for (uint32_t i = 0; b && v && i < b->nstmts; i++)
		if (b->stmts[i].result == v)
			return b->stmts[i].pc;
	return 0;
}

static bool is_parameter(const struct template *t, uint32_t var)
{
	for (uint32_t i = 0; i < t->nparams; i++)
		if (var && t->params[i] == var)
			return true;
	return false;
}

static void step_variable(struct pta *a, const struct name *name, uint32_t node, const struct name *before)
{
	method_id m = a->instances.data[name->of].method;
	const struct template *t = template_at(a, name->of);
	uint32_t var = a->policy->variables == ONE_A_VARIABLE ? node - name->first.i + 1 : 0;
	struct pta_step step = { .sort = STEP_ASSIGN, .method = m, .value = var ? value_of(t, var) : 0 };
	bool is_outside = !before || before->sort != NAME_VARIABLES || before->of != name->of;

	step.pc = pc_of(a, m, step.value);
	if (!before)
		step.sort = STEP_NEW;
	else if (is_outside && is_parameter(t, var))
		step.sort = STEP_ARGUMENT;
	else if (is_outside && before->sort == NAME_VARIABLES)
		step.sort = STEP_RESULT;
	if (step.value || !before || is_outside)
		vec_push(&a->steps, step);
}

static field_id field_at(struct pta *a, class_id c, uint32_t slot)
{
	for (; c.i; c = class_row(a->p, c)->super) {
		struct ir_class row = *class_row(a->p, c);
		for (uint32_t i = 0; i < row.nfields; i++)
			if (row.first_field + i < a->kinds.slot_of.len && a->kinds.slot_of.data[row.first_field + i] == slot + 1)
				return (field_id){ row.first_field + i };
	}
	return (field_id){ 0 };
}

static void step_slot(struct pta *a, const struct name *name, uint32_t node)
{
	uint32_t place = object_place(a, (object_id){ name->of });
	class_id c = a->places.data[place].is.cls;
	bool is_array = c.i && class_row(a->p, c)->kind == CLASS_ARRAY;
	struct pta_step step = { .sort = is_array ? STEP_ELEMENT : STEP_FIELD, .place = place };

	if (!is_array)
		step.field = field_at(a, c, node - name->first.i);
	vec_push(&a->steps, step);
}

static void step_of(struct pta *a, uint32_t node, const struct name *before)
{
	const struct name *name = name_of(a, node);

	switch (name->sort) {
	case NAME_VARIABLES:
		step_variable(a, name, node, before);
		break;
	case NAME_SLOTS:
		step_slot(a, name, node);
		break;
	case NAME_FIELD:
		if (!(name->of & JVM_FIELD))
			vec_push(&a->steps, ((struct pta_step){ .sort = STEP_STATIC, .field = { name->of } }));
		break;
	case NAME_THROWN:
		vec_push(&a->steps, ((struct pta_step){ .sort = STEP_THROWN, .method = { name->of } }));
		break;
	}
}

static void walk(struct search *s, uint32_t node)
{
	const struct name *before = NULL;

	for (;; node = s->next[node]) {
		step_of(s->a, node, before);
		before = name_of(s->a, node);
		if (s->next[node] == node)
			return;
	}
}

/* The call */

static bool calls(const struct site *site, method_id callee)
{
	for (uint32_t i = 0; i < site->targets.len; i++)
		if (site->targets.data[i].i == callee.i)
			return true;
	return false;
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
			if (target_of(a, site, solver_kind_of(a->s, o).i).i != callee.i)
				continue;
			found = o;
			if (o.i >= KINDS_MAX)
				return o;
		}
	return found;
}

static void explain_receiver(struct pta *a, struct pta_witness *w, const struct watch *call, uint32_t site, object_id o)
{
	struct search s = { .a = a, .o = o, .nnodes = (uint32_t)solver_stats(a->s).nodes };
	struct pta_step last = { .sort = STEP_CALL, .method = a->sites.data[site].method, .pc = w->site.pc };

	qsort(a->names.data, a->names.len, sizeof(*a->names.data), by_first);
	s.next = mem_zalloc((s.nnodes + 1) * sizeof(*s.next));
	s.creates = mem_zalloc(s.nnodes + 1);
	index_copies(&s);
	uint32_t from = find_creation(&s, receiver_of(a, call).i);
	if (from)
		walk(&s, from);
	vec_push(&a->steps, last);
	w->has_receiver = true;
	w->place = object_place(a, o);
	free(s.next);
	free(s.creates);
	free(s.first);
	free(s.from);
	vec_release(&s.queue);
	map_release(&s.first_caller);
}

static void explain_site(struct pta *a, struct pta_witness *w, uint32_t site, method_id callee)
{
	w->found = true;
	w->site = a->sites.data[site].link.site;
	if (a->sites.data[site].link.sort != LINK_DISPATCHED)
		return;
	for (uint32_t i = 1; i < a->watches.len; i++) {
		struct watch call = a->watches.data[i];
		if (call.sort != WATCH_CALL || template_at(a, call.instance)->stmts[call.stmt].ref != site)
			continue;
		object_id o = selecting_object(a, site, receiver_of(a, &call), callee);
		if (o.i) {
			explain_receiver(a, w, &call, site, o);
			return;
		}
	}
}

struct pta_witness pta_explain(struct pta *a, method_id caller, method_id callee)
{
	const struct template *t = caller.i < a->templates.len ? a->templates.data[caller.i] : NULL;
	struct pta_witness w = { 0 };

	vec_clear(&a->steps);
	for (uint32_t i = 0; t && i < t->nsites && !w.found; i++)
		if (calls(&a->sites.data[t->first_site + i], callee))
			explain_site(a, &w, t->first_site + i, callee);
	w.steps = a->steps.data;
	w.nsteps = a->steps.len;
	return w;
}
