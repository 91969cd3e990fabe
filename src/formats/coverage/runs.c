/* SPDX-License-Identifier: Apache-2.0 */
/* runs.c - reading. A file is a row of items: first lines, runs with their size before them, runs without. What fits none of
 * these is skipped up to what does. */
#include "formats/coverage/runs.h"

#include <stdlib.h>

#include "formats/coverage/runs_p.h"

typedef VEC(uint64_t) pair_list;
struct name_row {
	uint32_t run, test;           /* the last run that has a test of this name, from 1; its row there */
};
struct runs_reader {
	struct reader r;
	VEC(struct run) found;
	struct interner names;        /* of tests, of all runs of the file; a zeroed one: none yet */
	VEC(struct name_row) named;   /* by id of names */
	pair_list pairs;          /* of the run that is read: test, cell */
	pair_list node_pairs;     /* the same with nodes */
	uint32_t serial;              /* of that run */
	uint32_t nlost;
	uint64_t budget;              /* bytes that may still be checked: what is damaged on purpose must not cost n * n */
};
#define CHECKS_PER_BYTE 16

static void run_release(struct run *r)
{
	vec_release(&r->classes);
	vec_release(&r->unwatched);
	vec_release(&r->types);
	vec_release(&r->facts);
	vec_release(&r->callees);
	vec_release(&r->cells);
	vec_release(&r->tests);
	vec_release(&r->test_cells);
	vec_release(&r->codes);
	vec_release(&r->nodes);
	vec_release(&r->test_nodes);
	vec_release(&r->notes);
}

void runs_release(struct runs *r)
{
	for (uint32_t i = 0; i < r->runs.len; i++)
		run_release(&r->runs.data[i]);
	vec_release(&r->runs);
}

/* Records */

struct record {
	uint8_t tag;
	struct reader payload;
};

static bool is_read(const struct reader *payload)
{
	return !payload->failed && reader_left(payload) == 0;
}

static bool get_run(struct run *run, struct reader *p)
{
	const uint8_t *id = reader_take(p, RUN_ID_LEN);

	if (!id)
		return false;
	memcpy(run->id, id, RUN_ID_LEN);
	run->plan = reader_le8(p);
	run->start = wire_read_varint(p);
	run->pid = wire_read_u32(p);
	run->session = wire_read_text(p);
	run->jvm = wire_read_text(p);
	run->command = wire_read_text(p);
	return is_read(p);
}

/* What begins a run has a form of its own: where it does not, as in the rest of a damaged run, no bytes have to be checked. */
static bool may_be_record(const struct record *rec)
{
	struct reader payload = rec->payload;
	struct run run;

	if (rec->tag == TAG_RUN)
		return get_run(&run, &payload);
	return rec->tag != TAG_SIZE || reader_left(&payload) == SIZE_LEN;
}

/* False, without having moved, when no good record begins here. */
static bool next_record(struct runs_reader *x, struct reader *r, struct record *rec)
{
	struct reader at = *r;

	rec->tag = reader_u1(&at);
	uint32_t n = wire_read_count(&at, 1);
	rec->payload = reader_of(reader_span(&at, n));
	size_t size = (size_t)(at.p - r->p);
	uint32_t check = reader_le4(&at);
	if (at.failed || !may_be_record(rec) || size > x->budget)
		return false;
	x->budget -= size;
	if (record_check(r->p, size) != check)
		return false;
	*r = at;
	return true;
}

/* The next of ascending rows, each written as what lies between it and the one before it. */
static uint32_t get_row(struct reader *p, uint64_t *next, uint32_t n)
{
	uint64_t row = *next + wire_read_u32(p);

	p->failed |= row >= n;
	*next = row + 1;
	return p->failed ? 0 : (uint32_t)row;
}

