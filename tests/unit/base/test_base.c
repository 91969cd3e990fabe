// SPDX-License-Identifier: Apache-2.0
// links: base
/* test_base.c - arenas, vectors, strings, interning, maps, readers, diagnostics, characters, jobs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/diag.h"
#include "base/text/glob.h"
#include "base/intern.h"
#include "base/sys/jobs.h"
#include "base/map.h"
#include "base/reader.h"
#include "base/sort.h"
#include "base/text/textreader.h"
#include "base/text/utf8.h"

static void lists_become_sets(void **state)
{
	uint32_t mixed[] = { 7, 2, 7, UINT32_MAX, 0, 2, 2 }, ordered[] = { 1, 5, 9 }, twice[] = { 3, 3 };

	(void)state;
	assert_int_equal(sort_ids(mixed, 7), 4);
	assert_memory_equal(mixed, ((uint32_t[]){ 0, 2, 7, UINT32_MAX }), 4 * sizeof(*mixed));
	assert_int_equal(sort_ids(ordered, 3), 3);
	assert_memory_equal(ordered, ((uint32_t[]){ 1, 5, 9 }), sizeof(ordered));
	assert_int_equal(sort_ids(twice, 2), 1);
	assert_int_equal(sort_ids(twice, 1), 1);
	assert_int_equal(sort_ids(NULL, 0), 0);
}

static void expect_set(const uint32_t *v, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		assert_true(v[i - 1] < v[i]);
}

static void expect_in(const uint32_t *v, uint32_t n, uint32_t x)
{
	uint32_t k = 0;

	while (k < n && v[k] != x)
		k++;
	assert_true(k < n);
}

static void lists_of_any_length_become_sets(void **state)
{
	uint32_t some[1200];

	(void)state;
	for (uint32_t n = 2; n < 1200; n += n < 60 ? 1 : 97) {
		for (uint32_t i = 0; i < n; i++)
			some[i] = i * 2654435761u % (2 * n);
		uint32_t kept = sort_ids(some, n);
		assert_in_range(kept, 1, n);
		expect_set(some, kept);
		for (uint32_t i = 0; i < n; i++)
			expect_in(some, kept, i * 2654435761u % (2 * n));
	}
}

static void arenas_hand_out_aligned_memory(void **state)
{
	struct arena a;
	(void)state;

	arena_init(&a);
	for (size_t n = 0; n < 5000; n += 37) {
		unsigned char *p = arena_zalloc(&a, n);
		assert_int_equal((uintptr_t)p % 8, 0);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xff, n);
	}
	assert_string_equal(arena_strdup(&a, "kept"), "kept");
	arena_clear(&a);
	assert_int_equal(((unsigned char *)arena_zalloc(&a, 64))[63], 0);
	arena_release(&a);
}

static void vectors_grow(void **state)
{
	VEC(uint32_t) v = { 0 };
	(void)state;

	for (uint32_t i = 0; i < 1000; i++)
		vec_push(&v, i * i);
	assert_int_equal(v.len, 1000);
	assert_int_equal(*vec_last(&v), 999 * 999);
	assert_int_equal(vec_pop(&v), 999 * 999);
	assert_int_equal(v.data[500], 250000);
	vec_release(&v);
	assert_null(v.data);
}

static void strings_are_interned_once(void **state)
{
	struct interner in;
	char text[32];
	str_id id;
	(void)state;

	interner_init(&in);
	assert_int_equal(intern(&in, STR("")).i, 0);
	for (uint32_t round = 0; round < 2; round++)
		for (uint32_t i = 1; i <= 3000; i++) {
			snprintf(text, sizeof(text), "name/%u", i);
			assert_int_equal(intern(&in, str_of(text)).i, i);      /* in order of first use */
		}
	assert_true(interner_find(&in, STR("name/77"), &id));
	assert_int_equal(id.i, 77);
	assert_string_equal(interned(&in, id).p, "name/77");
	assert_false(interner_find(&in, STR("name/3001"), &id));
	assert_false(interner_find(&in, STR("name/7"
					    "\0"
					    "7"), &id));
	interner_release(&in);
}

