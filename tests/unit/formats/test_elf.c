// SPDX-License-Identifier: Apache-2.0
// links: base formats/elf
/* test_elf.c - ELF files and archives are written here byte by byte, so that each field can lie. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/compiler.h"
#include "formats/elf/ar.h"
#include "formats/elf/elf.h"
#include "formats/elf/note.h"

static struct span span_of(const struct strbuf *b)
{
	return (struct span){ (const uint8_t *)b->s, b->len };
}

static struct span span_of_text(const char *s)
{
	return (struct span){ (const uint8_t *)s, strlen(s) };
}

/* ELF files */

struct shape {
	bool is_64, is_big;
};
static const struct shape shapes[] = { { true, false }, { true, true }, { false, false }, { false, true } };

static void put(struct strbuf *b, struct shape s, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		strbuf_addch(b, (char)(v >> 8 * (s.is_big ? bytes - 1 - i : i) & 0xff));
}

static void set(struct strbuf *b, struct shape s, size_t at, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		b->s[at + i] = (char)(v >> 8 * (s.is_big ? bytes - 1 - i : i) & 0xff);
}

static unsigned word(struct shape s)
{
	return s.is_64 ? 8 : 4;
}

static size_t header_size(struct shape s)
{
	return s.is_64 ? 64 : 52;
}

static size_t section_size(struct shape s)
{
	return s.is_64 ? 64 : 40;
}

/* Offsets of fields in a section's header. */
static size_t offset_field(struct shape s)
{
	return s.is_64 ? 24 : 16;
}

static size_t size_field(struct shape s)
{
	return s.is_64 ? 32 : 20;
}

static void put_section(struct strbuf *b, struct shape s, uint32_t name, uint32_t type, uint64_t at, uint64_t size)
{
	put(b, s, name, 4);
	put(b, s, type, 4);
	put(b, s, 0, word(s));
	put(b, s, 0, word(s));
	put(b, s, at, word(s));
	put(b, s, size, word(s));
	put(b, s, 0, 8);
	put(b, s, 1, word(s));
	put(b, s, 0, word(s));
}

/* A file of that type whose only section with bytes is called .note.gnu.build-id. */
static void make_note(struct strbuf *b, struct shape s, unsigned type, const char *owner, const char *id, unsigned n)
{
	static const char names[] = "\0.note.gnu.build-id\0.names";
	size_t note = header_size(s), at = note + 16 + n;

	strbuf_add(b, "\177ELF", 4);
	strbuf_addch(b, s.is_64 ? 2 : 1);
	strbuf_addch(b, s.is_big ? 2 : 1);
	while (b->len < header_size(s))
		strbuf_addch(b, 0);
	set(b, s, 16, type, 2);
	set(b, s, s.is_64 ? 40 : 32, at + sizeof(names), word(s));
	set(b, s, s.is_64 ? 58 : 46, section_size(s), 2);
	set(b, s, s.is_64 ? 60 : 48, 3, 2);
	set(b, s, s.is_64 ? 62 : 50, 2, 2);
	put(b, s, 4, 4);
	put(b, s, n, 4);
	put(b, s, 3, 4);
	strbuf_add(b, owner, 4);
	strbuf_add(b, id, n);
	strbuf_add(b, names, sizeof(names));
	put_section(b, s, 0, 0, 0, 0);
	put_section(b, s, 1, 7, note, 16 + n);
	put_section(b, s, 21, 3, at, sizeof(names));
}

/* Three sections: none, .text with "code", .names. Returns where their headers are. */
static size_t make_elf(struct strbuf *b, struct shape s)
{
	static const char names[] = "\0.text\0.names";
	size_t code = header_size(s), at = code + 4, table = at + sizeof(names);

	strbuf_add(b, "\177ELF", 4);
	strbuf_addch(b, s.is_64 ? 2 : 1);
	strbuf_addch(b, s.is_big ? 2 : 1);
	while (b->len < header_size(s))
		strbuf_addch(b, 0);
	set(b, s, s.is_64 ? 40 : 32, table, word(s));
	set(b, s, s.is_64 ? 58 : 46, section_size(s), 2);
	set(b, s, s.is_64 ? 60 : 48, 3, 2);
	set(b, s, s.is_64 ? 62 : 50, 2, 2);
	strbuf_add(b, "code", 4);
	strbuf_add(b, names, sizeof(names));
	put_section(b, s, 0, 0, 0, 0);
	put_section(b, s, 1, 1, code, 4);
	put_section(b, s, 7, 3, at, sizeof(names));
	return table;
}

