/* SPDX-License-Identifier: Apache-2.0 */
/* child.h - work that may go wrong beyond repair, in a process of its own.
 *
 * A child is a copy of this process that does one job; all that comes back is what it writes. Whatever it does to its memory, it
 * cannot do to ours; when it crashes, comes to no end, or wants more memory than it may have, nothing but the job is lost. What it
 * wrote is to be read like any other bytes from outside.
 *
 * A child ends when its parent does, by whatever signal. It treats signals as the system does by default, but for those that are
 * ignored, and writes no core file. For processes with one thread. */
#ifndef BASE_SYS_CHILD_H
#define BASE_SYS_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/compiler.h"

struct child {
	long pid;
	int from;                    /* a descriptor: what it writes */
};

enum child_end {
	CHILD_DONE,                  /* the job returned, and all that it wrote was taken */
	CHILD_GAVE_UP,               /* it called child_give_up */
	CHILD_EXHAUSTED,             /* it found no memory */
	CHILD_SLOW,                  /* it used more time than child_limit gave it */
	CHILD_KILLED,                /* from outside, as systems do that have no memory left */
	CHILD_CRASHED                /* anything else */
};

/* Starts a child that calls job(ctx, out) and ends. False: it cannot be started, errno says why. */
bool child_start(struct child *c, void (*job)(void *ctx, FILE *out), void *ctx);
/* Waits for what it writes, n bytes of it. Fewer: these are the last, the child is done, one way or the other. */
size_t child_read(struct child *c, void *buf, size_t n);
/* Waits for its end. A child that is still writing is stopped. */
enum child_end child_wait(struct child *c);

/* In a job, any number of times: from now on, so many seconds of processor time, and so many bytes more than there are now. False:
 * the memory has a tighter limit already, which stays. */
bool child_limit(uint32_t seconds, uint64_t bytes);
/* In a job: the end. What was written is handed over. child_exhausted is also what base/mem.h calls. */
void child_give_up(FILE *out) ATTR_NORETURN;
void child_exhausted(void) ATTR_NORETURN;

#endif
