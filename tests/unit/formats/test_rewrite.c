// SPDX-License-Identifier: Apache-2.0
// links: base formats/classfile rewrite
/* test_rewrite.c - code inserted into class files; rewrite_check() says that nothing else changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../../fuzz/rewrite_edits.h"
#include "base/sys/mapfile.h"
#include "codeclass.h"

/* Real class files */

static const char *const real[] = { "classfile/Shapes", "classfile/Shapes$Circle", "classfile/Shapes$Square",
				    "rewrite/Calls" };

static void open_real(struct mapfile *m, const char *name)
{
	char path[200];

	snprintf(path, sizeof(path), "tests/data/%s.class", name);
	assert_true(mapfile_open(m, path));
}

static void test_real(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(real); i++) {
		struct mapfile file;
		struct arena mem;
		struct classfile cf;
		uint32_t edited = 0;

		open_real(&file, real[i]);
		arena_init(&mem);
		assert_true(classfile_parse(&cf, file.bytes, &mem, "test", STR("T"), NULL));
		for (uint64_t seed = 0; seed < 400; seed++)
			edited += rewrite_at_random(&cf, seed, seed % 7 ? 50 : 20000);
		assert_true(edited > 300u * cf.nmethods / 2);
		arena_release(&mem);
		mapfile_close(&file);
	}
}

/* New fields stand behind the old ones, and nothing else changes. */
static void check_fields(const struct classfile *old, struct arena *mem)
{
	static const struct new_field more[] = { { ACC_PRIVATE | ACC_TRANSIENT, { "a$b", 3 }, { "I", 1 } },
						 { ACC_STATIC | ACC_PUBLIC, { "c$d", 3 }, { "J", 1 } } };
	struct classfile new;
	struct span bytes = rewrite_with_fields(old, pool_new(old, mem), NULL, 0, more, 2, mem);

	assert_true(classfile_parse(&new, bytes, mem, "test", STR("T"), NULL));
	assert_int_equal(new.nfields, old->nfields + 2);
	for (uint32_t i = 0; i < old->nfields; i++) {
		assert_int_equal(new.fields[i].access, old->fields[i].access);
		assert_int_equal(new.fields[i].name, old->fields[i].name);
	}
	for (uint32_t i = 0; i < 2; i++) {
		const struct cf_member *f = &new.fields[old->nfields + i];
		assert_int_equal(f->access, more[i].access);
		assert_true(str_eq(cf_utf8(&new, f->name), more[i].name));
		assert_true(str_eq(cf_utf8(&new, f->desc), more[i].desc));
	}
	uint32_t from = new.fields[old->nfields + 1].attrs + 2;
	size_t rest = bytes.len - from;
	assert_int_equal(new.nmethods, old->nmethods);
	assert_memory_equal(bytes.p + from, old->bytes.p + old->bytes.len - rest, rest);
}

static void test_fields(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(real); i++) {
		struct mapfile file;
		struct arena mem;
		struct classfile cf;

		open_real(&file, real[i]);
		arena_init(&mem);
		assert_true(classfile_parse(&cf, file.bytes, &mem, "test", STR("T"), NULL));
		check_fields(&cf, &mem);
		arena_release(&mem);
		mapfile_close(&file);
	}
}

/* Any file that parses can be rewritten. */
static void test_damaged(void **state)
{
	struct mapfile file;
	struct arena mem;
	struct classfile cf;
	uint32_t accepted = 0;

	(void)state;
	open_real(&file, "rewrite/Calls");
	arena_init(&mem);
	for (size_t at = 10; at < file.bytes.len; at++) {
		uint8_t *copy = arena_copy(&mem, file.bytes.p, file.bytes.len);

		copy[at] ^= (uint8_t)(1u << at % 8);
		if (classfile_parse(&cf, (struct span){ copy, file.bytes.len }, &mem, "test", STR("T"), NULL)) {
			rewrite_at_random(&cf, at, 50);
			accepted++;
		}
		arena_clear(&mem);
	}
	assert_true(accepted > 1000);
	arena_release(&mem);
	mapfile_close(&file);
}

/* Files made here: class T with a method m()V */

enum { T_CLASS = 2, OBJECT = 4, N_M = 5, N_DESC = 6, N_CODE = 7, N_MAP = 8, N_OTHER = 9, N_LINES = 10, CALL = 12, COUNT = 13 };

