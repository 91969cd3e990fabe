/* SPDX-License-Identifier: Apache-2.0 */
#include "session/artifact/linked.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>

#include "base/sys/mapfile.h"
#include "formats/elf/elf.h"
#include "session/summaries.h"

struct search {
	struct arena *mem;
	file_list *out;
	file_list found;              /* files that were looked at, the program first */
	file_list folders;            /* of the file at hand: where it says that its libraries are */
	file_list needed;             /* their names */
	const char *file;             /* at hand */
};

static const char *keep(struct search *s, struct str text)
{
	char *copy = arena_alloc(s->mem, text.len + 1);

	memcpy(copy, text.p, text.len);
	copy[text.len] = 0;
	return copy;
}

static struct str folder_of(const char *file)
{
	const char *slash = strrchr(file, '/');

	return slash ? (struct str){ file, (uint32_t)(slash - file) } : STR(".");
}

/* $ORIGIN is the folder of the file that says so. */
static void add_folder(struct search *s, struct str name)
{
	static const char *const origins[] = { "$ORIGIN", "${ORIGIN}" };
	struct strbuf path = { 0 };

	for (uint32_t i = 0; i < ARRAY_LEN(origins); i++) {
		if (!str_starts(name, origins[i]))
			continue;
		strbuf_addstr(&path, folder_of(s->file));
		name = str_sub(name, (uint32_t)strlen(origins[i]), name.len);
	}
	strbuf_addstr(&path, name);
	if (path.len)
		vec_push(&s->folders, keep(s, strbuf_str(&path)));
	strbuf_release(&path);
}

static void add_folders(struct search *s, struct str list)
{
	for (uint32_t at = 0, i = 0; i <= list.len; i++)
		if (i == list.len || list.p[i] == ':') {
			add_folder(s, str_sub(list, at, i));
			at = i + 1;
		}
}

static void on_told(void *ctx, enum elf_told what, struct str name)
{
	struct search *s = ctx;

	if (what == ELF_NEEDED)
		vec_push(&s->needed, keep(s, name));
	else
		add_folders(s, name);
}

static void add_systems(struct search *s)
{
	static const char *const places[] = { "/usr/local/lib", "/usr/lib/*-linux-gnu*", "/lib", "/usr/lib*" };
	const char *path = getenv("LD_LIBRARY_PATH");
	glob_t g = { 0 };

	if (path)
		add_folders(s, str_of(path));
	for (uint32_t i = 0; i < ARRAY_LEN(places); i++)
		glob(places[i], i ? GLOB_APPEND : 0, NULL, &g);
	for (size_t i = 0; i < g.gl_pathc; i++)
		add_folder(s, str_of(g.gl_pathv[i]));
	globfree(&g);
}

static bool is_found(const struct search *s, const char *path)
{
	for (uint32_t i = 0; i < s->found.len; i++)
		if (strcmp(s->found.data[i], path) == 0)
			return true;
	return false;
}

/* An ELF file */
static bool is_library(const char *path)
{
	struct mapfile f;

	if (!mapfile_open(&f, path))
		return false;
	bool is = elf_is(f.bytes);
	mapfile_close(&f);
	return is;
}

/* The first of the folders that has it; a file is looked at once. */
static void find_library(struct search *s, const char *name)
{
	for (uint32_t i = 0; i < s->folders.len; i++) {
		struct strbuf path = { 0 };
		strbuf_addf(&path, "%s/%s", s->folders.data[i], name);
		bool found = is_library(path.s);
		if (found && !is_found(s, path.s))
			vec_push(&s->found, keep(s, strbuf_str(&path)));
		strbuf_release(&path);
		if (found)
			return;
	}
}

static bool look_at(struct search *s, const char *file, struct strbuf *err)
{
	struct mapfile f;
	struct span summary = { 0 };

	vec_clear(&s->folders);
	vec_clear(&s->needed);
	s->file = file;
	if (!mapfile_open(&f, file)) {
		strbuf_addf(err, "%s: %s", file, strerror(errno));
		return false;
	}
	bool ok = elf_dynamic(f.bytes, on_told, s, err) && elf_section(f.bytes, SUMMARY_SECTION, &summary, err);
	bool is_subject = file == s->found.data[0] && !elf_is_program(f.bytes);
	mapfile_close(&f);
	if (ok && summary.len && !is_subject)
		vec_push(s->out, file);
	add_systems(s);
	for (uint32_t i = 0; ok && i < s->needed.len; i++)
		find_library(s, s->needed.data[i]);
	return ok;
}

bool linked_summaries(const char *program, struct arena *mem, file_list *out, struct strbuf *err)
{
	struct search s = { .mem = mem, .out = out };
	bool ok;

	vec_push(&s.found, program);
	ok = look_at(&s, program, err);
	for (uint32_t i = 1; ok && i < s.found.len; i++) {
		struct strbuf ignored = { 0 };      /* a library that is damaged carries nothing */
		look_at(&s, s.found.data[i], &ignored);
		strbuf_release(&ignored);
	}
	vec_release(&s.found);
	vec_release(&s.folders);
	vec_release(&s.needed);
	return ok;
}

/* What users name */

void c_files_init(struct c_files *f)
{
	*f = (struct c_files){ 0 };
	arena_init(&f->mem);
}

void c_files_release(struct c_files *f)
{
	vec_release(&f->modules);
	vec_release(&f->summaries);
	arena_release(&f->mem);
}

static bool add_bitcode(struct c_files *f, const char *path, struct strbuf *err)
{
	struct bitcode_files found;

	bitcode_files_init(&found);
	bool ok = bitcode_files_add(&found, path, err);
	bitcode_files_sort(&found);
	if (ok && found.missing.len) {
		strbuf_addf(err, "%s is gone: build again with make CC=\"sherd cc\"", found.missing.data[0]);
		ok = false;
	}
	for (uint32_t i = 0; ok && i < found.files.len; i++)
		vec_push(&f->modules, arena_strdup(&f->mem, found.files.data[i]));
	bitcode_files_release(&found);
	return ok;
}

bool c_files_add(struct c_files *f, const char *path, bool linked, struct diag *d)
{
	struct strbuf err = { 0 };
	bool ok = true, is_program = is_library(path);

	f->programs += is_program;
	if (is_program)
		ok = add_bitcode(f, path, &err) && (!linked || linked_summaries(path, &f->mem, &f->summaries, &err));
	else
		vec_push(&f->modules, path);
	if (!ok)
		diag_add(d, DIAG_E061, NULL, STR(""), DIAG_NO_OFFSET, "%s", err.s);
	strbuf_release(&err);
	return ok;
}
