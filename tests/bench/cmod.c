/* SPDX-License-Identifier: Apache-2.0 */
// links: base algo solve formats/elf cir bitcode cmodel analysis/cpta analysis/modref session analysis/allocation analysis/summarize summary report analysis/cgraph analysis/clients formats/facts formats/properties
/* cmod MODULE... - how much the stores through pointers, the calls and the functions of a C program may modify, as one line
 * of JSON. Functions that have a model are not counted. */
#include <stdio.h>
#include <stdlib.h>

#include "session/cprogram.h"

enum kind { STORES, CALLS, FUNCTIONS, KINDS };
static const char *const names[KINDS] = { "stores", "calls", "functions" };
typedef VEC(uint32_t) size_vec;

struct sizes {
	size_vec of[KINDS];
	affected_vec set;
};

static void count_stmts(struct modref *m, const struct cprogram *p, cfn_id f, struct sizes *z)
{
	const struct cfn *fn = &p->fns.data[f.i];

	for (uint32_t i = fn->stmts; i < fn->stmts + fn->nstmts; i++) {
		const struct cstmt *s = &p->stmts.data[i];
		enum kind kind = s->op == C_STORE || s->op == C_MOVE ? STORES : s->op == C_CALL ? CALLS : KINDS;

		if (kind == KINDS || (s->flags & CSTMT_HIDDEN))
			continue;
		modref_stmt(m, f, i, EFFECT_MOD, &z->set);
		vec_push(&z->of[kind], z->set.len);
	}
}

static void count(const struct csession *s, struct sizes *z)
{
	for (uint32_t i = 1; i < s->program.fns.len; i++) {
		cfn_id f = { i };

		if (!cpta_reached(s->facts, f) || (s->program.fns.data[i].flags & (CFN_MODEL | CFN_PLACEHOLDER)))
			continue;
		count_stmts(s->effects, &s->program, f, z);
		modref_fn(s->effects, f, EFFECT_MOD, &z->set);
		vec_push(&z->of[FUNCTIONS], z->set.len);
	}
}

static int by_size(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* `one`: how many have at most one place. */
static void print(const char *name, size_vec *v)
{
	uint64_t sum = 0;
	uint32_t one = 0;

	if (v->len)
		qsort(v->data, v->len, sizeof *v->data, by_size);
	for (uint32_t i = 0; i < v->len; i++) {
		sum += v->data[i];
		one += v->data[i] <= 1;
	}
	printf("\"%s\":{\"count\":%u,\"average\":%.2f,\"median\":%u,\"most\":%u,\"one\":%u}", name, v->len,
	       v->len ? (double)sum / v->len : 0, v->len ? v->data[v->len / 2] : 0, v->len ? v->data[v->len - 1] : 0, one);
}

static void print_problems(const struct diag *d)
{
	struct strbuf text = { 0 };

	for (uint32_t i = 0; i < d->entries.len; i++) {
		strbuf_clear(&text);
		diag_render(&d->entries.data[i], &text);
		fprintf(stderr, "%s\n", text.s);
	}
	strbuf_release(&text);
}

int main(int argc, char **argv)
{
	struct csession_opt opt = { .modules = (const char *const *)argv + 1,
				    .nmodules = (uint32_t)argc - 1,
				    .engine = CENGINE_ANDERSEN,
				    .fields = true };
	struct csession s;
	struct inquiry q;
	struct sizes z = { 0 };
	bool ok;

	inquiry_init(&q, PHASES_C);
	csession_init(&s, &q, &opt);
	ok = csession_need(&s, C_MODREF);
	print_problems(&q.diag);
	if (ok)
		count(&s, &z);
	for (enum kind k = 0; ok && k < KINDS; k++) {
		putchar(k ? ',' : '{');
		print(names[k], &z.of[k]);
		vec_release(&z.of[k]);
	}
	puts(ok ? "}" : "");
	vec_release(&z.set);
	csession_close(&s);
	inquiry_release(&q);
	return ok ? 0 : 2;
}
