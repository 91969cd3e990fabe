// SPDX-License-Identifier: Apache-2.0
/* types.c - sizes and layouts of LLVM types; what GEPs add. The sizes are LLVM's, by the module's data layout.
 *
 * A GEP (getelementptr) computes all addresses of fields and elements. Its first index steps over whole objects of its
 * type, as `p + n` does; the others go into one, as `.field` and `[n]` do: only these are known to stay in an array.
 *
 * LLVM measures types by recursion and has no bound: types that are nested deeper than MAX_HEIGHT, are larger than
 * MAX_SIZE or have a part without a size are not given to it, and have no size here. */
#include "bitcode/bitcode_p.h"

#include <llvm-c/Target.h>
#include <llvm/Config/llvm-config.h>

#include "base/map.h"

enum {
	MAX_HEIGHT = 1000,
	LAYOUT_HEIGHT = 60           /* what is nested deeper is one cell; cir/layout.c descends a little more */
};
#define MAX_SIZE ((uint64_t)1 << 48)

struct measured {
	uint64_t size;
	uint32_t height;             /* 0: has no size */
	clayout_id layout;           /* none: not made yet */
	uint32_t cells;              /* of the layout */
};

struct types {
	struct cprogram *p;
	LLVMTargetDataRef target;
	struct map rows;             /* by LLVMTypeRef: structs and arrays */
	VEC(struct measured) measured;
	struct map scalars;          /* by size: layouts */
	uint32_t word;               /* the size of a pointer */
};

struct types *types_new(struct cprogram *p, LLVMModuleRef m)
{
	struct types *t = mem_zalloc(sizeof(*t));

	t->p = p;
	t->target = LLVMGetModuleDataLayout(m);
	t->word = LLVMPointerSize(t->target);
	vec_push(&t->measured, (struct measured){ 0 });
	return t;
}

void types_free(struct types *t)
{
	if (!t)
		return;
	map_release(&t->rows);
	map_release(&t->scalars);
	vec_release(&t->measured);
	free(t);
}

static bool is_aggregate(LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);

	return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind;
}

static bool has_no_size(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMVoidTypeKind:
	case LLVMLabelTypeKind:
	case LLVMFunctionTypeKind:
	case LLVMMetadataTypeKind:
	case LLVMTokenTypeKind:
	case LLVMScalableVectorTypeKind:
#if LLVM_VERSION_MAJOR >= 16
	case LLVMTargetExtTypeKind:
#endif
		return true;
	case LLVMStructTypeKind:
		return LLVMIsOpaqueStruct(type);
	default:
		return false;
	}
}

static uint32_t height(struct types *t, LLVMTypeRef type, uint32_t left);

/* The height of the highest part; 0: one has no size. */
static uint32_t height_of_parts(struct types *t, LLVMTypeRef type, uint32_t left)
{
	uint32_t highest = 1, n;

	if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
		return height(t, LLVMGetElementType(type), left);
	n = LLVMCountStructElementTypes(type);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t h = height(t, LLVMStructGetTypeAtIndex(type, i), left);

		if (!h)
			return 0;
		highest = h > highest ? h : highest;
	}
	return highest;
}

/* Would the size of an array wrap around? */
static bool is_huge(struct types *t, LLVMTypeRef type)
{
	uint64_t each, n;

	if (LLVMGetTypeKind(type) != LLVMArrayTypeKind)
		return false;
#if LLVM_VERSION_MAJOR >= 17
	n = LLVMGetArrayLength2(type);
#else
	n = LLVMGetArrayLength(type);
#endif
	each = types_size(t, LLVMGetElementType(type));
	return each && n > MAX_SIZE / each;
}

static uint32_t measure(struct types *t, LLVMTypeRef type, uint32_t left)
{
	uint32_t parts = left ? height_of_parts(t, type, left - 1) : 0;
	struct measured m = { 0 };

	if (parts && parts < MAX_HEIGHT && !is_huge(t, type)) {
		m.size = LLVMABISizeOfType(t->target, type);
		m.height = m.size <= MAX_SIZE ? parts + 1 : 0;
	}
	if (!m.height && left < MAX_HEIGHT)
		return 0;                        /* perhaps only for being asked too deep: not kept */
	vec_push(&t->measured, m);
	*map_at(&t->rows, (uint64_t)(uintptr_t)type) = t->measured.len - 1;
	return m.height;
}

static uint32_t height(struct types *t, LLVMTypeRef type, uint32_t left)
{
	uint32_t known;

	if (has_no_size(type))
		return 0;
	if (!is_aggregate(type))
		return 1;
	known = map_get(&t->rows, (uint64_t)(uintptr_t)type);
	return known ? t->measured.data[known].height : measure(t, type, left);
}

