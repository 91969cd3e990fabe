/* SPDX-License-Identifier: Apache-2.0 */
/* attributes.h - what the attributes of a parsed class file say (JVMS 4.7).
 *
 * classfile_parse() has checked them, so that nothing here fails: a missing attribute is an empty table or
 * a 0 index, and so is one that the class file is too old to have. Tables are read by iterators:
 * for (it = cf_inner_classes(cf); cf_inner_next(cf, &it, &row);) */
#ifndef FORMATS_ATTRIBUTES_H
#define FORMATS_ATTRIBUTES_H

#include "formats/classfile/classfile.h"

struct cf_rows {
	uint32_t at, left;              /* offset of the next row; rows left */
};

/* Class entries: the members of the nest, the permitted subclasses, the exceptions a method declares. */
struct cf_rows cf_nest_members(const struct classfile *cf);
struct cf_rows cf_permitted(const struct classfile *cf);
bool cf_is_sealed(const struct classfile *cf);          /* has PermittedSubclasses, be it empty */
struct cf_rows cf_exceptions(const struct classfile *cf, const struct cf_member *m);
bool cf_index_next(const struct classfile *cf, struct cf_rows *it, uint16_t *index);

struct cf_inner {
	uint16_t inner;                 /* Class entry; 0 in some very old files */
	uint16_t outer;                 /* Class entry; 0: local, anonymous or top-level */
	uint16_t name;                  /* Utf8 entry; 0: anonymous */
	uint16_t access;                /* as declared in the source */
};
struct cf_rows cf_inner_classes(const struct classfile *cf);
bool cf_inner_next(const struct classfile *cf, struct cf_rows *it, struct cf_inner *out);

struct cf_component {           /* of a record */
	uint16_t name, desc;            /* Utf8 entries */
	uint32_t attrs;                 /* offset of its attribute count */
};
bool cf_is_record(const struct classfile *cf);          /* has Record, be it empty */
struct cf_rows cf_record(const struct classfile *cf);
bool cf_component_next(const struct classfile *cf, struct cf_rows *it, struct cf_component *out);

struct cf_enclosing {
	uint16_t owner;                 /* Class entry; 0: no EnclosingMethod */
	uint16_t method;                /* NameAndType entry; 0: not inside a method */
};
struct cf_enclosing cf_enclosing(const struct classfile *cf);

uint16_t cf_nest_host(const struct classfile *cf);                          /* Class entry or 0 */
uint16_t cf_source_file(const struct classfile *cf);                        /* Utf8 entry or 0 */
uint16_t cf_signature(const struct classfile *cf, uint32_t offset_of_count);    /* Utf8 entry or 0 */
uint16_t cf_constant_value(const struct classfile *cf, const struct cf_member *field);  /* constant or 0 */

/* The debug tables of a method's code. It may have several of each kind, which count as one. */
struct cf_table {
	struct cf_attrs attrs;
	struct cf_rows rows;
};
struct cf_line_row {
	uint16_t pc, line;
};
struct cf_local_row {
	uint16_t pc, len;               /* live in [pc, pc + len) */
	uint16_t name, desc;            /* Utf8 entries; the signature in LocalVariableTypeTable */
	uint16_t slot;
};
struct cf_table cf_lines(const struct classfile *cf, const struct cf_member *m);
bool cf_lines_next(const struct classfile *cf, struct cf_table *it, struct cf_line_row *out);
struct cf_table cf_locals(const struct classfile *cf, const struct cf_member *m);
bool cf_locals_next(const struct classfile *cf, struct cf_table *it, struct cf_local_row *out);
bool cf_local_types_next(const struct classfile *cf, struct cf_table *it, struct cf_local_row *out);

/* StackMapTable, JVMS 4.7.4: each frame as the difference from the last that the file stores. */
enum cf_frame_kind { FRAME_SAME, FRAME_SAME_STACK1, FRAME_CHOP, FRAME_APPEND, FRAME_FULL };
struct cf_vtypes {              /* a list of verification types */
	uint32_t at, left;
};
struct cf_frame {
	uint8_t type;                   /* frame_type byte */
	uint8_t kind;                   /* enum cf_frame_kind */
	uint8_t chopped;                /* FRAME_CHOP: number of locals removed */
	uint32_t pc;
	struct cf_vtypes locals;        /* FRAME_APPEND: added ones; FRAME_FULL: all */
	struct cf_vtypes stack;
};
enum cf_vtype_tag { VT_TOP, VT_INT, VT_FLOAT, VT_DOUBLE, VT_LONG, VT_NULL, VT_UNINIT_THIS, VT_OBJECT, VT_UNINIT };
struct cf_vtype {
	uint8_t tag;
	uint16_t data;                  /* VT_OBJECT: Class entry; VT_UNINIT: pc of the `new` */
};
struct cf_frames {
	struct reader r;
	uint32_t left;
	int64_t pc;                     /* of the last frame; -1 before the first */
};
/* Empty when the table of a version 50 file is malformed: the JVM then falls back to type inference. */
struct cf_frames cf_frames(const struct classfile *cf, const struct cf_member *m);
bool cf_frames_next(const struct classfile *cf, struct cf_frames *it, struct cf_frame *out);
bool cf_vtypes_next(const struct classfile *cf, struct cf_vtypes *it, struct cf_vtype *out);

/* Module, JVMS 4.7.25; only in module-info. */
struct cf_module {
	uint16_t name;                  /* Module entry; 0: no Module attribute */
	uint16_t flags, version;        /* version: Utf8 entry or 0 */
	struct cf_rows requires, exports, opens, uses, provides;
};
struct cf_requires {
	uint16_t module, flags, version;        /* Module entry; Utf8 entry or 0 */
};
struct cf_exports {             /* also of opens */
	uint16_t package, flags;        /* Package entry */
	struct cf_rows to;              /* Module entries, by cf_index_next; empty: everyone */
};
struct cf_provides {
	uint16_t service;               /* Class entry */
	struct cf_rows with;            /* Class entries, by cf_index_next */
};
struct cf_module cf_module(const struct classfile *cf);         /* uses: by cf_index_next */
bool cf_requires_next(const struct classfile *cf, struct cf_rows *it, struct cf_requires *out);
bool cf_exports_next(const struct classfile *cf, struct cf_rows *it, struct cf_exports *out);
bool cf_provides_next(const struct classfile *cf, struct cf_rows *it, struct cf_provides *out);

#endif
