/* SPDX-License-Identifier: Apache-2.0 */
/* sherd.h - sherd as a library: open a Java program or library together with its JDK, compute its call graph,
 * walk it. docs/library.md has a complete program of forty lines.
 *
 * Nothing here prints or exits. A session and what was computed from it belong to one thread at a time;
 * different sessions are independent. Methods and classes are numbers (from 1) that mean something only within
 * their session. Strings returned belong to the session, are UTF-8 as far as the class files are, end with a
 * NUL, and live until it is closed, unless said otherwise. */
#ifndef SHERD_SHERD_H
#define SHERD_SHERD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sherd_session sherd_session;
typedef struct sherd_callgraph sherd_callgraph;
typedef uint32_t sherd_method;
typedef uint32_t sherd_class;

struct sherd_options {
	const char *class_path;     /* directories, jars, jmods, ':'-separated; may be NULL */
	const char *jdk;            /* JDK directory; NULL: $JAVA_HOME, else java on PATH; "none": no library */
	bool no_cache;              /* neither read nor write the cached index of the JDK */
	int jobs;                   /* threads; 0: one for each processor */
};

/* Opens a program. Never NULL: when it could not be opened, sherd_ok() is false, sherd_diagnostic() says why, and
 * the only other thing to do with it is to close it. */
sherd_session *sherd_open(const struct sherd_options *opt);
bool sherd_ok(const sherd_session *s);
void sherd_close(sherd_session *s);           /* NULL is fine; after freeing its call graphs */

/* What went wrong or was skipped so far, oldest first: `artifact!class: offset: error[E011]: sentence`. NULL past
 * the end. */
const char *sherd_diagnostic(sherd_session *s, size_t k);

/* The algorithms by their names, from cheap to precise: "cha", "rta", ..., "andersen", ...; NULL past the end. The
 * strings are static. sherd_algorithm_help() is one line; NULL for an unknown name. */
const char *sherd_algorithm(size_t k);
const char *sherd_algorithm_help(const char *name);
#define SHERD_CHA "cha"
#define SHERD_RTA "rta"

/* Computes the call graph from `entry`: "main pkg.Cls", "public" (every public method on the class path), or
 * "file PATH" (a list, see sherd-callgraph(1)). NULL, with a diagnostic, when there is no such entry or algorithm. */
sherd_callgraph *sherd_callgraph_compute(sherd_session *s, const char *entry, const char *algorithm);
void sherd_callgraph_free(sherd_callgraph *g);

/* Reachable methods, sorted by name. */
size_t sherd_callgraph_count(const sherd_callgraph *g);
sherd_method sherd_callgraph_method(const sherd_callgraph *g, size_t k);
bool sherd_callgraph_is_entry(const sherd_callgraph *g, sherd_method m);   /* called by the user or the JVM */

/* pkg.Cls.name(descriptor)ret, and the class alone: pkg.Cls. */
const char *sherd_method_name(sherd_session *s, sherd_method m);
const char *sherd_method_class(sherd_session *s, sherd_method m);
bool sherd_method_in_jdk(const sherd_session *s, sherd_method m);
const char *sherd_class_name(sherd_session *s, sherd_class c);

/* A call site of a reachable method. */
struct sherd_site {
	uint32_t pc, line;              /* line 0: unknown */
	const char *declared;           /* the method as the call names it; NULL for dynamic sites */
	const char *unresolved;         /* NULL, or why targets may be missing: "reflection", "native", ... */
	const sherd_method *targets;    /* belong to the graph */
	size_t ntargets;
	/* Classes of objects that the call is made on, as far as they select a target; empty for calls that are not
	 * dispatched. They belong to the graph, too. */
	const sherd_class *receivers;
	size_t nreceivers;
	bool open;                      /* receivers of unknown class are possible, too: from reflection, ... */
};
size_t sherd_callgraph_sites(const sherd_callgraph *g, sherd_method m);
struct sherd_site sherd_callgraph_site(const sherd_callgraph *g, sherd_method m, size_t k);

const char *sherd_version(void);

#ifdef __cplusplus
}
#endif
#endif
