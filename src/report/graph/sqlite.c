/* SPDX-License-Identifier: Apache-2.0 */
/* sqlite.c - a call graph as an SQLite database: see docs/formats/sqlite.md.
 *
 * Tables, columns and views are there as far as the graph has what they hold. Rows go in key order, in one transaction, and
 * the indexes come last; sites keep the sharing of target sets. */
#include "report/graph/writers.h"
#include "report/write/database.h"

/* A part of the SQL: for graphs that have all of `has`. */
struct part {
	unsigned has;                 /* enum graph_has */
	const char *sql;
};

static const struct part setup_parts[] = {
	{ 0, "PRAGMA temp_store = MEMORY;"
	     "PRAGMA cache_size = -65536;"
	     "BEGIN;"
	     "CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;" },
	{ GRAPH_CLASSES,
	  "CREATE TABLE artifact(id INTEGER PRIMARY KEY, path TEXT NOT NULL);"
	  "CREATE TABLE class(id INTEGER PRIMARY KEY, name TEXT NOT NULL, package TEXT NOT NULL, kind TEXT NOT NULL,"
	  " flags INTEGER NOT NULL, super INTEGER REFERENCES class, artifact INTEGER REFERENCES artifact);"
	  "CREATE TABLE implements(class INTEGER NOT NULL REFERENCES class, interface INTEGER NOT NULL REFERENCES class,"
	  " PRIMARY KEY(class, interface)) WITHOUT ROWID;" },
	{ 0, "CREATE TABLE method(id INTEGER PRIMARY KEY," },
	{ GRAPH_CLASSES, " class INTEGER NOT NULL REFERENCES class," },
	{ 0, " name TEXT NOT NULL," },
	{ GRAPH_CLASSES, " descriptor TEXT NOT NULL, package TEXT NOT NULL," },
	{ GRAPH_FILES, " file TEXT, line INTEGER," },
	{ 0, " entry INTEGER NOT NULL," },
	{ GRAPH_LIBRARY, " library INTEGER NOT NULL," },
	{ GRAPH_CLASSES, " flags INTEGER NOT NULL," },
	{ 0, " text TEXT NOT NULL);" },
	{ GRAPH_CLASSES,
	  "CREATE TABLE declared(id INTEGER PRIMARY KEY, class INTEGER NOT NULL REFERENCES class, name TEXT NOT NULL,"
	  " descriptor TEXT NOT NULL, text TEXT NOT NULL);" },
	{ 0, "CREATE TABLE site(id INTEGER PRIMARY KEY, method INTEGER NOT NULL REFERENCES method, pc INTEGER NOT NULL,"
	     " line INTEGER," },
	{ GRAPH_FILES, " column INTEGER," },
	{ 0, " op TEXT NOT NULL," },
	{ GRAPH_KINDS, " kind TEXT NOT NULL," },
	{ GRAPH_CLASSES, " implied INTEGER NOT NULL, declared INTEGER REFERENCES declared," },
	{ 0, " targets INTEGER, ntargets INTEGER NOT NULL, cause TEXT" },
	{ GRAPH_CLASSES, ", why TEXT, why_place TEXT" },
	{ 0, ");"
	     "CREATE TABLE target_set(id INTEGER NOT NULL, method INTEGER NOT NULL REFERENCES method," },
	{ GRAPH_KINDS, " called_by TEXT," },
	{ 0, " PRIMARY KEY(id, method)) WITHOUT ROWID;" },
	{ GRAPH_NOTES, "CREATE TABLE assumption(kind TEXT NOT NULL, text TEXT, method TEXT, file TEXT, line INTEGER);" },
};

