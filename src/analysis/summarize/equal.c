/* SPDX-License-Identifier: Apache-2.0 */
/* equal.c - variables that hold the same, by what their statements say (value numbering, as B. Hardekopf does it before he solves).
 *
 * A label is what a variable gets: an address, what is read from a place or through a pointer of some label, a pointer of some
 * label moved, what a function returns; or several of these. A variable that depends on itself, and a parameter, is a label of its
 * own. Only what the function's own statements say counts, so that labels hold whoever calls it, and if nobody does. */
#include "analysis/summarize/summarize_p.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

enum { NOTHING, BUSY_LABEL = UINT32_MAX - 1, UNKNOWN_LABEL };
enum label_kind { LABEL_VAR = 1, LABEL_STMT, LABEL_UNION };

void labels_init(struct labels *l, const struct cprogram *p, const struct visible *v)
{
	*l = (struct labels){ .p = p, .v = v };
	l->of = mem_alloc((p->vars.len + UINT64_C(1)) * sizeof(uint32_t));
	l->first_def = mem_zalloc((p->vars.len + UINT64_C(1)) * sizeof(uint32_t));
	l->next_def = mem_zalloc((p->stmts.len + UINT64_C(1)) * sizeof(uint32_t));
	memset(l->of, 0xff, (p->vars.len + UINT64_C(1)) * sizeof(uint32_t));
}

void labels_release(struct labels *l)
{
	free(l->of);
	free(l->first_def);
	free(l->next_def);
	map_release(&l->known);
	vec_release(&l->keys);
	vec_release(&l->members);
	vec_release(&l->stack);
	vec_release(&l->collected);
	vec_release(&l->touched);
	vec_release(&l->reps);
}

/* What a statement gives a value to; 0: no variable. */
static uint32_t defined_by(const struct cprogram *p, const struct cstmt *s)
{
	const struct ccall *c = s->op == C_CALL ? &p->calls.data[s->dst] : NULL;

	if (c)
		return c->flags & CCALL_FRESH ? 0 : c->result.i;
	return s->op == C_PUT || s->op == C_STORE || s->op == C_MOVE ? 0 : s->dst;
}

static void index_defs(struct labels *l)
{
	const struct cfn *f = &l->p->fns.data[l->fn.i];

	for (uint32_t i = f->nstmts; i-- > 0;) {
		uint32_t v = defined_by(l->p, &l->p->stmts.data[f->stmts + i]);
		if (!v)
			continue;
		if (!l->first_def[v])
			vec_push(&l->touched, v);
		l->next_def[i] = l->first_def[v];
		l->first_def[v] = i + 1;
	}
}

/* Labels */

static bool same_key(const struct labels *l, const struct label_key *x, const struct label_key *y)
{
	if (x->kind != LABEL_UNION || y->kind != LABEL_UNION)
		return memcmp(x, y, sizeof(*x)) == 0;
	return x->b == y->b && memcmp(&l->members.data[x->a], &l->members.data[y->a], x->b * sizeof(uint32_t)) == 0;
}

static uint64_t hash_key(const struct labels *l, const struct label_key *k)
{
	return k->kind == LABEL_UNION ? hash_bytes(&l->members.data[k->a], k->b * sizeof(uint32_t)) : hash_bytes(k, sizeof(*k));
}

/* Keys with one hash that are not the same get labels that nothing else has. */
static uint32_t label_of_key(struct labels *l, struct label_key k)
{
	uint32_t *at = map_at(&l->known, hash_key(l, &k) | 1);

	if (*at && same_key(l, &l->keys.data[*at - 1], &k))
		return *at;
	vec_push(&l->keys, k);
	if (!*at)
		*at = l->keys.len;
	return l->keys.len;
}

static uint32_t own_label(struct labels *l, uint32_t v)
{
	return label_of_key(l, (struct label_key){ .kind = LABEL_VAR, .a = v });
}

