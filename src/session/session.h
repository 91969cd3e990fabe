/* SPDX-License-Identifier: Apache-2.0 */
/* session.h - one run over one program: what is opened, what was computed, how long it took. The root that
 * cli/ and sherd.h hold. */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "analysis/callgraph/callgraph.h"
#include "ir/access.h"
#include "load/loader.h"

enum phase { PHASE_OPEN, PHASE_HIERARCHY, PHASE_SOLVE, PHASE_WRITE, PHASES };

struct session {
	struct diag diag;
	struct program program;
	struct loader *loader;        /* NULL until session_open succeeded */
	char *jdk;                    /* directory in use; NULL: none */
	double seconds[PHASES];       /* CPU time */
	double since;                 /* start of the phase under way */
};

struct session_opt {
	const char *class_path;
	const char *jdk;              /* NULL: $JAVA_HOME, else the one of java on PATH; "none": no library */
	bool use_cache;
	int jobs;                     /* threads; 0: one for each processor */
};

/* False, with a diagnostic, when the request cannot be served. Always end with session_close. */
bool session_open(struct session *s, const struct session_opt *opt);
void session_close(struct session *s);

const char *phase_name(enum phase p);
void session_phase(struct session *s, enum phase done);      /* the phase ends now; the next one starts */
double session_total(const struct session *s);
double peak_rss_mb(void);

/* Is the class part of the user's program, not of the JDK? */
bool session_is_application(const struct session *s, class_id c);

/* The class with this dotted name, loaded; none when there is no such class. */
class_id session_class(struct session *s, struct str dotted);

/* Entry points. Each is false, with a diagnostic that says what to do, when nothing is found. */
bool entries_main(struct session *s, const char *class_name, struct cg_entries *out);
bool entries_public(struct session *s, struct cg_entries *out);
bool entries_file(struct session *s, const char *path, struct cg_entries *out);
void entries_release(struct cg_entries *e);

struct callgraph *session_callgraph(struct session *s, const struct cg_entries *entries, const struct cg_opt *opt);

#endif
