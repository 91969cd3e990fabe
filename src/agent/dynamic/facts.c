/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/dynamic/facts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "agent/agent_p.h"
#include "agent/new_file.h"
#include "agent/say.h"
#include "formats/dynamic/dynamic.h"

enum { MOST_FACTS = 1 << 20, LARGE_SHIFT = 20 };      /* of a file: so many MB, so many seconds without another one */

static struct {
	bool is_open;                 /* guarded by the lock, as the facts are */
	struct dynamic_facts facts;
	uint64_t notes;               /* that were added */
	uint64_t written;             /* that the file has; guarded by io, as what follows */
	size_t pause;                 /* ticks that pass without writing */
	struct strbuf path;
	int device;                   /* what cannot be replaced is written to once, at the end; -1: a file */
} record = { .device = -1 };

bool facts_is_open(void)
{
	return record.is_open;
}

bool facts_open(void)
{
	int fd = new_file_open(agent.opt.dynamic, &record.path);

	if (fd < 0) {
		say("cannot create %s: %s; what dynamic features do is not recorded", record.path.len ? record.path.s : "dynamic",
		    record.path.len ? strerror(errno) : "no name");
		return false;
	}
	if (new_file_is_device(record.path.s))
		record.device = fd;
	else
		close(fd);
	agent_lock();
	record.is_open = true;
	agent_unlock();
	return true;
}

void facts_add(const char *kind, struct str target, struct str caller, uint32_t line)
{
	if (dynamic_len(&record.facts) >= MOST_FACTS) {
		say("dynamic features did more than %d different things: what comes now is not recorded", (int)MOST_FACTS);
		record.is_open = false;
		return;
	}
	dynamic_add(&record.facts, kind, target, caller, line, 1);
	record.notes++;
}

/* Beside the file, then in its place. */
static bool replace_file(const struct strbuf *bytes)
{
	struct strbuf part = { 0 };

	strbuf_addf(&part, "%s.part", record.path.s);
	unlink(part.s);
	int fd = open(part.s, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	bool ok = fd >= 0 && new_file_write(fd, bytes->s, bytes->len);
	if (fd >= 0)
		ok &= close(fd) == 0;
	ok = ok && rename(part.s, record.path.s) == 0;
	int error = errno;
	if (!ok && fd >= 0)
		unlink(part.s);
	strbuf_release(&part);
	errno = error;
	return ok;
}

static void stop(void)
{
	say("cannot write %s: %s; the program runs on, what dynamic features do is not recorded", record.path.s, strerror(errno));
	agent_lock();
	record.is_open = false;
	agent_unlock();
	strbuf_clear(&record.path);
}

static struct strbuf take_bytes(void)
{
	struct strbuf bytes = { 0 };

	agent_lock();
	record.written = record.notes;
	dynamic_write(&record.facts, &bytes);
	agent_unlock();
	return bytes;
}

static bool is_due(void)
{
	if (record.device >= 0 || (record.pause && record.pause--))
		return false;
	agent_lock();
	bool is = record.notes != record.written;
	agent_unlock();
	return is;
}

/* Hold io. */
static void write_record(bool is_end)
{
	if (!record.path.len || (!is_end && !is_due()))
		return;
	struct strbuf bytes = take_bytes();
	record.pause = bytes.len >> LARGE_SHIFT;
	if (!(record.device >= 0 ? new_file_write(record.device, bytes.s, bytes.len) : replace_file(&bytes)))
		stop();
	strbuf_release(&bytes);
}

void facts_tick(void)
{
	(*agent.ti)->RawMonitorEnter(agent.ti, agent.io);
	write_record(false);
	(*agent.ti)->RawMonitorExit(agent.ti, agent.io);
}

void facts_close(void)
{
	agent_lock();
	record.is_open = false;
	agent_unlock();
	(*agent.ti)->RawMonitorEnter(agent.ti, agent.io);
	write_record(true);
	(*agent.ti)->RawMonitorExit(agent.ti, agent.io);
}
