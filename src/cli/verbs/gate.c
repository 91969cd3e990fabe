/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verbs/gate.h"

#include <inttypes.h>
#include <string.h>

static const char *const names[GATES] = { "rc", "tm", "own" };
static const char *const meanings[GATES] = { "receiver classes", "target methods", "the component's own receiver classes" };

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
		strbuf_adds(err, "--fail-under cannot have chains: they are not measured; use rc, tm and own");
	else if (k == GATES || !read_percent(value, &g->permille[k]))
		strbuf_addf(err, "--fail-under cannot have '%.*s': write rc=80,tm=72.5,own=90, percents of receiver "
				 "classes, target methods and the component's own receiver classes", (int)item.len, item.p);
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
	bool has[GATES] = { has_rc, has_tm, has_rc };

	for (int k = 0; k < GATES; k++)
		if (g->is_set[k] && !has[k]) {
			strbuf_addf(err, "--fail-under %s needs what was not measured: the plan was made without "
					 "--criteria %s", names[k], k == GATE_TM ? "tm" : "rc");
			return false;
		}
	return true;
}

static void print_failure(const struct gates *g, int k, struct cov_counts n, struct term *t)
{
	uint32_t is = coverage_permille(n), asked = g->permille[k];
	uint64_t wanted = (n.required * asked + 999) / 1000;

	term_error(t, "--fail-under %s=%" PRIu32 ".%" PRIu32 ": %s are covered to %" PRIu32 ".%" PRIu32 " %%, %" PRIu64
		      " of %" PRIu64 ", %" PRIu64 " too few", names[k], asked / 10, asked % 10, meanings[k], is / 10, is % 10,
		   n.covered, n.required, wanted > n.covered ? wanted - n.covered : 1);
}

/* All of nothing is covered: a wrong class path must not pass. */
static bool is_empty(int k, const struct coverage *c, struct cov_counts n, struct term *t)
{
	if (!n.required)
		term_error(t, "--fail-under %s cannot be checked: no %s are required of this component; give -cp and "
			      "--component what is to be measured", names[k], meanings[k]);
	else if (!coverage_has_loaded(c))
		term_error(t, "--fail-under %s cannot be checked: no JVM loaded a class of the component; give -cp and "
			      "--component what the command runs", names[k]);
	return !n.required || !coverage_has_loaded(c);
}

enum gates_outcome gates_check(const struct gates *g, const struct coverage *c, struct term *t)
{
	const struct cov_counts counts[GATES] = { c->sums.rc, c->sums.tm, c->sums.own };
	enum gates_outcome worst = GATES_PASS;

	for (int k = 0; k < GATES; k++)
		if (g->is_set[k] && is_empty(k, c, counts[k], t))
			return GATES_EMPTY;
	for (int k = 0; k < GATES; k++)
		if (g->is_set[k] && coverage_permille(counts[k]) < g->permille[k]) {
			print_failure(g, k, counts[k], t);
			worst = GATES_FAIL;
		}
	return worst;
}
