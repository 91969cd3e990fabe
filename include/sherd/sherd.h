/* SPDX-License-Identifier: Apache-2.0 */
/* sherd.h - sherd as a library. docs/library.md has a complete program for each part:
 *
 *	a Java program    sherd_open(): its call graphs, what its variables hold, what tests of a component should exercise
 *	a C program       sherd_c_open(): what its pointers may point to, what its functions and lines modify and use
 *	coverage          sherd_coverage_open(): what runs exercised of what tests should
 *
 * Nothing here prints or exits. What was opened, and what was computed from it, belongs to one thread at a time;
 * different programs are independent. Methods, classes, fields and functions are numbers (from 1; 0 is none) that mean
 * something only within what they were got from. Strings belong to it, too, are UTF-8 as far as the files are that they
 * come from, end with a NUL, and live until it is closed, unless said otherwise.
 *
 * Lists are asked for by number, from 0. Past their end, as for numbers that are none, the answer is 0, NULL, or a
 * struct of zeros. Structs with options may be zeroed: that is the default of everything that need not be said. */
#ifndef SHERD_SHERD_H
#define SHERD_SHERD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SHERD_API __attribute__((visibility("default")))
#else
#define SHERD_API
#endif

SHERD_API const char *sherd_version(void);      /* "0.6.0" */

/* Java programs */

typedef struct sherd_session sherd_session;
typedef uint32_t sherd_method;
typedef uint32_t sherd_class;
typedef uint32_t sherd_field;

struct sherd_options {
	const char *class_path;     /* directories, jars, jmods, ':'-separated; may be NULL */
	const char *jdk;            /* JDK directory; NULL: $JAVA_HOME, else java on PATH; "none": no library */
	bool no_cache;              /* neither read nor write the cached index of the JDK */
	int jobs;                   /* threads; 0: one for each processor */
};

/* Opens a program; NULL is as a struct of zeros. Never NULL: when it could not be opened, sherd_ok() is false,
 * sherd_diagnostic() says why, nothing can be computed, and it is closed like any other. */
SHERD_API sherd_session *sherd_open(const struct sherd_options *opt);
SHERD_API bool sherd_ok(const sherd_session *s);
/* NULL is fine. What was computed from it is freed before. */
SHERD_API void sherd_close(sherd_session *s);

/* What went wrong or was skipped so far, oldest first: `artifact!class: offset: error[E011]: sentence`. NULL past
 * the end. docs/diagnostics.md explains each. */
SHERD_API const char *sherd_diagnostic(sherd_session *s, size_t k);

/* pkg.Cls.name(descriptor)ret, and the class alone: pkg.Cls. A field is pkg.Cls.name. NULL for none. */
SHERD_API const char *sherd_method_name(sherd_session *s, sherd_method m);
SHERD_API const char *sherd_method_class(sherd_session *s, sherd_method m);
SHERD_API bool sherd_method_in_jdk(const sherd_session *s, sherd_method m);
SHERD_API const char *sherd_class_name(sherd_session *s, sherd_class c);
SHERD_API const char *sherd_field_name(sherd_session *s, sherd_field f);

/* The algorithms by their names, from cheap to precise: "cha", "rta", ..., "andersen", ...; NULL past the end. The
 * strings are static. sherd_algorithm_help() is one line; NULL for an unknown name. */
SHERD_API const char *sherd_algorithm(size_t k);
SHERD_API const char *sherd_algorithm_help(const char *name);
SHERD_API bool sherd_algorithm_follows_objects(const char *name);     /* can be used for sherd_pointsto_compute() */
#define SHERD_CHA "cha"
#define SHERD_RTA "rta"
#define SHERD_ANDERSEN "andersen"

/* What is assumed about reflection, class loading and natives (--assume) by whatever is computed from now on: "listed", which is what a
 * session starts with, "env", "string", "cast", "encap" or "behaved"; the names, NULL past the end, and a line about each. False,
 * with a diagnostic, when there is no such level. */
