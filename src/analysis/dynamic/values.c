/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/dynamic/values.h"

#include <string.h>

#include "analysis/dynamic/casts.h"
#include "analysis/dynamic/query.h"
#include "ir/access.h"

/* A method whose statements were looked at. */
struct code {
	const struct ir_body *body;      /* NULL: it has none */
	uint32_t *def;                   /* by value: 1 + its statement */
};

enum where { AT_VALUE, AT_RETURN, AT_FIELD, AT_ANSWER, WHERES };      /* an answer: of the query that the value is the result of */

struct vnode {
	uint8_t where;
	bool is_elements;                /* of the arrays that it may be */
	bool is_open;
	bool is_queued;
	enum query query;                /* QUERY_NONE: all that its inputs are */
	bool knows_types;                /* queries of members: inputs from [2] on are the types of parameters */
	uint32_t of, value;              /* method and value; field */
	VEC(uint32_t) inputs;            /* of queries: [0] what it is about, [1] names */
	VEC(uint32_t) users;
	VEC(uint64_t) metas;             /* a bit for each, by its number */
	VEC(uint64_t) answered;          /* of queries: the metas of inputs[0] for which an answer was found, ... */
	uint64_t given;                  /* when the other inputs had so many */
};

struct values {
	struct hierarchy *h;
	struct program *p;
	const struct dynamic_opt *opt;
	struct arena mem;
	struct query_table queries;
	struct map carriers;             /* class -> 1: what variables have to be declared as, or arrays of it, to be traced */
	VEC(struct code) codes;          /* [0] unused */
	struct map code_of;              /* method -> code */
	VEC(struct vnode) nodes;         /* [0] unused */
	struct map node_by_key[2][WHERES];    /* by is_elements and where: (of, value) -> node */
	struct map edges;                /* (from, to) -> 1 */
	struct map meta_numbers;         /* meta -> number, from 1 */
	meta_list all;                   /* by number */
	meta_list sorted;                /* for values_of */
	uint32_t expanded;               /* nodes below it were expanded */
	VEC(uint32_t) queue;
	/* What the graph has to be asked for, again and again */
	VEC(uint32_t) params, calls, fields;     /* nodes */
	VEC(method_id) writers;          /* of fields that may be of other classes */
	struct map wanted;               /* method -> first node of `params` of it, in `next_param` */
	VEC(uint32_t) next_param;        /* by node */
	struct method_bits fresh;        /* methods whose callers are to be asked for in the next pass */
	struct map scanned;              /* (field, method) -> 1 */
	VEC(class_id) next_in_nest;      /* by class: the next one with the same host; of the host, the first. As of this trace */
	const struct dynamic_graph *graph;
	bool has_grown;
};

/* Objects of other classes hold classes, members and names, too; to follow these through collections is a matter of points-to
 * analyses. */
static void name_carriers(struct values *v)
{
	static const char *const names[] = {
		"java/lang/String", "java/lang/Class", "java/lang/reflect/Method", "java/lang/reflect/Constructor",
		"java/lang/reflect/Field", "java/lang/reflect/Executable", "java/lang/reflect/AccessibleObject",
		"java/lang/reflect/Member", "java/lang/reflect/Type", "java/lang/CharSequence",
	};

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		*map_at(&v->carriers, program_class(v->p, str_of(names[i])).i) = 1;
}

static bool is_carrier(const struct values *v, class_id type)
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
	arena_init(&v->mem);
	query_table_init(&v->queries, h->p);
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
		vec_release(&v->nodes.data[i].metas);
		vec_release(&v->nodes.data[i].answered);
	}
	for (uint32_t i = 0; i < 2 * WHERES; i++)
		map_release(&v->node_by_key[i / WHERES][i % WHERES]);
	map_release(&v->queries.rows);
	map_release(&v->carriers);
	map_release(&v->code_of);
	map_release(&v->edges);
	map_release(&v->meta_numbers);
	vec_release(&v->all);
	vec_release(&v->sorted);
	map_release(&v->wanted);
	map_release(&v->scanned);
	vec_release(&v->codes);
	vec_release(&v->nodes);
	vec_release(&v->queue);
	vec_release(&v->params);
	vec_release(&v->calls);
	vec_release(&v->fields);
	vec_release(&v->writers);
	vec_release(&v->next_param);
	vec_release(&v->fresh.words);
	vec_release(&v->next_in_nest);
	arena_release(&v->mem);
	free(v);
}

