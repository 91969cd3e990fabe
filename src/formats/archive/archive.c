/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/archive/archive.h"

#include <errno.h>
#include <libdeflate.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "formats/archive/archive_p.h"

#define INFLATE_MAX_RATIO 1032        /* 258 bytes out of two bits */
#define MAX_PROBES 1024               /* at two thirds full, honest names need less than a hundred */

bool entry_fails(const struct archive *a, uint32_t e, enum diag_code code, const char *why, struct diag *d)
{
	struct strbuf tmp = { 0 };

	diag_add(d, code, a->path, a->ops->name(a, e, &tmp), DIAG_NO_OFFSET, "%s", why);
	strbuf_release(&tmp);
	return false;
}

bool archive_fails(const char *path, enum diag_code code, uint64_t offset, const char *why, struct diag *d)
{
	diag_add(d, code, path, (struct str){ NULL, 0 }, offset, "%s", why);
	return false;
}

/* The index of names. */

void name_index_init(struct name_index *ix, uint32_t names)
{
	uint64_t size = 4;

	while (size * 2 < (uint64_t)names * 3)
		size *= 2;
	ix->slots = mem_zalloc(size * sizeof(*ix->slots));
	ix->mask = (uint32_t)(size - 1);
}

void name_index_release(struct name_index *ix)
{
	free(ix->slots);
	*ix = (struct name_index){ 0 };
}

/* The slot of `name`, or the free one where it belongs, or NULL. */
static struct name_slot *probe(const struct name_index *ix, const struct archive *a, struct str name,
			       uint32_t hash, same_name *same)
{
	uint32_t at = hash & ix->mask;

	for (int n = 0; n < MAX_PROBES; n++, at = (at + 1) & ix->mask) {
		struct name_slot *s = &ix->slots[at];
		if (!s->entry || (s->hash == hash && same(a, s->entry, name)))
			return s;
	}
	return NULL;
}

uint32_t name_index_get(const struct name_index *ix, const struct archive *a, struct str name, same_name *same)
{
	struct name_slot *s = probe(ix, a, name, (uint32_t)hash_bytes(name.p, name.len), same);

	return s ? s->entry : 0;
}

uint32_t *name_index_at(struct name_index *ix, const struct archive *a, struct str name, same_name *same)
{
	uint32_t hash = (uint32_t)hash_bytes(name.p, name.len);
	struct name_slot *s = probe(ix, a, name, hash, same);

	if (!s)
		return NULL;
	s->hash = hash;
	return &s->entry;
}

static bool is_better(const struct archive *a, uint32_t e, uint32_t than)
{
	return a->kind != ARCHIVE_JIMAGE && a->ops->name(a, e, NULL).len < a->ops->name(a, than, NULL).len;
}

void archive_index_classes(struct archive *a, struct diag *d)
{
	struct strbuf tmp = { 0 };

	name_index_init(&a->classes, a->count);
	for (uint32_t e = 1; e <= a->count; e++) {
		struct str name = a->ops->class_name(a, e, &tmp);
		if (!name.len)
			continue;
		uint32_t *at = name_index_at(&a->classes, a, name, a->ops->defines);
		if (!at)
			entry_fails(a, e, DIAG_W006, "name has the same hash as too many others", d);
		else if (!*at || is_better(a, e, *at))
			*at = e;
	}
	strbuf_release(&tmp);
}

/* Names of entries and of classes. */

bool str_same_nocase(struct str a, const char *b)
{
	return a.len == strlen(b) && strncasecmp(a.p, b, a.len) == 0;
}

bool is_info_class(struct str simple_name)
{
	return str_is(simple_name, "module-info") || str_is(simple_name, "package-info");
}

static struct str without_prefix(struct str s, const char *prefix)
{
	return str_starts(s, prefix) ? str_sub(s, (uint32_t)strlen(prefix), s.len) : STR("");
}

