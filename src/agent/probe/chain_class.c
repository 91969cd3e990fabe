/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/probe/chain_class.h"

#include "agent/probe/probe_class.h"
#include "formats/classfile/bytecode.h"
#include "formats/classfile/classfile.h"

#define ARRAY "[" PROBE_SELF

static const char *const apart[] = { "Ljdk/internal/vm/annotation/Hidden;", "Ljdk/internal/vm/annotation/DontInline;",
				     "Ljava/lang/invoke/DontInline;", NULL };
static const char *const hidden[] = { "Ljdk/internal/vm/annotation/Hidden;", NULL };

/* Pieces of code */

static void load(struct assembler *a, unsigned local)
{
	asm_op1(a, BC_aload, local);
}

static void store(struct assembler *a, unsigned local)
{
	asm_op1(a, BC_astore, local);
}

static void get(struct assembler *a, unsigned local, const char *field, const char *desc)
{
	load(a, local);
	asm_op2(a, BC_getfield, asm_field_ref(a, PROBE_CLASS, field, desc));
}

static void of_thread(struct assembler *a, unsigned op, const char *field, const char *desc)
{
	asm_op2(a, op, asm_field_ref(a, THREAD_CLASS, field, desc));
}

static void of_class(struct assembler *a, unsigned op, const char *field, const char *desc)
{
	asm_op2(a, op, asm_field_ref(a, PROBE_CLASS, field, desc));
}

static void invoke(struct assembler *a, const char *name, const char *desc)
{
	asm_op2(a, BC_invokestatic, asm_method_ref(a, PROBE_CLASS, name, desc));
}

/* p = places[(int)x & CHAIN_IDS], x a long. Nobody comes here with a number that the array has not, unless compiled code kept an older
 * array: then to `none`. Takes local i. */
static void find_place(struct assembler *a, unsigned x, unsigned i, unsigned p, struct label *none)
{
	asm_op1(a, BC_lload, x);
	asm_op(a, BC_l2i);
	asm_op2(a, BC_ldc_w, asm_int(a, CHAIN_IDS));
	asm_op(a, BC_iand);
	asm_op1(a, BC_istore, i);
	of_class(a, BC_getstatic, "places", ARRAY);
	store(a, p);
	asm_op1(a, BC_iload, i);
	load(a, p);
	asm_op(a, BC_arraylength);
	asm_jump(a, BC_if_icmpge, none);
	load(a, p);
	asm_op1(a, BC_iload, i);
	asm_op(a, BC_aaload);
	store(a, p);
}

/* The upper half of a code on the stack: a body, or a negative number */
static void upper(struct assembler *a)
{
	asm_op1(a, BC_bipush, 32);
	asm_op(a, BC_lshr);
	asm_op(a, BC_l2i);
}

/* Of a code on the stack and an int below it: the code with that as its upper half */
static void with_upper(struct assembler *a)
{
	asm_op1(a, BC_bipush, 32);
	asm_op(a, BC_lshl);
	asm_op1(a, BC_bipush, 32);
	asm_op(a, BC_lushr);
	asm_op(a, BC_dup2_x1);
	asm_op(a, BC_pop2);
	asm_op(a, BC_i2l);
	asm_op1(a, BC_bipush, 32);
	asm_op(a, BC_lshl);
	asm_op(a, BC_lor);
}

/* Of a code on the stack: the same place, after the call was made */
static void outside_of(struct assembler *a)
{
	asm_op(a, BC_iconst_m1);
	asm_op(a, BC_i2l);
	asm_op1(a, BC_bipush, 32);
	asm_op(a, BC_lshl);
	asm_op(a, BC_lor);
}

/* p.n += by, BC_ladd or BC_lsub of 1 */
static void count(struct assembler *a, unsigned p, unsigned by)
{
	load(a, p);
	asm_op(a, BC_dup);
	of_class(a, BC_getfield, "n", "J");
	asm_op(a, BC_lconst_1);
	asm_op(a, by);
	of_class(a, BC_putfield, "n", "J");
}

/* t.next = what is outside p */
static void leave_to(struct assembler *a, unsigned t, unsigned p)
{
	load(a, t);
	get(a, p, "code", "J");
	outside_of(a);
	of_thread(a, BC_putfield, "next", "J");
}

/* Entries */

