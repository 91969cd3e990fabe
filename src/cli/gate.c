/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/gate.h"

#include <inttypes.h>
#include <string.h>

static const char *const names[GATES] = { "rc", "tm" };
static const char *const meanings[GATES] = { "receiver classes", "target methods" };

/* "80", "72.5", "100": tenths of a percent. */
static bool read_percent(struct str t, uint32_t *out)
{
	uint32_t whole = 0, tenth = 0, i = 0;

	for (; i < t.len && i < 4 && t.p[i] >= '0' && t.p[i] <= '9'; i++)
		whole = whole * 10 + (uint32_t)(t.p[i] - '0');
	if (i == 0)
		return false;
	if (i + 2 == t.len && t.p[i] == '.' && t.p[i + 1] >= '0' && t.p[i + 1] <= '9') {
		tenth = (uint32_t)(t.p[i + 1] - '0');
		i += 2;
	}
	*out = whole * 10 + tenth;
	return i == t.len && *out <= 1000;
}

static bool read_gate(struct str item, struct gates *g, struct strbuf *err)
{
	const char *eq = memchr(item.p, '=', item.len);
	uint32_t n = eq ? (uint32_t)(eq - item.p) : item.len, k = 0;
	struct str name = str_sub(item, 0, n), value = str_sub(item, eq ? n + 1 : n, item.len);

	while (k < GATES && !str_is(name, names[k]))
		k++;
	if (str_is(name, "chains"))
		strbuf_adds(err, "--fail-under cannot have chains: they are not measured; use rc and tm");
	else if (k == GATES || !read_percent(value, &g->permille[k]))
		strbuf_addf(err, "--fail-under cannot have '%.*s': write rc=80,tm=72.5, percents of receiver classes and "
				 "target methods", (int)item.len, item.p);
	else
		g->is_set[k] = true;
	return err->len == 0;
}

bool gates_read(const char *text, struct gates *g, struct strbuf *err)
{
	for (const char *at = text; at; at++) {
		struct str item = { at, (uint32_t)strcspn(at, ",") };
		if (!read_gate(item, g, err))
			return false;
		at += item.len;
		if (!*at)
			break;
	}
	return true;
}

bool gates_fit(const struct gates *g, bool has_rc, bool has_tm, struct strbuf *err)
{
	bool has[GATES] = { has_rc, has_tm };

	for (int k = 0; k < GATES; k++)
		if (g->is_set[k] && !has[k]) {
			strbuf_addf(err, "--fail-under %s needs what was not measured: the plan was made without "
					 "--criteria %s", names[k], names[k]);
			return false;
		}
	return true;
}

static bool passes(const struct gates *g, int k, struct cov_counts n, struct term *t)
{
	uint32_t is = coverage_permille(n), asked = g->permille[k];
	uint64_t wanted = (n.required * asked + 999) / 1000;

	if (!g->is_set[k] || is >= asked)
		return true;
	term_error(t, "--fail-under %s=%" PRIu32 ".%" PRIu32 ": %s are covered to %" PRIu32 ".%" PRIu32 " %%, %" PRIu64
		      " of %" PRIu64 ", %" PRIu64 " too few", names[k], asked / 10, asked % 10, meanings[k], is / 10, is % 10,
		   n.covered, n.required, wanted > n.covered ? wanted - n.covered : 1);
	return false;
}

bool gates_pass(const struct gates *g, const struct coverage *c, struct term *t)
{
	bool rc = passes(g, GATE_RC, c->sums.rc, t), tm = passes(g, GATE_TM, c->sums.tm, t);

	return rc && tm;
}
