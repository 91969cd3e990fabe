/* SPDX-License-Identifier: Apache-2.0 */
/* text.c - requirements as a screen for people: what was asked, how much is required on average, the
 * receivers at each polymorphic call, and what the user may do about calls that lack some. The other formats hold
 * everything. */
#include "report/requirements/requirements_p.h"

#include "report/java/additions.h"
#include "report/java/clients.h"

#define MAX_CLASSES 8      /* of a list; one more is shown rather than counted */
#define MAX_TARGETS 4
#define MAX_TYPES 6        /* that nothing makes, in the note about them */
#define LINE_COLUMNS 8     /* of source lines, with the indentation */
#define STYLE_NONE (-1)

/* A type of declared receivers that nothing makes, and the calls that miss one. */
struct missed {
	class_id c;
	uint32_t sites;
};

struct screen {
	struct screen_out s;
	const struct requirements *r;
	const struct requirements_head *head;
	struct names source;          /* names_class: full names */
	struct interner simple;       /* class names without packages */
	VEC(class_id) by_simple;      /* the class of each; 0: several share it */
	struct strbuf text;
	uint32_t width, call;         /* columns: of the screen, of the calls */
	uint32_t indent, at;          /* of the words that are being written: where lines start, the next column */
	bool is_dry;                  /* words are not written, only counted, as on one long line */
	/* polymorphic sites of each sort, for the notes */
	uint64_t starved, unreached, open, client, by_callback, unresolved;
	VEC(struct missed) missed;
	struct map missed_of;         /* class -> 1 + its row */
};

static bool is_shown(const struct screen *x, const struct req_site *s)
{
	return s->is_poly || x->head->all_sites;
}

/* Short names */

static struct str without_package(struct str name)
{
	return str_sub(name, (uint32_t)(str_rfind(name, '.') + 1), name.len);
}

static void name_add(struct screen *x, class_id c)
{
	str_id id = intern(&x->simple, without_package(names_class(&x->source, c)));

	while (x->by_simple.len < id.i)
		vec_push(&x->by_simple, (class_id){ 0 });
	if (x->by_simple.len == id.i)
		vec_push(&x->by_simple, c);
	else if (x->by_simple.data[id.i].i != c.i)
		x->by_simple.data[id.i].i = 0;
}

static void names_add(struct screen *x, struct id_range classes)
{
	for (uint32_t k = 0; k < classes.n; k++)
		name_add(x, req_class(x->r, classes, k));
}

static void names_add_site(struct screen *x, const struct req_site *s)
{
	name_add(x, mref_row(x->r->p, s->declared)->owner);
	names_add(x, s->rc);
	names_add(x, s->senders);
	for (uint32_t k = 0; k < s->tm.n; k++)
		name_add(x, method_row(x->r->p, req_method(x->r, s->tm, k))->owner);
	for (uint32_t i = 0; i < s->nargs; i++)
		names_add(x, x->r->args.data[s->first_arg + i].classes);
}

/* Without its package, unless another class on the screen would have the same name. */
static struct str short_name(struct screen *x, class_id c)
{
	struct str full = names_class(&x->source, c), simple = without_package(full);
	str_id id;

	if (!interner_find(&x->simple, simple, &id) || id.i >= x->by_simple.len || x->by_simple.data[id.i].i != c.i)
		return full;
	return simple;
}

/* What follows the class in a name with parameters: area(Object) */
static struct str member_part(struct screen *x, struct str name, class_id owner)
{
	return str_sub(name, names_class(&x->source, owner).len + 1, name.len);
}

/* Link.transmit(String) */
static struct str declared_call(struct screen *x, const struct req_site *s)
{
	class_id owner = mref_row(x->r->p, s->declared)->owner;

	strbuf_clear(&x->text);
	strbuf_addstr(&x->text, short_name(x, owner));
	strbuf_addch(&x->text, '.');
	strbuf_addstr(&x->text, member_part(x, names_mref(&x->source, s->declared), owner));
	return strbuf_str(&x->text);
}

