/* SPDX-License-Identifier: Apache-2.0 */
/* short.c - short names on the screens about coverage: classes without their packages, lambdas by what they run and
 * where they are written. */
#include "report/coverage/screen.h"

/* A class of the component keeps its short name; of others that share one, none has it. */
static void know(struct cov_screen *x, struct str class)
{
	str_id id = intern(&x->simple, cov_simple(class));

	while (x->full.len < id.i)
		vec_push(&x->full, STR(""));
	if (x->full.len == id.i)
		vec_push(&x->full, class);
	else if (id.i >= x->nown && !str_eq(x->full.data[id.i], class))
		x->full.data[id.i] = STR("");
}

/* Of "p.C.m(I)V (later)" or "p.C.m(I)V:12": class, name, what is behind the descriptor. */
struct method_parts {
	struct str class, name, rest;
};

static struct method_parts part_of_method(struct str method)
{
	const char *open = memchr(method.p, '(', method.len);
	struct str named = str_sub(method, 0, open ? (uint32_t)(open - method.p) : method.len);
	int64_t dot = str_rfind(named, '.'), blank = str_rfind(method, ' ');
	int64_t colon = blank < 0 ? str_rfind(method, ':') : blank, end = colon < 0 ? str_rfind(method, '@') : colon;
	struct method_parts m = { .name = str_sub(named, (uint32_t)(dot + 1), named.len) };

	m.class = str_sub(named, 0, dot < 0 ? 0 : (uint32_t)dot);
	m.rest = str_sub(method, end < 0 ? method.len : (uint32_t)end, method.len);
	return m;
}

static void know_items(struct cov_screen *x, const struct coverage *c, const struct cov_site *s)
{
	for (uint32_t k = 0; k < CRITERIA; k++)
		for (uint32_t i = 0; i < s->of[k].n && cov_criteria[k].items != ITEM_NAMES; i++) {
			struct str name = cov_items(c, s->of[k])[i].name;
			know(x, criterion_is_of_methods(k) ? part_of_method(name).class : name);
		}
}

/* Lambdas */

/* Of p.Rules$$Lambda$percentOff#2@1: the method that makes it, and the end from the '@' on. */
struct lambda_name {
	struct str method, at;
};

static struct lambda_name take_apart(const struct plan_type *t)
{
	static const char mark[] = "$$Lambda$";
	struct str rest = str_sub(t->name, t->host.len < t->name.len ? t->host.len : 0, t->name.len);
	int64_t hash = str_rfind(rest, '#'), at = str_rfind(rest, '@');

	if (!str_starts(rest, mark) || hash < (int64_t)strlen(mark) || at < hash)
		return (struct lambda_name){ 0 };
	return (struct lambda_name){ str_sub(rest, (uint32_t)strlen(mark), (uint32_t)hash),
				     str_sub(rest, (uint32_t)at, rest.len) };
}

/* "String::length" of java.lang.String.length()I; "lambda" where the code has no name of its own. */
static void add_body(struct cov_screen *x, struct str body, struct strbuf *out)
{
	const char *open = memchr(body.p, '(', body.len);
	struct str named = str_sub(body, 0, open ? (uint32_t)(open - body.p) : 0);
	int64_t dot = str_rfind(named, '.');
	struct str method = str_sub(named, (uint32_t)(dot + 1), named.len);

	if (dot <= 0 || str_starts(method, "lambda$")) {
		strbuf_adds(out, "lambda");
		return;
	}
	strbuf_addstr(out, cov_short(x, str_sub(named, 0, (uint32_t)dot)));
	strbuf_adds(out, "::");
	strbuf_addstr(out, str_is(method, "<init>") ? STR("new") : method);
}

static void describe(struct cov_screen *x, const struct plan_type *t, bool is_shared, struct strbuf *out)
{
	struct lambda_name name = take_apart(t);

	strbuf_clear(out);
	add_body(x, t->body, out);
	strbuf_adds(out, " in ");
	strbuf_addstr(out, cov_short(x, t->host));
	if (name.method.len)
		strbuf_addch(out, '.'), strbuf_addstr(out, name.method);
	if (is_shared)
		strbuf_addstr(out, name.at);
}

