/* SPDX-License-Identifier: Apache-2.0 */
/* glob.c - one pass over the text, with one place of the pattern to come back to. */
#include "base/text/glob.h"

/* Does the set that starts behind `[` at `at` have c? *end is behind its `]`; false with *end 0: it is not closed. */
static bool in_set(struct str glob, uint32_t at, char c, uint32_t *end)
{
	bool inverted = at < glob.len && (glob.p[at] == '!' || glob.p[at] == '^'), found = false;
	uint32_t first = at + inverted;

	*end = 0;
	for (uint32_t i = first; i < glob.len; i++) {
		if (glob.p[i] == ']' && i > first) {
			*end = i + 1;
			return found != inverted;
		}
		if (i + 2 < glob.len && glob.p[i + 1] == '-' && glob.p[i + 2] != ']') {
			found |= glob.p[i] <= c && c <= glob.p[i + 2];
			i += 2;
		} else {
			found |= glob.p[i] == c;
		}
	}
	return false;
}

/* One character of the pattern, which is no `*`; *next is behind it. */
typedef bool match_fn(struct str glob, uint32_t at, char c, uint32_t *next);

static bool matches_one(struct str glob, uint32_t at, char c, uint32_t *next)
{
	uint32_t end;

	*next = at + 1;
	if (glob.p[at] == '?')
		return true;
	if (glob.p[at] == '[') {
		bool found = in_set(glob, at + 1, c, &end);
		if (end) {
			*next = end;
			return found;
		}
	}
	if (glob.p[at] == '\\' && at + 1 < glob.len) {
		*next = at + 2;
		return glob.p[at + 1] == c;
	}
	return glob.p[at] == c;
}

static bool matches_plainly(struct str glob, uint32_t at, char c, uint32_t *next)
{
	*next = at + 1;
	return glob.p[at] == '?' || glob.p[at] == c;
}

static bool matches(struct str glob, struct str s, match_fn *one)
{
	uint32_t g = 0, i = 0, star = UINT32_MAX, from = 0, next;

	while (i < s.len) {
		if (g < glob.len && glob.p[g] == '*') {
			star = g++;
			from = i;
		} else if (g < glob.len && one(glob, g, s.p[i], &next)) {
			g = next;
			i++;
		} else if (star != UINT32_MAX) {
			g = star + 1;
			i = ++from;
		} else {
			return false;
		}
	}
	while (g < glob.len && glob.p[g] == '*')
		g++;
	return g == glob.len;
}

bool glob_matches_plain(struct str glob, struct str s)
{
	return matches(glob, s, matches_plainly);
}

bool glob_matches(struct str glob, struct str s)
{
	return matches(glob, s, matches_one);
}
