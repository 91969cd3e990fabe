// SPDX-License-Identifier: Apache-2.0
// links: base algo cir
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/diag.h"
#include "cir/cir.h"

struct fixture {
	struct cprogram p;
	struct diag d;
	struct strbuf out;
};

static int setup(void **state)
{
	struct fixture *f = mem_zalloc(sizeof(*f));

	diag_init(&f->d);
	cprogram_init(&f->p);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	cprogram_release(&f->p);
	diag_release(&f->d);
	strbuf_release(&f->out);
	free(f);
	return 0;
}

/* Everything once, as it is printed. */
static const char ALL[] =
	"cprogram 8\n"
	"layout $1 scalar 8\n"
	"layout node$2 struct 24 { 0 $1 next, 8 $1 _, 16 $1 \"odd name\" }\n"
	"layout $3 array 240 of node$2 x 10\n"
	"layout \"a b\"$4 array 0 of $1 x 0\n"
	"object g@1 global node$2 size 24 exported in _ !\"a.c\":3:5\n"
	"object \"hi \\\"\\\\\\n\\x01\"@2 string _ size 6 static constant\n"
	"object main@3 function _ size 0 in main#1 !\"a.c\":1:0\n"
	"object printf@4 function _ size 0 imported hidden in printf#2\n"
	"object @5 heap node$2 size 0 repeats model in main#1 !\"b.h\":9:9\n"
	"object x@6 local $3 size 240 in main#1\n"
	"object \"...\"@7 local $1 size 0 repeats in printf#2\n"
	"object ph@8 global _ size 0 placeholder\n"
	"var argc%1 param main#1 !\"a.c\":1:10\n"
	"var %2 param main#1\n"
	"var %3 result main#1\n"
	"var \"a b\"%4 local main#1\n"
	"temps %5..%9 main#1\n"
	"temps %10..%10 _\n"
	"var format%11 param printf#2\n"
	"var %12 result printf#2\n"
	"function main#1(argc%1, %2) result %3 object main@3 defined static starts weak !\"a.c\":1:0\n"
	"{\n"
	"  %5 = &g@1 + 8 !2:1\n"
	"  %5 = &@2\n"
	"  %5 = &x@6 - 24 hidden\n"
	"  %4 = argc%1 !\"b.h\":2:1\n"
	"  _ = argc%1\n"
	"  %6 = %5 + 16\n"
	"  %6 = %5 - 2147483648 bytes\n"
	"  %6 = %5 + 0 + n*24 elements hidden !0:0\n"
	"  %7 = x@6 at 8 for 8\n"
	"  x@6 at 2147483647 = %7 for 4 !3:4\n"
	"  %8 = *%7 for 8\n"
	"  *%7 = _\n"
	"  *%7 = *%8 for 24\n"
	"  %9 = call printf#2(%4, _) fresh hint node$2 size 48 hidden !7:7\n"
	"  call *%9() asm untyped memory @5\n"
	"}\n"
	"function printf#2(format%11) result %12 object printf@4 rest @7 model variadic allocates unknown placeholder moves 0 returns 0 of main#1\n"
	"note asm main#1 !\"a.c\":5:1 \"nop\"\n"
	"note no-debug _ \"a.bc\"\n"
	"note loads _ \"dlsym\"\n"
	"initialisers main#1\n";

static void parse(struct fixture *f, const char *text)
{
	bool ok = cir_parse(&f->p, str_of(text), "test", &f->d);

	if (f->d.entries.len > 0)
		print_message("%s\n", f->d.entries.data[0].text);
	assert_true(ok);
}

static void expect_print(struct fixture *f, const char *text)
{
	strbuf_clear(&f->out);
	cir_print(&f->p, &f->out);
	assert_string_equal(f->out.s, text);
}

static void test_round_trip(void **state)
{
	struct fixture *f = *state;
	struct strbuf fixed = { 0 };
	const char *in = strstr(ALL, " in _");

	strbuf_add(&fixed, ALL, (size_t)(in - ALL));     /* which is never printed */
	strbuf_adds(&fixed, in + 5);
	parse(f, ALL);
	expect_print(f, fixed.s);
	strbuf_release(&fixed);
}

