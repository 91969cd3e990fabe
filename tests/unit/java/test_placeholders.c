/* SPDX-License-Identifier: Apache-2.0 */
// links: base algo solve ir analysis/hierarchy analysis/strings analysis/dynamic analysis/dynamic/text analysis/callgraph analysis/pta analysis/pta/features analysis/pta/policies analysis/pta/ways analysis/fragment
/* test_placeholders.c - statements that stand for clients, and what analyses of a small component require with them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/callgraph/callgraph.h"
#include "analysis/fragment/requirements.h"
#include "ir/access.h"
#include "ir/body.h"

/* A kit makes squares and has a disc of its own, which it shows to listeners only. Nobody makes a Lost. */
static const char bodies[] =
	"method p/Kit.<init>:()V {\n"
	"  v1 = param 0\n"
	"  v2 = new p/Disc @1\n"
	"  putfield p/Kit.own:Lp/Shape; (v1, v2) @2\n"
	"  return @3\n"
	"}\n"
	"method p/Kit.make:()Lp/Shape; {\n"
	"  v1 = param 0\n"
	"  v2 = new p/Square @1\n"
	"  return (v2) @2\n"
	"}\n"
	"method p/Kit.use:(Lp/Shape;)V {\n"
	"  v1 = param 0\n"
	"  v2 = param 1\n"
	"  call.virtual p/Shape.draw:()V (v2) @1\n"
	"  return @2\n"
	"}\n"
	"method p/Kit.useAll:([Lp/Shape;)V {\n"
	"  v1 = param 0\n"
	"  v2 = param 1\n"
	"  v3 = const.int 0\n"
	"  v4 = aload.object (v2, v3) @1\n"
	"  call.virtual p/Shape.draw:()V (v4) @2\n"
	"  return @3\n"
	"}\n"
	"method p/Kit.useOwn:()V {\n"
	"  v1 = param 0\n"
	"  v2 = getfield p/Kit.own:Lp/Shape; (v1) @1\n"
	"  call.virtual p/Shape.draw:()V (v2) @2\n"
	"  v3 = const.int 0\n"
	"  call.virtual p/Shape.mix:(ILp/Shape;)V (v2, v3, v2) @3\n"
	"  return @4\n"
	"}\n"
	"method p/Kit.tell:(Lp/Listener;)V {\n"
	"  v1 = param 0\n"
	"  v2 = param 1\n"
	"  v3 = getfield p/Kit.own:Lp/Shape; (v1) @1\n"
	"  call.interface interface p/Listener.heard:(Lp/Shape;)V (v2, v3) @2\n"
	"  return @3\n"
	"}\n"
	"method p/Kit.fail:()V {\n"
	"  v1 = param 0\n"
	"  v2 = new p/Oops @1\n"
	"  throw (v2) @2\n"
	"}\n"
	"method p/Kit.why:(Ljava/lang/Throwable;)V {\n"
	"  v1 = param 0\n"
	"  v2 = param 1\n"
	"  call.virtual java/lang/Throwable.text:()V (v2) @1\n"
	"  return @2\n"
	"}\n"
	"method p/Kit.hidden:(Lp/Shape;)V {\n"
	"  v1 = param 0\n"
	"  v2 = param 1\n"
	"  call.virtual p/Shape.draw:()V (v2) @1\n"
	"  return @2\n"
	"}\n"
	"method p/Kit.bridge:(Lp/Shape;)V {\n"
	"  v1 = param 0\n"
	"  v2 = param 1\n"
	"  call.virtual p/Shape.draw:()V (v2) @1\n"
	"  return @2\n"
	"}\n"
	"method p/Kit.call:(Lp/Base;)V {\n"
	"  v1 = param 0\n"
	"  v2 = param 1\n"
	"  call.virtual p/Base.step:()V (v2) @1\n"
	"  call.virtual p/Base.last:()V (v2) @2\n"
	"  return @3\n"
	"}\n";

struct named_body {
	method_id m;
	const struct ir_body *body;
};

struct fixture {
	struct diag diag;
	struct program p;
	struct hierarchy h;
	VEC(struct named_body) bodies;
	VEC(class_id) component;
	struct java_interface i;
	struct placeholders ph;
	struct requirements cha, found;
	struct pta *facts;
	struct callgraph *g;
};

