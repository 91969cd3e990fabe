/* SPDX-License-Identifier: Apache-2.0 */
#include "base/vec.h"

#include "base/compiler.h"

void *vec_grow(void *data, uint32_t *cap, uint64_t need, size_t elem)
{
	uint64_t n = *cap ? (uint64_t)*cap * 2 : VEC_FIRST;

	if (n < need)
		n = need;
	if (n > UINT32_MAX)
		BUG("a table outgrew 2^32 rows");
	data = mem_realloc(data, (size_t)n * elem);       /* may jump away */
	*cap = (uint32_t)n;
	return data;
}
