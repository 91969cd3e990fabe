/* SPDX-License-Identifier: Apache-2.0 */
/* reasons.c - layout: strings, id of the plan, rows with their steps and acts, ideas, and what is refuted. */
#include "formats/coverage/reasons.h"

#include "formats/coverage/wire_p.h"

#define REASONS_VERSION 2

static const struct wire_kind kind = { "why", REASONS_VERSION, "a file of reasons",
				       "name a file why.sherd that sherd cover wrote" };

#define OLD "sherd why 1\n"
static const struct wire_kind old_kind = { "why", 1, "a file of reasons", "name a file why.sherd that sherd cover wrote" };

void reasons_release(struct reasons *r)
{
	vec_release(&r->rows);
	vec_release(&r->steps);
	vec_release(&r->acts);
	vec_release(&r->ideas);
	vec_release(&r->refuted);
	vec_release(&r->refuted_targets);
}

static void put_row(const struct reasons *r, const struct reason *row, struct wire_strings *strings, struct strbuf *out)
{
	wire_varint(out, row->type);
	wire_varint(out, row->nsteps);
	for (uint32_t i = 0; i < row->nsteps; i++) {
		wire_string(strings, out, r->steps.data[row->first_step + i].place);
		wire_string(strings, out, r->steps.data[row->first_step + i].text);
	}
	wire_varint(out, row->nacts);
	for (uint32_t i = 0; i < row->nacts; i++)
		wire_string(strings, out, r->acts.data[row->first_act + i]);
	wire_varint(out, row->target);
	wire_varint(out, row->cost);
	wire_varint(out, row->idea);
}

static void put_idea(const struct reason_idea *i, struct wire_strings *strings, struct strbuf *out)
{
	wire_varint(out, i->type);
	wire_string(strings, out, i->call);
	wire_string(strings, out, i->code);
	wire_string(strings, out, i->imports);
	wire_varint(out, i->is_whole);
}

static void put_refuted(const struct reason_refuted *rows, uint32_t n, struct strbuf *out)
{
	uint32_t site = 0;

	wire_varint(out, n);
	for (uint32_t i = 0; i < n; i++) {
		wire_varint(out, rows[i].site - site);
		site = rows[i].site;
		wire_varint(out, rows[i].type);
		wire_varint(out, rows[i].why);
	}
}

static void put_all(const struct reasons *r, struct wire_strings *strings, struct strbuf *out)
{
	uint32_t site = 0;

	wire_le(out, r->plan, 8);
	wire_varint(out, r->rows.len);
	for (uint32_t i = 0; i < r->rows.len; i++) {
		wire_varint(out, r->rows.data[i].site - site);
		site = r->rows.data[i].site;
		put_row(r, &r->rows.data[i], strings, out);
	}
	wire_varint(out, r->ideas.len);
	for (uint32_t i = 0; i < r->ideas.len; i++)
		put_idea(&r->ideas.data[i], strings, out);
	put_refuted(r->refuted.data, r->refuted.len, out);
	put_refuted(r->refuted_targets.data, r->refuted_targets.len, out);
}

void reasons_write(const struct reasons *r, struct strbuf *out)
{
	struct wire_strings strings;
	struct strbuf rest = { 0 };

	wire_strings_init(&strings);
	put_all(r, &strings, &rest);
	strbuf_clear(&rest);
	wire_strings_sort(&strings, &rest);
	put_all(r, &strings, &rest);
	wire_seal(out, &kind, &rest);
	wire_strings_release(&strings);
	strbuf_release(&rest);
}

static void get_row(struct reasons *x, struct reader *r, struct wire_table strings, struct reason *last, bool is_old)
{
	uint32_t step = wire_read_u32(r);
	struct reason row = { .type = wire_read_u32(r), .first_step = x->steps.len };

	row.nsteps = wire_read_count(r, 2);
	r->failed |= step > UINT32_MAX - last->site;
	row.site = last->site + step;
	r->failed |= x->rows.len && step == 0 && row.type <= last->type;
	for (uint32_t i = 0; i < row.nsteps && !r->failed; i++) {
		struct reason_step s = { .place = wire_read_string(r, strings) };
		s.text = wire_read_string(r, strings);
		vec_push(&x->steps, s);
	}
	row.first_act = x->acts.len;
	row.nacts = wire_read_count(r, 1);
	for (uint32_t i = 0; i < row.nacts && !r->failed; i++)
		vec_push(&x->acts, wire_read_string(r, strings));
	row.target = is_old ? 0 : wire_read_u32(r);
	row.cost = is_old ? 0 : wire_read_u32(r);
	row.idea = is_old ? 0 : wire_read_u32(r);
	vec_push(&x->rows, row);
	*last = row;
}

