/* SPDX-License-Identifier: Apache-2.0 */
/* library.c - what a library and its unknown clients can do to each other, and what they cannot.
 *
 * All data of clients is ph_var, all their code is ph_proc: an object that ph_var may point to can be reached by clients, a
 * statement through a pointer that may point to ph_var can touch their data, a call that may be of ph_proc calls them. */
#include "report/c/c_p.h"

bool c_is_library_object(const struct c_result *r, cobj_id o)
{
	const struct cobj *row = &r->program->objs.data[o.i];

	/* An allocator's own object, which stands for calls through pointers, and the ... of printf are no variables of the library */
	if (row->fn.i && c_fn(r, row->fn)->flags & CFN_MODEL)
		return false;
	return row->kind != COBJ_FUNCTION && row->kind != COBJ_STRING && !(row->flags & (COBJ_MODEL | COBJ_PLACEHOLDER | COBJ_IMPORTED));
}

/* What a function that allocates for its callers allocates has their names. Its own name says something only where clients get
 * memory under it: unreached, it would be called out of reach although clients may reach what callers have of it. */
static bool has_other_names(const struct c_interaction *x, const struct c_result *r, cobj_id o)
{
	const struct cobj *row = &r->program->objs.data[o.i];

	return row->kind == COBJ_HEAP && row->fn.i && c_fn(r, row->fn)->flags & CFN_ALLOCATES && !x->reached[o.i];
}

/* The objects that a cell of ph_var may point to. */
static void mark_reached(struct c_interaction *x, const struct c_result *r, bool *known)
{
	ccell_vec cells = { 0 };

	for (uint32_t c = 1; c <= cpta_ncells(r->facts); c++) {
		cobj_id o = cpta_cell(r->facts, (ccell_id){ c }).obj;
		known[o.i] = true;
		if (o.i == r->ph_var.i)
			cpta_content(r->facts, (ccell_id){ c }, &cells);
	}
	for (uint32_t i = 0; i < cells.len; i++)
		x->reached[cpta_cell(r->facts, cells.data[i]).obj.i] = true;
	vec_release(&cells);
}

/* Objects that no pointer points to have no cells: of these, what clients can name is reached. */
static void count_objects(struct c_interaction *x, const struct c_result *r, const bool *known)
{
	for (uint32_t o = 1; o < r->program->objs.len; o++) {
		const struct cobj *row = &r->program->objs.data[o];
		if (row->flags & COBJ_EXPORTED)
			x->reached[o] = true;
		if (!c_is_library_object(r, (cobj_id){ o }) || (row->kind != COBJ_GLOBAL && !known[o]) ||
		    has_other_names(x, r, (cobj_id){ o }))
			continue;
		x->nobjects++;
		x->nreached += x->reached[o];
	}
}

/* Sets are shared by many variables: what is in them is looked up once. */
struct lookup {
	const struct c_result *r;
	uint8_t *known;               /* by set: 0 not yet, 1 no, 2 ph_var is in it */
	ccell_vec cells;
};

static bool may_be_clients(struct lookup *k, uint32_t v)
{
	uint32_t set = cpta_set_of_var(k->r->facts, (cvar_id){ v });

	if (!v)
		return false;
	if (!k->known[set]) {
		k->known[set] = 1;
		vec_clear(&k->cells);
		cpta_set(k->r->facts, set, &k->cells);
		for (uint32_t i = 0; i < k->cells.len; i++)
			if (cpta_cell(k->r->facts, k->cells.data[i]).obj.i == k->r->ph_var.i)
				k->known[set] = 2;
	}
	return k->known[set] == 2;
}

static bool is_through_pointer(const struct cstmt *s)
{
	return (s->op == C_LOAD || s->op == C_STORE || s->op == C_MOVE) && !(s->flags & CSTMT_HIDDEN);
}

static bool touches(struct lookup *k, const struct cstmt *s)
{
	return (s->op != C_LOAD && may_be_clients(k, s->dst)) || (s->op != C_STORE && may_be_clients(k, s->src));
}

static bool may_call(const struct c_result *r, uint32_t call, cfn_id f, cfn_vec *targets)
{
	vec_clear(targets);
	cpta_targets(r->facts, (ccall_id){ call }, targets);
	for (uint32_t i = 0; i < targets->len; i++)
		if (targets->data[i].i == f.i)
			return true;
	return false;
}

