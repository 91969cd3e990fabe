/* SPDX-License-Identifier: Apache-2.0 */
/* loader.h - the class path, and the class files behind the program model.
 *
 * A loader implements program_source: it finds class files (JDK first, then the class path, first match
 * wins), parses them, fills in the model, and makes bodies and outlines of methods. */
#ifndef LOAD_LOADER_H
#define LOAD_LOADER_H

#include "formats/archive/archive.h"
#include "formats/classfile/classfile.h"
#include "ir/program.h"

struct loader_opt {
	const char *class_path;       /* ':'-separated; "dir" and "/" "*" wild cards; may be NULL */
	const char *jdk;              /* JDK directory, or NULL: none */
	bool use_cache;
	int jobs;                     /* threads; 0: one for each processor */
	bool no_manifests;            /* the Class-Path of manifests is not followed */
};

struct loader;

/* Opens the class path and connects it to `p`. Elements that cannot be opened are diagnosed and skipped.
 * NULL when the JDK was asked for and cannot be used. Free after the program. */
struct loader *loader_open(struct program *p, const struct loader_opt *opt, struct diag *d);
void loader_free(struct loader *l);
/* Keeps what the run found out about the JDK for the next one. The program must still be there. */
void loader_save(struct loader *l);

/* Is this artifact (ir_class.artifact) part of the JDK? */
bool loader_is_jdk(const struct loader *l, uint32_t artifact);
/* A main attribute of its manifest, in `mem`; false: there is none. */
bool loader_manifest(const struct loader *l, uint32_t artifact, const char *key, struct arena *mem, struct str *value);
/* The first jar of the class path itself, not of a manifest; 0: it has none. */
uint32_t loader_first_jar(const struct loader *l);
/* Names every class of one artifact, in its order, without loading it. */
void loader_name_artifact(struct loader *l, uint32_t artifact, void (*each)(void *ctx, class_id c), void *ctx);

/* A class file with what its constant pool means in the program. */
struct unit {
	struct classfile cf;
	uint32_t *ids;                /* by constant-pool index: the id asked for so far; 0: not yet */
	class_id self;
};

/* The class file of a loaded CLASS_FILE class, parsed now if the class came from the cache. NULL for other
 * classes, and when the file has changed since it was cached. */
struct unit *loader_unit(struct loader *l, class_id c);

/* What the synthetic class of a lambda or method reference was made from. */
struct lambda_facts {
	class_id host;                /* whose code makes it */
	class_id interface;           /* the functional one */
	mref_id body;                 /* what it calls, as the implementation handle names it */
	uint8_t kind;                 /* IR_HANDLE_* of that handle */
};
/* False when it is no such class. */
bool loader_lambda(const struct loader *l, class_id c, struct lambda_facts *out);

/* What a constant-pool entry means. The index must have the right kind (cf_tag). */
class_id unit_class(struct program *p, struct unit *u, uint16_t cp);      /* Class */
mref_id unit_mref(struct program *p, struct unit *u, uint16_t cp);        /* Method, IMethod */
fref_id unit_fref(struct program *p, struct unit *u, uint16_t cp);        /* Field */
str_id unit_string(struct program *p, struct unit *u, uint16_t cp);       /* String, MethodType; the text */

#endif
