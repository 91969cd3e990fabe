/* SPDX-License-Identifier: Apache-2.0 */
/* Families of classes: those whose names differ in what follows the first '_', as bundles of resources for languages do. */
#include "load/loader_p.h"

/* p/Texts of p/Texts_de; all of it where there is no '_'. */
static struct str family_of(struct str name)
{
	uint32_t from = (uint32_t)(str_rfind(name, '/') + 1);

	while (from < name.len && name.p[from] != '_')
		from++;
	return str_sub(name, 0, from);
}

static void add_member(struct loader *l, struct str name)
{
	struct program *p = l->program;
	uint32_t *last = map_at(&l->last_of_family, intern(&p->strings, family_of(name)).i);

	vec_push(&l->family, ((struct family_member){ intern(&p->strings, name), *last }));
	*last = l->family.len;
}

static void read_families(struct loader *l)
{
	struct strbuf tmp = { 0 };

	for (uint32_t i = 1; i < l->path.archives.len; i++) {
		const struct archive *a = l->path.archives.data[i];
		for (uint32_t e = 1; e <= archive_count(a); e++) {
			struct str name = archive_class_name(a, e, &tmp);
			if (family_of(name).len < name.len)
				add_member(l, name);
		}
	}
	strbuf_release(&tmp);
}

void families_list(void *ctx, struct program *p, struct str name, void (*fn)(void *x, class_id c), void *x)
{
	struct loader *l = ctx;
	struct strbuf prefix = { 0 };

	if (!l->knows_families)
		read_families(l);
	l->knows_families = true;
	if (classpath_find(&l->path, name).artifact)
		fn(x, program_class(p, name));
	strbuf_addstr(&prefix, name);
	strbuf_addch(&prefix, '_');
	for (uint32_t i = map_get(&l->last_of_family, intern(&p->strings, family_of(name)).i); i; i = l->family.data[i - 1].before) {
		str_id member = l->family.data[i - 1].name;
		if (str_starts(interned(&p->strings, member), prefix.s))
			fn(x, program_class_id(p, member));
	}
	strbuf_release(&prefix);
}
