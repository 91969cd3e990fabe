// SPDX-License-Identifier: Apache-2.0
// links: base cir bitcode
/* Modules, as bitcode or assembly: what is read must be a consistent program; what is not read must be said. LLVM may crash on
 * such input, and that is turned into a diagnostic as in the command: only our own code is tested here. */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bitcode/bitcode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__asan_default_options(void);

/* LLVM leaks when it gives up, and asks for what counts in the input say. */
const char *__asan_default_options(void)
{
	return "detect_leaks=0:allocator_may_return_null=1";
}

/* A file, since modules are files: one for the process. */
static const char *file_of(const uint8_t *data, size_t size)
{
	static char path[] = "/tmp/fuzz_bitcode_XXXXXX";
	static int fd = -1;

	if (fd < 0 && (fd = mkstemp(path)) < 0)
		abort();
	if (ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	return path;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *paths[1], *reason = "";
	struct cprogram p;
	struct diag d;

	paths[0] = file_of(data, size);
	diag_init(&d);
	cprogram_init(&p);
	if (!bitcode_load(&p, paths, 1, NULL, &d)) {
		if (d.errors == 0)
			abort();
	} else if (!cir_check(&p, &reason)) {
		fprintf(stderr, "fuzz_bitcode: %s\n", reason);
		abort();
	}
	cprogram_release(&p);
	diag_release(&d);
	return 0;
}
