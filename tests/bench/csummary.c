// SPDX-License-Identifier: Apache-2.0
// links: base algo cir bitcode cmodel formats/elf summary
/* csummary [-o PREFIX] MODULE... - the summary of a library with all that it has, in both forms: sizes, and how long they take to write
 * and read, as one line of JSON. Each is read back and must be the same to the byte. -o keeps them: PREFIX.txt, PREFIX.sum. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

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

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void make(struct summary *s, const char *const *paths, uint32_t n)
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
	cir_compact(&all, &s->program);
	s->library = intern(&s->program.names, STR("lib"));
	for (uint32_t i = 0; i < n; i++)
		vec_push(&s->modules, ((struct summary_module){ intern(&s->program.names, str_of(paths[i])), i }));
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

static void keep(const struct form *f, const char *prefix)
{
	struct strbuf path = { 0 };

	strbuf_addf(&path, "%s%s", prefix, f->suffix);
	FILE *file = fopen(path.s, "wb");
	if (!file || fwrite(f->bytes.s, 1, f->bytes.len, file) != f->bytes.len || fclose(file))
		die("it cannot be written", NULL);
	strbuf_release(&path);
}

int main(int argc, char **argv)
{
	struct form forms[2] = { { .write = summary_write_text, .suffix = ".txt" }, { .write = summary_write_binary, .suffix = ".sum" } };
	struct summary s, read[2];
	int first = argc > 2 && strcmp(argv[1], "-o") == 0 ? 3 : 1;

	if (argc <= first)
		die("usage: csummary [-o PREFIX] MODULE...", NULL);
	make(&s, (const char *const *)argv + first, (uint32_t)(argc - first));
	for (int i = 0; i < 2; i++) {
		double from = now();
		forms[i].write(&s, &forms[i].bytes);
		forms[i].write_ms = (now() - from) * 1e3;
		if (first == 3)
			keep(&forms[i], argv[2]);
	}
	for (int i = 0; i < 2; i++) {
		read_back(&forms[i], &read[i]);
		expect_same(&forms[0], &read[i]);
		expect_same(&forms[1], &read[i]);
	}
	struct summary_stats n = summary_stats(&s);
	printf("{\"functions\":%u,\"statements\":%u,\"text\":%zu,\"binary\":%zu,\"write_ms\":[%.1f,%.1f],\"read_ms\":[%.1f,%.1f]}\n",
	       (unsigned)n.functions, (unsigned)n.statements, forms[0].bytes.len, forms[1].bytes.len, forms[0].write_ms, forms[1].write_ms,
	       forms[0].read_ms, forms[1].read_ms);
	return 0;
}
