// SPDX-License-Identifier: Apache-2.0
// links: base formats/coverage
/* test_plan.c - what is written is read; what is damaged is refused with a reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/digest.h"
#include "formats/coverage/plan.h"
#include "random_coverage.h"

static struct span span_of(const struct strbuf *b)
{
	return (struct span){ (const uint8_t *)b->s, b->len };
}

static void assert_str(struct str a, struct str b)
{
	assert_int_equal(a.len, b.len);
	if (a.len)
		assert_memory_equal(a.p, b.p, a.len);
}

static void assert_ids(const struct plan *a, struct plan_range x, const struct plan *b, struct plan_range y)
{
	assert_int_equal(x.n, y.n);
	for (uint32_t i = 0; i < x.n; i++)
		assert_int_equal(a->ids.data[x.first + i], b->ids.data[y.first + i]);
}

static void assert_types(const struct plan *a, const struct plan *b)
{
	assert_int_equal(a->types.len, b->types.len);
	for (uint32_t i = 0; i < a->types.len; i++) {
		const struct plan_type *x = &a->types.data[i], *y = &b->types.data[i];
		assert_str(x->name, y->name);
		assert_int_equal(x->sort, y->sort);
		assert_str(x->host, y->host);
		assert_str(x->interface, y->interface);
		assert_str(x->body, y->body);
	}
}

static void assert_classes(const struct plan *a, const struct plan *b)
{
	assert_int_equal(a->classes.len, b->classes.len);
	for (uint32_t i = 0; i < a->classes.len; i++) {
		const struct plan_class *x = &a->classes.data[i], *y = &b->classes.data[i];
		assert_str(x->name, y->name);
		assert_str(x->source, y->source);
		assert_true(x->key == y->key && x->is_jdk == y->is_jdk);
		assert_true(x->first_method == y->first_method && x->nmethods == y->nmethods);
		assert_true(x->first_site == y->first_site && x->nsites == y->nsites);
	}
	assert_int_equal(a->methods.len, b->methods.len);
	for (uint32_t i = 0; i < a->methods.len; i++) {
		const struct plan_method *x = &a->methods.data[i], *y = &b->methods.data[i];
		assert_str(x->name, y->name);
		assert_str(x->desc, y->desc);
		assert_true(x->class == y->class && x->code == y->code);
		assert_true(x->first_site == y->first_site && x->nsites == y->nsites);
	}
}

static void assert_sites(const struct plan *a, const struct plan *b)
{
	assert_int_equal(a->sites.len, b->sites.len);
	for (uint32_t i = 0; i < a->sites.len; i++) {
		const struct plan_site *x = &a->sites.data[i], *y = &b->sites.data[i];
		assert_true(x->method == y->method && x->pc == y->pc && x->line == y->line && x->flags == y->flags);
		assert_true(x->nth == y->nth && x->of == y->of);
		assert_str(x->owner, y->owner);
		assert_str(x->name, y->name);
		assert_str(x->desc, y->desc);
		assert_ids(a, x->rc, b, y->rc);
		assert_ids(a, x->tm, b, y->tm);
	}
}

static void assert_plans(const struct plan *a, const struct plan *b)
{
	assert_str(a->component, b->component);
	assert_str(a->interface, b->interface);
	assert_str(a->clients, b->clients);
	assert_str(a->algorithm, b->algorithm);
	assert_str(a->assume, b->assume);
	assert_str(a->class_path, b->class_path);
	assert_str(a->jdk, b->jdk);
	assert_str(a->version, b->version);
	assert_true(a->criteria == b->criteria && a->id == b->id);
	assert_types(a, b);
	assert_classes(a, b);
	assert_sites(a, b);
	assert_int_equal(a->others.len, b->others.len);
	for (uint32_t i = 0; i < a->others.len; i++)
		assert_str(a->others.data[i], b->others.data[i]);
}

static void assert_found(const struct plan *p)
{
	for (uint32_t i = 0; i < p->classes.len; i++)
		assert_int_equal(plan_find_class(p, p->classes.data[i].name), i);
	for (uint32_t i = 0; i < p->methods.len; i++) {
		const struct plan_method *m = &p->methods.data[i];
		assert_int_equal(plan_find_method(p, m->class, m->name, m->desc), i);
		assert_int_equal(plan_find_method(p, m->class, m->name, STR("(none)")), UINT32_MAX);
	}
	assert_int_equal(plan_find_class(p, STR("a")), UINT32_MAX);
	assert_int_equal(plan_find_class(p, STR("zz")), UINT32_MAX);
}

static void test_round_trips(void **state)
{
	(void)state;
	for (uint32_t seed = 0; seed < 50; seed++) {
		struct random_world w;
		struct plan back;
		struct arena mem;
		struct strbuf out = { 0 }, again = { 0 }, err = { 0 };

		random_world_init(&w, seed);
		arena_init(&mem);
		plan_write(&w.plan, &out);
		assert_true(plan_read(&back, span_of(&out), &mem, &err));
		arena_release(&mem);                  /* scratch: nothing of it is needed */
		assert_plans(&w.plan, &back);
		assert_found(&back);
		plan_write(&back, &again);
		assert_int_equal(out.len, again.len);
		assert_memory_equal(out.s, again.s, out.len);
		plan_release(&back);
		strbuf_release(&out);
		strbuf_release(&again);
		strbuf_release(&err);
		random_world_release(&w);
	}
}

