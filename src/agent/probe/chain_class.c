/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/probe/chain_class.h"

#include "agent/probe/probe_class.h"
#include "formats/classfile/bytecode.h"
#include "formats/classfile/classfile.h"

#define ARRAY "[" PROBE_SELF
#define THREADS "[" THREAD_SELF

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

static void current_thread(struct assembler *a)
{
	asm_op2(a, BC_invokestatic, asm_method_ref(a, "java/lang/Thread", "currentThread", "()Ljava/lang/Thread;"));
}

/* t = now() */
static void load_thread(struct assembler *a, unsigned t)
{
	invoke(a, "now", "()" THREAD_SELF);
	store(a, t);
}

/* The node with the number in local i, into local p: places[i >> 10][i & 1023] */
static void find_place(struct assembler *a, unsigned i, unsigned p)
{
	of_class(a, BC_getstatic, "places", "[" ARRAY);
	asm_op1(a, BC_iload, i);
	asm_op1(a, BC_bipush, CHAIN_CHUNK_BITS);
	asm_op(a, BC_ishr);
	asm_op(a, BC_aaload);
	asm_op1(a, BC_iload, i);
	asm_op2(a, BC_sipush, (1u << CHAIN_CHUNK_BITS) - 1);
	asm_op(a, BC_iand);
	asm_op(a, BC_aaload);
	store(a, p);
}

/* p.n++ */
static void count(struct assembler *a, unsigned p)
{
	load(a, p);
	asm_op(a, BC_dup);
	of_class(a, BC_getfield, "n", "J");
	asm_op(a, BC_lconst_1);
	asm_op(a, BC_ladd);
	of_class(a, BC_putfield, "n", "J");
}

/* t.next = p.out */
static void leave_to(struct assembler *a, unsigned t, unsigned p)
{
	load(a, t);
	get(a, p, "out", "I");
	of_thread(a, BC_putfield, "next", "I");
}

/* Threads */

/* SherdThread now() { SherdThread t = last; return t.thread == Thread.currentThread() ? t : find(); } */
static void now(struct assembler *a)
{
	struct label other = LABEL;

	of_class(a, BC_getstatic, "last", THREAD_SELF);
	store(a, 0);
	load(a, 0);
	of_thread(a, BC_getfield, "thread", "Ljava/lang/Thread;");
	current_thread(a);
	asm_jump(a, BC_if_acmpne, &other);
	load(a, 0);
	asm_op(a, BC_areturn);
	asm_label(a, &other);
	invoke(a, "find", "()" THREAD_SELF);
	asm_op(a, BC_areturn);
	asm_method(a, ACC_STATIC, "now", "()" THREAD_SELF, 2, 1, hidden);
}

/* i = i & (tab.length - 1) */
static void wrap(struct assembler *a)
{
	load(a, 1);
	asm_op(a, BC_arraylength);
	asm_op(a, BC_iconst_1);
	asm_op(a, BC_isub);
	asm_op(a, BC_iand);
	asm_op1(a, BC_istore, 2);
}

/* Every so often the thread that is found becomes the last one: where one works and others wait, it gets there.
 * Locals: 3 t, 4 old */
static void become_last(struct assembler *a)
{
	struct label stays = LABEL;

	of_class(a, BC_getstatic, "misses", "I");
	asm_op(a, BC_iconst_1);
	asm_op(a, BC_iadd);
	asm_op(a, BC_dup);
	of_class(a, BC_putstatic, "misses", "I");
	asm_op2(a, BC_sipush, 1023);
	asm_op(a, BC_iand);
	asm_jump(a, BC_ifne, &stays);
	of_class(a, BC_getstatic, "last", THREAD_SELF);
	store(a, 4);
	load(a, 3);
	load(a, 0);
	of_thread(a, BC_putfield, "thread", "Ljava/lang/Thread;");
	load(a, 3);
	of_class(a, BC_putstatic, "last", THREAD_SELF);
	load(a, 4);
	asm_op(a, BC_aconst_null);
	of_thread(a, BC_putfield, "thread", "Ljava/lang/Thread;");
	asm_label(a, &stays);
}

