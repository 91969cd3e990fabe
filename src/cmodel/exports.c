/* SPDX-License-Identifier: Apache-2.0 */
/* exports.c - what clients of a library may name: by visibility, or as a file lists it. */
#include "cmodel/exports_p.h"

#include <errno.h>

#include "base/text/glob.h"
#include "base/map.h"
#include "base/sys/mapfile.h"
#include "formats/elf/ar.h"
#include "formats/elf/elf.h"

#define MAX_FILE (16u << 20)     /* bytes */

bool export_candidate(const struct cprogram *p, cobj_id id)
{
	const struct cobj *o = &p->objs.data[id.i];

	if (o->flags & (COBJ_STATIC | COBJ_IMPORTED | COBJ_HIDDEN | COBJ_MODEL | COBJ_PLACEHOLDER) || o->name.i == 0)
		return false;
	if (o->kind == COBJ_FUNCTION) {
		const struct cfn *f = &p->fns.data[o->fn.i];
		return f->flags & CFN_DEFINED && !(f->flags & (CFN_MODEL | CFN_STATIC | CFN_PLACEHOLDER)) &&
		       o->fn.i != p->initialisers.i;
	}
	return o->kind == COBJ_GLOBAL;
}

bool cmodel_export_visible(struct cprogram *p)
{
	bool any = false;

	for (uint32_t i = 1; i < p->objs.len; i++)
		if (export_candidate(p, (cobj_id){ i })) {
			p->objs.data[i].flags |= COBJ_EXPORTED;
			any = true;
		}
	return any;
}

/* Candidates by their names. */
static void index_candidates(const struct cprogram *p, struct map *by_name)
{
	for (uint32_t i = 1; i < p->objs.len; i++)
		if (export_candidate(p, (cobj_id){ i }))
			*map_at(by_name, p->objs.data[i].name.i) = i;
	for (uint32_t i = 0; i < p->aliases.len; i++) {
		const struct calias *a = &p->aliases.data[i];
		if (export_candidate(p, a->obj))
			*map_at(by_name, a->name.i) = a->obj.i;
	}
}

cobj_id export_named(const struct cprogram *p, const struct map *by_name, struct str name)
{
	str_id id;

	return (cobj_id){ interner_find(&p->names, name, &id) ? map_get(by_name, id.i) : 0 };
}

bool export_is_glob(struct str s)
{
	return s.len && (memchr(s.p, '*', s.len) || memchr(s.p, '?', s.len) || memchr(s.p, '[', s.len));
}

/* Text of C */

uint32_t export_skip(struct str text, uint32_t i)
{
	char c = text.p[i], next = i + 1 < text.len ? text.p[i + 1] : 0;

	if (c == '/' && next == '*') {
		for (i += 2; i + 1 < text.len && !(text.p[i] == '*' && text.p[i + 1] == '/'); i++)
			;
		return i + 2 < text.len ? i + 2 : text.len;
	}
	if (c == '/' && next == '/') {
		while (i < text.len && text.p[i] != '\n')
			i++;
		return i;
	}
	if (c == '"' || c == '\'') {
		for (i++; i < text.len && text.p[i] != c && text.p[i] != '\n'; i++)
			i += text.p[i] == '\\';
		return i < text.len ? i + 1 : text.len;
	}
	return i;
}

/* Lists: a name or a pattern a line. */

static struct str trim(struct str s)
{
	const char *comment = s.len ? memchr(s.p, '#', s.len) : NULL;

	if (comment)
		s.len = (uint32_t)(comment - s.p);
	while (s.len && (unsigned char)s.p[0] <= ' ')
		s = str_sub(s, 1, s.len);
	while (s.len && (unsigned char)s.p[s.len - 1] <= ' ')
		s.len--;
	return s;
}

static uint32_t export_matching(struct cprogram *p, struct str glob)
{
	uint32_t found = 0;

	for (uint32_t i = 1; i < p->objs.len; i++)
		if (export_candidate(p, (cobj_id){ i }) && glob_matches(glob, interned(&p->names, p->objs.data[i].name))) {
			p->objs.data[i].flags |= COBJ_EXPORTED;
			found++;
		}
	for (uint32_t i = 0; i < p->aliases.len; i++) {
		const struct calias *a = &p->aliases.data[i];
		if (export_candidate(p, a->obj) && glob_matches(glob, interned(&p->names, a->name))) {
			p->objs.data[a->obj.i].flags |= COBJ_EXPORTED;
			found++;
		}
	}
	return found;
}

static bool read_list(struct cprogram *p, struct str text, const struct map *by_name, struct export_error *e)
{
	uint32_t line = 0;

	for (uint32_t i = 0, end; i < text.len; i = end + 1) {
		for (end = i; end < text.len && text.p[end] != '\n'; end++)
			;
		line++;
		struct str name = trim(str_sub(text, i, end));
		cobj_id o = export_named(p, by_name, name);
		if (o.i)
			p->objs.data[o.i].flags |= COBJ_EXPORTED;
		else if (name.len && (!export_is_glob(name) || export_matching(p, name) == 0))
			return export_fail(e, line, "nothing that clients can see is defined with this name", name);
	}
	return true;
}

