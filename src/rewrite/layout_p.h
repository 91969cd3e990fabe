/* SPDX-License-Identifier: Apache-2.0 */
/* layout_p.h - where each instruction of a method goes; private to this folder. */
#ifndef REWRITE_LAYOUT_P_H
#define REWRITE_LAYOUT_P_H

#include "formats/classfile/bytecode.h"
#include "rewrite/rewrite.h"

/* An instruction that names places of the code: a jump or a switch. */
struct jump {
	struct insn in;
	uint32_t at;                    /* where it goes */
	bool wide;                      /* goto and jsr become goto_w and jsr_w; others jump over a goto_w */
};

#define INSIDE 0x80000000u      /* of `place`: no instruction begins here */

/* Instructions of a method that one handler can protect. In a constructor `this` is raw, of type uninitializedThis, up to the call
 * of another one, and handlers need to know. The call itself is in neither stretch. */
struct stretch {
	uint32_t pc, end;
	bool is_raw;
	bool to_call;                   /* a raw one up to that call, and to what is inserted before it */
	bool throws;                    /* some instruction may */
};

struct layout {
	const struct classfile *cf;
	const struct cf_member *m;
	struct cf_code code;
	struct pool *pool;
	struct arena *mem;
	const struct method_edit *edit;
	const struct insertion *insertions;
	uint32_t n;
	uint32_t *place;                /* of each pc: where it goes, before what is inserted there; | INSIDE */
	struct jump *jumps;             /* by pc */
	uint32_t njumps;
	uint32_t entry;                 /* bytes of what only the beginning of the method runs */
	uint32_t len;                   /* of the new code */
	bool has_frames;                /* the JVM verifies it by a stack map, be it empty, and does not find types by itself */
	bool far;                       /* a conditional jump became wide */
	const struct stretch *stretches;        /* with edit->leaving: of the whole method, by pc; just one but in constructors */
	uint32_t nstretches;
	uint32_t nleaving;              /* copies of edit->leaving behind the code: the second is for raw stretches */
};

/* Memory for the layouts of methods of at most `code_len` bytes, one after the other. */
void layout_init(struct layout *l, const struct classfile *cf, struct pool *pool, uint32_t code_len, struct arena *mem);
/* NULL, or why this method cannot be edited. */
const char *layout_compute(struct layout *l, const struct method_edit *e);
/* The new code, l->len bytes. */
void layout_write(const struct layout *l, uint8_t *out);

/* Where a pc goes that ends what is before it, as of a range; also the length of the code. */
static inline uint32_t place_of(const struct layout *l, uint32_t pc)
{
	return l->place[pc] & ~INSIDE;
}
static inline bool is_insn(const struct layout *l, uint32_t pc)
{
	return pc < l->code.code.len && !(l->place[pc] & INSIDE);
}
/* Where what jumps to the instruction at pc arrives. */
static inline uint32_t target_of(const struct layout *l, uint32_t pc)
{
	return pc ? place_of(l, pc) : l->entry;
}
/* Where the instruction itself goes, behind what is inserted there. */
uint32_t insn_of(const struct layout *l, uint32_t pc);
/* Where the copy of edit->leaving begins. */
uint32_t leaving_of(const struct layout *l, uint32_t copy);
/* Does the method begin with a `this` that is not yet an object? */
bool begins_raw(const struct layout *l);
/* Finds l->stretches of a constructor, and l->nleaving. NULL, or why this is not possible. */
const char *stretches_compute(struct layout *l);

#endif
