/* SPDX-License-Identifier: Apache-2.0 */
#include "session/component/study.h"

#include <stdlib.h>
#include <string.h>

#include "report/java/order.h"
#include "session/lookup/site.h"

bool study_prepare(struct study *x, const struct fragment_opt *opt, const char *algorithm, const char *heap, struct strbuf *err)
{
	x->opt = *opt;
	if (!opt->component)
		strbuf_adds(err, "say which classes are the component: --component PATTERNS, such as 'java.text.*'");
	else
		analysis_choose(&x->analysis, algorithm, heap, err);
	return err->len == 0;
}

void study_class_path(const struct fragment_opt *opt, const char *given, struct strbuf *out)
{
	struct strbuf tests = { 0 };

	interface_tests_path(fragment_interface(opt), &tests);
	strbuf_adds(out, given ? given : "");
	if (tests.len)
		strbuf_addf(out, "%s%s", given ? ":" : "", tests.s);
	strbuf_release(&tests);
}

static bool is_hierarchy(const struct algorithm *a)
{
	return !a->policy && a->hierarchy == CG_CHA;
}

/* The steps, as analyses.def has them */

static bool find_component(void *subject)
{
	struct study *x = subject;

	return fragment_find_component(x->session, &x->opt, &x->fragment);
}

static bool find_interface(void *subject)
{
	struct study *x = subject;

	return fragment_find_interface(x->session, &x->opt, &x->fragment);
}

static bool add_placeholders(void *subject)
{
	struct study *x = subject;

	fragment_add_placeholders(&x->opt, &x->fragment);
	return true;
}

static void ask_hierarchy(struct study *x, struct requirements *out)
{
	inquiry_tell_now(x->session->inquiry, "class hierarchy");
	requirements_release(out);
	fragment_hierarchy(x->session, &x->fragment, x->criteria, out);
	inquiry_tell_now(x->session->inquiry, "");
}

static bool find_sites(void *subject)
{
	struct study *x = subject;

	ask_hierarchy(x, &x->sites);
	return true;
}

#define MOST_REFINED 60000     /* methods: more cost minutes */

static void analyse(struct study *x, struct analysis *by)
{
	struct cg_entries entries = { 0 };

	by->own = &x->fragment.component.has;
	fragment_entries(&x->fragment, &entries);
	analysis_run(by, x->session, &entries);
	entries_release(&entries);
}

/* Every lambda that any analysis finds is one of rta's: with them, what the hierarchy says contains the answers of the others,
 * whichever are asked. They stay in the program. */
static bool find_lambdas(void *subject)
{
	struct analysis rta = { .heap = pta_default_heap, .level = ((struct study *)subject)->analysis.level };

	algorithm_find("rta", &rta.algorithm);
	analyse(subject, &rta);
	analysis_forget(&rta);
	return true;
}

static bool make_graph(void *subject)
{
	struct study *x = subject;
	const double *seconds = &x->session->inquiry->seconds[PHASE_SOLVE];
	double before = *seconds;

	analyse(x, &x->analysis);
	x->graph_seconds = *seconds - before;
	return true;
}

/* The sites are asked for again, now that all lambdas are known. */
static void by_hierarchy(struct study *x)
{
	const double *seconds = &x->session->inquiry->seconds[PHASE_HIERARCHY];
	double before = *seconds;

	ask_hierarchy(x, &x->found);
	x->found.assume = analysis_assumes(&x->analysis);
	x->found.seconds = *seconds - before;
}

static void by_analysis(struct study *x)
{
	struct inquiry *r = x->session->inquiry;
	double before = r->seconds[PHASE_SOLVE];

	requirements_release(&x->found);
	fragment_requirements(&x->fragment, &x->sites, x->analysis.graph, x->analysis.facts, &x->found);
	inquiry_phase(r, PHASE_SOLVE);
	x->found.algorithm = x->analysis.algorithm.name;
	x->found.assume = analysis_assumes(&x->analysis);
	x->found.seconds = x->graph_seconds + r->seconds[PHASE_SOLVE] - before;
}

