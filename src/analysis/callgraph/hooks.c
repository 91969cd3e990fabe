/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/callgraph/hooks.h"

#include "base/compiler.h"
#include "ir/access.h"

static const struct {
	const char *via, *name, *desc;
	enum hook_rule rule;
	const char *result;
} rows[] = {
#define HOOK(via, name, desc, rule, result) { via, name, desc, HOOK_##rule, result },
#include "analysis/callgraph/hooks.def"
#undef HOOK
};

bool hook_at(struct program *p, method_id via, uint32_t k, struct hook *out)
{
	struct str name = sel_name(p, method_row(p, via)->sel);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (!str_is(name, rows[i].via) || k-- > 0)
			continue;
		*out = (struct hook){ rows[i].rule, program_sel(p, str_of(rows[i].name), str_of(rows[i].desc)), rows[i].result };
		return true;
	}
	return false;
}

static bool is_concrete(const struct program *p, method_id m)
{
	return m.i && !(method_row(p, m)->flags & (ACCESS_STATIC | ACCESS_ABSTRACT));
}

/* Deserialisation runs the constructor of the first superclass that is not serializable, or, of an externalizable
 * class, its own. */
static method_id base_constructor(struct hierarchy *h, sel_id sel, class_id c)
{
	class_id externalizable = program_class(h->p, STR("java/io/Externalizable"));

	if (!hierarchy_is_subtype(h, c, externalizable))
		while (c.i && hierarchy_is_subtype(h, c, h->p->serializable))
			c = class_row(h->p, c)->super;
	return c.i ? program_declared(h->p, c, sel) : (method_id){ 0 };
}

void hook_targets(struct hierarchy *h, struct hook hook, class_id receiver, void (*fn)(void *ctx, method_id m), void *ctx)
{
	const struct program *p = h->p;

	if (hook.rule == HOOK_BASE) {
		method_id m = base_constructor(h, hook.sel, receiver);
		if (is_concrete(p, m))
			fn(ctx, m);
		return;
	}
	for (class_id c = receiver; c.i; c = class_row(p, c)->super) {
		method_id m = program_declared(p, c, hook.sel);
		bool counts = hook.rule == HOOK_INHERITED || hierarchy_is_subtype(h, c, p->serializable);
		if (is_concrete(p, m) && counts)
			fn(ctx, m);
		if (m.i && hook.rule == HOOK_INHERITED)
			return;
	}
}

static bool lists_its_fields(struct program *p, class_id c)
{
	return program_declared_field(p, c, program_sel(p, STR("serialPersistentFields"), STR("[Ljava/io/ObjectStreamField;"))).i;
}

bool hook_stores_field(struct hierarchy *h, field_id f)
{
	struct ir_field row = *field_row(h->p, f);

	if ((row.flags & ACCESS_STATIC) || !hierarchy_is_subtype(h, row.owner, h->p->serializable))
		return false;
	return !(row.flags & ACCESS_TRANSIENT) || lists_its_fields(h->p, row.owner);
}
