/* SPDX-License-Identifier: Apache-2.0 */
/* pointsto_text.c - what pointers of a C program may point to, as a screen. */
#include "report/c/c_p.h"

#define TOP 10             /* rows of a table */
#define SHOWN_CALLS 15

/* Sets are told apart by hashes (FNV-1a): a screen may miss one in 2^64. */
#define FIRST_HASH UINT64_C(0xcbf29ce484222325)
static uint64_t mix(uint64_t h, uint32_t x)
{
	return (h ^ x) * UINT64_C(0x100000001b3);
}

/* Holders of one name. */
struct group {
	uint32_t rank, first, n, size;
	uint64_t set;                 /* a hash of their set; 0: a union of several */
	uint32_t sharing;             /* largest sets: others that have the same */
};
typedef VEC(struct group) group_vec;

/* Sizes of sets, each counted once. */
struct sizes {
	const struct cpta *facts;
	uint32_t *known;              /* by set: 1 + its size */
	uint64_t *hash;
	ccell_vec cells;
};

static uint32_t set_number(const struct cpta *facts, const struct c_holder *h)
{
	return h->cell.i ? cpta_set_of_cell(facts, h->cell) : cpta_set_of_var(facts, h->var);
}

static void look_up(struct sizes *z, uint32_t set)
{
	uint64_t h = FIRST_HASH;

	if (z->known[set])
		return;
	vec_clear(&z->cells);
	cpta_set(z->facts, set, &z->cells);
	for (uint32_t i = 0; i < z->cells.len; i++)
		h = mix(h, z->cells.data[i].i);
	z->hash[set] = h;
	z->known[set] = z->cells.len + 1;
}

static void group_holders(struct c_screen *s, const c_holder_vec *all, group_vec *out)
{
	size_t nsets = (size_t)cpta_nsets(s->r->facts) + 1;
	struct sizes z = { .facts = s->r->facts, .known = mem_zalloc(sizeof(uint32_t) * nsets),
			   .hash = mem_zalloc(sizeof(uint64_t) * nsets) };

	for (uint32_t i = 0; i < all->len;) {
		struct group g = { .rank = all->data[i].rank, .first = i };
		while (i < all->len && all->data[i].rank == g.rank)
			i++;
		g.n = i - g.first;
		if (g.n == 1) {
			uint32_t set = set_number(z.facts, &all->data[g.first]);
			look_up(&z, set);
			g.set = z.hash[set];
			g.size = z.known[set] - 1;
		}
		for (uint32_t k = g.first; k < i && g.n > 1; k++)
			c_holder_add(&s->names, &all->data[k]);
		if (g.n > 1)
			g.size = c_set_read(&s->names).n;
		vec_push(out, g);
	}
	free(z.known);
	free(z.hash);
	vec_release(&z.cells);
}

static struct c_set set_of(struct c_screen *s, const c_holder_vec *all, const struct group *g)
{
	for (uint32_t i = g->first; i < g->first + g->n; i++)
		c_holder_add(&s->names, &all->data[i]);
	return c_set_read(&s->names);
}

/* "name -> a, b": what fits into a few lines, or everything. */
static void write_group(struct c_screen *s, const c_holder_vec *all, const struct group *g, uint32_t lines)
{
	struct str name = s->names.text[g->rank];

	sink_puts(s->out.out, "  ");
	screen_style(&s->out, STYLE_GREEN);
	sink_str(s->out.out, name);
	screen_plain(&s->out);
	sink_puts(s->out.out, " → ");
	if (g->size)
		c_screen_set(s, set_of(s, all, g), text_columns(name) + 5, 6, lines);
	else
		sink_puts(s->out.out, "nothing\n");
}

static bool is_larger(const struct group *a, const struct group *b)
{
	return a->size > b->size;
}

/* Counts the holder with an earlier one of the same set. */
static bool joins(struct group top[TOP], uint32_t n, const struct group *g)
{
	for (uint32_t i = 0; i < n && g->set; i++)
		if (top[i].set == g->set) {
			top[i].sharing++;
			return true;
		}
	return false;
}