struct made {
	unsigned major;
	uint32_t pool;                  /* entries in all; 0: just those above */
	uint32_t max_stack, max_locals;
	struct strbuf code;
	struct strbuf attrs;            /* of the code */
	unsigned nattrs;
	/* Result of parsing and rewriting */
	struct strbuf bytes;
	struct arena mem;
	struct classfile cf, new;
	struct pool *p;
	struct method_edit edit;
	struct insertion insertions[4];
};

static void made_init(struct made *t, unsigned major)
{
	*t = (struct made){ .major = major, .max_stack = 4, .max_locals = 2 };
	arena_init(&t->mem);
}

static void made_release(struct made *t)
{
	strbuf_release(&t->code);
	strbuf_release(&t->attrs);
	strbuf_release(&t->bytes);
	arena_release(&t->mem);
}

static void put(struct made *t, unsigned op)
{
	cc_put(&t->code, op, 1);
}

static void put_op2(struct made *t, unsigned op, unsigned operand)
{
	cc_put(&t->code, op, 1);
	cc_put(&t->code, operand & 0xffff, 2);
}

static void put_nops(struct made *t, uint32_t n)
{
	while (n-- > 0)
		put(t, BC_nop);
}

static void add_attr(struct made *t, unsigned name, const void *body, uint32_t len)
{
	cc_put(&t->attrs, name, 2);
	cc_put(&t->attrs, len, 4);
	strbuf_add(&t->attrs, body, len);
	t->nattrs++;
}

static void put_constants(struct made *t)
{
	struct strbuf *b = &t->bytes;
	uint32_t count = t->pool ? t->pool : COUNT;

	cc_put(b, count, 2);
	cc_utf8(b, "T");
	cc_one(b, CP_CLASS, 1);
	cc_utf8(b, "java/lang/Object");
	cc_one(b, CP_CLASS, 3);
	cc_utf8(b, "m");
	cc_utf8(b, "()V");
	cc_utf8(b, "Code");
	cc_utf8(b, "StackMapTable");
	cc_utf8(b, "Other");
	cc_utf8(b, "LineNumberTable");
	cc_two(b, CP_NAMETYPE, N_M, N_DESC);
	cc_two(b, CP_METHOD, T_CLASS, 11);
	for (uint32_t i = COUNT; i < count; i++)
		cc_utf8(b, "");
}

static void made_build(struct made *t)
{
	struct strbuf *b = &t->bytes;

	cc_put(b, 0xcafebabe, 4);
	cc_put(b, t->major, 4);
	put_constants(t);
	cc_put(b, 0x0021, 2);
	cc_put(b, T_CLASS, 2);
	cc_put(b, OBJECT, 2);
	cc_put(b, 0, 4);
	cc_put(b, 1, 2);
	cc_put(b, ACC_PUBLIC, 2);
	cc_put(b, N_M, 2);
	cc_put(b, N_DESC, 2);
	cc_put(b, 1, 2);
	cc_put(b, N_CODE, 2);
	cc_put(b, 12 + t->code.len + t->attrs.len, 4);
	cc_put(b, t->max_stack, 2);
	cc_put(b, t->max_locals, 2);
	cc_put(b, t->code.len, 4);
	strbuf_add(b, t->code.s, t->code.len);
	cc_put(b, 0, 2);
	cc_put(b, t->nattrs, 2);
	strbuf_add(b, t->attrs.s, t->attrs.len);
	cc_put(b, 0, 2);
	assert_true(classfile_parse(&t->cf, (struct span){ (const uint8_t *)b->s, b->len }, &t->mem, "made", STR("T"), NULL));
	t->p = pool_new(&t->cf, &t->mem);
	t->edit = (struct method_edit){ .method = 0, .insertions = t->insertions };
}

static void insert_nops(struct made *t, uint32_t pc, uint32_t n)
{
	t->insertions[t->edit.n++] = (struct insertion){ .pc = pc, .code = { arena_zalloc(&t->mem, n), n } };
}

/* Rewrites; when it works the result is the old file with the insertions. Returns why it does not. */
static const char *made_rewrite(struct made *t)
{
	struct span bytes = rewrite_class(&t->cf, t->p, &t->edit, 1, &t->mem);

	if (t->edit.failed) {
		assert_int_equal(bytes.len, 0);
		return t->edit.failed;
	}
	assert_true(classfile_parse(&t->new, bytes, &t->mem, "new", STR("T"), NULL));
	rewrite_check(&t->cf, &t->new, &t->edit, 1);
	return NULL;
}

