/* SPDX-License-Identifier: Apache-2.0 */
/* language.c - making languages and computing with them. */
#include "analysis/strings/language.h"

#include <fa.h>
#include <stdlib.h>

#include "analysis/strings/language_p.h"

const struct language_budget language_budget_default = {
	.strings = 65536, .bytes = 2u << 20, .states = 1024, .steps = 20u * 1000 * 1000, .all_steps = 150u * 1000 * 1000,
};

enum {
	RAW_STATES = 16384,           /* of an automaton that libfa is given, before it is minimal */
	PRODUCT_STATES = 4096,        /* pairs of states of an intersection */
};

struct languages *languages_new(const struct language_budget *b)
{
	struct languages *ls = mem_zalloc(sizeof *ls);

	arena_init(&ls->arena);
	arena_init(&ls->scratch);
	interner_init(&ls->expressions);
	ls->budget = b ? *b : language_budget_default;
	ls->reserve = ls->budget.all_steps;
	ls->empty = (struct language){ .kind = STRINGS, .finite = true, .number = ls->count++ };
	ls->any = (struct language){ .kind = ANY, .number = ls->count++ };
	ls->widened = (struct language){ .kind = ANY, .widened = true, .number = ls->count++ };
	vec_push(&ls->concats, NULL);
	languages_ask(ls);
	return ls;
}

void languages_free(struct languages *ls)
{
	if (!ls)
		return;
	for (uint32_t i = 0; i < ls->automata.len; i++)
		fa_free(ls->automata.data[i]);
	vec_release(&ls->automata);
	interner_release(&ls->expressions);
	vec_release(&ls->of_expressions);
	vec_release(&ls->concats);
	map_release(&ls->concat_of);
	arena_release(&ls->arena);
	arena_release(&ls->scratch);
	free(ls);
}

void languages_ask(struct languages *ls)
{
	ls->reserve += ls->steps;
	ls->steps = ls->reserve < ls->budget.steps ? ls->reserve : ls->budget.steps;
	ls->reserve -= ls->steps;
}

uint64_t languages_given_up(const struct languages *ls)
{
	return ls->given_up;
}

bool take_steps(struct languages *ls, uint64_t n)
{
	bool enough = n <= ls->steps;

	ls->steps -= enough ? n : ls->steps;
	return enough;
}

const struct language *give_up(struct languages *ls)
{
	ls->given_up++;
	return &ls->widened;
}

const struct language *language_empty(struct languages *ls)
{
	return &ls->empty;
}

const struct language *language_any(struct languages *ls)
{
	return &ls->any;
}

const struct language *language_widened(struct languages *ls)
{
	return &ls->widened;
}

static const struct language *any(struct languages *ls, bool widened)
{
	return widened ? &ls->widened : &ls->any;
}

/* --- lists --- */

static const struct language *new_list(struct languages *ls, const struct str *strings, uint32_t n, bool widened)
{
	if (!n)
		return &ls->empty;
	struct language *l = arena_new(&ls->arena, struct language);

	*l = (struct language){ .kind = STRINGS, .finite = true, .widened = widened, .number = ls->count++, .n = n, .strings = strings };
	return l;
}

static int compare_strings(const void *p, const void *q)
{
	return str_cmp(*(const struct str *)p, *(const struct str *)q);
}

static bool is_sorted(const str_list *list)
{
	for (uint32_t i = 1; i < list->len; i++)
		if (str_cmp(list->data[i - 1], list->data[i]) >= 0)
			return false;
	return true;
}

static void sort_strings(str_list *list)
{
	uint32_t n = 0;

	if (is_sorted(list))
		return;
	qsort(list->data, list->len, sizeof *list->data, compare_strings);
	for (uint32_t i = 0; i < list->len; i++)
		if (!n || !str_eq(list->data[n - 1], list->data[i]))
			list->data[n++] = list->data[i];
	list->len = n;
}

