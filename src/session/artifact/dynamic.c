/* SPDX-License-Identifier: Apache-2.0 */
#include "session/artifact/dynamic.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/sys/mapfile.h"
#include "formats/dynamic/dynamic.h"
#include "session/artifact/measurement.h"

static bool read_record(const char *path, struct dynamic_facts *facts, struct strbuf *why)
{
	struct mapfile f;

	if (!mapfile_open(&f, path)) {
		strbuf_adds(why, strerror(errno));
		return false;
	}
	bool ok = dynamic_read(facts, f.bytes, why);
	mapfile_close(&f);
	return ok;
}

/* An empty file is what a JVM leaves that is killed at once. */
static bool is_empty(const char *path)
{
	struct mapfile f;

	if (!mapfile_open(&f, path))
		return false;
	bool is = f.bytes.len == 0;
	mapfile_close(&f);
	return is;
}

static void add_record(const char *path, struct dynamic_facts *facts, struct diag *d)
{
	struct strbuf why = { 0 };

	if (!is_empty(path) && !read_record(path, facts, &why))
		diag_add(d, DIAG_W056, path, (struct str){ 0 }, DIAG_NO_OFFSET, "%s", why.s);
	strbuf_release(&why);
}

void dynamic_merge(const char *folder, struct diag *d, struct strbuf *out)
{
	struct dynamic_facts facts = { 0 };
	path_list files = { 0 };
	struct arena mem;

	arena_init(&mem);
	result_list_named(folder, MEASUREMENT_DYNAMIC, ".txt", &mem, &files);
	for (uint32_t i = 0; i < files.len; i++)
		add_record(files.data[i], &facts, d);
	dynamic_write(&facts, out);
	dynamic_release(&facts);
	vec_release(&files);
	arena_release(&mem);
}

static void remove_record(const char *path)
{
	struct dynamic_facts facts = { 0 };
	struct strbuf why = { 0 };

	if (is_empty(path) || read_record(path, &facts, &why))
		unlink(path);
	dynamic_release(&facts);
	strbuf_release(&why);
}

void dynamic_remove(const char *folder)
{
	path_list files = { 0 };
	struct arena mem;

	arena_init(&mem);
	result_list_named(folder, MEASUREMENT_DYNAMIC, ".txt", &mem, &files);
	result_list_named(folder, RESULT_DYNAMIC, "", &mem, &files);
	for (uint32_t i = 0; i < files.len; i++)
		remove_record(files.data[i]);
	vec_release(&files);
	arena_release(&mem);
}
