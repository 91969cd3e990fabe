/* SPDX-License-Identifier: Apache-2.0 */
/* rewrite_check.h - is a rewritten class file the old one with just the insertions added? Walks both side by side, without
 * the layout that made the new one. */
#ifndef TESTS_REWRITE_CHECK_H
#define TESTS_REWRITE_CHECK_H

#include <stdlib.h>

#include "base/compiler.h"
#include "formats/classfile/attributes.h"
#include "formats/classfile/bytecode.h"
#include "formats/classfile/descriptor.h"
#include "rewrite/rewrite.h"

#define DIFFER(...) BUG(__VA_ARGS__)

struct compare {
	const struct classfile *old, *new;
	const struct cf_member *om, *nm;
	struct cf_code oc, nc;
	const struct method_edit *edit;
	/* Of each pc of the old code, and of its end: where it went; UINT32_MAX: inside an instruction. */
	uint32_t *before;               /* before what is inserted there */
	uint32_t *arrive;               /* where jumps to it arrive */
	uint32_t *self;                 /* the instruction */
	uint32_t *behind;               /* of a jump that became a pair: where its goto_w ends; else 0 */
	uint32_t nleaving;              /* copies of what runs when an exception leaves */
};

static bool same_bytes(struct span a, struct span b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.p, b.p, a.len) == 0);
}

static struct span bytes_of(const struct classfile *cf, const struct cf_attr *a)
{
	return (struct span){ cf->bytes.p + a->body, a->len };
}

static struct span insn_bytes(struct span code, const struct insn *in)
{
	return (struct span){ code.p + in->pc, in->len };
}

/* The code must stand at `at`; returns one past it. */
static uint32_t pass_code(struct compare *c, struct span code, uint32_t at)
{
	if (code.len > c->nc.code.len - at || (code.len && memcmp(c->nc.code.p + at, code.p, code.len) != 0))
		DIFFER("no insertion at %u", (unsigned)at);
	return at + (uint32_t)code.len;
}

/* The insertions before or after the instruction at `pc`, whose first is edit->insertions[*i], must stand at `at`. */
static uint32_t pass_insertions(struct compare *c, uint32_t pc, bool after, uint32_t at, uint32_t *i)
{
	if (!after)
		c->before[pc] = c->arrive[pc] = at;
	for (; *i < c->edit->n && c->edit->insertions[*i].pc == pc && c->edit->insertions[*i].after == after; ++*i) {
		at = pass_code(c, c->edit->insertions[*i].code, at);
		if (c->edit->insertions[*i].entry)
			c->arrive[pc] = at;
	}
	if (!after)
		c->self[pc] = at;
	return at;
}

/* The instruction at `at` in the new code, for the old one `in`; returns one past it. */
static uint32_t pass_insn(struct compare *c, const struct insn *in, uint32_t at)
{
	struct insn got, after;

	if (at >= c->nc.code.len || !bytecode_decode(c->nc.code, at, &got))
		DIFFER("no instruction at %u", (unsigned)at);
	bool widened = (in->op == BC_goto && got.op == BC_goto_w) || (in->op == BC_jsr && got.op == BC_jsr_w);

	if (got.op == in->op || widened)
		return at + got.len;
	if (in->format != BCF_BRANCH || got.a != (int32_t)(at + 8) || !bytecode_decode(c->nc.code, at + 3, &after) ||
	    after.op != BC_goto_w)
		DIFFER("%s became %s", bytecode_name(in->op), bytecode_name(got.op));
	c->behind[in->pc] = at + 8;
	return at + 8;
}

static void walk_both(struct compare *c)
{
	uint32_t at = 0, i = 0;
	struct insn in;

	for (uint32_t pc = 0; pc < c->oc.code.len; pc += in.len) {
		if (!bytecode_decode(c->oc.code, pc, &in))
			DIFFER("edited code that cannot be decoded");
		at = pass_insn(c, &in, pass_insertions(c, pc, false, at, &i));
		at = pass_insertions(c, pc, true, at, &i);
	}
	c->before[c->oc.code.len] = c->arrive[c->oc.code.len] = at;
	for (c->nleaving = 0; c->edit->leaving && c->nleaving < 2 && at < c->nc.code.len; c->nleaving++) {
		at = pass_code(c, c->edit->leaving->code, at);
		if (at == c->nc.code.len || c->nc.code.p[at++] != BC_athrow)
			DIFFER("what leaves is not thrown on");
	}
	if (at != c->nc.code.len || i != c->edit->n || (c->edit->leaving && !c->nleaving))
		DIFFER("the new code has %zu bytes instead of %u", c->nc.code.len, (unsigned)at);
}

