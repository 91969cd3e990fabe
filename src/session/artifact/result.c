/* SPDX-License-Identifier: Apache-2.0 */
#include "session/artifact/result.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *join_path(struct arena *mem, const char *folder, const char *name)
{
	size_t n = strlen(folder), k = strlen(name);
	char *path = arena_alloc(mem, n + k + 2);

	memcpy(path, folder, n);
	path[n] = '/';
	memcpy(path + n + 1, name, k + 1);
	return path;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Data */

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool result_list_named(const char *folder, const char *begin, const char *end, struct arena *mem, path_list *out)
{
	DIR *dir = opendir(folder);

	if (!dir)
		return false;
	for (struct dirent *e; (e = readdir(dir));)
		if (str_starts(str_of(e->d_name), begin) && str_ends(str_of(e->d_name), end) && e->d_name[0] != '.')
			vec_push(out, join_path(mem, folder, e->d_name));
	closedir(dir);
	if (out->len)
		qsort(out->data, out->len, sizeof(*out->data), compare_paths);
	return true;
}

bool result_list(const char *folder, struct arena *mem, path_list *out)
{
	return result_list_named(folder, "", ".cov", mem, out);
}

bool result_is_data(const char *path)
{
	struct mapfile f;
	struct runs runs = { 0 };
	struct strbuf why = { 0 };

	if (!mapfile_open(&f, path))
		return false;
	bool ok = f.bytes.len == 0 || runs_read(&runs, f.bytes, &why);
	runs_release(&runs);
	strbuf_release(&why);
	mapfile_close(&f);
	return ok;
}

static bool map_file(struct result *r, const char *path, struct span *out, struct strbuf *why)
{
	struct mapfile f;

	if (!mapfile_open(&f, path)) {
		strbuf_adds(why, strerror(errno));
		return false;
	}
	if (!f.bytes.len) {
		strbuf_adds(why, "the file is empty");
		mapfile_close(&f);
		return false;
	}
	vec_push(&r->files, f);
	*out = f.bytes;
	return true;
}

static bool read_data(struct result *r, const char *path, enum diag_code code, struct diag *d)
{
	struct strbuf why = { 0 };
	struct span bytes;
	bool ok = map_file(r, path, &bytes, &why) && runs_read(&r->runs, bytes, &why);

	if (!ok)
		diag_add(d, code, path, (struct str){ 0 }, DIAG_NO_OFFSET, "%s", why.len ? why.s : "unreadable");
	strbuf_release(&why);
	return ok;
}

static bool read_folder(struct result *r, const char *folder, struct diag *d)
{
	path_list files = { 0 };
	bool ok = result_list(folder, &r->mem, &files);

	if (!ok)
		diag_add(d, DIAG_E051, folder, (struct str){ 0 }, DIAG_NO_OFFSET, "%s", strerror(errno));
	for (uint32_t i = 0; i < files.len; i++)
		read_data(r, files.data[i], DIAG_W052, d);
	vec_release(&files);
	return ok;
}

static bool read_all_data(struct result *r, const char *const *paths, uint32_t n, struct diag *d)
{
	bool ok = true;

	for (uint32_t i = 0; i < n; i++)
		ok &= is_folder(paths[i]) ? read_folder(r, paths[i], d) : read_data(r, paths[i], DIAG_E051, d);
	return ok;
}

/* Plan and reasons */

/* A file of the folder; of a file, of the folder it is in. */
static const char *beside(struct result *r, const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	struct str folder = slash ? (struct str){ path, (uint32_t)(slash - path) } : STR(".");

	if (is_folder(path))
		return join_path(&r->mem, path, name);
	char *copy = arena_zalloc(&r->mem, (size_t)folder.len + 1);
	memcpy(copy, folder.p, folder.len);
	return join_path(&r->mem, copy, name);
}

static bool read_plan(struct result *r, const char *path, bool is_named, struct diag *d)
{
	struct strbuf why = { 0 };
	struct span bytes;
	bool ok = map_file(r, path, &bytes, &why) && plan_read(&r->plan, bytes, &r->mem, &why);

	if (!ok)
		diag_add(d, DIAG_E050, path, (struct str){ 0 }, DIAG_NO_OFFSET, "%s%s", why.len ? why.s : "unreadable",
			 is_named ? "" : "; name the folder that sherd cover made, or the plan with --plan");
	strbuf_release(&why);
	return ok;
}

/* Reasons of another plan, or none, are no loss: reports name the command instead. */
static void read_reasons(struct result *r, const char *path)
{
	struct strbuf why = { 0 };
	struct span bytes;

	if (!map_file(r, path, &bytes, &why) || !reasons_read(&r->reasons, bytes, &r->mem, &why) ||
	    r->reasons.plan != r->plan.id) {
		reasons_release(&r->reasons);
		r->reasons = (struct reasons){ 0 };
	}
	strbuf_release(&why);
}

/* Before their plan is looked for. */
static bool are_there(const char *const *paths, uint32_t n, struct diag *d)
{
	struct stat st;

	for (uint32_t i = 0; i < n; i++)
		if (stat(paths[i], &st) != 0) {
			diag_add(d, DIAG_E051, paths[i], (struct str){ 0 }, DIAG_NO_OFFSET, "%s", strerror(errno));
			return false;
		}
	return true;
}

/* `accept`: a file, or NULL. */
static bool join(struct result *r, const char *accept, struct diag *d)
{
	if (accept && !accept_read(&r->accepted, accept, &r->plan, &r->mem, d))
		return false;
	result_join(r);
	return true;
}

static void begin(struct result *r)
{
	*r = (struct result){ 0 };
	arena_init(&r->mem);
}

bool result_open_plan(struct result *r, const char *const *paths, uint32_t n, const char *plan, struct diag *d)
{
	begin(r);
	return are_there(paths, n, d) && read_plan(r, plan ? plan : beside(r, paths[0], RESULT_PLAN), plan != NULL, d);
}

bool result_open_planned(struct result *r, const char *const *paths, uint32_t n, struct span plan, uint64_t id,
			 const char *accept, struct diag *d)
{
	struct strbuf why = { 0 };

	begin(r);
	bool ok = plan_read(&r->plan, plan, &r->mem, &why);
	if (!ok)
		diag_add(d, DIAG_E050, paths[0], (struct str){ 0 }, DIAG_NO_OFFSET, "%s", why.s);
	strbuf_release(&why);
	if (!ok || !are_there(paths, n, d) || !read_all_data(r, paths, n, d))
		return false;
	r->plan.id = id;
	return join(r, accept, d);
}

bool result_open(struct result *r, const char *const *paths, uint32_t n, const char *plan, const char *accept, struct diag *d)
{
	if (!result_open_plan(r, paths, n, plan, d) || !read_all_data(r, paths, n, d))
		return false;
	read_reasons(r, beside(r, plan ? plan : beside(r, paths[0], RESULT_PLAN), RESULT_REASONS));
	return join(r, accept, d);
}

void result_join(struct result *r)
{
	const struct reasons *why = r->reasons.rows.len || r->reasons.refuted.len ? &r->reasons : NULL;

	if (r->is_joined)
		coverage_release(&r->coverage);
	coverage_join(&r->coverage, &r->plan, &r->runs, why, r->accepted.path ? &r->accepted : NULL);
	r->is_joined = true;
}

void result_close(struct result *r)
{
	if (r->is_joined)
		coverage_release(&r->coverage);
	accept_release(&r->accepted);
	reasons_release(&r->reasons);
	runs_release(&r->runs);
	plan_release(&r->plan);
	for (uint32_t i = 0; i < r->files.len; i++)
		mapfile_close(&r->files.data[i]);
	vec_release(&r->files);
	arena_release(&r->mem);
}
