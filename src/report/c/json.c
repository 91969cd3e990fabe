/* SPDX-License-Identifier: Apache-2.0 */
/* json.c - points-to facts, MOD and USE as JSON: see docs/formats/c.md. */
#include "report/c/c_p.h"

void c_json_head(struct json *j, const struct c_head *head, const char *schema)
{
	json_key(j, "schema"), json_escaped(j, str_of(schema));
	json_key(j, "engine"), json_escaped(j, str_of(head->engine));
	if (head->categories)
		json_key(j, "categories"), json_uint(j, head->categories);
	json_key(j, "fields"), json_bool(j, head->fields);
	json_key(j, "entry"), json_escaped(j, head->library ? STR("library") : STR("main"));
	json_key(j, "modules"), json_array(j);
	for (uint32_t i = 0; i < head->nmodules; i++)
		json_str(j, str_of(head->modules[i]));
	json_end_array(j);
	if (!head->nsummaries)
		return;
	json_key(j, "summaries"), json_array(j);
	for (uint32_t i = 0; i < head->nsummaries; i++)
		json_str(j, str_of(head->summaries[i]));
	json_end_array(j);
}

static void json_ranks(struct json *j, struct c_names *n)
{
	struct c_set set = c_set_read(n);

	json_array(j);
	for (uint32_t i = 0; i < set.n; i++)
		json_escaped(j, n->text[set.ranks[i]]);
	json_end_array(j);
}

void c_json_fn(struct json *j, struct c_names *n, cfn_id f)
{
	if (f.i)
		json_key(j, "function"), json_escaped(j, n->fns[f.i]);
}

void c_json_place(struct json *j, const struct c_result *r, cloc_id l)
{
	const struct cloc *at = &r->program->locs.data[l.i];

	if (!l.i)
		return;
	if (at->file.i)
		json_key(j, "file"), json_str(j, interned(&r->program->names, at->file));
	if (at->line)
		json_key(j, "line"), json_uint(j, at->line);
	if (at->column)
		json_key(j, "column"), json_uint(j, at->column);
}

static void json_call(struct json *j, struct c_names *n, cfn_id f, ccall_id c)
{
	const cfn_vec *t = c_targets(n, c);

	if (!t->len && !c_is_own(n->r, f))     /* a model that was given nothing to call */
		return;
	json_break(j);
	json_object(j);
	c_json_fn(j, n, f);
	c_json_place(j, n->r, n->r->program->calls.data[c.i].loc);
	if (c_is_indirect(n->r, c))
		json_key(j, "indirect"), json_bool(j, true);
	json_key(j, "targets"), json_array(j);
	for (uint32_t i = 0; i < t->len; i++)
		json_escaped(j, n->fns[t->data[i].i]);
	json_end_array(j);
	json_end_object(j);
}

void c_json_called(struct json *j, struct c_names *n)
{
	json_break(j);
	json_key(j, "called"), json_array(j);
	for (uint32_t k = 0; k < n->functions.n; k++) {
		const struct cfn *row = c_fn(n->r, n->functions.order[k]);
		for (uint32_t c = row->calls; c < row->calls + row->ncalls; c++)
			if (!(n->r->program->calls.data[c].flags & CCALL_ASM))
				json_call(j, n, n->functions.order[k], (ccall_id){ c });
	}
	json_end_array(j);
}

static void json_unknown(struct json *j, const struct c_result *r, const c_note_vec *notes)
{
	str_id last = { 0 };

	json_break(j);
	json_key(j, "unknown_functions"), json_array(j);
	for (uint32_t i = 0; i < notes->len; i++) {
		if (notes->data[i].kind != CNOTE_UNKNOWN || notes->data[i].text.i == last.i)
			continue;
		last = notes->data[i].text;
		json_str(j, interned(&r->program->names, last));
	}
	json_end_array(j);
}

/* Targets that the number of arguments rules out. */
static void json_mismatched(struct json *j, const struct c_result *r)
{
	uint64_t n = r->stats->mismatched;

	if (!n)
		return;
	json_break(j);
	json_object(j);
	json_key(j, "kind"), json_escaped(j, STR("matching-calls"));
	json_key(j, "edges"), json_uint(j, n);
	json_end_object(j);
}

void c_json_notes(struct json *j, struct c_names *n)
{
	const struct c_result *r = n->r;
	c_note_vec notes = { 0 };

	c_notes(r, &notes);
	json_unknown(j, r, &notes);
	json_break(j);
	json_key(j, "assumptions"), json_array(j);
	json_mismatched(j, r);
	for (uint32_t i = 0; i < notes.len; i++) {
		const struct cnote *x = &notes.data[i];
		json_break(j);
		json_object(j);
		json_key(j, "kind"), json_escaped(j, str_of(c_note_name(x->kind)));
		if (x->text.i)
			json_key(j, "text"), json_str(j, interned(&r->program->names, x->text));
		c_json_fn(j, n, x->fn);
		c_json_place(j, r, x->loc);
		json_end_object(j);
	}
	json_end_array(j);
	vec_release(&notes);
}

