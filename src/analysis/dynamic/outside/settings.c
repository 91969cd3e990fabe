/* SPDX-License-Identifier: Apache-2.0 */
/* Reads of properties: a query about the name, beside the default. What the program sets itself, under a name that is written in
 * the call, is not what the environment says. */
#include "analysis/dynamic/outside/settings.h"

#include "analysis/dynamic/values_p.h"
#include "ir/access.h"

static bool is_setting(enum query q)
{
	return q == QUERY_PROPERTY || q == QUERY_VARIABLE || q == QUERY_SECURITY;
}

/* System.getProperties().getProperty(...): the receiver is made by such a call. */
static bool is_system_properties(struct values *v, const struct code *c, ir_value receiver)
{
	const struct ir_stmt *s = code_definition(c, receiver);

	if (!s || !ir_is_call(s->op) || s->op == IR_CALL_DYNAMIC)
		return false;
	struct ir_mref ref = *mref_row(v->p, (mref_id){ s->ref });
	struct str owner = class_name(v->p, ref.owner), name = sel_name(v->p, ref.sel);
	return (str_is(owner, "java/lang/System") && str_is(name, "getProperties")) ||
	       (str_is(owner, "sun/security/action/GetPropertyAction") && str_is(name, "privilegedGetProperties"));
}

/* The value is the answer, or the default; a default that is not there is null. */
static void expand_read(struct values *v, uint32_t n, enum query q, ir_value result, ir_value key, ir_value other)
{
	uint32_t m = v->nodes.data[n].of;

	if (v->nodes.data[n].where != AT_ANSWER) {
		vnode_copy(v, n, vnode_at(v, AT_ANSWER, false, m, result));
		if (other)
			vnode_copy_value(v, n, m, other);
		return;
	}
	if (!v->opt->settings) {
		vnode_open(v, n, REASON_PROPERTY);
		return;
	}
	v->nodes.data[n].query = q;
	vnode_input(v, n, vnode_at(v, AT_VALUE, false, m, key));
	vec_push(&v->nodes.data[n].inputs, 0);
	vec_push(&v->settings, n);
}

bool settings_expand(struct values *v, uint32_t n, const struct code *c, const struct ir_stmt *s, enum query q)
{
	uint32_t first = s->op != IR_CALL_STATIC;

	if ((!is_setting(q) && q != QUERY_OF_PROPERTIES) || v->nodes.data[n].is_elements || s->nargs <= first)
		return false;
	enum query is = is_setting(q) ? q : QUERY_PROPERTY;
	if (q == QUERY_OF_PROPERTIES && !is_system_properties(v, c, code_operand(c, s, 0))) {
		str_id file = resources_find(v, (method_id){ v->nodes.data[n].of }, c, code_operand(c, s, 0));
		if (!file.i)
			return false;
		*map_at(&v->resource_of, n) = file.i;
		is = QUERY_RESOURCE;
	}
	expand_read(v, n, is, s->result, code_operand(c, s, first), code_operand(c, s, first + 1));
	return true;
}

static const struct ir_stmt *constructor_of(struct values *v, const struct code *c, ir_value object)
{
	for (uint32_t i = 0; c->body && i < c->body->nstmts; i++) {
		const struct ir_stmt *s = &c->body->stmts[i];
		bool is_on = s->op == IR_CALL_SPECIAL && code_operand(c, s, 0) == object;
		if (is_on && str_is(sel_name(v->p, mref_row(v->p, (mref_id){ s->ref })->sel), "<init>"))
			return s;
	}
	return NULL;
}

bool settings_expand_action(struct values *v, uint32_t n, const struct code *c, ir_value result, ir_value action)
{
	const struct ir_stmt *s = code_definition(c, action);
	bool is_read = s && s->op == IR_NEW && str_is(class_name(v->p, (class_id){ s->ref }), "sun/security/action/GetPropertyAction");
	const struct ir_stmt *init = is_read && !v->nodes.data[n].is_elements ? constructor_of(v, c, action) : NULL;

	if (!init || init->nargs < 2)
		return false;
	expand_read(v, n, QUERY_PROPERTY, result, code_operand(c, init, 1), code_operand(c, init, 2));
	return true;
}

/* Answers */

static enum setting setting_of(enum query q)
{
	return q == QUERY_PROPERTY ? SETTING_PROPERTY : q == QUERY_VARIABLE ? SETTING_VARIABLE : SETTING_SECURITY;
}

bool settings_answer(struct values *v, enum query q, meta about, meta_list *out)
{
	struct str value, key;

	if (meta_sort(about) != META_STRING || map_get(&v->set_keys, map_key(q, meta_id(about))))
		return false;
	key = interned(&v->p->strings, (str_id){ meta_id(about) });
	enum setting_is is = v->opt->settings->ask(v->opt->settings->ctx, setting_of(q), key, &value);
	if (is == SETTING_KNOWN)
		vec_push(out, meta_of(META_STRING, intern(&v->p->strings, value).i));
	return is != SETTING_UNKNOWN;
}

/* What the program sets */

struct setter {
	struct values *v;
	enum query sets;
};

static void note_set(void *ctx, method_id caller, uint32_t pc, mref_id ref)
{
	const struct setter *x = ctx;
	struct values *v = x->v;
	const struct code c = *values_code(v, caller);
	const struct ir_stmt *s = code_call(&c, pc, ref), *key = s ? code_definition(&c, code_operand(&c, s, 0)) : NULL;

	if (!key || key->op != IR_CONST_STRING)
		return;
	uint32_t *at = map_at(&v->set_keys, map_key(x->sets, key->ref));
	if (*at)
		return;
	*at = 1;
	for (uint32_t i = 0; i < v->settings.len; i++) {
		vec_clear(&v->nodes.data[v->settings.data[i]].answered);
		vnode_enqueue(v, v->settings.data[i]);
	}
}

static void connect_setter(struct values *v, const char *class, enum query sets)
{
	class_id c = program_class(v->p, str_of(class));
	struct setter x = { v, sets };

	program_load(v->p, c);
	method_id m = program_declared(v->p, c, program_sel(v->p, STR("setProperty"),
							    STR("(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;")));
	if (m.i)
		v->graph->callers(v->graph->ctx, m, v->ntraces > 0, note_set, &x);
}

void settings_connect(struct values *v)
{
	if (!v->opt || !v->opt->settings)
		return;
	connect_setter(v, "java/lang/System", QUERY_PROPERTY);
	connect_setter(v, "java/security/Security", QUERY_SECURITY);
}
