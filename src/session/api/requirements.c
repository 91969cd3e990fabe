/* SPDX-License-Identifier: Apache-2.0 */
/* sherd.h: what tests of a component should exercise. */
#include "session/api/api_p.h"

#include <stdlib.h>

#include "session/component/study.h"

struct sherd_requirements {
	sherd_session *session;
	struct requirements found;
};

/* Each component has synthetic clients of its own, whatever others the program has: study_open() makes them. They are needed
 * for as long as the analysis runs, so the study ends here. */
sherd_requirements *sherd_requirements_compute(sherd_session *s, const struct sherd_component *c)
{
	struct study x = { .opt = { c->patterns, c->interface, c->open_clients ? CLIENTS_OPEN : CLIENTS_CLOSED },
			   .criteria = CRITERION_RC | CRITERION_TM };
	sherd_requirements *r = NULL;

	if (!api_choose(s, c->algorithm ? c->algorithm : SHERD_ANDERSEN, &x.analysis))
		return NULL;
	if (!c->patterns) {
		api_refuse(&s->inquiry.diag, NULL, "a component needs patterns of its classes, such as java.text.*");
		return NULL;
	}
	if (study_open(&x, &s->s)) {
		r = mem_zalloc(sizeof(*r));
		r->session = s;
		study_need(&x, COMPONENT_REQUIREMENTS);
		r->found = x.found;
		x.found = (struct requirements){ 0 };
	}
	study_close(&x);
	return r;
}

void sherd_requirements_free(sherd_requirements *r)
{
	if (r)
		requirements_release(&r->found);
	free(r);
}

size_t sherd_requirements_count(const sherd_requirements *r)
{
	return r->found.sites.len;
}

struct sherd_required sherd_requirements_site(const sherd_requirements *r, size_t k)
{
	if (k >= r->found.sites.len)
		return (struct sherd_required){ 0 };
	const struct req_site *s = &r->found.sites.data[k];
	return (struct sherd_required){
		.method = s->method.i,
		.pc = s->pc,
		.line = s->line,
		.declared = api_mref_name(r->session, s->declared),
		.is_interface = s->op == IR_CALL_INTERFACE,
		.poly = s->is_poly,
		.reached = s->is_reached,
		.open = s->is_open,
		.client = s->is_client,
		.unresolved = s->cause == CG_RESOLVED ? NULL : cg_cause_name(s->cause),
		.receivers = s->rc.n ? r->found.ids.data + s->rc.first : NULL,
		.nreceivers = s->rc.n,
		.targets = s->tm.n ? r->found.ids.data + s->tm.first : NULL,
		.ntargets = s->tm.n,
	};
}

struct sherd_required_figures sherd_requirements_figures(const sherd_requirements *r)
{
	const struct req_stats *s = &r->found.stats;

	return (struct sherd_required_figures){
		.classes = s->classes,
		.methods = s->methods,
		.sites = s->sites,
		.reached_sites = s->reached_sites,
		.poly_sites = s->poly_sites,
		.starved_sites = s->starved_sites,
		.open_sites = s->open_sites,
		.client_sites = s->client_sites,
		.rc = s->rc,
		.tm = s->tm,
		.analysed_methods = r->found.analysed_methods,
	};
}
