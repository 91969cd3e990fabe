/* SPDX-License-Identifier: Apache-2.0 */
/* coder_p.h - bits, numbers and bytes as a range coder writes and reads them: what is likely takes less than a bit. How likely
 * something is was learned from what came before in the same context. One walk over a program writes and reads: each function takes
 * what it writes, and gives what it read. The same on every machine: whole numbers only. */
#ifndef SUMMARY_CODER_P_H
#define SUMMARY_CODER_P_H

#include "base/reader.h"
#include "base/strbuf.h"
#include "base/vec.h"

/* How likely a bit is to be set, of 65536, and how often it was seen. */
struct bitmodel {
	uint16_t p, seen;
};

enum { NUMBER_EXACT = 8, NUMBER_TOP = 3 };       /* bits of numbers that are learned: all below 2^8, else the first ones */
struct numbermodel {
	struct bitmodel length[64];
	struct bitmodel exact[1 << NUMBER_EXACT];
	struct bitmodel top[65][1 << NUMBER_TOP];
};

struct coder {
	bool writes, failed;
	struct strbuf *out;
	struct span in;
	size_t at;                     /* may be beyond the end of `in`: zeros follow there */
	uint32_t low, high, code;
};

void coder_begin_writing(struct coder *c, struct strbuf *out);
void coder_begin_reading(struct coder *c, struct span in);
void coder_end_writing(struct coder *c);

void bitmodels_init(struct bitmodel *m, size_t n);
void numbermodels_init(struct numbermodel *m, size_t n);

bool code_bit(struct coder *c, struct bitmodel *m, bool bit);
uint64_t code_raw(struct coder *c, uint32_t bits, uint64_t v);                   /* nothing is known of it */
uint32_t code_symbol(struct coder *c, struct bitmodel *tree, uint32_t bits, uint32_t v); /* 1 << bits models */
uint64_t code_number(struct coder *c, struct numbermodel *m, uint64_t v);

#endif
