/* SPDX-License-Identifier: Apache-2.0 */
/* Dynamic calls: beside the library's method they call dispatchers (analysis/dynamic), which do what they do by reflection. A
 * site of its own has these as targets; what they call is shown as called by the dynamic call (graph.c). */
#include "analysis/dynamic/outside/outside.h"
#include "analysis/pta/feature.h"

#include "base/sort.h"
#include "ir/access.h"

/* Of what is made or called by reflection, the library's own code knows nothing. */
static bool returns_by_dispatchers(enum dynamic_sort sort)
{
	return sort == DYNAMIC_NEW || sort == DYNAMIC_CONSTRUCT || sort == DYNAMIC_INVOKE || sort == DYNAMIC_GET ||
	       sort == DYNAMIC_HANDLE || sort == DYNAMIC_WRAP || sort == DYNAMIC_PROXY || sort == DYNAMIC_ALLOCATE || sort == DYNAMIC_BEAN;
}

static struct reflected *reflected_at(struct pta *a, uint32_t number)
{
	while (a->reflected.len <= number)
		vec_push(&a->reflected, (struct reflected){ 0 });
	return &a->reflected.data[number];
}

uint32_t reflection_site(struct maker *k, uint32_t number, struct link by, uint32_t scope)
{
	uint32_t own = maker_site(k, &by, scope);

	reflected_at(k->a, number)->site = own;
	k->a->sites.data[own].dynamic = number;
	return own;
}

/* Those that are not followed may still do something under assumptions. */
static bool is_followed(const struct pta *a, enum dynamic_sort sort)
{
	return sort < DYNAMIC_NATIVE || has_assumptions(a);
}

bool reflection_call(struct maker *k, const struct frame *f, const struct ir_stmt *s, const struct link *l, uint32_t scope, uint32_t site)
{
	struct pta *a = k->a;
	uint32_t number = dynamic_note(a->dynamic, k->caller.m, s->pc, l->site.mref, l->dynamic);
	struct link by = { .sort = LINK_REFLECTED, .dynamic = l->dynamic,
			   .site = { .pc = s->pc, .op = IR_CALL_STATIC, .mref = l->site.mref, .implied = (uint8_t)(1 + l->dynamic) } };

	if (!is_followed(a, l->dynamic) || reflected_at(a, number)->site)
		return false;
	a->sites.data[site].dynamic = number;
	uint32_t own = reflection_site(k, number, by, scope), result = s->result ? f->var[s->result] : 0;
	maker_emit(k, (struct t_stmt){ .op = T_CALL, .to = result, .from = maker_operands(k, f, s), .ref = own, .more = scope });
	return returns_by_dispatchers(l->dynamic) || (l->dynamic == DYNAMIC_ENUM && !has_assumptions(a));
}

/* Where it is assumed what may happen, what is made is of a class that is known; constants of enums are what the library's code makes of
 * that. */
static bool returns_unknown(const struct pta *a, enum dynamic_sort sort)
{
	if (has_assumptions(a) && (sort == DYNAMIC_NEW || sort == DYNAMIC_CONSTRUCT || sort == DYNAMIC_ENUM))
		return false;
	return returns_by_dispatchers(sort) || sort == DYNAMIC_ENUM;
}

/* The type of what a handle gives back is declared; what the JDK's machinery does with handles, it does for others. */
static void return_unknown(struct pta *a, struct instance_stmt at)
{
	const struct template *t = template_at(a, at.instance);
	const struct t_stmt *s = &t->stmts[at.stmt];
	enum dynamic_sort sort = a->sites.data[s->ref].link.dynamic;

	if (!s->to || !returns_unknown(a, sort) || (sort == DYNAMIC_HANDLE && t->is_shared))
		return;
	class_id type = sort == DYNAMIC_HANDLE ? t->types[s->to] : dynamic_cast(a->dynamic, a->sites.data[s->ref].dynamic);
	enum unknown_origin origin = origin_in(a, a->instances.data[at.instance].method);
	solver_add(a->s, variable_node(a, at.instance, s->to), unknown_object(a, type, origin));
}

