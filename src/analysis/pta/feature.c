/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/pta/feature.h"

#define FEATURE(class, id) extern const struct feature feature_##id;
#include "analysis/pta/features.def"

static const struct {
	const char *class;
	const struct feature *is;
} rows[] = {
#define FEATURE(class, id) { class, &feature_##id },
#include "analysis/pta/features.def"
};

void features_init(struct pta *a)
{
	for (uint32_t i = 0; i < ARRAY_LEN(rows); i++)
		*map_at(&a->features, program_class(a->p, str_of(rows[i].class)).i) = 1 + i;
}

const struct feature *feature_of(const struct pta *a, class_id c)
{
	static const struct feature none;
	uint32_t row = map_get(&a->features, c.i);

	return row ? rows[row - 1].is : &none;
}
