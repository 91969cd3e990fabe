/* SPDX-License-Identifier: Apache-2.0 */
/* values_p.h - nodes, for the files that make them: from statements (expand.c), of arrays (elements.c), and from what the graph
 * says (connect.c). values.c has what a node is, and computes what they stand for. */
#ifndef ANALYSIS_DYNAMIC_VALUES_P_H
#define ANALYSIS_DYNAMIC_VALUES_P_H

#include "analysis/dynamic/handles/handle.h"
#include "analysis/dynamic/text/texts.h"
#include "analysis/dynamic/query.h"

/* A method whose statements were looked at. */
struct code {
	const struct ir_body *body;      /* NULL: it has none */
	uint32_t *def;                   /* by value: 1 + its statement */
	const uint32_t *idom;            /* values_dominators(); NULL before */
	uint32_t *first_use, *uses;      /* values_uses(): by value, where they begin; NULL before */
};

/* An answer: of the query that the value is the result of; content: of a builder (text/builders.c);
 * tested: of a string, behind a test (text/tests.c); a class: of the object that it is; a set: what its members return, for all calls
 * that have these targets. */
enum where { AT_VALUE, AT_RETURN, AT_FIELD, AT_ANSWER, AT_CONTENT, AT_TESTED, AT_CLASS, AT_SET, WHERES };

struct vnode {
	uint8_t where;
	bool is_elements;                /* of the arrays that it may be */
	bool is_open;
	bool is_queued, is_changed;
	bool is_any;                     /* open, and any string, too */
	bool is_nowhere;                 /* a name, or a class by name, that no class has */
	uint8_t reason;                  /* enum dynamic_reason, if it is open, ... */
	enum query query;                /* QUERY_NONE: all that its inputs are */
	bool knows_types;                /* queries of members: inputs from [2] on are the types of parameters */
	uint8_t handle;                  /* QUERY_HANDLE: row of handles.def */
	uint32_t root;                   /* and the node where that began */
	uint32_t of, value;              /* method and value; field; set of targets */
	VEC(uint32_t) inputs;            /* of queries: [0] what it is about, [1] names */
	VEC(uint32_t) users;
	VEC(uint32_t) parts;             /* of strings: the nodes that they are made of */
	VEC(uint64_t) metas;             /* a bit for each, by its number */
	uint32_t news, news_end;         /* words of `metas` that users do not know yet: the first, and behind the last */
	VEC(uint64_t) answered;          /* of queries: the metas of inputs[0] for which an answer was found, ... */
	uint64_t given;                  /* when the other inputs had so many */
};

/* A set of targets whose results somebody asked for. */
struct result_set {
	uint32_t nmembers;               /* that its node has the results of */
	uint32_t trace;                  /* in which it got them */
};

/* A read or write of a field. */
struct access {
	method_id method;
	ir_value value;
	uint32_t before;                 /* the row before it about the same field */
	bool is_write;
};

struct values {
	struct hierarchy *h;
	struct program *p;
	const struct dynamic_opt *opt;
	struct arena mem;
	class_id jvm;                    /* sherd/JVM: what the JVM makes and passes */
	struct query_table queries;
	struct handles handles;
	struct texts texts;
	struct map carriers;             /* class -> 1: what variables have to be declared as, or arrays of it, to be traced */
	VEC(struct code) codes;          /* [0] unused */
	struct map code_of;              /* method -> code */
	VEC(struct vnode) nodes;         /* [0] unused */
	struct map node_by_key[2][WHERES];    /* by is_elements and where: (of, value) -> node */
	struct map edges;                /* (from, to) -> 1 */
	struct map meta_numbers;         /* meta -> number, from 1 */
	meta_list all;                   /* by number */
	meta_list sorted;                /* for values_of */
	uint32_t expanded;               /* nodes below it were expanded */
	VEC(uint32_t) queue;             /* nodes to be evaluated from all their inputs */
	VEC(uint32_t) changed;           /* nodes whose users do not know yet what they have become */
	/* What the graph has to be asked for, again and again */
	VEC(uint32_t) params, calls, fields;     /* nodes */
	VEC(struct result_set) sets[2];  /* by is_elements; by set */
	VEC(method_id) writers;          /* of fields that may be of other classes */
	struct method_bits is_writer;    /* those that were looked at */
	VEC(struct access) accesses;     /* of the methods in `indexed`; [0] unused */
	struct map accesses_of;          /* field -> the last row about it */
	struct method_bits indexed;
	struct map trace_of_class;       /* class -> the last trace in which its methods were looked at */
	uint32_t ntraces;
	struct map wanted;               /* method -> first node of `params` of it, in `next_param` */
	VEC(uint32_t) next_param;        /* by node */
	VEC(uint32_t) asked;             /* methods whose callers were asked for, and are again in each trace */
	VEC(uint32_t) fresh;             /* those whose callers are to be asked for in the next pass */
	/* Those below were looked at in this trace: the graph does not change meanwhile */
	uint32_t connected_params, connected_calls, connected_fields;
	VEC(class_id) next_in_nest;      /* by class: the next one with the same host; of the host, the first. As of this trace */
	VEC(uint32_t) settings;          /* nodes that ask for properties */
	struct map set_keys;             /* (query, string) -> 1: the program sets it itself */
	struct map resource_of;          /* node of QUERY_RESOURCE -> the name of the file, a string */
	const struct dynamic_graph *graph;
	bool has_grown;
};

