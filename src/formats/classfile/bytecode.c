/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/classfile/bytecode.h"

/* The values without an instruction, for the tables below. */
#define BAD2(x, i) [i] = x, [i + 1] = x
#define BAD6(x, i) BAD2(x, i), BAD2(x, i + 2), BAD2(x, i + 4)
#define BAD12(x, i) BAD6(x, i), BAD6(x, i + 6)
#define BAD(x) BAD6(x, 202), BAD12(x, 208), BAD12(x, 220), BAD12(x, 232), BAD12(x, 244)

const uint8_t bytecode_format[256] = {
#define OPCODE(value, name, format, pops, pushes) [value] = BCF_##format,
#include "formats/classfile/opcodes.def"
#undef OPCODE
	BAD(BCF_BAD),
};

const int8_t bytecode_pops[256] = {
#define OPCODE(value, name, format, pops, pushes) [value] = pops,
#include "formats/classfile/opcodes.def"
#undef OPCODE
	BAD(-1),
};

const int8_t bytecode_pushes[256] = {
#define OPCODE(value, name, format, pops, pushes) [value] = pushes,
#include "formats/classfile/opcodes.def"
#undef OPCODE
	BAD(-1),
};

static const char *const names[256] = {
#define OPCODE(value, name, format, pops, pushes) [value] = #name,
#include "formats/classfile/opcodes.def"
#undef OPCODE
};

/* Length of the instructions of each format, opcode included; 0: varies. */
static const uint8_t lengths[] = {
	[BCF_NONE] = 1, [BCF_S1] = 2, [BCF_S2] = 3, [BCF_LOCAL] = 2, [BCF_IINC] = 3, [BCF_LDC] = 2, [BCF_CP] = 3,
	[BCF_BRANCH] = 3, [BCF_TABLE] = 0, [BCF_LOOKUP] = 0, [BCF_NEWARRAY] = 2, [BCF_INTERFACE] = 5,
	[BCF_DYNAMIC] = 5, [BCF_MULTI] = 4, [BCF_WIDE] = 0, [BCF_BAD] = 0,
};

const char *bytecode_name(unsigned op)
{
	return op < 256 ? names[op] : NULL;
}

static int32_t get_u2(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

static int32_t get_s2(const uint8_t *p)
{
	return (int16_t)(uint16_t)get_u2(p);
}

static int32_t get_s4(const uint8_t *p)
{
	return (int32_t)((uint32_t)get_u2(p) << 16 | (uint32_t)get_u2(p + 2));
}

/* The target `offset` bytes from the instruction; false when it lies outside the code. */
static bool target_ok(struct span code, uint32_t pc, int32_t offset)
{
	int64_t target = (int64_t)pc + offset;

	return target >= 0 && target < (int64_t)code.len;
}

static bool decode_branch(struct span code, struct insn *in)
{
	const uint8_t *p = code.p + in->pc;
	int32_t offset;

	if (in->op == BC_goto_w || in->op == BC_jsr_w) {
		in->len = 5;
		if (code.len - in->pc < 5)
			return false;
		offset = get_s4(p + 1);
	} else {
		offset = get_s2(p + 1);
	}
	if (!target_ok(code, in->pc, offset))
		return false;
	in->a = (int32_t)((int64_t)in->pc + offset);
	return true;
}

static bool decode_wide(struct span code, struct insn *in)
{
	const uint8_t *p = code.p + in->pc;
	size_t left = code.len - in->pc;

	if (left < 4)
		return false;
	in->op = p[1];
	in->format = bytecode_format[in->op];
	in->a = get_u2(p + 2);
	in->len = 4;
	if (in->format == BCF_LOCAL)
		return true;
	if (in->format != BCF_IINC || left < 6)
		return false;
	in->b = get_s2(p + 4);
	in->len = 6;
	return true;
}

/* Switches keep in `a` the pc of their first operand, the default offset, and in `b` their number of keys. */
static bool decode_switch(struct span code, struct insn *in)
{
	uint32_t at = (in->pc + 4) & ~3u;
	uint32_t head = in->format == BCF_TABLE ? 12 : 8, row = in->format == BCF_TABLE ? 4 : 8;

	if (at > code.len || code.len - at < head)
		return false;
	const uint8_t *p = code.p + at;
	int64_t n = get_s4(p + 4);

	if (in->format == BCF_TABLE)
		n = (int64_t)get_s4(p + 8) - n + 1;
	if (n < (in->format == BCF_TABLE) || n > (int64_t)((code.len - at - head) / row))
		return false;
	in->a = (int32_t)at;
	in->b = (int32_t)n;
	in->len = at + head + (uint32_t)n * row - in->pc;
	if (!target_ok(code, in->pc, get_s4(p)))
		return false;
	for (uint32_t k = 1; k <= (uint32_t)n; k++)
		if (!target_ok(code, in->pc, get_s4(p + head + k * row - 4)))
			return false;
	return true;
}

bool bytecode_decode(struct span code, uint32_t pc, struct insn *out)
{
	const uint8_t *p = code.p + pc;
	uint8_t op = p[0], format = bytecode_format[op];

	*out = (struct insn){ pc, lengths[format], op, format, 0, 0 };
	if (out->len > code.len - pc)
		return false;
	switch ((enum bc_format)format) {
	case BCF_NONE:
		return true;
	case BCF_S1:
		out->a = (int8_t)p[1];
		return true;
	case BCF_S2:
		out->a = get_s2(p + 1);
		return true;
	case BCF_LOCAL:
	case BCF_LDC:
		out->a = p[1];
		return true;
	case BCF_IINC:
		out->a = p[1];
		out->b = (int8_t)p[2];
		return true;
	case BCF_CP:
	case BCF_INTERFACE:
	case BCF_DYNAMIC:
		out->a = get_u2(p + 1);
		return true;
	case BCF_NEWARRAY:
		out->a = p[1];
		return out->a >= 4 && out->a <= 11;
	case BCF_MULTI:
		out->a = get_u2(p + 1);
		out->b = p[3];
		return out->b > 0;
	case BCF_BRANCH:
		return decode_branch(code, out);
	case BCF_TABLE:
	case BCF_LOOKUP:
		return decode_switch(code, out);
	case BCF_WIDE:
		return decode_wide(code, out);
	case BCF_BAD:
		break;
	}
	return false;
}

uint32_t bytecode_switch_count(struct span code, const struct insn *in)
{
	(void)code;
	return (uint32_t)in->b;
}

int32_t bytecode_switch_key(struct span code, const struct insn *in, uint32_t k)
{
	const uint8_t *p = code.p + in->a;

	if (in->format == BCF_LOOKUP)
		return get_s4(p + 8 + 8 * (size_t)k);
	return (int32_t)(get_s4(p + 4) + (int64_t)k);
}

uint32_t bytecode_switch_target(struct span code, const struct insn *in, int64_t k)
{
	const uint8_t *p = code.p + in->a;

	if (k >= 0)
		p += in->format == BCF_LOOKUP ? 12 + 8 * (size_t)k : 12 + 4 * (size_t)k;
	return (uint32_t)((int64_t)in->pc + get_s4(p));
}
