/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/dynamic/dynamic.h"

#include "analysis/dynamic/dispatcher.h"
#include "analysis/dynamic/handles/handle.h"
#include "analysis/dynamic/loaders.h"
#include "analysis/dynamic/made/bundles.h"
#include "analysis/dynamic/made/engines.h"
#include "analysis/dynamic/made/proxies.h"
#include "analysis/dynamic/made/serial.h"
#include "analysis/dynamic/made/services.h"
#include "analysis/dynamic/outside/outside.h"
#include "analysis/dynamic/query.h"
#include "ir/access.h"

/* A call of a method of features.def. */
struct dynamic_site {
	method_id caller;
	uint32_t pc;
	mref_id ref;
	enum dynamic_sort sort;
	uint32_t node;           /* of what it is about; 0: that cannot be said */
	meta *done;              /* what its dispatchers do: a sorted copy */
	uint32_t ndone;
	uint32_t depth;          /* of dispatchers that the caller is within */
	bool is_one;             /* proxies: of one interface at a time */
	bool is_all;             /* what is read, engines: no other classes */
	bool is_listed;          /* the same: it was asked once */
	bool is_told;            /* classes that are found: their names are what callers of class loaders said */
};

#define EACH UINT32_MAX          /* of the methods of a class */
#define MAX_DEPTH 3u             /* a call by reflection of a call by reflection, and so on */

/* A method that was seen to run at a site. */
struct seen {
	uint32_t site;
	method_id method;
	uint8_t file;
};

struct dynamic {
	struct hierarchy *h;
	struct program *p;
	struct values *values;
	const struct dynamic_opt *opt;
	struct dynamic_opt own;                  /* what it points to: it may outlive who gave it */
	VEC(struct dynamic_site) sites;          /* [0] unused */
	uint32_t asked;                          /* sites below it have their nodes */
	struct map site_by_key;                  /* (caller, pc) -> site */
	struct map dispatchers;                  /* method -> site */
	struct map machinery;                    /* (class, name) -> sort: machinery.def */
	meta_list list;                          /* scratch */
	struct engines engines;
	class_id engine_maker;                   /* java/security/Provider$Service, whose reflective calls make them */
	struct outside_index *outside;           /* NULL: there are no facts from outside */
	struct map sources;                      /* dispatcher -> file of facts */
	VEC(struct seen) seen;                   /* to be in the graph: what a fact says that ran */
};

static void read_machinery(struct dynamic *d)
{
	static const struct {
		const char *class, *method;
		enum dynamic_sort sort;
	} rows[] = {
#define MACHINERY(class, method, sort) { class, method, DYNAMIC_##sort },
#include "analysis/dynamic/machinery.def"
#undef MACHINERY
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		class_id c = program_class(d->p, str_of(rows[i].class));
		uint32_t name = rows[i].method ? intern(&d->p->strings, str_of(rows[i].method)).i : EACH;
		*map_at(&d->machinery, map_key(c.i, name)) = rows[i].sort;
	}
}

struct dynamic *dynamic_new(struct hierarchy *h, const struct dynamic_opt *opt)
{
	struct dynamic *d = mem_zalloc(sizeof(*d));

	d->h = h;
	d->p = h->p;
	if (opt)
		d->own = *opt;
	d->opt = &d->own;
	d->values = values_new(h, d->opt);
	d->outside = opt ? outside_index_new(h, opt->outside) : NULL;
	d->engine_maker = program_class(d->p, STR("java/security/Provider$Service"));
	vec_push(&d->sites, (struct dynamic_site){ 0 });
	d->asked = 1;
	read_machinery(d);
	return d;
}

void dynamic_free(struct dynamic *d)
{
	if (!d)
		return;
	for (uint32_t i = 0; i < d->sites.len; i++)
		free(d->sites.data[i].done);
	vec_release(&d->sites);
	map_release(&d->site_by_key);
	map_release(&d->dispatchers);
	map_release(&d->machinery);
	vec_release(&d->list);
	map_release(&d->sources);
	engines_release(&d->engines);
	outside_index_free(d->outside);
	vec_release(&d->seen);
	values_free(d->values);
	free(d);
}

/* What a call does depends on who makes it, too. */
static enum dynamic_sort sort_within(struct dynamic *d, method_id caller, enum dynamic_sort sort)
{
	struct ir_method m = *method_row(d->p, caller);
	uint32_t is = map_get(&d->machinery, map_key(m.owner.i, EACH));

