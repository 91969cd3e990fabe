/* SPDX-License-Identifier: Apache-2.0 */
// links: base algo ir analysis/hierarchy analysis/callgraph analysis/strings analysis/dynamic analysis/dynamic/text
/* test_values.c - what is followed to dynamic calls, what queries answer, and what levels allow, over a program that is made up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "analysis/dynamic/assume.h"
#include "analysis/dynamic/query.h"
#include "analysis/dynamic/values.h"
#include "java_case.h"

#define FOR_NAME "java/lang/Class.forName:(Ljava/lang/String;)Ljava/lang/Class;"
#define METHODS "java/lang/Class.getMethods:()[Ljava/lang/reflect/Method;"
#define INVOKE "java/lang/reflect/Method.invoke:(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;"

/* Each loads what it has got at @9. */
static const char bodies[] =
	"method a/Main.constant:()V {\n"
	"  v1 = const.string \"a.Base\"\n"
	"  v2 = call.static " FOR_NAME " (v1) @9\n"
	"  return @10\n"
	"}\n"
	"method a/Main.either:(Ljava/lang/String;)V {\n"
	"b0:\n"
	"  v1 = param 0\n"
	"  v2 = const.string \"a.Sub\"\n"
	"  if.ifnull (v1) b1, b2 @1\n"
	"b1: preds b0\n"
	"  goto b2 @2\n"
	"b2: preds b0 b1\n"
	"  v3 = phi (v1, v2)\n"
	"  v4 = call.static " FOR_NAME " (v3) @9\n"
	"  return @10\n"
	"}\n"
	/* stored by another name of the array */
	"method a/Main.renamed:()V {\n"
	"  v1 = const.int 0\n"
	"  v2 = newarray [Ljava/lang/String; (v1) @1\n"
	"  v3 = cast [Ljava/lang/String; (v2) @2\n"
	"  v4 = const.string \"a.Sub\"\n"
	"  astore.object (v3, v1, v4) @3\n"
	"  v5 = aload.object (v2, v1) @4\n"
	"  v6 = call.static " FOR_NAME " (v5) @9\n"
	"  return @10\n"
	"}\n"
	/* handed to a method that may store */
	"method a/Main.shared:()V {\n"
	"  v1 = const.int 0\n"
	"  v2 = newarray [Ljava/lang/String; (v1) @1\n"
	"  v4 = const.string \"a.Sub\"\n"
	"  astore.object (v2, v1, v4) @3\n"
	"  call.static a/Main.take:([Ljava/lang/String;)V (v2) @4\n"
	"  v5 = aload.object (v2, v1) @5\n"
	"  v6 = call.static " FOR_NAME " (v5) @9\n"
	"  return @10\n"
	"}\n"
	/* stored into an array that a query gave */
	"method a/Main.answered:(Ljava/lang/reflect/Method;)V {\n"
	"  v1 = param 0\n"
	"  v2 = const.class a/Sub\n"
	"  v3 = const.int 0\n"
	"  v4 = call.virtual " METHODS " (v2) @1\n"
	"  astore.object (v4, v3, v1) @2\n"
	"  v5 = aload.object (v4, v3) @3\n"
	"  v6 = const.null\n"
	"  v7 = call.virtual " INVOKE " (v5, v6, v6) @9\n"
	"  return @10\n"
	"}\n"
	/* by a private field, which the method below writes; by one that others may */
	"method a/Main.field:()V {\n"
	"  v1 = getstatic a/Main.name:Ljava/lang/String; @1\n"
	"  v2 = call.static " FOR_NAME " (v1) @9\n"
	"  return @10\n"
	"}\n"
	"method a/Main.write:()V {\n"
	"  v1 = const.string \"a.Base\"\n"
	"  putstatic a/Main.name:Ljava/lang/String; (v1) @1\n"
	"  putstatic a/Main.open:Ljava/lang/String; (v1) @2\n"
	"  return @3\n"
	"}\n"
	"method a/Main.openField:()V {\n"
	"  v1 = getstatic a/Main.open:Ljava/lang/String; @1\n"
	"  v2 = call.static " FOR_NAME " (v1) @9\n"
	"  return @10\n"
	"}\n"
	/* of a method that is not there */
	"method a/Main.missing:()V {\n"
	"  v1 = call.static a/Gone.name:()Ljava/lang/String; @1\n"
	"  v2 = call.static " FOR_NAME " (v1) @9\n"
	"  return @10\n"
	"}\n";

