/* SPDX-License-Identifier: Apache-2.0 */
/* coder_p.h - bits, numbers and symbols as a range coder writes and reads them: what is likely takes less than a bit.
 *
 * How likely a bit is, models have learned from the bits before, each in its context; a mixer learns which of several models to believe
 * (M. Mahoney, Adaptive weighing of context models for lossless data compression, 2005). Whole numbers only: the same everywhere.
 * One walk over a program writes and reads: each function takes what it writes, and gives what it has read. */
#ifndef SUMMARY_CODER_P_H
#define SUMMARY_CODER_P_H

#include "base/reader.h"
#include "base/strbuf.h"

/* How likely a bit is to be set, of 65536, and how often it was seen, as far as that counts. */
struct bitmodel {
	uint16_t p, seen;
};

enum { MIXED = 5 };                              /* models at most */
struct mixer {
	int32_t weights[MIXED];        /* of 65536 */
};

/* Bits of numbers that are learned: all below 2^8, else the first ones, in those of more than 24 bits together. */
enum { NUMBER_EXACT = 8, NUMBER_TOP = 3, NUMBER_LONG = 24 };
struct numbermodel {
	struct bitmodel length[64];
	struct bitmodel exact[1 << NUMBER_EXACT];
	struct bitmodel top[NUMBER_LONG + 1][1 << NUMBER_TOP];
};

struct coder {
	bool writes, failed;
	struct strbuf *out;
	struct span in;
	size_t at;                     /* may be beyond the end of `in`: zeros follow there */
	uint32_t low, high, code;
	int16_t stretch[4096], squash[4096];
};

void coder_begin_writing(struct coder *c, struct strbuf *out);
void coder_begin_reading(struct coder *c, struct span in);
void coder_end_writing(struct coder *c);
void coder_end_reading(struct coder *c);         /* fails when there is more than zeros behind what was read */

void bitmodels_init(struct bitmodel *m, size_t n);
void mixers_init(struct mixer *x, size_t n);

bool code_bit(struct coder *c, struct bitmodel *m, bool bit);
bool code_mixed(struct coder *c, struct bitmodel *const *m, uint32_t n, struct mixer *x, bool bit);      /* of n models */
uint64_t code_raw(struct coder *c, uint32_t bits, uint64_t v);                                           /* nothing is known of it */
/* Of so many bits: each tree has 1 << bits models. */
uint32_t code_symbol(struct coder *c, struct bitmodel *const *trees, uint32_t n, struct mixer *x, uint32_t bits, uint32_t v);
uint64_t code_number(struct coder *c, struct numbermodel *const *m, uint32_t n, struct mixer *x, uint64_t v);

#endif
