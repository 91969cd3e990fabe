/* SPDX-License-Identifier: Apache-2.0 */
/* summarize.h - what of a C library its clients can tell, after A. Rountev's thesis (Dataflow analysis of software fragments),
 * sections 3.3 to 3.5.
 *
 * A basic summary is the library without what nothing refers to. An optimised one has smaller bodies: variables that always hold
 * the same are one, and statements are left out that neither move a pointer that a client can tell, nor access memory that it can.
 * What clients are told stays the same, to the element: points-to sets and contents of what is theirs or what they can get at,
 * targets of their calls, MOD and USE of their statements but for objects that are *private*: strings, heap memory, and locals of
 * the library that nothing a client has leads to. With steens, which unifies more than values say, the answer may be more precise
 * than that of the whole program.
 *
 * Variables there, and private objects, have no names. Only functions that do the same in every program are made smaller
 * (CFN_SETTLED); others, which call what is not there, stay as they are.
 */
#ifndef ANALYSIS_SUMMARIZE_SUMMARIZE_H
#define ANALYSIS_SUMMARIZE_SUMMARIZE_H

#include "analysis/cpta/cpta.h"
#include "cir/cir.h"

/* `p` has the library's modules, and its exports are marked; `out` is new. */
void summarize_basic(const struct cprogram *p, struct cprogram *out);

/* The optimised summary, in steps: what the caller does between them completes the program, so that it can be solved.
 *   s = summarize_begin(p);     then other libraries that it uses (cir_link), which are no part of the result, and models
 *   summarize_allocation(s);    instead of allocation_rewrite; then placeholders for unknown clients, and the facts: the coarsest,
 *                               of steens, fields off, any calls, which hold for whatever a client asks for; models with `loads_unknown`
 *                               for the same reason
 *   summarize_end(s, facts, out);       `p` is of no use afterwards */
struct summarize;
struct summarize *summarize_begin(struct cprogram *p);
uint32_t summarize_allocation(struct summarize *s);            /* returns the number of wrappers */
void summarize_end(struct summarize *s, const struct cpta *facts, struct cprogram *out);
void summarize_free(struct summarize *s);                      /* also without summarize_end; NULL is fine */

#endif
