/* SPDX-License-Identifier: Apache-2.0 */
/* Requirements: the lists that they are made of, and the answer of an analysis of fragment and placeholders. The answer of
 * the class hierarchy is in by_hierarchy.c. */
#include "analysis/fragment/requirements_p.h"

#include "ir/access.h"

void requirements_release(struct requirements *r)
{
	vec_release(&r->sites);
	vec_release(&r->args);
	vec_release(&r->ids);
}

/* Lists, sorted as they are printed */

static struct id_range add_ids(struct requirements *r, const void *ids, uint32_t n)
{
	const uint32_t *v = ids;
	struct id_range range = { .first = r->ids.len, .n = n };

	for (uint32_t i = 0; i < n; i++)
		vec_push(&r->ids, v[i]);
	return range;
}

struct id_range add_classes(struct requirements *r, const class_id *ids, uint32_t n)
{
	struct id_range range = add_ids(r, ids, n);

	print_order_classes(r->p, r->ids.data + range.first, n);
	return range;
}

struct id_range add_methods(struct requirements *r, const method_id *ids, uint32_t n)
{
	struct id_range range = add_ids(r, ids, n);

	print_order_methods(r->p, r->ids.data + range.first, n);
	return range;
}

void requirements_sum(struct requirements *r)
{
	struct req_stats *st = &r->stats;

	for (uint32_t i = 0; i < r->sites.len; i++) {
		const struct req_site *s = &r->sites.data[i];
		st->sites++;
		st->reached_sites += s->is_reached;
		if (!s->is_poly)
			continue;
		st->poly_sites++;
		st->client_sites += s->is_client;
		st->open_sites += s->is_open;
		st->starved_sites += req_is_starved(s);
		st->rc += s->rc.n;
		st->callback_rc += s->by_callback.n;
		st->tm += s->tm.n;
		st->senders += s->senders.n;
		for (uint32_t k = 0; k < s->nargs; k++)
			st->args += r->args.data[s->first_arg + k].classes.n;
	}
}

/* The answer of an analysis */

struct shared_list {
	struct id_range ids;
	bool is_client, has_proxy;
};

struct reader {
	const struct req_request *q;
	struct callgraph *g;
	struct pta *facts;
	struct requirements *out;
	struct arena mem;
	VEC(class_id) classes;         /* scratch */
	VEC(method_id) methods;
	VEC(uint32_t) stamp;           /* by class: the last list that it went into */
	uint32_t list;
	struct map known;              /* a set of the graph -> row of `lists`: many sites share one */
	VEC(struct shared_list) lists; /* [0] unused */
};

enum { OF_TARGETS, OF_RECEIVERS };

/* A proxy: nobody can name its class before it is made, nor ask tests for it. */
static bool is_proxy(const struct program *p, class_id c)
{
	return class_row(p, c)->kind == CLASS_SYNTHETIC && str_starts(class_name(p, c), "sherd/");
}

static struct shared_list list_targets(struct reader *x, const struct cg_site *s)
{
	const struct placeholders *ph = x->q->placeholders;
	struct cg_targets t = callgraph_targets(x->g, s);
	struct shared_list list = { 0 };

	vec_clear(&x->methods);
	for (uint32_t i = 0; i < t.n; i++) {
		class_id owner = method_row(x->out->p, t.methods[i])->owner;
		if (!placeholders_is_client(ph, owner) && !is_proxy(x->out->p, owner))
			vec_push(&x->methods, t.methods[i]);
	}
	list.ids = add_methods(x->out, x->methods.data, x->methods.len);
	return list;
}

static struct shared_list list_receivers(struct reader *x, const struct cg_site *s)
{
	struct cg_classes c = callgraph_receivers(x->g, s);
	struct shared_list list = { 0 };

	vec_clear(&x->classes);
	for (uint32_t i = 0; i < c.n; i++) {
		if (placeholders_is_client(x->q->placeholders, c.classes[i]))
			list.is_client = true;
		else if (is_proxy(x->out->p, c.classes[i]))
			list.has_proxy = true;
		else
			vec_push(&x->classes, c.classes[i]);
	}
	list.ids = add_classes(x->out, x->classes.data, x->classes.len);
	return list;
}

static struct id_range join_lists(struct reader *x, struct id_range a, struct id_range b,
				  void (*order)(const struct program *p, void *ids, uint32_t n))
{
	struct id_range range = { .first = x->out->ids.len, .n = a.n + b.n };

	for (uint32_t i = 0; i < range.n; i++) {
		uint32_t id = x->out->ids.data[i < a.n ? a.first + i : b.first + i - a.n];
		vec_push(&x->out->ids, id);
	}
	order(x->out->p, x->out->ids.data + range.first, range.n);
	return range;
}

static struct shared_list list_of(struct reader *x, const struct cg_site *s, unsigned of)
{
	uint32_t *row = map_at(&x->known, map_key(of, of == OF_TARGETS ? s->set : s->receivers));

	if (!*row) {
		*row = x->lists.len;
		struct shared_list list = of == OF_TARGETS ? list_targets(x, s) : list_receivers(x, s);
		vec_push(&x->lists, list);
		return list;
	}
	return x->lists.data[*row];
}

