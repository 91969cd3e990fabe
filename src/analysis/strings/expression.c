/* SPDX-License-Identifier: Apache-2.0 */
/* expression.c - regular expressions as text. */
#include "analysis/strings/expression_p.h"

#include <stdlib.h>

static const char SPECIAL[] = ".()[]{}*|+?\\^$";
static const char SPECIAL_IN_SET[] = "]-^";

static const struct expression EMPTY = { MATCHES_EMPTY, true, 0, { "()", 2 } };

static bool is_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

static struct expression fail(struct expressions *es)
{
	es->failed = true;
	return (struct expression){ ATOM, false, 1, { "", 0 } };
}

/* --- texts --- */

/* A text of parts, any of which may be empty. Fails when it is too long. */
static struct expression join(struct expressions *es, enum expression_kind kind, const struct str *parts, uint32_t n)
{
	uint64_t len = 0;

	for (uint32_t i = 0; i < n; i++)
		len += parts[i].len;
	if (es->failed || len > EXPRESSION_BYTES || *es->steps < len)
		return fail(es);
	*es->steps -= len;
	char *to = arena_alloc(es->arena, len + 1);
	struct expression e = { kind, false, 0, { to, (uint32_t)len } };

	for (uint32_t i = 0; i < n; i++) {
		memcpy(to, parts[i].p, parts[i].len);
		to += parts[i].len;
	}
	*to = 0;
	return e;
}

static struct expression bounded(struct expressions *es, struct expression e, uint32_t depth, bool nullable)
{
	if (depth > EXPRESSION_DEPTH)
		return fail(es);
	e.depth = depth;
	e.nullable = nullable;
	return e;
}

/* The expression, in parentheses where it binds less than `kind`. */
static struct expression within(struct expressions *es, struct expression e, enum expression_kind kind)
{
	const struct str parts[] = { STR("("), e.text, STR(")") };

	return e.kind <= kind ? e : bounded(es, join(es, ATOM, parts, 3), e.depth, e.nullable);
}

static struct expression suffixed(struct expressions *es, struct expression e, struct str suffix)
{
	const struct str parts[] = { within(es, e, ATOM).text, suffix };

	return bounded(es, join(es, REPEATED, parts, 2), e.depth, true);
}

static bool repeats(struct expression e, char how)
{
	return e.kind == REPEATED && e.text.p[e.text.len - 1] == how;
}

/* Of x+, x* or x?, x*. */
static struct expression starred(struct expressions *es, struct expression e)
{
	const struct str parts[] = { str_sub(e.text, 0, e.text.len - 1), STR("*") };

	return bounded(es, join(es, REPEATED, parts, 2), e.depth, true);
}

/* Whether `star` is e*. */
static bool is_star_of(struct expressions *es, struct expression star, struct expression e)
{
	return repeats(star, '*') && str_eq(str_sub(star.text, 0, star.text.len - 1), within(es, e, ATOM).text);
}

static struct expression plus(struct expressions *es, struct expression e)
{
	const struct str parts[] = { within(es, e, ATOM).text, STR("+") };

	return bounded(es, join(es, REPEATED, parts, 2), e.depth, e.nullable);
}

struct expression expression_either(struct expressions *es, struct expression a, struct expression b)
{
	if (a.kind == MATCHES_NOTHING || b.kind == MATCHES_NOTHING)
		return a.kind == MATCHES_NOTHING ? b : a;
	if (a.kind == MATCHES_EMPTY || b.kind == MATCHES_EMPTY) {
		struct expression other = a.kind == MATCHES_EMPTY ? b : a;

		if (other.nullable)
			return other;
		return repeats(other, '+') ? starred(es, other) : suffixed(es, other, STR("?"));
	}
	if (str_eq(a.text, b.text))
		return a;
	const struct str parts[] = { a.text, STR("|"), b.text };

	return bounded(es, join(es, CHOICE, parts, 3), a.depth > b.depth ? a.depth : b.depth, a.nullable || b.nullable);
}

struct expression expression_then(struct expressions *es, struct expression a, struct expression b)
{
	if (a.kind == MATCHES_NOTHING || b.kind == MATCHES_EMPTY)
		return a;
	if (b.kind == MATCHES_NOTHING || a.kind == MATCHES_EMPTY)
		return b;
	if (is_star_of(es, b, a) || is_star_of(es, a, b))
		return plus(es, is_star_of(es, b, a) ? a : b);
	const struct str parts[] = { within(es, a, SEQUENCE).text, within(es, b, SEQUENCE).text };

