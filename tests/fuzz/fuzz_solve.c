// SPDX-License-Identifier: Apache-2.0
// links: solve algo base
/* Takes bytes for the choices that make a system of constraints, and compares its solution with the plain one; the
 * first byte says in how many parts the system is stated, whether copies are kept, and whether nodes are unified. */
#include "../unit/base/reference_solver.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct sizes sizes = { 70, 80, 40, 200, 20 };

	if (size < 8 || size > 4096)
		return 0;
	struct choices c = { .data = data + 1, .len = size - 1 };
	struct system *y = system_new(&c, &sizes);
	uint32_t batches = 1 + data[0] % 4, unify_after = data[0] & 128 ? 1 + (data[0] >> 5 & 3) : 0;

	if (system_compare(y, batches, data[0] & 16, unify_after))
		abort();
	system_free(y);
	return 0;
}
