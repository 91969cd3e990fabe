/* SPDX-License-Identifier: Apache-2.0 */
#include "session/driver.h"

/* Rows require only earlier ones: one pass from the last to the first finds all. */
static uint64_t all_missing(const struct driver *d, enum analysis_id wanted)
{
	uint64_t all = NEEDS(wanted) & ~d->done;

	for (enum analysis_id k = ANALYSES; k-- > 0;)
		if (all & NEEDS(k))
			all |= analyses[k].requires & ~d->done;
	return all;
}

bool driver_need(struct driver *d, enum analysis_id wanted)
{
	uint64_t all = all_missing(d, wanted);

	for (enum analysis_id k = 0; k < ANALYSES; k++) {
		if (!(all & NEEDS(k)) || !d->steps[k])
			continue;
		bool ok = d->steps[k](d->subject);
		inquiry_phase(d->inquiry, analyses[k].phase);
		if (!ok)
			return false;
		d->done |= NEEDS(k);
	}
	return true;
}

void driver_skip(struct driver *d, enum analysis_id row)
{
	d->done |= NEEDS(row);
}

void driver_forget(struct driver *d, enum analysis_id row)
{
	uint64_t gone = NEEDS(row);

	for (enum analysis_id k = 0; k < ANALYSES; k++)
		if (analyses[k].requires & gone)
			gone |= NEEDS(k);
	d->done &= ~gone;
}
