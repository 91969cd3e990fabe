/* SPDX-License-Identifier: Apache-2.0 */
/* exports_header.c - headers: every word that names a definition, outside of comments and literals; also in what they include, as
 * far as that lies near them. Nothing is preprocessed: both sides of an #if count. */
#define _XOPEN_SOURCE 700      /* realpath */
#include "cmodel/exports_p.h"

#include <stdlib.h>

#include "base/sys/mapfile.h"

enum { MAX_DEPTH = 64, MAX_FILES = 20000, PARENTS = 3 };

struct headers {
	struct cprogram *p;
	const struct map *by_name;
	struct interner seen;        /* whole paths of files that were read */
	struct diag *d;
	uint32_t found;
};

/* The header that is being read. */
struct header {
	struct str text, folder;     /* the folder ends with a slash, or is empty: here */
	const char *path;
	unsigned depth;
};

static void read_text(struct headers *x, const struct header *h);

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

static uint32_t word_end(struct str text, uint32_t i)
{
	while (i < text.len && is_word(text.p[i]))
		i++;
	return i;
}

static uint32_t skip_blanks(struct str text, uint32_t i)
{
	while (i < text.len && (text.p[i] == ' ' || text.p[i] == '\t'))
		i++;
	return i;
}

/* Is the file new? Files have several names. */
static bool enter(struct headers *x, const char *path)
{
	char *whole = realpath(path, NULL);
	str_id id;
	bool is_new = whole && x->seen.strings.len <= MAX_FILES && !interner_find(&x->seen, str_of(whole), &id);

	if (is_new)
		intern(&x->seen, str_of(whole));
	free(whole);
	return is_new;
}

static struct str folder_of(const char *path)
{
	struct str s = str_of(path);

	return str_sub(s, 0, (uint32_t)(str_rfind(s, '/') + 1));
}

/* False: there is no such file. */
static bool read_at(struct headers *x, const char *path, unsigned depth)
{
	struct export_error e;
	struct mapfile f;

	if (!mapfile_open(&f, path))
		return false;
	if (f.bytes.len && export_is_text(f.bytes, &e) && enter(x, path)) {
		struct header h = { { (const char *)f.bytes.p, (uint32_t)f.bytes.len }, folder_of(path), path, depth };
		read_text(x, &h);
	}
	mapfile_close(&f);
	return true;
}

/* Beside the header; a name with a folder also where the header's folder is, and its folder, up to some levels. */
static bool follow(struct headers *x, const struct header *h, struct str name)
{
	bool is_whole = name.len && name.p[0] == '/', found = false;
	int levels = !is_whole && str_rfind(name, '/') >= 0 ? PARENTS : 0;
	struct strbuf path = { 0 };

	for (int level = 0; level <= levels && !found && h->depth < MAX_DEPTH; level++) {
		strbuf_clear(&path);
		if (!is_whole)
			strbuf_addstr(&path, h->folder);
		for (int i = 0; i < level; i++)
			strbuf_adds(&path, "../");
		strbuf_addstr(&path, name);
		found = read_at(x, path.s, h->depth + 1);
	}
	strbuf_release(&path);
	return found;
}

/* Files in <> that are not near are most likely the system's. */
static void include(struct headers *x, const struct header *h, struct str name, bool quoted)
{
	if (!follow(x, h, name) && quoted)
		diag_add(x->d, DIAG_W068, h->path, STR(""), DIAG_NO_OFFSET,
			 "what \"%.*s\" names is left out: the file is not near; add it with --exports FILE",
			 name.len < 200 ? (int)name.len : 200, name.p);
}

/* At a #: behind the directive where it includes a file, else behind the sign. */
static uint32_t read_directive(struct headers *x, const struct header *h, uint32_t i)
{
	uint32_t word = skip_blanks(h->text, i + 1), end = word_end(h->text, word), from = skip_blanks(h->text, end), to;
	struct str name = str_sub(h->text, word, end);

	if (!str_is(name, "include") && !str_is(name, "include_next") && !str_is(name, "import"))
		return i + 1;
	if (from >= h->text.len || (h->text.p[from] != '"' && h->text.p[from] != '<'))
		return end;
	char close = h->text.p[from] == '<' ? '>' : '"';
	for (to = from + 1; to < h->text.len && h->text.p[to] != close; to++)
		if (h->text.p[to] == '\n')
			return end;
	include(x, h, str_sub(h->text, from + 1, to), close == '"');
	return to + 1;
}

static void export_word(struct headers *x, struct str word)
{
	cobj_id o = export_named(x->p, x->by_name, word);

	if (!o.i)
		return;
	x->p->objs.data[o.i].flags |= COBJ_EXPORTED;
	x->found++;
}

static void read_text(struct headers *x, const struct header *h)
{
	struct str text = h->text;

	for (uint32_t i = 0, end; i < text.len; i = end) {
		end = export_skip(text, i);
		if (end > i)
			continue;
		if (is_word(text.p[i])) {
			end = word_end(text, i);
			export_word(x, str_sub(text, i, end));
		} else {
			end = text.p[i] == '#' ? read_directive(x, h, i) : i + 1;
		}
	}
}

bool header_read(struct cprogram *p, struct str text, const char *path, const struct map *by_name, struct diag *d)
{
	struct headers x = { .p = p, .by_name = by_name, .d = d };
	struct header h = { text, folder_of(path), path, 0 };

	interner_init(&x.seen);
	enter(&x, path);
	read_text(&x, &h);
	interner_release(&x.seen);
	return x.found > 0;
}
