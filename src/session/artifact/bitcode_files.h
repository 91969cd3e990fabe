/* SPDX-License-Identifier: Apache-2.0 */
/* bitcode_files.h - which bitcode belongs to what was built: to a program, a library, an object or a folder.
 * Objects that `sherd cc` compiled have notes about it (formats/elf/note.h). */
#ifndef SESSION_ARTIFACT_BITCODE_FILES_H
#define SESSION_ARTIFACT_BITCODE_FILES_H

#include "base/mem.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "formats/compdb/compdb.h"
#include "formats/elf/note.h"

typedef VEC(const char *) file_list;

/* Paths are absolute and in `mem`; after bitcode_files_sort, sorted and each once. */
struct bitcode_files {
	struct arena mem;
	file_list files;              /* bitcode that is there */
	file_list missing;            /* noted, but no file */
	file_list changed;            /* some of `files`: not the bitcode of the object that is there now */
	file_list none;               /* sources that clang could not compile */
	file_list assembler;          /* sources that have no bitcode */
	file_list optimized;          /* programs of link-time optimization: they may have more bitcode than they know */
};

void bitcode_files_init(struct bitcode_files *f);
void bitcode_files_release(struct bitcode_files *f);

/* Adds what belongs to `path`: an ELF file or archive, libtool's script for a program, bitcode itself, or a folder, of
 * which every file *.bc with bitcode counts, in subfolders, too. False, with a sentence in `err`, when it cannot be read or has nothing. */
bool bitcode_files_add(struct bitcode_files *f, const char *path, struct strbuf *err);
/* Adds one file of bitcode; false when there is none. */
bool bitcode_files_add_file(struct bitcode_files *f, const char *path);
void bitcode_files_sort(struct bitcode_files *f);

/* Adds notes to an ELF file, which is replaced at once; objects of another kind, for optimization by linkers, stay
 * without. The paths of notes end with a zero byte here, and the digests are computed. False, with a sentence in
 * `err` and the file as it was, when it cannot be done. */
bool bitcode_files_note(const char *path, struct note *notes, uint32_t n, struct strbuf *err);

/* The entries of a compile_commands.json; false, with a sentence in `err`. */
bool bitcode_files_commands(const char *path, struct arena *mem, compdb *out, struct strbuf *err);

#endif
