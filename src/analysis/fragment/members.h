/* SPDX-License-Identifier: Apache-2.0 */
/* members.h - the members of a class as the language has them: what it declares and what it inherits. */
#ifndef ANALYSIS_MEMBERS_H
#define ANALYSIS_MEMBERS_H

#include "analysis/hierarchy/hierarchy.h"
#include "ir/access.h"

static inline bool is_interface(const struct program *p, class_id c)
{
	return class_row(p, c)->flags & ACCESS_INTERFACE;
}

struct members {
	VEC(method_id) methods;       /* of those with the same selector, the most specific one */
	VEC(field_id) fields;         /* of those with the same name, the one that hides the others */
};

/* Loads the class. Without private members; package-private ones only from its own package; no compiler-made
 * (synthetic) ones; constructors and, of interfaces, static methods only from the class itself. In the order of
 * declaration, the class first, then its superclasses (Object, too, also of interfaces), then its superinterfaces. */
void members_of(struct hierarchy *h, class_id c, struct members *out);
void members_release(struct members *m);

/* The method with this selector, or none. */
method_id members_method(const struct program *p, const struct members *m, sel_id sel);
/* The only field with this name; none when there are several. */
field_id members_field(const struct program *p, const struct members *m, struct str name);

#endif
