/* SPDX-License-Identifier: Apache-2.0 */
// links: base algo solve formats/elf cir cmodel analysis/cpta analysis/modref analysis/allocation
/* test_cmodel.c - the table of the C library and what its rows do; exports; placeholders. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "analysis/allocation/allocation.h"
#include "analysis/modref/modref.h"
#include "base/compiler.h"
#include "base/sys/mapfile.h"
#include "cmodel/cmodel_p.h"

struct fixture {
	struct cprogram p;
	struct diag d;
	struct strbuf out;
	struct cplaceholders ph;
	struct cpta *a;
	struct modref *m;
	char path[80];
};

static int setup(void **state)
{
	struct fixture *f = mem_zalloc(sizeof(*f));

	diag_init(&f->d);
	cprogram_init(&f->p);
	*state = f;
	return 0;
}

static void clear(struct fixture *f)
{
	if (f->m)
		modref_free(f->m);
	if (f->a)
		cpta_free(f->a);
	if (f->path[0])
		unlink(f->path);
	cprogram_release(&f->p);
	diag_release(&f->d);
	strbuf_release(&f->out);
}

static int teardown(void **state)
{
	clear(*state);
	free(*state);
	return 0;
}

static void again(struct fixture *f)
{
	clear(f);
	*f = (struct fixture){ 0 };
	diag_init(&f->d);
	cprogram_init(&f->p);
}

static void parse(struct fixture *f, const char *text)
{
	bool ok = cir_parse(&f->p, str_of(text), "test", &f->d);

	if (f->d.entries.len > 0)
		print_message("%s\n", f->d.entries.data[0].text);
	assert_true(ok);
}

enum mode { PROGRAM, LOADING, LIBRARY };     /* LOADING: a program that knows not what it loads */

static void check(struct fixture *f)
{
	const char *reason = "";
	bool ok = cir_check(&f->p, &reason);

	if (!ok)
		print_message("%s\n", reason);
	assert_true(ok);
}

static void analyse(struct fixture *f, enum mode mode, bool fields)
{
	struct cpta_opt opt = { .engine = CENGINE_ANDERSEN, .fields = fields };
	const char *reason = "";

	cmodel_libc(&f->p, mode == LOADING);
	check(f);
	allocation_rewrite(&f->p, false);
	f->ph = cmodel_placeholders(&f->p, mode == LIBRARY);
	check(f);
	f->a = cpta_compute(&f->p, &opt);
	assert_non_null(f->a);
	assert_true(cpta_check(f->a, &reason));
	f->m = modref_compute(f->a, NULL, NULL);
}

/* Names of what is in the set, in the order of objects, each once. */
static const char *names(struct fixture *f, const ccell_vec *cells)
{
	strbuf_clear(&f->out);
	strbuf_adds(&f->out, "");
	for (uint32_t o = 1; o < f->p.objs.len; o++) {
		bool found = false;
		for (uint32_t i = 0; i < cells->len; i++)
			found |= cpta_cell(f->a, cells->data[i]).obj.i == o;
		if (!found)
			continue;
		if (f->out.len)
			strbuf_addch(&f->out, ' ');
		if (f->p.objs.data[o].kind == COBJ_FUNCTION)
			cname_fn(&f->p, f->p.objs.data[o].fn, &f->out);
		else
			cname_object(&f->p, (cobj_id){ o }, &f->out);
	}
	return f->out.s;
}

static cvar_id var(struct fixture *f, const char *fn, const char *name)
{
	cfn_id of = cir_find_function(&f->p, str_of(fn));

	for (uint32_t i = 1; i < f->p.vars.len; i++)
		if (f->p.vars.data[i].fn.i == of.i && str_is(interned(&f->p.names, f->p.vars.data[i].name), name))
			return (cvar_id){ i };
	fail_msg("no variable %s::%s", fn, name);
	return (cvar_id){ 0 };
}

static cobj_id object(struct fixture *f, const char *name)
{
	for (uint32_t i = 1; i < f->p.objs.len; i++)
		if (str_is(interned(&f->p.names, f->p.objs.data[i].name), name))
			return (cobj_id){ i };
	fail_msg("no object %s", name);
	return (cobj_id){ 0 };
}

static void expect_points_to(struct fixture *f, const char *fn, const char *name, const char *expected)
{
	ccell_vec cells = { 0 };

	cpta_points_to(f->a, var(f, fn, name), &cells);
	assert_string_equal(names(f, &cells), expected);
	vec_release(&cells);
}

static void expect_content(struct fixture *f, const char *name, const char *expected)
{
	ccell_vec cells = { 0 };
	ccell_id c = cpta_cell_at(f->a, object(f, name), 0);

	if (c.i)
		cpta_content(f->a, c, &cells);
	assert_string_equal(names(f, &cells), expected);
	vec_release(&cells);
}

/* The n-th statement of the function, of those that the test has written. */
static uint32_t stmt(struct fixture *f, const char *fn, uint32_t n)
{
	return f->p.fns.data[cir_find_function(&f->p, str_of(fn)).i].stmts + n;
}

static void expect_effect(struct fixture *f, const char *fn, uint32_t n, enum effect e, const char *expected)
{
	affected_vec places = { 0 };
	ccell_vec cells = { 0 };

	modref_stmt(f->m, cir_find_function(&f->p, str_of(fn)), stmt(f, fn, n), e, &places);
	for (uint32_t i = 0; i < places.len; i++)
		if (places.data[i].cell.i)
			vec_push(&cells, places.data[i].cell);
	assert_string_equal(names(f, &cells), expected);
	vec_release(&places);
	vec_release(&cells);
}

static void expect_called(struct fixture *f, const char *fn, uint32_t n, const char *expected)
{
	cfn_vec fns = { 0 };

	cpta_targets(f->a, (ccall_id){ f->p.stmts.data[stmt(f, fn, n)].dst }, &fns);
	strbuf_clear(&f->out);
	for (uint32_t i = 0; i < fns.len; i++) {
		if (i)
			strbuf_addch(&f->out, ' ');
		cname_fn(&f->p, fns.data[i], &f->out);
	}
	assert_string_equal(f->out.s ? f->out.s : "", expected);
	vec_release(&fns);
}

/* The table */

static struct str whole_table(struct mapfile *m)
{
	assert_true(mapfile_open(m, "src/cmodel/libc.model"));
	return (struct str){ (const char *)m->bytes.p, (uint32_t)m->bytes.len };
}

/* Every row has a meaning: also those of functions that no subject imports. */
static void test_all_rows(void **state)
{
	struct fixture *f = *state;
	struct mapfile file;
	struct str text = whole_table(&file);
	struct model_table t;
	struct model_error e;
	uint32_t given = 0;

	if (!model_table_read(&t, text, &e))
		fail_msg("libc.model:%u: %s", (unsigned)e.line, e.reason);
	for (uint32_t i = 1; i < t.names.strings.len; i++)
		cir_function(&f->p, intern(&f->p.names, t.names.strings.data[i]), 0, CFN_VARIADIC, (cloc_id){ 0 });
	parse(f, "function main(argc, argv, envp) starts\n{\n}\n");
	if (!cmodel_table(&f->p, text, true, "libc.model", &f->d, &given))
		fail_msg("libc.model:%u: %s", (unsigned)f->d.entries.data[0].offset, f->d.entries.data[0].text);
	check(f);
	assert_true(given > 3000);
	model_table_release(&t);
	mapfile_close(&file);
}

