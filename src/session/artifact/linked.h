/* SPDX-License-Identifier: Apache-2.0 */
/* linked.h - which libraries a program is linked with, and which of them carry a summary. */
#ifndef SESSION_ARTIFACT_LINKED_H
#define SESSION_ARTIFACT_LINKED_H

#include "base/diag.h"
#include "session/artifact/bitcode_files.h"

/* The files of an analysis, as users name them: modules as they are; a program, library or object that sherd cc built stands for its
 * bitcode, and, with `linked`, for the summaries of the libraries that it is linked with. Paths are in `mem`, or borrowed. */
struct c_files {
	struct arena mem;
	file_list modules, summaries;
	uint32_t programs;           /* how many of the files are ELF files */
};
void c_files_init(struct c_files *f);
void c_files_release(struct c_files *f);
/* False, with a diagnostic, when a program cannot be read, or has no bitcode. */
bool c_files_add(struct c_files *f, const char *path, bool linked, struct diag *d);

/* Adds the libraries that a program or shared library needs, and those that these need, as far as they are found and carry a summary
 * (SUMMARY_SECTION of session/summaries.h): in the folders that the files name, in LD_LIBRARY_PATH, and where the system has them. A
 * program itself is added, too, if objects that it was linked from carry any. Paths are in `mem`, each once. False, with a sentence in
 * `err`, when the program cannot be read. */
bool linked_summaries(const char *program, struct arena *mem, file_list *out, struct strbuf *err);

#endif
