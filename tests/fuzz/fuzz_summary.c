// SPDX-License-Identifier: Apache-2.0
// links: base algo cir summary
/* Summaries of libraries, as text and as bytes: what is accepted passes the checker and comes back from both forms as it was; what is
 * not has one message. The length and the digest of bytes are set, so that what follows them is looked at. */
#include <stdlib.h>

#include "summary/summary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool read_all(struct summary *s, struct span bytes)
{
	struct diag d;

	diag_init(&d);
	summary_init(s);
	bool ok = summary_read(s, bytes, "fuzz", &d);
	if (ok != (d.errors == 0) || d.errors > 1)
		abort();
	diag_release(&d);
	return ok;
}

static void round_trip(const struct summary *s, bool text)
{
	struct strbuf first = { 0 }, second = { 0 };
	struct summary again;
	void (*write)(const struct summary *, struct strbuf *) = text ? summary_write_text : summary_write_binary;

	write(s, &first);
	if (!read_all(&again, (struct span){ (const uint8_t *)first.s, first.len }))
		abort();
	write(&again, &second);
	if (!str_eq(strbuf_str(&first), strbuf_str(&second)))
		abort();
	summary_release(&again);
	strbuf_release(&first);
	strbuf_release(&second);
}

static void set(uint8_t *at, uint64_t v)
{
	for (uint32_t i = 0; i < 8; i++)
		at[i] = (uint8_t)(v >> 8 * i);
}

/* 0: the magic, 8: the version, 12: the length, 20: the digest */
static void seal(uint8_t *bytes, size_t size)
{
	if (size < 28 || bytes[0] == 's')
		return;
	set(bytes + 12, size - 28);
	set(bytes + 20, digest_add(DIGEST_START, bytes + 28, size - 28));
}

/* So is the last line of text. */
static void try(const uint8_t *bytes, size_t size)
{
	struct summary s;
	const char *reason;

	if (read_all(&s, (struct span){ bytes, size })) {
		if (!cir_check(&s.program, &reason))
			abort();
		summary_stats(&s);
		round_trip(&s, true);
		round_trip(&s, false);
	}
	summary_release(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char end[] = "\nend ";
	uint8_t *bytes = malloc(size + 64);

	if (size)
		memcpy(bytes, data, size);
	seal(bytes, size);
	try(bytes, size);
	if (size > 21 + sizeof(end) && bytes[0] == 's') {
		size_t body = size - 22;
		uint64_t digest = digest_add(DIGEST_START, bytes, body);
		for (uint32_t i = 0; i < 16; i++)
			bytes[body + 5 + i] = (uint8_t)"0123456789abcdef"[digest >> (60 - 4 * i) & 15];
		memcpy(bytes + body, end, sizeof(end) - 1);
		bytes[size - 1] = '\n';
		try(bytes, size);
	}
	free(bytes);
	return 0;
}
