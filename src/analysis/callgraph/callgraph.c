/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/callgraph/dispatch.h"
#include "analysis/callgraph/fill.h"

#include <stdlib.h>

#include "ir/access.h"

const char *cg_cause_name(enum cg_cause c)
{
	static const char *const names[] = {
		[CG_RESOLVED] = "resolved",   [CG_REFLECTION] = "reflection", [CG_METHOD_HANDLE] = "method-handle",
		[CG_BOOTSTRAP] = "bootstrap", [CG_NATIVE] = "native",         [CG_MISSING] = "missing",
		[CG_LINK_ERROR] = "link-error", [CG_SERIAL] = "serialization",
	};

	return names[c];
}

struct cg_node *callgraph_node(struct callgraph *g, method_id m)
{
	while (g->nodes.len <= m.i)
		vec_push(&g->nodes, (struct cg_node){ 0 });
	return &g->nodes.data[m.i];
}

/* Set numbers as callgraph.h promises them: sets of one by their method, then the others. */
static uint32_t final_set(const struct callgraph *g, uint32_t set)
{
	if (set & SET_OF_ONE)
		return set & ~SET_OF_ONE;
	return set ? g->identity.len + set : 0;
}

void callgraph_identity(struct callgraph *g)
{
	vec_reserve(&g->identity, g->p->methods.len);
	for (uint32_t i = g->identity.len; i < g->p->methods.len; i++)
		vec_push(&g->identity, (method_id){ i });
}

void callgraph_finish(struct callgraph *g)
{
	callgraph_node(g, (method_id){ g->p->methods.len });
	callgraph_identity(g);
	for (uint32_t i = 0; i < g->sites.len; i++)
		g->sites.data[i].set = final_set(g, g->sites.data[i].set);
#ifdef SHERD_CHECK
	const char *reason;
	if (!callgraph_check(g, &reason))
		BUG("call graph: %s", reason);
#endif
}

struct callgraph *callgraph_compute(struct program *p, const struct cg_entries *entries, const struct cg_opt *opt)
{
	struct callgraph *g = callgraph_new(p);

	callgraph_build(g, entries, opt);
	callgraph_finish(g);
	return g;
}

void callgraph_free(struct callgraph *g)
{
	if (!g)
		return;
	dispatcher_free(g->dispatcher);
	dynamic_free(g->features);
	hierarchy_release(&g->h);
	id_sets_release(&g->targets);
	id_sets_release(&g->receivers);
	vec_release(&g->nodes);
	vec_release(&g->sites);
	vec_release(&g->reached);
	vec_release(&g->identity);
	vec_release(&g->dynamic);
	map_release(&g->dynamic_at);
	vec_release(&g->found);
	free(g);
}

static const struct cg_site *find_site(const struct callgraph *g, method_id m, uint32_t pc, mref_id mref, uint32_t implied)
{
	uint32_t n = 0;
	const struct cg_site *sites = callgraph_reaches(g, m) ? callgraph_sites(g, m, &n) : NULL;

	for (uint32_t i = 0; i < n; i++)
		if (sites[i].pc == pc && sites[i].mref.i == mref.i && sites[i].implied == implied)
			return &sites[i];
	return NULL;
}

const struct cg_site *callgraph_find_site(const struct callgraph *g, method_id m, uint32_t pc, mref_id mref)
{
	return find_site(g, m, pc, mref, 0);
}

const struct cg_site *callgraph_find_callbacks(const struct callgraph *g, method_id m, uint32_t pc, mref_id mref)
{
	return find_site(g, m, pc, mref, 1 + DYNAMIC_CALLBACK);
}

uint32_t callgraph_nsets(const struct callgraph *g)
{
	return g->identity.len + g->targets.rows.len;
}

const struct program *callgraph_program(const struct callgraph *g)
{
	return g->p;
}

uint32_t callgraph_nmethods(const struct callgraph *g)
{
	return g->reached.len;
}

/* A method's printed name in three parts, so that long class names are not repeated for every method. */
struct named {
	struct str parts[3];         /* "pkg.Cls.", name, descriptor */
	method_id m;
};

static int by_text(const void *a, const void *b)
{
	const struct str *x = ((const struct named *)a)->parts, *y = ((const struct named *)b)->parts;
	uint32_t i = 0, k = 0, xat = 0, yat = 0;

	while (i < 3 && k < 3) {
		uint32_t xleft = x[i].len - xat, yleft = y[k].len - yat, n = xleft < yleft ? xleft : yleft;
		int c = n ? memcmp(x[i].p + xat, y[k].p + yat, n) : 0;
		if (c)
			return c;
		xat += n;
		yat += n;
		if (xat == x[i].len)
			i++, xat = 0;
		if (yat == y[k].len)
			k++, yat = 0;
	}
	return (i < 3) - (k < 3);
}

