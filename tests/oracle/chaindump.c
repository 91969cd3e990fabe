// SPDX-License-Identifier: Apache-2.0
// links: base formats/coverage
/* chaindump.c - the call chains that runs saw, as rows of `sherd chains --format csv` with a column more, how often. Usage:
 * chaindump PLAN DATA... ; an entry alone is a row of length 0. Lambdas of the component are
 * named after what they run: [lambda p.A.lambda$m$0()V]; others after who has them: [q.Main$$Lambda]. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/sys/mapfile.h"
#include "formats/coverage/plan.h"
#include "formats/coverage/runs.h"

#define TEXT(s) (int)(s).len, (s).p ? (s).p : ""

static uint32_t class_of(const struct plan *p, const struct run *r, const struct run_node *n)
{
	const struct run_code *c = &r->codes.data[n->code];
	uint32_t class = plan_find_class(p, c->name);

	if (class == UINT32_MAX || p->classes.data[class].chain_key != c->key || n->body >= p->classes.data[class].nbodies) {
		fprintf(stderr, "chaindump: data of another plan: %.*s\n", TEXT(c->name));
		exit(2);
	}
	return class;
}

static void add_body(const struct plan *p, const struct run *r, const struct run_node *n, struct strbuf *out)
{
	const struct plan_class *c = &p->classes.data[class_of(p, r, n)];
	const struct plan_method *m = &p->chains.bodies.data[c->first_body + n->body];

	strbuf_addf(out, "%.*s.%.*s%.*s", TEXT(c->name), TEXT(m->name), TEXT(m->desc));
}

static void add_type(const struct plan *p, const struct run *r, const struct run_type *t, struct strbuf *out)
{
	if (!(t->flags & RUN_LAMBDA)) {
		strbuf_addf(out, "[%.*s] ", TEXT(t->name));
		return;
	}
	if (plan_find_class(p, t->host) == UINT32_MAX) {
		strbuf_addf(out, "[%.*s$$Lambda] ", TEXT(t->host));
		return;
	}
	strbuf_adds(out, "[lambda ");
	for (uint32_t i = 0; i < t->nbodies; i++)
		strbuf_addf(out, "%s%.*s", i ? "|" : "", TEXT(r->facts.data[t->first_fact + t->ninterfaces + i]));
	strbuf_adds(out, "] ");
}

static uint32_t add_chain(const struct plan *p, const struct run *r, uint32_t row, struct strbuf *out)
{
	const struct run_node *n = &r->nodes.data[row];

	if (n->parent == UINT32_MAX) {
		add_body(p, r, n, out);
		return 0;
	}
	uint32_t length = add_chain(p, r, n->parent, out);
	const struct plan_class *c = &p->classes.data[class_of(p, r, &r->nodes.data[n->parent])];
	const struct plan_site *s = &p->chains.calls.data[c->first_call + n->call];
	strbuf_addf(out, " > @%u ", s->pc);
	if (n->type != UINT32_MAX)
		add_type(p, r, &r->types.data[n->type], out);
	else if (s->flags & PLAN_NEW)
		strbuf_addf(out, "[%.*s] ", TEXT(s->owner));
	add_body(p, r, n, out);
	return length + 1;
}

static struct span map_or_die(const char *path)
{
	struct mapfile f;

	if (!mapfile_open(&f, path)) {
		perror(path);
		exit(2);
	}
	return f.bytes;
}

int main(int argc, char **argv)
{
	struct plan p;
	struct runs r = { 0 };
	struct arena mem;
	struct strbuf text = { 0 };

	arena_init(&mem);
	if (argc < 3 || !plan_read(&p, map_or_die(argv[1]), &mem, &text)) {
		fprintf(stderr, "chaindump: %s\n", text.s ? text.s : "PLAN DATA...");
		return 2;
	}
	for (int i = 2; i < argc; i++)
		if (!runs_read(&r, map_or_die(argv[i]), &text)) {
			fprintf(stderr, "chaindump: %s: %s\n", argv[i], text.s);
			return 2;
		}
	puts("level,length,chain,count");
	for (uint32_t i = 0; i < r.runs.len; i++)
		for (uint32_t k = 0; k < r.runs.data[i].nodes.len; k++) {
			strbuf_clear(&text);
			uint32_t length = add_chain(&p, &r.runs.data[i], k, &text);
			const struct run_node *n = &r.runs.data[i].nodes.data[k];
			if (n->count)
				printf("%u,%u,\"%s\",%" PRIu64 "\n", n->level, length, text.s, n->count);
		}
	return 0;
}