/* Code */

static const struct code *code_of(struct values *v, method_id m)
{
	uint32_t at = map_get(&v->code_of, m.i);

	if (at)
		return &v->codes.data[at];
	struct code c = { v->p->source.body(v->p->source.ctx, v->p, m, &v->mem), NULL };
	if (c.body) {
		c.def = arena_zarray(&v->mem, uint32_t, c.body->nvalues + 1);
		for (uint32_t i = 0; i < c.body->nstmts; i++)
			c.def[c.body->stmts[i].result] = 1 + i;
	}
	*map_at(&v->code_of, m.i) = v->codes.len;
	vec_push(&v->codes, c);
	return vec_last(&v->codes);
}

static const struct ir_stmt *definition(const struct code *c, uint32_t value)
{
	return c->body && value && value <= c->body->nvalues && c->def[value] ? &c->body->stmts[c->def[value] - 1] : NULL;
}

static const struct ir_stmt *call_at(const struct code *c, uint32_t pc, mref_id ref)
{
	for (uint32_t i = 0; c->body && i < c->body->nstmts; i++) {
		const struct ir_stmt *s = &c->body->stmts[i];
		if (s->pc == pc && s->ref == ref.i && s->op >= IR_CALL_STATIC && s->op <= IR_CALL_INTERFACE)
			return s;
	}
	return NULL;
}

static ir_value operand(const struct code *c, const struct ir_stmt *s, uint32_t k)
{
	return k < s->nargs ? c->body->args[s->args + k] : 0;
}

/* Nodes */

static uint32_t node_at(struct values *v, enum where where, bool is_elements, uint32_t of, uint32_t value)
{
	uint32_t *at = map_at(&v->node_by_key[is_elements][where], map_key(of, value));

	if (!*at) {
		*at = v->nodes.len;
		vec_push(&v->nodes, ((struct vnode){ .where = (uint8_t)where, .is_elements = is_elements, .of = of, .value = value }));
		v->has_grown = true;
	}
	return *at;
}

static void enqueue(struct values *v, uint32_t n)
{
	if (v->nodes.data[n].is_queued)
		return;
	v->nodes.data[n].is_queued = true;
	vec_push(&v->queue, n);
}

static void tell_users(struct values *v, uint32_t n)
{
	for (uint32_t i = 0; i < v->nodes.data[n].users.len; i++)
		enqueue(v, v->nodes.data[n].users.data[i]);
}

