// SPDX-License-Identifier: Apache-2.0
// links: base algo solve formats/elf cir bitcode cmodel analysis/cpta analysis/allocation analysis/summarize summary
/* csummary [-e FILE]... [-o PREFIX] MODULE... - the summaries of a library, basic and optimised, in both forms: sizes, and the CPU time
 * to analyse the library, to construct them, to write and to read them, as a line of JSON each. Each is read back and must be the same to
 * the byte. -e: what the library exports, instead of what is visible. -o keeps the summaries: PREFIX.basic.txt, PREFIX.basic.sum,
 * PREFIX.optimised.txt, PREFIX.optimised.sum. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

struct spent {
	double analysis, construction;       /* ms */
};

static void optimise(struct cprogram *lib, struct cprogram *out, struct spent *t)
{
	struct summarize *z = summarize_begin(lib);
	double from = now();

	cmodel_libc(lib, true);
	summarize_allocation(z);
	cmodel_placeholders(lib, true);
	struct cpta *facts = cpta_compute(lib, &(struct cpta_opt){ .engine = CENGINE_STEENS, .any_calls = true });
	t->analysis = (now() - from) * 1e3;
	from = now();
	summarize_end(z, facts, out);
	t->construction = (now() - from) * 1e3;
	cpta_free(facts);
	summarize_free(z);
}

struct library {
	const char *const *modules, *const *exports;
	uint32_t nmodules, nexports;
};

static void mark_exports(struct cprogram *p, const struct library *l, struct diag *d)
{
	for (uint32_t i = 0; i < l->nexports; i++)
		if (!cmodel_export_file(p, l->exports[i], d))
			die("the exports cannot be read", d);
	if (!l->nexports)
		cmodel_export_visible(p);
}

static struct spent make(struct summary *s, const struct library *l, bool optimised)
{
	struct cprogram all;
	struct diag d;
	struct spent t = { 0 };

	diag_init(&d);
	cprogram_init(&all);
	if (!bitcode_load(&all, l->modules, l->nmodules, NULL, &d))
		die("the modules cannot be read", &d);
	mark_exports(&all, l, &d);
	summary_init(s);
	cprogram_release(&s->program);
	double from = now();
	if (optimised)
		optimise(&all, &s->program, &t);
	else
		summarize_basic(&all, &s->program), t.construction = (now() - from) * 1e3;
	s->library = intern(&s->program.names, STR("lib"));
	s->exports = summary_exports_digest(&s->program);
	cprogram_release(&all);
	diag_release(&d);
	return t;
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

static void measure(const struct summary *s, struct spent t, const char *prefix, const char *name)
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
	printf("{\"summary\":\"%s\",\"functions\":%u,\"statements\":%u,\"text\":%zu,\"binary\":%zu,", name,
	       (unsigned)n.functions, (unsigned)n.statements, forms[0].bytes.len, forms[1].bytes.len);
	printf("\"analysis_ms\":%.2f,\"construction_ms\":%.2f,\"write_ms\":[%.1f,%.1f],\"read_ms\":[%.1f,%.1f]}\n", t.analysis,
	       t.construction, forms[0].write_ms, forms[1].write_ms, forms[0].read_ms, forms[1].read_ms);
	strbuf_release(&forms[0].bytes);
	strbuf_release(&forms[1].bytes);
}

int main(int argc, char **argv)
{
	const char **exports = calloc((size_t)argc, sizeof *exports), *prefix = NULL;
	struct library l = { .exports = exports };
	int first = 1;

	for (; argc > first + 2 && argv[first][0] == '-'; first += 2)
		if (strcmp(argv[first], "-e") == 0)
			exports[l.nexports++] = argv[first + 1];
		else if (strcmp(argv[first], "-o") == 0)
			prefix = argv[first + 1];
		else
			break;
	if (argc <= first || argv[first][0] == '-')
		die("usage: csummary [-e FILE]... [-o PREFIX] MODULE...", NULL);
	l.modules = (const char *const *)argv + first;
	l.nmodules = (uint32_t)(argc - first);
	for (int i = 0; i < 2; i++) {
		struct summary s;
		struct spent t = make(&s, &l, i);
		measure(&s, t, prefix, i ? "optimised" : "basic");
		summary_release(&s);
	}
	free(exports);
	return 0;
}
