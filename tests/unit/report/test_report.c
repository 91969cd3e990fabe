// SPDX-License-Identifier: Apache-2.0
// links: base analysis/strings analysis/dynamic analysis/dynamic/text report
/* The writers, on small graphs made by hand: a fake of callgraph.h and of the few functions of program.h
 * that writers call stands in for the layers below. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "report/graph/callgraph.h"
#include "report/write/escape.h"
#include "report/write/json.h"
#include "report/java/order.h"

/* The fake graph. Methods are listed in `order`, sorted by the test that makes them. */
struct callgraph {
	struct program p;
	VEC(method_id) order;
	VEC(struct cg_site) sites;
	VEC(uint32_t) site_owner;
	VEC(struct cg_targets) sets;
	VEC(struct cg_classes) receivers;
	VEC(uint8_t) entry;              /* by method id */
	struct cg_dynamic dynamic;       /* the only one */
	struct arena mem;
};

const char *cg_cause_name(enum cg_cause c)
{
	return c == CG_REFLECTION ? "reflection" : c == CG_BOOTSTRAP ? "bootstrap" : "native";
}

const struct program *callgraph_program(const struct callgraph *g)
{
	return &g->p;
}

uint32_t callgraph_nmethods(const struct callgraph *g)
{
	return g->order.len;
}

method_id callgraph_method(const struct callgraph *g, uint32_t k)
{
	return g->order.data[k];
}

bool callgraph_is_entry(const struct callgraph *g, method_id m)
{
	return g->entry.data[m.i];
}

bool callgraph_is_by_callback(const struct callgraph *g, method_id m)
{
	(void)g, (void)m;
	return false;
}

/* Sites of a method were added one after another. */
const struct cg_site *callgraph_sites(const struct callgraph *g, method_id m, uint32_t *n)
{
	uint32_t first = 0;

	while (first < g->sites.len && g->site_owner.data[first] != m.i)
		first++;
	for (*n = 0; first + *n < g->sites.len && g->site_owner.data[first + *n] == m.i;)
		++*n;
	return g->sites.data + first;
}

uint32_t callgraph_nsets(const struct callgraph *g)
{
	return g->sets.len;
}

struct cg_targets callgraph_targets(const struct callgraph *g, const struct cg_site *s)
{
	return g->sets.data[s->set];
}

struct cg_classes callgraph_receivers(const struct callgraph *g, const struct cg_site *s)
{
	return g->receivers.len ? g->receivers.data[s->receivers] : (struct cg_classes){ 0 };
}

const struct cg_dynamic *callgraph_dynamic_at(const struct callgraph *g, method_id caller, uint32_t pc)
{
	return g->dynamic.caller.i && g->dynamic.caller.i == caller.i && g->dynamic.pc == pc ? &g->dynamic : NULL;
}

struct cg_stats callgraph_stats(const struct callgraph *g)
{
	struct cg_stats st = { .methods = g->order.len, .sites = g->sites.len, .classes = g->p.classes.len - 1 };

	for (uint32_t i = 0; i < g->sites.len; i++) {
		const struct cg_site *s = &g->sites.data[i];
		st.edges += g->sets.data[s->set].n;
		st.poly_sites += g->sets.data[s->set].n > 1;
		st.unresolved += s->cause != CG_RESOLVED;
		st.open_sites += s->open;
		st.by_cause[s->cause] += s->cause != CG_RESOLVED;
	}
	st.method_edges = st.edges;
	return st;
}

void print_class(const struct program *p, class_id c, struct strbuf *out)
{
	struct str name = class_name(p, c);

	for (uint32_t i = 0; i < name.len; i++)
		strbuf_addch(out, name.p[i] == '/' ? '.' : name.p[i]);
}

struct str package_of(struct str name)
{
	int64_t slash = str_rfind(name, '/');

	return str_sub(name, 0, slash < 0 ? 0 : (uint32_t)slash);
}

static uint32_t fake_line(void *ctx ATTR_UNUSED, struct program *p ATTR_UNUSED, method_id m, uint32_t pc)
{
	return m.i == 1 ? pc + 1 : 0;
}

static struct callgraph *graph_new(void)
{
	struct callgraph *g = mem_zalloc(sizeof *g);

	arena_init(&g->mem);
	arena_init(&g->p.mem);
	interner_init(&g->p.strings);
	vec_push(&g->p.classes, ((struct ir_class){ 0 }));
	vec_push(&g->p.methods, ((struct ir_method){ 0 }));
	vec_push(&g->p.sels, ((struct ir_selector){ 0 }));
	vec_push(&g->p.mrefs, ((struct ir_mref){ 0 }));
	vec_push(&g->p.artifacts, "");
	vec_push(&g->sets, ((struct cg_targets){ 0 }));
	vec_push(&g->entry, 0);
	g->p.source.line = fake_line;
	return g;
}

static void graph_free(struct callgraph *g)
{
	arena_release(&g->mem);
	arena_release(&g->p.mem);
	interner_release(&g->p.strings);
	vec_release(&g->p.classes);
	vec_release(&g->p.methods);
	vec_release(&g->p.sels);
	vec_release(&g->p.mrefs);
	vec_release(&g->p.artifacts);
	vec_release(&g->p.phantoms);
	vec_release(&g->order);
	vec_release(&g->sites);
	vec_release(&g->site_owner);
	vec_release(&g->sets);
	vec_release(&g->receivers);
	vec_release(&g->entry);
	free(g);
}

static class_id add_class(struct callgraph *g, const char *name)
{
	class_id c = { g->p.classes.len };

	vec_push(&g->p.classes, ((struct ir_class){ .name = intern(&g->p.strings, str_of(name)), .artifact = 1 }));
	return c;
}