/* if (t.next is a call of m) t.next is outside it. Locals: 0 m, 1 t, 2 x */
static void expected(struct assembler *a, struct label *other)
{
	thread_try(a, 1, other);
	load(a, 1);
	of_thread(a, BC_getfield, "next", "J");
	asm_op(a, BC_lstore_2);
	asm_op(a, BC_lload_2);
	upper(a);
	asm_op(a, BC_iload_0);
	asm_jump(a, BC_if_icmpne, other);
	load(a, 1);
	asm_op(a, BC_lload_2);
	outside_of(a);
	of_thread(a, BC_putfield, "next", "J");
}

/* Locals: 4 i, 5 p */
static void enter(struct assembler *a)
{
	struct label other = LABEL, lost = LABEL;

	expected(a, &other);
	find_place(a, 2, 4, 5, &lost);
	load(a, 5);
	asm_op(a, BC_areturn);
	asm_label(a, &lost);
	asm_op(a, BC_aconst_null);
	asm_op(a, BC_areturn);
	asm_label(a, &other);
	asm_op(a, BC_iload_0);
	invoke(a, "entered", "(I)" PROBE_SELF);
	asm_op(a, BC_areturn);
	asm_method(a, ACC_PUBLIC | ACC_STATIC, "enter", "(I)" PROBE_SELF, 6, 6, hidden);
}

static void leaf(struct assembler *a)
{
	struct label other = LABEL;

	expected(a, &other);
	asm_op(a, BC_return);
	asm_label(a, &other);
	asm_op(a, BC_iload_0);
	invoke(a, "passed", "(I)V");
	asm_op(a, BC_return);
	asm_method(a, ACC_PUBLIC | ACC_STATIC, "leaf", "(I)V", 6, 4, hidden);
}

/* Other threads see what was stored so far before what is stored next. */
static void in_order(struct assembler *a)
{
	asm_op(a, BC_iconst_0);
	of_class(a, BC_putstatic, "order", "I");
}

/* Puts the page of the number in a local on the stack. */
static void page_of(struct assembler *a, unsigned i)
{
	asm_op1(a, BC_iload, i);
	asm_op1(a, BC_bipush, CHAIN_PAGE_BITS);
	asm_op(a, BC_ishr);
}

/* marks[page][i] = 1; pages[page] = 1. Locals: 1 i */
static void mark(struct assembler *a)
{
	of_class(a, BC_getstatic, "marks", "[[B");
	page_of(a, 1);
	asm_op(a, BC_aaload);
	asm_op(a, BC_iload_1);
	asm_op2(a, BC_sipush, (1u << CHAIN_PAGE_BITS) - 1);
	asm_op(a, BC_iand);
	asm_op(a, BC_iconst_1);
	asm_op(a, BC_bastore);
	in_order(a);
	of_class(a, BC_getstatic, "pages", "[B");
	page_of(a, 1);
	asm_op(a, BC_iconst_1);
	asm_op(a, BC_bastore);
}

/* if (r sleeps) { it wakes up; mark it; } Whoever puts it to sleep takes the mark first: what is awake has one.
 * Locals: 0 r, 1 its number */
static void touch(struct assembler *a)
{
	struct label end = LABEL;

	get(a, 0, "code", "J");
	upper(a);
	get(a, 0, "method", "I");
	asm_jump(a, BC_if_icmpeq, &end);
	load(a, 0);
	get(a, 0, "method", "I");
	get(a, 0, "code", "J");
	with_upper(a);
	of_class(a, BC_putfield, "code", "J");
	get(a, 0, "id", "I");
	asm_op(a, BC_istore_1);
	in_order(a);
	mark(a);
	asm_label(a, &end);
	asm_op(a, BC_return);
	asm_method(a, ACC_STATIC, "touch", "(" PROBE_SELF ")V", 8, 2, hidden);
}

/* The place outside that a call comes from which is not expected, unless the entry below it was left unseen.
 * Locals: 0 t, 1 x, 3 level, 4 o */
static void outside(struct assembler *a)
{
	struct label plain = LABEL;

	asm_op(a, BC_lload_1);
	asm_op(a, BC_l2i);
	asm_op1(a, BC_bipush, CHAIN_ID_BITS);
	asm_op(a, BC_iushr);
	asm_op(a, BC_istore_3);
	of_class(a, BC_getstatic, "places", ARRAY);
	asm_op(a, BC_iload_3);
	asm_op(a, BC_aaload);
	store(a, 4);
	asm_op(a, BC_iload_3);
	asm_jump(a, BC_ifeq, &plain);
	load(a, 0);
	of_thread(a, BC_getfield, "constructors", ARRAY);
	asm_op(a, BC_iload_3);
	asm_op(a, BC_iconst_1);
	asm_op(a, BC_isub);
	asm_op(a, BC_aaload);
	asm_jump(a, BC_ifnull, &plain);
	load(a, 0);
	load(a, 4);
	invoke(a, "settle", "(" THREAD_SELF PROBE_SELF ")" PROBE_SELF);
	asm_op(a, BC_areturn);
	asm_label(a, &plain);
	load(a, 4);
	asm_op(a, BC_areturn);
	asm_method(a, ACC_STATIC, "outside", "(" THREAD_SELF "J)" PROBE_SELF, 3, 5, hidden);
}

