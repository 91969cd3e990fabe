/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verbs/measured.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/write/screen.h"
#include "sherd/sherd.h"

#define NAMES_SHOWN 5

void measured_check_source(struct cli_run *r, const struct measured_options *o)
{
	struct strbuf folder = { 0 };

	for (const char *at = o->source; at && *at;) {
		size_t n = strcspn(at, ":");
		strbuf_clear(&folder);
		strbuf_add(&folder, at, n);
		if (n && access(folder.s, R_OK | X_OK) != 0)
			term_warning(&r->term, "--source %s: %s", folder.s, strerror(errno));
		at += n + (at[n] == ':');
	}
	strbuf_release(&folder);
}

const char *measured_accept(const struct measured_options *o)
{
	if (o->accept)
		return strcmp(o->accept, "none") == 0 ? NULL : o->accept;
	return access(ACCEPT_FILE, R_OK) == 0 ? ACCEPT_FILE : NULL;
}

/* Of an algorithm that this program does not know, too. */
static bool has_no_why(const struct plan *p)
{
	struct strbuf name = { 0 };
	struct algorithm a;

	strbuf_addstr(&name, p->algorithm);
	strbuf_addch(&name, '\0');
	bool has = algorithm_find(name.s, &a) && algorithm_follows_variables(&a);
	strbuf_release(&name);
	return !has;
}

static bool has_other_jdk(const struct plan *p)
{
	char *jdk = session_default_jdk();
	bool is_other = p->jdk.len && !(jdk && str_is(p->jdk, jdk));

	free(jdk);
	return is_other;
}

struct coverage_head measured_head(const struct cli_run *r, const struct measured_options *o, const struct coverage *c,
				   const char *result)
{
	return (struct coverage_head){ .tool = "sherd", .version = sherd_version(), .result = result, .source = o->source,
				       .no_why = has_no_why(c->plan), .has_other_jdk = has_other_jdk(c->plan),
				       .color = r->term.color_out, .width = (uint32_t)r->term.width, .all = o->all };
}

bool measured_write(struct sink *out, void *report)
{
	const struct measured_report *m = report;

	return m->writer(out, m->coverage, &m->head);
}

void measured_say_left_out(struct cli_run *r, const struct measured_report *m)
{
	uint64_t n = m->writer == report_coverage_sarif ? coverage_sarif_left_out(m->coverage, &m->head) : 0;
	char buf[32];

	if (n)
		term_warning(&r->term, "SARIF: %s results are left out, since services take 25,000; those of the component's own classes come first, "
				       "and --only chooses classes", grouped(n, buf));
}

bool measured_write_result(struct cli_run *r, struct measured_report *m)
{
	bool ok = run_write(r, measured_write, m);

	if (ok)
		measured_say_left_out(r, m);
	if (ok || !r->o->output || r->o->stats == STATS_JSON)
		return ok;
	m->writer = report_coverage_text;
	m->head.color = r->term.color_out;
	run_write_to(r, NULL, measured_write, m);
	return false;
}

static void add_counts(struct stats *st, const char *name, struct cov_counts n)
{
	uint32_t p = coverage_permille(n);

	stats_object(st, name);
	stats_count(st, "required", n.required);
	stats_count(st, "covered", n.covered);
	stats_real(st, "percent", p / 10.0, 1);
	stats_end_object(st);
}

static void add_stats(const struct coverage *c, struct stats *st)
{
	const struct cov_sums *s = &c->sums;

	for (uint32_t k = 0; k < CRITERIA; k++)
		if (criterion_in(c->plan, k))
			add_counts(st, cov_criteria[k].name, s->of[k]);
	stats_count(st, "classes", c->classes.len), stats_show(st, "classes", c->classes.len);
	stats_count(st, "calls", s->sites), stats_show(st, "calls", s->sites);
	stats_count(st, "calls_made", s->called_sites);
	stats_count(st, "unexpected", s->unexpected);
	stats_count(st, "client", s->client);
	stats_count(st, "runs", c->runs->runs.len), stats_show(st, "runs", c->runs->runs.len);
	stats_count(st, "tests", c->tests.len), stats_show(st, "tests", c->tests.len);
	stats_break(st);
}

void measured_print_stats(struct cli_run *r, const char *verb, const struct coverage *c, double command)
{
	struct stats st = { 0 };

	add_stats(c, &st);
	if (command >= 0)
		stats_real(&st, "command_seconds", command, 3);
	inquiry_stats(&r->inquiry, true, &st);
	stats_break(&st);
	if (command >= 0)
		stats_show_real(&st, "command", command, 3, "s");
	run_write_stats(r, verb, &st);
	stats_release(&st);
}

void measured_say_notes(struct cli_run *r, const struct coverage *c)
{
	for (uint32_t i = 0; i < c->notes.len; i++)
		term_warning(&r->term, "%.*s", (int)c->notes.data[i].len, c->notes.data[i].p);
}

/* The text of a class that is watched in part says what the agent could not do; without one, calls were not found. */
static bool is_other(const struct cov_class *k)
{
	return k->state == COV_OTHER || (k->state == COV_PARTLY && k->text.len == 0);
}

void measured_check_classes(struct cli_run *r, const struct coverage *c)
{
	struct strbuf names = { 0 };
	uint32_t n = 0, calls = 0;

	for (uint32_t i = 0; i < c->classes.len; i++) {
		const struct cov_class *k = &c->classes.data[i];
		if (!k->sums.sites || !is_other(k))
			continue;
		calls += k->unwatched;
		if (n++ < NAMES_SHOWN) {
			strbuf_adds(&names, n > 1 ? ", " : "");
			strbuf_addstr(&names, c->plan->classes.data[k->class].name);
		}
	}
	if (n > NAMES_SHOWN)
		strbuf_addf(&names, " and %" PRIu32 " more", n - NAMES_SHOWN);
	if (n)
		diag_add(&r->inquiry.diag, DIAG_W054, NULL, (struct str){ 0 }, DIAG_NO_OFFSET,
			 "the JVM loaded other class files than -cp has of %" PRIu32 " class%s (%s): %" PRIu32 " call%s of the "
			 "analysed ones %s not in them and count%s as missed; compile again, or let -cp name what is run",
			 n, n == 1 ? "" : "es", names.s, calls, calls == 1 ? "" : "s", calls == 1 ? "is" : "are",
			 calls == 1 ? "s" : "");
	strbuf_release(&names);
}

int measured_check_gates(struct cli_run *r, const struct gates *g, const struct coverage *c)
{
	static const int statuses[] = { [GATES_PASS] = EXIT_DONE, [GATES_FAIL] = EXIT_CHECK_FAILED,
					[GATES_EMPTY] = EXIT_UNSERVED };

	bool holds = !c->accepted || accept_check(c->accepted, &r->inquiry.diag);
	int status = statuses[gates_check(g, c, &r->term)];
	return status == EXIT_DONE && !holds ? EXIT_CHECK_FAILED : status;
}
