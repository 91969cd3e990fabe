/* SPDX-License-Identifier: Apache-2.0 */
/* reduce.c - bodies without what no client can tell.
 *
 * A statement is there because it moves a value to where one can be seen from, or because it accesses visible memory. One that
 * does only the latter loses its variable; one that does neither is dropped. What the same function does twice it does once. */
#include <stdlib.h>

#include "analysis/summarize/summarize_p.h"
#include "base/hash.h"

void reducer_init(struct reducer *r, struct cprogram *p, const struct visible *v)
{
	*r = (struct reducer){ .p = p, .v = v };
	labels_init(&r->labels, p, v);
	r->used = mem_zalloc(p->vars.len + UINT64_C(1));
	r->first = mem_zalloc((p->vars.len + UINT64_C(1)) * sizeof(uint32_t));
	r->next = mem_zalloc((p->stmts.len + p->vars.len + UINT64_C(1)) * sizeof(uint32_t));
}

void reducer_release(struct reducer *r)
{
	labels_release(&r->labels);
	map_release(&r->seen);
	vec_release(&r->body);
	free(r->used);
	free(r->first);
	free(r->next);
	vec_release(&r->users);
}

static uint32_t rep(const struct reducer *r, uint32_t var)
{
	return label_rep(&r->labels, var);
}

static bool touches(const struct reducer *r, uint32_t pointer)
{
	return pointer && sight_of_var(r->v, pointer) & SIGHT_MEMORY;
}

static bool is_visible(const struct reducer *r, uint32_t obj)
{
	return r->v->objs[obj] & SIGHT_OBJECT;
}

/* Is what the statement accesses something that a client can tell to be accessed? */
static bool has_effect(const struct reducer *r, const struct cstmt *s)
{
	if (s->flags & CSTMT_HIDDEN)
		return false;
	switch ((enum cop)s->op) {
	case C_GET: return is_visible(r, s->src);
	case C_PUT: return is_visible(r, s->dst);
	case C_LOAD: return touches(r, s->src);
	case C_STORE: return touches(r, s->dst);
	default: return false;
	}
}

/* Statements with representatives */

static void push(struct reducer *r, struct cstmt s)
{
	bool names_something = s.op == C_GET || s.op == C_PUT || s.op == C_CALL || s.dst || s.src;

	if (names_something)
		vec_push(&r->body, s);
}

/* With a value that moves, or for its effect alone. */
static void push_access(struct reducer *r, struct cstmt s, const struct cstmt *was, bool moves)
{
	bool writes = s.op == C_PUT || s.op == C_STORE;

	if (!moves && !has_effect(r, was))
		return;
	if (!moves)
		*(writes ? &s.src : &s.dst) = 0;
	push(r, s);
}

/* A move of memory that holds nothing to see is two accesses. */
static void push_move(struct reducer *r, const struct cstmt *s)
{
	uint32_t dst = rep(r, s->dst), src = rep(r, s->src);
	struct cstmt x = *s;

	if (dst && src) {
		x.dst = dst, x.src = src;
		push(r, x);
		return;
	}
	if (s->flags & CSTMT_HIDDEN)
		return;
	if (dst && touches(r, s->dst))
		push(r, (struct cstmt){ .op = C_STORE, .flags = s->flags, .dst = dst, .width = s->width, .loc = s->loc });
	if (src && touches(r, s->src))
		push(r, (struct cstmt){ .op = C_LOAD, .flags = s->flags, .src = src, .width = s->width, .loc = s->loc });
}

static void rewrite_call(struct reducer *r, const struct cstmt *s)
{
	struct ccall *c = &r->p->calls.data[s->dst];

	c->pointer.i = rep(r, c->pointer.i);
	c->result.i = c->flags & CCALL_FRESH ? 0 : rep(r, c->result.i);
	for (uint32_t i = 0; i < c->nargs; i++)
		r->p->args.data[c->args + i].i = rep(r, r->p->args.data[c->args + i].i);
	c->hint.i = 0;
	c->size = 0;
	if (c->callee.i || c->pointer.i)
		push(r, *s);
}

static void rewrite(struct reducer *r, const struct cstmt *s)
{
	struct cstmt x = *s;

	switch ((enum cop)s->op) {
	case C_ADDR:
		x.dst = rep(r, s->dst);
		push_access(r, x, s, x.dst != 0);
		break;
	case C_COPY:
	case C_SHIFT:
		x.dst = rep(r, s->dst), x.src = rep(r, s->src);
		push_access(r, x, s, x.dst && x.src && !(s->op == C_COPY && x.dst == x.src));
		break;
	case C_GET:
		x.dst = rep(r, s->dst);
		push_access(r, x, s, x.dst != 0);
		break;
	case C_PUT:
		x.src = rep(r, s->src);
		push_access(r, x, s, x.src != 0);
		break;
	case C_LOAD:
		x.dst = rep(r, s->dst), x.src = rep(r, s->src);
		push_access(r, x, s, x.dst && x.src);
		break;
	case C_STORE:
		x.dst = rep(r, s->dst), x.src = rep(r, s->src);
		push_access(r, x, s, x.dst && x.src);
		break;
	case C_MOVE:
		push_move(r, s);
		break;
	case C_CALL:
		rewrite_call(r, s);
		break;
	}
}