/* The number of names in the file, which all have rows. */
static uint32_t listed(const struct model_table *t, const char *path)
{
	struct mapfile imports;
	uint32_t known = 0;

	assert_true(mapfile_open(&imports, path));
	struct str list = { (const char *)imports.bytes.p, (uint32_t)imports.bytes.len };
	for (uint32_t i = 0, end; i < list.len; i = end + 1) {
		for (end = i; end < list.len && list.p[end] != '\n'; end++)
			;
		struct str name = str_sub(list, i, end);
		if (!model_table_row(t, name))
			fail_msg("%s: no row: %.*s", path, (int)name.len, name.p);
		known++;
	}
	mapfile_close(&imports);
	return known;
}

/* What the subjects import has a row, and what 3 or more programs and libraries of a Debian system import from libc and libm. */
static void test_imports(void **state)
{
	struct mapfile file;
	struct model_table t;
	struct model_error e;

	(void)state;
	assert_true(model_table_read(&t, whole_table(&file), &e));
	assert_true(listed(&t, "tests/data/cmodel/imports.txt") > 500);
	assert_true(listed(&t, "tests/data/cmodel/installed.txt") > 1000);
	model_table_release(&t);
	mapfile_close(&file);
}

static void test_table_errors(void **state)
{
	static const struct {
		const char *text, *reason;
		unsigned line;
	} cases[] = {
		{ "f", "'(' and parameters are missing", 1 },
		{ "# nothing\n\nf()\nf()", "the name has a row already", 4 },
		{ "(a)", "a name is missing", 1 },
		{ "pure f, g", "names of functions only", 1 },
		{ "object", "a name is missing", 1 },
		{ "object o = f\nf(): ret = &o", "'= &' and a name expected", 1 },
		{ "object o = &p\nf(): ret = &o", "the first value is no object of the table", 1 },
		{ "f(a", "')' is missing", 1 },
		{ "f(<)", "the name of a parameter is missing", 1 },
		{ "f(a) ret = a", "':' is missing", 1 },
		{ "f(a): ret a", "no such effect", 1 },
		{ "f(a): ret = b", "neither a parameter nor an object", 1 },
		{ "f(a): ret = &b", "no such object or function", 1 },
		{ "f(a): ret = a + b", "'any', 'bytes' or a number expected", 1 },
		{ "f(a): ret = a b", "';' is missing", 1 },
		{ "f(a): new from b", "not a parameter", 1 },
		{ "f(a):", "an effect is missing", 1 },
		{ "f(a): <", "a value is missing", 1 },
		{ "f(a):\n  call a(a", "')' is missing", 2 },
		{ "f(a): ret = *********************a", "nested too deeply", 1 },
		{ "f(a): call a(a,a,a,a,a,a,a,a,a,a)", "too many arguments", 1 },
		{ "f(a): use g(a)", "no such function", 1 },
		{ "f(a): use f(a)", "nested too deeply", 1 },
		{ "g(a): <a\nh(a): use g(a); use g(a); use g(a); use g(a); use g(a); use g(a); use g(a); use g(a); use g(a)\n"
		  "f(a): use h(a); use h(a); use h(a); use h(a); use h(a); use h(a); use h(a); use h(a)", "used too often or too deeply", 2 },
		{ "g(a): <a; >a; <*\nf(a):\n  use g(a)", "a value is missing", 1 },
		{ "start f", "'(' and parameters are missing", 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct cprogram p;
		struct diag d;
		uint32_t given;

		diag_init(&d);
		cprogram_init(&p);
		cir_function(&p, intern(&p.names, STR("f")), 0, CFN_VARIADIC, (cloc_id){ 0 });
		if (cmodel_table(&p, str_of(cases[i].text), true, "t", &d, &given))
			fail_msg("accepted: %s", cases[i].text);
		assert_string_equal(d.entries.data[0].text, cases[i].reason);
		assert_int_equal(d.entries.data[0].offset, cases[i].line);
		cprogram_release(&p);
		diag_release(&d);
	}
}

/* Rows: points-to of main::r, and what the last call of main modifies and uses. */

#define GLOBALS "layout ptr scalar 8\nlayout pair struct 16 { 0 ptr one, 8 ptr two }\n" \
		"object a global ptr size 8\nobject b global ptr size 8\nobject c global ptr size 8\nobject s global pair size 16\n"

static const struct {
	const char *declares, *body;
	const char *r, *mod, *use;       /* NULL: not asked */
} cases[] = {
	{ "function strchr(x, y)\n", "  o = &b\n  call strchr(o, _)\n  p = &a\n  r = call strchr(p, _)\n", "a", "", "a" },
	{ "function strchr() variadic\n", "  p = &a\n  r = call strchr(p, _)\n", "a", "", "a" },
	{ "function strchr(x)\n", "  p = &a\n  r = call strchr(p, _)\n", "a", "", "a" },
	{ "function memset(x, y, z)\n", "  o = &b\n  call memset(o)\n  p = &a\n  call memset(p)\n", NULL, "a", "" },
	{ "function memcpy(x, y, z)\n", "  p = &a\n  q = &b\n  b at 0 = p\n  o = &c\n  x = call memcpy(o, q)\n  r = *x\n  call memcpy(o, q)\n",
	  "a", "c", "b" },
	{ "function strcpy(x, y)\n", "  p = &a\n  q = &b\n  b at 0 = p\n  o = &c\n  call strcpy(o, q)\n  r = *o\n  call strcpy(o, q)\n",
	  "", "c", "b" },
	{ "function malloc(n)\n", "  r = call malloc(_) !\"x.c\":7\n", "heap@x.c:7", "errno", "" },
	{ "function malloc(n)\n", "  f = &malloc\n  b at 0 = f\n  g = b at 0\n  r = call *g(_)\n", "heap@main", "errno", "" },
	{ "function realloc(p, n)\nfunction malloc(n)\n",
	  "  p = call malloc(_) !\"x.c\":7\n  q = &a\n  *p = q\n  x = call realloc(p, _) !\"x.c\":9\n  r = *x\n", "a", NULL, NULL },
	{ "function asprintf(x, y)\n", "  p = &a\n  call asprintf(p, _) !\"x.c\":8\n  r = *p\n  call asprintf(p, _) !\"x.c\":9\n",
	  "heap@x.c:8 heap@x.c:9", "a errno", "" },
	{ "function strtol(x, y, z)\n", "  p = &a\n  e = &b\n  call strtol(p, e)\n  r = *e\n  call strtol(p, e)\n", "a", "b errno", "a" },
	{ "function qsort(x, y, z, f)\nfunction compare(x, y)\n{\n  result = x\n  c at 0 = y\n}\n",
	  "  p = &a\n  f = &compare\n  call qsort(p, _, _, f)\n  r = c at 0\n  call qsort(p, _, _, f)\n", "a", "a c", "a" },
	{ "function bsearch(k, x, y, z, f)\nfunction compare(x, y)\n{\n  c at 0 = y\n}\n",
	  "  k = &b\n  p = &a\n  f = &compare\n  r = call bsearch(k, p, _, _, f)\n", "a", "c", "a" },
	{ "function signal(x, h)\nfunction handler(n)\n{\n  c at 0 = _\n}\n", "  h = &handler\n  r = call signal(_, h)\n", "handler",
	  "c errno signal_handlers", "signal_handlers" },
	{ "function signal(x, h)\nfunction sigprocmask(x, y, z)\nfunction handler(n)\n{\n  c at 0 = _\n}\n",
	  "  h = &handler\n  call signal(_, h)\n  r = _\n  call sigprocmask(_, _, _)\n", "", "c errno", "signal_handlers" },
	{ "function atexit(h)\nfunction exit(n)\nfunction last()\n{\n  c at 0 = _\n}\n", "  h = &last\n  call atexit(h)\n  call exit(_)\n",
	  NULL, "c", "destructor_arguments destructors exit_arguments exit_functions exit_handlers" },
	{ "function on_exit(h, x)\nfunction exit(n)\nfunction last(n, x)\n{\n  c at 0 = x\n}\n",
	  "  h = &last\n  p = &a\n  call on_exit(h, p)\n  r = c at 0\n  call exit(_)\n", "a", "c", NULL },
	{ "function __cxa_atexit(h, x, d)\nfunction err(n, f) variadic rest _\nfunction last(x)\n{\n  *x = _\n}\n",
	  "  h = &last\n  p = &a\n  call __cxa_atexit(h, p)\n  call err(_, _)\n", NULL, "a stderr_stream", NULL },
	{ "function fopencookie(x, y, z)\nfunction put(k, s, n)\n{\n  c at 0 = k\n}\nfunction shut(k)\n{\n  *k = _\n}\n"
	  "layout cookie struct 32 { 0 ptr read, 8 ptr write, 16 ptr seek, 24 ptr close }\nobject io global cookie size 32\n",
	  "  f = &put\n  g = &shut\n  io at 8 = f\n  io at 24 = g\n  k = &a\n  p = &io\n  call fopencookie(k, _, p)\n  r = c at 0\n", "a",
	  "a c errno", "io" },
	{ "function fopencookie(x, y, z)\nfunction fclose(f)\nfunction put(k, s, n)\n{\n  c at 0 = k\n}\nfunction shut(k)\n{\n  *k = _\n}\n"
	  "layout cookie struct 32 { 0 ptr read, 8 ptr write, 16 ptr seek, 24 ptr close }\nobject io global cookie size 32\n",
	  "  h = &put\n  g = &shut\n  io at 8 = h\n  io at 24 = g\n  k = &a\n  p = &io\n  f = call fopencookie(k, _, p) !\"x.c\":3\n  r = c at 0\n  call fclose(f)\n",
	  "a", "a c errno heap@x.c:3", NULL },
	{ "function makecontext(u, f, n) variadic rest _\nfunction swapcontext(u, v)\nfunction run(x, y, z)\n{\n  *z = _\n}\n",
	  "  u = &a\n  v = &b\n  p = &c\n  f = &run\n  call makecontext(v, f, _, _, _, p)\n  call swapcontext(u, v)\n", NULL, "a c errno",
	  "b context_arguments context_functions" },
	{ "function glob(x, y, z, g)\nfunction open_it(x)\n{\n  p = &b\n  result = p\n}\nfunction close_it(x)\n{\n  c at 0 = x\n}\n"
	  "layout glob struct 72 { 0 ptr n, 8 ptr v, 16 ptr offs, 32 ptr close, 40 ptr read, 48 ptr open, 56 ptr lstat, 64 ptr stat }\n"
	  "object g global glob size 72\n",
	  "  f = &open_it\n  h = &close_it\n  g at 48 = f\n  g at 32 = h\n  p = &g\n  call glob(_, _, _, p)\n  r = c at 0\n", "b", "c g heap@main", "g" },
	{ "function _obstack_newchunk(h, n)\nobject obstack_alloc_failed_handler global ptr size 8 imported\nfunction full()\n{\n  c at 0 = _\n}\n",
	  "  f = &full\n  obstack_alloc_failed_handler at 0 = f\n  call _obstack_newchunk(_, _)\n", NULL, "c", "obstack_alloc_failed_handler" },
	{ "function getenv(x)\n", "  p = &a\n  r = call getenv(p)\n", "environment_strings", "", "a environ environment environment_strings" },
	{ "function putenv(x)\nfunction getenv(x)\n", "  p = &a\n  call putenv(p)\n  r = call getenv(_)\n", "a environment_strings", NULL, NULL },
	{ "function __errno_location()\n", "  r = call __errno_location()\n", "errno", "", "" },
	{ "function printf(f) variadic rest _\n", "  p = &a\n  q = &b\n  o = &c\n  call printf(p, o)\n  call printf(p, _, q)\n", NULL,
	  "errno stdout_stream", "a b stdout stdout_stream" },
	{ "function sscanf(x, f) variadic rest _\n", "  p = &a\n  q = &b\n  o = &c\n  call sscanf(p, q, o, q)\n", NULL, "b c errno", "a b" },
	{ "function vsprintf(x, y, z)\nobject list local pair size 16 in main\nobject rest local ptr in main\n",
	  "  p = &a\n  q = &b\n  f = &c\n  l = &list\n  w = &rest\n  rest at 0 = q\n  list at 8 = w\n  call vsprintf(p, f, l)\n", NULL,
	  "a errno main::list", "b c main::list" },
	{ "function setvbuf(x, y, z, n)\nfunction fputc(x, y)\n", "  p = &a\n  q = &b\n  call setvbuf(p, q)\n  call fputc(_, p)\n", NULL,
	  "a b errno", "a b" },
	{ "function strtok_r(x, y, z)\n", "  p = &a\n  q = &b\n  r = call strtok_r(p, _, q)\n", "a", "a b", "a b" },
	{ "function pthread_create(x, y, f, z)\nfunction pthread_join(x, y)\nfunction work(x)\n{\n  result = x\n}\n",
	  "  p = &a\n  f = &work\n  call pthread_create(_, _, f, p)\n  q = &b\n  call pthread_join(_, q)\n  r = *q\n", "a", NULL, NULL },
	{ "function sigaction(x, y, z)\nfunction handler(n)\n{\n  c at 0 = _\n}\n",
	  "  h = &handler\n  s at 0 = h\n  p = &s\n  call sigaction(_, p)\n  r = _\n  call sigaction(_, p)\n", "", "c errno signal_handlers",
	  "s signal_handlers" },
	{ "function fopen(x, y)\nfunction fclose(x)\n", "  r = call fopen(_, _) !\"x.c\":3\n  call fclose(r)\n", "heap@x.c:3", "heap@x.c:3 errno",
	  "heap@x.c:3" },
	{ "function stat(x, y)\n", "  p = &a\n  q = &s\n  call stat(p, q)\n", NULL, "s errno", "a" },
	{ "function writev(x, y, z)\n", "  p = &a\n  s at 0 = p\n  q = &s\n  call writev(_, q)\n", NULL, "errno", "a s" },
	{ "function frexp(x, y)\n", "  p = &a\n  call frexp(_, p)\n", NULL, "a", "" },
	{ "function sqrt(x)\n", "  call sqrt(_)\n", NULL, "errno", "" },
	{ "function strlen(x)\n", "  p = &a\n  call strlen(p)\n", NULL, "", "a" },
	{ "function localtime(x)\n", "  p = &a\n  r = call localtime(p)\n", "broken_down_time", "broken_down_time errno", "a" },
	{ "object stdin global ptr size 8 imported\nfunction getc(x)\n", "  r = stdin at 0\n  call getc(r)\n", "stdin_stream",
	  "errno stdin_stream", "stdin_stream" },
	{ "function inflate(x, y)\nlayout stream struct 112 { 0 ptr in, 8 ptr _, 24 ptr out, 48 ptr msg, 56 ptr state }\n"
	  "object z global stream size 112\n",
	  "  i = &a\n  o = &b\n  z at 0 = i\n  z at 24 = o\n  p = &z\n  call inflate(p)\n  r = z at 24\n  call inflate(p)\n", "b", "b z", "a z" },
	{ "function png_create_write_struct(a, b, c, d)\nfunction png_set_write_fn(a, b, c, d)\nfunction png_write_info(a, b)\n"
	  "function png_get_io_ptr(a)\nfunction out(png, data, n)\n{\n  x = call png_get_io_ptr(png)\n  c at 0 = x\n}\n",
	  "  p = call png_create_write_struct()\n  i = &a\n  f = &out\n  call png_set_write_fn(p, i, f)\n  call png_write_info(p)\n"
	  "  r = c at 0\n", "a", NULL, NULL },
	{ "function jpeg_std_error(a)\nfunction jpeg_CreateDecompress(a, b, c)\nfunction jpeg_read_header(a, b)\n"
	  "function stop(x)\n{\n  c at 0 = x\n}\nlayout errors struct 168 { 0 ptr exit, 8 ptr emit, 16 ptr out }\n"
	  "layout jpeg struct 656 { 0 ptr err, 8 ptr mem, 40 ptr src }\nlayout methods struct 96 { 0 ptr small, 8 ptr large }\n"
	  "object e global errors size 168\nobject j global jpeg size 656\n",
	  "  p = &e\n  q = call jpeg_std_error(p)\n  f = &stop\n  e at 0 = f\n  j at 0 = q\n  d = &j\n  call jpeg_CreateDecompress(d)\n"
	  "  call jpeg_read_header(d)\n  r = c at 0\n", "j", NULL, NULL },
	{ "function initstate_r(a, b, c, d)\nfunction random_r(a, b)\nlayout data struct 48 { 0 ptr f, 8 ptr r, 16 ptr state, 24 ptr _, 40 ptr end }\n"
	  "object d global data size 48\n",
	  "  t = &a\n  p = &d\n  q = &b\n  call initstate_r(_, t, _, p)\n  r = d at 16\n  call random_r(p, q)\n", "a", "a b d errno", "a d" },
	{ "function initstate(a, b, c)\nfunction random()\n", "  p = &a\n  call initstate(_, p)\n  call random()\n", NULL, "a", "a random_states" },
	{ "function initstate(a, b, c)\nfunction setstate(a)\nfunction srandom(a)\n",
	  "  p = &a\n  q = &b\n  call initstate(_, p)\n  r = call setstate(q)\n  call srandom(_)\n", "a b", "a b", NULL },
	{ "function open_memstream(a, b)\nfunction fflush(a)\n",
	  "  p = &a\n  q = &b\n  f = call open_memstream(p, q) !\"x.c\":3\n  r = a at 0\n  call fflush(f)\n", "heap@x.c:3#2",
	  "a b errno heap@x.c:3 heap@x.c:3#2", NULL },
	{ "function wmempcpy(x, y, z)\n", "  p = &a\n  q = &b\n  b at 0 = p\n  o = &c\n  call wmempcpy(o, q)\n  r = *o\n", "a", "c", "b" },
	{ "function sbrk(n)\n", "  p = &a\n  x = call sbrk(_)\n  y = call sbrk(_)\n  *x = p\n  r = *y\n", "a", "errno", NULL },
	{ "function BZ2_bzDecompress(x)\nlayout stream struct 80 { 0 ptr in, 8 ptr _, 24 ptr out, 48 ptr state, 56 ptr alloc, 64 ptr free, 72 ptr opaque }\n"
	  "object z global stream size 80\n",
	  "  i = &a\n  o = &b\n  z at 0 = i\n  z at 24 = o\n  p = &z\n  call BZ2_bzDecompress(p)\n  r = z at 24\n  call BZ2_bzDecompress(p)\n",
	  "b", "b z", "a z" },
	{ "function lzma_end(x)\nfunction release(x, y)\n{\n  c at 0 = x\n}\nlayout stream struct 136 { 0 ptr in, 24 ptr out, 48 ptr alloc, 56 ptr state }\n"
	  "layout allocator struct 24 { 0 ptr alloc, 8 ptr free, 16 ptr opaque }\nobject z global stream size 136\n"
	  "object m global allocator size 24\n",
	  "  f = &release\n  x = &a\n  y = &m\n  m at 8 = f\n  m at 16 = x\n  z at 48 = y\n  p = &z\n  call lzma_end(p)\n  r = c at 0\n", "a", NULL, NULL },
	{ "function ZSTD_decompressStream(x, y, z)\nobject t global pair size 16\n",
	  "  i = &a\n  o = &b\n  s at 0 = i\n  t at 0 = o\n  x = &c\n  p = &s\n  q = &t\n  call ZSTD_decompressStream(x, q, p)\n", NULL, "b c s t", "a c s t" },
	{ "function argp_parse(a, b, c, d, e, f)\nfunction parse(key, arg, state)\n{\n  x = state + 40\n  y = *x\n  c at 0 = y\n}\n"
	  "layout argp struct 56 { 0 ptr options, 8 ptr parser, 32 ptr children, 40 ptr filter, 48 ptr domain }\n"
	  "object top global argp size 56\nobject child global argp size 56\nobject children global pair size 16\n",
	  "  f = &parse\n  child at 8 = f\n  x = &child\n  children at 0 = x\n  y = &children\n  top at 32 = y\n  p = &top\n  i = &a\n"
	  "  call argp_parse(p, _, _, _, _, i)\n  r = c at 0\n", "a", NULL, NULL },
	{ "function aio_read(x)\nfunction aio_suspend(x, n, t)\nfunction done(x)\n{\n  c at 0 = x\n}\n"
	  "layout aiocb struct 168 { 0 ptr fd, 16 ptr buf, 32 ptr value, 48 ptr notify }\nobject cb global aiocb size 168\nobject list global ptr size 8\n",
	  "  f = &done\n  p = &a\n  v = &b\n  cb at 16 = p\n  cb at 32 = v\n  cb at 48 = f\n  q = &cb\n  list at 0 = q\n  call aio_read(q)\n"
	  "  r = c at 0\n  l = &list\n  call aio_suspend(l, _, _)\n", "b", "a cb errno", "cb list" },
	{ "function mq_notify(q, e)\nfunction done(x)\n{\n  c at 0 = x\n}\nlayout event struct 64 { 0 ptr value, 16 ptr notify }\n"
	  "object e global event size 64\n",
	  "  f = &done\n  v = &b\n  e at 0 = v\n  e at 16 = f\n  p = &e\n  call mq_notify(_, p)\n  r = c at 0\n", "b", "c errno signal_info", "e" },
	{ "function argz_insert(x, n, b, s)\n", "  q = &b\n  a at 0 = q\n  p = &a\n  n = &c\n  call argz_insert(p, n, _, _) !\"x.c\":7\n  r = a at 0\n",
	  "b heap@x.c:7", "a b c heap@x.c:7", "a b c heap@x.c:7" },
	{ "function process_vm_readv(p, l, n, x, m, f)\nobject t global pair size 16\n",
	  "  p = &a\n  q = &b\n  s at 0 = p\n  t at 0 = q\n  l = &s\n  x = &t\n  call process_vm_readv(_, l, _, x)\n", NULL, "a errno", "b s t" },
	{ "function getgrent_r(e, x, n, r)\n", "  e = &s\n  b0 = &b\n  q = &c\n  call getgrent_r(e, b0, _, q)\n  x = c at 0\n  r = *x\n", "b",
	  "b c errno s", "" },
	{ "function putpwent(e, f)\n", "  t = &a\n  s at 8 = t\n  e = &s\n  f = &c\n  call putpwent(e, f)\n", NULL, "c errno", "a c s" },
	{ "function obstack_printf(h, f) variadic rest _\nfunction grow(n)\n{\n  p = &b\n  result = p\n}\n"
	  "layout obstack struct 88 { 0 ptr n, 8 ptr chunk, 16 ptr base, 24 ptr next, 32 ptr end, 56 ptr alloc, 64 ptr free, 72 ptr arg }\n"
	  "object h global obstack size 88\n",
	  "  f = &grow\n  p = &a\n  h at 24 = p\n  h at 56 = f\n  o = &h\n  t = &c\n  call obstack_printf(o, _, t)\n  r = h at 24\n", "a b",
	  "a b errno h", NULL },
	{ "function __swprintf_chk(s, n, g, m, f) variadic rest _\n", "  p = &a\n  f = &b\n  x = &c\n  call __swprintf_chk(p, _, _, _, f, x)\n", NULL,
	  "a errno", "b c" },
	{ "function cpowl(x, y)\n", "  p = &a\n  q = &b\n  call cpowl(p, q)\n", NULL, "", "a b" },
	{ "function dn_comp(x, b, n, p, l)\n", "  m = &a\n  p = &c\n  call dn_comp(_, m, _, p)\n  r = c at 0\n", "a", "a c errno", "a c" },
	{ "function readline(p)\nobject rl_attempted_completion_function global ptr size 8 imported\nfunction complete(t, m, n)\n{\n  c at 0 = t\n}\n",
	  "  f = &complete\n  rl_attempted_completion_function at 0 = f\n  call readline(_) !\"x.c\":3\n  r = c at 0\n", "readline_text", NULL, NULL },
	{ "function rl_completion_matches(t, f)\nfunction generate(t, n)\n{\n  c at 0 = t\n  p = &b\n  result = p\n}\n",
	  "  t = &a\n  f = &generate\n  x = call rl_completion_matches(t, f) !\"x.c\":3\n  r = *x\n", "b heap@x.c:3#2", NULL, NULL },
	{ "function history_expand(x, y)\n", "  p = &a\n  q = &b\n  call history_expand(p, q) !\"x.c\":3\n  r = b at 0\n", "heap@x.c:3", "b", NULL },
	{ "function initscr()\nfunction ripoffline(n, f)\nfunction line(w, n)\n{\n  c at 0 = w\n}\n",
	  "  f = &line\n  call ripoffline(_, f)\n  r = call initscr()\n  x = c at 0\n  r = x\n", "standard_window", NULL, NULL },
	{ "object stdscr global ptr size 8 imported\nfunction mvprintw(y, x, f) variadic rest _\n",
	  "  f = &a\n  q = &b\n  r = stdscr at 0\n  call mvprintw(_, _, f, q)\n", "standard_window", "standard_window", "a b standard_window stdscr" },
	{ "function newwin(a, b, c, d)\nfunction derwin(w, a, b, c, d)\nfunction waddnstr(w, s, n)\n",
	  "  w = call newwin() !\"x.c\":3\n  r = call derwin(w) !\"x.c\":4\n  s = &a\n  call waddnstr(r, s)\n", "heap@x.c:4", "heap@x.c:3 heap@x.c:4",
	  "a heap@x.c:3 heap@x.c:4" },
	{ "function newwin(a, b, c, d)\nfunction mvwgetnstr(w, y, x, s, n)\n",
	  "  r = call newwin() !\"x.c\":3\n  s = &a\n  call mvwgetnstr(r, _, _, s)\n", NULL,
	  "a current_window heap@x.c:3 stdin_stream stdout_stream virtual_window", NULL },
	{ "function new_panel(w)\nfunction set_panel_userptr(p, x)\nfunction panel_above(p)\nfunction panel_userptr(p)\n",
	  "  w = &a\n  p = call new_panel(w)\n  x = &b\n  call set_panel_userptr(p, x)\n  q = call panel_above(_)\n  r = call panel_userptr(q)\n", "b", "",
	  NULL },
	{ "function __cxa_begin_catch(x)\n", "  p = &a\n  e = &b\n  b at 0 = p\n  r = call __cxa_begin_catch(e)\n", "a b", NULL, NULL },
	{ "function dlsym(x, y)\n", "  p = &a\n  r = call dlsym(_, p)\n",
	  "argument_strings argument_vector environment environment_strings exit_functions unknown ph_var ph_proc", "",
	  "a unknown" },
};

/* Objects of models in the order in which they are made differ from row to row: names are compared as sets. */
static int by_text(const void *x, const void *y)
{
	return strcmp(*(char *const *)x, *(char *const *)y);
}

static void sort_words(char *text, struct strbuf *out)
{
	char *words[32];
	size_t n = 0;

	for (char *w = strtok(text, " "); w && n < 32; w = strtok(NULL, " "))
		words[n++] = w;
	qsort(words, n, sizeof(*words), by_text);
	for (size_t i = 0; i < n; i++)
		strbuf_addf(out, i ? " %s" : "%s", words[i]);
	strbuf_adds(out, "");
}

static void expect_words(size_t row, const char *what, const char *got, const char *expected)
{
	struct strbuf a = { 0 }, b = { 0 };
	char x[256], y[256];

	snprintf(x, sizeof(x), "%s", got);
	snprintf(y, sizeof(y), "%s", expected);
	sort_words(x, &a);
	sort_words(y, &b);
	if (strcmp(a.s, b.s) != 0)
		fail_msg("case %u (%.40s...): %s: %s, not %s\n", (unsigned)row, cases[row].declares, what, a.s, b.s);
	strbuf_release(&a);
	strbuf_release(&b);
}

static void expect_last(struct fixture *f, size_t row, enum effect e, const char *expected)
{
	cfn_id fn = cir_find_function(&f->p, STR("main"));
	const struct cfn *main_row = &f->p.fns.data[fn.i];
	affected_vec places = { 0 };
	ccell_vec cells = { 0 };

	uint32_t at = main_row->stmts + main_row->nstmts - 1;
	while (f->p.stmts.data[at].op != C_CALL)
		at--;
	modref_stmt(f->m, fn, at, e, &places);
	for (uint32_t i = 0; i < places.len; i++)
		if (places.data[i].cell.i)
			vec_push(&cells, places.data[i].cell);
	expect_words(row, e == EFFECT_MOD ? "mod" : "use", names(f, &cells), expected);
	vec_release(&places);
	vec_release(&cells);
}

static void test_rows(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct strbuf text = { 0 };
		ccell_vec cells = { 0 };

		again(f);
		strbuf_addf(&text, GLOBALS "%sfunction main() starts\n{\n%s}\n", cases[i].declares, cases[i].body);
		parse(f, text.s);
		analyse(f, LOADING, true);
		if (cases[i].r) {
			cpta_points_to(f->a, var(f, "main", "r"), &cells);
			expect_words(i, "r", names(f, &cells), cases[i].r);
		}
		if (cases[i].mod)
			expect_last(f, i, EFFECT_MOD, cases[i].mod);
		if (cases[i].use)
			expect_last(f, i, EFFECT_USE, cases[i].use);
		vec_release(&cells);
		strbuf_release(&text);
	}
}

