/* SPDX-License-Identifier: Apache-2.0 */
/* read.c - a file as an LLVM module: bitcode, bare or wrapped, or assembly. */
#include "bitcode/lower_p.h"

#include <ctype.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/IRReader.h>
#include <string.h>

#include "base/compiler.h"
#include "base/sys/mapfile.h"

#define MAX_FILE ((size_t)1 << 30)       /* LLVM needs ten times as much */
enum { MAX_REASON = 400, MAX_COMMENTS = 1000 };

struct reading {
	struct span bytes;
	const char *path;            /* for messages about assembly */
	bool is_text;
	LLVMContextRef context;
	LLVMModuleRef module;
	struct strbuf reason;
};

/* What a file is. */

static bool has_magic(struct span s, const char *magic, size_t n)
{
	return s.len >= n && memcmp(s.p, magic, n) == 0;
}

static bool is_bitcode(struct span s)
{
	return has_magic(s, "BC\xc0\xde", 4) || has_magic(s, "\xde\xc0\x17\x0b", 4);
}

static const char *const openings[] = { "source_filename", "target ", "define ", "declare ", "attributes ", "module ",
					"@", "%", "!", "$", "^" };

/* Does the first line that is not a comment start as assembly does? */
static bool is_assembly(struct span s)
{
	const char *p = (const char *)s.p, *end = p + s.len;

	for (uint32_t n = 0; n < MAX_COMMENTS && p < end; n++) {
		while (p < end && isspace((unsigned char)*p))
			p++;
		struct str rest = { p, (uint32_t)(end - p > 64 ? 64 : end - p) };
		for (uint32_t i = 0; i < ARRAY_LEN(openings); i++)
			if (str_starts(rest, openings[i]))
				return !str_starts(rest, "!<");          /* an archive */
		if (p == end || *p != ';')
			return p == end && n > 0;        /* only comments: an empty module */
		p = memchr(p, '\n', (size_t)(end - p));
		if (!p)
			return true;
	}
	return false;
}

static bool is_text(struct span s)
{
	return memchr(s.p, 0, s.len < 512 ? s.len : 512) == NULL;
}

static void say_what_it_is(struct span s, const char *path, struct diag *d)
{
	const char *what = "is neither LLVM bitcode nor LLVM assembly";
	const char *fix = "compile the program with `sherd cc`, or with clang -emit-llvm -c -g";

	if (has_magic(s, "\x7f" "ELF", 4)) {
		what = "is machine code (ELF), not bitcode";
		fix = "compile the program with `sherd cc`, then name what `sherd modules` finds in it";
	} else if (has_magic(s, "!<arch>\n", 8) || has_magic(s, "!<thin>\n", 8)) {
		what = "is an archive, not a module";
		fix = "name its modules: `sherd modules` finds them when it was compiled with `sherd cc`";
	} else if (has_magic(s, "\xca\xfe\xba\xbe", 4) || has_magic(s, "PK\3\4", 4)) {
		what = "is a class file or a jar";
		fix = "this verb is for C; others read class paths";
	} else if (s.len == 0) {
		what = "is empty";
	} else if (str_ends(str_of(path), ".c") || str_ends(str_of(path), ".h") || s.p[0] == '#' || s.p[0] == '/') {
		what = "is source, not bitcode";
	}
	diag_add(d, DIAG_E061, path, (struct str){ 0 }, DIAG_NO_OFFSET, "%s; %s", what, fix);
}

/* Reading. */

static void keep_message(LLVMDiagnosticInfoRef info, void *ctx)
{
	struct reading *r = ctx;
	char *text = LLVMGetDiagInfoDescription(info);

	if (LLVMGetDiagInfoSeverity(info) == LLVMDSError && r->reason.len < MAX_REASON)
		strbuf_adds(&r->reason, text);
	LLVMDisposeMessage(text);
}

static void verify(struct reading *r)
{
	char *message = NULL;

	/* LLVM has done it already when there is debug information. */
	if (!r->module || LLVMGetModuleDebugMetadataVersion(r->module) == LLVMDebugMetadataVersion())
		return;
	if (LLVMVerifyModule(r->module, LLVMReturnStatusAction, &message)) {
		strbuf_adds(&r->reason, message);
		r->module = NULL;
	}
	LLVMDisposeMessage(message);
}

