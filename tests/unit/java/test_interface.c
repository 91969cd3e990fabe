/* SPDX-License-Identifier: Apache-2.0 */
// links: base algo solve formats/archive formats/classfile ir load report analysis session formats/facts formats/properties
/* The interface of a component: members as clients see them, patterns, interface files. tests/e2e/interface.sh has what
 * needs real class files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "session/component/component.h"

/* What the test has described is there; anything else is missing. */
static void load(void *ctx, struct program *p, class_id c)
{
	(void)ctx;
	if (!class_row(p, c)->flags)
		program_make_phantom(p, c);
}

struct fixture {
	struct inquiry inquiry;
	struct session s;
	struct program *p;
	struct hierarchy h;
	struct java_interface i;
	char path[64];
};

static class_id add(struct fixture *f, const char *name, const char *super, unsigned flags)
{
	class_id c = program_class(f->p, str_of(name)), s = { 0 };

	if (super)
		s = program_class(f->p, str_of(super));
	class_row(f->p, c)->super = s;
	class_row(f->p, c)->flags = (uint16_t)flags;
	return c;
}

static class_id add_interface(struct fixture *f, const char *name)
{
	return add(f, name, "java/lang/Object", ACCESS_PUBLIC | ACCESS_INTERFACE | ACCESS_ABSTRACT);
}

static void implement(struct fixture *f, class_id c, class_id a, class_id b)
{
	class_id *both = arena_array(&f->p->mem, class_id, 2);

	both[0] = a;
	both[1] = b;
	class_row(f->p, c)->interfaces = both;
	class_row(f->p, c)->ninterfaces = b.i ? 2 : 1;
}

/* Those of a class one after the other: their ids are a range. */
static void method(struct fixture *f, class_id c, const char *name, const char *desc, unsigned flags)
{
	program_add_method(f->p, c, program_sel(f->p, str_of(name), str_of(desc)), (uint16_t)flags, 0);
}

static void field(struct fixture *f, class_id c, const char *name, const char *desc, unsigned flags)
{
	program_add_field(f->p, c, program_sel(f->p, str_of(name), str_of(desc)), (uint16_t)flags);
}

static int start(void **state)
{
	struct fixture *f = mem_zalloc(sizeof(*f));

	f->p = &f->s.program;
	inquiry_init(&f->inquiry, PHASES_JAVA);
	f->s.inquiry = &f->inquiry;
	program_init(f->p, &f->inquiry.diag);
	f->p->source.load = load;
	class_id object = add(f, "java/lang/Object", NULL, ACCESS_PUBLIC);
	method(f, object, "<init>", "()V", ACCESS_PUBLIC);
	method(f, object, "equals", "(Ljava/lang/Object;)Z", ACCESS_PUBLIC);
	method(f, object, "clone", "()Ljava/lang/Object;", ACCESS_PROTECTED | ACCESS_NATIVE);
	method(f, object, "<clinit>", "()V", ACCESS_STATIC);
	add_interface(f, "java/lang/Cloneable");
	add_interface(f, "java/io/Serializable");
	hierarchy_init(&f->h, f->p);
	snprintf(f->path, sizeof(f->path), "/tmp/test_interface.XXXXXX");
	int fd = mkstemp(f->path);
	assert_true(fd >= 0);
	close(fd);
	*state = f;
	return 0;
}

static int finish(void **state)
{
	struct fixture *f = *state;

	unlink(f->path);
	interface_release(&f->i);
	hierarchy_release(&f->h);
	session_close(&f->s);
	inquiry_release(&f->inquiry);
	free(f);
	return 0;
}

/* Sorts and prints; the text must go on like this behind its first line. */
static void assert_interface(struct fixture *f, struct java_interface *i, const char *expected)
{
	struct strbuf text = { 0 };

	interface_sort(&f->h, i);
	interface_print(&f->h, i, &text);
	assert_non_null(strchr(text.s, '\n'));
	assert_string_equal(strchr(text.s, '\n') + 1, expected);
	strbuf_release(&text);
}

#define OBJECT "\nclass java.lang.Object\nmethod java.lang.Object.equals(Ljava/lang/Object;)Z\n"

/* Classes */

