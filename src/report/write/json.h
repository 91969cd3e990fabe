/* SPDX-License-Identifier: Apache-2.0 */
/* json.h - JSON, streamed: commas and quotes are handled, nothing is held in memory.
 *
 *	struct json j = { .out = sink };
 *	json_object(&j);
 *	json_key(&j, "sites"), json_uint(&j, 3);
 *	json_end_object(&j);
 *
 * Values of an array follow each other; values of an object each follow their key. At most 63 levels. */
#ifndef REPORT_WRITE_JSON_H
#define REPORT_WRITE_JSON_H

#include "report/write/sink.h"

struct json {
	struct sink *out;
	uint64_t filled;        /* bit d: the container at depth d has a value already */
	uint32_t depth;
	bool keyed;             /* a key was written and waits for its value */
};

void json_object(struct json *j);
void json_end_object(struct json *j);
void json_array(struct json *j);
void json_end_array(struct json *j);
void json_key(struct json *j, const char *key);          /* a plain word: not escaped */
void json_str(struct json *j, struct str s);             /* modified UTF-8, see escape.h */
void json_escaped(struct json *j, struct str s);         /* already escaped; quotes are added */
void json_raw(struct json *j, struct str s);             /* a complete value */
void json_uint(struct json *j, uint64_t n);
void json_bool(struct json *j, bool b);
void json_break(struct json *j);     /* the next value or key of this container starts on a new line */

#endif