enum { PACKAGE = ACCESS_SYNTHETIC };    /* any flag but public: a class without flags is a missing one */

/* A program source */

static void load(void *ctx, struct program *p, class_id c)
{
	(void)ctx;
	if (!class_row(p, c)->flags)
		program_make_phantom(p, c);
}

static const struct ir_body *body_of(void *ctx, struct program *p, method_id m, struct arena *mem)
{
	static const struct ir_stmt end = { .op = IR_RETURN };
	static const struct ir_block block = { .end = 1 };
	static const uint8_t kinds[1];
	static const struct ir_body nothing = { .stmts = &end, .blocks = &block, .kinds = kinds, .nstmts = 1, .nblocks = 1 };
	const struct fixture *f = ctx;

	(void)mem;
	for (uint32_t i = 0; i < f->bodies.len; i++)
		if (f->bodies.data[i].m.i == m.i)
			return f->bodies.data[i].body;
	return method_row(p, m)->flags & ACCESS_ABSTRACT ? NULL : &nothing;
}

static uint32_t line_of(void *ctx, struct program *p, method_id m, uint32_t pc)
{
	(void)ctx, (void)p, (void)m;
	return 100 + pc;
}

static void define(void *ctx, struct program *p, method_id m, const struct ir_body *b)
{
	struct fixture *f = ctx;

	(void)p;
	vec_push(&f->bodies, ((struct named_body){ m, b }));
}

/* A program */

static class_id add(struct fixture *f, const char *name, const char *super, unsigned flags)
{
	class_id c = program_class(&f->p, str_of(name));

	class_row(&f->p, c)->super = super ? program_class(&f->p, str_of(super)) : (class_id){ 0 };
	class_row(&f->p, c)->flags = (uint16_t)flags;
	if (name[0] == 'p')
		vec_push(&f->component, c);
	return c;
}

static void method(struct fixture *f, class_id c, const char *name, const char *desc, unsigned flags)
{
	program_add_method(&f->p, c, program_sel(&f->p, str_of(name), str_of(desc)), (uint16_t)flags, 0);
}

static void field(struct fixture *f, class_id c, const char *name, const char *desc, unsigned flags)
{
	program_add_field(&f->p, c, program_sel(&f->p, str_of(name), str_of(desc)), (uint16_t)flags);
}

static void add_library(struct fixture *f)
{
	class_id object = add(f, "java/lang/Object", NULL, ACCESS_PUBLIC);
	method(f, object, "<init>", "()V", ACCESS_PUBLIC);
	class_id throwable = add(f, "java/lang/Throwable", "java/lang/Object", ACCESS_PUBLIC);
	method(f, throwable, "text", "()V", ACCESS_PUBLIC);
	add(f, "java/lang/String", "java/lang/Object", ACCESS_PUBLIC | ACCESS_FINAL);
	add(f, "java/lang/Cloneable", "java/lang/Object", ACCESS_PUBLIC | ACCESS_INTERFACE | ACCESS_ABSTRACT);
	add(f, "java/io/Serializable", "java/lang/Object", ACCESS_PUBLIC | ACCESS_INTERFACE | ACCESS_ABSTRACT);
}

static void add_shapes(struct fixture *f)
{
	static const char *const kinds[] = { "p/Disc", "p/Lost", "p/Square" };
	class_id shape = add(f, "p/Shape", "java/lang/Object", ACCESS_PUBLIC | ACCESS_ABSTRACT);

	method(f, shape, "<init>", "()V", 0);
	method(f, shape, "draw", "()V", ACCESS_PUBLIC | ACCESS_ABSTRACT);
	method(f, shape, "mix", "(ILp/Shape;)V", ACCESS_PUBLIC);
	for (size_t k = 0; k < ARRAY_LEN(kinds); k++)
		method(f, add(f, kinds[k], "p/Shape", PACKAGE), "draw", "()V", ACCESS_PUBLIC);
	class_id oops = add(f, "p/Oops", "java/lang/Throwable", PACKAGE);
	method(f, oops, "text", "()V", ACCESS_PUBLIC);
}

