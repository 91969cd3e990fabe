/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/dynamic/values_p.h"

#include <string.h>

#include "algo/dominators.h"

/* Objects of other classes hold classes, members and names, too; to follow these through collections is a matter of points-to
 * analyses. */
static void name_carriers(struct values *v)
{
	static const char *const names[] = {
		"java/lang/String", "java/lang/Class", "java/lang/reflect/Method", "java/lang/reflect/Constructor",
		"java/lang/reflect/Field", "java/lang/reflect/Executable", "java/lang/reflect/AccessibleObject",
		"java/lang/reflect/Member", "java/lang/reflect/Type", "java/lang/reflect/RecordComponent", "java/lang/CharSequence", "java/lang/Package",
		"java/lang/invoke/MethodHandle", "java/lang/invoke/MethodType", "java/lang/invoke/CallSite",
		"java/lang/invoke/ConstantCallSite", "java/lang/invoke/MutableCallSite", "java/lang/invoke/VolatileCallSite",
	};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		*map_at(&v->carriers, program_class(v->p, str_of(names[i])).i) = 1;
}

bool values_carries(const struct values *v, class_id type)
{
	while (class_row(v->p, type)->kind == CLASS_ARRAY)
		type = class_row(v->p, type)->element;
	return map_get(&v->carriers, type.i) != 0;
}

struct values *values_new(struct hierarchy *h, const struct dynamic_opt *opt)
{
	struct values *v = mem_zalloc(sizeof(*v));

	v->h = h;
	v->opt = opt;
	v->p = h->p;
	v->jvm = program_class(h->p, STR("sherd/JVM"));
	arena_init(&v->mem);
	query_table_init(&v->queries, h->p);
	handles_init(&v->handles);
	texts_init(&v->texts, h->p);
	name_carriers(v);
	vec_push(&v->codes, (struct code){ 0 });
	vec_push(&v->nodes, (struct vnode){ 0 });
	v->expanded = 1;
	return v;
}

void values_free(struct values *v)
{
	for (uint32_t i = 0; i < v->nodes.len; i++) {
		vec_release(&v->nodes.data[i].inputs);
		vec_release(&v->nodes.data[i].users);
		vec_release(&v->nodes.data[i].parts);
		vec_release(&v->nodes.data[i].metas);
		vec_release(&v->nodes.data[i].answered);
	}
	for (uint32_t i = 0; i < 2 * WHERES; i++)
		map_release(&v->node_by_key[i / WHERES][i % WHERES]);
	map_release(&v->queries.rows);
	handles_release(&v->handles);
	texts_release(&v->texts);
	map_release(&v->carriers);
	map_release(&v->code_of);
	map_release(&v->edges);
	map_release(&v->meta_numbers);
	vec_release(&v->all);
	vec_release(&v->sorted);
	map_release(&v->wanted);
	vec_release(&v->codes);
	vec_release(&v->nodes);
	vec_release(&v->queue);
	vec_release(&v->changed);
	vec_release(&v->params);
	vec_release(&v->calls);
	vec_release(&v->fields);
	vec_release(&v->sets[false]);
	vec_release(&v->sets[true]);
	vec_release(&v->writers);
	vec_release(&v->is_writer.words);
	vec_release(&v->accesses);
	map_release(&v->accesses_of);
	vec_release(&v->indexed.words);
	map_release(&v->trace_of_class);
	vec_release(&v->next_param);
	vec_release(&v->asked);
	vec_release(&v->fresh);
	vec_release(&v->next_in_nest);
	vec_release(&v->settings);
	map_release(&v->set_keys);
	map_release(&v->resource_of);
	arena_release(&v->mem);
	free(v);
}

/* Code */

const struct code *values_code(struct values *v, method_id m)
{
	uint32_t at = map_get(&v->code_of, m.i);

	if (at)
		return &v->codes.data[at];
	struct code c = { .body = v->p->source.body(v->p->source.ctx, v->p, m, &v->mem) };
	if (c.body) {
		c.def = arena_zarray(&v->mem, uint32_t, c.body->nvalues + 1);
		for (uint32_t i = 0; i < c.body->nstmts; i++)
			c.def[c.body->stmts[i].result] = 1 + i;
	}
	*map_at(&v->code_of, m.i) = v->codes.len;
	vec_push(&v->codes, c);
	return vec_last(&v->codes);
}

