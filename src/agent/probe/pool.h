/* SPDX-License-Identifier: Apache-2.0 */
/* pool.h - the constant pool of a loaded class. */
#ifndef AGENT_PROBE_POOL_H
#define AGENT_PROBE_POOL_H

#include <jni.h>

#include "base/span.h"

struct live_pool {
	unsigned char *bytes;         /* as JVMTI returns them: entries from 1 on, without their count */
	struct span *entries;         /* by index; empty: none here */
	uint32_t count;
};
struct live_ref {
	struct str owner, name, desc; /* owner: internal name */
};

/* False when the JVM does not give it. */
bool live_pool_get(jclass c, struct live_pool *p);
void live_pool_release(struct live_pool *p);

/* The next Methodref or InterfaceMethodref behind index *at, which starts at 0. */
bool live_pool_next_method(const struct live_pool *p, uint32_t *at, struct live_ref *out);
/* The Methodref or InterfaceMethodref at an index; false: there is none. */
bool live_pool_method(const struct live_pool *p, uint32_t index, struct live_ref *out);

#endif
