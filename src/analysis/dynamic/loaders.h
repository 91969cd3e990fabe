/* SPDX-License-Identifier: Apache-2.0 */
/* loaders.h - class loaders that hand names on. A call of loadClass or findClass of any class loader, be it an override, finds the
 * class that it names; what the loader does with the name of its caller, it does for that caller. */
#ifndef ANALYSIS_DYNAMIC_LOADERS_H
#define ANALYSIS_DYNAMIC_LOADERS_H

#include "analysis/dynamic/dynamic.h"

#define LOADER_METHODS 5

struct loaders {
	class_id loader;                 /* java/lang/ClassLoader */
	sel_id methods[LOADER_METHODS];
	uint64_t mask;                   /* a bit for each, by the last of its number: most methods have another */
};
void loaders_init(struct loaders *l, struct program *p);
/* Does the method find the class that its last string names: one of ClassLoader, or an override of it? */
bool loaders_has_override(const struct loaders *l, struct hierarchy *h, method_id m);
static inline bool loaders_has(const struct loaders *l, struct hierarchy *h, method_id m)
{
	return l->mask >> (method_row(h->p, m)->sel.i % 64) & 1 && loaders_has_override(l, h, m);
}
/* Which parameter is the name of a class, in a method that finds one: the last string, from 0 without the receiver. */
uint32_t loaders_name(struct program *p, sel_id sel);
/* Is the name that a call loads a class by, without initialising it, always that of a caller of a class loader, and is each of these
 * callers a site of its own? As of the graph now; `methods`, empty at first, keeps what was found about loaders, while that is the same. */
bool loaders_are_told(struct dynamic *d, const struct dynamic_graph *g, uint32_t site, struct map *methods);

#endif
