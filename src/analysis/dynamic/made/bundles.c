/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/dynamic/made/bundles.h"

struct listing {
	struct hierarchy *h;
	class_id bundle;
	meta_list *out;
};

static void add_class(void *ctx, class_id c)
{
	struct listing *x = ctx;

	program_load(x->h->p, c);
	if (class_row(x->h->p, c)->kind == CLASS_FILE && hierarchy_is_subtype(x->h, c, x->bundle))
		vec_push(x->out, meta_of(META_CLASS, c.i));
}

static void list_family(struct listing *x, struct str name)
{
	struct program *p = x->h->p;
	struct strbuf text = { 0 };

	for (uint32_t i = 0; i < name.len; i++)
		strbuf_addch(&text, name.p[i] == '.' ? '/' : name.p[i]);
	p->source.family(p->source.ctx, p, strbuf_str(&text), add_class, x);
	strbuf_release(&text);
}

void bundles_list(struct hierarchy *h, struct metas names, meta_list *out)
{
	struct listing x = { h, program_class(h->p, STR("java/util/ResourceBundle")), out };

	for (uint32_t i = 0; h->p->source.family && i < names.n; i++)
		if (meta_sort(names.data[i]) == META_STRING && interned(&h->p->strings, (str_id){ meta_id(names.data[i]) }).len < 1000)
			list_family(&x, interned(&h->p->strings, (str_id){ meta_id(names.data[i]) }));
}
