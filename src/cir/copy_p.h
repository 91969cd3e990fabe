/* SPDX-License-Identifier: Apache-2.0 */
/* copy_p.h - rows of one program to another, between compact.c and link.c. */
#ifndef CIR_COPY_P_H
#define CIR_COPY_P_H

#include "cir/cir.h"

/* What rows are there: by id, 0 is none. Functions, objects and variables have their places before anything that names them is
 * copied; strings, layouts and locations are copied when they are first named. */
struct ccopy {
	const struct cprogram *from;
	struct cprogram *to;
	uint32_t *fns, *objs, *vars, *layouts;
	uint32_t *names;             /* 1 + the string */
	struct map known;            /* layouts of `to`, by what they are: equal ones are one */
	VEC(cvar_id) args;
};

void ccopy_init(struct ccopy *c, const struct cprogram *from, struct cprogram *to);
void ccopy_release(struct ccopy *c);

str_id ccopy_name(struct ccopy *c, str_id s);
cloc_id ccopy_loc(struct ccopy *c, cloc_id l);
clayout_id ccopy_layout(struct ccopy *c, clayout_id l);
struct cobj ccopy_object(struct ccopy *c, uint32_t o);
struct cvar ccopy_var(struct ccopy *c, uint32_t v);
/* Without its body. Its variables follow one another as they did. */
struct cfn ccopy_function(struct ccopy *c, uint32_t f);
void ccopy_stmt(struct ccopy *c, const struct cstmt *s);             /* behind the last one, with its call */
void ccopy_body(struct ccopy *c, uint32_t f);
void ccopy_folders(struct ccopy *c);                                 /* of the files that were named */

#endif