static void expect_section(const struct strbuf *file, const char *name, const char *text)
{
	struct strbuf err = { 0 };
	struct span got;

	assert_true(elf_section(span_of(file), name, &got, &err));
	assert_int_equal(err.len, 0);
	if (!text) {
		assert_null(got.p);
		return;
	}
	assert_int_equal(got.len, strlen(text));
	assert_memory_equal(got.p, text, got.len);
}

static void sections_are_found(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
		struct strbuf file = { 0 };
		make_elf(&file, shapes[i]);
		expect_section(&file, ".text", "code");
		expect_section(&file, ".tex", NULL);
		expect_section(&file, "text", NULL);
		strbuf_release(&file);
	}
}

static void expect_build(const struct strbuf *file, const char *text)
{
	struct strbuf out = { 0 }, err = { 0 };

	assert_true(elf_build(span_of(file), &out, &err));
	assert_int_equal(err.len, 0);
	assert_string_equal(out.len ? out.s : "", text);
	strbuf_release(&out);
}

static void builds_are_told_apart(void **state)
{
	enum { OBJECT = 1, PROGRAM = 2, SHARED = 3 };
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
		static const struct { unsigned type; const char *owner; const char *id; unsigned n; const char *text; } rows[] = {
			{ SHARED, "GNU", "\x01\xfe\x20", 3, "build-id 01fe20" },
			{ PROGRAM, "GNU", "\xab", 1, "build-id ab" },
			{ OBJECT, "GNU", "\xab", 1, "" },
			{ SHARED, "GNX", "\xab", 1, "" },        /* another one's note, and no code */
			{ SHARED, "GNU", "", 0, "" },
		};
		for (size_t k = 0; k < ARRAY_LEN(rows); k++) {
			struct strbuf file = { 0 };
			make_note(&file, shapes[i], rows[k].type, rows[k].owner, rows[k].id, rows[k].n);
			expect_build(&file, rows[k].text);
			set(&file, shapes[i], header_size(shapes[i]) + 4, 200, 4);       /* longer than its section */
			expect_build(&file, "");
			strbuf_release(&file);
		}
		struct strbuf file = { 0 };
		make_elf(&file, shapes[i]);
		expect_build(&file, "");
		set(&file, shapes[i], 16, SHARED, 2);
		expect_build(&file, "code 1998630a7dc88fb8");
		set(&file, shapes[i], header_size(shapes[i]), 'C', 1);
		expect_build(&file, "code 89e98fcf81f02c98");
		strbuf_release(&file);
	}
}

static void sections_are_added(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
		struct strbuf file = { 0 }, once = { 0 }, twice = { 0 }, err = { 0 };
		make_elf(&file, shapes[i]);
		assert_true(elf_extend(span_of(&file), ".x", span_of_text("one"), &once, &err));
		expect_section(&once, ".x", "one");
		expect_section(&once, ".text", "code");
		assert_true(elf_extend(span_of(&once), ".x", span_of_text(" more"), &twice, &err));
		expect_section(&twice, ".x", "one more");
		expect_section(&twice, ".text", "code");
		assert_int_equal(err.len, 0);
		strbuf_release(&file);
		strbuf_release(&once);
		strbuf_release(&twice);
	}
}

