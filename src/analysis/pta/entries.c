/* SPDX-License-Identifier: Apache-2.0 */
/* Where the program starts. The user's side is one variable, `client`: it has objects of the classes that it may
 * instantiate and everything that the program hands out, and passes all of that to the methods that it may call. */
#include "analysis/pta/pta_p.h"

#include "ir/access.h"

static void give(struct pta *a, node_id n, class_id c)
{
	kind_id k = kind_of_class(a, c);
	object_id o = solver_kind_object(a->s, k);

	solver_add(a->s, a->everything, o);
	solver_add(a->s, n, o);
	if (class_row(a->p, c)->kind == CLASS_ARRAY && class_row(a->p, class_row(a->p, c)->element)->kind != CLASS_PRIMITIVE)
		solver_copy(a->s, a->client, solver_slot(a->s, o, 0), mask_of_class(a, class_row(a->p, c)->element));
}

/* Exceptions that leave the program are the JVM's to report. */
static void call_entry(struct pta *a, method_id m)
{
	uint32_t in = instance_of(a, m, (context_id){ 0 });
	struct template *t = template_of(a, m);

	t->is_entry = t->is_client_entry = true;
	for (uint32_t i = 0; i < t->nparams; i++) {
		class_id type = t->types[t->params[i]];
		if (!t->params[i])
			continue;
		if (type.i && class_row(a->p, type)->kind == CLASS_ARRAY)
			give(a, a->client, type);
		solver_copy(a->s, a->client, variable_node(a, in, t->params[i]), mask_of_class(a, type.i ? type : a->p->object));
	}
	if (t->returns)
		solver_copy(a->s, variable_node(a, in, t->returns), a->client, (mask_id){ 0 });
	solver_copy(a->s, t->thrown, a->client, (mask_id){ 0 });
}

/* A call that the client may make on whatever it got hold of. */
static void call_client(struct pta *a, mref_id m)
{
	const struct caller client = { .is_outside = true, .is_made = true };
	bool is_interface = mref_row(a->p, m)->is_interface;
	struct ir_stmt call = { .op = is_interface ? IR_CALL_INTERFACE : IR_CALL_VIRTUAL, .ref = m.i };
	struct link l = link_call(&a->linker, &client, &call);

	if (l.sort != LINK_DISPATCHED && l.sort != LINK_ONE)
		return;
	vec_push(&a->sites, ((struct site){ .link = l, .is_outside = true }));
	vec_push(&a->watches, ((struct watch){ .sort = WATCH_CLIENT, .instance = a->sites.len - 1 }));
	solver_watch(a->s, a->client, receiver_mask(a, &l), a->watches.len - 1);
}

static void client_kind(struct pta *a, uint32_t site, uint32_t kind)
{
	if (kind == a->assumed.object.i && a->sites.data[site].link.sort == LINK_DISPATCHED) {
		a->sites.data[site].assumed = world_ref(a, a->sites.data[site].link.site.mref);
		world_escape(a, a->client);
		return;
	}
	method_id m = target_of(a, site, kind);

	if (m.i && !a->templates.data[m.i]->is_called)
		call_entry(a, m);
	if (m.i)
		a->templates.data[m.i]->is_called = true;
}

void client_watch(struct pta *a, uint32_t watch, struct set_view news)
{
	uint32_t site = a->watches.data[watch].instance;

	for (uint32_t i = 0; i < news.n; i++) {
		uint32_t block = news.blocks[i];
		for (uint64_t bits = news.words[i]; bits; bits &= ~same_kind(block, bits))
			client_kind(a, site, solver_kind_of(a->s, (object_id){ block * 64 + first_bit(bits) }).i);
	}
}

/* A method of sherd/JVM with parameters is about every object of their types. */
static void start_jvm_method(struct pta *a, method_id m)
{
	uint32_t in = instance_of(a, m, (context_id){ 0 });
	const struct template *t = template_of(a, m);

	for (uint32_t i = 0; i < t->nparams; i++)
		if (t->params[i])
			solver_copy(a->s, a->everything, variable_node(a, in, t->params[i]), mask_of_class(a, t->types[t->params[i]]));
}

