/* SPDX-License-Identifier: Apache-2.0 */
/* classfile_p.h - what the parts of the class-file parser share; private to this folder. */
#ifndef FORMATS_CLASSFILE_P_H
#define FORMATS_CLASSFILE_P_H

#include "formats/classfile/classfile.h"

#define JAVA_5 49               /* versions from which the JVM is stricter */
#define JAVA_6 50
#define JAVA_7 51
#define JAVA_8 52

struct parse {
	struct classfile *cf;
	struct reader r;                /* over the whole file */
	struct arena *mem;
	const char *artifact;
	struct str item;
	struct diag *d;
	uint32_t tags;                  /* bit t: the pool has an entry of tag t */
	uint32_t code_len;              /* of the Code attribute being parsed */
};

/* Adds a diagnostic about `offset`; always false. `code` without its DIAG_ prefix. */
#define FAIL(p, code, offset, ...) \
	(diag_add((p)->d, DIAG_##code, (p)->artifact, (p)->item, (offset), __VA_ARGS__), false)

/* Is entry `index` of this kind? Otherwise E012 about `offset`, where the index was read. */
bool expect_tag(struct parse *p, uint16_t index, enum cp_tag tag, uint64_t offset);
bool expect_tag_or_0(struct parse *p, uint16_t index, enum cp_tag tag, uint64_t offset);

/* Where attributes stand: the same name means nothing elsewhere. */
enum attr_place { IN_CLASS_FILE = 1, IN_FIELD = 2, IN_METHOD = 4, IN_CODE = 8, IN_RECORD = 16 };

enum attr_kind {
#define ATTRIBUTE(kind, name, places, since, once, check) kind,
#include "formats/classfile/attributes.def"
#undef ATTRIBUTE
	ATTR_KINDS
};

/* Reads the attributes at `r`, which stand in `m` (NULL: not in a member), checks those whose structure is
 * known, and records Code and BootstrapMethods. */
bool parse_attributes(struct parse *p, struct reader *r, enum attr_place place, struct cf_member *m);

/* Is this body of a StackMapTable well formed, for code of this length? */
bool frames_ok(const struct classfile *cf, struct reader body, uint32_t code_len);

#endif