/* Words, with lines broken between them */

static void pad_to(struct screen *x, uint32_t column)
{
	for (; x->at < column; x->at++)
		sink_putc(x->s.out, ' ');
}

static void words_break(struct screen *x)
{
	sink_putc(x->s.out, '\n');
	x->at = 0;
}

/* What is not to be broken. `end` is a character behind it, or 0. */
static void word(struct screen *x, int style, struct str text, char end)
{
	uint32_t n = text_columns(text) + (end != 0);

	if (x->is_dry) {
		x->at += n + (x->at > x->indent);
		return;
	}
	if (x->at > x->indent && x->at + 1 + n > x->width)
		words_break(x);
	pad_to(x, x->at > x->indent ? x->at + 1 : x->indent);
	if (style != STYLE_NONE)
		screen_style(&x->s, (enum style)style);
	sink_str(x->s.out, text);
	if (style != STYLE_NONE)
		screen_plain(&x->s);
	if (end)
		sink_putc(x->s.out, end);
	x->at += n;
}

/* All words of a sentence. */
static void words(struct screen *x, struct str text)
{
	uint32_t from = 0;

	for (uint32_t i = 0; i <= text.len; i++)
		if (i == text.len || text.p[i] == ' ') {
			if (i > from)
				word(x, STYLE_NONE, str_sub(text, from, i), 0);
			from = i + 1;
		}
}

/* How many of n items to list when `most` fit. */
static uint32_t shown_of(uint32_t n, uint32_t most)
{
	return n <= most + 1 ? n : most;
}

static void words_more(struct screen *x, uint32_t hidden)
{
	char buf[32], text[64];

	if (!hidden)
		return;
	snprintf(text, sizeof text, "and %s more", grouped(hidden, buf));
	word(x, STYLE_DIM, str_of(text), 0);
}

static void list_classes(struct screen *x, struct id_range in)
{
	uint32_t n = shown_of(in.n, MAX_CLASSES);

	for (uint32_t k = 0; k < n; k++)
		word(x, STYLE_NONE, short_name(x, req_class(x->r, in, k)), k + 1 < n ? ',' : 0);
	words_more(x, in.n - n);
}

static void list_targets(struct screen *x, struct id_range in)
{
	uint32_t n = shown_of(in.n, MAX_TARGETS);
	struct strbuf name = { 0 };

	for (uint32_t k = 0; k < n; k++) {
		const struct ir_method *m = method_row(x->r->p, req_method(x->r, in, k));
		strbuf_clear(&name);
		strbuf_addstr(&name, short_name(x, m->owner));
		strbuf_addch(&name, '.');
		escape_add(&name, ESCAPE_PLAIN, sel_name(x->r->p, m->sel));
		word(x, STYLE_NONE, strbuf_str(&name), k + 1 < n ? ',' : 0);
	}
	words_more(x, in.n - n);
	strbuf_release(&name);
}

/* Survey: what the notes and the layout need to know */

static void missed_add(struct screen *x, class_id c)
{
	uint32_t *row = map_at(&x->missed_of, c.i);

	if (!*row) {
		vec_push(&x->missed, ((struct missed){ .c = c }));
		*row = x->missed.len;
	}
	x->missed.data[*row - 1].sites++;
}

static void survey_poly(struct screen *x, const struct req_site *s)
{
	x->unreached += !s->is_reached;
	x->open += s->is_open;
	x->by_callback += s->by_callback.n != 0;
	x->client += s->is_client;
	x->unresolved += s->cause != CG_RESOLVED;
	if (req_is_starved(s)) {
		x->starved++;
		missed_add(x, mref_row(x->r->p, s->declared)->owner);
	}
}

