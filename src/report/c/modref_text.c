/* SPDX-License-Identifier: Apache-2.0 */
/* modref_text.c - what functions, lines and statements of a C program may modify and use, as screens. */
#include "report/c/c_p.h"

#define SHOWN_FUNCTIONS 40

static const char *const verbs[] = { [EFFECT_MOD] = "modify", [EFFECT_USE] = "use" };
static const char *const nothings[] = { [EFFECT_MOD] = "modifies nothing", [EFFECT_USE] = "uses nothing" };
static const char *const labels[] = { [EFFECT_MOD] = "mod", [EFFECT_USE] = "use" };

static struct c_set set_of_fn(struct c_screen *s, cfn_id f, enum effect e)
{
	c_set_add_fn(&s->names, f, e);
	return c_set_read(&s->names);
}

/* "mod 12  a, b, c"; nothing for an empty set. */
static void write_effect(struct c_screen *s, struct c_set set, enum effect e, uint32_t indent, uint32_t lines)
{
	char buf[32];

	if (!set.n)
		return;
	c_screen_pad(s, indent);
	screen_style(&s->out, STYLE_DIM);
	sink_printf(s->out.out, "%s %5s  ", labels[e], grouped(set.n, buf));
	screen_plain(&s->out);
	c_screen_set(s, set, indent + 11, indent + 11, lines);
}

static void write_function(struct c_screen *s, cfn_id f, uint32_t lines)
{
	strbuf_clear(&s->text);
	c_add_place(s, c_fn(s->r, f)->loc, false, &s->text);
	sink_puts(s->out.out, "  ");
	screen_style(&s->out, STYLE_GREEN);
	c_screen_name(s, s->names.fns[f.i], s->width / 2 - 4);
	screen_plain(&s->out);
	screen_style(&s->out, STYLE_DIM);
	sink_puts(s->out.out, "  ");
	c_screen_name(s, strbuf_str(&s->text), s->width / 2 - 18);
	screen_plain(&s->out);
	c_set_add_fn(&s->names, f, EFFECT_MOD);
	if (!c_set_size(&s->names))
		sink_printf(s->out.out, "  %s", nothings[EFFECT_MOD]);
	sink_putc(s->out.out, '\n');
	write_effect(s, c_set_read(&s->names), EFFECT_MOD, 4, lines);
	if (s->head->use)
		write_effect(s, set_of_fn(s, f, EFFECT_USE), EFFECT_USE, 4, lines);
}

struct sized {
	cfn_id fn;
	uint32_t order, mod;
};