/* By hand: names without numbers, in any order. */
static void test_by_hand(void **state)
{
	struct fixture *f = *state;

	parse(f, "layout ptr scalar 8\n"
		 "layout node struct 16 { 0 ptr next, 8 ptr value }\n"
		 "object l local node in main\n"
		 "object g global node ; a comment\n"
		 "function main() starts\n"
		 "{\n"
		 "  x = &g + 8\n"
		 "  y = &f\n"
		 "  l at 8 = x\n"
		 "  r = call *y(x, z)\n"
		 "  result = r\n"
		 "}\n"
		 "function f(a, b) variadic rest _\n"
		 "{\n"
		 "  result = a\n"
		 "  x = *b\n"
		 "}\n");
	expect_print(f, "cprogram 8\n"
			"layout ptr$1 scalar 8\n"
			"layout node$2 struct 16 { 0 ptr$1 next, 8 ptr$1 value }\n"
			"layout $3 scalar 8\n"
			"object l@1 local node$2 size 0 in main#1\n"
			"object g@2 global node$2 size 0\n"
			"object main@3 function _ size 0 in main#1\n"
			"object f@4 function _ size 0 in f#2\n"
			"object \"...\"@5 local $3 size 0 repeats in f#2\n"
			"var %1 result main#1\n"
			"var a%2 param f#2\n"
			"var b%3 param f#2\n"
			"var %4 result f#2\n"
			"var x%5 local main#1\n"
			"var y%6 local main#1\n"
			"var r%7 local main#1\n"
			"var z%8 local main#1\n"
			"var x%9 local f#2\n"
			"function main#1() result %1 object main@3 defined starts\n"
			"{\n"
			"  x%5 = &g@2 + 8\n"
			"  y%6 = &f@4\n"
			"  l@1 at 8 = x%5\n"
			"  r%7 = call *y%6(x%5, z%8)\n"
			"  %1 = r%7\n"
			"}\n"
			"function f#2(a%2, b%3) result %4 object f@4 rest @5 defined variadic\n"
			"{\n"
			"  %4 = a%2\n"
			"  x%9 = *b%3\n"
			"}\n");
}

static void test_errors(void **state)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{ "nothing\n", "line 1: declaration expected" },
		{ "layout $2 scalar 8\n", "line 1: numbers must follow one another" },
		{ "layout @1 scalar 8\n", "line 1: wrong sign" },
		{ "\nlayout $1 thing 8\n", "line 2: scalar, struct or array expected" },
		{ "layout $1 scalar 99999999999999999999\n", "number is too large" },
		{ "layout a scalar 8\nlayout b struct 8 { 0 c x }\n", "line 2: unknown layout" },
		{ "layout $1 struct 8 { 0 $1 x }\n", "a field's layout does not come before the struct's" },
		{ "layout $1 array 8 of $1\n", "elements' layout does not come before the array's" },
		{ "layout a scalar 0\nlayout b array 0 of a\n", "an array of elements without size" },
		{ "layout a scalar 8\nlayout b array 17 of a x 2\n", "an array's size is not that of its elements" },
		{ "layout a scalar 8\nlayout b struct 16 { 8 a x, 0 a y }\n", "fields are not in the order of offsets" },
		{ "layout a scalar 8\nlayout b struct 16 { 0 a x, 4 a y }\n", "fields overlap or leave their struct" },
		{ "layout a scalar 8\nlayout b struct 16 { 12 a x }\n", "fields overlap or leave their struct" },
		{ "object g nothing\n", "kind of an object expected" },
		{ "object g global in f\n", "unknown function" },
		{ "object g local\n", "a local object without its function" },
		{ "object g heap repeats\n", "an object repeats nothing" },
		{ "object \"g global\n", "string does not end" },
		{ "object \"\\y\" global\n", "unknown escape" },
		{ "object g+h global\n", "kind of an object expected" },
		{ "object g-h global\n", "quote it" },
		{ "{\n}\n", "a body without its function" },
		{ "}\n", "'}' without a body" },
		{ "function f()\n{\n", "a body does not end" },
		{ "function f()\n{\n{\n", "a body within a body" },
		{ "function f()\n{\n  x = y\n}\n{\n}\n", "a second body" },
		{ "function f()\n{\n  x = y z\n}\n", "line 3: end of line expected" },
		{ "function f()\n{\n  x = &y\n}\n", "line 3: unknown object" },
		{ "function f()\n{\n  x = call y()\n}\n", "line 3: unknown function" },
		{ "function f()\n{\n  %5 = _\n}\n", "a statement with a variable of another function" },
		{ "function f(a)\nfunction g()\n{\n  x = %1\n}\n", "a statement with a variable of another function" },
		{ "function f(a)\nfunction g()\n{\n  call f(%1)\n}\n", "an argument that is another function's variable" },
		{ "function f()\n{\n  x = y + 4294967296\n}\n", "line 3: offset is too large" },
		{ "function f() moves 0\n", "the parameter whose contents move" },
		{ "function f() returns 0\n", "or that is returned, does not exist" },
		{ "function f()\n{\n  call *_() memory @9\n}\n", "a call with parts out of range" },
		{ "function f(%1)\n", "a parameter that is not its function's" },
		{ "temps %1..%9999 _\n", "too many temporaries for one line" },
		{ "cprogram 0\n", "pointers of an impossible size" },
		{ "initialisers #3\n", "initialisers that do not exist" },
		{ "note wrong _ \"\"\n", "kind of a note expected" },
	};
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct cprogram p;
		struct diag d;

		diag_init(&d);
		cprogram_init(&p);
		if (cir_parse(&p, str_of(cases[i].text), "test", &d))
			fail_msg("accepted: %s", cases[i].text);
		assert_int_equal(d.errors, 1);
		if (!strstr(d.entries.data[0].text, cases[i].says))
			fail_msg("%s: not %s", d.entries.data[0].text, cases[i].says);
		cprogram_release(&p);
		diag_release(&d);
	}
}

