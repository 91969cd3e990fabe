/* SPDX-License-Identifier: Apache-2.0 */
/* What fields hold that only their own nest can write: private ones and final ones.
 *
 * Every store of the nest is looked at, with nothing known of parameters and other fields. The default value counts, too, unless the
 * store is sure to come first: before anybody else's code can run, for static fields, or can see the object, for others. Fields are
 * left alone that something else may write: those of serializable classes, of nests with native methods, and those whose name is a
 * string in the nest (field updaters, VarHandle, Unsafe), but for static final ones, which only Unsafe could write. */
#include <string.h>

#include "algo/dominators.h"
#include "analysis/callgraph/hooks.h"
#include "analysis/conditions/conditions.h"
#include "ir/access.h"

#define QUIET_DEPTH 8
#define MOST_ARGS 24

struct store {
	field_id field;
	const struct code *code;
	uint32_t stmt;
	struct value value;
};

struct nest {
	VEC(struct store) stores;
	struct map names;             /* strings that its code has */
	bool is_unsafe;
};

void conditions_release_nests(struct conditions *c)
{
	for (uint32_t i = 0; i < c->nest_facts.len; i++) {
		vec_release(&c->nest_facts.data[i]->stores);
		map_release(&c->nest_facts.data[i]->names);
	}
	vec_release(&c->nest_facts);
}

/* Stores */

static void note_store(struct conditions *c, struct nest *n, const struct evaluation *e, uint32_t i)
{
	const struct ir_stmt *s = &e->code->body->stmts[i];
	uint32_t block = e->code->block_of[i];

	if (resolve_field(c->h, (fref_id){ s->ref }) != RESOLVE_OK || !e->live[block])
		return;
	field_id f = fref_row(c->p, (fref_id){ s->ref })->target;
	if (!(field_row(c->p, f)->flags & (ACCESS_PRIVATE | ACCESS_FINAL)))
		return;
	struct value v = evaluation_use(c, e, e->code->body->args[s->args + s->nargs - 1], block);
	vec_push(&n->stores, ((struct store){ f, e->code, i, v }));
}

static bool has_stores(struct nest *n, const struct ir_body *b)
{
	bool has_any = false;

	for (uint32_t i = 0; i < b->nstmts; i++) {
		has_any |= b->stmts[i].op == IR_PUTFIELD || b->stmts[i].op == IR_PUTSTATIC;
		if (b->stmts[i].op == IR_CONST_STRING)
			*map_at(&n->names, b->stmts[i].ref) = 1;
	}
	return has_any;
}

/* While `is_busy`, evaluation asks for no fields: what is found does not depend on what was asked before. */
static void read_method(struct conditions *c, struct nest *n, method_id m)
{
	const struct code *code;
	struct evaluation e;
	uint16_t flags = method_row(c->p, m)->flags;

	n->is_unsafe |= (flags & ACCESS_NATIVE) != 0;
	if (flags & (ACCESS_NATIVE | ACCESS_ABSTRACT))
		return;
	code = conditions_code(c, m);
	n->is_unsafe |= !code;
	if (!code || !has_stores(n, code->body))
		return;
	c->is_busy = true;
	conditions_evaluate(c, code, NULL, 0, 0, &e);
	for (uint32_t i = 0; i < code->body->nstmts; i++)
		if (code->body->stmts[i].op == IR_PUTFIELD || code->body->stmts[i].op == IR_PUTSTATIC)
			note_store(c, n, &e, i);
	c->is_busy = false;
	evaluation_release(&e);
}

static class_id host_of(const struct program *p, class_id c)
{
	class_id host = class_row(p, c)->nest_host;

	return host.i ? host : c;
}

