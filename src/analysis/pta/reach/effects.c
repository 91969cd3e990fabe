/* SPDX-License-Identifier: Apache-2.0 */
/* What a call reads and writes: the accesses of the methods that it reached, of those objects that others can get at, or that it gives
 * back (AllAccessible of the paper).
 *
 * Accesses are numbered by field and direction (*cells*); those of a cell are looked at together, so that each object comes once. */
#include "analysis/pta/reach/reach_p.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/sort.h"
#include "ir/access.h"

enum { ANY_READ, ANY_WRITE, UNKNOWN_CELL, FIRST_CELL };
enum entry_sort { OF_NODE, OF_OBJECT, OF_NOTHING };

struct cell { field_id field; bool is_write; };

struct entry {
	uint32_t cell, of;       /* a node, an object, or nothing: the field is static */
	uint8_t sort;
	bool is_made;
};

struct objects {
	VEC(uint64_t) bits;              /* by block */
	VEC(uint32_t) blocks;            /* those with bits, in the order of arrival */
};

struct effects {
	const struct reach *r;
	VEC(struct cell) cells;          /* [0] .. [FIRST_CELL - 1] have no field */
	struct map cell_of;              /* (field, is_write) -> cell */
	VEC(uint32_t) first_of;          /* by method: of `of_access`, where its accesses have their cells */
	VEC(uint32_t) of_access;
	VEC(uint8_t) is_unknown;         /* by method: a call of it is not resolved */
	/* Of an answer */
	struct objects later;            /* LaterAccessible */
	VEC(object_id) todo;
	VEC(struct entry) entries, sorted;
	VEC(uint32_t) count;             /* by cell */
	VEC(uint32_t) touched;           /* cells */
	struct objects old, made;
	id_list old_places, new_places, unknown;
	VEC(struct reach_access) set;
	id_list row[2];                  /* reads, writes: sets */
	/* Rows so far */
	VEC(struct reach_effect) rows;   /* [0] unused */
	VEC(struct reach_access) accesses;
	VEC(struct reach_set) sets;      /* each once */
	id_list lists;
	id_list methods;
	struct map set_by_hash, joined_sets, row_by_hash, joined;
};

/* Sets of objects */

static void add_word(struct objects *o, uint32_t block, uint64_t bits)
{
	if (!bits)
		return;
	while (o->bits.len <= block)
		vec_push(&o->bits, 0);
	if (!o->bits.data[block])
		vec_push(&o->blocks, block);
	o->bits.data[block] |= bits;
}

static uint64_t word_at(const struct objects *o, uint32_t block)
{
	return block < o->bits.len ? o->bits.data[block] : 0;
}

static void clear_objects(struct objects *o)
{
	for (uint32_t i = 0; i < o->blocks.len; i++)
		o->bits.data[o->blocks.data[i]] = 0;
	o->blocks.len = 0;
}

static void release_objects(struct objects *o)
{
	vec_release(&o->bits);
	vec_release(&o->blocks);
}

/* Cells */

static uint32_t cell_of(struct effects *e, field_id f, bool is_write)
{
	uint32_t *at = map_at(&e->cell_of, 1 + map_key(f.i, is_write));

	if (!*at) {
		*at = e->cells.len;
		vec_push(&e->cells, ((struct cell){ f, is_write }));
	}
	return *at;
}

static uint32_t find_cell(struct effects *e, const struct t_access *x)
{
	switch ((enum access_sort)x->sort) {
	case ACCESS_FIELD:
	case ACCESS_GLOBAL:
		return cell_of(e, (field_id){ x->ref }, x->is_write);
	case ACCESS_ELEMENT:
		return cell_of(e, (field_id){ 0 }, x->is_write);
	case ACCESS_ANY:
		return x->is_write ? ANY_WRITE : ANY_READ;
	case ACCESS_UNKNOWN:
		break;
	}
	return UNKNOWN_CELL;
}

/* Accesses of VarHandles are accesses (features/accesses.c), though nobody knows what they call. */
static bool is_unresolved(const struct pta *a, const struct site *s)
{
	uint8_t cause = s->link.site.cause;
	mref_id m = s->link.site.mref;

	if (!s->link.is_listed || cause == CG_RESOLVED || cause == CG_NATIVE || cause == CG_LINK_ERROR)
		return false;
	if (m.i && str_is(class_name(a->p, mref_row(a->p, m)->owner), "java/lang/invoke/VarHandle"))
		return false;
	return !s->dynamic || !dynamic_is_resolved(a->dynamic, s->dynamic);
}