const struct language *of_list(struct languages *ls, str_list *list, bool widened)
{
	uint64_t bytes = 0;

	if (!take_steps(ls, 32u * (uint64_t)list->len))
		return give_up(ls);
	sort_strings(list);
	for (uint32_t i = 0; i < list->len; i++)
		bytes += list->data[i].len;
	if (!fits(ls, list->len, bytes))
		return give_up(ls);
	return new_list(ls, arena_copy(&ls->arena, list->data, list->len * sizeof *list->data), list->len, widened);
}

static struct str keep(struct languages *ls, struct str s)
{
	return (struct str){ s.len ? arena_copy(&ls->arena, s.p, s.len) : "", s.len };
}

const struct language *language_of(struct languages *ls, struct str s)
{
	if (!fits(ls, 1, s.len))
		return give_up(ls);
	struct str *kept = arena_new(&ls->arena, struct str);

	*kept = keep(ls, s);
	return new_list(ls, kept, 1, false);
}

const struct language *language_of_strings(struct languages *ls, const struct str *s, uint32_t n)
{
	str_list list = { 0 };

	for (uint32_t i = 0; i < n; i++)
		vec_push(&list, keep(ls, s[i]));
	const struct language *l = of_list(ls, &list, false);

	vec_release(&list);
	return l;
}

const struct language *language_of_bytes(struct languages *ls, const struct byteset *one_of)
{
	struct str s[256];
	char bytes[256];
	uint32_t n = 0;

	for (unsigned b = 0; b < 256; b++) {
		bytes[b] = (char)b;
		if (byteset_has(one_of, b))
			s[n++] = (struct str){ &bytes[b], 1 };
	}
	return language_of_strings(ls, s, n);
}

/* --- automata --- */

struct words {
	struct languages *ls;
	const struct graph *g;
	str_list list;
	uint32_t max;
	VEC(char) word;
};

/* All words from state `s` on, in order. As deep as the longest word, so at most as there are states. */
static void collect_words(struct words *w, uint32_t s)
{
	if (w->list.len >= w->max)
		return;
	if (w->g->accepts[s])
		vec_push(&w->list, keep(w->ls, (struct str){ w->word.data, w->word.len }));
	for (uint32_t k = w->g->first[s]; k < w->g->first[s + 1]; k++) {
		for (unsigned b = w->g->arrows[k].lo; b <= w->g->arrows[k].hi && w->list.len < w->max; b++) {
			vec_push(&w->word, (char)b);
			collect_words(w, w->g->arrows[k].to);
			w->word.len--;
		}
	}
}

static struct words words_of(struct languages *ls, const struct graph *g, uint32_t max)
{
	struct words w = { .ls = ls, .g = g, .max = max };

	collect_words(&w, 0);
	vec_release(&w.word);
	return w;
}

static struct fa *owned(struct languages *ls, struct fa *fa)
{
	vec_push(&ls->automata, fa);
	return fa;
}

/* Of a minimal automaton, which is consumed. */
static const struct language *of_minimal(struct languages *ls, struct fa *fa, bool widened)
{
	struct graph g;

	graph_read_ordered(&g, fa, &ls->arena);
	if (g.n > ls->budget.states || fa_is_basic(fa, FA_TOTAL)) {
		const struct language *l = g.n > ls->budget.states ? give_up(ls) : any(ls, widened);

		fa_free(fa);
		return l;
	}
	struct graph_size size = graph_size(&g);

	if (size.finite && fits(ls, size.strings, size.bytes)) {
		fa_free(fa);
		struct words w = words_of(ls, &g, UINT32_MAX);
		const struct language *l = new_list(ls, arena_copy(&ls->arena, w.list.data, w.list.len * sizeof(struct str)), w.list.len,
						    widened);

		vec_release(&w.list);
		return l;
	}
	struct language *l = arena_new(&ls->arena, struct language);

	*l = (struct language){ .kind = AUTOMATON, .widened = widened, .finite = size.finite, .number = ls->count++, .fa = owned(ls, fa),
				.graph = g };
	return l;
}

