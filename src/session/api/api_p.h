/* SPDX-License-Identifier: Apache-2.0 */
/* api_p.h - what the files behind sherd.h share. Each of them is the part of sherd.h about one topic, so that a program that is
 * linked with libsherd.a gets no more than it asks for: LLVM, say, only with sherd_c_open(). */
#ifndef SESSION_API_API_P_H
#define SESSION_API_API_P_H

#include "session/analysis.h"
#include "sherd/sherd.h"

/* Texts that were handed out: made when first asked for, and kept under their number. Zeroed it is empty. */
struct api_texts {
	struct arena mem;
	VEC(const char *) at;         /* NULL: not asked yet */
};
const char **api_text_at(struct api_texts *t, uint32_t number);
const char *api_keep(struct arena *mem, struct strbuf *b);        /* a copy; releases `b` */
const char *api_str(struct arena *mem, struct str s);             /* a copy, terminated */
void api_texts_release(struct api_texts *t);

/* The kth diagnostic, NULL past the end. */
const char *api_diagnostic(const struct diag *d, struct api_texts *t, size_t k);
/* The request itself makes no sense: a diagnostic, E069, that says what would. `what` may be NULL. */
void api_refuse(struct diag *d, const char *what, const char *fmt, ...) ATTR_PRINTF(3, 4);

struct sherd_session {
	struct inquiry inquiry;
	struct session s;
	bool ok;
	enum dynamic_level level;     /* sherd_assume() */
	struct api_texts diagnostics, methods, classes, fields, mrefs;
};

struct sherd_callgraph {
	sherd_session *session;
	struct callgraph *g;
};

_Static_assert(sizeof(method_id) == sizeof(sherd_method), "sets of methods are handed out as they are");
_Static_assert(sizeof(class_id) == sizeof(sherd_class), "sets of classes are, too");

/* Sets the algorithm, with the usual heap and the level of the session. False, with a diagnostic, when there is none of that name,
 * or no program. */
bool api_choose(sherd_session *s, const char *algorithm, struct analysis *out);
const char *api_mref_name(sherd_session *s, mref_id m);           /* NULL for none */
uint32_t api_line(const sherd_session *s, method_id m, uint32_t pc);

#endif