const uint32_t *values_dominators(struct values *v, method_id m)
{
	const struct ir_body *b = values_code(v, m)->body;
	struct code *c = &v->codes.data[map_get(&v->code_of, m.i)];

	if (c->idom)
		return c->idom;
	uint32_t n = 0, *first = arena_array(&v->mem, uint32_t, b->nblocks + 1), *idom = arena_zarray(&v->mem, uint32_t, b->nblocks);
	uint32_t *to = arena_array(&v->mem, uint32_t, b->nedges + 1);
	for (uint32_t i = 0; i < b->nblocks; i++) {
		first[i] = n;
		for (uint32_t k = 0; k < b->blocks[i].npreds; k++)
			to[n++] = b->edges[b->blocks[i].preds + k];
	}
	first[b->nblocks] = n;
	dominators_compute(&(struct digraph){ b->nblocks, first, to }, idom);
	return c->idom = idom;
}

/* Counts, then places: meanwhile first_use[x + 1] is where the next use of x goes. */
static void index_uses(struct values *v, struct code *c)
{
	const struct ir_body *b = c->body;
	uint32_t n = 0;

	for (uint32_t i = 0; i < b->nstmts; i++)
		n += b->stmts[i].nargs;
	c->first_use = arena_zarray(&v->mem, uint32_t, b->nvalues + 3);
	c->uses = arena_array(&v->mem, uint32_t, n + 1);
	for (uint32_t i = 0; i < b->nstmts; i++)
		for (uint32_t k = 0; k < b->stmts[i].nargs; k++)
			c->first_use[code_operand(c, &b->stmts[i], k) + 2]++;
	for (uint32_t x = 2; x < b->nvalues + 3; x++)
		c->first_use[x] += c->first_use[x - 1];
	for (uint32_t i = 0; i < b->nstmts; i++)
		for (uint32_t k = 0; k < b->stmts[i].nargs; k++)
			c->uses[c->first_use[code_operand(c, &b->stmts[i], k) + 1]++] = i;
}

struct uses values_uses(struct values *v, method_id m, ir_value x)
{
	if (!values_code(v, m)->body)
		return (struct uses){ NULL, 0 };
	struct code *c = &v->codes.data[map_get(&v->code_of, m.i)];
	if (!c->uses)
		index_uses(v, c);
	return (struct uses){ c->uses + c->first_use[x], c->first_use[x + 1] - c->first_use[x] };
}

const struct ir_stmt *code_definition(const struct code *c, uint32_t value)
{
	return c->body && value && value <= c->body->nvalues && c->def[value] ? &c->body->stmts[c->def[value] - 1] : NULL;
}

const struct ir_stmt *code_call(const struct code *c, uint32_t pc, mref_id ref)
{
	for (uint32_t i = 0; c->body && i < c->body->nstmts; i++) {
		const struct ir_stmt *s = &c->body->stmts[i];
		if (s->pc == pc && s->ref == ref.i && s->op >= IR_CALL_STATIC && s->op <= IR_CALL_INTERFACE)
			return s;
	}
	return NULL;
}

/* Nodes */

uint32_t vnode_at(struct values *v, enum where where, bool is_elements, uint32_t of, uint32_t value)
{
	uint32_t *at = map_at(&v->node_by_key[is_elements][where], map_key(of, value));

	if (!*at) {
		*at = v->nodes.len;
		vec_push(&v->nodes, ((struct vnode){ .where = (uint8_t)where, .is_elements = is_elements, .of = of, .value = value }));
		v->has_grown = true;
	}
	return *at;
}

void vnode_enqueue(struct values *v, uint32_t n)
{
	if (v->nodes.data[n].is_queued)
		return;
	v->nodes.data[n].is_queued = true;
	vec_push(&v->queue, n);
}

void vnode_tell_users(struct values *v, uint32_t n)
{
	if (v->nodes.data[n].is_changed)
		return;
	v->nodes.data[n].is_changed = true;
	vec_push(&v->changed, n);
}