struct fixture {
	struct diag diag;
	struct program p;
	struct hierarchy h;
	struct java_case java;
	struct dynamic_opt opt;
	class_id main, base, sub, near, nested, far, other;
};

static method_id add(struct fixture *f, class_id c, const char *name, const char *desc, unsigned flags)
{
	sel_id sel = program_sel(&f->p, str_of(name), str_of(desc));

	program_add_method(&f->p, c, sel, (uint16_t)flags, 0);
	return program_declared(&f->p, c, sel);
}

/* One of each access, and constructors. */
static class_id add_class(struct fixture *f, const char *name, const char *super, class_id outer)
{
	class_id c = java_class(&f->java, name, super);

	class_row(&f->p, c)->outer = outer;
	add(f, c, "<clinit>", "()V", ACCESS_STATIC);
	add(f, c, "<init>", "()V", ACCESS_PUBLIC);
	add(f, c, "<init>", "(I)V", ACCESS_PRIVATE);
	add(f, c, "shown", "()V", ACCESS_PUBLIC);
	add(f, c, "kept", "()V", ACCESS_PROTECTED);
	add(f, c, "near", "()V", 0);
	add(f, c, "own", "()V", ACCESS_PRIVATE);
	add(f, c, "fixed", "()V", ACCESS_PUBLIC | ACCESS_STATIC);
	return c;
}

static void add_library(struct fixture *f)
{
	class_id c = java_class(&f->java, "java/lang/Class", "java/lang/Object");

	add(f, c, "forName", "(Ljava/lang/String;)Ljava/lang/Class;", ACCESS_PUBLIC | ACCESS_STATIC);
	add(f, c, "getMethods", "()[Ljava/lang/reflect/Method;", ACCESS_PUBLIC);
	c = java_class(&f->java, "java/lang/reflect/Method", "java/lang/Object");
	add(f, c, "invoke", "(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;", ACCESS_PUBLIC);
}

static void add_main(struct fixture *f)
{
	static const char *const names[] = { "constant", "renamed", "shared", "field", "write", "openField", "missing" };

	f->main = java_class(&f->java, "a/Main", "java/lang/Object");
	program_add_field(&f->p, f->main, program_sel(&f->p, STR("name"), STR("Ljava/lang/String;")), ACCESS_PRIVATE | ACCESS_STATIC);
	program_add_field(&f->p, f->main, program_sel(&f->p, STR("open"), STR("Ljava/lang/String;")), ACCESS_STATIC);
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		add(f, f->main, names[i], "()V", ACCESS_STATIC);
	add(f, f->main, "either", "(Ljava/lang/String;)V", ACCESS_STATIC);
	add(f, f->main, "take", "([Ljava/lang/String;)V", ACCESS_STATIC);
	add(f, f->main, "answered", "(Ljava/lang/reflect/Method;)V", ACCESS_STATIC);
}

static int set_up(void **state)
{
	struct fixture *f = mem_zalloc(sizeof(*f));

	program_init(&f->p, &f->diag);
	java_case_init(&f->java, &f->p);
	add_library(f);
	add_main(f);
	f->base = add_class(f, "a/Base", "java/lang/Object", (class_id){ 0 });
	f->sub = java_class(&f->java, "a/Sub", "a/Base");
	add(f, f->sub, "shown", "()V", ACCESS_PUBLIC);
	add(f, f->sub, "shown", "(I)V", ACCESS_PUBLIC);
	add(f, f->sub, "<init>", "()V", ACCESS_PUBLIC);
	f->near = add_class(f, "b/Near", "a/Base", (class_id){ 0 });
	f->far = add_class(f, "c/Far", "java/lang/Object", (class_id){ 0 });
	f->nested = add_class(f, "b/Near$Nested", "c/Far", f->near);
	f->other = add_class(f, "b/Other", "java/lang/Object", (class_id){ 0 });
	for (uint32_t i = 1; i < f->p.classes.len; i++)
		program_load(&f->p, (class_id){ i });
	hierarchy_init(&f->h, &f->p);
	assert_true(java_bodies(&f->java, bodies, &f->diag));
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	hierarchy_release(&f->h);
	java_case_release(&f->java);
	program_release(&f->p);
	diag_release(&f->diag);
	free(f);
	return 0;
}

