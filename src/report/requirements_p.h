/* SPDX-License-Identifier: Apache-2.0 */
/* requirements_p.h - what the writers of requirements and of comparisons share. */
#ifndef REPORT_REQUIREMENTS_P_H
#define REPORT_REQUIREMENTS_P_H

#include "report/json.h"
#include "report/requirements.h"
#include "report/screen.h"

#define DEFAULT_WIDTH 100
#define MIN_WIDTH 60

static inline uint32_t screen_width(const struct report_head *head)
{
	uint32_t w = head->width ? head->width : DEFAULT_WIDTH;

	return w < MIN_WIDTH ? MIN_WIDTH : w;
}

/* Columns that the text takes: one a character. */
static inline uint32_t text_columns(struct str t)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < t.len; i++)
		n += ((unsigned char)t.p[i] & 0xc0) != 0x80;
	return n;
}

/* A sum over the polymorphic sites, for each of them; 0 where there is none. */
static inline double per_site(const struct req_stats *s, uint64_t sum)
{
	return s->poly_sites ? (double)sum / (double)s->poly_sites : 0;
}

/* "key": 1.2500 */
void json_number(struct json *j, const char *key, double value, int decimals);
/* The keys that say what was asked. `component` may be NULL. */
void json_request(struct json *j, const struct requirements_head *head, const char *component);

/* A row of a screen's head that says what was asked, cut at its start when it is wider than the screen; nothing for
 * NULL. */
void show_asked(const struct screen_out *s, uint32_t width, const char *label, const char *value);

#endif
