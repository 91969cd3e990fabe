/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/follow.h"

#include "formats/classfile/bytecode.h"

uint32_t follow_most(const struct classfile *cf, const struct cf_member *m)
{
	struct cf_code code = cf_code(cf, m);

	return 2 + code.nhandlers + 2 * (uint32_t)code.code.len;      /* a call is one instruction, and has two at most */
}

struct follower {
	const struct probes *p;       /* with the local */
	struct probes none;           /* without */
	struct insertion *in;
	uint32_t n;
	bool is_full;
};

static void add(struct follower *f, bool ok)
{
	f->is_full |= !ok;
	f->n += ok;
}

static void add_handlers(struct follower *f)
{
	struct cf_code code = cf_code(f->p->cf, f->p->m);
	uint32_t first = f->n;

	for (uint16_t k = 0; k < code.nhandlers; k++) {
		uint32_t at = probe_handler(f->p, cf_handler_at(f->p->cf, &code, k).target);
		bool is_known = false;
		for (uint32_t i = first; i < f->n; i++)
			is_known |= f->in[i].pc == at;
		if (!is_known)
			add(f, probe_passing(&f->none, at, "returns", 0, &f->in[f->n]));
	}
}

/* Calls whose receivers are counted need not be counted again. */
static void add_call(struct follower *f, const struct plan *p, const struct match *call)
{
	uint32_t flags = p->sites.data[call->site].flags;
	const char *name = flags & PLAN_NO_RECEIVERS ? "calls" : "leaves";

	if (!(flags & PLAN_EXIT))
		return;
	add(f, probe_before(&f->none, call->pc, name, call->site, false, &f->in[f->n]));
	add(f, probe_after(&f->none, call->pc, "returns", 0, &f->in[f->n]));
}

static void add_exits(struct follower *f)
{
	struct span code = cf_code(f->p->cf, f->p->m).code;
	struct insn in;

	for (uint32_t pc = 0; pc < code.len && bytecode_decode(code, pc, &in); pc += in.len)
		if (in.op >= BC_ireturn && in.op <= BC_return)
			add(f, probe_passing(f->p, pc, "ends", 0, &f->in[f->n]));
}

static const char *const full = "its constant pool or the locals of a method are full";

static const char *follow_leaf(const struct probes *p, uint32_t number, struct insertion *in, uint32_t *n)
{
	if (!probe_entered(p, "passes", number, &in[*n]))
		return full;
	++*n;
	return NULL;
}

const char *follow_method(const struct plan *p, uint32_t number, const struct probes *probes, const struct match *calls,
			  uint32_t ncalls, struct insertion *in, uint32_t *n, struct method_edit *e)
{
	struct follower f = { probes, *probes, in, *n, false };
	struct insertion *leaving = arena_array(probes->mem, struct insertion, 1);

	if (!probes->local)
		return follow_leaf(probes, number, in, n);
	f.none.local = NULL;
	add(&f, probe_entered(probes, "begins", number, &f.in[f.n]));
	add_handlers(&f);
	for (uint32_t i = 0; i < ncalls; i++)
		add_call(&f, p, &calls[i]);
	add_exits(&f);
	bool ok = probe_passing(probes, 0, "fails", 0, leaving);
	if (f.is_full || !ok)
		return full;
	e->local = probes->local;
	e->leaving = leaving;
	*n = f.n;
	return NULL;
}