/* Calls that are not what they seem: to nodes that sleep, that were not yet entered, or above this one, and of lambdas. p is the
 * node that was announced, if one was.
 *
 *     if (x is outside || (p = places[x]) is lost) goto root;
 *     if ((r = p).method == m) goto known;
 *     if (p.method == BACK) { r = p.first; if (r.method == m) goto counts; goto root; }
 *     if (p.method < OUTSIDE && (r = made(p, m)) != null) { if (r == p) goto known; goto counts; }
 *
 * Locals: 0 m, 1 t, 2 x, 4 p, 5 r, 6 i */
static void try_announced(struct assembler *a, struct label *root, struct label *known, struct label *counts)
{
	struct label other = LABEL;

	thread_load(a, 1);
	load(a, 1);
	of_thread(a, BC_getfield, "next", "J");
	asm_op(a, BC_lstore_2);
	asm_op(a, BC_lload_2);
	upper(a);
	asm_op(a, BC_iconst_m1);
	asm_jump(a, BC_if_icmpeq, root);
	find_place(a, 2, 6, 4, root);
	load(a, 4);
	store(a, 5);
	get(a, 4, "method", "I");
	asm_op(a, BC_iload_0);
	asm_jump(a, BC_if_icmpeq, known);
	get(a, 4, "method", "I");
	asm_op1(a, BC_bipush, (uint8_t)CHAIN_BACK);
	asm_jump(a, BC_if_icmpne, &other);
	get(a, 4, "first", PROBE_SELF);
	store(a, 5);
	get(a, 5, "method", "I");
	asm_op(a, BC_iload_0);
	asm_jump(a, BC_if_icmpeq, counts);
	asm_jump(a, BC_goto, root);
	asm_label(a, &other);
	get(a, 4, "method", "I");
	asm_op(a, BC_iconst_m1);
	asm_jump(a, BC_if_icmpge, root);
	load(a, 4);
	asm_op(a, BC_iload_0);
	invoke(a, "made", CHAIN_MADE);
	store(a, 5);
	load(a, 5);
	asm_jump(a, BC_ifnull, root);
	load(a, 5);
	load(a, 4);
	asm_jump(a, BC_if_acmpeq, known);
	asm_jump(a, BC_goto, counts);
}

/* o = outside(t, x); r = o.kids[m]; if (r == null && (r = root(o, m)) == null) goto none. Locals: 0 m, 1 t, 2 x, 5 r, 7 o */
static void find_root(struct assembler *a, struct label *none)
{
	struct label is = LABEL;

	load(a, 1);
	asm_op(a, BC_lload_2);
	invoke(a, "outside", "(" THREAD_SELF "J)" PROBE_SELF);
	store(a, 7);
	get(a, 7, "kids", ARRAY);
	asm_op(a, BC_iload_0);
	asm_op(a, BC_aaload);
	store(a, 5);
	load(a, 5);
	asm_jump(a, BC_ifnonnull, &is);
	load(a, 7);
	asm_op(a, BC_iload_0);
	invoke(a, "root", CHAIN_ROOT);
	store(a, 5);
	load(a, 5);
	asm_jump(a, BC_ifnull, none);
	asm_label(a, &is);
}

/* t.saved[o.level] = t.next; t.constructors[o.level] = null; levels that are one have a stack of their own.
 * Locals: 1 t, 7 o, 8 level */
static void save(struct assembler *a)
{
	struct label deep = LABEL, end = LABEL;

	get(a, 7, "level", "I");
	asm_op1(a, BC_istore, 8);
	asm_op1(a, BC_iload, 8);
	asm_op1(a, BC_bipush, CHAIN_LEVELS);
	asm_jump(a, BC_if_icmpge, &deep);
	load(a, 1);
	of_thread(a, BC_getfield, "saved", "[J");
	asm_op1(a, BC_iload, 8);
	load(a, 1);
	of_thread(a, BC_getfield, "next", "J");
	asm_op(a, BC_lastore);
	load(a, 1);
	of_thread(a, BC_getfield, "constructors", ARRAY);
	asm_op1(a, BC_iload, 8);
	asm_op(a, BC_aconst_null);
	asm_op(a, BC_aastore);
	load(a, 1);
	asm_op(a, BC_iconst_0);
	of_thread(a, BC_putfield, "deep", "I");
	asm_jump(a, BC_goto, &end);
	asm_label(a, &deep);
	load(a, 1);
	invoke(a, "push", "(" THREAD_SELF ")V");
	asm_label(a, &end);
}

