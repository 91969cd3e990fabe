/* SPDX-License-Identifier: Apache-2.0 */
/* text_calls.c - calls on the screen about coverage: what they miss, how it gets there, which to begin with. */
#include "report/coverage/next/next.h"

#define ITEM_INDENT 14        /* below a call */
#define MAX_WAYS 1            /* missed receivers of a call with their ways */
#define MAX_ITEMS 8           /* in a list of others, or of targets */

static bool is_missing(const struct cov_site *s)
{
	struct cov_counts n = cov_requirements(s);

	return n.covered < n.required;
}

/* Ways */

/* Variables have numbers that mean nothing here: "is created: v3". */
static struct str without_variable(struct str text)
{
	uint32_t end = text.len;

	while (end > 0 && text.p[end - 1] >= '0' && text.p[end - 1] <= '9')
		end--;
	bool is_one = end < text.len && end >= 3 && text.p[end - 1] == 'v' && text.p[end - 2] == ' ' && text.p[end - 3] == ':';
	return is_one ? str_sub(text, 0, end - 3) : text;
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '.';
}

/* Where the class begins in a name such as java.util.Map.put; where the name begins when it has no package. */
static uint32_t package_end(struct str text, uint32_t from)
{
	uint32_t at = from;

	while (at < text.len && text.p[at] >= 'a' && text.p[at] <= 'z') {
		uint32_t end = at;
		while (end < text.len && is_name_char(text.p[end]) && text.p[end] != '.')
			end++;
		if (end + 1 >= text.len || text.p[end] != '.' || !is_name_char(text.p[end + 1]))
			return from;
		at = end + 1;
	}
	return at < text.len && text.p[at] >= 'A' && text.p[at] <= 'Z' ? at : from;
}

/* Names in a step, without packages: the screen has room for the gist, sherd why has the rest. */
struct str cov_without_packages(struct cov_text *t, struct str text)
{
	strbuf_clear(&t->x.text);
	for (uint32_t i = 0; i < text.len;) {
		i = package_end(text, i);
		do
			strbuf_addch(&t->x.text, text.p[i++]);
		while (i < text.len && is_name_char(text.p[i - 1]));
	}
	return strbuf_str(&t->x.text);
}

static void show_step(struct cov_text *t, const struct reason_step *s)
{
	cov_words(&t->x, STYLE_DIM, cov_without_packages(t, s->place));
	cov_words(&t->x, STYLE_DIM, cov_without_packages(t, without_variable(s->text)));
}

/* What a test does: new HtmlPrinter() → Cart.printer(Printer) → Cart.print() */
static void show_acts(struct cov_text *t, const struct reason *r)
{
	for (uint32_t i = 0; i < r->nacts; i++) {
		if (i)
			cov_word(&t->x, STYLE_DIM, STR("→"), 0);
		cov_unit(&t->x, STYLE_NONE, cov_without_packages(t, t->c->reasons->acts.data[r->first_act + i]));
	}
}

/* The first step, and the last one before the call itself. */
static void show_ends(struct cov_text *t, const struct reason *r)
{
	const struct reason_step *steps = &t->c->reasons->steps.data[r->first_step];
	uint32_t last = r->nsteps - 1;

	while (last > 0 && str_eq(steps[last].place, steps[r->nsteps - 1].place))
		last--;
	show_step(t, &steps[0]);
	if (last > 0)
		cov_word(&t->x, STYLE_DIM, last > 1 ? STR("…") : STR("→"), 0), show_step(t, &steps[last]);
}

static void show_way(struct cov_text *t, const struct reason *r)
{
	cov_break(&t->x);
	t->x.indent += 4;
	if (r->nacts)
		show_acts(t, r);
	else
		show_ends(t, r);
	t->x.indent -= 4;
}

/* The receivers that a call misses, those first that are easiest to bring about. */
static void find_missed(struct cov_text *t, const struct cov_site *s)
{
	vec_clear(&t->missed);
	for (uint32_t rank = 0; rank < COV_RANKS; rank++)
		for (uint32_t i = 0; t->receivers < CRITERIA && i < s->of[t->receivers].required; i++) {
			const struct cov_item *item = &cov_items(t->c, s->of[t->receivers])[i];
			if (cov_is_missed(item) && coverage_rank(item) == rank)
				vec_push(&t->missed, item);
		}
}

/* NULL: not known, or not worth its lines: where a call is never made, only what a test does is. */
static const struct reason *way_of(const struct cov_text *t, const struct cov_site *s, const struct cov_item *i)
{
	const struct reason *r = t->c->reasons ? reasons_find(t->c->reasons, s->site, i->type) : NULL;

	if (r && !r->nacts && !s->count && t->has_limits)
		return NULL;

	return r && r->nsteps ? r : NULL;
}

