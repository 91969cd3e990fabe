/* SPDX-License-Identifier: Apache-2.0 */
/* library.c - what a library and its unknown clients can do to each other, and what they cannot: JSON, and a screen. */
#include "report/c/c_p.h"

struct clients_stats report_clients_stats(const struct c_result *r)
{
	struct clients x;

	clients_compute(&x, r->facts, r->ph_var, r->ph_proc);
	clients_release(&x);
	return x.stats;
}

/* The names of the library's objects that clients can reach, or of those that they cannot, sorted. */
static int by_str(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

typedef VEC(struct str) str_vec;
static void object_names(const struct clients *x, const struct c_names *n, bool reached, struct arena *mem, str_vec *out)
{
	const struct cprogram *p = n->r->program;
	struct strbuf text = { 0 };

	for (uint32_t o = 1; o < p->objs.len; o++) {
		if (!x->counted[o] || x->reached[o] != reached)
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
}

static void json_names(struct json *j, const char *key, const str_vec *names)
{
	json_break(j);
	json_key(j, key), json_array(j);
	for (uint32_t i = 0; i < names->len; i++)
		json_str(j, names->data[i]);
	json_end_array(j);
}

static void json_objects(struct json *j, const struct clients *x, struct c_names *n, const char *key, bool reached)
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
static void json_statements(struct json *j, const struct clients *x, struct c_names *n, const c_stmt_vec *stmts, bool calls)
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

static void json_functions(struct json *j, const struct clients *x, struct c_names *n)
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
	struct clients x;
	c_stmt_vec stmts = { 0 };

	clients_compute(&x, n->r->facts, n->r->ph_var, n->r->ph_proc);
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
	clients_release(&x);
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

static void text_shares(struct c_screen *s, const struct clients *x)
{
	sink_putc(s->out.out, '\n');
	screen_puts(&s->out, STYLE_BOLD, "The library and its clients");
	sink_putc(s->out.out, '\n');
	share_row(s, "Variables that clients can reach", x->stats.reachable, x->stats.variables);
	share_row(s, "Accesses that can touch their data", x->stats.touching, x->stats.accesses);
	share_row(s, "Calls that can call clients", x->stats.calling, x->stats.calls);
	share_row(s, "Functions that do either, or call such", x->stats.interacting, x->stats.functions);
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

static void text_objects(struct c_screen *s, const struct clients *x, const char *title, bool reached)
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

static void tally_statements(const struct c_screen *s, const struct clients *x, bool calls, tally_vec *out)
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

static void text_tally(struct c_screen *s, const struct clients *x, const char *title, bool calls)
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

static void text_functions(struct c_screen *s, const struct clients *x)
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
	struct clients x;

	clients_compute(&x, s->r->facts, s->r->ph_var, s->r->ph_proc);
	text_shares(s, &x);
	text_objects(s, &x, "Variables that clients can reach", true);
	text_tally(s, &x, "Functions with accesses that can touch clients' data (how many, the first)", false);
	text_tally(s, &x, "Functions that can call clients (calls, the first)", true);
	text_objects(s, &x, "Variables proved out of clients' reach", false);
	text_functions(s, &x);
	clients_release(&x);
}
