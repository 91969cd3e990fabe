/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700      /* realpath */
#include "session/artifact/bitcode_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/sys/mapfile.h"
#include "base/sys/replacefile.h"
#include "formats/elf/ar.h"
#include "formats/elf/elf.h"

enum { MAX_DEPTH = 64 };       /* of folders */

void bitcode_files_init(struct bitcode_files *f)
{
	*f = (struct bitcode_files){ 0 };
	arena_init(&f->mem);
}

void bitcode_files_release(struct bitcode_files *f)
{
	vec_release(&f->files);
	vec_release(&f->missing);
	vec_release(&f->changed);
	vec_release(&f->none);
	vec_release(&f->assembler);
	vec_release(&f->optimized);
	arena_release(&f->mem);
}

static bool fail(struct strbuf *err, const char *path, const char *why)
{
	strbuf_addf(err, "%s: %s", path, why);
	return false;
}

/* Bitcode */

/* As it is, or in a wrapper with a header of its own. */
static bool is_bitcode(struct span s)
{
	return s.len >= 4 && (memcmp(s.p, "BC\xc0\xde", 4) == 0 || memcmp(s.p, "\xde\xc0\x17\x0b", 4) == 0);
}

static bool digest_of(const char *path, uint64_t *out)
{
	struct mapfile m;

	if (!mapfile_open(&m, path))
		return false;
	*out = digest_add(DIGEST_START, m.bytes.p, m.bytes.len);
	mapfile_close(&m);
	return true;
}

static const char *copy_path(struct bitcode_files *f, struct str s)
{
	char *copy = arena_zalloc(&f->mem, (size_t)s.len + 1);

	memcpy(copy, s.p, s.len);
	return copy;
}

bool bitcode_files_add_file(struct bitcode_files *f, const char *path)
{
	struct mapfile m;
	bool ok = mapfile_open(&m, path);

	if (!ok)
		return false;
	ok = is_bitcode(m.bytes);
	mapfile_close(&m);
	char *whole = ok ? realpath(path, NULL) : NULL;
	if (whole)
		vec_push(&f->files, arena_strdup(&f->mem, whole));
	free(whole);
	return whole != NULL;
}

/* Notes */

static void add_noted(struct bitcode_files *f, const struct note *n)
{
	const char *path = copy_path(f, n->path);
	uint64_t now;

	if (n->kind != NOTE_BITCODE) {
		file_list *to = n->kind == NOTE_NONE ? &f->none : n->kind == NOTE_ASSEMBLER ? &f->assembler : &f->optimized;
		vec_push(to, path);
	} else if (!digest_of(path, &now)) {
		vec_push(&f->missing, path);
	} else {
		vec_push(&f->files, path);
		if (now != n->digest)
			vec_push(&f->changed, path);
	}
}

/* How many notes the file has goes into `count`. */
static bool add_elf(struct bitcode_files *f, struct span file, uint32_t *count, struct strbuf *err)
{
	struct span rest;
	struct note n;

	if (!elf_section(file, NOTE_SECTION, &rest, err))
		return false;
	for (; note_next(&rest, &n, err); ++*count)
		add_noted(f, &n);
	return err->len == 0;
}

/* A member of a thin archive is a file, named from the archive's folder. */
static bool add_thin_member(struct bitcode_files *f, const char *archive, struct str name, uint32_t *count,
			    struct strbuf *err)
{
	const char *slash = strrchr(archive, '/');
	struct strbuf path = { 0 };
	struct mapfile m;

	if (slash && !str_starts(name, "/"))
		strbuf_add(&path, archive, (size_t)(slash - archive) + 1);
	strbuf_addstr(&path, name);
	bool ok = mapfile_open(&m, path.s);
	if (ok) {
		ok = !elf_is(m.bytes) || add_elf(f, m.bytes, count, err);
		mapfile_close(&m);
	} else {
		strbuf_addf(err, "%s", strerror(errno));
	}
	strbuf_release(&path);
	return ok;
}

static bool add_member(struct bitcode_files *f, const char *archive, const struct ar *a, const struct ar_member *m,
		       uint32_t *count, struct strbuf *err)
{
	struct strbuf why = { 0 };
	bool ok = a->is_thin ? add_thin_member(f, archive, m->name, count, &why) :
			       !elf_is(m->bytes) || add_elf(f, m->bytes, count, &why);

	if (!ok)
		strbuf_addf(err, "%s(%.*s): %s", archive, (int)m->name.len, m->name.p, why.s);
	strbuf_release(&why);
	return ok;
}

