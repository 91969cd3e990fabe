/* SPDX-License-Identifier: Apache-2.0 */
/* interface_tests.c - the interface that compiled tests use: every member outside of them that their code names. */
#include <stdlib.h>

#include "session/component/interface_tests_p.h"

static void list_class(void *ctx, class_id c)
{
	struct test_reader *r = ctx;
	uint32_t *at = map_at(&r->is_listed, c.i);

	if (!*at)
		vec_push(&r->classes, c);
	*at = 1;
}

static bool is_of_tests(const struct test_reader *r, class_id c)
{
	return r->is_test[class_row(r->p, c)->artifact];
}

bool tests_is_outside(const struct test_reader *r, class_id c)
{
	const struct ir_class *row = class_row(r->p, c);

	return row->kind == CLASS_FILE && row->artifact && !is_of_tests(r, c);
}

/* A class that a statement names: lambdas have their code in one of their own. */
static void meet_class(struct test_reader *r, class_id c)
{
	if (class_row(r->p, c)->kind == CLASS_SYNTHETIC && is_of_tests(r, c))
		list_class(r, c);
}

/* The class by way of which the interface has the member: not a test that inherits it. */
static class_id outside_via(struct test_reader *r, class_id via, class_id owner)
{
	while (via.i && !tests_is_outside(r, via))
		via = class_row(r->p, via)->super;
	return via.i && hierarchy_is_subtype(&r->b->h, via, owner) ? via : owner;
}

static void miss(struct test_reader *r, class_id owner, sel_id sel)
{
	if (r->unresolved++ == 0) {
		print_class(r->p, owner, &r->missing);
		strbuf_addf(&r->missing, ".%.*s", (int)sel_name(r->p, sel).len, sel_name(r->p, sel).p);
	}
}

/* Members */

static method_id member_of(struct test_reader *r, class_id via, sel_id sel)
{
	if (via.i != r->via.i) {
		members_release(&r->members);
		members_of(&r->b->h, via, &r->members);
		r->via = via;
	}
	return members_method(r->p, &r->members, sel);
}

static void add_method(struct test_reader *r, class_id via, method_id target)
{
	struct ir_method row = *method_row(r->p, target);

	if (!tests_is_outside(r, row.owner))
		return;
	bool is_new = str_is(sel_name(r->p, row.sel), "<init>");
	via = is_new ? row.owner : outside_via(r, via, row.owner);
	if (is_new && (class_row(r->p, via)->flags & (ACCESS_ABSTRACT | ACCESS_INTERFACE)))
		return;
	method_id m = member_of(r, via, row.sel);
	interface_add_method(r->b->out, via, m.i ? m : target);
}

static void take_mref(struct test_reader *r, mref_id ref)
{
	uint32_t *seen = map_at(&r->mrefs, ref.i);

	if (*seen)
		return;
	*seen = 1;
	struct ir_mref row = *mref_row(r->p, ref);
	meet_class(r, row.owner);
	if (class_row(r->p, row.owner)->kind == CLASS_ARRAY)
		return;               /* clone() of an array */
	enum resolution found = resolve_method(&r->b->h, ref);
	if (found == RESOLVE_OK || found == RESOLVE_POLYMORPHIC)
		add_method(r, row.owner, mref_row(r->p, ref)->target);
	else
		miss(r, row.owner, row.sel);
}

static void take_fref(struct test_reader *r, fref_id ref)
{
	uint32_t *seen = map_at(&r->frefs, ref.i);

	if (*seen)
		return;
	*seen = 1;
	struct ir_fref row = *fref_row(r->p, ref);
	meet_class(r, row.owner);
	if (resolve_field(&r->b->h, ref) != RESOLVE_OK) {
		if (str_starts(class_name(r->p, row.owner), "sherd/"))
			return;       /* a statement that lowering added */
		miss(r, row.owner, row.sel);
		return;
	}
	field_id f = fref_row(r->p, ref)->target;
	class_id owner = field_row(r->p, f)->owner;
	if (tests_is_outside(r, owner))
		interface_add_field(r->b->out, outside_via(r, row.owner, owner), f);
}

/* Arrays: bytecode does not say the type of the array that is read or written. It follows from where the value is
 * from. */