static void open_node(struct values *v, uint32_t n)
{
	if (v->nodes.data[n].is_open)
		return;
	v->nodes.data[n].is_open = true;
	tell_users(v, n);
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

static void add_meta(struct values *v, uint32_t n, meta x)
{
	uint32_t bit = meta_number(v, x);
	struct vnode *node = &v->nodes.data[n];

	while (node->metas.len <= bit / 64)
		vec_push(&node->metas, 0);
	if (node->metas.data[bit / 64] >> (bit % 64) & 1)
		return;
	node->metas.data[bit / 64] |= (uint64_t)1 << (bit % 64);
	tell_users(v, n);
}

static void add_input(struct values *v, uint32_t to, uint32_t from)
{
	vec_push(&v->nodes.data[to].inputs, from);
	vec_push(&v->nodes.data[from].users, to);
	enqueue(v, to);
}

/* `to` is what `from` is, too; each once. */
static void copy(struct values *v, uint32_t to, uint32_t from)
{
	uint32_t *at = map_at(&v->edges, map_key(from, to));

	if (*at || from == to)
		return;
	*at = 1;
	add_input(v, to, from);
}

/* From what a value is defined by */

static void copy_value(struct values *v, uint32_t to, uint32_t method, ir_value from)
{
	if (from)
		copy(v, to, node_at(v, AT_VALUE, v->nodes.data[to].is_elements, method, from));
	else
		open_node(v, to);
}

static void copy_to_elements(struct values *v, uint32_t n, ir_value element)
{
	copy(v, n, node_at(v, AT_VALUE, false, v->nodes.data[n].of, element));
}

static void copy_operands(struct values *v, uint32_t n, const struct code *c, const struct ir_stmt *s)
{
	uint32_t m = v->nodes.data[n].of;

	for (uint32_t i = 0; i < s->nargs; i++)
		copy_value(v, n, m, c->body->args[s->args + i]);
}

/* int.class is Integer.TYPE, which the library gets from the JVM; none: it is another field. */
static class_id primitive_at(struct values *v, fref_id f)
{
	static const char *const boxes[][2] = {
		{ "java/lang/Integer", "I" }, { "java/lang/Long", "J" }, { "java/lang/Boolean", "Z" }, { "java/lang/Character", "C" },
		{ "java/lang/Byte", "B" }, { "java/lang/Short", "S" }, { "java/lang/Float", "F" }, { "java/lang/Double", "D" },
		{ "java/lang/Void", "V" },
	};
	struct ir_fref row = *fref_row(v->p, f);

	for (size_t i = 0; i < ARRAY_LEN(boxes) && str_is(sel_name(v->p, row.sel), "TYPE"); i++)
		if (str_is(class_name(v->p, row.owner), boxes[i][0]))
			return program_class_of_desc(v->p, str_of(boxes[i][1]));
	return (class_id){ 0 };
}

static void expand_field(struct values *v, uint32_t n, fref_id f)
{
	class_id primitive = primitive_at(v, f);
	if (primitive.i) {
		add_meta(v, n, meta_of(META_CLASS, primitive.i));
		return;
	}
	bool is_ours = is_carrier(v, program_class_of_desc(v->p, sel_desc(v->p, fref_row(v->p, f)->sel)));

	if (is_ours && resolve_field(v->h, f) == RESOLVE_OK)
		copy(v, n, node_at(v, AT_FIELD, v->nodes.data[n].is_elements, fref_row(v->p, f)->target.i, 0));
	else
		open_node(v, n);
}

/* Arrays: what is stored into them, by whatever name. An elements node asks every use of its value in the method, so that
 * between a load and the array's making each name was asked. */

static bool has_operand(const struct code *c, const struct ir_stmt *s, ir_value x)
{
	for (uint32_t k = 0; k < s->nargs; k++)
		if (operand(c, s, k) == x)
			return true;
	return false;
}

static bool is_query(struct values *v, const struct ir_stmt *s)
{
	if (s->op == IR_CALL_DYNAMIC)
		return false;
	resolve_method(v->h, (mref_id){ s->ref });
	return query_find(&v->queries, v->p, (mref_id){ s->ref }).is;
}

static bool is_field_load(const struct ir_stmt *s)
{
	return s && (s->op == IR_GETFIELD || s->op == IR_GETSTATIC);
}

/* What statement `s` does with an array: stores an element, hands it to others who might, or neither. An array that is made in
 * this activation and returned from it is none of its business any more. */
static void expand_use(struct values *v, uint32_t n, const struct code *c, const struct ir_stmt *s, ir_value array)
{
	switch (s->op) {
	case IR_ASTORE:
		if (operand(c, s, 0) == array)
			copy_to_elements(v, n, operand(c, s, 2));
		if (operand(c, s, 2) == array)
			open_node(v, n);
		break;
	case IR_PUTFIELD:
	case IR_PUTSTATIC:
		expand_field(v, n, (fref_id){ s->ref });
		break;
	case IR_RETURN:
		if (is_field_load(definition(c, v->nodes.data[n].value)))
			open_node(v, n);
		break;
	default:
		if (ir_is_call(s->op) && !is_query(v, s))
			open_node(v, n);
		break;
	}
}

static void expand_uses(struct values *v, uint32_t n, const struct code *c)
{
	VEC(ir_value) names = { 0 };

	vec_push(&names, v->nodes.data[n].value);
	for (uint32_t k = 0; k < names.len; k++) {
		for (uint32_t i = 0; i < c->body->nstmts; i++) {
			const struct ir_stmt *s = &c->body->stmts[i];
			if (!has_operand(c, s, names.data[k]))
				continue;
			bool is_renamed = s->op == IR_PHI || s->op == IR_CAST, is_known = false;
			for (uint32_t j = 0; j < names.len; j++)
				is_known |= names.data[j] == s->result;
			if (is_renamed && !is_known)
				vec_push(&names, s->result);
			else if (!is_renamed)
				expand_use(v, n, c, s, names.data[k]);
		}
	}
	vec_release(&names);
}

/* Is the array, made here, handed to code that might store into it, or does it get another name? */
static bool is_shared(struct values *v, const struct code *c, ir_value array)
{
	for (uint32_t i = 0; i < c->body->nstmts; i++) {
		const struct ir_stmt *s = &c->body->stmts[i];
		bool is_harmless = s->op == IR_ALOAD || (s->op == IR_ASTORE && operand(c, s, 2) != array) || s->op == IR_LENGTH ||
				   (ir_is_call(s->op) && is_query(v, s));
		if (!is_harmless && has_operand(c, s, array))
			return true;
	}
	return false;
}

/* Queries */

/* The operand that the query is about. */
static uint32_t about(struct values *v, const struct ir_stmt *s, struct query_row q)
{
	struct ir_mref ref = *mref_row(v->p, (mref_id){ s->ref });
	uint32_t at = 0, k = s->op != IR_CALL_STATIC;
	class_id type;

	if (!q.by_string)
		return 0;
	while (sel_next_param(v->p, ref.sel, &at, &type) && type.i != v->p->string.i)
		k++;
	return k;
}

/* The value that is stored at index `k` of an array made here; 0: that is not clear. */
static ir_value element_at(const struct code *c, ir_value array, uint32_t k)
{
	ir_value found = 0;

	for (uint32_t i = 0; i < c->body->nstmts; i++) {
		const struct ir_stmt *s = &c->body->stmts[i];
		if (s->op != IR_ASTORE || operand(c, s, 0) != array)
			continue;
		const struct ir_stmt *index = definition(c, operand(c, s, 1));
		if (!index || index->op != IR_CONST_INT)
			return 0;
		if (index->ref == k && found)
			return 0;
		if (index->ref == k)
			found = operand(c, s, 2);
	}
	return found;
}

/* The types of parameters are often written down: new Class<?>[] { int.class, String.class }. */
static void expand_types(struct values *v, uint32_t n, const struct code *c, ir_value array)
{
	const struct ir_stmt *s = definition(c, array);
	uint32_t m = v->nodes.data[n].of, length = 0;

	if (s && s->op == IR_NEWARRAY && s->nargs == 1 && !is_shared(v, c, array)) {
		const struct ir_stmt *l = definition(c, operand(c, s, 0));
		if (!l || l->op != IR_CONST_INT || l->ref > 255)
			return;
		length = l->ref;
	} else if (!s || s->op != IR_CONST_NULL) {
		return;
	}
	for (uint32_t k = 0; k < length; k++)
		if (!element_at(c, array, k))
			return;
	for (uint32_t k = 0; k < length; k++)
		add_input(v, n, node_at(v, AT_VALUE, false, m, element_at(c, array, k)));
	v->nodes.data[n].knows_types = true;
}

/* What `x.getClass()` is depends on the objects that x refers to. */
static void expand_class_of(struct values *v, uint32_t n, const struct code *c, ir_value object)
{
	const struct ir_stmt *s = definition(c, object);
	class_id type = { s && (s->op == IR_NEW || s->op == IR_NEWARRAY) ? s->ref : 0 };

	if (s && s->op == IR_PARAM && s->ref == 0 && !(method_row(v->p, (method_id){ v->nodes.data[n].of })->flags & ACCESS_STATIC))
		type = method_row(v->p, (method_id){ v->nodes.data[n].of })->owner;
	bool is_exact = s && (s->op == IR_NEW || s->op == IR_NEWARRAY);
	if (type.i && (is_exact || (class_row(v->p, type)->flags & ACCESS_FINAL)))
		add_meta(v, n, meta_of(META_CLASS, type.i));
	else
		open_node(v, n);
}

static void expand_query(struct values *v, uint32_t n, const struct code *c, const struct ir_stmt *s, struct query_row q)
{
	uint32_t k = about(v, s, q), m = v->nodes.data[n].of;

	if (q.is == QUERY_CLASS_OF) {
		expand_class_of(v, n, c, operand(c, s, 0));
		return;
	}
	if (k >= s->nargs || query_gives_array(q.is) != v->nodes.data[n].is_elements) {
		open_node(v, n);
		return;
	}
	v->nodes.data[n].query = q.is;
	add_input(v, n, node_at(v, AT_VALUE, false, m, operand(c, s, k)));
	bool has_name = query_takes_name(q.is) && s->nargs > 1;
	if (has_name)
		add_input(v, n, node_at(v, AT_VALUE, false, m, operand(c, s, 1)));
	else
		vec_push(&v->nodes.data[n].inputs, 0);
	if (query_takes_types(q.is))
		expand_types(v, n, c, operand(c, s, has_name ? 2 : 1));
}

static void expand_call(struct values *v, uint32_t n, const struct code *c, const struct ir_stmt *s)
{
	/* What is missing gives back who knows what. */
	if (s->op == IR_CALL_DYNAMIC || resolve_method(v->h, (mref_id){ s->ref }) != RESOLVE_OK) {
		open_node(v, n);
		return;
	}
	struct query_row q = query_find(&v->queries, v->p, (mref_id){ s->ref });
	bool is_answer = v->nodes.data[n].where == AT_ANSWER;
	/* Into an array that is the answer, others may be stored. */
	if (q.is && v->nodes.data[n].is_elements && !is_answer)
		copy(v, n, node_at(v, AT_ANSWER, true, v->nodes.data[n].of, s->result));
	else if (q.is)
		expand_query(v, n, c, s, q);
	else if (is_carrier(v, sel_result(v->p, mref_row(v->p, (mref_id){ s->ref })->sel)))
		vec_push(&v->calls, n);
	else
		open_node(v, n);
}

/* The declared type of a parameter; the receiver is the first. */
static class_id param_type(struct values *v, method_id m, uint32_t k)
{
	struct ir_method row = *method_row(v->p, m);
	uint32_t at = 0, i = !(row.flags & ACCESS_STATIC);
	class_id type = row.owner;

	if (i && k == 0)
		return type;
	while (sel_next_param(v->p, row.sel, &at, &type) && i < k)
		i++;
	return type;
}

/* Can its callers be looked at? Names are passed to public methods of libraries from everywhere, and seldom those of classes;
 * of those who are meant to be called with names of classes, what they do is a feature of its own. */
static bool is_traced(struct values *v, method_id m, uint32_t k)
{
	struct ir_method row = *method_row(v->p, m);
	class_id type = param_type(v, m, k);

	if (class_row(v->p, row.owner)->kind == CLASS_SYNTHETIC)
		return true;
	if (!is_carrier(v, type))
		return false;
	while (class_row(v->p, type)->kind == CLASS_ARRAY)
		type = class_row(v->p, type)->element;
	return type.i != v->p->string.i || !(row.flags & (ACCESS_PUBLIC | ACCESS_PROTECTED)) ||
	       !(v->opt->is_library && v->opt->is_library(v->opt->ctx, row.owner));
}

static void want(struct values *v, uint32_t method)
{
	while (v->fresh.words.len <= method / 64)
		vec_push(&v->fresh.words, 0);
	v->fresh.words.data[method / 64] |= (uint64_t)1 << (method % 64);
}

static void expand_param(struct values *v, uint32_t n, const struct ir_stmt *s)
{
	method_id m = { v->nodes.data[n].of };

	if (!is_traced(v, m, s->ref)) {
		open_node(v, n);
		return;
	}
	uint32_t *first = map_at(&v->wanted, v->nodes.data[n].of);

	while (v->next_param.len <= n)
		vec_push(&v->next_param, 0);
	v->next_param.data[n] = *first;
	*first = n;
	want(v, m.i);
	vec_push(&v->params, n);
}

static void expand_value(struct values *v, uint32_t n)
{
	struct vnode node = v->nodes.data[n];
	const struct code c = *code_of(v, (method_id){ node.of });
	const struct ir_stmt *s = definition(&c, node.value);

	if (!s) {
		open_node(v, n);
		return;
	}
	if (node.is_elements)
		expand_uses(v, n, &c);
	switch (s->op) {
	case IR_PARAM:
		expand_param(v, n, s);
		break;
	case IR_PHI:
	case IR_CAST:
		copy_operands(v, n, &c, s);
		break;
	case IR_CONST_NULL:
	case IR_UNDEF:
		break;
	case IR_CONST_CLASS:
		add_meta(v, n, meta_of(META_CLASS, s->ref));
		break;
	case IR_CONST_STRING:
		add_meta(v, n, meta_of(META_STRING, s->ref));
		break;
	case IR_GETFIELD:
	case IR_GETSTATIC:
		expand_field(v, n, (fref_id){ s->ref });
		break;
	case IR_ALOAD:
		if (node.is_elements)
			open_node(v, n);
		else
			copy(v, n, node_at(v, AT_VALUE, true, node.of, operand(&c, s, 0)));
		break;
	case IR_NEWARRAY:
		if (!node.is_elements)
			open_node(v, n);
		break;
	default:
		if (ir_is_call(s->op))
			expand_call(v, n, &c, s);
		else
			open_node(v, n);
		break;
	}
}

static void expand_answer(struct values *v, uint32_t n)
{
	const struct code c = *code_of(v, (method_id){ v->nodes.data[n].of });

	expand_call(v, n, &c, definition(&c, v->nodes.data[n].value));
}

static void expand_return(struct values *v, uint32_t n)
{
	uint32_t m = v->nodes.data[n].of;
	const struct code c = *code_of(v, (method_id){ m });

	if (!c.body)
		open_node(v, n);
	for (uint32_t i = 0; c.body && i < c.body->nstmts; i++)
		if (c.body->stmts[i].op == IR_RETURN && c.body->stmts[i].nargs)
			copy_value(v, n, m, operand(&c, &c.body->stmts[i], 0));
}

static void expand(struct values *v, uint32_t n)
{
	enqueue(v, n);
	switch ((enum where)v->nodes.data[n].where) {
	case AT_VALUE:
		expand_value(v, n);
		break;
	case AT_RETURN:
		expand_return(v, n);
		break;
	case AT_FIELD:
		vec_push(&v->fields, n);
		break;
	case AT_ANSWER:
		expand_answer(v, n);
		break;
	case WHERES:
		break;
	}
}

/* What the graph says */

static void connect_caller(void *ctx, method_id caller, uint32_t pc, mref_id ref, method_id target)
{
	struct values *v = ctx;
	const struct code from = *code_of(v, caller);
	const struct ir_stmt *s = call_at(&from, pc, ref);

	for (uint32_t n = map_get(&v->wanted, target.i); n; n = v->next_param.data[n]) {
		const struct ir_stmt *param = definition(code_of(v, target), v->nodes.data[n].value);
		if (s && s->nargs > param->ref)
			copy_value(v, n, caller.i, operand(&from, s, param->ref));
		else
			open_node(v, n);
	}
}

static void connect_params(struct values *v)
{
	const struct dynamic_graph *g = v->graph;

	for (uint32_t i = 0; i < v->params.len; i++)
		if (g->is_entry(g->ctx, (method_id){ v->nodes.data[v->params.data[i]].of }))
			open_node(v, v->params.data[i]);
	struct method_bits now = v->fresh;
	v->fresh = (struct method_bits){ 0 };
	g->callers(g->ctx, &now, connect_caller, v);
	vec_release(&now.words);
}

struct callee {
	struct values *v;
	uint32_t node;
};

static void connect_target(void *ctx, method_id target)
{
	struct callee *x = ctx;

	copy(x->v, x->node, node_at(x->v, AT_RETURN, x->v->nodes.data[x->node].is_elements, target.i, 0));
}

static void connect_results(struct values *v)
{
	for (uint32_t i = 0; i < v->calls.len; i++) {
		struct callee x = { v, v->calls.data[i] };
		struct vnode n = v->nodes.data[x.node];
		const struct code c = *code_of(v, (method_id){ n.of });
		const struct ir_stmt *s = definition(&c, n.value);
		v->graph->targets(v->graph->ctx, (method_id){ n.of }, s->pc, (mref_id){ s->ref }, connect_target, &x);
	}
}

/* Writes of a field in a method, once; of arrays, what is stored by way of loads, too. */
static void scan_writes(struct values *v, uint32_t n, method_id m)
{
	uint32_t *at = map_at(&v->scanned, map_key(n, m.i));

	if (*at)
		return;
	*at = 1;
	const struct code c = *code_of(v, m);
	for (uint32_t i = 0; c.body && i < c.body->nstmts; i++) {
		const struct ir_stmt *s = &c.body->stmts[i];
		bool is_write = s->op == IR_PUTFIELD || s->op == IR_PUTSTATIC;
		if (!is_write && !(v->nodes.data[n].is_elements && is_field_load(s)))
			continue;
		fref_id f = { s->ref };
		if (resolve_field(v->h, f) == RESOLVE_OK && fref_row(v->p, f)->target.i == v->nodes.data[n].of)
			copy_value(v, n, m.i, is_write ? operand(&c, s, s->nargs - 1) : s->result);
	}
}

static void scan_class(struct values *v, uint32_t n, class_id c)
{
	struct ir_class row = *class_row(v->p, c);

	for (uint32_t i = 0; i < row.nmethods; i++) {
		method_id m = { row.first_method + i };
		if (v->graph->is_reached(v->graph->ctx, m))
			scan_writes(v, n, m);
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
		open_node(v, n);
	scan_class(v, n, f.owner);
	for (uint32_t i = 0; i < v->writers.len; i++)
		scan_writes(v, n, v->writers.data[i]);
	if (class_row(v->p, f.owner)->kind == CLASS_SYNTHETIC)
		scan_class(v, n, class_row(v->p, f.owner)->outer);
	if ((f.flags & ACCESS_FINAL) && !v->nodes.data[n].is_elements)
		return;
	if (!(f.flags & ACCESS_PRIVATE)) {
		open_node(v, n);
		return;
	}
	for (class_id c = host; c.i && c.i < v->next_in_nest.len; c = v->next_in_nest.data[c.i])
		scan_class(v, n, c);
}

static void index_nests(struct values *v)
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
	qsort(out->data, out->len, sizeof(meta), by_number);
}

/* In order, in `mem`. */
static struct metas sorted(const struct values *v, uint32_t node, struct arena *mem)
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
	bool is_open = v->nodes.data[node.inputs.data[0]].is_open || (is_named && v->nodes.data[node.inputs.data[1]].is_open);
	meta_list about = { 0 }, out = { 0 };

	f.names = is_named ? sorted(v, node.inputs.data[1], &mem) : (struct metas){ 0 };
	f.names.is_open = !is_named;
	for (uint32_t i = 0; i < ntypes; i++)
		types[i] = sorted(v, node.inputs.data[2 + i], &mem);
	take_unanswered(v, n, &about);
	for (uint32_t i = 0; i < about.len; i++)
		is_open |= !query_answer(v->h, node.query, about.data[i], &f, &out);
	for (uint32_t i = 0; i < out.len; i++)
		add_meta(v, n, out.data[i]);
	if (is_open)
		open_node(v, n);
	vec_release(&about);
	vec_release(&out);
	arena_release(&mem);
}

