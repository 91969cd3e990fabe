/* SPDX-License-Identifier: Apache-2.0 */
/* site.h - calls by the names that people write. */
#ifndef SESSION_LOOKUP_SITE_H
#define SESSION_LOOKUP_SITE_H

#include "session/session.h"

/* A dispatched call that is written in the code of a method. */
struct named_site {
	method_id method;
	uint32_t pc;
	mref_id declared;
	uint8_t op;                   /* IR_CALL_VIRTUAL, IR_CALL_INTERFACE */
};

/* The call `text`: METHOD@PC; METHOD:LINE, pkg.Cls:LINE, or METHOD alone, where that is one call. METHOD is as for
 * session_method(), but the descriptor can be left out where the rest is enough. False when there is none, or more than
 * one: then `why`, which is empty before, says what to write instead, with the calls to choose from a line each. */
bool session_site(struct session *s, const char *text, struct named_site *out, struct strbuf *why);

/* The class `text` among `classes`, which are receivers in the order of their names: a dotted name, or its end behind a
 * '.' or '$' where only one has it; arrays are one class. If it is none of them, the class with that dotted name on the
 * class path, or the only one that is loaded whose name ends so. False when there is neither, or more than one: `why`
 * says what to write instead. */
bool session_receiver(struct session *s, const char *text, struct cg_classes classes, class_id *out,
		      struct strbuf *why);

#endif