/* The label of what flows where the variable is named: parameters and what others give a value to are labels of their own. */
static bool is_given(const struct labels *l, uint32_t v)
{
	const struct cvar *row = &l->p->vars.data[v];

	return row->kind == CVAR_PARAM || row->fn.i != l->fn.i;
}

static uint32_t label_of_call(struct labels *l, uint32_t v, const struct ccall *c)
{
	const struct cfn *callee = &l->p->fns.data[c->callee.i];

	if (!c->callee.i || !callee->result.i || callee->flags & (CFN_MODEL | CFN_ALLOCATES))
		return own_label(l, v);
	return label_of_key(l, (struct label_key){ .kind = LABEL_VAR, .a = callee->result.i });
}

/* `src` is labelled. */
static uint32_t label_of_def(struct labels *l, uint32_t v, const struct cstmt *s)
{
	uint32_t src = s->op == C_ADDR || s->op == C_GET ? s->src : s->op == C_CALL ? 0 : l->of[s->src];

	if (s->op == C_CALL)
		return label_of_call(l, v, &l->p->calls.data[s->dst]);
	if (cir_is_copy(s) && s->src == v)
		return NOTHING;
	if (!src || cir_is_copy(s))
		return src;
	return label_of_key(l, (struct label_key){ LABEL_STMT, s->op | (uint32_t)(s->flags & ~CSTMT_HIDDEN) << 8, src, (uint32_t)s->off,
						   s->width });
}

static uint32_t source_of(const struct cstmt *s)
{
	return s->op == C_COPY || s->op == C_SHIFT || s->op == C_LOAD ? s->src : 0;
}

static int compare_u32(const void *x, const void *y)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return (a > b) - (a < b);
}

static void unite_collected(struct labels *l)
{
	uint32_t n = 0;

	if (l->collected.len)
		qsort(l->collected.data, l->collected.len, sizeof(uint32_t), compare_u32);
	for (uint32_t i = 0; i < l->collected.len; i++)
		if (l->collected.data[i] && (!n || l->collected.data[n - 1] != l->collected.data[i]))
			l->collected.data[n++] = l->collected.data[i];
	l->collected.len = n;
}

static uint32_t label_of_collected(struct labels *l)
{
	uint32_t first = l->members.len, before = l->keys.len;

	unite_collected(l);
	if (l->collected.len < 2)
		return l->collected.len ? l->collected.data[0] : NOTHING;
	for (uint32_t i = 0; i < l->collected.len; i++)
		vec_push(&l->members, l->collected.data[i]);
	uint32_t label = label_of_key(l, (struct label_key){ .kind = LABEL_UNION, .a = first, .b = l->collected.len });
	if (l->keys.len == before)
		l->members.len = first;
	return label;
}

/* All sources of v are labelled, but for v itself. */
static uint32_t label_of_defs(struct labels *l, uint32_t v)
{
	const struct cfn *f = &l->p->fns.data[l->fn.i];

	vec_clear(&l->collected);
	if (is_given(l, v))
		vec_push(&l->collected, own_label(l, v));
	for (uint32_t d = l->first_def[v]; d; d = l->next_def[d - 1])
		vec_push(&l->collected, label_of_def(l, v, &l->p->stmts.data[f->stmts + d - 1]));
	return label_of_collected(l);
}

static bool is_unlabelled(const struct labels *l, uint32_t v)
{
	return l->of[v] >= BUSY_LABEL;
}

/* The first variable without a label that v depends on, from one definition on; 0: there is none. */
static uint32_t next_source(struct labels *l, struct label_frame *at)
{
	const struct cfn *f = &l->p->fns.data[l->fn.i];

	for (; at->def; at->def = l->next_def[at->def - 1]) {
		const struct cstmt *s = &l->p->stmts.data[f->stmts + at->def - 1];
		uint32_t v = source_of(s);
		if (is_unlabelled(l, v) && !(v == at->var && cir_is_copy(s)))
			return v;
	}
	return 0;
}

