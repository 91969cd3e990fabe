/* SPDX-License-Identifier: Apache-2.0 */
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
bool replacefile(const char *path, struct str bytes, const char *like)
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
