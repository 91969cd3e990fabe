/* SPDX-License-Identifier: Apache-2.0 */
/* callback_class.c - the Java code of callbacks.h. */
#include "agent/probe/callbacks.h"

#include "agent/probe/probe_class.h"
#include "agent/probe/thread_class.h"
#include "formats/classfile/bytecode.h"
#include "formats/classfile/classfile.h"

#define ARRAY "[" PROBE_SELF
#define CALLED "(" THREAD_SELF "II)I"
#define BACK "(II)" PROBE_SELF
#define MADE "(I)" PROBE_SELF
#define STARTED "(Ljava/lang/Object;I)V"

static const char *const apart[] = { "Ljdk/internal/vm/annotation/Hidden;", "Ljdk/internal/vm/annotation/DontInline;",
				     "Ljava/lang/invoke/DontInline;", NULL };
static const char *const hidden[] = { "Ljdk/internal/vm/annotation/Hidden;", NULL };

static void site_of(struct assembler *a, unsigned op)
{
	asm_op2(a, op, asm_field_ref(a, THREAD_CLASS, "site", "I"));
}

static void of_class(struct assembler *a, unsigned op, const char *field, const char *desc)
{
	asm_op2(a, op, asm_field_ref(a, PROBE_CLASS, field, desc));
}

static void invoke(struct assembler *a, const char *name, const char *desc)
{
	asm_op2(a, BC_invokestatic, asm_method_ref(a, PROBE_CLASS, name, desc));
}

/* p.n++ */
static void count(struct assembler *a, unsigned p)
{
	asm_op1(a, BC_aload, p);
	asm_op(a, BC_dup);
	of_class(a, BC_getfield, "n", "J");
	asm_op(a, BC_lconst_1);
	asm_op(a, BC_ladd);
	of_class(a, BC_putfield, "n", "J");
}

/* Calls */

/* now().site = the site in local 0 */
static void leave(struct assembler *a)
{
	invoke(a, "now", "()" THREAD_SELF);
	asm_op(a, BC_iload_0);
	asm_op(a, BC_iconst_1);
	asm_op(a, BC_iadd);
	site_of(a, BC_putfield);
	asm_op(a, BC_return);
}

static void leaves(struct assembler *a)
{
	leave(a);
	asm_method(a, ACC_PUBLIC | ACC_STATIC, "leaves", "(I)V", 3, 1, hidden);
}

/* Locals: 0 site, 1 p */
static void calls(struct assembler *a)
{
	struct label known = LABEL, none = LABEL;

	of_class(a, BC_getstatic, "calls", ARRAY);
	asm_op(a, BC_iload_0);
	asm_op(a, BC_aaload);
	asm_op(a, BC_astore_1);
	asm_op(a, BC_aload_1);
	asm_jump(a, BC_ifnonnull, &known);
	asm_op(a, BC_iload_0);
	invoke(a, "call", MADE);
	asm_op(a, BC_astore_1);
	asm_op(a, BC_aload_1);
	asm_jump(a, BC_ifnull, &none);
	asm_label(a, &known);
	count(a, 1);
	asm_label(a, &none);
	leave(a);
	asm_method(a, ACC_PUBLIC | ACC_STATIC, "calls", "(I)V", 5, 2, hidden);
}

static void returns(struct assembler *a)
{
	invoke(a, "now", "()" THREAD_SELF);
	asm_op(a, BC_iconst_0);
	site_of(a, BC_putfield);
	asm_op(a, BC_return);
	asm_method(a, ACC_PUBLIC | ACC_STATIC, "returns", "(I)V", 2, 1, hidden);
}

/* Methods */

/* t = now(); if (t.site == 0) return none; called(t, t.site, m) stays on the stack. Locals: 0 m, 1 t */
static void look(struct assembler *a, struct label *none)
{
	thread_load(a, 1);
	asm_op(a, BC_aload_1);
	site_of(a, BC_getfield);
	asm_jump(a, BC_ifeq, none);
	asm_op(a, BC_aload_1);
	asm_op(a, BC_aload_1);
	site_of(a, BC_getfield);
	asm_op(a, BC_iload_0);
	invoke(a, "called", CALLED);
}

static void begins(struct assembler *a)
{
	struct label none = LABEL;

	look(a, &none);
	asm_op(a, BC_ireturn);
	asm_label(a, &none);
	asm_op(a, BC_iconst_0);
	asm_op(a, BC_ireturn);
	asm_method(a, ACC_PUBLIC | ACC_STATIC, "begins", "(I)I", 3, 2, hidden);
}

/* The same; then t.site = what was found */
static void passes(struct assembler *a)
{
	struct label none = LABEL;

	look(a, &none);
	asm_op(a, BC_aload_1);
	asm_op(a, BC_swap);
	site_of(a, BC_putfield);
	asm_label(a, &none);
	asm_op(a, BC_return);
	asm_method(a, ACC_PUBLIC | ACC_STATIC, "passes", "(I)V", 3, 2, hidden);
}

/* key = s > 0 ? m : -1 - m; at = s > 0 ? s - 1 : -1 - s. Locals: 1 s, 2 m, 3 key, 4 at */
static void find_key(struct assembler *a)
{
	struct label later = LABEL, found = LABEL;

	asm_op(a, BC_iload_1);
	asm_jump(a, BC_ifle, &later);
	asm_op(a, BC_iload_2);
	asm_op(a, BC_istore_3);
	asm_op(a, BC_iload_1);
	asm_op(a, BC_iconst_1);
	asm_op(a, BC_isub);
	asm_op1(a, BC_istore, 4);
	asm_jump(a, BC_goto, &found);
	asm_label(a, &later);
	asm_op(a, BC_iconst_m1);
	asm_op(a, BC_iload_2);
	asm_op(a, BC_isub);
	asm_op(a, BC_istore_3);
	asm_op(a, BC_iconst_m1);
	asm_op(a, BC_iload_1);
	asm_op(a, BC_isub);
	asm_op1(a, BC_istore, 4);
	asm_label(a, &found);
}

