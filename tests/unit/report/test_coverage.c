// SPDX-License-Identifier: Apache-2.0
// links: base formats/coverage coverage
/* test_coverage.c - a plan and runs put together: by example, and against a plain reference on random ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <cmocka.h>

#include "base/intern.h"
#include "coverage/coverage.h"
#include "../formats/random_coverage.h"

/* A small plan: p.A has sites 0 (with lambdas) and 1; p.B has site 2; p.C has none. */

enum {
	TYPE_ARRAY = 1, TYPE_CIRCLE, TYPE_L1, TYPE_L2, TYPE_L3, TYPE_SQUARE, TYPES
};

struct world {
	struct plan plan;
	struct strbuf plan_file;
	struct strbuf file;           /* of the agent */
	struct runs runs;
	struct coverage c;
};

static struct plan_type lambda(const char *name, const char *interface, const char *body)
{
	return (struct plan_type){.name = str_of(name),
				  .sort = PLAN_LAMBDA,
				  .host = STR("p.A"),
				  .interface = str_of(interface),
				  .body = str_of(body)};
}

static void add_types(struct plan *p)
{
	const struct plan_type types[TYPES] = {
		[TYPE_ARRAY] = { .name = STR("java.lang.Object[]"), .sort = PLAN_ARRAY },
		[TYPE_CIRCLE] = { .name = STR("p.Circle") },
		[TYPE_L1] = lambda("p.L1", "java.lang.Runnable", "p.A.m()V"),
		[TYPE_L2] = lambda("p.L2", "java.lang.Runnable", "p.A.m()V"),
		[TYPE_L3] = lambda("p.L3", "p.Shape", "p.A.n()V"),
		[TYPE_SQUARE] = { .name = STR("p.Square") },
	};

	for (uint32_t i = 0; i < TYPES; i++)
		vec_push(&p->types, types[i]);
}

static struct plan_range add_list(struct plan *p, const uint32_t *types, uint32_t n)
{
	struct plan_range r = { p->ids.len, n };

