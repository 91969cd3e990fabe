/* SPDX-License-Identifier: Apache-2.0 */
/* Is a witness one? Every step is justified by a statement of the two instances that it connects and by the finished
 * sets; how the witness was found, and the copies that it was found by, do not matter. */
#include "analysis/pta/pta_p.h"

#include "ir/access.h"

struct check {
	struct pta *a;
	const struct callgraph *g;               /* may be NULL */
	const struct pta_witness *w;
	const struct pta_step *from, *to;        /* the move that is looked at */
	const char *reason;
};

static bool wrong(struct check *k, const char *reason)
{
	k->reason = reason;
	return false;
}

static bool holds(const struct pta *a, node_id n, object_id o)
{
	return o.i && solver_has(a->s, n, o);
}

/* Calls */

method_id receiver_target(struct pta *a, uint32_t site, object_id o)
{
	const struct link *l = &a->sites.data[site].link;
	kind_id k = solver_kind_of(a->s, o);
	class_id c = a->kinds.classes.data[k.i];
	bool is_incomplete = false;

	if (l->sort == LINK_NOTHING || !solver_mask_has(a->s, receiver_mask(a, l), k))
		return (method_id){ 0 };
	if (is_unknown_kind(a, k.i))
		return only_target(a, l);
	return l->sort == LINK_ONE ? l->target : dispatch_select(&a->h, l->site.mref, c, &is_incomplete);
}

static bool is_static(const struct pta *a, method_id m)
{
	return method_row(a->p, m)->flags & ACCESS_STATIC;
}

/* Exceptions, and receivers of methods with contexts of their own, count by class. */
static bool fits_context(struct pta *a, uint32_t caller, uint32_t site, object_id o, uint32_t callee)
{
	const struct instance *in = &a->instances.data[callee];
	object_id kind = { o.i ? solver_kind_of(a->s, o).i : 0 };

	return (!in->context.i && is_mixed_call(a, caller, site)) || context_of(a, caller, site, o, in->method).i == in->context.i ||
	       context_of(a, caller, site, kind, in->method).i == in->context.i;
}

static bool receiver_reaches(struct pta *a, uint32_t caller, uint32_t site, object_id o, uint32_t callee)
{
	return receiver_target(a, site, o).i == a->instances.data[callee].method.i &&
	       fits_context(a, caller, site, o, callee);
}

static node_id receivers_of(struct pta *a, uint32_t in, const struct t_stmt *s)
{
	const struct template *t = template_at(a, in);
	uint32_t var = t->args[s->from] ? t->args[s->from + 1] : 0;

	if (t->args[s->from] && !var)      /* always null */
		return (node_id){ 0 };
	return var ? variable_node(a, in, var) : a->everything;
}

static bool any_reaches(struct pta *a, uint32_t caller, const struct t_stmt *s, node_id receivers, uint32_t callee)
{
	struct set_view v = solver_set(a->s, receivers);

	for (uint32_t i = 0; i < v.n; i++)
		for (uint64_t bits = v.words[i]; bits; bits &= bits - 1)
			if (receiver_reaches(a, caller, s->ref, (object_id){ v.blocks[i] * 64 + first_bit(bits) }, callee))
				return true;
	return false;
}

static bool has_target(const struct site *s, method_id m)
{
	for (uint32_t i = 0; i < s->targets.len; i++)
		if (s->targets.data[i].i == m.i)
			return true;
	return false;
}

bool call_reaches(struct pta *a, uint32_t caller, const struct t_stmt *s, object_id receiver, uint32_t callee)
{
	method_id m = a->instances.data[callee].method;
	const struct link *l = &a->sites.data[s->ref].link;

	if (!has_target(&a->sites.data[s->ref], m))
		return false;
	if (l->sort == LINK_ONE && is_static(a, l->target))
		return l->target.i == m.i && fits_context(a, caller, s->ref, (object_id){ 0 }, callee);
	if (l->sort == LINK_REFLECTED)
		return fits_context(a, caller, s->ref, (object_id){ 0 }, callee);
	node_id n = receivers_of(a, caller, s);
	if (!n.i)
		return false;
	if (receiver.i)
		return holds(a, n, receiver) && receiver_reaches(a, caller, s->ref, receiver, callee);
	return any_reaches(a, caller, s, n, callee);
}

