/* SPDX-License-Identifier: Apache-2.0 */
// links: base algo ir analysis/compare report
/* tables NAME=FILE... - joins what `sherd requirements --compare --format csv` wrote of many components, each under the
 * name before its file, and prints the tables of the comparison as Markdown. */
#include <stdio.h>
#include <stdlib.h>

#include "report/requirements/requirements.h"

static void read_whole(const char *path, struct strbuf *out)
{
	FILE *f = fopen(path, "r");
	char block[4096];
	size_t n;

	if (!f) {
		perror(path);
		exit(1);
	}
	while ((n = fread(block, 1, sizeof(block), f)) > 0)
		strbuf_add(out, block, n);
	fclose(f);
}

static bool add_file(struct comparison *c, char *argument, struct arena *mem)
{
	struct strbuf text = { 0 }, err = { 0 };
	char *path = strchr(argument, '=');

	if (!path) {
		fprintf(stderr, "tables: '%s' is not NAME=FILE\n", argument);
		return false;
	}
	*path++ = '\0';
	read_whole(path, &text);
	bool ok = comparison_read_csv(c, strbuf_str(&text), argument, mem, &err);
	if (!ok)
		fprintf(stderr, "%s: %s\n", path, err.s);
	strbuf_release(&text);
	strbuf_release(&err);
	return ok;
}

int main(int argc, char **argv)
{
	struct comparison c = { 0 };
	struct arena mem;
	bool ok = argc > 1;

	if (!ok)
		fputs("usage: tables NAME=FILE...\n", stderr);
	arena_init(&mem);
	for (int i = 1; i < argc && ok; i++)
		ok = add_file(&c, argv[i], &mem);
	if (ok) {
		struct requirements_head head = { 0 };
		struct sink out = { .file = stdout };
		ok = report_compare_markdown(&out, &c, &head);
	}
	comparison_release(&c);
	arena_release(&mem);
	return ok ? 0 : 1;
}
