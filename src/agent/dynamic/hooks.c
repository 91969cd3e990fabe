/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/dynamic/hooks.h"

#include "agent/probe/probe_class.h"
#include "agent/say.h"
#include "base/compiler.h"
#include "formats/classfile/bytecode.h"
#include "formats/classfile/descriptor.h"

#define PROXY "java/lang/reflect/Proxy"
#define HANDLER "java/lang/reflect/InvocationHandler"

#define RESULT "result"
#define SELF "this"
#define STRING "Ljava/lang/String;"
#define OBJECT "Ljava/lang/Object;"
#define MEMBER "Ljava/lang/invoke/MemberName;"

enum place { AT_ENTRY, AT_RETURN, BEFORE };

static const struct hook {
	enum note note;
	const char *class, *method, *desc;
	enum place place;
	const char *callee;
	const char *args[2];
} hooks[] = {
#define HOOK(note, class, method, desc, place, callee, first, second) \
	{ NOTE_##note, class, method, desc, place, callee, { first, second } },
#include "agent/dynamic/hooks.def"
#undef HOOK
};
static bool is_placed[ARRAY_LEN(hooks)];

/* jdk.proxy1.$Proxy7, or in the package of an interface */
static bool is_proxy_name(struct str internal)
{
	return str_starts(str_sub(internal, (uint32_t)(str_rfind(internal, '/') + 1), internal.len), "$Proxy");
}

bool hooks_is_hooked(struct str internal)
{
	for (size_t i = 0; i < ARRAY_LEN(hooks); i++)
		if (str_is(internal, hooks[i].class))
			return true;
	return is_proxy_name(internal);
}

static bool fits(const struct hook *h, struct str class, struct str name, struct str desc)
{
	return str_is(class, h->class) && (h->desc ? str_is(name, h->method) && str_starts(desc, h->desc) : str_starts(name, h->method));
}

/* The method that a hooked method calls at an instruction, if it is the hook's. */
static bool calls(const struct classfile *cf, const struct insn *in, const char *callee)
{
	unsigned tag = in->op == BC_invokevirtual || in->op == BC_invokeinterface ? cf_tag(cf, (uint16_t)in->a) : 0;

	if (tag != CP_METHOD && tag != CP_IMETHOD)
		return false;
	struct cf_ref r = cf_ref(cf, (uint16_t)in->a);
	const char *dot = strchr(callee, '.');
	return str_eq(cf_name(cf, r.owner), (struct str){ callee, (uint32_t)(dot - callee) }) && str_starts(r.name, dot + 1);
}

static bool is_place(const struct hook *h, const struct classfile *cf, const struct insn *in)
{
	switch (h->place) {
	case AT_ENTRY:
		return in->pc == 0;
	case AT_RETURN:
		return in->op == BC_areturn;
	default:
		return calls(cf, in, h->callee);
	}
}

/* The local that holds an argument; false: there is none. The compiler of the JDK never gives the local of a parameter to another
 * variable, so it holds something of that type everywhere. */
static bool find_local(const char *arg, struct str desc, bool is_static, uint16_t *local)
{
	struct desc_iter it = desc_params(desc);
	struct str param;

	*local = is_static ? 0 : 1;
	if (!strcmp(arg, RESULT) || !strcmp(arg, SELF)) {
		*local = arg[0] == RESULT[0] ? PROBE_TOP : 0;
		return arg[0] == RESULT[0] || !is_static;
	}
	while (desc_next(&it, &param)) {
		if (str_is(param, arg))
			return true;
		*local = (uint16_t)(*local + desc_words(param));
	}
	return false;
}

static uint32_t find_locals(const struct hook *h, struct str desc, bool is_static, uint16_t locals[static 2])
{
	uint32_t n = h->args[1] ? 2 : 1;

	for (uint32_t i = 0; i < n; i++)
		if (!find_local(h->args[i], desc, is_static, &locals[i]))
			return 0;
	return n;
}

static uint32_t place_hook(const struct hook *h, const struct classfile *cf, const struct cf_member *m, const struct insn *in,
			   struct pool *pool, struct arena *mem, struct insertion *out)
{
	struct str desc = cf_utf8(cf, m->desc);
	uint16_t locals[2];

	if (!fits(h, cf_name(cf, cf->this_class), cf_utf8(cf, m->name), desc) || !is_place(h, cf, in))
		return 0;
	uint32_t n = find_locals(h, desc, m->access & ACC_STATIC, locals);
	if (!n || !probe_at(cf, m, in->pc, pool, PROBE_CLASS, "note", locals, n, h->note, mem, out))
		return 0;
	is_placed[h - hooks] = true;
	return 1;
}

static bool is_proxy(const struct classfile *cf)
{
	return cf->super_class && str_is(cf_name(cf, cf->super_class), PROXY);
}

uint32_t hooks_edit(const struct classfile *cf, const struct cf_member *m, struct pool *pool, struct arena *mem,
		    struct insertion *out)
{
	struct span code = m->code ? cf_code(cf, m).code : (struct span){ 0 };
	bool has_handler = is_proxy(cf);
	uint32_t n = 0;
	struct insn in;

	for (uint32_t pc = 0; pc < code.len && bytecode_decode(code, pc, &in); pc += in.len) {
		for (size_t i = 0; i < ARRAY_LEN(hooks); i++)
			if (n < HOOKS_MOST(code.len))
				n += place_hook(&hooks[i], cf, m, &in, pool, mem, &out[n]);
		if (has_handler && calls(cf, &in, HANDLER ".invoke"))
			n += probe_call(cf, m, pc, pool, PROBE_CLASS, "note", NOTE_PROXY_CALL, mem, &out[n]);
	}
	return n;
}

void hooks_tell_missing(struct str internal)
{
	for (size_t i = 0; i < ARRAY_LEN(hooks); i++)
		if (str_is(internal, hooks[i].class) && !is_placed[i])
			say("this JVM's %s.%s is another one than expected: what it does is not recorded", hooks[i].class,
			    hooks[i].method);
}