/* More sections than a header can count: the number is in the first section. */
static void many_sections(void **state)
{
	(void)state;
	for (uint32_t n = 0xff00 - 2; n <= 0xff00 + 1; n++) {
		struct shape s = shapes[0];
		struct strbuf file = { 0 }, out = { 0 }, err = { 0 };
		size_t table = make_elf(&file, s);
		for (uint32_t i = 3; i < n; i++)
			put_section(&file, s, 0, 8, 0, 0);
		set(&file, s, 60, n < 0xff00 ? n : 0, 2);
		if (n >= 0xff00)
			set(&file, s, table + size_field(s), n, 8);
		set(&file, s, 62, 0xffff, 2);
		set(&file, s, table + 40, 2, 4);
		expect_section(&file, ".text", "code");
		assert_true(elf_extend(span_of(&file), ".x", span_of_text("one"), &out, &err));
		expect_section(&out, ".x", "one");
		expect_section(&out, ".text", "code");
		strbuf_release(&file);
		strbuf_release(&out);
	}
}

static void expect_damaged(const struct strbuf *file)
{
	struct strbuf err = { 0 }, out = { 0 };
	struct span got;

	assert_false(elf_section(span_of(file), ".text", &got, &err));
	assert_true(err.len > 0);
	strbuf_clear(&err);
	assert_false(elf_extend(span_of(file), ".text", span_of_text("x"), &out, &err));
	assert_true(err.len > 0);
	assert_int_equal(out.len, 0);
	strbuf_release(&err);
	strbuf_release(&out);
}

/* No prefix of a file is read behind its end; none of them is taken for whole. */
static void cut_off_anywhere(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
		struct strbuf file = { 0 };
		make_elf(&file, shapes[i]);
		for (size_t n = 1; n < file.len; n++) {
			struct strbuf cut = { 0 };
			strbuf_add(&cut, file.s, n);
			expect_damaged(&cut);
			strbuf_release(&cut);
		}
		strbuf_release(&file);
	}
}

static void fields_that_lie(void **state)
{
	struct shape s = shapes[0];
	const struct {
		size_t at, header;    /* in the file's header, or that of a section, from 1 */
		uint64_t value;
		unsigned bytes;
	} lies[] = { { 40, 0, UINT64_MAX, 8 }, { 40, 0, UINT64_MAX - 63, 8 }, { 58, 0, 63, 2 }, { 60, 0, 9, 2 }, { 62, 0, 3, 2 },
		     { offset_field(s), 2, UINT64_MAX, 8 }, { size_field(s), 2, UINT64_MAX, 8 },
		     { offset_field(s), 3, UINT64_MAX - 1, 8 }, { 8, 2, 0x800, 8 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(lies); i++) {
		struct strbuf file = { 0 };
		size_t table = make_elf(&file, s), base = lies[i].header ? table + (lies[i].header - 1) * 64 : 0;
		set(&file, s, base + lies[i].at, lies[i].value, lies[i].bytes);
		expect_damaged(&file);
		strbuf_release(&file);
	}
}

static void without_sections(void **state)
{
	struct strbuf file = { 0 }, out = { 0 }, err = { 0 };
	struct span got;

	(void)state;
	make_elf(&file, shapes[0]);
	set(&file, shapes[0], 40, 0, 8);
	assert_true(elf_section(span_of(&file), ".text", &got, &err));
	assert_null(got.p);
	assert_false(elf_extend(span_of(&file), ".text", span_of_text("x"), &out, &err));
	assert_string_equal(err.s, "the file has no sections");
	strbuf_release(&file);
	strbuf_release(&err);
}

/* Symbols */

static void put_symbol(struct strbuf *b, struct shape s, uint32_t name, unsigned bind, unsigned visibility, unsigned section)
{
	put(b, s, name, 4);
	if (!s.is_64)
		put(b, s, 0, 8);
	put(b, s, bind << 4, 1);
	put(b, s, visibility, 1);
	put(b, s, section, 2);
	if (s.is_64)
		put(b, s, 0, 8), put(b, s, 0, 8);
}

/* Adds dynamic symbols and their names as sections 3 and 4; returns where the symbols are. */
static size_t make_library(struct strbuf *b, struct shape s)
{
	static const char names[] = "\0data\0weak\0seen\0none\0hide\0mine\0only";
	static const struct { uint32_t name; unsigned bind, visibility, section; } symbols[] = {
		{ 0, 0, 0, 0 }, { 1, 1, 0, 1 }, { 6, 2, 0, 1 }, { 11, 1, 3, 1 }, { 16, 1, 0, 0 },
		{ 21, 1, 2, 1 }, { 26, 0, 0, 1 }, { 31, 10, 0, 1 },
	};
	struct strbuf old = { 0 };
	size_t table = make_elf(&old, s), at = table, end;

	strbuf_add(b, old.s, table);
	for (size_t i = 0; i < ARRAY_LEN(symbols); i++)
		put_symbol(b, s, symbols[i].name, symbols[i].bind, symbols[i].visibility, symbols[i].section);
	end = b->len;
	strbuf_add(b, names, sizeof(names));
	set(b, s, s.is_64 ? 40 : 32, b->len, word(s));
	set(b, s, s.is_64 ? 60 : 48, 5, 2);
	strbuf_add(b, old.s + table, old.len - table);
	put_section(b, s, 0, 11, at, end - at);
	set(b, s, b->len - section_size(s) + (s.is_64 ? 40 : 24), 4, 4);
	put_section(b, s, 0, 3, end, sizeof(names));
	strbuf_release(&old);
	return at;
}

static void add_name(void *ctx, struct str name)
{
	strbuf_addstr(ctx, name);
	strbuf_addch(ctx, ' ');
}

static void exports_are_found(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
		struct strbuf file = { 0 }, names = { 0 }, err = { 0 };
		make_library(&file, shapes[i]);
		assert_true(elf_exports(span_of(&file), add_name, &names, &err));
		assert_string_equal(names.s, "data weak seen only ");
		for (size_t n = 1; n < file.len; n++) {
			struct strbuf cut = { 0 };
			strbuf_add(&cut, file.s, n);
			assert_false(elf_exports(span_of(&cut), add_name, &names, &err));
			strbuf_release(&cut);
		}
		strbuf_release(&file);
		strbuf_release(&names);
		strbuf_release(&err);
	}
}

