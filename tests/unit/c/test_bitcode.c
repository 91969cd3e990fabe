// SPDX-License-Identifier: Apache-2.0
// links: base cir bitcode
/* test_bitcode.c - modules become the statements that they mean; symbols are linked as a linker does; what cannot be read is
 * said. Programs are compared as text, in which numbers of rows are left out and temporaries are t1, t2, ... */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/compiler.h"
#include "base/sys/mapfile.h"
#include "bitcode/bitcode.h"

#define HEAD "target datalayout = \"e-m:e-i64:64-f80:128-n8:16:32:64-S128\"\ntarget triple = \"x86_64-pc-linux-gnu\"\n"
#define SEEDS "tests/fuzz/seeds/bitcode/"

enum { MAX_FILES = 4 };

struct loaded {
	struct cprogram p;
	struct diag d;
	struct strbuf text, body;
	bool ok;
};

static char folder[] = "/tmp/test_bitcode_XXXXXX";
static char files[MAX_FILES][sizeof(folder) + 16];

static const char *write_file(uint32_t k, const void *bytes, size_t n)
{
	snprintf(files[k], sizeof(files[k]), "%s/m%u.ll", folder, (unsigned)k);
	FILE *f = fopen(files[k], "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	fclose(f);
	return files[k];
}

static void load_files(struct loaded *l, const char *const *paths, uint32_t n)
{
	const char *reason = "";

	*l = (struct loaded){ .ok = false };
	diag_init(&l->d);
	cprogram_init(&l->p);
	l->ok = bitcode_load(&l->p, paths, n, NULL, &l->d);
	assert_true(l->ok == (l->d.errors == 0));
	if (!l->ok)
		return;
	if (!cir_check(&l->p, &reason))
		fail_msg("%s", reason);
	cir_print(&l->p, &l->text);
}

static void load_texts(struct loaded *l, const char *const *texts, uint32_t n)
{
	const char *paths[MAX_FILES];

	for (uint32_t i = 0; i < n; i++)
		paths[i] = write_file(i, texts[i], strlen(texts[i]));
	load_files(l, paths, n);
	for (uint32_t i = 0; i < l->d.entries.len && !l->ok; i++)
		if (l->d.entries.data[i].code == DIAG_E060)
			print_message("%s\n", l->d.entries.data[i].text);
}

static void release(struct loaded *l)
{
	cprogram_release(&l->p);
	diag_release(&l->d);
	strbuf_release(&l->text);
	strbuf_release(&l->body);
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '"';
}

/* name%7, name@7 and name#7 are name; %7 is a temporary. */
static void add_tidy(struct strbuf *out, const char *p, const char *end)
{
	unsigned long seen[200] = { 0 };

	for (bool in_word = false; p < end; p++) {
		if ((*p == '%' || *p == '@' || *p == '#') && p + 1 < end && p[1] >= '0' && p[1] <= '9') {
			char *after;
			unsigned long n = strtoul(p + 1, &after, 10), k = 0;

			for (; !in_word && seen[k] && seen[k] != n; k++)
				assert_true(k < 198);
			if (!in_word && *p == '%') {
				seen[k] = n;
				strbuf_addf(out, "t%lu", k + 1);
			} else if (!in_word) {
				strbuf_adds(out, "unnamed");
			}
			p = after - 1;
			in_word = true;
		} else {
			in_word = is_word(*p);
			strbuf_addch(out, *p);
		}
	}
}

/* The body of a function, a line a statement. */
static const char *body_of(struct loaded *l, const char *name)
{
	char start[100];

	snprintf(start, sizeof(start), "\nfunction %s#", name);
	const char *p = strstr(l->text.s, start), *end;
	assert_non_null(p);
	p = strstr(p, "{\n");
	assert_non_null(p);
	end = strstr(p, "\n}\n");
	assert_non_null(end);
	strbuf_clear(&l->body);
	strbuf_adds(&l->body, "");
	add_tidy(&l->body, p + 2, end + 1);
	return end == p + 1 ? "" : l->body.s;
}

static cfn_id function_of(struct loaded *l, const char *name)
{
	for (uint32_t i = 1; i < l->p.fns.len; i++)
		if (str_is(interned(&l->p.names, l->p.fns.data[i].name), name))
			return (cfn_id){ i };
	fail_msg("no function %s", name);
	return (cfn_id){ 0 };
}

static const struct cobj *object_of(struct loaded *l, const char *name)
{
	for (uint32_t i = 1; i < l->p.objs.len; i++)
		if (str_is(interned(&l->p.names, l->p.objs.data[i].name), name) && l->p.objs.data[i].kind != COBJ_FUNCTION)
			return &l->p.objs.data[i];
	fail_msg("no object %s", name);
	return NULL;
}

/* One module with one function f. */
static void check(const char *text, const char *expected)
{
	struct strbuf all = { 0 };
	struct loaded l;
	const char *texts[1];

	strbuf_adds(&all, HEAD);
	strbuf_adds(&all, text);
	texts[0] = all.s;
	load_texts(&l, texts, 1);
	assert_true(l.ok);
	assert_string_equal(body_of(&l, "f"), expected);
	release(&l);
	strbuf_release(&all);
}

/* Locals and accesses. */

static void test_scalars_are_variables(void **state)
{
	(void)state;
	check("define ptr @f(ptr %p) {\n %p.addr = alloca ptr\n %q = alloca ptr\n store ptr %p, ptr %p.addr\n"
	      " %1 = load ptr, ptr %p.addr\n store ptr %1, ptr %q\n %2 = load ptr, ptr %q\n ret ptr %2\n}\n",
	      "  _ = p\n  q = p\n  _ = q\n  t1 = q hidden\n");
	check("define ptr @f(ptr %p) {\n %q = alloca ptr\n %r = alloca ptr\n store ptr %p, ptr %q\n store ptr %q, ptr %r\n"
	      " %1 = load ptr, ptr %r\n %2 = load ptr, ptr %1\n ret ptr %2\n}\n",
	      "  q at 0 = p for 8\n  t1 = &q\n  r = t1\n  _ = r\n  t2 = *r for 8\n  t3 = t2 hidden\n");
	/* half of it is read: it is memory */
	check("define i32 @f(ptr %p) {\n %q = alloca ptr\n store ptr %p, ptr %q\n %1 = load i32, ptr %q\n ret i32 %1\n}\n",
	      "  q at 0 = p for 8\n  _ = q at 0 for 4\n");
}

static void test_fields(void **state)
{
	(void)state;
	check("%s = type { i32, ptr, [4 x ptr] }\n@g = global %s zeroinitializer\n"
	      "define void @f(ptr %p, i64 %i) {\n %l = alloca %s\n"
	      " %a = getelementptr %s, ptr %l, i32 0, i32 1\n store ptr %p, ptr %a\n"
	      " %b = getelementptr %s, ptr @g, i32 0, i32 2\n %c = getelementptr [4 x ptr], ptr %b, i64 0, i64 2\n store ptr %p, ptr %c\n"
	      " %d = getelementptr %s, ptr %p, i32 0, i32 2\n %e = getelementptr [4 x ptr], ptr %d, i64 0, i64 %i\n store ptr %l, ptr %e\n"
	      " %g = getelementptr %s, ptr %p, i64 1\n %h = getelementptr %s, ptr %g, i32 0, i32 1\n store ptr null, ptr %h\n"
	      " %j = getelementptr i8, ptr %p, i64 -8\n %k = getelementptr %s, ptr %j, i32 0, i32 1\n store ptr null, ptr %k\n"
	      " %m = getelementptr i8, ptr %p, i64 %i\n store ptr null, ptr %m\n ret void\n}\n",
	      "  l at 8 = p for 8\n  g at 32 = p for 8\n  t1 = p + 16\n  t2 = t1 + 0 + n*8 elements\n  t3 = &l\n  *t2 = t3 for 8\n"
	      "  t4 = p + 48 elements\n  t5 = t4 + 8\n  *t5 = _ for 8\n  t6 = p - 8 bytes\n  t7 = t6 + 8\n  *t7 = _ for 8\n"
	      "  t8 = p + 0 + n*1\n  *t8 = _ for 8\n");
}

/* The same address has one variable, every access its statement. */
static void test_numbers(void **state)
{
	(void)state;
	check("%s = type { ptr, ptr }\ndefine void @f(ptr %p) {\n"
	      " %a = getelementptr %s, ptr %p, i32 0, i32 1\n %1 = load ptr, ptr %a\n %b = getelementptr %s, ptr %p, i32 0, i32 1\n"
	      " %2 = load ptr, ptr %b\n store ptr %1, ptr %2\n ret void\n}\n",
	      "  t1 = p + 8\n  t2 = *t1 for 8\n  t2 = *t1 for 8\n  *t2 = t2 for 8\n");
}

static void test_outside_an_object(void **state)
{
	(void)state;
	check("@g = global [2 x ptr] zeroinitializer\ndefine void @f(ptr %p) {\n %a = getelementptr i8, ptr @g, i64 -8\n"
	      " store ptr %p, ptr %a\n %b = getelementptr i8, ptr @g, i64 5000000000\n store ptr %p, ptr %b\n ret void\n}\n",
	      "  t1 = &g - 8 bytes\n  *t1 = p for 8\n  t2 = &g\n  t3 = t2 + 0 + n*1 bytes\n  *t3 = p for 8\n");
}

static void test_narrow_values(void **state)
{
	(void)state;
	/* bytes that are copied carry parts of pointers; numbers do not */
	check("define void @f(ptr %p, ptr %q) {\n %1 = load i8, ptr %q\n store i8 %1, ptr %p\n ret void\n}\n",
	      "  t1 = *q for 1\n  *p = t1 for 1\n");
	check("define void @f(ptr %p, ptr %q) {\n %t = alloca i8\n %1 = load i8, ptr %p\n store i8 %1, ptr %t\n %2 = load i8, ptr %t\n"
	      " store i8 %2, ptr %q\n ret void\n}\n",
	      "  t1 = *p for 1\n  t = t1\n  _ = t\n  *q = t for 1\n");
	check("define void @f(ptr %p, i32 %i) {\n %n = alloca i32\n store i32 %i, ptr %n\n %1 = load i32, ptr %p\n store i32 %1, ptr %n\n"
	      " %2 = load i32, ptr %n\n %3 = add i32 %2, 1\n store i32 %3, ptr %p\n ret void\n}\n",
	      "  _ = *p for 4\n  i = _\n  _ = i\n  *p = _ for 4\n");
}

static void test_parts(void **state)
{
	(void)state;
	check("%s = type { i32, ptr, [9 x i8] }\ndefine void @f(ptr %p, ptr %q) {\n %1 = load %s, ptr %p\n %2 = extractvalue %s %1, 1\n"
	      " %3 = insertvalue %s %1, ptr %p, 1\n store %s %3, ptr %q\n store ptr %2, ptr %q\n ret void\n}\n",
	      "  t1 = *p for 4\n  t2 = p + 8\n  t1 = *t2 for 8\n  t3 = p + 16\n  t1 = *t3 for 8\n  t4 = p + 24\n  t1 = *t4 for 1\n"
	      "  t5 = t1 hidden\n  t5 = p hidden\n  *q = t5 for 4\n  t6 = q + 8\n  *t6 = t5 for 8\n  t7 = q + 16\n  *t7 = t5 for 8\n"
	      "  t8 = q + 24\n  *t8 = t5 for 1\n  *q = t1 for 8\n");
	/* more than are worth it: anywhere */
	check("define void @f(ptr %p, ptr %q) {\n %1 = load [99 x ptr], ptr %p\n store [99 x ptr] %1, ptr %q\n ret void\n}\n",
	      "  t1 = p + 0 + n*1 bytes\n  t2 = *t1\n  t3 = q + 0 + n*1 bytes\n  *t3 = t2\n");
	check("define void @f(ptr %p, ptr %q) {\n %1 = load i128, ptr %p\n store i128 %1, ptr %q\n ret void\n}\n",
	      "  t1 = *p for 8\n  t2 = p + 8\n  t1 = *t2 for 8\n  *q = t1 for 8\n  t3 = q + 8\n  *t3 = t1 for 8\n");
}

/* Values. */

static void test_integers(void **state)
{
	(void)state;
	check("define ptr @f(ptr %p) {\n %1 = ptrtoint ptr %p to i64\n %2 = add i64 %1, 7\n %3 = and i64 %2, -8\n %4 = inttoptr i64 %3 to ptr\n"
	      " ret ptr %4\n}\n",
	      "  t1 = p hidden\n  t2 = p + 7 bytes\n  t1 = t2 hidden\n  t3 = t1 hidden\n");
	check("define ptr @f(ptr %p, i64 %n) {\n %1 = ptrtoint ptr %p to i64\n %2 = add i64 %1, %n\n %3 = inttoptr i64 %2 to ptr\n ret ptr %3\n}\n",
	      "  t1 = p + 0 + n*1 bytes\n  t2 = n + 0 + n*1 bytes\n  t3 = t1 hidden\n  t3 = t2 hidden\n  t4 = t3 hidden\n");
	/* what undoes itself: tags, masks, exclusive or */
	check("define ptr @f(ptr %p, i64 %n) {\n %1 = ptrtoint ptr %p to i64\n %2 = xor i64 %1, -1\n %3 = shl i64 %2, 3\n %4 = lshr i64 %3, 3\n"
	      " %5 = xor i64 %4, -1\n %6 = inttoptr i64 %5 to ptr\n ret ptr %6\n}\n", "  t1 = p hidden\n");
	check("define ptr @f(ptr %p) {\n %1 = ptrtoint ptr %p to i64\n %2 = sub i64 0, %1\n %3 = sub i64 100, %2\n %4 = inttoptr i64 %3 to ptr\n"
	      " ret ptr %4\n}\n", "  t1 = p hidden\n");
	/* a tag may be taken off by arithmetic */
	check("@g = global ptr null\ndefine ptr @f() {\n %1 = ptrtoint ptr @g to i64\n %2 = or i64 %1, 1\n %3 = inttoptr i64 %2 to ptr\n ret ptr %3\n}\n",
	      "  t1 = &g\n  t2 = t1 hidden\n  t3 = t1 + 1 bytes\n  t2 = t3 hidden\n  t4 = t2 hidden\n");
	/* a difference, a remainder, low bits and half a pointer are none */
	check("define void @f(ptr %p, ptr %q, ptr %r) {\n %1 = ptrtoint ptr %p to i64\n %2 = ptrtoint ptr %q to i64\n %3 = sub i64 %1, %2\n"
	      " store i64 %3, ptr %r\n %4 = urem i64 %1, 16\n store i64 %4, ptr %r\n %5 = and i64 %1, 7\n store i64 %5, ptr %r\n"
	      " %6 = trunc i64 %1 to i32\n store i32 %6, ptr %r\n ret void\n}\n",
	      "  *r = _ for 8\n  *r = _ for 8\n  *r = _ for 8\n  *r = p for 4\n");
}

static uint32_t splits(const char *body)
{
	struct strbuf all = { 0 };
	struct loaded l;
	const char *text;
	uint32_t n = 0;

	strbuf_addf(&all, "%sdefine i32 @f(ptr %%p, ptr %%q, i64 %%n) {\n %%u = alloca i64\n %%1 = ptrtoint ptr %%p to i64\n"
		    " %%2 = ptrtoint ptr %%q to i64\n%s %%r = trunc i64 %%x to i32\n %%s = trunc i64 %%x to i16\n ret i32 %%r\n}\n", HEAD, body);
	text = all.s;
	load_texts(&l, &text, 1);
	assert_true(l.ok);
	for (uint32_t i = 1; i < l.p.notes.len; i++)
		n += l.p.notes.data[i].kind == CNOTE_SPLIT;
	release(&l);
	strbuf_release(&all);
	return n;
}

/* Half a pointer is told, once a function; half a number is not. */
static void test_splits(void **state)
{
	(void)state;
	assert_int_equal(splits(" %x = or i64 %1, 0\n"), 1);
	assert_int_equal(splits(" store i64 %1, ptr %u\n %3 = load i64, ptr %u\n %x = lshr i64 %3, 32\n"), 1);
	assert_int_equal(splits(" store i64 %n, ptr %u\n %x = load i64, ptr %u\n"), 0);
	assert_int_equal(splits(" %3 = sub i64 %1, %2\n store i64 %3, ptr %u\n %4 = load i64, ptr %u\n %x = sdiv i64 %4, 8\n"), 0);
	assert_int_equal(splits(" %x = and i64 %1, 7\n"), 0);
	/* a variable that is made of itself */
	assert_int_equal(splits(" %3 = load i64, ptr %u\n %4 = add i64 %3, %3\n store i64 %4, ptr %u\n %x = load i64, ptr %u\n"), 0);
}

static void test_joins(void **state)
{
	(void)state;
	/* a value that is defined behind its use */
	check("define ptr @f(ptr %p, i1 %c) {\nentry:\n br label %three\ntwo:\n store ptr %late, ptr %p\n ret ptr %late\nthree:\n"
	      " %late = getelementptr i8, ptr %p, i64 8\n br label %two\n}\n",
	      "  *p = t1 for 8\n  t2 = t1 hidden\n  t3 = p + 8 bytes\n  t1 = t3 hidden\n");
	check("define ptr @f(ptr %p, ptr %q, i1 %c) {\nentry:\n br label %loop\nloop:\n %x = phi ptr [ %p, %entry ], [ %y, %loop ]\n"
	      " %y = select i1 %c, ptr %x, ptr %q\n br i1 %c, label %loop, label %end\nend:\n ret ptr %y\n}\n",
	      "  t1 = p hidden\n  t1 = t2 hidden\n  t3 = t1 hidden\n  t3 = q hidden\n  t2 = t3 hidden\n  t4 = t2 hidden\n");
}

static void test_atomics(void **state)
{
	(void)state;
	check("define ptr @f(ptr %p, ptr %v, i64 %n) {\n %1 = cmpxchg ptr %p, ptr null, ptr %v seq_cst seq_cst\n %2 = extractvalue { ptr, i1 } %1, 0\n"
	      " %3 = atomicrmw xchg ptr %p, i64 %n seq_cst\n %4 = atomicrmw add ptr %p, i32 1 seq_cst\n ret ptr %2\n}\n",
	      "  t1 = *p for 8\n  *p = v for 8\n  t1 = *p for 8\n  *p = n for 8\n  _ = *p for 4\n  *p = _ for 4\n  t2 = t1 hidden\n");
}

/* Calls. */

static void test_calls(void **state)
{
	struct loaded l;
	const char *text = HEAD
		"declare ptr @malloc(i64)\ndeclare ptr @calloc(i64, i64)\ndeclare ptr @memalign(i64, i64)\ndeclare i32 @old(...)\n"
		"define ptr @f(ptr %g, i32 %n) {\n %1 = call ptr @malloc(i64 24)\n %2 = call ptr @calloc(i64 3, i64 8)\n"
		" %3 = call ptr @memalign(i64 64, i64 8)\n %4 = call ptr %g(ptr %1, ptr %2, ptr %3, i32 %n)\n"
		" %5 = call i32 (ptr, ...) @old(ptr %1)\n call void @h(ptr %2)\n ret ptr %4\n}\ndefine void @h() {\n ret void\n}\n";

	(void)state;
	load_texts(&l, &text, 1);
	assert_true(l.ok);
	assert_string_equal(body_of(&l, "f"), "  t1 = call malloc(_) size 24\n  t2 = call calloc(_, _) size 24\n  t3 = call memalign(_, _)\n"
					      "  t4 = call *g(t1, t2, t3, _)\n  call old(t1) untyped\n  call h(t2)\n  t5 = t4 hidden\n");
	release(&l);
}

static void test_structs_by_value(void **state)
{
	struct loaded l;
	const char *text = HEAD
		"%s = type { ptr, i64 }\ndeclare void @many(i32, ...)\n"
		"define void @f(ptr %p) {\n call void @g(ptr byval(%s) %p)\n call void (i32, ...) @many(i32 1, ptr byval(%s) %p)\n ret void\n}\n"
		"define void @g(ptr byval(%s) %x) {\n %1 = load ptr, ptr %x\n store ptr %1, ptr @to\n ret void\n}\n@to = global ptr null\n";

	(void)state;
	load_texts(&l, &text, 1);
	assert_true(l.ok);
	assert_string_equal(body_of(&l, "f"), "  _ = *p for 8\n  t1 = p + 8\n  _ = *t1 for 8\n  call g(p)\n  t2 = *p for 8\n  t2 = *t1 for 8\n"
					      "  call many(_, t2)\n");
	assert_string_equal(body_of(&l, "g"), "  t1 = &x\n  *t1 = *x for 16 hidden\n  t2 = x at 0 for 8\n  to at 0 = t2 for 8\n");
	release(&l);
}

static void test_intrinsics(void **state)
{
	(void)state;
	check("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\ndeclare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
	      "declare ptr @llvm.ptrmask.p0.i64(ptr, i64)\ndeclare i64 @llvm.umax.i64(i64, i64)\n"
	      "define i64 @f(ptr %p, ptr %q, i64 %n) {\n call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 16, i1 false)\n"
	      " call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)\n call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 0, i1 false)\n"
	      " call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false)\n %1 = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -8)\n"
	      " store ptr %1, ptr %q\n %2 = ptrtoint ptr %p to i64\n %3 = call i64 @llvm.umax.i64(i64 %2, i64 %n)\n ret i64 %3\n}\n",
	      "  *p = *q for 16\n  *p = *q\n  *p = _ for 8\n  *q = p for 8\n  t1 = p hidden\n  t1 = n hidden\n  t2 = t1 hidden\n");
	check("declare void @llvm.va_start(ptr)\ndeclare void @llvm.va_copy(ptr, ptr)\n"
	      "define void @f(i32 %n, ...) {\n %a = alloca [24 x i8]\n %b = alloca [24 x i8]\n call void @llvm.va_start(ptr %a)\n"
	      " call void @llvm.va_copy(ptr %b, ptr %a)\n ret void\n}\n",
	      "  t1 = &a\n  *t1 = _ for 24\n  t2 = &unnamed\n  a at 8 = t2 for 8\n  a at 16 = t2 for 8\n  t3 = &b\n  *t3 = *t1 for 24\n");
}

static void test_assembly(void **state)
{
	struct loaded l;
	const char *text = HEAD
		"define ptr @f(ptr %p, ptr %q) {\n %1 = call ptr asm \"mov $1, $0\", \"=r,r\"(ptr %p)\n"
		" call void asm \"mov $1, $0\", \"=*m,r\"(ptr elementtype(ptr) %p, ptr %q)\n"
		" call void asm sideeffect \"\", \"r,~{memory}\"(ptr %q)\n ret ptr %1\n}\n";

	(void)state;
	load_texts(&l, &text, 1);
	assert_true(l.ok);
	if (atoi(bitcode_llvm_version()) >= 18)          /* older ones do not tell constraints: then it may do more */
		assert_string_equal(body_of(&l, "f"),
				    "  t1 = p hidden\n  t2 = q hidden\n  *p = t2 for 8\n  t3 = q hidden\n  t4 = *q for 8\n"
				    "  t3 = t4 hidden\n  *q = t3 for 8\n  t5 = t1 hidden\n");
	assert_int_equal(l.p.notes.data[l.p.notes.len - 1].kind, CNOTE_ASM);
	release(&l);
}

static void test_exceptions(void **state)
{
	(void)state;
	check("declare i32 @personality(...)\ndeclare void @__cxa_throw(ptr, ptr, ptr)\ndeclare void @g()\n"
	      "define void @f(ptr %p) personality ptr @personality {\n invoke void @g() to label %ok unwind label %bad\nok:\n"
	      " call void @__cxa_throw(ptr %p, ptr null, ptr null)\n unreachable\nbad:\n %1 = landingpad { ptr, i32 } cleanup\n"
	      " %2 = extractvalue { ptr, i32 } %1, 0\n store ptr %2, ptr %p\n resume { ptr, i32 } %1\n}\n",
	      "  call g()\n  exception = p hidden\n  call __cxa_throw(p, _, _)\n  *p = exception for 8\n");
}

/* Globals. */

static void test_initial_values(void **state)
{
	struct loaded l;
	const char *text = HEAD
		"%s = type { i32, ptr, { i16, ptr } }\n@a = global i32 1\n@other = alias i32, ptr @a\n"
		"@s = global %s { i32 1, ptr @a, { i16, ptr } { i16 2, ptr getelementptr (i8, ptr @s, i64 8) } }\n"
		"@t = global [3 x ptr] [ptr @a, ptr null, ptr @a]\n@n = global i64 add (i64 ptrtoint (ptr @a to i64), i64 2)\n"
		"@x = private unnamed_addr constant [3 x i8] c\"ab\\00\"\n@y = private unnamed_addr constant [3 x i8] c\"ab\\00\"\n"
		"@z = global [2 x ptr] [ptr @x, ptr @y]\n@o = global ptr @other\n"
		"@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @ctor, ptr null }]\n"
		"@late = internal global ptr @fini, section \".fini_array\"\n"
		"define internal void @ctor() {\n ret void\n}\ndefine internal void @fini() {\n ret void\n}\ndefine void @idle() {\n ret void\n}\n";

	(void)state;
	load_texts(&l, &text, 1);
	assert_true(l.ok);
	assert_string_equal(body_of(&l, "initialisers"),
			    "  t1 = &a\n  s at 8 = t1 for 8 hidden\n  t2 = &s + 8 bytes\n  s at 24 = t2 for 8 hidden\n  t at 0 = t1 for 8 hidden\n"
			    "  t3 = &a + 2 bytes\n  n at 0 = t3 for 8 hidden\n  t4 = &ab\n  z at 0 = t4 for 8 hidden\n  t5 = &a\n  o at 0 = t5 for 8 hidden\n"
			    "  t6 = &fini\n  late at 0 = t6 for 8 hidden\n");
	assert_int_equal(object_of(&l, "ab")->kind, COBJ_STRING);
	assert_true(l.p.fns.data[function_of(&l, "ctor").i].flags & CFN_STARTS);
	assert_true(l.p.fns.data[function_of(&l, "fini").i].flags & CFN_STARTS);
	assert_false(l.p.fns.data[function_of(&l, "idle").i].flags & CFN_STARTS);
	release(&l);
}

/* A table of functions of different names is a struct of them. */
static void test_vtables(void **state)
{
	struct loaded l;
	const char *text = HEAD
		"@_ZTV1A = constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr null, ptr @f, ptr @g] }\n@t = constant [2 x ptr] [ptr @f, ptr @g]\n"
		"define void @f() {\n ret void\n}\ndefine void @g() {\n ret void\n}\n";

	(void)state;
	load_texts(&l, &text, 1);
	assert_true(l.ok);
	assert_string_equal(body_of(&l, "initialisers"), "  t1 = &f\n  _ZTV1A at 16 = t1 for 8 hidden\n  t2 = &g\n  _ZTV1A at 24 = t2 for 8 hidden\n"
							 "  t at 0 = t1 for 8 hidden\n  t at 0 = t2 for 8 hidden\n");
	release(&l);
}

/* In optimised code: a variable is where dbg.assign says that it is; a value that is computed from its address is another. */
static void test_assigned(void **state)
{
	struct loaded l;
	const char *text = HEAD
		"declare void @llvm.dbg.assign(metadata, metadata, metadata, metadata, metadata, metadata)\n"
		"declare void @llvm.dbg.value(metadata, metadata, metadata)\ndeclare void @g(ptr)\n"
		"define void @f() !dbg !4 {\n %1 = alloca [5 x i32], !DIAssignID !9\n %2 = alloca i32\n"
		" call void @llvm.dbg.value(metadata ptr %1, metadata !6, metadata !DIExpression(DW_OP_plus_uconst, 20, DW_OP_stack_value)), !dbg !8\n"
		" call void @llvm.dbg.assign(metadata i1 undef, metadata !7, metadata !DIExpression(), metadata !9, metadata ptr %1,"
		" metadata !DIExpression()), !dbg !8\n"
		" call void @llvm.dbg.value(metadata ptr %2, metadata !10, metadata !DIExpression(DW_OP_deref)), !dbg !8\n"
		" call void @g(ptr %1), !dbg !8\n call void @g(ptr %2), !dbg !8\n ret void\n}\n"
		"!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!2}\n!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)\n"
		"!1 = !DIFile(filename: \"f.c\", directory: \"/\")\n!2 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
		"!3 = !DISubroutineType(types: !{null})\n!4 = distinct !DISubprogram(name: \"f\", file: !1, line: 1, type: !3, unit: !0,"
		" spFlags: DISPFlagDefinition)\n!5 = !DIBasicType(name: \"int\", size: 32, encoding: DW_ATE_signed)\n"
		"!6 = !DILocalVariable(name: \"end\", scope: !4, file: !1, line: 2, type: !5)\n"
		"!7 = !DILocalVariable(name: \"all\", scope: !4, file: !1, line: 2, type: !5)\n!8 = !DILocation(line: 3, scope: !4)\n"
		"!9 = distinct !DIAssignID()\n!10 = !DILocalVariable(name: \"one\", scope: !4, file: !1, line: 2, type: !5)\n";

	(void)state;
	load_texts(&l, &text, 1);
	assert_true(l.ok);
	assert_non_null(object_of(&l, "all"));
	assert_non_null(object_of(&l, "one"));
	release(&l);
}

/* Linking. */

static const char users[] = HEAD
	"@g = external global ptr\n@w = weak global ptr @mine\n@mine = internal global i32 0\n@common = common global i32 0\n"
	"declare ptr @strong(ptr)\ndeclare ptr @aliased(ptr)\ndeclare ptr @picked(ptr)\ndeclare void @nowhere()\n@late = external global i8\n"
	"define weak ptr @weak(ptr %p) {\n ret ptr null\n}\ndefine internal ptr @same(ptr %p) {\n ret ptr %p\n}\n"
	"define ptr @main(ptr %p) {\n %1 = call ptr @strong(ptr %p)\n %2 = call ptr @weak(ptr %1)\n %3 = call ptr @aliased(ptr %2)\n"
	" %4 = call ptr @picked(ptr %3)\n %5 = call ptr @same(ptr %4)\n call void @nowhere()\n store ptr %5, ptr @g\n store ptr @late, ptr %p\n"
	" ret ptr %5\n}\n";
static const char makers[] = HEAD
	"@g = global ptr @mine\n@mine = internal global i32 0\n@w = global ptr @g\n@common = common global [4 x i32] zeroinitializer\n"
	"define ptr @strong(ptr %p) {\n ret ptr %p\n}\ndefine ptr @weak(ptr %q) {\n ret ptr %q\n}\n"
	"@aliased = alias ptr (ptr), ptr @hidden\ndefine hidden ptr @hidden(ptr %p) {\n ret ptr %p\n}\n"
	"@picked = ifunc ptr (ptr), ptr @choose\ndefine internal ptr @choose() {\n ret ptr @same\n}\n"
	"define internal ptr @same(ptr %p) {\n ret ptr @mine\n}\ndefine void @late() {\n ret void\n}\n";

static void check_linked(const char *first, const char *second)
{
	const char *texts[] = { first, second };
	struct loaded l;

	load_texts(&l, texts, 2);
	assert_true(l.ok);
	assert_string_equal(body_of(&l, "main"),
			    "  t1 = call strong(p)\n  t2 = call weak(t1)\n  t3 = call aliased(t2)\n  t4 = call picked(t3)\n  t5 = call same(t4)\n"
			    "  call nowhere()\n  g at 0 = t5 for 8\n  t6 = &late\n  *p = t6 for 8\n  t7 = t5 hidden\n");
	assert_string_equal(body_of(&l, "weak"), "  t1 = q hidden\n");
	assert_string_equal(body_of(&l, "picked"), "  t1 = call choose()\n  t2 = call *t1(t3)\n");
	assert_non_null(strstr(body_of(&l, "initialisers"), "w at 0 = "));
	assert_int_equal(object_of(&l, "common")->size, 16);
	assert_false(object_of(&l, "g")->flags & (COBJ_IMPORTED | COBJ_STATIC));
	assert_false(l.p.fns.data[function_of(&l, "nowhere").i].flags & CFN_DEFINED);
	assert_true(l.p.fns.data[function_of(&l, "late").i].flags & CFN_DEFINED);
	assert_true(l.p.fns.data[function_of(&l, "main").i].flags & CFN_STARTS);
	assert_true(l.p.fns.data[function_of(&l, "choose").i].flags & CFN_STARTS);
	release(&l);
}

static void test_linking(void **state)
{
	(void)state;
	check_linked(users, makers);
	check_linked(makers, users);
}

/* The initial value of a weak definition goes with it, in any order. */
static void test_weak_data(void **state)
{
	const char *texts[] = { users, makers };
	struct loaded l;

	(void)state;
	load_texts(&l, texts, 2);
	assert_true(l.ok);
	const char *w = strstr(body_of(&l, "initialisers"), "w at 0 = ");
	assert_non_null(w);
	assert_null(strstr(w + 1, "w at 0 = "));
	release(&l);
}

/* Arrays that the linker gathers, from both modules: their ends are the addresses of all elements. */
static void test_gathered(void **state)
{
	const char *texts[] = {
		HEAD "@__start_hooks = external global [0 x { ptr, ptr }]\n@__stop_hooks = external global [0 x { ptr, ptr }]\n"
		"@__start_none = external global ptr\n@a = internal global { ptr, ptr } { ptr null, ptr @walk }, section \"hooks\"\n"
		"@first = global ptr @__start_hooks\n"
		"define ptr @walk(ptr %p) {\n store ptr %p, ptr @__start_hooks\n store ptr @__stop_hooks, ptr %p\n"
		" %e = getelementptr { ptr, ptr }, ptr @__stop_hooks, i64 -1, i32 1\n %1 = load ptr, ptr %e\n store ptr @__start_none, ptr %p\n"
		" ret ptr %1\n}\n",
		HEAD "@b = global { ptr, ptr } zeroinitializer, section \"hooks\"\n@c = global ptr null, section \"others\"\n"
	};
	struct loaded l;

	(void)state;
	for (uint32_t i = 0; i < 2; i++) {
		load_texts(&l, (const char *const[]){ texts[i], texts[!i] }, 2);
		assert_true(l.ok);
		assert_true(object_of(&l, "a")->flags & object_of(&l, "b")->flags & COBJ_REPEATS);
		assert_false(object_of(&l, "c")->flags & COBJ_REPEATS);
		assert_false(object_of(&l, "__start_hooks")->flags & COBJ_IMPORTED);
		assert_true(object_of(&l, "__start_none")->flags & COBJ_IMPORTED);
		assert_non_null(strstr(body_of(&l, "initialisers"), " = &a\n"));
		assert_non_null(strstr(body_of(&l, "initialisers"), " = &b\n"));
		assert_null(strstr(body_of(&l, "initialisers"), "_hooks"));
		assert_string_equal(body_of(&l, "walk"), "  *t1 = p for 8\n  t2 = t1 hidden\n  *p = t2 for 8\n  t3 = t4 hidden\n  t5 = *t3 for 8\n"
							 "  t6 = &__start_none\n  *p = t6 for 8\n  t7 = t5 hidden\n");
		release(&l);
	}
}

static void test_not_defined(void **state)
{
	const char *text = users;
	struct loaded l;

	(void)state;
	load_texts(&l, &text, 1);
	assert_true(l.ok);
	assert_true(object_of(&l, "g")->flags & COBJ_IMPORTED);
	assert_false(object_of(&l, "w")->flags & COBJ_IMPORTED);
	assert_true(l.p.fns.data[function_of(&l, "weak").i].flags & CFN_WEAK);
	release(&l);
}

/* Bad input. */

static void check_error(const char *const *paths, uint32_t n, enum diag_code code, const char *part)
{
	struct loaded l;

	load_files(&l, paths, n);
	assert_false(l.ok);
	assert_int_equal(l.d.entries.data[0].code, code);
	if (!strstr(l.d.entries.data[0].text, part))
		fail_msg("\"%s\" is not in \"%s\"", part, l.d.entries.data[0].text);
	release(&l);
}

static void check_bytes(const void *bytes, size_t n, enum diag_code code, const char *part)
{
	const char *path = write_file(0, bytes, n);

	check_error(&path, 1, code, part);
}

static void test_other_files(void **state)
{
	const char *missing = "no/such/file.bc", *directory = "tests";

	(void)state;
	check_bytes("\x7f" "ELF\2\1\1\0\0\0\0\0", 12, DIAG_E061, "sherd cc");
	check_bytes("!<arch>\nabc", 11, DIAG_E061, "archive");
	check_bytes("\xca\xfe\xba\xbe\0\0\0\x34", 8, DIAG_E061, "class file");
	check_bytes("#include <stdio.h>\nint main() {}\n", 33, DIAG_E061, "source");
	check_bytes("hello, world\n", 13, DIAG_E061, "neither");
	check_bytes("", 0, DIAG_E061, "empty");
	check_bytes("define void @f() {\n  nonsense\n}\n", 32, DIAG_E060, "damaged assembly");
	check_bytes("define void @f() {\n  nonsense\n}\n", 32, DIAG_E060, ".ll:2:3: error");
	check_bytes("BC\xc0\xde", 4, DIAG_E060, "damaged bitcode");
	check_error(&missing, 1, DIAG_E060, "cannot be opened");
	check_error(&directory, 1, DIAG_E060, "regular file");
}

static void test_defined_twice(void **state)
{
	const char *texts[] = { HEAD "@x = global i32 0\n", HEAD "@x = global i32 1\n" }, *paths[2];

	(void)state;
	for (uint32_t i = 0; i < 2; i++)
		paths[i] = write_file(i, texts[i], strlen(texts[i]));
	check_error(paths, 2, DIAG_E063, paths[0]);

	struct loaded l;

	paths[1] = paths[0];             /* the same file again is no second definition */
	load_files(&l, paths, 2);
	assert_true(l.ok);
	release(&l);
}

static void test_without_debug(void **state)
{
	const char *texts[] = { HEAD "@x = global i32 0\n", HEAD "@y = global i32 1\n", HEAD "declare void @z()\n" };
	struct loaded l;

	(void)state;
	load_texts(&l, texts, 3);
	assert_true(l.ok);
	assert_int_equal(l.d.entries.len, 1);
	assert_int_equal(l.d.entries.data[0].code, DIAG_W064);
	assert_non_null(strstr(l.d.entries.data[0].text, "2 of 3"));
	release(&l);
}

/* A file of bitcode that starts as one of LLVM 99 does, and is not understood. */
struct writer {
	uint8_t bytes[256];
	uint32_t at;
};

static void put_bits(struct writer *w, uint64_t v, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++, w->at++)
		w->bytes[w->at / 8] |= (uint8_t)((v >> i & 1) << w->at % 8);
}