static void add_kit(struct fixture *f)
{
	class_id kit = add(f, "p/Kit", "java/lang/Object", ACCESS_PUBLIC | ACCESS_FINAL);

	field(f, kit, "own", "Lp/Shape;", ACCESS_PRIVATE);
	field(f, kit, "any", "Lp/Shape;", ACCESS_PUBLIC);
	field(f, kit, "ONE", "Lp/Shape;", ACCESS_PUBLIC | ACCESS_STATIC | ACCESS_FINAL);
	field(f, kit, "size", "I", ACCESS_PUBLIC);
	method(f, kit, "<init>", "()V", ACCESS_PUBLIC);
	method(f, kit, "make", "()Lp/Shape;", ACCESS_PUBLIC);
	method(f, kit, "use", "(Lp/Shape;)V", ACCESS_PUBLIC);
	method(f, kit, "useAll", "([Lp/Shape;)V", ACCESS_PUBLIC);
	method(f, kit, "useOwn", "()V", ACCESS_PUBLIC);
	method(f, kit, "tell", "(Lp/Listener;)V", ACCESS_PUBLIC);
	method(f, kit, "fail", "()V", ACCESS_PUBLIC);
	method(f, kit, "why", "(Ljava/lang/Throwable;)V", ACCESS_PUBLIC);
	method(f, kit, "hidden", "(Lp/Shape;)V", 0);
	method(f, kit, "bridge", "(Lp/Shape;)V", ACCESS_PUBLIC | ACCESS_BRIDGE | ACCESS_SYNTHETIC);
	method(f, kit, "call", "(Lp/Base;)V", ACCESS_PUBLIC);
}

/* What clients can extend: Base and Listener. */
static void add_open(struct fixture *f)
{
	class_id listener = add(f, "p/Listener", "java/lang/Object", ACCESS_PUBLIC | ACCESS_INTERFACE | ACCESS_ABSTRACT);
	method(f, listener, "heard", "(Lp/Shape;)V", ACCESS_PUBLIC | ACCESS_ABSTRACT);
	class_id base = add(f, "p/Base", "java/lang/Object", ACCESS_PUBLIC);
	method(f, base, "<init>", "(I)V", ACCESS_PROTECTED);
	method(f, base, "step", "()V", ACCESS_PUBLIC);
	method(f, base, "last", "()V", ACCESS_PUBLIC | ACCESS_FINAL);
}

static void parse_bodies(struct fixture *f)
{
	struct str text = STR(bodies);
	class_id c;
	sel_id s;

	for (;;) {
		struct ir_body *b = arena_new(&f->p.mem, struct ir_body);
		if (!body_parse_next(&f->p, &text, &c, &s, b, &f->p.mem, &f->diag))
			break;
		method_id m = program_declared(&f->p, c, s);
		assert_true(m.i != 0);
		vec_push(&f->bodies, ((struct named_body){ m, b }));
	}
	assert_int_equal(f->diag.entries.len, 0);
}

static int set_up(void **state)
{
	struct fixture *f = mem_zalloc(sizeof(*f));

	diag_init(&f->diag);
	program_init(&f->p, &f->diag);
	f->p.source = (struct program_source){ .ctx = f, .load = load, .body = body_of, .outline = body_of, .line = line_of,
					       .define = define };
	add_library(f);
	add_shapes(f);
	add_kit(f);
	add_open(f);
	parse_bodies(f);
	for (uint32_t i = 1; i < f->p.classes.len; i++)
		program_load(&f->p, (class_id){ i });
	hierarchy_init(&f->h, &f->p);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	requirements_release(&f->cha);
	requirements_release(&f->found);
	callgraph_free(f->g);
	pta_free(f->facts);
	placeholders_release(&f->ph);
	interface_release(&f->i);
	hierarchy_release(&f->h);
	vec_release(&f->bodies);
	vec_release(&f->component);
	program_release(&f->p);
	diag_release(&f->diag);
	free(f);
	return 0;
}

/* Interfaces and placeholders */

static class_id named(struct fixture *f, const char *name)
{
	return program_class(&f->p, str_of(name));
}

static method_id find_method(struct fixture *f, const char *cls, const char *name)
{
	const struct ir_class *row = class_row(&f->p, named(f, cls));

	for (uint32_t i = 0; i < row->nmethods; i++)
		if (str_is(sel_name(&f->p, method_row(&f->p, (method_id){ row->first_method + i })->sel), name))
			return (method_id){ row->first_method + i };
	fail_msg("no method %s", name);
	return (method_id){ 0 };
}

