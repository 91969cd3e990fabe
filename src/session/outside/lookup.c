/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about names become facts about classes and members of the program. */
#include <string.h>

#include "session/outside/known.h"
#include "session/session.h"

enum about { OF_NOTHING, OF_CLASS, OF_CONSTRUCTOR, OF_METHOD, OF_FIELD };

/* What calls a sort of facts is about: those that do it, and whether it happens anyway where no place is given. */
struct meaning {
	enum about of;                   /* OF_NOTHING: it is not followed */
	enum dynamic_sort sort, also;    /* NONE: no call */
	bool is_entry;
};

static const struct meaning meanings[FACT_SORTS] = {
	[FACT_CLASS] = { OF_CLASS, DYNAMIC_LOAD, DYNAMIC_NONE, false },
	[FACT_INITIALISER] = { OF_CLASS, DYNAMIC_LOAD, DYNAMIC_NONE, true },
	[FACT_CONSTRUCTOR] = { OF_CONSTRUCTOR, DYNAMIC_CONSTRUCT, DYNAMIC_NONE, true },
	[FACT_INVOKE] = { OF_METHOD, DYNAMIC_INVOKE, DYNAMIC_NONE, true },
	[FACT_FIELD] = { OF_FIELD, DYNAMIC_GET, DYNAMIC_SET, false },
	[FACT_FIELD_READ] = { OF_FIELD, DYNAMIC_GET, DYNAMIC_NONE, false },
	[FACT_FIELD_WRITTEN] = { OF_FIELD, DYNAMIC_SET, DYNAMIC_NONE, false },
	[FACT_SERVICE] = { OF_CONSTRUCTOR, DYNAMIC_NONE, DYNAMIC_NONE, true },
	[FACT_UNSAFE] = { OF_CLASS, DYNAMIC_NEW, DYNAMIC_NONE, true },
	[FACT_JNI_METHOD] = { OF_METHOD, DYNAMIC_NONE, DYNAMIC_NONE, true },
};

struct looking {
	struct known *k;
	struct session *s;
	struct program *p;
	struct hierarchy *h;
	struct fact row;
	struct meaning means;
	uint32_t number;
	struct outside_fact fact;        /* as far as it is the same for all that fits */
	uint32_t found;
};

/* Classes that the JVM makes while it runs: no program has them. */
static bool is_made(struct str name)
{
	static const char *const parts[] = { "$$Lambda", "$Proxy", "GeneratedConstructorAccessor", "GeneratedMethodAccessor",
					     "GeneratedSerializationConstructorAccessor", "LambdaForm$", "/" };
	char text[512];

	if (name.len >= sizeof(text))
		return false;
	memcpy(text, name.p, name.len);
	text[name.len] = 0;
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		if (strstr(text, parts[i]))
			return true;
	return false;
}

static void miss(struct looking *x, const char *what, struct str name, const char *more)
{
	struct report_source *source = &x->k->sources.data[x->fact.file - 1];

	source->missing++;
	if (!is_made(name))
		diag_add(&x->s->inquiry->diag, DIAG_W073, source->path, (struct str){ 0 }, x->row.line, "%s %.*s%s", what,
			 (int)(name.len < 120 ? name.len : 120), name.p, more);
}

/* Classes by names: of arrays, their Class object has no code. */

static class_id find_class(struct looking *x, struct str name)
{
	uint32_t dims = 0;

	while (name.len > 2 && name.p[name.len - 2] == '[' && name.p[name.len - 1] == ']') {
		name.len -= 2;
		dims++;
	}
	if (is_made(name))
		return (class_id){ 0 };
	class_id c = session_class(x->s, name);
	for (; c.i && dims; dims--)
		c = program_array_of(x->p, c);
	return c;
}

/* Members */

static void add(struct looking *x, meta what)
{
	struct outside_fact f = x->fact;

	f.what = what;
	x->found++;
	known_add(x->k, x->number, f);
	if (x->means.also) {
		f.sort = x->means.also;
		known_add(x->k, x->number, f);
	}
}

static bool fits_flags(uint32_t flags, uint32_t set, uint32_t unset)
{
	const uint32_t access = ACCESS_PUBLIC | ACCESS_PRIVATE | ACCESS_PROTECTED;

	if ((flags & unset) || (set & ~access & ~flags))
		return false;
	return !(set & access) || (set & access & flags);
}

