/* SPDX-License-Identifier: Apache-2.0 */
/* archive.h - class path elements as named byte spans: directories, zip files (jar, jmod, war) and the
 * JDK's image (lib/modules). The file is mapped; entries are inflated when read. All input is hostile:
 * names that leave the archive, duplicates, bombs and damaged entries are diagnosed and skipped. */
#ifndef FORMATS_ARCHIVE_H
#define FORMATS_ARCHIVE_H

#include "base/diag.h"
#include "base/span.h"

enum archive_kind { ARCHIVE_DIR, ARCHIVE_ZIP, ARCHIVE_JIMAGE };

/* No entry may be larger than this when inflated; a zip entry also not larger than 1,032 times (the
 * limit of deflate) its stored size. */
#define ARCHIVE_ENTRY_LIMIT (64u * 1024 * 1024)

struct archive;

/* Opens a path by looking at its content, not its name. `release` is the feature version of the JDK
 * (17): a multi-release jar (manifest `Multi-Release: true`) then shows the entries of
 * META-INF/versions/9..release under their plain names; 8 or less shows only the base entries.
 * Returns NULL and adds to `d` when the path cannot be used at all. Free with archive_close(). */
struct archive *archive_open(const char *path, int release, struct diag *d);
/* The same for a path that the user did not name: a directory shows no more than *left files and folders, which is counted down. At 0
 * the rest was not looked at. */
struct archive *archive_open_within(const char *path, int release, uint32_t *left, struct diag *d);
/* The same over bytes in memory that outlive the archive (nested jars, fuzzers); zip or jimage. */
struct archive *archive_open_bytes(struct span bytes, const char *path, int release, struct diag *d);
void archive_close(struct archive *a);

enum archive_kind archive_kind(const struct archive *a);
const char *archive_path(const struct archive *a);

/* Entries are numbered from 1, in file order (directories: sorted by name). */
uint32_t archive_count(const struct archive *a);

/* The entry that defines class `name` ("java/lang/Object"), or 0. Class entries are `name.class` in
 * jars and directories, `classes/name.class` in jmods, `/module/name.class` in an image, and
 * `BOOT-INF/classes/` or `WEB-INF/classes/` below those folders. O(1). */
uint32_t archive_find_class(const struct archive *a, struct str name);
uint32_t archive_find(const struct archive *a, struct str resource);    /* "META-INF/MANIFEST.MF" */

/* The class that entry `e` would define, by its name, or an empty string when it is no class file
 * (also for module-info, package-info and META-INF). Points into the archive or into `tmp`. */
struct str archive_class_name(const struct archive *a, uint32_t e, struct strbuf *tmp);
struct str archive_entry_name(const struct archive *a, uint32_t e, struct strbuf *tmp);
/* JDK image: the module of an entry; else empty. */
struct str archive_module(const struct archive *a, uint32_t e);

/* The bytes of an entry: a view of the mapped file when stored plainly, else inflated into `mem`.
 * False, with a diagnostic, when it is damaged, too large or of an unknown method. */
bool archive_read(const struct archive *a, uint32_t e, struct arena *mem, struct span *out, struct diag *d);

/* How many bytes the entry of a zip file says that it has, without reading them; of other kinds: 0. */
uint64_t archive_entry_size(const struct archive *a, uint32_t e);
/* The bytes of the file itself; 0 for directories. */
uint64_t archive_size(const struct archive *a);

/* A main attribute of the manifest ("Class-Path"), continuation lines joined, in `mem`; false: absent. */
bool archive_manifest(const struct archive *a, const char *key, struct arena *mem, struct str *value);

/* Nested jars (BOOT-INF/lib, WEB-INF/lib, in entry order): calls `each` with the entry number. */
void archive_nested(const struct archive *a, void (*each)(void *ctx, uint32_t entry), void *ctx);

#endif