SHERD_API bool sherd_assume(sherd_session *s, const char *level);
SHERD_API const char *sherd_level(size_t k);
SHERD_API const char *sherd_level_help(const char *name);

/* A session may compute as many results as one likes, one after the other; each stays what it is. (By "cha", lambdas
 * count that any of them found: later results may have a few receivers more.) */

/* Call graphs */

typedef struct sherd_callgraph sherd_callgraph;

/* Computes the call graph from `entry`: "main pkg.Cls", "public" (every public method on the class path), or
 * "file PATH" (a list, see sherd-callgraph(1)). NULL, with a diagnostic, when there is no such entry or algorithm. */
SHERD_API sherd_callgraph *sherd_callgraph_compute(sherd_session *s, const char *entry, const char *algorithm);
SHERD_API void sherd_callgraph_free(sherd_callgraph *g);                 /* NULL is fine */

/* Reachable methods, sorted by name. */
SHERD_API size_t sherd_callgraph_count(const sherd_callgraph *g);
SHERD_API sherd_method sherd_callgraph_method(const sherd_callgraph *g, size_t k);
SHERD_API bool sherd_callgraph_is_entry(const sherd_callgraph *g, sherd_method m);   /* called by the user or the JVM */

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
SHERD_API size_t sherd_callgraph_sites(const sherd_callgraph *g, sherd_method m);     /* 0 where it is not reachable */
SHERD_API struct sherd_site sherd_callgraph_site(const sherd_callgraph *g, sherd_method m, size_t k);

/* Points-to facts: which objects variables and fields may hold */

typedef struct sherd_pointsto sherd_pointsto;

/* `entry` as for call graphs; NULL, with a diagnostic, also for an algorithm that does not follow objects. */
SHERD_API sherd_pointsto *sherd_pointsto_compute(sherd_session *s, const char *entry, const char *algorithm);
SHERD_API void sherd_pointsto_free(sherd_pointsto *f);                   /* NULL is fine */
/* The call graph that was found on the way. It belongs to the facts. */
SHERD_API const sherd_callgraph *sherd_pointsto_callgraph(const sherd_pointsto *f);

/* Objects are told apart by the place where they are created; coarse algorithms have one place for a class. */
enum sherd_place_sort {
	SHERD_PLACE_NEW,                /* created in `method` at `pc` */
	SHERD_PLACE_CLASS,              /* all objects of the class */
	SHERD_PLACE_UNKNOWN,            /* objects that nobody knows, without a class: from reflection, natives, ... */
	SHERD_PLACE_OUTSIDE             /* made by the user's or the JVM's side */
};
struct sherd_place {
	enum sherd_place_sort sort;
	sherd_class cls;
	sherd_method method;            /* 0 but for SHERD_PLACE_NEW */
	uint32_t pc, line;              /* line 0: unknown */
};
SHERD_API size_t sherd_pointsto_places(const sherd_pointsto *f);         /* places are 0 .. n - 1 */
SHERD_API struct sherd_place sherd_pointsto_place(const sherd_pointsto *f, size_t place);

/* A set of objects: the places they are from, in increasing order. It is there until the next one is asked for. */
struct sherd_places {
	const uint32_t *places;
	size_t n;
};
/* The values of a reachable method are 1 .. n, as `sherd dump` numbers them. Empty for those that hold no reference. */
SHERD_API size_t sherd_pointsto_values(sherd_pointsto *f, sherd_method m);
SHERD_API struct sherd_places sherd_pointsto_value(sherd_pointsto *f, sherd_method m, size_t v);
/* Static fields that hold something, and what a static field holds. */
SHERD_API size_t sherd_pointsto_statics(sherd_pointsto *f);
SHERD_API sherd_field sherd_pointsto_static(sherd_pointsto *f, size_t k);
SHERD_API struct sherd_places sherd_pointsto_static_field(sherd_pointsto *f, sherd_field x);
/* The fields of objects of a place that can hold references, inherited ones included; and what such a field holds. Of
 * arrays there are none: their elements are the field 0. */
