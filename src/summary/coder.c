/* SPDX-License-Identifier: Apache-2.0 */
/* coder.c - see coder_p.h. Bits halve the range from `low` to `high` by how likely they are; bytes that both ends share are written. */
#include "summary/coder_p.h"

enum {
	TAIL = 4,                      /* bytes that a reader has read beyond those that it needs */
	RATES = 24,                    /* how many bits a model has seen at most */
	CERTAIN = 2047,                /* how sure a prediction is at most, in the domain where they are added */
	TRAINING = 10                  /* how fast mixers learn */
};

/* How likely, of 4096, what this sum stands for is: 4096 / (1 + exp(-x / 256)) */
static int32_t squash(int32_t x)
{
	static const int16_t t[33] = { 1,    2,    3,    6,    10,   16,   27,   45,   73,   120,  194,  310,  488,  747,  1101, 1546, 2047,
				       2549, 2994, 3348, 3607, 3785, 3901, 3975, 4022, 4050, 4068, 4079, 4085, 4089, 4092, 4093, 4094 };

	uint32_t at = (uint32_t)(x + 2048), i = at >> 7;
	return (t[i] * (int32_t)(128 - (at & 127)) + t[i + 1] * (int32_t)(at & 127) + 64) >> 7;
}

/* It, and its inverse. */
static void init_tables(struct coder *c)
{
	int32_t p = 0;

	for (int32_t x = -CERTAIN; x <= CERTAIN; x++) {
		c->squash[x + CERTAIN] = (int16_t)squash(x);
		for (int32_t v = squash(x); p <= v; p++)
			c->stretch[p] = (int16_t)x;
	}
	while (p < 4096)
		c->stretch[p++] = CERTAIN;
}

void coder_begin_writing(struct coder *c, struct strbuf *out)
{
	*c = (struct coder){ .writes = true, .out = out, .high = UINT32_MAX };
	init_tables(c);
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
	init_tables(c);
	for (uint32_t i = 0; i < TAIL; i++)
		c->code = c->code << 8 | next_byte(c);
}

/* Zeros that follow need not be written. */
void coder_end_writing(struct coder *c)
{
	strbuf_addch(c->out, (char)(uint8_t)((c->low >> 24) + 1));
}

/* Of the bytes that were read, the last ones are no more than what coder_end_writing wrote. */
void coder_end_reading(struct coder *c)
{
	size_t end = c->at - TAIL + 1;

	c->failed |= end > c->in.len || c->in.p[end - 1] != (c->low >> 24) + 1;
	for (size_t i = end; i < c->in.len; i++)
		c->failed |= c->in.p[i] != 0;
}

void bitmodels_init(struct bitmodel *m, size_t n)
{
	for (size_t i = 0; i < n; i++)
		m[i] = (struct bitmodel){ 1u << 15, 0 };
}

void mixers_init(struct mixer *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < MIXED; j++)
			x[i].weights[j] = 1 << 15;
}

/* Bits */

/* The more was seen, the less a single bit says. Never certain. */
static void learn(struct bitmodel *m, bool bit)
{
	/* 65536 / (n + 1.5) */
	static const uint16_t rates[RATES + 1] = { 43690, 26214, 18724, 14563, 11915, 10082, 8738, 7710, 6898, 6241, 5698, 5242, 4854,
						   4519,  4228,  3971,  3744,  3542,  3360,  3196, 3048, 2912, 2788, 2674, 2570 };
	uint32_t rate = rates[m->seen], p = m->p;

	m->p = (uint16_t)(bit ? p + ((65535 - 32 - p) * rate >> 16) : p - ((p - 32) * rate >> 16));
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

bool code_mixed(struct coder *c, struct bitmodel *const *m, uint32_t n, struct mixer *x, bool bit)
{
	int32_t says[MIXED];
	int64_t sum = 0;

	if (n == 1)
		return code_bit(c, m[0], bit);
	for (uint32_t i = 0; i < n; i++) {
		says[i] = c->stretch[m[i]->p >> 4];
		sum += (int64_t)says[i] * x->weights[i];
	}
	sum = sum / 65536;
	int32_t p = c->squash[(sum > CERTAIN ? CERTAIN : sum < -CERTAIN ? -CERTAIN : (int32_t)sum) + CERTAIN];
	bit = halve(c, p < 4 ? 64 : p > 4091 ? 65535 - 64 : (uint32_t)p << 4, bit);
	int32_t wrong = ((bit ? 4095 : 0) - p) * TRAINING;
	for (uint32_t i = 0; i < n; i++) {
		x->weights[i] += says[i] * wrong / 65536;
		learn(m[i], bit);
	}
	return bit;
}

uint64_t code_raw(struct coder *c, uint32_t bits, uint64_t v)
{
	uint64_t read = 0;

	while (bits-- > 0)
		read = read << 1 | halve(c, 1u << 15, v >> bits & 1);
	return read;
}

/* Numbers */

uint32_t code_symbol(struct coder *c, struct bitmodel *const *trees, uint32_t n, struct mixer *x, uint32_t bits, uint32_t v)
{
	struct bitmodel *m[MIXED];
	uint32_t node = 1;

	for (uint32_t left = bits; left-- > 0;) {
		for (uint32_t i = 0; i < n; i++)
			m[i] = &trees[i][node];
		node = node << 1 | code_mixed(c, m, n, x, v >> left & 1);
	}
	return node - (1u << bits);
}

static uint32_t length_of(uint64_t v)
{
	uint32_t n = 0;

	for (; v; v >>= 1)
		n++;
	return n;
}

/* The model of a bit, by its place in each. */
static bool code_part(struct coder *c, struct numbermodel *const *m, uint32_t n, struct mixer *x, size_t offset, bool bit)
{
	struct bitmodel *parts[MIXED];

	for (uint32_t i = 0; i < n; i++)
		parts[i] = (struct bitmodel *)(void *)((char *)m[i] + offset);
	return code_mixed(c, parts, n, x, bit);
}

/* Its length in bits, one by one; then the bits behind the first one. */
uint64_t code_number(struct coder *c, struct numbermodel *const *m, uint32_t n, struct mixer *x, uint64_t v)
{
	uint32_t length = length_of(v), bits = 0, rest;
	uint64_t read = 1;

	while (bits < 64 && code_part(c, m, n, x, offsetof(struct numbermodel, length[bits]), length > bits))
		bits++;
	if (bits == 0)
		return 0;
	uint32_t least = bits <= NUMBER_EXACT ? 0 : bits - 1 - NUMBER_TOP;
	for (rest = bits - 1; rest > least; rest--) {
		size_t exact = offsetof(struct numbermodel, exact[read | (uint64_t)1 << (bits - 1)]);
		size_t top = offsetof(struct numbermodel, top[bits < NUMBER_LONG ? bits : NUMBER_LONG][read]);
		read = read << 1 | code_part(c, m, n, x, bits <= NUMBER_EXACT ? exact : top, v >> (rest - 1) & 1);
	}
	return read << rest | code_raw(c, rest, v & (((uint64_t)1 << rest) - 1));
}
