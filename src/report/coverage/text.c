/* SPDX-License-Identifier: Apache-2.0 */
/* text.c - coverage as a screen for people: how much was exercised, what nobody expected, what to test next, and
 * what to know about the figures. The other formats hold everything. */
#include "report/coverage/text_p.h"

#include "report/java/clients.h"

#define BAR_COLUMNS 30
#define MEANING_COLUMN 28     /* below the bars */
#define MAX_NAMES 5           /* of classes or tests in a note */

/* The head */

static void add_versions(const struct runs *r, struct strbuf *out)
{
	for (uint32_t i = 0; i < r->runs.len; i++) {
		bool is_known = r->runs.data[i].jvm.len == 0;
		for (uint32_t k = 0; k < i && !is_known; k++)
			is_known = str_eq(r->runs.data[k].jvm, r->runs.data[i].jvm);
		if (is_known)
			continue;
		strbuf_adds(out, i ? ", " : " of Java ");
		strbuf_addstr(out, r->runs.data[i].jvm);
	}
}

static void show_runs(struct cov_text *t)
{
	const struct runs *r = t->c->runs;
	struct strbuf text = { 0 };
	char buf[32];

	if (!r || !r->runs.len) {
		cov_fact(&t->x, "Runs", STR("none: no JVM left data"));
		return;
	}
	strbuf_addf(&text, "%s JVM%s", grouped(r->runs.len, buf), cov_s(r->runs.len));
	add_versions(r, &text);
	cov_fact(&t->x, "Runs", strbuf_str(&text));
	strbuf_release(&text);
}

static bool is_anything_required(const struct coverage *c)
{
	return cov_total(&c->sums).required > 0;
}

static uint32_t idle_tests(const struct coverage *c)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->tests.len; i++)
		n += c->tests.data[i].fresh == 0;
	return n;
}

static void show_tests(struct cov_text *t)
{
	uint32_t n = t->c->tests.len, idle = idle_tests(t->c);
	struct strbuf text = { 0 };
	char buf[32];

	if (!n || !is_anything_required(t->c))
		return;
	strbuf_addf(&text, "%s", grouped(n, buf));
	if (idle)
		strbuf_addf(&text, ", of which %s add%s nothing new", grouped(idle, buf), idle == 1 ? "s" : "");
	cov_fact(&t->x, "Tests", strbuf_str(&text));
	strbuf_release(&text);
}

static void show_clients(struct cov_text *t)
{
	struct strbuf words = { 0 };

	clients_add_words(t->c->plan->clients, &words);
	cov_fact(&t->x, "Clients", strbuf_str(&words));
	strbuf_release(&words);
}

static void show_head(struct cov_text *t)
{
	const struct plan *p = t->c->plan;

	screen_puts(&t->x.s, STYLE_BOLD, "Coverage of test requirements");
	sink_putc(t->x.s.out, '\n');
	cov_fact(&t->x, "Component", p->component);
	cov_fact(&t->x, "Interface", p->interface);
	show_clients(t);
	cov_fact(&t->x, "Algorithm", p->algorithm);
	cov_fact(&t->x, "Assumed", p->assume);
	show_runs(t);
	show_tests(t);
}

/*   Receiver classes   50.0 %  ███████████████░░░░░░░░░░░░░░░  2 of 4 */
static void show_bar(struct cov_text *t, const char *label, struct cov_counts n)
{
	char covered[32], required[32];

	sink_printf(t->x.s.out, "  %-17s", label);
	screen_style(&t->x.s, STYLE_BOLD);
	cov_percent(&t->x, n);
	screen_plain(&t->x.s);
	sink_puts(t->x.s.out, "  ");
	cov_bar(&t->x, n, BAR_COLUMNS);
	sink_printf(t->x.s.out, "  %s of %s\n", grouped(n.covered, covered), grouped(n.required, required));
}

/* Parts stand below their whole; but for rungs of the ladder, which say what they mean. */
static void show_share(struct cov_text *t, uint32_t k, struct cov_counts n)
{
	char label[80];

	snprintf(label, sizeof label, "%s%s", criterion_is_part(k) && !criterion_is_rung(k) ? "  " : "", cov_criteria[k].title);
	show_bar(t, label, n);
	if (!cov_criteria[k].means)
		return;
	cov_start(&t->x, MEANING_COLUMN);
	cov_words(&t->x, STYLE_DIM, str_of(cov_criteria[k].means));
	cov_break(&t->x);
}

static void show_sums(struct cov_text *t)
{
	const struct cov_sums *s = &t->c->sums;

	for (uint32_t k = 0; k < CRITERIA; k++)
		if (criterion_in(t->c->plan, k) && cov_is_worth_a_line(s, k))
			show_share(t, k, s->of[k]);
	if (cov_has_calls(t->c))
		show_bar(t, "Calls made", (struct cov_counts){ .required = s->sites, .covered = s->called_sites });
}

