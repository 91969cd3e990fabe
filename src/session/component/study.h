/* SPDX-License-Identifier: Apache-2.0 */
/* study.h - a component under analysis: from patterns to what its tests should exercise, and how receivers get to its calls.
 *
 *	study_prepare(&x, &opt, ...);           what is asked, and how
 *	study_class_path(&x.opt, cp, &path);    then session_open() with that path
 *	study_open(&x, s);                      component, interface, placeholders
 *	study_need(&x, COMPONENT_REQUIREMENTS); or another row of analyses.def
 *	study_close(&x); */
#ifndef SESSION_COMPONENT_STUDY_H
#define SESSION_COMPONENT_STUDY_H

#include "report/requirements/requirements.h"
#include "report/objects/why.h"
#include "session/analysis.h"
#include "session/component/fragment.h"

struct study {
	struct fragment_opt opt;
	unsigned criteria;            /* bits of enum req_criterion */
	struct analysis analysis;     /* its algorithm is the one to run; graph and facts of the last one */
	struct session *session;      /* borrowed, from study_open() on */
	struct driver driver;
	struct fragment fragment;     /* COMPONENT_COMPONENT, _INTERFACE, _PLACEHOLDERS */
	struct requirements sites;    /* COMPONENT_SITES: with what the hierarchy says of them */
	struct requirements found;    /* COMPONENT_REQUIREMENTS, by the algorithm */
	double graph_seconds;         /* that COMPONENT_GRAPH took */
};

/* Takes what users write. False when it makes no sense: `err` says what to write instead. `x` is zeroed. */
bool study_prepare(struct study *x, const struct fragment_opt *opt, const char *algorithm, const char *heap, struct strbuf *err);
/* The class path for the session: with the classes of tests that the interface is taken from. `given` may be NULL. */
void study_class_path(const struct fragment_opt *opt, const char *given, struct strbuf *out);

/* Finds component and interface, makes the placeholders. False, with diagnostics, when there is none. `x` keeps its place in
 * memory. Always end with study_close. */
bool study_open(struct study *x, struct session *s);
void study_close(struct study *x);

/* Computes a row of analyses.def about components, with all that it requires. False, with diagnostics, when that is not
 * possible: not after study_open. */
bool study_need(struct study *x, enum analysis_id wanted);
/* The requirements of a more precise analysis than that of x->found, which stays. False: there is none that takes about as long, or the
 * component is too large for a second look. The sites of both are the same. To be released. */
bool study_refine(struct study *x, struct requirements *out);
/* Computes x->analysis.callbacks: what library calls of the component call back. Also for cha, which else needs no graph. */
bool study_callbacks(struct study *x);
/* Computes x->analysis.defuse: def-use pairs of fields of the component. The algorithm keeps variables apart; study_keep_pairs() came
 * before study_open(). */
void study_keep_pairs(struct study *x);
bool study_pairs(struct study *x);
/* The figures of several algorithms, in their order; x->found is then what the last one requires. The facts of none are kept. */
void study_compare(struct study *x, const struct algorithm *algorithms, uint32_t n, struct comparison *out);
/* The figures of x->found, with those of the run. */
void study_stats(const struct study *x, struct stats *out);

/* How a class can be that of the receiver at a call of the component. */
struct question {
	const char *site;             /* as session_site() takes it */
	const char *receiver;         /* the class, or the end of its name */
	const char *doubt;            /* set when a step of the answer could not be confirmed, which is a bug of ours */
};
/* Runs the analysis, which must follow variables and explain. False when there is no such call or receiver: `why` says what
 * to write instead; it is empty where a diagnostic does. */
bool study_why(struct study *x, struct question *q, struct why *out, struct strbuf *why);

#endif
