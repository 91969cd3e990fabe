// SPDX-License-Identifier: Apache-2.0
// links: base algo solve formats/archive formats/classfile ir load analysis session report formats/facts formats/properties
/* fragment --component PACKAGE -cp PATH --clients PATH [--interface TEXT] [--open] [--jdk DIR|none] [--only LIST]
 *          [--drop SORT] [--verbose] CLASS... -
 * the law of fragments. PATH has the component alone, the other PATH the component and clients: CLASS... are the main
 * classes of those. With every algorithm, or those of the list, what the analysis of component and client together finds
 * at calls of the component, the analysis of the component with placeholders finds, too; and what a finer analysis finds
 * with placeholders, a coarser one does. A law is printed when it does not hold, with the first counterexamples;
 * --verbose prints all. The last line is `N laws, N broken, N answers`: answers are receivers and targets that were
 * compared. Exit status 1 when any is broken.
 *
 * --drop leaves out placeholders of one sort, to see that the law fails without them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/component/study.h"

#define MAX_RUNS 40
#define SHOWN 5                  /* counterexamples of one law */

struct run {
	struct algorithm algorithm;
	struct callgraph *g;         /* of the fragment; NULL: not asked for */
};

struct request {
	const char *component, *class_path, *clients_path, *interface, *jdk, *only, *drop;
	char *const *mains;
	uint32_t nmains;
	bool is_open, verbose;
};

struct laws {
	struct request ask;
	struct inquiry inquiries[2];   /* of the part, of the whole */
	struct session part, whole;
	struct study study;
	struct run runs[MAX_RUNS];
	uint32_t nruns, checked, broken;
	uint64_t answers;
	struct interner names;               /* printed names of the fragment */
	struct map by_name;                  /* (kind, name) -> fragment's id */
	struct map known;                    /* (kind, id in the whole program) -> 1 + fragment's id */
	struct strbuf line, text;            /* scratch; counterexamples of the law at hand */
	uint32_t shown, wrong;
};

/* The order of the algorithms, as in laws.c. */
static const char *const order[][2] = {
	{ "2obj", "1obj" }, { "1obj", "andersen" }, { "andersen", "0cfa" }, { "0cfa", "vta" }, { "vta", "xta" },
	{ "containers", "andersen" }, { "2obj", "2type" }, { "1obj", "1type" }, { "2type", "1type" }, { "1type", "andersen" },
	{ "2cfa", "1cfa" }, { "1cfa", "0cfa" },
	{ "2-1cfa", "1-1cfa" }, { "1-1cfa", "0-1cfa" }, { "2-1cfa", "2cfa" }, { "1-1cfa", "1cfa" },
	{ "0-1cfa", "0cfa" }, { "andersen", "0-1cfa" }, { "0-1cfa", "andersen" }, { "andersen", "steens" },
	{ "0cfa", "p-bounded" }, { "vta", "dta" }, { "dta", "rta-policy" },
	{ "xta", "fta" }, { "xta", "mta" }, { "fta", "cta" }, { "mta", "cta" }, { "cta", "rta-policy" },
	{ "steens", "cha" }, { "p-bounded", "cha" }, { "rta-policy", "rta" }, { "rta", "cha" },
};

/* Ids of the two programs by name */

enum id_kind { ID_CLASS, ID_METHOD, ID_MREF };

static void print_id(const struct program *p, enum id_kind kind, uint32_t id, struct strbuf *out)
{
	if (kind == ID_CLASS)
		print_class(p, (class_id){ id }, out);
	else if (kind == ID_METHOD)
		print_method(p, (method_id){ id }, out);
	else
		print_mref(p, (mref_id){ id }, out);
}

/* What calls through an interface and through a class refer to is not the same. */
static str_id name_of(struct laws *l, const struct program *p, enum id_kind kind, uint32_t id)
{
	strbuf_clear(&l->line);
	print_id(p, kind, id, &l->line);
	if (kind == ID_MREF && mref_row(p, (mref_id){ id })->is_interface)
		strbuf_addch(&l->line, '/');
	return intern(&l->names, strbuf_str(&l->line));
}

static void learn(struct laws *l, enum id_kind kind, uint32_t n)
{
	for (uint32_t id = 1; id < n; id++)
		*map_at(&l->by_name, map_key(kind, name_of(l, &l->part.program, kind, id).i)) = id;
}

