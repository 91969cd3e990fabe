/* SPDX-License-Identifier: Apache-2.0 */
/* casts.h - what a method does with what it makes by reflection: where an object is always cast, under the assumption that casts
 * do not fail it is of that type, and so is the class that was loaded for it (Sawin and Rountev, section III.C). */
#ifndef ANALYSIS_DYNAMIC_CASTS_H
#define ANALYSIS_DYNAMIC_CASTS_H

#include "ir/program.h"

/* The type to which the result of statement `s` of the body is always cast; none: it is not. Object says nothing. */
class_id cast_of_result(const struct program *p, const struct ir_body *b, uint32_t s);
/* The same of what is made of the class or by the constructor that is the result, or of the class itself. */
class_id cast_of_class(const struct program *p, const struct ir_body *b, uint32_t s);
uint32_t block_of(const struct ir_body *b, uint32_t stmt);
/* Does every run that gets from statement `from` to the end of the method come by statement `to`? */
bool comes_by(const struct ir_body *b, uint32_t from, uint32_t to);

#endif
