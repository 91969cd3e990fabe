/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/classfile/bytecode.h"
#include "formats/classfile/descriptor.h"
#include "rewrite/out_p.h"
#include "rewrite/rewrite.h"

/* By the number of references before the id. */
static const char *const descs[] = { "(I)V", "(Ljava/lang/Object;I)V", "(Ljava/lang/Object;Ljava/lang/Object;I)V",
				     "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;I)V",
				     "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;I)V" };

/* Pushes `id` in the shortest way; false when the pool is full. */
static bool push_id(struct out *o, struct pool *pool, uint32_t id)
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

/* Calls the probe with the n references on top of the stack, which are used up. */
static bool call_with(struct out *o, struct pool *pool, const char *owner, const char *name, uint32_t n, uint32_t id)
{
	uint16_t method = pool_method(pool, owner, name, descs[n]);

	if (!method || !push_id(o, pool, id))
		return false;
	out_u1(o, BC_invokestatic);
	out_u2(o, method);
	return true;
}

static bool call_probe(struct out *o, struct pool *pool, const char *owner, const char *name, uint32_t id)
{
	return call_with(o, pool, owner, name, 1, id);
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
static bool spill(struct out *o, struct str desc, uint32_t first_local, struct pool *pool, const char *owner,
		  const char *name, uint32_t id)
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
	if (!call_probe(o, pool, owner, name, id))
		return false;
	reload(o, slots, n);
	return true;
}

/* The descriptor of the virtual or interface call at `pc`; empty: there is none. */
static struct str called_desc(const struct classfile *cf, const struct cf_code *code, uint32_t pc)
{
	struct insn in;

	if (pc >= code->code.len || !bytecode_decode(code->code, pc, &in))
		return (struct str){ NULL, 0 };
	if (in.op != BC_invokevirtual && in.op != BC_invokeinterface)
		return (struct str){ NULL, 0 };
	unsigned tag = cf_tag(cf, (uint16_t)in.a);

	if (tag != CP_METHOD && tag != CP_IMETHOD)
		return (struct str){ NULL, 0 };
	return cf_ref(cf, (uint16_t)in.a).desc;
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

bool probe_call(const struct classfile *cf, const struct cf_member *m, uint32_t pc, struct pool *pool, const char *owner,
		const char *name, uint32_t id, struct arena *mem, struct insertion *out)
{
	struct out o = { .mem = mem };
	struct cf_code code = m->code ? cf_code(cf, m) : (struct cf_code){ 0 };
	struct str desc = called_desc(cf, &code, pc);
	const struct shuffle *s = shuffle_of(desc);
	uint32_t words = s ? 0 : desc_param_words(desc);
	bool ok;

	if (!desc.len || code.max_locals + words > UINT16_MAX)
		return false;
	if (s) {
		out_bytes(&o, s->lift, s->n);
		out_u1(&o, BC_dup);
		ok = call_probe(&o, pool, owner, name, id);
		out_bytes(&o, s->lower, s->n);
	} else {
		ok = spill(&o, desc, code.max_locals, pool, owner, name, id);
	}
	/* Two words for the call; with spilled arguments one for the null behind them. */
	*out = (struct insertion){ .pc = pc, .code = { o.p, o.len }, .stack = s ? 2 : 1, .locals = (uint16_t)words };
	return ok;
}

bool probe_entry(const struct classfile *cf, const struct cf_member *m, struct pool *pool, const char *owner, const char *name,
		 uint32_t id, struct arena *mem, struct insertion *out)
{
	struct desc_iter it = desc_params(cf_utf8(cf, m->desc));
	struct out o = { .mem = mem };
	struct str param;

	if (!m->code || (m->access & ACC_STATIC) || !desc_next(&it, &param) || (param.p[0] != 'L' && param.p[0] != '['))
		return false;
	out_u1(&o, BC_aload_1);
	bool ok = call_probe(&o, pool, owner, name, id);

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
	bool ok = call_with(&o, pool, owner, name, n, id);

	*out = (struct insertion){ .pc = pc, .code = { o.p, o.len }, .stack = (uint16_t)(n + 1), .entry = pc == 0 };
	return ok;
}
