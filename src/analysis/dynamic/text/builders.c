/* SPDX-License-Identifier: Apache-2.0 */
/* StringBuilder and StringBuffer. One that is made in a method, and that only its own methods change there, holds something at each
 * place of the method: what it held before, and what was appended. Of others, nothing is known.
 *
 * Its names are values: of `new`, of casts and phis, and of calls that return it (`append`). Where each of them is always the one that was
 * made last, a change is a change; otherwise another one may be meant, and what was there stays, too. */
#include "algo/dominators.h"
#include "analysis/dynamic/casts.h"
#include "analysis/dynamic/text/texts_p.h"

static bool has_name(const struct builder *b, uint32_t value)
{
	return b->names[value / 32] >> (value % 32) & 1;
}

static bool add_name(struct builder *b, uint32_t value)
{
	if (!value || has_name(b, value))
		return false;
	b->names[value / 32] |= 1u << (value % 32);
	return true;
}

static struct str method_name(const struct values *v, const struct ir_stmt *s)
{
	return sel_name(v->p, mref_row(v->p, (mref_id){ s->ref })->sel);
}

static bool is_own_call(const struct values *v, const struct ir_stmt *s)
{
	return ir_is_call(s->op) && s->op != IR_CALL_DYNAMIC && s->op != IR_CALL_STATIC &&
	       text_is_builder(v, mref_row(v->p, (mref_id){ s->ref })->owner);
}

static bool is_one_of(struct str name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_is(name, names[i]))
			return true;
	return false;
}

static bool changes(struct str name)
{
	static const char *const names[] = { "<init>", "append", "appendCodePoint", "insert", "delete", "deleteCharAt", "replace",
					     "reverse", "setLength", "setCharAt" };

	return is_one_of(name, names, ARRAY_LEN(names));
}

static bool reads(struct str name)
{
	static const char *const names[] = { "toString", "length", "charAt", "indexOf", "lastIndexOf", "substring", "subSequence",
					     "capacity", "ensureCapacity", "trimToSize", "isEmpty", "equals", "hashCode", "compareTo",
					     "getChars", "codePointAt", "chars", "codePoints" };

	return is_one_of(name, names, ARRAY_LEN(names));
}

/* Other methods that are given a builder, and only look at it. */
static bool only_reads(const struct values *v, const struct ir_stmt *s)
{
	static const char *const classes[] = { "java/lang/String", "java/lang/StringBuilder", "java/lang/StringBuffer", "java/io/PrintStream",
					       "java/io/PrintWriter", "java/util/Objects" };

	return s->op != IR_CALL_DYNAMIC &&
	       is_one_of(class_name(v->p, mref_row(v->p, (mref_id){ s->ref })->owner), classes, ARRAY_LEN(classes));
}

/* Makes the statement a name of one of its operands? */
static uint32_t renamed(const struct values *v, const struct code *c, const struct ir_stmt *s)
{
	bool returns_it = is_own_call(v, s) && s->result && changes(method_name(v, s));

	return s->op == IR_CAST || returns_it ? code_operand(c, s, 0) : 0;
}

static bool is_nothing(const struct code *c, uint32_t value)
{
	const struct ir_stmt *s = code_definition(c, value);

	return s && (s->op == IR_CONST_NULL || s->op == IR_UNDEF);
}

static bool spread_names(const struct values *v, const struct code *c, struct builder *b)
{
	bool has_grown = false;

	for (uint32_t i = 0; i < c->body->nstmts; i++) {
		const struct ir_stmt *s = &c->body->stmts[i];
		uint32_t of = renamed(v, c, s);
		if (of && (has_name(b, of) || has_name(b, s->result)))
			has_grown |= (int)add_name(b, of) | (int)add_name(b, s->result);
		if (s->op != IR_PHI)
			continue;
		bool is_name = has_name(b, s->result);
		for (uint32_t k = 0; k < s->nargs; k++)
			is_name |= has_name(b, code_operand(c, s, k));
		if (is_name)
			has_grown |= add_name(b, s->result);
		for (uint32_t k = 0; k < s->nargs && is_name; k++)
			has_grown |= !is_nothing(c, code_operand(c, s, k)) && add_name(b, code_operand(c, s, k));
	}
	return has_grown;
}

/* What JVMs see of concatenation (lowering) is not written. */
static bool is_seen_by_jvm(const struct values *v, const struct ir_stmt *s)
{
	return s->op == IR_PUTSTATIC && str_is(class_name(v->p, fref_row(v->p, (fref_id){ s->ref })->owner), "sherd/JVM");
}

static bool escapes(const struct values *v, const struct code *c, const struct builder *b, const struct ir_stmt *s)
{
	bool is_used = false, is_receiver = s->nargs && has_name(b, code_operand(c, s, 0));

	for (uint32_t k = 0; k < s->nargs; k++)
		is_used |= has_name(b, code_operand(c, s, k));
	if (!is_used)
		return false;
	switch (s->op) {
	case IR_PHI: case IR_CAST: case IR_INSTANCEOF: case IR_IF: case IR_MONITOR_ENTER: case IR_MONITOR_EXIT: case IR_RETURN:
		return false;
	case IR_PUTSTATIC:
		return !is_seen_by_jvm(v, s);
	default:
		if (!ir_is_call(s->op))
			return true;
		if (is_receiver && is_own_call(v, s))
			return !changes(method_name(v, s)) && !reads(method_name(v, s));
		return !only_reads(v, s);
	}
}

