/* SPDX-License-Identifier: Apache-2.0 */
/* facts_p.h - what the readers of facts share: where they are, rows under construction, names. */
#ifndef FORMATS_FACTS_FACTS_P_H
#define FORMATS_FACTS_FACTS_P_H

#include "formats/facts/facts.h"

struct factreader {
	struct facts *f;
	const char *artifact;         /* the file, for messages */
	struct str file;              /* the same, in the arena */
	struct diag *d;
	uint32_t line;                /* of the entry that is read: the source of its rows */
	bool is_full;                 /* the table is, and that was told */
	struct fact spare;            /* the row that a full table gives */
	struct strbuf scratch;
};

/* Begins an entry at that line; gives the number of rows before it. */
uint32_t factreader_entry(struct factreader *r, uint32_t line);
/* A row of the current entry, with its source; valid until the next one. */
struct fact *factreader_add(struct factreader *r, enum fact_sort sort);
/* The entry is wrong: its rows, those from `first` on, are taken back, and the sentence is told (E071). Always false. */
bool factreader_drop(struct factreader *r, uint32_t first, const char *fmt, ...) ATTR_PRINTF(3, 4);
/* Something at `line` has no effect (W072). */
void factreader_note(struct factreader *r, uint32_t line, const char *fmt, ...) ATTR_PRINTF(3, 4);

struct str factreader_copy(struct factreader *r, struct str s);

/* Names. Each is false, and leaves `out` alone, when the text is no such name. */

#define NAME_PATTERN 1u       /* wildcards are allowed */
#define NAME_JVM 2u           /* as the JVM names them: hidden classes have a slash, and members may have blanks */

/* Of classes, as Java or Class.getName write them: pkg.Cls, pkg.Cls[], [Lpkg.Cls; */
bool factname_class(struct factreader *r, struct str text, unsigned how, struct str *out);
bool factname_is_class(struct str text, unsigned how);           /* and no array */
bool factname_is_member(struct str text, unsigned how);
/* The descriptor of a type as Java writes it is added. */
bool factname_add_type(struct strbuf *out, struct str text, unsigned how);
bool factname_is_field_descriptor(struct str s);
bool factname_is_method_descriptor(struct str s);
/* "a, b" or "" between the parentheses of a Java signature becomes (ab). */
bool factname_add_parameters(struct strbuf *out, struct str list, unsigned how);
/* pkg.Cls: type name(types), pkg.Cls: Cls(types) or pkg.Cls: type name, as ProGuard and Soot write members: class, name and descriptor. */
bool factname_java_member(struct factreader *r, struct str text, struct fact *out);
/* pkg.Cls.name(desc)ret or pkg.Cls.name:desc */
bool factname_jvm_member(struct factreader *r, struct str text, struct fact *out);

/* pkg.A,pkg.B: a list that is not empty */
bool factname_interfaces(struct factreader *r, struct str list, unsigned how, struct fact *out);

/* Lines of text: the next one without its end, which may be \n or \r\n; false at the end. */
struct factlines {
	const char *at, *end;
	uint32_t line;                /* the number of the line that was given last */
};
struct factlines factlines_of(struct span bytes);
bool factlines_next(struct factlines *l, struct str *line);
/* Takes what is before the first `c`, or all; false when nothing is left. */
bool fact_field(struct str *rest, char c, struct str *field);
struct str fact_trim(struct str s);                              /* without blanks and ends of lines around it */
bool fact_number(struct str s, uint64_t most, uint64_t *out);

/* For %.*s in messages: as much as is worth showing. */
static inline int shown(struct str s)
{
	return (int)(s.len < 80 ? s.len : 80);
}

/* The readers: false when the file cannot be read to its end. */
bool facts_read_metadata(struct factreader *r, struct span bytes);
bool facts_read_proguard(struct factreader *r, struct span bytes);
bool facts_read_seeds(struct factreader *r, struct span bytes);
bool facts_read_tamiflex(struct factreader *r, struct span bytes);
bool facts_read_record(struct factreader *r, struct span bytes);

#endif
