/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/callgraph/dispatch.h"

#include <stdlib.h>

#include "base/sort.h"
#include "ir/access.h"

#define LINEAR 32         /* sets up to this size are searched, larger ones indexed */

struct dispatcher *dispatcher_new(struct callgraph *g, struct hierarchy *h)
{
	struct dispatcher *d = mem_zalloc(sizeof(*d));

	d->g = g;
	d->h = h;
	vec_push(&d->keys, (struct key){ 0 });
	vec_push(&d->sets, (method_list){ 0 });
	vec_push(&d->open, (struct open_method){ 0 });
	return d;
}

static void release_index(struct dispatcher *d)
{
	vec_release(&d->key_of_mref);
	vec_release(&d->open);
	vec_release(&d->stamp);
	map_release(&d->keys_of_sel);
	map_release(&d->members);
}

void dispatcher_free(struct dispatcher *d)
{
	if (!d)
		return;
	for (uint32_t i = 0; i < d->receivers.len; i++) {
		vec_release(&d->receivers.data[i].keys);
		vec_release(&d->receivers.data[i].classes);
	}
	for (uint32_t i = 0; i < d->sets.len; i++)
		vec_release(&d->sets.data[i]);
	release_index(d);
	vec_release(&d->receivers);
	vec_release(&d->open_classes);
	vec_release(&d->keys);
	vec_release(&d->sets);
	map_release(&d->open_of_sel);
	free(d);
}

static struct receivers *receivers_at(struct dispatcher *d, class_id c)
{
	while (d->receivers.len <= c.i)
		vec_push(&d->receivers, (struct receivers){ 0 });
	return &d->receivers.data[c.i];
}

/* Sets: is the method new in one? By what was noted of it, which is noted here; or, of a small set, by a look at all
 * of it. */

static bool put_stamp(struct dispatcher *d, uint32_t set, method_id m)
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

static bool put_in_index(struct dispatcher *d, struct key *k, method_id m)
{
	const method_list *set = &d->sets.data[k->set];

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
	method_list *set = &d->sets.data[k->set];
	bool is_new = k->set == d->bulk ? put_stamp(d, k->set, m) :
		      set->len < LINEAR ? scan_is_new(set, m) : put_in_index(d, k, m);

	if (!is_new)
		return;
	vec_push(set, m);
	d->reach(d->ctx, m, k->entry);
}

static void dispatch_call(struct dispatcher *d, struct key *k, class_id receiver)
{
	method_id m = key_select(d->h, k, receiver);

	if (m.i)
		add_target(d, k, m);
	else if (hierarchy_misses_ancestor(d->h, receiver))
		k->incomplete = 1;
}

struct hook_call {
	struct dispatcher *d;
	struct key *k;
};

static void add_hook_target(void *ctx, method_id m)
{
	struct hook_call *call = ctx;

	add_target(call->d, call->k, m);
}

static void dispatch(struct dispatcher *d, uint32_t key, class_id receiver)
{
	struct key *k = &d->keys.data[key];
	struct hook_call hook = { d, k };

	if (k->rule == KEY_HOOK)
		hook_targets(d->h, (struct hook){ .rule = k->hook, .sel = k->sel }, receiver, add_hook_target, &hook);
	else
		dispatch_call(d, k, receiver);
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
		if (key_is_open(d->g->p, &d->keys.data[k]))
			add_target(d, &d->keys.data[k], m);
}

