/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/elf/note.h"

#include <inttypes.h>

enum { DIGITS = 16 };
static const char letters[] = "BNAL";         /* by kind */

void note_write(const struct note *n, struct strbuf *out)
{
	strbuf_addch(out, letters[n->kind]);
	if (n->kind == NOTE_BITCODE)
		strbuf_addf(out, "%016" PRIx64, n->digest);
	strbuf_addch(out, ' ');
	strbuf_addstr(out, n->path);
	strbuf_addch(out, 0);
}

static bool read_digest(struct str *text, uint64_t *out)
{
	static const char digits[] = "0123456789abcdef";

	*out = 0;
	if (text->len < DIGITS)
		return false;
	for (uint32_t i = 0; i < DIGITS; i++) {
		const char *d = memchr(digits, text->p[i], DIGITS);
		if (!d)
			return false;
		*out = *out << 4 | (uint64_t)(d - digits);
	}
	*text = str_sub(*text, DIGITS, text->len);
	return true;
}

static bool read_note(struct str text, struct note *out)
{
	const char *letter = text.len ? memchr(letters, text.p[0], sizeof(letters) - 1) : NULL;

	if (!letter)
		return false;
	*out = (struct note){ .kind = (enum note_kind)(letter - letters) };
	text = str_sub(text, 1, text.len);
	if (out->kind == NOTE_BITCODE && !read_digest(&text, &out->digest))
		return false;
	if (!str_starts(text, " /"))
		return false;
	out->path = str_sub(text, 1, text.len);
	return true;
}

bool note_next(struct span *rest, struct note *out, struct strbuf *err)
{
	while (rest->len && !rest->p[0])                  /* linkers may fill up */
		*rest = (struct span){ rest->p + 1, rest->len - 1 };
	if (!rest->len)
		return false;
	const uint8_t *end = memchr(rest->p, 0, rest->len);
	size_t len = end ? (size_t)(end - rest->p) : rest->len;
	struct str text = { (const char *)rest->p, (uint32_t)len };
	bool ok = end && len <= UINT32_MAX && read_note(text, out);

	if (!ok)
		strbuf_adds(err, "its section " NOTE_SECTION " was not written by sherd cc");
	*rest = ok ? (struct span){ end + 1, rest->len - len - 1 } : (struct span){ 0 };
	return ok;
}
