/* SPDX-License-Identifier: Apache-2.0 */
/* text_chains.c - call chains on the screen about coverage: how many of each length, where to go on from what tests do already,
 * which are hot, and which nobody expected. */
#include "report/coverage/text_p.h"
#include "report/java/params.h"

#define MAX_NEXT 6            /* calls with their ways */
#define MAX_ENTRIES 6
#define MAX_TESTS 3           /* of a way */
#define MAX_HOT 5
#define MAX_STRANGE 6
#define LINE_COLUMNS 8        /* of source lines, with the indentation */
#define DETAIL_INDENT 12
#define COUNT_COLUMNS 12
#define BAR_COLUMNS 20

/* Names */

/* Lexer.nextToken(Token); constructors as the class file has them */
static void add_method(struct cov_text *t, uint32_t body, struct strbuf *out)
{
	const struct plan *p = t->c->plan;
	const struct plan_method *m = &p->chains.bodies.data[body];

	strbuf_addstr(out, cov_short(&t->x, p->classes.data[m->class].name));
	strbuf_addch(out, '.');
	strbuf_addstr(out, m->name);
	add_params(m->desc, out);
}

/* "  on Circle", where that is not what the method's name says. */
static void add_receiver(struct cov_text *t, const struct plan_child *k, struct strbuf *out)
{
	const struct plan *p = t->c->plan;
	struct str class = p->classes.data[p->chains.bodies.data[k->callee].class].name;

	if (p->chains.granularity != PLAN_BY_RECEIVER)
		return;
	if (k->flags & PLAN_TO_CLIENT)
		strbuf_adds(out, " on a class of clients");
	else if (k->receiver && !str_eq(p->types.data[k->receiver].name, class)) {
		strbuf_adds(out, " on ");
		strbuf_addstr(out, cov_short(&t->x, p->types.data[k->receiver].name));
	}
}

static struct str chain_call(struct cov_text *t, uint32_t child)
{
	const struct plan_child *k = &t->c->plan->chains.children.data[child];

	strbuf_clear(&t->x.text);
	add_method(t, k->callee, &t->x.text);
	add_receiver(t, k, &t->x.text);
	return strbuf_str(&t->x.text);
}

static bool is_asked(const struct cov_text *t, uint32_t class)
{
	return !t->x.head->is_shown || t->x.head->is_shown(t->x.head->context, t->c->plan->classes.data[class].name);
}

/* The table */

static void add_kind(const struct plan_chains *p, struct strbuf *out)
{
	static const char *const by[] = { "by method", "by call site", "by call site and receiver class" };

	if (p->k)
		strbuf_addf(out, "at most %u call%s from %s", (unsigned)p->k, cov_s(p->k), p->from_main ? "the clients" : "the entry");
	else
		strbuf_adds(out, "of any length");
	strbuf_addf(out, ", %s%s", by[p->granularity], p->backedges ? "; recursion ends them" : "");
}

static void show_row(struct cov_text *t, uint32_t level, uint32_t length, struct cov_chain_count n)
{
	const struct plan_chains *p = &t->c->plan->chains;
	struct sink *out = t->x.s.out;
	char a[32], b[32], word[16];

	sink_puts(out, "  ");
	if (p->levels.len > 1) {
		struct plan_level l = p->levels.data[level];
		snprintf(word, sizeof word, "%u%s", (unsigned)l.level, l.or_more ? "+" : "");
		sink_printf(out, "%5s  ", word);
	}
	sink_printf(out, "%6u  %12s  %12s  ", (unsigned)length, grouped(n.required, a), grouped(n.covered, b));
	cov_percent(&t->x, (struct cov_counts){ .required = n.required, .covered = n.covered });
	sink_puts(out, "  ");
	cov_bar(&t->x, (struct cov_counts){ .required = n.required, .covered = n.covered }, BAR_COLUMNS);
	sink_putc(out, '\n');
}