	return bounded(es, join(es, SEQUENCE, parts, 2), a.depth + b.depth, a.nullable && b.nullable);
}

struct expression expression_star(struct expressions *es, struct expression a)
{
	if (a.kind == MATCHES_NOTHING || a.kind == MATCHES_EMPTY)
		return EMPTY;
	if (repeats(a, '*') || repeats(a, '+') || repeats(a, '?'))
		return starred(es, a);
	return suffixed(es, a, STR("*"));
}

/* --- bytes --- */

struct draft {
	char s[3 * 256 + 8];
	uint32_t len;
};

static void put(struct draft *d, char c)
{
	d->s[d->len++] = c;
}

static struct expression literal(struct expressions *es, struct str s)
{
	if (s.len > EXPRESSION_DEPTH)
		return fail(es);
	char *text = arena_alloc(es->arena, 2u * s.len + 1);
	uint32_t len = 0;

	for (uint32_t i = 0; i < s.len; i++) {
		if (is_one_of(s.p[i], SPECIAL))
			text[len++] = '\\';
		text[len++] = s.p[i];
	}
	text[len] = 0;
	return s.len ? bounded(es, (struct expression){ s.len == 1 ? ATOM : SEQUENCE, false, 0, { text, len } }, s.len, false) : EMPTY;
}

static void put_in_set(struct draft *d, unsigned b, enum expression_style style)
{
	if (style == FOR_PEOPLE && (is_one_of((char)b, SPECIAL_IN_SET) || b == '\\'))
		put(d, '\\');
	put(d, (char)b);
}

static void put_range(struct draft *d, unsigned lo, unsigned hi, enum expression_style style)
{
	put_in_set(d, lo, style);
	if (hi == lo)
		return;
	if (hi > lo + 1)
		put(d, '-');
	put_in_set(d, hi, style);
}

/* The longest range of bytes from `b` on that are in the set, or are not. libfa compares bytes as signed, so no range crosses 0x80. */
static unsigned range_end(const struct byteset *set, unsigned b, enum expression_style style)
{
	while (b < 255 && byteset_has(set, b + 1) && (style == FOR_PEOPLE || b != 127))
		b++;
	return b;
}

static struct byteset complement(const struct byteset *s)
{
	return (struct byteset){ { ~s->w[0], ~s->w[1], ~s->w[2], ~s->w[3] } };
}

static uint32_t count_bytes(const struct byteset *s)
{
	uint32_t n = 0;

	for (unsigned b = 0; b < 256; b++)
		n += byteset_has(s, b);
	return n;
}

static struct expression set_for_people(struct expressions *es, const struct byteset *set)
{
	bool inverted = count_bytes(set) > 128;
	struct byteset shown = inverted ? complement(set) : *set;
	struct draft d = { .len = 0 };

	if (byteset_is_full(set))
		return (struct expression){ ATOM, false, 1, STR(".") };
	put(&d, '[');
	if (inverted)
		put(&d, '^');
	for (unsigned b = 0, end; b < 256; b = end + 1) {
		end = b;
		if (byteset_has(&shown, b)) {
			end = range_end(&shown, b, FOR_PEOPLE);
			put_range(&d, b, end, FOR_PEOPLE);
		}
	}
	put(&d, ']');
	return bounded(es, join(es, ATOM, &(struct str){ d.s, d.len }, 1), 1, false);
}

/* Brackets know no escapes: bytes that mean something there are alternatives of their own. */
static struct expression set_for_libfa(struct expressions *es, const struct byteset *set)
{
	struct expression e = { 0 };
	struct byteset rest = *set;
	struct draft d = { .len = 0 };

	for (const char *c = SPECIAL_IN_SET; *c; c++) {
		if (!byteset_has(set, (unsigned char)*c))
			continue;
		e = expression_either(es, e, literal(es, (struct str){ c, 1 }));
		rest.w[(unsigned char)*c >> 6] &= ~(UINT64_C(1) << (*c & 63));
	}
	put(&d, '[');
	for (unsigned b = 0, end; b < 256; b = end + 1) {
		end = b;
		if (byteset_has(&rest, b)) {
			end = range_end(&rest, b, FOR_LIBFA);
			put_range(&d, b, end, FOR_LIBFA);
		}
	}
	put(&d, ']');
	if (d.len == 2)
		return e;
	return expression_either(es, bounded(es, join(es, ATOM, &(struct str){ d.s, d.len }, 1), 1, false), e);
}

