// SPDX-License-Identifier: Apache-2.0
// links: base algo solve formats/archive formats/classfile ir load analysis session report formats/facts formats/properties
/* laws -cp PATH [--jdk DIR|none] (--main CLASS | --entry public) [--limit SECONDS] [--only LIST] [--brief] -
 * computes the call graph of one program with every algorithm, or those of the list, and compares them with each other:
 * what a finer analysis finds, a coarser one finds, too. A law is printed as `ok FINER <= COARSER` or `not ok` with the
 * first counterexamples; --brief prints only laws that do not hold. A run that takes longer than the limit is skipped,
 * with its laws; those between its neighbours are checked instead. The last line is `N laws, N broken, N skipped runs`;
 * exit status 1 when any is broken. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "session/session.h"

#define MAX_RUNS 40
#define SHOWN 5                  /* counterexamples of one law */

/* Variants that no one can ask for: Andersen's analysis with every object by its allocation site (but Class constants, which
 * have fields), and with one variable for each local variable of the bytecode instead of one for each value; RTA without
 * code that is never reached, which outlines have and bodies have not. */
#define BY_SITE "andersen:sites"
#define BY_SLOT "andersen:slots"
#define OF_BODIES "rta:bodies"

struct run {
	struct algorithm algorithm;
	const char *name;
	struct callgraph *g;         /* NULL: not asked for, or stopped */
	bool all_sites, merges_slots, of_bodies;
};

struct laws {
	struct inquiry inquiry;
	struct session s;
	struct cg_entries entries;
	const char *only;            /* NULL: all */
	double limit, started;
	bool brief;
	struct run runs[MAX_RUNS];
	uint32_t nruns, checked, broken, skipped;
	bool below[MAX_RUNS][MAX_RUNS];      /* run i is finer than run k */
	bool same[MAX_RUNS][MAX_RUNS];       /* and finds as much */
	struct arena scratch;
	struct strbuf text;                  /* of the law at hand: its counterexamples */
	uint32_t shown, wrong;
};

/* The order of the algorithms, without what follows from it. */
static const char *const order[][2] = {
	{ "2obj", "1obj" }, { "1obj", "andersen" }, { "andersen", "0cfa" }, { "0cfa", "vta" }, { "vta", "xta" },
	{ "containers", "andersen" }, { "2obj", "2type" }, { "1obj", "1type" }, { "2type", "1type" }, { "1type", "andersen" },
	{ "2cfa", "1cfa" }, { "1cfa", "0cfa" },
	{ "2-1cfa", "1-1cfa" }, { "1-1cfa", "0-1cfa" }, { "2-1cfa", "2cfa" }, { "1-1cfa", "1cfa" },
	{ "0-1cfa", "0cfa" }, { "andersen", "steens" }, { "0cfa", "p-bounded" },
	{ "vta", "dta" }, { "dta", "rta-policy" },
	{ "xta", "fta" }, { "xta", "mta" }, { "fta", "cta" }, { "mta", "cta" }, { "cta", "rta-policy" },
	{ "steens", "cha" }, { "p-bounded", "cha" }, { OF_BODIES, "rta" }, { "rta-policy", OF_BODIES },
	{ "rta", "cha" },
	{ "andersen", BY_SLOT }, { BY_SLOT, "cha" },
};

static const char *const equal[][2] = {
	{ "andersen", "0-1cfa" },
	{ "andersen", BY_SITE },        /* the default heap loses no receiver class */
	{ OF_BODIES, "rta-policy" },
};

static double cpu_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Runs */

static bool is_asked(const struct laws *l, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = l->only; at && *at; at += strcspn(at, ","), at += *at == ',')
		if (strcspn(at, ",") == n && memcmp(at, name, n) == 0)
			return true;
	return !l->only;
}

static struct run *add_run(struct laws *l, const struct algorithm *a, const char *name)
{
	l->runs[l->nruns] = (struct run){ .algorithm = *a, .name = name };
	return &l->runs[l->nruns++];
}