static void scan_function(struct c_interaction *x, struct lookup *k, uint32_t f, cfn_vec *targets)
{
	const struct cprogram *p = k->r->program;
	const struct cfn *row = &p->fns.data[f];
	bool is_own = c_is_own(k->r, (cfn_id){ f });

	for (uint32_t i = row->stmts; i < row->stmts + row->nstmts; i++) {
		if (!is_through_pointer(&p->stmts.data[i]))
			continue;
		x->touches[i] = touches(k, &p->stmts.data[i]);
		x->fn_touches[f] |= x->touches[i];
		x->nstatements += is_own;
	}
	for (uint32_t c = row->calls; c < row->calls + row->ncalls; c++) {
		x->calls_back[c] = may_call(k->r, c, k->r->ph_proc, targets);
		x->fn_interacts[f] |= x->calls_back[c];
		x->ncalls += is_own;
		x->ncalling += is_own && x->calls_back[c];
	}
}

/* May the call run a model, and one that touches clients' data? */
static bool calls_model(const struct c_interaction *x, const struct c_result *r, uint32_t call, cfn_vec *targets, bool *touching)
{
	bool is_models = false;

	vec_clear(targets);
	cpta_targets(r->facts, (ccall_id){ call }, targets);
	for (uint32_t i = 0; i < targets->len; i++) {
		cfn_id f = targets->data[i];
		is_models |= (c_fn(r, f)->flags & CFN_MODEL) != 0;
		*touching |= c_fn(r, f)->flags & CFN_MODEL && x->fn_touches[f.i];
	}
	return is_models;
}

/* What a model does is done by the statement that calls it: memcpy is an access of its caller's. */
static void scan_model_calls(struct c_interaction *x, const struct c_result *r, uint32_t f, cfn_vec *targets)
{
	const struct cprogram *p = r->program;
	const struct cfn *row = &p->fns.data[f];
	bool is_own = c_is_own(r, (cfn_id){ f });

	for (uint32_t i = row->stmts; i < row->stmts + row->nstmts; i++) {
		if (p->stmts.data[i].op == C_CALL)
			x->nstatements += calls_model(x, r, p->stmts.data[i].dst, targets, &x->touches[i]) && is_own;
		x->fn_touches[f] |= x->touches[i];
		x->ntouching += is_own && x->touches[i];
	}
	x->fn_interacts[f] |= x->fn_touches[f];
}

/* Is anything passed that may be, or hold, a function of clients'? Texts and numbers do not. */
static bool passes_memory(const struct c_result *r, const struct ccall *c)
{
	ccell_vec cells = { 0 };
	bool found = false;

	for (uint32_t a = c->args; a < c->args + c->nargs && !found; a++) {
		vec_clear(&cells);
		if (r->program->args.data[a].i)
			cpta_set(r->facts, cpta_set_of_var(r->facts, r->program->args.data[a]), &cells);
		for (uint32_t i = 0; i < cells.len && !found; i++)
			found = r->program->objs.data[cpta_cell(r->facts, cells.data[i]).obj.i].kind != COBJ_STRING;
	}
	vec_release(&cells);
	return found;
}

/* May the call run a model that calls clients, as qsort does? */
static bool calls_through_model(const struct c_interaction *x, const struct c_result *r, uint32_t call, cfn_vec *targets)
{
	vec_clear(targets);
	cpta_targets(r->facts, (ccall_id){ call }, targets);
	for (uint32_t i = 0; i < targets->len; i++) {
		const struct cfn *row = c_fn(r, targets->data[i]);
		for (uint32_t c = row->calls; row->flags & CFN_MODEL && c < row->calls + row->ncalls; c++)
			if (x->calls_back[c])
				return passes_memory(r, &r->program->calls.data[call]);
	}
	return false;
}

/* A model's calls are those of the statement that calls it: qsort(v, n, size, compare) calls compare. Not what runs because of
 * earlier calls, when a program exits or gets a signal: each assert would be a call of clients. True: something is new. */
static bool scan_calls_through_models(struct c_interaction *x, const struct c_result *r, bool own, cfn_vec *targets)
{
	const struct cprogram *p = r->program;
	bool changed = false;

	for (uint32_t c = 1; c < p->calls.len; c++) {
		cfn_id f = p->calls.data[c].caller;
		if (x->calls_back[c] || !cpta_reached(r->facts, f) || f.i == r->ph_proc.i || c_is_own(r, f) != own ||
		    !calls_through_model(x, r, c, targets))
			continue;
		x->calls_back[c] = x->fn_interacts[f.i] = changed = true;
		x->ncalling += own;
	}
	return changed;
}

