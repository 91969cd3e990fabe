/* SPDX-License-Identifier: Apache-2.0 */
#include "report/chains/chains_p.h"
#include "report/write/screen.h"

const char *const granularity_names[] = { "method", "site", "receiver", NULL };
const char *const length_names[] = { "entry", "main", NULL };
const char *const recursion_names[] = { "unroll", "backedges", NULL };
const char *const prune_names[] = { "conditions", "none", NULL };

const char *chains_text(uint64_t n, char buf[32])
{
	return n == CHAINS_MANY ? "more than 10^19" : grouped(n, buf);
}

bool chains_next(struct chains_cursor *c)
{
	if (c->only == CHAINS_ALL)
		return chain_next(&c->w);
	bool ok = !c->is_done && chain_at(&c->w, c->only);
	c->is_done = true;
	return ok;
}

void chains_add_level(const struct forest *f, const struct forest_tree *t, struct strbuf *out)
{
	const struct chain_level *l = &f->levels.data[t->level];

	strbuf_addf(out, "%u%s", (unsigned)l->level, l->or_more ? "+" : "");
}

struct str chains_short_name(const struct chain_graph *x, uint32_t node, struct str name)
{
	struct str package = package_of(class_name(x->p, method_row(x->p, x->methods.data[node])->owner));

	return package.len ? str_sub(name, package.len + 1, name.len) : name;
}

void chains_add_call(const struct forest *f, struct names *source, uint32_t edge, bool is_back, struct strbuf *out)
{
	const struct chain_graph *x = f->x;
	const struct chain_edge *e = &x->edges.data[edge];

	strbuf_addstr(out, chains_short_name(x, e->to, names_method(source, x->methods.data[e->to])));
	if (f->opt.granularity == CHAIN_RECEIVER && e->receiver.i &&
	    e->receiver.i != method_row(x->p, x->methods.data[e->to])->owner.i) {
		struct str name = names_class(source, e->receiver);
		strbuf_adds(out, "  on ");
		strbuf_addstr(out, str_sub(name, (uint32_t)(str_rfind(name, '.') + 1), name.len));
	}
	if (f->opt.granularity == CHAIN_RECEIVER && e->is_client)
		strbuf_adds(out, "  on a class of clients");
	strbuf_adds(out, is_back ? "  again" : "");
}
