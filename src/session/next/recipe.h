/* SPDX-License-Identifier: Apache-2.0 */
/* recipe.h - what a test does to bring an object to a call: the statements of clients that a witness needs.
 *
 * A witness is made of stretches: from where the object is made, read from memory or handed in by the client, through
 * variables, arguments and results, to where it is stored, handed out or called. What the client does at their ends is part of
 * the recipe; a stretch without the client needs a call that reaches its outermost method. */
#ifndef SESSION_NEXT_RECIPE_H
#define SESSION_NEXT_RECIPE_H

#include "analysis/callgraph/path.h"
#include "analysis/fragment/fragment.h"
#include "analysis/pta/pta.h"

struct recipe_act {
	uint32_t stmt;                /* number of the placeholder, from 1; 0: the receiver is made, which no placeholder does */
	method_id callee;             /* what a call runs; none: what it names */
	uint32_t param;               /* 1 + the parameter as which the object goes in, the receiver counts; 0: it does not */
	bool gives;                   /* the object is what it makes, reads or returns */
	class_id base;                /* of calls on another object: its class, as far as the way tells; none: it does not */
	class_id arg;                 /* likewise of one of the arguments that are not the object */
};
/* The client's call that leads to a method, zeroed: none; and the class of the object that it is made on, as in an act. */
struct way_to { struct path_call call; class_id base; };
struct recipe {
	const struct program *p;
	const struct callgraph *graph;
	struct hierarchy *h;
	const struct placeholders *clients;
	struct call_tree paths;       /* from the client on */
	class_id receiver;            /* of the witness */
	VEC(struct recipe_act) acts;
	bool is_crossed;              /* the way goes into a method by one call and out by another's: no single run goes so */
	struct map way_of;            /* method -> row of `ways` + 1 */
	VEC(struct way_to) ways;
};
void recipe_init(struct recipe *r, const struct callgraph *g, struct hierarchy *h, const struct placeholders *clients);
void recipe_release(struct recipe *r);

/* Replaces the acts by those for this witness, in order; none: clients can do nothing for it. `is_library`: the class is none of
 * the component's, so that tests may make objects of it whatever the interface says. */
void recipe_make(struct recipe *r, const struct pta_witness *w, bool is_library);
/* The public constructor with the fewest parameters; none: there is none. */
method_id easiest_constructor(const struct program *p, class_id c);
/* "new p.Circle(int)", "p.Shapes.add(Shape)", "p.Colour.RED", "p.Shapes.first =" */
void recipe_add_text(const struct recipe *r, const struct recipe_act *a, class_id receiver, struct strbuf *out);

#endif
