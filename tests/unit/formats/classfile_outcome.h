/* SPDX-License-Identifier: Apache-2.0 */
/* classfile_outcome.h - parsing bytes in a test. */
#ifndef TESTS_CLASSFILE_OUTCOME_H
#define TESTS_CLASSFILE_OUTCOME_H

#include "../../fuzz/classfile_walk.h"

/* What a parse of some bytes came to. */
struct outcome {
	bool ok;
	struct classfile cf;
	struct arena mem;
	struct diag d;
	uint8_t *copy;          /* of exactly the size, so that a sanitizer sees a read beyond */
};

static void parse(struct outcome *o, const void *bytes, size_t n)
{
	arena_init(&o->mem);
	diag_init(&o->d);
	o->copy = mem_alloc(n ? n : 1);
	memcpy(o->copy, bytes, n);
	o->ok = classfile_parse(&o->cf, (struct span){ o->copy, n }, &o->mem, "test.jar", STR("Test"), &o->d);
}

static void release(struct outcome *o)
{
	arena_release(&o->mem);
	diag_release(&o->d);
	free(o->copy);
}

#endif
