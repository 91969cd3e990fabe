/* SPDX-License-Identifier: Apache-2.0 */
/* pairs.h - writers of def-use pairs: by class and field, then by definition, then by use; all in the order of their printed names and
 * places. */
#ifndef REPORT_GRAPH_PAIRS_H
#define REPORT_GRAPH_PAIRS_H

#include "analysis/defuse/defuse.h"
#include "report/graph/application.h"

struct pairs_subject {
	const struct defuse *pairs;
	const struct callgraph *graph;
	const struct pta *facts;                 /* the places of objects are its */
	const struct application_head *head;
};

/* They finish the sink and return whether everything was written. */
typedef bool pairs_writer(struct sink *out, const struct pairs_subject *s);
pairs_writer report_pairs_text, report_pairs_json, report_pairs_csv;

#endif
