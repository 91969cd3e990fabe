// SPDX-License-Identifier: Apache-2.0
// links: base formats/archive
/* test_archive.c - zips and images are written here byte by byte, so that each field can lie. */
#include <fcntl.h>
#include <libdeflate.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "formats/archive/archive.h"

/* Little-endian bytes. */

static void put_le(struct strbuf *b, uint64_t v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		strbuf_addch(b, (char)(v >> 8 * i & 0xff));
}

static void set_le(struct strbuf *b, size_t at, uint64_t v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		b->s[at + (size_t)i] = (char)(v >> 8 * i & 0xff);
}

static struct span span_of(const struct strbuf *b)
{
	return (struct span){ (const uint8_t *)b->s, b->len };
}

static void deflate_to(struct strbuf *b, const void *p, size_t n, bool zlib)
{
	struct libdeflate_compressor *c = libdeflate_alloc_compressor(9);
	char out[8192];
	size_t got = zlib ? libdeflate_zlib_compress(c, p, n, out, sizeof(out))
			  : libdeflate_deflate_compress(c, p, n, out, sizeof(out));

	assert_true(got > 0);
	strbuf_add(b, out, got);
	libdeflate_free_compressor(c);
}

/* A zip under construction. `file` gets local headers and data at once, the rest in zip_end(). */

struct zip_maker {
	struct strbuf file, directory;
	size_t base;                  /* offsets are relative to it */
	size_t header;                /* of the entry added last, in `directory` */
	uint32_t count;
};

static void zip_add_named(struct zip_maker *z, const char *name, size_t name_len, const char *text, bool deflated)
{
	struct strbuf data = { 0 };
	size_t n = strlen(text), at = z->file.len - z->base;

	if (deflated)
		deflate_to(&data, text, n, false);
	else
		strbuf_add(&data, text, n);
	put_le(&z->file, 0x04034b50, 4);
	for (int i = 0; i < 22; i++)
		strbuf_addch(&z->file, 0);            /* nobody reads these: the directory has them */
	put_le(&z->file, name_len, 2);
	put_le(&z->file, 3, 2);
	strbuf_add(&z->file, name, name_len);
	strbuf_add(&z->file, "xyz", 3);               /* an extra field that the directory does not have */
	strbuf_add(&z->file, data.s ? data.s : "", data.len);
	z->header = z->directory.len;
	put_le(&z->directory, 0x02014b50, 4);
	put_le(&z->directory, 0x0014000a, 4);
	put_le(&z->directory, 0, 2);
	put_le(&z->directory, deflated ? 8 : 0, 2);
	put_le(&z->directory, 0, 4);
	put_le(&z->directory, libdeflate_crc32(0, text, n), 4);
	put_le(&z->directory, data.len, 4);
	put_le(&z->directory, n, 4);
	put_le(&z->directory, name_len, 2);
	put_le(&z->directory, 0, 6);
	put_le(&z->directory, 0, 6);
	put_le(&z->directory, at, 4);
	strbuf_add(&z->directory, name, name_len);
	z->count++;
	strbuf_release(&data);
}

static void zip_add(struct zip_maker *z, const char *name, const char *text)
{
	zip_add_named(z, name, strlen(name), text, strlen(text) % 2);
}

/* Changes a field of the header of the entry added last. */
static void zip_set(struct zip_maker *z, size_t field, uint64_t v, int bytes)
{
	set_le(&z->directory, z->header + field, v, bytes);
}

static void zip_end(struct zip_maker *z, const char *comment)
{
	size_t at = z->file.len - z->base;

	strbuf_add(&z->file, z->directory.s ? z->directory.s : "", z->directory.len);
	put_le(&z->file, 0x06054b50, 4);
	put_le(&z->file, 0, 4);
	put_le(&z->file, z->count & 0xffff, 2);
	put_le(&z->file, z->count & 0xffff, 2);
	put_le(&z->file, z->directory.len, 4);
	put_le(&z->file, at, 4);
	put_le(&z->file, strlen(comment), 2);
	strbuf_adds(&z->file, comment);
}

static void zip_end64(struct zip_maker *z)
{
	size_t at = z->file.len - z->base, end;

	strbuf_add(&z->file, z->directory.s, z->directory.len);
	end = z->file.len - z->base;
	put_le(&z->file, 0x06064b50, 4);
	put_le(&z->file, 44, 8);
	put_le(&z->file, 0, 8);
	put_le(&z->file, 0, 4);
	put_le(&z->file, z->count, 8);
	put_le(&z->file, z->count, 8);
	put_le(&z->file, z->directory.len, 8);
	put_le(&z->file, at, 8);
	put_le(&z->file, 0x07064b50, 4);
	put_le(&z->file, 0, 4);
	put_le(&z->file, end, 8);
	put_le(&z->file, 1, 4);
	put_le(&z->file, 0x06054b50, 4);
	put_le(&z->file, 0, 4);
	put_le(&z->file, UINT64_MAX, 8);
	put_le(&z->file, UINT64_MAX, 4);
	put_le(&z->file, 0, 2);
}

/* One opened archive with all that a test needs. */

struct fixture {
	struct zip_maker z;
	struct strbuf tmp;
	struct arena mem;
	struct diag d;
	struct archive *a;
};

static void fixture_open_as(struct fixture *f, int release)
{
	f->a = archive_open_bytes(span_of(&f->z.file), "t.jar", release, &f->d);
}

static void fixture_open(struct fixture *f)
{
	zip_end(&f->z, "");
	fixture_open_as(f, 17);
}