static const struct part finish_parts[] = {
	{ GRAPH_CLASSES, "CREATE INDEX class_name ON class(name);" },
	{ 0, "CREATE INDEX method_text ON method(text);" },
	{ GRAPH_CLASSES, "CREATE INDEX method_class ON method(class);"
			 "CREATE INDEX declared_text ON declared(text);" },
	{ 0, "CREATE INDEX site_method ON site(method, pc);"
	     "CREATE INDEX site_targets ON site(targets);" },
	{ GRAPH_CLASSES, "CREATE INDEX site_cause ON site(cause) WHERE cause IS NOT NULL;" },
	{ 0, "CREATE INDEX target_set_method ON target_set(method);"
	     "CREATE VIEW edge AS SELECT c.text AS caller, s.pc AS site_pc, s.line AS line, s.op AS op," },
	{ GRAPH_KINDS, " s.kind AS kind," },
	{ GRAPH_CLASSES, " s.implied AS implied," },
	{ 0, " t.text AS callee, c.id AS caller_id, s.id AS site_id, t.id AS callee_id"
	     " FROM method c JOIN site s ON s.method = c.id JOIN target_set x ON x.id = s.targets"
	     " JOIN method t ON t.id = x.method;" },
	/* The same, in two ways: databases of either language stay as they have been */
	{ GRAPH_CLASSES, "CREATE VIEW method_edge AS SELECT DISTINCT c.text AS caller, t.text AS callee," },
	{ GRAPH_KINDS, " s.kind AS kind," },
	{ GRAPH_CLASSES, " c.id AS caller_id, t.id AS callee_id FROM method c JOIN site s ON s.method = c.id"
			 " JOIN target_set x ON x.id = s.targets JOIN method t ON t.id = x.method;" },
	{ GRAPH_FILES, "CREATE VIEW method_edge AS SELECT DISTINCT caller, callee, caller_id, callee_id FROM edge;" },
	{ 0, "CREATE VIEW site_text AS SELECT s.id AS id, m.text || '@' || s.pc AS site," },
	{ GRAPH_FILES, " m.file AS file," },
	{ 0, " s.line AS line, s.op AS op," },
	{ GRAPH_KINDS, " s.kind AS kind," },
	{ GRAPH_CLASSES, " s.implied AS implied, d.text AS declared," },
	{ 0, " s.ntargets AS ntargets, s.cause AS cause" },
	{ GRAPH_CLASSES, ", s.why AS why, s.why_place AS why_place" },
	{ 0, " FROM site s JOIN method m ON m.id = s.method" },
	{ GRAPH_CLASSES, " LEFT JOIN declared d ON d.id = s.declared" },
	{ 0, ";CREATE VIEW poly_site AS SELECT id, site," },
	{ GRAPH_FILES, " file," },
	{ 0, " line, op," },
	{ GRAPH_KINDS, " kind," },
	{ GRAPH_CLASSES, " declared," },
	{ 0, " ntargets FROM site_text WHERE ntargets > 1;"
	     "CREATE VIEW unresolved AS SELECT id, site," },
	{ GRAPH_FILES, " file," },
	{ 0, " line," },
	{ GRAPH_CLASSES, " declared," },
	{ 0, " cause" },
	{ GRAPH_CLASSES, ", why, why_place" },
	{ 0, " FROM site_text WHERE cause IS NOT NULL;"
	     "CREATE VIEW entry AS SELECT id, text FROM method WHERE entry;" },
	{ GRAPH_KINDS, "CREATE VIEW callback AS SELECT c.text AS caller, s.pc AS site_pc, s.line AS line, s.kind AS kind,"
		       " d.text AS declared, x.called_by AS called_by, t.text AS callee, c.id AS caller_id, s.id AS site_id,"
		       " t.id AS callee_id FROM method c JOIN site s ON s.method = c.id AND s.kind <> 'direct'"
		       " JOIN target_set x ON x.id = s.targets JOIN method t ON t.id = x.method"
		       " LEFT JOIN declared d ON d.id = s.declared;" },
	{ GRAPH_CLASSES, "CREATE VIEW missing_class AS SELECT id, name FROM class WHERE kind = 'phantom';" },
	{ 0, "COMMIT;" },
};

enum insert { ADD_META = DB_META, ADD_ARTIFACT, ADD_CLASS, ADD_IMPLEMENTS, ADD_METHOD, ADD_DECLARED, ADD_SITE, ADD_TARGET,
	      ADD_NOTE, INSERTS };
_Static_assert(INSERTS <= DB_INSERTS, "more inserts than a database has");