static const struct nest *nest_of(struct conditions *c, class_id of)
{
	class_id host = host_of(c->p, of);
	uint32_t known = map_get(&c->nests, host.i);

	if (known)
		return c->nest_facts.data[known - 1];
	struct nest *n = arena_new(&c->mem, struct nest);
	for (uint32_t i = 1; i < c->p->classes.len; i++) {
		const struct ir_class *row = &c->p->classes.data[i];
		uint32_t first = row->first_method, end = first + row->nmethods;
		if (row->state != LOAD_DONE || row->kind != CLASS_FILE || host_of(c->p, (class_id){ i }).i != host.i)
			continue;
		for (uint32_t m = first; m < end; m++)
			read_method(c, n, (method_id){ m });
	}
	vec_push(&c->nest_facts, n);
	*map_at(&c->nests, host.i) = c->nest_facts.len;
	return n;
}

/* Order */

static bool is_initialised_quietly(struct conditions *c, class_id cls, class_id own)
{
	struct supertypes s = hierarchy_supertypes(c->h, cls);

	for (uint32_t i = 0; i < s.n; i++)
		if (s.classes[i].i != own.i && program_declared(c->p, s.classes[i], c->clinit).i)
			return false;
	return !s.misses_some;
}

static field_id accessed(struct conditions *c, const struct ir_stmt *s)
{
	return resolve_field(c->h, (fref_id){ s->ref }) == RESOLVE_OK ? fref_row(c->p, (fref_id){ s->ref })->target : (field_id){ 0 };
}

static bool is_quiet(struct conditions *c, method_id m, field_id f, uint32_t depth);

/* Is the statement sure not to read the static field, nor to run any code that might? */
static bool is_quiet_statement(struct conditions *c, const struct code *k, const struct ir_stmt *s, field_id f, uint32_t depth)
{
	class_id own = field_row(c->p, f)->owner;
	method_id m = { 0 };
	field_id other;

	switch (s->op) {
	case IR_NEW: return is_initialised_quietly(c, (class_id){ s->ref }, own);
	case IR_GETSTATIC: case IR_PUTSTATIC:
		other = accessed(c, s);
		return other.i && (s->op == IR_PUTSTATIC || other.i != f.i) &&
		       is_initialised_quietly(c, field_row(c->p, other)->owner, own);
	case IR_CALL_STATIC: case IR_CALL_SPECIAL:
		if (depth == 0 || s->sub != IR_CALL_WRITTEN || resolve_method(c->h, (mref_id){ s->ref }) != RESOLVE_OK)
			return false;
		m = s->op == IR_CALL_STATIC ? mref_row(c->p, (mref_id){ s->ref })->target :
					      select_special(c->h, method_row(c->p, k->m)->owner, (mref_id){ s->ref });
		return m.i && is_initialised_quietly(c, method_row(c->p, m)->owner, own) && is_quiet(c, m, f, depth - 1);
	default: return !ir_is_call(s->op) && s->op != IR_CONST_DYNAMIC && s->op != IR_CONST_HANDLE;
	}
}

static bool is_quiet(struct conditions *c, method_id m, field_id f, uint32_t depth)
{
	const struct code *k = conditions_code(c, m);

	for (uint32_t i = 0; k && i < k->body->nstmts; i++)
		if (!is_quiet_statement(c, k, &k->body->stmts[i], f, depth))
			return false;
	return k != NULL;
}

/* Does control never come back from behind the block to it, or before it? */
static bool is_before_loops(const struct ir_body *b, uint32_t block)
{
	for (uint32_t i = block; i < b->nblocks; i++) {
		for (uint32_t j = 0; j < b->blocks[i].nsuccs; j++)
			if (b->edges[b->blocks[i].succs + j] <= block)
				return false;
		for (uint32_t j = 0; j < b->blocks[i].nhandlers; j++)
			if (b->edges[b->blocks[i].handlers + j] <= block)
				return false;
	}
	return true;
}

static bool is_always_run(const struct code *k, uint32_t block)
{
	for (uint32_t i = 0; i < k->body->nblocks; i++)
		if (k->body->stmts[k->body->blocks[i].end - 1].op == IR_RETURN && !dominates(k->idom, block, i))
			return false;
	return is_before_loops(k->body, block);
}