static void fixture_release(struct fixture *f)
{
	archive_close(f->a);
	strbuf_release(&f->z.file);
	strbuf_release(&f->z.directory);
	strbuf_release(&f->tmp);
	arena_release(&f->mem);
	diag_release(&f->d);
	*f = (struct fixture){ 0 };
}

static void expect_text(struct fixture *f, const char *name, const char *text)
{
	struct span s;
	uint32_t e = archive_find(f->a, str_of(name));

	assert_true(e != 0);
	assert_true(archive_read(f->a, e, &f->mem, &s, &f->d));
	assert_int_equal(s.len, strlen(text));
	assert_memory_equal(s.p, text, s.len);
}

static void expect_class(struct fixture *f, const char *name, const char *text)
{
	struct span s;
	uint32_t e = archive_find_class(f->a, str_of(name));

	assert_true(e != 0);
	assert_true(str_is(archive_class_name(f->a, e, &f->tmp), name));
	assert_true(archive_read(f->a, e, &f->mem, &s, &f->d));
	assert_int_equal(s.len, strlen(text));
	assert_memory_equal(s.p, text, s.len);
}

static void expect_diag(const struct fixture *f, enum diag_code code)
{
	assert_int_equal(f->d.entries.len, 1);
	assert_int_equal(f->d.entries.data[0].code, code);
	assert_string_equal(f->d.entries.data[0].artifact, "t.jar");
}

static void expect_unreadable(struct fixture *f, enum diag_code code)
{
	struct span s;

	assert_non_null(f->a);
	assert_false(archive_read(f->a, archive_count(f->a), &f->mem, &s, &f->d));
	expect_diag(f, code);
	assert_true(f->d.entries.data[0].item[0] != 0);
	fixture_release(f);
}

/* Asks everything of an archive, as the fuzzers do. */
static void exercise(const struct archive *a, struct diag *d)
{
	struct strbuf tmp = { 0 };
	struct arena mem;
	struct span s;
	struct str v;
	unsigned sum = 0;

	arena_init(&mem);
	for (uint32_t e = 1; e <= archive_count(a); e++) {
		struct str name = archive_class_name(a, e, &tmp);
		if (name.len)
			assert_true(archive_find_class(a, name) != 0);
		name = archive_entry_name(a, e, &tmp);
		archive_find(a, name);
		sum += archive_module(a, e).len;
		if (archive_read(a, e, &mem, &s, d))
			for (size_t i = 0; i < s.len; i++)
				sum += s.p[i];
		arena_clear(&mem);
	}
	archive_manifest(a, "Class-Path", &mem, &v);
	arena_release(&mem);
	strbuf_release(&tmp);
	assert_true(sum != 1);
}

/* Opens a copy of exactly `n` bytes, so that the sanitizer sees every step beyond. */
static void exercise_bytes(const void *p, size_t n)
{
	struct diag d;
	uint8_t *copy = malloc(n ? n : 1);

	memcpy(copy, p, n);
	diag_init(&d);
	struct archive *a = archive_open_bytes((struct span){ copy, n }, "t.jar", 17, &d);
	if (a)
		exercise(a, &d);
	else
		assert_true(d.errors > 0);
	archive_close(a);
	diag_release(&d);
	free(copy);
}

static void exercise_damaged(const struct strbuf *file)
{
	for (size_t n = 0; n < file->len; n++)
		exercise_bytes(file->s, n);
	for (size_t i = 0; i < file->len; i++)
		for (int bit = 0; bit < 9; bit++) {
			char was = file->s[i];
			file->s[i] = (char)(bit < 8 ? was ^ 1 << bit : ~was);
			exercise_bytes(file->s, file->len);
			file->s[i] = was;
		}
}

/* Plain zips. */

static void test_plain(void **state)
{
	struct fixture f = { 0 };

	(void)state;
	zip_add(&f.z, "p/", "");
	zip_add(&f.z, "p/A.class", "stored..");
	zip_add(&f.z, "B.class", "deflated deflated");
	zip_add(&f.z, "p/package-info.class", "x");
	zip_add(&f.z, "module-info.class", "x");
	zip_add(&f.z, "META-INF/C.class", "x");
	zip_add(&f.z, ".class", "x");
	zip_add(&f.z, "empty", "");
	fixture_open(&f);
	assert_int_equal(archive_kind(f.a), ARCHIVE_ZIP);
	assert_string_equal(archive_path(f.a), "t.jar");
	assert_int_equal(archive_count(f.a), 7);
	assert_true(str_is(archive_entry_name(f.a, 1, &f.tmp), "p/A.class"));
	expect_class(&f, "p/A", "stored..");
	expect_class(&f, "B", "deflated deflated");
	for (uint32_t e = 3; e <= 7; e++)
		assert_int_equal(archive_class_name(f.a, e, &f.tmp).len, 0);
	expect_text(&f, "empty", "");
	assert_int_equal(archive_find_class(f.a, STR("p/package-info")), 0);
	assert_int_equal(archive_find_class(f.a, STR("p/Missing")), 0);
	assert_int_equal(archive_find_class(f.a, STR("")), 0);
	assert_int_equal(archive_find(f.a, STR("p/")), 0);
	assert_int_equal(archive_module(f.a, 1).len, 0);
	assert_int_equal(f.d.entries.len, 0);
	fixture_release(&f);
}

static void test_empty(void **state)
{
	struct fixture f = { 0 };

	(void)state;
	fixture_open(&f);
	assert_int_equal(archive_count(f.a), 0);
	assert_int_equal(archive_find(f.a, STR("a")), 0);
	fixture_release(&f);
}

