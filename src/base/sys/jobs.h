/* SPDX-License-Identifier: Apache-2.0 */
/* jobs.h - independent work on several threads. Results must not depend on who does what: items write to
 * places of their own, and whatever has an order is put together afterwards by one thread. */
#ifndef BASE_SYS_JOBS_H
#define BASE_SYS_JOBS_H

#include <stdint.h>

#define JOBS_MAX 64

unsigned jobs_count(int asked);        /* 0: one for each processor; never more than JOBS_MAX */

/* Calls fn(ctx, worker, item) for every item below n, on `workers` threads (numbered from 0; the calling one is among
 * them), and returns when all are done. When threads cannot be started, fewer do the work. */
void jobs_run(unsigned workers, uint32_t n, void (*fn)(void *ctx, unsigned worker, uint32_t item), void *ctx);

#endif
