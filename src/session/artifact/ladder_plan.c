/* SPDX-License-Identifier: Apache-2.0 */
/* ladder_plan.c - what the ladder of criteria asks of a call: may it run more than one method, which one does it name, and which
 * receivers run a method of the component. */
#include "session/artifact/plan_p.h"

/* A class of the component, or a lambda in one. */
static bool is_own(const struct plan_maker *m, class_id c)
{
	struct lambda_facts l;

	return component_has(&m->f->component, c) || (loader_lambda(m->s->loader, c, &l) && component_has(&m->f->component, l.host));
}

/* Could a class that is not known have another method for it? */
static bool is_overridable(const struct plan_maker *m, method_id id)
{
	const struct ir_method *row = method_row(m->p, id);

	return !(row->flags & (ACCESS_FINAL | ACCESS_PRIVATE)) && !(class_row(m->p, row->owner)->flags & ACCESS_FINAL);
}

static method_id select_target(struct plan_maker *m, const struct req_site *s, class_id receiver, method_id means)
{
	return s->op == IR_CALL_INTERFACE ? select_interface(&m->f->h, receiver, means) : select_method(&m->f->h, receiver, means);
}

/* Sites share lists of receivers, and many calls of one method have the same. */
static struct plan_range own_receivers(struct plan_maker *m, const struct req_site *s, method_id means)
{
	uint32_t first = m->plan->ids.len, *known = map_at(&m->own_of, map_key(s->rc.first, s->declared.i));

	if (*known)
		return m->ranges.data[*known - 1];
	for (uint32_t k = 0; k < s->rc.n; k++) {
		class_id c = req_class(m->found, s->rc, k);
		method_id target = is_own(m, c) ? select_target(m, s, c, means) : (method_id){ 0 };
		if (target.i && is_own(m, method_row(m->p, target)->owner))
			vec_push(&m->plan->ids, map_get(&m->row_of, plan_type(m, c).i));
	}
	vec_push(&m->ranges, plan_end_range(m, first));
	*known = m->ranges.len;
	return *vec_last(&m->ranges);
}

void plan_add_ladder(struct plan_maker *m, const struct req_site *s, struct plan_site *row)
{
	row->declares = row->owner;
	if (resolve_method(&m->f->h, s->declared) != RESOLVE_OK)
		return;
	method_id means = mref_row(m->p, s->declared)->target;
	row->declares = plan_keep_class(m, method_row(m->p, means)->owner);
	bool may_run_others = (row->flags & (PLAN_OPEN | PLAN_CLIENT)) && is_overridable(m, means);
	if (row->tm.n + may_run_others < 2)
		return;
	row->flags |= PLAN_CHOICE;
	if (s->rc.n)
		row->own = own_receivers(m, s, means);
}
