/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/coverage/runs_p.h"

const struct wire_kind runs_kind = { "coverage", RUNS_VERSION, "coverage data",
				     "name files that the agent or sherd merge wrote" };

size_t record_open(struct strbuf *out, enum run_tag tag)
{
	strbuf_addch(out, (char)tag);
	return out->len;
}

void record_close(struct strbuf *out, size_t at)
{
	uint8_t length[WIRE_VARINT];
	size_t payload = out->len - at, n = wire_encode(length, payload);

	strbuf_add(out, length, n);                   /* makes room; then the payload moves behind it */
	memmove(out->s + at + n, out->s + at, payload);
	memcpy(out->s + at, length, n);
	wire_le(out, record_check((const uint8_t *)out->s + at - 1, out->len - at + 1), 4);
}

void run_put_header(struct strbuf *out)
{
	char head[WIRE_HEAD];

	strbuf_add(out, head, wire_head(head, &runs_kind));
}

void run_put_run(struct strbuf *out, const struct run *r)
{
	size_t at = record_open(out, TAG_RUN);

	strbuf_add(out, r->id, RUN_ID_LEN);
	wire_le(out, r->plan, 8);
	wire_varint(out, r->start);
	wire_varint(out, r->pid);
	wire_text(out, r->session);
	wire_text(out, r->jvm);
	wire_text(out, r->command);
	record_close(out, at);
}

/* Ascending numbers, each as what lies between it and the one before it. */
static void put_rows(struct strbuf *out, const uint32_t *rows, uint32_t n)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < n; i++) {
		wire_varint(out, rows[i] - next);
		next = rows[i] + 1;
	}
}

void run_put_class(struct strbuf *out, const struct run_class *c, const uint32_t *unwatched)
{
	size_t at = record_open(out, TAG_CLASS);

	wire_text(out, c->name);
	wire_le(out, c->key, 8);
	wire_varint(out, c->state);
	wire_text(out, c->text);
	put_rows(out, unwatched, c->missed);
	record_close(out, at);
}

void run_put_type(struct strbuf *out, const struct run_type *t, const struct str *facts)
{
	size_t at = record_open(out, TAG_TYPE);

	wire_text(out, t->name);
	wire_varint(out, t->loader);
	wire_varint(out, t->flags);
	if (t->flags & RUN_LAMBDA) {
		wire_text(out, t->host);
		wire_varint(out, t->ninterfaces);
		wire_varint(out, t->nbodies);
		for (uint32_t i = 0; i < t->ninterfaces + t->nbodies; i++)
			wire_text(out, facts[i]);
	}
	record_close(out, at);
}

/* A number, or none: 0 */
static void put_maybe(struct strbuf *out, uint32_t x)
{
	wire_varint(out, x == UINT32_MAX ? 0 : x + UINT64_C(1));
}

void run_put_cell(struct strbuf *out, const struct run_cell *c)
{
	size_t at = record_open(out, TAG_CELL);

	wire_varint(out, c->class);
	wire_varint(out, c->site);
	wire_varint(out, c->type);
	put_maybe(out, c->target);
	record_close(out, at);
}

void run_put_callee(struct strbuf *out, struct str name)
{
	size_t at = record_open(out, TAG_CALLEE);

	wire_text(out, name);
	record_close(out, at);
}

void run_put_callback(struct strbuf *out, const struct run_cell *c)
{
	size_t at = record_open(out, TAG_CALLBACK);

	wire_varint(out, c->class);
	wire_varint(out, c->site);
	put_maybe(out, c->callee);
	if (c->callee != UINT32_MAX)
		put_maybe(out, c->type);
	record_close(out, at);
}

static void put_counts(struct strbuf *out, enum run_tag tag, const struct run_count *counts, uint32_t n)
{
	size_t at = record_open(out, tag);
	uint32_t next = 0;

	for (uint32_t i = 0; i < n; i++) {
		wire_varint(out, counts[i].row - next);
		wire_varint(out, counts[i].more);
		next = counts[i].row + 1;
	}
	record_close(out, at);
}

void run_put_counts(struct strbuf *out, const struct run_count *counts, uint32_t n)
{
	put_counts(out, TAG_COUNTS, counts, n);
}

void run_put_node_counts(struct strbuf *out, const struct run_count *counts, uint32_t n)
{
	put_counts(out, TAG_NODE_COUNTS, counts, n);
}

static void put_test(struct strbuf *out, enum run_tag tag, struct str name, const uint32_t *rows, uint32_t n)
{
	size_t at = record_open(out, tag);

	wire_text(out, name);
	put_rows(out, rows, n);
	record_close(out, at);
}

void run_put_test(struct strbuf *out, struct str name, const uint32_t *cells, uint32_t n)
{
	put_test(out, TAG_TEST, name, cells, n);
}

void run_put_node_test(struct strbuf *out, struct str name, const uint32_t *nodes, uint32_t n)
{
	put_test(out, TAG_NODE_TEST, name, nodes, n);
}

void run_put_code(struct strbuf *out, const struct run_code *c)
{
	size_t at = record_open(out, TAG_CODE);

	wire_text(out, c->name);
	wire_le(out, c->key, 8);
	record_close(out, at);
}

void run_put_node(struct strbuf *out, const struct run_node *n)
{
	size_t at = record_open(out, TAG_NODE);

	put_maybe(out, n->parent);
	if (n->parent == UINT32_MAX) {
		wire_varint(out, n->level);
	} else {
		wire_varint(out, n->call);
		put_maybe(out, n->type);
	}
	wire_varint(out, n->code);
	wire_varint(out, n->body);
	record_close(out, at);
}

void run_put_note(struct strbuf *out, struct str text)
{
	size_t at = record_open(out, TAG_NOTE);

	wire_text(out, text);
	record_close(out, at);
}

void run_put_parallel(struct strbuf *out)
{
	record_close(out, record_open(out, TAG_PARALLEL));
}

void run_put_end(struct strbuf *out)
{
	record_close(out, record_open(out, TAG_END));
}

static void put_size(struct strbuf *out, const struct run *r)
{
	size_t at = record_open(out, TAG_SIZE);

	wire_le(out, r->bytes.len, 8);
	wire_le(out, r->is_damaged ? SIZE_DAMAGED : 0, 1);
	record_close(out, at);
}

void runs_write(const struct runs *r, struct strbuf *out)
{
	run_put_header(out);
	for (uint32_t i = 0; i < r->runs.len; i++) {
		const struct run *run = &r->runs.data[i];
		put_size(out, run);
		strbuf_add(out, run->bytes.p, run->bytes.len);
	}
}
