/* SPDX-License-Identifier: Apache-2.0 */
/* interface.c - what clients may name: collected from classes, put in order, printed. */
#include "analysis/fragment/fragment.h"

#include "analysis/fragment/members.h"
#include "base/sort.h"
#include "base/text/escaped.h"
#include "ir/access.h"

#define MAX_NESTING 1000           /* of classes in classes; class files can lead in circles */

void interface_release(struct java_interface *i)
{
	vec_release(&i->classes);
	vec_release(&i->methods);
	vec_release(&i->fields);
	vec_release(&i->made_arrays);
	vec_release(&i->used_arrays);
	vec_release(&i->own);
	vec_release(&i->extended);
	vec_release(&i->neighbours);
}

/* Collecting */

void interface_add_method(struct java_interface *i, class_id via, method_id m)
{
	vec_push(&i->classes, via);
	vec_push(&i->methods, ((struct interface_method){ via, m }));
}

void interface_add_field(struct java_interface *i, class_id via, field_id f)
{
	vec_push(&i->classes, via);
	vec_push(&i->fields, ((struct interface_field){ via, f }));
}

bool interface_add_array(const struct program *p, struct java_interface *i, class_id array, bool is_made)
{
	class_id element = array;

	while (class_row(p, element)->kind == CLASS_ARRAY)
		element = class_row(p, element)->element;
	if (element.i == array.i || class_row(p, element)->kind == CLASS_PRIMITIVE)
		return false;
	if (is_made)
		vec_push(&i->made_arrays, array);
	else
		vec_push(&i->used_arrays, array);
	return true;
}

/* A client that has an array of arrays has the inner ones, too; one that makes it makes them. */
static void add_arrays(const struct program *p, struct java_interface *i, class_id c, bool is_made)
{
	for (; class_row(p, c)->kind == CLASS_ARRAY; c = class_row(p, c)->element) {
		interface_add_array(p, i, c, false);
		if (is_made)
			interface_add_array(p, i, c, true);
	}
}

static void add_signature_arrays(struct program *p, struct java_interface *i, sel_id sel)
{
	class_id type;

	for (uint32_t at = 0; sel_next_param(p, sel, &at, &type);)
		add_arrays(p, i, type, true);
	add_arrays(p, i, sel_result(p, sel), false);
}

static bool is_within(uint16_t flags, enum interface_reach reach)
{
	return (flags & ACCESS_PUBLIC) || (reach == REACH_PROTECTED && (flags & ACCESS_PROTECTED));
}

static bool is_class_named(struct program *p, class_id c)
{
	for (uint32_t depth = 0; depth < MAX_NESTING; depth++) {
		program_load(p, c);
		const struct ir_class *row = class_row(p, c);
		if (row->kind != CLASS_FILE || !(row->flags & ACCESS_PUBLIC) || (row->flags & ACCESS_SYNTHETIC))
			return false;
		if (!row->outer.i)
			return true;
		c = row->outer;
	}
	return false;
}

/* Static members are for those who name the class that declares them, if they can. */
static bool is_of_other(struct program *p, class_id c, class_id owner, uint16_t flags)
{
	return (flags & ACCESS_STATIC) && owner.i != c.i && is_class_named(p, owner);
}

/* The public methods of Object are left to Object itself. */
static bool is_member(struct program *p, class_id c, method_id m, enum interface_reach reach)
{
	struct ir_method row = *method_row(p, m);
	bool is_of_object = row.owner.i == p->object.i && c.i != p->object.i && (row.flags & ACCESS_PUBLIC);

	if (!is_within(row.flags, reach) || is_of_object || is_of_other(p, c, row.owner, row.flags))
		return false;
	return !str_is(sel_name(p, row.sel), "<init>") ||
	       !(class_row(p, c)->flags & (ACCESS_ABSTRACT | ACCESS_INTERFACE | ACCESS_ENUM));
}

static void add_object(struct program *p, struct java_interface *i)
{
	program_load(p, p->object);
	struct ir_class row = *class_row(p, p->object);

	vec_push(&i->classes, p->object);
	for (uint32_t k = 0; k < row.nmethods; k++) {
		method_id m = { row.first_method + k };
		uint16_t flags = method_row(p, m)->flags;
		bool is_special = sel_name(p, method_row(p, m)->sel).p[0] == '<';
		if ((flags & ACCESS_PUBLIC) && !(flags & ACCESS_STATIC) && !is_special)
			interface_add_method(i, p->object, m);
	}
}

