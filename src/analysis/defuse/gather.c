/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies of the application as blocks of events. */
#include "analysis/defuse/defuse_p.h"

#include <stdlib.h>

#include "ir/access.h"

struct gather {
	struct flow *f;
	struct flow_node *node;
	uint32_t number;                 /* of the node */
	const struct ir_body *body;
	const struct ir_stmt **def;      /* by value */
	bool *is_root;                   /* by value: a definition is through it */
	struct targets targets;
	struct arena mem;
	VEC(struct library_access) library;      /* of the call that is looked at */
};

/* What a statement is about */

static ir_value behind_casts(const struct gather *k, ir_value v)
{
	while (k->def[v] && k->def[v]->op == IR_CAST)
		v = k->body->args[k->def[v]->args];
	return v;
}

static bool is_access(const struct ir_stmt *s)
{
	return s->op >= IR_GETFIELD && s->op <= IR_PUTSTATIC;
}

static bool is_definition(const struct ir_stmt *s)
{
	return s->op == IR_PUTFIELD || s->op == IR_PUTSTATIC;
}

/* None: the JVM would throw, or the class is missing. */
static field_id accessed(struct flow *f, const struct ir_stmt *s)
{
	bool is_static = s->op == IR_GETSTATIC || s->op == IR_PUTSTATIC;
	fref_id ref = { s->ref };

	if (resolve_field(&f->h, ref) != RESOLVE_OK)
		return (field_id){ 0 };
	field_id field = fref_row(f->p, ref)->target;
	return is_static == !!(field_row(f->p, field)->flags & ACCESS_STATIC) ? field : (field_id){ 0 };
}

/* A field of `this`, or a static one of the class that runs. */
static bool is_sure(struct gather *k, const struct ir_stmt *s)
{
	struct flow *f = k->f;
	const struct ir_method *row = method_row(f->p, k->node->m);
	const struct ir_stmt *base = s->nargs ? k->def[k->body->args[s->args]] : NULL;
	field_id field = accessed(f, s);

	if (!field.i)
		return false;
	if (s->op == IR_GETSTATIC || s->op == IR_PUTSTATIC)
		return hierarchy_is_subclass(&f->h, row->owner, field_row(f->p, field)->owner);
	return base && base->op == IR_PARAM && base->ref == 0 && !(row->flags & ACCESS_STATIC);
}

static bool may_throw(struct gather *k, const struct ir_stmt *s)
{
	if (is_access(s) && is_sure(k, s))
		return false;
	switch (s->op) {
	case IR_PARAM: case IR_PHI: case IR_CATCH: case IR_UNDEF: case IR_CONST_NULL: case IR_CONST_INT: case IR_CONST_LONG:
	case IR_CONST_FLOAT: case IR_CONST_DOUBLE: case IR_INSTANCEOF: case IR_GOTO: case IR_IF: case IR_SWITCH: case IR_RETURN:
		return false;
	default:
		return true;
	}
}

/* Runs nothing, though its pc may be that of a statement that does. */
static bool is_silent(const struct ir_stmt *s)
{
	return s->op == IR_PARAM || s->op == IR_PHI || s->op == IR_CATCH || s->op == IR_UNDEF || ir_is_terminator(s->op);
}

/* Events */

static void add_event(struct gather *k, enum event_sort sort, uint32_t what)
{
	const struct flow_block *b = vec_last(&k->f->blocks);
	uint32_t n = k->f->events.len;

	if (sort == EVENT_THROW && n > b->first && k->f->events.data[n - 1].sort == EVENT_THROW)
		return;
	vec_push(&k->f->events, ((struct event){ sort, what }));
}

static uint32_t add_row(struct gather *k, bool is_def, uint32_t pc, field_id field, bool is_library)
{
	struct field_access row = { k->node->m, pc, field, is_library };

	if (is_def)
		vec_push(&k->f->out->defs, row);
	else
		vec_push(&k->f->out->uses, row);
	return (is_def ? k->f->out->defs.len : k->f->out->uses.len) - 1;
}

static uint32_t add_occurrence(struct gather *k, bool is_def, struct occurrence o)
{
	o.node = k->number;
	if (is_def)
		vec_push(&k->f->defs, o);
	else
		vec_push(&k->f->uses, o);
	return (is_def ? k->f->defs.len : k->f->uses.len) - 1;
}

static void add_access(struct gather *k, const struct ir_stmt *s)
{
	bool is_def = is_definition(s), is_static = s->op == IR_GETSTATIC || s->op == IR_PUTSTATIC;
	field_id field = accessed(k->f, s);
	ir_value base = is_static ? 0 : k->body->args[s->args];

	if (!field.i)
		return;
	struct occurrence o = { .access = add_row(k, is_def, s->pc, field, false), .field = field, .objects = STATIC_FIELD };
	if (!is_static) {
		o.root = behind_casts(k, base);
		o.objects = flow_objects(k->f, k->node->m, base);
	}
	uint32_t row = add_occurrence(k, is_def, o);
	add_event(k, is_def ? EVENT_DEF : EVENT_USE, row);
}