static void test_many(void **state)
{
	struct fixture f = { 0 };
	char name[32];

	(void)state;
	for (int i = 0; i < 70000; i++) {             /* more than the count of the end record can say */
		snprintf(name, sizeof(name), "p%d/C%d.class", i % 50, i);
		zip_add_named(&f.z, name, strlen(name), name, false);
	}
	fixture_open(&f);
	assert_int_equal(archive_count(f.a), 70000);
	for (int i = 0; i < 70000; i++) {
		snprintf(name, sizeof(name), "p%d/C%d", i % 50, i);
		assert_int_equal(archive_find_class(f.a, str_of(name)), i + 1);
	}
	fixture_release(&f);
}

static void test_prefix_comment_padding(void **state)
{
	struct fixture f = { 0 };

	(void)state;
	strbuf_adds(&f.z.file, "#!/bin/sh\nexec java -jar $0\n");
	f.z.base = f.z.file.len;
	zip_add(&f.z, "A.class", "some");
	zip_end(&f.z, "a comment");
	strbuf_adds(&f.z.file, "padding");
	fixture_open_as(&f, 17);
	expect_class(&f, "A", "some");
	fixture_release(&f);
}

static void test_jmod(void **state)
{
	struct fixture f = { 0 };

	(void)state;
	strbuf_add(&f.z.file, "JM\1", 4);
	f.z.base = 4;
	zip_add(&f.z, "classes/p/A.class", "some");
	zip_add(&f.z, "classes/module-info.class", "some");
	zip_add(&f.z, "lib/B.class", "some");
	fixture_open(&f);
	expect_class(&f, "p/A", "some");
	assert_int_equal(archive_find_class(f.a, STR("lib/B")), 0);
	assert_int_equal(archive_find_class(f.a, STR("classes/p/A")), 0);
	expect_text(&f, "lib/B.class", "some");
	fixture_release(&f);
}

static void add_extra64(struct zip_maker *z, int values, const uint64_t *v)
{
	zip_set(z, 30, (uint64_t)(4 + 8 * values), 2);
	put_le(&z->directory, 1, 2);
	put_le(&z->directory, (uint64_t)(8 * values), 2);
	for (int i = 0; i < values; i++)
		put_le(&z->directory, v[i], 8);
}

static void test_zip64(void **state)
{
	for (int prefix = 0; prefix < 2; prefix++) {
		struct fixture f = { 0 };
		(void)state;
		strbuf_adds(&f.z.file, prefix ? "prefix" : "");
		f.z.base = f.z.file.len;
		zip_add(&f.z, "A.class", "some");
		zip_set(&f.z, 20, UINT32_MAX, 4);
		zip_set(&f.z, 24, UINT32_MAX, 4);
		zip_set(&f.z, 42, UINT32_MAX, 4);
		add_extra64(&f.z, 3, (uint64_t[]){ 4, 4, 0 });
		zip_end64(&f.z);
		fixture_open_as(&f, 17);
		expect_class(&f, "A", "some");
		fixture_release(&f);
	}
}

static void test_zip64_lies(void **state)
{
	static const uint64_t lies[][3] = { { 4, 4, UINT64_MAX }, { 4, UINT64_MAX, 0 }, { 4, 4, UINT64_MAX - 30 } };
	struct fixture f = { 0 };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		zip_add(&f.z, "A.class", "some");
		zip_set(&f.z, 20, UINT32_MAX, 4);
		zip_set(&f.z, 24, UINT32_MAX, 4);
		zip_set(&f.z, 42, UINT32_MAX, 4);
		add_extra64(&f.z, i < 3 ? 3 : 1, lies[i % 3]);      /* the last one: too few values */
		zip_end64(&f.z);
		fixture_open_as(&f, 17);
		expect_unreadable(&f, DIAG_E004);
	}
}

static void test_end_lies(void **state)
{
	static const struct {
		size_t field;
		uint64_t value;
	} lies[] = { { 12, 1000 }, { 16, 1000 }, { 12, 0xfffffff0 }, { 16, 0xfffffff0 } };
	struct fixture f = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(lies); i++) {
		zip_add(&f.z, "A.class", "some");
		zip_end(&f.z, "");
		set_le(&f.z.file, f.z.file.len - 22 + lies[i].field, lies[i].value, 4);
		fixture_open_as(&f, 17);
		assert_null(f.a);
		expect_diag(&f, DIAG_E003);
		fixture_release(&f);
	}
	zip_add(&f.z, "A.class", "some");
	zip_end(&f.z, "");
	set_le(&f.z.file, f.z.file.len - 22 + 8, UINT32_MAX, 4);     /* both counts: 65535 */
	fixture_open_as(&f, 17);
	assert_int_equal(archive_count(f.a), 1);
	expect_class(&f, "A", "some");
	fixture_release(&f);
}

static void test_damaged_directory(void **state)
{
	struct fixture f = { 0 };

	(void)state;
	zip_add(&f.z, "A.class", "some");
	zip_add(&f.z, "B.class", "some");
	zip_set(&f.z, 0, 0, 4);
	fixture_open(&f);
	assert_int_equal(archive_count(f.a), 1);              /* what precedes the damage is kept */
	expect_class(&f, "A", "some");
	expect_diag(&f, DIAG_E003);
	fixture_release(&f);
}