static void test_declared(void **state)
{
	struct fixture *f = *state;
	class_id c = add(f, "p/C", "java/lang/Object", ACCESS_PUBLIC);

	method(f, c, "<init>", "()V", ACCESS_PUBLIC);
	method(f, c, "<init>", "(I)V", ACCESS_PROTECTED);
	method(f, c, "<clinit>", "()V", ACCESS_STATIC);
	method(f, c, "private", "()V", ACCESS_PRIVATE);
	method(f, c, "package", "()V", 0);
	method(f, c, "access$0", "()V", ACCESS_PUBLIC | ACCESS_STATIC | ACCESS_SYNTHETIC);
	method(f, c, "open", "([[Lp/X;[I)[Lp/Y;", ACCESS_PUBLIC);
	method(f, c, "equals", "(Ljava/lang/Object;)Z", ACCESS_PUBLIC);
	field(f, c, "one", "[Lp/F;", ACCESS_PUBLIC | ACCESS_FINAL);
	field(f, c, "two", "[Lp/G;", ACCESS_PUBLIC);
	field(f, c, "three", "[[I", ACCESS_PUBLIC);
	field(f, c, "four", "I", ACCESS_PRIVATE);
	assert_true(interface_add_class(&f->h, &f->i, c, REACH_PUBLIC));
	assert_interface(f, &f->i, OBJECT "\nclass p.C\n"
			 "method p.C.<init>()V\n"
			 "method p.C.equals(Ljava/lang/Object;)Z\n"
			 "method p.C.open([[Lp/X;[I)[Lp/Y;\n"
			 "field p.C.one\nfield p.C.three\nfield p.C.two\n\n"
			 "new p.G[]\nnew p.X[]\nnew p.X[][]\n"
			 "access p.F[]\naccess p.G[]\naccess p.X[]\naccess p.X[][]\naccess p.Y[]\n");
}

static void test_reach(void **state)
{
	struct fixture *f = *state;
	class_id a = add(f, "q/A", "java/lang/Object", ACCESS_PUBLIC), c = add(f, "p/C", "q/A", ACCESS_PUBLIC);

	method(f, a, "guarded", "()V", ACCESS_PROTECTED);
	method(f, a, "package", "()V", 0);
	field(f, a, "kept", "I", ACCESS_PROTECTED);
	field(f, a, "shared", "I", ACCESS_PROTECTED | ACCESS_STATIC);      /* of q.A, by that name */
	method(f, c, "<init>", "()V", ACCESS_PROTECTED);
	assert_true(interface_add_class(&f->h, &f->i, c, REACH_PUBLIC));
	assert_interface(f, &f->i, OBJECT "\nclass p.C\n");
	assert_true(interface_add_class(&f->h, &f->i, c, REACH_PROTECTED));
	assert_interface(f, &f->i, OBJECT "\nclass p.C\nmethod p.C.<init>()V\nmethod p.C.clone()Ljava/lang/Object;\n"
					  "method p.C.guarded()V\nfield p.C.kept\n");
}

/* Methods of other classes that clients call on what they get: abstract ones of interfaces, and so on with what these hand
 * out; of classes, what the component overrides. */
static void test_handed_out(void **state)
{
	struct fixture *f = *state;
	class_id c = add(f, "p/C", "q/Stream", ACCESS_PUBLIC), stream = add(f, "q/Stream", "java/lang/Object", ACCESS_PUBLIC);
	class_id bag = add_interface(f, "q/Bag"), walker = add_interface(f, "q/Walker"), other = add_interface(f, "q/Other");

	method(f, c, "bag", "()Lq/Bag;", ACCESS_PUBLIC);
	method(f, c, "stream", "()[Lq/Stream;", ACCESS_PUBLIC);
	method(f, c, "read", "()V", ACCESS_PUBLIC);
	method(f, stream, "read", "()V", ACCESS_PUBLIC);
	method(f, stream, "close", "()V", ACCESS_PUBLIC);
	method(f, bag, "walk", "()Lq/Walker;", ACCESS_PUBLIC | ACCESS_ABSTRACT);
	method(f, bag, "of", "()Lq/Bag;", ACCESS_PUBLIC | ACCESS_STATIC);
	method(f, bag, "other", "()Lq/Other;", ACCESS_PUBLIC);
	method(f, walker, "next", "()Ljava/lang/Object;", ACCESS_PUBLIC | ACCESS_ABSTRACT);
	method(f, other, "never", "()V", ACCESS_PUBLIC | ACCESS_ABSTRACT);
	assert_true(interface_add_class(&f->h, &f->i, c, REACH_PUBLIC));
	interface_add_handed_out(&f->h, &f->i, &c, 1);
	assert_interface(f, &f->i, OBJECT "\nclass p.C\nmethod p.C.bag()Lq/Bag;\nmethod p.C.close()V\nmethod p.C.read()V\n"
					  "method p.C.stream()[Lq/Stream;\n\nclass q.Bag\nmethod q.Bag.walk()Lq/Walker;\n\n"
					  "class q.Stream\nmethod q.Stream.read()V\n\n"
					  "class q.Walker\nmethod q.Walker.next()Ljava/lang/Object;\n\naccess q.Stream[]\n");
}

