/* SPDX-License-Identifier: Apache-2.0 */
/* types.c - which types of a plan a class of a run may be. Ordinary classes have the same name; lambdas are told apart by their
 * host, interface and body; all arrays are one class. */
#include <stdlib.h>

#include "base/sort.h"
#include "coverage/coverage_p.h"

/* Index of the plan: lists of types that have the same text, in the order of rows. */

static uint32_t name_id(struct joined_types *t, struct str s)
{
	uint32_t id = intern(&t->names, s).i;

	while (t->first_of.len <= id)
		vec_push(&t->first_of, 0);
	return id;
}

static uint32_t find(struct joined_types *t, struct str s)
{
	str_id id;

	return interner_find(&t->names, s, &id) ? t->first_of.data[id.i] : 0;
}

/* Texts of classes have no blanks: these cannot be mixed up with names. */
static struct str host_key(struct joined_types *t, struct str host, struct str interface)
{
	strbuf_clear(&t->key);
	strbuf_addstr(&t->key, host);
	strbuf_addch(&t->key, ' ');
	strbuf_addstr(&t->key, interface);
	return strbuf_str(&t->key);
}

static struct str body_key(struct joined_types *t, struct str host, struct str interface, struct str body)
{
	host_key(t, host, interface);
	strbuf_addch(&t->key, ' ');
	strbuf_addstr(&t->key, body);
	return strbuf_str(&t->key);
}

static void list_type(struct joined_types *t, uint32_t *next, uint32_t type, struct str s)
{
	uint32_t id = name_id(t, s);

	next[type] = t->first_of.data[id];
	t->first_of.data[id] = type;
}

void joined_types_init(struct joined_types *t, const struct plan *p)
{
	*t = (struct joined_types){ .plan = p };
	interner_init(&t->keys);
	interner_init(&t->names);
	vec_push(&t->rows, (struct joined_type){ 0 });
	t->next_name = mem_zalloc(p->types.len * sizeof(uint32_t));
	t->next_host = mem_zalloc(p->types.len * sizeof(uint32_t));
	t->next_body = mem_zalloc(p->types.len * sizeof(uint32_t));
	for (uint32_t i = p->types.len; i-- > 1;) {
		const struct plan_type *x = &p->types.data[i];
		list_type(t, t->next_name, i, x->name);
		if (x->sort != PLAN_LAMBDA)
			continue;
		list_type(t, t->next_host, i, host_key(t, x->host, x->interface));
		list_type(t, t->next_body, i, body_key(t, x->host, x->interface, x->body));
	}
}

void joined_types_release(struct joined_types *t)
{
	interner_release(&t->keys);
	interner_release(&t->names);
	vec_release(&t->rows);
	vec_release(&t->candidates);
	vec_release(&t->first_of);
	free(t->next_name);
	free(t->next_host);
	free(t->next_body);
	strbuf_release(&t->key);
}

/* Candidates: added behind those of the last joined type. */

static void add_named(struct joined_types *t, struct str name, enum plan_type_sort sort)
{
	for (uint32_t i = find(t, name); i; i = t->next_name[i])
		if (t->plan->types.data[i].sort == sort)
			vec_push(&t->candidates, i);
}

static void drop_doubles(struct joined_types *t, uint32_t from)
{
	t->candidates.len = from + sort_ids(t->candidates.data + from, t->candidates.len - from);
}

/* What a lambda's class mentions: the method that it runs; what turns int into Integer and back, which it may run, too; what
 * every such class may mention and tells nothing. */
enum mention { RUNS, CONVERTS, TELLS_NOTHING };

static bool is_primitive(char c)
{
	return c && strchr("ZBCSIJFD", c);
}

/* Integer.valueOf(I) or intValue() of a class of java.lang */
static bool is_conversion(struct str s)
{
	uint32_t open = 0, dot = 0;

	for (; open < s.len && s.p[open] != '('; open++)
		if (s.p[open] == '.')
			dot = open;
	if (!str_is(str_sub(s, 0, dot < 10 ? dot : 10), "java.lang.") || open + 2 >= s.len)
		return false;
	struct str name = str_sub(s, dot + 1, open);
	return str_is(name, "valueOf") ? is_primitive(s.p[open + 1]) && s.p[open + 2] == ')' :
					 str_ends(name, "Value") && s.p[open + 1] == ')' && is_primitive(s.p[open + 2]);
}

static enum mention mention_of(struct str s)
{
	if (str_starts(s, "java.lang.Object.<init>(") || str_starts(s, "java.lang.invoke.SerializedLambda.<init>(") ||
	    str_starts(s, "java.io.NotSerializableException.<init>("))
		return TELLS_NOTHING;
	return is_conversion(s) ? CONVERTS : RUNS;
}

/* The lambdas of an interface that run one of the methods that are mentioned so. True: there is such a mention. */
static bool add_bodies(struct joined_types *t, const struct run_type *x, struct str interface, const struct str *bodies,
		       enum mention sort)
{
	bool is_mentioned = false;

	for (uint32_t k = 0; k < x->nbodies; k++) {
		if (mention_of(bodies[k]) != sort)
			continue;
		is_mentioned = true;
		for (uint32_t m = find(t, body_key(t, x->host, interface, bodies[k])); m; m = t->next_body[m])
			vec_push(&t->candidates, m);
	}
	return is_mentioned;
}

/* Object::new: every class mentions that constructor, so that agents may leave it out. */
static void add_constructor(struct joined_types *t, struct str host, struct str interface)
{
	struct str body = STR("java.lang.Object.<init>()V");

	for (uint32_t m = find(t, body_key(t, host, interface, body)); m; m = t->next_body[m])
		vec_push(&t->candidates, m);
}

