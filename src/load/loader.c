/* SPDX-License-Identifier: Apache-2.0 */
#include "load/loader_p.h"

#include <stdlib.h>

#include "base/sys/jobs.h"
#include "formats/classfile/attributes.h"
#include "load/lower/lower.h"

static void load_class(void *ctx, struct program *p, class_id c);
static const struct ir_body *make_body(void *ctx, struct program *p, method_id m, struct arena *mem);
static const struct ir_body *make_outline(void *ctx, struct program *p, method_id m, struct arena *mem);
static void define_body(void *ctx, struct program *p, method_id m, const struct ir_body *b);
static uint32_t line_of(void *ctx, struct program *p, method_id m, uint32_t pc);
static void name_all(void *ctx, struct program *p);
static void each_name(void *ctx, void (*fn)(void *x, struct str name), void *x);
static bool lists_nest_member(void *ctx, struct program *p, class_id host, class_id c);
static struct str signature_of(void *ctx, struct program *p, class_id c, method_id m);

struct loader *loader_of(struct program *p)
{
	return p->source.ctx;
}

static void open_caches(struct loader *l)
{
	vec_push(&l->caches, NULL);
	for (uint32_t i = 1; i <= l->path.njdk; i++) {
		struct archive *a = l->path.archives.data[i];
		vec_push(&l->caches, cache_open(l->program, archive_path(a), archive_count(a)));
	}
}

static struct cache *cache_of(const struct loader *l, uint32_t artifact)
{
	return artifact < l->caches.len ? l->caches.data[artifact] : NULL;
}

void loader_save(struct loader *l)
{
	for (uint32_t i = 0; i < l->caches.len; i++)
		if (l->caches.data[i])
			cache_save(l->caches.data[i]);
}

struct loader *loader_open(struct program *p, const struct loader_opt *opt, struct diag *d)
{
	struct loader *l = mem_zalloc(sizeof(*l));

	l->program = p;
	l->workers = jobs_count(opt->jobs);
	classpath_init(&l->path);
	l->path.no_manifests = opt->no_manifests;
	arena_init(&l->scratch);
	vec_push(&l->bodies, NULL);
	p->source = (struct program_source){ l, load_class, make_body, make_outline, line_of, name_all, each_name, define_body,
					      lists_nest_member, services_list, families_list, resource_read, signature_of };
	p->release = opt->jdk ? jdk_release(opt->jdk) : CF_KNOWN_MAJOR - 44;
	if (opt->jdk && !classpath_add_jdk(&l->path, opt->jdk, p->release, d)) {
		loader_free(l);
		return NULL;
	}
	if (opt->class_path)
		classpath_add(&l->path, opt->class_path, p->release, d);
	for (uint32_t i = 1; i < l->path.archives.len; i++) {
		vec_push(&p->artifacts, archive_path(l->path.archives.data[i]));
		vec_push(&p->asked_by, l->path.asked_by.data[i]);
	}
	if (opt->use_cache)
		open_caches(l);
	models_read(l);
	return l;
}

void loader_free(struct loader *l)
{
	for (uint32_t i = 0; i < l->caches.len; i++)
		if (l->caches.data[i])
			cache_free(l->caches.data[i]);
	vec_release(&l->caches);
	prefetch_release(l);
	classpath_release(&l->path);
	arena_release(&l->scratch);
	vec_release(&l->units);
	vec_release(&l->bodies);
	vec_release(&l->indys);
	map_release(&l->body_of);
	map_release(&l->model_of);
	map_release(&l->indy_at);
	map_release(&l->lambda_of);
	vec_release(&l->providers);
	map_release(&l->last_provider);
	vec_release(&l->family);
	map_release(&l->last_of_family);
	free(l);
}

bool loader_is_jdk(const struct loader *l, uint32_t artifact)
{
	return artifact != 0 && artifact <= l->path.njdk;
}

bool loader_manifest(const struct loader *l, uint32_t artifact, const char *key, struct arena *mem, struct str *value)
{
	return archive_manifest(l->path.archives.data[artifact], key, mem, value);
}

uint32_t loader_first_jar(const struct loader *l)
{
	for (uint32_t i = l->path.njdk + 1; i < l->path.archives.len; i++)
		if (archive_size(l->path.archives.data[i]) && !l->path.asked_by.data[i])
			return i;
	return 0;
}

/* Loading */

static void keep_unit(struct loader *l, class_id c, struct unit *u)
{
	while (l->units.len <= c.i)
		vec_push(&l->units, NULL);
	l->units.data[c.i] = u;
}