/* Memory by offset */

static bool has_slot_of(struct pta *a, class_id owner, class_id type)
{
	uint32_t n = owner.i ? class_slots(a, owner) : 0;

	for (uint32_t i = 0; i < n; i++)
		if (slot_type(a, owner, i).i == type.i)
			return true;
	return false;
}

bool reads_constant(struct pta *a, uint32_t in, const struct t_stmt *s, object_id o)
{
	class_id type = a->kinds.classes.data[solver_kind_of(a->s, o).i];
	struct set_view v = solver_set(a->s, variable_node(a, in, s->from));

	if (s->op != T_GET_ANY || o.i >= KINDS_MAX || !type.i || !is_constant_type(a, type))
		return false;
	for (uint32_t i = 0; i < v.n; i++)
		for (uint64_t bits = v.words[i]; bits; bits &= bits - 1) {
			object_id base = { v.blocks[i] * 64 + first_bit(bits) };
			if (has_slot_of(a, a->kinds.classes.data[solver_kind_of(a->s, base).i], type))
				return true;
		}
	return false;
}

/* The graph */

static bool graph_has(const struct pta *a, const struct callgraph *g, const struct site *s, method_id callee)
{
	method_id m = s->method;
	uint32_t pc = s->link.site.pc, n;

	contract_place(a, &m, &pc);
	const struct cg_site *sites = callgraph_reaches(g, m) ? callgraph_sites(g, m, &n) : NULL;

	for (uint32_t i = 0; sites && i < n; i++) {
		struct cg_targets t = callgraph_targets(g, &sites[i]);
		if (sites[i].pc != pc || sites[i].mref.i != s->link.site.mref.i)
			continue;
		for (uint32_t k = 0; k < t.n; k++)
			if (t.methods[k].i == callee.i)
				return true;
	}
	return false;
}

/* Calls of the user, of the JVM and of models that fail to link are not part of a graph. */
static bool is_edge(const struct check *k, uint32_t site, method_id callee)
{
	const struct site *s = &k->a->sites.data[site];

	return !k->g || s->is_outside || !s->link.is_listed || graph_has(k->a, k->g, s, callee);
}

static bool is_reached(const struct check *k, method_id m)
{
	struct pta *a = k->a;

	if (!m.i || m.i >= a->templates.len || !a->templates.data[m.i])
		return false;
	uint32_t pc = 0;
	contract_place(a, &m, &pc);
	return !k->g || method_row(a->p, m)->owner.i == a->linker.jvm.i || callgraph_reaches(k->g, m);
}

/* Where objects are */

enum where { IN_VARIABLE, IN_SLOT, IN_STATIC, IN_FLIGHT, AT_CLIENT, AT_JVM, AT_UNKNOWN, AT_CALL };

static enum where where_of(const struct pta_step *s)
{
	switch (s->sort) {
	case STEP_FIELD:
	case STEP_ELEMENT:
		return IN_SLOT;
	case STEP_STATIC:
		return IN_STATIC;
	case STEP_THROWN:
		return IN_FLIGHT;
	case STEP_CLIENT:
		return AT_CLIENT;
	case STEP_JVM:
		return AT_JVM;
	case STEP_UNKNOWN:
		return AT_UNKNOWN;
	case STEP_CALL:
		return AT_CALL;
	default:
		return IN_VARIABLE;
	}
}

/* A witness may be anything: what it names need not exist. */
static bool is_variable(const struct pta *a, const struct pta_step *s)
{
	return s->of && s->of < a->instances.len && a->instances.data[s->of].method.i == s->method.i &&
	       s->index <= template_at(a, s->of)->nvars;
}