static struct span new_code(const struct made *t)
{
	return cf_code(&t->new, &t->new.methods[0]).code;
}

/* The instruction of the new code at `pc`. */
static struct insn new_insn(const struct made *t, uint32_t pc)
{
	struct insn in;

	assert_true(bytecode_decode(new_code(t), pc, &in));
	return in;
}

/* Jumps that become too far */

/* `op` over `n` nops, of which code is inserted before the last. */
static void make_jump(struct made *t, unsigned major, unsigned op, uint32_t n, uint32_t inserted)
{
	made_init(t, major);
	if (op != BC_goto && op != BC_jsr)
		put(t, BC_iconst_0);
	uint32_t at = (uint32_t)t->code.len;

	put_op2(t, op, n + 3);
	put_nops(t, n);
	put(t, BC_return);
	/* frames behind the jump and at its target; delta counts from the last frame's successor */
	uint8_t map[] = { 0, 2, 251, 0, (uint8_t)(at + 3), 251, (uint8_t)((n - 1) >> 8), (uint8_t)(n - 1) };

	if (major >= 50)
		add_attr(t, N_MAP, map, sizeof(map));
	made_build(t);
	insert_nops(t, at + 3 + n - 1, inserted);
}

static void test_wide_goto(void **state)
{
	struct made t;

	(void)state;
	make_jump(&t, 61, BC_goto, 32764, 0);
	assert_null(made_rewrite(&t));
	assert_int_equal(new_insn(&t, 0).op, BC_goto);
	made_release(&t);

	make_jump(&t, 61, BC_goto, 32764, 1);
	assert_null(made_rewrite(&t));
	assert_int_equal(new_insn(&t, 0).op, BC_goto_w);
	assert_int_equal(new_insn(&t, 0).a, 32770);
	made_release(&t);

	make_jump(&t, 49, BC_jsr, 32764, 1);
	assert_null(made_rewrite(&t));
	assert_int_equal(new_insn(&t, 0).op, BC_jsr_w);
	made_release(&t);
}

static void test_wide_if(void **state)
{
	static const uint8_t ops[] = { BC_ifeq, BC_ifne, BC_iflt, BC_ifge, BC_ifgt, BC_ifle, BC_if_icmpeq, BC_if_icmpne,
				       BC_if_icmplt, BC_if_icmpge, BC_if_icmpgt, BC_if_icmple, BC_if_acmpeq, BC_if_acmpne,
				       BC_ifnull, BC_ifnonnull };
	struct made t;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(ops); i++) {
		make_jump(&t, i % 2 ? 61 : 49, ops[i], 32764, 1);
		assert_null(made_rewrite(&t));
		assert_int_equal(new_insn(&t, 4).op, BC_goto_w);
		assert_int_equal(new_insn(&t, 4).a, 32774);
		made_release(&t);
	}
}

/* Behind a conditional jump there is no frame as a rule: then the method stays. */
static void test_no_frame(void **state)
{
	struct made t;

	(void)state;
	for (unsigned major = 49; major <= 61; major += 12) {
		static const uint8_t map[] = { 0, 1, 251, 0x80, 0 };

		made_init(&t, major);
		put(&t, BC_iconst_0);
		put_op2(&t, BC_ifeq, 32767);
		put_nops(&t, 32764);
		put(&t, BC_return);
		if (major > 49)
			add_attr(&t, N_MAP, map, sizeof(map));
		made_build(&t);
		insert_nops(&t, 10, 1);
		const char *failed = made_rewrite(&t);

		if (major == 49)
			assert_null(failed);
		else
			assert_string_equal(failed, "a conditional jump would be farther than 32767 bytes");
		made_release(&t);
	}
}

/* One jump that grows pushes the next over its limit, backwards too. */
static void test_chain_of_jumps(void **state)
{
	struct made t;

	(void)state;
	made_init(&t, 49);
	for (int i = 0; i < 10; i++)
		put_op2(&t, BC_goto, 32767u - 2u * (unsigned)(9 - i));
	put_nops(&t, 32790);
	put_op2(&t, BC_goto, (unsigned)-32768);
	put(&t, BC_return);
	made_build(&t);
	insert_nops(&t, 32000, 1);
	assert_null(made_rewrite(&t));
	for (uint32_t i = 0; i < 10; i++)
		assert_int_equal(new_insn(&t, 5 * i).op, BC_goto_w);
	made_release(&t);
}