static sel_id add_sel(struct callgraph *g, const char *name, const char *desc)
{
	sel_id s = { g->p.sels.len };
	str_id n = intern(&g->p.strings, str_of(name)), d = intern(&g->p.strings, str_of(desc));

	vec_push(&g->p.sels, ((struct ir_selector){ .name = n, .desc = d }));
	return s;
}

static method_id add_method(struct callgraph *g, class_id owner, const char *name, const char *desc)
{
	method_id m = { g->p.methods.len };

	vec_push(&g->p.methods, ((struct ir_method){ .owner = owner, .sel = add_sel(g, name, desc), .flags = 1 }));
	vec_push(&g->entry, 0);
	return m;
}

static mref_id add_mref(struct callgraph *g, class_id owner, const char *name, const char *desc)
{
	mref_id m = { g->p.mrefs.len };

	vec_push(&g->p.mrefs, ((struct ir_mref){ .owner = owner, .sel = add_sel(g, name, desc) }));
	return m;
}

static uint32_t add_set(struct callgraph *g, const method_id *methods, uint32_t n)
{
	const method_id *copy = arena_copy(&g->mem, methods, sizeof(method_id) * n);

	vec_push(&g->sets, ((struct cg_targets){ copy, n }));
	return g->sets.len - 1;
}

static void add_site(struct callgraph *g, method_id m, struct cg_site s)
{
	vec_push(&g->sites, s);
	vec_push(&g->site_owner, m.i);
}

/* main makes a Circle and asks a Shape for its area; ids are not in the order of names. */
static struct callgraph *shapes(void)
{
	struct callgraph *g = graph_new();
	class_id main_class = add_class(g, "demo/Main"), square = add_class(g, "demo/Square");
	class_id circle = add_class(g, "demo/Circle"), object = add_class(g, "java/lang/Object");
	class_id shape = add_class(g, "demo/Shape"), reflect = add_class(g, "java/lang/reflect/Method");
	class_id gone = add_class(g, "demo/Gone"), also = add_class(g, "demo/Also");
	method_id main_method = add_method(g, main_class, "main", "([Ljava/lang/String;I)V");
	method_id of_square = add_method(g, square, "area", "()D");
	method_id of_circle = add_method(g, circle, "area", "()D");
	method_id init = add_method(g, object, "<init>", "()V");
	mref_id to_init = add_mref(g, object, "<init>", "()V"), to_area = add_mref(g, shape, "area", "()D");
	mref_id to_invoke = add_mref(g, reflect, "invoke", "(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;");
	uint32_t one = add_set(g, &init, 1), two = add_set(g, (method_id[]){ of_square, of_circle }, 2);
	method_id order[] = { of_circle, main_method, of_square, init };

	class_row(&g->p, circle)->super = object;
	class_row(&g->p, gone)->kind = class_row(&g->p, also)->kind = CLASS_PHANTOM;
	vec_push(&g->p.phantoms, gone);
	vec_push(&g->p.phantoms, also);
	vec_push(&g->p.artifacts, "demo.jar");
	for (size_t i = 0; i < ARRAY_LEN(order); i++)
		vec_push(&g->order, order[i]);
	g->entry.data[main_method.i] = 1;
	add_site(g, main_method, (struct cg_site){ .op = IR_CALL_SPECIAL, .mref = to_init, .set = one });
	add_site(g, main_method, (struct cg_site){ .pc = 4, .op = IR_CALL_INTERFACE, .mref = to_area, .set = two });
	add_site(g, main_method, (struct cg_site){ .pc = 9, .op = IR_CALL_VIRTUAL, .mref = to_invoke, .cause = CG_REFLECTION });
	add_site(g, main_method, (struct cg_site){ .pc = 12, .op = IR_CALL_INTERFACE, .mref = to_area, .set = two });
	add_site(g, of_circle, (struct cg_site){ .pc = 3, .op = IR_CALL_STATIC, .implied = 1, .set = one });
	add_site(g, of_circle, (struct cg_site){ .pc = 7, .op = IR_CALL_DYNAMIC, .cause = CG_BOOTSTRAP });
	return g;
}

/* Names that no compiler makes: quotes, markup, NUL, an escape, a surrogate pair, half of one, bad bytes. */
static struct callgraph *hostile(void)
{
	struct callgraph *g = graph_new();
	class_id c = add_class(g, "a\"b/<&>\\,'");
	class_id array = add_class(g, "[I");
	method_id m = add_method(g, c, "\xc0\x80\x1b[31m\xed\xa0\xbd\xed\xb8\x80\xed\xa0\xbdx\xff\xc3\xa9\n", "(L");
	uint32_t self = add_set(g, &m, 1);
	mref_id to_clone = add_mref(g, array, "clone", "no descriptor");

	vec_push(&g->order, m);
	vec_push(&g->p.phantoms, c);
	vec_push(&g->p.artifacts, "x\".jar");
	add_site(g, m, (struct cg_site){ .op = IR_CALL_VIRTUAL, .mref = to_clone, .set = self });
	add_site(g, m, (struct cg_site){ .pc = 1, .op = IR_CALL_STATIC, .set = self, .cause = CG_REFLECTION });
	return g;
}

static bool is_demo(const void *p, class_id c)
{
	return str_starts(class_name(p, c), "demo/");
}

static const struct report_head head = { .algorithm = "rta", .entry = "main demo.Main", .class_path = "demo.jar" };

/* Formats for every language, of a view of the graph. */
#define OF_VIEW(name, writer) \
	static bool name(struct sink *out, struct callgraph *g, const struct report_head *h) \
	{ \
		struct graph_view *v = java_view_new(g, h); \
		bool ok = writer(out, v); \
		graph_view_free(v); \
		return ok; \
	}
OF_VIEW(write_json, report_graph_json)
OF_VIEW(write_dot, report_graph_dot)
OF_VIEW(write_graphml, report_graph_graphml)
OF_VIEW(write_csv, report_graph_csv)

