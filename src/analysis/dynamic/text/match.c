/* SPDX-License-Identifier: Apache-2.0 */
/* Names of classes that a language has: of those that begin alike, most languages refuse all at once. */
#include "analysis/dynamic/text/texts.h"
#include "analysis/dynamic/values_p.h"

static void note_name(void *ctx, struct str internal)
{
	struct class_names *x = ctx;
	char *text = arena_copy(&x->mem, internal.p, internal.len);

	for (uint32_t i = 0; i < internal.len; i++)
		text[i] = text[i] == '/' ? '.' : text[i];
	vec_push(&x->all, ((struct str){ text, internal.len }));
}

static uint32_t shared_bytes(struct str a, struct str b)
{
	uint32_t n = 0;

	while (n < a.len && n < b.len && a.p[n] == b.p[n])
		n++;
	return n;
}

static void make_index(struct values *v)
{
	struct class_names *x = &v->texts.classes;

	if (x->is_made)
		return;
	x->is_made = true;
	if (v->p->source.each_name)
		v->p->source.each_name(v->p->source.ctx, note_name, x);
	for (uint32_t i = 0; i < x->all.len; i++)
		vec_push(&x->shared, i ? shared_bytes(x->all.data[i - 1], x->all.data[i]) : 0);
}

struct matching {
	VEC(struct str) found;
	uint32_t most;
};

static bool note_match(void *ctx, struct str name)
{
	struct matching *x = ctx;

	vec_push(&x->found, name);
	return x->found.len <= x->most;
}

uint32_t class_names_match(struct values *v, const struct language *l, uint32_t most, void (*fn)(void *ctx, struct str name), void *ctx)
{
	struct class_names *x = &v->texts.classes;
	struct matching to = { .most = most };

	make_index(v);
	language_each_of(l, x->all.data, x->shared.data, x->all.len, note_match, &to);
	uint32_t n = to.found.len;
	for (uint32_t i = 0; i < n && n <= most; i++)
		fn(ctx, to.found.data[i]);
	vec_release(&to.found);
	return n;
}
