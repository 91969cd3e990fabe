/* SPDX-License-Identifier: Apache-2.0 */
/* diff.c - two results side by side: what was gained, what was lost, what is new. */
#include "report/coverage/screen.h"

#define MAX_CALLS 30          /* with changes of one sort */
#define MAX_NAMES 8           /* of such a call */

/* The call of a row: of the new result, or of the old one when it is gone. */
struct place {
	const struct coverage *c;
	const struct cov_site *s;
};

static struct place place_of(const struct cov_diff *d, const struct cov_diff_row *r)
{
	bool is_new = r->new_site != UINT32_MAX;
	const struct coverage *c = is_new ? d->new : d->old;

	return (struct place){ c, &c->sites.data[is_new ? r->new_site : r->old_site] };
}

static uint64_t chains_of(const struct cov_diff *d, enum cov_change change)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < d->nlengths; i++)
		n += d->chain_counts[(size_t)change * d->nlengths + i];
	return n;
}

static void add_chain(const struct cov_diff *d, const struct cov_diff_chain *r, struct strbuf *out)
{
	const struct coverage *c = r->change == COV_LOST || r->change == COV_GONE ? d->old : d->new;
	const struct plan_chains *x = &c->plan->chains;

	strbuf_clear(out);
	if (r->row != UINT32_MAX)
		cov_chain_text(&c->chains, r->row, out);
	else
		cov_body_text(c->plan, x->states.data[x->trees.data[r->tree].state].body, out);
	if (r->child != UINT32_MAX)
		cov_child_text(c->plan, r->child, out);
}

/* JSON */

static const char *const change_words[] = { [COV_SAME] = "same", [COV_GAINED] = "gained", [COV_LOST] = "lost",
					    [COV_NEW_COVERED] = "new_covered", [COV_NEW_MISSED] = "new_missed",
					    [COV_GONE] = "gone" };

static void write_sums(struct json *j, const char *key, const struct coverage *c)
{
	json_break(j);
	json_key(j, key), json_object(j);
	cov_json_criteria(j, c, &c->sums);
	json_key(j, "calls"), json_uint(j, c->sums.sites);
	json_key(j, "calls_made"), json_uint(j, c->sums.called_sites);
	json_key(j, "unexpected"), json_uint(j, c->sums.unexpected);
	json_end_object(j);
}

static void write_name(struct json *j, const struct cov_diff_row *r, const struct plan_site *p, struct strbuf *text)
{
	strbuf_clear(text);
	cov_add_item(r->criterion, p, r->name, text);
	json_key(j, cov_criteria[r->criterion].item_key), json_str(j, strbuf_str(text));
}

static void write_row(struct json *j, const struct cov_diff *d, const struct cov_diff_row *r, struct strbuf *text)
{
	struct place at = place_of(d, r);
	const struct plan_site *p = cov_plan_site(at.c, at.s);

	json_break(j);
	json_object(j);
	json_key(j, "change"), json_escaped(j, str_of(change_words[r->change]));
	strbuf_clear(text);
	cov_add_site(at.c, at.s, text);
	json_key(j, "site"), json_str(j, strbuf_str(text));
	if (p->line)
		json_key(j, "line"), json_uint(j, p->line);
	strbuf_clear(text);
	cov_add_declared(p, text);
	json_key(j, "declared"), json_str(j, strbuf_str(text));
	write_name(j, r, p, text);
	json_end_object(j);
}

static void write_chain(struct json *j, const struct cov_diff *d, const struct cov_diff_chain *r, struct strbuf *text)
{
	json_break(j);
	json_object(j);
	json_key(j, "change"), json_escaped(j, str_of(change_words[r->change]));
	json_key(j, "length"), json_uint(j, r->length);
	add_chain(d, r, text);
	json_key(j, "chain"), json_str(j, strbuf_str(text));
	if (r->chains != 1)
		json_key(j, "chains"), json_uint(j, r->chains);
	json_end_object(j);
}

/* How many of each length. */
static void write_lengths(struct json *j, const struct cov_diff *d, uint32_t length)
{
	uint64_t sum = 0;

	for (int i = COV_GAINED; i <= COV_GONE; i++)
		sum += d->chain_counts[(size_t)i * d->nlengths + length];
	if (!sum)
		return;
	json_break(j);
	json_object(j);
	json_key(j, "length"), json_uint(j, length);
	for (int i = COV_GAINED; i <= COV_GONE; i++)
		json_key(j, change_words[i]), json_uint(j, d->chain_counts[(size_t)i * d->nlengths + length]);
	json_end_object(j);
}

