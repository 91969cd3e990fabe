/* SPDX-License-Identifier: Apache-2.0 */
// links: base formats/elf formats/compdb cli
/* test_compiler_args.c - what compilers are asked to do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "cli/compile/bitcode_compile.h"
#include "cli/compile/compiler_args.h"

/* A command as text, understood. */
struct given {
	struct arena mem;
	word_list words;
	struct compiler_args a;
};

static void give(struct given *g, const char *text, const char *directory)
{
	*g = (struct given){ 0 };
	arena_init(&g->mem);
	compiler_split(str_of(text), true, &g->mem, &g->words);
	compiler_args_read(&g->a, g->words.data, g->words.len, directory);
}

static void take_back(struct given *g)
{
	compiler_args_release(&g->a);
	vec_release(&g->words);
	arena_release(&g->mem);
}

/* "object<bitcode" of each source, with one blank between. */
static void describe(const struct compiler_args *a, struct strbuf *out)
{
	strbuf_clear(out);
	strbuf_adds(out, a->mode == COMPILER_NO_OBJECT ? "-" : a->mode == COMPILER_OBJECTS ? "c" : "l");
	for (uint32_t i = 0; i < a->sources.len; i++) {
		strbuf_addf(out, " %s>", a->sources.data[i].path);
		compiler_object(a, i, out);
		strbuf_addch(out, '<');
		compiler_bitcode(a, i, out);
		if (a->sources.data[i].language != SOURCE_C)
			strbuf_adds(out, a->sources.data[i].language == SOURCE_CXX ? "(c++)" : "(asm)");
	}
}

static void what_is_compiled(void **state)
{
	static const struct {
		const char *command, *what;
	} cases[] = {
		{ "", "-" },
		{ "--version", "-" },
		{ "-print-search-dirs -c x.c", "-" },
		{ "-E x.c", "-" },
		{ "-c -E x.c -o x.i", "-" },
		{ "-S x.c", "-" },
		{ "-M x.c", "-" },
		{ "-fsyntax-only x.c", "-" },
		{ "-c -emit-llvm x.c", "-" },
		{ "-### -c x.c", "-" },
		{ "x.o y.o -o prog -lm", "-" },
		{ "-shared -o l.so x.o", "-" },
		{ "-x c-header a.h", "-" },
		{ "a.h", "-" },
		{ "-c x.c", "c x.c>x.o<x.o.bc" },
		{ "-c src/x.y.c", "c src/x.y.c>x.y.o<x.y.o.bc" },
		{ "-c x.c -o d/y.lo", "c x.c>d/y.lo<d/y.lo.bc" },
		{ "-c x.c -od/y.o", "c x.c>d/y.o<d/y.o.bc" },
		{ "-c x.c --output=y.o", "c x.c>y.o<y.o.bc" },
		{ "--compile x.c --output y.o", "c x.c>y.o<y.o.bc" },
		{ "-c a.c d/b.c", "c a.c>a.o<a.o.bc d/b.c>b.o<b.o.bc" },
		{ "-MD -MF x.c -MT y.c -c z.c", "c z.c>z.o<z.o.bc" },
		{ "-MFx.c -c z.c", "c z.c>z.o<z.o.bc" },
		{ "-include a.c -I b.c -D c.c -Xclang d.c -isystem e.c -c z.c", "c z.c>z.o<z.o.bc" },
		{ "-Ib.c -Dc.c -c z.c", "c z.c>z.o<z.o.bc" },
		{ "-c f.S", "c f.S>f.o<f.o.bc(asm)" },
		{ "-c f.cc", "c f.cc>f.o<f.o.bc(c++)" },
		{ "-x c++ -c f.c", "c f.c>f.o<f.o.bc(c++)" },
		{ "-xc -c f.h -x none g.cpp", "c f.h>f.o<f.o.bc g.cpp>g.o<g.o.bc(c++)" },
		{ "-x c - -c -o x.o", "c ->x.o<x.o.bc" },
		{ "-c -- -x.c", "c -x.c>-x.o<-x.o.bc" },
		{ "a.c", "l a.c>a.out<a.out-a.c.bc" },
		{ "a.c x/b.c lib.a -o d/p", "l a.c>d/p<d/p-a.c.bc x/b.c>d/p<d/p-b.c.bc" },
		{ "x/b.c y/b.c -o p", "l x/b.c>p<p-b.c.bc y/b.c>p<p-b.c-2.bc" },
		{ "-shared a.c -o l.so -Wl,-soname,l.c", "l a.c>l.so<l.so-a.c.bc" },
		{ "-c x.c -o", "c x.c>x.o<x.o.bc" },
	};
	struct strbuf got = { 0 };
	struct given g;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		give(&g, cases[i].command, NULL);
		describe(&g.a, &got);
		if (strcmp(got.s, cases[i].what) != 0)
			fail_msg("%s: %s, not %s", cases[i].command, got.s, cases[i].what);
		take_back(&g);
	}
	strbuf_release(&got);
}

