/* SPDX-License-Identifier: Apache-2.0 */
/* sqlite.c - a call graph as an SQLite database: see docs/formats/sqlite.md.
 *
 * Rows go in key order, in one transaction, and the indexes come last; sites keep the sharing of target sets. */
#include "report/write/database.h"
#include "report/java/names.h"
#include "report/java/order.h"
#include "report/graph/callgraph.h"

#define FLAG_INTERFACE 0x0200

static const char setup_sql[] =
	"PRAGMA temp_store = MEMORY;"
	"PRAGMA cache_size = -65536;"
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

enum insert { ADD_META = DB_META, ADD_ARTIFACT, ADD_CLASS, ADD_IMPLEMENTS, ADD_METHOD, ADD_DECLARED, ADD_SITE,
	      ADD_TARGET, INSERTS };
_Static_assert(INSERTS <= DB_INSERTS, "more inserts than a database has");

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
	struct database db;
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

static void write_meta(struct writer *w, const struct report_head *head)
{
	struct cg_stats stats = callgraph_stats(w->g);

	db_meta(&w->db, "schema", "sherd/callgraph-sqlite/1");
	db_meta(&w->db, "algorithm", head->algorithm);
	db_meta(&w->db, "entry", head->entry);
	db_meta(&w->db, "class_path", head->class_path);
	db_meta(&w->db, "jdk", head->jdk);
	db_count(&w->db, "methods", stats.methods);
	db_count(&w->db, "edges", stats.edges);
	db_count(&w->db, "method_edges", stats.method_edges);
	db_count(&w->db, "sites", stats.sites);
	db_count(&w->db, "poly_sites", stats.poly_sites);
	db_count(&w->db, "classes", stats.classes);
	db_count(&w->db, "unresolved", stats.unresolved);
}

