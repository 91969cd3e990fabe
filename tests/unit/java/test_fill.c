/* SPDX-License-Identifier: Apache-2.0 */
// links: base algo ir analysis/hierarchy analysis/strings analysis/dynamic analysis/dynamic/text analysis/callgraph
/* test_fill.c - linking, and graphs that are filled in, over a program that is made up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "analysis/callgraph/fill.h"
#include "analysis/callgraph/link.h"
#include "ir/access.h"

enum {
	INTERFACE = ACCESS_PUBLIC | ACCESS_INTERFACE | ACCESS_ABSTRACT,
	ABSTRACT = ACCESS_PUBLIC | ACCESS_ABSTRACT,
	STATIC = ACCESS_PUBLIC | ACCESS_STATIC,
};

/* package p; interface Shape { void area(); default void describe() {} static {} }
 * class Circle implements Shape { void area() {} static {} }         class Line implements Shape {}
 * class Base { void run() {} private void secret() {} static void make() {} abstract void todo(); static {} }
 * class Sub extends Base { void run() {} }                           final class Last extends Base {}
 * class Open extends Gone { void run() {} void area() {} void secret() {} }      where Gone is missing */
struct fixture {
	struct diag diag;
	struct program p;
	struct hierarchy h;
	struct linker l;
	class_id object, shape, circle, line, base, sub, last, open, gone, jvm, made;
	method_id to_string, area, describe, circle_area, run, secret, make, todo, sub_run, open_run, open_area;
	method_id start, main;
	const struct ir_body *body;      /* of main; other methods do nothing */
};

/* What the test has described is there; anything else is missing. */
static void load(void *ctx, struct program *p, class_id c)
{
	(void)ctx;
	if (!class_row(p, c)->flags)
		program_make_phantom(p, c);
}

static const struct ir_body *outline(void *ctx, struct program *p, method_id m, struct arena *mem)
{
	static const struct ir_body nothing = { 0 };
	const struct fixture *f = ctx;

	(void)p, (void)mem;
	return m.i == f->main.i ? f->body : &nothing;
}

static class_id named(struct fixture *f, const char *name)
{
	return program_class(&f->p, str_of(name));
}

static class_id add(struct fixture *f, const char *name, const char *super, unsigned flags)
{
	class_id c = named(f, name), s = super ? named(f, super) : (class_id){ 0 };

	class_row(&f->p, c)->super = s;
	class_row(&f->p, c)->flags = (uint16_t)flags;
	return c;
}

static class_id implement(struct fixture *f, const char *name, class_id interface)
{
	class_id c = add(f, name, "java/lang/Object", ACCESS_PUBLIC);

	class_row(&f->p, c)->interfaces = arena_copy(&f->p.mem, &interface, sizeof(interface));
	class_row(&f->p, c)->ninterfaces = 1;
	return c;
}

static sel_id selector(struct fixture *f, const char *name)
{
	return program_sel(&f->p, str_of(name), STR("()V"));
}

static method_id method(struct fixture *f, class_id c, const char *name, unsigned flags)
{
	program_add_method(&f->p, c, selector(f, name), (uint16_t)flags, 0);
	return program_declared(&f->p, c, selector(f, name));
}

static mref_id reference(struct fixture *f, class_id c, const char *name)
{
	return program_mref(&f->p, c, selector(f, name), class_row(&f->p, c)->flags & ACCESS_INTERFACE);
}

static void add_shapes(struct fixture *f)
{
	f->shape = add(f, "p/Shape", "java/lang/Object", INTERFACE);
	f->area = method(f, f->shape, "area", ABSTRACT);
	f->describe = method(f, f->shape, "describe", ACCESS_PUBLIC);
	method(f, f->shape, "<clinit>", STATIC);
	f->circle = implement(f, "p/Circle", f->shape);
	f->circle_area = method(f, f->circle, "area", ACCESS_PUBLIC);
	method(f, f->circle, "<clinit>", STATIC);
	f->line = implement(f, "p/Line", f->shape);
}