/* What was announced was counted by the caller. */
static void entered(struct assembler *a)
{
	struct label root = LABEL, known = LABEL, counts = LABEL, none = LABEL;

	try_announced(a, &root, &known, &counts);
	asm_label(a, &root);
	find_root(a, &none);
	save(a);
	asm_label(a, &counts);
	count(a, 5, BC_ladd);
	asm_label(a, &known);
	leave_to(a, 1, 5);
	load(a, 5);
	invoke(a, "touch", "(" PROBE_SELF ")V");
	load(a, 5);
	asm_op(a, BC_areturn);
	asm_label(a, &none);
	asm_op(a, BC_aconst_null);
	asm_op(a, BC_areturn);
	asm_method(a, ACC_STATIC, "entered", "(I)" PROBE_SELF, 6, 9, apart);
}

/* The same for a method during which nothing else is entered: what is next stays, unless it was this call. */
static void passed(struct assembler *a)
{
	struct label root = LABEL, known = LABEL, counts = LABEL, none = LABEL, touches = LABEL;

	try_announced(a, &root, &known, &counts);
	asm_label(a, &root);
	find_root(a, &none);
	count(a, 5, BC_ladd);
	asm_jump(a, BC_goto, &touches);
	asm_label(a, &counts);
	count(a, 5, BC_ladd);
	asm_label(a, &known);
	leave_to(a, 1, 5);
	asm_label(a, &touches);
	load(a, 5);
	invoke(a, "touch", "(" PROBE_SELF ")V");
	asm_label(a, &none);
	asm_op(a, BC_return);
	asm_method(a, ACC_STATIC, "passed", "(I)V", 6, 9, apart);
}

/* if (LEVELS + t.deep == t.saved.length && !grow(t)) return; t.saved[LEVELS + t.deep++] = t.next. Locals: 0 t */
static void push(struct assembler *a)
{
	struct label fits = LABEL;

	asm_op1(a, BC_bipush, CHAIN_LEVELS);
	load(a, 0);
	of_thread(a, BC_getfield, "deep", "I");
	asm_op(a, BC_iadd);
	asm_op(a, BC_istore_1);
	asm_op(a, BC_iload_1);
	load(a, 0);
	of_thread(a, BC_getfield, "saved", "[J");
	asm_op(a, BC_arraylength);
	asm_jump(a, BC_if_icmplt, &fits);
	load(a, 0);
	invoke(a, "grow", "(" THREAD_SELF ")Z");
	asm_jump(a, BC_ifne, &fits);
	asm_op(a, BC_return);
	asm_label(a, &fits);
	load(a, 0);
	of_thread(a, BC_getfield, "saved", "[J");
	asm_op(a, BC_iload_1);
	load(a, 0);
	of_thread(a, BC_getfield, "next", "J");
	asm_op(a, BC_lastore);
	load(a, 0);
	asm_op(a, BC_dup);
	of_thread(a, BC_getfield, "deep", "I");
	asm_op(a, BC_iconst_1);
	asm_op(a, BC_iadd);
	of_thread(a, BC_putfield, "deep", "I");
	asm_op(a, BC_return);
	asm_method(a, ACC_STATIC, "push", "(" THREAD_SELF ")V", 5, 2, apart);
}

/* Exits */

/* if (n == null || !n.root) goto end */
static void unless_root(struct assembler *a, struct label *end)
{
	load(a, 0);
	asm_jump(a, BC_ifnull, end);
	get(a, 0, "root", "Z");
	asm_jump(a, BC_ifeq, end);
}

/* Of an entry: what was next when it came is next again. Locals: 0 n, 1 not used */
static void leave(struct assembler *a)
{
	struct label end = LABEL;

	unless_root(a, &end);
	load(a, 0);
	invoke(a, "left", "(" PROBE_SELF ")V");
	asm_label(a, &end);
	asm_op(a, BC_return);
	asm_method(a, ACC_PUBLIC | ACC_STATIC, "exit", "(" PROBE_SELF "I)V", 1, 2, hidden);
}

