/* SPDX-License-Identifier: Apache-2.0 */
/* coder.c - see coder_p.h. Bits halve the range from `low` to `high` by how likely they are; bytes that both ends share are written. */
#include "summary/coder_p.h"

enum { TAIL = 4, RATES = 24 };           /* bytes that a reader has read beyond those that it needs; see learn */

void coder_begin_writing(struct coder *c, struct strbuf *out)
{
	*c = (struct coder){ .writes = true, .out = out, .high = UINT32_MAX };
}

static uint8_t next_byte(struct coder *c)
{
	uint8_t byte = c->at < c->in.len ? c->in.p[c->at] : 0;

	c->failed |= c->at >= c->in.len + TAIL;
	c->at++;
	return byte;
}

void coder_begin_reading(struct coder *c, struct span in)
{
	*c = (struct coder){ .in = in, .high = UINT32_MAX };
	for (uint32_t i = 0; i < TAIL; i++)
		c->code = c->code << 8 | next_byte(c);
}

/* Zeros that follow need not be written. */
void coder_end_writing(struct coder *c)
{
	strbuf_addch(c->out, (char)(uint8_t)((c->low >> 24) + 1));
}

void bitmodels_init(struct bitmodel *m, size_t n)
{
	for (size_t i = 0; i < n; i++)
		m[i] = (struct bitmodel){ 1u << 15, 0 };
}

void numbermodels_init(struct numbermodel *m, size_t n)
{
	bitmodels_init((struct bitmodel *)m, n * (sizeof(*m) / sizeof(struct bitmodel)));
}

/* The more was seen, the less a single bit says. Never certain. */
static void learn(struct bitmodel *m, bool bit)
{
	int32_t p = m->p, aim = bit ? 65535 - 32 : 32;

	m->p = (uint16_t)(p + (aim - p) * 2 / (2 * (int32_t)m->seen + 3));
	m->seen = (uint16_t)(m->seen + (m->seen < RATES));
}

static bool halve(struct coder *c, uint32_t p, bool bit)
{
	uint32_t middle = c->low + (uint32_t)((uint64_t)(c->high - c->low) * p >> 16);

	if (!c->writes)
		bit = c->code <= middle;
	if (bit)
		c->high = middle;
	else
		c->low = middle + 1;
	while (((c->low ^ c->high) >> 24) == 0) {
		if (c->writes)
			strbuf_addch(c->out, (char)(uint8_t)(c->low >> 24));
		else
			c->code = c->code << 8 | next_byte(c);
		c->low <<= 8;
		c->high = c->high << 8 | 255;
	}
	return bit;
}

bool code_bit(struct coder *c, struct bitmodel *m, bool bit)
{
	bit = halve(c, m->p, bit);
	learn(m, bit);
	return bit;
}

uint64_t code_raw(struct coder *c, uint32_t bits, uint64_t v)
{
	uint64_t read = 0;

	while (bits-- > 0)
		read = read << 1 | halve(c, 1u << 15, v >> bits & 1);
	return read;
}

uint32_t code_symbol(struct coder *c, struct bitmodel *tree, uint32_t bits, uint32_t v)
{
	uint32_t node = 1;

	for (uint32_t left = bits; left-- > 0;)
		node = node << 1 | code_bit(c, &tree[node], v >> left & 1);
	return node - (1u << bits);
}

static uint32_t length_of(uint64_t v)
{
	uint32_t n = 0;

	for (; v; v >>= 1)
		n++;
	return n;
}

/* Its length in bits, one by one; then the bits behind the first one. */
uint64_t code_number(struct coder *c, struct numbermodel *m, uint64_t v)
{
	uint32_t length = length_of(v), n = 0, rest;
	uint64_t read = 1;

	while (n < 64 && code_bit(c, &m->length[n], length > n))
		n++;
	if (n == 0)
		return 0;
	if (n <= NUMBER_EXACT) {
		for (rest = n - 1; rest > 0; rest--)
			read = read << 1 | code_bit(c, &m->exact[read | (uint64_t)1 << (n - 1)], v >> (rest - 1) & 1);
		return read;
	}
	for (rest = n - 1; rest > n - 1 - NUMBER_TOP; rest--)
		read = read << 1 | code_bit(c, &m->top[n][read], v >> (rest - 1) & 1);
	return read << rest | code_raw(c, rest, v & (((uint64_t)1 << rest) - 1));
}
