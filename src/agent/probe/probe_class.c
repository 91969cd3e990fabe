/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/probe/probe_class.h"

#include "agent/fields/pairs.h"
#include "agent/probe/callbacks.h"
#include "agent/probe/chain_class.h"
#include "formats/classfile/bytecode.h"
#include "formats/classfile/classfile.h"
#include "formats/coverage/plan.h"

#define ARRAY "[" PROBE_SELF

/* Views of a site that hit() looks at by itself: compiled code has their classes as constants, so that several cost less than
 * a look into the table. */
enum { AT_ONCE = 4 };

/* The JVM heeds these in classes of the boot loader. Names differ between its versions; it passes over unknown ones. */
static const char *const stable[] = { "Ljdk/internal/vm/annotation/Stable;", "Ljava/lang/invoke/Stable;", NULL };
static const char *const hidden[] = { "Ljdk/internal/vm/annotation/Hidden;", "Ljava/lang/invoke/LambdaForm$Hidden;", NULL };
static const char *const hidden_apart[] = { "Ljdk/internal/vm/annotation/Hidden;", "Ljava/lang/invoke/LambdaForm$Hidden;",
					    "Ljdk/internal/vm/annotation/DontInline;", "Ljava/lang/invoke/DontInline;", NULL };

static void static_field(struct assembler *a, unsigned op, const char *name, const char *desc)
{
	asm_op2(a, op, asm_field_ref(a, PROBE_CLASS, name, desc));
}

static void get_k(struct assembler *a)
{
	asm_op2(a, BC_getfield, asm_field_ref(a, PROBE_CLASS, "k", "Ljava/lang/Class;"));
}

static void get_next(struct assembler *a)
{
	asm_op2(a, BC_getfield, asm_field_ref(a, PROBE_CLASS, "next", PROBE_SELF));
}

/* local.n++; return */
static void count_and_return(struct assembler *a, unsigned load)
{
	uint16_t n = asm_field_ref(a, PROBE_CLASS, "n", "J");

	asm_op(a, load);
	asm_op(a, BC_dup);
	asm_op2(a, BC_getfield, n);
	asm_op(a, BC_lconst_1);
	asm_op(a, BC_ladd);
	asm_op2(a, BC_putfield, n);
	asm_op(a, BC_return);
}

static void get_class(struct assembler *a)
{
	asm_op2(a, BC_invokevirtual, asm_method_ref(a, "java/lang/Object", "getClass", "()Ljava/lang/Class;"));
}

/* p = first[site] */
static void load_first(struct assembler *a)
{
	static_field(a, BC_getstatic, "first", ARRAY);
	asm_op(a, BC_iload_1);
	asm_op(a, BC_aaload);
	asm_op(a, BC_astore_2);
}

/* Locals: 0 o, 1 site, 2 p */
static void hit(struct assembler *a)
{
	struct label slow = LABEL, end = LABEL;

	asm_op(a, BC_aload_0);
	asm_jump(a, BC_ifnull, &end);
	load_first(a);
	for (int i = 0; i < AT_ONCE; i++) {
		struct label other = LABEL;
		asm_op(a, BC_aload_2);
		asm_jump(a, BC_ifnull, &slow);
		asm_op(a, BC_aload_2);
		get_k(a);
		asm_op(a, BC_aload_0);
		get_class(a);
		asm_jump(a, BC_if_acmpne, &other);
		count_and_return(a, BC_aload_2);
		asm_label(a, &other);
		if (i + 1 < AT_ONCE) {
			asm_op(a, BC_aload_2);
			get_next(a);
			asm_op(a, BC_astore_2);
		}
	}
	asm_label(a, &slow);
	asm_op(a, BC_aload_0);
	get_class(a);
	asm_op(a, BC_iload_1);
	asm_op2(a, BC_invokestatic, asm_method_ref(a, PROBE_CLASS, "slow", "(Ljava/lang/Class;I)V"));
	asm_label(a, &end);
	asm_op(a, BC_return);
	asm_method(a, ACC_PUBLIC | ACC_STATIC, "hit", "(Ljava/lang/Object;I)V", 5, 3, hidden);
}

