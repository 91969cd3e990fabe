// SPDX-License-Identifier: Apache-2.0
// links: base algo report/write session formats/facts formats/properties
/* The table of analyses, and the driver: what is required is computed before, each once, until it is forgotten. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/compiler.h"
#include "base/strbuf.h"
#include "session/driver.h"

/* What was computed, in its order: "modules entry ". */
struct made {
	struct inquiry inquiry;
	struct driver driver;
	struct strbuf log;
	enum analysis_id fails;
};

static bool make(struct made *m, enum analysis_id row)
{
	strbuf_addf(&m->log, "%s ", analyses[row].name);
	return row != m->fails;
}

#define STEP(id) static bool make_##id(void *m) { return make(m, id); }
STEP(C_MODULES)
STEP(C_ENTRY)
STEP(C_MODELS)
STEP(C_ALLOCATION)
STEP(C_EXPORTS)
STEP(C_PLACEHOLDERS)
STEP(C_POINTSTO)
STEP(C_MODREF)
STEP(C_SUMMARIES)

static driver_step *const steps[ANALYSES] = {
	[C_MODULES] = make_C_MODULES, [C_ENTRY] = make_C_ENTRY, [C_MODELS] = make_C_MODELS, [C_ALLOCATION] = make_C_ALLOCATION,
	[C_EXPORTS] = make_C_EXPORTS, [C_PLACEHOLDERS] = make_C_PLACEHOLDERS, [C_POINTSTO] = make_C_POINTSTO,
	[C_MODREF] = make_C_MODREF, [C_SUMMARIES] = make_C_SUMMARIES,
};
static const char all[] = "modules exports summaries entry models allocation placeholders pointsto ";

static int set_up(void **state)
{
	struct made *m = mem_zalloc(sizeof(*m));

	inquiry_init(&m->inquiry, PHASES_C);
	driver_init(&m->driver, &m->inquiry, m, steps);
	m->fails = ANALYSES;
	*state = m;
	return 0;
}

static int tear_down(void **state)
{
	struct made *m = *state;

	inquiry_release(&m->inquiry);
	strbuf_release(&m->log);
	free(m);
	return 0;
}

static void expect(struct made *m, enum analysis_id wanted, const char *computed)
{
	strbuf_clear(&m->log);
	strbuf_adds(&m->log, "");
	assert_true(driver_need(&m->driver, wanted));
	assert_string_equal(m->log.s, computed);
}

static void what_is_required_comes_before(void **state)
{
	expect(*state, C_MODULES, "modules ");
	expect(*state, C_POINTSTO, all + strlen("modules "));
}

static void each_is_computed_once(void **state)
{
	expect(*state, C_POINTSTO, all);
	expect(*state, C_POINTSTO, "");
	expect(*state, C_MODREF, "modref ");
	expect(*state, C_ALLOCATION, "");
}

/* Whoever asks makes them: as often as asked. */
static void rows_without_a_step_have_what_they_require(void **state)
{
	expect(*state, C_GRAPH, all);
	expect(*state, C_GRAPH, "");
	expect(*state, C_CLIENTS, "");
}

static void a_failure_ends_it(void **state)
{
	struct made *m = *state;

	m->fails = C_ALLOCATION;
	assert_false(driver_need(&m->driver, C_MODREF));
	assert_string_equal(m->log.s, "modules exports summaries entry models allocation ");
	m->fails = ANALYSES;
	expect(m, C_MODREF, "allocation placeholders pointsto modref ");
}

static void what_is_skipped_is_not_computed(void **state)
{
	struct made *m = *state;

	driver_skip(&m->driver, C_ENTRY);
	expect(m, C_EXPORTS, "modules exports ");
	expect(m, C_MODELS, "models ");
}

static void what_was_made_from_it_is_forgotten_too(void **state)
{
	struct made *m = *state;

	expect(m, C_MODREF, "modules exports summaries entry models allocation placeholders pointsto modref ");
	driver_forget(&m->driver, C_ALLOCATION);
	expect(m, C_MODELS, "");
	expect(m, C_MODREF, "allocation placeholders pointsto modref ");
	driver_forget(&m->driver, C_MODREF);
	expect(m, C_POINTSTO, "");
}

static bool take_time(void *subject ATTR_UNUSED)
{
	volatile unsigned work = 0;

	for (unsigned i = 0; i < 3000000; i++)
		work += i;
	return true;
}

static void time_counts_as_the_phase_of_the_row(void **state)
{
	static driver_step *const slow[ANALYSES] = { [C_MODREF] = take_time };
	struct made *m = *state;

	driver_init(&m->driver, &m->inquiry, m, slow);
	inquiry_phase(&m->inquiry, PHASE_READ);
	assert_true(driver_need(&m->driver, C_MODREF));
	assert_true(m->inquiry.seconds[PHASE_MODREF] > 0);
	assert_true(m->inquiry.seconds[PHASE_SOLVE] == 0);
}

/* That rows require only earlier ones is checked where the table becomes code. */
static void names_are_unique_within_their_subject(void **state ATTR_UNUSED)
{
	for (enum analysis_id a = 0; a < ANALYSES; a++)
		for (enum analysis_id b = 0; b < a; b++)
			if (analyses[a].subject == analyses[b].subject)
				assert_string_not_equal(analyses[a].name, analyses[b].name);
}

static void subjects_come_one_after_another(void **state ATTR_UNUSED)
{
	for (enum analysis_id k = 1; k < ANALYSES; k++)
		assert_true(analyses[k].subject >= analyses[k - 1].subject);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(what_is_required_comes_before), CASE(each_is_computed_once), CASE(rows_without_a_step_have_what_they_require),
		CASE(a_failure_ends_it), CASE(what_is_skipped_is_not_computed), CASE(what_was_made_from_it_is_forgotten_too),
		CASE(time_counts_as_the_phase_of_the_row), cmocka_unit_test(names_are_unique_within_their_subject),
		cmocka_unit_test(subjects_come_one_after_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
