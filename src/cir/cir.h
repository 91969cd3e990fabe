/* SPDX-License-Identifier: Apache-2.0 */
/* cir.h - a C program as analyses of pointers see it: objects, variables, functions, statements.
 *
 * An *object* is memory that has an address: a global, a local of which the address is taken or that is a struct or
 * array, what one allocation site allocates, a function, a string. Its memory is seen as cells, at byte offsets that
 * its *layout* makes canonical: elements of an array are one cell, bytes of a scalar are one cell. A *variable* has no
 * address; it holds one value (a temporary, a parameter, a return value). Values of every type may carry pointers; var
 * 0 carries none.
 *
 * Statements are those of figure 3.1 of A. Rountev's thesis (Dataflow analysis of software fragments), with offsets.
 * They say nothing of the order of execution. Programs are built from bitcode (bitcode/), completed by models of the C
 * library (cmodel/) and by placeholders for unknown clients (cmodel/), all of them ordinary functions of ordinary
 * statements; then they are not changed any more. */
#ifndef CIR_CIR_H
#define CIR_CIR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"

/* Ids; 0 is none. */
typedef struct { uint32_t i; } cobj_id;
typedef struct { uint32_t i; } cvar_id;
typedef struct { uint32_t i; } cfn_id;
typedef struct { uint32_t i; } clayout_id;
typedef struct { uint32_t i; } cloc_id;
typedef struct { uint32_t i; } ccall_id;

/* Where in the source. */
struct cloc {
	str_id file;                 /* as the compiler was given it */
	uint32_t line, column;       /* 0: not known */
};

enum clayout_kind { CLAYOUT_SCALAR, CLAYOUT_STRUCT, CLAYOUT_ARRAY };

/* What is where in an object. A union has the layout of its largest member. */
struct clayout {
	uint8_t kind;
	uint64_t size;               /* bytes */
	str_id name;                 /* of a struct; may be empty */
	uint32_t first, nfields;     /* struct: rows of `fields`, by offset, not overlapping */
	clayout_id elem;             /* array */
	uint64_t count;              /* array: 0 is unbounded */
};

struct cfield {
	uint64_t offset;
	clayout_id layout;
	str_id name;                 /* empty: not known */
};

enum cobj_kind { COBJ_GLOBAL, COBJ_LOCAL, COBJ_HEAP, COBJ_FUNCTION, COBJ_STRING };
enum cobj_flag {
	COBJ_STATIC = 1,             /* internal linkage; a local: static */
	COBJ_IMPORTED = 2,           /* declared here, defined by nobody: a library's */
	COBJ_EXPORTED = 4,           /* a client of the program, a library, may name it */
	COBJ_REPEATS = 8,            /* the memory is an array of the layout: heap */
	COBJ_MODEL = 16,             /* made by a model of a library function: its private memory */
	COBJ_PLACEHOLDER = 32,       /* ph_var, ph_proc */
	COBJ_HIDDEN = 64,            /* not visible outside the library: visibility hidden or internal; also of functions' objects */
	COBJ_CONSTANT = 128          /* never written: the program would end. All strings are */
};

struct cobj {
	uint8_t kind, flags;
	str_id name;                 /* in the source; strings: the text; heap: empty */
	cfn_id fn;                   /* locals, static locals, heap: the function; functions: themselves */
	clayout_id layout;           /* none: unknown; cells are found while solving */
	uint64_t size;               /* bytes; 0: not known */
	cloc_id loc;
};

enum cvar_kind { CVAR_TEMP, CVAR_PARAM, CVAR_RESULT, CVAR_LOCAL };
struct cvar {
	uint8_t kind;
	str_id name;                 /* in the source; empty: none */
	cfn_id fn;                   /* none: of the initialisers */
	cloc_id loc;                 /* its declaration; tells apart two of one name */
};

enum cfn_flag {
	CFN_DEFINED = 1,             /* has a body: its own, or a model's */
	CFN_MODEL = 2,               /* the body is a model of a library function; in a summary: it was one where this is not defined */
	CFN_VARIADIC = 4,
	CFN_STATIC = 8,              /* internal linkage */
	CFN_STARTS = 16,             /* runs without being called: main, constructors, the initialisers of globals */
	CFN_ALLOCATES = 32,          /* what it returns is fresh memory, of each call its own */
	CFN_UNKNOWN = 64,            /* neither body nor model: assumed to do all that unknown code can do */
	CFN_PLACEHOLDER = 128,
	CFN_WEAK = 256,              /* a weak definition: another may replace it */
	CFN_SETTLED = 512,           /* what it allocates was decided with its whole library: by its flags, and `uses` of its parameters */
	CFN_SUMMARY = 1024,          /* the body is from a library's summary: enough for clients, not what the source has */
	CFN_FOREIGN = CFN_MODEL | CFN_UNKNOWN | CFN_PLACEHOLDER | CFN_SUMMARY    /* any of them: it is not of the program's modules */
};

