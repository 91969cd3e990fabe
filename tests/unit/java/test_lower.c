// SPDX-License-Identifier: Apache-2.0
// links: base algo formats/archive formats/classfile ir load
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "../formats/codeclass.h"
#include "formats/classfile/bytecode.h"
#include "load/lower/lower.h"

struct fixture {
	struct program p;
	struct diag d;
	struct loader *l;
	struct arena mem, scratch;
	struct strbuf bytes, out;
	struct unit u;
};

static int setup(void **state)
{
	struct fixture *f = mem_zalloc(sizeof(*f));

	diag_init(&f->d);
	program_init(&f->p, &f->d);
	f->l = loader_open(&f->p, &(struct loader_opt){ 0 }, &f->d);
	arena_init(&f->mem);
	arena_init(&f->scratch);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	program_release(&f->p);
	loader_free(f->l);
	diag_release(&f->d);
	arena_release(&f->mem);
	arena_release(&f->scratch);
	strbuf_release(&f->bytes);
	strbuf_release(&f->out);
	free(f);
	return 0;
}

static const struct ir_body *lower(struct fixture *f, const struct codeclass *c)
{
	codeclass_build(c, &f->bytes);
	assert_true(codeclass_load(&f->p, &f->u, (struct span){ (const uint8_t *)f->bytes.s, f->bytes.len }, STR("T")));
	return lower_method(&f->p, &f->u, 0, &f->mem, &f->scratch);
}

static void lowers_to(struct fixture *f, const struct codeclass *c, const char *text)
{
	const struct ir_body *b = lower(f, c);
	const char *reason = NULL;

	if (!b)
		fail_msg("%s", f->d.entries.data[f->d.entries.len - 1].text);
	if (!body_check(b, &f->mem, &reason))
		fail_msg("%s", reason);
	body_print(&f->p, b, &f->out);
	assert_string_equal(f->out.s, text);
}

static void fails(struct fixture *f, const struct codeclass *c, enum diag_code code, const char *what)
{
	assert_null(lower(f, c));
	const struct diag_entry *e = &f->d.entries.data[f->d.entries.len - 1];

	assert_int_equal(e->code, code);
	if (!strstr(e->text, what))
		fail_msg("'%s' does not say '%s'", e->text, what);
}

#define CODE(...) .code = (const uint8_t[]){ __VA_ARGS__ }, .len = sizeof((const uint8_t[]){ __VA_ARGS__ })
#define HANDLERS(...) \
	.handlers = (const uint8_t[]){ __VA_ARGS__ }, .nhandlers = sizeof((const uint8_t[]){ __VA_ARGS__ }) / 8
#define STATIC(descriptor, stack, locals) \
	.desc = descriptor, .is_static = true, .max_stack = stack, .max_locals = locals

static void test_straight(void **state)
{
	lowers_to(*state, &(struct codeclass){ STATIC("(IJ)I", 6, 3),
		CODE(BC_iload_0, BC_lload_1, BC_l2i, BC_iadd, BC_wide, BC_iinc, 0, 0, 0xff, 0xfe, BC_iload_0, BC_imul,
		     BC_ireturn) },
		"b0:\n"
		"  int v1 = param 0\n"
		"  long v2 = param 1\n"
		"  v3 = op.l2i (v2) @2\n"
		"  v4 = op.iadd (v1, v3) @3\n"
		"  v5 = const.int -2 @4\n"
		"  v6 = op.iadd (v1, v5) @4\n"
		"  v7 = op.imul (v4, v6) @11\n"
		"  return (v7) @12\n");
}

