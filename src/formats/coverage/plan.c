/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c - layout: strings, what was asked, types, lists of types, classes with their methods with their sites, others, chains, fields. */
#include "formats/coverage/plan_p.h"

#include "base/digest.h"

static const struct wire_kind kind = { "plan", PLAN_VERSION, "a plan", "name a file plan.sherd that sherd cover wrote" };

enum { IS_JDK = 1 };

void plan_release(struct plan *p)
{
	vec_release(&p->types);
	vec_release(&p->classes);
	vec_release(&p->methods);
	vec_release(&p->sites);
	vec_release(&p->ids);
	vec_release(&p->bys);
	vec_release(&p->others);
	vec_release(&p->fields.rows);
	vec_release(&p->fields.refs);
	plan_chains_release(&p->chains);
}

uint64_t plan_code_digest(struct span code)
{
	return digest_add(DIGEST_START, code.p, code.len);
}

uint64_t plan_items(const struct plan *p)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < p->sites.len; i++)
		n += (uint64_t)p->sites.data[i].rc.n + p->sites.data[i].tm.n + p->sites.data[i].callbacks.n;
	return n;
}

/* Keys */

static uint64_t digest_u64(uint64_t d, uint64_t x)
{
	return digest_u32(digest_u32(d, (uint32_t)x), (uint32_t)(x >> 32));
}

static uint64_t digest_site(uint64_t d, const struct plan_site *s)
{
	d = digest_u32(digest_u32(digest_u32(d, s->pc), s->nth), s->of);
	return digest_str(digest_str(digest_str(d, s->owner), s->name), s->desc);
}

uint64_t plan_key(struct str class, const struct plan_method *methods, uint32_t n, const struct plan_site *sites)
{
	uint64_t d = digest_str(DIGEST_START, class);

	for (uint32_t i = 0; i < n; i++) {
		d = digest_str(digest_str(d, methods[i].name), methods[i].desc);
		d = digest_u32(digest_u64(d, methods[i].code), methods[i].nsites);
		for (uint32_t k = 0; k < methods[i].nsites; k++)
			d = digest_site(d, &sites[methods[i].first_site + k]);
	}
	return d;
}

static uint64_t key_of(const struct plan *p, const struct plan_class *c)
{
	const struct plan_method *methods = c->nmethods ? &p->methods.data[c->first_method] : NULL;

	return plan_key(c->name, methods, c->nmethods, p->sites.data);
}

/* Writing */

void plan_put_string(struct plan_writer *w, struct str s)
{
	wire_string(&w->strings, &w->out, s);
}

/* Types of a list are often near each other: differences are small. */
static uint32_t list_of(struct plan_writer *w, struct plan_range range, struct strbuf *tmp)
{
	uint32_t last = 0;

	strbuf_clear(tmp);
	for (uint32_t i = 0; i < range.n; i++) {
		uint32_t id = w->p->ids.data[range.first + i];
		wire_varint(tmp, id > last ? (uint64_t)(id - last) << 1 : (uint64_t)(last - id) << 1 | 1);
		last = id;
	}
	return intern(&w->lists, strbuf_str(tmp)).i;
}

static void gather_lists(struct plan_writer *w)
{
	uint32_t n = w->p->sites.len;
	struct strbuf tmp = { 0 };

	for (uint32_t k = 0; k < PLAN_LISTS; k++)
		w->lists_of[k] = plan_has_list(w->p, k) ? mem_alloc(n * sizeof(**w->lists_of)) : NULL;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < PLAN_LISTS; k++)
			if (w->lists_of[k])
				w->lists_of[k][i] = list_of(w, *plan_list(&w->p->sites.data[i], k), &tmp);
	strbuf_release(&tmp);
}

static void put_asked(struct plan_writer *w)
{
	const struct plan *p = w->p;

	plan_put_string(w, p->component);
	plan_put_string(w, p->interface);
	plan_put_string(w, p->clients);
	plan_put_string(w, p->algorithm);
	plan_put_string(w, p->class_path);
	plan_put_string(w, p->jdk);
	plan_put_string(w, p->version);
	wire_varint(&w->out, p->criteria);
}

static void put_types(struct plan_writer *w)
{
	uint32_t n = w->p->types.len;

	wire_varint(&w->out, n ? n - 1 : 0);
	for (uint32_t i = 1; i < n; i++) {
		const struct plan_type *t = &w->p->types.data[i];
		wire_varint(&w->out, t->sort);
		plan_put_string(w, t->name);
		if (t->sort != PLAN_LAMBDA)
			continue;
		plan_put_string(w, t->host);
		plan_put_string(w, t->interface);
		plan_put_string(w, t->body);
	}
}

