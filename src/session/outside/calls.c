/* SPDX-License-Identifier: Apache-2.0 */
#include "session/outside/calls.h"

#include <errno.h>
#include <string.h>

#include "base/sys/mapfile.h"
#include "base/text/jsonreader.h"

_Static_assert((int)CALLS_BACK == (int)CALL_BACK && (int)CALLS_LATER == (int)CALL_LATER, "kinds of calls have one order");

bool calls_open(const char *path, struct calls *out, struct diag *d)
{
	struct strbuf err = { 0 };
	struct mapfile f;

	if (!mapfile_open(&f, path)) {
		diag_add(d, DIAG_E078, path, (struct str){ 0 }, DIAG_NO_OFFSET, "%s", strerror(errno));
		return false;
	}
	bool ok = calls_read(f.bytes, out, &err);
	if (!ok)
		diag_add(d, DIAG_E078, path, (struct str){ 0 }, DIAG_NO_OFFSET, "%s", err.s);
	strbuf_release(&err);
	mapfile_close(&f);
	return ok;
}

/* Names of class files may be no text: what a reader of the JSON gets to see. */
static str_id intern_escaped(struct calls *out, struct str s)
{
	struct strbuf text = { 0 }, err = { 0 };
	str_id id;

	if (!memchr(s.p, '\\', s.len))
		return intern(&out->names, s);
	jsonread_unescape(s, &text, &err);
	id = intern(&out->names, strbuf_str(&text));
	strbuf_release(&text);
	strbuf_release(&err);
	return id;
}

static str_id intern_fact(struct calls *out, const char *text)
{
	struct strbuf escaped = { 0 };

	if (!text)
		return (str_id){ 0 };
	escape_add(&escaped, ESCAPE_JSON, str_of(text));
	str_id id = intern_escaped(out, strbuf_str(&escaped));
	strbuf_release(&escaped);
	return id;
}

static void set_facts(struct calls *out, const struct application_head *h)
{
	struct strbuf depth = { 0 };

	strbuf_addf(&depth, "%u", (unsigned)h->depth);
	out->facts[CALLS_ENTRY] = intern_fact(out, h->head->entry);
	out->facts[CALLS_APPLICATION] = intern_fact(out, h->application);
	out->facts[CALLS_ALGORITHM] = intern_fact(out, h->head->algorithm);
	out->facts[CALLS_ASSUME] = intern_fact(out, h->head->assume);
	out->facts[CALLS_PRECISION] = intern_fact(out, h->precision);
	out->facts[CALLS_ONLY] = intern_fact(out, h->only);
	out->facts[CALLS_FROM] = intern_fact(out, h->from);
	if (h->depth)
		out->facts[CALLS_DEPTH] = intern_fact(out, depth.s);
	strbuf_release(&depth);
}

void calls_of(const struct callbacks *c, const struct callgraph *g, const struct application_head *head, struct calls *out)
{
	const struct program *p = callgraph_program(g);
	struct names names;

	set_facts(out, head);
	names_init(&names, p, name_full, ESCAPE_JSON);
	for (uint32_t i = 0; i < c->edges.len; i++) {
		const struct app_edge *e = &c->edges.data[i];
		struct call row = { .kind = (enum call_kind)e->sort, .line = line_of(p, e->caller, e->pc) };
		row.caller = intern_escaped(out, names_method(&names, e->caller));
		row.callee = intern_escaped(out, names_method(&names, e->callee));
		if (e->sort != CALL_DIRECT && e->mref.i)
			row.declared = intern_escaped(out, names_mref(&names, e->mref));
		vec_push(&out->rows, row);
	}
	names_release(&names);
}
