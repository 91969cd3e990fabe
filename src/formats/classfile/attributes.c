/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/classfile/attributes.h"

#include "formats/classfile/classfile_p.h"

static const struct {
	struct str name;
	uint8_t since;
} known[ATTR_KINDS] = {
#define ATTRIBUTE(kind, name, places, since, once, check) { { name, sizeof(name) - 1 }, since },
#include "formats/classfile/attributes.def"
#undef ATTRIBUTE
};

struct cf_attrs cf_attrs(const struct classfile *cf, uint32_t offset_of_count)
{
	return (struct cf_attrs){ offset_of_count + 2, cf_u2(cf, offset_of_count) };
}

bool cf_attrs_next(const struct classfile *cf, struct cf_attrs *it, struct cf_attr *out)
{
	if (!it->left)
		return false;
	out->name = cf_utf8(cf, cf_u2(cf, it->at));
	out->len = cf_u4(cf, it->at + 2);
	out->body = it->at + 6;
	it->at = out->body + out->len;
	it->left--;
	return true;
}

static bool find(const struct classfile *cf, struct cf_attrs *it, struct str name, struct cf_attr *out)
{
	while (cf_attrs_next(cf, it, out))
		if (str_eq(out->name, name))
			return true;
	return false;
}

bool cf_attr_find(const struct classfile *cf, uint32_t offset_of_count, const char *name, struct cf_attr *out)
{
	struct cf_attrs it = cf_attrs(cf, offset_of_count);

	return find(cf, &it, str_of(name), out);
}

/* Offset of the body of the (first) attribute of a kind; 0: none, or the class file is too old for it. */
static uint32_t body_of(const struct classfile *cf, uint32_t offset_of_count, enum attr_kind kind)
{
	struct cf_attrs it = cf_attrs(cf, offset_of_count);
	struct cf_attr a;

	return cf->major >= known[kind].since && find(cf, &it, known[kind].name, &a) ? a.body : 0;
}

/* The u2 index that is all or the beginning of an attribute. */
static uint16_t index_of(const struct classfile *cf, uint32_t offset_of_count, enum attr_kind kind)
{
	uint32_t body = body_of(cf, offset_of_count, kind);

	return body ? cf_u2(cf, body) : 0;
}

static struct cf_rows rows_at(const struct classfile *cf, uint32_t offset)
{
	return offset ? (struct cf_rows){ offset + 2, cf_u2(cf, offset) } : (struct cf_rows){ 0, 0 };
}

struct cf_rows cf_nest_members(const struct classfile *cf)
{
	return rows_at(cf, body_of(cf, cf->attrs, AT_NEST_MEMBERS));
}

struct cf_rows cf_permitted(const struct classfile *cf)
{
	return rows_at(cf, body_of(cf, cf->attrs, AT_PERMITTED));
}

bool cf_is_sealed(const struct classfile *cf)
{
	return body_of(cf, cf->attrs, AT_PERMITTED) != 0;
}

struct cf_rows cf_exceptions(const struct classfile *cf, const struct cf_member *m)
{
	return rows_at(cf, body_of(cf, m->attrs, AT_EXCEPTIONS));
}

bool cf_index_next(const struct classfile *cf, struct cf_rows *it, uint16_t *index)
{
	if (!it->left)
		return false;
	*index = cf_u2(cf, it->at);
	it->at += 2;
	it->left--;
	return true;
}

struct cf_rows cf_inner_classes(const struct classfile *cf)
{
	return rows_at(cf, body_of(cf, cf->attrs, AT_INNER_CLASSES));
}

bool cf_inner_next(const struct classfile *cf, struct cf_rows *it, struct cf_inner *out)
{
	uint32_t at = it->at;

	if (!it->left)
		return false;
	*out = (struct cf_inner){ cf_u2(cf, at), cf_u2(cf, at + 2), cf_u2(cf, at + 4), cf_u2(cf, at + 6) };
	it->at += 8;
	it->left--;
	return true;
}

