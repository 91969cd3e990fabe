/* SPDX-License-Identifier: Apache-2.0 */
/* pta.h - what points-to analyses know, as text and JSON: all facts, and why one call is in the graph. */
#ifndef REPORT_OBJECTS_PTA_H
#define REPORT_OBJECTS_PTA_H

#include "analysis/pta/pta.h"
#include "report/java/head.h"
#include "report/write/sink.h"

/* Every set that is not empty: of variables, static fields, and fields of objects. `g` is made from `a`. A writer
 * finishes the sink and returns whether everything was written. JSON: docs/formats/points-to.md. Text: of the
 * application only, if head->is_application is there, and of large sets the first objects. Where head->is_shown chooses classes,
 * only of their methods and fields, with the objects in these sets. */
typedef bool pointsto_writer(struct sink *out, struct pta *a, struct callgraph *g, const struct report_head *head);
pointsto_writer report_pointsto_json, report_pointsto_text;

/* Why `caller` may call `callee`; computed with opt.explains. When it does not, what is known instead. JSON:
 * docs/formats/why-call.md. */
struct whycall {
	struct pta *facts;            /* NULL: no object is followed, and the witness is a site alone */
	struct callgraph *graph;
	method_id caller, callee;
	struct pta_witness witness;
	struct dynamic *features;     /* that calls may rest on; NULL: none */
};
typedef bool whycall_writer(struct sink *out, const struct whycall *w, const struct report_head *head);
whycall_writer report_whycall_json, report_whycall_text;

const char *place_sort_name(enum place_sort s);       /* "new", "class", "unknown", "outside" */

#endif
