/* SPDX-License-Identifier: Apache-2.0 */
/* requirements.h - what tests of a component should exercise: at each of its dispatched calls the possible classes of the
 * receiver (RC) and the possible targets (TM); beyond these, the classes of senders and of arguments. */
#ifndef ANALYSIS_REQUIREMENTS_H
#define ANALYSIS_REQUIREMENTS_H

#include "analysis/callgraph/callgraph.h"
#include "analysis/fragment/fragment.h"
#include "analysis/pta/pta.h"

/* Lists of a site. Bits as in the plan, where it has them: enum plan_criteria. */
enum req_criterion { CRITERION_RC = 1, CRITERION_TM = 2, CRITERION_SENDERS = 4, CRITERION_ARGS = 8 };

/* A list of classes or methods: ids [first, first + n) of the requirements' `ids`, sorted by printed name. */
struct id_range { uint32_t first, n; };

/* A call of a method of the component that is dispatched: virtual or interface, written as a call instruction. */
struct req_site {
	method_id method;
	uint32_t pc;
	uint32_t line;                /* 0: unknown */
	mref_id declared;
	uint8_t op;                   /* IR_CALL_VIRTUAL, IR_CALL_INTERFACE */
	bool is_poly;                 /* the class hierarchy alone gives more than one receiver class */
	bool is_reached;              /* its method is, by this analysis */
	bool is_open;                 /* objects that nobody knows may be receivers: from reflection, natives, ... */
	bool is_client;               /* a client's class may be the receiver (open clients) */
	uint8_t cause;                /* enum cg_cause: CG_RESOLVED, or why targets may be missing */
	struct id_range rc, tm;       /* classes, methods; without those of clients */
	struct id_range by_callback;  /* of `rc`, those that are only there because unknown code may call back */
	struct id_range senders;      /* classes of `this` of the calling method */
	uint32_t first_arg, nargs;    /* rows of `args`: classes of each argument that is a reference */
};
struct req_arg {
	uint32_t index;               /* 0: the first argument behind the receiver */
	struct id_range classes;
};

/* The call is reached, and yet nothing can be its receiver. */
static inline bool req_is_starved(const struct req_site *s)
{
	return s->is_reached && !s->rc.n && !s->tm.n && !s->is_client && !s->is_open && s->cause == CG_RESOLVED;
}

struct req_stats {                /* sums over the poly sites only, except `sites`, `reached_sites` */
	uint64_t classes, methods;    /* of the component: classes, methods with code */
	uint64_t sites, poly_sites, reached_sites, client_sites, open_sites;
	uint64_t rc, tm, senders, args;
	uint64_t callback_rc;         /* of `rc`, those only there by callbacks of unknown code */
	uint64_t starved_sites;       /* poly sites that are reached and have no receiver at all */
};

/* A sum over the polymorphic sites, for each of them; 0 where there is none. */
static inline double req_per_site(const struct req_stats *s, uint64_t sum)
{
	return s->poly_sites ? (double)sum / (double)s->poly_sites : 0;
}

struct requirements {
	const struct program *p;
	const char *algorithm;        /* "andersen", "cha" */
	const char *assume;           /* a level of analysis/dynamic: "encap"; NULL: "listed" */
	unsigned criteria;            /* bits of enum req_criterion */
	VEC(struct req_site) sites;   /* by printed name of the method, then pc */
	VEC(struct req_arg) args;
	VEC(uint32_t) ids;
	struct req_stats stats;
	uint64_t analysed_methods;    /* reachable in fragment and placeholders, 0 for cha */
	double seconds;               /* CPU, of this analysis */
};
void requirements_release(struct requirements *r);

/* What is asked for. */
struct req_request {
	const class_id *classes;      /* of the component, loaded */
	uint32_t nclasses;
	const struct placeholders *placeholders;
	unsigned criteria;
};
/* The sites of the component, and the answer of the class hierarchy: what objects of any class that is loaded may be. Load
 * all classes before; lambdas count as far as they are known. */
void requirements_by_hierarchy(struct hierarchy *h, const struct req_request *q, struct requirements *out);
/* The answer of an analysis whose entry are the placeholders, for the sites of `cha`. `facts` may be NULL unless senders or
 * args are asked for. */
void requirements_by_analysis(const struct requirements *cha, const struct req_request *q, struct callgraph *g,
			      struct pta *facts, struct requirements *out);

static inline class_id req_class(const struct requirements *r, struct id_range in, uint32_t k)
{
	return (class_id){ r->ids.data[in.first + k] };
}
static inline method_id req_method(const struct requirements *r, struct id_range in, uint32_t k)
{
	return (method_id){ r->ids.data[in.first + k] };
}

#endif
