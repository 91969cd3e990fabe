/* SPDX-License-Identifier: Apache-2.0 */
/* cpipeline.h - from modules to a program that can be analysed, as sherd does it; for the laws of C. */
#ifndef ORACLE_CPIPELINE_H
#define ORACLE_CPIPELINE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/allocation/allocation.h"
#include "analysis/modref/modref.h"
#include "base/strbuf.h"
#include "bitcode/bitcode.h"
#include "cmodel/cmodel.h"

/* An instruction of a module that cinstrument has keyed. */
#define KEY(line, column) ((column) << 24 | (line))

static inline _Noreturn void die(const char *what, const char *detail)
{
	fprintf(stderr, "%s%s%s\n", what, detail ? ": " : "", detail ? detail : "");
	exit(2);
}

static inline void print_problems(const struct diag *d)
{
	struct strbuf s = { 0 };

	for (uint32_t k = 0; k < d->entries.len; k++) {
		diag_render(&d->entries.data[k], &s);
		fprintf(stderr, "%s\n", s.s);
		strbuf_clear(&s);
	}
	strbuf_release(&s);
}

/* Leaves out statements of one operation, of the functions that are chosen: to see that laws fail without them. */
static inline void drop_statements(struct cprogram *p, const char *name, bool (*chosen)(const struct cfn *f))
{
	static const char *const ops[] = { "addr", "copy", "shift", "get", "put", "load", "store", "move", "call" };
	uint32_t op = 0, dropped = 0;

	while (op < sizeof ops / sizeof *ops && strcmp(ops[op], name) != 0)
		op++;
	for (uint32_t f = 1; f < p->fns.len; f++)
		for (uint32_t k = 0; k < p->fns.data[f].nstmts && chosen(&p->fns.data[f]); k++) {
			struct cstmt *s = &p->stmts.data[p->fns.data[f].stmts + k];

			if (s->op != op)
				continue;
			*s = (struct cstmt){ .op = C_COPY, .loc = s->loc };
			dropped++;
		}
	if (!dropped)
		die("there are no such statements", name);
}

static inline void read_modules(struct cprogram *p, char *const *paths, uint32_t n)
{
	struct diag d;

	cprogram_init(p);
	diag_init(&d);
	if (!bitcode_load(p, (const char *const *)paths, n, NULL, &d)) {
		print_problems(&d);
		die("the program cannot be read", paths[0]);
	}
	diag_release(&d);
}

/* `library`: all that is visible is exported to unknown clients. */
static inline void complete_program(struct cprogram *p, bool library)
{
	const char *reason;

	cmodel_libc(p, false);
	allocation_rewrite(p, false);
	if (library)
		cmodel_export_visible(p);
	cmodel_placeholders(p, library);
	if (!cir_check(p, &reason))
		die("the program is not consistent", reason);
}

static inline void read_program(struct cprogram *p, char *const *paths, uint32_t n, bool library)
{
	read_modules(p, paths, n);
	complete_program(p, library);
}

static inline struct cpta *solve_program(const struct cprogram *p, const struct cpta_opt *opt)
{
	struct cpta *a = cpta_compute(p, opt);
	const char *reason;

	if (!cpta_check(a, &reason))
		die("the solution is none", reason);
	return a;
}

static inline uint32_t key_at(const struct cprogram *p, cloc_id loc)
{
	const struct cloc *l = &p->locs.data[loc.i];

	return loc.i && l->column && l->column < 128 ? KEY(l->line, l->column) : 0;
}

static inline bool fn_is(const struct cprogram *p, cfn_id f, const char *name)
{
	return f.i && str_is(interned(&p->names, p->fns.data[f.i].name), name);
}

#endif
