/* SPDX-License-Identifier: Apache-2.0 */
/* operation.c - operations of Java on languages: lists string by string, the rest as automata. */
#include "analysis/strings/operation.h"

#include "analysis/strings/operation_p.h"

bool operation_is_binary(enum operation_kind kind)
{
	return kind == OP_INSERT || kind == OP_SET_CHAR || kind == OP_MIX;
}

/* --- regular expressions of Java that match one string --- */

static bool is_letter_or_digit(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80;
}

bool literal_of_regex(struct str regex, struct strbuf *to)
{
	for (uint32_t i = 0; i < regex.len; i++) {
		if (regex.p[i] == '\\') {
			if (++i == regex.len || is_letter_or_digit(regex.p[i]))
				return false;
		} else if (regex.p[i] && strchr(".()[]{}*|+?^$", regex.p[i])) {
			return false;
		}
		strbuf_addch(to, regex.p[i]);
	}
	return true;
}

bool literal_of_replacement(struct str replacement, struct strbuf *to)
{
	for (uint32_t i = 0; i < replacement.len; i++) {
		if (replacement.p[i] == '$' || (replacement.p[i] == '\\' && ++i == replacement.len))
			return false;
		strbuf_addch(to, replacement.p[i]);
	}
	return true;
}

/* --- bytes --- */

static bool changes_case(enum operation_kind kind)
{
	return kind == OP_LOWER || kind == OP_UPPER;
}

struct byteset operation_bytes(const struct operation *op, const struct byteset *operands)
{
	struct byteset bytes = *operands;

	if (op->kind == OP_REPLACE || op->kind == OP_REPLACE_FIRST || op->kind == OP_REPLACE_ALL)
		byteset_add_str(&bytes, op->with);
	if (op->kind == OP_SET_LENGTH)
		byteset_add_str(&bytes, STR("\xc0\x80"));
	if (!changes_case(op->kind))
		return bytes;
	if (!byteset_is_ascii(&bytes))
		byteset_add_range(&bytes, 0, 255);
	for (unsigned b = 'a'; b <= 'z'; b++)
		if (byteset_has(&bytes, b) || byteset_has(&bytes, b - 'a' + 'A'))
			byteset_add(&bytes, op->kind == OP_LOWER ? b : b - 'a' + 'A');
	return bytes;
}

const struct language *strings_of_bytes(struct languages *ls, const struct byteset *bytes)
{
	if (byteset_is_full(bytes))
		return language_any(ls);
	return whole_chars(ls, language_iterate(ls, language_of_bytes(ls, bytes), 0, LANGUAGE_UNBOUNDED));
}

const struct language *operation_bound(struct languages *ls, const struct operation *op, const struct byteset *operands)
{
	struct byteset bytes = operation_bytes(op, operands);
	const struct language *bound = strings_of_bytes(ls, &bytes);

	return op->kind == OP_CHAR_AT ? language_intersect(ls, language_one_char(ls), bound) : bound;
}

/* --- lists --- */

static bool apply_to_strings(const struct operation *op, const struct language *a, const struct language *b, struct results *to)
{
	const struct str none = STR("");

	for (uint32_t i = 0; i < a->n; i++)
		for (uint32_t k = 0; k < (b ? b->n : 1); k++)
			if (!operation_on_string(op, a->strings[i], b ? b->strings[k] : none, to) || to->too_many)
				return false;
	return true;
}

static const struct language *apply_to_lists(struct languages *ls, const struct operation *op, const struct language *a,
					     const struct language *b)
{
	struct results to = { .ls = ls };
	const struct language *l = NULL;

	if (apply_to_strings(op, a, b, &to))
		l = of_list(ls, &to.list, a->widened || (b && b->widened));
	vec_release(&to.list);
	return l;
}

/* One that matches a single string is a plain replacement. */
static const struct language *replace_matches(struct languages *ls, const struct operation *op, const struct language *a)
{
	struct strbuf what = { 0 }, with = { 0 };
	struct operation plain = *op;
	const struct language *l;

	if (literal_of_regex(op->what, &what) && literal_of_replacement(op->with, &with)) {
		plain.what = strbuf_str(&what);
		plain.with = strbuf_str(&with);
		l = a->kind == STRINGS ? apply_to_lists(ls, &plain, a, NULL) : NULL;
		if (!l)
			l = operation_on_automaton(ls, &plain, a, NULL);
	} else {
		struct byteset bytes = { { 0 } };

		language_bytes(a, &bytes);
		l = operation_bound(ls, op, &bytes);
	}
	strbuf_release(&what);
	strbuf_release(&with);
	return l;
}

const struct language *operation_apply(struct languages *ls, const struct operation *op, const struct language *a,
				       const struct language *b)
{
	const struct language *l = NULL;

	if (language_is_empty(a) || (b && language_is_empty(b)))
		return language_empty(ls);
	if (op->kind == OP_FILTER || op->kind == OP_EXCEPT)
		return operation_on_automaton(ls, op, a, b);
	if (op->kind == OP_REPLACE_FIRST || op->kind == OP_REPLACE_ALL)
		return replace_matches(ls, op, a);
	if (a->kind == STRINGS && (!b || b->kind == STRINGS) && op->kind != OP_MIX)
		l = apply_to_lists(ls, op, a, b);
	return l ? l : operation_on_automaton(ls, op, a, b);
}