/* What a variadic row uses has its own parameters, all of them, and not the other arguments. */
static void test_variadic_use(void **state)
{
	struct fixture *f = *state;
	uint32_t given;

	parse(f, GLOBALS "function f(x) variadic rest _\nfunction main() starts\n{\n  p = &a\n  q = &b\n  o = &c\n  call f(p, q, o)\n}\n");
	assert_true(cmodel_table(&f->p, STR("object k\ng(x, <y): ret = y\nh(): k = 0\nf(>x, <...): use h(); use g(x, x)\n"), false, "t", &f->d, &given));
	analyse(f, PROGRAM, true);
	expect_effect(f, "main", 3, EFFECT_MOD, "a k");
	expect_effect(f, "main", 3, EFFECT_USE, "a b c");
}

/* Copies are functions of their own, with the same name; calls of one function see one memory only. */
static void test_copies(void **state)
{
	struct fixture *f = *state;
	uint32_t copies = 0;

	parse(f, GLOBALS "function strchr(x, y)\nfunction abs(x)\n"
			 "function main() starts\n{\n  p = &a\n  q = call strchr(p)\n  o = &b\n  r = call strchr(o)\n  call abs(_)\n"
			 "  t = &strchr\n  u = call *t(o, _)\n}\n");
	analyse(f, PROGRAM, true);
	for (uint32_t i = 1; i < f->p.fns.len; i++)
		copies += f->p.fns.data[i].of.i != 0;
	assert_int_equal(copies, 2);
	expect_points_to(f, "main", "q", "a");
	expect_points_to(f, "main", "r", "b");
	expect_points_to(f, "main", "u", "b");
	expect_called(f, "main", 1, "strchr");
	expect_called(f, "main", 6, "strchr");
}

