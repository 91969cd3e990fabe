/* SPDX-License-Identifier: Apache-2.0 */
/* dispatcher.h - what a dynamic call does, as a static method with the operands of the call. */
#ifndef ANALYSIS_DYNAMIC_DISPATCHER_H
#define ANALYSIS_DYNAMIC_DISPATCHER_H

#include "analysis/dynamic/values.h"

/* `ref` is the library method that is called, with a receiver or not; `what` says what it is called for, for instance the
 * methods that it invokes. None: none of these can be done. */
method_id dispatcher_make(struct hierarchy *h, enum dynamic_sort sort, mref_id ref, bool has_receiver, const meta *what, uint32_t n);

#endif