/* Jumps away unless p (local 2) is not null and of class c (local 0):
 * if (p == null || p.k != c && (p.w == null || p.w.get() != c)) goto away; */
void probe_unless_of_class(struct assembler *a, struct label *away)
{
	struct label is = LABEL;
	uint16_t w = asm_field_ref(a, PROBE_CLASS, "w", PROBE_WEAK);

	asm_op(a, BC_aload_2);
	asm_jump(a, BC_ifnull, away);
	asm_op(a, BC_aload_2);
	get_k(a);
	asm_op(a, BC_aload_0);
	asm_jump(a, BC_if_acmpeq, &is);
	asm_op(a, BC_aload_2);
	asm_op2(a, BC_getfield, w);
	asm_op(a, BC_dup);
	asm_op1(a, BC_astore, 4);
	asm_jump(a, BC_ifnull, away);
	asm_op1(a, BC_aload, 4);
	asm_op2(a, BC_invokevirtual, asm_method_ref(a, "java/lang/ref/WeakReference", "get", "()Ljava/lang/Object;"));
	asm_op(a, BC_aload_0);
	asm_jump(a, BC_if_acmpne, away);
	asm_label(a, &is);
}

/* h = (identityHashCode(c) * 31 + site) * 0x9e3779b1 >>> shift, as an index of the table; locals: 3 h */
static void hash(struct assembler *a, unsigned shift)
{
	asm_op(a, BC_aload_0);
	asm_op2(a, BC_invokestatic, asm_method_ref(a, "java/lang/System", "identityHashCode", "(Ljava/lang/Object;)I"));
	asm_op1(a, BC_bipush, 31);
	asm_op(a, BC_imul);
	asm_op(a, BC_iload_1);
	asm_op(a, BC_iadd);
	asm_op2(a, BC_ldc_w, asm_int(a, 0x9e3779b1));
	asm_op(a, BC_imul);
	asm_op1(a, BC_bipush, shift);
	asm_op(a, BC_iushr);
	asm_op(a, BC_istore_3);
}

/* if ((p = table[h]) is of class c && p.site == site) { p.n++; return; } */
static void try_table(struct assembler *a)
{
	struct label other = LABEL;

	static_field(a, BC_getstatic, "table", ARRAY);
	asm_op(a, BC_iload_3);
	asm_op(a, BC_aaload);
	asm_op(a, BC_astore_2);
	probe_unless_of_class(a, &other);
	asm_op(a, BC_aload_2);
	asm_op2(a, BC_getfield, asm_field_ref(a, PROBE_CLASS, "site", "I"));
	asm_op(a, BC_iload_1);
	asm_jump(a, BC_if_icmpne, &other);
	count_and_return(a, BC_aload_2);
	asm_label(a, &other);
}

/* for (p = first[site]; p != null; p = p.next) if (p is of class c) goto found; */
static void walk_views(struct assembler *a, struct label *found)
{
	struct label loop = LABEL, next = LABEL, end = LABEL;

	load_first(a);
	asm_label(a, &loop);
	asm_op(a, BC_aload_2);
	asm_jump(a, BC_ifnull, &end);
	probe_unless_of_class(a, &next);
	asm_jump(a, BC_goto, found);
	asm_label(a, &next);
	asm_op(a, BC_aload_2);
	get_next(a);
	asm_op(a, BC_astore_2);
	asm_jump(a, BC_goto, &loop);
	asm_label(a, &end);
}

/* Locals: 0 c, 1 site, 2 p, 3 h, 4 w. Apart, or the JIT would copy it to every call whose classes differ now and then. */
static void slow(struct assembler *a, unsigned shift)
{
	struct label found = LABEL, made = LABEL;

	hash(a, shift);
	try_table(a);
	walk_views(a, &found);
	asm_op(a, BC_aload_0);
	asm_op(a, BC_iload_1);
	asm_op2(a, BC_invokestatic, asm_method_ref(a, PROBE_CLASS, "miss", "(Ljava/lang/Class;I)" PROBE_SELF));
	asm_op(a, BC_astore_2);
	asm_op(a, BC_aload_2);
	asm_jump(a, BC_ifnonnull, &made);
	asm_op(a, BC_return);
	asm_label(a, &found);
	asm_label(a, &made);
	static_field(a, BC_getstatic, "table", ARRAY);
	asm_op(a, BC_iload_3);
	asm_op(a, BC_aload_2);
	asm_op(a, BC_aastore);
	count_and_return(a, BC_aload_2);
	asm_method(a, ACC_STATIC, "slow", "(Ljava/lang/Class;I)V", 5, 5, hidden_apart);
}

