/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "formats/classfile/bytecode.h"
#include "formats/classfile/descriptor.h"
#include "rewrite/probe_p.h"
#include "rewrite/rewrite.h"

/* By the number of references before the id. */
static const char *const descs[] = { "(I)V", "(Ljava/lang/Object;I)V", "(Ljava/lang/Object;Ljava/lang/Object;I)V",
				     "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;I)V",
				     "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;I)V" };

bool push_id(struct out *o, struct pool *pool, uint32_t id)
{
	if (id <= 5) {
		out_u1(o, BC_iconst_0 + id);
	} else if (id <= INT8_MAX) {
		out_u1(o, BC_bipush);
		out_u1(o, id);
	} else if (id <= INT16_MAX) {
		out_u1(o, BC_sipush);
		out_u2(o, id);
	} else {
		uint16_t index = pool_int(pool, (int32_t)id);

		if (!index)
			return false;
		out_u1(o, BC_ldc_w);
		out_u2(o, index);
	}
	return true;
}

/* The call of a probe with what is on top of the stack, which is used up, a local, and the id. */
struct call {
	struct pool *pool;
	const char *owner, *name, *desc;
	uint32_t id;
	uint8_t load;                   /* 0: no local */
	uint32_t local;
	bool has_local;                 /* the method has one, be it passed on or not */
};

static void access_local(struct out *o, uint8_t op, uint32_t local)
{
	if (local > UINT8_MAX) {
		out_u1(o, BC_wide);
		out_u1(o, op);
		out_u2(o, local);
	} else {
		out_u1(o, op);
		out_u1(o, local);
	}
}

static bool call_probe(struct out *o, const struct call *c)
{
	uint16_t method = pool_method(c->pool, c->owner, c->name, c->desc);

	if (!method)
		return false;
	if (c->load)
		access_local(o, c->load, c->local);
	if (!push_id(o, c->pool, c->id))
		return false;
	out_u1(o, BC_invokestatic);
	out_u2(o, method);
	return true;
}

struct slot {                   /* an argument in a local of its own */
	uint8_t load, store;
	uint32_t local;
};

static struct slot slot_of(struct str param, uint32_t local)
{
	switch (param.p[0]) {
	case 'J':
		return (struct slot){ BC_lload, BC_lstore, local };
	case 'D':
		return (struct slot){ BC_dload, BC_dstore, local };
	case 'F':
		return (struct slot){ BC_fload, BC_fstore, local };
	case 'L': case '[':
		return (struct slot){ BC_aload, BC_astore, local };
	default:
		return (struct slot){ BC_iload, BC_istore, local };
	}
}

static void reload(struct out *o, const struct slot *slots, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		access_local(o, slots[i].load, slots[i].local);
		if (slots[i].load != BC_aload)
			continue;
		out_u1(o, BC_aconst_null);              /* the interpreter would keep the object alive */
		access_local(o, BC_astore, slots[i].local);
	}
}

/* Many arguments go into locals of their own for a moment. */
static bool spill(struct out *o, struct str desc, uint32_t first_local, const struct call *c)
{
	struct desc_iter it = desc_params(desc);
	struct slot slots[DESC_MAX_WORDS];
	struct str param;
	uint32_t n = 0, local = first_local;

	while (n < DESC_MAX_WORDS && desc_next(&it, &param)) {
		slots[n++] = slot_of(param, local);
		local += desc_words(param);
	}
	for (uint32_t i = n; i > 0; i--)
		access_local(o, slots[i - 1].store, slots[i - 1].local);
	out_u1(o, BC_dup);
	if (!call_probe(o, c))
		return false;
	reload(o, slots, n);
	return true;
}

/* The call at `pc`; its descriptor is empty: there is none. */
struct called {
	uint8_t op;
	struct str name, desc;
};

static struct called called_at(const struct classfile *cf, const struct cf_code *code, uint32_t pc)
{
	struct called none = { 0, { NULL, 0 }, { NULL, 0 } };
	struct insn in;

	if (pc >= code->code.len || !bytecode_decode(code->code, pc, &in))
		return none;
	if (in.op < BC_invokevirtual || in.op > BC_invokedynamic)
		return none;
	unsigned tag = cf_tag(cf, (uint16_t)in.a);

	if (in.op == BC_invokedynamic ? tag != CP_INVOKEDYNAMIC : tag != CP_METHOD && tag != CP_IMETHOD)
		return none;
	struct cf_ref ref = cf_ref(cf, (uint16_t)in.a);

	return (struct called){ in.op, ref.name, ref.desc };
}

