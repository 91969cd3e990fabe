/* SPDX-License-Identifier: Apache-2.0 */
/* facts.c - the table of facts, and which reader a file is for. */
#include "formats/facts/facts_p.h"

#include <stdarg.h>
#include <stdio.h>

static const struct {
	const char *word, *sentence;
} sorts[] = {
#define FACT(sort, word, sentence) { word, sentence },
#include "formats/facts/sorts.def"
#undef FACT
};

const char *fact_word(enum fact_sort sort)
{
	return sorts[sort].word;
}

const char *fact_sentence(enum fact_sort sort)
{
	return sorts[sort].sentence;
}

void facts_init(struct facts *f)
{
	*f = (struct facts){ 0 };
	arena_init(&f->text);
}

void facts_release(struct facts *f)
{
	vec_release(&f->rows);
	arena_release(&f->text);
}

/* Rows */

uint32_t factreader_entry(struct factreader *r, uint32_t line)
{
	r->line = line;
	r->f->entries++;
	return r->f->rows.len;
}

struct fact *factreader_add(struct factreader *r, enum fact_sort sort)
{
	struct fact row = { .sort = sort, .entry = r->f->entries, .file = r->file, .line = r->line };

	row.class = row.name = row.descriptor = row.extra = row.condition = (struct str){ "", 0 };
	row.at = (struct fact_place){ row.class, row.class, row.class, 0, FACT_NO_PC };

	if (r->f->rows.len >= FACTS_MOST_ROWS) {
		if (!r->is_full)
			diag_add(r->d, DIAG_E071, r->artifact, STR(""), r->line,
				 "more than %u facts; the rest is left out: give those that matter", FACTS_MOST_ROWS);
		r->is_full = true;
		r->spare = row;
		return &r->spare;
	}
	vec_push(&r->f->rows, row);
	return vec_last(&r->f->rows);
}

static void tell(struct factreader *r, enum diag_code code, uint32_t line, const char *fmt, va_list ap)
{
	char text[400];

	vsnprintf(text, sizeof(text), fmt, ap);
	diag_add(r->d, code, r->artifact, (struct str){ 0 }, line, "%s", text);
}

bool factreader_drop(struct factreader *r, uint32_t first, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tell(r, DIAG_E071, r->line, fmt, ap);
	va_end(ap);
	if (first < r->f->rows.len)
		r->f->rows.len = first;
	return false;
}

void factreader_note(struct factreader *r, uint32_t line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tell(r, DIAG_W072, line, fmt, ap);
	va_end(ap);
}

struct str factreader_copy(struct factreader *r, struct str s)
{
	return s.len ? (struct str){ arena_copy(&r->f->text, s.p, s.len), s.len } : (struct str){ "", 0 };
}

/* Forms */

static uint32_t count_char(struct str s, char c)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s.len; i++)
		n += s.p[i] == c;
	return n;
}

/* The first line that says something, without blanks around it; # begins a comment in some forms and nothing in others. */
static bool first_words(struct span bytes, struct str *out, bool *has_comment)
{
	struct factlines l = factlines_of(bytes);

	while (factlines_next(&l, out)) {
		*out = fact_trim(*out);
		if (out->len && out->p[0] != '#')
			return true;
		*has_comment |= out->len > 0;
	}
	return false;
}

static struct span without_mark(struct span bytes)
{
	bool has = bytes.len >= 3 && !memcmp(bytes.p, "\xef\xbb\xbf", 3);

	return has ? (struct span){ bytes.p + 3, bytes.len - 3 } : bytes;
}

enum facts_form facts_detect(struct span bytes)
{
	struct str words;
	bool has_comment = false;

	bytes = without_mark(bytes);
	if (memchr(bytes.p ? (const char *)bytes.p : "", 0, bytes.len < 4096 ? bytes.len : 4096))
		return FACTS_UNKNOWN;
	if (!first_words(bytes, &words, &has_comment))
		return has_comment ? FACTS_PROGUARD : FACTS_UNKNOWN;
	if (words.p[0] == '{' || words.p[0] == '[')
		return FACTS_METADATA;
	if (words.p[0] == '-' || words.p[0] == '@')
		return FACTS_PROGUARD;
	if (str_starts(words, "sherd-dynamic"))
		return FACTS_RECORD;
	if (count_char(words, ';') >= 3)
		return FACTS_TAMIFLEX;
	struct str class;
	bool is_seed = fact_field(&words, ':', &class) && factname_is_class(class, NAME_JVM);
	return is_seed ? FACTS_SEEDS : FACTS_UNKNOWN;
}

static bool read_form(struct factreader *r, enum facts_form form, struct span bytes)
{
	switch (form) {
	case FACTS_METADATA: return facts_read_metadata(r, bytes);
	case FACTS_PROGUARD: return facts_read_proguard(r, bytes);
	case FACTS_SEEDS: return facts_read_seeds(r, bytes);
	case FACTS_TAMIFLEX: return facts_read_tamiflex(r, bytes);
	case FACTS_RECORD: return facts_read_record(r, bytes);
	case FACTS_UNKNOWN: break;
	}
	diag_add(r->d, DIAG_E070, r->artifact, (struct str){ 0 }, DIAG_NO_OFFSET,
		 "neither reachability metadata, ProGuard rules or seeds, a log of TamiFlex, nor a record of sherd");
	return false;
}

bool facts_read(struct facts *f, const char *file, struct span bytes, struct diag *d)
{
	return facts_read_as(f, bytes.len > FACTS_MOST_BYTES ? FACTS_UNKNOWN : facts_detect(bytes), file, bytes, d);
}

bool facts_read_as(struct facts *f, enum facts_form form, const char *file, struct span bytes, struct diag *d)
{
	struct factreader r = { .f = f, .artifact = file, .d = d };

	if (bytes.len > FACTS_MOST_BYTES) {
		diag_add(d, DIAG_E070, file, (struct str){ 0 }, DIAG_NO_OFFSET, "more than %u MB; divide the file",
			 FACTS_MOST_BYTES >> 20);
		return false;
	}
	r.file = factreader_copy(&r, str_of(file));
	bool ok = read_form(&r, form, without_mark(bytes));
	strbuf_release(&r.scratch);
	return ok;
}