static bool write_sqlite(const char *path, struct callgraph *g, const struct report_head *h, struct strbuf *err)
{
	struct graph_view *v = java_view_new(g, h);
	bool ok = report_graph_sqlite(path, v, err);

	graph_view_free(v);
	return ok;
}

/* What a writer writes; free() it. */
static char *written(callgraph_writer *writer, struct callgraph *g, const struct report_head *h)
{
	char *text;
	size_t n;
	struct sink out = { .file = open_memstream(&text, &n) };
	struct report_head with = *h;

	with.application = &g->p;     /* what is_demo looks at */
	assert_true(writer(&out, g, &with));
	assert_null(out.buf);
	fclose(out.file);
	return text;
}

static void expect(callgraph_writer *writer, const struct report_head *h, const char *wanted)
{
	struct callgraph *g = shapes();
	char *text = written(writer, g, h);

	assert_string_equal(text, wanted);
	free(text);
	graph_free(g);
}

/* A validator of JSON: returns the end of the value at p, or NULL. */
static const char *skip_space(const char *p)
{
	return p + strspn(p, " \n\t\r");
}

static const char *json_string_end(const char *p)
{
	for (p++; *p != '"'; p++) {
		if ((unsigned char)*p < 0x20)
			return NULL;
		if (*p != '\\')
			continue;
		p++;
		if (*p == 'u' && strspn(p + 1, "0123456789abcdef") >= 4)
			p += 4;
		else if (!*p || !strchr("\"\\/bfnrt", *p))
			return NULL;
	}
	return p + 1;
}

static const char *json_end(const char *p);

static const char *json_members_end(const char *p, char close)
{
	p = skip_space(p + 1);
	if (*p == close)
		return p + 1;
	for (;; p++) {
		if (close == '}') {
			p = skip_space(p);
			p = *p == '"' ? json_string_end(p) : NULL;
			if (!p || *p++ != ':')
				return NULL;
		}
		p = json_end(p);
		if (!p || *p == close)
			return p ? p + 1 : NULL;
		if (*p != ',')
			return NULL;
	}
}

static const char *json_end(const char *p)
{
	p = skip_space(p);
	if (*p == '{' || *p == '[')
		p = json_members_end(p, *p == '{' ? '}' : ']');
	else if (*p == '"')
		p = json_string_end(p);
	else if (strspn(p, "-0123456789"))
		p += strspn(p, "-0123456789");
	else if (!strncmp(p, "true", 4) || !strncmp(p, "null", 4))
		p += 4;
	else
		return NULL;
	return p ? skip_space(p) : NULL;
}

static void assert_json(const char *text)
{
	const char *end = json_end(text);

	assert_non_null(end);
	assert_int_equal(*end, 0);
}

/* Tags nest and close, text has no stray markup. Attributes hold no '>' or '<': the writers escape them. */
static void assert_xml(const char *text)
{
	const char *open[32];
	int depth = 0;

	assert_int_equal(strncmp(text, "<?xml", 5), 0);
	for (const char *p = strchr(text + 1, '<'); p; p = strchr(p + 1, '<')) {
		const char *end = strchr(p, '>');
		assert_non_null(end);
		if (p[1] == '/') {
			assert_true(depth > 0);
			depth--;
			assert_int_equal(strncmp(open[depth], p + 2, (size_t)(end - p) - 2), 0);
		} else if (end[-1] != '/') {
			assert_true(depth < 32);
			open[depth++] = p + 1;
		}
	}
	assert_int_equal(depth, 0);
	for (const char *p = strchr(text, '&'); p; p = strchr(p + 1, '&'))
		assert_true(strspn(p + 1, "abcdefghijklmnopqrstuvwxyz") >= 2);
}

#define MAIN "demo.Main.main([Ljava/lang/String;I)V"
#define INIT "java.lang.Object.<init>()V"
#define INVOKE "java.lang.reflect.Method.invoke(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;"
#define TWO_AREAS "[\"demo.Circle.area()D\",\"demo.Square.area()D\"]"

static void json_is_as_documented(void **state ATTR_UNUSED)
{
	expect(write_json, &head,
	       "{\"schema\":\"sherd/callgraph/1\",\"algorithm\":\"rta\",\"entry\":\"main demo.Main\",\n"
	       "\"methods\":[\n"
	       "{\"method\":\"demo.Circle.area()D\",\"sites\":[\n"
	       "{\"site\":\"demo.Circle.area()D@3\",\"pc\":3,\"op\":\"static\",\"implied\":true,\"targets\":[\"" INIT "\"]},\n"
	       "{\"site\":\"demo.Circle.area()D@7\",\"pc\":7,\"op\":\"dynamic\",\"targets\":[],\"unresolved\":\"bootstrap\"}]},\n"
	       "{\"method\":\"" MAIN "\",\"entry\":true,\"sites\":[\n"
	       "{\"site\":\"" MAIN "@0\",\"pc\":0,\"line\":1,\"op\":\"special\",\"declared\":\"" INIT "\",\"targets\":[\"" INIT "\"]},\n"
	       "{\"site\":\"" MAIN "@4\",\"pc\":4,\"line\":5,\"op\":\"interface\",\"declared\":\"demo.Shape.area()D\",\"targets\":" TWO_AREAS "},\n"
	       "{\"site\":\"" MAIN "@9\",\"pc\":9,\"line\":10,\"op\":\"virtual\",\"declared\":\"" INVOKE "\",\"targets\":[],\"unresolved\":\"reflection\"},\n"
	       "{\"site\":\"" MAIN "@12\",\"pc\":12,\"line\":13,\"op\":\"interface\",\"declared\":\"demo.Shape.area()D\",\"targets\":" TWO_AREAS "}]},\n"
	       "{\"method\":\"demo.Square.area()D\",\"sites\":[]},\n"
	       "{\"method\":\"" INIT "\",\"sites\":[]}],\n"
	       "\"phantom_classes\":[\"demo.Also\",\"demo.Gone\"],\n"
	       "\"unresolved\":[\n"
	       "{\"site\":\"demo.Circle.area()D@7\",\"pc\":7,\"cause\":\"bootstrap\"},\n"
	       "{\"site\":\"" MAIN "@9\",\"pc\":9,\"line\":10,\"cause\":\"reflection\"}]}\n");
}

