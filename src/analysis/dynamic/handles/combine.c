/* SPDX-License-Identifier: Apache-2.0 */
/* Handles that are made of others. Where each of the parts may be one of several, a handle is made of each choice; or, where
 * positions do not matter, one of all of them. */
#include "analysis/dynamic/handles/ask.h"

#include "base/sort.h"
#include "ir/access.h"

#define MAX_CHOICES 64u

/* Sites */

static const struct ir_stmt *constant_at(const struct code *c, const struct ir_stmt *s, uint32_t k)
{
	const struct ir_stmt *d = code_definition(c, code_operand(c, s, k));

	return d && d->op == IR_CONST_INT ? d : NULL;
}

/* The length of the array that is made for operand `k`. */
static uint32_t length_at(const struct code *c, const struct ir_stmt *s, uint32_t k)
{
	const struct ir_stmt *d = code_definition(c, code_operand(c, s, k));
	const struct ir_stmt *length = d && d->op == IR_NEWARRAY && d->nargs == 1 ? constant_at(c, d, 0) : NULL;

	return length ? length->ref : NO_POSITION;
}

static class_id class_at(const struct code *c, const struct ir_stmt *s, uint32_t k)
{
	const struct ir_stmt *d = code_definition(c, code_operand(c, s, k));

	return (class_id){ d && d->op == IR_CONST_CLASS ? d->ref : 0 };
}

/* What numbers and classes among the operands say: (..., position, ..., count) or (..., position, array). */
static void read_numbers(struct values *v, struct handle_site *is, const struct code *c, const struct ir_stmt *s)
{
	sel_id sel = mref_row(v->p, is->ref)->sel;
	uint32_t at = 0, k = is->has_receiver, numbers[2] = { 0 }, n = 0;
	class_id type;

	is->at = is->count = NO_POSITION;
	for (; sel_next_param(v->p, sel, &at, &type); k++) {
		if (str_is(class_name(v->p, type), "int") && n < 2)
			numbers[n++] = k;
		else if (class_row(v->p, type)->kind == CLASS_ARRAY)
			is->count = length_at(c, s, k);
		else if (type.i == v->p->class_.i)
			is->type = class_at(c, s, k);
	}
	bool has_position = n == 2 || !is->has_receiver;
	const struct ir_stmt *first = n ? constant_at(c, s, numbers[0]) : NULL, *second = n == 2 ? constant_at(c, s, numbers[1]) : NULL;
	if (has_position && first)
		is->at = first->ref;
	if (is->has_receiver)
		is->count = n == 2 ? (second ? second->ref : NO_POSITION) : first ? first->ref : NO_POSITION;
	is->has_position = has_position && n;
}

uint32_t combine_site(struct values *v, method_id m, const struct code *c, const struct ir_stmt *s)
{
	struct handle_site is = { .method = m, .pc = s->pc, .ref = { s->ref }, .has_receiver = s->op != IR_CALL_STATIC };

	read_numbers(v, &is, c, s);
	return handle_site(&v->handles, is);
}

/* Handles */

static bool is_handle(meta x)
{
	return meta_sort(x) == META_HANDLE;
}

static void add_choice(struct asking *q, enum handle_op op, const uint32_t *pick)
{
	uint32_t parts[8];

	for (uint32_t i = 0; i < q->ngiven; i++) {
		if (!is_handle(q->given[i].data[pick[i]]))
			return;
		parts[i] = meta_id(q->given[i].data[pick[i]]);
	}
	asking_add(q, (struct handle){ .op = op, .site = q->site, .parts = parts, .nparts = q->ngiven });
}

static void choose(struct asking *q, enum handle_op op)
{
	uint32_t pick[8] = { 0 };
	uint64_t count = q->ngiven > 0 && q->ngiven <= ARRAY_LEN(pick);

	for (uint32_t i = 0; i < q->ngiven && count <= MAX_CHOICES; i++)
		count *= q->given[i].n;
	if (count > MAX_CHOICES)
		q->open = REASON_CALL;
	if (!count || count > MAX_CHOICES)
		return;
	do
		add_choice(q, op, pick);
	while (next_pick(q->given, q->ngiven, pick));
}

/* One handle of all parts; they may be null, too. */
static void mix(struct asking *q, enum handle_op op)
{
	VEC(uint32_t) parts = { 0 };

	for (uint32_t i = 0; i < q->ngiven; i++)
		for (uint32_t k = 0; k < q->given[i].n; k++)
			if (is_handle(q->given[i].data[k]))
				vec_push(&parts, meta_id(q->given[i].data[k]));
	uint32_t n = sort_ids(parts.data, parts.len);
	if (n > MAX_CHOICES)
		q->open = REASON_CALL;
	else if (n)
		asking_add(q, (struct handle){ .op = op, .site = q->site, .parts = parts.data, .nparts = n });
	vec_release(&parts);
}

static bool is_array(const struct asking *q, class_id c)
{
	return class_row(q->v->p, c)->kind == CLASS_ARRAY;
}

