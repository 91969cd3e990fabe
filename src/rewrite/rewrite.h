/* SPDX-License-Identifier: Apache-2.0 */
/* rewrite.h - class files with code inserted into their methods, still verifiable.
 *
 * Jumps, switches, exception, line, local variable and stack map tables and type annotations move with the code; jumps that
 * become too far are widened. Inserted code is straight: it has no jumps and needs no stack map. What jumps to an
 * instruction arrives before the code that is inserted there. */
#ifndef REWRITE_REWRITE_H
#define REWRITE_REWRITE_H

#include "formats/classfile/classfile.h"

/* Constants that inserted code refers to: added behind the constant pool of the file, each once. */
struct pool;
struct pool *pool_new(const struct classfile *cf, struct arena *mem);
/* 0: the pool would be longer than 65535 entries. */
uint16_t pool_method(struct pool *p, const char *owner, const char *name, const char *desc);     /* owner: internal name */
uint16_t pool_int(struct pool *p, int32_t value);
uint16_t pool_class(struct pool *p, struct str internal);

struct insertion {
	uint32_t pc;                  /* of an instruction of the original code; before it */
	struct span code;
	uint16_t stack;               /* words it needs above what is on the stack there */
	uint16_t locals;              /* words of fresh locals above max_locals that it uses */
	bool entry;                   /* at pc 0, before others there: runs once, jumps to pc 0 arrive behind it */
};
struct method_edit {
	uint32_t method;              /* row of cf->methods */
	const struct insertion *insertions;   /* by pc; several at one pc stay in order */
	uint32_t n;
	const char *failed;           /* out: why the method was left as it was (a static text, "its code would be longer than
	                               * 65535 bytes"); NULL: edited */
	bool keeps_moves;             /* fill in what follows */
	const struct move *moves;     /* out, by pc, in `mem`: from which instruction on which distance; the first is at 0 */
	uint32_t nmoves;
};
/* Where instructions of the original code went: those from new pc `at` up to the next row moved by `by` bytes. Code that was
 * inserted before an instruction counts as what is before it. */
struct move {
	uint32_t at, by;
};

/* The whole new class file, in `mem`. Methods that cannot be edited are copied as they are and say why. Nothing (len 0) when no
 * method was edited. `edits` by method, each once; the pool is that of this file. Attributes of code that are not in the JVMS
 * may name places of the code, so edited methods lose them. O(size). */
struct span rewrite_class(const struct classfile *cf, struct pool *pool, struct method_edit *edits, uint32_t n,
			  struct arena *mem);

/* Code that calls `static void hit(Object receiver, int id)` of `owner` before the call instruction at `pc` (invokevirtual or
 * invokeinterface), leaving the stack as it was. False when the pool or the locals are full, or pc holds no such call. */
bool probe_call(const struct classfile *cf, const struct cf_member *m, uint32_t pc, struct pool *pool, const char *owner,
		const char *name, uint32_t id, struct arena *mem, struct insertion *out);
/* Code at the beginning of an instance method that calls `static void name(Object argument, int id)` with its first argument,
 * which is a reference. False when the pool is full or there is no such method. */
bool probe_entry(const struct classfile *cf, const struct cf_member *m, struct pool *pool, const char *owner, const char *name,
		 uint32_t id, struct arena *mem, struct insertion *out);

/* Code before the instruction at `pc` that calls `static void name(Object, ..., int id)` with these arguments, of which there
 * are at most 4. At pc 0 it is an entry. False when the pool is full, the method has no code, or no instruction begins at pc. */
#define PROBE_TOP UINT16_MAX  /* what is on top of the stack, a reference that stays there; only as the first one */
bool probe_at(const struct classfile *cf, const struct cf_member *m, uint32_t pc, struct pool *pool, const char *owner,
	      const char *name, const uint16_t *locals, uint32_t n, uint32_t id, struct arena *mem, struct insertion *out);

#endif
