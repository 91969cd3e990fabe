/* SPDX-License-Identifier: Apache-2.0 */
/* solve.h - inclusion constraints over sets of objects: the one place where what flows is computed.
 *
 * A *node* stands for whatever can hold references: a variable, a field of an object, a type. Its set is the least one
 * that satisfies the constraints. An *object* is an element of such sets; it has a *kind* (a class, say) and one node for
 * each of its kind's *slots* (its fields). A *mask* is a set of kinds, through which constraints filter. A *watch* tells
 * its owner what arrives at a node, so that the owner can add constraints while the solver runs (calls, above all).
 *
 * Objects are numbered so that the 64 of one word of a set are either eight groups of eight, each of one kind, or the
 * objects that stand for 64 successive kinds. Masks know both as words, and are applied word by word; a watch learns of
 * kinds without looking at every object (same_kind).
 *
 * Nodes on a cycle of unfiltered copies are found while solving and become one. Ids stay valid. The order of the
 * calls determines everything: the same calls give the same numbers. Not for several threads. */
#ifndef SOLVE_SOLVE_H
#define SOLVE_SOLVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ids; 0 is none. */
typedef struct { uint32_t i; } node_id;
typedef struct { uint32_t i; } kind_id;
typedef struct { uint32_t i; } mask_id;          /* none: everything passes */
typedef struct { uint32_t i; } object_id;        /* block * 64 + place in its word */

/* Blocks below this one hold the objects that stand for kinds: object k is the one of kind k. */
#define KIND_BLOCKS (1u << 14)
#define KINDS_MAX (KIND_BLOCKS * 64u)

/* A set, or what is new in one: words in the order of their blocks; some may be zero. Borrowed: valid until the next
 * call that changes the solver, except in a watch, where it stays as it was until the watch returns. */
struct set_view {
	const uint64_t *words;
	const uint32_t *blocks;
	uint32_t n;
};

struct solver;

struct solver_opt {
	void *ctx;
	void (*watch)(void *ctx, uint32_t tag, struct set_view news);
	/* Called now and then; false stops solver_run. May be NULL. */
	bool (*go_on)(void *ctx);
	bool keeps_copies;           /* remember every copy as it was stated, for solver_copies */
	/* Unification instead of inclusion: a copy makes its two nodes one once its source was propagated that many times
	 * (1: at once, Steensgaard's analysis; Tip and Palsberg's and others' bounded propagation in between).
	 * 0: never. Masks are ignored between unified nodes. */
	uint32_t unify_after;
	/* Unification below the surface: objects that are in one set and of one category, a number below `categories`, have one
	 * slot 0 (1: all of them, Das' one-level flow; more: Shapiro and Horwitz' analysis). 0: never. `category` may be NULL when
	 * there is one. Every object has a slot then. */
	uint32_t categories;
	uint32_t (*category)(void *ctx, object_id o);
};

struct solver *solver_new(const struct solver_opt *opt);
void solver_free(struct solver *s);

/* Kinds, objects, masks. `admits`: what may be stored into slots of such objects. A kind is in a mask from the
 * moment it is put there: do that before its objects are in any set. */
kind_id solver_kind(struct solver *s, uint32_t nslots, mask_id admits);
#define SLOTS_ARE_ONE UINT32_MAX     /* as `nslots`: there is one, and it is every slot that is asked for */
object_id solver_object(struct solver *s, kind_id k);          /* a new one */
object_id solver_kind_object(struct solver *s, kind_id k);     /* the one that stands for the kind */
kind_id solver_kind_of(const struct solver *s, object_id o);
node_id solver_slot(const struct solver *s, object_id o, uint32_t slot);
mask_id solver_mask(struct solver *s);
void solver_mask_add(struct solver *s, mask_id m, kind_id k);
bool solver_mask_has(const struct solver *s, mask_id m, kind_id k);         /* none has every kind */

/* Nodes: the first of n successive new ones. */
node_id solver_nodes(struct solver *s, uint32_t n);

/* Constraints. They may be stated at any time, also by watches; repeating one is harmless. */
void solver_add(struct solver *s, node_id n, object_id o);
void solver_add_word(struct solver *s, node_id n, uint32_t block, uint64_t bits);
/* to contains the objects of `from` that pass the mask */
void solver_copy(struct solver *s, node_id from, node_id to, mask_id mask);
/* to contains what passes `mask` of the slot of every object of `base` that passes `guard`. Objects that pass have
 * such a slot. */
void solver_load(struct solver *s, node_id base, mask_id guard, uint32_t slot, node_id to, mask_id mask);
/* the slot of every object of `base` that passes `guard` contains those of `from` that its kind admits */
void solver_store(struct solver *s, node_id from, node_id base, mask_id guard, uint32_t slot);
/* The two nodes become one: each contains what the other does, and what holds for one holds for both. */
void solver_join(struct solver *s, node_id a, node_id b);
/* opt.watch is called with the tag and what is new in the node and passes `guard` (at least once for every element;
 * after nodes became one, some elements may come again). Never from within this call. */
void solver_watch(struct solver *s, node_id n, mask_id guard, uint32_t tag);

/* Runs until every constraint holds. False: go_on stopped it. */
bool solver_run(struct solver *s);

/* Results */
struct set_view solver_set(const struct solver *s, node_id n);
bool solver_has(const struct solver *s, node_id n, object_id o);
node_id solver_find(const struct solver *s, node_id n);        /* the node that stands for n and those it became one with */

struct solver_stats {
	uint64_t nodes, joined;            /* all nodes; those that another stands for */
	uint64_t objects, kinds, masks;
	uint64_t copies;                   /* edges between nodes */
	uint64_t facts;                    /* elements of all sets, counted for every node */
	uint64_t set_bytes, bytes;         /* memory held by sets; by everything */
	uint64_t sweeps;                   /* searches for cycles */
	uint64_t visits;                   /* times a node was propagated */
};
struct solver_stats solver_stats(const struct solver *s);

/* The copies as they were stated, also those that loads and stores came down to, in that order (keeps_copies). */
struct solver_copy { node_id from, to; mask_id mask; };
const struct solver_copy *solver_copies(const struct solver *s, size_t *n);

/* Does the finished solution satisfy every constraint? False: *reason, a static string, says which sort does not. */
bool solve_check(const struct solver *s, const char **reason);

static inline bool is_kind_block(uint32_t block)
{
	return block < KIND_BLOCKS;
}
/* Objects of one kind among those of a word that is not zero: the first, and what else is in its group. */
static inline uint64_t same_kind(uint32_t block, uint64_t word)
{
	return block < KIND_BLOCKS ? word & -word : word & (uint64_t)0xff << ((unsigned)__builtin_ctzll(word) & ~7u);
}
static inline unsigned first_bit(uint64_t word)          /* of a word that is not zero */
{
	return (unsigned)__builtin_ctzll(word);
}

#endif