static void learn_names(struct laws *l)
{
	const struct program *p = &l->part.program;

	learn(l, ID_CLASS, p->classes.len);
	learn(l, ID_METHOD, p->methods.len);
	learn(l, ID_MREF, p->mrefs.len);
}

/* The fragment's id of what the program `p` calls `id`; 0: the fragment has no such thing. */
static uint32_t translate(struct laws *l, const struct program *p, enum id_kind kind, uint32_t id)
{
	uint64_t key = map_key(kind, id);

	if (p == &l->part.program || !id)
		return id;
	uint32_t found = map_get(&l->known, key);
	if (!found) {
		found = 1 + map_get(&l->by_name, map_key(kind, name_of(l, p, kind, id).i));
		*map_at(&l->known, key) = found;
	}
	return found - 1;
}

static bool is_component(const struct laws *l, const struct program *p, class_id c)
{
	return str_is(package_of(class_name(p, c)), l->ask.component);
}

/* Packages of clients are named after the component's, with more behind. */
static bool is_client(const struct laws *l, const struct program *p, class_id c)
{
	struct str package = package_of(class_name(p, c));
	size_t n = strlen(l->ask.component);

	return package.len > n && memcmp(package.p, l->ask.component, n) == 0;
}

/* Counterexamples */

struct pair {                        /* what `fine` says is in what `coarse` says, which is of the fragment */
	const struct callgraph *fine, *coarse;
	const struct program *p;     /* of `fine` */
	bool is_cha;
};

static void miss(struct laws *l, const struct pair *x, method_id m, const struct cg_site *s, const char *what,
		 enum id_kind kind, uint32_t id)
{
	if (l->wrong++ >= SHOWN)
		return;
	strbuf_adds(&l->text, "  ");
	print_method(x->p, m, &l->text);
	if (s) {
		strbuf_addf(&l->text, "@%u", (unsigned)s->pc);
		if (s->mref.i) {
			strbuf_adds(&l->text, " of ");
			print_mref(x->p, s->mref, &l->text);
		}
	}
	strbuf_addf(&l->text, " %s", what);
	if (id)
		print_id(x->p, kind, id, &l->text);
	strbuf_addch(&l->text, '\n');
}

static void verdict(struct laws *l, const char *law)
{
	l->checked++;
	l->broken += l->wrong > 0;
	if (l->wrong || l->ask.verbose)
		printf("%s %s\n%s", l->wrong ? "not ok" : "ok", law, l->text.len ? l->text.s : "");
	if (l->wrong > SHOWN)
		printf("  and %u more\n", (unsigned)(l->wrong - SHOWN));
	l->wrong = 0;
	strbuf_clear(&l->text);
}

/* Comparing */

static bool has_id(const void *ids, uint32_t n, uint32_t id)
{
	const uint32_t *v = ids;

	for (uint32_t i = 0; i < n; i++)
		if (v[i] == id)
			return true;
	return false;
}

static bool has_client(const struct laws *l, const struct pair *x, const struct cg_site *s)
{
	struct cg_classes r = callgraph_receivers(x->coarse, s);

	for (uint32_t i = 0; i < r.n; i++)
		if (placeholders_is_client(&l->study.fragment.placeholders, r.classes[i]))
			return true;
	return false;
}

/* Classes of clients are not compared one by one: the placeholders know that there may be any, or none. */
static void compare_client(struct laws *l, const struct pair *x, method_id m, const struct cg_site *f,
			   const struct cg_site *c, class_id receiver)
{
	if (l->ask.is_open ? !has_client(l, x, c) : !x->is_cha)
		miss(l, x, m, f, "has no client's class, but ", ID_CLASS, receiver.i);
}

static void compare_receivers(struct laws *l, const struct pair *x, method_id m, const struct cg_site *f,
			      const struct cg_site *c)
{
	struct cg_classes fr = callgraph_receivers(x->fine, f), cr = callgraph_receivers(x->coarse, c);

	l->answers += fr.n;
	for (uint32_t i = 0; i < fr.n; i++) {
		if (x->p != &l->part.program && is_client(l, x->p, fr.classes[i]))
			compare_client(l, x, m, f, c, fr.classes[i]);
		else if (!has_id(cr.classes, cr.n, translate(l, x->p, ID_CLASS, fr.classes[i].i)))
			miss(l, x, m, f, "has no receiver ", ID_CLASS, fr.classes[i].i);
	}
}