static void take_over(struct values *v, uint32_t n, uint32_t from)
{
	struct vnode *to = &v->nodes.data[n];
	const struct vnode *is = &v->nodes.data[from];
	uint64_t news = 0;

	if (is->is_open)
		open_node(v, n);
	while (to->metas.len < is->metas.len)
		vec_push(&to->metas, 0);
	for (uint32_t i = 0; i < is->metas.len; i++) {
		news |= is->metas.data[i] & ~to->metas.data[i];
		to->metas.data[i] |= is->metas.data[i];
	}
	if (news)
		tell_users(v, n);
}

static void evaluate(struct values *v, uint32_t n)
{
	if (v->nodes.data[n].query)
		evaluate_query(v, n);
	else
		for (uint32_t i = 0; i < v->nodes.data[n].inputs.len; i++)
			take_over(v, n, v->nodes.data[n].inputs.data[i]);
}

static void propagate(struct values *v)
{
	for (uint32_t at = 0; at < v->queue.len; at++) {
		uint32_t n = v->queue.data[at];
		v->nodes.data[n].is_queued = false;
		evaluate(v, n);
	}
	vec_clear(&v->queue);
}

/* Expanding nodes makes new ones, and the graph is asked again for these, until nothing is new. */
void values_trace(struct values *v, const struct dynamic_graph *g)
{
	v->graph = g;
	index_nests(v);
	for (uint32_t i = 0; i < v->params.len; i++)
		want(v, v->nodes.data[v->params.data[i]].of);
	do {
		v->has_grown = false;
		while (v->expanded < v->nodes.len)
			expand(v, v->expanded++);
		connect_params(v);
		connect_results(v);
		for (uint32_t i = 0; i < v->fields.len; i++)
			connect_field(v, v->fields.data[i]);
	} while (v->has_grown);
	propagate(v);
}

