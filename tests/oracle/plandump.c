/* SPDX-License-Identifier: Apache-2.0 */
// links: base formats/coverage
/* plandump - a plan as lines of text with tabs, for tests: class, method, site, type, other. Usage: plandump plan.sherd */
#include <inttypes.h>
#include <stdio.h>

#include "base/sys/mapfile.h"
#include "formats/coverage/plan.h"

static void field(const char *before, struct str t)
{
	printf("%s%.*s", before, (int)t.len, t.p);
}

static void list(const struct plan *p, const char *name, struct plan_range in)
{
	printf("\t%s=", name);
	for (uint32_t k = 0; k < in.n; k++)
		field(k ? "," : "", p->types.data[p->ids.data[in.first + k]].name);
}

static void print_site(const struct plan *p, const struct plan_site *s)
{
	const struct plan_method *m = &p->methods.data[s->method];

	field("site\t", p->classes.data[m->class].name);
	field(".", m->name);
	field("", m->desc);
	printf("@%" PRIu32 "\tline=%" PRIu32 "\tflags=%" PRIu32 "\t%" PRIu32 "/%" PRIu32, s->pc, s->line, s->flags, s->nth,
	       s->of);
	field("\tcalls=", s->owner);
	field(".", s->name);
	field("", s->desc);
	list(p, "rc", s->rc);
	list(p, "tm", s->tm);
	putchar('\n');
}

static void print_plan(const struct plan *p)
{
	field("asked\t", p->component);
	field("\t", p->interface);
	field("\t", p->clients);
	field("\t", p->algorithm);
	printf("\trc=%d tm=%d\n", (p->criteria & PLAN_RC) != 0, (p->criteria & PLAN_TM) != 0);
	for (uint32_t i = 1; i < p->types.len; i++) {
		const struct plan_type *t = &p->types.data[i];
		field(t->sort == PLAN_LAMBDA ? "lambda\t" : t->sort == PLAN_ARRAY ? "array\t" : "type\t", t->name);
		if (t->sort == PLAN_LAMBDA) {
			field("\t", t->host);
			field("\t", t->interface);
			field("\t", t->body);
		}
		putchar('\n');
	}
	for (uint32_t i = 0; i < p->classes.len; i++) {
		field("class\t", p->classes.data[i].name);
		field("\t", p->classes.data[i].source);
		printf("\tsites=%" PRIu32 "\tjdk=%d\tkey=%016" PRIx64 "\n", p->classes.data[i].nsites,
		       p->classes.data[i].is_jdk, p->classes.data[i].key);
	}
	for (uint32_t i = 0; i < p->sites.len; i++)
		print_site(p, &p->sites.data[i]);
	for (uint32_t i = 0; i < p->others.len; i++) {
		field("other\t", p->others.data[i]);
		putchar('\n');
	}
}

int main(int argc, char **argv)
{
	struct mapfile f;
	struct plan p = { 0 };
	struct arena mem;
	struct strbuf err = { 0 };

	arena_init(&mem);
	if (argc != 2 || !mapfile_open(&f, argv[1])) {
		fprintf(stderr, "usage: plandump plan.sherd\n");
		return 2;
	}
	bool ok = plan_read(&p, f.bytes, &mem, &err);
	if (ok)
		print_plan(&p);
	else
		fprintf(stderr, "%s\n", err.s);
	plan_release(&p);
	arena_release(&mem);
	strbuf_release(&err);
	mapfile_close(&f);
	return ok ? 0 : 1;
}
