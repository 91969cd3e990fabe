/* SPDX-License-Identifier: Apache-2.0 */
/* Models: bodies, in the text form of docs/ir.md, of native methods and of what the JVM itself does
 * (class sherd/JVM). They are part of the program: src/load/models/jdk.model. */
#include "load/loader_p.h"

#include "ir/access.h"
#include "jdk_model.h"
#include "jdk_natives.h"
#include "load/lower/synth.h"

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

/* A body that does nothing but return, made once for each kind of result. */
static uint32_t plain_body(struct loader *l, struct str returns, uint32_t *made)
{
	enum ir_kind kind = ir_kind_of_desc(returns);
	struct synth s = { .p = l->program };

	if (!made[kind]) {
		struct ir_body *b = arena_new(&l->program->mem, struct ir_body);
		synth_return(&s, synth_default(&s, returns));
		*b = builder_finish(&s.b, &l->program->mem);
		builder_release(&s.b);
		made[kind] = l->bodies.len;
		vec_push(&l->bodies, b);
	}
	return made[kind];
}

/* OWNER.NAME:DESC, one a line: native methods without an effect. */
static void read_natives(struct loader *l)
{
	struct str text = { jdk_natives, (uint32_t)(sizeof(jdk_natives) - 1) };
	uint32_t made[IR_KIND_OBJECT + 1] = { 0 };

	for (uint32_t i = 0, end; i < text.len; i = end + 1) {
		for (end = i; end < text.len && text.p[end] != '\n'; end++)
			;
		struct str line = str_sub(text, i, end);
		int64_t colon = str_rfind(line, ':'), dot = colon < 0 ? -1 : str_rfind(str_sub(line, 0, (uint32_t)colon), '.');
		if (line.len == 0 || line.p[0] == '#' || dot < 0)
			continue;
		struct str desc = str_sub(line, (uint32_t)colon + 1, line.len);
		class_id owner = program_class(l->program, str_sub(line, 0, (uint32_t)dot));
		sel_id sel = program_sel(l->program, str_sub(line, (uint32_t)dot + 1, (uint32_t)colon), desc);
		*map_at(&l->model_of, map_key(owner.i, sel.i)) = plain_body(l, desc, made);
	}
}

void models_read(struct loader *l)
{
	struct program *p = l->program;
	struct str text = { jdk_model, (uint32_t)(sizeof(jdk_model) - 1) };
	class_id owner;
	sel_id sel;

	read_natives(l);
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
