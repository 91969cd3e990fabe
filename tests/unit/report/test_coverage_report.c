// SPDX-License-Identifier: Apache-2.0
// links: base algo ir formats/coverage coverage report/write report/java report/coverage report/coverage/next
/* The writers of coverage, on results made by hand and on random ones. With --write FOLDER the program writes one result
 * with difficult names in every format there, for tests/e2e/report.sh to look at with the parsers of others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "report/coverage/coverage.h"
#include "report/coverage/sources.h"

/* A result made by hand */

struct model {
	struct plan plan;
	struct runs runs;
	struct reasons why;
	struct coverage c;
	struct arena mem;
};

static struct model *model_new(void)
{
	struct model *m = calloc(1, sizeof *m);

	arena_init(&m->mem);
	arena_init(&m->c.mem);
	m->plan.component = STR("station.*"), m->plan.interface = STR("public"), m->plan.clients = STR("closed");
	m->plan.algorithm = STR("andersen"), m->plan.class_path = STR("out/my classes");
	m->plan.criteria = PLAN_RC | PLAN_TM;
	m->c.plan = &m->plan, m->c.runs = &m->runs, m->c.reasons = &m->why;
	vec_push(&m->plan.types, ((struct plan_type){ 0 }));
	return m;
}

static void model_free(struct model *m)
{
	vec_release(&m->plan.types), vec_release(&m->plan.classes), vec_release(&m->plan.methods);
	vec_release(&m->plan.sites);
	for (uint32_t i = 0; i < m->runs.runs.len; i++)
		vec_release(&m->runs.runs.data[i].notes);
	vec_release(&m->runs.runs);
	vec_release(&m->why.rows), vec_release(&m->why.steps), vec_release(&m->why.acts);
	vec_release(&m->c.items), vec_release(&m->c.sites), vec_release(&m->c.classes), vec_release(&m->c.tests);
	vec_release(&m->c.item_tests), vec_release(&m->c.notes);
	arena_release(&m->c.mem);
	arena_release(&m->mem);
	free(m);
}

static void add_class(struct model *m, const char *name, const char *source, uint8_t state)
{
	vec_push(&m->plan.classes, ((struct plan_class){ .name = str_of(name), .source = str_of(source),
							 .first_method = m->plan.methods.len,
							 .first_site = m->plan.sites.len }));
	vec_push(&m->c.classes, ((struct cov_class){ .class = m->plan.classes.len - 1, .state = state }));
}

static void add_method(struct model *m, const char *name, const char *desc)
{
	vec_push(&m->plan.methods, ((struct plan_method){ .class = m->plan.classes.len - 1, .name = str_of(name),
							  .desc = str_of(desc), .first_site = m->plan.sites.len }));
	vec_last(&m->plan.classes)->nmethods++;
}

/* A call of station.Link.carry(String) */
static struct cov_site *add_site(struct model *m, uint32_t line, uint32_t flags)
{
	uint32_t row = m->plan.sites.len;

	vec_push(&m->plan.sites, ((struct plan_site){ .method = m->plan.methods.len - 1, .pc = row, .line = line,
						      .flags = PLAN_REACHED | flags, .owner = STR("station.Link"),
						      .name = STR("carry"), .desc = STR("(Ljava/lang/String;)V"), .of = 1 }));
	vec_last(&m->plan.methods)->nsites++;
	vec_last(&m->plan.classes)->nsites++;
	vec_push(&m->c.sites, ((struct cov_site){ .site = row, .is_watched = true,
						  .of[COV_RC].first = m->c.items.len, .of[COV_TM].first = m->c.items.len }));
	return vec_last(&m->c.sites);
}

static uint32_t type_row(struct model *m, const char *name)
{
	for (uint32_t i = 1; i < m->plan.types.len; i++)
		if (str_is(m->plan.types.data[i].name, name))
			return i;
	vec_push(&m->plan.types, ((struct plan_type){ .name = str_of(name) }));
	return m->plan.types.len - 1;
}

/* Receivers come before targets, in the order of their names. */
static void receiver(struct model *m, const char *name, uint64_t count)
{
	struct cov_site *s = vec_last(&m->c.sites);

	vec_push(&m->c.items, ((struct cov_item){ .name = str_of(name), .type = type_row(m, name), .count = count,
						  .is_required = true, .is_own = strncmp(name, "station.", 8) == 0 }));
	s->of[COV_RC].n++, s->of[COV_RC].required++, s->of[COV_RC].covered += count > 0;
	s->count += count;
	s->of[COV_TM].first = m->c.items.len;
}

static void stranger(struct model *m, const char *name, uint64_t count, uint8_t origin)
{
	struct cov_site *s = vec_last(&m->c.sites);

	vec_push(&m->c.items, ((struct cov_item){ .name = str_of(name), .count = count, .origin = origin }));
	s->of[COV_RC].n++;
	s->count += count;
	s->of[COV_TM].first = m->c.items.len;
}