/* Values: nobody calls these methods, and all are reached */

static void no_callers(void *ctx ATTR_UNUSED, method_id target ATTR_UNUSED, bool is_again ATTR_UNUSED,
		       void (*fn)(void *x, method_id caller, uint32_t pc, mref_id ref) ATTR_UNUSED, void *x ATTR_UNUSED)
{
}

static void no_targets(void *ctx ATTR_UNUSED, method_id caller ATTR_UNUSED, uint32_t pc ATTR_UNUSED, mref_id ref ATTR_UNUSED,
		       const struct dynamic_targets *to ATTR_UNUSED)
{
}

static bool always(void *ctx ATTR_UNUSED, method_id m ATTR_UNUSED) { return true; }
static bool never(void *ctx ATTR_UNUSED, method_id m ATTR_UNUSED) { return false; }

static const struct dynamic_graph no_calls = { .callers = no_callers, .targets = no_targets, .is_reached = always, .is_entry = never };

static mref_id ref_to(struct fixture *f, const char *class, const char *name, const char *desc)
{
	mref_id m = program_mref(&f->p, program_class(&f->p, str_of(class)), program_sel(&f->p, str_of(name), str_of(desc)), false);

	assert_int_equal(resolve_method(&f->h, m), RESOLVE_OK);
	return m;
}

static method_id main_method(struct fixture *f, const char *name, const char *desc)
{
	method_id m = program_declared(&f->p, f->main, program_sel(&f->p, str_of(name), str_of(desc)));

	assert_true(m.i);
	return m;
}

static bool has_class(struct metas set, class_id c)
{
	for (uint32_t i = 0; i < set.n; i++)
		if (set.data[i] == meta_of(META_CLASS, c.i))
			return true;
	return false;
}

/* What the forName at @9 of a method finds: this class, none if there is none, alone. */
static void assert_finds(struct fixture *f, const char *name, const char *desc, class_id wanted, bool is_open)
{
	struct values *v = values_new(&f->h, &f->opt);
	mref_id for_name = ref_to(f, "java/lang/Class", "forName", "(Ljava/lang/String;)Ljava/lang/Class;");
	uint32_t node = values_result(v, main_method(f, name, desc), 9, for_name);

	assert_int_not_equal(node, 0);
	values_trace(v, &no_calls);
	struct metas found = values_of(v, node);
	assert_int_equal(found.n, wanted.i != 0);
	assert_true(!wanted.i || has_class(found, wanted));
	assert_int_equal(found.is_open, is_open);
	values_trace(v, &no_calls);      /* nothing new comes of the same graph */
	assert_int_equal(values_of(v, node).n, wanted.i != 0);
	values_free(v);
}

static void test_names(void **state)
{
	struct fixture *f = *state;

	assert_finds(f, "constant", "()V", f->base, false);
	assert_finds(f, "either", "(Ljava/lang/String;)V", f->sub, false);
	assert_finds(f, "field", "()V", f->base, false);
	assert_finds(f, "openField", "()V", f->base, true);
	assert_finds(f, "missing", "()V", (class_id){ 0 }, true);
}

static void test_arrays(void **state)
{
	struct fixture *f = *state;

	assert_finds(f, "renamed", "()V", f->sub, false);
	assert_finds(f, "shared", "()V", f->sub, true);
}

static void test_array_of_query(void **state)
{
	struct fixture *f = *state;
	struct values *v = values_new(&f->h, &f->opt);
	mref_id invoke = ref_to(f, "java/lang/reflect/Method", "invoke", "(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;");
	uint32_t node = values_operand(v, main_method(f, "answered", "(Ljava/lang/reflect/Method;)V"), 9, invoke, 0);

	values_trace(v, &no_calls);
	struct metas found = values_of(v, node);
	assert_int_equal(found.n, 3);            /* Sub.shown, Sub.shown(int), Base.fixed */
	assert_false(found.is_open);
	values_free(v);
}

/* Queries */

static uint32_t answer(struct fixture *f, enum query q, class_id c, const char *name, meta_list *out)
{
	meta named = name ? meta_of(META_STRING, intern(&f->p.strings, str_of(name)).i) : 0;
	struct member_filter filter = { .names = { &named, name != NULL, name == NULL } };

	assert_true(query_answer(&f->h, q, meta_of(META_CLASS, c.i), &filter, out));
	return out->len;
}

