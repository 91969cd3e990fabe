/* SPDX-License-Identifier: Apache-2.0 */
/* on_automaton.c - operations of Java on languages that are no lists. Those that cut a string choose other states to begin and end with;
 * those that change single characters change arrows; the rest is put together of these, or bounded by the characters. */
#include <stdlib.h>

#include "analysis/strings/operation_p.h"

enum { CHARS_MOST = 128 };            /* positions beyond are as good as unknown */

/* --- other beginnings and ends --- */

/* What leads from one of `starts` to one of `ends`; both are consumed. */
static const struct language *between(struct languages *ls, const struct graph *g, bool *starts, bool *ends, const struct str *images,
				      bool widened)
{
	struct expressions es = expressions_for_libfa(ls, &ls->scratch);
	struct expression e = graph_expression(g, starts, ends, images, &es, &ls->scratch);
	const struct language *l = of_expression(ls, &es, e, widened);

	free(starts);
	free(ends);
	arena_clear(&ls->scratch);
	return l;
}

static bool *states(const struct graph *g, bool value)
{
	bool *set = mem_alloc(g->n);

	memset(set, value, g->n);
	return set;
}

static bool *only_initial(const struct graph *g)
{
	bool *set = states(g, false);

	set[0] = true;
	return set;
}

static bool *accepting(const struct graph *g)
{
	bool *set = mem_alloc(g->n);

	memcpy(set, g->accepts, g->n);
	return set;
}

static bool is_ascii(const struct language *l)
{
	struct byteset bytes = { { 0 } };

	language_bytes(l, &bytes);
	return byteset_is_ascii(&bytes);
}

static const struct language *infixes(struct languages *ls, const struct language *l, bool cut_before, bool cut_behind)
{
	const struct graph *g = l->kind == ANY ? NULL : graph_of(ls, l);

	if (l->kind == ANY)
		return l;
	if (!g)
		return language_widened(ls);
	const struct language *cut = between(ls, g, cut_before ? states(g, true) : only_initial(g),
					     cut_behind ? states(g, true) : accepting(g), NULL, l->widened);

	return whole_chars(ls, cut);
}

/* The states of `from` and those that continuation bytes lead to. */
static void finish_char(const struct graph *g, bool *set)
{
	for (bool grew = true; grew;) {
		grew = false;
		for (uint32_t s = 0; s < g->n; s++) {
			for (uint32_t k = g->first[s]; set[s] && k < g->first[s + 1]; k++) {
				const struct arrow *a = &g->arrows[k];

				if (a->hi < 0x80 || a->lo > 0xbf || set[a->to])
					continue;
				grew = set[a->to] = true;
			}
		}
	}
}

static bool *after_char(const struct graph *g, bool *set)
{
	bool *after = states(g, false);

	for (uint32_t s = 0; s < g->n; s++)
		for (uint32_t k = g->first[s]; set[s] && k < g->first[s + 1]; k++)
			if (g->arrows[k].lo < 0x80 || g->arrows[k].hi > 0xbf)
				after[g->arrows[k].to] = true;
	free(set);
	finish_char(g, after);
	return after;
}

/* Without the first `n` chars; those that are shorter are gone. */
static const struct language *without_first(struct languages *ls, const struct language *l, uint32_t n)
{
	const struct graph *g;

	if (l->kind == ANY || !n)
		return l;
	if (n > CHARS_MOST)
		return infixes(ls, l, true, false);
	if (!(g = graph_of(ls, l)))
		return language_widened(ls);
	bool *starts = only_initial(g);

	for (uint32_t i = 0; i < n; i++)
		starts = after_char(g, starts);
	return whole_chars(ls, between(ls, g, starts, accepting(g), NULL, l->widened));
}

/* The first `n` chars; those that are shorter are gone. */
static const struct language *first_chars(struct languages *ls, const struct language *l, uint32_t n)
{
	const struct language *begins = infixes(ls, l, false, true);

	if (n > CHARS_MOST)
		return begins;
	return language_intersect(ls, begins, language_iterate(ls, language_one_char(ls), n, n));
}

static const struct language *substring(struct languages *ls, const struct operation *op, const struct language *l)
{
	bool from_known = op->from != POSITION_UNKNOWN;
	bool to_known = op->to != POSITION_UNKNOWN && op->to != POSITION_END;

	if (from_known && to_known && op->from > op->to)
		return language_empty(ls);
	const struct language *rest = from_known ? without_first(ls, l, op->from) : infixes(ls, l, true, false);

	if (op->to == POSITION_END)
		return rest;
	if (op->to == POSITION_UNKNOWN || (!from_known && op->to > CHARS_MOST))
		return infixes(ls, rest, false, true);
	if (from_known)
		return first_chars(ls, rest, op->to - op->from);
	return language_intersect(ls, infixes(ls, rest, false, true), language_iterate(ls, language_one_char(ls), 0, op->to));
}

