/* SPDX-License-Identifier: Apache-2.0 */
/* text_unexpected.c - receivers and callbacks that nobody expected, on the screen about coverage: by name, with their calls. */
#include "report/coverage/text_p.h"

#define MAX_STRANGERS 10      /* names */
#define MAX_STRANGER_CALLS 3

struct stranger {
	const struct cov_item *item;
	uint32_t site;
};
struct strangers {
	VEC(struct stranger) rows;    /* by name, site */
	uint32_t names;
	uint8_t items;                /* enum criterion_items */
};

/* What is said of them. */
struct stranger_words {
	const char *title, *noun, *plural, *what, *advice;
};
static const struct stranger_words receiver_words = { "Unexpected receivers", "class", "classes", NULL,
						      "The requirements do not have these receivers." };
static const struct stranger_words callback_words = { "Unexpected callbacks", "method", "methods",
						      "called back where the analysis does not know it",
						      "The requirements do not have these callbacks." };
static const struct stranger_words store_words = { "Unexpected definitions", "definition", "definitions",
						   "read where the analysis does not know it",
						   "The requirements do not have these def-use pairs." };

static const struct stranger_words *words_for(const struct strangers *all)
{
	return all->items == ITEM_METHODS ? &callback_words : all->items == ITEM_STORES ? &store_words : &receiver_words;
}

static int compare_strangers(const void *a, const void *b)
{
	const struct stranger *x = a, *y = b;
	int c = str_cmp(x->item->name, y->item->name);

	return c ? c : (x->site > y->site) - (x->site < y->site);
}

static void find_strangers(const struct cov_text *t, uint32_t criterion, struct strangers *out)
{
	out->items = cov_criteria[criterion].items;
	for (uint32_t i = 0; i < t->c->sites.len; i++) {
		const struct cov_site *s = &t->c->sites.data[i];
		struct cov_list of = s->of[criterion];
		for (uint32_t k = of.required; k < of.n; k++) {
			const struct cov_item *item = &cov_items(t->c, of)[k];
			if (!coverage_is_excused(t->c, s, item))
				vec_push(&out->rows, ((struct stranger){ item, i }));
		}
	}
	if (out->rows.len)
		qsort(out->rows.data, out->rows.len, sizeof(*out->rows.data), compare_strangers);
	for (uint32_t i = 0; i < out->rows.len; i++)
		out->names += i == 0 || !str_eq(out->rows.data[i].item->name, out->rows.data[i - 1].item->name);
}

static const char *origin_words(enum cov_origin o)
{
	static const char *const words[] = {
		[COV_COMPONENT] = "a class of the component: the analysis did not see how it gets there",
		[COV_LIBRARY] = "a class of the JDK or the class path: tests hand it in, or the analysis did not see how it gets there",
		[COV_CLIENT] = "a class of the tests",
		[COV_GENERATED] = "made at run time: a proxy, a mock, or a lambda of the tests",
	};

	return words[o];
}

static void show_stranger_call(struct cov_text *t, const struct stranger *r)
{
	const struct cov_site *s = &t->c->sites.data[r->site];
	const struct plan_site *p = cov_plan_site(t->c, s);
	struct strbuf place = { 0 };
	char buf[32];

	strbuf_addstr(&place, cov_class(t->c, s)->name);
	strbuf_addch(&place, '.');
	strbuf_addstr(&place, cov_method(t->c, s)->name);
	strbuf_addf(&place, p->line ? ":%u" : "@%u", (unsigned)(p->line ? p->line : p->pc));
	cov_start(&t->x, 6);
	cov_word(&t->x, STYLE_NONE, strbuf_str(&place), 0);
	cov_unit(&t->x, STYLE_NONE, cov_call(&t->x, p));
	cov_wordsf(&t->x, STYLE_DIM, "%s×", grouped(r->item->count, buf));
	if (!(p->flags & PLAN_REACHED))
		cov_words(&t->x, STYLE_NONE, STR("(not reached)"));
	cov_break(&t->x);
	strbuf_release(&place);
}

/* The calls that saw one class. Returns where the next one begins. */
static uint32_t show_stranger(struct cov_text *t, const struct strangers *all, uint32_t first)
{
	const struct cov_item *item = all->rows.data[first].item;
	uint32_t end = first + 1;
	char buf[32];

	while (end < all->rows.len && str_eq(all->rows.data[end].item->name, item->name))
		end++;
	cov_start(&t->x, 2);
	cov_word(&t->x, STYLE_RED, item->name, ',');
	t->x.indent = 4;
	const char *what = words_for(all)->what;
	cov_words(&t->x, STYLE_NONE, str_of(what ? what : origin_words(item->origin)));
	cov_break(&t->x);
	uint32_t n = t->has_limits ? cov_fitting(end - first, MAX_STRANGER_CALLS) : end - first;
	for (uint32_t i = first; i < first + n; i++)
		show_stranger_call(t, &all->rows.data[i]);
	if (first + n < end) {
		cov_start(&t->x, 6);
		cov_wordsf(&t->x, STYLE_DIM, "and %s calls more", grouped(end - first - n, buf));
		cov_break(&t->x);
	}
	return end;
}

static bool is_unreached(const struct cov_text *t, const struct strangers *all)
{
	for (uint32_t i = 0; i < all->rows.len; i++)
		if (!(cov_plan_site(t->c, &t->c->sites.data[all->rows.data[i].site])->flags & PLAN_REACHED))
			return true;
	return false;
}

static void show_advice(struct cov_text *t, const struct strangers *all)
{
	cov_words(&t->x, STYLE_NONE, str_of(words_for(all)->advice));
	struct strbuf advice = { 0 };
	cov_add_advice(t->c, &advice);
	cov_words(&t->x, STYLE_NONE, strbuf_str(&advice));
	strbuf_release(&advice);
	if (!is_unreached(t, all))
		return;
	cov_words(&t->x, STYLE_NONE, STR("The analysis does not reach the calls that are marked (not reached): a class of the tests "
					 "may (a subclass, a callback);"));
	cov_words(&t->x, STYLE_NONE, str_of(cov_unreached_advice(t->c)));
}

static void add_counts(const struct strangers *all, struct strbuf *out)
{
	char a[32], b[32];

	strbuf_addf(out, "%s %s at %s %s%s", grouped(all->names, a), all->names == 1 ? words_for(all)->noun : words_for(all)->plural,
		    grouped(all->rows.len, b), all->items == ITEM_STORES ? "use" : "call", cov_s(all->rows.len));
}

static void show_strangers(struct cov_text *t, const struct strangers *all)
{
	uint32_t shown = 0, n = t->has_limits ? cov_fitting(all->names, MAX_STRANGERS) : all->names;
	struct strbuf counts = { 0 };
	char buf[32];

	add_counts(all, &counts);
	cov_title(&t->x, STYLE_RED, words_for(all)->title, counts.s);
	for (uint32_t i = 0; shown < n; shown++)
		i = show_stranger(t, all, i);
	cov_start(&t->x, 2);
	if (shown < all->names)
		cov_wordsf(&t->x, STYLE_DIM, "and %s more.", grouped(all->names - shown, buf));
	show_advice(t, all);
	cov_break(&t->x);
	strbuf_release(&counts);
}

void cov_show_unexpected(struct cov_text *t)
{
	for (uint32_t k = 0; k < CRITERIA; k++) {
		struct strangers all = { 0 };
		if (k != t->receivers && !criterion_is_of_methods(k))
			continue;
		find_strangers(t, k, &all);
		if (all.rows.len)
			show_strangers(t, &all);
		vec_release(&all.rows);
	}
}
