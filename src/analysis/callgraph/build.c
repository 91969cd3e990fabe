/* SPDX-License-Identifier: Apache-2.0 */
/* Rapid type analysis: a worklist of methods and a growing set of instantiated classes. A *key* is a dispatched
 * reference; it meets every instantiated class below the class it names, in either order of arrival. Class
 * hierarchy analysis is the same with every class instantiated from the start; only lambda classes, which
 * come into being when the code that makes them is reached, are added on the way. */
#include "analysis/callgraph/callgraph_p.h"

#include <stdlib.h>

#include "ir/access.h"

enum key_rule { KEY_VIRTUAL, KEY_INTERFACE, KEY_DECLARED, KEY_INHERITED, KEY_BASE };

struct key {
	class_id owner;           /* receivers are instances of it */
	method_id resolved;       /* KEY_VIRTUAL, KEY_INTERFACE */
	sel_id hook;              /* the other rules, see hooks.def */
	uint32_t set;
	uint8_t rule;
	uint8_t entry;            /* the JVM calls: targets are entries */
};

struct class_state {
	VEC(uint32_t) keys;       /* active keys with this owner */
	VEC(class_id) instances;  /* instantiated classes below it */
	uint8_t instantiated, initialised;
};

struct builder {
	struct callgraph *g;
	struct program *p;
	struct hierarchy h;
	const struct cg_opt *opt;
	VEC(struct key) keys;             /* [0] unused */
	VEC(uint32_t) key_of;             /* by mref: its key, or 0 */
	VEC(struct class_state) classes;
	method_list work;
	VEC(uint32_t) stamp;              /* by method: the last set it was put into in bulk */
	struct arena scratch;
	struct map dynamic;               /* (class, name) -> enum cg_cause */
	class_id array;                   /* the one array class that stands for all */
	class_id jvm, stream_class, method_type;
};

static struct class_state *class_at(struct builder *b, class_id c)
{
	while (b->classes.len <= c.i)
		vec_push(&b->classes, (struct class_state){ 0 });
	return &b->classes.data[c.i];
}

static struct cg_node *node_at(struct builder *b, method_id m)
{
	while (b->g->nodes.len <= m.i)
		vec_push(&b->g->nodes, (struct cg_node){ 0 });
	return &b->g->nodes.data[m.i];
}

