/* SPDX-License-Identifier: Apache-2.0 */
/* producer.c - who wrote a file of bitcode: the first block names the version of LLVM. It is read here since LLVM, when it
 * cannot read what a newer one wrote, may fail in any way. Format: llvm.org/docs/BitCodeFormat.html. */
#include "bitcode/lower_p.h"

#include <string.h>

enum { IDENTIFICATION = 13, STRING = 1, END_BLOCK = 0, ENTER_BLOCK = 1, DEFINE_ABBREV = 2, UNABBREV = 3, FIRST_ABBREV = 4 };
enum { FIXED = 1, VBR = 2, ARRAY = 3, CHAR6 = 4, BLOB = 5 };
enum { MAX_ABBREVS = 8, MAX_OPS = 8, MAX_RECORDS = 16 };

struct bits {
	struct span in;
	uint64_t at;                 /* bits */
	bool failed;
};

struct abbrev_op {
	uint8_t encoding;            /* 0: literal */
	uint64_t value;
};
struct abbrev {
	struct abbrev_op op[MAX_OPS];
	uint32_t n;
};

struct text {
	char *buf;
	uint32_t len, size;
};

static uint64_t fixed(struct bits *b, uint32_t n)
{
	uint64_t v = 0;

	if (n > 64 || b->at + n > (uint64_t)b->in.len * 8) {
		b->failed = true;
		return 0;
	}
	for (uint32_t i = 0; i < n; i++, b->at++)
		v |= (uint64_t)(b->in.p[b->at / 8] >> b->at % 8 & 1) << i;
	return v;
}

static uint64_t vbr(struct bits *b, uint32_t n)
{
	uint64_t v = 0, high = n > 1 && n <= 32 ? 1u << (n - 1) : 0;

	if (!high)
		b->failed = true;
	for (uint32_t shift = 0; !b->failed && shift < 64; shift += n - 1) {
		uint64_t part = fixed(b, n);

		v |= (part & (high - 1)) << shift;
		if (!(part & high))
			break;
	}
	return v;
}

static void add_char(struct text *t, uint64_t c)
{
	if (t->len + 1 < t->size && c >= 32 && c < 127)
		t->buf[t->len++] = (char)c;
}

static uint64_t scalar(struct bits *b, const struct abbrev_op *op)
{
	static const char char6[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";

	switch (op->encoding) {
	case 0:
		return op->value;
	case FIXED:
		return fixed(b, (uint32_t)op->value);
	case VBR:
		return vbr(b, (uint32_t)op->value);
	case CHAR6:
		return (uint64_t)char6[fixed(b, 6)];
	default:
		b->failed = true;
		return 0;
	}
}

static void define_abbrev(struct bits *b, struct abbrev *a)
{
	uint64_t n = vbr(b, 5);

	*a = (struct abbrev){ .n = (uint32_t)(n < MAX_OPS ? n : MAX_OPS) };
	b->failed |= n > MAX_OPS;
	for (uint32_t i = 0; i < a->n && !b->failed; i++) {
		struct abbrev_op *op = &a->op[i];

		if (fixed(b, 1)) {
			op->value = vbr(b, 8);
			continue;
		}
		op->encoding = (uint8_t)fixed(b, 3);
		if (op->encoding == FIXED || op->encoding == VBR)
			op->value = vbr(b, 5);
		b->failed |= op->encoding == 0 || op->encoding > BLOB;
	}
}

/* The first value of a record is its code. True: it is the text. */
static bool abbreviated(struct bits *b, const struct abbrev *a, struct text *t)
{
	uint64_t code = a->n ? scalar(b, &a->op[0]) : 0, n;

	for (uint32_t i = 1; i < a->n && !b->failed; i++) {
		if (a->op[i].encoding != ARRAY) {
			add_char(t, scalar(b, &a->op[i]));
			continue;
		}
		n = vbr(b, 6);
		for (uint64_t k = 0; k < n && !b->failed && i + 1 < a->n; k++)
			add_char(t, scalar(b, &a->op[i + 1]));
		break;
	}
	return code == STRING;
}

static bool unabbreviated(struct bits *b, struct text *t)
{
	uint64_t code = vbr(b, 6), n = vbr(b, 6);

	for (uint64_t k = 0; k < n && !b->failed; k++)
		add_char(t, vbr(b, 6));
	return code == STRING;
}

static void read_block(struct bits *b, struct text *t)
{
	struct abbrev abbrevs[MAX_ABBREVS];
	uint32_t nabbrevs = 0, width = (uint32_t)vbr(b, 4);

	b->at = (b->at + 31) / 32 * 32 + 32;     /* and the length of the block */
	for (uint32_t i = 0; i < MAX_RECORDS && !b->failed; i++) {
		uint64_t id = fixed(b, width);

		t->len = 0;
		if (id == DEFINE_ABBREV && nabbrevs < MAX_ABBREVS)
			define_abbrev(b, &abbrevs[nabbrevs++]);
		else if (id == UNABBREV && unabbreviated(b, t))
			return;
		else if (id >= FIRST_ABBREV && id - FIRST_ABBREV < nabbrevs && abbreviated(b, &abbrevs[id - FIRST_ABBREV], t))
			return;
		else if (id == END_BLOCK || id == ENTER_BLOCK || id - FIRST_ABBREV >= nabbrevs)
			break;
	}
	t->len = 0;
}

struct str bitfile_producer(struct span in, char *buf, uint32_t size)
{
	static const uint8_t wrapper[] = { 0xde, 0xc0, 0x17, 0x0b };
	struct bits b = { .in = in };
	struct text t = { .buf = buf, .size = size };

	if (in.len > 20 && memcmp(in.p, wrapper, 4) == 0)
		b.at = ((uint64_t)in.p[8] | (uint64_t)in.p[9] << 8 | (uint64_t)in.p[10] << 16 | (uint64_t)in.p[11] << 24) * 8;
	b.at += 32;                              /* magic */
	if (fixed(&b, 2) == ENTER_BLOCK && vbr(&b, 8) == IDENTIFICATION)
		read_block(&b, &t);
	if (b.failed)
		t.len = 0;
	buf[t.len] = 0;
	return (struct str){ buf, t.len };
}