static void open_since(struct values *v, uint32_t n, uint8_t reason, uint32_t root)
{
	struct vnode *node = &v->nodes.data[n];

	if (node->is_open)
		return;
	node->is_open = true;
	node->reason = reason;
	node->root = root;
	vnode_tell_users(v, n);
}

void vnode_open(struct values *v, uint32_t n, enum dynamic_reason reason)
{
	if (!v->nodes.data[n].is_any)
		texts_open(v, n);
	v->nodes.data[n].is_any = true;
	open_since(v, n, (uint8_t)reason, n);
}

void vnode_is_text(struct values *v, uint32_t n)
{
	open_since(v, n, REASON_STRING, n);
}

/* How a library makes strings or reads files is no news: the call that does is where it began. It may have its targets from a set. */
void vnode_open_by(struct values *v, uint32_t n, uint32_t from)
{
	const struct vnode *is = &v->nodes.data[from];

	if (v->nodes.data[n].is_open)
		return;
	enum dynamic_reason reason = is->where == AT_RETURN ? reason_of_source(v->p, (method_id){ is->of }) : REASON_NONE;

	if (is->where == AT_SET && is->root == from)
		reason = (enum dynamic_reason)is->reason;
	if (reason)
		open_since(v, n, (uint8_t)reason, n);
	else
		open_since(v, n, is->reason, is->root);
}

static uint32_t meta_number(struct values *v, meta x)
{
	uint32_t *at = map_at(&v->meta_numbers, x);

	if (!*at) {
		vec_push(&v->all, x);
		*at = v->all.len;
	}
	return *at - 1;
}

/* Between the first and the last of them, words may have changed since users were told. */
static void note_news(struct vnode *n, uint32_t word)
{
	if (n->news_end == 0 || word < n->news)
		n->news = word;
	if (word >= n->news_end)
		n->news_end = word + 1;
}

bool vnode_add(struct values *v, uint32_t n, meta x)
{
	uint32_t bit = meta_number(v, x);
	struct vnode *node = &v->nodes.data[n];

	while (node->metas.len <= bit / 64)
		vec_push(&node->metas, 0);
	if (node->metas.data[bit / 64] >> (bit % 64) & 1)
		return false;
	node->metas.data[bit / 64] |= (uint64_t)1 << (bit % 64);
	note_news(node, bit / 64);
	vnode_tell_users(v, n);
	return true;
}

void vnode_input(struct values *v, uint32_t to, uint32_t from)
{
	vec_push(&v->nodes.data[to].inputs, from);
	vec_push(&v->nodes.data[from].users, to);
	vnode_enqueue(v, to);
}

/* `to` is what `from` is, too; each once. */
void vnode_copy(struct values *v, uint32_t to, uint32_t from)
{
	uint32_t *at = map_at(&v->edges, map_key(from, to));

	if (*at || from == to)
		return;
	*at = 1;
	vnode_input(v, to, from);
	texts_copy(v, to, from);
}

void vnode_copy_value(struct values *v, uint32_t to, uint32_t method, ir_value from)
{
	if (from)
		vnode_copy(v, to, vnode_at(v, AT_VALUE, v->nodes.data[to].is_elements, method, from));
	else
		vnode_open(v, to, REASON_QUERY);
}

void vnode_copy_used(struct values *v, uint32_t to, uint32_t method, const struct code *c, uint32_t block, ir_value from)
{
	if (from && !v->nodes.data[to].is_elements)
		vnode_copy(v, to, texts_used(v, method, c, block, from));
	else
		vnode_copy_value(v, to, method, from);
}

/* Propagation */

static int by_number(const void *x, const void *y)
{
	meta a = *(const meta *)x, b = *(const meta *)y;

	return (a > b) - (a < b);
}

static void list_metas(const struct values *v, uint32_t node, meta_list *out)
{
	const struct vnode *n = &v->nodes.data[node];

	for (uint32_t i = 0; i < n->metas.len; i++)
		for (uint64_t bits = n->metas.data[i]; bits; bits &= bits - 1)
			vec_push(out, v->all.data[i * 64 + (uint32_t)__builtin_ctzll(bits)]);
	if (out->len)
		qsort(out->data, out->len, sizeof(meta), by_number);
}