/* The table of classes */

struct ranked {
	uint32_t class;
	uint64_t missed, total;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->missed != y->missed)
		return x->missed > y->missed ? -1 : 1;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return (x->class > y->class) - (x->class < y->class);
}

static bool is_asked(const struct cov_text *t, struct str class)
{
	return !t->x.head->is_shown || t->x.head->is_shown(t->x.head->context, class);
}

static bool has_requirements(const struct coverage *c, const struct cov_sums *s)
{
	return (cov_has_calls(c) && s->sites) || s->of[COV_CHAINS].required;
}

/* Most missed first; all of them by name, when all are asked for. Where the figures of classes miss nothing, whatever is missed counts. */
static void rank_classes(struct cov_text *t)
{
	bool is_ladder_done = cov_missed_in_columns(t->c, &t->c->sums) == 0;
	VEC(struct ranked) found = { 0 };

	for (uint32_t i = 0; i < t->c->classes.len; i++) {
		const struct cov_class *k = &t->c->classes.data[i];
		uint64_t total = cov_missed_of(&k->sums), missed = cov_missed_in_columns(t->c, &k->sums);
		if (!is_asked(t, t->c->plan->classes.data[k->class].name))
			continue;
		bool misses = is_ladder_done ? total > 0 : missed > 0;
		t->missing += misses;
		if (misses || (t->x.head->all && has_requirements(t->c, &k->sums)))
			vec_push(&found, (t->x.head->all ? (struct ranked){ i, 0, 0 } : (struct ranked){ i, missed, total }));
	}
	if (found.len)
		qsort(found.data, found.len, sizeof(*found.data), compare_ranked);
	for (uint32_t i = 0; i < found.len; i++)
		vec_push(&t->classes, found.data[i].class);
	vec_release(&found);
}

static void show_class_row(struct cov_text *t, const struct cov_class *k)
{
	char missed[32];

	sink_puts(t->x.s.out, "  ");
	for (uint32_t i = 0; i < CRITERIA; i++)
		if (cov_is_column(t->c, i))
			cov_percent(&t->x, k->sums.of[i]), sink_puts(t->x.s.out, "  ");
	sink_printf(t->x.s.out, "%9s", grouped(cov_missed_in_columns(t->c, &k->sums), missed));
	t->x.at = 12, t->x.indent = 12;
	sink_puts(t->x.s.out, "  ");
	strbuf_clear(&t->x.shown);
	escape_add(&t->x.shown, ESCAPE_PLAIN, t->c->plan->classes.data[k->class].name);
	sink_str(t->x.s.out, strbuf_str(&t->x.shown));
	sink_putc(t->x.s.out, '\n');
}

static void show_classes(struct cov_text *t)
{
	uint32_t n = t->has_limits ? cov_fitting(t->classes.len, MAX_CLASSES) : t->classes.len;
	char counts[80], a[32];

	if (!n)
		return;
	snprintf(counts, sizeof counts, "%s", grouped(t->x.head->all ? t->classes.len : t->missing, a));
	cov_title(&t->x, STYLE_NONE, t->x.head->all ? "Classes" : "Classes that miss something", counts);
	screen_style(&t->x.s, STYLE_DIM);
	sink_puts(t->x.s.out, "  ");
	for (uint32_t k = 0; k < CRITERIA; k++)
		if (cov_is_column(t->c, k))
			sink_printf(t->x.s.out, "%7s  ", cov_criteria[k].short_name);
	sink_puts(t->x.s.out, "   missed\n");
	screen_plain(&t->x.s);
	for (uint32_t i = 0; i < n; i++)
		show_class_row(t, &t->c->classes.data[t->classes.data[i]]);
	if (n < t->classes.len) {
		cov_start(&t->x, 2);
		cov_wordsf(&t->x, STYLE_DIM, "and %s more, with fewer missed:", grouped(t->classes.len - n, a));
		cov_more_command(&t->x, "--all");
		cov_break(&t->x);
	}
}

/* Notes */

struct notes {
	struct cov_text *t;
	struct strbuf text;
	bool has_title;
};

static void end_note(struct notes *n)
{
	if (!n->has_title)
		cov_title(&n->t->x, STYLE_NONE, "Notes", NULL);
	n->has_title = true;
	cov_note(&n->t->x, strbuf_str(&n->text));
}

static void add_name(struct notes *n, struct str name, uint32_t *shown)
{
	if (*shown < MAX_NAMES) {
		strbuf_adds(&n->text, *shown ? ", " : " ");
		strbuf_addstr(&n->text, name);
	}
	(*shown)++;
}

