/* SPDX-License-Identifier: Apache-2.0 */
/* elf.c - see the System V ABI, chapter 4 ("Object Files"). */
#include "formats/elf/elf.h"

#include <inttypes.h>

#include "base/digest.h"
#include "base/reader.h"

enum { FILE_PROGRAM = 2, FILE_SHARED = 3 };
enum { NOTE_BUILD_ID = 3, BUILD_ID_MOST = 64, NAME_SIZE = 4 };
enum { IDENT = 16, CLASS_64 = 2, BIG_ENDIAN_DATA = 2, TYPE_PROGBITS = 1, TYPE_DYNAMIC = 6, TYPE_NOBITS = 8, TYPE_DYNSYM = 11 };
enum { TAG_NEEDED = 1, TAG_RPATH = 15, TAG_RUNPATH = 29 };
enum { BIND_GLOBAL = 1, BIND_WEAK = 2, BIND_UNIQUE = 10, VISIBLE_DEFAULT = 0, VISIBLE_PROTECTED = 3 };
enum { NUMBERS_RESERVED = 0xff00, NUMBER_ELSEWHERE = 0xffff };
#define FLAG_COMPRESSED 0x800u

/* A number in a file or in a header: where it is, and how many bytes it has. */
struct place {
	size_t at;
	unsigned size;
};

/* Where the fields are: offsets into the file's header, into a section's, and into a symbol. */
struct layout {
	struct place shoff, shentsize, shnum, shstrndx;
	struct place name, type, flags, offset, size, link, addralign;
	struct place symbol_name, symbol_info, symbol_other, symbol_section;
	size_t header, section, symbol;       /* sizes */
};

static const struct layout layout32 = {
	.shoff = { 32, 4 }, .shentsize = { 46, 2 }, .shnum = { 48, 2 }, .shstrndx = { 50, 2 },
	.name = { 0, 4 }, .type = { 4, 4 }, .flags = { 8, 4 }, .offset = { 16, 4 }, .size = { 20, 4 },
	.link = { 24, 4 }, .addralign = { 32, 4 }, .header = 52, .section = 40,
	.symbol_name = { 0, 4 }, .symbol_info = { 12, 1 }, .symbol_other = { 13, 1 }, .symbol_section = { 14, 2 }, .symbol = 16,
};
static const struct layout layout64 = {
	.shoff = { 40, 8 }, .shentsize = { 58, 2 }, .shnum = { 60, 2 }, .shstrndx = { 62, 2 },
	.name = { 0, 4 }, .type = { 4, 4 }, .flags = { 8, 8 }, .offset = { 24, 8 }, .size = { 32, 8 },
	.link = { 40, 4 }, .addralign = { 48, 8 }, .header = 64, .section = 64,
	.symbol_name = { 0, 4 }, .symbol_info = { 4, 1 }, .symbol_other = { 5, 1 }, .symbol_section = { 6, 2 }, .symbol = 24,
};

struct elf {
	struct span file;
	const struct layout *at;
	bool is_big;
	size_t table;                 /* offset of the section headers; all `count` of them are inside the file */
	uint64_t count;               /* 0: the file has no sections */
	uint64_t names;               /* number of the section with the names; below `count` */
};

bool elf_is(struct span file)
{
	return file.len >= IDENT && memcmp(file.p, "\177ELF", 4) == 0;
}

/* Numbers */

static uint64_t get(const struct elf *e, const uint8_t *base, struct place f)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < f.size; i++)
		v = v << 8 | base[f.at + (e->is_big ? i : f.size - 1 - i)];
	return v;
}

static void put(const struct elf *e, uint8_t *base, struct place f, uint64_t v)
{
	for (unsigned i = 0; i < f.size; i++)
		base[f.at + (e->is_big ? f.size - 1 - i : i)] = (uint8_t)(v >> 8 * i);
}

static const uint8_t *section_header(const struct elf *e, uint64_t i)
{
	return e->file.p + e->table + (size_t)i * e->at->section;
}

static uint64_t section_field(const struct elf *e, uint64_t i, struct place f)
{
	return get(e, section_header(e, i), f);
}

/* Reading */

static bool fail(struct strbuf *err, const char *sentence)
{
	strbuf_adds(err, sentence);
	return false;
}

static bool is_inside(const struct elf *e, uint64_t at, uint64_t len)
{
	return at <= e->file.len && len <= e->file.len - at;
}