static void start_word(struct writer *w)
{
	w->at = (w->at + 31) / 32 * 32;
}

/* The start of a block whose ids have 3 bits; its length follows. */
static void put_block(struct writer *w, uint32_t id)
{
	put_bits(w, 1, 2);
	put_bits(w, id, 8);
	put_bits(w, 3, 4);
	start_word(w);
}

/* A record, unabbreviated: its code, how many values there are, and these. */
static void put_record(struct writer *w, uint32_t code, const char *values, size_t n)
{
	put_bits(w, 3, 3);
	put_bits(w, code, 6);
	put_bits(w, n, 6);
	for (size_t i = 0; i < n; i++) {
		put_bits(w, (uint64_t)(values[i] & 31) | 32, 6);
		put_bits(w, (uint64_t)(unsigned char)values[i] >> 5, 6);
	}
}

static void test_newer(void **state)
{
	struct writer w = { { 0 }, 0 };

	(void)state;
	put_bits(&w, 0xdec04342, 32);
	put_block(&w, 13);               /* of identification */
	put_bits(&w, 8, 32);
	put_record(&w, 1, "LLVM99.1.0", 10);
	check_bytes(w.bytes, 64, DIAG_E062, "LLVM99.1.0");
}

/* The record behind the producer is the epoch: it is 0 in what any LLVM wrote so far. */
static void test_epoch(void **state)
{
	struct writer w = { { 0 }, 0 };

	(void)state;
	put_bits(&w, 0xdec04342, 32);
	put_block(&w, 13);
	uint32_t length = w.at;
	w.at += 32;
	put_record(&w, 1, "LLVM3.1", 7);
	put_record(&w, 2, "\7", 1);
	start_word(&w);                  /* zeroes end the block */
	uint32_t end = w.at;
	w.at = length;
	put_bits(&w, (end - length) / 32 - 1, 32);
	w.at = end;
	put_block(&w, 8);                /* an empty module */
	put_bits(&w, 1, 32);
	put_bits(&w, 0, 32);
	check_bytes(w.bytes, w.at / 8, DIAG_E062, "written by another LLVM, LLVM3.1,");
}

