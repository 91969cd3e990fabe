/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/dynamic/query.h"

#include "ir/access.h"

static const struct {
	const char *class, *name;
	struct query_row is;
} rows[] = {
#define STRING true
#define QUERY(class, name, is, from) { class, name, { QUERY_##is, from, 0 } },
#include "analysis/dynamic/queries.def"
#undef QUERY
#undef STRING
};

static const struct {
	const char *class, *name;
} handles[] = {
#define HANDLE(class, name, is, operands) { class, name },
#include "analysis/dynamic/handles/handles.def"
#undef HANDLE
};

static void add_row(struct query_table *t, struct program *p, const char *class, const char *name, uint32_t row)
{
	class_id c = program_class(p, str_of(class));

	*map_at(&t->rows, map_key(c.i, intern(&p->strings, str_of(name)).i)) = row;
}

/* Those that make handles come behind the others. */
void query_table_init(struct query_table *t, struct program *p)
{
	loaders_init(&t->loaders, p);
	for (uint32_t i = 0; i < ARRAY_LEN(rows); i++)
		add_row(t, p, rows[i].class, rows[i].name, 1 + i);
	for (uint32_t i = 0; i < ARRAY_LEN(handles); i++)
		add_row(t, p, handles[i].class, handles[i].name, 1 + ARRAY_LEN(rows) + i);
}

static struct query_row row_at(const struct query_table *t, const struct program *p, class_id owner, sel_id sel)
{
	uint32_t row = map_get(&t->rows, map_key(owner.i, sel_row(p, sel)->name.i));

	if (row > ARRAY_LEN(rows))
		return (struct query_row){ .is = QUERY_HANDLE, .handle = (uint8_t)(row - 1 - ARRAY_LEN(rows)) };
	return row ? rows[row - 1].is : (struct query_row){ 0 };
}

struct query_row query_of_method(const struct query_table *t, struct hierarchy *h, method_id m)
{
	const struct ir_method *method = method_row(h->p, m);
	struct query_row row = row_at(t, h->p, method->owner, method->sel);

	if (!row.is && loaders_has(&t->loaders, h, m))
		return (struct query_row){ .is = QUERY_CLASS_NAMED, .by_string = true };
	return row;
}

struct query_row query_find(const struct query_table *t, struct hierarchy *h, mref_id m)
{
	struct ir_mref ref = *mref_row(h->p, m);

	return ref.target.i ? query_of_method(t, h, ref.target) : row_at(t, h->p, ref.owner, ref.sel);
}

bool query_gives_array(enum query q)
{
	return q >= QUERY_METHODS_PUBLIC && q <= QUERY_INTERFACES;
}

bool query_takes_name(enum query q)
{
	return q == QUERY_METHOD_PUBLIC || q == QUERY_METHOD_DECLARED || q == QUERY_FIELD_PUBLIC || q == QUERY_FIELD_DECLARED;
}

bool query_takes_types(enum query q)
{
	return q >= QUERY_METHOD_PUBLIC && q <= QUERY_CONSTRUCTOR_DECLARED;
}

/* Classes */

/* "[I", "[Lapp.Main;" */
static class_id array_named(struct program *p, struct str name)
{
	class_id c = program_class(p, name), element = c;

	while (class_row(p, element)->kind == CLASS_ARRAY)
		element = class_row(p, element)->element;
	program_load(p, element);
	return class_row(p, element)->kind == CLASS_PHANTOM ? (class_id){ 0 } : c;
}

static bool is_array_name(struct str name)
{
	uint32_t i = 0;

	while (i < name.len && name.p[i] == '[')
		i++;
	if (i == 0 || i == name.len)
		return false;
	return name.p[i] == 'L' ? name.len > i + 2 && name.p[name.len - 1] == ';' : name.len == i + 1 && strchr("BCDFIJSZ", name.p[i]);
}

class_id query_class_named(struct program *p, struct str name)
{
	char text[1024];

	if (name.len == 0 || name.len >= sizeof(text))
		return (class_id){ 0 };
	for (uint32_t i = 0; i < name.len; i++) {
		if (name.p[i] == '/' || name.p[i] == '\0')
			return (class_id){ 0 };
		text[i] = name.p[i] == '.' ? '/' : name.p[i];
	}
	struct str internal = { text, name.len };
	if (text[0] == '[')
		return is_array_name(internal) ? array_named(p, internal) : (class_id){ 0 };
	class_id c = program_class(p, internal);
	program_load(p, c);
	return class_row(p, c)->kind == CLASS_FILE ? c : (class_id){ 0 };
}

/* Members */

struct search {
	struct hierarchy *h;
	struct program *p;
	const struct member_filter *f;
	meta_list *out;
	uint32_t first;                  /* in `out`, of the class that is searched */
	bool is_public;
	bool constructors, fields;
};

static bool has_meta(struct metas set, meta x)
{
	uint32_t low = 0, high = set.n;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		if (set.data[mid] < x)
			low = mid + 1;
		else
			high = mid;
	}
	return low < set.n && set.data[low] == x;
}

