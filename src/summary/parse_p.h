/* SPDX-License-Identifier: Apache-2.0 */
/* parse_p.h - what lines of a summary's text are made of, between labels.c and parse.c. Each function takes what it names; false: it is not
 * there, which has been told. */
#ifndef SUMMARY_PARSE_P_H
#define SUMMARY_PARSE_P_H

#include "base/text/textreader.h"
#include "cir/words.h"
#include "summary/form_p.h"

/* A function's variables and its object, which comes behind all others. */
struct place {
	uint32_t vars;                 /* behind the last one */
	struct cobj address;
};

struct parser {
	struct summary *s;
	struct cprogram *p;
	struct textreader in;
	struct diag d;
	uint32_t fn;                   /* the function at hand; 0: none */
	uint32_t newest;               /* of the variables of no function, the last one that was new */
	uint32_t ntemps;               /* temporaries that the rest of the text can name */
	struct clayout open;           /* a struct whose fields follow */
	struct str open_label;         /* empty: there is none */
	bool has_end;
	VEC(struct place) places;      /* by function */
	struct interner labels;
	struct map rows;               /* by function and label */
	VEC(cvar_id) args;
	struct strbuf text;
};

bool parser_fail(struct parser *r, const char *what);            /* always false */
bool parser_is_word_char(char c);
bool parser_is_digit(char c);
char parser_peek(struct parser *r);                              /* a line feed at the end of the line */

bool parser_word(struct parser *r, const char *word);            /* false: another one is there */
bool parser_name(struct parser *r, str_id *name);
bool parser_hex(struct parser *r, uint64_t *v);
bool parser_kind(struct parser *r, const char *const *words, uint8_t n, uint8_t *kind);
unsigned parser_flags(struct parser *r, const struct cir_flag *table);                   /* in the order of the table */
/* What is not there is not changed. */
bool parser_size(struct parser *r, const char *word, uint64_t *size);
bool parser_nth(struct parser *r, const char *word, uint16_t *nth);                      /* 1 + the number of a parameter */
bool parser_loc(struct parser *r, cloc_id *loc);

/* The label of a new row; its name is that in it. */
bool parser_label(struct parser *r, char sign, struct str *label, str_id *name);
bool parser_add_label(struct parser *r, uint32_t scope, struct str label, uint32_t row);
/* Rows that are named. */
bool parser_fn(struct parser *r, cfn_id *f);
bool parser_object(struct parser *r, uint32_t *o);
bool parser_var(struct parser *r, uint32_t *v);
bool parser_layout(struct parser *r, clayout_id *l);

#endif
