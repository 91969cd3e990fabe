/* SPDX-License-Identifier: Apache-2.0 */
/* Methods of the JDK that are known to call nothing back: quiet.def. */
#include "analysis/pta/reach/reach_p.h"

#include <string.h>

struct quiet_row { const char *cls, *method, *unless; };
static const struct quiet_row rows[] = {
#define QUIET(cls, method, unless) { cls, method, unless },
#include "analysis/pta/reach/quiet.def"
#undef QUIET
};

struct types { VEC(class_id) of; };

static bool fits(struct str name, struct str pattern)
{
	uint32_t n = pattern.len;

	if (n && pattern.p[n - 1] == '*')
		return name.len >= n - 1 && memcmp(name.p, pattern.p, n - 1) == 0;
	return name.len == n && memcmp(name.p, pattern.p, n) == 0;
}

/* Where classes of the JDK are the application, they take part as others do, and so do those of the JDK that name them, or name one
 * that does: code of these may call them without an object. What is left of the JDK knows them as it knows any application. */
struct naming { class_id by, named; };
struct asked {
	const struct pta *a;
	const struct reach_opt *opt;
	struct map is;                   /* class -> 1; empty where no class of the JDK's is */
	VEC(struct naming) names;
};

static bool is_asked_about(const struct asked *x, class_id c)
{
	return map_get(&x->is, written_in(x->a, c).i);
}

static void find_asked(struct asked *x)
{
	const struct pta *a = x->a;

	for (uint32_t i = 0; i < a->reached.len; i++) {
		class_id owner = method_row(a->p, a->reached.data[i])->owner;
		bool is_made = class_row(a->p, owner)->kind == CLASS_SYNTHETIC;
		if (!is_made && !is_application(a, owner) && !x->opt->is_library(x->opt->ctx, a->reached.data[i]))
			*map_at(&x->is, owner.i) = 1;
	}
}

static void add_naming(struct asked *x, class_id by, class_id named)
{
	if (named.i && named.i != by.i)
		vec_push(&x->names, ((struct naming){ by, named }));
}

/* By calls, and by statements that may initialise a class. Code that nobody wrote is on the way of calls by objects. */
static void find_names(struct asked *x)
{
	const struct pta *a = x->a;

	for (uint32_t i = 0; i < a->reached.len; i++) {
		class_id by = written_in(a, method_row(a->p, a->reached.data[i])->owner);
		const struct template *t = a->templates.data[a->reached.data[i].i];
		if (class_row(a->p, by)->kind == CLASS_SYNTHETIC || is_application(a, by))
			continue;
		for (uint32_t k = t->first_site; k < t->first_site + t->nsites; k++)
			add_naming(x, by, written_in(a, mref_row(a->p, a->sites.data[k].link.site.mref)->owner));
		for (uint32_t k = 0; k < t->ninitialised; k++)
			add_naming(x, by, t->initialises[k]);
	}
}

static void find_asked_about(struct asked *x)
{
	bool is_more;

	find_asked(x);
	if (!x->is.len)
		return;
	find_names(x);
	do {
		is_more = false;
		for (uint32_t i = 0; i < x->names.len; i++) {
			const struct naming *n = &x->names.data[i];
			if (map_get(&x->is, n->named.i) && !map_get(&x->is, n->by.i))
				*map_at(&x->is, n->by.i) = is_more = true;
		}
	} while (is_more);
}

/* A proxy is of a class that nobody wrote: what it calls may be the application's. */
static bool is_theirs(const struct asked *x, class_id c)
{
	const struct ir_class *row = class_row(x->a->p, c);

	return (row->kind == CLASS_SYNTHETIC && !row->outer.i) || is_application(x->a, c) || is_asked_about(x, c);
}