static void note_method(struct effects *e, method_id m)
{
	const struct pta *a = e->r->a;
	const struct template *t = a->templates.data[m.i];

	e->first_of.data[m.i] = e->of_access.len;
	for (uint32_t i = 0; i < t->naccesses; i++)
		vec_push(&e->of_access, find_cell(e, &t->accesses[i]));
	for (uint32_t i = t->first_site; i < t->first_site + t->nsites; i++)
		e->is_unknown.data[m.i] |= is_unresolved(a, &a->sites.data[i]);
}

#define zeroed(v, n) (vec_reserve((v), (n) + 1), (v)->len = (n) + 1, memset((v)->data, 0, (v)->len * sizeof(*(v)->data)))

struct effects *effects_new(const struct reach *r)
{
	struct effects *e = mem_zalloc(sizeof(*e));

	e->r = r;
	zeroed(&e->first_of, r->a->templates.len);
	zeroed(&e->is_unknown, r->a->templates.len);
	for (uint32_t i = 0; i < FIRST_CELL; i++)
		vec_push(&e->cells, (struct cell){ 0 });
	for (uint32_t i = 0; i < r->a->reached.len; i++)
		note_method(e, r->a->reached.data[i]);
	vec_push(&e->rows, (struct reach_effect){ 0 });
	return e;
}

void effects_free(struct effects *e)
{
	if (!e)
		return;
	vec_release(&e->cells);
	vec_release(&e->first_of);
	vec_release(&e->of_access);
	vec_release(&e->is_unknown);
	release_objects(&e->later);
	vec_release(&e->todo);
	vec_release(&e->entries);
	vec_release(&e->sorted);
	vec_release(&e->count);
	vec_release(&e->touched);
	release_objects(&e->old);
	release_objects(&e->made);
	vec_release(&e->old_places);
	vec_release(&e->new_places);
	vec_release(&e->unknown);
	vec_release(&e->set);
	vec_release(&e->row[0]);
	vec_release(&e->row[1]);
	vec_release(&e->rows);
	vec_release(&e->accesses);
	vec_release(&e->sets);
	vec_release(&e->lists);
	vec_release(&e->methods);
	struct map *maps[] = { &e->cell_of, &e->set_by_hash, &e->joined_sets, &e->row_by_hash, &e->joined };
	for (size_t i = 0; i < ARRAY_LEN(maps); i++)
		map_release(maps[i]);
	free(e);
}

/* What others can get at when the call is over: what it returns or throws, and what is in the fields of that. What is shared holds
 * nothing but what is. */

static class_id class_of(const struct pta *a, object_id o)
{
	return a->kinds.classes.data[solver_kind_of(a->s, o).i];
}

static uint64_t shared_word(const struct part *p, uint32_t block, uint64_t bits)
{
	uint64_t shared = 0;

	for (uint64_t left = bits; left; left &= left - 1)
		if (part_is_shared(p, (object_id){ block * 64 + first_bit(left) }))
			shared |= left & -left;
	return shared;
}

static void give_back(struct effects *e, struct set_view v)
{
	for (uint32_t i = 0; i < v.n; i++) {
		uint64_t more = v.words[i] & ~word_at(&e->later, v.blocks[i]);
		more &= ~shared_word(e->r->part, v.blocks[i], more);
		add_word(&e->later, v.blocks[i], more);
		for (; more; more &= more - 1)
			vec_push(&e->todo, ((object_id){ v.blocks[i] * 64 + first_bit(more) }));
	}
}

static uint32_t slots_of(struct pta *a, object_id o)
{
	kind_id k = solver_kind_of(a->s, o);
	class_id c = a->kinds.classes.data[k.i];

	return is_unknown_kind(a, k.i) || is_world_kind(a, k.i) || k.i == map_get(&a->kinds.empty_of, c.i) ? 0 : class_slots(a, c);
}

static void find_later(struct effects *e, const uint32_t *callees)
{
	struct pta *a = e->r->a;
	const struct part *p = e->r->part;

	clear_objects(&e->later);
	for (; *callees; callees++) {
		const struct template *t = template_at(a, *callees);
		if (t->returns)
			give_back(e, part_set(p, variable_node(a, *callees, t->returns)));
		give_back(e, part_set(p, t->thrown));
	}
	while (e->todo.len) {
		object_id o = vec_pop(&e->todo);
		for (uint32_t i = 0, n = slots_of(a, o); i < n; i++)
			give_back(e, part_set(p, solver_slot(a->s, o, i)));
	}
}

