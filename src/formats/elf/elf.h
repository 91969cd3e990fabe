/* SPDX-License-Identifier: Apache-2.0 */
/* elf.h - one section of an ELF file, by its name: read, and added; which build it is; what a shared library exports. 32 and 64 bits, both
 * byte orders; objects, shared libraries and programs. Nothing else of a file is understood, and nothing of it is trusted. */
#ifndef FORMATS_ELF_ELF_H
#define FORMATS_ELF_ELF_H

#include "base/strbuf.h"

bool elf_is(struct span file);                  /* by its first bytes */
bool elf_is_program(struct span file);          /* one to be started: at a fixed address, or with an interpreter */

/* The bytes of the section called `name`, borrowed from `file`; {NULL, 0} when there is none. Of several with that
 * name, the first. False, with a sentence in `err`, when the file is damaged. */
bool elf_section(struct span file, const char *name, struct span *out, struct strbuf *err);

/* Appends to `out` a copy of `file` in which the section `name` has `more` behind what it had; where there is none,
 * it is added as the last one. Such a section is not loaded at run time; linkers put those of their inputs
 * together. All other sections and their numbers stay. False, with a sentence in `err` and nothing added, when the
 * file is damaged. */
bool elf_extend(struct span file, const char *name, struct span more, struct strbuf *out, struct strbuf *err);

/* Which build of a shared library or program it is, appended to `out`: "build-id 5a1e..." as linkers note it, or without that
 * "code 0123456789abcdef", a digest of its code and constants. Stripping the file and adding sections change neither. Nothing for
 * objects, and for what has no code. False, with a sentence in `err`, when the file is damaged. */
bool elf_build(struct span file, struct strbuf *out, struct strbuf *err);

/* Calls `each` with the name of every dynamic symbol that others can name: defined, global or weak, and neither hidden nor
 * internal. Names are borrowed from `file`, without versions. False, with a sentence in `err`, when the file is damaged or has no
 * dynamic symbols; `each` may have been called before. */
bool elf_exports(struct span file, void (*each)(void *ctx, struct str name), void *ctx, struct strbuf *err);

/* Calls `each` with what the linker at run time is told: names of libraries that the file needs, and lists of folders, separated by ':',
 * in which they are. Borrowed from `file`. Nothing for a file that is not linked dynamically. False, with a sentence in `err`, when
 * the file is damaged; `each` may have been called before. */
enum elf_told { ELF_NEEDED, ELF_FOLDERS };
bool elf_dynamic(struct span file, void (*each)(void *ctx, enum elf_told what, struct str name), void *ctx, struct strbuf *err);

#endif
