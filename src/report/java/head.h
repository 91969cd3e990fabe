/* SPDX-License-Identifier: Apache-2.0 */
/* head.h - what the head of a result about Java says of the request. */
#ifndef REPORT_JAVA_HEAD_H
#define REPORT_JAVA_HEAD_H

#include "ir/program.h"
#include "report/java/selection.h"
#include "report/java/sources.h"

struct report_head {
	const char *algorithm;        /* "rta" */
	const char *assume;           /* a level of analysis/dynamic: "encap"; NULL: not said */
	const char *entry;            /* "main antlr.Tool", "public", "file x" */
	const char *class_path, *jdk; /* may be NULL */
	struct report_sources facts;  /* files that it rests on */
	struct report_settings settings;      /* and values of the environment */
	bool color;                   /* text: ANSI colours */
	uint32_t width;               /* text: columns; 0: 100 */
	bool is_verbose;              /* text: every unresolved site, with all that is known of why */
	bool clusters;                /* dot: one box a package */
	bool receivers;               /* json: the classes of receivers, at every dispatched call */
	struct report_selection selection;    /* what is written of it */
	/* text: is the class the user's own, not the JDK's? NULL: not known, nothing is listed */
	bool (*is_application)(const void *ctx, class_id c);
	const void *application;      /* its ctx */
};

#endif