/* The path of a class file below the root of its classes, or an empty string. */
static struct str below_class_root(struct str name, bool jmod)
{
	if (jmod)
		return without_prefix(name, "classes/");
	if (str_starts(name, "BOOT-INF/"))
		return without_prefix(name, "BOOT-INF/classes/");
	if (str_starts(name, "WEB-INF/"))
		return without_prefix(name, "WEB-INF/classes/");
	return name;
}

struct str path_class_name(const struct archive *a, uint32_t e, struct strbuf *tmp)
{
	struct str name = a->ops->name(a, e, tmp);

	if (!str_ends(name, ".class"))
		return STR("");
	name = below_class_root(name, a->jmod);
	if (name.len <= 6 || str_starts(name, "META-INF/"))
		return STR("");
	name.len -= 6;
	int64_t slash = str_rfind(name, '/');
	return is_info_class(str_sub(name, (uint32_t)(slash + 1), name.len)) ? STR("") : name;
}

bool path_defines(const struct archive *a, uint32_t e, struct str class_name)
{
	return str_eq(path_class_name(a, e, NULL), class_name);
}

bool path_is(const struct archive *a, uint32_t e, struct str name)
{
	return str_eq(a->ops->name(a, e, NULL), name);
}

uint32_t path_find(const struct archive *a, struct str resource)
{
	return name_index_get(&a->names, a, resource, path_is);
}

bool path_is_manifest(struct str name)
{
	return str_same_nocase(name, "META-INF/MANIFEST.MF");
}

/* Inflating. A decompressor costs a malloc of some 11 kB, which is little beside the inflating and lets
 * threads share an archive. */

bool inflated_size_plausible(uint64_t stored, uint64_t size)
{
	return size <= ARCHIVE_ENTRY_LIMIT && size / INFLATE_MAX_RATIO <= stored;
}

bool inflate_exactly(struct span in, enum inflate_form form, uint8_t *out, size_t size)
{
	struct libdeflate_decompressor *z = libdeflate_alloc_decompressor();
	enum libdeflate_result res;

	if (!z)
		return false;
	if (form == INFLATE_RAW)
		res = libdeflate_deflate_decompress(z, in.p, in.len, out, size, NULL);
	else
		res = libdeflate_zlib_decompress(z, in.p, in.len, out, size, NULL);
	libdeflate_free_decompressor(z);
	return res == LIBDEFLATE_SUCCESS;
}

/* The manifest. */

/* Takes a line off the front of `text`, without its end. */
static struct str next_line(struct span *text)
{
	const uint8_t *p = text->p, *end = p + text->len;
	struct str line = { (const char *)p, 0 };

	while (p < end && *p != '\r' && *p != '\n')
		p++;
	line.len = (uint32_t)(p - text->p);
	if (p < end)
		p += *p == '\r' && p + 1 < end && p[1] == '\n' ? 2 : 1;
	*text = (struct span){ p, (size_t)(end - p) };
	return line;
}

/* A line and those that continue it, which begin with a space. */
static void next_header(struct span *text, struct strbuf *header)
{
	strbuf_clear(header);
	strbuf_addstr(header, next_line(text));
	while (text->len && text->p[0] == ' ') {
		struct str more = next_line(text);
		strbuf_addstr(header, str_sub(more, 1, more.len));
	}
}

static bool header_value(struct str header, const char *key, struct str *value)
{
	uint32_t n = (uint32_t)strlen(key);

	if (header.len <= n || header.p[n] != ':' || !str_same_nocase(str_sub(header, 0, n), key))
		return false;
	n += header.len > n + 1 && header.p[n + 1] == ' ' ? 2 : 1;
	*value = str_sub(header, n, header.len);
	return true;
}

bool manifest_value(struct span text, const char *key, struct arena *mem, struct str *value)
{
	struct strbuf header = { 0 }, last = { 0 };
	struct str v;
	bool found = false;

	while (text.len) {
		next_header(&text, &header);
		if (!header.len)
			break;
		if (!header_value(strbuf_str(&header), key, &v))
			continue;
		found = true;
		strbuf_clear(&last);
		strbuf_addstr(&last, v);
	}
	if (found) {
		v = strbuf_str(&last);
		*value = (struct str){ arena_copy(mem, v.p, v.len), v.len };
	}
	strbuf_release(&header);
	strbuf_release(&last);
	return found;
}

