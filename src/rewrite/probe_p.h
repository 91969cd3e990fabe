/* SPDX-License-Identifier: Apache-2.0 */
/* probe_p.h - what the makers of probes share; private to this folder. */
#ifndef REWRITE_PROBE_P_H
#define REWRITE_PROBE_P_H

#include "rewrite/out_p.h"
#include "rewrite/rewrite.h"

/* Pushes `id` in the shortest way; false when the pool is full. */
bool push_id(struct out *o, struct pool *pool, uint32_t id);

#endif
