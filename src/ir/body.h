/* SPDX-License-Identifier: Apache-2.0 */
/* body.h - a method's statements, in SSA form for locals and stack slots.
 *
 * A body is a list of blocks in reverse postorder (block 0 is the entry and has no predecessors), each a
 * range of statements that ends with one terminator. Every value is defined by exactly one statement and
 * is the number of that value (1 to nvalues; 0 is none); a definition dominates its uses.
 * Exceptions: a block lists the handlers that its statements may reach; locals do not change between its
 * first statement that may throw and its end, as far as handlers can see, so the phis of a handler take
 * the value at the block's entry.
 *
 * An *outline* is a body with one block, no operands and no results, that keeps only the statements which
 * matter to a call graph (calls, new, constants, static fields): much cheaper to make. */
#ifndef IR_BODY_H
#define IR_BODY_H

#include "base/diag.h"
#include "ir/ids.h"

enum ir_op {
#define OP(name, text, result, ref, operands) IR_##name,
#include "ir/ops.def"
#undef OP
	IR_OPS
};

enum ir_ref_kind { IR_REF_NONE, IR_REF_INT, IR_REF_LONG, IR_REF_STRING, IR_REF_CLASS, IR_REF_MREF, IR_REF_FREF,
		   IR_REF_PARAM, IR_REF_DYNAMIC };

/* The kind of a value or array element. Sub-int kinds only occur for array elements. */
enum ir_kind { IR_KIND_NONE, IR_KIND_INT, IR_KIND_LONG, IR_KIND_FLOAT, IR_KIND_DOUBLE, IR_KIND_OBJECT,
	       IR_KIND_BYTE, IR_KIND_CHAR, IR_KIND_SHORT };

/* The kind of a value that was read from an array with such elements, or is to be stored in it. */
static inline enum ir_kind ir_value_kind(unsigned element)
{
	return element > IR_KIND_OBJECT ? IR_KIND_INT : (enum ir_kind)element;
}

/* The kind of a value with this field descriptor, or of what a method with this descriptor returns; void and malformed
 * ones: none. */
enum ir_kind ir_kind_of_desc(struct str desc);

/* What a method handle does, JVMS 4.4.8; the first four refer to fields. */
enum ir_handle_kind { IR_HANDLE_GETFIELD = 1, IR_HANDLE_GETSTATIC, IR_HANDLE_PUTFIELD, IR_HANDLE_PUTSTATIC,
		      IR_HANDLE_VIRTUAL, IR_HANDLE_STATIC, IR_HANDLE_SPECIAL, IR_HANDLE_NEW, IR_HANDLE_INTERFACE };

static inline bool ir_is_field_handle(unsigned kind)
{
	return kind >= IR_HANDLE_GETFIELD && kind <= IR_HANDLE_PUTSTATIC;
}

/* `sub` of a call: who asks for it. */
enum ir_call_sub {
	IR_CALL_WRITTEN,           /* a call instruction, or a statement of a model */
	IR_CALL_LINK,              /* the JVM, to link a site: no operands, no result */
	IR_CALL_LOWERED,           /* an invokedynamic or dynamic constant comes down to it */
	IR_CALL_LINKED,            /* as IR_CALL_LINK; the lowered call that follows makes it, with its operands */
	IR_CALL_TARGET,            /* an invokedynamic, once it is linked: invokes the target of its call site */
};

/* `sub` of a cast: does it pass objects of which the analysis does not know the class? */
enum ir_cast_sub { IR_CAST_ANY, IR_CAST_KNOWN };

typedef uint32_t ir_value;

struct ir_stmt {
	uint16_t op;               /* enum ir_op */
	uint16_t sub;              /* per op, see ops.def */
	uint32_t pc;               /* of the bytecode instruction it comes from */
	uint32_t ref;              /* per op: an id, or an immediate */
	ir_value result;           /* 0: none */
	uint32_t args, nargs;      /* operands: body->args[args .. args + nargs) */
};

struct ir_block {
	uint32_t first, end;       /* statements [first, end) */
	uint32_t succs, nsuccs;    /* body->edges[succs ..): block numbers, in the terminator's order */
	uint32_t handlers, nhandlers;  /* body->edges[handlers ..): handler blocks, innermost first */
	uint32_t preds, npreds;    /* body->edges[preds ..): predecessors, normal and exceptional; the order of phi operands */
	uint32_t pc;
};

/* A call site or constant with a bootstrap method that sherd has no lowering for. */
struct ir_dynamic {
	mref_id bootstrap;
	sel_id sel;                /* name and descriptor at the site */
};

struct ir_body {
	const struct ir_stmt *stmts;
	const struct ir_block *blocks;
	const ir_value *args;
	const uint32_t *edges;
	const int64_t *longs;
	const struct ir_dynamic *dynamics;
	const uint8_t *kinds;      /* enum ir_kind of value v: kinds[v]; NULL in outlines */
	const uint32_t *slots;     /* by value: 1 + the first local variable that held it, 0: none; NULL unless program.keeps_slots */
	uint32_t nstmts, nblocks, nargs, nedges, nlongs, ndynamics, nvalues;
};

/* The kind that the operation gives its result, whatever it names; IR_KIND_NONE: none, or any. */
enum ir_kind ir_result_kind(const struct ir_stmt *s);

struct ir_op_info {
	const char *text;
	uint8_t result;            /* 0 none, 1 always, 2 optional */
	uint8_t ref;               /* enum ir_ref_kind */
	int8_t operands;           /* -1: any */
};
extern const struct ir_op_info ir_ops[IR_OPS];

static inline bool ir_is_call(unsigned op)
{
	return op >= IR_CALL_STATIC && op <= IR_CALL_DYNAMIC;
}
/* `sub` of a call */
static inline bool ir_is_linking(unsigned sub)
{
	return sub == IR_CALL_LINK || sub == IR_CALL_LINKED;
}
static inline bool ir_is_terminator(unsigned op)
{
	return op >= IR_RETURN;
}

struct program;
/* Prints the body in the text form of docs/ir.md; body_parse() reads it back: print(parse(print(b))) is
 * print(b). Classes, methods and fields are named symbolically, so parsing adds names to `p`. */
void body_print(const struct program *p, const struct ir_body *b, struct strbuf *out);
/* Parsing ends with body_check(); so outlines can be printed but not parsed. */
/* `method OWNER.NAME:DESC`, as it stands before a body in a file. */
void body_print_head(const struct program *p, class_id owner, sel_id sel, struct strbuf *out);
bool body_parse(struct program *p, struct str text, struct ir_body *b, struct arena *mem, struct diag *d);
/* Reads the next `method OWNER.NAME:DESC {` ... `}` item and moves *text behind it. False at the end of the
 * text, or with a diagnostic (whose line counts from the item's first) when the item is malformed. */
bool body_parse_next(struct program *p, struct str *text, class_id *owner, sel_id *sel, struct ir_body *b,
		     struct arena *mem, struct diag *d);
/* Verifies the invariants stated above (ranges, edges both ways, one definition, dominance, operand kinds
 * and counts). False: *reason says what is wrong, in `mem`. O(statements * depth of the dominator tree). */
bool body_check(const struct ir_body *b, struct arena *mem, const char **reason);

#endif
