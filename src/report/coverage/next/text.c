/* SPDX-License-Identifier: Apache-2.0 */
/* text.c - what to test next: the acts that newly cover most, each with what a test does, as Java, and what it gains. */
#include "report/coverage/next/next.h"

#define INDENT 6
#define MAX_PLACES 3          /* of an act */
#define MAX_LIKE 3

struct shower {
	struct cov_text *t;
	struct next next;
	struct strbuf text;
};

static const struct reason_idea *idea_at(const struct shower *s, uint32_t idea)
{
	return &s->t->c->reasons->ideas.data[idea];
}

static struct str object_of(const struct shower *s, uint32_t idea)
{
	return cov_short(&s->t->x, s->t->c->plan->types.data[idea_at(s, idea)->type].name);
}

/* "Median by Percentile.setQuantile(double)" */
static void show_head(struct shower *s, uint32_t number, const struct next_act *a)
{
	struct cov_screen *x = &s->t->x;

	sink_printf(x->s.out, "\n%4u", (unsigned)number);
	x->at = 4, x->indent = INDENT;
	cov_word(x, STYLE_GREEN, object_of(s, a->idea), 0);
	cov_word(x, STYLE_DIM, STR("by"), 0);
	cov_unit(x, STYLE_NONE, cov_without_packages(s->t, idea_at(s, a->idea)->call));
	cov_break(x);
}

static uint32_t count_calls(const struct shower *s, const struct next_act *a)
{
	const struct reason *rows = s->t->c->reasons->rows.data;
	uint32_t n = 0;

	for (uint32_t i = 0; i < a->n; i++)
		n += !i || rows[s->next.rows.data[a->first + i]].site != rows[s->next.rows.data[a->first + i - 1]].site;
	return n;
}

static void add_place(struct shower *s, uint32_t site)
{
	const struct coverage *c = s->t->c;
	const struct plan_site *p = &c->plan->sites.data[site];
	const struct plan_method *m = cov_method(c, &c->sites.data[site]);

	strbuf_addstr(&s->text, cov_short(&s->t->x, c->plan->classes.data[m->class].name));
	if (p->line)
		strbuf_addf(&s->text, ":%u", (unsigned)p->line);
	else
		strbuf_addf(&s->text, "@%u", (unsigned)p->pc);
	strbuf_addch(&s->text, ' ');
	strbuf_addstr(&s->text, p->name);
}

/* "newly runs 3 methods at 5 calls: Percentile:194 setQuantile, ..." */
static void show_gain(struct shower *s, const struct next_act *a)
{
	struct cov_screen *x = &s->t->x;
	uint32_t calls = count_calls(s, a), shown = 0, last = UINT32_MAX;
	char number[32], more[32];

	cov_start(x, INDENT);
	if (a->targets)
		cov_wordsf(x, STYLE_DIM, "newly runs %s method%s at %s call%s:", grouped(a->targets, more), cov_s(a->targets),
			   grouped(calls, number), cov_s(calls));
	else
		cov_wordsf(x, STYLE_DIM, "new at %s call%s:", grouped(calls, number), cov_s(calls));
	for (uint32_t i = 0; i < a->n && shown < MAX_PLACES; i++) {
		uint32_t site = s->t->c->reasons->rows.data[s->next.rows.data[a->first + i]].site;
		if (site == last)
			continue;
		last = site;
		strbuf_clear(&s->text);
		add_place(s, site);
		strbuf_adds(&s->text, ++shown < calls ? "," : "");
		cov_unit(x, STYLE_DIM, strbuf_str(&s->text));
	}
	if (calls > shown)
		cov_word(x, STYLE_DIM, STR("…"), 0);
	cov_break(x);
}

static void show_code(struct shower *s, struct str code)
{
	struct cov_screen *x = &s->t->x;

	for (uint32_t from = 0, i = 0; i < code.len; i++) {
		if (code.p[i] != '\n')
			continue;
		cov_start(x, INDENT + 4);
		cov_word(x, STYLE_NONE, str_sub(code, from, i), 0);
		cov_break(x);
		from = i + 1;
	}
}

static void show_like(struct shower *s, const struct next_act *a)
{
	struct cov_screen *x = &s->t->x;
	const struct reason_idea *of = idea_at(s, a->idea);
	uint32_t shown = 0;

	if (!a->nlike)
		return;
	cov_start(x, INDENT);
	cov_words(x, STYLE_DIM, STR("likewise"));
	for (; shown < a->nlike && shown < MAX_LIKE; shown++) {
		uint32_t like = s->next.like.data[a->first_like + shown];
		bool is_same_object = idea_at(s, like)->type == of->type;
		struct str what = is_same_object ? cov_without_packages(s->t, idea_at(s, like)->call) : object_of(s, like);
		strbuf_clear(&s->text);
		strbuf_addstr(&s->text, what);
		strbuf_adds(&s->text, shown + 1 < a->nlike ? "," : "");
		cov_unit(x, STYLE_DIM, strbuf_str(&s->text));
	}
	if (a->nlike > shown)
		cov_wordsf(x, STYLE_DIM, "and %u more", (unsigned)(a->nlike - shown));
	cov_break(x);
}

/* "1,203 receivers are not required, since no run can have them there: 1,100 by contexts, 103 by conditions" */
static void show_refuted(struct shower *s)
{
	const struct reasons *why = s->t->c->reasons;
	uint64_t by[REFUTED_BYS] = { 0 };
	char all[32], conditions[32], contexts[32];

	for (uint32_t i = 0; why && i < why->refuted.len; i++)
		by[why->refuted.data[i].why]++;
	uint64_t n = by[REFUTED_BY_CONDITIONS] + by[REFUTED_BY_CONTEXTS];
	if (!n)
		return;
	sink_putc(s->t->x.s.out, '\n');
	cov_start(&s->t->x, 2);
	cov_wordsf(&s->t->x, STYLE_DIM, "%s receiver%s, required at first, %s refuted by a closer look: %s by conditions on the way, %s by "
		   "telling contents of containers apart.", grouped(n, all), cov_s(n), n == 1 ? "was" : "were",
		   grouped(by[REFUTED_BY_CONDITIONS], conditions), grouped(by[REFUTED_BY_CONTEXTS], contexts));
	cov_break(&s->t->x);
}

const struct reason *cov_show_next(struct cov_text *t)
{
	struct shower s = { .t = t };

	next_compute(t->c, NULL, NULL, NEXT_SHOWN, &s.next);
	if (s.next.acts.len)
		cov_title(&t->x, STYLE_NONE, "What to test next", NULL);
	for (uint32_t i = 0; i < s.next.acts.len; i++) {
		const struct next_act *a = &s.next.acts.data[i];
		show_head(&s, i + 1, a);
		show_gain(&s, a);
		show_code(&s, idea_at(&s, a->idea)->code);
		show_like(&s, a);
	}
	show_refuted(&s);
	const struct reason *first = s.next.acts.len ? &t->c->reasons->rows.data[s.next.rows.data[s.next.acts.data[0].first]] : NULL;
	next_release(&s.next);
	strbuf_release(&s.text);
	return first;
}