static uint8_t opposite(uint8_t op)
{
	static const uint8_t pairs[][2] = {
		{ BC_ifeq, BC_ifne }, { BC_iflt, BC_ifge }, { BC_ifgt, BC_ifle }, { BC_if_icmpeq, BC_if_icmpne },
		{ BC_if_icmplt, BC_if_icmpge }, { BC_if_icmpgt, BC_if_icmple }, { BC_if_acmpeq, BC_if_acmpne },
		{ BC_ifnull, BC_ifnonnull },
	};

	for (size_t i = 0; i < ARRAY_LEN(pairs); i++)
		for (int k = 0; k < 2; k++)
			if (pairs[i][k] == op)
				return pairs[i][1 - k];
	return 0;
}

static void compare_branch(const struct compare *c, const struct insn *in, struct insn *got)
{
	if (c->behind[in->pc]) {
		if (got->op != opposite(in->op))
			DIFFER("%s was negated to %s", bytecode_name(in->op), bytecode_name(got->op));
		bytecode_decode(c->nc.code, got->pc + 3, got);
	}
	if ((uint32_t)got->a != c->arrive[in->a])
		DIFFER("a jump to %d goes to %d instead of %u", in->a, got->a, (unsigned)c->arrive[in->a]);
}

static void compare_switch(const struct compare *c, const struct insn *in, const struct insn *got)
{
	uint32_t n = bytecode_switch_count(c->oc.code, in);

	if (n != bytecode_switch_count(c->nc.code, got))
		DIFFER("a switch has another number of keys");
	for (uint32_t at = got->pc + 1; at < (uint32_t)got->a; at++)
		if (c->nc.code.p[at])
			DIFFER("padding that is not zero");
	for (int64_t k = -1; k < (int64_t)n; k++) {
		if (k >= 0 && bytecode_switch_key(c->oc.code, in, (uint32_t)k) !=
			      bytecode_switch_key(c->nc.code, got, (uint32_t)k))
			DIFFER("a key of a switch changed");
		if (c->arrive[bytecode_switch_target(c->oc.code, in, k)] != bytecode_switch_target(c->nc.code, got, k))
			DIFFER("a switch goes elsewhere");
	}
}

static void compare_insns(struct compare *c)
{
	struct insn in, got;

	for (uint32_t pc = 0; pc < c->oc.code.len; pc += in.len) {
		bytecode_decode(c->oc.code, pc, &in);
		bytecode_decode(c->nc.code, c->self[pc], &got);
		if (in.format == BCF_BRANCH)
			compare_branch(c, &in, &got);
		else if (in.format == BCF_TABLE || in.format == BCF_LOOKUP)
			compare_switch(c, &in, &got);
		else if (!same_bytes(insn_bytes(c->oc.code, &in), insn_bytes(c->nc.code, &got)))
			DIFFER("the operands of %s changed", bytecode_name(in.op));
	}
}

/* Where the first copy of what runs when an exception leaves is, and how long each is. */
static uint32_t leaving_at(const struct compare *c, uint32_t copy)
{
	return c->before[c->oc.code.len] + (copy ? copy * ((uint32_t)c->edit->leaving->code.len + 1) : 0);
}

/* The call of a constructor in another: it may be the one that cannot be protected. */
static bool may_construct(const struct compare *c, uint32_t pc)
{
	uint16_t index = cf_u2(c->old, (uint32_t)(c->oc.code.p - c->old->bytes.p) + pc + 1);

	return c->oc.code.p[pc] == BC_invokespecial && str_is(cf_utf8(c->old, c->om->name), "<init>") &&
	       (cf_tag(c->old, index) == CP_METHOD || cf_tag(c->old, index) == CP_IMETHOD) &&
	       str_is(cf_ref(c->old, index).name, "<init>");
}

/* Of a constructor, what comes before that call may be left out where nothing is thrown. */
static bool is_protected(const struct compare *c, uint32_t at)
{
	for (uint32_t k = c->oc.nhandlers; k < c->nc.nhandlers; k++) {
		struct cf_handler h = cf_handler_at(c->new, &c->nc, (uint16_t)k);

		if (h.start <= at && at < h.end)
			return true;
	}
	return false;
}

