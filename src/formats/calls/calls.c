/* SPDX-License-Identifier: Apache-2.0 */
/* calls.c - reads sherd/callbacks/1. An edge may have its keys in any order; the schema may come last. */
#include "formats/calls/calls.h"

#include <stdio.h>

#include "base/text/jsonreader.h"

const char *const call_kind_names[] = { "direct", "callback", "later", NULL };
const char *const calls_fact_names[] = { "entry", "application", "algorithm", "assume", "precision", "only", "from", "depth" };

void calls_init(struct calls *c)
{
	*c = (struct calls){ 0 };
	interner_init(&c->names);
}

void calls_release(struct calls *c)
{
	interner_release(&c->names);
	vec_release(&c->rows);
}

struct calls_reader {
	struct jsonreader j;
	struct calls *out;
	bool has_schema, has_edges;
};

static str_id read_name(struct calls_reader *r)
{
	if (!jsonread_string(&r->j))
		return (str_id){ 0 };
	if (!r->j.text.len)
		jsonread_fail(&r->j, "a name is empty");
	return intern(&r->out->names, strbuf_str(&r->j.text));
}

/* A number as it is written, which is all that is wanted of it; 0 after an error. */
static uint32_t read_number(struct calls_reader *r)
{
	char c = jsonread_peek(&r->j);
	const uint8_t *from = r->j.r.p;
	uint64_t n = 0;

	if (c < '0' || c > '9') {
		jsonread_fail(&r->j, "a number from 0 on expected");
		return 0;
	}
	if (!jsonread_skip(&r->j))
		return 0;
	for (; from < r->j.r.p; from++) {
		n = n * 10 + (uint64_t)(*from - '0');
		if (*from < '0' || *from > '9' || n > UINT32_MAX) {
			jsonread_fail(&r->j, "the number is none below 4294967296");
			return 0;
		}
	}
	return (uint32_t)n;
}

static void read_kind(struct calls_reader *r, struct call *c)
{
	if (!jsonread_string(&r->j))
		return;
	for (uint32_t i = 0; i < CALLS_KINDS; i++)
		if (str_is(strbuf_str(&r->j.text), call_kind_names[i])) {
			c->kind = (enum call_kind)i;
			return;
		}
	jsonread_fail(&r->j, "the kind of a call is direct, callback or later");
}

static void read_edge_key(struct calls_reader *r, struct call *c, bool *has_kind)
{
	if (!jsonread_key(&r->j))
		return;
	struct str key = strbuf_str(&r->j.text);
	if (str_is(key, "caller"))
		c->caller = read_name(r);
	else if (str_is(key, "callee"))
		c->callee = read_name(r);
	else if (str_is(key, "declared"))
		c->declared = read_name(r);
	else if (str_is(key, "line"))
		c->line = read_number(r);
	else if (str_is(key, "kind"))
		read_kind(r, c), *has_kind = true;
	else
		jsonread_skip(&r->j);
}

static void read_edge(struct calls_reader *r)
{
	struct call c = { 0 };
	bool has_kind = false;

	if (jsonread_begin(&r->j, '{'))
		do
			read_edge_key(r, &c, &has_kind);
		while (jsonread_more(&r->j, '}'));
	if (r->j.failed)
		return;
	if (!c.caller.i || !c.callee.i || !has_kind)
		jsonread_fail(&r->j, "a call without caller, kind or callee");
	else
		vec_push(&r->out->rows, c);
}

static void read_edges(struct calls_reader *r)
{
	if (r->has_edges)
		jsonread_fail(&r->j, "edges twice");
	r->has_edges = true;
	if (jsonread_begin(&r->j, '['))
		do
			read_edge(r);
		while (jsonread_more(&r->j, ']'));
}

static void read_schema(struct calls_reader *r)
{
	if (!jsonread_string(&r->j))
		return;
	if (!str_is(strbuf_str(&r->j.text), "sherd/callbacks/1"))
		jsonread_fail(&r->j, "the schema is not sherd/callbacks/1: write the file with sherd callbacks --format json");
	r->has_schema = true;
}

/* A fact; false: the key is none. */
static bool read_fact(struct calls_reader *r)
{
	char number[16];

	for (uint32_t i = 0; i < CALLS_FACTS; i++) {
		if (!str_is(strbuf_str(&r->j.text), calls_fact_names[i]))
			continue;
		if (i == CALLS_DEPTH) {
			snprintf(number, sizeof(number), "%u", (unsigned)read_number(r));
			r->out->facts[i] = intern(&r->out->names, str_of(number));
		} else if (jsonread_string(&r->j)) {
			r->out->facts[i] = intern(&r->out->names, strbuf_str(&r->j.text));
		}
		return true;
	}
	return false;
}

static void read_key(struct calls_reader *r)
{
	if (!jsonread_key(&r->j))
		return;
	struct str key = strbuf_str(&r->j.text);
	if (str_is(key, "schema"))
		read_schema(r);
	else if (str_is(key, "edges"))
		read_edges(r);
	else if (!read_fact(r))
		jsonread_skip(&r->j);
}

bool calls_read(struct span text, struct calls *out, struct strbuf *err)
{
	struct calls_reader r = { .j = jsonread_of(text, err), .out = out };

	r.j.is_modified = true;
	if (jsonread_begin(&r.j, '{'))
		do
			read_key(&r);
		while (jsonread_more(&r.j, '}'));
	if (!r.j.failed && !r.has_schema)
		jsonread_fail(&r.j, "there is no schema: write the file with sherd callbacks --format json");
	else if (!r.j.failed && !r.has_edges)
		jsonread_fail(&r.j, "there are no edges");
	bool ok = jsonread_end(&r.j);
	jsonread_release(&r.j);
	return ok;
}
