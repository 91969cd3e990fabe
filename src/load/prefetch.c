/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing ahead: before every class is loaded, class files are read and parsed on several threads. Only files
 * without a complaint are kept; the others are read again in order, for their diagnostics. */
#include "load/loader_p.h"

#include <stdlib.h>

#include "base/sys/jobs.h"

struct ahead {
	struct unit **units;               /* by item; NULL: not parsed, or not without a complaint */
	uint32_t *first;                   /* by artifact: its item 0 is entry 1 */
	struct arena *arenas;              /* by worker */
	unsigned workers;
	uint32_t n;
};

/* The artifact of an item: the last one that starts at or before it. */
static uint32_t artifact_of(const struct loader *l, uint32_t item)
{
	uint32_t a = 1;

	while (a + 1 < l->path.archives.len && l->ahead->first[a + 1] <= item)
		a++;
	return a;
}

static void parse_one(void *ctx, unsigned worker, uint32_t item)
{
	struct loader *l = ctx;
	uint32_t artifact = artifact_of(l, item), entry = item - l->ahead->first[artifact] + 1;
	struct archive *a = l->path.archives.data[artifact];
	struct arena *mem = &l->ahead->arenas[worker];
	struct strbuf tmp = { 0 };
	struct diag d;
	struct span bytes;

	if (artifact < l->caches.len && l->caches.data[artifact] && cache_has(l->caches.data[artifact], entry))
		return;
	diag_init(&d);
	struct str name = archive_class_name(a, entry, &tmp);
	struct unit *u = name.len ? arena_new(mem, struct unit) : NULL;
	if (u && archive_read(a, entry, mem, &bytes, &d) &&
	    classfile_parse(&u->cf, bytes, mem, archive_path(a), name, &d) && !d.errors && !d.warnings)
		l->ahead->units[item] = u;
	diag_release(&d);
	strbuf_release(&tmp);
}

void prefetch_all(struct loader *l)
{
	struct ahead *ahead = mem_zalloc(sizeof(*ahead));

	ahead->first = mem_zalloc((l->path.archives.len + 1) * sizeof(*ahead->first));
	for (uint32_t a = 1; a < l->path.archives.len; a++) {
		ahead->first[a] = ahead->n;
		ahead->n += archive_count(l->path.archives.data[a]);
	}
	ahead->workers = l->workers;
	ahead->arenas = mem_zalloc(ahead->workers * sizeof(*ahead->arenas));
	ahead->units = mem_zalloc(ahead->n * sizeof(*ahead->units));
	l->ahead = ahead;
	jobs_run(ahead->workers, ahead->n, parse_one, l);
}

struct unit *prefetched(struct loader *l, struct class_location at)
{
	struct ahead *ahead = l->ahead;

	return ahead ? ahead->units[ahead->first[at.artifact] + at.entry - 1] : NULL;
}

void prefetch_release(struct loader *l)
{
	struct ahead *ahead = l->ahead;

	if (!ahead)
		return;
	for (unsigned i = 0; i < ahead->workers; i++)
		arena_release(&ahead->arenas[i]);
	free(ahead->arenas);
	free(ahead->units);
	free(ahead->first);
	free(ahead);
}
