/* SPDX-License-Identifier: Apache-2.0 */
/* assume.h - what a dynamic call may do that is not resolved: everything that the level of assumptions allows where it
 * stands. Such sets are large, and the same for many calls: they are handed out in parts that calls share. */
#ifndef ANALYSIS_DYNAMIC_ASSUME_H
#define ANALYSIS_DYNAMIC_ASSUME_H

#include "algo/lists.h"
#include "analysis/dynamic/dynamic.h"

/* What may run. */
enum assume_what { ASSUME_INITIALISERS = 1, ASSUME_DEFAULT_CONSTRUCTORS = 2, ASSUME_CONSTRUCTORS = 4, ASSUME_METHODS = 8 };
unsigned assume_what(enum dynamic_sort sort);            /* of a call that is not resolved; 0: nothing */

/* Where from: disjoint parts of what can be seen from a class. */
enum assume_part {
	ASSUME_ALL,              /* of every class, whatever its access */
	ASSUME_PUBLIC,
	ASSUME_PACKAGE,          /* neither public nor private, of the package of `from` */
	ASSUME_NEST,             /* private, of the classes around `from` and within these */
	ASSUME_INHERITED,        /* protected, what `from` and the classes around it inherit from other packages */
};

struct assume {
	struct hierarchy *h;
	struct program *p;
	class_id *next_in_package, *next_in_nest;        /* by class */
	struct map first_in_package, first_in_nest;      /* package name, outermost class -> class */
	uint32_t nclasses;
	struct lists below;                              /* by type: classes below it, once it `is_listed` */
	struct map is_listed;                            /* type -> 1 */
};
/* About all classes that are loaded now. */
void assume_init(struct assume *a, struct hierarchy *h);
void assume_release(struct assume *a);

/* The parts that make up what a call in class `from` may do: fn(ctx, what, part, key), where calls with the same key share it. */
void assume_parts(const struct assume *a, enum dynamic_level level, unsigned what, class_id from,
		  void (*fn)(void *ctx, unsigned what, enum assume_part part, uint32_t key), void *ctx);
/* Of what a call in class `from` may do, the part that is about classes below `type`. */
void assume_below(struct assume *a, unsigned what, class_id type, class_id from, void (*fn)(void *ctx, method_id m), void *ctx);
/* Its methods: concrete ones, and none of classes that cannot be made. */
void assume_methods(struct assume *a, unsigned what, enum assume_part part, class_id from, void (*fn)(void *ctx, method_id m), void *ctx);

#endif
