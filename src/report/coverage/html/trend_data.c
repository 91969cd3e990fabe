/* SPDX-License-Identifier: Apache-2.0 */
/* trend_data.c - figures of older results beside those of this one. */
#include "report/coverage/html/html_p.h"

static void write_point(struct html_data *d, const struct coverage_past *past)
{
	json_break(&d->j);
	json_object(&d->j);
	json_key(&d->j, "name"), html_write_text(d, past->name);
	json_key(&d->j, "start"), json_uint(&d->j, past->start);
	json_key(&d->j, "figures"), json_array(&d->j);
	for (uint32_t k = 0; k < CRITERIA; k++) {
		bool has = past->criteria & cov_criteria[k].bit;
		if (!criterion_in(d->c->plan, k))
			continue;
		json_uint(&d->j, has ? past->of[k].required : 0), json_uint(&d->j, has ? past->of[k].covered : 0);
	}
	json_end_array(&d->j);
	json_end_object(&d->j);
}

void html_write_trend(struct html_data *d)
{
	struct coverage_past now = coverage_past(d->c, str_of(d->head->result ? d->head->result : ""));

	if (!d->head->npast)
		return;
	json_break(&d->j);
	json_key(&d->j, "trend"), json_array(&d->j);
	for (uint32_t i = 0; i < d->head->npast; i++)
		write_point(d, &d->head->past[i]);
	write_point(d, &now);
	json_end_array(&d->j);
}