static void add_bases(struct fixture *f)
{
	f->base = add(f, "p/Base", "java/lang/Object", ABSTRACT);
	f->run = method(f, f->base, "run", ACCESS_PUBLIC);
	f->secret = method(f, f->base, "secret", ACCESS_PRIVATE);
	f->make = method(f, f->base, "make", STATIC);
	f->todo = method(f, f->base, "todo", ABSTRACT);
	method(f, f->base, "<clinit>", STATIC);
	f->sub = add(f, "p/Sub", "p/Base", ACCESS_PUBLIC);
	f->sub_run = method(f, f->sub, "run", ACCESS_PUBLIC);
	f->main = method(f, f->sub, "main", STATIC);
	f->last = add(f, "p/Last", "p/Base", ACCESS_PUBLIC | ACCESS_FINAL);
	f->gone = named(f, "p/Gone");
	f->open = add(f, "p/Open", "p/Gone", ACCESS_PUBLIC);
	f->open_run = method(f, f->open, "run", ACCESS_PUBLIC);
	f->open_area = method(f, f->open, "area", ACCESS_PUBLIC);
	method(f, f->open, "secret", ACCESS_PUBLIC);
}

static class_id add_synthetic(struct fixture *f, const char *name)
{
	class_id c = add(f, name, "java/lang/Object", ACCESS_PUBLIC);

	class_row(&f->p, c)->kind = CLASS_SYNTHETIC;
	return c;
}

static int start(void **state)
{
	struct fixture *f = mem_zalloc(sizeof(*f));

	diag_init(&f->diag);
	program_init(&f->p, &f->diag);
	f->p.source = (struct program_source){ .ctx = f, .load = load, .outline = outline };
	f->object = add(f, "java/lang/Object", NULL, ACCESS_PUBLIC);
	f->to_string = method(f, f->object, "toString", ACCESS_PUBLIC);
	method(f, f->object, "clone", ACCESS_PROTECTED);
	add(f, "java/lang/Cloneable", "java/lang/Object", INTERFACE);
	add(f, "java/io/Serializable", "java/lang/Object", INTERFACE);
	add_shapes(f);
	add_bases(f);
	f->jvm = add_synthetic(f, "sherd/JVM");
	f->start = method(f, f->jvm, "start", STATIC);
	f->made = add_synthetic(f, "p/Made");
	hierarchy_init(&f->h, &f->p);
	linker_init(&f->l, &f->h);
	*state = f;
	return 0;
}

static int finish(void **state)
{
	struct fixture *f = *state;

	linker_release(&f->l);
	hierarchy_release(&f->h);
	program_release(&f->p);
	diag_release(&f->diag);
	free(f);
	return 0;
}

/* Linking */

static struct link call_from(struct fixture *f, struct caller from, enum ir_op op, mref_id m)
{
	struct ir_stmt s = { .op = (uint16_t)op, .pc = 7, .ref = m.i };

	return link_call(&f->l, &from, &s);
}

static struct link call(struct fixture *f, enum ir_op op, class_id c, const char *name)
{
	return call_from(f, link_caller(&f->l, f->main), op, reference(f, c, name));
}

static void test_callers(void **state)
{
	struct fixture *f = *state;
	class_id c = add(f, "p/Native", "java/lang/Object", ACCESS_PUBLIC);
	struct caller native = link_caller(&f->l, method(f, c, "n", ACCESS_NATIVE));
	struct caller made = link_caller(&f->l, method(f, f->made, "m", ACCESS_PUBLIC));
	struct caller jvm = link_caller(&f->l, f->start), plain = link_caller(&f->l, f->run);

	assert_true(native.is_model && native.is_made && !native.is_outside);
	assert_true(jvm.is_outside && jvm.is_made && !jvm.is_model);
	assert_true(made.is_made && !made.is_model && !made.is_outside);
	assert_false(plain.is_made || plain.is_model || plain.is_outside);
	assert_int_equal(plain.m.i, f->run.i);
	assert_int_equal(plain.cls.i, f->base.i);
}

