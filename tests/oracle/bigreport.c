// SPDX-License-Identifier: Apache-2.0
// links: base algo formats/coverage coverage report
/* bigreport - HTML reports to look at, without an analysis and without a run.
 *
 *	bigreport FILE [SOURCES]    of what the file describes: see tests/browser/sample.txt for its lines
 *	bigreport --sites N         of a made-up component with N calls, the same one every time
 *
 * The report goes to standard output. The plan and the runs are put together by hand and joined as those of real runs are. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/map.h"
#include "base/sys/mapfile.h"
#include "report/coverage/coverage.h"

struct seen {                       /* a receiver at a site of the plan */
	uint32_t site, type, target;   /* of the plan; rows of run types */
	uint64_t count;
	struct str tests;              /* separated by commas */
};
struct maker {
	struct arena mem;
	struct interner types;         /* row in the plan's types */
	struct interner run_types, tests;
	struct plan plan;
	struct run run;
	struct runs runs;
	struct reasons reasons;
	VEC(uint32_t) rc, tm;          /* of the site at hand */
	VEC(uint32_t) runs_of;         /* likewise, of each of rc: the type whose method it runs; 0: not said */
	VEC(struct seen) seen;
	VEC(struct run_class) classes; /* how each class of the plan was loaded, in its order */
	VEC(bool) is_loaded;
	VEC(uint64_t) pairs;           /* of a test and a cell of the run */
	VEC(struct coverage_past) past;
	struct cov_accepted accepted;
	uint32_t accepted_type;        /* 0: none */
	struct str because;
	VEC(struct str) names;         /* of all classes of the component, in order, with the ladder */
};

static ATTR_NORETURN void stop(const char *what, const char *about)
{
	fprintf(stderr, "bigreport: %s: %s\n", what, about);
	exit(2);
}

static void maker_init(struct maker *m)
{
	*m = (struct maker){ 0 };
	arena_init(&m->mem);
	interner_init(&m->types);
	interner_init(&m->run_types);
	interner_init(&m->tests);
	vec_push(&m->plan.types, (struct plan_type){ 0 });
	m->plan.criteria = PLAN_RC | PLAN_TM;
	m->run.is_complete = true;
}

static void maker_release(struct maker *m)
{
	plan_release(&m->plan);
	runs_release(&m->runs);
	reasons_release(&m->reasons);
	interner_release(&m->types);
	interner_release(&m->run_types);
	interner_release(&m->tests);
	vec_release(&m->rc);
	vec_release(&m->tm);
	vec_release(&m->runs_of);
	vec_release(&m->seen);
	vec_release(&m->classes);
	vec_release(&m->is_loaded);
	vec_release(&m->pairs);
	vec_release(&m->past);
	vec_release(&m->accepted.entries);
	vec_release(&m->names);
	arena_release(&m->mem);
}

static struct str keep(struct maker *m, struct str s)
{
	return (struct str){ arena_copy(&m->mem, s.p, s.len), s.len };
}

static uint32_t plan_type(struct maker *m, struct str name)
{
	uint32_t id = intern(&m->types, name).i;

	if (id == m->plan.types.len)
		vec_push(&m->plan.types, ((struct plan_type){ .name = keep(m, name),
							      .sort = str_ends(name, "[]") ? PLAN_ARRAY : PLAN_CLASS }));
	return id;
}

/* A run knows a lambda by what its class file mentions. */
static void describe_lambda(struct maker *m, struct run_type *t)
{
	str_id id;

	if (!interner_find(&m->types, t->name, &id) || m->plan.types.data[id.i].sort != PLAN_LAMBDA)
		return;
	const struct plan_type *p = &m->plan.types.data[id.i];
	t->flags |= RUN_HIDDEN | RUN_LAMBDA;
	t->host = p->host;
	t->first_fact = m->run.facts.len;
	t->ninterfaces = t->nbodies = 1;
	vec_push(&m->run.facts, p->interface);
	vec_push(&m->run.facts, p->body);
}