static void write_chains(struct json *j, const struct cov_diff *d, struct strbuf *text)
{
	if (!d->has_chains)
		return;
	json_break(j);
	json_key(j, "call_chains"), json_object(j);
	json_key(j, "figures"), json_array(j);
	for (uint32_t i = 0; i < d->nlengths; i++)
		write_lengths(j, d, i);
	json_end_array(j);
	json_break(j);
	json_key(j, "changes"), json_array(j);
	for (uint32_t i = 0; i < d->chains.len; i++)
		write_chain(j, d, &d->chains.data[i], text);
	json_end_array(j);
	json_end_object(j);
}

bool report_coverage_diff_json(struct sink *out, const struct cov_diff *d, const struct coverage_head *head)
{
	struct json j = { .out = out };
	struct strbuf text = { 0 };

	(void)head;
	json_object(&j);
	json_key(&j, "schema"), json_escaped(&j, STR("sherd/cover-diff/1"));
	write_sums(&j, "old", d->old);
	write_sums(&j, "new", d->new);
	json_break(&j);
	json_key(&j, "counts"), json_object(&j);
	for (int i = COV_GAINED; i <= COV_GONE; i++)
		json_key(&j, change_words[i]), json_uint(&j, d->counts[i]);
	json_end_object(&j);
	json_break(&j);
	json_key(&j, "changes"), json_array(&j);
	for (uint32_t i = 0; i < d->rows.len; i++)
		if (d->rows.data[i].change != COV_SAME)
			write_row(&j, d, &d->rows.data[i], &text);
	json_end_array(&j);
	write_chains(&j, d, &text);
	json_end_object(&j);
	sink_putc(out, '\n');
	strbuf_release(&text);
	return sink_finish(out);
}

/* The screen */

struct diff_text {
	struct cov_screen x;
	const struct cov_diff *d;
	struct place last;            /* that was shown */
};

static void show_points(struct cov_screen *x, struct cov_counts old, struct cov_counts new)
{
	int32_t points = (int32_t)coverage_permille(new) - (int32_t)coverage_permille(old);
	uint32_t size = (uint32_t)(points < 0 ? -points : points);
	char text[32];

	if (points == 0) {
		sink_puts(x->s.out, "      =");
		return;
	}
	snprintf(text, sizeof text, "%s%u.%u", points < 0 ? "−" : "+", (unsigned)size / 10, (unsigned)size % 10);
	for (size_t n = strlen(text) - (points < 0 ? 2 : 0); n < 7; n++)
		sink_putc(x->s.out, ' ');
	screen_puts(&x->s, points < 0 ? STYLE_RED : STYLE_GREEN, text);
}

/*   Receiver classes    50.0 % →  75.0 %    +25.0    2 of 4 → 3 of 4 */
static void show_share(struct cov_screen *x, const char *label, struct cov_counts old, struct cov_counts new)
{
	char a[32], b[32], c[32], e[32];

	sink_printf(x->s.out, "  %-17s", label);
	cov_percent(x, old);
	sink_puts(x->s.out, " → ");
	screen_style(&x->s, STYLE_BOLD);
	cov_percent(x, new);
	screen_plain(&x->s);
	sink_puts(x->s.out, "  ");
	show_points(x, old, new);
	sink_printf(x->s.out, "    %s of %s → %s of %s\n", grouped(old.covered, a), grouped(old.required, b),
		    grouped(new.covered, c), grouped(new.required, e));
}

static void show_sums(struct diff_text *t)
{
	const struct coverage *o = t->d->old, *n = t->d->new;

	for (uint32_t k = 0; k < CRITERIA; k++) {
		char label[80];
		snprintf(label, sizeof label, "%s%s", criterion_is_part(k) ? "  " : "", cov_criteria[k].title);
		if ((criterion_in(o->plan, k) && cov_is_worth_a_line(&o->sums, k)) ||
		    (criterion_in(n->plan, k) && cov_is_worth_a_line(&n->sums, k)))
			show_share(&t->x, label, o->sums.of[k], n->sums.of[k]);
	}
	if (cov_has_calls(o) || cov_has_calls(n))
		show_share(&t->x, "Calls made", (struct cov_counts){ .required = o->sums.sites, .covered = o->sums.called_sites },
		   (struct cov_counts){ .required = n->sums.sites, .covered = n->sums.called_sites });
}