struct cf_rows cf_record(const struct classfile *cf)
{
	return rows_at(cf, body_of(cf, cf->attrs, AT_RECORD));
}

bool cf_is_record(const struct classfile *cf)
{
	return body_of(cf, cf->attrs, AT_RECORD) != 0;
}

bool cf_component_next(const struct classfile *cf, struct cf_rows *it, struct cf_component *out)
{
	uint32_t at = it->at;
	struct cf_attr a;

	if (!it->left)
		return false;
	*out = (struct cf_component){ cf_u2(cf, at), cf_u2(cf, at + 2), at + 4 };
	struct cf_attrs attrs = cf_attrs(cf, out->attrs);

	while (cf_attrs_next(cf, &attrs, &a))
		;
	it->at = attrs.at;
	it->left--;
	return true;
}

struct cf_enclosing cf_enclosing(const struct classfile *cf)
{
	uint32_t body = body_of(cf, cf->attrs, AT_ENCLOSING_METHOD);

	return body ? (struct cf_enclosing){ cf_u2(cf, body), cf_u2(cf, body + 2) } : (struct cf_enclosing){ 0, 0 };
}

uint16_t cf_nest_host(const struct classfile *cf)
{
	return index_of(cf, cf->attrs, AT_NEST_HOST);
}

uint16_t cf_source_file(const struct classfile *cf)
{
	return index_of(cf, cf->attrs, AT_SOURCE_FILE);
}

uint16_t cf_signature(const struct classfile *cf, uint32_t offset_of_count)
{
	return index_of(cf, offset_of_count, AT_SIGNATURE);
}

uint16_t cf_constant_value(const struct classfile *cf, const struct cf_member *field)
{
	return field->access & ACC_STATIC ? index_of(cf, field->attrs, AT_CONSTANT_VALUE) : 0;
}

struct cf_bootstrap cf_bootstrap(const struct classfile *cf, uint16_t row)
{
	uint32_t at = cf->bootstrap_rows[row];

	return (struct cf_bootstrap){ cf_u2(cf, at), cf_u2(cf, at + 2), at + 4 };
}

struct cf_code cf_code(const struct classfile *cf, const struct cf_member *m)
{
	uint32_t at = m->code, len = cf_u4(cf, at + 4), handlers = at + 8 + len;
	uint16_t n = cf_u2(cf, handlers);

	return (struct cf_code){
		.max_stack = cf_u2(cf, at),
		.max_locals = cf_u2(cf, at + 2),
		.code = { cf->bytes.p + at + 8, len },
		.nhandlers = n,
		.handlers = handlers + 2,
		.attrs = handlers + 2 + 8 * (uint32_t)n,
	};
}

struct cf_handler cf_handler_at(const struct classfile *cf, const struct cf_code *c, uint16_t k)
{
	uint32_t at = c->handlers + 8 * (uint32_t)k;

	return (struct cf_handler){ cf_u2(cf, at), cf_u2(cf, at + 2), cf_u2(cf, at + 4), cf_u2(cf, at + 6) };
}

static struct cf_table code_tables(const struct classfile *cf, const struct cf_member *m)
{
	struct cf_table t = { { 0, 0 }, { 0, 0 } };

	if (m->code)
		t.attrs = cf_attrs(cf, cf_code(cf, m).attrs);
	return t;
}

/* Takes a row of this table or, when that is at its end, of the next one of its kind; false: there are no more. */
static bool take_row(const struct classfile *cf, struct cf_table *it, enum attr_kind kind)
{
	struct cf_attr a;

	while (!it->rows.left) {
		if (cf->major < known[kind].since || !find(cf, &it->attrs, known[kind].name, &a))
			return false;
		it->rows = rows_at(cf, a.body);
	}
	it->rows.left--;
	return true;
}

struct cf_table cf_lines(const struct classfile *cf, const struct cf_member *m)
{
	return code_tables(cf, m);
}

