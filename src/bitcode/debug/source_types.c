// SPDX-License-Identifier: Apache-2.0
/* source_types.c - layouts of the source's types, with the names of fields.
 *
 * A type that is not understood, because its members lie beyond its end, say, is one cell of its size: never a layout that
 * disagrees with memory. Members that overlap: the first by offset, of those at one offset the largest. */
#include "bitcode/debug/debug_p.h"

#include <llvm/Config/llvm-config.h>

enum {
	MAX_DEPTH = 200,             /* of nodes: typedefs, qualifiers, members */
	MAX_HEIGHT = 60,             /* of layouts, see types.c */
	MAX_VISITS = 1000            /* looking for a pointer in unions */
};
#define MAX_SIZE ((uint64_t)1 << 48)

enum {
	DW_TAG_MEMBER = 0x0d, DW_TAG_POINTER = 0x0f, DW_TAG_REFERENCE = 0x10, DW_TAG_UNION = 0x17, DW_TAG_INHERITANCE = 0x1c,
	DW_TAG_POINTER_TO_MEMBER = 0x1f, DW_TAG_RVALUE_REFERENCE = 0x42
};

struct member {
	uint64_t offset, size;
	uint64_t bits;               /* the offset in bits */
	uint32_t height, cells, order;
	uint8_t pointers;            /* DI_WORDS and so on */
	clayout_id layout;
	str_id name;
	str_id until;                /* the last of the bit-fields that are one field */
	bool bitfield;
};
typedef VEC(struct member) members;

static const struct di_type *type_at(struct debug *d, LLVMMetadataRef node, uint32_t depth);

static uint64_t bytes_of(LLVMMetadataRef type)
{
	return (LLVMDITypeGetSizeInBits(type) + 7) / 8;
}

static str_id name_of(struct debug *d, LLVMMetadataRef type)
{
	size_t len = 0;
	const char *s = LLVMDITypeGetName(type, &len);

	return len ? intern(&d->p->names, (struct str){ s, (uint32_t)len }) : (str_id){ 0 };
}

/* Before LLVM 17 its C interface does not tell the tag of a node; the two that matter can be told by sizes and offsets. */

static bool is_pointer(LLVMMetadataRef derived)
{
#if LLVM_VERSION_MAJOR >= 17
	switch (LLVMGetDINodeTag(derived)) {
	case DW_TAG_POINTER:
	case DW_TAG_REFERENCE:
	case DW_TAG_RVALUE_REFERENCE:
	case DW_TAG_POINTER_TO_MEMBER:
		return true;
	default:
		return false;
	}
#else
	return LLVMDITypeGetSizeInBits(derived) != 0;           /* typedefs and qualifiers have none */
#endif
}

static bool is_union(LLVMMetadataRef composite, const members *m)
{
#if LLVM_VERSION_MAJOR >= 17
	(void)m;
	return LLVMGetDINodeTag(composite) == DW_TAG_UNION;
#else
	(void)composite;
	for (uint32_t i = 0; i < m->len; i++)
		if (m->data[i].bits)
			return false;
	return m->len > 1;
#endif
}

static bool is_member(LLVMMetadataRef element)
{
	if (!di_is(element, LLVMDIDerivedTypeMetadataKind) || LLVMDITypeGetFlags(element) & (LLVMDIFlagStaticMember | LLVMDIFlagVirtual))
		return false;
#if LLVM_VERSION_MAJOR >= 17
	return LLVMGetDINodeTag(element) == DW_TAG_MEMBER || LLVMGetDINodeTag(element) == DW_TAG_INHERITANCE;
#else
	return true;
#endif
}

/* Scalars. */

static struct di_type scalar(struct debug *d, uint64_t size)
{
	if (!size || size > MAX_SIZE)
		return (struct di_type){ 0 };
	return (struct di_type){ .layout = types_scalar(d->t, size), .size = size, .height = 2, .cells = 1,
				 .pointers = size >= types_word(d->t) ? DI_WORDS : 0 };
}

/* Arrays. */

