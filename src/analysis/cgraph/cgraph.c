/* SPDX-License-Identifier: Apache-2.0 */
/* cgraph.c - the nodes, sites and targets of a C program's call graph. */
#include "analysis/cgraph/cgraph.h"

const char *cgraph_kind_name(enum cgraph_kind k)
{
	static const char *const words[] = { "direct", "pointer", "assembly" };

	return words[k];
}

const char *cgraph_cause_name(enum cgraph_cause c)
{
	static const char *const words[] = { NULL, "unknown-code", "assembly", "no-target" };

	return words[c];
}

/* While a graph is made. */
struct making {
	struct cgraph *g;
	const struct cprogram *p;
	cfn_id unknown;
	uint32_t *row;                /* by function: its row in nodes, + 1 */
};

/* The initialisers of globals are a function of ours: they are shown only where something is called. */
static bool is_shown(const struct cprogram *p, cfn_id f)
{
	return f.i != p->initialisers.i || p->fns.data[f.i].ncalls;
}

static void add_nodes(struct making *m)
{
	const struct cfunctions *x = m->g->functions;

	for (uint32_t k = 0; k < x->n; k++) {
		cfn_id f = x->order[k];
		uint16_t flags = m->p->fns.data[f.i].flags;
		if (!is_shown(m->p, f))
			continue;
		vec_push(&m->g->nodes, ((struct cgraph_node){ .fn = f, .is_entry = flags & CFN_STARTS,
							      .is_library = flags & CFN_FOREIGN }));
		m->row[f.i] = m->g->nodes.len;
	}
}

static enum cgraph_cause cause_of(const struct making *m, const struct cgraph_site *s)
{
	cfn_id caller = m->p->calls.data[s->call.i].caller;

	for (uint32_t i = 0; i < s->ntargets && caller.i != m->unknown.i; i++)
		if (m->unknown.i && m->g->nodes.data[m->g->targets.data[s->first + i]].fn.i == m->unknown.i)
			return CGRAPH_UNKNOWN_CODE;
	if (s->kind == CGRAPH_ASSEMBLY)
		return CGRAPH_IN_ASSEMBLY;
	/* A model that calls nothing back was given nothing to call */
	bool is_starved = s->kind == CGRAPH_POINTER && !s->ntargets && cfn_is_own(m->g->functions->facts, caller);
	return is_starved ? CGRAPH_NO_TARGET : CGRAPH_RESOLVED;
}

static void add_site(struct making *m, ccall_id c, uint32_t number)
{
	struct cgraph *g = m->g;
	const struct ccall *call = &m->p->calls.data[c.i];
	struct cgraph_site s = { .call = c, .number = number, .first = g->targets.len };
	const cfn_vec *t = cfunctions_targets(g->functions, c);

	s.kind = call->flags & CCALL_ASM ? CGRAPH_ASSEMBLY : ccall_is_indirect(call) ? CGRAPH_POINTER : CGRAPH_DIRECT;
	for (uint32_t i = 0; i < t->len; i++)
		if (m->row[t->data[i].i])
			vec_push(&g->targets, m->row[t->data[i].i] - 1);
	s.ntargets = g->targets.len - s.first;
	s.cause = (uint8_t)cause_of(m, &s);
	vec_push(&g->sites, s);
}

void cgraph_compute(struct cgraph *g, struct cfunctions *functions, cfn_id unknown)
{
	struct making m = { .g = g, .p = cpta_program(functions->facts), .unknown = unknown };

	*g = (struct cgraph){ .functions = functions };
	m.row = mem_zalloc(sizeof(uint32_t) * (m.p->fns.len + 1));
	add_nodes(&m);
	for (uint32_t k = 0; k < g->nodes.len; k++) {
		struct cgraph_node *node = &g->nodes.data[k];
		const struct cfn *row = &m.p->fns.data[node->fn.i];
		node->first = g->sites.len;
		for (uint32_t i = 0; i < row->ncalls; i++)
			add_site(&m, (ccall_id){ row->calls + i }, i);
		node->nsites = g->sites.len - node->first;
	}
	free(m.row);
}

void cgraph_release(struct cgraph *g)
{
	vec_release(&g->nodes);
	vec_release(&g->sites);
	vec_release(&g->targets);
}

/* A node's targets, each counted once however many of its sites have it. */
static uint64_t count_function_edges(const struct cgraph *g)
{
	uint32_t *seen = mem_zalloc(sizeof(uint32_t) * (g->nodes.len + 1));       /* by node: 1 + the last one that called it */
	uint64_t n = 0;

	for (uint32_t k = 0; k < g->nodes.len; k++) {
		const struct cgraph_node *node = &g->nodes.data[k];
		for (uint32_t s = node->first; s < node->first + node->nsites; s++)
			for (uint32_t i = 0; i < g->sites.data[s].ntargets; i++) {
				uint32_t t = g->targets.data[g->sites.data[s].first + i];
				n += seen[t] != k + 1;
				seen[t] = k + 1;
			}
	}
	free(seen);
	return n;
}

struct cgraph_stats cgraph_stats(const struct cgraph *g)
{
	struct cgraph_stats st = { .functions = g->nodes.len, .sites = g->sites.len, .edges = g->targets.len };

	for (uint32_t k = 0; k < g->sites.len; k++) {
		const struct cgraph_site *s = &g->sites.data[k];
		st.indirect += s->kind == CGRAPH_POINTER;
		st.poly += s->ntargets > 1;
		st.unresolved += s->cause != CGRAPH_RESOLVED;
	}
	st.function_edges = count_function_edges(g);
	return st;
}