static bool is_slot(struct pta *a, const struct pta_step *s)
{
	bool is_kind = s->of && s->of < a->kinds.classes.len;
	bool is_own = s->of >= KINDS_MAX && s->of - KINDS_MAX < a->objects.len && a->objects.data[s->of - KINDS_MAX].place;

	if (!is_kind && !is_own)
		return false;
	class_id c = a->kinds.classes.data[solver_kind_of(a->s, (object_id){ s->of }).i];
	return s->index < (c.i ? class_slots(a, c) : 1) && object_place(a, (object_id){ s->of }) == s->place;
}

static bool is_static_place(struct pta *a, const struct pta_step *s)
{
	if (!is_jvm_field(s->of) && (!s->of || s->of >= a->p->fields.len || s->field.i != s->of))
		return false;
	return map_get(&a->node_of_field, s->of) != 0;
}

static node_id node_at(struct pta *a, const struct pta_step *s)
{
	const node_id none = { 0 };

	switch (where_of(s)) {
	case IN_VARIABLE:
		return is_variable(a, s) && s->index ? variable_node(a, s->of, s->index) : none;
	case IN_SLOT:
		return is_slot(a, s) ? solver_slot(a->s, (object_id){ s->of }, s->index) : none;
	case IN_STATIC:
		return is_static_place(a, s) ? static_node(a, s->of) : none;
	case IN_FLIGHT:
		return s->of == s->method.i && s->of < a->templates.len && a->templates.data[s->of] ?
			       a->templates.data[s->of]->thrown : none;
	case AT_CLIENT:
		return a->client;
	case AT_JVM:
		return a->everything;
	case AT_UNKNOWN:
		return a->callbacks.escaped;
	default:
		return none;
	}
}

/* Moves: does the statement of an instance move the object from one step to the next? */

static bool from_variable(const struct check *k, uint32_t in, uint32_t var)
{
	return var && where_of(k->from) == IN_VARIABLE && k->from->of == in && k->from->index == var;
}

static bool to_variable(const struct check *k, uint32_t in, uint32_t var)
{
	return var && where_of(k->to) == IN_VARIABLE && k->to->of == in && k->to->index == var;
}

static bool passes_mask(const struct check *k, mask_id m)
{
	return k->a->policy->unify_after || solver_mask_has(k->a->s, m, solver_kind_of(k->a->s, k->w->object));
}

static bool passes_class(const struct check *k, uint32_t c)
{
	return !c || c == k->a->p->object.i || passes_mask(k, mask_of_class(k->a, (class_id){ c }));
}

static bool in_memory(const struct pta_step *s)
{
	return where_of(s) == IN_SLOT || where_of(s) == IN_STATIC;
}

/* Is the place of the step field f of an object in the variable? */
static bool is_field_of(const struct check *k, const struct pta_step *at, uint32_t in, uint32_t base, field_id f)
{
	struct pta *a = k->a;

	if (where_of(at) == IN_STATIC)
		return a->policy->fields != FIELD_OF_OBJECT && at->of == f.i;
	if (where_of(at) != IN_SLOT || at->sort != STEP_FIELD || !holds(a, variable_node(a, in, base), (object_id){ at->of }))
		return false;
	bool is_unknown = !a->kinds.classes.data[solver_kind_of(a->s, (object_id){ at->of }).i].i;      /* all its fields are one */
	return is_unknown || at->index == slot_of_field(a, f);
}

static bool is_element_of(const struct check *k, const struct pta_step *at, uint32_t in, uint32_t base)
{
	return where_of(at) == IN_SLOT && at->sort == STEP_ELEMENT &&
	       holds(k->a, variable_node(k->a, in, base), (object_id){ at->of });
}

