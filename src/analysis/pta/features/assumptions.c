/* SPDX-License-Identifier: Apache-2.0 */
/* What is assumed about dynamic calls that are not resolved: the world around the program (world.c) runs all that their level allows,
 * in sets that calls share, and has what they are given. Natives without a model call one method for that. */
#include "analysis/pta/template.h"
#include "ir/access.h"

#define FEW_CLASSES 64           /* what a set of constructors makes is told apart by class, if there are no more */

/* What the program reaches by itself, whatever the policy: the coarsest of analyses that follow calls says so. */
void assumptions_start(struct pta *a, const struct cg_entries *entries)
{
	struct dynamic_opt dynamic = a->opt.dynamic ? *a->opt.dynamic : (struct dynamic_opt){ 0 };
	struct cg_opt opt = { .algorithm = CG_RTA, .jvm = a->opt.jvm, .dynamic = &dynamic };

	if (!has_assumptions(a))
		return;
	dynamic.level = DYNAMIC_LISTED;
	struct callgraph *g = callgraph_compute(a->p, entries, &opt);
	for (uint32_t i = 0; i < a->p->methods.len; i++) {
		if (i % 64 == 0)
			vec_push(&a->assumed.near.words, 0);
		vec_last(&a->assumed.near.words)[0] |= (uint64_t)callgraph_reaches(g, (method_id){ i }) << (i % 64);
	}
	callgraph_free(g);
}

/* Sets */

static bool is_constructor(const struct pta *a, method_id m)
{
	return str_is(sel_name(a->p, method_row(a->p, m)->sel), "<init>");
}

/* Are they constructors alone, and of few classes? They come class by class. */
static bool makes_few(const struct pta *a, uint32_t set)
{
	const method_list *members = &a->assumed.sets.data[set];
	uint32_t n = 0, last = 0;

	if (a->assumed.calls.what.data[set] & ASSUME_METHODS)
		return false;
	for (uint32_t i = 0; i < members->len; i++) {
		class_id c = method_row(a->p, members->data[i])->owner;
		n += is_constructor(a, members->data[i]) && c.i != last;
		last = c.i;
	}
	return n <= FEW_CLASSES;
}

static void make_object(struct pta *a, node_id made, method_id constructor)
{
	class_id c = method_row(a->p, constructor)->owner;
	object_id o = solver_kind_object(a->s, kind_of_class(a, c));
	const struct template *t = template_of(a, constructor);

	initialise_class(a, c);
	solver_add(a->s, made, o);
	solver_add(a->s, a->everything, o);
	if (t->params[0])
		solver_add(a->s, variable_node(a, instance_of(a, constructor, (context_id){ 0 }), t->params[0]), o);
}

static void allow(struct pta *a, node_id made, bool is_few, method_id m)
{
	struct ir_method row = *method_row(a->p, m);

	template_of(a, m)->is_assumed = true;
	initialise_class(a, row.owner);
	if (str_is(sel_name(a->p, row.sel), "<clinit>"))
		return;
	if (is_constructor(a, m) && is_few)
		make_object(a, made, m);
	else if (is_constructor(a, m))
		world_add_class(a, row.owner);
	assume_call(a, m);
}

static void apply_set(struct pta *a, uint32_t set)
{
	struct assumptions *x = &a->assumed;
	bool is_few = makes_few(a, set);

	while (x->allowed.len <= set)
		vec_push(&x->allowed, (struct allowed){ 0 });
	if (x->allowed.data[set].is_applied)
		return;
	node_id made = solver_nodes(a->s, 1);
	x->allowed.data[set] = (struct allowed){ .is_applied = true, .made = made };
	if (!is_few)
		world_give(a, made, a->p->object);
	for (uint32_t i = 0; i < x->sets.data[set].len; i++)
		allow(a, made, is_few, x->sets.data[set].data[i]);
}

/* Calls */

void assumptions_apply(struct pta *a, uint32_t in, uint32_t stmt, uint32_t set)
{
	const struct t_stmt *s = &template_at(a, in)->stmts[stmt];

	world_pass(a, in, s);
	if (s->to && set)
		solver_copy(a->s, a->assumed.allowed.data[set].made, variable_node(a, in, s->to), (mask_id){ 0 });
	else if (s->to)
		world_give(a, variable_node(a, in, s->to), a->p->object);
}

static void add_set(struct pta *a, uint32_t number, uint32_t set)
{
	vec_push(&a->reflected.data[number].sets, set);
	for (uint32_t i = 0; i < a->reflected.data[number].calls.len; i++) {
		struct instance_stmt at = a->reflected.data[number].calls.data[i];
		assumptions_apply(a, at.instance, at.stmt, set);
	}
}