static void compare_targets(struct laws *l, const struct pair *x, method_id m, const struct cg_site *f,
			    const struct cg_site *c)
{
	struct cg_targets ft = callgraph_targets(x->fine, f), ct = callgraph_targets(x->coarse, c);

	l->answers += ft.n;
	for (uint32_t i = 0; i < ft.n; i++) {
		class_id owner = method_row(x->p, ft.methods[i])->owner;
		if (x->p != &l->part.program && is_client(l, x->p, owner))
			compare_client(l, x, m, f, c, owner);
		else if (!has_id(ct.methods, ct.n, translate(l, x->p, ID_METHOD, ft.methods[i].i)))
			miss(l, x, m, f, "does not call ", ID_METHOD, ft.methods[i].i);
	}
}

static bool is_same_site(struct laws *l, const struct pair *x, const struct cg_site *fine, const struct cg_site *coarse)
{
	return fine->pc == coarse->pc && fine->op == coarse->op && fine->implied == coarse->implied &&
	       translate(l, x->p, ID_MREF, fine->mref.i) == coarse->mref.i;
}

/* The site of the fragment that is the same instruction: the k-th of those that look the same, as `fine` is. */
static const struct cg_site *find_site(struct laws *l, const struct pair *x, const struct cg_site *fine,
				       const struct cg_site *at, const struct cg_site *sites, uint32_t n)
{
	uint32_t k = 0;

	for (const struct cg_site *s = fine; s < at; s++)
		k += s->pc == at->pc && s->op == at->op && s->implied == at->implied && s->mref.i == at->mref.i;
	for (uint32_t i = 0; i < n; i++)
		if (is_same_site(l, x, at, &sites[i]) && k-- == 0)
			return &sites[i];
	return NULL;
}

static void compare_method(struct laws *l, const struct pair *x, method_id m)
{
	method_id same = { translate(l, x->p, ID_METHOD, m.i) };
	uint32_t nf, nc;

	if (!same.i || !callgraph_reaches(x->coarse, same)) {
		miss(l, x, m, NULL, "is not reached", ID_CLASS, 0);
		return;
	}
	const struct cg_site *f = callgraph_sites(x->fine, m, &nf), *c = callgraph_sites(x->coarse, same, &nc);
	for (uint32_t i = 0; i < nf; i++) {
		const struct cg_site *match = find_site(l, x, f, &f[i], c, nc);
		if (match) {
			compare_targets(l, x, m, &f[i], match);
			compare_receivers(l, x, m, &f[i], match);
		} else if (callgraph_targets(x->fine, &f[i]).n) {
			miss(l, x, m, &f[i], "is not a site", ID_CLASS, 0);
		}
	}
}

static void compare(struct laws *l, const struct pair *x)
{
	for (uint32_t i = 0; i < callgraph_nmethods(x->fine); i++) {
		method_id m = callgraph_method(x->fine, i);
		if (is_component(l, x->p, method_row(x->p, m)->owner))
			compare_method(l, x, m);
	}
}

/* Runs */

static bool is_asked(const struct laws *l, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = l->ask.only; at && *at; at += strcspn(at, ","), at += *at == ',')
		if (strcspn(at, ",") == n && memcmp(at, name, n) == 0)
			return true;
	return !l->ask.only;
}

/* By default every variable of type String holds the one String that there is: nobody would miss those of clients. */
static struct callgraph *analyse(const struct laws *l, struct session *s, const struct cg_entries *e,
				 const struct algorithm *a)
{
	struct analysis x = { .algorithm = *a, .heap = pta_default_heap, .no_callbacks = true };

	x.heap.by_site[HEAP_STRINGS] = l->ask.drop != NULL;
	analysis_start(&x, s, e);
	analysis_need(&x, JAVA_GRAPH);
	analysis_forget_facts(&x);
	return x.graph;
}

static void analyse_fragment(struct laws *l)
{
	struct cg_entries e = { 0 };

	fragment_entries(&l->study.fragment, &e);
	for (uint32_t k = 0; k < MAX_RUNS && algorithm_get(k, &l->runs[k].algorithm); k++)
		l->nruns++;
	for (uint32_t k = l->nruns; k-- > 0;)        /* cha, which loads every class, is the first and comes last */
		if (is_asked(l, l->runs[k].algorithm.name))
			l->runs[k].g = analyse(l, &l->part, &e, &l->runs[k].algorithm);
	entries_release(&e);
}