/* while (i != 0) { i = i + 1; } with the loop at pc 0: it needs an entry block of its own */
static void test_loop_at_start(void **state)
{
	lowers_to(*state, &(struct codeclass){ STATIC("(I)V", 2, 1),
		CODE(BC_iload_0, BC_ifeq, 0, 9, BC_iinc, 0, 1, BC_goto, 0xff, 0xf9, BC_return) },
		"b0:\n"
		"  int v1 = param 0\n"
		"  goto b1\n"
		"b1: preds b0 b2\n"
		"  int v2 = phi (v1, v4)\n"
		"  if.ifeq (v2) b3, b2 @1\n"
		"b2: preds b1 @4\n"
		"  v3 = const.int 1 @4\n"
		"  v4 = op.iadd (v2, v3) @4\n"
		"  goto b1 @7\n"
		"b3: preds b1 @10\n"
		"  return @10\n");
}

/* Values on the stack across a join: c ? 1 : 2 */
static void test_stack_join(void **state)
{
	lowers_to(*state, &(struct codeclass){ STATIC("(I)I", 2, 1),
		CODE(BC_iload_0, BC_ifeq, 0, 7, BC_iconst_1, BC_goto, 0, 4, BC_iconst_2, BC_ireturn) },
		"b0:\n"
		"  int v1 = param 0\n"
		"  if.ifeq (v1) b2, b1 @1\n"
		"b1: preds b0 @4\n"
		"  v2 = const.int 1 @4\n"
		"  goto b3 @5\n"
		"b2: preds b0 @8\n"
		"  v3 = const.int 2 @8\n"
		"  goto b3 @8\n"
		"b3: preds b1 b2 @9\n"
		"  int v4 = phi (v2, v3) @9\n"
		"  return (v4) @9\n");
}

/* x = 1; m(); x = 2; m(); catch (any): return x: the handler sees both values */
static void test_handler_sees_stores(void **state)
{
	lowers_to(*state, &(struct codeclass){ STATIC("()I", 1, 2),
		CODE(BC_iconst_1, BC_istore_0, BC_invokestatic, 0, CC_VOID,
		     BC_iconst_2, BC_istore_0, BC_invokestatic, 0, CC_VOID, BC_iload_0, BC_ireturn,
		     BC_pop, BC_iload_0, BC_ireturn),
		HANDLERS(0, 0, 0, 10, 0, 12, 0, 0) },
		"b0:\n"
		"  v1 = const.int 1\n"
		"  goto b1 @1\n"
		"b1: preds b0 handlers b4 @2\n"
		"  call.static T.m:()V @2\n"
		"  v2 = const.int 2 @5\n"
		"  goto b2 @6\n"
		"b2: preds b1 handlers b4 @7\n"
		"  call.static T.m:()V @7\n"
		"  goto b3 @7\n"
		"b3: preds b2 @10\n"
		"  return (v2) @11\n"
		"b4: preds b1 b2 @12\n"
		"  v3 = catch java/lang/Throwable @12\n"
		"  int v4 = phi (v1, v2) @12\n"
		"  return (v4) @14\n");
}

/* Two types caught at one place, and code that goes there too: landing blocks remain. */
static void test_shared_handler(void **state)
{
	lowers_to(*state, &(struct codeclass){ STATIC("()V", 1, 0),
		CODE(BC_invokestatic, 0, CC_VOID, BC_aconst_null, BC_pop, BC_return),
		HANDLERS(0, 0, 0, 3, 0, 4, 0, CC_T, 0, 0, 0, 3, 0, 4, 0, 0) },
		"b0: handlers b2 b3\n"
		"  call.static T.m:()V\n"
		"  goto b1\n"
		"b1: preds b0 @3\n"
		"  v1 = const.null @3\n"
		"  goto b4 @3\n"
		"b2: preds b0 @4\n"
		"  v2 = catch T @4\n"
		"  goto b4 @4\n"
		"b3: preds b0 @4\n"
		"  v3 = catch java/lang/Throwable @4\n"
		"  goto b4 @4\n"
		"b4: preds b1 b2 b3 @4\n"
		"  return @5\n");
}

