/* SPDX-License-Identifier: Apache-2.0 */
/* stats.h - the figures of a run: what --stats shows. Two lists, since people want few of them and scripts all:
 *
 *	struct stats st = { 0 };
 *	stats_text(&st, "algorithm", "rta");
 *	stats_count(&st, "methods", 21234);             for scripts: "methods":21234
 *	stats_show(&st, "methods", 21234);              for people: methods 21234
 *	stats_break(&st);                               what people see next starts a line
 *
 * Keys, labels and texts are borrowed. */
#ifndef REPORT_WRITE_STATS_H
#define REPORT_WRITE_STATS_H

#include "base/strbuf.h"
#include "report/write/sink.h"

struct stats {
	struct strbuf json;           /* ,"key":value for each, without the braces around all */
	struct strbuf text;
	bool in_line, in_object;      /* something precedes what comes next in the line, in the object */
};

void stats_release(struct stats *st);

/* For scripts */
void stats_count(struct stats *st, const char *key, uint64_t n);
void stats_real(struct stats *st, const char *key, double x, int decimals);
void stats_bool(struct stats *st, const char *key, bool b);
void stats_text(struct stats *st, const char *key, const char *plain);      /* not escaped */
void stats_object(struct stats *st, const char *key);                       /* what follows is in it */
void stats_end_object(struct stats *st);

/* For people */
void stats_show(struct stats *st, const char *label, uint64_t n);           /* label 12 */
void stats_show_real(struct stats *st, const char *label, double x, int decimals, const char *unit);     /* label 1.234 s */
void stats_break(struct stats *st);

/* Both finish the sink. */
bool stats_write_json(struct sink *out, const struct stats *st, const char *verb);     /* sherd/stats/1 */
bool stats_write_text(struct sink *out, const struct stats *st);

#endif