/* The class, the method and the call, as far as they are not those of the row before. */
static void show_place(struct diff_text *t, struct place at)
{
	const struct plan_method *m = cov_method(at.c, at.s);
	bool is_same = t->last.c == at.c;

	if (!is_same || cov_class(t->last.c, t->last.s) != cov_class(at.c, at.s)) {
		cov_start(&t->x, 2);
		cov_word(&t->x, STYLE_GREEN, cov_class(at.c, at.s)->name, 0);
		cov_break(&t->x);
	}
	if (!is_same || cov_method(t->last.c, t->last.s) != m)
		cov_method_name(&t->x, m);
	t->last = at;
}

/* Rows of one call follow each other. */
static uint32_t call_end(const struct cov_diff *d, uint32_t first)
{
	const struct cov_diff_row *r = d->rows.data;
	uint32_t end = first + 1;

	while (end < d->rows.len && r[end].old_site == r[first].old_site && r[end].new_site == r[first].new_site)
		end++;
	return end;
}

/* Rows of a call with a change of one sort. */
struct group {
	enum cov_change change;
	int style;
	uint32_t first, end;
	const struct plan_site *p;
};

static uint32_t group_size(const struct cov_diff *d, const struct group *g)
{
	uint32_t n = 0;

	for (uint32_t i = g->first; i < g->end; i++)
		n += d->rows.data[i].change == g->change;
	return n;
}

static void show_name(struct diff_text *t, const struct group *g, const struct cov_diff_row *r)
{
	strbuf_clear(&t->x.text);
	cov_add_shown(&t->x, r->criterion, r->name, g->p, &t->x.text);
	cov_word(&t->x, g->style, strbuf_str(&t->x.text), 0);
}

static void show_names(struct diff_text *t, const struct group *g, uint32_t criterion)
{
	uint32_t n = 0, hidden = 0;

	for (uint32_t i = g->first; i < g->end; i++) {
		const struct cov_diff_row *r = &t->d->rows.data[i];
		if (r->change != g->change || r->criterion != criterion)
			continue;
		if (n == MAX_NAMES && !t->x.head->all) {
			hidden++;
			continue;
		}
		if (n++)
			sink_putc(t->x.s.out, ','), t->x.at++;
		else if (cov_criteria[criterion].change)
			cov_word(&t->x, STYLE_DIM, str_of(cov_criteria[criterion].change), 0);
		show_name(t, g, r);
	}
	if (hidden)
		cov_wordsf(&t->x, STYLE_DIM, "and %u more", (unsigned)hidden);
}

static void show_group(struct diff_text *t, struct group *g)
{
	struct place at = place_of(t->d, &t->d->rows.data[g->first]);

	g->p = cov_plan_site(at.c, at.s);
	show_place(t, at);
	cov_line_number(&t->x, g->p);
	t->x.at = t->x.indent = 12;
	cov_unit(&t->x, STYLE_NONE, cov_call(&t->x, g->p));
	sink_putc(t->x.s.out, ' ');
	t->x.at++;
	t->x.indent = 14;
	for (uint32_t k = 0; k < CRITERIA; k++)
		show_names(t, g, k);
	cov_break(&t->x);
}

static void show_change(struct diff_text *t, enum cov_change change, const char *title, int style)
{
	uint32_t calls = 0;
	uint64_t hidden = 0;
	char buf[32];

	if (!t->d->counts[change])
		return;
	cov_title(&t->x, style, title, grouped(t->d->counts[change], buf));
	t->last = (struct place){ 0 };
	for (uint32_t i = 0; i < t->d->rows.len;) {
		struct group g = { change, change == COV_GONE ? STYLE_DIM : style, i, call_end(t->d, i), NULL };
		uint32_t n = group_size(t->d, &g);
		i = g.end;
		if (n && (calls < MAX_CALLS || t->x.head->all))
			show_group(t, &g), calls++;
		else
			hidden += n;
	}
	if (hidden) {
		cov_start(&t->x, 2);
		cov_wordsf(&t->x, STYLE_DIM, "and %s more; --all shows them", grouped(hidden, buf));
		cov_break(&t->x);
	}
}

/* Chains */

