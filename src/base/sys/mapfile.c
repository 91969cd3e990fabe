/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "base/sys/mapfile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool mapfile_open(struct mapfile *m, const char *path)
{
	struct stat st;

	*m = (struct mapfile){ { NULL, 0 } };
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	int err = fstat(fd, &st) != 0 ? errno : !S_ISREG(st.st_mode) ? EINVAL : 0;
	if (!err && st.st_size > 0) {
		void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (p == MAP_FAILED)
			err = errno;
		else
			m->bytes = (struct span){ p, (size_t)st.st_size };
	}
	close(fd);
	errno = err;
	return err == 0;
}

const char *mapfile_why(void)
{
	return errno == EINVAL ? "not a regular file" : strerror(errno);
}

void mapfile_close(struct mapfile *m)
{
	if (m->bytes.p)
		munmap((void *)(uintptr_t)m->bytes.p, m->bytes.len);
	*m = (struct mapfile){ { NULL, 0 } };
}