static void list_runs(struct laws *l)
{
	struct algorithm a;

	for (uint32_t k = 0; algorithm_get(k, &a) && l->nruns < MAX_RUNS - 3; k++)
		add_run(l, &a, a.name);
	if (algorithm_find("rta", &a))
		add_run(l, &a, OF_BODIES)->of_bodies = true;
	if (algorithm_find("andersen", &a)) {
		add_run(l, &a, BY_SITE)->all_sites = true;
		add_run(l, &a, BY_SLOT)->merges_slots = true;
	}
}

static bool go_on(void *ctx, uint64_t methods)
{
	const struct laws *l = ctx;

	(void)methods;
	return l->limit <= 0 || cpu_now() - l->started < l->limit;
}

static void verdict(struct laws *l, bool holds, const char *law)
{
	l->checked++;
	l->broken += !holds;
	if (!holds || !l->brief)
		printf("%s %s\n%s", holds ? "ok" : "not ok", law, l->text.len ? l->text.s : "");
	fflush(stdout);
}

/* The checks that an analysis has for itself are a law of each. */
static void check_result(struct laws *l, const struct run *r, const struct pta *a)
{
	const char *reason = NULL;
	char law[80];

	snprintf(law, sizeof(law), "%s: the solution satisfies its constraints", r->name);
	strbuf_clear(&l->text);
	if (!pta_check(a, &reason))
		strbuf_addf(&l->text, "  %s\n", reason);
	verdict(l, !reason, law);
}

static void follow_objects(struct laws *l, struct run *r)
{
	struct pta_opt opt = { .policy = r->algorithm.policy, .heap = pta_default_heap, .jvm = true, .progress = go_on,
			       .progress_ctx = l, .merges_slots = r->merges_slots };

	for (int k = 0; r->all_sites && k < HEAP_SORTS; k++)
		opt.heap.by_site[k] |= k != HEAP_CLASSES;
	struct pta *a = pta_compute(&l->s.program, &l->entries, &opt);
	if (pta_is_finished(a)) {
		check_result(l, r, a);
		r->g = pta_callgraph(a);
	} else {
		l->skipped++;
	}
	pta_free(a);
}

static void use_hierarchy(struct laws *l, struct run *r)
{
	struct cg_opt opt = { .algorithm = r->algorithm.hierarchy, .jvm = true };
	struct program_source source = l->s.program.source;

	if (opt.algorithm == CG_CHA)
		program_load_all(&l->s.program);
	if (r->of_bodies)
		l->s.program.source.outline = source.body;
	r->g = callgraph_compute(&l->s.program, &l->entries, &opt);
	l->s.program.source = source;
}

static void compute(struct laws *l, struct run *r)
{
	if (!is_asked(l, r->name))
		return;
	l->started = cpu_now();
	if (r->algorithm.policy)
		follow_objects(l, r);
	else
		use_hierarchy(l, r);
	double seconds = cpu_now() - l->started;
	if (!r->g) {
		printf("# %s skipped after %.1f s\n", r->name, seconds);
	} else if (!l->brief) {
		struct cg_stats c = callgraph_stats(r->g);
		printf("# %s: %llu methods, %llu edges, %llu open sites, %.2f s\n", r->name, (unsigned long long)c.methods,
		       (unsigned long long)c.edges, (unsigned long long)c.open_sites, seconds);
	}
	fflush(stdout);
}

/* Counterexamples */

static bool start_example(struct laws *l)
{
	l->wrong++;
	if (l->shown == SHOWN)
		return false;
	l->shown++;
	strbuf_adds(&l->text, "  ");
	return true;
}

static void miss_method(struct laws *l, method_id m)
{
	if (!start_example(l))
		return;
	print_method(&l->s.program, m, &l->text);
	strbuf_adds(&l->text, " is not reached\n");
}

static void print_site(struct laws *l, method_id m, const struct cg_site *s)
{
	print_method(&l->s.program, m, &l->text);
	strbuf_addf(&l->text, "@%u", (unsigned)s->pc);
	if (s->implied)
		strbuf_adds(&l->text, " (implied)");
	if (s->mref.i) {
		strbuf_adds(&l->text, " of ");
		print_mref(&l->s.program, s->mref, &l->text);
	}
}