/* 0: not known, or unbounded. */
static uint64_t count_of(struct debug *d, LLVMMetadataRef range)
{
	uint32_t n, start = di_open(d, range, &n);
	LLVMValueRef v = n ? d->operands.data[start + DI_RANGE_COUNT] : NULL;
	int64_t count = v && LLVMIsAConstantInt(v) ? LLVMConstIntGetSExtValue(v) : 0;

	di_close(d, start);
	return count > 0 ? (uint64_t)count : 0;
}

/* `t` becomes an array of `count` of it. */
static bool repeat(struct debug *d, struct di_type *t, uint64_t count)
{
	struct clayout l = { .kind = CLAYOUT_ARRAY, .size = count * t->size, .elem = t->layout, .count = count };

	if (!t->size || count > MAX_SIZE / t->size || t->height >= MAX_HEIGHT)
		return false;
	t->layout = cir_layout(d->p, l);
	if (t->pointers & DI_WORDS && t->size % types_word(d->t))
		t->pointers |= DI_ODD;
	if (count != 1 && t->size > 1)
		t->pointers |= DI_ARRAYS;
	t->size *= count;
	t->height++;
	return true;
}

static struct di_type array(struct debug *d, LLVMMetadataRef node, LLVMMetadataRef base, LLVMMetadataRef ranges, uint32_t depth)
{
	struct di_type t = *type_at(d, base, depth + 1);
	uint32_t n, start = di_open(d, ranges, &n);
	bool ok = t.layout.i != 0;

	t = (struct di_type){ .layout = t.layout, .size = t.size, .height = t.height, .cells = t.cells, .pointers = t.pointers };
	for (uint32_t i = n; ok && i--; ) {
		uint64_t count = count_of(d, di_opened(d, start + i));

		if (count || !i)                 /* an inner one of variable length: its elements are the array's */
			ok = repeat(d, &t, count);
	}
	di_close(d, start);
	return ok && (t.size == bytes_of(node) || !bytes_of(node)) ? t : scalar(d, bytes_of(node));
}

/* Structs and unions. */

static void as_scalar(struct debug *d, struct member *m)
{
	struct di_type t = scalar(d, m->size);

	m->layout = t.layout;
	m->height = t.height;
	m->cells = t.cells;
	m->pointers = t.pointers;
}

static void set_storage(struct debug *d, struct member *m, LLVMMetadataRef node)
{
	uint32_t n, start = di_open(d, node, &n);
	LLVMValueRef v = n > DI_MEMBER_STORAGE ? d->operands.data[start + DI_MEMBER_STORAGE] : NULL;
	uint64_t bit = m->bits, end = (bit + LLVMDITypeGetSizeInBits(node) + 7) / 8;

	if (v && LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) < bit)
		bit = LLVMConstIntGetZExtValue(v);
	di_close(d, start);
	m->offset = bit / 8;
	m->size = end - m->offset;
	as_scalar(d, m);
}

/* False: it is no part of memory. */
static bool read_member(struct debug *d, LLVMMetadataRef node, struct member *m, uint32_t depth)
{
	const struct di_type *t;
	uint64_t bits = LLVMDITypeGetSizeInBits(node);

	m->bits = LLVMDITypeGetOffsetInBits(node);
	if (bits > MAX_SIZE || m->bits > MAX_SIZE)
		return false;
	m->name = name_of(d, node);
	m->bitfield = LLVMDITypeGetFlags(node) & LLVMDIFlagBitField;
	if (m->bitfield) {
		set_storage(d, m, node);
		return bits != 0;
	}
	t = type_at(d, di_operand(d, node, DI_TYPE_BASE), depth + 1);
	m->offset = m->bits / 8;
	m->size = bits ? (bits + 7) / 8 : t->size;              /* bases and flexible arrays are said to have none */
	m->layout = t->layout;
	m->height = t->height;
	m->cells = t->cells;
	m->pointers = t->pointers;
	if (m->size != t->size || !m->layout.i)
		as_scalar(d, m);
	return m->layout.i != 0;
}

static int by_offset(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->bitfield != y->bitfield)
		return x->bitfield ? 1 : -1;
	if (x->size != y->size && !x->bitfield)
		return x->size > y->size ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

