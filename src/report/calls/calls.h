/* SPDX-License-Identifier: Apache-2.0 */
/* calls.h - what a change did to the call graph of an application, as a screen and as JSON (docs/formats/callbacks-diff.md). */
#ifndef REPORT_CALLS_CALLS_H
#define REPORT_CALLS_CALLS_H

#include "formats/calls/calls.h"
#include "report/write/sink.h"

struct calls_head {
	const char *old_name, *new_name;         /* files; NULL: it was computed now */
	const struct calls *old, *new;
	bool color, is_verbose;                  /* text; verbose: all changes */
};

/* They finish the sink and return whether everything was written. */
typedef bool calls_diff_writer(struct sink *out, const struct calls_diff *d, const struct calls_head *head);
calls_diff_writer report_calls_diff_text, report_calls_diff_json;

#endif