static void compare_leaving(const struct compare *c)
{
	uint32_t last = c->arrive[0];
	bool throws = false, called = !str_is(cf_utf8(c->old, c->om->name), "<init>") || c->old->major < 50;

	for (uint32_t k = c->oc.nhandlers; k < c->nc.nhandlers; k++) {
		struct cf_handler h = cf_handler_at(c->new, &c->nc, (uint16_t)k);
		bool is_raw = h.target == leaving_at(c, 1) && c->nleaving == 2;

		if (h.start < last || h.end > c->before[c->oc.code.len] || h.type || (!is_raw && h.target != leaving_at(c, 0)))
			DIFFER("handler %u of what leaves is wrong", (unsigned)k);
		last = h.end;
	}
	for (uint32_t pc = 0; pc < c->oc.code.len; pc++) {
		if (c->before[pc] == UINT32_MAX)
			continue;
		throws |= c->oc.code.p[pc] >= BC_getstatic || c->oc.code.p[pc] == BC_ldc;
		if (may_construct(c, pc))
			called = true;
		else if (called && c->oc.code.p[pc] >= BC_getstatic && !is_protected(c, c->self[pc]))
			DIFFER("what leaves at %u is not seen", (unsigned)pc);
	}
	if (c->nleaving == 2 && !throws)
		DIFFER("a second handler for nothing");
}

static void compare_handlers(const struct compare *c)
{
	if (c->oc.nhandlers > c->nc.nhandlers || (!c->edit->leaving && c->oc.nhandlers != c->nc.nhandlers))
		DIFFER("the number of handlers changed");
	if (c->edit->leaving)
		compare_leaving(c);
	for (uint16_t k = 0; k < c->oc.nhandlers; k++) {
		struct cf_handler a = cf_handler_at(c->old, &c->oc, k), b = cf_handler_at(c->new, &c->nc, k);

		uint32_t start = c->edit->local ? c->arrive[a.start] : c->before[a.start];

		if (b.start != start || b.end != c->before[a.end] || b.target != c->arrive[a.target] || a.type != b.type)
			DIFFER("handler %u changed", k);
	}
}

/* Debug tables may name any pc; what is inside an instruction may go anywhere near. */
static bool moved(const struct compare *c, uint32_t pc, uint32_t to)
{
	return c->before[pc] == UINT32_MAX ? to <= c->nc.code.len : to == c->before[pc];
}

static void compare_lines(const struct compare *c)
{
	struct cf_table it = cf_lines(c->old, c->om), jt = cf_lines(c->new, c->nm);
	struct cf_line_row a, b;

	while (cf_lines_next(c->old, &it, &a))
		if (!cf_lines_next(c->new, &jt, &b) || a.line != b.line || !moved(c, a.pc, b.pc))
			DIFFER("line %u is elsewhere", a.line);
	if (cf_lines_next(c->new, &jt, &b))
		DIFFER("more lines");
}

typedef bool next_local(const struct classfile *cf, struct cf_table *it, struct cf_local_row *out);

static void compare_locals(const struct compare *c, next_local *next)
{
	struct cf_table it = cf_locals(c->old, c->om), jt = cf_locals(c->new, c->nm);
	struct cf_local_row a, b;

	while (next(c->old, &it, &a)) {
		if (!next(c->new, &jt, &b) || a.name != b.name || a.desc != b.desc || a.slot != b.slot)
			DIFFER("a local variable changed");
		uint32_t end = (uint32_t)a.pc + a.len;

		if (!moved(c, a.pc, b.pc) || (c->before[a.pc] != UINT32_MAX && !moved(c, end, (uint32_t)b.pc + b.len)))
			DIFFER("a local variable lives elsewhere");
	}
	if (next(c->new, &jt, &b))
		DIFFER("more local variables");
}

static void compare_types(const struct compare *c, struct cf_vtypes it, struct cf_vtypes jt)
{
	struct cf_vtype a, b;

	if (it.left != jt.left)
		DIFFER("a frame has more types");
	while (cf_vtypes_next(c->old, &it, &a)) {
		cf_vtypes_next(c->new, &jt, &b);
		if (a.tag != b.tag || b.data != (a.tag == VT_UNINIT ? c->self[a.data] : a.data))
			DIFFER("a type of a frame changed");
	}
}