static bool add_archive(struct bitcode_files *f, const char *path, struct ar *a, uint32_t *count, struct strbuf *err)
{
	struct strbuf why = { 0 };
	struct ar_member m;

	while (ar_next(a, &m, &why))
		if (!add_member(f, path, a, &m, count, err))
			return false;
	bool ok = why.len == 0 || fail(err, path, why.s);
	strbuf_release(&why);
	return ok;
}

static bool add_built(struct bitcode_files *f, const char *path, struct span bytes, struct strbuf *err)
{
	struct strbuf why = { 0 };
	uint32_t count = 0;
	struct ar a;
	bool ok = true;

	if (bytes.len && ar_open(&a, bytes))
		ok = add_archive(f, path, &a, &count, err);
	else if (!elf_is(bytes))
		ok = fail(err, path, "neither an ELF file, an archive, bitcode, a folder, nor a compile_commands.json");
	else if (!add_elf(f, bytes, &count, &why))
		ok = fail(err, path, why.s);
	strbuf_release(&why);
	if (ok && !count)
		ok = fail(err, path, "no object in it was compiled by sherd cc: build it again with make CC=\"sherd cc\"");
	return ok;
}

/* Folders */

/* Is the object beside it, "x.o" of "x.o.bc", another one than the bitcode was made with? */
static bool is_left_over(struct bitcode_files *f, const char *path)
{
	struct bitcode_files noted = { 0 };
	struct strbuf err = { 0 };
	struct mapfile m;
	uint32_t count = 0;
	const char *object = copy_path(f, str_sub(str_of(path), 0, (uint32_t)strlen(path) - 3));

	if (!mapfile_open(&m, object))
		return false;
	bitcode_files_init(&noted);
	bool is_elf = elf_is(m.bytes), is_its = false;
	if (is_elf)
		add_elf(&noted, m.bytes, &count, &err);
	for (uint32_t i = 0; i < noted.files.len; i++)
		is_its |= strcmp(noted.files.data[i], path) == 0;
	is_its &= noted.changed.len == 0;
	mapfile_close(&m);
	bitcode_files_release(&noted);
	strbuf_release(&err);
	return is_elf && !is_its;
}

static void add_found(struct bitcode_files *f, const char *path)
{
	if (!str_ends(str_of(path), ".bc") || !bitcode_files_add_file(f, path))
		return;
	const char *whole = *vec_last(&f->files);
	if (str_ends(str_of(whole), ".o.bc") && is_left_over(f, whole))
		vec_push(&f->changed, whole);
}

static bool add_folder(struct bitcode_files *f, const char *folder, int depth, struct strbuf *err);

/* Folders behind symbolic links are left out: they may lead back. */
static bool add_entry(struct bitcode_files *f, const char *path, int depth, struct strbuf *err)
{
	struct stat st;

	if (lstat(path, &st) != 0)
		return true;                          /* gone meanwhile */
	if (S_ISDIR(st.st_mode))
		return depth == MAX_DEPTH ? fail(err, path, "folders are nested too deeply") :
					    add_folder(f, path, depth + 1, err);
	add_found(f, path);
	return true;
}

static bool add_folder(struct bitcode_files *f, const char *folder, int depth, struct strbuf *err)
{
	DIR *dir = opendir(folder);
	struct strbuf path = { 0 };
	bool ok = true;

	if (!dir)
		return fail(err, folder, strerror(errno));
	for (struct dirent *e; ok && (e = readdir(dir));) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		strbuf_clear(&path);
		strbuf_addf(&path, "%s/%s", folder, e->d_name);
		ok = add_entry(f, path.s, depth, err);
	}
	closedir(dir);
	strbuf_release(&path);
	return ok;
}

static bool add_whole_folder(struct bitcode_files *f, const char *path, struct strbuf *err)
{
	uint32_t before = f->files.len;

	if (!add_folder(f, path, 1, err))
		return false;
	return f->files.len > before ||
	       fail(err, path, "there is no bitcode in this folder: build it with make CC=\"sherd cc\"");
}