static void test_building(void **state)
{
	struct fixture *f = *state;
	struct cprogram *p = &f->p;
	str_id file = intern(&p->names, STR("a.c"));
	cfn_id hidden = cir_function(p, intern(&p->names, STR("f")), 0, CFN_STATIC, (cloc_id){ 0 });
	cfn_id fn = cir_function(p, intern(&p->names, STR("f")), 2, CFN_VARIADIC, cir_loc(p, file, 3, 1));
	const struct cfn *row = &p->fns.data[fn.i];
	const char *reason = NULL;

	assert_int_equal(cir_loc(p, file, 3, 1).i, 1);
	assert_int_equal(cir_loc(p, file, 3, 2).i, 2);
	assert_int_equal(cir_loc(p, (str_id){ 0 }, 0, 0).i, 0);
	assert_int_equal(cir_find_function(p, STR("f")).i, fn.i);
	assert_int_equal(cir_find_function(p, STR("g")).i, 0);
	assert_int_equal(p->objs.data[row->obj.i].fn.i, fn.i);
	assert_int_equal(p->objs.data[p->fns.data[hidden.i].obj.i].flags, COBJ_STATIC);
	assert_int_equal(row->rest.i, 0);
	assert_int_equal(cir_rest(p, fn.i ? fn : hidden).i, cir_rest(p, fn).i);

	cvar_id args[2] = { { row->params }, { row->params + 1 } };
	cir_begin(p, fn);
	cir_call(p, (struct ccall){ .callee = hidden, .nargs = 2 }, args);
	cir_end(p, fn);
	cir_begin(p, fn);
	cir_stmt(p, (struct cstmt){ .op = C_COPY, .dst = row->result.i, .src = row->params });
	cir_call(p, (struct ccall){ .callee = hidden, .nargs = 1 }, args);
	cir_end(p, fn);
	assert_true(cir_check(p, &reason));
	assert_int_equal(row->nstmts, 2);
	assert_int_equal(row->ncalls, 1);
	assert_int_equal(p->calls.data[row->calls].caller.i, fn.i);
	p->stmts.data[row->stmts].src = 1000;
	assert_false(cir_check(p, &reason));
	assert_string_equal(reason, "a statement with a variable of another function");
}

/* Names */

