// SPDX-License-Identifier: Apache-2.0
// links: base formats/archive
/* fuzz_jimage.c - any bytes as the image of a JDK, packed resources included. */
#include "base/compiler.h"
#include "formats/archive/archive_p.h"

#define MAX_TOTAL (64u << 20)         /* read per input */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask_names(const struct archive *a, uint32_t e, struct strbuf *tmp)
{
	struct str name = archive_class_name(a, e, tmp);

	if (name.len && !archive_find_class(a, name))
		BUG("class of entry %u is not found", e);
	name = archive_entry_name(a, e, tmp);
	if (archive_find(a, name) > archive_count(a))
		BUG("no such entry");
	archive_module(a, e);
}

static void ask_everything(const struct archive *a)
{
	struct strbuf tmp = { 0 };
	struct arena mem;
	struct span s;
	size_t total = 0;

	arena_init(&mem);
	for (uint32_t e = 1; e <= archive_count(a); e++) {
		ask_names(a, e, &tmp);
		if (total < MAX_TOTAL && archive_read(a, e, &mem, &s, NULL))
			total += s.len;
		arena_clear(&mem);
	}
	arena_release(&mem);
	strbuf_release(&tmp);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag d;

	diag_init(&d);
	struct archive *a = jimage_open((struct span){ data, size }, "fuzz", &d);
	if (a)
		ask_everything(a);
	else if (!d.errors)
		BUG("refused without a reason");
	archive_close(a);
	diag_release(&d);
	return 0;
}