	for (uint32_t i = 0; i < n; i++)
		vec_push(&p->ids, types[i]);
	return r;
}
#define LIST(p, ...) \
	add_list((p), (const uint32_t[]){ __VA_ARGS__ }, sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

static void add_site(struct plan *p, uint32_t pc, struct plan_range rc, struct plan_range tm, uint32_t flags)
{
	vec_push(&p->sites, ((struct plan_site){.method = p->methods.len,
						.pc = pc,
						.flags = flags,
						.owner = STR("p.Shape"),
						.name = STR("area"),
						.desc = STR("()D"),
						.nth = pc,
						.of = 9,
						.rc = rc,
						.tm = tm}));
}

static void add_method(struct plan *p, uint32_t class, uint32_t nsites)
{
	vec_push(&p->methods, ((struct plan_method){ .class = class, .name = STR("run"), .desc = STR("()V"), .code = 5,
						     .first_site = p->sites.len - nsites, .nsites = nsites }));
}

static void make_plan(struct plan *p)
{
	*p = (struct plan){ .component = STR("p.**"), .criteria = PLAN_RC | PLAN_TM };
	add_types(p);
	vec_push(&p->classes, ((struct plan_class){ .name = STR("p.A"), .nmethods = 1, .nsites = 2 }));
	vec_push(&p->classes, ((struct plan_class){ .name = STR("p.B"), .first_method = 1, .nmethods = 1, .first_site = 2,
						    .nsites = 1 }));
	vec_push(&p->classes, ((struct plan_class){ .name = STR("p.C"), .first_method = 2, .first_site = 3 }));
	add_site(p, 0, LIST(p, TYPE_L1, TYPE_L2, TYPE_L3), LIST(p, TYPE_L1, TYPE_L2, TYPE_L3), 0);
	add_site(p, 1, LIST(p, TYPE_ARRAY, TYPE_CIRCLE, TYPE_L2, TYPE_SQUARE), LIST(p, TYPE_CIRCLE, TYPE_SQUARE), 0);
	add_method(p, 0, 2);
	add_site(p, 0, LIST(p, TYPE_CIRCLE, TYPE_SQUARE), LIST(p, TYPE_CIRCLE), PLAN_OPEN);
	add_method(p, 1, 1);
	vec_push(&p->others, STR("lib.Known"));
}

static void start(struct world *w)
{
	*w = (struct world){ 0 };
	make_plan(&w->plan);
	plan_write(&w->plan, &w->plan_file);
}

static void put_run_of(struct world *w, uint8_t id, uint64_t start_time, uint64_t plan)
{
	struct run r = { .id = { id }, .plan = plan, .start = start_time, .pid = 100u + id };

	run_put_header(&w->file);
	run_put_run(&w->file, &r);
}

static void put_run(struct world *w, uint8_t id)
{
	put_run_of(w, id, id, w->plan.id);
}

static void put_class_as(struct world *w, uint32_t class, uint8_t state, uint32_t missed, const char *text)
{
	const struct plan_class *c = &w->plan.classes.data[class];
	uint32_t sites[99];

	for (uint32_t i = 0; i < missed; i++)
		sites[i] = i;
	run_put_class(&w->file, &(struct run_class){ .name = c->name, .key = c->key, .state = state, .missed = missed,
						     .text = str_of(text) }, sites);
}

static void put_classes(struct world *w)
{
	put_class_as(w, 0, RUN_WATCHED, 0, "");
	put_class_as(w, 1, RUN_WATCHED, 0, "");
}

static void put_type(struct world *w, const char *name, uint8_t loader, uint8_t flags)
{
	run_put_type(&w->file, &(struct run_type){ .name = str_of(name), .loader = loader, .flags = flags }, NULL);
}

static void put_lambda(struct world *w, const char *name, const char *host, const char *interface, const char *body)
{
	struct str facts[] = { str_of(interface), STR("java.lang.Object.<init>()V"), str_of(body) };

	run_put_type(&w->file, &(struct run_type){ .name = str_of(name), .loader = RUN_APP, .flags = RUN_HIDDEN | RUN_LAMBDA,
						   .host = str_of(host), .ninterfaces = 1, .nbodies = 2 }, facts);
}

static void put_cell(struct world *w, uint32_t class, uint32_t site, uint32_t type, uint32_t target)
{
	run_put_cell(&w->file, &(struct run_cell){ .class = class, .site = site, .type = type, .target = target });
}

static void join(struct world *w)
{
	struct strbuf err = { 0 };

	if (w->file.len)
		assert_true(runs_read(&w->runs, (struct span){ (const uint8_t *)w->file.s, w->file.len }, &err));
	coverage_join(&w->c, &w->plan, &w->runs, NULL, NULL);
	strbuf_release(&err);
}

static void end(struct world *w)
{
	coverage_release(&w->c);
	runs_release(&w->runs);
	plan_release(&w->plan);
	strbuf_release(&w->plan_file);
	strbuf_release(&w->file);
}

static const struct cov_item *item(const struct world *w, uint32_t site, bool is_target, const char *name)
{
	const struct cov_site *s = &w->c.sites.data[site];
	struct cov_list r = s->of[is_target ? COV_TM : COV_RC];

	for (uint32_t i = 0; i < r.n; i++)
		if (str_is(w->c.items.data[r.first + i].name, name))
			return &w->c.items.data[r.first + i];
	fail_msg("no item %s at site %u", name, site);
	return NULL;
}

static uint64_t count_of(const struct world *w, uint32_t site, const char *name)
{
	return item(w, site, false, name)->count;
}

static bool has_note(const struct world *w, const char *text)
{
	for (uint32_t i = 0; i < w->c.notes.len; i++) {
		char buf[600];
		snprintf(buf, sizeof(buf), "%.*s", (int)w->c.notes.data[i].len, w->c.notes.data[i].p);
		if (strstr(buf, text))
			return true;
	}
	return false;
}

/* Receivers and targets */

static void test_names_are_joined(void **state)
{
	struct world w;

	(void)state;
	start(&w);
	put_run(&w, 1);
	put_classes(&w);
	put_type(&w, "p.Circle", RUN_APP, 0);
	put_type(&w, "[I", RUN_BOOT, RUN_ARRAY);
	put_type(&w, "p.Square", RUN_APP, 0);
	put_cell(&w, 0, 1, 0, 0);
	put_cell(&w, 0, 1, 1, UINT32_MAX);
	put_cell(&w, 1, 0, 0, 0);
	put_cell(&w, 1, 0, 2, 0);
	run_put_counts(&w.file, (struct run_count[]){ { 0, 10 }, { 2, 4 }, { 3, 5 } }, 3);
	run_put_end(&w.file);
	join(&w);
	assert_int_equal(count_of(&w, 1, "p.Circle"), 10);
	assert_int_equal(count_of(&w, 1, "java.lang.Object[]"), 1);
	assert_int_equal(count_of(&w, 1, "p.Square"), 0);
	assert_int_equal(item(&w, 2, true, "p.Circle")->count, 9);    /* the target of two receivers */
	assert_true(w.c.sites.data[1].count == 11 && w.c.sites.data[1].of[COV_RC].covered == 2 &&
		    w.c.sites.data[1].of[COV_TM].covered == 1);
	assert_true(w.c.sums.of[COV_RC].required == 9 && w.c.sums.of[COV_RC].covered == 4 && w.c.sums.of[COV_TM].required == 6);
	assert_true(w.c.sums.sites == 3 && w.c.sums.called_sites == 2 && w.c.sums.unexpected == 0 && w.c.sums.client == 0);
	assert_true(w.c.classes.data[1].sums.of[COV_RC].covered == 2 && w.c.classes.data[1].state == COV_WATCHED);
	assert_int_equal(w.c.notes.len, 0);
	end(&w);
}

static void test_lambdas_are_told_apart(void **state)
{
	struct world w;

	(void)state;
	start(&w);
	put_run(&w, 1);
	put_classes(&w);
	put_lambda(&w, "p.A$$Lambda$1", "p.A", "java.lang.Runnable",
		   "p.A.m()V"); /* L1 or L2: both count where they may be */
	put_lambda(&w, "p.A$$Lambda$2", "p.A", "p.Shape",                             /* the only one of its interface: L3 */
		   "java.lang.invoke.MethodHandle.invokeExact(Lp/A;)V");
	put_lambda(&w, "p.A$$Lambda$3", "p.A", "java.lang.Runnable", "p.A.other()V"); /* none of two */
	put_lambda(&w, "t.T$$Lambda$4", "t.T", "java.lang.Runnable", "p.A.m()V");     /* of a test */
	put_lambda(&w, "t.T$$Lambda$5", "t.T", "java.lang.Runnable", "p.A.m()V");     /* looks the same */
	for (uint32_t i = 0; i < 5; i++)
		put_cell(&w, 0, 0, i, i);
	put_cell(&w, 0, 1, 0, 0);
	run_put_end(&w.file);
	join(&w);
	assert_true(count_of(&w, 0, "p.L1") == 1 && count_of(&w, 0, "p.L2") == 1 && count_of(&w, 0, "p.L3") == 1);
	assert_int_equal(item(&w, 0, true, "p.L1")->count, 1);
	assert_int_equal(count_of(&w, 1, "p.L2"), 1);         /* L1 is not required there, so that it was L2 */
	const struct cov_item *none = item(&w, 0, false, "p.A$$Lambda(p.A.other()V)");
	assert_true(none->type == 0 && none->origin == COV_COMPONENT && none->count == 1);
	const struct cov_item *test = item(&w, 0, false, "t.T$$Lambda(p.A.m()V)");
	assert_true(test->type == 0 && test->origin == COV_CLIENT && test->count == 2);
	assert_true(w.c.sums.unexpected == 1 && w.c.sums.client == 1);
	/* at site 1 the target is unexpected: L1 and L2 are not among its targets */
	assert_true(item(&w, 1, true, "p.L1")->type == 0);
	end(&w);
}

static void test_origins(void **state)
{
	struct world w;

	(void)state;
	start(&w);
	put_run(&w, 1);
	put_classes(&w);
	put_type(&w, "p.C", RUN_APP, 0);
	put_type(&w, "lib.Known", RUN_APP, 0);
	put_type(&w, "java.util.Foo", RUN_BOOT, 0);
	put_type(&w, "java.sql.Foo", RUN_PLATFORM, 0);
	put_type(&w, "jdk.proxy2.$Proxy7", RUN_APP, RUN_PROXY);
	put_type(&w, "t.Hidden", RUN_APP, RUN_HIDDEN);
	put_type(&w, "t.Test$1", RUN_OTHER_LOADER, 0);
	for (uint32_t i = 0; i < 7; i++) {
		put_cell(&w, 0, 0, i, UINT32_MAX);
		put_cell(&w, 1, 0, i, UINT32_MAX);
	}
	join(&w);
	assert_int_equal(item(&w, 0, false, "p.C")->origin, COV_COMPONENT);
	assert_int_equal(item(&w, 0, false, "lib.Known")->origin, COV_LIBRARY);
	assert_int_equal(item(&w, 0, false, "java.util.Foo")->origin, COV_LIBRARY);
	assert_int_equal(item(&w, 0, false, "java.sql.Foo")->origin, COV_LIBRARY);
	assert_int_equal(item(&w, 0, false, "jdk.proxy2.$Proxy7")->origin, COV_GENERATED);
	assert_int_equal(item(&w, 0, false, "t.Hidden")->origin, COV_GENERATED);
	assert_int_equal(item(&w, 0, false, "t.Test$1")->origin, COV_CLIENT);
	assert_false(coverage_is_excused(&w.c, &w.c.sites.data[0], item(&w, 0, false, "p.C")));
	assert_true(coverage_is_excused(&w.c, &w.c.sites.data[0], item(&w, 0, false, "t.Test$1")));
	assert_true(coverage_is_excused(&w.c, &w.c.sites.data[2], item(&w, 2, false, "p.C")));        /* the site is open */
	assert_false(coverage_is_excused(&w.c, &w.c.sites.data[2], item(&w, 2, false, "p.Circle")));  /* not unexpected */
	assert_true(coverage_is_excused(&w.c, &w.c.sites.data[0], item(&w, 0, false, "jdk.proxy2.$Proxy7")));
	assert_true(coverage_is_excused(&w.c, &w.c.sites.data[0], item(&w, 0, false, "t.Hidden")));
	assert_true(w.c.sums.unexpected == 4 && w.c.sums.client == 10);
	w.plan.sites.data[0].flags = PLAN_CLIENT;
	assert_false(coverage_is_excused(&w.c, &w.c.sites.data[0], item(&w, 0, false, "java.util.Foo")));
	end(&w);
}

static void test_only_what_was_asked(void **state)
{
	struct world w;

	(void)state;
	start(&w);
	w.plan.criteria = PLAN_RC;
	put_run(&w, 1);
	put_classes(&w);
	put_type(&w, "p.Circle", RUN_APP, 0);
	put_cell(&w, 0, 1, 0, 0);
	join(&w);
	assert_true(w.c.sums.of[COV_TM].required == 0 && w.c.sites.data[1].of[COV_TM].n == 0 && w.c.sums.of[COV_RC].covered == 1);
	end(&w);
}

/* Lambdas that mention more than what they run, or less. */
static void test_lambdas_are_not_mixed_up(void **state)
{
	static const struct str facts[] = { STR("java.lang.Runnable"), STR("java.lang.Integer.intValue()I"), STR("p.A.other()V") };
	struct run_type twice = { .name = STR("p.A$$Lambda$2"), .flags = RUN_HIDDEN | RUN_LAMBDA, .host = STR("p.A"),
				  .ninterfaces = 1, .nbodies = 2 };
	struct run_type bare = { .name = STR("p.A$$Lambda$3"), .flags = RUN_HIDDEN | RUN_LAMBDA, .host = STR("p.A"),
				 .ninterfaces = 1, .nbodies = 0 };
	struct world w;

	(void)state;
	start(&w);
	w.plan.types.data[TYPE_L1].body = STR("java.lang.Integer.intValue()I");
	w.plan.types.data[TYPE_L2].body = STR("java.lang.Object.<init>()V");
	put_run(&w, 1);
	put_classes(&w);
	run_put_type(&w.file, &twice, facts);         /* runs other(), and converts: it is not L1 */
	put_lambda(&w, "p.A$$Lambda$4", "p.A", "p.Shape", "p.A.third()V");   /* not L3, though there is no other of its interface */
	put_cell(&w, 0, 0, 0, 0);
	put_cell(&w, 0, 0, 1, 1);
	run_put_type(&w.file, &bare, facts);          /* Object::new: L2 */
	put_cell(&w, 0, 0, 2, 2);
	join(&w);
	assert_true(count_of(&w, 0, "p.L1") == 0 && count_of(&w, 0, "p.L2") == 1 && count_of(&w, 0, "p.L3") == 0);
	assert_int_equal(w.c.sums.unexpected, 2);
	put_lambda(&w, "p.A$$Lambda$5", "p.A", "java.lang.Runnable", "java.lang.Integer.intValue()I");
	put_cell(&w, 0, 0, 3, 3);
	coverage_release(&w.c);
	runs_release(&w.runs);
	w.runs = (struct runs){ 0 };
	join(&w);
	assert_true(count_of(&w, 0, "p.L1") == 1 && count_of(&w, 0, "p.L2") == 1);
	end(&w);
}

/* What the component's author acts on: its classes, and lambdas in them. */
static void test_own(void **state)
{
	struct world w;

	(void)state;
	start(&w);
	w.plan.types.data[TYPE_CIRCLE].name = STR("p.B");     /* in the order of names, it could be */
	put_run(&w, 1);
	put_classes(&w);
	put_type(&w, "p.B", RUN_APP, 0);
	put_lambda(&w, "p.A$$Lambda$2", "p.A", "p.Shape", "p.A.n()V");
	put_type(&w, "p.Square", RUN_APP, 0);
	put_type(&w, "p.C", RUN_APP, 0);
	put_cell(&w, 0, 1, 0, 0);
	put_cell(&w, 0, 0, 1, 1);
	put_cell(&w, 0, 1, 2, 2);
	put_cell(&w, 0, 1, 3, 3);
	join(&w);
	/* site 0: three lambdas of p.A; site 1: p.B and a lambda, not arrays and p.Square; site 2: p.B, not p.Square */
	assert_true(w.c.sums.of[COV_OWN].required == 6 && w.c.sums.of[COV_OWN].covered == 2);
	assert_true(w.c.classes.data[0].sums.of[COV_OWN].required == 5 && w.c.classes.data[1].sums.of[COV_OWN].required == 1);
	assert_true(item(&w, 1, false, "p.B")->is_own && item(&w, 0, false, "p.L3")->is_own);
	assert_true(item(&w, 1, false, "p.C")->is_own && !item(&w, 1, false, "p.Square")->is_own);
	end(&w);
}

/* States and notes */

static void test_nothing_ran(void **state)
{
	struct world w;

	(void)state;
	start(&w);
	join(&w);
	assert_true(has_note(&w, "no JVM wrote data"));
	assert_int_equal(w.c.classes.data[0].state, COV_NOT_LOADED);
	assert_true(!w.c.sites.data[0].is_watched && w.c.sums.of[COV_RC].required == 9 && w.c.sums.of[COV_RC].covered == 0);
	end(&w);
	start(&w);
	put_run(&w, 1);
	run_put_end(&w.file);
	put_run(&w, 2);
	run_put_end(&w.file);
	join(&w);
	assert_false(coverage_has_loaded(&w.c));
	assert_true(str_starts(w.c.notes.data[0], "the agent ran in 2 JVMs, but none of them loaded a class of the component"));
	end(&w);
}

static void test_stale_classes_are_named(void **state)
{
	struct world w;

	(void)state;
	start(&w);
	put_run_of(&w, 1, 1, 12345);
	run_put_class(&w.file, &(struct run_class){ .name = STR("p.A"), .key = 1 }, NULL);
	run_put_class(&w.file, &(struct run_class){ .name = STR("q.Alien"), .key = 1 }, NULL);
	put_class_as(&w, 1, RUN_WATCHED, 0, "");
	put_type(&w, "p.Circle", RUN_APP, 0);
	put_cell(&w, 0, 1, 0, 0);
	put_cell(&w, 1, 0, 0, 0);
	put_cell(&w, 2, 0, 0, 0);
	put_cell(&w, 2, 1, 0, 0);
	run_put_end(&w.file);
	join(&w);
	assert_int_equal(w.c.classes.data[0].state, COV_STALE);
	assert_int_equal(w.c.classes.data[0].unwatched, 2);
	assert_true(w.c.sites.data[1].count == 0 && !w.c.sites.data[1].is_watched);
	assert_true(w.c.classes.data[1].state == COV_WATCHED && w.c.sums.of[COV_RC].covered == 1);
	assert_true(has_note(&w, "data of 1 class was made with a plan for other class files and does not count; run "
				 "the tests again: p.A"));
	assert_true(has_note(&w, "data of 1 class is not of this plan and does not count: q.Alien"));
	assert_true(has_note(&w, "1 of 1 JVM ran with another plan"));
	assert_true(has_note(&w, "data of 1 call that the plan does not have"));
	end(&w);
}

static void test_many_names_are_cut(void **state)
{
	struct world w;
	char name[16];

	(void)state;
	start(&w);
	put_run(&w, 1);
	for (int i = 0; i < 13; i++) {
		snprintf(name, sizeof(name), "q.K%02d", i);
		run_put_class(&w.file, &(struct run_class){ .name = str_of(name) }, NULL);
	}
	join(&w);
	assert_true(has_note(&w, "q.K08, q.K09 and 3 more"));
	end(&w);
}

/* The first `missed` sites are not watched. */
static void assert_state(enum cov_state want, uint32_t unwatched, uint8_t state, uint32_t missed)
{
	struct world w;

	start(&w);
	put_run(&w, 1);
	put_class_as(&w, 0, state, missed, "too long");
	join(&w);
	assert_int_equal(w.c.classes.data[0].state, want);
	assert_int_equal(w.c.classes.data[0].unwatched, unwatched);
	assert_int_equal(w.c.sites.data[0].is_watched, unwatched == 0);
	assert_int_equal(w.c.sites.data[1].is_watched, unwatched < 2);
	assert_true(str_is(w.c.classes.data[0].text, want == COV_PARTLY ? "too long" : ""));
	end(&w);
}

static void test_states(void **state)
{
	(void)state;
	assert_state(COV_WATCHED, 0, RUN_WATCHED, 0);
	assert_state(COV_MATCHED, 0, RUN_MATCHED, 0);
	assert_state(COV_PARTLY, 1, RUN_MATCHED, 1);
	assert_state(COV_OTHER, 2, RUN_MATCHED, 2);
	assert_state(COV_OTHER, 2, RUN_OTHER, 2);
	assert_state(COV_OTHER, 2, RUN_OTHER, 0);
	assert_state(COV_PARTLY, 1, RUN_FAILED, 1);
	assert_state(COV_PARTLY, 2, RUN_FAILED, 99);
}

/* Loads complete each other; what was called was watched. */
static void test_loads_add_up(void **state)
{
	struct world w;

	(void)state;
	start(&w);
	put_run(&w, 1);
	put_class_as(&w, 0, RUN_FAILED, 1, "one");
	join(&w);
	assert_true(!w.c.sites.data[0].is_watched && w.c.sites.data[1].is_watched);
	end(&w);
	start(&w);
	put_run(&w, 1);
	put_class_as(&w, 0, RUN_FAILED, 1, "one");
	run_put_class(&w.file, &(struct run_class){ .name = STR("p.A"), .key = w.plan.classes.data[0].key, .state = RUN_FAILED,
						    .missed = 1, .text = STR("other") }, (uint32_t[]){ 1 });
	join(&w);
	assert_true(w.c.sites.data[0].is_watched && w.c.sites.data[1].is_watched);
	assert_true(w.c.classes.data[0].state == COV_MATCHED && w.c.classes.data[0].unwatched == 0);
	end(&w);
	start(&w);
	put_run(&w, 1);
	put_class_as(&w, 0, RUN_FAILED, 2, "all");
	put_type(&w, "p.Circle", RUN_APP, 0);
	put_cell(&w, 0, 1, 0, 0);
	join(&w);
	assert_true(!w.c.sites.data[0].is_watched && w.c.sites.data[1].is_watched && w.c.classes.data[0].unwatched == 1);
	end(&w);
}

static void test_best_load_counts(void **state)
{
	struct world w;

	(void)state;
	start(&w);
	put_run(&w, 1);
	put_class_as(&w, 0, RUN_OTHER, 2, "");
	put_class_as(&w, 0, RUN_FAILED, 1, "because");
	put_class_as(&w, 1, RUN_OTHER, 2, "");
	put_class_as(&w, 1, RUN_WATCHED, 0, "");
	join(&w);
	assert_true(w.c.classes.data[0].state == COV_PARTLY && w.c.classes.data[0].unwatched == 1);
	assert_true(str_is(w.c.classes.data[0].text, "because"));
	assert_int_equal(w.c.classes.data[1].state, COV_WATCHED);
	assert_int_equal(w.c.classes.data[2].state, COV_WATCHED);     /* nothing to watch */
	assert_true(has_note(&w, "1 class was loaded several times, and not all calls of each could be watched: p.B"));
	end(&w);
}

static void test_notes_of_runs(void **state)
{
	struct world w;

	(void)state;
	start(&w);
	put_run(&w, 1);
	run_put_note(&w.file, STR("the disk is full"));
	run_put_end(&w.file);
	put_run(&w, 2);
	run_put_note(&w.file, STR("the disk is full"));
	run_put_parallel(&w.file);
	put_run(&w, 3);
	put_classes(&w);
	strbuf_adds(&w.file, "garbage");
	join(&w);
	assert_int_equal(w.runs.runs.len, 3);
	assert_true(has_note(&w, "1 of 3 JVMs left data that is cut off or damaged"));
	assert_true(has_note(&w, "process 103"));
	assert_true(has_note(&w, "1 of 3 JVMs did not come to an end"));
	assert_true(has_note(&w, "process 102"));
	assert_true(has_note(&w, "the disk is full (2 times)"));
	assert_true(has_note(&w, "ran tests at the same time"));
	end(&w);
}

/* Tests */

static void put_tested_run(struct world *w, uint8_t id, uint64_t start_time)
{
	put_run_of(w, id, start_time, w->plan.id);
	put_classes(w);
	put_type(w, "p.Circle", RUN_APP, 0);
	put_type(w, "p.Square", RUN_APP, 0);
	put_cell(w, 0, 1, 0, 0);
	put_cell(w, 0, 1, 1, 1);
	put_cell(w, 1, 0, 1, 0);
}

static void test_tests(void **state)
{
	struct world w;

	(void)state;
	start(&w);
	put_tested_run(&w, 1, 2000);          /* the later run has the smaller identity */
	run_put_test(&w.file, STR("late"), (uint32_t[]){ 0, 1 }, 2);
	run_put_test(&w.file, STR("first"), (uint32_t[]){ 2 }, 1);
	put_tested_run(&w, 2, 1000);
	run_put_test(&w.file, STR("first"), (uint32_t[]){ 0 }, 1);
	run_put_test(&w.file, STR("lazy"), NULL, 0);
	join(&w);
	assert_int_equal(w.c.tests.len, 3);
	const struct cov_test *t = w.c.tests.data;
	assert_true(str_is(t[0].name, "first") && str_is(t[1].name, "lazy") && str_is(t[2].name, "late"));
	/* first: Circle at site 1 (receiver, target), Square at site 2 and its target Circle; late: Circle and Square
	 * at site 1 */
	assert_true(t[0].of[COV_RC] == 2 && t[0].of[COV_TM] == 2 && t[0].fresh == 4 && t[0].alone == 2);
	assert_true(t[1].of[COV_RC] == 0 && t[1].of[COV_TM] == 0 && t[1].fresh == 0 && t[1].alone == 0);
	assert_true(t[2].of[COV_RC] == 2 && t[2].of[COV_TM] == 2 && t[2].fresh == 2 && t[2].alone == 2);
	const struct cov_item *circle = item(&w, 1, false, "p.Circle");
	assert_int_equal(circle->ntests, 2);
	assert_true(w.c.item_tests.data[circle->first_test] == 0 && w.c.item_tests.data[circle->first_test + 1] == 2);
	end(&w);
}

/* Against a plain reference: for every item, look through all cells of all runs. */

static bool may_be(const struct plan *p, const struct run *r, const struct run_type *t, uint32_t type)
{
	const struct plan_type *x = &p->types.data[type];

	if (t->flags & RUN_ARRAY)
		return x->sort == PLAN_ARRAY;
	if (!(t->flags & RUN_LAMBDA))
		return x->sort == PLAN_CLASS && str_eq(x->name, t->name);
	return x->sort == PLAN_LAMBDA && str_eq(x->host, t->host) && str_eq(x->interface, r->facts.data[t->first_fact]) &&
	       str_eq(x->body, r->facts.data[t->first_fact + 1]);
}

static uint64_t reference_count(const struct coverage *c, uint32_t site, bool is_target, uint32_t type)
{
	const struct plan *p = c->plan;
	const struct plan_class *k = &p->classes.data[p->methods.data[p->sites.data[site].method].class];
	uint64_t sum = 0;

	for (uint32_t i = 0; i < c->runs->runs.len; i++) {
		const struct run *r = &c->runs->runs.data[i];
		for (uint32_t n = 0; n < r->cells.len; n++) {
			const struct run_cell *x = &r->cells.data[n];
			uint32_t t = is_target ? x->target : x->type;
			bool here = str_eq(r->classes.data[x->class].name, k->name) && k->first_site + x->site == site &&
				    x->site < k->nsites;
			if (here && t != UINT32_MAX && may_be(p, r, &r->types.data[t], type))
				sum += x->count;
		}
	}
	return sum;
}

static void check_list(const struct coverage *c, uint32_t site, bool is_target)
{
	const struct cov_site *s = &c->sites.data[site];
	const struct plan_site *p = &c->plan->sites.data[site];
	struct plan_range want = is_target ? p->tm : p->rc;
	struct cov_list got = s->of[is_target ? COV_TM : COV_RC];
	uint32_t n = got.required, covered = 0;

	assert_int_equal(n, c->plan->criteria & (is_target ? PLAN_TM : PLAN_RC) ? want.n : 0);
	for (uint32_t i = 0; i < n; i++) {
		const struct cov_item *x = &c->items.data[got.first + i];
		assert_int_equal(x->type, c->plan->ids.data[want.first + i]);
		assert_true(x->count == reference_count(c, site, is_target, x->type));
		covered += x->count > 0;
	}
	for (uint32_t i = n; i < got.n; i++) {
		const struct cov_item *x = &c->items.data[got.first + i];
		assert_true(x->type == 0 && x->count > 0);
		assert_true(i == n || str_cmp(x[-1].name, x->name) < 0 || x[-1].origin < x->origin);
	}
	assert_int_equal(covered, got.covered);
}

/* The ladder: what each rung counts, told apart by a text, each text once. */

struct rung {
	struct interner keys;
	VEC(bool) covered;            /* by id */
};

static void count_for(struct rung *r, const char *text, bool is_covered)
{
	uint32_t id = intern(&r->keys, str_of(text)).i;

	while (r->covered.len <= id)
		vec_push(&r->covered, false);
	r->covered.data[id] |= is_covered;
}

static bool is_in(const struct plan *p, struct plan_range list, uint32_t type)
{
	for (uint32_t i = 0; i < list.n; i++)
		if (p->ids.data[list.first + i] == type)
			return true;
	return false;
}

static void climb(const struct coverage *c, uint32_t site, struct rung *rungs)
{
	const struct plan_site *s = &c->plan->sites.data[site];
	const struct cov_list *of = c->sites.data[site].of;
	char text[200];

	for (uint32_t i = of[COV_TM].first; i < of[COV_TM].first + of[COV_TM].required; i++) {
		const struct cov_item *x = &c->items.data[i];
		if (!is_in(c->plan, s->own_targets, x->type))
			continue;
		snprintf(text, sizeof text, "%u as %.*s", x->type, (int)s->declares.len, s->declares.p);
		count_for(&rungs[COV_IMPLEMENTATIONS], text, x->count > 0);
		snprintf(text, sizeof text, "%u as %.*s from %u", x->type, (int)s->declares.len, s->declares.p, s->method);
		count_for(&rungs[COV_CALLERS], text, x->count > 0);
		snprintf(text, sizeof text, "%u at %u", x->type, site);
		count_for(&rungs[COV_TARGETS], text, x->count > 0);
	}
	for (uint32_t i = of[COV_RC].first; i < of[COV_RC].first + of[COV_RC].required; i++) {
		snprintf(text, sizeof text, "%u at %u", c->items.data[i].type, site);
		if (is_in(c->plan, s->own, c->items.data[i].type))
			count_for(&rungs[COV_RECEIVERS], text, c->items.data[i].count > 0);
	}
}

/* Both as texts say, and all classes together are all. */
static void check_ladder(const struct coverage *c)
{
	struct rung rungs[COV_RECEIVERS + 1] = { 0 };

	for (uint32_t k = 0; k <= COV_RECEIVERS; k++)
		interner_init(&rungs[k].keys);
	for (uint32_t i = 0; i < c->sites.len && (c->plan->criteria & PLAN_LADDER); i++)
		climb(c, i, rungs);
	for (uint32_t k = 0; k <= COV_RECEIVERS; k++) {
		uint64_t covered = 0;
		struct cov_counts sum = { 0 };
		for (uint32_t i = 1; i < rungs[k].keys.strings.len; i++)
			covered += rungs[k].covered.data[i];
		for (uint32_t i = 0; i < c->classes.len; i++) {
			sum.required += c->classes.data[i].sums.of[k].required;
			sum.covered += c->classes.data[i].sums.of[k].covered;
		}
		assert_true(sum.required == c->sums.of[k].required && sum.covered == c->sums.of[k].covered);
		assert_int_equal(sum.required, rungs[k].keys.strings.len - 1);
		assert_int_equal(sum.covered, covered);
		interner_release(&rungs[k].keys);
		vec_release(&rungs[k].covered);
	}
}

static void test_random_worlds(void **state)
{
	(void)state;
	for (uint32_t seed = 0; seed < 60; seed++) {
		struct random_world w;
		struct strbuf file = { 0 }, err = { 0 };
		struct runs runs = { 0 };
		struct coverage c;
		uint64_t rc = 0, alone = 0, fresh = 0, covered = 0;

		random_world_init(&w, seed);
		plan_write(&w.plan, &file);
		strbuf_clear(&file);
		for (uint8_t id = 0; id < 5; id++)
			random_run(&w, (uint8_t)(seed + id * 50), &file);
		assert_true(runs_read(&runs, (struct span){ (const uint8_t *)file.s, file.len }, &err));
		coverage_join(&c, &w.plan, &runs, NULL, NULL);
		for (uint32_t i = 0; i < c.sites.len; i++) {
			check_list(&c, i, false);
			check_list(&c, i, true);
			rc += c.sites.data[i].of[COV_RC].required;
		}
		assert_int_equal(rc, c.sums.of[COV_RC].required);
		check_ladder(&c);
		for (uint32_t i = 0; i < c.items.len; i++) {
			covered += c.items.data[i].type && c.items.data[i].ntests > 0;
			alone += c.items.data[i].type && c.items.data[i].ntests == 1;
			assert_true(c.items.data[i].ntests == 0 || c.items.data[i].count > 0);
			for (uint32_t k = 1; k < c.items.data[i].ntests; k++)
				assert_true(c.item_tests.data[c.items.data[i].first_test + k - 1] <
					    c.item_tests.data[c.items.data[i].first_test + k]);
		}
		for (uint32_t i = 0; i < c.tests.len; i++) {
			fresh += c.tests.data[i].fresh;
			alone -= c.tests.data[i].alone;
		}
		assert_true(fresh == covered && alone == 0);
		coverage_release(&c);
		runs_release(&runs);
		strbuf_release(&file);
		strbuf_release(&err);
		random_world_release(&w);
	}
}

/* Percent */

static void test_permille(void **state)
{
	(void)state;
	assert_int_equal(coverage_permille((struct cov_counts){ .required = 0, .covered = 0 }), 1000);
	assert_int_equal(coverage_permille((struct cov_counts){ .required = 3, .covered = 2 }), 666);
	/* not all is never 100 % */
	assert_int_equal(coverage_permille((struct cov_counts){ .required = 2000000, .covered = 1999999 }), 999);
	assert_int_equal(coverage_permille((struct cov_counts){ .required = 7, .covered = 7 }), 1000);
	assert_int_equal(coverage_permille((struct cov_counts){ .required = 7, .covered = 7, .alarms = 1 }), 999);
	assert_int_equal(coverage_permille((struct cov_counts){ .required = 0, .covered = 0, .alarms = 1 }), 1000);
	assert_int_equal(coverage_permille((struct cov_counts){ .required = UINT64_MAX, .covered = UINT64_MAX / 2 }), 500);
}

/* Differences */

static void put_seen(struct world *w, const char *type)
{
	put_run(w, 1);
	put_classes(w);
	put_type(w, type, RUN_APP, 0);
	put_cell(w, 1, 0, 0, 0);
}

static void test_diff(void **state)
{
	struct world old, new;
	struct cov_diff d;

	(void)state;
	start(&old);
	start(&new);
	put_seen(&old, "p.Circle");
	/* in the new plan the call of p.B moved, p.A lost its second call, and p.B got another one */
	new.plan.sites.data[2].pc = 7;
	new.plan.sites.data[2].nth = 0;
	new.plan.sites.data[1].name = STR("perimeter");
	plan_write(&new.plan, &new.plan_file);
	put_seen(&new, "p.Square");
	join(&old);
	join(&new);
	coverage_diff(&d, &old.c, &new.c);
	/* p.B: Circle lost, Square gained, target Circle lost; p.A: 4 + 2 gone, 4 + 2 new; 3 + 3 the same */
	assert_true(d.counts[COV_LOST] == 2 && d.counts[COV_GAINED] == 1 && d.counts[COV_SAME] == 6);
	assert_true(d.counts[COV_GONE] == 6 && d.counts[COV_NEW_MISSED] == 6 && d.counts[COV_NEW_COVERED] == 0);
	assert_int_equal(d.rows.len, 15);
	const struct cov_diff_row *last = &d.rows.data[d.rows.len - 1];
	assert_true(last->criterion == COV_TM && last->change == COV_LOST && str_is(last->name, "p.Circle"));
	assert_true(last->old_site == 2 && last->new_site == 2);
	assert_true(d.rows.data[0].new_site == UINT32_MAX && d.rows.data[0].change == COV_GONE);
	coverage_diff_release(&d);
	coverage_diff(&d, &old.c, &old.c);
	assert_true(d.rows.len == 0 && d.counts[COV_SAME] == 15);
	coverage_diff_release(&d);
	end(&old);
	end(&new);
}

/* A call that is watched no more must not be taken for the one behind it that looks the same. */
static void test_diff_counts_calls(void **state)
{
	struct world old, new;
	struct cov_diff d;

	(void)state;
	start(&old);
	start(&new);
	new.plan.classes.data[0].nsites = new.plan.methods.data[0].nsites = 1;
	for (uint32_t i = 1; i < 3; i++)
		new.plan.sites.data[i - 1] = new.plan.sites.data[i];
	new.plan.sites.len = 2;
	new.plan.classes.data[1].first_site = new.plan.methods.data[1].first_site = 1;
	new.plan.sites.data[1].method = 1;
	new.plan.classes.data[2].first_site = 2;
	plan_write(&new.plan, &new.plan_file);
	join(&old);
	join(&new);
	coverage_diff(&d, &old.c, &new.c);
	assert_true(d.counts[COV_SAME] == 9 && d.counts[COV_GONE] == 6 && d.rows.len == 6);
	assert_true(d.rows.data[0].old_site == 0 && d.rows.data[0].new_site == UINT32_MAX);
	coverage_diff_release(&d);
	end(&old);
	end(&new);
}

/* Size: 50,000 sites with 20 receivers each, 5,000 tests */

enum { BIG_CLASSES = 500, BIG_SITES = 100, BIG_TYPES = 4000, BIG_LIST = 20, BIG_TESTS = 5000, BIG_PER_TEST = 400 };

static void make_big_plan(struct random_world *w)
{
	struct plan *p = &w->plan;

	*w = (struct random_world){ 0 };
	arena_init(&w->mem);
	p->criteria = PLAN_RC | PLAN_TM;
	vec_push(&p->types, (struct plan_type){ 0 });
	for (uint32_t i = 0; i < BIG_TYPES; i++)
		vec_push(&p->types, (struct plan_type){ .name = random_name(w, "p.some.package.T", 10000 + i) });
	for (uint32_t i = 0; i < BIG_CLASSES; i++) {
		vec_push(&p->classes, ((struct plan_class){.name = random_name(w, "p.K", 1000 + i),
							   .first_method = i,
							   .nmethods = 1,
							   .first_site = i * BIG_SITES,
							   .nsites = BIG_SITES}));
		vec_push(&p->methods, ((struct plan_method){ .class = i, .name = STR("m"), .desc = STR("()V"),
							     .first_site = i * BIG_SITES, .nsites = BIG_SITES }));
		for (uint32_t k = 0; k < BIG_SITES; k++) {
			uint32_t from = 1 + random_below(w, BIG_TYPES - BIG_LIST);
			struct plan_range list = { p->ids.len, BIG_LIST };
			for (uint32_t n = 0; n < BIG_LIST; n++)
				vec_push(&p->ids, from + n);
			vec_push(&p->sites, ((struct plan_site){.method = i,
								.pc = k,
								.owner = STR("p.O"),
								.name = STR("x"),
								.desc = STR("()V"),
								.nth = k,
								.of = BIG_SITES,
								.rc = list,
								.tm = list}));
		}
	}
}

static void put_big_run(struct random_world *w, struct strbuf *out)
{
	uint32_t ncells = 0, cells[BIG_PER_TEST];

	run_put_header(out);
	run_put_run(out, &(struct run){ .id = { 1 }, .plan = w->plan.id });
	for (uint32_t i = 0; i < BIG_CLASSES; i++)
		run_put_class(out, &(struct run_class){ .name = w->plan.classes.data[i].name,
						       .key = w->plan.classes.data[i].key }, NULL);
	for (uint32_t i = 1; i < w->plan.types.len; i++)
		run_put_type(out, &(struct run_type){ .name = w->plan.types.data[i].name }, NULL);
	for (uint32_t i = 0; i < w->plan.sites.len; i++)
		for (uint32_t k = 0; k < 5; k++, ncells++) {
			uint32_t t = w->plan.ids.data[w->plan.sites.data[i].rc.first + k * 3] - 1;
			run_put_cell(out,
				     &(struct run_cell){
					     .class = i / BIG_SITES, .site = i % BIG_SITES, .type = t, .target = t});
		}
	for (uint32_t i = 0; i < BIG_TESTS; i++) {
		uint32_t at = 0;
		for (uint32_t k = 0; k < BIG_PER_TEST; k++)
			cells[k] = at += 1 + random_below(w, ncells / BIG_PER_TEST - 1);
		run_put_test(out, random_name(w, "t.Test.m", i), cells, BIG_PER_TEST);
	}
	run_put_end(out);
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void test_large(void **state)
{
	struct random_world w;
	struct strbuf plan = { 0 }, file = { 0 }, err = { 0 };
	struct plan back;
	struct runs runs = { 0 };
	struct arena mem;
	struct coverage c;

	(void)state;
	make_big_plan(&w);
	arena_init(&mem);
	double t0 = seconds();
	plan_write(&w.plan, &plan);
	put_big_run(&w, &file);
	double t1 = seconds();
	assert_true(plan_read(&back, (struct span){ (const uint8_t *)plan.s, plan.len }, &mem, &err));
	double t2 = seconds();
	assert_true(runs_read(&runs, (struct span){ (const uint8_t *)file.s, file.len }, &err));
	double t3 = seconds();
	coverage_join(&c, &back, &runs, NULL, NULL);
	double t4 = seconds();
	print_message(
		"plan %zu bytes, data %zu bytes; write %.3f, read plan %.3f, read data %.3f, join %.3f s of CPU\n",
		plan.len, file.len, t1 - t0, t2 - t1, t3 - t2, t4 - t3);
	assert_true(c.sums.of[COV_RC].required == 1000000 && c.sums.of[COV_RC].covered == 250000 && c.tests.len == BIG_TESTS);
	assert_true(c.tests.data[7].of[COV_RC] == BIG_PER_TEST && c.sums.unexpected == 0);
	assert_true(t4 - t1 < 10);            /* it takes some 0.5 s; sanitizers take more */
	coverage_release(&c);
	runs_release(&runs);
	plan_release(&back);
	arena_release(&mem);
	strbuf_release(&plan);
	strbuf_release(&file);
	strbuf_release(&err);
	random_world_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_are_joined),
		cmocka_unit_test(test_lambdas_are_told_apart),
		cmocka_unit_test(test_lambdas_are_not_mixed_up),
		cmocka_unit_test(test_origins),
		cmocka_unit_test(test_only_what_was_asked),
		cmocka_unit_test(test_own),
		cmocka_unit_test(test_nothing_ran),
		cmocka_unit_test(test_stale_classes_are_named),
		cmocka_unit_test(test_many_names_are_cut),
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_loads_add_up),
		cmocka_unit_test(test_best_load_counts),
		cmocka_unit_test(test_notes_of_runs),
		cmocka_unit_test(test_tests),
		cmocka_unit_test(test_random_worlds),
		cmocka_unit_test(test_permille),
		cmocka_unit_test(test_diff),
		cmocka_unit_test(test_diff_counts_calls),
		cmocka_unit_test(test_large),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