static void start_jvm(struct pta *a)
{
	struct ir_class row = *class_row(a->p, a->linker.jvm);

	if (!a->opt.jvm || row.kind != CLASS_SYNTHETIC)
		return;
	for (uint32_t i = 0; i < row.nmethods; i++)
		start_jvm_method(a, (method_id){ row.first_method + i });
}

/* A client reads and writes public fields of public classes, of whatever object it got hold of. */
static void share_fields(struct pta *a, class_id c)
{
	struct ir_class row = *class_row(a->p, c);

	for (uint32_t i = 0; (row.flags & ACCESS_PUBLIC) && i < row.nfields; i++) {
		field_id f = { row.first_field + i };
		struct ir_field field = *field_row(a->p, f);
		class_id type = program_class_of_desc(a->p, sel_desc(a->p, field.sel));
		bool is_tracked = class_row(a->p, type)->kind != CLASS_PRIMITIVE && !is_constant_type(a, type);
		if (!(field.flags & ACCESS_PUBLIC) || !is_tracked)
			continue;
		if ((field.flags & ACCESS_STATIC) || a->policy->fields != FIELD_OF_OBJECT) {
			solver_copy(a->s, field_node(a, f), a->client, (mask_id){ 0 });
			solver_copy(a->s, a->client, field_node(a, f), mask_of_class(a, type));
			continue;
		}
		solver_load(a->s, a->client, mask_of_class(a, c), slot_of_field(a, f), a->client, (mask_id){ 0 });
		node_id fits = solver_nodes(a->s, 1);
		solver_copy(a->s, a->client, fits, mask_of_class(a, type));
		solver_store(a->s, fits, a->client, mask_of_class(a, c), slot_of_field(a, f));
	}
}

/* Of a library without a program: what its clients do. Their own classes are unknown. */
static void open_client(struct pta *a, const struct cg_entries *e)
{
	mask_id arrays = mask_of_class(a, a->object_array);
	class_id last = { 0 };

	solver_add(a->s, a->client, unknown_object(a, (class_id){ 0 }, OWN));
	solver_load(a->s, a->client, arrays, 0, a->client, (mask_id){ 0 });
	solver_store(a->s, a->client, a->client, arrays, 0);
	for (uint32_t i = 0; i < e->methods.len; i++) {
		class_id c = method_row(a->p, e->methods.data[i])->owner;
		if (c.i != last.i)
			share_fields(a, c);
		last = c;
	}
}

static bool is_concrete(const struct pta *a, class_id c)
{
	const struct ir_class *row = class_row(a->p, c);

	return row->kind == CLASS_FILE && row->state == LOAD_DONE && !(row->flags & (ACCESS_ABSTRACT | ACCESS_INTERFACE));
}

void entry_apply(struct pta *a, method_id m, class_id made)
{
	if (made.i && is_concrete(a, made))
		give(a, a->client, made);
	if (!m.i)
		return;
	initialise_class(a, method_row(a->p, m)->owner);
	call_entry(a, m);
}

void entries_apply(struct pta *a, const struct cg_entries *e)
{
	start_jvm(a);
	give(a, a->client, a->p->string);
	if (e->calls.len)
		open_client(a, e);
	for (uint32_t i = 0; i < e->receivers.len; i++)
		give(a, a->client, e->receivers.data[i]);
	for (uint32_t i = 0; i < e->methods.len; i++) {
		initialise_class(a, method_row(a->p, e->methods.data[i])->owner);
		call_entry(a, e->methods.data[i]);
	}
	for (uint32_t i = 0; i < e->initialised.len; i++)
		initialise_class(a, e->initialised.data[i]);
	for (uint32_t i = 0; i < e->calls.len; i++)
		call_client(a, e->calls.data[i]);
}