bool interface_add_class(struct hierarchy *h, struct java_interface *i, class_id c, enum interface_reach reach)
{
	struct program *p = h->p;
	struct members members = { 0 };

	program_load(p, c);
	if (!is_class_named(p, c))
		return false;
	vec_push(&i->classes, c);
	add_object(p, i);
	members_of(h, c, &members);
	for (uint32_t k = 0; k < members.methods.len; k++) {
		method_id m = members.methods.data[k];
		if (!is_member(p, c, m, reach))
			continue;
		interface_add_method(i, c, m);
		add_signature_arrays(p, i, method_row(p, m)->sel);
	}
	for (uint32_t k = 0; k < members.fields.len; k++) {
		struct ir_field f = *field_row(p, members.fields.data[k]);
		if (!is_within(f.flags, reach) || is_of_other(p, c, f.owner, f.flags))
			continue;
		interface_add_field(i, c, members.fields.data[k]);
		add_arrays(p, i, program_class_of_desc(p, sel_desc(p, f.sel)), !(f.flags & ACCESS_FINAL));
	}
	members_release(&members);
	return true;
}

/* What is handed out */

struct handing {
	struct hierarchy *h;
	struct program *p;
	struct java_interface *i;
	const class_id *component;
	uint32_t n;
	struct map seen;               /* type -> 1 */
	VEC(class_id) todo;            /* library types that clients get hold of or pass */
};

/* What clients do by reflection is not about the component. */
static bool is_of_reflection(const struct program *p, class_id t)
{
	struct str name = class_name(p, t);

	return t.i == p->class_.i || str_starts(name, "java/lang/reflect/") || str_starts(name, "java/lang/invoke/") ||
	       str_starts(name, "java/lang/constant/");
}

static void hand_type(struct handing *x, class_id t)
{
	while (t.i && class_row(x->p, t)->kind == CLASS_ARRAY)
		t = class_row(x->p, t)->element;
	uint32_t *seen = map_at(&x->seen, t.i);
	if (*seen)
		return;
	*seen = 1;
	if (t.i == x->p->object.i || class_row(x->p, t)->kind == CLASS_PRIMITIVE || is_of_reflection(x->p, t))
		return;
	if (is_class_named(x->p, t))
		vec_push(&x->todo, t);
	struct supertypes s = hierarchy_supertypes(x->h, t);       /* an ArrayList is a List */
	for (uint32_t k = 1; k < s.n; k++)
		hand_type(x, s.classes[k]);
}

static void hand_signature(struct handing *x, sel_id sel)
{
	class_id type;

	for (uint32_t at = 0; sel_next_param(x->p, sel, &at, &type);)
		hand_type(x, type);
	hand_type(x, sel_result(x->p, sel));
}

/* Does a class of the component below `t` have a method of its own for such calls? */
static bool is_overridden(struct handing *x, class_id t, sel_id sel)
{
	for (uint32_t k = 0; k < x->n; k++)
		if (program_declared(x->p, x->component[k], sel).i && hierarchy_is_subtype(x->h, x->component[k], t))
			return true;
	return false;
}

static bool is_getter(const struct program *p, class_id t, sel_id sel)
{
	struct str class = class_name(p, t), name = sel_name(p, sel);

#define HOLDER(holder, method) if (str_is(class, holder) && str_is(name, method)) return true;
#include "analysis/fragment/holders.def"
#undef HOLDER
	return false;
}

static void hand_methods(struct handing *x, class_id t)
{
	bool is_interface = class_row(x->p, t)->flags & ACCESS_INTERFACE;
	struct members members = { 0 };

	members_of(x->h, t, &members);
	for (uint32_t k = 0; k < members.methods.len; k++) {
		method_id m = members.methods.data[k];
		struct ir_method row = *method_row(x->p, m);
		bool is_called = (is_interface && (row.flags & ACCESS_ABSTRACT)) || is_overridden(x, t, row.sel) ||
				 is_getter(x->p, t, row.sel);
		if (!is_called || (row.flags & ACCESS_STATIC) || !is_member(x->p, t, m, REACH_PUBLIC) ||
		    sel_name(x->p, row.sel).p[0] == '<')
			continue;
		interface_add_method(x->i, t, m);
		hand_signature(x, row.sel);
	}
	members_release(&members);
}

void interface_add_handed_out(struct hierarchy *h, struct java_interface *i, const class_id *component, uint32_t n)
{
	struct handing x = { .h = h, .p = h->p, .i = i, .component = component, .n = n };
	uint32_t nmethods = i->methods.len;

	for (uint32_t k = 0; k < i->classes.len; k++)
		*map_at(&x.seen, i->classes.data[k].i) = 1;
	for (uint32_t k = 0; k < nmethods; k++)
		hand_signature(&x, method_row(x.p, i->methods.data[k].m)->sel);
	for (uint32_t k = 0; k < i->fields.len; k++)
		hand_type(&x, program_class_of_desc(x.p, sel_desc(x.p, field_row(x.p, i->fields.data[k].f)->sel)));
	for (uint32_t k = 0; k < x.todo.len; k++)
		hand_methods(&x, x.todo.data[k]);
	map_release(&x.seen);
	vec_release(&x.todo);
}

