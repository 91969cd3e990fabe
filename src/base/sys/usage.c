/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700
#include "base/sys/usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static double seconds_of(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

double cpu_seconds(void)
{
	return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

double wall_seconds(void)
{
	return seconds_of(CLOCK_MONOTONIC);
}

/* VmHWM is of this program alone; ru_maxrss also remembers the process that started it. */
double peak_rss_mb(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	struct rusage r;
	char line[256];
	long kb = 0;

	while (f && !kb && fgets(line, sizeof(line), f))
		if (strncmp(line, "VmHWM:", 6) == 0)
			kb = atol(line + 6);
	if (f)
		fclose(f);
	if (!kb && getrusage(RUSAGE_SELF, &r) == 0)
		kb = r.ru_maxrss;
	return (double)kb / 1024.0;
}

static double seconds_in(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

double children_cpu_seconds(void)
{
	struct rusage r = { 0 };

	getrusage(RUSAGE_CHILDREN, &r);
	return seconds_in(r.ru_utime) + seconds_in(r.ru_stime);
}

double children_peak_rss_mb(void)
{
	struct rusage r = { 0 };

	getrusage(RUSAGE_CHILDREN, &r);
	return (double)r.ru_maxrss / 1024.0;
}
