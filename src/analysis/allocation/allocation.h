/* SPDX-License-Identifier: Apache-2.0 */
/* allocation.h - which memory of a C program is told apart from which: every call of an allocator has an object of its own.
 *
 * Finds functions that hand out what allocators return (wrappers; they become CFN_ALLOCATES), and gives every direct call of
 * an allocator its own object, and every call through a pointer one for the case that it calls one. Run it once, when bodies
 * and models are complete; it makes names unique, too (cir_index_names). Returns the number of wrappers.
 *
 * With `settles`, functions that do the same whatever is linked with the program become CFN_SETTLED, and get what callers need to know
 * of their parameters (cprogram.uses): all that they call is there, and not weak. */
#ifndef ANALYSIS_ALLOCATION_ALLOCATION_H
#define ANALYSIS_ALLOCATION_ALLOCATION_H

#include "cir/cir.h"

uint32_t allocation_rewrite(struct cprogram *p, bool settles);

#endif
