/* SPDX-License-Identifier: Apache-2.0 */
/* database.c - an SQLite file that is written once. A file that cannot be finished is of no use, so there is no journal,
 * and nobody else may look at it meanwhile. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/write/database.h"
#include "report/write/escape.h"

static const char pragmas[] =
	"PRAGMA journal_mode = OFF;"
	"PRAGMA synchronous = OFF;"
	"PRAGMA locking_mode = EXCLUSIVE;"
	"PRAGMA page_size = 8192;"
	"PRAGMA user_version = 1;";

void db_fail(struct database *db)
{
	db->failed = true;
	strbuf_addf(db->err, "cannot write %s: %s", db->path, db->connection ? sqlite3_errmsg(db->connection) : "out of memory");
}

static void run(struct database *db, const char *sql)
{
	if (!db->failed && sqlite3_exec(db->connection, sql, NULL, NULL, NULL) != SQLITE_OK)
		db_fail(db);
}

/* Taking the place of a device or directory would be wrong, however much the user may do; a link would lead to another's. */
static int open_empty(const char *path, struct strbuf *err)
{
	struct stat st;
	int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
	bool is_other = fd >= 0 ? fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) : errno == ELOOP || errno == EISDIR || errno == ENXIO;

	if (is_other)
		strbuf_addf(err, "cannot write a database to %s: it is not a regular file", path);
	else if (fd < 0 || ftruncate(fd, 0) != 0)
		strbuf_addf(err, "cannot create %s: %s", path, strerror(errno));
	else
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* An empty file is a valid database without tables, whatever was there before. */
bool db_create(struct database *db, const char *path, struct strbuf *err)
{
	*db = (struct database){ .path = path, .err = err };
	int fd = open_empty(path, err);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

bool db_begin(struct database *db, const char *setup, const char *const *inserts, uint32_t ninserts)
{
	if (sqlite3_open_v2(db->path, &db->connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
		db_fail(db);
	run(db, pragmas);
	run(db, setup);
	for (uint32_t i = 0; i < ninserts && !db->failed; i++)
		if (inserts[i] && sqlite3_prepare_v2(db->connection, inserts[i], -1, &db->insert[i], NULL) != SQLITE_OK)
			db_fail(db);
	return !db->failed;
}

bool db_end(struct database *db, const char *finish)
{
	run(db, finish);
	for (int i = 0; i < DB_INSERTS; i++)
		sqlite3_finalize(db->insert[i]);
	if (sqlite3_close(db->connection) != SQLITE_OK && !db->failed)
		db_fail(db);
	if (db->failed)
		unlink(db->path);
	return !db->failed;
}

void db_text(struct database *db, unsigned row, int column, struct str s)
{
	struct strbuf text = { 0 };

	escape_add(&text, ESCAPE_PLAIN, s);
	struct str t = strbuf_str(&text);
	sqlite3_bind_text(db->insert[row], column, t.p, (int)t.len, SQLITE_TRANSIENT);
	strbuf_release(&text);
}

void db_known_text(struct database *db, unsigned row, int column, struct str s)
{
	if (s.len)
		db_text(db, row, column, s);
	else
		db_null(db, row, column);
}

void db_meta(struct database *db, const char *key, const char *value)
{
	if (!value)
		return;
	db_static(db, DB_META, 1, str_of(key));
	db_text(db, DB_META, 2, str_of(value));
	db_insert(db, DB_META);
}

void db_count(struct database *db, const char *key, uint64_t n)
{
	db_static(db, DB_META, 1, str_of(key));
	db_int(db, DB_META, 2, n);
	db_insert(db, DB_META);
}
