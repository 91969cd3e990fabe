/* SPDX-License-Identifier: Apache-2.0 */
/* indy.h - what the JDK's own bootstrap methods do.
 *
 * A lambda or method reference becomes an object of a synthetic class (one a site) with a field for each
 * captured value, whose methods call the implementation. The others become calls. */
#ifndef LOAD_LOWER_INDY_H
#define LOAD_LOWER_INDY_H

#include "load/loader.h"

enum indy_kind {
	INDY_UNKNOWN,        /* no lowering: IR_CALL_DYNAMIC or IR_CONST_DYNAMIC, and listed */
	INDY_LAMBDA,         /* `cls`: NEW cls; then PUTFIELD captures[k] for each captured argument */
	INDY_CONCAT,         /* string concatenation: String.valueOf of each operand; the result is NEW java/lang/String of the parts */
	INDY_RECORD,         /* ObjectMethods: equals/hashCode/toString of a record: CALL_STATIC `helper` on the
	                      * arguments; helper is a synthetic method that reads the components */
	INDY_SWITCH,         /* SwitchBootstraps: an int that depends on the arguments: CALL_STATIC `helper` */
	INDY_LINKED,         /* CALL_STATIC `helper` without arguments calls the bootstrap method, which makes a call site; its target is
	                      * invoked with the arguments */
	INDY_CONSTANT,       /* a dynamic constant made by CALL_STATIC `helper` with no arguments (the result is
	                      * cast to its descriptor's type) */
};

struct indy {
	enum indy_kind kind;
	class_id cls;                 /* INDY_LAMBDA */
	const fref_id *captures;      /* INDY_LAMBDA: one for each argument of the site */
	uint32_t ncaptures;
	mref_id helper;               /* the method that does the work; INDY_LAMBDA: as the implementation handle names it */
	uint8_t helper_kind;          /* INDY_LAMBDA: IR_HANDLE_* of that handle */
	mref_id bootstrap;            /* the bootstrap method itself: JDK code that the JVM runs to link the site */
	sel_id sel;                   /* name and descriptor at the site; 0: the bootstrap is no method */
	/* INDY_UNKNOWN and INDY_CONCAT: static arguments to evaluate at the site, an offset in the unit's class file */
	struct unit *unit;
	uint32_t args, nargs;
};

/* `cp` is a Dynamic or InvokeDynamic entry used at `pc` of method `index`. The same question gives the same
 * answer (and the same synthetic class). */
struct indy indy_of(struct program *p, struct unit *u, uint16_t cp, uint16_t index, uint32_t pc);
/* The same for a Dynamic entry: the place does not matter, the JVM makes the constant once. */
struct indy indy_constant(struct program *p, struct unit *u, uint16_t cp);

#endif
