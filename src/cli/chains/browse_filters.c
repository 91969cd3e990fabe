/* SPDX-License-Identifier: Apache-2.0 */
/* Filters of the view: each change asks for another forest, and can be undone. */
#include "cli/chains/browse_p.h"
#include "report/chains/chains.h"
#include "session/component/chain_filter.h"

static struct browse_settings copy_settings(const struct browse *b)
{
	const struct browse_row *r = browse_at(b);
	struct browse_settings s = { .k = b->now.k, .cursor = r ? r->path : 0 };

	for (uint32_t i = 0; i < b->now.filters.len; i++)
		vec_push(&s.filters, b->now.filters.data[i]);
	return s;
}

/* What came of a change, before what the status says already: how many chains are left. */
static void say_counts(struct browse *b, uint64_t before)
{
	uint64_t after = forest_total(browse_forest(b));
	struct strbuf text = { 0 };
	char n[32], diff[32];

	strbuf_addf(&text, "%s %s", after ? chains_text(after, n) : "no", after == 1 ? "chain" : "chains");
	if (after != CHAINS_MANY && before != CHAINS_MANY && after != before)
		strbuf_addf(&text, ", %s %s", chains_text(after > before ? after - before : before - after, diff),
			    after > before ? "more" : "fewer");
	strbuf_addf(&text, ": %s", b->status.s);
	browse_say(b, "%s", text.s);
	strbuf_release(&text);
}

/* Takes `next` over, which is the caller's no longer. False: the status says why not, and nothing has changed. */
static bool ask(struct browse *b, struct browse_settings *next)
{
	struct chains_request q = b->chains->request;
	struct strbuf why = { 0 };
	uint64_t before = forest_total(browse_forest(b));

	q.k = next->k;
	q.filters = next->filters.data;
	q.nfilters = next->filters.len;
	bool ok = chains_check(&q, &why) && chains_ask(b->chains, b->diag, &q, &why);
	if (ok) {
		browse_make_rows(b);
		say_counts(b, before);
	} else {
		browse_say(b, "%s", why.len ? why.s : "that is not possible");
	}
	strbuf_release(&why);
	return ok;
}

static void change(struct browse *b, struct browse_settings *next)
{
	struct browse_settings before = copy_settings(b);

	if (ask(b, next)) {
		settings_release(&b->now);
		b->now = *next;
		vec_push(&b->undo, before);
		browse_note_changes(b);
	} else {
		settings_release(next);
		settings_release(&before);
	}
}

void browse_undo(struct browse *b)
{
	if (!b->undo.len) {
		browse_say(b, "there is nothing to undo");
		return;
	}
	struct browse_settings last = vec_pop(&b->undo);
	uint64_t cursor = last.cursor;
	browse_say(b, "undone");
	if (ask(b, &last)) {
		settings_release(&b->now);
		b->now = last;
		browse_note_changes(b);
		browse_go_to_path(b, cursor);
	} else {
		settings_release(&last);
	}
}

/* What the cursor is on, as an item of a list, and as people read it. */
struct named {
	struct strbuf item, shown;
};

static void named_release(struct named *it)
{
	strbuf_release(&it->item);
	strbuf_release(&it->shown);
}

static bool is_same(const struct filter_line *a, const struct filter_line *b)
{
	return a->kind == b->kind && strcmp(a->list, b->list) == 0;
}

/* As people read it. */
const char *browse_shown(const struct browse *b, const struct filter_line *line)
{
	for (uint32_t i = 0; i < b->made.len; i++)
		if (b->made.data[i].list == line->list)
			return b->made.data[i].shown;
	return line->list;
}

/* What name_it() found, as a filter; a second time it would say nothing new. */
static void add_filter(struct browse *b, struct browse_settings *s, enum filter_kind kind, const struct named *it)
{
	struct filter_line line = { .kind = kind, .list = it->item.s };

	for (uint32_t i = 0; i < s->filters.len; i++)
		if (is_same(&s->filters.data[i], &line))
			return;
	line.list = arena_strdup(&b->mem, it->item.s);
	vec_push(&s->filters, line);
	vec_push(&b->made, ((struct browse_filter){ line.list, arena_strdup(&b->mem, it->shown.s) }));
}

