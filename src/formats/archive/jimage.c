/* SPDX-License-Identifier: Apache-2.0 */
/* jimage.c - the image of a JDK's modules (lib/modules, format 1.0): a header, a perfect hash (redirect and
 * offsets tables) from names to locations, the locations, the strings of names, then the content.
 * A location is a list of attributes. Opening reads locations and strings only, never content: the file
 * is mapped, and each page touched is memory used. */
#include "base/reader.h"
#include "formats/archive/archive_p.h"

#define IMAGE_MAGIC 0xcafedadau
#define IMAGE_MAGIC_SWAPPED 0xdadafecau
#define IMAGE_VERSION 0x00010000u     /* major, minor */
#define HEADER_SIZE 28
#define MAX_STRING 0xffffu
#define PACKED_MAGIC 0xcafefafau
#define PACKED_HEADER_SIZE 29
#define MAX_PACKINGS 4                /* jlink knows two, and applies each at most once */

enum attribute { ATTR_END, ATTR_MODULE, ATTR_PARENT, ATTR_BASE, ATTR_EXTENSION, ATTR_OFFSET, ATTR_STORED, ATTR_SIZE,
		 ATTRS };

struct location {
	uint64_t attr[ATTRS];
};

/* /module/parent/base.extension; each part may be empty. */
struct image_name {
	struct str module, parent, base, extension;
};

struct jimage {
	struct archive base;
	uint32_t table_len;           /* of redirect and of offsets */
	const uint8_t *redirect, *offsets;
	struct span locations, strings, content;
	uint32_t *entries;            /* their locations, in the order of their content */
};