static void test_suspicious_names(void **state)
{
	static const char *const bad[] = { "../A.class", "/A.class", "p/../../A.class", "p/..", "..", "" };
	struct fixture f = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		zip_add(&f.z, bad[i], "x");
	zip_add_named(&f.z, "p/A\0.class", 10, "x", false);
	zip_add(&f.z, "p/..A.class", "some");
	zip_add(&f.z, "p/B..class", "some");
	fixture_open(&f);
	assert_int_equal(archive_count(f.a), 2);
	assert_int_equal(f.d.entries.len, 7);
	for (uint32_t i = 0; i < f.d.entries.len; i++)
		assert_int_equal(f.d.entries.data[i].code, DIAG_W006);
	expect_class(&f, "p/..A", "some");
	fixture_release(&f);
}

static void test_duplicates(void **state)
{
	struct fixture f = { 0 };

	(void)state;
	zip_add(&f.z, "A.class", "first");
	zip_add(&f.z, "B.class", "other");
	zip_add(&f.z, "A.class", "last");
	fixture_open(&f);
	assert_int_equal(archive_count(f.a), 2);
	expect_diag(&f, DIAG_W007);
	expect_class(&f, "A", "last");
	expect_class(&f, "B", "other");
	assert_int_equal(archive_find_class(f.a, STR("B")), 1);
	fixture_release(&f);
}

static void test_overlapping(void **state)
{
	struct fixture f = { 0 };

	(void)state;
	zip_add(&f.z, "A.class", "some");
	zip_add(&f.z, "B.class", "some");
	zip_set(&f.z, 42, 0, 4);
	fixture_open(&f);
	expect_class(&f, "A", "some");
	expect_class(&f, "B", "some");
	fixture_release(&f);
}

static void test_unreadable(void **state)
{
	static const struct {
		size_t field;
		uint64_t value;
		int bytes;
		enum diag_code code;
	} lies[] = {
		{ 8, 1, 2, DIAG_E004 },                       /* encrypted */
		{ 10, 12, 2, DIAG_E004 },                     /* bzip2 */
		{ 10, 0, 2, DIAG_E004 },                      /* stored, but sizes differ */
		{ 16, 1, 4, DIAG_E004 },                      /* checksum */
		{ 20, 3, 4, DIAG_E004 },                      /* stored size */
		{ 20, 0x7fffffff, 4, DIAG_E004 },
		{ 24, 11, 4, DIAG_E004 },                     /* size */
		{ 24, 20000, 4, DIAG_E005 },                  /* more than deflate can reach */
		{ 24, 0xfffffffe, 4, DIAG_E005 },
		{ 42, 5, 4, DIAG_E004 },                      /* offset */
		{ 42, 0xfffffffe, 4, DIAG_E004 },
	};
	struct fixture f = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(lies); i++) {
		zip_add(&f.z, "A.class", "deflated!");
		zip_set(&f.z, lies[i].field, lies[i].value, lies[i].bytes);
		fixture_open(&f);
		expect_unreadable(&f, lies[i].code);
	}
}

/* A whole bomb, honest about its size. */
static void test_bomb(void **state)
{
	size_t n = ARCHIVE_ENTRY_LIMIT + 1;
	char *zeros = calloc(1, n), *packed = malloc(n);
	struct libdeflate_compressor *c = libdeflate_alloc_compressor(1);
	struct fixture f = { 0 };

	(void)state;
	size_t got = libdeflate_deflate_compress(c, zeros, n, packed, n);
	assert_true(got > 0);
	zip_add(&f.z, "bomb", "1");
	f.z.file.len -= 3;                                    /* the data: replaced */
	strbuf_add(&f.z.file, packed, got);
	zip_set(&f.z, 20, got, 4);
	zip_set(&f.z, 24, n, 4);
	fixture_open(&f);
	expect_unreadable(&f, DIAG_E005);
	libdeflate_free_compressor(c);
	free(zeros);
	free(packed);
}

static void test_damaged_anywhere(void **state)
{
	struct fixture f = { 0 };

	(void)state;
	zip_add(&f.z, "META-INF/MANIFEST.MF", "Multi-Release: true\nClass-Path: a b\n");
	zip_add(&f.z, "p/A.class", "stored..");
	zip_add(&f.z, "META-INF/versions/9/p/A.class", "deflated");
	zip_add(&f.z, "B.class", "deflated deflated");
	zip_set(&f.z, 42, UINT32_MAX, 4);
	add_extra64(&f.z, 1, (uint64_t[]){ 0 });
	zip_end64(&f.z);
	exercise_damaged(&f.z.file);
	fixture_release(&f);
}

/* Multi-release jars. */

static void add_versions(struct zip_maker *z, const char *manifest)
{
	zip_add(z, "META-INF/versions/11/p/A.class", "eleven");
	zip_add(z, "p/A.class", "base");
	zip_add(z, "META-INF/versions/9/p/A.class", "nine");
	zip_add(z, "META-INF/versions/9/p/Only9.class", "nine");
	zip_add(z, "META-INF/versions/9/META-INF/x", "nine");
	zip_add(z, "META-INF/versions/21/p/A.class", "new");
	zip_add(z, "META-INF/versions/8/p/A.class", "old");
	zip_add(z, "META-INF/versions/9/r.txt", "nine");
	zip_add(z, "r.txt", "base");
	zip_add(z, "META-INF/MANIFEST.MF", manifest);
	zip_end(z, "");
}

