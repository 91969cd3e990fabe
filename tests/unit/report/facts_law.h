/* SPDX-License-Identifier: Apache-2.0 */
/* facts_law.h - the law of writers of facts: reading what was written gives what facts_express said, and nothing else. */
#ifndef TESTS_UNIT_REPORT_FACTS_LAW_H
#define TESTS_UNIT_REPORT_FACTS_LAW_H

#include <stdio.h>

#include "../formats/facts_text.h"
#include "report/facts/facts.h"

struct law_lines {
	VEC(char *) of;
};

static inline int law_compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Rows as text, sorted. Sources and places are not part of what a form says. */
static inline void law_take(struct law_lines *out, const struct facts *f)
{
	for (uint32_t i = 0; i < f->rows.len; i++) {
		struct strbuf row = { 0 };
		facts_text_row(&row, &f->rows.data[i]);
		vec_push(&out->of, row.s);
	}
	if (out->of.len)
		qsort(out->of.data, out->of.len, sizeof(char *), law_compare);
}

/* The lines, each once; also frees them. */
static inline void law_text(struct strbuf *out, struct law_lines *lines)
{
	for (uint32_t i = 0; i < lines->of.len; i++) {
		bool is_new = i == 0 || strcmp(lines->of.data[i - 1], lines->of.data[i]) != 0;
		if (is_new)
			strbuf_addf(out, "%s\n", lines->of.data[i]);
	}
	for (uint32_t i = 0; i < lines->of.len; i++)
		free(lines->of.data[i]);
	vec_release(&lines->of);
}

static inline void law_rows(struct strbuf *out, const struct facts *f)
{
	struct law_lines lines = { 0 };

	strbuf_adds(out, "");
	law_take(&lines, f);
	law_text(out, &lines);
}

/* The text of the rows in a form, to be freed. */
static inline char *law_write(const struct facts *said, enum facts_form form)
{
	char *text = NULL;
	size_t n = 0;
	FILE *file = open_memstream(&text, &n);
	struct sink out = { .file = file };

	if (!(form == FACTS_METADATA ? report_facts_metadata(&out, said) : report_facts_proguard(&out, said)))
		BUG("memory cannot be written");
	fclose(file);
	return text;
}

/* Writes and reads: rows that were said, rows that were read, and what was said about these. */
static inline void law_round(const struct facts *f, enum facts_form form, struct strbuf *said_rows, struct strbuf *read_rows,
			     struct diag *d)
{
	struct facts said, again;

	facts_init(&said);
	facts_init(&again);
	facts_express(&said, form, f->rows.data, f->rows.len);
	char *text = law_write(&said, form);
	if (said.rows.len)
		facts_read(&again, "again", (struct span){ (const uint8_t *)text, strlen(text) }, d);
	law_rows(said_rows, &said);
	law_rows(read_rows, &again);
	free(text);
	facts_release(&again);
	facts_release(&said);
}

#endif
