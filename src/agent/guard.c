/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/guard.h"

#include <setjmp.h>

#include "agent/agent_p.h"
#include "agent/say.h"

struct guard {
	jmp_buf back;
	struct guard *outer;
};

/* In the part of thread memory that is there from the start: another model would need a library besides libc. */
static __thread struct guard *innermost __attribute__((tls_model("initial-exec")));

static void leave(size_t size)
{
	(void)size;
	if (innermost)
		longjmp(innermost->back, 1);
}

void guard_init(void)
{
	mem_on_exhausted(leave);
}

/* This thread may hold locks or not; giving back what it does not hold is an error without effect. */
static void give_back(jrawMonitorID lock)
{
	for (int i = 0; lock && i < 8; i++)
		if ((*agent.ti)->RawMonitorExit(agent.ti, lock))
			return;
}

static void stop(void)
{
	if (!agent_is(&agent.is_closed))
		say("out of memory: it stops recording, the program runs on");
	agent_set(&agent.is_closed);
	if (agent.ti) {
		give_back(agent.lock);
		give_back(agent.io);
	}
}

bool guarded(void (*fn)(void *ctx), void *ctx)
{
	struct guard g = { .outer = innermost };
	volatile bool ok = false;

	if (!setjmp(g.back)) {
		innermost = &g;
		fn(ctx);
		ok = true;
	}
	innermost = g.outer;
	if (!ok)
		stop();
	return ok;
}
