/* SPDX-License-Identifier: Apache-2.0 */
#include "session/component/chain_assert.h"

#include <stdlib.h>
#include <string.h>

#include "session/component/chain_filter.h"
#include "session/lookup/lines.h"

#define MOST_METHODS 1000

struct reading {
	struct diag *d;
	const struct chain_graph *x;
	const struct chain_levels *levels;
	const char *path;
	struct asserted *out;
	struct strbuf *why;
};

static char *copy_of(struct str s)
{
	char *p = mem_alloc(s.len + 1);

	memcpy(p, s.p, s.len);
	p[s.len] = 0;
	return p;
}

void asserted_release(struct asserted *a)
{
	for (uint32_t i = 0; i < a->lines.len; i++) {
		struct asserted_line *l = &a->lines.data[i];
		for (uint32_t k = 0; k < l->n; k++)
			free(l->nodes[k]);
		free(l->nodes);
		free(l->chain);
		free(l->because);
	}
	vec_release(&a->lines);
	vec_release(&a->list);
}

static bool complain(struct reading *r, uint64_t line, const char *text, struct str item)
{
	strbuf_addf(r->why, "%s:%llu: ", r->path, (unsigned long long)line);
	strbuf_addf(r->why, text, (int)item.len, item.p);
	return false;
}

static uint32_t find(struct str in, const char *what)
{
	uint32_t n = (uint32_t)strlen(what);

	for (uint32_t i = 0; i + n <= in.len; i++)
		if (memcmp(in.p + i, what, n) == 0)
			return i;
	return in.len;
}

static bool read_method(struct reading *r, struct asserted_line *l, struct str item)
{
	bool *nodes = mem_zalloc(r->x->methods.len + 1);

	l->nodes = mem_realloc(l->nodes, (l->n + 1) * sizeof(*l->nodes));
	l->nodes[l->n++] = nodes;
	if (!filter_methods(r->d, r->x, item, nodes))
		return false;
	for (uint32_t i = 1; i < r->x->methods.len; i++)
		if (nodes[i])
			return true;
	return complain(r, l->line, "'%.*s' names no method of the component that clients of this interface reach: write pkg.Cls.name(*), or "
				    "take the line away", item);
}

static bool read_methods(struct reading *r, struct asserted_line *l, struct str chain)
{
	for (struct str rest = chain;; ) {
		uint32_t at = find(rest, ">");
		if (!read_method(r, l, str_trim(str_sub(rest, 0, at))))
			return false;
		if (at == rest.len)
			break;
		rest = str_sub(rest, at + 1, rest.len);
		if (l->n > MOST_METHODS)
			return complain(r, l->line, "'%.*s' has too many calls", chain);
	}
	return l->n > 1 || complain(r, l->line, "'%.*s' is no chain: write ENTRY > CALLEE", chain);
}

/* Do calls of the component lead from an entry along the methods? */
static bool has_chain(const struct chain_graph *x, const struct chain_levels *levels, const struct asserted_line *l)
{
	bool *at = mem_zalloc(x->methods.len + 1), *next = mem_zalloc(x->methods.len + 1), has_any = false;

	for (uint32_t node = 1; node < x->methods.len; node++)
		for (uint32_t level = 0; level < levels->n; level++)
			at[node] |= l->nodes[0][node] && chain_distance(levels, level, node) != CHAIN_NEVER;
	for (uint32_t k = 1; k < l->n; k++) {
		has_any = false;
		memset(next, 0, x->methods.len + 1);
		for (uint32_t i = 0; i < x->edges.len; i++) {
			const struct chain_edge *e = &x->edges.data[i];
			next[e->to] |= at[e->from] && l->nodes[k][e->to];
			has_any |= next[e->to];
		}
		bool *done = at;
		at = next;
		next = done;
	}
	free(at);
	free(next);
	return has_any;
}

static bool read_line(struct reading *r, struct str item, uint64_t line)
{
	static const char is[] = " is impossible because ";
	uint32_t at = find(item, is);

	if (!str_starts(item, "chain ") || at == item.len || at < 6)
		return complain(r, line, "'%.*s' is no assertion: write 'chain ENTRY > CALLEE is impossible because TEXT'", item);
	struct str chain = str_trim(str_sub(item, 6, at));
	vec_push(&r->out->lines, ((struct asserted_line){ .line = (uint32_t)line, .chain = copy_of(chain),
							  .because = copy_of(str_trim(str_sub(item, at + sizeof(is) - 1, item.len))) }));
	struct asserted_line *l = vec_last(&r->out->lines);
	if (!read_methods(r, l, chain))
		return false;
	return has_chain(r->x, r->levels, l) ||
	       complain(r, line, "no chain begins with '%.*s': its first method is no entry, or one does not call the next; --prune none --format csv "
				 "lists those that there are", chain);
}

bool asserted_read(struct diag *d, const struct chain_graph *x, const struct chain_levels *levels, const char *path, struct asserted *out,
		   struct strbuf *why)
{
	struct reading r = { d, x, levels, path, out, why };
	struct lines l;
	struct str item;
	bool ok = true;

	if (!lines_open(&l, path, "the list of assertions", d))
		return false;
	while (ok && lines_next(&l, &item))
		ok = read_line(&r, item, l.n);
	ok = lines_close(&l) && ok;
	for (uint32_t i = 0; ok && i < out->lines.len; i++)
		vec_push(&out->list, ((struct chain_assertion){ (const bool *const *)out->lines.data[i].nodes, out->lines.data[i].n }));
	return ok;
}
