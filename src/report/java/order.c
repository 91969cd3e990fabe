/* SPDX-License-Identifier: Apache-2.0 */
/* order.c - the order of outputs: methods, and classes of receivers, by printed name. */
#include "report/java/order.h"

static void compute_ranks(struct order *o)
{
	uint32_t n = callgraph_nmethods(o->g);

	o->ranks = mem_zalloc(sizeof(uint32_t) * ((size_t)callgraph_program(o->g)->methods.len + 1));
	for (uint32_t k = 0; k < n; k++)
		o->ranks[callgraph_method(o->g, k).i] = k + 1;
}

void order_init(struct order *o, const struct callgraph *g)
{
	*o = (struct order){ .g = g };
	arena_init(&o->mem);
	o->sets = mem_zalloc(sizeof(method_id *) * ((size_t)callgraph_nsets(g) + 1));
	compute_ranks(o);
}

void order_release(struct order *o)
{
	arena_release(&o->mem);
	free(o->ranks);
	free(o->sets);
	vec_release(&o->keys);
	free(o->class_ranks);
	map_release(&o->receivers);
	vec_release(&o->sorted_receivers);
}

static int compare_keys(const void *a, const void *b)
{
	uint64_t x, y;

	memcpy(&x, a, sizeof x);
	memcpy(&y, b, sizeof y);
	return (x > y) - (x < y);
}

/* Rank first, so that the id comes along; a method without a rank goes last. */
static uint64_t key_of(const struct order *o, method_id m)
{
	return (uint64_t)(o->ranks[m.i] - 1) << 32 | m.i;
}

static void keys_sort(struct order *o)
{
	bool sorted = true;

	for (uint32_t i = 1; i < o->keys.len && sorted; i++)
		sorted = o->keys.data[i - 1] <= o->keys.data[i];
	if (!sorted)
		qsort(o->keys.data, o->keys.len, sizeof(uint64_t), compare_keys);
}

/* The methods of `t` in order, in o->mem. */
static const method_id *sorted_copy(struct order *o, struct cg_targets t)
{
	method_id *out = arena_array(&o->mem, method_id, t.n);

	vec_clear(&o->keys);
	for (uint32_t i = 0; i < t.n; i++)
		vec_push(&o->keys, key_of(o, t.methods[i]));
	keys_sort(o);
	for (uint32_t i = 0; i < t.n; i++)
		out[i] = (method_id){ (uint32_t)o->keys.data[i] };
	return out;
}

struct cg_targets order_targets(struct order *o, const struct cg_site *s)
{
	struct cg_targets t = callgraph_targets(o->g, s);

	if (t.n < 2)
		return t;
	if (!o->sets[s->set])
		o->sets[s->set] = sorted_copy(o, t);
	t.methods = o->sets[s->set];
	return t;
}

/* Receivers */

struct named_class {
	struct str name;
	class_id c;
};

static int compare_classes(const void *a, const void *b)
{
	const struct named_class *x = a, *y = b;
	int c = str_cmp(x->name, y->name);

	return c ? c : (x->c.i > y->c.i) - (x->c.i < y->c.i);
}

static struct str class_text(const struct program *p, class_id c, struct arena *mem)
{
	struct strbuf text = { 0 };

	print_class(p, c, &text);
	struct str t = strbuf_str(&text);
	t.p = arena_copy(mem, t.p, (size_t)t.len + 1);
	strbuf_release(&text);
	return t;
}

static void rank_classes(struct order *o)
{
	const struct program *p = callgraph_program(o->g);
	struct named_class *rows = mem_alloc(sizeof(*rows) * p->classes.len);
	struct arena text;

	arena_init(&text);
	for (uint32_t i = 1; i < p->classes.len; i++)
		rows[i] = (struct named_class){ class_text(p, (class_id){ i }, &text), { i } };
	qsort(rows + 1, p->classes.len - 1, sizeof(*rows), compare_classes);
	o->class_ranks = mem_zalloc(sizeof(uint32_t) * p->classes.len);
	for (uint32_t i = 1; i < p->classes.len; i++)
		o->class_ranks[rows[i].c.i] = i;
	free(rows);
	arena_release(&text);
}

/* The classes of `r` in order, in o->mem. */
static const class_id *sorted_classes(struct order *o, struct cg_classes r)
{
	class_id *out = arena_array(&o->mem, class_id, r.n);

	if (!o->class_ranks)
		rank_classes(o);
	vec_clear(&o->keys);
	for (uint32_t i = 0; i < r.n; i++)
		vec_push(&o->keys, (uint64_t)o->class_ranks[r.classes[i].i] << 32 | r.classes[i].i);
	keys_sort(o);
	for (uint32_t i = 0; i < r.n; i++)
		out[i] = (class_id){ (uint32_t)o->keys.data[i] };
	return out;
}

struct cg_classes order_receivers(struct order *o, const struct cg_site *s)
{
	struct cg_classes r = callgraph_receivers(o->g, s);

	if (r.n < 2)
		return r;
	uint32_t *row = map_at(&o->receivers, (uint64_t)(uintptr_t)r.classes);
	if (!*row) {
		if (!o->sorted_receivers.len)
			vec_push(&o->sorted_receivers, NULL);
		vec_push(&o->sorted_receivers, sorted_classes(o, r));
		*row = o->sorted_receivers.len - 1;
	}
	r.classes = o->sorted_receivers.data[*row];
	return r;
}