static const char NAMED[] =
	"layout ptr scalar 8\n"
	"layout key struct 16 { 0 ptr a, 8 ptr _ }\n"
	"layout keys array 160 of key x 10\n"
	"layout table struct 176 { 0 keys table, 160 key head }\n"
	"object g global table static !\"a.c\":1\n"
	"object g global table static !\"b.c\":1\n"
	"object h global static !\"b.c\":2\n"
	"object s global in main static !\"a.c\":3\n"
	"object x local keys in main !\"a.c\":4:5\n"
	"object x local in main !\"a.c\":7:5\n"
	"object _ heap !\"a.c\":9:3\n"
	"object _ heap key repeats !\"a.c\":10:3\n"
	"object _ heap !\"a.c\":10:8\n"
	"object _ heap !\"a.c\":10:8\n"
	"object _ heap in main\n"
	"object \"short \\\"\\n\" string\n"
	"object \"012345678901234567890123\" string\n"
	"object \"0123456789012345678901234\" string\n"
	"object \"short \\\"\\n\" string\n"
	"object \"\xc3\xa4\xff\" string\n"
	"var y%1 local main !\"a.c\":5\n"
	"var y%2 local main !\"a.c\":6\n"
	"var x%3 local main !\"a.c\":8\n"
	"var z%4 local main\n"
	"var z%5 local main\n"
	"var %6 temp main\n"
	"function main() starts !\"a.c\":2\n"
	"function f() static !\"a.c\":12\n"
	"function f() static !\"b.c\":12\n"
	"function f() !\"c.c\":12\n"
	"function only() static !\"b.c\":14\n";

static void expect_text(struct fixture *f, const char *text)
{
	assert_string_equal(f->out.s, text);
	strbuf_clear(&f->out);
}

static void expect_object(struct fixture *f, uint32_t o, const char *text)
{
	cname_object(&f->p, (cobj_id){ o }, &f->out);
	expect_text(f, text);
}

static void expect_var(struct fixture *f, uint32_t v, const char *text)
{
	cname_var(&f->p, (cvar_id){ v }, &f->out);
	expect_text(f, text);
}

static void expect_cell(struct fixture *f, uint32_t o, uint64_t off, const char *text)
{
	cname_cell(&f->p, (cobj_id){ o }, off, &f->out);
	expect_text(f, text);
}

static void test_names(void **state)
{
	static const char *const objects[] = {
		"a.c:g", "b.c:g", "h", "main::s", "main::x@4", "main::x@7", "heap@a.c:9", "heap@a.c:10:3", "heap@a.c:10:8",
		"heap@a.c:10:8#2", "heap@main", "\"short \\\"\\n\"", "\"012345678901234567890123\"",
		"\"012345678901234567890123…\"", "\"short \\\"\\n\"#2", "\"\xc3\xa4\\xff\"",
	};
	static const char *const vars[] = { "main::y@5", "main::y@6", "main::x@8", "main::z", "main::z#2", "main::%6", "main::%result" };
	static const char *const fns[] = { "main", "a.c:f", "b.c:f", "f", "only" };
	struct fixture *f = *state;

	parse(f, NAMED);
	expect_object(f, 1, "g");        /* until there is an index */
	cir_index_names(&f->p);
	for (uint32_t i = 0; i < ARRAY_LEN(objects); i++)
		expect_object(f, i + 1, objects[i]);
	for (uint32_t i = 0; i < ARRAY_LEN(vars); i++)
		expect_var(f, i + 1, vars[i]);
	for (uint32_t i = 0; i < ARRAY_LEN(fns); i++) {
		cname_fn(&f->p, (cfn_id){ i + 1 }, &f->out);
		expect_text(f, fns[i]);
	}
	cname_loc(&f->p, (cloc_id){ 0 }, &f->out);
	expect_text(f, "?");
	cname_loc(&f->p, f->p.objs.data[5].loc, &f->out);
	expect_text(f, "a.c:4:5");
}

static void test_cells(void **state)
{
	struct fixture *f = *state;

	parse(f, NAMED);
	cir_index_names(&f->p);
	expect_cell(f, 1, 0, "a.c:g.table[].a");
	expect_cell(f, 1, 8, "a.c:g.table[]+8");
	expect_cell(f, 1, 160, "a.c:g.head.a");
	expect_cell(f, 1, 168, "a.c:g.head+8");
	expect_cell(f, 3, 0, "h");
	expect_cell(f, 3, 24, "h+24");
	expect_cell(f, 5, 0, "main::x@4[].a");
	expect_cell(f, 8, 0, "heap@a.c:10:3.a");
	expect_cell(f, 8, 24, "heap@a.c:10:3+8");
}

