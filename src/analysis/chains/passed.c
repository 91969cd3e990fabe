/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of places, and values of methods in frames, computed when they are asked for. */
#include "analysis/chains/passed.h"

#include <stdlib.h>

#include "base/sort.h"
#include "ir/access.h"

#define MOST_STEPS 6          /* definitions that are followed for one value */
#define MOST_LOADED 64        /* objects of which a field is read */
#define MOST_PLACES 256       /* of a set; what may be more is anything */
#define ANYTHING UINT32_MAX   /* the facts have more */

/* A body, with what is looked up in it. */
struct passing {
	const struct ir_body *body;           /* NULL: there is none to look at */
	const struct ir_stmt **def;           /* by value */
	ir_value *params;                     /* by parameter; 0: it is not used */
	uint32_t *alike;                      /* by statement: 1 + the last call before it that names the same method; 0: none */
};

struct passed {
	struct program *p;
	struct hierarchy *h;
	struct pta *facts;
	struct arena mem;
	struct id_sets sets;                  /* of places, those below `nplaces`; above, objects that nobody knows, by their class */
	uint32_t nplaces;
	struct map code_of;                   /* method -> 1 + row of codes */
	VEC(struct passing) codes;
	struct map last_call;                 /* (method, reference) -> 1 + the last statement that calls it */
	struct map full_of;                   /* (method, value) -> 1 + set */
	struct map loaded_of;                 /* (set, field) -> 1 + set */
	struct map of_class;                  /* (set, class) -> 1 + set */
	struct map lists_of;                  /* (list, set) -> frame */
	VEC(uint64_t) lists;                  /* by frame: all but its last set, that set; [0] is empty */
	VEC(uint32_t) scratch;
};

struct passed *passed_new(struct hierarchy *h, struct pta *facts)
{
	struct passed *u = mem_zalloc(sizeof(*u));

	*u = (struct passed){ .p = h->p, .h = h, .facts = facts };
	arena_init(&u->mem);
	id_sets_init(&u->sets);
	u->nplaces = pta_nplaces(facts);
	vec_push(&u->lists, 0);
	return u;
}

void passed_free(struct passed *u)
{
	if (!u)
		return;
	arena_release(&u->mem);
	id_sets_release(&u->sets);
	map_release(&u->code_of);
	vec_release(&u->codes);
	map_release(&u->last_call);
	map_release(&u->full_of);
	map_release(&u->loaded_of);
	map_release(&u->of_class);
	map_release(&u->lists_of);
	vec_release(&u->lists);
	vec_release(&u->scratch);
	free(u);
}

/* Bodies */

static void index_call(struct passed *u, struct passing *k, method_id m, uint32_t i)
{
	uint32_t *last = map_at(&u->last_call, map_key(m.i, k->body->stmts[i].ref));

	k->alike[i] = *last;
	*last = i + 1;
}

static void index_body(struct passed *u, struct passing *k, method_id m)
{
	const struct ir_body *b = k->body;

	k->def = arena_zarray(&u->mem, const struct ir_stmt *, b->nvalues + 1);
	k->params = arena_zarray(&u->mem, ir_value, PASSED_MOST);
	k->alike = arena_zarray(&u->mem, uint32_t, b->nstmts + 1);
	for (uint32_t i = 0; i < b->nstmts; i++) {
		const struct ir_stmt *s = &b->stmts[i];
		if (s->result)
			k->def[s->result] = s;
		if (s->op == IR_PARAM && s->ref < PASSED_MOST)
			k->params[s->ref] = s->result;
		if (ir_is_call(s->op) && s->op != IR_CALL_DYNAMIC)
			index_call(u, k, m, i);
	}
}

static const struct passing *code_of(struct passed *u, method_id m)
{
	uint32_t known = map_get(&u->code_of, m.i);
	const struct ir_method *row = method_row(u->p, m);
	struct passing k = { 0 };

	if (known)
		return &u->codes.data[known - 1];
	if (!(row->flags & (ACCESS_NATIVE | ACCESS_ABSTRACT)))
		k.body = u->p->source.body(u->p->source.ctx, u->p, m, &u->mem);
	if (k.body)
		index_body(u, &k, m);
	vec_push(&u->codes, k);
	*map_at(&u->code_of, m.i) = u->codes.len;
	return vec_last(&u->codes);
}

bool passed_nth_call(struct passed *u, method_id m, uint32_t n, struct passed_site *out)
{
	const struct ir_body *b = code_of(u, m)->body;

	for (uint32_t i = 0; b && i < b->nstmts; i++) {
		const struct ir_stmt *s = &b->stmts[i];
		if (!ir_is_call(s->op) || n-- > 0)
			continue;
		*out = (struct passed_site){ s->pc, (uint8_t)s->op, { s->ref }, s->sub == IR_CALL_WRITTEN };
		return true;
	}
	return false;
}

