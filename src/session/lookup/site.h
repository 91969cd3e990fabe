/* SPDX-License-Identifier: Apache-2.0 */
/* site.h - calls by the names that people write. */
#ifndef SESSION_LOOKUP_SITE_H
#define SESSION_LOOKUP_SITE_H

#include "session/session.h"

/* A call that is written in the code of a method. */
struct named_site {
	method_id method;
	uint32_t pc;
	mref_id declared;
	uint8_t op;                   /* IR_CALL_VIRTUAL, IR_CALL_INTERFACE, ... */
};
typedef VEC(struct named_site) named_site_list;

/* The dispatched calls `text`: METHOD@PC; METHOD:LINE, pkg.Cls:LINE, or METHOD alone. METHOD is as for session_method(), but the
 * descriptor can be left out where the rest is enough. A line of a class may be in one nested in it. Classes of `scope` can be named by
 * the end of their names where only one has it. False when there is none: then `why`, which is empty before, says what to write instead,
 * with the calls to choose from a line each. */
bool session_sites(struct session *s, struct cg_classes scope, const char *text, named_site_list *out, struct strbuf *why);
/* Adds that `text` can be any of these calls, a line each. */
void session_list_sites(struct session *s, const char *text, const named_site_list *sites, struct strbuf *why);

/* Does the text name calls by pc or line? */
bool session_names_calls(const char *text);
/* The calls `text`, named in the same way with a pc or line, of whatever kind: all that there are, of one method. False as above. */
bool session_calls(struct session *s, const char *text, named_site_list *out, struct strbuf *why);

/* The calls `text`, named in the same way, that are given a string: all that there are, but of a method or a line, where names are given
 * to reflection, only these. False when there is none: `why` says what to write instead. */
bool session_string_calls(struct session *s, const char *text, named_site_list *out, struct strbuf *why);
/* The operands of the call that are declared as strings: the k-th, from 0; false past the end. */
bool session_string_operand(struct session *s, const struct named_site *at, uint32_t k, uint32_t *operand);

/* The class `text` among `classes`, which are receivers in the order of their names: a dotted name, or its end behind a
 * '.' or '$' where only one has it; arrays are one class. If it is none of them, the class with that dotted name on the
 * class path, or the only one that is loaded whose name ends so. False when there is neither, or more than one: `why`
 * says what to write instead. */
bool session_receiver(struct session *s, const char *text, struct cg_classes classes, class_id *out,
		      struct strbuf *why);
/* Is a class named so, by all of its name or its end, among them? */
bool session_has_receiver(struct session *s, const char *text, struct cg_classes classes);

#endif