/* Memory by offset: any field of any object in the variable. */
static bool is_part_of(const struct check *k, const struct pta_step *at, uint32_t in, uint32_t base)
{
	if (where_of(at) == IN_STATIC)
		return k->a->policy->fields != FIELD_OF_OBJECT && !is_jvm_field(at->of);
	return where_of(at) == IN_SLOT && holds(k->a, variable_node(k->a, in, base), (object_id){ at->of });
}

static bool is_at_jvm_field(const struct pta_step *at, fref_id f)
{
	return where_of(at) == IN_STATIC && at->of == jvm_field(f);
}

static bool is_static_field(const struct pta_step *at, uint32_t field)
{
	return where_of(at) == IN_STATIC && at->of == field;
}

static bool reaches_handler(const struct check *k, uint32_t in, uint32_t scope)
{
	const struct template *t = template_at(k->a, in);

	for (uint32_t i = 0; i < t->scopes[scope].n; i++) {
		const struct handler *h = &t->handlers[t->scopes[scope].first + i];
		if (to_variable(k, in, h->var) && passes_mask(k, h->mask))
			return true;
	}
	return false;
}

static bool escapes(const struct check *k, method_id m, const struct scope *s)
{
	return where_of(k->to) == IN_FLIGHT && k->to->method.i == m.i && !s->catches_all &&
	       (!s->n || passes_mask(k, s->escapes));
}

static bool goes_to_scope(const struct check *k, uint32_t in, uint32_t scope)
{
	return reaches_handler(k, in, scope) ||
	       escapes(k, k->a->instances.data[in].method, &template_at(k->a, in)->scopes[scope]);
}

static bool is_stated(const struct check *k, uint32_t in, uint32_t site)
{
	return k->to->is_joined || (k->to->by.i == k->a->instances.data[in].method.i &&
				    k->to->by_pc == k->a->sites.data[site].link.site.pc);
}

/* From the caller to the callee. Without operands the JVM passes what it has. */
static bool call_passes(const struct check *k, uint32_t in, const struct t_stmt *s)
{
	struct pta *a = k->a;
	const struct template *t = template_at(a, in);
	uint32_t callee = k->to->of, n = t->args[s->from];

	if (where_of(k->to) != IN_VARIABLE)
		return false;
	const struct template *to = template_at(a, callee);
	for (uint32_t i = 0; i < n && i < to->nparams; i++) {
		bool is_receiver = i == 0 && to->has_receiver;
		if (from_variable(k, in, t->args[s->from + 1 + i]) && to->params[i] && to->params[i] == k->to->index &&
		    is_stated(k, in, s->ref) && call_reaches(a, in, s, is_receiver ? k->w->object : (object_id){ 0 }, callee))
			return is_edge(k, s->ref, k->to->method);
	}
	return false;
}

static bool call_returns(const struct check *k, uint32_t in, const struct t_stmt *s)
{
	struct pta *a = k->a;

	if (where_of(k->from) != IN_VARIABLE || !to_variable(k, in, s->to) || !is_stated(k, in, s->ref))
		return false;
	uint32_t returned = template_at(a, k->from->of)->returns;
	return returned && returned == k->from->index && call_reaches(a, in, s, (object_id){ 0 }, k->from->of) &&
	       is_edge(k, s->ref, k->from->method);
}

static bool call_throws(const struct check *k, uint32_t in, const struct t_stmt *s)
{
	bool is_stated_here = where_of(k->to) == IN_VARIABLE || is_stated(k, in, s->ref);

	return where_of(k->from) == IN_FLIGHT && has_target(&k->a->sites.data[s->ref], k->from->method) && is_stated_here &&
	       goes_to_scope(k, in, s->more) && is_edge(k, s->ref, k->from->method);
}

