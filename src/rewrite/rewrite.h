/* SPDX-License-Identifier: Apache-2.0 */
/* rewrite.h - class files with code inserted into their methods, still verifiable.
 *
 * Jumps, switches, exception, line, local variable and stack map tables and type annotations move with the code; jumps that
 * become too far are widened. Inserted code is straight: it has no jumps and needs no stack map. What jumps to an
 * instruction arrives before the code that is inserted there.
 *
 * A method may get a local that lives through it: what is inserted at its entry sets it, all other inserted code may read it,
 * and it stands in every frame of the stack map. And it may get code that runs when an exception leaves it. */
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
uint16_t pool_field(struct pool *p, uint16_t owner, struct str name, struct str desc);   /* owner: a Class entry */

struct insertion {
	uint32_t pc;                  /* of an instruction of the original code; before it */
	struct span code;
	uint16_t stack;               /* words it needs above what is on the stack there */
	uint16_t locals;              /* words of fresh locals above max_locals, and above the method's own local, that it uses */
	bool entry;                   /* at pc 0, before others there: runs once, jumps to pc 0 arrive behind it */
	bool after;                   /* behind the call, or the access of a field, at pc instead, where it returns: jumps to the next
	                               * instruction arrive behind it. The result is on the stack and stays there. Comes after
	                               * others at this pc */
};
struct method_edit {
	uint32_t method;              /* row of cf->methods */
	const struct insertion *insertions;   /* by pc; several at one pc stay in order */
	uint32_t n;
	/* NULL, or the descriptor ("I", or of a class or array) of a local at max_locals, which an insertion at the entry sets.
	 * What protects the beginning of the method then does not protect that insertion. */
	const char *local;
	/* NULL, or what runs when an exception leaves the method from behind its entry: the exception alone is on the stack, stays
	 * there, and is thrown on. Only code, stack and locals count. From version 50 on a constructor's call of another one of
	 * the same object, this(...) or super(...), cannot be protected: no frame of a handler fits before and after it, so that
	 * an exception from there leaves unseen. */
	const struct insertion *leaving;
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

/* The same with new fields, behind those that the class has. It is a new file also when no method was edited, and nothing when the pool, or
 * the table of fields, is full. Without any, it is rewrite_class(). */
struct new_field {
	uint16_t access;
	struct str name, desc;
};
struct span rewrite_with_fields(const struct classfile *cf, struct pool *pool, struct method_edit *edits, uint32_t n,
				const struct new_field *fields, uint32_t nfields, struct arena *mem);

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

/* Probes of a method that pass on its own local, L: static methods of `owner`. Each is false when the pool or the locals are full,
 * or there is no such place. */
struct probes {
	const struct classfile *cf;
	const struct cf_member *m;
	struct pool *pool;
	struct arena *mem;
	const char *owner;
	const char *local;            /* descriptor of L, as of method_edit; NULL: there is none and none is passed */
};
/* At the entry: L becomes `L name(int id)`; without one `void name(int id)`. */
bool probe_entered(const struct probes *p, const char *name, uint32_t id, struct insertion *out);
/* Before the call at `pc`, of any kind: `void name(L, int id)`, or with its receiver `void name(Object receiver, L, int id)`.
 * Static and dynamic calls have no receiver, and that of a constructor is not yet an object. */
bool probe_before(const struct probes *p, uint32_t pc, const char *name, uint32_t id, bool receiver, struct insertion *out);
/* Before the call at `pc`, of invokevirtual or invokeinterface: `void name(Object receiver, int id)`, without L, which stays as it is. */
bool probe_receiver(const struct probes *p, uint32_t pc, const char *name, uint32_t id, struct insertion *out);
/* Where the call at `pc` returns: `void name(L, int id)`. */
bool probe_after(const struct probes *p, uint32_t pc, const char *name, uint32_t id, struct insertion *out);
/* Before any instruction, as a return or the first of a handler, or for method_edit.leaving: `void name(L, int id)`. */
bool probe_passing(const struct probes *p, uint32_t pc, const char *name, uint32_t id, struct insertion *out);
/* What accesses of fields leave in another field, of type int, of the same object, or static as they are. `shadow` is its name; what the
 * instruction names as the class of its field must have it, too. Two insertions at most, for the place before and the one behind. The
 * instruction itself throws as it did, and nothing happens then. False when the pool is full, or no such instruction is there.
 * probe_stored: behind putfield or putstatic, the shadow becomes `number`. In a constructor that has not called another one yet, putfield
 * may be of fields of the class itself alone.
 * probe_loaded: behind getfield or getstatic, `void name(int shadow, int id)` of the probes' owner. */
struct field_probe {
	struct insertion in[2];
	uint32_t n;
};
bool probe_stored(const struct probes *p, uint32_t pc, struct str shadow, uint32_t number, struct field_probe *out);
bool probe_loaded(const struct probes *p, uint32_t pc, struct str shadow, const char *name, uint32_t id, struct field_probe *out);

/* Where code for the beginning of the handler at `pc` belongs: there, or, when the handler begins with the release of a monitor, behind
 * that. HotSpot does not compile a method that could be left, by an exception in what is inserted, with the monitor held. */
uint32_t probe_handler(const struct probes *p, uint32_t pc);

#endif