static bool is_of_component(const void *ctx, class_id c)
{
	const struct study *x = ctx;

	return component_has(&x->fragment.component, c);
}

/* Whatever is not the component's is a library: the classes that stand for its clients, too. */
static bool find_callbacks(void *subject)
{
	struct study *x = subject;

	x->analysis.callbacks_opt = (struct callbacks_opt){ .is_simple = !algorithm_follows_calls(&x->analysis.algorithm),
							    .precision = REACH_LIBRARY, .is_application = is_of_component, .ctx = x };
	return analysis_need(&x->analysis, JAVA_CALLBACKS);
}

static bool find_pairs(void *subject)
{
	struct study *x = subject;

	return analysis_need(&x->analysis, JAVA_DEFUSE);
}

static bool find_requirements(void *subject)
{
	struct study *x = subject;

	if (is_hierarchy(&x->analysis.algorithm))
		by_hierarchy(x);
	else
		by_analysis(x);
	return true;
}

/* Others need more than a study has: several algorithms (study_compare), a question (study_why), a folder and runs
 * (session/artifact/measurement.c). */
static driver_step *const steps[ANALYSES] = {
	[COMPONENT_COMPONENT] = find_component,        [COMPONENT_INTERFACE] = find_interface,
	[COMPONENT_PLACEHOLDERS] = add_placeholders,   [COMPONENT_SITES] = find_sites,
	[COMPONENT_LAMBDAS] = find_lambdas,            [COMPONENT_GRAPH] = make_graph,
	[COMPONENT_REQUIREMENTS] = find_requirements,  [COMPONENT_CALLBACKS] = find_callbacks,
	[COMPONENT_DEFUSE] = find_pairs,
};

/* The hierarchy needs no graph, and nothing else needs the lambdas beforehand. */
static void choose(struct study *x, const struct algorithm *a)
{
	x->analysis.algorithm = *a;
	driver_forget(&x->driver, COMPONENT_LAMBDAS);
	driver_forget(&x->driver, COMPONENT_GRAPH);
	driver_skip(&x->driver, is_hierarchy(a) ? COMPONENT_GRAPH : COMPONENT_LAMBDAS);
}

bool study_need(struct study *x, enum analysis_id wanted)
{
	return driver_need(&x->driver, wanted);
}

bool study_refine(struct study *x, struct requirements *out)
{
	static const char *const coarser[] = { "0cfa", "andersen", "0-1cfa", "vta" };
	struct analysis finer = { .heap = x->analysis.heap, .level = x->analysis.level, .no_callbacks = x->analysis.no_callbacks };
	bool is_coarser = false;

	for (size_t i = 0; i < ARRAY_LEN(coarser); i++)
		is_coarser |= strcmp(x->analysis.algorithm.name, coarser[i]) == 0;
	if (!is_coarser || x->found.analysed_methods > MOST_REFINED || !algorithm_find("containers", &finer.algorithm))
		return false;
	uint32_t said = x->session->inquiry->diag.entries.len;
	analyse(x, &finer);
	diag_cut(&x->session->inquiry->diag, said);
	fragment_requirements(&x->fragment, &x->sites, finer.graph, finer.facts, out);
	analysis_forget(&finer);
	return true;
}

bool study_callbacks(struct study *x)
{
	if (!x->analysis.graph)
		driver_forget(&x->driver, COMPONENT_GRAPH);
	return study_need(x, COMPONENT_CALLBACKS);
}

/* Numbers in objects are definitions, too. */
void study_keep_pairs(struct study *x)
{
	x->analysis.keeps_bases = true;
	x->analysis.heap.by_site[HEAP_LEAVES] = true;
}

bool study_pairs(struct study *x)
{
	return study_need(x, COMPONENT_DEFUSE);
}

