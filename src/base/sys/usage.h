/* SPDX-License-Identifier: Apache-2.0 */
/* usage.h - what the process has taken so far. */
#ifndef BASE_SYS_USAGE_H
#define BASE_SYS_USAGE_H

double cpu_seconds(void);     /* of all its threads */
double wall_seconds(void);    /* since some moment: for differences */
double peak_rss_mb(void);

/* The same of child processes that have ended and were waited for, the largest for memory. */
double children_cpu_seconds(void);
double children_peak_rss_mb(void);

#endif
