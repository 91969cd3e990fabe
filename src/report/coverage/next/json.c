/* SPDX-License-Identifier: Apache-2.0 */
/* json.c - "next": what to test next, for programs. */
#include "report/coverage/next/next.h"

struct writer {
	struct json *j;
	const struct coverage *c;
	struct next next;
	struct strbuf text;
};

/* The parts of a text between separators. */
static void write_parts(struct writer *w, const char *key, struct str text, char separator)
{
	json_key(w->j, key), json_array(w->j);
	for (uint32_t from = 0, i = 0; i <= text.len; i++)
		if (i == text.len || text.p[i] == (uint8_t)separator) {
			if (i > from)
				json_str(w->j, str_sub(text, from, i));
			from = i + 1;
		}
	json_end_array(w->j);
}

static void write_idea(struct writer *w, uint32_t idea)
{
	const struct reason_idea *i = &w->c->reasons->ideas.data[idea];

	json_key(w->j, "object"), json_str(w->j, w->c->plan->types.data[i->type].name);
	json_key(w->j, "call"), json_str(w->j, i->call);
}

static void write_covers(struct writer *w, const struct next_act *a)
{
	json_key(w->j, "covers"), json_array(w->j);
	for (uint32_t i = 0; i < a->n; i++) {
		const struct reason *r = &w->c->reasons->rows.data[w->next.rows.data[a->first + i]];
		json_object(w->j);
		strbuf_clear(&w->text);
		cov_add_site(w->c, &w->c->sites.data[r->site], &w->text);
		json_key(w->j, "site"), json_str(w->j, strbuf_str(&w->text));
		json_key(w->j, "class"), json_str(w->j, w->c->plan->types.data[r->type].name);
		json_end_object(w->j);
	}
	json_end_array(w->j);
}

static void write_act(struct writer *w, const struct next_act *a)
{
	const struct reason_idea *i = &w->c->reasons->ideas.data[a->idea];

	json_break(w->j);
	json_object(w->j);
	write_idea(w, a->idea);
	json_key(w->j, "gain"), json_uint(w->j, a->gain);
	json_key(w->j, "methods"), json_uint(w->j, a->targets);
	write_parts(w, "recipe", i->code, '\n');
	write_parts(w, "imports", i->imports, ',');
	json_key(w->j, "whole"), json_bool(w->j, i->is_whole);
	write_covers(w, a);
	json_key(w->j, "like"), json_array(w->j);
	for (uint32_t k = 0; k < a->nlike; k++) {
		json_object(w->j);
		write_idea(w, w->next.like.data[a->first_like + k]);
		json_end_object(w->j);
	}
	json_end_array(w->j);
	json_end_object(w->j);
}

void cov_json_next(struct json *j, const struct coverage *c)
{
	struct writer w = { .j = j, .c = c };

	next_compute(c, NULL, NULL, NEXT_WRITTEN, &w.next);
	json_array(j);
	for (uint32_t i = 0; i < w.next.acts.len; i++)
		write_act(&w, &w.next.acts.data[i]);
	json_end_array(j);
	next_release(&w.next);
	strbuf_release(&w.text);
}

void cov_json_refuted(struct json *j, const struct coverage *c)
{
	uint64_t by[REFUTED_BYS] = { 0 };

	for (uint32_t i = 0; i < c->reasons->refuted.len; i++)
		by[c->reasons->refuted.data[i].why]++;
	json_object(j);
	for (uint32_t i = 0; i < REFUTED_BYS; i++)
		json_key(j, refuted_by_word((enum refuted_by)i)), json_uint(j, by[i]);
	json_end_object(j);
}
