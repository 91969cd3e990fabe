/* SPDX-License-Identifier: Apache-2.0 */
/* summary_files.c - summaries in files of their own, and in sections of libraries. */
#include <stdlib.h>
#include <string.h>

#include "base/sys/mapfile.h"
#include "base/sys/replacefile.h"
#include "formats/elf/ar.h"
#include "formats/elf/elf.h"
#include "formats/elf/note.h"
#include "session/summaries.h"

bool summary_is_file(const char *path)
{
	struct mapfile f;

	if (!mapfile_open(&f, path))
		return false;
	bool is = summary_is(f.bytes);
	mapfile_close(&f);
	return is;
}

typedef VEC(struct span) span_list;

static bool same_bytes(struct span a, struct span b)
{
	return a.len == b.len && (a.p == b.p || memcmp(a.p, b.p, a.len) == 0);
}

/* Each once: several objects of a library may have the same one. What does not look like a summary comes as it is, and the rest with it. */
static void split_section(struct span section, span_list *out)
{
	while (section.len) {
		struct span one = summary_first(section);
		bool is_new = true;
		for (uint32_t i = 0; i < out->len && is_new; i++)
			is_new = !same_bytes(out->data[i], one);
		if (is_new)
			vec_push(out, one);
		section.p += one.len;
		section.len -= one.len;
	}
}

static bool find_in_elf(struct span file, span_list *out, struct strbuf *err)
{
	struct span section = { 0 };
	bool ok = elf_section(file, SUMMARY_SECTION, &section, err);

	split_section(section, out);
	return ok;
}

static bool find_in_archive(struct ar *a, span_list *out, struct strbuf *err)
{
	struct ar_member m;
	bool ok = true;

	while (ok && ar_next(a, &m, err))
		if (elf_is(m.bytes))
			ok = find_in_elf(m.bytes, out, err);
	return ok && !err->len;
}

/* The parts of the file that are summaries; all of it unless it is an ELF file, or an archive of some. */
static bool find_summaries(struct span file, span_list *out, struct strbuf *err)
{
	struct ar a;
	bool is_elf = elf_is(file), is_ar = !is_elf && ar_open(&a, file), ok;

	if (!is_elf && !is_ar) {
		vec_push(out, file);
		return true;
	}
	ok = is_elf ? find_in_elf(file, out, err) : find_in_archive(&a, out, err);
	if (ok && !out->len)
		strbuf_adds(err, "carries no summary; attach one with sherd summary attach");
	for (uint32_t i = 0; ok && i < out->len; i++)
		if (!summary_is(out->data[i])) {
			strbuf_adds(err, "its section " SUMMARY_SECTION " is no summary; take it out with objcopy -R " SUMMARY_SECTION
					 ", and attach one with sherd summary attach");
			ok = false;
		}
	return ok && out->len;
}

/* The names that a library has for others, and one that the summary has and the library does not. */
struct fitting {
	const struct summary *s;
	struct map names;            /* of the summary's program: 1: wanted, 2: found */
};

static void on_export(void *ctx, struct str name)
{
	struct fitting *f = ctx;
	str_id id;

	if (interner_find(&f->s->program.names, name, &id) && map_get(&f->names, id.i))
		*map_at(&f->names, id.i) = 2;
}

static void want_exports(struct fitting *f)
{
	const struct cprogram *p = &f->s->program;

	for (uint32_t i = 1; i < p->objs.len; i++)
		if (p->objs.data[i].flags & COBJ_EXPORTED)
			*map_at(&f->names, p->objs.data[i].name.i) = 1;
	for (uint32_t i = 0; i < p->aliases.len; i++)
		*map_at(&f->names, p->aliases.data[i].name.i) = 1;
}

/* A shared library has to export what the summary that it carries says: otherwise it is of another build. */
static bool fits_library(const struct summary *s, struct span file, const char *path, struct diag *d)
{
	const struct cprogram *p = &s->program;
	struct fitting f = { .s = s };
	struct strbuf err = { 0 };
	str_id missing = { 0 };

	want_exports(&f);
	bool has_names = elf_is(file) && elf_exports(file, on_export, &f, &err);
	for (uint32_t i = 1; i < p->objs.len && has_names && !missing.i; i++)
		if (map_get(&f.names, p->objs.data[i].name.i) == 1)
			missing = p->objs.data[i].name;
	if (missing.i) {
		struct str name = interned(&p->names, missing), lib = interned(&p->names, s->library);
		diag_add(d, DIAG_E082, path, STR(""), DIAG_NO_OFFSET,
			 "does not export %.*s, which the summary of %.*s has: it is of another build; make one of this build, with "
			 "--exports %s", (int)name.len, name.p, (int)lib.len, lib.p, path);
	}
	map_release(&f.names);
	strbuf_release(&err);
	return !missing.i;
}

/* It was attached to this build of the library, or to an object that this was linked from, and says nothing. */
static bool fits_build(const struct summary *s, struct span file, const char *path, struct diag *d)
{
	struct str of = interned(&s->program.names, s->attached), lib = interned(&s->program.names, s->library);
	struct strbuf here = { 0 }, err = { 0 };
	bool fits = !elf_is(file) || !s->attached.i || (elf_build(file, &here, &err) && str_eq(of, strbuf_str(&here)));

	if (!fits)
		diag_add(d, DIAG_E082, path, STR(""), DIAG_NO_OFFSET,
			 "carries a summary of %.*s that was attached to another file (%.*s; this one is %s): make the summary anew of this "
			 "build, and attach that", (int)lib.len, lib.p, (int)of.len, of.p, here.len ? here.s : "no library");
	strbuf_release(&here);
	strbuf_release(&err);
	return fits;
}

