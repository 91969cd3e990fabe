/* SPDX-License-Identifier: Apache-2.0 */
/* reasons.c - layout: strings, id of the plan, then rows with their steps and acts. */
#include "formats/coverage/reasons.h"

#include "formats/coverage/wire_p.h"

#define REASONS_VERSION 1

static const struct wire_kind kind = { "why", REASONS_VERSION, "a file of reasons",
				       "name a file why.sherd that sherd cover wrote" };

void reasons_release(struct reasons *r)
{
	vec_release(&r->rows);
	vec_release(&r->steps);
	vec_release(&r->acts);
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

static void get_row(struct reasons *x, struct reader *r, struct wire_table strings, struct reason *last)
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
	vec_push(&x->rows, row);
	*last = row;
}

bool reasons_read(struct reasons *r, struct span bytes, struct arena *mem, struct strbuf *err)
{
	struct reason last = { 0 };
	struct reader in;
	uint64_t digest;

	*r = (struct reasons){ 0 };
	if (!wire_unseal(&in, bytes, &kind, &digest, err))
		return false;
	struct wire_table strings = wire_read_strings(&in, mem);
	r->plan = reader_le8(&in);
	uint32_t n = wire_read_count(&in, 4);
	for (uint32_t i = 0; i < n && !in.failed; i++)
		get_row(r, &in, strings, &last);
	if (!in.failed && reader_left(&in) == 0)
		return true;
	reasons_release(r);
	*r = (struct reasons){ 0 };
	strbuf_adds(err, "it is a file of reasons, but its tables contradict each other: make it anew");
	return false;
}

const struct reason *reasons_find(const struct reasons *r, uint32_t site, uint32_t type)
{
	uint32_t lo = 0, hi = r->rows.len;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		const struct reason *row = &r->rows.data[mid];
		if (row->site == site && row->type == type)
			return row;
		bool is_before = row->site < site || (row->site == site && row->type < type);
		*(is_before ? &lo : &hi) = is_before ? mid + 1 : mid;
	}
	return NULL;
}