#define JCG(name, class, ret, params) \
	"{\"name\":\"" name "\",\"declaringClass\":\"L" class ";\",\"returnType\":\"" ret "\",\"parameterTypes\":[" params "]}"
#define JCG_INIT JCG("<init>", "java/lang/Object", "V", "")
#define JCG_CIRCLE JCG("area", "demo/Circle", "D", "")
#define JCG_SQUARE JCG("area", "demo/Square", "D", "")
#define JCG_SHAPE JCG("area", "demo/Shape", "D", "")
#define JCG_SITE(target, line, pc, targets) \
	"{\"declaredTarget\":" target ",\"line\":" line ",\"pc\":" pc ",\"targets\":[" targets "]}"

/* The two calls of area have the receivers Square and Circle, and the second one may have others. */
static struct callgraph *shapes_with_receivers(void)
{
	struct callgraph *g = shapes();
	const class_id both[] = { { 2 }, { 3 } };

	vec_push(&g->receivers, ((struct cg_classes){ 0 }));
	vec_push(&g->receivers, ((struct cg_classes){ arena_copy(&g->mem, both, sizeof(both)), 2 }));
	g->sites.data[1].receivers = g->sites.data[3].receivers = 1;
	g->sites.data[3].open = 1;
	return g;
}

static void json_can_have_receivers(void **state ATTR_UNUSED)
{
	struct report_head h = head;
	struct callgraph *g = shapes_with_receivers();
	char *without = written(write_json, g, &h);

	h.receivers = true;
	char *with = written(write_json, g, &h);
	assert_null(strstr(without, "\"receivers\""));
	assert_non_null(strstr(without, "\"demo.Square.area()D\"],\"open\":true}"));
	assert_non_null(strstr(with, "\"demo.Square.area()D\"],\"receivers\":[\"demo.Circle\",\"demo.Square\"]}"));
	assert_non_null(strstr(with, "\"receivers\":[\"demo.Circle\",\"demo.Square\"],\"open\":true}"));
	assert_non_null(strstr(with, "\"targets\":[],\"receivers\":[],\"unresolved\":\"reflection\"}"));
	assert_null(strstr(with, "\"java.lang.Object.<init>()V\"],\"receivers\""));
	free(without);
	free(with);
	graph_free(g);
}

static void text_counts_open_sites(void **state ATTR_UNUSED)
{
	struct callgraph *g = shapes_with_receivers(), *closed = shapes();
	char *text = written(report_callgraph_text, g, &head), *plain = written(report_callgraph_text, closed, &head);

	assert_non_null(strstr(text, "\n  Open sites                  1  receivers may be of unknown class\n"));
	assert_null(strstr(plain, "Open sites"));
	free(text);
	free(plain);
	graph_free(g);
	graph_free(closed);
}

static void jcg_is_as_documented(void **state ATTR_UNUSED)
{
	expect(report_callgraph_jcg, &head,
	       "{\"reachableMethods\":[\n"
	       "{\"method\":" JCG_CIRCLE ",\"callSites\":[\n"
	       JCG_SITE(JCG_INIT, "-1", "3", JCG_INIT) ",\n"
	       JCG_SITE(JCG("invokedynamic", "java/lang/invoke/CallSite", "V", ""), "-1", "7", "") "]},\n"
	       "{\"method\":" JCG("main", "demo/Main", "V", "\"[Ljava/lang/String;\",\"I\"") ",\"entry\":true,\"callSites\":[\n"
	       JCG_SITE(JCG_INIT, "1", "0", JCG_INIT) ",\n"
	       JCG_SITE(JCG_SHAPE, "5", "4", JCG_CIRCLE "," JCG_SQUARE) ",\n"
	       JCG_SITE(JCG("invoke", "java/lang/reflect/Method", "Ljava/lang/Object;",
			    "\"Ljava/lang/Object;\",\"[Ljava/lang/Object;\""), "10", "9", "") ",\n"
	       JCG_SITE(JCG_SHAPE, "13", "12", JCG_CIRCLE "," JCG_SQUARE) "]},\n"
	       "{\"method\":" JCG_SQUARE ",\"callSites\":[]},\n"
	       "{\"method\":" JCG_INIT ",\"callSites\":[]}]}\n");
}

static void csv_has_a_row_an_edge(void **state ATTR_UNUSED)
{
	expect(write_csv, &head,
	       "caller,site_pc,line,kind,callee\n"
	       ",,,entry," MAIN "\n"
	       "demo.Circle.area()D,3,,jvm," INIT "\n"
	       "demo.Circle.area()D,7,,unresolved:bootstrap,\n"
	       MAIN ",0,1,special," INIT "\n"
	       MAIN ",4,5,interface,demo.Circle.area()D\n"
	       MAIN ",4,5,interface,demo.Square.area()D\n"
	       MAIN ",9,10,unresolved:reflection,\n"
	       MAIN ",12,13,interface,demo.Circle.area()D\n"
	       MAIN ",12,13,interface,demo.Square.area()D\n");
}

