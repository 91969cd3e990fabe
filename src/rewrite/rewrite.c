/* SPDX-License-Identifier: Apache-2.0 */
#include "rewrite/rewrite.h"

#include "rewrite/layout_p.h"
#include "rewrite/out_p.h"
#include "rewrite/pool_p.h"
#include "rewrite/tables_p.h"

#define MAX_WORDS 65535         /* of a stack, of locals */

struct rewriter {
	const struct classfile *cf;
	struct layout layout;
	struct out out;
	uint32_t done;                  /* offset: the file is copied up to here */
};

/* The most words that any insertion needs. */
static uint32_t most(const struct method_edit *e, bool stack)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < e->n; i++) {
		uint32_t words = stack ? e->insertions[i].stack : e->insertions[i].locals;

		n = words > n ? words : n;
	}
	if (e->leaving) {
		uint32_t words = stack ? e->leaving->stack + 1u : e->leaving->locals;

		n = words > n ? words : n;
	}
	return n;
}

static void write_handler(uint32_t start, uint32_t end, uint32_t target, uint32_t type, struct out *o)
{
	out_u2(o, start);
	out_u2(o, end);
	out_u2(o, target);
	out_u2(o, type);
}

/* The handlers of what leaves the method, which come last, protect neither themselves nor the entry. */
static void write_leaving(const struct layout *l, const struct stretch *s, struct out *o)
{
	write_handler(target_of(l, s->pc), s->to_call ? insn_of(l, s->end) : place_of(l, s->end), leaving_of(l, s->is_raw), 0, o);
}

static const char *write_handlers(const struct layout *l, struct out *o)
{
	uint32_t more = l->nstretches;

	if (l->code.nhandlers + more > UINT16_MAX)
		return "it would have more than 65535 handlers";
	out_u2(o, l->code.nhandlers + more);
	for (uint16_t k = 0; k < l->code.nhandlers; k++) {
		struct cf_handler h = cf_handler_at(l->cf, &l->code, k);
		uint32_t start = l->edit->local ? target_of(l, h.start) : place_of(l, h.start);

		write_handler(start, place_of(l, h.end), target_of(l, h.target), h.type, o);
	}
	for (uint32_t i = 0; i < more; i++)
		write_leaving(l, &l->stretches[i], o);
	return NULL;
}

/* The writer of a table by its name; NULL: one that the JVM does not know. The StackMap of small devices is among these. */
static table_writer *writer_of(struct str name)
{
	if (str_eq(name, STR("LineNumberTable")))
		return lines_write;
	if (str_eq(name, STR("LocalVariableTable")) || str_eq(name, STR("LocalVariableTypeTable")))
		return locals_write;
	if (str_eq(name, STR("RuntimeVisibleTypeAnnotations")) || str_eq(name, STR("RuntimeInvisibleTypeAnnotations")))
		return type_annotations_write;
	return NULL;
}

/* The stack map of a method that had none. */
static const char *add_map(struct rewriter *w)
{
	uint16_t name = pool_text(w->layout.pool, STR("StackMapTable"));
	size_t from = w->out.len;

	if (!name)
		return "its constant pool is full";
	out_u2(&w->out, name);
	out_u4(&w->out, 0);
	const char *failed = frames_write(&w->layout, &w->out);

	store4(w->out.p + from + 2, (uint32_t)(w->out.len - from - 6));
	return failed;
}

/* Appends an attribute of the code; 1: it is there. Sets *failed when the method must stay as it is. */
static uint32_t write_attribute(struct rewriter *w, const struct cf_attr *a, const char **failed)
{
	struct out *o = &w->out;
	size_t from = o->len;
	table_writer *write = writer_of(a->name);
	bool is_map = str_eq(a->name, STR("StackMapTable")) && frames_exist(&w->layout);

	if (!write && !is_map)
		return 0;
	out_bytes(o, w->cf->bytes.p + a->body - 6, 6);
	if (is_map) {
		*failed = frames_write(&w->layout, o);
	} else if (!write(&w->layout, a, o)) {
		o->len = from;
		return 0;
	}
	store4(o->p + from + 2, (uint32_t)(o->len - from - 6));
	return 1;
}

static const char *write_attributes(struct rewriter *w)
{
	struct cf_attrs it = cf_attrs(w->cf, w->layout.code.attrs);
	size_t count_at = w->out.len;
	struct cf_attr a;
	uint32_t n = 0;
	const char *failed = NULL;

	out_u2(&w->out, 0);
	while (!failed && cf_attrs_next(w->cf, &it, &a))
		n += write_attribute(w, &a, &failed);
	if (!failed && w->layout.nleaving && w->layout.has_frames && !frames_exist(&w->layout)) {
		failed = add_map(w);
		n++;
	}
	store2(w->out.p + count_at, n);
	return failed;
}

/* Appends the body of the Code attribute. */
static const char *write_code(struct rewriter *w, const struct method_edit *e)
{
	const struct layout *l = &w->layout;
	struct out *o = &w->out;
	uint32_t stack = l->code.max_stack + most(e, true), locals = l->code.max_locals + (e->local ? 1u : 0u) + most(e, false);

	if (stack > MAX_WORDS || locals > MAX_WORDS)
		return "it would need more than 65535 words of stack or locals";
	out_u2(o, stack);
	out_u2(o, locals);
	out_u4(o, l->len);
	layout_write(l, out_take(o, l->len));
	const char *failed = write_handlers(l, o);

	return failed ? failed : write_attributes(w);
}

/* Rows where the distance changes. */
static uint32_t find_moves(const struct layout *l, struct move *out)
{
	uint32_t n = 0;

	for (uint32_t pc = 0; pc < l->code.code.len; pc++) {
		if (!is_insn(l, pc))
			continue;
		uint32_t at = insn_of(l, pc), by = at - pc;
		if (n && out && out[n - 1].by == by)
			continue;
		if (out)
			out[n] = (struct move){ n ? at : 0, by };
		n++;
	}
	return n;
}