static void may_call(struct fixture *f, const char *cls, const char *name)
{
	interface_add_method(&f->i, named(f, cls), find_method(f, cls, name));
}

static void may_access(struct fixture *f, const char *cls, const char *name, const char *desc)
{
	sel_id sel = program_sel(&f->p, str_of(name), str_of(desc));

	interface_add_field(&f->i, named(f, cls), program_declared_field(&f->p, named(f, cls), sel));
}

/* All that is public, or protected. */
static void whole_interface(struct fixture *f, enum interface_reach reach)
{
	for (uint32_t i = 0; i < f->component.len; i++)
		interface_add_class(&f->h, &f->i, f->component.data[i], reach);
}

static void make(struct fixture *f, enum clients clients)
{
	interface_sort(&f->h, &f->i);
	placeholders_make(&f->h, &f->i, clients, &f->ph);
}

static void assert_placeholders(struct fixture *f, const char *variables, const char *statements)
{
	struct strbuf text = { 0 }, expected = { 0 };

	placeholders_print(&f->p, &f->ph, &text);
	strbuf_addf(&expected, "class Clients {\n\tstatic void main() {\n%s\t\ttry {\n%s"
			       "\t\t} catch (Throwable e) {\n\t\t\tph_Throwable = e;\n\t\t}\n\t}\n}\n", variables, statements);
	assert_string_equal(text.s, expected.s);
	strbuf_release(&text);
	strbuf_release(&expected);
}

static uint32_t count(const struct fixture *f, enum placeholder_sort sort)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->ph.stmts.len; i++)
		n += f->ph.stmts.data[i].sort == sort;
	return n;
}

/* Is there such a conversion? */
static bool converts(struct fixture *f, enum placeholder_sort sort, const char *from, const char *to)
{
	uint32_t a = map_get(&f->ph.variable_of, named(f, from).i), b = map_get(&f->ph.variable_of, named(f, to).i);

	assert_true(a && b);
	for (uint32_t i = 0; i < f->ph.stmts.len; i++) {
		const struct placeholder *s = &f->ph.stmts.data[i];
		if (s->sort == sort && s->from == a && s->to == b)
			return true;
	}
	return false;
}

static void members_become_statements(void **state)
{
	struct fixture *f = *state;

	may_call(f, "p/Kit", "<init>");
	may_call(f, "p/Kit", "make");
	may_call(f, "p/Kit", "use");
	may_access(f, "p/Kit", "any", "Lp/Shape;");
	may_access(f, "p/Kit", "ONE", "Lp/Shape;");
	may_access(f, "p/Kit", "size", "I");
	make(f, CLIENTS_CLOSED);
	assert_placeholders(f,
			    "\t\tp.Kit ph_Kit;\n\t\tp.Shape ph_Shape;\n\t\tjava.lang.String ph_String;\n"
			    "\t\tjava.lang.Throwable ph_Throwable;\n",
			    "\t\t\tph_Kit = new p.Kit();\n"
			    "\t\t\tph_Shape = ph_Kit.make();\n"
			    "\t\t\tph_Kit.use(ph_Shape);\n"
			    "\t\t\tph_Shape = p.Kit.ONE;\n"
			    "\t\t\tph_Shape = ph_Kit.any;\n"
			    "\t\t\tph_Kit.any = ph_Shape;\n"
			    "\t\t\tph_String = \"client\";\n");
}

static void abstract_classes_are_not_made(void **state)
{
	struct fixture *f = *state;

	may_call(f, "p/Shape", "<init>");
	make(f, CLIENTS_CLOSED);
	assert_int_equal(count(f, PH_NEW), 0);
	assert_int_not_equal(map_get(&f->ph.variable_of, named(f, "p/Shape").i), 0);
}

static void arrays_are_made_read_and_written(void **state)
{
	struct fixture *f = *state;
	class_id shapes = named(f, "[Lp/Shape;"), ints = named(f, "[I");

	interface_add_array(&f->p, &f->i, shapes, true);
	interface_add_array(&f->p, &f->i, shapes, false);
	assert_false(interface_add_array(&f->p, &f->i, ints, true));
	make(f, CLIENTS_CLOSED);
	assert_int_equal(count(f, PH_ARRAY), 1);
	assert_int_equal(count(f, PH_LOAD), 1);
	assert_int_equal(count(f, PH_STORE), 1);
	assert_int_equal(map_get(&f->ph.variable_of, ints.i), 0);
	assert_int_not_equal(map_get(&f->ph.variable_of, shapes.i), 0);
}

