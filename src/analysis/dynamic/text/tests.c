/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of strings: where a place can only be reached if `s.equals("x")` was true, uses of s there are filtered.
 *
 * A test holds in a block that only its own branch leads to, and in all blocks that this one dominates. A switch on strings is compiled to
 * `equals` that choose a number, and a switch on that number: in a case holds what held where its number was chosen. */
#include "algo/dominators.h"
#include "analysis/dynamic/casts.h"
#include "analysis/dynamic/text/texts_p.h"

enum { OP_IFEQ = 0x99, OP_IFNE = 0x9a };         /* JVMS 6.5 */

struct finder {
	struct values *v;
	struct use u;
	const uint32_t *idom;
	uint32_t first;                  /* of the tests of this method */
};

static enum test_sort sort_of(struct str name)
{
	if (str_is(name, "equals") || str_is(name, "contentEquals"))
		return TEST_IS;
	if (str_is(name, "startsWith"))
		return TEST_STARTS;
	if (str_is(name, "endsWith"))
		return TEST_ENDS;
	return str_is(name, "contains") ? TEST_CONTAINS : TEST_NONE;
}

/* The strings that pass if the test is true. Most tests are of strings that nobody asks for: languages are made when somebody does. */
static const struct language *passing(struct languages *ls, struct test *t)
{
	if (!t->passes)
		t->passes = t->sort == TEST_STARTS ? language_starting(ls, t->what) : t->sort == TEST_ENDS ? language_ending(ls, t->what)
			  : t->sort == TEST_CONTAINS ? language_containing(ls, t->what) : language_of(ls, t->what);
	return t->passes;
}

/* What a call of a method of String says about a value: its sort, value and text; of sort none, nothing. */
static struct test test_of(struct finder *f, const struct ir_stmt *call)
{
	struct program *p = f->v->p;
	struct ir_mref ref = call && call->op == IR_CALL_VIRTUAL ? *mref_row(p, (mref_id){ call->ref }) : (struct ir_mref){ 0 };
	struct str what;

	if (!ref.owner.i || ref.owner.i != p->string.i)
		return (struct test){ 0 };
	ir_value x = code_operand(f->u.c, call, 0), y = code_operand(f->u.c, call, 1);
	enum test_sort sort = sort_of(sel_name(p, ref.sel));
	if (call->nargs == 1 && str_is(sel_name(p, ref.sel), "isEmpty"))
		return (struct test){ .sort = TEST_IS, .value = x, .what = STR("") };
	if (call->nargs == 2 && sort && text_const_string(f->v, &f->u, y, &what))
		return (struct test){ .sort = sort, .value = x, .what = what };
	if (call->nargs == 2 && str_is(sel_name(p, ref.sel), "equals") && text_const_string(f->v, &f->u, x, &what))
		return (struct test){ .sort = TEST_IS, .value = y, .what = what };
	return (struct test){ 0 };
}

/* Behind the branch that leads from the one block to the other. */
static void add_test(struct finder *f, uint32_t from, uint32_t block, struct test t, bool is_true)
{
	const struct ir_body *b = f->u.c->body;

	if (b->blocks[block].npreds != 1 || text_type(f->v, &f->u, t.value).i != f->v->p->string.i)
		return;
	t.method = f->u.method;
	t.from = from;
	t.block = block;
	t.is_true = is_true;
	vec_push(&f->v->texts.tests, t);
}

static void find_branch(struct finder *f, uint32_t block, const struct ir_stmt *s)
{
	const struct ir_body *b = f->u.c->body;

	if (s->op != IR_IF || (s->sub != OP_IFEQ && s->sub != OP_IFNE) || b->blocks[block].nsuccs != 2)
		return;
	struct test t = test_of(f, code_definition(f->u.c, code_operand(f->u.c, s, 0)));
	const uint32_t *succs = &b->edges[b->blocks[block].succs];
	if (!t.sort || !t.value || succs[0] == succs[1])
		return;
	add_test(f, block, succs[s->sub == OP_IFEQ], t, true);
	add_test(f, block, succs[s->sub == OP_IFNE], t, false);
}

/* The innermost test of the value that holds in a block, of those from `first` on; 0: none. A true one is what counts, if asked for. */
static uint32_t holds(const struct texts *x, const uint32_t *idom, uint32_t first, uint32_t end, uint32_t block, uint32_t value,
		      bool is_true)
{
	uint32_t best = 0;

	for (uint32_t i = first; i < end; i++) {
		const struct test *t = &x->tests.data[i];
		if (t->value != value || (is_true && !t->is_true) || !dominates(idom, t->block, block))
			continue;
		if (!best || dominates(idom, x->tests.data[best].block, t->block))
			best = i;
	}
	return best;
}