static void test_arguments(void **state)
{
	struct fixture *f = *state;

	parse(f, GLOBALS "object environ global ptr size 8 imported\n"
			 "function main(argc, argv, envp) starts\n{\n  s = *argv\n  e = *envp\n  x = environ at 0\n  y = *x\n}\n");
	analyse(f, PROGRAM, true);
	expect_points_to(f, "main", "argv", "argument_vector");
	expect_points_to(f, "main", "s", "argument_strings");
	expect_points_to(f, "main", "e", "environment_strings");
	expect_points_to(f, "main", "y", "environment_strings");
	assert_int_equal(f->ph.var.i, 0);
	assert_false(f->p.objs.data[object(f, "environ").i].flags & COBJ_IMPORTED);
}

static void expect_places(struct fixture *f, const char *fn, uint32_t n, enum effect e, const char *expected)
{
	affected_vec places = { 0 };

	modref_stmt(f->m, cir_find_function(&f->p, str_of(fn)), stmt(f, fn, n), e, &places);
	strbuf_clear(&f->out);
	for (uint32_t i = 0; i < places.len; i++) {
		if (i)
			strbuf_addch(&f->out, ' ');
		modref_name(f->m, places.data[i], &f->out);
	}
	assert_string_equal(f->out.s, expected);
	vec_release(&places);
}

