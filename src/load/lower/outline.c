/* SPDX-License-Identifier: Apache-2.0 */
/* outline.c - what a call graph needs to know of a method, in one pass over its bytecode. This runs for
 * every reachable method, so it decodes only the instructions that it keeps. */
#include "formats/classfile/bytecode.h"
#include "load/lower/lower_p.h"

enum {
	LEN_NONE = 1, LEN_S1 = 2, LEN_S2 = 3, LEN_LOCAL = 2, LEN_IINC = 3, LEN_LDC = 2, LEN_CP = 3,
	LEN_BRANCH = 3, LEN_TABLE = 0, LEN_LOOKUP = 0, LEN_NEWARRAY = 2, LEN_INTERFACE = 5, LEN_DYNAMIC = 5,
	LEN_MULTI = 4, LEN_WIDE = 0,
};

/* Bytes by opcode; 0: see slow_length(). */
static const uint8_t lengths[256] = {
#define OPCODE(value, name, format, pops, pushes) [value] = LEN_##format,
#include "formats/classfile/opcodes.def"
#undef OPCODE
};

struct outliner {
	struct program *p;
	struct unit *u;
	struct body_builder b;
	uint16_t index;
	bool has_string;               /* one string constant is as good as many: it makes String instantiated */
};

static bool has_tag(const struct outliner *o, uint16_t cp, unsigned tag)
{
	return cf_tag(&o->u->cf, cp) == tag;
}

static void keep(struct outliner *o, enum ir_op op, unsigned sub, uint32_t ref)
{
	builder_stmt(&o->b, op, sub, ref, IR_KIND_NONE, NULL, 0);
}

static bool keep_call(struct outliner *o, enum ir_op op, uint16_t cp)
{
	if (!has_tag(o, cp, CP_METHOD) && !has_tag(o, cp, CP_IMETHOD))
		return false;
	keep(o, op, 0, unit_mref(o->p, o->u, cp).i);
	return true;
}

static bool keep_static_field(struct outliner *o, enum ir_op op, uint16_t cp)
{
	if (!has_tag(o, cp, CP_FIELD))
		return false;
	keep(o, op, 0, unit_fref(o->p, o->u, cp).i);
	return true;
}

static bool keep_new(struct outliner *o, uint8_t op, uint16_t cp)
{
	if (!has_tag(o, cp, CP_CLASS))
		return false;
	class_id c = unit_class(o->p, o->u, cp);

	if (op == BC_new)
		keep(o, IR_NEW, 0, c.i);
	else
		keep(o, IR_NEWARRAY, 0, op == BC_anewarray ? program_array_of(o->p, c).i : c.i);
	return true;
}

static bool keep_dynamic_call(struct outliner *o, uint16_t cp)
{
	struct signature s;

	if (!has_tag(o, cp, CP_INVOKEDYNAMIC))
		return false;
	struct indy in = indy_of(o->p, o->u, cp, o->index, o->b.pc);

	if (!signature_of(sel_desc(o->p, in.sel), &s))
		return false;
	emit_dynamic_call(o->p, &o->b, &in, &s, NULL);
	return true;
}

static bool keep_constant(struct outliner *o, uint16_t cp)
{
	ir_value ignored;
	struct indy in;

	switch (cf_tag(&o->u->cf, cp)) {
	case CP_INTEGER: case CP_FLOAT: case CP_LONG: case CP_DOUBLE:
		return true;
	case CP_STRING:
		if (!o->has_string)
			keep(o, IR_CONST_STRING, 0, 0);
		o->has_string = true;
		return true;
	case CP_CLASS:
		keep(o, IR_CONST_CLASS, 0, unit_class(o->p, o->u, cp).i);
		return true;
	case CP_METHODTYPE:
		keep(o, IR_CONST_MTYPE, 0, unit_string(o->p, o->u, cp).i);
		return true;
	case CP_HANDLE:
		return emit_handle(o->p, o->u, &o->b, cp, &ignored);
	case CP_DYNAMIC:
		in = indy_constant(o->p, o->u, cp);
		emit_dynamic_constant(o->p, &o->b, &in);
		return true;
	default:
		return false;
	}
}

static uint16_t cp_at(const uint8_t *code)
{
	return (uint16_t)(code[1] << 8 | code[2]);
}

/* Handles the kept instruction at `code`, all of which is there; false when its constant is of the wrong kind. */
static bool keep_insn(struct outliner *o, const uint8_t *code)
{
	switch (code[0]) {
	case BC_ldc:
		return keep_constant(o, code[1]);
	case BC_ldc_w:
	case BC_ldc2_w:
		return keep_constant(o, cp_at(code));
	case BC_getstatic:
		return keep_static_field(o, IR_GETSTATIC, cp_at(code));
	case BC_putstatic:
		return keep_static_field(o, IR_PUTSTATIC, cp_at(code));
	case BC_invokevirtual:
		return keep_call(o, IR_CALL_VIRTUAL, cp_at(code));
	case BC_invokespecial:
		return keep_call(o, IR_CALL_SPECIAL, cp_at(code));
	case BC_invokestatic:
		return keep_call(o, IR_CALL_STATIC, cp_at(code));
	case BC_invokeinterface:
		return keep_call(o, IR_CALL_INTERFACE, cp_at(code));
	case BC_invokedynamic:
		return keep_dynamic_call(o, cp_at(code));
	case BC_newarray:
		if (code[1] < 4 || code[1] > 11)
			return false;
		keep(o, IR_NEWARRAY, 0, lower_primitive_array(o->p, code[1]).i);
		return true;
	default:
		return keep_new(o, code[0], cp_at(code));
	}
}

static bool is_kept(uint8_t op)
{
	return (op >= BC_ldc && op <= BC_ldc2_w) || op == BC_getstatic || op == BC_putstatic ||
	       (op >= BC_invokevirtual && op <= BC_anewarray) || op == BC_multianewarray;
}

static uint32_t slow_length(struct span code, uint32_t pc)
{
	struct insn in;

	return bytecode_decode(code, pc, &in) ? in.len : 0;
}

static bool scan(struct outliner *o, struct span code)
{
	uint32_t len = 0;

	for (uint32_t pc = 0; pc < code.len; pc += len) {
		uint8_t op = code.p[pc];

		len = lengths[op];
		if (UNLIKELY(len == 0 || op >= BC_goto_w))
			len = slow_length(code, pc);
		if (UNLIKELY(len == 0 || len > code.len - pc)) {
			lower_diag(o->p, o->u, o->index, DIAG_E020, pc, "bad instruction");
			return false;
		}
		o->b.pc = pc;
		/* It may be unreachable: then the method is as good without it. */
		if (is_kept(op) && UNLIKELY(!keep_insn(o, code.p + pc)))
			lower_diag(o->p, o->u, o->index, DIAG_E020, pc, "constant pool entry of the wrong kind");
	}
	return true;
}

const struct ir_body *outline_method(struct program *p, struct unit *u, uint16_t index, struct arena *mem)
{
	struct outliner o = { .p = p, .u = u, .index = index, .b = { .outline = true } };
	struct ir_body *body = NULL;

	if (scan(&o, cf_code(&u->cf, &u->cf.methods[index]).code)) {
		body = arena_new(mem, struct ir_body);
		o.b.pc = 0;
		*body = builder_finish(&o.b, mem);
	}
	builder_release(&o.b);
	return body;
}
