// SPDX-License-Identifier: Apache-2.0
// links: base algo ir report/write report/page report/java report/ways report/graph/html
/* bigcalls - pages of application call graphs to look at, without an analysis.
 *
 *	bigcalls --calls METHODS CALLS   a made-up program, the same one every time: packages of 20 classes of 10 methods
 *	bigcalls FILE                    a class, with methods that call each other, for every `class NAME` line of the file
 *
 * The page goes to standard output. A fake of the few functions of callgraph.h that the page needs stands in for the analysis. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys/mapfile.h"
#include "report/graph/application.h"

struct callgraph {
	struct program p;
	VEC(method_id) methods;
	struct callbacks c;
	uint64_t seed;
};

const struct program *callgraph_program(const struct callgraph *g)
{
	return &g->p;
}

uint32_t callgraph_nmethods(const struct callgraph *g)
{
	return g->methods.len;
}

method_id callgraph_method(const struct callgraph *g, uint32_t k)
{
	return g->methods.data[k];
}

static uint32_t line_in(void *ctx, struct program *p, method_id m, uint32_t pc)
{
	(void)ctx, (void)p;
	return pc % 5 ? m.i + pc : 0;
}

static ATTR_NORETURN void stop(const char *what)
{
	fprintf(stderr, "bigcalls: %s\n", what);
	exit(2);
}

static uint32_t dice(struct callgraph *g, uint32_t sides)
{
	g->seed = g->seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(g->seed >> 33) % sides;
}

static struct str slashed(struct strbuf *out, struct str name)
{
	strbuf_clear(out);
	for (uint32_t i = 0; i < name.len; i++)
		strbuf_addch(out, name.p[i] == '.' ? '/' : name.p[i]);
	return strbuf_str(out);
}

static void add_method(struct callgraph *g, class_id c, struct str name, const char *desc)
{
	program_add_method(&g->p, c, program_sel(&g->p, name, str_of(desc)), 0, 0);
	vec_push(&g->methods, ((method_id){ g->p.methods.len - 1 }));
}

/* The sort of a call follows from its place; those through libraries name what they call, and what calls back. */
static void add_call(struct callgraph *g, uint32_t from, uint32_t to, uint32_t pc, enum call_sort sort)
{
	class_id library = program_class(&g->p, STR("java/util/List"));
	struct app_edge e = { .caller = g->methods.data[from], .pc = pc, .sort = sort, .callee = g->methods.data[to] };

	if (sort != CALL_DIRECT) {
		e.mref = program_mref(&g->p, library, program_sel(&g->p, STR("sort"), STR("(Ljava/util/Comparator;)V")), true);
		e.by = g->methods.data[dice(g, g->methods.len)];
		e.by_pc = 10 + pc;
		e.is_open = dice(g, 9) == 0;
	}
	g->c.counts[sort]++;
	vec_push(&g->c.edges, e);
}

static enum call_sort some_sort(struct callgraph *g)
{
	uint32_t n = dice(g, 100);

	return n < 12 ? CALL_BACK : n < 14 ? CALL_LATER : CALL_DIRECT;
}

/* Most calls stay near. */
static uint32_t some_callee(struct callgraph *g, uint32_t from)
{
	uint32_t n = g->methods.len;

	switch (dice(g, 4)) {
	case 0: return dice(g, n);
	case 1: return from / 200 * 200 + dice(g, n - from / 200 * 200 < 200 ? n - from / 200 * 200 : 200);
	default: return from / 10 * 10 + dice(g, n - from / 10 * 10 < 10 ? n - from / 10 * 10 : 10);
	}
}

static void make_up(struct callgraph *g, uint32_t methods, uint32_t calls)
{
	struct strbuf text = { 0 };
	class_id c = { 0 };

	for (uint32_t i = 0; i < methods; i++) {
		strbuf_clear(&text);
		strbuf_addf(&text, "app/part%02u/Thing%u", (unsigned)(i / 200), (unsigned)(i / 10));
		if (i % 10 == 0)
			c = program_class(&g->p, strbuf_str(&text));
		strbuf_clear(&text);
		strbuf_addf(&text, "does%u", (unsigned)i);
		add_method(g, c, strbuf_str(&text), i % 3 ? "(ILjava/lang/String;)V" : "()V");
	}
	for (uint32_t i = 0; i < methods; i++)
		for (uint32_t k = 0; k < calls / methods; k++)
			add_call(g, i, some_callee(g, i), 3 * k, some_sort(g));
	strbuf_release(&text);
}

static void take_names(struct callgraph *g, struct span file)
{
	struct strbuf text = { 0 };
	const char *p = (const char *)file.p, *end = p + file.len;

	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		struct str line = { p, (uint32_t)((nl ? nl : end) - p) };
		p = nl ? nl + 1 : end;
		if (!str_starts(line, "class\t"))
			continue;
		struct str name = str_sub(line, 6, line.len);
		const char *tab = memchr(name.p, '\t', name.len);
		name = str_sub(name, 0, tab ? (uint32_t)(tab - name.p) : name.len);
		add_method(g, program_class(&g->p, slashed(&text, name)), name, "(Lx/Y;)V");
	}
	for (uint32_t i = 0; i < g->methods.len; i++)
		for (uint32_t k = 0; k < 3; k++)
			add_call(g, i, (i + k) % g->methods.len, k, (enum call_sort)k);
	strbuf_release(&text);
}

static void write_page(struct callgraph *g)
{
	struct report_head request = { .entry = "main <b>app</b>.Main", .algorithm = "made up", .class_path = "a b.jar:$(touch pwned)" };
	struct application_head head = { .head = &request, .application = "x.**</script><script>pwned=1</script>", .precision = "none" };
	struct sink out = { .file = stdout };

	g->c.methods = g->methods.len;
	if (!report_application_html(&out, &g->c, g, &head))
		stop("the page could not be written");
}

int main(int argc, char **argv)
{
	struct callgraph g = { .seed = 7 };
	struct diag d;

	diag_init(&d);
	program_init(&g.p, &d);
	g.p.source.line = line_in;
	if (argc == 4 && !strcmp(argv[1], "--calls")) {
		make_up(&g, (uint32_t)strtoul(argv[2], NULL, 10), (uint32_t)strtoul(argv[3], NULL, 10));
	} else if (argc == 2) {
		struct mapfile f;
		if (!mapfile_open(&f, argv[1]))
			stop("the file cannot be read");
		take_names(&g, f.bytes);
		mapfile_close(&f);
	} else {
		stop("usage: bigcalls --calls METHODS CALLS | FILE");
	}
	write_page(&g);
	vec_release(&g.methods);
	vec_release(&g.c.edges);
	program_release(&g.p);
	diag_release(&d);
	return 0;
}