/* What a client cannot tell has no label: its sources do not matter. */
static void label_begin(struct labels *l, uint32_t v)
{
	bool leads = sight_of_var(l->v, v) & SIGHT_LEADS;

	if (l->first_def[v] == 0 || !leads)
		vec_push(&l->touched, v);
	l->of[v] = leads ? BUSY_LABEL : NOTHING;
	if (leads)
		vec_push(&l->stack, ((struct label_frame){ .var = v, .def = l->first_def[v] }));
}

/* A variable that is met again while it is being labelled depends on itself: it is a label of its own. */
static void label_var(struct labels *l, uint32_t v)
{
	if (!is_unlabelled(l, v))
		return;
	label_begin(l, v);
	while (l->stack.len) {
		struct label_frame at = *vec_last(&l->stack);
		uint32_t next = next_source(l, &at);
		vec_last(&l->stack)->def = at.def;
		if (next && l->of[next] == BUSY_LABEL)
			l->of[next] = own_label(l, next);
		else if (next)
			label_begin(l, next);
		else
			l->stack.len--;
		if (!next && l->of[at.var] == BUSY_LABEL)
			l->of[at.var] = label_of_defs(l, at.var);
	}
}

/* Representatives: parameters and what is returned have to be there; else the first variable. */

static uint32_t rank(const struct labels *l, uint32_t v)
{
	const struct cfn *f = &l->p->fns.data[l->fn.i];

	if (l->p->vars.data[v].kind == CVAR_PARAM)
		return 0;
	return v == f->result.i || v == f->other.i ? 1 : 2;
}

static void offer(struct labels *l, uint32_t v)
{
	uint32_t label = l->of[v];

	if (label == NOTHING || l->p->vars.data[v].fn.i != l->fn.i)
		return;
	while (l->reps.len <= label)
		vec_push(&l->reps, 0);
	uint32_t *rep = &l->reps.data[label];
	if (!*rep || rank(l, v) < rank(l, *rep) || (rank(l, v) == rank(l, *rep) && v < *rep))
		*rep = v;
}

static void forget(struct labels *l)
{
	for (uint32_t i = 0; i < l->touched.len; i++) {
		l->of[l->touched.data[i]] = UNKNOWN_LABEL;
		l->first_def[l->touched.data[i]] = 0;
	}
	vec_clear(&l->touched);
	vec_clear(&l->keys);
	vec_clear(&l->members);
	vec_clear(&l->reps);
	map_release(&l->known);
}

static void label_used(struct labels *l, const struct cstmt *s)
{
	const struct ccall *c = s->op == C_CALL ? &l->p->calls.data[s->dst] : NULL;

	if (!c && s->op != C_PUT)
		label_var(l, s->dst);
	if (!c && s->op != C_ADDR && s->op != C_GET)
		label_var(l, s->src);
	if (!c)
		return;
	label_var(l, c->pointer.i);
	label_var(l, c->result.i);
	for (uint32_t i = 0; i < c->nargs; i++)
		label_var(l, l->p->args.data[c->args + i].i);
}

void labels_of_function(struct labels *l, cfn_id f)
{
	const struct cfn *row = &l->p->fns.data[f.i];

	forget(l);
	l->fn = f;
	index_defs(l);
	l->of[0] = NOTHING;
	for (uint32_t i = 0; i < row->nparams; i++)
		label_var(l, row->params + i);
	label_var(l, row->result.i);
	label_var(l, row->other.i);
	for (uint32_t i = 0; i < row->nstmts; i++)
		label_used(l, &l->p->stmts.data[row->stmts + i]);
	for (uint32_t i = 0; i < l->touched.len; i++)
		offer(l, l->touched.data[i]);
}

uint32_t label_rep(const struct labels *l, uint32_t v)
{
	uint32_t label = l->of[v];

	if (label == NOTHING)
		return 0;
	if (v && l->p->vars.data[v].fn.i != l->fn.i)
		return v;            /* what gives its value to a variable here: that one cannot stand for it */
	uint32_t rep = label < l->reps.len ? l->reps.data[label] : 0;
	return rep ? rep : v;
}