static void test_static_and_special(void **state)
{
	struct fixture *f = *state;
	struct link k = call(f, IR_CALL_STATIC, f->sub, "make");

	assert_int_equal(k.sort, LINK_ONE);
	assert_int_equal(k.target.i, f->make.i);
	assert_int_equal(k.initialises.i, f->base.i);
	assert_true(k.is_listed && !k.site.implied && k.site.pc == 7 && k.site.cause == CG_RESOLVED);
	k = call(f, IR_CALL_SPECIAL, f->base, "run");
	assert_int_equal(k.sort, LINK_ONE);
	assert_int_equal(k.target.i, f->run.i);
	assert_int_equal(k.initialises.i, 0);
}

/* The JVM would throw: the site is listed, unless code that sherd made has it. */
static void test_link_errors(void **state)
{
	struct fixture *f = *state;
	struct caller made = { .cls = f->made, .is_made = true };
	const struct link errors[] = {
		call(f, IR_CALL_VIRTUAL, f->base, "make"),    call(f, IR_CALL_STATIC, f->base, "run"),
		call(f, IR_CALL_SPECIAL, f->base, "todo"),    call(f, IR_CALL_VIRTUAL, f->base, "secret"),
		call(f, IR_CALL_VIRTUAL, f->base, "nothing"),
	};

	for (size_t i = 0; i < ARRAY_LEN(errors); i++) {
		assert_int_equal(errors[i].sort, LINK_NOTHING);
		assert_int_equal(errors[i].site.cause, CG_LINK_ERROR);
		assert_true(errors[i].is_listed);
	}
	assert_false(call_from(f, made, IR_CALL_STATIC, reference(f, f->base, "run")).is_listed);
	assert_int_equal(call_from(f, made, IR_CALL_VIRTUAL, reference(f, f->base, "secret")).sort, LINK_DISPATCHED);
}

static void test_dispatched(void **state)
{
	struct fixture *f = *state;
	class_id array = named(f, "[I");

	assert_int_equal(call(f, IR_CALL_VIRTUAL, f->base, "run").sort, LINK_DISPATCHED);
	assert_int_equal(call(f, IR_CALL_INTERFACE, f->shape, "area").sort, LINK_DISPATCHED);
	struct link clone = call(f, IR_CALL_VIRTUAL, array, "clone");
	assert_int_equal(clone.sort, LINK_ONE);
	assert_int_equal(method_row(&f->p, clone.target)->owner.i, f->object.i);
}

static void test_missing(void **state)
{
	struct fixture *f = *state;
	struct caller made = { .cls = f->made, .is_made = true };
	struct link k = call(f, IR_CALL_VIRTUAL, f->gone, "run"), first = call(f, IR_CALL_STATIC, f->gone, "run");

	assert_int_equal(k.sort, LINK_DISPATCHED);
	assert_int_equal(k.site.cause, CG_MISSING);
	assert_true(k.is_listed);
	assert_int_equal(first.sort, LINK_NOTHING);
	assert_int_equal(first.site.cause, CG_MISSING);
	k = call_from(f, made, IR_CALL_VIRTUAL, reference(f, f->gone, "run"));
	assert_int_equal(k.sort, LINK_NOTHING);
	assert_false(k.is_listed);
}

static void test_dynamic(void **state)
{
	struct fixture *f = *state;
	class_id c = add(f, "java/lang/reflect/Method", "java/lang/Object", ACCESS_PUBLIC);
	struct caller model = { .cls = f->base, .is_model = true, .is_made = true };

	method(f, c, "invoke", ACCESS_PUBLIC);
	assert_int_equal(call(f, IR_CALL_VIRTUAL, c, "invoke").site.cause, CG_REFLECTION);
	assert_int_equal(call_from(f, model, IR_CALL_VIRTUAL, reference(f, c, "invoke")).site.cause, CG_RESOLVED);
}