static class_id param_type(struct test_reader *r, uint32_t k)
{
	struct ir_method row = *method_row(r->p, r->method);
	uint32_t at = 0;
	class_id type = { 0 };

	if (!(row.flags & ACCESS_STATIC) && k-- == 0)
		return row.owner;
	while (sel_next_param(r->p, row.sel, &at, &type))
		if (k-- == 0)
			return type;
	return (class_id){ 0 };
}

/* The class of what a statement gives; 0: not known here. */
static class_id result_type(struct test_reader *r, const struct ir_stmt *s)
{
	switch (s->op) {
	case IR_PARAM:
		return param_type(r, s->ref);
	case IR_CAST:
	case IR_NEWARRAY:
		return (class_id){ s->ref };
	case IR_GETFIELD:
	case IR_GETSTATIC:
		return program_class_of_desc(r->p, sel_desc(r->p, fref_row(r->p, (fref_id){ s->ref })->sel));
	case IR_CALL_STATIC:
	case IR_CALL_SPECIAL:
	case IR_CALL_VIRTUAL:
	case IR_CALL_INTERFACE:
		return sel_result(r->p, mref_row(r->p, (mref_id){ s->ref })->sel);
	default:
		return (class_id){ 0 };
	}
}

static void add_array(struct test_reader *r, class_id element, uint32_t depth, bool is_made)
{
	while (depth-- > 0)
		element = program_array_of(r->p, element);
	interface_add_array(r->p, r->b->out, element, is_made);
}

/* An array of a test's class is one of what the component can know that its elements are: the class above it that is not a test's, and
 * the interfaces that only the tests' class adds. No interface names classes of tests: it can be read where they are not. */
static void take_array(struct test_reader *r, class_id array, bool is_made)
{
	class_id element = array;
	uint32_t depth = 0;

	for (; class_row(r->p, element)->kind == CLASS_ARRAY; depth++)
		element = class_row(r->p, element)->element;
	program_load(r->p, element);
	if (!is_of_tests(r, element)) {
		interface_add_array(r->p, r->b->out, array, is_made);
		return;
	}
	class_id super = outside_via(r, element, r->p->object);
	add_array(r, super, depth, is_made);
	struct supertypes s = hierarchy_supertypes(&r->b->h, element);
	for (uint32_t k = 1; k < s.n; k++)
		if (tests_is_outside(r, s.classes[k]) && !hierarchy_is_subtype(&r->b->h, super, s.classes[k]))
			add_array(r, s.classes[k], depth, is_made);
}

static void follow(struct test_reader *r, ir_value v, uint32_t depth)
{
	uint32_t *seen = map_at(&r->followed, map_key(v, depth));

	if (!*seen)
		vec_push(&r->todo, ((struct element){ v, depth }));
	*seen = 1;
}

/* Goes back from an array to where it may be from. What was followed before has been taken. */
static void follow_array(struct test_reader *r, ir_value array)
{
	follow(r, array, 0);
	while (r->todo.len) {
		struct element e = vec_pop(&r->todo);
		const struct ir_stmt *s = r->definition[e.v];
		for (uint32_t k = 0; s && s->op == IR_PHI && k < s->nargs; k++)
			follow(r, r->body->args[s->args + k], e.depth);
		if (s && s->op == IR_ALOAD && e.depth < UINT8_MAX)
			follow(r, r->body->args[s->args], e.depth + 1);
		class_id c = s ? result_type(r, s) : (class_id){ 0 };
		for (; e.depth > 0 && class_row(r->p, c)->kind == CLASS_ARRAY; e.depth--)
			c = class_row(r->p, c)->element;
		if (c.i && e.depth == 0)
			take_array(r, c, false);
	}
}

static void take_new_array(struct test_reader *r, const struct ir_stmt *s)
{
	class_id c = { s->ref };

	for (uint32_t k = 0; k < s->nargs && class_row(r->p, c)->kind == CLASS_ARRAY; k++) {
		take_array(r, c, true);
		c = class_row(r->p, c)->element;
	}
}

/* Statements */

static void take_class(struct test_reader *r, class_id c)
{
	if (!c.i || class_row(r->p, c)->kind == CLASS_ARRAY)
		return;
	program_load(r->p, c);
	if (tests_is_outside(r, c))
		vec_push(&r->b->out->classes, c);
}

