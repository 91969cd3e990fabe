/* SPDX-License-Identifier: Apache-2.0 */
/* part.h - solutions of parts of a solved system, one after the other.
 *
 * A solver has come to its end. A *part* states some of its constraints again, about the same nodes and objects, and has the least
 * sets that satisfy these, within those of the solver: what a node lacks there does not get to it here. Nodes that became one are
 * several again. What was stated since a mark can be taken back, as if it had never been: so parts that begin alike share their
 * beginning.
 *
 * Objects that others can get at are *shared*: constraints that are not stated may change them. When a slot of a shared object is
 * read (it is the source of a copy to another node, or the node of a rule), it holds all that it holds in the solver; and what is
 * in a slot of a shared object is shared, too.
 *
 * The solver is only read, and must not change meanwhile; several parts of it may be in several threads. */
#ifndef SOLVE_PART_H
#define SOLVE_PART_H

#include "solve/solve.h"

struct part;

struct part_opt {
	void *ctx;
	/* As in solver_opt: it may state constraints, and share; not run, mark or undo. */
	void (*watch)(void *ctx, uint32_t tag, struct set_view news);
	bool (*go_on)(void *ctx);            /* now and then; false stops part_run. May be NULL */
	uint64_t ask_every;                  /* after so much work (part_work); 0: a million or so */
	/* So many nodes that the solver has not: each may hold what `like` holds there. */
	uint32_t extra;
	node_id like;
};

struct part *part_new(const struct solver *s, const struct part_opt *opt);
void part_free(struct part *p);

node_id part_extra(const struct part *p, uint32_t k);    /* the kth of them, from 0 */

/* Constraints, as those of solve.h. Nodes may be slots. */
void part_add(struct part *p, node_id n, object_id o);
void part_add_word(struct part *p, node_id n, uint32_t block, uint64_t bits);
void part_copy(struct part *p, node_id from, node_id to, mask_id mask);
void part_load(struct part *p, node_id base, mask_id guard, uint32_t slot, node_id to, mask_id mask);
void part_store(struct part *p, node_id from, node_id base, mask_id guard, uint32_t slot);
void part_watch(struct part *p, node_id n, mask_id guard, uint32_t tag);
/* `to` contains what passes the mask of all that `from` holds in the solver. */
void part_take(struct part *p, node_id from, node_id to, mask_id mask);
/* Copies from, and to, a slot of an object; nothing when the solver has no such object. */
void part_get_slot(struct part *p, object_id o, uint32_t slot, node_id to);
void part_put_slot(struct part *p, node_id from, object_id o, uint32_t slot);
/* What gets to the node is shared; so are the objects of a set, which may be part_set's. */
void part_share(struct part *p, node_id n);
void part_share_set(struct part *p, struct set_view v);

/* Runs until every constraint holds. False: go_on stopped it; then it goes on in the next call, or is taken back. */
bool part_run(struct part *p);

/* Marks are of parts where every constraint holds: new ones, and those that have run. Undoing goes back to a mark, whatever was stated
 * or left undone since, and forgets the marks that came after it; it may be done to the same mark again. */
struct part_mark { uint32_t rows, words, edges, rules, changes, shared, flags; };
struct part_mark part_mark(struct part *p);
void part_undo(struct part *p, struct part_mark m);

/* Results. Words may be 0; a set is valid until the next call that changes the part. */
struct set_view part_set(const struct part *p, node_id n);
bool part_is_shared(const struct part *p, object_id o);
uint64_t part_work(const struct part *p);                /* words and edges walked, since it was made */

#endif