static bool get_class(struct run *run, struct reader *p)
{
	struct run_class c = { .name = wire_read_text(p), .first_unwatched = run->unwatched.len };
	uint64_t next = 0;

	c.key = reader_le8(p);
	c.state = (uint8_t)wire_read_below(p, RUN_FAILED + 1);
	c.text = wire_read_text(p);
	while (reader_left(p) && !p->failed)
		vec_push(&run->unwatched, get_row(p, &next, UINT32_MAX));
	if (!is_read(p)) {
		run->unwatched.len = c.first_unwatched;
		return false;
	}
	c.missed = run->unwatched.len - c.first_unwatched;
	vec_push(&run->classes, c);
	return true;
}

static void get_facts(struct run *run, struct run_type *t, struct reader *p)
{
	t->host = wire_read_text(p);
	t->ninterfaces = wire_read_count(p, 1);
	t->nbodies = wire_read_count(p, 1);
	for (uint64_t i = 0; i < (uint64_t)t->ninterfaces + t->nbodies && !p->failed; i++)
		vec_push(&run->facts, wire_read_text(p));
}

static bool get_type(struct run *run, struct reader *p)
{
	struct run_type t = { .name = wire_read_text(p), .first_fact = run->facts.len };

	t.loader = (uint8_t)wire_read_below(p, RUN_OTHER_LOADER + 1);
	t.flags = (uint8_t)wire_read_below(p, UINT8_MAX + 1);
	if (t.flags & RUN_LAMBDA)
		get_facts(run, &t, p);
	if (is_read(p)) {
		vec_push(&run->types, t);
		return true;
	}
	run->facts.len = t.first_fact;
	return false;
}

static uint32_t get_maybe(struct reader *p, uint32_t n)
{
	return wire_read_below(p, n + 1) - 1;         /* 0 becomes UINT32_MAX */
}

static bool get_cell(struct run *run, struct reader *p)
{
	struct run_cell c = { .class = wire_read_below(p, run->classes.len), .callee = UINT32_MAX, .count = 0 };

	c.site = wire_read_u32(p);
	c.type = wire_read_below(p, run->types.len);
	c.target = get_maybe(p, run->types.len);
	if (!is_read(p))
		return false;
	vec_push(&run->cells, c);
	return true;
}

static bool get_callee(struct run *run, struct reader *p)
{
	struct str name = wire_read_text(p);

	if (!is_read(p))
		return false;
	vec_push(&run->callees, name);
	return true;
}

static bool get_callback(struct run *run, struct reader *p)
{
	struct run_cell c = { .class = wire_read_below(p, run->classes.len), .type = UINT32_MAX, .target = UINT32_MAX };

	c.site = wire_read_u32(p);
	c.callee = get_maybe(p, run->callees.len);
	if (c.callee != UINT32_MAX)
		c.type = get_maybe(p, run->types.len);
	if (!is_read(p))
		return false;
	vec_push(&run->cells, c);
	return true;
}

static bool get_code(struct run *run, struct reader *p)
{
	struct run_code c = { .name = wire_read_text(p) };

	c.key = reader_le8(p);
	if (!is_read(p))
		return false;
	vec_push(&run->codes, c);
	return true;
}

static bool get_node(struct run *run, struct reader *p)
{
	struct run_node n = { .parent = get_maybe(p, run->nodes.len), .type = UINT32_MAX };

	if (n.parent == UINT32_MAX) {
		n.level = wire_read_below(p, RUN_LEVELS + 1);
	} else {
		n.level = run->nodes.data[n.parent].level;
		n.call = wire_read_u32(p);
		n.type = get_maybe(p, run->types.len);
	}
	n.code = wire_read_below(p, run->codes.len);
	n.body = wire_read_u32(p);
	if (!is_read(p))
		return false;
	vec_push(&run->nodes, n);
	return true;
}

static uint64_t *cell_count(struct run *run, uint32_t row)
{
	return &run->cells.data[row].count;
}

static uint64_t *node_count(struct run *run, uint32_t row)
{
	return &run->nodes.data[row].count;
}

