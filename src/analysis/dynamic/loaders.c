/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/dynamic/loaders.h"

#include "analysis/dynamic/values_p.h"
#include "ir/access.h"

void loaders_init(struct loaders *l, struct program *p)
{
	static const char *const methods[LOADER_METHODS][2] = {
		{ "loadClass", "(Ljava/lang/String;)Ljava/lang/Class;" },
		{ "loadClass", "(Ljava/lang/String;Z)Ljava/lang/Class;" },
		{ "loadClass", "(Ljava/lang/Module;Ljava/lang/String;)Ljava/lang/Class;" },
		{ "findClass", "(Ljava/lang/String;)Ljava/lang/Class;" },
		{ "findClass", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/Class;" },
	};

	l->loader = program_class(p, STR("java/lang/ClassLoader"));
	for (size_t i = 0; i < LOADER_METHODS; i++) {
		l->methods[i] = program_sel(p, str_of(methods[i][0]), str_of(methods[i][1]));
		l->mask |= (uint64_t)1 << (l->methods[i].i % 64);
	}
}

uint32_t loaders_name(struct program *p, sel_id sel)
{
	uint32_t at = 0, last = UINT32_MAX - 1;
	class_id type;

	for (uint32_t k = 0; sel_next_param(p, sel, &at, &type); k++)
		last = type.i == p->string.i ? k : last;
	return last;
}

bool loaders_has_override(const struct loaders *l, struct hierarchy *h, method_id m)
{
	const struct ir_method *row = method_row(h->p, m);
	bool is_named = false;

	for (size_t i = 0; i < LOADER_METHODS; i++)
		is_named |= row->sel.i == l->methods[i].i;
	return is_named && !(row->flags & ACCESS_STATIC) && hierarchy_is_subclass(h, row->owner, l->loader);
}

/* Names */

struct told {
	struct dynamic *d;
	struct values *v;
	const struct dynamic_graph *g;
	struct map *methods;             /* loaders_are_told() */
	struct map seen;                 /* nodes */
	VEC(uint32_t) work;
	bool is_told, is_asked;          /* so far; a loader's parameter was met */
};

static void look_at(struct told *x, uint32_t node)
{
	uint32_t *seen = map_at(&x->seen, node);

	if (!*seen)
		vec_push(&x->work, node);
	*seen = 1;
}

/* What models of natives load, they load for calls that are features themselves. A site of its own is a statement that names a loader's
 * method: neither one that calls it by the name of an interface, nor one at which unknown code may do so. */
static void look_at_caller(void *ctx, method_id caller, uint32_t pc, mref_id ref)
{
	struct told *x = ctx;
	const struct program *p = x->v->p;
	bool is_model = method_row(p, caller)->flags & ACCESS_NATIVE;

	if (!x->is_told || is_model)
		return;
	const struct code c = *values_code(x->v, caller);
	const struct ir_stmt *s = dynamic_find(x->d, caller, pc) ? code_call(&c, pc, ref) : NULL;
	bool is_unseen = class_row(p, method_row(p, caller)->owner)->is_unseen;
	x->is_told = s && !is_unseen && values_query(x->v, s).is == QUERY_CLASS_NAMED;
}

enum { IS_TOLD = 1, IS_NOT_TOLD };

static void look_at_callers(struct told *x, method_id m)
{
	uint32_t *known = map_at(x->methods, m.i);

	if (!*known) {
		x->g->callers(x->g->ctx, m, false, look_at_caller, x);
		*known = x->is_told && !x->g->is_client_entry(x->g->ctx, m) ? IS_TOLD : IS_NOT_TOLD;
	}
	x->is_told = *known == IS_TOLD;
	x->is_asked = true;
}

/* Is it the parameter of a class loader, or of a method of the library that asks one? */
static bool is_loaders(const struct told *x, const struct vnode *n)
{
	struct values *v = x->v;
	method_id m = { n->of };
	const struct ir_stmt *s = n->where == AT_VALUE ? code_definition(values_code(v, m), n->value) : NULL;

	if (!s || s->op != IR_PARAM || n->is_elements || query_of_method(&v->queries, v->h, m).is != QUERY_CLASS_NAMED)
		return false;
	uint32_t first = !(method_row(v->p, m)->flags & ACCESS_STATIC);
	return s->ref == first + loaders_name(v->p, method_row(v->p, m)->sel);
}

/* Names that are known beside those of callers are the site's own. */
static bool are_classes(struct told *x, uint32_t node)
{
	struct metas names = values_of(x->v, node);
	bool are = true;

	for (uint32_t i = 0; i < names.n; i++)
		are &= query_class_named(x->v->p, interned(&x->v->p->strings, (str_id){ meta_id(names.data[i]) })).i != 0;
	return are;
}

/* Nodes that are not known, and not since others are, are where a name comes from. */
static void look(struct told *x, uint32_t node)
{
	const struct vnode n = x->v->nodes.data[node];

	if (!n.is_open) {
		x->is_told = values_assume_classes(x->v) || are_classes(x, node);
		return;
	}
	if (is_loaders(x, &n)) {
		look_at_callers(x, (method_id){ n.of });
		return;
	}
	bool is_tested = n.where == AT_TESTED && n.parts.len == 1;
	if (is_tested)
		look_at(x, n.parts.data[0]);
	for (uint32_t i = 0; i < n.inputs.len; i++)
		look_at(x, n.inputs.data[i]);
	x->is_told &= is_tested || (!n.is_any && !n.query && !n.is_elements && !n.parts.len && n.inputs.len);
}

/* Class.forName initialises unless it is told not to. */
static bool is_initialising(struct dynamic *d, struct values *v, uint32_t site)
{
	struct dynamic_place at = dynamic_place(d, site);
	const struct code c = *values_code(v, at.caller);
	const struct ir_stmt *s = code_call(&c, at.pc, at.ref);
	const struct ir_stmt *flag = s ? code_definition(&c, code_operand(&c, s, 1)) : NULL;

	return dynamic_sort_of(d, site) == DYNAMIC_LOAD && !(flag && flag->op == IR_CONST_INT && flag->ref == 0);
}

bool loaders_are_told(struct dynamic *d, const struct dynamic_graph *g, uint32_t site, struct map *methods)
{
	struct told x = { .d = d, .v = dynamic_values(d), .g = g, .methods = methods, .is_told = true };
	uint32_t node = dynamic_node(d, site);

	if (!node || x.v->nodes.data[node].query != QUERY_CLASS_NAMED || is_initialising(d, x.v, site))
		return false;
	look_at(&x, x.v->nodes.data[node].inputs.data[0]);
	while (x.is_told && x.work.len)
		look(&x, vec_pop(&x.work));
	map_release(&x.seen);
	vec_release(&x.work);
	return x.is_told && x.is_asked;
}