static void reach(struct builder *b, method_id m, bool entry)
{
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

static void initialise_one(struct builder *b, class_id c)
{
	struct class_state *s = class_at(b, c);

	if (s->initialised)
		return;
	s->initialised = 1;
	sel_id clinit = program_sel(b->p, STR("<clinit>"), STR("()V"));
	method_id m = program_declared(b->p, c, clinit);
	if (m.i)
		reach(b, m, true);
}

static void initialise(struct builder *b, class_id c)
{
	if (class_at(b, c)->initialised)
		return;
	struct supertypes s = hierarchy_supertypes(&b->h, c);
	bool is_interface = class_row(b->p, c)->flags & ACCESS_INTERFACE;
	initialise_one(b, c);
	for (uint32_t i = 1; i < s.n && !is_interface; i++)
		if (i < s.nchain || has_default_method(b->p, s.classes[i]))
			initialise_one(b, s.classes[i]);
}

/* Dispatch */

static void add_target(struct builder *b, struct key *k, method_id m)
{
	method_list *set = &b->g->sets.data[k->set];

	for (uint32_t i = set->len; i-- > 0;)
		if (set->data[i].i == m.i)
			return;
	vec_push(set, m);
	reach(b, m, k->entry);
}

/* For a key's first meeting with its receivers: no search for duplicates. */
static void add_target_in_bulk(struct builder *b, struct key *k, method_id m)
{
	while (b->stamp.len <= m.i)
		vec_push(&b->stamp, 0);
	if (b->stamp.data[m.i] == k->set)
		return;
	b->stamp.data[m.i] = k->set;
	vec_push(&b->g->sets.data[k->set], m);
	reach(b, m, k->entry);
}

typedef void add_fn(struct builder *b, struct key *k, method_id m);

static bool is_serializable(struct builder *b, class_id c)
{
	return hierarchy_is_subtype(&b->h, c, b->p->serializable);
}

static void dispatch_hook(struct builder *b, struct key *k, class_id receiver, add_fn *add)
{
	bool base = k->rule == KEY_BASE;

	for (class_id c = receiver; c.i; c = class_row(b->p, c)->super) {
		method_id m = program_declared(b->p, c, k->hook);
		bool serializable = is_serializable(b, c);
		if (base ? serializable : k->rule == KEY_DECLARED && !serializable)
			continue;
		if (m.i && !(method_row(b->p, m)->flags & (ACCESS_STATIC | ACCESS_ABSTRACT)))
			add(b, k, m);
		if (base || (m.i && k->rule == KEY_INHERITED))
			return;
	}
}

static void dispatch(struct builder *b, uint32_t key, class_id receiver, add_fn *add)
{
	struct key *k = &b->keys.data[key];

	if (k->rule > KEY_INTERFACE) {
		dispatch_hook(b, k, receiver, add);
		return;
	}
	method_id m = (k->rule == KEY_VIRTUAL ? select_method : select_interface)(&b->h, receiver, k->resolved);
	if (m.i)
		add(b, k, m);
}

static void instantiate(struct builder *b, class_id c)
{
	if (class_row(b->p, c)->kind == CLASS_ARRAY)
		c = b->array;
	if (class_at(b, c)->instantiated)
		return;
	class_at(b, c)->instantiated = 1;
	struct supertypes s = hierarchy_supertypes(&b->h, c);
	if (class_row(b->p, c)->kind == CLASS_PHANTOM)
		return;
	for (uint32_t i = 0; i < s.n; i++) {
		struct class_state *owner = class_at(b, s.classes[i]);
		vec_push(&owner->instances, c);
		for (uint32_t k = 0; k < class_at(b, s.classes[i])->keys.len; k++)
			dispatch(b, class_at(b, s.classes[i])->keys.data[k], c, add_target);
	}
}

static uint32_t new_set(struct builder *b)
{
	vec_push(&b->g->sets, (method_list){ 0 });
	return b->g->sets.len - 1;
}

static uint32_t add_key(struct builder *b, struct key k)
{
	uint32_t id = b->keys.len;

	k.set = new_set(b);
	vec_push(&b->keys, k);
	for (uint32_t i = 0; i < class_at(b, k.owner)->instances.len; i++)
		dispatch(b, id, class_at(b, k.owner)->instances.data[i], add_target_in_bulk);
	vec_push(&class_at(b, k.owner)->keys, id);
	return id;
}

static uint32_t key_of(struct builder *b, mref_id m)
{
	while (b->key_of.len <= m.i)
		vec_push(&b->key_of, 0);
	if (!b->key_of.data[m.i]) {
		struct ir_mref ref = *mref_row(b->p, m);
		uint32_t id = add_key(b, (struct key){ .owner = ref.owner, .resolved = ref.target,
						       .rule = ref.is_interface ? KEY_INTERFACE : KEY_VIRTUAL });
		b->key_of.data[m.i] = id;
	}
	return b->key_of.data[m.i];
}

/* Sites */

/* Who makes the calls that are being added. */
struct caller {
	method_id m;
	class_id cls;
	bool is_jvm;              /* a method of class sherd/JVM: no sites, its targets are entries */
	bool is_model;            /* a native method: it does not itself depend on names or handles */
	bool is_made;             /* that, or a synthetic method: free of access control, links may fail */
};

static void add_site(struct builder *b, const struct caller *from, struct cg_site site)
{
	if (!from->is_jvm)
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

static enum cg_cause cause_of_failure(enum resolution r)
{
	return r == RESOLVE_NO_CLASS || r == RESOLVE_INCOMPLETE ? CG_MISSING : CG_LINK_ERROR;
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
	if (site->op == IR_CALL_VIRTUAL || site->op == IR_CALL_INTERFACE) {
		struct key *k;
		uint32_t id;
		if (class_row(b->p, ref.owner)->kind != CLASS_ARRAY) {
			id = key_of(b, site->mref);
			k = &b->keys.data[id];
			site->set = k->set;
			k->entry |= from->is_jvm;
			for (uint32_t i = 0; from->is_jvm && i < b->g->sets.data[site->set].len; i++)
				reach(b, b->g->sets.data[site->set].data[i], true);
			return true;
		}
	} else if (site->op == IR_CALL_SPECIAL) {
		m = select_special(&b->h, from->cls, site->mref);
	}
	if (!m.i || (method_row(b->p, m)->flags & ACCESS_ABSTRACT))
		return false;
	site->set = SET_OF_ONE | m.i;
	reach(b, m, from->is_jvm);
	return true;
}

static void visit(struct builder *b, const struct caller *from, const struct ir_stmt *s);

/* A model that uses a method of sherd/JVM does what that method does: the pseudo class has no place in the graph.
 * Its methods are roots of their own for the JVM itself. The models do not recurse. */
static void visit_jvm_method(struct builder *b, const struct caller *from, method_id m)
{
	const struct ir_body *body = b->p->source.outline(b->p->source.ctx, b->p, m, &b->scratch);

	for (uint32_t i = 0; !from->is_jvm && body && i < body->nstmts; i++)
		visit(b, from, &body->stmts[i]);
}

static void visit_call(struct builder *b, const struct caller *from, const struct ir_stmt *s)
{
	struct cg_site site = { .pc = s->pc, .op = (uint8_t)s->op, .mref = { s->ref },
				.implied = s->sub == 1 || from->is_made };
	enum resolution r = resolve_method(&b->h, site.mref);
	struct ir_mref ref = *mref_row(b->p, site.mref);

	if (r == RESOLVE_OK && ref.owner.i == b->jvm.i) {
		visit_jvm_method(b, from, ref.target);
		return;
	}
	if (r == RESOLVE_POLYMORPHIC) {
		site.cause = CG_METHOD_HANDLE;
		site.set = SET_OF_ONE | ref.target.i;
		reach(b, ref.target, from->is_jvm);
	} else if (r != RESOLVE_OK) {
		site.cause = (uint8_t)cause_of_failure(r);
	} else if (!may_access(b, from, site.mref) || !link_call(b, from, &site)) {
		site.cause = CG_LINK_ERROR;
	} else if (!from->is_model) {
		site.cause = (uint8_t)cause_of(b, ref.target);
	}
	bool failed = site.cause == CG_MISSING || site.cause == CG_LINK_ERROR;
	if (!failed || !from->is_made)
		add_site(b, from, site);
}

static void visit_handle(struct builder *b, const struct caller *from, const struct ir_stmt *s)
{
	static const uint8_t ops[] = { [5] = IR_CALL_VIRTUAL, [6] = IR_CALL_STATIC, [7] = IR_CALL_SPECIAL,
				       [8] = IR_CALL_SPECIAL, [9] = IR_CALL_INTERFACE };
	struct ir_stmt call = *s;

	if (s->sub < 5 || s->sub > 9)
		return;
	call.op = ops[s->sub];
	call.sub = 1;
	if (s->sub == 8) {
		instantiate(b, mref_row(b->p, (mref_id){ s->ref })->owner);
		initialise(b, mref_row(b->p, (mref_id){ s->ref })->owner);
	}
	visit_call(b, from, &call);
}

static void visit_static_field(struct builder *b, const struct ir_stmt *s)
{
	fref_id f = { s->ref };

	if (resolve_field(&b->h, f) == RESOLVE_OK)
		initialise(b, field_row(b->p, fref_row(b->p, f)->target)->owner);
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
		uint32_t key = add_key(b, (struct key){ .owner = b->p->serializable, .hook = sel, .rule = (uint8_t)hooks[i].rule });
		struct cg_site site = { .op = IR_CALL_SPECIAL, .implied = 1, .cause = CG_REFLECTION,
					.mref = program_mref(b->p, b->p->serializable, sel, true),
					.set = b->keys.data[key].set };
		add_site(b, from, site);
	}
}

/* Methods */

static void visit_method(struct builder *b, method_id m)
{
	struct ir_method row = *method_row(b->p, m);
	struct caller from = { .m = m, .cls = row.owner, .is_jvm = row.owner.i == b->jvm.i,
			       .is_model = row.flags & ACCESS_NATIVE };

	from.is_made = from.is_model || class_row(b->p, row.owner)->kind == CLASS_SYNTHETIC;
	arena_clear(&b->scratch);
	node_at(b, m)->first = b->g->sites.len;
	const struct ir_body *body = b->p->source.outline(b->p->source.ctx, b->p, m, &b->scratch);
	for (uint32_t i = 0; body && i < body->nstmts; i++)
		visit(b, &from, &body->stmts[i]);
	if (!body && (row.flags & ACCESS_NATIVE))
		add_site(b, &from, (struct cg_site){ .op = IR_CALL_DYNAMIC, .cause = CG_NATIVE, .implied = 1 });
	if (row.owner.i == b->stream_class.i)
		add_hooks(b, &from);
	node_at(b, m)->n = b->g->sites.len - node_at(b, m)->first;
	if (!from.is_jvm)
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
	program_load_all(b->p);
	for (uint32_t i = 1; i < b->p->classes.len; i++) {
		class_id c = { i };
		const struct ir_class *row = class_row(b->p, c);
		if (row->kind == CLASS_FILE && !(row->flags & (ACCESS_ABSTRACT | ACCESS_INTERFACE)))
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
	for (uint32_t i = 0; i < entries->receivers.len; i++)
		instantiate(b, entries->receivers.data[i]);
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
	vec_push(&b->keys, (struct key){ 0 });
	b->array = program_class(b->p, STR("[Ljava/lang/Object;"));
	b->jvm = program_class(b->p, STR("sherd/JVM"));
	b->stream_class = program_class(b->p, STR("java/io/ObjectStreamClass"));
	b->method_type = program_class(b->p, STR("java/lang/invoke/MethodType"));
	program_load(b->p, b->jvm);
	read_dynamic_table(b);
}

static void release(struct builder *b)
{
	for (uint32_t i = 0; i < b->classes.len; i++) {
		vec_release(&b->classes.data[i].keys);
		vec_release(&b->classes.data[i].instances);
	}
	vec_release(&b->classes);
	vec_release(&b->keys);
	vec_release(&b->key_of);
	vec_release(&b->work);
	vec_release(&b->stamp);
	map_release(&b->dynamic);
	arena_release(&b->scratch);
	hierarchy_release(&b->h);
}

void callgraph_build(struct callgraph *g, const struct cg_entries *entries, const struct cg_opt *opt)
{
	struct builder b = { .g = g, .p = g->p, .opt = opt };

	hierarchy_init(&b.h, g->p);
	start(&b);
	if (opt->algorithm == CG_CHA)
		instantiate_everything(&b);
	seed_jvm(&b);
	seed_user(&b, entries);
	solve(&b);
	node_at(&b, (method_id){ g->p->methods.len });
	release(&b);
}