/* Open addressing; the table only ever grows, by being replaced. Locals: 0 c, 1 tab, 2 i, 3 t, 4 old */
static void find(struct assembler *a)
{
	struct label loop = LABEL, next = LABEL, none = LABEL, spare = LABEL;

	current_thread(a);
	store(a, 0);
	of_class(a, BC_getstatic, "threads", THREADS);
	store(a, 1);
	load(a, 0);
	asm_op2(a, BC_invokestatic, asm_method_ref(a, "java/lang/System", "identityHashCode", "(Ljava/lang/Object;)I"));
	wrap(a);
	asm_label(a, &loop);
	load(a, 1);
	asm_op1(a, BC_iload, 2);
	asm_op(a, BC_aaload);
	store(a, 3);
	load(a, 3);
	asm_jump(a, BC_ifnull, &none);
	load(a, 3);
	of_thread(a, BC_getfield, "w", PROBE_WEAK);
	asm_op2(a, BC_invokevirtual, asm_method_ref(a, "java/lang/ref/WeakReference", "get", "()Ljava/lang/Object;"));
	load(a, 0);
	asm_jump(a, BC_if_acmpne, &next);
	become_last(a);
	load(a, 3);
	asm_op(a, BC_areturn);
	asm_label(a, &next);
	asm_op1(a, BC_iload, 2);
	asm_op(a, BC_iconst_1);
	asm_op(a, BC_iadd);
	wrap(a);
	asm_jump(a, BC_goto, &loop);
	asm_label(a, &none);
	load(a, 0);
	invoke(a, "thread", "(Ljava/lang/Thread;)" THREAD_SELF);
	store(a, 3);
	load(a, 3);
	asm_jump(a, BC_ifnull, &spare);
	load(a, 3);
	asm_op(a, BC_areturn);
	asm_label(a, &spare);
	of_class(a, BC_getstatic, "spare", THREAD_SELF);
	asm_op(a, BC_areturn);
	asm_method(a, ACC_STATIC, "find", "()" THREAD_SELF, 3, 5, apart);
}

/* Entries */

/* if (p.method == m) { t.next = p.out; p.n++; done } Locals: 0 m, 1 t, 2 p, 3 its number */
static void expected(struct assembler *a, struct label *other)
{
	load_thread(a, 1);
	load(a, 1);
	of_thread(a, BC_getfield, "next", "I");
	asm_op(a, BC_istore_3);
	find_place(a, 3, 2);
	get(a, 2, "method", "I");
	asm_op(a, BC_iload_0);
	asm_jump(a, BC_if_icmpne, other);
	leave_to(a, 1, 2);
	count(a, 2);
}

static void push_state(struct assembler *a)
{
	load(a, 1);
	load(a, 2);
	asm_op(a, BC_iload_0);
}

static void enter(struct assembler *a)
{
	struct label other = LABEL;

	expected(a, &other);
	load(a, 2);
	asm_op(a, BC_areturn);
	asm_label(a, &other);
	push_state(a);
	invoke(a, "entered", "(" THREAD_SELF PROBE_SELF "I)" PROBE_SELF);
	asm_op(a, BC_areturn);
	asm_method(a, ACC_PUBLIC | ACC_STATIC, "enter", "(I)" PROBE_SELF, 5, 4, hidden);
}

static void leaf(struct assembler *a)
{
	struct label other = LABEL;

	expected(a, &other);
	asm_op(a, BC_return);
	asm_label(a, &other);
	push_state(a);
	invoke(a, "passed", "(" THREAD_SELF PROBE_SELF "I)V");
	asm_op(a, BC_return);
	asm_method(a, ACC_PUBLIC | ACC_STATIC, "leaf", "(I)V", 5, 4, hidden);
}

/* Calls that were not yet made, and lambdas: if (p.method < OUTSIDE && (r = made(p, m)) != null) goto found.
 * Locals: 0 t, 1 p, 2 m, 3 r */
static void try_made(struct assembler *a, struct label *found)
{
	struct label other = LABEL;

	get(a, 1, "method", "I");
	asm_op(a, BC_iconst_m1);
	asm_jump(a, BC_if_icmpge, &other);
	load(a, 1);
	asm_op(a, BC_iload_2);
	invoke(a, "made", "(" PROBE_SELF "I)" PROBE_SELF);
	store(a, 3);
	load(a, 3);
	asm_jump(a, BC_ifnonnull, found);
	asm_label(a, &other);
}

/* The place outside that a call comes from which is not expected: p itself, or what surrounds it, unless the entry below it was left
 * unseen. Locals: 0 t, 1 p */