void reflection_apply(struct pta *a, uint32_t in, uint32_t stmt)
{
	const struct t_stmt *s = &template_at(a, in)->stmts[stmt];
	uint32_t number = a->sites.data[s->ref].dynamic;

	vec_push(&reflected_at(a, number)->calls, ((struct instance_stmt){ in, stmt }));
	if (a->reflected.data[number].is_open)
		return_unknown(a, (struct instance_stmt){ in, stmt });
	for (uint32_t i = 0; i < a->sites.data[s->ref].targets.len; i++)
		call_reflected(a, in, s, a->sites.data[s->ref].targets.data[i]);
	for (uint32_t i = 0; i < a->reflected.data[number].sets.len; i++)
		assumptions_apply(a, in, stmt, a->reflected.data[number].sets.data[i]);
}

/* Rounds */

/* Of a call, by objects that are assumed to be there. */
static const method_list *assumed_targets(const struct pta *a, const struct site *s)
{
	static const method_list none;

	return s->assumed ? &a->assumed.refs.data[s->assumed].targets : &none;
}

static void index_assumed(struct pta *a)
{
	groups_clear(&a->assumed_of);
	if (!has_assumptions(a))
		return;
	for (uint32_t i = 1; i < a->sites.len; i++) {
		const struct site *s = &a->sites.data[i];
		const method_list *assumed = assumed_targets(a, s);
		for (uint32_t k = 0; k < assumed->len && !s->is_outside; k++)
			groups_add(&a->assumed_of, assumed->data[k].i, i);
	}
	groups_close(&a->assumed_of, a->p->methods.len);
}

/* The sites that call a method, in their order. */
static void find_callers(const struct pta *a, method_id target, id_list *out)
{
	const struct template *t = target.i < a->templates.len ? a->templates.data[target.i] : NULL;
	struct group_view assumed = groups_of(&a->assumed_of, target.i);

	for (uint32_t i = t ? t->caller : 0; i; i = a->callers.data[i].before)
		if (!a->sites.data[a->callers.data[i].site].is_outside)
			vec_push(out, a->callers.data[i].site);
	for (uint32_t i = 0; i < assumed.n; i++)
		vec_push(out, assumed.data[i]);
	out->len = sort_ids(out->data, out->len);
}

static void tell_callers(void *ctx, method_id target, bool is_again ATTR_UNUSED,
			 void (*fn)(void *x, method_id caller, uint32_t pc, mref_id ref), void *x)
{
	struct pta *a = ctx;
	id_list sites = { 0 };

	find_callers(a, target, &sites);
	for (uint32_t i = 0; i < sites.len; i++) {
		struct site s = a->sites.data[sites.data[i]];
		fn(x, s.method, s.link.site.pc, s.link.site.mref);
	}
	vec_release(&sites);
}

static void tell_targets(void *ctx, method_id caller, uint32_t pc, mref_id ref, const struct dynamic_targets *to)
{
	struct pta *a = ctx;
	const struct template *t = a->templates.data[caller.i];

	for (uint32_t i = t->first_site; i < t->first_site + t->nsites; i++) {
		const struct site *s = &a->sites.data[i];
		for (uint32_t k = 0; k < s->targets.len && s->link.site.pc == pc && s->link.site.mref.i == ref.i; k++)
			to->one(to->x, s->targets.data[k]);
		for (uint32_t k = 0; k < assumed_targets(a, s)->len && s->link.site.pc == pc && s->link.site.mref.i == ref.i; k++)
			to->one(to->x, assumed_targets(a, s)->data[k]);
	}
}

static bool tell_reached(void *ctx, method_id m)
{
	const struct pta *a = ctx;

	return m.i < a->templates.len && a->templates.data[m.i];
}

