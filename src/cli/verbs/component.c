/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verbs/component.h"

#include <string.h>

const char *const clients_names[] = { "closed", "open", NULL };

static const char *const criteria_names[] = { "rc", "tm", "senders", "args" };

static void say_no_criterion(struct str item, unsigned allowed, struct strbuf *err)
{
	const char *before = ": use ";

	strbuf_addf(err, "--criteria cannot have '%.*s'", (int)item.len, item.p);
	for (size_t k = 0; k < ARRAY_LEN(criteria_names); k++) {
		if (!(allowed & 1u << k))
			continue;
		strbuf_addf(err, "%s%s", before, criteria_names[k]);
		before = ", ";
	}
}

bool criteria_read(const char *list, unsigned allowed, unsigned *out, struct strbuf *err)
{
	for (const char *at = list ? list : "rc,tm";; at++) {
		struct str item = { at, (uint32_t)strcspn(at, ",") };
		size_t k = 0;
		while (k < ARRAY_LEN(criteria_names) && !((allowed & 1u << k) && str_is(item, criteria_names[k])))
			k++;
		if (k == ARRAY_LEN(criteria_names)) {
			say_no_criterion(item, allowed, err);
			return false;
		}
		*out |= 1u << k;
		at += item.len;
		if (!*at)
			return true;
	}
}

bool study_prepare(struct study *x, const struct component_options *o, struct strbuf *err)
{
	x->opt = (struct fragment_opt){ o->component, o->interface, (enum clients)o->clients };
	if (!o->component)
		strbuf_adds(err, "say which classes are the component: --component PATTERNS, such as 'java.text.*'");
	else
		analysis_choose(&x->analysis, o->algorithm, o->heap, err);
	return err->len == 0;
}

int study_run_verb(const struct study *x, const struct shared_options *o, int (*work)(struct cli_run *r, void *ctx),
		   void *ctx)
{
	struct shared_options with_tests = *o;
	struct strbuf path = { 0 }, tests = { 0 };

	interface_tests_path(fragment_interface(&x->opt), &tests);
	if (tests.len) {
		strbuf_addf(&path, "%s%s%s", o->class_path ? o->class_path : "", o->class_path ? ":" : "", tests.s);
		with_tests.class_path = path.s;
	}
	int status = run_verb(&with_tests, work, ctx);
	strbuf_release(&path);
	strbuf_release(&tests);
	return status;
}

bool study_open(struct study *x, struct cli_run *r)
{
	term_progress(&r->term, "reading the component");
	bool ok = fragment_open(&r->session, &x->opt, &x->fragment);
	term_progress_end(&r->term);
	return ok;
}

void study_sites(struct study *x, struct cli_run *r)
{
	term_progress(&r->term, "class hierarchy");
	requirements_release(&x->cha);
	fragment_hierarchy(&r->session, &x->fragment, x->criteria, &x->cha);
	term_progress_end(&r->term);
}

void study_analyse(struct study *x, struct cli_run *r)
{
	struct cg_entries entries = { 0 };

	study_forget(x);
	fragment_entries(&x->fragment, &entries);
	analysis_run(&x->analysis, &entries, r);
	entries_release(&entries);
}

/* Every lambda that any analysis finds is one of rta's: with them, the answer contains the others, whichever are asked. */
static struct requirements by_hierarchy(struct study *x, struct cli_run *r)
{
	struct algorithm asked = x->analysis.algorithm;

	algorithm_find("rta", &x->analysis.algorithm);
	study_analyse(x, r);
	study_forget(x);
	x->analysis.algorithm = asked;
	double before = r->session.seconds[PHASE_HIERARCHY];
	study_sites(x, r);
	struct requirements found = x->cha;
	x->cha = (struct requirements){ 0 };
	found.seconds = r->session.seconds[PHASE_HIERARCHY] - before;
	return found;
}

struct requirements study_requirements(struct study *x, struct cli_run *r)
{
	const struct algorithm *a = &x->analysis.algorithm;
	double before = r->session.seconds[PHASE_SOLVE];
	struct requirements found;

	if (!a->policy && a->hierarchy == CG_CHA)
		return by_hierarchy(x, r);
	study_analyse(x, r);
	fragment_requirements(&x->fragment, &x->cha, x->analysis.graph, x->analysis.facts, &found);
	session_phase(&r->session, PHASE_SOLVE);
	found.algorithm = a->name;
	found.seconds = r->session.seconds[PHASE_SOLVE] - before;
	return found;
}

void study_forget(struct study *x)
{
	struct analysis fresh = { .algorithm = x->analysis.algorithm, .heap = x->analysis.heap,
				  .explains = x->analysis.explains, .keeps_this = x->analysis.keeps_this, .run = x->analysis.run };

	analysis_release(&x->analysis);
	x->analysis = fresh;
}

void study_close(struct study *x)
{
	analysis_release(&x->analysis);
	requirements_release(&x->cha);
	fragment_close(&x->fragment);
}
