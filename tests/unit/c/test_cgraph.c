// SPDX-License-Identifier: Apache-2.0
// links: report/c report/graph report/java report/write analysis/clients analysis/cgraph analysis/modref analysis/cpta analysis/allocation analysis/strings analysis/dynamic analysis/dynamic/text analysis/callgraph cir solve algo ir base
/* test_cgraph.c - the call graph of a C program, the view that its writers see, and what its clients can do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sqlite3.h>
#include <unistd.h>
#include <cmocka.h>

#include "cir_case.h"
#include "report/c/c.h"

static const struct cpta_opt precise = { .fields = true };

/* main calls sort, a model that is there twice, once for each of its calls, and calls back what it is given; then a pointer
 * that nothing is in, and assembly. Functions are not in the order of their names. */
#define HEAD "cprogram 8\nlayout ptr$1 scalar 8\nobject g@1 global ptr$1 size 8\nobject mine@2 global ptr$1 size 8 static\n"
#define MAIN \
	"function main() starts !\"m.c\":1:5\n{\n" \
	"f = &up\ncall sort(f) !2:3\nh = &down\ncall sort2(h) !3:3\ncall *z() !4:9\ncall *z() asm\ncall down() !5:1\n}\n"
#define REST \
	"function up()\n{\n}\nfunction down() !\"d.c\":7:1\n{\n}\n" \
	"function sort(c) model\n{\ncall *c()\n}\nfunction sort2#5(d) model of sort#4\n{\ncall *d()\n}\n" \
	"function never()\n{\ncall up()\n}\n"

struct fixture {
	struct cir_case c;
	struct cpta_stats stats;
	struct c_result r;
	struct graph_view *v;
};

static const struct c_head head = { .engine = "andersen" };

static void make_view(struct fixture *x)
{
	case_open(&x->c, HEAD MAIN REST "note asm main#1 !\"m.c\":5:1 \"nop\"\n", &precise);
	x->stats = cpta_stats(x->c.a);
	x->r = (struct c_result){ .program = &x->c.p, .facts = x->c.a, .stats = &x->stats };
	x->v = c_view_new(&x->r, &head);
}

static void open_view(struct fixture *x)
{
	make_view(x);
	graph_view_name_nodes(x->v, ESCAPE_PLAIN);
}

static void close_view(struct fixture *x)
{
	graph_view_free(x->v);
	case_close(&x->c);
}

/* "down up", of nodes. */
static const char *names(struct fixture *x, struct graph_targets t)
{
	strbuf_clear(&x->c.line);
	for (uint32_t i = 0; i < t.n; i++)
		strbuf_addf(&x->c.line, "%s%s", i ? " " : "", x->v->nodes[t.nodes[i]].name.p);
	return x->c.line.s ? x->c.line.s : "";
}

static uint32_t node(const struct fixture *x, const char *name)
{
	uint32_t k = 0;

	while (k < x->v->nnodes && strcmp(x->v->nodes[k].name.p, name) != 0)
		k++;
	assert_true(k < x->v->nnodes);
	return k;
}

static void nodes_are_functions_by_name(void **state)
{
	struct fixture x;
	struct graph_detail d;
	const uint32_t all[] = { 0, 1, 2, 3 };
	(void)state;

	open_view(&x);
	assert_int_equal(x.v->nnodes, 4);
	assert_string_equal(names(&x, (struct graph_targets){ all, 4 }), "down main sort up");
	assert_true(x.v->nodes[1].is_entry && !x.v->nodes[0].is_entry);
	assert_true(x.v->nodes[2].is_library && !x.v->nodes[1].is_library);
	x.v->maker->detail(x.v, 1, &d);
	assert_true(str_eq(d.file, STR("m.c")) && d.line == 1 && d.column == 5);
	x.v->maker->detail(x.v, 3, &d);
	assert_int_equal(d.file.len, 0);
	assert_int_equal(x.v->has, GRAPH_FILES | GRAPH_LIBRARY | GRAPH_NOTES);
	close_view(&x);
}

static void sites_have_kinds_places_and_causes(void **state)
{
	static const struct {
		const char *op, *targets, *cause;
		uint32_t line;
	} wanted[] = { { "direct", "sort", NULL, 2 }, { "direct", "sort", NULL, 3 }, { "pointer", "", "no-target", 4 },
		       { "assembly", "", "assembly", 0 }, { "direct", "down", NULL, 5 } };
	struct fixture x;
	uint32_t n;
	(void)state;

	open_view(&x);
	const struct graph_site *s = x.v->maker->sites(x.v, node(&x, "main"), &n);
	assert_int_equal(n, 5);
	for (uint32_t i = 0; i < n; i++) {
		struct graph_place at = x.v->maker->place(x.v, node(&x, "main"), &s[i]);
		assert_int_equal(s[i].pc, i);
		assert_string_equal(s[i].op, wanted[i].op);
		assert_string_equal(names(&x, graph_targets(x.v, &s[i])), wanted[i].targets);
		assert_int_equal(!s[i].set, !wanted[i].targets[0]);
		assert_true(!s[i].cause == !wanted[i].cause);
		if (s[i].cause)
			assert_string_equal(s[i].cause, wanted[i].cause);
		assert_int_equal(at.line, wanted[i].line);
	}
	close_view(&x);
}