/* What others read has to be there under its own name. */
static void copy_to_fixed(struct reducer *r, uint32_t var)
{
	uint32_t from = var ? rep(r, var) : 0;

	if (from && from != var)
		push(r, (struct cstmt){ .op = C_COPY, .flags = CSTMT_HIDDEN, .dst = var, .src = from });
}

static void rewrite_body(struct reducer *r, const struct cfn *f)
{
	vec_clear(&r->body);
	for (uint32_t i = 0; i < f->nstmts; i++)
		rewrite(r, &r->p->stmts.data[f->stmts + i]);
	for (uint32_t i = 0; i < f->nparams; i++)
		copy_to_fixed(r, f->params + i);
	copy_to_fixed(r, f->result.i);
	copy_to_fixed(r, f->other.i);
}

/* Variables that something is done with */

static void use(struct reducer *r, uint32_t var)
{
	if (!var || r->used[var])
		return;
	r->used[var] = true;
	vec_push(&r->users, var);
}

static bool only_defines(const struct cstmt *s)
{
	return s->dst && (s->op == C_ADDR || s->op == C_COPY || s->op == C_SHIFT || s->op == C_GET || s->op == C_LOAD);
}

/* Calls each(r, v) for each variable that the statement reads, none among them. */
static void each_read(struct reducer *r, const struct cstmt *s, void (*each)(struct reducer *r, uint32_t var))
{
	const struct ccall *c = s->op == C_CALL ? &r->p->calls.data[s->dst] : NULL;

	if (!c) {
		each(r, s->op == C_STORE || s->op == C_MOVE ? s->dst : 0);
		each(r, s->op == C_GET || s->op == C_ADDR ? 0 : s->src);
		return;
	}
	each(r, c->pointer.i);
	for (uint32_t i = 0; i < c->nargs; i++)
		each(r, r->p->args.data[c->args + i].i);
}

static void index_body(struct reducer *r)
{
	for (uint32_t i = r->body.len; i-- > 0;) {
		const struct cstmt *s = &r->body.data[i];
		r->next[i] = only_defines(s) ? r->first[s->dst] : 0;
		if (only_defines(s))
			r->first[s->dst] = i + 1;
	}
}

/* Engines that unify have what two values of one variable point to for one, also when nobody reads it. */
static void use_meetings(struct reducer *r)
{
	for (uint32_t i = 0; i < r->body.len; i++) {
		const struct cstmt *s = &r->body.data[i];
		uint32_t result = s->op == C_CALL ? r->p->calls.data[s->dst].result.i : 0;
		if (only_defines(s) && r->first[s->dst] != i + 1)
			use(r, s->dst);
		if (result && r->first[result])
			use(r, result);
	}
}

/* A definition of what is used uses its source; one that has an effect uses its pointer anyway. */
static void find_used(struct reducer *r, const struct cfn *f)
{
	use(r, f->result.i);
	use(r, f->other.i);
	use_meetings(r);
	for (uint32_t i = 0; i < r->body.len; i++) {
		const struct cstmt *s = &r->body.data[i];
		if (!only_defines(s))
			each_read(r, s, use);
		else if (s->op == C_LOAD && has_effect(r, s))
			use(r, s->src);
	}
	for (uint32_t k = 0; k < r->users.len; k++)
		for (uint32_t i = r->first[r->users.data[k]]; i; i = r->next[i - 1])
			each_read(r, &r->body.data[i - 1], use);
	for (uint32_t i = 0; i < r->body.len; i++)
		r->first[only_defines(&r->body.data[i]) ? r->body.data[i].dst : 0] = 0;
}

static void forget_used(struct reducer *r)
{
	for (uint32_t k = 0; k < r->users.len; k++)
		r->used[r->users.data[k]] = false;
	vec_clear(&r->users);
}

static void drop_result(struct reducer *r, struct ccall *c)
{
	if (r->used[c->result.i])
		return;
	c->result.i = 0;
	c->memory.i = 0;
}

static void drop_unused(struct reducer *r)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->body.len; i++) {
		struct cstmt s = r->body.data[i];
		if (s.op == C_CALL)
			drop_result(r, &r->p->calls.data[s.dst]);
		if (only_defines(&s) && !r->used[s.dst]) {
			if (!has_effect(r, &s))
				continue;
			s.dst = 0;
		}
		r->body.data[n++] = s;
	}
	r->body.len = n;
}

/* Values that are only copied are given to where they are copied to. */

enum { SEVERAL = UINT32_MAX };

static uint32_t defined(const struct reducer *r, const struct cstmt *s)
{
	if (s->op == C_CALL)
		return r->p->calls.data[s->dst].result.i;
	return only_defines(s) ? s->dst : 0;
}

static void count_use(struct reducer *r, uint32_t var)
{
	if (r->used[var] < 2)
		r->used[var]++;
}

