/* SPDX-License-Identifier: Apache-2.0 */
/* c_sqlite.c - the call graph of a C program as an SQLite database: see docs/formats/sqlite.md. The tables and views that
 * queries use, method, site, target_set, edge and method_edge, have the columns of Java's as far as they make sense. */
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/c_graph_p.h"

static const char setup_sql[] =
	"PRAGMA journal_mode = OFF;"
	"PRAGMA synchronous = OFF;"
	"PRAGMA locking_mode = EXCLUSIVE;"
	"PRAGMA page_size = 8192;"
	"PRAGMA user_version = 1;"
	"BEGIN;"
	"CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
	"CREATE TABLE method(id INTEGER PRIMARY KEY, name TEXT NOT NULL, file TEXT, line INTEGER, entry INTEGER NOT NULL,"
	" library INTEGER NOT NULL, text TEXT NOT NULL);"
	"CREATE TABLE site(id INTEGER PRIMARY KEY, method INTEGER NOT NULL REFERENCES method, pc INTEGER NOT NULL,"
	" line INTEGER, column INTEGER, op TEXT NOT NULL, targets INTEGER, ntargets INTEGER NOT NULL, cause TEXT);"
	"CREATE TABLE target_set(id INTEGER NOT NULL, method INTEGER NOT NULL REFERENCES method,"
	" PRIMARY KEY(id, method)) WITHOUT ROWID;"
	"CREATE TABLE assumption(kind TEXT NOT NULL, text TEXT, method TEXT, file TEXT, line INTEGER);";

static const char finish_sql[] =
	"CREATE INDEX method_text ON method(text);"
	"CREATE INDEX site_method ON site(method, pc);"
	"CREATE INDEX site_targets ON site(targets);"
	"CREATE INDEX target_set_method ON target_set(method);"
	"CREATE VIEW edge AS SELECT c.text AS caller, s.pc AS site_pc, s.line AS line, s.op AS op,"
	" t.text AS callee, c.id AS caller_id, s.id AS site_id, t.id AS callee_id"
	" FROM method c JOIN site s ON s.method = c.id JOIN target_set x ON x.id = s.targets"
	" JOIN method t ON t.id = x.method;"
	"CREATE VIEW method_edge AS SELECT DISTINCT caller, callee, caller_id, callee_id FROM edge;"
	"CREATE VIEW site_text AS SELECT s.id AS id, m.text || '@' || s.pc AS site, m.file AS file, s.line AS line, s.op AS op,"
	" s.ntargets AS ntargets, s.cause AS cause FROM site s JOIN method m ON m.id = s.method;"
	"CREATE VIEW poly_site AS SELECT id, site, file, line, op, ntargets FROM site_text WHERE ntargets > 1;"
	"CREATE VIEW unresolved AS SELECT id, site, file, line, cause FROM site_text WHERE cause IS NOT NULL;"
	"CREATE VIEW entry AS SELECT id, text FROM method WHERE entry;"
	"COMMIT;";

enum insert { ADD_META, ADD_METHOD, ADD_SITE, ADD_TARGET, ADD_ASSUMPTION, INSERTS };
static const char *const insert_sql[INSERTS] = {
	[ADD_META] = "INSERT INTO meta VALUES(?,?)",
	[ADD_METHOD] = "INSERT INTO method VALUES(?,?,?,?,?,?,?)",
	[ADD_SITE] = "INSERT INTO site VALUES(?,?,?,?,?,?,?,?,?)",
	[ADD_TARGET] = "INSERT INTO target_set VALUES(?,?)",
	[ADD_ASSUMPTION] = "INSERT INTO assumption VALUES(?,?,?,?,?)",
};

struct writer {
	sqlite3 *db;
	sqlite3_stmt *insert[INSERTS];
	bool failed;
	const char *path;
	struct strbuf *err;
	struct c_graph g;
	const struct c_result *r;
	uint32_t nsites;
};

/* Called right after the failure: the next call would overwrite SQLite's message. */
static void fail(struct writer *w)
{
	w->failed = true;
	strbuf_addf(w->err, "cannot write %s: %s", w->path, w->db ? sqlite3_errmsg(w->db) : "out of memory");
}

