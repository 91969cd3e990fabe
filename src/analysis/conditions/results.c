/* SPDX-License-Identifier: Apache-2.0 */
/* What calls return: methods of String, Object and Enum that are known by what they do, and any other method that can be told, by
 * evaluating it with the arguments of the call, to a small depth. Results depend on the arguments and the depth alone, never on what
 * was asked before. */
#include <string.h>

#include "analysis/callgraph/link.h"
#include "analysis/conditions/conditions.h"
#include "ir/access.h"

#define MOST_STATEMENTS 1000          /* of a method that is followed */
#define MOST_ARGS 24

/* By type */

static struct value value_of_type(char first)
{
	switch (first) {
	case 'Z': return value_range(0, 1);
	case 'B': return value_range(INT8_MIN, INT8_MAX);
	case 'C': return value_range(0, UINT16_MAX);
	case 'S': return value_range(INT16_MIN, INT16_MAX);
	default: return VALUE_UNKNOWN;
	}
}

static char result_type(const struct program *p, sel_id s)
{
	struct str desc = sel_desc(p, s);
	int64_t end = str_rfind(desc, ')');

	return end >= 0 && (uint32_t)end + 1 < desc.len ? desc.p[end + 1] : 0;
}

struct value conditions_param(struct conditions *c, method_id m, uint32_t k)
{
	const struct ir_method *row = method_row(c->p, m);
	class_id type, owner = row->owner;
	uint32_t at = 0, n = row->flags & ACCESS_STATIC ? 0 : 1;
	sel_id sel = row->sel;

	if (n && k == 0)
		return value_object(owner, false);
	for (; sel_next_param(c->p, sel, &at, &type); n++)
		if (n == k) {
			const struct ir_class *t = class_row(c->p, type);
			struct str name = class_name(c->p, type);
			return t->kind == CLASS_PRIMITIVE ? value_of_type(str_is(name, "boolean") ? 'Z' : str_is(name, "char") ? 'C' : 0) :
							    VALUE_UNKNOWN;
		}
	return VALUE_UNKNOWN;
}

/* Known methods */

static struct value object_of(struct conditions *c, const struct evaluation *e, const struct ir_stmt *call, uint32_t k, uint32_t block)
{
	return k < call->nargs ? evaluation_use(c, e, e->code->body->args[call->args + k], block) : VALUE_UNKNOWN;
}

/* Letters of one byte each, as Java counts them. */
static bool is_ascii(struct str s)
{
	for (uint32_t i = 0; i < s.len; i++)
		if (s.p[i] & 0x80 || !s.p[i])
			return false;
	return true;
}

static int32_t hash_of(struct str s)
{
	uint32_t h = 0;

	for (uint32_t i = 0; i < s.len; i++)
		h = h * 31 + (uint8_t)s.p[i];
	return (int32_t)h;
}

static struct value equals_string(struct conditions *c, struct value a, struct value b)
{
	if (value_is_null(b))
		return value_int(0);
	if (value_has_text(b) && value_is_object(b))
		return value_int(a.id == b.id);
	if (b.kind == VALUE_REF && b.cls.i && value_instance(c->h, b, c->p->string) == ANSWER_NO)
		return value_int(0);
	return value_range(0, 1);
}

static bool known_string(struct conditions *c, struct str name, struct value of, struct value arg, struct value *out)
{
	struct str text = interned(&c->p->strings, (str_id){ value_has_text(of) ? of.id : 0 });
	int32_t at;

	if (str_is(name, "equals") && value_has_text(of)) {
		*out = equals_string(c, of, arg);
		return true;
	}
	if (!value_has_text(of) || !is_ascii(text))
		return false;
	if (str_is(name, "length"))
		*out = value_int((int32_t)text.len);
	else if (str_is(name, "isEmpty"))
		*out = value_int(text.len == 0);
	else if (str_is(name, "hashCode"))
		*out = value_int(hash_of(text));
	else if (str_is(name, "charAt") && value_is_int(arg, &at) && at >= 0 && (uint32_t)at < text.len)
		*out = value_int(text.p[at]);
	else
		return false;
	return true;
}

/* Class.getName() of a class */
static struct value name_of(struct conditions *c, class_id of)
{
	struct strbuf text = { 0 };

	strbuf_addstr(&text, class_name(c->p, of));
	for (uint32_t i = 0; i < text.len; i++)
		text.s[i] = text.s[i] == '/' ? '.' : text.s[i];
	struct value v = value_text(c->p, intern(&c->p->strings, strbuf_str(&text)));
	strbuf_release(&text);
	return v;
}

