/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/coverage/wire_p.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/digest.h"

/* Numbers */

size_t wire_encode(uint8_t *to, uint64_t x)
{
	size_t n = 0;

	for (; x >= 0x80; x >>= 7)
		to[n++] = (uint8_t)(x | 0x80);
	to[n++] = (uint8_t)x;
	return n;
}

void wire_varint(struct strbuf *out, uint64_t x)
{
	uint8_t bytes[WIRE_VARINT];

	strbuf_add(out, bytes, wire_encode(bytes, x));
}

void wire_le(struct strbuf *out, uint64_t x, unsigned nbytes)
{
	uint8_t bytes[8];

	for (unsigned i = 0; i < nbytes; i++)
		bytes[i] = (uint8_t)(x >> 8 * i);
	strbuf_add(out, bytes, nbytes);
}

uint64_t wire_read_varint(struct reader *r)
{
	uint64_t x = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint64_t b = reader_u1(r);
		if (shift == 63 && b > 1)
			break;
		x |= (b & 0x7f) << shift;
		if (b < 0x80)
			return r->failed ? 0 : x;
	}
	r->failed = true;
	return 0;
}

uint32_t wire_read_u32(struct reader *r)
{
	uint64_t x = wire_read_varint(r);

	if (x <= UINT32_MAX)
		return (uint32_t)x;
	r->failed = true;
	return 0;
}

uint32_t wire_read_below(struct reader *r, uint32_t limit)
{
	uint64_t x = wire_read_varint(r);

	if (x < limit)
		return (uint32_t)x;
	r->failed = true;
	return 0;
}

uint32_t wire_read_count(struct reader *r, size_t size)
{
	uint32_t n = wire_read_u32(r);

	if ((uint64_t)n * size <= reader_left(r))
		return n;
	r->failed = true;
	return 0;
}

/* Text */

void wire_text(struct strbuf *out, struct str s)
{
	wire_varint(out, s.len);
	strbuf_add(out, s.p, s.len);
}

struct str wire_read_text(struct reader *r)
{
	uint32_t n = wire_read_count(r, 1);
	const uint8_t *p = reader_take(r, n);

	return p ? (struct str){ (const char *)p, n } : STR("");
}

/* Files */

size_t wire_head(char *to, const struct wire_kind *k)
{
	return (size_t)snprintf(to, WIRE_HEAD, "sherd %s %u\n", k->name, k->version);
}

/* The number in the rest of the first line; 0: there is none. */
static unsigned version_of(struct reader *r)
{
	unsigned version = 0;

	for (int i = 0; i < 6; i++) {
		uint8_t c = reader_u1(r);
		if (c == '\n')
			return version;
		if (c < '0' || c > '9')
			return 0;
		version = version * 10 + (c - '0');
	}
	return 0;
}

bool wire_read_head(struct reader *r, const struct wire_kind *k, struct strbuf *err)
{
	char head[WIRE_HEAD];
	size_t n = (size_t)snprintf(head, sizeof(head), "sherd %s ", k->name);
	const uint8_t *p = reader_take(r, n);
	unsigned found = p && memcmp(p, head, n) == 0 ? version_of(r) : 0;

	if (found == k->version)
		return true;
	if (found)
		strbuf_addf(err, "it is %s of version %u, but this sherd reads version %u: make it anew with this sherd",
			    k->what, found, k->version);
	else
		strbuf_addf(err, "it is not %s: %s", k->what, k->fix);
	return false;
}

uint64_t wire_seal(struct strbuf *out, const struct wire_kind *k, const struct strbuf *rest)
{
	char head[WIRE_HEAD];
	uint64_t digest = digest_add(DIGEST_START, rest->s, rest->len);

	strbuf_add(out, head, wire_head(head, k));
	wire_le(out, digest, 8);
	strbuf_add(out, rest->s, rest->len);
	return digest;
}

bool wire_unseal(struct reader *r, struct span file, const struct wire_kind *k, uint64_t *digest, struct strbuf *err)
{
	*r = reader_of(file);
	if (!wire_read_head(r, k, err))
		return false;
	*digest = reader_le8(r);
	/* Tables have 32-bit rows, and no row takes less than a byte. */
	if (!r->failed && reader_left(r) < UINT32_MAX && digest_add(DIGEST_START, r->p, reader_left(r)) == *digest)
		return true;
	strbuf_addf(err, "it is %s, but cut off or damaged: make it anew", k->what);
	return false;
}

/* Strings */

void wire_strings_init(struct wire_strings *t)
{
	*t = (struct wire_strings){ 0 };
	interner_init(&t->all);
}

void wire_strings_release(struct wire_strings *t)
{
	interner_release(&t->all);
	free(t->ranks);
	t->ranks = NULL;
}

static int by_text(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

void wire_strings_sort(struct wire_strings *t, struct strbuf *out)
{
	uint32_t n = t->all.strings.len;
	struct str *sorted = mem_alloc(n * sizeof(*sorted));
	str_id id = { 0 };

	memcpy(sorted, t->all.strings.data, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), by_text);           /* the empty one comes first: id 0, rank 0 */
	t->ranks = mem_zalloc(n * sizeof(*t->ranks));
	wire_varint(out, n - 1);
	for (uint32_t i = 1; i < n; i++) {
		interner_find(&t->all, sorted[i], &id);
		t->ranks[id.i] = i;
		wire_text(out, sorted[i]);
	}
	free(sorted);
}

void wire_string(struct wire_strings *t, struct strbuf *out, struct str s)
{
	str_id id = intern(&t->all, s);

	if (t->ranks)
		wire_varint(out, t->ranks[id.i]);
}

struct wire_table wire_read_strings(struct reader *r, struct arena *mem)
{
	uint32_t n = wire_read_count(r, 1) + 1;
	struct str *rows = arena_array(mem, struct str, n);

	rows[0] = STR("");
	for (uint32_t i = 1; i < n; i++) {
		rows[i] = wire_read_text(r);
		r->failed |= str_cmp(rows[i - 1], rows[i]) >= 0;
		if (r->failed)
			return (struct wire_table){ rows, 1 };
	}
	return (struct wire_table){ rows, n };
}
