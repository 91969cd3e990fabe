/* SPDX-License-Identifier: Apache-2.0 */
#include "base/digest.h"
#include "formats/coverage/plan_p.h"

static int compare_ref(const struct plan_field_ref *a, struct str owner, struct str name, struct str desc)
{
	int c = str_cmp(a->owner, owner);

	c = c ? c : str_cmp(a->name, name);
	return c ? c : str_cmp(a->desc, desc);
}

uint32_t plan_find_field(const struct plan *p, struct str dotted, struct str name, struct str desc)
{
	uint32_t lo = 0, hi = p->fields.refs.len;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		int c = compare_ref(&p->fields.refs.data[mid], dotted, name, desc);
		if (c == 0)
			return p->fields.refs.data[mid].field;
		*(c < 0 ? &lo : &hi) = c < 0 ? mid + 1 : mid;
	}
	return UINT32_MAX;
}

/* A class may have fields of one name and several types. */
void plan_shadow_name(const struct plan_field *f, struct strbuf *out)
{
	strbuf_addstr(out, f->name);
	strbuf_addf(out, "$sherd%08x", (unsigned)digest_str(DIGEST_START, f->desc));
}

void plan_put_fields(struct plan_writer *w)
{
	const struct plan_fields *all = &w->p->fields;

	wire_varint(&w->out, all->rows.len);
	for (uint32_t i = 0; i < all->rows.len; i++) {
		const struct plan_field *f = &all->rows.data[i];
		wire_varint(&w->out, f->class);
		plan_put_string(w, f->name);
		plan_put_string(w, f->desc);
		wire_varint(&w->out, f->access);
		plan_put_string(w, f->why);
	}
	wire_varint(&w->out, all->refs.len);
	for (uint32_t i = 0; i < all->refs.len; i++) {
		const struct plan_field_ref *r = &all->refs.data[i];
		plan_put_string(w, r->owner);
		plan_put_string(w, r->name);
		plan_put_string(w, r->desc);
		wire_varint(&w->out, r->field);
	}
}

static bool is_behind(const struct plan_field *a, const struct plan_field *b)
{
	if (a->class != b->class)
		return a->class < b->class;
	int c = str_cmp(a->name, b->name);
	return c ? c < 0 : str_cmp(a->desc, b->desc) < 0;
}

static void get_field(struct plan_reader *x)
{
	struct plan_fields *all = &x->p->fields;
	struct plan_field f = { .class = wire_read_below(&x->r, x->p->classes.len) };

	f.name = plan_get_string(x);
	f.desc = plan_get_string(x);
	f.access = wire_read_below(&x->r, UINT16_MAX + 1);
	f.why = plan_get_string(x);
	plan_fail_unless(x, !all->rows.len || is_behind(vec_last(&all->rows), &f));
	vec_push(&all->rows, f);
}

static void get_ref(struct plan_reader *x)
{
	struct plan_fields *all = &x->p->fields;
	struct plan_field_ref r = { .owner = plan_get_string(x) };

	r.name = plan_get_string(x);
	r.desc = plan_get_string(x);
	r.field = wire_read_below(&x->r, all->rows.len);
	plan_fail_unless(x, !all->refs.len || compare_ref(vec_last(&all->refs), r.owner, r.name, r.desc) < 0);
	vec_push(&all->refs, r);
}

#define FIELD_BYTES 5
#define REF_BYTES 4

void plan_get_fields(struct plan_reader *x)
{
	uint32_t n = wire_read_count(&x->r, FIELD_BYTES);

	for (uint32_t i = 0; i < n && !x->r.failed; i++)
		get_field(x);
	n = wire_read_count(&x->r, REF_BYTES);
	for (uint32_t i = 0; i < n && !x->r.failed; i++)
		get_ref(x);
}