static uint32_t run_type(struct maker *m, struct str name, uint8_t loader, uint8_t flags)
{
	uint32_t id = intern(&m->run_types, name).i;

	if (id > m->run.types.len) {
		struct run_type t = { .name = keep(m, name), .loader = loader, .flags = flags };
		describe_lambda(m, &t);
		vec_push(&m->run.types, t);
	}
	return id - 1;
}

static void add_class(struct maker *m, struct str name, struct str source)
{
	struct plan *p = &m->plan;

	vec_push(&p->classes, ((struct plan_class){ .name = keep(m, name), .source = keep(m, source),
						    .first_method = p->methods.len, .first_site = p->sites.len }));
	vec_push(&m->classes, ((struct run_class){ .name = vec_last(&p->classes)->name }));
	vec_push(&m->is_loaded, true);
}

static void add_method(struct maker *m, struct str name, struct str desc)
{
	struct plan *p = &m->plan;

	vec_push(&p->methods, ((struct plan_method){ .class = p->classes.len - 1, .name = keep(m, name), .desc = keep(m, desc),
						     .code = p->methods.len + 1, .first_site = p->sites.len }));
	vec_last(&p->classes)->nmethods++;
}

/* The rows in `from` as a list by name, each once. Plans are small or made in order: insertion will do. */
static struct plan_range take(struct maker *m, uint32_t *from, uint32_t n)
{
	struct plan *p = &m->plan;
	struct plan_range range = { p->ids.len, 0 };

	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = range.n;
		while (at && str_cmp(p->types.data[p->ids.data[range.first + at - 1]].name, p->types.data[from[i]].name) > 0)
			at--;
		if (at && p->ids.data[range.first + at - 1] == from[i])
			continue;
		vec_push(&p->ids, 0);
		uint32_t *ids = p->ids.data + range.first;
		memmove(ids + at + 1, ids + at, (range.n - at) * sizeof(*ids));
		ids[at] = from[i];
		range.n++;
	}
	return range;
}

/* Calls of a method that look the same are told apart by their order. */
static void number_call(struct plan *p, struct plan_site *s, const struct plan_method *m)
{
	for (uint32_t i = m->first_site; i + 1 < p->sites.len; i++) {
		struct plan_site *other = &p->sites.data[i];
		if (str_eq(other->owner, s->owner) && str_eq(other->name, s->name) && str_eq(other->desc, s->desc))
			other->of++, s->nth++, s->of++;
	}
}

/* Classes of the component come before what mentions them. */
static bool is_own(const struct maker *m, uint32_t type)
{
	const struct plan_type *t = &m->plan.types.data[type];
	struct str name = t->sort == PLAN_LAMBDA ? t->host : t->name;

	for (uint32_t lo = 0, hi = m->names.len; lo < hi;) {
		uint32_t mid = (lo + hi) / 2;
		int order = str_cmp(name, m->names.data[mid]);
		if (order == 0)
			return true;
		*(order < 0 ? &hi : &lo) = order < 0 ? mid : mid + 1;
	}
	return false;
}

/* What the analysis would say of a call with these requirements. */
static void climb(struct maker *m, struct plan_site *s)
{
	VEC(uint32_t) own = { 0 };

	if (!(m->plan.criteria & PLAN_LADDER) || s->tm.n + ((s->flags & (PLAN_OPEN | PLAN_CLIENT)) != 0) < 2)
		return;
	s->flags |= PLAN_CHOICE;
	for (uint32_t i = 0; i < m->rc.len; i++)
		if (m->runs_of.data[i] && is_own(m, m->rc.data[i]) && is_own(m, m->runs_of.data[i]))
			vec_push(&own, m->rc.data[i]);
	if (own.len)
		s->own = take(m, own.data, own.len);
	vec_clear(&own);
	for (uint32_t i = 0; i < s->tm.n; i++)
		if (is_own(m, m->plan.ids.data[s->tm.first + i]))
			vec_push(&own, m->plan.ids.data[s->tm.first + i]);
	if (own.len)
		s->own_targets = take(m, own.data, own.len);
	vec_release(&own);
}