/* Entries */

static void add_entry(struct effects *e, struct entry x)
{
	while (e->count.len < e->cells.len)
		vec_push(&e->count, 0);
	if (!e->count.data[x.cell]++)
		vec_push(&e->touched, x.cell);
	vec_push(&e->entries, x);
}

static void add_instance(struct effects *e, uint32_t in)
{
	struct pta *a = e->r->a;
	method_id m = a->instances.data[in].method;
	const struct template *t = a->templates.data[m.i];
	const uint32_t *cells = e->of_access.data + e->first_of.data[m.i];

	if (e->is_unknown.data[m.i])
		vec_push(&e->unknown, m.i);
	for (uint32_t i = 0; i < t->naccesses; i++) {
		const struct t_access *x = &t->accesses[i];
		if (cells[i] == UNKNOWN_CELL)
			vec_push(&e->unknown, m.i);
		else if (!x->base)
			add_entry(e, (struct entry){ cells[i], 0, OF_NOTHING, x->is_made });
		else
			add_entry(e, (struct entry){ cells[i], variable_node(a, in, x->base).i, OF_NODE, x->is_made });
	}
}

/* Of a node: objects that can be got at. What nobody could before is new. */
static void take_set(struct effects *e, struct set_view v, bool is_made)
{
	for (uint32_t i = 0; i < v.n; i++) {
		uint64_t shared = shared_word(e->r->part, v.blocks[i], v.words[i]), later = v.words[i] & word_at(&e->later, v.blocks[i]);
		add_word(&e->old, v.blocks[i], is_made ? 0 : shared);
		add_word(&e->made, v.blocks[i], is_made ? shared | later : later);
	}
}

/* Nobody looks at what quiet methods do with it. */
static void add_given(struct effects *e)
{
	const struct reach *r = e->r;

	for (uint32_t i = 0; i < r->given.len; i++) {
		struct reach_given g = r->given.data[i];
		add_entry(e, (struct entry){ ANY_READ, g.node.i, OF_NODE, false });
		if (!g.is_string)
			add_entry(e, (struct entry){ ANY_WRITE, g.node.i, OF_NODE, false });
	}
}

/* Static fields that initialisers access which are quiet; not what they call. */
static void add_skipped(struct effects *e)
{
	struct pta *a = e->r->a;

	for (uint32_t i = 0; i < e->r->skipped.len; i++) {
		method_id m = e->r->skipped.data[i];
		const struct template *t = a->templates.data[m.i];
		for (uint32_t k = 0; k < t->naccesses; k++) {
			uint32_t cell = e->of_access.data[e->first_of.data[m.i] + k];
			if (cell != UNKNOWN_CELL && !t->accesses[k].base)
				add_entry(e, (struct entry){ cell, 0, OF_NOTHING, t->accesses[k].is_made });
		}
	}
}

static void take_entry(struct effects *e, const struct entry *x)
{
	if (x->sort == OF_NODE)
		take_set(e, part_set(e->r->part, (node_id){ x->of }), x->is_made);
	else if (x->sort == OF_OBJECT)
		add_word(x->is_made ? &e->made : &e->old, x->of / 64, (uint64_t)1 << x->of % 64);
}

/* Memory by offset: each field of the object. */

static void add_fields(struct effects *e, object_id o, bool is_write, bool is_made)
{
	const struct pta *a = e->r->a;
	class_id c = class_of(a, o);

	if (c.i && class_row(a->p, c)->kind == CLASS_ARRAY)
		add_entry(e, (struct entry){ cell_of(e, (field_id){ 0 }, is_write), o.i, OF_OBJECT, is_made });
	for (; c.i && class_row(a->p, c)->kind != CLASS_ARRAY; c = class_row(a->p, c)->super) {
		struct ir_class row = *class_row(a->p, c);
		for (uint32_t i = 0; i < row.nfields; i++) {
			field_id f = { row.first_field + i };
			if (!(field_row(a->p, f)->flags & ACCESS_STATIC))
				add_entry(e, (struct entry){ cell_of(e, f, is_write), o.i, OF_OBJECT, is_made });
		}
	}
}

