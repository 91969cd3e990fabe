/* SPDX-License-Identifier: Apache-2.0 */
/* sherd.h: which objects variables and fields of Java programs may hold. */
#include "session/api/api_p.h"

#include <stdlib.h>

struct sherd_pointsto {
	struct sherd_callgraph graph;
	struct analysis analysis;
	uint32_t nfields;             /* of the program when it was analysed; later ones it knows nothing of */
	VEC(field_id) statics;
	bool has_statics;
	class_id fields_of;           /* the class that `fields` are of */
	VEC(field_id) fields;
};

sherd_pointsto *sherd_pointsto_compute(sherd_session *s, const char *entry, const char *algorithm)
{
	sherd_pointsto *f = mem_zalloc(sizeof(*f));
	struct analysis *x = &f->analysis;
	bool ok = api_choose(s, algorithm, x);

	if (ok && !algorithm_follows_objects(&x->algorithm)) {
		api_refuse(&s->inquiry.diag, algorithm, "the algorithm does not follow objects; andersen and others do, see "
			   "sherd_algorithm_follows_objects()");
		ok = false;
	}
	if (!ok || !analysis_run_from(x, &s->s, entry ? entry : "")) {
		free(f);
		return NULL;
	}
	f->graph = (struct sherd_callgraph){ s, x->graph };
	f->nfields = s->s.program.fields.len;
	return f;
}

void sherd_pointsto_free(sherd_pointsto *f)
{
	if (!f)
		return;
	analysis_forget(&f->analysis);
	vec_release(&f->statics);
	vec_release(&f->fields);
	free(f);
}

const sherd_callgraph *sherd_pointsto_callgraph(const sherd_pointsto *f)
{
	return &f->graph;
}

/* Places */

static const struct program *program_of(const sherd_pointsto *f)
{
	return &f->graph.session->s.program;
}

size_t sherd_pointsto_places(const sherd_pointsto *f)
{
	return pta_nplaces(f->analysis.facts);
}

struct sherd_place sherd_pointsto_place(const sherd_pointsto *f, size_t place)
{
	static const enum sherd_place_sort sorts[] = { [PLACE_NEW] = SHERD_PLACE_NEW, [PLACE_CLASS] = SHERD_PLACE_CLASS,
						       [PLACE_UNKNOWN] = SHERD_PLACE_UNKNOWN,
						       [PLACE_OUTSIDE] = SHERD_PLACE_OUTSIDE };

	if (place >= pta_nplaces(f->analysis.facts))
		return (struct sherd_place){ 0 };
	struct pta_place at = pta_place(f->analysis.facts, (uint32_t)place);
	return (struct sherd_place){ sorts[at.sort], at.cls.i, at.method.i, at.method.i ? at.pc : 0,
				     at.method.i ? api_line(f->graph.session, at.method, at.pc) : 0 };
}

static struct sherd_places places_of(struct pta_set s)
{
	return (struct sherd_places){ s.places, s.n };
}

/* Variables */

size_t sherd_pointsto_values(sherd_pointsto *f, sherd_method m)
{
	return pta_nvalues(f->analysis.facts, (method_id){ m });
}

struct sherd_places sherd_pointsto_value(sherd_pointsto *f, sherd_method m, size_t v)
{
	if (v == 0 || v > sherd_pointsto_values(f, m))
		return (struct sherd_places){ 0 };
	return places_of(pta_value(f->analysis.facts, (method_id){ m }, (ir_value)v));
}

/* Fields */

static bool holds_reference(const struct program *p, field_id f, bool is_static)
{
	struct str desc = sel_desc(p, field_row(p, f)->sel);
	bool has_flag = field_row(p, f)->flags & ACCESS_STATIC;

	return has_flag == is_static && desc.len && (desc.p[0] == 'L' || desc.p[0] == '[');
}

size_t sherd_pointsto_statics(sherd_pointsto *f)
{
	for (uint32_t i = 1; !f->has_statics && i < f->nfields; i++) {
		field_id x = { i };
		if (holds_reference(program_of(f), x, true) && pta_static_field(f->analysis.facts, x).n)
			vec_push(&f->statics, x);
	}
	f->has_statics = true;
	return f->statics.len;
}

sherd_field sherd_pointsto_static(sherd_pointsto *f, size_t k)
{
	return k < sherd_pointsto_statics(f) ? f->statics.data[k].i : 0;
}

struct sherd_places sherd_pointsto_static_field(sherd_pointsto *f, sherd_field x)
{
	if (x == 0 || x >= f->nfields || !holds_reference(program_of(f), (field_id){ x }, true))
		return (struct sherd_places){ 0 };
	return places_of(pta_static_field(f->analysis.facts, (field_id){ x }));
}

/* Those of the class first, then those of its superclasses. */
static void find_fields(sherd_pointsto *f, size_t place)
{
	const struct program *p = program_of(f);
	class_id cls = { sherd_pointsto_place(f, place).cls };

	if (cls.i == f->fields_of.i)
		return;
	vec_clear(&f->fields);
	f->fields_of = cls;
	for (class_id c = cls; c.i; c = class_row(p, c)->super)
		for (uint32_t i = 0; i < class_row(p, c)->nfields; i++) {
			field_id x = { class_row(p, c)->first_field + i };
			if (holds_reference(p, x, false))
				vec_push(&f->fields, x);
		}
}

size_t sherd_pointsto_fields(sherd_pointsto *f, size_t place)
{
	find_fields(f, place);
	return f->fields.len;
}

sherd_field sherd_pointsto_field(sherd_pointsto *f, size_t place, size_t k)
{
	return k < sherd_pointsto_fields(f, place) ? f->fields.data[k].i : 0;
}

/* Does an object of the place have the field? */
static bool has_field(sherd_pointsto *f, size_t place, sherd_field x)
{
	class_id cls = { sherd_pointsto_place(f, place).cls };

	if (x == 0)
		return cls.i && class_row(program_of(f), cls)->kind == CLASS_ARRAY;
	for (size_t k = 0; k < sherd_pointsto_fields(f, place); k++)
		if (f->fields.data[k].i == x)
			return true;
	return false;
}

struct sherd_places sherd_pointsto_held(sherd_pointsto *f, size_t place, sherd_field x)
{
	if (!has_field(f, place, x))
		return (struct sherd_places){ 0 };
	return places_of(pta_field(f->analysis.facts, (uint32_t)place, (field_id){ x }));
}