static void end_site(struct maker *m)
{
	if (!m->plan.sites.len)
		return;
	struct plan_site *s = vec_last(&m->plan.sites);
	if (m->rc.len)
		s->rc = take(m, m->rc.data, m->rc.len);
	if (m->tm.len)
		s->tm = take(m, m->tm.data, m->tm.len);
	if (m->rc.len)
		climb(m, s);
	vec_clear(&m->rc);
	vec_clear(&m->tm);
	vec_clear(&m->runs_of);
}

static void add_site(struct maker *m, struct plan_site s)
{
	struct plan *p = &m->plan;

	end_site(m);
	s.method = p->methods.len - 1;
	s.of = 1;
	vec_push(&p->sites, s);
	number_call(p, vec_last(&p->sites), vec_last(&p->methods));
	vec_last(&p->methods)->nsites++;
	vec_last(&p->classes)->nsites++;
}

static void add_seen(struct maker *m, uint32_t type, uint32_t target, uint64_t count, struct str tests)
{
	if (count)
		vec_push(&m->seen, ((struct seen){ m->plan.sites.len - 1, type, target, count, keep(m, tests) }));
}

static void require(struct maker *m, struct str type, struct str target)
{
	vec_push(&m->rc, plan_type(m, type));
	vec_push(&m->runs_of, target.len ? plan_type(m, target) : 0);
	if (target.len)
		vec_push(&m->tm, plan_type(m, target));
}

/* Putting the run together */

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void add_tests(struct maker *m, struct str names, uint32_t cell)
{
	for (uint32_t at = 0; at < names.len;) {
		uint32_t end = at;
		while (end < names.len && names.p[end] != ',')
			end++;
		struct str name = str_sub(names, at, end);
		uint32_t id = intern(&m->tests, name).i;
		if (id > m->run.tests.len)
			vec_push(&m->run.tests, ((struct run_test){ .name = name }));
		vec_push(&m->pairs, map_key(id - 1, cell));
		at = end + 1;
	}
}

static void place_tests(struct maker *m)
{
	if (m->pairs.len)
		qsort(m->pairs.data, m->pairs.len, sizeof(*m->pairs.data), by_value);
	for (uint32_t i = 0; i < m->pairs.len; i++) {
		struct run_test *t = &m->run.tests.data[m->pairs.data[i] >> 32];
		if (!t->n++)
			t->first = i;
		vec_push(&m->run.test_cells, (uint32_t)m->pairs.data[i]);
	}
}

static void finish(struct maker *m)
{
	struct strbuf bytes = { 0 };
	VEC(uint32_t) rows = { 0 };         /* of the run, by class of the plan */

	end_site(m);
	plan_write(&m->plan, &bytes);       /* computes keys */
	strbuf_release(&bytes);
	m->run.plan = m->reasons.plan = m->plan.id;
	for (uint32_t i = 0; i < m->plan.classes.len; i++) {
		m->classes.data[i].key = m->plan.classes.data[i].key;
		vec_push(&rows, m->run.classes.len);
		if (m->is_loaded.data[i])
			vec_push(&m->run.classes, m->classes.data[i]);
	}
	for (uint32_t i = 0; i < m->seen.len; i++) {
		const struct seen *s = &m->seen.data[i];
		uint32_t class = m->plan.methods.data[m->plan.sites.data[s->site].method].class;
		add_tests(m, s->tests, m->run.cells.len);
		vec_push(&m->run.cells, ((struct run_cell){ rows.data[class], s->site - m->plan.classes.data[class].first_site,
							    s->type, s->target, UINT32_MAX, s->count }));
	}
	place_tests(m);
	vec_release(&rows);
	vec_push(&m->runs.runs, m->run);
}