/* Limits */

static void test_too_long(void **state)
{
	struct made t;

	(void)state;
	for (uint32_t n = 5; n <= 6; n++) {
		made_init(&t, 61);
		put_nops(&t, 65529);
		put(&t, BC_return);
		made_build(&t);
		insert_nops(&t, 7, n);
		if (n == 5)
			assert_null(made_rewrite(&t));
		else
			assert_string_equal(made_rewrite(&t), "its code would be longer than 65535 bytes");
		made_release(&t);
	}
}

static void test_words(void **state)
{
	static const struct {
		uint32_t stack, locals;
		bool ok;
	} rows[] = { { 65530, 65530, true }, { 65531, 3, false }, { 3, 65531, false } };
	struct made t;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		made_init(&t, 61);
		t.max_stack = rows[i].stack;
		t.max_locals = rows[i].locals;
		put(&t, BC_return);
		made_build(&t);
		insert_nops(&t, 0, 2);
		t.insertions[0].stack = t.insertions[0].locals = 5;
		insert_nops(&t, 0, 1);
		t.insertions[1].stack = 1;
		assert_int_equal(made_rewrite(&t) == NULL, rows[i].ok);
		if (rows[i].ok)
			assert_int_equal(cf_code(&t.new, &t.new.methods[0]).max_stack, 65535);
		made_release(&t);
	}
}

static void test_bad_places(void **state)
{
	struct made t;

	(void)state;
	for (uint32_t pc = 0; pc < 6; pc++) {
		made_init(&t, 61);
		put_op2(&t, BC_sipush, 7);
		put(&t, BC_pop);
		put(&t, BC_return);
		made_build(&t);
		insert_nops(&t, pc, 1);
		assert_int_equal(made_rewrite(&t) == NULL, pc == 0 || pc == 3 || pc == 4);
		made_release(&t);
	}
	made_init(&t, 61);
	put_op2(&t, BC_goto, 1);
	put(&t, BC_return);
	made_build(&t);
	insert_nops(&t, 3, 1);
	assert_string_equal(made_rewrite(&t), "its bytecode names a place inside an instruction");
	made_release(&t);
}

static void test_full_pool(void **state)
{
	struct made t;

	(void)state;
	made_init(&t, 61);
	t.pool = 65533;
	put(&t, BC_return);
	made_build(&t);
	assert_int_equal(pool_int(t.p, 70000), 65533);
	assert_int_equal(pool_int(t.p, -1), 65534);
	assert_int_equal(pool_int(t.p, 70000), 65533);
	assert_int_equal(pool_int(t.p, 70001), 0);
	assert_int_equal(pool_class(t.p, STR("a/B")), 0);
	assert_int_equal(pool_method(t.p, "a/B", "m", "()V"), 0);
	insert_nops(&t, 0, 1);
	assert_null(made_rewrite(&t));
	assert_int_equal(t.new.ncp, 65535);
	assert_int_equal(cf_int(&t.new, 65533), 70000);
	made_release(&t);
}

static void test_pool(void **state)
{
	struct made t;

	(void)state;
	made_init(&t, 61);
	put(&t, BC_return);
	made_build(&t);
	uint16_t hit = pool_method(t.p, "a/B", "hit", "()V"), miss = pool_method(t.p, "a/B", "miss", "()V");
	uint16_t class = pool_class(t.p, STR("a/B")), first = pool_int(t.p, 9);

	for (int32_t i = 100; i > -100; i -= 7)
		pool_int(t.p, i);
	assert_int_equal(pool_method(t.p, "a/B", "hit", "()V"), hit);
	assert_int_equal(pool_method(t.p, "a/B", "miss", "()V"), miss);
	assert_int_equal(pool_int(t.p, 9), first);
	insert_nops(&t, 0, 1);
	assert_null(made_rewrite(&t));
	assert_true(str_is(cf_ref(&t.new, hit).name, "hit"));
	assert_true(str_is(cf_ref(&t.new, miss).name, "miss"));
	assert_int_equal(cf_ref(&t.new, hit).owner, class);
	assert_int_equal(cf_ref(&t.new, miss).owner, class);
	assert_true(str_is(cf_name(&t.new, class), "a/B"));
	/* the class and its name; a descriptor; name, type and reference of two methods; integers */
	assert_int_equal(t.new.ncp, COUNT + 2 + 1 + 2 * 3 + 29);
	made_release(&t);
}

