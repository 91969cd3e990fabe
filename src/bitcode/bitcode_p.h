/* SPDX-License-Identifier: Apache-2.0 */
/* bitcode_p.h - between the parts of the front end: types and debug information (types.c, debug.c), lowering (the rest). */
#ifndef BITCODE_BITCODE_P_H
#define BITCODE_BITCODE_P_H

#include <llvm-c/Core.h>

#include "bitcode/bitcode.h"

/* types.c: sizes and layouts of LLVM types, of one module. */
struct types;
struct types *types_new(struct cprogram *p, LLVMModuleRef m);
void types_free(struct types *t);
uint64_t types_size(struct types *t, LLVMTypeRef type);              /* bytes in memory; 0: has none */
uint64_t types_field_offset(struct types *t, LLVMTypeRef structure, uint32_t field);
/* What has more cells than this is one. */
enum { TYPES_CELLS = 1 << 14 };
clayout_id types_layout(struct types *t, LLVMTypeRef type);          /* none: has no size */
/* One cell; an array of bytes when it is larger than a pointer, since there may be more than one pointer in it. */
clayout_id types_scalar(struct types *t, uint64_t size);
bool types_has_gap(const struct types *t, clayout_id l);             /* has a struct padding where a pointer could be? */
uint32_t types_word(const struct types *t);                          /* the size of a pointer */
/* The address that a GEP (instruction or constant expression) computes: base + off + n * stride, for any n. stride 0: all
 * constant. `elements`: its first index, constant or not, moves within an array of elements larger than a byte; then off and
 * stride are of the first index alone, and inner + m * inner_stride is what the others add to it. `in_array`: the first index is
 * constant, so that a stride is that of an array. */
struct gep { LLVMValueRef base; int64_t off; uint64_t stride; bool elements; int64_t inner; uint64_t inner_stride; bool in_array; };
struct gep types_gep(struct types *t, LLVMValueRef gep);

/* debug.c: names, types and places of the source, of one module. */
struct debug;
struct debug *debug_new(struct cprogram *p, struct types *t, LLVMModuleRef m);
void debug_free(struct debug *d);
bool debug_is_there(const struct debug *d);
/* What debug information says of a variable; empty where it says nothing. `layout`: of its debug type when that has the
 * size of the LLVM type. */
struct source_var {
	str_id name;
	cloc_id loc;
	clayout_id layout;
	clayout_id pointee;          /* a pointer: the layout of what it points to; none: void, char, unknown */
	LLVMValueRef function;       /* a static local: its function */
};
struct source_var debug_global(struct debug *d, LLVMValueRef global);
void debug_enter(struct debug *d, LLVMValueRef function);           /* scans its dbg.declare and dbg.value */
struct source_var debug_local(struct debug *d, LLVMValueRef alloca_or_value);
struct source_var debug_param(struct debug *d, uint32_t k);         /* parameter k of the function */
cloc_id debug_loc(struct debug *d, LLVMValueRef instruction);
cloc_id debug_function_loc(struct debug *d, LLVMValueRef function);
/* What memory that a call (or an alloca of variable size) returns is used as: by the variable or field that gets it, or by
 * GEPs on it. */
clayout_id debug_hint(struct debug *d, LLVMValueRef call);

#endif
