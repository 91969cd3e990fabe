/* SPDX-License-Identifier: Apache-2.0 */
/* calls.h - call graphs of applications as tables to compare: from a file, or from what was computed. */
#ifndef SESSION_OUTSIDE_CALLS_H
#define SESSION_OUTSIDE_CALLS_H

#include "formats/calls/calls.h"
#include "report/graph/application.h"

/* An earlier result into an empty table; false, with a diagnostic. */
bool calls_open(const char *path, struct calls *out, struct diag *d);
/* The same as if the result were written as JSON and read again. */
void calls_of(const struct callbacks *c, const struct callgraph *g, const struct application_head *head, struct calls *out);

#endif