/* Text stays in its array, numbers in their field; bytes may be all of an object. */
static void test_extent(void **state)
{
	struct fixture *f = *state;

	parse(f, "layout ptr scalar 8\nlayout byte scalar 1\nlayout bytes array 8 of byte x 8\n"
		 "layout file struct 24 { 0 ptr next, 8 bytes name, 16 ptr size }\nobject s global file size 24\n"
		 "object t global ptr size 8\nfunction strcpy(x, y)\nfunction read(x, y, z)\nfunction time(x)\n"
		 "function main() starts\n{\n  s at 0 = _\n  s at 16 = _\n  n = &s + 8\n  t = &t\n  call strcpy(n, t)\n  k = &s + 16\n"
		 "  call time(k)\n  p = &s\n  call read(_, p)\n}\n");
	analyse(f, PROGRAM, true);
	expect_places(f, "main", 4, EFFECT_MOD, "s.name[]");
	expect_places(f, "main", 4, EFFECT_USE, "t main::n main::t");
	expect_places(f, "main", 6, EFFECT_MOD, "s.size");
	expect_places(f, "main", 8, EFFECT_MOD, "s.next s.size s.name[] errno");
}

/* By default, code that is loaded at run time is not there, and the result says so. */
static void test_loading(void **state)
{
	struct fixture *f = *state;

	parse(f, GLOBALS "function dlsym(x, y)\nfunction main() starts\n{\n  r = call dlsym(_, _) !\"x.c\":4\n}\n");
	analyse(f, PROGRAM, true);
	expect_points_to(f, "main", "r", "");
	assert_int_equal(f->ph.var.i, 0);
	assert_int_equal(f->p.notes.len, 2);
	assert_int_equal(f->p.notes.data[1].kind, CNOTE_LOADS);
	assert_int_equal(f->p.locs.data[f->p.notes.data[1].loc.i].line, 4);
}