static void expect_versions(int release, const char *a, const char *r, uint32_t count)
{
	struct fixture f = { 0 };

	add_versions(&f.z, "Manifest-Version: 1.0\r\nmulti-release: TRUE\r\n\r\n");
	fixture_open_as(&f, release);
	expect_class(&f, "p/A", a);
	expect_text(&f, "p/A.class", a);
	expect_text(&f, "r.txt", r);
	assert_int_equal(archive_find_class(f.a, STR("p/Only9")) != 0, release >= 9);
	assert_int_equal(archive_count(f.a), count);
	assert_int_equal(f.d.entries.len, 0);
	expect_text(&f, "META-INF/versions/9/META-INF/x", "nine");
	exercise(f.a, &f.d);
	fixture_release(&f);
}

static void test_multi_release(void **state)
{
	struct fixture f = { 0 };

	(void)state;
	expect_versions(8, "base", "base", 10);
	expect_versions(9, "nine", "nine", 8);
	expect_versions(17, "eleven", "nine", 7);
	expect_versions(25, "new", "nine", 6);
	add_versions(&f.z, "Manifest-Version: 1.0\n\nName: x\nMulti-Release: true\n");
	fixture_open_as(&f, 17);
	expect_class(&f, "p/A", "base");
	assert_int_equal(archive_count(f.a), 10);
	fixture_release(&f);
}

/* The manifest. */

static void expect_attribute(const char *manifest, const char *key, const char *value)
{
	struct fixture f = { 0 };
	struct str v;

	zip_add(&f.z, "meta-inf/Manifest.mf", manifest);
	fixture_open(&f);
	assert_int_equal(archive_manifest(f.a, key, &f.mem, &v), value != NULL);
	if (value)
		assert_true(str_is(v, value));
	fixture_release(&f);
}

static void test_manifest(void **state)
{
	struct fixture f = { 0 };
	struct str v;

	(void)state;
	expect_attribute("Class-Path: a.jar b.j\n ar\n  c.jar\n", "Class-Path", "a.jar b.jar c.jar");
	expect_attribute("X: 1\r\nClass-Path: a.jar\r\n b\r\nY: 2\r\n", "class-path", "a.jarb");
	expect_attribute("X: 1\rClass-Path: a.jar\r b\rY: 2\r", "Class-Path", "a.jarb");
	expect_attribute("Main-Class: p.A", "Main-Class", "p.A");
	expect_attribute("Main-Class: p.A\nMain-Class: p.B\n", "Main-Class", "p.B");
	expect_attribute("Main-Class:\n", "Main-Class", "");
	expect_attribute("Main-Classes: x\nMain-Clas: y\n", "Main-Class", NULL);
	expect_attribute("A: 1\n\nMain-Class: p.A\n", "Main-Class", NULL);
	expect_attribute("", "Main-Class", NULL);
	expect_attribute("\n", "Main-Class", NULL);
	fixture_open(&f);
	assert_false(archive_manifest(f.a, "Main-Class", &f.mem, &v));
	fixture_release(&f);
}

/* Applications inside jars. */

static void note_entry(void *ctx, uint32_t entry)
{
	uint32_t *mask = ctx;

	*mask |= 1u << entry;
}

static void test_nested(void **state)
{
	struct fixture f = { 0 };
	uint32_t mask = 0;

	(void)state;
	zip_add(&f.z, "BOOT-INF/classes/p/A.class", "boot");
	zip_add(&f.z, "WEB-INF/classes/p/B.class", "web");
	zip_add(&f.z, "BOOT-INF/lib/x.jar", "x");
	zip_add(&f.z, "WEB-INF/lib/y.jar", "x");
	zip_add(&f.z, "BOOT-INF/lib/notes.txt", "x");
	zip_add(&f.z, "BOOT-INF/lib/deep/z.jar", "x");
	zip_add(&f.z, "lib/z.jar", "x");
	zip_add(&f.z, "BOOT-INF/C.class", "no class of the application");
	zip_add(&f.z, "BOOT-INF/classes/p/D.class", "boot");
	zip_add(&f.z, "p/D.class", "plain");
	fixture_open(&f);
	expect_class(&f, "p/A", "boot");
	expect_class(&f, "p/B", "web");
	expect_class(&f, "p/D", "plain");
	assert_int_equal(archive_class_name(f.a, 8, &f.tmp).len, 0);
	archive_nested(f.a, note_entry, &mask);
	assert_int_equal(mask, 1u << 3 | 1u << 4);
	fixture_release(&f);
}

static void test_no_archive(void **state)
{
	struct fixture f = { 0 };

	(void)state;
	strbuf_adds(&f.z.file, "not an archive at all, however long it may be");
	fixture_open_as(&f, 17);
	assert_null(f.a);
	expect_diag(&f, DIAG_E002);
	fixture_release(&f);
	strbuf_adds(&f.z.file, "PK\3\4 truncated truncated truncated");
	fixture_open_as(&f, 17);
	assert_null(f.a);
	expect_diag(&f, DIAG_E003);
	fixture_release(&f);
	f.a = archive_open("no/such/file.jar", 17, &f.d);
	assert_null(f.a);
	assert_int_equal(f.d.entries.data[0].code, DIAG_E001);
	fixture_release(&f);
}

/* Images. The maker keeps strings, locations and content apart; image_end() makes the perfect hash. */

#define IMAGE_MAX 16
struct image_maker {
	struct strbuf strings, locations, content, file;
	uint32_t at[IMAGE_MAX];               /* of each location */
	char names[IMAGE_MAX][80];
	uint32_t count;
};

static uint32_t image_string(struct image_maker *m, const char *s)
{
	uint32_t at = (uint32_t)m->strings.len;

	strbuf_add(&m->strings, s, strlen(s) + 1);
	return at;
}