static void test_polymorphic(void **state)
{
	struct fixture *f = *state;
	class_id c = add(f, "java/lang/invoke/MethodHandle", "java/lang/Object", ABSTRACT);
	sel_id declared = program_sel(&f->p, STR("invoke"), STR("([Ljava/lang/Object;)Ljava/lang/Object;"));

	program_add_method(&f->p, c, declared, ACCESS_PUBLIC | ACCESS_NATIVE | ACCESS_VARARGS, 0);
	struct link k = call(f, IR_CALL_VIRTUAL, c, "invoke");
	assert_int_equal(k.sort, LINK_ONE);
	assert_int_equal(k.target.i, program_declared(&f->p, c, declared).i);
	assert_int_equal(k.site.cause, CG_METHOD_HANDLE);
}

static void test_jvm(void **state)
{
	struct fixture *f = *state;
	struct link k = call(f, IR_CALL_STATIC, f->jvm, "start");
	struct link own = call_from(f, link_caller(&f->l, f->start), IR_CALL_STATIC, reference(f, f->jvm, "start"));

	assert_int_equal(k.sort, LINK_INLINED);
	assert_int_equal(k.target.i, f->start.i);
	assert_false(k.is_listed || own.is_listed);
	assert_int_equal(own.sort, LINK_NOTHING);
	k = call_from(f, link_caller(&f->l, f->start), IR_CALL_STATIC, reference(f, f->base, "make"));
	assert_int_equal(k.sort, LINK_ONE);
	assert_false(k.is_listed);
}

static void test_handles(void **state)
{
	struct fixture *f = *state;
	struct ir_stmt handle = { .op = IR_CONST_HANDLE, .sub = IR_HANDLE_NEW, .pc = 3, .ref = 5, .result = 9 }, s;

	handle.ref = reference(f, f->sub, "<init>").i;
	assert_true(link_handle(&handle, &s));
	assert_int_equal(s.op, IR_CALL_SPECIAL);
	assert_int_equal(s.sub, IR_CALL_LOWERED);
	assert_int_equal(s.pc, 3);
	assert_int_equal(s.ref, handle.ref);
	assert_int_equal(s.nargs + s.result, 0);
	assert_int_equal(link_initialises(&f->l, &handle).i, f->sub.i);
	assert_int_equal(link_instantiates(&f->l, &handle).i, f->sub.i);
	handle.sub = IR_HANDLE_INTERFACE;
	assert_true(link_handle(&handle, &s));
	assert_int_equal(s.op, IR_CALL_INTERFACE);
	assert_int_equal(link_instantiates(&f->l, &handle).i, 0);
	handle.sub = IR_HANDLE_GETFIELD;
	assert_false(link_handle(&handle, &s));
}

static void test_classes(void **state)
{
	struct fixture *f = *state;
	sel_id field = program_sel(&f->p, STR("f"), STR("I"));
	class_id array = named(f, "[I");

	program_add_field(&f->p, f->base, field, STATIC);
	fref_id there = program_fref(&f->p, f->sub, field), missing = program_fref(&f->p, f->circle, field);
	assert_int_equal(link_initialises(&f->l, &(struct ir_stmt){ .op = IR_GETSTATIC, .ref = there.i }).i, f->base.i);
	assert_int_equal(link_initialises(&f->l, &(struct ir_stmt){ .op = IR_PUTSTATIC, .ref = missing.i }).i, 0);
	assert_int_equal(link_initialises(&f->l, &(struct ir_stmt){ .op = IR_NEW, .ref = f->sub.i }).i, f->sub.i);
	assert_int_equal(link_instantiates(&f->l, &(struct ir_stmt){ .op = IR_NEW, .ref = f->sub.i }).i, f->sub.i);
	assert_int_equal(link_instantiates(&f->l, &(struct ir_stmt){ .op = IR_NEWARRAY, .ref = array.i }).i, array.i);
	assert_int_equal(link_instantiates(&f->l, &(struct ir_stmt){ .op = IR_NEWARRAY, .ref = f->sub.i }).i, 0);
	assert_int_equal(link_instantiates(&f->l, &(struct ir_stmt){ .op = IR_CONST_STRING }).i, f->p.string.i);
	assert_int_equal(link_instantiates(&f->l, &(struct ir_stmt){ .op = IR_GETSTATIC, .ref = there.i }).i, 0);
}

