/* SPDX-License-Identifier: Apache-2.0 */
#include "session/next/values.h"

#include "ir/access.h"

enum { COST_LITERAL = 1, COST_TABLE = 2, COST_FIELD = 3, COST_NEW = 3, COST_LAMBDA = 3, COST_FACTORY = 5, COST_ANONYMOUS = 9,
       COST_EMPTY = 6, COST_GAP = 1000 };

void value_finder_release(struct value_finder *f)
{
	map_release(&f->known);
	vec_release(&f->rows);
}

/* Names */

/* What every module may use: public packages of the JDK are not known apart from the others here, but these are public. */
static bool is_for_all(struct str internal)
{
	return !str_starts(internal, "sun/") && !str_starts(internal, "jdk/internal/") && !str_starts(internal, "com/sun/");
}

static bool has_name(struct str internal)
{
	int64_t at = str_rfind(internal, '$');

	return at < 0 || ((uint32_t)at + 1 < internal.len && (internal.p[at + 1] < '0' || internal.p[at + 1] > '9'));
}

bool can_be_named(const struct program *p, class_id c)
{
	const struct ir_class *row = class_row(p, c);

	if (row->kind == CLASS_PRIMITIVE)
		return true;
	if (row->kind == CLASS_ARRAY)
		return can_be_named(p, row->element);
	for (uint32_t depth = 0; depth < 16; depth++) {
		row = class_row(p, c);
		if (row->kind != CLASS_FILE || !(row->flags & ACCESS_PUBLIC) || (row->flags & ACCESS_SYNTHETIC) ||
		    !has_name(class_name(p, c)) || !is_for_all(class_name(p, c)))
			return false;
		if (!row->outer.i)
			return true;
		if (!(row->inner_flags & ACCESS_PUBLIC))
			return false;
		c = row->outer;
	}
	return false;
}

bool is_inner(const struct program *p, class_id c)
{
	const struct ir_class *row = class_row(p, c);

	return row->outer.i && !(row->inner_flags & ACCESS_STATIC) && !(row->flags & ACCESS_INTERFACE);
}

uint32_t type_at(struct program *p, struct str desc, class_id *c)
{
	uint32_t end = 0;

	while (end < desc.len && desc.p[end] == '[')
		end++;
	bool is_class = end < desc.len && desc.p[end] == 'L';
	while (is_class && end < desc.len && desc.p[end] != ';')
		end++;
	end += end < desc.len;
	*c = is_class || (desc.len && desc.p[0] == '[') ? program_class_of_desc(p, str_sub(desc, 0, end)) : (class_id){ 0 };
	return end;
}

/* Lambdas */

static bool is_of_object(const struct program *p, sel_id s)
{
	const struct ir_class *object = class_row(p, p->object);

	for (uint32_t i = 0; i < object->nmethods; i++)
		if (method_row(p, (method_id){ object->first_method + i })->sel.i == s.i)
			return true;
	return false;
}

static bool is_abstract(const struct ir_method *m)
{
	return (m->flags & ACCESS_ABSTRACT) && !(m->flags & ACCESS_STATIC);
}

static bool is_listed(const struct program *p, const struct abstract_methods *l, sel_id s)
{
	for (uint32_t i = 0; i < l->n && i < ABSTRACT_METHODS; i++)
		if (method_row(p, l->methods[i])->sel.i == s.i)
			return true;
	return false;
}

/* Does the class have it with a body? */
static bool is_implemented(struct hierarchy *h, class_id c, method_id m)
{
	method_id found = class_row(h->p, method_row(h->p, m)->owner)->flags & ACCESS_INTERFACE ? select_interface(h, c, m) :
												 select_method(h, c, m);
	return found.i && !is_abstract(method_row(h->p, found));
}

void abstract_methods(struct hierarchy *h, class_id c, struct abstract_methods *out)
{
	struct supertypes all = hierarchy_supertypes(h, c);

	*out = (struct abstract_methods){ 0 };
	for (uint32_t i = 0; i < all.n; i++) {
		class_id of = all.classes[i];
		for (uint32_t m = 0; m < class_row(h->p, of)->nmethods; m++) {
			method_id id = { class_row(h->p, of)->first_method + m };
			sel_id sel = method_row(h->p, id)->sel;
			if (!is_abstract(method_row(h->p, id)) || is_listed(h->p, out, sel) || is_of_object(h->p, sel) ||
			    is_implemented(h, c, id))
				continue;
			if (out->n < ABSTRACT_METHODS)
				out->methods[out->n] = id;
			out->n++;
		}
	}
}

method_id functional_method(struct hierarchy *h, class_id c)
{
	const struct ir_class *row = class_row(h->p, c);
	struct abstract_methods all;

	if (!(row->flags & ACCESS_INTERFACE) || (row->flags & ACCESS_ANNOTATION) || row->is_sealed)
		return (method_id){ 0 };
	abstract_methods(h, c, &all);
	return all.n == 1 ? all.methods[0] : (method_id){ 0 };
}