SHERD_API size_t sherd_pointsto_fields(sherd_pointsto *f, size_t place);
SHERD_API sherd_field sherd_pointsto_field(sherd_pointsto *f, size_t place, size_t k);
SHERD_API struct sherd_places sherd_pointsto_held(sherd_pointsto *f, size_t place, sherd_field x);

/* Requirements: what tests of a component should exercise, for all clients of its interface at once */

typedef struct sherd_requirements sherd_requirements;

struct sherd_component {
	const char *patterns;           /* its classes: "java.text.*", "my.pkg.**,!my.pkg.gen.*", "@file" */
	/* What clients use: "public", "protected", a file, "tests:PATH" (which is part of the class path, too), or
	 * several, with commas; NULL: "public", or "protected" for open clients. */
	const char *interface;
	bool open_clients;              /* clients have classes of their own that the component may call */
	const char *algorithm;          /* NULL: SHERD_ANDERSEN */
};
/* NULL, with a diagnostic, when there is no such component, interface or algorithm. */
SHERD_API sherd_requirements *sherd_requirements_compute(sherd_session *s, const struct sherd_component *c);
SHERD_API void sherd_requirements_free(sherd_requirements *r);           /* NULL is fine */

/* A dispatched call of a method of the component. */
struct sherd_required {
	sherd_method method;
	uint32_t pc, line;              /* line 0: unknown */
	const char *declared;           /* the method as the call names it */
	bool is_interface;              /* invokeinterface, else invokevirtual */
	bool poly;                      /* the class hierarchy alone has more than one class for the receiver */
	bool reached;                   /* clients can get there */
	bool open;                      /* receivers of unknown class are possible, too */
	bool client;                    /* receivers of clients' classes are possible, too */
	const char *unresolved;         /* NULL, or why targets may be missing: "reflection", "native", ... */
	/* Classes that the receiver may have (rc), and methods that the call may run (tm), by name. They belong to the
	 * requirements. */
	const sherd_class *receivers;
	size_t nreceivers;
	const sherd_method *targets;
	size_t ntargets;
};
/* By the name of the method, then by pc. */
SHERD_API size_t sherd_requirements_count(const sherd_requirements *r);
SHERD_API struct sherd_required sherd_requirements_site(const sherd_requirements *r, size_t k);

/* As `sherd requirements --stats` has them: but for the first four, sums over the sites that are `poly`. */
struct sherd_required_figures {
	uint64_t classes, methods;      /* of the component */
	uint64_t sites, reached_sites;
	uint64_t poly_sites, starved_sites, open_sites, client_sites;
	uint64_t rc, tm;                /* receiver classes, target methods */
	uint64_t analysed_methods;      /* with what the component uses; 0 for "cha" */
};
SHERD_API struct sherd_required_figures sherd_requirements_figures(const sherd_requirements *r);

/* C programs */

typedef struct sherd_c_program sherd_c_program;
typedef uint32_t sherd_c_function;

struct sherd_c_options {
	const char *const *modules;     /* LLVM bitcode or assembly */
	size_t nmodules;
	bool library;                   /* the modules are a library: answer for all clients. Else there is a main */
	const char *const *exports;     /* of a library: "public", headers, shared libraries, version scripts, lists */
	size_t nexports;                /* 0: what is visible */
	const char *engine;             /* NULL: "andersen"; see sherd_c_engine() */
	uint32_t categories;            /* of the engine "categories": how many; 0: 8 */
	bool merge_fields;              /* see every object as one cell */
	bool any_calls;                 /* pointers may call functions with another number of parameters, too */
	bool loads_unknown;             /* what dlsym finds may do anything; else it does nothing */
	const char *const *summaries;   /* of libraries that the modules use: files of sherd summarize, or libraries that carry one */
	size_t nsummaries;
};

