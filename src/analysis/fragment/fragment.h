/* SPDX-License-Identifier: Apache-2.0 */
/* fragment.h - whole-program answers about part of a program.
 *
 * Whatever the language, a fragment analysis has four parts:
 *
 *   fragment      code that is there, with everything it uses; its clients are not. Java: the classes of a component.
 *                 C: the functions and globals of a library.
 *   interface     what of it clients may name, and nothing else. Java: struct java_interface. C: exported symbols.
 *   placeholders  ordinary statements of ordinary procedures that stand for every client: one variable for all client
 *                 variables of a type, one statement for each kind of statement that a client may have. They are made
 *                 from the interface alone. Java: placeholders_make(). C: ph_proc and ph_var.
 *   engine        any analysis of whole programs. It runs on fragment and placeholders together and does not know that
 *                 they are no program.
 *
 * The answer, at statements of the fragment, contains the engine's answer for every program that is made of the fragment
 * and a client of its interface. Which conditions make that so, and which test covers each: docs/analyses/fragment.md. */
#ifndef ANALYSIS_FRAGMENT_H
#define ANALYSIS_FRAGMENT_H

#include "analysis/hierarchy/hierarchy.h"

/* The interface of a component. Members are those that a client names by way of an accessed class: what the class
 * declares, or inherits. Everything is sorted by class, then by name, and there once: interface_sort(). */
struct interface_method {
	class_id via;                 /* the accessed class; of constructors, the class that is made */
	method_id m;                  /* as it is declared */
};
struct interface_field {
	class_id via;
	field_id f;
};
struct java_interface {
	VEC(class_id) classes;        /* accessed: a client may have variables of them, and cast to them */
	VEC(struct interface_method) methods;
	VEC(struct interface_field) fields;
	VEC(class_id) made_arrays;    /* array classes that clients create, and those whose elements they read and write */
	VEC(class_id) used_arrays;
	/* Of the clients that it is for, the tests that it is taken from, say: */
	VEC(class_id) own;            /* classes that the component may call */
	VEC(class_id) extended;       /* classes and interfaces that their classes and lambdas extend and implement */
	VEC(class_id) neighbours;     /* one of them for each package that has some */
};
void interface_release(struct java_interface *i);
/* Sorts, and leaves out what is there more than once: also a member that an accessed supertype of its class has, since
 * every object of the class gets to that type's variable, too. */
void interface_sort(struct hierarchy *h, struct java_interface *i);

enum interface_reach { REACH_PUBLIC, REACH_PROTECTED };     /* public members; protected ones, too */
/* Adds the class with all members that are within reach, inherited ones included, and the arrays of references in their
 * signatures, with the arrays that are their elements: those of parameters and of fields to write are made, all are used.
 * Nothing, and false, for classes that clients cannot name (private, local, synthetic; package-private ones are left out,
 * too). Object's public instance methods are part of every class: they are added once, as members of Object. */
bool interface_add_class(struct hierarchy *h, struct java_interface *i, class_id c, enum interface_reach reach);
/* Adds what clients do with objects of other classes that the interface so far hands out or takes: they call the abstract
 * methods of interfaces (an iterator's next), and methods that classes of the component override (a stream's read); and
 * so on with what these hand out. */
void interface_add_handed_out(struct hierarchy *h, struct java_interface *i, const class_id *component, uint32_t n);
/* Adds one member, and its class; no arrays. */
void interface_add_method(struct java_interface *i, class_id via, method_id m);
void interface_add_field(struct java_interface *i, class_id via, field_id f);
/* Adds an array class that clients create, or else use. False, and nothing, unless its elements, or theirs, are objects of
 * a class: other arrays do not matter. */
bool interface_add_array(const struct program *p, struct java_interface *i, class_id array, bool is_made);

/* The syntax of interface files (docs/formats/interface.md), a line an item. */
void interface_print(struct hierarchy *h, const struct java_interface *i, struct strbuf *out);

/* Placeholders */

enum placeholder_sort {
	PH_NEW,                       /* to = new via(args): `method` is the constructor */
	PH_CALL,                      /* to = from.method(args), to = via.method(args) */
	PH_GET, PH_PUT,               /* to = from.field, from.field = to; static: from is 0 */
	PH_ARRAY,                     /* to = new T[1], T[1][]: of to's type */
	PH_LOAD, PH_STORE,            /* to = from[0], from[0] = to */
	PH_STRING,                    /* to = "..." */
	PH_ASSIGN,                    /* to = from, as the language converts types implicitly */
	PH_CAST,                      /* to = (T) from */
	PH_CATCH,                     /* to = the exception that any of the others throws */
	PH_CLIENT,                    /* to = new object of a client's class; open clients only */
};
/* Variables are numbered from 1; variable v has the type types[v]. 0 is none, or a value that is no reference. */
struct placeholder {
	enum placeholder_sort sort;
	uint32_t to, from;
	class_id via;
	method_id method;
	field_id field;
};
struct placeholders {
	VEC(class_id) types;          /* relevant types, [0] unused */
	VEC(struct placeholder) stmts;
	VEC(class_id) clients;        /* synthetic classes that stand for those of clients; open clients only */
	VEC(class_id) opened;         /* the types that these extend and implement */
	struct map variable_of;       /* type -> variable */
	struct map is_client;         /* class -> 1: for placeholders_is_client() */
	class_id cls;                 /* sherd/Clients, synthetic */
	method_id main;               /* its method with all of that: the program's entry */
};
enum clients {
	CLIENTS_CLOSED,               /* clients have no classes of their own that the fragment sees */
	CLIENTS_OPEN,                 /* they extend what can be extended; their methods do what clients do */
	CLIENTS_AUTO,                 /* likewise, but only what the tests extend that the interface is taken from */
};
/* Adds the class and its method to the program. */
void placeholders_make(struct hierarchy *h, const struct java_interface *i, enum clients clients, struct placeholders *out);
void placeholders_release(struct placeholders *ph);
/* As Java-like text. */
void placeholders_print(const struct program *p, const struct placeholders *ph, struct strbuf *out);
/* Is this one of the synthetic classes that stand for those of clients? */
bool placeholders_is_client(const struct placeholders *ph, class_id c);
/* Is it code that stands for clients? Of `ph` NULL, a whole program, nothing is. */
bool placeholders_is_code(const struct program *p, const struct placeholders *ph, method_id m);

#endif
