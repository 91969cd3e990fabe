/* SPDX-License-Identifier: Apache-2.0 */
/* edges.c - numbers that are none, things that could not be opened, several results in one session:
 * edges CLASS_PATH MAIN_CLASS PATTERNS MODULE FOLDER. Prints what is wrong. */
#include <sherd/sherd.h>
#include <stdio.h>
#include <string.h>

static int failed;

static void check(bool holds, const char *what)
{
	if (!holds)
		printf("not so: %s\n", what);
	failed |= !holds;
}
#define CHECK(condition) check(condition, #condition)

static bool says(const char *diagnostic, const char *words)
{
	return diagnostic && strstr(diagnostic, words);
}

/* Nothing is computed from a program that could not be opened, and everything says why. */
static void check_unopened(void)
{
	struct sherd_options opt = { .jdk = "/nowhere/jdk" };
	struct sherd_component part = { .patterns = "x.*" };
	sherd_session *s = sherd_open(&opt);

	CHECK(!sherd_ok(s));
	CHECK(sherd_diagnostic(s, 0));
	CHECK(!sherd_callgraph_compute(s, "public", SHERD_RTA));
	CHECK(!sherd_requirements_compute(s, &part));
	CHECK(!sherd_pointsto_compute(s, "public", SHERD_ANDERSEN));
	CHECK(!sherd_diagnostic(s, 1000));
	CHECK(!sherd_method_name(s, 1 << 30));
	sherd_close(s);
	sherd_close(NULL);
	sherd_callgraph_free(NULL);
	sherd_requirements_free(NULL);
	sherd_pointsto_free(NULL);
}

static void check_names(sherd_session *s)
{
	CHECK(!sherd_method_name(s, 0) && !sherd_method_name(s, UINT32_MAX));
	CHECK(!sherd_class_name(s, 0) && !sherd_class_name(s, UINT32_MAX));
	CHECK(!sherd_field_name(s, 0) && !sherd_field_name(s, UINT32_MAX));
	CHECK(!sherd_method_class(s, UINT32_MAX) && !sherd_method_in_jdk(s, UINT32_MAX));
	CHECK(!sherd_algorithm(SIZE_MAX) && !sherd_algorithm_help("x") && !sherd_algorithm_help(NULL));
	CHECK(sherd_algorithm_follows_objects(SHERD_ANDERSEN) && !sherd_algorithm_follows_objects(SHERD_RTA));
}

static void check_graph(const sherd_callgraph *g)
{
	size_t n = sherd_callgraph_count(g);

	CHECK(n > 0 && sherd_callgraph_method(g, n - 1) && !sherd_callgraph_method(g, n));
	CHECK(!sherd_callgraph_sites(g, 0) && !sherd_callgraph_sites(g, UINT32_MAX));
	CHECK(!sherd_callgraph_site(g, UINT32_MAX, 0).ntargets && !sherd_callgraph_site(g, sherd_callgraph_method(g, 0), n).pc);
	CHECK(!sherd_callgraph_is_entry(g, UINT32_MAX));
}

static void check_facts(sherd_pointsto *f)
{
	size_t places = sherd_pointsto_places(f), statics = sherd_pointsto_statics(f), held = 0;

	check_graph(sherd_pointsto_callgraph(f));
	CHECK(places && statics && sherd_pointsto_static(f, 0) && !sherd_pointsto_static(f, statics));
	CHECK(!sherd_pointsto_place(f, places).cls && !sherd_pointsto_fields(f, places));
	CHECK(!sherd_pointsto_values(f, UINT32_MAX) && !sherd_pointsto_value(f, UINT32_MAX, 1).n);
	CHECK(!sherd_pointsto_value(f, sherd_callgraph_method(sherd_pointsto_callgraph(f), 0), SIZE_MAX).n);
	CHECK(!sherd_pointsto_static_field(f, 0).n && !sherd_pointsto_static_field(f, UINT32_MAX).n);
	CHECK(sherd_pointsto_static_field(f, sherd_pointsto_static(f, 0)).n);
	CHECK(!sherd_pointsto_held(f, places, 0).n);
	for (size_t p = 0; p < places; p++) {
		held += sherd_pointsto_held(f, p, 0).n;
		for (size_t k = 0; k < sherd_pointsto_fields(f, p); k++)
			held += sherd_pointsto_held(f, p, sherd_pointsto_field(f, p, k)).n;
		CHECK(!sherd_pointsto_held(f, p, sherd_pointsto_static(f, 0)).n);      /* no instance field */
		CHECK(!sherd_pointsto_field(f, p, sherd_pointsto_fields(f, p)));
	}
	CHECK(held);
}

