// SPDX-License-Identifier: Apache-2.0
// links: base formats/coverage
/* test_runs.c - records come back; merging is commutative, associative and idempotent for files that are whole, cut off at any
 * byte, or damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#include "formats/coverage/runs_p.h"
#include "random_coverage.h"

#define HEAD 17

static struct span span_of(const struct strbuf *b)
{
	return (struct span){ (const uint8_t *)b->s, b->len };
}

static void read_all(struct runs *r, const struct strbuf *file)
{
	struct strbuf err = { 0 };

	assert_true(runs_read(r, span_of(file), &err));
	assert_int_equal(err.len, 0);
	strbuf_release(&err);
}

/* The merged file of some files. */
static struct strbuf merged(const struct strbuf *const *files, size_t n)
{
	struct runs r = { 0 };
	struct strbuf out = { 0 };

	for (size_t i = 0; i < n; i++)
		read_all(&r, files[i]);
	runs_write(&r, &out);
	runs_release(&r);
	return out;
}

static struct strbuf merged2(const struct strbuf *a, const struct strbuf *b)
{
	return merged((const struct strbuf *const[]){ a, b }, 2);
}

static void assert_bytes(const struct strbuf *a, const struct strbuf *b)
{
	assert_int_equal(a->len, b->len);
	assert_memory_equal(a->s, b->s, a->len);
}

/* Records */

static void put_small_run(struct strbuf *out, uint8_t id)
{
	struct run r = { .id = { id, 2, 3 }, .plan = 0x123456789abcdef0, .start = 1700000000, .pid = 4711,
			 .session = STR("s"), .jvm = STR("17.0.15"), .command = STR("java -jar a.jar") };

	run_put_header(out);
	run_put_run(out, &r);
}

static void put_small_tables(struct strbuf *out)
{
	struct str facts[] = { STR("java.lang.Runnable"), STR("java.io.Serializable"), STR("p.L.lambda$run$0()V") };

	run_put_class(out, &(struct run_class){ .name = STR("p.C"), .key = 99, .state = RUN_MATCHED, .missed = 3 },
		      (uint32_t[]){ 0, 1, 300 });
	run_put_class(out, &(struct run_class){ .name = STR("p.D"), .key = 100, .state = RUN_FAILED, .text = STR("too long") },
		      NULL);
	run_put_type(out, &(struct run_type){ .name = STR("p.T"), .loader = RUN_APP }, NULL);
	run_put_type(out, &(struct run_type){ .name = STR("p.L$$Lambda"), .loader = RUN_APP, .flags = RUN_HIDDEN | RUN_LAMBDA,
					      .host = STR("p.L"), .ninterfaces = 2, .nbodies = 1 }, facts);
	run_put_cell(out, &(struct run_cell){ .class = 0, .site = 7, .type = 0, .target = UINT32_MAX });
	run_put_cell(out, &(struct run_cell){ .class = 1, .site = 0, .type = 1, .target = 0 });
	run_put_cell(out, &(struct run_cell){ .class = 0, .site = 8, .type = 1, .target = 1 });
}

static void test_records_come_back(void **state)
{
	struct strbuf f = { 0 };
	struct runs r = { 0 };

	(void)state;
	put_small_run(&f, 1);
	put_small_tables(&f);
	run_put_note(&f, STR("a note"));
	run_put_parallel(&f);
	run_put_end(&f);
	read_all(&r, &f);
	assert_int_equal(r.runs.len, 1);
	const struct run *run = &r.runs.data[0];
	assert_true(run->id[0] == 1 && run->id[2] == 3 && run->plan == 0x123456789abcdef0);
	assert_true(run->start == 1700000000 && run->pid == 4711 && str_is(run->session, "s"));
	assert_true(str_is(run->jvm, "17.0.15") && str_is(run->command, "java -jar a.jar"));
	assert_true(run->is_complete && !run->is_damaged && run->is_parallel);
	assert_true(run->classes.len == 2 && str_is(run->classes.data[0].name, "p.C") && run->classes.data[0].key == 99);
	assert_true(run->classes.data[0].state == RUN_MATCHED && run->classes.data[0].missed == 3);
	assert_true(run->unwatched.len == 3 && run->unwatched.data[1] == 1 && run->unwatched.data[2] == 300);
	assert_true(str_is(run->classes.data[1].text, "too long"));
	const struct run_type *t = &run->types.data[1];
	assert_true(run->types.len == 2 && run->types.data[0].flags == 0 && t->flags == (RUN_HIDDEN | RUN_LAMBDA));
	assert_true(str_is(t->host, "p.L") && t->ninterfaces == 2 && t->nbodies == 1);
	assert_true(str_is(run->facts.data[t->first_fact + 2], "p.L.lambda$run$0()V"));
	assert_true(run->cells.len == 3 && run->cells.data[0].target == UINT32_MAX && run->cells.data[1].target == 0);
	assert_true(run->cells.data[0].site == 7 && run->cells.data[2].target == 1 && run->cells.data[2].class == 0);
	assert_true(run->notes.len == 1 && str_is(run->notes.data[0], "a note"));
	runs_release(&r);
	strbuf_release(&f);
}

