/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "coverage/coverage_p.h"

struct counter {
	struct cov_contents n;
	struct interner classes, types, tests;
	struct map sites;             /* class, site -> number */
	struct map cells;             /* that number, type -> 1 */
	uint32_t nsites;
};

static uint32_t number(struct map *m, uint64_t key, uint32_t *n)
{
	uint32_t *at = map_at(m, key);

	if (!*at)
		*at = ++*n;
	return *at;
}

static void count_cells(struct counter *x, const struct run *r)
{
	uint32_t *types = mem_alloc(r->types.len * sizeof(*types));

	for (uint32_t i = 0; i < r->types.len; i++)
		types[i] = intern(&x->types, r->types.data[i].name).i;
	for (uint32_t i = 0; i < r->cells.len; i++) {
		const struct run_cell *c = &r->cells.data[i];
		if (c->type == NONE || c->callee != NONE)
			continue;
		uint32_t class = intern(&x->classes, r->classes.data[c->class].name).i;
		uint32_t site = number(&x->sites, map_key(class, c->site), &x->nsites);
		number(&x->cells, map_key(site, types[c->type]), &x->n.cells);
	}
	free(types);
}

static void count_run(struct counter *x, const struct run *r)
{
	x->n.runs++;
	x->n.damaged += r->is_damaged;
	x->n.unended += !r->is_complete && !r->is_damaged;
	for (uint32_t i = 0; i < r->classes.len; i++)
		intern(&x->classes, r->classes.data[i].name);
	for (uint32_t i = 0; i < r->tests.len; i++)
		intern(&x->tests, r->tests.data[i].name);
	count_cells(x, r);
}

struct cov_contents coverage_contents(const struct runs *r)
{
	struct counter x = { 0 };

	interner_init(&x.classes);
	interner_init(&x.types);
	interner_init(&x.tests);
	for (uint32_t i = 0; i < r->runs.len; i++)
		count_run(&x, &r->runs.data[i]);
	x.n.classes = x.classes.strings.len - 1;
	x.n.tests = x.tests.strings.len - 1;
	interner_release(&x.classes);
	interner_release(&x.types);
	interner_release(&x.tests);
	map_release(&x.sites);
	map_release(&x.cells);
	return x.n;
}