/* A program may define what the library would. */
static void test_own_definition(void **state)
{
	struct fixture *f = *state;

	parse(f, GLOBALS "object optarg global ptr size 8\nfunction getopt(n, v, o)\n"
			 "function strchr(x, y)\n{\n  t = &c\n  result = t\n}\n"
			 "function main(argc, argv) starts\n{\n  call getopt(argc, argv)\n  r = optarg at 0\n  q = call strchr(argv)\n}\n");
	analyse(f, PROGRAM, true);
	expect_points_to(f, "main", "r", "argument_strings");
	expect_points_to(f, "main", "q", "c");
	assert_false(f->p.fns.data[cir_find_function(&f->p, STR("strchr")).i].flags & CFN_MODEL);
}

/* Placeholders: the structure of figure 3.5 of the thesis with names of our own. put = exec, last = g, turn = neg. */

#define LIBRARY_TEXT \
	"layout ptr scalar 8\nobject last global ptr size 8\n" \
	"object three local ptr in put\nobject four local ptr in put\n" \
	"function put(where, done)\n{\n" \
	"  three at 0 = _\n"          /* 0 */ \
	"  four at 0 = _\n" \
	"  to = where\n" \
	"  g = last at 0\n" \
	"  call *done(g, to)\n"       /* 4 */ \
	"  q = &four\n" \
	"  call turn(q)\n"            /* 6 */ \
	"  q = &three\n" \
	"  call turn(q)\n" \
	"  v = four at 0\n" \
	"  *to = v\n"                 /* 10 */ \
	"  last at 0 = to\n" \
	"}\n" \
	"function turn(cell)\n{\n" \
	"  i = *cell\n" \
	"  *cell = _\n"               /* 1 */ \
	"}\n"

static void export_name(struct fixture *f, const char *name)
{
	f->p.objs.data[object(f, name).i].flags |= COBJ_EXPORTED;
}

static void test_library(void **state)
{
	static const char all[] = "last put ph_var ph_proc";
	static const char *const vars[] = { "where", "done", "to", "g" };
	struct fixture *f = *state;

	parse(f, LIBRARY_TEXT);
	export_name(f, "last");
	export_name(f, "put");
	analyse(f, LIBRARY, false);
	for (size_t i = 0; i < ARRAY_LEN(vars); i++)
		expect_points_to(f, "put", vars[i], all);
	expect_content(f, "last", all);
	expect_content(f, "ph_var", all);
	expect_points_to(f, "put", "q", "put::three put::four");
	expect_points_to(f, "turn", "cell", "put::three put::four");
	expect_points_to(f, "put", "v", "");
	expect_points_to(f, "turn", "i", "");
	expect_called(f, "put", 4, "put ph_proc");
	expect_effect(f, "put", 4, EFFECT_MOD, "last ph_var");
	expect_effect(f, "put", 10, EFFECT_MOD, "last ph_var");
	expect_effect(f, "turn", 1, EFFECT_MOD, "put::three put::four");
	/* n = 2 formals, and the call through ph_var has m = 2 actuals */
	const struct cfn *proc = &f->p.fns.data[f->ph.proc.i];
	assert_int_equal(proc->nparams, 2);
	assert_int_equal(proc->ncalls, 1);
	assert_int_equal(f->p.calls.data[proc->calls].nargs, 2);
	assert_true(proc->flags & CFN_STARTS);
	for (uint32_t i = 0; i < proc->nstmts; i++)
		if (f->p.stmts.data[proc->stmts + i].op == C_CALL) {
			expect_called(f, "ph_proc", i, "put ph_proc");
			expect_effect(f, "ph_proc", i, EFFECT_MOD, "last ph_var");
		}
}

