/* SPDX-License-Identifier: Apache-2.0 */
/* Where in a constructor `this` is not yet an object. Raw stretches that cannot throw, such as loads before the call of a
 * constructor, need no handler and are left out. Code is read once from top to bottom, as the JVM's verifier does: where
 * ways meet there is a frame that says what comes from elsewhere. Of each word only counts whether it is `this`. */
#include "formats/classfile/descriptor.h"
#include "rewrite/out_p.h"
#include "rewrite/whole_p.h"

struct follower {
	const struct layout *l;
	bool *locals, *stack;           /* is it the raw `this`? */
	uint32_t depth;
	bool is_raw;                    /* no constructor has been called */
	bool failed;
};

static bool pop(struct follower *f)
{
	if (!f->depth) {
		f->failed = true;
		return false;
	}
	return f->stack[--f->depth];
}

static void pop_words(struct follower *f, uint32_t n)
{
	while (n-- > 0)
		pop(f);
}

static void push(struct follower *f, bool is_this)
{
	if (f->depth == f->l->code.max_stack)
		f->failed = true;
	else
		f->stack[f->depth++] = is_this;
}

static void push_words(struct follower *f, uint32_t n)
{
	while (n-- > 0)
		push(f, false);
}

static void set_local(struct follower *f, uint32_t local, bool is_this)
{
	if (local >= f->l->code.max_locals)
		f->failed = true;
	else
		f->locals[local] = is_this;
}

/* All that was `this` becomes an object. */
static void make_object(struct follower *f)
{
	memset(f->locals, 0, f->l->code.max_locals);
	memset(f->stack, 0, f->l->code.max_stack);
	f->is_raw = false;
}

static void call(struct follower *f, const struct insn *in)
{
	const struct classfile *cf = f->l->cf;
	unsigned tag = cf_tag(cf, (uint16_t)in->a);

	if (tag != CP_METHOD && tag != CP_IMETHOD && tag != CP_INVOKEDYNAMIC) {
		f->failed = true;
		return;
	}
	struct cf_ref ref = cf_ref(cf, (uint16_t)in->a);
	bool is_this = false;

	pop_words(f, desc_param_words(ref.desc));
	if (in->op != BC_invokestatic && in->op != BC_invokedynamic)
		is_this = pop(f);
	if (is_this && in->op == BC_invokespecial && str_eq(ref.name, STR("<init>")))
		make_object(f);
	push_words(f, desc_words(desc_return(ref.desc)));
}

static void access_field(struct follower *f, const struct insn *in)
{
	if (cf_tag(f->l->cf, (uint16_t)in->a) != CP_FIELD) {
		f->failed = true;
		return;
	}
	uint32_t words = desc_words(cf_ref(f->l->cf, (uint16_t)in->a).desc);

	if (in->op == BC_putstatic || in->op == BC_putfield)
		pop_words(f, words);
	if (in->op == BC_putfield || in->op == BC_getfield)
		pop(f);
	if (in->op == BC_getstatic || in->op == BC_getfield)
		push_words(f, words);
}

/* Copies the top `n` words below the `under` words under them. */
static void copy_words(struct follower *f, uint32_t n, uint32_t under)
{
	bool top[2] = { 0 }, rest[2] = { 0 };

	for (uint32_t i = n; i > 0; i--)
		top[i - 1] = pop(f);
	for (uint32_t i = under; i > 0; i--)
		rest[i - 1] = pop(f);
	for (uint32_t i = 0; i < n; i++)
		push(f, top[i]);
	for (uint32_t i = 0; i < under; i++)
		push(f, rest[i]);
	for (uint32_t i = 0; i < n; i++)
		push(f, top[i]);
}

static void swap(struct follower *f)
{
	bool top = pop(f), under = pop(f);

	push(f, top);
	push(f, under);
}

/* The local of a load or store instruction; `first`: the first of those without an operand, of which each type has four. */
static uint32_t local_of(const struct insn *in, uint32_t first)
{
	return in->format == BCF_LOCAL ? (uint32_t)in->a : (in->op - first) % 4;
}

static void store(struct follower *f, const struct insn *in)
{
	uint32_t local = local_of(in, BC_istore_0), words = (uint32_t)bytecode_pops[in->op];
	bool is_this = pop(f);

	set_local(f, local, words == 1 && is_this);
	if (words == 2) {
		pop(f);
		set_local(f, local + 1, false);
	}
}

static void load_reference(struct follower *f, const struct insn *in)
{
	uint32_t local = local_of(in, BC_aload_0);

	if (local >= f->l->code.max_locals)
		f->failed = true;
	else
		push(f, f->locals[local]);
}