/* Attributes */

static void test_other_attributes(void **state)
{
	static const uint8_t lines[] = { 0, 2, 0, 1, 0, 20, 0, 0, 0, 10 }, map[] = { 0, 1, 0 };
	struct made t;

	(void)state;
	for (unsigned major = 49; major <= 50; major++) {
		made_init(&t, major);
		put(&t, BC_nop);
		put(&t, BC_return);
		add_attr(&t, N_OTHER, "abc", 3);
		add_attr(&t, N_LINES, lines, sizeof(lines));
		add_attr(&t, N_MAP, map, sizeof(map));
		add_attr(&t, N_LINES, lines, sizeof(lines));
		made_build(&t);
		insert_nops(&t, 1, 4);
		assert_null(made_rewrite(&t));
		struct cf_attrs it = cf_attrs(&t.new, cf_code(&t.new, &t.new.methods[0]).attrs);

		assert_int_equal(it.left, major == 49 ? 2 : 3);         /* version 49 has no StackMapTable */
		assert_int_equal(cf_line(&t.new, &t.new.methods[0], 1), 20);
		assert_int_equal(cf_line(&t.new, &t.new.methods[0], 0), 10);
		made_release(&t);
	}
}

/* Versions before 51 may have damaged stack maps: the JVM does without them. */
static void test_damaged_map(void **state)
{
	static const uint8_t map[] = { 0, 2, 200 };
	struct made t;

	(void)state;
	made_init(&t, 50);
	put(&t, BC_return);
	add_attr(&t, N_MAP, map, sizeof(map));
	made_build(&t);
	insert_nops(&t, 0, 4);
	assert_null(made_rewrite(&t));
	assert_int_equal(cf_attrs(&t.new, cf_code(&t.new, &t.new.methods[0]).attrs).left, 0);
	made_release(&t);
}

struct target {                 /* of a type annotation */
	uint8_t type;
	uint16_t start, len, slot;      /* or the offset alone */
};

static uint32_t u2_at(const struct classfile *cf, uint32_t *at)
{
	*at += 2;
	return cf_u2(cf, *at - 2);
}

/* Reads the targets in Calls.annotated; its annotations have at most arrays of strings or a class. */
static uint32_t read_targets(const struct classfile *cf, uint32_t at, struct target *out)
{
	uint32_t n = u2_at(cf, &at);

	for (uint32_t i = 0; i < n; i++) {
		struct target *t = &out[i];

		*t = (struct target){ .type = cf->bytes.p[at++] };
		if (t->type == 0x40)
			assert_int_equal(u2_at(cf, &at), 1);
		t->start = (uint16_t)u2_at(cf, &at);
		if (t->type == 0x40) {
			t->len = (uint16_t)u2_at(cf, &at);
			t->slot = (uint16_t)u2_at(cf, &at);
		}
		at += t->type >= 0x47;
		at += 1 + 2u * cf->bytes.p[at] + 2;
		if (u2_at(cf, &at) == 0)
			continue;
		at += 2;
		uint8_t tag = cf->bytes.p[at++];
		uint32_t more = u2_at(cf, &at);

		at += tag == '[' ? 3 * more : 0;
	}
	return n;
}

static const struct cf_member *method(const struct classfile *cf, const char *name, uint32_t *row)
{
	for (*row = 0; *row < cf->nmethods; ++*row)
		if (str_is(cf_utf8(cf, cf->methods[*row].name), name))
			return &cf->methods[*row];
	fail_msg("no method %s", name);
	return NULL;
}

static void load_calls(struct made *t)
{
	struct mapfile file;

	made_init(t, 61);
	open_real(&file, "rewrite/Calls");
	strbuf_add(&t->bytes, file.bytes.p, file.bytes.len);
	mapfile_close(&file);
	assert_true(classfile_parse(&t->cf, (struct span){ (const uint8_t *)t->bytes.s, t->bytes.len }, &t->mem, "calls",
				    STR("Calls"), NULL));
	t->p = pool_new(&t->cf, &t->mem);
	t->edit.insertions = t->insertions;
}

