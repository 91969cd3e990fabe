// SPDX-License-Identifier: Apache-2.0
// links: base algo cir
/* test_cir_pack.c - what is packed comes back with the same rows; bytes that are anything else are refused, and nothing is
 * read or written beyond its table meanwhile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/diag.h"
#include "base/sys/mapfile.h"
#include "cir/cir.h"

#define TEXTS "tests/fuzz/seeds/cirtext/"
#define PACKED "tests/fuzz/seeds/cirpack/"

static void parse_file(struct cprogram *p, const char *path)
{
	struct mapfile f;

	assert_true(mapfile_open(&f, path));
	cprogram_init(p);
	assert_true(cir_parse(p, (struct str){ (const char *)f.bytes.p, (uint32_t)f.bytes.len }, path, NULL));
	mapfile_close(&f);
}

static struct span bytes_of(const struct strbuf *b)
{
	return (struct span){ (const uint8_t *)b->s, b->len };
}

static bool unpack(struct span bytes, struct cprogram *p, const char **reason)
{
	cprogram_init(p);
	return cir_unpack(p, bytes, reason);
}

static bool same_names(const struct cprogram *a, const struct cprogram *b)
{
	for (uint32_t i = 0; i < a->names.strings.len; i++)
		if (!str_eq(a->names.strings.data[i], b->names.strings.data[i]) || map_get(&a->folders, i) != map_get(&b->folders, i))
			return false;
	return a->names.strings.len == b->names.strings.len && a->folders.len == b->folders.len;
}

/* As text, and in what text does not have. */
static void expect_same(const struct cprogram *a, const struct cprogram *b)
{
	struct strbuf x = { 0 }, y = { 0 };

	cir_print(a, &x);
	cir_print(b, &y);
	assert_string_equal(x.s, y.s);
	assert_true(same_names(a, b));
	assert_int_equal(a->locs.len, b->locs.len);
	assert_int_equal(a->aliases.len, b->aliases.len);
	for (uint32_t i = 0; i < a->aliases.len; i++)
		assert_memory_equal(&a->aliases.data[i], &b->aliases.data[i], sizeof(struct calias));
	for (uint32_t i = 1; i < a->fns.len; i++)
		assert_int_equal(a->fns.data[i].stmts, b->fns.data[i].stmts);
	strbuf_release(&x);
	strbuf_release(&y);
}

static void test_round_trip(void **state)
{
	static const char *const texts[] = { TEXTS "all", TEXTS "heap", TEXTS "names" };

	(void)state;
	for (uint32_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct cprogram p, q;
		struct strbuf first = { 0 }, second = { 0 };
		const char *reason = "";

		parse_file(&p, texts[i]);
		*map_at(&p.folders, intern(&p.names, STR("a.c")).i) = intern(&p.names, STR("/a/folder")).i;
		vec_push(&p.aliases, ((struct calias){ intern(&p.names, STR("other")), { 1 } }));
		cir_pack(&p, &first);
		if (!unpack(bytes_of(&first), &q, &reason))
			fail_msg("%s", reason);
		expect_same(&p, &q);
		cir_pack(&q, &second);
		assert_int_equal(first.len, second.len);
		assert_memory_equal(first.s, second.s, first.len);
		cprogram_release(&p);
		cprogram_release(&q);
		strbuf_release(&first);
		strbuf_release(&second);
	}
}

static void test_empty(void **state)
{
	struct cprogram p, q;
	struct strbuf b = { 0 };
	const char *reason = "";

	(void)state;
	cprogram_init(&p);
	cir_pack(&p, &b);
	assert_true(unpack(bytes_of(&b), &q, &reason));
	expect_same(&p, &q);
	cprogram_release(&p);
	cprogram_release(&q);
	strbuf_release(&b);
}