/* A list that names itself before its first word. */
struct name_list {
	struct cov_text *t;
	const char *label;
	uint32_t shown, hidden;
};

static void list_name(struct name_list *n, struct str name)
{
	struct cov_screen *x = &n->t->x;

	if (n->t->has_limits && n->shown == MAX_ITEMS) {
		n->hidden++;
		return;
	}
	if (n->shown++ == 0) {
		cov_start(x, ITEM_INDENT);
		cov_words(x, STYLE_DIM, str_of(n->label));
	} else {
		sink_putc(x->s.out, ',');
		x->at++;
	}
	cov_word(x, STYLE_RED, name, 0);
}

static void list_end(struct name_list *n)
{
	if (n->hidden)
		cov_wordsf(&n->t->x, STYLE_DIM, "and %u more", (unsigned)n->hidden);
	if (n->shown)
		cov_break(&n->t->x);
}

static void show_with_way(struct cov_text *t, const struct cov_item *i, const struct reason *r)
{
	cov_start(&t->x, ITEM_INDENT);
	cov_word(&t->x, STYLE_DIM, STR("missed"), 0);
	cov_word(&t->x, STYLE_RED, cov_short(&t->x, i->name), 0);
	show_way(t, r);
	cov_break(&t->x);
}

/* The first ones with their ways, the others as a list. */
static void show_missed_receivers(struct cov_text *t, const struct cov_site *s)
{
	struct name_list others = { .t = t, .label = "missed" };
	uint32_t most = t->has_limits ? MAX_WAYS : UINT32_MAX, ways = 0;

	find_missed(t, s);
	for (; ways < t->missed.len && ways < most; ways++) {
		const struct reason *r = way_of(t, s, t->missed.data[ways]);
		if (!r)
			break;
		show_with_way(t, t->missed.data[ways], r);
		others.label = "missed, too";
	}
	for (uint32_t i = ways; i < t->missed.len; i++)
		list_name(&others, cov_short(&t->x, t->missed.data[i]->name));
	list_end(&others);
}

/* After find_missed(). */
static bool is_receiver_missed(const struct cov_text *t, struct str class)
{
	for (uint32_t i = 0; i < t->missed.len; i++)
		if (str_eq(t->missed.data[i]->name, class))
			return true;
	return false;
}

/* What a criterion misses and the missed receivers do not say: a target is theirs, unless it is inherited. */
static void show_missed(struct cov_text *t, const struct cov_site *s, uint32_t k)
{
	const struct plan_site *p = cov_plan_site(t->c, s);
	struct name_list list = { .t = t, .label = cov_criteria[k].label };

	find_missed(t, s);
	for (uint32_t i = 0; i < s->of[k].required; i++) {
		const struct cov_item *item = &cov_items(t->c, s->of[k])[i];
		bool is_said = cov_criteria[k].items == ITEM_TARGETS && is_receiver_missed(t, item->name);
		if (!cov_is_missed(item) || is_said)
			continue;
		strbuf_clear(&t->x.text);
		cov_add_shown(&t->x, k, item->name, p, &t->x.text);
		if (item->by.len) {
			strbuf_adds(&t->x.text, " by ");
			cov_add_method_shown(&t->x, item->by, &t->x.text);
		}
		list_name(&list, strbuf_str(&t->x.text));
	}
	list_end(&list);
}

static bool has_seen_line(const struct cov_text *t, uint32_t k)
{
	return k == t->receivers || criterion_is_of_methods(k);
}

/* With all calls: what was seen, and how often. */
static void show_seen(struct cov_text *t, const struct cov_site *s, uint32_t k)
{
	uint32_t shown = 0;
	char buf[32];

	for (uint32_t i = 0; i < s->of[k].required; i++) {
		const struct cov_item *item = &cov_items(t->c, s->of[k])[i];
		if (!item->count)
			continue;
		if (shown++ == 0) {
			cov_start(&t->x, ITEM_INDENT);
			cov_words(&t->x, STYLE_DIM, k == t->receivers ? STR("seen") : str_of(cov_criteria[k].change));
		}
		strbuf_clear(&t->x.text);
		cov_add_shown(&t->x, k, item->name, cov_plan_site(t->c, s), &t->x.text);
		cov_word(&t->x, STYLE_GREEN, strbuf_str(&t->x.text), 0);
		cov_wordsf(&t->x, STYLE_DIM, "%s×", grouped(item->count, buf));
	}
	if (shown)
		cov_break(&t->x);
}

/* Calls */

static const char *call_state(const struct cov_text *t, const struct cov_site *s)
{
	const struct cov_class *k = &t->c->classes.data[cov_method(t->c, s)->class];

	if (s->count)
		return NULL;
	return s->is_watched || k->state == COV_NOT_LOADED ? "never called" : "not watched";
}