static void add_method(const struct browse *b, uint32_t node, struct strbuf *out)
{
	const struct chain_graph *x = browse_forest(b)->x;

	filter_name_method(x->p, x->methods.data[node], out);
}

static void name_it(struct browse *b, const struct browse_row *r, enum browse_what what, struct named *it)
{
	const struct chain_graph *x = browse_forest(b)->x;
	uint32_t node = browse_node(b, r);
	struct str name = names_method(&b->names, x->methods.data[node]);

	if (r->depth && what == THE_CALL) {
		uint32_t from = x->edges.data[r->edge].from;
		struct str caller = names_method(&b->names, x->methods.data[from]);
		strbuf_addstr(&it->shown, chains_short_name(x, from, caller));
		strbuf_adds(&it->shown, " -> ");
		name = chains_short_name(x, node, name);
		add_method(b, from, &it->item);
		strbuf_adds(&it->item, "->");
	}
	strbuf_addstr(&it->shown, name);
	add_method(b, node, &it->item);
}

static void drop_trees(struct browse *b, const struct browse_row *r, struct browse_settings *next)
{
	struct named it = { 0 };

	strbuf_addch(&it.item, '!');
	strbuf_adds(&it.shown, "not ");
	name_it(b, r, THE_METHOD, &it);
	add_filter(b, next, FILTER_FROM, &it);
	browse_say(b, "dropped the trees of %s", it.shown.s + strlen("not "));
	named_release(&it);
}

void browse_drop(struct browse *b, enum browse_what what)
{
	const struct browse_row *r = browse_at(b);
	struct named it = { 0 };

	if (!r)
		return;
	struct browse_settings next = copy_settings(b);
	if (!r->depth && what == THE_CALL) {
		drop_trees(b, r, &next);
	} else {
		name_it(b, r, what, &it);
		add_filter(b, &next, FILTER_NOT_THROUGH, &it);
		browse_say(b, "dropped %s", it.shown.s);
	}
	named_release(&it);
	change(b, &next);
}

void browse_keep_through(struct browse *b, enum browse_what what)
{
	const struct browse_row *r = browse_at(b);
	struct named it = { 0 };

	if (!r)
		return;
	struct browse_settings next = copy_settings(b);
	name_it(b, r, what, &it);
	add_filter(b, &next, FILTER_THROUGH, &it);
	browse_say(b, "only through %s", it.shown.s);
	named_release(&it);
	change(b, &next);
}

static void remove_kind(struct browse_settings *s, enum filter_kind kind)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < s->filters.len; i++)
		if (s->filters.data[i].kind != kind)
			s->filters.data[kept++] = s->filters.data[i];
	s->filters.len = kept;
}

void browse_keep_entry(struct browse *b)
{
	const struct browse_row *r = browse_at(b);
	struct named it = { 0 };

	if (!r)
		return;
	struct browse_settings next = copy_settings(b);
	struct browse_row entry = { .tree = r->tree };
	remove_kind(&next, FILTER_FROM);
	name_it(b, &entry, THE_METHOD, &it);
	add_filter(b, &next, FILTER_FROM, &it);
	browse_say(b, "only from %s", it.shown.s);
	named_release(&it);
	change(b, &next);
}

void browse_lengthen(struct browse *b, int by)
{
	if (!b->now.k) {
		browse_say(b, "chains have no bound: start with -k N for one");
		return;
	}
	if (b->now.k == 1 && by < 0) {
		browse_say(b, "chains have one call at least");
		return;
	}
	struct browse_settings next = copy_settings(b);
	next.k = (uint32_t)((int64_t)next.k + by);
	browse_say(b, "k %u", (unsigned)next.k);
	change(b, &next);
}

void browse_remove_filter(struct browse *b)
{
	if (b->filter >= b->now.filters.len)
		return;
	struct browse_settings next = copy_settings(b);
	for (uint32_t i = b->filter; i + 1 < next.filters.len; i++)
		next.filters.data[i] = next.filters.data[i + 1];
	next.filters.len--;
	browse_say(b, "removed %s %s", filter_kind_names[b->now.filters.data[b->filter].kind],
		   browse_shown(b, &b->now.filters.data[b->filter]));
	change(b, &next);
	if (b->filter && b->filter >= b->now.filters.len)
		b->filter = b->now.filters.len - 1;
}
