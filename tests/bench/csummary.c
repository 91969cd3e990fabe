// SPDX-License-Identifier: Apache-2.0
// links: base algo solve formats/elf cir bitcode cmodel analysis/cpta analysis/allocation analysis/summarize summary
/* csummary [-o PREFIX] MODULE... - the summaries of a library, basic and optimised, in both forms: sizes, and the CPU time to
 * write and read, as a line of JSON each. Each is read back and must be the same to the byte. -o keeps them: PREFIX.basic.txt,
 * PREFIX.basic.sum, PREFIX.optimised.txt, PREFIX.optimised.sum. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "analysis/summarize/summarize.h"
#include "bitcode/bitcode.h"
#include "cmodel/cmodel.h"
#include "summary/summary.h"

static _Noreturn void die(const char *what, const struct diag *d)
{
	struct strbuf s = { 0 };

	if (d && d->entries.len)
		diag_render(&d->entries.data[0], &s);
	fprintf(stderr, "%s: %s\n", what, s.len ? s.s : "");
	exit(2);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void optimise(struct cprogram *lib, struct cprogram *out)
{
	struct summarize *z = summarize_begin(lib);

	cmodel_libc(lib, true);
	summarize_allocation(z);
	cmodel_placeholders(lib, true);
	struct cpta *facts = cpta_compute(lib, &(struct cpta_opt){ .engine = CENGINE_STEENS, .any_calls = true });
	summarize_end(z, facts, out);
	cpta_free(facts);
	summarize_free(z);
}

static void make(struct summary *s, const char *const *paths, uint32_t n, bool optimised)
{
	struct cprogram all;
	struct diag d;

	diag_init(&d);
	cprogram_init(&all);
	if (!bitcode_load(&all, paths, n, NULL, &d))
		die("the modules cannot be read", &d);
	cmodel_export_visible(&all);
	summary_init(s);
	cprogram_release(&s->program);
	if (optimised)
		optimise(&all, &s->program);
	else
		summarize_basic(&all, &s->program);
	s->library = intern(&s->program.names, STR("lib"));
	s->exports = summary_exports_digest(&s->program);
	cprogram_release(&all);
	diag_release(&d);
}

struct form {
	void (*write)(const struct summary *s, struct strbuf *out);
	const char *suffix;
	struct strbuf bytes;
	double write_ms, read_ms;
};

static void read_back(struct form *f, struct summary *s)
{
	struct diag d;
	struct span bytes = { (const uint8_t *)f->bytes.s, f->bytes.len };

	diag_init(&d);
	summary_init(s);
	double from = now();
	if (!summary_read(s, bytes, f->suffix, &d))
		die("it is not read back", &d);
	f->read_ms = (now() - from) * 1e3;
	diag_release(&d);
}

static void expect_same(struct form *f, const struct summary *s)
{
	struct strbuf again = { 0 };

	f->write(s, &again);
	if (!str_eq(strbuf_str(&again), strbuf_str(&f->bytes)))
		die("it is another when it is read back", NULL);
	strbuf_release(&again);
}

static void keep(const struct form *f, const char *prefix, const char *name)
{
	struct strbuf path = { 0 };

	strbuf_addf(&path, "%s.%s%s", prefix, name, f->suffix);
	FILE *file = fopen(path.s, "wb");
	if (!file || fwrite(f->bytes.s, 1, f->bytes.len, file) != f->bytes.len || fclose(file))
		die("it cannot be written", NULL);
	strbuf_release(&path);
}

static void measure(const struct summary *s, const char *prefix, const char *name)
{
	struct form forms[2] = { { .write = summary_write_text, .suffix = ".txt" }, { .write = summary_write_binary, .suffix = ".sum" } };
	struct summary_stats n = summary_stats(s);

	for (int i = 0; i < 2; i++) {
		double from = now();
		forms[i].write(s, &forms[i].bytes);
		forms[i].write_ms = (now() - from) * 1e3;
		if (prefix)
			keep(&forms[i], prefix, name);
	}
	for (int i = 0; i < 2; i++) {
		struct summary read;
		read_back(&forms[i], &read);
		expect_same(&forms[0], &read);
		expect_same(&forms[1], &read);
		summary_release(&read);
	}
	printf("{\"summary\":\"%s\",\"functions\":%u,\"statements\":%u,\"text\":%zu,\"binary\":%zu,\"write_ms\":[%.1f,%.1f],"
	       "\"read_ms\":[%.1f,%.1f]}\n", name, (unsigned)n.functions, (unsigned)n.statements, forms[0].bytes.len, forms[1].bytes.len,
	       forms[0].write_ms, forms[1].write_ms, forms[0].read_ms, forms[1].read_ms);
	strbuf_release(&forms[0].bytes);
	strbuf_release(&forms[1].bytes);
}

int main(int argc, char **argv)
{
	int first = argc > 2 && strcmp(argv[1], "-o") == 0 ? 3 : 1;

	if (argc <= first)
		die("usage: csummary [-o PREFIX] MODULE...", NULL);
	for (int i = 0; i < 2; i++) {
		struct summary s;
		make(&s, (const char *const *)argv + first, (uint32_t)(argc - first), i);
		measure(&s, first == 3 ? argv[2] : NULL, i ? "optimised" : "basic");
		summary_release(&s);
	}
	return 0;
}
