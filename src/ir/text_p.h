/* SPDX-License-Identifier: Apache-2.0 */
/* text_p.h - words of the text form that printing and parsing share; see docs/ir.md. */
#ifndef IR_TEXT_P_H
#define IR_TEXT_P_H

#include "ir/body.h"
#include "ir/program.h"

#define IR_HANDLE_KINDS 10
extern const char *const ir_kind_names[IR_KIND_SHORT + 1];      /* "int"; [0] is "none" */
extern const char *const ir_call_names[IR_CALL_TARGET + 1];     /* by enum ir_call_sub; [0] is NULL */
extern const char *const ir_handle_names[IR_HANDLE_KINDS];      /* by reference kind, JVMS 4.4.8; [0] is NULL */

/* The kind of the result of a statement when the text does not say it: fixed by the operation, or by the
 * descriptor that it names. */
enum ir_kind ir_default_kind(const struct program *p, const struct ir_stmt *s, const struct ir_dynamic *dynamics);

/* Whether a name or descriptor can stand in the text without quotes. */
bool ir_is_plain_name(struct str s);
bool ir_is_plain_desc(struct str s);

#endif