/* Does a function that f calls interact? */
static bool calls_interacting(const struct c_interaction *x, const struct c_result *r, uint32_t f, cfn_vec *targets)
{
	const struct cfn *row = &r->program->fns.data[f];

	for (uint32_t c = row->calls; c < row->calls + row->ncalls; c++) {
		vec_clear(targets);
		cpta_targets(r->facts, (ccall_id){ c }, targets);
		for (uint32_t i = 0; i < targets->len; i++)
			if (x->fn_interacts[targets->data[i].i])
				return true;
	}
	return false;
}

/* Upwards along calls until nothing changes: as many rounds as the longest chain of calls, of which there are few. */
static void close_upwards(struct c_interaction *x, const struct c_result *r, cfn_vec *targets)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t f = 1; f < r->program->fns.len; f++) {
			if (x->fn_interacts[f] || !cpta_reached(r->facts, (cfn_id){ f }) || !calls_interacting(x, r, f, targets))
				continue;
			x->fn_interacts[f] = changed = true;
		}
	}
	for (uint32_t f = 1; f < r->program->fns.len; f++) {
		if (!c_is_own(r, (cfn_id){ f }))
			continue;
		x->nfunctions++;
		x->ninteracting += x->fn_interacts[f];
	}
}

/* Of the library's own functions, or of models, which may call each other. True: something is new. */
static bool scan_calls(struct c_interaction *x, const struct c_result *r, bool own, cfn_vec *targets)
{
	bool changed = false;

	for (uint32_t f = 1; f < r->program->fns.len; f++) {
		bool before = x->fn_touches[f];
		if (!cpta_reached(r->facts, (cfn_id){ f }) || f == r->ph_proc.i || c_is_own(r, (cfn_id){ f }) != own)
			continue;
		scan_model_calls(x, r, f, targets);
		changed |= x->fn_touches[f] != before;
	}
	return changed;
}

void c_interaction_compute(struct c_interaction *x, const struct c_result *r)
{
	const struct cprogram *p = r->program;
	struct lookup k = { .r = r, .known = mem_zalloc((size_t)cpta_nsets(r->facts) + 1) };
	bool *known = mem_zalloc(p->objs.len + 1);
	cfn_vec targets = { 0 };

	*x = (struct c_interaction){ .reached = mem_zalloc(p->objs.len + 1), .touches = mem_zalloc(p->stmts.len + 1),
				     .calls_back = mem_zalloc(p->calls.len + 1), .fn_touches = mem_zalloc(p->fns.len + 1),
				     .fn_interacts = mem_zalloc(p->fns.len + 1) };
	mark_reached(x, r, known);
	count_objects(x, r, known);
	if (r->ph_proc.i)
		x->fn_interacts[r->ph_proc.i] = true;
	for (uint32_t f = 1; f < p->fns.len; f++)
		if (cpta_reached(r->facts, (cfn_id){ f }) && f != r->ph_proc.i)
			scan_function(x, &k, f, &targets);
	while (scan_calls(x, r, false, &targets))
		continue;
	scan_calls(x, r, true, &targets);
	while (scan_calls_through_models(x, r, false, &targets))
		continue;
	scan_calls_through_models(x, r, true, &targets);
	close_upwards(x, r, &targets);
	vec_release(&targets);
	vec_release(&k.cells);
	free(k.known);
	free(known);
}

void c_interaction_release(struct c_interaction *x)
{
	free(x->reached);
	free(x->touches);
	free(x->calls_back);
	free(x->fn_touches);
	free(x->fn_interacts);
}

struct c_client_stats report_clients_stats(const struct c_result *r)
{
	struct c_interaction x;

	c_interaction_compute(&x, r);
	c_interaction_release(&x);
	return (struct c_client_stats){ x.nobjects, x.nreached, x.nstatements, x.ntouching, x.ncalls, x.ncalling, x.nfunctions,
					x.ninteracting };
}

