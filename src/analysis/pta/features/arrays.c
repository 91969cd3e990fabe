/* SPDX-License-Identifier: Apache-2.0 */
/* java.lang.reflect.Array makes arrays of a class that is known at run time only: its model makes Object[]. */
#include "analysis/pta/feature.h"

static uint32_t array_place(struct maker *k, class_id c, uint32_t pc)
{
	struct pta *a = k->a;

	if (c.i != a->object_array.i)
		return 0;
	if (a->policy->objects != OBJECT_OF_SITE)
		return a->class_place.data[a->kinds.any_array.i];
	struct pta_place is = { .sort = PLACE_NEW, .cls = c, .method = k->caller.m, .pc = pc };
	vec_push(&a->places, ((struct place){ .is = is, .by_site = true, .is_any_array = true }));
	return a->places.len - 1;
}

const struct feature feature_arrays = { .place = array_place };