/* libfa minimizes by turning the automaton round and making it deterministic, twice (Brzozowski): several times as fast as its other
 * algorithm, and bounded by the sets of states in both directions. */
static bool may_minimize(struct languages *ls, struct fa *fa)
{
	struct graph g;
	uint32_t classes, forth = 0, back = 0;

	graph_read(&g, fa, &ls->scratch);
	if (g.n <= RAW_STATES) {
		struct graph turned = graph_turn(&g, &ls->scratch);
		bool *initial = arena_zarray(&ls->scratch, bool, g.n);

		initial[0] = true;
		forth = graph_subsets(&g, initial, 2 * ls->budget.states, &ls->steps, &classes);
		if (forth)
			back = graph_subsets(&turned, g.accepts, 2 * ls->budget.states, &ls->steps, &classes);
	}
	arena_clear(&ls->scratch);
	return back && take_steps(ls, 8u * (uint64_t)classes * (forth + back));
}

static void minimize(struct fa *fa)
{
	if (fa_minimization_algorithm != FA_MIN_BRZOZOWSKI)
		fa_minimization_algorithm = FA_MIN_BRZOZOWSKI;        /* of the process, and the same for all */
	if (fa_minimize(fa) < 0)
		mem_exhausted(0);
}

/* Of any automaton, which is consumed. */
static const struct language *of_automaton(struct languages *ls, struct fa *fa, bool widened)
{
	if (!fa)
		mem_exhausted(0);
	if (fa_is_basic(fa, FA_EMPTY) || !may_minimize(ls, fa)) {
		const struct language *l = fa_is_basic(fa, FA_EMPTY) ? &ls->empty : give_up(ls);

		fa_free(fa);
		return l;
	}
	minimize(fa);
	return of_minimal(ls, fa, widened);
}

struct expressions expressions_for_libfa(struct languages *ls, struct arena *a)
{
	return (struct expressions){ FOR_LIBFA, a, &ls->steps, false };
}

static struct fa *compile(struct expression e)
{
	struct fa *fa;

	if (e.kind == MATCHES_NOTHING)
		return fa_make_basic(FA_EMPTY);
	int error = fa_compile(e.text.p, e.text.len, &fa);

	if (error == REG_ESPACE)
		mem_exhausted(0);
	if (error)
		BUG("libfa does not understand an expression of %u bytes: error %d", e.text.len, error);
	return fa;
}

const struct language *of_expression(struct languages *ls, const struct expressions *es, struct expression e, bool widened)
{
	return es->failed ? give_up(ls) : of_automaton(ls, compile(e), widened);
}

/* They are few, and used again and again. */
const struct language *language_of_expression(struct languages *ls, const char *expression)
{
	str_id id = intern(&ls->expressions, str_of(expression));

	while (ls->of_expressions.len <= id.i)
		vec_push(&ls->of_expressions, NULL);
	if (ls->of_expressions.data[id.i])
		return ls->of_expressions.data[id.i];
	const struct language *l = of_automaton(ls, compile((struct expression){ ATOM, false, 0, str_of(expression) }), false);
	if (!l->widened)
		ls->of_expressions.data[id.i] = l;
	return l;
}

const struct language *language_one_char(struct languages *ls)
{
	if (!ls->one_char)
		ls->one_char = language_of_expression(ls, "[^\x80-\xff]|[\xc0-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf][\x80-\xbf]");
	return ls->one_char;
}

const struct language *whole_chars(struct languages *ls, const struct language *l)
{
	struct byteset bytes = { { 0 } };

	language_bytes(l, &bytes);
	if (l->kind == ANY || byteset_is_ascii(&bytes))
		return l;
	if (!ls->chars)
		ls->chars = language_iterate(ls, language_one_char(ls), 0, LANGUAGE_UNBOUNDED);
	return language_intersect(ls, l, ls->chars);
}