static bool is_first_static(struct conditions *c, const struct store *s)
{
	const struct code *k = s->code;
	class_id own = method_row(c->p, k->m)->owner;

	if (method_row(c->p, k->m)->sel.i != c->clinit.i || field_row(c->p, s->field)->owner.i != own.i ||
	    !is_initialised_quietly(c, own, own) || !is_always_run(k, k->block_of[s->stmt]))
		return false;
	for (uint32_t i = 0; i < s->stmt; i++)
		if (!is_quiet_statement(c, k, &k->body->stmts[i], s->field, QUIET_DEPTH))
			return false;
	return true;
}

/* Static fields */

static struct value default_of(const struct program *p, field_id f)
{
	switch (sel_desc(p, field_row(p, f)->sel).p[0]) {
	case 'L': case '[': return VALUE_OF_NULL;
	case 'J': return value_long(0);
	case 'F': case 'D': return VALUE_UNKNOWN;
	default: return value_int(0);
	}
}

/* The object was made for this field, and no other static field of the class holds it. */
static bool is_made_for_it(const struct store *s)
{
	const struct ir_body *b = s->code->body;
	ir_value made = b->args[b->stmts[s->stmt].args];
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->nstmts; i++)
		n += b->stmts[i].op == IR_PUTSTATIC && b->args[b->stmts[i].args] == made;
	return n == 1 && s->code->def[made] && s->code->def[made]->op == IR_NEW;
}

static struct value static_value(struct conditions *c, field_id f, const struct nest *n)
{
	const struct store *only = NULL;
	struct value v = { 0 };
	uint32_t count = 0;

	for (uint32_t i = 0; i < n->stores.len; i++)
		if (n->stores.data[i].field.i == f.i) {
			only = &n->stores.data[i];
			v = value_join(c->h, v, only->value);
			count++;
		}
	if (count == 1 && is_first_static(c, only)) {
		if (is_made_for_it(only)) {
			v.identity = ID_FIELD;
			v.id = f.i;
		}
		return v;
	}
	/* Without a store, a final field has a constant of the class file, which nobody reads as a field. */
	bool is_constant = !count && (field_row(c->p, f)->flags & ACCESS_FINAL);
	return is_constant ? VALUE_UNKNOWN : value_join(c->h, v, default_of(c->p, f));
}

/* Fields of objects */

static bool is_this(const struct code *k, ir_value v)
{
	return !k->is_static && k->def[v] && k->def[v]->op == IR_PARAM && k->def[v]->ref == 0;
}

static bool leaks(struct conditions *c, method_id m, uint32_t depth);

/* May others see `this` by what the statement does? */
static bool leaks_at(struct conditions *c, const struct code *k, const struct ir_stmt *s, uint32_t depth)
{
	uint32_t first = s->op == IR_PUTFIELD || s->op == IR_GETFIELD || s->op == IR_CALL_SPECIAL ? 1 : 0;

	for (uint32_t i = first; i < s->nargs; i++)
		if (is_this(k, k->body->args[s->args + i]) && s->op != IR_IF)
			return true;
	if (s->op != IR_CALL_SPECIAL || !s->nargs || !is_this(k, k->body->args[s->args]))
		return false;
	if (depth == 0 || resolve_method(c->h, (mref_id){ s->ref }) != RESOLVE_OK)
		return true;
	method_id m = select_special(c->h, method_row(c->p, k->m)->owner, (mref_id){ s->ref });
	return !m.i || leaks(c, m, depth - 1);
}

static bool leaks(struct conditions *c, method_id m, uint32_t depth)
{
	const struct code *k;

	if (method_row(c->p, m)->owner.i == c->p->object.i)
		return false;
	k = conditions_code(c, m);
	for (uint32_t i = 0; k && i < k->body->nstmts; i++)
		if (leaks_at(c, k, &k->body->stmts[i], depth))
			return true;
	return !k;
}