/* t.next = t.saved[local] */
static void restore(struct assembler *a, unsigned local)
{
	load(a, 1);
	load(a, 1);
	of_thread(a, BC_getfield, "saved", "[J");
	asm_op1(a, BC_iload, local);
	asm_op(a, BC_laload);
	of_thread(a, BC_putfield, "next", "J");
}

/* Locals: 0 n, 1 t, 2 level or depth */
static void left(struct assembler *a)
{
	struct label deep = LABEL, end = LABEL;

	thread_load(a, 1);
	get(a, 0, "level", "I");
	asm_op(a, BC_istore_2);
	asm_op(a, BC_iload_2);
	asm_op1(a, BC_bipush, CHAIN_LEVELS);
	asm_jump(a, BC_if_icmpge, &deep);
	restore(a, 2);
	load(a, 1);
	asm_op(a, BC_iconst_0);
	of_thread(a, BC_putfield, "deep", "I");
	asm_op(a, BC_return);
	asm_label(a, &deep);
	load(a, 1);
	of_thread(a, BC_getfield, "deep", "I");
	asm_op(a, BC_iconst_1);
	asm_op(a, BC_isub);
	asm_op(a, BC_istore_2);
	asm_op(a, BC_iload_2);
	asm_jump(a, BC_iflt, &end);
	load(a, 1);
	asm_op(a, BC_iload_2);
	of_thread(a, BC_putfield, "deep", "I");
	asm_op1(a, BC_iinc, 2);
	asm_op(a, CHAIN_LEVELS);
	restore(a, 2);
	asm_label(a, &end);
	asm_op(a, BC_return);
	asm_method(a, ACC_STATIC, "left", "(" PROBE_SELF ")V", 4, 3, apart);
}

/* caught(n); if (n is an entry) left(n) */
static void thrown(struct assembler *a)
{
	struct label end = LABEL;

	load(a, 0);
	asm_op(a, BC_iconst_0);
	invoke(a, "caught", "(" PROBE_SELF "I)V");
	unless_root(a, &end);
	load(a, 0);
	invoke(a, "left", "(" PROBE_SELF ")V");
	asm_label(a, &end);
	asm_op(a, BC_return);
	asm_method(a, ACC_PUBLIC | ACC_STATIC, "thrown", "(" PROBE_SELF "I)V", 2, 2, apart);
}

/* What was announced and did not come is forgotten, and was not called: if (t.next is not outside) places[t.next].n--; t.next is outside
 * n. Locals: 0 n, 1 i, 2 t, 3 x, 5 p */
static void caught(struct assembler *a)
{
	struct label end = LABEL, came = LABEL;

	load(a, 0);
	asm_jump(a, BC_ifnull, &end);
	thread_load(a, 2);
	load(a, 2);
	of_thread(a, BC_getfield, "next", "J");
	asm_op(a, BC_lstore_3);
	asm_op(a, BC_lload_3);
	upper(a);
	asm_op(a, BC_iconst_m1);
	asm_jump(a, BC_if_icmpeq, &came);
	find_place(a, 3, 1, 5, &came);
	count(a, 5, BC_lsub);
	asm_label(a, &came);
	leave_to(a, 2, 0);
	asm_label(a, &end);
	asm_op(a, BC_return);
	asm_method(a, ACC_PUBLIC | ACC_STATIC, "caught", "(" PROBE_SELF "I)V", 6, 6, apart);
}

/* if (n is an entry) now().constructors[n.level] = n, or null. Locals: 0 n, 1 not used */
static void constructs(struct assembler *a, const char *name, bool begins)
{
	struct label end = LABEL;

	unless_root(a, &end);
	load(a, 0);
	if (begins)
		load(a, 0);
	else
		asm_op(a, BC_aconst_null);
	invoke(a, "keep", "(" PROBE_SELF PROBE_SELF ")V");
	asm_label(a, &end);
	asm_op(a, BC_return);
	asm_method(a, ACC_PUBLIC | ACC_STATIC, name, "(" PROBE_SELF "I)V", 2, 2, hidden);
}

/* Locals: 0 n, 1 n or null */
static void keep(struct assembler *a)
{
	invoke(a, "now", "()" THREAD_SELF);
	of_thread(a, BC_getfield, "constructors", ARRAY);
	get(a, 0, "level", "I");
	load(a, 1);
	asm_op(a, BC_aastore);
	asm_op(a, BC_return);
	asm_method(a, ACC_STATIC, "keep", "(" PROBE_SELF PROBE_SELF ")V", 3, 2, apart);
}

/* Calls */

