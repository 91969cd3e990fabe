/* SPDX-License-Identifier: Apache-2.0 */
/* print_order.c - classes and methods in the order of what is printed of them: what users read does not depend on ids,
 * which follow the order of the class path. */
#include <stdlib.h>
#include <string.h>

#include "ir/program.h"

struct printed {
	size_t from, len;              /* of the sorter's text, */
	const struct strbuf *text;     /* which moves while it grows */
	uint32_t id;
};

struct sorter {
	struct strbuf text;
	VEC(struct printed) rows;
};

static int by_text(const void *x, const void *y)
{
	const struct printed *a = x, *b = y;
	int order = memcmp(a->text->s + a->from, b->text->s + b->from, a->len < b->len ? a->len : b->len);

	return order ? order : (a->len > b->len) - (a->len < b->len);
}

static void add(struct sorter *s, size_t from, uint32_t id)
{
	vec_push(&s->rows, ((struct printed){ .from = from, .len = s->text.len - from, .text = &s->text, .id = id }));
}

static void finish(struct sorter *s, uint32_t *ids)
{
	if (s->rows.len)
		qsort(s->rows.data, s->rows.len, sizeof(*s->rows.data), by_text);
	for (uint32_t i = 0; i < s->rows.len; i++)
		ids[i] = s->rows.data[i].id;
	strbuf_release(&s->text);
	vec_release(&s->rows);
}

void print_order_classes(const struct program *p, void *ids, uint32_t n)
{
	struct sorter s = { 0 };
	uint32_t *v = ids;

	for (uint32_t i = 0; i < n; i++) {
		size_t from = s.text.len;
		print_class(p, (class_id){ v[i] }, &s.text);
		add(&s, from, v[i]);
	}
	finish(&s, v);
}

void print_order_methods(const struct program *p, void *ids, uint32_t n)
{
	struct sorter s = { 0 };
	uint32_t *v = ids;

	for (uint32_t i = 0; i < n; i++) {
		size_t from = s.text.len;
		print_method(p, (method_id){ v[i] }, &s.text);
		add(&s, from, v[i]);
	}
	finish(&s, v);
}
