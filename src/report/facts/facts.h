/* SPDX-License-Identifier: Apache-2.0 */
/* facts.h - facts as other tools read them: reachability metadata for GraalVM, rules for ProGuard.
 *
 * Neither form can say everything that a fact can: both are about classes and members, not about the places that use them. What a form
 * makes of facts is computed first, and written then, so that reading what was written gives exactly that:
 *
 *	struct facts said;
 *	facts_init(&said);
 *	uint32_t left_out = facts_express(&said, FACTS_METADATA, f.rows.data, f.rows.len);
 *	bool ok = report_facts_metadata(out, &said);
 *	facts_release(&said);
 */
#ifndef REPORT_FACTS_FACTS_H
#define REPORT_FACTS_FACTS_H

#include "formats/facts/facts.h"
#include "report/write/sink.h"

/* What FACTS_METADATA or FACTS_PROGUARD can say of the rows is added to the empty table `out`, in the order of fact_compare and each once,
 * without sources and places; its text is that of the rows, which stays in place. Facts become others that the form has: a method that is
 * looked up is one whose class is found, and that a member is used says that its class is found. Returns how many rows come to nothing. */
uint32_t facts_express(struct facts *out, enum facts_form form, const struct fact *rows, uint32_t n);

/* Write what facts_express gave for their form, in whatever order the rows were; finish the sink. */
bool report_facts_metadata(struct sink *out, const struct facts *said);        /* of version 1.2.0 */
bool report_facts_proguard(struct sink *out, const struct facts *said);

#endif
