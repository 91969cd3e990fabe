/* SPDX-License-Identifier: Apache-2.0 */
#include "ir/program.h"

#include "ir/access.h"

static const struct {
	char code;
	const char *name;
} primitives[] = { { 'B', "byte" },  { 'C', "char" },  { 'D', "double" },  { 'F', "float" }, { 'I', "int" },
		   { 'J', "long" },  { 'S', "short" }, { 'Z', "boolean" }, { 'V', "void" } };

static class_id add_class(struct program *p, str_id name, enum class_kind kind)
{
	class_id c = { p->classes.len };

	vec_push(&p->classes, ((struct ir_class){ .name = name, .kind = (uint8_t)kind, .nest_host = c }));
	return c;
}

/* Rows 1 to 9. They are not in the map of names: a hostile class file may be called `int`. */
static void add_primitives(struct program *p)
{
	for (uint32_t i = 0; i < ARRAY_LEN(primitives); i++) {
		class_id c = add_class(p, intern(&p->strings, str_of(primitives[i].name)), CLASS_PRIMITIVE);
		class_row(p, c)->state = LOAD_DONE;
	}
}

void program_init(struct program *p, struct diag *d)
{
	*p = (struct program){ .diag = d };
	arena_init(&p->mem);
	interner_init(&p->strings);
	vec_push(&p->classes, (struct ir_class){ .state = LOAD_DONE });
	vec_push(&p->methods, (struct ir_method){ 0 });
	vec_push(&p->fields, (struct ir_field){ 0 });
	vec_push(&p->sels, (struct ir_selector){ 0 });
	vec_push(&p->mrefs, (struct ir_mref){ 0 });
	vec_push(&p->frefs, (struct ir_fref){ 0 });
	vec_push(&p->artifacts, "");
	vec_push(&p->asked_by, 0);
	add_primitives(p);
	p->object = program_class(p, STR("java/lang/Object"));
	p->string = program_class(p, STR("java/lang/String"));
	p->throwable = program_class(p, STR("java/lang/Throwable"));
	p->cloneable = program_class(p, STR("java/lang/Cloneable"));
	p->serializable = program_class(p, STR("java/io/Serializable"));
	p->class_ = program_class(p, STR("java/lang/Class"));
}

void program_release(struct program *p)
{
	vec_release(&p->classes);
	vec_release(&p->methods);
	vec_release(&p->fields);
	vec_release(&p->sels);
	vec_release(&p->mrefs);
	vec_release(&p->frefs);
	vec_release(&p->artifacts);
	vec_release(&p->asked_by);
	vec_release(&p->phantoms);
	map_release(&p->class_by_name);
	map_release(&p->sel_by_key);
	map_release(&p->mref_by_key);
	map_release(&p->fref_by_key);
	map_release(&p->member_by_key);
	map_release(&p->field_by_key);
	interner_release(&p->strings);
	arena_release(&p->mem);
}

/* An array class is complete as soon as it is named. */
static void fill_array(struct program *p, class_id c)
{
	struct str name = class_name(p, c);
	class_id element = program_class_of_desc(p, str_sub(name, 1, name.len));
	class_id *interfaces = arena_array(&p->mem, class_id, 2);
	struct ir_class *row = class_row(p, c);

	interfaces[0] = p->cloneable;
	interfaces[1] = p->serializable;
	row->kind = CLASS_ARRAY;
	row->element = element;
	row->super = p->object;
	row->interfaces = interfaces;
	row->ninterfaces = 2;
	row->flags = ACCESS_PUBLIC | ACCESS_FINAL | ACCESS_ABSTRACT;      /* JVMS 5.3.3 */
}

/* JVMS 4.4.1: at most 255 dimensions; what has more is no array, and will not be found. */
static bool is_array_name(struct str name)
{
	uint32_t dims = 0;

	while (dims < name.len && name.p[dims] == '[')
		dims++;
	return dims > 0 && dims <= 255 && dims < name.len;
}

class_id program_class_id(struct program *p, str_id name)
{
	uint32_t *at = map_at(&p->class_by_name, name.i);

	if (*at)
		return (class_id){ *at };
	class_id c = add_class(p, name, CLASS_FILE);
	*at = c.i;
	if (is_array_name(interned(&p->strings, name)))
		fill_array(p, c);
	return c;
}

class_id program_class(struct program *p, struct str name)
{
	return program_class_id(p, intern(&p->strings, name));
}