/* "name": [...] for every variable and cell that may point to something; those of one name are one. */
static void json_points_to(struct json *j, struct c_names *n, const struct c_patterns *patterns)
{
	c_holder_vec all = { 0 };

	c_holders(n, &all);
	json_break(j);
	json_key(j, "points_to"), json_object(j);
	for (uint32_t i = 0; i < all.len;) {
		uint32_t rank = all.data[i].rank;
		for (; i < all.len && all.data[i].rank == rank; i++)
			c_holder_add(n, &all.data[i]);
		if (!c_set_size(n) || (patterns->n && !c_matches(patterns, n->text[rank]))) {
			c_set_read(n);
			continue;
		}
		json_break(j);
		json_key(j, n->text[rank].p);      /* escaped, and terminated */
		json_ranks(j, n);
	}
	json_end_object(j);
	vec_release(&all);
}

bool report_pointsto_c_json(struct sink *out, const struct c_result *r, const struct c_head *head)
{
	struct json j = { .out = out };
	struct c_names n;

	c_names_init(&n, r, ESCAPE_JSON);
	json_object(&j);
	c_json_head(&j, head, "sherd/pointsto/1");
	json_points_to(&j, &n, &head->patterns);
	c_json_called(&j, &n);
	c_json_notes(&j, &n);
	if (head->library)
		c_json_library(&j, &n);
	json_end_object(&j);
	sink_putc(out, '\n');
	c_names_release(&n);
	return sink_finish(out);
}

/* What MOD and USE are written with. */
struct effects {
	struct json j;
	struct c_names names;
	struct c_sets sets;
	const struct c_head *head;
};

static bool is_asked(const struct effects *x, cfn_id f)
{
	return !x->head->patterns.n || c_matches(&x->head->patterns, x->names.fns[f.i]);
}

static void json_sets_of(struct effects *x, uint32_t mod, uint32_t use)
{
	json_key(&x->j, "mod"), json_uint(&x->j, mod);
	if (x->head->use)
		json_key(&x->j, "use"), json_uint(&x->j, use);
}

/* Nothing is written of a statement without effects. */
static void json_statement(struct effects *x, const struct c_stmt *at)
{
	const struct cstmt *s = &x->names.r->program->stmts.data[at->row];
	uint32_t mod, use = 0;

	c_set_add_stmt(&x->names, at, EFFECT_MOD);
	mod = c_sets_read(&x->sets, &x->names);
	if (x->head->use) {
		c_set_add_stmt(&x->names, at, EFFECT_USE);
		use = c_sets_read(&x->sets, &x->names);
	}
	if (!mod && !use)
		return;
	json_break(&x->j);
	json_object(&x->j);
	c_json_fn(&x->j, &x->names, at->fn);
	c_json_place(&x->j, x->names.r, s->loc);
	json_key(&x->j, "kind"), json_escaped(&x->j, str_of(c_stmt_kind(s)));
	json_sets_of(x, mod, use);
	json_end_object(&x->j);
}

static void json_statements(struct effects *x)
{
	const struct c_result *r = x->names.r;
	c_stmt_vec all = { 0 };

	c_statements(r, &all);
	json_break(&x->j);
	json_key(&x->j, "statements"), json_array(&x->j);
	for (uint32_t i = 0; i < all.len; i++)
		if ((!x->head->nlines || c_is_at(r, x->head->lines, x->head->nlines, all.data[i].row)) &&
		    is_asked(x, all.data[i].fn))
			json_statement(x, &all.data[i]);
	json_end_array(&x->j);
	vec_release(&all);
}

static void json_procedure(struct effects *x, cfn_id f)
{
	uint32_t mod, use = 0;

	c_set_add_fn(&x->names, f, EFFECT_MOD);
	mod = c_sets_read(&x->sets, &x->names);
	if (x->head->use) {
		c_set_add_fn(&x->names, f, EFFECT_USE);
		use = c_sets_read(&x->sets, &x->names);
	}
	json_break(&x->j);
	json_key(&x->j, x->names.fns[f.i].p);
	json_object(&x->j);
	json_sets_of(x, mod, use);
	json_end_object(&x->j);
}

static void json_procedures(struct effects *x)
{
	json_break(&x->j);
	json_key(&x->j, "procedures"), json_object(&x->j);
	for (uint32_t k = 0; k < x->names.functions.n; k++) {
		cfn_id f = x->names.functions.order[k];
		if (c_is_own(x->names.r, f) && is_asked(x, f))
			json_procedure(x, f);
	}
	json_end_object(&x->j);
}

/* Sets come last: what is in them is known when everything else was written. */
bool report_modref_json(struct sink *out, const struct c_result *r, const struct c_head *head)
{
	struct effects x = { .j = { .out = out }, .head = head };

	c_names_init(&x.names, r, ESCAPE_JSON);
	c_sets_init(&x.sets);
	json_object(&x.j);
	c_json_head(&x.j, head, "sherd/modref/1");
	json_statements(&x);
	if (!head->nlines) {
		json_procedures(&x);
		c_json_called(&x.j, &x.names);
		c_json_notes(&x.j, &x.names);
		if (head->library)
			c_json_library(&x.j, &x.names);
	}
	c_json_sets(&x.j, &x.sets, &x.names);
	json_end_object(&x.j);
	sink_putc(out, '\n');
	c_sets_release(&x.sets);
	c_names_release(&x.names);
	return sink_finish(out);
}
