/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "agent/options.h"
#include "base/digest.h"

enum { TRIES = 1000 };

void new_file_random(uint8_t *out, size_t n)
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

/* A pattern with %p, %r and, as in other options, %2C and %25 replaced */
static void expand(const char *pattern, struct strbuf *out)
{
	uint8_t r[4];

	for (const char *s = pattern; *s; s++) {
		if (s[0] == '%' && s[1] == 'p') {
			strbuf_addf(out, "%ld", (long)getpid());
			s++;
		} else if (s[0] == '%' && s[1] == 'r') {
			new_file_random(r, sizeof(r));
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
bool new_file_is_device(const char *path)
{
	struct str s = str_of(path);
	uint32_t folder = str_starts(s, "/dev/fd/") ? 8 : str_starts(s, "/dev/") ? 5 : s.len;

	return folder < s.len && !memchr(s.p + folder, '/', s.len - folder);
}

/* Devices can be written to, though they exist. */
static int open_device(const char *path)
{
	int fd = new_file_is_device(path) ? open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC) : -1;

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
		if (fd >= 0 || new_file_is_device(name.s))
			break;
		errno = EEXIST;
	}
	strbuf_clear(path);
	strbuf_adds(path, name.s);
	strbuf_release(&name);
	return fd;
}

int new_file_open(const char *pattern, struct strbuf *path)
{
	expand(pattern, path);
	if (!path->len)
		return -1;
	make_folders(path->s);
	return create(path);
}

bool new_file_write(int fd, const char *p, size_t n)
{
	while (n > 0) {
		ssize_t done = write(fd, p, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		p += done;
		n -= (size_t)done;
	}
	return true;
}
