/* SPDX-License-Identifier: Apache-2.0 */
/* c.h - results about C programs: what pointers point to, what statements modify and use, who calls whom. Screens for
 * people, and formats for programs: docs/formats/c.md.
 *
 * Everything is sorted by printed name or by place, and depends on the arguments alone. */
#ifndef REPORT_C_C_H
#define REPORT_C_C_H

#include "analysis/cgraph/cgraph.h"
#include "analysis/clients/clients.h"
#include "analysis/modref/modref.h"
#include "report/graph/writers.h"

/* What the reports are about. */
struct c_result {
	const struct cprogram *program;
	const struct cpta *facts;
	struct modref *effects;               /* NULL: not computed */
	cobj_id ph_var;                       /* none: there is no unknown code */
	cfn_id ph_proc;
	const struct cpta_stats *stats;       /* of the facts; NULL: not needed, for single lines and functions */
};

/* Patterns with * and ?: what one of them matches is asked for; none: all. */
struct c_patterns {
	const char *const *at;
	uint32_t n;
};

/* What was asked. Zeroed it is good, but for `engine`. */
struct c_head {
	const char *const *modules;
	uint32_t nmodules;
	const char *const *summaries;         /* of libraries that they use */
	uint32_t nsummaries;
	const char *engine;                   /* "andersen" */
	uint32_t categories;                  /* 0: not with this engine */
	bool fields;
	bool library;
	const char *const *exports;           /* of a library: files; none: what is visible */
	uint32_t nexports;
	uint32_t nunknown;                    /* functions without body and model */
	struct c_patterns patterns;           /* pointsto: of variables; modref: of functions */
	bool use;                             /* modref: USE besides MOD */
	bool all;                             /* text: every row, not only the first ones */
	bool verbose;                         /* modref, a line: every statement of it */
	bool color;                           /* text: ANSI colours */
	uint32_t width;                       /* text: columns; 0: 100 */
	const struct c_line *lines;           /* modref: only what is there; none: everything */
	uint32_t nlines;
};

/* A line of a source file, as the program's places have it. */
struct c_line {
	str_id file;
	uint32_t line;
};

/* A writer finishes the sink and returns whether everything was written. */
typedef bool c_writer(struct sink *out, const struct c_result *r, const struct c_head *head);
c_writer report_pointsto_c_text, report_pointsto_c_json;      /* docs/formats/c.md */
c_writer report_modref_text, report_modref_json;
c_writer report_modref_line;                                  /* text: a line for each of head->lines */
c_writer report_callgraph_c_text;
/* For the other formats of call graphs (report/graph/writers.h). The result and the head stay in place as long as the view;
 * free it with graph_view_free. */
struct graph_view *c_view_new(const struct c_result *r, const struct c_head *head);

/* The source of `file`, which is read from `path`, with what its lines modify and use. */
bool report_modref_source(struct sink *out, const struct c_result *r, const struct c_head *head, str_id file, struct str source);

struct cgraph_stats report_callgraph_c_stats(const struct c_result *r);         /* the figures of the call graph */

struct clients_stats report_clients_stats(const struct c_result *r);            /* of a library and its clients */

/* Does any variable match the pattern? If not, `near` gets the names that are most like it, a line each. */
bool c_pattern_finds_variable(const struct c_result *r, const char *pattern, struct strbuf *near);
bool c_pattern_finds_function(const struct c_result *r, const char *pattern, struct strbuf *near);

/* The file that the user calls `name`: its full name, or the last parts of it. False: there is none, or several: `why` says
 * which there are. Only files with statements of functions that are reached count. */
bool c_find_file(const struct c_result *r, struct str name, str_id *file, struct strbuf *why);
/* The line that is written "FILE:LINE", or as compilers print it, "FILE:LINE:COLUMN:"; it has a statement.
 * False: `why` says what is wrong, and the nearest lines that have. */
bool c_find_line(const struct c_result *r, const char *text, struct c_line *out, struct strbuf *why);

#endif