static void miss_site(struct laws *l, method_id m, const struct cg_site *s, const char *what)
{
	if (!start_example(l))
		return;
	print_site(l, m, s);
	strbuf_addf(&l->text, " %s\n", what);
}

static void miss_target(struct laws *l, method_id m, const struct cg_site *s, method_id target)
{
	if (!start_example(l))
		return;
	print_site(l, m, s);
	strbuf_adds(&l->text, " does not call ");
	print_method(&l->s.program, target, &l->text);
	strbuf_addch(&l->text, '\n');
}

static void miss_receiver(struct laws *l, method_id m, const struct cg_site *s, class_id receiver)
{
	if (!start_example(l))
		return;
	print_site(l, m, s);
	strbuf_adds(&l->text, " has no receiver ");
	print_class(&l->s.program, receiver, &l->text);
	strbuf_addch(&l->text, '\n');
}

/* Comparing. Targets and receivers are sorted ids. */

static bool has_id(const void *ids, uint32_t n, uint32_t id)
{
	const uint32_t *v = ids;
	uint32_t low = 0;

	while (low < n) {
		uint32_t middle = low + (n - low) / 2;
		if (v[middle] == id)
			return true;
		if (v[middle] < id)
			low = middle + 1;
		else
			n = middle;
	}
	return false;
}

struct pair {
	const struct run *fine, *coarse;
	bool with_open;              /* both know of objects of unknown class, and of the same */
	/* One of the two has one String, one int[], ...: its variables of such types hold it, also those that are always null. So
	 * calls on them, and calls that have no receiver in the other, do not count. */
	bool but_constants;
};

static bool is_constant(const struct laws *l, class_id c)
{
	return c.i == l->s.program.string.i || class_row(&l->s.program, c)->kind == CLASS_ARRAY;
}

static void compare_targets(struct laws *l, const struct pair *p, method_id m, const struct cg_site *f,
			    const struct cg_site *c)
{
	struct cg_targets ft = callgraph_targets(p->fine->g, f), ct = callgraph_targets(p->coarse->g, c);

	for (uint32_t i = 0; i < ft.n; i++) {
		if (has_id(ct.methods, ct.n, ft.methods[i].i))
			continue;
		if (!p->but_constants || !is_constant(l, method_row(&l->s.program, ft.methods[i])->owner))
			miss_target(l, m, f, ft.methods[i]);
	}
}

static void compare_receivers(struct laws *l, const struct pair *p, method_id m, const struct cg_site *f,
			      const struct cg_site *c)
{
	struct cg_classes fr = callgraph_receivers(p->fine->g, f), cr = callgraph_receivers(p->coarse->g, c);

	for (uint32_t i = 0; i < fr.n; i++) {
		if (has_id(cr.classes, cr.n, fr.classes[i].i))
			continue;
		if (!p->but_constants || !is_constant(l, fr.classes[i]))
			miss_receiver(l, m, f, fr.classes[i]);
	}
}

static bool is_null(const struct ir_body *b, ir_value v)
{
	for (uint32_t i = 0; i < b->nstmts; i++)
		if (b->stmts[i].result == v)
			return b->stmts[i].op == IR_CONST_NULL;
	return false;
}

/* RTA does not look at operands: it also has targets for calls on the constant null. */
static bool is_call_on_null(struct laws *l, method_id m, const struct cg_site *site)
{
	struct program *p = &l->s.program;
	const struct ir_body *b = p->source.body(p->source.ctx, p, m, &l->scratch);
	bool found = false;

	for (uint32_t i = 0; b && i < b->nstmts; i++) {
		const struct ir_stmt *s = &b->stmts[i];
		found |= s->pc == site->pc && s->op == site->op && s->nargs && is_null(b, b->args[s->args]);
	}
	arena_clear(&l->scratch);
	return found;
}

