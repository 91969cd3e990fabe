/* SPDX-License-Identifier: Apache-2.0 */
/* codec.c - see codec_p.h. */
#include "summary/codec_p.h"

#include <stdlib.h>

void codec_init(struct codec *k, struct summary *s)
{
	struct models *m = mem_alloc(sizeof(*m));

	*k = (struct codec){ .s = s, .p = &s->program, .m = m, .op = NO_OP, .before = NO_OP };
	bitmodels_init((struct bitmodel *)m, sizeof(*m) / sizeof(struct bitmodel));
	mixers_init((struct mixer *)&k->mixers, sizeof(k->mixers) / sizeof(struct mixer));
	vec_push(&k->strings, (str_id){ 0 });
}

void codec_release(struct codec *k)
{
	free(k->m);
	vec_release(&k->strings);
	vec_release(&k->numbers);
	vec_release(&k->addresses);
	vec_release(&k->args);
}

uint64_t codec_number(struct codec *k, struct numbermodel *m, uint64_t v)
{
	return code_number(&k->c, &m, 1, NULL, v);
}

uint32_t codec_below(struct codec *k, enum number context, uint32_t v, uint32_t limit)
{
	uint64_t read = codec_number(k, &k->m->numbers[context], v);

	if (read < limit)
		return (uint32_t)read;
	k->c.failed = true;
	return 0;
}

uint32_t codec_u32(struct codec *k, struct numbermodel *m, uint64_t v)
{
	uint64_t read = codec_number(k, m, v);

	k->c.failed |= read > UINT32_MAX;
	return (uint32_t)read;
}

/* Differences: 0, -1, 1, -2, ... None is larger than those of numbers of 32 bits. */

static int64_t as_signed(struct codec *k, uint64_t x)
{
	if (x >> 33) {
		k->c.failed = true;
		return 0;
	}
	return x & 1 ? -(int64_t)(x >> 1) - 1 : (int64_t)(x >> 1);
}

static uint64_t as_number(int64_t v)
{
	return v < 0 ? (uint64_t)(-v - 1) << 1 | 1 : (uint64_t)v << 1;
}

int64_t codec_difference(struct codec *k, struct numbermodel *m, int64_t v)
{
	return as_signed(k, codec_number(k, m, as_number(v)));
}

uint32_t codec_symbol(struct codec *k, struct bitmodel *tree, uint32_t bits, uint32_t v)
{
	return code_symbol(&k->c, &tree, 1, NULL, bits, v);
}

bool codec_bit(struct codec *k, enum bit context, bool v)
{
	return code_bit(&k->c, &k->m->bits[context], v);
}

uint32_t codec_count(struct codec *k, enum number context, uint32_t n)
{
	uint64_t read = codec_number(k, &k->m->numbers[context], n);

	k->rows += read;
	if (read <= UINT32_MAX && k->rows <= k->most)
		return (uint32_t)read;
	k->c.failed = true;
	return 0;
}

/* Recent rows */

void recent_see(struct recent *r, uint32_t place, uint32_t id)
{
	if (place >= r->n)
		place = r->n < RECENT ? r->n++ : RECENT - 1;
	memmove(&r->ids[1], &r->ids[0], sizeof(*r->ids) * place);
	r->ids[0] = id;
}

uint32_t recent_place(const struct recent *r, uint32_t id)
{
	uint32_t i = 0;

	while (i < r->n && r->ids[i] != id)
		i++;
	return i < r->n ? i : MISS;
}

/* Strings: a number, or, when it is new, its text. */

enum { CHARS_PER_ROW = 4 };              /* as far as memory is concerned */

/* A character, after those before it, and where it is in the last string, as far as that is the same. */
struct spelling {
	uint32_t kind, before;         /* the last four characters */
	struct str last;
	uint32_t n;
	bool agrees;
};

/* Part of the form, unlike the functions of base/hash.h. */
static uint32_t scatter(uint64_t x)
{
	x *= UINT64_C(0x9e3779b97f4a7c15);
	x ^= x >> 32;
	x *= UINT64_C(0xd6e8feb86659fd93);
	return (uint32_t)(x >> 40);
}

static uint32_t code_char(struct codec *k, struct spelling *s, uint32_t ch)
{
	uint32_t expected = s->agrees && s->n < s->last.len ? (uint8_t)s->last.p[s->n] : 0, node = 1;
	uint64_t salt = s->kind == S_TEXT ? UINT64_C(1) << 40 : 0;
	uint64_t contexts[MIXED] = { s->before & 0xff, salt | (s->before & 0xffff), salt | (s->before & 0xffffff), s->kind,
				     s->kind << 9 | expected << 1 | s->agrees };
	uint32_t slots[MIXED];
	struct bitmodel *m[MIXED];

	for (uint32_t i = 0; i < MIXED; i++)
		slots[i] = scatter(contexts[i]);
	for (uint32_t b = 8; b-- > 0;) {
		for (uint32_t i = 0; i < MIXED; i++)
			m[i] = &k->m->chars[i][(slots[i] + node) & (CHARS - 1)];
		node = node << 1 | code_mixed(&k->c, m, MIXED, &k->mixers.chars[s->kind], ch >> b & 1);
	}
	s->agrees = s->agrees && (node & 255) == expected;
	s->before = s->before << 8 | (node & 255);
	s->n++;
	return node & 255;
}

