/* SPDX-License-Identifier: Apache-2.0 */
/* sherd.h: C programs. */
#include "session/api/api_p.h"

#include <stdlib.h>

#include "report/c/names.h"
#include "session/cprogram.h"

enum { USUAL_CATEGORIES = 8 };

_Static_assert(sizeof(cfn_id) == sizeof(sherd_c_function), "lists of functions are handed out as they are");

/* Rows of `holders` that have one name, and what they hold, are one variable. */
struct variable {
	uint32_t first, n;
};

struct targets {
	const cfn_id *fns;            /* NULL: not asked yet */
	uint32_t n;
};

struct sherd_c_program {
	struct inquiry inquiry;
	struct csession s;
	bool ok;
	/* When it is */
	struct c_result result;
	struct c_names names;
	c_holder_vec holders;
	VEC(struct variable) variables;
	struct interner numbers;      /* names of variables */
	VEC(uint32_t) number_of;      /* by string of `numbers`, [0] unused */
	VEC(ccall_id) calls;          /* of the program's own functions */
	struct targets *targets;      /* by call */
	VEC(const char *) unknown;
	c_stmt_vec stmts;             /* for lines; empty until asked for */
	VEC(const char *) set;        /* the last one that was handed out */
	struct arena mem;
	struct api_texts diagnostics;
};

/* Opening */

const char *sherd_c_engine(size_t k)
{
	return k < CENGINES ? cengine_name((enum cengine)k) : NULL;
}

static bool find_engine(sherd_c_program *p, const char *name, enum cengine *out)
{
	for (enum cengine e = 0; e < CENGINES; e++)
		if (!name || strcmp(name, cengine_name(e)) == 0) {
			*out = e;
			return true;
		}
	api_refuse(&p->inquiry.diag, name, "no such engine; see sherd_c_engine()");
	return false;
}

static bool check_options(sherd_c_program *p, const struct sherd_c_options *o, struct csession_opt *out)
{
	enum cengine engine;

	if (!o || !o->nmodules || o->nmodules > UINT32_MAX || o->nexports > UINT32_MAX || o->nsummaries > UINT32_MAX) {
		api_refuse(&p->inquiry.diag, NULL, "a C program is one module at least: bitcode, as sherd modules lists it");
		return false;
	}
	if (!find_engine(p, o->engine, &engine))
		return false;
	*out = (struct csession_opt){ .modules = o->modules, .nmodules = (uint32_t)o->nmodules, .library = o->library,
				      .exports = o->exports, .nexports = (uint32_t)o->nexports, .engine = engine,
				      .fields = !o->merge_fields, .any_calls = o->any_calls,
				      .loads_unknown = o->loads_unknown,
				      .summaries = o->summaries, .nsummaries = (uint32_t)o->nsummaries };
	if (engine == CENGINE_CATEGORIES)
		out->categories = o->categories ? o->categories : USUAL_CATEGORIES;
	if (!o->nexports || o->library)
		return true;
	api_refuse(&p->inquiry.diag, NULL, "exports say what clients of a library may name: set library, too");
	return false;
}

static void number_variables(sherd_c_program *p)
{
	interner_init(&p->numbers);
	vec_push(&p->number_of, 0);
	c_holders(&p->names, &p->holders);
	for (uint32_t i = 0; i < p->holders.len; i++) {
		uint32_t rank = p->holders.data[i].rank;
		if (i == 0 || rank != p->holders.data[i - 1].rank) {
			if (intern(&p->numbers, p->names.text[rank]).i == p->number_of.len)
				vec_push(&p->number_of, p->variables.len);
			vec_push(&p->variables, ((struct variable){ i, 0 }));
		}
		vec_last(&p->variables)->n++;
	}
}