static void write_artifacts(struct writer *w)
{
	for (uint32_t i = 1; i < w->p->artifacts.len; i++) {
		db_int(&w->db, ADD_ARTIFACT, 1, i);
		db_text(&w->db, ADD_ARTIFACT, 2, str_of(w->p->artifacts.data[i]));
		db_insert(&w->db, ADD_ARTIFACT);
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
	db_text(&w->db, row, column, strbuf_str(&dotted));
	strbuf_release(&dotted);
}

static void write_class(struct writer *w, class_id c)
{
	const struct ir_class *row = class_row(w->p, c);
	struct strbuf name = { 0 };

	name_class(w->p, c, ESCAPE_PLAIN, &name);
	db_int(&w->db, ADD_CLASS, 1, w->classes[c.i]);
	db_static(&w->db, ADD_CLASS, 2, strbuf_str(&name));
	bind_package(w, ADD_CLASS, 3, c);
	db_static(&w->db, ADD_CLASS, 4, str_of(kind_name(row)));
	db_int(&w->db, ADD_CLASS, 5, row->flags);
	db_known(&w->db, ADD_CLASS, 6, w->classes[row->super.i]);
	db_known(&w->db, ADD_CLASS, 7, row->artifact);
	db_insert(&w->db, ADD_CLASS);
	strbuf_release(&name);
	for (uint32_t i = 0; i < row->ninterfaces; i++) {
		db_int(&w->db, ADD_IMPLEMENTS, 1, w->classes[c.i]);
		db_int(&w->db, ADD_IMPLEMENTS, 2, w->classes[row->interfaces[i].i]);
		db_insert(&w->db, ADD_IMPLEMENTS);
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

	db_int(&w->db, ADD_METHOD, 1, order_rank(&w->order, m));
	db_int(&w->db, ADD_METHOD, 2, w->classes[row->owner.i]);
	db_text(&w->db, ADD_METHOD, 3, sel_name(w->p, row->sel));
	db_text(&w->db, ADD_METHOD, 4, sel_desc(w->p, row->sel));
	bind_package(w, ADD_METHOD, 5, row->owner);
	db_int(&w->db, ADD_METHOD, 6, callgraph_is_entry(w->g, m));
	db_int(&w->db, ADD_METHOD, 7, row->flags);
	db_static(&w->db, ADD_METHOD, 8, names_method(&w->names, m));
	db_insert(&w->db, ADD_METHOD);
}

static void write_declared(struct writer *w)
{
	for (uint32_t k = 0; k < w->mref_list.len; k++) {
		mref_id m = w->mref_list.data[k];
		const struct ir_mref *row = mref_row(w->p, m);
		db_int(&w->db, ADD_DECLARED, 1, k + 1);
		db_int(&w->db, ADD_DECLARED, 2, w->classes[row->owner.i]);
		db_text(&w->db, ADD_DECLARED, 3, sel_name(w->p, row->sel));
		db_text(&w->db, ADD_DECLARED, 4, sel_desc(w->p, row->sel));
		db_static(&w->db, ADD_DECLARED, 5, names_mref(&w->names, m));
		db_insert(&w->db, ADD_DECLARED);
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
	db_int(&w->db, ADD_TARGET, 1, *id);
	for (uint32_t i = 0; i < t.n && !w->db.failed; i++) {
		db_int(&w->db, ADD_TARGET, 2, order_rank(&w->order, t.methods[i]));
		db_insert(&w->db, ADD_TARGET);
	}
	return *id;
}

static void bind_cause(struct writer *w, const struct cg_site *s)
{
	if (s->cause == CG_RESOLVED)
		db_null(&w->db, ADD_SITE, 10);
	else
		db_static(&w->db, ADD_SITE, 10, str_of(cg_cause_name(s->cause)));
}

static void write_site(struct writer *w, method_id m, const struct cg_site *s)
{
	db_int(&w->db, ADD_SITE, 1, ++w->sites);
	db_int(&w->db, ADD_SITE, 2, order_rank(&w->order, m));
	db_int(&w->db, ADD_SITE, 3, s->pc);
	db_known(&w->db, ADD_SITE, 4, line_of(w->p, m, s->pc));
	db_static(&w->db, ADD_SITE, 5, str_of(op_name(s->op)));
	db_int(&w->db, ADD_SITE, 6, s->implied != 0);
	db_known(&w->db, ADD_SITE, 7, w->mrefs[s->mref.i]);
	db_known(&w->db, ADD_SITE, 8, write_set(w, s));
	db_int(&w->db, ADD_SITE, 9, callgraph_targets(w->g, s).n);
	bind_cause(w, s);
	db_insert(&w->db, ADD_SITE);
}

static void write_sites(struct writer *w, method_id m)
{
	uint32_t n;
	const struct cg_site *sites = callgraph_sites(w->g, m, &n);

	for (uint32_t i = 0; i < n && !w->db.failed; i++)
		write_site(w, m, &sites[i]);
}

static void write_graph(struct writer *w, const struct report_head *head)
{
	uint32_t n = callgraph_nmethods(w->g);

	write_meta(w, head);
	write_artifacts(w);
	write_classes(w);
	write_declared(w);
	for (uint32_t k = 0; k < n && !w->db.failed; k++)
		write_method(w, callgraph_method(w->g, k));
	for (uint32_t k = 0; k < n && !w->db.failed; k++)
		write_sites(w, callgraph_method(w->g, k));
}

static void writer_init(struct writer *w, struct callgraph *g)
{
	w->g = g;
	w->p = callgraph_program(g);
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

bool report_callgraph_sqlite(const char *path, struct callgraph *g, const struct report_head *head, struct strbuf *err)
{
	struct writer w = { 0 };

	if (!db_create(&w.db, path, err))
		return false;
	writer_init(&w, g);
	if (db_begin(&w.db, setup_sql, insert_sql, INSERTS))
		write_graph(&w, head);
	bool ok = db_end(&w.db, finish_sql);
	writer_release(&w);
	return ok;
}
