/* SPDX-License-Identifier: Apache-2.0 */
/* cache_write.c - what a run learnt, and the file that holds it together with what was known before. Rows of the
 * old file keep their numbers: tables only grow, and old records are copied as they are. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "formats/classfile/attributes.h"
#include "load/cache_p.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* A file of 25 MB is not written again for a handful of methods. */
#define ENOUGH_NEWS 200
#define ENOUGH_PART 20        /* one twentieth of what was known */

/* Learning */

/* Names of members of the nest become strings of the program now: it must not grow while the file is written. */
static void intern_nest(struct program *p, const struct unit *u)
{
	struct cf_rows it = cf_nest_members(&u->cf);

	for (uint16_t member; cf_index_next(&u->cf, &it, &member);)
		intern(&p->strings, cf_name(&u->cf, member));
}

void cache_learn_class(struct cache *k, class_id c, uint32_t entry, const struct unit *u)
{
	intern_nest(k->p, u);
	*cache_class_at(k, c) = (struct cache_class){ .unit = u, .entry = entry };
	k->news++;
}

static bool is_synthetic(const struct program *p, enum cache_table t, uint32_t id)
{
	class_id c = { 0 };

	if (t == TABLE_CLASS)
		c.i = id;
	else if (t == TABLE_MREF)
		c = mref_row(p, (mref_id){ id })->owner;
	else if (t == TABLE_FREF)
		c = fref_row(p, (fref_id){ id })->owner;
	return class_row(p, c)->kind == CLASS_SYNTHETIC;
}

static bool fits(const struct program *p, const struct ir_stmt *s)
{
	enum cache_table t;

	return s->op <= UINT8_MAX && s->sub <= UINT8_MAX && s->pc <= UINT16_MAX && stmt_table(s->op, s->sub, &t) &&
	       !is_synthetic(p, t, s->ref);
}

void cache_learn_outline(struct cache *k, method_id m, const struct ir_body *outline)
{
	class_id owner = method_row(k->p, m)->owner;

	if (owner.i >= k->classes.len || !(k->classes.data[owner.i].record || k->classes.data[owner.i].unit))
		return;
	for (uint32_t i = 0; i < outline->nstmts; i++)
		if (!fits(k->p, &outline->stmts[i]))
			return;
	while (k->outline_of.len <= m.i)
		vec_push(&k->outline_of, 0);
	if (k->outline_of.data[m.i])
		return;
	vec_push(&k->learnt, ((struct cache_learnt){ k->stmts.len, outline->nstmts }));
	k->outline_of.data[m.i] = k->learnt.len;
	k->news++;
	for (uint32_t i = 0; i < outline->nstmts; i++) {
		const struct ir_stmt *s = &outline->stmts[i];
		vec_push(&k->stmts, ((struct cache_stmt){ (uint8_t)s->op, (uint8_t)s->sub, (uint16_t)s->pc, s->ref }));
	}
}

/* Writing */

struct writer {
	struct cache *k;
	FILE *file;
	XXH3_state_t *check;                  /* NULL: parts that have their own */
	uint32_t *rows[TABLES];               /* by id of the program: its row; 0: none yet */
	VEC(struct cache_row) fresh[TABLES];  /* rows behind those of the old file */
	uint32_t old_rows[TABLES];
	struct strbuf text;                   /* behind that of the old file */
	class_id *class_at;                   /* by entry: a class with news */
	uint32_t *index;
	struct strbuf record;
	uint64_t sizes[PARTS];
};

static uint32_t row_of(struct writer *w, enum cache_table t, uint32_t id);

static struct cache_row add_text(struct writer *w, struct str s)
{
	size_t at = w->k->parts[PART_TEXT].len + w->text.len;

	strbuf_addstr(&w->text, s);
	return (struct cache_row){ (uint32_t)at, s.len };
}

static struct cache_row make_row(struct writer *w, enum cache_table t, uint32_t id)
{
	const struct program *p = w->k->p;