static struct unit *read_unit(struct loader *l, struct class_location at, struct str name)
{
	struct program *p = l->program;
	struct archive *a = l->path.archives.data[at.artifact];
	struct unit *u = prefetched(l, at);
	struct span bytes;

	if (!u) {
		u = arena_new(&p->mem, struct unit);
		if (!archive_read(a, at.entry, &p->mem, &bytes, p->diag) ||
		    !classfile_parse(&u->cf, bytes, &p->mem, archive_path(a), name, p->diag))
			return NULL;
	}
	struct str self = cf_name(&u->cf, u->cf.this_class);
	if (str_eq(self, name))
		return u;
	diag_add(p->diag, DIAG_E014, archive_path(a), name, DIAG_NO_OFFSET, "the class file defines %.*s; it is skipped",
		 (int)self.len, self.p);
	return NULL;
}

struct unit *loader_unit(struct loader *l, class_id c)
{
	struct ir_class row = *class_row(l->program, c);
	struct unit *u = row.kind == CLASS_FILE && c.i < l->units.len ? l->units.data[c.i] : NULL;

	if (u || row.kind != CLASS_FILE || row.artifact == 0)
		return u;
	u = read_unit(l, (struct class_location){ row.artifact, row.entry }, class_name(l->program, c));
	if (!u || u->cf.nmethods != row.nmethods)
		return NULL;
	u->self = c;
	keep_unit(l, c, u);
	return u;
}

static void fill_header(struct program *p, class_id c, struct unit *u)
{
	class_id *interfaces = arena_array(&p->mem, class_id, u->cf.ninterfaces);
	class_id super = { 0 };

	for (uint32_t i = 0; i < u->cf.ninterfaces; i++)
		interfaces[i] = unit_class(p, u, u->cf.interfaces[i]);
	if (c.i != p->object.i)
		super = u->cf.super_class && !(u->cf.access & ACC_INTERFACE) ? unit_class(p, u, u->cf.super_class) : p->object;
	struct ir_class *row = class_row(p, c);
	row->flags = u->cf.access;
	row->super = super;
	row->interfaces = interfaces;
	row->ninterfaces = u->cf.ninterfaces;
}

static void fill_members(struct program *p, class_id c, struct unit *u)
{
	const struct classfile *cf = &u->cf;

	for (uint16_t i = 0; i < cf->nfields; i++) {
		const struct cf_member *f = &cf->fields[i];
		program_add_field(p, c, program_sel(p, cf_utf8(cf, f->name), cf_utf8(cf, f->desc)), f->access);
	}
	for (uint16_t i = 0; i < cf->nmethods; i++) {
		const struct cf_member *m = &cf->methods[i];
		program_add_method(p, c, program_sel(p, cf_utf8(cf, m->name), cf_utf8(cf, m->desc)), m->access, i);
	}
}

static void fill_outer(struct program *p, class_id c, struct unit *u)
{
	struct cf_rows it = cf_inner_classes(&u->cf);
	struct cf_inner in;

	while (cf_inner_next(&u->cf, &it, &in)) {
		if (!in.inner || !in.outer || !str_eq(cf_name(&u->cf, in.inner), class_name(p, c)))
			continue;
		class_id outer = unit_class(p, u, in.outer);
		class_row(p, c)->outer = outer;
		class_row(p, c)->inner_flags = in.access;
		return;
	}
}

static void fill_attributes(struct program *p, class_id c, struct unit *u)
{
	struct cf_attrs it = cf_attrs(&u->cf, u->cf.attrs);
	struct cf_attr a;

	while (cf_attrs_next(&u->cf, &it, &a)) {
		if (str_eq(a.name, STR("NestHost"))) {
			class_id host = unit_class(p, u, cf_u2(&u->cf, a.body));
			class_row(p, c)->nest_host = host;
		}
		if (str_eq(a.name, STR("Record")))
			class_row(p, c)->is_record = 1;
		else if (str_eq(a.name, STR("PermittedSubclasses")))
			class_row(p, c)->is_sealed = 1;
		else if (str_eq(a.name, STR("InnerClasses")))
			fill_outer(p, c, u);
	}
	uint16_t signature = cf_signature(&u->cf, u->cf.attrs);
	class_row(p, c)->is_generic = signature && str_starts(cf_utf8(&u->cf, signature), "<");
	/* Local and anonymous classes are members of none. */
	struct cf_enclosing in = cf_enclosing(&u->cf);
	if (in.owner && !class_row(p, c)->outer.i) {
		class_id outer = unit_class(p, u, in.owner);
		class_row(p, c)->outer = outer;
	}
}