struct initialised {
	class_id classes[4];
	uint32_t n;
};

static void note_initialiser(void *ctx, class_id of, method_id clinit)
{
	struct initialised *seen = ctx;

	assert_true(clinit.i != 0);
	assert_true(seen->n < ARRAY_LEN(seen->classes));
	seen->classes[seen->n++] = of;
}

static struct initialised initialisers(struct fixture *f, class_id c)
{
	struct initialised seen = { .n = 0 };

	hierarchy_initialisers(&f->h, c, note_initialiser, &seen);
	return seen;
}

static void test_initialisers(void **state)
{
	struct fixture *f = *state;
	struct initialised circle = initialisers(f, f->circle), sub = initialisers(f, f->sub);
	class_id plain = add(f, "p/Plain", "java/lang/Object", INTERFACE), solid = implement(f, "p/Solid", f->shape);

	assert_int_equal(circle.n, 2);
	assert_int_equal(circle.classes[0].i, f->circle.i);
	assert_int_equal(circle.classes[1].i, f->shape.i);
	assert_int_equal(sub.n, 1);
	assert_int_equal(sub.classes[0].i, f->base.i);
	assert_int_equal(initialisers(f, f->shape).n, 1);
	class_row(&f->p, solid)->flags = INTERFACE;
	assert_int_equal(initialisers(f, solid).n, 0);
	method(f, plain, "<clinit>", STATIC);
	assert_int_equal(initialisers(f, implement(f, "p/User", plain)).n, 0);
}

/* Selection */

static method_id selected(struct fixture *f, class_id c, const char *name, class_id receiver)
{
	bool is_incomplete = false;
	method_id m = dispatch_select(&f->h, reference(f, c, name), receiver, &is_incomplete);

	assert_false(is_incomplete);
	return m;
}

static void test_select(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(selected(f, f->base, "run", f->sub).i, f->sub_run.i);
	assert_int_equal(selected(f, f->base, "run", f->last).i, f->run.i);
	assert_int_equal(selected(f, f->base, "run", f->circle).i, 0);
	assert_int_equal(selected(f, f->base, "secret", f->sub).i, f->secret.i);
	assert_int_equal(selected(f, f->base, "todo", f->sub).i, 0);
	assert_int_equal(selected(f, f->shape, "area", f->circle).i, f->circle_area.i);
	assert_int_equal(selected(f, f->shape, "area", f->line).i, 0);
	assert_int_equal(selected(f, f->shape, "describe", f->line).i, f->describe.i);
	assert_int_equal(selected(f, f->object, "toString", named(f, "[[I")).i, f->to_string.i);
	assert_int_equal(selected(f, f->base, "run", named(f, "[I")).i, 0);
}

/* A class with a missing ancestor may have types that only the ancestor names, but no final class. */
static void test_select_missing(void **state)
{
	struct fixture *f = *state;
	bool is_incomplete = false;

	assert_int_equal(selected(f, f->gone, "run", f->open).i, f->open_run.i);
	assert_int_equal(selected(f, f->gone, "run", f->sub).i, 0);
	assert_int_equal(selected(f, f->base, "run", f->open).i, f->open_run.i);
	assert_int_equal(selected(f, f->shape, "area", f->open).i, f->open_area.i);
	assert_int_equal(selected(f, f->last, "run", f->open).i, 0);
	assert_int_equal(selected(f, f->base, "secret", f->open).i, 0);
	assert_int_equal(selected(f, f->object, "toString", f->open).i, f->to_string.i);
	assert_int_equal(selected(f, f->base, "toString", f->open).i, 0);
	assert_int_equal(dispatch_select(&f->h, reference(f, f->gone, "more"), f->open, &is_incomplete).i, 0);
	assert_true(is_incomplete);
	is_incomplete = false;
	assert_int_equal(dispatch_select(&f->h, reference(f, f->object, "toString"), f->gone, &is_incomplete).i, 0);
	assert_true(is_incomplete);
	dispatch_select(&f->h, reference(f, f->base, "run"), f->sub, &is_incomplete);
	assert_true(is_incomplete);      /* it stays */
}

