// SPDX-License-Identifier: Apache-2.0
// links: base formats/coverage
/* covdump.c - plans, data of runs and reasons as lines of text, for tests. Usage: covdump FILE... ; several files with
 * data are shown merged. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/sys/mapfile.h"
#include "formats/coverage/plan.h"
#include "formats/coverage/reasons.h"
#include "formats/coverage/runs.h"

#define TEXT(s) (int)(s).len, (s).p ? (s).p : ""

/* Plans */

static void dump_types(const struct plan *p)
{
	static const char *const sorts[] = { "class", "lambda", "array" };

	for (uint32_t i = 1; i < p->types.len; i++) {
		const struct plan_type *t = &p->types.data[i];
		printf("type %u %s %.*s", i, sorts[t->sort], TEXT(t->name));
		if (t->sort == PLAN_LAMBDA)
			printf(" host=%.*s interface=%.*s body=%.*s", TEXT(t->host), TEXT(t->interface), TEXT(t->body));
		putchar('\n');
	}
}

static void dump_list(const struct plan *p, const char *what, struct plan_range list)
{
	for (uint32_t i = 0; i < list.n; i++)
		printf("%s %.*s\n", what, TEXT(p->types.data[p->ids.data[list.first + i]].name));
}

static void dump_site(const struct plan *p, uint32_t row)
{
	static const char *const names[] = { "reached", "open", "client", "interface" };
	const struct plan_site *s = &p->sites.data[row];
	const struct plan_method *m = &p->methods.data[s->method];
	const struct plan_class *c = &p->classes.data[m->class];

	printf("site %u %.*s.%.*s%.*s@%u line=%u call=%.*s.%.*s%.*s nth=%u/%u", row - c->first_site, TEXT(c->name),
	       TEXT(m->name), TEXT(m->desc), s->pc, s->line, TEXT(s->owner), TEXT(s->name), TEXT(s->desc), s->nth,
	       s->of);
	for (unsigned bit = 0; bit < 4; bit++)
		if (s->flags & 1u << bit)
			printf(" %s", names[bit]);
	putchar('\n');
	dump_list(p, "rc", s->rc);
	dump_list(p, "tm", s->tm);
}

static void dump_classes(const struct plan *p)
{
	for (uint32_t i = 0; i < p->classes.len; i++) {
		const struct plan_class *c = &p->classes.data[i];
		printf("class %.*s source=%.*s key=%016" PRIx64 "%s\n", TEXT(c->name), TEXT(c->source), c->key,
		       c->is_jdk ? " jdk" : "");
		for (uint32_t k = 0; k < c->nmethods; k++) {
			const struct plan_method *m = &p->methods.data[c->first_method + k];
			printf("method %.*s.%.*s%.*s code=%016" PRIx64 "\n", TEXT(c->name), TEXT(m->name),
			       TEXT(m->desc), m->code);
			for (uint32_t n = 0; n < m->nsites; n++)
				dump_site(p, m->first_site + n);
		}
	}
}

static void dump_plan(const struct plan *p)
{
	printf("plan %016" PRIx64 "%s%s\n", p->id, p->criteria & PLAN_RC ? " rc" : "", p->criteria & PLAN_TM ? " tm" : "");
	printf("component %.*s\ninterface %.*s\nclients %.*s\nalgorithm %.*s\nclass path %.*s\njdk %.*s\nversion "
	       "%.*s\n",
	       TEXT(p->component), TEXT(p->interface), TEXT(p->clients), TEXT(p->algorithm), TEXT(p->class_path),
	       TEXT(p->jdk), TEXT(p->version));
	dump_types(p);
	dump_classes(p);
	for (uint32_t i = 0; i < p->others.len; i++)
		printf("other %.*s\n", TEXT(p->others.data[i]));
}

/* Runs */

static void dump_head(const struct run *r)
{
	printf("run ");
	for (int i = 0; i < RUN_ID_LEN; i++)
		printf("%02x", r->id[i]);
	printf(" plan=%016" PRIx64 " start=%" PRIu64 " pid=%u session=%.*s jvm=%.*s command=%.*s%s%s%s\n", r->plan,
	       r->start, r->pid, TEXT(r->session), TEXT(r->jvm), TEXT(r->command), r->is_complete ? " complete" : "",
	       r->is_damaged ? " damaged" : "", r->is_parallel ? " parallel" : "");
}

static void dump_run_types(const struct run *r)
{
	static const char *const loaders[] = { "boot", "platform", "app", "other" };
	static const char *const names[] = { "hidden", "proxy", "array", "lambda" };

	for (uint32_t i = 0; i < r->types.len; i++) {
		const struct run_type *t = &r->types.data[i];
		printf("type %u %.*s %s", i, TEXT(t->name), loaders[t->loader]);
		for (unsigned bit = 0; bit < 4; bit++)
			if (t->flags & 1u << bit)
				printf(" %s", names[bit]);
		if (t->flags & RUN_LAMBDA)
			printf(" host=%.*s", TEXT(t->host));
		for (uint32_t k = 0; k < t->ninterfaces + t->nbodies; k++)
			printf(" %s=%.*s", k < t->ninterfaces ? "interface" : "body", TEXT(r->facts.data[t->first_fact + k]));
		putchar('\n');
	}
}