static void assert_answers(struct fixture *f, enum query q, class_id c, const char *name, uint32_t n)
{
	meta_list out = { 0 };

	assert_int_equal(answer(f, q, c, name, &out), n);
	vec_release(&out);
}

static void test_members(void **state)
{
	struct fixture *f = *state;
	meta_list out = { 0 };

	assert_int_equal(answer(f, QUERY_METHOD_PUBLIC, f->sub, "shown", &out), 2);      /* not that of Base */
	assert_int_equal(method_row(&f->p, meta_method(out.data[0]))->owner.i, f->sub.i);
	assert_int_equal(method_row(&f->p, meta_method(out.data[1]))->owner.i, f->sub.i);
	/* what one class has does not hide what another has */
	assert_int_equal(answer(f, QUERY_METHOD_PUBLIC, f->base, "shown", &out), 3);
	vec_release(&out);
	assert_answers(f, QUERY_METHOD_PUBLIC, f->sub, "fixed", 1);
	assert_answers(f, QUERY_METHOD_PUBLIC, f->sub, "own", 0);
	assert_answers(f, QUERY_METHOD_PUBLIC, f->base, "kept", 0);
	assert_answers(f, QUERY_METHOD_DECLARED, f->base, "own", 1);
	assert_answers(f, QUERY_METHOD_DECLARED, f->sub, "fixed", 0);
	assert_answers(f, QUERY_METHOD_DECLARED, f->base, "<init>", 0);
	assert_answers(f, QUERY_METHOD_DECLARED, f->base, "<clinit>", 0);
	assert_answers(f, QUERY_METHODS_DECLARED, f->base, NULL, 5);
	assert_answers(f, QUERY_CONSTRUCTORS_PUBLIC, f->base, NULL, 1);
	assert_answers(f, QUERY_CONSTRUCTORS_DECLARED, f->base, NULL, 2);
	assert_answers(f, QUERY_SUPERCLASS, f->sub, NULL, 1);
	assert_answers(f, QUERY_SUPERCLASS, f->p.object, NULL, 0);
	assert_answers(f, QUERY_OUTER, f->nested, NULL, 1);
}

static void test_types(void **state)
{
	struct fixture *f = *state;
	meta number = meta_of(META_CLASS, program_class_of_desc(&f->p, STR("I")).i);
	const struct metas of_number = { &number, 1, false }, unknown = { NULL, 0, true }, nothing = { NULL, 0, false };
	const struct {
		const struct metas *types;
		uint32_t n, answers;
	} cases[] = { { NULL, 0, 1 }, { &of_number, 1, 1 }, { &unknown, 1, 1 }, { &nothing, 1, 0 } };

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct member_filter filter = { .names.is_open = true, .types = cases[i].types, .ntypes = cases[i].n, .knows_types = true };
		meta_list out = { 0 };
		assert_true(query_answer(&f->h, QUERY_CONSTRUCTOR_DECLARED, meta_of(META_CLASS, f->base.i), &filter, &out));
		assert_int_equal(out.len, cases[i].answers);
		vec_release(&out);
	}
}

static void test_class_names(void **state)
{
	static const char *const wrong[] = { "", "a/Base", "a.Gone", "[", "[a.Base", "[La.Base", "[L;", "[X", "[II", "int", "La.Base;", "[La.Gone;" };
	struct fixture *f = *state;

	assert_int_equal(query_class_named(&f->p, STR("a.Base")).i, f->base.i);
	assert_int_equal(query_class_named(&f->p, STR("[La.Base;")).i, program_array_of(&f->p, f->base).i);
	assert_true(query_class_named(&f->p, STR("[[I")).i);
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		assert_int_equal(query_class_named(&f->p, str_of(wrong[i])).i, 0);
}

/* Levels */

struct allowed {
	struct assume *a;
	class_id from;
	uint8_t times[256];      /* by method: how often it was given */
};

static void allow(void *ctx, method_id m)
{
	struct allowed *x = ctx;

	assert_true(m.i < ARRAY_LEN(x->times));
	x->times[m.i]++;
}