/* What is assumed to be called gets who knows what; that names are not passed to private methods and those of packages is
 * assumed, too, as for cha and rta. */
static bool tell_entry(void *ctx, method_id m)
{
	const struct pta *a = ctx;
	bool is_shown = method_row(a->p, m)->flags & (ACCESS_PUBLIC | ACCESS_PROTECTED);

	if (!tell_reached(ctx, m))
		return false;
	const struct template *t = a->templates.data[m.i];
	return t->is_entry || t->is_called || (t->is_assumed && is_shown);
}

static bool tell_client_entry(void *ctx, method_id m)
{
	const struct pta *a = ctx;

	return tell_reached(ctx, m) && a->templates.data[m.i]->is_client_entry;
}

/* All instances that there are; those to come call it in reflection_apply(). */
static void call_dispatcher(void *ctx, const struct dynamic_call *c)
{
	struct pta *a = ctx;

	if (!c->site) {
		entry_apply(a, c->dispatcher, c->made);
		return;
	}
	struct reflected *r = reflected_at(a, c->site);
	uint32_t n = r->calls.len;

	if (!n && r->site)
		add_edge(a, r->site, c->dispatcher);
	for (uint32_t i = 0; i < n; i++) {
		struct instance_stmt at = a->reflected.data[c->site].calls.data[i];
		call_reflected(a, at.instance, &template_at(a, at.instance)->stmts[at.stmt], c->dispatcher);
	}
}

static bool open_results(struct pta *a)
{
	bool is_new = false;

	for (uint32_t i = 1; i < a->reflected.len; i++) {
		if (a->reflected.data[i].is_open || !a->reflected.data[i].site || dynamic_is_resolved(a->dynamic, i))
			continue;
		a->reflected.data[i].is_open = is_new = true;
		for (uint32_t k = 0; k < a->reflected.data[i].calls.len; k++)
			return_unknown(a, a->reflected.data[i].calls.data[k]);
	}
	if (is_new)
		callbacks_pending(a);
	return is_new;
}

bool reflection_round(struct pta *a)
{
	const struct dynamic_graph view = { .ctx = a, .callers = tell_callers, .targets = tell_targets, .is_reached = tell_reached,
					    .is_entry = tell_entry, .is_client_entry = tell_client_entry };

	index_assumed(a);
	bool is_new = dynamic_round(a->dynamic, &view, call_dispatcher, a);
	is_new |= open_results(a);
	is_new |= assumptions_round(a);
	instances_apply(a);
	return is_new;
}

/* For people */

void contract_place(const struct pta *a, method_id *m, uint32_t *pc)
{
	for (uint32_t site; a->dynamic && (site = dynamic_site_of(a->dynamic, *m)) != 0;) {
		struct dynamic_place at = dynamic_place(a->dynamic, site);
		*m = at.caller;
		*pc = at.pc;
	}
}

/* What happens within dispatchers is no news, but that objects are made there. */
void pta_contract(struct pta *a, struct pta_witness *w)
{
	uint32_t site = a->dynamic ? dynamic_site_of(a->dynamic, w->caller) : 0;
	bool was_within = false;

	if (site) {
		w->site.implied = (uint8_t)(1 + dynamic_sort_of(a->dynamic, site));
		w->site.fact = dynamic_source_of(a->dynamic, w->caller) & OUTSIDE_MOST_FILES;
		contract_place(a, &w->caller, &w->site.pc);
	}
	for (uint32_t i = 0; a->dynamic && i < w->nsteps; i++) {
		struct pta_step *s = &a->steps.data[i];
		bool is_within = dynamic_is_dispatcher(a->dynamic, s->method);
		s->is_hidden |= (is_within && s->sort != STEP_NEW) || (was_within && s->sort == STEP_RESULT);
		s->value = is_within ? 0 : s->value;
		contract_place(a, &s->method, &s->pc);
		contract_place(a, &s->by, &s->by_pc);
		was_within = is_within;
	}
}
