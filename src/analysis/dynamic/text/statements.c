/* SPDX-License-Identifier: Apache-2.0 */
/* From statements about strings to productions. A value that is not clearly a string, a builder, a number or a character is any
 * string: what its toString makes is not looked at. */
#include "analysis/dynamic/text/texts_p.h"

#include <stdio.h>

#include "analysis/dynamic/casts.h"
#include "ir/access.h"

enum text_maker {
	MAKES_NONE, MAKES_CONCAT, MAKES_SUBSTRING, MAKES_REPLACE, MAKES_REPLACE_ALL, MAKES_REPLACE_FIRST, MAKES_TRIM, MAKES_STRIP,
	MAKES_STRIP_LEADING, MAKES_STRIP_TRAILING, MAKES_LOWER, MAKES_UPPER, MAKES_REPEAT, MAKES_SPLIT, MAKES_FORMAT, MAKES_JOIN,
	MAKES_VALUE_OF, MAKES_HEX, MAKES_OCTAL, MAKES_CONTENT,
};

static const struct {
	const char *class, *name;
	enum text_maker makes;
} rows[] = {
#define TEXT(class, name, makes) { class, name, MAKES_##makes },
#include "analysis/dynamic/text/makers.def"
#undef TEXT
};

void texts_read_table(struct texts *x, struct program *p)
{
	for (uint32_t i = 0; i < ARRAY_LEN(rows); i++) {
		class_id c = program_class(p, str_of(rows[i].class));
		*map_at(&x->makers, map_key(c.i, intern(&p->strings, str_of(rows[i].name)).i)) = rows[i].makes;
	}
	x->builder = program_class(p, STR("java/lang/StringBuilder"));
	x->buffer = program_class(p, STR("java/lang/StringBuffer"));
}

static enum text_maker maker_of(const struct values *v, const struct ir_stmt *s)
{
	struct ir_mref ref = *mref_row(v->p, (mref_id){ s->ref });

	return (enum text_maker)map_get(&v->texts.makers, map_key(ref.owner.i, sel_row(v->p, ref.sel)->name.i));
}

/* Types */

static class_id element_of(const struct program *p, class_id array)
{
	return array.i && class_row(p, array)->kind == CLASS_ARRAY ? class_row(p, array)->element : (class_id){ 0 };
}

static class_id type_at(struct values *v, const struct use *u, uint32_t value, uint32_t depth);

/* Of all operands but null; a loop comes back to the first. */
static class_id type_of_phi(struct values *v, const struct use *u, const struct ir_stmt *s, uint32_t depth)
{
	class_id type = { 0 };

	for (uint32_t i = 0; i < s->nargs; i++) {
		uint32_t x = code_operand(u->c, s, i);
		const struct ir_stmt *d = code_definition(u->c, x);
		if (x == s->result || (d && (d->op == IR_CONST_NULL || d->op == IR_UNDEF)))
			continue;
		class_id t = type_at(v, u, x, depth + 1);
		if (!t.i || (type.i && t.i != type.i))
			return (class_id){ 0 };
		type = t;
	}
	return type;
}

static class_id type_at(struct values *v, const struct use *u, uint32_t value, uint32_t depth)
{
	const struct ir_stmt *s = code_definition(u->c, value);

	if (!s || depth > 6)
		return (class_id){ 0 };
	switch (s->op) {
	case IR_CONST_STRING:
		return v->p->string;
	case IR_NEW: case IR_NEWARRAY: case IR_CAST:
		return (class_id){ s->ref };
	case IR_PARAM:
		return values_param_type(v, (method_id){ u->method }, s->ref);
	case IR_GETFIELD: case IR_GETSTATIC:
		return program_class_of_desc(v->p, sel_desc(v->p, fref_row(v->p, (fref_id){ s->ref })->sel));
	case IR_CALL_STATIC: case IR_CALL_SPECIAL: case IR_CALL_VIRTUAL: case IR_CALL_INTERFACE:
		return sel_result(v->p, mref_row(v->p, (mref_id){ s->ref })->sel);
	case IR_ALOAD:
		return element_of(v->p, type_at(v, u, code_operand(u->c, s, 0), depth + 1));
	case IR_PHI:
		return type_of_phi(v, u, s, depth);
	default:
		return (class_id){ 0 };
	}
}