class_id program_find_class(const struct program *p, struct str name)
{
	str_id id;

	if (!interner_find(&p->strings, name, &id))
		return (class_id){ 0 };
	return (class_id){ map_get(&p->class_by_name, id.i) };
}

class_id program_class_of_desc(struct program *p, struct str desc)
{
	for (uint32_t i = 0; desc.len == 1 && i < ARRAY_LEN(primitives); i++)
		if (primitives[i].code == desc.p[0])
			return (class_id){ i + 1 };
	if (desc.len > 2 && desc.p[0] == 'L')
		return program_class(p, str_sub(desc, 1, desc.len - 1));
	return program_class(p, desc);
}

class_id program_array_of(struct program *p, class_id element)
{
	struct strbuf name = { 0 };
	const struct ir_class *row = class_row(p, element);

	strbuf_addch(&name, '[');
	if (row->kind == CLASS_PRIMITIVE)
		strbuf_addch(&name, primitives[element.i - 1].code);
	else if (row->kind == CLASS_ARRAY)
		strbuf_addstr(&name, class_name(p, element));
	else
		strbuf_addf(&name, "L%s;", class_name(p, element).p);
	class_id c = program_class(p, strbuf_str(&name));
	strbuf_release(&name);
	return c;
}

/* Parameters of a well-formed method descriptor; 0 for a field's. */
static uint16_t count_args(struct str desc)
{
	uint16_t n = 0;

	for (uint32_t i = 1; desc.len && desc.p[0] == '(' && i < desc.len && desc.p[i] != ')'; i++) {
		if (desc.p[i] == '[')
			continue;
		if (desc.p[i] == 'L')
			while (i + 1 < desc.len && desc.p[i] != ';')
				i++;
		n++;
	}
	return n;
}

sel_id program_sel_id(struct program *p, str_id name, str_id desc)
{
	uint32_t *at = map_at(&p->sel_by_key, map_key(name.i, desc.i));

	if (*at == 0) {
		struct str d = interned(&p->strings, desc);
		*at = p->sels.len;
		vec_push(&p->sels, ((struct ir_selector){ name, desc, count_args(d), (uint8_t)ir_kind_of_desc(d) }));
	}
	return (sel_id){ *at };
}

sel_id program_sel(struct program *p, struct str name, struct str desc)
{
	str_id n = intern(&p->strings, name), d = intern(&p->strings, desc);

	return program_sel_id(p, n, d);
}

mref_id program_mref(struct program *p, class_id owner, sel_id sel, bool is_interface)
{
	uint32_t *at = map_at(&p->mref_by_key, map_key(owner.i, sel.i << 1 | is_interface));

	if (*at == 0) {
		*at = p->mrefs.len;
		vec_push(&p->mrefs, ((struct ir_mref){ .owner = owner, .sel = sel, .is_interface = is_interface }));
	}
	return (mref_id){ *at };
}

fref_id program_fref(struct program *p, class_id owner, sel_id sel)
{
	uint32_t *at = map_at(&p->fref_by_key, map_key(owner.i, sel.i));

	if (*at == 0) {
		*at = p->frefs.len;
		vec_push(&p->frefs, ((struct ir_fref){ .owner = owner, .sel = sel }));
	}
	return (fref_id){ *at };
}

method_id program_declared(const struct program *p, class_id c, sel_id sel)
{
	return (method_id){ map_get(&p->member_by_key, map_key(c.i, sel.i)) };
}

field_id program_declared_field(const struct program *p, class_id c, sel_id sel)
{
	return (field_id){ map_get(&p->field_by_key, map_key(c.i, sel.i)) };
}

void program_add_method(struct program *p, class_id c, sel_id sel, uint16_t flags, uint16_t index)
{
	struct ir_class *row = class_row(p, c);
	uint32_t *at = map_at(&p->member_by_key, map_key(c.i, sel.i));

	if (row->nmethods++ == 0)
		row->first_method = p->methods.len;
	if (*at == 0)
		*at = p->methods.len;
	vec_push(&p->methods, ((struct ir_method){ c, sel, flags, index }));
}

void program_add_field(struct program *p, class_id c, sel_id sel, uint16_t flags)
{
	struct ir_class *row = class_row(p, c);
	uint32_t *at = map_at(&p->field_by_key, map_key(c.i, sel.i));

	if (row->nfields++ == 0)
		row->first_field = p->fields.len;
	if (*at == 0)
		*at = p->fields.len;
	vec_push(&p->fields, ((struct ir_field){ c, sel, flags }));
}

