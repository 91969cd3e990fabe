/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700      /* realpath */
#include "base/sys/replacefile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"

static bool write_all(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t k = write(fd, p, n);
		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return false;
		p += k;
		n -= (size_t)k;
	}
	return true;
}

/* Written beside the file, then in its place. */
static bool replace(const char *path, struct str bytes, const char *like)
{
	struct strbuf temporary = { 0 };
	struct stat st;

	strbuf_addf(&temporary, "%s.sherd-XXXXXX", path);
	int fd = mkstemp(temporary.s);
	bool ok = fd >= 0 && stat(like, &st) == 0 && fchmod(fd, st.st_mode & 07777) == 0 && write_all(fd, bytes.p, bytes.len);
	if (fd >= 0)
		ok = close(fd) == 0 && ok;
	ok = ok && rename(temporary.s, path) == 0;
	int e = errno;
	if (!ok && fd >= 0)
		unlink(temporary.s);
	errno = e;
	strbuf_release(&temporary);
	return ok;
}

bool replacefile(const char *path, struct str bytes, const char *like)
{
	struct stat st;
	bool is_there = stat(path, &st) == 0;

	if (is_there && !S_ISREG(st.st_mode)) {          /* a device would become a file */
		errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
		return false;
	}
	char *real = is_there ? realpath(path, NULL) : NULL;
	bool ok = (real || !is_there) && replace(real ? real : path, bytes, like);
	int e = errno;

	free(real);
	errno = e;
	return ok;
}
