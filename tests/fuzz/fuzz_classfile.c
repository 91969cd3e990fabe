// SPDX-License-Identifier: Apache-2.0
// links: base formats/classfile
/* fuzz_classfile.c - any bytes as a class file, as code, and as a descriptor. */
#include "classfile_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t sink;

static void try_class(struct span bytes)
{
	struct arena mem;
	struct classfile cf;
	struct diag d;

	arena_init(&mem);
	diag_init(&d);
	if (classfile_parse(&cf, bytes, &mem, "fuzz", STR("class"), &d))
		sink += classfile_walk(&cf);
	else if (d.errors != 1)
		BUG("rejected with %u errors", d.errors);
	diag_release(&d);
	arena_release(&mem);
}

static void try_text(struct str s)
{
	if (desc_is_method(s))
		sink += walk_descriptor(s) + desc_param_words(s) + desc_param_count(s);
	else
		sink += desc_param_words(s) + desc_return(s).len;
	sink += desc_is_field(s) + name_is_class(s) + name_is_field(s) + name_is_method(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_class((struct span){ data, size });
	if (size > 0 && size <= 65535) {
		sink += walk_instructions((struct span){ data, size });
		try_text((struct str){ (const char *)data, (uint32_t)size });
	}
	return 0;
}