/* Is there a variable that lives exactly there? */
static bool has_local(const struct classfile *cf, const struct cf_member *m, const struct target *t)
{
	struct cf_table it = cf_locals(cf, m);
	struct cf_local_row row;

	while (cf_locals_next(cf, &it, &row))
		if (row.slot == t->slot && row.pc == t->start && row.len == t->len)
			return true;
	return false;
}

static void test_type_annotations(void **state)
{
	struct target old[20], new[20];
	struct cf_attr a, b;
	struct made t;

	(void)state;
	load_calls(&t);
	const struct cf_member *m = method(&t.cf, "annotated", &t.edit.method);
	struct cf_code code = cf_code(&t.cf, m);

	assert_true(cf_attr_find(&t.cf, code.attrs, "RuntimeVisibleTypeAnnotations", &a));
	uint32_t n = read_targets(&t.cf, a.body, old), offsets = 0;

	for (uint32_t i = 0; i < n; i++)
		if (old[i].type == 0x44)                /* new */
			insert_nops(&t, old[i].start, 300);
	assert_true(t.edit.n > 0);
	assert_null(made_rewrite(&t));
	m = &t.new.methods[t.edit.method];
	assert_true(cf_attr_find(&t.new, cf_code(&t.new, m).attrs, "RuntimeVisibleTypeAnnotations", &b));
	assert_int_equal(read_targets(&t.new, b.body, new), n);
	for (uint32_t i = 0; i < n; i++) {
		assert_int_equal(old[i].type, new[i].type);
		if (old[i].type == 0x40) {
			assert_true(has_local(&t.new, m, &new[i]));
		} else if (old[i].type >= 0x43) {
			assert_int_equal(cf_code(&t.new, m).code.p[new[i].start], code.code.p[old[i].start]);
			offsets++;
		}
	}
	assert_int_equal(offsets, 3);
	made_release(&t);
}

/* Probes */

static void expect_bytes(struct span got, const uint8_t *want, size_t n)
{
	assert_int_equal(got.len, n);
	assert_memory_equal(got.p, want, n);
}

/* The pc of the nth call of a method. */
static uint32_t call_at(const struct classfile *cf, const struct cf_member *m, int nth)
{
	struct span code = cf_code(cf, m).code;
	struct insn in = { .len = 1 };

	for (uint32_t pc = 0; pc < code.len && bytecode_decode(code, pc, &in); pc += in.len)
		if ((in.op == BC_invokevirtual || in.op == BC_invokeinterface) && nth-- == 0)
			return pc;
	fail_msg("no such call");
	return 0;
}

static void test_probes(void **state)
{
	struct made t;
	struct insertion s;

	(void)state;
	load_calls(&t);
	const struct cf_member *m = method(&t.cf, "stack", &t.edit.method);
	uint16_t hit = pool_method(t.p, PROBE, "hit", "(Ljava/lang/Object;I)V"), large = pool_int(t.p, 40000);
	uint8_t h = (uint8_t)(hit >> 8), l = (uint8_t)hit;
	const uint8_t two[] = { BC_dup2_x1, BC_pop2, BC_dup, BC_iconst_5, BC_invokestatic, h, l, BC_dup_x2, BC_pop };
	const uint8_t one[] = { BC_swap, BC_dup, BC_bipush, 127, BC_invokestatic, h, l, BC_swap };
	const uint8_t none[] = { BC_dup, BC_sipush, 0x01, 0x00, BC_invokestatic, h, l };
	const uint8_t many[] = {
		BC_istore, 9, BC_lstore, 7, BC_astore, 6, BC_astore, 5, BC_fstore, 4, BC_dstore, 2,
		BC_dup, BC_ldc_w, (uint8_t)(large >> 8), (uint8_t)large, BC_invokestatic, h, l,
		BC_dload, 2, BC_fload, 4, BC_aload, 5, BC_aconst_null, BC_astore, 5, BC_aload, 6, BC_aconst_null, BC_astore, 6,
		BC_lload, 7, BC_iload, 9,
	};

	assert_true(probe_call(&t.cf, m, call_at(&t.cf, m, 0), t.p, PROBE, "hit", 5, &t.mem, &s));      /* with(long) */
	expect_bytes(s.code, two, sizeof(two));
	assert_int_equal(s.stack, 2);
	assert_true(probe_call(&t.cf, m, call_at(&t.cf, m, 1), t.p, PROBE, "hit", 5, &t.mem, &s));      /* with(int, Object) */
	expect_bytes(s.code, two, sizeof(two));
	assert_true(probe_call(&t.cf, m, call_at(&t.cf, m, 2), t.p, PROBE, "hit", 40000, &t.mem, &s));  /* six arguments */
	expect_bytes(s.code, many, sizeof(many));
	assert_int_equal(s.locals, 8);
	assert_true(probe_call(&t.cf, m, call_at(&t.cf, m, 3), t.p, PROBE, "hit", 127, &t.mem, &s));    /* self(Shape) */
	expect_bytes(s.code, one, sizeof(one));
	m = method(&t.cf, "loop", &t.edit.method);
	assert_true(probe_call(&t.cf, m, call_at(&t.cf, m, 0), t.p, PROBE, "hit", 256, &t.mem, &s));    /* toString() */
	expect_bytes(s.code, none, sizeof(none));
	made_release(&t);
}

