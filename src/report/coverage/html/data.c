/* SPDX-License-Identifier: Apache-2.0 */
/* data.c - the data of the HTML report; html_p.h says how it is made small. */
#include "report/coverage/html/html_p.h"

#include "report/java/clients.h"

#define MAX_SOURCE (8u << 20)          /* bytes: what is larger was not written by people */

void html_data_init(struct html_data *d, struct sink *out, const struct coverage *c, const struct coverage_head *head)
{
	*d = (struct html_data){ .j = { .out = out }, .c = c, .head = head, .receivers = criteria_receivers(c->plan) };
	interner_init(&d->strings);
	interner_init(&d->sets);
	interner_init(&d->test_sets);
	interner_init(&d->calls);
	interner_init(&d->steps);
	interner_init(&d->recipes);
	interner_init(&d->paths);
	vec_push(&d->files, (struct html_file){ 0 });
}

void html_data_release(struct html_data *d)
{
	for (uint32_t i = 0; i < d->files.len; i++)
		if (d->files.data[i].is_found)
			source_close(&d->files.data[i].source);
	vec_release(&d->files);
	interner_release(&d->strings);
	interner_release(&d->sets);
	interner_release(&d->test_sets);
	interner_release(&d->calls);
	interner_release(&d->steps);
	interner_release(&d->recipes);
	interner_release(&d->paths);
	map_release(&d->ways);
	vec_release(&d->way_rows);
	vec_release(&d->row);
	vec_release(&d->acts);
	strbuf_release(&d->packed);
	strbuf_release(&d->text);
}

/* Text */

void html_write_text(struct html_data *d, struct str s)
{
	strbuf_clear(&d->text);
	page_add_text(&d->text, s);
	json_escaped(&d->j, strbuf_str(&d->text));
}

static void write_asked(struct html_data *d, const char *key, struct str value)
{
	if (value.len)
		json_key(&d->j, key), html_write_text(d, value);
}

uint32_t html_string(struct html_data *d, struct str s)
{
	return intern(&d->strings, s).i;
}

static void put(struct html_data *d, uint64_t n)
{
	json_uint(&d->j, n);
}

static void put_string(struct html_data *d, struct str s)
{
	put(d, html_string(d, s));
}

static void begin(struct html_data *d, const char *key)
{
	json_break(&d->j);
	json_key(&d->j, key);
	json_array(&d->j);
}

static void end(struct html_data *d)
{
	json_end_array(&d->j);
}

/* Rows of numbers, each once */

uint32_t html_row_id(struct interner *in, const uint32_t *row, uint32_t n)
{
	return intern(in, (struct str){ (const char *)row, n * (uint32_t)sizeof(*row) }).i;
}

static uint32_t row_len(struct str bytes)
{
	return bytes.len / (uint32_t)sizeof(uint32_t);
}

static uint32_t row_at(struct str bytes, uint32_t i)
{
	uint32_t x;

	memcpy(&x, bytes.p + i * sizeof(x), sizeof(x));
	return x;
}

/* Numbers as text */

void html_pack(struct html_data *d, uint64_t n)
{
	page_pack(&d->packed, n);
}

void html_pack_string(struct html_data *d, struct str s)
{
	html_pack(d, html_string(d, s));
}

void html_write_packed(struct html_data *d)
{
	json_escaped(&d->j, strbuf_str(&d->packed));
	strbuf_clear(&d->packed);
}

/* Every row as its length and its differences (modulo 2^32), which are small where it ascends. */
static void write_sets(struct html_data *d, const char *key, const struct interner *sets)
{
	json_break(&d->j);
	json_key(&d->j, key);
	for (uint32_t id = 1; id < sets->strings.len; id++) {
		struct str row = sets->strings.data[id];
		uint32_t last = 0;
		html_pack(d, row_len(row));
		for (uint32_t i = 0; i < row_len(row); i++) {
			html_pack(d, (uint32_t)(row_at(row, i) - last));
			last = row_at(row, i);
		}
	}
	html_write_packed(d);
}

