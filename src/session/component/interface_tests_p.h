/* SPDX-License-Identifier: Apache-2.0 */
/* interface_tests_p.h - tests while they are read for the interface that they use. */
#ifndef SESSION_COMPONENT_INTERFACE_TESTS_P_H
#define SESSION_COMPONENT_INTERFACE_TESTS_P_H

#include "analysis/fragment/members.h"
#include "session/component/component_p.h"

/* What is `depth` array elements deep in a value. */
struct element {
	ir_value v;
	uint32_t depth;
};

/* Members of a class that is not known, which a test looks up by reflection. */
enum looked_up { LOOKED_UP_NOTHING, LOOKED_UP_METHODS, LOOKED_UP_CONSTRUCTORS, LOOKED_UP_FIELDS };
struct lookup {
	enum looked_up sort;
	struct str name;              /* empty: whatever their name is */
};

struct test_reader {
	struct interface_builder *b;
	struct session *s;
	struct program *p;
	bool *is_test;                /* by artifact */
	VEC(class_id) classes;        /* of the tests, and what was made of their lambdas; read from first to last */
	struct map is_listed;         /* in `classes` */
	struct map is_extended;       /* in the interface's `extended` */
	struct map mrefs, frefs;      /* taken, or found wanting */
	class_id via;                 /* whose members are in `members`: tests call many of one class */
	struct members members;
	uint32_t nfiles;              /* classes that are class files */
	uint64_t unresolved;
	struct strbuf missing;        /* the first that was not found */
	VEC(class_id) constants;      /* of the class that is read: classes that it names as T.class */
	VEC(struct lookup) lookups;   /* and what it looks up in others */
	struct arena mem;             /* of one body */
	const struct ir_body *body;
	method_id method;
	const struct ir_stmt **definition;   /* by value */
	struct map followed;          /* (value, depth), see follow_array() */
	VEC(struct element) todo;
};

/* A class that the class path has, and the tests have not. What sherd makes itself is neither. */
bool tests_is_outside(const struct test_reader *r, class_id c);

/* reflected.c: a call of the tests may look members up; at the end of a class, what its lookups may be about is added. */
void tests_look_up(struct test_reader *r, const struct ir_stmt *call);
void tests_end_lookups(struct test_reader *r);

#endif