/* Filling */

static void fill(struct callgraph *g, uint8_t op, const method_id *targets, uint32_t n, const class_id *receivers,
		 uint32_t nreceivers)
{
	callgraph_fill_site(g, (struct cg_site){ .op = op, .set = 77, .receivers = 77, .open = nreceivers > 1 },
			    (struct cg_targets){ targets, n }, (struct cg_classes){ receivers, nreceivers });
}

static struct callgraph *filled(struct fixture *f)
{
	struct callgraph *g = callgraph_new(&f->p);
	const method_id runs[] = { f->run, f->sub_run };
	const class_id classes[] = { f->base, f->sub };

	callgraph_fill_method(g, f->main, true);
	fill(g, IR_CALL_VIRTUAL, runs, 2, classes, 2);
	fill(g, IR_CALL_STATIC, &f->make, 1, NULL, 0);
	fill(g, IR_CALL_VIRTUAL, NULL, 0, NULL, 0);
	callgraph_fill_method(g, f->make, false);
	callgraph_fill_method(g, f->sub_run, false);
	fill(g, IR_CALL_VIRTUAL, runs, 2, classes + 1, 1);
	fill(g, IR_CALL_VIRTUAL, &f->make, 1, classes, 2);
	callgraph_fill_method(g, f->run, false);
	callgraph_fill_end(g);
	return g;
}

static void test_fill(void **state)
{
	struct fixture *f = *state;
	struct callgraph *g = filled(f);
	uint32_t n, none;
	const struct cg_site *a = callgraph_sites(g, f->main, &n), *b = callgraph_sites(g, f->sub_run, &none);
	const char *reason;

	assert_int_equal(n, 3);
	assert_int_equal(none, 2);
	assert_true(callgraph_check(g, &reason));
	assert_int_equal(callgraph_nmethods(g), 4);
	assert_int_equal(callgraph_method(g, 0).i, f->make.i);      /* by name: p.Base.make, p.Base.run, p.Sub.main */
	assert_true(callgraph_is_entry(g, f->main) && !callgraph_is_entry(g, f->make));
	assert_false(callgraph_reaches(g, f->circle_area));
	assert_int_equal(a[0].set, b[0].set);
	assert_int_equal(a[1].set, b[1].set);
	assert_true(a[0].set < callgraph_nsets(g) && a[0].set != a[1].set);
	assert_int_equal(a[2].set, 0);
	assert_int_equal(callgraph_targets(g, &a[0]).n, 2);
	assert_int_equal(callgraph_targets(g, &a[0]).methods[1].i, f->sub_run.i);
	assert_int_equal(callgraph_targets(g, &a[1]).methods[0].i, f->make.i);
	assert_int_equal(callgraph_targets(g, &a[2]).n, 0);
	callgraph_sites(g, f->make, &none);
	assert_int_equal(none, 0);
	callgraph_free(g);
}

