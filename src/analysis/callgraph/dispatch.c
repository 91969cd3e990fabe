/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/callgraph/dispatch.h"

#include "ir/access.h"

#define LINEAR 32         /* sets up to this size are searched, larger ones indexed */

void dispatcher_init(struct dispatcher *d, struct callgraph *g, struct hierarchy *h)
{
	*d = (struct dispatcher){ .g = g, .h = h };
	d->externalizable = program_class(g->p, STR("java/io/Externalizable"));
	vec_push(&d->keys, (struct key){ 0 });
	vec_push(&d->open, (struct open_method){ 0 });
}

void dispatcher_release(struct dispatcher *d)
{
	for (uint32_t i = 0; i < d->receivers.len; i++) {
		vec_release(&d->receivers.data[i].keys);
		vec_release(&d->receivers.data[i].classes);
	}
	vec_release(&d->receivers);
	vec_release(&d->keys);
	vec_release(&d->key_of_mref);
	vec_release(&d->open);
	vec_release(&d->stamp);
	map_release(&d->keys_of_sel);
	map_release(&d->open_of_sel);
	map_release(&d->members);
}

static struct receivers *receivers_at(struct dispatcher *d, class_id c)
{
	while (d->receivers.len <= c.i)
		vec_push(&d->receivers, (struct receivers){ 0 });
	return &d->receivers.data[c.i];
}

/* Sets */

static bool stamp_is_new(struct dispatcher *d, uint32_t set, method_id m)
{
	while (d->stamp.len <= m.i)
		vec_push(&d->stamp, 0);
	bool is_new = d->stamp.data[m.i] != set;
	d->stamp.data[m.i] = set;
	return is_new;
}

static bool scan_is_new(const method_list *set, method_id m)
{
	for (uint32_t i = set->len; i-- > 0;)
		if (set->data[i].i == m.i)
			return false;
	return true;
}

static bool index_is_new(struct dispatcher *d, struct key *k, method_id m)
{
	const method_list *set = &d->g->sets.data[k->set];

	for (uint32_t i = 0; !k->indexed && i < set->len; i++)
		*map_at(&d->members, map_key(k->set, set->data[i].i)) = 1;
	k->indexed = 1;
	uint32_t *at = map_at(&d->members, map_key(k->set, m.i));
	bool is_new = *at == 0;
	*at = 1;
	return is_new;
}

static void add_target(struct dispatcher *d, struct key *k, method_id m)
{
	method_list *set = &d->g->sets.data[k->set];
	bool is_new = k->set == d->bulk ? stamp_is_new(d, k->set, m) :
		      set->len < LINEAR ? scan_is_new(set, m) : index_is_new(d, k, m);

	if (!is_new)
		return;
	vec_push(set, m);
	d->reach(d->ctx, m, k->entry);
}

/* Rules: what a receiver selects */

static bool is_concrete(const struct program *p, method_id m)
{
	return m.i && !(method_row(p, m)->flags & (ACCESS_STATIC | ACCESS_ABSTRACT));
}

/* The first method with this selector in the class and its superclasses that a subclass could inherit. */
static method_id chain_method(const struct program *p, class_id c, sel_id sel)
{
	for (; c.i; c = class_row(p, c)->super) {
		method_id m = program_declared(p, c, sel);
		if (m.i && !(method_row(p, m)->flags & (ACCESS_STATIC | ACCESS_PRIVATE)))
			return m;
	}
	return (method_id){ 0 };
}

static method_id select_by_selector(struct dispatcher *d, class_id c, sel_id sel)
{
	method_id m = chain_method(d->g->p, c, sel);

	return m.i ? m : default_method(d->h, c, sel);
}

static void dispatch_call(struct dispatcher *d, struct key *k, class_id receiver)
{
	method_id m;

	if (k->rule == KEY_VIRTUAL)
		m = select_method(d->h, receiver, k->resolved);
	else if (k->rule == KEY_INTERFACE)
		m = select_interface(d->h, receiver, k->resolved);
	else
		m = select_by_selector(d, receiver, k->sel);
	if (is_concrete(d->g->p, m))
		add_target(d, k, m);
	else if (hierarchy_misses_ancestor(d->h, receiver))
		k->incomplete = 1;
}

static void dispatch_declared(struct dispatcher *d, struct key *k, class_id receiver)
{
	const struct program *p = d->g->p;

	for (class_id c = receiver; c.i; c = class_row(p, c)->super) {
		method_id m = program_declared(p, c, k->sel);
		if (is_concrete(p, m) && hierarchy_is_subtype(d->h, c, p->serializable))
			add_target(d, k, m);
	}
}

static void dispatch_inherited(struct dispatcher *d, struct key *k, class_id receiver)
{
	const struct program *p = d->g->p;

	for (class_id c = receiver; c.i; c = class_row(p, c)->super) {
		method_id m = program_declared(p, c, k->sel);
		if (is_concrete(p, m))
			add_target(d, k, m);
		if (m.i)
			return;
	}
}

/* Deserialisation runs the constructor of the first superclass that is not serializable, or, of an externalizable
 * class, its own. */
static void dispatch_base(struct dispatcher *d, struct key *k, class_id receiver)
{
	const struct program *p = d->g->p;
	class_id c = receiver;

	if (!hierarchy_is_subtype(d->h, receiver, d->externalizable))
		while (c.i && hierarchy_is_subtype(d->h, c, p->serializable))
			c = class_row(p, c)->super;
	method_id m = c.i ? program_declared(p, c, k->sel) : (method_id){ 0 };
	if (is_concrete(p, m))
		add_target(d, k, m);
}

