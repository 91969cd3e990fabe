/* SPDX-License-Identifier: Apache-2.0 */
/* query.h - what library methods answer that are asked for classes and members (queries.def). */
#ifndef ANALYSIS_DYNAMIC_QUERY_H
#define ANALYSIS_DYNAMIC_QUERY_H

#include "analysis/dynamic/loaders.h"
#include "analysis/dynamic/values.h"
#include "analysis/strings/language.h"

enum query {
	QUERY_NONE,
	QUERY_SAME, QUERY_CLASS_NAMED, QUERY_CLASS_OF, QUERY_SUPERCLASS, QUERY_COMPONENT, QUERY_ARRAY, QUERY_OUTER,
	QUERY_METHOD_PUBLIC, QUERY_METHOD_DECLARED, QUERY_CONSTRUCTOR_PUBLIC, QUERY_CONSTRUCTOR_DECLARED,
	QUERY_FIELD_PUBLIC, QUERY_FIELD_DECLARED,
	/* arrays of them */
	QUERY_METHODS_PUBLIC, QUERY_METHODS_DECLARED, QUERY_CONSTRUCTORS_PUBLIC, QUERY_CONSTRUCTORS_DECLARED,
	QUERY_FIELDS_PUBLIC, QUERY_FIELDS_DECLARED, QUERY_RECORD, QUERY_INTERFACES,
	QUERY_NOTHING,           /* that is known: but it changes none of its operands */
	QUERY_NAME_OF, QUERY_SIMPLE_NAME, QUERY_PACKAGE_NAME, QUERY_OWNER, QUERY_TYPE,
	QUERY_RUN,               /* what run() of the operand gives back */
	/* of the environment: outside/settings.c */
	QUERY_PROPERTY, QUERY_VARIABLE, QUERY_SECURITY,
	QUERY_RESOURCE,          /* of a file of properties on the class path: outside/resources.c */
	QUERY_OF_PROPERTIES,     /* of the receiver, if these are the properties of the system */
	QUERY_HANDLE,            /* makes method handles: handles/handles.def */
};

struct query_row {
	enum query is;
	bool by_string;          /* about the first operand of type String */
	uint8_t handle;          /* QUERY_HANDLE: row of handles.def */
};

struct query_table {
	struct loaders loaders;
	struct map rows;         /* (class, name) -> 1 + row of queries.def */
};
void query_table_init(struct query_table *t, struct program *p);
struct query_row query_of_method(const struct query_table *t, struct hierarchy *h, method_id m);
struct query_row query_find(const struct query_table *t, struct hierarchy *h, mref_id m);
bool query_gives_array(enum query q);
bool query_takes_name(enum query q);
bool query_takes_types(enum query q);

/* A question about members: their name and the types of their parameters, as far as they are known. */
struct member_filter {
	struct metas names;              /* strings; is_open: any */
	const struct language *filter;   /* and those of this language; NULL: none */
	const struct metas *types;       /* of each parameter */
	uint32_t ntypes;
	bool knows_types;
};

/* Adds to `out` what the query answers for one meta; false: that cannot be said. */
typedef VEC(meta) meta_list;
bool query_answer(struct hierarchy *h, enum query q, meta about, const struct member_filter *f, meta_list *out);
/* The class with this name, as Class.forName reads it; none: there is no such class. */
class_id query_class_named(struct program *p, struct str name);

#endif
