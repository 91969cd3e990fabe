/* SPDX-License-Identifier: Apache-2.0 */
/* asking.h - questions about library calls, and their answers: questions.c says which there are, solving.c in which order they are
 * solved, and on top of what. */
#ifndef ANALYSIS_PTA_REACH_ASKING_H
#define ANALYSIS_PTA_REACH_ASKING_H

#include "analysis/pta/reach/reach_p.h"

struct question { uint32_t instance, stmt, call, answer; };

/* BEGUN: it comes to a beginning of its level (solving.c). LARGE: it took too much work. */
enum progress { OPEN, DONE, BEGUN, LARGE };

struct answer {
	uint32_t question;       /* one that asks for it */
	uint32_t first, n;       /* edges of `found`: sorted, each target once */
	uint32_t shared;         /* and those of a row of `shared`; 0: none */
	uint32_t call;           /* 1 + the last one that has it in the result */
	uint32_t effect;
	uint32_t beginning;      /* that it comes to */
	uint8_t progress, level;
};

struct shape {                   /* answers with the same callees */
	uint32_t first, n;       /* of `order` */
};

struct shared_edges { uint32_t first, n; };              /* of `found`, likewise: that answers on top of a beginning have */

struct asking {
	struct reach *r;
	struct paths *paths;
	struct effects *effects;         /* NULL: not asked for */
	struct reach_result *out;
	VEC(struct question) questions;
	VEC(struct answer) answers;
	VEC(uint32_t) keys;              /* one after the other: length, callees, 0, sets of arguments */
	VEC(uint32_t) key_of;            /* by answer */
	VEC(uint32_t) shape_of;          /* by answer */
	VEC(uint32_t) order;             /* answers by their shapes */
	VEC(struct shape) shapes;
	VEC(uint32_t) shape_first;       /* by shape: an answer */
	struct map call_at, answer_by_hash, shape_by_hash, set_by_hash, set_of_node;
	VEC(node_id) sets;               /* different ones */
	VEC(struct reach_edge) found;
	VEC(struct shared_edges) shared;         /* [0] unused */
	uint32_t sharing;                /* the row of it that is shared now; 0: none */
	VEC(uint32_t) key, joined;       /* scratch */
	VEC(struct reach_edge) merged;   /* scratch */
};

/* questions.c: what an answer begins with, what those of its shape share; and what there is to say of it when it has run. */
void begin_shape(struct asking *q, uint32_t shape);
void begin_answer(struct asking *q, uint32_t answer);            /* on top of its shape */
void finish_answer(struct asking *q, uint32_t answer);
/* What is there has run: from now on answers share what the instance leads to. Returns what to end that with. */
uint32_t begin_sharing(struct asking *q, uint32_t instance);
void end_sharing(struct asking *q, uint32_t before);

/* solving.c */
void solve_all(struct asking *q);

#endif