static void take_stmt(struct test_reader *r, const struct ir_stmt *s)
{
	switch (s->op) {
	case IR_NEW:
		meet_class(r, (class_id){ s->ref });
		return;
	case IR_NEWARRAY:
		take_new_array(r, s);
		return;
	case IR_CAST:
	case IR_CATCH:
		take_class(r, (class_id){ s->ref });
		return;
	case IR_GETFIELD:
	case IR_PUTFIELD:
	case IR_GETSTATIC:
	case IR_PUTSTATIC:
		take_fref(r, (fref_id){ s->ref });
		return;
	case IR_ALOAD:
	case IR_ASTORE:
		if (s->sub == IR_KIND_OBJECT)
			follow_array(r, r->body->args[s->args]);
		return;
	case IR_CONST_CLASS:
		vec_push(&r->constants, ((class_id){ s->ref }));
		return;
	case IR_CONST_HANDLE:
		if (ir_is_field_handle(s->sub))
			take_fref(r, (fref_id){ s->ref });
		else
			take_mref(r, (mref_id){ s->ref });
		return;
	default:
		if (!ir_is_call(s->op) || s->op == IR_CALL_DYNAMIC || ir_is_linking(s->sub))
			return;
		take_mref(r, (mref_id){ s->ref });
		tests_look_up(r, s);
	}
}

static void read_method(struct test_reader *r, method_id m)
{
	const struct ir_body *b = r->p->source.body(r->p->source.ctx, r->p, m, &r->mem);

	if (!b)
		return;
	r->body = b;
	r->method = m;
	r->definition = arena_zarray(&r->mem, const struct ir_stmt *, b->nvalues + 1);
	for (uint32_t k = 0; k < b->nstmts; k++)
		if (b->stmts[k].result)
			r->definition[b->stmts[k].result] = &b->stmts[k];
	for (uint32_t k = 0; k < b->nstmts; k++)
		take_stmt(r, &b->stmts[k]);
	map_release(&r->followed);
	arena_clear(&r->mem);
}

static void read_class(struct test_reader *r, class_id c)
{
	program_load(r->p, c);
	struct ir_class row = *class_row(r->p, c);
	if (!is_of_tests(r, c))
		return;               /* shadowed by the class path, or damaged */
	r->nfiles += row.kind == CLASS_FILE;
	for (uint32_t k = 0; k < row.nmethods; k++)
		read_method(r, (method_id){ row.first_method + k });
	tests_end_lookups(r);
}

/* All of it */

static bool touches(const struct interface_builder *b, uint32_t methods, uint32_t fields)
{
	const struct program *p = &b->s->program;

	for (uint32_t k = methods; k < b->out->methods.len; k++)
		if (component_has(b->component, b->out->methods.data[k].via) ||
		    component_has(b->component, method_row(p, b->out->methods.data[k].m)->owner))
			return true;
	for (uint32_t k = fields; k < b->out->fields.len; k++)
		if (component_has(b->component, b->out->fields.data[k].via) ||
		    component_has(b->component, field_row(p, b->out->fields.data[k].f)->owner))
			return true;
	return false;
}

static void read_tests(struct test_reader *r, const char *path)
{
	for (uint32_t a = 1; a < r->p->artifacts.len; a++) {
		r->is_test[a] = !loader_is_jdk(r->s->loader, a) && path_has_artifact(r->s, path, a);
		if (r->is_test[a])
			loader_name_artifact(r->s->loader, a, list_class, r);
	}
	for (uint32_t k = 0; k < r->classes.len; k++)
		read_class(r, r->classes.data[k]);
	if (r->unresolved)
		diag_add(&r->s->inquiry->diag, DIAG_W048, path, (struct str){ 0 }, DIAG_NO_OFFSET,
			 "%llu members that the tests name are not on the class path and are left out, the first is %s",
			 (unsigned long long)r->unresolved, r->missing.s);
}