static void number_calls(sherd_c_program *p)
{
	for (uint32_t k = 0; k < p->names.functions.n; k++) {
		const struct cfn *f = c_fn(&p->result, p->names.functions.order[k]);
		for (uint32_t c = f->calls; c_is_own(&p->result, p->names.functions.order[k]) && c < f->calls + f->ncalls; c++)
			if (!(p->s.program.calls.data[c].flags & CCALL_ASM))
				vec_push(&p->calls, (ccall_id){ c });
	}
	p->targets = arena_zarray(&p->mem, struct targets, p->calls.len + 1);
}

static void list_unknown(sherd_c_program *p)
{
	c_note_vec notes = { 0 };
	str_id last = { 0 };

	c_notes(&p->result, &notes);
	for (uint32_t i = 0; i < notes.len; i++) {
		if (notes.data[i].kind != CNOTE_UNKNOWN || notes.data[i].text.i == last.i)
			continue;
		last = notes.data[i].text;
		vec_push(&p->unknown, interned(&p->s.program.names, last).p);      /* terminated */
	}
	vec_release(&notes);
}

sherd_c_program *sherd_c_open(const struct sherd_c_options *opt)
{
	sherd_c_program *p = mem_zalloc(sizeof(*p));
	struct csession_opt o;

	inquiry_init(&p->inquiry, PHASES_C);
	cprogram_init(&p->s.program);
	if (!check_options(p, opt, &o))
		return p;
	cprogram_release(&p->s.program);
	csession_init(&p->s, &p->inquiry, &o);
	p->ok = csession_need(&p->s, C_POINTSTO);
	p->s.opt.modules = p->s.opt.exports = p->s.opt.summaries = NULL;      /* the caller's */
	if (!p->ok)
		return p;
	p->result = csession_result(&p->s, false);
	c_names_init(&p->names, &p->result, ESCAPE_PLAIN);
	number_variables(p);
	number_calls(p);
	list_unknown(p);
	return p;
}

bool sherd_c_ok(const sherd_c_program *p)
{
	return p->ok;
}

void sherd_c_close(sherd_c_program *p)
{
	if (!p)
		return;
	if (p->ok) {
		c_names_release(&p->names);
		interner_release(&p->numbers);
	}
	vec_release(&p->holders);
	vec_release(&p->variables);
	vec_release(&p->number_of);
	vec_release(&p->calls);
	vec_release(&p->unknown);
	vec_release(&p->stmts);
	vec_release(&p->set);
	arena_release(&p->mem);
	csession_close(&p->s);
	inquiry_release(&p->inquiry);
	api_texts_release(&p->diagnostics);
	free(p);
}

const char *sherd_c_diagnostic(sherd_c_program *p, size_t k)
{
	return api_diagnostic(&p->inquiry.diag, &p->diagnostics, k);
}

const char *sherd_c_unknown(sherd_c_program *p, size_t k)
{
	return k < p->unknown.len ? p->unknown.data[k] : NULL;
}

/* Sets: what was marked in `names`, as names */

static struct sherd_c_set read_set(sherd_c_program *p)
{
	struct c_set s = c_set_read(&p->names);

	vec_clear(&p->set);
	for (uint32_t i = 0; i < s.n; i++)
		vec_push(&p->set, p->names.text[s.ranks[i]].p);
	return (struct sherd_c_set){ p->set.data, p->set.len };
}

size_t sherd_c_variables(sherd_c_program *p)
{
	return p->variables.len;
}

const char *sherd_c_variable_at(sherd_c_program *p, size_t k)
{
	return k < p->variables.len ? p->names.text[p->holders.data[p->variables.data[k].first].rank].p : NULL;
}

size_t sherd_c_find(sherd_c_program *p, const char *name)
{
	str_id id;

	if (!p->ok || !name || !*name || !interner_find(&p->numbers, str_of(name), &id))
		return p->variables.len;
	return p->number_of.data[id.i];
}

struct sherd_c_set sherd_c_points_to(sherd_c_program *p, size_t k)
{
	if (k >= p->variables.len)
		return (struct sherd_c_set){ 0 };
	for (uint32_t i = 0; i < p->variables.data[k].n; i++)
		c_holder_add(&p->names, &p->holders.data[p->variables.data[k].first + i]);
	return read_set(p);
}

