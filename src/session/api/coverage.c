/* SPDX-License-Identifier: Apache-2.0 */
/* sherd.h: what runs exercised of what tests should. */
#include "session/api/api_p.h"

#include <stdlib.h>

#include "report/coverage/names.h"
#include "session/artifact/result.h"

struct sherd_coverage {
	struct inquiry inquiry;
	struct result result;
	bool is_read, ok;
	uint32_t criteria[CRITERIA];  /* those of the plan */
	size_t ncriteria;
	struct api_texts diagnostics, notes, names, sources, methods, declared, items, tests;
};

/* Opening */

sherd_coverage *sherd_coverage_open(const char *const *paths, size_t npaths, const char *plan)
{
	sherd_coverage *c = mem_zalloc(sizeof(*c));

	inquiry_init(&c->inquiry, 0);
	if (!npaths || npaths > UINT32_MAX) {
		api_refuse(&c->inquiry.diag, NULL, "coverage is read from one path at least: a folder that sherd cover left");
		return c;
	}
	c->is_read = true;
	c->ok = result_open(&c->result, paths, (uint32_t)npaths, plan, NULL, &c->inquiry.diag);
	for (uint32_t k = 0; c->ok && k < CRITERIA; k++)
		if (criterion_in(&c->result.plan, k))
			c->criteria[c->ncriteria++] = k;
	return c;
}

bool sherd_coverage_ok(const sherd_coverage *c)
{
	return c->ok;
}

void sherd_coverage_close(sherd_coverage *c)
{
	if (!c)
		return;
	if (c->is_read)
		result_close(&c->result);
	inquiry_release(&c->inquiry);
	struct api_texts *all[] = { &c->diagnostics, &c->notes, &c->names, &c->sources,
				    &c->methods, &c->declared, &c->items, &c->tests };
	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		api_texts_release(all[i]);
	free(c);
}

const char *sherd_coverage_diagnostic(sherd_coverage *c, size_t k)
{
	return api_diagnostic(&c->inquiry.diag, &c->diagnostics, k);
}

/* The text under its number, made of `s`. */
static const char *text_of(struct api_texts *t, size_t k, struct str s)
{
	const char **at = api_text_at(t, (uint32_t)k);

	if (!*at)
		*at = api_str(&t->mem, s);
	return *at;
}

const char *sherd_coverage_note(sherd_coverage *c, size_t k)
{
	return k < c->result.coverage.notes.len ? text_of(&c->notes, k, c->result.coverage.notes.data[k]) : NULL;
}

/* Criteria */

static struct sherd_criterion criterion(uint32_t k, const struct cov_sums *s)
{
	return (struct sherd_criterion){ cov_criteria[k].name, cov_criteria[k].words, s->of[k].required, s->of[k].covered };
}

size_t sherd_coverage_criteria(const sherd_coverage *c)
{
	return c->ncriteria;
}

struct sherd_criterion sherd_coverage_criterion(const sherd_coverage *c, size_t k)
{
	return k < c->ncriteria ? criterion(c->criteria[k], &c->result.coverage.sums) : (struct sherd_criterion){ 0 };
}

/* Chains */

/* The kth level and length that has chains; how many there are when there is none. */
static bool find_length(const sherd_coverage *c, size_t k, size_t *count, struct sherd_chain_figures *out)
{
	const struct cov_chains *x = &c->result.coverage.chains;
	const struct plan_chains *p = &c->result.plan.chains;

	*count = 0;
	for (uint32_t i = 0; c->ok && i < p->levels.len * x->nlengths; i++) {
		if (!x->of[i].required || (*count)++ != k)
			continue;
		struct plan_level l = p->levels.data[i / x->nlengths];
		*out = (struct sherd_chain_figures){ l.level, l.or_more, i % x->nlengths, x->of[i].required, x->of[i].covered };
		return true;
	}
	return false;
}

size_t sherd_coverage_lengths(const sherd_coverage *c)
{
	struct sherd_chain_figures unused;
	size_t n;

	find_length(c, SIZE_MAX, &n, &unused);
	return n;
}

struct sherd_chain_figures sherd_coverage_length(const sherd_coverage *c, size_t k)
{
	struct sherd_chain_figures out = { 0 };
	size_t n;

	find_length(c, k, &n, &out);
	return out;
}

/* Classes */

size_t sherd_coverage_classes(const sherd_coverage *c)
{
	return c->result.coverage.classes.len;
}

struct sherd_covered_class sherd_coverage_class(sherd_coverage *c, size_t k)
{
	if (k >= c->result.coverage.classes.len)
		return (struct sherd_covered_class){ 0 };
	const struct cov_class *row = &c->result.coverage.classes.data[k];
	const struct plan_class *of = &c->result.plan.classes.data[row->class];
	return (struct sherd_covered_class){
		.name = text_of(&c->names, k, of->name),
		.source = of->source.len ? text_of(&c->sources, k, of->source) : NULL,
		.state = cov_state_word((enum cov_state)row->state),
		.calls = row->sums.sites,
		.called = row->sums.called_sites,
		.unexpected = row->sums.unexpected,
	};
}

