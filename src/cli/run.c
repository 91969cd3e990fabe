/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run.h"

#include <errno.h>
#include <string.h>

#include "cli/output.h"
#include "session/outside/known.h"

/* To the progress line, and to the sentence should a budget run out. */
static void hear(void *ctx, const struct inquiry_news *n)
{
	struct cli_run *r = ctx;

	if (n->now && n->now[0])
		term_progress(&r->term, "%s", n->now);
	else if (n->now)
		term_progress_end(&r->term);
	if (n->how_far)
		budget_note(n->how_far, n->to_try ? n->to_try : "");
}

static void start(struct cli_run *r, unsigned phases)
{
	term_init(&r->term, r->o);
	budget_start(r->o->timeout, r->o->memory);
	inquiry_init(&r->inquiry, phases);
	r->inquiry.news = hear;
	r->inquiry.news_ctx = r;
}

static void finish(struct cli_run *r)
{
	term_progress_end(&r->term);
	term_diagnostics(&r->term, &r->inquiry.diag);
}

int run_verb(const struct shared_options *o, int (*work)(struct cli_run *r, void *ctx), void *ctx)
{
	struct cli_run r = { .o = o };
	struct session_opt so = { .class_path = o->class_path, .jdk = o->jdk, .use_cache = !o->no_cache, .jobs = o->jobs,
				  .no_manifests = o->no_manifests, .facts = o->facts.data, .nfacts = o->facts.len };

	so.environment = (struct environment_opt){ o->given.data, o->given.len, o->properties.data, o->properties.len, o->environment };

	start(&r, PHASES_JAVA);
	int status = session_open(&r.session, &r.inquiry, &so) ? work(&r, ctx) : EXIT_UNSERVED;
	finish(&r);
	session_close(&r.session);
	inquiry_release(&r.inquiry);
	return status;
}

int run_verb_alone(const struct shared_options *o, unsigned phases, int (*work)(struct cli_run *r, void *ctx), void *ctx)
{
	struct cli_run r = { .o = o };

	start(&r, phases);
	int status = work(&r, ctx);
	finish(&r);
	inquiry_release(&r.inquiry);
	return status;
}

bool run_writes(const struct cli_run *r)
{
	return r->o->stats != STATS_JSON || r->o->output;
}

static void cannot_write(struct cli_run *r, const char *path)
{
	term_error(&r->term, "cannot write %s: %s", path ? path : "standard output", strerror(errno));
}

void run_cannot_write(struct cli_run *r)
{
	cannot_write(r, r->o->output);
}

static bool write_to(struct output *o, bool (*write)(struct sink *out, void *ctx), void *ctx)
{
	struct sink sink = { .file = o->file };

	if (write(&sink, ctx))
		return output_commit(o);
	output_abort(o);
	return false;
}

bool run_write_to(struct cli_run *r, const char *path, bool (*write)(struct sink *out, void *ctx), void *ctx)
{
	struct output o;

	budget_note("while the result was being written", "");
	bool ok = output_open(&o, path) && write_to(&o, write, ctx);
	if (!ok)
		cannot_write(r, path);
	inquiry_phase(&r->inquiry, PHASE_WRITE);
	return ok;
}

bool run_write(struct cli_run *r, bool (*write)(struct sink *out, void *ctx), void *ctx)
{
	return run_write_to(r, r->o->output, write, ctx);
}

bool run_write_database(struct cli_run *r, bool (*fill)(const char *path, void *ctx, struct strbuf *err), void *ctx)
{
	struct output o;
	struct strbuf err = { 0 };

	if (!output_reserve(&o, r->o->output)) {
		run_cannot_write(r);
		return false;
	}
	bool ok = fill(o.temporary ? o.temporary : o.path, ctx, &err);
	if (!ok) {
		term_error(&r->term, "%s", err.s);
		output_abort(&o);
	} else if (!output_commit(&o)) {
		run_cannot_write(r);
		ok = false;
	}
	strbuf_release(&err);
	inquiry_phase(&r->inquiry, PHASE_WRITE);
	return ok;
}

void run_write_stats(struct cli_run *r, const char *verb, const struct stats *st)
{
	struct sink out = { .file = r->o->stats == STATS_JSON ? stdout : stderr };

	if (r->o->stats == STATS_JSON)
		stats_write_json(&out, st, verb);
	else if (r->o->stats == STATS_TEXT)
		stats_write_text(&out, st);
}

static bool is_application(const void *session, class_id c)
{
	return session_is_application(session, c);
}

struct report_head run_head(struct cli_run *r)
{
	return (struct report_head){ .class_path = r->o->class_path, .jdk = r->session.jdk,
				     .color = r->term.color_out && !r->o->output, .width = (uint32_t)r->term.width,
				     .is_verbose = r->o->verbose,
				     .facts = known_sources(r->session.known),
				     .settings = environment_used(r->session.environment), .is_application = is_application,
				     .application = &r->session };
}