static void compare_sites(struct laws *l, const struct pair *p, method_id m, const struct cg_site *f,
			  const struct cg_site *c)
{
	bool is_dead = callgraph_targets(p->coarse->g, c).n == 0;

	if (p->fine->of_bodies && is_dead && is_call_on_null(l, m, f))
		return;
	if (p->but_constants && (is_dead || (f->mref.i && is_constant(l, mref_row(&l->s.program, f->mref)->owner))))
		return;
	compare_targets(l, p, m, f, c);
	compare_receivers(l, p, m, f, c);
	if (p->with_open && f->open && !c->open)
		miss_site(l, m, f, "is not open");
}

static bool is_same_site(const struct cg_site *a, const struct cg_site *b)
{
	return a->pc == b->pc && a->op == b->op && a->implied == b->implied && a->mref.i == b->mref.i;
}

/* Which of the sites before `k` mean the same instruction: a model may make the same call more than once. */
static uint32_t ordinal(const struct cg_site *sites, uint32_t k)
{
	uint32_t n = 0;

	for (uint32_t i = k; i-- > 0 && sites[i].pc == sites[k].pc;)
		n += is_same_site(&sites[i], &sites[k]);
	return n;
}

/* The site of another graph that is the same instruction. Outlines also have sites in code that is never reached, so
 * places in the two lists differ a little. */
static const struct cg_site *find_site(const struct cg_site *sites, uint32_t n, const struct cg_site *wanted, uint32_t nth,
				       uint32_t *from)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = (*from + i) % n;
		if (!is_same_site(&sites[k], wanted) || ordinal(sites, k) != nth)
			continue;
		*from = k + 1;
		return &sites[k];
	}
	return NULL;
}

static void compare_method(struct laws *l, const struct pair *p, method_id m)
{
	uint32_t nf, nc, from = 0;

	if (!callgraph_reaches(p->coarse->g, m)) {
		miss_method(l, m);
		return;
	}
	const struct cg_site *f = callgraph_sites(p->fine->g, m, &nf), *c = callgraph_sites(p->coarse->g, m, &nc);
	for (uint32_t i = 0; i < nf; i++) {
		const struct cg_site *match = nc ? find_site(c, nc, &f[i], ordinal(f, i), &from) : NULL;
		if (match)
			compare_sites(l, p, m, &f[i], match);
		else if (callgraph_targets(p->fine->g, &f[i]).n)
			miss_site(l, m, &f[i], "is not a site");
	}
}

static void compare(struct laws *l, const struct run *fine, const struct run *coarse, const char *sign)
{
	bool other_heap = fine->all_sites != coarse->all_sites;
	struct pair p = { fine, coarse, fine->algorithm.policy && coarse->algorithm.policy && !other_heap, other_heap };
	char law[80];

	l->shown = l->wrong = 0;
	strbuf_clear(&l->text);
	for (uint32_t i = 0; i < callgraph_nmethods(fine->g); i++)
		compare_method(l, &p, callgraph_method(fine->g, i));
	if (l->wrong > l->shown)
		strbuf_addf(&l->text, "  and %u more\n", (unsigned)(l->wrong - l->shown));
	snprintf(law, sizeof(law), "%s %s %s", fine->name, sign, coarse->name);
	verdict(l, !l->wrong, law);
}

/* The order as far as it was computed: a run that was skipped stands between no others. */

static uint32_t find_run(const struct laws *l, const char *name)
{
	for (uint32_t i = 0; i < l->nruns; i++)
		if (strcmp(l->runs[i].name, name) == 0)
			return i;
	BUG("there is no algorithm %s", name);
}

static void close_order(struct laws *l)
{
	for (size_t i = 0; i < ARRAY_LEN(order); i++)
		l->below[find_run(l, order[i][0])][find_run(l, order[i][1])] = true;
	for (size_t i = 0; i < ARRAY_LEN(equal); i++) {
		uint32_t a = find_run(l, equal[i][0]), b = find_run(l, equal[i][1]);
		l->same[a][b] = l->same[b][a] = true;
	}
	for (uint32_t k = 0; k < l->nruns; k++)
		for (uint32_t i = 0; i < l->nruns; i++)
			for (uint32_t j = 0; j < l->nruns; j++)
				l->below[i][j] |= l->below[i][k] && l->below[k][j];
}