struct cfn {
	str_id name;
	cobj_id obj;                 /* its address */
	uint16_t flags;
	uint16_t realloc;            /* CFN_ALLOCATES: 1 + the parameter whose contents move to the fresh memory; 0: none */
	uint16_t returns;            /* CFN_ALLOCATES: 1 + a parameter that it may return instead; 0: none */
	cvar_id other;               /* CFN_ALLOCATES: what else it may return, none of it fresh; none: nothing */
	uint32_t params, nparams;    /* successive variables */
	cvar_id result;              /* what it returns */
	cobj_id rest;                /* variadic: the arguments beyond parameters, an object that is one cell; none until used */
	uint32_t stmts, nstmts;      /* its body: rows of `stmts` */
	uint32_t calls, ncalls;      /* rows of `calls` that C_CALL statements of the body refer to */
	cfn_id of;                   /* a private copy of this model for one direct call; none: not a copy */
	cloc_id loc;
};

enum cuse_flag {
	CUSE_ESCAPES = 1,            /* it is stored, or passed to who knows whom */
	CUSE_WRITTEN = 2,            /* something that may carry pointers is stored behind it */
	CUSE_RETURNED = 4,           /* it may be what the function returns */
	CUSE_SHIFTED = 8,            /* a pointer beside it may be */
	CUSE_ONLY = 16               /* nothing else is */
};

/* What a settled function does with a pointer that it is given, and with the memory behind it. */
struct cuse {
	cvar_id param;
	uint8_t flags;
	uint16_t moves;              /* 1 + the parameter whose contents are moved behind it; 0: none */
};

enum cop {
	C_ADDR,                      /* dst = &obj + off            src: the object */
	C_COPY,                      /* dst = src */
	C_SHIFT,                     /* dst = src + off + n * width, for any n (width 0: exactly off) */
	C_GET,                       /* dst = obj at off            src: the object */
	C_PUT,                       /* obj at off = src            dst: the object */
	C_LOAD,                      /* dst = *src */
	C_STORE,                     /* *dst = src */
	C_MOVE,                      /* *dst = *src, width bytes of it, also pointers among them; width 0: not known */
	C_CALL                       /* dst: the call's row */
};
enum cstmt_flag {
	CSTMT_ELEMENTS = 1,          /* C_SHIFT: pointer arithmetic that stays within an array, off being a multiple of its elements' size;
	                              * with a width: an index of an array, not of what may be one */
	CSTMT_HIDDEN = 2,            /* no access of the source: not a part of MOD and USE */
	CSTMT_BYTES = 4,             /* C_SHIFT, C_ADDR: arithmetic in bytes, of which nobody knows whether it walks an array or picks a
	                              * field; with a width: to anywhere in the object */
	CSTMT_RANGE = 8              /* C_SHIFT, C_ADDR: more than one value is accessed from there on */
};

struct cstmt {
	uint8_t op, flags;
	uint32_t dst, src;
	int32_t off;
	uint32_t width;              /* C_GET, C_PUT, C_LOAD, C_STORE: bytes accessed (0: not known); else see above */
	cloc_id loc;
};

enum ccall_flag {
	CCALL_FRESH = 1,             /* the callee allocates: a C_ADDR beside the call gives the result */
	CCALL_ASM = 2,               /* inline assembly: assumed to do nothing but what its operands say */
	CCALL_UNTYPED = 4,           /* without a prototype: the number of arguments says nothing */
	CCALL_LATER = 8              /* the callee also runs at other times, beside or above other functions: threads, handlers */
};
struct ccall {
	cfn_id callee;               /* direct; none: through `pointer` */
	cvar_id pointer;
	cvar_id result;              /* none: not used */
	uint32_t args, nargs;        /* rows of `args` */
	uint8_t flags;
	clayout_id hint;             /* what the memory that the result points to is used as; none: not known */
	uint64_t size;               /* bytes asked for, when the callee allocates; 0: not known */
	cobj_id memory;              /* through `pointer`: what it returns when that is a function that allocates, with neither
	                              * `realloc` nor `returns`, instead of what the function does; none: the latter */
	cfn_id caller;
	cloc_id loc;
};