/* Counts are added only when the whole record is good. */
static bool get_counts(struct run *run, struct reader *p, uint32_t n, uint64_t *(*at)(struct run *run, uint32_t row))
{
	struct reader again = *p;
	uint64_t next = 0;

	while (reader_left(p) && !p->failed) {
		get_row(p, &next, n);
		wire_read_varint(p);
	}
	if (!is_read(p))
		return false;
	next = 0;
	while (reader_left(&again)) {
		uint64_t *count = at(run, get_row(&again, &next, n));
		uint64_t more = wire_read_varint(&again);
		*count = more > UINT64_MAX - *count ? UINT64_MAX : *count + more;
	}
	return true;
}

static uint32_t test_row(struct runs_reader *x, struct run *run, struct str name)
{
	if (!x->names.slots)
		interner_init(&x->names);
	uint32_t id = intern(&x->names, name).i;
	while (x->named.len <= id)
		vec_push(&x->named, (struct name_row){ 0 });
	struct name_row *row = &x->named.data[id];
	if (row->run != x->serial) {
		*row = (struct name_row){ x->serial, run->tests.len };
		vec_push(&run->tests, (struct run_test){ .name = name });
	}
	return row->test;
}

static bool get_test(struct runs_reader *x, struct run *run, struct reader *p, uint32_t n, pair_list *pairs)
{
	struct str name = wire_read_text(p);
	uint32_t before = pairs->len;
	uint64_t next = 0;

	while (reader_left(p) && !p->failed)
		vec_push(pairs, get_row(p, &next, n));
	if (!is_read(p)) {
		pairs->len = before;
		return false;
	}
	uint64_t test = test_row(x, run, name);
	for (uint32_t i = before; i < pairs->len; i++)
		pairs->data[i] |= test << 32;
	return true;
}

static bool get_note(struct run *run, struct reader *p)
{
	struct str text = wire_read_text(p);

	if (!is_read(p))
		return false;
	vec_push(&run->notes, text);
	return true;
}

/* Tags that are not known are those of newer versions: skipped, but kept. */
static bool get_record(struct runs_reader *x, struct run *run, struct record *rec)
{
	switch (rec->tag) {
	case TAG_CLASS:
		return get_class(run, &rec->payload);
	case TAG_TYPE:
		return get_type(run, &rec->payload);
	case TAG_CELL:
		return get_cell(run, &rec->payload);
	case TAG_CALLEE:
		return get_callee(run, &rec->payload);
	case TAG_CALLBACK:
		return get_callback(run, &rec->payload);
	case TAG_COUNTS:
		return get_counts(run, &rec->payload, run->cells.len, cell_count);
	case TAG_TEST:
		return get_test(x, run, &rec->payload, run->cells.len, &x->pairs);
	case TAG_CODE:
		return get_code(run, &rec->payload);
	case TAG_NODE:
		return get_node(run, &rec->payload);
	case TAG_NODE_COUNTS:
		return get_counts(run, &rec->payload, run->nodes.len, node_count);
	case TAG_NODE_TEST:
		return get_test(x, run, &rec->payload, run->nodes.len, &x->node_pairs);
	case TAG_NOTE:
		return get_note(run, &rec->payload);
	case TAG_PARALLEL:
		run->is_parallel = true;
		return true;
	case TAG_END:
		run->is_complete = true;
		return true;
	}
	return true;
}

/* Runs */

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static bool is_ascending(const uint64_t *v, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		if (v[i - 1] >= v[i])
			return false;
	return true;
}

/* What belongs to each test, whose records may be several and between those of other tests. Its first row behind those of the
 * tests before it is put into `firsts`, which has one more. */
static void finish_pairs(pair_list *pairs, uint32_t ntests, run_rows *out, uint32_t *firsts)
{
	uint32_t i = 0;

	if (!is_ascending(pairs->data, pairs->len))
		qsort(pairs->data, pairs->len, sizeof(*pairs->data), by_number);
	vec_reserve(out, pairs->len);
	for (uint32_t t = 0; t < ntests; t++) {
		firsts[t] = out->len;
		for (; i < pairs->len && pairs->data[i] >> 32 == t; i++)
			if (i == 0 || pairs->data[i] != pairs->data[i - 1])
				vec_push(out, (uint32_t)pairs->data[i]);
	}
	firsts[ntests] = out->len;
}