/* Input on which LLVM stops the process. */
static void deep_text(struct strbuf *b)
{
	strbuf_adds(b, HEAD "@x = global ");
	for (uint32_t i = 0; i < 500000; i++)
		strbuf_adds(b, "[1 x ");
	strbuf_adds(b, "i32\n");
}

static void test_crash(void **state)
{
	struct strbuf b = { 0 };

	(void)state;
	deep_text(&b);
	check_bytes(b.s, b.len, DIAG_E060, "damaged");
	check_bytes("define void @f() {\n  nonsense\n}\n", 32, DIAG_E060, "damaged assembly");        /* and life goes on */
	strbuf_release(&b);
}

static void count_module(void *ctx, uint32_t done, uint32_t all, const char *path)
{
	uint32_t *seen = ctx;

	assert_int_equal(done, *seen);
	assert_int_equal(all, 4);
	assert_string_equal(path, files[done]);
	++*seen;
}

/* One that stops LLVM is no reason to say less of those before and behind it. */
static void test_crash_beside_others(void **state)
{
	struct strbuf deep = { 0 };
	const char *paths[4];
	struct cprogram p;
	struct diag d;
	uint32_t seen = 0;
	struct bitcode_opt opt = { count_module, &seen };

	(void)state;
	deep_text(&deep);
	paths[0] = write_file(0, "nothing\n", 8);
	paths[1] = write_file(1, deep.s, deep.len);
	paths[2] = write_file(2, HEAD "@x = global i32 0\n", sizeof(HEAD "@x = global i32 0\n") - 1);
	paths[3] = write_file(3, "", 0);
	diag_init(&d);
	cprogram_init(&p);
	assert_false(bitcode_load(&p, paths, 4, &opt, &d));
	assert_int_equal(seen, 4);
	assert_int_equal(d.entries.len, 3);
	for (uint32_t i = 0; i < 3; i++) {
		assert_string_equal(d.entries.data[i].artifact, files[i < 2 ? i : 3]);
		assert_int_equal(d.entries.data[i].code, i == 1 ? DIAG_E060 : DIAG_E061);
	}
	cprogram_release(&p);
	diag_release(&d);
	strbuf_release(&deep);
}

