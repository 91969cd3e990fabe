/* SPDX-License-Identifier: Apache-2.0 */
/* access.c - loads, stores and moves. What is larger than a pointer is accessed part by part; all parts are one value.
 *
 * Each part is an access of its own cell, so that fields stay apart in memory. In between they do not: what was in one
 * part may come to any other. That is seldom met, since clang copies structs by llvm.memcpy, which becomes a C_MOVE
 * and keeps parts apart; left are small structs in registers, and vectors. */
#include "bitcode/lower_p.h"

enum { MAX_PARTS = 64, MAX_NESTED = 16 };

struct part {
	uint64_t off, size;
};
struct parts {
	struct part part[MAX_PARTS];
	uint32_t n;
	bool too_many;
};

static void add_part(struct parts *out, uint64_t off, uint64_t size)
{
	if (out->n == MAX_PARTS)
		out->too_many = true;
	else
		out->part[out->n++] = (struct part){ off, size };
}

/* What has no fields but may hold several pointers, as a vector or a wide integer does: in steps of one pointer. */
static void add_pieces(struct lowering *x, uint64_t size, uint64_t at, struct parts *out)
{
	uint64_t step = x->p->pointer_size;

	for (uint64_t done = 0; done < size && !out->too_many; done += step)
		add_part(out, at + done, size - done < step ? size - done : step);
}

static void add_parts(struct lowering *x, LLVMTypeRef type, uint64_t at, uint32_t depth, struct parts *out)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	uint64_t size = types_size(x->m->t, type);

	if (depth == MAX_NESTED || size == 0) {
		out->too_many |= size != 0 || kind == LLVMScalableVectorTypeKind;
	} else if (kind == LLVMStructTypeKind) {
		for (uint32_t i = 0, n = LLVMCountStructElementTypes(type); i < n && !out->too_many; i++)
			add_parts(x, LLVMStructGetTypeAtIndex(type, i), at + types_field_offset(x->m->t, type, i), depth + 1, out);
	} else if (kind == LLVMArrayTypeKind) {
		LLVMTypeRef elem = LLVMGetElementType(type);
		uint64_t each = types_size(x->m->t, elem);

		if (low_is_narrow(x, elem)) {            /* one cell: in as few steps as possible */
			add_pieces(x, size, at, out);
			return;
		}
		for (uint64_t off = 0; each && off < size && !out->too_many; off += each)
			add_parts(x, elem, at + off, depth + 1, out);
	} else if (kind == LLVMVectorTypeKind || kind == LLVMIntegerTypeKind) {
		add_pieces(x, size, at, out);
	} else {
		add_part(out, at, size);
	}
}

static uint32_t width_of(uint64_t size)
{
	return size > UINT32_MAX ? 0 : (uint32_t)size;
}

/* A variable of the compiler's: using it is no use in the source. */
static bool is_unnamed(struct lowering *x, struct val local)
{
	return x->p->vars.data[local.id].kind == CVAR_TEMP;
}

/* An access of an object that is named, at an offset in it: no pointer is involved, and no set has to be looked at. */
static bool is_direct(struct val p)
{
	return p.kind == VAL_OBJ && p.off >= 0;
}

/* One access of memory, of what a pointer holds at most. */

static void load_part(struct lowering *x, struct val p, uint64_t size, cvar_id dst)
{
	struct cstmt s = { .dst = dst.i, .width = width_of(size) };

	if (p.kind == VAL_LOCAL) {
		if (is_unnamed(x, p))
			return;
		s = (struct cstmt){ .op = C_COPY, .src = p.id, .dst = dst.i == p.id ? 0 : dst.i };
	} else if (is_direct(p)) {
		s.op = C_GET;
		s.src = p.id;
		s.off = p.off;
	} else {
		s.op = C_LOAD;
		s.src = low_var(x, p).i;
	}
	low_emit(x, s);
}

static void store_part(struct lowering *x, struct val p, uint64_t size, cvar_id src, uint8_t flags)
{
	struct cstmt s = { .flags = flags, .src = src.i, .width = width_of(size) };

	if (p.kind == VAL_LOCAL) {
		if (!src.i && is_unnamed(x, p))
			return;
		s.op = C_COPY;
		s.dst = p.id;
		s.width = 0;
	} else if (is_direct(p)) {
		s.op = C_PUT;
		s.dst = p.id;
		s.off = p.off;
	} else {
		s.op = C_STORE;
		s.dst = low_var(x, p).i;
	}
	low_emit(x, s);
}

/* All loads from one place get the same: statements have no order, and so no store is between them. */
static cvar_id target_of(struct lowering *x, struct val p, uint32_t width)
{
	return is_direct(p) ? low_numbered(x, C_GET, p.id, p.off, width) : low_numbered(x, C_LOAD, low_var(x, p).i, 0, width);
}

static bool is_simple(struct lowering *x, LLVMTypeRef type, uint64_t size)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);

	if (kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind)
		return false;
	return kind == LLVMPointerTypeKind || (size && size <= x->p->pointer_size);
}

/* Parts of what has too many of them, or sizes that only a run knows, may be anywhere. */

struct val low_load(struct lowering *x, struct val p, LLVMTypeRef type, bool needed)
{
	uint64_t size = types_size(x->m->t, type);
	struct parts parts = { .n = 0 };
	cvar_id dst = { 0 };

	if (p.kind == VAL_NONE)
		return p;
	if (p.kind == VAL_LOCAL) {               /* it is its own value: the statement only says that it is used */
		load_part(x, p, size, (cvar_id){ 0 });
		return low_is_narrow(x, type) && !needed ? (struct val){ 0 } : (struct val){ .kind = VAL_VAR, .id = p.id };
	}
	if (is_simple(x, type, size)) {
		dst = needed ? target_of(x, p, 0) : dst;
		load_part(x, p, size, dst);
		return val_var(dst);
	}
	add_parts(x, type, 0, 0, &parts);
	dst = needed ? target_of(x, p, width_of(size)) : dst;
	if (parts.too_many)
		load_part(x, low_anywhere(x, p), 0, dst);
	for (uint32_t i = 0; i < parts.n && !parts.too_many; i++)
		load_part(x, low_plus(x, p, (int64_t)parts.part[i].off), parts.part[i].size, dst);
	return val_var(dst);
}

void low_store(struct lowering *x, struct val p, LLVMTypeRef type, struct val v, uint8_t flags)
{
	uint64_t size = types_size(x->m->t, type);
	struct parts parts = { .n = 0 };
	cvar_id src;

	if (p.kind == VAL_NONE)
		return;
	src = low_var(x, v);
	if (p.kind == VAL_LOCAL || is_simple(x, type, size)) {
		store_part(x, p, size, src, flags);
		return;
	}
	add_parts(x, type, 0, 0, &parts);
	if (parts.too_many)
		store_part(x, low_anywhere(x, p), 0, src, flags);
	for (uint32_t i = 0; i < parts.n && !parts.too_many; i++)
		store_part(x, low_plus(x, p, (int64_t)parts.part[i].off), parts.part[i].size, src, flags);
}

/* Without a source, memory is set to what carries no pointer (memset): that modifies it all the same. */
void low_move(struct lowering *x, struct val to, struct val from, uint64_t bytes, uint8_t flags)
{
	cvar_id dst = low_range(x, to), src = low_range(x, from);

	if (dst.i)
		low_emit(x, (struct cstmt){ .op = src.i ? C_MOVE : C_STORE, .flags = flags, .dst = dst.i, .src = src.i,
					    .width = width_of(bytes) });
}