const struct language *language_of_format(struct languages *ls, enum language_format f)
{
	static const char *const expressions[] = {
		[FORMAT_INT] = "0|-?[1-9][0-9]{0,9}", [FORMAT_LONG] = "0|-?[1-9][0-9]{0,18}",
		[FORMAT_HEX] = "0|[1-9a-f][0-9a-f]{0,15}", [FORMAT_UPPER_HEX] = "0|[1-9A-F][0-9A-F]{0,15}",
		[FORMAT_OCTAL] = "0|[1-7][0-7]{0,21}",
		[FORMAT_FLOAT] = "NaN|-?Infinity|-?[0-9]+\\.[0-9]+(E-?[0-9]{1,3})?", [FORMAT_BOOLEAN] = "true|false",
	};

	return f == FORMAT_CHAR ? language_one_char(ls) : language_of_expression(ls, expressions[f]);
}

static struct fa *total(struct languages *ls)
{
	if (!ls->any.fa) {
		ls->any.fa = owned(ls, fa_make_basic(FA_TOTAL));
		graph_read_ordered(&ls->any.graph, ls->any.fa, &ls->arena);
	}
	return ls->any.fa;
}

/* In `scratch`. */
static struct expression draft_of(struct languages *ls, struct expressions *es, const struct language *l)
{
	const struct byteset all = { { UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX } };

	if (l->kind == STRINGS)
		return expression_strings(es, l->strings, l->n);
	if (l->kind == ANY)
		return expression_star(es, expression_bytes(es, &all));
	bool *starts = arena_zarray(&ls->scratch, bool, l->graph.n);

	starts[0] = true;
	return graph_expression(&l->graph, starts, l->graph.accepts, NULL, es, &ls->scratch);
}

struct expression expression_of(struct languages *ls, struct expressions *es, const struct language *l)
{
	struct language *kept = (struct language *)l;      /* what is computed once does not change what it is */
	struct expressions draft = *es;

	if (l->expression.kind || es->failed)
		return l->expression;
	draft.arena = &ls->scratch;
	struct expression e = draft_of(ls, &draft, l);

	es->failed = draft.failed;
	if (!es->failed && e.kind) {
		e.text.p = arena_copy(&ls->arena, e.text.p, (size_t)e.text.len + 1);
		kept->expression = e;
	}
	arena_clear(&ls->scratch);
	return kept->expression;
}

/* An automaton of the language, which keeps it; NULL when it is too large. */
static struct fa *automaton(struct languages *ls, const struct language *l)
{
	if (l->kind == ANY)
		return total(ls);
	if (!l->fa) {
		struct expressions es = expressions_for_libfa(ls, &ls->scratch);
		struct expression e = expression_of(ls, &es, l);

		if (!es.failed)
			((struct language *)l)->fa = owned(ls, compile(e));
	}
	return l->fa;
}

const struct graph *graph_of(struct languages *ls, const struct language *l)
{
	if (l->kind != STRINGS)
		return total(ls), l->kind == ANY ? &ls->any.graph : &l->graph;
	if (l->graph.n)
		return &l->graph;
	struct fa *fa = automaton(ls, l);

	if (!fa || !may_minimize(ls, fa)) {
		give_up(ls);
		return NULL;
	}
	minimize(fa);
	graph_read_ordered(&((struct language *)l)->graph, fa, &ls->arena);
	return &l->graph;
}

/* --- union --- */

static bool add_members(str_list *list, const struct language *l)
{
	vec_reserve(list, (uint64_t)list->len + l->n);
	for (uint32_t i = 0; i < l->n; i++)
		vec_push(list, l->strings[i]);
	return l->widened;
}

/* Of the automata of the list together, as libfa puts them; NULL when there is none, or they are too large. */
static struct fa *join_automata(struct languages *ls, const struct language *const *all, uint32_t n, bool *widened)
{
	struct fa *sum = NULL;
	const struct language *last = NULL;

