/* SPDX-License-Identifier: Apache-2.0 */
/* lower_p.h - between the parts that read modules, link them and lower them to statements. */
#ifndef BITCODE_LOWER_P_H
#define BITCODE_LOWER_P_H

#include <llvm/Config/llvm-config.h>

#include "base/map.h"
#include "bitcode/bitcode_p.h"
#include "bitcode/valtable_p.h"

/* link.c: reads and links modules in this process, which LLVM may end when one is damaged. */
enum link_step { LINK_READ, LINK_LOWER, LINK_FINISH };
struct link_opt {
	uint32_t from;               /* modules before this one are left out: another process tried them. There is no program then */
	void (*before)(void *ctx, enum link_step step, uint32_t file);          /* each step of each module; may be NULL */
	void *ctx;
};
bool link_modules(struct cprogram *p, const char *const *paths, uint32_t n, const struct link_opt *opt, struct diag *d);

/* read.c: a file as a module in a context of its own. NULL: there is a diagnostic. */
LLVMModuleRef bitfile_read(const char *path, struct diag *d);
void bitfile_close(LLVMModuleRef m);
/* Adds the diagnostic about a file on which LLVM came to no good end. `reason`: in its words, or empty. */
void bitfile_complain(const char *path, struct str reason, struct diag *d);

/* producer.c: the LLVM that wrote the bitcode, as "LLVM19.1.7"; empty: not known. */
struct str bitfile_producer(struct span bitcode, char *buf, uint32_t size);

/* symbols.c: symbols of all modules. */

/* Definitions, from weak to strong; of two that are equally strong the first is taken. */
enum strength { UNDEFINED, AVAILABLE, WEAK, COMMON, STRONG };

struct symbol {
	str_id name;
	cobj_id obj;
	cfn_id fn;                   /* none: data */
	uint8_t strength;
	bool is_alias;               /* for `target` + `off` */
	cobj_id target;
	int32_t off;
	uint32_t file;               /* of the definition: index of paths */
	uint32_t definition;         /* counts the definitions that were taken */
};

/* A statement of the initialisers. A weak definition may lose its initial value. */
struct initial {
	struct cstmt stmt;
	uint32_t symbol, definition;
};

/* Where another object's address leads to. */
struct target {
	cobj_id obj;
	int32_t off;
};

/* Data that is in a section of its own. */
struct gathered {
	str_id section;
	uint32_t symbol;
};

struct symbols {
	struct cprogram *p;
	struct diag *d;
	const char *const *paths;
	uint32_t file;               /* that is read now */
	bool failed;                 /* a symbol is defined twice */
	VEC(struct symbol) rows;     /* [0] is unused */
	struct map by_name;          /* of those that other modules see */
	VEC(struct initial) initials;
	struct valtable numbers;     /* of the initialisers: see numbered_at() */
	struct valtable strings;     /* (text, size): objects */
	struct map forwards;         /* object: 1 + index of `targets` that takes its place */
	VEC(struct target) targets;
	VEC(struct gathered) gathered;
	cvar_id thrown;              /* all exceptions; none until needed */
};

void symbols_release(struct symbols *l);
struct module;
/* The symbol of a function, of data, of an alias or ifunc of the module, and whether the module's definition of it is to be
 * lowered. Functions come first: static locals name theirs. */
uint32_t symbols_add(struct module *m, LLVMValueRef global, bool *is_taken);
void symbols_alias(struct symbols *l, uint32_t symbol, cobj_id target, int32_t off);
/* After the last module: aliases get what they stand for, the initialisers their body. */
void symbols_finish(struct symbols *l);

/* gathered.c: data that is reached by the ends of its section. After the last module; before the initialisers are written. */
void symbols_gather(struct symbols *l);

/* module.c: a module's globals and functions. */
struct module {
	struct symbols *l;
	struct cprogram *p;
	LLVMModuleRef m;
	struct types *t;
	struct debug *g;
	struct valtable globals;     /* LLVM value: symbol */
	struct valtable intrinsics;  /* LLVM value: 1 + what it does */
	uint32_t va_list_holds[3];   /* offsets at which a va_list has pointers to arguments */
	uint32_t nva_list, va_list_size;
	uint32_t visits;             /* of constants in initialisers */
};
void low_module(struct symbols *l, LLVMModuleRef m);

/* values.c: values while one body is lowered.
 *
 * A value is known by where it comes from, and becomes a variable only when it must: addresses of locals and fields that are
 * only loaded from and stored to never do. */
enum val_kind {
	VAL_NONE,                    /* carries no pointer */
	VAL_VAR,                     /* variable id, plus off */
	VAL_OBJ,                     /* address of object id, plus off */
	VAL_LOCAL                    /* address of the variable id, which is only loaded from and stored to */
};
struct val {
	uint8_t kind;
	bool is_bytes;               /* off was added as a number of bytes, not for a field */
	uint32_t id;
	int32_t off;
};

