/* SPDX-License-Identifier: Apache-2.0 */
#include "rewrite/whole_p.h"

#include "formats/classfile/descriptor.h"

static void add_local(struct whole *w, struct cf_vtype type)
{
	uint32_t words = type.tag == VT_LONG || type.tag == VT_DOUBLE ? 2 : 1;

	if (words > w->max_words - w->words) {
		w->failed = "its stack map has more locals than its code";
		return;
	}
	w->locals[w->n++] = type;
	w->words += words;
}

static void chop_local(struct whole *w)
{
	if (!w->n)
		return;
	uint8_t tag = w->locals[--w->n].tag;

	w->words -= tag == VT_LONG || tag == VT_DOUBLE ? 2 : 1;
}

static void add_object(struct whole *w, struct pool *pool, struct str class)
{
	uint16_t index = pool_class(pool, class);

	if (!index)
		w->failed = "its constant pool is full";
	add_local(w, (struct cf_vtype){ VT_OBJECT, index });
}

static void add_argument(struct whole *w, struct pool *pool, struct str desc)
{
	switch (desc.p[0]) {
	case 'L':
		add_object(w, pool, (struct str){ desc.p + 1, desc.len - 2 });
		break;
	case '[':
		add_object(w, pool, desc);
		break;
	case 'J':
		add_local(w, (struct cf_vtype){ VT_LONG, 0 });
		break;
	case 'D':
		add_local(w, (struct cf_vtype){ VT_DOUBLE, 0 });
		break;
	case 'F':
		add_local(w, (struct cf_vtype){ VT_FLOAT, 0 });
		break;
	default:
		add_local(w, (struct cf_vtype){ VT_INT, 0 });
	}
}

static void add_this(struct whole *w, const struct layout *l)
{
	add_local(w, begins_raw(l) ? (struct cf_vtype){ VT_UNINIT_THIS, 0 } : (struct cf_vtype){ VT_OBJECT, l->cf->this_class });
}

void whole_begin(struct whole *w, const struct layout *l)
{
	struct desc_iter it = desc_params(cf_utf8(l->cf, l->m->desc));
	struct str param;

	*w = (struct whole){ .it = cf_frames(l->cf, l->m), .max_words = l->code.max_locals };
	w->locals = arena_array(l->mem, struct cf_vtype, w->max_words + 1);
	if (!(l->m->access & ACC_STATIC))
		add_this(w, l);
	while (!w->failed && desc_next(&it, &param))
		add_argument(w, l->pool, param);
}

bool whole_next(struct whole *w, const struct layout *l)
{
	struct cf_vtype type;

	if (w->failed || !cf_frames_next(l->cf, &w->it, &w->frame))
		return false;
	struct cf_vtypes more = w->frame.locals;

	if (w->frame.kind == FRAME_FULL)
		w->n = w->words = 0;
	for (uint32_t i = 0; i < w->frame.chopped; i++)
		chop_local(w);
	while (!w->failed && cf_vtypes_next(l->cf, &more, &type))
		add_local(w, type);
	return !w->failed;
}