/* int called(SherdThread t, int s, int m) {
 *     t.site = 0;
 *     for (p = backs[at]; p != null; p = p.next) if (p.callee == key) { p.n++; return s; }
 *     p = back(s, m);                                 // null: it was not called from there
 *     if (p == null) return 0;
 *     p.n++; return s; }
 * Locals: 0 t, 1 s, 2 m, 3 key, 4 at, 5 p */
static void called(struct assembler *a)
{
	struct label loop = LABEL, next = LABEL, none = LABEL, found = LABEL, lost = LABEL;

	asm_op(a, BC_aload_0);
	asm_op(a, BC_iconst_0);
	site_of(a, BC_putfield);
	find_key(a);
	of_class(a, BC_getstatic, "backs", ARRAY);
	asm_op1(a, BC_iload, 4);
	asm_op(a, BC_aaload);
	asm_op1(a, BC_astore, 5);
	asm_label(a, &loop);
	asm_op1(a, BC_aload, 5);
	asm_jump(a, BC_ifnull, &none);
	asm_op1(a, BC_aload, 5);
	of_class(a, BC_getfield, "callee", "I");
	asm_op(a, BC_iload_3);
	asm_jump(a, BC_if_icmpne, &next);
	asm_label(a, &found);
	count(a, 5);
	asm_op(a, BC_iload_1);
	asm_op(a, BC_ireturn);
	asm_label(a, &next);
	asm_op1(a, BC_aload, 5);
	of_class(a, BC_getfield, "next", PROBE_SELF);
	asm_op1(a, BC_astore, 5);
	asm_jump(a, BC_goto, &loop);
	asm_label(a, &none);
	asm_op(a, BC_iload_1);
	asm_op(a, BC_iload_2);
	invoke(a, "back", BACK);
	asm_op1(a, BC_astore, 5);
	asm_op1(a, BC_aload, 5);
	asm_jump(a, BC_ifnull, &lost);
	asm_jump(a, BC_goto, &found);
	asm_label(a, &lost);
	asm_op(a, BC_iconst_0);
	asm_op(a, BC_ireturn);
	asm_method(a, ACC_STATIC, "called", CALLED, 5, 6, apart);
}

/* if (site != 0) restore(site) */
static void ends(struct assembler *a)
{
	struct label end = LABEL;

	asm_op(a, BC_iload_0);
	asm_jump(a, BC_ifeq, &end);
	asm_op(a, BC_iload_0);
	asm_op(a, BC_iconst_0);
	invoke(a, "fails", "(II)V");
	asm_label(a, &end);
	asm_op(a, BC_return);
	asm_method(a, ACC_PUBLIC | ACC_STATIC, "ends", "(II)V", 2, 2, hidden);
}

/* now().site = site */
static void fails(struct assembler *a)
{
	invoke(a, "now", "()" THREAD_SELF);
	asm_op(a, BC_iload_0);
	site_of(a, BC_putfield);
	asm_op(a, BC_return);
	asm_method(a, ACC_PUBLIC | ACC_STATIC, "fails", "(II)V", 2, 2, apart);
}

/* s = now().site; if (s != 0) started(thread, s). Locals: 0 thread, 1 not used, 2 s */
static void starts(struct assembler *a)
{
	struct label end = LABEL;

	invoke(a, "now", "()" THREAD_SELF);
	site_of(a, BC_getfield);
	asm_op(a, BC_istore_2);
	asm_op(a, BC_iload_2);
	asm_jump(a, BC_ifeq, &end);
	asm_op(a, BC_aload_0);
	asm_op(a, BC_iload_2);
	invoke(a, "started", STARTED);
	asm_label(a, &end);
	asm_op(a, BC_return);
	asm_method(a, ACC_PUBLIC | ACC_STATIC, "starts", "(Ljava/lang/Object;I)V", 2, 3, hidden);
}

/* The class */

static void new_array(struct assembler *a, uint32_t sites, const char *name)
{
	asm_op2(a, BC_ldc_w, asm_int(a, sites));
	asm_op2(a, BC_anewarray, asm_class(a, PROBE_CLASS));
	of_class(a, BC_putstatic, name, ARRAY);
}

void back_array(struct assembler *a, uint32_t sites)
{
	new_array(a, sites, "backs");
}

void callback_array(struct assembler *a, uint32_t sites)
{
	new_array(a, sites, "calls");
}

void back_members(struct assembler *a)
{
	asm_field(a, 0, "callee", "I", NULL);
	asm_field(a, ACC_STATIC | ACC_FINAL, "backs", ARRAY, NULL);
}

void callback_members(struct assembler *a)
{
	asm_field(a, ACC_STATIC | ACC_FINAL, "calls", ARRAY, NULL);
	leaves(a);
	calls(a);
	returns(a);
	begins(a);
	passes(a);
	called(a);
	ends(a);
	fails(a);
	starts(a);
	asm_method(a, ACC_STATIC | ACC_NATIVE, "back", BACK, 0, 0, hidden);
	asm_method(a, ACC_STATIC | ACC_NATIVE, "call", MADE, 0, 0, hidden);
	asm_method(a, ACC_STATIC | ACC_NATIVE, "started", STARTED, 0, 0, hidden);
}