	if (!is)
		is = map_get(&d->machinery, map_key(m.owner.i, sel_row(d->p, m.sel)->name.i));
	/* Of the engines that the library itself asks for, most are for a few programs only: they are listed where they are made. */
	if (sort == DYNAMIC_ENGINE && d->opt->is_library && d->opt->is_library(d->opt->ctx, m.owner))
		return DYNAMIC_SAID;
	return is && sort != DYNAMIC_HANDLE ? (enum dynamic_sort)is : sort;
}

uint32_t dynamic_note(struct dynamic *d, method_id caller, uint32_t pc, mref_id ref, enum dynamic_sort sort)
{
	uint32_t *at = map_at(&d->site_by_key, map_key(caller.i, pc));

	if (!*at) {
		*at = d->sites.len;
		uint32_t within = dynamic_site_of(d, caller), depth = within ? d->sites.data[within].depth + 1 : 0;
		vec_push(&d->sites, ((struct dynamic_site){ .caller = caller, .pc = pc, .ref = ref, .sort = sort_within(d, caller, sort),
							    .depth = depth }));
	}
	return *at;
}

/* The operand of a static method that is declared as this class. */
static uint32_t operand_of(struct dynamic *d, mref_id ref, class_id wanted)
{
	struct ir_mref row = *mref_row(d->p, ref);
	uint32_t at = 0, k = 0;
	class_id type;

	while (sel_next_param(d->p, row.sel, &at, &type) && type.i != wanted.i)
		k++;
	return k;
}

/* How the library makes and invokes handles for others is said where these do. */
static bool is_handle_machinery(const struct dynamic *d, const struct dynamic_site *s)
{
	struct str name = class_name(d->p, method_row(d->p, s->caller)->owner);

	return (s->sort == DYNAMIC_HANDLE || s->sort == DYNAMIC_BIND) && str_starts(name, "java/lang/invoke/");
}

static bool is_static_call(const struct dynamic *d, mref_id ref)
{
	method_id target = mref_row(d->p, ref)->target;

	return target.i && (method_row(d->p, target)->flags & ACCESS_STATIC);
}

/* The value that decides what a call does. */
static void ask(struct dynamic *d, struct dynamic_site *s)
{
	bool is_result = s->sort == DYNAMIC_LOAD || s->sort == DYNAMIC_FIND || s->sort == DYNAMIC_BIND || s->sort == DYNAMIC_WRAP ||
			 s->sort == DYNAMIC_BEAN;
	bool is_other = s->sort >= DYNAMIC_NATIVE || s->sort == DYNAMIC_ANNOTATION || s->sort == DYNAMIC_SAID ||
			s->sort == DYNAMIC_READ;

	if (is_other || s->depth > MAX_DEPTH || is_handle_machinery(d, s))
		return;
	if (s->sort == DYNAMIC_PROXY) {
		s->node = values_elements(d->values, s->caller, s->pc, s->ref, 1, &s->is_one);
		return;
	}
	if (s->sort == DYNAMIC_ENGINE && !is_static_call(d, s->ref))
		return;
	uint32_t k = s->sort == DYNAMIC_ALLOCATE || s->sort == DYNAMIC_INITIALISE;
	if (s->sort == DYNAMIC_SERVICE || s->sort == DYNAMIC_ENGINE)
		k = operand_of(d, s->ref, s->sort == DYNAMIC_SERVICE ? d->p->class_ : d->p->string);
	s->node = is_result ? values_result(d->values, s->caller, s->pc, s->ref) : values_operand(d->values, s->caller, s->pc, s->ref, k);
}

/* What is new of two sorted sets. */
static uint32_t news(const struct dynamic_site *s, struct metas now, meta *out)
{
	uint32_t n = 0;

	for (uint32_t i = 0, k = 0; i < now.n; i++) {
		while (k < s->ndone && s->done[k] < now.data[i])
			k++;
		if (k == s->ndone || s->done[k] != now.data[i])
			out[n++] = now.data[i];
	}
	return n;
}

static int by_number(const void *x, const void *y)
{
	meta a = *(const meta *)x, b = *(const meta *)y;

	return (a > b) - (a < b);
}