/* What an entry names: one class, at all calls. */
static void accept_type(struct maker *m)
{
	bool *types = arena_zalloc(&m->mem, m->plan.types.len), *sites = arena_zalloc(&m->mem, m->plan.sites.len + 1u);

	types[m->accepted_type] = true;
	for (uint32_t i = 0; i < m->plan.sites.len; i++)
		sites[i] = true;
	vec_push(&m->accepted.entries, ((struct cov_acceptance){ .line = 1, .text = m->because, .because = m->because,
								 .types = types, .sites = sites }));
}

static int write_report(struct maker *m, const char *source)
{
	struct coverage c;
	struct sink out = { .file = stdout };
	struct coverage_head head = { .version = "0.4.0", .source = source, .result = "result", .past = m->past.data,
				      .npast = m->past.len };

	finish(m);
	if (m->accepted_type)
		accept_type(m);
	coverage_join(&c, &m->plan, &m->runs, m->reasons.rows.len ? &m->reasons : NULL,
		      m->accepted_type ? &m->accepted : NULL);
	bool is_written = report_coverage_html(&out, &c, &head);
	coverage_release(&c);
	maker_release(m);
	return is_written ? 0 : 2;
}

/* From a file: words of a line are separated by tabs */

#define MAX_WORDS 8

struct line {
	struct str words[MAX_WORDS];
	uint32_t n;
};

static void split(struct line *l, struct str text)
{
	*l = (struct line){ 0 };
	for (uint32_t at = 0; at <= text.len && l->n < MAX_WORDS;) {
		uint32_t end = at;
		while (end < text.len && text.p[end] != '\t')
			end++;
		l->words[l->n++] = str_sub(text, at, end);
		at = end + 1;
	}
	for (uint32_t i = l->n; i < MAX_WORDS; i++)
		l->words[i] = STR("");
}

static uint64_t number(struct str s)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < s.len; i++)
		n = n * 10 + (uint64_t)(s.p[i] - '0');
	return n;
}

static bool has(struct str s, char c)
{
	return s.len && memchr(s.p, c, s.len);
}

static void read_ask(struct maker *m, const struct str *w)
{
	struct str *const fields[] = { &m->plan.component, &m->plan.interface, &m->plan.clients, &m->plan.algorithm,
				       &m->plan.class_path, &m->plan.jdk };

	for (size_t i = 0; i < ARRAY_LEN(fields); i++)
		*fields[i] = keep(m, w[i]);
}

static void read_run(struct maker *m, const struct str *w)
{
	m->run.start = number(w[0]);
	m->run.pid = (uint32_t)number(w[1]);
	m->run.jvm = keep(m, w[2]);
	m->run.command = keep(m, w[3]);
	m->run.is_complete = !has(w[4], 'i');
	m->run.is_parallel = has(w[4], 'p');
}

static void read_class(struct maker *m, const struct str *w)
{
	end_site(m);
	add_class(m, w[0], w[1]);
}

static void read_state(struct maker *m, const struct str *w)
{
	static const char *const names[] = { "watched", "matched", "other", "failed" };
	struct run_class *c = vec_last(&m->classes);

	*vec_last(&m->is_loaded) = !str_is(w[0], "unloaded");
	for (uint8_t i = 0; i < ARRAY_LEN(names); i++)
		if (str_is(w[0], names[i]))
			c->state = i;
	c->missed = (uint32_t)number(w[1]);
	c->text = keep(m, w[2]);
}

static void read_method(struct maker *m, const struct str *w)
{
	end_site(m);
	add_method(m, w[0], w[1]);
}