	for (uint32_t i = 0; i < n; i++) {
		if (all[i]->kind != AUTOMATON || all[i] == last)
			continue;
		last = all[i];
		*widened |= last->widened;
		struct fa *more = sum ? fa_union(sum, last->fa) : fa_iter(last->fa, 1, 1);

		if (!more)
			mem_exhausted(0);
		fa_free(sum);
		sum = more;
		if (!take_steps(ls, 16u * (uint64_t)last->graph.n * (i + 1)))
			break;
	}
	return sum;
}

static const struct language *join_with_list(struct languages *ls, const struct language *l, str_list *list, bool widened)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < list->len; i++)
		if (!language_contains(l, list->data[i]))
			list->data[n++] = list->data[i];
	list->len = n;
	if (!n || l->kind == ANY)
		return l;
	const struct language *rest = of_list(ls, list, widened);
	struct fa *fa = rest->kind == STRINGS && l->kind == AUTOMATON ? automaton(ls, rest) : NULL;

	if (!fa)
		return give_up(ls);
	return of_automaton(ls, fa_union(l->fa, fa), widened || l->widened);
}

static const struct language *find_any(const struct language *const *all, uint32_t n)
{
	const struct language *found = NULL;

	for (uint32_t i = 0; i < n; i++)
		if (all[i]->kind == ANY && (!found || all[i]->widened))
			found = all[i];
	return found;
}

/* The first that is not empty, when all others are empty or the same. */
static const struct language *find_only(struct languages *ls, const struct language *const *all, uint32_t n)
{
	const struct language *only = &ls->empty;

	for (uint32_t i = 0; i < n; i++) {
		if (all[i] == only || language_is_empty(all[i]))
			continue;
		if (only != &ls->empty)
			return NULL;
		only = all[i];
	}
	return only;
}

const struct language *language_union_all(struct languages *ls, const struct language *const *all, uint32_t n)
{
	const struct language *simple = find_any(all, n);
	str_list list = { 0 };
	bool widened = false;

	if (!simple)
		simple = find_only(ls, all, n);
	if (simple)
		return simple;
	for (uint32_t i = 0; i < n; i++)
		if (all[i]->kind == STRINGS)
			widened |= add_members(&list, all[i]);
	bool infinite = false;
	struct fa *sum = join_automata(ls, all, n, &infinite);
	const struct language *l;

	if (!sum)
		l = of_list(ls, &list, widened);
	else
		l = join_with_list(ls, of_automaton(ls, sum, infinite), &list, widened);
	vec_release(&list);
	return l;
}

const struct language *language_union(struct languages *ls, const struct language *a, const struct language *b)
{
	const struct language *const both[] = { a, b };

	return language_union_all(ls, both, 2);
}

/* --- concatenation, iteration --- */

static bool is_epsilon(const struct language *l)
{
	return l->kind == STRINGS && l->n == 1 && !l->strings[0].len;
}

static uint64_t bytes_of(const struct language *l)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < l->n; i++)
		bytes += l->strings[i].len;
	return bytes;
}

static struct str append(struct languages *ls, struct str a, struct str b)
{
	char *s = arena_alloc(&ls->arena, (size_t)a.len + b.len + 1);

	memcpy(s, a.p, a.len);
	memcpy(s + a.len, b.p, b.len);
	return (struct str){ s, a.len + b.len };
}

static const struct language *concat_lists(struct languages *ls, const struct language *a, const struct language *b)
{
	str_list list = { 0 };

	for (uint32_t i = 0; i < a->n; i++)
		for (uint32_t k = 0; k < b->n; k++)
			vec_push(&list, append(ls, a->strings[i], b->strings[k]));
	const struct language *l = of_list(ls, &list, a->widened || b->widened);

	vec_release(&list);
	return l;
}

/* Each once: what is appended to a builder is appended to all that is known of it, and to all that it can be. */
static const struct language *concat_automata(struct languages *ls, const struct language *a, const struct language *b)
{
	uint32_t row = map_get(&ls->concat_of, map_key(a->number, b->number));

	if (row)
		return ls->concats.data[row];
	struct fa *x = automaton(ls, a), *y = automaton(ls, b);
	const struct language *l = x && y ? of_automaton(ls, fa_concat(x, y), a->widened || b->widened) : give_up(ls);

	if (l != &ls->widened) {      /* what is too much now need not be for another question */
		*map_at(&ls->concat_of, map_key(a->number, b->number)) = ls->concats.len;
		vec_push(&ls->concats, l);
	}
	return l;
}

