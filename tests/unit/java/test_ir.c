// SPDX-License-Identifier: Apache-2.0
// links: base algo ir
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "algo/dominators.h"
#include "algo/rpo.h"
#include "algo/scc.h"
#include "ir/builder.h"
#include "ir/program.h"

struct fixture {
	struct program p;
	struct diag d;
	struct arena mem;
	struct strbuf out;
};

static int setup(void **state)
{
	struct fixture *f = mem_zalloc(sizeof(*f));

	diag_init(&f->d);
	program_init(&f->p, &f->d);
	arena_init(&f->mem);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	program_release(&f->p);
	diag_release(&f->d);
	arena_release(&f->mem);
	strbuf_release(&f->out);
	free(f);
	return 0;
}

/* Every operation once. */
static const char ALL[] =
	"b0:\n"
	"  v1 = param 0\n"
	"  int v2 = param 1\n"
	"  double v3 = undef\n"
	"  v4 = const.null @1\n"
	"  v5 = const.int -5 @2\n"
	"  v6 = const.long -9223372036854775808 @3\n"
	"  v7 = const.float 0.100000001 @4\n"
	"  v8 = const.float 0x7fc00001 @5\n"
	"  v9 = const.double 1.5 @6\n"
	"  v10 = const.double 0xfff0000000000000 @7\n"
	"  v11 = const.string \"a\\\"b\\\\c\\n\\t\\x01\" @8\n"
	"  v12 = const.class [Ljava/lang/String; @9\n"
	"  v13 = const.methodtype \"(I)V\" @10\n"
	"  v14 = const.handle getField a/B.f:I @11\n"
	"  v15 = const.handle invokeInterface interface a/I.m:()V @12\n"
	"  v16 = const.dynamic c:Ljava/lang/Object; by a/B.boot:()V @13\n"
	"  v17 = const.dynamic \"\":I\n"
	"  v18 = op.iadd (v2, v5) @14\n"
	"  v19 = op.lcmp (v6, v6) @15\n"
	"  v20 = new a/B @16\n"
	"  v21 = newarray [[I (v18, v19) @17\n"
	"  v22 = cast a/B (v1) @18\n"
	"  v23 = instanceof a/B (v1) @19\n"
	"  v24 = getfield a/B.f:J (v22) @20\n"
	"  putfield a/B.f:J (v22, v24) @21\n"
	"  v25 = getstatic a/B.s:[B @22\n"
	"  putstatic a/B.s:[B (v25) @23\n"
	"  v26 = aload.byte (v25, v2) @24\n"
	"  astore.char (v25, v2, v26) @25\n"
	"  v27 = arraylength (v25) @26\n"
	"  monitorenter (v1) @27\n"
	"  monitorexit (v1) @28\n"
	"  goto b1 @29\n"
	"b1: preds b0 handlers b4 @30\n"
	"  call.static link a/B.boot:()V @30\n"
	"  call.static linked a/B.boot:()V @30\n"
	"  call.static lowered a/B.<init>:()V @31\n"
	"  call.static target a/B.<init>:()V @31\n"
	"  call.static a/B.<init>:()V @31\n"
	"  call.special a/B.<init>:(I)V (v20, v2) @32\n"
	"  v28 = call.virtual a/B.\"odd name\":(J)I (v20, v6) @33\n"
	"  v29 = call.interface interface link/I.get:()Ljava/lang/Object; (v20) @34\n"
	"  v30 = call.dynamic run:(I)Ljava/lang/Runnable; by \"x y\".boot:()V (v2) @35\n"
	"  if.if_icmplt (v2, v28) b3, b2 @36\n"
	"b2: preds b1 @37\n"
	"  switch (v2) default b3, -1 b3, 7 b3 @38\n"
	"b3: preds b1 b2 @39\n"
	"  int v31 = phi (v28, v2) @39\n"
	"  return (v31) @40\n"
	"b4: preds b1 @41\n"
	"  v32 = catch java/lang/Throwable @41\n"
	"  throw (v32) @42\n";

static void parses_back(struct fixture *f, const char *text)
{
	struct ir_body b;

	strbuf_clear(&f->out);
	if (!body_parse(&f->p, str_of(text), &b, &f->mem, &f->d)) {
		diag_render(&f->d.entries.data[f->d.entries.len - 1], &f->out);
		fail_msg("%s", f->out.s);
	}
	body_print(&f->p, &b, &f->out);
	assert_string_equal(f->out.s, text);
}