/* --- code --- */
const struct code *values_code(struct values *v, method_id m);           /* until the next is asked for */
const struct ir_stmt *code_definition(const struct code *c, uint32_t value);     /* NULL: there is none */
const struct ir_stmt *code_call(const struct code *c, uint32_t pc, mref_id ref);
static inline ir_value code_operand(const struct code *c, const struct ir_stmt *s, uint32_t k)
{
	return k < s->nargs ? c->body->args[s->args + k] : 0;
}
static inline uint32_t code_index(const struct code *c, const struct ir_stmt *s)
{
	return (uint32_t)(s - c->body->stmts);
}
static inline bool is_field_load(const struct ir_stmt *s)
{
	return s && (s->op == IR_GETFIELD || s->op == IR_GETSTATIC);
}
/* By block; in the memory of `v`. */
const uint32_t *values_dominators(struct values *v, method_id m);
/* The statements that a value is an operand of, in order; one stands there as often as it is. */
struct uses {
	const uint32_t *at;
	uint32_t n;
};
struct uses values_uses(struct values *v, method_id m, ir_value x);
/* The declared type of a parameter; the receiver is the first. */
class_id values_param_type(struct values *v, method_id m, uint32_t k);
/* Is a variable of this type traced? */
bool values_carries(const struct values *v, class_id type);

/* Is a name assumed to be that of a class that is there? */
bool values_assume_classes(const struct values *v);

/* --- nodes --- */
uint32_t vnode_at(struct values *v, enum where where, bool is_elements, uint32_t of, uint32_t value);
void vnode_enqueue(struct values *v, uint32_t n);
void vnode_tell_users(struct values *v, uint32_t n);
/* It is a string that the grammar knows more of (text/): its metas are not all that it may be. */
void vnode_is_text(struct values *v, uint32_t n);
void vnode_open(struct values *v, uint32_t n, enum dynamic_reason reason);
/* Since `from` is. */
void vnode_open_by(struct values *v, uint32_t n, uint32_t from);
bool vnode_add(struct values *v, uint32_t n, meta x);                    /* is it new? */
void vnode_input(struct values *v, uint32_t to, uint32_t from);
/* `to` is what `from` is, too; each once. */
void vnode_copy(struct values *v, uint32_t to, uint32_t from);
/* The same of a value of a method, or of its elements if `to` is of elements; no value: it is not known. */
void vnode_copy_value(struct values *v, uint32_t to, uint32_t method, ir_value from);
/* The same of a value that is used in a block: what was tested there is known of it. */
void vnode_copy_used(struct values *v, uint32_t to, uint32_t method, const struct code *c, uint32_t block, ir_value from);

struct metas vnode_metas(const struct values *v, uint32_t n, struct arena *mem);         /* sorted, in `mem` */

/* --- handles/ask.c --- */
void handles_expand(struct values *v, uint32_t n, const struct code *c, const struct ir_stmt *s, uint8_t row);
void handles_expand_constant(struct values *v, uint32_t n, const struct ir_stmt *s);
void handles_evaluate(struct values *v, uint32_t n);
void callsite_expand(struct values *v, uint32_t n, const struct code *c, const struct ir_stmt *s);       /* callsite.c: a new object */

/* --- reasons.c --- */
enum dynamic_reason reason_of_source(const struct program *p, method_id m);      /* of what it returns; none: that has to be looked at */

/* --- expand.c: a new node from what defines it --- */
void values_expand(struct values *v, uint32_t n);
void expand_field(struct values *v, uint32_t n, fref_id f);
bool values_is_query(struct values *v, const struct ir_stmt *s);
struct query_row values_query(struct values *v, const struct ir_stmt *s);
uint32_t values_about(struct values *v, const struct ir_stmt *s, struct query_row q);     /* the operand that the query is about */
void values_want(struct values *v, uint32_t method);      /* its callers, of the graph */

/* --- elements.c --- */
/* What uses of the node's value in its method store into the array. */
void elements_expand(struct values *v, uint32_t n, const struct code *c);
/* The types of parameters, where they are written down: inputs of the node, which is a query. */
void elements_expand_types(struct values *v, uint32_t n, const struct code *c, ir_value array);

/* The elements of an array that is made and filled here, and given to `user` alone: their number, at most `most`; `most` + 1: not clear. */
uint32_t elements_written(struct values *v, const struct code *c, ir_value array, const struct ir_stmt *user, ir_value *out, uint32_t most);

/* --- outside/settings.c: what is read from the environment --- */
/* False: the call is no such read. */
bool settings_expand(struct values *v, uint32_t n, const struct code *c, const struct ir_stmt *s, enum query q);
/* The same of a call that gives back what `action`, which is made here, does. */
bool settings_expand_action(struct values *v, uint32_t n, const struct code *c, ir_value result, ir_value action);
bool settings_answer(struct values *v, enum query q, meta about, meta_list *out);        /* as query_answer() */
void settings_connect(struct values *v);

/* --- outside/resources.c: properties that are read from files on the class path --- */
/* The file that the receiver, an object of java.util.Properties, was filled from, and from nothing else; none: that is not so. */
str_id resources_find(struct values *v, method_id m, const struct code *c, ir_value receiver);
bool resources_answer(struct values *v, uint32_t n, meta about, meta_list *out);         /* as query_answer() */

/* --- connect.c: what the graph says, as it is --- */
void values_index_nests(struct values *v);
void values_connect_again(struct values *v);     /* what is new in the graph, about what was asked for before */
void values_connect(struct values *v);

#endif
