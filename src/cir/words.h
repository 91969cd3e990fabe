/* SPDX-License-Identifier: Apache-2.0 */
/* words.h - the words of text forms of C programs: kinds and flags of rows, and which names need no quotes. */
#ifndef CIR_WORDS_H
#define CIR_WORDS_H

#include "cir/cir.h"

extern const char *const cir_obj_kinds[COBJ_STRING + 1];
extern const char *const cir_var_kinds[CVAR_LOCAL + 1];
extern const char *const cir_note_kinds[CNOTES];

struct cir_flag {
	const char *word;
	uint16_t bit;
};
/* Ended by a row without a word. */
extern const struct cir_flag cir_obj_flags[], cir_fn_flags[], cir_call_flags[], cir_stmt_flags[], cir_use_flags[];

bool cir_is_plain(struct str s);         /* can stand without quotes */

#endif
