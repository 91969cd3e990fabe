/* SPDX-License-Identifier: Apache-2.0 */
/* cache.c - where the files are, whose they are, and whether they are sound. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "load/cache_p.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t cache_hash(const void *p, size_t n)
{
	return XXH3_64bits(p, n);
}

void cache_damaged(struct cache *k)
{
	if (!k->damaged)
		diag_add(k->p->diag, DIAG_W043, k->path, STR(""), DIAG_NO_OFFSET,
			 "the cached index of the JDK is damaged; it is not used, and will be replaced");
	k->damaged = true;
}

/* The key: what the artifact holds, and what we make of it */

struct stamp {
	uint64_t dev, ino, size, sec, nsec;
};
/* A file of its own for each path remembers the hash of the content, because reading an image takes longer than
 * the analysis. */
struct known {
	struct stamp stamp;
	uint64_t hash;
	uint64_t check;       /* of all above */
};

/* By read(): mapped pages would count as memory of the run. */
static bool hash_file(int fd, uint64_t *hash)
{
	size_t size = 1 << 18;
	char *buffer = mem_alloc(size);
	XXH3_state_t *state = XXH3_createState();
	ssize_t n = -1;

	if (state && XXH3_64bits_reset(state) == XXH_OK)
		while ((n = read(fd, buffer, size)) > 0)
			XXH3_64bits_update(state, buffer, (size_t)n);
	*hash = n == 0 ? XXH3_64bits_digest(state) : 0;
	XXH3_freeState(state);
	free(buffer);
	return n == 0;
}

static bool stamp_of(int fd, struct stamp *s)
{
	struct stat st;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	*s = (struct stamp){ (uint64_t)st.st_dev, (uint64_t)st.st_ino, (uint64_t)st.st_size, (uint64_t)st.st_mtim.tv_sec,
			     (uint64_t)st.st_mtim.tv_nsec };
	return true;
}

static bool read_known(const char *path, struct known *known)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool ok = fd >= 0 && read(fd, known, sizeof(*known)) == (ssize_t)sizeof(*known) &&
		  cache_hash(known, offsetof(struct known, check)) == known->check;

	if (fd >= 0)
		close(fd);
	return ok;
}

static bool write_known(void *known, int fd)
{
	return write(fd, known, sizeof(struct known)) == (ssize_t)sizeof(struct known);
}

static bool content_hash(struct cache *k, const char *artifact, uint64_t *hash)
{
	struct strbuf path = { 0 };
	struct known known = { 0 };
	struct stamp now;
	int fd = open(artifact, O_RDONLY | O_CLOEXEC);
	bool ok = fd >= 0 && stamp_of(fd, &now);

	strbuf_addf(&path, "%s/%016llx.stat", k->dir, (unsigned long long)cache_hash(artifact, strlen(artifact)));
	if (ok && !(read_known(path.s, &known) && memcmp(&known.stamp, &now, sizeof(now)) == 0)) {
		known.stamp = now;
		ok = hash_file(fd, &known.hash);
		known.check = cache_hash(&known, offsetof(struct known, check));
		if (ok)
			cache_replace(k, path.s, write_known, &known);
	}
	if (fd >= 0)
		close(fd);
	strbuf_release(&path);
	*hash = known.hash;
	return ok;
}

/* The build gives a checksum of the sources that decide what is in the file, CACHE_SOURCES. */
#ifndef CACHE_SOURCES
#define CACHE_SOURCES 0
#endif
static uint64_t key_of(uint64_t content, int release, uint32_t entries)
{
	uint64_t parts[] = { CACHE_SOURCES, content, (uint64_t)release, entries };

	return cache_hash(parts, sizeof(parts));
}

/* Folder */

static char *find_dir(void)
{
	const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	struct strbuf dir = { 0 };

	if (base && base[0] == '/')
		strbuf_addf(&dir, "%s/sherd", base);
	else if (home && home[0] == '/')
		strbuf_addf(&dir, "%s/.cache/sherd", home);
	return dir.s;
}