/* False: there is a virtual base. It is somewhere behind the members; only LLVM's type says where. */
static bool read_members(struct debug *d, LLVMMetadataRef elements, members *all, uint32_t depth)
{
	uint32_t n, start = di_open(d, elements, &n);
	bool ok = true;

	for (uint32_t i = 0; i < n && ok; i++) {
		LLVMMetadataRef node = di_opened(d, start + i);
		struct member m = { .order = i };

		ok = !di_is(node, LLVMDIDerivedTypeMetadataKind) || !(LLVMDITypeGetFlags(node) & LLVMDIFlagVirtual);
		if (ok && is_member(node) && read_member(d, node, &m, depth))
			vec_push(all, m);
	}
	di_close(d, start);
	return ok;
}

/* Bit-fields that share a byte are one field. */
static void merge(struct debug *d, struct member *into, const struct member *m)
{
	uint64_t end = m->offset + m->size;

	if (end > into->offset + into->size)
		into->size = end - into->offset;
	as_scalar(d, into);
	into->until = m->name;
}

/* Leaves those that do not overlap; one without bytes, an array that goes on, only at the end. False: what is left out may be
 * a pointer. */
static bool select_members(struct debug *d, members *m)
{
	uint32_t kept = 0;
	bool ok = true;

	if (m->len)
		qsort(m->data, m->len, sizeof(*m->data), by_offset);
	for (uint32_t i = 0; i < m->len; i++) {
		struct member *last = kept ? &m->data[kept - 1] : NULL;

		if (last && !last->size)
			m->data[kept - 1] = m->data[i];
		else if (!last || m->data[i].offset >= last->offset + last->size)
			m->data[kept++] = m->data[i];
		else if (last->bitfield && m->data[i].bitfield)
			merge(d, last, &m->data[i]);
		else
			ok = ok && !(m->data[i].pointers & DI_WORDS);
	}
	m->len = kept;
	return ok;
}

static str_id field_name(struct debug *d, const struct member *m)
{
	struct str a = interned(&d->p->names, m->name), b = interned(&d->p->names, m->until);
	char *text;
	str_id id;

	if (!m->until.i || m->until.i == m->name.i)
		return m->name;
	text = mem_alloc((size_t)a.len + b.len + 2);
	memcpy(text, a.p, a.len);
	memcpy(text + a.len, "..", 2);
	memcpy(text + a.len + 2, b.p, b.len);
	id = intern(&d->p->names, (struct str){ text, a.len + b.len + 2 });
	free(text);
	return id;
}

/* False: the members do not fit, are nested too deep or too many. */
static bool structure(struct debug *d, const members *m, str_id name, struct di_type *t)
{
	struct clayout l = { .kind = CLAYOUT_STRUCT, .size = t->size, .name = name, .first = d->p->fields.len, .nfields = m->len };

	t->height = 1;
	t->cells = 0;
	for (uint32_t i = 0; i < m->len; i++) {
		if (m->data[i].height >= t->height)
			t->height = m->data[i].height + 1;
		t->cells += m->data[i].cells;
		if (m->data[i].offset + m->data[i].size > t->size || t->cells > TYPES_CELLS)
			return false;
		t->pointers |= m->data[i].pointers;
		if (m->data[i].pointers & DI_WORDS && m->data[i].offset % types_word(d->t))
			t->pointers |= DI_ODD;
	}
	if (t->height > MAX_HEIGHT)
		return false;
	for (uint32_t i = 0; i < m->len; i++)
		vec_push(&d->p->fields, ((struct cfield){ m->data[i].offset, m->data[i].layout, field_name(d, &m->data[i]) }));
	t->layout = cir_layout(d->p, l);
	if (types_has_gap(d->t, t->layout))
		t->pointers |= DI_HIDES;
	return true;
}

static struct member *largest(members *m)
{
	struct member *best = &m->data[0];

	for (uint32_t i = 1; i < m->len; i++) {
		bool larger = m->data[i].size > best->size, clear = best->pointers & DI_HIDES && !(m->data[i].pointers & DI_HIDES);

		if (larger || (m->data[i].size == best->size && clear))
			best = &m->data[i];
	}
	return best;
}

