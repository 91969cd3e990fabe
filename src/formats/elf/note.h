/* SPDX-License-Identifier: Apache-2.0 */
/* note.h - what `sherd cc` leaves in the section .sherd_bc of objects: which bitcode they were compiled to. Linkers
 * put the sections of their inputs together, so programs, shared libraries and archives have the notes of all their
 * objects.
 *
 *  * A note is text that ends with a zero byte: "B", the digest of the bitcode as 16 hexadecimal digits, a blank
 * and its absolute path; or "N", "A" or "L", a blank and the absolute path of a source or program. */
#ifndef FORMATS_ELF_NOTE_H
#define FORMATS_ELF_NOTE_H

#include "base/strbuf.h"

#define NOTE_SECTION ".sherd_bc"

enum note_kind {
	NOTE_BITCODE,
	NOTE_NONE,                    /* a source that clang could not compile */
	NOTE_ASSEMBLER,               /* a source in assembler */
	NOTE_OPTIMIZED                /* a program of objects whose notes linkers lose: of link-time optimization */
};

struct note {
	enum note_kind kind;
	uint64_t digest;              /* digest_add() of all bytes of the bitcode */
	struct str path;              /* borrowed */
};

void note_write(const struct note *n, struct strbuf *out);

/* The next note of `*rest`, which is then behind it. False at the end, and, with a sentence in `err`, where there
 * is text that is no note. */
bool note_next(struct span *rest, struct note *out, struct strbuf *err);

#endif
