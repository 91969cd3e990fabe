/* SPDX-License-Identifier: Apache-2.0 */
/* Names of classes that a language has: each is tried, which most languages refuse by its first characters. */
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

static void make_index(struct values *v)
{
	struct class_names *x = &v->texts.classes;

	if (x->is_made)
		return;
	x->is_made = true;
	if (v->p->source.each_name)
		v->p->source.each_name(v->p->source.ctx, note_name, x);
}

uint32_t class_names_match(struct values *v, const struct language *l, uint32_t most, void (*fn)(void *ctx, struct str name), void *ctx)
{
	struct class_names *x = &v->texts.classes;
	VEC(struct str) found = { 0 };

	make_index(v);
	for (uint32_t i = 0; i < x->all.len && found.len <= most; i++)
		if (language_contains(l, x->all.data[i]))
			vec_push(&found, x->all.data[i]);
	uint32_t n = found.len;
	for (uint32_t i = 0; i < n && n <= most; i++)
		fn(ctx, found.data[i]);
	vec_release(&found);
	return n;
}