/* The dotted name of a class with a dot behind it; `texts` is by class. */
static struct str dotted_class(const struct program *p, struct arena *mem, struct str *texts, class_id c)
{
	struct strbuf b = { 0 };

	if (!texts[c.i].p) {
		print_class(p, c, &b);
		strbuf_addch(&b, '.');
		texts[c.i] = (struct str){ arena_copy(mem, b.s, b.len), (uint32_t)b.len };
		strbuf_release(&b);
	}
	return texts[c.i];
}

static void sort_by_name(struct callgraph *g)
{
	struct named *rows = mem_alloc(g->reached.len * sizeof(*rows));
	struct str *texts = mem_zalloc(g->p->classes.len * sizeof(*texts));
	struct arena mem;

	arena_init(&mem);
	for (uint32_t i = 0; i < g->reached.len; i++) {
		struct ir_method m = *method_row(g->p, g->reached.data[i]);
		rows[i] = (struct named){ { dotted_class(g->p, &mem, texts, m.owner), sel_name(g->p, m.sel), sel_desc(g->p, m.sel) },
					  g->reached.data[i] };
	}
	qsort(rows, g->reached.len, sizeof(*rows), by_text);
	for (uint32_t i = 0; i < g->reached.len; i++)
		g->reached.data[i] = rows[i].m;
	free(rows);
	free(texts);
	arena_release(&mem);
}

method_id callgraph_method(const struct callgraph *g, uint32_t k)
{
	if (!g->is_sorted) {
		struct callgraph *own = (struct callgraph *)(uintptr_t)g;   /* order is a cache, not a fact */
		sort_by_name(own);
		own->is_sorted = true;
	}
	return g->reached.data[k];
}

bool callgraph_reaches(const struct callgraph *g, method_id m)
{
	return m.i < g->nodes.len && g->nodes.data[m.i].reached;
}

bool callgraph_is_entry(const struct callgraph *g, method_id m)
{
	return callgraph_reaches(g, m) && g->nodes.data[m.i].entry;
}

bool callgraph_is_client_entry(const struct callgraph *g, method_id m)
{
	return callgraph_reaches(g, m) && (g->nodes.data[m.i].entry & ENTRY_BY_CLIENT);
}

bool callgraph_is_by_callback(const struct callgraph *g, method_id m)
{
	return callgraph_reaches(g, m) && g->nodes.data[m.i].by_callback;
}

const struct cg_site *callgraph_sites(const struct callgraph *g, method_id m, uint32_t *n)
{
	const struct cg_node *node = &g->nodes.data[m.i];

	*n = node->n;
	return g->sites.data + node->first;
}

struct cg_targets callgraph_targets(const struct callgraph *g, const struct cg_site *s)
{
	if (s->set < g->identity.len)
		return (struct cg_targets){ &g->identity.data[s->set], s->set != 0 };
	const struct id_set *set = &g->targets.rows.data[s->set - g->identity.len];
	return (struct cg_targets){ set->ids, set->n };
}

struct cg_classes callgraph_receivers(const struct callgraph *g, const struct cg_site *s)
{
	uint32_t row = g->dispatcher ? dispatch_receivers(g->dispatcher, s->receivers) : s->receivers;
	const struct id_set *set = &g->receivers.rows.data[row];

	return (struct cg_classes){ set->ids, set->n };
}

bool targets_have(struct cg_targets t, method_id m)
{
	uint32_t low = 0, high = t.n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (t.methods[middle].i < m.i)
			low = middle + 1;
		else
			high = middle;
	}
	return low < t.n && t.methods[low].i == m.i;
}

/* Statistics */

struct counter {
	const struct callgraph *g;
	uint32_t *seen;           /* by method: the last caller that was found to call it */
	uint32_t *seen_set;       /* by set: likewise */
	struct cg_stats s;
};

static void count_site(struct counter *c, method_id caller, const struct cg_site *site)
{
	struct cg_targets t = callgraph_targets(c->g, site);

	bool is_callback = site->implied == 1 + DYNAMIC_CALLBACK;

	c->s.edges += t.n;
	c->s.callback_edges += is_callback || c->g->nodes.data[caller.i].by_callback ? t.n : 0;
	c->s.sites += !site->implied;
	c->s.poly_sites += t.n > 1;
	c->s.open_sites += site->open && !is_callback;
	c->s.by_cause[site->cause]++;
}

static struct cg_targets largest_set(const struct callgraph *g, const struct cg_site *sites, uint32_t n)
{
	struct cg_targets largest = { 0 };

	for (uint32_t i = 0; i < n; i++) {
		struct cg_targets t = callgraph_targets(g, &sites[i]);
		if (t.n > largest.n)
			largest = t;
	}
	return largest;
}