static void add_rest(struct notes *n, uint32_t shown)
{
	char buf[32];

	if (shown > MAX_NAMES)
		strbuf_addf(&n->text, " and %s more", grouped(shown - MAX_NAMES, buf));
	strbuf_addch(&n->text, '.');
}

/* Classes without calls matter to nobody. */
struct noted {
	enum cov_state state;
	bool has_text;                /* COV_PARTLY: the agent says why; otherwise the class file is another one */
};

static bool is_noted(const struct cov_class *k, struct noted what)
{
	return k->state == what.state && (k->sums.sites || k->sums.of[COV_CHAINS].required) && (k->text.len > 0) == what.has_text;
}

/* What the agent says, where it says the same of all of them. */
static void add_cause(struct notes *n, struct noted what)
{
	const struct coverage *c = n->t->c;
	struct str text = { 0 };

	for (uint32_t i = 0; i < c->classes.len; i++) {
		const struct cov_class *k = &c->classes.data[i];
		if (!is_noted(k, what))
			continue;
		if (text.len && !str_eq(text, k->text))
			return;
		text = k->text;
	}
	if (text.len) {
		strbuf_adds(&n->text, " (");
		strbuf_addstr(&n->text, text);
		strbuf_addch(&n->text, ')');
	}
}

static void note_state(struct notes *n, struct noted state, const char *one, const char *many)
{
	const struct coverage *c = n->t->c;
	uint32_t found = 0, shown = 0;
	uint64_t sites = 0;
	char classes[32], calls[32];

	for (uint32_t i = 0; i < c->classes.len; i++)
		if (is_noted(&c->classes.data[i], state)) {
			found++;
			sites += state.state == COV_PARTLY ? c->classes.data[i].unwatched : c->classes.data[i].sums.sites;
		}
	if (!found)
		return;
	strbuf_clear(&n->text);
	strbuf_addf(&n->text, "%s class%s, %s call%s: %s", grouped(found, classes), found == 1 ? "" : "es",
		    grouped(sites, calls), cov_s(sites), found == 1 ? one : many);
	add_cause(n, state);
	strbuf_addch(&n->text, ':');
	for (uint32_t i = 0; i < c->classes.len; i++)
		if (is_noted(&c->classes.data[i], state))
			add_name(n, c->plan->classes.data[c->classes.data[i].class].name, &shown);
	add_rest(n, shown);
	end_note(n);
}

static void note_states(struct notes *n)
{
	note_state(n, (struct noted){ .state = COV_NOT_LOADED }, "it was never loaded, so tests never used it",
		   "they were never loaded, so tests never used them");
	note_state(n, (struct noted){ .state = COV_OTHER },
		   "the JVM loaded another class file than the one that was analysed; give -cp the class path of the tests",
		   "the JVM loaded other class files than those that were analysed; give -cp the class path of the tests");
	note_state(n, (struct noted){ .state = COV_MATCHED }, "the JVM loaded another class file, but all its calls could be matched",
		   "the JVM loaded other class files, but all their calls could be matched");
	note_state(n, (struct noted){ .state = COV_PARTLY },
		   "the JVM loaded another class file than the one that was analysed, and these of its calls could not be found in "
		   "it: they count as missed; compile again, or let -cp name what the tests run",
		   "the JVM loaded other class files than those that were analysed, and these of their calls could not be found in "
		   "them: they count as missed; compile again, or let -cp name what the tests run");
	note_state(n, (struct noted){ COV_PARTLY, true }, "these calls could not be watched and count as missed",
		   "these calls could not be watched and count as missed");
}

static void note_clients(struct notes *n)
{
	uint64_t clients = cov_has_calls(n->t->c) ? n->t->c->sums.client : 0;
	char buf[32];

	if (!clients)
		return;
	strbuf_clear(&n->text);
	strbuf_addf(&n->text, "%s receiver%s more %s seen that clients brought, or at calls that are open to them: nothing is "
			      "required of %s.",
		    grouped(clients, buf), cov_s(clients), clients == 1 ? "was" : "were", clients == 1 ? "it" : "them");
	end_note(n);
}

/* What every requirement is may not be all that can happen. */
static void note_open(struct notes *n)
{
	const struct plan *p = n->t->c->plan;
	uint64_t found = 0;
	char buf[32];

	for (uint32_t i = 0; i < p->sites.len && cov_has_calls(n->t->c); i++)
		found += (p->sites.data[i].flags & PLAN_OPEN) != 0;
	if (!found)
		return;
	strbuf_clear(&n->text);
	strbuf_addf(&n->text, "%s call%s may see objects that the analysis does not know, from reflection or native code, say: more "
			      "receivers than are required are possible there.",
		    grouped(found, buf), cov_s(found));
	end_note(n);
}

