/* SPDX-License-Identifier: Apache-2.0 */
/* sherd why */
#include <string.h>

#include "cli/verbs/component.h"
#include "report/java/order.h"
#include "report/objects/why.h"
#include "session/lookup/site.h"

struct why_args {
	struct shared_options shared;
	struct component_options component;
	const char *site, *receiver;
};

static const char *const formats[] = { "text", "json", NULL };
static why_writer *const writers[] = { report_why_text, report_why_json };

#define T struct why_args
static const struct option_row rows[] = {
	OPT_STRING(T, site, "site", NULL, "SITE", "The question",
		   "a call of the component: pkg.Cls.method@PC, pkg.Cls.method:LINE, or pkg.Cls:LINE"),
	OPT_STRING(T, receiver, "receiver", NULL, "CLASS", "The question",
		   "the class of the receiver; the end of its name will do where only one receiver has it"),
	COMPONENT_OPTIONS(T), SHARED_INPUT(T), SHARED_OUTPUT(T, formats), SHARED_RUN(T),
};
#undef T
static const struct why_args initial = { .component = { .algorithm = "andersen" } };

struct work {
	const struct why_args *a;
	struct study study;
	struct named_site site;
	struct why why;
	struct report_head head;
};

static bool refuse(struct cli_run *r, struct strbuf *why)
{
	if (why->len)
		term_error(&r->term, "%s", why->s);
	bool is_fine = why->len == 0;
	strbuf_release(why);
	return is_fine;
}

/* Methods of classes that lowering makes (pkg.Cls$$Lambda$...) exist only after the analysis; a wrong name of any other
 * should not take that long to be told. */
static bool find_site(struct work *w, struct cli_run *r, bool is_lowered)
{
	struct strbuf why = { 0 };

	if (w->site.method.i || (!is_lowered && strstr(w->a->site, "$$")))
		return true;
	session_site(&r->session, w->a->site, &w->site, &why);
	return refuse(r, &why);
}

/* The receivers of the call; none when it is not reached. */
static struct cg_classes receivers_of(const struct work *w, struct order *order)
{
	const struct cg_site *s = callgraph_find_site(w->study.analysis.graph, w->site.method, w->site.pc, w->site.declared);

	return s ? order_receivers(order, s) : (struct cg_classes){ 0 };
}

static bool find_receiver(struct work *w, struct cli_run *r, class_id *out)
{
	struct strbuf why = { 0 };
	struct order order;

	order_init(&order, w->study.analysis.graph);
	session_receiver(&r->session, w->a->receiver, receivers_of(w, &order), out, &why);
	order_release(&order);
	return refuse(r, &why);
}

/* Nothing is shown that does not hold; should the checker disagree, the user is told. */
static void check(const struct why *y, struct cli_run *r)
{
	method_id main = y->clients->main;
	const char *reason = NULL;
	bool ok = y->witness.nsteps <= 1 || pta_check_witness(y->facts, y->graph, &y->witness, &reason);

	ok = ok && (!y->to_creation.start.i ||
		    call_chain_check(y->graph, main, y->witness.steps[0].by, &y->to_creation, &reason));
	ok = ok && (!y->to_call.start.i || call_chain_check(y->graph, main, y->method, &y->to_call, &reason));
	if (ok)
		return;
#ifdef SHERD_CHECK
	BUG("witness: %s", reason);
#endif
	term_warning(&r->term, "a step below could not be confirmed: %s", reason);
}

/* What the client makes itself needs no calls to be made. */
static void find_chains(struct why *y)
{
	const struct pta_step *first = y->witness.steps;

	call_chain_find(y->graph, y->clients->main, y->method, &y->to_call);
	if (y->witness.nsteps > 1 && first->sort == STEP_NEW && first->by.i != y->clients->main.i)
		call_chain_find(y->graph, y->clients->main, first->by, &y->to_creation);
}

