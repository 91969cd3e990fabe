/* SPDX-License-Identifier: Apache-2.0 */
/* clients.h - what a library in C and its unknown clients can do to each other, and what they cannot (section 3.2 of the
 * thesis).
 *
 * All data of clients is one object, all their code is one function: an object that theirs may point to can be reached by
 * clients, a statement through a pointer that may point to their object can touch their data, a call that may be of their
 * function calls them. */
#ifndef ANALYSIS_CLIENTS_H
#define ANALYSIS_CLIENTS_H

#include "analysis/cpta/cpta.h"

/* Of so many variables, accesses, calls and functions, how many. */
struct clients_stats {
	uint64_t variables, reachable;        /* the library's own; clients can have the address */
	uint64_t accesses, touching;          /* through pointers, or calls of models; can touch clients' data */
	uint64_t calls, calling;              /* can call clients */
	uint64_t functions, interacting;      /* do either, or call such */
};

struct clients {
	bool *reached;                /* by object: clients may have its address */
	bool *counted;                /* by object: it is one of the library's, which can be reached or not */
	bool *touches;                /* by statement: may access clients' data, itself or in a model that it calls */
	bool *calls_back;             /* by call */
	bool *fn_touches;             /* by function: a statement of it does */
	bool *fn_interacts;           /* by function: it, or what it calls, touches or calls clients */
	struct clients_stats stats;
};
/* `data` and `code` stand for all of the clients'. */
void clients_compute(struct clients *x, const struct cpta *facts, cobj_id data, cfn_id code);
void clients_release(struct clients *x);

#endif