static void target(struct model *m, const char *name, uint64_t count)
{
	struct cov_site *s = vec_last(&m->c.sites);

	vec_push(&m->c.items, ((struct cov_item){ .name = str_of(name), .type = type_row(m, name), .count = count,
						  .is_required = true, .is_own = strncmp(name, "station.", 8) == 0 }));
	s->of[COV_TM].n++, s->of[COV_TM].required++, s->of[COV_TM].covered += count > 0;
}

static void step(struct model *m, const char *place, const char *text)
{
	vec_push(&m->why.steps, ((struct reason_step){ str_of(place), str_of(text) }));
	vec_last(&m->why.rows)->nsteps++;
}

static void reason(struct model *m, uint32_t site, const char *type)
{
	vec_push(&m->why.rows, ((struct reason){ .site = site, .type = type_row(m, type), .first_step = m->why.steps.len,
						 .first_act = m->why.acts.len }));
}

static void act(struct model *m, const char *text)
{
	vec_push(&m->why.acts, str_of(text));
	vec_last(&m->why.rows)->nacts++;
}

static void add_sums(struct cov_sums *to, const struct coverage *c, const struct cov_site *s)
{
	to->of[COV_RC].required += s->of[COV_RC].required, to->of[COV_RC].covered += s->of[COV_RC].covered;
	to->of[COV_TM].required += s->of[COV_TM].required, to->of[COV_TM].covered += s->of[COV_TM].covered;
	to->sites++, to->called_sites += s->count > 0;
	for (uint32_t i = 0; i < s->of[COV_RC].n; i++) {
		const struct cov_item *item = &c->items.data[s->of[COV_RC].first + i];
		if (item->type && item->is_own)
			to->of[COV_OWN].required++, to->of[COV_OWN].covered += item->count > 0;
		if (!item->type)
			coverage_is_excused(c, s, item) ? to->client++ : to->unexpected++;
	}
}

static void finish(struct model *m)
{
	for (uint32_t k = 0; k < m->c.classes.len; k++) {
		const struct plan_class *p = &m->plan.classes.data[k];
		for (uint32_t i = p->first_site; i < p->first_site + p->nsites; i++) {
			add_sums(&m->c.classes.data[k].sums, &m->c, &m->c.sites.data[i]);
			add_sums(&m->c.sums, &m->c, &m->c.sites.data[i]);
		}
	}
}

/* The station of tests/examples with one unexpected receiver and one test of two that adds nothing. */
static struct model *station(void)
{
	struct model *m = model_new();

	vec_push(&m->runs.runs, ((struct run){ .id = { 0xab, 1 }, .start = 1700000000, .pid = 7, .jvm = STR("17.0.15"),
					       .is_complete = true }));
	add_class(m, "station.CipherLink", "CipherLink.java", COV_NOT_LOADED);
	add_class(m, "station.Station", "Station.java", COV_WATCHED);
	add_method(m, "post", "(Ljava/lang/String;)V");
	add_site(m, 10, 0);
	receiver(m, "station.PlainLink", 3), receiver(m, "station.UrgentLink", 0);
	stranger(m, "station.TracingLink", 2, COV_COMPONENT);
	target(m, "station.PlainLink", 3), target(m, "station.UrgentLink", 0);
	add_method(m, "tell", "(Lstation/Link;)V");
	add_site(m, 16, PLAN_CLIENT);
	receiver(m, "station.CipherLink", 0), receiver(m, "station.PlainLink", 1);
	stranger(m, "stationtest.OwnLink", 1, COV_CLIENT);
	target(m, "station.CipherLink", 0), target(m, "station.PlainLink", 1);
	reason(m, 1, "station.CipherLink");
	step(m, "client", "calls station.Exchange.open()");
	step(m, "station.Exchange.open:13", "is created: v3");
	step(m, "client", "is passed as argument 1 of station.Station.tell(Link): v2");
	step(m, "station.Station.tell:16", "is the receiver of the call");
	act(m, "station.Exchange.open()"), act(m, "station.Station.tell(Link)");
	vec_push(&m->c.tests, ((struct cov_test){ STR("stationtest.PostTest.posts"), { [COV_RC] = 2, [COV_TM] = 2 }, 2, 4 }));
	vec_push(&m->c.tests, ((struct cov_test){ STR("stationtest.PostTest.again"), { [COV_RC] = 1, [COV_TM] = 1 }, 0, 0 }));
	vec_push(&m->c.notes, STR("run 7 could not write its data for a while: the disk was full"));
	finish(m);
	m->c.items.data[0].first_test = 0, m->c.items.data[0].ntests = 2;
	vec_push(&m->c.item_tests, 0);
	vec_push(&m->c.item_tests, 1);
	return m;
}

/* Names that need care in every format: markup, quotes, commas, line ends, an escape, NUL and a pair of surrogates in the form
 * of class files, bytes that are no text, no package, no source, no line. */
static struct model *difficult(void)
{
	struct model *m = model_new();