static void put_lists(struct plan_writer *w)
{
	wire_varint(&w->out, w->lists.strings.len - 1);
	for (uint32_t i = 1; i < w->lists.strings.len; i++)
		wire_text(&w->out, w->lists.strings.data[i]);
}

void plan_put_call(struct plan_writer *w, const struct plan_site *s)
{
	wire_varint(&w->out, s->pc);
	wire_varint(&w->out, s->line);
	wire_varint(&w->out, s->flags);
	plan_put_string(w, s->owner);
	plan_put_string(w, s->name);
	plan_put_string(w, s->desc);
	wire_varint(&w->out, s->nth);
	wire_varint(&w->out, s->of);
}

static void put_site(struct plan_writer *w, uint32_t row)
{
	const struct plan_site *s = &w->p->sites.data[row];

	plan_put_call(w, s);
	for (uint32_t k = 0; k < PLAN_LISTS; k++)
		if (w->lists_of[k])
			wire_varint(&w->out, w->lists_of[k][row]);
	if (w->p->criteria & PLAN_LADDER)
		plan_put_string(w, s->declares);
	for (uint32_t i = 0; i < s->callbacks.n; i++)
		plan_put_string(w, w->p->bys.data[s->first_by + i]);
}

static void put_class(struct plan_writer *w, const struct plan_class *c)
{
	plan_put_string(w, c->name);
	plan_put_string(w, c->source);
	wire_varint(&w->out, c->is_jdk ? IS_JDK : 0);
	wire_le(&w->out, c->key, 8);
	wire_varint(&w->out, c->nmethods);
	for (uint32_t i = 0; i < c->nmethods; i++) {
		const struct plan_method *m = &w->p->methods.data[c->first_method + i];
		plan_put_string(w, m->name);
		plan_put_string(w, m->desc);
		wire_le(&w->out, m->code, 8);
		wire_varint(&w->out, m->nsites);
		for (uint32_t k = 0; k < m->nsites; k++)
			put_site(w, m->first_site + k);
	}
}

static void put_all(struct plan_writer *w)
{
	const struct plan *p = w->p;

	put_asked(w);
	put_types(w);
	put_lists(w);
	wire_varint(&w->out, p->classes.len);
	for (uint32_t i = 0; i < p->classes.len; i++)
		put_class(w, &p->classes.data[i]);
	wire_varint(&w->out, p->others.len);
	for (uint32_t i = 0; i < p->others.len; i++)
		plan_put_string(w, p->others.data[i]);
	bool has_chains = p->criteria & PLAN_CHAINS, has_fields = p->criteria & PLAN_DU;
	if (p->assume.len || has_chains || has_fields)
		plan_put_string(w, p->assume);
	if (has_chains)
		plan_put_chains(w);
	if (has_fields)
		plan_put_fields(w);
}

/* Debug builds: what was written can be read, that is, the plan kept its rules. */
static void check_written(const struct plan *written, const struct strbuf *out, size_t from)
{
#ifdef SHERD_CHECK
	struct plan p;
	struct arena mem;
	struct strbuf err = { 0 };

	arena_init(&mem);
	if (!plan_read(&p, (struct span){ (const uint8_t *)out->s + from, out->len - from }, &mem, &err) &&
	    plan_items(written) <= PLAN_ITEMS)
		BUG("a plan was written that cannot be read: its lists are not sorted, or refer to rows that do not exist");
	plan_release(&p);
	arena_release(&mem);
	strbuf_release(&err);
#else
	(void)written;
	(void)out;
	(void)from;
#endif
}

void plan_write(struct plan *p, struct strbuf *out)
{
	struct plan_writer w = { .p = p };
	size_t from = out->len;

	for (uint32_t i = 0; i < p->classes.len; i++)
		p->classes.data[i].key = key_of(p, &p->classes.data[i]);
	plan_chain_keys(p);
	wire_strings_init(&w.strings);
	interner_init(&w.lists);
	gather_lists(&w);
	put_all(&w);
	strbuf_clear(&w.out);
	wire_strings_sort(&w.strings, &w.out);
	put_all(&w);
	p->id = wire_seal(out, &kind, &w.out);
	check_written(p, out, from);
	wire_strings_release(&w.strings);
	interner_release(&w.lists);
	strbuf_release(&w.out);
	for (uint32_t k = 0; k < PLAN_LISTS; k++)
		free(w.lists_of[k]);
}

/* Reading. Strings are compared by their numbers. */

static void get_asked(struct plan_reader *x)
{
	struct plan *p = x->p;

	p->component = plan_get_string(x);
	p->interface = plan_get_string(x);
	p->clients = plan_get_string(x);
	p->algorithm = plan_get_string(x);
	p->class_path = plan_get_string(x);
	p->jdk = plan_get_string(x);
	p->version = plan_get_string(x);
	p->criteria = wire_read_u32(&x->r);
}