static bool has_types(const struct search *s, sel_id sel)
{
	const struct member_filter *f = s->f;
	uint32_t at = 0, n = 0;
	class_id type;

	if (!f->knows_types)
		return true;
	for (; sel_next_param(s->p, sel, &at, &type); n++)
		if (n >= f->ntypes || (!f->types[n].is_open && !has_meta(f->types[n], meta_of(META_CLASS, type.i))))
			return false;
	return n == f->ntypes;
}

/* Names are compared without a look at descriptors. */
static bool has_name(const struct search *s, str_id name)
{
	return s->f->names.is_open || has_meta(s->f->names, meta_of(META_STRING, name.i)) ||
	       (s->f->filter && language_contains(s->f->filter, interned(&s->p->strings, name)));
}

static bool is_hidden(const struct search *s, sel_id sel)
{
	for (uint32_t i = s->first; i < s->out->len; i++)
		if (meta_sort(s->out->data[i]) == META_METHOD && method_row(s->p, meta_method(s->out->data[i]))->sel.i == sel.i)
			return true;
	return false;
}

static void search_methods(struct search *s, class_id c)
{
	struct ir_class row = *class_row(s->p, c);

	for (uint32_t i = 0; i < row.nmethods; i++) {
		method_id m = { row.first_method + i };
		struct ir_method is = *method_row(s->p, m);
		struct str name = sel_name(s->p, is.sel);
		if (str_is(name, "<clinit>") || str_is(name, "<init>") != s->constructors || (s->is_public && !(is.flags & ACCESS_PUBLIC)))
			continue;
		if ((s->constructors || has_name(s, sel_row(s->p, is.sel)->name)) && has_types(s, is.sel) && !is_hidden(s, is.sel))
			vec_push(s->out, meta_of(META_METHOD, m.i));
	}
}

static void search_fields(struct search *s, class_id c)
{
	struct ir_class row = *class_row(s->p, c);

	for (uint32_t i = 0; i < row.nfields; i++) {
		field_id f = { row.first_field + i };
		struct ir_field is = *field_row(s->p, f);
		if ((!s->is_public || (is.flags & ACCESS_PUBLIC)) && has_name(s, sel_row(s->p, is.sel)->name))
			vec_push(s->out, meta_of(META_FIELD, f.i));
	}
}

/* Public members may be inherited; those of the class itself come first and hide others with their selector. */
static void search(struct search *s, class_id c)
{
	program_load(s->p, c);
	struct supertypes above = hierarchy_supertypes(s->h, c);
	uint32_t n = s->is_public && !s->constructors ? above.n : 1;

	s->first = s->out->len;
	for (uint32_t i = 0; i < n; i++) {
		if (s->fields)
			search_fields(s, above.classes[i]);
		else
			search_methods(s, above.classes[i]);
	}
}

static void answer_members(struct hierarchy *h, enum query q, class_id c, const struct member_filter *f, meta_list *out)
{
	struct search s = { .h = h, .p = h->p, .f = f, .out = out };

	s.is_public = q == QUERY_METHOD_PUBLIC || q == QUERY_METHODS_PUBLIC || q == QUERY_CONSTRUCTOR_PUBLIC ||
		      q == QUERY_CONSTRUCTORS_PUBLIC || q == QUERY_FIELD_PUBLIC || q == QUERY_FIELDS_PUBLIC;
	s.constructors = q == QUERY_CONSTRUCTOR_PUBLIC || q == QUERY_CONSTRUCTOR_DECLARED || q == QUERY_CONSTRUCTORS_PUBLIC ||
			 q == QUERY_CONSTRUCTORS_DECLARED;
	s.fields = q == QUERY_FIELD_PUBLIC || q == QUERY_FIELD_DECLARED || q == QUERY_FIELDS_PUBLIC || q == QUERY_FIELDS_DECLARED;
	search(&s, c);
}

/* Answers */

static bool push_class(meta_list *out, class_id c)
{
	if (c.i)
		vec_push(out, meta_of(META_CLASS, c.i));
	return true;
}

/* A class that is not there may be elsewhere when the program runs. */
static bool push_named(struct program *p, str_id name, meta_list *out)
{
	class_id c = query_class_named(p, interned(&p->strings, name));

	push_class(out, c);
	return c.i != 0;
}

static bool push_name(struct program *p, meta x, meta_list *out)
{
	struct strbuf text = { 0 };

	if (meta_sort(x) == META_CLASS && class_row(p, meta_class(x))->kind == CLASS_ARRAY)
		return false;
	if (meta_sort(x) == META_CLASS)
		print_class(p, meta_class(x), &text);
	else if (meta_sort(x) == META_METHOD)
		strbuf_add(&text, sel_name(p, method_row(p, meta_method(x))->sel).p,
			   sel_name(p, method_row(p, meta_method(x))->sel).len);
	else
		strbuf_add(&text, sel_name(p, field_row(p, meta_field(x))->sel).p,
			   sel_name(p, field_row(p, meta_field(x))->sel).len);
	vec_push(out, meta_of(META_STRING, intern(&p->strings, strbuf_str(&text)).i));
	strbuf_release(&text);
	return true;
}