static struct reason_idea get_idea(struct reader *r, struct wire_table strings)
{
	struct reason_idea i = { .type = wire_read_u32(r) };

	i.call = wire_read_string(r, strings);
	i.code = wire_read_string(r, strings);
	i.imports = wire_read_string(r, strings);
	i.is_whole = wire_read_below(r, 2);
	return i;
}

typedef VEC(struct reason_refuted) refuted_list;

static void get_refuted(struct reader *r, refuted_list *out)
{
	struct reason_refuted last = { 0 };
	uint32_t n = wire_read_count(r, 3);

	for (uint32_t i = 0; i < n && !r->failed; i++) {
		uint32_t step = wire_read_u32(r);
		struct reason_refuted row = { .site = last.site + step, .type = wire_read_u32(r) };
		row.why = wire_read_below(r, REFUTED_BYS);
		r->failed |= step > UINT32_MAX - last.site || (i && step == 0 && row.type <= last.type);
		vec_push(out, row);
		last = row;
	}
}

static void get_rest(struct reasons *x, struct reader *r, struct wire_table strings)
{
	refuted_list receivers = { 0 }, targets = { 0 };
	uint32_t n = wire_read_count(r, 5);

	for (uint32_t i = 0; i < n && !r->failed; i++)
		vec_push(&x->ideas, get_idea(r, strings));
	for (uint32_t i = 0; i < x->rows.len; i++)
		r->failed |= x->rows.data[i].idea > x->ideas.len;
	get_refuted(r, &receivers);
	get_refuted(r, &targets);
	x->refuted.data = receivers.data, x->refuted.len = receivers.len, x->refuted.cap = receivers.cap;
	x->refuted_targets.data = targets.data, x->refuted_targets.len = targets.len, x->refuted_targets.cap = targets.cap;
}

/* Version 1 has neither ideas nor what is refuted. */
static void get_all(struct reasons *x, struct reader *r, struct wire_table strings, bool is_old)
{
	struct reason last = { 0 };
	uint32_t n = wire_read_count(r, 4);

	for (uint32_t i = 0; i < n && !r->failed; i++)
		get_row(x, r, strings, &last, is_old);
	if (!is_old)
		get_rest(x, r, strings);
}

bool reasons_read(struct reasons *r, struct span bytes, struct arena *mem, struct strbuf *err)
{
	struct reader in;
	uint64_t digest;

	*r = (struct reasons){ 0 };
	bool is_old = bytes.len > sizeof(OLD) && memcmp(bytes.p, OLD, sizeof(OLD) - 1) == 0;
	if (!wire_unseal(&in, bytes, is_old ? &old_kind : &kind, &digest, err))
		return false;
	struct wire_table strings = wire_read_strings(&in, mem);
	r->plan = reader_le8(&in);
	get_all(r, &in, strings, is_old);
	if (!in.failed && reader_left(&in) == 0)
		return true;
	reasons_release(r);
	*r = (struct reasons){ 0 };
	strbuf_adds(err, "it is a file of reasons, but its tables contradict each other: make it anew");
	return false;
}

/* The one of `n` rows of `size` bytes, which begin with site and type, with these. */
static const void *find(const void *rows, uint32_t n, size_t size, uint32_t site, uint32_t type)
{
	uint32_t lo = 0, hi = n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2, key[2];
		memcpy(key, (const char *)rows + mid * size, sizeof(key));
		if (key[0] == site && key[1] == type)
			return (const char *)rows + mid * size;
		bool is_before = key[0] < site || (key[0] == site && key[1] < type);
		*(is_before ? &lo : &hi) = is_before ? mid + 1 : mid;
	}
	return NULL;
}

const struct reason *reasons_find(const struct reasons *r, uint32_t site, uint32_t type)
{
	return find(r->rows.data, r->rows.len, sizeof(*r->rows.data), site, type);
}

const struct reason_refuted *reasons_refuted(const struct reasons *r, uint32_t site, uint32_t type)
{
	return find(r->refuted.data, r->refuted.len, sizeof(*r->refuted.data), site, type);
}

const struct reason_refuted *reasons_refuted_target(const struct reasons *r, uint32_t site, uint32_t type)
{
	return find(r->refuted_targets.data, r->refuted_targets.len, sizeof(*r->refuted_targets.data), site, type);
}

const char *refuted_by_word(enum refuted_by why)
{
	static const char *const words[] = { [REFUTED_BY_CONDITIONS] = "conditions", [REFUTED_BY_CONTEXTS] = "contexts" };

	return words[why];
}