static int by_size(const void *a, const void *b)
{
	const struct sized *x = a, *y = b;

	if (x->mod != y->mod)
		return x->mod > y->mod ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* The user's functions, the ones that modify most first. */
typedef VEC(struct sized) sized_vec;
static void size_functions(struct c_screen *s, sized_vec *out)
{
	for (uint32_t k = 0; k < s->names.functions.n; k++) {
		cfn_id f = s->names.functions.order[k];
		if (c_is_own(s->r, f))
			vec_push(out, ((struct sized){ f, k, set_of_fn(s, f, EFFECT_MOD).n }));
	}
}

static void write_figures(struct c_screen *s, const sized_vec *all)
{
	uint64_t sum = 0, pure = 0, n, average;
	char a[32], b[32], c[32];

	for (uint32_t i = 0; i < all->len; i++) {
		sum += all->data[i].mod;
		pure += all->data[i].mod == 0;
	}
	n = all->len - pure;
	average = n ? sum / n : 0;
	sink_printf(s->out.out, "  %s function%s %s place%s on average", grouped(n, a), n == 1 ? " modifies" : "s modify",
		    grouped(average, c), average == 1 ? "" : "s");
	if (pure)
		sink_printf(s->out.out, "; %s modif%s nothing that outlives %s", grouped(pure, b), pure == 1 ? "ies" : "y",
			    pure == 1 ? "it" : "them");
	sink_putc(s->out.out, '\n');
}

static void write_functions(struct c_screen *s)
{
	sized_vec all = { 0 };
	uint32_t shown = 0, most = s->head->all ? UINT32_MAX : SHOWN_FUNCTIONS;

	size_functions(s, &all);
	if (!s->head->all && all.len > SHOWN_FUNCTIONS)
		qsort(all.data, all.len, sizeof(all.data[0]), by_size);
	write_figures(s, &all);
	c_screen_title(s, all.len > most ? "Functions that modify most" : "Functions", all.len);
	for (; shown < all.len && shown < most; shown++)
		write_function(s, all.data[shown].fn, s->head->all ? 0 : 1);
	c_screen_more(s, all.len - shown, "--all lists them, --function NAME one of them");
	vec_release(&all);
}

static void write_matches(struct c_screen *s)
{
	for (uint32_t k = 0; k < s->names.functions.n; k++) {
		cfn_id f = s->names.functions.order[k];
		if (c_is_own(s->r, f) && c_matches(&s->head->patterns, s->names.fns[f.i]))
			write_function(s, f, 0);
	}
}

bool report_modref_text(struct sink *out, const struct c_result *r, const struct c_head *head)
{
	struct c_screen s;

	c_screen_init(&s, out, r, head);
	if (head->patterns.n) {
		write_matches(&s);
	} else {
		c_screen_head(&s, head->use ? "MOD and USE" : "MOD");
		write_functions(&s);
		if (head->library)
			c_text_library(&s);
		c_screen_notes(&s);
	}
	c_screen_release(&s);
	return sink_finish(out);
}

/* One line however long: scripts read it, and terminals wrap it. */
static void write_names(struct c_screen *s, struct c_set set)
{
	for (uint32_t i = 0; i < set.n; i++) {
		sink_puts(s->out.out, i ? ", " : "");
		sink_str(s->out.out, s->names.text[set.ranks[i]]);
	}
	sink_putc(s->out.out, '\n');
}

static void write_answer(struct c_screen *s, enum effect e)
{
	struct c_set set = c_set_read(&s->names);

	if (!set.n) {
		sink_printf(s->out.out, "%s\n", nothings[e]);
		return;
	}
	screen_style(&s->out, STYLE_BOLD);
	sink_printf(s->out.out, "may %s: ", verbs[e]);
	screen_plain(&s->out);
	write_names(s, set);
}

/* "main.c:27: ", where several lines are asked for. */
static void write_which(struct c_screen *s, const struct c_line *line)
{
	if (s->head->nlines == 1)
		return;
	strbuf_clear(&s->text);
	escape_add(&s->text, ESCAPE_PLAIN, interned(&s->r->program->names, line->file));
	sink_printf(s->out.out, "%s:%u: ", s->text.s, line->line);
}

static void write_line(struct c_screen *s, const struct c_line *line, const c_stmt_vec *stmts, enum effect e)
{
	write_which(s, line);
	for (uint32_t i = 0; i < stmts->len; i++)
		if (c_is_at(s->r, line, 1, stmts->data[i].row))
			c_set_add_stmt(&s->names, &stmts->data[i], e);
	write_answer(s, e);
}

/* "  7: call of f, g may modify: ..." */
static void write_statement(struct c_screen *s, const struct c_stmt *x, enum effect e)
{
	const struct cprogram *p = s->r->program;
	const struct cstmt *st = &p->stmts.data[x->row];

	c_set_add_stmt(&s->names, x, e);
	if (!c_set_size(&s->names) && st->op != C_CALL)
		return;
	sink_printf(s->out.out, "  column %u: %s", p->locs.data[st->loc.i].column, c_stmt_kind(st));
	if (st->op == C_CALL) {
		const cfn_vec *t = c_targets(&s->names, (ccall_id){ st->dst });
		for (uint32_t i = 0; i < t->len; i++)
			sink_printf(s->out.out, "%s %s", i ? "," : " of", s->names.fns[t->data[i].i].p);
	}
	sink_putc(s->out.out, ' ');
	write_answer(s, e);
}

static void write_line_statements(struct c_screen *s, const struct c_line *line, const c_stmt_vec *stmts)
{
	for (uint32_t i = 0; i < stmts->len; i++) {
		if (!c_is_at(s->r, line, 1, stmts->data[i].row))
			continue;
		write_statement(s, &stmts->data[i], EFFECT_MOD);
		if (s->head->use)
			write_statement(s, &stmts->data[i], EFFECT_USE);
	}
}

bool report_modref_line(struct sink *out, const struct c_result *r, const struct c_head *head)
{
	struct c_screen s;
	c_stmt_vec stmts = { 0 };

	c_screen_init(&s, out, r, head);
	c_statements(r, &stmts);
	for (const struct c_line *line = head->lines; line < head->lines + head->nlines; line++) {
		write_line(&s, line, &stmts, EFFECT_MOD);
		if (head->use)
			write_line(&s, line, &stmts, EFFECT_USE);
		if (head->verbose)
			write_line_statements(&s, line, &stmts);
	}
	vec_release(&stmts);
	c_screen_release(&s);
	return sink_finish(out);
}

/* The next line of the text, without its end. */
static struct str take_line(struct str *rest)
{
	uint32_t n = 0;

	while (n < rest->len && rest->p[n] != '\n')
		n++;
	struct str line = str_sub(*rest, 0, n);
	*rest = str_sub(*rest, n < rest->len ? n + 1 : n, rest->len);
	if (line.len && line.p[line.len - 1] == '\r')
		line.len--;
	return line;
}

/* Source text may hold anything; tabs stay. */
static void write_source_line(struct c_screen *s, uint32_t number, struct str line)
{
	uint32_t from = 0;

	screen_style(&s->out, STYLE_DIM);
	sink_printf(s->out.out, "%5u ", number);
	screen_plain(&s->out);
	sink_putc(s->out.out, ' ');
	for (uint32_t i = 0; i <= line.len; i++) {
		if (i < line.len && line.p[i] != '\t')
			continue;
		strbuf_clear(&s->text);
		escape_add(&s->text, ESCAPE_PLAIN, str_sub(line, from, i));
		sink_str(s->out.out, strbuf_str(&s->text));
		if (i < line.len)
			sink_putc(s->out.out, '\t');
		from = i + 1;
	}
	sink_putc(s->out.out, '\n');
}

static void write_line_effect(struct c_screen *s, const c_stmt_vec *stmts, uint32_t from, uint32_t to, enum effect e)
{
	for (uint32_t i = from; i < to; i++)
		c_set_add_stmt(&s->names, &stmts->data[i], e);
	write_effect(s, c_set_read(&s->names), e, 6, s->head->all ? 0 : 2);
}

static uint32_t line_of_stmt(const struct c_result *r, uint32_t stmt)
{
	return r->program->locs.data[r->program->stmts.data[stmt].loc.i].line;
}

/* Locals of the function that the line is in go by their name alone. */
static void enter(struct c_screen *s, cfn_id f, struct strbuf *locals)
{
	strbuf_clear(locals);
	strbuf_addstr(locals, s->names.fns[f.i]);
	strbuf_adds(locals, "::");
	s->locals = strbuf_str(locals);
}

static void annotate(struct c_screen *s, const c_stmt_vec *stmts, str_id file, struct str source)
{
	const struct cprogram *p = s->r->program;
	struct strbuf locals = { 0 };
	uint32_t at = 0;

	while (at < stmts->len && p->locs.data[p->stmts.data[stmts->data[at].row].loc.i].file.i != file.i)
		at++;
	for (uint32_t number = 1; source.len; number++) {
		uint32_t to = at;
		write_source_line(s, number, take_line(&source));
		while (to < stmts->len && p->locs.data[p->stmts.data[stmts->data[to].row].loc.i].file.i == file.i &&
		       line_of_stmt(s->r, stmts->data[to].row) <= number)
			to++;
		if (at < to)
			enter(s, stmts->data[at].fn, &locals);
		write_line_effect(s, stmts, at, to, EFFECT_MOD);
		if (s->head->use)
			write_line_effect(s, stmts, at, to, EFFECT_USE);
		at = to;
	}
	s->locals = (struct str){ 0 };
	strbuf_release(&locals);
}

bool report_modref_source(struct sink *out, const struct c_result *r, const struct c_head *head, str_id file, struct str source)
{
	struct c_screen s;
	c_stmt_vec stmts = { 0 };

	c_screen_init(&s, out, r, head);
	c_statements(r, &stmts);
	annotate(&s, &stmts, file, source);
	vec_release(&stmts);
	c_screen_release(&s);
	return sink_finish(out);
}