static void dump_cells(const struct run *r)
{
	for (uint32_t i = 0; i < r->cells.len; i++) {
		const struct run_cell *c = &r->cells.data[i];
		struct str type = c->type == UINT32_MAX ? STR("made") : r->types.data[c->type].name;
		printf("cell %u %.*s#%u %.*s -> ", i, TEXT(r->classes.data[c->class].name), c->site, TEXT(type));
		if (c->callee != UINT32_MAX)
			printf("back %.*s", TEXT(r->callees.data[c->callee]));
		else if (c->target == UINT32_MAX)
			printf("?");
		else
			printf("%.*s", TEXT(r->types.data[c->target].name));
		printf(" %" PRIu64 "\n", c->count);
	}
}

static void dump_run(const struct run *r)
{
	static const char *const states[] = { "watched", "matched", "other", "failed" };

	dump_head(r);
	for (uint32_t i = 0; i < r->classes.len; i++) {
		const struct run_class *c = &r->classes.data[i];
		printf("class %u %.*s key=%016" PRIx64 " %s", i, TEXT(c->name), c->key, states[c->state]);
		if (c->missed)
			printf(" unwatched=");
		for (uint32_t k = 0; k < c->missed; k++)
			printf("%s%u", k ? "," : "", r->unwatched.data[c->first_unwatched + k]);
		printf("%s%.*s\n", c->text.len ? " " : "", TEXT(c->text));
	}
	dump_run_types(r);
	dump_cells(r);
	for (uint32_t i = 0; i < r->tests.len; i++) {
		const struct run_test *t = &r->tests.data[i];
		printf("test %.*s", TEXT(t->name));
		for (uint32_t k = 0; k < t->n; k++)
			printf(" %u", r->test_cells.data[t->first + k]);
		putchar('\n');
	}
	for (uint32_t i = 0; i < r->notes.len; i++)
		printf("note %.*s\n", TEXT(r->notes.data[i]));
}

/* Reasons */

static void dump_reasons(const struct reasons *r)
{
	printf("why plan=%016" PRIx64 "\n", r->plan);
	for (uint32_t i = 0; i < r->rows.len; i++) {
		const struct reason *row = &r->rows.data[i];
		printf("reason site=%u type=%u\n", row->site, row->type);
		for (uint32_t k = 0; k < row->nsteps; k++) {
			const struct reason_step *s = &r->steps.data[row->first_step + k];
			printf("step %.*s: %.*s\n", TEXT(s->place), TEXT(s->text));
		}
		for (uint32_t k = 0; k < row->nacts; k++)
			printf("act %.*s\n", TEXT(r->acts.data[row->first_act + k]));
	}
}

/* Files */

static bool starts(struct span s, const char *prefix)
{
	return s.len >= strlen(prefix) && memcmp(s.p, prefix, strlen(prefix)) == 0;
}

static bool dump_file(struct span bytes, struct runs *runs, struct strbuf *err)
{
	struct arena mem;
	struct plan p;
	struct reasons why;
	bool ok;

	arena_init(&mem);
	if (starts(bytes, "sherd plan ")) {
		ok = plan_read(&p, bytes, &mem, err);
		if (ok)
			dump_plan(&p);
		plan_release(&p);
	} else if (starts(bytes, "sherd why ")) {
		ok = reasons_read(&why, bytes, &mem, err);
		if (ok)
			dump_reasons(&why);
		reasons_release(&why);
	} else {
		ok = runs_read(runs, bytes, err);
	}
	arena_release(&mem);
	return ok;
}

int main(int argc, char **argv)
{
	struct mapfile *maps = mem_zalloc((size_t)argc * sizeof(*maps));
	struct runs runs = { 0 };
	struct strbuf err = { 0 };
	int failed = argc < 2;

	for (int i = 1; i < argc; i++) {
		strbuf_clear(&err);
		if (!mapfile_open(&maps[i], argv[i]))
			strbuf_adds(&err, strerror(errno));
		else if (dump_file(maps[i].bytes, &runs, &err))
			continue;
		fprintf(stderr, "%s: %s\n", argv[i], err.s);
		failed = 2;
	}
	for (uint32_t i = 0; i < runs.runs.len; i++)
		dump_run(&runs.runs.data[i]);
	if (runs.nlost)
		printf("lost %u\n", runs.nlost);
	runs_release(&runs);
	for (int i = 1; i < argc; i++)
		mapfile_close(&maps[i]);
	free(maps);
	strbuf_release(&err);
	return failed;
}