/* Few arguments are moved below the receiver, and back: r a b -> a b r -> r a b */
struct shuffle {
	uint8_t lift[3], lower[3];
	uint32_t n;
};
static const struct shuffle shuffles[] = {             /* by words of arguments */
	{ { 0 }, { 0 }, 0 },
	{ { BC_swap }, { BC_swap }, 1 },
	{ { BC_dup2_x1, BC_pop2 }, { BC_dup_x2, BC_pop }, 2 },
	{ { BC_dup2_x2, BC_pop2, BC_swap }, { BC_swap, BC_dup2_x2, BC_pop2 }, 3 },
};

/* NULL: the arguments must go into locals. Those of three words are moved in two parts, of which the first has one word. */
static const struct shuffle *shuffle_of(struct str desc)
{
	uint32_t words = desc_param_words(desc);

	if (words >= ARRAY_LEN(shuffles) || (words == 3 && (desc.p[1] == 'J' || desc.p[1] == 'D')))
		return NULL;
	return &shuffles[words];
}

static struct cf_code code_of(const struct classfile *cf, const struct cf_member *m)
{
	return m->code ? cf_code(cf, m) : (struct cf_code){ 0 };
}

/* Calls a probe before the call at pc with its receiver, whose arguments have the descriptor `desc`. */
static bool with_receiver(const struct cf_code *code, uint32_t pc, struct str desc, const struct call *c, struct arena *mem,
			  struct insertion *out)
{
	struct out o = { .mem = mem };
	const struct shuffle *s = shuffle_of(desc);
	uint32_t words = s ? 0 : desc_param_words(desc), first = code->max_locals + (c->has_local ? 1u : 0u);
	bool ok;

	if (first + words > UINT16_MAX)
		return false;
	if (s) {
		out_bytes(&o, s->lift, s->n);
		out_u1(&o, BC_dup);
		ok = call_probe(&o, c);
		out_bytes(&o, s->lower, s->n);
	} else {
		ok = spill(&o, desc, first, c);
	}
	/* Two or three words for the call; with spilled arguments, which were more, one for the null behind them. */
	*out = (struct insertion){ .pc = pc, .code = { o.p, o.len }, .stack = !s ? 1 : c->load ? 3 : 2, .locals = (uint16_t)words };
	return ok;
}

bool probe_call(const struct classfile *cf, const struct cf_member *m, uint32_t pc, struct pool *pool, const char *owner,
		const char *name, uint32_t id, struct arena *mem, struct insertion *out)
{
	return probe_receiver(&(struct probes){ cf, m, pool, mem, owner, NULL }, pc, name, id, out);
}

bool probe_receiver(const struct probes *p, uint32_t pc, const char *name, uint32_t id, struct insertion *out)
{
	struct call c = { .pool = p->pool, .owner = p->owner, .name = name, .desc = descs[1], .id = id, .has_local = p->local };
	struct cf_code code = code_of(p->cf, p->m);
	struct called to = called_at(p->cf, &code, pc);

	if (to.op != BC_invokevirtual && to.op != BC_invokeinterface)
		return false;
	return with_receiver(&code, pc, to.desc, &c, p->mem, out);
}

bool probe_entry(const struct classfile *cf, const struct cf_member *m, struct pool *pool, const char *owner, const char *name,
		 uint32_t id, struct arena *mem, struct insertion *out)
{
	struct call c = { pool, owner, name, descs[1], id, 0, 0, false };
	struct desc_iter it = desc_params(cf_utf8(cf, m->desc));
	struct out o = { .mem = mem };
	struct str param;

	if (!m->code || (m->access & ACC_STATIC) || !desc_next(&it, &param) || (param.p[0] != 'L' && param.p[0] != '['))
		return false;
	out_u1(&o, BC_aload_1);
	bool ok = call_probe(&o, &c);

	*out = (struct insertion){ .pc = 0, .code = { o.p, o.len }, .stack = 2, .entry = true };
	return ok;
}

static bool is_instruction(struct span code, uint32_t pc)
{
	struct insn in;

	for (uint32_t at = 0; at <= pc && at < code.len; at += in.len) {
		if (!bytecode_decode(code, at, &in))
			return false;
		if (at == pc)
			return true;
	}
	return false;
}

