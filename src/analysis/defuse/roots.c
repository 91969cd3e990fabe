/* SPDX-License-Identifier: Apache-2.0 */
/* Where the application starts. What the user calls, and initialisers of these classes, run in one thread, one after another. Whatever
 * else is entered by nobody that is known runs at any time: methods of threads, finalizers, and what libraries call by themselves.
 *
 * Objects of one thread are nobody else's. Others get hold of what is in static fields, what their own first methods are given, and
 * what is in fields of these. */
#include "analysis/defuse/defuse_p.h"

#include "ir/access.h"

struct roots {
	struct flow *f;
	VEC(uint32_t) todo;
};

static void reach(struct roots *r, uint32_t node)
{
	if (r->f->nodes.data[node].is_reached)
		return;
	r->f->nodes.data[node].is_reached = true;
	vec_push(&r->todo, node);
}

static void thread_from(struct roots *r, uint32_t node)
{
	if (r->f->nodes.data[node].is_threaded)
		return;
	r->f->nodes.data[node].is_threaded = true;
	vec_push(&r->todo, node);
}

/* Follows calls from what there is to do. */
static void follow(struct roots *r, void (*fn)(struct roots *r, uint32_t node))
{
	const struct flow *f = r->f;

	while (r->todo.len) {
		const struct flow_node *node = &f->nodes.data[vec_pop(&r->todo)];
		for (uint32_t i = 0; i < node->ncalls; i++) {
			const struct call_point *c = &f->calls.data[node->first_call + i];
			for (uint32_t k = 0; k < c->n; k++)
				fn(r, f->callees.data[c->first + k]);
		}
	}
}

static bool is_initialiser(const struct flow *f, method_id m)
{
	return method_row(f->p, m)->sel.i == f->linker.clinit.i;
}

static void add_root(struct roots *r, uint32_t node)
{
	struct initialisers all = triggers_of_class(r->f->triggers, method_row(r->f->p, r->f->nodes.data[node].m)->owner);

	r->f->nodes.data[node].is_root = true;
	reach(r, node);
	for (uint32_t i = 0; i < all.n; i++)
		if (flow_has(r->f, all.methods[i])) {
			uint32_t clinit = r->f->node_of.data[all.methods[i].i];
			r->f->nodes.data[clinit].is_root = true;
			reach(r, clinit);
		}
}

static void find_sequential(struct roots *r)
{
	struct flow *f = r->f;
	uint32_t n = 0, last = 0;

	for (uint32_t i = 1; i < f->nodes.len; i++)
		if (callgraph_is_client_entry(f->g, f->nodes.data[i].m) && !is_initialiser(f, f->nodes.data[i].m)) {
			add_root(r, i);
			last = i;
			n++;
		}
	if (n == 1 && str_is(sel_name(f->p, method_row(f->p, f->nodes.data[last].m)->sel), "main"))
		f->nodes.data[last].is_main = true;
	follow(r, reach);
}

/* Threads */

static bool is_thread(struct flow *f, class_id c)
{
	class_id thread = program_find_class(f->p, STR("java/lang/Thread"));

	return thread.i && hierarchy_is_subclass(&f->h, c, thread);
}

/* A method that the JVM calls, and not the user; `run` of a thread is one whoever else calls it. */
static bool is_called_by_jvm(struct flow *f, method_id m)
{
	const struct ir_method *row = method_row(f->p, m);

	if (is_initialiser(f, m))
		return false;
	if (callgraph_is_entry(f->g, m) && !callgraph_is_client_entry(f->g, m))
		return true;
	return str_is(sel_name(f->p, row->sel), "run") && str_is(sel_desc(f->p, row->sel), "()V") && is_thread(f, row->owner);
}

/* What Thread.run calls, whoever starts the thread: a hook for the end of the program, for one. */
static void add_tasks(struct roots *r)
{
	struct flow *f = r->f;
	class_id thread = program_find_class(f->p, STR("java/lang/Thread"));
	const struct ir_class *row = thread.i ? class_row(f->p, thread) : NULL;

	for (uint32_t k = 0; row && row->state == LOAD_DONE && k < row->nmethods; k++) {
		method_id m = { row->first_method + k };
		uint32_t n = 0;
		struct str name = sel_name(f->p, method_row(f->p, m)->sel);
		if (!callgraph_reaches(f->g, m) || !(str_is(name, "run") || str_is(name, "runWith")))
			continue;
		const struct cg_site *sites = callgraph_sites(f->g, m, &n);
		for (uint32_t i = 0; i < n; i++) {
			struct cg_targets to = callgraph_targets(f->g, &sites[i]);
			for (uint32_t t = 0; t < to.n; t++)
				if (flow_has(f, to.methods[t]))
					thread_from(r, f->node_of.data[to.methods[t].i]);
		}
	}
}

static void add_threads(struct roots *r)
{
	struct flow *f = r->f;
	const struct callbacks *c = f->opt->calls;

	for (uint32_t i = 0; i < c->edges.len; i++)
		if (c->edges.data[i].sort == CALL_LATER && flow_has(f, c->edges.data[i].callee))
			thread_from(r, f->node_of.data[c->edges.data[i].callee.i]);
	for (uint32_t i = 1; i < f->nodes.len; i++)
		if (is_called_by_jvm(f, f->nodes.data[i].m))
			thread_from(r, i);
	add_tasks(r);
	follow(r, thread_from);
}

/* Those that nobody who is known calls. An initialiser goes last: others may run it. */
static void add_rest(struct roots *r)
{
	struct flow *f = r->f;

	for (int last = 0; last < 2; last++)
		for (uint32_t i = 1; i < f->nodes.len; i++) {
			struct flow_node *node = &f->nodes.data[i];
			if (node->is_reached || node->is_threaded || (!last && is_initialiser(f, node->m)))
				continue;
			thread_from(r, i);
			follow(r, thread_from);
		}
}

void flow_find_roots(struct flow *f)
{
	struct roots r = { .f = f };

	find_sequential(&r);
	add_threads(&r);
	add_rest(&r);
	for (uint32_t i = 1; i < f->nodes.len; i++)
		f->out->threaded += f->nodes.data[i].is_threaded;
	vec_release(&r.todo);
}

void flow_find_shared(struct flow *f)
{
	f->is_shared = NULL;
}