static void show_pruned(struct cov_text *t)
{
	const struct plan_chains *p = &t->c->plan->chains;
	char buf[32];

	if (!p->prune.len)
		return;
	cov_start(&t->x, 2);
	if (p->pruned == COV_MANY)
		cov_words(&t->x, STYLE_DIM, STR("More chains than can be counted"));
	else
		cov_wordsf(&t->x, STYLE_DIM, "%s chain%s more", grouped(p->pruned, buf), cov_s(p->pruned));
	cov_wordsf(&t->x, STYLE_DIM, "cannot happen and %s not required: ruled out by", p->pruned == 1 ? "is" : "are");
	cov_words(&t->x, STYLE_DIM, p->prune);
	cov_break(&t->x);
}

static void show_table(struct cov_text *t)
{
	const struct cov_chains *c = &t->c->chains;
	struct strbuf kind = { 0 };

	add_kind(&t->c->plan->chains, &kind);
	cov_title(&t->x, STYLE_NONE, "Call chains", kind.s);
	strbuf_release(&kind);
	screen_style(&t->x.s, STYLE_DIM);
	sink_printf(t->x.s.out, "  %sLength      required       covered\n", t->c->plan->chains.levels.len > 1 ? "Level  " : "");
	screen_plain(&t->x.s);
	for (uint32_t l = 0; l < t->c->plan->chains.levels.len; l++)
		for (uint32_t n = 0; n < c->nlengths; n++)
			if (c->of[(size_t)l * c->nlengths + n].required)
				show_row(t, l, n, c->of[(size_t)l * c->nlengths + n]);
	show_pruned(t);
}

/* What to test next */

static void show_place(struct cov_text *t, const struct plan_child *k)
{
	const struct plan_site *p = &t->c->plan->chains.calls.data[k->call];
	char place[32] = "";

	if (t->c->plan->chains.granularity != PLAN_BY_METHOD)
		snprintf(place, sizeof place, p->line ? "%u" : "@%u", (unsigned)(p->line ? p->line : p->pc));
	screen_style(&t->x.s, STYLE_DIM);
	sink_printf(t->x.s.out, "%*s", LINE_COLUMNS, place);
	screen_plain(&t->x.s);
	t->x.at = LINE_COLUMNS;
}

/* A call of a way, the deeper the further right; no further than half of the screen. */
static void show_step(struct cov_text *t, uint32_t child, uint32_t depth, int style)
{
	uint32_t indent = LINE_COLUMNS + 2 * depth;

	show_place(t, &t->c->plan->chains.children.data[child]);
	t->x.indent = indent < t->x.width / 2 ? indent : t->x.width / 2;
	cov_unit(&t->x, style, chain_call(t, child));
}

static void show_entry(struct cov_text *t, uint32_t tree)
{
	const struct plan *p = t->c->plan;
	const struct plan_method *m = &p->chains.bodies.data[p->chains.states.data[p->chains.trees.data[tree].state].body];
	struct plan_level l = p->chains.levels.data[p->chains.trees.data[tree].level];

	strbuf_clear(&t->x.text);
	strbuf_addstr(&t->x.text, p->classes.data[m->class].name);
	strbuf_addch(&t->x.text, '.');
	strbuf_addstr(&t->x.text, m->name);
	add_params(m->desc, &t->x.text);
	cov_start(&t->x, 2);
	cov_unit(&t->x, STYLE_GREEN, strbuf_str(&t->x.text));
	if (p->chains.levels.len > 1)
		cov_wordsf(&t->x, STYLE_DIM, "at level %u%s", (unsigned)l.level, l.or_more ? "+" : "");
	cov_break(&t->x);
}

static void show_way(struct cov_text *t, uint32_t row)
{
	const struct cov_chain *r = &t->c->chains.rows.data[row];

	if (r->parent == UINT32_MAX) {
		show_entry(t, r->tree);
		return;
	}
	show_way(t, r->parent);
	show_step(t, r->child, r->depth, STYLE_NONE);
	cov_break(&t->x);
}

