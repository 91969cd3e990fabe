/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/dynamic/handles/ask.h"

#define MAX_TYPES 64u            /* that a node of types may have */

static const struct {
	enum handle_question is;
	const char *operands;
} rows[] = {
#define HANDLE(class, name, is, operands) { ASK_##is, operands },
#include "analysis/dynamic/handles/handles.def"
#undef HANDLE
};

/* Expanding */

static void add_operand(struct values *v, uint32_t n, const struct code *c, const struct ir_stmt *s, uint32_t k)
{
	ir_value x = code_operand(c, s, k);

	if (x)
		vnode_input(v, n, vnode_at(v, AT_VALUE, false, v->nodes.data[n].of, x));
	else
		vec_push(&v->nodes.data[n].inputs, 0);
}

/* methodType(result, types...), where types are written down in one way or another. */
static void expand_type(struct values *v, uint32_t n, const struct code *c, const struct ir_stmt *s)
{
	sel_id sel = mref_row(v->p, (mref_id){ s->ref })->sel;
	class_id array = program_array_of(v->p, v->p->class_), type;
	uint32_t at = 0;
	bool is_known = true;

	v->nodes.data[n].knows_types = true;
	for (uint32_t k = 0; sel_next_param(v->p, sel, &at, &type); k++) {
		if (type.i == v->p->class_.i) {
			add_operand(v, n, c, s, k);
			continue;
		}
		v->nodes.data[n].knows_types = false;
		if (type.i == array.i)
			elements_expand_types(v, n, c, code_operand(c, s, k));
		is_known &= v->nodes.data[n].knows_types;
	}
	if (!is_known)
		vnode_open(v, n, REASON_QUERY);
	v->nodes.data[n].knows_types = is_known;
}

static void add_class(struct values *v, uint32_t n, ir_value object)
{
	vnode_input(v, n, vnode_at(v, AT_CLASS, false, v->nodes.data[n].of, object));
}

static void add_elements(struct values *v, uint32_t n, ir_value array)
{
	if (array)
		vnode_input(v, n, vnode_at(v, AT_VALUE, true, v->nodes.data[n].of, array));
	else
		vec_push(&v->nodes.data[n].inputs, 0);
}

/* Every operand that is a handle, and the elements of arrays of these. */
static void add_handles(struct values *v, uint32_t n, const struct code *c, const struct ir_stmt *s)
{
	class_id handle = program_class(v->p, STR("java/lang/invoke/MethodHandle")), type;
	sel_id sel = mref_row(v->p, (mref_id){ s->ref })->sel;
	uint32_t at = 0, k = s->op != IR_CALL_STATIC;

	if (k)
		add_operand(v, n, c, s, 0);
	for (; sel_next_param(v->p, sel, &at, &type); k++) {
		bool is_array = type.i == program_array_of(v->p, handle).i;
		if (is_array && code_operand(c, s, k))
			vnode_input(v, n, vnode_at(v, AT_VALUE, true, v->nodes.data[n].of, code_operand(c, s, k)));
		else if (type.i == handle.i)
			add_operand(v, n, c, s, k);
	}
}

void handles_expand(struct values *v, uint32_t n, const struct code *c, const struct ir_stmt *s, uint8_t row)
{
	if (v->nodes.data[n].is_elements) {
		vnode_open(v, n, REASON_QUERY);
		return;
	}
	v->nodes.data[n].query = QUERY_HANDLE;
	v->nodes.data[n].handle = row;
	if (rows[row].is == ASK_TYPE)
		expand_type(v, n, c, s);
	if (rows[row].is > ASK_SAME)
		combine_site(v, (method_id){ v->nodes.data[n].of }, c, s);
	for (const char *k = rows[row].operands; *k; k++) {
		if (*k == '*')
			add_handles(v, n, c, s);
		else if (*k == '[')
			add_elements(v, n, code_operand(c, s, (uint32_t)(*++k - '0')));
		else if (*k == '@')
			add_class(v, n, code_operand(c, s, (uint32_t)(*++k - '0')));
		else
			add_operand(v, n, c, s, *k == '-' ? UINT32_MAX : (uint32_t)(*k - '0'));
	}
	bool is_named = rows[row].is >= ASK_FIND_VIRTUAL && rows[row].is < ASK_BIND;
	if (is_named && v->nodes.data[n].inputs.len > 1 && v->nodes.data[n].inputs.data[1])
		texts_ask(v, v->nodes.data[n].inputs.data[1], NAME_OF_MEMBER);
}

void handles_expand_constant(struct values *v, uint32_t n, const struct ir_stmt *s)
{
	struct handle h;

	if (find_constant(v, method_row(v->p, (method_id){ v->nodes.data[n].of })->owner, s, &h))
		vnode_add(v, n, meta_of(META_HANDLE, handle_row(&v->handles, h)));
	else
		vnode_open(v, n, REASON_MISSING);
}

/* Evaluating */

void asking_add(struct asking *q, struct handle h)
{
	uint32_t row = handle_row(&q->v->handles, h);

	if (row)
		vnode_add(q->v, q->node, meta_of(META_HANDLE, row));
	else
		q->open = REASON_CALL;
}