	m->plan.component = STR("a<b>&\"c\".**");
	vec_push(&m->runs.runs, ((struct run){ .id = { 1 }, .start = 1700000000, .command = STR("java -Dx=\"<\x1b[31m>\"") }));
	add_class(m, "NoPackage$1", "", COV_PARTLY);
	add_method(m, "<init>", "(I)V");
	add_site(m, 0, 0);
	receiver(m, "a.A&B", 0), receiver(m, "p.\xed\xa0\xbd\xed\xb8\x80", 5000000000u);
	target(m, "a.A&B", 0);
	add_class(m, "p.q.Weird,\"name\"\n", "../../etc/Own, \"er\".java", COV_WATCHED);
	add_method(m, "run\xc0\x80\x1b", "([[Lp/Q<T>;J)V");
	add_site(m, 7, 0);
	receiver(m, "a.<script>", 0), receiver(m, "p.\xff\xfe", 1);
	stranger(m, "z.'quoted'\t", 1, COV_GENERATED);
	target(m, "a.<script>", 0), target(m, "p.\xff\xfe", 1);
	add_site(m, 7, PLAN_OPEN);
	receiver(m, "a.]]>", 0);
	add_class(m, "p.q.Z", "Z.java", COV_STALE);
	add_method(m, "lambda$run$0", "()V");
	add_site(m, 0, PLAN_INTERFACE);
	receiver(m, "a.A&B", 1), receiver(m, "java.lang.Object[]", 1);
	add_site(m, 9, PLAN_INTERFACE);
	receiver(m, "a.A&B", 0), receiver(m, "b.B", 0);
	reason(m, 1, "a.<script>");
	step(m, "p.q.Z.lambda$run$0:9", "new a.<script> & \"more\"\n");
	step(m, "", "\x1b[31mloud");
	act(m, "new a.<script>(\x1b[31m)");
	vec_push(&m->c.tests, ((struct cov_test){ STR("p.T.[1] \"a\", <b>\x1b"), { [COV_RC] = 1, [COV_TM] = 0 }, 0, 0 }));
	vec_push(&m->c.notes, STR("class <x> \x1b[1m is strange"));
	finish(m);
	return m;
}

/* Random results: a few packages, sources and lines that are shared, sites with and without targets. */
static uint32_t below(uint64_t *seed, uint32_t n)
{
	*seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
	return (uint32_t)(*seed >> 20) % n;
}

static const char *named(struct model *m, const char *fmt, uint32_t a, uint32_t b)
{
	char text[64];

	snprintf(text, sizeof text, fmt, (unsigned)a, (unsigned)b);
	return arena_strdup(&m->mem, text);
}

static void random_site(struct model *m, uint64_t *seed)
{
	bool is_called = below(seed, 3) > 0;

	add_site(m, below(seed, 12), below(seed, 4) == 0 ? PLAN_OPEN : 0);
	for (uint32_t i = 0, n = below(seed, 5); i < n; i++)
		receiver(m, named(m, "r.R%02u", i, 0), is_called ? below(seed, 3) : 0);
	if (is_called && below(seed, 6) == 0)
		stranger(m, named(m, "s.S%u", below(seed, 9), 0), 1, (uint8_t)below(seed, 4));
	for (uint32_t i = 0, n = below(seed, 4); i < n; i++)
		target(m, named(m, "r.R%02u", i, 0), is_called ? below(seed, 3) : 0);
}

static struct model *random_model(uint64_t seed, uint32_t classes)
{
	struct model *m = model_new();

	for (uint32_t k = 0; k < classes; k++) {
		add_class(m, named(m, "p%u.C%04u", below(&seed, 4), k), named(m, "S%u.java", below(&seed, classes / 2 + 1), 0),
			  (uint8_t)below(&seed, 6));
		for (uint32_t i = 0, n = below(&seed, 4); i < n; i++) {
			add_method(m, named(m, "m%u", i, 0), "()V");
			for (uint32_t s = 0, sites = 1 + below(&seed, 6); s < sites; s++)
				random_site(m, &seed);
		}
	}
	finish(m);
	return m;
}

/* Writing and reading */

static char *written(coverage_writer *write, const struct model *m, const struct coverage_head *head)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	struct sink s = { .file = f };

	assert_true(write(&s, &m->c, head));
	fclose(f);
	return text;
}

static const struct coverage_head plain = { .version = "0.4.0", .result = "out" };
static const struct coverage_head wide = { .width = 1000 };

static char *written_plain(coverage_writer *write, const struct model *m)
{
	return written(write, m, &plain);
}

static uint32_t occurrences(const char *text, const char *part)
{
	uint32_t n = 0;

	for (; (text = strstr(text, part)); text += strlen(part))
		n++;
	return n;
}

/* The sum of the numbers that follow `prefix`. */
static uint64_t sum_after(const char *text, const char *prefix)
{
	uint64_t n = 0;

	for (; (text = strstr(text, prefix)); )
		n += strtoull(text += strlen(prefix), NULL, 10);
	return n;
}

static const char *last(const char *text, const char *part)
{
	const char *found = NULL;

	for (; (text = strstr(text, part)); text++)
		found = text;
	return found;
}

static void expect(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no `%s` in\n%s", part, text);
}

static void expect_not(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("`%s` in\n%s", part, text);
}

/* Every format counts the same. */

static struct cov_counts all_of(const struct model *m)
{
	const struct cov_sums *s = &m->c.sums;

