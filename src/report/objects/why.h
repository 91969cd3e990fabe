/* SPDX-License-Identifier: Apache-2.0 */
/* why.h - how a class can be that of the receiver at a call of a component, as a screen and as JSON. Format:
 * docs/formats/why.md. */
#ifndef REPORT_OBJECTS_WHY_H
#define REPORT_OBJECTS_WHY_H

#include "analysis/callgraph/path.h"
#include "analysis/fragment/fragment.h"
#include "analysis/pta/pta.h"
#include "report/java/head.h"
#include "report/write/sink.h"

struct why {
	struct pta *facts;
	struct callgraph *graph;
	const struct placeholders *clients;    /* NULL: a whole program */
	/* What was asked. */
	method_id method;
	uint32_t pc;
	mref_id declared;
	uint8_t op;
	class_id receiver;
	const char *component, *interface, *client_sort;      /* "java.text.*", "public", "closed"; may be NULL */
	/* The answer. When the witness is not found, what is known instead is in the graph. */
	struct pta_witness witness;
	struct call_path to_creation;         /* how the code that creates it is reached; no start: not needed */
	struct call_path to_call;             /* how the call is reached; no start: it is not */
};

/* A writer finishes the sink and returns whether everything was written. */
typedef bool why_writer(struct sink *out, const struct why *w, const struct report_head *head);
why_writer report_why_text, report_why_json;

#endif