/* this(...): another constructor of the class does it all. */
static bool calls_other(struct conditions *c, const struct code *k)
{
	for (uint32_t i = 0; i < k->body->nstmts; i++) {
		const struct ir_stmt *s = &k->body->stmts[i];
		if (s->op == IR_CALL_SPECIAL && s->nargs && is_this(k, k->body->args[s->args]) &&
		    mref_row(c->p, (mref_id){ s->ref })->owner.i == method_row(c->p, k->m)->owner.i &&
		    str_is(sel_name(c->p, mref_row(c->p, (mref_id){ s->ref })->sel), "<init>"))
			return true;
	}
	return false;
}

static bool is_stored_first(struct conditions *c, const struct code *k, field_id f)
{
	const struct ir_body *b = k->body;

	for (uint32_t i = 0; i < b->nstmts; i++) {
		const struct ir_stmt *s = &b->stmts[i];
		if (s->op == IR_PUTFIELD && is_this(k, b->args[s->args]) && accessed(c, s).i == f.i && is_always_run(k, k->block_of[i]))
			return true;
		if (leaks_at(c, k, s, QUIET_DEPTH) || (s->op == IR_GETFIELD && accessed(c, s).i == f.i))
			return false;
	}
	return false;
}

/* Every constructor stores the field before anybody can see the object. A finaliser may see what an exception left; another thread
 * may see fields that are not final before they are stored (JLS 17.5). */
static bool is_always_stored(struct conditions *c, field_id f)
{
	class_id owner = field_row(c->p, f)->owner;
	uint32_t first = class_row(c->p, owner)->first_method, end = first + class_row(c->p, owner)->nmethods;

	for (uint32_t m = first; m < end; m++) {
		if (!str_is(sel_name(c->p, method_row(c->p, (method_id){ m })->sel), "<init>"))
			continue;
		const struct code *k = conditions_code(c, (method_id){ m });
		if (!k || (!calls_other(c, k) && !is_stored_first(c, k, f)))
			return false;
	}
	return true;
}

static bool has_finaliser_below(struct conditions *c, class_id owner)
{
	for (uint32_t i = 1; i < c->p->classes.len; i++)
		if (c->p->classes.data[i].state == LOAD_DONE && (class_id){ i }.i != c->p->object.i &&
		    program_declared(c->p, (class_id){ i }, c->finalize).i && hierarchy_is_subclass(c->h, (class_id){ i }, owner))
			return true;
	return false;
}

static struct value instance_value(struct conditions *c, field_id f, const struct nest *n)
{
	class_id owner = field_row(c->p, f)->owner;
	bool is_serial = hierarchy_is_subtype(c->h, owner, c->p->serializable);
	struct value v = { 0 };

	if (hook_stores_field(c->h, f))
		return VALUE_UNKNOWN;
	for (uint32_t i = 0; i < n->stores.len; i++)
		if (n->stores.data[i].field.i == f.i)
			v = value_join(c->h, v, n->stores.data[i].value);
	if (v.kind == VALUE_ANY)
		return v;
	bool is_final = field_row(c->p, f)->flags & ACCESS_FINAL;
	bool is_sure = v.kind != VALUE_NONE && !is_serial && is_final && is_always_stored(c, f) && !has_finaliser_below(c, owner);
	return is_sure ? v : value_join(c->h, v, default_of(c->p, f));
}

/* Fields of objects of one class: what its constructors pass to those of the class that declares the field. */

static bool is_constructor(const struct program *p, method_id m)
{
	return str_is(sel_name(p, method_row(p, m)->sel), "<init>");
}

