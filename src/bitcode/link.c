/* SPDX-License-Identifier: Apache-2.0 */
/* link.c - modules one after the other into one program, in this process. */
#include "bitcode/lower_p.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

struct linking {
	struct symbols l;
	uint32_t n;
	struct map given;            /* paths */
	const struct link_opt *opt;
};

static void before(const struct linking *x, enum link_step step)
{
	if (x->opt && x->opt->before)
		x->opt->before(x->opt->ctx, step, x->l.file);
}

static bool link_module(struct linking *x)
{
	LLVMModuleRef m;

	before(x, LINK_READ);
	m = bitfile_read(x->l.paths[x->l.file], x->l.d);
	if (!m)
		return false;
	before(x, LINK_LOWER);
	low_module(&x->l, m);
	bitfile_close(m);
	return true;
}

static void add_initialisers(struct cprogram *p)
{
	p->initialisers = cir_function(p, intern(&p->names, STR("initialisers")), 0, CFN_STARTS | CFN_STATIC, (cloc_id){ 0 });
}

static void start_main(struct cprogram *p)
{
	cfn_id f = cir_find_function(p, STR("main"));

	if (f.i && (p->fns.data[f.i].flags & CFN_DEFINED))
		p->fns.data[f.i].flags |= CFN_STARTS;
}

static void say_without_debug(const struct cprogram *p, uint32_t n, struct diag *d)
{
	uint32_t count = 0;
	struct str first = { 0 };

	for (uint32_t i = 1; i < p->notes.len; i++)
		if (p->notes.data[i].kind == CNOTE_NO_DEBUG && count++ == 0)
			first = interned(&p->names, p->notes.data[i].text);
	if (count && n == 1)
		diag_add(d, DIAG_W064, first.p, (struct str){ 0 }, DIAG_NO_OFFSET,
			 "no debug information: names are those of the bitcode, and lines are not known; compile with -g");
	else if (count)
		diag_add(d, DIAG_W064, first.p, (struct str){ 0 }, DIAG_NO_OFFSET,
			 "no debug information in %u of %u modules, this one first: names are those of the bitcode, and lines are "
			 "not known; compile with -g", (unsigned)count, (unsigned)n);
}

/* What LLVM needed is a multiple of what the program needs; the C library would keep most of it. */
static void give_back_memory(void)
{
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}

/* Lists of two programs' modules share some. */
static bool is_given_before(struct linking *x)
{
	uint32_t *known = map_at(&x->given, intern(&x->l.p->names, str_of(x->l.paths[x->l.file])).i);

	return (*known)++ > 0;
}

static bool link_all(struct linking *x)
{
	uint32_t from = x->opt ? x->opt->from : 0;
	bool is_ok = from == 0;

	for (x->l.file = 0; x->l.file < x->n; x->l.file++)
		if (!is_given_before(x) && x->l.file >= from)
			is_ok &= link_module(x);
	return is_ok && !x->l.failed;
}

static void finish(struct linking *x)
{
	before(x, LINK_FINISH);
	give_back_memory();
	symbols_finish(&x->l);
	start_main(x->l.p);
	say_without_debug(x->l.p, x->n, x->l.d);
}

bool link_modules(struct cprogram *p, const char *const *paths, uint32_t n, const struct link_opt *opt, struct diag *d)
{
	struct linking x = { .l = { .p = p, .d = d, .paths = paths }, .n = n, .opt = opt };

	vec_push(&x.l.rows, (struct symbol){ 0 });
	add_initialisers(p);
	bool is_ok = link_all(&x);
	if (is_ok)
		finish(&x);
	symbols_release(&x.l);
	map_release(&x.given);
	return is_ok;
}