/* Superclasses that are not public, interfaces with default and static methods, the most specific of several. */
static void test_inherited(void **state)
{
	struct fixture *f = *state;
	class_id hidden = add(f, "p/Hidden", "java/lang/Object", ACCESS_ABSTRACT);
	class_id c = add(f, "p/C", "p/Hidden", ACCESS_PUBLIC);
	class_id i = add_interface(f, "p/I"), j = add_interface(f, "p/J");

	implement(f, j, i, (class_id){ 0 });
	implement(f, c, i, j);
	method(f, hidden, "<init>", "()V", ACCESS_PUBLIC);
	method(f, hidden, "shared", "()V", ACCESS_PUBLIC);
	method(f, hidden, "make", "()V", ACCESS_PUBLIC | ACCESS_STATIC);
	method(f, i, "both", "()V", ACCESS_PUBLIC | ACCESS_ABSTRACT);
	method(f, i, "alone", "()V", ACCESS_PUBLIC | ACCESS_STATIC);
	method(f, i, "helper", "()V", ACCESS_PRIVATE);
	method(f, j, "both", "()V", ACCESS_PUBLIC);
	field(f, i, "CONSTANT", "I", ACCESS_PUBLIC | ACCESS_STATIC | ACCESS_FINAL);
	assert_true(interface_add_class(&f->h, &f->i, c, REACH_PUBLIC));
	assert_interface(f, &f->i, OBJECT "\nclass p.C\nmethod p.C.both()V\nmethod p.C.make()V\nmethod p.C.shared()V\n");
	for (uint32_t k = 0; k < f->i.methods.len; k++)
		if (str_is(sel_name(f->p, method_row(f->p, f->i.methods.data[k].m)->sel), "both"))
			assert_int_equal(method_row(f->p, f->i.methods.data[k].m)->owner.i, j.i);
	/* With the interfaces accessed, too, what they have is not repeated. */
	assert_true(interface_add_class(&f->h, &f->i, i, REACH_PUBLIC));
	assert_true(interface_add_class(&f->h, &f->i, j, REACH_PUBLIC));
	assert_interface(f, &f->i, OBJECT "\nclass p.C\nmethod p.C.make()V\nmethod p.C.shared()V\n"
					  "\nclass p.I\nmethod p.I.alone()V\nmethod p.I.both()V\nfield p.I.CONSTANT\n"
					  "\nclass p.J\nmethod p.J.both()V\n");
}

/* A bridge to an overriding method hides what is overridden; one to a superclass that is not public does not. */
static void test_bridges(void **state)
{
	struct fixture *f = *state;
	class_id hidden = add(f, "p/Hidden", "java/lang/Object", ACCESS_SUPER);
	class_id c = add(f, "p/C", "p/Hidden", ACCESS_PUBLIC);
	class_id i = add_interface(f, "p/I");
	unsigned bridge = ACCESS_PUBLIC | ACCESS_BRIDGE | ACCESS_SYNTHETIC;

	implement(f, c, i, (class_id){ 0 });
	method(f, i, "compare", "(Ljava/lang/Object;)I", ACCESS_PUBLIC | ACCESS_ABSTRACT);
	method(f, hidden, "length", "()I", ACCESS_PUBLIC);
	method(f, hidden, "append", "(I)Lp/Hidden;", ACCESS_PUBLIC);
	method(f, c, "compare", "(Ljava/lang/Object;)I", bridge);
	method(f, c, "compare", "(Lp/C;)I", ACCESS_PUBLIC);
	method(f, c, "length", "()I", bridge);
	method(f, c, "append", "(I)Lp/C;", ACCESS_PUBLIC);
	method(f, c, "append", "(I)Lp/Hidden;", bridge);
	assert_true(interface_add_class(&f->h, &f->i, c, REACH_PUBLIC));
	assert_interface(f, &f->i, OBJECT "\nclass p.C\nmethod p.C.append(I)Lp/C;\nmethod p.C.compare(Lp/C;)I\n"
					  "method p.C.length()I\n");
}

