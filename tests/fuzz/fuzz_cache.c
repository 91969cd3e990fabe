// SPDX-License-Identifier: Apache-2.0
// links: base algo formats/archive formats/classfile ir load
/* fuzz_cache.c - any bytes as the content of a cache file whose header and checksums are right. The first bytes
 * say how large its parts are, two a part. */
#include <stdlib.h>

#include "../fuzz/cache_seal.h"

#define MAX_PART 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every other record gets the size that its counts say, else hardly one would be met. */
static void fit_records(const struct cache_header *h, uint8_t *file)
{
	const uint32_t *index = (const void *)(file + seal_start(h, PART_INDEX));

	for (size_t e = 0; e < h->sizes[PART_INDEX] / 4; e += 2) {
		uint64_t at = index[e] ? (index[e] - 1ull) * 8 : MAX_PART;
		if (at + sizeof(struct cache_record) > h->sizes[PART_RECORDS])
			continue;
		struct cache_record *r = (void *)(file + sizeof(*h) + at);
		r->size = (uint32_t)(sizeof(*r) + r->stmts * sizeof(struct cache_stmt) + r->methods * sizeof(struct cache_method) +
				     r->fields * sizeof(struct cache_field) + (r->interfaces + r->nest_members) * 4u);
	}
}

static uint8_t *make_file(const uint8_t *data, size_t size, uint64_t key, size_t *len)
{
	struct cache_header h = { .magic = CACHE_MAGIC, .key = key };

	for (size_t i = 0; i < PARTS; i++)
		h.sizes[i] = (size_t)(data[3 * i] << 8 | data[3 * i + 1]) % MAX_PART;
	*len = seal_start(&h, PARTS);
	uint8_t *file = mem_zalloc(*len);
	memcpy(file, &h, sizeof(h));
	size -= 3 * PARTS;
	memcpy(file + sizeof(h), data + 3 * PARTS, size < *len - sizeof(h) ? size : *len - sizeof(h));
	fit_records(&h, file);
	seal_cache(file, *len);
	return file;
}

/* The name that the record at `entry` is found by. */
static struct str name_at(const struct cache *k, uint32_t entry)
{
	const struct cache_record *r = cache_record_at(k, entry);
	const struct cache_row *classes = (const void *)k->parts[PART_TABLE + TABLE_CLASS].p;
	const struct cache_row *strings = (const void *)k->parts[PART_TABLE + TABLE_STRING].p;
	struct span text = k->parts[PART_TEXT];

	if (!r || r->self >= k->rows[TABLE_CLASS] || classes[r->self].a >= k->rows[TABLE_STRING])
		return STR("x");
	struct cache_row s = strings[classes[r->self].a];
	if (s.a > text.len || s.b > text.len - s.a)
		return STR("x");
	return (struct str){ (const char *)text.p + s.a, s.b };
}

static void ask_class(struct cache *k, class_id c)
{
	struct ir_class row = *class_row(k->p, c);
	struct arena mem;
	struct ir_body b;
	bool listed;

	arena_init(&mem);
	for (uint32_t i = 0; i < row.nmethods; i++) {
		enum cache_code code = cache_outline(k, (method_id){ row.first_method + i }, &mem, &b);
		if (code == CACHE_OUTLINE && b.nstmts)
			b.nvalues = b.stmts[b.nstmts - 1].ref;
		arena_clear(&mem);
	}
	cache_nest(k, c, k->p->object, &listed);
	arena_release(&mem);
}

static void ask_everything(struct cache *k)
{
	for (uint32_t e = 0; e < k->parts[PART_INDEX].len / 4; e++) {
		struct str name = name_at(k, e);
		class_id c = program_class(k->p, name.len ? name : STR("x"));
		if (class_row(k->p, c)->kind == CLASS_FILE && class_row(k->p, c)->nmethods == 0 && cache_load(k, c, e))
			ask_class(k, c);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct program p;
	struct diag d;
	struct cache *k = mem_zalloc(sizeof(*k));
	size_t len;

	if (size >= 3 * PARTS) {
		diag_init(&d);
		program_init(&p, &d);
		k->p = &p;
		uint8_t *file = make_file(data, size, k->key, &len);
		if (cache_attach(k, (struct span){ file, len }))
			ask_everything(k);
		free(file);
		program_release(&p);
		diag_release(&d);
	}
	cache_free(k);
	return 0;
}
