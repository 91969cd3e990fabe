/* SPDX-License-Identifier: Apache-2.0 */
/* The sites of a component, and what the class hierarchy alone says of them: a receiver may be of every class below the
 * declared one that can be instantiated. */
#include "analysis/fragment/requirements_p.h"

#include "analysis/callgraph/link.h"
#include "ir/access.h"

typedef VEC(class_id) class_list;

struct answer {                   /* of a reference */
	struct id_range rc, tm;
	bool is_poly, is_client;
};

struct finder {
	struct hierarchy *h;
	struct program *p;
	const struct req_request *q;
	struct requirements *out;
	struct arena mem;
	struct map list_of;       /* class that a site names -> row of `below` */
	VEC(class_list) below;    /* [0] unused: the concrete ones below it */
	struct map answer_of;     /* reference -> row of `answers` */
	VEC(struct answer) answers;
	struct map in_component;  /* class -> 1 */
	VEC(method_id) targets;   /* scratch */
	VEC(uint32_t) stamp;      /* by method: the last answer that has it */
};

/* Classes */

static bool is_instantiable(const struct program *p, class_id c)
{
	const struct ir_class *row = class_row(p, c);
	bool is_class = row->kind == CLASS_FILE || row->kind == CLASS_SYNTHETIC;

	return is_class && !(row->flags & (ACCESS_ABSTRACT | ACCESS_INTERFACE));
}

/* Not what sherd makes of the JVM. */
static bool is_real(const struct finder *f, class_id c)
{
	const struct placeholders *ph = f->q->placeholders;

	bool is_made = class_row(f->p, c)->kind == CLASS_SYNTHETIC && str_starts(class_name(f->p, c), "sherd/");

	return placeholders_is_client(ph, c) || !is_made;
}

static void put_below(struct finder *f, class_id c)
{
	struct supertypes s = hierarchy_supertypes(f->h, c);

	for (uint32_t i = 0; i < s.n; i++) {
		uint32_t list = map_get(&f->list_of, s.classes[i].i);
		if (list)
			vec_push(&f->below.data[list], c);
	}
}

static void find_below(struct finder *f)
{
	class_id object_array = program_class(f->p, STR("[Ljava/lang/Object;"));
	uint32_t of_object = map_get(&f->list_of, f->p->object.i);

	for (uint32_t i = 1; i < f->p->classes.len; i++) {
		class_id c = { i };
		if (class_row(f->p, c)->state == LOAD_DONE && is_instantiable(f->p, c) && is_real(f, c))
			put_below(f, c);
	}
	if (of_object)
		vec_push(&f->below.data[of_object], object_array);
}

/* Sites */

static void add_site(struct finder *f, method_id m, const struct ir_stmt *s)
{
	class_id owner = mref_row(f->p, (mref_id){ s->ref })->owner;
	uint32_t *list = map_at(&f->list_of, owner.i);

	if (!*list) {
		*list = f->below.len;
		vec_push(&f->below, (class_list){ 0 });
	}
	struct req_site site = { .method = m, .pc = s->pc, .declared = { s->ref }, .op = (uint8_t)s->op,
				 .line = f->p->source.line(f->p->source.ctx, f->p, m, s->pc) };
	vec_push(&f->out->sites, site);
}

/* Not in bridges: the compiler made them, no call in it is anybody's. */
static void find_sites(struct finder *f, method_id m)
{
	if (method_row(f->p, m)->flags & ACCESS_BRIDGE)
		return;
	arena_clear(&f->mem);
	const struct ir_body *b = f->p->source.outline(f->p->source.ctx, f->p, m, &f->mem);
	f->out->stats.methods += b != NULL;
	for (uint32_t i = 0; b && i < b->nstmts; i++) {
		const struct ir_stmt *s = &b->stmts[i];
		bool is_dispatched = s->op == IR_CALL_VIRTUAL || s->op == IR_CALL_INTERFACE;
		if (is_dispatched && s->sub == IR_CALL_WRITTEN)
			add_site(f, m, s);
	}
}