/* What was assumed or is missing, and where. */
enum cnote_kind {
	CNOTE_ASM,                   /* inline assembly */
	CNOTE_UNKNOWN,               /* a function without body and model (text: its name) */
	CNOTE_NO_DEBUG,              /* a module without debug information (text: the file) */
	CNOTE_SPLIT,                 /* a pointer is taken apart into narrower pieces: followed only where they are copied, or
	                              * put together again */
	CNOTE_INSTRUCTION,           /* an instruction that is not modelled (text: its name) */
	CNOTE_LOADS,                 /* a function found at run time by its name is assumed not to be called (text: dlsym) */
	CNOTES
};
struct cnote {
	uint8_t kind;
	cfn_id fn;
	cloc_id loc;
	str_id text;
};

/* Rows by id; [0] of each is unused, but for `fields`, `stmts` and `args`, which are ranges. */
struct calias {
	str_id name;
	cobj_id obj;
};

/* Functions of one name form a list, in the order of rows. */
struct cindex_row {
	cfn_id next;                 /* of the same name */
	cfn_id last;                 /* of the first one: the end of the list */
};
struct cindex {
	VEC(cfn_id) first;           /* by name; none also beyond its end */
	VEC(struct cindex_row) rows; /* by function; those beyond its end are not known yet */
};

struct cprogram {
	struct interner names;
	VEC(struct cloc) locs;
	struct map folders;          /* by the name of a file: the name of the folder that it is relative to, where one is known */
	VEC(struct clayout) layouts;
	VEC(struct cfield) fields;
	VEC(struct cobj) objs;
	VEC(struct cvar) vars;
	VEC(struct cfn) fns;
	VEC(struct cstmt) stmts;
	VEC(struct ccall) calls;
	VEC(cvar_id) args;
	VEC(struct cnote) notes;
	VEC(str_id) fn_names, obj_names, var_names;  /* what users read, by row, as far as cir_index_names knows them; 0: not given */
	VEC(struct calias) aliases;  /* other names that others can use, of what modules define */
	VEC(struct cuse) uses;       /* by parameter; of those that are not here nothing is known: they may escape */
	struct cindex index;         /* of functions by name, as far as cir_find_function looked */
	cfn_id initialisers;         /* its body gives globals their first values */
	uint32_t pointer_size;       /* bytes */
};

void cprogram_init(struct cprogram *p);
void cprogram_release(struct cprogram *p);

/* Building. Bodies are written one at a time: cir_begin, statements and calls, cir_end. */
cloc_id cir_loc(struct cprogram *p, str_id file, uint32_t line, uint32_t column);        /* a new row unless the last is equal */
cobj_id cir_object(struct cprogram *p, struct cobj o);
cvar_id cir_var(struct cprogram *p, enum cvar_kind kind, str_id name, cfn_id fn);
clayout_id cir_layout(struct cprogram *p, struct clayout l);
/* With its object, `nparams` parameters without names and its result. */
cfn_id cir_function(struct cprogram *p, str_id name, uint32_t nparams, uint16_t flags, cloc_id loc);
cobj_id cir_rest(struct cprogram *p, cfn_id f);              /* the object of a variadic function's other arguments */
void cir_begin(struct cprogram *p, cfn_id f);                /* an earlier body of f is forgotten */
void cir_end(struct cprogram *p, cfn_id f);                  /* f is CFN_DEFINED now */
void cir_stmt(struct cprogram *p, struct cstmt s);
ccall_id cir_call(struct cprogram *p, struct ccall c, const cvar_id *args);              /* with its C_CALL statement */
void cir_note(struct cprogram *p, enum cnote_kind kind, cfn_id f, cloc_id loc, str_id text);

/* The first of this name that is not static; none when there is none. The first call after functions were added looks at these, each
 * other one only at functions of the name. Flags may change between calls, and rows may be pushed by whoever; names of rows change
 * by cir_rename_function alone. Not by two threads at a time. */
cfn_id cir_find_function(struct cprogram *p, struct str name);
/* Its object keeps its name. The next search looks at all functions. */
void cir_rename_function(struct cprogram *p, cfn_id f, str_id name);

/* Questions about one row. */
bool cir_is_symbol(const struct cobj *o);                    /* a function, or data of no function, with a name */
bool cir_is_defined(const struct cprogram *p, const struct cobj *o);     /* of a symbol: it is here, not only named */
bool cir_is_copy(const struct cstmt *s);                     /* also a C_SHIFT that stays where it is */

/* layout.c: which bytes are one cell. */

/* The largest stride that reaches all that steps of one and of the other reach: the greatest common divisor; 0 is no
 * step. */
uint64_t cstride_join(uint64_t a, uint64_t b);