static bool stmt_moves(const struct check *k, uint32_t in, const struct t_stmt *s)
{
	switch ((enum t_op)s->op) {
	case T_COPY:
		return from_variable(k, in, s->from) && to_variable(k, in, s->to) && passes_class(k, s->ref);
	case T_LOAD:
		return to_variable(k, in, s->to) && is_field_of(k, k->from, in, s->from, (field_id){ s->ref });
	case T_STORE:
		return from_variable(k, in, s->from) && is_field_of(k, k->to, in, s->to, (field_id){ s->ref });
	case T_GET_ELEMENT:
		return to_variable(k, in, s->to) && is_element_of(k, k->from, in, s->from) && passes_class(k, s->ref);
	case T_PUT_ELEMENT:
		return from_variable(k, in, s->from) && is_element_of(k, k->to, in, s->to);
	case T_GET_STATIC:
		return to_variable(k, in, s->to) && is_static_field(k->from, s->ref);
	case T_PUT_STATIC:
		return from_variable(k, in, s->from) && is_static_field(k->to, s->ref);
	case T_GET_ANY:
		return to_variable(k, in, s->to) && is_part_of(k, k->from, in, s->from);
	case T_PUT_ANY:
		return from_variable(k, in, s->from) && is_part_of(k, k->to, in, s->to);
	case T_RAISE:
		return is_at_jvm_field(k->from, k->a->raised_field) && reaches_handler(k, in, s->more);
	case T_THROW:
		return from_variable(k, in, s->from) && goes_to_scope(k, in, s->more);
	case T_CALL:
		return call_passes(k, in, s) || call_returns(k, in, s) || call_throws(k, in, s);
	default:
		return false;
	}
}

static bool instance_moves(const struct check *k, uint32_t in)
{
	const struct template *t = template_at(k->a, in);

	for (uint32_t i = 0; i < t->nstmts; i++)
		if (stmt_moves(k, in, &t->stmts[i]))
			return true;
	return false;
}

static bool any_instance_moves(const struct check *k, method_id m)
{
	for (uint32_t in = 1; in < k->a->instances.len; in++)
		if (k->a->instances.data[in].method.i == m.i && instance_moves(k, in))
			return true;
	return false;
}

/* Moves that no statement makes */

static bool is_parameter_of(const struct pta *a, const struct pta_step *s)
{
	const struct template *t = where_of(s) == IN_VARIABLE ? template_at(a, s->of) : NULL;

	for (uint32_t i = 0; t && i < t->nparams; i++)
		if (s->index && t->params[i] == s->index)
			return true;
	return false;
}

/* A call without operands, by the JVM or through a handle, or a hook of serialization. */
static bool is_implied(const struct pta *a, method_id m)
{
	for (uint32_t i = 1; i < a->sites.len; i++)
		if (a->sites.data[i].link.site.implied && has_target(&a->sites.data[i], m))
			return true;
	return false;
}

static bool jvm_passes(const struct check *k)
{
	const struct pta *a = k->a;
	bool has_it = where_of(k->from) == AT_JVM || is_at_jvm_field(k->from, a->argument_field);

	return has_it && !k->to->by.i && is_parameter_of(a, k->to) &&
	       (method_row(a->p, k->to->method)->owner.i == a->linker.jvm.i || is_implied(a, k->to->method));
}

/* What an initialiser throws is raised wherever the class is used. */
static bool initialiser_raises(const struct check *k)
{
	const struct pta *a = k->a;

	return where_of(k->from) == IN_FLIGHT && is_at_jvm_field(k->to, a->raised_field) &&
	       method_row(a->p, k->from->method)->sel.i == a->linker.clinit.i;
}