static void list_proxies(struct dynamic *d, const struct dynamic_site *s)
{
	struct metas interfaces = values_of(d->values, s->node);
	bool is_assumed = d->opt->level > DYNAMIC_LISTED && interfaces.is_open;

	proxies_list(d->h, interfaces, s->is_one, &d->list);
	if (is_assumed)
		proxies_assumed(d->h, d->opt->level, method_row(d->p, s->caller)->owner,
				values_cast(d->values, s->caller, s->pc, s->ref, s->sort), &d->list);
}

static uint32_t sort_list(meta_list *l)
{
	uint32_t n = 0;

	if (l->len)
		qsort(l->data, l->len, sizeof(meta), by_number);
	for (uint32_t i = 0; i < l->len; i++)
		if (i == 0 || l->data[i] != l->data[n - 1])
			l->data[n++] = l->data[i];
	return n;
}

static void list_read(struct dynamic *d, struct dynamic_site *s)
{
	class_id type = values_cast(d->values, s->caller, s->pc, s->ref, s->sort);

	s->is_listed = true;
	serial_list(d->h, d->opt, method_row(d->p, s->caller)->owner, type, &d->list);
}

/* What it does, as far as it is known. */
static struct metas does(struct dynamic *d, struct dynamic_site *s)
{
	vec_clear(&d->list);
	switch (s->sort) {
	case DYNAMIC_PROXY:
		list_proxies(d, s);
		break;
	case DYNAMIC_READ:
		list_read(d, s);
		break;
	case DYNAMIC_ANNOTATION:
		annotations_list(d->h, &d->list);
		break;
	case DYNAMIC_SERVICE:
		services_list_of(d->h, values_of(d->values, s->node), &d->list);
		break;
	case DYNAMIC_BUNDLE:
		bundles_list(d->h, values_of(d->values, s->node), &d->list);
		break;
	case DYNAMIC_ENGINE:     /* its library makes it: make_engines() */
		break;
	default:
		return values_of(d->values, s->node);
	}
	uint32_t n = sort_list(&d->list);
	return (struct metas){ d->list.data, n, false };
}

/* Sorted sets without a common element become one. */
static void add_done(struct dynamic_site *s, const meta *fresh, uint32_t n)
{
	uint32_t k = s->ndone, at = s->ndone + n;

	s->done = mem_realloc(s->done, at * sizeof(*s->done));
	s->ndone = at;
	while (n) {
		bool is_fresh = !k || fresh[n - 1] > s->done[k - 1];
		s->done[--at] = is_fresh ? fresh[--n] : s->done[--k];
	}
}

static method_id dispatch_news(struct dynamic *d, struct dynamic_site *s)
{
	struct metas now = does(d, s);
	bool is_bound = s->sort == DYNAMIC_BIND && s->ndone;
	meta *fresh = mem_alloc((now.n + 1) * sizeof(*fresh));
	uint32_t n = news(s, now, fresh);
	method_id m = { 0 };

	if (n) {
		add_done(s, fresh, n);
		if (s->sort == DYNAMIC_BIND)
			m = is_bound ? m : values_binder(d->values, s->caller, s->pc);
		else
			m = dispatcher_make(d->h, values_handles(d->values), s->sort, s->ref, !is_static_call(d, s->ref), fresh, n);
	}
	free(fresh);
	return m;
}

static bool sets_fields(struct dynamic *d, const struct dynamic_site *s)
{
	const struct handles *t = values_handles(d->values);

	if (s->sort == DYNAMIC_SET || s->sort == DYNAMIC_READ)
		return true;
	for (uint32_t i = 0; s->sort == DYNAMIC_HANDLE && i < s->ndone; i++)
		if (meta_sort(s->done[i]) == META_HANDLE && handle_writes(t, meta_id(s->done[i])))
			return true;
	return false;
}

/* Facts from outside */

/* Who wants to know what comes to light. */
struct listener {
	struct dynamic *d;
	void (*fn)(void *ctx, const struct dynamic_call *c);
	void *ctx;
	bool is_new;
};

static void tell_dispatcher(struct listener *l, uint32_t site, method_id m)
{
	*map_at(&l->d->dispatchers, m.i) = site;
	if (sets_fields(l->d, &l->d->sites.data[site]))
		values_add_writer(l->d->values, m);
	l->is_new = true;
	l->fn(l->ctx, &(struct dynamic_call){ .site = site, .dispatcher = m });
}

/* What one file says of one site. */
struct saying {
	struct listener *l;
	uint32_t site;
	uint8_t file;
	meta_list fresh;
};

