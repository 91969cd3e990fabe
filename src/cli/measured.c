/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/measured.h"

#include <inttypes.h>
#include <stdio.h>

#include "sherd/sherd.h"

struct coverage_head measured_head(const struct cli_run *r, const struct measured_options *o, const char *result)
{
	return (struct coverage_head){ .tool = "sherd", .version = sherd_version(), .result = result, .source = o->source,
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
		print_counts("rc", s->rc);
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