struct lowering {
	struct module *m;
	struct cprogram *p;
	cfn_id fn;
	bool is_initial;             /* statements go to the linker's initials */
	uint32_t symbol;             /* ... for this symbol */
	struct valtable values;      /* LLVM value: 1 + index of rows */
	VEC(struct val) rows;
	struct valtable numbers;     /* see numbered_at() */
	LLVMValueRef at;             /* the instruction */
	bool has_loc;
	cloc_id loc;                 /* its, when has_loc */
	VEC(cvar_id) args;           /* scratch */
};

static inline struct val val_var(cvar_id v)
{
	return (struct val){ .kind = v.i ? VAL_VAR : VAL_NONE, .id = v.i };
}

/* The variable that has what the statement computes, which is all of it but `dst` and `loc`; 0: to be filled in. */
static inline uint32_t *numbered_at(struct valtable *numbers, const struct cstmt *s)
{
	return valtable_at(numbers, (uint64_t)s->op << 40 | (uint64_t)s->flags << 32 | s->src,
			   (uint64_t)(uint32_t)s->off << 32 | s->width);
}

cloc_id low_here(struct lowering *x);
void low_emit(struct lowering *x, struct cstmt s);           /* its loc is filled in */
void low_note(struct lowering *x, enum cnote_kind kind, const char *text);           /* once a function */
cvar_id low_temporary(struct lowering *x);
/* The variable of what a load gets: the same for equal loads. */
cvar_id low_numbered(struct lowering *x, enum cop op, uint32_t src, int32_t off, uint32_t width);
cvar_id low_var(struct lowering *x, struct val v);
cvar_id low_range(struct lowering *x, struct val v);           /* the same, where more than one value is accessed */
struct val low_plus(struct lowering *x, struct val v, int64_t off);              /* where a field is */
struct val low_plus_bytes(struct lowering *x, struct val v, int64_t off);        /* by any other arithmetic */
struct val low_anywhere(struct lowering *x, struct val v);               /* in the object that it points to */
void low_copy(struct lowering *x, cvar_id dst, struct val src, uint8_t flags);
struct val low_union(struct lowering *x, const struct val *v, uint32_t n);
/* The same, one by one. */
struct low_sum {
	struct val v;
	bool is_new;                 /* v is a variable made for it */
};
void low_add(struct lowering *x, struct low_sum *sum, struct val v);
/* What is narrower than a pointer carries nothing; but for what a load got and a store puts elsewhere as it is, the copy of a
 * byte: that is known to low_row. */
struct val low_operand(struct lowering *x, LLVMValueRef v);
struct val low_row(struct lowering *x, LLVMValueRef v);
bool low_is_narrow(struct lowering *x, LLVMTypeRef type);
void low_define(struct lowering *x, LLVMValueRef instruction, struct val v);
bool low_is_needed(struct lowering *x, LLVMValueRef v);      /* does anybody use what it carries? */
bool low_is_pieced(struct lowering *x, LLVMValueRef v);      /* does a piece of a pointer, with others, become one again? */
struct val low_gep(struct lowering *x, LLVMValueRef gep, struct val base);
uint32_t low_bits(struct lowering *x, LLVMTypeRef type);  /* of an integer, of a vector's elements or a pointer; 0: others */
uint32_t low_pointer_bits(const struct lowering *x);

/* access.c: memory. */
struct val low_load(struct lowering *x, struct val pointer, LLVMTypeRef type, bool needed);
void low_store(struct lowering *x, struct val pointer, LLVMTypeRef type, struct val v, uint8_t flags);
void low_move(struct lowering *x, struct val to, struct val from, uint64_t bytes, uint8_t flags);

/* constants.c */
struct val low_constant(struct lowering *x, LLVMValueRef v, uint32_t depth);
void low_initialise(struct lowering *x, cobj_id obj, LLVMValueRef initialiser);

/* arith.c: integers, which may be pointers. */
struct val low_arithmetic(struct lowering *x, LLVMOpcode op, LLVMValueRef a, LLVMValueRef b, struct val va, struct val vb);
struct val low_convert(struct lowering *x, LLVMOpcode op, LLVMValueRef from, LLVMTypeRef to, struct val v);

/* function.c: bodies. */
void low_function(struct lowering *x, LLVMValueRef function, cfn_id fn);

/* instruction.c, call.c, intrinsic.c, assembly.c */
void low_instruction(struct lowering *x, LLVMValueRef instruction);
void low_throw(struct lowering *x, struct val v);
void low_call(struct lowering *x, LLVMValueRef call);
bool low_intrinsic(struct lowering *x, LLVMValueRef call, LLVMValueRef callee);       /* false: it is none */
bool low_copies_bytes(struct lowering *x, LLVMValueRef call);        /* is it memcpy, memmove or memset? */
void low_assembly(struct lowering *x, LLVMValueRef call, LLVMValueRef assembly);

#endif
