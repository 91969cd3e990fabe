/* SPDX-License-Identifier: Apache-2.0 */
/* valtable_p.h - hash table from pairs of 64-bit keys to non-zero 32-bit values, which is emptied at no cost: a lowering needs
 * new ones for every function. */
#ifndef BITCODE_VALTABLE_P_H
#define BITCODE_VALTABLE_P_H

#include <stdint.h>

struct valtable {
	struct valtable_slot *slots;
	uint32_t mask, len;
	uint32_t generation;         /* slots of another one are free */
	uint64_t seed;
};

void valtable_release(struct valtable *t);             /* a zeroed table is empty and valid */
void valtable_clear(struct valtable *t);
uint32_t valtable_get(const struct valtable *t, uint64_t a, uint64_t b);               /* 0: absent */
/* The place of the value, added as 0 when absent; valid until the next call, before which 0 must be replaced. */
uint32_t *valtable_at(struct valtable *t, uint64_t a, uint64_t b);

#endif
