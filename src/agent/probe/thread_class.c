/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/probe/thread_class.h"

#include "agent/probe/probe_class.h"
#include "formats/classfile/bytecode.h"
#include "formats/classfile/classfile.h"

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

void thread_try(struct assembler *a, unsigned t, struct label *other)
{
	of_class(a, BC_getstatic, "last", THREAD_SELF);
	store(a, t);
	load(a, t);
	of_thread(a, BC_getfield, "thread", "Ljava/lang/Thread;");
	current_thread(a);
	asm_jump(a, BC_if_acmpne, other);
}

void thread_load(struct assembler *a, unsigned t)
{
	invoke(a, "now", "()" THREAD_SELF);
	store(a, t);
}

/* SherdThread now() { SherdThread t = last; return t.thread == Thread.currentThread() ? t : find(); } */
static void now(struct assembler *a)
{
	struct label other = LABEL;

	thread_try(a, 0, &other);
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
	of_class(a, BC_getstatic, "threads", THREAD_TABLE);
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

/* The class */

void thread_members(struct assembler *a)
{
	asm_field(a, ACC_STATIC, "last", THREAD_SELF, NULL);
	asm_field(a, ACC_STATIC, "spare", THREAD_SELF, NULL);
	asm_field(a, ACC_STATIC, "threads", THREAD_TABLE, NULL);
	asm_field(a, ACC_STATIC, "misses", "I", NULL);
	now(a);
	find(a);
	asm_method(a, ACC_STATIC | ACC_NATIVE, "thread", THREAD_FIND, 0, 0, hidden);
}

void thread_class_bytes(struct strbuf *out)
{
	struct assembler a = { 0 };

	asm_field(&a, 0, "thread", "Ljava/lang/Thread;", NULL);
	asm_field(&a, 0, "w", PROBE_WEAK, NULL);
	asm_field(&a, 0, "next", "J", NULL);
	asm_field(&a, 0, "saved", "[J", NULL);
	asm_field(&a, 0, "constructors", "[" PROBE_SELF, NULL);
	asm_field(&a, 0, "deep", "I", NULL);
	asm_field(&a, 0, "site", "I", NULL);
	asm_finish(&a, ACC_FINAL | ACC_SUPER | ACC_SYNTHETIC, THREAD_CLASS, "java/lang/Object", out);
	assembler_release(&a);
}