static void add_any(struct effects *e, const struct objects *from, bool is_write, bool is_made)
{
	for (uint32_t i = 0; i < from->blocks.len; i++)
		for (uint64_t bits = from->bits.data[from->blocks.data[i]]; bits; bits &= bits - 1)
			add_fields(e, (object_id){ from->blocks.data[i] * 64 + first_bit(bits) }, is_write, is_made);
}

static void clear_taken(struct effects *e)
{
	clear_objects(&e->old);
	clear_objects(&e->made);
}

static void expand_any(struct effects *e)
{
	uint32_t n = e->entries.len;

	for (uint32_t cell = ANY_READ; cell <= ANY_WRITE; cell++) {
		if (e->count.len <= cell || !e->count.data[cell])
			continue;
		for (uint32_t i = 0; i < n; i++)
			if (e->entries.data[i].cell == cell)
				take_entry(e, &e->entries.data[i]);
		add_any(e, &e->old, cell == ANY_WRITE, false);
		add_any(e, &e->made, cell == ANY_WRITE, true);
		clear_taken(e);
	}
}

/* Accesses of one field: equal ones are one set */

static uint32_t find_set(struct effects *e)
{
	const struct reach_access *x = e->set.data;
	uint32_t n = e->set.len;

	for (uint64_t h = 1 | hash_bytes(x, n * sizeof(*x));; h += 2) {
		uint32_t *at = map_at(&e->set_by_hash, h);
		const struct reach_set *s = *at ? &e->sets.data[*at - 1] : NULL;
		if (s && (s->n != n || memcmp(e->accesses.data + s->first, x, n * sizeof(*x)) != 0))
			continue;
		if (s)
			return *at - 1;
		vec_push(&e->sets, ((struct reach_set){ e->accesses.len, n }));
		*at = e->sets.len;
		for (uint32_t i = 0; i < n; i++)
			vec_push(&e->accesses, x[i]);
		return *at - 1;
	}
}

/* The number of e->set, which it empties. */
static uint32_t keep_set(struct effects *e)
{
	uint32_t number = find_set(e);

	vec_clear(&e->set);
	return number;
}

/* Objects of a cell as places */

/* Arrays without elements have none to be accessed; an object of another class does not get by the JVM's checks. */
static bool has_field(struct pta *a, object_id o, field_id f)
{
	kind_id k = solver_kind_of(a->s, o);
	class_id c = a->kinds.classes.data[k.i];

	if (!c.i || is_world_kind(a, k.i))
		return true;
	if (!f.i)
		return class_row(a->p, c)->kind == CLASS_ARRAY && k.i != map_get(&a->kinds.empty_of, c.i);
	return class_row(a->p, c)->kind != CLASS_ARRAY && hierarchy_is_subclass(&a->h, c, field_row(a->p, f)->owner);
}

static void list_places(struct effects *e, const struct objects *from, field_id f, id_list *out)
{
	struct pta *a = e->r->a;

	for (uint32_t i = 0; i < from->blocks.len; i++)
		for (uint64_t bits = from->bits.data[from->blocks.data[i]]; bits; bits &= bits - 1) {
			object_id o = { from->blocks.data[i] * 64 + first_bit(bits) };
			if (has_field(a, o, f))
				vec_push(out, object_place(a, o));
		}
	out->len = sort_ids(out->data, out->len);
}

/* Both lists as one, by place. */
static void write_places(struct effects *e, struct cell c)
{
	uint32_t i = 0, k = 0;

	while (i < e->old_places.len || k < e->new_places.len) {
		bool is_old = i < e->old_places.len && (k == e->new_places.len || e->old_places.data[i] <= e->new_places.data[k]);
		uint32_t place = is_old ? e->old_places.data[i] : e->new_places.data[k];
		i += is_old;
		k += k < e->new_places.len && e->new_places.data[k] == place;
		vec_push(&e->set, ((struct reach_access){ place, c.field, !is_old }));
	}
	if (e->set.len)
		vec_push(&e->row[c.is_write], keep_set(e));
	vec_clear(&e->old_places);
	vec_clear(&e->new_places);
}

static void write_cell(struct effects *e, uint32_t cell, const struct entry *x, uint32_t n)
{
	struct cell c = e->cells.data[cell];
	bool is_made = true;

	for (uint32_t i = 0; i < n; i++) {
		take_entry(e, &x[i]);
		is_made &= x[i].is_made;
	}
	if (n && x->sort == OF_NOTHING) {
		vec_push(&e->set, ((struct reach_access){ NO_PLACE, c.field, is_made }));
		vec_push(&e->row[c.is_write], keep_set(e));
		return;
	}
	list_places(e, &e->old, c.field, &e->old_places);
	list_places(e, &e->made, c.field, &e->new_places);
	write_places(e, c);
	clear_taken(e);
}