static void test_counts_add_up(void **state)
{
	struct strbuf f = { 0 };
	struct runs r = { 0 };

	(void)state;
	put_small_run(&f, 1);
	put_small_tables(&f);
	run_put_counts(&f, (struct run_count[]){ { 0, 5 }, { 2, 1 } }, 2);
	run_put_counts(&f, (struct run_count[]){ { 2, UINT64_MAX } }, 1);
	run_put_counts(&f, (struct run_count[]){ { 0, 6 } }, 1);
	run_put_counts(&f, NULL, 0);
	read_all(&r, &f);
	assert_true(r.runs.data[0].cells.data[0].count == 11);
	assert_true(r.runs.data[0].cells.data[1].count == 1);         /* seen, not yet counted */
	assert_true(r.runs.data[0].cells.data[2].count == UINT64_MAX);
	runs_release(&r);
	strbuf_release(&f);
}

static void test_tests_are_unions(void **state)
{
	struct strbuf f = { 0 };
	struct runs r = { 0 };

	(void)state;
	put_small_run(&f, 1);
	put_small_tables(&f);
	run_put_test(&f, STR("b"), (uint32_t[]){ 2 }, 1);
	run_put_test(&f, STR("a"), (uint32_t[]){ 0, 1 }, 2);
	run_put_test(&f, STR("none"), NULL, 0);
	run_put_test(&f, STR("b"), (uint32_t[]){ 0, 2 }, 2);
	read_all(&r, &f);
	const struct run *run = &r.runs.data[0];
	assert_int_equal(run->tests.len, 3);
	assert_true(str_is(run->tests.data[0].name, "b") && run->tests.data[0].n == 2 && run->tests.data[1].n == 2);
	assert_true(run->tests.data[2].n == 0 && run->test_cells.len == 4);
	assert_true(run->test_cells.data[0] == 0 && run->test_cells.data[1] == 2);
	runs_release(&r);
	strbuf_release(&f);
}

static void test_unknown_records_are_kept(void **state)
{
	struct strbuf f = { 0 };
	struct runs r = { 0 };

	(void)state;
	put_small_run(&f, 1);
	size_t at = record_open(&f, (enum run_tag)'z');
	strbuf_adds(&f, "of a newer sherd");
	record_close(&f, at);
	put_small_tables(&f);
	read_all(&r, &f);
	assert_true(!r.runs.data[0].is_damaged && r.runs.data[0].cells.len == 3);
	assert_int_equal(r.runs.data[0].bytes.len, f.len - HEAD);
	runs_release(&r);
	strbuf_release(&f);
}

/* Rows that do not exist, trailing bytes: the record counts as damaged, though its check is right. */
static void assert_bad_record(enum run_tag tag, const void *payload, size_t n)
{
	struct strbuf f = { 0 };
	struct runs r = { 0 };

	put_small_run(&f, 1);
	put_small_tables(&f);
	size_t good = f.len, at = record_open(&f, tag);
	strbuf_add(&f, payload, n);
	record_close(&f, at);
	run_put_end(&f);
	read_all(&r, &f);
	const struct run *run = &r.runs.data[0];
	assert_true(r.runs.len == 1 && run->is_damaged && !run->is_complete);
	assert_int_equal(run->bytes.len, good - HEAD);
	assert_true(run->cells.len == 3 && run->cells.data[0].count == 1 && run->tests.len == 0 && run->facts.len == 3 &&
		    run->unwatched.len == 3);
	runs_release(&r);
	strbuf_release(&f);
}