static void maps_find_what_was_put(void **state)
{
	struct map m = { 0 };
	(void)state;

	assert_int_equal(map_get(&m, 1), 0);
	for (uint32_t i = 1; i < 5000; i++)
		*map_at(&m, map_key(i % 7, i * 64)) = i;
	for (uint32_t i = 1; i < 5000; i++)
		assert_int_equal(map_get(&m, map_key(i % 7, i * 64)), i);
	assert_int_equal(map_get(&m, map_key(8, 64)), 0);
	assert_int_equal(m.len, 4999);
	map_release(&m);
}

static void readers_fail_once_and_for_all(void **state)
{
	static const uint8_t bytes[] = { 1, 2, 3, 4, 5, 6, 7 };
	struct reader r = reader_of((struct span){ bytes, sizeof(bytes) });
	(void)state;

	assert_int_equal(reader_u1(&r), 1);
	assert_int_equal(reader_u2(&r), 0x0203);
	assert_int_equal(reader_le2(&r), 0x0504);
	assert_false(r.failed);
	assert_int_equal(reader_u4(&r), 0);
	assert_true(r.failed);
	assert_int_equal(reader_u1(&r), 0);
	assert_int_equal(reader_left(&r), 0);
	r = reader_of((struct span){ bytes, sizeof(bytes) });
	assert_int_equal(reader_count(&r, 3), 0);      /* 0x0102 elements do not fit */
	assert_true(r.failed);
	r = reader_of((struct span){ bytes, sizeof(bytes) });
	reader_seek(&r, 7);
	assert_false(r.failed);
	reader_seek(&r, 8);
	assert_true(r.failed);
}

static void diagnostics_name_the_place(void **state)
{
	struct diag d;
	struct strbuf line = { 0 };
	(void)state;

	diag_init(&d);
	diag_add(&d, DIAG_E011, "a.jar", STR("p/C"), 17, "cut off after %d bytes", 17);
	diag_add(&d, DIAG_W040, NULL, STR("p\033[2J"), DIAG_NO_OFFSET, "class not found");
	diag_render(&d.entries.data[0], &line);
	assert_string_equal(line.s, "a.jar!p/C: 17: error[E011]: cut off after 17 bytes");
	strbuf_clear(&line);
	diag_render(&d.entries.data[1], &line);
	assert_string_equal(line.s, "p?[2J: warning[W040]: class not found");      /* no control characters */
	for (uint32_t i = 0; i < DIAG_LIMIT + 5; i++)
		diag_add(&d, DIAG_E011, "a.jar", STR("x"), 0, "again");
	assert_int_equal(d.entries.len, DIAG_LIMIT);
	assert_int_equal(d.dropped, 7);
	assert_int_equal(d.errors, DIAG_LIMIT + 6);
	strbuf_release(&line);
	diag_release(&d);
}

/* Terminal escapes of both widths, and characters that turn the reading direction. */
static void diagnostics_control_no_terminal(void **state)
{
	static const struct { const char *name, *shown; } rows[] = {
		{ "a\033[2Jb\177", "a?[2Jb?" },
		{ "a\xc2\x9b" "31mb\xc2\x80\xc2\x9f", "a?31mb??" },               /* U+0080 .. U+009F */
		{ "a\x9b" "31mb\x80", "a?31mb?" },                                  /* the same as raw bytes */
		{ "a\xe2\x80\xae" "b\xe2\x80\xaa\xe2\x80\x8e\xe2\x80\x8f", "a?b???" },
		{ "a\xe2\x81\xa6" "b\xe2\x81\xa9\xd8\x9c", "a?b??" },
		{ "a\xc2\xa0\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "a\xc2\xa0\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80" },
		{ "\xed\xa0\xbd\xed\xb8\x80\xed\xa0\xbd", "\xf0\x9f\x98\x80?" },  /* as class files have it; half of it */
		{ "\xe2\x80", "??" },
	};
	struct diag d;
	(void)state;

	diag_init(&d);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		diag_add(&d, DIAG_W040, rows[i].name, str_of(rows[i].name), DIAG_NO_OFFSET, "%s", rows[i].name);
		assert_string_equal(d.entries.data[i].artifact, rows[i].shown);
		assert_string_equal(d.entries.data[i].item, rows[i].shown);
		assert_string_equal(d.entries.data[i].text, rows[i].shown);
	}
	diag_release(&d);
}