/* Is the class one that the component can be given: below the type of a parameter of its methods? */
static bool is_given(struct test_reader *r, class_id c)
{
	struct program *p = r->p;
	class_id type;

	for (uint32_t k = 0; k < r->b->out->methods.len; k++) {
		method_id m = r->b->out->methods.data[k].m;
		if (!component_has(r->b->component, method_row(p, m)->owner))
			continue;
		for (uint32_t at = 0; sel_next_param(p, method_row(p, m)->sel, &at, &type);)
			if (type.i != p->object.i && hierarchy_is_subtype(&r->b->h, c, type))
				return true;
	}
	return false;
}

/* What clients' classes are like, if they are like the tests': what these extend, and the packages that they are in. */
static void note_extended(struct test_reader *r, class_id c)
{
	uint32_t *at = map_at(&r->is_extended, c.i);

	if (!*at && tests_is_outside(r, c)) {
		vec_push(&r->b->out->extended, c);
		vec_push(&r->b->out->classes, c);     /* they name it */
	}
	*at = 1;
}

static void note_package(struct test_reader *r, class_id c)
{
	for (uint32_t k = 0; k < r->b->out->neighbours.len; k++)
		if (same_package(r->p, c, r->b->out->neighbours.data[k]))
			return;
	vec_push(&r->b->out->neighbours, c);
}

/* An object is of a class of the tests' own where that has methods for what every object does. */
static bool overrides_object(struct test_reader *r, class_id c)
{
	struct ir_class object = *class_row(r->p, r->p->object);

	for (uint32_t k = 0; k < object.nmethods; k++) {
		struct ir_method m = *method_row(r->p, (method_id){ object.first_method + k });
		bool is_method = sel_name(r->p, m.sel).p[0] != '<' && !(m.flags & (ACCESS_STATIC | ACCESS_PRIVATE));
		if (is_method && program_declared(r->p, c, m.sel).i)
			return true;
	}
	return false;
}

static void find_extended(struct test_reader *r)
{
	for (uint32_t k = 0; k < r->classes.len; k++) {
		struct ir_class row = *class_row(r->p, r->classes.data[k]);
		if (!is_of_tests(r, r->classes.data[k]))
			continue;
		note_package(r, r->classes.data[k]);
		if (row.super.i != r->p->object.i || overrides_object(r, r->classes.data[k]))
			note_extended(r, row.super);
		for (uint32_t i = 0; i < row.ninterfaces; i++)
			note_extended(r, row.interfaces[i]);
	}
}

static void find_own(struct test_reader *r)
{
	for (uint32_t k = 0; k < r->classes.len; k++)
		if (is_of_tests(r, r->classes.data[k]) && is_given(r, r->classes.data[k]))
			vec_push(&r->b->out->own, r->classes.data[k]);
}

static bool complain(struct test_reader *r, const char *path)
{
	if (!r->nfiles)
		diag_add(&r->s->inquiry->diag, DIAG_E047, path, (struct str){ 0 }, DIAG_NO_OFFSET,
			 "there are no test classes here; tests:PATH names directories or jars of compiled classes that "
			 "the component is not part of");
	else
		diag_add(&r->s->inquiry->diag, DIAG_E047, path, (struct str){ 0 }, DIAG_NO_OFFSET,
			 "the tests do not use the component: the code of %u test classes names no member of its %u "
			 "classes; check --component and the path", (unsigned)r->nfiles, (unsigned)r->b->component->classes.len);
	return false;
}

static void test_reader_release(struct test_reader *r)
{
	free(r->is_test);
	vec_release(&r->classes);
	vec_release(&r->todo);
	vec_release(&r->constants);
	vec_release(&r->lookups);
	members_release(&r->members);
	map_release(&r->is_listed);
	map_release(&r->is_extended);
	map_release(&r->mrefs);
	map_release(&r->frefs);
	strbuf_release(&r->missing);
	arena_release(&r->mem);
}

bool interface_tests(struct interface_builder *b, const char *path)
{
	struct test_reader r = { .b = b, .s = b->s, .p = &b->s->program };
	uint32_t methods = b->out->methods.len, fields = b->out->fields.len;

	r.is_test = mem_zalloc(r.p->artifacts.len);
	arena_init(&r.mem);
	read_tests(&r, path);
	bool ok = touches(b, methods, fields) || complain(&r, path);
	find_own(&r);
	find_extended(&r);
	test_reader_release(&r);
	return ok;
}