bool cf_lines_next(const struct classfile *cf, struct cf_table *it, struct cf_line_row *out)
{
	if (!take_row(cf, it, AT_LINES))
		return false;
	*out = (struct cf_line_row){ cf_u2(cf, it->rows.at), cf_u2(cf, it->rows.at + 2) };
	it->rows.at += 4;
	return true;
}

struct cf_table cf_locals(const struct classfile *cf, const struct cf_member *m)
{
	return code_tables(cf, m);
}

static bool local_row_next(const struct classfile *cf, struct cf_table *it, enum attr_kind kind, struct cf_local_row *out)
{
	if (!take_row(cf, it, kind))
		return false;
	uint32_t at = it->rows.at;

	*out = (struct cf_local_row){ cf_u2(cf, at), cf_u2(cf, at + 2), cf_u2(cf, at + 4), cf_u2(cf, at + 6),
				      cf_u2(cf, at + 8) };
	it->rows.at += 10;
	return true;
}

bool cf_locals_next(const struct classfile *cf, struct cf_table *it, struct cf_local_row *out)
{
	return local_row_next(cf, it, AT_LOCALS, out);
}

bool cf_local_types_next(const struct classfile *cf, struct cf_table *it, struct cf_local_row *out)
{
	return local_row_next(cf, it, AT_LOCAL_TYPES, out);
}

/* As the JVM: the first row for exactly this pc, else the last of those with the greatest pc before it. */
uint32_t cf_line(const struct classfile *cf, const struct cf_member *m, uint32_t pc)
{
	struct cf_table it = cf_lines(cf, m);
	struct cf_line_row row;
	uint32_t best_pc = 0, best = 0;

	while (cf_lines_next(cf, &it, &row)) {
		if (row.pc == pc)
			return row.line;
		if (row.pc < pc && row.pc >= best_pc) {
			best_pc = row.pc;
			best = row.line;
		}
	}
	return best;
}

bool cf_vtypes_next(const struct classfile *cf, struct cf_vtypes *it, struct cf_vtype *out)
{
	if (!it->left)
		return false;
	uint8_t tag = cf->bytes.p[it->at];
	bool wide = tag >= VT_OBJECT;

	*out = (struct cf_vtype){ tag, wide ? cf_u2(cf, it->at + 1) : 0 };
	it->at += wide ? 3 : 1;
	it->left--;
	return true;
}

/* A list of n verification types; fails on an unknown one or a wrong entry. */
static struct cf_vtypes read_vtypes(const struct classfile *cf, struct reader *r, uint32_t n)
{
	struct cf_vtypes list = { (uint32_t)reader_offset(r), n };

	for (; n > 0 && !r->failed; n--) {
		uint8_t tag = reader_u1(r);
		uint16_t data = tag == VT_OBJECT || tag == VT_UNINIT ? reader_u2(r) : 0;

		if (tag > VT_UNINIT || (tag == VT_OBJECT && cf_tag(cf, data) != CP_CLASS))
			r->failed = true;
	}
	return list;
}

/* The frame at `r`; returns how much its pc exceeds the last one's successor. */
static uint32_t read_frame(const struct classfile *cf, struct reader *r, struct cf_frame *f)
{
	uint8_t type = reader_u1(r);

	*f = (struct cf_frame){ .type = type, .kind = FRAME_SAME };
	if (type < 64)
		return type;
	if (type < 128) {
		f->kind = FRAME_SAME_STACK1;
		f->stack = read_vtypes(cf, r, 1);
		return type - 64u;
	}
	uint32_t delta = reader_u2(r);

	if (type < 247) {
		r->failed = true;               /* reserved */
	} else if (type == 247) {
		f->kind = FRAME_SAME_STACK1;
		f->stack = read_vtypes(cf, r, 1);
	} else if (type < 251) {
		f->kind = FRAME_CHOP;
		f->chopped = (uint8_t)(251 - type);
	} else if (type > 251) {
		f->kind = type < 255 ? FRAME_APPEND : FRAME_FULL;
		f->locals = read_vtypes(cf, r, type < 255 ? type - 251u : reader_u2(r));
		if (type == 255)
			f->stack = read_vtypes(cf, r, reader_u2(r));
	}
	return delta;
}