static bool add_desc(const struct program *p, meta x, struct strbuf *out)
{
	struct str name = class_name(p, meta_class(x));
	static const char *const primitives[][2] = {
		{ "int", "I" }, { "long", "J" }, { "boolean", "Z" }, { "char", "C" }, { "byte", "B" }, { "short", "S" },
		{ "float", "F" }, { "double", "D" }, { "void", "V" },
	};

	if (meta_sort(x) != META_CLASS)
		return false;
	for (size_t i = 0; class_row(p, meta_class(x))->kind == CLASS_PRIMITIVE && i < ARRAY_LEN(primitives); i++)
		if (str_is(name, primitives[i][0])) {
			strbuf_adds(out, primitives[i][1]);
			return true;
		}
	strbuf_addf(out, name.p[0] == '[' ? "%.*s" : "L%.*s;", (int)name.len, name.p);
	return true;
}

/* The type that takes `pick[i]` of input i: its result is the first. */
static void add_type(struct asking *q, const uint32_t *pick)
{
	struct program *p = q->v->p;
	struct strbuf text = { 0 };
	bool is_type = true;

	strbuf_adds(&text, "(");
	for (uint32_t i = 1; i < q->ngiven; i++)
		is_type &= add_desc(p, q->given[i].data[pick[i]], &text);
	strbuf_adds(&text, ")");
	if (is_type && add_desc(p, q->given[0].data[pick[0]], &text))
		vnode_add(q->v, q->node, meta_of(META_TYPE, intern(&p->strings, strbuf_str(&text)).i));
	strbuf_release(&text);
}

bool next_pick(const struct metas *given, uint32_t n, uint32_t *pick)
{
	for (uint32_t i = 0; i < n; i++) {
		if (++pick[i] < given[i].n)
			return true;
		pick[i] = 0;
	}
	return false;
}

/* Every combination of the types that there are. */
static void answer_type(struct asking *q)
{
	uint64_t count = q->v->nodes.data[q->node].knows_types;
	uint32_t *pick = mem_zalloc((q->ngiven + 1) * sizeof(*pick));

	for (uint32_t i = 0; i < q->ngiven && count <= MAX_TYPES; i++) {
		count *= q->given[i].n;
		if (q->given[i].is_open)
			q->open = REASON_QUERY;
	}
	if (count > MAX_TYPES)
		q->open = REASON_QUERY;
	if (count && count <= MAX_TYPES)
		do
			add_type(q, pick);
		while (next_pick(q->given, q->ngiven, pick));
	free(pick);
}

static void answer(struct asking *q, meta about)
{
	switch (q->is) {
	case ASK_TYPE_OF_TEXT:
		if (meta_sort(about) == META_STRING)
			vnode_add(q->v, q->node, meta_of(META_TYPE, meta_id(about)));
		break;
	case ASK_SAME:
		vnode_add(q->v, q->node, about);
		break;
	default:
		find_member(q, about);
		break;
	}
}

/* The site of the call that the node is the result of. */
static uint32_t site_of(struct values *v, uint32_t n)
{
	const struct code c = *values_code(v, (method_id){ v->nodes.data[n].of });
	const struct ir_stmt *s = code_definition(&c, v->nodes.data[n].value);

	return map_get(&v->handles.site_by_key, map_key(v->nodes.data[n].of, s->pc));
}

/* What it is about has to be known, and names, and every part of a handle; types and callers only make the answer smaller. */
static void open_by_inputs(struct asking *q)
{
	const struct vnode *n = &q->v->nodes.data[q->node];
	uint32_t nneeded = q->is < ASK_BIND ? 2 : n->inputs.len;

	for (uint32_t i = 0; i < nneeded && i < n->inputs.len; i++)
		if (n->inputs.data[i] && texts_are_open(q->v, n->inputs.data[i], i == 1 && q->is < ASK_BIND ? NAME_OF_MEMBER : NAME_OTHER))
			vnode_open_by(q->v, q->node, n->inputs.data[i]);
}

void handles_evaluate(struct values *v, uint32_t n)
{
	struct arena mem;
	struct asking q = { .v = v, .node = n, .is = rows[v->nodes.data[n].handle].is, .ngiven = v->nodes.data[n].inputs.len };

	arena_init(&mem);
	struct metas *given = arena_array(&mem, struct metas, q.ngiven + 1);
	for (uint32_t i = 0; i < q.ngiven; i++) {
		uint32_t input = v->nodes.data[n].inputs.data[i];
		given[i] = input ? vnode_metas(v, input, &mem) : (struct metas){ .is_open = true };
	}
	q.given = given;
	if (q.is > ASK_SAME)
		q.site = site_of(v, n);
	if (q.is == ASK_TYPE)
		answer_type(&q);
	else if (q.is >= ASK_BIND)
		combine(&q);
	for (uint32_t i = 0; q.is != ASK_TYPE && q.is < ASK_BIND && i < given[0].n; i++)
		answer(&q, given[0].data[i]);
	if (q.is != ASK_TYPE)
		open_by_inputs(&q);
	if (q.open)
		vnode_open(v, n, q.open);
	arena_release(&mem);
}

method_id values_binder(struct values *v, method_id m, uint32_t pc)
{
	uint32_t site = map_get(&v->handles.site_by_key, map_key(m.i, pc));

	return site ? handle_binder(&v->handles, v->p, site) : (method_id){ 0 };
}
