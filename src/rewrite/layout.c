/* SPDX-License-Identifier: Apache-2.0 */
#include "rewrite/layout_p.h"

#include "rewrite/out_p.h"
#include "rewrite/tables_p.h"

#define MAX_CODE 65535
#define FAR 32767               /* what a jump of two bytes reaches */
/* Each pass widens the jumps that became too far by the last; real code needs two or three. */
#define MAX_PASSES 20

static const char too_long[] = "its code would be longer than 65535 bytes";

void layout_init(struct layout *l, const struct classfile *cf, struct pool *pool, uint32_t code_len, struct arena *mem)
{
	*l = (struct layout){ .cf = cf, .pool = pool, .mem = mem };
	l->place = arena_array(mem, uint32_t, code_len + 1);
	l->jumps = arena_array(mem, struct jump, code_len / 3 + 1);
}

static bool names_places(const struct insn *in)
{
	return in->format == BCF_BRANCH || in->format == BCF_TABLE || in->format == BCF_LOOKUP;
}

/* Finds where instructions begin, and the jumps. */
static bool decode(struct layout *l)
{
	struct span code = l->code.code;
	struct insn in;

	l->njumps = 0;
	for (uint32_t pc = 0; pc < code.len; pc += in.len) {
		if (!bytecode_decode(code, pc, &in))
			return false;
		l->place[pc] = 0;
		for (uint32_t k = 1; k < in.len; k++)
			l->place[pc + k] = INSIDE;
		if (names_places(&in))
			l->jumps[l->njumps++] = (struct jump){ in, 0, false };
	}
	l->place[code.len] = 0;
	return true;
}

static bool jump_ok(const struct layout *l, const struct jump *j)
{
	if (j->in.format == BCF_BRANCH)
		return is_insn(l, (uint32_t)j->in.a);
	for (int64_t k = -1; k < (int64_t)bytecode_switch_count(l->code.code, &j->in); k++)
		if (!is_insn(l, bytecode_switch_target(l->code.code, &j->in, k)))
			return false;
	return true;
}

static bool handlers_ok(const struct layout *l)
{
	for (uint16_t k = 0; k < l->code.nhandlers; k++) {
		struct cf_handler h = cf_handler_at(l->cf, &l->code, k);

		if (!is_insn(l, h.start) || !is_insn(l, h.target) || (l->place[h.end] & INSIDE))
			return false;
	}
	return true;
}

/* Do all jumps and handlers name instructions? */
static bool targets_ok(const struct layout *l)
{
	for (uint32_t i = 0; i < l->njumps; i++)
		if (!jump_ok(l, &l->jumps[i]))
			return false;
	return handlers_ok(l);
}

/* Bytes of the call or the access of a field at pc; 0: there is none. */
static uint32_t whole_length(const struct layout *l, uint32_t pc)
{
	uint8_t op = l->code.code.p[pc];

	return op < BC_getstatic || op > BC_invokedynamic ? 0 : op >= BC_invokeinterface ? 5 : 3;
}

static bool insertions_ok(struct layout *l)
{
	uint32_t pc = 0;
	bool after = false;             /* there was one at pc */

	l->entry = 0;
	for (uint32_t i = 0; i < l->n; i++) {
		const struct insertion *s = &l->insertions[i];

		if (s->pc < pc || !is_insn(l, s->pc) || s->code.len > MAX_CODE)
			return false;
		if (s->entry && (s->pc != 0 || (i > 0 && !s[-1].entry)))
			return false;
		after &= s->pc == pc;
		if (s->after ? !whole_length(l, s->pc) || s->entry : after)
			return false;
		after |= s->after;
		l->entry += s->entry ? (uint32_t)s->code.len : 0;
		pc = s->pc;
	}
	return true;
}

static bool is_unconditional(uint8_t op)
{
	return op == BC_goto || op == BC_jsr || op == BC_goto_w || op == BC_jsr_w;
}

/* Bytes that a jump has when it begins at `at`. */
static uint32_t new_length(const struct jump *j, uint32_t at)
{
	if (j->in.format == BCF_BRANCH)
		return !j->wide ? j->in.len : is_unconditional(j->in.op) ? 5 : 8;
	uint32_t old_pad = 3 - j->in.pc % 4, pad = 3 - at % 4;

	return j->in.len - old_pad + pad;
}

/* Places the plain code from pc to `stop`. */
static uint32_t place_plain(struct layout *l, uint32_t pc, uint32_t stop, uint32_t shift)
{
	for (; pc < stop; pc++)
		l->place[pc] = (l->place[pc] & INSIDE) | (pc + shift);
	return stop;
}