/* t.next = v.code; v.n++ */
static void announce(struct assembler *a, unsigned t, unsigned v)
{
	load(a, t);
	get(a, v, "code", "J");
	of_thread(a, BC_putfield, "next", "J");
	count(a, v, BC_ladd);
	asm_op(a, BC_return);
}

/* v = n.kids[call] */
static void load_call(struct assembler *a, unsigned n, unsigned call, unsigned v)
{
	get(a, n, "kids", ARRAY);
	asm_op1(a, BC_iload, call);
	asm_op(a, BC_aaload);
	store(a, v);
}

/* Locals: 0 n, 1 call, 2 v, 3 t */
static void call(struct assembler *a)
{
	struct label other = LABEL;

	load(a, 0);
	asm_jump(a, BC_ifnull, &other);
	load_call(a, 0, 1, 2);
	load(a, 2);
	asm_jump(a, BC_ifnull, &other);
	thread_try(a, 3, &other);
	announce(a, 3, 2);
	asm_label(a, &other);
	asm_op(a, BC_aconst_null);
	load(a, 0);
	asm_op(a, BC_iload_1);
	invoke(a, "called", CHAIN_CALLED);
	asm_op(a, BC_return);
	asm_method(a, ACC_PUBLIC | ACC_STATIC, "call", "(" PROBE_SELF "I)V", 5, 4, hidden);
}

static void class_of(struct assembler *a, unsigned object)
{
	load(a, object);
	asm_op2(a, BC_invokevirtual, asm_method_ref(a, "java/lang/Object", "getClass", "()Ljava/lang/Class;"));
}

/* Locals: 0 receiver, 1 n, 2 call, 3 v, 4 t */
static void before(struct assembler *a)
{
	struct label end = LABEL, other = LABEL;

	load(a, 0);
	asm_jump(a, BC_ifnull, &end);
	load(a, 1);
	asm_jump(a, BC_ifnull, &other);
	load_call(a, 1, 2, 3);
	load(a, 3);
	asm_jump(a, BC_ifnull, &other);
	get(a, 3, "k", "Ljava/lang/Class;");
	class_of(a, 0);
	asm_jump(a, BC_if_acmpne, &other);
	thread_try(a, 4, &other);
	announce(a, 4, 3);
	asm_label(a, &other);
	class_of(a, 0);
	load(a, 1);
	asm_op(a, BC_iload_2);
	invoke(a, "called", CHAIN_CALLED);
	asm_label(a, &end);
	asm_op(a, BC_return);
	asm_method(a, ACC_PUBLIC | ACC_STATIC, "before", "(Ljava/lang/Object;" PROBE_SELF "I)V", 5, 5, hidden);
}

/* Calls that are not the first of their list, or new, or of another thread. Locals: 0 class or null, 1 n, 2 call, 3 v, 4 t */
static void called(struct assembler *a)
{
	struct label end = LABEL;

	load(a, 1);
	asm_jump(a, BC_ifnull, &end);
	load(a, 0);
	asm_op(a, BC_iload_2);
	load(a, 1);
	invoke(a, "choose", CHAIN_LINK);
	store(a, 3);
	load(a, 3);
	asm_jump(a, BC_ifnull, &end);
	thread_load(a, 4);
	announce(a, 4, 3);
	asm_label(a, &end);
	asm_op(a, BC_return);
	asm_method(a, ACC_STATIC, "called", CHAIN_CALLED, 5, 5, apart);
}

/* for (v = n.kids[call]; v != null; v = v.next) if (v is of class c) return v; return link(c, call, n).
 * Locals: 0 c, 1 call, 2 n, then v, 3 n, 4 w */
static void choose(struct assembler *a)
{
	struct label loop = LABEL, next = LABEL, none = LABEL;

	load(a, 2);
	store(a, 3);
	get(a, 3, "kids", ARRAY);
	asm_op(a, BC_iload_1);
	asm_op(a, BC_aaload);
	store(a, 2);
	asm_label(a, &loop);
	load(a, 2);
	asm_jump(a, BC_ifnull, &none);
	probe_unless_of_class(a, &next);
	load(a, 2);
	asm_op(a, BC_areturn);
	asm_label(a, &next);
	get(a, 2, "next", PROBE_SELF);
	store(a, 2);
	asm_jump(a, BC_goto, &loop);
	asm_label(a, &none);
	load(a, 0);
	asm_op(a, BC_iload_1);
	load(a, 3);
	invoke(a, "link", "(Ljava/lang/Class;I" PROBE_SELF ")" PROBE_SELF);
	asm_op(a, BC_areturn);
	asm_method(a, ACC_STATIC, "choose", CHAIN_LINK, 3, 5, hidden);
}