/* What the linker at run time is told, as sections 3 and 4: a library, folders, something else, and where the name of another one is. */
static void make_dynamic(struct strbuf *b, struct shape s, uint64_t other)
{
	static const char names[] = "\0libz.so.1\0$ORIGIN:/opt\0";
	const uint64_t rows[][2] = { { 1, 1 }, { 29, 11 }, { 5, 7 }, { 1, other }, { 0, 0 } };
	struct strbuf old = { 0 };
	size_t at = make_elf(&old, s), table = at, end;

	strbuf_add(b, old.s, table);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		put(b, s, rows[i][0], word(s)), put(b, s, rows[i][1], word(s));
	end = b->len;
	strbuf_add(b, names, sizeof(names));
	set(b, s, s.is_64 ? 40 : 32, b->len, word(s));
	set(b, s, s.is_64 ? 60 : 48, 5, 2);
	strbuf_add(b, old.s + table, old.len - table);
	put_section(b, s, 0, 6, at, end - at);
	set(b, s, b->len - section_size(s) + (s.is_64 ? 40 : 24), 4, 4);
	put_section(b, s, 0, 3, end, sizeof(names));
	strbuf_release(&old);
}

static void add_told(void *ctx, enum elf_told what, struct str name)
{
	strbuf_adds(ctx, what == ELF_NEEDED ? "needs " : "in ");
	add_name(ctx, name);
}

static void what_is_needed_is_found(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
		struct strbuf file = { 0 }, told = { 0 }, err = { 0 };
		make_dynamic(&file, shapes[i], 6);
		assert_true(elf_dynamic(span_of(&file), add_told, &told, &err));
		assert_string_equal(told.s, "needs libz.so.1 in $ORIGIN:/opt needs so.1 ");
		for (size_t n = 1; n < file.len; n++) {
			struct strbuf cut = { 0 };
			strbuf_add(&cut, file.s, n);
			assert_false(elf_dynamic(span_of(&cut), add_told, &told, &err));
			strbuf_release(&cut);
		}
		strbuf_clear(&file), strbuf_clear(&err);
		make_dynamic(&file, shapes[i], 1000);
		assert_false(elf_dynamic(span_of(&file), add_told, &told, &err));
		assert_string_equal(err.s, "damaged ELF file: a library that it needs has no name");
		strbuf_clear(&file), strbuf_clear(&told);
		make_elf(&file, shapes[i]);
		assert_true(elf_dynamic(span_of(&file), add_told, &told, &err));
		assert_int_equal(told.len, 0);
		strbuf_release(&file);
		strbuf_release(&told);
		strbuf_release(&err);
	}
}