/* Places a jump behind `shift` more bytes; returns how many more are before what follows it. */
static uint32_t place_jump(struct layout *l, struct jump *j, uint32_t shift)
{
	j->at = j->in.pc + shift;
	for (uint32_t k = 1; k < j->in.len; k++)
		l->place[j->in.pc + k] = INSIDE | j->at;
	return shift + new_length(j, j->at) - j->in.len;
}

/* Places what is inserted after the instruction at pc, from insertion *i on; returns where the next instruction is. */
static uint32_t place_after(struct layout *l, uint32_t pc, uint32_t *i, uint32_t *shift)
{
	uint32_t next = place_plain(l, pc + 1, pc + whole_length(l, pc), *shift);

	for (; *i < l->n && l->insertions[*i].pc == pc; ++*i)
		*shift += (uint32_t)l->insertions[*i].code.len;
	return next;
}

/* Everything moves by what was inserted and grew before it. */
static bool place_all(struct layout *l)
{
	uint32_t end = (uint32_t)l->code.code.len, shift = 0, i = 0, j = 0;

	for (uint32_t pc = 0;;) {
		uint32_t insertion = i < l->n ? l->insertions[i].pc : end;
		uint32_t jump = j < l->njumps ? l->jumps[j].in.pc : end;

		pc = place_plain(l, pc, insertion < jump ? insertion : jump, shift);
		l->place[pc] = pc + shift;
		if (pc == end)
			break;
		for (; i < l->n && l->insertions[i].pc == pc && !l->insertions[i].after; i++)
			shift += (uint32_t)l->insertions[i].code.len;
		if (shift > MAX_CODE)
			return false;
		if (i < l->n && l->insertions[i].pc == pc) {
			pc = place_after(l, pc, &i, &shift);
			if (shift > MAX_CODE)
				return false;
		} else if (pc == jump) {
			pc += l->jumps[j].in.len;
			shift = place_jump(l, &l->jumps[j++], shift);
		} else {
			pc++;
		}
	}
	l->len = leaving_of(l, l->nleaving);
	return l->len <= MAX_CODE;
}

/* Marks the jumps that do not reach their targets; true when there are new ones. */
static bool widen(struct layout *l)
{
	bool changed = false;

	if (l->len <= FAR)
		return false;
	for (uint32_t i = 0; i < l->njumps; i++) {
		struct jump *j = &l->jumps[i];

		if (j->in.format != BCF_BRANCH || j->in.len == 5 || j->wide)
			continue;
		int32_t distance = (int32_t)target_of(l, (uint32_t)j->in.a) - (int32_t)j->at;

		if (distance <= FAR && distance >= -FAR - 1)
			continue;
		j->wide = changed = true;
		l->far |= !is_unconditional(j->in.op);
	}
	return changed;
}

static bool is_constructor(const struct layout *l)
{
	return !(l->m->access & ACC_STATIC) && str_eq(cf_utf8(l->cf, l->m->name), STR("<init>"));
}

bool begins_raw(const struct layout *l)
{
	return l->cf->super_class && is_constructor(l);
}

/* Which instructions are protected, and how many handlers it takes. */
static const char *find_stretches(struct layout *l)
{
	l->nstretches = l->nleaving = 0;
	if (!l->edit->leaving)
		return NULL;
	if (l->edit->leaving->code.len > MAX_CODE)
		return too_long;
	/* HotSpot's compiler inserts the registration of finalisers and fails on a handler of it. */
	if (is_constructor(l) && !l->cf->super_class)
		return "the constructor of Object can have no handler";
	l->nleaving = 1;
	if (begins_raw(l) && l->has_frames)
		return stretches_compute(l);
	struct stretch *whole = arena_new(l->mem, struct stretch);

	whole->end = (uint32_t)l->code.code.len;
	l->stretches = whole;
	l->nstretches = 1;
	return NULL;
}

const char *layout_compute(struct layout *l, const struct method_edit *e)
{
	l->m = &l->cf->methods[e->method];
	l->code = cf_code(l->cf, l->m);
	l->edit = e;
	l->insertions = e->insertions;
	l->n = e->n;
	l->far = false;
	if (!decode(l))
		return "its bytecode cannot be decoded";
	if (!targets_ok(l))
		return "its bytecode names a place inside an instruction";
	if (!insertions_ok(l))
		return "no instruction begins where code is to be inserted";
	/* A version 50 without a stack map that it would need is verified as older ones are. */
	l->has_frames = l->cf->major > 50 || (l->cf->major == 50 && (frames_exist(l) || (!l->njumps && !l->code.nhandlers)));
	if (e->local && !l->entry)
		return "nothing sets its local";
	const char *failed = find_stretches(l);

	if (failed)
		return failed;
	for (int pass = 0; pass < MAX_PASSES; pass++) {
		if (!place_all(l))
			return too_long;
		if (!widen(l))
			return NULL;
	}
	return "its jumps would be too far";
}

