/* SPDX-License-Identifier: Apache-2.0 */
/* failing.c - to be preloaded: memory that the agent asks for is refused after $FAIL_AFTER times; others get theirs. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);

static int is_refused(void *caller)
{
	static long left = -1;
	Dl_info where;

	if (!dladdr(caller, &where) || !where.dli_fname || !strstr(where.dli_fname, "libsherd-agent"))
		return 0;
	if (left < 0)
		left = getenv("FAIL_AFTER") ? atol(getenv("FAIL_AFTER")) : 1000000000;
	return left == 0 || --left == 0;
}

void *malloc(size_t n)
{
	return is_refused(__builtin_return_address(0)) ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	return is_refused(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
	return is_refused(__builtin_return_address(0)) ? NULL : __libc_realloc(p, n);
}