/* Rows of equal length, one after the other. */
static void write_rows(struct html_data *d, const char *key, const struct interner *rows)
{
	begin(d, key);
	for (uint32_t id = 1; id < rows->strings.len; id++)
		for (uint32_t i = 0; i < row_len(rows->strings.data[id]); i++)
			put(d, row_at(rows->strings.data[id], i));
	end(d);
}

/* Sites */

uint32_t html_call_id(struct html_data *d, struct str owner, struct str name, struct str desc)
{
	uint32_t row[] = { html_string(d, owner), html_string(d, name), html_string(d, desc) };

	return html_row_id(&d->calls, row, ARRAY_LEN(row));
}

static const struct cov_item *item_at(const struct html_data *d, struct cov_list in, uint32_t i)
{
	return &d->c->items.data[in.first + i];
}

static uint32_t required_set(struct html_data *d, struct cov_list in)
{
	vec_clear(&d->row);
	for (uint32_t i = 0; i < in.required; i++)
		vec_push(&d->row, html_string(d, item_at(d, in, i)->name));
	return html_row_id(&d->sets, d->row.data, d->row.len);
}

static uint32_t tests_of(struct html_data *d, const struct cov_item *i)
{
	return i->ntests ? html_row_id(&d->test_sets, d->c->item_tests.data + i->first_test, i->ntests) : 0;
}

/* Covered ones as (number in the set, calls, tests). */
static void pack_covered(struct html_data *d, struct cov_list in)
{
	html_pack(d, in.covered);
	for (uint32_t i = 0; i < in.required; i++) {
		const struct cov_item *item = item_at(d, in, i);
		if (item->count)
			html_pack(d, i), html_pack(d, item->count), html_pack(d, tests_of(d, item));
	}
}

/* As (name, calls, origin and whether it is excused, tests). */
static void pack_unexpected(struct html_data *d, const struct cov_site *s, struct cov_list in)
{
	html_pack(d, in.n - in.required);
	for (uint32_t i = in.required; i < in.n; i++) {
		const struct cov_item *item = item_at(d, in, i);
		html_pack_string(d, item->name);
		html_pack(d, item->count);
		html_pack(d, (uint32_t)item->origin << 1 | coverage_is_excused(d->c, s, item));
		html_pack(d, tests_of(d, item));
	}
}

/* As (name, calls, the entry's reason, whether it says that no run can show it), where there is a list of what is accepted. */
static void pack_accepted(struct html_data *d, struct cov_list in)
{
	if (!d->c->accepted)
		return;
	html_pack(d, in.accepted);
	for (uint32_t i = in.n; i < in.n + in.accepted; i++) {
		const struct cov_item *item = item_at(d, in, i);
		const struct cov_acceptance *a = &d->c->accepted->entries.data[item->acceptance - 1];
		html_pack_string(d, item->name);
		html_pack(d, item->count);
		html_pack_string(d, a->because);
		html_pack(d, a->is_impossible);
	}
}

static void pack_items(struct html_data *d, const struct cov_site *s, uint32_t k)
{
	struct cov_list in = s->of[k];

	html_pack(d, required_set(d, in));
	pack_covered(d, in);
	pack_unexpected(d, s, in);
	pack_accepted(d, in);
	for (uint32_t i = 0; criterion_is_of_methods(k) && i < in.required; i++)
		html_pack_string(d, item_at(d, in, i)->by);
}

/* Reasons: the way of a missed receiver to its call */

static uint32_t way_of(struct html_data *d, const struct reason *r)
{
	uint32_t way = 0;

	for (uint32_t i = 0; i < r->nsteps; i++) {
		const struct reason_step *s = &d->c->reasons->steps.data[r->first_step + i];
		uint32_t row[] = { html_string(d, s->place), html_string(d, s->text) };
		uint32_t step = html_row_id(&d->steps, row, ARRAY_LEN(row));
		uint32_t *next = map_at(&d->ways, map_key(way, step));
		if (!*next) {
			vec_push(&d->way_rows, way);
			vec_push(&d->way_rows, step);
			*next = d->way_rows.len / 2;
		}
		way = *next;
	}
	return way;
}