bool cf_frames_next(const struct classfile *cf, struct cf_frames *it, struct cf_frame *out)
{
	if (!it->left)
		return false;
	uint32_t delta = read_frame(cf, &it->r, out);

	it->pc += (int64_t)delta + 1;
	it->left = it->r.failed ? 0 : it->left - 1;
	out->pc = (uint32_t)it->pc;
	return !it->r.failed;
}

static struct cf_frames frames_in(struct reader body)
{
	struct cf_frames it = { body, 0, -1 };

	it.left = reader_u2(&it.r);
	return it;
}

bool frames_ok(const struct classfile *cf, struct reader body, uint32_t code_len)
{
	struct cf_frames it = frames_in(body);
	struct cf_frame f;

	while (cf_frames_next(cf, &it, &f))
		if (f.pc >= code_len)
			return false;
	return !it.r.failed && !reader_left(&it.r);
}

struct cf_frames cf_frames(const struct classfile *cf, const struct cf_member *m)
{
	struct cf_frames none = { .left = 0, .pc = -1 };

	if (!m->code)
		return none;
	struct cf_code code = cf_code(cf, m);
	uint32_t body = body_of(cf, code.attrs, AT_STACK_MAP);

	if (!body)
		return none;
	struct reader r = reader_of(cf->bytes);

	r.p += body;
	r.end = r.p + cf_u4(cf, body - 4);
	if (cf->major < JAVA_7 && !frames_ok(cf, r, (uint32_t)code.code.len))
		return none;
	return frames_in(r);
}

struct cf_module cf_module(const struct classfile *cf)
{
	uint32_t at = cf->access & ACC_MODULE ? body_of(cf, cf->attrs, AT_MODULE) : 0;
	struct cf_module m = { 0 };

	if (!at)
		return m;
	m.name = cf_u2(cf, at);
	m.flags = cf_u2(cf, at + 2);
	m.version = cf_u2(cf, at + 4);
	m.requires = rows_at(cf, at + 6);

	struct cf_rows it = m.exports = rows_at(cf, m.requires.at + 6 * m.requires.left);
	struct cf_exports row;

	while (cf_exports_next(cf, &it, &row))
		;
	it = m.opens = rows_at(cf, it.at);
	while (cf_exports_next(cf, &it, &row))
		;
	m.uses = rows_at(cf, it.at);
	m.provides = rows_at(cf, m.uses.at + 2 * m.uses.left);
	return m;
}

bool cf_requires_next(const struct classfile *cf, struct cf_rows *it, struct cf_requires *out)
{
	if (!it->left)
		return false;
	*out = (struct cf_requires){ cf_u2(cf, it->at), cf_u2(cf, it->at + 2), cf_u2(cf, it->at + 4) };
	it->at += 6;
	it->left--;
	return true;
}

bool cf_exports_next(const struct classfile *cf, struct cf_rows *it, struct cf_exports *out)
{
	if (!it->left)
		return false;
	*out = (struct cf_exports){ cf_u2(cf, it->at), cf_u2(cf, it->at + 2), rows_at(cf, it->at + 4) };
	it->at = out->to.at + 2 * out->to.left;
	it->left--;
	return true;
}

bool cf_provides_next(const struct classfile *cf, struct cf_rows *it, struct cf_provides *out)
{
	if (!it->left)
		return false;
	*out = (struct cf_provides){ cf_u2(cf, it->at), rows_at(cf, it->at + 2) };
	it->at = out->with.at + 2 * out->with.left;
	it->left--;
	return true;
}
