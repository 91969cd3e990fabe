// SPDX-License-Identifier: Apache-2.0
// links: base formats/facts
/* fuzz_facts_record.c - any bytes as a record of what a run did by name. */
#include "facts_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return facts_walk(FACTS_RECORD, data, size);
}