/* No two rows have one name, however many are alike. */
static void test_names_are_unique(void **state)
{
	struct fixture *f = *state;
	struct cprogram *p = &f->p;
	struct interner seen;
	uint32_t seed = 1;

	interner_init(&seen);
	cfn_id fn = cir_function(p, intern(&p->names, STR("f")), 0, 0, (cloc_id){ 0 });
	for (uint32_t i = 0; i < 2000; i++) {
		seed = seed * 1103515245 + 12345;
		uint32_t r = seed >> 8;
		cloc_id l = cir_loc(p, intern(&p->names, r & 1 ? STR("a") : STR("b")), r / 2 % 5, r / 16 % 3);
		str_id name = intern(&p->names, r & 1024 ? STR("x") : r & 2048 ? STR("x#2") : STR("f::x"));

		if (r & 4096) {
			cvar_id v = cir_var(p, CVAR_LOCAL, name, fn);

			p->vars.data[v.i].loc = l;
			continue;
		}
		cir_object(p, (struct cobj){ .kind = (uint8_t)(r / 64 % 3), .flags = r / 512 & 1,
					     .name = r / 64 % 3 == COBJ_HEAP ? (str_id){ 0 } : name,
					     .fn = r & 8192 ? fn : (cfn_id){ 0 }, .loc = l });
	}
	cir_index_names(p);
	uint32_t rows = 0;
	for (uint32_t i = 1; i < p->objs.len; i++, rows++, strbuf_clear(&f->out)) {
		cname_object(p, (cobj_id){ i }, &f->out);
		intern(&seen, strbuf_str(&f->out));
	}
	for (uint32_t i = 1; i < p->vars.len; i++, rows++, strbuf_clear(&f->out)) {
		cname_var(p, (cvar_id){ i }, &f->out);
		intern(&seen, strbuf_str(&f->out));
	}
	assert_int_equal(seen.strings.len - 1, rows);
	interner_release(&seen);
}

/* What a walk over the table finds. */
static cfn_id walk(const struct cprogram *p, struct str name)
{
	for (uint32_t i = 1; i < p->fns.len; i++)
		if (str_eq(interned(&p->names, p->fns.data[i].name), name) && !(p->fns.data[i].flags & CFN_STATIC))
			return (cfn_id){ i };
	return (cfn_id){ 0 };
}

static void change(struct cprogram *p, unsigned what, str_id name)
{
	cfn_id f = { (uint32_t)rand() % p->fns.len };

	if (what == 0 && f.i)
		p->fns.data[f.i].flags ^= CFN_STATIC;
	else if (what == 1 && f.i)
		cir_rename_function(p, f, name);
	else if (what == 2)
		vec_push(&p->fns, ((struct cfn){ .name = name }));
	else
		cir_function(p, name, 0, what == 3 ? CFN_STATIC : 0, (cloc_id){ 0 });
}

/* Also functions that are added, made static or renamed between searches. */
static void test_search(void **state)
{
	const struct str names[] = { STR("a"), STR("b"), STR("c"), STR("d"), STR("e"), STR("nobody's"), STR("unheard of") };
	struct fixture *f = *state;
	struct cprogram *p = &f->p;

	srand(17);
	assert_int_equal(cir_find_function(p, STR("a")).i, 0);
	intern(&p->names, names[5]);
	for (unsigned round = 0; round < 600; round++) {
		for (size_t i = 0; i < sizeof names / sizeof *names; i++)
			assert_int_equal(cir_find_function(p, names[i]).i, walk(p, names[i]).i);
		for (unsigned n = (unsigned)rand() % 4; n; n--)
			change(p, (unsigned)rand() % 5, intern(&p->names, names[rand() % 5]));
	}
	assert_true(p->fns.len > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_round_trip, setup, teardown),
		cmocka_unit_test_setup_teardown(test_by_hand, setup, teardown),
		cmocka_unit_test(test_errors),
		cmocka_unit_test_setup_teardown(test_building, setup, teardown),
		cmocka_unit_test_setup_teardown(test_search, setup, teardown),
		cmocka_unit_test_setup_teardown(test_names, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cells, setup, teardown),
		cmocka_unit_test_setup_teardown(test_names_are_unique, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