/* What is left of a command for bitcode, without what is always there. */
static void kept(const struct compiler_args *a, uint32_t source, bool is_plain, struct strbuf *out)
{
	word_list words = { 0 };

	strbuf_clear(out);
	strbuf_adds(out, "");
	compiler_bitcode_words(a, source, "OUT", is_plain, &words);
	for (uint32_t i = 0; i < words.len && strcmp(words.data[i], "-fno-discard-value-names") != 0; i++)
		if (strcmp(words.data[i + 1], "-fno-discard-value-names") != 0)
			strbuf_addf(out, "%s ", words.data[i]);
	bool is_behind = false;
	for (uint32_t i = 0; i < words.len; i++) {
		if (is_behind)
			strbuf_addf(out, "%s%s", words.data[i], i + 1 < words.len ? " " : "");
		is_behind |= strcmp(words.data[i], "OUT") == 0;
	}
	vec_release(&words);
}

static void what_is_kept(void **state)
{
	static const struct {
		const char *command, *all, *plain;    /* NULL: the same */
	} cases[] = {
		{ "-c x.c", "x.c", NULL },
		{ "-O2 -g3 -DA=1 -D B -Iinc -I inc2 -std=c99 -c x.c -o y.o", "-O2 -g3 -DA=1 -D B -Iinc -I inc2 -std=c99 x.c",
		  "-O2 -DA=1 -D B -Iinc -I inc2 -std=c99 x.c" },
		{ "-MD -MP -MF x.d -MT x.o -MQ x.o -MMD -Wp,-MMD,x.d -MJ j -c x.c", "x.c", NULL },
		{ "-Wall -Werror -Werror=format -pedantic-errors -c x.c", "x.c", NULL },
		{ "-flto -flto=thin -ffat-lto-objects -fno-lto -c x.c", "x.c", NULL },
		{ "-save-temps -save-temps=obj --coverage -fprofile-arcs -ftest-coverage -pg -c x.c", "x.c", NULL },
		{ "-fsanitize=address,undefined -fno-sanitize-recover=all -c x.c", "x.c", NULL },
		{ "-D_FORTIFY_SOURCE=2 -Wp,-D_FORTIFY_SOURCE=3 -c x.c", "x.c", NULL },
		{ "a.c b.c c.o -o p -lm -L. -L d -Wl,-E -shared -fPIC -Xlinker x -T s.ld -pthread", "-fPIC -pthread b.c", NULL },
		{ "-fno-tree-vectorize -mtune=native -c x.c", "-fno-tree-vectorize -mtune=native x.c", "x.c" },
		{ "-include conf.h -imacros m.h -isysroot r -c x.c", "-include conf.h -imacros m.h -isysroot r x.c", NULL },
		{ "-Xclang -foo --param bar=1 -c x.c", "-Xclang -foo --param bar=1 x.c", "x.c" },
		{ "-x c++ -c x.c", "-x c++ x.c", NULL },
		{ "-x c -c x.h -x none y.c", "-x c x.h", NULL },
		{ "-undef -unwindlib=none -nostdinc -nostdlib -c x.c", "-undef -nostdinc x.c", NULL },
		{ "-c -- -x.c", "-- -x.c", NULL },
	};
	struct strbuf got = { 0 };
	struct given g;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		give(&g, cases[i].command, NULL);
		uint32_t source = strstr(cases[i].all, "b.c") ? 1 : 0;
		kept(&g.a, source, false, &got);
		if (strcmp(got.s, cases[i].all) != 0)
			fail_msg("%s: %s, not %s", cases[i].command, got.s, cases[i].all);
		kept(&g.a, source, true, &got);
		if (strcmp(got.s, cases[i].plain ? cases[i].plain : cases[i].all) != 0)
			fail_msg("plain %s: %s", cases[i].command, got.s);
		take_back(&g);
	}
	strbuf_release(&got);
}