struct cell_key { uint32_t field, cell; };

static int compare_keys(const void *x, const void *y)
{
	const struct cell_key *a = x, *b = y;

	return a->field != b->field ? (a->field < b->field ? -1 : 1) : (a->cell > b->cell) - (a->cell < b->cell);
}

/* By their fields. */
static void sort_cells(struct effects *e)
{
	struct cell_key *keys = mem_alloc((e->touched.len + 1) * sizeof(*keys));

	for (uint32_t i = 0; i < e->touched.len; i++)
		keys[i] = (struct cell_key){ e->cells.data[e->touched.data[i]].field.i, e->touched.data[i] };
	qsort(keys, e->touched.len, sizeof(*keys), compare_keys);
	for (uint32_t i = 0; i < e->touched.len; i++)
		e->touched.data[i] = keys[i].cell;
	free(keys);
}

static void write_cells(struct effects *e)
{
	uint32_t at = 0;

	sort_cells(e);
	vec_reserve(&e->sorted, e->entries.len);
	e->sorted.len = e->entries.len;
	for (uint32_t i = 0; i < e->touched.len; i++) {
		uint32_t n = e->count.data[e->touched.data[i]];
		e->count.data[e->touched.data[i]] = at;
		at += n;
	}
	for (uint32_t i = 0; i < e->entries.len; i++)
		e->sorted.data[e->count.data[e->entries.data[i].cell]++] = e->entries.data[i];
	for (uint32_t i = 0, first = 0; i < e->touched.len; i++) {
		uint32_t end = e->count.data[e->touched.data[i]];
		if (e->touched.data[i] >= FIRST_CELL)
			write_cell(e, e->touched.data[i], e->sorted.data + first, end - first);
		first = end;
		e->count.data[e->touched.data[i]] = 0;
	}
	vec_clear(&e->touched);
	vec_clear(&e->entries);
}

/* Rows: equal ones are one */

static bool has_list(const struct effects *e, uint32_t first, uint32_t n, const id_list *l)
{
	return n == l->len && memcmp(e->lists.data + first, l->data, n * sizeof(*l->data)) == 0;
}

static bool same_row(const struct effects *e, const struct reach_effect *x)
{
	return has_list(e, x->first_read, x->nreads, &e->row[0]) && has_list(e, x->first_write, x->nwrites, &e->row[1]) &&
	       x->nunknown == e->unknown.len &&
	       memcmp(e->methods.data + x->first_unknown, e->unknown.data, e->unknown.len * sizeof(*e->unknown.data)) == 0;
}

static uint32_t add_list(struct effects *e, const id_list *l)
{
	uint32_t first = e->lists.len;

	for (uint32_t i = 0; i < l->len; i++)
		vec_push(&e->lists, l->data[i]);
	return first;
}

static uint32_t add_row(struct effects *e)
{
	struct reach_effect x = { .nreads = e->row[0].len, .nwrites = e->row[1].len, .first_unknown = e->methods.len,
				  .nunknown = e->unknown.len };

	x.first_read = add_list(e, &e->row[0]);
	x.first_write = add_list(e, &e->row[1]);
	for (uint32_t i = 0; i < e->unknown.len; i++)
		vec_push(&e->methods, e->unknown.data[i]);
	vec_push(&e->rows, x);
	return e->rows.len - 1;
}

/* Of e->row and e->unknown, which it empties. */
static uint32_t keep_row(struct effects *e)
{
	uint64_t reads = hash_bytes(e->row[0].data, e->row[0].len * sizeof(uint32_t));
	uint32_t *at;

	for (uint64_t h = 1 | hash_bytes_seeded(e->row[1].data, e->row[1].len * sizeof(uint32_t), reads);; h += 2) {
		at = map_at(&e->row_by_hash, h);
		if (!*at || same_row(e, &e->rows.data[*at]))
			break;
	}
	if (!*at)
		*at = add_row(e);
	vec_clear(&e->row[0]);
	vec_clear(&e->row[1]);
	vec_clear(&e->unknown);
	return *at;
}

