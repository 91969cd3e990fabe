/* SPDX-License-Identifier: Apache-2.0 */
/* sqlite.c - a call graph as an SQLite database: see docs/formats/sqlite.md.
 *
 * Rows go in key order, in one transaction without a journal, and the indexes come last; sites keep the
 * sharing of target sets. The file is removed when it cannot be finished. */
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/names.h"
#include "report/order.h"
#include "report/report.h"

#define FLAG_INTERFACE 0x0200

static const char setup_sql[] =
	"PRAGMA journal_mode = OFF;"
	"PRAGMA synchronous = OFF;"
	"PRAGMA locking_mode = EXCLUSIVE;"
	"PRAGMA temp_store = MEMORY;"
	"PRAGMA cache_size = -65536;"
	"PRAGMA page_size = 8192;"
	"PRAGMA user_version = 1;"
	"BEGIN;"
	"CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
	"CREATE TABLE artifact(id INTEGER PRIMARY KEY, path TEXT NOT NULL);"
	"CREATE TABLE class(id INTEGER PRIMARY KEY, name TEXT NOT NULL, package TEXT NOT NULL, kind TEXT NOT NULL,"
	" flags INTEGER NOT NULL, super INTEGER REFERENCES class, artifact INTEGER REFERENCES artifact);"
	"CREATE TABLE implements(class INTEGER NOT NULL REFERENCES class, interface INTEGER NOT NULL REFERENCES class,"
	" PRIMARY KEY(class, interface)) WITHOUT ROWID;"
	"CREATE TABLE method(id INTEGER PRIMARY KEY, class INTEGER NOT NULL REFERENCES class, name TEXT NOT NULL,"
	" descriptor TEXT NOT NULL, package TEXT NOT NULL, entry INTEGER NOT NULL, flags INTEGER NOT NULL,"
	" text TEXT NOT NULL);"
	"CREATE TABLE declared(id INTEGER PRIMARY KEY, class INTEGER NOT NULL REFERENCES class, name TEXT NOT NULL,"
	" descriptor TEXT NOT NULL, text TEXT NOT NULL);"
	"CREATE TABLE site(id INTEGER PRIMARY KEY, method INTEGER NOT NULL REFERENCES method, pc INTEGER NOT NULL,"
	" line INTEGER, op TEXT NOT NULL, implied INTEGER NOT NULL, declared INTEGER REFERENCES declared,"
	" targets INTEGER, ntargets INTEGER NOT NULL, cause TEXT);"
	"CREATE TABLE target_set(id INTEGER NOT NULL, method INTEGER NOT NULL REFERENCES method,"
	" PRIMARY KEY(id, method)) WITHOUT ROWID;";

static const char finish_sql[] =
	"CREATE INDEX class_name ON class(name);"
	"CREATE INDEX method_text ON method(text);"
	"CREATE INDEX method_class ON method(class);"
	"CREATE INDEX declared_text ON declared(text);"
	"CREATE INDEX site_method ON site(method, pc);"
	"CREATE INDEX site_targets ON site(targets);"
	"CREATE INDEX site_cause ON site(cause) WHERE cause IS NOT NULL;"
	"CREATE INDEX target_set_method ON target_set(method);"
	"CREATE VIEW edge AS SELECT c.text AS caller, s.pc AS site_pc, s.line AS line, s.op AS op,"
	" s.implied AS implied, t.text AS callee, c.id AS caller_id, s.id AS site_id, t.id AS callee_id"
	" FROM method c JOIN site s ON s.method = c.id JOIN target_set x ON x.id = s.targets"
	" JOIN method t ON t.id = x.method;"
	"CREATE VIEW method_edge AS SELECT DISTINCT c.text AS caller, t.text AS callee,"
	" c.id AS caller_id, t.id AS callee_id FROM method c JOIN site s ON s.method = c.id"
	" JOIN target_set x ON x.id = s.targets JOIN method t ON t.id = x.method;"
	"CREATE VIEW site_text AS SELECT s.id AS id, m.text || '@' || s.pc AS site, s.line AS line, s.op AS op,"
	" s.implied AS implied, d.text AS declared, s.ntargets AS ntargets, s.cause AS cause"
	" FROM site s JOIN method m ON m.id = s.method LEFT JOIN declared d ON d.id = s.declared;"
	"CREATE VIEW poly_site AS SELECT id, site, line, op, declared, ntargets FROM site_text WHERE ntargets > 1;"
	"CREATE VIEW unresolved AS SELECT id, site, line, declared, cause FROM site_text WHERE cause IS NOT NULL;"
	"CREATE VIEW entry AS SELECT id, text FROM method WHERE entry;"
	"CREATE VIEW missing_class AS SELECT id, name FROM class WHERE kind = 'phantom';"
	"COMMIT;";