/* The row of a struct or array that has a size; NULL: it has none. */
static struct measured *row_of(struct types *t, LLVMTypeRef type)
{
	return height(t, type, MAX_HEIGHT) ? &t->measured.data[map_get(&t->rows, (uint64_t)(uintptr_t)type)] : NULL;
}

static bool is_sized(struct types *t, LLVMTypeRef type)
{
	return height(t, type, MAX_HEIGHT) != 0;
}

uint64_t types_size(struct types *t, LLVMTypeRef type)
{
	const struct measured *m;

	if (has_no_size(type))
		return 0;
	if (!is_aggregate(type))
		return LLVMABISizeOfType(t->target, type);
	m = row_of(t, type);
	return m ? m->size : 0;
}

uint64_t types_field_offset(struct types *t, LLVMTypeRef structure, uint32_t field)
{
	if (!is_sized(t, structure) || field >= LLVMCountStructElementTypes(structure))
		return 0;
	return LLVMOffsetOfElement(t->target, structure, field);
}

/* Layouts. */

clayout_id types_scalar(struct types *t, uint64_t size)
{
	struct clayout l = { .kind = CLAYOUT_SCALAR, .size = size };
	uint32_t known = map_get(&t->scalars, size);

	if (known)
		return (clayout_id){ known };
	if (size > t->word)
		l = (struct clayout){ .kind = CLAYOUT_ARRAY, .size = size, .elem = types_scalar(t, 1), .count = size };
	known = cir_layout(t->p, l).i;
	*map_at(&t->scalars, size) = known;
	return (clayout_id){ known };
}

bool types_has_gap(const struct types *t, clayout_id id)
{
	const struct clayout *l = &t->p->layouts.data[id.i];
	uint64_t end = t->word;                  /* what is before the first field is a cell */

	if (l->kind != CLAYOUT_STRUCT || !l->nfields)
		return false;
	const struct cfield *f = &t->p->fields.data[l->first];

	for (uint32_t i = 0; i < l->nfields; i++) {
		const struct clayout *part = &t->p->layouts.data[f[i].layout.i];
		uint64_t next = (end + t->word - 1) / t->word * t->word;

		if (next < f[i].offset)
			return true;
		end = f[i].offset + part->size;
		if (i + 1 == l->nfields && part->kind == CLAYOUT_ARRAY)
			return false;
	}
	return (end + t->word - 1) / t->word * t->word < l->size;
}

uint32_t types_word(const struct types *t)
{
	return t->word;
}

static clayout_id array_layout(struct types *t, LLVMTypeRef type, uint64_t size)
{
	LLVMTypeRef elem = LLVMGetElementType(type);
	uint64_t each = types_size(t, elem);
	struct clayout l = { .kind = CLAYOUT_ARRAY, .size = size };

	if (!each)                               /* of empty structs: nothing is in it */
		return cir_layout(t->p, (struct clayout){ .kind = CLAYOUT_STRUCT, .first = t->p->fields.len });
	l.elem = types_layout(t, elem);
	l.count = size / each;
	return cir_layout(t->p, l);
}

/* A field without bytes is none, but for an array that ends a struct: it goes on behind it. */
static bool is_field(struct types *t, LLVMTypeRef type, bool last)
{
	if (types_size(t, type))
		return true;
	return last && LLVMGetTypeKind(type) == LLVMArrayTypeKind && types_size(t, LLVMGetElementType(type));
}

static clayout_id struct_layout(struct types *t, LLVMTypeRef type, uint64_t size)
{
	uint32_t n = LLVMCountStructElementTypes(type);
	struct clayout l = { .kind = CLAYOUT_STRUCT, .size = size };
	struct cfield *fields = mem_alloc(sizeof(*fields) * ((size_t)n + 1));
	const char *name = LLVMGetStructName(type);

	for (uint32_t i = 0; i < n; i++) {
		LLVMTypeRef part = LLVMStructGetTypeAtIndex(type, i);

		if (is_field(t, part, i + 1 == n))
			fields[l.nfields++] = (struct cfield){ .offset = LLVMOffsetOfElement(t->target, type, i),
							       .layout = types_layout(t, part) };
	}
	l.first = t->p->fields.len;
	for (uint32_t i = 0; i < l.nfields; i++)
		vec_push(&t->p->fields, fields[i]);
	if (name)
		l.name = intern(&t->p->names, str_of(name));
	free(fields);
	return cir_layout(t->p, l);
}

/* The type of a union is that of one member. It may have padding where another has a pointer, and fields where another has an
 * array: without debug information, who knows. */
static bool is_union(LLVMTypeRef type)
{
	const char *name = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;

	return name && strncmp(name, "union.", 6) == 0;
}