static void check_client(struct laws *l, const char *name, const struct cg_entries *e)
{
	char law[200];

	for (uint32_t k = l->nruns; k-- > 0;) {
		const struct run *r = &l->runs[k];
		if (!r->g)
			continue;
		struct callgraph *g = analyse(l, &l->whole, e, &r->algorithm);
		compare(l, &(struct pair){ g, r->g, &l->whole.program, k == 0 });
		callgraph_free(g);
		snprintf(law, sizeof(law), "%s: %s is in the fragment %s", r->algorithm.name, name, l->ask.component);
		verdict(l, law);
	}
}

static bool check_clients(struct laws *l)
{
	for (uint32_t i = 0; i < l->ask.nmains; i++) {
		struct cg_entries e = { 0 };
		bool found = entries_main(&l->whole, l->ask.mains[i], &e);
		if (found)
			check_client(l, l->ask.mains[i], &e);
		entries_release(&e);
		if (!found)
			return false;
	}
	return true;
}

static struct callgraph *find_graph(const struct laws *l, const char *name)
{
	for (uint32_t i = 0; i < l->nruns; i++)
		if (strcmp(l->runs[i].algorithm.name, name) == 0)
			return l->runs[i].g;
	BUG("there is no algorithm %s", name);
}

static void check_order(struct laws *l)
{
	char law[200];

	for (size_t i = 0; i < ARRAY_LEN(order); i++) {
		struct pair x = { find_graph(l, order[i][0]), find_graph(l, order[i][1]), &l->part.program, false };
		if (!x.fine || !x.coarse)
			continue;
		compare(l, &x);
		snprintf(law, sizeof(law), "%s <= %s for the fragment %s", order[i][0], order[i][1], l->ask.component);
		verdict(l, law);
	}
}

/* Dropping placeholders. The pc of their statements is their number, from 1. */

static const char *const sort_names[] = {
	[PH_NEW] = "new", [PH_CALL] = "call", [PH_GET] = "get", [PH_PUT] = "put", [PH_ARRAY] = "array",
	[PH_LOAD] = "load", [PH_STORE] = "store", [PH_STRING] = "string", [PH_ASSIGN] = "assign",
	[PH_CAST] = "cast", [PH_CATCH] = "catch", [PH_CLIENT] = "client",
};

/* Not what others share: the end of the block, numbers, and the reading of placeholder variables. */
static bool is_dropped(const struct laws *l, const struct ir_stmt *s)
{
	const struct placeholders *ph = &l->study.fragment.placeholders;
	const struct program *p = &l->part.program;

	if ((s->op >= IR_RETURN && s->op <= IR_SWITCH) || (s->op >= IR_CONST_NULL && s->op <= IR_CONST_DOUBLE))
		return false;
	if (s->op == IR_GETSTATIC && fref_row(p, (fref_id){ s->ref })->owner.i == ph->cls.i)
		return false;
	return s->pc && s->pc <= ph->stmts.len &&
	       strcmp(sort_names[ph->stmts.data[s->pc - 1].sort], l->ask.drop) == 0;
}

/* Statements with a result become null; others go. */
static void drop_placeholders(struct laws *l)
{
	struct program *p = &l->part.program;
	struct ir_body *b = arena_new(&p->mem, struct ir_body);

	*b = *p->source.body(p->source.ctx, p, l->study.fragment.placeholders.main, &p->mem);
	struct ir_stmt *stmts = arena_array(&p->mem, struct ir_stmt, b->nstmts);
	struct ir_block *blocks = arena_array(&p->mem, struct ir_block, b->nblocks);
	uint32_t n = 0;
	for (uint32_t k = 0; k < b->nblocks; k++) {
		blocks[k] = b->blocks[k];
		blocks[k].first = n;
		for (uint32_t i = b->blocks[k].first; i < b->blocks[k].end; i++) {
			struct ir_stmt s = b->stmts[i];
			bool is_gone = is_dropped(l, &s);
			if (is_gone && s.result)
				s = (struct ir_stmt){ .op = IR_CONST_NULL, .pc = s.pc, .result = s.result };
			if (!is_gone || s.result)
				stmts[n++] = s;
		}
		blocks[k].end = n;
	}
	b->stmts = stmts;
	b->blocks = blocks;
	b->nstmts = n;
	program_define(p, l->study.fragment.placeholders.main, b);
}