static void trials(void **state)
{
	static const struct {
		const char *command, *directory;
		bool is_trial;
	} cases[] = {
		{ "-c conftest.c", "/b", true },          { "-o conftest d/conftest.c", "/b", true },
		{ "CMakeCCompilerId.c", "/b", true },     { "-c x.c", "/b/CMakeFiles/CMakeScratch/TryCompile-1", true },
		{ "-c /b/CMakeFiles/CMakeTmp/x.c", "/", true }, { "-c x.c", "/b", false },
		{ "-c CMakeLists.c", "/b", false },       { "--version", "/b", false },
	};
	struct given g;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		give(&g, cases[i].command, NULL);
		assert_int_equal(compiler_args_is_trial(&g.a, cases[i].directory), cases[i].is_trial);
		take_back(&g);
	}
}

static void links_with_optimization(void **state)
{
	static const struct {
		const char *command;
		bool links_lto;
	} cases[] = { { "-flto a.o -o p", true }, { "-flto=thin a.c b.o", true }, { "-flto a.c", false }, { "-flto -c a.c b.o", false },
		      { "-flto -fno-lto a.o", false }, { "-fno-lto -flto l.a", true }, { "a.o", false }, { "-flto --version a.o", false } };
	struct given g;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		give(&g, cases[i].command, NULL);
		assert_int_equal(g.a.links_lto, cases[i].links_lto);
		take_back(&g);
	}
}

/* Splitting */

static void expect_words(const char *text, bool is_shell, const char *wanted)
{
	struct strbuf got = { 0 };
	struct arena mem;
	word_list words = { 0 };

	arena_init(&mem);
	compiler_split(str_of(text), is_shell, &mem, &words);
	strbuf_adds(&got, "");
	for (uint32_t i = 0; i < words.len; i++)
		strbuf_addf(&got, "[%s]", words.data[i]);
	assert_string_equal(got.s, wanted);
	strbuf_release(&got);
	vec_release(&words);
	arena_release(&mem);
}

static void splitting(void **state)
{
	(void)state;
	expect_words("", true, "");
	expect_words("  cc\t-c\n a.c ", true, "[cc][-c][a.c]");
	expect_words("-DX='a b' \"c d\"e '' f\\ g", true, "[-DX=a b][c de][][f g]");
	expect_words("-DX=\\\"y\\\" '-DZ=\"z\"'", true, "[-DX=\"y\"][-DZ=\"z\"]");
	expect_words("\"a\\n\\\"b\\\\\"", true, "[a\\n\"b\\]");
	expect_words("'a\\b'", true, "[a\\b]");
	expect_words("'a\\'b' \"\\n\"", false, "[a'b][n]");
	expect_words("open 'quote ", true, "[open][quote ]");
	expect_words("end\\", true, "[end\\]");
}

