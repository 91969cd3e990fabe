/* SPDX-License-Identifier: Apache-2.0 */
/* notes.c - what readers of a report must know before they believe it. */
#include <inttypes.h>
#include <stdio.h>

#include "coverage/coverage_p.h"

#define NAMES_SHOWN 10

/* "p.A, p.B and 3 more" */
struct names {
	struct strbuf text;
	uint32_t n;
};

static void add_name(struct names *n, struct str name)
{
	if (n->n++ >= NAMES_SHOWN)
		return;
	if (n->n > 1)
		strbuf_adds(&n->text, ", ");
	strbuf_addstr(&n->text, name);
}

static const char *names_text(struct names *n)
{
	if (n->n > NAMES_SHOWN)
		strbuf_addf(&n->text, " and %u more", n->n - NAMES_SHOWN);
	return n->text.s;
}

static const char *s_of(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static const char *es_of(uint64_t n)
{
	return n == 1 ? "" : "es";
}

static void add_note(struct join *j, struct strbuf *text)
{
	struct str copy = { arena_copy(&j->c->mem, text->s, text->len), (uint32_t)text->len };

	vec_push(&j->c->notes, copy);
	strbuf_clear(text);
}

/* Of classes */

static void note_stale(struct join *j, struct strbuf *b)
{
	struct names names = { 0 };

	for (uint32_t i = 0; i < j->p->classes.len; i++)
		if (j->seen[i].stale)
			add_name(&names, j->p->classes.data[i].name);
	if (names.n) {
		strbuf_addf(b, "data of %u class%s was made with a plan for other class files and does not count; "
			       "run the tests again: %s", names.n, es_of(names.n), names_text(&names));
		add_note(j, b);
	}
	strbuf_release(&names.text);
}

static void note_aliens(struct join *j, struct strbuf *b)
{
	struct names names = { 0 };

	for (uint32_t i = 1; i < j->aliens.strings.len; i++)
		add_name(&names, j->aliens.strings.data[i]);
	if (names.n) {
		strbuf_addf(b, "data of %u class%s is not of this plan and does not count: %s", names.n, es_of(names.n),
			    names_text(&names));
		add_note(j, b);
	}
	strbuf_release(&names.text);
}

/* Watched by one JVM or loader, but not by all. */
static void note_mixed(struct join *j, struct strbuf *b)
{
	struct names names = { 0 };

	for (uint32_t i = 0; i < j->p->classes.len; i++) {
		const struct class_seen *s = &j->seen[i];
		if ((s->watched || s->matched) && (s->partly || s->other))
			add_name(&names, j->p->classes.data[i].name);
	}
	if (names.n) {
		strbuf_addf(b, "%u class%s %s loaded several times, and not all calls of each could be watched: %s", names.n,
			    es_of(names.n), names.n == 1 ? "was" : "were", names_text(&names));
		add_note(j, b);
	}
	strbuf_release(&names.text);
}

/* Of runs */

static bool is_damaged(const struct run *r)
{
	return r->is_damaged;
}

static bool is_cut_short(const struct run *r)
{
	return !r->is_complete && !r->is_damaged;
}

static void note_runs(struct join *j, bool (*is_one)(const struct run *), const char *one, const char *many, struct strbuf *b)
{
	struct names pids = { 0 };
	char pid[16];

	for (uint32_t i = 0; i < j->runs.len; i++) {
		const struct run *r = j->runs.data[i].run;
		if (is_one(r))
			add_name(&pids, (struct str){ pid, (uint32_t)snprintf(pid, sizeof(pid), "%u", r->pid) });
	}
	if (pids.n) {
		strbuf_addf(b, "%u of %u JVM%s %s: process%s %s", pids.n, j->runs.len, s_of(j->runs.len), pids.n == 1 ? one : many,
			    es_of(pids.n), names_text(&pids));
		add_note(j, b);
	}
	strbuf_release(&pids.text);
}

static bool is_parallel(const struct run *r)
{
	return r->is_parallel;
}

static void note_other_plans(struct join *j, struct strbuf *b)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < j->runs.len; i++)
		n += j->runs.data[i].run->plan != j->p->id;
	if (n == 0)
		return;
	strbuf_addf(b, "%u of %u JVM%s ran with another plan: what that plan did not watch is missing", n, j->runs.len,
		    s_of(j->runs.len));
	add_note(j, b);
}

static void note_nothing(struct join *j, struct strbuf *b)
{
	uint32_t n = j->runs.len;

	if (coverage_has_loaded(j->c) || (n && !coverage_has_watchable(j->c)))
		return;
	if (n)
		strbuf_addf(b, "the agent ran in %u JVM%s, but %s loaded a class of the component that has calls to watch: check "
			       "that the command runs tests of these classes", n, s_of(n), n == 1 ? "it never" : "none of them");
	else
		strbuf_adds(b, "no JVM wrote data: check that the command starts a JVM and that the JVM can load the agent");
	add_note(j, b);
}

static void note_lost(struct join *j, struct strbuf *b)
{
	uint32_t n = j->c->runs->nlost;

	if (n) {
		strbuf_addf(b, "%u piece%s of the data %s cut off or damaged, and no run is left of %s", n, s_of(n),
			    n == 1 ? "is" : "are", n == 1 ? "it" : "them");
		add_note(j, b);
	}
	if (j->wrong_cells) {
		strbuf_addf(b, "data of %" PRIu64 " call%s that the plan does not have does not count", j->wrong_cells,
			    s_of(j->wrong_cells));
		add_note(j, b);
	}
}

/* What agents noted: each sentence once, with the number of JVMs that said it. */
static void note_agents(struct join *j, struct strbuf *b)
{
	struct interner texts;
	VEC(uint32_t) counts = { 0 };

	interner_init(&texts);
	for (uint32_t i = 0; i < j->runs.len; i++) {
		const struct run *r = j->runs.data[i].run;
		for (uint32_t k = 0; k < r->notes.len; k++) {
			uint32_t id = intern(&texts, r->notes.data[k]).i;
			while (counts.len <= id)
				vec_push(&counts, 0);
			counts.data[id]++;
		}
	}
	for (uint32_t id = 1; id < texts.strings.len; id++) {
		strbuf_addstr(b, texts.strings.data[id]);
		if (counts.data[id] > 1)
			strbuf_addf(b, " (%u times)", counts.data[id]);
		add_note(j, b);
	}
	interner_release(&texts);
	vec_release(&counts);
}

static void note_chains(struct join *j, struct strbuf *b)
{
	if (!j->c->chains.is_cut)
		return;
	strbuf_adds(b, "there are too many call chains to count them: measure again with a smaller -k");
	add_note(j, b);
}

void join_notes(struct join *j)
{
	struct strbuf b = { 0 };

	note_nothing(j, &b);
	note_stale(j, &b);
	note_aliens(j, &b);
	note_other_plans(j, &b);
	note_mixed(j, &b);
	note_runs(j, is_damaged, "left data that is cut off or damaged; what comes before that counts",
		  "left data that is cut off or damaged; what comes before that counts", &b);
	note_runs(j, is_cut_short, "did not come to an end; what it did in its last second may be missing",
		  "did not come to an end; what they did in their last second may be missing", &b);
	note_runs(j, is_parallel, "ran tests at the same time: what was exercised then counts for each of them",
		  "ran tests at the same time: what was exercised then counts for each of them", &b);
	note_lost(j, &b);
	note_chains(j, &b);
	note_agents(j, &b);
	strbuf_release(&b);
}