struct sherd_criterion sherd_coverage_class_criterion(const sherd_coverage *c, size_t k, size_t n)
{
	if (k >= c->result.coverage.classes.len || n >= c->ncriteria)
		return (struct sherd_criterion){ 0 };
	return criterion(c->criteria[n], &c->result.coverage.classes.data[k].sums);
}

/* Calls */

size_t sherd_coverage_calls(const sherd_coverage *c)
{
	return c->result.coverage.sites.len;
}

static const char *method_of(sherd_coverage *c, uint32_t method)
{
	const char **at = api_text_at(&c->methods, method);
	struct strbuf b = { 0 };

	if (!*at) {
		cov_add_method(&c->result.coverage, method, &b);
		*at = api_keep(&c->methods.mem, &b);
	}
	return *at;
}

static const char *declared_by(sherd_coverage *c, uint32_t site)
{
	const char **at = api_text_at(&c->declared, site);
	struct strbuf b = { 0 };

	if (!*at) {
		cov_add_declared(&c->result.plan.sites.data[site], &b);
		*at = api_keep(&c->declared.mem, &b);
	}
	return *at;
}

struct sherd_covered_call sherd_coverage_call(sherd_coverage *c, size_t k)
{
	if (k >= c->result.coverage.sites.len)
		return (struct sherd_covered_call){ 0 };
	const struct cov_site *row = &c->result.coverage.sites.data[k];
	const struct plan_site *of = &c->result.plan.sites.data[row->site];
	return (struct sherd_covered_call){
		.cls = c->result.plan.methods.data[of->method].class,
		.method = method_of(c, of->method),
		.pc = of->pc,
		.line = of->line,
		.declared = declared_by(c, row->site),
		.count = row->count,
		.watched = row->is_watched,
		.reached = of->flags & PLAN_REACHED,
		.open = of->flags & PLAN_OPEN,
		.client = of->flags & PLAN_CLIENT,
	};
}

/* Items */

/* What has the items that a criterion counts. */
static uint32_t whole_of(uint32_t k)
{
	return criterion_is_part(k) ? cov_criteria[k].whole : k;
}

/* The kth item of a criterion at a call, counting only its own; the number of them when there is none. */
static const struct cov_item *find_item(const sherd_coverage *c, size_t call, size_t n, size_t k, size_t *count)
{
	const struct coverage *v = &c->result.coverage;

	*count = 0;
	if (call >= v->sites.len || n >= c->ncriteria)
		return NULL;
	uint32_t whole = whole_of(c->criteria[n]);
	bool (*is_part)(struct item_at at) = cov_criteria[c->criteria[n]].is_part;
	const struct plan *p = &c->result.plan;
	struct cov_list in = v->sites.data[call].of[whole];
	for (uint32_t i = 0; i < in.n; i++) {
		const struct cov_item *x = &v->items.data[in.first + i];
		if (is_part && !is_part((struct item_at){ p, &p->sites.data[call], x }))
			continue;
		if ((*count)++ == k)
			return x;
	}
	return NULL;
}

size_t sherd_coverage_items(const sherd_coverage *c, size_t call, size_t n)
{
	size_t count;

	find_item(c, call, n, SIZE_MAX, &count);
	return count;
}

/* Items are rows of one table, whichever criterion they are of. */
static const char *item_name(sherd_coverage *c, const struct cov_site *s, const struct cov_item *x, uint32_t whole)
{
	const char **at = api_text_at(&c->items, (uint32_t)(x - c->result.coverage.items.data));
	struct strbuf b = { 0 };

	if (*at)
		return *at;
	cov_add_item(whole, &c->result.plan.sites.data[s->site], x->name, &b);
	return *at = api_keep(&c->items.mem, &b);
}

struct sherd_covered_item sherd_coverage_item(sherd_coverage *c, size_t call, size_t n, size_t k)
{
	const struct coverage *v = &c->result.coverage;
	size_t count;
	const struct cov_item *x = find_item(c, call, n, k, &count);

	if (!x)
		return (struct sherd_covered_item){ 0 };
	const struct cov_site *s = &v->sites.data[call];
	return (struct sherd_covered_item){
		.name = item_name(c, s, x, whole_of(c->criteria[n])),
		.count = x->count,
		.required = x->is_required,
		.own = x->is_own,
		.origin = x->is_required ? NULL : cov_origin_word((enum cov_origin)x->origin),
		.excused = !x->is_required && coverage_is_excused(v, s, x),
		.tests = x->ntests ? v->item_tests.data + x->first_test : NULL,
		.ntests = x->ntests,
	};
}

/* Tests */

size_t sherd_coverage_tests(const sherd_coverage *c)
{
	return c->result.coverage.tests.len;
}

struct sherd_test sherd_coverage_test(sherd_coverage *c, size_t k)
{
	if (k >= c->result.coverage.tests.len)
		return (struct sherd_test){ 0 };
	const struct cov_test *t = &c->result.coverage.tests.data[k];
	return (struct sherd_test){ text_of(&c->tests, k, t->name), t->alone, t->fresh };
}
