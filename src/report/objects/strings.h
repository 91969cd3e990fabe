/* SPDX-License-Identifier: Apache-2.0 */
/* strings.h - what strings can be that calls are given, as text and JSON (docs/formats/strings.md). */
#ifndef REPORT_OBJECTS_STRINGS_H
#define REPORT_OBJECTS_STRINGS_H

#include "analysis/dynamic/dynamic.h"
#include "report/java/head.h"
#include "report/write/sink.h"

struct strings_answer {
	struct program *program;
	const struct dynamic_string *strings;         /* in the order of their calls */
	uint32_t n;
};
/* A writer finishes the sink and returns whether everything was written. */
typedef bool strings_writer(struct sink *out, const struct strings_answer *a, const struct report_head *head);
strings_writer report_strings_json, report_strings_text;

#endif