/* jsr twice to one subroutine: two copies of it, each returning to its caller */
static void test_subroutine(void **state)
{
	lowers_to(*state, &(struct codeclass){ STATIC("(I)I", 2, 2),
		CODE(BC_jsr, 0, 8, BC_jsr, 0, 5, BC_iload_0, BC_ireturn, BC_astore_1, BC_iinc, 0, 5, BC_ret, 1) },
		"b0:\n"
		"  int v1 = param 0\n"
		"  v2 = undef\n"
		"  goto b1\n"
		"b1: preds b0 @8\n"
		"  v3 = const.int 5 @9\n"
		"  v4 = op.iadd (v1, v3) @9\n"
		"  goto b2 @12\n"
		"b2: preds b1 @3\n"
		"  v5 = undef @3\n"
		"  goto b3 @3\n"
		"b3: preds b2 @8\n"
		"  v6 = const.int 5 @9\n"
		"  v7 = op.iadd (v4, v6) @9\n"
		"  goto b4 @12\n"
		"b4: preds b3 @6\n"
		"  return (v7) @7\n");
}

/* try { m(); } finally { m(); } as compilers once made it */
static void test_finally(void **state)
{
	lowers_to(*state, &(struct codeclass){ STATIC("()V", 1, 2),
		CODE(BC_invokestatic, 0, CC_VOID, BC_jsr, 0, 10, BC_return,
		     BC_astore_0, BC_jsr, 0, 5, BC_aload_0, BC_athrow,
		     BC_astore_1, BC_invokestatic, 0, CC_VOID, BC_ret, 1),
		HANDLERS(0, 0, 0, 6, 0, 7, 0, 0, 0, 7, 0, 11, 0, 7, 0, 0) },
		"b0: handlers b3\n"
		"  call.static T.m:()V\n"
		"  v1 = undef @3\n"
		"  goto b1 @3\n"
		"b1: preds b0 @13\n"
		"  call.static T.m:()V @14\n"
		"  goto b2 @17\n"
		"b2: preds b1 @6\n"
		"  return @6\n"
		"b3: preds b0 @7\n"
		"  v2 = catch java/lang/Throwable @7\n"
		"  v3 = undef @8\n"
		"  goto b4 @8\n"
		"b4: preds b3 @13\n"
		"  call.static T.m:()V @14\n"
		"  goto b5 @17\n"
		"b5: preds b4 @11\n"
		"  throw (v2) @12\n");
}

/* A subroutine that is left by a jump and called again: its first activation is over. */
static void test_abandoned_subroutine(void **state)
{
	struct fixture *f = *state;
	const char *reason = NULL;
	const struct ir_body *b = lower(f, &(struct codeclass){ STATIC("()V", 1, 1),
		CODE(BC_jsr, 0, 6, BC_goto, 0xff, 0xfd, BC_astore_0, BC_goto, 0xff, 0xf9) });

	assert_non_null(b);
	assert_true(body_check(b, &f->mem, &reason));
	assert_true(b->nblocks < 6);
}

/* Each of 24 subroutines calls the next one twice: 2^24 copies */
static void test_subroutine_explosion(void **state)
{
	uint8_t code[24 * 12 + 16];
	uint32_t n = 0;

	for (unsigned i = 0; i < 24; i++) {
		uint8_t local = (uint8_t)i;
		const uint8_t sub[] = { BC_wide, BC_astore, 0, local, BC_jsr, 0, 8, BC_jsr, 0, 5, BC_ret, local };

		memcpy(code + n, sub, sizeof(sub));
		n += (uint32_t)sizeof(sub);
	}
	memcpy(code + n, (const uint8_t[]){ BC_astore, 30, BC_ret, 30 }, 4);
	uint8_t whole[sizeof(code) + 4] = { BC_jsr, 0, 4, BC_return };

	memcpy(whole + 4, code, n + 4);
	struct codeclass c = { STATIC("()V", 1, 40), .code = whole, .len = n + 8 };

	fails(*state, &c, DIAG_E021, "too complex");
}

