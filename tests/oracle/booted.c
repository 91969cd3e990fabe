// SPDX-License-Identifier: Apache-2.0
// links: base algo formats/archive formats/classfile ir load analysis/hierarchy analysis/strings analysis/dynamic analysis/callgraph
/* booted JDK - prints the classes that are initialised before a program starts (analysis/callgraph/booted.h), by their internal
 * names, in no particular order; then, on stderr, how many they are and the milliseconds of processor time that it took. */
#include <stdio.h>
#include <time.h>

#include "analysis/callgraph/booted.h"
#include "load/loader.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static uint32_t print(const struct program *p, const struct booted *b)
{
	uint32_t n = 0;

	for (class_id c = { 1 }; c.i < p->classes.len; c.i++) {
		if (!booted_has(b, c))
			continue;
		struct str name = class_name(p, c);
		printf("%.*s\n", (int)name.len, name.p);
		n++;
	}
	return n;
}

int main(int argc, char **argv)
{
	struct diag diag = { 0 };
	struct program p;
	struct hierarchy h;
	struct linker l;

	if (argc != 2)
		return 2;
	program_init(&p, &diag);
	struct loader *loader = loader_open(&p, &(struct loader_opt){ .jdk = argv[1], .jobs = 1 }, &diag);
	if (!loader)
		return 2;
	hierarchy_init(&h, &p);
	linker_init(&l, &h);
	double start = now();
	struct booted *b = booted_compute(&l);
	double took = now() - start;
	fprintf(stderr, "%u classes, %.1f ms\n", (unsigned)print(&p, b), took);
	booted_free(b);
	linker_release(&l);
	hierarchy_release(&h);
	program_release(&p);
	loader_free(loader);
	diag_release(&diag);
	return 0;
}
