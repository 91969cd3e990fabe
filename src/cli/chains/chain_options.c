/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/chains/chain_options.h"

#define MOST_STATES 50000000

bool chain_request(const struct chain_options *o, struct filter_file *filter, struct chains_request *out, struct strbuf *err)
{
	if (o->filter && !filter_file_read(o->filter, filter, err))
		return false;
	*out = (struct chains_request){ .granularity = (enum chain_granularity)o->granularity, .backedges = o->recursion != 0,
					.from_main = o->length != 0, .k = o->k ? (uint32_t)o->k : filter->k, .levels = o->levels,
					.from = o->from, .through = o->through.data, .nthrough = o->through.len,
					.not_through = o->not_through, .filters = filter->lines.data,
					.nfilters = filter->lines.len, .most_states = MOST_STATES, .prunes = o->prune == 0,
					.assertions = o->assertions };
	return chains_check(out, err);
}