/* The classes of objects. */
static struct id_range classes_of(struct reader *x, struct pta_set set)
{
	vec_clear(&x->classes);
	x->list++;
	for (uint32_t i = 0; i < set.n; i++) {
		class_id c = pta_place(x->facts, set.places[i]).cls;
		if (!c.i || placeholders_is_client(x->q->placeholders, c))
			continue;
		while (x->stamp.len <= c.i)
			vec_push(&x->stamp, 0);
		if (x->stamp.data[c.i] != x->list)
			vec_push(&x->classes, c);
		x->stamp.data[c.i] = x->list;
	}
	return add_classes(x->out, x->classes.data, x->classes.len);
}

static const struct ir_stmt *call_of(const struct ir_body *b, const struct req_site *s)
{
	for (uint32_t i = 0; i < b->nstmts; i++)
		if (b->stmts[i].op == s->op && b->stmts[i].pc == s->pc && b->stmts[i].ref == s->declared.i)
			return &b->stmts[i];
	return NULL;
}

static void read_arguments(struct reader *x, const struct ir_body *b, struct req_site *s)
{
	const struct ir_stmt *call = call_of(b, s);

	s->first_arg = x->out->args.len;
	for (uint32_t k = 1; call && k < call->nargs; k++) {
		ir_value v = b->args[call->args + k];
		if (b->kinds[v] == IR_KIND_OBJECT)
			vec_push(&x->out->args, ((struct req_arg){ k - 1, classes_of(x, pta_value(x->facts, s->method, v)) }));
	}
	s->nargs = x->out->args.len - s->first_arg;
}

/* Beyond receivers and targets: what the objects around the call are. */
static void read_objects(struct reader *x, struct req_site *s)
{
	struct program *p = (struct program *)x->out->p;

	arena_clear(&x->mem);
	const struct ir_body *b = p->source.body(p->source.ctx, p, s->method, &x->mem);
	if (!b)
		return;
	if ((x->q->criteria & CRITERION_SENDERS) && !(method_row(p, s->method)->flags & ACCESS_STATIC))
		s->senders = classes_of(x, pta_this(x->facts, s->method));
	if (x->q->criteria & CRITERION_ARGS)
		read_arguments(x, b, s);
}

/* What the call has only by callbacks of unknown code is a site of its own in the graph. */
static void add_callbacks(struct reader *x, struct req_site *s)
{
	const struct cg_site *late = callgraph_find_callbacks(x->g, s->method, s->pc, s->declared);

	if (callgraph_is_by_callback(x->g, s->method))
		s->by_callback = s->rc;
	if (!late)
		return;
	struct shared_list receivers = list_of(x, late, OF_RECEIVERS);
	s->is_client |= receivers.is_client;
	s->by_callback = receivers.ids;
	s->rc = join_lists(x, s->rc, s->by_callback, print_order_classes);
	s->tm = join_lists(x, s->tm, list_of(x, late, OF_TARGETS).ids, print_order_methods);
}

static struct req_site read_site(struct reader *x, const struct req_site *known)
{
	struct req_site s = { .method = known->method, .pc = known->pc, .line = known->line, .declared = known->declared,
			      .op = known->op, .is_poly = known->is_poly, .cause = known->cause };
	const struct cg_site *found = callgraph_find_site(x->g, s.method, s.pc, s.declared);

	if (!found)
		return s;
	s.is_reached = true;
	s.is_open = found->open;
	s.cause = found->cause;
	struct shared_list receivers = list_of(x, found, OF_RECEIVERS);
	s.is_client = receivers.is_client;
	s.is_open |= receivers.has_proxy;
	s.rc = receivers.ids;
	s.tm = list_of(x, found, OF_TARGETS).ids;
	add_callbacks(x, &s);
	class_id owner = mref_row(x->out->p, s.declared)->owner;
	if (class_row(x->out->p, owner)->kind == CLASS_ARRAY && s.tm.n)
		s.rc = add_classes(x->out, &owner, 1);
	if (x->facts && s.is_poly && (x->q->criteria & (CRITERION_SENDERS | CRITERION_ARGS)))
		read_objects(x, &s);
	return s;
}

void requirements_by_analysis(const struct requirements *cha, const struct req_request *q, struct callgraph *g,
			      struct pta *facts, struct requirements *out)
{
	struct reader x = { .q = q, .g = g, .facts = facts, .out = out };

	*out = (struct requirements){ .p = cha->p, .criteria = q->criteria, .analysed_methods = callgraph_nmethods(g) };
	out->stats.classes = cha->stats.classes;
	out->stats.methods = cha->stats.methods;
	arena_init(&x.mem);
	vec_push(&x.lists, (struct shared_list){ 0 });
	for (uint32_t i = 0; i < cha->sites.len; i++) {
		struct req_site s = read_site(&x, &cha->sites.data[i]);
		vec_push(&out->sites, s);
	}
	requirements_sum(out);
	arena_release(&x.mem);
	vec_release(&x.classes);
	vec_release(&x.methods);
	vec_release(&x.stamp);
	vec_release(&x.lists);
	map_release(&x.known);
}
