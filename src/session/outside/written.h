/* SPDX-License-Identifier: Apache-2.0 */
/* written.h - what an analysis found that reflection does, as files of facts for other tools. */
#ifndef SESSION_OUTSIDE_WRITTEN_H
#define SESSION_OUTSIDE_WRITTEN_H

#include "report/facts/facts.h"
#include "report/java/head.h"
#include "session/session.h"

/* Writes what dynamic calls do as FACTS_METADATA or FACTS_PROGUARD; only those of classes that the head shows, and nothing that the
 * JDK does with itself. What calls of the program do that are not resolved is missing, and told (W074). Finishes the sink. */
bool written_facts(struct sink *out, struct session *s, struct callgraph *g, const struct report_head *head, enum facts_form form);

#endif