static void open_receiver(struct dispatcher *d, class_id receiver)
{
	const struct program *p = d->g->p;

	for (class_id c = receiver; c.i && c.i != p->object.i; c = class_row(p, c)->super) {
		struct ir_class row = *class_row(p, c);
		for (uint32_t i = 0; i < row.nmethods; i++) {
			method_id m = { row.first_method + i };
			if (open_select(p, receiver, method_row(p, m)->sel).i == m.i)
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
	if (!hierarchy_misses_ancestor(d->h, c))
		return;
	vec_push(&d->open_classes, c);
	open_receiver(d, c);
}

static void meet_open_methods(struct dispatcher *d, uint32_t key)
{
	struct key *k = &d->keys.data[key];

	if (!key_is_open(d->g->p, k))
		return;
	for (uint32_t i = map_get(&d->open_of_sel, k->sel.i); i; i = d->open.data[i].next)
		add_target(d, k, d->open.data[i].m);
}

/* A call by the name of a final class runs the same method on objects that nobody saw being made. */
static bool needs_no_instance(const struct dispatcher *d, const struct key *k)
{
	const struct ir_class *row = class_row(d->g->p, k->owner);

	return d->has_unknown && k->rule <= KEY_INTERFACE && row->kind == CLASS_FILE && (row->flags & ACCESS_FINAL);
}

static uint32_t add_key(struct dispatcher *d, struct key k)
{
	uint32_t id = d->keys.len;

	vec_push(&d->sets, (method_list){ 0 });
	k.set = d->sets.len - 1;
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
	if (needs_no_instance(d, &k))
		dispatch(d, id, k.owner);
	d->bulk = 0;
	vec_push(&receivers_at(d, k.owner)->keys, id);
	return id;
}

uint32_t dispatch_key(struct dispatcher *d, mref_id m)
{
	while (d->key_of_mref.len <= m.i)
		vec_push(&d->key_of_mref, 0);
	if (!d->key_of_mref.data[m.i]) {
		uint32_t id = add_key(d, key_for(d->g->p, m));
		d->key_of_mref.data[m.i] = id;
	}
	return d->key_of_mref.data[m.i];
}

uint32_t dispatch_hook_key(struct dispatcher *d, struct hook hook)
{
	return add_key(d, (struct key){ .owner = d->g->p->serializable, .sel = hook.sel, .rule = KEY_HOOK,
					.hook = (uint8_t)hook.rule });
}

void dispatch_from_outside(struct dispatcher *d, uint32_t key, enum entry_by by)
{
	struct key *k = &d->keys.data[key];
	const method_list *set = &d->sets.data[k->set];

	if (k->entry & by)
		return;
	k->entry |= (uint8_t)by;
	for (uint32_t i = 0; i < set->len; i++)
		d->reach(d->ctx, set->data[i], by);
}

/* The end */

void dispatcher_finish(struct dispatcher *d)
{
	for (uint32_t i = 1; i < d->sets.len; i++) {
		method_list *set = &d->sets.data[i];
		set->len = sort_ids(set->data, set->len);
		id_sets_take(&d->g->targets, set->data, set->len);
	}
	vec_release(&d->sets);
	release_index(d);
}

/* Most keys meet no open method, and need not look at the open classes. */
static void list_open_receivers(struct dispatcher *d, const struct key *k, class_list *out)
{
	const struct program *p = d->g->p;

	if (!map_get(&d->open_of_sel, k->sel.i) || !key_is_open(p, k))
		return;
	for (uint32_t i = 0; i < d->open_classes.len; i++)
		if (open_select(p, d->open_classes.data[i], k->sel).i)
			vec_push(out, d->open_classes.data[i]);
}

uint32_t dispatch_receivers(struct dispatcher *d, uint32_t key)
{
	struct key *k = &d->keys.data[key];
	class_list found = { 0 };

	if (k->has_receivers || key == 0)
		return k->receivers;
	class_list *below = &receivers_at(d, k->owner)->classes;
	for (uint32_t i = 0; i < below->len; i++)
		if (key_select(d->h, k, below->data[i]).i)
			vec_push(&found, below->data[i]);
	list_open_receivers(d, k, &found);
	if (needs_no_instance(d, k) && key_select(d->h, k, k->owner).i)
		vec_push(&found, k->owner);
	found.len = sort_ids(found.data, found.len);
	k->receivers = id_sets_intern(&d->g->receivers, found.data, found.len);
	k->has_receivers = 1;
	vec_release(&found);
	return k->receivers;
}