static void keep_moves(struct rewriter *w, struct method_edit *e)
{
	struct move *all = arena_array(w->out.mem, struct move, find_moves(&w->layout, NULL));

	e->nmoves = find_moves(&w->layout, all);
	e->moves = all;
}

static const char *edit_method(struct rewriter *w, struct method_edit *e)
{
	const struct cf_member *m = &w->cf->methods[e->method];
	const char *failed = m->code ? layout_compute(&w->layout, e) : "it has no code";
	size_t from = w->out.len;

	if (!failed)
		failed = frames_check(&w->layout);
	if (failed)
		return failed;
	out_bytes(&w->out, w->cf->bytes.p + w->done, m->code - w->done);
	size_t body = w->out.len;

	failed = write_code(w, e);
	if (failed) {
		w->out.len = from;
		return failed;
	}
	store4(w->out.p + body - 4, (uint32_t)(w->out.len - body));
	if (e->keeps_moves)
		keep_moves(w, e);
	w->done = m->code + cf_u4(w->cf, m->code - 4);
	return NULL;
}

/* Takes memory for the longest method, and for the file if little grows but the code. */
static void start(struct rewriter *w, struct pool *pool, const struct method_edit *edits, uint32_t n,
		  struct arena *mem)
{
	uint32_t longest = 0;
	size_t size = w->cf->bytes.len + pool_added(pool).len + 64;

	for (uint32_t i = 0; i < n; i++) {
		const struct method_edit *e = &edits[i];
		const struct cf_member *m = &w->cf->methods[e->method];
		uint32_t len = m->code ? (uint32_t)cf_code(w->cf, m).code.len : 0;

		longest = len > longest ? len : longest;
		size += len / 8 + 64;
		for (uint32_t k = 0; k < e->n; k++)
			size += e->insertions[k].code.len + 2;
	}
	layout_init(&w->layout, w->cf, pool, longest, mem);
	w->out = (struct out){ arena_alloc(mem, size), 0, size, mem };
}

/* The pool is written before the methods, so that it must have all of their constants. */
static void prepare_frames(struct rewriter *w, const struct method_edit *edits, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct cf_member *m = &w->cf->methods[edits[i].method];

		if (!m->code || w->cf->major < 50 || !(edits[i].local || edits[i].leaving))
			continue;
		w->layout.m = m;
		w->layout.edit = &edits[i];
		w->layout.code = cf_code(w->cf, m);
		frames_prepare(&w->layout);
	}
}

static void write_pool(struct rewriter *w, const struct pool *pool)
{
	struct span more = pool_added(pool);

	w->done = pool_end(w->cf);
	out_bytes(&w->out, w->cf->bytes.p, w->done);
	store2(w->out.p + 8, pool_count(pool));
	out_bytes(&w->out, more.p, more.len);
}

/* Where the count of fields is. */
static uint32_t fields_at(const struct classfile *cf)
{
	return pool_end(cf) + 8 + 2u * cf->ninterfaces;
}

/* One past the last field. */
static uint32_t fields_end(const struct classfile *cf)
{
	if (!cf->nfields)
		return fields_at(cf) + 2;
	uint32_t at = cf->fields[cf->nfields - 1].attrs, n = cf_u2(cf, at);

	for (at += 2; n > 0; n--)
		at += 6 + cf_u4(cf, at + 2);
	return at;
}

/* False: the pool is full. */
static bool name_fields(struct pool *pool, const struct new_field *fields, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (!pool_text(pool, fields[i].name) || !pool_text(pool, fields[i].desc))
			return false;
	return true;
}

static void write_fields(struct rewriter *w, struct pool *pool, const struct new_field *fields, uint32_t n)
{
	uint32_t at = fields_at(w->cf), end = fields_end(w->cf);

	out_bytes(&w->out, w->cf->bytes.p + w->done, at - w->done);
	out_u2(&w->out, w->cf->nfields + n);
	out_bytes(&w->out, w->cf->bytes.p + at + 2, end - at - 2);
	for (uint32_t i = 0; i < n; i++) {
		out_u2(&w->out, fields[i].access);
		out_u2(&w->out, pool_text(pool, fields[i].name));
		out_u2(&w->out, pool_text(pool, fields[i].desc));
		out_u2(&w->out, 0);
	}
	w->done = end;
}

struct span rewrite_with_fields(const struct classfile *cf, struct pool *pool, struct method_edit *edits, uint32_t n,
				const struct new_field *fields, uint32_t nfields, struct arena *mem)
{
	struct rewriter w = { .cf = cf };
	bool edited = nfields > 0;

	if (cf->nfields + nfields > UINT16_MAX || !name_fields(pool, fields, nfields))
		return (struct span){ NULL, 0 };
	start(&w, pool, edits, n, mem);
	prepare_frames(&w, edits, n);
	write_pool(&w, pool);
	if (nfields)
		write_fields(&w, pool, fields, nfields);
	for (uint32_t i = 0; i < n; i++) {
		edits[i].failed = edit_method(&w, &edits[i]);
		edited |= !edits[i].failed;
	}
	if (!edited)
		return (struct span){ NULL, 0 };
	out_bytes(&w.out, cf->bytes.p + w.done, cf->bytes.len - w.done);
	return (struct span){ w.out.p, w.out.len };
}

struct span rewrite_class(const struct classfile *cf, struct pool *pool, struct method_edit *edits, uint32_t n,
			  struct arena *mem)
{
	return rewrite_with_fields(cf, pool, edits, n, NULL, 0, mem);
}