static void test_three_words(void **state)
{
	struct made t;
	struct insertion s;

	(void)state;
	load_calls(&t);
	const struct cf_member *m = method(&t.cf, "threeWords", &t.edit.method);
	uint16_t hit = pool_method(t.p, PROBE, "hit", "(Ljava/lang/Object;I)V");
	uint8_t h = (uint8_t)(hit >> 8), l = (uint8_t)hit;
	const uint8_t moved[] = { BC_dup2_x2, BC_pop2, BC_swap, BC_dup, BC_iconst_0, BC_invokestatic, h, l,
				  BC_swap, BC_dup2_x2, BC_pop2 };
	const uint8_t spilled[] = { BC_astore, 4, BC_lstore, 2, BC_dup, BC_iconst_0, BC_invokestatic, h, l,
				    BC_lload, 2, BC_aload, 4, BC_aconst_null, BC_astore, 4 };

	for (int call = 0; call < 2; call++) {                  /* with(int, float, Object), with(Object, long) */
		assert_true(probe_call(&t.cf, m, call_at(&t.cf, m, call), t.p, PROBE, "hit", 0, &t.mem, &s));
		expect_bytes(s.code, moved, sizeof(moved));
		assert_int_equal(s.stack, 2);
		assert_int_equal(s.locals, 0);
	}
	assert_true(probe_call(&t.cf, m, call_at(&t.cf, m, 2), t.p, PROBE, "hit", 0, &t.mem, &s));      /* with(long, Object) */
	expect_bytes(s.code, spilled, sizeof(spilled));
	assert_int_equal(s.locals, 3);
	made_release(&t);
}

static void test_no_probes(void **state)
{
	struct made t;
	struct insertion s;

	(void)state;
	made_init(&t, 61);
	put(&t, BC_aload_0);
	put_op2(&t, BC_invokevirtual, CALL);
	put_op2(&t, BC_invokevirtual, T_CLASS);         /* no method */
	put_op2(&t, BC_invokestatic, CALL);
	put(&t, BC_return);
	made_build(&t);
	const struct cf_member *m = &t.cf.methods[0];

	for (uint32_t pc = 0; pc < 20; pc++)
		assert_int_equal(probe_call(&t.cf, m, pc, t.p, PROBE, "hit", 1, &t.mem, &s), pc == 1);
	assert_false(probe_entry(&t.cf, m, t.p, PROBE, "begin", 1, &t.mem, &s));         /* no argument */
	made_release(&t);
}

/* The loop of Calls.loop begins at pc 0, where its argument may be another object. */
static void test_entry(void **state)
{
	struct made t;

	(void)state;
	load_calls(&t);
	const struct cf_member *m = method(&t.cf, "loop", &t.edit.method);

	assert_true(probe_entry(&t.cf, m, t.p, PROBE, "begin", 3, &t.mem, &t.insertions[0]));
	t.edit.n = 1;
	insert_nops(&t, 0, 2);
	assert_null(made_rewrite(&t));
	struct cf_frames it = cf_frames(&t.new, &t.new.methods[t.edit.method]);
	struct cf_frame f;

	assert_true(cf_frames_next(&t.new, &it, &f));
	assert_int_equal(f.pc, t.insertions[0].code.len);
	assert_int_equal(cf_line(&t.new, &t.new.methods[t.edit.method], 0), cf_line(&t.cf, m, 0));
	made_release(&t);

	load_calls(&t);                                 /* not where others would run before it */
	m = method(&t.cf, "loop", &t.edit.method);
	insert_nops(&t, 0, 2);
	assert_true(probe_entry(&t.cf, m, t.p, PROBE, "begin", 3, &t.mem, &t.insertions[1]));
	t.edit.n = 2;
	assert_non_null(made_rewrite(&t));
	made_release(&t);
}