static void step(struct follower *f, const struct insn *in)
{
	uint8_t op = in->op;

	if (op >= BC_invokevirtual && op <= BC_invokedynamic) {
		call(f, in);
	} else if (op >= BC_getstatic && op <= BC_putfield) {
		access_field(f, in);
	} else if (op == BC_aload || (op >= BC_aload_0 && op <= BC_aload_3)) {
		load_reference(f, in);
	} else if (op >= BC_istore && op <= BC_astore_3) {
		store(f, in);
	} else if (op >= BC_dup && op <= BC_dup2_x2) {
		copy_words(f, 1 + (op - BC_dup) / 3u, (op - BC_dup) % 3u);
	} else if (op == BC_swap) {
		swap(f);
	} else if (op == BC_multianewarray) {
		pop_words(f, (uint32_t)in->b);
		push(f, false);
	} else {
		pop_words(f, (uint32_t)bytecode_pops[op]);
		push_words(f, (uint32_t)bytecode_pushes[op]);
	}
}

/* Takes over what a frame says. */
static void meet(struct follower *f, const struct whole *w)
{
	struct cf_vtypes stack = w->frame.stack;
	struct cf_vtype type;
	uint32_t at = 0;

	f->is_raw = false;
	memset(f->locals, 0, f->l->code.max_locals);
	for (uint32_t i = 0; i < w->n; i++) {
		f->locals[at] = w->locals[i].tag == VT_UNINIT_THIS;
		f->is_raw |= f->locals[at];
		at += w->locals[i].tag == VT_LONG || w->locals[i].tag == VT_DOUBLE ? 2 : 1;
	}
	f->depth = 0;
	while (cf_vtypes_next(f->l->cf, &stack, &type)) {
		push(f, type.tag == VT_UNINIT_THIS);
		if (type.tag == VT_LONG || type.tag == VT_DOUBLE)
			push(f, false);
	}
}

/* Frames of handlers have the raw `this` in local 0, so it must be there all the time. */
static bool is_sound(const struct follower *f)
{
	return !f->failed && (!f->is_raw || f->locals[0]);
}

/* Constants, loads, stores, stack, arithmetic but division, and jumps do not. */
static bool may_throw(uint8_t op)
{
	bool is_division = op == BC_idiv || op == BC_ldiv || op == BC_irem || op == BC_lrem;
	bool is_array = (op >= BC_iaload && op <= BC_saload) || (op >= BC_iastore && op <= BC_sastore);
	bool is_constant = op == BC_ldc || op == BC_ldc_w || op == BC_ldc2_w;

	return is_division || is_array || is_constant || (op > BC_lookupswitch && op != BC_ifnull && op != BC_ifnonnull &&
							  op != BC_goto_w);
}

/* The instruction belongs to the last stretch, or begins another. */
static void extend(struct layout *l, struct stretch *out, const struct insn *in, bool is_raw)
{
	struct stretch *s = l->nstretches ? &out[l->nstretches - 1] : NULL;

	if (!s || s->is_raw != is_raw || s->end != in->pc) {
		s = &out[l->nstretches++];
		*s = (struct stretch){ .pc = in->pc, .is_raw = is_raw };
	}
	s->end = in->pc + in->len;
	s->throws |= may_throw(in->op);
}

/* A call that makes the object is in no stretch. */
static void end_raw(struct layout *l, struct stretch *out, uint32_t pc)
{
	if (l->nstretches && out[l->nstretches - 1].end == pc)
		out[l->nstretches - 1].to_call = true;
}

/* A stretch begins where a frame, or a call of a constructor, says something else. */
static uint32_t most_stretches(const struct layout *l)
{
	return 2 * cf_frames(l->cf, l->m).left + 3;
}

static void drop_quiet(struct layout *l, struct stretch *out)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < l->nstretches; i++) {
		if (out[i].is_raw && !out[i].throws)
			continue;
		l->nleaving = out[i].is_raw ? 2 : l->nleaving;
		out[n++] = out[i];
	}
	l->nstretches = n;
}

const char *stretches_compute(struct layout *l)
{
	struct follower f = { .l = l, .is_raw = true };
	struct stretch *out = arena_array(l->mem, struct stretch, most_stretches(l));
	struct whole w;
	struct insn in;

	f.locals = arena_zarray(l->mem, bool, l->code.max_locals + 1u);
	f.stack = arena_zarray(l->mem, bool, l->code.max_stack + 1u);
	f.locals[0] = true;
	l->stretches = out;
	whole_begin(&w, l);
	bool more = whole_next(&w, l);

	for (uint32_t pc = 0; pc < l->code.code.len; pc += in.len) {
		for (; more && w.frame.pc <= pc; more = whole_next(&w, l))
			meet(&f, &w);
		if (!is_sound(&f))
			return "it cannot be seen where it calls another constructor";
		bool was_raw = f.is_raw;

		bytecode_decode(l->code.code, pc, &in);
		step(&f, &in);
		if (was_raw == f.is_raw)
			extend(l, out, &in, was_raw);
		else
			end_raw(l, out, pc);
	}
	drop_quiet(l, out);
	return w.failed;
}