	switch (t) {
	case TABLE_STRING:
		return add_text(w, interned(&p->strings, (str_id){ id }));
	case TABLE_CLASS:
		return (struct cache_row){ row_of(w, TABLE_STRING, p->classes.data[id].name.i), 0 };
	case TABLE_SEL:
		return (struct cache_row){ row_of(w, TABLE_STRING, p->sels.data[id].name.i),
					   row_of(w, TABLE_STRING, p->sels.data[id].desc.i) };
	case TABLE_MREF:
		return (struct cache_row){ row_of(w, TABLE_CLASS, p->mrefs.data[id].owner.i),
					   row_of(w, TABLE_SEL, p->mrefs.data[id].sel.i) << 1 | p->mrefs.data[id].is_interface };
	default:
		return (struct cache_row){ row_of(w, TABLE_CLASS, p->frefs.data[id].owner.i),
					   row_of(w, TABLE_SEL, p->frefs.data[id].sel.i) };
	}
}

static uint32_t row_of(struct writer *w, enum cache_table t, uint32_t id)
{
	if (id == 0)
		return 0;
	if (!w->rows[t][id]) {
		struct cache_row row = make_row(w, t, id);
		w->rows[t][id] = w->old_rows[t] + w->fresh[t].len;
		vec_push(&w->fresh[t], row);
	}
	return w->rows[t][id];
}

static uint32_t program_rows(const struct program *p, enum cache_table t)
{
	const uint32_t n[] = { p->strings.strings.len, p->classes.len, p->sels.len, p->mrefs.len, p->frefs.len };

	return n[t];
}

/* The rows of the old file whose meaning is known; others may be added once more, which does no harm. */
static void start_rows(struct writer *w, enum cache_table t)
{
	const struct cache *k = w->k;

	w->old_rows[t] = k->rows[t];
	w->rows[t] = mem_zalloc((program_rows(k->p, t) + 1) * sizeof(uint32_t));
	for (uint32_t row = 1; row < k->rows[t]; row++)
		if (k->ids[t][row])
			w->rows[t][k->ids[t][row]] = row;
	if (k->rows[t] == 0)
		vec_push(&w->fresh[t], ((struct cache_row){ 0, 0 }));
}

static bool has_news(const struct cache *k, class_id c)
{
	const struct ir_class *row = class_row(k->p, c);

	if (!k->classes.data[c.i].record)
		return true;
	for (uint32_t m = row->first_method; m < row->first_method + row->nmethods && m < k->outline_of.len; m++)
		if (k->outline_of.data[m])
			return true;
	return false;
}

/* A class that was linked with an error has lost what made the error: the next run must see it again. */
static void find_news(struct writer *w)
{
	struct cache *k = w->k;

	w->class_at = mem_zalloc((k->entries + 1) * sizeof(class_id));
	for (uint32_t i = 1; i < k->classes.len; i++) {
		const struct cache_class *known = &k->classes.data[i];
		const struct ir_class *row = class_row(k->p, (class_id){ i });
		bool usable = known->unit || (known->record && !k->damaged);

		if (usable && known->entry <= k->entries && row->state == LOAD_DONE && row->link_error == LINK_OK &&
		    row->kind == CLASS_FILE && row->nmethods <= UINT16_MAX && row->nfields <= UINT16_MAX &&
		    row->ninterfaces <= UINT16_MAX && has_news(k, (class_id){ i }))
			w->class_at[known->entry] = (class_id){ i };
	}
}

static void emit(struct writer *w, enum cache_part part, const void *p, size_t n)
{
	w->sizes[part] += n;
	if (n == 0)
		return;
	fwrite(p, 1, n, w->file);
	if (w->check)
		XXH3_64bits_update(w->check, p, n);
}

/* Not part of the size. */
static void pad(struct writer *w, enum cache_part part)
{
	uint64_t size = w->sizes[part];

	emit(w, part, (const char[8]){ 0 }, (8 - size % 8) % 8);
	w->sizes[part] = size;
}

/* Records */

static void add_stmt(struct writer *w, struct cache_stmt s)
{
	enum cache_table t;

	if (stmt_table(s.op, s.sub, &t) && t != TABLES)
		s.ref = row_of(w, t, s.ref);
	strbuf_add(&w->record, &s, sizeof(s));
}

static void add_old_outline(struct writer *w, const struct cache_record *r, uint32_t i, struct cache_method *m)
{
	struct cache_method old = record_methods(r)[i];

	if (old.first > r->stmts || old.n > r->stmts - old.first)
		return;
	m->code = old.code;
	m->n = old.n;
	strbuf_add(&w->record, record_stmts(r) + old.first, old.n * sizeof(struct cache_stmt));
}