/* Some are run by a method handle that the class does not mention. */
static bool hides_body(const struct run_type *x, const struct str *bodies)
{
	for (uint32_t k = 0; k < x->nbodies; k++)
		if (mention_of(bodies[k]) == RUNS)
			return str_starts(bodies[k], "java.lang.invoke.MethodHandle.invoke");
	return true;
}

/* A lambda whose body is not known is one, if its host has but one of that interface. */
static void add_only(struct joined_types *t, const struct run_type *x, const struct str *interfaces)
{
	uint32_t only = 0, n = 0;

	for (uint32_t i = 0; i < x->ninterfaces; i++)
		for (uint32_t m = find(t, host_key(t, x->host, interfaces[i])); m && n < 2; m = t->next_host[m], n++)
			only = m;
	if (n == 1)
		vec_push(&t->candidates, only);
}

/* A method reference that is written several times is several types of the plan, but cannot be told apart in a run. */
static void add_lambdas(struct joined_types *t, const struct run *r, const struct run_type *x)
{
	uint32_t from = t->candidates.len;

	if (x->ninterfaces == 0)
		return;
	const struct str *interfaces = &r->facts.data[x->first_fact], *bodies = interfaces + x->ninterfaces;
	for (uint32_t i = 0; i < x->ninterfaces; i++)
		if (!add_bodies(t, x, interfaces[i], bodies, RUNS) && !add_bodies(t, x, interfaces[i], bodies, CONVERTS))
			add_constructor(t, x->host, interfaces[i]);
	if (t->candidates.len == from && hides_body(x, bodies))
		add_only(t, x, interfaces);
	drop_doubles(t, from);
}

/* Where it comes from */

static bool is_other(const struct plan *p, struct str name)
{
	uint32_t lo = 0, hi = p->others.len;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		int c = str_cmp(p->others.data[mid], name);
		if (c == 0)
			return true;
		*(c < 0 ? &lo : &hi) = c < 0 ? mid + 1 : mid;
	}
	return false;
}

static enum cov_origin origin_of(const struct plan *p, const struct run_type *x)
{
	struct str name = x->flags & RUN_LAMBDA ? x->host : x->name;

	if (plan_find_class(p, name) != NONE)
		return COV_COMPONENT;
	if ((x->flags & RUN_PROXY) || ((x->flags & RUN_HIDDEN) && (!(x->flags & RUN_LAMBDA) || x->host.len == 0)))
		return COV_GENERATED;
	if ((x->flags & RUN_ARRAY) || x->loader == RUN_BOOT || x->loader == RUN_PLATFORM || is_other(p, name))
		return COV_LIBRARY;
	return COV_CLIENT;
}

/* Names */

static bool is_owned_by(struct str member, struct str class)
{
	return member.len > class.len && member.p[class.len] == '.' && str_eq(str_sub(member, 0, class.len), class);
}

/* What a lambda runs: a method of its host, if it mentions one; else what is not the constructor of its superclass. */
static struct str body_of(const struct run *r, const struct run_type *x)
{
	struct str body = STR("");

	for (uint32_t i = 0; i < x->nbodies; i++) {
		struct str s = r->facts.data[x->first_fact + x->ninterfaces + i];
		if (is_owned_by(s, x->host))
			return s;
		if (body.len == 0 && !str_is(s, "java.lang.Object.<init>()V"))
			body = s;
	}
	return body;
}

/* Numbers in names of lambdas differ from run to run: p.L$$Lambda$14 is named by what it runs. */
static void put_name(const struct run *r, const struct run_type *x, struct strbuf *out)
{
	if (x->flags & RUN_ARRAY) {
		strbuf_adds(out, "java.lang.Object[]");
	} else if (x->flags & RUN_LAMBDA && x->host.len) {
		struct str body = body_of(r, x);
		strbuf_addstr(out, x->host);
		strbuf_adds(out, "$$Lambda(");
		strbuf_addstr(out, body);
		strbuf_addch(out, ')');
	} else {
		strbuf_addstr(out, x->name);
	}
}

static void add_candidates(struct joined_types *t, const struct run *r, const struct run_type *x)
{
	if (x->flags & RUN_ARRAY)
		add_named(t, STR("java.lang.Object[]"), PLAN_ARRAY);
	else if (x->flags & RUN_LAMBDA)
		add_lambdas(t, r, x);
	else
		add_named(t, x->name, PLAN_CLASS);
}

uint32_t joined_type(struct joined_types *t, const struct run *r, const struct run_type *x, struct arena *mem)
{
	struct joined_type row = { .origin = (uint8_t)origin_of(t->plan, x), .first = t->candidates.len };
	struct strbuf key = { 0 };

	add_candidates(t, r, x);
	row.n = t->candidates.len - row.first;
	if (row.n)
		strbuf_addstr(&key, t->plan->types.data[t->candidates.data[row.first]].name);
	else
		put_name(r, x, &key);
	row.name.len = (uint32_t)key.len;
	strbuf_addf(&key, " %u", row.origin);
	for (uint32_t i = 0; i < row.n; i++)
		strbuf_addf(&key, " %u", t->candidates.data[row.first + i]);
	uint32_t id = intern(&t->keys, strbuf_str(&key)).i;
	if (id == t->rows.len) {
		row.name.p = arena_copy(mem, key.s, row.name.len);
		vec_push(&t->rows, row);
	} else {
		t->candidates.len = row.first;
	}
	strbuf_release(&key);
	return id;
}