/* Before an instruction, with what is on the stack and in locals. */
static void test_at(void **state)
{
	static const uint16_t args[] = { PROBE_TOP, 0, 300 };
	struct made t;
	struct insertion s;

	(void)state;
	made_init(&t, 61);
	put(&t, BC_aload_0);
	put_op2(&t, BC_invokevirtual, CALL);
	put(&t, BC_return);
	made_build(&t);
	const struct cf_member *m = &t.cf.methods[0];

	for (uint32_t pc = 0; pc < 9; pc++)
		assert_int_equal(probe_at(&t.cf, m, pc, t.p, PROBE, "note", args, 1, 7, &t.mem, &s), pc == 0 || pc == 1 || pc == 4);
	assert_false(probe_at(&t.cf, m, 1, t.p, PROBE, "note", args, 5, 7, &t.mem, &s));
	assert_true(probe_at(&t.cf, m, 0, t.p, PROBE, "note", args + 1, 1, 7, &t.mem, &s) && s.entry);
	assert_true(probe_at(&t.cf, m, 1, t.p, PROBE, "note", args, 3, 7, &t.mem, &s) && !s.entry);
	static const uint8_t want[] = { BC_dup, BC_aload, 0, BC_wide, BC_aload, 300 >> 8, 300 & 0xff, BC_bipush, 7, BC_invokestatic };
	assert_int_equal(s.code.len, sizeof(want) + 2);
	assert_memory_equal(s.code.p, want, sizeof(want));
	assert_int_equal(s.stack, 4);
	made_release(&t);
}

static uint32_t original(const struct method_edit *e, uint32_t pc)
{
	uint32_t i = e->nmoves;

	while (i > 1 && e->moves[i - 1].at > pc)
		i--;
	return pc - e->moves[i - 1].by;
}

/* Rows of moves lead back from every instruction to where it was. */
static void test_moves(void **state)
{
	struct made t;

	(void)state;
	load_calls(&t);
	const struct cf_member *m = method(&t.cf, "loop", &t.edit.method);

	assert_true(probe_entry(&t.cf, m, t.p, PROBE, "begin", 3, &t.mem, &t.insertions[0]));
	t.edit.n = 1;
	t.edit.keeps_moves = true;
	uint32_t entry = (uint32_t)t.insertions[0].code.len, len = (uint32_t)cf_code(&t.cf, m).code.len;
	struct insn in;
	assert_true(bytecode_decode(cf_code(&t.cf, m).code, 0, &in));
	insert_nops(&t, in.len, 2);
	assert_null(made_rewrite(&t));
	assert_int_equal(t.edit.nmoves, 2);
	assert_int_equal(original(&t.edit, entry), 0);
	assert_int_equal(original(&t.edit, entry + 2 + in.len), in.len);
	assert_int_equal(original(&t.edit, entry + 2 + len - 1), len - 1);
	made_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_real), cmocka_unit_test(test_fields),          cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_wide_goto),     cmocka_unit_test(test_wide_if),
		cmocka_unit_test(test_no_frame),      cmocka_unit_test(test_chain_of_jumps),
		cmocka_unit_test(test_too_long),      cmocka_unit_test(test_words),
		cmocka_unit_test(test_bad_places),    cmocka_unit_test(test_full_pool),
		cmocka_unit_test(test_pool),          cmocka_unit_test(test_other_attributes),
		cmocka_unit_test(test_damaged_map),   cmocka_unit_test(test_type_annotations),
		cmocka_unit_test(test_probes),        cmocka_unit_test(test_three_words),
		cmocka_unit_test(test_no_probes),     cmocka_unit_test(test_entry), cmocka_unit_test(test_at), cmocka_unit_test(test_moves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