static unsigned long pages_in_use(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;

	assert_non_null(f);
	assert_int_equal(fscanf(f, "%*u %*u %*u %*u %*u %lu", &pages), 1);
	fclose(f);
	return pages;
}

/* What LLVM held when it was stopped is not held by us. */
static void test_crash_leaves_nothing(void **state)
{
	struct strbuf b = { 0 };

	(void)state;
	if (SANITIZED) {
		print_message("# optional: sanitizers keep what was freed\n");
		skip();
	}
	deep_text(&b);
	unsigned long before = pages_in_use();
	for (uint32_t i = 0; i < 8; i++)
		check_bytes(b.s, b.len, DIAG_E060, "damaged");
	assert_in_range(pages_in_use(), 0, before + 512);
	strbuf_release(&b);
}

/* LLVM 19 wrote all.bc; older ones cannot read it. */
static void skip_before_llvm_19(void)
{
	if (atoi(bitcode_llvm_version()) >= 19)
		return;
	print_message("# the bitcode is of LLVM 19\n");
	skip();
}

/* Every beginning of a module, and modules with one byte changed, are refused or read. */
static void test_damaged(void **state)
{
	struct mapfile f;
	struct loaded l;
	uint32_t refused = 0;

	(void)state;
	skip_before_llvm_19();
	assert_true(mapfile_open(&f, SEEDS "all.bc"));
	uint8_t *copied = malloc(f.bytes.len);
	assert_non_null(copied);
	for (size_t n = 4; n < f.bytes.len; n += 97)
		check_bytes(f.bytes.p, n, DIAG_E060, "damaged");
	for (size_t i = 40; i < f.bytes.len; i += 61) {
		memcpy(copied, f.bytes.p, f.bytes.len);
		copied[i] ^= 0x55;
		const char *path = write_file(0, copied, f.bytes.len);
		load_files(&l, &path, 1);
		refused += !l.ok;
		release(&l);
	}
	assert_true(refused > 0);
	free(copied);
	mapfile_close(&f);
}