/*   Length     lost  new missed   gained  new covered     gone */
static void show_lengths(struct diff_text *t)
{
	static const enum cov_change columns[] = { COV_LOST, COV_NEW_MISSED, COV_GAINED, COV_NEW_COVERED, COV_GONE };
	const struct cov_diff *d = t->d;
	char buf[32];

	cov_title(&t->x, STYLE_NONE, "Call chains", "by length");
	screen_puts(&t->x.s, STYLE_DIM, "  Length        lost  new missed      gained  new covered    no longer\n");
	for (uint32_t n = 0; n < d->nlengths; n++) {
		uint64_t sum = 0;
		for (size_t i = 0; i < ARRAY_LEN(columns); i++)
			sum += d->chain_counts[(size_t)columns[i] * d->nlengths + n];
		if (!sum)
			continue;
		sink_printf(t->x.s.out, "  %6u", (unsigned)n);
		for (size_t i = 0; i < ARRAY_LEN(columns); i++)
			sink_printf(t->x.s.out, "%*s", i == 3 ? 13 : 12, grouped(d->chain_counts[(size_t)columns[i] * d->nlengths + n], buf));
		sink_putc(t->x.s.out, '\n');
	}
}

static void show_chain(struct diff_text *t, const struct cov_diff_chain *r, int style)
{
	char buf[32];

	add_chain(t->d, r, &t->x.text);
	struct str text = strbuf_str(&t->x.text);
	const char *blank = memchr(text.p, ' ', text.len);
	uint32_t first = blank ? (uint32_t)(blank - text.p) : text.len;
	cov_start(&t->x, 2);
	cov_word(&t->x, style, str_sub(text, 0, first), 0);
	t->x.indent = 6;
	cov_words(&t->x, style, str_sub(text, first, text.len));
	if (r->chains > 1)
		cov_wordsf(&t->x, STYLE_DIM, "and %s chains from there on", grouped(r->chains - 1, buf));
	cov_break(&t->x);
}

static void show_chain_change(struct diff_text *t, enum cov_change change, const char *title, int style)
{
	uint32_t shown = 0, hidden = 0;
	char buf[32];

	if (!chains_of(t->d, change))
		return;
	cov_title(&t->x, style, title, grouped(chains_of(t->d, change), buf));
	for (uint32_t i = 0; i < t->d->chains.len; i++) {
		if (t->d->chains.data[i].change != change)
			continue;
		if (shown == MAX_CALLS && !t->x.head->all)
			hidden++;
		else
			show_chain(t, &t->d->chains.data[i], style), shown++;
	}
	if (hidden) {
		cov_start(&t->x, 2);
		cov_wordsf(&t->x, STYLE_DIM, "and %s more; --all shows them", grouped(hidden, buf));
		cov_break(&t->x);
	}
}

/* Returns whether any of them changed. */
static bool show_chains(struct diff_text *t)
{
	uint64_t changes = 0;

	for (int i = COV_GAINED; i <= COV_GONE && t->d->has_chains; i++)
		changes += chains_of(t->d, (enum cov_change)i);
	if (!changes)
		return false;
	show_lengths(t);
	show_chain_change(t, COV_LOST, "Chains lost", STYLE_RED);
	show_chain_change(t, COV_NEW_MISSED, "Chains new, and missed", STYLE_RED);
	show_chain_change(t, COV_GAINED, "Chains gained", STYLE_GREEN);
	show_chain_change(t, COV_NEW_COVERED, "Chains new, and covered", STYLE_GREEN);
	return true;
}

static bool is_other_granularity(const struct cov_diff *d)
{
	return !d->has_chains && criterion_in(d->old->plan, COV_CHAINS) && criterion_in(d->new->plan, COV_CHAINS);
}

bool report_coverage_diff_text(struct sink *out, const struct cov_diff *d, const struct coverage_head *head)
{
	struct diff_text t = { .d = d };

	cov_screen_init(&t.x, out, head);
	cov_know_all(&t.x, d->new);
	cov_know_all(&t.x, d->old);
	screen_puts(&t.x.s, STYLE_BOLD, "Coverage, before and after");
	sink_putc(out, '\n');
	cov_fact(&t.x, "Component", d->new->plan->component);
	sink_putc(out, '\n');
	show_sums(&t);
	show_change(&t, COV_LOST, "Lost", STYLE_RED);
	show_change(&t, COV_NEW_MISSED, "New, and missed", STYLE_RED);
	show_change(&t, COV_GAINED, "Gained", STYLE_GREEN);
	show_change(&t, COV_NEW_COVERED, "New, and covered", STYLE_GREEN);
	show_change(&t, COV_GONE, "No longer required", STYLE_NONE);
	bool has_changed = show_chains(&t);
	if (is_other_granularity(d))
		sink_puts(out, "\n  Chains are not compared: they are of another granularity, or too many.\n");
	if (!d->rows.len && !has_changed)
		sink_puts(out, "\n  Nothing changed.\n");
	cov_screen_release(&t.x);
	return sink_finish(out);
}