static void check_required(const sherd_requirements *r)
{
	size_t n = sherd_requirements_count(r);

	CHECK(n && sherd_requirements_site(r, n - 1).method && !sherd_requirements_site(r, n).method);
	CHECK(sherd_requirements_figures(r).sites == n);
}

static const char *last(sherd_session *s)
{
	size_t n = 0;

	while (sherd_diagnostic(s, n))
		n++;
	return n ? sherd_diagnostic(s, n - 1) : NULL;
}

/* Everything that one session computed is as it was when it has computed the rest. */
static void check_together(const char *class_path, const char *main_class, const char *patterns)
{
	struct sherd_options opt = { .class_path = class_path };
	struct sherd_component closed = { .patterns = patterns }, wide = { .patterns = patterns, .open_clients = true };
	struct sherd_component nothing = { 0 }, missing = { .patterns = "no.such.*" }, odd = { patterns, NULL, false, "x" };
	char entry[1024];
	sherd_session *s = sherd_open(&opt);

	snprintf(entry, sizeof(entry), "main %s", main_class);
	sherd_requirements *first = sherd_requirements_compute(s, &closed);
	struct sherd_required_figures before = sherd_requirements_figures(first);
	sherd_callgraph *g = sherd_callgraph_compute(s, entry, SHERD_RTA);
	sherd_pointsto *f = sherd_pointsto_compute(s, entry, "0cfa");
	size_t methods = sherd_callgraph_count(g), places = sherd_pointsto_places(f);
	sherd_requirements *second = sherd_requirements_compute(s, &wide), *third = sherd_requirements_compute(s, &closed);
	struct sherd_required_figures after = sherd_requirements_figures(third), again = sherd_requirements_figures(first);

	CHECK(memcmp(&before, &after, sizeof(before)) == 0 && memcmp(&before, &again, sizeof(before)) == 0);
	CHECK(sherd_callgraph_count(g) == methods && sherd_pointsto_places(f) == places);
	check_names(s);
	check_graph(g);
	check_facts(f);
	check_required(first);
	check_required(second);
	sherd_requirements_free(first);
	check_required(third);
	CHECK(!sherd_requirements_compute(s, &nothing) && says(last(s), "E069"));
	CHECK(!sherd_requirements_compute(s, &missing) && says(last(s), "E044"));
	CHECK(!sherd_requirements_compute(s, &odd) && says(last(s), "no such algorithm"));
	CHECK(!sherd_pointsto_compute(s, entry, SHERD_RTA) && says(last(s), "does not follow objects"));
	CHECK(!sherd_callgraph_compute(s, NULL, NULL) && says(last(s), "no such algorithm"));
	CHECK(!sherd_callgraph_compute(s, NULL, SHERD_RTA) && says(last(s), "E041"));
	sherd_requirements_free(second);
	sherd_requirements_free(third);
	sherd_callgraph_free(g);
	sherd_pointsto_free(f);
	sherd_close(s);
}