static void read_site(struct maker *m, const struct str *w)
{
	uint32_t flags = PLAN_REACHED;

	flags |= has(w[2], 'o') ? PLAN_OPEN : 0u;
	flags |= has(w[2], 'c') ? PLAN_CLIENT : 0u;
	flags |= has(w[2], 'i') ? PLAN_INTERFACE : 0u;
	flags &= has(w[2], 'u') ? ~(uint32_t)PLAN_REACHED : ~0u;
	add_site(m, (struct plan_site){ .pc = (uint32_t)number(w[0]), .line = (uint32_t)number(w[1]), .flags = flags,
					.owner = keep(m, w[3]), .name = keep(m, w[4]), .desc = keep(m, w[5]),
					.declares = keep(m, w[6].len ? w[6] : w[3]) });
}

static void read_rc(struct maker *m, const struct str *w)
{
	require(m, w[0], w[1]);
	uint32_t target = w[1].len ? run_type(m, w[1], RUN_APP, 0) : UINT32_MAX;
	add_seen(m, run_type(m, w[0], RUN_APP, 0), target, number(w[2]), w[3]);
}

static void read_seen(struct maker *m, const struct str *w)
{
	uint8_t flags = has(w[4], 'p') ? RUN_PROXY : has(w[4], 'h') ? RUN_HIDDEN : 0;
	uint32_t target = w[1].len ? run_type(m, w[1], RUN_APP, 0) : UINT32_MAX;

	add_seen(m, run_type(m, w[0], RUN_APP, flags), target, number(w[2]), w[3]);
}

/* A step of the way of the receiver in the line of an rc before it. */
static void read_why(struct maker *m, const struct str *w)
{
	struct reasons *r = &m->reasons;
	uint32_t site = m->plan.sites.len - 1, type = *vec_last(&m->rc);

	if (!r->rows.len || vec_last(&r->rows)->site != site || vec_last(&r->rows)->type != type)
		vec_push(&r->rows, ((struct reason){ .site = site, .type = type, .first_step = r->steps.len,
						     .first_act = r->acts.len }));
	vec_push(&r->steps, ((struct reason_step){ keep(m, w[0]), keep(m, w[1]) }));
	vec_last(&r->rows)->nsteps++;
}

/* What a client does for it, behind its steps. */
static void read_act(struct maker *m, const struct str *w)
{
	vec_push(&m->reasons.acts, keep(m, w[0]));
	vec_last(&m->reasons.rows)->nacts++;
}

/* The idea behind it: an object, the call, and lines of Java between vertical bars. Equal ones are one. */
static void read_idea(struct maker *m, const struct str *w)
{
	struct reason_idea idea = { .type = plan_type(m, w[0]), .call = keep(m, w[1]), .is_whole = true };
	struct strbuf code = { 0 };
	uint32_t i = 0;

	for (uint32_t k = 0; k < w[2].len; k++)
		strbuf_addch(&code, w[2].p[k] == '|' ? '\n' : w[2].p[k]);
	idea.code = keep(m, strbuf_str(&code));
	strbuf_release(&code);
	for (; i < m->reasons.ideas.len; i++)
		if (m->reasons.ideas.data[i].type == idea.type && str_eq(m->reasons.ideas.data[i].call, idea.call))
			break;
	if (i == m->reasons.ideas.len)
		vec_push(&m->reasons.ideas, idea);
	vec_last(&m->reasons.rows)->idea = i + 1;
	vec_last(&m->reasons.rows)->target = *vec_last(&m->runs_of);
}

static void read_accept(struct maker *m, const struct str *w)
{
	m->accepted_type = plan_type(m, w[0]);
	m->because = keep(m, w[1]);
}

static void read_lambda(struct maker *m, const struct str *w)
{
	uint32_t type = plan_type(m, w[0]);
	struct plan_type *t = &m->plan.types.data[type];

	t->sort = PLAN_LAMBDA;
	t->host = keep(m, w[1]);
	t->interface = keep(m, w[2]);
	t->body = keep(m, w[3]);
}

