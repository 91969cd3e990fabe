/* SPDX-License-Identifier: Apache-2.0 */
#include "session/inquiry.h"

#include "base/sys/usage.h"

const char *phase_name(enum phase p)
{
	static const char *const names[] = {
		[PHASE_OPEN] = "open",   [PHASE_HIERARCHY] = "hierarchy", [PHASE_READ] = "read",   [PHASE_MODELS] = "models",
		[PHASE_SOLVE] = "solve", [PHASE_MODREF] = "modref",       [PHASE_WRITE] = "write",
	};

	return names[p];
}

/* Time counts from the start of the process: what came before is part of the first phase. */
void inquiry_init(struct inquiry *q, unsigned phases)
{
	*q = (struct inquiry){ .phases = phases };
	diag_init(&q->diag);
}

void inquiry_release(struct inquiry *q)
{
	diag_release(&q->diag);
}

/* Modules are read by a process of their own, which counts; commands that `sherd cover` runs do not. */
static bool counts_children(const struct inquiry *q)
{
	return q->phases & 1u << PHASE_READ;
}

void inquiry_phase(struct inquiry *q, enum phase done)
{
	double now = cpu_seconds() + (counts_children(q) ? children_cpu_seconds() : 0);

	q->seconds[done] += now - q->since;
	q->since = now;
}

double inquiry_total(const struct inquiry *q)
{
	double sum = 0;

	for (int i = 0; i < PHASES; i++)
		sum += q->seconds[i];
	return sum;
}

void inquiry_tell(struct inquiry *q, const struct inquiry_news *n)
{
	if (q->news)
		q->news(q->news_ctx, n);
}

void inquiry_tell_now(struct inquiry *q, const char *now)
{
	inquiry_tell(q, &(struct inquiry_news){ .now = now });
}

static double peak_of(const struct inquiry *q)
{
	double own = peak_rss_mb(), children = counts_children(q) ? children_peak_rss_mb() : 0;

	return own > children ? own : children;
}

void inquiry_stats(const struct inquiry *q, bool phases, struct stats *out)
{
	stats_object(out, "seconds");
	for (enum phase k = 0; phases && k < PHASES; k++) {
		if (!(q->phases & 1u << k))
			continue;
		stats_real(out, phase_name(k), q->seconds[k], 4);
		stats_show_real(out, phase_name(k), q->seconds[k], 3, "s");
	}
	stats_real(out, "total", inquiry_total(q), 4);
	stats_end_object(out);
	stats_real(out, "peak_rss_mb", peak_of(q), 1);
	stats_show_real(out, "total", inquiry_total(q), 3, "s CPU");
	stats_show_real(out, "peak memory", peak_of(q), 0, "MB");
}