uint32_t html_recipe_id(struct html_data *d, const struct reason *r)
{
	vec_clear(&d->acts);
	for (uint32_t i = 0; i < r->nacts; i++)
		vec_push(&d->acts, html_string(d, d->c->reasons->acts.data[r->first_act + i]));
	return r->nacts ? html_row_id(&d->recipes, d->acts.data, d->acts.len) : 0;
}

/* As (number in the set, way, recipe); a way is never 0. */
static void pack_reasons(struct html_data *d, const struct cov_site *s)
{
	vec_clear(&d->row);
	for (uint32_t i = 0; d->c->reasons && d->receivers < CRITERIA && i < s->of[d->receivers].required; i++) {
		const struct cov_item *item = item_at(d, s->of[d->receivers], i);
		const struct reason *r = item->count ? NULL : reasons_find(d->c->reasons, s->site, item->type);
		if (r && r->nsteps)
			vec_push(&d->row, i), vec_push(&d->row, way_of(d, r)), vec_push(&d->row, html_recipe_id(d, r));
	}
	html_pack(d, d->row.len / 3);
	for (uint32_t i = 0; i < d->row.len; i++)
		html_pack(d, d->row.data[i]);
}

/* The receivers, or targets, that the ladder counts, as a set. */
static void pack_own(struct html_data *d, struct plan_range own)
{
	const struct plan *p = d->c->plan;

	vec_clear(&d->row);
	for (uint32_t i = 0; i < own.n; i++)
		vec_push(&d->row, html_string(d, p->types.data[p->ids.data[own.first + i]].name));
	html_pack(d, own.n ? html_row_id(&d->sets, d->row.data, d->row.len) : 0);
}

enum { WATCHED = 16, CHOICE = 32 };     /* after those flags of the plan that the page has */

static uint32_t flags_of(const struct cov_site *s, const struct plan_site *p)
{
	return (p->flags & (WATCHED - 1)) | (s->is_watched ? WATCHED : 0) | (p->flags & PLAN_CHOICE ? CHOICE : 0);
}

static void pack_site(struct html_data *d, const struct cov_site *s)
{
	const struct plan_site *site = &d->c->plan->sites.data[s->site];

	html_pack(d, site->line);
	html_pack(d, site->pc);
	html_pack(d, flags_of(s, site));
	html_pack(d, html_call_id(d, site->owner, site->name, site->desc));
	html_pack(d, s->count);
	for (uint32_t k = 0; k < CRITERIA; k++)
		if (cov_is_counted(d->c, k) && criterion_is_of_calls(k))
			pack_items(d, s, k);
	if (cov_has_ladder(&d->c->sums))
		pack_own(d, site->own), pack_own(d, site->own_targets);
	pack_reasons(d, s);
}

/* The others are counted. */
bool html_is_listed(const struct html_data *d, uint32_t class)
{
	const struct plan_class *c = &d->c->plan->classes.data[class];

	return (cov_has_calls(d->c) && c->nsites) || c->nbodies || d->c->classes.data[class].sums.of[COV_IMPLEMENTATIONS].required;
}

/* Where nothing is asked of calls, nothing is said of them. */
static uint32_t nmethods_of(const struct html_data *d, const struct plan_class *c)
{
	return cov_has_calls(d->c) ? c->nmethods : 0;
}

/* Sites of each class of the table of classes, in its order. */
static void write_sites(struct html_data *d)
{
	const struct plan *p = d->c->plan;

	begin(d, "sites");
	for (uint32_t i = 0; i < p->classes.len; i++) {
		const struct plan_class *c = &p->classes.data[i];
		if (!html_is_listed(d, i))
			continue;
		for (uint32_t k = 0; k < c->nsites && cov_has_calls(d->c); k++)
			pack_site(d, &d->c->sites.data[c->first_site + k]);
		html_write_packed(d);
	}
	end(d);
}