static void expect_no_exports(struct strbuf *file, const char *sentence)
{
	struct strbuf names = { 0 }, err = { 0 };

	assert_false(elf_exports(span_of(file), add_name, &names, &err));
	assert_string_equal(err.s, sentence);
	strbuf_release(&names);
	strbuf_release(&err);
	strbuf_release(file);
}

static void exports_that_lie(void **state)
{
	struct strbuf file = { 0 };
	size_t at;

	(void)state;
	make_elf(&file, shapes[0]);
	expect_no_exports(&file, "the ELF file has no dynamic symbols: it is not a shared library");
	at = make_library(&file, shapes[0]);
	set(&file, shapes[0], at + 24, 0x7fffffff, 4);
	expect_no_exports(&file, "damaged ELF file: a symbol has no name");
	make_library(&file, shapes[0]);
	set(&file, shapes[0], file.len - 2 * section_size(shapes[0]) + 40, 9, 4);
	expect_no_exports(&file, "damaged ELF file: symbols without names");
	make_library(&file, shapes[0]);
	set(&file, shapes[0], file.len - section_size(shapes[0]) + size_field(shapes[0]), 3, 8);
	expect_no_exports(&file, "damaged ELF file: a symbol has no name");
}

/* Archives */

static void put_member(struct strbuf *b, const char *name, const char *text, size_t n)
{
	strbuf_addf(b, "%-16s%-12d%-6d%-6d%-8s%-10zu`\n", name, 0, 0, 0, "644", n);
	strbuf_add(b, text, n);
	if (b->len % 2)
		strbuf_addch(b, '\n');
}

/* "name:text" of each member, then "." at the end, or what is wrong. */
static void list(const struct strbuf *file, struct strbuf *out)
{
	struct strbuf err = { 0 };
	struct ar_member m;
	struct ar a;

	strbuf_clear(out);
	assert_true(ar_open(&a, span_of(file)));
	while (ar_next(&a, &m, &err)) {
		strbuf_addstr(out, m.name);
		strbuf_addch(out, ':');
		strbuf_add(out, m.bytes.p, m.bytes.len);
		strbuf_addch(out, ' ');
	}
	strbuf_adds(out, err.len ? err.s : ".");
	strbuf_release(&err);
}

static void archives(void **state)
{
	struct strbuf gnu = { 0 }, bsd = { 0 }, thin = { 0 }, out = { 0 };

	(void)state;
	strbuf_adds(&gnu, "!<arch>\n");
	put_member(&gnu, "/", "index", 5);
	put_member(&gnu, "//", "a_very_long_name.o/\nanother_long_name.o/\n", 41);
	put_member(&gnu, "a.o/", "AAA", 3);
	put_member(&gnu, "/0", "B", 1);
	put_member(&gnu, "/20", "", 0);
	list(&gnu, &out);
	assert_string_equal(out.s, "a.o:AAA a_very_long_name.o:B another_long_name.o: .");

	strbuf_adds(&bsd, "!<arch>\n");
	put_member(&bsd, "__.SYMDEF", "x", 1);
	put_member(&bsd, "#1/12", "name blank\0\0CC", 14);
	put_member(&bsd, "b.o", "D", 1);
	list(&bsd, &out);
	assert_string_equal(out.s, "name blank:CC b.o:D .");

	strbuf_adds(&thin, "!<thin>\n");
	put_member(&thin, "//", "sub/a.o/\n", 9);
	strbuf_addf(&thin, "%-16s%-32s%-10d`\n", "/0", "0", 12345);
	strbuf_addf(&thin, "%-16s%-32s%-10d`\n", "b.o/", "0", 99);
	list(&thin, &out);
	assert_string_equal(out.s, "sub/a.o: b.o: .");
	strbuf_release(&gnu);
	strbuf_release(&bsd);
	strbuf_release(&thin);
	strbuf_release(&out);
}