class_id text_type(struct values *v, const struct use *u, uint32_t value)
{
	return type_at(v, u, value, 0);
}

bool text_is_builder(const struct values *v, class_id type)
{
	return type.i && (type.i == v->texts.builder.i || type.i == v->texts.buffer.i);
}

/* Constants */

bool text_const_int(const struct use *u, uint32_t value, int32_t *out)
{
	const struct ir_stmt *s = code_definition(u->c, value);

	if (!s || s->op != IR_CONST_INT)
		return false;
	*out = (int32_t)s->ref;
	return true;
}

bool text_const_string(const struct values *v, const struct use *u, uint32_t value, struct str *out)
{
	const struct ir_stmt *s = code_definition(u->c, value);

	if (!s || s->op != IR_CONST_STRING)
		return false;
	*out = interned(&v->p->strings, (str_id){ s->ref });
	return true;
}

uint32_t text_position(const struct use *u, uint32_t value)
{
	int32_t at;

	return text_const_int(u, value, &at) && at >= 0 ? (uint32_t)at : POSITION_UNKNOWN;
}

/* JVMS 4.4.7; `to` has room for 3. */
static struct str encode_char(uint32_t c, char *to)
{
	if (c && c < 0x80) {
		to[0] = (char)c;
		return (struct str){ to, 1 };
	}
	if (c < 0x800) {
		to[0] = (char)(0xc0 | c >> 6);
		to[1] = (char)(0x80 | (c & 0x3f));
		return (struct str){ to, 2 };
	}
	to[0] = (char)(0xe0 | c >> 12);
	to[1] = (char)(0x80 | (c >> 6 & 0x3f));
	to[2] = (char)(0x80 | (c & 0x3f));
	return (struct str){ to, 3 };
}

static struct text text_format(struct values *v, enum language_format f)
{
	return text_language(v, language_of_format(v->texts.languages, f));
}

static bool is_call_of(const struct values *v, const struct ir_stmt *s, const char *class, const char *name)
{
	if (!s || !ir_is_call(s->op) || s->op == IR_CALL_DYNAMIC)
		return false;
	struct ir_mref ref = *mref_row(v->p, (mref_id){ s->ref });

	return str_is(sel_name(v->p, ref.sel), name) && str_is(class_name(v->p, ref.owner), class);
}

/* `"set" + Character.toUpperCase(s.charAt(0)) + s.substring(1)` */
static struct text text_of_char(struct values *v, const struct use *u, uint32_t value)
{
	const struct ir_stmt *s = code_definition(u->c, value);
	char bytes[3];
	int32_t c;

	if (text_const_int(u, value, &c))
		return text_literal(v, encode_char((uint32_t)c & 0xffff, bytes));
	if (is_call_of(v, s, "java/lang/String", "charAt")) {
		struct operation op = { .kind = OP_CHAR_AT, .from = text_position(u, code_operand(u->c, s, 1)) };
		return text_operation(v, &op, text_of_value(v, u, code_operand(u->c, s, 0)), (struct text){ 0 });
	}
	bool is_upper = is_call_of(v, s, "java/lang/Character", "toUpperCase");
	if (!is_upper && !is_call_of(v, s, "java/lang/Character", "toLowerCase"))
		return text_format(v, FORMAT_CHAR);
	struct operation op = { .kind = is_upper ? OP_UPPER : OP_LOWER };
	return text_operation(v, &op, text_of_char(v, u, code_operand(u->c, s, 0)), (struct text){ 0 });
}

static struct text text_of_number(struct values *v, const struct use *u, bool is_long, uint32_t value)
{
	const struct ir_stmt *s = code_definition(u->c, value);
	char digits[32];

	if (s && s->op == (is_long ? IR_CONST_LONG : IR_CONST_INT)) {
		long long is = is_long ? (long long)u->c->body->longs[s->ref] : (long long)(int32_t)s->ref;
		snprintf(digits, sizeof(digits), "%lld", is);
		return text_literal(v, str_of(digits));
	}
	return text_format(v, is_long ? FORMAT_LONG : FORMAT_INT);
}

