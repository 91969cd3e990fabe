/* SPDX-License-Identifier: Apache-2.0 */
/* values.c - values of a body that is lowered. Addresses are numbered: the same address has the same variable
 * everywhere in a function, and the statement that computes it, which is no access, is there once.
 *
 * Values that nobody uses as pointers are not followed (low_is_needed). Lengths and counters are as wide as pointers:
 * a length that is read from memory which may hold pointers, too, would carry these, and arithmetic on it would make
 * them point anywhere in their objects. So uses are looked through: variables for numbers, how many bytes are copied,
 * comparisons. The search is bounded (MAX_USES); where it ends early, the value is followed. */
#include "bitcode/lower_p.h"

enum { MAX_USES = 100, NOTED = 0x100 };

cloc_id low_here(struct lowering *x)
{
	if (!x->has_loc)
		x->loc = x->at ? debug_loc(x->m->g, x->at) : (cloc_id){ 0 };
	x->has_loc = true;
	return x->loc;
}

void low_emit(struct lowering *x, struct cstmt s)
{
	struct symbols *l = x->m->l;

	if (!x->is_initial) {
		s.loc = low_here(x);
		cir_stmt(x->p, s);
		return;
	}
	bool is_value = s.op == C_PUT;           /* addresses do not belong to one definition */
	vec_push(&l->initials, ((struct initial){ s, is_value ? x->symbol : 0, l->rows.data[x->symbol].definition }));
}

void low_note(struct lowering *x, enum cnote_kind kind, const char *text)
{
	str_id id = intern(&x->p->names, str_of(text));
	uint32_t *known = valtable_at(&x->numbers, (uint64_t)(NOTED + kind) << 40, id.i);

	if (*known)
		return;
	*known = 1;
	cir_note(x->p, kind, x->is_initial ? (cfn_id){ 0 } : x->fn, low_here(x), id);
}

cvar_id low_temporary(struct lowering *x)
{
	return cir_var(x->p, CVAR_TEMP, (str_id){ 0 }, x->is_initial ? (cfn_id){ 0 } : x->fn);
}

/* The variable of an address; is_new: its statement is yet to be written. */
static cvar_id number(struct lowering *x, const struct cstmt *s, bool *is_new)
{
	uint32_t *known = numbered_at(&x->numbers, s);

	*is_new = !*known;
	if (!*known)
		*known = low_temporary(x).i;
	return (cvar_id){ *known };
}

static cvar_id address(struct lowering *x, struct cstmt s)
{
	bool is_new;
	cvar_id v = number(x, &s, &is_new);

	s.dst = v.i;
	if (is_new)
		low_emit(x, s);
	return v;
}

cvar_id low_numbered(struct lowering *x, enum cop op, uint32_t src, int32_t off, uint32_t width)
{
	struct cstmt s = { .op = (uint8_t)op, .src = src, .off = off, .width = width };
	bool is_new;

	return number(x, &s, &is_new);
}

static cvar_id shift(struct lowering *x, uint32_t src, int32_t off, uint32_t width, uint8_t flags)
{
	return address(x, (struct cstmt){ .op = C_SHIFT, .flags = flags, .src = src, .off = off, .width = width });
}

static cvar_id variable(struct lowering *x, struct val v, uint8_t flags)
{
	flags |= v.is_bytes ? CSTMT_BYTES : 0;
	if (v.kind == VAL_OBJ)
		return address(x, (struct cstmt){ .op = C_ADDR, .flags = v.off ? flags : 0, .src = v.id, .off = v.off });
	if (v.kind != VAL_VAR)
		return (cvar_id){ 0 };
	return v.off ? shift(x, v.id, v.off, 0, flags) : (cvar_id){ v.id };
}

cvar_id low_var(struct lowering *x, struct val v)
{
	return variable(x, v, 0);
}

cvar_id low_range(struct lowering *x, struct val v)
{
	return variable(x, v, CSTMT_RANGE);
}

/* v + n * width for any n. */
static struct val any_of(struct lowering *x, struct val v, uint64_t width, uint8_t flags)
{
	cvar_id from = low_var(x, v);

