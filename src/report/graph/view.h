/* SPDX-License-Identifier: Apache-2.0 */
/* view.h - a graph of calls as its writers see it: nodes with their names, their call sites, targets, and what is said at the
 * head. A format has one writer, whatever the language; a sort of graph has one maker (java_view.c, report/c/view.c).
 *
 * What a graph does not have is not written: texts may be empty, numbers 0, pointers NULL, and `has` says which columns,
 * keys and tables there are at all. A maker for another sort of graph (call chains, callbacks, the application alone) is a
 * structure that begins with struct graph_view, and its table of functions; docs/adding-a-report.md says more.
 *
 * Nodes are numbers from 0, in the order of every output. Sites share sets of targets: a set is put in order when it is
 * first asked for, and a graph of millions of edges stays small. Texts are raw (see escape.h) unless it says "escaped". */
#ifndef REPORT_GRAPH_VIEW_H
#define REPORT_GRAPH_VIEW_H

#include "base/vec.h"
#include "report/write/escape.h"
#include "report/write/json.h"

enum graph_has {
	GRAPH_CLASSES = 1,            /* nodes are methods of classes, which come from artifacts; calls name what they call */
	GRAPH_FILES = 2,              /* nodes are in source files, with lines; sites have columns */
	GRAPH_LIBRARY = 4,            /* some nodes are models, or stand for unknown code */
	GRAPH_NOTES = 8,              /* assumptions that the result rests on */
	GRAPH_KINDS = 16,             /* calls are of several kinds: `kinds` */
};

struct graph_node {
	struct str name;              /* escaped: graph_view_name_nodes */
	bool is_entry;                /* runs without being called from here */
	bool is_library;
	bool by_callback;             /* only callbacks of unknown code lead to it */
};

/* What few formats say about a node. Valid until the next one is asked for. */
struct graph_detail {
	struct str name;              /* of its own: without class and parameters */
	struct str descriptor, class_name, package;   /* GRAPH_CLASSES */
	uint32_t class, flags;        /* the class: a number of `tables`, once these were asked for */
	struct str file;              /* GRAPH_FILES; empty: not known */
	uint32_t line, column;        /* 0: not known */
};

struct graph_site {
	uint32_t pc;                  /* where in its node: a bytecode offset, or the number of the call */
	uint32_t set;                 /* of targets, for graph_targets; 0: empty */
	uint32_t declared;            /* what the call names, for the maker; 0: nothing */
	uint32_t kind;                /* GRAPH_KINDS: of all its targets, a number of `kinds`; a call with two of them is two sites */
	bool is_implied;              /* no call of the code's makes it */
	bool is_open;                 /* targets may be missing: receivers may be of unknown class */
	bool is_dispatched;           /* has receivers */
	const char *op;               /* "virtual", "pointer" */
	const char *by;               /* implied ones: what a library's method does by reflection, "invoke"; NULL: it is not that */
	const char *fact;             /* the file of facts that says so; NULL: it was found */
	const char *cause;            /* why targets are not known; NULL: they are */
	uint32_t left_out;            /* how many targets are no nodes of this view */
};

/* Why it is not known what a site calls, and where that began. */
struct graph_why {
	const char *reason;           /* "parameter" */
	struct str place;             /* escaped: a node and a pc, as sites have it, or a field */
	struct str name;              /* escaped: that no class has; may be empty */
	uint32_t line;                /* 0: not known */
};

struct graph_place {
	uint32_t line, column;        /* 0: not known */
};

struct graph_targets {
	const uint32_t *nodes;        /* in order */
	uint32_t n;
};

/* What was asked, or found, that only some graphs have: a value, or a number where there is none. */
struct graph_fact {
	const char *key, *value;
	uint64_t n;
	bool is_flag;                 /* the value is "true" */
};

struct graph_stats {
	uint64_t methods, edges, method_edges, sites, poly_sites, unresolved;
	uint64_t classes;             /* GRAPH_CLASSES */
};

/* GRAPH_CLASSES: what nodes and calls refer to, with all ancestors, numbered from 1. */
struct graph_class {
	struct str name, package;
	const char *kind;             /* "class", "interface", "phantom" */
	uint32_t flags, super, artifact;      /* 0: none, not known */
	const uint32_t *interfaces;
	uint32_t ninterfaces;
};
struct graph_declared {
	uint32_t class;
	struct str name, descriptor, text;    /* text: escaped */
};
struct graph_tables {
	const struct graph_class *classes;
	const struct graph_declared *declared;
	const char *const *artifacts;
	uint32_t nclasses, ndeclared, nartifacts;
	const uint32_t *declared_number;      /* by graph_site.declared */
};

