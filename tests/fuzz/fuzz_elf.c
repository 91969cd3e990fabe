// SPDX-License-Identifier: Apache-2.0
// links: base formats/elf
/* fuzz_elf.c - any bytes as an ELF file, an archive, and notes about bitcode. */
#include "base/compiler.h"
#include "formats/elf/ar.h"
#include "formats/elf/elf.h"
#include "formats/elf/note.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use_notes(struct span rest)
{
	struct strbuf err = { 0 }, text = { 0 };
	struct note n;
	size_t before = rest.len;

	while (note_next(&rest, &n, &err)) {
		if (rest.len >= before)
			BUG("a note has no length");
		before = rest.len;
		strbuf_clear(&text);
		note_write(&n, &text);
		if (memcmp(text.s, rest.p - text.len, text.len) != 0)
			BUG("a note is written otherwise than it was read");
	}
	strbuf_release(&err);
	strbuf_release(&text);
}

static void use_name(void *ctx, struct str name)
{
	*(size_t *)ctx += strnlen(name.p, name.len) + 1;
}

static void look(void *ctx, enum elf_told what, struct str name)
{
	volatile char last = name.len ? name.p[name.len - 1] : 0;

	(void)ctx, (void)what, (void)last;
}

static void use_elf(struct span file)
{
	static const uint8_t more[] = "N /x";
	struct strbuf err = { 0 }, out = { 0 };
	struct span section, again;
	size_t total = 0;
	bool ok = elf_section(file, NOTE_SECTION, &section, &err);

	if (ok && section.p)
		use_notes(section);
	if (!ok && !err.len)
		BUG("refused without a reason");
	strbuf_clear(&err);
	if (!elf_build(file, &out, &err) && !err.len)
		BUG("its build refused without a reason");
	strbuf_clear(&err);
	strbuf_clear(&out);
	if (!elf_exports(file, use_name, &total, &err) && !err.len)
		BUG("symbols refused without a reason");
	strbuf_clear(&err);
	if (!elf_dynamic(file, look, NULL, &err) && !err.len)
		BUG("libraries refused without a reason");
	if (elf_extend(file, NOTE_SECTION, (struct span){ more, sizeof(more) }, &out, &err)) {
		if (!ok || out.len < file.len + sizeof(more))
			BUG("extended what cannot be read");
		elf_section((struct span){ (const uint8_t *)out.s, out.len }, NOTE_SECTION, &again, &err);
	} else if (out.len) {
		BUG("half of a file");
	}
	strbuf_release(&err);
	strbuf_release(&out);
}

static void use_archive(struct span file)
{
	struct strbuf err = { 0 };
	struct ar_member m;
	struct ar a;
	size_t total = 0;

	if (!ar_open(&a, file))
		return;
	while (ar_next(&a, &m, &err)) {
		total += m.bytes.len;
		if (elf_is(m.bytes))
			use_elf(m.bytes);
	}
	if (total > file.len)
		BUG("members are larger than the archive");
	strbuf_release(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span file = { data, size };

	use_archive(file);
	use_elf(file);
	use_notes(file);
	return 0;
}
