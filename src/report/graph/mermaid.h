/* SPDX-License-Identifier: Apache-2.0 */
/* mermaid.h - a graph of calls as a flowchart for pages that draw Mermaid, which refuse large ones. */
#ifndef REPORT_GRAPH_MERMAID_H
#define REPORT_GRAPH_MERMAID_H

#include "report/graph/view.h"

/* What Mermaid draws when nobody has configured it. */
#define MERMAID_ARROWS 500
#define MERMAID_TEXT 50000

/* Adds the flowchart to `out`, which is empty before; names of nodes are to be those of name_source. False when it is too large: `why`
 * says how much there would be. */
bool report_graph_mermaid(struct strbuf *out, struct graph_view *v, struct strbuf *why);

#endif