static void image_attr(struct image_maker *m, int kind, uint32_t v)
{
	strbuf_addch(&m->locations, (char)(kind << 3 | 3));
	for (int i = 3; i >= 0; i--)
		strbuf_addch(&m->locations, (char)(v >> 8 * i & 0xff));
}

/* `stored` 0: not packed. */
static void image_add(struct image_maker *m, const char *const part[4], const void *data, uint32_t stored, uint32_t size)
{
	if (!m->strings.len)
		image_string(m, "");
	snprintf(m->names[m->count], sizeof(m->names[0]), "/%s/%s%s%s%s%s", part[0], part[1], part[1][0] ? "/" : "",
		 part[2], part[3][0] ? "." : "", part[3]);
	m->at[m->count++] = (uint32_t)m->locations.len;
	for (int i = 0; i < 4; i++)
		image_attr(m, i + 1, part[i][0] ? image_string(m, part[i]) : 0);
	image_attr(m, 5, (uint32_t)m->content.len);
	if (stored)
		image_attr(m, 6, stored);
	image_attr(m, 7, size);
	strbuf_addch(&m->locations, 0);
	strbuf_add(&m->content, data, stored ? stored : size);
}

static uint32_t image_hash(const char *s, uint32_t seed)
{
	for (; *s; s++)
		seed = (seed * 0x01000193) ^ (uint8_t)*s;
	return seed & 0x7fffffff;
}

/* Names that share a bucket get a seed that spreads them over free places. */
static bool place_bucket(const struct image_maker *m, uint32_t bucket, uint32_t seed, uint32_t *place)
{
	uint32_t n = m->count, got[IMAGE_MAX];

	memcpy(got, place, sizeof(got));
	for (uint32_t i = 0; i < n; i++) {
		if (image_hash(m->names[i], 0x01000193) % n != bucket)
			continue;
		uint32_t p = image_hash(m->names[i], seed) % n;
		if (got[p])
			return false;
		got[p] = i + 1;
	}
	memcpy(place, got, sizeof(got));
	return true;
}

static uint32_t bucket_size(const struct image_maker *m, uint32_t bucket)
{
	uint32_t size = 0;

	for (uint32_t i = 0; i < m->count; i++)
		size += image_hash(m->names[i], 0x01000193) % m->count == bucket;
	return size;
}

static void place_single(const struct image_maker *m, uint32_t bucket, uint32_t *redirect, uint32_t *place)
{
	uint32_t free_place = 0, i = 0;

	while (place[free_place])
		free_place++;
	while (image_hash(m->names[i], 0x01000193) % m->count != bucket)
		i++;
	place[free_place] = i + 1;
	redirect[bucket] = ~free_place;
}

static void image_hash_names(const struct image_maker *m, uint32_t *redirect, uint32_t *place)
{
	for (uint32_t size = m->count; size > 0; size--)
		for (uint32_t b = 0; b < m->count; b++) {
			if (bucket_size(m, b) != size)
				continue;
			if (size == 1)
				place_single(m, b, redirect, place);
			else
				for (redirect[b] = 1; !place_bucket(m, b, redirect[b], place);)
					redirect[b]++;
		}
}

static void image_end(struct image_maker *m)
{
	uint32_t redirect[IMAGE_MAX] = { 0 }, place[IMAGE_MAX] = { 0 };

	assert_true(m->count % 2 == 1);               /* modulo a power of 2, seeds hardly change the hash */
	image_hash_names(m, redirect, place);
	put_le(&m->file, 0xcafedada, 4);
	put_le(&m->file, 0x00010000, 4);
	put_le(&m->file, 0, 4);
	put_le(&m->file, m->count, 4);
	put_le(&m->file, m->count, 4);
	put_le(&m->file, m->locations.len, 4);
	put_le(&m->file, m->strings.len, 4);
	for (uint32_t i = 0; i < m->count; i++)
		put_le(&m->file, redirect[i], 4);
	for (uint32_t i = 0; i < m->count; i++)
		put_le(&m->file, m->at[place[i] - 1], 4);
	strbuf_add(&m->file, m->locations.s, m->locations.len);
	strbuf_add(&m->file, m->strings.s, m->strings.len);
	strbuf_add(&m->file, m->content.s, m->content.len);
}

static void image_release(struct image_maker *m)
{
	strbuf_release(&m->strings);
	strbuf_release(&m->locations);
	strbuf_release(&m->content);
	strbuf_release(&m->file);
}

static void put_packing(struct image_maker *m, struct strbuf *out, const char *packer, const struct strbuf *data,
			size_t size)
{
	put_le(out, 0xcafefafa, 4);
	put_le(out, data->len, 8);
	put_le(out, size, 8);
	put_le(out, image_string(m, packer), 4);
	put_le(out, 0, 4);
	put_le(out, 1, 1);
	strbuf_add(out, data->s, data->len);
}

/* A class file with each kind of constant that compact-cp treats apart, plain and packed. */
static const char plain_class[] = "\xca\xfe\xba\xbe\0\0\0\x34\0\6"
				  "\1\0\3abc"
				  "\5\0\0\0\0\0\0\0\7"
				  "\1\0\xf(Lp/q/A;ILB;)La"
				  "\1\0\1I"
				  "rest";

static void put_index(struct strbuf *b, uint32_t v, int bytes)
{
	if (bytes == 4)
		strbuf_addch(b, 0);
	else
		strbuf_addch(b, (char)(0x80 | bytes << 5 | (bytes == 1 ? (int)v : 0)));
	for (int i = bytes - 2; i >= 0; i--)
		strbuf_addch(b, (char)(v >> 8 * i & 0xff));
}

