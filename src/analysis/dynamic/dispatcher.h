/* SPDX-License-Identifier: Apache-2.0 */
/* dispatcher.h - what a dynamic call does, as a static method with the operands of the call. */
#ifndef ANALYSIS_DYNAMIC_DISPATCHER_H
#define ANALYSIS_DYNAMIC_DISPATCHER_H

#include "analysis/dynamic/values.h"

struct handles;

/* `ref` is the library method that is called, with a receiver or not; `what` says what it is called for, for instance the
 * methods that it invokes. None: none of these can be done. */
method_id dispatcher_make(struct hierarchy *h, struct handles *handles, enum dynamic_sort sort, mref_id ref, bool has_receiver,
			  const meta *what, uint32_t n);
/* The method runs that `ref`, Method.invoke, was seen to call, whatever its receiver is. */
method_id dispatcher_make_exact(struct hierarchy *h, mref_id ref, meta method);

#endif