static void test_all_operations(void **state)
{
	parses_back(*state, ALL);
}

static void test_loop(void **state)
{
	parses_back(*state, "b0:\n"
			    "  int v1 = param 0\n"
			    "  goto b1\n"
			    "b1: preds b2 b0\n"
			    "  int v2 = phi (v3, v1)\n"
			    "  if.ifeq (v2) b3, b2\n"
			    "b2: preds b1\n"
			    "  v3 = op.isub (v2, v2)\n"
			    "  goto b1\n"
			    "b3: preds b1\n"
			    "  return\n");
}

static void test_values_are_renumbered(void **state)
{
	struct fixture *f = *state;
	struct ir_body b;
	const char *text = "# a comment\n  v10 = param 0   # self\n\n\tv7 = const.int 1\n  return (v7)";

	assert_true(body_parse(&f->p, str_of(text), &b, &f->mem, &f->d));
	body_print(&f->p, &b, &f->out);
	assert_string_equal(f->out.s, "b0:\n  v2 = param 0\n  v1 = const.int 1\n  return (v1)\n");
}

static void test_items(void **state)
{
	struct fixture *f = *state;
	struct str text = STR("# models\nmethod java/lang/Thread.start0:()V {\n"
			      "  v1 = param 0\n"
			      "  call.virtual java/lang/Thread.run:()V (v1)\n"
			      "  return\n"
			      "}\n\n"
			      "method a/B.m:()V {\n  return\n} # end\n");
	struct ir_body b;
	class_id c;
	sel_id s;

	assert_true(body_parse_next(&f->p, &text, &c, &s, &b, &f->mem, &f->d));
	assert_true(str_is(class_name(&f->p, c), "java/lang/Thread"));
	assert_true(str_is(sel_name(&f->p, s), "start0"));
	assert_int_equal(b.nstmts, 3);
	assert_true(body_parse_next(&f->p, &text, &c, &s, &b, &f->mem, &f->d));
	assert_true(str_is(class_name(&f->p, c), "a/B"));
	assert_false(body_parse_next(&f->p, &text, &c, &s, &b, &f->mem, &f->d));
	assert_int_equal(f->d.entries.len, 0);
}

static void rejects(struct fixture *f, const char *text, const char *why)
{
	struct ir_body b;

	assert_false(body_parse(&f->p, str_of(text), &b, &f->mem, &f->d));
	const struct diag_entry *e = &f->d.entries.data[f->d.entries.len - 1];

	if (!strstr(e->text, why))
		fail_msg("'%s' does not say '%s'", e->text, why);
}

static void test_malformed_text(void **state)
{
	struct fixture *f = *state;

	rejects(f, "  frobnicate\n", "line 1: unknown operation");
	rejects(f, "\n  op.foo\n", "line 2: unknown operation");
	rejects(f, "  return (v1)\n", "used but not defined");
	rejects(f, "  v1 = param 0\n  v1 = param 1\n  return\n", "defined twice");
	rejects(f, "  v1 = call.static a/B.m:()V\n  return\n", "type void");
	rejects(f, "  goto b1\n", "does not exist");
	rejects(f, "b1:\n  return\n", "numbered in order");
	rejects(f, "  v1 = const.string \"x\n", "string does not end");
	rejects(f, "  v1 = const.int 99999999999\n", "32-bit");
	rejects(f, "  v1 = const.int 12x\n", "malformed number");
	rejects(f, "  return return\n", "end of line");
	rejects(f, "b0: preds b1\n  return\n", "predecessors");
	rejects(f, "", "empty");
}

static void test_checker(void **state)
{
	struct fixture *f = *state;

	rejects(f, "  v1 = param 0\n", "terminator");
	rejects(f, "  return\n  return\n", "terminator");
	rejects(f, "  v1 = const.int 1\n  throw (v1)\n", "wrong kind");
	rejects(f, "  v1 = const.int 1\n  v2 = op.iadd (v1)\n  return\n", "number of operands");
	rejects(f, "  v1 = const.int 1\n  v2 = op.ladd (v1, v1)\n  return\n", "wrong kind");
	rejects(f, "  v1 = phi (v1)\n  return\n", "number of operands");
	rejects(f, "  v1 = op.iadd (v2, v2)\n  v2 = const.int 1\n  return\n", "not defined on every path");
	rejects(f, "b0:\n  goto b0\n", "predecessors");
	rejects(f, "b0:\n  return\nb1:\n  return\n", "no predecessor comes before");
	rejects(f, "b0: handlers b1\n  call.static a/B.m:()V\n  return\nb1:\n  return\n",
		"only exceptions go to a catch");
	rejects(f, "  v1 = param 0\n  call.static linked a/B.m:()V (v1)\n  return\n", "number of operands");
	rejects(f, "  v1 = param 0\n  call.static link a/B.m:()V (v1)\n  return\n", "number of operands");
	rejects(f, "  call.virtual a/B.m:()V\n  return\n", "number of operands");
}