/* Files of this version stay readable: a change of the format is a change of the version, and of this file. */
static void test_format(void **state)
{
	struct cprogram p;
	struct strbuf b = { 0 };
	struct mapfile f;

	(void)state;
	parse_file(&p, TEXTS "all");
	cir_pack(&p, &b);
	assert_true(mapfile_open(&f, PACKED "all"));
	assert_int_equal(f.bytes.len, b.len);
	assert_memory_equal(f.bytes.p, b.s, b.len);
	mapfile_close(&f);
	cprogram_release(&p);
	strbuf_release(&b);
}

static void expect_refused(const uint8_t *bytes, size_t n, const char *says)
{
	uint8_t *exact = malloc(n ? n : 1);              /* so that a sanitizer sees what is read behind it */
	struct cprogram p;
	const char *reason = NULL;

	assert_non_null(exact);
	memcpy(exact, bytes, n);
	assert_false(unpack((struct span){ exact, n }, &p, &reason));
	assert_non_null(reason);
	if (!strstr(reason, says))
		fail_msg("\"%s\" is not in \"%s\"", says, reason);
	cprogram_release(&p);
	free(exact);
}

static void test_cut(void **state)
{
	struct cprogram p;
	struct strbuf b = { 0 };

	(void)state;
	parse_file(&p, TEXTS "all");
	cir_pack(&p, &b);
	for (size_t n = 0; n < b.len; n++)
		expect_refused((const uint8_t *)b.s, n, "");
	strbuf_addch(&b, 0);
	expect_refused((const uint8_t *)b.s, b.len, "goes on behind its end");
	b.s[4]++;
	expect_refused((const uint8_t *)b.s, b.len, "of this version");
	cprogram_release(&p);
	strbuf_release(&b);
}

/* Every byte in turn is another one: refused, or a program that is as good as any. */
static void test_damaged(void **state)
{
	struct cprogram p, q;
	struct strbuf b = { 0 };
	uint32_t refused = 0;
	const char *reason;

	(void)state;
	parse_file(&p, TEXTS "all");
	cir_pack(&p, &b);
	for (size_t i = 0; i < b.len; i++)
		for (uint32_t k = 0; k < 2; k++) {
			char was = b.s[i];
			struct strbuf text = { 0 };

			b.s[i] = (char)(k ? was ^ 0x80 : was + 1);
			if (!unpack(bytes_of(&b), &q, &reason))
				refused++;
			else
				cir_print(&q, &text);
			cprogram_release(&q);
			strbuf_release(&text);
			b.s[i] = was;
		}
	assert_true(refused > b.len / 2);
	cprogram_release(&p);
	strbuf_release(&b);
}

static void refuse(struct cprogram *p, const char *says)
{
	struct strbuf b = { 0 };

	cir_pack(p, &b);
	expect_refused((const uint8_t *)b.s, b.len, says);
	strbuf_release(&b);
}

/* Rows that belong to no function are checked, too: there are analyses that walk over all. */
static void test_unused_rows(void **state)
{
	struct cprogram p;

	(void)state;
	parse_file(&p, TEXTS "all");
	cir_stmt(&p, (struct cstmt){ .op = C_COPY, .dst = 9999 });
	refuse(&p, "an id is out of range");
	vec_last(&p.stmts)->dst = 1;
	vec_last(&p.stmts)->op = C_CALL + 1;
	refuse(&p, "a statement of no kind");
	vec_last(&p.stmts)->op = C_COPY;
	vec_push(&p.calls, ((struct ccall){ .callee = { 9999 } }));
	refuse(&p, "an id is out of range");
	*vec_last(&p.calls) = (struct ccall){ .args = p.args.len, .nargs = 1 };
	refuse(&p, "arguments are out of range");
	vec_last(&p.calls)->nargs = 0;
	vec_push(&p.aliases, ((struct calias){ { 0 }, { 0 } }));
	refuse(&p, "another name of nothing");
	vec_clear(&p.aliases);
	vec_push(&p.args, ((cvar_id){ 9999 }));
	refuse(&p, "an id is out of range");
	cprogram_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_format),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_unused_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