static bool make_dir(char *dir)
{
	for (char *at = dir + 1; (at = strchr(at, '/')) != NULL; at++) {
		*at = 0;
		int failed = mkdir(dir, 0700) != 0 && errno != EEXIST;
		*at = '/';
		if (failed)
			return false;
	}
	return mkdir(dir, 0700) == 0 || errno == EEXIST;
}

bool cache_replace(struct cache *k, const char *path, bool (*write_all)(void *ctx, int fd), void *ctx)
{
	struct strbuf tmp = { 0 };

	strbuf_addf(&tmp, "%s/tmp.XXXXXX", k->dir);
	int fd = make_dir(k->dir) ? mkstemp(tmp.s) : -1;
	bool ok = fd >= 0 && write_all(ctx, fd);
	if (fd >= 0 && close(fd) != 0)
		ok = false;
	if (fd >= 0 && (!ok || rename(tmp.s, path) != 0)) {
		unlink(tmp.s);
		ok = false;
	}
	strbuf_release(&tmp);
	return ok;
}

/* The file */

static bool header_is_sound(const struct cache_header *h)
{
	return h->magic == CACHE_MAGIC && h->self_check == cache_hash(h, offsetof(struct cache_header, self_check));
}

/* Parts follow each other without a gap, but for padding; the file ends with the last one. */
static bool cut(struct span bytes, const struct cache_header *h, struct span *parts)
{
	uint64_t at = sizeof(*h);

	for (int i = 0; i < PARTS; i++) {
		if (h->sizes[i] > UINT32_MAX || at > bytes.len || h->sizes[i] > bytes.len - at)
			return false;
		parts[i] = (struct span){ bytes.p + at, (size_t)h->sizes[i] };
		at += (h->sizes[i] + 7) & ~7ull;
	}
	return at == bytes.len;
}

static bool tables_are_sound(const struct span *parts, struct span bytes, uint64_t check)
{
	const uint8_t *from = parts[PART_INDEX].p;

	for (int t = 0; t < TABLES; t++)
		if (parts[PART_TABLE + t].len < sizeof(struct cache_row))
			return false;
	return cache_hash(from, (size_t)(bytes.p + bytes.len - from)) == check;
}

bool cache_attach(struct cache *k, struct span bytes)
{
	const struct cache_header *h = (const struct cache_header *)(const void *)bytes.p;
	struct span parts[PARTS];

	if (bytes.len < sizeof(*h) || !header_is_sound(h))
		return false;
	if (h->key != k->key)
		return true;
	if (!cut(bytes, h, parts) || !tables_are_sound(parts, bytes, h->check))
		return false;
	memcpy(k->parts, parts, sizeof(parts));
	for (int t = 0; t < TABLES; t++) {
		k->rows[t] = (uint32_t)(parts[PART_TABLE + t].len / sizeof(struct cache_row));
		k->ids[t] = mem_zalloc(k->rows[t] * sizeof(uint32_t));
	}
	return true;
}

static void open_file(struct cache *k, uint64_t content)
{
	struct strbuf path = { 0 };

	k->key = key_of(content, k->p->release, k->entries);
	strbuf_addf(&path, "%s/%016llx.cache", k->dir, (unsigned long long)content);
	k->path = path.s;
	if (mapfile_open(&k->map, k->path)) {
		if (!cache_attach(k, k->map.bytes))
			cache_damaged(k);
	} else if (errno != ENOENT && errno != ENOTDIR && errno != EACCES) {
		cache_damaged(k);
	}
}

struct cache *cache_open(struct program *p, const char *artifact, uint32_t entries)
{
	struct cache *k = mem_zalloc(sizeof(*k));
	uint64_t content;

	k->p = p;
	k->entries = entries;
	k->dir = find_dir();
	if (!k->dir || !content_hash(k, artifact, &content)) {
		cache_free(k);
		return NULL;
	}
	open_file(k, content);
	return k;
}

void cache_free(struct cache *k)
{
	mapfile_close(&k->map);
	for (int t = 0; t < TABLES; t++)
		free(k->ids[t]);
	vec_release(&k->classes);
	vec_release(&k->outline_of);
	vec_release(&k->learnt);
	vec_release(&k->stmts);
	free(k->dir);
	free(k->path);
	free(k);
}
