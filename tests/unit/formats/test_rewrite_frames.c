// SPDX-License-Identifier: Apache-2.0
// links: base formats/classfile rewrite
/* test_rewrite_frames.c - code after calls, a local that lives through a method, and handlers of what leaves it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../../fuzz/rewrite_edits.h"
#include "base/sys/mapfile.h"
#include "codeclass.h"

struct fixture {
	struct strbuf bytes;
	struct arena mem;
	struct classfile cf, new;
	struct probes p;
	struct insertion insertions[4], leaving;
	struct method_edit edit;
};

static void parse(struct fixture *t)
{
	arena_init(&t->mem);
	assert_true(classfile_parse(&t->cf, (struct span){ (const uint8_t *)t->bytes.s, t->bytes.len }, &t->mem, "test", STR("T"),
				    NULL));
	t->p = (struct probes){ &t->cf, t->cf.methods, pool_new(&t->cf, &t->mem), &t->mem, PROBE, NULL };
	t->edit.insertions = t->insertions;
}

static void load(struct fixture *t, const char *path)
{
	struct mapfile file;

	*t = (struct fixture){ 0 };
	assert_true(mapfile_open(&file, path));
	strbuf_add(&t->bytes, file.bytes.p, file.bytes.len);
	mapfile_close(&file);
	parse(t);
}

/* Class T with this method m()V, of any version. */
enum { T_CLASS = 2, OBJECT = 4, N_M = 5, N_DESC = 6, N_CODE = 7, CALL = 9 };

static void put_head(struct strbuf *b, unsigned major)
{
	cc_put(b, 0xcafebabe, 4);
	cc_put(b, major, 4);
	cc_put(b, CALL + 1, 2);
	cc_utf8(b, "T");
	cc_one(b, CP_CLASS, 1);
	cc_utf8(b, "java/lang/Object");
	cc_one(b, CP_CLASS, 3);
	cc_utf8(b, "m");
	cc_utf8(b, "()V");
	cc_utf8(b, "Code");
	cc_two(b, CP_NAMETYPE, N_M, N_DESC);
	cc_two(b, CP_METHOD, T_CLASS, 8);
}

static void make(struct fixture *t, unsigned major, const uint8_t *code, uint32_t len)
{
	const unsigned after_pool[] = { 0x0021, T_CLASS, OBJECT, 0, 0, 1, ACC_STATIC, N_M, N_DESC, 1, N_CODE };
	struct strbuf *b = &t->bytes;

	*t = (struct fixture){ 0 };
	put_head(b, major);
	for (size_t i = 0; i < ARRAY_LEN(after_pool); i++)
		cc_put(b, after_pool[i], 2);
	cc_put(b, 12 + len, 4);
	cc_put(b, 4, 2);                                /* max_stack, max_locals */
	cc_put(b, 2, 2);
	cc_put(b, len, 4);
	strbuf_add(b, code, len);
	cc_put(b, 0, 6);                                /* no handlers, attributes of code and class */
	parse(t);
}

static void release(struct fixture *t)
{
	strbuf_release(&t->bytes);
	arena_release(&t->mem);
}

static void choose(struct fixture *t, const char *name, const char *desc)
{
	for (t->edit.method = 0; t->edit.method < t->cf.nmethods; t->edit.method++) {
		t->p.m = &t->cf.methods[t->edit.method];
		if (str_is(cf_utf8(&t->cf, t->p.m->name), name) && (!desc || str_is(cf_utf8(&t->cf, t->p.m->desc), desc)))
			return;
	}
	fail_msg("no method %s", name);
}

/* NULL: it worked, and the result is the old file with the insertions. */
static const char *rewrite(struct fixture *t)
{
	struct span bytes = rewrite_class(&t->cf, t->p.pool, &t->edit, 1, &t->mem);

	if (t->edit.failed)
		return t->edit.failed;
	assert_true(classfile_parse(&t->new, bytes, &t->mem, "new", STR("T"), NULL));
	rewrite_check(&t->cf, &t->new, &t->edit, 1);
	return NULL;
}

static struct cf_code new_code(const struct fixture *t)
{
	return cf_code(&t->new, &t->new.methods[t->edit.method]);
}

static void insert_nops(struct fixture *t, uint32_t pc, uint32_t n, bool after)
{
	t->insertions[t->edit.n++] = (struct insertion){ .pc = pc, .code = { arena_zalloc(&t->mem, n), n }, .after = after };
}

/* A local that is set, and a handler. */
static void keep_local(struct fixture *t, const char *desc)
{
	t->p.local = t->edit.local = desc;
	assert_true(probe_entered(&t->p, "enter", 3, &t->insertions[t->edit.n++]));
	assert_true(probe_passing(&t->p, 0, "leave", 4, &t->leaving));
	t->edit.leaving = &t->leaving;
}