static const struct language *char_at(struct languages *ls, const struct operation *op, const struct language *l)
{
	const struct language *rest = op->from == POSITION_UNKNOWN ? infixes(ls, l, true, false) : without_first(ls, l, op->from);

	return first_chars(ls, rest, 1);
}

/* --- other characters --- */

/* With other bytes on arrows; `images` has 256. */
static const struct language *map_bytes(struct languages *ls, const struct language *l, const struct str *images)
{
	const struct graph *g = graph_of(ls, l);

	return g ? between(ls, g, only_initial(g), accepting(g), images, l->widened) : language_widened(ls);
}

static void identity(struct str *images, char *bytes)
{
	for (int b = 0; b < 256; b++) {
		bytes[b] = (char)b;
		images[b] = (struct str){ &bytes[b], 1 };
	}
}

static const struct language *change_case(struct languages *ls, const struct operation *op, const struct language *l)
{
	struct str images[256];
	char bytes[256];
	int from = op->kind == OP_LOWER ? 'A' : 'a', to = op->kind == OP_LOWER ? 'a' : 'A';

	if (!is_ascii(l))
		return l->widened ? language_widened(ls) : language_any(ls);
	identity(images, bytes);
	for (int i = 0; i < 26; i++)
		bytes[from + i] = (char)(to + i);
	return map_bytes(ls, l, images);
}

/* Strings without what is replaced stay; others are some string of these bytes. */
static const struct language *replace_string(struct languages *ls, const struct operation *op, const struct language *l)
{
	const struct language *found = language_containing(ls, op->what);
	const struct language *changed = language_intersect(ls, l, found);
	struct byteset bytes = { { 0 } };

	if (language_is_empty(changed))
		return l;
	language_bytes(changed, &bytes);
	return language_union(ls, language_minus(ls, l, found), operation_bound(ls, op, &bytes));
}

static const struct language *replace(struct languages *ls, const struct operation *op, const struct language *l)
{
	struct str images[256];
	char bytes[256];

	if (op->kind == OP_REPLACE_FIRST || op->what.len != 1 || (unsigned char)op->what.p[0] >= 0x80)
		return replace_string(ls, op, l);
	identity(images, bytes);
	images[(unsigned char)op->what.p[0]] = op->with;
	return map_bytes(ls, l, images);
}

static const struct language *mix(struct languages *ls, const struct operation *op, const struct language *a, const struct language *b)
{
	struct byteset bytes = { { 0 } };

	language_bytes(a, &bytes);
	if (b)
		language_bytes(b, &bytes);
	return operation_bound(ls, op, &bytes);
}

/* --- reversal --- */

static const struct language *reverse(struct languages *ls, const struct operation *op, const struct language *l)
{
	const struct graph *g;

	if (!is_ascii(l))
		return mix(ls, op, l, NULL);
	if (!(g = graph_of(ls, l)))
		return language_widened(ls);
	struct graph t = graph_turn(g, &ls->arena);

	return between(ls, &t, accepting(g), only_initial(g), NULL, l->widened);
}

/* --- white space --- */

static bool has_blank(const struct arrow *a, bool trim)
{
	return trim ? a->lo <= 32 : (a->lo <= 13 && a->hi >= 9) || (a->lo <= 32 && a->hi >= 28);
}

/* Adds the states that blanks lead to, or lead from. */
static void over_blanks(const struct graph *g, bool *set, bool forward, bool trim)
{
	for (bool grew = true; grew;) {
		grew = false;
		for (uint32_t s = 0; s < g->n; s++) {
			for (uint32_t k = g->first[s]; k < g->first[s + 1]; k++) {
				uint32_t to = g->arrows[k].to, known = forward ? s : to, found = forward ? to : s;

				if (set[known] && !set[found] && has_blank(&g->arrows[k], trim))
					grew = set[found] = true;
			}
		}
	}
}

/* Strings whose first and last characters are not blank. */
static const struct language *tight(struct languages *ls, const struct operation *op)
{
	const struct language *blank = op->kind == OP_TRIM ? language_of_expression(ls, "[^\x21-\x7f\x80-\xff]")
							   : language_of_expression(ls, "[\x09-\x0d\x1c-\x20]");
	const struct language *loose = language_empty(ls), *any = language_any(ls);

	if (op->kind != OP_STRIP_TRAILING)
		loose = language_concat(ls, blank, any);
	if (op->kind != OP_STRIP_LEADING)
		loose = language_union(ls, loose, language_concat(ls, any, blank));
	return language_complement(ls, loose);
}