/* Builders */

static bool is_builder_new(const struct values *v, const struct ir_stmt *s)
{
	return s->op == IR_NEW && text_is_builder(v, (class_id){ s->ref });
}

/* Is it made here alone? Then `made` says where, and `n` in how many places. */
static bool is_made_here(const struct values *v, const struct code *c, const struct builder *b, uint32_t *made, uint32_t *n)
{
	for (uint32_t x = 1; x <= c->body->nvalues; x++) {
		const struct ir_stmt *s = has_name(b, x) ? code_definition(c, x) : NULL;
		if (!s)
			continue;
		if (is_builder_new(v, s)) {
			*made = (uint32_t)(s - c->body->stmts);
			++*n;
		} else if (s->op != IR_PHI && !renamed(v, c, s)) {
			return false;
		}
	}
	return *n > 0;
}

/* A name from before it was made is that of another one, made in an earlier turn of a loop. */
static bool has_one_life(struct values *v, const struct code *c, const struct builder *b, uint32_t made)
{
	const uint32_t *idom = values_dominators(v, (method_id){ b->method });
	uint32_t home = block_of(c->body, made);

	for (uint32_t i = 0; i < c->body->nstmts; i++) {
		const struct ir_stmt *s = &c->body->stmts[i];
		if (s->op != IR_PHI || !has_name(b, s->result))
			continue;
		uint32_t block = block_of(c->body, i);
		if (block == home || !dominates(idom, home, block))
			return false;
	}
	return true;
}

static void judge(struct values *v, const struct code *c, struct builder *b)
{
	uint32_t made = 0, n = 0;

	if (!is_made_here(v, c, b, &made, &n))
		return;
	for (uint32_t i = 0; i < c->body->nstmts; i++)
		if (escapes(v, c, b, &c->body->stmts[i]))
			return;
	b->is_known = true;
	b->is_one = n == 1 && has_one_life(v, c, b, made);
}

static uint32_t builder_of(struct values *v, uint32_t method, const struct code *c, uint32_t value)
{
	struct texts *x = &v->texts;
	uint32_t known = map_get(&x->builder_of, map_key(method, value));

	if (known)
		return known;
	struct builder b = { .method = method, .names = arena_zarray(&v->mem, uint32_t, c->body->nvalues / 32 + 1) };
	add_name(&b, value);
	while (spread_names(v, c, &b))
		;
	judge(v, c, &b);
	for (uint32_t i = 1; i <= c->body->nvalues; i++)
		if (has_name(&b, i))
			*map_at(&x->builder_of, map_key(method, i)) = x->builders.len;
	vec_push(&x->builders, b);
	return x->builders.len - 1;
}

/* Contents */

static uint32_t content_node(struct values *v, uint32_t builder, uint32_t at, bool is_start)
{
	struct texts *x = &v->texts;
	uint32_t *row = map_at(&x->content_of, map_key(builder, at << 1 | is_start));

	if (!*row) {
		*row = x->contents.len;
		vec_push(&x->contents, ((struct content){ builder, at, is_start }));
	}
	return vnode_at(v, AT_CONTENT, false, x->builders.data[builder].method, *row);
}

static bool is_change(const struct values *v, const struct code *c, const struct builder *b, const struct ir_stmt *s)
{
	return is_own_call(v, s) && has_name(b, code_operand(c, s, 0)) && changes(method_name(v, s));
}

static bool is_empty_start(const struct values *v, const struct builder *b, const struct ir_stmt *s)
{
	return b->is_one && str_is(method_name(v, s), "<init>") && (s->nargs == 1 || text_param(v, s, 0) == 'I');
}

/* Before a statement of a block, or at its end. */
static struct text content_before(struct values *v, uint32_t user, uint32_t builder, const struct code *c, uint32_t stmt, uint32_t block)
{
	const struct builder b = v->texts.builders.data[builder];
	uint32_t i = stmt, first = c->body->blocks[block].first;

	while (i > first && !is_change(v, c, &b, &c->body->stmts[i - 1]))
		i--;
	if (i > first && is_empty_start(v, &b, &c->body->stmts[i - 1]))
		return v->texts.empty;
	uint32_t node = i > first ? content_node(v, builder, i - 1, false) : content_node(v, builder, block, true);
	vec_push(&v->nodes.data[user].parts, node);
	return texts_of(v, node);
}

struct text builder_text(struct values *v, const struct use *u, uint32_t value)
{
	uint32_t b = builder_of(v, u->method, u->c, value), at = (uint32_t)(u->at - u->c->body->stmts);

	if (!v->texts.builders.data[b].is_known)
		return v->texts.unknown;
	return content_before(v, u->node, b, u->c, at, block_of(u->c->body, at));
}

/* Changes */