static void dispatch_saying(struct saying *x)
{
	struct dynamic *d = x->l->d;
	struct dynamic_site *s = &d->sites.data[x->site];
	uint32_t n = news(s, (struct metas){ x->fresh.data, sort_list(&x->fresh), false }, x->fresh.data);

	vec_clear(&x->fresh);
	if (!n)
		return;
	add_done(s, x->fresh.data, n);
	method_id m = dispatcher_make(d->h, values_handles(d->values), s->sort, s->ref, !is_static_call(d, s->ref), x->fresh.data, n);
	if (!m.i)
		return;
	*map_at(&d->sources, m.i) = x->file;
	tell_dispatcher(x->l, x->site, m);
}

static void hear(void *ctx, const struct outside_fact *f, meta what)
{
	struct saying *x = ctx;

	if (x->fresh.len && x->file != f->file)
		dispatch_saying(x);
	x->file = f->file;
	vec_push(&x->fresh, what);
	if (f->is_exact && meta_sort(what) == META_METHOD)
		vec_push(&x->l->d->seen, ((struct seen){ x->site, meta_method(what), f->file }));
	/* What is found at a place is used elsewhere. */
	struct dynamic_site *s = &x->l->d->sites.data[x->site];
	bool is_load = s->sort == DYNAMIC_LOAD || s->sort == DYNAMIC_FIND;
	if (is_load && f->caller.i && s->node)
		values_add(x->l->d->values, s->node, what);
}

static void tell_initialiser(void *ctx, class_id of, method_id clinit)
{
	struct listener *l = ctx;

	(void)of;
	l->is_new = true;
	l->fn(l->ctx, &(struct dynamic_call){ .dispatcher = clinit });
}

static void tell_entry(void *ctx, const struct outside_fact *f)
{
	struct listener *l = ctx;
	bool is_class = meta_sort(f->what) == META_CLASS;

	if (is_class && f->sort != DYNAMIC_NEW) {
		hierarchy_initialisers(l->d->h, meta_class(f->what), tell_initialiser, l);
		return;
	}
	struct dynamic_call c = { .dispatcher = { is_class ? 0 : meta_id(f->what) } };
	bool is_static = !is_class && (method_row(l->d->p, c.dispatcher)->flags & ACCESS_STATIC);
	if (!is_static)
		c.made = is_class ? meta_class(f->what) : method_row(l->d->p, c.dispatcher)->owner;
	l->is_new = true;
	l->fn(l->ctx, &c);
}

struct edge_search {
	struct dynamic *d;
	const struct dynamic_graph *g;
	method_id wanted;
	mref_id ref;             /* by which dispatchers call it */
	bool found;
};

static void look_for_method(void *ctx, method_id target)
{
	struct edge_search *x = ctx;

	x->found |= target.i == x->wanted.i;
}

static void look_in_dispatcher(void *ctx, method_id target)
{
	struct edge_search *x = ctx;
	const struct program *p = x->d->p;
	struct arena mem;

	if (x->found || !dynamic_is_dispatcher(x->d, target) || !x->g->is_reached(x->g->ctx, target))
		return;
	arena_init(&mem);
	const struct ir_body *b = p->source.body(p->source.ctx, x->d->p, target, &mem);
	const struct dynamic_targets to = { .x = x, .one = look_for_method };
	for (uint32_t i = 0; b && i < b->nstmts; i++)
		if (ir_is_call(b->stmts[i].op) && b->stmts[i].ref == x->ref.i)
			x->g->targets(x->g->ctx, target, b->stmts[i].pc, x->ref, &to);
	arena_release(&mem);
}

static bool is_called_at(struct dynamic *d, const struct dynamic_graph *g, const struct seen *s)
{
	struct ir_method row = *method_row(d->p, s->method);
	struct dynamic_place at = dynamic_place(d, s->site);
	struct edge_search x = { .d = d, .g = g, .wanted = s->method };

	x.ref = program_mref(d->p, row.owner, row.sel, class_row(d->p, row.owner)->flags & ACCESS_INTERFACE);
	g->targets(g->ctx, at.caller, at.pc, at.ref, &(struct dynamic_targets){ .x = &x, .one = look_in_dispatcher });
	return x.found;
}

