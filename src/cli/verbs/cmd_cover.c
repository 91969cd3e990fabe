/* SPDX-License-Identifier: Apache-2.0 */
/* sherd cover */
#define _XOPEN_SOURCE 700      /* realpath */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/agent_option.h"
#include "cli/verbs/component.h"
#include "cli/verbs/measured.h"
#include "cli/output.h"
#include "cli/spawn.h"
#include "session/artifact/changes.h"
#include "session/artifact/plan.h"
#include "session/artifact/reasons.h"
#include "session/artifact/result.h"

#define WHY_SECONDS 5.0       /* of CPU time, for witnesses of what was missed */

struct cover_args {
	struct shared_options shared;
	struct component_options component;
	struct measured_options measured;
	const char *criteria, *agent, *agent_options;
	bool append, no_why, print_agent;
};

enum { FORMAT_TEXT, FORMAT_JSON };
static const char *const formats[] = { "text", "json", NULL };
static coverage_writer *const writers[] = { report_coverage_text, report_coverage_json };

#define T struct cover_args
static const struct option_row rows[] = {
	COMPONENT_OPTIONS(T),
	OPT_STRING(T, criteria, "criteria", NULL, "LIST", "Analysis",
		   "what is to be exercised at a call: rc receiver classes, tm target methods (default: rc,tm)"),
	OPT_STRING(T, shared.output, "output", "o", "DIR", "The run",
		   "the folder for plan, data and report (default: sherd-coverage)"),
	OPT_FLAG(T, append, "append", NULL, "The run", "keep the data of earlier runs in that folder, and count it"),
	OPT_STRING(T, agent, "agent", NULL, "FILE", "The run",
		   "the agent's library (default: $SHERD_AGENT, else beside this program)"),
	OPT_STRING(T, agent_options, "agent-options", NULL, "LIST", "The run",
		   "more options for the agent: 'KEY=VALUE,...'"),
	OPT_FLAG(T, print_agent, "print-agent", NULL, "The run",
		 "only make the plan, and print the option for a JVM, to be put into a build file"),
	MEASURED_OPTIONS(T),
	OPT_FLAG(T, no_why, "no-why", NULL, "Report", "do not look for ways to reach what was missed"),
	OPT_CHOICE(T, shared.format, "format", NULL, "FORMAT", formats, "Report", "what is printed"),
	OPT_OPTIONAL(T, shared.stats, "stats", NULL, "FORM", stats_names, "Report",
		     "summary of the run: counts, seconds per phase, peak memory; =json leaves standard output to it"),
	SHARED_INPUT(T), SHARED_RUN(T),
};
#undef T
static const struct cover_args initial = { .shared = { .output = "sherd-coverage" },
					    .component = { .algorithm = "andersen" } };

struct work {
	const struct cover_args *a;
	char **command;
	struct gates gates;
	struct study study;
	struct requirements found;
	struct made_plan plan;
	struct strbuf folder;         /* absolute */
	int lock;                     /* of the folder; -1: none */
	size_t made;                  /* see make_folder() */
	struct strbuf option;         /* for a JVM */
	struct result result;
	struct class_files before;    /* that the plan is about */
	bool has_changed;             /* some are others now */
	double seconds;               /* of the command */
};

/* The folder */

/* With the folders above it. `made`: the length of the path of the first one that was not there, 0: all were. */
static bool make_folder(const char *path, size_t *made)
{
	struct strbuf part = { 0 };
	bool ok = true;

	*made = 0;

	for (const char *at = path; ok && *at; ) {
		at += strspn(at, "/");
		at += strcspn(at, "/");
		strbuf_clear(&part);
		strbuf_add(&part, path, (size_t)(at - path));
		bool is_new = mkdir(part.s, 0777) == 0;
		ok = is_new || errno == EEXIST;
		if (is_new && !*made)
			*made = part.len;
	}
	strbuf_release(&part);
	return ok;
}

/* What was made and stayed empty goes again. */
static void unmake_folder(const char *path, size_t made)
{
	struct strbuf part = { 0 };
	size_t n = strlen(path);

	strbuf_adds(&part, path);
	while (made && n >= made && rmdir(part.s) == 0) {
		while (n && part.s[n - 1] == '/')
			n--;
		while (n && part.s[n - 1] != '/')
			n--;
		part.s[n] = 0;
	}
	strbuf_release(&part);
}

static bool use_folder(struct work *w, struct strbuf *err)
{
	const char *path = w->a->shared.output;
	char *real = make_folder(path, &w->made) ? realpath(path, NULL) : NULL;
	struct stat st;

	if (real && stat(real, &st) == 0 && !S_ISDIR(st.st_mode))
		strbuf_addf(err, "%s is no folder: name another one with -o", path);
	else if (!real || access(real, W_OK | X_OK) != 0)
		strbuf_addf(err, "cannot write to the folder %s: %s; name another one with -o", path, strerror(errno));
	else
		strbuf_adds(&w->folder, real);
	free(real);
	return err->len == 0;
}