static void test_unnamed_classes(void **state)
{
	struct fixture *f = *state;
	class_id hidden = add(f, "p/Hidden", "java/lang/Object", ACCESS_SUPER);
	class_id inner = add(f, "p/Hidden$In", "java/lang/Object", ACCESS_PUBLIC);
	class_id loop = add(f, "p/Loop", "java/lang/Object", ACCESS_PUBLIC);
	class_id made = add(f, "p/Made", "java/lang/Object", ACCESS_PUBLIC | ACCESS_SYNTHETIC);

	class_row(f->p, inner)->outer = hidden;
	class_row(f->p, loop)->outer = loop;
	assert_false(interface_add_class(&f->h, &f->i, hidden, REACH_PROTECTED));
	assert_false(interface_add_class(&f->h, &f->i, inner, REACH_PUBLIC));
	assert_false(interface_add_class(&f->h, &f->i, loop, REACH_PUBLIC));
	assert_false(interface_add_class(&f->h, &f->i, made, REACH_PUBLIC));
	assert_false(interface_add_class(&f->h, &f->i, program_class(f->p, STR("p/Gone")), REACH_PUBLIC));
	assert_false(interface_add_class(&f->h, &f->i, program_array_of(f->p, loop), REACH_PUBLIC));
	assert_interface(f, &f->i, "");
}

static void test_constructors(void **state)
{
	struct fixture *f = *state;
	class_id a = add(f, "p/A", "java/lang/Object", ACCESS_PUBLIC | ACCESS_ABSTRACT);
	class_id e = add(f, "p/E", "java/lang/Object", ACCESS_PUBLIC | ACCESS_ENUM);

	method(f, a, "<init>", "()V", ACCESS_PUBLIC);
	method(f, e, "<init>", "()V", ACCESS_PROTECTED);
	assert_true(interface_add_class(&f->h, &f->i, a, REACH_PUBLIC));
	assert_true(interface_add_class(&f->h, &f->i, e, REACH_PROTECTED));
	assert_interface(f, &f->i, OBJECT "\nclass p.A\n\nclass p.E\nmethod p.E.clone()Ljava/lang/Object;\n");
	assert_true(interface_add_class(&f->h, &f->i, f->p->object, REACH_PUBLIC));
	interface_sort(&f->h, &f->i);
	assert_int_equal(f->i.classes.len, 3);
	assert_true(str_is(sel_name(f->p, method_row(f->p, f->i.methods.data[0].m)->sel), "<init>"));
}

/* Names that a line cannot hold must not become other items. */
static void test_hostile_names(void **state)
{
	struct fixture *f = *state;
	class_id c = add(f, "p/C\nnew p.X[]", "java/lang/Object", ACCESS_PUBLIC);

	vec_push(&f->i.classes, c);
	assert_interface(f, &f->i, "\nclass p.C\\x0anew p.X[]\n");
}

/* Files */