/* Rows go into tables that the graph has, and have so many columns, and more for what it has. */
static const struct {
	unsigned has;
	const char *sql;
	struct {
		unsigned has, n;
	} columns[4];
} inserts[INSERTS] = {
	[ADD_META] = { 0, "INSERT INTO meta", { { 0, 2 } } },
	[ADD_ARTIFACT] = { GRAPH_CLASSES, "INSERT INTO artifact", { { 0, 2 } } },
	[ADD_CLASS] = { GRAPH_CLASSES, "INSERT INTO class", { { 0, 7 } } },
	[ADD_IMPLEMENTS] = { GRAPH_CLASSES, "INSERT OR IGNORE INTO implements", { { 0, 2 } } },
	[ADD_METHOD] = { 0, "INSERT INTO method", { { 0, 4 }, { GRAPH_CLASSES, 4 }, { GRAPH_FILES, 2 }, { GRAPH_LIBRARY, 1 } } },
	[ADD_DECLARED] = { GRAPH_CLASSES, "INSERT INTO declared", { { 0, 5 } } },
	[ADD_SITE] = { 0, "INSERT INTO site", { { 0, 8 }, { GRAPH_CLASSES, 4 }, { GRAPH_FILES, 1 }, { GRAPH_KINDS, 1 } } },
	[ADD_TARGET] = { 0, "INSERT INTO target_set", { { 0, 2 }, { GRAPH_KINDS, 1 } } },
	[ADD_NOTE] = { GRAPH_NOTES, "INSERT INTO assumption", { { 0, 5 } } },
};

struct writer {
	struct database db;
	struct graph_view *v;
	const struct graph_tables *tables;    /* GRAPH_CLASSES */
	uint32_t sites, sets;         /* dealt so far */
	uint32_t *set_ids;            /* by set of the graph: its id here; 0: not written yet */
};

static bool has(const struct graph_view *v, unsigned wanted)
{
	return (v->has & wanted) == wanted;
}

static void write_fact(struct writer *w, const struct graph_fact *f)
{
	if (f->value)
		db_meta(&w->db, f->key, f->value);
	else
		db_count(&w->db, f->key, f->n);
}

static void write_meta(struct writer *w)
{
	struct graph_stats stats = w->v->maker->stats(w->v);

	db_meta(&w->db, "schema", "sherd/callgraph-sqlite/1");
	db_meta(&w->db, "language", w->v->language);
	db_meta(&w->db, "algorithm", w->v->algorithm);
	db_meta(&w->db, "entry", w->v->entry);
	db_meta(&w->db, "class_path", w->v->class_path);
	db_meta(&w->db, "jdk", w->v->jdk);
	db_count(&w->db, "methods", stats.methods);
	db_count(&w->db, "edges", stats.edges);
	db_count(&w->db, "method_edges", stats.method_edges);
	db_count(&w->db, "sites", stats.sites);
	db_count(&w->db, "poly_sites", stats.poly_sites);
	if (has(w->v, GRAPH_CLASSES))
		db_count(&w->db, "classes", stats.classes);
	db_count(&w->db, "unresolved", stats.unresolved);
	for (uint32_t i = 0; i < w->v->nfacts; i++)
		write_fact(w, &w->v->facts[i]);
}

static void write_class(struct writer *w, uint32_t number)
{
	const struct graph_class *c = &w->tables->classes[number - 1];

	db_int(&w->db, ADD_CLASS, 1, number);
	db_text(&w->db, ADD_CLASS, 2, c->name);
	db_text(&w->db, ADD_CLASS, 3, c->package);
	db_static(&w->db, ADD_CLASS, 4, str_of(c->kind));
	db_int(&w->db, ADD_CLASS, 5, c->flags);
	db_known(&w->db, ADD_CLASS, 6, c->super);
	db_known(&w->db, ADD_CLASS, 7, c->artifact);
	db_insert(&w->db, ADD_CLASS);
	for (uint32_t i = 0; i < c->ninterfaces; i++) {
		db_int(&w->db, ADD_IMPLEMENTS, 1, number);
		db_int(&w->db, ADD_IMPLEMENTS, 2, c->interfaces[i]);
		db_insert(&w->db, ADD_IMPLEMENTS);
	}
}

static void write_tables(struct writer *w)
{
	const struct graph_tables *t = w->tables;

	for (uint32_t i = 0; i < t->nartifacts; i++) {
		db_int(&w->db, ADD_ARTIFACT, 1, i + UINT64_C(1));
		db_text(&w->db, ADD_ARTIFACT, 2, str_of(t->artifacts[i]));
		db_insert(&w->db, ADD_ARTIFACT);
	}
	for (uint32_t number = 1; number <= t->nclasses; number++)
		write_class(w, number);
	for (uint32_t i = 0; i < t->ndeclared; i++) {
		db_int(&w->db, ADD_DECLARED, 1, i + UINT64_C(1));
		db_int(&w->db, ADD_DECLARED, 2, t->declared[i].class);
		db_text(&w->db, ADD_DECLARED, 3, t->declared[i].name);
		db_text(&w->db, ADD_DECLARED, 4, t->declared[i].descriptor);
		db_static(&w->db, ADD_DECLARED, 5, t->declared[i].text);
		db_insert(&w->db, ADD_DECLARED);
	}
}