/* The same library with a client: as in figure 3.2 of the thesis. */
static void test_library_with_client(void **state)
{
	struct fixture *f = *state;

	parse(f, LIBRARY_TEXT "object x global ptr size 8\nobject y global ptr size 8\n"
			      "function main() starts\n{\n  x at 0 = _\n  a = &x\n  d = &half\n  call put(a, d)\n  b = &y\n  call put(b, d)\n}\n"
			      "function half(old, new)\n{\n  v = *new\n  *old = v\n}\n");
	export_name(f, "last");
	export_name(f, "put");
	analyse(f, PROGRAM, false);
	assert_int_equal(f->ph.var.i, 0);
	expect_points_to(f, "put", "where", "x y");
	expect_points_to(f, "put", "done", "half");
	expect_points_to(f, "half", "old", "x y");
	expect_points_to(f, "half", "new", "x y");
	expect_content(f, "last", "x y");
	expect_called(f, "put", 4, "half");
	expect_effect(f, "put", 4, EFFECT_MOD, "x y");
	expect_effect(f, "put", 10, EFFECT_MOD, "x y");
	expect_effect(f, "put", 6, EFFECT_MOD, "put::three put::four");
	expect_effect(f, "main", 3, EFFECT_MOD, "last x y");
}

/* Section 3.4.2 of the thesis: calls of functions that nobody knows, their addresses, and globals that nobody knows. */
static void test_unknown_library(void **state)
{
	static const char seen[] = "a theirs callback argument_vector argument_strings environment environment_strings "
				   "exit_functions ph_var ph_proc";
	struct fixture *f = *state;

	parse(f, GLOBALS "object theirs global ptr size 8 imported\nfunction strange(x, y, z)\nfunction unused(x)\n"
			 "function callback(x)\n{\n  c at 0 = x\n  b at 0 = _\n}\n"
			 "function main() starts\n{\n  p = &a\n  f = &callback\n  r = call strange(p, f)\n  h = &strange\n  q = &b\n"
			 "  i = theirs at 0\n}\n");
	analyse(f, PROGRAM, true);
	assert_true(f->p.fns.data[cir_find_function(&f->p, STR("strange")).i].flags & CFN_UNKNOWN);
	assert_false(f->p.fns.data[cir_find_function(&f->p, STR("unused")).i].flags & CFN_UNKNOWN);
	assert_int_equal(f->p.notes.len, 2);
	assert_int_equal(f->p.notes.data[1].kind, CNOTE_UNKNOWN);
	assert_true(f->p.fns.data[f->ph.proc.i].flags & CFN_STARTS);
	assert_int_equal(f->p.fns.data[f->ph.proc.i].nparams, 2);
	expect_called(f, "main", 2, "ph_proc");
	expect_points_to(f, "main", "h", "ph_proc");
	expect_points_to(f, "main", "r", seen);
	expect_points_to(f, "main", "i", seen);
	expect_points_to(f, "callback", "x", seen);
	expect_content(f, "c", seen);
	expect_effect(f, "main", 2, EFFECT_MOD,
		      "a b c theirs argument_vector argument_strings environment environment_strings exit_functions ph_var");
}

/* What clients store with the library's help comes back to others. */
static void test_shared_c_library(void **state)
{
	struct fixture *f = *state;

	parse(f, GLOBALS "function getenv(x)\nfunction signal(x, y)\n"
			 "function get()\n{\n  r = call getenv(_)\n  h = call signal(_, _)\n}\n");
	export_name(f, "get");
	analyse(f, LIBRARY, false);
	ccell_vec cells = { 0 };
	cpta_points_to(f->a, var(f, "get", "r"), &cells);
	assert_non_null(strstr(names(f, &cells), "ph_var"));
	vec_clear(&cells);
	cpta_points_to(f->a, var(f, "get", "h"), &cells);
	assert_non_null(strstr(names(f, &cells), "ph_proc"));
	vec_release(&cells);
}

static void test_variadic_export(void **state)
{
	struct fixture *f = *state;

	parse(f, GLOBALS "function log(x) variadic rest _\n{\n  r = x\n}\n");
	export_name(f, "log");
	analyse(f, LIBRARY, true);
	const struct cfn *proc = &f->p.fns.data[f->ph.proc.i];
	assert_int_equal(f->p.calls.data[proc->calls].nargs, 2);
	expect_content(f, "...", "log ph_var ph_proc");
}

/* A library alone that exports nothing is not reached. */
static void test_nothing_exported(void **state)
{
	struct fixture *f = *state;

	parse(f, LIBRARY_TEXT);
	analyse(f, LIBRARY, true);
	assert_false(cpta_reached(f->a, cir_find_function(&f->p, STR("put"))));
	expect_content(f, "ph_var", "ph_var ph_proc");
}

/* Exports */

static const char *exported(struct fixture *f)
{
	strbuf_clear(&f->out);
	strbuf_adds(&f->out, "");
	for (uint32_t i = 1; i < f->p.objs.len; i++)
		if (f->p.objs.data[i].flags & COBJ_EXPORTED) {
			if (f->out.len)
				strbuf_addch(&f->out, ' ');
			strbuf_addstr(&f->out, interned(&f->p.names, f->p.objs.data[i].name));
		}
	return f->out.s;
}

static void write_file(struct fixture *f, const char *suffix, const char *text, size_t len)
{
	snprintf(f->path, sizeof(f->path), "/tmp/sherd-exports-XXXXXX");
	int fd = mkstemp(f->path);
	char renamed[sizeof(f->path)];

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, len), (ssize_t)len);
	close(fd);
	snprintf(renamed, sizeof(renamed), "%.40s%.10s", f->path, suffix);
	assert_int_equal(rename(f->path, renamed), 0);
	memcpy(f->path, renamed, sizeof(renamed));
}

static void test_visible(void **state)
{
	struct fixture *f = *state;

	parse(f, "object data global\nobject secret global hidden\nobject own global static\nobject theirs global imported\n"
		 "function open_it()\n{\n}\nfunction inner() static\n{\n}\nfunction missing()\nfunction strlen(s)\n");
	cmodel_libc(&f->p, false);
	assert_true(cmodel_export_visible(&f->p));
	assert_string_equal(exported(f), "data open_it");
}