static uint32_t le4(const uint8_t *p)
{
	return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static uint32_t table_at(const uint8_t *table, uint32_t i)
{
	return le4(table + (size_t)i * 4);
}

/* Names. */

static struct str string_at(const struct jimage *im, uint64_t offset)
{
	if (offset >= im->strings.len)
		return STR("");
	const char *p = (const char *)im->strings.p + offset;
	size_t max = im->strings.len - (size_t)offset;
	return (struct str){ p, (uint32_t)strnlen(p, max < MAX_STRING ? max : MAX_STRING) };
}

static bool read_location(const struct jimage *im, uint32_t offset, struct location *l)
{
	*l = (struct location){ 0 };
	if (offset >= im->locations.len)
		return false;
	const uint8_t *p = im->locations.p + offset, *end = im->locations.p + im->locations.len;
	while (p < end && *p >> 3 != ATTR_END) {
		unsigned kind = *p >> 3, n = (*p & 7u) + 1;
		uint64_t v = 0;
		if ((size_t)(end - p) <= n)
			return false;
		for (unsigned i = 1; i <= n; i++)
			v = v << 8 | p[i];
		if (kind < ATTRS)
			l->attr[kind] = v;
		p += n + 1;
	}
	return p < end;
}

static struct image_name name_of(const struct jimage *im, const struct location *l)
{
	return (struct image_name){
		string_at(im, l->attr[ATTR_MODULE]),
		string_at(im, l->attr[ATTR_PARENT]),
		string_at(im, l->attr[ATTR_BASE]),
		string_at(im, l->attr[ATTR_EXTENSION]),
	};
}

static struct location location_of(const struct archive *a, uint32_t e)
{
	const struct jimage *im = (const struct jimage *)a;
	struct location l;

	read_location(im, im->entries[e - 1], &l);        /* worked when the image was opened */
	return l;
}

static bool is_class(const struct image_name *n)
{
	return str_is(n->extension, "class") && n->base.len && !is_info_class(n->base) &&
	       !str_is(n->parent, "META-INF") && !str_starts(n->parent, "META-INF/");
}

static struct str jimage_class_name(const struct archive *a, uint32_t e, struct strbuf *tmp)
{
	struct location l = location_of(a, e);
	struct image_name n = name_of((const struct jimage *)a, &l);

	if (!is_class(&n))
		return STR("");
	if (!n.parent.len)
		return n.base;
	strbuf_clear(tmp);
	strbuf_addstr(tmp, n.parent);
	strbuf_addch(tmp, '/');
	strbuf_addstr(tmp, n.base);
	return strbuf_str(tmp);
}

/* Takes `part` off the front of `s`. */
static bool skip(struct str *s, struct str part)
{
	if (s->len < part.len || memcmp(s->p, part.p, part.len) != 0)
		return false;
	*s = str_sub(*s, part.len, s->len);
	return true;
}

static bool jimage_defines(const struct archive *a, uint32_t e, struct str name)
{
	struct location l = location_of(a, e);
	struct image_name n = name_of((const struct jimage *)a, &l);

	if (!is_class(&n))
		return false;
	if (n.parent.len && !(skip(&name, n.parent) && skip(&name, STR("/"))))
		return false;
	return str_eq(name, n.base);
}

/* Adds a part of a name, if there is one, between what precedes and follows it. */
static void add_part(struct strbuf *to, const char *before, struct str part, const char *after)
{
	if (!part.len)
		return;
	strbuf_adds(to, before);
	strbuf_addstr(to, part);
	strbuf_adds(to, after);
}

static void add_name(struct strbuf *to, const struct image_name *n)
{
	strbuf_clear(to);
	add_part(to, "/", n->module, "/");
	add_part(to, "", n->parent, "/");
	add_part(to, "", n->base, "");
	add_part(to, ".", n->extension, "");
}

static struct str jimage_name(const struct archive *a, uint32_t e, struct strbuf *tmp)
{
	struct location l = location_of(a, e);
	struct image_name n = name_of((const struct jimage *)a, &l);

	add_name(tmp, &n);
	return strbuf_str(tmp);
}

static struct str jimage_module(const struct archive *a, uint32_t e)
{
	struct location l = location_of(a, e);

	return string_at((const struct jimage *)a, l.attr[ATTR_MODULE]);
}

/* Finding by name, through the image's perfect hash. */

static uint32_t image_hash(struct str name, uint32_t seed)
{
	for (uint32_t i = 0; i < name.len; i++)
		seed = (seed * 0x01000193u) ^ (uint8_t)name.p[i];
	return seed & 0x7fffffffu;
}

/* The place in the offsets table where `name` is if it is anywhere. A redirect says: a second seed when
 * positive, the place itself when negative, nothing when 0. */
static bool find_place(const struct jimage *im, struct str name, uint32_t *place)
{
	if (!im->table_len)
		return false;
	uint32_t redirect = table_at(im->redirect, image_hash(name, 0x01000193u) % im->table_len);
	if (redirect == 0)
		return false;
	*place = redirect & 0x80000000u ? ~redirect : image_hash(name, redirect) % im->table_len;
	return *place < im->table_len;
}

static uint64_t content_of(const struct archive *a, uint32_t e)
{
	return location_of(a, e).attr[ATTR_OFFSET];
}

/* The entry of a location: entries are sorted by the offset of their content, which empty ones share. */
static uint32_t entry_at(const struct archive *a, uint32_t location, uint64_t content)
{
	uint32_t low = 1, high = a->count + 1;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (content_of(a, mid) < content)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low <= a->count && content_of(a, low) == content; low++)
		if (((const struct jimage *)a)->entries[low - 1] == location)
			return low;
	return 0;
}

static uint32_t jimage_find(const struct archive *a, struct str resource)
{
	const struct jimage *im = (const struct jimage *)a;
	struct location l;
	uint32_t place;

	if (!find_place(im, resource, &place))
		return 0;
	uint32_t at = table_at(im->offsets, place);
	if (!read_location(im, at, &l))
		return 0;
	struct strbuf tmp = { 0 };
	struct image_name n = name_of(im, &l);
	add_name(&tmp, &n);
	bool same = str_eq(strbuf_str(&tmp), resource);
	strbuf_release(&tmp);
	return same ? entry_at(a, at, l.attr[ATTR_OFFSET]) : 0;
}

/* Packed resources (jlink --compress): each packing puts a header in front, which names the packer. */

struct packing {
	struct str packer;
	uint64_t stored, size;
};

