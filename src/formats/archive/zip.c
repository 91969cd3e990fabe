/* SPDX-License-Identifier: Apache-2.0 */
/* zip.c - jar, war and jmod files (PKWARE APPNOTE 6.3). Only the central directory says what is inside,
 * as in the JVM; it is found from the end of the file, so that data before the zip (a launcher script,
 * the header of a jmod) shifts all offsets and does no harm. */
#include <libdeflate.h>

#include "base/reader.h"
#include "formats/archive/archive_p.h"

#define END_SIG 0x06054b50u
#define END_SIZE 22
#define END64_SIG 0x06064b50u
#define END64_SIZE 56
#define LOCATOR64_SIG 0x07064b50u
#define LOCATOR64_SIZE 20
#define HEADER_SIG 0x02014b50u
#define HEADER_SIZE 46
#define LOCAL_SIG 0x04034b50u
#define LOCAL_SIZE 30
#define EXTRA_ZIP64 1
#define FLAG_ENCRYPTED 1
#define METHOD_STORED 0
#define METHOD_DEFLATED 8
#define VERSIONS "META-INF/versions/"
#define FIRST_VERSION 9               /* of Java with multi-release jars */

/* Everything else about an entry is read again from its header when it is needed. */
struct zip_entry {
	const uint8_t *header;        /* in the central directory */
	uint16_t name_len;            /* of the whole name, which follows the header; 0: dropped */
	uint16_t cut;                 /* of the name, the part hidden: META-INF/versions/N/ */
	uint16_t version;             /* N */
};

struct zip {
	struct archive base;
	uint64_t shift;               /* of all offsets: what precedes the zip */
	VEC(struct zip_entry) entries;
};

/* Where the central directory lies in the file. */
struct directory {
	uint64_t start, size, shift;
};