bool study_open(struct study *x, struct session *s)
{
	struct algorithm asked = x->analysis.algorithm;

	x->session = s;
	fragment_init(&x->fragment, s);
	driver_init(&x->driver, s->inquiry, x, steps);
	choose(x, &asked);
	inquiry_tell_now(s->inquiry, "reading the component");
	bool ok = study_need(x, COMPONENT_PLACEHOLDERS);
	inquiry_tell_now(s->inquiry, "");
	return ok;
}

void study_close(struct study *x)
{
	analysis_forget(&x->analysis);
	requirements_release(&x->sites);
	requirements_release(&x->found);
	if (x->session)
		fragment_close(&x->fragment);
}

/* The hierarchy comes last: analyses find lambdas, which are receivers, too. */
void study_compare(struct study *x, const struct algorithm *algorithms, uint32_t n, struct comparison *out)
{
	struct requirements *all = mem_zalloc((n + 1) * sizeof(*all));

	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < n; i++) {
			if (is_hierarchy(&algorithms[i]) != (pass == 1))
				continue;
			choose(x, &algorithms[i]);
			study_need(x, COMPONENT_REQUIREMENTS);
			all[i] = x->found;
			x->found = (struct requirements){ 0 };
			analysis_forget(&x->analysis);
		}
	for (uint32_t i = 0; i < n; i++) {
		comparison_add(out, x->opt.component, &all[i]);
		if (i + 1 < n)
			requirements_release(&all[i]);
	}
	x->found = all[n - 1];
	driver_forget(&x->driver, COMPONENT_GRAPH);
	free(all);
}

void study_stats(const struct study *x, struct stats *out)
{
	const struct requirements *found = &x->found;
	const struct req_stats *st = &found->stats;
	const struct placeholders *ph = &x->fragment.placeholders;
	double n = st->poly_sites ? (double)st->poly_sites : 1;

	stats_text(out, "algorithm", found->algorithm);
	stats_count(out, "classes", st->classes);
	stats_count(out, "methods", st->methods);
	stats_count(out, "sites", st->sites);
	stats_count(out, "poly_sites", st->poly_sites);
	stats_count(out, "rc", st->rc);
	stats_count(out, "tm", st->tm);
	stats_real(out, "n_rc", (double)st->rc / n, 4);
	stats_real(out, "n_tm", (double)st->tm / n, 4);
	stats_count(out, "senders", st->senders);
	stats_count(out, "args", st->args);
	stats_count(out, "reached_sites", st->reached_sites);
	stats_count(out, "open_sites", st->open_sites);
	stats_count(out, "client_sites", st->client_sites);
	stats_count(out, "callback_rc", st->callback_rc);
	stats_count(out, "starved_sites", st->starved_sites);
	stats_count(out, "analysed_methods", found->analysed_methods);
	stats_count(out, "relevant_types", ph->types.len - 1);
	stats_count(out, "placeholders", ph->stmts.len);
	stats_show(out, "relevant types", ph->types.len - 1);
	stats_show(out, "placeholders", ph->stmts.len);
	stats_show(out, "analysed methods", found->analysed_methods);
	stats_break(out);
	inquiry_stats(x->session->inquiry, true, out);
}

/* Why */

/* Methods of classes that lowering makes (pkg.Cls$$Lambda$...) exist only after the analysis; a wrong name of any other
 * should not take that long to be told. */
static bool find_named(struct study *x, const char *text, bool is_lowered, named_site_list *out, struct strbuf *why)
{
	struct cg_classes scope = { x->fragment.component.classes.data, x->fragment.component.classes.len };

	if (!out->len && (is_lowered || !strstr(text, "$$")))
		session_sites(x->session, scope, text, out, why);
	return why->len == 0;
}

static struct cg_classes receivers_at(struct study *x, struct order *order, const struct named_site *site)
{
	const struct cg_site *s = callgraph_find_site(x->analysis.graph, site->method, site->pc, site->declared);

