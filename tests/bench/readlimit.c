/* SPDX-License-Identifier: Apache-2.0 */
// links: base formats/archive
/* readlimit ARTIFACT... < CLASSES - the least that any tool must do: finds, reads, inflates and touches the class
 * files of the named classes (internal names, one a line). Prints classes, bytes and CPU seconds. */
#include <stdio.h>
#include <time.h>

#include "formats/archive/archive.h"

static double cpu_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint64_t touch(struct span bytes)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < bytes.len; i += 64)      /* one byte a cache line */
		sum += bytes.p[i];
	return sum;
}

int main(int argc, char **argv)
{
	struct archive *archives[64];
	struct arena mem;
	char line[4096];
	uint64_t classes = 0, size = 0, sum = 0;
	int n = 0;

	arena_init(&mem);
	for (int i = 1; i < argc && n < 64; i++)
		if ((archives[n] = archive_open(argv[i], 17, NULL)) != NULL)
			n++;
	while (fgets(line, sizeof(line), stdin)) {
		struct str name = { line, (uint32_t)strcspn(line, "\n") };
		struct span bytes;
		for (int i = 0; i < n; i++) {
			uint32_t e = archive_find_class(archives[i], name);
			if (!e || !archive_read(archives[i], e, &mem, &bytes, NULL))
				continue;
			classes++;
			size += bytes.len;
			sum += touch(bytes);
			break;
		}
	}
	printf("{\"classes\":%llu,\"bytes\":%llu,\"seconds\":%.4f,\"sum\":%llu}\n", (unsigned long long)classes,
	       (unsigned long long)size, cpu_now(), (unsigned long long)sum);
	for (int i = 0; i < n; i++)
		archive_close(archives[i]);
	arena_release(&mem);
	return 0;
}