static void finish_tests(struct runs_reader *x, struct run *run)
{
	uint32_t n = run->tests.len, *cells = mem_alloc((n + 1) * sizeof(*cells)), *nodes = mem_alloc((n + 1) * sizeof(*nodes));

	finish_pairs(&x->pairs, n, &run->test_cells, cells);
	finish_pairs(&x->node_pairs, n, &run->test_nodes, nodes);
	for (uint32_t t = 0; t < n; t++) {
		struct run_test *row = &run->tests.data[t];
		row->first = cells[t];
		row->n = cells[t + 1] - cells[t];
		row->first_node = nodes[t];
		row->nnodes = nodes[t + 1] - nodes[t];
	}
	free(cells);
	free(nodes);
}

static void finish_run(struct runs_reader *x, struct run *run)
{
	for (uint32_t i = 0; i < run->cells.len; i++)
		if (run->cells.data[i].count == 0)
			run->cells.data[i].count = 1;
	finish_tests(x, run);
}

static bool at_head(const struct reader *r)
{
	char head[WIRE_HEAD];

	if (reader_left(r) == 0 || *r->p != 's')
		return false;
	size_t n = wire_head(head, &runs_kind);
	return reader_left(r) >= n && memcmp(r->p, head, n) == 0;
}

/* Reads a run up to the first record that is not its own; false, without having moved, when no run begins here. */
static bool read_run(struct runs_reader *x, struct reader *r, struct run *run)
{
	const uint8_t *start = r->p;
	struct reader before = *r;
	struct record rec;

	*run = (struct run){ 0 };
	x->pairs.len = 0;
	x->node_pairs.len = 0;
	x->serial++;
	if (!next_record(x, r, &rec) || rec.tag != TAG_RUN || !get_run(run, &rec.payload)) {
		*r = before;
		return false;
	}
	while (reader_left(r) && !at_head(r)) {
		before = *r;
		if (!next_record(x, r, &rec) || rec.tag == TAG_RUN || rec.tag == TAG_SIZE || !get_record(x, run, &rec)) {
			*r = before;
			break;
		}
	}
	run->bytes = (struct span){ start, (size_t)(r->p - start) };
	finish_run(x, run);
	return true;
}

static bool at_item(struct runs_reader *x, struct reader r)
{
	struct record rec;

	if (*r.p == TAG_RUN || *r.p == TAG_SIZE)
		return next_record(x, &r, &rec);
	return at_head(&r);
}

/* Does a run or a first line begin where another run ends? */
static bool is_followed(struct runs_reader *x)
{
	return !reader_left(&x->r) || at_item(x, x->r);
}

static bool read_open_run(struct runs_reader *x)
{
	struct run run;

	if (!read_run(x, &x->r, &run))
		return false;
	run.is_damaged = !is_followed(x);
	vec_push(&x->found, run);
	return true;
}

static bool read_sized_run(struct runs_reader *x)
{
	struct reader r = x->r;
	struct record rec;
	struct run run;

	if (!next_record(x, &r, &rec) || rec.tag != TAG_SIZE)
		return false;
	uint64_t size = reader_le8(&rec.payload);
	uint8_t flags = reader_u1(&rec.payload);
	if (!is_read(&rec.payload))
		return false;
	bool is_cut = size > reader_left(&r);
	struct reader inside = r;
	if (!is_cut)
		inside.end = r.p + size;
	if (!read_run(x, &inside, &run))
		return false;
	run.is_damaged = is_cut || (flags & SIZE_DAMAGED) || inside.p != inside.end;
	vec_push(&x->found, run);
	x->r.p = inside.p;
	return true;
}