static void allow_part(void *ctx, unsigned what, enum assume_part part, uint32_t key ATTR_UNUSED)
{
	struct allowed *x = ctx;

	assume_methods(x->a, what, part, x->from, allow, x);
}

/* What the rules of access say, JVMS 5.4.4: methods by way of `from` or a class around it, constructors of their own class. */
static bool is_accessible(struct fixture *f, class_id from, method_id m)
{
	struct ir_method row = *method_row(&f->p, m);

	if (row.flags & ACCESS_PUBLIC)
		return true;
	if (str_is(sel_name(&f->p, row.sel), "<clinit>"))
		return true;
	if (row.flags & ACCESS_PRIVATE) {
		class_id outer = class_row(&f->p, row.owner)->outer, around = class_row(&f->p, from)->outer;
		return (outer.i ? outer : row.owner).i == (around.i ? around : from).i;
	}
	if (str_eq(package_of(class_name(&f->p, row.owner)), package_of(class_name(&f->p, from))))
		return true;
	for (class_id c = from; c.i && (row.flags & ACCESS_PROTECTED); c = class_row(&f->p, c)->outer)
		if (hierarchy_is_subclass(&f->h, c, row.owner) && sel_name(&f->p, row.sel).p[0] != '<')
			return true;
	return false;
}

static void assert_allows(struct fixture *f, struct assume *a, class_id from, enum dynamic_level level)
{
	struct allowed x = { .a = a, .from = from };
	unsigned all = ASSUME_INITIALISERS | ASSUME_CONSTRUCTORS | ASSUME_METHODS;

	assume_parts(a, level, all, from, allow_part, &x);
	for (uint32_t i = 1; i < f->p.methods.len; i++) {
		bool is_wanted = level == DYNAMIC_BEHAVED || is_accessible(f, from, (method_id){ i });
		assert_int_equal(x.times[i], is_wanted);
	}
}

/* Parts are disjoint, and together they are what can be named. */
static void test_parts(void **state)
{
	struct fixture *f = *state;
	const class_id from[] = { f->base, f->sub, f->near, f->nested, f->far, f->other, f->main };
	struct assume a;

	assume_init(&a, &f->h);
	for (size_t i = 0; i < ARRAY_LEN(from); i++) {
		assert_allows(f, &a, from[i], DYNAMIC_BEHAVED);
		assert_allows(f, &a, from[i], DYNAMIC_ENCAP);
		assert_allows(f, &a, from[i], DYNAMIC_STRING);
	}
	assume_release(&a);
}

static uint32_t count_allowed(struct assume *a, unsigned what, enum assume_part part, class_id from)
{
	struct allowed x = { .a = a, .from = from };
	uint32_t n = 0;

	assume_methods(a, what, part, from, allow, &x);
	for (size_t i = 0; i < ARRAY_LEN(x.times); i++)
		n += x.times[i];
	return n;
}

static void test_what(void **state)
{
	struct fixture *f = *state;
	struct assume a;

	assume_init(&a, &f->h);
	assert_int_equal(count_allowed(&a, assume_what(DYNAMIC_LOAD), ASSUME_ALL, f->base), 5);
	assert_int_equal(count_allowed(&a, assume_what(DYNAMIC_NEW), ASSUME_ALL, f->base), 6);           /* Sub's, too */
	assert_int_equal(count_allowed(&a, assume_what(DYNAMIC_CONSTRUCT), ASSUME_ALL, f->base), 11);
	assert_int_equal(count_allowed(&a, assume_what(DYNAMIC_FIND), ASSUME_ALL, f->base), 0);
	class_row(&f->p, f->far)->flags |= ACCESS_ABSTRACT;
	assert_int_equal(count_allowed(&a, assume_what(DYNAMIC_NEW), ASSUME_ALL, f->base), 5);
	assert_int_equal(count_allowed(&a, ASSUME_METHODS, ASSUME_INHERITED, f->nested), 2);      /* Far.kept, and Base.kept of Near */
	assert_int_equal(count_allowed(&a, ASSUME_METHODS, ASSUME_INHERITED, f->near), 1);
	assert_int_equal(count_allowed(&a, ASSUME_METHODS, ASSUME_INHERITED, f->far), 0);
	assume_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_arrays, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_array_of_query, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_members, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_types, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_class_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_parts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_what, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("values", tests, NULL, NULL);
}