static void show_tests(struct cov_text *t, const struct cov_chain *r)
{
	uint32_t n = cov_fitting(r->ntests, MAX_TESTS);
	char buf[32];

	if (!r->ntests)
		return;
	cov_start(&t->x, DETAIL_INDENT);
	cov_words(&t->x, STYLE_DIM, STR("tests that come here:"));
	for (uint32_t i = 0; i < n; i++) {
		struct str test = t->c->tests.data[t->c->chains.tests.data[r->first_test + i]].name;
		cov_word(&t->x, STYLE_NONE, cov_without_packages(t, test), i + 1 < n ? ',' : 0);
	}
	if (n < r->ntests)
		cov_wordsf(&t->x, STYLE_DIM, "and %s more", grouped(r->ntests - n, buf));
	cov_break(&t->x);
}

static void show_next(struct cov_text *t, const struct cov_next *n)
{
	char a[32];

	sink_putc(t->x.s.out, '\n');
	show_way(t, n->row);
	show_step(t, n->child, n->depth, STYLE_RED);
	cov_words(&t->x, STYLE_RED, n->is_made ? STR("never here") : STR("never"));
	cov_break(&t->x);
	cov_start(&t->x, DETAIL_INDENT);
	cov_wordsf(&t->x, STYLE_DIM, "%s missed chain%s", grouped(n->below, a), cov_s(n->below));
	if (n->ways > 1)
		cov_wordsf(&t->x, STYLE_DIM, "on %s ways to this call", grouped(n->ways, a));
	cov_break(&t->x);
	show_tests(t, &t->c->chains.rows.data[n->row]);
}

static bool is_shown(const struct cov_text *t, const struct cov_next *n)
{
	const struct plan_chains *p = &t->c->plan->chains;

	return is_asked(t, cov_tree_class(&t->c->chains, n->tree)) ||
	       (n->call != UINT32_MAX && is_asked(t, p->bodies.data[p->calls.data[n->call].method].class));
}

/* Drops what is not asked for. */
static void filter(const struct cov_text *t, struct cov_nexts *all)
{
	uint32_t kept = 0, calls = 0;

	for (uint32_t i = 0; i < all->rows.len; i++) {
		if (!is_shown(t, &all->rows.data[i]))
			continue;
		all->rows.data[kept++] = all->rows.data[i];
		calls += i < all->ncalls;
	}
	all->rows.len = kept;
	all->ncalls = calls;
}

static void show_calls(struct cov_text *t, const struct cov_nexts *all)
{
	uint32_t n = t->has_limits ? cov_fitting(all->ncalls, MAX_NEXT) : all->ncalls;
	char text[96], buf[32];

	if (!n)
		return;
	snprintf(text, sizeof text, "%s call%s that tests come to and never make", grouped(all->ncalls, buf), cov_s(all->ncalls));
	cov_title(&t->x, STYLE_NONE, "Chains to test next", text);
	for (uint32_t i = 0; i < n; i++)
		show_next(t, &all->rows.data[i]);
	if (n < all->ncalls) {
		sink_putc(t->x.s.out, '\n');
		cov_start(&t->x, 2);
		cov_wordsf(&t->x, STYLE_DIM, "%s calls more:", grouped(all->ncalls - n, buf));
		cov_more_command(&t->x, "--all, or --only CLASS");
		cov_break(&t->x);
	}
}

static void show_times(struct cov_text *t, uint64_t count)
{
	char buf[32];

	sink_printf(t->x.s.out, "%*s×  ", COUNT_COLUMNS - 1, grouped(count, buf));
	t->x.at = t->x.indent = COUNT_COLUMNS + 2;
}

static uint32_t count_text(const struct cov_next *n, char *out, size_t size)
{
	char buf[32];

	return (uint32_t)snprintf(out, size, "%s chain%s", grouped(n->below, buf), n->below == 1 ? " " : "s");
}

