/* SPDX-License-Identifier: Apache-2.0 */
/* classfile.h - class files (JVMS chapter 4), versions 45 to 69 and, with a warning, newer ones.
 *
 * classfile_parse() checks the whole structure once: constant-pool kinds, counts, lengths, the
 * placement of attributes. The accessors below then cannot fail. Nothing is copied: the file borrows its
 * bytes, which must outlive it. Strings are modified UTF-8, as in the file. */
#ifndef FORMATS_CLASSFILE_H
#define FORMATS_CLASSFILE_H

#include "base/diag.h"
#include "base/reader.h"
#include "base/span.h"

#define CF_KNOWN_MAJOR 69       /* Java 25 */

enum cp_tag {
	CP_UTF8 = 1, CP_INTEGER = 3, CP_FLOAT, CP_LONG, CP_DOUBLE, CP_CLASS, CP_STRING, CP_FIELD, CP_METHOD,
	CP_IMETHOD, CP_NAMETYPE, CP_HANDLE = 15, CP_METHODTYPE, CP_DYNAMIC, CP_INVOKEDYNAMIC, CP_MODULE, CP_PACKAGE,
};

enum cf_access {
	ACC_PUBLIC = 0x0001, ACC_PRIVATE = 0x0002, ACC_PROTECTED = 0x0004, ACC_STATIC = 0x0008,
	ACC_FINAL = 0x0010, ACC_SUPER = 0x0020, ACC_SYNCHRONIZED = 0x0020, ACC_VOLATILE = 0x0040,
	ACC_BRIDGE = 0x0040, ACC_TRANSIENT = 0x0080, ACC_VARARGS = 0x0080, ACC_NATIVE = 0x0100,
	ACC_INTERFACE = 0x0200, ACC_ABSTRACT = 0x0400, ACC_STRICT = 0x0800, ACC_SYNTHETIC = 0x1000,
	ACC_ANNOTATION = 0x2000, ACC_ENUM = 0x4000, ACC_MODULE = 0x8000,
};

struct cf_member {              /* a field or method */
	uint16_t access, name, desc;    /* the indices of two Utf8 entries */
	uint32_t attrs;                 /* offset of its attribute count */
	uint32_t code;                  /* offset of the body of its Code attribute; 0: none */
};

struct classfile {
	struct span bytes;
	uint16_t minor, major;
	uint16_t access, this_class, super_class;   /* super_class 0: java/lang/Object and modules only */
	uint16_t ncp;                               /* constant_pool_count: indices 1 to ncp - 1 */
	uint16_t ninterfaces, nfields, nmethods;
	const uint32_t *cp;                         /* offset of each entry's tag byte; 0: no entry here */
	const uint16_t *interfaces;                 /* Class entries */
	const struct cf_member *fields, *methods;
	uint32_t attrs;                             /* offset of the class's attribute count */
	uint32_t bootstrap;                         /* offset of the body of BootstrapMethods; 0: none */
	uint16_t nbootstrap;
	const uint32_t *bootstrap_rows;             /* offset of each row of BootstrapMethods */
};

/* Parses `bytes`; tables live in `mem`. False, with a diagnostic naming `artifact`, `item` and the
 * offset, when the file is malformed. O(size). */
bool classfile_parse(struct classfile *cf, struct span bytes, struct arena *mem, const char *artifact,
		     struct str item, struct diag *d);

/* Constant pool. Every accessor requires an entry of the right kind, except cf_tag (0: no entry). */
static inline unsigned cf_tag(const struct classfile *cf, uint16_t i)
{
	return i < cf->ncp && cf->cp[i] ? cf->bytes.p[cf->cp[i]] : 0;
}
static inline uint16_t cf_u2(const struct classfile *cf, uint32_t offset)
{
	return (uint16_t)(cf->bytes.p[offset] << 8 | cf->bytes.p[offset + 1]);
}
static inline uint32_t cf_u4(const struct classfile *cf, uint32_t offset)
{
	return (uint32_t)cf_u2(cf, offset) << 16 | cf_u2(cf, offset + 2);
}
static inline struct str cf_utf8(const struct classfile *cf, uint16_t i)
{
	uint32_t at = cf->cp[i];

	return (struct str){ (const char *)cf->bytes.p + at + 3, cf_u2(cf, at + 1) };
}
/* The name behind a Class, String, MethodType, Module or Package entry. */
static inline struct str cf_name(const struct classfile *cf, uint16_t i)
{
	return cf_utf8(cf, cf_u2(cf, cf->cp[i] + 1));
}
struct cf_ref {                 /* Field, Method, IMethod: owner, name and descriptor */
	uint16_t owner;                 /* Class entry; 0 for Dynamic and InvokeDynamic */
	uint16_t bootstrap;             /* Dynamic, InvokeDynamic: row of BootstrapMethods */
	struct str name, desc;
};
struct cf_ref cf_ref(const struct classfile *cf, uint16_t i);   /* also for Dynamic, InvokeDynamic */
int32_t cf_int(const struct classfile *cf, uint16_t i);
int64_t cf_long(const struct classfile *cf, uint16_t i);        /* Double: its bits; see cf_double */
float cf_float(const struct classfile *cf, uint16_t i);
double cf_double(const struct classfile *cf, uint16_t i);
struct cf_handle {              /* MethodHandle, JVMS 4.4.8 */
	uint8_t kind;                   /* 1..9: REF_getField .. REF_invokeInterface */
	uint16_t ref;                   /* Field, Method or IMethod entry */
};
struct cf_handle cf_handle(const struct classfile *cf, uint16_t i);

/* Row `row` (< nbootstrap) of BootstrapMethods. Arguments are loadable constants. */
struct cf_bootstrap {
	uint16_t handle;                /* MethodHandle entry */
	uint16_t nargs;
	uint32_t args;                  /* offset: argument k is cf_u2(cf, args + 2 * k) */
};
struct cf_bootstrap cf_bootstrap(const struct classfile *cf, uint16_t row);

/* Attributes of the class (cf->attrs), a member (m->attrs) or code (code.attrs). */
struct cf_attr {
	struct str name;
	uint32_t body, len;             /* offset and length of the body */
};
struct cf_attrs {
	uint32_t at, left;
};
struct cf_attrs cf_attrs(const struct classfile *cf, uint32_t offset_of_count);
bool cf_attrs_next(const struct classfile *cf, struct cf_attrs *it, struct cf_attr *out);
bool cf_attr_find(const struct classfile *cf, uint32_t offset_of_count, const char *name, struct cf_attr *out);

/* Code, JVMS 4.7.3. */
struct cf_code {
	uint16_t max_stack, max_locals;
	struct span code;               /* 1 to 65,535 bytes */
	uint16_t nhandlers;
	uint32_t handlers;              /* offset; see cf_handler_at */
	uint32_t attrs;
};
struct cf_handler {
	uint16_t start, end, target;    /* pcs; start < end <= code length; target < code length */
	uint16_t type;                  /* Class entry; 0: any */
};
struct cf_code cf_code(const struct classfile *cf, const struct cf_member *m);      /* requires m->code */
struct cf_handler cf_handler_at(const struct classfile *cf, const struct cf_code *c, uint16_t k);

/* The source line of the instruction at pc, by LineNumberTable; 0: unknown. */
uint32_t cf_line(const struct classfile *cf, const struct cf_member *m, uint32_t pc);

#endif