/* Reads the modules and computes what pointers may point to. Never NULL, as sherd_open(). Strings of the options are
 * not needed any more when it returns. */
SHERD_API sherd_c_program *sherd_c_open(const struct sherd_c_options *opt);
SHERD_API bool sherd_c_ok(const sherd_c_program *p);
SHERD_API void sherd_c_close(sherd_c_program *p);                        /* NULL is fine */
SHERD_API const char *sherd_c_diagnostic(sherd_c_program *p, size_t k);
SHERD_API const char *sherd_c_engine(size_t k);                          /* from precise to coarse; NULL past the end */

/* A set of names, in their order. The array is there until the next set is asked for, the names until the program is
 * closed. */
struct sherd_c_set {
	const char *const *names;
	size_t n;
};

/* What can hold pointers: `global`, `function::local`, `heap@file:line`, with .field or +offset where it is a part. In
 * the order of names. sherd_c_find() is its number; the number of variables when there is none of that name. */
SHERD_API size_t sherd_c_variables(sherd_c_program *p);
SHERD_API const char *sherd_c_variable_at(sherd_c_program *p, size_t k);
SHERD_API size_t sherd_c_find(sherd_c_program *p, const char *name);
SHERD_API struct sherd_c_set sherd_c_points_to(sherd_c_program *p, size_t k);

/* Functions that may run, by name; models of library functions and unknown code are not the program's own. */
SHERD_API size_t sherd_c_functions(sherd_c_program *p);
SHERD_API sherd_c_function sherd_c_function_at(sherd_c_program *p, size_t k);
SHERD_API sherd_c_function sherd_c_find_function(sherd_c_program *p, const char *name);     /* 0: there is none */
SHERD_API const char *sherd_c_function_name(sherd_c_program *p, sherd_c_function f);       /* file:name where needed */
SHERD_API bool sherd_c_function_is_own(const sherd_c_program *p, sherd_c_function f);

/* A call of the program's own functions. */
struct sherd_c_call {
	sherd_c_function caller;
	const char *file;               /* as the compiler was given it; NULL: unknown */
	uint32_t line, column;          /* 0: unknown */
	bool through_pointer;
	const sherd_c_function *targets;        /* by name; belong to the program */
	size_t ntargets;
};
SHERD_API size_t sherd_c_calls(sherd_c_program *p);       /* by caller, then in the order of its code */
SHERD_API struct sherd_c_call sherd_c_call_at(sherd_c_program *p, size_t k);

/* Functions that are called, and have neither a body in the modules nor a model: they may do anything. NULL past the
 * end. */
SHERD_API const char *sherd_c_unknown(sherd_c_program *p, size_t k);

/* What may be modified (MOD) or used (USE); computed when first asked for. */
enum sherd_c_effect { SHERD_C_MOD, SHERD_C_USE };
SHERD_API struct sherd_c_set sherd_c_function_effects(sherd_c_program *p, sherd_c_function f, enum sherd_c_effect e);
/* Of a line, "FILE:LINE". False, with a diagnostic, when no statement that may run is there. */
SHERD_API bool sherd_c_line_effects(sherd_c_program *p, const char *line, enum sherd_c_effect e,
				    struct sherd_c_set *out);

/* Coverage: what runs exercised of requirements */

typedef struct sherd_coverage sherd_coverage;

/* Reads folders that `sherd cover` left, and files with data. `plan` is the file that says what is required; NULL:
 * plan.sherd in the first folder, or beside the first file. Never NULL, as sherd_open(). */
SHERD_API sherd_coverage *sherd_coverage_open(const char *const *paths, size_t npaths, const char *plan);
SHERD_API bool sherd_coverage_ok(const sherd_coverage *c);
SHERD_API void sherd_coverage_close(sherd_coverage *c);                  /* NULL is fine */
SHERD_API const char *sherd_coverage_diagnostic(sherd_coverage *c, size_t k);
/* What readers of the figures should know: data that is stale, runs that were cut off. NULL past the end. */
SHERD_API const char *sherd_coverage_note(sherd_coverage *c, size_t k);