/* Of a struct or array whose parts have layouts. Sums of many large parts are worth telling no more: TYPES_CELLS + 1. */
static uint32_t count_cells(struct types *t, LLVMTypeRef type)
{
	bool is_array = LLVMGetTypeKind(type) == LLVMArrayTypeKind;
	uint32_t n = is_array ? 1 : LLVMCountStructElementTypes(type), cells = 0;

	for (uint32_t i = 0; i < n && cells <= TYPES_CELLS; i++) {
		LLVMTypeRef part = is_array ? LLVMGetElementType(type) : LLVMStructGetTypeAtIndex(type, i);

		cells += is_aggregate(part) ? row_of(t, part)->cells : 1;
	}
	return cells <= TYPES_CELLS ? cells : TYPES_CELLS + 1;
}

/* Recursion ends at LAYOUT_HEIGHT, since heights of parts are less. */
clayout_id types_layout(struct types *t, LLVMTypeRef type)
{
	const struct measured *m;
	clayout_id l = { 0 };
	uint32_t cells = 0;
	uint64_t size;

	if (!is_sized(t, type))
		return (clayout_id){ 0 };
	if (!is_aggregate(type))
		return types_scalar(t, types_size(t, type));
	m = row_of(t, type);
	size = m->size;
	if (m->layout.i)
		return m->layout;
	if (m->height <= LAYOUT_HEIGHT && !(size && is_union(type))) {
		l = LLVMGetTypeKind(type) == LLVMArrayTypeKind ? array_layout(t, type, size) : struct_layout(t, type, size);
		cells = count_cells(t, type);
	}
	if (!l.i || cells > TYPES_CELLS) {
		l = types_scalar(t, size);
		cells = 1;
	}
	row_of(t, type)->layout = l;
	row_of(t, type)->cells = cells;
	return l;
}

/* GEPs. */

static bool constant_index(LLVMValueRef v, int64_t *n)
{
	if (LLVMIsAConstantAggregateZero(v))            /* a vector: 0 in all lanes */
		return *n = 0, true;
	if (!LLVMIsAConstantInt(v))
		return false;
	*n = LLVMConstIntGetSExtValue(v);
	return true;
}

/* Which field: the same in all lanes of a vector. */
static bool field_index(LLVMValueRef v, int64_t *n)
{
	if (LLVMIsAConstantVector(v))
		v = LLVMGetOperand(v, 0);
	else if (LLVMIsAConstantDataVector(v))
#if LLVM_VERSION_MAJOR >= 15
		v = LLVMGetAggregateElement(v, 0);
#else
		v = LLVMGetElementAsConstant(v, 0);
#endif
	return constant_index(v, n);
}

/* Where an address goes: by `off`, and by any multiple of `stride`. */
struct move {
	int64_t off;
	uint64_t stride;
};

static void move_by(struct move *m, uint64_t size, LLVMValueRef index)
{
	int64_t n;

	if (constant_index(index, &n))
		m->off = (int64_t)((uint64_t)m->off + (uint64_t)n * size);
	else
		m->stride = cstride_join(m->stride, size);
}

static uint64_t step_of(struct types *t, LLVMTypeRef type)
{
	return is_sized(t, type) ? types_size(t, type) : 1;
}

/* One index into a part of `type`; what it selects, or NULL when that cannot be said. */
static LLVMTypeRef move_into(struct types *t, struct move *m, LLVMTypeRef type, LLVMValueRef index)
{
	int64_t field;

	if (LLVMGetTypeKind(type) != LLVMStructTypeKind) {
		LLVMTypeRef elem = LLVMGetElementType(type);

		move_by(m, step_of(t, elem), index);
		return elem;
	}
	if (!is_sized(t, type) || !field_index(index, &field) || field < 0 || field >= LLVMCountStructElementTypes(type)) {
		m->stride = 1;
		return NULL;
	}
	m->off += (int64_t)LLVMOffsetOfElement(t->target, type, (unsigned)field);
	return LLVMStructGetTypeAtIndex(type, (unsigned)field);
}

struct gep types_gep(struct types *t, LLVMValueRef gep)
{
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
	uint32_t n = (uint32_t)LLVMGetNumOperands(gep);
	struct move first = { 0 }, rest = { 0 };
	uint64_t step = step_of(t, type);
	struct gep g = { .base = LLVMGetOperand(gep, 0) };

	if (n > 1)
		move_by(&first, step, LLVMGetOperand(gep, 1));
	for (uint32_t i = 2; i < n && type; i++)
		type = move_into(t, &rest, type, LLVMGetOperand(gep, i));
	g.elements = step > 1 && (first.off || first.stride);
	g.off = g.elements ? first.off : (int64_t)((uint64_t)first.off + (uint64_t)rest.off);
	g.stride = g.elements ? first.stride : cstride_join(first.stride, rest.stride);
	g.in_array = !first.stride;
	g.inner = g.elements ? rest.off : 0;
	g.inner_stride = g.elements ? rest.stride : 0;
	return g;
}
