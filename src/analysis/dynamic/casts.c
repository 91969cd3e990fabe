/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/dynamic/casts.h"

#include "analysis/dynamic/values_p.h"

uint32_t block_of(const struct ir_body *b, uint32_t stmt)
{
	uint32_t low = 0, high = b->nblocks;

	while (high - low > 1) {
		uint32_t mid = low + (high - low) / 2;
		if (b->blocks[mid].first <= stmt)
			low = mid;
		else
			high = mid;
	}
	return low;
}

struct walk {
	const struct ir_body *b;
	bool *seen;
	uint32_t *work;
	uint32_t n;
};

static void visit(struct walk *w, uint32_t block)
{
	if (w->seen[block])
		return;
	w->seen[block] = true;
	w->work[w->n++] = block;
}

/* Is an end reached from the block without coming by the other one? What is thrown by a call is no end: then nothing was made. */
static bool avoids(struct walk *w, uint32_t from, uint32_t to)
{
	bool is_end = false;

	w->seen[to] = true;
	visit(w, from);
	while (w->n && !is_end) {
		const struct ir_block *at = &w->b->blocks[w->work[--w->n]];
		is_end = at->nsuccs == 0;
		for (uint32_t i = 0; i < at->nsuccs; i++)
			visit(w, w->b->edges[at->succs + i]);
	}
	return is_end;
}

static struct walk start_walk(const struct ir_body *b)
{
	return (struct walk){ b, mem_zalloc(b->nblocks * sizeof(bool)), mem_alloc(b->nblocks * sizeof(uint32_t)), 0 };
}

static void end_walk(struct walk *w)
{
	free(w->seen);
	free(w->work);
}

bool comes_by(const struct ir_body *b, uint32_t from, uint32_t to)
{
	uint32_t x = block_of(b, from), y = block_of(b, to);

	if (x == y)
		return from < to;
	struct walk w = start_walk(b);
	bool is_sure = !avoids(&w, x, y);
	end_walk(&w);
	return is_sure;
}

/* Is a value that is made by statement `from` always what the phi `to` is, when control gets there from it? */
static bool is_chosen(const struct ir_body *b, uint32_t from, uint32_t to, ir_value value)
{
	const struct ir_block *at = &b->blocks[block_of(b, to)];
	struct walk w = start_walk(b);
	bool is_sure = b->stmts[to].nargs == at->npreds && block_of(b, from) != block_of(b, to) &&
		       !avoids(&w, block_of(b, from), block_of(b, to));

	for (uint32_t i = 0; is_sure && i < at->npreds; i++)
		is_sure = b->args[b->stmts[to].args + i] == value || !w.seen[b->edges[at->preds + i]];
	end_walk(&w);
	return is_sure;
}

/* Does a run come by statement `s`, which has the value as its operand `k`? */
static bool comes_by_use(const struct ir_body *b, uint32_t from, ir_value value, uint32_t s, uint32_t k)
{
	return b->stmts[s].nargs > k && b->args[b->stmts[s].args + k] == value && comes_by(b, from, s);
}

#define MAX_NAMES 8        /* that a value gets by phis, one after another */

/* A value that statement `from` makes, and what is always the same: the next name is looked for behind the phi that gives it. */
struct named {
	uint32_t from;
	ir_value value;
};

static bool next_name(const struct ir_body *b, struct named *n)
{
	for (uint32_t i = 0; i < b->nstmts; i++) {
		if (b->stmts[i].op != IR_PHI || b->stmts[i].result == n->value || !is_chosen(b, n->from, i, n->value))
			continue;
		*n = (struct named){ i, b->stmts[i].result };
		return true;
	}
	return false;
}

static bool is_call_of(const struct program *p, const struct ir_stmt *s, const char *class, const char *name)
{
	if (s->op != IR_CALL_VIRTUAL)
		return false;
	struct ir_mref ref = *mref_row(p, (mref_id){ s->ref });
	return str_is(sel_name(p, ref.sel), name) && str_is(class_name(p, ref.owner), class);
}

static class_id constant_class(const struct ir_body *b, ir_value v)
{
	for (uint32_t i = 0; i < b->nstmts; i++)
		if (b->stmts[i].result == v && b->stmts[i].op == IR_CONST_CLASS)
			return (class_id){ b->stmts[i].ref };
	return (class_id){ 0 };
}

/* A cast, or Type.class.cast(object). */
static class_id cast_of_name(const struct program *p, const struct ir_body *b, struct named n)
{
	for (uint32_t i = 0; i < b->nstmts; i++) {
		const struct ir_stmt *s = &b->stmts[i];
		if (s->op == IR_CAST && s->ref != p->object.i && comes_by_use(b, n.from, n.value, i, 0))
			return (class_id){ s->ref };
		class_id type = is_call_of(p, s, "java/lang/Class", "cast") ? constant_class(b, b->args[s->args]) : (class_id){ 0 };
		if (type.i && comes_by_use(b, n.from, n.value, i, 1))
			return type;
	}
	return (class_id){ 0 };
}

class_id cast_of_result(const struct program *p, const struct ir_body *b, uint32_t s)
{
	struct named n = { s, b->stmts[s].result };
	class_id type = cast_of_name(p, b, n);

	for (uint32_t k = 0; k < MAX_NAMES && !type.i && next_name(b, &n); k++)
		type = cast_of_name(p, b, n);
	return type;
}

/* Of what a class or constructor makes, or of the class itself: by asSubclass(Type.class) */

static class_id cast_of_user(const struct program *p, const struct ir_body *b, uint32_t user)
{
	const struct ir_stmt *s = &b->stmts[user];

	if (is_call_of(p, s, "java/lang/Class", "newInstance") || is_call_of(p, s, "java/lang/reflect/Constructor", "newInstance"))
		return cast_of_result(p, b, user);
	if (is_call_of(p, s, "java/lang/Class", "asSubclass"))
		return constant_class(b, b->args[s->args + 1]);
	if (is_call_of(p, s, "java/lang/Class", "getConstructor") || is_call_of(p, s, "java/lang/Class", "getDeclaredConstructor"))
		return cast_of_class(p, b, user);
	return (class_id){ 0 };
}

static class_id cast_of_class_name(const struct program *p, const struct ir_body *b, struct named n)
{
	class_id type = { 0 };

	for (uint32_t i = 0; i < b->nstmts && !type.i; i++)
		if (b->stmts[i].op == IR_CALL_VIRTUAL && comes_by_use(b, n.from, n.value, i, 0))
			type = cast_of_user(p, b, i);
	return type;
}

class_id cast_of_class(const struct program *p, const struct ir_body *b, uint32_t s)
{
	struct named n = { s, b->stmts[s].result };
	class_id type = cast_of_class_name(p, b, n);

	for (uint32_t k = 0; k < MAX_NAMES && !type.i && next_name(b, &n); k++)
		type = cast_of_class_name(p, b, n);
	return type;
}

class_id values_cast(struct values *v, method_id m, uint32_t pc, mref_id ref, enum dynamic_sort sort)
{
	const struct code c = *values_code(v, m);
	const struct ir_stmt *s = code_call(&c, pc, ref);

	if (!s || !s->result)
		return (class_id){ 0 };
	if (sort == DYNAMIC_LOAD || sort == DYNAMIC_FIND)
		return cast_of_class(v->p, c.body, (uint32_t)(s - c.body->stmts));
	return cast_of_result(v->p, c.body, (uint32_t)(s - c.body->stmts));
}
