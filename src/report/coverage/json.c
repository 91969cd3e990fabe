/* SPDX-License-Identifier: Apache-2.0 */
/* json.c - all that is known about coverage, as JSON: schema sherd/cover/1. */
#include "report/coverage/next/next.h"

#include "report/java/clients.h"

struct writer {
	struct json j;
	const struct coverage *c;
	struct strbuf text;
	VEC(const struct cov_item *) items;    /* of the list under way */
};

static void write_count(struct writer *w, const char *key, uint64_t n)
{
	json_key(&w->j, key), json_uint(&w->j, n);
}

static void write_text(struct writer *w, const char *key, struct str text)
{
	if (text.len)
		json_key(&w->j, key), json_str(&w->j, text);
}

static void write_word(struct writer *w, const char *key, const char *word)
{
	json_key(&w->j, key), json_escaped(&w->j, str_of(word));
}

static void write_true(struct writer *w, const char *key, bool is_so)
{
	if (is_so)
		json_key(&w->j, key), json_bool(&w->j, true);
}

/* The value that an adder of names made in w->text. */
static void write_made(struct writer *w, const char *key)
{
	json_key(&w->j, key), json_str(&w->j, strbuf_str(&w->text));
}

/* Sums */

void cov_json_counts(struct json *j, const char *key, struct cov_counts n)
{
	char percent[16];
	uint32_t permille = coverage_permille(n);

	snprintf(percent, sizeof percent, "%u.%u", (unsigned)permille / 10, (unsigned)permille % 10);
	json_key(j, key), json_object(j);
	json_key(j, "required"), json_uint(j, n.required);
	json_key(j, "covered"), json_uint(j, n.covered);
	json_key(j, "percent"), json_raw(j, str_of(percent));
	json_end_object(j);
}

void cov_json_criteria(struct json *j, const struct coverage *c, const struct cov_sums *s)
{
	for (uint32_t k = 0; k < CRITERIA; k++)
		if (criterion_in(c->plan, k))
			cov_json_counts(j, cov_criteria[k].name, s->of[k]);
}

static void write_sums(struct writer *w, const struct cov_sums *s)
{
	cov_json_criteria(&w->j, w->c, s);
	write_count(w, "calls", s->sites);
	write_count(w, "calls_made", s->called_sites);
	write_count(w, "unexpected", s->unexpected);
	write_count(w, "client", s->client);
	if (w->c->accepted)
		write_count(w, "accepted", s->accepted);
}

/* Runs, tests, classes */

static void write_request(struct writer *w)
{
	const struct plan *p = w->c->plan;

	write_text(w, "component", p->component);
	write_text(w, "interface", p->interface);
	clients_write(&w->j, p->clients);
	write_text(w, "algorithm", p->algorithm);
	if (p->assume.len)
		write_text(w, "assume", p->assume);
	write_text(w, "class_path", p->class_path);
	write_text(w, "jdk", p->jdk);
	json_key(&w->j, "criteria"), json_array(&w->j);
	for (uint32_t k = 0; k < CRITERIA; k++)
		if (cov_is_counted(w->c, k))
			json_escaped(&w->j, str_of(cov_criteria[k].name));
	json_end_array(&w->j);
}

static void write_run(struct writer *w, const struct run *r)
{
	json_break(&w->j);
	json_object(&w->j);
	strbuf_clear(&w->text);
	for (uint32_t i = 0; i < RUN_ID_LEN; i++)
		strbuf_addf(&w->text, "%02x", r->id[i]);
	write_made(w, "id");
	write_text(w, "session", r->session);
	write_text(w, "jvm", r->jvm);
	write_text(w, "command", r->command);
	write_count(w, "start", r->start);
	write_count(w, "pid", r->pid);
	json_key(&w->j, "complete"), json_bool(&w->j, r->is_complete);
	write_true(w, "damaged", r->is_damaged);
	write_true(w, "parallel", r->is_parallel);
	json_end_object(&w->j);
}

