/* SPDX-License-Identifier: Apache-2.0 */
/* session.h - one Java program: what is opened, who is who in it, and the algorithms that there are. */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "analysis/callgraph/callgraph.h"
#include "analysis/pta/pta.h"
#include "ir/access.h"
#include "load/loader.h"
#include "session/inquiry.h"
#include "session/outside/environment.h"

struct session {
	struct inquiry *inquiry;      /* borrowed */
	struct program program;
	struct loader *loader;        /* NULL until session_open succeeded */
	char *jdk;                    /* directory in use; NULL: none */
	struct environment *environment;     /* session/outside/environment.h */
	struct known *known;          /* facts from outside (session/outside/known.h); NULL: none are given */
};

struct session_opt {
	const char *class_path;
	const char *jdk;              /* NULL: $JAVA_HOME, else the one of java on PATH; "none": no library */
	bool use_cache;
	int jobs;                     /* threads; 0: one for each processor */
	bool no_manifests;            /* the Class-Path of manifests is not followed */
	const char *const *facts;     /* files of facts from outside; borrowed until session_close */
	uint32_t nfacts;
	struct environment_opt environment;  /* likewise */
};

/* False, with a diagnostic, when the request cannot be served. Always end with session_close. */
bool session_open(struct session *s, struct inquiry *r, const struct session_opt *opt);
void session_close(struct session *s);

/* The JDK that is taken when none is named; NULL: none is found. The caller frees it. */
char *session_default_jdk(void);

/* Is the class part of the user's program, not of the JDK? */
bool session_is_application(const struct session *s, class_id c);

/* What the manifest of the class path's first jar says that runs: its Start-Class, else its Main-Class. */
struct main_source {
	const char *jar;              /* NULL: the class path has none */
	const char *key;              /* "Main-Class" */
};
/* Adds the class's name; false: there is none. */
bool session_main_class(struct session *s, struct strbuf *name, struct main_source *from);

/* The class with this dotted name, loaded; none when there is no such class. */
class_id session_class(struct session *s, struct str dotted);
/* The method `text`, as its class declares it: pkg.Cls.method or pkg.Cls.method(desc)ret. False when there is none, or
 * more than one: then `why`, which is empty before, says what to write instead, candidates a line each. */
bool session_method(struct session *s, const char *text, method_id *out, struct strbuf *why);

/* Entry points. Each is false, with a diagnostic that says what to do, when nothing is found. */
bool entries_main(struct session *s, const char *class_name, struct cg_entries *out);
bool entries_public(struct session *s, struct cg_entries *out);
bool entries_file(struct session *s, const char *path, struct cg_entries *out);
/* The same by what users write: "main pkg.Cls", "public", "file PATH". */
bool entries_of(struct session *s, const char *entry, struct cg_entries *out);
void entries_release(struct cg_entries *e);

/* How the targets of calls are found: from the class hierarchy (callgraph.h), or by a policy of pta.h. */
struct algorithm {
	const char *name;             /* "rta" */
	const char *help;             /* one line */
	const struct policy *policy;  /* NULL: `hierarchy` */
	enum cg_algorithm hierarchy;
};
bool algorithm_get(uint32_t k, struct algorithm *out);         /* from cheap to precise; false past the end */
bool algorithm_find(const char *name, struct algorithm *out);  /* false: unknown */
const char *algorithm_cheaper(const struct algorithm *a);      /* to try when it takes too long; NULL: nothing */
bool algorithm_is_any(const struct algorithm *a);              /* true */
bool algorithm_follows_objects(const struct algorithm *a);     /* has facts */
bool algorithm_follows_variables(const struct algorithm *a);   /* and keeps variables apart: pta_explain makes sense */
bool algorithm_follows_calls(const struct algorithm *a);       /* and fields of objects: reach_compute makes sense */

#endif
