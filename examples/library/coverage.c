/* SPDX-License-Identifier: Apache-2.0 */
/* coverage.c - what tests exercised, and what they missed at each call: coverage FOLDER */
#include <sherd/sherd.h>
#include <stdio.h>
#include <string.h>

static void print_missed(sherd_coverage *c, size_t call, size_t criterion)
{
	struct sherd_covered_call at = sherd_coverage_call(c, call);

	for (size_t i = 0; i < sherd_coverage_items(c, call, criterion); i++) {
		struct sherd_covered_item x = sherd_coverage_item(c, call, criterion, i);
		if (x.required && !x.count)
			printf("%s:%u misses %s\n", at.method, (unsigned)at.line, x.name);
		else if (!x.required && !x.excused)
			printf("%s:%u should not see %s\n", at.method, (unsigned)at.line, x.name);
	}
}

static size_t find_criterion(sherd_coverage *c, const char *name)
{
	size_t k = 0;

	while (k < sherd_coverage_criteria(c) && strcmp(sherd_coverage_criterion(c, k).name, name) != 0)
		k++;
	return k;
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	const char *folder = argv[1];
	sherd_coverage *c = sherd_coverage_open(&folder, 1, NULL);

	for (size_t k = 0; k < sherd_coverage_criteria(c); k++) {
		struct sherd_criterion x = sherd_coverage_criterion(c, k);
		printf("%s: %u of %u\n", x.title, (unsigned)x.covered, (unsigned)x.required);
	}
	size_t receivers = find_criterion(c, "rc");
	for (size_t k = 0; receivers < sherd_coverage_criteria(c) && k < sherd_coverage_calls(c); k++)
		print_missed(c, k, receivers);
	for (size_t k = 0; sherd_coverage_note(c, k); k++)
		printf("note: %s\n", sherd_coverage_note(c, k));
	for (size_t k = 0; sherd_coverage_diagnostic(c, k); k++)
		fprintf(stderr, "%s\n", sherd_coverage_diagnostic(c, k));
	int status = sherd_coverage_ok(c) ? 0 : 2;
	sherd_coverage_close(c);
	return status;
}