static void outside(struct assembler *a)
{
	struct label is = LABEL, plain = LABEL;

	get(a, 1, "method", "I");
	asm_op(a, BC_iconst_m1);
	asm_jump(a, BC_if_icmpeq, &is);
	get(a, 1, "out", "I");
	asm_op(a, BC_istore_2);
	find_place(a, 2, 1);
	asm_label(a, &is);
	get(a, 1, "level", "I");
	asm_jump(a, BC_ifeq, &plain);
	load(a, 0);
	of_thread(a, BC_getfield, "constructors", ARRAY);
	get(a, 1, "level", "I");
	asm_op(a, BC_iconst_1);
	asm_op(a, BC_isub);
	asm_op(a, BC_aaload);
	asm_jump(a, BC_ifnull, &plain);
	load(a, 0);
	load(a, 1);
	invoke(a, "settle", "(" THREAD_SELF PROBE_SELF ")" PROBE_SELF);
	asm_op(a, BC_areturn);
	asm_label(a, &plain);
	load(a, 1);
	asm_op(a, BC_areturn);
	asm_method(a, ACC_STATIC, "outside", "(" THREAD_SELF PROBE_SELF ")" PROBE_SELF, 3, 3, hidden);
}

/* o = outside(t, p); r = o.kids[m]; if (r == null && (r = root(o, m)) == null) goto none. Locals: 0 t, 2 m, 3 r, 4 o */
static void find_root(struct assembler *a, struct label *none)
{
	struct label is = LABEL;

	load(a, 0);
	load(a, 1);
	invoke(a, "outside", "(" THREAD_SELF PROBE_SELF ")" PROBE_SELF);
	store(a, 4);
	get(a, 4, "kids", ARRAY);
	asm_op(a, BC_iload_2);
	asm_op(a, BC_aaload);
	store(a, 3);
	load(a, 3);
	asm_jump(a, BC_ifnonnull, &is);
	load(a, 4);
	asm_op(a, BC_iload_2);
	invoke(a, "root", "(" PROBE_SELF "I)" PROBE_SELF);
	store(a, 3);
	load(a, 3);
	asm_jump(a, BC_ifnull, none);
	asm_label(a, &is);
}

/* t.saved[o.level] = t.next; t.constructors[o.level] = null; levels that are one have a stack of their own.
 * Locals: 0 t, 4 o, 5 level */
static void save(struct assembler *a)
{
	struct label deep = LABEL, end = LABEL;

	get(a, 4, "level", "I");
	asm_op1(a, BC_istore, 5);
	asm_op1(a, BC_iload, 5);
	asm_op1(a, BC_bipush, CHAIN_LEVELS);
	asm_jump(a, BC_if_icmpge, &deep);
	load(a, 0);
	of_thread(a, BC_getfield, "saved", "[I");
	asm_op1(a, BC_iload, 5);
	load(a, 0);
	of_thread(a, BC_getfield, "next", "I");
	asm_op(a, BC_iastore);
	load(a, 0);
	of_thread(a, BC_getfield, "constructors", ARRAY);
	asm_op1(a, BC_iload, 5);
	asm_op(a, BC_aconst_null);
	asm_op(a, BC_aastore);
	load(a, 0);
	asm_op(a, BC_iconst_0);
	of_thread(a, BC_putfield, "deep", "I");
	asm_jump(a, BC_goto, &end);
	asm_label(a, &deep);
	load(a, 0);
	invoke(a, "push", "(" THREAD_SELF ")V");
	asm_label(a, &end);
}

/* Locals: 0 t, 1 p, 2 m, 3 r, 4 o, 5 level */
static void entered(struct assembler *a)
{
	struct label found = LABEL, none = LABEL;

	try_made(a, &found);
	find_root(a, &none);
	save(a);
	asm_label(a, &found);
	leave_to(a, 0, 3);
	count(a, 3);
	load(a, 3);
	asm_op(a, BC_areturn);
	asm_label(a, &none);
	asm_op(a, BC_aconst_null);
	asm_op(a, BC_areturn);
	asm_method(a, ACC_STATIC, "entered", "(" THREAD_SELF PROBE_SELF "I)" PROBE_SELF, 5, 6, apart);
}

