/* SPDX-License-Identifier: Apache-2.0 */
/* java.h - a recipe as Java: statements for the body of a test. Variables are named after their types; values that do not matter are
 * chosen by type (values.h). */
#ifndef SESSION_NEXT_JAVA_H
#define SESSION_NEXT_JAVA_H

#include "session/next/recipe.h"
#include "session/next/values.h"

struct java_local {
	class_id type;
	class_id exact;               /* of which class it is, where that is known and cannot be named */
	struct str name;
};
struct java {
	struct recipe *r;
	struct pta *facts;
	struct program *p;
	struct value_finder values;
	struct arena mem;             /* of names, until the next recipe */
	VEC(struct java_local) locals;
	VEC(class_id) imports;        /* outermost classes, but for those of java.lang */
	struct strbuf text;           /* the statements, each ends with a line feed */
	class_id arg;                 /* of the call under way: see recipe_act */
	const struct recipe_act *later;       /* acts after the one under way */
	uint32_t nlater;
	bool is_new;                  /* what is needed is made, whatever is at hand */
	uint32_t depth;               /* of recipes for what other recipes need */
	bool is_whole;                /* nothing is left to be filled in: it compiles */
	struct java_local object;     /* the one that the recipe is about; no name: it is not in a variable as yet */
};
void java_init(struct java *x, struct recipe *r, struct pta *facts, struct hierarchy *h);
void java_release(struct java *x);
/* Replaces text and imports by those of the recipe's acts, which are lost. `receiver`: the class of its object. */
void java_write(struct java *x, class_id receiver);

#endif