static void get_types(struct plan_reader *x, struct arena *mem)
{
	uint32_t n = wire_read_count(&x->r, 2) + 1;

	x->names = arena_zarray(mem, uint32_t, n);
	vec_reserve(&x->p->types, n);
	vec_push(&x->p->types, (struct plan_type){ 0 });
	for (uint32_t i = 1; i < n && !x->r.failed; i++) {
		struct plan_type t = { .sort = (uint8_t)wire_read_below(&x->r, PLAN_METHOD + 1) };
		x->names[i] = plan_get_number(x);
		t.name = x->strings.rows[x->names[i]];
		plan_fail_unless(x, t.name.len > 0);
		if (t.sort == PLAN_LAMBDA) {
			t.host = plan_get_string(x);
			t.interface = plan_get_string(x);
			t.body = plan_get_string(x);
		}
		vec_push(&x->p->types, t);
	}
}

static uint32_t get_near(struct plan_reader *x, struct reader *r, uint32_t last)
{
	uint64_t step = wire_read_varint(r);
	uint64_t id = step & 1 ? last - (step >> 1) : last + (step >> 1);

	if (!r->failed && id > 0 && id < x->p->types.len)
		return (uint32_t)id;
	r->failed = true;
	return 0;
}

static void get_list(struct plan_reader *x, struct span bytes, struct plan_range *list)
{
	struct reader r = reader_of(bytes);
	uint32_t last = 0;

	list->first = x->p->ids.len;
	while (reader_left(&r) && !r.failed) {
		uint32_t id = get_near(x, &r, last);
		plan_fail_unless(x, x->names[last] < x->names[id]);
		vec_push(&x->p->ids, id);
		last = id;
	}
	list->n = x->p->ids.len - list->first;
	plan_fail_unless(x, !r.failed && list->n > 0);
}

static void get_lists(struct plan_reader *x, struct arena *mem)
{
	x->nlists = wire_read_count(&x->r, 2) + 1;
	x->lists = arena_zarray(mem, struct plan_range, x->nlists);
	for (uint32_t i = 1; i < x->nlists && !x->r.failed; i++) {
		struct str s = wire_read_text(&x->r);
		get_list(x, (struct span){ (const uint8_t *)s.p, s.len }, &x->lists[i]);
	}
}

struct plan_site plan_get_call(struct plan_reader *x, uint32_t method, uint32_t *next_pc)
{
	struct reader *r = &x->r;
	struct plan_site s = { .method = method, .pc = wire_read_below(r, UINT16_MAX + 1) };

	s.line = wire_read_u32(r);
	s.flags = wire_read_u32(r);
	s.owner = plan_get_string(x);
	s.name = plan_get_string(x);
	s.desc = plan_get_string(x);
	s.nth = wire_read_u32(r);
	s.of = wire_read_u32(r);
	plan_fail_unless(x, s.pc >= *next_pc && s.nth < s.of);
	*next_pc = s.pc + 1;
	return s;
}

static void get_site(struct plan_reader *x, uint32_t method, uint32_t *next_pc)
{
	struct plan_site s = plan_get_call(x, method, next_pc);

	for (uint32_t k = 0; k < PLAN_LISTS; k++)
		if (plan_has_list(x->p, k))
			*plan_list(&s, k) = x->lists[wire_read_below(&x->r, x->nlists)];
	if (x->p->criteria & PLAN_LADDER)
		s.declares = plan_get_string(x);
	s.first_by = x->p->bys.len;
	for (uint32_t i = 0; i < s.callbacks.n && !x->r.failed; i++)
		vec_push(&x->p->bys, plan_get_string(x));
	vec_push(&x->p->sites, s);
}

#define SITE_BYTES (PLAN_CALL_BYTES + 2)
#define METHOD_BYTES (11 + SITE_BYTES)
#define CLASS_BYTES 12

static void get_method(struct plan_reader *x, uint32_t class, uint64_t *last)
{
	struct plan_method m = { .class = class, .first_site = x->p->sites.len };
	uint32_t row = x->p->methods.len, next_pc = 0;
	uint32_t name = plan_get_number(x);
	uint32_t desc = plan_get_number(x);
	uint64_t at = (uint64_t)name << 32 | desc;

	m.name = x->strings.rows[name];
	m.desc = x->strings.rows[desc];
	m.code = reader_le8(&x->r);
	m.nsites = wire_read_count(&x->r, SITE_BYTES);
	plan_fail_unless(x, at > *last && m.nsites > 0);
	*last = at;
	for (uint32_t i = 0; i < m.nsites && !x->r.failed; i++)
		get_site(x, row, &next_pc);
	vec_push(&x->p->methods, m);
}