static void test_fill_receivers(void **state)
{
	struct fixture *f = *state;
	struct callgraph *g = filled(f);
	uint32_t n;
	const struct cg_site *a = callgraph_sites(g, f->main, &n), *b = callgraph_sites(g, f->sub_run, &n);

	assert_int_equal(callgraph_receivers(g, &a[0]).n, 2);
	assert_int_equal(callgraph_receivers(g, &a[0]).classes[0].i, f->base.i);
	assert_int_equal(callgraph_receivers(g, &a[1]).n, 0);
	assert_int_equal(callgraph_receivers(g, &b[0]).n, 1);
	assert_int_equal(callgraph_receivers(g, &b[0]).classes[0].i, f->sub.i);
	assert_ptr_equal(callgraph_receivers(g, &a[0]).classes, callgraph_receivers(g, &b[1]).classes);
	struct cg_stats st = callgraph_stats(g);
	assert_int_equal(st.open_sites, 2);
	assert_int_equal(st.edges, 6);
	assert_int_equal(st.poly_sites, 2);
	assert_int_equal(st.method_edges, 6);
	callgraph_free(g);
}

/* Many sites with few different sets. */
static void test_fill_shares(void **state)
{
	struct fixture *f = *state;
	class_id c = add(f, "p/Many", "java/lang/Object", ACCESS_PUBLIC);
	struct callgraph *g = callgraph_new(&f->p);
	method_id methods[64];
	char name[16];

	for (unsigned i = 0; i < 64; i++) {
		snprintf(name, sizeof(name), "m%u", i);
		methods[i] = method(f, c, name, ACCESS_PUBLIC);
		callgraph_fill_method(g, methods[i], false);
	}
	uint32_t before = callgraph_nsets(g);
	for (unsigned i = 0; i < 50000; i++)
		fill(g, IR_CALL_VIRTUAL, methods + i % 32, 2 + i / 32 % 30, NULL, 0);
	assert_int_equal(callgraph_nsets(g), before + 32 * 30);
	callgraph_fill_end(g);
	uint32_t n;
	const struct cg_site *s = callgraph_sites(g, methods[63], &n);
	assert_int_equal(n, 50000);
	for (unsigned i = 0; i < n; i++) {
		assert_int_equal(callgraph_targets(g, &s[i]).n, 2 + i / 32 % 30);
		assert_int_equal(callgraph_targets(g, &s[i]).methods[0].i, methods[i % 32].i);
	}
	callgraph_free(g);
}

#ifndef SHERD_CHECK      /* where callgraph_fill_end aborts */
static void expect_fault(struct fixture *f, struct cg_targets targets, struct cg_classes receivers, const char *fault)
{
	struct callgraph *g = callgraph_new(&f->p);
	const char *reason = NULL;

	callgraph_fill_method(g, f->run, true);
	callgraph_fill_method(g, f->sub_run, true);
	callgraph_fill_method(g, f->todo, true);
	callgraph_fill_site(g, (struct cg_site){ .op = IR_CALL_VIRTUAL }, targets, receivers);
	callgraph_fill_end(g);
	assert_false(callgraph_check(g, &reason));
	assert_string_equal(reason, fault);
	callgraph_free(g);
}

static void test_faults(void **state)
{
	struct fixture *f = *state;
	const method_id backwards[] = { f->sub_run, f->run }, twice[] = { f->run, f->run };
	const class_id both[] = { f->sub, f->base }, unknown = { f->p.classes.len };

	expect_fault(f, (struct cg_targets){ backwards, 2 }, (struct cg_classes){ 0 }, "a target set is not sorted");
	expect_fault(f, (struct cg_targets){ twice, 2 }, (struct cg_classes){ 0 }, "a target set is not sorted");
	expect_fault(f, (struct cg_targets){ &f->make, 1 }, (struct cg_classes){ 0 }, "a target is not reachable");
	expect_fault(f, (struct cg_targets){ &f->todo, 1 }, (struct cg_classes){ 0 }, "a target is abstract");
	expect_fault(f, (struct cg_targets){ 0 }, (struct cg_classes){ both, 2 }, "a set of receivers is not sorted");
	expect_fault(f, (struct cg_targets){ 0 }, (struct cg_classes){ &unknown, 1 }, "a receiver is no class");
}
#endif

/* Computed graphs */