static uint32_t le4(const uint8_t *p)
{
	return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static uint16_t le2(const uint8_t *p)
{
	return (uint16_t)(p[1] << 8 | p[0]);
}

static struct reader reader_at(struct span s, uint64_t offset)
{
	struct reader r = reader_of(s);

	reader_seek(&r, offset < SIZE_MAX ? (size_t)offset : SIZE_MAX);
	return r;
}

static bool has_sig(struct span s, uint64_t offset, uint32_t sig)
{
	struct reader r = reader_at(s, offset);

	return reader_le4(&r) == sig && !r.failed;
}

/* True when the record at `at` ends the file, or, where padding follows the file, when a central
 * directory precedes it. */
static bool is_end_record(struct span s, size_t at)
{
	if (le4(s.p + at) != END_SIG)
		return false;
	uint64_t comment = le2(s.p + at + 20), size = le4(s.p + at + 12);
	if (at + END_SIZE + comment == s.len)
		return true;
	return size <= at && has_sig(s, at - size, HEADER_SIG);
}

/* The offset of the end record, or SIZE_MAX. */
static size_t find_end(struct span s)
{
	if (s.len < END_SIZE)
		return SIZE_MAX;
	size_t last = s.len - END_SIZE, first = last > 0xffff ? last - 0xffff : 0;
	for (size_t at = last + 1; at-- > first;)
		if (s.p[at] == 'P' && is_end_record(s, at))
			return at;
	return SIZE_MAX;
}

bool zip_detect(struct span s)
{
	if (s.len >= 4 && (memcmp(s.p, "PK", 2) == 0 || memcmp(s.p, "JM\1", 4) == 0))
		return true;
	return find_end(s) != SIZE_MAX;
}

/* Where the end record of Zip64 is, given its locator; a prefix may have moved it. */
static bool find_end64(struct span s, size_t locator, uint64_t *at)
{
	struct reader r = reader_at(s, locator + 8);

	*at = reader_le8(&r);
	if (has_sig(s, *at, END64_SIG))
		return true;
	*at = (uint64_t)locator - END64_SIZE;
	return locator >= END64_SIZE && has_sig(s, *at, END64_SIG);
}

/* Takes the values of the Zip64 records when there are any and they agree with the plain ones. */
static void read_end64(struct span s, size_t end, uint64_t *at, uint64_t *size, uint64_t *offset)
{
	uint64_t at64, size64, offset64;

	if (end < LOCATOR64_SIZE || !has_sig(s, end - LOCATOR64_SIZE, LOCATOR64_SIG))
		return;
	if (!find_end64(s, end - LOCATOR64_SIZE, &at64))
		return;
	struct reader r = reader_at(s, at64 + 40);
	size64 = reader_le8(&r);
	offset64 = reader_le8(&r);
	if (r.failed || (*size != UINT32_MAX && *size != size64) || (*offset != UINT32_MAX && *offset != offset64))
		return;
	*at = at64;
	*size = size64;
	*offset = offset64;
}

static bool find_directory(struct span s, const char *path, struct directory *dir, struct diag *d)
{
	size_t end = find_end(s);

	if (end == SIZE_MAX)
		return archive_fails(path, DIAG_E003, s.len, "end of the central directory not found: truncated?", d);
	uint64_t at = end, size = le4(s.p + end + 12), offset = le4(s.p + end + 16);
	read_end64(s, end, &at, &size, &offset);
	if (size > at)
		return archive_fails(path, DIAG_E003, end, "central directory is larger than the file", d);
	if (offset > at - size)
		return archive_fails(path, DIAG_E003, end, "central directory lies outside the file", d);
	*dir = (struct directory){ at - size, size, at - size - offset };
	return true;
}

/* Names. */

static bool has_parent_step(struct str name)
{
	const char *end = name.p + name.len;

	for (const char *p = name.p; (p = memchr(p, '.', (size_t)(end - p))) != NULL; p++)
		if (end - p >= 2 && p[1] == '.' && (p == name.p || p[-1] == '/') && (end - p == 2 || p[2] == '/'))
			return true;
	return false;
}

static const char *why_suspicious(struct str name)
{
	if (!name.len)
		return "entry without a name";
	if (name.p[0] == '/')
		return "absolute entry name";
	if (memchr(name.p, 0, name.len))
		return "entry name with a NUL";
	return has_parent_step(name) ? "entry name with '..'" : NULL;
}

static struct str whole_name(const struct zip_entry *z)
{
	return (struct str){ (const char *)z->header + HEADER_SIZE, z->name_len };
}

static struct str visible_name(const struct zip_entry *z)
{
	return str_sub(whole_name(z), z->cut, z->name_len);
}

static const struct zip_entry *entry_of(const struct archive *a, uint32_t e)
{
	return &((const struct zip *)a)->entries.data[e - 1];
}

static struct str zip_name(const struct archive *a, uint32_t e, struct strbuf *tmp)
{
	(void)tmp;
	return visible_name(entry_of(a, e));
}

/* Reading the central directory. */

static void add_entry(struct zip *z, const uint8_t *header, struct str name, struct diag *d)
{
	const char *why = why_suspicious(name);

	if (why) {
		diag_add(d, DIAG_W006, z->base.path, name, (uint64_t)(header - z->base.bytes.p), "%s", why);
		return;
	}
	if (name.p[name.len - 1] == '/')
		return;
	if (z->entries.len == UINT32_MAX - 1)
		return;
	vec_push(&z->entries, ((struct zip_entry){ .header = header, .name_len = (uint16_t)name.len }));
	if (path_is_manifest(name))
		z->base.manifest = z->entries.len;
}

/* Walks to the end of the directory. The count in the end record is not asked: it wraps at 65,536 in old
 * files, and the JVM ignores it too. */
static void read_directory(struct zip *z, const struct directory *dir, struct diag *d)
{
	struct reader r = reader_of((struct span){ z->base.bytes.p + dir->start, (size_t)dir->size });

	while (reader_left(&r)) {
		uint64_t at = dir->start + reader_offset(&r);
		const uint8_t *h = reader_take(&r, HEADER_SIZE);
		if (!h || le4(h) != HEADER_SIG) {
			archive_fails(z->base.path, DIAG_E003, at, "damaged central directory: entries are missing", d);
			return;
		}
		struct span name = reader_span(&r, le2(h + 28));
		reader_take(&r, (size_t)le2(h + 30) + le2(h + 32));
		if (r.failed) {
			archive_fails(z->base.path, DIAG_E003, at, "central directory entry is cut off", d);
			return;
		}
		add_entry(z, h, (struct str){ (const char *)name.p, (uint32_t)name.len }, d);
	}
}

/* Multi-release jars (JAR specification): META-INF/versions/N/rest is shown as `rest`. */

/* N and the length of what precedes `rest`; 0 when the name is not such a name. */
static uint16_t parse_version(struct str name, uint16_t *cut)
{
	uint32_t i = sizeof(VERSIONS) - 1, n = 0;

	if (!str_starts(name, VERSIONS))
		return 0;
	for (; i < name.len && name.p[i] >= '0' && name.p[i] <= '9' && n < 1000; i++)
		n = n * 10 + (uint32_t)(name.p[i] - '0');
	if (i + 1 >= name.len || name.p[i] != '/' || n < FIRST_VERSION)
		return 0;
	if (str_starts(str_sub(name, i + 1, name.len), "META-INF/"))
		return 0;
	*cut = (uint16_t)(i + 1);
	return (uint16_t)n;
}

static bool is_multi_release(const struct archive *a)
{
	struct arena mem;
	struct str value;

	arena_init(&mem);
	bool yes = archive_manifest(a, "Multi-Release", &mem, &value) && str_same_nocase(value, "true");
	arena_release(&mem);
	return yes;
}

static void overlay_versions(struct zip *z, int release)
{
	bool known = false;

	for (uint32_t i = 0; release >= FIRST_VERSION && i < z->entries.len; i++) {
		struct zip_entry *e = &z->entries.data[i];
		uint16_t cut, version = parse_version(whole_name(e), &cut);
		if (!version || version > release)
			continue;
		if (!known && !is_multi_release(&z->base))
			return;
		known = true;
		e->cut = cut;
		e->version = version;
	}
}

/* Of two entries of one visible name: the higher version, then the later one, as the JVM does. */
static uint32_t settle(struct zip *z, uint32_t a, uint32_t b, struct diag *d)
{
	struct zip_entry *x = &z->entries.data[a - 1], *y = &z->entries.data[b - 1];

	if (x->version == y->version)
		diag_add(d, DIAG_W007, z->base.path, whole_name(x), (uint64_t)(x->header - z->base.bytes.p),
			 "duplicate entry ignored: the last one counts");
	if (x->version > y->version) {
		y->name_len = 0;
		return a;
	}
	x->name_len = 0;
	return b;
}

/* Returns the number of entries dropped. Probing never meets a dropped one: its slot goes to the winner at once. */
static uint32_t index_names(struct zip *z, struct diag *d)
{
	uint32_t dropped = 0;

	name_index_init(&z->base.names, z->entries.len);
	for (uint32_t e = 1; e <= z->entries.len; e++) {
		struct zip_entry *row = &z->entries.data[e - 1];
		uint32_t *at = name_index_at(&z->base.names, &z->base, visible_name(row), path_is);
		if (at && !*at) {
			*at = e;
			continue;
		}
		dropped++;
		if (at) {
			*at = settle(z, *at, e, d);
		} else {
			entry_fails(&z->base, e, DIAG_W006, "name has the same hash as too many others", d);
			row->name_len = 0;
		}
	}
	return dropped;
}

static void drop_entries(struct zip *z)
{
	uint32_t n = 0, manifest = 0;

	for (uint32_t i = 0; i < z->entries.len; i++) {
		if (!z->entries.data[i].name_len)
			continue;
		z->entries.data[n++] = z->entries.data[i];
		if (i + 1 == z->base.manifest)
			manifest = n;
	}
	z->entries.len = n;
	z->base.manifest = manifest;
	name_index_release(&z->base.names);
}

/* Reading an entry. */

struct zip_file {
	uint16_t flags, method;
	uint32_t crc;
	uint64_t stored, size, offset;
};

/* APPNOTE 4.5.3: the extra field has the 64-bit values of those fields only that overflowed, in order. */
static bool read_extra64(struct span extra, struct zip_file *f)
{
	struct reader r = reader_of(extra);

	while (!r.failed && reader_left(&r)) {
		uint16_t id = reader_le2(&r), len = reader_le2(&r);
		struct span field = reader_span(&r, len);
		if (id != EXTRA_ZIP64 || r.failed)
			continue;
		struct reader v = reader_of(field);
		f->size = f->size == UINT32_MAX ? reader_le8(&v) : f->size;
		f->stored = f->stored == UINT32_MAX ? reader_le8(&v) : f->stored;
		f->offset = f->offset == UINT32_MAX ? reader_le8(&v) : f->offset;
		return !v.failed;
	}
	return true;          /* without the field, the values are meant as they are */
}

static bool read_header(const struct zip_entry *z, struct zip_file *f)
{
	const uint8_t *h = z->header;

	*f = (struct zip_file){ le2(h + 8), le2(h + 10), le4(h + 16), le4(h + 20), le4(h + 24), le4(h + 42) };
	return read_extra64((struct span){ h + HEADER_SIZE + z->name_len, le2(h + 30) }, f);
}

/* The stored bytes, which follow the local header: its name and extra field may have other lengths. */
static bool find_data(const struct zip *z, const struct zip_file *f, struct span *data)
{
	if (f->offset > UINT64_MAX - z->shift)
		return false;
	struct reader r = reader_at(z->base.bytes, f->offset + z->shift);
	const uint8_t *h = reader_take(&r, LOCAL_SIZE);
	if (!h || le4(h) != LOCAL_SIG)
		return false;
	reader_take(&r, (size_t)le2(h + 26) + le2(h + 28));
	if (f->stored > reader_left(&r))
		return false;
	*data = reader_span(&r, (size_t)f->stored);
	return !r.failed;
}

static const char *why_unreadable(const struct zip_file *f)
{
	if (f->flags & FLAG_ENCRYPTED)
		return "entry is encrypted";
	if (f->method != METHOD_STORED && f->method != METHOD_DEFLATED)
		return "unknown compression method: repack the archive with 'deflate'";
	return NULL;
}

static bool inflate_entry(const struct zip_file *f, struct span data, struct arena *mem, struct span *out)
{
	if (f->method == METHOD_STORED) {
		*out = data;
		return f->size == f->stored;
	}
	uint8_t *bytes = arena_alloc(mem, (size_t)f->size);
	*out = (struct span){ bytes, (size_t)f->size };
	return inflate_exactly(data, INFLATE_RAW, bytes, out->len);
}

static bool zip_read(const struct archive *a, uint32_t e, struct arena *mem, struct span *out, struct diag *d)
{
	struct zip_file f;
	struct span data;

	if (!read_header(entry_of(a, e), &f) || !find_data((const struct zip *)a, &f, &data))
		return entry_fails(a, e, DIAG_E004, "entry lies outside the file or its header is damaged", d);
	const char *why = why_unreadable(&f);
	if (why)
		return entry_fails(a, e, DIAG_E004, why, d);
	if (!inflated_size_plausible(f.stored, f.size))
		return entry_fails(a, e, DIAG_E005, "entry is larger than 64 MiB or than it can be", d);
	if (!inflate_entry(&f, data, mem, out))
		return entry_fails(a, e, DIAG_E004, "damaged data", d);
	if (libdeflate_crc32(0, out->p, out->len) != f.crc)
		return entry_fails(a, e, DIAG_E004, "damaged data: wrong checksum", d);
	return true;
}

static uint64_t zip_size(const struct archive *a, uint32_t e)
{
	struct zip_file f;

	return read_header(entry_of(a, e), &f) ? f.size : 0;
}

/* Opening. */

static void zip_close(struct archive *a)
{
	vec_release(&((struct zip *)a)->entries);
}

static const struct archive_ops zip_ops = {
	.name = zip_name,
	.class_name = path_class_name,
	.defines = path_defines,
	.find = path_find,
	.read = zip_read,
	.size = zip_size,
	.close = zip_close,
};

struct archive *zip_open(struct span bytes, const char *path, int release, struct diag *d)
{
	struct directory dir = { 0 };

	if (!find_directory(bytes, path, &dir, d))
		return NULL;
	struct zip *z = mem_zalloc(sizeof(*z));
	z->base = (struct archive){ .ops = &zip_ops, .kind = ARCHIVE_ZIP, .bytes = bytes };
	z->base.jmod = memcmp(bytes.p, "JM\1", 4) == 0;
	z->base.path = strcpy(mem_alloc(strlen(path) + 1), path);
	z->shift = dir.shift;
	vec_reserve(&z->entries, dir.size / (HEADER_SIZE + 16));
	read_directory(z, &dir, d);
	z->base.count = z->entries.len;       /* overlay_versions reads the manifest */
	overlay_versions(z, release);
	if (index_names(z, d)) {
		drop_entries(z);
		index_names(z, d);
	}
	z->base.count = z->entries.len;
	archive_index_classes(&z->base, d);
	return &z->base;
}