static void put_shared_class(struct image_maker *m, struct strbuf *out)
{
	struct strbuf indexes = { 0 };

	put_index(&indexes, image_string(m, "p/q"), 2);
	put_index(&indexes, image_string(m, "A"), 3);
	put_index(&indexes, 0, 1);
	put_index(&indexes, image_string(m, "B"), 4);
	put_index(&indexes, 0, 1);
	put_index(&indexes, image_string(m, "a"), 2);
	strbuf_add(out, plain_class, 10);
	strbuf_add(out, "\1\0\3abc", 6);
	strbuf_add(out, "\5\0\0\0\0\0\0\0\7", 9);
	strbuf_addch(out, 25);
	put_index(out, image_string(m, "(L;IL;)L"), 2);
	put_index(out, (uint32_t)indexes.len, 1);
	strbuf_addstr(out, strbuf_str(&indexes));
	strbuf_addch(out, 23);
	put_index(out, image_string(m, "I"), 2);
	strbuf_adds(out, "rest");
	strbuf_release(&indexes);
}

#define PART(...) ((const char *const[4]){ __VA_ARGS__ })

static void image_fill(struct image_maker *m)
{
	struct strbuf shared = { 0 }, once = { 0 }, zipped = { 0 }, twice = { 0 };
	uint32_t size = sizeof(plain_class) - 1;

	image_add(m, PART("m1", "p", "A", "class"), "first", 0, 5);
	image_add(m, PART("m2", "p", "A", "class"), "second", 0, 6);
	image_add(m, PART("m2", "", "B", "class"), "bbb", 0, 3);
	image_add(m, PART("m1", "", "module-info", "class"), "mi", 0, 2);
	image_add(m, PART("m1", "p", "noext", ""), "", 0, 0);
	image_add(m, PART("packages", "", "p", ""), "xxxx", 0, 4);
	image_add(m, PART("m2", "META-INF/x", "C", "class"), "no class", 0, 8);
	put_shared_class(m, &shared);
	put_packing(m, &once, "compact-cp", &shared, size);
	image_add(m, PART("m1", "p", "Shared", "class"), once.s, (uint32_t)once.len, size);
	deflate_to(&zipped, once.s, once.len, true);
	put_packing(m, &twice, "zip", &zipped, once.len);
	image_add(m, PART("m1", "p", "Twice", "class"), twice.s, (uint32_t)twice.len, size);
	image_end(m);
	strbuf_release(&shared);
	strbuf_release(&once);
	strbuf_release(&zipped);
	strbuf_release(&twice);
}

static void expect_plain_class(struct fixture *f, const char *name)
{
	struct span s;
	uint32_t e = archive_find_class(f->a, str_of(name));

	assert_true(e != 0);
	assert_true(archive_read(f->a, e, &f->mem, &s, &f->d));
	assert_int_equal(s.len, sizeof(plain_class) - 1);
	assert_memory_equal(s.p, plain_class, s.len);
}

static void test_image(void **state)
{
	struct image_maker m = { 0 };
	struct fixture f = { 0 };

	(void)state;
	image_fill(&m);
	f.a = archive_open_bytes(span_of(&m.file), "t.jar", 17, &f.d);
	assert_int_equal(archive_kind(f.a), ARCHIVE_JIMAGE);
	assert_int_equal(archive_count(f.a), 8);
	assert_int_equal(archive_find_class(f.a, STR("META-INF/x/C")), 0);
	expect_class(&f, "p/A", "first");
	expect_class(&f, "B", "bbb");
	assert_true(str_is(archive_module(f.a, archive_find_class(f.a, STR("B"))), "m2"));
	expect_text(&f, "/m2/p/A.class", "second");
	expect_text(&f, "/m1/p/noext", "");
	assert_int_equal(archive_find_class(f.a, STR("module-info")), 0);
	assert_int_equal(archive_find(f.a, STR("/packages/p")), 0);
	assert_int_equal(archive_find(f.a, STR("/m1/p/none")), 0);
	expect_plain_class(&f, "p/Shared");
	expect_plain_class(&f, "p/Twice");
	for (uint32_t e = 1; e <= archive_count(f.a); e++)
		assert_int_equal(archive_find(f.a, archive_entry_name(f.a, e, &f.tmp)), e);
	fixture_release(&f);
	image_release(&m);
}

static void test_image_header(void **state)
{
	struct image_maker m = { 0 };
	struct fixture f = { 0 };

	(void)state;
	image_fill(&m);
	set_le(&m.file, 4, 0x00020000, 4);
	assert_null(archive_open_bytes(span_of(&m.file), "t.jar", 17, &f.d));
	set_le(&m.file, 4, 0x00010000, 4);
	set_le(&m.file, 16, UINT32_MAX, 4);
	assert_null(archive_open_bytes(span_of(&m.file), "t.jar", 17, &f.d));
	set_le(&m.file, 0, 0xdadafeca, 4);
	assert_null(archive_open_bytes(span_of(&m.file), "t.jar", 17, &f.d));
	assert_int_equal(f.d.entries.len, 3);
	assert_int_equal(f.d.entries.data[0].code, DIAG_E002);
	assert_int_equal(f.d.entries.data[1].code, DIAG_E003);
	assert_int_equal(f.d.entries.data[2].code, DIAG_E002);
	fixture_release(&f);
	image_release(&m);
}