static void dot_has_distinct_edges(void **state ATTR_UNUSED)
{
	expect(write_dot, &head,
	       "digraph callgraph {\n\trankdir=LR;\n\tnode [shape=box];\n"
	       "\tn1 [label=\"demo.Circle.area()D\"];\n"
	       "\tn2 [label=\"" MAIN "\", penwidth=2];\n"
	       "\tn3 [label=\"demo.Square.area()D\"];\n"
	       "\tn4 [label=\"" INIT "\"];\n"
	       "\tn1 -> n4;\n\tn2 -> n1;\n\tn2 -> n3;\n\tn2 -> n4;\n}\n");
}

static void dot_can_cluster_packages(void **state ATTR_UNUSED)
{
	struct report_head h = head;

	h.clusters = true;
	expect(write_dot, &h,
	       "digraph callgraph {\n\trankdir=LR;\n\tnode [shape=box];\n"
	       "\tsubgraph \"cluster_demo\" {\n\tlabel=\"demo\";\n"
	       "\tn1 [label=\"demo.Circle.area()D\"];\n"
	       "\tn2 [label=\"" MAIN "\", penwidth=2];\n"
	       "\tn3 [label=\"demo.Square.area()D\"];\n\t}\n"
	       "\tsubgraph \"cluster_java.lang\" {\n\tlabel=\"java.lang\";\n"
	       "\tn4 [label=\"" INIT "\"];\n\t}\n"
	       "\tn1 -> n4;\n\tn2 -> n1;\n\tn2 -> n3;\n\tn2 -> n4;\n}\n");
}

static void graphml_is_well_formed(void **state ATTR_UNUSED)
{
	static const char body[] =
		"<graph id=\"callgraph\" edgedefault=\"directed\">\n"
		"<node id=\"n1\"><data key=\"method\">demo.Circle.area()D</data><data key=\"class\">demo.Circle</data></node>\n"
		"<node id=\"n2\"><data key=\"method\">" MAIN "</data><data key=\"class\">demo.Main</data>"
		"<data key=\"entry\">true</data></node>\n"
		"<node id=\"n3\"><data key=\"method\">demo.Square.area()D</data><data key=\"class\">demo.Square</data></node>\n"
		"<node id=\"n4\"><data key=\"method\">java.lang.Object.&lt;init&gt;()V</data>"
		"<data key=\"class\">java.lang.Object</data></node>\n"
		"<edge source=\"n1\" target=\"n4\"/>\n<edge source=\"n2\" target=\"n1\"/>\n"
		"<edge source=\"n2\" target=\"n3\"/>\n<edge source=\"n2\" target=\"n4\"/>\n</graph>\n</graphml>\n";
	struct callgraph *g = shapes();
	char *text = written(write_graphml, g, &head);

	assert_xml(text);
	assert_string_equal(strstr(text, "<graph id"), body);
	free(text);
	graph_free(g);
}

static void text_is_a_screen(void **state ATTR_UNUSED)
{
	struct report_head h = head;

	h.width = 80;
	h.is_application = is_demo;
	expect(report_callgraph_text, &h,
	       "Call graph\n"
	       "  Entry       main demo.Main\n"
	       "  Algorithm   rta\n"
	       "  Class path  demo.jar\n"
	       "\n"
	       "  Methods                     4  Call sites                  6\n"
	       "  Edges                       6  Polymorphic                 2  33.3 %\n"
	       "  Method edges                6  Unresolved                  2\n"
	       "  Classes                     8  Missing classes             2\n"
	       "\n"
	       "Polymorphic sites of the application  2\n"
	       "  Targets  Sites  First site        Declared target\n"
	       "        2      2  demo.Main.main:5  demo.Shape.area()\n"
	       "\n"
	       "Unresolved sites  2\n"
	       "  reflection 1, bootstrap 1\n"
	       "  Cause          Site                Declared target\n"
	       "  bootstrap      demo.Circle.area@7  invokedynamic\n"
	       "  reflection     demo.Main.main:10   j.l.reflect.Method.invoke(Object, Object[])\n"
	       "\n"
	       "Missing classes  2\n"
	       "  demo.Also\n"
	       "  demo.Gone\n"
	       "\n"
	       "Calls of the application\n"
	       "  demo.Circle.area()\n"
	       "  ├─ @3     java.lang.Object.<init>()  implied\n"
	       "  └─ @7     invokedynamic  unresolved: bootstrap\n"
	       "  demo.Main.main(String[], int)  entry\n"
	       "  ├─     1  java.lang.Object.<init>()\n"
	       "  ├─     5  demo.Shape.area()  2 targets\n"
	       "  │      ├─ demo.Circle.area()\n"
	       "  │      └─ demo.Square.area()\n"
	       "  ├─    10  j.l.reflect.Method.invoke(Object, Object[])  unresolved: reflection\n"
	       "  └─    13  demo.Shape.area()  2 targets\n"
	       "         ├─ demo.Circle.area()\n"
	       "         └─ demo.Square.area()\n");
}

/* Many sites: tables end after ten rows, the listing goes, and no line is wider than asked for. */
static void text_stays_a_screen(void **state ATTR_UNUSED)
{
	struct callgraph *g = shapes();
	struct report_head h = { .algorithm = "cha", .entry = "public", .width = 1, .is_application = is_demo };
	method_id last = *vec_last(&g->order);
	class_id far = add_class(g, "demo/a/very/long/name/of/a/package/that/does/not/fit/on/a/screen/Short");
	mref_id to = add_mref(g, far, "run", "(Ljava/util/Map;Ljava/util/Map;Ljava/util/Map;)V");

	for (uint32_t i = 0; i < 201; i++)
		add_site(g, last, (struct cg_site){ .pc = i, .op = IR_CALL_VIRTUAL, .mref = to, .set = 2, .cause = CG_REFLECTION });
	method_row(&g->p, last)->owner = far;
	char *text = written(report_callgraph_text, g, &h);
	assert_null(strstr(text, "Calls of the application"));
	assert_non_null(strstr(text, "Unresolved sites  203\n  reflection 202, bootstrap 1\n"));
	assert_non_null(strstr(text, "… 193 more\n"));
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		size_t columns = 0;
		for (const char *p = line; *p; p++)
			columns += ((unsigned char)*p & 0xc0) != 0x80;
		assert_true(columns <= 72);
	}
	free(text);
	graph_free(g);
}