void values_add_writer(struct values *v, method_id m)
{
	vec_push(&v->writers, m);
}

/* Questions */

uint32_t values_operand(struct values *v, method_id m, uint32_t pc, mref_id ref, uint32_t k)
{
	const struct code c = *code_of(v, m);
	const struct ir_stmt *s = call_at(&c, pc, ref);

	return s && operand(&c, s, k) ? node_at(v, AT_VALUE, false, m.i, operand(&c, s, k)) : 0;
}

uint32_t values_result(struct values *v, method_id m, uint32_t pc, mref_id ref)
{
	const struct code c = *code_of(v, m);
	const struct ir_stmt *s = call_at(&c, pc, ref);

	return s && s->result ? node_at(v, AT_VALUE, false, m.i, s->result) : 0;
}

struct metas values_of(struct values *v, uint32_t node)
{
	vec_clear(&v->sorted);
	list_metas(v, node, &v->sorted);
	return (struct metas){ v->sorted.data, v->sorted.len, v->nodes.data[node].is_open };
}

bool values_is_open(const struct values *v, uint32_t node)
{
	return v->nodes.data[node].is_open;
}

/* Casts */

static bool is_named(const struct values *v, const struct ir_stmt *s, const char *class, const char *name)
{
	struct ir_mref ref = *mref_row(v->p, (mref_id){ s->ref });

	return str_is(sel_name(v->p, ref.sel), name) && str_is(class_name(v->p, ref.owner), class);
}

