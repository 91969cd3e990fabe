/* SPDX-License-Identifier: Apache-2.0 */
#include "report/objects/steps_json.h"

#include "report/objects/pta.h"

void step_json_init(struct step_json *x, struct sink *out, const struct callgraph *g, const struct pta *facts,
		    const struct placeholders *clients)
{
	*x = (struct step_json){ .j = { .out = out }, .p = callgraph_program(g), .facts = facts, .clients = clients };
	names_init(&x->names, x->p, name_full, ESCAPE_JSON);
}

void step_json_release(struct step_json *x)
{
	names_release(&x->names);
	strbuf_release(&x->text);
}

void step_json_method(struct step_json *x, const char *key, method_id m)
{
	json_key(&x->j, key), json_escaped(&x->j, names_method(&x->names, m));
}

void step_json_code(struct step_json *x, method_id m, uint32_t pc)
{
	bool is_known = pc != PC_NONE;
	uint32_t line = is_known ? line_of(x->p, m, pc) : 0;

	step_json_method(x, "method", m);
	if (is_known)
		json_key(&x->j, "pc"), json_uint(&x->j, pc);
	if (line)
		json_key(&x->j, "line"), json_uint(&x->j, line);
	if (placeholders_is_code(x->p, x->clients, m))
		json_key(&x->j, "client"), json_bool(&x->j, true);
}

void step_json_object(struct step_json *x, const char *key, uint32_t place)
{
	struct pta_place at = pta_place(x->facts, place);

	json_key(&x->j, key), json_object(&x->j);
	if (at.cls.i)
		json_key(&x->j, "class"), json_escaped(&x->j, names_class(&x->names, at.cls));
	if (at.method.i)
		step_json_code(x, at.method, at.pc);
	json_key(&x->j, "sort"), json_escaped(&x->j, str_of(place_sort_name(at.sort)));
	json_end_object(&x->j);
}

void step_json_field(struct step_json *x, field_id f)
{
	const struct ir_field *row = field_row(x->p, f);

	strbuf_clear(&x->text);
	strbuf_addstr(&x->text, names_class(&x->names, row->owner));
	strbuf_addch(&x->text, '.');
	escape_add(&x->text, ESCAPE_JSON, sel_name(x->p, row->sel));
	json_key(&x->j, "field"), json_escaped(&x->j, strbuf_str(&x->text));
}

void step_json_value(struct step_json *x, ir_value v)
{
	strbuf_clear(&x->text);
	strbuf_addf(&x->text, "v%u", (unsigned)v);
	json_key(&x->j, "value"), json_escaped(&x->j, strbuf_str(&x->text));
}