static bool has_fields(const struct debug *d, clayout_id l)
{
	while (d->p->layouts.data[l.i].kind == CLAYOUT_ARRAY)
		l = d->p->layouts.data[l.i].elem;
	return d->p->layouts.data[l.i].kind == CLAYOUT_STRUCT;
}

/* The largest member is all of a union, and has no name: the others are there as well. One with padding where another may
 * have a pointer would not do, nor one with fields where another has an array; false: none does. */
static bool one_of(struct debug *d, members *m, str_id name, struct di_type *t)
{
	struct member *best = largest(m);
	uint8_t others = 0, pointers;

	for (uint32_t i = 0; i < m->len; i++)
		others |= &m->data[i] == best ? 0 : m->data[i].pointers;
	pointers = best->pointers | others;
	if (m->len > 1 && (pointers & DI_ODD || best->pointers & DI_HIDES))
		return false;
	if (others & DI_ARRAYS && has_fields(d, best->layout))
		return false;
	t->pointers = pointers;
	if (best->size == t->size) {
		t->layout = best->layout;
		t->height = best->height;
		t->cells = best->cells;
		return true;
	}
	m->data[0] = *best;
	m->data[0].name = m->data[0].until = (str_id){ 0 };
	m->len = 1;
	return structure(d, m, name, t);
}

static struct di_type aggregate(struct debug *d, LLVMMetadataRef node, LLVMMetadataRef elements, uint32_t depth)
{
	struct di_type t = { .size = bytes_of(node) };
	str_id name = name_of(d, node);
	members m = { 0 };
	bool ok;

	if (!read_members(d, elements, &m, depth))
		return vec_release(&m), t;
	if (m.len && is_union(node, &m)) {
		ok = one_of(d, &m, name, &t);
	} else {
		ok = select_members(d, &m) && structure(d, &m, name, &t);
	}
	vec_release(&m);
	if (!ok || !t.size)
		return scalar(d, t.size);
	if (name.i)
		*map_at(&d->structs, name.i) = t.layout.i;
	return t;
}

static struct di_type composite(struct debug *d, LLVMMetadataRef node, uint32_t depth)
{
	uint32_t n, start = di_open(d, node, &n);
	LLVMMetadataRef base = n > DI_TYPE_BASE ? di_opened(d, start + DI_TYPE_BASE) : NULL;
	LLVMMetadataRef elements = n > DI_TYPE_ELEMENTS ? di_opened(d, start + DI_TYPE_ELEMENTS) : NULL, first;
	unsigned flags = LLVMDITypeGetFlags(node);

	di_close(d, start);
	if (flags & LLVMDIFlagFwdDecl || bytes_of(node) > MAX_SIZE)
		return (struct di_type){ 0 };
	first = di_operand(d, elements, 0);
	if (di_is(first, LLVMDISubrangeMetadataKind) && !(flags & LLVMDIFlagVector))
		return array(d, node, base, elements, depth);
	if (base || flags & LLVMDIFlagVector || di_is(first, LLVMDIEnumeratorMetadataKind))
		return scalar(d, bytes_of(node));
	return aggregate(d, node, elements, depth);
}

/* Types. */

/* A typedef or qualifier: as its base; a struct without a name takes the typedef's. */
static struct di_type as_base(struct debug *d, LLVMMetadataRef node, LLVMMetadataRef base, uint32_t depth)
{
	struct di_type t = *type_at(d, base, depth + 1);
	struct clayout *l = &d->p->layouts.data[t.layout.i];

	if (t.layout.i && l->kind == CLAYOUT_STRUCT && !l->name.i)
		l->name = name_of(d, node);
	return t;
}

static struct di_type derived(struct debug *d, LLVMMetadataRef node, uint32_t depth)
{
	LLVMMetadataRef base = di_operand(d, node, DI_TYPE_BASE);
	struct di_type t;

