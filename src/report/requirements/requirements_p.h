/* SPDX-License-Identifier: Apache-2.0 */
/* requirements_p.h - what the writers of requirements and of comparisons share. */
#ifndef REPORT_REQUIREMENTS_REQUIREMENTS_P_H
#define REPORT_REQUIREMENTS_REQUIREMENTS_P_H

#include "report/java/names.h"
#include "report/write/json.h"
#include "report/requirements/requirements.h"
#include "report/write/screen.h"

#define DEFAULT_WIDTH 100
#define MIN_WIDTH 60

static inline uint32_t screen_width(const struct report_head *head)
{
	uint32_t w = head->width ? head->width : DEFAULT_WIDTH;

	return w < MIN_WIDTH ? MIN_WIDTH : w;
}

/* "key": 1.2500 */
void json_number(struct json *j, const char *key, double value, int decimals);
/* The keys that say what was asked. `component` may be NULL. */
void json_request(struct json *j, const struct requirements_head *head, const char *component);

#endif