/* The same for a method during which nothing else is entered: what is next stays, unless it was this call. */
static void passed(struct assembler *a)
{
	struct label found = LABEL, none = LABEL;

	try_made(a, &found);
	find_root(a, &none);
	count(a, 3);
	asm_label(a, &none);
	asm_op(a, BC_return);
	asm_label(a, &found);
	leave_to(a, 0, 3);
	count(a, 3);
	asm_op(a, BC_return);
	asm_method(a, ACC_STATIC, "passed", "(" THREAD_SELF PROBE_SELF "I)V", 5, 6, apart);
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
	of_thread(a, BC_getfield, "saved", "[I");
	asm_op(a, BC_arraylength);
	asm_jump(a, BC_if_icmplt, &fits);
	load(a, 0);
	invoke(a, "grow", "(" THREAD_SELF ")Z");
	asm_jump(a, BC_ifne, &fits);
	asm_op(a, BC_return);
	asm_label(a, &fits);
	load(a, 0);
	of_thread(a, BC_getfield, "saved", "[I");
	asm_op(a, BC_iload_1);
	load(a, 0);
	of_thread(a, BC_getfield, "next", "I");
	asm_op(a, BC_iastore);
	load(a, 0);
	asm_op(a, BC_dup);
	of_thread(a, BC_getfield, "deep", "I");
	asm_op(a, BC_iconst_1);
	asm_op(a, BC_iadd);
	of_thread(a, BC_putfield, "deep", "I");
	asm_op(a, BC_return);
	asm_method(a, ACC_STATIC, "push", "(" THREAD_SELF ")V", 4, 2, apart);
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
	of_thread(a, BC_getfield, "saved", "[I");
	asm_op1(a, BC_iload, local);
	asm_op(a, BC_iaload);
	of_thread(a, BC_putfield, "next", "I");
}

/* Locals: 0 n, 1 t, 2 level or depth */
static void left(struct assembler *a)
{
	struct label deep = LABEL, end = LABEL;

	load_thread(a, 1);
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
	asm_method(a, ACC_STATIC, "left", "(" PROBE_SELF ")V", 3, 3, hidden);
}

/* if (n is an entry) left(n); else caught(n): what was announced and did not come is forgotten */
static void thrown(struct assembler *a)
{
	struct label other = LABEL;

	unless_root(a, &other);
	load(a, 0);
	invoke(a, "left", "(" PROBE_SELF ")V");
	asm_op(a, BC_return);
	asm_label(a, &other);
	load(a, 0);
	asm_op(a, BC_iconst_0);
	invoke(a, "caught", "(" PROBE_SELF "I)V");
	asm_op(a, BC_return);
	asm_method(a, ACC_PUBLIC | ACC_STATIC, "thrown", "(" PROBE_SELF "I)V", 2, 2, apart);
}

/* if (n != null) now().next = n.out */
static void caught(struct assembler *a)
{
	struct label end = LABEL;

	load(a, 0);
	asm_jump(a, BC_ifnull, &end);
	load_thread(a, 2);
	leave_to(a, 2, 0);
	asm_label(a, &end);
	asm_op(a, BC_return);
	asm_method(a, ACC_PUBLIC | ACC_STATIC, "caught", "(" PROBE_SELF "I)V", 2, 3, hidden);
}

/* if (n is an entry) now().constructors[n.level] = n, or null. Locals: 0 n, 1 not used */
static void constructs(struct assembler *a, const char *name, bool begins)
{
	struct label end = LABEL;

	unless_root(a, &end);
	invoke(a, "now", "()" THREAD_SELF);
	of_thread(a, BC_getfield, "constructors", ARRAY);
	get(a, 0, "level", "I");
	if (begins)
		load(a, 0);
	else
		asm_op(a, BC_aconst_null);
	asm_op(a, BC_aastore);
	asm_label(a, &end);
	asm_op(a, BC_return);
	asm_method(a, ACC_PUBLIC | ACC_STATIC, name, "(" PROBE_SELF "I)V", 3, 2, hidden);
}

/* Calls */

/* now().next = v.to; a call that nobody answers counts now */
static void set_next(struct assembler *a, unsigned v)
{
	struct label is_own = LABEL;

	invoke(a, "now", "()" THREAD_SELF);
	get(a, v, "to", "I");
	of_thread(a, BC_putfield, "next", "I");
	get(a, v, "to", "I");
	get(a, v, "id", "I");
	asm_jump(a, BC_if_icmpeq, &is_own);
	count(a, v);
	asm_label(a, &is_own);
	asm_op(a, BC_return);
}

/* Locals: 0 n, 1 call, 2 v */
static void call(struct assembler *a)
{
	struct label end = LABEL, known = LABEL;

	load(a, 0);
	asm_jump(a, BC_ifnull, &end);
	get(a, 0, "kids", ARRAY);
	asm_op(a, BC_iload_1);
	asm_op(a, BC_aaload);
	store(a, 2);
	load(a, 2);
	asm_jump(a, BC_ifnonnull, &known);
	asm_op(a, BC_aconst_null);
	asm_op(a, BC_iload_1);
	load(a, 0);
	invoke(a, "choose", "(Ljava/lang/Class;I" PROBE_SELF ")" PROBE_SELF);
	store(a, 2);
	load(a, 2);
	asm_jump(a, BC_ifnull, &end);
	asm_label(a, &known);
	set_next(a, 2);
	asm_label(a, &end);
	asm_op(a, BC_return);
	asm_method(a, ACC_PUBLIC | ACC_STATIC, "call", "(" PROBE_SELF "I)V", 5, 3, hidden);
}