/* Of each criterion that the plan has, how much is required, and was covered. */
struct sherd_criterion {
	const char *name;               /* "rc", "own" (of rc: the component's own classes), "tm", "chains"; static */
	const char *title;              /* "receiver classes"; static */
	uint64_t required, covered;
};
SHERD_API size_t sherd_coverage_criteria(const sherd_coverage *c);
SHERD_API struct sherd_criterion sherd_coverage_criterion(const sherd_coverage *c, size_t k);

/* Call chains by entry level and length, where some are required; none when the plan has no chains. */
struct sherd_chain_figures {
	uint32_t level;                 /* 0: called by clients; 1: called back meanwhile; ... */
	bool or_more;                   /* and all levels above it */
	uint32_t length;                /* calls */
	uint64_t required, covered;
};
SHERD_API size_t sherd_coverage_lengths(const sherd_coverage *c);
SHERD_API struct sherd_chain_figures sherd_coverage_length(const sherd_coverage *c, size_t k);

/* The classes of the component, by name. */
struct sherd_covered_class {
	const char *name;
	const char *source;             /* "Shapes.java"; NULL: not known */
	const char *state;              /* "watched", "not-loaded", ...: docs/formats/report.md */
	uint64_t calls, called;         /* calls; those that were made at least once */
	uint64_t unexpected;            /* receivers that should not be there */
};
SHERD_API size_t sherd_coverage_classes(const sherd_coverage *c);
SHERD_API struct sherd_covered_class sherd_coverage_class(sherd_coverage *c, size_t k);
SHERD_API struct sherd_criterion sherd_coverage_class_criterion(const sherd_coverage *c, size_t k, size_t criterion);

/* The calls of the component that can have several receivers, by class, method, pc. */
struct sherd_covered_call {
	size_t cls;                     /* number of its class */
	const char *method;             /* pkg.Cls.name(descriptor)ret */
	uint32_t pc, line;              /* line 0: unknown */
	const char *declared;           /* the method as the call names it */
	uint64_t count;                 /* how often it was made */
	bool watched;                   /* by at least one run */
	bool reached, open, client;     /* as in struct sherd_required */
};
SHERD_API size_t sherd_coverage_calls(const sherd_coverage *c);
SHERD_API struct sherd_covered_call sherd_coverage_call(sherd_coverage *c, size_t k);

/* What a criterion is about at a call: first what is required, then what nobody expected, both by name. */
struct sherd_covered_item {
	const char *name;               /* a class; of "tm" a method */
	uint64_t count;                 /* calls that were seen; 0: missed */
	bool required;
	bool own;                       /* a class of the component, or a lambda in one */
	/* Unexpected ones: where they come from ("component", "library", "client", "generated"; else NULL), and whether
	 * that is no cause for alarm, since unknown objects or clients' classes were to be expected. */
	const char *origin;
	bool excused;
	const uint32_t *tests;          /* numbers of tests that exercised it; belong to the coverage */
	size_t ntests;
};
SHERD_API size_t sherd_coverage_items(const sherd_coverage *c, size_t call, size_t criterion);
SHERD_API struct sherd_covered_item sherd_coverage_item(sherd_coverage *c, size_t call, size_t criterion, size_t k);

/* The tests that were told apart, by first appearance. */
struct sherd_test {
	const char *name;
	uint64_t alone;                 /* required items that no other test exercised */
	uint64_t fresh;                 /* required items that no test before it exercised */
};
SHERD_API size_t sherd_coverage_tests(const sherd_coverage *c);
SHERD_API struct sherd_test sherd_coverage_test(sherd_coverage *c, size_t k);

#ifdef __cplusplus
}
#endif
#endif
