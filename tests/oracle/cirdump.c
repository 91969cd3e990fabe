/* SPDX-License-Identifier: Apache-2.0 */
// links: base cir bitcode
/* cirdump - modules as the text of a C program, for tests. Usage: cirdump [-q] MODULE... (-q: figures only) */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bitcode/bitcode.h"

static void say(const struct diag *d)
{
	struct strbuf b = { 0 };

	for (uint32_t i = 0; i < d->entries.len; i++) {
		strbuf_clear(&b);
		diag_render(&d->entries.data[i], &b);
		fprintf(stderr, "%s\n", b.s);
	}
	strbuf_release(&b);
}

static void print_figures(const struct cprogram *p)
{
	uint32_t count[C_CALL + 1] = { 0 };

	for (uint32_t i = 0; i < p->stmts.len; i++)
		count[p->stmts.data[i].op]++;
	printf("functions %u objects %u variables %u statements %u calls %u locs %u layouts %u notes %u\n", p->fns.len, p->objs.len,
	       p->vars.len, p->stmts.len, p->calls.len, p->locs.len, p->layouts.len, p->notes.len);
	printf("addr %u copy %u shift %u get %u put %u load %u store %u move %u call %u\n", count[0], count[1], count[2], count[3],
	       count[4], count[5], count[6], count[7], count[8]);
}

static void print_text(const struct cprogram *p)
{
	struct strbuf b = { 0 };

	cir_print(p, &b);
	fwrite(b.s, 1, b.len, stdout);
	strbuf_release(&b);
}

int main(int argc, char **argv)
{
	bool is_quiet = argc > 1 && strcmp(argv[1], "-q") == 0;
	const char *reason = "";
	struct cprogram p;
	struct diag d;
	bool ok;

	diag_init(&d);
	cprogram_init(&p);
	clock_t start = clock();
	ok = bitcode_load(&p, (const char *const *)argv + 1 + is_quiet, (uint32_t)(argc - 1 - is_quiet), NULL, &d);
	if (is_quiet)
		printf("%.2f s\n", (double)(clock() - start) / CLOCKS_PER_SEC);
	say(&d);
	if (ok && !cir_check(&p, &reason)) {
		fprintf(stderr, "cirdump: %s\n", reason);
		ok = false;
	}
	if (is_quiet)
		print_figures(&p);
	else if (ok)
		print_text(&p);
	cprogram_release(&p);
	diag_release(&d);
	return ok ? 0 : 2;
}