struct expression expression_bytes(struct expressions *es, const struct byteset *bytes)
{
	uint32_t n = count_bytes(bytes);

	if (!n)
		return (struct expression){ 0 };
	for (unsigned b = 0; n == 1; b++) {
		char c = (char)b;

		if (byteset_has(bytes, b))
			return literal(es, (struct str){ &c, 1 });
	}
	return es->style == FOR_PEOPLE ? set_for_people(es, bytes) : set_for_libfa(es, bytes);
}

/* --- strings --- */

static uint32_t group_end(const struct str *sorted, uint32_t lo, uint32_t hi, uint32_t at)
{
	uint32_t i = lo + 1;

	while (i < hi && sorted[i].p[at] == sorted[lo].p[at])
		i++;
	return i;
}

/* How far all strings agree from `at` on: sorted, so the first and the last tell. */
static uint32_t agree(const struct str *sorted, uint32_t lo, uint32_t hi, uint32_t at)
{
	struct str a = sorted[lo], b = sorted[hi - 1];

	while (at < a.len && at < b.len && a.p[at] == b.p[at])
		at++;
	return at;
}

/* What strings lo .. hi - 1 have from byte `at` on. As deep as a string is long, which is bounded. */
static struct expression strings_from(struct expressions *es, const struct str *sorted, uint32_t lo, uint32_t hi, uint32_t at)
{
	uint32_t common = agree(sorted, lo, hi, at);
	struct expression lead = literal(es, str_sub(sorted[lo], at, common)), rest = { 0 };
	struct byteset last = { { 0 } };
	bool ends = sorted[lo].len == common;

	for (uint32_t i = lo + ends, end; i < hi && !es->failed; i = end) {
		end = group_end(sorted, i, hi, common);
		if (end == i + 1 && sorted[i].len == common + 1)
			byteset_add(&last, (unsigned char)sorted[i].p[common]);
		else
			rest = expression_either(es, rest, strings_from(es, sorted, i, end, common));
	}
	rest = expression_either(es, expression_bytes(es, &last), rest);
	if (ends)
		rest = expression_either(es, EMPTY, rest);
	return expression_then(es, lead, rest);
}

struct expression expression_strings(struct expressions *es, const struct str *sorted, uint32_t n)
{
	if (n > EXPRESSION_BYTES)
		return fail(es);
	for (uint32_t i = 0; i < n; i++)
		if (sorted[i].len > EXPRESSION_DEPTH)
			return fail(es);
	return n ? strings_from(es, sorted, 0, n, 0) : (struct expression){ 0 };
}

/* --- elimination --- */

void network_init(struct network *w, uint32_t n, struct arena *a)
{
	w->n = n;
	w->between = arena_zarray(a, struct expression, (size_t)n * n);
}

static struct expression *at(struct network *w, uint32_t from, uint32_t to)
{
	return &w->between[(size_t)from * w->n + to];
}

void network_add(struct network *w, struct expressions *es, uint32_t from, uint32_t to, struct expression e)
{
	*at(w, from, to) = expression_either(es, *at(w, from, to), e);
}

/* How much longer all texts are without state `q`. */
static uint64_t weight(struct network *w, uint32_t q)
{
	uint64_t in = 0, out = 0, in_len = 0, out_len = 0;

	for (uint32_t i = 0; i < w->n; i++) {
		if (i != q && at(w, i, q)->kind) {
			in++;
			in_len += at(w, i, q)->text.len;
		}
		if (i != q && at(w, q, i)->kind) {
			out++;
			out_len += at(w, q, i)->text.len;
		}
	}
	return in_len * out + out_len * in + in * out * (1 + at(w, q, q)->text.len);
}

static void bypass(struct network *w, struct expressions *es, uint32_t q, uint32_t from, struct expression in)
{
	for (uint32_t to = 0; to < w->n && !es->failed; to++)
		if (to != q && at(w, q, to)->kind)
			network_add(w, es, from, to, expression_then(es, in, *at(w, q, to)));
}