/* Only constructors of its class store it, in the object that they make. */
static bool is_set_by_constructors(struct conditions *c, field_id f, const struct nest *n)
{
	for (uint32_t i = 0; i < n->stores.len; i++) {
		const struct store *s = &n->stores.data[i];
		const struct ir_body *b = s->code->body;
		if (s->field.i == f.i && (!is_constructor(c->p, s->code->m) || !is_this(s->code, b->args[b->stmts[s->stmt].args])))
			return false;
	}
	return true;
}

static struct value stored_by(struct conditions *c, method_id m, const struct value *params, uint32_t n, field_id f, uint32_t depth);

/* this(...) or super(...) */
static struct value stored_by_call(struct conditions *c, const struct evaluation *e, const struct ir_stmt *s, uint32_t block, field_id f,
				   uint32_t depth)
{
	struct value args[MOST_ARGS];

	if (depth == 0 || s->nargs > MOST_ARGS || resolve_method(c->h, (mref_id){ s->ref }) != RESOLVE_OK)
		return VALUE_UNKNOWN;
	for (uint32_t i = 0; i < s->nargs; i++)
		args[i] = evaluation_use(c, e, e->code->body->args[s->args + i], block);
	return stored_by(c, mref_row(c->p, (mref_id){ s->ref })->target, args, s->nargs, f, depth - 1);
}

static struct value stored_at(struct conditions *c, const struct evaluation *e, const struct ir_stmt *s, uint32_t block, field_id f,
			      uint32_t depth)
{
	const ir_value *args = &e->code->body->args[s->args];

	if (s->op == IR_PUTFIELD && accessed(c, s).i == f.i)
		return evaluation_use(c, e, args[1], block);
	if (s->op == IR_CALL_SPECIAL && s->nargs && is_this(e->code, args[0]) &&
	    str_is(sel_name(c->p, mref_row(c->p, (mref_id){ s->ref })->sel), "<init>"))
		return stored_by_call(c, e, s, block, f, depth);
	return (struct value){ 0 };
}

/* All that a constructor stores in the field, itself or by another one; VALUE_NONE: nothing. */
static struct value stored_by(struct conditions *c, method_id m, const struct value *params, uint32_t n, field_id f, uint32_t depth)
{
	const struct code *k = method_row(c->p, m)->owner.i == c->p->object.i ? NULL : conditions_code(c, m);
	bool was_busy = c->is_busy;
	struct value v = { 0 };
	struct evaluation e;

	if (!k)
		return method_row(c->p, m)->owner.i == c->p->object.i ? v : VALUE_UNKNOWN;
	c->is_busy = true;
	conditions_evaluate(c, k, params, n, 0, &e);
	for (uint32_t i = 0; i < k->body->nstmts; i++)
		if (e.live[k->block_of[i]])
			v = value_join(c->h, v, stored_at(c, &e, &k->body->stmts[i], k->block_of[i], f, depth));
	c->is_busy = was_busy;
	evaluation_release(&e);
	return v;
}

static struct value class_value(struct conditions *c, field_id f, const struct nest *n, class_id of)
{
	uint32_t first = class_row(c->p, of)->first_method, end = first + class_row(c->p, of)->nmethods;
	class_id owner = field_row(c->p, f)->owner;
	struct value v = { 0 };

	if (!is_set_by_constructors(c, f, n))
		return VALUE_UNKNOWN;
	for (uint32_t m = first; m < end; m++)
		if (is_constructor(c->p, (method_id){ m }))
			v = value_join(c->h, v, stored_by(c, (method_id){ m }, NULL, 0, f, QUIET_DEPTH));
	bool is_sure = v.kind != VALUE_NONE && is_always_stored(c, f) && !has_finaliser_below(c, owner);
	return is_sure ? v : value_join(c->h, v, default_of(c->p, f));
}