const struct language *language_concat(struct languages *ls, const struct language *a, const struct language *b)
{
	if (language_is_empty(a) || language_is_empty(b))
		return &ls->empty;
	if (is_epsilon(a) || is_epsilon(b))
		return is_epsilon(a) ? b : a;
	if (a->kind == ANY && b->kind == ANY)
		return any(ls, a->widened || b->widened);
	if (a->kind == STRINGS && b->kind == STRINGS) {
		uint64_t bytes = bytes_of(a) * b->n + bytes_of(b) * a->n;

		if (fits(ls, (uint64_t)a->n * b->n, bytes))
			return take_steps(ls, bytes) ? concat_lists(ls, a, b) : give_up(ls);
	}
	return concat_automata(ls, a, b);
}

/* Exactly `n` times, as long as that is a list. */
static const struct language *power(struct languages *ls, const struct language *a, uint32_t n)
{
	const struct language *l = language_of(ls, STR(""));

	for (uint32_t i = 0; i < n && l->kind == STRINGS && !language_is_empty(l); i++)
		l = language_concat(ls, l, a);
	return l;
}

const struct language *language_iterate(struct languages *ls, const struct language *a, uint32_t min, uint32_t max)
{
	if (min > max)
		return &ls->empty;
	if (is_epsilon(a) || language_is_empty(a))
		return min && language_is_empty(a) ? a : language_of(ls, STR(""));
	if (min == max && a->kind == STRINGS && a->n == 1)
		return (uint64_t)a->strings[0].len * max <= ls->budget.bytes ? power(ls, a, min) : give_up(ls);
	if (a->kind == ANY && max)
		return a;
	struct fa *fa = automaton(ls, a);
	uint64_t times = max == LANGUAGE_UNBOUNDED ? (uint64_t)min + 1 : max;
	uint64_t states = a->kind == STRINGS ? bytes_of(a) + 1 : a->graph.n;

	if (!fa || times * states > RAW_STATES)
		return give_up(ls);
	return of_automaton(ls, fa_iter(fa, (int)min, max == LANGUAGE_UNBOUNDED ? -1 : (int)max), a->widened);
}

/* --- intersection, difference --- */

static const struct language *keep_members(struct languages *ls, const struct language *list, const struct language *l, bool in)
{
	str_list kept = { 0 };

	for (uint32_t i = 0; i < list->n; i++)
		if (language_contains(l, list->strings[i]) == in)
			vec_push(&kept, list->strings[i]);
	const struct language *result = kept.len == list->n ? list : of_list(ls, &kept, list->widened || l->widened);

	vec_release(&kept);
	return result;
}

const struct language *language_intersect(struct languages *ls, const struct language *a, const struct language *b)
{
	if (a == b || a->kind == ANY || b->kind == ANY)
		return a->kind == ANY ? b : a;
	if (a->kind == STRINGS || b->kind == STRINGS)
		return a->kind == STRINGS ? keep_members(ls, a, b, true) : keep_members(ls, b, a, true);
	if (!graph_product_fits(&a->graph, &b->graph, PRODUCT_STATES) || !take_steps(ls, 64 * PRODUCT_STATES))
		return give_up(ls);
	return of_automaton(ls, fa_intersect(a->fa, b->fa), a->widened || b->widened);
}

