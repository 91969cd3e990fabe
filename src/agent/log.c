/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/log.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "agent/agent_p.h"
#include "agent/say.h"
#include "base/digest.h"

enum { TRIES = 1000 };

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

static void random_bytes(uint8_t *out, size_t n)
{
	int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, out, n);

	if (fd >= 0)
		close(fd);
	if (got == (ssize_t)n)
		return;
	struct { struct timespec now; pid_t pid; const void *place; } seed;       /* no such device: what tells runs apart */
	memset(&seed, 0, sizeof(seed));
	clock_gettime(CLOCK_REALTIME, &seed.now);
	seed.pid = getpid();
	seed.place = &seed;
	uint64_t d = DIGEST_START;
	for (size_t i = 0; i < n; i++) {
		d = digest_add(d, &seed, sizeof(seed));
		out[i] = (uint8_t)(d >> 32);
	}
}

/* destfile with %p, %r and, as in other options, %2C and %25 replaced */
static void expand(const char *pattern, struct strbuf *out)
{
	uint8_t r[4];

	for (const char *s = pattern; *s; s++) {
		if (s[0] == '%' && s[1] == 'p') {
			strbuf_addf(out, "%ld", (long)getpid());
			s++;
		} else if (s[0] == '%' && s[1] == 'r') {
			random_bytes(r, sizeof(r));
			strbuf_addf(out, "%02x%02x%02x%02x", r[0], r[1], r[2], r[3]);
			s++;
		} else {
			strbuf_addch(out, options_char(&s));
		}
	}
}

static void make_folders(char *path)
{
	for (char *s = path + 1; *s; s++) {
		if (*s != '/')
			continue;
		*s = 0;
		mkdir(path, 0777);            /* what is wrong shows when the file is opened */
		*s = '/';
	}
}

/* p/run-12.cov, then p/run-12-2.cov, ... */
static void numbered(const char *path, int number, struct strbuf *out)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
	size_t stem = dot && dot > (slash ? slash + 1 : path) ? (size_t)(dot - path) : strlen(path);

	strbuf_clear(out);
	strbuf_add(out, path, stem);
	if (number > 1)
		strbuf_addf(out, "-%d", number);
	strbuf_adds(out, path + stem);
}

/* /dev/null, /dev/fd/2: in these folders only the system puts things. In others below /dev, as /dev/shm, everybody may: what is
 * there is no device, but somebody's file, link or pipe. */
static bool is_device(const char *path)
{
	struct str s = str_of(path);
	uint32_t folder = str_starts(s, "/dev/fd/") ? 8 : str_starts(s, "/dev/") ? 5 : s.len;

	return folder < s.len && !memchr(s.p + folder, '/', s.len - folder);
}

/* Devices can be written to, though they exist. */
static int open_device(const char *path)
{
	int fd = is_device(path) ? open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC) : -1;

	if (fd >= 0 && lseek(fd, 0, SEEK_END) > 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Never a file that is there. Leaves the name of the file in `path`. */
static int create(struct strbuf *path)
{
	struct strbuf name = { 0 };
	int fd = -1;

	for (int i = 1; i <= TRIES; i++) {
		numbered(path->s, i, &name);
		fd = open(name.s, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd < 0 && errno == EEXIST)
			fd = open_device(name.s);
		else if (fd < 0)
			break;
		if (fd >= 0 || is_device(name.s))
			break;
		errno = EEXIST;
	}
	strbuf_clear(path);
	strbuf_adds(path, name.s);
	strbuf_release(&name);
	return fd;
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

	random_bytes(r.id, sizeof(r.id));
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

	expand(agent.opt.destfile, &path);
	if (path.len)
		make_folders(path.s);
	data.fd = path.len ? create(&path) : -1;
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

static bool write_all(const char *p, size_t n)
{
	while (n > 0) {
		ssize_t done = write(data.fd, p, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		p += done;
		n -= (size_t)done;
	}
	return true;
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
	if (data.fd >= 0 && data.writing.len && !write_all(data.writing.s, data.writing.len)) {
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
