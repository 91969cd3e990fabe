/* SPDX-License-Identifier: Apache-2.0 */
/* summarize.c - a library's program is completed so that it can be solved; then what completed it is taken out again. */
#include "analysis/summarize/summarize.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/allocation/allocation.h"
#include "analysis/summarize/summarize_p.h"

/* Bodies as they were at one time. */
struct bodies {
	struct cfn *fns;
	struct cstmt *stmts;
	struct ccall *calls;
	uint32_t nfns, nstmts, ncalls;
};

struct summarize {
	struct cprogram *p;
	struct bodies first;         /* as the modules have them */
	struct bodies decided;       /* with models, and with what is an allocator */
	struct cobj *objs;
	uint32_t nobjs, nnotes, naliases;
	bool *open;                  /* by function: it may do something else with another client */
	cfn_id initialisers;
	stmt_rows stmts;             /* of the result */
	VEC(struct ccall) calls;
};

static void *copy_rows(const void *rows, uint64_t n, size_t size)
{
	void *copy = mem_alloc((n + 1) * size);

	if (n)
		memcpy(copy, rows, n * size);
	return copy;
}

static void keep_bodies(struct bodies *b, const struct cprogram *p)
{
	b->nfns = p->fns.len;
	b->nstmts = p->stmts.len;
	b->ncalls = p->calls.len;
	b->fns = copy_rows(p->fns.data, p->fns.len, sizeof(struct cfn));
	b->stmts = copy_rows(p->stmts.data, p->stmts.len, sizeof(struct cstmt));
	b->calls = copy_rows(p->calls.data, p->calls.len, sizeof(struct ccall));
}

static void release_bodies(struct bodies *b)
{
	free(b->fns);
	free(b->stmts);
	free(b->calls);
}

struct summarize *summarize_begin(struct cprogram *p)
{
	struct summarize *s = mem_zalloc(sizeof(*s));

	s->p = p;
	s->nobjs = p->objs.len;
	s->nnotes = p->notes.len;
	s->naliases = p->aliases.len;
	s->initialisers = p->initialisers;
	s->objs = copy_rows(p->objs.data, p->objs.len, sizeof(struct cobj));
	keep_bodies(&s->first, p);
	return s;
}

uint32_t summarize_allocation(struct summarize *s)
{
	uint32_t n = allocation_rewrite(s->p, true);

	keep_bodies(&s->decided, s->p);
	return n;
}

void summarize_free(struct summarize *s)
{
	if (!s)
		return;
	release_bodies(&s->first);
	release_bodies(&s->decided);
	free(s->objs);
	free(s->open);
	vec_release(&s->stmts);
	vec_release(&s->calls);
	free(s);
}

/* Back to the time when it was decided what is an allocator: without placeholders. */
static void restore(struct summarize *s)
{
	struct cprogram *p = s->p;

	for (uint32_t i = 1; i < s->decided.nfns; i++)
		p->fns.data[i] = s->decided.fns[i];
	vec_clear(&p->stmts);
	for (uint32_t i = 0; i < s->decided.nstmts; i++)
		vec_push(&p->stmts, s->decided.stmts[i]);
	p->calls.len = s->decided.ncalls;
	memcpy(p->calls.data, s->decided.calls, s->decided.ncalls * sizeof(struct ccall));
	p->notes.len = s->nnotes;
	p->aliases.len = s->naliases;
	p->initialisers = s->initialisers;
}

/* The model that a private copy is one of is the library function itself. */
static cfn_id imported(const struct summarize *s, cfn_id f)
{
	return f.i >= s->first.nfns ? s->p->fns.data[f.i].of : f;
}

/* What is open stays as the modules have it; it is decided with a client. */
static bool is_open(const struct summarize *s, uint32_t f)
{
	return s->open[f] || f == s->p->initialisers.i;
}

/* What else an allocating function of another library returns goes by a variable of that function, which is not there. */
static bool names_others(const struct summarize *s, uint32_t f)
{
	const struct cfn *row = &s->decided.fns[f];

	for (uint32_t i = 0; i < row->nstmts; i++) {
		const struct cstmt *x = &s->decided.stmts[row->stmts + i];
		uint32_t owner = x->op == C_COPY ? s->p->vars.data[x->src].fn.i : 0;
		if (owner && owner != f && (owner >= s->first.nfns || !(s->first.fns[owner].flags & CFN_DEFINED)))
			return true;
	}
	return false;
}

/* Callers of what is open are open as well: what they do may depend on it. */
static void find_open(struct summarize *s)
{
	s->open = mem_zalloc(s->decided.nfns + UINT64_C(1));
	for (uint32_t f = 1; f < s->first.nfns; f++)
		s->open[f] = !(s->decided.fns[f].flags & CFN_SETTLED) || names_others(s, f);
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = 1; i < s->decided.ncalls; i++) {
			const struct ccall *c = &s->decided.calls[i];
			bool is_defined = c->callee.i && c->callee.i < s->first.nfns && s->first.fns[c->callee.i].flags & CFN_DEFINED;
			if (!is_defined || !s->open[c->callee.i] || s->open[c->caller.i])
				continue;
			s->open[c->caller.i] = changed = true;
		}
	}
}

