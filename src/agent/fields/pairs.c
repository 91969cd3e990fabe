/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/fields/pairs.h"

#include "agent/agent_p.h"
#include "agent/guard.h"
#include "agent/log.h"
#include "agent/probe/cells.h"
#include "agent/probe/probe_class.h"
#include "agent/probe/types.h"
#include "base/digest.h"
#include "base/map.h"
#include "formats/classfile/bytecode.h"
#include "formats/classfile/classfile.h"

#define NONE UINT32_MAX
#define ARRAY "[" PROBE_SELF

struct store {
	struct str name;              /* on the heap */
	uint32_t row;                 /* in the data; NONE: not yet */
};
static struct {
	jfieldID callee, next;
	jobjectArray cells;           /* a global reference */
	VEC(struct store) stores;     /* by number - 1 */
	struct map by_name;           /* digest of the name -> number */
} table;

/* Statements */

uint32_t pairs_number(struct str name)
{
	struct strbuf kept = { 0 };

	agent_lock();
	uint32_t *known = map_at(&table.by_name, digest_str(DIGEST_START, name));
	if (!*known) {
		strbuf_addstr(&kept, name);
		vec_push(&table.stores, ((struct store){ strbuf_str(&kept), NONE }));
		*known = table.stores.len;
	}
	uint32_t number = *known;
	agent_unlock();
	return number;
}

static uint32_t row_of(uint32_t number)
{
	struct store *s = &table.stores.data[number - 1];

	if (s->row == NONE)
		s->row = cells_add_callee(s->name);
	return s->row;
}

/* Cells */

static void link_cell(JNIEnv *jni, jint site, jobject o, jint shadow)
{
	jobject first = (*jni)->GetObjectArrayElement(jni, table.cells, site);

	(*jni)->SetIntField(jni, o, table.callee, shadow);
	(*jni)->SetObjectField(jni, o, table.next, first);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	(*jni)->SetObjectArrayElement(jni, table.cells, site, o);
	(*jni)->DeleteLocalRef(jni, first);
}

static jobject known_cell(JNIEnv *jni, jint site, jint shadow)
{
	jobject o = (*jni)->GetObjectArrayElement(jni, table.cells, site);

	while (o && (*jni)->GetIntField(jni, o, table.callee) != shadow) {
		jobject next = (*jni)->GetObjectField(jni, o, table.next);
		(*jni)->DeleteLocalRef(jni, o);
		o = next;
	}
	return o;
}

struct question {
	JNIEnv *jni;
	jint site, shadow;
	jobject answer;
};

static void answer(void *ctx)
{
	struct question *q = ctx;

	if (!probe_begin())
		return;
	if (log_records() && (uint32_t)q->site < agent.plan.sites.len && (uint32_t)q->shadow <= table.stores.len) {
		jobject o = known_cell(q->jni, q->site, q->shadow);     /* another thread may have been here first */
		uint32_t store = o || !q->shadow ? NONE : row_of((uint32_t)q->shadow);
		if (!o && (o = cells_add_callback(q->jni, (uint32_t)q->site, store, NO_TYPE)))
			link_cell(q->jni, q->site, o, q->shadow);
		q->answer = o;
	}
	probe_end();
}

static jobject JNICALL pair(JNIEnv *jni, jclass helper, jint site, jint shadow)
{
	struct question q = { jni, site, shadow, NULL };

	(void)helper;
	bool ok = !agent_is(&agent.is_closed) && guarded(answer, &q);
	agent_cleared(jni);
	return ok ? q.answer : NULL;
}

bool pairs_bind(JNIEnv *jni, jclass probe)
{
	JNINativeMethod natives[] = {
		{ (char *)(uintptr_t)"pair", (char *)(uintptr_t)"(II)" PROBE_SELF, (void *)(uintptr_t)pair },
	};

	return !(*jni)->RegisterNatives(jni, probe, natives, ARRAY_LEN(natives));
}

bool pairs_init(JNIEnv *jni)
{
	jfieldID f = (*jni)->GetStaticFieldID(jni, agent.helper, "backs", ARRAY);
	jobject o = f ? (*jni)->GetStaticObjectField(jni, agent.helper, f) : NULL;

	table.cells = o ? (*jni)->NewGlobalRef(jni, o) : NULL;
	table.callee = table.cells ? (*jni)->GetFieldID(jni, agent.helper, "callee", "I") : NULL;
	table.next = table.callee ? (*jni)->GetFieldID(jni, agent.helper, "next", PROBE_SELF) : NULL;
	return !agent_cleared(jni) && table.next;
}

/* The Java code */

static const char *const hidden[] = { "Ljdk/internal/vm/annotation/Hidden;", NULL };

static void of_class(struct assembler *a, unsigned op, const char *field, const char *desc)
{
	asm_op2(a, op, asm_field_ref(a, PROBE_CLASS, field, desc));
}

/* Locals: 0 shadow, 1 site, 2 p */
static void used(struct assembler *a)
{
	struct label loop = LABEL, next = LABEL, found = LABEL, none = LABEL, end = LABEL;

	of_class(a, BC_getstatic, "backs", ARRAY);
	asm_op(a, BC_iload_1);
	asm_op(a, BC_aaload);
	asm_op(a, BC_astore_2);
	asm_label(a, &loop);
	asm_op(a, BC_aload_2);
	asm_jump(a, BC_ifnull, &none);
	asm_op(a, BC_aload_2);
	of_class(a, BC_getfield, "callee", "I");
	asm_op(a, BC_iload_0);
	asm_jump(a, BC_if_icmpne, &next);
	asm_label(a, &found);
	asm_op(a, BC_aload_2);
	asm_op(a, BC_dup);
	of_class(a, BC_getfield, "n", "J");
	asm_op(a, BC_lconst_1);
	asm_op(a, BC_ladd);
	of_class(a, BC_putfield, "n", "J");
	asm_op(a, BC_return);
	asm_label(a, &next);
	asm_op(a, BC_aload_2);
	of_class(a, BC_getfield, "next", PROBE_SELF);
	asm_op(a, BC_astore_2);
	asm_jump(a, BC_goto, &loop);
	asm_label(a, &none);
	asm_op(a, BC_iload_1);
	asm_op(a, BC_iload_0);
	asm_op2(a, BC_invokestatic, asm_method_ref(a, PROBE_CLASS, "pair", "(II)" PROBE_SELF));
	asm_op(a, BC_astore_2);
	asm_op(a, BC_aload_2);
	asm_jump(a, BC_ifnull, &end);
	asm_jump(a, BC_goto, &found);
	asm_label(a, &end);
	asm_op(a, BC_return);
	asm_method(a, ACC_PUBLIC | ACC_STATIC, "used", "(II)V", 5, 3, hidden);
}

void pair_members(struct assembler *a)
{
	used(a);
	asm_method(a, ACC_STATIC | ACC_NATIVE, "pair", "(II)" PROBE_SELF, 0, 0, hidden);
}