static bool fits_member(const struct looking *x, uint32_t flags, sel_id sel)
{
	const struct fact_filter *f = x->row.filter;

	if (x->row.all_public && !(flags & ACCESS_PUBLIC))
		return false;
	if (f && !fits_flags(flags, f->member_set, f->member_unset))
		return false;
	return fact_matches_name(&x->row, sel_name(x->p, sel)) && fact_matches_descriptor(&x->row, sel_desc(x->p, sel));
}

/* A native caller of a constructor names it as a method. */
static bool fits_method(const struct looking *x, struct ir_method m)
{
	struct str name = sel_name(x->p, m.sel);
	bool is_constructor = str_is(name, "<init>"), is_jni = x->row.sort == FACT_JNI_METHOD;

	if (str_is(name, "<clinit>") || (!is_jni && is_constructor != (x->means.of == OF_CONSTRUCTOR)))
		return false;
	if (x->row.sort == FACT_SERVICE)
		return sel_row(x->p, m.sel)->nargs == 0;
	return fits_member(x, m.flags, m.sel);
}

static void add_methods(struct looking *x, class_id c)
{
	struct ir_class row = *class_row(x->p, c);

	for (uint32_t i = 0; i < row.nmethods; i++) {
		struct ir_method m = *method_row(x->p, (method_id){ row.first_method + i });
		if (fits_method(x, m))
			add(x, meta_of(META_METHOD, row.first_method + i));
	}
}

static void add_fields(struct looking *x, class_id c)
{
	struct ir_class row = *class_row(x->p, c);

	for (uint32_t i = 0; i < row.nfields; i++) {
		struct ir_field f = *field_row(x->p, (field_id){ row.first_field + i });
		if (fits_member(x, f.flags, f.sel))
			add(x, meta_of(META_FIELD, row.first_field + i));
	}
}

static void add_members_of(struct looking *x, class_id c)
{
	if (x->means.of == OF_FIELD)
		add_fields(x, c);
	else
		add_methods(x, c);
}

/* Of the class, or as Class.getMethods gives them. */
static void add_members(struct looking *x, class_id c)
{
	struct supertypes above = hierarchy_supertypes(x->h, c);
	bool is_inherited = x->row.all_public && x->means.of != OF_CONSTRUCTOR;

	for (uint32_t i = 0; i < (is_inherited ? above.n : 1); i++)
		add_members_of(x, above.classes[i]);
}

static void add_class(struct looking *x, class_id c)
{
	if (x->row.if_used)
		x->fact.condition = c;
	if (x->means.of == OF_CLASS)
		add(x, meta_of(META_CLASS, c.i));
	else
		add_members(x, c);
}

/* Patterns and filters: of the classes of the program, as ProGuard means them. Annotations are not known: they do not exclude. */

static bool fits_super(struct looking *x, class_id c, struct str pattern)
{
	struct supertypes above = hierarchy_supertypes(x->h, c);
	struct strbuf name = { 0 };
	bool found = false;

	for (uint32_t i = 1; i < above.n && !found; i++) {
		strbuf_clear(&name);
		print_class(x->p, above.classes[i], &name);
		found = fact_pattern_matches(pattern, strbuf_str(&name));
	}
	strbuf_release(&name);
	return found;
}

static bool fits_class(struct looking *x, const struct fact *row, class_id c)
{
	const struct fact_filter *f = row->filter;
	struct strbuf name = { 0 };

	print_class(x->p, c, &name);
	bool ok = fact_matches_class(row, strbuf_str(&name));
	strbuf_release(&name);
	if (!ok || !f)
		return ok;
	return fits_flags(class_row(x->p, c)->flags, f->class_set, f->class_unset) && (!f->super.len || fits_super(x, c, f->super));
}

/* Has the class a member for each row of the entry? */
static bool has_all(struct looking *x, class_id c)
{
	const struct facts *t = &x->k->table;

	for (uint32_t i = 0; i < t->rows.len; i++) {
		struct looking one = *x;
		uint32_t before = x->k->outside.facts.len;
		if (t->rows.data[i].entry != x->row.entry || t->rows.data[i].sort == FACT_CLASS)
			continue;
		one.row = t->rows.data[i];
		one.means = meanings[one.row.sort];
		one.found = 0;
		add_members(&one, c);
		x->k->outside.facts.len = x->k->row_of.len = before;
		if (!one.found)
			return false;
	}
	return true;
}