enum insert { ADD_META, ADD_ARTIFACT, ADD_CLASS, ADD_IMPLEMENTS, ADD_METHOD, ADD_DECLARED, ADD_SITE, ADD_TARGET,
	      INSERTS };

static const char *const insert_sql[INSERTS] = {
	[ADD_META] = "INSERT INTO meta VALUES(?,?)",
	[ADD_ARTIFACT] = "INSERT INTO artifact VALUES(?,?)",
	[ADD_CLASS] = "INSERT INTO class VALUES(?,?,?,?,?,?,?)",
	[ADD_IMPLEMENTS] = "INSERT OR IGNORE INTO implements VALUES(?,?)",
	[ADD_METHOD] = "INSERT INTO method VALUES(?,?,?,?,?,?,?,?)",
	[ADD_DECLARED] = "INSERT INTO declared VALUES(?,?,?,?,?)",
	[ADD_SITE] = "INSERT INTO site VALUES(?,?,?,?,?,?,?,?,?,?)",
	[ADD_TARGET] = "INSERT INTO target_set VALUES(?,?)",
};

struct writer {
	sqlite3 *db;
	sqlite3_stmt *insert[INSERTS];
	bool failed;                  /* nothing more is written; `err` says why */
	const char *path;             /* what the user asked for */
	struct strbuf *err;
	struct callgraph *g;
	const struct program *p;
	struct names names;
	struct order order;
	/* What the database needs, numbered as the sorted methods come to it: ids of the program may differ from run to run */
	uint32_t *classes, *mrefs;    /* by id: its number; 0: not needed */
	VEC(class_id) class_list;     /* by number - 1 */
	VEC(mref_id) mref_list;
	uint32_t sites, sets;         /* dealt so far */
	uint32_t *set_ids;            /* by set of the graph: its id here; 0: not written yet */
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
static void bind_id(struct writer *w, enum insert row, int column, uint32_t id)
{
	if (id)
		bind_int(w, row, column, id);
	else
		sqlite3_bind_null(w->insert[row], column);
}

/* Text that stays in place until the row is written, as valid UTF-8. */
static void bind_static(struct writer *w, enum insert row, int column, struct str s)
{
	sqlite3_bind_text(w->insert[row], column, s.p, (int)s.len, SQLITE_STATIC);
}

static void bind_text(struct writer *w, enum insert row, int column, struct str s)
{
	struct strbuf text = { 0 };

	escape_add(&text, ESCAPE_PLAIN, s);
	struct str t = strbuf_str(&text);
	sqlite3_bind_text(w->insert[row], column, t.p, (int)t.len, SQLITE_TRANSIENT);
	strbuf_release(&text);
}

static void insert_row(struct writer *w, enum insert row)
{
	if (!w->failed && sqlite3_step(w->insert[row]) != SQLITE_DONE)
		fail(w);
	sqlite3_reset(w->insert[row]);
}

static void prepare(struct writer *w)
{
	for (int i = 0; i < INSERTS && !w->failed; i++)
		if (sqlite3_prepare_v2(w->db, insert_sql[i], -1, &w->insert[i], NULL) != SQLITE_OK)
			fail(w);
}

static void mark_class(struct writer *w, class_id c)
{
	if (c.i && !w->classes[c.i]) {
		vec_push(&w->class_list, c);
		w->classes[c.i] = w->class_list.len;
	}
}

static void mark_ancestors(struct writer *w)
{
	for (uint32_t k = 0; k < w->class_list.len; k++) {
		const struct ir_class *row = class_row(w->p, w->class_list.data[k]);
		mark_class(w, row->super);
		mark_class(w, row->element);
		for (uint32_t i = 0; i < row->ninterfaces; i++)
			mark_class(w, row->interfaces[i]);
	}
}

static void mark_mref(struct writer *w, mref_id m)
{
	if (!m.i || w->mrefs[m.i])
		return;
	vec_push(&w->mref_list, m);
	w->mrefs[m.i] = w->mref_list.len;
	mark_class(w, mref_row(w->p, m)->owner);
}

static void mark_method(struct writer *w, method_id m)
{
	uint32_t n;
	const struct cg_site *sites = callgraph_sites(w->g, m, &n);

	mark_class(w, method_row(w->p, m)->owner);
	for (uint32_t i = 0; i < n; i++)
		mark_mref(w, sites[i].mref);
}

static void mark_all(struct writer *w)
{
	uint32_t n = callgraph_nmethods(w->g);

	for (uint32_t k = 0; k < n; k++)
		mark_method(w, callgraph_method(w->g, k));
	for (uint32_t i = 0; i < w->p->phantoms.len; i++)
		mark_class(w, w->p->phantoms.data[i]);
	mark_ancestors(w);
}

static void add_meta(struct writer *w, const char *key, const char *value)
{
	if (!value)
		return;
	bind_static(w, ADD_META, 1, str_of(key));
	bind_text(w, ADD_META, 2, str_of(value));
	insert_row(w, ADD_META);
}

static void add_count(struct writer *w, const char *key, uint64_t n)
{
	bind_static(w, ADD_META, 1, str_of(key));
	bind_int(w, ADD_META, 2, n);
	insert_row(w, ADD_META);
}

static void write_meta(struct writer *w, const struct report_head *head)
{
	struct cg_stats stats = callgraph_stats(w->g);

	add_meta(w, "schema", "sherd/callgraph-sqlite/1");
	add_meta(w, "algorithm", head->algorithm);
	add_meta(w, "entry", head->entry);
	add_meta(w, "class_path", head->class_path);
	add_meta(w, "jdk", head->jdk);
	add_count(w, "methods", stats.methods);
	add_count(w, "edges", stats.edges);
	add_count(w, "method_edges", stats.method_edges);
	add_count(w, "sites", stats.sites);
	add_count(w, "poly_sites", stats.poly_sites);
	add_count(w, "classes", stats.classes);
	add_count(w, "unresolved", stats.unresolved);
}

static void write_artifacts(struct writer *w)
{
	for (uint32_t i = 1; i < w->p->artifacts.len; i++) {
		bind_int(w, ADD_ARTIFACT, 1, i);
		bind_text(w, ADD_ARTIFACT, 2, str_of(w->p->artifacts.data[i]));
		insert_row(w, ADD_ARTIFACT);
	}
}

static const char *kind_name(const struct ir_class *c)
{
	switch (c->kind) {
	case CLASS_ARRAY: return "array";
	case CLASS_PRIMITIVE: return "primitive";
	case CLASS_SYNTHETIC: return "synthetic";
	case CLASS_PHANTOM: return "phantom";
	default: return c->flags & FLAG_INTERFACE ? "interface" : "class";
	}
}

static void bind_package(struct writer *w, enum insert row, int column, class_id c)
{
	struct str name = package_of(class_name(w->p, c));
	struct strbuf dotted = { 0 };

	for (uint32_t i = 0; i < name.len; i++)
		strbuf_addch(&dotted, name.p[i] == '/' ? '.' : name.p[i]);
	bind_text(w, row, column, strbuf_str(&dotted));
	strbuf_release(&dotted);
}

static void write_class(struct writer *w, class_id c)
{
	const struct ir_class *row = class_row(w->p, c);
	struct strbuf name = { 0 };

	name_class(w->p, c, ESCAPE_PLAIN, &name);
	bind_int(w, ADD_CLASS, 1, w->classes[c.i]);
	bind_static(w, ADD_CLASS, 2, strbuf_str(&name));
	bind_package(w, ADD_CLASS, 3, c);
	bind_static(w, ADD_CLASS, 4, str_of(kind_name(row)));
	bind_int(w, ADD_CLASS, 5, row->flags);
	bind_id(w, ADD_CLASS, 6, w->classes[row->super.i]);
	bind_id(w, ADD_CLASS, 7, row->artifact);
	insert_row(w, ADD_CLASS);
	strbuf_release(&name);
	for (uint32_t i = 0; i < row->ninterfaces; i++) {
		bind_int(w, ADD_IMPLEMENTS, 1, w->classes[c.i]);
		bind_int(w, ADD_IMPLEMENTS, 2, w->classes[row->interfaces[i].i]);
		insert_row(w, ADD_IMPLEMENTS);
	}
}

static void write_classes(struct writer *w)
{
	for (uint32_t k = 0; k < w->class_list.len; k++)
		write_class(w, w->class_list.data[k]);
}

static void write_method(struct writer *w, method_id m)
{
	const struct ir_method *row = method_row(w->p, m);

	bind_int(w, ADD_METHOD, 1, order_rank(&w->order, m));
	bind_int(w, ADD_METHOD, 2, w->classes[row->owner.i]);
	bind_text(w, ADD_METHOD, 3, sel_name(w->p, row->sel));
	bind_text(w, ADD_METHOD, 4, sel_desc(w->p, row->sel));
	bind_package(w, ADD_METHOD, 5, row->owner);
	bind_int(w, ADD_METHOD, 6, callgraph_is_entry(w->g, m));
	bind_int(w, ADD_METHOD, 7, row->flags);
	bind_static(w, ADD_METHOD, 8, names_method(&w->names, m));
	insert_row(w, ADD_METHOD);
}

static void write_declared(struct writer *w)
{
	for (uint32_t k = 0; k < w->mref_list.len; k++) {
		mref_id m = w->mref_list.data[k];
		const struct ir_mref *row = mref_row(w->p, m);
		bind_int(w, ADD_DECLARED, 1, k + 1);
		bind_int(w, ADD_DECLARED, 2, w->classes[row->owner.i]);
		bind_text(w, ADD_DECLARED, 3, sel_name(w->p, row->sel));
		bind_text(w, ADD_DECLARED, 4, sel_desc(w->p, row->sel));
		bind_static(w, ADD_DECLARED, 5, names_mref(&w->names, m));
		insert_row(w, ADD_DECLARED);
	}
}

/* The database's id of the site's set, which is written when it is new; 0: it is empty. */
static uint32_t write_set(struct writer *w, const struct cg_site *s)
{
	struct cg_targets t = order_targets(&w->order, s);
	uint32_t *id = &w->set_ids[s->set];

	if (*id || t.n == 0)
		return *id;
	*id = ++w->sets;
	bind_int(w, ADD_TARGET, 1, *id);
	for (uint32_t i = 0; i < t.n && !w->failed; i++) {
		bind_int(w, ADD_TARGET, 2, order_rank(&w->order, t.methods[i]));
		insert_row(w, ADD_TARGET);
	}
	return *id;
}

static void bind_cause(struct writer *w, const struct cg_site *s)
{
	if (s->cause == CG_RESOLVED)
		sqlite3_bind_null(w->insert[ADD_SITE], 10);
	else
		bind_static(w, ADD_SITE, 10, str_of(cg_cause_name(s->cause)));
}

static void write_site(struct writer *w, method_id m, const struct cg_site *s)
{
	bind_int(w, ADD_SITE, 1, ++w->sites);
	bind_int(w, ADD_SITE, 2, order_rank(&w->order, m));
	bind_int(w, ADD_SITE, 3, s->pc);
	bind_id(w, ADD_SITE, 4, line_of(w->p, m, s->pc));
	bind_static(w, ADD_SITE, 5, str_of(op_name(s->op)));
	bind_int(w, ADD_SITE, 6, s->implied != 0);
	bind_id(w, ADD_SITE, 7, w->mrefs[s->mref.i]);
	bind_id(w, ADD_SITE, 8, write_set(w, s));
	bind_int(w, ADD_SITE, 9, callgraph_targets(w->g, s).n);
	bind_cause(w, s);
	insert_row(w, ADD_SITE);
}

static void write_sites(struct writer *w, method_id m)
{
	uint32_t n;
	const struct cg_site *sites = callgraph_sites(w->g, m, &n);

	for (uint32_t i = 0; i < n && !w->failed; i++)
		write_site(w, m, &sites[i]);
}

static void write_graph(struct writer *w, const struct report_head *head)
{
	uint32_t n = callgraph_nmethods(w->g);

	run(w, setup_sql);
	prepare(w);
	if (w->failed)
		return;
	write_meta(w, head);
	write_artifacts(w);
	write_classes(w);
	write_declared(w);
	for (uint32_t k = 0; k < n && !w->failed; k++)
		write_method(w, callgraph_method(w->g, k));
	for (uint32_t k = 0; k < n && !w->failed; k++)
		write_sites(w, callgraph_method(w->g, k));
	run(w, finish_sql);
}

static void writer_init(struct writer *w, struct callgraph *g)
{
	*w = (struct writer){ .g = g, .p = callgraph_program(g) };
	names_init(&w->names, w->p, name_full, ESCAPE_PLAIN);
	order_init(&w->order, g);
	w->classes = mem_zalloc(sizeof(uint32_t) * ((size_t)w->p->classes.len + 1));
	w->mrefs = mem_zalloc(sizeof(uint32_t) * ((size_t)w->p->mrefs.len + 1));
	w->set_ids = mem_zalloc(sizeof(uint32_t) * ((size_t)callgraph_nsets(g) + 1));
	mark_all(w);
}

static void writer_release(struct writer *w)
{
	names_release(&w->names);
	order_release(&w->order);
	free(w->classes);
	free(w->mrefs);
	vec_release(&w->class_list);
	vec_release(&w->mref_list);
	free(w->set_ids);
}

static bool write_file(const char *file, struct writer *w, const struct report_head *head)
{
	if (sqlite3_open_v2(file, &w->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
		fail(w);
	else
		write_graph(w, head);
	for (int i = 0; i < INSERTS; i++)
		sqlite3_finalize(w->insert[i]);
	if (sqlite3_close(w->db) != SQLITE_OK && !w->failed)
		fail(w);
	return !w->failed;
}

/* Taking the place of a device or directory would be wrong, however much the user may do. */
static bool is_replaceable(const char *path, struct strbuf *err)
{
	struct stat st;

	if (stat(path, &st) != 0 || S_ISREG(st.st_mode))
		return true;
	strbuf_addf(err, "cannot write a database to %s: it is not a regular file", path);
	return false;
}

/* An empty file is a valid database without tables, whatever was there before. */
static bool write_in_place(struct writer *w, const struct report_head *head)
{
	int fd = open(w->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (fd < 0) {
		strbuf_addf(w->err, "cannot create %s: %s", w->path, strerror(errno));
		return false;
	}
	close(fd);
	bool ok = write_file(w->path, w, head);
	if (!ok)
		unlink(w->path);
	return ok;
}

bool report_callgraph_sqlite(const char *path, struct callgraph *g, const struct report_head *head, struct strbuf *err)
{
	struct writer w;

	if (!is_replaceable(path, err))
		return false;
	writer_init(&w, g);
	w.path = path;
	w.err = err;
	bool ok = write_in_place(&w, head);
	writer_release(&w);
	return ok;
}