static void damaged_archives(void **state)
{
	static const char *const heads[] = { "/99             ", "/x              ", "#1/99           " };
	struct strbuf file = { 0 }, out = { 0 };
	struct ar a;

	(void)state;
	assert_false(ar_open(&a, span_of_text("!<arch>")));
	assert_false(ar_open(&a, span_of_text("!<bare>\n")));
	for (size_t i = 0; i < ARRAY_LEN(heads); i++) {
		strbuf_clear(&file);
		strbuf_adds(&file, "!<arch>\n");
		put_member(&file, heads[i], "text", 4);
		list(&file, &out);
		assert_non_null(strstr(out.s, "damaged archive"));
	}
	strbuf_clear(&file);
	strbuf_adds(&file, "!<arch>\n");
	put_member(&file, "a.o/", "text", 4);
	for (size_t n = 9; n < file.len; n++) {
		struct strbuf cut = { 0 };
		strbuf_add(&cut, file.s, n);
		list(&cut, &out);
		assert_non_null(strstr(out.s, "damaged archive"));
		strbuf_release(&cut);
	}
	file.s[8 + 48] = '-';
	list(&file, &out);
	assert_non_null(strstr(out.s, "damaged archive"));
	strbuf_release(&file);
	strbuf_release(&out);
}

/* Notes */

static void notes_come_back(void **state)
{
	const struct note notes[] = { { NOTE_BITCODE, 0x0123456789abcdef, STR("/a b/x.o.bc") },
				      { NOTE_BITCODE, 0, STR("/") },
				      { NOTE_NONE, 0, STR("/src/bad.c") },
				      { NOTE_ASSEMBLER, 0, STR("/src/fast.S") },
				      { NOTE_OPTIMIZED, 0, STR("/bin/prog") } };
	struct strbuf text = { 0 }, err = { 0 };
	struct note n;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(notes); i++) {
		note_write(&notes[i], &text);
		strbuf_add(&text, "\0\0", i % 3);     /* linkers may fill up */
	}
	struct span rest = span_of(&text);
	for (size_t i = 0; i < ARRAY_LEN(notes); i++) {
		assert_true(note_next(&rest, &n, &err));
		assert_int_equal(n.kind, notes[i].kind);
		assert_true(n.digest == notes[i].digest && str_eq(n.path, notes[i].path));
	}
	assert_false(note_next(&rest, &n, &err));
	assert_int_equal(err.len, 0);
	strbuf_release(&text);
}

static void other_text_is_no_note(void **state)
{
	static const char *const texts[] = { "X /a", "B0123456789abcde /a", "B0123456789abcdeg /a", "N a", "N", "N/a", "B /a" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct span rest = { (const uint8_t *)texts[i], strlen(texts[i]) + 1 };
		struct strbuf err = { 0 };
		struct note n;
		assert_false(note_next(&rest, &n, &err));
		assert_true(err.len > 0);
		strbuf_release(&err);
	}
	struct span rest = span_of_text("N /a");      /* without its end */
	struct strbuf err = { 0 };
	struct note n;
	assert_false(note_next(&rest, &n, &err));
	assert_true(err.len > 0);
	strbuf_release(&err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(builds_are_told_apart),
		cmocka_unit_test(sections_are_found), cmocka_unit_test(sections_are_added), cmocka_unit_test(many_sections),
		cmocka_unit_test(cut_off_anywhere),   cmocka_unit_test(fields_that_lie),    cmocka_unit_test(without_sections),
		cmocka_unit_test(archives),           cmocka_unit_test(damaged_archives),   cmocka_unit_test(notes_come_back),
		cmocka_unit_test(other_text_is_no_note), cmocka_unit_test(exports_are_found),
		cmocka_unit_test(what_is_needed_is_found),
		cmocka_unit_test(exports_that_lie),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
