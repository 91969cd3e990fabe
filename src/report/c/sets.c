/* SPDX-License-Identifier: Apache-2.0 */
/* sets.c - sets of names by number: thousands of calls modify the same places, and each such set is kept and written once.
 *
 * Sets are large, and mostly contain one another. So places are numbered by how many sets they are in: what is in many comes
 * first, and a set of thousands of places is a few runs of numbers. */
#include "report/c/c_p.h"

void c_sets_init(struct c_sets *s)
{
	*s = (struct c_sets){ 0 };
	interner_init(&s->sets);
}

void c_sets_release(struct c_sets *s)
{
	interner_release(&s->sets);
	strbuf_release(&s->bytes);
}

/* Seven bits a byte, the lowest first. */
static void put(struct strbuf *b, uint32_t x)
{
	for (; x >= 128; x >>= 7)
		strbuf_addch(b, (char)(x | 128));
	strbuf_addch(b, (char)x);
}

static uint32_t get(struct str *s)
{
	uint32_t x = 0, byte;

	for (uint32_t shift = 0;; shift += 7) {
		byte = (unsigned char)*s->p++;
		s->len--;
		x |= (byte & 127) << shift;
		if (byte < 128)
			return x;
	}
}

/* As runs of ranks: the gap to the run before, and the length. */
uint32_t c_sets_read(struct c_sets *s, struct c_names *n)
{
	struct c_set set = c_set_read(n);
	uint32_t end = 0;

	strbuf_clear(&s->bytes);
	for (uint32_t i = 0, first; i < set.n; end = set.ranks[i - 1] + 1) {
		for (first = i++; i < set.n && set.ranks[i] == set.ranks[i - 1] + 1;)
			i++;
		put(&s->bytes, set.ranks[first] - end);
		put(&s->bytes, i - first);
	}
	return intern(&s->sets, strbuf_str(&s->bytes)).i;
}

struct run {
	uint32_t from, to;            /* `to` is not in it */
};

static bool next_run(struct str *set, struct run *r)
{
	if (!set->len)
		return false;
	r->from = r->to + get(set);
	r->to = r->from + get(set);
	return true;
}

struct numbers {
	struct named_count {
		uint32_t rank, sets;
	} *places;                    /* by number */
	uint32_t n;
	uint32_t *of;                 /* by rank; of no meaning for ranks in no set */
	uint64_t *marks;              /* by number: in the set that is written */
};

static int by_count(const void *a, const void *b)
{
	const struct named_count *x = a, *y = b;

	if (x->sets != y->sets)
		return x->sets > y->sets ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* By rank: what there is more of in sets than of the rank before. */
static uint32_t *count_steps(const struct c_sets *s, uint32_t nranks)
{
	uint32_t *steps = mem_zalloc(((size_t)nranks + 2) * sizeof(*steps));

	for (uint32_t i = 0; i < s->sets.strings.len; i++) {
		struct str set = s->sets.strings.data[i];
		for (struct run r = { 0 }; next_run(&set, &r);) {
			steps[r.from]++;
			steps[r.to]--;
		}
	}
	return steps;
}

static void number_places(struct numbers *x, const struct c_sets *s, uint32_t nranks)
{
	uint32_t *steps = count_steps(s, nranks), sets = 0;

	*x = (struct numbers){ .places = mem_alloc(((size_t)nranks + 1) * sizeof(*x->places)) };
	for (uint32_t rank = 1; rank <= nranks; rank++) {
		sets += steps[rank];
		if (sets)
			x->places[x->n++] = (struct named_count){ rank, sets };
	}
	qsort(x->places, x->n, sizeof(*x->places), by_count);
	for (uint32_t i = 0; i < x->n; i++)
		steps[x->places[i].rank] = i;
	x->of = steps;
	x->marks = mem_zalloc((x->n / 64 + 1) * sizeof(*x->marks));
}

static void numbers_release(struct numbers *x)
{
	free(x->places);
	free(x->of);
	free(x->marks);
}

/* The next number that is in the set, or that is not. */
static uint32_t next_number(const struct numbers *x, uint32_t at, uint32_t end, bool in)
{
	uint64_t none = in ? 0 : ~UINT64_C(0), w;

	for (; at < end; at = (at / 64 + 1) * 64) {
		w = (x->marks[at / 64] ^ none) >> at % 64;
		if (!w)
			continue;
		for (; !(w & 1); w >>= 1)
			at++;
		return at;
	}
	return end;
}

static void json_numbers(struct json *j, const struct numbers *x, uint32_t low, uint32_t end)
{
	json_array(j);
	for (uint32_t at = next_number(x, low, end, true), to; at < end; at = next_number(x, to, end, true)) {
		to = next_number(x, at, end, false);
		json_array(j);
		json_uint(j, at);
		json_uint(j, to < end ? to : end);
		json_end_array(j);
	}
	json_end_array(j);
}

static void json_one(struct json *j, struct numbers *x, struct str set)
{
	uint32_t low = UINT32_MAX, end = 0;

	for (struct run r = { 0 }; next_run(&set, &r);)
		for (uint32_t rank = r.from; rank < r.to; rank++) {
			uint32_t number = x->of[rank];
			x->marks[number / 64] |= UINT64_C(1) << number % 64;
			low = number < low ? number : low;
			end = number >= end ? number + 1 : end;
		}
	json_numbers(j, x, low, end);
	for (uint32_t word = low / 64; word < (end + 63) / 64; word++)
		x->marks[word] = 0;
}

void c_json_sets(struct json *j, const struct c_sets *s, const struct c_names *n)
{
	struct numbers x;

	number_places(&x, s, n->n);
	json_break(j);
	json_key(j, "sets"), json_array(j);
	for (uint32_t i = 0; i < s->sets.strings.len; i++) {
		json_break(j);
		json_one(j, &x, s->sets.strings.data[i]);
	}
	json_end_array(j);
	json_break(j);
	json_key(j, "places"), json_array(j);
	for (uint32_t i = 0; i < x.n; i++)
		json_break(j), json_escaped(j, n->text[x.places[i].rank]);
	json_end_array(j);
	numbers_release(&x);
}
