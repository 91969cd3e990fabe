/* SPDX-License-Identifier: Apache-2.0 */
/* random_coverage.h - plans and runs that obey their formats, from a seed. */
#ifndef TESTS_RANDOM_COVERAGE_H
#define TESTS_RANDOM_COVERAGE_H

#include "base/hash.h"
#include "formats/coverage/plan.h"
#include "formats/coverage/runs.h"

struct random_world {
	struct arena mem;
	uint64_t seed;
	struct plan plan;
	struct plan_range all_types;
	struct str past_classes;      /* the first name behind those of the plan's classes */
};

static inline uint32_t random_below(struct random_world *w, uint32_t n)
{
	w->seed += 0x9e3779b97f4a7c15u;
	return (uint32_t)(hash_mix(w->seed) >> 16) % n;
}

static inline struct str random_name(struct random_world *w, const char *prefix, uint32_t i)
{
	struct strbuf b = { 0 };

	strbuf_addf(&b, "%s%03u", prefix, i);
	struct str s = { arena_copy(&w->mem, b.s, b.len), (uint32_t)b.len };
	strbuf_release(&b);
	return s;
}

/* Names ascend: arrays, classes, lambdas. */
static inline void random_types(struct random_world *w)
{
	uint32_t n = 1 + random_below(w, 40), nlambdas = random_below(w, 6);

	vec_push(&w->plan.types, (struct plan_type){ 0 });
	vec_push(&w->plan.types, ((struct plan_type){ .name = STR("java.lang.Object[]"), .sort = PLAN_ARRAY }));
	for (uint32_t i = 0; i < n; i++)
		vec_push(&w->plan.types, (struct plan_type){ .name = random_name(w, "p.T", i) });
	for (uint32_t i = 0; i < nlambdas; i++)
		vec_push(&w->plan.types, ((struct plan_type){.name = random_name(w, "p.X$$Lambda$run#", i),
							     .sort = PLAN_LAMBDA,
							     .host = random_name(w, "p.T", random_below(w, n)),
							     .interface = STR("java.lang.Runnable"),
							     .body = random_name(w, "p.T000.run", i)}));
	w->all_types = (struct plan_range){ 0, w->plan.types.len - 1 };
	for (uint32_t i = 1; i < w->plan.types.len; i++)
		vec_push(&w->plan.ids, i);
}

static inline struct plan_range random_list(struct random_world *w)
{
	struct plan_range r = { w->plan.ids.len, 0 };

	for (uint32_t i = 1; i < w->plan.types.len; i++)
		if (random_below(w, 4) == 0)
			vec_push(&w->plan.ids, i);
	r.n = w->plan.ids.len - r.first;
	return r;
}

/* The list, and of it some that count for the ladder. */
static inline struct plan_range random_part(struct random_world *w, struct plan_range of)
{
	struct plan_range r = { w->plan.ids.len, 0 };

	for (uint32_t i = 0; i < of.n; i++)
		if (random_below(w, 2))
			vec_push(&w->plan.ids, w->plan.ids.data[of.first + i]);
	r.n = w->plan.ids.len - r.first;
	return r;
}

/* Of the list, those of the component: of classes that it has, or in one. */
static inline struct plan_range random_own(struct random_world *w, struct plan_range of)
{
	struct plan_range r = { w->plan.ids.len, 0 };

	for (uint32_t i = 0; i < of.n; i++) {
		const struct plan_type *t = &w->plan.types.data[w->plan.ids.data[of.first + i]];
		struct str name = t->sort == PLAN_LAMBDA ? t->host : t->name;
		if (str_starts(name, "p.T") && str_cmp(name, w->past_classes) < 0)
			vec_push(&w->plan.ids, w->plan.ids.data[of.first + i]);
	}
	r.n = w->plan.ids.len - r.first;
	return r;
}

static inline void random_method(struct random_world *w, uint32_t class, uint32_t i)
{
	struct plan_method m = {
		.class = class, .name = random_name(w, "m", i / 2), .desc = i % 2 ? STR("(I)V") : STR("()V")};
	uint32_t pc = 0;

	m.first_site = w->plan.sites.len;
	m.nsites = 1 + random_below(w, 3);
	m.code = random_below(w, 1u << 30);
	for (uint32_t k = 0; k < m.nsites; k++) {
		pc += random_below(w, 9);
		vec_push(&w->plan.sites, ((struct plan_site){.method = w->plan.methods.len,
							     .pc = pc++,
							     .line = random_below(w, 500),
							     .flags = random_below(w, 16),
							     .owner = random_name(w, "p.T", 1),
							     .name = STR("run"),
							     .desc = STR("()V"),
							     .nth = k,
							     .of = m.nsites,
							     .rc = random_list(w),
							     .tm = random_list(w)}));
		struct plan_site *s = vec_last(&w->plan.sites);
		if (!(w->plan.criteria & PLAN_LADDER) || random_below(w, 3) == 0)
			continue;
		s->flags |= PLAN_CHOICE;
		s->own = random_part(w, s->rc);
		s->own_targets = random_own(w, s->tm);
		s->declares = random_name(w, "p.T", random_below(w, 3));
	}
	vec_push(&w->plan.methods, m);
}