/* The names of the library's objects that clients can reach, or of those that they cannot, sorted. */
static int by_str(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

typedef VEC(struct str) str_vec;
static void object_names(const struct c_interaction *x, const struct c_names *n, bool reached, struct arena *mem, str_vec *out)
{
	const struct cprogram *p = n->r->program;
	struct strbuf text = { 0 };
	bool *known = mem_zalloc(p->objs.len + 1);

	for (uint32_t c = 1; c <= n->ncells; c++)
		known[cpta_cell(n->r->facts, (ccell_id){ c }).obj.i] = true;
	for (uint32_t o = 1; o < p->objs.len; o++) {
		if (!c_is_library_object(n->r, (cobj_id){ o }) || x->reached[o] != reached ||
		    (p->objs.data[o].kind != COBJ_GLOBAL && !known[o]) || has_other_names(x, n->r, (cobj_id){ o }))
			continue;
		strbuf_clear(&text);
		cname_object(p, (cobj_id){ o }, &text);
		struct str s = strbuf_str(&text);
		s.p = arena_copy(mem, s.p, (size_t)s.len + 1);
		vec_push(out, s);
	}
	if (out->len)
		qsort(out->data, out->len, sizeof(out->data[0]), by_str);
	strbuf_release(&text);
	free(known);
}

static void json_names(struct json *j, const char *key, const str_vec *names)
{
	json_break(j);
	json_key(j, key), json_array(j);
	for (uint32_t i = 0; i < names->len; i++)
		json_str(j, names->data[i]);
	json_end_array(j);
}

static void json_objects(struct json *j, const struct c_interaction *x, struct c_names *n, const char *key, bool reached)
{
	str_vec names = { 0 };
	struct arena mem;

	arena_init(&mem);
	object_names(x, n, reached, &mem, &names);
	json_names(j, key, &names);
	vec_release(&names);
	arena_release(&mem);
}

static void json_exports(struct json *j, const struct c_names *n)
{
	const struct cprogram *p = n->r->program;
	struct strbuf text = { 0 };
	str_vec names = { 0 };
	struct arena mem;

	arena_init(&mem);
	for (uint32_t o = 1; o < p->objs.len; o++) {
		if (!(p->objs.data[o].flags & COBJ_EXPORTED))
			continue;
		strbuf_clear(&text);
		cname_object(p, (cobj_id){ o }, &text);
		struct str s = strbuf_str(&text);
		s.p = arena_copy(&mem, s.p, (size_t)s.len + 1);
		vec_push(&names, s);
	}
	if (names.len)
		qsort(names.data, names.len, sizeof(names.data[0]), by_str);
	json_names(j, "exports", &names);
	vec_release(&names);
	arena_release(&mem);
	strbuf_release(&text);
}

/* The statements that touch clients' data, or that call clients. */
static void json_statements(struct json *j, const struct c_interaction *x, struct c_names *n, const c_stmt_vec *stmts, bool calls)
{
	const struct cprogram *p = n->r->program;

	json_break(j);
	json_key(j, calls ? "calls_clients" : "touches_clients"), json_array(j);
	for (uint32_t i = 0; i < stmts->len; i++) {
		const struct cstmt *s = &p->stmts.data[stmts->data[i].row];
		if (calls ? s->op != C_CALL || !x->calls_back[s->dst] : !x->touches[stmts->data[i].row])
			continue;
		json_break(j);
		json_object(j);
		c_json_fn(j, n, stmts->data[i].fn);
		c_json_place(j, n->r, s->loc);
		if (!calls)
			json_key(j, "kind"), json_escaped(j, str_of(c_stmt_kind(s)));
		json_end_object(j);
	}
	json_end_array(j);
}

static void json_functions(struct json *j, const struct c_interaction *x, struct c_names *n)
{
	json_break(j);
	json_key(j, "functions_without_interaction"), json_array(j);
	for (uint32_t k = 0; k < n->functions.n; k++)
		if (c_is_own(n->r, n->functions.order[k]) && !x->fn_interacts[n->functions.order[k].i])
			json_escaped(j, n->fns[n->functions.order[k].i]);
	json_end_array(j);
}

void c_json_library(struct json *j, struct c_names *n)
{
	struct c_interaction x;
	c_stmt_vec stmts = { 0 };

	c_interaction_compute(&x, n->r);
	c_statements(n->r, &stmts);
	json_break(j);
	json_key(j, "library"), json_object(j);
	json_exports(j, n);
	json_objects(j, &x, n, "reachable", true);
	json_objects(j, &x, n, "unreachable", false);
	json_statements(j, &x, n, &stmts, false);
	json_statements(j, &x, n, &stmts, true);
	json_functions(j, &x, n);
	json_end_object(j);
	vec_release(&stmts);
	c_interaction_release(&x);
}

static void share_row(struct c_screen *s, const char *label, uint64_t part, uint64_t whole)
{
	char a[32], b[32];

	sink_printf(s->out.out, "  %-44s", label);
	screen_style(&s->out, STYLE_BOLD);
	sink_printf(s->out.out, "%9s", grouped(part, a));
	screen_plain(&s->out);
	sink_printf(s->out.out, " of %9s", grouped(whole, b));
	screen_share(s->out.out, part, whole);
}

static void text_shares(struct c_screen *s, const struct c_interaction *x)
{
	sink_putc(s->out.out, '\n');
	screen_puts(&s->out, STYLE_BOLD, "The library and its clients");
	sink_putc(s->out.out, '\n');
	share_row(s, "Variables that clients can reach", x->nreached, x->nobjects);
	share_row(s, "Accesses that can touch their data", x->ntouching, x->nstatements);
	share_row(s, "Calls that can call clients", x->ncalling, x->ncalls);
	share_row(s, "Functions that do either, or call such", x->ninteracting, x->nfunctions);
}

static uint32_t rows_of(const struct c_screen *s)
{
	return s->head->all ? UINT32_MAX : 10;
}

static void text_names(struct c_screen *s, const str_vec *names)
{
	uint32_t shown = 0;

	for (; shown < names->len && shown < rows_of(s); shown++) {
		strbuf_clear(&s->text);
		escape_add(&s->text, ESCAPE_PLAIN, names->data[shown]);
		sink_puts(s->out.out, "  ");
		c_screen_name(s, strbuf_str(&s->text), s->width - 2);
		sink_putc(s->out.out, '\n');
	}
	c_screen_more(s, names->len - shown, "--all lists them");
}

static void text_objects(struct c_screen *s, const struct c_interaction *x, const char *title, bool reached)
{
	str_vec names = { 0 };
	struct arena mem;

	arena_init(&mem);
	object_names(x, &s->names, reached, &mem, &names);
	if (names.len) {
		c_screen_title(s, title, names.len);
		text_names(s, &names);
	}
	vec_release(&names);
	arena_release(&mem);
}

/* Function by function: how many such statements, and the lines of the first. */
struct tally {
	cfn_id fn;
	uint32_t n;
	cloc_id first;
};
typedef VEC(struct tally) tally_vec;

static void tally_statements(const struct c_screen *s, const struct c_interaction *x, bool calls, tally_vec *out)
{
	const struct cprogram *p = s->r->program;

	for (uint32_t k = 0; k < s->names.functions.n; k++) {
		struct tally t = { .fn = s->names.functions.order[k] };
		const struct cfn *row = c_fn(s->r, t.fn);
		for (uint32_t i = row->stmts; i < row->stmts + row->nstmts && c_is_own(s->r, t.fn); i++) {
			const struct cstmt *st = &p->stmts.data[i];
			if (calls ? st->op != C_CALL || !x->calls_back[st->dst] : !x->touches[i])
				continue;
			if (!t.n++)
				t.first = st->loc;
		}
		if (t.n)
			vec_push(out, t);
	}
}

static void text_tally(struct c_screen *s, const struct c_interaction *x, const char *title, bool calls)
{
	tally_vec rows = { 0 };
	struct strbuf place = { 0 };
	uint32_t shown = 0;
	char buf[32];

	tally_statements(s, x, calls, &rows);
	if (rows.len)
		c_screen_title(s, title, rows.len);
	for (; shown < rows.len && shown < rows_of(s); shown++) {
		const struct tally *t = &rows.data[shown];
		strbuf_clear(&place);
		c_add_place(s, t->first, false, &place);
		sink_printf(s->out.out, "  %6s  ", grouped(t->n, buf));
		uint32_t room = (s->width - 12) / 2;
		uint32_t used = c_screen_name(s, s->names.fns[t->fn.i], room);
		c_screen_pad(s, used < room ? room + 2 - used : 2);
		c_screen_fitted(s, strbuf_str(&place), s->width - 12 - room);
		sink_putc(s->out.out, '\n');
	}
	c_screen_more(s, rows.len - shown, "--all lists them");
	strbuf_release(&place);
	vec_release(&rows);
}

static void text_functions(struct c_screen *s, const struct c_interaction *x)
{
	str_vec names = { 0 };

	for (uint32_t k = 0; k < s->names.functions.n; k++)
		if (c_is_own(s->r, s->names.functions.order[k]) && !x->fn_interacts[s->names.functions.order[k].i])
			vec_push(&names, s->names.fns[s->names.functions.order[k].i]);
	if (names.len) {
		c_screen_title(s, "Functions proved not to interact with clients", names.len);
		text_names(s, &names);
	}
	vec_release(&names);
}

void c_text_library(struct c_screen *s)
{
	struct c_interaction x;

	c_interaction_compute(&x, s->r);
	text_shares(s, &x);
	text_objects(s, &x, "Variables that clients can reach", true);
	text_tally(s, &x, "Functions with accesses that can touch clients' data (how many, the first)", false);
	text_tally(s, &x, "Functions that can call clients (calls, the first)", true);
	text_objects(s, &x, "Variables proved out of clients' reach", false);
	text_functions(s, &x);
	c_interaction_release(&x);
}