static void test_dup_forms(void **state)
{
	lowers_to(*state, &(struct codeclass){ STATIC("(IJ)V", 9, 3),
		CODE(BC_iload_0, BC_lload_1, BC_dup2_x1, BC_pop2,       /* J I */
		     BC_iconst_5, BC_dup_x1, BC_iadd, BC_swap,          /* J I+5 5 */
		     BC_isub, BC_dup_x2, BC_i2l, BC_ladd,               /* D L+J */
		     BC_putstatic, 0, CC_FIELD_LONG, BC_putstatic, 0, CC_FIELD_INT, BC_return) },
		"b0:\n"
		"  int v1 = param 0\n"
		"  long v2 = param 1\n"
		"  v3 = const.int 5 @4\n"
		"  v4 = op.iadd (v1, v3) @6\n"
		"  v5 = op.isub (v4, v3) @8\n"
		"  v6 = op.i2l (v5) @10\n"
		"  v7 = op.ladd (v2, v6) @11\n"
		"  putstatic T.m:J (v7) @12\n"
		"  putstatic T.m:I (v5) @15\n"
		"  return @18\n");
}

/* A jsr to `target`, at the end of `b`. */
static void add_jsr(struct strbuf *b, uint32_t target)
{
	size_t at = b->len;

	cc_put(b, BC_jsr, 1);
	cc_put(b, target - at, 2);
}

/* A subroutine: it may call `target` n times. */
static void add_subroutine(struct strbuf *b, uint8_t local, uint32_t target, uint32_t n)
{
	cc_put(b, BC_astore, 1);
	cc_put(b, local, 1);
	for (uint32_t i = 0; i < n; i++) {
		cc_put(b, BC_iconst_0, 1);
		cc_put(b, (uint32_t)BC_ifeq << 16 | 6, 3);
		add_jsr(b, target);
	}
	cc_put(b, BC_ret, 1);
	cc_put(b, local, 1);
}

/* Subroutines that call the next one three times have many contexts; then one that calls itself looks for its own
 * among them, for each of its calls in each of its contexts. */
static void test_subroutine_work(void **state)
{
	enum { LEVELS = 8, MAIN = 3 * 3 + 3 + 1, SIZE = 2 + 3 * 7 + 2 };
	struct strbuf b = { 0 };

	for (uint32_t i = 0; i < 3; i++)
		add_jsr(&b, MAIN);
	add_jsr(&b, MAIN + (LEVELS - 1) * SIZE + 4);
	cc_put(&b, BC_return, 1);
	for (uint32_t k = 0; k < LEVELS; k++)
		add_subroutine(&b, (uint8_t)k, MAIN + (k + 1) * SIZE, k + 1 < LEVELS ? 3 : 0);
	add_subroutine(&b, LEVELS, (uint32_t)b.len, 140);
	fails(*state, &(struct codeclass){ STATIC("()V", 2, 16), .code = (const uint8_t *)b.s,
					  .len = (uint32_t)b.len }, DIAG_E021, "too complex");
	strbuf_release(&b);
}

/* The class of a constant never takes an existing name. */
static void test_taken_name(void **state)
{
	struct fixture *f = *state;

	program_class(&f->p, STR("T$$Constant$m#33"));
	lowers_to(f, &(struct codeclass){ STATIC("()V", 2, 0),
		CODE(BC_ldc, CC_DYNAMIC, BC_pop, BC_ldc, CC_DYNAMIC, BC_pop, BC_return) },
		"b0:\n"
		"  call.static linked T.m:(IJ)D\n"
		"  v1 = call.static lowered \"T$$Constant$m#33'\".m:()Ljava/lang/Object;\n"
		"  call.static linked T.m:(IJ)D @3\n"
		"  v2 = call.static lowered \"T$$Constant$m#33'\".m:()Ljava/lang/Object; @3\n"
		"  return @6\n");
}

