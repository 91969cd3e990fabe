/* SPDX-License-Identifier: Apache-2.0 */
/* lower.h - bytecode to statements. */
#ifndef LOAD_LOWER_LOWER_H
#define LOAD_LOWER_LOWER_H

#include "load/loader.h"

/* The body of method `index` of the unit's class file, in SSA form, allocated in `mem`; temporary memory
 * comes from `scratch`, which the caller clears. NULL with a diagnostic (E020, E021; it names class,
 * method and pc) when the code is malformed or too complex. Requires a Code attribute. */
const struct ir_body *lower_method(struct program *p, struct unit *u, uint16_t index, struct arena *mem,
				   struct arena *scratch);

/* The outline of the same method; accepts everything that lower_method accepts. It may contain statements
 * of unreachable code. One linear pass. */
const struct ir_body *outline_method(struct program *p, struct unit *u, uint16_t index, struct arena *mem);

#endif
