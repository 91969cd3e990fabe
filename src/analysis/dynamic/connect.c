/* SPDX-License-Identifier: Apache-2.0 */
/* What the graph says about nodes: callers, results, and who writes fields. It is asked again in every round, for what is new. */
#include "analysis/dynamic/values_p.h"

#include "analysis/dynamic/casts.h"
#include "ir/access.h"

struct called {
	struct values *v;
	method_id target;
};

static void connect_caller(void *ctx, method_id caller, uint32_t pc, mref_id ref)
{
	const struct called *x = ctx;
	struct values *v = x->v;
	const struct code from = *values_code(v, caller);
	const struct ir_stmt *s = code_call(&from, pc, ref);

	if (s && s->sub == IR_CALL_LINKED)
		return;
	for (uint32_t n = map_get(&v->wanted, x->target.i); n; n = v->next_param.data[n]) {
		const struct ir_stmt *param = code_definition(values_code(v, x->target), v->nodes.data[n].value);
		if (s && s->nargs > param->ref)
			vnode_copy_used(v, n, caller.i, &from, block_of(from.body, code_index(&from, s)),
					code_operand(&from, s, param->ref));
		else
			vnode_open(v, n, REASON_ENTRY);
	}
}

static void connect_params(struct values *v)
{
	const struct dynamic_graph *g = v->graph;

	for (; v->connected_params < v->params.len; v->connected_params++)
		if (g->is_entry(g->ctx, (method_id){ v->nodes.data[v->params.data[v->connected_params]].of }))
			vnode_open(v, v->params.data[v->connected_params], REASON_ENTRY);
	for (uint32_t i = 0; i < v->fresh.len; i++) {
		struct called x = { v, { v->fresh.data[i] } };
		g->callers(g->ctx, x.target, false, connect_caller, &x);
		vec_push(&v->asked, v->fresh.data[i]);
	}
	vec_clear(&v->fresh);
}

void values_connect_again(struct values *v)
{
	for (uint32_t i = 0; i < v->asked.len; i++) {
		struct called x = { v, { v->asked.data[i] } };
		v->graph->callers(v->graph->ctx, x.target, true, connect_caller, &x);
	}
}

struct callee {
	struct values *v;
	uint32_t node;
};

static void connect_target(void *ctx, method_id target)
{
	struct callee *x = ctx;

	vnode_copy(x->v, x->node, vnode_at(x->v, AT_RETURN, x->v->nodes.data[x->node].is_elements, target.i, 0));
}

/* Many calls have the same targets, which may be thousands. */
static void connect_set(void *ctx, uint32_t set)
{
	struct callee *x = ctx;
	struct values *v = x->v;
	bool is_elements = v->nodes.data[x->node].is_elements;
	struct callee all = { v, vnode_at(v, AT_SET, is_elements, set, 0) };

	vnode_copy(v, x->node, all.node);
	while (v->sets[is_elements].len <= set)
		vec_push(&v->sets[is_elements], (struct result_set){ 0 });
	struct result_set *s = &v->sets[is_elements].data[set];
	if (s->trace == v->ntraces)
		return;
	s->trace = v->ntraces;
	s->nmembers = v->graph->members(v->graph->ctx, set, s->nmembers, connect_target, &all);
}

static void connect_results(struct values *v)
{
	for (; v->connected_calls < v->calls.len; v->connected_calls++) {
		struct callee x = { v, v->calls.data[v->connected_calls] };
		struct vnode n = v->nodes.data[x.node];
		const struct code c = *values_code(v, (method_id){ n.of });
		const struct ir_stmt *s = code_definition(&c, n.value);
		v->graph->targets(v->graph->ctx, (method_id){ n.of }, s->pc, (mref_id){ s->ref },
				  &(struct dynamic_targets){ .x = &x, .one = connect_target, .set = connect_set });
	}
}

/* Reads and writes of fields in a method, by field. */
static void index_accesses(struct values *v, method_id m)
{
	const struct code c = *values_code(v, m);

	for (uint32_t i = 0; c.body && i < c.body->nstmts; i++) {
		const struct ir_stmt *s = &c.body->stmts[i];
		bool is_write = s->op == IR_PUTFIELD || s->op == IR_PUTSTATIC;
		fref_id f = { s->ref };
		if ((!is_write && !is_field_load(s)) || resolve_field(v->h, f) != RESOLVE_OK)
			continue;
		uint32_t *last = map_at(&v->accesses_of, fref_row(v->p, f)->target.i);
		if (!v->accesses.len)
			vec_push(&v->accesses, (struct access){ 0 });
		ir_value value = is_write ? code_operand(&c, s, s->nargs - 1) : s->result;
		vec_push(&v->accesses, ((struct access){ m, value, *last, is_write }));
		*last = v->accesses.len - 1;
	}
}