/* Functions and calls */

size_t sherd_c_functions(sherd_c_program *p)
{
	return p->names.functions.n;
}

sherd_c_function sherd_c_function_at(sherd_c_program *p, size_t k)
{
	return k < p->names.functions.n ? p->names.functions.order[k].i : 0;
}

sherd_c_function sherd_c_find_function(sherd_c_program *p, const char *name)
{
	for (uint32_t k = 0; name && k < p->names.functions.n; k++)
		if (str_is(p->names.fns[p->names.functions.order[k].i], name))
			return p->names.functions.order[k].i;
	return 0;
}

static bool is_function(const sherd_c_program *p, sherd_c_function f)
{
	return p->ok && f > 0 && f < p->s.program.fns.len;
}

const char *sherd_c_function_name(sherd_c_program *p, sherd_c_function f)
{
	return is_function(p, f) ? p->names.fns[f].p : NULL;
}

bool sherd_c_function_is_own(const sherd_c_program *p, sherd_c_function f)
{
	return is_function(p, f) && c_is_own(&p->result, (cfn_id){ f });
}

size_t sherd_c_calls(sherd_c_program *p)
{
	return p->calls.len;
}

static const struct targets *targets_of(sherd_c_program *p, size_t k)
{
	struct targets *t = &p->targets[k];

	if (!t->fns) {
		const cfn_vec *found = c_targets(&p->names, p->calls.data[k]);
		t->fns = arena_copy(&p->mem, found->data, found->len * sizeof(*found->data));
		t->n = found->len;
	}
	return t;
}

struct sherd_c_call sherd_c_call_at(sherd_c_program *p, size_t k)
{
	if (k >= p->calls.len)
		return (struct sherd_c_call){ 0 };
	const struct cprogram *c = &p->s.program;
	const struct ccall *row = &c->calls.data[p->calls.data[k].i];
	const struct cloc *at = &c->locs.data[row->loc.i];
	const struct targets *t = targets_of(p, k);
	return (struct sherd_c_call){
		.caller = row->caller.i,
		.file = row->loc.i && at->file.i ? interned(&c->names, at->file).p : NULL,
		.line = row->loc.i ? at->line : 0,
		.column = row->loc.i ? at->column : 0,
		.through_pointer = c_is_indirect(&p->result, p->calls.data[k]),
		.targets = (const sherd_c_function *)t->fns,
		.ntargets = t->n,
	};
}

/* MOD and USE */

static enum effect effect_of(sherd_c_program *p, enum sherd_c_effect e)
{
	csession_need(&p->s, C_MODREF);
	p->result.effects = p->s.effects;
	return e == SHERD_C_USE ? EFFECT_USE : EFFECT_MOD;
}

struct sherd_c_set sherd_c_function_effects(sherd_c_program *p, sherd_c_function f, enum sherd_c_effect e)
{
	if (!sherd_c_function_is_own(p, f))
		return (struct sherd_c_set){ 0 };
	c_set_add_fn(&p->names, (cfn_id){ f }, effect_of(p, e));
	return read_set(p);
}

bool sherd_c_line_effects(sherd_c_program *p, const char *line, enum sherd_c_effect e, struct sherd_c_set *out)
{
	struct strbuf why = { 0 };
	struct c_line at;

	*out = (struct sherd_c_set){ 0 };
	bool found = p->ok && c_find_line(&p->result, line ? line : "", &at, &why);
	if (found) {
		enum effect effect = effect_of(p, e);
		if (!p->stmts.len)
			c_statements(&p->result, &p->stmts);
		for (uint32_t i = 0; i < p->stmts.len; i++)
			if (c_is_at(&p->result, &at, 1, p->stmts.data[i].row))
				c_set_add_stmt(&p->names, &p->stmts.data[i], effect);
		*out = read_set(p);
	} else {
		api_refuse(&p->inquiry.diag, line, "%s", why.len ? why.s : "the program could not be opened");
	}
	strbuf_release(&why);
	return found;
}