static bool read_packing(const struct jimage *im, struct reader *r, struct packing *p)
{
	reader_le4(r);
	p->stored = reader_le8(r);
	p->size = reader_le8(r);
	p->packer = string_at(im, reader_le4(r));
	reader_take(r, PACKED_HEADER_SIZE - 24);          /* configuration and "is the last one" */
	return !r->failed && p->stored <= reader_left(r);
}

struct writer {
	uint8_t *p, *end;
	bool failed;
};

static void put(struct writer *w, const void *bytes, size_t n)
{
	if (n > (size_t)(w->end - w->p)) {
		w->failed = true;
		return;
	}
	if (n)
		memcpy(w->p, bytes, n);
	w->p += n;
}

static void copy(struct writer *w, struct reader *r, size_t n)
{
	const uint8_t *from = reader_take(r, n);

	if (from)
		put(w, from, n);
}

/* An index of compact-cp: four bytes, or, with the top bit set, as many as the next two bits say, the
 * first of which has five bits left. */
static uint32_t read_index(struct reader *r)
{
	uint8_t first = reader_u1(r);
	unsigned len = first & 0x80 ? first >> 5 & 3u : 4;
	uint32_t v = first & 0x80 ? first & 0x1fu : first;

	for (unsigned i = 1; i < len; i++)
		v = v << 8 | reader_u1(r);
	return v;
}

/* Writes a descriptor: after each L of its shape follow, by their indexes, a package and a simple name. */
static void put_descriptor(const struct jimage *im, struct writer *w, struct str shape, struct reader *indexes)
{
	for (uint32_t i = 0; i < shape.len && !w->failed; i++) {
		put(w, shape.p + i, 1);
		if (shape.p[i] != 'L')
			continue;
		struct str package = string_at(im, read_index(indexes));
		struct str simple = string_at(im, read_index(indexes));
		put(w, package.p, package.len);
		if (package.len)
			put(w, "/", 1);
		put(w, simple.p, simple.len);
	}
	w->failed |= indexes->failed;
}

static void unshare_utf8(const struct jimage *im, struct reader *r, struct writer *w, bool descriptor)
{
	struct str s = string_at(im, read_index(r));
	struct reader indexes = reader_of(reader_span(r, descriptor ? read_index(r) : 0));
	uint8_t *at = w->p;

	put(w, "\1\0\0", 3);
	if (reader_left(&indexes))
		put_descriptor(im, w, s, &indexes);
	else
		put(w, s.p, s.len);
	if (w->failed || w->p - at - 3 > 0xffff) {
		w->failed = true;
		return;
	}
	at[1] = (uint8_t)((w->p - at - 3) >> 8);
	at[2] = (uint8_t)(w->p - at - 3);
}

/* JVMS 4.4: what follows the tag; 0 for tags of another length or none. */
static const uint8_t constant_size[] = { [3] = 4, [4] = 4, [5] = 8, [6] = 8, [7] = 2, [8] = 2, [9] = 4, [10] = 4,
	[11] = 4, [12] = 4, [15] = 3, [16] = 2, [17] = 4, [18] = 4, [19] = 2, [20] = 2 };

static bool is_wide(uint8_t tag)
{
	return tag == 5 || tag == 6;
}

/* One constant; `tag` has been read. */
static void unshare_constant(const struct jimage *im, uint8_t tag, struct reader *r, struct writer *w)
{
	if (tag == 23 || tag == 25) {
		unshare_utf8(im, r, w, tag == 25);
		return;
	}
	put(w, &tag, 1);
	if (tag == 1 && reader_left(r) >= 2)
		copy(w, r, 2u + (size_t)(r->p[0] << 8 | r->p[1]));
	else if (tag < ARRAY_LEN(constant_size) && constant_size[tag])
		copy(w, r, constant_size[tag]);
	else
		w->failed = true;
}

/* compact-cp: a class file whose UTF-8 constants are replaced by indexes into the image's strings, with
 * tag 23, or 25 for descriptors. */