static void reasons_are_told(void **state ATTR_UNUSED)
{
	struct callgraph *g = shapes();
	struct report_head h = head;
	method_id main_method = g->order.data[1];

	h.width = 100;
	g->dynamic = (struct cg_dynamic){ .caller = main_method, .pc = 9 };
	g->dynamic.why = (struct dynamic_why){ .reason = REASON_NAME, .method = main_method, .pc = 4,
					       .name = intern(&g->p.strings, STR("demo.\"Gone")) };
	char *json = written(write_json, g, &h), *text = written(report_callgraph_text, g, &h);
	assert_non_null(strstr(json, ",\"unresolved\":\"reflection\",\"why\":{\"reason\":\"name\",\"place\":\"" MAIN
				     "@4\",\"line\":5,\"name\":\"demo.\\\"Gone\"}}"));
	assert_non_null(strstr(json, ",\"cause\":\"reflection\",\"why\":{\"reason\":\"name\","));
	assert_non_null(strstr(text, "  Cause          Why        Site                Declared target\n"));
	assert_non_null(strstr(text, "  bootstrap                 demo.Circle.area@7  invokedynamic\n"));
	assert_non_null(strstr(text, "  reflection     name       demo.Main.main:10   "));
	h.is_verbose = true;
	char *verbose = written(report_callgraph_text, g, &h);
	assert_non_null(strstr(verbose, "  reflection 1, bootstrap 1\n  name 1\n"));
	assert_non_null(strstr(verbose, "\n                 a name that no class has: demo.Main.main:5  demo.\"Gone\n"));
	free(json);
	free(text);
	free(verbose);
	graph_free(g);
}

static void text_has_colours_only_when_asked(void **state ATTR_UNUSED)
{
	struct callgraph *g = shapes();
	struct report_head h = head;
	char *without = written(report_callgraph_text, g, &h);

	h.color = true;
	char *with = written(report_callgraph_text, g, &h);
	assert_null(strchr(without, 033));
	assert_int_equal(strncmp(with, "\033[1mCall graph\033[0m\n", 19), 0);
	free(with);
	free(without);
	graph_free(g);
}

static void assert_utf8(const char *text)
{
	for (const unsigned char *p = (const unsigned char *)text; *p;) {
		size_t n = *p < 0x80 ? 1 : *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2;
		assert_true(*p < 0x80 || (*p >= 0xc2 && *p <= 0xf4));
		for (size_t i = 1; i < n; i++)
			assert_true((p[i] & 0xc0) == 0x80);
		assert_false(p[0] == 0xed && p[1] >= 0xa0);
		p += n;
	}
}

static void hostile_names_stay_inside_their_format(void **state ATTR_UNUSED)
{
	struct callgraph *g = hostile();
	struct report_head h = { .algorithm = "rta", .entry = "\"\\\n\xff", .clusters = true };
	callgraph_writer *writers[] = { write_json, report_callgraph_jcg, write_graphml,
					write_dot, write_csv, report_callgraph_text };

	for (size_t i = 0; i < ARRAY_LEN(writers); i++) {
		char *text = written(writers[i], g, &h);
		assert_utf8(text);
		assert_null(strchr(text, 033));
		if (i < 2)
			assert_json(text);
		else if (i == 2)
			assert_xml(text);
		free(text);
	}
	graph_free(g);
}

static void hostile_names_are_recognisable(void **state ATTR_UNUSED)
{
	struct callgraph *g = hostile();
	char *json = written(write_json, g, &head), *csv = written(write_csv, g, &head);

	assert_non_null(strstr(json, "\"a\\\"b.<&>\\\\,'.\\u0000\\u001b[31m\xf0\x9f\x98\x80\xef\xbf\xbdx\xef\xbf\xbdé\\u000a(L\""));
	assert_non_null(strstr(csv, "\n\"a\"\"b.<&>\\,'.\\u0000\\u001b[31m\xf0\x9f\x98\x80\xef\xbf\xbdx\xef\xbf\xbdé\\u000a(L\",0,1,virtual,"));
	free(json);
	free(csv);
	graph_free(g);
}

