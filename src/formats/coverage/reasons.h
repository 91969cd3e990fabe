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
};
struct reasons {
	uint64_t plan;                /* id of the plan they belong to */
	VEC(struct reason) rows;      /* by site, type */
	VEC(struct reason_step) steps;
	/* What a client, a test say, does to bring the receiver there, in short and in order: "new p.Circle(int)",
	 * "p.Shapes.add(Shape)", a call; "p.Colour.RED", a field that is read; "p.Shapes.first = ", one that is written. */
	VEC(struct str) acts;
};
void reasons_release(struct reasons *r);
void reasons_write(const struct reasons *r, struct strbuf *out);
bool reasons_read(struct reasons *r, struct span bytes, struct arena *mem, struct strbuf *err);
const struct reason *reasons_find(const struct reasons *r, uint32_t site, uint32_t type);        /* NULL: none */

#endif