static struct text argument(struct values *v, const struct use *u, uint32_t k)
{
	char type = text_param(v, u->at, k - 1);
	ir_value x = code_operand(u->c, u->at, k);

	if (type == '[' || !x)
		return v->texts.unknown;
	return type == 'L' ? text_of_value(v, u, x) : text_of_primitive(v, u, type, x);
}

static struct text appended(struct values *v, const struct use *u)
{
	struct operation part = { .kind = OP_SUBSTRING };
	struct text t = argument(v, u, 1);

	if (u->at->nargs < 4)
		return t;
	part.from = text_position(u, code_operand(u->c, u->at, 2));
	part.to = text_position(u, code_operand(u->c, u->at, 3));
	return text_operation(v, &part, t, (struct text){ 0 });
}

static struct text inserted(struct values *v, const struct use *u, struct text before)
{
	struct operation op = { .kind = OP_INSERT, .from = text_position(u, code_operand(u->c, u->at, 1)) };
	struct text t = u->at->nargs == 3 ? argument(v, u, 2) : v->texts.unknown;

	return op.from == 0 ? text_concat(v, t, before) : text_operation(v, &op, before, t);
}

static struct text operated(struct values *v, const struct use *u, struct text before, enum operation_kind kind)
{
	struct operation op = { .kind = kind, .from = POSITION_UNKNOWN, .to = POSITION_UNKNOWN };

	if (kind == OP_SET_LENGTH)
		op.to = text_position(u, code_operand(u->c, u->at, 1));
	else if (u->at->nargs > 1)
		op.from = text_position(u, code_operand(u->c, u->at, 1));
	if (kind == OP_DELETE)
		op.to = text_position(u, code_operand(u->c, u->at, 2));
	struct text second = kind == OP_SET_CHAR ? argument(v, u, 2) : (struct text){ 0 };
	return text_operation(v, &op, before, second);
}

static struct text initial(struct values *v, const struct use *u)
{
	return u->at->nargs == 1 || text_param(v, u->at, 0) == 'I' ? v->texts.empty : argument(v, u, 1);
}

static struct text changed(struct values *v, const struct use *u, struct text before)
{
	struct str name = method_name(v, u->at);

	if (str_is(name, "<init>"))
		return initial(v, u);
	if (str_is(name, "append"))
		return text_concat(v, before, appended(v, u));
	if (str_is(name, "insert"))
		return inserted(v, u, before);
	if (str_is(name, "delete"))
		return operated(v, u, before, OP_DELETE);
	if (str_is(name, "deleteCharAt"))
		return operated(v, u, before, OP_DELETE_CHAR);
	if (str_is(name, "setCharAt"))
		return operated(v, u, before, OP_SET_CHAR);
	if (str_is(name, "setLength"))
		return operated(v, u, before, OP_SET_LENGTH);
	if (str_is(name, "reverse"))
		return operated(v, u, before, OP_REVERSE);
	if (str_is(name, "replace"))
		return text_operation(v, &(struct operation){ .kind = OP_MIX }, before, argument(v, u, 3));
	return text_concat(v, before, v->texts.unknown);
}

static void expand_change(struct values *v, uint32_t n, uint32_t builder, const struct code *c, uint32_t stmt)
{
	struct use u = { n, v->nodes.data[n].of, c, &c->body->stmts[stmt] };
	const struct builder b = v->texts.builders.data[builder];
	bool is_made = b.is_one && str_is(method_name(v, u.at), "<init>");
	struct text before = is_made ? v->texts.empty : content_before(v, n, builder, c, stmt, block_of(c->body, stmt));

	texts_add(v, n, changed(v, &u, before));
	if (!b.is_one)
		texts_add(v, n, before);
}

static bool is_handler_of(const struct ir_body *b, uint32_t handler, uint32_t block)
{
	for (uint32_t i = 0; i < b->blocks[block].nhandlers; i++)
		if (b->edges[b->blocks[block].handlers + i] == handler)
			return true;
	return false;
}

/* A handler is reached from any place of a block. */
static void expand_start(struct values *v, uint32_t n, uint32_t builder, const struct code *c, uint32_t block)
{
	const struct ir_body *body = c->body;

	for (uint32_t i = 0; i < body->blocks[block].npreds; i++) {
		uint32_t from = body->edges[body->blocks[block].preds + i];
		const struct builder b = v->texts.builders.data[builder];
		texts_add(v, n, content_before(v, n, builder, c, body->blocks[from].end, from));
		for (uint32_t k = body->blocks[from].first; is_handler_of(body, block, from) && k < body->blocks[from].end; k++)
			if (is_change(v, c, &b, &body->stmts[k]))
				texts_add(v, n, content_before(v, n, builder, c, k, from));
	}
}

void builder_expand(struct values *v, uint32_t n)
{
	const struct content at = v->texts.contents.data[v->nodes.data[n].value];
	const struct code c = *values_code(v, (method_id){ v->nodes.data[n].of });

	if (at.is_start)
		expand_start(v, n, at.builder, &c, at.at);
	else
		expand_change(v, n, at.builder, &c, at.at);
	vnode_is_text(v, n);
}
