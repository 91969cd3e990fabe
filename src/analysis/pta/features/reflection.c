/* SPDX-License-Identifier: Apache-2.0 */
/* Dynamic calls: beside the library's method they call dispatchers (analysis/dynamic), which do what they do by reflection. A
 * site of its own has these as targets; what they call is shown as called by the dynamic call (graph.c). */
#include "analysis/pta/feature.h"

/* Of what is made or called by reflection, the library's own code knows nothing. */
static bool returns_by_dispatchers(enum dynamic_sort sort)
{
	return sort == DYNAMIC_NEW || sort == DYNAMIC_CONSTRUCT || sort == DYNAMIC_INVOKE || sort == DYNAMIC_GET;
}

static struct reflected *reflected_at(struct pta *a, uint32_t number)
{
	while (a->reflected.len <= number)
		vec_push(&a->reflected, (struct reflected){ 0 });
	return &a->reflected.data[number];
}

bool reflection_call(struct maker *k, const struct frame *f, const struct ir_stmt *s, const struct link *l, uint32_t scope, uint32_t site)
{
	struct pta *a = k->a;
	uint32_t number = dynamic_note(a->dynamic, k->caller.m, s->pc, l->site.mref, l->dynamic);
	struct link by = { .sort = LINK_REFLECTED, .dynamic = l->dynamic,
			   .site = { .pc = s->pc, .op = IR_CALL_STATIC, .mref = l->site.mref, .implied = (uint8_t)(1 + l->dynamic) } };

	if (l->dynamic >= DYNAMIC_HANDLE || reflected_at(a, number)->site)
		return false;
	a->sites.data[site].dynamic = number;
	uint32_t own = maker_site(k, &by, scope), result = s->result ? f->var[s->result] : 0;
	reflected_at(a, number)->site = own;
	a->sites.data[own].dynamic = number;
	maker_emit(k, (struct t_stmt){ .op = T_CALL, .to = result, .from = maker_operands(k, f, s), .ref = own, .more = scope });
	return returns_by_dispatchers(l->dynamic);
}

static void return_unknown(struct pta *a, struct instance_stmt at)
{
	const struct t_stmt *s = &template_at(a, at.instance)->stmts[at.stmt];

	if (s->to && returns_by_dispatchers(a->sites.data[s->ref].link.dynamic))
		solver_add(a->s, variable_node(a, at.instance, s->to),
			   unknown_object(a, dynamic_cast(a->dynamic, a->sites.data[s->ref].dynamic)));
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
}

/* Rounds */

static void tell_callers(void *ctx, const struct method_bits *wanted,
			 void (*fn)(void *x, method_id caller, uint32_t pc, mref_id ref, method_id target), void *x)
{
	struct pta *a = ctx;

	for (uint32_t i = 1; i < a->sites.len; i++) {
		const struct site *s = &a->sites.data[i];
		for (uint32_t k = 0; k < s->targets.len && !s->is_outside; k++)
			if (method_bit(wanted, s->targets.data[k]))
				fn(x, s->method, s->link.site.pc, s->link.site.mref, s->targets.data[k]);
	}
}

static void tell_targets(void *ctx, method_id caller, uint32_t pc, mref_id ref, void (*fn)(void *x, method_id target), void *x)
{
	struct pta *a = ctx;
	const struct template *t = a->templates.data[caller.i];

	for (uint32_t i = t->first_site; i < t->first_site + t->nsites; i++) {
		const struct site *s = &a->sites.data[i];
		for (uint32_t k = 0; k < s->targets.len && s->link.site.pc == pc && s->link.site.mref.i == ref.i; k++)
			fn(x, s->targets.data[k]);
	}
}

static bool tell_reached(void *ctx, method_id m)
{
	const struct pta *a = ctx;

	return m.i < a->templates.len && a->templates.data[m.i];
}

static bool tell_entry(void *ctx, method_id m)
{
	const struct pta *a = ctx;

	return tell_reached(ctx, m) && (a->templates.data[m.i]->is_entry || a->templates.data[m.i]->is_called);
}

/* All instances that there are; those to come call it in reflection_apply(). */
static void call_dispatcher(void *ctx, const struct dynamic_call *c)
{
	struct pta *a = ctx;
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
	return is_new;
}

bool reflection_round(struct pta *a)
{
	const struct dynamic_graph view = { .ctx = a, .callers = tell_callers, .targets = tell_targets, .is_reached = tell_reached,
					    .is_entry = tell_entry };

	bool is_new = dynamic_round(a->dynamic, &view, call_dispatcher, a);
	is_new |= open_results(a);
	instances_apply(a);
	return is_new;
}

/* For people */

void contract_place(const struct pta *a, method_id *m, uint32_t *pc)
{
	uint32_t site = a->dynamic ? dynamic_site_of(a->dynamic, *m) : 0;

	if (!site)
		return;
	struct dynamic_place at = dynamic_place(a->dynamic, site);
	*m = at.caller;
	*pc = at.pc;
}

/* What happens within dispatchers is no news, but that objects are made there. */
void pta_contract(struct pta *a, struct pta_witness *w)
{
	uint32_t site = a->dynamic ? dynamic_site_of(a->dynamic, w->caller) : 0;
	bool was_within = false;

	if (site) {
		w->site.implied = (uint8_t)(1 + dynamic_sort_of(a->dynamic, site));
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