/* What holds of the value wherever `number` is chosen; NULL: nothing. */
static const struct language *where_chosen(struct finder *f, uint32_t block, const struct ir_stmt *phi, int64_t number, uint32_t value)
{
	struct texts *x = &f->v->texts;
	const struct ir_body *b = f->u.c->body;
	const struct language *all = language_empty(x->languages);
	int32_t is;

	for (uint32_t i = 0; i < phi->nargs; i++) {
		if (!text_const_int(&f->u, code_operand(f->u.c, phi, i), &is))
			return NULL;
		if (is != number)
			continue;
		uint32_t t = holds(x, f->idom, f->first, x->tests.len, b->edges[b->blocks[block].preds + i], value, true);
		if (!t)
			return NULL;
		all = language_union(x->languages, all, passing(x->languages, &x->tests.data[t]));
	}
	return all;
}

static uint32_t first_to(const uint32_t *succs, uint32_t k)
{
	uint32_t i = 0;

	while (succs[i] != succs[k])
		i++;
	return i;
}

/* All numbers that lead to the same place as the k-th. */
static const struct language *of_case(struct finder *f, uint32_t block, const struct ir_stmt *s, uint32_t k, uint32_t value)
{
	const struct ir_body *b = f->u.c->body;
	const struct ir_stmt *phi = code_definition(f->u.c, code_operand(f->u.c, s, 0));
	const uint32_t *succs = &b->edges[b->blocks[block].succs];
	const struct language *all = language_empty(f->v->texts.languages);

	for (uint32_t i = k; i < b->blocks[block].nsuccs; i++) {
		if (succs[i] != succs[k])
			continue;
		const struct language *l = where_chosen(f, block, phi, b->longs[s->ref + i - 1], value);
		if (!l)
			return NULL;
		all = language_union(f->v->texts.languages, all, l);
	}
	return all;
}

static void find_cases(struct finder *f, uint32_t block, const struct ir_stmt *s, uint32_t value)
{
	const struct ir_body *b = f->u.c->body;
	const struct ir_stmt *phi = code_definition(f->u.c, code_operand(f->u.c, s, 0));
	const uint32_t *succs = &b->edges[b->blocks[block].succs];

	if (!phi || phi->op != IR_PHI || block_of(b, (uint32_t)(phi - b->stmts)) != block)
		return;
	for (uint32_t k = 0; k < b->blocks[block].nsuccs; k++) {
		const struct language *l = k && first_to(succs, k) == k ? of_case(f, block, s, k, value) : NULL;
		if (l && !language_is_empty(l))
			add_test(f, block, succs[k], (struct test){ .sort = TEST_CASE, .value = value, .passes = l }, true);
	}
}

/* Of each value that was tested before. */
static void find_switch(struct finder *f, uint32_t block, const struct ir_stmt *s)
{
	const struct texts *x = &f->v->texts;
	uint32_t end = x->tests.len;

	for (uint32_t i = f->first; s->op == IR_SWITCH && i < end; i++) {
		bool is_again = false;
		for (uint32_t k = f->first; k < i; k++)
			is_again |= x->tests.data[k].value == x->tests.data[i].value;
		if (!is_again)
			find_cases(f, block, s, x->tests.data[i].value);
	}
}

/* The tests of a method stand together; where they begin, from 1 on. */
static uint32_t tests_of(struct values *v, uint32_t method, const struct code *c)
{
	struct texts *x = &v->texts;
	uint32_t *row = map_at(&x->tests_of, method);
	struct finder f = { .v = v, .u = { .method = method, .c = c }, .first = x->tests.len };
	const struct ir_body *b = c->body;

	if (*row)
		return *row;
	*row = f.first;
	for (uint32_t i = 0; i < b->nblocks; i++)
		find_branch(&f, i, &b->stmts[b->blocks[i].end - 1]);
	if (x->tests.len == f.first)
		return f.first;
	f.idom = values_dominators(v, (method_id){ method });
	for (uint32_t i = 0; i < b->nblocks; i++)
		find_switch(&f, i, &b->stmts[b->blocks[i].end - 1]);
	return f.first;
}

uint32_t texts_used(struct values *v, uint32_t method, const struct code *c, uint32_t block, uint32_t value)
{
	struct texts *x = &v->texts;
	uint32_t first = tests_of(v, method, c), end = first;

	while (end < x->tests.len && x->tests.data[end].method == method)
		end++;
	uint32_t t = end > first ? holds(x, values_dominators(v, (method_id){ method }), first, end, block, value, false) : 0;
	return t ? vnode_at(v, AT_TESTED, false, method, t) : vnode_at(v, AT_VALUE, false, method, value);
}

/* What the string was before the test, filtered. */
void test_expand(struct values *v, uint32_t n)
{
	struct test t = v->texts.tests.data[v->nodes.data[n].value];
	const struct code c = *values_code(v, (method_id){ t.method });
	struct operation op = { .kind = t.is_true ? OP_FILTER : OP_EXCEPT, .filter = passing(v->texts.languages, &t) };
	uint32_t before = texts_used(v, t.method, &c, t.from, t.value);

	vec_push(&v->nodes.data[n].parts, before);
	texts_add(v, n, text_test(v, &op, texts_of(v, before), t.is_true));
	vnode_is_text(v, n);
}
