/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run.h"

#include <errno.h>
#include <string.h>

#include "cli/output.h"

int run_verb(const struct shared_options *o, int (*work)(struct cli_run *r, void *ctx), void *ctx)
{
	struct cli_run r = { .o = o };
	struct session_opt so = { o->class_path, o->jdk, !o->no_cache, o->jobs };

	term_init(&r.term, o);
	budget_start(o->timeout, o->memory);
	int status = session_open(&r.session, &so) ? work(&r, ctx) : EXIT_UNSERVED;
	term_diagnostics(&r.term, &r.session.diag);
	session_close(&r.session);
	return status;
}

int run_verb_alone(const struct shared_options *o, int (*work)(struct cli_run *r, void *ctx), void *ctx)
{
	struct cli_run r = { .o = o };

	term_init(&r.term, o);
	budget_start(o->timeout, o->memory);
	diag_init(&r.session.diag);
	program_init(&r.session.program, &r.session.diag);
	int status = work(&r, ctx);
	term_diagnostics(&r.term, &r.session.diag);
	session_close(&r.session);
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
	session_phase(&r->session, PHASE_WRITE);
	return ok;
}

bool run_write(struct cli_run *r, bool (*write)(struct sink *out, void *ctx), void *ctx)
{
	return run_write_to(r, r->o->output, write, ctx);
}

/* Text screens ask which classes are the user's; the session that knows is the one of this run. */
static const struct session *the_session;

static bool is_application(const struct program *p, class_id c)
{
	(void)p;
	return session_is_application(the_session, c);
}

struct report_head run_head(struct cli_run *r)
{
	the_session = &r->session;
	return (struct report_head){ .class_path = r->o->class_path, .jdk = r->session.jdk,
				     .color = r->term.color_out && !r->o->output, .width = (uint32_t)r->term.width,
				     .is_application = is_application };
}
