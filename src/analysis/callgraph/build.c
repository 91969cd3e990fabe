/* SPDX-License-Identifier: Apache-2.0 */
/* Rapid type analysis: a worklist of methods and a growing set of instantiated classes, which meet the dispatched calls
 * in dispatch.c. Class hierarchy analysis is the same with every class instantiated from the start; only lambda
 * classes, which come into being when the code that makes them is reached, are added on the way. */
#include "analysis/callgraph/dispatch.h"

#include <stdlib.h>

#include "ir/access.h"

struct builder {
	struct callgraph *g;
	struct program *p;
	struct hierarchy h;
	struct dispatcher d;
	const struct cg_opt *opt;
	method_list work;
	VEC(bool) initialised;            /* by class */
	struct arena scratch;
	struct map dynamic;               /* (class, name) -> enum cg_cause */
	class_id array;                   /* the one array class that stands for all */
	class_id jvm, stream_class, method_type;
};

static struct cg_node *node_at(struct builder *b, method_id m)
{
	while (b->g->nodes.len <= m.i)
		vec_push(&b->g->nodes, (struct cg_node){ 0 });
	return &b->g->nodes.data[m.i];
}

static void reach(void *ctx, method_id m, bool entry)
{
	struct builder *b = ctx;
	struct cg_node *n = node_at(b, m);

	n->entry |= entry;
	if (n->reached)
		return;
	n->reached = 1;
	vec_push(&b->work, m);
}

/* Class initialisation, JVMS 5.5: the superclass, the superinterfaces with default methods, the class. */

static bool has_default_method(const struct program *p, class_id c)
{
	const struct ir_class *row = class_row(p, c);

	for (uint32_t i = 0; i < row->nmethods; i++)
		if (!(method_row(p, (method_id){ row->first_method + i })->flags & (ACCESS_ABSTRACT | ACCESS_STATIC)))
			return true;
	return false;
}

static bool is_initialised(struct builder *b, class_id c)
{
	while (b->initialised.len <= c.i)
		vec_push(&b->initialised, false);
	return b->initialised.data[c.i];
}

static void initialise_one(struct builder *b, class_id c)
{
	if (is_initialised(b, c))
		return;
	b->initialised.data[c.i] = true;
	sel_id clinit = program_sel(b->p, STR("<clinit>"), STR("()V"));
	method_id m = program_declared(b->p, c, clinit);
	if (m.i)
		reach(b, m, true);
}

static void initialise(struct builder *b, class_id c)
{
	if (is_initialised(b, c))
		return;
	struct supertypes s = hierarchy_supertypes(&b->h, c);
	bool is_interface = class_row(b->p, c)->flags & ACCESS_INTERFACE;
	initialise_one(b, c);
	for (uint32_t i = 1; i < s.n && !is_interface; i++)
		if (i < s.nchain || has_default_method(b->p, s.classes[i]))
			initialise_one(b, s.classes[i]);
}

static void instantiate(struct builder *b, class_id c)
{
	dispatch_instantiate(&b->d, class_row(b->p, c)->kind == CLASS_ARRAY ? b->array : c);
}

/* Sites */

/* Who makes the calls that are being added. */
struct caller {
	method_id m;
	class_id cls;
	bool is_outside;          /* the user or the JVM (class sherd/JVM): no sites, its targets are entries */
	bool is_model;            /* a native method: it does not itself depend on names or handles */
	bool is_made;             /* that, or a synthetic method: free of access control, links may fail */
};

static void add_site(struct builder *b, const struct caller *from, struct cg_site site)
{
	if (!from->is_outside)
		vec_push(&b->g->sites, site);
}

static enum cg_cause cause_of(struct builder *b, method_id target)
{
	const struct ir_method *row = method_row(b->p, target);

	return map_get(&b->dynamic, map_key(row->owner.i, sel_row(b->p, row->sel)->name.i));
}

static bool may_access(struct builder *b, const struct caller *from, mref_id m)
{
	return from->is_made ||
	       (access_class(b->p, from->cls, mref_row(b->p, m)->owner) && access_method(&b->h, from->cls, m));
}

static bool is_dispatched(unsigned op)
{
	return op == IR_CALL_VIRTUAL || op == IR_CALL_INTERFACE;
}

static void link_dispatched(struct builder *b, const struct caller *from, struct cg_site *site)
{
	uint32_t key = dispatch_key(&b->d, site->mref);

	site->set = b->d.keys.data[key].set;
	if (from->is_outside)
		dispatch_from_outside(&b->d, key);
}