static void get_class(struct plan_reader *x, uint32_t *last)
{
	struct plan_class c = { .first_method = x->p->methods.len, .first_site = x->p->sites.len };
	uint32_t row = x->p->classes.len, name = plan_get_number(x);
	uint64_t last_method = 0;

	plan_fail_unless(x, name > *last);
	*last = name;
	c.name = x->strings.rows[name];
	c.source = plan_get_string(x);
	c.is_jdk = wire_read_u32(&x->r) & IS_JDK;
	c.key = reader_le8(&x->r);
	c.nmethods = wire_read_count(&x->r, METHOD_BYTES);
	for (uint32_t i = 0; i < c.nmethods && !x->r.failed; i++)
		get_method(x, row, &last_method);
	c.nsites = x->p->sites.len - c.first_site;
	vec_push(&x->p->classes, c);
}

static void get_others(struct plan_reader *x)
{
	uint32_t n = wire_read_count(&x->r, 1), last = 0;

	vec_reserve(&x->p->others, n);
	for (uint32_t i = 0; i < n && !x->r.failed; i++) {
		uint32_t name = plan_get_number(x);
		plan_fail_unless(x, name > last);
		last = name;
		vec_push(&x->p->others, x->strings.rows[name]);
	}
}

static void get_all(struct plan_reader *x, struct arena *mem)
{
	uint32_t last = 0;

	x->strings = wire_read_strings(&x->r, mem);
	get_asked(x);
	get_types(x, mem);
	get_lists(x, mem);
	uint32_t n = wire_read_count(&x->r, CLASS_BYTES);
	for (uint32_t i = 0; i < n && !x->r.failed; i++)
		get_class(x, &last);
	get_others(x);
	if (reader_left(&x->r))
		x->p->assume = plan_get_string(x);
	if (x->p->criteria & PLAN_CHAINS)
		plan_get_chains(x);
	if (x->p->criteria & PLAN_DU)
		plan_get_fields(x);
	plan_fail_unless(x, reader_left(&x->r) == 0);
}

bool plan_read(struct plan *p, struct span bytes, struct arena *mem, struct strbuf *err)
{
	struct plan_reader x = { .p = p };

	*p = (struct plan){ 0 };
	if (!wire_unseal(&x.r, bytes, &kind, &p->id, err))
		return false;
	get_all(&x, mem);
	if (!x.r.failed && plan_items(p) <= PLAN_ITEMS)
		return true;
	plan_release(p);
	*p = (struct plan){ 0 };
	strbuf_adds(err, x.r.failed ? "it is a plan, but its tables contradict each other: make it anew" :
				      "it has more than 67108864 requirements: take a smaller --component, a finer --algorithm");
	return false;
}

/* Finding */

uint32_t plan_find_class(const struct plan *p, struct str dotted)
{
	uint32_t lo = 0, hi = p->classes.len;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		int c = str_cmp(p->classes.data[mid].name, dotted);
		if (c == 0)
			return mid;
		*(c < 0 ? &lo : &hi) = c < 0 ? mid + 1 : mid;
	}
	return UINT32_MAX;
}

static uint32_t find_method(const struct plan_method *all, uint32_t lo, uint32_t n, struct str name, struct str desc)
{
	uint32_t hi = lo + n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		int order = str_cmp(all[mid].name, name);
		if (order == 0)
			order = str_cmp(all[mid].desc, desc);
		if (order == 0)
			return mid;
		*(order < 0 ? &lo : &hi) = order < 0 ? mid + 1 : mid;
	}
	return UINT32_MAX;
}

uint32_t plan_find_method(const struct plan *p, uint32_t class, struct str name, struct str desc)
{
	const struct plan_class *c = &p->classes.data[class];

	return find_method(p->methods.data, c->first_method, c->nmethods, name, desc);
}

uint32_t plan_find_body(const struct plan *p, uint32_t class, struct str name, struct str desc)
{
	const struct plan_class *c = &p->classes.data[class];

	return find_method(p->chains.bodies.data, c->first_body, c->nbodies, name, desc);
}

bool plan_range_has(const struct plan *p, struct plan_range list, uint32_t type)
{
	const uint32_t *ids = list.n ? &p->ids.data[list.first] : NULL;
	uint32_t lo = 0, hi = list.n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (ids[mid] == type)
			return true;
		bool is_before = str_cmp(p->types.data[ids[mid]].name, p->types.data[type].name) < 0;
		*(is_before ? &lo : &hi) = is_before ? mid + 1 : mid;
	}
	return false;
}
