/* SPDX-License-Identifier: Apache-2.0 */
/* grammar.c - building grammars. */
#include "analysis/strings/grammar.h"

#include <stdlib.h>

#include "analysis/strings/grammar_p.h"

struct grammar *grammar_new(struct languages *ls)
{
	struct grammar *g = mem_zalloc(sizeof *g);

	g->ls = ls;
	g->version = 1;
	arena_init(&g->arena);
	vec_push(&g->nodes, (struct string_row){ 0 });
	vec_push(&g->local, 0);
	vec_push(&g->productions, (struct production){ 0 });
	return g;
}

void grammar_free(struct grammar *g)
{
	if (!g)
		return;
	vec_release(&g->nodes);
	vec_release(&g->local);
	vec_release(&g->productions);
	arena_release(&g->arena);
	free(g);
}

string_node grammar_node(struct grammar *g)
{
	vec_push(&g->nodes, (struct string_row){ 0 });
	vec_push(&g->local, 0);
	return (string_node){ g->nodes.len - 1 };
}

/* What is any string stays it. */
static void add(struct grammar *g, string_node n, struct production p)
{
	struct string_row *row = &g->nodes.data[n.i];
	uint32_t id = g->productions.len;

	if (row->all)
		return;
	vec_push(&g->productions, p);
	if (row->last)
		g->productions.data[row->last].next = id;
	else
		row->first = id;
	row->last = id;
	row->changed = ++g->version;
}

void grammar_add_literal(struct grammar *g, string_node n, struct str s)
{
	grammar_add_language(g, n, language_of(g->ls, s));
}

void grammar_add_language(struct grammar *g, string_node n, const struct language *l)
{
	struct string_row *row = &g->nodes.data[n.i];

	add(g, n, (struct production){ .kind = IS_LANGUAGE, .language = l });
	if (!row->all && language_is_any(l)) {
		row->all = l;
		row->stamp = row->changed;
	}
}

void grammar_add_node(struct grammar *g, string_node n, string_node from)
{
	if (from.i != n.i)
		add(g, n, (struct production){ .kind = IS_NODE, .a = from.i });
}

void grammar_add_concat(struct grammar *g, string_node n, string_node a, string_node b)
{
	add(g, n, (struct production){ .kind = IS_CONCAT, .a = a.i, .b = b.i });
}

static struct str keep(struct grammar *g, struct str s)
{
	return s.p ? (struct str){ arena_copy(&g->arena, s.p, s.len), s.len } : s;
}

void grammar_add_operation(struct grammar *g, string_node n, const struct operation *op, string_node a, string_node b)
{
	struct operation *kept = arena_copy(&g->arena, op, sizeof *op);

	kept->what = keep(g, op->what);
	kept->with = keep(g, op->with);
	if (!kept->with.p)
		kept->with = STR("");
	add(g, n, (struct production){ .kind = IS_OPERATION, .a = a.i, .b = b.i, .op = kept });
}