static void test_export_files(void **state)
{
	static const struct {
		const char *suffix, *text, *exports, *error;
		unsigned line;
	} files[] = {
		{ "", "data\n\n  open_it # comment\n", "data open_it", NULL, 0 },
		{ "", "table_*", "table_one table_two", NULL, 0 },
		{ "", "data\nsecret\n", NULL, "nothing that clients can see is defined with this name: 'secret'", 2 },
		{ "", "data\nnone*\n", NULL, "nothing that clients can see is defined with this name: 'none*'", 2 },
		{ "", "", NULL, "exports nothing that is defined", 0 },
		{ "", "{ global: data; open*; local: *; };", "data open_it", NULL, 0 },
		{ "", "V1 {\n global:\n  data;\n local: *; };\n/* more */ V2 { open_it; extern \"C\" { close_it; }; } V1;\n",
		  "data open_it close_it", NULL, 0 },
		{ "", "V1 { local: table_*; };", "data open_it close_it", NULL, 0 },
		{ "", "V1 { global: table_one; local: table_*; data; };", "table_one open_it close_it", NULL, 0 },
		{ "", "V1 { global: table_?[n-p]*; local: *; };", "table_one", NULL, 0 },
		{ "", "V1 { global: table_[!o]*; local: *; };", "table_two", NULL, 0 },
		{ "", "V1 { global: data\n close_it; };", NULL, "';' is missing before: 'close_it'", 2 },
		{ "", "V1 { global: data;", NULL, "the file ends inside of braces", 1 },
		{ "", "V1 { data; }", NULL, "';' is missing after the last '}'", 1 },
		{ "", "V1 { data; }\nV2 { open_it; };", NULL, "';' is missing after '}', before: '{'", 2 },
		{ "", "V1 { data", NULL, "the file ends inside of braces", 1 },
		{ "", "V1 { extern \"C\"", NULL, "'{' is missing at the end of the file", 1 },
		{ "", "V1 { extern \"C++\" { a; }; };", NULL,
		  "names of other languages than C are not supported; list the symbols themselves instead of extern: '\"C++\"'", 1 },
		{ ".h", "/* close_it */ int open_it(const char *s); // table_one\n#define X \"table_two\" '\\''\nextern int data;", "data open_it", NULL,
		  0 },
		{ ".h", "int nothing(void);\n", NULL, "the header names nothing that is defined", 0 },
		{ ".inc", "int close_it(void);", "close_it", NULL, 0 },
		{ ".inc", "what is this", NULL, "neither a version script, nor a header, nor a name a line", 0 },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		again(f);
		parse(f, "object data global\nobject table_one global\nobject table_two global\nobject secret global hidden\n"
			 "function open_it()\n{\n}\nfunction close_it()\n{\n}\n");
		write_file(f, files[i].suffix, files[i].text, strlen(files[i].text));
		bool ok = cmodel_export_file(&f->p, f->path, &f->d);
		if (ok != (files[i].error == NULL))
			fail_msg("%s: %s", files[i].text, ok ? "accepted" : f->d.entries.data[0].text);
		if (files[i].error) {
			assert_string_equal(f->d.entries.data[0].text, files[i].error);
			assert_int_equal(f->d.entries.data[0].offset, files[i].line ? files[i].line : DIAG_NO_OFFSET);
		} else {
			assert_string_equal(exported(f), files[i].exports);
		}
	}
}

static void test_no_export_file(void **state)
{
	struct fixture *f = *state;

	assert_false(cmodel_export_file(&f->p, "no/such/file", &f->d));
	assert_int_equal(f->d.entries.data[0].code, DIAG_E066);
}

static void write_header(const char *folder, const char *name, const char *text)
{
	char path[128];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* main.h includes files beside it, above it, of itself and of nobody; text that only looks like an include is none. */
static void test_included_headers(void **state)
{
	static const char *const names[] = { "a/b/main.h", "a/b/beside.h", "a/b/deep.h", "a/above.h", "far.h", "a/b/hidden.h", "a/b" , "a" };
	struct fixture *f = *state;
	char folder[] = "/tmp/sherd-headers-XXXXXX", path[128];

	assert_non_null(mkdtemp(folder));
	for (int i = 1; i >= 0; i--) {
		snprintf(path, sizeof(path), "%s/%s", folder, i ? "a" : "a/b");
		assert_int_equal(mkdir(path, 0700), 0);
	}
	write_header(folder, names[0], "#include \"beside.h\"\n # include <b/deep.h>\n#include <a/above.h>\n#include <stdio.h>\n"
				       "/* #include \"hidden.h\" */ #include <far.h>\n#include \"gone.h\"\n#include \n#include <data\n");
	write_header(folder, names[1], "#include \"main.h\"\n#include \"./beside.h\"\nextern int table_one;\n");
	write_header(folder, names[2], "#import \"deep.h\"\nextern int table_two;\n");
	write_header(folder, names[3], "int open_it(void);\n");
	write_header(folder, names[4], "int close_it(void);\n");
	write_header(folder, names[5], "int secret;\n");
	parse(f, "object data global\nobject table_one global\nobject table_two global\nobject secret global\n"
		 "function open_it()\n{\n}\nfunction close_it()\n{\n}\n");
	snprintf(path, sizeof(path), "%s/%s", folder, names[0]);
	assert_true(cmodel_export_file(&f->p, path, &f->d));
	assert_string_equal(exported(f), "data table_one table_two open_it");
	assert_int_equal(f->d.entries.len, 1);
	assert_int_equal(f->d.entries.data[0].code, DIAG_W068);
	assert_non_null(strstr(f->d.entries.data[0].text, "\"gone.h\""));
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		assert_int_equal(remove(path), 0);
	}
	remove(folder);
}

/* Read as a header, each of them would export open_it and nothing else. */
static void test_exports_of_binaries(void **state)
{
	static const struct {
		struct str bytes;
		const char *error;
	} files[] = {
		{ STR("!<arch>\nopen_it(\n"),
		  "an archive does not say what clients may name: take a header, a version script, or a name a line" },
		{ STR("!<thin>\nopen_it(\n"),
		  "an archive does not say what clients may name: take a header, a version script, or a name a line" },
		{ STR("open_it(\0)"), "neither text nor a shared library: take a header, a version script, or a name a line" },
		{ STR("\177ELF\2\1\1 open_it( and more"), "damaged ELF file: shorter than its header" },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		again(f);
		parse(f, "object data global\nfunction open_it()\n{\n}\n");
		write_file(f, i % 2 ? "" : ".h", files[i].bytes.p, files[i].bytes.len);
		assert_false(cmodel_export_file(&f->p, f->path, &f->d));
		assert_string_equal(f->d.entries.data[0].text, files[i].error);
	}
}

/* Whatever is in the file: an answer or one diagnostic. Every prefix of a script, and scripts with a byte exchanged. */
static void test_damaged_scripts(void **state)
{
	static const char script[] = "A{global:data;open*;[a-;\\;\"x;local:*;extern \"C\"{y;};};B{/*c*/z;#q\n}A;";
	struct fixture *f = *state;

	for (size_t i = 0; i < 2 * sizeof(script); i++) {
		char text[sizeof(script)];
		size_t n = i < sizeof(script) ? i : sizeof(script) - 1;

		memcpy(text, script, sizeof(script));
		if (i >= sizeof(script))
			text[i - sizeof(script)] = "{}:;*\"[/"[i % 8];
		again(f);
		parse(f, "object data global\nfunction open_it()\n{\n}\n");
		write_file(f, "", text, n);
		bool ok = cmodel_export_file(&f->p, f->path, &f->d);
		assert_int_equal(f->d.errors, ok ? 0 : 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_all_rows, setup, teardown),
		cmocka_unit_test_setup_teardown(test_imports, setup, teardown),
		cmocka_unit_test_setup_teardown(test_table_errors, setup, teardown),
		cmocka_unit_test_setup_teardown(test_rows, setup, teardown),
		cmocka_unit_test_setup_teardown(test_variadic_use, setup, teardown),
		cmocka_unit_test_setup_teardown(test_copies, setup, teardown),
		cmocka_unit_test_setup_teardown(test_arguments, setup, teardown),
		cmocka_unit_test_setup_teardown(test_extent, setup, teardown),
		cmocka_unit_test_setup_teardown(test_loading, setup, teardown),
		cmocka_unit_test_setup_teardown(test_own_definition, setup, teardown),
		cmocka_unit_test_setup_teardown(test_library, setup, teardown),
		cmocka_unit_test_setup_teardown(test_library_with_client, setup, teardown),
		cmocka_unit_test_setup_teardown(test_unknown_library, setup, teardown),
		cmocka_unit_test_setup_teardown(test_shared_c_library, setup, teardown),
		cmocka_unit_test_setup_teardown(test_variadic_export, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nothing_exported, setup, teardown),
		cmocka_unit_test_setup_teardown(test_visible, setup, teardown),
		cmocka_unit_test_setup_teardown(test_export_files, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_export_file, setup, teardown),
		cmocka_unit_test_setup_teardown(test_included_headers, setup, teardown),
		cmocka_unit_test_setup_teardown(test_exports_of_binaries, setup, teardown),
		cmocka_unit_test_setup_teardown(test_damaged_scripts, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