struct metas vnode_metas(const struct values *v, uint32_t node, struct arena *mem)
{
	meta_list list = { 0 };

	list_metas(v, node, &list);
	meta *copy = arena_copy(mem, list.data ? list.data : &(meta){ 0 }, list.len * sizeof(meta));
	struct metas out = { copy, list.len, v->nodes.data[node].is_open };
	vec_release(&list);
	return out;
}

static uint64_t count_metas(const struct vnode *n)
{
	uint64_t count = n->is_open;

	for (uint32_t i = 0; i < n->metas.len; i++)
		count += 2 * (uint64_t)__builtin_popcountll(n->metas.data[i]);
	return count;
}

/* Sets only grow: while names and types are as many as they were, what was answered stays. */
static void note_given(struct values *v, uint32_t n)
{
	struct vnode *node = &v->nodes.data[n];
	uint64_t given = 1;

	for (uint32_t i = 1; i < node->inputs.len; i++)
		given += node->inputs.data[i] ? count_metas(&v->nodes.data[node->inputs.data[i]]) : 0;
	const struct name *name = node->inputs.data[1] ? texts_find(v, node->inputs.data[1]) : NULL;
	given += name ? (uint64_t)name->version << 32 : 0;
	if (given != node->given)
		vec_clear(&node->answered);
	node->given = given;
	while (node->answered.len < v->nodes.data[node->inputs.data[0]].metas.len)
		vec_push(&node->answered, 0);
}

/* Those of inputs[0] that were not answered yet; now they are. */
static void take_unanswered(struct values *v, uint32_t n, meta_list *out)
{
	struct vnode *node = &v->nodes.data[n];
	const struct vnode *from = &v->nodes.data[node->inputs.data[0]];

	for (uint32_t i = 0; i < from->metas.len; i++) {
		for (uint64_t bits = from->metas.data[i] & ~node->answered.data[i]; bits; bits &= bits - 1)
			vec_push(out, v->all.data[i * 64 + (uint32_t)__builtin_ctzll(bits)]);
		node->answered.data[i] |= from->metas.data[i];
	}
}

static enum name_use use_of(enum query q, uint32_t input)
{
	return input == 1 ? NAME_OF_MEMBER : q == QUERY_CLASS_NAMED ? NAME_OF_CLASS : NAME_OTHER;
}

/* Strings are known by their languages. */
static void open_by_input(struct values *v, uint32_t n, uint32_t i)
{
	uint32_t input = v->nodes.data[n].inputs.data[i];

	if (!texts_are_open(v, input, use_of(v->nodes.data[n].query, i)))
		return;
	vnode_open_by(v, n, texts_find(v, input) ? texts_blame(v, input) : input);
	vnode_open(v, n, REASON_STRING);
}

bool values_assume_classes(const struct values *v)
{
	return v->opt->level == DYNAMIC_ENV || v->opt->level == DYNAMIC_STRING;
}

static void add_answers(struct values *v, uint32_t n, const meta_list *answers)
{
	for (uint32_t i = 0; i < answers->len; i++) {
		bool is_new = vnode_add(v, n, answers->data[i]);
		if (is_new && meta_sort(answers->data[i]) == META_STRING)
			texts_literal(v, n, (str_id){ meta_id(answers->data[i]) });
	}
}

static bool is_setting(enum query q)
{
	return q >= QUERY_PROPERTY && q <= QUERY_RESOURCE;
}

static bool answer(struct values *v, uint32_t n, meta about, const struct member_filter *f, meta_list *out)
{
	enum query q = v->nodes.data[n].query;

	if (q == QUERY_RESOURCE)
		return resources_answer(v, n, about, out);
	return is_setting(q) ? settings_answer(v, q, about, out) : query_answer(v->h, q, about, f, out);
}

