/* SPDX-License-Identifier: Apache-2.0 */
#include "rewrite/out_p.h"
#include "rewrite/pool_p.h"

#define MAX_COUNT 65535         /* of constant_pool_count */

struct added {                  /* an entry that is no Integer */
	uint32_t at, len;               /* its bytes */
	uint16_t index;
};
struct added_int {
	int32_t value;
	uint16_t index;
};

struct pool {
	struct arena *mem;
	uint32_t count;
	struct out bytes;
	struct added *entries;          /* few: compared one by one */
	uint32_t nentries, entries_cap;
	struct added_int *ints;         /* one a site: by value */
	uint32_t nints, ints_cap;
};

void out_grow(struct out *o, size_t more)
{
	size_t cap = 2 * o->cap + more + 64;
	uint8_t *p = arena_alloc(o->mem, cap);

	if (o->len)
		memcpy(p, o->p, o->len);
	o->p = p;
	o->cap = cap;
}

struct pool *pool_new(const struct classfile *cf, struct arena *mem)
{
	struct pool *p = arena_new(mem, struct pool);

	p->mem = mem;
	p->count = cf->ncp;
	p->bytes.mem = mem;
	return p;
}

uint16_t pool_count(const struct pool *p)
{
	return (uint16_t)p->count;
}

struct span pool_added(const struct pool *p)
{
	return (struct span){ p->bytes.p, p->bytes.len };
}

uint32_t pool_end(const struct classfile *cf)
{
	uint32_t last = cf->ncp - 1u;

	while (last > 0 && !cf->cp[last])
		last--;
	uint32_t at = cf->cp[last];

	switch (last ? cf->bytes.p[at] : 0) {
	case 0:
		return 10;
	case CP_UTF8:
		return at + 3 + cf_u2(cf, at + 1);
	case CP_LONG: case CP_DOUBLE:
		return at + 9;
	case CP_CLASS: case CP_STRING: case CP_METHODTYPE: case CP_MODULE: case CP_PACKAGE:
		return at + 3;
	case CP_HANDLE:
		return at + 4;
	default:
		return at + 5;
	}
}

/* An array in the arena with room for one more. */
static void *with_room(struct arena *mem, void *data, uint32_t n, uint32_t *cap, size_t size)
{
	if (n < *cap)
		return data;
	uint32_t wider = *cap ? *cap * 2 : 16;
	void *more = arena_alloc(mem, wider * size);      /* may jump away */
	*cap = wider;

	if (n)
		memcpy(more, data, n * size);
	return more;
}

/* The entry whose bytes were just written from `at` on: the one that is there already, a new one, or 0. */
static uint16_t finish(struct pool *p, size_t at)
{
	size_t len = p->bytes.len - at;

	for (uint32_t i = 0; i < p->nentries; i++) {
		const struct added *e = &p->entries[i];

		if (e->len == len && memcmp(p->bytes.p + e->at, p->bytes.p + at, len) == 0) {
			p->bytes.len = at;
			return e->index;
		}
	}
	if (p->count == MAX_COUNT) {
		p->bytes.len = at;
		return 0;
	}
	p->entries = with_room(p->mem, p->entries, p->nentries, &p->entries_cap, sizeof(*p->entries));
	p->entries[p->nentries++] = (struct added){ (uint32_t)at, (uint32_t)len, (uint16_t)p->count };
	return (uint16_t)p->count++;
}

uint16_t pool_text(struct pool *p, struct str s)
{
	size_t at = p->bytes.len;

	out_u1(&p->bytes, CP_UTF8);
	out_u2(&p->bytes, s.len);
	out_bytes(&p->bytes, s.p, s.len);
	return finish(p, at);
}

static uint16_t add_pair(struct pool *p, enum cp_tag tag, uint16_t a, uint16_t b)
{
	size_t at = p->bytes.len;

	if (!a || !b)
		return 0;
	out_u1(&p->bytes, tag);
	out_u2(&p->bytes, a);
	out_u2(&p->bytes, b);
	return finish(p, at);
}

uint16_t pool_class(struct pool *p, struct str internal)
{
	uint16_t name = internal.len <= UINT16_MAX ? pool_text(p, internal) : 0;
	size_t at = p->bytes.len;

	if (!name)
		return 0;
	out_u1(&p->bytes, CP_CLASS);
	out_u2(&p->bytes, name);
	return finish(p, at);
}

uint16_t pool_method(struct pool *p, const char *owner, const char *name, const char *desc)
{
	uint16_t class = pool_class(p, str_of(owner));
	uint16_t type = add_pair(p, CP_NAMETYPE, pool_text(p, str_of(name)), pool_text(p, str_of(desc)));

	return add_pair(p, CP_METHOD, class, type);
}

uint16_t pool_field(struct pool *p, uint16_t owner, struct str name, struct str desc)
{
	uint16_t type = add_pair(p, CP_NAMETYPE, pool_text(p, name), pool_text(p, desc));

	return add_pair(p, CP_FIELD, owner, type);
}

/* The place of `value` among the integers: its own, or where it belongs. */
static uint32_t int_place(const struct pool *p, int32_t value)
{
	uint32_t lo = 0, hi = p->nints;

	if (hi > 0 && p->ints[hi - 1].value < value)   /* sites are numbered in order */
		return hi;
	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;

		if (p->ints[mid].value < value)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

uint16_t pool_int(struct pool *p, int32_t value)
{
	uint32_t at = int_place(p, value);

	if (at < p->nints && p->ints[at].value == value)
		return p->ints[at].index;
	if (p->count == MAX_COUNT)
		return 0;
	p->ints = with_room(p->mem, p->ints, p->nints, &p->ints_cap, sizeof(*p->ints));
	memmove(p->ints + at + 1, p->ints + at, (p->nints - at) * sizeof(*p->ints));
	p->ints[at] = (struct added_int){ value, (uint16_t)p->count };
	p->nints++;
	out_u1(&p->bytes, CP_INTEGER);
	out_u4(&p->bytes, (uint32_t)value);
	return (uint16_t)p->count++;
}
