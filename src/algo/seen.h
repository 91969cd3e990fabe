/* SPDX-License-Identifier: Apache-2.0 */
/* seen.h - numbers that were seen, each once, in order: the newest can be taken out again. Zeroed, it is empty. */
#ifndef ALGO_SEEN_H
#define ALGO_SEEN_H

#include <stdbool.h>

#include "base/vec.h"

struct seen {
	VEC(uint64_t) keys;
	uint32_t *slots;                 /* 1 + place in keys; 0: free */
	uint32_t mask;
};

bool seen_add(struct seen *s, uint64_t key);             /* is it new? */
bool seen_has(const struct seen *s, uint64_t key);
void seen_cut(struct seen *s, uint32_t n);               /* keeps the first n. O(what goes) */
void seen_release(struct seen *s);

#endif
