/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verbs/gate.h"

#include <inttypes.h>
#include <string.h>

/* Of the ladder: implementations=95,callers=80,... */
static void add_example(struct strbuf *out)
{
	const char *before = "";

	for (uint32_t k = 0; k < CRITERIA; k++)
		if (criterion_is_rung(k)) {
			strbuf_addf(out, "%s%s=%s", before, cov_criteria[k].name, cov_criteria[k].example);
			before = ",";
		}
}

/* The names, or the words, with `before_last` before the last one. */
static void add_all(struct strbuf *out, bool are_words, const char *before_last)
{
	for (uint32_t k = 0; k < CRITERIA; k++) {
		const struct criterion *row = &cov_criteria[k];
		strbuf_addf(out, "%s%s", k == 0 ? "" : k + 1 < CRITERIA ? ", " : before_last, are_words ? row->words : row->name);
	}
}

void gates_tell(struct strbuf *out)
{
	strbuf_adds(out, "exit with status 1 when less is covered: '");
	add_example(out);
	strbuf_adds(out, "', percents of ");
	add_all(out, true, ", and ");
}

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

	while (k < CRITERIA && !str_is(name, cov_criteria[k].name))
		k++;
	if (k < CRITERIA && read_percent(value, &g->permille[k])) {
		g->is_set[k] = true;
	} else if (str_is(name, "chains")) {
		strbuf_adds(err, "--fail-under cannot have chains: they are not measured; use ");
		add_all(err, false, " and ");
	} else {
		strbuf_addf(err, "--fail-under cannot have '%.*s': write ", (int)item.len, item.p);
		add_example(err);
		strbuf_adds(err, ", percents of ");
		add_all(err, true, " and ");
	}
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

bool gates_fit(const struct gates *g, uint32_t criteria, struct strbuf *err)
{
	for (uint32_t k = 0; k < CRITERIA; k++) {
		const struct criterion *row = &cov_criteria[k];
		if (!g->is_set[k] || (criteria_with_ladder(criteria) & row->bit))
			continue;
		strbuf_addf(err, "--fail-under %s needs what was not measured: the plan was made without --criteria %s", row->name,
			    criterion_is_rung(k) ? "rc,tm" : row->is_part ? cov_criteria[row->whole].name : row->name);
		return false;
	}
	return true;
}

static void print_failure(const struct gates *g, uint32_t k, struct cov_counts n, struct term *t)
{
	uint32_t is = coverage_permille(n), asked = g->permille[k];
	uint64_t wanted = (n.required * asked + 999) / 1000;

	if (n.covered == n.required) {
		term_error(t, "--fail-under %s=%" PRIu32 ".%" PRIu32 ": all %" PRIu64 " %s are covered, but they are incomplete: %" PRIu64
			      " more came that nobody expected", cov_criteria[k].name, asked / 10, asked % 10, n.required,
			   cov_criteria[k].words, n.alarms);
		return;
	}
	term_error(t, "--fail-under %s=%" PRIu32 ".%" PRIu32 ": %s are covered to %" PRIu32 ".%" PRIu32 " %%, %" PRIu64
		      " of %" PRIu64 ", %" PRIu64 " too few", cov_criteria[k].name, asked / 10, asked % 10, cov_criteria[k].words,
		   is / 10, is % 10, n.covered, n.required, wanted > n.covered ? wanted - n.covered : 1);
}

/* All of nothing is covered: a wrong class path must not pass. */
static bool is_empty(uint32_t k, const struct coverage *c, struct cov_counts n, struct term *t)
{
	if (!n.required)
		term_error(t, "--fail-under %s cannot be checked: no %s are required of this component; give -cp and "
			      "--component what is to be measured", cov_criteria[k].name, cov_criteria[k].words);
	else if (!coverage_has_loaded(c))
		term_error(t, "--fail-under %s cannot be checked: no JVM loaded a class of the component; give -cp and "
			      "--component what the command runs", cov_criteria[k].name);
	return !n.required || !coverage_has_loaded(c);
}

enum gates_outcome gates_check(const struct gates *g, const struct coverage *c, struct term *t)
{
	enum gates_outcome worst = GATES_PASS;

	for (uint32_t k = 0; k < CRITERIA; k++) {
		if (g->is_set[k] && is_empty(k, c, c->sums.of[k], t))
			return GATES_EMPTY;
	}
	for (uint32_t k = 0; k < CRITERIA; k++) {
		if (g->is_set[k] && coverage_permille(c->sums.of[k]) < g->permille[k]) {
			print_failure(g, k, c->sums.of[k], t);
			worst = GATES_FAIL;
		}
	}
	return worst;
}
