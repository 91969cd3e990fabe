/* SPDX-License-Identifier: Apache-2.0 */
/* criteria.c - the functions that the rows of criteria.def name, and the rows. */
#include "coverage/criteria.h"

#include "coverage/coverage_p.h"

static uint32_t types_of(const struct plan *p, struct plan_range list, uint32_t nth, struct requirement *out)
{
	if (out && nth < list.n) {
		uint32_t type = p->ids.data[list.first + nth];
		*out = (struct requirement){ .name = p->types.data[type].name, .type = type };
	}
	return list.n;
}

/* rc: every class that the receiver can have. */

static uint32_t required_rc(const struct plan *p, const struct plan_site *s, uint32_t nth, struct requirement *out)
{
	return types_of(p, s->rc, nth, out);
}

static void covered_by_rc(struct seen_cell *cell)
{
	if (cell->receiver != NONE)
		seen_type(cell, cell->site->rc, cell->receiver);
}

/* own: of these, the component's own. */

static bool is_own(struct item_at at)
{
	return at.item->is_own;
}

/* tm: every method that can run; by the classes that declare them. */

static uint32_t required_tm(const struct plan *p, const struct plan_site *s, uint32_t nth, struct requirement *out)
{
	return types_of(p, s->tm, nth, out);
}

static void covered_by_tm(struct seen_cell *cell)
{
	if (cell->target != NONE)
		seen_type(cell, cell->site->tm, cell->target);
}

/* The ladder: own methods at calls that have a choice. The declared method is the one that the call means, wherever the class that
 * it names has it from. */

static bool is_own_target(struct item_at at)
{
	return plan_range_has(at.p, at.site->own_targets, at.item->type);
}

static bool is_own_receiver(struct item_at at)
{
	return plan_range_has(at.p, at.site->own, at.item->type);
}

static uint32_t class_of_type(const struct plan *p, uint32_t type)
{
	const struct plan_type *t = &p->types.data[type];

	return plan_find_class(p, t->sort == PLAN_LAMBDA ? t->host : t->name);
}

static uint32_t by_implementation(struct item_at at, struct strbuf *key)
{
	strbuf_addf(key, "%u ", at.item->type);
	strbuf_addstr(key, at.site->declares);
	strbuf_addch(key, '.');
	strbuf_addstr(key, at.site->name);
	strbuf_addstr(key, at.site->desc);
	return class_of_type(at.p, at.item->type);
}

static uint32_t by_caller(struct item_at at, struct strbuf *key)
{
	strbuf_addf(key, "%u ", at.site->method);
	by_implementation(at, key);
	return at.p->methods.data[at.site->method].class;
}

/* callbacks: every method of the component that a library may call back, at calls. What uses of fields have in that list is du's. */

static uint32_t named_callbacks(const struct plan *p, const struct plan_site *s, uint32_t nth, struct requirement *out)
{
	if (out && nth < s->callbacks.n)
		*out = (struct requirement){ .name = p->types.data[p->ids.data[s->callbacks.first + nth]].name,
					     .by = p->bys.data[s->first_by + nth] };
	return s->callbacks.n;
}

static uint32_t required_callbacks(const struct plan *p, const struct plan_site *s, uint32_t nth, struct requirement *out)
{
	return s->flags & PLAN_FIELD ? 0 : named_callbacks(p, s, nth, out);
}

/* Only what nothing but a thread can run is required as such; and what the call also calls itself is no callback. */
static void covered_by_callbacks(struct seen_cell *cell)
{
	const struct plan_site *s = cell->site;
	struct str plain = cell->callee;

	if (str_ends(plain, PLAN_LATER))
		plain.len -= (uint32_t)strlen(PLAN_LATER);
	if (s->flags & PLAN_FIELD || !plain.len || seen_method(cell, s->callbacks, cell->callee) || seen_is_in(cell, s->direct, plain))
		return;
	if (plain.len == cell->callee.len || !seen_method(cell, s->callbacks, plain))
		seen_unexpected(cell);
}

/* du: every definition that a use of a field may read. */

static uint32_t required_du(const struct plan *p, const struct plan_site *s, uint32_t nth, struct requirement *out)
{
	return s->flags & PLAN_FIELD ? named_callbacks(p, s, nth, out) : 0;
}

static void covered_by_du(struct seen_cell *cell)
{
	bool is_use = cell->site->flags & PLAN_FIELD;

	if (is_use && cell->callee.len && !seen_method(cell, cell->site->callbacks, cell->callee))
		seen_unexpected(cell);
}

#ifdef SHERD_TEST_CRITERION
/* cs: the call is made at least once. */

static uint32_t required_cs(const struct plan *p, const struct plan_site *s, uint32_t nth, struct requirement *out)
{
	(void)p;
	if (out && nth == 0)
		*out = (struct requirement){ .name = s->name };
	return 1;
}

static void covered_by_cs(struct seen_cell *cell)
{
	seen_requirement(cell, 0);
}
#endif

#define CRITERION(id, ...) [COV_##id] = { __VA_ARGS__ },
const struct criterion cov_criteria[CRITERIA] = {
#include "coverage/criteria.def"
};
#undef CRITERION

uint32_t criteria_bits(void)
{
	uint32_t bits = 0;

	for (uint32_t k = 0; k < CRITERIA; k++)
		bits |= criterion_is_part(k) ? 0 : cov_criteria[k].bit;
	return bits;
}

uint32_t criteria_default_bits(void)
{
	uint32_t bits = 0;

	for (uint32_t k = 0; k < CRITERIA; k++)
		bits |= cov_criteria[k].is_default ? cov_criteria[k].bit : 0;
	return bits;
}

uint32_t criteria_with_ladder(uint32_t bits)
{
	return (bits & PLAN_RC) && (bits & PLAN_TM) ? bits | PLAN_LADDER : bits;
}

uint32_t criteria_named(struct str name)
{
	uint32_t k = 0;

	while (k < CRITERIA && !str_is(name, cov_criteria[k].name))
		k++;
	if (k == CRITERIA)
		return 0;
	return criterion_is_rung(k) ? PLAN_RC | PLAN_TM : cov_criteria[k].bit;
}

uint32_t criteria_receivers(const struct plan *p)
{
	uint32_t k = 0;

	while (k < CRITERIA && !(criterion_in(p, k) && cov_criteria[k].items == ITEM_RECEIVERS))
		k++;
	return k;
}
