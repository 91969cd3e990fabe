/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/track.h"

#include "agent/match.h"
#include "formats/classfile/bytecode.h"

/* Leaves */

/* May the constant be a class, or be computed? Looking for it may then run code of class loaders or bootstraps. */
static bool is_looked_for(const struct classfile *cf, const struct insn *in)
{
	unsigned tag = cf_tag(cf, (uint16_t)in->a);

	return tag != CP_INTEGER && tag != CP_FLOAT && tag != CP_LONG && tag != CP_DOUBLE && tag != CP_STRING;
}

static bool is_own_field(const struct classfile *cf, const struct insn *in)
{
	return cf_tag(cf, (uint16_t)in->a) == CP_FIELD &&
	       str_eq(cf_name(cf, cf_ref(cf, (uint16_t)in->a).owner), cf_name(cf, cf->this_class));
}

static bool is_quiet(const struct classfile *cf, const struct insn *in)
{
	switch (in->op) {
	case BC_ldc: case BC_ldc_w: case BC_ldc2_w:
		return !is_looked_for(cf, in);
	case BC_getstatic: case BC_putstatic:
		return is_own_field(cf, in);
	case BC_new: case BC_anewarray: case BC_multianewarray: case BC_checkcast: case BC_instanceof:
	case BC_invokevirtual: case BC_invokespecial: case BC_invokestatic: case BC_invokeinterface: case BC_invokedynamic:
		return false;
	default:
		return true;
	}
}

bool track_is_leaf(const struct classfile *cf, const struct cf_member *m)
{
	struct span code = cf_code(cf, m).code;
	struct insn in;

	for (uint32_t pc = 0; pc < code.len; pc += in.len)
		if (!bytecode_decode(code, pc, &in) || !is_quiet(cf, &in))
			return false;
	return true;
}

/* Others */

uint32_t track_most(const struct classfile *cf, const struct cf_member *m)
{
	struct cf_code code = cf_code(cf, m);

	return 2 + code.nhandlers + 3 * (uint32_t)code.code.len;      /* a call is one instruction, and has three at most */
}

struct tracker {
	const struct probes *p;
	struct insertion *in;
	uint32_t n;
	bool is_full;
};

static void add(struct tracker *t, bool ok)
{
	t->is_full |= !ok;
	t->n += ok;
}

static void add_handlers(struct tracker *t)
{
	struct cf_code code = cf_code(t->p->cf, t->p->m);
	uint32_t first = t->n;

	for (uint16_t k = 0; k < code.nhandlers; k++) {
		uint32_t at = probe_handler(t->p, cf_handler_at(t->p->cf, &code, k).target);
		bool is_known = false;
		for (uint32_t i = first; i < t->n; i++)
			is_known |= t->in[i].pc == at;
		if (!is_known)
			add(t, probe_passing(t->p, at, "caught", 0, &t->in[t->n]));
	}
}

static bool is_dispatched(uint8_t op)
{
	return op == BC_invokevirtual || op == BC_invokeinterface;
}

/* In a constructor, invokespecial of <init>: this(...), super(...), or that of a new object, which does no harm. That of Object
 * throws nothing. */
static bool may_leave_unseen(const struct tracker *t, const struct insn *in)
{
	const struct classfile *cf = t->p->cf;

	if (in->op != BC_invokespecial || !str_is(cf_utf8(cf, t->p->m->name), "<init>"))
		return false;
	struct cf_ref r = cf_ref(cf, (uint16_t)in->a);
	return str_is(r.name, "<init>") && !str_is(cf_name(cf, r.owner), "java/lang/Object");
}

static void add_call(struct tracker *t, const struct insn *in, const struct match *call, uint32_t first)
{
	bool is_marked = may_leave_unseen(t, in);

	if (is_marked)
		add(t, probe_before(t->p, in->pc, "constructs", 0, false, &t->in[t->n]));
	if (call && is_dispatched(in->op))
		add(t, probe_before(t->p, in->pc, "before", call->site - first, true, &t->in[t->n]));
	else if (call)
		add(t, probe_before(t->p, in->pc, "call", call->site - first, false, &t->in[t->n]));
	if (is_marked)
		add(t, probe_after(t->p, in->pc, "constructed", 0, &t->in[t->n]));
}

static void add_code(struct tracker *t, const struct match *calls, uint32_t ncalls, uint32_t first)
{
	struct span code = cf_code(t->p->cf, t->p->m).code;
	struct insn in;
	uint32_t at = 0;

	for (uint32_t pc = 0; pc < code.len && bytecode_decode(code, pc, &in); pc += in.len) {
		bool is_call = in.op >= BC_invokevirtual && in.op <= BC_invokeinterface;
		bool is_match = at < ncalls && calls[at].pc == pc;
		if (in.op >= BC_ireturn && in.op <= BC_return)
			add(t, probe_passing(t->p, pc, "exit", 0, &t->in[t->n]));
		if (is_call)
			add_call(t, &in, is_match ? &calls[at] : NULL, first);
		at += is_match;
	}
}

static const char *const full = "its constant pool or the locals of a method are full";

static const char *track_leaf(const struct probes *p, uint32_t body, struct insertion *in, uint32_t *n)
{
	struct probes none = *p;

	none.local = NULL;
	if (!probe_entered(&none, "leaf", body, &in[*n]))
		return full;
	++*n;
	return NULL;
}

const char *track_method(const struct plan *p, uint32_t body, const struct probes *probes, struct insertion *in, uint32_t *n,
			 struct method_edit *e)
{
	const struct plan_method *b = &p->chains.bodies.data[body];
	struct tracker t = { probes, in, *n, false };
	struct insertion *leaving = arena_array(probes->mem, struct insertion, 1);
	uint32_t ncalls;
	bool is_other;

	struct match *calls = match_method(b, p->chains.calls.data, probes->cf, probes->m, probes->mem, &ncalls, &is_other);
	if (ncalls != b->nsites)
		return "its calls are not those of the plan";
	if (!probes->local)
		return track_leaf(probes, body, in, n);
	add(&t, probe_entered(probes, "enter", body, &t.in[t.n]));
	add_handlers(&t);
	add_code(&t, calls, ncalls, b->first_site);
	bool ok = probe_passing(probes, 0, "thrown", 0, leaving);
	if (t.is_full || !ok)
		return full;
	e->local = probes->local;
	e->leaving = leaving;
	*n = t.n;
	return NULL;
}
