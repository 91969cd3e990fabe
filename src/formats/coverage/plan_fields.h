/* SPDX-License-Identifier: Apache-2.0 */
/* plan_fields.h - fields of the component whose definitions are watched: each has a *shadow*, one more field of its class, which keeps the
 * number of the statement that wrote it last. */
#ifndef FORMATS_PLAN_FIELDS_H
#define FORMATS_PLAN_FIELDS_H

#include "base/span.h"
#include "base/strbuf.h"
#include "base/vec.h"

struct plan;

struct plan_field {
	uint32_t class;               /* row of classes: the one that declares it */
	struct str name, desc;
	uint32_t access;              /* as in its class file */
	struct str why;               /* why it has no shadow: "its class is a record"; empty: it has one */
};
/* What instructions of the component name, and the field that this is. */
struct plan_field_ref {
	struct str owner, name, desc;
	uint32_t field;
};
struct plan_fields {
	VEC(struct plan_field) rows;          /* by class, name, desc */
	VEC(struct plan_field_ref) refs;      /* by owner, name, desc */
};

/* The field, or UINT32_MAX. O(log n) */
uint32_t plan_find_field(const struct plan *p, struct str dotted, struct str name, struct str desc);
/* Appends the name of its shadow. */
void plan_shadow_name(const struct plan_field *f, struct strbuf *out);

#endif