	return s ? order_receivers(order, s) : (struct cg_classes){ 0 };    /* none: it is not reached */
}

/* Of several calls, the one that is made on the receiver. */
static bool choose_site(struct study *x, const struct question *q, named_site_list *sites, struct named_site *out, struct strbuf *why)
{
	named_site_list made = { 0 };
	struct order order;

	order_init(&order, x->analysis.graph);
	for (uint32_t i = 0; i < sites->len && sites->len > 1; i++)
		if (session_has_receiver(x->session, q->receiver, receivers_at(x, &order, &sites->data[i])))
			vec_push(&made, sites->data[i]);
	order_release(&order);
	const named_site_list *left = made.len ? &made : sites;
	*out = left->data[0];
	if (left->len > 1)
		session_list_sites(x->session, q->site, left, why);
	vec_release(&made);
	return why->len == 0;
}

static bool find_receiver(struct study *x, const char *text, const struct named_site *site, class_id *out, struct strbuf *why)
{
	struct order order;

	order_init(&order, x->analysis.graph);
	session_receiver(x->session, text, receivers_at(x, &order, site), out, why);
	order_release(&order);
	return why->len == 0;
}

/* Nothing is shown that does not hold; should the checker disagree, the user is told. `reason`: it disagrees with the steps. */
static const char *find_doubt(const struct why *y, const char *reason)
{
	method_id main = y->clients->main;
	bool ok = !reason;

	ok = ok && (!y->to_creation.start.i ||
		    call_path_check(y->graph, main, y->witness.steps[0].by, &y->to_creation, &reason));
	ok = ok && (!y->to_call.start.i || call_path_check(y->graph, main, y->method, &y->to_call, &reason));
#ifdef SHERD_CHECK
	if (!ok)
		BUG("witness: %s", reason);
#endif
	return ok ? NULL : reason;
}

/* What the client makes itself needs no calls to be made. */
static void find_calls(struct why *y)
{
	const struct pta_step *first = y->witness.steps;

	call_path_find(y->graph, y->clients->main, y->method, &y->to_call);
	if (y->witness.nsteps > 1 && first->sort == STEP_NEW && first->by.i != y->clients->main.i)
		call_path_find(y->graph, y->clients->main, first->by, &y->to_creation);
}

static bool find_call(struct study *x, const struct question *q, struct named_site *out, struct strbuf *why)
{
	named_site_list sites = { 0 };
	bool ok = find_named(x, q->site, false, &sites, why) && study_need(x, COMPONENT_WITNESS) &&
		  find_named(x, q->site, true, &sites, why) && choose_site(x, q, &sites, out, why);

	vec_release(&sites);
	return ok;
}

bool study_why(struct study *x, struct question *q, struct why *out, struct strbuf *why)
{
	struct named_site site = { 0 };
	class_id receiver;

	if (!find_call(x, q, &site, why) || !find_receiver(x, q->receiver, &site, &receiver, why))
		return false;
	*out = (struct why){ .facts = x->analysis.facts, .graph = x->analysis.graph, .clients = &x->fragment.placeholders,
			     .method = site.method, .pc = site.pc, .declared = site.declared, .op = site.op,
			     .receiver = receiver, .component = x->opt.component, .interface = fragment_interface(&x->opt),
			     .client_sort = clients_names[fragment_clients(&x->opt, &x->fragment)] };
	out->witness = pta_explain_receiver(out->facts, site.method, site.pc, receiver);
	if (out->witness.found) {
		const char *reason = NULL;
		if (out->witness.nsteps > 1 && pta_check_witness(out->facts, out->graph, &out->witness, &reason))
			reason = NULL;
		pta_contract(out->facts, &out->witness);
		find_calls(out);
		q->doubt = find_doubt(out, reason);
	}
	inquiry_phase(x->session->inquiry, PHASE_SOLVE);
	return true;
}