/* Adds the statements of method `i` and says where they are; they start at *n. */
static struct cache_method add_outline(struct writer *w, const struct cache_class *from, class_id c, uint32_t i,
				       uint32_t *n)
{
	const struct cache *k = w->k;
	struct cache_method m = { .code = CACHE_UNKNOWN, .first = *n };
	uint32_t id = class_row(k->p, c)->first_method + i;

	if (id < k->outline_of.len && k->outline_of.data[id]) {
		struct cache_learnt new = k->learnt.data[k->outline_of.data[id] - 1];
		m.code = CACHE_OUTLINE;
		m.n = new.n;
		for (uint32_t s = 0; s < new.n; s++)
			add_stmt(w, k->stmts.data[new.first + s]);
	} else if (from->record) {
		add_old_outline(w, from->record, i, &m);
	} else if (!from->unit->cf.methods[i].code) {
		m.code = CACHE_NO_CODE;
	}
	*n += m.n;
	return m;
}

static uint32_t add_methods(struct writer *w, class_id c)
{
	const struct program *p = w->k->p;
	const struct cache_class *from = &w->k->classes.data[c.i];
	struct ir_class row = *class_row(p, c);
	struct cache_method *methods = mem_alloc((row.nmethods + 1) * sizeof(*methods));
	uint32_t stmts = 0;

	for (uint32_t i = 0; i < row.nmethods; i++) {
		const struct ir_method *m = method_row(p, (method_id){ row.first_method + i });
		methods[i] = add_outline(w, from, c, i, &stmts);
		methods[i].sel = row_of(w, TABLE_SEL, m->sel.i);
		methods[i].flags = m->flags;
	}
	strbuf_add(&w->record, methods, row.nmethods * sizeof(*methods));
	free(methods);
	return stmts;
}

static void add_fields(struct writer *w, class_id c)
{
	struct ir_class row = *class_row(w->k->p, c);

	for (uint32_t i = 0; i < row.nfields; i++) {
		const struct ir_field *f = field_row(w->k->p, (field_id){ row.first_field + i });
		struct cache_field field = { .sel = row_of(w, TABLE_SEL, f->sel.i), .flags = f->flags };
		strbuf_add(&w->record, &field, sizeof(field));
	}
}

static void add_interfaces(struct writer *w, class_id c)
{
	struct ir_class row = *class_row(w->k->p, c);

	for (uint32_t i = 0; i < row.ninterfaces; i++) {
		uint32_t interface = row_of(w, TABLE_CLASS, row.interfaces[i].i);
		strbuf_add(&w->record, &interface, sizeof(interface));
	}
}

static uint16_t add_nest_members(struct writer *w, const struct cache_class *from)
{
	uint32_t n = 0;

	if (from->record) {
		n = from->record->nest_members;
		strbuf_add(&w->record, record_nest_members(from->record), n * sizeof(uint32_t));
		return (uint16_t)n;
	}
	struct cf_rows it = cf_nest_members(&from->unit->cf);
	for (uint16_t member; cf_index_next(&from->unit->cf, &it, &member); n++) {
		str_id name = intern(&w->k->p->strings, cf_name(&from->unit->cf, member));
		uint32_t row = row_of(w, TABLE_STRING, name.i);
		strbuf_add(&w->record, &row, sizeof(row));
	}
	return (uint16_t)n;
}

static void make_record(struct writer *w, class_id c)
{
	struct ir_class row = *class_row(w->k->p, c);
	struct cache_record r = {
		.methods = (uint16_t)row.nmethods, .fields = (uint16_t)row.nfields,
		.interfaces = (uint16_t)row.ninterfaces, .flags = row.flags,
		.self = row_of(w, TABLE_CLASS, c.i), .super = row_of(w, TABLE_CLASS, row.super.i),
		.outer = row_of(w, TABLE_CLASS, row.outer.i), .nest_host = row_of(w, TABLE_CLASS, row.nest_host.i),
		.is_record = row.is_record, .is_sealed = row.is_sealed,
		.is_generic = row.is_generic, .inner_flags = row.inner_flags,
	};

	strbuf_clear(&w->record);
	strbuf_add(&w->record, &r, sizeof(r));
	r.stmts = add_methods(w, c);
	add_fields(w, c);
	add_interfaces(w, c);
	r.nest_members = add_nest_members(w, &w->k->classes.data[c.i]);
	r.size = (uint32_t)w->record.len;
	memcpy(w->record.s, &r, sizeof(r));
	r.check = cache_hash(w->record.s + sizeof(r.check), w->record.len - sizeof(r.check));
	memcpy(w->record.s, &r, sizeof(r));
}