/* A frame word by word, the second of a long or double as VT_TOP; spelled out here once more, for what is tested does so too. */
#define MOST_WORDS 65536
struct spread {
	struct cf_vtype words[MOST_WORDS];
	uint8_t wide[MOST_WORDS];       /* this word and the next are one */
	uint32_t n;
};

static void spread_add(struct spread *s, struct cf_vtype type)
{
	s->wide[s->n] = type.tag == VT_LONG || type.tag == VT_DOUBLE;
	s->words[s->n] = type;
	s->n++;
	if (s->wide[s->n - 1]) {
		s->wide[s->n] = 0;
		s->words[s->n++] = (struct cf_vtype){ VT_TOP, 0 };
	}
	if (s->n + 2 > MOST_WORDS)
		DIFFER("a frame with too many locals");
}

static void spread_chop(struct spread *s)
{
	if (s->n)
		s->n -= s->n > 1 && s->wide[s->n - 2] ? 2 : 1;
}

static void spread_step(const struct classfile *cf, struct spread *s, const struct cf_frame *f)
{
	struct cf_vtypes it = f->locals;
	struct cf_vtype type;

	if (f->kind == FRAME_FULL)
		s->n = 0;
	for (uint32_t i = 0; i < f->chopped; i++)
		spread_chop(s);
	while (cf_vtypes_next(cf, &it, &type))
		spread_add(s, type);
}

/* An argument of the method; its class has no constant in the old file. */
#define BY_NAME UINT16_MAX

static void spread_begin(const struct classfile *cf, const struct cf_member *m, struct spread *s)
{
	struct desc_iter it = desc_params(cf_utf8(cf, m->desc));
	struct str p;

	s->n = 0;
	if (!(m->access & ACC_STATIC)) {
		bool is_raw = cf->super_class && str_is(cf_utf8(cf, m->name), "<init>");

		spread_add(s, (struct cf_vtype){ is_raw ? VT_UNINIT_THIS : VT_OBJECT, is_raw ? 0 : cf->this_class });
	}
	while (desc_next(&it, &p)) {
		uint8_t tag = p.p[0] == 'L' || p.p[0] == '[' ? VT_OBJECT : p.p[0] == 'J' ? VT_LONG : p.p[0] == 'D' ? VT_DOUBLE
			    : p.p[0] == 'F' ? VT_FLOAT : VT_INT;

		spread_add(s, (struct cf_vtype){ tag, tag == VT_OBJECT ? BY_NAME : 0 });
	}
}

/* The descriptor of the argument in word `at`. */
static struct str argument(const struct compare *c, uint32_t at)
{
	struct desc_iter it = desc_params(cf_utf8(c->old, c->om->desc));
	uint32_t word = c->om->access & ACC_STATIC ? 0 : 1;
	struct str p = { "", 0 };

	while (desc_next(&it, &p) && word != at)
		word += desc_words(p);
	return p;
}

static bool names_class(const struct classfile *cf, uint16_t class, struct str desc)
{
	struct str name = cf_name(cf, class);

	return str_eq(name, desc.p[0] == 'L' ? (struct str){ desc.p + 1, desc.len - 2 } : desc);
}

static void compare_word(const struct compare *c, uint32_t at, struct cf_vtype a, struct cf_vtype b)
{
	bool same = a.tag == b.tag && b.data == (a.tag == VT_UNINIT ? c->self[a.data] : a.data);

	if (a.tag == VT_OBJECT && a.data == BY_NAME)
		same = b.tag == VT_OBJECT && (b.data == BY_NAME || names_class(c->new, b.data, argument(c, at)));
	if (!same)
		DIFFER("local %u of a frame changed", (unsigned)at);
}

/* All words of the old frame, nothing up to the local, and the local. */
static void compare_spread(const struct compare *c, const struct spread *a, const struct spread *b)
{
	uint32_t local = c->oc.max_locals;

	if (b->n != local + 1 || a->n > local)
		DIFFER("a frame has %u words", (unsigned)b->n);
	for (uint32_t i = 0; i < a->n; i++)
		compare_word(c, i, a->words[i], b->words[i]);
	for (uint32_t i = a->n; i < local; i++)
		if (b->words[i].tag != VT_TOP)
			DIFFER("a frame got another local");
	if (c->edit->local[0] == 'I' ? b->words[local].tag != VT_INT
				     : b->words[local].tag != VT_OBJECT ||
				       !names_class(c->new, b->words[local].data, str_of(c->edit->local)))
		DIFFER("a frame has no local");
}