/* Counts */

/* for (i = 0; i < len; i++) out[i] = places[from + i].n. Locals: 0 from, 1 len, 2 out, 3 i */
static void counts(struct assembler *a)
{
	struct label loop = LABEL, end = LABEL;

	asm_op(a, BC_iconst_0);
	asm_op(a, BC_istore_3);
	asm_label(a, &loop);
	asm_op(a, BC_iload_3);
	asm_op(a, BC_iload_1);
	asm_jump(a, BC_if_icmpge, &end);
	load(a, 2);
	asm_op(a, BC_iload_3);
	of_class(a, BC_getstatic, "places", ARRAY);
	asm_op(a, BC_iload_0);
	asm_op(a, BC_iload_3);
	asm_op(a, BC_iadd);
	asm_op(a, BC_aaload);
	of_class(a, BC_getfield, "n", "J");
	asm_op(a, BC_lastore);
	asm_op1(a, BC_iinc, 3);
	asm_op(a, 1);
	asm_jump(a, BC_goto, &loop);
	asm_label(a, &end);
	asm_op(a, BC_return);
	asm_method(a, ACC_STATIC, "counts", CHAIN_COUNTS, 5, 4, hidden);
}

/* p.seen = p.n; out[n++] = i. Locals: 3 out, 4 n, 6 i, 7 p */
static void tell(struct assembler *a)
{
	load(a, 7);
	get(a, 7, "n", "J");
	of_class(a, BC_putfield, "seen", "J");
	load(a, 3);
	asm_op1(a, BC_iload, 4);
	asm_op1(a, BC_iload, 6);
	asm_op(a, BC_iastore);
	asm_op1(a, BC_iinc, 4);
	asm_op(a, 1);
}

/* p = places[i]. Locals: 6 i, 7 p */
static void load_place(struct assembler *a)
{
	of_class(a, BC_getstatic, "places", ARRAY);
	asm_op1(a, BC_iload, 6);
	asm_op(a, BC_aaload);
	store(a, 7);
}

/* Those of the last time that sleep, and that a thread counted nevertheless which had just read that they were awake:
 * for (b = 0; b < len; b++) { p = places[i = before[b]]; if (p sleeps && p.n != p.seen) tell; } Locals: 1 before, 2 len, 5 b */
static void tell_late(struct assembler *a)
{
	struct label loop = LABEL, next = LABEL, end = LABEL;

	asm_op(a, BC_iconst_0);
	asm_op1(a, BC_istore, 5);
	asm_label(a, &loop);
	asm_op1(a, BC_iload, 5);
	asm_op(a, BC_iload_2);
	asm_jump(a, BC_if_icmpge, &end);
	load(a, 1);
	asm_op1(a, BC_iload, 5);
	asm_op(a, BC_iaload);
	asm_op1(a, BC_istore, 6);
	load_place(a);
	get(a, 7, "code", "J");
	upper(a);
	asm_jump(a, BC_ifge, &next);
	get(a, 7, "n", "J");
	get(a, 7, "seen", "J");
	asm_op(a, BC_lcmp);
	asm_jump(a, BC_ifeq, &next);
	tell(a);
	asm_label(a, &next);
	asm_op1(a, BC_iinc, 5);
	asm_op(a, 1);
	asm_jump(a, BC_goto, &loop);
	asm_label(a, &end);
}

/* p.code = it sleeps */
static void put_to_sleep(struct assembler *a)
{
	load(a, 7);
	asm_op1(a, BC_bipush, (uint8_t)CHAIN_ASLEEP);
	get(a, 7, "code", "J");
	with_upper(a);
	of_class(a, BC_putfield, "code", "J");
}

/* m[within] = 0; p = places[i = (page << BITS) + within]; p sleeps; tell it. Locals: 5 page, 6 i, 7 p, 8 m, 9 within */
static void tell_marked(struct assembler *a)
{
	load(a, 8);
	asm_op1(a, BC_iload, 9);
	asm_op(a, BC_iconst_0);
	asm_op(a, BC_bastore);
	in_order(a);
	asm_op1(a, BC_iload, 5);
	asm_op1(a, BC_bipush, CHAIN_PAGE_BITS);
	asm_op(a, BC_ishl);
	asm_op1(a, BC_iload, 9);
	asm_op(a, BC_iadd);
	asm_op1(a, BC_istore, 6);
	load_place(a);
	put_to_sleep(a);
	tell(a);
}