static void escapes(void **state ATTR_UNUSED)
{
	static const struct {
		enum escape form;
		const char *from, *to;
	} cases[] = {
		{ ESCAPE_NONE, "\xff\"", "\xff\"" },
		{ ESCAPE_PLAIN, "a\"b\\c", "a\"b\\c" },
		{ ESCAPE_PLAIN, "\xc0\x80", "\\u0000" },
		{ ESCAPE_PLAIN, "\xc1\x81", "\xef\xbf\xbd\xef\xbf\xbd" },               /* overlong */
		{ ESCAPE_PLAIN, "\xe0\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ ESCAPE_PLAIN, "\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd" },               /* cut off */
		{ ESCAPE_PLAIN, "\xc3", "\xef\xbf\xbd" },
		{ ESCAPE_PLAIN, "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" },               /* real UTF-8 */
		{ ESCAPE_PLAIN, "\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ ESCAPE_PLAIN, "\xed\xb8\x80\xed\xa0\xbd", "\xef\xbf\xbd\xef\xbf\xbd" },   /* the wrong way round */
		{ ESCAPE_PLAIN, "\xe2\x80\xae", "\\u202e" },                            /* right to left */
		{ ESCAPE_PLAIN, "\xd8\x9c\xc2\x9b", "\\u061c\\u009b" },
		{ ESCAPE_JSON, "\xe2\x80\xae\x7f", "\\u202e\\u007f" },
		{ ESCAPE_XML, "<a b='\"&>", "&lt;a b=&apos;&quot;&amp;&gt;" },
		{ ESCAPE_XML, "\xef\xbf\xbf\x01", "\\uffff\\u0001" },
		{ ESCAPE_DOT, "\\N\"\x01", "\\\\N\\\"\\\\u0001" },
		{ ESCAPE_CSV, "a.b()V", "a.b()V" },
		{ ESCAPE_CSV, "a,b", "\"a,b\"" },
		{ ESCAPE_CSV, "a\"b", "\"a\"\"b\"" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct strbuf out = { 0 };
		escape_add(&out, cases[i].form, str_of(cases[i].from));
		assert_string_equal(out.s, cases[i].to);
		strbuf_release(&out);
	}
}

static void an_empty_graph_is_written(void **state ATTR_UNUSED)
{
	struct callgraph *g = graph_new();
	char *json = written(write_json, g, &head), *jcg = written(report_callgraph_jcg, g, &head);
	char *xml = written(write_graphml, g, &head), *text = written(report_callgraph_text, g, &head);

	assert_json(json);
	assert_string_equal(jcg, "{\"reachableMethods\":[]}\n");
	assert_xml(xml);
	assert_non_null(strstr(text, "Methods                     0"));
	free(json);
	free(jcg);
	free(xml);
	free(text);
	graph_free(g);
}

static void a_full_disk_is_reported(void **state ATTR_UNUSED)
{
	struct callgraph *g = shapes();
	struct sink out = { .file = fopen("/dev/full", "w") };

	assert_non_null(out.file);
	assert_false(write_json(&out, g, &head));
	assert_true(out.failed);
	assert_null(out.buf);
	fclose(out.file);
	graph_free(g);
}

static void the_sink_keeps_order(void **state ATTR_UNUSED)
{
	char *text, *block = mem_alloc(700000);
	size_t n;
	struct sink out = { .file = open_memstream(&text, &n) };

	memset(block, 'x', 700000);
	sink_puts(&out, "a");
	sink_write(&out, block, 700000);
	sink_uint(&out, 0);
	sink_uint(&out, UINT64_MAX);
	for (int i = 0; i < 60000; i++)
		sink_write(&out, block, 10);
	sink_printf(&out, "%s.", "end");
	assert_true(sink_finish(&out));
	fclose(out.file);
	assert_int_equal(n, 1 + 700000 + 1 + 20 + 600000 + 4);
	assert_int_equal(strncmp(text + 700001, "018446744073709551615x", 22), 0);
	assert_string_equal(text + n - 5, "xend.");
	free(text);
	free(block);
}

/* A directory of its own for each test of files. */
static char *make_folder(void)
{
	char name[] = "/tmp/sherd-report-XXXXXX";

	assert_non_null(mkdtemp(name));
	return strdup(name);
}

static int add_line(void *ctx, int n, char **values, char **columns ATTR_UNUSED)
{
	struct strbuf *out = ctx;

	for (int i = 0; i < n; i++) {
		strbuf_adds(out, i ? "|" : "");
		strbuf_adds(out, values[i] ? values[i] : "NULL");
	}
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

static void expect_shapes(sqlite3 *db)
{
	expect_rows(db, "PRAGMA user_version", "1\n");
	expect_rows(db, "PRAGMA integrity_check", "ok\n");
	expect_rows(db, "PRAGMA foreign_key_check", "");
	expect_rows(db, "SELECT caller, site_pc, line, op, callee FROM edge ORDER BY caller_id, site_pc, callee_id",
		    "demo.Circle.area()D|3|NULL|static|" INIT "\n"
		    MAIN "|0|1|special|" INIT "\n"
		    MAIN "|4|5|interface|demo.Circle.area()D\n"
		    MAIN "|4|5|interface|demo.Square.area()D\n"
		    MAIN "|12|13|interface|demo.Circle.area()D\n"
		    MAIN "|12|13|interface|demo.Square.area()D\n");
	expect_rows(db, "SELECT caller_id, callee_id FROM method_edge ORDER BY 1, 2", "1|4\n2|1\n2|3\n2|4\n");
	expect_rows(db, "SELECT site, line, declared, ntargets FROM poly_site",
		    MAIN "@4|5|demo.Shape.area()D|2\n" MAIN "@12|13|demo.Shape.area()D|2\n");
	expect_rows(db, "SELECT site, line, declared, cause FROM unresolved",
		    "demo.Circle.area()D@7|NULL|NULL|bootstrap\n" MAIN "@9|10|" INVOKE "|reflection\n");
	expect_rows(db, "SELECT name FROM missing_class ORDER BY name", "demo.Also\ndemo.Gone\n");
	expect_rows(db, "SELECT text FROM entry", MAIN "\n");
	expect_rows(db, "SELECT count(*), count(DISTINCT id) FROM target_set", "3|2\n");
	expect_rows(db, "SELECT name, descriptor, package, entry, flags FROM method WHERE id = 2",
		    "main|([Ljava/lang/String;I)V|demo|1|1\n");
	expect_rows(db, "SELECT value FROM meta WHERE key IN ('algorithm', 'edges') ORDER BY key", "rta\n6\n");
	expect_rows(db, "SELECT c.name, s.name, path FROM class c JOIN class s ON s.id = c.super JOIN artifact a ON a.id = c.artifact",
		    "demo.Circle|java.lang.Object|demo.jar\n");
}

static void sqlite_holds_the_graph(void **state ATTR_UNUSED)
{
	struct callgraph *g = shapes();
	char *folder = make_folder(), path[64];
	struct strbuf err = { 0 };
	sqlite3 *db;

	snprintf(path, sizeof path, "%s/graph.db", folder);
	assert_true(write_sqlite(path, g, &head, &err));
	assert_true(write_sqlite(path, g, &head, &err));       /* and again over it */
	assert_int_equal(err.len, 0);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	expect_shapes(db);
	sqlite3_close(db);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(folder), 0);     /* nothing else was left there */
	free(folder);
	graph_free(g);
}

static void sqlite_survives_hostile_names(void **state ATTR_UNUSED)
{
	struct callgraph *g = hostile();
	char *folder = make_folder(), path[64];
	struct strbuf err = { 0 };
	sqlite3 *db;

	snprintf(path, sizeof path, "%s/graph.db", folder);
	assert_true(write_sqlite(path, g, &head, &err));
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	expect_rows(db, "SELECT count(*) FROM edge WHERE caller = callee", "2\n");
	expect_rows(db, "SELECT name FROM method", "\\u0000\\u001b[31m\xf0\x9f\x98\x80\xef\xbf\xbdx\xef\xbf\xbdé\\u000a\n");
	sqlite3_close(db);
	unlink(path);
	rmdir(folder);
	free(folder);
	graph_free(g);
}

static void sqlite_refuses_what_is_no_file(void **state ATTR_UNUSED)
{
	struct callgraph *g = shapes();
	char *folder = make_folder();
	struct strbuf err = { 0 };

	assert_false(write_sqlite("/dev/null", g, &head, &err));
	assert_string_equal(err.s, "cannot write a database to /dev/null: it is not a regular file");
	strbuf_clear(&err);
	assert_false(write_sqlite("/nowhere/at/all.db", g, &head, &err));
	assert_non_null(strstr(err.s, "cannot create /nowhere/at/all.db"));
	strbuf_clear(&err);
	assert_false(write_sqlite(folder, g, &head, &err));
	assert_true(err.len > 0);
	assert_int_equal(rmdir(folder), 0);
	strbuf_release(&err);
	free(folder);
	graph_free(g);
}

/* Sites that share a set have one array of its nodes, in order; ids of methods are in another. */
static void a_view_keeps_sets_shared(void **state ATTR_UNUSED)
{
	struct callgraph *g = shapes();
	struct graph_view *v = java_view_new(g, &head);
	uint32_t n;

	const struct graph_site *s = v->maker->sites(v, 1, &n);
	struct graph_targets first = graph_targets(v, &s[1]), second = graph_targets(v, &s[3]), none = graph_targets(v, &s[2]);
	assert_int_equal(n, 4);
	assert_int_equal(v->has, GRAPH_CLASSES);
	assert_true(v->shares_sets && s[1].set == s[3].set && first.nodes == second.nodes);
	assert_int_equal(first.n, 2);
	assert_int_equal(first.nodes[0], 0);       /* Circle, whose id is the greater */
	assert_int_equal(first.nodes[1], 2);
	assert_int_equal(none.n, 0);
	assert_string_equal(s[2].cause, "reflection");
	assert_null(s[1].cause);
	assert_int_equal(v->maker->place(v, 1, &s[1]).line, 5);
	struct graph_targets all = graph_callees(v, 1, 0);
	assert_int_equal(all.n, 3);
	assert_true(all.nodes[0] == 0 && all.nodes[1] == 2 && all.nodes[2] == 3);
	assert_int_equal(graph_callees(v, 2, 0).n, 0);
	graph_view_free(v);
	graph_free(g);
}

static void a_view_names_what_the_writer_asks_for(void **state ATTR_UNUSED)
{
	struct callgraph *g = shapes();
	struct graph_view *v = java_view_new(g, &head);
	struct graph_detail d;

	graph_view_name_nodes(v, ESCAPE_XML);
	assert_string_equal(v->nodes[3].name.p, "java.lang.Object.&lt;init&gt;()V");
	assert_true(v->nodes[1].is_entry && !v->nodes[0].is_entry);
	v->maker->detail(v, 3, &d);
	assert_true(str_eq(d.name, STR("<init>")) && str_eq(d.package, STR("java.lang")) && str_eq(d.class_name, STR("java.lang.Object")));
	assert_int_equal(d.file.len, 0);
	const struct graph_tables *t = v->maker->tables(v);
	v->maker->detail(v, 3, &d);
	assert_true(str_eq(t->classes[d.class - 1].name, STR("java.lang.Object")));
	assert_string_equal(t->classes[0].kind, "class");
	assert_int_equal(t->classes[0].super, d.class);              /* of Circle */
	assert_int_equal(t->ndeclared, 3);
	assert_int_equal(t->nartifacts, 1);
	graph_view_free(v);
	graph_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json_is_as_documented),
		cmocka_unit_test(json_can_have_receivers),
		cmocka_unit_test(text_counts_open_sites),
		cmocka_unit_test(jcg_is_as_documented),
		cmocka_unit_test(csv_has_a_row_an_edge),
		cmocka_unit_test(dot_has_distinct_edges),
		cmocka_unit_test(dot_can_cluster_packages),
		cmocka_unit_test(graphml_is_well_formed),
		cmocka_unit_test(text_is_a_screen),
		cmocka_unit_test(text_stays_a_screen),
		cmocka_unit_test(reasons_are_told),
		cmocka_unit_test(text_has_colours_only_when_asked),
		cmocka_unit_test(hostile_names_stay_inside_their_format),
		cmocka_unit_test(hostile_names_are_recognisable),
		cmocka_unit_test(escapes),
		cmocka_unit_test(an_empty_graph_is_written),
		cmocka_unit_test(a_full_disk_is_reported),
		cmocka_unit_test(the_sink_keeps_order),
		cmocka_unit_test(sqlite_holds_the_graph),
		cmocka_unit_test(sqlite_survives_hostile_names),
		cmocka_unit_test(sqlite_refuses_what_is_no_file),
		cmocka_unit_test(a_view_keeps_sets_shared),
		cmocka_unit_test(a_view_names_what_the_writer_asks_for),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
