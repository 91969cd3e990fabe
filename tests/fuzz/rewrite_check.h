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

/* The insertions at `pc`, whose first is edit->insertions[*i], must stand at `at`; returns one past them. */
static uint32_t pass_insertions(struct compare *c, uint32_t pc, uint32_t at, uint32_t *i)
{
	c->before[pc] = c->arrive[pc] = at;
	for (; *i < c->edit->n && c->edit->insertions[*i].pc == pc; ++*i) {
		const struct insertion *s = &c->edit->insertions[*i];

		if (s->code.len > c->nc.code.len - at || memcmp(c->nc.code.p + at, s->code.p, s->code.len) != 0)
			DIFFER("no insertion at %u", (unsigned)at);
		at += (uint32_t)s->code.len;
		if (s->entry)
			c->arrive[pc] = at;
	}
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
		at = pass_insn(c, &in, pass_insertions(c, pc, at, &i));
	}
	if (at != c->nc.code.len || i != c->edit->n)
		DIFFER("the new code has %zu bytes instead of %u", c->nc.code.len, (unsigned)at);
	c->before[c->oc.code.len] = c->arrive[c->oc.code.len] = at;
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

static void compare_handlers(const struct compare *c)
{
	if (c->oc.nhandlers != c->nc.nhandlers)
		DIFFER("the number of handlers changed");
	for (uint16_t k = 0; k < c->oc.nhandlers; k++) {
		struct cf_handler a = cf_handler_at(c->old, &c->oc, k), b = cf_handler_at(c->new, &c->nc, k);

		if (b.start != c->before[a.start] || b.end != c->before[a.end] || b.target != c->arrive[a.target] ||
		    a.type != b.type)
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

static void compare_frames(const struct compare *c)
{
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

static void compare_needs(const struct compare *c)
{
	for (uint32_t i = 0; i < c->edit->n; i++) {
		const struct insertion *s = &c->edit->insertions[i];

		if (c->nc.max_stack < c->oc.max_stack + s->stack || c->nc.max_locals < c->oc.max_locals + s->locals)
			DIFFER("too little stack or locals");
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