uint32_t effects_of_answer(struct effects *e, const uint32_t *callees)
{
	const struct reach *r = e->r;

	find_later(e, callees);
	for (uint32_t i = 0; i < r->instances.len; i++)
		add_instance(e, r->instances.data[i]);
	add_given(e);
	add_skipped(e);
	expand_any(e);
	write_cells(e);
	e->unknown.len = sort_ids(e->unknown.data, e->unknown.len);
	return keep_row(e);
}

/* Joining */

/* By place; both are of one field. */
static uint32_t join_sets(struct effects *e, uint32_t x, uint32_t y)
{
	uint32_t *known = map_at(&e->joined_sets, 1 + map_key(x, y)), i = 0, k = 0;
	struct reach_set s = e->sets.data[x], t = e->sets.data[y];

	if (*known)
		return *known - 1;
	while (i < s.n || k < t.n) {
		const struct reach_access *a = &e->accesses.data[s.first + i], *b = &e->accesses.data[t.first + k];
		bool takes_a = i < s.n && (k == t.n || a->place <= b->place), takes_b = k < t.n && (i == s.n || b->place <= a->place);
		struct reach_access both = takes_a ? *a : *b;
		if (takes_a && takes_b)
			both.is_new &= b->is_new;
		vec_push(&e->set, both);
		i += takes_a;
		k += takes_b;
	}
	return (*known = 1 + keep_set(e)) - 1;
}

static uint32_t field_of(const struct effects *e, uint32_t set)
{
	return e->accesses.data[e->sets.data[set].first].field.i;
}

/* Lists of sets, by field. */
static void merge(struct effects *e, uint32_t first, uint32_t n, uint32_t first2, uint32_t n2, id_list *out)
{
	uint32_t end = first + n, end2 = first2 + n2;

	while (first < end || first2 < end2) {
		uint32_t x = first < end ? e->lists.data[first] : 0, y = first2 < end2 ? e->lists.data[first2] : 0;
		bool takes_x = first < end && (first2 == end2 || field_of(e, x) <= field_of(e, y));
		bool takes_y = first2 < end2 && (first == end || field_of(e, y) <= field_of(e, x));
		vec_push(out, takes_x && takes_y ? (x == y ? x : join_sets(e, x, y)) : takes_x ? x : y);
		first += takes_x;
		first2 += takes_y;
	}
}

static uint32_t join(struct effects *e, uint32_t x, uint32_t y)
{
	uint32_t known = map_get(&e->joined, map_key(x, y));
	struct reach_effect a = e->rows.data[x], b = e->rows.data[y];

	if (known || x == y)
		return known ? known : x;
	merge(e, a.first_read, a.nreads, b.first_read, b.nreads, &e->row[0]);
	merge(e, a.first_write, a.nwrites, b.first_write, b.nwrites, &e->row[1]);
	for (uint32_t i = 0; i < a.nunknown; i++)
		vec_push(&e->unknown, e->methods.data[a.first_unknown + i]);
	for (uint32_t i = 0; i < b.nunknown; i++)
		vec_push(&e->unknown, e->methods.data[b.first_unknown + i]);
	e->unknown.len = sort_ids(e->unknown.data, e->unknown.len);
	return *map_at(&e->joined, map_key(x, y)) = keep_row(e);
}

uint32_t effects_join(struct effects *e, uint32_t *rows, uint32_t n)
{
	uint32_t joined;

	n = sort_ids(rows, n);
	if (!n || !rows[0])
		return 0;
	joined = rows[0];
	for (uint32_t i = 1; i < n; i++)
		joined = join(e, joined, rows[i]);
	return joined;
}

#define take(to, from) (memcpy((to), (from), sizeof(*(to))), memset((from), 0, sizeof(*(from))))        /* a VEC */

/* What calls have: the rows of answers that are part of others go. */
void effects_keep(struct effects *e, struct reach_result *out)
{
	uint32_t *row_of = mem_zalloc((e->rows.len + 1) * sizeof(*row_of));

	vec_push(&out->effects, (struct reach_effect){ 0 });
	for (uint32_t i = 0; i < out->calls.len; i++) {
		uint32_t row = out->calls.data[i].effect;
		if (row && !row_of[row]) {
			row_of[row] = out->effects.len;
			vec_push(&out->effects, e->rows.data[row]);
		}
		out->calls.data[i].effect = row_of[row];
	}
	take(&out->lists, &e->lists);
	take(&out->sets, &e->sets);
	take(&out->accesses, &e->accesses);
	for (uint32_t i = 0; i < e->methods.len; i++)
		vec_push(&out->unknown, (method_id){ e->methods.data[i] });
	free(row_of);
}