/* What an operand that is not known could be says nothing about the answer, but that it is not known. */
static void evaluate_query(struct values *v, uint32_t n)
{
	struct arena mem;
	arena_init(&mem);
	note_given(v, n);
	struct vnode node = v->nodes.data[n];
	uint32_t ntypes = node.knows_types ? node.inputs.len - 2 : 0;
	struct metas *types = arena_array(&mem, struct metas, ntypes);
	struct member_filter f = { .types = types, .ntypes = ntypes, .knows_types = node.knows_types };
	bool is_named = node.inputs.data[1];
	bool is_answered = true;
	meta_list about = { 0 }, out = { 0 };

	f.names = is_named ? vnode_metas(v, node.inputs.data[1], &mem) : (struct metas){ 0 };
	f.names.is_open = !is_named;
	f.filter = is_named && texts_find(v, node.inputs.data[1]) ? texts_find(v, node.inputs.data[1])->filter : NULL;
	for (uint32_t i = 0; i < ntypes; i++)
		types[i] = vnode_metas(v, node.inputs.data[2 + i], &mem);
	take_unanswered(v, n, &about);
	for (uint32_t i = 0; i < about.len; i++)
		is_answered &= answer(v, n, about.data[i], &f, &out);
	add_answers(v, n, &out);
	for (uint32_t i = 0; i < 1u + is_named; i++)
		open_by_input(v, n, i);
	v->nodes.data[n].is_nowhere |= node.query == QUERY_CLASS_NAMED && !is_answered;
	if (!is_answered && !(node.query == QUERY_CLASS_NAMED && values_assume_classes(v)))
		vnode_open(v, n, node.query == QUERY_CLASS_NAMED ? REASON_NAME : is_setting(node.query) ? REASON_PROPERTY : REASON_QUERY);
	vec_release(&about);
	vec_release(&out);
	arena_release(&mem);
}

/* Of the words from `first` to before `end`. */
static void take_over(struct values *v, uint32_t n, uint32_t from, uint32_t first, uint32_t end)
{
	struct vnode *to = &v->nodes.data[n];
	const struct vnode *is = &v->nodes.data[from];
	bool is_new = false;

	if (is->is_open)
		vnode_open_by(v, n, from);
	while (to->metas.len < end)
		vec_push(&to->metas, 0);
	for (uint32_t i = first; i < end; i++) {
		if (!(is->metas.data[i] & ~to->metas.data[i]))
			continue;
		to->metas.data[i] |= is->metas.data[i];
		note_news(to, i);
		is_new = true;
	}
	if (is_new)
		vnode_tell_users(v, n);
}

static void take_over_all(struct values *v, uint32_t n, uint32_t from)
{
	take_over(v, n, from, 0, v->nodes.data[from].metas.len);
}

static void evaluate(struct values *v, uint32_t n)
{
	if (v->nodes.data[n].query == QUERY_HANDLE)
		handles_evaluate(v, n);
	else if (v->nodes.data[n].query)
		evaluate_query(v, n);
	else
		for (uint32_t i = 0; i < v->nodes.data[n].inputs.len; i++)
			take_over_all(v, n, v->nodes.data[n].inputs.data[i]);
}

/* To nodes that are just all of their inputs; others are evaluated again. Sets pass it on at once: a call is as near to its targets as
 * if it had them for itself, and open for the same reason, which is the first. */
static void push_to_users(struct values *v, uint32_t n)
{
	uint32_t first = v->nodes.data[n].news, end = v->nodes.data[n].news_end;

	v->nodes.data[n].news = v->nodes.data[n].news_end = 0;
	for (uint32_t i = 0; i < v->nodes.data[n].users.len; i++) {
		uint32_t user = v->nodes.data[n].users.data[i];
		if (v->nodes.data[user].query)
			vnode_enqueue(v, user);
		else
			take_over(v, user, n, first, end);
		if (v->nodes.data[user].where == AT_SET && v->nodes.data[user].is_changed)
			push_to_users(v, user);
	}
}

/* Changes go on first: a query is answered when all that it is about has arrived. */
static void propagate(struct values *v)
{
	uint32_t at = 0, told = 0;

	while (told < v->changed.len || at < v->queue.len) {
		bool is_change = told < v->changed.len;
		uint32_t n = is_change ? v->changed.data[told++] : v->queue.data[at++];
		if (is_change) {
			v->nodes.data[n].is_changed = false;
			push_to_users(v, n);
		} else {
			v->nodes.data[n].is_queued = false;
			evaluate(v, n);
		}
	}
	vec_clear(&v->changed);
	vec_clear(&v->queue);
}