/* A value made in the block that throws is not there in the handler; one from before is. */
static void test_dominance_of_handlers(void **state)
{
	struct fixture *f = *state;

	rejects(f, "b0:\n  goto b1\n"
		   "b1: handlers b2\n  v1 = call.static a/B.m:()I\n  return\n"
		   "b2:\n  v2 = catch java/lang/Throwable\n  return (v1)\n", "not defined on every path");
	parses_back(f, "b0: handlers b1\n"
		       "  int v1 = param 0\n"
		       "  v2 = call.static a/B.m:()I\n"
		       "  return (v2)\n"
		       "b1: preds b0\n"
		       "  v3 = catch java/lang/Throwable\n"
		       "  return (v1)\n");
}

static void test_builder(void **state)
{
	struct fixture *f = *state;
	struct body_builder b = { 0 };
	ir_value x = builder_stmt(&b, IR_PARAM, 0, 0, IR_KIND_INT, NULL, 0);
	const char *reason = NULL;

	builder_stmt(&b, IR_IF, 153, 0, IR_KIND_NONE, &x, 1);
	builder_succ(&b, 1);
	builder_succ(&b, 1);
	assert_int_equal(builder_block(&b), 1);
	builder_stmt(&b, IR_RETURN, 0, 0, IR_KIND_NONE, &x, 1);
	struct ir_body body = builder_finish(&b, &f->mem);

	builder_release(&b);
	assert_true(body_check(&body, &f->mem, &reason));
	body_print(&f->p, &body, &f->out);
	assert_string_equal(f->out.s, "b0:\n  int v1 = param 0\n  if.ifeq (v1) b1, b1\n"
				      "b1: preds b0\n  return (v1)\n");
}

static void test_rpo_and_dominators(void **state)
{
	/* 0 -> 1 2; 1 -> 3; 2 -> 3; 3 -> 1 4; 5 is not reachable */
	static const uint32_t first[] = { 0, 2, 3, 4, 6, 6, 6 }, to[] = { 1, 2, 3, 3, 1, 4 };
	/* predecessors in the order found: 0 2 3 4 1 -> renumbered below */
	static const uint32_t pfirst[] = { 0, 0, 1, 3, 5, 6 }, pto[] = { 0, 0, 3, 1, 2, 3 };
	struct fixture *f = *state;
	uint32_t order[6], number[6], idom[5];

	assert_int_equal(rpo_compute(&(struct digraph){ 6, first, to }, 0, order, number, &f->mem), 5);
	assert_int_equal(order[0], 0);
	assert_int_equal(order[1], 2);
	assert_int_equal(number[5], RPO_NONE);
	dominators_compute(&(struct digraph){ 5, pfirst, pto }, idom);
	assert_int_equal(idom[3], 0);
	assert_int_equal(idom[4], 3);
	assert_true(dominates(idom, 3, 4));
	assert_false(dominates(idom, 1, 3));
}

static void test_components(void **state)
{
	/* 0 -> 1; 1 -> 2 3; 2 -> 0; 3 -> 4 */
	static const uint32_t first[] = { 0, 1, 3, 4, 5, 5 }, to[] = { 1, 2, 3, 0, 4 };
	struct fixture *f = *state;
	uint32_t component[5];

	assert_int_equal(scc_compute(&(struct digraph){ 5, first, to }, component, &f->mem), 3);
	assert_true(component[0] == 2 && component[1] == 2 && component[2] == 2);
	assert_true(component[3] == 1 && component[4] == 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(all_operations), TEST(loop), TEST(values_are_renumbered), TEST(items), TEST(malformed_text),
		TEST(checker), TEST(dominance_of_handlers), TEST(builder), TEST(rpo_and_dominators), TEST(components),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