const struct language *language_minus(struct languages *ls, const struct language *a, const struct language *b)
{
	if (language_is_empty(a) || language_is_empty(b))
		return a;
	if (b->kind == ANY)
		return &ls->empty;
	if (a->kind == STRINGS)
		return keep_members(ls, a, b, false);
	const struct graph *g = graph_of(ls, a), *h = graph_of(ls, b);

	if (!g || !h || (uint64_t)g->n * (h->n + 1) > 16 * PRODUCT_STATES || !take_steps(ls, 64u * (uint64_t)g->n * h->n))
		return give_up(ls);
	return of_automaton(ls, fa_minus(automaton(ls, a), automaton(ls, b)), a->widened || b->widened);
}

const struct language *language_complement(struct languages *ls, const struct language *a)
{
	return language_minus(ls, &ls->any, a);
}

const struct language *language_starting(struct languages *ls, struct str with)
{
	return language_concat(ls, language_of(ls, with), &ls->any);
}

const struct language *language_ending(struct languages *ls, struct str with)
{
	return language_concat(ls, &ls->any, language_of(ls, with));
}

const struct language *language_containing(struct languages *ls, struct str what)
{
	return language_concat(ls, &ls->any, language_starting(ls, what));
}

/* --- questions --- */

bool language_is_empty(const struct language *l)
{
	return l->kind == STRINGS && !l->n;
}

bool language_is_any(const struct language *l)
{
	return l->kind == ANY;
}

bool language_is_widened(const struct language *l)
{
	return l->widened;
}

bool language_is_finite(const struct language *l)
{
	return l->finite;
}

static bool list_contains(const struct language *l, struct str s)
{
	uint32_t lo = 0, hi = l->n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		int c = str_cmp(l->strings[mid], s);

		if (!c)
			return true;
		if (c < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return false;
}

bool language_contains(const struct language *l, struct str s)
{
	if (l->kind == STRINGS)
		return list_contains(l, s);
	return l->kind == ANY || graph_contains(&l->graph, s);
}

void language_each_of(const struct language *l, const struct str *list, const uint32_t *shared, uint32_t n,
		      bool (*fn)(void *ctx, struct str s), void *ctx)
{
	struct graph_walk w = { 0 };
	bool goes_on = true;

	if (l->kind == AUTOMATON)
		graph_walk_init(&w, &l->graph);
	for (uint32_t i = 0; goes_on && i < n; i++) {
		if (w.g && graph_walk_ended(&w, shared[i]))
			continue;
		if (w.g ? graph_walk(&w, list[i], shared[i]) : language_contains(l, list[i]))
			goes_on = fn(ctx, list[i]);
	}
	graph_walk_release(&w);
}

bool language_includes(struct languages *ls, const struct language *l, const struct language *in)
{
	(void)ls;
	if (l == in || l->kind == ANY)
		return true;
	for (uint32_t i = 0; in->kind == STRINGS && i < in->n; i++)
		if (!language_contains(l, in->strings[i]))
			return false;
	if (in->kind == STRINGS)
		return true;
	/* What is no list is infinite, or holds more than any list. */
	return in->kind == AUTOMATON && l->kind == AUTOMATON && graph_includes(&l->graph, &in->graph);
}

bool language_equals(struct languages *ls, const struct language *a, const struct language *b)
{
	return language_includes(ls, a, b) && language_includes(ls, b, a);
}

void language_bytes(const struct language *l, struct byteset *bytes)
{
	if (l->kind == ANY)
		byteset_add_range(bytes, 0, 255);
	for (uint32_t i = 0; i < l->n; i++)
		byteset_add_str(bytes, l->strings[i]);
	if (l->kind == AUTOMATON)
		graph_bytes(&l->graph, bytes);
}

struct language_list language_list(struct languages *ls, const struct language *l, uint32_t max)
{
	if (l->kind == STRINGS)
		return (struct language_list){ l->strings, l->n < max ? l->n : max, l->n > max };
	if (!l->finite)
		return (struct language_list){ NULL, 0, true };
	struct words w = words_of(ls, &l->graph, max);
	struct language_list list = { arena_copy(&ls->arena, w.list.data, w.list.len * sizeof(struct str)), w.list.len, true };

	list.more = graph_size(&l->graph).strings > list.n;
	vec_release(&w.list);
	return list;
}