static bool look_the_same(const struct plan_site *a, const struct plan_site *b)
{
	return a->line && a->line == b->line && str_eq(a->owner, b->owner) && str_eq(a->name, b->name) && str_eq(a->desc, b->desc);
}

/* Which of several calls of the same method on one line. */
static void show_order(struct cov_text *t, const struct cov_site *s)
{
	const struct plan_method *m = cov_method(t->c, s);
	const struct plan_site *p = cov_plan_site(t->c, s), *all = t->c->plan->sites.data;
	uint32_t nth = 1, n = 0;

	for (uint32_t i = m->first_site; p->of > 1 && i < m->first_site + m->nsites; i++)
		if (look_the_same(&all[i], p))
			n++, nth += i < s->site;
	if (n > 1)
		cov_wordsf(&t->x, STYLE_DIM, "(%u of %u)", (unsigned)nth, (unsigned)n);
}

static void show_call(struct cov_text *t, const struct cov_site *s)
{
	const struct plan_site *p = cov_plan_site(t->c, s);
	const char *state = call_state(t, s);

	cov_line_number(&t->x, p);
	t->x.at = t->x.indent = 12;
	cov_unit(&t->x, STYLE_NONE, cov_call(&t->x, p));
	show_order(t, s);
	if (state)
		cov_words(&t->x, STYLE_DIM, str_of(state));
	else if (!is_missing(s))
		cov_words(&t->x, STYLE_GREEN, STR("covered"));
	cov_break(&t->x);
	for (uint32_t k = 0; k < CRITERIA && t->x.head->all; k++)
		if (has_seen_line(t, k))
			show_seen(t, s, k);
	for (uint32_t k = 0; k < CRITERIA && is_missing(s); k++) {
		if (k == t->receivers)
			show_missed_receivers(t, s);
		else if (!criterion_is_part(k))
			show_missed(t, s, k);
	}
}

/* Which calls are shown when not all fit: first those that tests make already and that miss little, of these the ones that
 * miss a class of the component, of these the ones that miss least. */
struct candidate {
	bool is_uncalled, is_large, has_no_own;
	uint32_t missed, site;
};

static int compare_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->is_uncalled != y->is_uncalled)
		return x->is_uncalled - y->is_uncalled;
	if (x->is_large != y->is_large)
		return x->is_large - y->is_large;
	if (x->has_no_own != y->has_no_own)
		return x->has_no_own - y->has_no_own;
	if (x->missed != y->missed)
		return x->missed < y->missed ? -1 : 1;
	return (x->site > y->site) - (x->site < y->site);
}

struct calls {
	struct cov_text *t;
	VEC(struct candidate) candidates;
	VEC(uint32_t) classes;        /* rows of the plan with calls that are shown, best first */
	uint32_t *taken;              /* calls by class that are shown */
	uint8_t *is_shown;            /* by site */
	uint32_t shown;
};

static void add_candidates(struct calls *k, const struct plan_class *p)
{
	for (uint32_t i = p->first_site; i < p->first_site + p->nsites; i++) {
		const struct cov_site *s = &k->t->c->sites.data[i];
		struct cov_counts n = cov_requirements(s);
		if (!is_missing(s) && !k->t->x.head->all)
			continue;
		struct candidate x = { .site = i };
		if (k->t->has_limits) {
			find_missed(k->t, s);
			x = (struct candidate){ !s->count, k->t->missed.len > MAX_ITEMS,
						!k->t->missed.len || !k->t->missed.data[0]->is_own,
						(uint32_t)(n.required - n.covered), i };
		}
		vec_push(&k->candidates, x);
	}
}

static void choose(struct calls *k)
{
	struct cov_text *t = k->t;

	if (t->has_limits && k->candidates.len)
		qsort(k->candidates.data, k->candidates.len, sizeof(*k->candidates.data), compare_candidates);
	for (uint32_t i = 0; i < k->candidates.len; i++) {
		uint32_t site = k->candidates.data[i].site, class = cov_method(t->c, &t->c->sites.data[site])->class;
		if (t->has_limits && (k->shown == MAX_CALLS || k->taken[class] == MAX_CLASS_CALLS))
			continue;
		if (k->taken[class]++ == 0)
			vec_push(&k->classes, class);
		k->is_shown[site] = 1;
		k->shown++;
	}
}

static void calls_init(struct calls *k, struct cov_text *t)
{
	*k = (struct calls){ .t = t };
	k->taken = mem_zalloc(t->c->classes.len * sizeof(*k->taken) + 1);
	k->is_shown = mem_zalloc(t->c->sites.len + (size_t)1);
	for (uint32_t i = 0; i < t->classes.len; i++)
		add_candidates(k, &t->c->plan->classes.data[t->c->classes.data[t->classes.data[i]].class]);
	choose(k);
}