static void test_wrong_rows_end_a_run(void **state)
{
	(void)state;
	assert_bad_record(TAG_CELL, "\x02\x00\x00\x00", 4);
	assert_bad_record(TAG_CELL, "\x00\x00\x02\x00", 4);
	assert_bad_record(TAG_CELL, "\x00\x00\x00\x03", 4);
	assert_bad_record(TAG_CELL, "\x00\x00\x00\x00\x00", 5);
	assert_bad_record(TAG_CELL, "\x00\x00\x00", 3);
	assert_bad_record(TAG_COUNTS, "\x00\x05\x02\x01", 4);
	assert_bad_record(TAG_COUNTS, "\x00", 1);
	assert_bad_record(TAG_TEST, "\x01t\x00\x00\x00\x00", 6);
	assert_bad_record(TAG_TEST, "\x05t", 2);
	assert_bad_record(TAG_TYPE, "\x01t\x00\x08\x01h\x01\x01\x01" "a", 10);
	assert_bad_record(TAG_TYPE, "\x01t\x00\x08\x01h\xff\xff\xff\xff\x0f\xff\xff\xff\xff\x0f", 15);
	assert_bad_record(TAG_CLASS, "\x01t", 2);
	assert_bad_record(TAG_CLASS, "\x01t........\x00\x00\x01\xff\xff\xff\xff\x0f", 18);
	assert_bad_record(TAG_NOTE, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10);
}

/* Files that are not read at all */

static void assert_refused(const char *p, size_t n, const char *why)
{
	struct runs r = { 0 };
	struct strbuf err = { 0 };

	assert_false(runs_read(&r, (struct span){ (const uint8_t *)p, n }, &err));
	assert_non_null(strstr(err.s, why));
	assert_int_equal(r.runs.len, 0);
	strbuf_release(&err);
}

static void test_other_files_are_refused(void **state)
{
	(void)state;
	assert_refused("", 0, "it is empty");
	assert_refused("sherd plan 1\n....", 17, "it is not coverage data");
	assert_refused("sherd coverage 9\nR", 18, "version 9");
	assert_refused("\x7f" "ELF", 4, "it is not coverage data");
	assert_refused("sherd coverage\n", 15, "it is not coverage data");
}

/* Laws */

enum { FILES = 5 };

struct files {
	struct random_world w;
	struct strbuf whole[FILES];
};

static void files_init(struct files *f, uint8_t seed)
{
	*f = (struct files){ 0 };
	random_world_init(&f->w, seed);
	for (uint8_t i = 0; i < FILES; i++)
		random_run(&f->w, (uint8_t)(seed * FILES + i), &f->whole[i]);
}

static void files_release(struct files *f)
{
	for (int i = 0; i < FILES; i++)
		strbuf_release(&f->whole[i]);
	random_world_release(&f->w);
}

/* A file of some runs, some of them cut off, some of the bytes wrong. */
static struct strbuf any_file(struct files *f)
{
	struct strbuf cut[FILES] = { 0 };
	const struct strbuf *list[FILES];
	uint32_t n = 1 + random_below(&f->w, FILES);

	for (uint32_t i = 0; i < n; i++) {
		const struct strbuf *from = &f->whole[random_below(&f->w, FILES)];
		strbuf_add(&cut[i], from->s, random_below(&f->w, 2) ? from->len : 1 + random_below(&f->w, (uint32_t)from->len));
		if (random_below(&f->w, 4) == 0 && cut[i].len > HEAD)
			cut[i].s[HEAD + random_below(&f->w, (uint32_t)cut[i].len - HEAD)] ^= 4;
		list[i] = &cut[i];
	}
	struct strbuf out = merged(list, n);
	if (random_below(&f->w, 3) == 0)
		out.len = 1 + random_below(&f->w, (uint32_t)out.len);
	else if (random_below(&f->w, 3) == 0 && out.len > HEAD)
		out.s[HEAD + random_below(&f->w, (uint32_t)out.len - HEAD)] ^= 1;
	for (int i = 0; i < FILES; i++)
		strbuf_release(&cut[i]);
	return out;
}

