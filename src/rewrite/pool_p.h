/* SPDX-License-Identifier: Apache-2.0 */
/* pool_p.h - what the writer of class files asks of a pool; private to this folder. */
#ifndef REWRITE_POOL_P_H
#define REWRITE_POOL_P_H

#include "rewrite/rewrite.h"

uint16_t pool_count(const struct pool *p);       /* the new constant_pool_count */
uint16_t pool_text(struct pool *p, struct str s);        /* a Utf8 entry; 0: the pool is full */
struct span pool_added(const struct pool *p);    /* the entries that are new */
/* One past the constant pool of a file. */
uint32_t pool_end(const struct classfile *cf);

#endif