/* Order */

/* Sorts classes by printed name, each once; returns how many are left. */
static uint32_t sort_classes(const struct program *p, class_id *classes, uint32_t n)
{
	uint32_t kept = sort_ids(classes, n);

	print_order_classes(p, classes, kept);
	return kept;
}

/* A method or field by way of an accessed class, and what it is sorted by. */
struct member_row {
	uint32_t rank;                /* of the class */
	struct str name, desc;
	uint32_t id;
	class_id via;
};
typedef VEC(struct member_row) member_rows;

static int by_member(const void *a, const void *b)
{
	const struct member_row *x = a, *y = b;
	int c = x->rank != y->rank ? (x->rank < y->rank ? -1 : 1) : str_cmp(x->name, y->name);

	c = c ? c : str_cmp(x->desc, y->desc);
	return c ? c : (x->id > y->id) - (x->id < y->id);
}

static bool supertype_has(struct hierarchy *h, const struct map *pairs, const struct member_row *row)
{
	struct supertypes s = hierarchy_supertypes(h, row->via);

	for (uint32_t k = 1; k < s.n; k++)
		if (map_get(pairs, map_key(s.classes[k].i, row->id)))
			return true;
	return false;
}

static void sort_members(struct hierarchy *h, member_rows *rows)
{
	struct map pairs = { 0 };     /* (class, member) -> 1 + its first row */
	uint32_t kept = 0;

	for (uint32_t k = 0; k < rows->len; k++) {
		uint32_t *at = map_at(&pairs, map_key(rows->data[k].via.i, rows->data[k].id));
		*at = *at ? *at : k + 1;
	}
	for (uint32_t k = 0; k < rows->len; k++) {
		struct member_row row = rows->data[k];
		if (map_get(&pairs, map_key(row.via.i, row.id)) == k + 1 && !supertype_has(h, &pairs, &row))
			rows->data[kept++] = row;
	}
	rows->len = kept;
	map_release(&pairs);
	if (kept)
		qsort(rows->data, kept, sizeof(*rows->data), by_member);
}

static struct member_row member_row(const struct program *p, const struct map *ranks, class_id via, sel_id sel,
				    uint32_t id)
{
	return (struct member_row){ map_get(ranks, via.i), sel_name(p, sel), sel_desc(p, sel), id, via };
}

static void sort_methods(struct hierarchy *h, struct java_interface *i, const struct map *ranks)
{
	member_rows rows = { 0 };

	for (uint32_t k = 0; k < i->methods.len; k++) {
		struct interface_method x = i->methods.data[k];
		vec_push(&rows, member_row(h->p, ranks, x.via, method_row(h->p, x.m)->sel, x.m.i));
	}
	sort_members(h, &rows);
	i->methods.len = rows.len;
	for (uint32_t k = 0; k < rows.len; k++)
		i->methods.data[k] = (struct interface_method){ rows.data[k].via, { rows.data[k].id } };
	vec_release(&rows);
}

static void sort_fields(struct hierarchy *h, struct java_interface *i, const struct map *ranks)
{
	member_rows rows = { 0 };

	for (uint32_t k = 0; k < i->fields.len; k++) {
		struct interface_field x = i->fields.data[k];
		vec_push(&rows, member_row(h->p, ranks, x.via, field_row(h->p, x.f)->sel, x.f.i));
	}
	sort_members(h, &rows);
	i->fields.len = rows.len;
	for (uint32_t k = 0; k < rows.len; k++)
		i->fields.data[k] = (struct interface_field){ rows.data[k].via, { rows.data[k].id } };
	vec_release(&rows);
}

void interface_sort(struct hierarchy *h, struct java_interface *i)
{
	struct map ranks = { 0 };

	i->classes.len = sort_classes(h->p, i->classes.data, i->classes.len);
	i->made_arrays.len = sort_classes(h->p, i->made_arrays.data, i->made_arrays.len);
	i->used_arrays.len = sort_classes(h->p, i->used_arrays.data, i->used_arrays.len);
	for (uint32_t k = 0; k < i->classes.len; k++)
		*map_at(&ranks, i->classes.data[k].i) = k + 1;
	sort_methods(h, i, &ranks);
	sort_fields(h, i, &ranks);
	map_release(&ranks);
}

/* Text */

/* Names may hold what means something in a line. */
#define NAME_SIGNS "#():"

