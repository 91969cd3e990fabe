/* SPDX-License-Identifier: Apache-2.0 */
/* print.c - languages for people: an example, and a regular expression. */
#include <stdlib.h>

#include "analysis/strings/language_p.h"
#include "base/text/utf8.h"

enum { READABLE_BYTES = 400 };        /* of an expression */

/* --- the shortest string --- */

struct step {
	uint32_t from;
	char byte;
};

static struct str way_to(struct languages *ls, const struct step *steps, uint32_t s)
{
	uint32_t n = 0;

	for (uint32_t i = s; i; i = steps[i].from)
		n++;
	char *text = arena_alloc(&ls->arena, n + 1);
	struct str way = { text, n };

	for (uint32_t i = s; i; i = steps[i].from)
		text[--n] = steps[i].byte;
	return way;
}

/* States are in breadth-first order: the first accepting one is the nearest, and the first arrow to a state the shortest way. */
static struct str shortest_of_graph(struct languages *ls, const struct graph *g)
{
	struct step *steps = arena_zarray(&ls->arena, struct step, g->n);
	bool *met = arena_zarray(&ls->arena, bool, g->n);
	uint32_t s = 0;

	met[0] = true;
	for (; !g->accepts[s]; s++) {
		for (uint32_t k = g->first[s]; k < g->first[s + 1]; k++) {
			if (met[g->arrows[k].to])
				continue;
			met[g->arrows[k].to] = true;
			steps[g->arrows[k].to] = (struct step){ s, (char)g->arrows[k].lo };
		}
	}
	return way_to(ls, steps, s);
}

bool language_example(struct languages *ls, const struct language *l, struct str *example)
{
	*example = STR("");
	if (language_is_empty(l))
		return false;
	if (l->kind == AUTOMATON)
		*example = shortest_of_graph(ls, &l->graph);
	if (l->kind != STRINGS)
		return true;
	*example = l->strings[0];
	for (uint32_t i = 1; i < l->n; i++)
		if (l->strings[i].len < example->len)
			*example = l->strings[i];
	return true;
}

/* --- text --- */

static void print_byte(struct strbuf *to, char c)
{
	switch (c) {
	case '\n': strbuf_adds(to, "\\n"); break;
	case '\r': strbuf_adds(to, "\\r"); break;
	case '\t': strbuf_adds(to, "\\t"); break;
	default: strbuf_addf(to, "\\x%02x", (unsigned)(unsigned char)c);
	}
}

/* Characters as they are, and what cannot be shown as escapes. */
static void print_bytes(struct strbuf *to, struct str s)
{
	const char *at = s.p, *end = s.p + s.len;

	while (at < end) {
		const char *from = at;
		uint32_t c = utf8_next(&at, end);
		char text[UTF8_MOST];

		if (c != UTF8_BAD && !utf8_is_hidden(c)) {
			strbuf_add(to, text, utf8_put(text, c));
			continue;
		}
		for (at = from + 1, print_byte(to, *from); at < end && c != UTF8_BAD && byte_continues(*at); at++)
			print_byte(to, *at);
	}
}

static void print_literal(struct strbuf *to, struct str s)
{
	struct strbuf escaped = { 0 };

	for (uint32_t i = 0; i < s.len; i++) {
		if (s.p[i] && strchr(".()[]{}*|+?\\^$", s.p[i]))
			strbuf_addch(&escaped, '\\');
		strbuf_addch(&escaped, s.p[i]);
	}
	print_bytes(to, strbuf_str(&escaped));
	strbuf_release(&escaped);
}

static void print_list(const struct language *l, uint32_t max, struct strbuf *to)
{
	if (!l->n)
		strbuf_adds(to, "[]");
	for (uint32_t i = 0; i < l->n && i < max; i++) {
		if (i)
			strbuf_addch(to, '|');
		if (l->strings[i].len)
			print_literal(to, l->strings[i]);
		else
			strbuf_adds(to, "()");
	}
	if (l->n > max)
		strbuf_adds(to, max ? "|…" : "…");
}

static struct expression readable(struct languages *ls, const struct graph *g, bool *failed)
{
	uint64_t steps = UINT64_C(1) << 20;
	struct expressions es = { FOR_PEOPLE, &ls->scratch, &steps, false };
	bool *starts = arena_zarray(&ls->scratch, bool, g->n);

	starts[0] = true;
	struct expression e = graph_expression(g, starts, g->accepts, NULL, &es, &ls->scratch);

	*failed = es.failed || e.text.len > READABLE_BYTES;
	return e;
}

/* As far as there is one way to go. */
static void print_beginning(const struct graph *g, struct strbuf *to)
{
	struct strbuf text = { 0 };
	uint32_t s = 0;

	while (!g->accepts[s] && g->first[s + 1] == g->first[s] + 1 && g->arrows[g->first[s]].lo == g->arrows[g->first[s]].hi) {
		strbuf_addch(&text, (char)g->arrows[g->first[s]].lo);
		s = g->arrows[g->first[s]].to;
	}
	print_literal(to, strbuf_str(&text));
	strbuf_adds(to, "…");
	strbuf_release(&text);
}

void language_print(struct languages *ls, const struct language *l, uint32_t max, struct strbuf *to)
{
	bool failed = false;

	if (l->kind == STRINGS) {
		print_list(l, max, to);
	} else if (l->kind == ANY) {
		strbuf_adds(to, ".*");
	} else {
		struct expression e = readable(ls, &l->graph, &failed);

		if (failed)
			print_beginning(&l->graph, to);
		else
			print_bytes(to, e.text);
		arena_clear(&ls->scratch);
	}
}