static void index_once(struct values *v, method_id m)
{
	while (v->indexed.words.len <= m.i / 64)
		vec_push(&v->indexed.words, 0);
	if (method_bit(&v->indexed, m))
		return;
	v->indexed.words.data[m.i / 64] |= (uint64_t)1 << (m.i % 64);
	index_accesses(v, m);
}

static void index_class(struct values *v, class_id c)
{
	struct ir_class row = *class_row(v->p, c);

	if (*map_at(&v->trace_of_class, c.i) == v->ntraces)
		return;
	*map_at(&v->trace_of_class, c.i) = v->ntraces;
	for (uint32_t i = 0; i < row.nmethods; i++) {
		method_id m = { row.first_method + i };
		if (v->graph->is_reached(v->graph->ctx, m))
			index_once(v, m);
	}
}

/* What a class writes into a field; of arrays, what is stored by way of loads, too. None: what dispatchers write. */
static void copy_accesses(struct values *v, uint32_t n, class_id c)
{
	for (uint32_t i = map_get(&v->accesses_of, v->nodes.data[n].of); i; i = v->accesses.data[i].before) {
		struct access x = v->accesses.data[i];
		bool is_its = c.i ? method_row(v->p, x.method)->owner.i == c.i : method_bit(&v->is_writer, x.method);
		if (is_its && (x.is_write || v->nodes.data[n].is_elements))
			vnode_copy_value(v, n, x.method.i, x.value);
	}
}

static void scan_class(struct values *v, uint32_t n, class_id c)
{
	index_class(v, c);
	copy_accesses(v, n, c);
}

static void take_writers(struct values *v)
{
	while (v->writers.len) {
		method_id m = vec_pop(&v->writers);
		index_once(v, m);
		while (v->is_writer.words.len <= m.i / 64)
			vec_push(&v->is_writer.words, 0);
		v->is_writer.words.data[m.i / 64] |= (uint64_t)1 << (m.i % 64);
	}
}

/* The JVM fills in many objects of the library without a call: Method, RecordComponent, StackTraceElement and others. */
static bool is_written_by_jvm(const struct values *v, struct ir_field f)
{
	static const char *const packages[] = { "java/lang", "java/lang/reflect", "java/lang/invoke" };
	struct str package = package_of(class_name(v->p, f.owner));

	for (size_t i = 0; i < ARRAY_LEN(packages); i++)
		if (!(f.flags & ACCESS_STATIC) && str_is(package, packages[i]))
			return true;
	return false;
}

/* Which classes may write it: for a final field its own, for a private one its nest; what a lambda has
 * captured, the class that it is written in. Others are open, and so are arrays in fields that others can load. */
static void connect_field(struct values *v, uint32_t n)
{
	struct ir_field f = *field_row(v->p, (field_id){ v->nodes.data[n].of });
	class_id host = class_row(v->p, f.owner)->nest_host;

	if (is_written_by_jvm(v, f))
		vnode_open(v, n, REASON_NATIVE);
	scan_class(v, n, f.owner);
	copy_accesses(v, n, (class_id){ 0 });
	if (class_row(v->p, f.owner)->kind == CLASS_SYNTHETIC)
		scan_class(v, n, class_row(v->p, f.owner)->outer);
	if ((f.flags & ACCESS_FINAL) && !v->nodes.data[n].is_elements)
		return;
	if (!(f.flags & ACCESS_PRIVATE)) {
		vnode_open(v, n, REASON_FIELD);
		return;
	}
	for (class_id c = host; c.i && c.i < v->next_in_nest.len; c = v->next_in_nest.data[c.i])
		scan_class(v, n, c);
}

void values_index_nests(struct values *v)
{
	vec_clear(&v->next_in_nest);
	for (uint32_t i = 0; i < v->p->classes.len; i++)
		vec_push(&v->next_in_nest, (class_id){ 0 });
	for (uint32_t i = 1; i < v->p->classes.len; i++) {
		const struct ir_class *row = &v->p->classes.data[i];
		if (row->state != LOAD_DONE || !row->nest_host.i || row->nest_host.i == i)
			continue;
		v->next_in_nest.data[i] = v->next_in_nest.data[row->nest_host.i];
		v->next_in_nest.data[row->nest_host.i] = (class_id){ i };
	}
}

void values_connect(struct values *v)
{
	take_writers(v);
	connect_params(v);
	connect_results(v);
	for (; v->connected_fields < v->fields.len; v->connected_fields++)
		connect_field(v, v->fields.data[v->connected_fields]);
}