static bool unshare(const struct jimage *im, struct span in, uint8_t *out, size_t size)
{
	struct reader r = reader_of(in);
	struct writer w = { out, out + size, false };

	copy(&w, &r, 8);
	uint16_t count = reader_u2(&r);
	put(&w, (uint8_t[]){ (uint8_t)(count >> 8), (uint8_t)count }, 2);
	for (uint32_t i = 1; i < count && !r.failed && !w.failed; i++) {
		uint8_t tag = reader_u1(&r);
		unshare_constant(im, tag, &r, &w);
		i += is_wide(tag);
	}
	copy(&w, &r, reader_left(&r));
	return !r.failed && !w.failed && w.p == w.end;
}

static bool unpack(const struct jimage *im, const struct packing *p, struct span in, uint8_t *out)
{
	if (str_is(p->packer, "zip"))
		return inflated_size_plausible(in.len, p->size) &&
		       inflate_exactly(in, INFLATE_ZLIB, out, (size_t)p->size);
	return str_is(p->packer, "compact-cp") && unshare(im, in, out, (size_t)p->size);
}

static bool is_packed(struct span s)
{
	return s.len >= PACKED_HEADER_SIZE && le4(s.p) == PACKED_MAGIC;
}

/* Unpacks until no header is in front; `limit` bounds the memory of all steps together. */
static bool unpack_all(const struct jimage *im, struct span *s, struct arena *mem)
{
	uint64_t limit = ARCHIVE_ENTRY_LIMIT;

	for (int n = 0; is_packed(*s); n++) {
		struct reader r = reader_of(*s);
		struct packing p;
		if (n == MAX_PACKINGS || !read_packing(im, &r, &p) || p.size > limit)
			return false;
		limit -= p.size;
		uint8_t *out = arena_alloc(mem, (size_t)p.size);
		if (!unpack(im, &p, reader_span(&r, (size_t)p.stored), out))
			return false;
		*s = (struct span){ out, (size_t)p.size };
	}
	return true;
}

static bool jimage_read(const struct archive *a, uint32_t e, struct arena *mem, struct span *out, struct diag *d)
{
	const struct jimage *im = (const struct jimage *)a;
	struct location l = location_of(a, e);
	uint64_t at = l.attr[ATTR_OFFSET], size = l.attr[ATTR_SIZE];
	uint64_t stored = l.attr[ATTR_STORED] ? l.attr[ATTR_STORED] : size;

	if (size > ARCHIVE_ENTRY_LIMIT)
		return entry_fails(a, e, DIAG_E005, "resource is larger than 64 MiB", d);
	if (at > im->content.len || stored > im->content.len - at)
		return entry_fails(a, e, DIAG_E004, "resource lies outside the file", d);
	struct span s = { im->content.p + at, (size_t)stored };
	if (l.attr[ATTR_STORED] && !unpack_all(im, &s, mem))
		return entry_fails(a, e, DIAG_E004, "damaged data, or compressed in an unknown way", d);
	if (s.len != size)
		return entry_fails(a, e, DIAG_E004, "damaged data: wrong size", d);
	*out = s;
	return true;
}

/* Opening. */

bool jimage_detect(struct span bytes)
{
	return bytes.len >= 4 && (le4(bytes.p) == IMAGE_MAGIC || le4(bytes.p) == IMAGE_MAGIC_SWAPPED);
}

static bool read_header(struct jimage *im, struct span bytes, const char *path, struct diag *d)
{
	struct reader r = reader_of(bytes);

	if (reader_le4(&r) != IMAGE_MAGIC)
		return archive_fails(path, DIAG_E002, 0, "image of a JDK for machines of the other byte order", d);
	if (reader_le4(&r) != IMAGE_VERSION)
		return archive_fails(path, DIAG_E002, 4, "image format is not version 1.0", d);
	reader_take(&r, 8);                               /* flags; number of resources */
	im->table_len = reader_le4(&r);
	uint32_t locations = reader_le4(&r), strings = reader_le4(&r);
	struct span redirect = reader_span(&r, (size_t)im->table_len * 4);
	struct span offsets = reader_span(&r, (size_t)im->table_len * 4);
	im->redirect = redirect.p;
	im->offsets = offsets.p;
	im->locations = reader_span(&r, locations);
	im->strings = reader_span(&r, strings);
	if (r.failed)
		return archive_fails(path, DIAG_E003, HEADER_SIZE, "tables are larger than the file: truncated?", d);
	im->content = reader_span(&r, reader_left(&r));
	return true;
}