static struct text text_of_boolean(struct values *v, const struct use *u, uint32_t value)
{
	int32_t is;

	if (text_const_int(u, value, &is))
		return text_literal(v, is ? STR("true") : STR("false"));
	return text_format(v, FORMAT_BOOLEAN);
}

struct text text_of_primitive(struct values *v, const struct use *u, char type, uint32_t value)
{
	switch (type) {
	case 'C':
		return text_of_char(v, u, value);
	case 'Z':
		return text_of_boolean(v, u, value);
	case 'B': case 'S': case 'I': case 'J':
		return text_of_number(v, u, type == 'J', value);
	case 'F': case 'D':
		return text_format(v, FORMAT_FLOAT);
	default:
		return v->texts.unknown;
	}
}

/* Integer.valueOf(i) and its like: 'I'; 0: it is no such call. */
static char boxed(const struct values *v, const struct ir_stmt *s)
{
	static const char *const classes[] = { "java/lang/Integer", "java/lang/Long", "java/lang/Short", "java/lang/Byte",
					       "java/lang/Character", "java/lang/Boolean", "java/lang/Float", "java/lang/Double" };

	for (size_t i = 0; i < ARRAY_LEN(classes); i++)
		if (is_call_of(v, s, classes[i], "valueOf"))
			return sel_desc(v->p, mref_row(v->p, (mref_id){ s->ref })->sel).p[1];
	return 0;
}

struct text text_of_value(struct values *v, const struct use *u, uint32_t value)
{
	const struct ir_stmt *s = code_definition(u->c, value);
	class_id type = text_type(v, u, value);

	if (s && s->op == IR_CONST_NULL)
		return text_literal(v, STR("null"));
	if (type.i == v->p->string.i && type.i) {
		uint32_t node = texts_used(v, u->method, u->c, block_of(u->c->body, (uint32_t)(u->at - u->c->body->stmts)), value);
		vec_push(&v->nodes.data[u->node].parts, node);
		return texts_of(v, node);
	}
	if (text_is_builder(v, type))
		return builder_text(v, u, value);
	char box = boxed(v, s);
	return box && box != 'L' ? text_of_primitive(v, u, box, code_operand(u->c, s, 0)) : v->texts.unknown;
}

/* Calls */

char text_param(const struct values *v, const struct ir_stmt *s, uint32_t k)
{
	struct str desc = sel_desc(v->p, mref_row(v->p, (mref_id){ s->ref })->sel);
	uint32_t i = 1;

	for (; k > 0 && i < desc.len && desc.p[i] != ')'; k--) {
		while (i < desc.len && desc.p[i] == '[')
			i++;
		bool is_class = i < desc.len && desc.p[i] == 'L';
		while (is_class && i < desc.len && desc.p[i] != ';')
			i++;
		i++;
	}
	return i < desc.len && desc.p[i] != ')' ? desc.p[i] : 0;
}

static struct text unary(struct values *v, const struct use *u, struct operation op)
{
	return text_operation(v, &op, text_of_value(v, u, code_operand(u->c, u->at, 0)), (struct text){ 0 });
}

static struct text substring(struct values *v, const struct use *u)
{
	bool has_end = u->at->nargs > 2;

	return unary(v, u, (struct operation){ .kind = OP_SUBSTRING, .from = text_position(u, code_operand(u->c, u->at, 1)),
					       .to = has_end ? text_position(u, code_operand(u->c, u->at, 2)) : POSITION_END });
}

/* A character or a string that is written down. */
static bool const_operand(const struct values *v, const struct use *u, uint32_t k, char *room, struct str *out)
{
	int32_t c;

	if (text_param(v, u->at, k - 1) != 'C')
		return text_const_string(v, u, code_operand(u->c, u->at, k), out);
	if (!text_const_int(u, code_operand(u->c, u->at, k), &c))
		return false;
	*out = encode_char((uint32_t)c & 0xffff, room);
	return true;
}

