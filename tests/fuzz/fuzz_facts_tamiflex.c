// SPDX-License-Identifier: Apache-2.0
// links: base formats/facts
/* fuzz_facts_tamiflex.c - any bytes as a log of TamiFlex. */
#include "facts_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return facts_walk(FACTS_TAMIFLEX, data, size);
}
