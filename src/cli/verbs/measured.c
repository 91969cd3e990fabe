/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verbs/measured.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static void print_counts(const char *name, struct cov_counts n)
{
	uint32_t p = coverage_permille(n);

	printf(",\"%s\":{\"required\":%" PRIu64 ",\"covered\":%" PRIu64 ",\"percent\":%" PRIu32 ".%" PRIu32 "}", name,
	       n.required, n.covered, p / 10, p % 10);
}

static void print_json(const struct cli_run *r, const char *verb, const struct coverage *c, double command)
{
	const struct cov_sums *s = &c->sums;

	printf("{\"schema\":\"sherd/stats/1\",\"verb\":\"%s\"", verb);
	if (c->plan->has_rc)
		print_counts("rc", s->rc), print_counts("own", s->own);
	if (c->plan->has_tm)
		print_counts("tm", s->tm);
	printf(",\"classes\":%" PRIu32 ",\"calls\":%" PRIu64 ",\"calls_made\":%" PRIu64 ",\"unexpected\":%" PRIu64
	       ",\"client\":%" PRIu64 ",\"runs\":%" PRIu32 ",\"tests\":%" PRIu32,
	       c->classes.len, s->sites, s->called_sites, s->unexpected, s->client, c->runs->runs.len, c->tests.len);
	if (command >= 0)
		printf(",\"command_seconds\":%.3f", command);
	printf(",\"seconds\":{");
	for (enum phase k = 0; k < PHASES; k++)
		printf("\"%s\":%.4f,", phase_name(k), r->session.seconds[k]);
	printf("\"total\":%.4f},\"peak_rss_mb\":%.1f}\n", session_total(&r->session), peak_rss_mb());
}

static void print_text(const struct cli_run *r, const struct coverage *c, double command)
{
	fprintf(stderr, "classes %" PRIu32 "  calls %" PRIu64 "  runs %" PRIu32 "  tests %" PRIu32 "\n", c->classes.len,
		c->sums.sites, c->runs->runs.len, c->tests.len);
	for (enum phase k = 0; k < PHASES; k++)
		fprintf(stderr, "%s %.3f s  ", phase_name(k), r->session.seconds[k]);
	fprintf(stderr, "total %.3f s CPU  peak memory %.0f MB\n", session_total(&r->session), peak_rss_mb());
	if (command >= 0)
		fprintf(stderr, "command %.3f s\n", command);
}

void measured_print_stats(const struct cli_run *r, const char *verb, const struct coverage *c, double command)
{
	if (r->o->stats == STATS_JSON)
		print_json(r, verb, c, command);
	else if (r->o->stats == STATS_TEXT)
		print_text(r, c, command);
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
		diag_add(&r->session.diag, DIAG_W054, NULL, (struct str){ 0 }, DIAG_NO_OFFSET,
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

	return statuses[gates_check(g, c, &r->term)];
}