	if (!is_pointer(node))
		return as_base(d, node, base, depth);
	t = scalar(d, bytes_of(node));
	t.pointer = !di_operand(d, node, DI_TYPE_CLASS);         /* a pointer to a member is no address */
	t.to = t.pointer ? base : NULL;
	return t;
}

static struct di_type read_type(struct debug *d, LLVMMetadataRef node, uint32_t depth)
{
	struct di_type t = { 0 };

	switch (LLVMGetMetadataKind(node)) {
	case LLVMDIBasicTypeMetadataKind:
		t = scalar(d, bytes_of(node));
		break;
	case LLVMDIDerivedTypeMetadataKind:
		t = derived(d, node, depth);
		break;
	case LLVMDICompositeTypeMetadataKind:
		t = composite(d, node, depth);
		break;
	default:
		break;
	}
	if (!t.node)
		t.node = node;
	return t;
}

static const struct di_type *type_at(struct debug *d, LLVMMetadataRef node, uint32_t depth)
{
	uint32_t known = node ? map_get(&d->type_rows, (uint64_t)(uintptr_t)node) : 0;
	struct di_type t;

	if (!node || depth > MAX_DEPTH)
		return &d->types.data[0];
	if (!known) {                            /* while it is being read, it is nothing: a cycle ends here */
		vec_push(&d->types, (struct di_type){ 0 });
		known = d->types.len - 1;
		*map_at(&d->type_rows, (uint64_t)(uintptr_t)node) = known;
		t = read_type(d, node, depth);
		d->types.data[known] = t;
	}
	return &d->types.data[known];
}

const struct di_type *di_type(struct debug *d, LLVMMetadataRef type)
{
	return type_at(d, type, 0);
}

clayout_id di_pointee(struct debug *d, LLVMMetadataRef type)
{
	const struct di_type *t = di_type(d, type);

	if (!t->pointer || !t->to)
		return (clayout_id){ 0 };
	t = di_type(d, t->to);
	return t->size > 1 ? t->layout : (clayout_id){ 0 };
}

/* Pointers in types. */

struct search {
	struct debug *d;
	uint32_t visits;
};

static LLVMMetadataRef find_pointer(struct search *s, LLVMMetadataRef type, uint64_t off);

static LLVMMetadataRef find_in_member(struct search *s, LLVMMetadataRef member, uint64_t off)
{
	uint64_t at = LLVMDITypeGetOffsetInBits(member) / 8, size = bytes_of(member);

	if (off < at || (size && off - at >= size))
		return NULL;
	return find_pointer(s, di_operand(s->d, member, DI_TYPE_BASE), off - at);
}

static LLVMMetadataRef find_in_composite(struct search *s, LLVMMetadataRef node, uint64_t off)
{
	LLVMMetadataRef elements = di_operand(s->d, node, DI_TYPE_ELEMENTS), found = NULL;
	uint32_t n, start;

	if (di_is(di_operand(s->d, elements, 0), LLVMDISubrangeMetadataKind)) {
		LLVMMetadataRef elem = di_operand(s->d, node, DI_TYPE_BASE);
		uint64_t size = di_type(s->d, elem)->size;

		return size ? find_pointer(s, elem, off % size) : NULL;
	}
	start = di_open(s->d, elements, &n);
	for (uint32_t i = 0; i < n && !found; i++) {
		LLVMMetadataRef member = di_opened(s->d, start + i);

		if (is_member(member))
			found = find_in_member(s, member, off);
	}
	di_close(s->d, start);
	return found;
}

/* Recursion ends after MAX_VISITS. */
static LLVMMetadataRef find_pointer(struct search *s, LLVMMetadataRef type, uint64_t off)
{
	struct di_type t = *di_type(s->d, type);

	if (!s->visits)
		return NULL;
	s->visits--;
	if (t.pointer)
		return off == 0 ? t.node : NULL;
	return di_is(t.node, LLVMDICompositeTypeMetadataKind) ? find_in_composite(s, t.node, off) : NULL;
}

LLVMMetadataRef di_pointer_at(struct debug *d, LLVMMetadataRef type, uint64_t off)
{
	struct search s = { d, MAX_VISITS };

	return find_pointer(&s, type, off);
}
