/* SPDX-License-Identifier: Apache-2.0 */
/* pool_p.h - memory for the many small arrays of a solver that grow and shrink: size classes with free lists over an
 * arena, so that growing is cheap and everything is released at once. */
#ifndef SOLVE_POOL_P_H
#define SOLVE_POOL_P_H

#include "base/mem.h"

#define POOL_CLASSES 96

/* Zeroed is empty and valid. */
struct pool {
	struct arena mem;
	void *spare[POOL_CLASSES];         /* freed pieces of each class, linked through their first word */
};

void pool_release(struct pool *p);
/* At least `size` bytes, 8-byte aligned, uninitialised; *size becomes what there is. */
void *pool_alloc(struct pool *p, size_t *size);
void pool_free(struct pool *p, void *piece, size_t size);        /* `size` as pool_alloc gave it, or as it was asked */

#endif