/* Fields that are not known: of the object, and all static ones. */
static bool access_fields(struct pta *a, uint32_t number)
{
	enum dynamic_sort sort = dynamic_sort_of(a->dynamic, number);
	bool is_known = a->opt.dynamic->level <= DYNAMIC_STRING && dynamic_is_resolved(a->dynamic, number);

	while (a->assumed.accessed.len <= number)
		vec_push(&a->assumed.accessed, false);
	if ((sort != DYNAMIC_GET && sort != DYNAMIC_SET) || is_known || a->assumed.accessed.data[number])
		return false;
	a->assumed.accessed.data[number] = true;
	world_touch_statics(a);
	add_set(a, number, 0);
	return true;
}

bool assumptions_round(struct pta *a)
{
	struct assumptions *x = &a->assumed;
	uint32_t before = x->done;
	bool is_new = false;

	if (!has_assumptions(a))
		return false;
	if (!x->sets.len)
		vec_push(&x->sets, (method_list){ 0 });
	assumed_sites(&x->calls, &a->h, &x->sets, a->dynamic, a->opt.dynamic->level);
	for (; x->done < x->calls.calls.len; x->done++) {
		struct assumed_call c = x->calls.calls.data[x->done];
		apply_set(a, c.set);
		if (c.site < a->reflected.len)
			add_set(a, c.site, c.set);
	}
	for (uint32_t i = 1; i < a->reflected.len; i++)
		is_new |= access_fields(a, i);
	return is_new || x->done > before;
}

static void release_lists(list_table *v)
{
	for (uint32_t i = 0; i < v->len; i++)
		vec_release(&v->data[i]);
	vec_release(v);
}

void assumptions_release(struct pta *a)
{
	struct assumptions *x = &a->assumed;

	assumed_release(&x->calls);
	for (uint32_t i = 0; i < x->sets.len; i++)
		vec_release(&x->sets.data[i]);
	for (uint32_t i = 0; i < x->refs.len; i++) {
		vec_release(&x->refs.data[i].targets);
		vec_release(&x->refs.data[i].receivers);
	}
	release_lists(&x->refs_of);
	release_lists(&x->below);
	vec_release(&x->sets);
	vec_release(&x->allowed);
	vec_release(&x->accessed);
	vec_release(&x->refs);
	vec_release(&x->is_there);
	vec_release(&x->coming);
	vec_release(&x->near.words);
	map_release(&x->has_fields);
	map_release(&x->ref_of);
}

/* Natives */

static uint32_t no_operands(struct maker *k)
{
	vec_push(&k->args, 1);
	vec_push(&k->args, 0);
	return k->args.len - 2;
}

/* Calls the one that calls back. */
static void call_back(struct maker *k)
{
	struct pta *a = k->a;
	struct link l = { .sort = LINK_ONE, .is_listed = true, .site = { .op = IR_CALL_DYNAMIC, .cause = CG_NATIVE, .implied = 1 } };

	if (!a->assumed.native.i)
		a->assumed.native = assumed_native_method(a->p, a->dynamic);
	l.target = a->assumed.native;
	uint32_t site = maker_site(k, &l, 0);
	maker_emit(k, (struct t_stmt){ .op = T_CALL, .from = no_operands(k), .ref = site });
}

/* What it is given escapes; it gives back what is there. */
static void pass_on(struct maker *k)
{
	class_id type = maker_result(k, method_row(k->a->p, k->caller.m)->sel);

	for (uint32_t i = 0; i < k->nparams; i++) {
		if (!k->param_types[i].i || is_constant_type(k->a, k->param_types[i]))
			continue;
		if (!k->params[i])
			k->params[i] = maker_var(k, k->param_types[i]);
		maker_emit(k, (struct t_stmt){ .op = T_PUT_STATIC, .from = k->params[i], .ref = world_field(k->a, true) });
	}
	if (!type.i)
		return;
	uint32_t any = maker_var(k, k->a->p->object), v = maker_var(k, type);
	maker_emit(k, (struct t_stmt){ .op = T_GET_STATIC, .to = any, .ref = world_field(k->a, false) });
	maker_cast(k, v, any, type, true);
	vec_push(&k->returned, v);
}

/* The one that natives call is a dynamic call itself. */
static void add_call(struct maker *k)
{
	struct link by = { .sort = LINK_REFLECTED, .dynamic = DYNAMIC_NATIVE,
			   .site = { .op = IR_CALL_STATIC, .implied = 1 + DYNAMIC_NATIVE } };
	uint32_t site = reflection_site(k, dynamic_find(k->a->dynamic, k->caller.m, 0), by, 0);

	maker_emit(k, (struct t_stmt){ .op = T_CALL, .from = no_operands(k), .ref = site });
}

void assumptions_method(struct maker *k)
{
	struct pta *a = k->a;

	if (a->assumed.native.i && k->caller.m.i == a->assumed.native.i)
		add_call(k);
	if (k->has_body || !(method_row(a->p, k->caller.m)->flags & ACCESS_NATIVE))
		return;
	call_back(k);
	pass_on(k);
}