static bool has_between(const struct laws *l, uint32_t i, uint32_t j)
{
	for (uint32_t k = 0; k < l->nruns; k++)
		if (l->runs[k].g && l->below[i][k] && l->below[k][j])
			return true;
	return false;
}

static void check_order(struct laws *l)
{
	for (uint32_t i = 0; i < l->nruns; i++)
		for (uint32_t j = 0; j < l->nruns; j++) {
			if (!l->runs[i].g || !l->runs[j].g)
				continue;
			if (l->same[i][j])
				compare(l, &l->runs[i], &l->runs[j], "=");
			else if (l->below[i][j] && !has_between(l, i, j))
				compare(l, &l->runs[i], &l->runs[j], "<=");
		}
}

/* Start and end */

struct request {
	struct session_opt open;
	const char *main_class;      /* NULL: every public method */
};

static bool read_options(struct laws *l, struct request *r, char **argv)
{
	bool is_public = false;

	for (; *argv; argv++) {
		const char *name = *argv, *value = argv[1];
		if (strcmp(name, "--brief") == 0) {
			l->brief = true;
			continue;
		}
		if (!value)
			return false;
		if (strcmp(name, "-cp") == 0)
			r->open.class_path = value;
		else if (strcmp(name, "--jdk") == 0)
			r->open.jdk = value;
		else if (strcmp(name, "--main") == 0)
			r->main_class = value;
		else if (strcmp(name, "--entry") == 0 && strcmp(value, "public") == 0)
			is_public = true;
		else if (strcmp(name, "--limit") == 0)
			l->limit = atof(value);
		else if (strcmp(name, "--only") == 0)
			l->only = value;
		else
			return false;
		argv++;
	}
	return r->open.class_path && is_public != (r->main_class != NULL);
}

static void print_errors(const struct laws *l)
{
	struct strbuf line = { 0 };

	for (uint32_t i = 0; i < l->inquiry.diag.entries.len; i++) {
		if (diag_severity(l->inquiry.diag.entries.data[i].code) != DIAG_ERROR)
			continue;
		strbuf_clear(&line);
		diag_render(&l->inquiry.diag.entries.data[i], &line);
		printf("%s\n", line.s);
	}
	strbuf_release(&line);
}

static bool check_program(struct laws *l, const struct request *r)
{
	if (!(r->main_class ? entries_main(&l->s, r->main_class, &l->entries) : entries_public(&l->s, &l->entries)))
		return false;
	list_runs(l);
	close_order(l);
	l->s.program.keeps_slots = true;
	for (uint32_t i = l->nruns; i-- > 0;)      /* cha, which loads every class, is the first and comes last */
		compute(l, &l->runs[i]);
	check_order(l);
	return l->broken == 0;
}

int main(int argc, char **argv)
{
	struct laws *l = mem_zalloc(sizeof(*l));
	struct request r = { .open = { .use_cache = true } };

	arena_init(&l->scratch);
	if (!argc || !read_options(l, &r, argv + 1)) {
		fprintf(stderr, "usage: laws -cp PATH [--jdk DIR|none] (--main CLASS | --entry public) [--limit SECONDS] "
				"[--only LIST] [--brief]\n");
		return 2;
	}
	inquiry_init(&l->inquiry, PHASES_JAVA);
	bool holds = session_open(&l->s, &l->inquiry, &r.open) && check_program(l, &r);
	print_errors(l);
	printf("%u laws, %u broken, %u skipped runs\n", (unsigned)l->checked, (unsigned)l->broken, (unsigned)l->skipped);
	for (uint32_t i = 0; i < l->nruns; i++)
		callgraph_free(l->runs[i].g);
	entries_release(&l->entries);
	session_close(&l->s);
	inquiry_release(&l->inquiry);
	strbuf_release(&l->text);
	arena_release(&l->scratch);
	free(l);
	return holds ? 0 : 1;
}