/* What a hook of serialization returns is kept for whoever called it. */
static bool hook_returns(const struct check *k)
{
	struct pta *a = k->a;

	if (where_of(k->from) != IN_VARIABLE || where_of(k->to) != IN_STATIC)
		return false;
	uint32_t returned = template_at(a, k->from->of)->returns;
	for (uint32_t i = 1; returned && returned == k->from->index && i < a->watches.len; i++) {
		const struct watch *w = &a->watches.data[i];
		if (w->sort != WATCH_HOOK || !has_target(&a->sites.data[w->instance], k->from->method))
			continue;
		const struct site *s = &a->sites.data[w->instance];
		fref_id f = hook_result(a, s->method, mref_row(a->p, s->link.site.mref)->sel);
		if (f.i && is_at_jvm_field(k->to, f) && is_edge(k, w->instance, k->from->method))
			return true;
	}
	return false;
}

static bool is_entry(const struct pta *a, method_id m)
{
	return m.i && m.i < a->templates.len && a->templates.data[m.i] && a->templates.data[m.i]->is_entry;
}

static bool client_moves(const struct check *k)
{
	const struct pta *a = k->a;
	const struct pta_step *from = k->from, *to = k->to;

	if (where_of(from) == AT_CLIENT)
		return where_of(to) == AT_CLIENT || in_memory(to) || (is_entry(a, to->method) && is_parameter_of(a, to));
	if (where_of(to) != AT_CLIENT)
		return false;
	if (where_of(from) == IN_VARIABLE)
		return is_entry(a, from->method) && template_at(a, from->of)->returns == from->index;
	return in_memory(from) || is_entry(a, from->method);
}

static bool is_called_back(const struct pta *a, method_id m)
{
	for (uint32_t i = 1; i < a->sites.len; i++)
		if (a->sites.data[i].callbacks && has_target(&a->sites.data[a->sites.data[i].callbacks], m))
			return true;
	return false;
}

static bool escapes_from(struct pta *a, const struct pta_step *s)
{
	node_id n = node_at(a, s);

	for (uint32_t i = 1; n.i && i < a->watches.len; i++)
		if (a->watches.data[i].sort == WATCH_ESCAPE && a->watches.data[i].node.i == n.i)
			return true;
	return false;
}

static bool unknown_code_moves(const struct check *k)
{
	if (where_of(k->to) == AT_UNKNOWN)
		return escapes_from(k->a, k->from);
	return where_of(k->from) == AT_UNKNOWN && is_parameter_of(k->a, k->to) && is_called_back(k->a, k->to->method);
}

static bool moves_on(const struct check *k)
{
	if (where_of(k->to) == AT_JVM)
		return k->from->sort == STEP_NEW || k->from->sort == STEP_CLIENT;
	if (jvm_passes(k) || initialiser_raises(k) || hook_returns(k) || client_moves(k) || unknown_code_moves(k))
		return true;
	if (where_of(k->from) == IN_VARIABLE && instance_moves(k, k->from->of))
		return true;
	if (where_of(k->to) == IN_VARIABLE && instance_moves(k, k->to->of))
		return true;
	return where_of(k->to) == IN_FLIGHT && any_instance_moves(k, k->to->method);
}

/* Where both sides of an assignment are one, objects go either way. */
static bool moves(const struct check *k)
{
	struct check back = *k;
	struct pta_step from = *k->from;

	if (!k->to->is_joined)
		return moves_on(k);
	from.is_joined = true;
	back.from = k->to;
	back.to = &from;
	return k->a->policy->unify_after && moves_on(&back);
}

/* Statements of bodies: is it written where the step says? */

static uint32_t var_of(const struct template *t, ir_value v)
{
	return v && v <= t->nvalues ? t->var_of_value[v] : 0;
}