/* Classes and methods */

static bool is_own(const struct html_data *d, uint32_t type)
{
	const struct plan_type *t = &d->c->plan->types.data[type];

	return t->sort == PLAN_METHOD || plan_find_class(d->c->plan, t->sort == PLAN_LAMBDA ? t->host : t->name) != UINT32_MAX;
}

/* Four numbers, then two for each criterion of the head, then those of html_put_views(). */
static void put_sums(struct html_data *d, const struct cov_sums *s, uint32_t first_site, uint32_t nsites)
{
	put(d, s->sites), put(d, s->called_sites), put(d, s->unexpected), put(d, s->client);
	for (uint32_t k = 0; k < CRITERIA; k++)
		if (criterion_in(d->c->plan, k))
			put(d, s->of[k].required), put(d, s->of[k].covered);
	html_put_views(d, first_site, nsites);
}

static bool open_source(struct html_data *d, struct source_file *f)
{
	if (!source_open(d->head->source, strbuf_str(&d->text), f))
		return false;
	if (f->file.bytes.len <= MAX_SOURCE)
		return true;
	source_close(f);
	return false;
}

/* The number of the file with the source of the class; 0: none. */
static uint32_t file_of(struct html_data *d, const struct plan_class *c)
{
	if (!d->head->source)
		return 0;
	strbuf_clear(&d->text);
	source_path(c->name, c->source, &d->text);
	uint32_t id = intern(&d->paths, strbuf_str(&d->text)).i;
	if (id == d->files.len) {
		struct html_file f = { 0 };
		f.is_found = open_source(d, &f.source);
		vec_push(&d->files, f);
	}
	return d->files.data[id].is_found ? id : 0;
}

static void write_class(struct html_data *d, uint32_t row)
{
	const struct plan_class *c = &d->c->plan->classes.data[row];
	const struct cov_class *cov = &d->c->classes.data[row];

	put_string(d, c->name);
	put_string(d, c->source);
	put(d, file_of(d, c));
	put(d, cov->state);
	put(d, cov->unwatched);
	put_string(d, cov->text);
	put(d, nmethods_of(d, c));
	put_sums(d, &cov->sums, c->first_site, c->nsites);
}

/* Seven numbers and the sums, each. */
static void write_classes(struct html_data *d)
{
	uint32_t others = 0;

	begin(d, "classes");
	for (uint32_t i = 0; i < d->c->plan->classes.len; i++) {
		if (html_is_listed(d, i))
			write_class(d, i);
		else
			others++;
	}
	end(d);
	json_key(&d->j, "others"), put(d, others);
}

/* Name, descriptor and number of sites; by class, as their sites. */
static void write_methods(struct html_data *d)
{
	const struct plan *p = d->c->plan;

	begin(d, "methods");
	for (uint32_t i = 0; i < p->classes.len; i++) {
		const struct plan_class *c = &p->classes.data[i];
		for (uint32_t k = 0; html_is_listed(d, i) && k < nmethods_of(d, c); k++) {
			const struct plan_method *m = &p->methods.data[c->first_method + k];
			put_string(d, m->name), put_string(d, m->desc), put(d, m->nsites);
		}
	}
	end(d);
}

/* Receivers */

static int by_name(const void *a, const void *b)
{
	return str_cmp(((const struct plan_type *)a)->name, ((const struct plan_type *)b)->name);
}

/* The first rows of the table, in order: so do rows in sets ascend, and their differences are short. */
static void number_types(struct html_data *d)
{
	uint32_t n = d->c->plan->types.len;

	if (n < 2)
		return;
	struct plan_type *sorted = mem_alloc(n * sizeof(*sorted));
	memcpy(sorted, d->c->plan->types.data, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), by_name);
	for (uint32_t i = 0; i < n; i++)
		html_string(d, sorted[i].name);
	free(sorted);
}

