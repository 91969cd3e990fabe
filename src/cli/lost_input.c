/* SPDX-License-Identifier: Apache-2.0 */
/* lost_input.c - what is mapped at an address is asked of the system, /proc/self/maps, so nobody has to keep a list of mappings
 * that a signal handler may read. Only async-signal-safe functions are called. */
#include "cli/lost_input.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text/utf8.h"
#include "cli/options.h"
#include "cli/output.h"

/* Lines of a file, without allocation. */
struct lines {
	int fd;
	char buf[4096];
	ssize_t len, at;
};

static int next_byte(struct lines *in)
{
	if (in->at == in->len) {
		in->at = 0;
		in->len = read(in->fd, in->buf, sizeof(in->buf));
		if (in->len <= 0)
			return -1;
	}
	return (unsigned char)in->buf[in->at++];
}

/* False at the end. What is longer than `size` is cut. */
static bool next_line(struct lines *in, char *line, size_t size)
{
	size_t n = 0;
	int c;

	while ((c = next_byte(in)) >= 0 && c != '\n')
		if (n + 1 < size)
			line[n++] = (char)c;
	line[n] = 0;
	return n > 0;
}

static uintptr_t take_hex(const char **at)
{
	uintptr_t n = 0;

	for (;; ++*at) {
		char c = **at;
		int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
		if (digit < 0)
			return n;
		n = n << 4 | (uintptr_t)digit;
	}
}

/* "7f12a000-7f12c000 r--p 00001000 08:01 1234   /a/file": the file mapped at the address, and where in it that is; NULL: none */
static const char *file_at(const char *line, uintptr_t address, uintptr_t *offset)
{
	const char *at = line;
	uintptr_t from = take_hex(&at);
	uintptr_t to = *at == '-' ? (at++, take_hex(&at)) : 0;

	if (address < from || address >= to || strncmp(at, " r--p ", 6) != 0)
		return NULL;
	at += 6;
	*offset = take_hex(&at) + (address - from);
	return strchr(at, '/');
}

/* The path and whether the file ends before the address; NULL: no file is mapped there. */
static const char *lost_file(uintptr_t address, char *line, size_t size, bool *is_shorter)
{
	struct lines in = { .fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC) };
	const char *file = NULL;
	uintptr_t offset = 0;
	struct stat st;

	while (!file && in.fd >= 0 && next_line(&in, line, size))
		file = file_at(line, address, &offset);
	if (in.fd >= 0)
		close(in.fd);
	*is_shorter = file && (stat(file, &st) != 0 || (uintptr_t)st.st_size <= offset);
	return file;
}

static void on_bus_error(int sig, siginfo_t *info, void *context)
{
	char line[PATH_MAX + 128], sentence[PATH_MAX + 256] = "sherd: error: ";
	bool is_shorter;
	const char *file = lost_file((uintptr_t)info->si_addr, line, sizeof(line), &is_shorter);

	(void)context;
	if (!file) {
		raise(sig);          /* a bug of ours: SA_RESETHAND restored the default action */
		return;
	}
	size_t n = strlen(sentence), length = strlen(file);
	memcpy(sentence + n, file, length);
	n += utf8_tame(sentence + n, length);
	strcpy(sentence + n, is_shorter ? ": became shorter while it was read; run again when nothing writes to it\n"
					: ": could not be read on; run again when the disk or network it is on works\n");
	end_early(sentence, EXIT_UNSERVED);
}

void lost_input_watch(void)
{
	struct sigaction a = { .sa_sigaction = on_bus_error, .sa_flags = (int)(SA_SIGINFO | SA_RESETHAND) };

	sigemptyset(&a.sa_mask);
	sigaction(SIGBUS, &a, NULL);
}
