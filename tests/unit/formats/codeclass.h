/* SPDX-License-Identifier: Apache-2.0 */
/* codeclass.h - for tests: a class file `T` around the code of one method `m`, with a constant pool that holds
 * an entry of every kind an instruction can name. */
#ifndef TESTS_CODECLASS_H
#define TESTS_CODECLASS_H

#include "base/strbuf.h"
#include "formats/classfile/classfile.h"
#include "load/loader.h"

enum {                          /* constant-pool indices */
	CC_T = 2, CC_OBJECT = 4, CC_FIELD_INT = 10, CC_CALL = 13, CC_ICALL = 14, CC_INT = 15, CC_FLOAT = 16,
	CC_LONG = 17, CC_DOUBLE = 19, CC_STRING = 21, CC_MTYPE = 22, CC_HANDLE = 23, CC_FIELD_LONG = 26, CC_VOID = 29,
	CC_INDY = 30, CC_DYNAMIC = 33, CC_ARRAY2 = 37, CC_THROWABLE = 39, CC_FIELD_OBJECT = 42, CC_COUNT = 43,
};

struct codeclass {
	const char *desc;       /* of the method */
	bool is_static;
	uint16_t max_stack, max_locals;
	const uint8_t *code;
	uint32_t len;
	const uint8_t *handlers;        /* 8 bytes each, as in the class file */
	uint16_t nhandlers;
};

static inline void cc_put(struct strbuf *b, uint64_t v, unsigned bytes)
{
	while (bytes-- > 0)
		strbuf_addch(b, (char)(v >> (8 * bytes)));
}

static inline void cc_utf8(struct strbuf *b, const char *s)
{
	cc_put(b, CP_UTF8, 1);
	cc_put(b, strlen(s), 2);
	strbuf_adds(b, s);
}

static inline void cc_one(struct strbuf *b, unsigned tag, unsigned a)
{
	cc_put(b, tag, 1);
	cc_put(b, a, 2);
}

static inline void cc_two(struct strbuf *b, unsigned tag, unsigned x, unsigned y)
{
	cc_one(b, tag, x);
	cc_put(b, y, 2);
}

static inline void cc_constants(struct strbuf *b, const char *desc)
{
	cc_put(b, CC_COUNT, 2);
	cc_utf8(b, "T");                                /* 1 */
	cc_one(b, CP_CLASS, 1);
	cc_utf8(b, "java/lang/Object");
	cc_one(b, CP_CLASS, 3);
	cc_utf8(b, "m");                                /* 5 */
	cc_utf8(b, desc);
	cc_utf8(b, "Code");
	cc_utf8(b, "I");
	cc_two(b, CP_NAMETYPE, 5, 8);
	cc_two(b, CP_FIELD, 2, 9);                      /* 10: T.m:I */
	cc_utf8(b, "(IJ)D");
	cc_two(b, CP_NAMETYPE, 5, 11);
	cc_two(b, CP_METHOD, 2, 12);                    /* T.m:(IJ)D */
	cc_two(b, CP_IMETHOD, 4, 12);                   /* Object.m:(IJ)D, as of an interface */
	cc_put(b, CP_INTEGER, 1);                       /* 15 */
	cc_put(b, 7, 4);
	cc_put(b, CP_FLOAT, 1);
	cc_put(b, 0x3fc00000, 4);
	cc_put(b, CP_LONG, 1);                          /* 17, 18 */
	cc_put(b, (uint64_t)-3, 8);
	cc_put(b, CP_DOUBLE, 1);                        /* 19, 20 */
	cc_put(b, 0x7ff8000000000001, 8);
	cc_one(b, CP_STRING, 5);                        /* 21 */
	cc_one(b, CP_METHODTYPE, 11);
	cc_put(b, CP_HANDLE, 1);
	cc_put(b, 6, 1);
	cc_put(b, CC_CALL, 2);
	cc_utf8(b, "J");
	cc_two(b, CP_NAMETYPE, 5, 24);                  /* 25 */
	cc_two(b, CP_FIELD, 2, 25);                     /* T.m:J */
	cc_utf8(b, "()V");
	cc_two(b, CP_NAMETYPE, 5, 27);
	cc_two(b, CP_METHOD, 2, 28);                    /* T.m:()V */
	cc_two(b, CP_INVOKEDYNAMIC, 0, 31);             /* 30 */
	cc_two(b, CP_NAMETYPE, 5, 32);
	cc_utf8(b, "(Ljava/lang/Object;)Ljava/lang/Runnable;");
	cc_two(b, CP_DYNAMIC, 0, 34);
	cc_two(b, CP_NAMETYPE, 5, 35);
	cc_utf8(b, "Ljava/lang/Object;");               /* 35 */
	cc_utf8(b, "BootstrapMethods");
	cc_one(b, CP_CLASS, 38);
	cc_utf8(b, "[[I");
	cc_one(b, CP_CLASS, 40);
	cc_utf8(b, "java/lang/Throwable");              /* 40 */
	cc_two(b, CP_NAMETYPE, 5, 35);
	cc_two(b, CP_FIELD, 2, 41);                     /* T.m:Object */
}

/* Appends the class file to `b`. */
static inline void codeclass_build(const struct codeclass *c, struct strbuf *b)
{
	cc_put(b, 0xcafebabe, 4);
	cc_put(b, 55, 4);                               /* Java 11 */
	cc_constants(b, c->desc);
	cc_put(b, 0x0021, 2);
	cc_put(b, CC_T, 2);
	cc_put(b, CC_OBJECT, 2);
	cc_put(b, 0, 4);                                /* no interfaces, no fields */
	cc_put(b, 1, 2);                                /* one method */
	cc_put(b, c->is_static ? 0x0009 : 0x0001, 2);
	cc_put(b, 5, 2);
	cc_put(b, 6, 2);
	cc_put(b, 1, 2);
	cc_put(b, 7, 2);                                /* Code */
	cc_put(b, 12 + c->len + 8u * c->nhandlers, 4);
	cc_put(b, c->max_stack, 2);
	cc_put(b, c->max_locals, 2);
	cc_put(b, c->len, 4);
	strbuf_add(b, c->code, c->len);
	cc_put(b, c->nhandlers, 2);
	strbuf_add(b, c->handlers, 8u * c->nhandlers);
	cc_put(b, 0, 2);
	cc_put(b, 1, 2);                                /* class attributes */
	cc_put(b, 36, 2);
	cc_put(b, 6, 4);
	cc_put(b, 1, 2);
	cc_put(b, CC_HANDLE, 2);
	cc_put(b, 0, 2);
}

/* Makes the class file a loaded class of `p` under the given name, whatever its own; false when it is
 * malformed. `bytes` must outlive the use of the unit. */
static inline bool codeclass_load(struct program *p, struct unit *u, struct span bytes, struct str name)
{
	*u = (struct unit){ .ids = NULL };
	if (!classfile_parse(&u->cf, bytes, &p->mem, "test", STR("T"), p->diag))
		return false;
	u->self = program_class(p, name);
	if (class_row(p, u->self)->state != LOAD_NAMED)
		return false;
	for (uint16_t i = 0; i < u->cf.nmethods; i++) {
		const struct cf_member *m = &u->cf.methods[i];
		sel_id sel = program_sel(p, cf_utf8(&u->cf, m->name), cf_utf8(&u->cf, m->desc));

		program_add_method(p, u->self, sel, m->access, i);
	}
	class_row(p, u->self)->kind = CLASS_FILE;
	class_row(p, u->self)->super = p->object;
	class_row(p, u->self)->state = LOAD_DONE;
	return true;
}

#endif