/* Candidates */

struct choice {
	struct value_finder *f;
	class_id type;
	uint32_t depth;
	struct value_of best;
};

static void offer(struct choice *k, struct value_of v)
{
	if (v.cost < k->best.cost)
		k->best = v;
}

static bool is_collection(struct hierarchy *h, class_id c)
{
	class_id collection = program_find_class(h->p, STR("java/util/Collection"));

	return c.i && collection.i && hierarchy_is_subtype(h, c, collection);
}

/* What a public constructor is given, if that is an array or a collection and nothing else; none: it is not. */
static class_id contents_of(struct hierarchy *h, method_id m)
{
	const struct ir_method *row = method_row(h->p, m);
	struct str desc = sel_desc(h->p, row->sel);
	class_id c;

	if (!str_is(sel_name(h->p, row->sel), "<init>") || !(row->flags & ACCESS_PUBLIC) || sel_row(h->p, row->sel)->nargs != 1)
		return (class_id){ 0 };
	type_at(h->p, str_sub(desc, 1, desc.len), &c);
	return c.i && (class_row(h->p, c)->kind == CLASS_ARRAY || is_collection(h, c)) ? c : (class_id){ 0 };
}

/* Is it an empty one of what others make with contents: a matrix without rows, a document without a root? Little runs on it. */
static bool makes_empty(struct hierarchy *h, class_id c, method_id m)
{
	const struct ir_class *row = class_row(h->p, c);
	bool has_contents = false;

	if (str_starts(class_name(h->p, c), "java/") ||
	    (sel_row(h->p, method_row(h->p, m)->sel)->nargs && !is_collection(h, contents_of(h, m))))
		return false;
	for (uint32_t i = 0; i < row->nmethods && !has_contents; i++)
		has_contents = contents_of(h, (method_id){ row->first_method + i }).i != 0;
	return has_contents;
}

static uint32_t cost_of_params(struct value_finder *f, method_id m, uint32_t depth)
{
	struct str desc = sel_desc(f->h->p, method_row(f->h->p, m)->sel);
	uint32_t cost = 0;

	for (uint32_t at = 1; at < desc.len && desc.p[at] != ')' && cost < COST_GAP;) {
		class_id c;
		at += type_at(f->h->p, str_sub(desc, at, desc.len), &c);
		cost += c.i ? value_find(f, c, depth + 1).cost : COST_LITERAL;
	}
	return cost;
}

static bool is_made_plainly(const struct program *p, class_id c)
{
	return can_be_named(p, c) && !is_inner(p, c) && !(class_row(p, c)->flags & (ACCESS_ABSTRACT | ACCESS_INTERFACE));
}

static void offer_call(struct choice *k, enum value_source source, class_id via, method_id m, uint32_t cost)
{
	const struct program *p = k->f->h->p;

	if (!(method_row(p, m)->flags & ACCESS_PUBLIC) || cost >= k->best.cost)
		return;
	cost += cost_of_params(k->f, m, k->depth);
	if (source == FROM_NEW && makes_empty(k->f->h, via, m))
		cost += COST_EMPTY;
	offer(k, (struct value_of){ .source = source, .cost = cost, .via = via, .method = m });
}

static void offer_constructors(struct choice *k, class_id c)
{
	const struct program *p = k->f->h->p;

	for (uint32_t i = 0; is_made_plainly(p, c) && i < class_row(p, c)->nmethods; i++) {
		method_id m = { class_row(p, c)->first_method + i };
		if (str_is(sel_name(p, method_row(p, m)->sel), "<init>"))
			offer_call(k, FROM_NEW, c, m, COST_NEW);
	}
}

static bool is_useful(struct choice *k, class_id c)
{
	return c.i && can_be_named(k->f->h->p, c) && hierarchy_is_subtype(k->f->h, c, k->type);
}

/* A value for special cases: no number, too large. */
static bool is_odd(const struct program *p, field_id f)
{
	static const char *const parts[] = { "NAN", "NaN", "INF", "NULL" };
	struct str name = sel_name(p, field_row(p, f)->sel);

	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		for (uint32_t at = 0; at < name.len; at++)
			if (str_starts(str_sub(name, at, name.len), parts[i]))
				return true;
	return false;
}