/* Every character, next to others: it comes out as it is or as `?`, and what came out does not change again. */
static void tame_text_stays_tame(void **state)
{
	(void)state;
	for (uint32_t c = 0; c < 0x110000; c++) {
		char text[UTF8_MOST + 3] = "x", once[sizeof(text)];
		bool shown = !utf8_is_hidden(c) && c != UTF8_BAD && (c < 0xd800 || c > 0xdfff);
		size_t n = 1 + utf8_put(text + 1, c);

		text[n++] = 'y';
		assert_int_equal(utf8_is_shown((struct str){ text, (uint32_t)n }), shown);
		memcpy(once, text, n);
		size_t m = utf8_tame(once, n);
		if (shown)
			assert_true(m == n && memcmp(once, text, n) == 0);
		else
			assert_true(m == 3 && memcmp(once, "x?y", 3) == 0);
		assert_true(utf8_is_shown((struct str){ once, (uint32_t)m }));
	}
}

static void quotes_are_read_back(void **state)
{
	struct strbuf out = { 0 }, in = { 0 };
	(void)state;

	for (int byte = 0; byte < 256; byte++) {
		char name[] = { 'a', (char)0xc2, (char)byte, '\n', (char)byte };
		struct textreader r = { .has_tab = true };

		strbuf_clear(&out);
		strbuf_clear(&in);
		text_quote(&out, (struct str){ name, sizeof(name) }, true);
		r.at = out.s;
		r.end = out.s + out.len;
		assert_true(utf8_is_shown(strbuf_str(&out)));
		assert_true(text_quoted(&r, &in));
		assert_int_equal(in.len, sizeof(name));
		assert_memory_equal(in.s, name, sizeof(name));
	}
	strbuf_release(&out);
	strbuf_release(&in);
}

#define ITEMS 10007
static void mark(void *ctx, unsigned worker, uint32_t item)
{
	_Atomic unsigned char *done = ctx;

	assert_true(worker < 8);
	atomic_fetch_add(&done[item], 1);
}

static void jobs_do_every_item_once(void **state)
{
	static _Atomic unsigned char done[ITEMS];
	(void)state;

	for (unsigned workers = 1; workers <= 8; workers += 7) {
		jobs_run(workers, ITEMS, mark, (void *)done);
		for (uint32_t i = 0; i < ITEMS; i++)
			assert_int_equal(done[i], workers == 1 ? 1 : 2);
	}
	jobs_run(4, 0, mark, (void *)done);
	assert_int_equal(jobs_count(3), 3);
	assert_int_equal(jobs_count(1000000), JOBS_MAX);
	assert_true(jobs_count(0) >= 1);
}

static void globs_match_all_of_a_text(void **state)
{
	static const struct { const char *glob, *text; bool plain, sets; } rows[] = {
		{ "", "", true, true },           { "", "a", false, false },        { "*", "", true, true },
		{ "a*b*c", "axxbyyc", true, true }, { "a*b*c", "axxbyy", false, false }, { "*ab", "aab", true, true },
		{ "a?c", "abc", true, true },     { "a?", "a", false, false },      { "n.a[]", "n.a[]", true, true },
		{ "a[b-d]", "ac", false, true },  { "a[!b-d]", "ac", false, false }, { "a[!b-d]", "ax", false, true },
		{ "a[b-d]", "a[b-d]", true, false }, { "a\\*", "a*", false, true },  { "[ab", "[ab", true, true },
	};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_int_equal(glob_matches_plain(str_of(rows[i].glob), str_of(rows[i].text)), rows[i].plain);
		assert_int_equal(glob_matches(str_of(rows[i].glob), str_of(rows[i].text)), rows[i].sets);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arenas_hand_out_aligned_memory), cmocka_unit_test(vectors_grow),
		cmocka_unit_test(strings_are_interned_once),      cmocka_unit_test(maps_find_what_was_put),
		cmocka_unit_test(readers_fail_once_and_for_all),  cmocka_unit_test(diagnostics_name_the_place),
		cmocka_unit_test(lists_become_sets), cmocka_unit_test(lists_of_any_length_become_sets),
		cmocka_unit_test(diagnostics_control_no_terminal), cmocka_unit_test(tame_text_stays_tame),
		cmocka_unit_test(quotes_are_read_back),
		cmocka_unit_test(jobs_do_every_item_once),        cmocka_unit_test(globs_match_all_of_a_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
