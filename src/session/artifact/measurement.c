/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700      /* realpath */
#include "session/artifact/measurement.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/artifact/dynamic.h"
#include "session/next/reasons.h"
#include "session/next/refute.h"

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

static bool use_folder(struct measurement *m, struct strbuf *err)
{
	char *real = make_folder(m->asked, &m->made) ? realpath(m->asked, NULL) : NULL;
	struct stat st;

	if (real && stat(real, &st) == 0 && !S_ISDIR(st.st_mode))
		strbuf_addf(err, "%s is no folder: name another one with -o", m->asked);
	else if (!real || access(real, W_OK | X_OK) != 0)
		strbuf_addf(err, "cannot write to the folder %s: %s; name another one with -o", m->asked, strerror(errno));
	else
		strbuf_adds(&m->folder, real);
	free(real);
	return err->len == 0;
}

/* Two runs in one folder would take each other's data away. Those that keep what is there can be beside each other. Where folders
 * cannot be locked, measurement_read() notices another plan. */
static bool lock_folder(struct measurement *m, struct strbuf *err)
{
	m->lock = open(m->folder.s, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (m->lock >= 0 && flock(m->lock, (m->append ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		strbuf_addf(err, "another sherd cover runs in the folder %s: wait for it, or name another folder with -o",
			    m->asked);
	return err->len == 0;
}

bool measurement_take(struct measurement *m, struct strbuf *err)
{
	m->lock = -1;
	return use_folder(m, err) && lock_folder(m, err);
}

const char *measurement_file(const struct measurement *m, const char *name, struct strbuf *out)
{
	strbuf_clear(out);
	strbuf_addf(out, "%s/%s", m->folder.s, name);
	return out->s;
}

/* Only what a measurement left: data, by its name and its bytes. */
static void remove_old(const struct measurement *m)
{
	path_list files = { 0 };
	struct arena mem;

	arena_init(&mem);
	result_list(m->folder.s, &mem, &files);
	for (uint32_t i = 0; i < files.len; i++) {
		const char *name = strrchr(files.data[i], '/') + 1;
		if (strncmp(name, MEASUREMENT_DATA, strlen(MEASUREMENT_DATA)) == 0 && result_is_data(files.data[i]))
			unlink(files.data[i]);
	}
	vec_release(&files);
	arena_release(&mem);
}

/* A page of ours is about the last run; others stay as long as they can. */
static void remove_page(const struct measurement *m, struct strbuf *path)
{
	static const char mark[] = "<meta name=\"generator\" content=\"sherd\">";
	char head[1024] = "";
	FILE *f = fopen(measurement_file(m, RESULT_PAGE, path), "r");

	if (!f)
		return;
	head[fread(head, 1, sizeof(head) - 1, f)] = 0;
	fclose(f);
	if (strstr(head, mark))
		unlink(path->s);
}

/* The plan */

static bool write_plan(struct measurement *m)
{
	struct strbuf bytes = { 0 }, path = { 0 };

	plan_write(&m->plan.plan, &bytes);
	unlink(measurement_file(m, RESULT_REASONS, &path));      /* they are of the last plan */
	remove_page(m, &path);
	if (!m->append) {
		remove_old(m);
		dynamic_remove(m->folder.s);
	}
	bool ok = m->write(m->ctx, measurement_file(m, RESULT_PLAN, &path), strbuf_str(&bytes));
	strbuf_release(&bytes);
	strbuf_release(&path);
	return ok;
}

static bool make_plan(struct measurement *m, struct session *s, const char *class_path, struct strbuf *err)
{
	struct study *x = m->study;

	if (!study_open(x, s))
		return false;
	class_files_note(s, &x->fragment.component, &m->before);
	if (!study_need(x, COMPONENT_PLAN))
		return false;
	struct chains chains = { 0 };
	bool ok = (!m->chains || study_chains(x, m->chains, &chains, err)) && (!m->has_callbacks || study_callbacks(x)) &&
		  (!m->has_pairs || study_pairs(x));
	struct plan_more more = { m->chains ? &chains : NULL, m->has_callbacks ? x->analysis.callbacks : NULL,
				  m->has_pairs ? x->analysis.defuse : NULL, x->analysis.graph };
	if (ok)
		plan_make(s, &x->fragment, &x->opt, class_path, &x->found, &more, &m->plan);
	chains_release(&chains);
	if (!ok)
		return false;
	if (plan_items(&m->plan.plan) > PLAN_ITEMS) {
		strbuf_adds(err, "there are too many requirements: use a smaller --component, or an --algorithm that finds fewer");
		return false;
	}
	return true;
}

bool measurement_plan(struct measurement *m, struct session *s, const char *class_path, struct strbuf *err)
{
	return make_plan(m, s, class_path, err) && write_plan(m);
}

/* What came of it */

static void look_for_changes(struct measurement *m, const struct session_opt *path)
{
	struct strbuf names = { 0 };
	uint32_t n = class_files_changed(&m->before, path, &m->study->opt, &names);

	m->has_changed = n > 0;
	if (n)
		diag_add(&m->study->session->inquiry->diag, DIAG_W055, NULL, (struct str){ 0 }, DIAG_NO_OFFSET,
			 "%" PRIu32 " class%s changed while the command ran (%s), but the report is about what was there before: "
			 "run it again, or compile first", n, n == 1 ? "" : "es", names.s);
	strbuf_release(&names);
}

bool measurement_read(struct measurement *m, const struct session_opt *path, struct strbuf *err)
{
	struct diag *d = &m->study->session->inquiry->diag;
	const char *folder = m->folder.s;

	m->is_read = true;
	if (!result_open(&m->result, &folder, 1, NULL, m->accept, d))
		return false;
	if (m->result.plan.id != m->plan.plan.id) {
		strbuf_addf(err, "another sherd cover has written its plan to %s meanwhile: run it again with another folder, -o",
			    m->asked);
		return false;
	}
	if (!m->result.runs.runs.len) {
		diag_add(d, DIAG_E053, NULL, (struct str){ 0 }, DIAG_NO_OFFSET,
			 "no JVM wrote coverage data: the command started none, or kept JAVA_TOOL_OPTIONS from it (sudo, env -i, "
			 "Ant's newenvironment, a daemon that was running before); pass the variable on, or put the option that "
			 "sherd cover --print-agent prints into the build file");
		return false;
	}
	look_for_changes(m, path);
	return true;
}

/* Again */

#define CHANGED_SHOWN 5

/* Counts the classes of a plan that the other does not have, or has with other code, and names the first. */
static uint32_t count_changed(const struct plan *p, const struct plan *other, bool with_code, struct strbuf *names)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->classes.len; i++) {
		const struct plan_class *k = &p->classes.data[i];
		uint32_t row = plan_find_class(other, k->name);
		bool is_same = row != UINT32_MAX && (!with_code || other->classes.data[row].key == k->key);
		if (!is_same && n++ < CHANGED_SHOWN)
			strbuf_addf(names, "%s%.*s", names->len ? ", " : "", (int)k->name.len, k->name.p);
	}
	return n;
}

/* Runs know calls by their place in a class file: of another one, they say nothing. */
static bool is_the_same(const struct plan *was, const struct plan *now, struct strbuf *err)
{
	struct strbuf names = { 0 };
	uint32_t n = count_changed(was, now, true, &names) + count_changed(now, was, false, &names);

	if (n)
		strbuf_addf(err, "%" PRIu32 " class%s of the component %s not what was measured (%s%s): run the tests again with sherd cover, or name the "
				 "class path that was measured with -cp", n, n == 1 ? "" : "es", n == 1 ? "is" : "are", names.s,
			    n > CHANGED_SHOWN ? ", ..." : "");
	strbuf_release(&names);
	return n == 0;
}

bool measurement_again(struct measurement *m, struct session *s, const struct plan *was, const char *const *paths, uint32_t n,
		       const char *class_path, struct strbuf *err)
{
	if (!make_plan(m, s, class_path, err))
		return false;
	plan_write(&m->plan.plan, &m->bytes);
	if (!is_the_same(was, &m->plan.plan, err))
		return false;
	m->is_read = true;
	struct span bytes = { (const uint8_t *)m->bytes.s, m->bytes.len };
	return result_open_planned(&m->result, paths, n, bytes, was->id, m->accept, &s->inquiry->diag);
}

bool measurement_merge_dynamic(struct measurement *m)
{
	struct strbuf bytes = { 0 }, path = { 0 };

	dynamic_merge(m->folder.s, &m->study->session->inquiry->diag, &bytes);
	bool ok = m->write(m->ctx, measurement_file(m, RESULT_DYNAMIC, &path), strbuf_str(&bytes));
	strbuf_release(&bytes);
	strbuf_release(&path);
	return ok;
}

bool measurement_explains(const struct measurement *m)
{
	return !m->has_changed && algorithm_follows_variables(&m->study->analysis.algorithm);
}

/* What can never be seen is not required: the result is joined anew, without it. */
static void look_closer(struct measurement *m, const struct reason_source *from)
{
	struct requirements finer = { 0 };
	bool is_finer = study_refine(m->study, &finer);

	refute(from, &m->result.coverage, is_finer ? &finer : NULL, &m->result.reasons);
	requirements_release(&finer);
	if (m->result.reasons.refuted.len)
		result_join(&m->result);
}

bool measurement_explain(struct measurement *m, double seconds)
{
	const struct analysis *a = &m->study->analysis;
	struct inquiry *r = m->study->session->inquiry;
	struct reason_source from = { a->facts, a->graph, &m->study->fragment.h, &m->study->fragment.placeholders, &m->study->found,
				      &m->plan };
	struct strbuf bytes = { 0 }, path = { 0 };

	look_closer(m, &from);
	inquiry_tell_now(r, "looking for ways to what was missed");
	m->unexplained = reasons_make(&from, &m->result.coverage, seconds, &m->result.mem, &m->result.reasons);
	inquiry_tell_now(r, "");
	inquiry_phase(r, PHASE_SOLVE);
	m->result.coverage.reasons = &m->result.reasons;
	reasons_write(&m->result.reasons, &bytes);
	bool ok = !m->write || m->write(m->ctx, measurement_file(m, RESULT_REASONS, &path), strbuf_str(&bytes));
	strbuf_release(&bytes);
	strbuf_release(&path);
	return ok;
}

void measurement_release(struct measurement *m)
{
	if (m->is_read)
		result_close(&m->result);
	class_files_release(&m->before);
	made_plan_release(&m->plan);
	strbuf_release(&m->bytes);
	if (m->asked)
		unmake_folder(m->asked, m->made);
	if (m->lock >= 0)
		close(m->lock);
	strbuf_release(&m->folder);
}