static void dispatch(struct dispatcher *d, uint32_t key, class_id receiver)
{
	static void (*const rules[])(struct dispatcher *d, struct key *k, class_id receiver) = {
		[KEY_VIRTUAL] = dispatch_call,      [KEY_INTERFACE] = dispatch_call,      [KEY_SELECTOR] = dispatch_call,
		[KEY_DECLARED] = dispatch_declared, [KEY_INHERITED] = dispatch_inherited, [KEY_BASE] = dispatch_base,
	};

	rules[d->keys.data[key].rule](d, &d->keys.data[key], receiver);
}

/* Open receivers: a class with a missing ancestor may be an instance of types that only the ancestor names. Its methods
 * are targets of every key with their selector whose owner the ancestor could have. */

static bool is_open_to(const struct dispatcher *d, const struct key *k)
{
	const struct program *p = d->g->p;
	bool is_private = k->resolved.i && (method_row(p, k->resolved)->flags & ACCESS_PRIVATE);

	return k->rule <= KEY_SELECTOR && !is_private && !(class_row(p, k->owner)->flags & ACCESS_FINAL);
}

static void open_method(struct dispatcher *d, method_id m)
{
	sel_id sel = method_row(d->g->p, m)->sel;
	uint32_t *first = map_at(&d->open_of_sel, sel.i);

	for (uint32_t i = *first; i; i = d->open.data[i].next)
		if (d->open.data[i].m.i == m.i)
			return;
	vec_push(&d->open, ((struct open_method){ m, *first }));
	*first = d->open.len - 1;
	for (uint32_t k = map_get(&d->keys_of_sel, sel.i); k; k = d->keys.data[k].next)
		if (is_open_to(d, &d->keys.data[k]))
			add_target(d, &d->keys.data[k], m);
}

static void open_receiver(struct dispatcher *d, class_id receiver)
{
	const struct program *p = d->g->p;

	for (class_id c = receiver; c.i && c.i != p->object.i; c = class_row(p, c)->super) {
		struct ir_class row = *class_row(p, c);
		for (uint32_t i = 0; i < row.nmethods; i++) {
			method_id m = { row.first_method + i };
			if (is_concrete(p, m) && sel_name(p, method_row(p, m)->sel).p[0] != '<' &&
			    chain_method(p, receiver, method_row(p, m)->sel).i == m.i)
				open_method(d, m);
		}
	}
}

/* Keys and classes meet */

void dispatch_instantiate(struct dispatcher *d, class_id c)
{
	if (receivers_at(d, c)->instantiated)
		return;
	receivers_at(d, c)->instantiated = true;
	struct supertypes s = hierarchy_supertypes(d->h, c);
	if (class_row(d->g->p, c)->kind == CLASS_PHANTOM)
		return;
	for (uint32_t i = 0; i < s.n; i++) {
		vec_push(&receivers_at(d, s.classes[i])->classes, c);
		for (uint32_t k = 0; k < receivers_at(d, s.classes[i])->keys.len; k++)
			dispatch(d, receivers_at(d, s.classes[i])->keys.data[k], c);
	}
	if (hierarchy_misses_ancestor(d->h, c))
		open_receiver(d, c);
}

static void meet_open_methods(struct dispatcher *d, uint32_t key)
{
	for (uint32_t i = map_get(&d->open_of_sel, d->keys.data[key].sel.i); i; i = d->open.data[i].next)
		if (is_open_to(d, &d->keys.data[key]))
			add_target(d, &d->keys.data[key], d->open.data[i].m);
}

static uint32_t add_key(struct dispatcher *d, struct key k)
{
	uint32_t id = d->keys.len;

	vec_push(&d->g->sets, (method_list){ 0 });
	k.set = d->g->sets.len - 1;
	if (k.rule <= KEY_SELECTOR) {
		uint32_t *first = map_at(&d->keys_of_sel, k.sel.i);
		k.next = *first;
		*first = id;
	}
	vec_push(&d->keys, k);
	d->bulk = k.set;
	for (uint32_t i = 0; i < receivers_at(d, k.owner)->classes.len; i++)
		dispatch(d, id, receivers_at(d, k.owner)->classes.data[i]);
	meet_open_methods(d, id);
	d->bulk = 0;
	vec_push(&receivers_at(d, k.owner)->keys, id);
	return id;
}

uint32_t dispatch_key(struct dispatcher *d, mref_id m)
{
	while (d->key_of_mref.len <= m.i)
		vec_push(&d->key_of_mref, 0);
	if (!d->key_of_mref.data[m.i]) {
		struct ir_mref ref = *mref_row(d->g->p, m);
		enum key_rule rule = !ref.target.i ? KEY_SELECTOR : ref.is_interface ? KEY_INTERFACE : KEY_VIRTUAL;
		uint32_t id = add_key(d, (struct key){ .owner = ref.owner, .resolved = ref.target, .sel = ref.sel,
						       .rule = (uint8_t)rule });
		d->key_of_mref.data[m.i] = id;
	}
	return d->key_of_mref.data[m.i];
}

uint32_t dispatch_hook_key(struct dispatcher *d, sel_id hook, enum key_rule rule)
{
	return add_key(d, (struct key){ .owner = d->g->p->serializable, .sel = hook, .rule = (uint8_t)rule });
}

void dispatch_from_outside(struct dispatcher *d, uint32_t key)
{
	struct key *k = &d->keys.data[key];
	const method_list *set = &d->g->sets.data[k->set];

	if (k->entry)
		return;
	k->entry = 1;
	for (uint32_t i = 0; i < set->len; i++)
		d->reach(d->ctx, set->data[i], true);
}