/* What the project's authors took out, and what tests do of it all the same. */
static void note_accepted(struct notes *n)
{
	const struct cov_accepted *a = n->t->c->accepted;
	uint64_t named[2] = { 0 }, seen = 0;
	char impossible[32], unwanted[32], exercised[32];

	for (uint32_t i = 0; a && i < a->entries.len; i++) {
		named[a->entries.data[i].is_impossible] += a->entries.data[i].named;
		seen += a->entries.data[i].is_impossible ? 0 : a->entries.data[i].seen;
	}
	if (!named[0] && !named[1])
		return;
	strbuf_clear(&n->text);
	strbuf_addf(&n->text, "Not required, says %s: %s that are impossible, %s that are unwanted", a->path, grouped(named[1], impossible),
		    grouped(named[0], unwanted));
	if (seen)
		strbuf_addf(&n->text, ", of which tests exercise %s", grouped(seen, exercised));
	strbuf_addch(&n->text, '.');
	end_note(n);
}

static void note_tests(struct notes *n)
{
	const struct coverage *c = n->t->c;
	uint32_t idle = idle_tests(c), shown = 0;
	char buf[32];

	if (!idle || !is_anything_required(c))
		return;
	strbuf_clear(&n->text);
	strbuf_addf(&n->text, "%s test%s exercise%s nothing that tests before %s did not:", grouped(idle, buf), cov_s(idle),
		    idle == 1 ? "s" : "", idle == 1 ? "it" : "them");
	for (uint32_t i = 0; i < c->tests.len; i++)
		if (c->tests.data[i].fresh == 0)
			add_name(n, c->tests.data[i].name, &shown);
	add_rest(n, shown);
	end_note(n);
}

/* What the screen says already, or what says nothing when nothing was measured, is left out. */
static void show_notes(struct cov_text *t)
{
	struct notes n = { .t = t };

	if (!t->is_empty) {
		note_states(&n);
		note_clients(&n);
		note_open(&n);
		note_accepted(&n);
		note_tests(&n);
	}
	for (uint32_t i = t->is_empty; i < t->c->notes.len; i++) {
		strbuf_clear(&n.text);
		strbuf_addstr(&n.text, t->c->notes.data[i]);
		end_note(&n);
	}
	strbuf_release(&n.text);
}

static void show_verdict(struct cov_text *t)
{
	const struct cov_sums *s = &t->c->sums;
	const char *text = NULL;

	if (!is_anything_required(t->c))
		text = cov_has_calls(t->c) ? "Nothing is required: no call of the component can have several receivers. If that is a "
					     "surprise, look at -cp and --component."
					   : "Nothing is required: no entry of the component calls another method of it. If that is a "
					     "surprise, look at -cp, --component and the filters of chains.";
	else if (cov_missed_of(s) == 0 && s->unexpected)
		text = "What is required is exercised, but that is not all: see what came unexpected.";
	else if (cov_missed_of(s) == 0)
		text = "Every requirement is exercised.";
	if (!text)
		return;
	sink_putc(t->x.s.out, '\n');
	cov_start(&t->x, 2);
	cov_words(&t->x, is_anything_required(t->c) && !s->unexpected ? STYLE_GREEN : STYLE_NONE, str_of(text));
	cov_break(&t->x);
}

/* The figures are no figures: nothing else matters. */
static void show_alarm(struct cov_text *t)
{
	cov_title(&t->x, STYLE_RED, "Nothing was measured", NULL);
	cov_start(&t->x, 2);
	cov_words(&t->x, STYLE_NONE, t->c->notes.data[0]);
	cov_break(&t->x);
}

static void show_lists(struct cov_text *t)
{
	rank_classes(t);
	show_verdict(t);
	cov_show_unexpected(t);
	cov_show_strange(t);
	show_classes(t);
	cov_show_calls(t);
	cov_show_chains(t);
}

bool report_coverage_text(struct sink *out, const struct coverage *c, const struct coverage_head *head)
{
	struct cov_text t = { .c = c, .has_limits = !head->all && !head->is_shown };

	t.receivers = criteria_receivers(c->plan);
	t.is_empty = coverage_has_watchable(c) && !coverage_has_loaded(c) && c->notes.len;

	cov_screen_init(&t.x, out, head);
	cov_know_all(&t.x, c);
	show_head(&t);
	if (t.is_empty)
		show_alarm(&t);
	sink_putc(out, '\n');
	show_sums(&t);
	if (!t.is_empty)
		show_lists(&t);
	show_notes(&t);
	vec_release(&t.classes);
	vec_release(&t.missed);
	cov_screen_release(&t.x);
	return sink_finish(out);
}
