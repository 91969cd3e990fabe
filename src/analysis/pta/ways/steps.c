/* SPDX-License-Identifier: Apache-2.0 */
/* A path of nodes as steps: for each of its edges the statement that moves the object along it. */
#include "analysis/pta/ways/ways_p.h"

static ir_value value_of(const struct template *t, uint32_t var)
{
	for (ir_value v = 1; var && v <= t->nvalues; v++)
		if (t->var_of_value[v] == var)
			return v;
	return 0;
}

static const struct ir_body *body_of(struct pta *a, method_id m)
{
	arena_clear(&a->scratch);
	return a->p->source.body(a->p->source.ctx, a->p, m, &a->scratch);
}

static uint32_t pc_of(struct pta *a, method_id m, ir_value v)
{
	const struct ir_body *b = v ? body_of(a, m) : NULL;

	for (uint32_t i = 0; b && i < b->nstmts; i++)
		if (b->stmts[i].result == v)
			return b->stmts[i].pc;
	return PC_NONE;
}

/* nparams: it is none. */
static uint32_t parameter_of(const struct template *t, uint32_t var)
{
	uint32_t i = 0;

	while (i < t->nparams && (!var || t->params[i] != var))
		i++;
	return i;
}

static bool passes(const struct template *t, const struct t_stmt *s, uint32_t var, const struct template *to,
		   uint32_t param)
{
	for (uint32_t i = 0; i < t->args[s->from] && i < to->nparams; i++)
		if (t->args[s->from + 1 + i] == var && to->params[i] == param)
			return true;
	return false;
}

/* The call in an instance that reaches another, and passes `arg` as `param`, or has the result `result`. */
struct call_shape { uint32_t caller, callee, arg, param, result; };

static bool is_shaped(struct pta *a, const struct t_stmt *s, const struct call_shape *c, object_id o)
{
	const struct template *t = template_at(a, c->caller), *callee = template_at(a, c->callee);
	bool is_receiver = c->arg && callee->has_receiver && callee->params[0] == c->param;

	if (s->op != T_CALL || (c->result && s->to != c->result) || (c->arg && !passes(t, s, c->arg, callee, c->param)))
		return false;
	return call_reaches(a, c->caller, s, is_receiver ? o : (object_id){ 0 }, c->callee);
}

static uint32_t pc_of_call(struct pta *a, const struct call_shape *c, object_id o)
{
	const struct template *t = template_at(a, c->caller);

	for (uint32_t i = 0; i < t->nstmts; i++)
		if (is_shaped(a, &t->stmts[i], c, o))
			return a->sites.data[t->stmts[i].ref].link.site.pc;
	return PC_NONE;
}

/* Of any call of `callee` that lets its exceptions through. */
static uint32_t pc_of_thrower(struct pta *a, method_id caller, method_id callee)
{
	const struct template *t = a->templates.data[caller.i];

	for (uint32_t i = 0; i < t->nstmts; i++) {
		const struct t_stmt *s = &t->stmts[i];
		if (s->op != T_CALL || !site_calls(&a->sites.data[s->ref], callee))
			continue;
		const struct scope *scope = &t->scopes[s->more];
		if (!scope->catches_all && (!scope->n || passes_mask(a, scope->escapes, a->explainer->o)))
			return a->sites.data[s->ref].link.site.pc;
	}
	return PC_NONE;
}

static bool copies(const struct template *t, uint32_t from, uint32_t to)
{
	for (uint32_t i = 0; i < t->nstmts; i++)
		if (t->stmts[i].op == T_COPY && t->stmts[i].from == from && t->stmts[i].to == to)
			return true;
	return false;
}

static bool is_variable(const struct pta_step *s)
{
	return s && (s->sort == STEP_NEW || s->sort == STEP_TYPE || s->sort == STEP_ASSIGN || s->sort == STEP_ARGUMENT ||
		     s->sort == STEP_RESULT);
}