/* With the names of all classes, in order. */
static void read_ladder(struct maker *m, const struct str *w)
{
	for (uint32_t at = 0; at < w[0].len;) {
		uint32_t end = at;
		while (end < w[0].len && w[0].p[end] != ',')
			end++;
		vec_push(&m->names, keep(m, str_sub(w[0], at, end)));
		at = end + 1;
	}
	m->plan.criteria |= PLAN_LADDER;
}

/* What a result of before required and covered, of each rung. */
static void read_older(struct maker *m, const struct str *w)
{
	struct coverage_past past = { .name = keep(m, w[0]), .start = number(w[1]), .criteria = PLAN_LADDER };

	for (uint32_t k = 0; k < 4; k++) {
		uint32_t slash = (uint32_t)((const char *)memchr(w[2 + k].p, '/', w[2 + k].len) - w[2 + k].p);
		past.of[k] = (struct cov_counts){ .required = number(str_sub(w[2 + k], slash + 1, w[2 + k].len)),
						  .covered = number(str_sub(w[2 + k], 0, slash)) };
	}
	vec_push(&m->past, past);
}

static void read_other(struct maker *m, const struct str *w)
{
	vec_push(&m->plan.others, keep(m, w[0]));
}

static void read_note(struct maker *m, const struct str *w)
{
	vec_push(&m->run.notes, keep(m, w[0]));
}

static const struct {
	const char *word;
	void (*read)(struct maker *m, const struct str *words);
} lines[] = {
	{ "ask", read_ask }, { "run", read_run }, { "class", read_class }, { "state", read_state }, { "method", read_method },
	{ "site", read_site }, { "rc", read_rc }, { "seen", read_seen }, { "why", read_why }, { "act", read_act }, { "idea", read_idea },
	{ "lambda", read_lambda }, { "other", read_other }, { "note", read_note },
	{ "ladder", read_ladder }, { "older", read_older }, { "accept", read_accept },
};

static void read_line(struct maker *m, struct str text)
{
	struct line l;

	if (!text.len || text.p[0] == '#')
		return;
	split(&l, text);
	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		if (str_is(l.words[0], lines[i].word)) {
			lines[i].read(m, l.words + 1);
			return;
		}
	}
	fprintf(stderr, "bigreport: %.*s: no such line\n", (int)text.len, text.p);
	exit(2);
}

static void read_file(struct maker *m, const char *path)
{
	struct mapfile f;

	if (!mapfile_open(&f, path))
		stop(path, strerror(errno));
	const char *p = (const char *)f.bytes.p, *end = p + f.bytes.len;
	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		nl = nl ? nl : end;
		read_line(m, (struct str){ p, (uint32_t)(nl - p) });
		p = nl + 1;
	}
	mapfile_close(&f);
}

/* Made up */

struct random { uint64_t state; };

static uint32_t random_below(struct random *r, uint32_t n)
{
	r->state = r->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(r->state >> 33) % n;
}