/* Sets */

static struct pta_set set_of(const struct passed *u, uint32_t set)
{
	const struct id_set *s = &u->sets.rows.data[set];

	return (struct pta_set){ s->ids, s->n };
}

static bool is_known(const struct pta_place *p)
{
	return p->sort != PLACE_UNKNOWN && p->cls.i;
}

/* The JVM checks that values of a declared class are instances of it, but not for interfaces. */
static class_id checked(const struct passed *u, class_id c)
{
	const struct ir_class *row = c.i ? class_row(u->p, c) : NULL;
	bool is_checked = row && row->kind == CLASS_FILE && row->state == LOAD_DONE && !(row->flags & ACCESS_INTERFACE);

	return is_checked ? c : u->p->object;
}

static class_id declared_param(const struct passed *u, method_id m, uint32_t k)
{
	const struct ir_method *row = method_row(u->p, m);
	class_id type = row->owner, owner = row->owner;
	uint32_t at = 0, n = row->flags & ACCESS_STATIC ? 0 : 1;
	sel_id sel = row->sel;

	if (n && k == 0)
		return owner;
	for (; sel_next_param(u->p, sel, &at, &type); n++)
		if (n == k)
			return type;
	return u->p->object;
}

static class_id declared_result(const struct passed *u, sel_id s)
{
	struct str desc = sel_desc(u->p, s);
	int64_t end = str_rfind(desc, ')');

	return program_class_of_desc(u->p, str_sub(desc, (uint32_t)(end + 1), desc.len));
}

/* The class that a value is declared to have. */
static class_id bound_of(const struct passed *u, method_id m, const struct ir_stmt *s)
{
	switch (s ? s->op : IR_UNDEF) {
	case IR_CAST: return checked(u, (class_id){ s->ref });
	case IR_PARAM: return checked(u, declared_param(u, m, s->ref));
	case IR_GETFIELD: case IR_GETSTATIC:
		return checked(u, program_class_of_desc(u->p, sel_desc(u->p, fref_row(u->p, (fref_id){ s->ref })->sel)));
	case IR_CALL_STATIC: case IR_CALL_SPECIAL: case IR_CALL_VIRTUAL: case IR_CALL_INTERFACE:
		return checked(u, declared_result(u, mref_row(u->p, (mref_id){ s->ref })->sel));
	default: return u->p->object;
	}
}

static uint32_t read_facts(struct passed *u, method_id m, ir_value v)
{
	struct pta_set s = pta_value(u->facts, m, v);
	uint32_t bound = u->nplaces + bound_of(u, m, code_of(u, m)->def[v]).i;

	if (s.n > MOST_PLACES)
		return ANYTHING;
	vec_clear(&u->scratch);
	for (uint32_t i = 0; i < s.n; i++) {
		struct pta_place p = pta_place(u->facts, s.places[i]);
		vec_push(&u->scratch, is_known(&p) ? s.places[i] : bound);
	}
	u->scratch.len = sort_ids(u->scratch.data, u->scratch.len);
	return 1 + id_sets_intern(&u->sets, u->scratch.data, u->scratch.len);
}

/* What the facts say of a value; PASSED_ANY: nothing, since it does not matter, or may be too much. */
static uint32_t full_value(struct passed *u, method_id m, ir_value v, bool *matters)
{
	uint32_t known = map_get(&u->full_of, map_key(m.i, v));

	if (!known) {
		known = read_facts(u, m, v);
		*map_at(&u->full_of, map_key(m.i, v)) = known;
	}
	*matters = known != 1;
	return known == ANYTHING ? PASSED_ANY : known - 1;
}

static uint32_t bounded_set(struct passed *u, const uint32_t *places, uint32_t n)
{
	return n > MOST_PLACES ? PASSED_ANY : id_sets_intern(&u->sets, places, n);
}

uint32_t passed_union(struct passed *u, uint32_t a, uint32_t b)
{
	struct pta_set x = set_of(u, a), y = set_of(u, b);

	if (a == b || !a || !b)
		return a == b ? a : PASSED_ANY;
	vec_clear(&u->scratch);
	for (uint32_t i = 0; i < x.n; i++)
		vec_push(&u->scratch, x.places[i]);
	for (uint32_t i = 0; i < y.n; i++)
		vec_push(&u->scratch, y.places[i]);
	u->scratch.len = sort_ids(u->scratch.data, u->scratch.len);
	return bounded_set(u, u->scratch.data, u->scratch.len);
}

