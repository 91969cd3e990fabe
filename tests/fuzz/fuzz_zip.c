// SPDX-License-Identifier: Apache-2.0
// links: base formats/archive
/* fuzz_zip.c - any bytes as a zip file, and as a manifest. */
#include "base/compiler.h"
#include "formats/archive/archive_p.h"

#define MAX_TOTAL (64u << 20)         /* read per input: overlapping bombs are slow, not wrong */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void count_entry(void *ctx, uint32_t entry)
{
	*(uint32_t *)ctx += entry;
}

static void ask_names(const struct archive *a, uint32_t e)
{
	struct str name = archive_entry_name(a, e, NULL), cls = archive_class_name(a, e, NULL);

	if (archive_find(a, name) != e)
		BUG("entry %u is not found by its name", e);
	if (cls.len && !archive_find_class(a, cls))
		BUG("class of entry %u is not found", e);
}

static void ask_everything(const struct archive *a)
{
	struct arena mem;
	struct span s;
	size_t total = 0;
	uint32_t nested = 0;

	arena_init(&mem);
	for (uint32_t e = 1; e <= archive_count(a); e++) {
		ask_names(a, e);
		if (total < MAX_TOTAL && archive_read(a, e, &mem, &s, NULL))
			total += s.len;
		arena_clear(&mem);
	}
	archive_nested(a, count_entry, &nested);
	arena_release(&mem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena mem;
	struct diag d;
	struct str value;

	arena_init(&mem);
	diag_init(&d);
	struct archive *a = zip_open((struct span){ data, size }, "fuzz", 17, &d);
	if (a)
		ask_everything(a);
	else if (!d.errors)
		BUG("refused without a reason");
	archive_close(a);
	manifest_value((struct span){ data, size }, "Class-Path", &mem, &value);
	diag_release(&d);
	arena_release(&mem);
	return 0;
}