/* Locals: 0 receiver, 1 n, 2 call, 3 v */
static void before(struct assembler *a)
{
	struct label end = LABEL, known = LABEL, other = LABEL;

	load(a, 0);
	asm_jump(a, BC_ifnull, &end);
	load(a, 1);
	asm_jump(a, BC_ifnull, &end);
	get(a, 1, "kids", ARRAY);
	asm_op(a, BC_iload_2);
	asm_op(a, BC_aaload);
	store(a, 3);
	load(a, 3);
	asm_jump(a, BC_ifnull, &other);
	get(a, 3, "k", "Ljava/lang/Class;");
	load(a, 0);
	asm_op2(a, BC_invokevirtual, asm_method_ref(a, "java/lang/Object", "getClass", "()Ljava/lang/Class;"));
	asm_jump(a, BC_if_acmpeq, &known);
	asm_label(a, &other);
	load(a, 0);
	asm_op2(a, BC_invokevirtual, asm_method_ref(a, "java/lang/Object", "getClass", "()Ljava/lang/Class;"));
	asm_op(a, BC_iload_2);
	load(a, 1);
	invoke(a, "choose", "(Ljava/lang/Class;I" PROBE_SELF ")" PROBE_SELF);
	store(a, 3);
	load(a, 3);
	asm_jump(a, BC_ifnull, &end);
	asm_label(a, &known);
	set_next(a, 3);
	asm_label(a, &end);
	asm_op(a, BC_return);
	asm_method(a, ACC_PUBLIC | ACC_STATIC, "before", "(Ljava/lang/Object;" PROBE_SELF "I)V", 5, 4, hidden);
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
	asm_method(a, ACC_STATIC, "choose", "(Ljava/lang/Class;I" PROBE_SELF ")" PROBE_SELF, 3, 5, apart);
}

/* The class */

static void fields(struct assembler *a)
{
	static const char *const probes[] = { "up", "first" };
	static const char *const numbers[] = { "id", "out", "to", "method", "level", "call", "type" };

	asm_field(a, 0, "kids", ARRAY, NULL);
	for (size_t i = 0; i < ARRAY_LEN(probes); i++)
		asm_field(a, 0, probes[i], PROBE_SELF, NULL);
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		asm_field(a, 0, numbers[i], "I", NULL);
	asm_field(a, 0, "root", "Z", NULL);
	asm_field(a, ACC_STATIC, "places", "[" ARRAY, NULL);
	asm_field(a, ACC_STATIC, "last", THREAD_SELF, NULL);
	asm_field(a, ACC_STATIC, "spare", THREAD_SELF, NULL);
	asm_field(a, ACC_STATIC, "threads", THREADS, NULL);
	asm_field(a, ACC_STATIC, "misses", "I", NULL);
}

static void natives(struct assembler *a)
{
	static const struct { const char *name, *desc; } all[] = {
		{ "thread", CHAIN_THREAD }, { "root", CHAIN_ROOT }, { "made", CHAIN_MADE },
		{ "link", CHAIN_LINK }, { "settle", CHAIN_SETTLE }, { "grow", CHAIN_GROW },
	};

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		asm_method(a, ACC_STATIC | ACC_NATIVE, all[i].name, all[i].desc, 0, 0, hidden);
}

void chain_class_members(struct assembler *a)
{
	fields(a);
	now(a);
	find(a);
	enter(a);
	leaf(a);
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
	call(a);
	before(a);
	choose(a);
	natives(a);
}

void thread_class_bytes(struct strbuf *out)
{
	struct assembler a = { 0 };

	asm_field(&a, 0, "thread", "Ljava/lang/Thread;", NULL);
	asm_field(&a, 0, "w", PROBE_WEAK, NULL);
	asm_field(&a, 0, "next", "I", NULL);
	asm_field(&a, 0, "saved", "[I", NULL);
	asm_field(&a, 0, "constructors", ARRAY, NULL);
	asm_field(&a, 0, "deep", "I", NULL);
	asm_finish(&a, ACC_FINAL | ACC_SUPER | ACC_SYNTHETIC, THREAD_CLASS, "java/lang/Object", out);
	assembler_release(&a);
}
