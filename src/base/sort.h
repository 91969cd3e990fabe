/* SPDX-License-Identifier: Apache-2.0 */
/* sort.h - lists of numbers as sets: in order, each once. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stdint.h>

/* Sorts 32-bit numbers, or structs of one (ids), and drops those that are repeated; returns how many remain. Costs one
 * pass where they are in order already. */
uint32_t sort_ids(void *ids, uint32_t n);

#endif