/* JLS 5.2 and 5.5 between Shape, Disc, Oops, Listener and the final Kit; no Object. */
static void types_are_converted_as_the_language_does(void **state)
{
	static const char *const types[] = { "p/Shape", "p/Disc", "p/Oops", "p/Listener", "p/Kit" };
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		vec_push(&f->i.classes, named(f, types[i]));
	make(f, CLIENTS_CLOSED);
	assert_true(converts(f, PH_ASSIGN, "p/Disc", "p/Shape"));
	assert_true(converts(f, PH_CAST, "p/Shape", "p/Disc"));
	assert_true(converts(f, PH_ASSIGN, "p/Oops", "java/lang/Throwable"));
	assert_true(converts(f, PH_CAST, "p/Shape", "p/Listener"));
	assert_true(converts(f, PH_CAST, "p/Listener", "p/Shape"));
	assert_false(converts(f, PH_CAST, "p/Kit", "p/Listener"));
	assert_false(converts(f, PH_CAST, "p/Listener", "p/Kit"));
	assert_false(converts(f, PH_CAST, "p/Shape", "p/Oops"));
	assert_false(converts(f, PH_ASSIGN, "p/Shape", "p/Disc"));
}

/* Two statements for each type but Object. */
static void conversions_go_by_way_of_object(void **state)
{
	struct fixture *f = *state;

	vec_push(&f->i.classes, named(f, "java/lang/Object"));
	vec_push(&f->i.classes, named(f, "p/Shape"));
	vec_push(&f->i.classes, named(f, "p/Disc"));
	make(f, CLIENTS_CLOSED);
	assert_int_equal(count(f, PH_CAST), f->ph.types.len - 2);
	assert_true(converts(f, PH_ASSIGN, "p/Disc", "java/lang/Object"));
	assert_true(converts(f, PH_CAST, "java/lang/Object", "p/Disc"));
	assert_false(converts(f, PH_CAST, "p/Shape", "p/Disc"));
	assert_true(converts(f, PH_ASSIGN, "p/Disc", "p/Shape"));      /* also objects of unknown class */
}

static void bodies_are_well_formed(void **state)
{
	struct fixture *f = *state;
	uint32_t written = f->bodies.len;
	const char *reason = "";

	whole_interface(f, REACH_PROTECTED);
	make(f, CLIENTS_OPEN);
	assert_true(f->bodies.len > written + 1);
	for (uint32_t i = written; i < f->bodies.len; i++)
		if (!body_check(f->bodies.data[i].body, &f->p.mem, &reason))
			fail_msg("%s", reason);
}

/* Requirements */

static struct req_request request(const struct fixture *f, unsigned criteria)
{
	return (struct req_request){ f->component.data, f->component.len, &f->ph, criteria };
}

static void analyse(struct fixture *f, const char *policy, unsigned criteria)
{
	struct pta_opt opt = { .policy = pta_find_policy(policy), .heap = pta_default_heap, .keeps_this = true };
	struct req_request q = request(f, criteria);
	struct cg_entries entries = { 0 };

	vec_push(&entries.methods, f->ph.main);
	f->facts = pta_compute(&f->p, &entries, &opt);
	f->g = pta_callgraph(f->facts);
	requirements_by_hierarchy(&f->h, &q, &f->cha);
	requirements_by_analysis(&f->cha, &q, f->g, f->facts, &f->found);
	vec_release(&entries.methods);
}

static const struct req_site *site(struct fixture *f, const struct requirements *r, const char *method)
{
	method_id m = find_method(f, "p/Kit", method);

	for (uint32_t i = 0; i < r->sites.len; i++)
		if (r->sites.data[i].method.i == m.i)
			return &r->sites.data[i];
	fail_msg("no site in %s", method);
	return NULL;
}

static void assert_classes(const struct requirements *r, struct id_range in, const char *expected)
{
	struct strbuf text = { 0 };

	for (uint32_t i = 0; i < in.n; i++) {
		strbuf_adds(&text, i ? " " : "");
		print_class(r->p, req_class(r, in, i), &text);
	}
	assert_string_equal(text.len ? text.s : "", expected);
	strbuf_release(&text);
}

