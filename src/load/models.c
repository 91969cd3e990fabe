/* SPDX-License-Identifier: Apache-2.0 */
/* Models: bodies, in the text form of docs/ir.md, of native methods and of what the JVM itself does
 * (class sherd/JVM). They are part of the program: src/load/models/jdk.model. */
#include "load/loader_p.h"

#include "ir/access.h"
#include "jdk_model.h"

static bool is_ours(struct str class_name)
{
	return str_starts(class_name, "sherd/");
}

/* Classes of the model file itself exist only there. */
static void add_own_method(struct loader *l, class_id c, sel_id sel, const struct ir_body *b)
{
	struct program *p = l->program;
	struct ir_class *row = class_row(p, c);

	row->kind = CLASS_SYNTHETIC;
	row->super = p->object;
	row->flags = ACCESS_PUBLIC;
	program_add_method(p, c, sel, ACCESS_PUBLIC | ACCESS_STATIC, (uint16_t)row->nmethods);
	loader_set_body(l, program_declared(p, c, sel), b);
}

void models_read(struct loader *l)
{
	struct program *p = l->program;
	struct str text = { jdk_model, (uint32_t)(sizeof(jdk_model) - 1) };
	class_id owner;
	sel_id sel;

	for (;;) {
		struct ir_body *b = arena_new(&p->mem, struct ir_body);
		if (!body_parse_next(p, &text, &owner, &sel, b, &p->mem, p->diag))
			return;
		if (is_ours(class_name(p, owner))) {
			add_own_method(l, owner, sel, b);
			continue;
		}
		*map_at(&l->model_of, map_key(owner.i, sel.i)) = l->bodies.len;
		vec_push(&l->bodies, b);
	}
}

void models_apply(struct loader *l, class_id c)
{
	struct program *p = l->program;
	struct ir_class row = *class_row(p, c);

	for (uint32_t i = 0; i < row.nmethods; i++) {
		method_id m = { row.first_method + i };
		if (!(method_row(p, m)->flags & ACCESS_NATIVE))
			continue;
		uint32_t model = map_get(&l->model_of, map_key(c.i, method_row(p, m)->sel.i));
		if (model)
			*map_at(&l->body_of, m.i) = model;
	}
}
