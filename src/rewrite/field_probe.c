/* SPDX-License-Identifier: Apache-2.0 */
/* field_probe.c - code around accesses of fields. Before the access the object is doubled, so that it throws as it did when there is none;
 * messages of the JVM, too, find where a doubled one comes from. */
#include "formats/classfile/bytecode.h"
#include "formats/classfile/descriptor.h"
#include "rewrite/probe_p.h"

enum { MOST_STACK = 4 };

struct access {
	uint8_t op;
	uint16_t owner;               /* the Class entry that the instruction names */
	bool is_wide;                 /* its value takes two words */
};

static bool access_at(const struct probes *p, uint32_t pc, struct access *out)
{
	struct span code = p->m->code ? cf_code(p->cf, p->m).code : (struct span){ 0 };
	struct insn in;

	if (pc >= code.len || !bytecode_decode(code, pc, &in) || in.op < BC_getstatic || in.op > BC_putfield ||
	    cf_tag(p->cf, (uint16_t)in.a) != CP_FIELD)
		return false;
	struct cf_ref ref = cf_ref(p->cf, (uint16_t)in.a);
	*out = (struct access){ in.op, ref.owner, desc_words(ref.desc) == 2 };
	return true;
}

static void add(struct field_probe *out, uint32_t pc, struct out *o, bool after)
{
	out->in[out->n++] = (struct insertion){ .pc = pc, .code = { o->p, o->len }, .stack = MOST_STACK, .after = after };
	*o = (struct out){ .mem = o->mem };
}

static bool access_shadow(const struct probes *p, const struct access *a, uint8_t op, struct str shadow, struct out *o)
{
	uint16_t field = pool_field(p->pool, a->owner, shadow, STR("I"));

	out_u1(o, op);
	out_u2(o, field);
	return field != 0;
}

bool probe_stored(const struct probes *p, uint32_t pc, struct str shadow, uint32_t number, struct field_probe *out)
{
	static const uint8_t narrow[] = { BC_swap, BC_dup_x1, BC_swap };                         /* o v -> o o v */
	static const uint8_t wide[] = { BC_dup2_x1, BC_pop2, BC_dup_x2, BC_dup_x2, BC_pop };     /* o vv -> o o vv */
	struct out o = { .mem = p->mem };
	struct access a;

	out->n = 0;
	if (!access_at(p, pc, &a) || (a.op != BC_putfield && a.op != BC_putstatic))
		return false;
	if (a.op == BC_putfield) {
		out_bytes(&o, a.is_wide ? wide : narrow, a.is_wide ? sizeof(wide) : sizeof(narrow));
		add(out, pc, &o, false);
	}
	bool ok = push_id(&o, p->pool, number) && access_shadow(p, &a, a.op, shadow, &o);
	add(out, pc, &o, true);
	return ok;
}

bool probe_loaded(const struct probes *p, uint32_t pc, struct str shadow, const char *name, uint32_t id, struct field_probe *out)
{
	static const uint8_t wide[] = { BC_dup2_x1, BC_pop2 };                                   /* o vv -> vv o */
	struct out o = { .mem = p->mem };
	struct access a;

	out->n = 0;
	if (!access_at(p, pc, &a) || (a.op != BC_getfield && a.op != BC_getstatic))
		return false;
	uint16_t method = pool_method(p->pool, p->owner, name, "(II)V");
	if (a.op == BC_getfield) {
		out_u1(&o, BC_dup);
		add(out, pc, &o, false);
		if (a.is_wide)
			out_bytes(&o, wide, sizeof(wide));
		else
			out_u1(&o, BC_swap);
	}
	bool ok = access_shadow(p, &a, a.op, shadow, &o) && push_id(&o, p->pool, id) && method;
	out_u1(&o, BC_invokestatic);
	out_u2(&o, method);
	add(out, pc, &o, true);
	return ok;
}