/* views = all[chunk]; for (i = 0; i < len; i++) { p = views[i]; ... } Locals: 0 chunk, 1 len, 2 out, 3 views, 4 i, 5 p, 6 n */
static void loop_begin(struct assembler *a, struct label *loop, struct label *end)
{
	static_field(a, BC_getstatic, "all", "[" ARRAY);
	asm_op(a, BC_iload_0);
	asm_op(a, BC_aaload);
	asm_op(a, BC_astore_3);
	asm_op(a, BC_iconst_0);
	asm_op1(a, BC_istore, 4);
	asm_label(a, loop);
	asm_op1(a, BC_iload, 4);
	asm_op(a, BC_iload_1);
	asm_jump(a, BC_if_icmpge, end);
	asm_op(a, BC_aload_3);
	asm_op1(a, BC_iload, 4);
	asm_op(a, BC_aaload);
	asm_op1(a, BC_astore, 5);
}

static void loop_end(struct assembler *a, struct label *loop, struct label *next, struct label *end)
{
	asm_label(a, next);
	asm_op(a, BC_iinc);
	asm_op(a, 4);
	asm_op(a, 1);
	asm_jump(a, BC_goto, loop);
	asm_label(a, end);
}

static void get_long(struct assembler *a, const char *name)
{
	asm_op1(a, BC_aload, 5);
	asm_op2(a, BC_getfield, asm_field_ref(a, PROBE_CLASS, name, "J"));
}

/* out[i] = p.n */
static void copy(struct assembler *a)
{
	struct label loop = LABEL, next = LABEL, end = LABEL;

	loop_begin(a, &loop, &end);
	asm_op(a, BC_aload_2);
	asm_op1(a, BC_iload, 4);
	get_long(a, "n");
	asm_op(a, BC_lastore);
	loop_end(a, &loop, &next, &end);
	asm_op(a, BC_return);
	asm_method(a, ACC_STATIC, "copy", "(II[J)V", 4, 6, hidden);
}

/* if (p.n != p.seen) { p.seen = p.n; out[n++] = i; } */
static void changed(struct assembler *a)
{
	struct label loop = LABEL, next = LABEL, end = LABEL;

	asm_op(a, BC_iconst_0);
	asm_op1(a, BC_istore, 6);
	loop_begin(a, &loop, &end);
	get_long(a, "n");
	get_long(a, "seen");
	asm_op(a, BC_lcmp);
	asm_jump(a, BC_ifeq, &next);
	asm_op1(a, BC_aload, 5);
	get_long(a, "n");
	asm_op2(a, BC_putfield, asm_field_ref(a, PROBE_CLASS, "seen", "J"));
	asm_op(a, BC_aload_2);
	asm_op1(a, BC_iload, 6);
	asm_op1(a, BC_iload, 4);
	asm_op(a, BC_iastore);
	asm_op(a, BC_iinc);
	asm_op(a, 6);
	asm_op(a, 1);
	loop_end(a, &loop, &next, &end);
	asm_op1(a, BC_iload, 6);
	asm_op(a, BC_ireturn);
	asm_method(a, ACC_STATIC, "changed", "(II[I)I", 4, 7, hidden);
}

static void new_array(struct assembler *a, uint32_t len, const char *of, const char *name, const char *desc)
{
	asm_op2(a, BC_ldc_w, asm_int(a, len));
	asm_op2(a, BC_anewarray, asm_class(a, of));
	static_field(a, BC_putstatic, name, desc);
}

