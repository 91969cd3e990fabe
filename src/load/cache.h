/* SPDX-License-Identifier: Apache-2.0 */
/* cache.h - what earlier runs found out about an artifact of the JDK: class headers, members and outlines.
 *
 * One file for each content of an artifact, in $XDG_CACHE_HOME/sherd (default ~/.cache/sherd). Everything in
 * it is numbered by rows of the file's own tables; a row gets its id of the program when it is first used.
 * A class of the cache is loaded without its class file, which is parsed later if something asks for it.
 * Nothing here can fail a run: a file that is damaged is reported (W043), left alone and replaced. */
#ifndef LOAD_CACHE_H
#define LOAD_CACHE_H

#include "load/loader.h"

struct cache;

/* The cache of an artifact of `entries` entries. NULL when there is no place for one or the artifact cannot
 * be read. `release` is part of what is cached: it decides which entries an archive shows. */
struct cache *cache_open(struct program *p, const char *artifact, uint32_t entries);
void cache_free(struct cache *k);

/* Fills in class `c`, found at `entry`, as the loader does from a class file; false: it is not in the cache. */
bool cache_load(struct cache *k, class_id c, uint32_t entry);

/* Is there a record of the entry? Nothing is looked at or changed: any thread may ask. */
bool cache_has(const struct cache *k, uint32_t entry);

enum cache_code {
	CACHE_UNKNOWN,        /* ask the class file */
	CACHE_NO_CODE,
	CACHE_OUTLINE,        /* *body is the outline, in `mem` */
};
enum cache_code cache_outline(struct cache *k, method_id m, struct arena *mem, struct ir_body *body);

/* Does loaded class `host` name `c` as a member of its nest? False: ask the class file. */
bool cache_nest(struct cache *k, class_id host, class_id c, bool *listed);

/* What this run found out. A class that drew a diagnostic must not be learnt: the next run must say it, too.
 * The unit stays borrowed until cache_save(). Outlines with synthetic classes in them are passed over. */
void cache_learn_class(struct cache *k, class_id c, uint32_t entry, const struct unit *u);
void cache_learn_outline(struct cache *k, method_id m, const struct ir_body *outline);

/* Replaces the file if enough was learnt to be worth it. The program must still be there. Readers of the old
 * file are not disturbed; of several writers the last one wins. */
void cache_save(struct cache *k);

#endif
