// SPDX-License-Identifier: Apache-2.0
// links: base cir bitcode
/* Modules, as bitcode or assembly: what is read must be a consistent program; what is not read must be said. LLVM may crash on such
 * input, and only our own code is tested here: so a child, which lives until it crashes, tries first whether LLVM reads it; if it does,
 * the module is read once more and lowered in this process, where the fuzzer sees what is covered and what goes wrong. */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/sys/child.h"
#include "bitcode/lower_p.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__asan_default_options(void);

/* LLVM leaks when it gives up, and asks for what counts in the input say. */
const char *__asan_default_options(void)
{
	return "detect_leaks=0:allocator_may_return_null=1";
}

/* A file, since modules are files: one for the process. */
static char *file_of(const uint8_t *data, size_t size)
{
	static char path[] = "/tmp/fuzz_bitcode_XXXXXX";
	static int fd = -1;

	if (fd < 0 && (fd = mkstemp(path)) < 0)
		abort();
	if (ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	return path;
}

static int question[2];                  /* to the child; it answers y or n */

static void answer(void *path, FILE *out)
{
	close(question[1]);
	for (char c; read(question[0], &c, 1) == 1; fflush(out)) {
		child_limit(2, 64 << 20);
		LLVMModuleRef m = bitfile_read(path, NULL);
		fputc(m ? 'y' : 'n', out);
		if (m)
			bitfile_close(m);
	}
}

static bool is_readable(char *path)
{
	static struct child c;
	static bool is_running;
	char y = 0;

	if (!is_running && (pipe(question) != 0 || !child_start(&c, answer, path)))
		abort();
	is_running = write(question[1], "?", 1) == 1 && child_read(&c, &y, 1) == 1;
	if (!is_running) {
		child_wait(&c);
		close(question[0]);
		close(question[1]);
	}
	return y == 'y';
}

static void link_it(const char *path)
{
	const char *reason = "";
	struct cprogram p;
	struct diag d;

	diag_init(&d);
	cprogram_init(&p);
	if (!link_modules(&p, &path, 1, NULL, &d)) {
		if (d.errors == 0)
			abort();
	} else if (!cir_check(&p, &reason)) {
		fprintf(stderr, "fuzz_bitcode: %s\n", reason);
		abort();
	}
	cprogram_release(&p);
	diag_release(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *path = file_of(data, size);

	if (is_readable(path))
		link_it(path);
	return 0;
}