static void compare_leaving_frame(const struct compare *c, const struct cf_frame *f, uint32_t copy)
{
	struct cf_vtypes locals = f->locals, stack = f->stack;
	struct cf_vtype first = { 0 }, thrown;
	uint32_t n = locals.left;

	if (f->pc != leaving_at(c, copy) || f->kind != FRAME_FULL || stack.left != 1)
		DIFFER("no frame where exceptions leave");
	cf_vtypes_next(c->new, &stack, &thrown);
	if (thrown.tag != VT_OBJECT || !str_is(cf_name(c->new, thrown.data), "java/lang/Throwable"))
		DIFFER("something else than exceptions leaves");
	cf_vtypes_next(c->new, &locals, &first);
	if (c->edit->local ? n != c->oc.max_locals + 1u : n != copy)
		DIFFER("a handler with %u locals", (unsigned)n);
	if ((copy == 1) != (first.tag == VT_UNINIT_THIS))
		DIFFER("a handler without the raw this");
}

/* Frames of a method with a local, or with handlers of its own. */
static void compare_more_frames(const struct compare *c)
{
	struct cf_frames it = cf_frames(c->old, c->om), jt = cf_frames(c->new, c->nm);
	struct spread *was = mem_alloc(sizeof(*was)), *is = mem_alloc(sizeof(*is));
	struct cf_frame a, b;
	bool had = it.left > 0;

	spread_begin(c->old, c->om, was);
	*is = *was;
	while (cf_frames_next(c->old, &it, &a)) {
		if (!cf_frames_next(c->new, &jt, &b) || b.pc != c->arrive[a.pc])
			DIFFER("the frame at %u changed", (unsigned)a.pc);
		spread_step(c->old, was, &a);
		spread_step(c->new, is, &b);
		if (c->edit->local)
			compare_spread(c, was, is);
		compare_types(c, a.stack, b.stack);
	}
	if (had || jt.left)
		for (uint32_t k = 0; k < c->nleaving; k++) {
			if (!cf_frames_next(c->new, &jt, &b))
				DIFFER("no frame where exceptions leave");
			compare_leaving_frame(c, &b, k);
		}
	else if (c->nleaving && c->old->major > 50)
		DIFFER("no stack map for a handler");
	if (cf_frames_next(c->new, &jt, &b))
		DIFFER("more frames");
	free(was);
	free(is);
}

static void compare_frames(const struct compare *c)
{
	if (c->edit->local || c->nleaving) {
		compare_more_frames(c);
		return;
	}
	struct cf_frames it = cf_frames(c->old, c->om), jt = cf_frames(c->new, c->nm);
	struct cf_frame a, b;

	while (cf_frames_next(c->old, &it, &a)) {
		if (!cf_frames_next(c->new, &jt, &b) || b.pc != c->arrive[a.pc] || a.kind != b.kind || a.chopped != b.chopped)
			DIFFER("the frame at %u changed", (unsigned)a.pc);
		compare_types(c, a.locals, b.locals);
		compare_types(c, a.stack, b.stack);
	}
	if (cf_frames_next(c->new, &jt, &b))
		DIFFER("more frames");
}

/* A conditional jump that became a pair has a new target behind it. */
static void compare_pairs(const struct compare *c)
{
	struct cf_frames it = cf_frames(c->new, c->nm);
	struct cf_frame f = { .pc = 0 };
	bool more = cf_frames_next(c->new, &it, &f);

	for (uint32_t pc = 0; pc < c->oc.code.len; pc++) {
		if (!c->behind[pc] || c->new->major < 51)
			continue;
		while (more && f.pc < c->behind[pc])
			more = cf_frames_next(c->new, &it, &f);
		if (!more || f.pc != c->behind[pc])
			DIFFER("no frame behind a wide jump");
	}
}

static void compare_need(const struct compare *c, const struct insertion *s)
{
	uint32_t locals = c->oc.max_locals + (c->edit->local ? 1u : 0u) + s->locals;

	if (c->nc.max_stack < c->oc.max_stack + s->stack || c->nc.max_locals < locals)
		DIFFER("too little stack or locals");
}