static void test_random(void **state)
{
	static const char *const paths[] = { "tests/data/rewrite/Raw.class", "tests/data/rewrite/Calls.class" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		struct fixture t;
		uint32_t edited = 0;

		load(&t, paths[i]);
		for (uint64_t seed = 1000; seed < 1600; seed++)
			edited += rewrite_at_random(&t.cf, seed, 50);
		assert_true(edited > 500u * t.cf.nmethods / 2);
		release(&t);
	}
}

/* What jumps to the instruction behind a call does not run what is inserted after the call. */
static void test_after(void **state)
{
	static const uint8_t code[] = { BC_iconst_0, BC_ifeq, 0, 6, BC_invokestatic, 0, CALL, BC_return };
	static const uint8_t want[] = { BC_iconst_0, BC_ifeq, 0, 11, BC_nop, BC_nop, BC_invokestatic, 0, CALL, BC_nop, BC_nop,
					BC_nop, BC_nop, BC_return };
	struct fixture t;

	(void)state;
	make(&t, 49, code, sizeof(code));
	insert_nops(&t, 4, 2, false);
	insert_nops(&t, 4, 1, true);
	insert_nops(&t, 4, 2, true);
	insert_nops(&t, 7, 1, false);
	assert_null(rewrite(&t));
	assert_int_equal(new_code(&t).code.len, sizeof(want));
	assert_memory_equal(new_code(&t).code.p, want, sizeof(want));
	release(&t);
}

static void test_refused(void **state)
{
	static const uint8_t code[] = { BC_iconst_0, BC_pop, BC_invokestatic, 0, CALL, BC_return };
	struct fixture t;

	(void)state;
	make(&t, 61, code, sizeof(code));
	insert_nops(&t, 1, 1, true);                            /* no call */
	assert_non_null(rewrite(&t));
	release(&t);

	make(&t, 61, code, sizeof(code));
	insert_nops(&t, 2, 1, true);
	insert_nops(&t, 2, 1, false);                           /* out of order */
	assert_non_null(rewrite(&t));
	release(&t);

	make(&t, 61, code, sizeof(code));
	t.edit.local = "I";
	insert_nops(&t, 1, 1, false);
	assert_string_equal(rewrite(&t), "nothing sets its local");
	release(&t);

	make(&t, 61, code, sizeof(code));
	struct insertion s;

	assert_false(probe_after(&t.p, 1, "after", 1, &s));
	assert_false(probe_before(&t.p, 1, "before", 1, false, &s));
	assert_false(probe_before(&t.p, 2, "before", 1, true, &s));     /* a static one */
	assert_true(probe_before(&t.p, 2, "before", 1, false, &s));
	release(&t);
}