/* The class, if it is worth asking: nobody reads objects of it from a stream, which runs no constructor of it. */
static class_id asked_class(struct conditions *c, field_id f, struct value of)
{
	const struct ir_field *row = field_row(c->p, f);
	bool is_known = value_is_exact(of) && (row->flags & ACCESS_FINAL) && !(row->flags & ACCESS_STATIC) &&
			class_row(c->p, of.cls)->kind == CLASS_FILE && !class_row(c->p, of.cls)->is_unseen &&
			hierarchy_is_subclass(c->h, of.cls, row->owner) && !hierarchy_is_subtype(c->h, of.cls, c->p->serializable);

	return is_known ? of.cls : (class_id){ 0 };
}

static struct value find_value(struct conditions *c, field_id f, class_id of)
{
	const struct ir_field *row = field_row(c->p, f);
	bool is_static = row->flags & ACCESS_STATIC;

	if (!(row->flags & (ACCESS_PRIVATE | ACCESS_FINAL)) || class_row(c->p, row->owner)->kind != CLASS_FILE)
		return VALUE_UNKNOWN;
	str_id name = sel_row(c->p, row->sel)->name;
	const struct nest *n = nest_of(c, row->owner);
	bool is_named = map_get(&n->names, name.i) && !(is_static && (field_row(c->p, f)->flags & ACCESS_FINAL));
	if (n->is_unsafe || is_named)
		return VALUE_UNKNOWN;
	struct value v = is_static ? static_value(c, f, n) : instance_value(c, f, n);
	return v.kind == VALUE_ANY && of.i ? class_value(c, f, n, of) : v;
}

struct value conditions_field(struct conditions *c, fref_id ref, struct value of)
{
	if (c->is_busy || resolve_field(c->h, ref) != RESOLVE_OK)
		return VALUE_UNKNOWN;
	field_id f = fref_row(c->p, ref)->target;
	class_id cls = asked_class(c, f, of);
	uint32_t known = map_get(&c->fields, map_key(f.i, cls.i));
	if (known)
		return c->table.values.data[known - 1];
	struct value v = find_value(c, f, cls);
	*map_at(&c->fields, map_key(f.i, cls.i)) = 1 + value_intern(&c->table, v);
	return v;
}

/* Fields that stay */

/* Does the operation need an object there? */
static bool needs_object(const struct ir_stmt *s)
{
	return s->op == IR_GETFIELD || s->op == IR_PUTFIELD || s->op == IR_LENGTH || s->op == IR_ALOAD || s->op == IR_ASTORE ||
	       s->op == IR_CALL_SPECIAL || s->op == IR_CALL_VIRTUAL || s->op == IR_CALL_INTERFACE;
}

/* Where a block has a handler, it may be left before its statements have run. */
bool conditions_is_object(const struct code *k, ir_value v, uint32_t stmt)
{
	const struct ir_body *b = k->body;
	const struct ir_stmt *def = k->def[v];

	bool is_made = def && (def->op == IR_NEW || def->op == IR_NEWARRAY || def->op == IR_CONST_STRING || def->op == IR_CONST_CLASS);

	if (is_made || is_this(k, v))
		return true;
	for (uint32_t i = 0; i < b->nstmts; i++) {
		const struct ir_stmt *s = &b->stmts[i];
		uint32_t block = k->block_of[i], at = k->block_of[stmt];
		if (!needs_object(s) || !s->nargs || b->args[s->args] != v)
			continue;
		if (block == at ? i < stmt : !b->blocks[block].nhandlers && dominates(k->idom, block, at))
			return true;
	}
	return false;
}

static bool is_copy(struct conditions *c, const struct code *k, ir_value v, uint32_t depth);

/* Do all that it returns come from Object.clone()? */
static bool returns_copy(struct conditions *c, method_id m, uint32_t depth)
{
	const struct code *k = depth ? conditions_code(c, m) : NULL;

	for (uint32_t i = 0; k && i < k->body->nblocks; i++) {
		const struct ir_stmt *s = &k->body->stmts[k->body->blocks[i].end - 1];
		if (s->op == IR_RETURN && (!s->nargs || !is_copy(c, k, k->body->args[s->args], depth - 1)))
			return false;
	}
	return k != NULL;
}