static bool is_refused(const char *p, size_t n, const char *why)
{
	struct plan back;
	struct arena mem;
	struct strbuf err = { 0 };
	/* a copy of its own: a reader that reads on is caught */
	uint8_t *copy = mem_alloc(n);

	memcpy(copy, p, n);
	arena_init(&mem);
	bool refused = !plan_read(&back, (struct span){ copy, n }, &mem, &err) && err.len > 0 && (!why || strstr(err.s, why));
	if (!refused && err.len == 0)
		plan_release(&back);
	arena_release(&mem);
	strbuf_release(&err);
	free(copy);
	return refused;
}

static void test_damage_is_found(void **state)
{
	struct random_world w;
	struct strbuf out = { 0 };

	(void)state;
	random_world_init(&w, 7);
	plan_write(&w.plan, &out);
	for (size_t n = 0; n < out.len; n++)
		assert_true(is_refused(out.s, n, n < 13 ? "it is not a plan" : "cut off or damaged"));
	for (size_t i = 0; i < out.len; i++) {
		out.s[i] ^= 0x20;
		assert_true(is_refused(out.s, out.len, NULL));
		out.s[i] ^= 0x20;
	}
	strbuf_addch(&out, 0);
	assert_true(is_refused(out.s, out.len, "damaged"));
	strbuf_release(&out);
	random_world_release(&w);
}

static void test_other_versions_are_named(void **state)
{
	(void)state;
	assert_true(is_refused("sherd plan 23\nxxx", 17, "version 23"));
	assert_true(is_refused("sherd coverage 1\n", 17, "it is not a plan"));
	assert_true(is_refused("sherd plan -1\n", 14, "it is not a plan"));
}

/* A file whose digest is right but whose tables are not. */
static void reseal(struct strbuf *b)
{
	uint64_t d = digest_add(DIGEST_START, b->s + 21, b->len - 21);

	for (int i = 0; i < 8; i++)
		b->s[13 + i] = (char)(d >> 8 * i);
}

static void test_sealed_nonsense_is_survived(void **state)
{
	struct random_world w;
	struct strbuf out = { 0 };
	uint32_t refused = 0;

	(void)state;
	random_world_init(&w, 3);
	plan_write(&w.plan, &out);
	for (size_t i = 21; i < out.len; i++)
		for (unsigned bit = 0; bit < 8; bit++) {
			out.s[i] = (char)(out.s[i] ^ 1 << bit);
			reseal(&out);
			refused += is_refused(out.s, out.len, "contradict");
			out.s[i] = (char)(out.s[i] ^ 1 << bit);
		}
	assert_in_range(refused, out.len, 8 * out.len);
	strbuf_release(&out);
	random_world_release(&w);
}

static size_t offset_of(const struct strbuf *b, const char *text)
{
	for (size_t i = 0; i + strlen(text) <= b->len; i++)
		if (memcmp(b->s + i, text, strlen(text)) == 0)
			return i;
	fail_msg("no %s", text);
	return 0;
}

static void test_strings_are_sorted(void **state)
{
	struct random_world w;
	struct strbuf out = { 0 };

	(void)state;
	random_world_init(&w, 3);
	plan_write(&w.plan, &out);
	out.s[offset_of(&out, "java.lang.Object[]")] = 'z';
	reseal(&out);
	assert_true(is_refused(out.s, out.len, "contradict"));
	strbuf_release(&out);
	random_world_release(&w);
}

/* Debug builds refuse to write what follows. */
#ifndef SHERD_CHECK
static void assert_refused(struct random_world *w, const char *why)
{
	struct strbuf out = { 0 };

	plan_write(&w->plan, &out);
	assert_true(is_refused(out.s, out.len, why));
	strbuf_release(&out);
}

static void swap_names(struct str *a, struct str *b)
{
	struct str s = *a;

	*a = *b;
	*b = s;
}

