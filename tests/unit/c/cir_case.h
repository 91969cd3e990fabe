/* SPDX-License-Identifier: Apache-2.0 */
/* cir_case.h - a C program as text, analysed; what is asked for by names, answered as a sorted line of names. */
#ifndef TESTS_CIR_CASE_H
#define TESTS_CIR_CASE_H

#include <stdlib.h>
#include <string.h>

#include "analysis/cpta/cpta.h"
#include "base/diag.h"
#include "base/strbuf.h"

struct cir_case {
	struct cprogram p;
	struct cpta *a;
	struct strbuf line;
	VEC(char *) names;
};

static inline void case_open(struct cir_case *t, const char *text, const struct cpta_opt *opt)
{
	struct diag d;
	struct strbuf why = { 0 };
	const char *reason = "";

	*t = (struct cir_case){ 0 };
	diag_init(&d);
	cprogram_init(&t->p);
	if (!cir_parse(&t->p, str_of(text), "case", &d)) {
		diag_render(&d.entries.data[0], &why);
		fail_msg("%s", why.s);
	}
	diag_release(&d);
	cir_index_names(&t->p);
	if (!cir_check(&t->p, &reason))
		fail_msg("%s", reason);
	t->a = cpta_compute(&t->p, opt);
	if (!cpta_check(t->a, &reason))
		fail_msg("%s", reason);
}

static inline void case_clear(struct cir_case *t)
{
	for (uint32_t i = 0; i < t->names.len; i++)
		free(t->names.data[i]);
	vec_clear(&t->names);
	strbuf_clear(&t->line);
}

static inline void case_close(struct cir_case *t)
{
	case_clear(t);
	vec_release(&t->names);
	strbuf_release(&t->line);
	cpta_free(t->a);
	cprogram_release(&t->p);
}

static inline void case_name_cell(struct cir_case *t, ccell_id c)
{
	struct strbuf b = { 0 };
	struct ccell cell = cpta_cell(t->a, c);

	if (cell.whole)
		cname_object(&t->p, cell.obj, &b);
	else
		cname_cell(&t->p, cell.obj, cell.off, &b);
	vec_push(&t->names, b.s);
}

static inline int case_by_name(const void *x, const void *y)
{
	return strcmp(*(char *const *)x, *(char *const *)y);
}

static inline const char *case_line(struct cir_case *t)
{
	if (t->names.len)
		qsort(t->names.data, t->names.len, sizeof(char *), case_by_name);
	for (uint32_t i = 0; i < t->names.len; i++)
		if (!i || strcmp(t->names.data[i], t->names.data[i - 1]) != 0)
			strbuf_addf(&t->line, "%s%s", t->line.len ? " " : "", t->names.data[i]);
	return t->line.s ? t->line.s : "";
}

/* The number of the variable or the cell whose name this is. */
static inline bool case_find_var(struct cir_case *t, const char *name, cvar_id *out)
{
	for (uint32_t i = 1; i < t->p.vars.len; i++) {
		struct strbuf b = { 0 };

		cname_var(&t->p, (cvar_id){ i }, &b);
		bool found = strcmp(b.s, name) == 0;
		strbuf_release(&b);
		if (found)
			return out->i = i, true;
	}
	return false;
}

static inline bool case_find_cell(struct cir_case *t, const char *name, ccell_id *out)
{
	for (uint32_t i = 1; i <= cpta_ncells(t->a); i++) {
		case_clear(t);
		case_name_cell(t, (ccell_id){ i });
		if (strcmp(t->names.data[0], name) == 0)
			return out->i = i, true;
	}
	return false;
}

/* What it may point to, "?" when there is no such thing. */
static inline const char *points_to(struct cir_case *t, const char *name)
{
	ccell_vec set = { 0 };
	cvar_id v;
	ccell_id c;
	bool is_var = case_find_var(t, name, &v);

	if (!is_var && !case_find_cell(t, name, &c))
		return "?";
	case_clear(t);
	if (is_var)
		cpta_points_to(t->a, v, &set);
	else
		cpta_content(t->a, c, &set);
	for (uint32_t i = 0; i < set.len; i++)
		case_name_cell(t, set.data[i]);
	vec_release(&set);
	return case_line(t);
}

/* What the k-th call of a function may call. */
static inline const char *called(struct cir_case *t, const char *fn, uint32_t k)
{
	cfn_id f = cir_find_function(&t->p, str_of(fn));
	cfn_vec targets = { 0 };

	case_clear(t);
	cpta_targets(t->a, (ccall_id){ t->p.fns.data[f.i].calls + k }, &targets);
	for (uint32_t i = 0; i < targets.len; i++) {
		struct strbuf b = { 0 };

		cname_fn(&t->p, targets.data[i], &b);
		vec_push(&t->names, b.s);
	}
	vec_release(&targets);
	return case_line(t);
}

#endif