static void test_constants(void **state)
{
	lowers_to(*state, &(struct codeclass){ STATIC("()V", 12, 0),
		CODE(BC_ldc, CC_INT, BC_ldc_w, 0, CC_FLOAT, BC_ldc2_w, 0, CC_LONG, BC_ldc2_w, 0, CC_DOUBLE,
		     BC_ldc, CC_STRING, BC_ldc, CC_MTYPE, BC_ldc, CC_HANDLE, BC_ldc, CC_DYNAMIC,
		     BC_ldc, CC_ARRAY2, BC_pop, BC_return) },
		"b0:\n"
		"  v1 = const.int 7\n"
		"  v2 = const.float 1.5 @2\n"
		"  v3 = const.long -3 @5\n"
		"  v4 = const.double 0x7ff8000000000001 @8\n"
		"  v5 = const.string \"m\" @11\n"
		"  v6 = const.methodtype \"(IJ)D\" @13\n"
		"  v7 = const.handle invokeStatic T.m:(IJ)D @15\n"
		"  call.static linked T.m:(IJ)D @17\n"
		"  v8 = call.static lowered \"T$$Constant$m#33\".m:()Ljava/lang/Object; @17\n"
		"  v9 = const.class [[I @19\n"
		"  return @22\n");
}

static void test_objects(void **state)
{
	lowers_to(*state, &(struct codeclass){ .desc = "(I)V", .max_stack = 9, .max_locals = 2,
		CODE(BC_iload_1, BC_iload_1, BC_multianewarray, 0, CC_ARRAY2, 2, BC_iload_1, BC_aaload,
		     BC_checkcast, 0, CC_T, BC_dup, BC_getfield, 0, CC_FIELD_LONG, BC_pop2, BC_iload_1, BC_lconst_1,
		     BC_invokeinterface, 0, CC_ICALL, 4, 0, BC_pop2,
		     BC_aload_0, BC_invokedynamic, 0, CC_INDY, 0, 0, BC_pop,
		     BC_iload_1, BC_newarray, 8, BC_iconst_0, BC_iconst_1, BC_bastore, BC_return) },
		"b0:\n"
		"  v1 = param 0\n"
		"  int v2 = param 1\n"
		"  v3 = newarray [[I (v2, v2) @2\n"
		"  v4 = aload.object (v3, v2) @7\n"
		"  v5 = cast T (v4) @8\n"
		"  v6 = getfield T.m:J (v5) @12\n"
		"  v7 = const.long 1 @17\n"
		"  v8 = call.interface interface java/lang/Object.m:(IJ)D (v5, v2, v7) @18\n"
		"  call.static linked T.m:(IJ)D @25\n"
		"  v9 = call.static lowered \"T$$Link$m#0@25\".m:()Ljava/lang/invoke/CallSite; @25\n"
		"  v10 = call.virtual lowered java/lang/invoke/CallSite.getTarget:()Ljava/lang/invoke/MethodHandle; (v9) @25\n"
		"  v11 = call.virtual target java/lang/invoke/MethodHandle.invokeExact:(Ljava/lang/Object;)Ljava/lang/Runnable; (v10, v1) @25\n"
		"  v12 = newarray [B (v2) @32\n"
		"  v13 = const.int 0 @34\n"
		"  v14 = const.int 1 @35\n"
		"  astore.byte (v12, v13, v14) @36\n"
		"  return @37\n");
}