static void eliminate(struct network *w, struct expressions *es, uint32_t q)
{
	struct expression loop = expression_star(es, *at(w, q, q));

	for (uint32_t from = 0; from < w->n && !es->failed; from++)
		if (from != q && at(w, from, q)->kind)
			bypass(w, es, q, from, expression_then(es, *at(w, from, q), loop));
	for (uint32_t i = 0; i < w->n; i++)
		*at(w, q, i) = *at(w, i, q) = (struct expression){ 0 };
}

static uint32_t lightest(const struct network *w, const uint64_t *weights, uint32_t from, uint32_t to)
{
	uint32_t best = UINT32_MAX;

	for (uint32_t i = 0; i < w->n; i++)
		if (i != from && i != to && weights[i] != UINT64_MAX && (best == UINT32_MAX || weights[i] < weights[best]))
			best = i;
	return best;
}

struct expression network_expression(struct network *w, struct expressions *es, uint32_t from, uint32_t to)
{
	uint64_t *weights = mem_alloc(w->n * sizeof *weights);
	bool *touched = mem_alloc(w->n);

	for (uint32_t i = 0; i < w->n; i++)
		weights[i] = weight(w, i);
	for (uint32_t q; !es->failed && (q = lightest(w, weights, from, to)) != UINT32_MAX;) {
		for (uint32_t i = 0; i < w->n; i++)
			touched[i] = i != q && weights[i] != UINT64_MAX && (at(w, i, q)->kind || at(w, q, i)->kind);
		eliminate(w, es, q);
		weights[q] = UINT64_MAX;
		for (uint32_t i = 0; i < w->n; i++)
			if (touched[i])
				weights[i] = weight(w, i);
	}
	free(weights);
	free(touched);
	if (from == to)
		return expression_star(es, *at(w, from, to));
	struct expression out = expression_star(es, *at(w, from, from)), end = expression_star(es, *at(w, to, to));
	struct expression back = expression_then(es, *at(w, to, from), out);
	struct expression through = expression_then(es, expression_then(es, out, *at(w, from, to)), end);

	if (back.kind == MATCHES_NOTHING || through.kind == MATCHES_NOTHING)
		return through;
	/* there, and back and there any number of times */
	struct expression again = expression_then(es, back, expression_then(es, *at(w, from, to), end));

	return expression_then(es, through, expression_star(es, again));
}

/* One of the images of bytes. */
static struct expression image_of(struct expressions *es, const struct byteset *bytes, const struct str *images)
{
	struct byteset single = { { 0 } };
	struct expression longer = { 0 };

	if (!images)
		return expression_bytes(es, bytes);
	for (unsigned b = 0; b < 256; b++) {
		if (!byteset_has(bytes, b))
			continue;
		if (images[b].len == 1)
			byteset_add(&single, (unsigned char)images[b].p[0]);
		else
			longer = expression_either(es, longer, literal(es, images[b]));
	}
	return expression_either(es, expression_bytes(es, &single), longer);
}

struct expression graph_expression(const struct graph *g, const bool *starts, const bool *ends, const struct str *images,
				   struct expressions *es, struct arena *scratch)
{
	struct network w;
	struct byteset *bytes = arena_array(scratch, struct byteset, g->n);

	if (g->n > EXPRESSION_STATES)
		return fail(es);
	network_init(&w, g->n + 2, scratch);
	for (uint32_t s = 0; s < g->n; s++) {
		if (starts[s])
			network_add(&w, es, g->n, s, EMPTY);
		if (ends[s])
			network_add(&w, es, s, g->n + 1, EMPTY);
		memset(bytes, 0, g->n * sizeof *bytes);
		for (uint32_t k = g->first[s]; k < g->first[s + 1]; k++)
			byteset_add_range(&bytes[g->arrows[k].to], g->arrows[k].lo, g->arrows[k].hi);
		for (uint32_t k = g->first[s]; k < g->first[s + 1]; k++) {
			uint32_t to = g->arrows[k].to;

			if (!at(&w, s, to)->kind)
				*at(&w, s, to) = image_of(es, &bytes[to], images);
		}
	}
	return network_expression(&w, es, g->n, g->n + 1);
}