/* A set that was pushed out or refused never comes back, so the counts are right. */
static void keep_largest(const group_vec *groups, struct group top[TOP], uint32_t *n)
{
	for (uint32_t i = 0; i < groups->len; i++) {
		const struct group *g = &groups->data[i];
		uint32_t at = *n;
		if (g->size < 2 || joins(top, *n, g) || (at == TOP && !is_larger(g, &top[TOP - 1])))
			continue;
		if (at == TOP)
			at--;
		else
			++*n;
		for (; at > 0 && is_larger(g, &top[at - 1]); at--)
			top[at] = top[at - 1];
		top[at] = *g;
	}
}

static void write_large(struct c_screen *s, const c_holder_vec *all, const struct group *g)
{
	char size[32], others[32];

	sink_printf(s->out.out, "  %8s  ", grouped(g->size, size));
	screen_style(&s->out, STYLE_GREEN);
	uint32_t at = 12 + c_screen_name(s, s->names.text[g->rank], s->width / 2);
	screen_plain(&s->out);
	if (g->sharing) {
		const char *n = grouped(g->sharing, others);
		sink_printf(s->out.out, " and %s other%s", n, g->sharing > 1 ? "s" : "");
		at += 11 + (uint32_t)strlen(n) + (g->sharing > 1);
	}
	sink_puts(s->out.out, " → ");
	c_screen_set(s, set_of(s, all, g), at + 3, 12, 2);
}

static void write_largest(struct c_screen *s, const c_holder_vec *all, const group_vec *groups)
{
	struct group top[TOP];
	uint32_t n = 0;

	keep_largest(groups, top, &n);
	if (!n)
		return;
	sink_putc(s->out.out, '\n');
	screen_puts(&s->out, STYLE_BOLD, "Largest sets");
	sink_putc(s->out.out, '\n');
	for (uint32_t i = 0; i < n; i++)
		write_large(s, all, &top[i]);
}

static void write_targets(struct c_screen *s, const cfn_vec *t, uint32_t at)
{
	enum { INDENT = 6, ROOM = 14, LINES = 2 };
	uint32_t line = 1;

	for (uint32_t i = 0; i < t->len; i++) {
		struct str name = s->names.fns[t->data[i].i];
		bool last = line == LINES && !s->head->all;
		uint32_t room = s->width - INDENT - ROOM - 2, n = c_name_columns(s, name, room) + 2;
		uint32_t limit = last && i + 1 < t->len ? s->width - ROOM : s->width;
		if (i && at + n > limit && last) {
			screen_style(&s->out, STYLE_DIM);
			sink_printf(s->out.out, " … %u more", t->len - i);
			screen_plain(&s->out);
			break;
		}
		if (at > INDENT && at + n > limit) {
			sink_putc(s->out.out, '\n');
			c_screen_pad(s, INDENT);
			at = INDENT;
			line++;
		} else if (i) {
			sink_putc(s->out.out, ' ');
		}
		c_screen_name(s, name, room);
		sink_puts(s->out.out, i + 1 < t->len ? "," : "");
		at += n;
	}
}

/* Calls of one function that have the same targets. */
struct call_row {
	cfn_id fn;
	ccall_id call;                /* the first */
	uint64_t targets;             /* a hash of them */
	uint32_t ntargets, ncalls, order;
	struct str places;            /* "x.c:12, 15, 15"; empty: not known */
};
typedef VEC(struct call_row) call_vec;

static uint64_t hash_targets(const cfn_vec *t)
{
	uint64_t h = FIRST_HASH;

	for (uint32_t i = 0; i < t->len; i++)
		h = mix(h, t->data[i].i);
	return h;
}

/* The program's own calls are listed; those of models where they call something; that unknown code calls what it can name is
 * no news. */
static bool is_listed(const struct c_screen *s, cfn_id f, ccall_id c, const cfn_vec *targets)
{
	return c_is_indirect(s->r, c) && f.i != s->r->ph_proc.i && (targets->len || c_is_own(s->r, f));
}

static struct call_row *row_with(call_vec *rows, uint32_t from, uint64_t targets)
{
	for (uint32_t i = from; i < rows->len; i++)
		if (rows->data[i].targets == targets)
			return &rows->data[i];
	return NULL;
}

/* The first place, then lines. */
static void join_place(struct c_screen *s, struct arena *mem, struct call_row *row, cloc_id l)
{
	enum { SHOWN = 6 };

	if (++row->ncalls > SHOWN + 1 || !l.i)
		return;
	strbuf_clear(&s->text);
	strbuf_addstr(&s->text, row->places);
	if (row->ncalls == 1)
		c_add_place(s, l, false, &s->text);
	else if (row->ncalls <= SHOWN)
		strbuf_addf(&s->text, ", %u", s->r->program->locs.data[l.i].line);
	else
		strbuf_adds(&s->text, ", …");
	struct str t = strbuf_str(&s->text);
	row->places = (struct str){ arena_copy(mem, t.p, t.len), t.len };
}

