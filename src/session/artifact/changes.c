/* SPDX-License-Identifier: Apache-2.0 */
#include "session/artifact/changes.h"

#include <stdlib.h>

#include "base/digest.h"

#define NAMES_SHOWN 5

static int by_name(const void *a, const void *b)
{
	return str_cmp(((const struct class_file *)a)->name, ((const struct class_file *)b)->name);
}

static struct str name_of(const struct session *s, class_id c, struct arena *mem)
{
	struct strbuf name = { 0 };

	print_class(&s->program, c, &name);
	struct str copy = { arena_copy(mem, name.s, name.len), (uint32_t)name.len };
	strbuf_release(&name);
	return copy;
}

void class_files_note(struct session *s, const struct component *c, struct class_files *out)
{
	for (uint32_t i = 0; i < c->classes.len; i++) {
		class_id k = c->classes.data[i];
		const struct unit *u = session_is_application(s, k) ? loader_unit(s->loader, k) : NULL;
		if (u)
			vec_push(&out->rows, ((struct class_file){ name_of(s, k, &out->mem),
								   digest_add(DIGEST_START, u->cf.bytes.p, u->cf.bytes.len) }));
	}
	if (out->rows.len)
		qsort(out->rows.data, out->rows.len, sizeof(*out->rows.data), by_name);
}

void class_files_release(struct class_files *f)
{
	vec_release(&f->rows);
	arena_release(&f->mem);
}

/* Calls each(ctx, name) for what is not the same in both. */
static void compare(const struct class_files *a, const struct class_files *b, void (*each)(void *ctx, struct str name),
		    void *ctx)
{
	uint32_t i = 0, k = 0;

	while (i < a->rows.len || k < b->rows.len) {
		const struct class_file *x = i < a->rows.len ? &a->rows.data[i] : NULL;
		const struct class_file *y = k < b->rows.len ? &b->rows.data[k] : NULL;
		int order = !x ? 1 : !y ? -1 : by_name(x, y);
		if (order != 0 || x->digest != y->digest)
			each(ctx, order <= 0 ? x->name : y->name);
		i += order <= 0;
		k += order >= 0;
	}
}

struct changed {
	uint32_t n;
	struct strbuf *names;
};

static void add_changed(void *ctx, struct str name)
{
	struct changed *c = ctx;

	if (c->n++ >= NAMES_SHOWN)
		return;
	strbuf_adds(c->names, c->n > 1 ? ", " : "");
	strbuf_addstr(c->names, name);
}

uint32_t class_files_changed(const struct class_files *before, const struct session_opt *path, const struct fragment_opt *o,
			     struct strbuf *names)
{
	struct class_files after = { 0 };
	struct changed changed = { 0, names };
	struct component found = { 0 };
	struct strbuf tests = { 0 };
	struct session s;
	struct inquiry unheard;           /* what is wrong was said when the plan was made */

	if (!before->rows.len)
		return 0;
	interface_tests_path(fragment_interface(o), &tests);
	inquiry_init(&unheard, PHASES_JAVA);
	if (session_open(&s, &unheard, path)) {
		component_classes(&s, o->component, tests.len ? tests.s : NULL, &found);     /* as much as there is */
		class_files_note(&s, &found, &after);
	}
	compare(before, &after, add_changed, &changed);
	if (changed.n > NAMES_SHOWN)
		strbuf_addf(names, " and %u more", changed.n - NAMES_SHOWN);
	component_release(&found);
	class_files_release(&after);
	session_close(&s);
	inquiry_release(&unheard);
	strbuf_release(&tests);
	return changed.n;
}