void program_make_phantom(struct program *p, class_id c)
{
	struct ir_class *row = class_row(p, c);

	*row = (struct ir_class){ .name = row->name, .kind = CLASS_PHANTOM, .nest_host = c, .state = row->state,
				  .flags = ACCESS_PUBLIC, .is_referred = row->is_referred };
	if (c.i != p->object.i)
		row->super = p->object;
	vec_push(&p->phantoms, c);
}

struct named_class {
	struct str name;
	class_id c;
};

static int by_name(const void *a, const void *b)
{
	return str_cmp(((const struct named_class *)a)->name, ((const struct named_class *)b)->name);
}

static void sort_by_name(const struct program *p, class_id *classes, uint32_t n)
{
	struct named_class *rows = mem_alloc(n * sizeof(*rows));

	for (uint32_t i = 0; i < n; i++)
		rows[i] = (struct named_class){ class_name(p, classes[i]), classes[i] };
	qsort(rows, n, sizeof(*rows), by_name);
	for (uint32_t i = 0; i < n; i++)
		classes[i] = rows[i].c;
	free(rows);
}

void program_prune_phantoms(struct program *p)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < p->phantoms.len; i++)
		if (class_row(p, p->phantoms.data[i])->is_referred)
			p->phantoms.data[kept++] = p->phantoms.data[i];
	p->phantoms.len = kept;
	sort_by_name(p, p->phantoms.data, kept);
}

/* Loading: an explicit stack, because a hostile jar may hold a chain of 100,000 classes. */

struct frame {
	class_id c;
	uint32_t next;      /* ancestor to look at: 0 is the superclass, k the k-th interface */
};
typedef VEC(struct frame) frames;

static void start_load(struct program *p, frames *stack, class_id c)
{
	if (class_row(p, c)->kind == CLASS_FILE)
		p->source.load(p->source.ctx, p, c);
	class_row(p, c)->state = LOAD_BUSY;
	vec_push(stack, ((struct frame){ c, 0 }));
}

static void report_link_error(struct program *p, class_id c, enum link_error error, class_id ancestor)
{
	static const char *const why[] = { "", "is its own ancestor", "extends an interface", "extends a final class",
					   "implements a class that is no interface", "has too many superclasses" };
	struct ir_class *row = class_row(p, c);

	row->link_error = (uint8_t)error;
	diag_add(p->diag, error == LINK_CYCLE ? DIAG_E015 : error == LINK_TOO_DEEP ? DIAG_E018 : DIAG_E017,
		 p->artifacts.data[row->artifact], class_name(p, c), DIAG_NO_OFFSET, "the class %s (%s); the link is ignored", why[error], class_name(p, ancestor).p);
}

/* Ancestor `k` of `c` is loaded, or is on the stack: cuts the link when the JVM would not accept it. */
static void check_ancestor(struct program *p, class_id c, uint32_t k, class_id ancestor)
{
	const struct ir_class *a = class_row(p, ancestor);
	bool is_interface = (a->flags & ACCESS_INTERFACE) != 0;
	bool is_below_final = (a->flags & ACCESS_FINAL) && class_row(p, c)->kind != CLASS_SYNTHETIC;
	enum link_error error = LINK_OK;

	if (a->state == LOAD_BUSY)
		error = LINK_CYCLE;
	else if (a->kind == CLASS_PHANTOM)
		error = LINK_OK;
	else if (k == 0)
		error = is_interface ? LINK_SUPER_INTERFACE : is_below_final ? LINK_SUPER_FINAL : LINK_OK;
	else if (!is_interface)
		error = LINK_NOT_INTERFACE;
	if (error == LINK_OK || class_row(p, c)->kind == CLASS_ARRAY)
		return;
	report_link_error(p, c, error, ancestor);
	if (k > 0)
		class_row(p, c)->interfaces[k - 1].i = 0;      /* removed by finish_load */
	else if (error != LINK_SUPER_FINAL)
		class_row(p, c)->super = c.i == p->object.i ? (class_id){ 0 } : p->object;
}

static void drop_cut_interfaces(struct ir_class *row)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < row->ninterfaces; i++)
		if (row->interfaces[i].i)
			row->interfaces[kept++] = row->interfaces[i];
	row->ninterfaces = kept;
}

static void finish_load(struct program *p, class_id c)
{
	class_id super = class_row(p, c)->super;
	uint32_t depth = super.i ? class_row(p, super)->depth + 1 : 0;

	if (depth > MAX_SUPERCLASSES) {
		report_link_error(p, c, LINK_TOO_DEEP, super);
		class_row(p, c)->super = p->object;
		depth = 1;
	}
	drop_cut_interfaces(class_row(p, c));
	class_row(p, c)->depth = depth;
	class_row(p, c)->state = LOAD_DONE;
}