static bool read_all(summary_list *out, const span_list *found, struct span file, const char *path, struct diag *d)
{
	bool ok = true;

	for (uint32_t i = 0; i < found->len && ok; i++) {
		struct summary *s = mem_alloc(sizeof(*s));
		summary_init(s);
		vec_push(out, s);
		ok = summary_read(s, found->data[i], path, d) && fits_build(s, file, path, d) &&
		     (elf_is_program(file) || fits_library(s, file, path, d));
	}
	return ok;
}

bool summary_open_all(summary_list *out, const char *path, bool *is_program, struct diag *d)
{
	struct strbuf err = { 0 };
	span_list found = { 0 };
	struct mapfile f;
	bool ok = mapfile_open(&f, path);

	if (!ok) {
		diag_add(d, DIAG_E081, path, STR(""), DIAG_NO_OFFSET, "cannot be opened: %s", mapfile_why());
		return false;
	}
	if (is_program)
		*is_program = elf_is_program(f.bytes);
	ok = find_summaries(f.bytes, &found, &err);
	if (!ok)
		diag_add(d, DIAG_E081, path, STR(""), DIAG_NO_OFFSET, "%s", err.s);
	ok = ok && read_all(out, &found, f.bytes, path, d);
	strbuf_release(&err);
	vec_release(&found);
	mapfile_close(&f);
	return ok;
}

void summary_list_release(summary_list *l)
{
	for (uint32_t i = 0; i < l->len; i++) {
		if (!l->data[i])
			continue;
		summary_release(l->data[i]);
		free(l->data[i]);
	}
	vec_release(l);
}

bool summary_open(struct summary *s, const char *path, struct diag *d)
{
	summary_list all = { 0 };
	bool ok = summary_open_all(&all, path, NULL, d);

	if (ok && all.len > 1) {
		diag_add(d, DIAG_E081, path, STR(""), DIAG_NO_OFFSET,
			 "carries %u summaries, of what it was linked from: name an object or library that has one", (unsigned)all.len);
		ok = false;
	}
	if (ok) {
		summary_release(s);
		*s = *all.data[0];
		free(all.data[0]);
		all.data[0] = NULL;
	}
	summary_list_release(&all);
	return ok;
}

static bool has_digest(const struct summary *s, uint64_t digest)
{
	for (uint32_t i = 0; i < s->modules.len; i++)
		if (s->modules.data[i].digest == digest)
			return true;
	return false;
}

/* Whatever sherd cc compiled for the library is in the summary. It may be made of more: what others compiled has no notes. */
static bool fits_notes(const struct summary *s, struct span file, struct strbuf *err)
{
	struct span rest = { 0 };
	struct note n;

	if (!elf_section(file, NOTE_SECTION, &rest, err))
		return false;
	while (note_next(&rest, &n, err)) {
		if (n.kind != NOTE_BITCODE || has_digest(s, n.digest))
			continue;
		strbuf_addf(err, "was built from %.*s, which the summary was not made of, or not as it is now: make it anew with sherd summarize "
				 "of this library", (int)n.path.len, n.path.p);
		return false;
	}
	return !err->len;
}

static bool note_build(struct summary *s, struct span file, struct strbuf *err)
{
	struct strbuf build = { 0 };
	bool ok = elf_build(file, &build, err);

	s->attached = build.len ? intern(&s->program.names, strbuf_str(&build)) : (str_id){ 0 };
	strbuf_release(&build);
	return ok;
}

static bool extend(struct summary *s, struct span file, struct strbuf *out, struct strbuf *err)
{
	struct strbuf bytes = { 0 };
	struct span old = { 0 };
	bool ok = elf_is(file);

	if (!ok)
		strbuf_adds(err, "is neither a shared library nor an object (ELF)");
	ok = ok && elf_section(file, SUMMARY_SECTION, &old, err);
	if (ok && old.len) {
		strbuf_adds(err, "carries a summary already; link the library anew, or take it out with objcopy -R " SUMMARY_SECTION);
		ok = false;
	}
	ok = ok && fits_notes(s, file, err) && note_build(s, file, err);
	if (ok) {
		summary_write_binary(s, &bytes);
		ok = elf_extend(file, SUMMARY_SECTION, (struct span){ (const uint8_t *)bytes.s, bytes.len }, out, err);
	}
	strbuf_release(&bytes);
	return ok;
}

bool summary_attach(struct summary *s, const char *library, const char *to, struct diag *d)
{
	struct strbuf out = { 0 }, err = { 0 };
	struct mapfile f;
	bool ok = mapfile_open(&f, library);

	if (!ok) {
		diag_add(d, DIAG_E082, library, STR(""), DIAG_NO_OFFSET, "cannot be opened: %s", mapfile_why());
		return false;
	}
	ok = fits_library(s, f.bytes, library, d);
	if (!ok) {
		mapfile_close(&f);
		return false;
	}
	ok = extend(s, f.bytes, &out, &err);
	mapfile_close(&f);
	if (ok && !replacefile(to, strbuf_str(&out), library)) {
		strbuf_addf(&err, "%s cannot be written: %s", to, mapfile_why());
		ok = false;
	}
	if (!ok)
		diag_add(d, DIAG_E082, library, STR(""), DIAG_NO_OFFSET, "%s", err.s);
	strbuf_release(&out);
	strbuf_release(&err);
	return ok;
}