static void survey(struct screen *x)
{
	uint32_t most = x->width * 2 / 5;

	for (uint32_t i = 0; i < x->r->sites.len; i++)
		if (is_shown(x, &x->r->sites.data[i]))
			names_add_site(x, &x->r->sites.data[i]);
	for (uint32_t i = 0; i < x->r->sites.len; i++) {
		const struct req_site *s = &x->r->sites.data[i];
		if (s->is_poly)
			survey_poly(x, s);
		if (!is_shown(x, s) || !s->is_reached)
			continue;
		uint32_t n = text_columns(declared_call(x, s));
		if (n > x->call && n <= most)
			x->call = n;
	}
}

/* The head */

static void show_addition(void *ctx, const char *label, struct str text)
{
	struct screen *x = ctx;

	screen_fact(&x->s, x->width, label, text);
}

static void show_head(struct screen *x)
{
	screen_puts(&x->s, STYLE_BOLD, "Test requirements");
	sink_putc(x->s.out, '\n');
	screen_fact(&x->s, x->width, "Component", screen_text(x->head->component));
	screen_fact(&x->s, x->width, "Interface", screen_text(x->head->interface));
	clients_show(&x->s, x->width, screen_text(x->head->clients));
	screen_fact(&x->s, x->width, "Algorithm", screen_text(x->r->algorithm));
	screen_fact(&x->s, x->width, "Assumed", screen_text(x->r->assume));
	screen_fact(&x->s, x->width, "Class path", screen_text(x->head->head.class_path));
	additions_show(x->r->p, show_addition, x);
	screen_fact(&x->s, x->width, "JDK", screen_text(x->head->head.jdk));
	sources_show(&x->head->head.facts, show_addition, x);
	settings_show(&x->head->head.settings, show_addition, x);
	sink_putc(x->s.out, '\n');
}

static void show_figure(struct screen *x, const char *label, uint64_t n)
{
	char buf[32];

	sink_printf(x->s.out, "  %-17s", label);
	screen_style(&x->s, STYLE_BOLD);
	sink_printf(x->s.out, "%11s", grouped(n, buf));
	screen_plain(&x->s);
}

static void show_figures(struct screen *x)
{
	const struct req_stats *st = &x->r->stats;

	show_figure(x, "Classes", st->classes), show_figure(x, "Dispatched calls", st->sites);
	sink_putc(x->s.out, '\n');
	show_figure(x, "Methods", st->methods), show_figure(x, "Polymorphic", st->poly_sites);
	screen_share(x->s.out, st->poly_sites, st->sites);
	show_figure(x, "RC requirements", st->rc), show_figure(x, "TM requirements", st->tm);
	sink_putc(x->s.out, '\n');
	if (x->r->analysed_methods) {
		show_figure(x, "Analysed methods", x->r->analysed_methods);
		sink_puts(x->s.out, "  with all that the component uses\n");
	}
}

static void show_averages(struct screen *x)
{
	const struct req_stats *st = &x->r->stats;
	bool has_rc = x->r->criteria & CRITERION_RC, has_tm = x->r->criteria & CRITERION_TM;
	struct strbuf text = { 0 };

	if (st->poly_sites == 0) {
		strbuf_adds(&text, "No call is polymorphic: the class hierarchy alone gives each at most one receiver "
				   "class.");
	} else if (has_rc || has_tm) {
		strbuf_adds(&text, "On average ");
		if (has_rc)
			strbuf_addf(&text, "%.2f receiver classes", req_per_site(st, st->rc));
		strbuf_adds(&text, has_rc && has_tm ? " and " : "");
		if (has_tm)
			strbuf_addf(&text, "%.2f target methods", req_per_site(st, st->tm));
		strbuf_adds(&text, " at each polymorphic call.");
	}
	if (text.len) {
		sink_putc(x->s.out, '\n');
		x->at = 0, x->indent = 2;
		screen_style(&x->s, STYLE_BOLD);
		words(x, strbuf_str(&text));
		screen_plain(&x->s);
		sink_putc(x->s.out, '\n');
	}
	strbuf_release(&text);
}

/* Sites */

static bool has_class(const struct screen *x, struct id_range in, class_id c)
{
	for (uint32_t k = 0; k < in.n; k++)
		if (req_class(x->r, in, k).i == c.i)
			return true;
	return false;
}