/* What a rung misses that counts several calls as one: the method, what it is called as, and the first of these calls. */
static void write_group(struct writer *w, const struct cov_group *g)
{
	const struct cov_member *m = &w->c->members.data[g->first];
	const struct cov_site *s = &w->c->sites.data[m->site];

	json_break(&w->j);
	json_object(&w->j);
	strbuf_clear(&w->text);
	cov_add_target(cov_plan_site(w->c, s), w->c->items.data[m->item].name, &w->text);
	write_made(w, "method");
	strbuf_clear(&w->text);
	cov_add_target(cov_plan_site(w->c, s), cov_plan_site(w->c, s)->declares, &w->text);
	write_made(w, "as");
	strbuf_clear(&w->text);
	cov_add_site(w->c, s, &w->text);
	write_made(w, "site");
	write_count(w, "calls", g->n);
	json_end_object(&w->j);
}

static void write_groups(struct writer *w, uint32_t k)
{
	json_break(&w->j);
	json_key(&w->j, cov_criteria[k].missed_key), json_array(&w->j);
	for (uint32_t i = 0; i < w->c->groups.len; i++)
		if (w->c->groups.data[i].criterion == k && !w->c->groups.data[i].count)
			write_group(w, &w->c->groups.data[i]);
	json_end_array(&w->j);
}

static void write_runs(struct writer *w)
{
	json_key(&w->j, "runs"), json_array(&w->j);
	for (uint32_t i = 0; w->c->runs && i < w->c->runs->runs.len; i++)
		write_run(w, &w->c->runs->runs.data[i]);
	json_end_array(&w->j);
}

static void write_notes(struct writer *w)
{
	json_key(&w->j, "notes"), json_array(&w->j);
	for (uint32_t i = 0; i < w->c->notes.len; i++) {
		json_break(&w->j);
		json_str(&w->j, w->c->notes.data[i]);
	}
	json_end_array(&w->j);
}

static void write_tests(struct writer *w)
{
	json_key(&w->j, "tests"), json_array(&w->j);
	for (uint32_t i = 0; i < w->c->tests.len; i++) {
		const struct cov_test *t = &w->c->tests.data[i];
		json_break(&w->j);
		json_object(&w->j);
		json_key(&w->j, "name"), json_str(&w->j, t->name);
		for (uint32_t k = 0; k < CRITERIA; k++)       /* the usual ones are always there */
			if (cov_is_counted(w->c, k) || cov_criteria[k].is_default)
				write_count(w, cov_criteria[k].name, t->of[k]);
		write_count(w, "alone", t->alone);
		write_count(w, "fresh", t->fresh);
		write_count(w, "backups", t->backups);
		json_end_object(&w->j);
	}
	json_end_array(&w->j);
}

static void write_class(struct writer *w, const struct cov_class *k)
{
	const struct plan_class *p = &w->c->plan->classes.data[k->class];

	json_break(&w->j);
	json_object(&w->j);
	json_key(&w->j, "class"), json_str(&w->j, p->name);
	write_text(w, "source", p->source);
	write_word(w, "state", cov_state_word(k->state));
	if (k->unwatched)
		write_count(w, "unwatched", k->unwatched);
	write_text(w, "text", k->text);
	write_sums(w, &k->sums);
	json_end_object(&w->j);
}

static void write_classes(struct writer *w)
{
	json_key(&w->j, "classes"), json_array(&w->j);
	for (uint32_t i = 0; i < w->c->classes.len; i++)
		write_class(w, &w->c->classes.data[i]);
	json_end_array(&w->j);
}

/* Calls */

static void write_why(struct writer *w, const struct reason *r)
{
	if (r->nacts)
		json_key(&w->j, "recipe"), json_array(&w->j);
	for (uint32_t i = 0; i < r->nacts; i++)
		json_str(&w->j, w->c->reasons->acts.data[r->first_act + i]);
	if (r->nacts)
		json_end_array(&w->j);
	json_key(&w->j, "why"), json_array(&w->j);
	for (uint32_t i = 0; i < r->nsteps; i++) {
		const struct reason_step *s = &w->c->reasons->steps.data[r->first_step + i];
		json_object(&w->j);
		write_text(w, "place", s->place);
		json_key(&w->j, "text"), json_str(&w->j, s->text);
		json_end_object(&w->j);
	}
	json_end_array(&w->j);
}

static void write_item_tests(struct writer *w, const struct cov_item *i)
{
	if (!i->ntests)
		return;
	json_key(&w->j, "tests"), json_array(&w->j);
	for (uint32_t k = 0; k < i->ntests; k++)
		json_uint(&w->j, w->c->item_tests.data[i->first_test + k]);
	json_end_array(&w->j);
}