static void initialiser(struct assembler *a, uint32_t sites, uint32_t table, uint32_t criteria)
{
	new_array(a, sites, PROBE_CLASS, "first", ARRAY);
	new_array(a, table, PROBE_CLASS, "table", ARRAY);
	new_array(a, PROBE_CHUNKS, ARRAY, "all", "[" ARRAY);
	if (criteria & (PLAN_CALLBACKS | PLAN_DU))
		back_array(a, sites);
	if (criteria & PLAN_CALLBACKS)
		callback_array(a, sites);
	asm_op2(a, BC_invokestatic, asm_method_ref(a, PROBE_CLASS, "bind", "()V"));
	asm_op(a, BC_return);
	asm_method(a, ACC_STATIC, "<clinit>", "()V", 1, 0, NULL);
	asm_op2(a, BC_getstatic, asm_field_ref(a, BOUND_CLASS, "at", "I"));
	asm_op(a, BC_pop);
	asm_op(a, BC_return);
	asm_method(a, ACC_STATIC, "bind", "()V", 1, 0, NULL);
}

static void fields(struct assembler *a)
{
	asm_field(a, 0, "k", "Ljava/lang/Class;", stable);
	asm_field(a, 0, "w", PROBE_WEAK, NULL);
	asm_field(a, 0, "n", "J", NULL);
	asm_field(a, 0, "seen", "J", NULL);
	asm_field(a, 0, "site", "I", NULL);
	asm_field(a, 0, "next", PROBE_SELF, stable);
	asm_field(a, ACC_STATIC | ACC_FINAL, "first", ARRAY, stable);
	asm_field(a, ACC_STATIC | ACC_FINAL, "table", ARRAY, NULL);
	asm_field(a, ACC_STATIC | ACC_FINAL, "all", "[" ARRAY, NULL);
}

/* Bits of the table: about one place for a site, so that sites with many classes find theirs. */
static unsigned table_bits(uint32_t sites)
{
	unsigned bits = 12;

	while (bits < 17 && (1u << bits) < sites)
		bits++;
	return bits;
}

void probe_class_bytes(uint32_t sites, uint32_t criteria, struct strbuf *out)
{
	struct assembler a = { 0 };
	unsigned bits = table_bits(sites);

	fields(&a);
	initialiser(&a, sites ? sites : 1, 1u << bits, criteria);
	hit(&a);
	slow(&a, 32 - bits);
	copy(&a);
	changed(&a);
	if (criteria & (PLAN_CHAINS | PLAN_CALLBACKS))
		thread_members(&a);
	if (criteria & PLAN_CHAINS)
		chain_class_members(&a);
	if (criteria & (PLAN_CALLBACKS | PLAN_DU))
		back_members(&a);
	if (criteria & PLAN_CALLBACKS)
		callback_members(&a);
	if (criteria & PLAN_DU)
		pair_members(&a);
	asm_method(&a, ACC_STATIC | ACC_NATIVE, "miss", "(Ljava/lang/Class;I)" PROBE_SELF, 0, 0, hidden);
	asm_method(&a, ACC_PUBLIC | ACC_STATIC | ACC_NATIVE, "test", "(Ljava/lang/Object;I)V", 0, 0, hidden);
	asm_method(&a, ACC_PUBLIC | ACC_STATIC | ACC_NATIVE, "note", PROBE_NOTE_1, 0, 0, hidden);
	asm_method(&a, ACC_PUBLIC | ACC_STATIC | ACC_NATIVE, "note", PROBE_NOTE_2, 0, 0, hidden);
	asm_finish(&a, ACC_PUBLIC | ACC_FINAL | ACC_SUPER | ACC_SYNTHETIC, PROBE_CLASS, "java/lang/Object", out);
	assembler_release(&a);
}

void bound_class_bytes(struct strbuf *out)
{
	struct assembler a = { 0 };

	asm_field(&a, ACC_STATIC, "at", "I", NULL);
	asm_finish(&a, ACC_FINAL | ACC_SUPER | ACC_SYNTHETIC, BOUND_CLASS, "java/lang/Object", out);
	assembler_release(&a);
}
