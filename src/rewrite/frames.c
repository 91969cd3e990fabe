/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/classfile/attributes.h"
#include "rewrite/pool_p.h"
#include "rewrite/tables_p.h"
#include "rewrite/whole_p.h"

#define JAVA_7 51               /* from here on the JVM does not find types by itself */

static bool write_type(const struct layout *l, struct cf_vtype v, struct out *o)
{
	out_u1(o, v.tag);
	if (v.tag == VT_OBJECT)
		out_u2(o, v.data);
	if (v.tag != VT_UNINIT)
		return true;
	if (!is_insn(l, v.data))
		return false;
	out_u2(o, insn_of(l, v.data));                  /* where `new` itself is */
	return true;
}

static bool write_types(const struct layout *l, struct cf_vtypes it, struct out *o)
{
	struct cf_vtype v;

	while (cf_vtypes_next(l->cf, &it, &v))
		if (!write_type(l, v, o))
			return false;
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

static const char *write_moved(const struct layout *l, struct out *o)
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

/* Frames with a local that lives through the method, and of handlers that the file has not */

#define FULL 255                /* frame_type: all locals, and the stack */

static const char pool_full[] = "its constant pool is full";
static const struct str thrown_name = { "java/lang/Throwable", sizeof("java/lang/Throwable") - 1 };

struct writer {
	const struct layout *l;
	struct out *o;
	struct cf_vtype local;
	int64_t last;                   /* place of the frame before */
};

static bool find_local(const struct layout *l, struct cf_vtype *out)
{
	struct str desc = l->edit->local ? str_of(l->edit->local) : STR("I");

	*out = (struct cf_vtype){ VT_INT, 0 };
	if (desc.p[0] != 'L' && desc.p[0] != '[')
		return true;
	struct str class = desc.p[0] == '[' ? desc : (struct str){ desc.p + 1, desc.len - 2 };

	*out = (struct cf_vtype){ VT_OBJECT, pool_class(l->pool, class) };
	return out->data != 0;
}

/* The locals of a full frame: the first n, and the one that the method keeps. False: malformed. */
static bool write_locals(const struct writer *w, const struct cf_vtype *locals, uint32_t n, uint32_t words)
{
	const struct layout *l = w->l;
	uint32_t gap = l->edit->local ? l->code.max_locals - words : 0;

	out_u2(w->o, n + gap + (l->edit->local ? 1 : 0));
	for (uint32_t i = 0; i < n; i++)
		if (!write_type(l, locals[i], w->o))
			return false;
	for (; gap > 0; gap--)
		out_u1(w->o, VT_TOP);
	return !l->edit->local || write_type(l, w->local, w->o);
}

/* A frame that differs from the last one by its stack alone stays as it is, but not the first one: the local is not among the
 * arguments of the method. */
static bool write_kept(struct writer *w, const struct whole *from)
{
	const struct cf_frame *f = &from->frame;
	uint32_t at = target_of(w->l, f->pc), delta = (uint32_t)(at - w->last - 1), nstack = f->stack.left;

	if (!is_insn(w->l, f->pc))
		return false;
	bool is_first = w->last < 0;

	w->last = at;
	if (!w->l->edit->local || (!is_first && (f->kind == FRAME_SAME || f->kind == FRAME_SAME_STACK1)))
		return write_frame(w->l, f, delta, w->o);
	out_u1(w->o, FULL);
	out_u2(w->o, delta);
	if (!write_locals(w, from->locals, from->n, from->words))
		return false;
	out_u2(w->o, nstack);
	return write_types(w->l, f->stack, w->o);
}

/* The handler knows of no local but the method's own, and `this` where it is raw: its frame must say so. */
static bool write_leaving(struct writer *w, uint32_t copy)
{
	struct cf_vtype this = { VT_UNINIT_THIS, 0 }, thrown = { VT_OBJECT, pool_class(w->l->pool, thrown_name) };
	uint32_t at = leaving_of(w->l, copy);

	out_u1(w->o, FULL);
	out_u2(w->o, (uint32_t)(at - w->last - 1));
	if (!write_locals(w, &this, copy, copy))
		return false;
	out_u2(w->o, 1);
	w->last = at;
	return thrown.data && write_type(w->l, thrown, w->o);
}

static const char *write_whole(const struct layout *l, struct out *o)
{
	struct writer w = { .l = l, .o = o, .last = -1 };
	struct whole from;

	if (!find_local(l, &w.local))
		return pool_full;
	whole_begin(&from, l);
	out_u2(o, from.it.left + l->nleaving);
	while (whole_next(&from, l))
		if (!write_kept(&w, &from))
			return "its stack map names a place inside an instruction";
	if (from.failed)
		return from.failed;
	for (uint32_t i = 0; i < l->nleaving; i++)
		if (!write_leaving(&w, i))
			return pool_full;
	return NULL;
}

const char *frames_write(const struct layout *l, struct out *o)
{
	return l->edit->local || l->nleaving ? write_whole(l, o) : write_moved(l, o);
}

void frames_prepare(const struct layout *l)
{
	struct cf_vtype local;
	struct whole begin;

	whole_begin(&begin, l);
	find_local(l, &local);
	pool_class(l->pool, thrown_name);
	pool_text(l->pool, STR("StackMapTable"));
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
