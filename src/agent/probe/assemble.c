/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/probe/assemble.h"

#include "formats/classfile/classfile.h"

void assembler_release(struct assembler *a)
{
	strbuf_release(&a->pool);
	strbuf_release(&a->fields);
	strbuf_release(&a->methods);
	strbuf_release(&a->code);
	vec_release(&a->entries);
}

static void put1(struct strbuf *b, unsigned x)
{
	strbuf_addch(b, (char)x);
}

static void put2(struct strbuf *b, unsigned x)
{
	put1(b, x >> 8);
	put1(b, x);
}

static void put4(struct strbuf *b, uint32_t x)
{
	put2(b, x >> 16);
	put2(b, x & 0xffff);
}

/* The index of an entry with these bytes; added when it is new. */
static uint16_t entry(struct assembler *a, const struct strbuf *bytes)
{
	for (uint32_t i = 0; i < a->entries.len; i++) {
		uint32_t from = a->entries.data[i];
		size_t to = i + 1 < a->entries.len ? a->entries.data[i + 1] : a->pool.len;
		if (to - from == bytes->len && !memcmp(a->pool.s + from, bytes->s, bytes->len))
			return (uint16_t)(i + 1);
	}
	vec_push(&a->entries, (uint32_t)a->pool.len);
	strbuf_add(&a->pool, bytes->s, bytes->len);
	return ++a->npool;
}

static uint16_t entry_of(struct assembler *a, struct strbuf *bytes)
{
	uint16_t i = entry(a, bytes);

	strbuf_release(bytes);
	return i;
}

uint16_t asm_utf8(struct assembler *a, const char *s)
{
	struct strbuf b = { 0 };

	put1(&b, CP_UTF8);
	put2(&b, (unsigned)strlen(s));
	strbuf_adds(&b, s);
	return entry_of(a, &b);
}

static uint16_t pair(struct assembler *a, unsigned tag, unsigned x, unsigned y)
{
	struct strbuf b = { 0 };

	put1(&b, tag);
	put2(&b, x);
	put2(&b, y);
	return entry_of(a, &b);
}

uint16_t asm_class(struct assembler *a, const char *internal)
{
	struct strbuf b = { 0 };

	put1(&b, CP_CLASS);
	put2(&b, asm_utf8(a, internal));
	return entry_of(a, &b);
}

uint16_t asm_int(struct assembler *a, uint32_t value)
{
	struct strbuf b = { 0 };

	put1(&b, CP_INTEGER);
	put4(&b, value);
	return entry_of(a, &b);
}

static uint16_t member_ref(struct assembler *a, unsigned tag, const char *owner, const char *name, const char *desc)
{
	uint16_t n = asm_utf8(a, name), d = asm_utf8(a, desc);

	return pair(a, tag, asm_class(a, owner), pair(a, CP_NAMETYPE, n, d));
}

uint16_t asm_field_ref(struct assembler *a, const char *owner, const char *name, const char *desc)
{
	return member_ref(a, CP_FIELD, owner, name, desc);
}

uint16_t asm_method_ref(struct assembler *a, const char *owner, const char *name, const char *desc)
{
	return member_ref(a, CP_METHOD, owner, name, desc);
}

static unsigned count_annotations(const char *const *annotations)
{
	unsigned n = 0;

	while (annotations && annotations[n])
		n++;
	return n;
}

/* RuntimeVisibleAnnotations, JVMS 4.7.16: none has elements. */
static void put_annotations(struct assembler *a, struct strbuf *b, const char *const *annotations)
{
	unsigned n = count_annotations(annotations);

	put2(b, asm_utf8(a, "RuntimeVisibleAnnotations"));
	put4(b, 2 + 4 * n);
	put2(b, n);
	for (unsigned i = 0; i < n; i++) {
		put2(b, asm_utf8(a, annotations[i]));
		put2(b, 0);
	}
}

static void put_member(struct assembler *a, struct strbuf *b, unsigned access, const char *name, const char *desc)
{
	put2(b, access);
	put2(b, asm_utf8(a, name));
	put2(b, asm_utf8(a, desc));
}

void asm_field(struct assembler *a, unsigned access, const char *name, const char *desc, const char *const *annotations)
{
	put_member(a, &a->fields, access, name, desc);
	put2(&a->fields, annotations ? 1 : 0);
	if (annotations)
		put_annotations(a, &a->fields, annotations);
	a->nfields++;
}

void asm_op(struct assembler *a, unsigned op)
{
	put1(&a->code, op);
}

void asm_op1(struct assembler *a, unsigned op, unsigned operand)
{
	put1(&a->code, op);
	put1(&a->code, operand);
}

void asm_op2(struct assembler *a, unsigned op, unsigned operand)
{
	put1(&a->code, op);
	put2(&a->code, operand);
}

/* Fills in the distance of the jump at `from`. */
static void patch(struct assembler *a, uint32_t from, int64_t to)
{
	uint32_t distance = (uint32_t)(to - (int64_t)from);

	a->code.s[from + 1] = (char)(distance >> 8);
	a->code.s[from + 2] = (char)distance;
}

void asm_jump(struct assembler *a, unsigned op, struct label *to)
{
	uint32_t from = (uint32_t)a->code.len;

	asm_op2(a, op, 0);
	if (to->at >= 0)
		patch(a, from, to->at);
	else if (to->n < ARRAY_LEN(to->jumps))
		to->jumps[to->n++] = from;
	else
		BUG("too many jumps to one place");
}

void asm_label(struct assembler *a, struct label *here)
{
	here->at = (int64_t)a->code.len;
	for (uint32_t i = 0; i < here->n; i++)
		patch(a, here->jumps[i], here->at);
}

static void put_code(struct assembler *a, unsigned stack, unsigned locals)
{
	put2(&a->methods, asm_utf8(a, "Code"));
	put4(&a->methods, (uint32_t)a->code.len + 12);
	put2(&a->methods, stack);
	put2(&a->methods, locals);
	put4(&a->methods, (uint32_t)a->code.len);
	strbuf_add(&a->methods, a->code.s, a->code.len);
	put4(&a->methods, 0);                         /* no handlers, no attributes */
}

void asm_method(struct assembler *a, unsigned access, const char *name, const char *desc, unsigned stack, unsigned locals,
		const char *const *annotations)
{
	put_member(a, &a->methods, access, name, desc);
	put2(&a->methods, (a->code.len ? 1u : 0u) + (annotations ? 1u : 0u));
	if (a->code.len)
		put_code(a, stack, locals);
	if (annotations)
		put_annotations(a, &a->methods, annotations);
	a->nmethods++;
	strbuf_clear(&a->code);
}

void asm_finish(struct assembler *a, unsigned access, const char *name, const char *super, struct strbuf *out)
{
	uint16_t self = asm_class(a, name), parent = asm_class(a, super);

	put4(out, 0xcafebabe);
	put4(out, 49);
	put2(out, a->npool + 1u);
	strbuf_add(out, a->pool.s, a->pool.len);
	put2(out, access);
	put2(out, self);
	put2(out, parent);
	put2(out, 0);
	put2(out, a->nfields);
	strbuf_add(out, a->fields.s, a->fields.len);
	put2(out, a->nmethods);
	strbuf_add(out, a->methods.s, a->methods.len);
	put2(out, 0);
}