static bool is_written(const struct check *k, const struct ir_body *b, const struct ir_stmt *s)
{
	const struct pta_step *to = k->to, *from = k->from;
	const struct template *t = k->a->templates.data[to->by.i];
	ir_value last = s->nargs ? b->args[s->args + s->nargs - 1] : 0;

	switch (to->sort) {
	case STEP_FIELD:
	case STEP_STATIC:
		return (s->op == IR_PUTFIELD || (s->op == IR_PUTSTATIC && to->sort == STEP_STATIC)) &&
		       var_of(t, last) == from->index && fref_row(k->a->p, (fref_id){ s->ref })->target.i == to->field.i;
	case STEP_ELEMENT:
		return s->op == IR_ASTORE && var_of(t, last) == from->index;
	case STEP_THROWN:
		return where_of(from) == IN_FLIGHT ? ir_is_call(s->op) : s->op == IR_THROW && var_of(t, last) == from->index;
	case STEP_NEW:
		return s->op == IR_NEW || s->op == IR_NEWARRAY || s->op == IR_CONST_HANDLE || (to->value && s->result == to->value);
	case STEP_ARGUMENT:
	case STEP_RESULT:      /* stmt_moves looked at these; a handle makes its call, too */
		return ir_is_call(s->op) || s->op == IR_CONST_HANDLE;
	case STEP_CALL:
		return ir_is_call(s->op) && s->ref == k->w->site.mref.i;
	default:
		return s->result && s->result == to->value && var_of(t, s->result) == to->index;
	}
}

/* What the user's side and the JVM do is written nowhere. */
static bool needs_statement(const struct check *k)
{
	bool is_given = k->to->sort == STEP_ARGUMENT || in_memory(k->to);

	if (where_of(k->to) == AT_CLIENT || where_of(k->to) == AT_JVM || where_of(k->to) == AT_UNKNOWN)
		return false;
	return !is_given || where_of(k->from) == IN_VARIABLE;
}

static bool check_statement(struct check *k)
{
	const struct pta_step *s = k->to;
	struct pta *a = k->a;

	if (!s->by.i)
		return !needs_statement(k) || wrong(k, "a step is made by no statement");
	if (!is_reached(k, s->by))
		return wrong(k, "a statement is not reachable");
	if (s->by_pc == PC_NONE || s->is_joined || s->is_hidden)
		return true;
	arena_clear(&a->scratch);
	const struct ir_body *b = a->p->source.body(a->p->source.ctx, a->p, s->by, &a->scratch);
	for (uint32_t i = 0; b && i < b->nstmts; i++)
		if (b->stmts[i].pc == s->by_pc && is_written(k, b, &b->stmts[i]))
			return true;
	return wrong(k, "a step is not written where it is said to be");
}

/* The ends */

static bool creates(const struct check *k, const struct pta_step *s, const struct t_stmt *stmt)
{
	struct pta *a = k->a;
	const struct place *place = &a->places.data[k->w->place];

	if (stmt->op == T_GET_ANY)
		return s->sort == STEP_TYPE && stmt->to == s->index && reads_constant(a, s->of, stmt, k->w->object);
	if (stmt->op != T_OBJECT || stmt->ref != k->w->place || stmt->to != s->index)
		return false;
	if ((s->sort == STEP_TYPE) != (stmt->to && is_constant_type(a, template_at(a, s->of)->types[stmt->to])))
		return false;
	if (place->is.method.i && (place->is.method.i != s->by.i || place->is.pc != s->by_pc))
		return false;
	return !place->by_site || object_at(a, k->w->place, a->instances.data[s->of].context).i == k->w->object.i;
}

static bool check_first(struct check *k)
{
	const struct pta_step *s = &k->w->steps[0];

	if (s->sort == STEP_CLIENT)
		return holds(k->a, k->a->client, k->w->object) || wrong(k, "the user's side does not make the object");
	if ((s->sort != STEP_NEW && s->sort != STEP_TYPE) || !is_variable(k->a, s))
		return wrong(k, "the first step is no creation");
	const struct template *t = template_at(k->a, s->of);
	for (uint32_t i = 0; i < t->nstmts; i++)
		if (creates(k, s, &t->stmts[i]))
			return true;
	return wrong(k, "the object is not created there");
}

/* The receiver variable of the call in this instance, or the JVM's any object. */
static bool is_receiver_of(const struct check *k, uint32_t in, const struct t_stmt *s)
{
	const struct template *t = template_at(k->a, in);

	if (!t->args[s->from])
		return where_of(k->from) == AT_JVM;
	return from_variable(k, in, t->args[s->from + 1]);
}