static void test_order_is_checked(void **state)
{
	struct random_world w;

	(void)state;
	random_world_init(&w, 3);
	struct plan *p = &w.plan;
	assert_true(p->classes.len > 1);
	swap_names(&p->classes.data[0].name, &p->classes.data[1].name);
	assert_refused(&w, "contradict");
	swap_names(&p->classes.data[0].name, &p->classes.data[1].name);
	swap_names(&p->methods.data[0].desc, &p->methods.data[1].desc);
	assert_refused(&w, "contradict");
	swap_names(&p->methods.data[0].desc, &p->methods.data[1].desc);
	p->sites.data[0].rc = w.all_types;
	p->ids.data[0] = 2;
	p->ids.data[1] = 1;
	assert_refused(&w, "contradict");
	p->ids.data[0] = 1;
	p->ids.data[1] = 2;
	p->sites.data[0].of = p->sites.data[0].nth;
	assert_refused(&w, "contradict");
	p->sites.data[0].of++;
	vec_clear(&p->others);
	vec_push(&p->others, STR("q.B"));
	vec_push(&p->others, STR("q.A"));
	assert_refused(&w, "contradict");
	random_world_release(&w);
}
#endif

/* A small file may say that there are many: lists are shared. */
static void test_too_many_requirements(void **state)
{
	struct random_world w;
	struct strbuf out = { 0 };
	enum { N = 9000 };

	(void)state;
	w = (struct random_world){ .plan = { .criteria = PLAN_RC } };
	arena_init(&w.mem);
	vec_push(&w.plan.types, (struct plan_type){ 0 });
	for (uint32_t i = 0; i < N; i++) {
		vec_push(&w.plan.types, (struct plan_type){ .name = random_name(&w, "p.T", 10000 + i) });
		vec_push(&w.plan.ids, i + 1);
		vec_push(&w.plan.sites, ((struct plan_site){ .pc = i, .nth = i, .of = N, .rc = { 0, N } }));
	}
	vec_push(&w.plan.methods, ((struct plan_method){ .name = STR("m"), .desc = STR("()V"), .nsites = N }));
	vec_push(&w.plan.classes, ((struct plan_class){ .name = STR("p.K"), .nmethods = 1, .nsites = N }));
	assert_true(plan_items(&w.plan) > PLAN_ITEMS);
	plan_write(&w.plan, &out);
	assert_true(is_refused(out.s, out.len, "requirements"));
	strbuf_release(&out);
	random_world_release(&w);
}

static void test_keys_are_of_code_and_sites(void **state)
{
	struct random_world w;
	struct strbuf out = { 0 };

	(void)state;
	random_world_init(&w, 11);
	plan_write(&w.plan, &out);
	struct plan_site *s = &w.plan.sites.data[0];
	struct plan_method *m = &w.plan.methods.data[s->method];
	uint64_t key = w.plan.classes.data[m->class].key, id = w.plan.id;

	s->flags ^= PLAN_OPEN;
	s->line++;
	s->rc.n = 0;
	plan_write(&w.plan, &out);
	assert_true(w.plan.classes.data[m->class].key == key);
	assert_true(w.plan.id != id);
	s->pc++;
	plan_write(&w.plan, &out);
	assert_true(w.plan.classes.data[m->class].key != key);
	s->pc--;
	m->code++;
	plan_write(&w.plan, &out);
	assert_true(w.plan.classes.data[m->class].key != key);
	strbuf_release(&out);
	random_world_release(&w);
}

static void test_lists_are_written_once(void **state)
{
	struct random_world w;
	struct strbuf one = { 0 }, two = { 0 };

	(void)state;
	random_world_init(&w, 5);
	for (uint32_t i = 0; i < w.plan.sites.len; i++)
		w.plan.sites.data[i].rc = w.plan.sites.data[i].tm = (struct plan_range){ 0, 0 };
	plan_write(&w.plan, &one);
	for (uint32_t i = 0; i < w.plan.sites.len; i++)
		w.plan.sites.data[i].rc = w.all_types;
	plan_write(&w.plan, &two);
	assert_in_range(two.len - one.len, 1, w.all_types.n * 2 + 3);
	strbuf_release(&one);
	strbuf_release(&two);
	random_world_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trips),
		cmocka_unit_test(test_damage_is_found),
		cmocka_unit_test(test_other_versions_are_named),
		cmocka_unit_test(test_sealed_nonsense_is_survived),
		cmocka_unit_test(test_strings_are_sorted),
#ifndef SHERD_CHECK
		cmocka_unit_test(test_order_is_checked),
#endif
		cmocka_unit_test(test_too_many_requirements),
		cmocka_unit_test(test_keys_are_of_code_and_sites),
		cmocka_unit_test(test_lists_are_written_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
