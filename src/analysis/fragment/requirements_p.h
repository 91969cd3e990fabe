/* SPDX-License-Identifier: Apache-2.0 */
/* requirements_p.h - shared by the files that compute requirements. */
#ifndef ANALYSIS_REQUIREMENTS_P_H
#define ANALYSIS_REQUIREMENTS_P_H

#include "analysis/fragment/requirements.h"

/* Adds ids of classes or methods to the lists, sorted by printed name; equal ones must not be there. */
struct id_range add_classes(struct requirements *r, const class_id *ids, uint32_t n);
struct id_range add_methods(struct requirements *r, const method_id *ids, uint32_t n);

/* Sums up: every site is there. */
void requirements_sum(struct requirements *r);

#endif
