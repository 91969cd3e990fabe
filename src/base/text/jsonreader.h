/* SPDX-License-Identifier: Apache-2.0 */
/* jsonreader.h - JSON, read strictly and in place, value by value: nothing is kept but the string that was read last, so
 * that a reader of a large or hostile file decides what that file may cost.
 *
 *	struct jsonreader j = jsonread_of(bytes, &err);
 *	if (jsonread_begin(&j, '['))
 *		do
 *			read_entry(&j);
 *		while (jsonread_more(&j, ']'));
 *	ok = jsonread_end(&j);
 *	jsonread_release(&j);
 *
 * The first error is told in `err` with its line; from then on every function returns false and nothing is read. */
#ifndef BASE_TEXT_JSONREADER_H
#define BASE_TEXT_JSONREADER_H

#include "base/reader.h"
#include "base/strbuf.h"

#define JSON_DEPTH 64              /* levels that a value may have that is skipped */

struct jsonreader {
	struct reader r;
	struct strbuf text;           /* of the string that was read last */
	struct strbuf *err;
	const uint8_t *counted;       /* lines are counted up to here */
	uint32_t line;
	bool failed;
	bool is_modified;             /* escapes become modified UTF-8 (JVMS 4.4.7): NUL and lone surrogates are allowed */
};

struct jsonreader jsonread_of(struct span bytes, struct strbuf *err);       /* UTF-8, in which escapes give no NUL */
void jsonread_release(struct jsonreader *j);

bool jsonread_fail(struct jsonreader *j, const char *what);       /* always false */
uint32_t jsonread_line(struct jsonreader *j);                     /* of the place that was reached; all calls together take one pass */

/* The next character behind white space; 0 at the end, and after an error. It tells the type of a value. */
char jsonread_peek(struct jsonreader *j);
bool jsonread_accept(struct jsonreader *j, char c);
bool jsonread_expect(struct jsonreader *j, char c);

/* Values. Each is read completely, or is an error. */
bool jsonread_string(struct jsonreader *j);                       /* leaves it in j->text */
bool jsonread_skip(struct jsonreader *j);                         /* of any type; bounded depth, no recursion */
bool jsonread_key(struct jsonreader *j);                          /* of an object, with its colon; leaves it in j->text */

/* Enters an array or object: `open` is '[' or '{'. True when it has an element, which is to be read next. */
bool jsonread_begin(struct jsonreader *j, char open);
/* Behind an element: is there another one? Takes `close` if not. */
bool jsonread_more(struct jsonreader *j, char close);
/* Behind the last value: true when there was no error and nothing follows. */
bool jsonread_end(struct jsonreader *j);

/* Adds the text of a string without its quotes, as modified UTF-8; false, with a reason in `err`, when an escape is wrong. */
bool jsonread_unescape(struct str escaped, struct strbuf *out, struct strbuf *err);

#endif