/* Large numbers do not fit into the file's header: they are in the first section's, which is otherwise unused. */
static bool read_counts(struct elf *e, struct strbuf *err)
{
	const uint8_t *h = e->file.p;

	e->count = get(e, h, e->at->shnum);
	e->names = get(e, h, e->at->shstrndx);
	if (e->count == 0)
		e->count = section_field(e, 0, e->at->size);
	if (e->names == NUMBER_ELSEWHERE)
		e->names = section_field(e, 0, e->at->link);
	if (e->count > (e->file.len - e->table) / e->at->section)
		return fail(err, "damaged ELF file: its section headers end behind it");
	if (e->names >= e->count && e->count)
		return fail(err, "damaged ELF file: no section has the names");
	return true;
}

static bool elf_open(struct elf *e, struct span file, struct strbuf *err)
{
	if (!elf_is(file))
		return fail(err, "not an ELF file");
	*e = (struct elf){ .file = file, .at = file.p[4] == CLASS_64 ? &layout64 : &layout32,
			   .is_big = file.p[5] == BIG_ENDIAN_DATA };
	if (file.len < e->at->header)
		return fail(err, "damaged ELF file: shorter than its header");
	uint64_t table = get(e, file.p, e->at->shoff);
	if (table == 0)
		return true;
	if (get(e, file.p, e->at->shentsize) != e->at->section || !is_inside(e, table, e->at->section))
		return fail(err, "damaged ELF file: no section headers where they should be");
	e->table = (size_t)table;
	return read_counts(e, err);
}

/* Sections without bytes in the file are empty here. */
static bool section_bytes(const struct elf *e, uint64_t i, struct span *out, struct strbuf *err)
{
	uint64_t at = section_field(e, i, e->at->offset), len = section_field(e, i, e->at->size);

	*out = (struct span){ e->file.p, 0 };
	if (section_field(e, i, e->at->type) == TYPE_NOBITS)
		return true;
	if (!is_inside(e, at, len))
		return fail(err, "damaged ELF file: a section ends behind it");
	*out = (struct span){ e->file.p + at, (size_t)len };
	return true;
}

static bool is_named(struct span names, uint64_t at, const char *name)
{
	size_t n = strlen(name) + 1;

	return at <= names.len && n <= names.len - at && memcmp(names.p + at, name, n) == 0;
}

/* Its number in `found`, 0: there is none. */
static bool find_section(const struct elf *e, const char *name, uint64_t *found, struct strbuf *err)
{
	struct span names;

	*found = 0;
	if (e->count == 0)
		return true;
	if (!section_bytes(e, e->names, &names, err))
		return false;
	for (uint64_t i = 1; i < e->count && !*found; i++)
		if (is_named(names, section_field(e, i, e->at->name), name))
			*found = i;
	if (*found && section_field(e, *found, e->at->flags) & FLAG_COMPRESSED)
		return fail(err, "its list of bitcode is compressed");
	return true;
}

bool elf_section(struct span file, const char *name, struct span *out, struct strbuf *err)
{
	struct elf e;
	uint64_t i;

	*out = (struct span){ 0 };
	if (!elf_open(&e, file, err) || !find_section(&e, name, &i, err))
		return false;
	return i == 0 || section_bytes(&e, i, out, err);
}

bool elf_is_program(struct span file)
{
	struct strbuf err = { 0 };
	struct span interpreter = { 0 };
	struct elf e;
	bool is = elf_open(&e, file, &err) && (get(&e, file.p, (struct place){ IDENT, 2 }) == FILE_PROGRAM ||
					       (elf_section(file, ".interp", &interpreter, &err) && interpreter.len));

	strbuf_release(&err);
	return is;
}

/* Which build */

static uint32_t get_word(const struct elf *e, struct span s, size_t at)
{
	return (uint32_t)get(e, s.p, (struct place){ at, 4 });
}

/* The first note of the section, which linkers write as the only one. */
static void add_build_id(const struct elf *e, struct span note, struct strbuf *out)
{
	if (note.len < 12 + NAME_SIZE || get_word(e, note, 0) != NAME_SIZE || get_word(e, note, 8) != NOTE_BUILD_ID ||
	    memcmp(note.p + 12, "GNU", NAME_SIZE) != 0)
		return;
	uint32_t n = get_word(e, note, 4);
	if (!n || n > BUILD_ID_MOST || n > note.len - 12 - NAME_SIZE)
		return;
	strbuf_adds(out, "build-id ");
	for (uint32_t i = 0; i < n; i++)
		strbuf_addf(out, "%02x", note.p[12 + NAME_SIZE + i]);
}