/* invokespecial means something only in a class; a lambda runs it for the class that it was written in. */
static class_id special_class(const struct builder *b, const struct caller *from)
{
	const struct ir_class *row = class_row(b->p, from->cls);

	return row->kind == CLASS_SYNTHETIC && row->outer.i ? row->outer : from->cls;
}

/* Adds what a resolved call reaches; false when the JVM would throw instead. */
static bool link_call(struct builder *b, const struct caller *from, struct cg_site *site)
{
	struct ir_mref ref = *mref_row(b->p, site->mref);
	bool is_static = method_row(b->p, ref.target)->flags & ACCESS_STATIC;
	method_id m = ref.target;

	if (is_static != (site->op == IR_CALL_STATIC))
		return false;
	if (is_static)
		initialise(b, method_row(b->p, m)->owner);
	if (is_dispatched(site->op) && class_row(b->p, ref.owner)->kind != CLASS_ARRAY) {
		link_dispatched(b, from, site);
		return true;
	}
	if (site->op == IR_CALL_SPECIAL)
		m = select_special(&b->h, special_class(b, from), site->mref);
	if (!m.i || (method_row(b->p, m)->flags & ACCESS_ABSTRACT))
		return false;
	site->set = SET_OF_ONE | m.i;
	reach(b, m, from->is_outside);
	return true;
}

/* A reference that does not resolve. What is missing may be a class whose subclasses are known. */
static void link_unresolved(struct builder *b, const struct caller *from, struct cg_site *site, enum resolution r)
{
	bool is_missing = r == RESOLVE_NO_CLASS || r == RESOLVE_INCOMPLETE;

	site->cause = is_missing ? CG_MISSING : CG_LINK_ERROR;
	if (is_missing && is_dispatched(site->op) && !from->is_made)
		link_dispatched(b, from, site);
}

static void visit(struct builder *b, const struct caller *from, const struct ir_stmt *s);

/* A model that uses a method of sherd/JVM does what that method does: the pseudo class has no place in the graph.
 * Its methods are roots of their own for the JVM itself. The models do not recurse. */
static void visit_jvm_method(struct builder *b, const struct caller *from, method_id m)
{
	const struct ir_body *body = b->p->source.outline(b->p->source.ctx, b->p, m, &b->scratch);

	for (uint32_t i = 0; !from->is_outside && body && i < body->nstmts; i++)
		visit(b, from, &body->stmts[i]);
}

static void visit_call(struct builder *b, const struct caller *from, const struct ir_stmt *s)
{
	struct cg_site site = { .pc = s->pc, .op = (uint8_t)s->op, .mref = { s->ref },
				.implied = s->sub != IR_CALL_WRITTEN || from->is_made };
	enum resolution r = resolve_method(&b->h, site.mref);
	struct ir_mref ref = *mref_row(b->p, site.mref);

	if (r == RESOLVE_OK && method_row(b->p, ref.target)->owner.i == b->jvm.i) {
		visit_jvm_method(b, from, ref.target);
		return;
	}
	if (r == RESOLVE_POLYMORPHIC) {
		site.cause = CG_METHOD_HANDLE;
		site.set = SET_OF_ONE | ref.target.i;
		reach(b, ref.target, from->is_outside);
	} else if (r != RESOLVE_OK) {
		link_unresolved(b, from, &site, r);
	} else if (!may_access(b, from, site.mref) || !link_call(b, from, &site)) {
		site.cause = CG_LINK_ERROR;
	} else if (!from->is_model) {
		site.cause = (uint8_t)cause_of(b, ref.target);
	}
	bool failed = site.cause == CG_MISSING || site.cause == CG_LINK_ERROR;
	if (!failed || !from->is_made)
		add_site(b, from, site);
}

static void visit_static_field(struct builder *b, const struct ir_stmt *s)
{
	fref_id f = { s->ref };

	if (resolve_field(&b->h, f) == RESOLVE_OK)
		initialise(b, field_row(b->p, fref_row(b->p, f)->target)->owner);
}