/* Grows with every diagnostic. */
static uint64_t complaints(const struct program *p)
{
	return p->diag ? (uint64_t)p->diag->entries.len + p->diag->dropped : 0;
}

static bool parse_class(struct loader *l, class_id c, struct class_location at)
{
	struct program *p = l->program;
	uint64_t before = complaints(p);
	struct unit *u = read_unit(l, at, class_name(p, c));

	if (!u)
		return false;
	u->self = c;
	keep_unit(l, c, u);
	fill_header(p, c, u);
	fill_members(p, c, u);
	fill_attributes(p, c, u);
	if (cache_of(l, at.artifact) && complaints(p) == before)
		cache_learn_class(cache_of(l, at.artifact), c, at.entry, u);
	return true;
}

static void load_class(void *ctx, struct program *p, class_id c)
{
	struct loader *l = ctx;
	struct class_location at = classpath_find(&l->path, class_name(p, c));
	struct cache *cache = cache_of(l, at.artifact);

	if (!at.artifact || (!(cache && cache_load(cache, c, at.entry)) && !parse_class(l, c, at))) {
		class_row(p, c)->is_referred |= at.artifact != 0;      /* damaged: it is there, and is listed */
		program_make_phantom(p, c);
		return;
	}
	class_row(p, c)->artifact = at.artifact;
	class_row(p, c)->entry = at.entry;
	models_apply(l, c);
}

static void each_name(void *ctx, void (*fn)(void *x, struct str name), void *x)
{
	struct loader *l = ctx;
	struct strbuf tmp = { 0 };

	for (uint32_t i = 1; i < l->path.archives.len; i++)
		for (uint32_t e = 1; e <= archive_count(l->path.archives.data[i]); e++) {
			struct str name = archive_class_name(l->path.archives.data[i], e, &tmp);
			if (name.len)
				fn(x, name);
		}
	strbuf_release(&tmp);
}

static void name_class(void *x, struct str name)
{
	program_class(x, name);
}

static void name_all(void *ctx, struct program *p)
{
	struct loader *l = ctx;

	each_name(l, name_class, p);
	if (l->workers > 1 && !l->ahead)
		prefetch_all(l);
}

static bool lists_nest_member(void *ctx, struct program *p, class_id host, class_id c)
{
	struct loader *l = ctx;
	struct cache *cache = cache_of(l, class_row(p, host)->artifact);
	uint16_t member;
	bool listed;

	if (class_row(p, c)->kind == CLASS_SYNTHETIC)
		return class_row(p, host)->kind != CLASS_PHANTOM;
	if (cache && cache_nest(cache, host, c, &listed))
		return listed;
	const struct unit *u = loader_unit(l, host);
	if (!u)
		return class_row(p, host)->kind != CLASS_PHANTOM;
	struct cf_rows it = cf_nest_members(&u->cf);
	while (cf_index_next(&u->cf, &it, &member))
		if (str_eq(cf_name(&u->cf, member), class_name(p, c)))
			return true;
	return false;
}

static struct str signature_of(void *ctx, struct program *p, class_id c, method_id m)
{
	const struct unit *u = class_row(p, c)->kind == CLASS_FILE ? loader_unit(ctx, c) : NULL;

	if (!u)
		return (struct str){ 0 };
	uint16_t i = cf_signature(&u->cf, m.i ? u->cf.methods[method_row(p, m)->index].attrs : u->cf.attrs);
	return i ? cf_utf8(&u->cf, i) : (struct str){ 0 };
}

void loader_name_artifact(struct loader *l, uint32_t artifact, void (*each)(void *ctx, class_id c), void *ctx)
{
	struct archive *a = l->path.archives.data[artifact];
	struct strbuf tmp = { 0 };

	for (uint32_t e = 1; e <= archive_count(a); e++) {
		struct str name = archive_class_name(a, e, &tmp);
		if (name.len)
			each(ctx, program_class(l->program, name));
	}
	strbuf_release(&tmp);
}

bool loader_lambda(const struct loader *l, class_id c, struct lambda_facts *out)
{
	uint32_t row = map_get(&l->lambda_of, c.i);
	const struct ir_class *cls = class_row(l->program, c);

	if (!row)
		return false;
	const struct indy *a = &l->indys.data[row - 1];
	*out = (struct lambda_facts){ cls->outer, cls->interfaces[0], a->helper, a->helper_kind };
	return true;
}