static const struct language *strip(struct languages *ls, const struct operation *op, const struct language *l)
{
	bool trim = op->kind == OP_TRIM;

	if (!trim && !is_ascii(l))
		return infixes(ls, l, true, true);
	const struct graph *g = graph_of(ls, l);

	if (!g)
		return language_widened(ls);
	bool *starts = only_initial(g), *ends = accepting(g);

	if (op->kind != OP_STRIP_TRAILING)
		over_blanks(g, starts, true, trim);
	if (op->kind != OP_STRIP_LEADING)
		over_blanks(g, ends, false, trim);
	return language_intersect(ls, between(ls, g, starts, ends, NULL, l->widened), tight(ls, op));
}

/* --- put together --- */

/* What is before `from`, and from `to` on; whether they belong together is lost. */
static const struct language *before(struct languages *ls, const struct operation *op, const struct language *l)
{
	return op->from == POSITION_UNKNOWN ? infixes(ls, l, false, true) : first_chars(ls, l, op->from);
}

static const struct language *behind(struct languages *ls, const struct language *l, uint32_t from, uint32_t skip)
{
	return from == POSITION_UNKNOWN ? infixes(ls, l, true, false) : without_first(ls, l, from + skip);
}

static const struct language *delete(struct languages *ls, const struct operation *op, const struct language *l)
{
	const struct language *rest = language_of(ls, STR(""));

	if (op->to != POSITION_END)
		rest = language_union(ls, rest, behind(ls, l, op->to, 0));
	return language_concat(ls, before(ls, op, l), rest);
}

static const struct language *around(struct languages *ls, const struct operation *op, const struct language *l, const struct language *b,
				     uint32_t skip)
{
	const struct language *rest = behind(ls, l, op->from, skip), *head = before(ls, op, l);

	return language_concat(ls, head, b ? language_concat(ls, b, rest) : rest);
}

static const struct language *set_length(struct languages *ls, const struct operation *op, const struct language *l)
{
	const struct language *nul = language_iterate(ls, language_of(ls, STR("\xc0\x80")), 0, LANGUAGE_UNBOUNDED);
	const struct language *filled = language_concat(ls, l, nul);

	if (op->to == POSITION_UNKNOWN || op->to > CHARS_MOST)
		return language_union(ls, infixes(ls, l, false, true), filled);
	return first_chars(ls, filled, op->to);
}

static const struct language *repeat(struct languages *ls, const struct operation *op, const struct language *l)
{
	bool known = op->from != POSITION_UNKNOWN;

	return language_iterate(ls, l, known ? op->from : 0, known ? op->from : LANGUAGE_UNBOUNDED);
}

static const struct language *split(struct languages *ls, const struct operation *op, const struct language *l)
{
	const struct language *pieces = infixes(ls, l, true, true);
	struct strbuf by = { 0 };

	if (op->what.p && literal_of_regex(op->what, &by) && by.len)
		pieces = language_minus(ls, pieces, language_containing(ls, strbuf_str(&by)));
	strbuf_release(&by);
	return pieces;
}

const struct language *operation_on_automaton(struct languages *ls, const struct operation *op, const struct language *a,
					      const struct language *b)
{
	switch (op->kind) {
	case OP_SUBSTRING: return substring(ls, op, a);
	case OP_CHAR_AT: return char_at(ls, op, a);
	case OP_REPLACE: case OP_REPLACE_FIRST: case OP_REPLACE_ALL: return replace(ls, op, a);
	case OP_TRIM: case OP_STRIP: case OP_STRIP_LEADING: case OP_STRIP_TRAILING: return strip(ls, op, a);
	case OP_LOWER: case OP_UPPER: return change_case(ls, op, a);
	case OP_REVERSE: return reverse(ls, op, a);
	case OP_INSERT: return around(ls, op, a, b, 0);
	case OP_DELETE: return delete(ls, op, a);
	case OP_DELETE_CHAR: return around(ls, op, a, NULL, 1);
	case OP_SET_CHAR: return around(ls, op, a, b, 1);
	case OP_SET_LENGTH: return set_length(ls, op, a);
	case OP_REPEAT: return repeat(ls, op, a);
	case OP_SPLIT: return split(ls, op, a);
	case OP_FILTER: return language_intersect(ls, a, op->filter);
	case OP_EXCEPT: return language_is_any(a) ? a : language_minus(ls, a, op->filter);
	case OP_MIX: return mix(ls, op, a, b);
	}
	return language_any(ls);
}