static void run(struct writer *w, const char *sql)
{
	if (!w->failed && sqlite3_exec(w->db, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail(w);
}

static void bind_int(struct writer *w, enum insert row, int column, uint64_t n)
{
	sqlite3_bind_int64(w->insert[row], column, (sqlite3_int64)n);
}

/* Leaves NULL for 0. */
static void bind_known(struct writer *w, enum insert row, int column, uint64_t n)
{
	if (n)
		bind_int(w, row, column, n);
	else
		sqlite3_bind_null(w->insert[row], column);
}

/* Leaves NULL for the empty text. */
static void bind_text(struct writer *w, enum insert row, int column, struct str s)
{
	struct strbuf text = { 0 };

	escape_add(&text, ESCAPE_PLAIN, s);
	if (text.len)
		sqlite3_bind_text(w->insert[row], column, text.s, (int)text.len, SQLITE_TRANSIENT);
	else
		sqlite3_bind_null(w->insert[row], column);
	strbuf_release(&text);
}

static void insert_row(struct writer *w, enum insert row)
{
	if (!w->failed && sqlite3_step(w->insert[row]) != SQLITE_DONE)
		fail(w);
	sqlite3_reset(w->insert[row]);
}

static void add_meta(struct writer *w, const char *key, const char *value)
{
	bind_text(w, ADD_META, 1, str_of(key));
	bind_text(w, ADD_META, 2, str_of(value));
	insert_row(w, ADD_META);
}

static void add_count(struct writer *w, const char *key, uint64_t n)
{
	bind_text(w, ADD_META, 1, str_of(key));
	bind_int(w, ADD_META, 2, n);
	insert_row(w, ADD_META);
}

static void write_meta(struct writer *w, const struct c_head *head)
{
	struct c_graph_stats st = c_graph_stats(&w->g);

	add_meta(w, "schema", "sherd/callgraph-sqlite/1");
	add_meta(w, "language", "c");
	add_meta(w, "algorithm", head->engine);
	add_meta(w, "entry", head->library ? "library" : "main");
	add_count(w, "methods", st.functions);
	add_count(w, "edges", st.edges);
	add_count(w, "method_edges", st.function_edges);
	add_count(w, "sites", st.sites);
	add_count(w, "poly_sites", st.poly);
	add_count(w, "unresolved", st.unresolved);
}

static void write_method(struct writer *w, uint32_t k)
{
	const struct c_node *n = &w->g.nodes.data[k];
	const struct cfn *f = c_fn(w->r, n->fn);
	const struct cloc *l = c_graph_loc(&w->g, f->loc);

	bind_int(w, ADD_METHOD, 1, k + 1);
	bind_text(w, ADD_METHOD, 2, interned(&w->r->program->names, f->name));
	bind_text(w, ADD_METHOD, 3, interned(&w->r->program->names, l->file));
	bind_known(w, ADD_METHOD, 4, l->line);
	bind_int(w, ADD_METHOD, 5, n->is_entry);
	bind_int(w, ADD_METHOD, 6, n->is_library);
	bind_text(w, ADD_METHOD, 7, c_graph_name(&w->g, k));
	insert_row(w, ADD_METHOD);
}

static void write_site(struct writer *w, uint32_t k, const struct c_site *s)
{
	const struct cloc *l = c_site_loc(&w->g, s);
	uint32_t id = ++w->nsites;

	bind_int(w, ADD_TARGET, 1, id);
	for (uint32_t i = 0; i < s->ntargets && !w->failed; i++) {
		bind_int(w, ADD_TARGET, 2, w->g.targets.data[s->first + i] + UINT64_C(1));
		insert_row(w, ADD_TARGET);
	}
	bind_int(w, ADD_SITE, 1, id);
	bind_int(w, ADD_SITE, 2, k + UINT64_C(1));
	bind_int(w, ADD_SITE, 3, s->number);
	bind_known(w, ADD_SITE, 4, l->line);
	bind_known(w, ADD_SITE, 5, l->column);
	bind_text(w, ADD_SITE, 6, str_of(c_site_word(s->kind)));
	bind_known(w, ADD_SITE, 7, s->ntargets ? id : 0);
	bind_int(w, ADD_SITE, 8, s->ntargets);
	bind_text(w, ADD_SITE, 9, screen_text(s->cause));
	insert_row(w, ADD_SITE);
}

static void write_assumptions(struct writer *w)
{
	const struct cprogram *p = w->r->program;
	c_note_vec notes = { 0 };

	c_notes(w->r, &notes);
	for (uint32_t i = 0; i < notes.len && !w->failed; i++) {
		const struct cnote *x = &notes.data[i];
		const struct cloc *l = c_graph_loc(&w->g, x->loc);
		bind_text(w, ADD_ASSUMPTION, 1, str_of(c_note_name(x->kind)));
		bind_text(w, ADD_ASSUMPTION, 2, interned(&p->names, x->text));
		bind_text(w, ADD_ASSUMPTION, 3, x->fn.i ? w->g.names.fns[x->fn.i] : STR(""));
		bind_text(w, ADD_ASSUMPTION, 4, interned(&p->names, l->file));
		bind_known(w, ADD_ASSUMPTION, 5, l->line);
		insert_row(w, ADD_ASSUMPTION);
	}
	vec_release(&notes);
}

static void write_graph(struct writer *w, const struct c_head *head)
{
	run(w, setup_sql);
	for (int i = 0; i < INSERTS && !w->failed; i++)
		if (sqlite3_prepare_v2(w->db, insert_sql[i], -1, &w->insert[i], NULL) != SQLITE_OK)
			fail(w);
	if (w->failed)
		return;
	write_meta(w, head);
	for (uint32_t k = 0; k < w->g.nodes.len && !w->failed; k++)
		write_method(w, k);
	for (uint32_t k = 0; k < w->g.nodes.len; k++)
		for (uint32_t i = 0; i < w->g.nodes.data[k].nsites && !w->failed; i++)
			write_site(w, k, &w->g.sites.data[w->g.nodes.data[k].first + i]);
	write_assumptions(w);
	run(w, finish_sql);
}

static void write_file(struct writer *w, const struct c_head *head)
{
	if (sqlite3_open_v2(w->path, &w->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
		fail(w);
	else
		write_graph(w, head);
	for (int i = 0; i < INSERTS; i++)
		sqlite3_finalize(w->insert[i]);
	if (sqlite3_close(w->db) != SQLITE_OK && !w->failed)
		fail(w);
}

/* An empty file is a valid database without tables, whatever was there before. */
static bool make_empty(const char *path, struct strbuf *err)
{
	struct stat st;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		strbuf_addf(err, "cannot write a database to %s: it is not a regular file", path);
		return false;
	}
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0) {
		strbuf_addf(err, "cannot create %s: %s", path, strerror(errno));
		return false;
	}
	close(fd);
	return true;
}

bool report_callgraph_c_sqlite(const char *path, const struct c_result *r, const struct c_head *head, struct strbuf *err)
{
	struct writer w = { .path = path, .err = err, .r = r };

	if (!make_empty(path, err))
		return false;
	c_graph_init(&w.g, r, ESCAPE_PLAIN);
	write_file(&w, head);
	c_graph_release(&w.g);
	if (w.failed)
		unlink(path);
	return !w.failed;
}