	if (width > UINT32_MAX) {        /* objects are not that large */
		width = 1;
		flags = CSTMT_BYTES;
	}
	return from.i && width ? val_var(shift(x, from.i, 0, (uint32_t)width, flags)) : val_var(from);
}

struct val low_anywhere(struct lowering *x, struct val v)
{
	return any_of(x, v, 1, CSTMT_BYTES);
}

struct val low_plus(struct lowering *x, struct val v, int64_t off)
{
	int64_t sum;

	if (v.kind != VAL_VAR && v.kind != VAL_OBJ)
		return (struct val){ 0 };
	if (off < INT32_MIN || off > INT32_MAX)
		return low_anywhere(x, v);
	if (v.is_bytes && v.kind == VAL_VAR && off)
		v = val_var(low_var(x, v));
	sum = v.off + off;
	if (sum < INT32_MIN || sum > INT32_MAX)
		return low_anywhere(x, v);
	v.off = (int32_t)sum;
	return v;
}

struct val low_plus_bytes(struct lowering *x, struct val v, int64_t off)
{
	if (v.kind == VAL_OBJ && off) {
		v = low_plus(x, v, off);
		v.is_bytes = v.kind == VAL_OBJ;
		return v;
	}
	if (v.kind != VAL_VAR || off == 0)
		return low_plus(x, v, off);
	if (off < INT32_MIN || off > INT32_MAX)
		return low_anywhere(x, v);
	v = val_var(low_var(x, v));
	v.off = (int32_t)off;
	v.is_bytes = true;
	return v;
}

void low_copy(struct lowering *x, cvar_id dst, struct val src, uint8_t flags)
{
	cvar_id from = low_var(x, src);

	if (from.i != dst.i || !(flags & CSTMT_HIDDEN))
		low_emit(x, (struct cstmt){ .op = C_COPY, .flags = flags, .dst = dst.i, .src = from.i });
}

static bool is_same(struct val a, struct val b)
{
	return a.kind == b.kind && a.id == b.id && a.off == b.off && a.is_bytes == b.is_bytes;
}

struct val low_union(struct lowering *x, const struct val *v, uint32_t n)
{
	struct low_sum sum = { 0 };

	for (uint32_t i = 0; i < n; i++)
		low_add(x, &sum, v[i]);
	return sum.v;
}

void low_add(struct lowering *x, struct low_sum *sum, struct val v)
{
	if (v.kind == VAL_NONE || is_same(sum->v, v))
		return;
	if (sum->v.kind == VAL_NONE) {
		sum->v = v;
		return;
	}
	if (!sum->is_new) {
		cvar_id all = low_temporary(x);

		low_copy(x, all, sum->v, CSTMT_HIDDEN);
		*sum = (struct low_sum){ val_var(all), true };
	}
	low_copy(x, (cvar_id){ sum->v.id }, v, CSTMT_HIDDEN);
}

uint32_t low_pointer_bits(const struct lowering *x)
{
	return x->p->pointer_size * 8;
}

uint32_t low_bits(struct lowering *x, LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind:
		return LLVMGetIntTypeWidth(type);
	case LLVMPointerTypeKind:
		return low_pointer_bits(x);
	case LLVMVectorTypeKind:
	case LLVMScalableVectorTypeKind:
		type = LLVMGetElementType(type);
		return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) :
		       LLVMGetTypeKind(type) == LLVMPointerTypeKind ? low_pointer_bits(x) : 0;
	default:
		return 0;
	}
}

/* Instructions. Blocks need not come in an order in which values come before their uses: what is used early gets a variable. */

static uint32_t add_row(struct lowering *x, struct val v)
{
	vec_push(&x->rows, v);
	return x->rows.len;
}

bool low_is_narrow(struct lowering *x, LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind:
		return LLVMGetIntTypeWidth(type) < low_pointer_bits(x);
	case LLVMHalfTypeKind:
	case LLVMBFloatTypeKind:
	case LLVMFloatTypeKind:
		return low_pointer_bits(x) > 32;
	default:
		return false;
	}
}

struct val low_operand(struct lowering *x, LLVMValueRef v)
{
	return low_is_narrow(x, LLVMTypeOf(v)) ? (struct val){ 0 } : low_row(x, v);
}