static struct text replace(struct values *v, const struct use *u, enum operation_kind kind)
{
	char rooms[2][3];
	struct operation op = { .kind = kind };

	if (const_operand(v, u, 1, rooms[0], &op.what) && const_operand(v, u, 2, rooms[1], &op.with))
		return unary(v, u, op);
	bool is_char = text_param(v, u->at, 1) == 'C';
	struct text with = is_char ? text_of_char(v, u, code_operand(u->c, u->at, 2)) : text_of_value(v, u, code_operand(u->c, u->at, 2));
	return text_operation(v, &(struct operation){ .kind = OP_MIX }, text_of_value(v, u, code_operand(u->c, u->at, 0)), with);
}

static struct text split(struct values *v, const struct use *u)
{
	struct operation op = { .kind = OP_SPLIT };

	if (!text_const_string(v, u, code_operand(u->c, u->at, 1), &op.what))
		op.what = (struct str){ 0 };
	return unary(v, u, op);
}

/* The format is the receiver, or the first operand, or comes behind a locale; an array is last. */
static struct text format(struct values *v, const struct use *u)
{
	uint32_t k = u->at->nargs - 2;
	string_node args[16] = { { 0 } };
	ir_value values[ARRAY_LEN(args)];
	struct str text;

	if (u->at->nargs < 2 || !text_const_string(v, u, code_operand(u->c, u->at, k), &text))
		return v->texts.unknown;
	uint32_t n = elements_written(v, u->c, code_operand(u->c, u->at, k + 1), u->at, values, ARRAY_LEN(args));
	for (uint32_t i = 0; i < n && n <= ARRAY_LEN(args); i++)
		args[i] = text_of_value(v, u, values[i]).full;
	string_node to = grammar_node(v->texts.grammar);
	grammar_add_format(v->texts.grammar, to, text, args, n <= ARRAY_LEN(args) ? n : ARRAY_LEN(args));
	return (struct text){ to, to };
}

static struct text join_written(struct values *v, const struct use *u, const ir_value *values, uint32_t n)
{
	struct text by = text_of_value(v, u, code_operand(u->c, u->at, 0)), t = v->texts.empty;

	for (uint32_t i = 0; i < n; i++)
		t = text_concat(v, i ? text_concat(v, t, by) : t, text_of_value(v, u, values[i]));
	return t;
}

/* Elements with the first operand between them; any number, if they are not written down here. */
static struct text join(struct values *v, const struct use *u)
{
	struct grammar *g = v->texts.grammar;
	ir_value values[16], array = code_operand(u->c, u->at, 1);
	uint32_t n = elements_written(v, u->c, array, u->at, values, ARRAY_LEN(values));

	if (n <= ARRAY_LEN(values))
		return join_written(v, u, values, n);
	if (element_of(v->p, text_type(v, u, array)).i != v->p->string.i)
		return v->texts.unknown;
	string_node to = grammar_node(g), more = grammar_node(g), by = text_of_value(v, u, code_operand(u->c, u->at, 0)).full;
	uint32_t elements = vnode_at(v, AT_VALUE, true, u->method, code_operand(u->c, u->at, 1));
	vec_push(&v->nodes.data[u->node].parts, elements);
	string_node one = texts_of(v, elements).full;
	grammar_add_literal(g, to, STR(""));
	grammar_add_node(g, to, one);
	grammar_add_concat(g, more, by, one);
	grammar_add_concat(g, to, to, more);
	return (struct text){ to, to };
}

static struct text value_of(struct values *v, const struct use *u)
{
	char type = text_param(v, u->at, 0);

	if (u->at->nargs != 1 || u->at->op != IR_CALL_STATIC || type == '[')
		return v->texts.unknown;
	ir_value x = code_operand(u->c, u->at, 0);
	return type == 'L' ? text_of_value(v, u, x) : text_of_primitive(v, u, type, x);
}

