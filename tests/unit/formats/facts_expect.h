/* SPDX-License-Identifier: Apache-2.0 */
/* facts_expect.h - reading text as a file of facts, for tests: which rows there are, and what is said. */
#ifndef TESTS_UNIT_FORMATS_FACTS_EXPECT_H
#define TESTS_UNIT_FORMATS_FACTS_EXPECT_H

#include "facts_text.h"

struct read {
	struct facts f;
	struct diag d;
	struct strbuf text, said;     /* rows; diagnostics, a line each */
	bool ok;
};

static inline void read_as(struct read *r, const char *file, const char *text)
{
	*r = (struct read){ 0 };
	facts_init(&r->f);
	diag_init(&r->d);
	r->ok = facts_read(&r->f, file, (struct span){ (const uint8_t *)text, strlen(text) }, &r->d);
	strbuf_adds(&r->text, "");
	strbuf_adds(&r->said, "");
	facts_text(&r->text, &r->f);
	for (uint32_t i = 0; i < r->d.entries.len; i++) {
		diag_render(&r->d.entries.data[i], &r->said);
		strbuf_addch(&r->said, '\n');
	}
}

static inline void release(struct read *r)
{
	strbuf_release(&r->text);
	strbuf_release(&r->said);
	diag_release(&r->d);
	facts_release(&r->f);
}

static inline const char *str_or_empty(const struct strbuf *b)
{
	return b->s ? b->s : "";
}

/* The rows, and what is said. */
static inline void expect(const char *file, const char *text, const char *rows, const char *said)
{
	struct read r;

	read_as(&r, file, text);
	assert_string_equal(str_or_empty(&r.text), rows);
	assert_string_equal(str_or_empty(&r.said), said);
	assert_int_equal(r.ok, !strstr(said, "E070"));
	release(&r);
}

/* Rows of a rule, without what is said. */
static inline void expect_rows(const char *text, const char *rows)
{
	expect("f", text, rows, "");
}

#endif
