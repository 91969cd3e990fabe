/* SPDX-License-Identifier: Apache-2.0 */
/* modref_p.h - the inside of a side-effect analysis. */
#ifndef ANALYSIS_MODREF_P_H
#define ANALYSIS_MODREF_P_H

#include "algo/digraph.h"
#include "algo/family.h"
#include "algo/groups.h"
#include "analysis/modref/modref.h"

/* A dense set of small numbers. */
struct bits {
	uint64_t *words;
	uint32_t n;                  /* words */
};
void bits_init(struct bits *b, uint32_t members);            /* empty, for members below this number */
void bits_release(struct bits *b);
bool bits_add(struct bits *b, uint32_t member);              /* false: it was there */
static inline bool bits_has(const struct bits *b, uint32_t member)
{
	return b->words[member / 64] >> member % 64 & 1;
}

/* access.c: which objects a call can get at. Once something is reached from a global, so is all behind it: `shared` holds that;
 * beyond it there is little, and it is found call by call. */
struct access {
	const struct cpta *a;
	uint32_t *first_cell, *next_cell;    /* cells of objects, as lists: by object, by cell */
	struct bits shared;          /* objects that are reached from globals and static locals */
	struct bits marked;          /* objects, while a call is looked at: always empty in between */
	VEC(uint32_t) found;         /* those that are marked */
	/* Objects of a set that are not shared, once they were asked for: few, if any. */
	struct unshared { uint32_t first, n; bool known; } *of_set;
	VEC(uint32_t) unshared;
	ccell_vec set;
};
void access_init(struct access *x, const struct cpta *a);
void access_release(struct access *x);
void access_begin(struct access *x, const struct ccall *c);  /* marks what is reached from the actual parameters */
void access_end(struct access *x);
static inline bool access_has(const struct access *x, uint32_t obj)
{
	return bits_has(&x->shared, obj) || bits_has(&x->marked, obj);
}

struct modref;

/* Cells in two parts: what everyone can get at (access.shared), and the rest, of which there is little. */
struct parts {
	fset_id shared, passed;
};

/* effects.c: what accesses through pointers get at. Many pointers have the same set: what an access of some width through it is of
 * is looked for once. */
struct behind {
	struct map rows[2];          /* by effect, by set and width: 1 + the row */
	VEC(struct parts) parts;
	struct draft shared, passed; /* empty in between */
};
void behind_init(struct modref *m);
void behind_release(struct behind *b);

/* What a statement that is no call does by itself: cells that it names, those behind its pointer (active or not), variables. */
struct effect_sink {
	void (*cell)(void *ctx, uint32_t cell);
	void (*cells)(void *ctx, struct parts p);
	void (*var)(void *ctx, cvar_id v);
	void *ctx;
};
void stmt_effects(struct modref *m, const struct cstmt *s, enum effect e, const struct effect_sink *sink);

/* calls.c: who may call whom. Functions of one component call each other, so that what is active in one is in all of them. */
struct modref_calls {
	struct digraph callees;      /* of functions; each once */
	uint32_t *component;         /* by function; callees have the same number or a lower one */
	uint32_t ncomponents;
	struct groups members;       /* by component: the functions that may run */
	struct bits apart;           /* components that may run beside or above any other: in threads, handlers, at exit */
	fset_id *active;             /* by component: cells of locals, its own and those of its callers and theirs; not where it is apart */
};
void modref_calls_compute(struct modref *m);
void modref_calls_release(struct modref_calls *g);

/* Effects of procedures are in two parts. What everyone can get at is the same for all members of a component: no call leaves any of
 * it out. The rest depends on what calls pass. */
struct modref {
	const struct cpta *a;
	const struct cprogram *p;
	struct access access;
	struct modref_calls calls;
	uint32_t ncells;
	uint32_t *obj_of;            /* by cell: the object */
	uint32_t *local_to;          /* by cell: the function whose local it is of; 0: of none, it is always active */
	struct family sets;          /* of cells */
	struct draft drafts[2];      /* by effect, or for other things: empty in between */
	struct behind behind;
	fset_id *shared[2];          /* by effect, by component */
	fset_id *passed[2];          /* by effect, by function: cells that are not shared */
	bool (*go_on)(void *ctx);
	void *ctx;
};

static inline bool modref_is_shared(const struct modref *m, uint32_t cell)
{
	return bits_has(&m->access.shared, m->obj_of[cell]);
}

/* Is the memory of the cell alive before and after a statement of `fn`? */
bool modref_is_active(const struct modref *m, cfn_id fn, uint32_t cell);

#endif
