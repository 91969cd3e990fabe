// SPDX-License-Identifier: Apache-2.0
// links: base formats/facts
/* fuzz_facts_proguard.c - any bytes as rules of ProGuard. */
#include "facts_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return facts_walk(FACTS_PROGUARD, data, size);
}