/* The call of a model that was copied has the targets of all copies. */
static void copies_are_one(void **state)
{
	struct fixture x;
	uint32_t n;
	(void)state;

	open_view(&x);
	const struct graph_site *s = x.v->maker->sites(x.v, node(&x, "sort"), &n);
	assert_int_equal(n, 1);
	assert_string_equal(names(&x, graph_targets(x.v, s)), "down up");
	assert_string_equal(names(&x, graph_callees(x.v, node(&x, "sort"), 0)), "down up");
	assert_string_equal(names(&x, graph_callees(x.v, node(&x, "main"), 0)), "down sort");     /* once, however often called */
	assert_string_equal(names(&x, graph_callees(x.v, node(&x, "up"), 0)), "");
	struct graph_stats st = x.v->maker->stats(x.v);
	assert_int_equal(st.methods, 4);
	assert_int_equal(st.sites, 6);
	assert_int_equal(st.edges, 5);
	assert_int_equal(st.method_edges, 4);
	assert_int_equal(st.poly_sites, 1);
	assert_int_equal(st.unresolved, 2);
	close_view(&x);
}

static char *written(graph_writer *write)
{
	struct fixture x;
	char *text;
	size_t n;
	struct sink out = { .file = open_memstream(&text, &n) };

	make_view(&x);
	assert_true(write(&out, x.v));
	fclose(out.file);
	close_view(&x);
	return text;
}

static void expect(graph_writer *write, const char *wanted)
{
	char *text = written(write);

	assert_string_equal(text, wanted);
	free(text);
}

static void writers_write_what_c_has(void **state)
{
	(void)state;
	expect(report_graph_dot, "digraph callgraph {\n\trankdir=LR;\n\tnode [shape=box];\n\tn0 [label=\"down\"];\n"
				 "\tn1 [label=\"main\", penwidth=2];\n\tn2 [label=\"sort\", style=dashed];\n\tn3 [label=\"up\"];\n"
				 "\tn1 -> n0;\n\tn1 -> n2;\n\tn2 -> n0;\n\tn2 -> n3;\n}\n");
	expect(report_graph_csv, "caller,site_pc,line,kind,callee\n,,,entry,main\nmain,0,2,direct,sort\nmain,1,3,direct,sort\n"
				 "main,2,4,unresolved:no-target,\nmain,3,,unresolved:assembly,\nmain,4,5,direct,down\n"
				 "sort,0,,pointer,down\nsort,0,,pointer,up\n");
	expect(report_graph_json,
	       "{\"schema\":\"sherd/callgraph/1\",\"language\":\"c\",\"algorithm\":\"andersen\",\"entry\":\"main\",\n\"methods\":[\n"
	       "{\"method\":\"down\",\"file\":\"d.c\",\"line\":7,\"column\":1,\"sites\":[]},\n"
	       "{\"method\":\"main\",\"file\":\"m.c\",\"line\":1,\"column\":5,\"entry\":true,\"sites\":[\n"
	       "{\"site\":\"main@0\",\"pc\":0,\"line\":2,\"column\":3,\"op\":\"direct\",\"targets\":[\"sort\"]},\n"
	       "{\"site\":\"main@1\",\"pc\":1,\"line\":3,\"column\":3,\"op\":\"direct\",\"targets\":[\"sort\"]},\n"
	       "{\"site\":\"main@2\",\"pc\":2,\"line\":4,\"column\":9,\"op\":\"pointer\",\"targets\":[],\"unresolved\":\"no-target\"},\n"
	       "{\"site\":\"main@3\",\"pc\":3,\"op\":\"assembly\",\"targets\":[],\"unresolved\":\"assembly\"},\n"
	       "{\"site\":\"main@4\",\"pc\":4,\"line\":5,\"column\":1,\"op\":\"direct\",\"targets\":[\"down\"]}]},\n"
	       "{\"method\":\"sort\",\"library\":true,\"sites\":[\n"
	       "{\"site\":\"sort@0\",\"pc\":0,\"op\":\"pointer\",\"targets\":[\"down\",\"up\"]}]},\n"
	       "{\"method\":\"up\",\"sites\":[]}],\n\"unresolved\":[\n"
	       "{\"site\":\"main@2\",\"pc\":2,\"line\":4,\"column\":9,\"cause\":\"no-target\"},\n"
	       "{\"site\":\"main@3\",\"pc\":3,\"cause\":\"assembly\"}],\n\"unknown_functions\":[],\n\"assumptions\":[\n"
	       "{\"kind\":\"inline-assembly\",\"text\":\"nop\",\"function\":\"main\",\"file\":\"m.c\",\"line\":5,\"column\":1}]}\n");
	char *xml = written(report_graph_graphml);
	assert_null(strstr(xml, "key id=\"class\""));
	assert_non_null(strstr(xml, "<node id=\"n1\"><data key=\"method\">main</data><data key=\"file\">m.c</data>"
				    "<data key=\"entry\">true</data></node>\n"));
	assert_non_null(strstr(xml, "<node id=\"n2\"><data key=\"method\">sort</data><data key=\"library\">true</data></node>\n"));
	free(xml);
}