/* Methods that a method calls, each once. Calls that are assumed share sets of 100,000 methods: the largest one is not gone through. */
static void count_callees(struct counter *c, method_id caller, const struct cg_site *sites, uint32_t n)
{
	struct cg_targets largest = largest_set(c->g, sites, n);

	c->s.method_edges += largest.n;
	for (uint32_t i = 0; i < n; i++) {
		struct cg_targets t = callgraph_targets(c->g, &sites[i]);
		if (t.methods == largest.methods || c->seen_set[sites[i].set] == caller.i)
			continue;
		c->seen_set[sites[i].set] = caller.i;
		for (uint32_t k = 0; k < t.n; k++) {
			c->s.method_edges += c->seen[t.methods[k].i] != caller.i && !targets_have(largest, t.methods[k]);
			c->seen[t.methods[k].i] = caller.i;
		}
	}
}

static uint64_t count_classes(const struct callgraph *g)
{
	uint8_t *seen = mem_zalloc(g->p->classes.len);
	uint64_t n = 0;

	for (uint32_t i = 0; i < g->reached.len; i++) {
		uint8_t *at = &seen[method_row(g->p, g->reached.data[i])->owner.i];
		n += !*at;
		*at = 1;
	}
	free(seen);
	return n;
}

struct cg_stats callgraph_stats(const struct callgraph *g)
{
	struct counter c = { .g = g };

	c.seen = mem_zalloc(g->p->methods.len * sizeof(*c.seen));
	c.seen_set = mem_zalloc((callgraph_nsets(g) + 1) * sizeof(*c.seen_set));
	for (uint32_t i = 0; i < g->reached.len; i++) {
		uint32_t n;
		const struct cg_site *s = callgraph_sites(g, g->reached.data[i], &n);
		c.s.callback_methods += g->nodes.data[g->reached.data[i].i].by_callback;
		for (uint32_t k = 0; k < n; k++)
			count_site(&c, g->reached.data[i], &s[k]);
		count_callees(&c, g->reached.data[i], s, n);
	}
	free(c.seen);
	free(c.seen_set);
	c.s.methods = g->reached.len;
	c.s.classes = count_classes(g);
	for (unsigned k = CG_RESOLVED + 1; k < CG_CAUSES; k++)
		c.s.unresolved += c.s.by_cause[k];
	return c.s;
}

/* Checks. A set is looked at once, however many sites have it. */

static const char *check_targets(const struct callgraph *g, struct cg_targets t)
{
	for (uint32_t i = 0; i < t.n; i++) {
		if (!callgraph_reaches(g, t.methods[i]))
			return "a target is not reachable";
		if (method_row(g->p, t.methods[i])->flags & ACCESS_ABSTRACT)
			return "a target is abstract";
		if (i > 0 && t.methods[i - 1].i >= t.methods[i].i)
			return "a target set is not sorted";
	}
	return NULL;
}

static const char *check_receivers(const struct callgraph *g, struct cg_classes r)
{
	for (uint32_t i = 0; i < r.n; i++) {
		if (r.classes[i].i == 0 || r.classes[i].i >= g->p->classes.len)
			return "a receiver is no class";
		if (i > 0 && r.classes[i - 1].i >= r.classes[i].i)
			return "a set of receivers is not sorted";
	}
	return NULL;
}

static const char *check_site(const struct callgraph *g, const struct cg_site *s)
{
	if (s->set >= callgraph_nsets(g))
		return "a site has no target set";
	if (s->receivers >= (g->dispatcher ? g->dispatcher->keys.len : g->receivers.rows.len))
		return "a site has no set of receivers";
	callgraph_receivers(g, s);      /* looks them up, so that check_sets comes by */
	return s->set < g->identity.len ? check_targets(g, callgraph_targets(g, s)) : NULL;
}

static const char *check_sets(const struct callgraph *g)
{
	const char *reason = NULL;

	for (uint32_t i = 0; i < g->targets.rows.len && !reason; i++) {
		const struct id_set *set = &g->targets.rows.data[i];
		reason = check_targets(g, (struct cg_targets){ set->ids, set->n });
	}
	for (uint32_t i = 0; i < g->receivers.rows.len && !reason; i++) {
		const struct id_set *set = &g->receivers.rows.data[i];
		reason = check_receivers(g, (struct cg_classes){ set->ids, set->n });
	}
	return reason;
}

bool callgraph_check(const struct callgraph *g, const char **reason)
{
	*reason = NULL;
	for (uint32_t i = 0; i < g->sites.len && !*reason; i++)
		*reason = check_site(g, &g->sites.data[i]);
	if (!*reason)
		*reason = check_sets(g);
	return !*reason;
}
