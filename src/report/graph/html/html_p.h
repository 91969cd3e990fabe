/* SPDX-License-Identifier: Apache-2.0 */
/* html_p.h - the data of the page of an application's calls: one JSON object, whose only reader is data.js.
 *
 *	head, sums      what was asked, and figures
 *	classes         the names of classes that have methods in the graph: rows of `strings`
 *	methods         packed, in the order of printed names: class, name, descriptor
 *	edges           packed, by caller: how many callers lie between, pc, line, flags, callee; and, where the flags say so, what the
 *	                call names; the method that calls back with its place
 *	witnesses       of some edges: [edge, ["p.Cls.name(Type)", line, ...], "the object"]: the way through the library; may be missing
 *	strings         last, since the others number its rows
 *
 * A place is 2 * line, or 2 * pc + 1 where no line is known. */
#ifndef REPORT_GRAPH_HTML_HTML_P_H
#define REPORT_GRAPH_HTML_HTML_P_H

#include "base/intern.h"
#include "report/graph/application.h"
#include "report/ways/ways.h"
#include "report/java/names.h"
#include "report/page/page.h"
#include "report/write/json.h"

enum edge_flags { EDGE_SORT = 3, EDGE_OPEN = 4, EDGE_NAMED = 8, EDGE_BY = 16 };

struct calls_data {
	struct json j;
	const struct callbacks *c;
	const struct callgraph *g;
	const struct application_head *head;
	struct names names, brief;
	struct interner strings;
	uint32_t *first;                 /* by method id: 1 + its first edge, as caller; 0: none */
	uint32_t *numbers;               /* by method id: 1 + its row of `methods`; 0: none */
	VEC(method_id) methods;          /* by number */
	VEC(uint32_t) classes;           /* string ids, by number */
	uint32_t *class_numbers;         /* by class id: 1 + number; 0: none */
	struct strbuf packed, text;      /* scratch */
};

void calls_data_init(struct calls_data *d, struct sink *out, const struct callbacks *c, const struct callgraph *g,
		     const struct application_head *head);
void calls_data_release(struct calls_data *d);

/* The object. No '<' is in it: it can stand in a <script>. */
void calls_write_data(struct calls_data *d);

#endif