static void write_method(struct writer *w, uint32_t node)
{
	struct database *db = &w->db;
	struct graph_detail d;
	int c = 0;

	w->v->maker->detail(w->v, node, &d);
	db_int(db, ADD_METHOD, ++c, node + UINT64_C(1));
	if (has(w->v, GRAPH_CLASSES))
		db_int(db, ADD_METHOD, ++c, d.class);
	db_text(db, ADD_METHOD, ++c, d.name);
	if (has(w->v, GRAPH_CLASSES)) {
		db_text(db, ADD_METHOD, ++c, d.descriptor);
		db_text(db, ADD_METHOD, ++c, d.package);
	}
	if (has(w->v, GRAPH_FILES)) {
		db_known_text(db, ADD_METHOD, ++c, d.file);
		db_known(db, ADD_METHOD, ++c, d.line);
	}
	db_int(db, ADD_METHOD, ++c, w->v->nodes[node].is_entry);
	if (has(w->v, GRAPH_LIBRARY))
		db_int(db, ADD_METHOD, ++c, w->v->nodes[node].is_library);
	if (has(w->v, GRAPH_CLASSES))
		db_int(db, ADD_METHOD, ++c, d.flags);
	db_static(db, ADD_METHOD, ++c, w->v->nodes[node].name);
	db_insert(db, ADD_METHOD);
}

static void write_called_by(struct writer *w, const struct graph_site *s, uint32_t target)
{
	struct str by = w->v->maker->called_by(w->v, s, target);

	if (by.len)
		db_static(&w->db, ADD_TARGET, 3, by);
	else
		db_null(&w->db, ADD_TARGET, 3);
}

/* The database's id of the site's set, which is written when it is new; 0: it is empty. Where no two sites have one set, it
 * has the number of its site. */
static uint32_t write_set(struct writer *w, const struct graph_site *s, struct graph_targets t)
{
	uint32_t *id = &w->set_ids[s->set];

	if (*id || t.n == 0)
		return *id;
	*id = w->v->shares_sets ? ++w->sets : w->sites;
	db_int(&w->db, ADD_TARGET, 1, *id);
	for (uint32_t i = 0; i < t.n && !w->db.failed; i++) {
		db_int(&w->db, ADD_TARGET, 2, t.nodes[i] + UINT64_C(1));
		if (has(w->v, GRAPH_KINDS))
			write_called_by(w, s, i);
		db_insert(&w->db, ADD_TARGET);
	}
	return *id;
}

static void write_why(struct writer *w, uint32_t node, const struct graph_site *s, int *c)
{
	struct graph_why why;

	if (s->cause && w->v->maker->why(w->v, node, s, &why)) {
		db_static(&w->db, ADD_SITE, ++*c, str_of(why.reason));
		db_text(&w->db, ADD_SITE, ++*c, why.place);
		return;
	}
	db_null(&w->db, ADD_SITE, ++*c);
	db_null(&w->db, ADD_SITE, ++*c);
}

static void write_site(struct writer *w, uint32_t node, const struct graph_site *s)
{
	struct database *db = &w->db;
	struct graph_targets t = graph_targets(w->v, s);
	struct graph_place at = w->v->maker->place(w->v, node, s);
	int c = 0;

	db_int(db, ADD_SITE, ++c, ++w->sites);
	db_int(db, ADD_SITE, ++c, node + UINT64_C(1));
	db_int(db, ADD_SITE, ++c, s->pc);
	db_known(db, ADD_SITE, ++c, at.line);
	if (has(w->v, GRAPH_FILES))
		db_known(db, ADD_SITE, ++c, at.column);
	db_static(db, ADD_SITE, ++c, str_of(s->op));
	if (has(w->v, GRAPH_KINDS))
		db_static(db, ADD_SITE, ++c, str_of(w->v->kinds[s->kind]));
	if (has(w->v, GRAPH_CLASSES)) {
		db_int(db, ADD_SITE, ++c, s->is_implied);
		db_known(db, ADD_SITE, ++c, w->tables->declared_number[s->declared]);
	}
	db_known(db, ADD_SITE, ++c, write_set(w, s, t));
	db_int(db, ADD_SITE, ++c, t.n);
	if (s->cause)
		db_static(db, ADD_SITE, ++c, str_of(s->cause));
	else
		db_null(db, ADD_SITE, ++c);
	if (has(w->v, GRAPH_CLASSES))
		write_why(w, node, s, &c);
	db_insert(db, ADD_SITE);
}