/* By the printed name of the method, as sites are written. */
static void find_all_sites(struct finder *f)
{
	struct requirements order = { .p = f->p };
	VEC(method_id) methods = { 0 };

	for (uint32_t i = 0; i < f->q->nclasses; i++) {
		const struct ir_class *row = class_row(f->p, f->q->classes[i]);
		for (uint32_t k = 0; k < row->nmethods; k++)
			vec_push(&methods, ((method_id){ row->first_method + k }));
	}
	struct id_range sorted = add_methods(&order, methods.data, methods.len);
	for (uint32_t i = 0; i < sorted.n; i++)
		find_sites(f, req_method(&order, sorted, i));
	f->out->stats.classes = f->q->nclasses;
	requirements_release(&order);
	vec_release(&methods);
}

/* Answers */

static void add_target(struct finder *f, method_id m)
{
	while (f->stamp.len <= m.i)
		vec_push(&f->stamp, 0);
	if (f->stamp.data[m.i] != f->answers.len)
		vec_push(&f->targets, m);
	f->stamp.data[m.i] = f->answers.len;
}

/* A lambda of other code than the component's counts as a receiver where an analysis may find it, but does not make a
 * call polymorphic: which of them are known depends on what was analysed. */
static bool is_known_to_all(const struct finder *f, class_id c)
{
	const struct ir_class *row = class_row(f->p, c);

	return row->kind != CLASS_SYNTHETIC || map_get(&f->in_component, row->outer.i);
}

static struct answer answer_for(struct finder *f, mref_id m)
{
	const class_list *below = &f->below.data[map_get(&f->list_of, mref_row(f->p, m)->owner.i)];
	class_list classes = { 0 };
	uint32_t known = 0;
	bool is_incomplete = false, any_client = false;

	vec_clear(&f->targets);
	bool is_resolved = resolve_method(f->h, m) == RESOLVE_OK;
	if (is_resolved && class_row(f->p, mref_row(f->p, m)->owner)->kind == CLASS_ARRAY) {
		vec_push(&classes, mref_row(f->p, m)->owner);
		add_target(f, mref_row(f->p, m)->target);
	}
	for (uint32_t i = 0; i < below->len; i++) {
		method_id target = dispatch_select(f->h, m, below->data[i], &is_incomplete);
		bool is_client = placeholders_is_client(f->q->placeholders, below->data[i]);
		if (!target.i)
			continue;
		any_client |= is_client;
		if (!is_client)
			vec_push(&classes, below->data[i]);
		known += !is_client && is_known_to_all(f, below->data[i]);
		if (!placeholders_is_client(f->q->placeholders, method_row(f->p, target)->owner))
			add_target(f, target);
	}
	struct answer a = { add_classes(f->out, classes.data, classes.len),
			    add_methods(f->out, f->targets.data, f->targets.len), known > 1, any_client };
	vec_release(&classes);
	return a;
}

static void answer_site(struct finder *f, struct req_site *s)
{
	uint32_t *row = map_at(&f->answer_of, s->declared.i);

	if (!*row) {
		*row = f->answers.len;
		struct answer a = answer_for(f, s->declared);
		vec_push(&f->answers, a);
	}
	const struct answer *a = &f->answers.data[map_get(&f->answer_of, s->declared.i)];
	s->rc = a->rc;
	s->tm = a->tm;
	s->is_poly = a->is_poly;
	s->is_client = a->is_client;
	s->is_reached = true;
}

static void release(struct finder *f)
{
	for (uint32_t i = 0; i < f->below.len; i++)
		vec_release(&f->below.data[i]);
	vec_release(&f->below);
	vec_release(&f->answers);
	vec_release(&f->targets);
	vec_release(&f->stamp);
	map_release(&f->list_of);
	map_release(&f->answer_of);
	map_release(&f->in_component);
	arena_release(&f->mem);
}

void requirements_by_hierarchy(struct hierarchy *h, const struct req_request *q, struct requirements *out)
{
	struct finder f = { .h = h, .p = h->p, .q = q, .out = out };

	*out = (struct requirements){ .p = h->p, .algorithm = "cha", .criteria = q->criteria };
	arena_init(&f.mem);
	vec_push(&f.below, (class_list){ 0 });
	vec_push(&f.answers, (struct answer){ 0 });
	for (uint32_t i = 0; i < q->nclasses; i++)
		*map_at(&f.in_component, q->classes[i].i) = 1;
	find_all_sites(&f);
	find_below(&f);
	for (uint32_t i = 0; i < out->sites.len; i++)
		answer_site(&f, &out->sites.data[i]);
	requirements_sum(out);
	release(&f);
}