/* super.clone(): a new object */
static bool is_copy(struct conditions *c, const struct code *k, ir_value v, uint32_t depth)
{
	const struct ir_stmt *s = k->def[v];

	for (; s && s->op == IR_CAST; s = k->def[k->body->args[s->args]])
		;
	if (!s || s->op != IR_CALL_SPECIAL || !str_is(sel_name(c->p, mref_row(c->p, (mref_id){ s->ref })->sel), "clone") ||
	    resolve_method(c->h, (mref_id){ s->ref }) != RESOLVE_OK)
		return false;
	method_id m = select_special(c->h, method_row(c->p, k->m)->owner, (mref_id){ s->ref });
	return m.i && (method_row(c->p, m)->owner.i == c->p->object.i || returns_copy(c, m, depth));
}

static bool is_own(const struct code *k, ir_value v);

/* Does others' code see the value by its use as the operand? */
static bool shows(const struct code *k, const struct ir_stmt *s, uint32_t operand)
{
	if (s->op == IR_CAST)
		return !is_own(k, s->result);
	return s->op != IR_RETURN && !((s->op == IR_PUTFIELD || s->op == IR_GETFIELD) && operand == 0);
}

/* Only fields of it are used, but for its return. */
static bool is_own(const struct code *k, ir_value v)
{
	const struct ir_body *b = k->body;

	for (uint32_t i = 0; i < b->nstmts; i++)
		for (uint32_t j = 0; j < b->stmts[i].nargs; j++)
			if (b->args[b->stmts[i].args + j] == v && shows(k, &b->stmts[i], j))
				return false;
	return true;
}

static ir_value uncast(const struct code *k, ir_value v)
{
	while (k->def[v] && k->def[v]->op == IR_CAST)
		v = k->body->args[k->def[v]->args];
	return v;
}

/* Is the object one that nobody else has seen as yet? */
static bool is_stored_early(struct conditions *c, const struct store *s)
{
	const struct code *k = s->code;
	ir_value of = k->body->args[k->body->stmts[s->stmt].args];

	if (!is_this(k, of))
		return is_copy(c, k, of, QUIET_DEPTH) && is_own(k, uncast(k, of));
	if (!is_constructor(c->p, k->m) || !is_before_loops(k->body, k->block_of[s->stmt]))
		return false;
	for (uint32_t i = 0; i < s->stmt; i++)
		if (leaks_at(c, k, &k->body->stmts[i], QUIET_DEPTH))
			return false;
	return true;
}

static bool find_kept(struct conditions *c, field_id f)
{
	const struct ir_field *row = field_row(c->p, f);
	char type = sel_desc(c->p, row->sel).p[0];
	str_id name = sel_row(c->p, row->sel)->name;
	class_id owner = row->owner;

	if (!(row->flags & ACCESS_PRIVATE) || (row->flags & ACCESS_STATIC) || (type != 'L' && type != '[') ||
	    class_row(c->p, owner)->kind != CLASS_FILE || hierarchy_is_subtype(c->h, owner, c->p->serializable))
		return false;
	const struct nest *n = nest_of(c, owner);
	if (n->is_unsafe || map_get(&n->names, name.i))
		return false;
	for (uint32_t i = 0; i < n->stores.len; i++) {
		const struct store *s = &n->stores.data[i];
		ir_value v = s->code->body->args[s->code->body->stmts[s->stmt].args + 1];
		if (s->field.i == f.i && !value_is_object(s->value) && !conditions_is_object(s->code, v, s->stmt) && !is_stored_early(c, s))
			return false;
	}
	return true;
}

bool conditions_is_kept(struct conditions *c, field_id f)
{
	uint32_t known = map_get(&c->kept, f.i);

	if (known || c->is_busy)
		return known == 2;
	bool is_kept = find_kept(c, f);
	*map_at(&c->kept, f.i) = is_kept ? 2 : 1;
	return is_kept;
}
