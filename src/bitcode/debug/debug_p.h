/* SPDX-License-Identifier: Apache-2.0 */
/* debug_p.h - between the parts of debug.c: nodes of debug information, their types (debug_types.c), uses of fresh memory
 * (debug_hint.c).
 *
 * LLVM-C has few questions for nodes; the rest is read from their operands, whose places are the same in LLVM 14 to 19. */
#ifndef BITCODE_DEBUG_DEBUG_P_H
#define BITCODE_DEBUG_DEBUG_P_H

#include <llvm-c/DebugInfo.h>

#include "base/map.h"
#include "bitcode/bitcode_p.h"

/* Places of operands. */
enum {
	DI_SCOPE = 1,                /* lexical blocks */
	DI_VAR_NAME = 1, DI_VAR_FILE = 2, DI_VAR_TYPE = 3,
	DI_TYPE_BASE = 3, DI_TYPE_ELEMENTS = 4, DI_MEMBER_STORAGE = 4, DI_TYPE_CLASS = 4,
	DI_FUNCTION_TYPE = 4, DI_SIGNATURE_TYPES = 3,
	DI_RANGE_COUNT = 0
};

/* Where pointers can be in a type; what matters in unions. */
enum {
	DI_WORDS = 1,                /* something is as large as a pointer, */
	DI_ODD = 2,                  /* and is not aligned */
	DI_HIDES = 4,                /* there is padding where a pointer could be */
	DI_ARRAYS = 8                /* there is an array, of more than bytes: an index over it is one over other members' fields */
};

/* A type of the source. */
struct di_type {
	clayout_id layout;           /* none: void, incomplete, a function, or not understood */
	uint64_t size;               /* bytes */
	uint32_t height, cells;      /* of the layout */
	uint8_t pointers;            /* DI_WORDS and so on */
	LLVMMetadataRef to;          /* a pointer: what it points to; NULL: void, or no pointer */
	LLVMMetadataRef node;        /* without typedefs and qualifiers */
	bool pointer;
};

/* What dbg.declare or dbg.value says of a value. */
struct di_local {
	LLVMMetadataRef var;
	bool declared;               /* the value is the variable's address */
	bool exact;                  /* not only by an expression */
};

struct debug {
	struct cprogram *p;
	struct types *t;
	LLVMModuleRef module;
	LLVMContextRef context;
	bool there;
	LLVMMetadataRef no_expression;
	struct map files;            /* by DIFile: 1 + str_id */
	LLVMMetadataRef last_file;
	str_id last_name;
	struct map type_rows;        /* by node */
	VEC(struct di_type) types;
	struct map structs;          /* by str_id of its name: the layout */
	VEC(LLVMValueRef) operands;  /* a stack: of the nodes that are being read */
	struct map local_rows;       /* by value */
	VEC(struct di_local) locals;
	struct map function_rows;    /* by DISubprogram */
	VEC(LLVMValueRef) functions;
	LLVMValueRef function;       /* the one entered */
};

/* Opens a node's operands: they are d->operands[start … start + *n) until di_close(start). */
uint32_t di_open(struct debug *d, LLVMMetadataRef node, uint32_t *n);
LLVMMetadataRef di_opened(const struct debug *d, uint32_t at);          /* one of them; NULL: null */
void di_close(struct debug *d, uint32_t start);
LLVMMetadataRef di_operand(struct debug *d, LLVMMetadataRef node, uint32_t k);          /* NULL: null, or there is none */
bool di_is(LLVMMetadataRef node, LLVMMetadataKind kind);               /* false for NULL */

/* debug_types.c */
const struct di_type *di_type(struct debug *d, LLVMMetadataRef type);  /* valid until the next call; never NULL */
clayout_id di_pointee(struct debug *d, LLVMMetadataRef type);          /* of a pointer type; none: void, char, unknown */
/* The pointer type that is at byte `off` of a type; NULL: there is none. */
LLVMMetadataRef di_pointer_at(struct debug *d, LLVMMetadataRef type, uint64_t off);

/* debug.c */
LLVMMetadataRef di_variable_type(struct debug *d, LLVMMetadataRef var);
const struct di_local *di_local(const struct debug *d, LLVMValueRef v);                /* NULL: nothing is known */
LLVMMetadataRef di_global_variable(LLVMValueRef global);               /* NULL: nothing is known */

#endif
