/* SPDX-License-Identifier: Apache-2.0 */
/* Providers of services: lines of META-INF/services/SERVICE, and `provides SERVICE with CLASS` of modules. A module on the class path
 * counts as if it were on the module path. */
#include "base/reader.h"
#include "load/loader_p.h"

static class_id class_dotted(struct program *p, struct str name)
{
	struct strbuf text = { 0 };

	for (uint32_t i = 0; i < name.len; i++)
		strbuf_addch(&text, name.p[i] == '.' ? '/' : name.p[i]);
	class_id c = program_class(p, strbuf_str(&text));
	strbuf_release(&text);
	return c;
}

/* Modules */

static void add_provider(struct loader *l, class_id service, class_id provider)
{
	uint32_t *last = map_at(&l->last_provider, service.i);

	vec_push(&l->providers, ((struct provider){ provider, *last }));
	*last = l->providers.len;
}

/* JVMS 4.7.25: what stands before `provides` is passed over. */
static void skip_exports(struct reader *r)
{
	uint32_t n = reader_u2(r);

	for (uint32_t i = 0; i < n && !r->failed; i++) {
		reader_take(r, 4);
		reader_take(r, 2 * (size_t)reader_u2(r));
	}
}

static class_id class_at(struct loader *l, const struct classfile *cf, uint16_t i)
{
	return cf_tag(cf, i) == CP_CLASS ? program_class(l->program, cf_name(cf, i)) : (class_id){ 0 };
}

static void read_provides(struct loader *l, const struct classfile *cf, struct reader *r)
{
	uint32_t n = reader_u2(r);

	for (uint32_t i = 0; i < n && !r->failed; i++) {
		class_id service = class_at(l, cf, reader_u2(r));
		uint32_t nwith = reader_u2(r);
		for (uint32_t k = 0; k < nwith && !r->failed; k++) {
			class_id provider = class_at(l, cf, reader_u2(r));
			if (service.i && provider.i)
				add_provider(l, service, provider);
		}
	}
}

static void read_module(struct loader *l, const struct archive *a, uint32_t entry)
{
	struct span bytes;
	struct classfile cf;
	struct cf_attr attr;

	if (!archive_read(a, entry, &l->program->mem, &bytes, l->program->diag) ||
	    !classfile_parse(&cf, bytes, &l->program->mem, archive_path(a), STR("module-info"), l->program->diag) ||
	    !cf_attr_find(&cf, cf.attrs, "Module", &attr))
		return;
	struct reader r = reader_of((struct span){ cf.bytes.p + attr.body, attr.len });
	reader_take(&r, 6);
	reader_take(&r, 6 * (size_t)reader_u2(&r));
	skip_exports(&r);
	skip_exports(&r);
	reader_take(&r, 2 * (size_t)reader_u2(&r));
	read_provides(l, &cf, &r);
}

static void read_image(struct loader *l, const struct archive *a)
{
	struct strbuf tmp = { 0 };

	for (uint32_t e = 1; e <= archive_count(a); e++)
		if (str_ends(archive_entry_name(a, e, &tmp), "/module-info.class"))
			read_module(l, a, e);
	strbuf_release(&tmp);
}

static void read_modules(struct loader *l)
{
	for (uint32_t i = 1; i < l->path.archives.len; i++) {
		const struct archive *a = l->path.archives.data[i];
		uint32_t entry = archive_find(a, STR("module-info.class"));
		if (archive_kind(a) == ARCHIVE_JIMAGE)
			read_image(l, a);
		else if (entry)
			read_module(l, a, entry);
	}
}

/* Files */

struct listing {
	struct program *p;
	void (*fn)(void *x, class_id provider, bool is_module);
	void *x;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* A class in a line, before '#'. */
static void read_line(const struct listing *k, struct str line)
{
	uint32_t from = 0, to = 0;

	while (to < line.len && line.p[to] != '#')
		to++;
	while (from < to && is_blank(line.p[from]))
		from++;
	while (to > from && is_blank(line.p[to - 1]))
		to--;
	if (to > from && to - from < 1024)
		k->fn(k->x, class_dotted(k->p, str_sub(line, from, to)), false);
}

static void read_file(const struct listing *k, struct str text)
{
	for (uint32_t at = 0; at < text.len;) {
		uint32_t end = at;
		while (end < text.len && text.p[end] != '\n')
			end++;
		read_line(k, str_sub(text, at, end));
		at = end + 1;
	}
}

static void read_files(struct loader *l, class_id service, const struct listing *k)
{
	struct strbuf name = { 0 };

	strbuf_adds(&name, "META-INF/services/");
	print_class(l->program, service, &name);
	for (uint32_t i = 1; i < l->path.archives.len; i++) {
		const struct archive *a = l->path.archives.data[i];
		uint32_t entry = archive_kind(a) == ARCHIVE_JIMAGE ? 0 : archive_find(a, strbuf_str(&name));
		struct span bytes;
		if (entry && archive_read(a, entry, &l->program->mem, &bytes, l->program->diag))
			read_file(k, (struct str){ (const char *)bytes.p, (uint32_t)bytes.len });
	}
	strbuf_release(&name);
}

bool resource_read(void *ctx, struct program *p, struct str name, struct span *out)
{
	struct loader *l = ctx;
	uint32_t n = 0;

	for (uint32_t i = 1; i < l->path.archives.len; i++) {
		const struct archive *a = l->path.archives.data[i];
		uint32_t entry = archive_kind(a) == ARCHIVE_JIMAGE ? 0 : archive_find(a, name);
		n += entry && archive_read(a, entry, &p->mem, out, p->diag);
	}
	return n == 1;
}

void services_list(void *ctx, struct program *p, class_id service, void (*fn)(void *x, class_id provider, bool is_module), void *x)
{
	struct loader *l = ctx;
	struct listing k = { p, fn, x };

	if (!l->knows_modules)
		read_modules(l);
	l->knows_modules = true;
	for (uint32_t i = map_get(&l->last_provider, service.i); i; i = l->providers.data[i - 1].before)
		fn(x, l->providers.data[i - 1].is, true);
	read_files(l, service, &k);
}
