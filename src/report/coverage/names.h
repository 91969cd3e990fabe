/* SPDX-License-Identifier: Apache-2.0 */
/* names.h - the names of what a plan has, and words for programs. None of them is escaped. */
#ifndef REPORT_COVERAGE_NAMES_H
#define REPORT_COVERAGE_NAMES_H

#include "coverage/coverage.h"

void cov_add_method(const struct coverage *c, uint32_t method, struct strbuf *out);       /* p.C.m(I)V */
void cov_add_site(const struct coverage *c, const struct cov_site *s, struct strbuf *out);        /* p.C.m(I)V@12 */
void cov_add_declared(const struct plan_site *p, struct strbuf *out);          /* q.D.run(I)V */
/* The target of a call in a class: q.D.run(I)V for the item q.D. */
void cov_add_target(const struct plan_site *p, struct str class, struct strbuf *out);

/* A requirement as programs read it: q.D of a receiver class, q.D.run(I)V of a target. */
void cov_add_item(uint32_t criterion, const struct plan_site *p, struct str name, struct strbuf *out);

/* Where an unexpected receiver comes from, as a word for programs. */
const char *cov_origin_word(enum cov_origin o);
const char *cov_state_word(enum cov_state s);

#endif