static void count_body(struct reducer *r)
{
	for (uint32_t i = 0; i < r->body.len; i++) {
		uint32_t v = defined(r, &r->body.data[i]);
		each_read(r, &r->body.data[i], count_use);
		if (v)
			r->first[v] = r->first[v] ? SEVERAL : i + 1;
	}
}

static void forget_count(struct reducer *r, uint32_t var)
{
	r->used[var] = false;
	r->first[var] = 0;
}

/* Nothing else is given to it, nor read from it. A function's parameters and results are given something elsewhere. */
static bool is_passed_on(const struct reducer *r, const struct cfn *f, uint32_t var)
{
	bool is_fixed = r->p->vars.data[var].kind == CVAR_PARAM || var == f->result.i || var == f->other.i;

	return !is_fixed && r->p->vars.data[var].fn.i == r->labels.fn.i && r->used[var] == 1 && r->first[var] && r->first[var] != SEVERAL;
}

static void give_to(struct reducer *r, uint32_t row, uint32_t var)
{
	struct cstmt *s = &r->body.data[row];

	if (s->op == C_CALL)
		r->p->calls.data[s->dst].result.i = var;
	else
		s->dst = var;
}

static bool pass_on_one(struct reducer *r, const struct cfn *f, uint32_t i)
{
	struct cstmt s = r->body.data[i];
	bool passes = s.op == C_COPY && s.dst && s.src && s.dst != s.src && is_passed_on(r, f, s.src);

	if (!passes)
		return false;
	uint32_t row = r->first[s.src] - 1;
	give_to(r, row, s.dst);
	forget_count(r, s.src);
	if (r->first[s.dst] == i + 1)
		r->first[s.dst] = row + 1;
	return true;
}

static void pass_on(struct reducer *r, const struct cfn *f)
{
	uint32_t n = 0;

	count_body(r);
	for (uint32_t i = 0; i < r->body.len; i++)
		if (pass_on_one(r, f, i))
			r->body.data[i] = (struct cstmt){ .op = C_COPY };
	for (uint32_t i = 0; i < r->body.len; i++) {
		struct cstmt s = r->body.data[i];
		each_read(r, &s, forget_count);
		forget_count(r, defined(r, &s));
		if (s.op != C_COPY || s.dst || s.src)
			r->body.data[n++] = s;
	}
	r->body.len = n;
}

/* Twice the same */

static uint64_t key_of(const struct reducer *r, const struct cstmt *s, bool effect)
{
	uint32_t key[6] = { s->op | (uint32_t)s->flags << 8, effect && s->op != C_PUT && s->op != C_STORE ? 0 : s->dst,
			    effect && (s->op == C_PUT || s->op == C_STORE) ? 0 : s->src, (uint32_t)s->off, s->width, effect };

	if (s->op != C_CALL)
		return hash_bytes(key, sizeof(key)) | 1;
	const struct ccall *c = &r->p->calls.data[s->dst];
	uint32_t call[6] = { C_CALL, c->callee.i, c->pointer.i, c->result.i, c->flags | (uint32_t)s->flags << 8, c->memory.i };
	return hash_bytes_seeded(&r->p->args.data[c->args], c->nargs * sizeof(cvar_id), hash_bytes(call, sizeof(call))) | 1;
}

static bool is_new(struct reducer *r, uint64_t key)
{
	uint32_t *at = map_at(&r->seen, key);

	return (*at)++ == 0;
}

static bool is_access(const struct cstmt *s)
{
	return s->op == C_GET || s->op == C_PUT || s->op == C_LOAD || s->op == C_STORE;
}

static bool moves_nothing(const struct cstmt *s)
{
	return is_access(s) && !(s->dst && s->src);
}

/* What moves a value first: the same access without one is not needed then. */
static void drop_doubles(struct reducer *r)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->body.len; i++) {
		const struct cstmt *s = &r->body.data[i];
		if (is_access(s) && !moves_nothing(s))
			is_new(r, key_of(r, s, true));
	}
	for (uint32_t i = 0; i < r->body.len; i++) {
		const struct cstmt *s = &r->body.data[i];
		if (is_new(r, key_of(r, s, moves_nothing(s))))
			r->body.data[n++] = *s;
	}
	r->body.len = n;
	map_release(&r->seen);
}

/* Where something is modified or called is worth knowing. */
static void drop_places(struct reducer *r)
{
	for (uint32_t i = 0; i < r->body.len; i++) {
		struct cstmt *s = &r->body.data[i];
		if (s->op != C_PUT && s->op != C_STORE && s->op != C_MOVE && s->op != C_CALL)
			s->loc.i = 0;
	}
}

void reduce_body(struct reducer *r, cfn_id f, stmt_rows *out)
{
	const struct cfn *row = &r->p->fns.data[f.i];

	labels_of_function(&r->labels, f);
	rewrite_body(r, row);
	index_body(r);
	find_used(r, row);
	drop_unused(r);
	forget_used(r);
	pass_on(r, row);
	drop_doubles(r);
	drop_places(r);
	for (uint32_t i = 0; i < r->body.len; i++)
		vec_push(out, r->body.data[i]);
}