static void the_hierarchy_knows_sites(void **state)
{
	struct fixture *f = *state;
	struct req_request q = request(f, CRITERION_RC | CRITERION_TM);

	whole_interface(f, REACH_PUBLIC);
	make(f, CLIENTS_CLOSED);
	requirements_by_hierarchy(&f->h, &q, &f->cha);
	assert_int_equal(f->cha.stats.classes, f->component.len);
	/* Of shapes: use, useAll, useOwn twice, hidden; why; of one class: tell, call twice. None in the bridge. */
	assert_int_equal(f->cha.stats.sites, 9);
	assert_int_equal(f->cha.stats.poly_sites, 6);
	assert_int_equal(f->cha.stats.rc, 5 * 3 + 2);
	assert_int_equal(f->cha.stats.tm, 4 * 3 + 1 + 2);
	assert_int_equal(f->cha.stats.reached_sites, 9);
	const struct req_site *s = site(f, &f->cha, "use");
	assert_classes(&f->cha, s->rc, "p.Disc p.Lost p.Square");
	assert_int_equal(s->line, 101);
	assert_true(s->is_poly && !s->is_client);
	assert_classes(&f->cha, site(f, &f->cha, "why")->rc, "java.lang.Throwable p.Oops");
	assert_false(site(f, &f->cha, "tell")->is_poly);
	for (uint32_t i = 0; i < f->cha.sites.len; i++)
		assert_false(method_row(&f->p, f->cha.sites.data[i].method)->flags & ACCESS_BRIDGE);
}

static void closed_clients_pass_what_they_get(void **state)
{
	struct fixture *f = *state;

	whole_interface(f, REACH_PUBLIC);
	make(f, CLIENTS_CLOSED);
	analyse(f, "andersen", CRITERION_RC | CRITERION_TM);
	assert_classes(&f->found, site(f, &f->found, "use")->rc, "p.Square");
	assert_classes(&f->found, site(f, &f->found, "useAll")->rc, "p.Square");
	assert_classes(&f->found, site(f, &f->found, "useOwn")->rc, "p.Disc");
	assert_classes(&f->found, site(f, &f->found, "why")->rc, "p.Oops");
	const struct req_site *hidden = site(f, &f->found, "hidden");
	assert_true(hidden->is_poly && !hidden->is_reached && !hidden->rc.n && !hidden->tm.n);
	const struct req_site *tell = site(f, &f->found, "tell");
	assert_true(tell->is_reached && !tell->is_client && !tell->rc.n);
	assert_int_equal(f->found.stats.poly_sites, f->cha.stats.poly_sites);
	assert_int_equal(f->found.stats.rc, 5);
	assert_int_equal(f->found.stats.tm, 5);
	assert_int_equal(f->found.stats.starved_sites, 0);
}

/* Where nothing makes a shape, the call is reached and starves. */
static void an_interface_may_starve_a_call(void **state)
{
	struct fixture *f = *state;

	may_call(f, "p/Kit", "<init>");
	may_call(f, "p/Kit", "use");
	make(f, CLIENTS_CLOSED);
	analyse(f, "andersen", CRITERION_RC | CRITERION_TM);
	const struct req_site *s = site(f, &f->found, "use");
	assert_true(s->is_reached && !s->rc.n);
	assert_false(site(f, &f->found, "useAll")->is_reached);
	assert_int_equal(f->found.stats.starved_sites, 1);
	assert_int_equal(f->found.stats.reached_sites, 1);
}

static bool has_client_of(struct fixture *f, const char *name)
{
	for (uint32_t i = 0; i < f->ph.clients.len; i++)
		if (hierarchy_is_subtype(&f->h, f->ph.clients.data[i], named(f, name)))
			return true;
	return false;
}

static void clients_extend_what_they_can(void **state)
{
	struct fixture *f = *state;

	whole_interface(f, REACH_PROTECTED);
	make(f, CLIENTS_OPEN);
	assert_true(has_client_of(f, "p/Base"));
	assert_true(has_client_of(f, "p/Listener"));
	assert_false(has_client_of(f, "p/Shape"));      /* its constructor is not for them */
	assert_false(has_client_of(f, "p/Kit"));        /* final */
	assert_false(has_client_of(f, "p/Disc"));       /* not public */
	assert_true(count(f, PH_CLIENT) > 0);
	for (uint32_t i = 0; i < f->ph.clients.len; i++)
		assert_true(placeholders_is_client(&f->ph, f->ph.clients.data[i]));
	assert_false(placeholders_is_client(&f->ph, named(f, "p/Base")));
	assert_false(placeholders_is_client(&f->ph, f->ph.cls));
}