	return (struct cov_counts){ .required = s->of[COV_RC].required + s->of[COV_TM].required,
				    .covered = s->of[COV_RC].covered + s->of[COV_TM].covered };
}

static void check_cobertura(const struct model *m, struct cov_counts n)
{
	char *text = written_plain(report_coverage_cobertura, m);
	uint64_t covered = 0, valid = 0;

	assert_int_equal(sum_after(text, "branches-valid=\""), n.required);
	assert_int_equal(sum_after(text, "branches-covered=\""), n.covered);
	for (const char *at = text; (at = strstr(at, "% (")); at++) {
		covered += strtoull(at + 3, NULL, 10);
		valid += strtoull(strchr(at, '/') + 1, NULL, 10);
	}
	/* once for the method, once for the class */
	assert_int_equal(covered, 2 * n.covered);
	assert_int_equal(valid, 2 * n.required);
	assert_int_equal(occurrences(text, "<condition "), n.required);
	assert_int_equal(occurrences(text, " coverage=\"100%\"/>"), n.covered);
	free(text);
}

static void check_jacoco(const struct model *m, struct cov_counts n)
{
	char *text = written_plain(report_coverage_jacoco, m);
	const char *sum = last(text, "<counter type=\"BRANCH\"");

	assert_int_equal(sum_after(text, " mb=\""), n.required - n.covered);
	assert_int_equal(sum_after(text, " cb=\""), n.covered);
	if (n.required) {
		assert_int_equal(strtoull(strstr(sum, "missed=\"") + 8, NULL, 10), n.required - n.covered);
		assert_int_equal(strtoull(strstr(sum, "covered=\"") + 9, NULL, 10), n.covered);
	}
	assert_int_equal(sum_after(text, " ci=\""), m->c.sums.called_sites);
	assert_int_equal(sum_after(text, " mi=\""), m->c.sums.sites - m->c.sums.called_sites);
	free(text);
}

static void check_lcov(const struct model *m, struct cov_counts n)
{
	char *text = written_plain(report_coverage_lcov, m);
	uint32_t rows = occurrences(text, "BRDA:"), hit = 0;

	for (const char *at = text; (at = strstr(at, "BRDA:")); at++) {
		const char *taken = at;
		for (int i = 0; i < 3; i++)
			taken = strchr(taken, ',') + 1;
		hit += *taken != '0' && *taken != '-';
	}
	assert_int_equal(rows, n.required);
	assert_int_equal(hit, n.covered);
	assert_int_equal(sum_after(text, "BRF:"), n.required);
	assert_int_equal(sum_after(text, "BRH:"), n.covered);
	assert_int_equal(occurrences(text, "\nDA:"), sum_after(text, "\nLF:"));
	assert_int_equal(occurrences(text, "SF:"), occurrences(text, "end_of_record\n"));
	free(text);
}

static void check_json(const struct model *m, struct cov_counts n)
{
	char *text = written_plain(report_coverage_json, m), *classes = strstr(text, "\"classes\"");
	uint32_t seen = occurrences(strstr(text, "\"sites\":["), "\"count\":");
	uint32_t strangers = occurrences(text, "\"origin\":");

	/* the sums of classes are those of all */
	assert_int_equal(sum_after(classes, "\"rc\":{\"required\":") + sum_after(classes, "\"tm\":{\"required\":"), n.required);
	assert_int_equal(sum_after(classes, "\"covered\":"), n.covered);
	assert_int_equal(sum_after(text, "\"covered\":"), 2 * n.covered);
	assert_int_equal(seen - strangers - m->c.sums.sites, n.covered);
	assert_int_equal(strangers, m->c.sums.unexpected + m->c.sums.client);
	free(text);
}

static void check_sarif(const struct model *m, struct cov_counts n)
{
	char *text = written_plain(report_coverage_sarif, m);

	assert_int_equal(occurrences(text, "\"ruleIndex\":0") + occurrences(text, "\"ruleIndex\":1"), n.required - n.covered);
	assert_int_equal(occurrences(text, "\"ruleIndex\":2"), m->c.sums.unexpected);
	free(text);
}

static void same_counts(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct model *m = random_model(seed * 0x9e3779b97f4a7c15u, (uint32_t)(seed % 23));
		struct cov_counts n = all_of(m);
		check_cobertura(m, n);
		check_jacoco(m, n);
		check_lcov(m, n);
		check_json(m, n);
		check_sarif(m, n);
		model_free(m);
	}
}

/* The screen */

static bool only_nothing(const void *context, struct str class)
{
	(void)context, (void)class;
	return false;
}

