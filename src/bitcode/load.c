/* SPDX-License-Identifier: Apache-2.0 */
/* load.c - modules one after the other into one program. */
#include "bitcode/lower_p.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif


static bool load_module(struct symbols *l, const char *path)
{
	LLVMModuleRef m = bitfile_read(path, l->d);

	if (!m)
		return false;
	low_module(l, m);
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

struct loading {
	struct symbols l;
	uint32_t n;
	struct map given;            /* paths */
	const struct bitcode_opt *opt;
	bool is_ok;
};

/* Lists of two programs' modules share some. */
static bool is_given_before(struct loading *x)
{
	uint32_t *known = map_at(&x->given, intern(&x->l.p->names, str_of(x->l.paths[x->l.file])).i);

	return (*known)++ > 0;
}

static void load_all(void *ctx)
{
	struct loading *x = ctx;
	struct symbols *l = &x->l;

	for (l->file = 0; l->file < x->n; l->file++) {
		if (is_given_before(x))
			continue;
		if (x->opt && x->opt->progress)
			x->opt->progress(x->opt->ctx, l->file, x->n, l->paths[l->file]);
		x->is_ok &= load_module(l, l->paths[l->file]);
	}
}

bool bitcode_load(struct cprogram *p, const char *const *paths, uint32_t n, const struct bitcode_opt *opt, struct diag *d)
{
	struct loading x = { .l = { .p = p, .d = d, .paths = paths }, .n = n, .opt = opt, .is_ok = true };

	vec_push(&x.l.rows, (struct symbol){ 0 });
	add_initialisers(p);
	run_with_memory_watched(load_all, &x);
	give_back_memory();
	symbols_finish(&x.l);
	start_main(p);
	symbols_release(&x.l);
	map_release(&x.given);
	x.is_ok &= !x.l.failed;
	if (x.is_ok)
		say_without_debug(p, n, d);
	return x.is_ok;
}

const char *bitcode_llvm_version(void)
{
	return LLVM_VERSION_STRING;
}