static void visit_handle(struct builder *b, const struct caller *from, const struct ir_stmt *s)
{
	static const uint8_t ops[] = {
		[IR_HANDLE_VIRTUAL] = IR_CALL_VIRTUAL, [IR_HANDLE_STATIC] = IR_CALL_STATIC, [IR_HANDLE_SPECIAL] = IR_CALL_SPECIAL,
		[IR_HANDLE_NEW] = IR_CALL_SPECIAL,     [IR_HANDLE_INTERFACE] = IR_CALL_INTERFACE,
	};
	struct ir_stmt call = *s;

	if (s->sub == IR_HANDLE_GETSTATIC || s->sub == IR_HANDLE_PUTSTATIC)
		visit_static_field(b, s);      /* initialises the class, JVMS 5.5 */
	if (s->sub < IR_HANDLE_VIRTUAL || s->sub > IR_HANDLE_INTERFACE)
		return;
	call.op = ops[s->sub];
	call.sub = IR_CALL_LOWERED;
	if (s->sub == IR_HANDLE_NEW) {
		instantiate(b, mref_row(b->p, (mref_id){ s->ref })->owner);
		initialise(b, mref_row(b->p, (mref_id){ s->ref })->owner);
	}
	visit_call(b, from, &call);
}

static void visit(struct builder *b, const struct caller *from, const struct ir_stmt *s)
{
	switch (s->op) {
	case IR_CALL_STATIC:
	case IR_CALL_SPECIAL:
	case IR_CALL_VIRTUAL:
	case IR_CALL_INTERFACE:
		visit_call(b, from, s);
		break;
	case IR_CALL_DYNAMIC:
	case IR_CONST_DYNAMIC:
		add_site(b, from, (struct cg_site){ .pc = s->pc, .op = IR_CALL_DYNAMIC, .cause = CG_BOOTSTRAP });
		break;
	case IR_NEW:
		initialise(b, (class_id){ s->ref });
		instantiate(b, (class_id){ s->ref });
		break;
	case IR_NEWARRAY:
		instantiate(b, b->array);
		break;
	case IR_GETSTATIC:
	case IR_PUTSTATIC:
		visit_static_field(b, s);
		break;
	case IR_CONST_STRING:
		instantiate(b, b->p->string);
		break;
	case IR_CONST_CLASS:
		instantiate(b, b->p->class_);
		break;
	case IR_CONST_MTYPE:
		instantiate(b, b->method_type);
		break;
	case IR_CONST_HANDLE:
		visit_handle(b, from, s);
		break;
	default:
		break;
	}
}

/* Serialization hooks */

static const struct {
	const char *via, *name, *desc;
	enum key_rule rule;
} hooks[] = {
#define HOOK(via, name, desc, rule) { via, name, desc, KEY_##rule },
#include "analysis/callgraph/hooks.def"
#undef HOOK
};

static void add_hooks(struct builder *b, const struct caller *from)
{
	struct str via = sel_name(b->p, method_row(b->p, from->m)->sel);

	for (size_t i = 0; i < ARRAY_LEN(hooks); i++) {
		if (!str_is(via, hooks[i].via))
			continue;
		sel_id sel = program_sel(b->p, str_of(hooks[i].name), str_of(hooks[i].desc));
		uint32_t key = dispatch_hook_key(&b->d, sel, hooks[i].rule);
		struct cg_site site = { .op = IR_CALL_SPECIAL, .implied = 1, .cause = CG_REFLECTION,
					.mref = program_mref(b->p, b->p->serializable, sel, true),
					.set = b->d.keys.data[key].set };
		add_site(b, from, site);
	}
}

/* Methods */

static void visit_method(struct builder *b, method_id m)
{
	struct ir_method row = *method_row(b->p, m);
	struct caller from = { .m = m, .cls = row.owner, .is_outside = row.owner.i == b->jvm.i,
			       .is_model = row.flags & ACCESS_NATIVE };

	from.is_made = from.is_model || class_row(b->p, row.owner)->kind == CLASS_SYNTHETIC;
	arena_clear(&b->scratch);
	node_at(b, m)->first = b->g->sites.len;
	const struct ir_body *body = b->p->source.outline(b->p->source.ctx, b->p, m, &b->scratch);
	for (uint32_t i = 0; body && i < body->nstmts; i++)
		visit(b, &from, &body->stmts[i]);
	if (!body) {
		enum cg_cause cause = row.flags & ACCESS_NATIVE ? CG_NATIVE : CG_LINK_ERROR;      /* malformed: VerifyError */
		add_site(b, &from, (struct cg_site){ .op = IR_CALL_DYNAMIC, .cause = (uint8_t)cause, .implied = 1 });
	}
	if (row.owner.i == b->stream_class.i)
		add_hooks(b, &from);
	node_at(b, m)->n = b->g->sites.len - node_at(b, m)->first;
	if (!from.is_outside)
		vec_push(&b->g->reached, m);
	else
		node_at(b, m)->reached = 0;
}