static void rows_of(struct c_screen *s, cfn_id f, struct arena *mem, call_vec *rows)
{
	const struct cfn *row = c_fn(s->r, f);
	uint32_t from = rows->len;

	for (uint32_t c = row->calls; c < row->calls + row->ncalls; c++) {
		const cfn_vec *t = c_targets(&s->names, (ccall_id){ c });
		if (!is_listed(s, f, (ccall_id){ c }, t))
			continue;
		uint64_t h = hash_targets(t);
		if (!row_with(rows, from, h))
			vec_push(rows, ((struct call_row){ .fn = f, .call = { c }, .targets = h, .ntargets = t->len,
							   .order = rows->len }));
		join_place(s, mem, row_with(rows, from, h), s->r->program->calls.data[c].loc);
	}
}

/* A static function of a header is there in every module that includes it. */
static void drop_repeated(call_vec *rows)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < rows->len; i++) {
		struct call_row *x = &rows->data[i], *last = kept ? &rows->data[kept - 1] : NULL;
		if (last && last->places.len && str_eq(last->places, x->places) && last->targets == x->targets)
			last->ncalls += x->ncalls;
		else
			rows->data[kept++] = *x;
	}
	rows->len = kept;
}

static int by_targets(const void *a, const void *b)
{
	const struct call_row *x = a, *y = b;

	if (x->ntargets != y->ntargets)
		return x->ntargets > y->ntargets ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static void write_call(struct c_screen *s, const struct call_row *row)
{
	const cfn_vec *t = c_targets(&s->names, row->call);
	uint32_t at = 2;

	sink_puts(s->out.out, "  ");
	at += c_screen_name(s, row->places, s->width / 2) + (row->places.len ? 2 : 0);
	sink_puts(s->out.out, row->places.len ? "  " : "");
	screen_style(&s->out, STYLE_DIM);
	at += c_screen_name(s, s->names.fns[row->fn.i], s->width - at - 3) + 3;
	screen_plain(&s->out);
	sink_puts(s->out.out, " → ");
	if (t->len)
		write_targets(s, t, at);
	else
		screen_puts(&s->out, STYLE_RED, "nothing");
	sink_putc(s->out.out, '\n');
}

static void write_rows(struct c_screen *s, const call_vec *rows, uint32_t most, uint64_t all)
{
	uint64_t shown = 0;

	for (uint32_t i = 0; i < rows->len && i < most; i++) {
		write_call(s, &rows->data[i]);
		shown += rows->data[i].ncalls;
	}
	c_screen_more(s, all - shown, "--all lists them");
}

/* The program's own, or those of models. By function; where they do not fit, the ones with the most targets first. */
static void write_calls(struct c_screen *s, bool own)
{
	const char *title = own ? "Calls through pointers" : s->head->nsummaries ? "What libraries call" : "What functions of the C library call";
	call_vec rows = { 0 };
	struct arena mem;
	uint64_t all = 0;
	uint32_t most = s->head->all ? UINT32_MAX : SHOWN_CALLS;

	arena_init(&mem);
	for (uint32_t k = 0; k < s->names.functions.n; k++)
		if (c_is_own(s->r, s->names.functions.order[k]) == own)
			rows_of(s, s->names.functions.order[k], &mem, &rows);
	drop_repeated(&rows);
	if (rows.len > most)
		qsort(rows.data, rows.len, sizeof(rows.data[0]), by_targets);
	for (uint32_t i = 0; i < rows.len; i++)
		all += rows.data[i].ncalls;
	if (rows.len > most && own)
		title = "Calls through pointers, most targets first";
	if (rows.len)
		c_screen_title(s, title, all);
	write_rows(s, &rows, most, all);
	vec_release(&rows);
	arena_release(&mem);
}

static void write_listing(struct c_screen *s, const c_holder_vec *all, const group_vec *groups)
{
	sink_putc(s->out.out, '\n');
	screen_puts(&s->out, STYLE_BOLD, "Points-to sets");
	sink_putc(s->out.out, '\n');
	for (uint32_t i = 0; i < groups->len; i++)
		if (groups->data[i].size)
			write_group(s, all, &groups->data[i], 0);
}

/* What points nowhere is shown to whoever asks for it by its name. */
static bool is_asked(const struct c_patterns *patterns, struct str name, bool is_empty)
{
	for (uint32_t i = 0; i < patterns->n; i++)
		if (!(is_empty && strpbrk(patterns->at[i], "*?")) && c_matches_one(patterns->at[i], name))
			return true;
	return false;
}

static void write_matches(struct c_screen *s, const c_holder_vec *all, const group_vec *groups)
{
	for (uint32_t i = 0; i < groups->len; i++)
		if (is_asked(&s->head->patterns, s->names.text[groups->data[i].rank], groups->data[i].size == 0))
			write_group(s, all, &groups->data[i], 0);
}

bool report_pointsto_c_text(struct sink *out, const struct c_result *r, const struct c_head *head)
{
	struct c_screen s;
	c_holder_vec all = { 0 };
	group_vec groups = { 0 };

	c_screen_init(&s, out, r, head);
	c_holders(&s.names, &all);
	group_holders(&s, &all, &groups);
	if (head->patterns.n) {
		write_matches(&s, &all, &groups);
	} else {
		c_screen_head(&s, "Points-to");
		c_screen_figures(&s);
		if (head->library)
			c_text_library(&s);
		write_calls(&s, true);
		write_calls(&s, false);
		if (head->all)
			write_listing(&s, &all, &groups);
		else
			write_largest(&s, &all, &groups);
		c_screen_notes(&s);
	}
	vec_release(&all);
	vec_release(&groups);
	c_screen_release(&s);
	return sink_finish(out);
}

struct near {
	struct str text;
	uint32_t score;
};

/* How alike: what a name has behind its last :: counts, and how much of its beginning is the same. */
static uint32_t likeness(struct str pattern, struct str name)
{
	int64_t a = str_rfind(pattern, ':'), b = str_rfind(name, ':');
	struct str p = str_sub(pattern, (uint32_t)(a + 1), pattern.len), t = str_sub(name, (uint32_t)(b + 1), name.len);
	uint32_t n = 0;

	while (n < p.len && n < t.len && p.p[n] == t.p[n])
		n++;
	if (n == 0)
		return 0;
	return 4 * n + (n == p.len && n == t.len ? 100 : 0) + (str_eq(pattern, name) ? 100 : 0);
}

static void keep_near(struct near best[5], struct str pattern, struct str name)
{
	struct near x = { name, likeness(pattern, name) };

	for (int i = 0; i < 5 && x.score; i++)
		if (x.score > best[i].score) {
			struct near t = best[i];
			best[i] = x;
			x = t;
		}
}

static void add_near(const struct near best[5], struct strbuf *out)
{
	for (int i = 0; i < 5 && best[i].score; i++) {
		strbuf_adds(out, "\n    ");
		strbuf_addstr(out, best[i].text);
	}
}

bool c_pattern_finds_variable(const struct c_result *r, const char *pattern, struct strbuf *near)
{
	struct near best[5] = { 0 };
	struct c_names n;
	c_holder_vec all = { 0 };
	bool found = false;

	c_names_init(&n, r, ESCAPE_PLAIN);
	c_holders(&n, &all);
	for (uint32_t i = 0; i < all.len && !found; i++) {
		if (i && all.data[i].rank == all.data[i - 1].rank)
			continue;
		found = c_matches_one(pattern, n.text[all.data[i].rank]);
		keep_near(best, str_of(pattern), n.text[all.data[i].rank]);
	}
	if (!found)
		add_near(best, near);
	vec_release(&all);
	c_names_release(&n);
	return found;
}

bool c_pattern_finds_function(const struct c_result *r, const char *pattern, struct strbuf *near)
{
	struct near best[5] = { 0 };
	struct c_names n;
	bool found = false;

	c_names_init_functions(&n, r);
	c_names_escape_functions(&n, ESCAPE_PLAIN);
	for (uint32_t k = 0; k < n.functions.n && !found; k++) {
		if (!c_is_own(r, n.functions.order[k]))
			continue;
		found = c_matches_one(pattern, n.fns[n.functions.order[k].i]);
		keep_near(best, str_of(pattern), n.fns[n.functions.order[k].i]);
	}
	if (!found)
		add_near(best, near);
	c_names_release(&n);
	return found;
}
