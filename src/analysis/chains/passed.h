/* SPDX-License-Identifier: Apache-2.0 */
/* passed.h - which objects calls pass, by points-to facts: what a method can be called with by one stack, not by all.
 *
 * Points-to analyses without contexts have one answer for a parameter, whoever calls. A stack knows more: its last call passes what the
 * caller holds there, and what the caller only passes on is what it was passed itself. A *frame* is a list of sets of objects, one for
 * each parameter, `this` first; a set is a number, and 0 says nothing: any object that the method may have there. The values of a
 * method are those of the facts, without objects that cannot be there when the parameters hold what the frame says.
 *
 * Objects that nobody knows, from reflection or natives, are at least instances of the class that a cast, a field or a method declares. */
#ifndef ANALYSIS_CHAINS_PASSED_H
#define ANALYSIS_CHAINS_PASSED_H

#include "analysis/callgraph/sets.h"
#include "analysis/hierarchy/hierarchy.h"
#include "analysis/pta/pta.h"

#define PASSED_ANY 0          /* a set of which nothing is known; a frame of such */
#define PASSED_MOST 24        /* parameters that frames tell of */

struct passed;

/* Both are borrowed. */
struct passed *passed_new(struct hierarchy *h, struct pta *facts);
void passed_free(struct passed *u);                     /* may be NULL */

/* What a call site of the method passes in a frame, the receiver first; *n operands. False: it has no statement. Where it has several,
 * as those that clients and lowered instructions have at one place, what any of them passes. */
struct passed_site {
	uint32_t pc;
	uint8_t op;                   /* IR_CALL_* */
	mref_id ref;
	bool is_written;              /* by people; false: or made of an instruction that is lowered */
};
bool passed_operands(struct passed *u, method_id m, struct passed_site s, uint32_t frame, uint32_t sets[PASSED_MOST], uint32_t *n);
/* The n-th call of a method that is static or special, whoever wrote it. False: there are fewer. */
bool passed_nth_call(struct passed *u, method_id m, uint32_t n, struct passed_site *out);

/* The frame of a callee with these sets; those that say no more than the facts about it are left out. */
uint32_t passed_frame(struct passed *u, method_id callee, const uint32_t *sets, uint32_t n);
/* What a parameter holds when the method is called with the frame. */
uint32_t passed_param(struct passed *u, method_id m, uint32_t frame, uint32_t k);

/* The classes of the objects in a set, each once, in the order of their ids; arrays are of class Object. `bounds`: objects that nobody
 * knows are instances of one of these classes, or interfaces. False: nothing is known. */
typedef VEC(class_id) passed_list;
bool passed_classes(struct passed *u, uint32_t set, passed_list *out, passed_list *bounds);
/* The objects of the set whose class is `c`. */
uint32_t passed_of_class(struct passed *u, uint32_t set, class_id c);
uint32_t passed_union(struct passed *u, uint32_t a, uint32_t b);

#endif