/* Calls */

static void note_library(void *to, const struct library_access *access)
{
	struct gather *k = to;

	vec_push(&k->library, *access);
}

static int compare_accesses(const void *x, const void *y)
{
	const struct library_access *a = x, *b = y;

	if (a->is_write != b->is_write)
		return a->is_write - b->is_write;
	if (a->field.i != b->field.i)
		return a->field.i < b->field.i ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

/* The accesses of one field from the i-th on; returns where those of the next begin. */
static uint32_t add_library_field(struct gather *k, uint32_t pc, uint32_t i)
{
	struct library_access first = k->library.data[i];
	bool is_static = first.place == PLACE_NONE;
	VEC(uint32_t) places = { 0 };

	for (; i < k->library.len && k->library.data[i].field.i == first.field.i && k->library.data[i].is_write == first.is_write; i++)
		vec_push(&places, k->library.data[i].place);
	struct occurrence o = { .access = add_row(k, first.is_write, pc, first.field, true), .field = first.field, .is_library = true };
	o.objects = is_static ? STATIC_FIELD : id_sets_intern(&k->f->sets, places.data, places.len);
	add_occurrence(k, first.is_write, o);
	vec_release(&places);
	return i;
}

static void ask_library(struct gather *k, uint32_t pc, struct call_point *c)
{
	const struct defuse_opt *opt = k->f->opt;

	vec_clear(&k->library);
	c->first_def = k->f->defs.len;
	c->first_use = k->f->uses.len;
	if (opt->library)
		opt->library(opt->library_ctx, k->node->m, pc, note_library, k);
	if (k->library.len)
		qsort(k->library.data, k->library.len, sizeof(*k->library.data), compare_accesses);
	for (uint32_t i = 0; i < k->library.len;)
		i = add_library_field(k, pc, i);
	c->ndefs = k->f->defs.len - c->first_def;
	c->nuses = k->f->uses.len - c->first_use;
}

static void add_point(struct gather *k, struct call_point c)
{
	c.first = k->f->callees.len;
	c.n = k->targets.found.len;
	for (uint32_t i = 0; i < c.n; i++)
		vec_push(&k->f->callees, k->targets.found.data[i]);
	if (!c.n && !c.ndefs && !c.nuses)
		return;
	add_event(k, EVENT_CALL, k->f->calls.len);
	vec_push(&k->f->calls, c);
}

static void add_calls(struct gather *k, const struct ir_stmt *s)
{
	struct call_point c = { 0 };

	vec_clear(&k->targets.found);
	targets_initialisers(&k->targets, s);
	add_point(k, c);
	vec_clear(&k->targets.found);
	c.is_strong = targets_calls(&k->targets, s);
	if (ir_is_call(s->op))
		ask_library(k, s->pc, &c);
	c.is_strong = c.is_strong && !c.ndefs && !c.nuses;
	add_point(k, c);
}

static void add_statement(struct gather *k, const struct ir_stmt *s)
{
	if (may_throw(k, s))
		add_event(k, EVENT_THROW, 0);
	if (!is_silent(s))
		add_calls(k, s);
	if (is_access(s))
		add_access(k, s);
	if (s->op != IR_PARAM && s->result && k->is_root[s->result])
		add_event(k, EVENT_RENEW, s->result);
}

/* Blocks */

static bool is_catch_all(const struct gather *k, uint32_t block)
{
	const struct ir_stmt *s = &k->body->stmts[k->body->blocks[block].first];
	class_id c = { s->ref };

	return s->op == IR_CATCH && (!c.i || c.i == k->f->p->throwable.i);
}

static void add_block(struct gather *k, const struct ir_block *b)
{
	struct flow *f = k->f;
	struct flow_block out = { .first = f->events.len, .succs = f->to.len, .nsuccs = b->nsuccs, .handlers = f->to.len + b->nsuccs,
				  .nhandlers = b->nhandlers, .returns = k->body->stmts[b->end - 1].op == IR_RETURN };

	for (uint32_t i = 0; i < b->nsuccs; i++)
		vec_push(&f->to, k->body->edges[b->succs + i]);
	for (uint32_t i = 0; i < b->nhandlers; i++) {
		vec_push(&f->to, k->body->edges[b->handlers + i]);
		out.catches_all = out.catches_all || is_catch_all(k, k->body->edges[b->handlers + i]);
	}
	vec_push(&f->blocks, out);
	for (uint32_t i = b->first; i < b->end; i++)
		add_statement(k, &k->body->stmts[i]);
	vec_last(&f->blocks)->end = f->events.len;
}

static void find_roots_of_definitions(struct gather *k)
{
	const struct ir_body *b = k->body;

	k->def = arena_zarray(&k->mem, const struct ir_stmt *, b->nvalues + 1);
	k->is_root = arena_zarray(&k->mem, bool, b->nvalues + 1);
	for (uint32_t i = 0; i < b->nstmts; i++)
		k->def[b->stmts[i].result] = &b->stmts[i];
	k->def[0] = NULL;
	for (uint32_t i = 0; i < b->nstmts; i++)
		if (b->stmts[i].op == IR_PUTFIELD)
			k->is_root[behind_casts(k, b->args[b->stmts[i].args])] = true;
}

static void add_body(struct gather *k)
{
	find_roots_of_definitions(k);
	targets_open(&k->targets, k->f, k->node->m, k->body, &k->mem);
	for (uint32_t i = 0; i < k->body->nblocks; i++) {
		targets_block(&k->targets, i);
		add_block(k, &k->body->blocks[i]);
	}
	k->node->nblocks = k->body->nblocks;
	targets_release(&k->targets);
}

static void add_node(struct gather *k)
{
	struct flow *f = k->f;
	struct flow_node *node = k->node;
	uint16_t flags = method_row(f->p, node->m)->flags;

	arena_clear(&k->mem);
	node->first_block = f->blocks.len;
	node->first_def = f->defs.len;
	node->first_call = f->calls.len;
	if (!(flags & (ACCESS_NATIVE | ACCESS_ABSTRACT)))
		k->body = f->p->source.body(f->p->source.ctx, f->p, node->m, &k->mem);
	if (!(flags & (ACCESS_NATIVE | ACCESS_ABSTRACT)) && k->body)
		add_body(k);
	node->ndefs = f->defs.len - node->first_def;
	node->ncalls = f->calls.len - node->first_call;
}

/* Facts */

struct sorted_def {
	uint64_t key;            /* field, occurrence */
};

static int compare_keys(const void *x, const void *y)
{
	const struct sorted_def *a = x, *b = y;

	return (a->key > b->key) - (a->key < b->key);
}

static void number_facts(struct flow *f)
{
	struct sorted_def *rows = mem_alloc((f->defs.len + 1) * sizeof(*rows));

	for (uint32_t i = 0; i < f->defs.len; i++)
		rows[i] = (struct sorted_def){ map_key(f->defs.data[i].field.i, i) };
	qsort(rows, f->defs.len, sizeof(*rows), compare_keys);
	vec_push(&f->def_of_fact, 0);
	vec_push(&f->ranges, ((struct fact_range){ 0 }));
	for (uint32_t i = 0; i < f->defs.len; i++) {
		struct occurrence *o = &f->defs.data[(uint32_t)rows[i].key];
		o->fact = i + 1;
		vec_push(&f->def_of_fact, (uint32_t)rows[i].key);
		if (vec_last(&f->ranges)->field.i != o->field.i) {
			*map_at(&f->range_of, o->field.i) = f->ranges.len;
			vec_push(&f->ranges, ((struct fact_range){ o->field, i + 1, i + 1, o->objects == STATIC_FIELD }));
		}
		vec_last(&f->ranges)->end = i + 2;
	}
	free(rows);
}

/* Rows in order, each once. */

struct sorted_row {
	struct field_access access;
	uint32_t row;
};

static int compare_rows(const void *x, const void *y)
{
	const struct sorted_row *a = x, *b = y;
	uint64_t p = map_key(a->access.method.i, a->access.pc), q = map_key(b->access.method.i, b->access.pc);

	if (p != q)
		return p < q ? -1 : 1;
	if (a->access.field.i != b->access.field.i)
		return a->access.field.i < b->access.field.i ? -1 : 1;
	return a->access.is_library - b->access.is_library;
}

static uint32_t sort_rows(struct field_access *rows, uint32_t n, struct occurrence *all, uint32_t nall)
{
	struct sorted_row *sorted = mem_alloc((n + 1) * sizeof(*sorted));
	uint32_t *number = mem_alloc((n + 1) * sizeof(*number)), kept = 0;

	for (uint32_t i = 0; i < n; i++)
		sorted[i] = (struct sorted_row){ rows[i], i };
	qsort(sorted, n, sizeof(*sorted), compare_rows);
	for (uint32_t i = 0; i < n; i++) {
		if (!i || compare_rows(&sorted[i - 1], &sorted[i]))
			rows[kept++] = sorted[i].access;
		number[sorted[i].row] = kept - 1;
	}
	for (uint32_t i = 0; i < nall; i++)
		all[i].access = number[all[i].access];
	free(sorted);
	free(number);
	return kept;
}

void flow_gather(struct flow *f)
{
	struct gather k = { .f = f };

	arena_init(&k.mem);
	for (uint32_t i = 1; i < f->nodes.len; i++) {
		k.number = i;
		k.node = &f->nodes.data[i];
		add_node(&k);
	}
	vec_release(&k.library);
	arena_release(&k.mem);
	f->out->defs.len = sort_rows(f->out->defs.data, f->out->defs.len, f->defs.data, f->defs.len);
	f->out->uses.len = sort_rows(f->out->uses.data, f->out->uses.len, f->uses.data, f->uses.len);
	number_facts(f);
}