/* Types of the JDK's that objects of the application have, or of a library that is not the JDK's. */
static void find_types(struct pta *a, const struct asked *x, struct types *out)
{
	struct map seen = { 0 };

	for (uint32_t k = 1; k < a->kinds.classes.len; k++) {
		class_id c = a->kinds.classes.data[k];
		struct supertypes above = { 0 };
		if (c.i && is_theirs(x, c))
			above = hierarchy_supertypes(&a->h, c);
		for (uint32_t i = 0; i < above.n; i++) {
			uint32_t *is_known = map_at(&seen, above.classes[i].i);
			if (!*is_known && !is_application(a, above.classes[i]))
				vec_push(&out->of, above.classes[i]);
			*is_known = 1;
		}
	}
	map_release(&seen);
}

static bool is_type(const struct pta *a, class_id c, struct str word)
{
	struct str name = class_name(a->p, c), package = package_of(name);

	if (str_is(word, "spi"))
		return package.len > 4 && memcmp(package.p + package.len - 4, "/spi", 4) == 0 && !str_is(name, "java/util/spi/ToolProvider");
	return fits(name, word);
}

static bool has_objects(const struct pta *a, const struct types *types, struct str word)
{
	for (uint32_t i = 0; i < types->of.len; i++)
		if (is_type(a, types->of.data[i], word))
			return true;
	return false;
}

/* CLASS.METHOD: does the program call it? */
static bool is_called(const struct pta *a, struct str word, const char *dot)
{
	struct str method = { dot + 1, (uint32_t)(word.p + word.len - dot) - 1 };
	class_id c = program_find_class(a->p, (struct str){ word.p, (uint32_t)(dot - word.p) });
	struct ir_class of = c.i ? *class_row(a->p, c) : (struct ir_class){ 0 };

	for (uint32_t m = of.first_method; m < of.first_method + of.nmethods; m++)
		if (m < a->templates.len && a->templates.data[m] && fits(sel_name(a->p, method_row(a->p, (method_id){ m })->sel), method))
			return true;
	return false;
}

static bool holds(const struct pta *a, const struct types *types, struct str word)
{
	const char *dot = memchr(word.p, '.', word.len);

	return dot ? is_called(a, word, dot) : has_objects(a, types, word);
}

/* One of the words, all of what it has between "&". */
static bool takes_part(const struct pta *a, const struct types *types, const char *words)
{
	bool holds_all = true;

	for (const char *at = words; *at; at++) {
		struct str part = { at, (uint32_t)strcspn(at, " &") };
		holds_all = holds_all && holds(a, types, part);
		at += part.len;
		if (*at != '&' && holds_all)
			return true;
		holds_all |= *at != '&';
		if (!*at)
			break;
	}
	return false;
}

static void add_method(const struct asked *x, method_id m, const struct quiet_row *row, struct map *out)
{
	const struct ir_method *is = method_row(x->a->p, m);

	if (fits(sel_name(x->a->p, is->sel), str_of(row->method)) && !is_asked_about(x, is->owner))
		*map_at(out, m.i) = 1;
}

static void add_of_classes(const struct asked *x, const struct quiet_row *row, struct map *out)
{
	const struct pta *a = x->a;

	for (uint32_t i = 0; i < a->reached.len; i++) {
		class_id owner = method_row(a->p, a->reached.data[i])->owner;
		if (fits(class_name(a->p, owner), str_of(row->cls)) && !is_application(a, owner))
			add_method(x, a->reached.data[i], row, out);
	}
}

static void add_of_class(const struct asked *x, const struct quiet_row *row, struct map *out)
{
	struct program *p = x->a->p;
	class_id c = program_find_class(p, str_of(row->cls));
	struct ir_class of = c.i ? *class_row(p, c) : (struct ir_class){ 0 };

	for (uint32_t k = 0; k < of.nmethods; k++)
		add_method(x, (method_id){ of.first_method + k }, row, out);
}

void reach_quiet(struct pta *a, const struct reach_opt *opt, struct map *out)
{
	struct asked x = { .a = a, .opt = opt };
	struct types types = { 0 };

	find_asked_about(&x);
	find_types(a, &x, &types);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (!takes_part(a, &types, rows[i].unless))
			(strchr(rows[i].cls, '*') ? add_of_classes : add_of_class)(&x, &rows[i], out);
	vec_release(&types.of);
	vec_release(&x.names);
	map_release(&x.is);
}