/* Which kind of file is it? */

static bool is_header_name(const char *path)
{
	static const char *const ends[] = { ".h", ".hh", ".hpp", ".hxx", ".H" };

	for (unsigned i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (str_ends(str_of(path), ends[i]))
			return true;
	return false;
}

/* One word on each line, or none. */
static bool is_list(struct str text)
{
	for (uint32_t i = 0, end; i < text.len; i = end + 1) {
		for (end = i; end < text.len && text.p[end] != '\n'; end++)
			;
		struct str s = trim(str_sub(text, i, end));
		for (uint32_t k = 0; k < s.len; k++)
			if ((unsigned char)s.p[k] <= ' ' || strchr("(){};,/\"", s.p[k]))
				return false;
	}
	return true;
}

bool export_fail(struct export_error *e, uint32_t line, const char *reason, struct str word)
{
	*e = (struct export_error){ reason, line, word };
	return false;
}

static bool read_file(struct cprogram *p, struct str text, const char *path, struct diag *d, struct export_error *e)
{
	struct map by_name = { 0 };
	bool good = true;

	index_candidates(p, &by_name);
	if (is_header_name(path))
		good = header_read(p, text, path, &by_name, d) ||
		       export_fail(e, 0, "the header names nothing that is defined", (struct str){ 0 });
	else if (version_script_is(text))
		good = version_script_read(p, text, e);
	else if (is_list(text))
		good = read_list(p, text, &by_name, e);
	else
		good = header_read(p, text, path, &by_name, d) ||
		       export_fail(e, 0, "neither a version script, nor a header, nor a name a line", (struct str){ 0 });
	map_release(&by_name);
	return good;
}

static bool any_exported(const struct cprogram *p)
{
	for (uint32_t i = 1; i < p->objs.len; i++)
		if (p->objs.data[i].flags & COBJ_EXPORTED)
			return true;
	return false;
}

static void complain(struct diag *d, const char *path, const struct export_error *e)
{
	struct str w = e->word;

	w.len = w.len < 80 ? w.len : 80;
	diag_add(d, DIAG_E066, path, (struct str){ 0 }, e->line ? e->line : DIAG_NO_OFFSET, "%s%s%.*s%s", e->reason, w.len ? ": '" : "",
		 (int)w.len, w.len ? w.p : "", w.len ? "'" : "");
}

/* Shared libraries: their dynamic symbols. Those that the modules do not define are the linker's, or of other libraries in it. */

struct library {
	struct cprogram *p;
	struct map by_name;
	uint32_t found;
};

static void export_symbol(void *ctx, struct str name)
{
	struct library *l = ctx;
	cobj_id o = export_named(l->p, &l->by_name, name);

	if (o.i)
		l->p->objs.data[o.i].flags |= COBJ_EXPORTED;
	l->found += o.i != 0;
}

static bool read_library(struct cprogram *p, struct span bytes, struct strbuf *why, struct export_error *e)
{
	struct library l = { .p = p };

	index_candidates(p, &l.by_name);
	bool good = elf_exports(bytes, export_symbol, &l, why) || export_fail(e, 0, why->s, (struct str){ 0 });
	if (good && !l.found)
		good = export_fail(e, 0, "exports nothing that is defined", (struct str){ 0 });
	map_release(&l.by_name);
	return good;
}

/* Bytes that are no text would be read as a header that names little: what it lacks would be out of clients' reach. */
bool export_is_text(struct span bytes, struct export_error *e)
{
	struct ar archive;

	if (bytes.len && ar_open(&archive, bytes))
		return export_fail(e, 0, "an archive does not say what clients may name: take a header, a version script, or a name a line",
				   (struct str){ 0 });
	if (bytes.len > MAX_FILE)
		return export_fail(e, 0, "larger than 16 MiB", (struct str){ 0 });
	if (bytes.len && memchr(bytes.p, 0, bytes.len))
		return export_fail(e, 0, "neither text nor a shared library: take a header, a version script, or a name a line",
				   (struct str){ 0 });
	return true;
}

static bool read_bytes(struct cprogram *p, struct span bytes, const char *path, struct diag *d, struct strbuf *why,
		       struct export_error *e)
{
	if (elf_is(bytes))
		return read_library(p, bytes, why, e);
	return export_is_text(bytes, e) &&
	       read_file(p, bytes.len ? (struct str){ (const char *)bytes.p, (uint32_t)bytes.len } : STR(""), path, d, e);
}

bool cmodel_export_file(struct cprogram *p, const char *path, struct diag *d)
{
	struct mapfile f;
	struct export_error e = { 0 };
	struct strbuf why = { 0 };

	if (!mapfile_open(&f, path)) {
		diag_add(d, DIAG_E066, path, (struct str){ 0 }, DIAG_NO_OFFSET, "cannot be read: %s", strerror(errno));
		return false;
	}
	bool good = read_bytes(p, f.bytes, path, d, &why, &e);
	if (good && !any_exported(p))
		good = export_fail(&e, 0, "exports nothing that is defined", (struct str){ 0 });
	if (!good)
		complain(d, path, &e);
	strbuf_release(&why);
	mapfile_close(&f);
	return good;
}