/* Two runs in one folder would take each other's data away. Those that keep what is there can be beside each other. Where folders
 * cannot be locked, finish() notices another plan. */
static bool lock_folder(struct work *w, struct strbuf *err)
{
	w->lock = open(w->folder.s, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (w->lock >= 0 && flock(w->lock, (w->a->append ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		strbuf_addf(err, "another sherd cover runs in the folder %s: wait for it, or name another folder with -o",
			    w->a->shared.output);
	return err->len == 0;
}

static const char *file_in(const struct work *w, const char *name, struct strbuf *out)
{
	strbuf_clear(out);
	strbuf_addf(out, "%s/%s", w->folder.s, name);
	return out->s;
}

/* Only what a run of this verb left: data, by its name and its bytes. */
static void remove_old(const struct work *w)
{
	path_list files = { 0 };
	struct arena mem;

	arena_init(&mem);
	result_list(w->folder.s, &mem, &files);
	for (uint32_t i = 0; i < files.len; i++) {
		const char *name = strrchr(files.data[i], '/') + 1;
		if (strncmp(name, AGENT_DATA, strlen(AGENT_DATA)) == 0 && result_is_data(files.data[i]))
			unlink(files.data[i]);
	}
	vec_release(&files);
	arena_release(&mem);
}

/* A page of ours is about the last run; others stay as long as they can. */
static void remove_page(const struct work *w, struct strbuf *path)
{
	static const char mark[] = "<meta name=\"generator\" content=\"sherd\">";
	char head[1024] = "";
	FILE *f = fopen(file_in(w, RESULT_PAGE, path), "r");

	if (!f)
		return;
	head[fread(head, 1, sizeof(head) - 1, f)] = 0;
	fclose(f);
	if (strstr(head, mark))
		unlink(path->s);
}

static bool write_bytes(struct sink *out, void *bytes)
{
	const struct strbuf *b = bytes;

	sink_write(out, b->s, b->len);
	return sink_finish(out);
}

/* The plan */

static bool write_plan(struct work *w, struct cli_run *r)
{
	struct strbuf bytes = { 0 }, path = { 0 };

	plan_make(&r->session, &w->study.fragment, &w->study.opt, w->a->shared.class_path, &w->found, &w->plan);
	if (plan_items(&w->plan.plan) > PLAN_ITEMS) {
		term_error(&r->term, "there are too many requirements: use a smaller --component, or an --algorithm that "
				     "finds fewer");
		return false;
	}
	plan_write(&w->plan.plan, &bytes);
	unlink(file_in(w, RESULT_REASONS, &path));      /* they are of the last plan */
	remove_page(w, &path);
	if (!w->a->append)
		remove_old(w);
	bool ok = run_write_to(r, file_in(w, RESULT_PLAN, &path), write_bytes, &bytes);
	strbuf_release(&bytes);
	strbuf_release(&path);
	if (ok && !w->plan.plan.sites.len)
		term_warning(&r->term, "the component has no call with more than one possible receiver class: nothing is "
				       "required");
	return ok;
}

static bool analyse(struct work *w, struct cli_run *r)
{
	measured_check_source(r, &w->a->measured);
	if (!study_open(&w->study, r))
		return false;
	class_files_note(&r->session, &w->study.fragment.component, &w->before);
	study_sites(&w->study, r);
	w->found = study_requirements(&w->study, r);
	return write_plan(w, r);
}

/* The run */

/* What is said of the analysis should not come after the output of the command, which may be long. */
static void say_diagnostics(struct cli_run *r)
{
	term_diagnostics(&r->term, &r->session.diag);
	diag_release(&r->session.diag);
	diag_init(&r->session.diag);
}

static void look_for_changes(struct work *w, struct cli_run *r)
{
	const struct shared_options *o = r->o;
	struct session_opt path = { o->class_path, o->jdk, !o->no_cache, o->jobs };
	struct strbuf names = { 0 };
	uint32_t n = class_files_changed(&w->before, &path, &w->study.opt, &names);

	w->has_changed = n > 0;
	if (n)
		diag_add(&r->session.diag, DIAG_W055, NULL, (struct str){ 0 }, DIAG_NO_OFFSET,
			 "%" PRIu32 " class%s changed while the command ran (%s), but the report is about what was there before: "
			 "run it again, or compile first", n, n == 1 ? "" : "es", names.s);
	strbuf_release(&names);
}

static double wall_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* A machine reads our standard output: the command's goes elsewhere. */
static bool is_for_machines(const struct cover_args *a)
{
	return a->shared.stats == STATS_JSON || a->shared.format != FORMAT_TEXT;
}

static int run_command(struct work *w, struct strbuf *err)
{
	struct strbuf value = { 0 };
	double before = wall_now();

	agent_variable(w->option.s, &value);
	struct spawn s = { w->command, "JAVA_TOOL_OPTIONS", value.s, is_for_machines(w->a) };
	budget_end();
	fflush(stdout);
	int status = spawn_wait(&s, err);
	w->seconds = wall_now() - before;
	strbuf_release(&value);
	return status;
}

/* The report */

static void say_no_data(struct cli_run *r)
{
	diag_add(&r->session.diag, DIAG_E053, NULL, (struct str){ 0 }, DIAG_NO_OFFSET,
		 "no JVM wrote coverage data: the command started none, or kept JAVA_TOOL_OPTIONS from it (sudo, env -i, "
		 "Ant's newenvironment, a daemon that was running before); pass the variable on, or put the option that "
		 "sherd cover --print-agent prints into the build file");
}

static bool explains(const struct work *w)
{
	return !w->a->no_why && !w->has_changed && algorithm_follows_variables(&w->study.analysis.algorithm);
}

static void explain_missed(struct work *w, struct cli_run *r)
{
	struct reason_source from = { w->study.analysis.facts, w->study.analysis.graph, &w->study.fragment.placeholders,
				      &w->found, &w->plan };
	struct strbuf bytes = { 0 }, path = { 0 };

	if (!explains(w))
		return;
	term_progress(&r->term, "looking for ways to what was missed");
	uint64_t left = reasons_make(&from, &w->result.coverage, WHY_SECONDS, &w->result.mem, &w->result.reasons);
	term_progress_end(&r->term);
	session_phase(&r->session, PHASE_SOLVE);
	reasons_write(&w->result.reasons, &bytes);
	w->result.coverage.reasons = &w->result.reasons;
	run_write_to(r, file_in(w, RESULT_REASONS, &path), write_bytes, &bytes);
	if (left && w->a->shared.verbose)
		term_note(&r->term, "%" PRIu64 " missed receivers are not explained: ask for one with sherd why", left);
	strbuf_release(&bytes);
	strbuf_release(&path);
}

static bool write_page(struct work *w, struct cli_run *r, struct measured_report *m)
{
	struct strbuf path = { 0 };

	m->writer = report_coverage_html;
	bool ok = run_write_to(r, file_in(w, RESULT_PAGE, &path), measured_write, m);
	strbuf_release(&path);
	return ok;
}

static bool write_screen(struct work *w, struct cli_run *r, struct measured_report *m)
{
	m->writer = writers[w->a->shared.format];
	if (is_for_machines(w->a))
		measured_say_notes(r, m->coverage);
	if (w->a->shared.stats == STATS_JSON)
		return true;
	if (!is_for_machines(w->a))
		putchar('\n'), fflush(stdout);       /* the command's last line may have no end */
	bool ok = run_write_to(r, NULL, measured_write, m) && fflush(stdout) == 0;
	if (!is_for_machines(w->a))
		term_note(&r->term, "the report as a page: %s/" RESULT_PAGE, w->a->shared.output);
	return ok;
}

static bool report(struct work *w, struct cli_run *r)
{
	struct measured_report m = { .coverage = &w->result.coverage,
				     .head = measured_head(r, &w->a->measured, &w->result.coverage, w->a->shared.output) };

	explain_missed(w, r);
	return write_page(w, r, &m) && write_screen(w, r, &m);
}

/* Reads the data back, with the plan that it belongs to. */
static bool read_result(struct work *w, struct cli_run *r)
{
	const char *folder = w->folder.s;

	if (!result_open(&w->result, &folder, 1, NULL, &r->session.diag))
		return false;
	if (w->result.plan.id == w->plan.plan.id)
		return true;
	term_error(&r->term, "another sherd cover has written its plan to %s meanwhile: run it again with another folder, -o",
		   w->a->shared.output);
	return false;
}

/* The status when the command's is 0. */
static int finish(struct work *w, struct cli_run *r)
{
	if (!read_result(w, r))
		return EXIT_UNSERVED;
	if (!w->result.runs.runs.len) {
		say_no_data(r);
		return EXIT_UNSERVED;
	}
	look_for_changes(w, r);
	measured_check_classes(r, &w->result.coverage);
	if (!report(w, r))
		return EXIT_UNSERVED;
	measured_print_stats(r, "cover", &w->result.coverage, w->seconds);
	if (w->has_changed && w->a->measured.fail_under) {
		term_error(&r->term, "--fail-under cannot be checked: class files of the component changed while the command "
				     "ran; run it again, or compile first");
		return EXIT_UNSERVED;
	}
	return measured_check_gates(r, &w->gates, &w->result.coverage);
}

/* Where our exit status comes from. A JVM that a signal ends says so by its status, as shells do. */
static void say_status(struct cli_run *r, int status)
{
	int signal = status - SPAWN_SIGNAL;

	if (signal > 0 && signal < 32)
		term_note(&r->term, "the command ended with status %d (signal %d, %s); what it did until then counts", status,
			  signal, strsignal(signal));
	else if (status)
		term_note(&r->term, "the command ended with status %d", status);
}

static int cover(struct work *w, struct cli_run *r)
{
	struct strbuf err = { 0 };
	say_diagnostics(r);
	int status = run_command(w, &err);

	if (err.len) {
		term_error(&r->term, "%s", err.s);
		strbuf_release(&err);
		return status;
	}
	int own = finish(w, r);
	say_status(r, status);
	result_close(&w->result);
	return status ? status : own;
}

static int compute(struct cli_run *r, void *ctx)
{
	struct work *w = ctx;
	int status = EXIT_UNSERVED;

	if (analyse(w, r)) {
		if (w->a->print_agent)
			status = puts(w->option.s) < 0 ? EXIT_UNSERVED : EXIT_DONE;
		else
			status = cover(w, r);
	}
	class_files_release(&w->before);
	made_plan_release(&w->plan);
	requirements_release(&w->found);
	study_close(&w->study);
	return status;
}

/* Options */

static void check_usage(struct work *w, int n, struct strbuf *err)
{
	const struct cover_args *a = w->a;

	if (!a->component.component && n)
		strbuf_adds(err, "say which classes are the component: --component PATTERNS, before the command");
	if (err->len || !study_prepare(&w->study, &a->component, err) ||
	    !criteria_read(a->criteria, CRITERION_RC | CRITERION_TM, &w->study.criteria, err) ||
	    !gates_read(a->measured.fail_under, &w->gates, err) ||
	    !gates_fit(&w->gates, w->study.criteria & CRITERION_RC, w->study.criteria & CRITERION_TM, err))
		return;
	if (!n && !a->print_agent)
		strbuf_adds(err, "say which command to run, behind all options: sherd cover --component ... -- mvn test");
	else if (n && a->print_agent)
		strbuf_adds(err, "--print-agent runs no command: leave it out");
	w->study.analysis.explains = explains(w) && !a->print_agent;
}

static bool prepare(struct work *w, struct strbuf *err)
{
	struct strbuf agent = { 0 };
	bool ok = agent_find(w->a->agent, &agent, err) && use_folder(w, err) && lock_folder(w, err);

	if (ok)
		agent_option(agent.s, w->folder.s, w->a->agent_options, &w->option);
	strbuf_release(&agent);
	return ok;
}

static int run_cover(void *values, int n, char **operands)
{
	struct work w = { .a = values, .command = operands, .lock = -1 };
	struct strbuf err = { 0 };

	if (strcmp(w.a->component.algorithm, "help") == 0)
		return algorithm_list();
	check_usage(&w, n, &err);
	int status = err.len || !prepare(&w, &err) ? usage_error("%s", err.s) :
						       study_run_verb(&w.study, &w.a->shared, compute, &w);
	unmake_folder(w.a->shared.output, w.made);
	if (w.lock >= 0)
		close(w.lock);
	strbuf_release(&err);
	strbuf_release(&w.folder);
	strbuf_release(&w.option);
	return status;
}

const struct command_spec cmd_cover = {
	.synopsis = { "--component PATTERNS [-cp PATH] [OPTION]... [--] COMMAND...",
		      "--component PATTERNS [-cp PATH] [OPTION]... --print-agent", NULL },
	.description = "Runs a command, say the tests of a component, and measures in every JVM that it starts which of the "
		       "requirements are exercised: the possible classes of the receiver (RC) and the methods that they "
		       "select (TM) at each polymorphic call. Then shows what was missed, and how to reach it.\n"
		       "The agent is passed on by the variable JAVA_TOOL_OPTIONS. The exit status is the command's own, "
		       "unless that is 0 and --fail-under fails, or nothing was measured.\n"
		       "Options come before the command: what follows its name is its own.",
	.rows = rows,
	.nrows = ARRAY_LEN(rows),
	.size = sizeof(struct cover_args),
	.initial = &initial,
	.runs_command = true,
	.examples = { { "sherd cover -cp target/classes --component 'org.lib.**' -- mvn test", "the tests of a library" },
		      { "sherd cover -cp build/classes --component 'org.lib.**' --fail-under rc=80,tm=80 -- gradle test "
			"--no-daemon",
			"and fail when too little is covered" },
		      { "sherd cover --component 'java.util.zip.*' -o zip -- java -cp app.jar app.Main",
			"a package of the JDK" },
		      { "sherd cover -cp target/classes --component 'org.lib.**' --print-agent",
			"the option for a JVM that a build file starts; then: sherd report sherd-coverage" },
		      { NULL, NULL } },
	.run = run_cover,
};
