/* SPDX-License-Identifier: Apache-2.0 */
#include "session/outside/known.h"

#include <errno.h>
#include <string.h>

#include "base/sys/mapfile.h"
#include "session/session.h"

static const char *form_name(enum facts_form f)
{
	switch (f) {
	case FACTS_METADATA: return "reachability metadata";
	case FACTS_PROGUARD: return "rules of ProGuard";
	case FACTS_SEEDS: return "seeds of ProGuard";
	case FACTS_TAMIFLEX: return "a log of TamiFlex";
	case FACTS_RECORD: return "a record of sherd";
	case FACTS_UNKNOWN: break;
	}
	return "no known form";
}

static bool read_file(struct known *k, const char *path)
{
	struct diag *d = &k->session->inquiry->diag;
	uint32_t before = k->table.rows.len;
	struct mapfile f;

	if (!mapfile_open(&f, path)) {
		diag_add(d, DIAG_E070, path, (struct str){ 0 }, DIAG_NO_OFFSET, "%s", strerror(errno));
		return false;
	}
	enum facts_form form = facts_detect(f.bytes);
	facts_read(&k->table, path, f.bytes, d);
	struct report_source s = { .path = path, .form = form_name(form), .is_exact = form == FACTS_RECORD,
				   .facts = k->table.rows.len - before };
	vec_push(&k->sources, s);
	vec_push(&k->first_row, k->table.rows.len);
	mapfile_close(&f);
	return true;
}

static void look_up_all(struct known *k)
{
	struct hierarchy h;

	hierarchy_init(&h, &k->session->program);
	for (uint32_t i = 0; i < k->sources.len; i++)
		for (uint32_t row = k->first_row.data[i]; row < k->first_row.data[i + 1]; row++)
			known_look_up(k, &h, row, (uint8_t)(1 + i));
	hierarchy_release(&h);
}

bool known_read(struct session *s, const char *const *paths, uint32_t n, struct known **out)
{
	if (!n)
		return true;
	if (n > OUTSIDE_MOST_FILES) {
		diag_add(&s->inquiry->diag, DIAG_E070, paths[OUTSIDE_MOST_FILES], (struct str){ 0 }, DIAG_NO_OFFSET,
			 "more than %d files of facts: join some", OUTSIDE_MOST_FILES);
		return false;
	}
	struct known *k = *out = mem_zalloc(sizeof(*k));

	k->session = s;
	facts_init(&k->table);
	vec_push(&k->first_row, 0);
	for (uint32_t i = 0; i < n; i++)
		if (!read_file(k, paths[i]))
			return false;
	look_up_all(k);
	return true;
}

void known_free(struct known *k)
{
	if (!k)
		return;
	facts_release(&k->table);
	vec_release(&k->outside.facts);
	vec_release(&k->row_of);
	vec_release(&k->sources);
	vec_release(&k->first_row);
	free(k);
}

void known_add(struct known *k, uint32_t row, struct outside_fact f)
{
	vec_push(&k->outside.facts, f);
	vec_push(&k->row_of, row);
}

void known_start(struct known *k)
{
	for (uint32_t i = 0; k && i < k->outside.facts.len; i++)
		k->outside.facts.data[i].is_used = false;
}

/* A row may have become several facts, which follow each other; of a record that is old, places are wrong. */
static void tell_unfit(struct known *k, uint32_t i, const struct callgraph *g)
{
	const struct outside_fact *f = &k->outside.facts.data[i];
	const struct fact *row = &k->table.rows.data[k->row_of.data[i]];

	if (k->has_told || !f->caller.i || !callgraph_reaches(g, f->caller))
		return;
	diag_add(&k->session->inquiry->diag, DIAG_W073, k->sources.data[f->file - 1].path, (struct str){ 0 }, row->line,
		 "there is no call in %.*s.%.*s that does this: were the classes compiled again since?", (int)row->at.class.len,
		 row->at.class.p, (int)row->at.name.len, row->at.name.p);
}

void known_count(struct known *k, const struct callgraph *g)
{
	if (!k)
		return;
	for (uint32_t i = 0; i < k->sources.len; i++)
		k->sources.data[i].applied = 0;
	for (uint32_t i = 0, next; i < k->outside.facts.len; i = next) {
		bool is_used = false;
		for (next = i; next < k->outside.facts.len && k->row_of.data[next] == k->row_of.data[i]; next++)
			is_used |= k->outside.facts.data[next].is_used;
		k->sources.data[k->outside.facts.data[i].file - 1].applied += is_used;
		if (!is_used)
			tell_unfit(k, i, g);
	}
	k->has_told = true;
}

struct report_sources known_sources(const struct known *k)
{
	return k ? (struct report_sources){ k->sources.data, k->sources.len } : (struct report_sources){ 0 };
}
