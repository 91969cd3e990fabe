/* SPDX-License-Identifier: Apache-2.0 */
/* summaries.h - libraries that come as summaries: read and linked with a client; and made. */
#ifndef SESSION_SUMMARIES_H
#define SESSION_SUMMARIES_H

#include "session/cprogram.h"
#include "summary/summary.h"

/* Reads a summary from a file: of either form, or from the section SUMMARY_SECTION of a shared library, object or program, or of
 * what is in an archive. False with a diagnostic, also where there are several; `s` is of no use then. */
#define SUMMARY_SECTION ".sherd.summary"
bool summary_open(struct summary *s, const char *path, struct diag *d);

/* Adds all that the file carries: what is linked from objects that have one each has them all, and so has an archive of them. They are
 * to be released in any case. `is_program` may be NULL. */
typedef VEC(struct summary *) summary_list;
bool summary_open_all(summary_list *out, const char *path, bool *is_program, struct diag *d);
void summary_list_release(summary_list *l);
bool summary_is_file(const char *path);              /* a summary by itself, by its first bytes */

/* The step C_SUMMARIES: links opt.summaries with the program. False with a diagnostic. */
bool summaries_link(struct csession *s);
/* The same with opt.parts, which become a part of the library that is summarized, as modules do. */
bool summaries_join(struct csession *s);

/* Before the library is completed: which of its symbols nobody else may use. */
void summaries_note_inner(struct csession *s);

/* Is the summary made of these modules, all of them? And without any: that it could be read is all. False with a diagnostic. */
bool summary_fits(const struct summary *s, const char *path, const char *const *modules, uint32_t n, struct diag *d);

/* Is the summary made of one of these modules? One that cannot be read is none. */
bool summary_has_module(const struct summary *s, const char *const *modules, uint32_t n);

/* Puts the summary, in binary form, into a shared library, an object or a program, as the section SUMMARY_SECTION; one that is there
 * already is not replaced. It says then which build of the library that is; who opens it in another one is told. Where the library
 * says what it was made of (formats/elf/note.h), the summary is to be of that. The file `to`, which may be the library, is replaced at
 * once. False with a diagnostic, and `to` is as it was. */
bool summary_attach(struct summary *s, const char *library, const char *to, struct diag *d);

/* After C_SUMMARY: what was made, with what it was made from; the session's program is in it then. `name`: the library's; `out`
 * is new. False with a diagnostic when a module cannot be read again. */
bool summary_describe(struct csession *s, const char *name, struct summary *out);

#endif
