/* SPDX-License-Identifier: Apache-2.0 */
/* decode.c - decodes a method's code and finds the instructions that start a block. */
#include "load/lower/ssa_p.h"

bool lower_fail(struct lower *l, enum diag_code code, uint32_t pc, const char *what)
{
	if (!l->what) {
		l->what = what;
		l->what_code = code;
		l->what_pc = pc;
	}
	return false;
}

/* Replaces the short forms by the general ones, so that later passes see few opcodes: `iload_2` becomes
 * `iload` with a = 2, `iconst_3` and `bipush` become `sipush`, `ldc_w` becomes `ldc`, `goto_w` `goto`. */
static void generalise(struct insn *in)
{
	uint8_t op = in->op;

	if (op >= BC_iload_0 && op <= BC_aload_3) {
		in->op = (uint8_t)(BC_iload + (op - BC_iload_0) / 4);
		in->a = (op - BC_iload_0) % 4;
	} else if (op >= BC_istore_0 && op <= BC_astore_3) {
		in->op = (uint8_t)(BC_istore + (op - BC_istore_0) / 4);
		in->a = (op - BC_istore_0) % 4;
	} else if (op >= BC_iconst_m1 && op <= BC_iconst_5) {
		in->op = BC_sipush;
		in->a = op - BC_iconst_0;
	} else if (op == BC_bipush) {
		in->op = BC_sipush;
	} else if (op == BC_ldc_w) {
		in->op = BC_ldc;
	} else if (op == BC_goto_w) {
		in->op = BC_goto;
	} else if (op == BC_jsr_w) {
		in->op = BC_jsr;
	}
}

/* Counts the local variables in use: code that declares 65,535 of them seldom uses more than a few. */
static bool check_local(struct lower *l, const struct insn *in)
{
	if (!insn_loads(in) && !insn_stores(in))
		return true;
	uint32_t k = (uint32_t)(in->op - (in->op >= BC_istore ? BC_istore : BC_iload));
	bool two = in->op != BC_iinc && (k == 1 || k == 3);      /* long, double */
	uint32_t end = (uint32_t)in->a + (two ? 2 : 1);

	if (end > l->code.max_locals)
		return lower_fail(l, DIAG_E020, in->pc, "local variable out of range");
	if (end > l->nlocals)
		l->nlocals = end;
	return true;
}

static bool decode_all(struct lower *l)
{
	struct span code = l->code.code;

	l->insns = arena_array(l->scratch, struct insn, code.len);
	l->insn_at = arena_zarray(l->scratch, uint16_t, code.len);
	for (uint32_t pc = 0; pc < code.len;) {
		struct insn *in = &l->insns[l->ninsns];

		if (!bytecode_decode(code, pc, in))
			return lower_fail(l, DIAG_E020, pc, "bad instruction");
		generalise(in);
		if (!check_local(l, in))
			return false;
		l->insn_at[pc] = (uint16_t)++l->ninsns;
		pc += in->len;
	}
	l->leader = arena_zarray(l->scratch, uint8_t, l->ninsns + 1);
	return true;
}

static bool mark_target(struct lower *l, const struct insn *from, uint32_t target)
{
	if (l->insn_at[target] == 0)
		return lower_fail(l, DIAG_E020, from->pc, "branch into the middle of an instruction");
	l->leader[l->insn_at[target] - 1] = 1;
	return true;
}

static bool mark_switch(struct lower *l, const struct insn *in)
{
	uint32_t n = bytecode_switch_count(l->code.code, in);

	for (int64_t k = -1; k < (int64_t)n; k++)
		if (!mark_target(l, in, bytecode_switch_target(l->code.code, in, k)))
			return false;
	return true;
}

static bool mark_branches(struct lower *l)
{
	for (uint32_t i = 0; i < l->ninsns; i++) {
		const struct insn *in = &l->insns[i];

		if (in->format == BCF_BRANCH) {
			l->leader[i + 1] = 1;
			if (!mark_target(l, in, (uint32_t)in->a))
				return false;
		} else if (in->format == BCF_TABLE || in->format == BCF_LOOKUP) {
			if (!mark_switch(l, in))
				return false;
		}
	}
	return true;
}

/* The first instruction at or after pc; ninsns when there is none. */
static uint32_t insn_from(const struct lower *l, uint32_t pc)
{
	while (pc < l->code.code.len && l->insn_at[pc] == 0)
		pc++;
	return pc < l->code.code.len ? l->insn_at[pc] - 1u : l->ninsns;
}

/* Marks where the set of handlers changes; covers[i] becomes the number of ranges that open minus those that
 * close at instruction i. */
static bool mark_handlers(struct lower *l, int32_t *covers)
{
	for (uint16_t k = 0; k < l->code.nhandlers; k++) {
		struct cf_handler h = cf_handler_at(&l->u->cf, &l->code, k);
		uint32_t start = insn_from(l, h.start), end = insn_from(l, h.end);

		if (l->insn_at[h.target] == 0)
			return lower_fail(l, DIAG_E020, h.target, "handler in the middle of an instruction");
		if (h.type && cf_tag(&l->u->cf, h.type) != CP_CLASS)
			return lower_fail(l, DIAG_E020, h.target, "caught type is not a class");
		l->leader[l->insn_at[h.target] - 1] = 1;
		l->leader[start] = l->leader[end] = 1;
		covers[start]++;
		covers[end]--;
	}
	return true;
}

/* A handler takes the locals at the start of the block that throws (see body.h). So in protected code a
 * block that has stored a local ends before the next instruction that may throw. */
static void split_stores(struct lower *l, const int32_t *covers)
{
	int32_t open = 0;
	bool stored = false;

	for (uint32_t i = 0; i < l->ninsns; i++) {
		open += covers[i];
		if (l->leader[i])
			stored = false;
		if (stored && open > 0 && lower_may_throw(l, &l->insns[i])) {
			l->leader[i] = 1;
			stored = false;
		}
		stored = stored || insn_stores(&l->insns[i]);
	}
}

bool lower_may_throw(const struct lower *l, const struct insn *in)
{
	uint8_t op = in->op;

	if (op == BC_ldc || op == BC_ldc2_w) {
		unsigned tag = cf_tag(&l->u->cf, (uint16_t)in->a);

		return tag == CP_CLASS || tag == CP_HANDLE || tag == CP_METHODTYPE || tag == CP_DYNAMIC;
	}
	return (op >= BC_iaload && op <= BC_saload) || (op >= BC_iastore && op <= BC_sastore) || op == BC_idiv ||
	       op == BC_ldiv || op == BC_irem || op == BC_lrem || (op >= BC_getstatic && op <= BC_monitorexit) ||
	       op == BC_multianewarray;
}

bool lower_decode(struct lower *l)
{
	if (!decode_all(l) || !mark_branches(l))
		return false;
	if (l->code.nhandlers == 0)
		return true;
	int32_t *covers = arena_zarray(l->scratch, int32_t, l->ninsns + 1);

	if (!mark_handlers(l, covers))
		return false;
	split_stores(l, covers);
	return true;
}