struct fitting {
	struct looking *x;
	VEC(class_id) classes;
};

static void collect(void *ctx, class_id c)
{
	struct fitting *f = ctx;

	vec_push(&f->classes, c);
}

static void add_fitting(struct looking *x)
{
	struct fitting f = { .x = x };

	for (uint32_t a = 1; a < x->p->artifacts.len; a++)
		if (!loader_is_jdk(x->s->loader, a))
			loader_name_artifact(x->s->loader, a, collect, &f);
	for (uint32_t i = 0; i < f.classes.len; i++) {
		class_id c = f.classes.data[i];
		program_load(x->p, c);
		if (class_row(x->p, c)->kind == CLASS_FILE && fits_class(x, &x->row, c) && (!x->row.needs_all || has_all(x, c)))
			add_class(x, c);
	}
	vec_release(&f.classes);
}

/* One row */

static void add_named(struct looking *x)
{
	class_id c = find_class(x, x->row.class);

	if (!c.i) {
		miss(x, "there is no class", x->row.class, " on the class path: is it spelt as its class file is, or missing there?");
		return;
	}
	add_class(x, c);
	if (!x->found)
		miss(x, "the class has no member", x->row.name, " like this: is the file about another version of it?");
}

/* The methods that the place may be; of a place that is not there the fact is left out. */
static void look_up_at(struct looking *x, class_id c)
{
	struct ir_class row = *class_row(x->p, c);
	uint32_t before = x->found, places = 0;

	for (uint32_t i = 0; i < row.nmethods; i++) {
		sel_id sel = method_row(x->p, (method_id){ row.first_method + i })->sel;
		if (!str_eq(sel_name(x->p, sel), x->row.at.name))
			continue;
		if (x->row.at.descriptor.len && !str_eq(sel_desc(x->p, sel), x->row.at.descriptor))
			continue;
		x->fact.caller = (method_id){ row.first_method + i };
		x->found = 0;
		places++;
		add_named(x);
		before += x->found;
		if (!x->found)
			break;
	}
	x->found = before;
	if (!places)
		miss(x, "the class of the place has no method", x->row.at.name, ": is the file about another version of it?");
}

static void look_up(struct looking *x)
{
	if (x->row.is_pattern || x->row.filter) {
		add_fitting(x);
		if (!x->found)
			miss(x, "no class of the program fits", x->row.class, "");
		return;
	}
	if (!x->row.at.class.len || x->means.sort == DYNAMIC_NONE) {
		add_named(x);
		return;
	}
	class_id at = find_class(x, x->row.at.class);
	x->fact.is_entry = false;
	x->fact.is_exact = x->row.sort == FACT_INVOKE && x->k->sources.data[x->fact.file - 1].is_exact;
	x->fact.pc = x->row.at.pc;
	x->fact.line = x->row.at.pc == FACT_NO_PC ? x->row.at.line : 0;
	if (at.i)
		look_up_at(x, at);
	else
		miss(x, "there is no class", x->row.at.class, " on the class path, where this is said to be done");
}

/* A condition that names nothing is never met. */
static bool look_up_condition(struct looking *x)
{
	bool has_pattern = x->row.condition.len && (memchr(x->row.condition.p, '*', x->row.condition.len) ||
						    memchr(x->row.condition.p, ',', x->row.condition.len));

	if (!x->row.condition.len || has_pattern)
		return true;
	x->fact.condition = find_class(x, x->row.condition);
	return x->fact.condition.i != 0;
}

void known_look_up(struct known *k, struct hierarchy *h, uint32_t row, uint8_t file)
{
	struct looking x = { .k = k, .s = k->session, .p = &k->session->program, .h = h, .row = k->table.rows.data[row], .number = row };

	x.means = meanings[x.row.sort];
	x.fact = (struct outside_fact){ .sort = x.means.sort, .pc = OUTSIDE_ANY_PC, .is_entry = x.means.is_entry, .file = file };
	if (x.means.of == OF_NOTHING)
		k->sources.data[file - 1].unfollowed++;
	else if (look_up_condition(&x))
		look_up(&x);
}
