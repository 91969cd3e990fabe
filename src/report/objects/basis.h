/* SPDX-License-Identifier: Apache-2.0 */
/* basis.h - what a call by a dynamic feature rests on, a row each: as text and as JSON. */
#ifndef REPORT_OBJECTS_BASIS_H
#define REPORT_OBJECTS_BASIS_H

#include "analysis/dynamic/why/explain.h"
#include "report/objects/steps.h"
#include "report/objects/steps_json.h"

void basis_show(struct rows *x, const struct dynamic_basis *rows, uint32_t n, const char *level);
void basis_json(struct step_json *x, const struct dynamic_basis *rows, uint32_t n);      /* "basis": [...] */

#endif