struct keyed {
	uint64_t key;
	uint32_t location;
};

/* Radix sort by key, stable; `tmp` has room for as many. */
static void sort_by_key(struct keyed *v, struct keyed *tmp, uint32_t n, uint64_t largest)
{
	struct keyed *from = v, *to = tmp;

	for (int shift = 0; shift < 64 && largest >> shift; shift += 8) {
		uint32_t at[257] = { 0 };
		for (uint32_t i = 0; i < n; i++)
			at[(from[i].key >> shift & 255) + 1]++;
		for (int b = 0; b < 256; b++)
			at[b + 1] += at[b];
		for (uint32_t i = 0; i < n; i++)
			to[at[from[i].key >> shift & 255]++] = from[i];
		struct keyed *swap = from;
		from = to;
		to = swap;
	}
	if (from != v)
		memcpy(v, from, n * sizeof(*v));
}

/* The tables of packages ("/packages/java.lang") are no content of modules. */
static bool is_resource(const struct image_name *n)
{
	return n->module.len && !str_is(n->module, "packages") && !str_is(n->module, "modules");
}

/* Fills `v` with the locations of all resources and returns how many. Names may share strings: their total
 * length is bounded, or a small file could ask for hours of hashing. */
static uint32_t collect(struct jimage *im, struct keyed *v, uint64_t *largest, struct diag *d)
{
	uint64_t names = 0;
	uint32_t n = 0;

	for (uint32_t i = 0; i < im->table_len; i++) {
		struct location l;
		uint32_t at = table_at(im->offsets, i);
		if (!read_location(im, at, &l)) {
			archive_fails(im->base.path, DIAG_E003, HEADER_SIZE + (im->table_len + (uint64_t)i) * 4,
				      "location of a resource is damaged", d);
			continue;
		}
		struct image_name name = name_of(im, &l);
		names += name.module.len + name.parent.len + name.base.len + name.extension.len;
		if (names > im->base.bytes.len) {
			archive_fails(im->base.path, DIAG_E003, DIAG_NO_OFFSET, "names are longer than the file", d);
			break;
		}
		if (!is_resource(&name))
			continue;
		v[n++] = (struct keyed){ l.attr[ATTR_OFFSET], at };
		*largest |= l.attr[ATTR_OFFSET];
	}
	return n;
}

static void number_entries(struct jimage *im, struct diag *d)
{
	struct keyed *v = mem_alloc((size_t)im->table_len * 2 * sizeof(*v));
	uint64_t largest = 0;
	uint32_t n = collect(im, v, &largest, d);

	sort_by_key(v, v + im->table_len, n, largest);
	im->entries = mem_alloc(n * sizeof(*im->entries));
	for (uint32_t i = 0; i < n; i++)
		im->entries[i] = v[i].location;
	im->base.count = n;
	free(v);
}

static void jimage_close(struct archive *a)
{
	free(((struct jimage *)a)->entries);
}

static const struct archive_ops jimage_ops = {
	.name = jimage_name,
	.class_name = jimage_class_name,
	.defines = jimage_defines,
	.find = jimage_find,
	.module = jimage_module,
	.read = jimage_read,
	.close = jimage_close,
};

struct archive *jimage_open(struct span bytes, const char *path, struct diag *d)
{
	struct jimage *im = mem_zalloc(sizeof(*im));

	if (!read_header(im, bytes, path, d)) {
		free(im);
		return NULL;
	}
	im->base = (struct archive){ .ops = &jimage_ops, .kind = ARCHIVE_JIMAGE, .bytes = bytes };
	im->base.path = strcpy(mem_alloc(strlen(path) + 1), path);
	number_entries(im, d);
	archive_index_classes(&im->base, d);
	return &im->base;
}
