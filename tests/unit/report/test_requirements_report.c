// SPDX-License-Identifier: Apache-2.0
// links: base algo ir analysis/compare report
/* The writers of requirements and of comparisons, on results made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "report/requirements/requirements.h"

/* Of analysis/callgraph, which writers need for this alone. */
const char *cg_cause_name(enum cg_cause c)
{
	return c == CG_REFLECTION ? "reflection" : "native";
}

struct fixture {
	struct program p;
	struct diag diag;
	struct requirements r;
};

static class_id add_class(struct fixture *f, const char *name)
{
	return program_class(&f->p, str_of(name));
}

static method_id add_method(struct fixture *f, class_id c, const char *name, const char *desc)
{
	sel_id sel = program_sel(&f->p, str_of(name), str_of(desc));

	program_add_method(&f->p, c, sel, 1, 0);
	return (method_id){ f->p.methods.len - 1 };
}

static mref_id add_mref(struct fixture *f, class_id c, const char *name, const char *desc)
{
	return program_mref(&f->p, c, program_sel(&f->p, str_of(name), str_of(desc)), true);
}

static struct id_range add_ids(struct fixture *f, const uint32_t *ids, uint32_t n)
{
	struct id_range in = { f->r.ids.len, n };

	for (uint32_t i = 0; i < n; i++)
		vec_push(&f->r.ids, ids[i]);
	return in;
}
#define IDS(f, ...) \
	add_ids(f, (const uint32_t[]){ __VA_ARGS__ }, sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

/* A post office whose carriers are of two packages, with a class of the same name in both. */
static struct fixture *post_office(void)
{
	struct fixture *f = calloc(1, sizeof *f);

	diag_init(&f->diag);
	program_init(&f->p, &f->diag);
	class_id office = add_class(f, "post/Office"), carrier = add_class(f, "post/Carrier");
	class_id bike = add_class(f, "post/Bike"), van = add_class(f, "post/Van"), other = add_class(f, "rent/Van");
	class_id list = add_class(f, "java/util/Collection"), text = add_class(f, "java/lang/String");
	method_id deliver = add_method(f, office, "deliver", "(Lpost/Carrier;[I)V");
	method_id unused = add_method(f, office, "unused", "()V");
	method_id bike_take = add_method(f, bike, "take", "(Ljava/lang/String;)V");
	method_id van_take = add_method(f, van, "take", "(Ljava/lang/String;)V");
	mref_id take = add_mref(f, carrier, "take", "(Ljava/lang/String;)V"), size = add_mref(f, list, "size", "()I");
	struct req_site s = { .method = deliver, .pc = 4, .line = 12, .declared = take, .op = IR_CALL_INTERFACE,
			      .is_poly = true, .is_reached = true };

	f->r.p = &f->p;
	f->r.algorithm = "andersen";
	f->r.criteria = CRITERION_RC | CRITERION_TM;
	s.rc = IDS(f, bike.i, van.i, other.i), s.tm = IDS(f, bike_take.i, van_take.i);
	s.senders = IDS(f, office.i), s.nargs = 1;
	vec_push(&f->r.args, ((struct req_arg){ 0, IDS(f, text.i) }));
	vec_push(&f->r.sites, s);
	s.pc = 9, s.line = 0, s.rc = IDS(f, bike.i), s.tm = IDS(f, bike_take.i), s.nargs = 0;
	s.is_open = s.is_client = true;
	vec_push(&f->r.sites, s);
	s = (struct req_site){ .method = deliver, .pc = 15, .line = 14, .declared = size, .op = IR_CALL_INTERFACE,
			       .is_poly = true, .is_reached = true };
	vec_push(&f->r.sites, s);
	s.pc = 20, s.line = 15, s.is_poly = false, s.cause = CG_REFLECTION;
	vec_push(&f->r.sites, s);
	s = (struct req_site){ .method = unused, .declared = size, .op = IR_CALL_VIRTUAL, .is_poly = true };
	vec_push(&f->r.sites, s);
	f->r.stats = (struct req_stats){ .classes = 5, .methods = 4, .sites = 5, .poly_sites = 4, .reached_sites = 4,
					 .client_sites = 1, .open_sites = 1, .rc = 4, .tm = 3, .starved_sites = 1 };
	f->r.analysed_methods = 1234;
	return f;
}

static void fixture_free(struct fixture *f)
{
	vec_release(&f->r.sites);
	vec_release(&f->r.args);
	vec_release(&f->r.ids);
	program_release(&f->p);
	diag_release(&f->diag);
	free(f);
}

static struct requirements_head head = { .component = "post.*", .interface = "public", .clients = "closed",
					 .head = { .jdk = "17" } };

/* What a writer writes; free() it. */
static char *written(requirements_writer *write, const struct requirements *r, const struct requirements_head *h)
{
	char *text;
	size_t n;
	struct sink out = { .file = open_memstream(&text, &n) };

	assert_true(write(&out, r, h));
	assert_null(out.buf);
	fclose(out.file);
	return text;
}

static void expect(requirements_writer *write, struct fixture *f, const struct requirements_head *h, const char *wanted)
{
	char *text = written(write, &f->r, h);

	assert_string_equal(text, wanted);
	free(text);
	fixture_free(f);
}

static void json(void **state)
{
	(void)state;
	expect(report_requirements_json, post_office(), &head,
	       "{\"schema\":\"sherd/requirements/1\",\"algorithm\":\"andersen\",\"component\":\"post.*\","
	       "\"interface\":\"public\","
	       "\"clients\":\"closed\",\"jdk\":\"17\",\"criteria\":[\"rc\",\"tm\"],\n"
	       "\"stats\":{\"classes\":5,\"methods\":4,\"sites\":5,\"reached_sites\":4,\"poly_sites\":4,"
	       "\"starved_sites\":1,"
	       "\"open_sites\":1,\"client_sites\":1,\"rc\":4,\"tm\":3,\"n_rc\":1.0000,\"n_tm\":0.7500,"
	       "\"analysed_methods\":1234},\n"
	       "\"sites\":[\n"
	       "{\"site\":\"post.Office.deliver(Lpost/Carrier;[I)V@4\",\"line\":12,\"op\":\"interface\","
	       "\"declared\":\"post.Carrier.take(Ljava/lang/String;)V\",\"poly\":true,\"reached\":true,"
	       "\"rc\":[\"post.Bike\",\"post.Van\",\"rent.Van\"],"
	       "\"tm\":[\"post.Bike.take(Ljava/lang/String;)V\",\"post.Van.take(Ljava/lang/String;)V\"]},\n"
	       "{\"site\":\"post.Office.deliver(Lpost/Carrier;[I)V@9\",\"op\":\"interface\","
	       "\"declared\":\"post.Carrier.take(Ljava/lang/String;)V\",\"poly\":true,\"reached\":true,"
	       "\"rc\":[\"post.Bike\"],"
	       "\"tm\":[\"post.Bike.take(Ljava/lang/String;)V\"],\"client\":true,\"open\":true},\n"
	       "{\"site\":\"post.Office.deliver(Lpost/Carrier;[I)V@15\",\"line\":14,\"op\":\"interface\","
	       "\"declared\":\"java.util.Collection.size()I\",\"poly\":true,\"reached\":true,\"rc\":[],\"tm\":[]},\n"
	       "{\"site\":\"post.Office.deliver(Lpost/Carrier;[I)V@20\",\"line\":15,\"op\":\"interface\","
	       "\"declared\":\"java.util.Collection.size()I\",\"poly\":false,\"reached\":true,\"rc\":[],\"tm\":[],"
	       "\"unresolved\":\"reflection\"},\n"
	       "{\"site\":\"post.Office.unused()V@0\",\"op\":\"virtual\",\"declared\":\"java.util.Collection.size()I\","
	       "\"poly\":true,\"reached\":false,\"rc\":[],\"tm\":[]}]}\n");
}

static void json_of_other_criteria(void **state)
{
	(void)state;
	struct fixture *f = post_office();

	f->r.criteria = CRITERION_SENDERS | CRITERION_ARGS;
	f->r.sites.len = 1;
	char *text = written(report_requirements_json, &f->r, &head);
	assert_non_null(strstr(text, "\"reached\":true,\"senders\":[\"post.Office\"],"
				     "\"args\":[{\"index\":0,\"classes\":[\"java.lang.String\"]}]}]}"));
	assert_null(strstr(text, "\"rc\":["));
	free(text);
	fixture_free(f);
}

static void csv(void **state)
{
	(void)state;
	struct fixture *f = post_office();

	f->r.criteria |= CRITERION_SENDERS | CRITERION_ARGS;
	f->r.sites.data[1].senders.n = 0;
	expect(report_requirements_csv, f, &head,
	       "site,line,criterion,value\n"
	       "post.Office.deliver(Lpost/Carrier;[I)V@4,12,rc,post.Bike\n"
	       "post.Office.deliver(Lpost/Carrier;[I)V@4,12,rc,post.Van\n"
	       "post.Office.deliver(Lpost/Carrier;[I)V@4,12,rc,rent.Van\n"
	       "post.Office.deliver(Lpost/Carrier;[I)V@4,12,tm,post.Bike.take(Ljava/lang/String;)V\n"
	       "post.Office.deliver(Lpost/Carrier;[I)V@4,12,tm,post.Van.take(Ljava/lang/String;)V\n"
	       "post.Office.deliver(Lpost/Carrier;[I)V@4,12,senders,post.Office\n"
	       "post.Office.deliver(Lpost/Carrier;[I)V@4,12,args:0,java.lang.String\n"
	       "post.Office.deliver(Lpost/Carrier;[I)V@9,,rc,post.Bike\n"
	       "post.Office.deliver(Lpost/Carrier;[I)V@9,,tm,post.Bike.take(Ljava/lang/String;)V\n"
	       "post.Office.deliver(Lpost/Carrier;[I)V@9,,client,\n"
	       "post.Office.deliver(Lpost/Carrier;[I)V@9,,open,\n");
}

static void csv_of_all_sites(void **state)
{
	(void)state;
	struct fixture *f = post_office();
	struct requirements_head all = head;

	all.all_sites = true;
	char *text = written(report_requirements_csv, &f->r, &all);
	assert_non_null(strstr(text, "deliver(Lpost/Carrier;[I)V@20,15,unresolved:reflection,\n"));
	free(text);
	fixture_free(f);
}

static void screen(void **state)
{
	(void)state;
	expect(report_requirements_text, post_office(), &head,
	       "Test requirements\n"
	       "  Component   post.*\n"
	       "  Interface   public\n"
	       "  Clients     closed\n"
	       "  Algorithm   andersen\n"
	       "  JDK         17\n"
	       "\n"
	       "  Classes                    5  Dispatched calls           5\n"
	       "  Methods                    4  Polymorphic                4  80.0 %\n"
	       "  RC requirements            4  TM requirements            3\n"
	       "  Analysed methods       1,234  with all that the component uses\n"
	       "\n"
	       "  On average 1.00 receiver classes and 0.75 target methods at each polymorphic call.\n"
	       "\n"
	       "Polymorphic calls and their receivers  4\n"
	       "\n"
	       "  post.Office\n"
	       "    deliver(Carrier, int[])\n"
	       "        12  Carrier.take(String)  Bike, post.Van, rent.Van\n"
	       "                                  run Bike.take, post.Van.take\n"
	       "        @9  Carrier.take(String)  Bike + classes of clients + unknown objects\n"
	       "        14  Collection.size()     no receiver\n"
	       "    unused()  not reachable through this interface, 1 call\n"
	       "\n"
	       "Notes\n"
	       "  - 1 call has no receiver: nothing in reach of the interface makes a java.util.Collection that "
	       "gets\n"
	       "    there. Name classes that clients may create in an interface file (--show-interface prints "
	       "one to\n"
	       "    start from), or use --clients open.\n"
	       "  - 1 call is in methods that clients of this interface cannot reach: nothing is required "
	       "there. Add\n"
	       "    members to the interface if tests should get there.\n"
	       "  - 1 call may have receivers of classes that clients write; tests should bring one of their "
	       "own.\n"
	       "  - 1 call may see objects that the analysis does not know, from reflection or native code, "
	       "say:\n"
	       "    more classes than are listed are possible there.\n");
}

static void assert_screen_has(struct fixture *f, const struct requirements_head *h, const char *wanted)
{
	char *text = written(report_requirements_text, &f->r, h);

	if (!strstr(text, wanted))
		fail_msg("no\n%s\nin\n%s", wanted, text);
	free(text);
	fixture_free(f);
}

static void screen_of_all_sites_and_criteria(void **state)
{
	(void)state;
	struct fixture *f = post_office();
	struct requirements_head all = head;

	all.all_sites = true;
	f->r.criteria = CRITERION_RC | CRITERION_SENDERS | CRITERION_ARGS;
	assert_screen_has(f, &all, "Dispatched calls and their receivers  5\n"
				   "\n"
				   "  post.Office\n"
				   "    deliver(Carrier, int[])\n"
				   "        12  Carrier.take(String)  Bike, post.Van, rent.Van\n"
				   "                                  from Office\n"
				   "                                  argument 1: String\n"
				   "        @9  Carrier.take(String)  Bike + classes of clients + unknown objects\n"
				   "                                  from Office\n"
				   "        14  Collection.size()     no receiver\n"
				   "        15  Collection.size()     unresolved: reflection\n");
}

/* Long lists are cut, and lines broken where the screen ends; longer calls have a line of their own. */
static void screen_of_long_lists(void **state)
{
	(void)state;
	struct fixture *f = post_office();
	struct requirements_head narrow = head;
	struct req_site *s = &f->r.sites.data[0];
	char name[32];

	narrow.head.width = 60;
	f->r.sites.len = 1;
	f->r.criteria = CRITERION_RC;
	s->rc.first = f->r.ids.len, s->rc.n = 20;
	for (int i = 0; i < 20; i++) {
		snprintf(name, sizeof name, "post/Robot%d", i);
		vec_push(&f->r.ids, add_class(f, name).i);
	}
	s->declared = add_mref(f, add_class(f, "post/Carrier"), "takeAllOfThese", "(Ljava/lang/String;)V");
	assert_screen_has(f, &narrow, "        12  Carrier.takeAllOfThese(String)\n"
				      "              Robot0, Robot1, Robot2, Robot3, Robot4,\n"
				      "              Robot5, Robot6, Robot7 and 12 more\n");
}

static void screen_in_colour(void **state)
{
	(void)state;
	struct requirements_head colour = head;

	colour.head.color = true;
	assert_screen_has(post_office(), &colour,
			  "\033[2m        14\033[0m  Collection.size()     \033[31mno receiver\033[0m\n");
}

static void screen_without_polymorphism(void **state)
{
	(void)state;
	struct fixture *f = post_office();

	f->r.sites.len = 0;
	f->r.stats = (struct req_stats){ .classes = 1, .methods = 2 };
	assert_screen_has(f, &head,
			  "  No call is polymorphic: the class hierarchy alone gives each at most one receiver "
			  "class.\n");
}

/* Names that no compiler makes do not get to the terminal, nor break rows. */
static void hostile_names(void **state)
{
	(void)state;
	static requirements_writer *const writers[] = { report_requirements_text, report_requirements_json,
							report_requirements_csv };
	struct fixture *f = post_office();
	class_id c = add_class(f, "a\033[31m/b\",\n\xed\xa0\xbd");
	method_id m = add_method(f, c, "\xff.\x1b", "(L");

	f->r.sites.len = 1;
	f->r.sites.data[0].method = m;
	f->r.sites.data[0].declared = add_mref(f, c, "x\n", "no descriptor");
	f->r.sites.data[0].rc = IDS(f, c.i);
	f->r.sites.data[0].tm = IDS(f, m.i);
	for (size_t i = 0; i < ARRAY_LEN(writers); i++) {
		char *text = written(writers[i], &f->r, &head);
		assert_null(strchr(text, '\033'));
		assert_null(strstr(text, "\",\n\xed"));
		if (writers[i] == report_requirements_csv)
			assert_non_null(strstr(text, ",12,rc,\"a\\u001b[31m.b\"\",\\u000a\xef\xbf\xbd\"\n"));
		free(text);
	}
	fixture_free(f);
}

/* A comparison of `n` components by two analyses: cha has i classes more than andersen at the i-th. */
static void compare(struct comparison *c, uint32_t n)
{
	static const char *const names[] = { "a.*", "b|c.*", "d,e", "f.*", "g.*", "h.*" };

	for (uint32_t i = 0; i < n; i++) {
		struct requirements r = { .algorithm = "cha", .seconds = 0.25 };
		r.stats = (struct req_stats){ .classes = 10 + i, .methods = 2000, .sites = 50, .poly_sites = 4,
					      .rc = 8 + 4 * i, .tm = 6 };
		comparison_add(c, names[i], &r);
		r.algorithm = "andersen", r.stats.rc = 8, r.stats.tm = 5, r.analysed_methods = 1500, r.seconds = 1.5;
		comparison_add(c, names[i], &r);
	}
}

static char *compared(comparison_writer *write, uint32_t n)
{
	struct comparison c = { 0 };
	char *text;
	size_t len;
	struct sink out = { .file = open_memstream(&text, &len) };

	compare(&c, n);
	assert_true(write(&out, &c, &head));
	fclose(out.file);
	comparison_release(&c);
	return text;
}

static void expect_compared(comparison_writer *write, uint32_t n, const char *wanted)
{
	char *text = compared(write, n);

	assert_string_equal(text, wanted);
	free(text);
}

static void compare_one(void **state)
{
	(void)state;
	expect_compared(report_compare_text, 1,
	       "Analyses compared\n"
	       "  Component   a.*\n"
	       "  Interface   public\n"
	       "  Clients     closed\n"
	       "  JDK         17\n"
	       "\n"
	       "Requirements by analysis\n"
	       "  Analysis  RC  N_RC   more  TM  N_TM   more  Methods  Seconds\n"
	       "  cha        8  2.00  +0.00   6  1.50  +0.25        –     0.25\n"
	       "  andersen   8  2.00      –   5  1.25      –    1,500     1.50\n"
	       "  RC, TM: receiver classes and target methods at 4 polymorphic calls; N_RC, N_TM: on average; "
	       "more:\n"
	       "  than andersen.\n");
}

static void compare_many(void **state)
{
	(void)state;
	expect_compared(report_compare_text, 6,
	       "Analyses compared\n"
	       "  Interface   public\n"
	       "  Clients     closed\n"
	       "  JDK         17\n"
	       "\n"
	       "Components\n"
	       "  Component  Classes  Methods  Calls  Polymorphic\n"
	       "  a.*             10    2,000     50            4\n"
	       "  b|c.*           11    2,000     50            4\n"
	       "  d,e             12    2,000     50            4\n"
	       "  f.*             13    2,000     50            4\n"
	       "  g.*             14    2,000     50            4\n"
	       "  h.*             15    2,000     50            4\n"
	       "\n"
	       "Receiver classes (RC) and target methods (TM) at each polymorphic call\n"
	       "  Component  RC cha  RC andersen  TM cha  TM andersen\n"
	       "  a.*          2.00         2.00    1.50         1.25\n"
	       "  b|c.*        3.00         2.00    1.50         1.25\n"
	       "  d,e          4.00         2.00    1.50         1.25\n"
	       "  f.*          5.00         2.00    1.50         1.25\n"
	       "  g.*          6.00         2.00    1.50         1.25\n"
	       "  h.*          7.00         2.00    1.50         1.25\n"
	       "\n"
	       "Differences from the last analysis\n"
	       "  Difference           Median   Mean    Min    Max  StdDev      λ     λ′\n"
	       "  N_RC(cha, andersen)   2.500  2.500  0.000  5.000   1.871  0.000  5.000\n"
	       "  N_TM(cha, andersen)   0.250  0.250  0.250  0.250   0.000  0.250  0.250\n"
	       "  λ, λ′: bounds of the median by the sign test, one-tailed, at the level 0.05.\n"
	       "\n"
	       "Seconds of CPU, and methods analysed\n"
	       "  Component   cha  andersen  Methods\n"
	       "  a.*        0.25      1.50    1,500\n"
	       "  b|c.*      0.25      1.50    1,500\n"
	       "  d,e        0.25      1.50    1,500\n"
	       "  f.*        0.25      1.50    1,500\n"
	       "  g.*        0.25      1.50    1,500\n"
	       "  h.*        0.25      1.50    1,500\n"
	       "  Methods: those that andersen finds reachable, in the component and all that it uses.\n");
}

static void compare_markdown(void **state)
{
	(void)state;
	expect_compared(report_compare_markdown, 2,
	       "\n"
	       "**Components**\n"
	       "\n"
	       "| Component | Classes | Methods | Calls | Polymorphic |\n"
	       "| --- | ---: | ---: | ---: | ---: |\n"
	       "| a.\\* | 10 | 2,000 | 50 | 4 |\n"
	       "| b\\|c.\\* | 11 | 2,000 | 50 | 4 |\n"
	       "\n"
	       "**Receiver classes (RC) and target methods (TM) at each polymorphic call**\n"
	       "\n"
	       "| Component | RC cha | RC andersen | TM cha | TM andersen |\n"
	       "| --- | ---: | ---: | ---: | ---: |\n"
	       "| a.\\* | 2.00 | 2.00 | 1.50 | 1.25 |\n"
	       "| b\\|c.\\* | 3.00 | 2.00 | 1.50 | 1.25 |\n"
	       "\n"
	       "**Seconds of CPU, and methods analysed**\n"
	       "\n"
	       "| Component | cha | andersen | Methods |\n"
	       "| --- | ---: | ---: | ---: |\n"
	       "| a.\\* | 0.25 | 1.50 | 1,500 |\n"
	       "| b\\|c.\\* | 0.25 | 1.50 | 1,500 |\n"
	       "\n"
	       "Methods: those that andersen finds reachable, in the component and all that it uses.\n"
	       "\n"
	       "Statistics of the differences need at least 5 components with polymorphic calls.\n");
}

static void compare_json(void **state)
{
	(void)state;
	expect_compared(report_compare_json, 1,
		"{\"schema\":\"sherd/requirements-comparison/1\",\"interface\":\"public\",\"clients\":\"closed\","
		"\"jdk\":\"17\",\n"
		"\"components\":[\n"
		"{\"component\":\"a.*\",\"classes\":10,\"methods\":2000,\"sites\":50,\"poly_sites\":4,\"analyses\":[\n"
		"{\"algorithm\":\"cha\",\"rc\":8,\"tm\":6,\"n_rc\":2.0000,\"n_tm\":1.5000,\"reached_sites\":0,"
		"\"starved_sites\":0,\"open_sites\":0,\"client_sites\":0,\"seconds\":0.250},\n"
		"{\"algorithm\":\"andersen\",\"rc\":8,\"tm\":5,\"n_rc\":2.0000,\"n_tm\":1.2500,\"reached_sites\":0,"
		"\"starved_sites\":0,\"open_sites\":0,\"client_sites\":0,\"analysed_methods\":1500,"
		"\"seconds\":1.500}]}],\n"
		"\"differences\":[]}\n");
}

static void compare_json_statistics(void **state)
{
	(void)state;
	char *text = compared(report_compare_json, 5);

	assert_non_null(strstr(text, "\"differences\":[\n"
		"{\"metric\":\"n_rc\",\"algorithm\":\"cha\",\"from\":\"andersen\",\"components\":5,\"median\":2.000000,"
		"\"mean\":2.000000,\"min\":0.000000,\"max\":4.000000,\"stddev\":1.581139,\"lambda\":0.000000,"
		"\"lambda_prime\":4.000000},\n"
		"{\"metric\":\"n_tm\",\"algorithm\":\"cha\",\"from\":\"andersen\",\"components\":5,\"median\":0.250000,"
		"\"mean\":0.250000,\"min\":0.250000,\"max\":0.250000,\"stddev\":0.000000,\"lambda\":0.250000,"
		"\"lambda_prime\":0.250000}]}\n"));
	free(text);
}

/* A component without one of the analyses, and one without polymorphic calls: no figure, and none in the statistics. */
static void compare_with_gaps(void **state)
{
	(void)state;
	struct comparison c = { 0 };
	struct requirements r = { .algorithm = "cha", .stats = { .poly_sites = 2, .rc = 4, .tm = 4 } };
	char *text;
	size_t n;
	struct sink out = { .file = open_memstream(&text, &n) };

	compare(&c, 4);
	comparison_add(&c, "one", &r);
	r.stats = (struct req_stats){ 0 };
	comparison_add(&c, "none", &r);
	r.algorithm = "andersen";
	comparison_add(&c, "none", &r);
	comparison_add(&c, "none", &r);         /* in place of the last one */
	assert_int_equal(c.cells.len, 11);
	assert_true(report_compare_text(&out, &c, &head));
	fclose(out.file);
	assert_non_null(strstr(text, "\n  one          2.00            –    2.00            –\n"));
	assert_non_null(strstr(text, "\n  none            –            –       –            –\n"));
	assert_non_null(strstr(text,
			       "\n  Statistics of the differences need at least 5 components with polymorphic "
			       "calls.\n"));
	assert_null(strstr(text, "λ"));
	comparison_release(&c);
	free(text);
}

/* Tables that are too wide for the screen are parted. */
static void compare_narrow(void **state)
{
	(void)state;
	static const char *const more[] = { "rta", "0cfa", "andersen-with-a-long-name", "2obj" };
	struct comparison c = { 0 };
	char *text;
	size_t n;
	struct sink out = { .file = open_memstream(&text, &n) };

	compare(&c, 2);
	for (size_t i = 0; i < ARRAY_LEN(more); i++)
		comparison_add(&c, "a.*", &(struct requirements){ .algorithm = more[i], .stats = { .poly_sites = 1 } });
	assert_true(report_compare_text(&out, &c, &head));
	fclose(out.file);
	assert_non_null(strstr(text, "Receiver classes at each polymorphic call (N_RC)\n"
				     "  Component   cha  andersen   rta"));
	assert_non_null(strstr(text, "Target methods at each polymorphic call (N_TM)\n"));
	comparison_release(&c);
	free(text);
}

static void compare_csv(void **state)
{
	(void)state;
	expect_compared(report_compare_csv, 3,
	       "component,algorithm,classes,methods,sites,poly_sites,rc,tm,n_rc,n_tm,analysed_methods,seconds\n"
	       "a.*,cha,10,2000,50,4,8,6,2.0000,1.5000,,0.250\n"
	       "a.*,andersen,10,2000,50,4,8,5,2.0000,1.2500,1500,1.500\n"
	       "b|c.*,cha,11,2000,50,4,12,6,3.0000,1.5000,,0.250\n"
	       "b|c.*,andersen,11,2000,50,4,8,5,2.0000,1.2500,1500,1.500\n"
	       "\"d,e\",cha,12,2000,50,4,16,6,4.0000,1.5000,,0.250\n"
	       "\"d,e\",andersen,12,2000,50,4,8,5,2.0000,1.2500,1500,1.500\n");
}

static void compare_read_back(void **state)
{
	(void)state;
	struct comparison c = { 0 };
	struct strbuf err = { 0 };
	struct arena mem;
	char *text = compared(report_compare_csv, 6), *again;
	size_t n;
	struct sink out = { .file = open_memstream(&again, &n) };

	arena_init(&mem);
	assert_true(comparison_read_csv(&c, str_of(text), NULL, &mem, &err));
	assert_true(report_compare_csv(&out, &c, &head));
	fclose(out.file);
	assert_string_equal(again, text);
	free(text);
	text = compared(report_compare_csv, 1);
	assert_true(comparison_read_csv(&c, str_of(text), "one more", &mem, &err));
	assert_int_equal(c.components.len, 7);
	assert_string_equal(c.components.data[6], "one more");
	assert_int_equal(c.cells.len, 14);
	comparison_release(&c);
	arena_release(&mem);
	free(text);
	free(again);
}

#define CSV_HEAD "component,algorithm,classes,methods,sites,poly_sites,rc,tm,n_rc,n_tm,analysed_methods,seconds\n"

static void compare_read_wrong(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{ "", "line 1: a row of 12 fields ends behind ''" },
		{ "site,line,criterion,value\n", "line 1: a row of 12 fields ends behind 'value'" },
		{ "site,line,c,d,e,f,g,h,i,j,k,l\n", "line 1: not a comparison: unknown column 'site'" },
		{ CSV_HEAD "a,cha,1,2,3", "line 2: a row of 12 fields ends behind '3'" },
		{ CSV_HEAD "a,cha,1,2,3,4,5,6,7,8,9,1,2\n", "line 2: a row goes on behind '1'" },
		{ CSV_HEAD "a,cha,1,2,3,4,5,6,7,8,9,1\na,rta,x,2,3,4,5,6,7,8,9,1\n", "line 3: no count: 'x'" },
		{ CSV_HEAD "a,cha,-1,2,3,4,5,6,7,8,9,1\n", "line 2: no count: '-1'" },
		{ CSV_HEAD "a,cha,99999999999999999999,2,3,4,5,6,7,8,9,1\n",
		  "line 2: no count: '99999999999999999999'" },
		{ CSV_HEAD "a,cha,1,2,3,4,5,6,7,8,9,nan\n", "line 2: no time: 'nan'" },
		{ CSV_HEAD "\"a,cha", "line 2: no quote ends 'a,cha'" },
	};
	struct arena mem;

	arena_init(&mem);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct comparison c = { 0 };
		struct strbuf err = { 0 };
		assert_false(comparison_read_csv(&c, str_of(rows[i][0]), NULL, &mem, &err));
		assert_string_equal(err.s, rows[i][1]);
		comparison_release(&c);
		strbuf_release(&err);
	}
	arena_release(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json),
		cmocka_unit_test(json_of_other_criteria),
		cmocka_unit_test(csv),
		cmocka_unit_test(csv_of_all_sites),
		cmocka_unit_test(screen),
		cmocka_unit_test(screen_of_all_sites_and_criteria),
		cmocka_unit_test(screen_of_long_lists),
		cmocka_unit_test(screen_in_colour),
		cmocka_unit_test(screen_without_polymorphism),
		cmocka_unit_test(hostile_names),
		cmocka_unit_test(compare_one),
		cmocka_unit_test(compare_many),
		cmocka_unit_test(compare_markdown),
		cmocka_unit_test(compare_json),
		cmocka_unit_test(compare_json_statistics),
		cmocka_unit_test(compare_with_gaps),
		cmocka_unit_test(compare_narrow),
		cmocka_unit_test(compare_csv),
		cmocka_unit_test(compare_read_back),
		cmocka_unit_test(compare_read_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