/* What ran had a receiver, be it known or not. */
static void call_seen(struct listener *l, const struct dynamic_graph *g)
{
	struct dynamic *d = l->d;

	for (uint32_t i = 0; i < d->seen.len; i++) {
		struct seen s = d->seen.data[i];
		if (!s.method.i || is_called_at(d, g, &s))
			continue;
		d->seen.data[i].method = (method_id){ 0 };
		method_id m = dispatcher_make_exact(d->h, d->sites.data[s.site].ref, meta_of(META_METHOD, s.method.i));
		if (!m.i)
			continue;
		*map_at(&d->sources, m.i) = s.file;
		tell_dispatcher(l, s.site, m);
	}
}

/* Facts without a place are about what is not resolved where nothing is assumed: levels contain each other with them, too. */
static bool needs_no_facts(const struct dynamic *d, uint32_t site)
{
	uint32_t node = d->sites.data[site].node;

	return dynamic_is_resolved(d, site) && !(node && values_is_assumed(d->values, node));
}

/* They come last: what is found without them is not said to be from them. */
static bool apply_outside(struct listener *l, const struct dynamic_graph *g)
{
	struct dynamic *d = l->d;

	if (!d->outside)
		return false;
	outside_hold(d->outside, g, tell_entry, l);
	for (uint32_t i = 1; i < d->sites.len; i++) {
		struct outside_site s = { i, dynamic_place(d, i), d->sites.data[i].sort, needs_no_facts(d, i) };
		struct saying x = { .l = l, .site = i };
		outside_apply(d->outside, &s, hear, &x);
		if (x.fresh.len)
			dispatch_saying(&x);
		vec_release(&x.fresh);
	}
	if (!l->is_new)
		call_seen(l, g);
	return l->is_new;
}

/* Rounds */

/* What the library makes by reflection: classes, or their constructors. */
static void make_engine(struct dynamic *d, class_id c)
{
	meta_list constructors = { 0 };

	engines_constructors(d->p, c, &constructors);
	for (uint32_t i = 1; i < d->sites.len; i++) {
		const struct dynamic_site *s = &d->sites.data[i];
		if (method_row(d->p, s->caller)->owner.i != d->engine_maker.i || !s->node)
			continue;
		if (s->sort == DYNAMIC_NEW)
			values_add(d->values, s->node, meta_of(META_CLASS, c.i));
		for (uint32_t k = 0; s->sort == DYNAMIC_CONSTRUCT && k < constructors.len; k++)
			values_add(d->values, s->node, constructors.data[k]);
	}
	vec_release(&constructors);
}

/* A constructor makes the default one, which may be any. */
static void make_engines(struct dynamic *d, const struct dynamic_graph *g)
{
	bool is_read = false;

	for (uint32_t i = 1; i < d->sites.len; i++) {
		struct dynamic_site *s = &d->sites.data[i];
		if (s->sort != DYNAMIC_ENGINE)
			continue;
		if (!is_read)
			engines_update(&d->engines, d->h, d->opt, g);
		is_read = true;
		struct str type = class_name(d->p, method_row(d->p, mref_row(d->p, s->ref)->target)->owner);
		type = str_sub(type, package_of(type).len + 1, type.len);
		struct metas names = s->node ? values_of(d->values, s->node) : (struct metas){ 0 };
		vec_clear(&d->list);
		s->is_all = engines_list(&d->engines, d->p, type, names, !s->node, &d->list);
		uint32_t n = sort_list(&d->list);
		for (uint32_t k = 0; k < n; k++)
			make_engine(d, meta_class(d->list.data[k]));
	}
}

/* Callers may come to light that say nothing. */
static void ask_loaders(struct dynamic *d, const struct dynamic_graph *g)
{
	struct map methods = { 0 };

	for (uint32_t i = 1; i < d->sites.len; i++) {
		struct dynamic_site *s = &d->sites.data[i];
		bool is_found = s->sort == DYNAMIC_LOAD || s->sort == DYNAMIC_FIND;
		s->is_told = is_found && (!s->node || values_is_open(d->values, s->node)) && loaders_are_told(d, g, i, &methods);
	}
	map_release(&methods);
}

