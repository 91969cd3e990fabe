/* SPDX-License-Identifier: Apache-2.0 */
/* sarif_p.h - the parts of the SARIF report. */
#ifndef REPORT_COVERAGE_SARIF_P_H
#define REPORT_COVERAGE_SARIF_P_H

#include "report/coverage/coverage_p.h"
#include "report/coverage/sources.h"

/* A rule for each criterion, in their order; then those for what is unexpected: receivers, chains, callbacks. */
enum { SARIF_UNEXPECTED = CRITERIA, SARIF_STRANGE, SARIF_CALLED, SARIF_READ, SARIF_RULES };
struct sarif_rule {
	char id[32];
	const char *level, *brief, *full;
};
struct sarif_rule sarif_rule(uint32_t k);
uint32_t sarif_rule_index(const struct plan *p, uint32_t k);

/* Services take 25,000 results, and show the first ones. So alarms come first, then what is missed of the component's own classes and
 * methods, and what does not fit is left out, and counted. */
#define SARIF_MOST 25000u
enum sarif_round { SARIF_ALARMS, SARIF_OWN, SARIF_OTHERS, SARIF_ROUNDS };

struct sarif {
	struct json j;
	const struct coverage *c;
	const struct coverage_head *head;
	struct strbuf text, path;     /* scratch */
	uint32_t located;             /* 1 + the class whose place is in `uri` */
	struct strbuf uri;
	bool is_found;                /* the file is in head->source */
	int round;                    /* enum sarif_round */
	bool is_dry;                  /* results of calls are only counted */
	uint64_t written, left_out[CRITERIA]; /* results of calls; the latter by criterion */
};
void sarif_word(struct sarif *w, const char *key, const char *word);
void sarif_message(struct sarif *w, const char *key, struct str text);
void sarif_physical(struct sarif *w, uint32_t class, uint32_t line);     /* no line: 0. Changes `text` */
void sarif_logical(struct sarif *w, struct str name, const char *kind);

/* A result is begun, then has a message and locations, a fingerprint, perhaps a flow; it ends as an object. */
void sarif_begin_result(struct sarif *w, uint32_t rule, bool is_note);
void sarif_fingerprint(struct sarif *w, uint64_t digest);
void sarif_begin_flow(struct sarif *w);
void sarif_end_flow(struct sarif *w);

/* sarif_chains.c: results for call chains. Returns how many calls that are missed were left out. */
uint64_t sarif_chains(struct sarif *w);
/* How many results these are at most. */
uint32_t sarif_most_chains(const struct coverage *c);

#endif
