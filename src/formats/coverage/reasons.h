/* SPDX-License-Identifier: Apache-2.0 */
/* reasons.h - how required receivers that were missed can get there, kept beside a plan: rows of text for reports. */
#ifndef FORMATS_REASONS_H
#define FORMATS_REASONS_H

#include "base/mem.h"
#include "base/span.h"
#include "base/strbuf.h"
#include "base/vec.h"

struct reason_step {
	struct str place;             /* "p.Factory.make:12"; may be empty */
	struct str text;              /* "new p.Circle" */
};
struct reason {
	uint32_t site, type;          /* rows of the plan */
	uint32_t first_step, nsteps;
	uint32_t first_act, nacts;    /* none: nobody knows what a client could do for it */
	uint32_t target;              /* row of the plan: the class that declares what then runs; 0: not known */
	uint32_t cost;                /* of the way: the less, the nearer it is to what a client does */
	uint32_t idea;                /* row of `ideas` + 1; 0: none */
};
/* What a client does that brings receivers of a class to calls: an object, and the call of the interface that takes it there. */
struct reason_idea {
	uint32_t type;                /* row of the plan: the class of the object */
	struct str call;              /* "p.Shapes.add(Shape)" */
	struct str code;              /* as Java, a statement a line; empty: not written down */
	struct str imports;           /* "p.Circle,p.Shapes": classes that the code names */
	bool is_whole;                /* the code compiles as it is */
};
/* A requirement that cannot be met. */
struct reason_refuted {
	uint32_t site, type;
	uint32_t why;                 /* enum refuted_by */
};
enum refuted_by {
	REFUTED_BY_CONDITIONS,        /* conditions in the code rule it out: the call is not made on such an object */
	REFUTED_BY_CONTEXTS,          /* an analysis that tells objects of containers, or contexts, apart does not require it */
	REFUTED_BYS
};
struct reasons {
	uint64_t plan;                /* id of the plan they belong to */
	VEC(struct reason) rows;      /* by site, type */
	VEC(struct reason_step) steps;
	/* What a client, a test say, does to bring the receiver there, in short and in order: "new p.Circle(int)",
	 * "p.Shapes.add(Shape)", a call; "p.Colour.RED", a field that is read; "p.Shapes.first = ", one that is written. */
	VEC(struct str) acts;
	VEC(struct reason_idea) ideas;
	VEC(struct reason_refuted) refuted;   /* receivers, by site, type; whether they were seen or not */
	VEC(struct reason_refuted) refuted_targets;   /* methods that only these run, by the classes that declare them; likewise */
};
void reasons_release(struct reasons *r);
void reasons_write(const struct reasons *r, struct strbuf *out);
bool reasons_read(struct reasons *r, struct span bytes, struct arena *mem, struct strbuf *err);
const struct reason *reasons_find(const struct reasons *r, uint32_t site, uint32_t type);        /* NULL: none */
const struct reason_refuted *reasons_refuted(const struct reasons *r, uint32_t site, uint32_t type);     /* NULL: it is not */
const struct reason_refuted *reasons_refuted_target(const struct reasons *r, uint32_t site, uint32_t type);
const char *refuted_by_word(enum refuted_by why);        /* "conditions" */

#endif
