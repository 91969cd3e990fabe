/* SPDX-License-Identifier: Apache-2.0 */
/* archive_p.h - what the kinds of archives share; private to this folder.
 * A kind embeds struct archive as its first member, fills it in its x_open(), and is used through its
 * table of operations. Nothing changes after opening, so threads may share an archive. */
#ifndef FORMATS_ARCHIVE_P_H
#define FORMATS_ARCHIVE_P_H

#include "base/sys/mapfile.h"
#include "formats/archive/archive.h"

struct archive_ops {
	struct str (*name)(const struct archive *a, uint32_t e, struct strbuf *tmp);
	struct str (*class_name)(const struct archive *a, uint32_t e, struct strbuf *tmp);
	bool (*defines)(const struct archive *a, uint32_t e, struct str class_name);
	uint32_t (*find)(const struct archive *a, struct str resource);
	struct str (*module)(const struct archive *a, uint32_t e);        /* NULL: has no modules */
	bool (*read)(const struct archive *a, uint32_t e, struct arena *mem, struct span *out, struct diag *d);
	uint64_t (*size)(const struct archive *a, uint32_t e);            /* NULL: not known before it is read */
	void (*close)(struct archive *a);         /* releases what the kind added, not the archive itself */
};

/* From names to entries: open addressing. The names themselves stay where the entries have them. */
struct name_slot {
	uint32_t hash, entry;                     /* entry 0: free */
};
struct name_index {
	struct name_slot *slots;
	uint32_t mask;
};
typedef bool same_name(const struct archive *a, uint32_t e, struct str name);

struct archive {
	const struct archive_ops *ops;
	enum archive_kind kind;
	bool jmod;                                /* a zip with the header of jmod files */
	char *path;
	struct mapfile map;                       /* empty when the bytes are the caller's */
	struct span bytes;                        /* the whole file; empty for directories */
	uint32_t count;
	uint32_t manifest;                        /* its entry, or 0 */
	struct name_index classes, names;         /* `names` is empty in images: they have their own */
};

/* Each returns NULL after adding to `d`. The path is copied. */
struct archive *zip_open(struct span bytes, const char *path, int release, struct diag *d);
struct archive *jimage_open(struct span bytes, const char *path, struct diag *d);
struct archive *dir_open(const char *path, uint32_t *left, struct diag *d);      /* left: as archive_open_within; NULL: all */
bool jimage_detect(struct span bytes);            /* either byte order */
bool zip_detect(struct span bytes);

void name_index_init(struct name_index *ix, uint32_t names);
void name_index_release(struct name_index *ix);
uint32_t name_index_get(const struct name_index *ix, const struct archive *a, struct str name, same_name *same);
/* The place for the entry of `name`: 0 when it is new; the caller stores the entry at once. NULL when too
 * many names share a hash, which only happens on purpose. */
uint32_t *name_index_at(struct name_index *ix, const struct archive *a, struct str name, same_name *same);

/* Makes `classes` out of ops->class_name. Of entries with one class name, plain ones win over those of
 * BOOT-INF and WEB-INF (the application's loader asks its parent first), then the first one. */
void archive_index_classes(struct archive *a, struct diag *d);

/* Operations of the kinds whose entries have paths for names, kept in the `names` index. */
struct str path_class_name(const struct archive *a, uint32_t e, struct strbuf *tmp);
bool path_defines(const struct archive *a, uint32_t e, struct str class_name);
bool path_is(const struct archive *a, uint32_t e, struct str name);
uint32_t path_find(const struct archive *a, struct str resource);
bool path_is_manifest(struct str name);

/* True for module-info and package-info, which define no class. */
bool is_info_class(struct str simple_name);
bool str_same_nocase(struct str a, const char *b);

/* Adds a diagnostic about an entry, or about the archive at `offset`; always false. */
bool entry_fails(const struct archive *a, uint32_t e, enum diag_code code, const char *why, struct diag *d);
bool archive_fails(const char *path, enum diag_code code, uint64_t offset, const char *why, struct diag *d);

enum inflate_form { INFLATE_RAW, INFLATE_ZLIB };
/* Inflates all of `in` to exactly `size` bytes. */
bool inflate_exactly(struct span in, enum inflate_form form, uint8_t *out, size_t size);
/* Checks a declared size against ARCHIVE_ENTRY_LIMIT and the best ratio that deflate can reach. */
bool inflated_size_plausible(uint64_t stored, uint64_t size);

/* JAR specification: the main section ends at the first empty line; of equal keys the last one counts. */
bool manifest_value(struct span text, const char *key, struct arena *mem, struct str *value);

#endif