static int add_line(void *ctx, int n, char **values, char **columns)
{
	struct strbuf *out = ctx;

	(void)columns;
	for (int i = 0; i < n; i++)
		strbuf_addf(out, "%s%s", i ? "|" : "", values[i] ? values[i] : "NULL");
	strbuf_addch(out, '\n');
	return 0;
}

static void expect_rows(sqlite3 *db, const char *sql, const char *wanted)
{
	struct strbuf rows = { 0 };

	assert_int_equal(sqlite3_exec(db, sql, add_line, &rows, NULL), SQLITE_OK);
	assert_string_equal(rows.s ? rows.s : "", wanted);
	strbuf_release(&rows);
}

static void a_database_has_the_tables_of_c(void **state)
{
	char path[] = "/tmp/sherd-cgraph-XXXXXX";
	int fd = mkstemp(path);
	struct strbuf err = { 0 };
	struct fixture x;
	sqlite3 *db;
	(void)state;

	assert_true(fd >= 0);
	close(fd);
	make_view(&x);
	assert_true(report_graph_sqlite(path, x.v, &err));
	close_view(&x);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	expect_rows(db, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name", "assumption\nmeta\nmethod\nsite\ntarget_set\n");
	expect_rows(db, "SELECT * FROM method", "1|down|d.c|7|0|0|down\n2|main|m.c|1|1|0|main\n3|sort|NULL|NULL|0|1|sort\n"
						"4|up|NULL|NULL|0|0|up\n");
	/* A set has the number of its site */
	expect_rows(db, "SELECT id, targets, ntargets, column, cause FROM site WHERE method = 2",
		    "1|1|1|3|NULL\n2|2|1|3|NULL\n3|NULL|0|9|no-target\n4|NULL|0|NULL|assembly\n5|5|1|1|NULL\n");
	expect_rows(db, "SELECT caller, callee FROM method_edge ORDER BY 1, 2", "main|down\nmain|sort\nsort|down\nsort|up\n");
	expect_rows(db, "SELECT * FROM assumption", "inline-assembly|nop|main|m.c|5\n");
	expect_rows(db, "SELECT value FROM meta WHERE key IN ('language', 'method_edges') ORDER BY key", "c\n4\n");
	sqlite3_close(db);
	unlink(path);
}

/* Clients have `out`, since their data may point to it; `mine` is out of their reach. work() writes where they say, through
 * a model, too; quiet() does nothing with them. */
static void clients_are_told_from_the_library(void **state)
{
	struct cir_case c;
	struct clients x;
	(void)state;

	case_open(&c,
		  "cprogram 8\nlayout ptr$1 scalar 8\nobject out@1 global ptr$1 size 8\nobject mine@2 global ptr$1 size 8 static\n"
		  "object theirs@3 global _ size 0 placeholder\n"
		  "function theirs_code() starts placeholder\n{\np = &theirs\nq = &out\n*p = q for 8\nf = &theirs_code\ncall work(p, f)\ncall quiet()\n}\n"
		  "function work(to, back)\n{\n*to = _ for 8\ncall set(to)\ncall *back()\n}\n"
		  "function set(at) model\n{\n*at = _ for 8\n}\n"
		  "function quiet()\n{\nm = &mine\n*m = _ for 8\n}\n"
		  "function outer() starts\n{\nt = &theirs\ncall work(t, _)\n}\n",
		  &precise);
	clients_compute(&x, c.a, (cobj_id){ 3 }, (cfn_id){ 1 });
	assert_true(x.reached[1] && !x.reached[2]);
	assert_true(x.counted[1] && x.counted[2] && !x.counted[3]);
	assert_int_equal(x.stats.variables, 2);
	assert_int_equal(x.stats.reachable, 1);
	assert_int_equal(x.stats.accesses, 3);           /* two stores, and the call of the model */
	assert_int_equal(x.stats.touching, 2);
	assert_int_equal(x.stats.calls, 3);
	assert_int_equal(x.stats.calling, 1);
	assert_int_equal(x.stats.functions, 3);
	assert_int_equal(x.stats.interacting, 2);        /* work, and outer, which calls it */
	assert_false(x.fn_interacts[4]);
	clients_release(&x);
	case_close(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nodes_are_functions_by_name), cmocka_unit_test(sites_have_kinds_places_and_causes),
		cmocka_unit_test(copies_are_one), cmocka_unit_test(writers_write_what_c_has),
		cmocka_unit_test(a_database_has_the_tables_of_c), cmocka_unit_test(clients_are_told_from_the_library),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