struct val low_row(struct lowering *x, LLVMValueRef v)
{
	uint32_t *row;

	if (LLVMGetValueKind(v) != LLVMInstructionValueKind && LLVMGetValueKind(v) != LLVMArgumentValueKind)
		return low_constant(x, v, 0);
	row = valtable_at(&x->values, (uint64_t)(uintptr_t)v, 0);
	if (!*row) {
		cvar_id early = low_temporary(x);

		*row = add_row(x, val_var(early));
	}
	return x->rows.data[*row - 1];
}

void low_define(struct lowering *x, LLVMValueRef instruction, struct val v)
{
	uint32_t *row = valtable_at(&x->values, (uint64_t)(uintptr_t)instruction, 0);

	if (!*row)
		*row = add_row(x, v);
	else if (v.kind != VAL_NONE)
		low_copy(x, (cvar_id){ x->rows.data[*row - 1].id }, v, CSTMT_HIDDEN);
}

/* Values that are looked at, since what they carry may be carried on. */
struct search {
	LLVMValueRef value[MAX_USES];
	uint32_t n, left;
	uint32_t bits;               /* of the piece that is copied; 0: not known */
};

static void look_at(struct search *s, LLVMValueRef v)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (s->value[i] == v)
			return;
	if (s->n == MAX_USES)
		s->left = 1;
	else
		s->value[s->n++] = v;
}

static void look_at_loads(struct search *s, LLVMValueRef variable)
{
	for (LLVMUseRef u = LLVMGetFirstUse(variable); u && s->left > 1; u = LLVMGetNextUse(u), s->left--)
		if (LLVMIsALoadInst(LLVMGetUser(u)))
			look_at(s, LLVMGetUser(u));
}

static bool is_variable(struct lowering *x, LLVMValueRef pointer)
{
	return LLVMIsAAllocaInst(pointer) && low_row(x, pointer).kind == VAL_LOCAL;
}

/* A number is no address: how many bytes are copied, or a variable for numbers. */
static bool follow_number(struct lowering *x, LLVMValueRef user, struct search *s)
{
	switch (LLVMGetInstructionOpcode(user)) {
	case LLVMStore:
		if (!is_variable(x, LLVMGetOperand(user, 1)))
			return true;
		look_at_loads(s, LLVMGetOperand(user, 1));
		return false;
	case LLVMPHI: case LLVMSelect: case LLVMFreeze:
		look_at(s, user);
		return false;
	case LLVMCall:
		return !low_copies_bytes(x, user);
	default:
		return true;
	}
}

/* A use of `v`: is what it carries carried on? A user of which that is not known is looked at, too. */
static bool follow_carried(struct lowering *x, LLVMValueRef user, LLVMValueRef v, struct search *s)
{
	LLVMTypeRef type = LLVMTypeOf(user);
	bool is_narrow;

	switch (LLVMGetInstructionOpcode(user)) {
	case LLVMICmp:
	case LLVMFCmp:
	case LLVMBr:
	case LLVMSwitch:
	case LLVMIndirectBr:
	case LLVMFAdd: case LLVMFSub: case LLVMFMul: case LLVMFDiv: case LLVMFRem: case LLVMFNeg:
	case LLVMFPToUI: case LLVMFPToSI: case LLVMUIToFP: case LLVMSIToFP: case LLVMFPTrunc: case LLVMFPExt:
		return false;
	case LLVMGetElementPtr:
		return LLVMGetOperand(user, 0) == v;
	case LLVMAdd: case LLVMSub: case LLVMMul: case LLVMUDiv: case LLVMSDiv: case LLVMURem: case LLVMSRem:
	case LLVMShl: case LLVMLShr: case LLVMAShr: case LLVMAnd: case LLVMOr: case LLVMXor:
		is_narrow = low_bits(x, type) < low_pointer_bits(x);
		break;
	case LLVMTrunc: case LLVMZExt: case LLVMSExt: case LLVMPtrToInt: case LLVMIntToPtr: case LLVMBitCast:
		is_narrow = low_is_narrow(x, type);
		break;
	default:
		return LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind || follow_number(x, user, s);
	}
	if (!is_narrow)
		look_at(s, user);
	return false;
}

