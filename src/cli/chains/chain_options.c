/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/chains/chain_options.h"

#define MOST_STATES 50000000

struct chains_request chain_request(const struct chain_options *o)
{
	return (struct chains_request){ .granularity = (enum chain_granularity)o->granularity, .backedges = o->recursion != 0,
					.from_main = o->length != 0, .k = (uint32_t)o->k, .levels = o->levels, .from = o->from,
					.through = o->through.data, .nthrough = o->through.len, .not_through = o->not_through,
					.most_states = MOST_STATES, .prunes = o->prune == 0, .assertions = o->assertions };
}
