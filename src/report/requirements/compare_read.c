/* SPDX-License-Identifier: Apache-2.0 */
/* compare_read.c - comparisons from the CSV that was written of others, to make one table of many runs. */
#include <errno.h>

#include "report/requirements/requirements.h"

#define MAX_FIELDS 12

static const char *const columns[MAX_FIELDS] = { "component", "algorithm", "classes", "methods", "sites", "poly_sites",
						 "rc", "tm", "n_rc", "n_tm", "analysed_methods", "seconds" };
enum { COMPONENT, ALGORITHM, CLASSES, METHODS, SITES, POLY_SITES, RC, TM, N_RC, N_TM, ANALYSED_METHODS, SECONDS };

struct reading {
	struct arena *mem;
	const char *at, *end;
	uint32_t line;
	const char *fields[MAX_FIELDS];       /* of the row, in `mem`, without quotes */
	struct strbuf *err;
};

static bool fail(struct reading *r, const char *what, const char *value)
{
	strbuf_addf(r->err, "line %u: %s '%s'", (unsigned)r->line, what, value);
	return false;
}

/* A field in quotes, which are doubled in it, behind the first quote. */
static bool read_quoted(struct reading *r, struct strbuf *out)
{
	for (; r->at < r->end; r->at++) {
		if (*r->at == '"' && (++r->at == r->end || *r->at != '"'))
			return true;
		strbuf_addch(out, *r->at);
	}
	return fail(r, "no quote ends", out->s ? out->s : "");
}

static bool read_field(struct reading *r, struct strbuf *out)
{
	strbuf_clear(out);
	if (r->at < r->end && *r->at == '"') {
		r->at++;
		return read_quoted(r, out);
	}
	for (; r->at < r->end && *r->at != ',' && *r->at != '\n'; r->at++)
		strbuf_addch(out, *r->at);
	return true;
}

/* The row at r->at; r->at is behind it then. */
static bool read_row(struct reading *r)
{
	struct strbuf text = { 0 };
	bool ok = true;

	r->line++;
	for (uint32_t i = 0; i < MAX_FIELDS && ok; i++) {
		ok = read_field(r, &text);
		r->fields[i] = arena_strdup(r->mem, text.s ? text.s : "");
		char wanted = i + 1 < MAX_FIELDS ? ',' : '\n';
		if (ok && (r->at == r->end || *r->at != wanted))
			ok = fail(r, i + 1 < MAX_FIELDS ? "a row of 12 fields ends behind" : "a row goes on behind",
				  r->fields[i]);
		else if (ok)
			r->at++;
	}
	strbuf_release(&text);
	return ok;
}

static bool read_head(struct reading *r)
{
	if (!read_row(r))
		return false;
	for (uint32_t i = 0; i < MAX_FIELDS; i++)
		if (strcmp(r->fields[i], columns[i]) != 0)
			return fail(r, "not a comparison: unknown column", r->fields[i]);
	return true;
}

/* Nothing is 0: not known. */
static bool read_count(struct reading *r, uint32_t field, uint64_t *out)
{
	const char *text = r->fields[field];
	char *end = NULL;

	errno = 0;
	*out = strtoull(text, &end, 10);
	if (*end || errno || text[0] == '-')
		return fail(r, "no count:", text);
	return true;
}

static bool read_seconds(struct reading *r, double *out)
{
	char *end = NULL;

	*out = strtod(r->fields[SECONDS], &end);
	if (*end || !(*out >= 0 && *out < 1e9))
		return fail(r, "no time:", r->fields[SECONDS]);
	return true;
}

static bool read_figures(struct reading *r, struct requirements *out)
{
	struct req_stats *s = &out->stats;

	return read_count(r, CLASSES, &s->classes) && read_count(r, METHODS, &s->methods) &&
	       read_count(r, SITES, &s->sites) && read_count(r, POLY_SITES, &s->poly_sites) &&
	       read_count(r, RC, &s->rc) && read_count(r, TM, &s->tm) &&
	       read_count(r, ANALYSED_METHODS, &out->analysed_methods) && read_seconds(r, &out->seconds);
}

bool comparison_read_csv(struct comparison *c, struct str text, const char *name, struct arena *mem,
			 struct strbuf *err)
{
	struct reading r = { .mem = mem, .at = text.p, .end = text.p + text.len, .err = err };

	if (!read_head(&r))
		return false;
	while (r.at < r.end) {
		struct requirements row = { 0 };
		if (!read_row(&r) || !read_figures(&r, &row))
			return false;
		row.algorithm = r.fields[ALGORITHM];
		comparison_add(c, name ? name : r.fields[COMPONENT], &row);
	}
	return true;
}