/* Expanding nodes makes new ones, and the graph is asked for these, until nothing is new. */
void values_trace(struct values *v, const struct dynamic_graph *g)
{
	v->graph = g;
	settings_connect(v);
	v->ntraces++;
	v->connected_params = v->connected_calls = v->connected_fields = 0;
	values_index_nests(v);
	values_connect_again(v);
	do {
		v->has_grown = false;
		while (v->expanded < v->nodes.len)
			values_expand(v, v->expanded++);
		values_connect(v);
	} while (v->has_grown);
	do
		propagate(v);
	while (texts_evaluate(v));
}

void values_add(struct values *v, uint32_t node, meta x)
{
	vnode_add(v, node, x);
}

void values_add_writer(struct values *v, method_id m)
{
	vec_push(&v->writers, m);
}

/* Questions */

uint32_t values_operand(struct values *v, method_id m, uint32_t pc, mref_id ref, uint32_t k)
{
	const struct code c = *values_code(v, m);
	const struct ir_stmt *s = code_call(&c, pc, ref);

	return s && code_operand(&c, s, k) ? vnode_at(v, AT_VALUE, false, m.i, code_operand(&c, s, k)) : 0;
}

uint32_t values_elements(struct values *v, method_id m, uint32_t pc, mref_id ref, uint32_t k, bool *is_one)
{
	const struct code c = *values_code(v, m);
	const struct ir_stmt *s = code_call(&c, pc, ref);
	ir_value array = s ? code_operand(&c, s, k) : 0;
	const struct ir_stmt *made = code_definition(&c, array);
	const struct ir_stmt *length = made && made->op == IR_NEWARRAY ? code_definition(&c, code_operand(&c, made, 0)) : NULL;

	*is_one = length && length->op == IR_CONST_INT && length->ref == 1;
	return array ? vnode_at(v, AT_VALUE, true, m.i, array) : 0;
}

uint32_t values_result(struct values *v, method_id m, uint32_t pc, mref_id ref)
{
	const struct code c = *values_code(v, m);
	const struct ir_stmt *s = code_call(&c, pc, ref);

	return s && s->result ? vnode_at(v, AT_VALUE, false, m.i, s->result) : 0;
}

struct metas values_of(struct values *v, uint32_t node)
{
	vec_clear(&v->sorted);
	list_metas(v, node, &v->sorted);
	return (struct metas){ v->sorted.data, v->sorted.len, v->nodes.data[node].is_open };
}

struct handles *values_handles(struct values *v)
{
	return &v->handles;
}

bool values_is_open(const struct values *v, uint32_t node)
{
	return v->nodes.data[node].is_open;
}

/* Is there one among the node and what it comes from, by string operations, too, or not? */
static bool comes_from(const struct values *v, uint32_t node, bool by_operations, bool (*is_one)(const struct values *v, uint32_t n))
{
	VEC(uint32_t) work = { 0 };
	struct map seen = { 0 };
	bool found = false;

	vec_push(&work, node);
	for (uint32_t i = 0; i < work.len && !found; i++) {
		const struct vnode *n = &v->nodes.data[work.data[i]];
		if (!work.data[i] || *map_at(&seen, work.data[i]))
			continue;
		*map_at(&seen, work.data[i]) = 1;
		found = is_one(v, work.data[i]);
		for (uint32_t k = 0; k < n->parts.len && by_operations; k++)
			vec_push(&work, n->parts.data[k]);
		for (uint32_t k = 0; k < n->inputs.len; k++)
			vec_push(&work, n->inputs.data[k]);
	}
	vec_release(&work);
	map_release(&seen);
	return found;
}

static bool is_setting_node(const struct values *v, uint32_t n)
{
	return is_setting(v->nodes.data[n].query);
}

static bool is_assumed(const struct values *v, uint32_t n)
{
	return is_setting_node(v, n) || (v->nodes.data[n].is_nowhere && !comes_from(v, n, true, is_setting_node));
}

bool values_is_assumed(const struct values *v, uint32_t node)
{
	return v->opt->level != DYNAMIC_LISTED && comes_from(v, node, false, is_assumed);
}
