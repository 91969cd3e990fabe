/* SPDX-License-Identifier: Apache-2.0 */
/* interface.c - the interface of a component, from what the user asked for. */
#include <sys/stat.h>

#include "formats/classfile/attributes.h"
#include "session/component/component_p.h"
#include "session/lookup/lines.h"

/* public, protected */

/* Is `c` declared protected in its outer class? The class file calls it public then: only InnerClasses knows better. */
static bool is_protected(struct session *s, class_id c)
{
	const struct unit *u = class_row(&s->program, c)->outer.i ? loader_unit(s->loader, c) : NULL;
	struct cf_inner in;

	if (!u)
		return false;
	struct cf_rows it = cf_inner_classes(&u->cf);
	while (cf_inner_next(&u->cf, &it, &in))
		if (in.inner && str_eq(cf_name(&u->cf, in.inner), class_name(&s->program, c)))
			return (in.access & ACCESS_PROTECTED) != 0;
	return false;
}

static bool is_nested_protected(struct session *s, class_id c)
{
	struct program *p = &s->program;

	for (uint32_t depth = 0; c.i && depth < UINT8_MAX; depth++, c = class_row(p, c)->outer) {
		program_load(p, c);
		if (is_protected(s, c))
			return true;
	}
	return false;
}

bool interface_public(struct interface_builder *b, enum interface_reach reach)
{
	bool any = false;

	for (uint32_t i = 0; i < b->component->classes.len; i++) {
		class_id c = b->component->classes.data[i];
		if (reach == REACH_PROTECTED || !is_nested_protected(b->s, c))
			any |= interface_add_class(&b->h, b->out, c, reach);
	}
	interface_add_handed_out(&b->h, b->out, b->component->classes.data, b->component->classes.len);
	if (!any)
		diag_add(&b->s->inquiry->diag, DIAG_E047, NULL, (struct str){ 0 }, DIAG_NO_OFFSET,
			 "none of the component's %u classes is public; list what clients may use in an interface file",
			 (unsigned)b->component->classes.len);
	return any;
}

/* All of it */

static bool file_exists(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0;
}

static bool is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool add_part(struct interface_builder *b, const char *part)
{
	if (strcmp(part, "public") == 0)
		return interface_public(b, REACH_PUBLIC);
	if (strcmp(part, "protected") == 0)
		return interface_public(b, REACH_PROTECTED);
	if (strncmp(part, "tests:", 6) == 0)
		return interface_tests(b, part + 6);
	if (is_directory(part)) {
		diag_add(&b->s->inquiry->diag, DIAG_E001, part, STR(""), DIAG_NO_OFFSET,
			 "an interface file is a text; to take the interface from compiled tests in a directory write tests:%s", part);
		return false;
	}
	if (file_exists(part))
		return interface_file(b, part);
	diag_add(&b->s->inquiry->diag, DIAG_E001, part, STR(""), DIAG_NO_OFFSET,
		 "there is no such interface file; an interface is public, protected, tests:PATH or a file");
	return false;
}

/* The next of the parts between commas, in `part`; false: no more. */
static bool next_part(const char **text, struct strbuf *part)
{
	if (!*text)
		return false;
	size_t n = strcspn(*text, ",");
	struct str t = str_trim((struct str){ *text, (uint32_t)n });
	strbuf_clear(part);
	strbuf_add(part, t.p, t.len);
	*text = (*text)[n] ? *text + n + 1 : NULL;
	return true;
}

bool interface_of(struct session *s, const char *text, const struct component *c, struct java_interface *out)
{
	struct interface_builder b = { .s = s, .component = c, .out = out };
	struct strbuf part = { 0 };
	bool ok = true;

	*out = (struct java_interface){ 0 };
	hierarchy_init(&b.h, &s->program);
	while (next_part(&text, &part))
		ok = add_part(&b, part.s) && ok;
	if (ok)
		interface_sort(&b.h, out);
	hierarchy_release(&b.h);
	strbuf_release(&part);
	return ok;
}

void interface_tests_path(const char *text, struct strbuf *out)
{
	struct strbuf part = { 0 };

	while (next_part(&text, &part))
		if (strncmp(part.s, "tests:", 6) == 0)
			strbuf_addf(out, "%s%s", out->len ? ":" : "", part.s + 6);
	strbuf_release(&part);
}

/* Is the artifact there for what a manifest of the tests says? */
static bool is_by_tests(const struct session *s, const char *tests, uint32_t artifact)
{
	const struct program *p = &s->program;
	uint32_t by = artifact < p->asked_by.len ? p->asked_by.data[artifact] : 0;

	while (by && !path_has_artifact(s, tests, by))
		by = by < p->asked_by.len ? p->asked_by.data[by] : 0;
	return by != 0;
}

void interface_tell_places(const struct session *s, const char *text, const struct java_interface *i, struct strbuf *out)
{
	struct strbuf tests = { 0 };
	struct map told = { 0 };

	interface_tests_path(text, &tests);
	for (uint32_t k = 0; tests.len && k < i->classes.len; k++) {
		uint32_t artifact = class_row(&s->program, i->classes.data[k])->artifact;
		uint32_t *seen = map_at(&told, artifact);
		if (!*seen && is_by_tests(s, tests.s, artifact))
			strbuf_addf(out, "# needs -cp, where a manifest of the tests adds it: %s\n", s->program.artifacts.data[artifact]);
		*seen = 1;
	}
	map_release(&told);
	strbuf_release(&tests);
}
