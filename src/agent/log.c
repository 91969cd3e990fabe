/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/log.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "agent/agent_p.h"
#include "agent/new_file.h"
#include "agent/say.h"

static struct {
	int fd;                       /* -1: not open */
	struct strbuf waiting;        /* guarded by the lock */
	struct strbuf writing;        /* guarded by io */
	uint64_t size;
} data = { .fd = -1 };

struct strbuf *log_records(void)
{
	return agent_is(&agent.is_closed) ? NULL : &data.waiting;
}

uint64_t log_size(void)
{
	return data.size + data.waiting.len;
}

/* Empty when the JVM does not know it. */
static struct str property(const char *name)
{
	char *value = NULL;

	if ((*agent.ti)->GetSystemProperty(agent.ti, name, &value) || !value)
		return STR("");
	struct str s = str_of(arena_strdup(&agent.mem, value));
	agent_free(value);
	return s;
}

/* "17.0.15", be it from "17.0.15+6-Debian" */
static struct str jvm_version(void)
{
	struct str s = property("java.version");

	if (!s.len)
		s = property("java.vm.version");
	for (uint32_t i = 0; i < s.len; i++)
		if (s.p[i] == '+' || s.p[i] == '-')
			return str_sub(s, 0, i);
	return s;
}

static void put_run(void)
{
	struct run r = { .plan = agent.plan.id, .start = (uint64_t)time(NULL), .pid = (uint32_t)getpid(),
			 .session = str_of(agent.opt.session), .jvm = jvm_version(), .command = property("sun.java.command") };
	struct strbuf all = { 0 };

	new_file_random(r.id, sizeof(r.id));
	run_put_header(&all);
	run_put_run(&all, &r);
	agent_lock();
	strbuf_add(&all, data.waiting.s, data.waiting.len);    /* classes that were loaded before */
	strbuf_release(&data.waiting);
	data.waiting = all;
	agent_unlock();
}

bool log_open(void)
{
	struct strbuf path = { 0 };

	data.fd = new_file_open(agent.opt.destfile, &path);
	if (data.fd < 0) {
		say("cannot create %s: %s; the program runs without it", path.len ? path.s : "destfile",
		    path.len ? strerror(errno) : "no name");
		agent_set(&agent.is_closed);
	} else {
		put_run();
	}
	strbuf_release(&path);
	return data.fd >= 0;
}

static void take_waiting(void)
{
	struct strbuf empty = data.writing;

	agent_lock();
	data.writing = data.waiting;
	data.waiting = empty;
	data.size += data.writing.len;
	agent_unlock();
}

void log_write(void)
{
	(*agent.ti)->RawMonitorEnter(agent.ti, agent.io);
	take_waiting();
	if (data.fd >= 0 && data.writing.len && !new_file_write(data.fd, data.writing.s, data.writing.len)) {
		say("cannot write the data file: %s; the program runs on, what it does from here on is not recorded",
		    strerror(errno));
		agent_set(&agent.is_closed);
		close(data.fd);
		data.fd = -1;
	}
	strbuf_clear(&data.writing);
	(*agent.ti)->RawMonitorExit(agent.ti, agent.io);
}

void log_close(void)
{
	agent_lock();
	agent_set(&agent.is_closed);
	agent_unlock();
	log_write();
}