/* Items of a call. */
enum sort { SEEN, MISSED, UNEXPECTED, SORTS };
struct list {
	const struct cov_site *s;
	const struct criterion *row;
	uint32_t criterion;
	enum sort sort;
};

static enum sort sort_of(const struct cov_item *i)
{
	return !i->is_required ? UNEXPECTED : i->count ? SEEN : MISSED;
}

/* As names of methods are ordered: p.C$D.run() is before p.C.run(). */
static int compare_targets(const void *a, const void *b)
{
	struct str x = (*(const struct cov_item *const *)a)->name, y = (*(const struct cov_item *const *)b)->name;
	uint32_t n = x.len < y.len ? x.len : y.len;
	int c = memcmp(x.p, y.p, n);

	if (c || x.len == y.len)
		return c;
	return x.len < y.len ? '.' - (unsigned char)y.p[n] : (unsigned char)x.p[n] - '.';
}

static void select_items(struct writer *w, const struct list *l)
{
	struct cov_list in = l->s->of[l->criterion];

	vec_clear(&w->items);
	for (uint32_t i = 0; i < in.n; i++)
		if (sort_of(&w->c->items.data[in.first + i]) == l->sort)
			vec_push(&w->items, &w->c->items.data[in.first + i]);
	if (l->row->items == ITEM_TARGETS && w->items.len)
		qsort(w->items.data, w->items.len, sizeof(*w->items.data), compare_targets);
}

static void write_name(struct writer *w, const struct list *l, const struct cov_item *i)
{
	strbuf_clear(&w->text);
	cov_add_item(l->criterion, cov_plan_site(w->c, l->s), i->name, &w->text);
	write_made(w, l->row->item_key);
}

static void write_item(struct writer *w, const struct list *l, const struct cov_item *i)
{
	const struct reason *r = l->sort == MISSED && l->row->items == ITEM_RECEIVERS && w->c->reasons ?
					 reasons_find(w->c->reasons, l->s->site, i->type) : NULL;

	json_object(&w->j);
	write_name(w, l, i);
	if (i->count)
		write_count(w, "count", i->count);
	if (l->sort == UNEXPECTED) {
		write_word(w, "origin", cov_origin_word(i->origin));
		write_true(w, "excused", coverage_is_excused(w->c, l->s, i));
	}
	write_text(w, "by", i->by);
	write_item_tests(w, i);
	if (r)
		write_why(w, r);
	json_end_object(&w->j);
}

/* What nobody expected is there only if there is some. */
static void write_list(struct writer *w, const struct cov_site *s, uint32_t k, enum sort sort)
{
	struct list l = { s, &cov_criteria[k], k, sort };
	const char *const keys[SORTS] = { l.row->name, l.row->missed_key, l.row->unexpected_key };

	select_items(w, &l);
	if (sort == UNEXPECTED && !w->items.len)
		return;
	json_key(&w->j, keys[sort]), json_array(&w->j);
	for (uint32_t i = 0; i < w->items.len; i++)
		write_item(w, &l, w->items.data[i]);
	json_end_array(&w->j);
}

static const char *op_of(uint32_t flags)
{
	static const struct { uint32_t flag; const char *op; } ops[] = {
		{ PLAN_INTERFACE, "interface" }, { PLAN_SPECIAL, "special" }, { PLAN_STATIC, "static" }, { PLAN_DYNAMIC, "dynamic" },
	};

	if (flags & PLAN_FIELD)
		return flags & PLAN_STATIC ? "getstatic" : "getfield";
	for (size_t i = 0; i < ARRAY_LEN(ops); i++)
		if (flags & ops[i].flag)
			return ops[i].op;
	return "virtual";
}

static void write_place(struct writer *w, const struct cov_site *s)
{
	const struct plan_site *p = cov_plan_site(w->c, s);

	strbuf_clear(&w->text);
	cov_add_site(w->c, s, &w->text);
	write_made(w, "site");
	if (p->line)
		write_count(w, "line", p->line);
	write_word(w, "op", op_of(p->flags));
	strbuf_clear(&w->text);
	cov_add_declared(p, &w->text);
	write_made(w, "declared");
	write_count(w, "count", s->count);
	if (!s->is_watched)
		json_key(&w->j, "watched"), json_bool(&w->j, false);
	if (!(p->flags & PLAN_REACHED))
		json_key(&w->j, "reached"), json_bool(&w->j, false);
	write_true(w, "open", p->flags & PLAN_OPEN);
	write_true(w, "client", p->flags & PLAN_CLIENT);
}