/* A set by itself: receivers and declaring classes that are the component's own. */
static void write_own(struct html_data *d)
{
	struct interner only;

	vec_clear(&d->row);
	for (uint32_t i = 1; i < d->c->plan->types.len; i++)
		if (is_own(d, i))
			vec_push(&d->row, html_string(d, d->c->plan->types.data[i].name));
	interner_init(&only);
	html_row_id(&only, d->row.data, d->row.len);
	write_sets(d, "own", &only);
	interner_release(&only);
}

/* Of each: its name, the class that makes it, its interface, what it runs. */
static void write_lambdas(struct html_data *d)
{
	begin(d, "lambdas");
	for (uint32_t i = 1; i < d->c->plan->types.len; i++) {
		const struct plan_type *t = &d->c->plan->types.data[i];
		if (t->sort == PLAN_LAMBDA)
			put_string(d, t->name), put_string(d, t->host), put_string(d, t->interface), put_string(d, t->body);
	}
	end(d);
}

/* Requests, runs, tests */

/* What the page says of a criterion. A part names its whole, a rung of the ladder says what it means. */
static void write_criterion(struct html_data *d, const struct criterion *row)
{
	static const char *const items[] = { [ITEM_NAMES] = "name", [ITEM_RECEIVERS] = "receiver", [ITEM_TARGETS] = "target",
						   [ITEM_METHODS] = "method", [ITEM_STORES] = "method" };

	json_object(&d->j);
	write_asked(d, "name", str_of(row->name));
	if (row->is_part) {
		write_asked(d, "whole", str_of(cov_criteria[row->whole].name));
		write_asked(d, "title", str_of(row->title));
		write_asked(d, "means", str_of(row->means ? row->means : ""));
	} else {
		write_asked(d, "short", str_of(row->short_name));
		write_asked(d, "title", str_of(row->title));
		write_asked(d, "words", str_of(row->words));
		write_asked(d, "noun", str_of(row->noun));
		write_asked(d, "items", str_of(items[row->items]));
		json_key(&d->j, "calls"), json_bool(&d->j, row->required != NULL);
	}
	json_end_object(&d->j);
}

static void write_criteria(struct html_data *d)
{
	json_key(&d->j, "criteria"), json_array(&d->j);
	for (uint32_t k = 0; k < CRITERIA; k++)
		if (criterion_in(d->c->plan, k))
			write_criterion(d, &cov_criteria[k]);
	json_end_array(&d->j);
}

static void write_clients(struct html_data *d)
{
	struct strbuf words = { 0 };

	clients_write(&d->j, d->c->plan->clients);
	clients_add_words(d->c->plan->clients, &words);
	write_asked(d, "clients_words", strbuf_str(&words));
	write_asked(d, "unreached_advice", str_of(cov_unreached_advice(d->c)));
	strbuf_release(&words);
}

static void write_head(struct html_data *d)
{
	const struct plan *p = d->c->plan;

	json_key(&d->j, "head"), json_object(&d->j);
	write_asked(d, "component", p->component);
	write_asked(d, "interface", p->interface);
	write_clients(d);
	write_asked(d, "algorithm", p->algorithm);
	write_asked(d, "class_path", p->class_path);
	write_asked(d, "jdk", p->jdk);
	write_asked(d, "tool", str_of(d->head->tool ? d->head->tool : "sherd"));
	write_asked(d, "version", d->head->version ? str_of(d->head->version) : p->version);
	write_criteria(d);
	json_key(&d->j, "loaded"), json_bool(&d->j, coverage_has_loaded(d->c) || !coverage_has_watchable(d->c));
	json_key(&d->j, "why"), json_bool(&d->j, !d->head->no_why);
	if (d->c->accepted)
		json_key(&d->j, "accepted"), json_uint(&d->j, d->c->sums.accepted);
	json_end_object(&d->j);
}

