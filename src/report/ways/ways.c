/* SPDX-License-Identifier: Apache-2.0 */
#include "report/ways/ways.h"

void way_object(struct names *names, struct names *place, const struct callbacks *c, const struct app_edge *e, struct strbuf *out)
{
	if (!e->nsteps || e->place >= c->places.len)
		return;
	const struct pta_place *p = &c->places.data[e->place];
	if (p->cls.i)
		strbuf_addstr(out, names_class(names, p->cls));
	else
		strbuf_adds(out, "an object of unknown class");
	if (p->sort == PLACE_NEW && p->method.i) {
		strbuf_adds(out, ", created at ");
		add_place(place, p->method, p->pc, out);
	}
}

void way_json(struct json *j, struct names *names, struct names *place, const struct callbacks *c, const struct app_edge *e)
{
	struct strbuf object = { 0 };

	if (!e->nsteps)
		return;
	json_key(j, "witness"), json_object(j);
	json_key(j, "steps"), json_array(j);
	for (uint32_t i = e->first_step; i < e->first_step + e->nsteps; i++) {
		struct reach_step s = c->steps.data[i];
		uint32_t line = s.pc == PC_NONE ? 0 : line_of(names->p, s.method, s.pc);
		json_object(j);
		json_key(j, "method"), json_escaped(j, names_method(names, s.method));
		if (s.pc != PC_NONE)
			json_key(j, "pc"), json_uint(j, s.pc);
		if (line)
			json_key(j, "line"), json_uint(j, line);
		json_end_object(j);
	}
	json_end_array(j);
	way_object(names, place, c, e, &object);
	if (object.len)
		json_key(j, "object"), json_escaped(j, strbuf_str(&object));
	json_end_object(j);
	strbuf_release(&object);
}