static void parse(struct reading *r)
{
	const char *start = (const char *)r->bytes.p;
	char *message = NULL;

	r->context = LLVMContextCreate();
	LLVMContextSetDiagnosticHandler(r->context, keep_message, r);
	if (r->is_text) {                        /* wants a NUL behind it; takes the copy */
		LLVMMemoryBufferRef copied = LLVMCreateMemoryBufferWithMemoryRangeCopy(start, r->bytes.len, r->path);

		if (LLVMParseIRInContext(r->context, copied, &r->module, &message))
			r->module = NULL;
		if (message)
			strbuf_adds(&r->reason, message);
		LLVMDisposeMessage(message);
	} else {
		LLVMMemoryBufferRef in = LLVMCreateMemoryBufferWithMemoryRange(start, r->bytes.len, "module", 0);

		if (LLVMParseBitcodeInContext2(r->context, in, &r->module))
			r->module = NULL;
		LLVMDisposeMemoryBuffer(in);
	}
	verify(r);
}

static uint32_t major_of(struct str producer)
{
	uint32_t n = 0;

	if (!str_starts(producer, "LLVM"))
		return 0;
	for (uint32_t i = 4; i < producer.len && isdigit((unsigned char)producer.p[i]) && n < 10000; i++)
		n = n * 10 + (uint32_t)(producer.p[i] - '0');
	return n;
}

/* One line, and not too long. */
static void tidy(struct strbuf *b)
{
	for (size_t i = 0; i < b->len; i++)
		if (b->s[i] == '\n' || (unsigned char)b->s[i] < 32) {
			b->s[i] = 0;
			b->len = i;
		}
	if (b->len > MAX_REASON)
		b->s[b->len = MAX_REASON] = 0;
}

static void complain(struct span bytes, const char *path, struct strbuf *reason, struct diag *d)
{
	char buf[64];
	bool is_text = !is_bitcode(bytes);
	struct str producer = is_text ? (struct str){ 0 } : bitfile_producer(bytes, buf, sizeof(buf));

	tidy(reason);
	if (major_of(producer) > LLVM_VERSION_MAJOR)
		diag_add(d, DIAG_E062, path, (struct str){ 0 }, DIAG_NO_OFFSET,
			 "written by %s, but this sherd reads what LLVM " LLVM_VERSION_STRING " and older write; compile with an "
			 "older clang, or build sherd with that LLVM", buf);
	else if (str_starts(strbuf_str(reason), "Incompatible epoch"))
		diag_add(d, DIAG_E062, path, (struct str){ 0 }, DIAG_NO_OFFSET,
			 "written by another LLVM%s%s, whose format this sherd, with LLVM " LLVM_VERSION_STRING ", does not read; compile it "
			 "again with that version of clang", producer.len ? ", " : "", producer.len ? buf : "");
	else
		diag_add(d, DIAG_E060, path, (struct str){ 0 }, DIAG_NO_OFFSET, "damaged %s: %s; compile it again",
			 is_text ? "assembly" : "bitcode", reason->len ? reason->s : "LLVM gave up on it");
}

static LLVMModuleRef read_bytes(struct span bytes, const char *path, struct diag *d)
{
	struct reading r = { .bytes = bytes, .path = path, .is_text = !is_bitcode(bytes) };

	if (bytes.len > MAX_FILE) {
		diag_add(d, DIAG_E060, path, (struct str){ 0 }, DIAG_NO_OFFSET, "larger than 1 GiB; name the modules one by one");
		return NULL;
	}
	if (r.is_text && (bytes.len == 0 || !is_text(bytes) || !is_assembly(bytes))) {
		say_what_it_is(bytes, path, d);
		return NULL;
	}
	parse(&r);
	if (!r.module) {
		complain(bytes, path, &r.reason, d);
		LLVMContextDispose(r.context);
	}
	strbuf_release(&r.reason);
	return r.module;
}

static bool open_file(struct mapfile *file, const char *path, struct diag *d)
{
	if (mapfile_open(file, path))
		return true;
	diag_add(d, DIAG_E060, path, (struct str){ 0 }, DIAG_NO_OFFSET, "cannot be opened: %s", mapfile_why());
	return false;
}

LLVMModuleRef bitfile_read(const char *path, struct diag *d)
{
	struct mapfile file;
	LLVMModuleRef m;

	if (!open_file(&file, path, d))
		return NULL;
	m = read_bytes(file.bytes, path, d);
	mapfile_close(&file);
	return m;
}

void bitfile_complain(const char *path, struct str reason, struct diag *d)
{
	struct strbuf text = { 0 };
	struct mapfile file;

	if (!open_file(&file, path, d))
		return;
	strbuf_addstr(&text, reason);
	complain(file.bytes, path, &text, d);
	strbuf_release(&text);
	mapfile_close(&file);
}

void bitfile_close(LLVMModuleRef m)
{
	LLVMContextRef c = LLVMGetModuleContext(m);

	LLVMDisposeModule(m);
	LLVMContextDispose(c);
}
