// SPDX-License-Identifier: Apache-2.0
// links: base formats/facts report/write report/facts
/* fuzz_facts_write.c - facts from any bytes, written for GraalVM and ProGuard: what is read again is what was said. The first byte is the
 * form of the others. */
#include "../unit/report/facts_law.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void hold(const struct facts *f, enum facts_form form)
{
	struct strbuf said = { 0 }, read = { 0 };
	struct diag d;

	diag_init(&d);
	law_round(f, form, &said, &read, &d);
	if (!str_eq(strbuf_str(&said), strbuf_str(&read)))
		BUG("said:\n%s\nread:\n%s", said.s, read.s);
	if (d.entries.len)
		BUG("a writer wrote what the reader complains about: %s", d.entries.data[0].text);
	diag_release(&d);
	strbuf_release(&said);
	strbuf_release(&read);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct facts f;

	if (!size)
		return 0;
	facts_init(&f);
	facts_read_as(&f, (enum facts_form)(data[0] % (FACTS_RECORD + 1)), "f", (struct span){ data + 1, size - 1 }, NULL);
	hold(&f, FACTS_METADATA);
	hold(&f, FACTS_PROGUARD);
	facts_release(&f);
	return 0;
}