static int by_name(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

static struct str named(struct maker *m, struct strbuf *text, const char *form, uint32_t a, uint32_t b)
{
	strbuf_clear(text);
	strbuf_addf(text, form, (unsigned)a, (unsigned)b);
	return keep(m, strbuf_str(text));
}

#define KIN 24                       /* classes that are receivers of the same calls */

/* Up to KIN neighbours of a family of classes; most are covered, some by tests, and what is missed may have its reason. */
static void make_receivers(struct maker *m, struct random *r, struct strbuf *text, uint32_t family)
{
	uint32_t n = 2 + random_below(r, KIN - 2), luck = random_below(r, 100);

	for (uint32_t i = 0; i < n; i++) {
		struct str type = named(m, text, "org.example.kinds.family%u.Kind%02u", family, i);
		struct str target = named(m, text, "org.example.kinds.family%u.Kind%02u", family, i / 3);
		require(m, type, target);
		if (random_below(r, 100) < luck) {
			uint32_t first = random_below(r, 800);
			struct str tests = named(m, text, "org.example.SomeTest.case%u,org.example.SomeTest.case%u", first, first + 1);
			add_seen(m, run_type(m, type, RUN_APP, 0), run_type(m, target, RUN_APP, 0), 1 + random_below(r, 5000), tests);
		} else if (random_below(r, 3) == 0) {
			read_why(m, (struct str[]){ named(m, text, "org.example.kinds.Factory%u.make:%u", family, 10 + i),
						    named(m, text, "new org.example.kinds.family%u.Kind%02u", family, i) });
			read_why(m, (struct str[]){ named(m, text, "org.example.kinds.Registry.find:%u", family, 0),
						    STR("returned") });
			read_why(m, (struct str[]){ named(m, text, "org.example.Pool%u.take:31", family, 0), STR("argument 1 of a call") });
			read_act(m, (struct str[]){ named(m, text, "org.example.kinds.Factory%u.make(int)", family, 0) });
			read_act(m, (struct str[]){ named(m, text, "org.example.Pool%u.take(Kind%02u)", family, i) });
		}
	}
}

static void make_class(struct maker *m, struct random *r, struct strbuf *text, uint32_t number_of_it, uint32_t nsites, uint32_t families)
{
	struct str name = named(m, text, "org.example.part%02u.Worker%04u", number_of_it / 50, number_of_it);

	add_class(m, name, named(m, text, "Worker%04u.java", number_of_it, 0));
	for (uint32_t i = 0; i < nsites; i++) {
		if (i % 5 == 0) {
			end_site(m);
			add_method(m, named(m, text, "work%02u", i / 5, 0), STR("(Ljava/util/List;I)V"));
		}
		uint32_t family = random_below(r, families);
		struct str owner = named(m, text, "org.example.kinds.Base%u", family, 0);
		add_site(m, (struct plan_site){ .pc = 7 + i % 5 * 11, .line = 20 + i * 3, .flags = PLAN_REACHED | PLAN_INTERFACE,
						.owner = owner, .name = named(m, text, "act%u", i % 7, 0),
						.desc = STR("(I)Ljava/lang/String;"), .declares = owner });
		make_receivers(m, r, text, family);
	}
	end_site(m);
}

/* Every other family is the component's own. */
static void make_kinds(struct maker *m, struct strbuf *text, uint32_t families)
{
	for (uint32_t family = 0; family < families; family += 2)
		for (uint32_t i = 0; i < KIN; i++)
			vec_push(&m->names, named(m, text, "org.example.kinds.family%u.Kind%02u", family, i));
	qsort(m->names.data, m->names.len, sizeof(*m->names.data), by_name);
	for (uint32_t i = 0; i < m->names.len; i++)
		add_class(m, m->names.data[i], STR("Kind.java"));
}

static void make(struct maker *m, uint32_t nsites)
{
	const struct str asked[] = { STR("org.example.**"), STR("public"), STR("closed"), STR("andersen"), STR("example.jar"), STR("") };
	struct random r = { 20 };
	struct strbuf text = { 0 };

	read_ask(m, asked);
	m->run.start = 1790000000;
	m->plan.criteria |= PLAN_LADDER;
	make_kinds(m, &text, nsites / 100 + 1);
	for (uint32_t i = 0; i * 25 < nsites; i++)
		make_class(m, &r, &text, i, nsites - i * 25 < 25 ? nsites - i * 25 : 25, nsites / 100 + 1);
	strbuf_release(&text);
}

int main(int argc, char **argv)
{
	struct maker m;

	maker_init(&m);
	if (argc == 3 && strcmp(argv[1], "--sites") == 0) {
		make(&m, (uint32_t)number(str_of(argv[2])));
		return write_report(&m, NULL);
	}
	if (argc < 2 || argc > 3)
		stop("usage", "bigreport FILE [SOURCES] | --sites N");
	read_file(&m, argv[1]);
	return write_report(&m, argc == 3 ? argv[2] : NULL);
}