static void solve(struct builder *b)
{
	while (b->work.len) {
		visit_method(b, vec_pop(&b->work));
		if (b->opt->progress && b->g->reached.len % 1024 == 0)
			b->opt->progress(b->opt->progress_ctx, b->g->reached.len);
	}
}

/* Start */

static void instantiate_everything(struct builder *b)
{
	for (uint32_t i = 1; i < b->p->classes.len; i++) {
		class_id c = { i };
		const struct ir_class *row = class_row(b->p, c);
		bool is_loaded = row->kind == CLASS_FILE && row->state == LOAD_DONE;
		if (is_loaded && !(row->flags & (ACCESS_ABSTRACT | ACCESS_INTERFACE)))
			instantiate(b, c);
	}
}

static void seed_jvm(struct builder *b)
{
	const struct ir_class *row = class_row(b->p, b->jvm);

	if (!b->opt->jvm || row->kind != CLASS_SYNTHETIC)
		return;
	for (uint32_t i = 0; i < row->nmethods; i++)
		reach(b, (method_id){ row->first_method + i }, false);
}

static void seed_user(struct builder *b, const struct cg_entries *entries)
{
	for (uint32_t i = 0; i < entries->methods.len; i++) {
		method_id m = entries->methods.data[i];
		initialise(b, method_row(b->p, m)->owner);
		reach(b, m, true);
	}
	for (uint32_t i = 0; i < entries->initialised.len; i++)
		initialise(b, entries->initialised.data[i]);
	for (uint32_t i = 0; i < entries->receivers.len; i++)
		instantiate(b, entries->receivers.data[i]);
	for (uint32_t i = 0; i < entries->calls.len; i++) {
		const struct caller client = { .is_outside = true, .is_made = true };
		bool is_interface = mref_row(b->p, entries->calls.data[i])->is_interface;
		struct ir_stmt call = { .op = is_interface ? IR_CALL_INTERFACE : IR_CALL_VIRTUAL,
					.ref = entries->calls.data[i].i };
		visit_call(b, &client, &call);
	}
}

static void read_dynamic_table(struct builder *b)
{
	static const struct {
		const char *cls, *name;
		enum cg_cause cause;
	} rows[] = {
#define DYNAMIC(cls, name, cause) { cls, name, CG_##cause },
#include "analysis/callgraph/dynamic.def"
#undef DYNAMIC
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		class_id c = program_class(b->p, str_of(rows[i].cls));
		str_id name = intern(&b->p->strings, str_of(rows[i].name));
		*map_at(&b->dynamic, map_key(c.i, name.i)) = rows[i].cause;
	}
}

static void start(struct builder *b)
{
	hierarchy_init(&b->h, b->p);
	dispatcher_init(&b->d, b->g, &b->h);
	b->d.reach = reach;
	b->d.ctx = b;
	b->array = program_class(b->p, STR("[Ljava/lang/Object;"));
	b->jvm = program_class(b->p, STR("sherd/JVM"));
	b->stream_class = program_class(b->p, STR("java/io/ObjectStreamClass"));
	b->method_type = program_class(b->p, STR("java/lang/invoke/MethodType"));
	program_load(b->p, b->jvm);
	read_dynamic_table(b);
}

/* Sites of a key for which some receiver's method may be in a missing class say so. */
static void mark_incomplete(struct builder *b)
{
	bool *incomplete = mem_zalloc(b->g->sets.len * sizeof(*incomplete));

	for (uint32_t i = 1; i < b->d.keys.len; i++)
		incomplete[b->d.keys.data[i].set] = b->d.keys.data[i].incomplete;
	for (uint32_t i = 0; i < b->g->sites.len; i++) {
		struct cg_site *s = &b->g->sites.data[i];
		if (s->cause == CG_RESOLVED && !(s->set & SET_OF_ONE) && incomplete[s->set])
			s->cause = CG_MISSING;
	}
	free(incomplete);
}

static void release(struct builder *b)
{
	vec_release(&b->initialised);
	vec_release(&b->work);
	map_release(&b->dynamic);
	arena_release(&b->scratch);
	dispatcher_release(&b->d);
	hierarchy_release(&b->h);
}

void callgraph_build(struct callgraph *g, const struct cg_entries *entries, const struct cg_opt *opt)
{
	struct builder b = { .g = g, .p = g->p, .opt = opt };

	start(&b);
	if (opt->algorithm == CG_CHA)
		instantiate_everything(&b);
	seed_jvm(&b);
	seed_user(&b, entries);
	solve(&b);
	mark_incomplete(&b);
	node_at(&b, (method_id){ g->p->methods.len });
	release(&b);
}