/* From a variable of one method to that of another, or back into the same by recursion. */
static void fill_link(struct pta *a, struct pta_step *s, const struct pta_step *before)
{
	const struct template *t = template_at(a, s->of), *other = template_at(a, before->of);

	if (s->sort == STEP_ARGUMENT) {
		struct call_shape c = { before->of, s->of, before->index, s->index, 0 };
		s->by = before->method;
		s->by_pc = pc_of_call(a, &c, a->explainer->o);
	} else if (before->of != s->of || (other->returns == before->index && !copies(t, before->index, s->index))) {
		struct call_shape c = { s->of, before->of, 0, 0, s->index };
		uint32_t pc = pc_of_call(a, &c, a->explainer->o);
		if (pc == PC_NONE && before->of == s->of)      /* thrown and caught */
			return;
		s->sort = STEP_RESULT;
		s->by_pc = pc;
	}
}

static bool is_read_constant(struct pta *a, uint32_t in, uint32_t var)
{
	const struct template *t = template_at(a, in);

	for (uint32_t i = 0; i < t->nstmts; i++)
		if (t->stmts[i].op == T_GET_ANY && t->stmts[i].to == var && reads_constant(a, in, &t->stmts[i], a->explainer->o))
			return true;
	return false;
}

static void add_variable(struct pta *a, const struct name *name, uint32_t node, const struct pta_step *before)
{
	method_id m = a->instances.data[name->of].method;
	const struct template *t = template_at(a, name->of);
	uint32_t var = has_own_variables(a) ? node - name->first.i + 1 : 0;
	struct pta_step s = { .sort = STEP_ASSIGN, .method = m, .by = m, .value = value_of(t, var), .of = name->of,
			      .index = var };

	uint32_t pc = pc_of(a, m, s.value);
	s.pc = pc == PC_NONE ? 0 : pc;
	s.by_pc = pc;
	if (!before)
		s.sort = is_constant_type(a, t->types[var]) || is_read_constant(a, name->of, var) ? STEP_TYPE : STEP_NEW;
	else if (parameter_of(t, var) < t->nparams)
		s.sort = STEP_ARGUMENT, s.by = (method_id){ 0 }, s.by_pc = PC_NONE, s.param = parameter_of(t, var);
	if (is_variable(before))
		fill_link(a, &s, before);
	s.is_hidden = before && !s.value && s.sort == STEP_ASSIGN;
	vec_push(&a->steps, s);
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

static bool stores(struct pta *a, const struct ir_body *b, const struct ir_stmt *s, const struct pta_step *before,
		   field_id f)
{
	const struct template *t = template_at(a, before->of);
	ir_value v = s->nargs ? b->args[s->args + s->nargs - 1] : 0;
	bool is_field = s->op == IR_PUTFIELD || s->op == IR_PUTSTATIC;

	if ((!is_field && s->op != IR_ASTORE) || !v || v > t->nvalues || t->var_of_value[v] != before->index)
		return false;
	return is_field ? f.i && fref_row(a->p, (fref_id){ s->ref })->target.i == f.i : !f.i;
}

static void fill_store(struct pta *a, struct pta_step *s, const struct pta_step *before)
{
	s->by_pc = PC_NONE;
	if (!is_variable(before))
		return;
	s->by = before->method;
	const struct ir_body *b = body_of(a, s->by);
	for (uint32_t i = 0; b && i < b->nstmts && s->by_pc == PC_NONE; i++)
		if (stores(a, b, &b->stmts[i], before, s->field))
			s->by_pc = b->stmts[i].pc;
}

static void add_slot(struct pta *a, const struct name *name, uint32_t node, const struct pta_step *before)
{
	uint32_t place = object_place(a, (object_id){ name->of });
	class_id c = a->places.data[place].is.cls;
	bool is_array = c.i && class_row(a->p, c)->kind == CLASS_ARRAY;
	struct pta_step s = { .sort = is_array ? STEP_ELEMENT : STEP_FIELD, .place = place, .of = name->of,
			      .index = node - name->first.i };

	if (!is_array)
		s.field = field_at(a, c, s.index);
	fill_store(a, &s, before);
	vec_push(&a->steps, s);
}

static void add_static(struct pta *a, const struct name *name, const struct pta_step *before)
{
	struct pta_step s = { .sort = STEP_STATIC, .of = name->of, .is_hidden = is_jvm_field(name->of) };

	if (!s.is_hidden)
		s.field = (field_id){ name->of };
	fill_store(a, &s, before);
	vec_push(&a->steps, s);
}

static uint32_t pc_of_throw(struct pta *a, method_id m, uint32_t var)
{
	const struct template *t = a->templates.data[m.i];
	const struct ir_body *b = body_of(a, m);

	for (uint32_t i = 0; b && i < b->nstmts; i++)
		if (b->stmts[i].op == IR_THROW && t->var_of_value[b->args[b->stmts[i].args]] == var)
			return b->stmts[i].pc;
	return PC_NONE;
}

static void add_thrown(struct pta *a, method_id m, const struct pta_step *before)
{
	struct pta_step s = { .sort = STEP_THROWN, .method = m, .by = m, .by_pc = PC_NONE, .of = m.i };

	if (is_variable(before))
		s.by_pc = pc_of_throw(a, m, before->index);
	else if (before && before->sort == STEP_THROWN)
		s.by_pc = pc_of_thrower(a, m, before->method);
	vec_push(&a->steps, s);
}

/* The user's side makes objects; the JVM passes what was created anywhere. */
static void add_outside(struct pta *a, uint32_t node, object_id o)
{
	struct pta_step s = { .sort = node == a->everything.i ? STEP_JVM : STEP_CLIENT, .by_pc = PC_NONE, .of = node };
	const struct creation *c = node == a->everything.i ? next_creation(a, o, NULL) : NULL;

	if (c) {
		method_id m = a->instances.data[c->instance].method;
		uint32_t var = template_at(a, c->instance)->stmts[c->stmt].to, place = object_place(a, o);
		struct pta_step made = { .sort = STEP_NEW, .method = m, .by = m, .value = value_of(template_at(a, c->instance), var),
					 .of = c->instance, .index = var };
		const struct pta_place *at = &a->places.data[place].is;
		made.by_pc = at->method.i ? at->pc : pc_of(a, m, made.value);
		made.pc = made.by_pc == PC_NONE ? 0 : made.by_pc;
		vec_push(&a->steps, made);
	} else if (node == a->everything.i) {
		vec_push(&a->steps, ((struct pta_step){ .sort = STEP_CLIENT, .by_pc = PC_NONE, .of = a->client.i }));
	}
	vec_push(&a->steps, s);
}

static bool runs_against(const struct explainer *e, uint32_t from, uint32_t to)
{
	bool is_against = false;

	for (uint32_t i = e->first[from]; i < e->first[from + 1]; i++) {
		const struct solver_copy *c = &e->copies[e->out[i]];
		if (c->from.i == from && c->to.i == to)
			return false;
		is_against |= c->from.i == to && c->to.i == from;
	}
	return is_against;
}

static void add_unknown(struct pta *a)
{
	vec_push(&a->steps, ((struct pta_step){ .sort = STEP_UNKNOWN, .by_pc = PC_NONE, .of = a->callbacks.escaped.i }));
}

static void add_step(struct pta *a, const struct path *path, uint32_t i)
{
	uint32_t node = path->nodes.data[i];
	const struct name *name = name_of(a, node);
	struct pta_step last = a->steps.len ? *vec_last(&a->steps) : (struct pta_step){ 0 };
	const struct pta_step *before = i ? &last : NULL;

	if (node == a->callbacks.escaped.i)
		add_unknown(a);
	else if (!name)
		add_outside(a, node, path->object);
	else if (name->sort == NAME_VARIABLES)
		add_variable(a, name, node, before);
	else if (name->sort == NAME_SLOTS)
		add_slot(a, name, node, before);
	else if (name->sort == NAME_FIELD)
		add_static(a, name, before);
	else
		add_thrown(a, (method_id){ name->of }, before);
	vec_last(&a->steps)->is_joined = i && runs_against(a->explainer, path->nodes.data[i - 1], node);
}

/* Objects of an array's inner dimensions, and of models, have no variable of their own that one could look up. */
static void fill_creation(struct pta *a, struct pta_step *s, uint32_t place)
{
	const struct pta_place *at = &a->places.data[place].is;

	if (s->sort == STEP_NEW && at->method.i == s->method.i && at->method.i)
		s->by_pc = s->pc = at->pc;
}

void add_steps(struct pta *a, const struct path *path)
{
	a->explainer->o = path->object;
	for (uint32_t i = 0; i < path->nodes.len; i++)
		add_step(a, path, i);
	if (a->steps.len)
		fill_creation(a, &a->steps.data[0], object_place(a, path->object));
}