static void screen(void **state)
{
	struct model *m = station();
	char *text = written_plain(report_coverage_text, m);

	(void)state;
	expect(text, "  Component   station.*\n");
	expect(text, "  Runs        1 JVM of Java 17.0.15\n");
	expect(text, "  Tests       2, of which 1 adds nothing new\n");
	expect(text, "  Receiver classes  50.0 %  ███████████████░░░░░░░░░░░░░░░  2 of 4\n");
	expect(text, "Unexpected receivers  1 class at 1 call\n  station.TracingLink, a class of the component");
	expect(text, "      station.Station.post:10 Link.carry(String) 2×\n");
	expect(text, "   50.0 %   50.0 %          4  station.Station\n");
	expect(text, "    tell(Link)\n        16  Link.carry(String)\n              missed CipherLink\n"
		     "                  Exchange.open() → Station.tell(Link)\n");
	expect(text, "sherd why -cp 'out/my classes' --component 'station.*' --site 'station.Station.post(Ljava/lang/String;)V@0' "
		     "--receiver station.UrgentLink\n");
	expect(text, "  - 1 receiver more was seen that clients brought");
	expect(text, "stationtest.PostTest.again.\n");
	expect(text, "  - run 7 could not write");
	expect_not(text, "\033");
	expect_not(text, "own classes");      /* all are */
	expect_not(text, "never runs");           /* the receivers say it */
	expect_not(text, "CipherLink.java");
	free(text);
	m->c.sums.of[COV_OWN].required--;
	m->why.rows.data[0].nacts = 0;            /* a way of which clients have no part */
	text = written_plain(report_coverage_text, m);
	expect(text, "              missed CipherLink\n"
		     "                  client calls Exchange.open() … client is passed as argument 1 of\n"
		     "                  Station.tell(Link)\n");
	expect(text, "    own classes     66.6 %  ███████████████████░░░░░░░░░░░  2 of 3\n");
	free(text);
	model_free(m);
}

static void screen_colors(void **state)
{
	struct model *m = station();
	struct coverage_head head = { .color = true, .all = true, .width = 60 };
	char *text = written(report_coverage_text, m, &head);

	(void)state;
	expect(text, "\033[1m\033[31mUnexpected receivers\033[0m");
	expect(text, "seen");
	head.color = false, head.all = false, head.is_shown = only_nothing;
	free(text);
	text = written(report_coverage_text, m, &head);
	expect_not(text, "\033");
	expect_not(text, "What to test next");
	expect(text, "2 of 4");
	free(text);
	model_free(m);
}

static uint32_t widest(const char *text)
{
	uint32_t most = 0, at = 0;

	for (; *text; text++) {
		at = *text == '\n' ? 0 : at + (((unsigned char)*text & 0xc0) != 0x80);
		most = at > most ? at : most;
	}
	return most;
}

/* However much is missed, the screen stays readable; and all is there when asked for. */
static void screen_of_many(void **state)
{
	struct model *m = random_model(42, 400);
	struct coverage_head head = { .width = 80, .result = "my report" };
	char *text = written(report_coverage_text, m, &head);

	(void)state;
	assert_in_range(occurrences(text, "\n"), 60, 220);
	expect(text, "more, with fewer missed: sherd report 'my report' --all");
	expect(text, "calls more miss something: sherd report 'my report' --all");
	char *why = strstr(text, "    sherd why");
	if (why)
		memmove(why, strchr(why, '\n'), strlen(strchr(why, '\n')) + 1);
	assert_in_range(widest(text), 1, 80);
	free(text);
	head.all = true;
	text = written(report_coverage_text, m, &head);
	assert_int_equal(occurrences(text, "Link.carry(String)"), m->c.sums.sites + m->c.sums.unexpected);
	uint32_t missing = 0;
	for (uint32_t i = 0; i < m->c.sites.len; i++)
		missing += m->c.sites.data[i].of[COV_RC].covered < m->c.sites.data[i].of[COV_RC].required;
	assert_int_equal(occurrences(text, " missed R"), missing);
	free(text);
	model_free(m);
}

/* Nothing is required: no bar is full, and no test is idle. */
static void screen_of_nothing(void **state)
{
	struct model *m = model_new();

	(void)state;
	vec_push(&m->c.tests, ((struct cov_test){ .name = STR("t.T.t") }));
	finish(m);
	char *text = written_plain(report_coverage_text, m);
	expect(text, "none: no JVM left data");
	expect(text, "Nothing is required");
	expect(text, "  Calls made             -  ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  0 of 0\n");
	expect_not(text, "█");
	expect_not(text, "Tests");
	expect_not(text, "t.T.t");
	free(text);
	model_free(m);
}

/* No class was loaded: that comes first, and no list follows. */
static void screen_of_no_data(void **state)
{
	struct model *m = station();

	(void)state;
	m->c.classes.data[1].state = COV_NOT_LOADED;
	m->c.notes.data[0] = STR("the agent ran in 1 JVM, but it never loaded a class of the component");
	vec_push(&m->c.notes, STR("something else"));
	char *text = written_plain(report_coverage_text, m), *alarm = strstr(text, "\nNothing was measured\n  the agent ran in 1 JVM");
	assert_non_null(alarm);
	assert_true(alarm < strstr(text, "Receiver classes"));
	assert_int_equal(occurrences(text, "the agent ran"), 1);
	expect(text, "  - something else\n");
	expect_not(text, "What to test next");
	expect_not(text, "Classes that miss");
	expect_not(text, "never loaded, so");
	free(text);
	model_free(m);
}