static void test_image_damaged_anywhere(void **state)
{
	struct image_maker m = { 0 };

	(void)state;
	image_fill(&m);
	exercise_damaged(&m.file);
	image_release(&m);
}

/* The image of the JDK on this machine, if there is one. */
static struct archive *open_jdk(struct diag *d)
{
	const char *home = getenv("JAVA_HOME");
	char path[4096];

	snprintf(path, sizeof(path), "%s/lib/modules", home ? home : "/usr/lib/jvm/java-17-openjdk-amd64");
	return access(path, R_OK) == 0 ? archive_open(path, 17, d) : NULL;
}

static bool is_class_file(struct span s)
{
	return s.len > 4 && memcmp(s.p, "\xca\xfe\xba\xbe", 4) == 0;
}

static void test_jdk(void **state)
{
	struct fixture f = { 0 };
	struct span s;
	uint32_t classes = 0;

	(void)state;
	f.a = open_jdk(&f.d);
	if (!f.a) {
		fixture_release(&f);
		print_message("# no JDK in JAVA_HOME or /usr/lib/jvm\n");
		skip();
	}
	for (uint32_t e = 1; e <= archive_count(f.a); e++) {
		assert_true(archive_read(f.a, e, &f.mem, &s, &f.d));
		if (str_ends(archive_entry_name(f.a, e, &f.tmp), ".class")) {
			classes++;
			assert_true(is_class_file(s));
		}
		struct str name = archive_class_name(f.a, e, &f.tmp);
		if (name.len)
			assert_int_equal(archive_find_class(f.a, name), e);
		arena_clear(&f.mem);
	}
	assert_true(classes > 5000);          /* java.base alone has more; all of JDK 17, 26,588 */
	uint32_t object = archive_find_class(f.a, STR("java/lang/Object"));
	assert_true(str_is(archive_module(f.a, object), "java.base"));
	assert_int_equal(archive_find(f.a, STR("/java.base/java/lang/Object.class")), object);
	assert_int_equal(f.d.entries.len, 0);
	fixture_release(&f);
}

/* Directories. */

static void write_file(int dir, const char *path, const char *text)
{
	int fd = openat(dir, path, O_WRONLY | O_CREAT | O_EXCL, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

static void test_directory(void **state)
{
	static const char *const sorted[] = { "B.class", "META-INF/MANIFEST.MF", "p/A.class", "p/q/C.class", "z/D.class" };
	char root[] = "/tmp/test_archive_XXXXXX";
	struct fixture f = { 0 };
	struct str v;

	(void)state;
	assert_non_null(mkdtemp(root));
	int dir = open(root, O_RDONLY | O_DIRECTORY);
	assert_int_equal(mkdirat(dir, "p", 0700) | mkdirat(dir, "p/q", 0700) | mkdirat(dir, "META-INF", 0700), 0);
	write_file(dir, "p/A.class", "a");
	write_file(dir, "p/q/C.class", "");
	write_file(dir, "B.class", "bb");
	write_file(dir, "META-INF/MANIFEST.MF", "Class-Path: x\n");
	assert_int_equal(mkdirat(dir, "z", 0700), 0);
	write_file(dir, "z/D.class", "d");
	assert_int_equal(symlinkat("..", dir, "p/q/up") | symlinkat("nowhere", dir, "p/dangling"), 0);
	assert_int_equal(mkfifoat(dir, "p/pipe", 0600), 0);
	f.a = archive_open(root, 17, &f.d);
	assert_int_equal(archive_kind(f.a), ARCHIVE_DIR);
	assert_int_equal(archive_count(f.a), ARRAY_LEN(sorted));
	for (uint32_t e = 1; e <= ARRAY_LEN(sorted); e++)
		assert_true(str_is(archive_entry_name(f.a, e, &f.tmp), sorted[e - 1]));
	expect_class(&f, "p/A", "a");
	expect_class(&f, "p/q/C", "");
	expect_text(&f, "B.class", "bb");
	assert_true(archive_manifest(f.a, "Class-Path", &f.mem, &v) && str_is(v, "x"));
	assert_int_equal(f.d.entries.len, 0);
	unlinkat(dir, "B.class", 0);
	struct span s;
	assert_false(archive_read(f.a, 1, &f.mem, &s, &f.d));
	assert_int_equal(f.d.entries.data[0].code, DIAG_E004);
	close(dir);
	fixture_release(&f);
	static const char *const files[] = { "p/q/up", "p/q/C.class", "p/A.class", "p/dangling", "p/pipe", "z/D.class",
					     "META-INF/MANIFEST.MF", "p/q", "p", "z", "META-INF", "" };
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		char path[128];
		snprintf(path, sizeof(path), "%s/%s", root, files[i]);
		assert_int_equal(remove(path), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_prefix_comment_padding),
		cmocka_unit_test(test_jmod),
		cmocka_unit_test(test_zip64),
		cmocka_unit_test(test_zip64_lies),
		cmocka_unit_test(test_end_lies),
		cmocka_unit_test(test_damaged_directory),
		cmocka_unit_test(test_suspicious_names),
		cmocka_unit_test(test_duplicates),
		cmocka_unit_test(test_overlapping),
		cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_bomb),
		cmocka_unit_test(test_damaged_anywhere),
		cmocka_unit_test(test_multi_release),
		cmocka_unit_test(test_manifest),
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_no_archive),
		cmocka_unit_test(test_image),
		cmocka_unit_test(test_image_header),
		cmocka_unit_test(test_image_damaged_anywhere),
		cmocka_unit_test(test_jdk),
		cmocka_unit_test(test_directory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