static bool add_code_digest(struct span file, struct strbuf *out, struct strbuf *err)
{
	static const char *const names[] = { ".text", ".rodata", ".data" };
	uint64_t digest = DIGEST_START, len = 0;
	struct span bytes;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!elf_section(file, names[i], &bytes, err))
			return false;
		digest = digest_add(digest_u32(digest, (uint32_t)bytes.len), bytes.p, bytes.len);
		len += bytes.len;
	}
	if (len)
		strbuf_addf(out, "code %016" PRIx64, digest);
	return true;
}

bool elf_build(struct span file, struct strbuf *out, struct strbuf *err)
{
	size_t before = out->len;
	struct span note;
	struct elf e;

	if (!elf_open(&e, file, err))
		return false;
	uint64_t type = get(&e, file.p, (struct place){ IDENT, 2 });
	if (type != FILE_PROGRAM && type != FILE_SHARED)
		return true;
	if (!elf_section(file, ".note.gnu.build-id", &note, err))
		return false;
	add_build_id(&e, note, out);
	return out->len > before || add_code_digest(file, out, err);
}

/* Symbols */

static bool is_exported(const struct elf *e, const uint8_t *symbol)
{
	uint64_t bind = get(e, symbol, e->at->symbol_info) >> 4, visible = get(e, symbol, e->at->symbol_other) & 3;

	return (bind == BIND_GLOBAL || bind == BIND_WEAK || bind == BIND_UNIQUE) &&
	       (visible == VISIBLE_DEFAULT || visible == VISIBLE_PROTECTED) && get(e, symbol, e->at->symbol_section) != 0;
}

static bool name_at(struct span names, uint64_t at, struct str *out)
{
	const uint8_t *end = at < names.len ? memchr(names.p + at, 0, names.len - (size_t)at) : NULL;

	if (!end || (size_t)(end - names.p) - (size_t)at > UINT32_MAX)
		return false;
	*out = (struct str){ (const char *)names.p + at, (uint32_t)(end - (names.p + at)) };
	return true;
}

static bool symbol_name(const struct elf *e, const uint8_t *symbol, struct span names, struct str *out, struct strbuf *err)
{
	return name_at(names, get(e, symbol, e->at->symbol_name), out) || fail(err, "damaged ELF file: a symbol has no name");
}

/* A section of this type, and the one with its names; *at is 0 when there is none. */
static bool find_with_names(const struct elf *e, uint64_t type, uint64_t *at, struct span *rows, struct span *names, struct strbuf *err)
{
	uint64_t i = 1;

	*at = 0;
	while (i < e->count && section_field(e, i, e->at->type) != type)
		i++;
	if (i >= e->count)
		return true;
	*at = i;
	uint64_t of_names = section_field(e, i, e->at->link);
	if (of_names >= e->count)
		return fail(err, "damaged ELF file: symbols without names");
	return section_bytes(e, i, rows, err) && section_bytes(e, of_names, names, err);
}

static bool find_symbols(const struct elf *e, struct span *symbols, struct span *names, struct strbuf *err)
{
	uint64_t at;

	if (!find_with_names(e, TYPE_DYNSYM, &at, symbols, names, err))
		return false;
	return at || fail(err, "the ELF file has no dynamic symbols: it is not a shared library");
}

bool elf_exports(struct span file, void (*each)(void *ctx, struct str name), void *ctx, struct strbuf *err)
{
	struct span symbols, names;
	struct elf e;
	struct str name;

	if (!elf_open(&e, file, err) || !find_symbols(&e, &symbols, &names, err))
		return false;
	for (size_t i = 1; i < symbols.len / e.at->symbol; i++) {
		const uint8_t *symbol = symbols.p + i * e.at->symbol;
		if (!is_exported(&e, symbol))
			continue;
		if (!symbol_name(&e, symbol, names, &name, err))
			return false;
		each(ctx, name);
	}
	return true;
}

/* What the linker at run time is told: pairs of a tag and a number, each as wide as an address. */
static bool told(struct span names, uint64_t tag, uint64_t value,
		 void (*each)(void *ctx, enum elf_told what, struct str name), void *ctx, struct strbuf *err)
{
	struct str name;

	if (tag != TAG_NEEDED && tag != TAG_RPATH && tag != TAG_RUNPATH)
		return true;
	if (!name_at(names, value, &name))
		return fail(err, "damaged ELF file: a library that it needs has no name");
	each(ctx, tag == TAG_NEEDED ? ELF_NEEDED : ELF_FOLDERS, name);
	return true;
}

