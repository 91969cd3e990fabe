/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/classfile/attributes.h"
#include "rewrite/tables_p.h"

#define JAVA_7 51               /* from here on the JVM does not find types by itself */

static bool write_types(const struct layout *l, struct cf_vtypes it, struct out *o)
{
	struct cf_vtype v;

	while (cf_vtypes_next(l->cf, &it, &v)) {
		out_u1(o, v.tag);
		if (v.tag == VT_OBJECT)
			out_u2(o, v.data);
		if (v.tag != VT_UNINIT)
			continue;
		if (!is_insn(l, v.data))
			return false;
		out_u2(o, insn_of(l, v.data));          /* where `new` itself is */
	}
	return true;
}

/* The shortest form of a frame for `delta`. */
static void write_head(const struct cf_frame *f, uint32_t delta, struct out *o)
{
	if (f->kind == FRAME_SAME && delta < 64) {
		out_u1(o, delta);
	} else if (f->kind == FRAME_SAME_STACK1 && delta < 64) {
		out_u1(o, 64 + delta);
	} else {
		out_u1(o, f->kind == FRAME_SAME ? 251 : f->kind == FRAME_SAME_STACK1 ? 247 : f->type);
		out_u2(o, delta);
	}
}

static bool write_frame(const struct layout *l, const struct cf_frame *f, uint32_t delta, struct out *o)
{
	uint32_t nlocals = f->locals.left, nstack = f->stack.left;

	write_head(f, delta, o);
	if (f->kind == FRAME_FULL)
		out_u2(o, nlocals);
	if (!write_types(l, f->locals, o))
		return false;
	if (f->kind == FRAME_FULL)
		out_u2(o, nstack);
	return write_types(l, f->stack, o);
}

bool frames_exist(const struct layout *l)
{
	return cf_frames(l->cf, l->m).left > 0;
}

const char *frames_write(const struct layout *l, struct out *o)
{
	struct cf_frames it = cf_frames(l->cf, l->m);
	struct cf_frame f;
	int64_t last = -1;

	out_u2(o, it.left);
	while (cf_frames_next(l->cf, &it, &f)) {
		uint32_t at = target_of(l, f.pc);

		if (!is_insn(l, f.pc) || !write_frame(l, &f, (uint32_t)(at - last - 1), o))
			return "its stack map names a place inside an instruction";
		last = at;
	}
	return NULL;
}

/* Is there a frame behind every conditional jump that became wide? */
static bool have_frames(const struct layout *l)
{
	struct cf_frames it = cf_frames(l->cf, l->m);
	struct cf_frame f = { .pc = 0 };
	bool more = cf_frames_next(l->cf, &it, &f);

	for (uint32_t i = 0; i < l->njumps; i++) {
		const struct jump *j = &l->jumps[i];
		uint32_t next = j->in.pc + j->in.len;

		if (!j->wide || j->in.op == BC_goto || j->in.op == BC_jsr)
			continue;
		while (more && f.pc < next)
			more = cf_frames_next(l->cf, &it, &f);
		if (!more || f.pc != next)
			return false;
	}
	return true;
}

const char *frames_check(const struct layout *l)
{
	return !l->far || l->cf->major < JAVA_7 || have_frames(l) ? NULL : "a conditional jump would be farther than 32767 bytes";
}