/* To the next place where an item may begin. */
static void skip_lost(struct runs_reader *x)
{
	do
		x->r.p++;
	while (reader_left(&x->r) && !at_item(x, x->r));
}

static void read_items(struct runs_reader *x)
{
	char head[WIRE_HEAD];
	size_t n = wire_head(head, &runs_kind);
	bool is_rest = false;                 /* of a run that is known to be damaged */

	while (reader_left(&x->r)) {
		bool is_run = read_sized_run(x) || read_open_run(x);
		if (!is_run && at_head(&x->r)) {
			reader_take(&x->r, n);
		} else if (!is_run) {
			x->nlost += !is_rest;
			skip_lost(x);
		}
		is_rest = is_run && vec_last(&x->found)->is_damaged;
	}
}

/* Sets of runs */

/* Of the versions of a run that several files have: longer ones have all records of shorter ones. Total, so that the order of
 * merging does not matter whatever the bytes. */
static int compare_versions(const struct run *a, const struct run *b)
{
	if (a->bytes.len != b->bytes.len)
		return a->bytes.len < b->bytes.len ? -1 : 1;
	int order = memcmp(a->bytes.p, b->bytes.p, a->bytes.len);
	return order ? order : b->is_damaged - a->is_damaged;
}

static int by_identity(const void *a, const void *b)
{
	const struct run *x = a, *y = b;
	int order = memcmp(x->id, y->id, RUN_ID_LEN);

	return order ? order : compare_versions(y, x);        /* the best version first */
}

/* Adds a run that does not come before the last one. */
static void push_run(struct runs *to, struct run *run)
{
	struct run *last = to->runs.len ? vec_last(&to->runs) : NULL;

	if (!last || memcmp(last->id, run->id, RUN_ID_LEN) != 0) {
		vec_push(&to->runs, *run);
		return;
	}
	if (compare_versions(last, run) < 0) {
		struct run swap = *last;
		*last = *run;
		*run = swap;
	}
	run_release(run);
}

/* Merges two rows of runs; both are sorted, and empty afterwards. */
static void merge(struct runs *to, struct run *a, uint32_t na, struct run *b, uint32_t nb)
{
	vec_reserve(&to->runs, (uint64_t)na + nb);
	while (na || nb) {
		bool first = nb == 0 || (na && memcmp(a->id, b->id, RUN_ID_LEN) <= 0);
		push_run(to, first ? a : b);
		*(first ? &a : &b) += 1;
		*(first ? &na : &nb) -= 1;
	}
}

static void add_found(struct runs *r, struct runs_reader *x)
{
	struct runs old = *r;

	if (x->found.len == 0)
		return;
	qsort(x->found.data, x->found.len, sizeof(*x->found.data), by_identity);
	r->runs.data = NULL;
	r->runs.len = r->runs.cap = 0;
	merge(r, old.runs.data, old.runs.len, x->found.data, x->found.len);
	vec_release(&old.runs);
}

bool runs_read(struct runs *r, struct span bytes, struct strbuf *err)
{
	struct runs_reader x = { .r = reader_of(bytes), .budget = bytes.len * CHECKS_PER_BYTE };
	char head[WIRE_HEAD];
	size_t n = wire_head(head, &runs_kind);

	if (bytes.len == 0) {
		strbuf_adds(err, "it is empty: the JVM that made it ended before it wrote anything");
		return false;
	}
	if (bytes.len >= UINT32_MAX) {
		strbuf_adds(err, "it is larger than 4 GB: merge fewer runs at once");
		return false;
	}
	if (bytes.len < n && memcmp(bytes.p, head, bytes.len) == 0) {
		r->nlost++;
		return true;
	}
	if (!wire_read_head(&x.r, &runs_kind, err))
		return false;
	read_items(&x);
	add_found(r, &x);
	r->nlost += x.nlost;
	if (x.names.slots)
		interner_release(&x.names);
	vec_release(&x.named);
	vec_release(&x.pairs);
	vec_release(&x.node_pairs);
	vec_release(&x.found);
	return true;
}