/* Do the targets say more than the classes? Not when each class has its own, or there is one of each. */
static bool are_targets_news(const struct screen *x, const struct req_site *s)
{
	if (!(x->r->criteria & CRITERION_TM) || !s->tm.n)
		return false;
	if (!(x->r->criteria & CRITERION_RC) || s->tm.n != s->rc.n)
		return true;
	if (s->tm.n == 1)
		return false;
	for (uint32_t k = 0; k < s->tm.n; k++)
		if (!has_class(x, s->rc, method_row(x->r->p, req_method(x->r, s->tm, k))->owner))
			return true;
	return false;
}

/* The lists of a site follow each other on lines of their own, behind a word that says what they are. */
static void start_list(struct screen *x, const char *label)
{
	if (x->at > x->indent)
		words_break(x);
	word(x, STYLE_DIM, str_of(label), 0);
}

static void show_receivers(struct screen *x, const struct req_site *s)
{
	if (req_is_starved(s))
		word(x, STYLE_RED, STR("no receiver"), 0);
	if (x->r->criteria & CRITERION_RC)
		list_classes(x, s->rc);
	if (s->is_client)
		word(x, STYLE_GREEN, x->at > x->indent ? STR("+ classes of clients") : STR("classes of clients"), 0);
	if (s->is_open)
		word(x, STYLE_RED, x->at > x->indent ? STR("+ unknown objects") : STR("unknown objects"), 0);
	if (s->cause != CG_RESOLVED) {
		word(x, STYLE_RED, x->at > x->indent ? STR("+ unresolved:") : STR("unresolved:"), 0);
		word(x, STYLE_RED, str_of(cg_cause_name(s->cause)), 0);
	}
}

static void show_args(struct screen *x, const struct req_site *s)
{
	char label[32];

	for (uint32_t i = 0; i < s->nargs; i++) {
		const struct req_arg *a = &x->r->args.data[s->first_arg + i];
		snprintf(label, sizeof label, "argument %u:", (unsigned)a->index + 1);
		start_list(x, label);
		if (a->classes.n)
			list_classes(x, a->classes);
		else
			word(x, STYLE_DIM, STR("none"), 0);
	}
}

static void show_lists(struct screen *x, const struct req_site *s)
{
	show_receivers(x, s);
	if (are_targets_news(x, s)) {
		start_list(x, s->tm.n == 1 && s->rc.n > 1 ? "all run" : "run");
		list_targets(x, s->tm);
	}
	if (x->r->criteria & CRITERION_SENDERS && s->senders.n) {
		start_list(x, "from");
		list_classes(x, s->senders);
	}
	if (x->r->criteria & CRITERION_ARGS)
		show_args(x, s);
}

/* That the receivers would take on one line. */
static uint32_t receivers_columns(struct screen *x, const struct req_site *s)
{
	uint32_t at = x->at;

	x->is_dry = true;
	x->at = x->indent;
	show_receivers(x, s);
	uint32_t n = x->at - x->indent;
	x->is_dry = false;
	x->at = at;
	return n;
}

/*      41  Link.transmit(String)    FastLink, SlowLink
 * Receivers that do not fit beside the call have lines of their own. */
static void show_site(struct screen *x, const struct req_site *s)
{
	char place[32];

	snprintf(place, sizeof place, s->line ? "%u" : "@%u", (unsigned)(s->line ? s->line : s->pc));
	screen_style(&x->s, STYLE_DIM);
	sink_printf(x->s.out, "%*s", LINE_COLUMNS + 2, place);
	screen_plain(&x->s);
	sink_puts(x->s.out, "  ");
	struct str call = declared_call(x, s);
	uint32_t columns = text_columns(call);
	sink_str(x->s.out, call);
	x->at = LINE_COLUMNS + 4 + columns;
	x->indent = LINE_COLUMNS + 4 + (x->call > columns ? x->call : columns) + 2;
	if (x->indent + receivers_columns(x, s) > x->width) {
		x->indent = LINE_COLUMNS + 6;
		words_break(x);
	}
	show_lists(x, s);
	sink_putc(x->s.out, '\n');
}