/* Start, process, flags, JVM, command, session. */
static void write_runs(struct html_data *d)
{
	const struct runs *runs = d->c->runs;

	begin(d, "runs");
	for (uint32_t i = 0; runs && i < runs->runs.len; i++) {
		const struct run *r = &runs->runs.data[i];
		put(d, r->start), put(d, r->pid);
		put(d, (r->is_complete ? 1u : 0) | (r->is_damaged ? 2u : 0) | (r->is_parallel ? 4u : 0));
		put_string(d, r->jvm), put_string(d, r->command), put_string(d, r->session);
	}
	end(d);
}

static void write_tests(struct html_data *d)
{
	begin(d, "tests");
	for (uint32_t i = 0; i < d->c->tests.len; i++) {
		const struct cov_test *t = &d->c->tests.data[i];
		put_string(d, t->name), put(d, t->alone), put(d, t->fresh), put(d, t->backups);
		for (uint32_t k = 0; k < CRITERIA; k++)
			if (cov_is_counted(d->c, k))
				put(d, t->of[k]);
	}
	end(d);
}

static void write_notes(struct html_data *d)
{
	begin(d, "notes");
	for (uint32_t i = 0; i < d->c->notes.len; i++)
		html_write_text(d, d->c->notes.data[i]);
	end(d);
}

static void write_ways(struct html_data *d)
{
	begin(d, "ways");
	for (uint32_t i = 0; i < d->way_rows.len; i++)
		put(d, d->way_rows.data[i]);
	end(d);
}

static void write_strings(struct html_data *d)
{
	begin(d, "strings");
	for (uint32_t i = 0; i < d->strings.strings.len; i++)
		html_write_text(d, d->strings.strings.data[i]);
	end(d);
}

/* Tables that others number their rows in come last. */
void html_write_data(struct html_data *d)
{
	number_types(d);
	uint32_t types = d->strings.strings.len;
	json_object(&d->j);
	write_head(d);
	json_key(&d->j, "types"), put(d, types);
	begin(d, "sums"), put_sums(d, &d->c->sums, 0, d->c->sites.len), end(d);
	write_notes(d);
	write_runs(d);
	write_tests(d);
	write_classes(d);
	write_methods(d);
	write_sites(d);
	html_write_groups(d);
	html_write_next(d);
	html_write_trend(d);
	html_write_chains(d);
	write_lambdas(d);
	write_own(d);
	write_sets(d, "sets", &d->sets);
	write_sets(d, "test_sets", &d->test_sets);
	write_rows(d, "calls", &d->calls);
	write_rows(d, "steps", &d->steps);
	write_ways(d);
	write_sets(d, "recipes", &d->recipes);
	write_strings(d);
	json_end_object(&d->j);
}

/* Source text */

static void add_line(struct strbuf *out, struct str line)
{
	uint32_t from = 0;

	for (uint32_t i = 0; i <= line.len; i++) {
		if (i < line.len && line.p[i] != '\t')
			continue;
		page_add_text(out, str_sub(line, from, i));
		if (i < line.len)
			strbuf_adds(out, "\\t");
		from = i + 1;
	}
}

static void add_source(struct strbuf *out, struct span bytes)
{
	const char *p = (const char *)bytes.p, *stop = p + bytes.len;

	while (p < stop) {
		const char *nl = memchr(p, '\n', (size_t)(stop - p));
		struct str line = { p, (uint32_t)((nl ? nl : stop) - p) };
		p = nl ? nl + 1 : stop;
		if (line.len && line.p[line.len - 1] == '\r')
			line.len--;
		add_line(out, line);
		if (nl)
			strbuf_adds(out, "\\n");
	}
}

void html_write_sources(struct html_data *d)
{
	for (uint32_t i = 1; i < d->files.len; i++) {
		if (!d->files.data[i].is_found)
			continue;
		strbuf_clear(&d->text);
		add_source(&d->text, d->files.data[i].source.file.bytes);
		sink_printf(d->j.out, "<script type=\"application/json\" id=\"f%u\">\"", (unsigned)i);
		sink_str(d->j.out, strbuf_str(&d->text));
		sink_puts(d->j.out, "\"</script>\n");
	}
}
