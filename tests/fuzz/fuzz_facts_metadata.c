// SPDX-License-Identifier: Apache-2.0
// links: base formats/facts
/* fuzz_facts_metadata.c - any bytes as reachability metadata. */
#include "facts_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return facts_walk(FACTS_METADATA, data, size);
}
