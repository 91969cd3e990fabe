/* SPDX-License-Identifier: Apache-2.0 */
/* classpath.h - the artifacts of a run in search order: the JDK, then the class path with what manifests
 * and nested jars add. */
#ifndef LOAD_CLASSPATH_H
#define LOAD_CLASSPATH_H

#include "formats/archive/archive.h"

struct class_location {         /* where a class was found; artifact 0: nowhere */
	uint32_t artifact, entry;
};

struct file_id {
	uint64_t dev, ino;
};

struct classpath {
	struct arena mem;       /* names, and the bytes of nested jars */
	VEC(struct archive *) archives;      /* [0] is NULL: artifacts are numbered from 1 */
	VEC(uint32_t) asked_by;              /* by artifact: the one whose manifest named it; 0: none */
	VEC(struct file_id) files;           /* opened or tried */
	uint32_t njdk;          /* artifacts 1 .. njdk are the JDK */
	bool no_manifests;      /* their Class-Path is not followed; to be set before classpath_add */
	uint32_t entries_left;  /* files and folders that directories named by manifests may still have */
	uint64_t nested, nested_limit;       /* bytes of nested jars that were opened, and may be */
};

void classpath_init(struct classpath *cp);
void classpath_release(struct classpath *cp);

/* The JDK's feature version: from its `release` file, else from the layout (rt.jar: 8); 0: not a JDK. */
int jdk_release(const char *jdk);
/* Adds lib/modules, or jre/lib/rt.jar and its companions. False, with a diagnostic, when there is none. */
bool classpath_add_jdk(struct classpath *cp, const char *jdk, int release, struct diag *d);
/* Adds the elements of a ':'-separated path; `dir/` followed by `*` means every jar of a directory. */
void classpath_add(struct classpath *cp, const char *path, int release, struct diag *d);

struct class_location classpath_find(const struct classpath *cp, struct str class_name);

#endif