/* Start and end */

static bool read_option(struct request *r, const char *name, const char *value)
{
	if (strcmp(name, "--component") == 0)
		r->component = value;
	else if (strcmp(name, "-cp") == 0)
		r->class_path = value;
	else if (strcmp(name, "--clients") == 0)
		r->clients_path = value;
	else if (strcmp(name, "--interface") == 0)
		r->interface = value;
	else if (strcmp(name, "--jdk") == 0)
		r->jdk = value;
	else if (strcmp(name, "--only") == 0)
		r->only = value;
	else if (strcmp(name, "--drop") == 0)
		r->drop = value;
	else
		return false;
	return true;
}

static bool read_options(struct request *r, char **argv)
{
	for (; *argv && (*argv)[0] == '-'; argv++) {
		if (strcmp(*argv, "--open") == 0)
			r->is_open = true;
		else if (strcmp(*argv, "--verbose") == 0)
			r->verbose = true;
		else if (!argv[1] || !read_option(r, argv[0], argv[1]))
			return false;
		else
			argv++;
	}
	r->mains = argv;
	while (r->mains[r->nmains])
		r->nmains++;
	return r->component && r->class_path && r->clients_path && r->nmains;
}

static void print_errors(const struct session *s)
{
	struct strbuf line = { 0 };

	for (uint32_t i = 0; i < s->inquiry->diag.entries.len; i++) {
		if (diag_severity(s->inquiry->diag.entries.data[i].code) != DIAG_ERROR)
			continue;
		strbuf_clear(&line);
		diag_render(&s->inquiry->diag.entries.data[i], &line);
		printf("%s\n", line.s);
	}
	strbuf_release(&line);
}

static bool open_fragment(struct laws *l)
{
	struct fragment_opt *opt = &l->study.opt;

	opt->interface = l->ask.interface;
	opt->clients = l->ask.is_open ? CLIENTS_OPEN : CLIENTS_CLOSED;
	strbuf_clear(&l->line);
	strbuf_addf(&l->line, "%s.*", l->ask.component);
	opt->component = l->line.s;
	return study_open(&l->study, &l->part);
}

static bool check(struct laws *l)
{
	for (int i = 0; i < 2; i++)
		inquiry_init(&l->inquiries[i], PHASES_JAVA);
	struct session_opt part = { .class_path = l->ask.class_path, .jdk = l->ask.jdk };
	struct session_opt all = { .class_path = l->ask.clients_path, .jdk = l->ask.jdk };

	if (!session_open(&l->part, &l->inquiries[0], &part) || !session_open(&l->whole, &l->inquiries[1], &all) || !open_fragment(l))
		return false;
	if (l->ask.drop)
		drop_placeholders(l);
	analyse_fragment(l);
	learn_names(l);
	check_order(l);
	return check_clients(l) && !l->broken;
}

static void release(struct laws *l)
{
	for (uint32_t i = 0; i < l->nruns; i++)
		callgraph_free(l->runs[i].g);
	study_close(&l->study);
	session_close(&l->whole);
	session_close(&l->part);
	map_release(&l->by_name);
	map_release(&l->known);
	interner_release(&l->names);
	strbuf_release(&l->line);
	strbuf_release(&l->text);
	free(l);
}

int main(int argc, char **argv)
{
	struct laws *l = mem_zalloc(sizeof(*l));

	if (!argc || !read_options(&l->ask, argv + 1)) {
		fprintf(stderr, "usage: fragment --component PACKAGE -cp PATH --clients PATH [--interface TEXT] "
				"[--open] [--jdk DIR|none] [--only LIST] [--drop SORT] [--verbose] CLASS...\n");
		free(l);
		return 2;
	}
	interner_init(&l->names);
	bool holds = check(l);
	print_errors(&l->part);
	print_errors(&l->whole);
	printf("%u laws, %u broken, %llu answers\n", (unsigned)l->checked, (unsigned)l->broken,
	       (unsigned long long)l->answers);
	release(l);
	return holds ? 0 : 1;
}
