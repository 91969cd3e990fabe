/* SPDX-License-Identifier: Apache-2.0 */
/* Which statements may be about one object: what their bases may refer to, over all contexts. An object that nobody knows may be any. */
#include "analysis/defuse/defuse_p.h"

uint32_t flow_objects(struct flow *f, method_id m, ir_value v)
{
	struct pta_set s = pta_value(f->facts, m, v);

	return id_sets_intern(&f->sets, s.places, s.n);
}

static bool is_unknown(const struct flow *f, const struct id_set *s)
{
	const uint32_t *places = s->ids;

	for (uint32_t i = 0; i < s->n; i++)
		if (pta_place(f->facts, places[i]).sort == PLACE_UNKNOWN)
			return true;
	return false;
}

static uint32_t find_common(const struct flow *f, uint32_t x, uint32_t y, bool is_threaded)
{
	const struct id_set *a = &f->sets.rows.data[x], *b = &f->sets.rows.data[y];
	const uint32_t *p = a->ids, *q = b->ids;

	for (uint32_t i = 0, k = 0; i < a->n && k < b->n;) {
		if (p[i] == q[k] && (!is_threaded || !f->is_shared || f->is_shared[p[i]]))
			return p[i];
		uint32_t least = p[i] < q[k] ? p[i] : q[k];
		i += p[i] == least;
		k += k < b->n && q[k] == least;
	}
	return a->n && b->n && (is_unknown(f, a) || is_unknown(f, b)) ? PLACE_NONE : NOTHING;
}

bool flow_meet(struct flow *f, const struct occurrence *def, const struct occurrence *use, bool is_threaded, uint32_t *place)
{
	bool is_less = def->objects < use->objects;
	uint32_t x = is_less ? def->objects : use->objects, y = is_less ? use->objects : def->objects;

	*place = PLACE_NONE;
	if (y == STATIC_FIELD)
		return x == y;
	uint32_t *row = map_at(&f->common, map_key(x << 1 | is_threaded, y));
	if (!*row) {
		vec_push(&f->commons, find_common(f, x, y, is_threaded));
		*row = f->commons.len;
	}
	*place = f->commons.data[*row - 1];
	return *place != NOTHING;
}
