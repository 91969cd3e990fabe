/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/defuse/defuse_p.h"

#include <string.h>

const char *pair_sort_name(enum pair_sort s)
{
	static const char *const names[] = { [PAIR_INTRA] = "intra", [PAIR_INTER] = "inter", [PAIR_THREAD] = "thread",
					     [PAIR_LIBRARY] = "library" };

	return names[s];
}

/* The application */

static bool is_passed(const void *ctx, method_id m)
{
	const struct flow *f = ctx;

	return class_row(f->p, method_row(f->p, m)->owner)->kind == CLASS_SYNTHETIC;
}

static bool is_own(const struct flow *f, method_id m)
{
	class_id c = method_row(f->p, m)->owner;

	return callgraph_reaches(f->g, m) && class_row(f->p, c)->kind != CLASS_SYNTHETIC && f->opt->is_application(f->opt->ctx, c);
}

static void find_nodes(struct flow *f)
{
	uint32_t n = f->p->methods.len;

	vec_push(&f->nodes, ((struct flow_node){ 0 }));
	for (uint32_t i = 0; i < n; i++) {
		bool is = i && is_own(f, (method_id){ i });
		vec_push(&f->node_of, is ? f->nodes.len : 0);
		if (is)
			vec_push(&f->nodes, ((struct flow_node){ .m = { i } }));
	}
}

static void open_flow(struct flow *f)
{
	hierarchy_init(&f->h, f->p);
	linker_init(&f->linker, &f->h);
	f->triggers = triggers_make(f->g, &f->h, is_passed, f);
	id_sets_init(&f->sets);
	find_nodes(f);
}

static void close_flow(struct flow *f)
{
	triggers_free(f->triggers);
	linker_release(&f->linker);
	hierarchy_release(&f->h);
	vec_release(&f->nodes);
	vec_release(&f->node_of);
	vec_release(&f->blocks);
	vec_release(&f->to);
	vec_release(&f->events);
	vec_release(&f->calls);
	vec_release(&f->callees);
	vec_release(&f->defs);
	vec_release(&f->uses);
	vec_release(&f->ranges);
	map_release(&f->range_of);
	vec_release(&f->def_of_fact);
	id_sets_release(&f->sets);
	map_release(&f->common);
	vec_release(&f->commons);
	map_release(&f->pairs);
	free(f->is_shared);
}

/* Pairs */

static void add_pair(struct flow *f, const struct occurrence *def, const struct occurrence *use, enum pair_sort sort, uint32_t place)
{
	uint32_t *row = map_at(&f->pairs, map_key(def->access, use->access));

	if (def->is_library || use->is_library)
		sort = PAIR_LIBRARY;
	if (!*row) {
		vec_push(&f->out->pairs, ((struct du_pair){ def->access, use->access, sort, place }));
		*row = f->out->pairs.len;
	}
	struct du_pair *p = &f->out->pairs.data[*row - 1];
	p->sort = sort < p->sort ? sort : p->sort;
	p->place = place < p->place ? place : p->place;
}

static void add_reaching(void *ctx, uint32_t def, uint32_t use, bool is_intra)
{
	struct flow *f = ctx;
	const struct occurrence *d = &f->defs.data[def], *u = &f->uses.data[use];
	uint32_t place;

	if (!(d->is_library && u->is_library) && flow_meet(f, d, u, false, &place))
		add_pair(f, d, u, is_intra ? PAIR_INTRA : PAIR_INTER, place);
}

/* Beside others, a method may see what any wrote, and others what it wrote, at any time. */
static void add_threaded(struct flow *f)
{
	for (uint32_t i = 0; i < f->uses.len; i++) {
		const struct occurrence *u = &f->uses.data[i];
		const struct fact_range *r = &f->ranges.data[map_get(&f->range_of, u->field.i)];
		bool is_threaded = f->nodes.data[u->node].is_threaded;
		for (uint32_t fact = r->first; fact < r->end; fact++) {
			const struct occurrence *d = &f->defs.data[f->def_of_fact.data[fact]];
			uint32_t place;
			if ((is_threaded || f->nodes.data[d->node].is_threaded) && !(d->is_library && u->is_library) &&
			    flow_meet(f, d, u, true, &place))
				add_pair(f, d, u, PAIR_THREAD, place);
		}
	}
}

static int compare_pairs(const void *x, const void *y)
{
	const struct du_pair *a = x, *b = y;

	if (a->def != b->def)
		return a->def < b->def ? -1 : 1;
	return (a->use > b->use) - (a->use < b->use);
}

/* What a library call accesses is a row for each field, and says nothing of how much code there is. */
static uint64_t count_own(const struct field_access *rows, uint32_t n)
{
	uint64_t own = 0;

	for (uint32_t i = 0; i < n; i++)
		own += !rows[i].is_library;
	return own;
}

static void finish(struct flow *f)
{
	struct defuse *out = f->out;
	struct map seen = { 0 };

	if (out->pairs.len)
		qsort(out->pairs.data, out->pairs.len, sizeof(*out->pairs.data), compare_pairs);
	for (uint32_t i = 0; i < out->pairs.len; i++) {
		uint32_t *field = map_at(&seen, out->defs.data[out->pairs.data[i].def].field.i);
		out->counts[out->pairs.data[i].sort]++;
		out->fields += !*field;
		*field = 1;
	}
	out->definitions = count_own(out->defs.data, out->defs.len);
	out->reads = count_own(out->uses.data, out->uses.len);
	map_release(&seen);
}

struct defuse *defuse_compute(const struct callgraph *g, struct pta *facts, const struct defuse_opt *opt)
{
	struct flow f = { .g = g, .facts = facts, .p = (struct program *)callgraph_program(g), .opt = opt };

	f.out = mem_zalloc(sizeof(*f.out));
	open_flow(&f);
	flow_gather(&f);
	flow_find_roots(&f);
	flow_find_shared(&f);
	flow_walk(&f, add_reaching, &f);
	add_threaded(&f);
	finish(&f);
	close_flow(&f);
	return f.out;
}

void defuse_free(struct defuse *d)
{
	if (!d)
		return;
	vec_release(&d->defs);
	vec_release(&d->uses);
	vec_release(&d->pairs);
	free(d);
}
