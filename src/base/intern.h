/* SPDX-License-Identifier: Apache-2.0 */
/* intern.h - every distinct string once, with a dense 32-bit id (from 1; 0 is the empty string).
 * Ids are dealt in the order of first use, so equal inputs give equal ids, whatever the hash function: it is
 * seeded anew in every process, so that no input can be made to collide. */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include "base/mem.h"
#include "base/span.h"
#include "base/vec.h"

typedef struct {
	uint32_t i;
} str_id;

struct interner {
	struct arena text;
	VEC(struct str) strings;      /* by id */
	uint32_t *hashes;             /* by id: kept for growing; capacity of `strings` */
	uint32_t hashes_cap;
	uint32_t *slots;              /* open addressing: ids */
	uint32_t mask;
	uint64_t seed;
};

void interner_init(struct interner *in);
void interner_release(struct interner *in);

str_id intern(struct interner *in, struct str s);             /* copies the text when it is new */
bool interner_find(const struct interner *in, struct str s, str_id *id);   /* never adds */

static inline struct str interned(const struct interner *in, str_id id)
{
	return in->strings.data[id.i];        /* terminated by a NUL that is not counted */
}

#endif