static void emit_record(struct writer *w, uint32_t entry, const void *p, size_t n)
{
	w->index[entry] = (uint32_t)(w->sizes[PART_RECORDS] / 8) + 1;
	emit(w, PART_RECORDS, p, n);
	emit(w, PART_RECORDS, (const char[8]){ 0 }, (8 - n % 8) % 8);
}

static void emit_records(struct writer *w)
{
	const struct cache *k = w->k;
	struct span records = k->parts[PART_RECORDS];

	w->index = mem_zalloc((k->entries + 1) * sizeof(uint32_t));
	for (uint32_t e = 0; e <= k->entries; e++) {
		const struct cache_record *old = cache_record_at(k, e);
		if (w->class_at[e].i) {
			make_record(w, w->class_at[e]);
			emit_record(w, e, w->record.s, w->record.len);
		} else if (old && old->size <= records.len - (size_t)((const uint8_t *)old - records.p)) {
			emit_record(w, e, old, old->size);
		}
	}
}

/* The rest */

static void emit_tables(struct writer *w)
{
	const struct span *old = w->k->parts;

	emit(w, PART_INDEX, w->index, (w->k->entries + 1) * sizeof(uint32_t));
	pad(w, PART_INDEX);
	for (int t = 0; t < TABLES; t++) {
		enum cache_part part = (enum cache_part)(PART_TABLE + t);
		emit(w, part, old[part].p, w->old_rows[t] * sizeof(struct cache_row));
		emit(w, part, w->fresh[t].data, w->fresh[t].len * sizeof(struct cache_row));
	}
	emit(w, PART_TEXT, old[PART_TEXT].p, old[PART_TEXT].len);
	emit(w, PART_TEXT, w->text.s, w->text.len);
	pad(w, PART_TEXT);
}

static bool write_file(void *ctx, int fd)
{
	struct writer *w = ctx;
	struct cache_header h = { .magic = CACHE_MAGIC, .key = w->k->key };
	bool ok = true;

	w->file = fdopen(dup(fd), "wb");
	if (!w->file)
		return false;
	fwrite(&h, sizeof(h), 1, w->file);
	emit_records(w);
	w->check = XXH3_createState();
	if (w->check && XXH3_64bits_reset(w->check) == XXH_OK)
		emit_tables(w);
	h.check = w->check ? XXH3_64bits_digest(w->check) : 0;
	memcpy(h.sizes, w->sizes, sizeof(h.sizes));
	h.self_check = cache_hash(&h, offsetof(struct cache_header, self_check));
	for (int i = 0; i < PARTS; i++)
		ok &= h.sizes[i] <= UINT32_MAX;
	ok &= w->check && fseek(w->file, 0, SEEK_SET) == 0 && fwrite(&h, sizeof(h), 1, w->file) == 1;
	ok &= !ferror(w->file);
	return fclose(w->file) == 0 && ok;
}

static void writer_release(struct writer *w)
{
	for (int t = 0; t < TABLES; t++) {
		free(w->rows[t]);
		vec_release(&w->fresh[t]);
	}
	XXH3_freeState(w->check);
	strbuf_release(&w->text);
	strbuf_release(&w->record);
	free(w->class_at);
	free(w->index);
}

/* Nothing of a damaged file is kept. */
static void forget_file(struct cache *k)
{
	for (int i = 0; i < PARTS; i++)
		k->parts[i] = (struct span){ NULL, 0 };
	for (int t = 0; t < TABLES; t++)
		k->rows[t] = 0;
}

void cache_save(struct cache *k)
{
	struct writer w = { .k = k };

	if (k->damaged)
		forget_file(k);
	else if (k->news == 0 || (k->news < ENOUGH_NEWS && k->news < k->rows[TABLE_CLASS] / ENOUGH_PART))
		return;
	for (int t = 0; t < TABLES; t++)
		start_rows(&w, (enum cache_table)t);
	find_news(&w);
	cache_replace(k, k->path, write_file, &w);
	writer_release(&w);
}
