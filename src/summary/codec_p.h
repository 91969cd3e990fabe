/* SPDX-License-Identifier: Apache-2.0 */
/* codec_p.h - what rows of a summary are made of when they are bytes, between codec.c and binary.c: numbers, references, strings and
 * places, each in a context, which has models of its own. */
#ifndef SUMMARY_CODEC_P_H
#define SUMMARY_CODEC_P_H

#include "summary/coder_p.h"
#include "summary/form_p.h"

/* What was named lately, latest first. */
enum { RECENT = 31, RECENT_BITS = 6, PLACES = 1 << RECENT_BITS };
struct recent {
	uint32_t n, ids[RECENT];
};
/* Behind the places of recent rows: it is none of them, it is none at all, it is the next of the function's that was not named yet, it is
 * another of the function's. */
enum { MISS = RECENT, NONE, FRESH, OWN };

/* Contexts of numbers, flags and symbols. */
enum number {
	N_COUNT, N_OPTION, N_LAYOUT, N_SIZE, N_FIELDS, N_OFFSET, N_ELEMENTS, N_OBJECT_SIZE, N_OBJECT_FLAGS, N_FN_FLAGS, N_ADDRESS_FLAGS,
	N_NTH, N_PARAMS, N_VARS, N_TEMPS, N_OBJECTS, N_NOTES, N_USE, N_FN, N_OWN_VAR, N_OTHER_VAR, N_OWN_OBJECT, N_OTHER_OBJECT, N_PUT,
	N_STMTS, N_ARGS, N_CALL_SIZE, N_CALL_FLAGS, NUMBERS
};
enum bit { B_SIZE, B_OBJECT_SIZE, B_USE, B_ADDRESS, B_RESULT, B_OF, BITS };
enum kind { K_LAYOUT, K_OBJECT, K_OWN_OBJECT, K_VAR, K_NOTE, KINDS };
enum layout_use { L_ELEMENT, L_FIELD, L_OBJECT, L_HINT, LAYOUTS };
enum string_kind { S_HEAD, S_LAYOUT, S_FIELD, S_OBJECT, S_TEXT, S_FN, S_VAR, S_FILE, S_NOTE, STRINGS };
enum loc_kind { AT_OBJECT, AT_VAR, AT_FN, AT_NOTE, AT_STMT, LOCS };

/* Operations, and one for where there is none; what variables are of statements: the former two by operation. */
enum { NO_OP = 9, OPS };
enum var_use { V_DST, V_SRC = OPS, V_POINTER = 2 * OPS, V_RESULT, V_FIRST_ARG, V_ARG, V_OTHER, VARS };

enum { CHARS = 1 << 16, COLUMNS = 64 };          /* models of characters; columns of the place before, by their last bits */

/* All are bitmodels: they begin alike. */
struct models {
	struct numbermodel numbers[NUMBERS], flags[OPS], offs[OPS], widths[OPS];
	struct numbermodel strings[STRINGS], lengths[STRINGS];
	struct numbermodel line[LOCS], line_of_ops[OPS][OPS], column[LOCS][2], column_behind[3][COLUMNS], column_of_ops[2][OPS][OPS];
	struct bitmodel chars[MIXED][CHARS], is_new[STRINGS], bits[BITS];
	struct bitmodel kinds[KINDS][8], op[OPS][16], op_of_ops[OPS][OPS][16], op_of_place[OPS][5][16];
	struct bitmodel is_same_loc[LOCS][OPS][2], is_same_file[LOCS], is_nowhere[LOCS];
	struct bitmodel var[VARS][OPS][PLACES], var_behind[VARS][PLACES][PLACES], var_again[VARS][PLACES][PLACES];
	struct bitmodel object[OPS][PLACES], layout[LAYOUTS][PLACES], fn[PLACES];
};

struct mixers {
	struct mixer chars[STRINGS], lines[LOCS], columns[LOCS], vars, ops;
};

/* Rows of the function at hand, of which those before `fresh` were named. */
struct own {
	uint32_t first, fresh, end;
};

struct codec {
	struct coder c;
	struct models *m;
	struct mixers mixers;
	struct summary *s;             /* not changed when it is written */
	struct cprogram *p;
	struct sform *form;            /* when it writes */
	uint64_t rows, most;           /* when it reads */
	VEC(str_id) strings;           /* by their number, from 1 */
	VEC(uint32_t) numbers;         /* of strings */
	struct cloc at;                /* the last place */
	uint32_t fn, var, obj, note, use;                /* the next rows, or the function at hand */
	struct own vars, objs;
	struct recent seen_vars, seen_objs, seen_layouts, seen_fns;
	uint8_t op, before;            /* of the last two statements */
	uint8_t place, places[VARS];   /* of the last variable, and of the last one in this context */
	str_id last[STRINGS];          /* the last new string of each kind */
	uint32_t put;                  /* the object that had its first value last */
	VEC(struct cobj) addresses;    /* by function */
	VEC(cvar_id) args;
};

void codec_init(struct codec *k, struct summary *s);
void codec_release(struct codec *k);

static inline bool writes(const struct codec *k)
{
	return k->c.writes;
}

/* Each codes what it is given, and gives what was coded. What cannot be makes the codec fail, and is 0. */
uint64_t codec_number(struct codec *k, struct numbermodel *m, uint64_t v);
uint32_t codec_below(struct codec *k, enum number context, uint32_t v, uint32_t limit);
uint32_t codec_u32(struct codec *k, struct numbermodel *m, uint64_t v);
int64_t codec_difference(struct codec *k, struct numbermodel *m, int64_t v);     /* of numbers of 32 bits */
uint32_t codec_symbol(struct codec *k, struct bitmodel *tree, uint32_t bits, uint32_t v);
bool codec_bit(struct codec *k, enum bit context, bool v);
uint32_t codec_count(struct codec *k, enum number context, uint32_t n);          /* so many rows follow */
str_id codec_string(struct codec *k, enum string_kind kind, str_id s);
cloc_id codec_loc(struct codec *k, enum loc_kind kind, cloc_id id);

/* Recent rows: where it is, or MISS; and that it was named. */
uint32_t recent_place(const struct recent *r, uint32_t id);
void recent_see(struct recent *r, uint32_t place, uint32_t id);

#endif