static void closed_clients_have_no_classes(void **state)
{
	struct fixture *f = *state;

	whole_interface(f, REACH_PROTECTED);
	make(f, CLIENTS_CLOSED);
	assert_int_equal(f->ph.clients.len, 0);
	assert_int_equal(count(f, PH_CLIENT), 0);
}

/* Sealed classes, enums and records are not for clients, whatever their constructors. */
static void some_classes_are_not_for_clients(void **state)
{
	struct fixture *f = *state;
	class_id base = named(f, "p/Base");

	whole_interface(f, REACH_PROTECTED);
	class_row(&f->p, base)->is_sealed = true;
	make(f, CLIENTS_OPEN);
	assert_false(has_client_of(f, "p/Base"));
	placeholders_release(&f->ph);
	class_row(&f->p, base)->is_sealed = false;
	class_row(&f->p, base)->flags |= ACCESS_ENUM;
	placeholders_make(&f->h, &f->i, CLIENTS_OPEN, &f->ph);
	assert_false(has_client_of(f, "p/Base"));
}

/* A listener of the client is told of the disc, which then gets to every call that clients feed. */
static void open_clients_keep_what_they_are_told(void **state)
{
	struct fixture *f = *state;

	whole_interface(f, REACH_PROTECTED);
	make(f, CLIENTS_OPEN);
	analyse(f, "andersen", CRITERION_RC | CRITERION_TM);
	assert_classes(&f->found, site(f, &f->found, "use")->rc, "p.Disc p.Square");
	assert_classes(&f->found, site(f, &f->found, "useAll")->rc, "p.Disc p.Square");
	assert_classes(&f->found, site(f, &f->found, "useOwn")->rc, "p.Disc");
	const struct req_site *tell = site(f, &f->found, "tell");
	assert_true(tell->is_client && !tell->rc.n && !tell->tm.n);
	assert_false(site(f, &f->found, "use")->is_client);
	/* What a client overrides is nobody's requirement; what it inherits is. */
	const struct req_site *step = site(f, &f->found, "call");
	assert_true(step->is_client);
	assert_classes(&f->found, step->rc, "p.Base");
	assert_int_equal(step->tm.n, 1);
	assert_int_equal(req_method(&f->found, step->tm, 0).i, find_method(f, "p/Base", "step").i);
}

/* Classes of arguments that are references; `this` also where the method does not use it. */
static void senders_and_arguments(void **state)
{
	struct fixture *f = *state;

	whole_interface(f, REACH_PUBLIC);
	make(f, CLIENTS_CLOSED);
	analyse(f, "andersen", CRITERION_RC | CRITERION_TM | CRITERION_SENDERS | CRITERION_ARGS);
	const struct req_site *draws = site(f, &f->found, "useOwn"), *mixes = draws + 1;
	assert_classes(&f->found, draws->senders, "p.Kit");
	assert_int_equal(draws->nargs, 0);
	assert_int_equal(mixes->nargs, 1);
	assert_int_equal(f->found.args.data[mixes->first_arg].index, 1);
	assert_classes(&f->found, f->found.args.data[mixes->first_arg].classes, "p.Disc");
	assert_classes(&f->found, site(f, &f->found, "use")->senders, "p.Kit");
	assert_int_equal(f->found.stats.senders, 5);      /* not of what is hidden */
	assert_int_equal(f->found.stats.args, 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(members_become_statements),
		TEST(abstract_classes_are_not_made),
		TEST(arrays_are_made_read_and_written),
		TEST(types_are_converted_as_the_language_does),
		TEST(conversions_go_by_way_of_object),
		TEST(bodies_are_well_formed),
		TEST(the_hierarchy_knows_sites),
		TEST(closed_clients_pass_what_they_get),
		TEST(an_interface_may_starve_a_call),
		TEST(clients_extend_what_they_can),
		TEST(closed_clients_have_no_classes),
		TEST(some_classes_are_not_for_clients),
		TEST(open_clients_keep_what_they_are_told),
		TEST(senders_and_arguments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