/* What would be required, were it not for a list. */
static void write_accepted(struct writer *w, const struct cov_site *s, uint32_t k)
{
	for (uint32_t i = 0; i < s->of[k].accepted; i++) {
		const struct cov_item *item = &w->c->items.data[s->of[k].first + s->of[k].n + i];
		const struct cov_acceptance *a = &w->c->accepted->entries.data[item->acceptance - 1];
		struct list l = { s, &cov_criteria[k], k, MISSED };
		json_object(&w->j);
		write_name(w, &l, item);
		if (item->count)
			write_count(w, "count", item->count);
		write_word(w, "as", a->is_impossible ? "impossible" : "unwanted");
		write_count(w, "line", a->line);
		write_text(w, "because", a->because);
		json_end_object(&w->j);
	}
}

static void write_all_accepted(struct writer *w, const struct cov_site *s)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < CRITERIA; k++)
		n += s->of[k].accepted;
	if (!n)
		return;
	json_key(&w->j, "accepted"), json_array(&w->j);
	for (uint32_t k = 0; k < CRITERIA; k++)
		write_accepted(w, s, k);
	json_end_array(&w->j);
}

/* Receivers that were refuted at the site. */
static void write_refuted(struct writer *w, const struct cov_site *s)
{
	struct plan_range rc = cov_plan_site(w->c, s)->rc;
	uint32_t n = 0;

	for (uint32_t i = 0; w->c->reasons && w->c->reasons->refuted.len && i < rc.n; i++) {
		uint32_t type = w->c->plan->ids.data[rc.first + i];
		const struct reason_refuted *r = reasons_refuted(w->c->reasons, s->site, type);
		if (!r)
			continue;
		if (!n++)
			json_key(&w->j, "refuted"), json_array(&w->j);
		json_object(&w->j);
		json_key(&w->j, "class"), json_str(&w->j, w->c->plan->types.data[type].name);
		write_word(w, "why", refuted_by_word((enum refuted_by)r->why));
		json_end_object(&w->j);
	}
	if (n)
		json_end_array(&w->j);
}

static void write_site(struct writer *w, const struct cov_site *s)
{
	json_break(&w->j);
	json_object(&w->j);
	write_place(w, s);
	for (uint32_t k = 0; k < CRITERIA; k++)
		for (enum sort sort = SEEN; sort < SORTS && cov_is_counted(w->c, k) && criterion_is_of_calls(k); sort++)
			write_list(w, s, k, sort);
	write_all_accepted(w, s);
	write_refuted(w, s);
	json_end_object(&w->j);
}

static void write_sites(struct writer *w)
{
	json_key(&w->j, "sites"), json_array(&w->j);
	for (uint32_t i = 0; i < w->c->sites.len; i++)
		write_site(w, &w->c->sites.data[i]);
	json_end_array(&w->j);
}

static void write_result(struct writer *w)
{
	json_object(&w->j);
	write_word(w, "schema", "sherd/cover/1");
	write_request(w);
	json_break(&w->j);
	write_sums(w, &w->c->sums);
	json_break(&w->j);
	write_runs(w);
	json_break(&w->j);
	write_notes(w);
	json_break(&w->j);
	write_tests(w);
	json_break(&w->j);
	write_classes(w);
	json_break(&w->j);
	if (w->c->reasons && (w->c->reasons->ideas.len || w->c->reasons->refuted.len)) {
		json_key(&w->j, "next"), cov_json_next(&w->j, w->c);
		json_break(&w->j);
		json_key(&w->j, "refuted"), cov_json_refuted(&w->j, w->c);
		json_break(&w->j);
	}
	write_sites(w);
	for (uint32_t k = 0; k < CRITERIA; k++)
		if (criterion_has_groups(k) && criterion_in(w->c->plan, k))
			write_groups(w, k);
	if (w->c->plan->criteria & PLAN_CHAINS) {
		json_break(&w->j);
		cov_json_chains(&w->j, w->c);
	}
	json_end_object(&w->j);
	sink_putc(w->j.out, '\n');
}

bool report_coverage_json(struct sink *out, const struct coverage *c, const struct coverage_head *head)
{
	struct writer w = { .j = { .out = out }, .c = c };

	(void)head;
	write_result(&w);
	vec_release(&w.items);
	strbuf_release(&w.text);
	return sink_finish(out);
}