static void write_file(struct fixture *f, const char *text)
{
	FILE *out = fopen(f->path, "w");

	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static bool read_file(struct fixture *f, const char *text, struct java_interface *out)
{
	struct component none = { 0 };

	write_file(f, text);
	return interface_of(&f->s, f->path, &none, out);
}

/* p.C with overloads, two fields of the same name, and a superclass; p.Hidden, not public. */
static void describe(struct fixture *f)
{
	class_id a = add(f, "p/A", "java/lang/Object", ACCESS_PUBLIC | ACCESS_ABSTRACT);
	class_id c = add(f, "p/C", "p/A", ACCESS_PUBLIC);
	class_id hidden = add(f, "p/Hidden", "java/lang/Object", ACCESS_SUPER);

	method(f, a, "<init>", "()V", ACCESS_PUBLIC);
	method(f, a, "given", "([Lp/A;)V", ACCESS_PUBLIC);
	method(f, c, "<init>", "()V", ACCESS_PUBLIC);
	method(f, c, "print", "()V", ACCESS_PUBLIC);
	method(f, c, "print", "(I)V", ACCESS_PUBLIC);
	method(f, c, "secret", "()V", ACCESS_PRIVATE);
	method(f, hidden, "<init>", "()V", 0);
	field(f, c, "state", "I", ACCESS_PUBLIC);
	field(f, c, "state", "J", ACCESS_PUBLIC);
	field(f, c, "only", "Lp/A;", 0);
}

static void test_file(void **state)
{
	struct fixture *f = *state;

	describe(f);
	assert_true(read_file(f, "# all kinds of items\r\n"
			      "class p.A   # an accessed class\r\n\n"
			      "  method\tp.C.given\n"
			      "method p.C.print(I)V\n"
			      "method p.Hidden.<init>()V\n"
			      "field p.C.state:J\nfield p.C.only\n"
			      "new p.C[][]\naccess p.A[]\nnew p.C[][]", &f->i));
	assert_int_equal(f->inquiry.diag.entries.len, 0);
	assert_interface(f, &f->i, "\nclass p.A\n\nclass p.C\nmethod p.C.given([Lp/A;)V\nmethod p.C.print(I)V\n"
				   "field p.C.only\nfield p.C.state:J\n"
				   "\nclass p.Hidden\nmethod p.Hidden.<init>()V\n\nnew p.C[][]\naccess p.A[]\n");
}

/* Reading what was printed gives the same. */
static void test_round_trip(void **state)
{
	struct fixture *f = *state;
	struct java_interface again = { 0 };
	struct strbuf first = { 0 }, second = { 0 };

	describe(f);
	assert_true(read_file(f, "public p.C\nprotected p.A\nfield p.C.only\nfield p.C.state:I\n", &f->i));
	interface_print(&f->h, &f->i, &first);
	assert_true(read_file(f, first.s, &again));
	interface_print(&f->h, &again, &second);
	assert_string_equal(first.s, second.s);
	assert_non_null(strstr(first.s, "method p.A.given([Lp/A;)V\n"));
	assert_null(strstr(first.s, "method p.C.given"));
	assert_non_null(strstr(first.s, "new p.A[]\n"));
	interface_release(&again);
	strbuf_release(&first);
	strbuf_release(&second);
}

/* So it is with names that mean something else in a line. */
static void test_hostile_round_trip(void **state)
{
	struct fixture *f = *state;
	struct java_interface again = { 0 };
	struct strbuf first = { 0 }, second = { 0 };
	class_id c = add(f, "p/C #(x):\\\x01", "java/lang/Object", ACCESS_PUBLIC);
	class_id d = add(f, "p/ D\xed\xa0\x80 ", "java/lang/Object", ACCESS_PUBLIC);

	method(f, c, "<init>", "()V", ACCESS_PUBLIC);
	method(f, c, "it's #1: (yes)\n", "(Lp/C #(x):\\\x01;)V", ACCESS_PUBLIC);
	method(f, c, "\u00e9t\u00e9 ", "()V", ACCESS_PUBLIC);
	field(f, d, "a:b", "I", ACCESS_PUBLIC);
	field(f, d, "a:b", "Lp/ D\xed\xa0\x80 ;", ACCESS_PUBLIC);
	assert_true(interface_add_class(&f->h, &f->i, c, REACH_PUBLIC) && interface_add_class(&f->h, &f->i, d, REACH_PUBLIC));
	interface_add_array(f->p, &f->i, program_array_of(f->p, d), true);
	interface_sort(&f->h, &f->i);
	interface_print(&f->h, &f->i, &first);
	assert_non_null(strstr(first.s, "method p.C \\x23\\x28x\\x29\\x3a\\x5c\\x01.\u00e9t\u00e9\\x20()V\n"));
	assert_non_null(strstr(first.s, "new p. D\\xed\\xa0\\x80\\x20[]\n"));
	if (!read_file(f, first.s, &again))
		fail_msg("%s: %s", first.s, f->inquiry.diag.entries.data[0].text);
	interface_print(&f->h, &again, &second);
	assert_string_equal(first.s, second.s);
	interface_release(&again);
	strbuf_release(&first);
	strbuf_release(&second);
}

static const struct {
	const char *line, *says;
} wrong_lines[] = {
	{ "class p.Nowhere", "no class 'p.Nowhere'" },
	{ "class p/C", "no class 'p/C'" },
	{ "class", "is no item; write class, public" },
	{ "class p.C\\x2", "no class 'p.C\\x2'" },
	{ "klass p.C", "is no item; write class, public" },
	{ "public p.Hidden", "is not public" },
	{ "method p.C.print", "more than one method; write one of p.C.print()V, p.C.print(I)V" },
	{ "method p.C.print(J)V", "has no method print(J)V that clients can name; it has p.C.print()V, p.C.print(I)V" },
	{ "method p.C.pirnt", "did you mean p.C.print()V, p.C.print(I)V" },
	{ "method p.C.secret", "has no method secret" },
	{ "method p.C.secret()V", "has no method secret()V" },
	{ "method p.A.<init>()V", "p.A is abstract" },
	{ "method p.C.<clinit>()V", "has no method <clinit>()V" },
	{ "method print", "names no class and member" },
	{ "method p.C.", "names no class and member" },
	{ "field p.C.state", "more than one field; write one of p.C.state:I, p.C.state:J" },
	{ "field p.C.stat", "did you mean p.C.state" },
	{ "field p.C.state:Z", "it has p.C.state:I, p.C.state:J" },
	{ "new p.C", "'p.C' is no array; write pkg.Cls[]" },
	{ "access p.Nowhere[]", "no class 'p.Nowhere'" },
	{ "access int[][]", "arrays of primitives" },
	{ "new []", "no class ''" },
};

/* Every wrong line is reported, with its number. */
static void test_wrong_lines(void **state)
{
	struct fixture *f = *state;
	struct strbuf text = { 0 };

	describe(f);
	for (size_t k = 0; k < ARRAY_LEN(wrong_lines); k++)
		strbuf_addf(&text, "%s\nclass p.C # a good one\n", wrong_lines[k].line);
	assert_false(read_file(f, text.s, &f->i));
	assert_int_equal(f->inquiry.diag.entries.len, ARRAY_LEN(wrong_lines));
	for (uint32_t k = 0; k < ARRAY_LEN(wrong_lines); k++) {
		const struct diag_entry *e = &f->inquiry.diag.entries.data[k];
		if (!strstr(e->text, wrong_lines[k].says))
			fail_msg("'%s' gives: %s", wrong_lines[k].line, e->text);
		assert_int_equal(e->code, DIAG_E046);
		assert_int_equal(e->offset, 2 * k + 1);
		assert_string_equal(e->artifact, f->path);
	}
	strbuf_release(&text);
}

static void test_wrong_files(void **state)
{
	struct fixture *f = *state;
	struct component none = { 0 };

	assert_false(read_file(f, "# nothing\n\n", &f->i));
	assert_false(interface_of(&f->s, "/", &none, &f->i));
	assert_false(interface_of(&f->s, "publik", &none, &f->i));
	assert_false(interface_of(&f->s, "public", &none, &f->i));
	assert_false(interface_of(&f->s, "", &none, &f->i));
	assert_int_equal(f->inquiry.diag.entries.len, 5);
	assert_non_null(strstr(f->inquiry.diag.entries.data[2].text, "public, protected, tests:PATH or a file"));
}

static void test_tests_path(void **state)
{
	struct strbuf path = { 0 };

	(void)state;
	interface_tests_path("public,file", &path);
	assert_int_equal(path.len, 0);
	interface_tests_path("public, tests:a:b ,file,tests:c", &path);
	assert_string_equal(path.s, "a:b:c");
	strbuf_release(&path);
}

/* Patterns */

static const struct {
	const char *patterns, *name;
	bool matches;
} matches[] = {
	{ "java.text.*", "java/text/Format", true },
	{ "java.text.*", "java/text/Format$Field", true },
	{ "java.text.*", "java/text/spi/Provider", false },
	{ "java.text.*", "java/textual/Format", false },
	{ "java.text.*", "java/text", false },
	{ "java.text.**", "java/text/spi/Provider", true },
	{ "java.text.**", "java/text/Format", true },
	{ "java.text.**", "java/textual/Format", false },
	{ "java.text.Format", "java/text/Format", true },
	{ "java.text.Format", "java/text/Format$Field$1", true },
	{ "java.text.Format", "java/text/FormatX", false },
	{ "java.text.Format", "java/text/Forma", false },
	{ "java.text.Format$Field", "java/text/Format", false },
	{ "java.text.Format$Field", "java/text/Format$Field", true },
	{ "java.text.*Iterator", "java/text/CharacterIterator", true },
	{ "java.text.*Iterator", "java/text/CharacterIterator$1", true },
	{ "java.text.*Iterator", "java/text/CharacterIterators", false },
	{ "java.*.Format", "java/text/Format", true },
	{ "java.*.Format", "java/text/spi/Format", false },
	{ "java.**.Format", "java/text/spi/Format", true },
	{ "java.**.Format", "java/Format", true },
	{ "**.a.**.b.*", "x/a/y/z/a/b/C", true },
	{ "**.a.**.b.*", "x/a/y/z/a/C", false },
	{ "a*b*c", "aXbXbc", true },
	{ "a*b*c", "aXbXb", false },
	{ "*", "Main", true },
	{ "*", "p/Main", false },
	{ "**", "p/Main", true },
	{ "p.*,!p.A", "p/A", false },
	{ "!p.A,p.*", "p/A$1", false },
	{ "!p.A , p.*", "p/B", true },
	{ "p.A,q.*", "q/B", true },
};

static void test_patterns(void **state)
{
	struct fixture *f = *state;

	for (size_t k = 0; k < ARRAY_LEN(matches); k++) {
		struct patterns p;
		assert_true(patterns_read(&f->inquiry.diag, matches[k].patterns, &p));
		if (patterns_match(&p, str_of(matches[k].name)) != matches[k].matches)
			fail_msg("%s and %s", matches[k].patterns, matches[k].name);
		patterns_release(&p);
	}
	assert_int_equal(f->inquiry.diag.entries.len, 0);
}

static void test_wrong_patterns(void **state)
{
	static const char *const wrong[] = { "", "a..b", ".a", "a.", "a,,b", "a/b", "a***", "a**.b", "**a", "a b", "a[]",
					     "!a", "!", "!!a", "a.b()", "@/nowhere/at/all", "@", "\xff\x01" };
	struct fixture *f = *state;

	for (uint32_t k = 0; k < ARRAY_LEN(wrong); k++) {
		struct patterns p;
		if (patterns_read(&f->inquiry.diag, wrong[k], &p))
			fail_msg("'%s' is taken for a pattern", wrong[k]);
		patterns_release(&p);
		assert_int_equal(f->inquiry.diag.entries.len, k + 1);
	}
}

static void test_pattern_list(void **state)
{
	struct fixture *f = *state;
	struct strbuf text = { 0 };
	struct patterns p;

	write_file(f, "# a list\n p.*   # a package\n!p.Not\n");
	strbuf_addf(&text, "@%s,q.A", f->path);
	assert_true(patterns_read(&f->inquiry.diag, text.s, &p));
	assert_true(patterns_match(&p, STR("p/A")) && patterns_match(&p, STR("q/A")));
	assert_false(patterns_match(&p, STR("p/Not")));
	patterns_release(&p);
	strbuf_clear(&text);
	strbuf_addf(&text, "!@%s,**", f->path);
	assert_true(patterns_read(&f->inquiry.diag, text.s, &p));
	assert_true(!patterns_match(&p, STR("p/A")) && patterns_match(&p, STR("q/A")));
	patterns_release(&p);
	write_file(f, "p.*\n\na..b\n@other\n");
	strbuf_clear(&text);
	strbuf_addf(&text, "@%s", f->path);
	assert_false(patterns_read(&f->inquiry.diag, text.s, &p));
	patterns_release(&p);
	assert_int_equal(f->inquiry.diag.entries.len, 2);
	assert_int_equal(f->inquiry.diag.entries.data[0].offset, 3);
	assert_int_equal(f->inquiry.diag.entries.data[1].offset, 4);
	strbuf_release(&text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, finish)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_declared),     TEST(test_reach),        TEST(test_inherited),      TEST(test_bridges),
		TEST(test_unnamed_classes), TEST(test_constructors), TEST(test_hostile_names), TEST(test_file),
		TEST(test_round_trip), TEST(test_wrong_lines),  TEST(test_wrong_files),    TEST(test_tests_path),
		TEST(test_hostile_round_trip),
		TEST(test_patterns),     TEST(test_wrong_patterns), TEST(test_pattern_list),  TEST(test_handed_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