static void check_c(const char *module)
{
	struct sherd_c_options opt = { .modules = &module, .nmodules = 1, .library = true }, bad = opt;
	sherd_c_program *p = sherd_c_open(&opt);
	struct sherd_c_set set;
	size_t n = sherd_c_variables(p);

	CHECK(sherd_c_ok(p) && n && sherd_c_functions(p) && sherd_c_calls(p));
	CHECK(sherd_c_variable_at(p, n - 1) && !sherd_c_variable_at(p, n) && !sherd_c_points_to(p, n).n);
	for (size_t k = 0; k < n; k++)
		CHECK(sherd_c_find(p, sherd_c_variable_at(p, k)) == k);
	CHECK(sherd_c_find(p, "nobody") == n && sherd_c_find(p, "") == n && sherd_c_find(p, NULL) == n);
	CHECK(!sherd_c_function_at(p, SIZE_MAX) && !sherd_c_function_name(p, 0) && !sherd_c_function_name(p, UINT32_MAX));
	CHECK(!sherd_c_find_function(p, "nobody") && !sherd_c_find_function(p, NULL));
	CHECK(!sherd_c_call_at(p, sherd_c_calls(p)).caller && !sherd_c_unknown(p, SIZE_MAX));
	CHECK(!sherd_c_function_effects(p, UINT32_MAX, SHERD_C_USE).n);
	CHECK(!sherd_c_line_effects(p, "nowhere.c:1", SHERD_C_MOD, &set) && !set.n && says(sherd_c_diagnostic(p, 0), "E069"));
	CHECK(!sherd_c_line_effects(p, NULL, SHERD_C_MOD, &set));
	sherd_c_close(p);
	const char *gone = "gone.sum";
	opt.summaries = &gone, opt.nsummaries = 1;
	p = sherd_c_open(&opt);
	CHECK(!sherd_c_ok(p) && says(sherd_c_diagnostic(p, 0), "E081"));
	sherd_c_close(p);
	sherd_c_close(NULL);
	const char *engines[] = { "x", NULL };
	for (int k = 0; k < 2; k++) {
		bad.engine = engines[k];
		bad.nmodules = k == 0;
		p = sherd_c_open(&bad);
		CHECK(!sherd_c_ok(p) && says(sherd_c_diagnostic(p, 0), "E069") && !sherd_c_variables(p) && !sherd_c_find(p, "x"));
		CHECK(!sherd_c_line_effects(p, "x.c:1", SHERD_C_MOD, &set) && !sherd_c_function_name(p, 1) && !sherd_c_calls(p));
		sherd_c_close(p);
	}
	sherd_c_close(sherd_c_open(NULL));
}

static void check_coverage(const char *folder)
{
	const char *nowhere = "/nowhere";
	sherd_coverage *c = sherd_coverage_open(&folder, 1, NULL);
	size_t calls = sherd_coverage_calls(c), classes = sherd_coverage_classes(c), criteria = sherd_coverage_criteria(c);

	CHECK(sherd_coverage_ok(c) && calls && classes && criteria);
	CHECK(!sherd_coverage_criterion(c, criteria).name && !sherd_coverage_class_criterion(c, 0, criteria).name);
	CHECK(!sherd_coverage_lengths(c) && !sherd_coverage_length(c, 0).required && !sherd_coverage_length(c, SIZE_MAX).required);
	CHECK(!sherd_coverage_class(c, classes).name && !sherd_coverage_call(c, calls).method && !sherd_coverage_test(c, SIZE_MAX).name);
	CHECK(!sherd_coverage_items(c, calls, 0) && !sherd_coverage_items(c, 0, criteria));
	for (size_t k = 0; k < calls; k++)
		for (size_t n = 0; n < criteria; n++)
			CHECK(!sherd_coverage_item(c, k, n, sherd_coverage_items(c, k, n)).name);
	CHECK(sherd_coverage_item(c, 0, 0, 0).name && !sherd_coverage_note(c, SIZE_MAX));
	sherd_coverage_close(c);
	c = sherd_coverage_open(&nowhere, 1, NULL);
	CHECK(!sherd_coverage_ok(c) && says(sherd_coverage_diagnostic(c, 0), "E051") && !sherd_coverage_calls(c));
	sherd_coverage_close(c);
	c = sherd_coverage_open(NULL, 0, NULL);
	CHECK(!sherd_coverage_ok(c) && says(sherd_coverage_diagnostic(c, 0), "E069") && !sherd_coverage_criteria(c));
	sherd_coverage_close(c);
	sherd_coverage_close(NULL);
}

int main(int argc, char **argv)
{
	if (argc != 6)
		return 2;
	check_unopened();
	check_together(argv[1], argv[2], argv[3]);
	check_c(argv[4]);
	check_coverage(argv[5]);
	return failed;
}
