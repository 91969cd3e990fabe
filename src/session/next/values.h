/* SPDX-License-Identifier: Apache-2.0 */
/* values.h - how a test comes by an object of a type: the cheapest of what clients may name, a constant, a constructor, a static
 * factory, a lambda; each with what it needs in turn. */
#ifndef SESSION_NEXT_VALUES_H
#define SESSION_NEXT_VALUES_H

#include "analysis/fragment/fragment.h"

enum value_source {
	FROM_NOWHERE,                 /* nobody knows: a gap */
	FROM_TABLE,                   /* values.def */
	FROM_LAMBDA,                  /* `method` is what it implements */
	FROM_ANONYMOUS,               /* an anonymous class of `via` */
	FROM_NEW, FROM_FACTORY,       /* `method`: a constructor, a static method */
	FROM_FIELD,                   /* a static one */
	FROM_ARRAY,
};
struct value_of {
	uint8_t source;
	uint32_t cost;
	class_id via;                 /* the class that is made, or whose member it is */
	method_id method;
	field_id field;
	const char *text, *import;    /* FROM_TABLE */
};
struct value_finder {
	struct hierarchy *h;
	const struct placeholders *clients;
	struct map known;             /* (class, depth) -> row + 1 */
	VEC(struct value_of) rows;
};
#define VALUE_DEPTH 3

/* `depth`: how deep values are nested, VALUE_DEPTH at most. */
struct value_of value_find(struct value_finder *f, class_id c, uint32_t depth);
void value_finder_release(struct value_finder *f);

/* May tests everywhere name it? Of arrays, their elements. */
bool can_be_named(const struct program *p, class_id c);
bool is_inner(const struct program *p, class_id c);      /* is each of its objects one of another object's? */
/* What a class of a client has to implement; more than there is room for: n is larger than that. */
#define ABSTRACT_METHODS 5
struct abstract_methods { method_id methods[ABSTRACT_METHODS]; uint32_t n; };
void abstract_methods(struct hierarchy *h, class_id c, struct abstract_methods *out);
/* The only abstract method of an interface; none: it is no functional one. */
method_id functional_method(struct hierarchy *h, class_id c);

/* The type at the start of a descriptor: its length; *c none for primitives. */
uint32_t type_at(struct program *p, struct str desc, class_id *c);

#endif
