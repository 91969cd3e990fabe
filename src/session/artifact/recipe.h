/* SPDX-License-Identifier: Apache-2.0 */
/* recipe.h - what a test does to bring an object to a call: the statements of clients that a witness needs.
 *
 * A witness is made of stretches: from where the object is made, read from memory or handed in by the client, through
 * variables, arguments and results, to where it is stored, handed out or called. What the client does at their ends is part of
 * the recipe; a stretch without the client needs a call that reaches its outermost method. */
#ifndef SESSION_ARTIFACT_RECIPE_H
#define SESSION_ARTIFACT_RECIPE_H

#include "analysis/callgraph/path.h"
#include "analysis/fragment/fragment.h"
#include "analysis/pta/pta.h"

struct recipe_act {
	uint32_t stmt;                /* number of the placeholder, from 1; 0: the receiver is made, which no placeholder does */
	method_id callee;             /* what a call runs; none: what it names */
};
struct recipe {
	const struct program *p;
	const struct callgraph *graph;
	const struct placeholders *clients;
	struct call_tree paths;       /* from the client on */
	VEC(struct recipe_act) acts;
	struct map way_of;            /* method -> row of `ways` + 1 */
	VEC(struct path_call) ways;  /* the client's call that leads to a method; zeroed: none */
};
void recipe_init(struct recipe *r, const struct callgraph *g, const struct placeholders *clients);
void recipe_release(struct recipe *r);

/* Replaces the acts by those for this witness, in order; none: clients can do nothing for it. `is_library`: the class is none of
 * the component's, so that tests may make objects of it whatever the interface says. */
void recipe_make(struct recipe *r, const struct pta_witness *w, bool is_library);
/* "new p.Circle(int)", "p.Shapes.add(Shape)", "p.Colour.RED", "p.Shapes.first =" */
void recipe_add_text(const struct recipe *r, const struct recipe_act *a, class_id receiver, struct strbuf *out);

#endif
