/* SPDX-License-Identifier: Apache-2.0 */
/* shadows.h - fields that classes of the component get when they are loaded, which keep who wrote another field last
 * (formats/coverage/plan_fields.h). A class that was loaded without its shadows never gets them. */
#ifndef AGENT_SHADOWS_H
#define AGENT_SHADOWS_H

#include "agent/match.h"
#include "rewrite/rewrite.h"

/* All take the lock. */

/* A class of the plan is being loaded, or, again, replaced: the fields that it
 * is to get, *n of them, in `mem`. */
struct new_field *shadows_of(uint32_t class, bool is_again, struct arena *mem, uint32_t *n);
/* It is there without them: nothing happens when it has got them before. */
void shadows_refuse(uint32_t class);

/* How many insertions shadows_edit() makes at most. */
uint32_t shadows_most(const struct classfile *cf, const struct cf_member *m);
/* Adds to `in`, *made of them so far, what a method of a class of the plan needs. `uses` are its sites; those that get a probe
 * are marked in is_watched, by site from first_site on. NULL, or why one of them does not: text in p->mem. */
const char *shadows_edit(const struct probes *p, uint32_t class, const struct match *uses, uint32_t nuses, struct insertion *in,
			 uint32_t *made, bool *is_watched, uint32_t first_site);

#endif