uint32_t insn_of(const struct layout *l, uint32_t pc)
{
	uint32_t lo = 0, hi = l->n, at = place_of(l, pc);

	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;

		if (l->insertions[mid].pc < pc)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < l->n && l->insertions[lo].pc == pc && !l->insertions[lo].after; lo++)
		at += (uint32_t)l->insertions[lo].code.len;
	return at;
}

uint32_t leaving_of(const struct layout *l, uint32_t copy)
{
	return place_of(l, (uint32_t)l->code.code.len) + (copy ? copy * ((uint32_t)l->edit->leaving->code.len + 1) : 0);
}

/* Writing */

static uint8_t inverse(uint8_t op)
{
	return op >= BC_ifnull ? op ^ 1 : (uint8_t)(((op + 1) ^ 1) - 1);       /* ifeq is odd, ifnull even */
}

static uint8_t *write_wide(const struct jump *j, uint32_t distance, uint8_t *out)
{
	if (!is_unconditional(j->in.op)) {
		*out++ = inverse(j->in.op);
		store2(out, 8);                 /* over itself and the goto_w */
		out += 2;
		distance -= 3;
	}
	*out++ = j->in.op == BC_jsr || j->in.op == BC_jsr_w ? BC_jsr_w : BC_goto_w;
	store4(out, distance);
	return out + 4;
}

static uint8_t *write_branch(const struct layout *l, const struct jump *j, uint8_t *out)
{
	uint32_t distance = target_of(l, (uint32_t)j->in.a) - j->at;

	if (j->wide || j->in.len == 5)
		return write_wide(j, distance, out);
	*out = j->in.op;
	store2(out + 1, distance);
	return out + 3;
}

static uint8_t *write_switch(const struct layout *l, const struct jump *j, uint8_t *out)
{
	struct span code = l->code.code;
	bool lookup = j->in.format == BCF_LOOKUP;
	uint32_t pad = 3 - j->at % 4, n = bytecode_switch_count(code, &j->in);

	*out++ = j->in.op;
	memset(out, 0, pad);
	out += pad;
	store4(out, target_of(l, bytecode_switch_target(code, &j->in, -1)) - j->at);
	memcpy(out + 4, code.p + j->in.a + 4, lookup ? 4 : 8);         /* count, or lowest and highest key */
	out += lookup ? 8 : 12;
	for (uint32_t k = 0; k < n; k++) {
		if (lookup) {
			store4(out, (uint32_t)bytecode_switch_key(code, &j->in, k));
			out += 4;
		}
		store4(out, target_of(l, bytecode_switch_target(code, &j->in, k)) - j->at);
		out += 4;
	}
	return out;
}

/* The code from pc up to the jump, or the end, at `stop`, with all that is inserted there. */
static uint8_t *write_plain(const struct layout *l, uint32_t pc, uint32_t stop, uint32_t *insertion, uint8_t *out)
{
	for (; *insertion < l->n && l->insertions[*insertion].pc <= stop; ++*insertion) {
		const struct insertion *s = &l->insertions[*insertion];
		uint32_t at = s->pc + (s->after ? whole_length(l, s->pc) : 0);

		memcpy(out, l->code.code.p + pc, at - pc);
		out += at - pc;
		pc = at;
		if (s->code.len)
			memcpy(out, s->code.p, s->code.len);
		out += s->code.len;
	}
	memcpy(out, l->code.code.p + pc, stop - pc);
	return out + (stop - pc);
}

void layout_write(const struct layout *l, uint8_t *out)
{
	uint32_t pc = 0, insertion = 0;

	for (uint32_t i = 0; i < l->njumps; i++) {
		const struct jump *j = &l->jumps[i];

		out = write_plain(l, pc, j->in.pc, &insertion, out);
		out = j->in.format == BCF_BRANCH ? write_branch(l, j, out) : write_switch(l, j, out);
		pc = j->in.pc + j->in.len;
	}
	out = write_plain(l, pc, (uint32_t)l->code.code.len, &insertion, out);
	for (uint32_t i = 0; i < l->nleaving; i++) {
		if (l->edit->leaving->code.len)
			memcpy(out, l->edit->leaving->code.p, l->edit->leaving->code.len);
		out += l->edit->leaving->code.len;
		*out++ = BC_athrow;
	}
}