static inline void random_classes(struct random_world *w)
{
	uint32_t n = 1 + random_below(w, 8);

	w->past_classes = random_name(w, "p.T", n);
	for (uint32_t i = 0; i < n; i++) {
		struct plan_class c = {.name = random_name(w, "p.T", i),
				       .source = random_below(w, 3) ? STR("T.java") : STR("")};
		c.first_method = w->plan.methods.len;
		c.first_site = w->plan.sites.len;
		c.nmethods = i ? random_below(w, 4) : 2;
		c.is_jdk = random_below(w, 5) == 0;
		for (uint32_t k = 0; k < c.nmethods; k++)
			random_method(w, i, k);
		c.nsites = w->plan.sites.len - c.first_site;
		vec_push(&w->plan.classes, c);
	}
}

static inline void random_world_init(struct random_world *w, uint64_t seed)
{
	*w = (struct random_world){ .seed = seed * 77 };
	arena_init(&w->mem);
	w->plan.component = STR("p.**");
	w->plan.interface = STR("public");
	w->plan.algorithm = STR("andersen");
	w->plan.class_path = STR("a.jar:b.jar");
	w->plan.criteria = PLAN_RC | (random_below(w, 2) ? PLAN_TM | PLAN_LADDER : 0);
	random_types(w);
	random_classes(w);
	for (uint32_t i = 0; i < random_below(w, 9); i++)
		vec_push(&w->plan.others, random_name(w, "q.L", i));
}

static inline void random_world_release(struct random_world *w)
{
	plan_release(&w->plan);
	arena_release(&w->mem);
}

/* Runs: records in the order in which an agent may write them. */

struct random_rows {
	uint32_t classes, types, cells;
};

static inline void random_put_class(struct random_world *w, struct random_rows *n, struct strbuf *out)
{
	const struct plan_class *c = &w->plan.classes.data[random_below(w, w->plan.classes.len)];

	uint32_t unwatched[] = { random_below(w, 3), 3 + random_below(w, 200) };

	run_put_class(out, &(struct run_class){ .name = c->name, .key = c->key, .state = (uint8_t)random_below(w, 4),
						.missed = random_below(w, 3), .text = STR("because") }, unwatched);
	n->classes++;
}

static inline void random_put_type(struct random_world *w, struct random_rows *n, struct strbuf *out)
{
	const struct plan_type *t = &w->plan.types.data[1 + random_below(w, w->plan.types.len - 1)];
	struct run_type r = { .name = t->name, .loader = (uint8_t)random_below(w, 4) };
	struct str facts[2] = { t->interface, t->body };

	if (t->sort == PLAN_LAMBDA) {
		r.flags = RUN_HIDDEN | RUN_LAMBDA;
		r.host = t->host;
		r.ninterfaces = r.nbodies = 1;
	} else if (t->sort == PLAN_ARRAY) {
		r.flags = RUN_ARRAY;
	}
	run_put_type(out, &r, facts);
	n->types++;
}

static inline void random_put_cell(struct random_world *w, struct random_rows *n, struct strbuf *out)
{
	struct run_cell c = {.class = random_below(w, n->classes),
			     .site = random_below(w, 5),
			     .type = random_below(w, n->types),
			     .target = random_below(w, n->types + 1) - 1};

	run_put_cell(out, &c);
	n->cells++;
}

static inline void random_put_counts(struct random_world *w, struct random_rows *n, struct strbuf *out)
{
	struct run_count counts[64];
	uint32_t k = 0;

	for (uint32_t i = 0; i < n->cells && k < 64; i++)
		if (random_below(w, 2))
			counts[k++] = (struct run_count){ i, 1 + random_below(w, 1000) };
	run_put_counts(out, counts, k);
}

static inline void random_put_test(struct random_world *w, struct random_rows *n, struct strbuf *out)
{
	uint32_t cells[64], k = 0;

	for (uint32_t i = 0; i < n->cells && k < 64; i++)
		if (random_below(w, 3) == 0)
			cells[k++] = i;
	run_put_test(out, random_name(w, "t.Test.t", random_below(w, 4)), cells, k);
}

static inline void random_put(struct random_world *w, struct random_rows *n, struct strbuf *out)
{
	uint32_t what = random_below(w, 12);

	if (what < 2 || !n->classes)
		random_put_class(w, n, out);
	else if (what < 4 || !n->types)
		random_put_type(w, n, out);
	else if (what < 8)
		random_put_cell(w, n, out);
	else if (what < 10)
		random_put_counts(w, n, out);
	else if (what == 10)
		random_put_test(w, n, out);
	else if (random_below(w, 2))
		run_put_note(out, STR("the disk is full"));
	else
		run_put_parallel(out);
}

/* The file of a run with a given identity; equal arguments, equal bytes. */
static inline void random_run(struct random_world *w, uint8_t id, struct strbuf *out)
{
	struct random_rows n = { 0 };
	struct run r = { .id = { id }, .plan = w->plan.id, .start = 1700000000u + id, .pid = id, .jvm = STR("17.0.15") };
	uint64_t seed = w->seed;

	w->seed = id * 1000u;
	run_put_header(out);
	run_put_run(out, &r);
	for (uint32_t i = random_below(w, 40); i > 0; i--)
		random_put(w, &n, out);
	if (random_below(w, 4))
		run_put_end(out);
	w->seed = seed;
}

#endif