static void calls_release(struct calls *k)
{
	vec_release(&k->candidates);
	vec_release(&k->classes);
	free(k->taken);
	free(k->is_shown);
}

static void show_method(const struct calls *k, const struct plan_method *m)
{
	bool has_name = false;

	for (uint32_t i = m->first_site; i < m->first_site + m->nsites; i++) {
		if (!k->is_shown[i])
			continue;
		if (!has_name)
			cov_method_name(&k->t->x, m);
		has_name = true;
		show_call(k->t, &k->t->c->sites.data[i]);
	}
}

static void show_class(const struct calls *k, const struct plan_class *p)
{
	sink_putc(k->t->x.s.out, '\n');
	cov_start(&k->t->x, 2);
	cov_word(&k->t->x, STYLE_GREEN, p->name, 0);
	cov_break(&k->t->x);
	for (uint32_t m = p->first_method; m < p->first_method + p->nmethods; m++)
		show_method(k, &k->t->c->plan->methods.data[m]);
}

static void show_hidden(const struct calls *k, bool has_next)
{
	uint32_t hidden = k->candidates.len - (has_next ? 0 : k->shown);
	char buf[32];

	if (!hidden)
		return;
	sink_putc(k->t->x.s.out, '\n');
	cov_start(&k->t->x, 2);
	cov_wordsf(&k->t->x, STYLE_DIM, "%s call%s%s miss%s something:", grouped(hidden, buf), cov_s(hidden), has_next ? "" : " more",
		   hidden == 1 ? "es" : "");
	cov_more_command(&k->t->x, "--all, or --only CLASS");
	cov_break(&k->t->x);
}

/* The command that explains a receiver */

static void add_option(struct strbuf *out, const char *option, struct str value)
{
	if (!value.len)
		return;
	strbuf_addf(out, " %s ", option);
	cov_add_quoted(out, value);
}

static void show_command(struct cov_text *t, const struct cov_site *s, struct str receiver)
{
	const struct plan *p = t->c->plan;
	struct strbuf out = { 0 }, site = { 0 };

	strbuf_adds(&out, "sherd why");
	add_option(&out, "-cp", p->class_path);
	if (t->x.head->has_other_jdk)
		add_option(&out, "--jdk", p->jdk);
	add_option(&out, "--component", p->component);
	if (!str_is(p->interface, "public"))
		add_option(&out, "--interface", p->interface);
	if (str_is(p->clients, "open") || (str_is(p->clients, "closed") && cov_has_tests(t->c)))
		add_option(&out, "--clients", p->clients);
	if (!str_is(p->algorithm, "andersen"))
		add_option(&out, "--algorithm", p->algorithm);
	if (p->assume.len)
		add_option(&out, "--assume", p->assume);
	cov_add_site(t->c, s, &site);
	add_option(&out, "--site", strbuf_str(&site));
	add_option(&out, "--receiver", receiver);
	sink_puts(t->x.s.out, "\n  How the first of these gets there, step by step:\n    ");
	strbuf_clear(&t->x.shown);
	escape_add(&t->x.shown, ESCAPE_PLAIN, strbuf_str(&out));
	sink_str(t->x.s.out, strbuf_str(&t->x.shown));          /* one line, to be copied */
	sink_putc(t->x.s.out, '\n');
	strbuf_release(&out);
	strbuf_release(&site);
}

/* For the first call on the screen that misses a receiver. */
static void show_first_command(const struct calls *k)
{
	for (uint32_t i = 0; i < k->classes.len; i++) {
		const struct plan_class *p = &k->t->c->plan->classes.data[k->classes.data[i]];
		for (uint32_t site = p->first_site; site < p->first_site + p->nsites; site++) {
			if (!k->is_shown[site])
				continue;
			find_missed(k->t, &k->t->c->sites.data[site]);
			if (k->t->missed.len) {
				show_command(k->t, &k->t->c->sites.data[site], k->t->missed.data[0]->name);
				return;
			}
		}
	}
}

void cov_show_calls(struct cov_text *t)
{
	struct calls k;

	if (!t->classes.len || !cov_has_calls(t->c))
		return;
	calls_init(&k, t);
	const struct reason *next = t->has_limits ? cov_show_next(t) : NULL;
	if (k.candidates.len && !next)
		cov_title(&t->x, STYLE_NONE, t->x.head->all ? "Calls" : "What to test next", NULL);
	for (uint32_t i = 0; i < k.classes.len && !next; i++)
		show_class(&k, &t->c->plan->classes.data[k.classes.data[i]]);
	show_hidden(&k, next != NULL);
	if (!t->x.head->no_why && next)
		show_command(t, &t->c->sites.data[next->site], t->c->plan->types.data[next->type].name);
	else if (!t->x.head->no_why)
		show_first_command(&k);
	calls_release(&k);
}