static void compare_needs(const struct compare *c)
{
	for (uint32_t i = 0; i < c->edit->n; i++)
		compare_need(c, &c->edit->insertions[i]);
	if (c->edit->leaving) {
		compare_need(c, c->edit->leaving);
		if (c->nc.max_stack < c->edit->leaving->stack + 1)
			DIFFER("no stack for an exception");
	}
}

static uint32_t *unknown_places(size_t n)
{
	uint32_t *p = mem_alloc(n * sizeof(*p));

	memset(p, 0xff, n * sizeof(*p));
	return p;
}

static void compare_code(struct compare *c)
{
	size_t n = c->oc.code.len + 1;

	c->before = unknown_places(n);
	c->arrive = unknown_places(n);
	c->self = unknown_places(n);
	c->behind = mem_zalloc(n * sizeof(*c->behind));
	walk_both(c);
	compare_insns(c);
	compare_handlers(c);
	compare_lines(c);
	compare_locals(c, cf_locals_next);
	compare_locals(c, cf_local_types_next);
	compare_frames(c);
	compare_pairs(c);
	compare_needs(c);
	free(c->before);
	free(c->arrive);
	free(c->self);
	free(c->behind);
}

/* The attributes of a member, byte by byte but for the code of an edited method. */
static void compare_attributes(const struct compare *c, const struct cf_member *a, const struct cf_member *b, bool edited)
{
	struct cf_attrs it = cf_attrs(c->old, a->attrs), jt = cf_attrs(c->new, b->attrs);
	struct cf_attr x, y;

	if (it.left != jt.left || a->access != b->access || a->name != b->name || a->desc != b->desc)
		DIFFER("a member changed");
	while (cf_attrs_next(c->old, &it, &x)) {
		cf_attrs_next(c->new, &jt, &y);
		if (!str_eq(x.name, y.name))
			DIFFER("an attribute changed its name");
		if (!(edited && x.body == a->code) && !same_bytes(bytes_of(c->old, &x), bytes_of(c->new, &y)))
			DIFFER("an attribute of a member changed");
	}
}

static void compare_methods(struct compare *c, const struct method_edit *edits, uint32_t n)
{
	uint32_t e = 0;

	for (uint16_t i = 0; i < c->old->nmethods; i++) {
		bool is_edit = e < n && edits[e].method == i;
		bool edited = is_edit && !edits[e].failed;

		c->om = &c->old->methods[i];
		c->nm = &c->new->methods[i];
		compare_attributes(c, c->om, c->nm, edited);
		if (edited) {
			c->oc = cf_code(c->old, c->om);
			c->nc = cf_code(c->new, c->nm);
			c->edit = &edits[e];
			compare_code(c);
		}
		e += is_edit;
	}
}

/* The old pool is the beginning of the new one. */
static void compare_pools(const struct compare *c)
{
	for (uint32_t i = 1; i < c->old->ncp; i++)
		if (c->old->cp[i] != c->new->cp[i])
			DIFFER("constant %u is elsewhere", (unsigned)i);
	uint32_t last = c->old->cp[c->old->ncp - 1u] ? c->old->ncp - 1u : c->old->ncp - 2u;

	if (c->new->ncp < c->old->ncp || memcmp(c->old->bytes.p + 10, c->new->bytes.p + 10, c->old->cp[last] + 3 - 10) != 0)
		DIFFER("the constants changed");
}

/* Aborts with what differs. */
static void rewrite_check(const struct classfile *old, const struct classfile *new, const struct method_edit *edits,
			  uint32_t n)
{
	struct compare c = { .old = old, .new = new };
	struct span rest = { old->bytes.p + old->attrs, old->bytes.len - old->attrs };

	compare_pools(&c);
	if (old->access != new->access || old->this_class != new->this_class || old->super_class != new->super_class ||
	    old->nfields != new->nfields || old->nmethods != new->nmethods || old->ninterfaces != new->ninterfaces)
		DIFFER("the class changed");
	for (uint16_t i = 0; i < old->nfields; i++)
		compare_attributes(&c, &old->fields[i], &new->fields[i], false);
	compare_methods(&c, edits, n);
	if (!same_bytes(rest, (struct span){ new->bytes.p + new->attrs, new->bytes.len - new->attrs }))
		DIFFER("the attributes of the class changed");
}

#endif