/* A piece of a value: does a store put it into memory that is not a variable, at once or by way of one: t = *a; *a = *b; *b = t?
 * A copy is as wide as what it is of: a byte that becomes an int is a number. Or do pieces become a pointer: (int *)(high << 32 | low)? */
static bool follow_piece(struct lowering *x, LLVMValueRef user, LLVMValueRef v, struct search *s)
{
	switch (LLVMGetInstructionOpcode(user)) {
	case LLVMIntToPtr:
		return true;
	case LLVMStore:
		if (LLVMGetOperand(user, 0) != v)
			return false;
		if (!is_variable(x, LLVMGetOperand(user, 1)))
			return low_is_narrow(x, LLVMTypeOf(v)) && (!s->bits || low_bits(x, LLVMTypeOf(v)) == s->bits);
		look_at_loads(s, LLVMGetOperand(user, 1));
		return false;
	case LLVMTrunc: case LLVMZExt: case LLVMSExt: case LLVMPHI: case LLVMSelect: case LLVMFreeze:
		look_at(s, user);
		return false;
	case LLVMShl: case LLVMLShr: case LLVMOr: case LLVMXor: case LLVMAdd:
		if (!low_is_narrow(x, LLVMTypeOf(user)))
			look_at(s, user);
		return false;
	default:
		return false;
	}
}

typedef bool follow_fn(struct lowering *x, LLVMValueRef user, LLVMValueRef v, struct search *s);

static bool is_any_used(struct lowering *x, LLVMValueRef v, follow_fn *follow)
{
	struct search s = { .value = { v }, .n = 1, .left = MAX_USES };

	if (LLVMIsALoadInst(v) && !is_variable(x, LLVMGetOperand(v, 0)))
		s.bits = low_bits(x, LLVMTypeOf(v));
	for (uint32_t i = 0; i < s.n; i++)
		for (LLVMUseRef u = LLVMGetFirstUse(s.value[i]); u; u = LLVMGetNextUse(u)) {
			LLVMValueRef user = LLVMGetUser(u);

			if (--s.left == 0 || LLVMGetValueKind(user) != LLVMInstructionValueKind || follow(x, user, s.value[i], &s))
				return true;
		}
	return s.left <= 1;              /* too many to be looked at */
}

bool low_is_pieced(struct lowering *x, LLVMValueRef v)
{
	return is_any_used(x, v, follow_piece);
}

bool low_is_needed(struct lowering *x, LLVMValueRef v)
{
	LLVMTypeRef type = LLVMTypeOf(v);

	if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
		return false;
	return is_any_used(x, v, low_is_narrow(x, type) ? follow_piece : follow_carried);
}

/* An index over bytes is arithmetic of any kind; other ones select fields or stay within an array. */
static bool is_over_bytes(struct lowering *x, LLVMValueRef gep)
{
	return LLVMGetNumOperands(gep) == 2 && types_size(x->m->t, LLVMGetGEPSourceElementType(gep)) <= 1;
}

struct val low_gep(struct lowering *x, LLVMValueRef gep, struct val base)
{
	struct gep g = types_gep(x->m->t, gep);

	if (base.kind == VAL_NONE)
		return base;
	if (!g.elements || base.kind == VAL_OBJ) {
		base = is_over_bytes(x, gep) ? low_plus_bytes(x, base, g.off) : low_plus(x, base, g.off);
	} else if (g.off) {
		cvar_id from = low_var(x, base);
		bool is_small = g.off >= INT32_MIN && g.off <= INT32_MAX;

		base = is_small ? val_var(shift(x, from.i, (int32_t)g.off, 0, CSTMT_ELEMENTS)) : low_anywhere(x, base);
	}
	if (g.stride)
		base = any_of(x, base, g.stride, g.in_array ? CSTMT_ELEMENTS : 0);
	base = low_plus(x, base, g.inner);
	return g.inner_stride ? any_of(x, base, g.inner_stride, CSTMT_ELEMENTS) : base;
}
