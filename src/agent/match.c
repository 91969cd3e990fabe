/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/match.h"

#include <stdlib.h>

#include "formats/classfile/bytecode.h"

/* Plans name classes with dots, class files with slashes. */
static bool same_class(struct str a, struct str b)
{
	if (a.len != b.len)
		return false;
	for (uint32_t i = 0; i < a.len; i++)
		if (a.p[i] != b.p[i] && !((a.p[i] == '.' || a.p[i] == '/') && (b.p[i] == '.' || b.p[i] == '/')))
			return false;
	return true;
}

static uint8_t opcode_of(const struct plan_site *s)
{
	if (s->flags & PLAN_FIELD)
		return s->flags & PLAN_STATIC ? BC_getstatic : BC_getfield;
	if (s->flags & PLAN_DYNAMIC)
		return BC_invokedynamic;
	if (s->flags & PLAN_SPECIAL)
		return BC_invokespecial;
	if (s->flags & PLAN_STATIC)
		return BC_invokestatic;
	return s->flags & PLAN_INTERFACE ? BC_invokeinterface : BC_invokevirtual;
}

/* Does this instruction call what the site calls? */
static bool is_call_of(const struct plan_site *s, const struct classfile *cf, const struct insn *in)
{
	if (in->op != opcode_of(s))
		return false;
	unsigned tag = cf_tag(cf, (uint16_t)in->a);
	if (tag != CP_METHOD && tag != CP_IMETHOD && tag != CP_INVOKEDYNAMIC && tag != CP_FIELD)
		return false;
	struct cf_ref r = cf_ref(cf, (uint16_t)in->a);
	if (tag == CP_INVOKEDYNAMIC)
		return str_eq(r.name, s->name) && str_eq(r.desc, s->desc);
	return str_eq(r.name, s->name) && str_eq(r.desc, s->desc) && same_class(cf_name(cf, r.owner), s->owner);
}

struct call {
	struct insn in;
	uint32_t site;                /* UINT32_MAX: none */
};

/* Or the use of a field */
static bool is_call(const struct insn *in)
{
	return (in->op >= BC_invokevirtual && in->op <= BC_invokedynamic) || in->op == BC_getfield || in->op == BC_getstatic;
}

static struct call *calls_of(struct span code, struct arena *mem, uint32_t *n)
{
	struct insn in;
	uint32_t count = 0;

	for (uint32_t pc = 0; pc < code.len && bytecode_decode(code, pc, &in); pc += in.len)
		count += is_call(&in);
	struct call *calls = arena_array(mem, struct call, count + 1);
	*n = 0;
	for (uint32_t pc = 0; *n < count && bytecode_decode(code, pc, &in); pc += in.len)
		if (is_call(&in))
			calls[(*n)++] = (struct call){ in, UINT32_MAX };
	return calls;
}

/* Marks the nth call that looks like the site, if there are as many as there should be. */
static void match_by_order(const struct plan_site *sites, uint32_t site, const struct classfile *cf, struct call *calls, uint32_t n)
{
	const struct plan_site *s = &sites[site];
	uint32_t seen = 0, at = UINT32_MAX;

	for (uint32_t i = 0; i < n; i++) {
		if (!is_call_of(s, cf, &calls[i].in))
			continue;
		if (seen++ == s->nth)
			at = i;
	}
	if (seen == s->of && at != UINT32_MAX)
		calls[at].site = site;
}

static void match_by_pc(const struct plan_site *sites, uint32_t site, const struct classfile *cf, struct call *calls, uint32_t n)
{
	const struct plan_site *s = &sites[site];

	for (uint32_t lo = 0, hi = n; lo < hi;) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (calls[mid].in.pc == s->pc) {
			if (is_call_of(s, cf, &calls[mid].in))
				calls[mid].site = site;
			return;
		}
		if (calls[mid].in.pc < s->pc)
			lo = mid + 1;
		else
			hi = mid;
	}
}

struct match *match_method(const struct plan_method *pm, const struct plan_site *sites, const struct classfile *cf,
			   const struct cf_member *m, struct arena *mem, uint32_t *n, bool *is_other)
{
	uint32_t ncalls;

	*n = 0;
	*is_other = false;
	if (!m->code)
		return NULL;
	struct span code = cf_code(cf, m).code;
	struct call *calls = calls_of(code, mem, &ncalls);
	struct match *out = arena_array(mem, struct match, ncalls + 1);
	*is_other = plan_code_digest(code) != pm->code;
	for (uint32_t i = 0; i < pm->nsites; i++)
		(*is_other ? match_by_order : match_by_pc)(sites, pm->first_site + i, cf, calls, ncalls);
	for (uint32_t i = 0; i < ncalls; i++)
		if (calls[i].site != UINT32_MAX)
			out[(*n)++] = (struct match){ calls[i].site, calls[i].in.pc };
	return out;
}
