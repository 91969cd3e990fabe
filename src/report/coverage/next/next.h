/* SPDX-License-Identifier: Apache-2.0 */
/* next.h - what to test next, on screens and for programs. */
#ifndef REPORT_COVERAGE_NEXT_H
#define REPORT_COVERAGE_NEXT_H

#include "coverage/next.h"
#include "report/coverage/text_p.h"
#include "report/write/json.h"

#define NEXT_SHOWN 10         /* on a screen */
#define NEXT_WRITTEN 40       /* for programs */

/* What the first act covers, or NULL: nothing is known, and nothing is shown. */
const struct reason *cov_show_next(struct cov_text *t);
/* The value of "next". */
void cov_json_next(struct json *j, const struct coverage *c);
void cov_json_refuted(struct json *j, const struct coverage *c);      /* of "refuted": how many, by why */

#endif
