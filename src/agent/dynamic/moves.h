/* SPDX-License-Identifier: Apache-2.0 */
/* moves.h - where the instructions of rewritten methods were in their class files. Hold the lock for both functions. */
#ifndef AGENT_DYNAMIC_MOVES_H
#define AGENT_DYNAMIC_MOVES_H

#include "rewrite/rewrite.h"

/* Keeps a copy. A method that is rewritten again, or in the class of another loader, has the last one. */
void moves_keep(struct str internal_class, struct str name, struct str desc, const struct method_edit *e);
/* The pc in the class file of an instruction; `pc` itself in a method that was not rewritten. */
uint32_t moves_original(struct str internal_class, struct str name, struct str desc, uint32_t pc);

#endif