/* m = marks[page]; for (within = 0; within < its length; within++) if (m[within] != 0) tell_marked */
static void tell_page(struct assembler *a)
{
	struct label loop = LABEL, next = LABEL, end = LABEL;

	of_class(a, BC_getstatic, "marks", "[[B");
	asm_op1(a, BC_iload, 5);
	asm_op(a, BC_aaload);
	store(a, 8);
	asm_op(a, BC_iconst_0);
	asm_op1(a, BC_istore, 9);
	asm_label(a, &loop);
	asm_op1(a, BC_iload, 9);
	asm_op2(a, BC_sipush, 1u << CHAIN_PAGE_BITS);
	asm_jump(a, BC_if_icmpge, &end);
	load(a, 8);
	asm_op1(a, BC_iload, 9);
	asm_op(a, BC_baload);
	asm_jump(a, BC_ifeq, &next);
	tell_marked(a);
	asm_label(a, &next);
	asm_op1(a, BC_iinc, 9);
	asm_op(a, 1);
	asm_jump(a, BC_goto, &loop);
	asm_label(a, &end);
}

/* Numbers of nodes that counted since the last time, each once; they sleep then. `before` has those of the last time.
 * int touched(int pages, int[] before, int len, int[] out) Locals: 0 pages, 4 n, 5 page */
static void touched(struct assembler *a)
{
	struct label loop = LABEL, next = LABEL, end = LABEL;

	asm_op(a, BC_iconst_0);
	asm_op1(a, BC_istore, 4);
	tell_late(a);
	asm_op(a, BC_iconst_0);
	asm_op1(a, BC_istore, 5);
	asm_label(a, &loop);
	asm_op1(a, BC_iload, 5);
	asm_op(a, BC_iload_0);
	asm_jump(a, BC_if_icmpge, &end);
	of_class(a, BC_getstatic, "pages", "[B");
	asm_op1(a, BC_iload, 5);
	asm_op(a, BC_baload);
	asm_jump(a, BC_ifeq, &next);
	of_class(a, BC_getstatic, "pages", "[B");
	asm_op1(a, BC_iload, 5);
	asm_op(a, BC_iconst_0);
	asm_op(a, BC_bastore);
	in_order(a);
	tell_page(a);
	asm_label(a, &next);
	asm_op1(a, BC_iinc, 5);
	asm_op(a, 1);
	asm_jump(a, BC_goto, &loop);
	asm_label(a, &end);
	asm_op1(a, BC_iload, 4);
	asm_op(a, BC_ireturn);
	asm_method(a, ACC_STATIC, "touched", CHAIN_TOUCHED, 8, 10, hidden);
}

/* The class */

static void fields(struct assembler *a)
{
	static const char *const probes[] = { "up", "first" };
	static const char *const numbers[] = { "id", "out", "to", "method", "level", "call", "type" };

	asm_field(a, 0, "kids", ARRAY, NULL);
	asm_field(a, 0, "code", "J", NULL);
	for (size_t i = 0; i < ARRAY_LEN(probes); i++)
		asm_field(a, 0, probes[i], PROBE_SELF, NULL);
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		asm_field(a, 0, numbers[i], "I", NULL);
	asm_field(a, 0, "root", "Z", NULL);
	asm_field(a, ACC_STATIC, "places", ARRAY, NULL);
	asm_field(a, ACC_STATIC, "marks", "[[B", NULL);
	asm_field(a, ACC_STATIC, "pages", "[B", NULL);
	asm_field(a, ACC_STATIC | ACC_VOLATILE, "order", "I", NULL);
}

static void natives(struct assembler *a)
{
	static const struct { const char *name, *desc; } all[] = {
		{ "root", CHAIN_ROOT }, { "made", CHAIN_MADE }, { "link", CHAIN_LINK },
		{ "settle", CHAIN_SETTLE }, { "grow", CHAIN_GROW },
	};

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		asm_method(a, ACC_STATIC | ACC_NATIVE, all[i].name, all[i].desc, 0, 0, hidden);
}

void chain_class_members(struct assembler *a)
{
	fields(a);
	enter(a);
	leaf(a);
	touch(a);
	outside(a);
	entered(a);
	passed(a);
	push(a);
	leave(a);
	left(a);
	thrown(a);
	caught(a);
	constructs(a, "constructs", true);
	constructs(a, "constructed", false);
	keep(a);
	call(a);
	before(a);
	called(a);
	choose(a);
	counts(a);
	touched(a);
	natives(a);
}
