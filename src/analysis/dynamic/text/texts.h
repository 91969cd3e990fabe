/* SPDX-License-Identifier: Apache-2.0 */
/* texts.h - strings of nodes, as languages: from statements about strings to a grammar (analysis/strings), beside the nodes of
 * values.
 *
 * Each node has two nodes of the grammar. `full` is all that it can be; what is not known makes it any string. `known` is the same
 * without alternatives that are any string: in `b ? "a.A" : x`, of which x is not known, it is "a.A", and in "a." + x it is every
 * string that begins so. Where something may come that is not known, `known` is what can be answered all the same. */
#ifndef ANALYSIS_DYNAMIC_TEXT_H
#define ANALYSIS_DYNAMIC_TEXT_H

#include "analysis/dynamic/values.h"
#include "analysis/strings/grammar.h"

struct values;
struct code;
struct ir_stmt;

struct text {
	string_node full, known;         /* the same: there is nothing that is not known */
};

/* What a string is asked for. */
enum name_use { NAME_OF_CLASS = 1, NAME_OF_MEMBER = 2, NAME_OTHER = 4 };

/* A node whose language somebody asked for. */
struct name {
	uint32_t node;
	uint8_t uses;                    /* enum name_use, as bits */
	uint8_t open;                    /* the same: uses for which there is more than its metas and `filter` say */
	uint32_t version;                /* counts changes */
	const struct language *full, *known;     /* as of the last evaluation; NULL before it */
	const struct language *filter;           /* NULL: its strings are metas of the node, all of them */
};

/* The names of all classes that there are. */
struct class_names {
	struct arena mem;
	VEC(struct str) all;             /* as Class.getName has them */
	VEC(uint32_t) shared;            /* how many bytes each begins with as the one before it does */
	bool is_made;
};

/* A StringBuilder or StringBuffer of a method, by all names that it has there. */
struct builder {
	uint32_t method;
	bool is_known;                   /* made in the method, and only it changes it */
	bool is_one;                     /* each name is always that of the one made last */
	uint32_t *names;                 /* a bit for each value */
};

/* What it holds at a place: behind a statement that changes it, or at the beginning of a block. */
struct content {
	uint32_t builder;
	uint32_t at;                     /* statement, or block */
	bool is_start;
};

enum test_sort { TEST_NONE, TEST_IS, TEST_STARTS, TEST_ENDS, TEST_CONTAINS, TEST_CASE };

/* What a test says about a value in a block, and in all that the block dominates. */
struct test {
	uint32_t method, value;
	uint32_t from, block;            /* the branch leads from the one to the other */
	enum test_sort sort;
	struct str what;
	const struct language *passes;   /* NULL before it was needed */
	bool is_true;                    /* false: what does not pass is what gets there */
};

struct texts {
	struct languages *languages;
	struct grammar *grammar;
	VEC(struct text) of;             /* by node */
	struct text unknown, empty;
	VEC(struct name) asked;
	struct map asked_of;             /* node -> 1 + row */
	struct class_names classes;
	struct map makers;               /* (class, name) -> enum text_maker */
	class_id builder, buffer;
	/* builders.c */
	VEC(struct builder) builders;    /* [0] unused */
	struct map builder_of;           /* (method, value) -> builder */
	VEC(struct content) contents;    /* [0] unused */
	struct map content_of;           /* (builder, place) -> row */
	/* tests.c */
	VEC(struct test) tests;          /* [0] unused */
	struct map tests_of;             /* method -> its first */
	bool has_grown;                  /* since the last evaluation */
};
void texts_init(struct texts *x, struct program *p);
void texts_release(struct texts *x);

/* --- texts.c: the grammar --- */
struct text texts_of(struct values *v, uint32_t node);
void texts_open(struct values *v, uint32_t node);                /* something comes that is not known */
void texts_copy(struct values *v, uint32_t to, uint32_t from);
void texts_literal(struct values *v, uint32_t node, str_id s);
/* Texts without a node of values. */
struct text text_literal(struct values *v, struct str s);
struct text text_language(struct values *v, const struct language *l);
struct text text_concat(struct values *v, struct text a, struct text b);
struct text text_operation(struct values *v, const struct operation *op, struct text a, struct text b);   /* `b` zeroed: none */
/* What passes a filter; one that is of strings which somebody looks for says something about those of which nothing is known. */
struct text text_test(struct values *v, const struct operation *op, struct text a, bool says_something);
void texts_add(struct values *v, uint32_t node, struct text t);

/* --- texts.c: questions --- */
/* The string of a node is asked for; from now on texts_evaluate() keeps its language. */
void texts_ask(struct values *v, uint32_t node, enum name_use use);
const struct name *texts_find(const struct values *v, uint32_t node);    /* NULL: nobody asked; until the next is asked for */
/* The node because of which a string is not known, of those that it is made of. */
uint32_t texts_blame(const struct values *v, uint32_t node);
/* Can the node be this string, for all that is known? It was asked for. */
bool texts_have(const struct values *v, uint32_t node, str_id s);
/* May the node be more than that? */
bool texts_are_open(const struct values *v, uint32_t node, enum name_use use);
/* Computes languages of what was asked for: strings become metas of their nodes. Whether anything changed. */
bool texts_evaluate(struct values *v);

/* --- match.c --- */
/* Classes that there are whose names the language has: fn for each name, unless there are more than `most`. Returns how many, or
 * `most` + 1. */
uint32_t class_names_match(struct values *v, const struct language *l, uint32_t most, void (*fn)(void *ctx, struct str name), void *ctx);

/* --- statements.c --- */
/* A node whose value is a new string; false: it is another object. */
bool texts_expand_new(struct values *v, uint32_t n, const struct code *c, const struct ir_stmt *s);
/* What a call of a library method that is modelled makes; false: it is none. */
bool texts_expand_call(struct values *v, uint32_t n, const struct code *c, const struct ir_stmt *s);

/* --- tests.c --- */
/* The node of a value as it is used in a block of its method. */
uint32_t texts_used(struct values *v, uint32_t method, const struct code *c, uint32_t block, uint32_t value);
void test_expand(struct values *v, uint32_t n);          /* a node of where AT_TESTED */

/* --- builders.c --- */
void builder_expand(struct values *v, uint32_t n);       /* a node of where AT_CONTENT */

#endif