static void expect_site(struct callgraph *g, const struct cg_site *s, uint32_t ntargets, const class_id *receivers,
			uint32_t n)
{
	struct cg_classes r = callgraph_receivers(g, s);

	assert_int_equal(callgraph_targets(g, s).n, ntargets);
	assert_int_equal(r.n, n);
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(r.classes[i].i, receivers[i].i);
}

static void test_rta(void **state)
{
	struct fixture *f = *state;
	const struct ir_stmt stmts[] = {
		{ .op = IR_NEW, .ref = f->open.i }, { .op = IR_NEW, .ref = f->circle.i },
		{ .op = IR_NEW, .ref = f->sub.i }, { .op = IR_NEWARRAY, .ref = named(f, "[I").i },
		{ .op = IR_NEW, .ref = f->line.i },
		{ .op = IR_CALL_INTERFACE, .ref = reference(f, f->shape, "area").i },
		{ .op = IR_CALL_VIRTUAL, .ref = reference(f, f->base, "run").i },
		{ .op = IR_CALL_VIRTUAL, .ref = reference(f, f->object, "toString").i },
		{ .op = IR_CALL_STATIC, .ref = reference(f, f->base, "make").i },
		{ .op = IR_CALL_VIRTUAL, .ref = reference(f, f->gone, "area").i },
	};
	const struct ir_body body = { .stmts = stmts, .nstmts = ARRAY_LEN(stmts) };
	struct cg_entries entries = { 0 };
	uint32_t n;

	f->body = &body;
	class_id array = named(f, "[Ljava/lang/Object;");
	vec_push(&entries.methods, f->main);
	struct callgraph *g = callgraph_compute(&f->p, &entries, &(struct cg_opt){ .algorithm = CG_RTA });
	const struct cg_site *s = callgraph_sites(g, f->main, &n);
	assert_int_equal(n, 5);
	expect_site(g, &s[0], 2, (class_id[]){ f->circle, f->open }, 2);
	expect_site(g, &s[1], 2, (class_id[]){ f->sub, f->open }, 2);
	expect_site(g, &s[2], 1, (class_id[]){ f->circle, f->line, f->sub, f->open, array }, 5);
	expect_site(g, &s[3], 1, NULL, 0);
	expect_site(g, &s[4], 1, (class_id[]){ f->open }, 1);
	assert_ptr_equal(callgraph_receivers(g, &s[0]).classes, callgraph_receivers(g, &s[0]).classes);
	assert_int_equal(callgraph_stats(g).open_sites, 0);
	callgraph_free(g);
	vec_release(&entries.methods);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_callers, start, finish),
		cmocka_unit_test_setup_teardown(test_static_and_special, start, finish),
		cmocka_unit_test_setup_teardown(test_link_errors, start, finish),
		cmocka_unit_test_setup_teardown(test_dispatched, start, finish),
		cmocka_unit_test_setup_teardown(test_missing, start, finish),
		cmocka_unit_test_setup_teardown(test_dynamic, start, finish),
		cmocka_unit_test_setup_teardown(test_polymorphic, start, finish),
		cmocka_unit_test_setup_teardown(test_jvm, start, finish),
		cmocka_unit_test_setup_teardown(test_handles, start, finish),
		cmocka_unit_test_setup_teardown(test_classes, start, finish),
		cmocka_unit_test_setup_teardown(test_initialisers, start, finish),
		cmocka_unit_test_setup_teardown(test_select, start, finish),
		cmocka_unit_test_setup_teardown(test_select_missing, start, finish),
		cmocka_unit_test_setup_teardown(test_fill, start, finish),
		cmocka_unit_test_setup_teardown(test_fill_receivers, start, finish),
		cmocka_unit_test_setup_teardown(test_fill_shares, start, finish),
#ifndef SHERD_CHECK
		cmocka_unit_test_setup_teardown(test_faults, start, finish),
#endif
		cmocka_unit_test_setup_teardown(test_rta, start, finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
