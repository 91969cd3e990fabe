/* SPDX-License-Identifier: Apache-2.0 */
/* html_p.h - the data of the HTML report: one JSON object, made for size and for reading in one go.
 *
 * Text is written once, in a table; everything else is numbers in flat arrays, which html/report.js (its only reader) takes
 * apart. Calls of many classes require the same set of receivers, and many items were covered by the same set of tests: sets
 * are written once, too, and what is missed need not be written at all, since it is what remains of a set.
 *
 * The largest tables are packed (report/page/page.h): they are text for the browser until a class is looked at. */
#ifndef REPORT_COVERAGE_HTML_HTML_P_H
#define REPORT_COVERAGE_HTML_HTML_P_H

#include "base/intern.h"
#include "base/map.h"
#include "report/coverage/coverage_p.h"
#include "report/page/page.h"
#include "report/write/json.h"
#include "report/coverage/sources.h"

/* A file with source text, once for all classes in it. */
struct html_file {
	bool is_found;
	struct source_file source;
};

struct html_data {
	struct json j;
	const struct coverage *c;
	const struct coverage_head *head;
	uint32_t receivers;                    /* the criterion: criteria_receivers() */
	struct interner strings;               /* the table; 0 is the empty one */
	struct interner sets;                  /* of receivers or targets: rows of the table as bytes */
	struct interner test_sets;             /* rows of tests, likewise */
	struct interner calls;                 /* what a call names: three rows of the table, likewise */
	struct interner steps;                 /* of reasons: rows of place and text, likewise */
	struct interner recipes;               /* of reasons: rows of the table, likewise */
	struct map ways;                       /* (the way so far, step): its number; ways share their beginnings */
	VEC(uint32_t) way_rows;                /* pairs: the way so far, step */
	struct interner paths;                 /* of source files */
	VEC(struct html_file) files;           /* by row of paths */
	VEC(uint32_t) row, acts;               /* scratch: a set, a recipe under construction */
	struct strbuf packed;                  /* scratch: numbers */
	struct strbuf text;                    /* scratch */
};

void html_data_init(struct html_data *d, struct sink *out, const struct coverage *c, const struct coverage_head *head);
void html_data_release(struct html_data *d);

/* The object. No '<' is in it: it can stand in a <script>. */
void html_write_data(struct html_data *d);
/* chains_data.c: the key chains, and its value; nothing where the plan has none. */
void html_write_chains(struct html_data *d);

/* ladder_data.c: the key groups: by class, requirements that are several calls'. Nothing but empty rows without the ladder. */
void html_write_groups(struct html_data *d);
/* Six numbers behind the sums of a class or of all, with the ladder: own targets, then receivers and targets of calls with a choice. */
void html_put_views(struct html_data *d, uint32_t first_site, uint32_t nsites);
/* next_data.c: the key next, an array of objects: the class of the `object`, the `call` that takes it into the component;
 * `code`, lines of Java that are `whole` or not; `acts`, the same in short; `covers`, what of each rung, or of receivers; `site`, an
 * example; `like`, some of the `likes` acts that have their object or call in common with it. */
void html_write_next(struct html_data *d);

/* trend_data.c: the key trend, where older results are given: an array of `name`, `start` and `figures`, two numbers for each
 * criterion of the head, 0 of 0 where the result does not have it. This result is the last. */
void html_write_trend(struct html_data *d);

/* Classes on the page: those with sites, with requirements of their own, or with methods that chains go through. */
bool html_is_listed(const struct html_data *d, uint32_t class);
/* Rows of tables: of text; of what a call names; of what a client does, 0: nothing. */
uint32_t html_string(struct html_data *d, struct str s);
uint32_t html_call_id(struct html_data *d, struct str owner, struct str name, struct str desc);
uint32_t html_recipe_id(struct html_data *d, const struct reason *r);
/* Text as a value. */
void html_write_text(struct html_data *d, struct str s);

/* Numbers as text, gathered and written as a value. */
void html_pack(struct html_data *d, uint64_t n);
void html_pack_string(struct html_data *d, struct str s);     /* its row of the table */
void html_write_packed(struct html_data *d);
/* The number of a row of numbers that is written once; from 1 on. */
uint32_t html_row_id(struct interner *in, const uint32_t *row, uint32_t n);

/* After it: every source file as a <script> with a JSON string, id f1, f2 ... */
void html_write_sources(struct html_data *d);

#endif