/* GRAPH_NOTES */
struct graph_note {
	const char *kind;
	struct str text, node, file;          /* may be empty; node: escaped */
	uint32_t line;
};

struct graph_view;

/* What a maker can do. Those that need a part of `has` may be NULL without it. Answers are valid until the view is freed, or,
 * where it says so, until the next call. */
struct graph_maker {
	void (*name_nodes)(struct graph_view *v, enum escape form);
	void (*detail)(struct graph_view *v, uint32_t node, struct graph_detail *out);
	/* In the order of the code; until the next call. */
	const struct graph_site *(*sites)(struct graph_view *v, uint32_t node, uint32_t *n);
	struct graph_place (*place)(struct graph_view *v, uint32_t node, const struct graph_site *s);
	struct graph_targets (*targets)(struct graph_view *v, uint32_t set);
	/* False: there is no more to say than the cause. Until the next call; may be NULL. */
	bool (*why)(struct graph_view *v, uint32_t node, const struct graph_site *s, struct graph_why *out);
	struct graph_stats (*stats)(struct graph_view *v);
	/* GRAPH_CLASSES */
	struct str (*declared)(struct graph_view *v, uint32_t declared);      /* escaped */
	/* The classes of receivers, escaped, sorted; of a site that `sites` gave last. Until the next call. */
	const struct str *(*receivers)(struct graph_view *v, const struct graph_site *s, uint32_t *n);
	const struct str *(*phantoms)(struct graph_view *v, uint32_t *n);     /* classes that are not there, sorted */
	const struct graph_tables *(*tables)(struct graph_view *v);
	/* GRAPH_KINDS */
	struct str (*called_by)(struct graph_view *v, const struct graph_site *s, uint32_t target);    /* escaped; empty: the site itself */
	void (*json_inputs)(struct graph_view *v, struct json *j);            /* keys for inputs that nobody named */
	/* GRAPH_NOTES */
	const struct graph_note *(*notes)(struct graph_view *v, uint32_t *n);
	void (*json_notes)(struct graph_view *v, struct json *j);             /* the keys for them */
	void (*free)(struct graph_view *v);
};

/* The first member of a maker's own structure. */
struct graph_view {
	const struct graph_maker *maker;
	unsigned has;                         /* enum graph_has */
	const char *language;                 /* NULL: Java, which came first */
	const char *algorithm, *entry, *class_path, *jdk, *assume;      /* what was asked; NULL: not said */
	const struct graph_fact *facts;       /* more of this, for databases; of part of a graph, what is left out */
	uint32_t nfacts;
	struct str left;                      /* of part of a graph: what is left out, as a phrase, raw; else empty */
	const char *const *kinds;             /* GRAPH_KINDS: their names. The first is of calls as other graphs have them */
	uint32_t nkinds;
	uint32_t first;                       /* the number that graph formats give to the first node */
	uint32_t nnodes, nsets;
	bool shares_sets;                     /* several sites may have one set */
	bool clusters;                        /* dot: a box for each package */
	bool receivers;                       /* json: receivers at every dispatched call */
	struct graph_node *nodes;             /* the maker's */
	/* For graph_callees: made on first use. */
	uint32_t *seen, *seen_sets;           /* by node, by set: the last search that had it */
	uint32_t searches;
	VEC(uint32_t) callees;
};

/* Before the names of nodes, declared targets and receivers are looked at; once. */
static inline void graph_view_name_nodes(struct graph_view *v, enum escape form)
{
	v->maker->name_nodes(v, form);
}
void graph_view_free(struct graph_view *v);

static inline struct graph_targets graph_targets(struct graph_view *v, const struct graph_site *s)
{
	return v->maker->targets(v, s->set);
}

/* The distinct targets of all sites of a node, in order; of calls of one kind, where there are several. Valid until the next call. */
struct graph_targets graph_callees(struct graph_view *v, uint32_t node, uint32_t kind);
static inline uint32_t graph_nkinds(const struct graph_view *v)
{
	return v->has & GRAPH_KINDS ? v->nkinds : 1;
}

#endif