/* Sites [first, end) are those of one method. */
static uint32_t method_end(const struct screen *x, uint32_t first)
{
	uint32_t end = first + 1;

	while (end < x->r->sites.len && x->r->sites.data[end].method.i == x->r->sites.data[first].method.i)
		end++;
	return end;
}

static void show_unreached(struct screen *x, uint32_t calls)
{
	char buf[32];

	screen_style(&x->s, STYLE_DIM);
	sink_printf(x->s.out, "  not reachable through this interface, %s %s", grouped(calls, buf),
		    calls == 1 ? "call" : "calls");
	screen_plain(&x->s);
}

static void show_method(struct screen *x, uint32_t first, uint32_t end, uint32_t shown)
{
	method_id m = x->r->sites.data[first].method;
	bool is_reached = x->r->sites.data[first].is_reached;

	sink_puts(x->s.out, "    ");
	sink_str(x->s.out, member_part(x, names_method(&x->source, m), method_row(x->r->p, m)->owner));
	if (!is_reached)
		show_unreached(x, shown);
	sink_putc(x->s.out, '\n');
	for (uint32_t i = first; i < end && is_reached; i++)
		if (is_shown(x, &x->r->sites.data[i]))
			show_site(x, &x->r->sites.data[i]);
}

static void show_class(struct screen *x, class_id c)
{
	sink_puts(x->s.out, "\n  ");
	screen_style(&x->s, STYLE_GREEN);
	sink_str(x->s.out, names_class(&x->source, c));
	screen_plain(&x->s);
	sink_putc(x->s.out, '\n');
}

static void show_sites(struct screen *x)
{
	class_id current = { 0 };

	for (uint32_t first = 0, end; first < x->r->sites.len; first = end) {
		class_id c = method_row(x->r->p, x->r->sites.data[first].method)->owner;
		uint32_t shown = 0;
		end = method_end(x, first);
		for (uint32_t i = first; i < end; i++)
			shown += is_shown(x, &x->r->sites.data[i]);
		if (!shown)
			continue;
		if (c.i != current.i)
			show_class(x, c);
		current = c;
		show_method(x, first, end, shown);
	}
}

static void show_listing(struct screen *x)
{
	bool all = x->head->all_sites;
	uint64_t n = all ? x->r->stats.sites : x->r->stats.poly_sites;
	char buf[32];

	if (!n)
		return;
	sink_putc(x->s.out, '\n');
	screen_puts(&x->s, STYLE_BOLD, all ? "Dispatched" : "Polymorphic");
	screen_puts(&x->s, STYLE_BOLD, " calls and their receivers");
	sink_printf(x->s.out, "  %s\n", grouped(n, buf));
	show_sites(x);
}

/* Notes */

/* Most calls first, then in the order of the sites. */
static void sort_missed(struct screen *x)
{
	for (uint32_t i = 1; i < x->missed.len; i++) {
		struct missed m = x->missed.data[i];
		uint32_t at = i;
		for (; at > 0 && x->missed.data[at - 1].sites < m.sites; at--)
			x->missed.data[at] = x->missed.data[at - 1];
		x->missed.data[at] = m;
	}
}

static void add_missed(struct screen *x, struct strbuf *out)
{
	uint32_t n = shown_of(x->missed.len, MAX_TYPES);
	char buf[32];

	sort_missed(x);
	for (uint32_t i = 0; i < n; i++) {
		strbuf_adds(out, i == 0 ? "" : i + 1 == x->missed.len ? " or " : ", ");
		strbuf_addstr(out, names_class(&x->source, x->missed.data[i].c));
	}
	if (n < x->missed.len)
		strbuf_addf(out, " and %s more types", grouped(x->missed.len - n, buf));
}