static bool call_dispatches(const struct check *k, uint32_t site)
{
	const struct link *l = &k->a->sites.data[site].link;
	method_id m = receiver_target(k->a, site, k->w->object);

	return l->sort == LINK_DISPATCHED && m.i && has_target(&k->a->sites.data[site], m) && is_edge(k, site, m);
}

static bool instance_calls(const struct check *k, uint32_t in)
{
	const struct template *t = template_at(k->a, in);

	for (uint32_t i = 0; i < t->nstmts; i++) {
		const struct t_stmt *s = &t->stmts[i];
		if (s->op != T_CALL || !is_receiver_of(k, in, s))
			continue;
		const struct cg_site *site = &k->a->sites.data[s->ref].link.site;
		if (site->pc == k->w->site.pc && site->mref.i == k->w->site.mref.i && call_dispatches(k, s->ref))
			return true;
	}
	return false;
}

static bool check_call(struct check *k)
{
	const struct pta_step *s = k->to;

	if (s->method.i != k->w->caller.i || s->by.i != k->w->caller.i || s->by_pc != k->w->site.pc || s->pc != k->w->site.pc)
		return wrong(k, "the last step is another call");
	if (where_of(k->from) == IN_VARIABLE && k->from->method.i == s->method.i)
		return instance_calls(k, k->from->of) || wrong(k, "the object is not the receiver of the call");
	for (uint32_t in = 1; in < k->a->instances.len; in++)
		if (k->a->instances.data[in].method.i == s->method.i && instance_calls(k, in))
			return true;
	return wrong(k, "the object is not the receiver of the call");
}

/* The whole */

static bool check_object(struct check *k)
{
	struct pta *a = k->a;
	object_id o = k->w->object;
	bool exists = (o.i && o.i < a->kinds.classes.len) || (o.i >= KINDS_MAX && o.i - KINDS_MAX < a->objects.len);

	if (!exists || k->w->place >= a->places.len || object_place(a, o) != k->w->place)
		return wrong(k, "there is no such object");
	return is_receiver_class(a, o, k->w->receiver) || wrong(k, "the object has another class");
}

static bool check_step(struct check *k, uint32_t i)
{
	k->to = &k->w->steps[i];
	k->from = i ? &k->w->steps[i - 1] : NULL;
	bool is_last = i + 1 == k->w->nsteps;
	node_id n = node_at(k->a, k->to);

	if ((k->to->sort == STEP_CALL) != is_last)
		return wrong(k, "the last step, and no other, is the call");
	if (is_last)
		return check_call(k) && check_statement(k);
	if (!n.i && (k->to->sort != STEP_NEW || k->to->index))
		return wrong(k, "a step leads nowhere");
	if (n.i && !holds(k->a, n, k->w->object))
		return wrong(k, "the object is not there after a step");
	if (where_of(k->to) == IN_VARIABLE && !is_reached(k, k->to->method))
		return wrong(k, "a method on the way is not reachable");
	if (i && (k->to->sort == STEP_NEW || k->to->sort == STEP_TYPE))
		return wrong(k, "the object is created twice");
	if (i && !moves(k))
		return wrong(k, "no statement makes a step");
	return check_statement(k);
}

bool pta_check_witness(struct pta *a, const struct callgraph *g, const struct pta_witness *w, const char **reason)
{
	struct check k = { .a = a, .g = g, .w = w };
	bool ok = true;

	if (!w->found || !w->has_receiver || w->nsteps < 2)
		ok = wrong(&k, "there is no way to check");
	ok = ok && check_object(&k) && check_first(&k);
	for (uint32_t i = 0; ok && i < w->nsteps; i++)
		ok = check_step(&k, i);
	*reason = k.reason;
	return ok;
}