/* Classes of the component first, then others, nested ones behind both. */
static void screen_order(void **state)
{
	struct model *m = model_new();

	(void)state;
	add_class(m, "station.Station", "Station.java", COV_WATCHED);
	add_method(m, "post", "()V");
	add_site(m, 10, 0);
	receiver(m, "a.Other", 0), receiver(m, "a.Other$In", 0), receiver(m, "station.Z", 0), receiver(m, "station.Z$In", 0);
	receiver(m, "z.Seen", 1);
	finish(m);
	char *text = written_plain(report_coverage_text, m);
	expect(text, "              missed Z, Z$In, Other, Other$In\n");
	expect(text, "--receiver station.Z\n");
	free(text);
	struct coverage_head head = { .no_why = true, .result = "my report" };
	text = written(report_coverage_text, m, &head);
	expect_not(text, "sherd why");
	free(text);
	model_free(m);
}

/* Lambdas by what they run and where they are; equal calls on a line by their order; the component has the short names. */
static void screen_names(void **state)
{
	struct model *m = model_new();

	(void)state;
	add_class(m, "station.Link", "Link.java", COV_WATCHED);
	add_class(m, "station.Station", "Station.java", COV_WATCHED);
	add_method(m, "post", "()V");
	for (int i = 0; i < 2; i++) {
		add_site(m, 10, 0);
		vec_last(&m->plan.sites)->nth = (uint32_t)i, vec_last(&m->plan.sites)->of = 2;
		receiver(m, "other.Link", 0), receiver(m, "p.H$$Lambda$run#2@1", 0), receiver(m, "p.H$$Lambda$run#2@5", 0);
		receiver(m, "p.H$$Lambda$run#2@9", 0), receiver(m, "station.Link", 1);
	}
	for (uint32_t i = 1; i < m->plan.types.len; i++)
		if (strchr(m->plan.types.data[i].name.p, '#')) {
			struct plan_type *t = &m->plan.types.data[i];
			t->sort = PLAN_LAMBDA, t->host = STR("p.H"), t->interface = STR("station.Link");
			t->body = t->name.p[t->name.len - 1] == '9' ? STR("java.lang.String.<init>()V") : STR("p.H.lambda$run$0()V");
		}
	finish(m);
	char *text = written_plain(report_coverage_text, m);
	expect(text, "        10  Link.carry(String) (1 of 2)\n              missed other.Link, lambda in p.H.run@1, lambda in p.H.run@5,\n"
		     "              java.lang.String::new in p.H.run\n");
	expect(text, "        10  Link.carry(String) (2 of 2)\n");
	expect(text, "--receiver other.Link\n");
	free(text);
	model_free(m);
}

/* Receivers at a call that the analysis does not reach: it says so. */
static void screen_unreached(void **state)
{
	struct model *m = station();

	(void)state;
	char *text = written(report_coverage_text, m, &wide);
	expect_not(text, "not reached");
	free(text);
	m->plan.sites.data[0].flags &= ~(uint32_t)PLAN_REACHED;
	text = written(report_coverage_text, m, &wide);
	expect(text, "      station.Station.post:10 Link.carry(String) 2× (not reached)\n");
	expect(text, "; try --clients open.\n");
	free(text);
	text = written_plain(report_coverage_sarif, m);
	expect(text, "The analysis does not reach this call: a class of the tests may (a subclass, a callback); try --clients open.");
	free(text);
	m->plan.clients = STR("open");
	text = written(report_coverage_text, m, &wide);
	expect_not(text, "try --clients open.\n");
	free(text);
	model_free(m);
}

/* A class file that is another one is not a method that could not be rewritten. */
static void screen_partly(void **state)
{
	struct model *m = station();

	(void)state;
	m->c.classes.data[1].state = COV_PARTLY, m->c.classes.data[1].unwatched = 1;
	char *text = written(report_coverage_text, m, &wide);
	expect(text, "  - 1 class, 1 call: the JVM loaded another class file than the one that was analysed, and these of its calls");
	expect(text, "compile again, or let -cp name what the tests run: station.Station.\n");
	free(text);
	m->c.classes.data[1].text = STR("method m is too long");
	text = written(report_coverage_text, m, &wide);
	expect(text, "  - 1 class, 1 call: these calls could not be watched and count as missed (method m is too long): station.Station.\n");
	expect_not(text, "another class file");
	free(text);
	model_free(m);
}

/* Each writer, with nothing and with difficult names, gives text without control characters and without bare markup. */

static coverage_writer *const writers[] = { report_coverage_text, report_coverage_json, report_coverage_cobertura,
					    report_coverage_jacoco, report_coverage_lcov, report_coverage_sarif,
					    report_coverage_badge };
static const char *const names[] = { "text", "json", "cobertura.xml", "jacoco.xml", "lcov", "sarif", "badge.svg" };

static void difficult_names(void **state)
{
	struct model *m = difficult();

	(void)state;
	for (uint32_t i = 0; i < sizeof writers / sizeof *writers; i++) {
		char *text = written_plain(writers[i], m);
		for (const unsigned char *p = (unsigned char *)text; *p; p++)
			if (*p < ' ' && *p != '\n')
				fail_msg("control character %u in %s", *p, names[i]);
		if (i == 2 || i == 3 || i == 6)
			expect_not(text, "<script>");
		free(text);
	}
	model_free(m);
}

