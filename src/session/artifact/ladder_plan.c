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

/* Sites share lists of receivers and targets, and many calls of one method have the same. `add` puts types into the plan's ids. */
static struct plan_range own_list(struct plan_maker *m, const struct req_site *s, struct id_range of, method_id means,
				  void (*add)(struct plan_maker *m, const struct req_site *s, uint32_t k, method_id means))
{
	uint32_t first = m->plan->ids.len, *known = of.n ? map_at(&m->own_of, map_key(of.first, s->declared.i)) : NULL;

	if (!known)
		return (struct plan_range){ 0 };
	if (*known)
		return m->ranges.data[*known - 1];
	for (uint32_t k = 0; k < of.n; k++)
		add(m, s, k, means);
	vec_push(&m->ranges, plan_end_range(m, first));
	*known = m->ranges.len;
	return *vec_last(&m->ranges);
}

static void add_receiver(struct plan_maker *m, const struct req_site *s, uint32_t k, method_id means)
{
	class_id c = req_class(m->found, s->rc, k);
	method_id target = is_own(m, c) ? select_target(m, s, c, means) : (method_id){ 0 };

	if (target.i && is_own(m, method_row(m->p, target)->owner))
		vec_push(&m->plan->ids, map_get(&m->row_of, plan_type(m, c).i));
}

/* Does a receiver of the component run it there? */
static bool is_run_by_own(struct plan_maker *m, const struct req_site *s, method_id target, method_id means)
{
	for (uint32_t k = 0; k < s->rc.n; k++) {
		class_id c = req_class(m->found, s->rc, k);
		if (is_own(m, c) && select_target(m, s, c, means).i == target.i)
			return true;
	}
	return false;
}

/* A class of clients can extend a class of the component and implement any interface besides: of methods that have nothing to do with what
 * is called, only those count that the component's own objects run. */
static void add_target(struct plan_maker *m, const struct req_site *s, uint32_t k, method_id means)
{
	method_id target = req_method(m->found, s->tm, k);
	class_id owner = method_row(m->p, target)->owner;

	if (!is_own(m, owner))
		return;
	if (hierarchy_is_subtype(&m->f->h, owner, method_row(m->p, means)->owner) || is_run_by_own(m, s, target, means))
		vec_push(&m->plan->ids, map_get(&m->row_of, plan_type(m, owner).i));
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
	row->own = own_list(m, s, s->rc, means, add_receiver);
	row->own_targets = own_list(m, s, s->tm, means, add_target);
}
