// SPDX-License-Identifier: Apache-2.0
// links: base formats/dynamic
/* fuzz_dynamic.c - any bytes as a record of dynamic features, and any text as a name in it. What was read is written and read
 * again as the same. */
#include "base/compiler.h"
#include "formats/dynamic/dynamic.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct span span_of(const struct strbuf *b)
{
	return (struct span){ (const uint8_t *)b->s, b->len };
}

static void read_again(const struct dynamic_facts *f)
{
	struct dynamic_facts again = { 0 };
	struct strbuf out = { 0 }, twice = { 0 }, err = { 0 };

	dynamic_write(f, &out);
	if (!dynamic_read(&again, span_of(&out), &err))
		BUG("what was written is not read: %s", err.s);
	dynamic_write(&again, &twice);
	if (out.len != twice.len || memcmp(out.s, twice.s, out.len) != 0)
		BUG("what was written is not what was read");
	dynamic_release(&again);
	strbuf_release(&out);
	strbuf_release(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dynamic_facts f = { 0 };
	struct strbuf err = { 0 }, name = { 0 };

	if (!dynamic_read(&f, (struct span){ data, size }, &err) && !err.len)
		BUG("refused without a reason");
	dynamic_escape(&name, (struct str){ (const char *)data, (uint32_t)size });
	dynamic_add(&f, "string", strbuf_str(&name), STR("-"), 0, 1);
	read_again(&f);
	dynamic_release(&f);
	strbuf_release(&err);
	strbuf_release(&name);
	return 0;
}
