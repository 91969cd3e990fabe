/* SPDX-License-Identifier: Apache-2.0 */
/* effects.h - writers of what library calls read and write: callbacks that were computed with their effects. */
#ifndef REPORT_GRAPH_EFFECTS_H
#define REPORT_GRAPH_EFFECTS_H

#include "report/graph/application.h"
#include "report/write/json.h"

/* Adds the keys "calls", "effects", "accesses" and "objects". */
void report_effects_json(struct json *j, const struct callbacks *c, const struct callgraph *g);
/* A row for each library call, with how many fields it reads and writes. */
application_writer report_effects_csv;
application_writer report_effects_text;          /* every library call */
/* Which library calls change nothing, by the methods that they name; and why others do. */
application_writer report_free_text;

#endif
