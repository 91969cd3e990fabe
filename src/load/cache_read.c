/* SPDX-License-Identifier: Apache-2.0 */
/* cache_read.c - from rows of the file to ids of the program, and from records to classes. */
#include "load/cache_p.h"

/* Rows */

static struct str text_of(struct cache *k, struct cache_row row)
{
	struct span text = k->parts[PART_TEXT];

	if (row.a <= text.len && row.b <= text.len - row.a)
		return (struct str){ (const char *)text.p + row.a, row.b };
	cache_damaged(k);
	return STR("");
}

static const struct cache_row *table_of(const struct cache *k, enum cache_table t)
{
	return (const struct cache_row *)(const void *)k->parts[PART_TABLE + t].p;
}

static uint32_t id_of(struct cache *k, enum cache_table t, uint32_t row);

static uint32_t make_id(struct cache *k, enum cache_table t, struct cache_row row)
{
	struct program *p = k->p;
	str_id name, desc;
	class_id owner;

	switch (t) {
	case TABLE_STRING:
		return intern(&p->strings, text_of(k, row)).i;
	case TABLE_CLASS:
		name.i = id_of(k, TABLE_STRING, row.a);
		owner = program_class_id(p, name);
		class_row(p, owner)->is_referred = 1;
		return owner.i;
	case TABLE_SEL:
		name.i = id_of(k, TABLE_STRING, row.a);
		desc.i = id_of(k, TABLE_STRING, row.b);
		return program_sel_id(p, name, desc).i;
	case TABLE_MREF:
		owner.i = id_of(k, TABLE_CLASS, row.a);
		return program_mref(p, owner, (sel_id){ id_of(k, TABLE_SEL, row.b >> 1) }, row.b & 1).i;
	default:
		owner.i = id_of(k, TABLE_CLASS, row.a);
		return program_fref(p, owner, (sel_id){ id_of(k, TABLE_SEL, row.b) }).i;
	}
}

/* A row that does not exist counts as row 0. */
static uint32_t id_of(struct cache *k, enum cache_table t, uint32_t row)
{
	if (UNLIKELY(row >= k->rows[t])) {
		cache_damaged(k);
		row = 0;
	}
	if (!k->ids[t][row])
		k->ids[t][row] = make_id(k, t, table_of(k, t)[row]);
	return k->ids[t][row];
}

static class_id class_of(struct cache *k, uint32_t row)
{
	return (class_id){ row ? id_of(k, TABLE_CLASS, row) : 0 };
}

static sel_id sel_of(struct cache *k, uint32_t row)
{
	return (sel_id){ id_of(k, TABLE_SEL, row) };
}

/* Records */

const struct cache_record *cache_record_at(const struct cache *k, uint32_t entry)
{
	struct span index = k->parts[PART_INDEX], records = k->parts[PART_RECORDS];

	if (entry >= index.len / sizeof(uint32_t))
		return NULL;
	uint64_t at = ((const uint32_t *)(const void *)index.p)[entry];
	if (at == 0 || at * 8 + sizeof(struct cache_record) - 8 > records.len)
		return NULL;
	return (const struct cache_record *)(const void *)(records.p + (at - 1) * 8);
}

bool cache_has(const struct cache *k, uint32_t entry)
{
	return !k->damaged && cache_record_at(k, entry) != NULL;
}

static bool is_sound(const struct cache *k, const struct cache_record *r)
{
	struct span records = k->parts[PART_RECORDS];
	size_t left = records.len - (size_t)((const uint8_t *)r - records.p);
	uint64_t size = sizeof(*r) + r->stmts * (uint64_t)sizeof(struct cache_stmt) +
			r->methods * sizeof(struct cache_method) + r->fields * sizeof(struct cache_field) +
			(r->interfaces + (uint64_t)r->nest_members) * sizeof(uint32_t);

	return size == r->size && size <= left && cache_hash(&r->size, r->size - sizeof(r->check)) == r->check;
}

static const struct cache_record *find(struct cache *k, uint32_t entry, str_id name)
{
	const struct cache_record *r = k->damaged ? NULL : cache_record_at(k, entry);

	if (!r)
		return NULL;
	if (is_sound(k, r) && r->self < k->rows[TABLE_CLASS] &&
	    class_row(k->p, class_of(k, r->self))->name.i == name.i)
		return r;
	cache_damaged(k);
	return NULL;
}