/* Objects that nobody knows are in both when each has some: they are instances of both classes. */
static void add_unknown(struct passed *u, struct pta_set x, struct pta_set y)
{
	uint32_t of = y.n && y.places[y.n - 1] >= u->nplaces ? y.places[y.n - 1] : 0;

	for (uint32_t i = 0; of && i < x.n; i++)
		if (x.places[i] >= u->nplaces) {
			class_id a = { x.places[i] - u->nplaces }, b = { of - u->nplaces };
			vec_push(&u->scratch, hierarchy_is_subclass(u->h, a, b) ? x.places[i] : of);
		}
}

/* The objects of both; where there are none, the value is never there, and any set will do: the first. `b` is of one value. */
static uint32_t common(struct passed *u, uint32_t a, uint32_t b)
{
	struct pta_set x = set_of(u, a), y = set_of(u, b);

	if (a == b || !a || !b)
		return a ? a : b;
	vec_clear(&u->scratch);
	for (uint32_t i = 0, j = 0; i < x.n && j < y.n;) {
		if (x.places[i] == y.places[j] && x.places[i] < u->nplaces)
			vec_push(&u->scratch, x.places[i]);
		uint32_t least = x.places[i] < y.places[j] ? x.places[i] : y.places[j];
		i += x.places[i] == least;
		j += y.places[j] == least;
	}
	add_unknown(u, x, y);
	u->scratch.len = sort_ids(u->scratch.data, u->scratch.len);
	return u->scratch.len ? id_sets_intern(&u->sets, u->scratch.data, u->scratch.len) : a;
}

/* Objects that have no such field are there only by mistake: nothing is read from them. */
static bool has_field(struct passed *u, class_id c, field_id f)
{
	return f.i ? hierarchy_is_subclass(u->h, c, field_row(u->p, f)->owner) : class_row(u->p, c)->kind == CLASS_ARRAY;
}

/* What a field of the objects holds, or an element (field none). */
static uint32_t loaded(struct passed *u, uint32_t set, field_id f)
{
	struct pta_set from = set_of(u, set);
	uint32_t known = map_get(&u->loaded_of, map_key(set, f.i)), found = PASSED_ANY;
	VEC(uint32_t) all = { 0 };
	bool is_any = !from.n || from.n > MOST_LOADED;

	if (known)
		return known - 1;
	for (uint32_t i = 0; i < from.n && !is_any; i++) {
		uint32_t place = set_of(u, set).places[i];
		is_any = place >= u->nplaces;
		if (is_any || !has_field(u, pta_place(u->facts, place).cls, f))
			continue;
		struct pta_set s = pta_field(u->facts, place, f);
		for (uint32_t k = 0; k < s.n; k++) {
			struct pta_place p = pta_place(u->facts, s.places[k]);
			vec_push(&all, is_known(&p) ? s.places[k] : u->nplaces + u->p->object.i);
		}
	}
	if (!is_any) {
		all.len = sort_ids(all.data, all.len);
		found = bounded_set(u, all.data, all.len);
	}
	vec_release(&all);
	*map_at(&u->loaded_of, map_key(set, f.i)) = 1 + found;
	return found;
}

/* Values in a frame */

static uint32_t set_in(const struct passed *u, uint32_t frame, uint32_t k)
{
	uint32_t n = 0;

	for (uint32_t at = frame; at; at = (uint32_t)(u->lists.data[at] >> 32))
		n++;
	for (uint32_t at = frame; at; at = (uint32_t)(u->lists.data[at] >> 32))
		if (--n == k)
			return (uint32_t)u->lists.data[at];
	return PASSED_ANY;
}

static uint32_t value_in(struct passed *u, method_id m, const struct passing *k, ir_value v, uint32_t frame, uint32_t steps);

static uint32_t joined(struct passed *u, method_id m, const struct passing *k, const struct ir_stmt *phi, uint32_t frame, uint32_t steps)
{
	uint32_t set = PASSED_ANY;

	for (uint32_t i = 0; i < phi->nargs; i++) {
		uint32_t of = value_in(u, m, k, k->body->args[phi->args + i], frame, steps);
		if (!of)
			return PASSED_ANY;
		set = i ? passed_union(u, set, of) : of;
	}
	return set;
}

static uint32_t read_field(struct passed *u, const struct ir_stmt *s, uint32_t base)
{
	if (!base || resolve_field(u->h, (fref_id){ s->ref }) != RESOLVE_OK)
		return PASSED_ANY;
	return loaded(u, base, fref_row(u->p, (fref_id){ s->ref })->target);
}