/* Statements of a function, with rows of calls of their own. */
static void append_body(struct summarize *s, uint32_t f, const struct cstmt *stmts, uint32_t n, const struct ccall *calls)
{
	struct cfn *row = &s->p->fns.data[f];
	uint32_t first = s->stmts.len, first_call = s->calls.len;

	for (uint32_t i = 0; i < n; i++) {
		struct cstmt x = stmts[i];
		if (x.op == C_CALL) {
			struct ccall c = calls[x.dst];
			c.callee = imported(s, c.callee);
			x.dst = s->calls.len;
			vec_push(&s->calls, c);
		}
		vec_push(&s->stmts, x);
	}
	row->stmts = first;
	row->nstmts = n;
	row->calls = first_call;
	row->ncalls = s->calls.len - first_call;
}

static bool is_own(const struct summarize *s, uint32_t f)
{
	return f < s->first.nfns && s->first.fns[f].flags & CFN_DEFINED;
}

static void append_reduced(struct summarize *s, struct reducer *r, const struct cpta *facts, uint32_t f)
{
	stmt_rows body = { 0 };

	if (cpta_reached(facts, (cfn_id){ f }))
		reduce_body(r, (cfn_id){ f }, &body);
	append_body(s, f, body.data, body.len, s->p->calls.data);
	vec_release(&body);
}

static void append_open(struct summarize *s, uint32_t f)
{
	const struct cfn *was = &s->first.fns[f];

	s->p->fns.data[f] = *was;
	append_body(s, f, s->first.stmts + was->stmts, was->nstmts, s->first.calls);
}

static void append_bodies(struct summarize *s, struct reducer *r, const struct cpta *facts)
{
	vec_push(&s->calls, ((struct ccall){ 0 }));
	for (uint32_t f = 1; f < s->first.nfns; f++)
		if (is_own(s, f) && is_open(s, f))
			append_open(s, f);
		else if (is_own(s, f))
			append_reduced(s, r, facts, f);
}

/* Models and other libraries are taken out: what they were for is declared again, with what it was taken for. */
static void strip(struct summarize *s)
{
	struct cprogram *p = s->p;

	for (uint32_t f = 1; f < p->fns.len; f++) {
		if (f < s->first.nfns && !is_own(s, f)) {
			p->fns.data[f] = s->first.fns[f];
			p->fns.data[f].flags |= s->decided.fns[f].flags & CFN_MODEL;
		} else if (f >= s->first.nfns) {
			p->fns.data[f].flags = CFN_STATIC;
			p->fns.data[f].nstmts = p->fns.data[f].ncalls = 0;
		}
		if (is_own(s, f))
			p->fns.data[f].flags |= CFN_SUMMARY;
	}
	for (uint32_t i = 1; i < s->nobjs; i++)
		p->objs.data[i] = s->objs[i];
	for (uint32_t i = s->nobjs; i < p->objs.len; i++)
		p->objs.data[i].flags &= (uint8_t)~COBJ_EXPORTED;
}

static void give_bodies(struct summarize *s)
{
	vec_release(&s->p->stmts);
	vec_release(&s->p->calls);
	for (uint32_t i = 0; i < s->stmts.len; i++)
		vec_push(&s->p->stmts, s->stmts.data[i]);
	for (uint32_t i = 0; i < s->calls.len; i++)
		vec_push(&s->p->calls, s->calls.data[i]);
}

/* Nobody is told the names of variables in functions that were made smaller, nor those of memory that no client can tell. */
static void drop_names(struct summarize *s, const struct visible *v)
{
	struct cprogram *p = s->p;

	for (uint32_t i = 1; i < p->vars.len; i++) {
		struct cvar *x = &p->vars.data[i];
		if (x->fn.i >= s->first.nfns || !is_own(s, x->fn.i) || is_open(s, x->fn.i))
			continue;
		x->loc.i = 0;
		if (x->kind == CVAR_LOCAL)
			*x = (struct cvar){ .kind = CVAR_TEMP, .fn = x->fn };
	}
	for (uint32_t i = 1; i < p->objs.len; i++) {
		struct cobj *o = &p->objs.data[i];
		if (v->objs[i] & SIGHT_OBJECT || !(o->kind == COBJ_LOCAL || o->kind == COBJ_HEAP))
			continue;
		o->loc.i = 0;
		o->name.i = 0;
	}
}

void summarize_end(struct summarize *s, const struct cpta *facts, struct cprogram *out)
{
	struct visible v;
	struct reducer r;

	visible_init(&v, facts);
	restore(s);
	find_open(s);
	reducer_init(&r, s->p, &v);
	append_bodies(s, &r, facts);
	reducer_release(&r);
	strip(s);
	drop_names(s, &v);
	visible_release(&v);
	give_bodies(s);
	cir_compact(s->p, out);
}

static void mark_summary(struct cprogram *p)
{
	for (uint32_t f = 1; f < p->fns.len; f++)
		if (p->fns.data[f].flags & CFN_DEFINED)
			p->fns.data[f].flags |= CFN_SUMMARY;
}

void summarize_basic(const struct cprogram *p, struct cprogram *out)
{
	cir_compact(p, out);
	mark_summary(out);
}
