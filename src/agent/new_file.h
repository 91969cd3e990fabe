/* SPDX-License-Identifier: Apache-2.0 */
/* new_file.h - files that the agent makes: under a name that the options give, never one that is there. */
#ifndef AGENT_NEW_FILE_H
#define AGENT_NEW_FILE_H

#include "base/strbuf.h"

/* Creates the file of a pattern, whose %p is the number of the process and %r random; folders above it, too. Where such a file is
 * there already, the name gets a number: run-12-2.cov. `path` is its name then. -1, with errno set, when it cannot be created;
 * `path` is empty when the pattern names nothing. */
int new_file_open(const char *pattern, struct strbuf *path);
bool new_file_is_device(const char *path);     /* which can be written to, though it exists, and not be replaced */
/* All of it, or false with errno set. */
bool new_file_write(int fd, const char *p, size_t n);

void new_file_random(uint8_t *out, size_t n);

#endif