/* Starts a note: "14 calls have ", "1 call has ". The first one has a title. */
static void start_note(struct screen *x, struct strbuf *note, uint64_t calls, const char *one, const char *many)
{
	char buf[32];

	strbuf_clear(note);
	strbuf_addf(note, "%s %s ", grouped(calls, buf), calls == 1 ? one : many);
	if (x->indent)
		return;
	sink_putc(x->s.out, '\n');
	screen_puts(&x->s, STYLE_BOLD, "Notes");
	sink_putc(x->s.out, '\n');
}

static void end_note(struct screen *x, const struct strbuf *note)
{
	sink_puts(x->s.out, "  - ");
	x->at = x->indent = 4;
	words(x, strbuf_str(note));
	sink_putc(x->s.out, '\n');
}

static void note_starved(struct screen *x, struct strbuf *note)
{
	bool closed = !x->head->clients || strcmp(x->head->clients, "closed") == 0;

	if (!x->starved)
		return;
	start_note(x, note, x->starved, "call has", "calls have");
	strbuf_adds(note, "no receiver: nothing in reach of the interface makes a ");
	add_missed(x, note);
	strbuf_adds(note, " that gets there. Name classes that clients may create in an interface file "
			  "(--show-interface prints one to start from)");
	strbuf_adds(note, closed ? ", or use --clients open." : ".");
	end_note(x, note);
}

static void note_unreached(struct screen *x, struct strbuf *note)
{
	if (!x->unreached)
		return;
	start_note(x, note, x->unreached, "call is", "calls are");
	strbuf_adds(note, "in methods that clients of this interface cannot reach: nothing is required there. Add "
			  "members to the interface if tests should get there.");
	end_note(x, note);
}

static void note_client(struct screen *x, struct strbuf *note)
{
	if (!x->client)
		return;
	start_note(x, note, x->client, "call", "calls");
	strbuf_adds(note, "may have receivers of classes that clients write; tests should bring one of their own.");
	end_note(x, note);
}

static void note_open(struct screen *x, struct strbuf *note)
{
	if (!x->open)
		return;
	start_note(x, note, x->open, "call", "calls");
	strbuf_adds(note, "may see objects that the analysis does not know, from reflection or native code, say: more "
			  "classes than are listed are possible there.");
	end_note(x, note);
}

static void note_callbacks(struct screen *x, struct strbuf *note)
{
	if (!x->by_callback)
		return;
	start_note(x, note, x->by_callback, "call has", "calls have");
	strbuf_adds(note, "receivers that only get there if unknown code, an engine that is found by name, say, calls back.");
	end_note(x, note);
}

static void note_unresolved(struct screen *x, struct strbuf *note)
{
	if (!x->unresolved)
		return;
	start_note(x, note, x->unresolved, "call is", "calls are");
	strbuf_adds(note, "not resolved, for the reasons given there: targets may be missing.");
	end_note(x, note);
}

static void show_notes(struct screen *x)
{
	struct strbuf note = { 0 };

	x->indent = 0;          /* no note yet */
	note_starved(x, &note);
	note_unreached(x, &note);
	note_client(x, &note);
	note_open(x, &note);
	note_callbacks(x, &note);
	note_unresolved(x, &note);
	strbuf_release(&note);
}

bool report_requirements_text(struct sink *out, const struct requirements *r, const struct requirements_head *head)
{
	struct screen x = { .s = { out, head->head.color }, .r = r, .head = head, .width = screen_width(&head->head) };

	names_init(&x.source, r->p, name_source, ESCAPE_PLAIN);
	interner_init(&x.simple);
	survey(&x);
	show_head(&x);
	show_figures(&x);
	show_averages(&x);
	show_listing(&x);
	show_notes(&x);
	names_release(&x.source);
	interner_release(&x.simple);
	vec_release(&x.by_simple);
	vec_release(&x.missed);
	map_release(&x.missed_of);
	strbuf_release(&x.text);
	return sink_finish(out);
}