static void write_text(const char *directory, const char *name, const char *text)
{
	struct strbuf path = { 0 };

	strbuf_addf(&path, "%s/%s", directory, name);
	FILE *f = fopen(path.s, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	strbuf_release(&path);
}

static void remove_text(const char *directory, const char *name)
{
	struct strbuf path = { 0 };

	strbuf_addf(&path, "%s/%s", directory, name);
	unlink(path.s);
	strbuf_release(&path);
}

static void response_files(void **state)
{
	char directory[] = "/tmp/sherd-test-XXXXXX";
	struct strbuf got = { 0 };
	struct given g;

	(void)state;
	assert_non_null(mkdtemp(directory));
	write_text(directory, "one", "-DA='1 2' @two\n");
	write_text(directory, "two", "-c \"a b.c\" -o x.o");
	write_text(directory, "itself", "-c y.c @itself");
	give(&g, "-O1 @one -DB", directory);
	describe(&g.a, &got);
	assert_string_equal(got.s, "c a b.c>x.o<x.o.bc");
	kept(&g.a, 0, false, &got);
	assert_string_equal(got.s, "-O1 -DA=1 2 -DB a b.c");
	take_back(&g);
	give(&g, "@itself", directory);
	assert_true(g.a.sources.len > 0 && g.a.sources.len < 100);
	take_back(&g);
	give(&g, "-c z.c @none", directory);
	describe(&g.a, &got);
	assert_string_equal(got.s, "c z.c>z.o<z.o.bc");
	take_back(&g);
	strbuf_release(&got);
	remove_text(directory, "one");
	remove_text(directory, "two");
	remove_text(directory, "itself");
	rmdir(directory);
}

/* Compilers */

static void counterparts(void **state)
{
	static const char *const names[][2] = {
		{ "clang", "clang++" }, { "clang-19", "clang++-19" }, { "gcc", "g++" }, { "/usr/bin/gcc-12", "/usr/bin/g++-12" },
		{ "x86_64-linux-gnu-gcc", "x86_64-linux-gnu-g++" }, { "cc", "c++" }, { "g++", "g++" }, { "clang++-19", "clang++-19" },
		{ "/opt/gcc/bin/tool", "/opt/gcc/bin/tool" }, { "tcc", "tcc" },
	};
	struct arena mem;

	(void)state;
	arena_init(&mem);
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		assert_string_equal(compiler_for_cxx(names[i][0], &mem), names[i][1]);
	arena_release(&mem);
}

static void which_compiler(void **state)
{
	struct compilers c;
	struct arena mem;

	(void)state;
	arena_init(&mem);
	setenv("SHERD_CC", "ccache /opt/bin/clang-19", 1);
	setenv("SHERD_CLANG", "clang-14", 1);
	unsetenv("SHERD_CXX");
	compilers_find(&c, false, &mem);
	assert_int_equal(c.command.len, 2);
	assert_string_equal(c.clang, "/opt/bin/clang-19");
	assert_false(c.is_foreign);
	compilers_release(&c);
	compilers_find(&c, true, &mem);
	assert_string_equal(c.command.data[0], "ccache");
	assert_string_equal(c.command.data[1], "/opt/bin/clang++-19");
	compilers_release(&c);
	setenv("SHERD_CC", "gcc", 1);
	compilers_find(&c, true, &mem);
	assert_string_equal(c.command.data[0], "g++");
	assert_string_equal(c.clang, "clang++-14");
	assert_true(c.is_foreign);
	compilers_release(&c);
	unsetenv("SHERD_CC");
	unsetenv("SHERD_CLANG");
	arena_release(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_compiled), cmocka_unit_test(what_is_kept),   cmocka_unit_test(trials),
		cmocka_unit_test(splitting),        cmocka_unit_test(response_files), cmocka_unit_test(counterparts),
		cmocka_unit_test(which_compiler),   cmocka_unit_test(links_with_optimization),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