static void add_class(const struct program *p, class_id c, struct strbuf *out)
{
	struct strbuf name = { 0 };
	class_id element = c;

	while (class_row(p, element)->kind == CLASS_ARRAY)
		element = class_row(p, element)->element;
	print_class(p, element, &name);
	escaped_add(out, strbuf_str(&name), NAME_SIGNS);
	for (; c.i != element.i; c = class_row(p, c)->element)
		strbuf_adds(out, "[]");
	strbuf_release(&name);
}

static void print_class_item(const struct program *p, const char *word, class_id c, struct strbuf *out)
{
	strbuf_addf(out, "%s ", word);
	add_class(p, c, out);
	strbuf_addch(out, '\n');
}

static void print_member_item(const struct program *p, const char *word, class_id via, sel_id sel,
			      const char *separator, struct strbuf *out)
{
	strbuf_addf(out, "%s ", word);
	add_class(p, via, out);
	strbuf_addch(out, '.');
	escaped_add(out, sel_name(p, sel), NAME_SIGNS);
	if (separator) {
		strbuf_adds(out, separator);
		escaped_add(out, sel_desc(p, sel), "#");
	}
	strbuf_addch(out, '\n');
}

static void print_package_item(const struct program *p, class_id c, struct strbuf *out)
{
	struct strbuf name = { 0 };

	print_class(p, c, &name);
	int64_t dot = str_rfind(strbuf_str(&name), '.');
	if (dot > 0) {
		strbuf_adds(out, "package ");
		escaped_add(out, str_sub(strbuf_str(&name), 0, (uint32_t)dot), NAME_SIGNS);
		strbuf_addch(out, '\n');
	}
	strbuf_release(&name);
}

static uint32_t print_methods(const struct program *p, const struct java_interface *i, uint32_t at, class_id c,
			      struct strbuf *out)
{
	for (; at < i->methods.len && i->methods.data[at].via.i == c.i; at++)
		print_member_item(p, "method", c, method_row(p, i->methods.data[at].m)->sel, "", out);
	return at;
}

/* The type is written only where the name alone means another field, or several. */
static uint32_t print_fields(struct hierarchy *h, const struct java_interface *i, uint32_t at, class_id c,
			     struct strbuf *out)
{
	struct members members = { 0 };

	if (at < i->fields.len && i->fields.data[at].via.i == c.i)
		members_of(h, c, &members);
	for (; at < i->fields.len && i->fields.data[at].via.i == c.i; at++) {
		field_id f = i->fields.data[at].f;
		sel_id sel = field_row(h->p, f)->sel;
		bool is_plain = members_field(h->p, &members, sel_name(h->p, sel)).i == f.i;
		print_member_item(h->p, "field", c, sel, is_plain ? NULL : ":", out);
	}
	members_release(&members);
	return at;
}

static void add_count(size_t n, const char *one, const char *many, struct strbuf *out)
{
	strbuf_addf(out, "%u %s", (unsigned)n, n == 1 ? one : many);
}

void interface_print(struct hierarchy *h, const struct java_interface *i, struct strbuf *out)
{
	uint32_t method = 0, field = 0;

	strbuf_adds(out, "# ");
	add_count(i->classes.len, "class", "classes", out), strbuf_adds(out, ", ");
	add_count(i->methods.len, "method or constructor", "methods and constructors", out), strbuf_adds(out, ", ");
	add_count(i->fields.len, "field", "fields", out);
	strbuf_addf(out, "; arrays: %u created, %u accessed\n", (unsigned)i->made_arrays.len,
		    (unsigned)i->used_arrays.len);
	for (uint32_t k = 0; k < i->classes.len; k++) {
		strbuf_addch(out, '\n');
		print_class_item(h->p, "class", i->classes.data[k], out);
		method = print_methods(h->p, i, method, i->classes.data[k], out);
		field = print_fields(h, i, field, i->classes.data[k], out);
	}
	if (i->made_arrays.len || i->used_arrays.len)
		strbuf_addch(out, '\n');
	for (uint32_t k = 0; k < i->made_arrays.len; k++)
		print_class_item(h->p, "new", i->made_arrays.data[k], out);
	for (uint32_t k = 0; k < i->used_arrays.len; k++)
		print_class_item(h->p, "access", i->used_arrays.data[k], out);
	if (i->extended.len || i->neighbours.len)
		strbuf_addch(out, '\n');
	for (uint32_t k = 0; k < i->extended.len; k++)
		print_class_item(h->p, "extend", i->extended.data[k], out);
	for (uint32_t k = 0; k < i->neighbours.len; k++)
		print_package_item(h->p, i->neighbours.data[k], out);
}
