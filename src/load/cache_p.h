/* SPDX-License-Identifier: Apache-2.0 */
/* cache_p.h - the file: header, records, index, five tables, text; each part starts at a multiple of 8.
 * Numbers have the machine's byte order, so that the mapped file is used as it is. */
#ifndef LOAD_CACHE_P_H
#define LOAD_CACHE_P_H

#include "base/sys/mapfile.h"
#include "load/cache.h"

#define CACHE_MAGIC 0x736865726463a55au

enum cache_table {
	TABLE_STRING,         /* offset in the text, length */
	TABLE_CLASS,          /* string, 0 */
	TABLE_SEL,            /* string, string: name and descriptor */
	TABLE_MREF,           /* class, selector * 2 + is_interface */
	TABLE_FREF,           /* class, selector */
	TABLES
};
struct cache_row {
	uint32_t a, b;        /* row 0 of every table is 0, 0: the empty string and what is named by it */
};

enum cache_part { PART_RECORDS, PART_INDEX, PART_TABLE, PART_TEXT = PART_TABLE + TABLES, PARTS };

struct cache_header {
	uint64_t magic;
	uint64_t key;         /* of the artifact, and of the sources of sherd that made the file */
	uint64_t sizes[PARTS];    /* in bytes */
	uint64_t check;       /* of index, tables and text */
	uint64_t self_check;  /* of all above */
};

/* A class. The index maps entries to offsets of records, in units of 8 bytes and plus 1; 0: none. */
struct cache_record {
	uint64_t check;       /* of all that follows */
	uint32_t size;        /* of the whole record, with the arrays, in this order: */
	uint32_t stmts;       /* cache_stmt */
	uint16_t methods;     /* cache_method */
	uint16_t fields;      /* cache_field */
	uint16_t interfaces;  /* uint32_t: rows of classes */
	uint16_t nest_members;    /* uint32_t: rows of strings, because they are no use of a class */
	uint32_t self, super, outer, nest_host;     /* rows of classes, as in struct ir_class */
	uint16_t flags;
	uint8_t is_record, is_sealed;
	uint16_t inner_flags;
	uint8_t is_generic, pad;
};
struct cache_stmt {
	uint8_t op, sub;
	uint16_t pc;
	uint32_t ref;         /* a row of the table that belongs to op; see stmt_table */
};
struct cache_method {
	uint32_t sel;
	uint16_t flags;
	uint16_t code;        /* enum cache_code */
	uint32_t first, n;    /* CACHE_OUTLINE: statements */
};
struct cache_field {
	uint32_t sel;
	uint16_t flags, pad;
};

struct cache_class {          /* what is known of a loaded class */
	const struct cache_record *record;    /* NULL: not in the file */
	const struct unit *unit;              /* learnt in this run */
	uint32_t entry;
};
struct cache_learnt {
	uint32_t first, n;    /* in `stmts` */
};

struct cache {
	struct program *p;
	char *dir, *path;
	uint64_t key;
	uint32_t entries;
	struct mapfile map;
	struct span parts[PARTS];             /* of the mapped file; empty when there is none */
	uint32_t rows[TABLES];
	uint32_t *ids[TABLES];                /* by row: the program's id; 0: not yet */
	bool damaged;
	VEC(struct cache_class) classes;      /* by class id */
	VEC(uint32_t) outline_of;             /* by method id: row of `learnt` + 1 */
	VEC(struct cache_learnt) learnt;
	VEC(struct cache_stmt) stmts;         /* learnt; refs are ids of the program */
	uint32_t news;                        /* classes and outlines learnt */
};

/* The table that the ref of a statement is a row of; TABLES: none, it stays as it is. False: not cacheable. */
bool stmt_table(unsigned op, unsigned sub, enum cache_table *t);

/* cache.c */
uint64_t cache_hash(const void *p, size_t n);
void cache_damaged(struct cache *k);          /* reports once; from now on no class is found */
/* Takes `bytes` as the file; false when they are damaged. A file with another key is left aside: it was made
 * by another sherd, or for another release. */
bool cache_attach(struct cache *k, struct span bytes);
/* Writes through a temporary file in the folder of the cache, which is made if need be. */
bool cache_replace(struct cache *k, const char *path, bool (*write)(void *ctx, int fd), void *ctx);

/* cache_read.c */
const struct cache_record *cache_record_at(const struct cache *k, uint32_t entry);   /* unchecked; NULL: none */
struct cache_class *cache_class_at(struct cache *k, class_id c);
static inline const struct cache_stmt *record_stmts(const struct cache_record *r)
{
	return (const struct cache_stmt *)(r + 1);
}
static inline const struct cache_method *record_methods(const struct cache_record *r)
{
	return (const struct cache_method *)(record_stmts(r) + r->stmts);
}
static inline const struct cache_field *record_fields(const struct cache_record *r)
{
	return (const struct cache_field *)(record_methods(r) + r->methods);
}
static inline const uint32_t *record_interfaces(const struct cache_record *r)
{
	return (const uint32_t *)(record_fields(r) + r->fields);
}
static inline const uint32_t *record_nest_members(const struct cache_record *r)
{
	return record_interfaces(r) + r->interfaces;
}

#endif