/* Handlers need a stack map from version 50 on, where the method may have had none. */
static void test_versions(void **state)
{
	static const uint8_t code[] = { BC_invokestatic, 0, CALL, BC_return };
	static const uint8_t jump[] = { BC_goto, 0, 3, BC_return };
	static const struct {
		unsigned major;
		bool jumps;
		uint32_t frames;
	} rows[] = { { 49, false, 0 }, { 50, false, 1 }, { 61, false, 1 }, { 50, true, 0 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct fixture t;

		make(&t, rows[i].major, rows[i].jumps ? jump : code, 4);
		keep_local(&t, "I");
		assert_null(rewrite(&t));
		assert_int_equal(new_code(&t).nhandlers, 1);
		assert_int_equal(cf_frames(&t.new, t.new.methods).left, rows[i].frames);
		release(&t);
	}
}

static void expect_handler(const struct fixture *t, uint16_t k, uint32_t start, uint32_t end, uint32_t target)
{
	struct cf_code code = new_code(t);
	struct cf_handler h = cf_handler_at(&t->new, &code, k);

	assert_int_equal(h.start, start);
	assert_int_equal(h.end, end);
	assert_int_equal(h.target, target);
	assert_int_equal(h.type, 0);
}

/* The call of another constructor is in no range, and what comes before it has a handler of its own where it may throw. */
static void test_constructors(void **state)
{
	struct fixture t;

	(void)state;
	load(&t, "tests/data/rewrite/Raw.class");
	choose(&t, "<init>", "(Ljava/util/function/IntSupplier;I)V");
	keep_local(&t, "Ljava/lang/Object;");
	insert_nops(&t, 50, 1, false);
	insert_nops(&t, 50, 2, true);
	assert_null(rewrite(&t));
	uint32_t entry = (uint32_t)t.insertions[0].code.len, end = entry + 3 + 79, handler = (uint32_t)t.leaving.code.len + 1;

	assert_int_equal(new_code(&t).nhandlers, 2);
	assert_int_equal(new_code(&t).code.len, end + 2 * handler);
	expect_handler(&t, 0, entry, entry + 51, end + handler);
	expect_handler(&t, 1, entry + 56, end, end);
	release(&t);

	load(&t, "tests/data/rewrite/Raw.class");
	choose(&t, "<init>", "(Ljava/lang/String;JD)V");
	keep_local(&t, "I");
	assert_null(rewrite(&t));
	entry = (uint32_t)t.insertions[0].code.len;
	assert_int_equal(new_code(&t).nhandlers, 1);
	end = entry + (uint32_t)cf_code(&t.cf, t.p.m).code.len;
	expect_handler(&t, 0, entry + 5, end, end);             /* aload_0, aload_1, invokespecial */
	release(&t);
}

/* In all of them it can be seen where they call another one. */
static void test_all_constructors(void **state)
{
	struct fixture t;

	(void)state;
	for (uint32_t i = 0, n = 1; i < n; i++) {
		load(&t, "tests/data/rewrite/Raw.class");
		n = t.cf.nmethods;
		t.edit.method = i;
		t.p.m = &t.cf.methods[i];
		keep_local(&t, i % 2 ? "I" : "[I");
		assert_null(rewrite(&t));
		struct cf_code old = cf_code(&t.cf, t.p.m);
		bool is_constructor = str_is(cf_utf8(&t.cf, t.p.m->name), "<init>");
		uint32_t more = new_code(&t).nhandlers - (uint32_t)old.nhandlers;
		struct cf_code code = new_code(&t);

		assert_in_range(more, 1, is_constructor ? 2 : 1);
		struct cf_handler last = cf_handler_at(&t.new, &code, (uint16_t)(code.nhandlers - 1));
		assert_int_equal(last.target, last.end);        /* the one for objects */
		assert_int_equal(last.start > t.insertions[0].code.len, is_constructor);
		release(&t);
	}
}

static void expect_code(const struct insertion *s, const uint8_t *want, size_t n)
{
	assert_int_equal(s->code.len, n);
	assert_memory_equal(s->code.p, want, n);
}

static void test_probes(void **state)
{
	struct fixture t;
	struct insertion s;

	(void)state;
	load(&t, "tests/data/rewrite/Calls.class");
	choose(&t, "stack", NULL);                              /* of two locals */
	t.p.local = "I";
	uint16_t enter = pool_method(t.p.pool, PROBE, "enter", "(I)I"), after = pool_method(t.p.pool, PROBE, "after", "(II)V");
	uint16_t before = pool_method(t.p.pool, PROBE, "before", "(Ljava/lang/Object;II)V");
	const uint8_t entered[] = { BC_iconst_3, BC_invokestatic, (uint8_t)(enter >> 8), (uint8_t)enter, BC_istore, 2 };
	const uint8_t passed[] = { BC_iload, 2, BC_bipush, 99, BC_invokestatic, (uint8_t)(after >> 8), (uint8_t)after };
	const uint8_t spilled[] = {
		BC_istore, 10, BC_lstore, 8, BC_astore, 7, BC_astore, 6, BC_fstore, 5, BC_dstore, 3, BC_dup, BC_iload, 2, BC_iconst_1,
		BC_invokestatic, (uint8_t)(before >> 8), (uint8_t)before, BC_dload, 3, BC_fload, 5, BC_aload, 6, BC_aconst_null,
		BC_astore, 6, BC_aload, 7, BC_aconst_null, BC_astore, 7, BC_lload, 8, BC_iload, 10,
	};
	struct span code = cf_code(&t.cf, t.p.m).code;
	struct insn in;
	uint32_t calls = 0;

	assert_true(probe_entered(&t.p, "enter", 3, &s));
	expect_code(&s, entered, sizeof(entered));
	assert_true(s.entry);
	for (uint32_t pc = 0; pc < code.len && bytecode_decode(code, pc, &in); pc += in.len) {
		if (in.op != BC_invokeinterface)
			continue;
		assert_true(probe_after(&t.p, pc, "after", 99, &s) && s.after && s.stack == 2);
		expect_code(&s, passed, sizeof(passed));
		assert_true(probe_before(&t.p, pc, "before", 1, true, &s));
		if (calls++ == 2)                               /* of six arguments */
			expect_code(&s, spilled, sizeof(spilled));
		else
			assert_int_equal(s.stack, 3);
	}
	assert_true(calls > 3);
	release(&t);
}

/* Behind the release of a monitor, if that is what a handler begins with. */
static void test_handler(void **state)
{
	static const uint8_t code[] = { BC_astore_1, BC_aload_0, BC_monitorexit, BC_aload_1, BC_athrow, BC_pop, BC_aload_0, BC_athrow,
					BC_aload_0, BC_monitorexit };
	struct fixture t;

	(void)state;
	make(&t, 61, code, sizeof(code));
	assert_int_equal(probe_handler(&t.p, 0), 3);
	assert_int_equal(probe_handler(&t.p, 3), 3);
	assert_int_equal(probe_handler(&t.p, 5), 5);
	assert_int_equal(probe_handler(&t.p, 8), 8);            /* nothing is behind it */
	release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),   cmocka_unit_test(test_after),        cmocka_unit_test(test_refused),
		cmocka_unit_test(test_versions), cmocka_unit_test(test_constructors), cmocka_unit_test(test_probes),
		cmocka_unit_test(test_all_constructors), cmocka_unit_test(test_handler),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