/* What clients may do: objects of the class itself come cheaper than those of subclasses. */
static void offer_stmt(struct choice *k, const struct placeholder *s)
{
	const struct program *p = k->f->h->p;
	class_id to = s->to ? k->f->clients->types.data[s->to] : (class_id){ 0 };
	uint32_t more = to.i != k->type.i;

	if ((s->sort != PH_NEW && s->sort != PH_CALL && s->sort != PH_GET) || s->from || !is_useful(k, to) || !can_be_named(p, s->via))
		return;
	if (s->sort == PH_NEW && is_made_plainly(p, s->via))
		offer_call(k, FROM_NEW, s->via, s->method, COST_NEW + more);
	if (s->sort == PH_CALL && (method_row(p, s->method)->flags & ACCESS_STATIC))
		offer_call(k, FROM_FACTORY, s->via, s->method, COST_FACTORY + more + (s->via.i != k->type.i));
	if (s->sort == PH_GET && (field_row(p, s->field)->flags & ACCESS_PUBLIC) && (field_row(p, s->field)->flags & ACCESS_STATIC))
		offer(k, (struct value_of){ .source = FROM_FIELD, .cost = COST_FIELD + more + is_odd(p, s->field), .via = s->via,
					    .field = s->field });
}

static void offer_table(struct choice *k)
{
	static const struct { const char *class, *text, *import; } rows[] = {
#define JAVA_VALUE(class, text, import) { class, text, import },
#include "session/next/values.def"
#undef JAVA_VALUE
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (str_is(class_name(k->f->h->p, k->type), rows[i].class))
			offer(k, (struct value_of){ .source = FROM_TABLE, .cost = COST_TABLE, .via = k->type, .text = rows[i].text,
						    .import = rows[i].import });
}

static void offer_enum(struct choice *k)
{
	const struct program *p = k->f->h->p;
	const struct ir_class *row = class_row(p, k->type);

	for (uint32_t i = 0; i < row->nfields; i++) {
		field_id f = { row->first_field + i };
		if (field_row(p, f)->flags & ACCESS_ENUM)
			offer(k, (struct value_of){ .source = FROM_FIELD, .cost = COST_TABLE, .via = k->type, .field = f });
	}
}

static bool has_plain_constructor(const struct program *p, class_id c)
{
	const struct ir_class *row = class_row(p, c);

	for (uint32_t i = 0; i < row->nmethods; i++) {
		const struct ir_method *m = method_row(p, (method_id){ row->first_method + i });
		if (str_is(sel_name(p, m->sel), "<init>") && !sel_row(p, m->sel)->nargs)
			return m->flags & (ACCESS_PUBLIC | ACCESS_PROTECTED);
	}
	return row->flags & ACCESS_INTERFACE;
}

static bool is_within_reach(const struct program *p, const struct abstract_methods *all)
{
	for (uint32_t i = 0; i < all->n; i++) {
		const struct ir_method *m = method_row(p, all->methods[i]);
		struct str desc = sel_desc(p, m->sel);
		bool ok = m->flags & (ACCESS_PUBLIC | ACCESS_PROTECTED);
		for (uint32_t at = 1; ok && at < desc.len; at++) {
			class_id c;
			at += desc.p[at] == ')';
			at += type_at((struct program *)p, str_sub(desc, at, desc.len), &c) - 1;
			ok = !c.i || can_be_named(p, c);
		}
		if (!ok)
			return false;
	}
	return true;
}

static void offer_anonymous(struct choice *k)
{
	const struct program *p = k->f->h->p;
	const struct ir_class *row = class_row(p, k->type);
	struct abstract_methods all;

	if (!(row->flags & ACCESS_ABSTRACT) || (row->flags & ACCESS_ANNOTATION) || row->is_sealed || is_inner(p, k->type) ||
	    !has_plain_constructor(p, k->type))
		return;
	abstract_methods(k->f->h, k->type, &all);
	if (all.n <= ABSTRACT_METHODS && is_within_reach(p, &all))
		offer(k, (struct value_of){ .source = FROM_ANONYMOUS, .cost = COST_ANONYMOUS + all.n, .via = k->type });
}

static void choose(struct choice *k)
{
	const struct program *p = k->f->h->p;
	method_id lambda = functional_method(k->f->h, k->type);

	offer_table(k);
	if (!can_be_named(p, k->type))
		return;
	offer_enum(k);
	if (lambda.i)
		offer(k, (struct value_of){ .source = FROM_LAMBDA, .cost = COST_LAMBDA, .via = k->type, .method = lambda });
	offer_anonymous(k);
	if (k->depth < VALUE_DEPTH) {
		offer_constructors(k, k->type);
		for (uint32_t i = 0; i < k->f->clients->stmts.len; i++)
			offer_stmt(k, &k->f->clients->stmts.data[i]);
	}
}

struct value_of value_find(struct value_finder *f, class_id c, uint32_t depth)
{
	struct choice k = { .f = f, .type = c, .depth = depth, .best = { .cost = COST_GAP, .via = c } };
	uint32_t row = map_get(&f->known, map_key(c.i, depth));

	if (row)
		return f->rows.data[row - 1];
	program_load(f->h->p, c);
	if (class_row(f->h->p, c)->kind == CLASS_ARRAY)
		k.best = (struct value_of){ .source = FROM_ARRAY, .cost = COST_TABLE, .via = c };
	else
		choose(&k);
	vec_push(&f->rows, k.best);
	*map_at(&f->known, map_key(c.i, depth)) = f->rows.len;
	return k.best;
}