/* Without the name of the class around it, and the number of a class that is local to a method; the first part of a name, or the last. */
static struct str part_of_name(const struct program *p, class_id c, bool is_package)
{
	struct str name = class_name(p, c), package = package_of(name);
	class_id outer = class_row(p, c)->outer;
	uint32_t at = package.len ? package.len + 1 : 0;

	if (is_package)
		return package;
	if (outer.i && class_name(p, outer).len < name.len)
		at = class_name(p, outer).len + 1;
	while (outer.i && at < name.len && name.p[at] >= '0' && name.p[at] <= '9')
		at++;
	return str_sub(name, at, name.len);
}

static bool push_part(struct program *p, meta x, bool is_package, meta_list *out)
{
	struct strbuf text = { 0 };

	if (meta_sort(x) != META_CLASS || class_row(p, meta_class(x))->kind != CLASS_FILE)
		return false;
	struct str part = part_of_name(p, meta_class(x), is_package);
	for (uint32_t i = 0; i < part.len; i++)
		strbuf_addch(&text, part.p[i] == '/' ? '.' : part.p[i]);
	vec_push(out, meta_of(META_STRING, intern(&p->strings, strbuf_str(&text)).i));
	strbuf_release(&text);
	return true;
}

static class_id owner_of(const struct program *p, meta x)
{
	return meta_sort(x) == META_METHOD ? method_row(p, meta_method(x))->owner : field_row(p, meta_field(x))->owner;
}

static class_id type_of(struct program *p, meta x)
{
	if (meta_sort(x) == META_METHOD)
		return sel_result(p, method_row(p, meta_method(x))->sel);
	return program_class_of_desc(p, sel_desc(p, field_row(p, meta_field(x))->sel));
}

/* The accessors of its components: of its fields, that is. */
static void push_accessors(struct program *p, class_id c, meta_list *out)
{
	struct ir_class row = *class_row(p, c);

	for (uint32_t i = 0; row.is_record && i < row.nfields; i++) {
		struct ir_field f = *field_row(p, (field_id){ row.first_field + i });
		struct strbuf desc = { 0 };
		strbuf_adds(&desc, "()");
		strbuf_addstr(&desc, sel_desc(p, f.sel));
		method_id m = program_declared(p, c, program_sel(p, sel_name(p, f.sel), strbuf_str(&desc)));
		strbuf_release(&desc);
		if (m.i && !(f.flags & ACCESS_STATIC))
			vec_push(out, meta_of(META_METHOD, m.i));
	}
}

static bool answer_class(struct hierarchy *h, enum query q, class_id c, const struct member_filter *f, meta_list *out)
{
	struct program *p = h->p;

	program_load(p, c);
	struct ir_class row = *class_row(p, c);
	switch (q) {
	case QUERY_SUPERCLASS:
		return push_class(out, row.flags & ACCESS_INTERFACE ? (class_id){ 0 } : row.super);
	case QUERY_INTERFACES:
		for (uint32_t i = 0; i < row.ninterfaces; i++)
			push_class(out, row.interfaces[i]);
		return true;
	case QUERY_RECORD:
		push_accessors(p, c, out);
		return true;
	case QUERY_COMPONENT:
		return push_class(out, row.element);
	case QUERY_ARRAY:        /* a loop would make arrays of arrays without end */
		return row.kind != CLASS_ARRAY && push_class(out, program_array_of(p, c));
	case QUERY_OUTER:
		return push_class(out, row.outer);
	default:
		answer_members(h, q, c, f, out);
		return true;
	}
}

bool query_answer(struct hierarchy *h, enum query q, meta about, const struct member_filter *f, meta_list *out)
{
	struct program *p = h->p;

	if (q == QUERY_SAME) {
		vec_push(out, about);
		return true;
	}
	if (q == QUERY_CLASS_NAMED)
		return meta_sort(about) == META_STRING && push_named(p, (str_id){ meta_id(about) }, out);
	if (meta_sort(about) >= META_STRING)
		return false;
	if (q == QUERY_NAME_OF)
		return push_name(p, about, out);
	if (q == QUERY_SIMPLE_NAME || q == QUERY_PACKAGE_NAME) {
		if (meta_sort(about) != META_CLASS)      /* variables may be declared as more than the class they are asked as */
			return false;
		program_load(p, meta_class(about));
		return push_part(p, about, q == QUERY_PACKAGE_NAME, out);
	}
	if (q == QUERY_OWNER || q == QUERY_TYPE)
		return meta_sort(about) != META_CLASS && push_class(out, q == QUERY_OWNER ? owner_of(p, about) : type_of(p, about));
	return meta_sort(about) == META_CLASS && answer_class(h, q, meta_class(about), f, out);
}