static void sarif_details(void **state)
{
	struct model *m = station();
	char *text = written_plain(report_coverage_sarif, m);

	(void)state;
	expect(text, "\"uri\":\"station/Station.java\",\"uriBaseId\":\"SRCROOT\"},\"region\":{\"startLine\":16}");
	expect(text, "station.Link.carry(String) never has a receiver of class station.CipherLink here. What brings it here: "
		     "station.Exchange.open() → station.Station.tell(Link).\"}");
	expect(text, "station.Link.carry(String) never runs station.UrgentLink.carry(String) here.");
	expect(text, "\"message\":{\"text\":\"station.Exchange.open:13 is created: v3\"}");
	/* first what is the component's own, then the rest, which is no warning */
	assert_int_equal(occurrences(text, "\"level\":\"warning\","), 4);
	assert_int_equal(occurrences(text, "\"level\":\"note\","), 0);
	m->c.items.data[1].is_own = false;
	free(text);
	text = written_plain(report_coverage_sarif, m);
	expect(last(text, "\"level\":\"note\","), "station.UrgentLink here.");
	expect_not(last(text, "\"level\":\"note\","), "\"level\":\"warning\",");
	m->c.items.data[1].is_own = true;
	m->why.rows.data[0].nacts = 0;
	free(text);
	text = written_plain(report_coverage_sarif, m);
	expect(text, "here. A shortest way to here begins: client calls station.Exchange.open().");
	/* another line, the same result */
	char *before = strdup(strstr(text, "\"partialFingerprints\""));
	before[60] = 0;
	m->plan.sites.data[0].line += 100, m->plan.sites.data[0].pc += 30;
	free(text);
	text = written_plain(report_coverage_sarif, m);
	assert_memory_equal(before, strstr(text, "\"partialFingerprints\""), 60);
	/* another call that looks the same, another result */
	m->plan.sites.data[0].nth = 1;
	free(text);
	text = written_plain(report_coverage_sarif, m);
	assert_memory_not_equal(before, strstr(text, "\"partialFingerprints\""), 60);
	free(text), free(before);
	model_free(m);
}

/* Own ones and alarms first, wherever they are; what does not fit is counted. */
static void sarif_has_an_end(void **state)
{
	enum { MISSED = 25100, OWN = 40 };
	struct model *m = station();
	struct cov_list *list = &m->c.sites.data[0].of[COV_RC];

	(void)state;
	*list = (struct cov_list){ .first = m->c.items.len, .n = MISSED + 1, .required = MISSED };
	for (int i = 0; i < MISSED; i++)
		vec_push(&m->c.items, ((struct cov_item){ .name = i < MISSED - OWN ? STR("other.C") : STR("own.C"), .is_required = true,
							  .is_own = i >= MISSED - OWN }));
	vec_push(&m->c.items, ((struct cov_item){ .name = STR("strange.C"), .count = 1, .origin = COV_COMPONENT }));
	struct coverage_head head = { .tool = "sherd" };
	uint64_t left_out = coverage_sarif_left_out(&m->c, &head);
	char *text = written_plain(report_coverage_sarif, m);
	assert_int_equal(occurrences(text, "\"partialFingerprints\""), 25000);
	assert_int_equal(occurrences(text, "of class own.C"), OWN);
	assert_int_equal(occurrences(text, "of class strange.C"), 1);
	assert_int_equal(left_out, MISSED - occurrences(text, "of class other.C") - OWN);
	char count[64];
	snprintf(count, sizeof count, "\"resultsLeftOut\":{\"RC-missed\":%u}", (unsigned)left_out);
	expect(text, count);
	expect(text, " results are left out: a run has 25,000 at most");
	free(text);
	model_free(m);
}

static void badge_details(void **state)
{
	struct model *m = station();
	char *text = written_plain(report_coverage_badge, m);

	(void)state;
	expect(text, "<title>receiver classes 50.0 %, target methods 50.0 %</title>");
	expect(text, ">RC 50% / TM 50%</text>");
	expect(text, "#96660c");
	m->plan.criteria = PLAN_RC;
	m->c.sums.of[COV_RC].covered = m->c.sums.of[COV_RC].required;
	free(text);
	text = written_plain(report_coverage_badge, m);
	expect(text, ">RC 100%</text>");
	expect_not(text, "TM");
	free(text);
	model_free(m);
}

static void source_files(void **state)
{
	struct strbuf path = { 0 };
	struct source_file f;

	(void)state;
	source_path(STR("p.q.Shapes$Round"), STR(""), &path);
	assert_string_equal(path.s, "p/q/Shapes.java");
	strbuf_clear(&path);
	source_path(STR("$Odd$1"), STR("Odd.kt"), &path);
	assert_string_equal(path.s, "Odd.kt");
	assert_true(source_open("nowhere:tests/unit/report", STR("test_coverage_report.c"), &f));
	assert_true(str_is(f.folder, "tests/unit/report"));
	source_close(&f);
	assert_false(source_open("tests/unit/report", STR("../report/test_coverage_report.c"), &f));
	assert_false(source_open("/", STR("/etc/passwd"), &f));
	assert_false(source_open("tests", STR("unit"), &f));
	assert_false(source_open(NULL, STR("test_coverage_report.c"), &f));
	strbuf_release(&path);
}