static void code_text(struct codec *k, enum string_kind kind, struct strbuf *text)
{
	struct spelling s = { .kind = kind, .last = interned(&k->p->names, k->last[kind]), .agrees = true };
	uint64_t n = codec_number(k, &k->m->lengths[kind], text->len);

	k->c.failed |= !writes(k) && n / CHARS_PER_ROW > k->most - k->rows;
	for (uint64_t i = 0; i < n && !k->c.failed; i++) {
		uint32_t ch = code_char(k, &s, writes(k) ? (uint8_t)text->s[i] : 0);
		if (!writes(k))
			strbuf_addch(text, (char)(uint8_t)ch);
	}
}

static str_id new_string(struct codec *k, enum string_kind kind, str_id s)
{
	struct strbuf text = { 0 };

	if (writes(k))
		strbuf_addstr(&text, interned(&k->p->names, s));
	code_text(k, kind, &text);
	k->rows += text.len / CHARS_PER_ROW + 1;
	k->c.failed |= k->rows > k->most;
	if (!writes(k))
		s = intern(&k->p->names, strbuf_str(&text));
	strbuf_release(&text);
	if (writes(k))
		k->numbers.data[s.i] = k->strings.len;
	vec_push(&k->strings, s);
	k->last[kind] = s;
	return s;
}

str_id codec_string(struct codec *k, enum string_kind kind, str_id s)
{
	uint32_t known = writes(k) ? k->numbers.data[s.i] : 0;

	if (code_bit(&k->c, &k->m->is_new[kind], s.i && !known))
		return new_string(k, kind, s);
	uint64_t n = codec_number(k, &k->m->strings[kind], known);
	if (n < k->strings.len)
		return k->strings.data[n];
	k->c.failed = true;
	return (str_id){ 0 };
}

/* Places: the one before, or how far they are from it. */

static bool is_same(const struct cloc *a, const struct cloc *b)
{
	return a->file.i == b->file.i && a->line == b->line && a->column == b->column;
}

static void code_line(struct codec *k, enum loc_kind kind, struct cloc *l)
{
	struct numbermodel *m[] = { &k->m->line[kind], &k->m->line_of_ops[k->op][k->before] };
	uint64_t coded = code_number(&k->c, m, 2, &k->mixers.lines[kind], as_number((int64_t)l->line - k->at.line));
	int64_t line = k->at.line + as_signed(k, coded);

	k->c.failed |= line < 0 || line > UINT32_MAX;
	l->line = (uint32_t)line;
}

static void code_column(struct codec *k, enum loc_kind kind, struct cloc *l)
{
	bool is_there = l->line == k->at.line;
	uint32_t ahead = l->line - k->at.line;
	struct numbermodel *m[] = { &k->m->column[kind][is_there], &k->m->column_behind[ahead < 2 ? ahead : 2][k->at.column % COLUMNS],
				    &k->m->column_of_ops[is_there][k->op][k->before] };
	uint64_t column = code_number(&k->c, m, 3, &k->mixers.columns[kind], l->column);

	k->c.failed |= column > UINT32_MAX;
	l->column = (uint32_t)column;
}

static void code_file(struct codec *k, enum loc_kind kind, struct cloc *l)
{
	if (code_bit(&k->c, &k->m->is_same_file[kind], l->file.i == k->at.file.i))
		l->file = k->at.file;
	else
		l->file = codec_string(k, S_FILE, l->file);
}

cloc_id codec_loc(struct codec *k, enum loc_kind kind, cloc_id id)
{
	struct cloc l = k->p->locs.data[id.i], none = { 0 };
	uint32_t op = kind == AT_STMT ? k->op : NO_OP;
	bool again = kind == AT_STMT && k->before == k->op;

	if (code_bit(&k->c, &k->m->is_same_loc[kind][op][again], is_same(&l, &k->at))) {
		l = k->at;
	} else if (code_bit(&k->c, &k->m->is_nowhere[kind], is_same(&l, &none))) {
		return (cloc_id){ 0 };
	} else {
		code_file(k, kind, &l);
		code_line(k, kind, &l);
		code_column(k, kind, &l);
	}
	k->at = l;
	return writes(k) ? id : cir_loc(k->p, l.file, l.line, l.column);
}