static bool known_result(struct conditions *c, const struct evaluation *e, const struct ir_stmt *call, uint32_t block, struct value *out)
{
	mref_id ref = { call->ref };
	struct str name = sel_name(c->p, mref_row(c->p, ref)->sel), desc = sel_desc(c->p, mref_row(c->p, ref)->sel);

	if (call->op == IR_CALL_STATIC || !call->nargs)
		return false;
	struct value of = object_of(c, e, call, 0, block), arg = object_of(c, e, call, 1, block);
	if (str_is(name, "getClass") && str_is(desc, "()Ljava/lang/Class;")) {
		bool is_known = value_is_exact(of) && class_row(c->p, of.cls)->kind == CLASS_FILE && !class_row(c->p, of.cls)->is_unseen;
		*out = is_known ? value_class(c->p, of.cls) : value_object(c->p->class_, true);
		return true;
	}
	if (str_is(name, "ordinal") && str_is(desc, "()I") && of.identity == ID_FIELD && of.cls.i &&
	    hierarchy_is_subtype(c->h, of.cls, c->enum_)) {
		*out = (struct value){ .kind = VALUE_ORDINAL, .id = of.id };
		return true;
	}
	if (str_is(name, "getName") && mref_row(c->p, ref)->owner.i == c->p->class_.i && of.identity == ID_CLASS && value_is_object(of) &&
	    class_row(c->p, (class_id){ of.id })->kind == CLASS_FILE) {
		*out = name_of(c, (class_id){ of.id });
		return true;
	}
	return mref_row(c->p, ref)->owner.i == c->p->string.i && known_string(c, name, of, arg, out);
}

/* Others */

/* The only method that the call graph has for the call. */
static method_id single_target(struct conditions *c, const struct code *from, const struct ir_stmt *call)
{
	mref_id ref = { call->ref };
	const struct cg_site *s;

	if (!c->calls || !callgraph_reaches(c->calls, from->m))
		return (method_id){ 0 };
	s = callgraph_find_site(c->calls, from->m, call->pc, ref);
	if (!s || s->open || s->cause != CG_RESOLVED || callgraph_find_callbacks(c->calls, from->m, call->pc, ref))
		return (method_id){ 0 };
	struct cg_targets t = callgraph_targets(c->calls, s);
	return t.n == 1 ? t.methods[0] : (method_id){ 0 };
}

static method_id target_of(struct conditions *c, const struct evaluation *e, const struct ir_stmt *call, uint32_t block)
{
	mref_id ref = { call->ref };
	bool is_incomplete = false;

	if (resolve_method(c->h, ref) != RESOLVE_OK)
		return (method_id){ 0 };
	method_id resolved = mref_row(c->p, ref)->target;
	if (call->op == IR_CALL_STATIC)
		return resolved;
	if (call->op == IR_CALL_SPECIAL)
		return select_special(c->h, method_row(c->p, e->code->m)->owner, ref);
	struct value of = object_of(c, e, call, 0, block);
	if (value_is_exact(of) && class_row(c->p, of.cls)->kind == CLASS_FILE) {
		method_id m = dispatch_select(c->h, ref, of.cls, &is_incomplete);
		return is_incomplete ? (method_id){ 0 } : m;
	}
	uint16_t flags = method_row(c->p, resolved)->flags | (class_row(c->p, method_row(c->p, resolved)->owner)->flags & ACCESS_FINAL);
	return flags & (ACCESS_FINAL | ACCESS_PRIVATE) ? resolved : single_target(c, e->code, call);
}

static struct value join_returns(struct conditions *c, const struct evaluation *e)
{
	const struct ir_body *b = e->code->body;
	struct value v = { 0 };

	for (uint32_t i = 0; i < b->nblocks; i++) {
		const struct ir_stmt *s = &b->stmts[b->blocks[i].end - 1];
		if (e->live[i] && s->op == IR_RETURN && s->nargs)
			v = value_join(c->h, v, evaluation_use(c, e, b->args[s->args], i));
	}
	return v.kind == VALUE_NONE ? VALUE_UNKNOWN : v;
}

static struct value follow(struct conditions *c, method_id m, const struct value *args, uint32_t n, uint32_t depth)
{
	uint32_t *key = map_at(&c->keys, map_key(m.i, value_list(&c->table, args, n)));
	struct evaluation e;

	if (!*key)
		*key = ++c->nkeys;
	uint32_t number = *key, known = map_get(&c->results, map_key(number, depth));
	if (known)
		return c->table.values.data[known - 1];
	const struct code *code = conditions_code(c, m);
	struct value v = VALUE_UNKNOWN;
	if (code && code->body->nstmts <= MOST_STATEMENTS) {
		conditions_evaluate(c, code, args, n, depth, &e);
		v = join_returns(c, &e);
		evaluation_release(&e);
	}
	*map_at(&c->results, map_key(number, depth)) = 1 + value_intern(&c->table, v);
	return v;
}

struct value conditions_result(struct conditions *c, const struct evaluation *e, const struct ir_stmt *call, uint32_t block)
{
	struct value v = VALUE_UNKNOWN, args[MOST_ARGS];
	struct value by_type = value_of_type(result_type(c->p, mref_row(c->p, (mref_id){ call->ref })->sel));

	if (call->sub != IR_CALL_WRITTEN)
		return VALUE_UNKNOWN;
	if (known_result(c, e, call, block, &v))
		return v;
	if (!e->depth || call->nargs > MOST_ARGS)
		return by_type;
	method_id m = target_of(c, e, call, block);
	if (!m.i || method_row(c->p, m)->sel.i != mref_row(c->p, (mref_id){ call->ref })->sel.i)
		return by_type;
	for (uint32_t i = 0; i < call->nargs; i++) {
		args[i] = object_of(c, e, call, i, block);
		if (args[i].kind == VALUE_ANY)
			args[i] = conditions_param(c, m, i);
	}
	v = follow(c, m, args, call->nargs, e->depth - 1);
	return v.kind == VALUE_ANY ? by_type : v;
}