/* Differences */

static char *written_diff(coverage_diff_writer *write, const struct cov_diff *d)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	struct sink s = { .file = f };

	assert_true(write(&s, d, &plain));
	fclose(f);
	return text;
}

static void differences(void **state)
{
	struct model *old = station(), *new = station();
	struct cov_diff d = { .old = &old->c, .new = &new->c };

	(void)state;
	new->c.sums.of[COV_RC].covered = 3;
	vec_push(&d.rows, ((struct cov_diff_row){ COV_GAINED, COV_RC, 0, 0, STR("station.UrgentLink") }));
	vec_push(&d.rows, ((struct cov_diff_row){ COV_LOST, COV_TM, 1, 1, STR("station.PlainLink") }));
	vec_push(&d.rows, ((struct cov_diff_row){ COV_GONE, COV_RC, 1, UINT32_MAX, STR("q.Gone") }));
	d.counts[COV_GAINED] = d.counts[COV_LOST] = d.counts[COV_GONE] = 1;
	char *text = written_diff(report_coverage_diff_text, &d);
	expect(text, "  Receiver classes  50.0 % →  75.0 %    +25.0    2 of 4 → 3 of 4\n");
	expect_not(text, "own classes");
	free(text);
	new->c.sums.of[COV_OWN] = (struct cov_counts){ .required = 3, .covered = 3 };
	text = written_diff(report_coverage_diff_text, &d);
	expect(text, "    own classes     50.0 % → 100.0 %    +50.0    2 of 4 → 3 of 3\n");
	expect(text, "Lost  1\n  station.Station\n    tell(Link)\n        16  Link.carry(String)  runs PlainLink.carry\n");
	expect(text, "Gained  1\n  station.Station\n    post(String)\n        10  Link.carry(String)  UrgentLink\n");
	expect(text, "No longer required  1\n");
	free(text);
	text = written_diff(report_coverage_diff_json, &d);
	expect(text, "{\"schema\":\"sherd/cover-diff/1\",\n\"old\":{\"rc\":{\"required\":4,\"covered\":2,\"percent\":50.0}");
	expect(text, "\"counts\":{\"gained\":1,\"lost\":1,\"new_covered\":0,\"new_missed\":0,\"gone\":1}");
	expect(text, "{\"change\":\"lost\",\"site\":\"station.Station.tell(Lstation/Link;)V@1\",\"line\":16,"
		     "\"declared\":\"station.Link.carry(Ljava/lang/String;)V\","
		     "\"method\":\"station.PlainLink.carry(Ljava/lang/String;)V\"}");
	free(text);
	vec_release(&d.rows);
	model_free(old), model_free(new);
}

/* A full disk is an answer, not a crash; and the next write is not tried. */
static void full_disk(void **state)
{
	struct model *m = random_model(7, 60);

	(void)state;
	for (uint32_t i = 0; i < sizeof writers / sizeof *writers; i++) {
		FILE *f = fopen("/dev/full", "w");
		struct sink s = { .file = f };
		setvbuf(f, NULL, _IONBF, 0);
		assert_false(writers[i](&s, &m->c, &plain));
		fclose(f);
	}
	model_free(m);
}

/* 500 classes and 5,000 calls: each format far below a second. */
static void speed(void **state)
{
	struct model *m = random_model(99, 800);

	(void)state;
	for (uint32_t i = 0; i < sizeof writers / sizeof *writers; i++) {
		clock_t start = clock();
		free(written_plain(writers[i], m));
		double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
		if (seconds > 1)
			fail_msg("%s: %.2f s", names[i], seconds);
	}
	model_free(m);
}

static int write_all(const char *folder)
{
	struct model *m = difficult();

	for (uint32_t i = 0; i < sizeof writers / sizeof *writers; i++) {
		char path[4096];
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		struct sink s = { .file = fopen(path, "w") };
		if (!s.file || !writers[i](&s, &m->c, &plain) || fclose(s.file))
			return 1;
	}
	model_free(m);
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_counts), cmocka_unit_test(screen), cmocka_unit_test(screen_colors),
		cmocka_unit_test(screen_of_many), cmocka_unit_test(screen_of_nothing), cmocka_unit_test(screen_of_no_data),
		cmocka_unit_test(screen_order), cmocka_unit_test(screen_names), cmocka_unit_test(screen_unreached),
		cmocka_unit_test(screen_partly), cmocka_unit_test(difficult_names),
		cmocka_unit_test(sarif_details),
		cmocka_unit_test(sarif_has_an_end), cmocka_unit_test(badge_details), cmocka_unit_test(source_files),
		cmocka_unit_test(differences), cmocka_unit_test(full_disk), cmocka_unit_test(speed),
	};

	if (argc == 3 && strcmp(argv[1], "--write") == 0)
		return write_all(argv[2]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