/* Of the elements of arrays. */
static void make_accessors(struct asking *q, enum handle_op op)
{
	for (uint32_t i = 0; i < q->given[0].n; i++)
		if (meta_sort(q->given[0].data[i]) == META_CLASS && is_array(q, meta_class(q->given[0].data[i])))
			asking_add(q, (struct handle){ .op = op, .type = meta_class(q->given[0].data[i]) });
}

/* Objects that call handles */

static void add_lambda(struct asking *q, struct handle_lambda l, meta impl)
{
	uint32_t part = meta_id(impl);

	program_load(q->v->p, l.interface);
	if (!(class_row(q->v->p, l.interface)->flags & ACCESS_INTERFACE))
		return;
	asking_add(q, (struct handle){ .op = HANDLE_LAMBDA, .of = handle_lambda(&q->v->handles, l), .site = q->site, .parts = &part,
				       .nparts = 1 });
}

/* The handles and types among inputs from the third on: in arrays they are together. */
static void collect_sorts(const struct asking *q, enum meta_sort sort, meta_list *out)
{
	for (uint32_t i = 2; i < q->ngiven; i++)
		for (uint32_t k = 0; k < q->given[i].n; k++)
			if (meta_sort(q->given[i].data[k]) == sort)
				vec_push(out, q->given[i].data[k]);
}

/* metafactory(caller, name, type of the factory, type of the method, implementation, ...) */
static void make_lambdas(struct asking *q)
{
	struct program *p = q->v->p;
	meta_list types = { 0 }, impls = { 0 };

	collect_sorts(q, META_TYPE, &types);
	collect_sorts(q, META_HANDLE, &impls);
	struct metas sets[4] = { q->given[0], q->given[1], { types.data, types.len, false }, { impls.data, impls.len, false } };
	uint32_t pick[4] = { 0 };
	uint64_t count = (uint64_t)sets[0].n * sets[1].n * types.len * impls.len;
	if (count > MAX_CHOICES)
		q->open = REASON_CALL;
	while (count && count <= MAX_CHOICES) {
		struct handle_lambda l = { .name = { meta_id(sets[0].data[pick[0]]) }, .factory = { meta_id(sets[1].data[pick[1]]) },
					   .sam = { meta_id(sets[2].data[pick[2]]) } };
		l.interface = sel_result(p, program_sel_id(p, l.name, l.factory));
		add_lambda(q, l, sets[3].data[pick[3]]);
		if (!next_pick(sets, 4, pick))
			break;
	}
	vec_release(&types);
	vec_release(&impls);
}

static void make_wrappers(struct asking *q)
{
	for (uint32_t i = 0; i < q->given[0].n; i++)
		for (uint32_t k = 0; k < q->given[1].n; k++)
			if (meta_sort(q->given[0].data[i]) == META_CLASS && is_handle(q->given[1].data[k]))
				add_lambda(q, (struct handle_lambda){ .interface = meta_class(q->given[0].data[i]) }, q->given[1].data[k]);
}

void combine(struct asking *q)
{
	static const enum handle_op ops[] = {
		[ASK_BIND] = HANDLE_BIND, [ASK_INSERT] = HANDLE_INSERT, [ASK_DROP] = HANDLE_DROP, [ASK_SPREAD] = HANDLE_SPREAD,
		[ASK_COLLECT] = HANDLE_COLLECT, [ASK_FILTER_RESULT] = HANDLE_FILTER_RESULT, [ASK_FOLD] = HANDLE_FOLD,
		[ASK_GUARD] = HANDLE_GUARD,
		[ASK_MIX] = HANDLE_MIX, [ASK_CATCH] = HANDLE_CATCH, [ASK_INVOKER] = HANDLE_INVOKER, [ASK_CONSTANT] = HANDLE_CONSTANT,
		[ASK_IDENTITY] = HANDLE_IDENTITY, [ASK_ZERO] = HANDLE_ZERO, [ASK_GET_ELEMENT] = HANDLE_GET_ELEMENT,
		[ASK_SET_ELEMENT] = HANDLE_SET_ELEMENT, [ASK_NEW_ARRAY] = HANDLE_NEW_ARRAY, [ASK_LENGTH] = HANDLE_LENGTH,
	};
	/* With a position, the result of a combiner goes somewhere else. */
	bool is_odd = q->is == ASK_FOLD && q->v->handles.sites.data[q->site].has_position;

	if (q->is == ASK_LAMBDA)
		make_lambdas(q);
	else if (q->is == ASK_WRAP)
		make_wrappers(q);
	else if (q->is == ASK_MIX || q->is == ASK_CATCH || is_odd)
		mix(q, q->is == ASK_CATCH ? HANDLE_CATCH : HANDLE_MIX);
	else if (q->is < ASK_INVOKER)
		choose(q, ops[q->is]);
	else if (q->is >= ASK_GET_ELEMENT && q->is != ASK_LENGTH)
		make_accessors(q, ops[q->is]);
	else
		asking_add(q, (struct handle){ .op = ops[q->is], .site = q->is == ASK_CONSTANT ? q->site : 0 });
}
