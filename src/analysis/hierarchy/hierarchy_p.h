/* SPDX-License-Identifier: Apache-2.0 */
/* hierarchy_p.h - what the files of hierarchy/ share: walks over supertypes that visit each class once, packages. */
#ifndef ANALYSIS_HIERARCHY_P_H
#define ANALYSIS_HIERARCHY_P_H

#include "analysis/hierarchy/hierarchy.h"

typedef VEC(class_id) class_list;

void walk_start(struct hierarchy *h);
bool walk_visits(struct hierarchy *h, class_id c);      /* true the first time since walk_start */

void declarers_free(struct declarers *d);

#endif