static uint32_t value_in(struct passed *u, method_id m, const struct passing *k, ir_value v, uint32_t frame, uint32_t steps)
{
	const struct ir_stmt *s = k->def[v];
	const ir_value *args = s ? &k->body->args[s->args] : NULL;
	bool matters;
	uint32_t set = PASSED_ANY, full = full_value(u, m, v, &matters);

	if (!frame || !s || !steps || !matters)
		return full;
	switch (s->op) {
	case IR_PARAM: set = set_in(u, frame, s->ref); break;
	case IR_CAST: set = value_in(u, m, k, args[0], frame, steps - 1); break;
	case IR_PHI: set = joined(u, m, k, s, frame, steps - 1); break;
	case IR_GETFIELD: set = read_field(u, s, value_in(u, m, k, args[0], frame, steps - 1)); break;
	case IR_ALOAD: {
		uint32_t base = value_in(u, m, k, args[0], frame, steps - 1);
		set = base ? loaded(u, base, (field_id){ 0 }) : PASSED_ANY;
		break;
	}
	default: break;
	}
	return set ? common(u, set, full) : full;
}

static bool is_at(const struct ir_stmt *s, const struct passed_site *at)
{
	return s->pc == at->pc && s->op == at->op && (s->sub == IR_CALL_WRITTEN || !at->is_written);
}

bool passed_operands(struct passed *u, method_id m, struct passed_site at, uint32_t frame, uint32_t sets[PASSED_MOST], uint32_t *n)
{
	struct passing k = *code_of(u, m);
	bool is_found = false;

	for (uint32_t i = map_get(&u->last_call, map_key(m.i, at.ref.i)); i; i = k.alike[i - 1]) {
		const struct ir_stmt *s = &k.body->stmts[i - 1];
		if (!is_at(s, &at))
			continue;
		uint32_t most = is_found ? *n : PASSED_MOST;
		*n = s->nargs < most ? s->nargs : most;
		for (uint32_t j = 0; j < *n; j++) {
			uint32_t set = value_in(u, m, &k, k.body->args[s->args + j], frame, MOST_STEPS);
			sets[j] = is_found ? passed_union(u, sets[j], set) : set;
		}
		is_found = true;
	}
	return is_found;
}

/* Frames */

/* Less than what the facts say of the parameter, whoever calls? What does not matter there is not kept. */
static bool is_news(struct passed *u, method_id callee, ir_value param, uint32_t set)
{
	bool matters = false;
	uint32_t full = param ? full_value(u, callee, param, &matters) : PASSED_ANY;

	return set && matters && (!full || set_of(u, set).n < set_of(u, full).n);
}

uint32_t passed_frame(struct passed *u, method_id callee, const uint32_t *sets, uint32_t n)
{
	struct passing k = *code_of(u, callee);
	uint32_t frame = 0, kept = 0, news[PASSED_MOST];

	for (uint32_t i = 0; k.body && i < n && i < PASSED_MOST; i++) {
		news[i] = is_news(u, callee, k.params[i], sets[i]) ? sets[i] : PASSED_ANY;
		kept = news[i] ? i + 1 : kept;
	}
	for (uint32_t i = 0; i < kept; i++) {
		uint32_t *at = map_at(&u->lists_of, map_key(frame, news[i]));
		if (!*at) {
			*at = u->lists.len;
			vec_push(&u->lists, map_key(frame, news[i]));
		}
		frame = *at;
	}
	return frame;
}

uint32_t passed_param(struct passed *u, method_id m, uint32_t frame, uint32_t k)
{
	struct passing code = *code_of(u, m);
	uint32_t set = set_in(u, frame, k);
	bool matters;

	return set || !code.body || k >= PASSED_MOST || !code.params[k] ? set : full_value(u, m, code.params[k], &matters);
}

/* Classes */

static class_id class_at(const struct passed *u, const struct pta_place *p)
{
	return class_row(u->p, p->cls)->kind == CLASS_ARRAY ? u->p->object : p->cls;
}

bool passed_classes(struct passed *u, uint32_t set, passed_list *out, passed_list *bounds)
{
	struct pta_set s = set_of(u, set);

	vec_clear(out);
	vec_clear(bounds);
	for (uint32_t i = 0; i < s.n; i++) {
		if (s.places[i] >= u->nplaces) {
			vec_push(bounds, ((class_id){ s.places[i] - u->nplaces }));
			continue;
		}
		struct pta_place p = pta_place(u->facts, s.places[i]);
		vec_push(out, class_at(u, &p));
	}
	out->len = sort_ids(out->data, out->len);
	return set != PASSED_ANY;
}

uint32_t passed_of_class(struct passed *u, uint32_t set, class_id c)
{
	struct pta_set s = set_of(u, set);
	uint32_t known = map_get(&u->of_class, map_key(set, c.i));

	if (known)
		return known - 1;
	vec_clear(&u->scratch);
	for (uint32_t i = 0; i < s.n && s.places[i] < u->nplaces; i++) {
		struct pta_place p = pta_place(u->facts, s.places[i]);
		if (class_at(u, &p).i == c.i)
			vec_push(&u->scratch, s.places[i]);
	}
	uint32_t found = id_sets_intern(&u->sets, u->scratch.data, u->scratch.len);
	*map_at(&u->of_class, map_key(set, c.i)) = 1 + found;
	return found;
}