static struct text made(struct values *v, const struct use *u, enum text_maker m)
{
	switch (m) {
	case MAKES_CONCAT:
		return text_concat(v, text_of_value(v, u, code_operand(u->c, u->at, 0)), text_of_value(v, u, code_operand(u->c, u->at, 1)));
	case MAKES_SUBSTRING: return substring(v, u);
	case MAKES_REPLACE: return replace(v, u, OP_REPLACE);
	case MAKES_REPLACE_ALL: return replace(v, u, OP_REPLACE_ALL);
	case MAKES_REPLACE_FIRST: return replace(v, u, OP_REPLACE_FIRST);
	case MAKES_TRIM: return unary(v, u, (struct operation){ .kind = OP_TRIM });
	case MAKES_STRIP: return unary(v, u, (struct operation){ .kind = OP_STRIP });
	case MAKES_STRIP_LEADING: return unary(v, u, (struct operation){ .kind = OP_STRIP_LEADING });
	case MAKES_STRIP_TRAILING: return unary(v, u, (struct operation){ .kind = OP_STRIP_TRAILING });
	case MAKES_LOWER: return unary(v, u, (struct operation){ .kind = OP_LOWER });
	case MAKES_UPPER: return unary(v, u, (struct operation){ .kind = OP_UPPER });
	case MAKES_REPEAT:
		return unary(v, u, (struct operation){ .kind = OP_REPEAT, .from = text_position(u, code_operand(u->c, u->at, 1)) });
	case MAKES_SPLIT: return split(v, u);
	case MAKES_FORMAT: return format(v, u);
	case MAKES_JOIN: return join(v, u);
	case MAKES_VALUE_OF: return value_of(v, u);
	case MAKES_HEX: return text_format(v, FORMAT_HEX);
	case MAKES_OCTAL: return text_format(v, FORMAT_OCTAL);
	case MAKES_CONTENT: return text_of_value(v, u, code_operand(u->c, u->at, 0));
	case MAKES_NONE: break;
	}
	return v->texts.unknown;
}

bool texts_expand_call(struct values *v, uint32_t n, const struct code *c, const struct ir_stmt *s)
{
	struct use u = { n, v->nodes.data[n].of, c, s };
	enum text_maker m = s->op == IR_CALL_DYNAMIC ? MAKES_NONE : maker_of(v, s);

	if (!m || (m == MAKES_SPLIT) != v->nodes.data[n].is_elements)
		return false;
	texts_add(v, n, made(v, &u, m));
	vnode_is_text(v, n);
	return true;
}

/* New strings */

static struct text constructed(struct values *v, const struct use *u)
{
	struct str desc = sel_desc(v->p, mref_row(v->p, (mref_id){ u->at->ref })->sel);

	if (u->at->nargs == 1)
		return v->texts.empty;
	return u->at->nargs == 2 && text_param(v, u->at, 0) == 'L' && str_starts(desc, "(Ljava/lang/String") ?
		       text_of_value(v, u, code_operand(u->c, u->at, 1)) : v->texts.unknown;
}

static const struct ir_stmt *constructor_of(const struct values *v, const struct code *c, uint32_t object)
{
	for (uint32_t i = 0; i < c->body->nstmts; i++) {
		const struct ir_stmt *s = &c->body->stmts[i];
		bool is_init = s->op == IR_CALL_SPECIAL && str_is(sel_name(v->p, mref_row(v->p, (mref_id){ s->ref })->sel), "<init>");
		if (is_init && code_operand(c, s, 0) == object)
			return s;
	}
	return NULL;
}

bool texts_expand_new(struct values *v, uint32_t n, const struct code *c, const struct ir_stmt *s)
{
	struct use u = { n, v->nodes.data[n].of, c, s };
	struct text t = v->texts.empty;

	if (s->ref != v->p->string.i || v->nodes.data[n].is_elements)
		return false;
	for (uint32_t k = 0; k < s->nargs; k++)
		t = text_concat(v, t, text_of_value(v, &u, code_operand(c, s, k)));
	if (!s->nargs) {
		u.at = constructor_of(v, c, s->result);
		t = u.at ? constructed(v, &u) : v->texts.unknown;
	}
	texts_add(v, n, t);
	vnode_is_text(v, n);
	return true;
}
