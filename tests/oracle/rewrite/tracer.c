/* SPDX-License-Identifier: Apache-2.0 */
/* tracer.c - a JVMTI agent that inserts every kind of code into every method of all classes: at the entry, before and after each
 * call, before each return, at the beginning of each handler, and where an exception leaves. All of it calls java.lang.Traced,
 * which is patched into java.base.
 *
 *     java --patch-module java.base=DIR -agentpath:tracer.so=all|others:REPORT ...
 *
 * others: all but the classes of the boot loader. REPORT gets the number of methods for each reason why they stayed as they
 * were, and of those that were edited. Methods keep in turn an int and a reference. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jvmti.h>

#include "formats/classfile/bytecode.h"
#include "rewrite/rewrite.h"

#define OWNER "java/lang/Traced"

struct reason {
	const char *text;
	uint64_t n;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct reason reasons[16];
static const char *report;
static bool takes_all;

static void count(const char *text)
{
	size_t i = 0;

	pthread_mutex_lock(&lock);
	while (i < 15 && reasons[i].text && strcmp(reasons[i].text, text) != 0)
		i++;
	reasons[i].text = text;
	reasons[i].n++;
	pthread_mutex_unlock(&lock);
}

static bool is_handler(const struct probes *p, const struct cf_code *code, uint32_t pc)
{
	for (uint16_t k = 0; k < code->nhandlers; k++)
		if (probe_handler(p, cf_handler_at(p->cf, code, k).target) == pc)
			return true;
	return false;
}

/* May the call at pc be this(...) or super(...), through which exceptions leave unseen? */
static bool is_constructor(const struct probes *p, const struct insn *in)
{
	return in->op == BC_invokespecial && str_eq(cf_utf8(p->cf, p->m->name), STR("<init>")) &&
	       str_eq(cf_ref(p->cf, (uint16_t)in->a).name, STR("<init>"));
}

/* What is inserted at one instruction; returns how many. */
static uint32_t edit_insn(const struct probes *p, const struct cf_code *code, const struct insn *in, struct insertion *out)
{
	uint32_t n = 0;

	if (is_handler(p, code, in->pc))
		n += probe_passing(p, in->pc, "caught", in->pc, &out[n]);
	if (in->op >= BC_ireturn && in->op <= BC_return)
		n += probe_passing(p, in->pc, "exited", in->pc, &out[n]);
	if (in->op < BC_invokevirtual || in->op > BC_invokedynamic)
		return n;
	if (probe_before(p, in->pc, "before", in->pc, true, &out[n]) ||
	    probe_before(p, in->pc, is_constructor(p, in) ? "construct" : "before", in->pc, false, &out[n]))
		n++;
	return n + probe_after(p, in->pc, "after", in->pc, &out[n]);
}

static bool edit_method(const struct probes *p, uint32_t method, struct method_edit *out)
{
	struct cf_code code = cf_code(p->cf, p->m);
	struct insertion *list = arena_array(p->mem, struct insertion, 2 * code.code.len + 3);
	struct insertion *leaving = arena_new(p->mem, struct insertion);
	uint32_t n = 1;
	struct insn in;

	if (!probe_entered(p, p->local[0] == 'I' ? "enteredInt" : "enteredFrame", method, &list[0]))
		return false;
	for (uint32_t pc = 0; pc < code.code.len; pc += in.len) {
		if (!bytecode_decode(code.code, pc, &in))
			return false;
		n += edit_insn(p, &code, &in, &list[n]);
	}
	*out = (struct method_edit){ .method = method, .insertions = list, .n = n, .local = p->local, .leaving = leaving };
	return probe_passing(p, 0, "left", method, leaving);
}

static struct span edit_class(const struct classfile *cf, struct arena *mem)
{
	struct probes p = { .cf = cf, .pool = pool_new(cf, mem), .mem = mem, .owner = OWNER };
	struct method_edit *edits = arena_array(mem, struct method_edit, cf->nmethods + 1u);
	uint32_t n = 0;

	for (uint32_t i = 0; i < cf->nmethods; i++) {
		p.m = &cf->methods[i];
		p.local = i % 2 ? "I" : "Ljava/lang/Object;";
		if (!p.m->code)
			continue;
		if (edit_method(&p, i, &edits[n]))
			n++;
		else
			count("no probes");
	}
	struct span bytes = rewrite_class(cf, p.pool, edits, n, mem);

	for (uint32_t i = 0; i < n; i++)
		count(edits[i].failed ? edits[i].failed : "edited");
	return bytes;
}

static void JNICALL on_load(jvmtiEnv *ti, JNIEnv *jni, jclass old, jobject loader, const char *name, jobject domain, jint len,
			    const unsigned char *data, jint *new_len, unsigned char **new_data)
{
	struct arena mem;
	struct classfile cf;

	(void)jni, (void)old, (void)domain;
	if ((!loader && !takes_all) || (name && strncmp(name, OWNER, strlen(OWNER)) == 0))
		return;
	arena_init(&mem);
	if (classfile_parse(&cf, (struct span){ data, (size_t)len }, &mem, "loaded", STR("class"), NULL)) {
		struct span bytes = edit_class(&cf, &mem);

		if (bytes.len && !(*ti)->Allocate(ti, (jlong)bytes.len, new_data)) {
			memcpy(*new_data, bytes.p, bytes.len);
			*new_len = (jint)bytes.len;
		}
	}
	arena_release(&mem);
}

/* Classes that the JVM had before it told anyone are loaded again. */
static void JNICALL on_init(jvmtiEnv *ti, JNIEnv *jni, jthread thread)
{
	jclass *all;
	jint n, kept = 0;

	(void)jni, (void)thread;
	if (!takes_all || (*ti)->GetLoadedClasses(ti, &n, &all))
		return;
	for (jint i = 0; i < n; i++) {
		jboolean can = JNI_FALSE;

		if (!(*ti)->IsModifiableClass(ti, all[i], &can) && can)
			all[kept++] = all[i];
	}
	jvmtiError error = (*ti)->RetransformClasses(ti, kept, all);

	if (error)
		fprintf(stderr, "tracer: RetransformClasses: error %d\n", (int)error);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	jvmtiCapabilities can = { .can_generate_all_class_hook_events = 1, .can_retransform_classes = 1 };
	jvmtiEventCallbacks on = { .ClassFileLoadHook = on_load, .VMInit = on_init };
	jvmtiEnv *ti;

	(void)reserved;
	if (!options || !strchr(options, ':') || (*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_11) != JNI_OK)
		return JNI_ERR;
	takes_all = strncmp(options, "all:", 4) == 0;
	report = strdup(strchr(options, ':') + 1);
	if ((*ti)->AddCapabilities(ti, &can) || (*ti)->SetEventCallbacks(ti, &on, sizeof(on)))
		return JNI_ERR;
	if ((*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL))
		return JNI_ERR;
	return (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL) ? JNI_ERR : JNI_OK;
}

/* Also called when a program halts. */
static void __attribute__((destructor)) write_report(void)
{
	FILE *f = report ? fopen(report, "w") : NULL;

	for (size_t i = 0; f && i < 16 && reasons[i].text; i++)
		fprintf(f, "%llu methods: %s\n", (unsigned long long)reasons[i].n, reasons[i].text);
	if (f)
		fclose(f);
}