bool elf_dynamic(struct span file, void (*each)(void *ctx, enum elf_told what, struct str name), void *ctx, struct strbuf *err)
{
	struct span rows = { 0 }, names = { 0 };
	struct elf e;
	uint64_t at;
	bool ok = elf_open(&e, file, err) && find_with_names(&e, TYPE_DYNAMIC, &at, &rows, &names, err);
	unsigned wide = ok && e.at == &layout64 ? 8 : 4;

	for (size_t i = 0; ok && rows.p && i + 2 * wide <= rows.len; i += 2 * wide)
		ok = told(names, get(&e, rows.p + i, (struct place){ 0, wide }), get(&e, rows.p + i, (struct place){ wide, wide }), each,
			  ctx, err);
	return ok;
}

/* Writing. What is new comes behind the old bytes, and headers are changed to point there: no other offset moves. */

struct writing {
	struct elf e;
	struct strbuf *out;
	size_t start;                 /* of the copy in `out` */
};

static uint8_t *copy_at(struct writing *w, size_t at)
{
	return (uint8_t *)w->out->s + w->start + at;
}

/* The offset at which the next bytes will be. */
static size_t copy_end(const struct writing *w)
{
	return w->out->len - w->start;
}

static void pad_copy(struct writing *w)
{
	while (copy_end(w) % 8)
		strbuf_addch(w->out, 0);
}

static size_t append(struct writing *w, struct span s)
{
	size_t at = copy_end(w);

	strbuf_add(w->out, s.p, s.len);
	return at;
}

static bool extend_section(struct writing *w, uint64_t i, struct span more, struct strbuf *err)
{
	const struct elf *e = &w->e;
	struct span before;

	if (!section_bytes(e, i, &before, err))
		return false;
	append(w, e->file);
	pad_copy(w);
	size_t at = append(w, before);
	append(w, more);
	uint8_t *header = copy_at(w, e->table + (size_t)i * e->at->section);
	put(e, header, e->at->offset, at);
	put(e, header, e->at->size, before.len + more.len);
	return true;
}

/* The names with one more; some files keep names of symbols there, too, so nothing in front of it moves. */
static uint64_t add_name(struct writing *w, struct span names, const char *name, size_t *at)
{
	*at = append(w, names);
	strbuf_add(w->out, name, strlen(name) + 1);
	return names.len;
}

static void set_count(struct writing *w, size_t table, uint64_t count)
{
	const struct elf *e = &w->e;
	bool fits = count < NUMBERS_RESERVED;

	put(e, copy_at(w, 0), e->at->shoff, table);
	put(e, copy_at(w, 0), e->at->shnum, fits ? count : 0);
	if (!fits)
		put(e, copy_at(w, table), e->at->size, count);
}

static bool add_section(struct writing *w, const char *name, struct span more, struct strbuf *err)
{
	const struct elf *e = &w->e;
	const struct layout *l = e->at;
	struct span names;
	size_t names_at;

	if (e->count == 0)
		return fail(err, "the file has no sections");
	if (!section_bytes(e, e->names, &names, err))
		return false;
	append(w, e->file);
	size_t at = append(w, more);
	uint64_t name_at = add_name(w, names, name, &names_at);
	size_t names_len = copy_end(w) - names_at;
	pad_copy(w);
	size_t table = append(w, (struct span){ section_header(e, 0), (size_t)e->count * l->section });
	static const uint8_t zeroes[64];
	size_t added = append(w, (struct span){ zeroes, l->section });

	uint8_t *header = copy_at(w, table + (size_t)e->names * l->section);
	put(e, header, l->offset, names_at);
	put(e, header, l->size, names_len);
	header = copy_at(w, added);
	put(e, header, l->name, name_at);
	put(e, header, l->type, TYPE_PROGBITS);
	put(e, header, l->offset, at);
	put(e, header, l->size, more.len);
	put(e, header, l->addralign, 1);
	set_count(w, table, e->count + 1);
	return true;
}

/* Offsets must fit: files of 32 bits end before 4 GB, the names before that, too. */
static bool fits(const struct elf *e, struct span more, struct strbuf *err)
{
	uint64_t most = e->at == &layout32 ? UINT32_MAX : INT64_MAX;

	if (e->file.len > most / 4 || more.len > most / 4)
		return fail(err, "the file is too large");
	return true;
}

bool elf_extend(struct span file, const char *name, struct span more, struct strbuf *out, struct strbuf *err)
{
	struct writing w = { .out = out, .start = out->len };
	uint64_t i;

	if (!elf_open(&w.e, file, err) || !find_section(&w.e, name, &i, err) || !fits(&w.e, more, err))
		return false;
	return i ? extend_section(&w, i, more, err) : add_section(&w, name, more, err);
}
