/* SPDX-License-Identifier: Apache-2.0 */
/* sqlite.c - the call graph of a C program as an SQLite database: see docs/formats/sqlite.md. The tables and views that
 * queries use, method, site, target_set, edge and method_edge, have the columns of Java's as far as they make sense. */
#include "report/c/graph_p.h"
#include "report/write/database.h"

static const char setup_sql[] =
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

enum insert { ADD_META = DB_META, ADD_METHOD, ADD_SITE, ADD_TARGET, ADD_ASSUMPTION, INSERTS };
_Static_assert(INSERTS <= DB_INSERTS, "more inserts than a database has");
static const char *const insert_sql[INSERTS] = {
	[ADD_META] = "INSERT INTO meta VALUES(?,?)",
	[ADD_METHOD] = "INSERT INTO method VALUES(?,?,?,?,?,?,?)",
	[ADD_SITE] = "INSERT INTO site VALUES(?,?,?,?,?,?,?,?,?)",
	[ADD_TARGET] = "INSERT INTO target_set VALUES(?,?)",
	[ADD_ASSUMPTION] = "INSERT INTO assumption VALUES(?,?,?,?,?)",
};

struct writer {
	struct database db;
	struct c_graph g;
	const struct c_result *r;
	uint32_t nsites;
};

static void write_meta(struct writer *w, const struct c_head *head)
{
	struct c_graph_stats st = c_graph_stats(&w->g);

	db_meta(&w->db, "schema", "sherd/callgraph-sqlite/1");
	db_meta(&w->db, "language", "c");
	db_meta(&w->db, "algorithm", head->engine);
	db_meta(&w->db, "entry", head->library ? "library" : "main");
	db_count(&w->db, "methods", st.functions);
	db_count(&w->db, "edges", st.edges);
	db_count(&w->db, "method_edges", st.function_edges);
	db_count(&w->db, "sites", st.sites);
	db_count(&w->db, "poly_sites", st.poly);
	db_count(&w->db, "unresolved", st.unresolved);
}

static void write_method(struct writer *w, uint32_t k)
{
	const struct c_node *n = &w->g.nodes.data[k];
	const struct cfn *f = c_fn(w->r, n->fn);
	const struct cloc *l = c_graph_loc(&w->g, f->loc);

	db_int(&w->db, ADD_METHOD, 1, k + 1);
	db_known_text(&w->db, ADD_METHOD, 2, interned(&w->r->program->names, f->name));
	db_known_text(&w->db, ADD_METHOD, 3, interned(&w->r->program->names, l->file));
	db_known(&w->db, ADD_METHOD, 4, l->line);
	db_int(&w->db, ADD_METHOD, 5, n->is_entry);
	db_int(&w->db, ADD_METHOD, 6, n->is_library);
	db_known_text(&w->db, ADD_METHOD, 7, c_graph_name(&w->g, k));
	db_insert(&w->db, ADD_METHOD);
}

static void write_site(struct writer *w, uint32_t k, const struct c_site *s)
{
	const struct cloc *l = c_site_loc(&w->g, s);
	uint32_t id = ++w->nsites;

	db_int(&w->db, ADD_TARGET, 1, id);
	for (uint32_t i = 0; i < s->ntargets && !w->db.failed; i++) {
		db_int(&w->db, ADD_TARGET, 2, w->g.targets.data[s->first + i] + UINT64_C(1));
		db_insert(&w->db, ADD_TARGET);
	}
	db_int(&w->db, ADD_SITE, 1, id);
	db_int(&w->db, ADD_SITE, 2, k + UINT64_C(1));
	db_int(&w->db, ADD_SITE, 3, s->number);
	db_known(&w->db, ADD_SITE, 4, l->line);
	db_known(&w->db, ADD_SITE, 5, l->column);
	db_known_text(&w->db, ADD_SITE, 6, str_of(c_site_word(s->kind)));
	db_known(&w->db, ADD_SITE, 7, s->ntargets ? id : 0);
	db_int(&w->db, ADD_SITE, 8, s->ntargets);
	db_known_text(&w->db, ADD_SITE, 9, screen_text(s->cause));
	db_insert(&w->db, ADD_SITE);
}

static void write_assumptions(struct writer *w)
{
	const struct cprogram *p = w->r->program;
	c_note_vec notes = { 0 };

	c_notes(w->r, &notes);
	for (uint32_t i = 0; i < notes.len && !w->db.failed; i++) {
		const struct cnote *x = &notes.data[i];
		const struct cloc *l = c_graph_loc(&w->g, x->loc);
		db_known_text(&w->db, ADD_ASSUMPTION, 1, str_of(c_note_name(x->kind)));
		db_known_text(&w->db, ADD_ASSUMPTION, 2, interned(&p->names, x->text));
		db_known_text(&w->db, ADD_ASSUMPTION, 3, x->fn.i ? w->g.names.fns[x->fn.i] : STR(""));
		db_known_text(&w->db, ADD_ASSUMPTION, 4, interned(&p->names, l->file));
		db_known(&w->db, ADD_ASSUMPTION, 5, l->line);
		db_insert(&w->db, ADD_ASSUMPTION);
	}
	vec_release(&notes);
}

static void write_graph(struct writer *w, const struct c_head *head)
{
	write_meta(w, head);
	for (uint32_t k = 0; k < w->g.nodes.len && !w->db.failed; k++)
		write_method(w, k);
	for (uint32_t k = 0; k < w->g.nodes.len; k++)
		for (uint32_t i = 0; i < w->g.nodes.data[k].nsites && !w->db.failed; i++)
			write_site(w, k, &w->g.sites.data[w->g.nodes.data[k].first + i]);
	write_assumptions(w);
}

bool report_callgraph_c_sqlite(const char *path, const struct c_result *r, const struct c_head *head, struct strbuf *err)
{
	struct writer w = { .r = r };

	if (!db_create(&w.db, path, err))
		return false;
	c_graph_init(&w.g, r, ESCAPE_PLAIN);
	if (db_begin(&w.db, setup_sql, insert_sql, INSERTS))
		write_graph(&w, head);
	bool ok = db_end(&w.db, finish_sql);
	c_graph_release(&w.g);
	return ok;
}