bool dynamic_round(struct dynamic *d, const struct dynamic_graph *g, void (*fn)(void *ctx, const struct dynamic_call *c), void *ctx)
{
	struct listener l = { .d = d, .fn = fn, .ctx = ctx };

	for (; d->asked < d->sites.len; d->asked++)
		ask(d, &d->sites.data[d->asked]);
	values_ask_strings(d->values, g);
	values_trace(d->values, g);
	values_answer_strings(d->values);
	ask_loaders(d, g);
	make_engines(d, g);
	for (uint32_t i = 1; i < d->sites.len; i++) {
		bool is_followed = d->sites.data[i].node || d->sites.data[i].sort == DYNAMIC_ANNOTATION ||
				   (d->sites.data[i].sort == DYNAMIC_READ && !d->sites.data[i].is_listed);
		method_id m = is_followed ? dispatch_news(d, &d->sites.data[i]) : (method_id){ 0 };
		if (m.i)
			tell_dispatcher(&l, i, m);
	}
	return l.is_new || apply_outside(&l, g);
}

uint32_t dynamic_nsites(const struct dynamic *d)
{
	return d->sites.len - 1;
}

struct dynamic_place dynamic_place(const struct dynamic *d, uint32_t site)
{
	const struct dynamic_site *s = &d->sites.data[site];

	return (struct dynamic_place){ s->caller, s->pc, s->ref };
}

uint32_t dynamic_find(const struct dynamic *d, method_id caller, uint32_t pc)
{
	return map_get(&d->site_by_key, map_key(caller.i, pc));
}

bool dynamic_is_resolved(const struct dynamic *d, uint32_t site)
{
	const struct dynamic_site *s = &d->sites.data[site];

	if (s->sort == DYNAMIC_ANNOTATION || s->sort == DYNAMIC_SAID || s->is_told)
		return true;
	if (s->sort == DYNAMIC_READ)
		return s->is_all;
	if (s->sort == DYNAMIC_ENGINE)
		return s->is_all && !(s->node && values_is_open(d->values, s->node));
	return s->node && !values_is_open(d->values, s->node);
}

struct dynamic_why dynamic_why(const struct dynamic *d, uint32_t site)
{
	const struct dynamic_site *s = &d->sites.data[site];

	struct dynamic_why why = { REASON_CALL, s->caller, s->pc, { 0 }, { 0 } };

	if (s->node)
		why = values_why(d->values, s->node);
	const struct dynamic_site *within = &d->sites.data[dynamic_site_of(d, why.method)];
	if (within->caller.i) {
		why.method = within->caller;
		why.pc = within->pc;
	}
	return why;
}

class_id dynamic_cast(struct dynamic *d, uint32_t site)
{
	const struct dynamic_site *s = &d->sites.data[site];
	bool makes = s->sort == DYNAMIC_LOAD || s->sort == DYNAMIC_FIND || s->sort == DYNAMIC_NEW || s->sort == DYNAMIC_CONSTRUCT ||
		     s->sort == DYNAMIC_PROXY || s->sort == DYNAMIC_READ || s->sort == DYNAMIC_ALLOCATE || s->sort == DYNAMIC_BEAN;

	return makes ? values_cast(d->values, s->caller, s->pc, s->ref, s->sort) : (class_id){ 0 };
}

enum dynamic_sort dynamic_sort_of(const struct dynamic *d, uint32_t site)
{
	return d->sites.data[site].is_told ? DYNAMIC_SAID : d->sites.data[site].sort;
}

enum dynamic_level dynamic_level(const struct dynamic *d)
{
	return d->opt->level;
}

struct values *dynamic_values(struct dynamic *d)
{
	return d->values;
}

uint32_t dynamic_node(const struct dynamic *d, uint32_t site)
{
	return d->sites.data[site].node;
}

uint32_t dynamic_site_of(const struct dynamic *d, method_id m)
{
	return map_get(&d->dispatchers, m.i);
}

uint32_t dynamic_source_of(const struct dynamic *d, method_id m)
{
	return map_get(&d->sources, m.i);
}

const uint64_t *dynamic_found(const struct dynamic *d, uint32_t site, uint32_t *n)
{
	*n = d->sites.data[site].ndone;
	return d->sites.data[site].done;
}

void dynamic_handle_members(const struct dynamic *d, uint32_t handle, void (*fn)(void *ctx, uint64_t member), void *ctx)
{
	struct handle h = values_handles(d->values)->rows.data[handle];

	if (h.op >= HANDLE_VIRTUAL && h.op <= HANDLE_NEW)
		fn(ctx, meta_of(META_METHOD, h.of));
	else if (h.op >= HANDLE_GETFIELD && h.op <= HANDLE_PUTSTATIC)
		fn(ctx, meta_of(META_FIELD, h.of));
	for (uint32_t i = 0; i < h.nparts; i++)
		dynamic_handle_members(d, h.parts[i], fn, ctx);
}