/* Constant pool */

static uint32_t *id_at(struct program *p, struct unit *u, uint16_t cp)
{
	if (!u->ids)
		u->ids = arena_zarray(&p->mem, uint32_t, u->cf.ncp);
	return &u->ids[cp];
}

class_id unit_class(struct program *p, struct unit *u, uint16_t cp)
{
	uint32_t *id = id_at(p, u, cp);

	if (!*id) {
		*id = program_class(p, cf_name(&u->cf, cp)).i;
		class_row(p, (class_id){ *id })->is_referred = 1;
	}
	return (class_id){ *id };
}

mref_id unit_mref(struct program *p, struct unit *u, uint16_t cp)
{
	uint32_t *id = id_at(p, u, cp);

	if (!*id) {
		struct cf_ref r = cf_ref(&u->cf, cp);
		class_id owner = unit_class(p, u, r.owner);
		*id = program_mref(p, owner, program_sel(p, r.name, r.desc), cf_tag(&u->cf, cp) == CP_IMETHOD).i;
	}
	return (mref_id){ *id };
}

fref_id unit_fref(struct program *p, struct unit *u, uint16_t cp)
{
	uint32_t *id = id_at(p, u, cp);

	if (!*id) {
		struct cf_ref r = cf_ref(&u->cf, cp);
		class_id owner = unit_class(p, u, r.owner);
		*id = program_fref(p, owner, program_sel(p, r.name, r.desc)).i;
	}
	return (fref_id){ *id };
}

str_id unit_string(struct program *p, struct unit *u, uint16_t cp)
{
	return intern(&p->strings, cf_name(&u->cf, cp));
}

/* Bodies */

void loader_set_body(struct loader *l, method_id m, const struct ir_body *b)
{
	*map_at(&l->body_of, m.i) = l->bodies.len;
	vec_push(&l->bodies, b);
}

static void define_body(void *ctx, struct program *p, method_id m, const struct ir_body *b)
{
	(void)p;
	loader_set_body(ctx, m, b);
}

static const struct ir_body *made_body(const struct loader *l, method_id m)
{
	return l->bodies.data[map_get(&l->body_of, m.i)];
}

/* The class file of a method that has code, or NULL. */
static struct unit *unit_with_code(struct loader *l, method_id m)
{
	const struct ir_method *row = method_row(l->program, m);
	struct unit *u = loader_unit(l, row->owner);

	return u && u->cf.methods[row->index].code ? u : NULL;
}

static const struct ir_body *make_body(void *ctx, struct program *p, method_id m, struct arena *mem)
{
	struct loader *l = ctx;
	struct unit *u = unit_with_code(l, m);

	if (!u)
		return made_body(l, m);
	arena_clear(&l->scratch);
	const struct ir_body *b = lower_method(p, u, method_row(p, m)->index, mem, &l->scratch);
#ifdef SHERD_CHECK
	const char *reason;
	if (b && !body_check(b, &l->scratch, &reason))
		BUG("%s.%s: %s", class_name(p, u->self).p, sel_name(p, method_row(p, m)->sel).p, reason);
#endif
	return b;
}

static const struct ir_body *parse_outline(struct loader *l, struct cache *cache, method_id m, struct arena *mem)
{
	struct program *p = l->program;
	struct unit *u = unit_with_code(l, m);
	uint64_t before = complaints(p);

	if (!u)
		return made_body(l, m);
	const struct ir_body *b = outline_method(p, u, method_row(p, m)->index, mem);
	if (b && cache && complaints(p) == before)
		cache_learn_outline(cache, m, b);
	return b;
}

static const struct ir_body *make_outline(void *ctx, struct program *p, method_id m, struct arena *mem)
{
	struct loader *l = ctx;
	struct cache *cache = cache_of(l, class_row(p, method_row(p, m)->owner)->artifact);
	struct ir_body *b = arena_new(mem, struct ir_body);

	switch (cache ? cache_outline(cache, m, mem, b) : CACHE_UNKNOWN) {
	case CACHE_OUTLINE:
		return b;
	case CACHE_NO_CODE:
		return made_body(l, m);
	default:
		return parse_outline(l, cache, m, mem);
	}
}

static uint32_t line_of(void *ctx, struct program *p, method_id m, uint32_t pc)
{
	struct unit *u = unit_with_code(ctx, m);

	return u ? cf_line(&u->cf, &u->cf.methods[method_row(p, m)->index], pc) : 0;
}