/* The call that makes an object of the class or by the constructor that is the value, where the method comes by it for sure. */
static class_id cast_of_made(struct values *v, const struct code *c, uint32_t from, ir_value value, const char *class)
{
	for (uint32_t i = 0; i < c->body->nstmts; i++) {
		const struct ir_stmt *s = &c->body->stmts[i];
		if (s->op == IR_CALL_VIRTUAL && operand(c, s, 0) == value && is_named(v, s, class, "newInstance") && comes_by(c->body, from, i))
			return cast_of_result(v->p, c->body, i);
	}
	return (class_id){ 0 };
}

/* Of a class: also by way of one of its constructors. */
static class_id cast_of_class(struct values *v, const struct code *c, uint32_t from)
{
	ir_value value = c->body->stmts[from].result;
	class_id type = cast_of_made(v, c, from, value, "java/lang/Class");

	for (uint32_t i = 0; !type.i && i < c->body->nstmts; i++) {
		const struct ir_stmt *s = &c->body->stmts[i];
		if (s->op != IR_CALL_VIRTUAL || operand(c, s, 0) != value || !comes_by(c->body, from, i))
			continue;
		if (is_named(v, s, "java/lang/Class", "getConstructor") || is_named(v, s, "java/lang/Class", "getDeclaredConstructor"))
			type = cast_of_made(v, c, i, s->result, "java/lang/reflect/Constructor");
	}
	return type;
}

class_id values_cast(struct values *v, method_id m, uint32_t pc, mref_id ref, enum dynamic_sort sort)
{
	const struct code c = *code_of(v, m);
	const struct ir_stmt *s = call_at(&c, pc, ref);

	if (!s || !s->result)
		return (class_id){ 0 };
	if (sort == DYNAMIC_LOAD || sort == DYNAMIC_FIND)
		return cast_of_class(v, &c, (uint32_t)(s - c.body->stmts));
	return cast_of_result(v->p, c.body, (uint32_t)(s - c.body->stmts));
}