static void write_sites(struct writer *w, uint32_t node)
{
	uint32_t n;
	const struct graph_site *sites = w->v->maker->sites(w->v, node, &n);

	for (uint32_t i = 0; i < n && !w->db.failed; i++)
		write_site(w, node, &sites[i]);
}

static void write_notes(struct writer *w)
{
	uint32_t n;
	const struct graph_note *notes = w->v->maker->notes(w->v, &n);

	for (uint32_t i = 0; i < n && !w->db.failed; i++) {
		db_static(&w->db, ADD_NOTE, 1, str_of(notes[i].kind));
		db_known_text(&w->db, ADD_NOTE, 2, notes[i].text);
		db_known_text(&w->db, ADD_NOTE, 3, notes[i].node);
		db_known_text(&w->db, ADD_NOTE, 4, notes[i].file);
		db_known(&w->db, ADD_NOTE, 5, notes[i].line);
		db_insert(&w->db, ADD_NOTE);
	}
}

static void write_graph(struct writer *w)
{
	uint32_t n = w->v->nnodes;

	write_meta(w);
	if (has(w->v, GRAPH_CLASSES)) {
		w->tables = w->v->maker->tables(w->v);
		write_tables(w);
	}
	for (uint32_t k = 0; k < n && !w->db.failed; k++)
		write_method(w, k);
	for (uint32_t k = 0; k < n && !w->db.failed; k++)
		write_sites(w, k);
	if (has(w->v, GRAPH_NOTES))
		write_notes(w);
}

static void add_parts(const struct graph_view *v, const struct part *parts, size_t n, struct strbuf *out)
{
	for (size_t i = 0; i < n; i++)
		if (has(v, parts[i].has))
			strbuf_adds(out, parts[i].sql);
}

/* INSERT INTO target_set VALUES(?,?) */
static void add_insert(const struct graph_view *v, enum insert row, struct strbuf *out)
{
	uint32_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(inserts[row].columns); i++)
		n += has(v, inserts[row].columns[i].has) ? inserts[row].columns[i].n : 0;
	strbuf_adds(out, inserts[row].sql);
	for (uint32_t i = 0; i < n; i++)
		strbuf_adds(out, i ? ",?" : " VALUES(?");
	strbuf_addch(out, ')');
}

static bool begin(struct writer *w)
{
	struct strbuf setup = { 0 }, rows[INSERTS] = { { 0 } };
	const char *sql[INSERTS] = { 0 };

	add_parts(w->v, setup_parts, ARRAY_LEN(setup_parts), &setup);
	for (enum insert i = 0; i < INSERTS; i++)
		if (has(w->v, inserts[i].has)) {
			add_insert(w->v, i, &rows[i]);
			sql[i] = rows[i].s;
		}
	bool ok = db_begin(&w->db, setup.s, sql, INSERTS);
	for (enum insert i = 0; i < INSERTS; i++)
		strbuf_release(&rows[i]);
	strbuf_release(&setup);
	return ok;
}

bool report_graph_sqlite(const char *path, struct graph_view *v, struct strbuf *err)
{
	struct writer w = { .v = v };
	struct strbuf finish = { 0 };

	if (!db_create(&w.db, path, err))
		return false;
	graph_view_name_nodes(v, ESCAPE_PLAIN);
	w.set_ids = mem_zalloc(sizeof(uint32_t) * ((size_t)v->nsets + 1));
	if (begin(&w))
		write_graph(&w);
	add_parts(v, finish_parts, ARRAY_LEN(finish_parts), &finish);
	bool ok = db_end(&w.db, finish.s);
	strbuf_release(&finish);
	free(w.set_ids);
	return ok;
}