static void assert_laws(const struct strbuf *a, const struct strbuf *b, const struct strbuf *c)
{
	struct strbuf one = merged(&a, 1);
	struct strbuf again = merged2(&one, a);
	struct strbuf ab = merged2(a, b), ba = merged2(b, a), bc = merged2(b, c);
	struct strbuf left = merged2(&ab, c), right = merged2(a, &bc);
	struct strbuf all = merged((const struct strbuf *const[]){ c, a, b, a }, 4);
	struct strbuf once_more = merged2(&left, &left);

	assert_bytes(&one, &again);
	assert_bytes(&ab, &ba);
	assert_bytes(&left, &right);
	assert_bytes(&left, &all);
	assert_bytes(&left, &once_more);
	struct strbuf *const every[] = { &one, &again, &ab, &ba, &bc, &left, &right, &all, &once_more };
	for (size_t i = 0; i < ARRAY_LEN(every); i++)
		strbuf_release(every[i]);
}

static void test_merge_laws(void **state)
{
	(void)state;
	for (uint8_t seed = 0; seed < 40; seed++) {
		struct files f;
		files_init(&f, seed);
		for (int round = 0; round < 10; round++) {
			struct strbuf a = any_file(&f), b = any_file(&f), c = any_file(&f);
			assert_laws(&a, &b, &c);
			strbuf_release(&a);
			strbuf_release(&b);
			strbuf_release(&c);
		}
		files_release(&f);
	}
}

/* Two files claim the same run but are not versions of each other: any choice will do, if it is always the same. */
static void test_laws_hold_for_forged_runs(void **state)
{
	struct strbuf a = { 0 }, b = { 0 }, c = { 0 };

	(void)state;
	put_small_run(&a, 1);
	put_small_run(&b, 1);
	put_small_run(&c, 1);
	run_put_note(&a, STR("x"));
	run_put_note(&b, STR("y"));
	run_put_note(&c, STR("y"));
	strbuf_adds(&c, "damage");
	assert_laws(&a, &b, &c);
	assert_laws(&c, &a, &b);
	strbuf_release(&a);
	strbuf_release(&b);
	strbuf_release(&c);
}

/* Truncation */

/* A copy of its own size, so that a reader that reads on is caught. */
static void read_prefix(struct runs *r, const struct strbuf *file, size_t n, uint8_t **copy)
{
	struct strbuf err = { 0 };

	*copy = mem_alloc(n);
	memcpy(*copy, file->s, n);
	assert_true(runs_read(r, (struct span){ *copy, n }, &err));
	strbuf_release(&err);
}

static size_t good_bytes(const struct runs *r)
{
	size_t n = 0;

	for (uint32_t i = 0; i < r->runs.len; i++)
		n += r->runs.data[i].bytes.len;
	return n;
}

static void test_cut_anywhere(void **state)
{
	(void)state;
	for (uint8_t seed = 0; seed < 6; seed++) {
		struct files f;
		files_init(&f, seed);
		const struct strbuf *whole = &f.whole[0];
		struct strbuf just_whole = merged(&whole, 1);
		size_t best = 0;
		for (size_t n = 1; n <= whole->len; n++) {
			struct runs r = { 0 };
			uint8_t *copy;
			read_prefix(&r, whole, n, &copy);
			assert_true(good_bytes(&r) >= best && good_bytes(&r) <= n);   /* nothing is lost by more bytes */
			best = good_bytes(&r);
			if (r.runs.len)
				assert_true(r.runs.data[0].is_damaged == (best + HEAD != n));
			struct strbuf out = { 0 };
			runs_write(&r, &out);
			struct strbuf both = merged2(&out, whole);
			assert_bytes(&both, &just_whole);             /* the whole run replaces what was left of it */
			strbuf_release(&out);
			strbuf_release(&both);
			runs_release(&r);
			free(copy);
		}
		assert_int_equal(best + HEAD, whole->len);
		strbuf_release(&just_whole);
		files_release(&f);
	}
}

/* A merged file: the runs before the cut are whole, the one at the cut is marked. */
static void test_cut_merged_anywhere(void **state)
{
	struct files f;
	const struct strbuf *list[FILES];

	(void)state;
	files_init(&f, 9);
	for (int i = 0; i < FILES; i++)
		list[i] = &f.whole[i];
	struct strbuf all = merged(list, FILES);
	uint32_t most = 0;
	for (size_t n = 1; n < all.len; n++) {
		struct runs r = { 0 };
		uint8_t *copy;
		read_prefix(&r, &all, n, &copy);
		assert_true(r.runs.len >= most && r.runs.len <= FILES);
		most = r.runs.len;
		for (uint32_t i = 0; i + 1 < r.runs.len; i++)
			assert_false(r.runs.data[i].is_damaged);
		runs_release(&r);
		free(copy);
	}
	assert_int_equal(most, FILES);
	strbuf_release(&all);
	files_release(&f);
}