/* Most chains first. */
static void show_entries(struct cov_text *t, const struct cov_nexts *all)
{
	uint32_t n = all->rows.len - all->ncalls, most = t->has_limits ? cov_fitting(n, MAX_ENTRIES) : n, wide = COUNT_COLUMNS - 2;
	const struct cov_next *rows = all->rows.data + all->ncalls;
	char text[48], buf[32];

	cov_title(&t->x, STYLE_NONE, "Entries that no test calls", grouped(n, buf));
	for (uint32_t i = 0; i < most; i++) {
		uint32_t columns = count_text(&rows[i], text, sizeof text);
		wide = columns > wide ? columns : wide;
	}
	for (uint32_t i = 0; i < most; i++) {
		count_text(&rows[i], text, sizeof text);
		sink_printf(t->x.s.out, "  %*s  ", (int)wide, text);
		t->x.at = t->x.indent = wide + 4;
		strbuf_clear(&t->x.text);
		add_method(t, rows[i].body, &t->x.text);
		cov_unit(&t->x, STYLE_RED, strbuf_str(&t->x.text));
		cov_break(&t->x);
	}
	if (most < n) {
		cov_start(&t->x, 2);
		cov_wordsf(&t->x, STYLE_DIM, "and %s more", grouped(n - most, buf));
		cov_break(&t->x);
	}
}

/* Hot chains */

struct hot {
	uint64_t count;
	uint32_t row;
};

static int by_heat(const void *a, const void *b)
{
	const struct hot *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

static void add_way(struct cov_text *t, uint32_t row)
{
	const struct cov_chain *r = &t->c->chains.rows.data[row];

	if (r->parent == UINT32_MAX) {
		strbuf_clear(&t->x.text);
		add_method(t, t->c->plan->chains.states.data[r->state].body, &t->x.text);
		cov_unit(&t->x, STYLE_NONE, strbuf_str(&t->x.text));
		return;
	}
	add_way(t, r->parent);
	cov_word(&t->x, STYLE_DIM, STR("→"), 0);
	cov_unit(&t->x, STYLE_NONE, chain_call(t, r->child));
}

/* Those that are not the beginning of another one: a beginning is as hot as all that follows. */
static void show_hot(struct cov_text *t)
{
	const struct cov_chains *c = &t->c->chains;
	VEC(struct hot) all = { 0 };

	for (uint32_t i = 0; i < c->rows.len; i++) {
		const struct cov_chain *r = &c->rows.data[i];
		if (r->is_required && r->first == UINT32_MAX && is_asked(t, cov_tree_class(c, r->tree)))
			vec_push(&all, ((struct hot){ r->count, i }));
	}
	if (all.len) {
		qsort(all.data, all.len, sizeof(*all.data), by_heat);
		cov_title(&t->x, STYLE_NONE, "Hot chains", NULL);
	}
	for (uint32_t i = 0; i < all.len && i < MAX_HOT; i++) {
		show_times(t, all.data[i].count);
		add_way(t, all.data[i].row);
		cov_break(&t->x);
	}
	vec_release(&all);
}

void cov_show_chains(struct cov_text *t)
{
	struct cov_nexts all;

	if (!criterion_in(t->c->plan, COV_CHAINS) || !t->c->sums.of[COV_CHAINS].required)
		return;
	show_table(t);
	cov_chains_next(&t->c->chains, &all);
	filter(t, &all);
	show_calls(t, &all);
	if (all.ncalls < all.rows.len)
		show_entries(t, &all);
	vec_release(&all.rows);
	show_hot(t);
}

/* What nobody expected */

void cov_show_strange(struct cov_text *t)
{
	const struct cov_chains *c = &t->c->chains;
	uint32_t n = 0;
	char buf[32];

	if (!c->nstrange)
		return;
	while (n < c->strange.len && !c->strange.data[n].is_excused)
		n++;
	n = t->has_limits ? cov_fitting(n, MAX_STRANGE) : n;
	cov_title(&t->x, STYLE_RED, "Unexpected chains", grouped(c->nstrange, buf));
	for (uint32_t i = 0; i < n; i++) {
		show_times(t, c->strange.data[i].count);
		cov_words(&t->x, STYLE_NONE, c->strange.data[i].text);
		cov_break(&t->x);
	}
	cov_start(&t->x, 2);
	if (n < c->nstrange)
		cov_wordsf(&t->x, STYLE_DIM, "and %s more.", grouped(c->nstrange - n, buf));
	cov_words(&t->x, STYLE_NONE, STR("The requirements do not have these chains. If clients may do what the tests did, say so by "
					 "--interface and --clients. Otherwise please report it."));
	cov_break(&t->x);
}
