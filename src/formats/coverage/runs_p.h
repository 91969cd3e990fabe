/* SPDX-License-Identifier: Apache-2.0 */
/* runs_p.h - records: tag, length of the payload as a varint, payload, 4 bytes that check all of these. */
#ifndef FORMATS_RUNS_P_H
#define FORMATS_RUNS_P_H

#include "base/digest.h"
#include "formats/coverage/runs.h"
#include "formats/coverage/wire_p.h"

enum run_tag {
	TAG_SIZE = 'S',               /* before a run of a merged file */
	TAG_RUN = 'R',
	TAG_CLASS = 'C',
	TAG_TYPE = 'T',
	TAG_CELL = 'X',
	TAG_CALLEE = 'B',
	TAG_CALLBACK = 'Y',
	TAG_COUNTS = 'N',
	TAG_TEST = 'J',
	TAG_CODE = 'Q',
	TAG_NODE = 'K',
	TAG_NODE_COUNTS = 'L',
	TAG_NODE_TEST = 'I',
	TAG_NOTE = 'M',
	TAG_PARALLEL = 'P',
	TAG_END = 'E',
};

/* The payload of TAG_SIZE: bytes of all records of the run, 8 bytes; a byte of flags. */
enum { SIZE_LEN = 9 };                /* of that payload */
enum { SIZE_DAMAGED = 1 };            /* records behind these were cut off or damaged when the run was read */

extern const struct wire_kind runs_kind;

static inline uint32_t record_check(const uint8_t *p, size_t n)
{
	uint64_t d = digest_add(DIGEST_START, p, n);

	return (uint32_t)(d ^ d >> 32);
}

/* runs_write.c */
size_t record_open(struct strbuf *out, enum run_tag tag);     /* then add the payload */
void record_close(struct strbuf *out, size_t at);             /* `at`: what record_open returned */

#endif
