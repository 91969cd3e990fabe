/* SPDX-License-Identifier: Apache-2.0 */
/* Why nodes are open: by what the library does (sources.def), and where it began, for people. */
#include "analysis/dynamic/values_p.h"

static const struct {
	const char *class, *method;
	enum dynamic_reason reason;
} sources[] = {
#define SOURCE(class, method, reason) { class, method, REASON_##reason },
#include "analysis/dynamic/why/sources.def"
#undef SOURCE
};

static bool is_within(struct str class, const char *source)
{
	size_t n = strlen(source);

	return source[n - 1] == '/' ? class.len > n && memcmp(class.p, source, n) == 0 : str_is(class, source);
}

enum dynamic_reason reason_of_source(const struct program *p, method_id m)
{
	struct str class = class_name(p, method_row(p, m)->owner), name = sel_name(p, method_row(p, m)->sel);

	for (size_t i = 0; i < ARRAY_LEN(sources); i++)
		if (is_within(class, sources[i].class) && (!sources[i].method || str_is(name, sources[i].method)))
			return sources[i].reason;
	return REASON_NONE;
}

/* The first of the names that a query was asked for which no class has. */
static str_id name_without_class(struct values *v, uint32_t root)
{
	struct metas names = values_of(v, v->nodes.data[root].inputs.data[0]);

	for (uint32_t i = 0; i < names.n; i++) {
		str_id name = { meta_id(names.data[i]) };
		if (meta_sort(names.data[i]) == META_STRING && !query_class_named(v->p, interned(&v->p->strings, name)).i)
			return name;
	}
	return (str_id){ 0 };
}

/* Parameters have no statement of their own, and results of methods many. */
static uint32_t pc_of(struct values *v, const struct vnode *n)
{
	const struct code *c = values_code(v, (method_id){ n->of });
	const struct ir_stmt *s = n->where == AT_RETURN ? NULL : code_definition(c, n->value);

	return s ? s->pc : 0;
}

struct dynamic_why values_why(struct values *v, uint32_t node)
{
	uint32_t root = v->nodes.data[node].root;
	struct dynamic_why why = { .reason = (enum dynamic_reason)v->nodes.data[node].reason };
	const struct vnode at = v->nodes.data[root];

	if (at.where == AT_FIELD) {
		why.field = (field_id){ at.of };
		return why;
	}
	why.method = (method_id){ at.of };
	why.pc = pc_of(v, &at);
	if (why.reason == REASON_NAME)
		why.name = name_without_class(v, root);
	return why;
}
