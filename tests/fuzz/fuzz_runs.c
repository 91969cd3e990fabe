// SPDX-License-Identifier: Apache-2.0
// links: base formats/coverage
/* fuzz_runs.c - any bytes as data of runs; and as the records of a run, whose checks are made right so that their contents are
 * read. Merging what was read with itself, and with the file, changes nothing. */
#include <stdlib.h>

#include "base/compiler.h"
#include "formats/coverage/runs_p.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_run(const struct run *r)
{
	for (uint32_t i = 0; i < r->cells.len; i++) {
		const struct run_cell *c = &r->cells.data[i];
		bool is_back = c->callee != UINT32_MAX;
		bool is_made = c->type == UINT32_MAX;         /* all that is known is that the call was, or a definition is used */
		if (c->class >= r->classes.len || (c->type >= r->types.len && !is_made) || c->count == 0 ||
		    (c->target != UINT32_MAX && c->target >= r->types.len) || (is_back && c->callee >= r->callees.len))
			BUG("cell %u refers to nothing", i);
	}
	for (uint32_t i = 0; i < r->types.len; i++)
		if (r->types.data[i].first_fact + r->types.data[i].ninterfaces + r->types.data[i].nbodies > r->facts.len)
			BUG("type %u refers to nothing", i);
	for (uint32_t i = 0; i < r->tests.len; i++)
		for (uint32_t k = 0; k < r->tests.data[i].n; k++) {
			const uint32_t *cell = &r->test_cells.data[r->tests.data[i].first + k];
			if (*cell >= r->cells.len || (k && cell[-1] >= *cell))
				BUG("cells of test %u are not in order", i);
		}
}

static void check_nodes(const struct run *r)
{
	for (uint32_t i = 0; i < r->nodes.len; i++) {
		const struct run_node *n = &r->nodes.data[i];
		if (n->code >= r->codes.len || (n->type != UINT32_MAX && n->type >= r->types.len) ||
		    (n->parent != UINT32_MAX && n->parent >= i))
			BUG("node %u refers to nothing", i);
	}
	for (uint32_t i = 0; i < r->tests.len; i++)
		for (uint32_t k = 0; k < r->tests.data[i].nnodes; k++) {
			const uint32_t *node = &r->test_nodes.data[r->tests.data[i].first_node + k];
			if (*node >= r->nodes.len || (k && node[-1] >= *node))
				BUG("nodes of test %u are not in order", i);
		}
}

static struct span span_of(const struct strbuf *b)
{
	return (struct span){ (const uint8_t *)b->s, b->len };
}

static void read_file(struct span bytes)
{
	struct runs r = { 0 }, again = { 0 };
	struct strbuf err = { 0 }, out = { 0 }, twice = { 0 };

	if (runs_read(&r, bytes, &err)) {
		for (uint32_t i = 0; i < r.runs.len; i++)
			check_run(&r.runs.data[i]), check_nodes(&r.runs.data[i]);
		runs_write(&r, &out);
		if (!runs_read(&again, span_of(&out), &err) || !runs_read(&again, bytes, &err) ||
		    !runs_read(&again, span_of(&out), &err) || again.runs.len != r.runs.len)
			BUG("what was written is not read");
		runs_write(&again, &twice);
		if (out.len != twice.len || memcmp(out.s, twice.s, out.len) != 0)
			BUG("merging twice is not merging once");
	} else if (err.len == 0) {
		BUG("refused without a reason");
	}
	runs_release(&r);
	runs_release(&again);
	strbuf_release(&err);
	strbuf_release(&out);
	strbuf_release(&twice);
}

/* Tag, length, payload, without checks: each becomes a good record. */
static struct strbuf with_checks(const uint8_t *data, size_t size)
{
	struct strbuf b = { 0 };

	run_put_header(&b);
	run_put_run(&b, &(struct run){ .id = { 1 } });
	while (size >= 2) {
		size_t n = data[1] < size - 2 ? data[1] : size - 2, at = record_open(&b, data[0]);
		strbuf_add(&b, data + 2, n);
		record_close(&b, at);
		data += n + 2;
		size -= n + 2;
	}
	return b;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf b = with_checks(data, size);

	read_file((struct span){ data, size });
	read_file(span_of(&b));
	strbuf_release(&b);
	return 0;
}