bool archive_manifest(const struct archive *a, const char *key, struct arena *mem, struct str *value)
{
	struct arena inflated;
	struct span text;

	if (!a->manifest)
		return false;
	arena_init(&inflated);
	bool found = archive_read(a, a->manifest, &inflated, &text, NULL) && manifest_value(text, key, mem, value);
	arena_release(&inflated);
	return found;
}

/* Opening. */

struct archive *archive_open_bytes(struct span bytes, const char *path, int release, struct diag *d)
{
	if (jimage_detect(bytes))
		return jimage_open(bytes, path, d);
	if (zip_detect(bytes))
		return zip_open(bytes, path, release, d);
	archive_fails(path, DIAG_E002, DIAG_NO_OFFSET, "neither a zip file (jar, jmod, war) nor a JDK image", d);
	return NULL;
}

static struct archive *open_file(const char *path, int release, struct diag *d)
{
	struct mapfile map;

	if (!mapfile_open(&map, path)) {
		archive_fails(path, DIAG_E001, DIAG_NO_OFFSET, strerror(errno), d);
		return NULL;
	}
	struct archive *a = archive_open_bytes(map.bytes, path, release, d);
	if (a)
		a->map = map;
	else
		mapfile_close(&map);
	return a;
}

struct archive *archive_open_within(const char *path, int release, uint32_t *left, struct diag *d)
{
	struct stat st;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return dir_open(path, left, d);
	return open_file(path, release, d);
}

struct archive *archive_open(const char *path, int release, struct diag *d)
{
	return archive_open_within(path, release, NULL, d);
}

void archive_close(struct archive *a)
{
	if (!a)
		return;
	a->ops->close(a);
	name_index_release(&a->classes);
	name_index_release(&a->names);
	mapfile_close(&a->map);
	free(a->path);
	free(a);
}

/* What all kinds answer in the same way. */

enum archive_kind archive_kind(const struct archive *a)
{
	return a->kind;
}

const char *archive_path(const struct archive *a)
{
	return a->path;
}

uint32_t archive_count(const struct archive *a)
{
	return a->count;
}

uint32_t archive_find_class(const struct archive *a, struct str name)
{
	return name.len ? name_index_get(&a->classes, a, name, a->ops->defines) : 0;
}

uint32_t archive_find(const struct archive *a, struct str resource)
{
	return resource.len ? a->ops->find(a, resource) : 0;
}

struct str archive_class_name(const struct archive *a, uint32_t e, struct strbuf *tmp)
{
	return a->ops->class_name(a, e, tmp);
}

struct str archive_entry_name(const struct archive *a, uint32_t e, struct strbuf *tmp)
{
	return a->ops->name(a, e, tmp);
}

struct str archive_module(const struct archive *a, uint32_t e)
{
	return a->ops->module ? a->ops->module(a, e) : STR("");
}

bool archive_read(const struct archive *a, uint32_t e, struct arena *mem, struct span *out, struct diag *d)
{
	*out = (struct span){ NULL, 0 };
	return a->ops->read(a, e, mem, out, d);
}

uint64_t archive_entry_size(const struct archive *a, uint32_t e)
{
	return a->ops->size ? a->ops->size(a, e) : 0;
}

uint64_t archive_size(const struct archive *a)
{
	return a->bytes.len;
}

static bool is_nested_jar(struct str name)
{
	struct str file = without_prefix(name, "BOOT-INF/lib/");

	if (!file.len)
		file = without_prefix(name, "WEB-INF/lib/");
	return file.len > 4 && str_ends(file, ".jar") && str_rfind(file, '/') < 0;
}

void archive_nested(const struct archive *a, void (*each)(void *ctx, uint32_t entry), void *ctx)
{
	struct strbuf tmp = { 0 };

	for (uint32_t e = 1; e <= a->count; e++)
		if (is_nested_jar(a->ops->name(a, e, &tmp)))
			each(ctx, e);
	strbuf_release(&tmp);
}