static void fill_header(struct cache *k, class_id c, const struct cache_record *r)
{
	class_id *interfaces = arena_array(&k->p->mem, class_id, r->interfaces);

	for (uint32_t i = 0; i < r->interfaces; i++)
		interfaces[i] = class_of(k, record_interfaces(r)[i]);
	class_id super = class_of(k, r->super), outer = class_of(k, r->outer), host = class_of(k, r->nest_host);
	struct ir_class *row = class_row(k->p, c);
	row->flags = r->flags;
	row->super = super;
	row->outer = outer;
	row->nest_host = host;
	row->interfaces = interfaces;
	row->ninterfaces = r->interfaces;
	row->is_record = r->is_record;
	row->is_sealed = r->is_sealed;
	row->is_generic = r->is_generic;
	row->inner_flags = r->inner_flags;
}

bool cache_load(struct cache *k, class_id c, uint32_t entry)
{
	const struct cache_record *r = find(k, entry, class_row(k->p, c)->name);

	if (!r)
		return false;
	fill_header(k, c, r);
	for (uint16_t i = 0; i < r->fields; i++)
		program_add_field(k->p, c, sel_of(k, record_fields(r)[i].sel), record_fields(r)[i].flags);
	for (uint16_t i = 0; i < r->methods; i++)
		program_add_method(k->p, c, sel_of(k, record_methods(r)[i].sel), record_methods(r)[i].flags, i);
	*cache_class_at(k, c) = (struct cache_class){ .record = r, .entry = entry };
	return true;
}

struct cache_class *cache_class_at(struct cache *k, class_id c)
{
	while (k->classes.len <= c.i)
		vec_push(&k->classes, (struct cache_class){ 0 });
	return &k->classes.data[c.i];
}

static const struct cache_record *record_of(const struct cache *k, class_id c)
{
	return c.i < k->classes.len ? k->classes.data[c.i].record : NULL;
}

bool cache_nest(struct cache *k, class_id host, class_id c, bool *listed)
{
	const struct cache_record *r = record_of(k, host);

	*listed = false;
	for (uint32_t i = 0; r && i < r->nest_members && !*listed; i++) {
		uint32_t row = record_nest_members(r)[i];
		*listed = row < k->rows[TABLE_STRING] && str_eq(text_of(k, table_of(k, TABLE_STRING)[row]), class_name(k->p, c));
	}
	return r != NULL;
}

/* Outlines */

bool stmt_table(unsigned op, unsigned sub, enum cache_table *t)
{
	static const uint8_t tables[] = { [IR_REF_NONE] = TABLES, [IR_REF_INT] = TABLES, [IR_REF_STRING] = TABLE_STRING,
					  [IR_REF_CLASS] = TABLE_CLASS, [IR_REF_MREF] = TABLE_MREF,
					  [IR_REF_FREF] = TABLE_FREF, [IR_REF_PARAM] = TABLES };

	if (op >= IR_OPS || ir_ops[op].ref == IR_REF_LONG || ir_ops[op].ref == IR_REF_DYNAMIC)
		return false;
	*t = op == IR_CONST_HANDLE && ir_is_field_handle(sub) ? TABLE_FREF : (enum cache_table)tables[ir_ops[op].ref];
	return true;
}

static bool read_stmt(struct cache *k, struct cache_stmt from, struct ir_stmt *to)
{
	enum cache_table t;

	if (!stmt_table(from.op, from.sub, &t))
		return false;
	*to = (struct ir_stmt){ .op = from.op, .sub = from.sub, .pc = from.pc,
				.ref = t == TABLES ? from.ref : id_of(k, t, from.ref) };
	return true;
}

static bool read_outline(struct cache *k, const struct cache_stmt *from, uint32_t n, struct arena *mem,
			 struct ir_body *body)
{
	struct ir_stmt *stmts = arena_array(mem, struct ir_stmt, n);
	struct ir_block *block = arena_new(mem, struct ir_block);

	for (uint32_t i = 0; i < n; i++)
		if (!read_stmt(k, from[i], &stmts[i]))
			return false;
	block->end = n;
	*body = (struct ir_body){ .stmts = stmts, .nstmts = n, .blocks = block, .nblocks = 1 };
	return true;
}

enum cache_code cache_outline(struct cache *k, method_id m, struct arena *mem, struct ir_body *body)
{
	struct ir_method row = *method_row(k->p, m);
	const struct cache_record *r = record_of(k, row.owner);

	if (!r || row.index >= r->methods)
		return CACHE_UNKNOWN;
	struct cache_method code = record_methods(r)[row.index];
	if (code.code != CACHE_OUTLINE)
		return code.code == CACHE_NO_CODE ? CACHE_NO_CODE : CACHE_UNKNOWN;
	if (code.first <= r->stmts && code.n <= r->stmts - code.first &&
	    read_outline(k, record_stmts(r) + code.first, code.n, mem, body))
		return CACHE_OUTLINE;
	cache_damaged(k);
	return CACHE_UNKNOWN;
}
