/* SPDX-License-Identifier: Apache-2.0 */
/* template.h - a template in the making; template.c and features that add to templates. */
#ifndef ANALYSIS_PTA_TEMPLATE_H
#define ANALYSIS_PTA_TEMPLATE_H

#include "analysis/pta/pta_p.h"

#define MAX_INLINED 8            /* methods of sherd/JVM within each other */

/* A body being read: tables by SSA value. */
struct frame {
	const struct ir_body *body;
	bool *live;              /* the value matters */
	bool *is_null;
	class_id *types;
	ir_value *alias;         /* itself, or the value that it always is */
	uint32_t *var;
	uint32_t *var_of_slot;   /* opt.merges_slots: by local variable; else NULL */
	uint32_t scope, scope_block;     /* the last scope that was made, and its block */
};

struct maker {
	struct pta *a;
	struct caller caller;
	VEC(struct t_stmt) stmts;
	VEC(uint32_t) args;
	VEC(struct handler) handlers;
	VEC(struct scope) scopes;
	VEC(class_id) types;     /* by variable */
	VEC(uint32_t) returned;
	uint32_t *params;
	class_id *param_types;
	uint32_t nparams, nvalues, first_site;
	const uint32_t *var_of_value;
	uint32_t depth;          /* of inlined bodies */
	bool delegates;          /* a site of the method does: see add_site() */
};

void hooks_add(struct maker *k);         /* hooks.c */

#endif