/* The offset of the cell that byte `off` of an object of this layout belongs to. `off` < size, or the last array is open. */
uint64_t clayout_cell(const struct cprogram *p, clayout_id l, uint64_t off);
/* Is the byte not the first one of its cell's scalar, or of an element of it? */
bool clayout_inside(const struct cprogram *p, clayout_id l, uint64_t off);
/* Is there an array around `off`, which is canonical, whose elements have a size that divides `step`, or are scalars? */
bool clayout_in_array(const struct cprogram *p, clayout_id l, uint64_t off, uint64_t step);
/* The same, without arrays in a struct of several fields that starts at `off`, too: a pointer there may be to the struct. */
bool clayout_around(const struct cprogram *p, clayout_id l, uint64_t off, uint64_t step);
/* Is `off` in an array, but not at its first element? Of arrays whose elements are scalars smaller than `below`; 0: of all. */
bool clayout_middle(const struct cprogram *p, clayout_id l, uint64_t off, uint64_t below);
/* Does something of `size` bytes start at `off`? */
bool clayout_starts(const struct cprogram *p, clayout_id l, uint64_t off, uint64_t size);
/* Does a step back of that many bytes lead out of an array around `off`? Then it may start at any of its elements. */
bool clayout_leaves(const struct cprogram *p, clayout_id l, uint64_t off, uint64_t back);
/* The size of the largest struct or array that starts at `off`; 0: nothing but a scalar does. */
uint64_t clayout_part(const struct cprogram *p, clayout_id l, uint64_t off);
/* The cells of an object of this layout within [from, from + len), in order: calls each(ctx, cell) for canonical offsets. */
void clayout_each(const struct cprogram *p, clayout_id l, uint64_t from, uint64_t len, void (*each)(void *ctx, uint64_t cell), void *ctx);

/* names.c: what users read. Names are made unique once, by cir_index_names, when the program is complete
 * (allocation_rewrite does so, too). Rows that are newer have their plain names. */
struct strbuf;
void cir_index_names(struct cprogram *p);
void cname_loc(const struct cprogram *p, cloc_id l, struct strbuf *out);                 /* file:line:column, "?" */
void cname_fn(const struct cprogram *p, cfn_id f, struct strbuf *out);                   /* file:name where a static name is not unique */
/* `global`, `function::local`, `heap@file:line`, "text"; unique, with a column or line where two would be the same. */
void cname_object(const struct cprogram *p, cobj_id o, struct strbuf *out);
void cname_cell(const struct cprogram *p, cobj_id o, uint64_t off, struct strbuf *out);  /* with .field, or +off */
void cname_var(const struct cprogram *p, cvar_id v, struct strbuf *out);                 /* function::name; function::%7 for temporaries */

/* text.c: the program as text, and back; for tests and `sherd dump`. */
struct diag;
void cir_print(const struct cprogram *p, struct strbuf *out);
bool cir_parse(struct cprogram *p, struct str text, const char *artifact, struct diag *d);

/* pack.c, unpack.c: the program as bytes (docs/formats/packed-c.md), and back, with the same ids; for other processes. Names that
 * cir_index_names gave are not part of it. */
void cir_pack(const struct cprogram *p, struct strbuf *out);
/* The bytes may be anything: what is taken is in range everywhere and passes cir_check. `p` is new. False: *reason, a static
 * string; what is in `p` is of no use. */
bool cir_unpack(struct cprogram *p, struct span bytes, const char **reason);

/* compact.c: what of a program is referred to from where it can start (CFN_STARTS, exports, the initialisers), in an order that depends
 * on names, places and what functions do, not on that of modules. `to` is new. Functions come by name; objects: those of no function,
 * then those of each function in the order of functions, then those that are functions; variables: those of no function, then of each
 * function its parameters, its result, others; bodies in the order of functions; layouts behind what they contain, each once. */
void cir_compact(const struct cprogram *from, struct cprogram *to);

/* link.c: adds another program, a library, to this one. What one leaves undefined (CFN_DEFINED, COBJ_IMPORTED) and the other exports
 * (COBJ_EXPORTED) or, being the client, defines and does not hide, becomes one; a weak definition gives way to another. What the
 * library does not export nobody else can name from then on. Both have one function of first values. */
struct clink_opt {
	bool keep_exports;           /* clients of both may use the library, too */
	void (*on_conflict)(void *ctx, struct str name);     /* both define it: the first one stays. May be NULL */
	void *ctx;
};
void cir_link(struct cprogram *p, const struct cprogram *library, const struct clink_opt *opt);

/* check.c: are all ids in range and tables consistent? False: *reason, a static string. */
bool cir_check(const struct cprogram *p, const char **reason);

#endif