static bool write_why(struct sink *out, void *ctx)
{
	struct work *w = ctx;

	return writers[w->a->shared.format](out, &w->why, &w->head);
}

static void answer(struct work *w, struct cli_run *r, class_id receiver)
{
	struct study *x = &w->study;

	w->why = (struct why){ .facts = x->analysis.facts, .graph = x->analysis.graph, .clients = &x->fragment.placeholders,
			       .method = w->site.method, .pc = w->site.pc, .declared = w->site.declared, .op = w->site.op,
			       .receiver = receiver, .component = x->opt.component, .interface = fragment_interface(&x->opt),
			       .client_sort = clients_names[x->opt.clients] };
	w->why.witness = pta_explain_receiver(w->why.facts, w->site.method, w->site.pc, receiver);
	if (w->why.witness.found) {
		find_chains(&w->why);
		check(&w->why, r);
	}
	session_phase(&r->session, PHASE_SOLVE);
	w->head = run_head(r);
	w->head.algorithm = x->analysis.algorithm.name;
}

static bool explain(struct work *w, struct cli_run *r)
{
	class_id receiver;

	if (!study_open(&w->study, r) || !find_site(w, r, false))
		return false;
	study_analyse(&w->study, r);
	if (!find_site(w, r, true) || !find_receiver(w, r, &receiver))
		return false;
	answer(w, r, receiver);
	return !run_writes(r) || run_write(r, write_why, w);
}

static int compute(struct cli_run *r, void *ctx)
{
	struct work *w = ctx;
	bool ok = explain(w, r);

	if (ok)
		analysis_print_stats(&w->study.analysis, "why");
	call_chain_release(&w->why.to_creation);
	call_chain_release(&w->why.to_call);
	study_close(&w->study);
	if (!ok)
		return EXIT_UNSERVED;
	return w->why.witness.found ? EXIT_DONE : EXIT_CHECK_FAILED;
}

static int run_why(void *values, int n, char **operands)
{
	struct work w = { .a = values };
	struct strbuf err = { 0 };

	if (n > 0)
		return usage_error("why takes no operand '%s'; name the call with --site", operands[0]);
	if (strcmp(w.a->component.algorithm, "help") == 0)
		return algorithm_list();
	if (study_prepare(&w.study, &w.a->component, &err)) {
		w.study.analysis.explains = true;
		if (!w.a->site || !w.a->receiver)
			strbuf_adds(&err, "say which call and which class: --site pkg.Cls.method:LINE --receiver CLASS");
		else
			analysis_follows_variables(&w.study.analysis, "why", &err);
	}
	int status = err.len ? usage_error("%s", err.s) : study_run_verb(&w.study, &w.a->shared, compute, &w);
	strbuf_release(&err);
	return status;
}

const struct command_spec cmd_why = {
	.synopsis = { "--component PATTERNS --site SITE --receiver CLASS [-cp PATH] [OPTION]...", NULL },
	.description = "Explains a requirement: how an object of CLASS can become the receiver of a call of the component. "
		       "Shows which member of the interface a client uses, the calls from there to where the object is created, and "
		       "every assignment, argument, result, field and exception on its way to the call; of all ways a "
		       "shortest one.\nWhen no such object gets there, says which classes do, or that the call is never "
		       "reached, with exit status 1.",
	.rows = rows,
	.nrows = ARRAY_LEN(rows),
	.size = sizeof(struct why_args),
	.initial = &initial,
	.examples = { { "sherd why -cp lib.jar --component 'org.lib.**' --site org.lib.Parser.next:120 --receiver Word",
			"the call in line 120 of a method" },
		      { "sherd why -cp lib.jar --component 'org.lib.**' --site 'org.lib.Parser.next()V@12' "
			"--receiver org.lib.Word --format json",
			"by the number of the instruction, as sherd requirements has it in JSON" },
		      { NULL, NULL } },
	.run = run_why,
};