static void test_outline(void **state)
{
	struct fixture *f = *state;

	assert_non_null(lower(f, &(struct codeclass){ STATIC("()V", 9, 2),
		CODE(BC_nop, BC_ldc, CC_STRING, BC_pop, BC_ldc, CC_STRING, BC_pop, BC_invokestatic, 0, CC_VOID,
		     BC_new, 0, CC_T, BC_invokedynamic, 0, CC_INDY, 0, 0, BC_pop, BC_return,
		     BC_invokestatic, 0, CC_VOID, BC_return) }));
	body_print(&f->p, outline_method(&f->p, &f->u, 0, &f->mem), &f->out);
	assert_string_equal(f->out.s, "b0:\n"
				      "  const.string \"\" @1\n"
				      "  call.static T.m:()V @7\n"
				      "  new T @10\n"
				      "  call.static linked T.m:(IJ)D @13\n"
				      "  call.static lowered \"T$$Link$m#0@13\".m:()Ljava/lang/invoke/CallSite; @13\n"
				      "  call.virtual lowered java/lang/invoke/CallSite.getTarget:()Ljava/lang/invoke/MethodHandle; @13\n"
				      "  call.virtual target java/lang/invoke/MethodHandle.invokeExact:(Ljava/lang/Object;)Ljava/lang/Runnable; @13\n"
				      "  call.static T.m:()V @20\n");
}

#define FAIL_TEST(name, descriptor, stack, locals, what, ...)                                               \
	static void test_##name(void **state)                                                               \
	{                                                                                                   \
		struct codeclass c = { STATIC(descriptor, stack, locals), CODE(__VA_ARGS__) };              \
                                                                                                            \
		fails(*state, &c, DIAG_E020, what);                                                         \
	}

FAIL_TEST(underflow, "()V", 2, 0, "underflow in m:()V at pc 0", BC_pop, BC_return)
FAIL_TEST(overflow, "()V", 1, 0, "overflow in m:()V at pc 1", BC_iconst_0, BC_iconst_0, BC_return)
FAIL_TEST(runs_over, "()V", 1, 0, "runs over its end", BC_nop)
FAIL_TEST(bad_target, "()V", 1, 0, "middle of an instruction", BC_goto, 0, 4, BC_sipush, 0, 0, BC_return)
FAIL_TEST(bad_local, "()V", 1, 1, "out of range", BC_lload_0, BC_return)
FAIL_TEST(unassigned, "()V", 1, 1, "not assigned", BC_iload_0, BC_return)
FAIL_TEST(wrong_kind, "(J)V", 1, 2, "wrong kind", BC_iload_0, BC_return)
FAIL_TEST(half_wide, "(J)V", 4, 2, "half of a wide", BC_lload_0, BC_dup, BC_return)
FAIL_TEST(depth_differs, "(I)V", 2, 1, "depth differs", BC_iload_0, BC_ifeq, 0, 4, BC_iconst_0, BC_return)
FAIL_TEST(kinds_differ, "(I)V", 2, 1, "different kinds", BC_iload_0, BC_ifeq, 0, 7, BC_iconst_0, BC_goto, 0, 4,
	  BC_fconst_0, BC_pop, BC_return)
FAIL_TEST(wrong_constant, "()V", 2, 1, "entry of the wrong kind", BC_invokestatic, 0, CC_FIELD_INT, BC_return)
FAIL_TEST(ret_outside, "()V", 2, 1, "ret outside", BC_ret, 0)
FAIL_TEST(wrong_return, "()I", 2, 1, "return of the wrong kind", BC_return)
FAIL_TEST(cut_off, "()V", 2, 3, "bad instruction", BC_return, BC_goto, 0)

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(straight), TEST(loop_at_start), TEST(stack_join), TEST(handler_sees_stores), TEST(shared_handler),
		TEST(subroutine), TEST(finally), TEST(abandoned_subroutine), TEST(subroutine_explosion),
		TEST(subroutine_work), TEST(dup_forms), TEST(taken_name), TEST(constants), TEST(objects), TEST(outline),
		TEST(underflow), TEST(overflow), TEST(runs_over), TEST(bad_target), TEST(bad_local), TEST(unassigned),
		TEST(wrong_kind), TEST(half_wide), TEST(depth_differs), TEST(kinds_differ), TEST(wrong_constant),
		TEST(ret_outside), TEST(wrong_return), TEST(cut_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