static void know_lambda(struct cov_screen *x, struct str name, struct str shown)
{
	uint32_t id = intern(&x->lambdas, name).i;

	while (x->lambda_names.len <= id)
		vec_push(&x->lambda_names, STR(""));
	x->lambda_names.data[id] = (struct str){ arena_copy(&x->mem, shown.p, shown.len), shown.len };
}

/* Where descriptions are the same, the place in the code tells lambdas apart. */
static void know_lambdas(struct cov_screen *x, const struct plan *p)
{
	VEC(uint32_t) counts = { 0 };
	struct interner shown;
	struct strbuf text = { 0 };

	interner_init(&shown);
	for (int is_counted = 0; is_counted < 2; is_counted++)
		for (uint32_t i = 1; i < p->types.len; i++) {
			const struct plan_type *t = &p->types.data[i];
			if (t->sort != PLAN_LAMBDA)
				continue;
			describe(x, t, false, &text);
			uint32_t id = intern(&shown, strbuf_str(&text)).i;
			while (counts.len <= id)
				vec_push(&counts, 0);
			counts.data[id] += !is_counted;
			if (is_counted && counts.data[id] > 1)
				describe(x, t, true, &text);
			if (is_counted)
				know_lambda(x, t->name, strbuf_str(&text));
		}
	vec_release(&counts);
	interner_release(&shown);
	strbuf_release(&text);
}

/* All names */

void cov_know_all(struct cov_screen *x, const struct coverage *c)
{
	uint32_t nown = x->nown;

	x->nown = 0;
	for (uint32_t i = 0; i < c->plan->classes.len; i++)
		know(x, c->plan->classes.data[i].name);
	x->nown = nown ? nown : x->full.len;
	for (uint32_t i = 0; i < c->sites.len; i++) {
		know(x, cov_plan_site(c, &c->sites.data[i])->owner);
		know_items(x, c, &c->sites.data[i]);
	}
	for (uint32_t i = 0; i < c->plan->chains.children.len; i++)
		if (c->plan->chains.children.data[i].receiver)
			know(x, c->plan->types.data[c->plan->chains.children.data[i].receiver].name);
	know_lambdas(x, c->plan);
}

struct str cov_short(const struct cov_screen *x, struct str class)
{
	struct str simple = cov_simple(class);
	str_id id;

	if (interner_find(&x->lambdas, class, &id) && x->lambda_names.data[id.i].len)
		return x->lambda_names.data[id.i];
	if (!simple.len || !interner_find(&x->simple, simple, &id) || id.i >= x->full.len || !str_eq(x->full.data[id.i], class))
		return class;
	return simple;
}

void cov_add_run(struct cov_screen *x, struct str class, const struct plan_site *p, struct strbuf *out)
{
	str_id id;

	strbuf_addstr(out, cov_short(x, class));
	if (interner_find(&x->lambdas, class, &id))
		return;
	strbuf_addch(out, '.');
	strbuf_addstr(out, p->name);
}

void cov_add_method_shown(struct cov_screen *x, struct str method, struct strbuf *out)
{
	struct method_parts m = part_of_method(method);

	if (m.class.len) {
		strbuf_addstr(out, cov_short(x, m.class));
		strbuf_addch(out, '.');
	}
	strbuf_addstr(out, m.name);
	strbuf_addstr(out, m.rest);
}

void cov_add_shown(struct cov_screen *x, uint32_t criterion, struct str name, const struct plan_site *p, struct strbuf *out)
{
	enum criterion_items items = cov_criteria[criterion].items;

	if (items == ITEM_TARGETS)
		cov_add_run(x, name, p, out);
	else if (criterion_is_of_methods(criterion))
		cov_add_method_shown(x, name, out);
	else
		strbuf_addstr(out, items == ITEM_RECEIVERS ? cov_short(x, name) : name);
}