/* One step for the class on top: descends into an ancestor, or finishes the class. */
static void step_load(struct program *p, frames *stack)
{
	struct frame *top = vec_last(stack);
	class_id c = top->c;
	const struct ir_class *row = class_row(p, c);

	while (top->next <= row->ninterfaces) {
		class_id ancestor = top->next == 0 ? row->super : row->interfaces[top->next - 1];
		if (ancestor.i && class_row(p, ancestor)->state == LOAD_NAMED) {
			start_load(p, stack, ancestor);
			return;
		}
		if (ancestor.i)
			check_ancestor(p, c, top->next, ancestor);
		top->next++;
		row = class_row(p, c);
		if (top->next == 1 && row->super.i && class_row(p, row->super)->state == LOAD_NAMED)
			top->next = 0;      /* the superclass was replaced by Object */
	}
	finish_load(p, c);
	(void)vec_pop(stack);
}

static void load(struct program *p, class_id c)
{
	frames stack = { 0 };

	start_load(p, &stack, c);
	while (stack.len)
		step_load(p, &stack);
	vec_release(&stack);
}

void program_load(struct program *p, class_id c)
{
	if (class_row(p, c)->state != LOAD_DONE)
		load(p, c);
}

class_id program_make_class(struct program *p, struct str name)
{
	struct strbuf text = { 0 };

	strbuf_addstr(&text, name);
	while (program_find_class(p, strbuf_str(&text)).i)
		strbuf_addch(&text, '\'');
	class_id c = program_class(p, strbuf_str(&text));
	strbuf_release(&text);
	struct ir_class *row = class_row(p, c);
	row->kind = CLASS_SYNTHETIC;
	row->super = p->object;
	row->flags = ACCESS_PUBLIC | ACCESS_SUPER;
	row->nest_host = c;
	return c;
}

void program_define(struct program *p, method_id m, const struct ir_body *b)
{
	p->source.define(p->source.ctx, p, m, b);
}

void program_load_all(struct program *p)
{
	p->source.name_all(p->source.ctx, p);
	for (uint32_t i = 1; i < p->classes.len; i++)
		program_load(p, (class_id){ i });
}

bool sel_next_param(struct program *p, sel_id s, uint32_t *at, class_id *type)
{
	struct str desc = sel_desc(p, s);
	uint32_t from = *at ? *at : 1, end = from;

	while (end < desc.len && desc.p[end] == '[')
		end++;
	if (end >= desc.len || desc.p[end] == ')')
		return false;
	if (desc.p[end] == 'L')
		while (end + 1 < desc.len && desc.p[end] != ';')
			end++;
	*at = end + 1;
	*type = program_class_of_desc(p, str_sub(desc, from, end + 1));
	return true;
}

class_id sel_result(struct program *p, sel_id s)
{
	struct str desc = sel_desc(p, s);

	return program_class_of_desc(p, str_sub(desc, (uint32_t)str_rfind(desc, ')') + 1, desc.len));
}

struct str package_of(struct str name)
{
	int64_t at = str_rfind(name, '/');

	return at < 0 ? (struct str){ name.p, 0 } : str_sub(name, 0, (uint32_t)at);
}

static void add_dotted(struct strbuf *out, struct str name)
{
	size_t from = out->len;

	strbuf_addstr(out, name);
	for (size_t i = from; i < out->len; i++)
		if (out->s[i] == '/')
			out->s[i] = '.';
}

void print_class(const struct program *p, class_id c, struct strbuf *out)
{
	uint32_t dims = 0;

	for (; class_row(p, c)->kind == CLASS_ARRAY; dims++)
		c = class_row(p, c)->element;
	add_dotted(out, class_name(p, c));
	while (dims-- > 0)
		strbuf_adds(out, "[]");
}

static void print_member(const struct program *p, class_id owner, sel_id sel, struct strbuf *out)
{
	print_class(p, owner, out);
	strbuf_addch(out, '.');
	strbuf_addstr(out, sel_name(p, sel));
	strbuf_addstr(out, sel_desc(p, sel));
}

void print_method(const struct program *p, method_id m, struct strbuf *out)
{
	print_member(p, method_row(p, m)->owner, method_row(p, m)->sel, out);
}

void print_mref(const struct program *p, mref_id m, struct strbuf *out)
{
	print_member(p, mref_row(p, m)->owner, mref_row(p, m)->sel, out);
}
