// SPDX-License-Identifier: Apache-2.0
// links: base formats/calls
/* fuzz_calls.c - any bytes as an earlier call graph of an application, which is compared with itself and with nothing. */
#include "base/compiler.h"
#include "formats/calls/calls.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t sum(const uint64_t *counts)
{
	return counts[CALLS_DIRECT] + counts[CALLS_BACK] + counts[CALLS_LATER];
}

static void check_diff(const struct calls *old, const struct calls *new, uint64_t removed, uint64_t added)
{
	struct calls_diff d;

	calls_compare(&d, old, new);
	if (sum(d.removed) != removed || sum(d.added) != added || d.changes.len != removed + added)
		BUG("calls came or went");
	for (uint32_t i = 0; i < d.changes.len; i++) {
		const struct calls_change *c = &d.changes.data[i];
		if (!c->caller.len || !c->callee.len || (uint64_t)c->first + c->n > d.lines.len)
			BUG("a change is not complete");
	}
	calls_diff_release(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf err = { 0 };
	struct calls c, none;
	struct calls_diff d;

	calls_init(&c);
	calls_init(&none);
	bool ok = calls_read((struct span){ data, size }, &c, &err);
	if (ok == (err.len > 0))
		BUG("refused without a reason, or a reason without refusing");
	calls_compare(&d, &c, &none);
	uint64_t distinct = sum(d.old);
	calls_diff_release(&d);
	check_diff(&c, &c, 0, 0);
	check_diff(&c, &none, distinct, 0);
	check_diff(&none, &c, 0, distinct);
	calls_release(&c);
	calls_release(&none);
	strbuf_release(&err);
	return 0;
}
