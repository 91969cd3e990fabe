/* SPDX-License-Identifier: Apache-2.0 */
/* database.h - an SQLite file that is written once, from nothing: by prepared inserts, one for each kind of row.
 *
 * A failure is kept and its reason told once; what follows does nothing. db_end removes the file then. */
#ifndef REPORT_WRITE_DATABASE_H
#define REPORT_WRITE_DATABASE_H

#include <sqlite3.h>

#include "base/strbuf.h"

#define DB_INSERTS 9             /* the most that a database may have */
#define DB_META 0                /* the insert that db_meta and db_count use, of a key and its value */

struct database {
	sqlite3 *connection;
	sqlite3_stmt *insert[DB_INSERTS];
	bool failed;                  /* nothing more is written; `err` says why */
	const char *path;             /* what the user asked for */
	struct strbuf *err;
};

/* Makes an empty file in the place of a regular one, or of none, and follows no link; false: `err` says why not, and db_end is not called.
 * `path` and `err` stay in place until db_end. */
bool db_create(struct database *db, const char *path, struct strbuf *err);
/* Opens it, runs `setup` and prepares the inserts (NULL: one that is not needed); `setup` begins the
 * transaction. False: only db_end is left to do. */
bool db_begin(struct database *db, const char *setup, const char *const *inserts, uint32_t ninserts);
/* Runs `finish`, which commits, and closes; false: the file is removed. */
bool db_end(struct database *db, const char *finish);

/* Called right after the failure: the next call would overwrite SQLite's message. */
void db_fail(struct database *db);

/* Columns are numbered from 1, and keep their value for the rows that follow. */

static inline void db_int(struct database *db, unsigned row, int column, uint64_t n)
{
	sqlite3_bind_int64(db->insert[row], column, (sqlite3_int64)n);
}

static inline void db_null(struct database *db, unsigned row, int column)
{
	sqlite3_bind_null(db->insert[row], column);
}

/* Leaves NULL for 0. */
static inline void db_known(struct database *db, unsigned row, int column, uint64_t n)
{
	if (n)
		db_int(db, row, column, n);
	else
		db_null(db, row, column);
}

/* Text that stays in place until the row is written, as valid UTF-8. */
static inline void db_static(struct database *db, unsigned row, int column, struct str s)
{
	sqlite3_bind_text(db->insert[row], column, s.p, (int)s.len, SQLITE_STATIC);
}

/* Any text; it is copied. */
void db_text(struct database *db, unsigned row, int column, struct str s);
/* Leaves NULL for the empty text. */
void db_known_text(struct database *db, unsigned row, int column, struct str s);

static inline void db_insert(struct database *db, unsigned row)
{
	if (!db->failed && sqlite3_step(db->insert[row]) != SQLITE_DONE)
		db_fail(db);
	sqlite3_reset(db->insert[row]);
}

void db_meta(struct database *db, const char *key, const char *value);     /* NULL: no row */
void db_count(struct database *db, const char *key, uint64_t n);

#endif
