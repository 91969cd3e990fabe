/* SPDX-License-Identifier: Apache-2.0 */
/* cmodel_p.h - a table of models (docs/formats/libc-model.md) as rows, found by the names of functions and objects. */
#ifndef CMODEL_CMODEL_P_H
#define CMODEL_CMODEL_P_H

#include "base/map.h"
#include "cmodel/cmodel.h"

enum model_kind { MODEL_FUNCTION, MODEL_PURE, MODEL_OBJECT, MODEL_GLOBAL, MODEL_START };

struct model_row {
	uint8_t kind;
	bool sets_errno;             /* pure functions; others say it behind their parameters */
	uint32_t line;
	struct str name;             /* of MODEL_OBJECT, MODEL_GLOBAL, MODEL_START */
	struct str rest;             /* from the `(` of the parameters, or the `=` of a first value, to the end of the row */
};

/* Borrows the text. */
struct model_table {
	VEC(struct model_row) rows;  /* [0] is unused */
	struct interner names;
	VEC(uint32_t) row_of;        /* by name; 0: none. Rows MODEL_START are not found by name */
};

struct model_error {
	const char *reason;          /* NULL: none */
	uint32_t line;
};

/* False: *e says why. Effects are not looked at. */
bool model_table_read(struct model_table *t, struct str text, struct model_error *e);
void model_table_release(struct model_table *t);
uint32_t model_table_row(const struct model_table *t, struct str name);          /* 0: none */

/* Words of a row. */
enum model_token {
	TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_READ /* < */, TOKEN_WRITE /* > */, TOKEN_BOTH /* <> */, TOKEN_READ_DEEP /* << */,
	TOKEN_WRITE_DEEP /* >> */, TOKEN_STREAM /* @ */, TOKEN_REST /* ... */, TOKEN_OTHER /* ( ) , : ; = & * + ! " */
};
struct model_lexer {
	struct str text;
	uint32_t at, line;
	enum model_token token;      /* the current one, ... */
	struct str word;             /* ... its text; empty at the end */
};
struct model_lexer model_lexer_start(struct str text, uint32_t line);    /* at the first token */
void model_lexer_next(struct model_lexer *x);

/* What is made for one program. */
struct model_initial {
	cobj_id obj, value;          /* obj holds &value at the start */
};
struct models {
	struct cprogram *p;
	const struct model_table *table;
	VEC(cobj_id) objs;           /* by row: what was made of it; none: not needed yet */
	VEC(struct model_initial) initial;
	VEC(cfn_id) pending;         /* functions that only models name: they have no body yet */
	struct map globals;          /* by name: objects that other modules can name */
	clayout_id cell;             /* of objects that repeat: any offset is the same cell */
	bool loads_unknown;          /* `unknown` is unknown code; else nothing */
	uint32_t stream_row;         /* what `@` does beyond reading and writing: stream$runs; 0: nothing */
	cobj_id unknown;             /* holds what nobody knows; none until needed */
	struct model_error error;    /* the first */
};

cobj_id models_object(struct models *m, struct str name);        /* none: the table has no such object */
cfn_id models_function(struct models *m, struct str name);       /* none: the table has no such function */

/* body.c: bodies from rows. */
struct model_flow {
	bool memory;                 /* memory that callers pass is read or written, what they pass gets into calls */
	bool result;                 /* what they pass is returned */
};
/* Writes the body of f, which gets the row's parameters. A private copy, for one call, has its `caller` and place. */
struct model_flow model_body(struct models *m, const struct model_row *row, cfn_id f, cfn_id caller, cloc_id loc);
/* Statements of the row's effects on the parameters of `of`, into the body that is being written, f's. */
void model_start(struct models *m, const struct model_row *row, cfn_id of, cfn_id f);

#endif
