/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sys/jobs.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#define CHUNK 32         /* items taken at once */

struct pool {
	_Atomic uint32_t next;
	uint32_t n;
	void (*fn)(void *ctx, unsigned worker, uint32_t item);
	void *ctx;
};

struct worker {
	struct pool *pool;
	unsigned number;
};

unsigned jobs_count(int asked)
{
	long n = asked > 0 ? asked : sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > JOBS_MAX ? JOBS_MAX : (unsigned)n;
}

static void *work(void *arg)
{
	struct worker *w = arg;
	struct pool *p = w->pool;
	uint32_t from;

	while ((from = atomic_fetch_add(&p->next, CHUNK)) < p->n)
		for (uint32_t i = from; i < p->n && i < from + CHUNK; i++)
			p->fn(p->ctx, w->number, i);
	return NULL;
}

void jobs_run(unsigned workers, uint32_t n, void (*fn)(void *ctx, unsigned worker, uint32_t item), void *ctx)
{
	struct pool pool = { .n = n, .fn = fn, .ctx = ctx };
	struct worker w[JOBS_MAX];
	pthread_t threads[JOBS_MAX];
	unsigned started = 1;

	w[0] = (struct worker){ &pool, 0 };
	for (; started < workers && started < JOBS_MAX && started * CHUNK < n; started++) {
		w[started] = (struct worker){ &pool, started };
		if (pthread_create(&threads[started], NULL, work, &w[started]) != 0)
			break;
	}
	work(&w[0]);
	for (unsigned i = 1; i < started; i++)
		pthread_join(threads[i], NULL);
}