bool probe_at(const struct classfile *cf, const struct cf_member *m, uint32_t pc, struct pool *pool, const char *owner,
	      const char *name, const uint16_t *locals, uint32_t n, uint32_t id, struct arena *mem, struct insertion *out)
{
	struct out o = { .mem = mem };

	if (!m->code || n >= ARRAY_LEN(descs) || !is_instruction(cf_code(cf, m).code, pc))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		if (locals[i] == PROBE_TOP)
			out_u1(&o, BC_dup);
		else
			access_local(&o, BC_aload, locals[i]);
	}
	bool ok = call_probe(&o, &(struct call){ pool, owner, name, descs[n], id, 0, 0, false });

	*out = (struct insertion){ .pc = pc, .code = { o.p, o.len }, .stack = (uint16_t)(n + 1), .entry = pc == 0 };
	return ok;
}

/* Probes with the local of a method */

static bool is_reference(const char *desc)
{
	return desc[0] == 'L' || desc[0] == '[';
}

/* `first`, the local, an int, and what is returned. */
static const char *desc_of(const struct probes *p, const char *first, const char *last)
{
	const char *local = p->local ? p->local : "";
	size_t len = strlen(first) + strlen(local) + strlen(last) + 4;
	char *desc = arena_alloc(p->mem, len);

	snprintf(desc, len, "(%s%sI)%s", first, local, last);
	return desc;
}

static struct call call_of(const struct probes *p, const char *name, const char *first, uint32_t id)
{
	struct call c = { p->pool, p->owner, name, desc_of(p, first, "V"), id, 0, 0, false };

	c.has_local = p->local;
	if (p->local) {
		c.load = is_reference(p->local) ? BC_aload : BC_iload;
		c.local = code_of(p->cf, p->m).max_locals;
	}
	return c;
}

static bool pass_local(const struct probes *p, const char *name, uint32_t id, struct insertion *out)
{
	struct call c = call_of(p, name, "", id);
	struct out o = { .mem = p->mem };
	bool ok = call_probe(&o, &c);

	*out = (struct insertion){ .code = { o.p, o.len }, .stack = c.load ? 2 : 1 };
	return ok && c.local < UINT16_MAX;
}

bool probe_entered(const struct probes *p, const char *name, uint32_t id, struct insertion *out)
{
	struct probes none = *p;
	struct out o = { .mem = p->mem };

	none.local = NULL;
	if (!p->m->code)
		return false;
	struct call c = { p->pool, p->owner, name, desc_of(&none, "", p->local ? p->local : "V"), id, 0, 0, false };
	uint32_t local = cf_code(p->cf, p->m).max_locals;
	bool ok = call_probe(&o, &c);

	if (p->local)
		access_local(&o, is_reference(p->local) ? BC_astore : BC_istore, local);
	*out = (struct insertion){ .code = { o.p, o.len }, .stack = 1, .entry = true };
	return ok && local < UINT16_MAX;
}

bool probe_before(const struct probes *p, uint32_t pc, const char *name, uint32_t id, bool receiver, struct insertion *out)
{
	struct cf_code code = code_of(p->cf, p->m);
	struct called to = called_at(p->cf, &code, pc);
	bool has_receiver = to.op == BC_invokevirtual || to.op == BC_invokeinterface ||
			    (to.op == BC_invokespecial && !str_eq(to.name, STR("<init>")));

	if (!to.desc.len || (receiver && !has_receiver))
		return false;
	if (receiver) {
		struct call c = call_of(p, name, "Ljava/lang/Object;", id);

		return with_receiver(&code, pc, to.desc, &c, p->mem, out);
	}
	if (!pass_local(p, name, id, out))
		return false;
	out->pc = pc;
	return true;
}

bool probe_after(const struct probes *p, uint32_t pc, const char *name, uint32_t id, struct insertion *out)
{
	struct cf_code code = code_of(p->cf, p->m);

	if (!called_at(p->cf, &code, pc).desc.len || !pass_local(p, name, id, out))
		return false;
	out->pc = pc;
	out->after = true;
	return true;
}

bool probe_passing(const struct probes *p, uint32_t pc, const char *name, uint32_t id, struct insertion *out)
{
	if (!p->m->code || !pass_local(p, name, id, out))
		return false;
	out->pc = pc;
	return true;
}

/* Does it just move words? Then it can neither throw nor go elsewhere. */
static bool is_move(uint8_t op)
{
	return op <= BC_sipush || (op >= BC_iload && op <= BC_aload_3) || (op >= BC_istore && op <= BC_astore_3) ||
	       (op >= BC_pop && op <= BC_swap);
}

uint32_t probe_handler(const struct probes *p, uint32_t pc)
{
	struct span code = code_of(p->cf, p->m).code;
	struct insn in;

	for (uint32_t at = pc; at < code.len && bytecode_decode(code, at, &in); at += in.len) {
		if (in.op == BC_monitorexit && at + in.len < code.len)
			return at + in.len;
		if (!is_move(in.op))
			break;
	}
	return pc;
}