/* Libtool leaves a script where a program belongs, and the program in the folder .libs beside it. False: not so here. */
static bool behind_script(const char *path, struct span bytes, struct strbuf *out)
{
	static const char *const before[] = { "", "lt-" };
	struct str s = str_of(path), folder = str_sub(s, 0, (uint32_t)(str_rfind(s, '/') + 1));
	bool found = false;

	if (bytes.len < 2 || memcmp(bytes.p, "#!", 2) != 0)
		return false;
	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]) && !found; i++) {
		struct mapfile m;
		strbuf_clear(out);
		strbuf_addstr(out, folder);
		strbuf_addf(out, ".libs/%s%s", before[i], path + folder.len);
		if (!mapfile_open(&m, out->s))
			continue;
		found = elf_is(m.bytes);
		mapfile_close(&m);
	}
	return found;
}

static bool add_program_of(struct bitcode_files *f, const char *script, struct span bytes, bool *is_script, struct strbuf *err)
{
	struct strbuf program = { 0 };

	*is_script = behind_script(script, bytes, &program);
	bool ok = *is_script && bitcode_files_add(f, program.s, err);
	strbuf_release(&program);
	return ok;
}

bool bitcode_files_add(struct bitcode_files *f, const char *path, struct strbuf *err)
{
	struct mapfile m;
	struct stat st;
	bool is_script;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return add_whole_folder(f, path, err);
	if (!mapfile_open(&m, path))
		return fail(err, path, strerror(errno));
	bool ok = add_program_of(f, path, m.bytes, &is_script, err);
	if (!is_script)
		ok = is_bitcode(m.bytes) ? bitcode_files_add_file(f, path) || fail(err, path, strerror(errno)) :
					   add_built(f, path, m.bytes, err);
	mapfile_close(&m);
	return ok;
}

/* Order */

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sort_list(file_list *l)
{
	uint32_t n = 0;

	if (l->len)
		qsort(l->data, l->len, sizeof(*l->data), compare_paths);
	for (uint32_t i = 0; i < l->len; i++)
		if (n == 0 || strcmp(l->data[n - 1], l->data[i]) != 0)
			l->data[n++] = l->data[i];
	l->len = n;
}

void bitcode_files_sort(struct bitcode_files *f)
{
	sort_list(&f->files);
	sort_list(&f->missing);
	sort_list(&f->changed);
	sort_list(&f->none);
	sort_list(&f->assembler);
	sort_list(&f->optimized);
}

/* Writing notes */

static void write_notes(struct note *notes, uint32_t n, struct strbuf *out)
{
	for (uint32_t i = 0; i < n; i++) {
		struct note *note = &notes[i];
		const char *path = note->path.p;      /* ends with 0: it comes from realpath or an arena */
		if (note->kind == NOTE_BITCODE && !digest_of(path, &note->digest))
			note->digest = 0;
		note_write(note, out);
	}
}

static bool extend_file(const char *path, const struct strbuf *text, struct strbuf *err)
{
	struct strbuf copy = { 0 }, why = { 0 };
	struct mapfile m;

	if (!mapfile_open(&m, path))
		return fail(err, path, strerror(errno));
	struct span more = { (const uint8_t *)text->s, text->len };
	bool is_ours = elf_is(m.bytes);
	bool ok = !is_ours || elf_extend(m.bytes, NOTE_SECTION, more, &copy, &why);
	mapfile_close(&m);
	if (!ok)
		fail(err, path, why.s);
	else if (is_ours && !replacefile(path, strbuf_str(&copy), path))
		ok = fail(err, path, strerror(errno));
	strbuf_release(&copy);
	strbuf_release(&why);
	return ok;
}

bool bitcode_files_note(const char *path, struct note *notes, uint32_t n, struct strbuf *err)
{
	struct strbuf text = { 0 };
	char *whole = realpath(path, NULL);

	write_notes(notes, n, &text);
	bool ok = whole ? extend_file(whole, &text, err) : fail(err, path, strerror(errno));
	free(whole);
	strbuf_release(&text);
	return ok;
}

bool bitcode_files_commands(const char *path, struct arena *mem, compdb *out, struct strbuf *err)
{
	struct strbuf why = { 0 };
	struct mapfile m;

	if (!mapfile_open(&m, path))
		return fail(err, path, strerror(errno));
	bool ok = m.bytes.len ? compdb_read(m.bytes, mem, out, &why) : fail(err, path, "the file is empty");
	mapfile_close(&m);
	if (why.len)
		fail(err, path, why.s);
	strbuf_release(&why);
	return ok;
}