/* Assembly and bitcode of one module are one program; so they are twice in a row. */
static void test_forms(void **state)
{
	const char *paths[] = { SEEDS "all.ll", SEEDS "all.bc" };
	struct loaded a, b;

	(void)state;
	skip_before_llvm_19();
	load_files(&a, &paths[0], 1);
	load_files(&b, &paths[1], 1);
	assert_true(a.ok && b.ok);
	for (uint32_t i = 1; i < a.p.fns.len; i++)
		assert_int_equal(a.p.fns.data[i].nstmts, b.p.fns.data[i].nstmts);
	char *notes = strstr(a.text.s, "\nnote "), *others = strstr(b.text.s, "\nnote ");
	assert_non_null(notes);
	assert_int_equal(notes - a.text.s, others - b.text.s);
	assert_memory_equal(a.text.s, b.text.s, (size_t)(notes - a.text.s));
	release(&a);
	release(&b);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < MAX_FILES; i++)
		if (files[i][0])
			unlink(files[i]);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scalars_are_variables),
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_outside_an_object),
		cmocka_unit_test(test_narrow_values),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_integers),
		cmocka_unit_test(test_splits),
		cmocka_unit_test(test_joins),
		cmocka_unit_test(test_atomics),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_structs_by_value),
		cmocka_unit_test(test_intrinsics),
		cmocka_unit_test(test_assembly),
		cmocka_unit_test(test_exceptions),
		cmocka_unit_test(test_initial_values),
		cmocka_unit_test(test_vtables),
		cmocka_unit_test(test_assigned),
		cmocka_unit_test(test_linking),
		cmocka_unit_test(test_weak_data),
		cmocka_unit_test(test_gathered),
		cmocka_unit_test(test_not_defined),
		cmocka_unit_test(test_other_files),
		cmocka_unit_test(test_defined_twice),
		cmocka_unit_test(test_without_debug),
		cmocka_unit_test(test_newer),
		cmocka_unit_test(test_epoch),
		cmocka_unit_test(test_crash),
		cmocka_unit_test(test_crash_beside_others),
		cmocka_unit_test(test_crash_leaves_nothing),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_forms),
	};

	if (str_starts(str_of(bitcode_llvm_version()), "none") || str_starts(str_of(bitcode_llvm_version()), "14"))
		return 0;                /* reads no pointers without types */
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
