/* SPDX-License-Identifier: Apache-2.0 */
/* serial.h - what is read from streams of objects: which classes, by the type that it is cast to, and what reading them runs. */
#ifndef ANALYSIS_DYNAMIC_MADE_SERIAL_H
#define ANALYSIS_DYNAMIC_MADE_SERIAL_H

#include "analysis/dynamic/dispatcher_p.h"
#include "analysis/dynamic/query.h"

/* Of what a call in class `from` reads and always casts to `type` (none: it does not), where the application reads a type of the
 * application: adds classes, arrays, and methods that make lambdas; with what their fields may hold. There may be others: an object of
 * the type is also what readResolve of any other class gives back. */
void serial_list(struct hierarchy *h, const struct dynamic_opt *opt, class_id from, class_id type, meta_list *out);
/* The statements that read one of these; what comes of it. */
ir_value serial_read(struct dispatcher_maker *k, meta x);

#endif