/* One wrong byte costs at most the run it is in; the others stay as they are. */
static void test_damage_stays_in_its_run(void **state)
{
	struct files f;
	const struct strbuf *list[FILES];

	(void)state;
	files_init(&f, 4);
	for (int i = 0; i < FILES; i++)
		list[i] = &f.whole[i];
	struct strbuf all = merged(list, FILES);
	for (size_t at = HEAD; at < all.len; at++) {
		struct runs r = { 0 };
		uint32_t whole = 0;
		all.s[at] ^= 0x11;
		read_all(&r, &all);
		for (uint32_t i = 0; i < r.runs.len; i++)
			whole += !r.runs.data[i].is_damaged;
		assert_true(whole >= FILES - 1 && r.runs.len + r.nlost >= FILES);
		assert_true(whole < FILES || r.nlost > 0);            /* and it is noticed */
		all.s[at] ^= 0x11;
		runs_release(&r);
	}
	strbuf_release(&all);
	files_release(&f);
}

static void test_files_put_together(void **state)
{
	struct files f;
	struct strbuf together = { 0 };
	const struct strbuf *list[FILES];

	(void)state;
	files_init(&f, 2);
	for (int i = 0; i < FILES; i++) {
		list[i] = &f.whole[i];
		strbuf_add(&together, f.whole[i].s, f.whole[i].len);
	}
	const struct strbuf *one = &together;
	struct strbuf a = merged(list, FILES), b = merged(&one, 1);
	assert_bytes(&a, &b);
	strbuf_release(&a);
	strbuf_release(&b);
	strbuf_release(&together);
	files_release(&f);
}

/* A file of sizes, each before a record that claims to be the whole rest: must not cost n * n. */
static void test_hostile_lengths_are_linear(void **state)
{
	struct strbuf f = { 0 };
	struct runs r = { 0 };

	(void)state;
	run_put_header(&f);
	for (int i = 0; i < 100000; i++) {
		size_t at = record_open(&f, TAG_SIZE);
		wire_le(&f, 1 << 30, 8);
		wire_le(&f, 0, 1);
		record_close(&f, at);
		strbuf_adds(&f, "R");
		wire_varint(&f, (100000 - (size_t)i) * 17);
	}
	read_all(&r, &f);
	assert_int_equal(r.runs.len, 0);
	assert_true(r.nlost > 0);
	runs_release(&r);
	strbuf_release(&f);
}

/* A megabyte of anything between runs costs none of them. */
static void test_rubbish_between_runs(void **state)
{
	struct files f;
	struct strbuf all = { 0 };
	struct runs r = { 0 };

	(void)state;
	files_init(&f, 7);
	for (int i = 0; i < FILES; i++) {
		strbuf_add(&all, f.whole[i].s, f.whole[i].len);
		for (int k = 0; k < 200000; k++)
			strbuf_addch(&all, (char)random_below(&f.w, 256));
	}
	read_all(&r, &all);
	assert_int_equal(r.runs.len, FILES);
	runs_release(&r);
	strbuf_release(&all);
	files_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_records_come_back),
		cmocka_unit_test(test_counts_add_up),
		cmocka_unit_test(test_tests_are_unions),
		cmocka_unit_test(test_unknown_records_are_kept),
		cmocka_unit_test(test_wrong_rows_end_a_run),
		cmocka_unit_test(test_other_files_are_refused),
		cmocka_unit_test(test_merge_laws),
		cmocka_unit_test(test_laws_hold_for_forged_runs),
		cmocka_unit_test(test_cut_anywhere),
		cmocka_unit_test(test_cut_merged_anywhere),
		cmocka_unit_test(test_damage_stays_in_its_run),
		cmocka_unit_test(test_files_put_together),
		cmocka_unit_test(test_hostile_lengths_are_linear),
		cmocka_unit_test(test_rubbish_between_runs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
