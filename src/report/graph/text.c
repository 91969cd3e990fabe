/* SPDX-License-Identifier: Apache-2.0 */
/* text.c - a call graph as a screen for people: what was asked, the figures, what deserves a look, and the
 * calls of the application itself when they fit. The other formats hold everything. */
#include "report/java/order.h"
#include "report/graph/callgraph.h"
#include "report/java/additions.h"
#include "report/java/names.h"
#include "report/write/escape.h"
#include "report/write/screen.h"

#define TOP 10             /* rows of a table */
#define MAX_ROWS 200       /* of the listing */
#define MIN_WIDTH 72
#define WHY_WIDTH 96       /* from here on there is room for a column of reasons */

/* One site of a table, or the first of several with the same target set. */
struct row {
	const struct cg_site *site;
	method_id caller;
	uint32_t targets, sites;
};
typedef VEC(struct row) row_list;

struct screen {
	struct sink *out;
	struct callgraph *g;
	const struct program *p;
	const struct report_head *head;
	struct cg_stats stats;
	struct names names, brief;    /* with parameters, without */
	struct order order;
	uint32_t width;
	struct strbuf scratch;
	struct row poly[TOP];         /* most targets first */
	uint32_t npoly;
	row_list unresolved[3];       /* of the application, of the rest, native methods; the first ones, or all */
	uint64_t by_reason[REASONS], by_cause[CG_CAUSES], nunresolved;        /* of what is looked at */
	uint64_t app_poly, app_rows;  /* polymorphic sites and listing rows of the application, or of the part */
	VEC(const struct cg_site *) listed;   /* of one method */
};

static struct screen_out colours(const struct screen *s)
{
	return (struct screen_out){ s->out, s->head->color };
}

static void style(struct screen *s, enum style st)
{
	struct screen_out out = colours(s);

	screen_style(&out, st);
}

static void plain(struct screen *s)
{
	struct screen_out out = colours(s);

	screen_plain(&out);
}

static void puts_styled(struct screen *s, enum style st, const char *text)
{
	struct screen_out out = colours(s);

	screen_puts(&out, st, text);
}

static void pad(struct screen *s, uint32_t n)
{
	while (n-- > 0)
		sink_putc(s->out, ' ');
}

/* Writes `t` in at most `width` columns and returns how many it took; what goes is the start. */
static uint32_t write_fitted(struct screen *s, struct str t, uint32_t width)
{
	uint32_t n = text_columns(t);

	if (n <= width) {
		sink_str(s->out, t);
		return n;
	}
	sink_puts(s->out, "…");
	sink_str(s->out, text_skip(t, n - width + 1));
	return width;
}

/* Where the package in front of Class.method ends. */
static uint32_t package_end(struct str name)
{
	int64_t method = str_rfind(name, '.');
	int64_t class = method > 0 ? str_rfind(str_sub(name, 0, (uint32_t)method), '.') : -1;

	return class < 0 ? 0 : (uint32_t)class;
}

/* The name with as many of its packages, from the first on, cut to a letter as it takes: j.util.Map.get(Object) */
static struct str abbreviate(struct str name, uint32_t width, struct strbuf *out)
{
	uint32_t n = text_columns(name), end = package_end(name), at = 0;

	strbuf_clear(out);
	while (n > width && at < end) {
		uint32_t dot = at, letter = at + 1;
		while (dot < end && name.p[dot] != '.')
			dot++;
		while (letter < dot && text_is_tail(name.p[letter]))
			letter++;
		if (letter < dot)
			n -= text_columns(str_sub(name, letter, dot));
		strbuf_addstr(out, str_sub(name, at, letter < dot ? letter : dot));
		strbuf_addch(out, '.');
		at = dot + 1;
	}
	strbuf_addstr(out, str_sub(name, at, name.len));
	return strbuf_str(out);
}

/* Writes a name in at most `width` columns and returns how many it took: `full` if it fits, then without most
 * of the packages, then `brief`, without the parameters too. */
static uint32_t write_name(struct screen *s, struct str full, struct str brief, uint32_t width)
{
	struct str text = abbreviate(full, width, &s->scratch);

	if (text_columns(text) <= width || full.len <= brief.len + 2 || width < 8)
		return write_fitted(s, text, width);
	uint32_t n = write_fitted(s, abbreviate(brief, width - 3, &s->scratch), width - 3);
	sink_puts(s->out, "(…)");
	return n + 3;
}

static void write_method(struct screen *s, method_id m, uint32_t width)
{
	write_name(s, names_method(&s->names, m), names_method(&s->brief, m), width);
}

static void title(struct screen *s, const char *text, uint64_t count)
{
	struct screen_out out = colours(s);

	screen_title(&out, text, count);
}

/* Was a part of the graph asked for? */
static bool is_part(const struct screen *s)
{
	return s->head->selection.writes;
}

/* Is it looked at, and are its calls listed? Those that were asked for are, else those of the application. */
static bool is_own(const struct screen *s, method_id m)
{
	if (is_part(s))
		return selection_has(&s->head->selection, s->p, m);
	return s->head->is_application && s->head->is_application(s->head->application, method_row(s->p, m)->owner);
}

/* Is it listed below a call that has several targets? */
static bool is_listed(const struct screen *s, method_id m)
{
	return is_part(s) ? selection_writes_called(&s->head->selection, method_row(s->p, m)->owner) : is_own(s, m);
}

static uint32_t listed_targets(const struct screen *s, struct cg_targets t)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < t.n; i++)
		n += is_listed(s, t.methods[i]);
	return n;
}

/* Counts the site with an earlier one of the same set. */
static bool poly_join(struct screen *s, const struct row *r)
{
	for (uint32_t i = 0; i < s->npoly; i++)
		if (s->poly[i].site->set == r->site->set) {
			s->poly[i].sites++;
			return true;
		}
	return false;
}

/* Keeps the TOP target sets with the most targets, first come first. A set that was pushed out or refused
 * never comes back, so the counts are right. */
static void poly_add(struct screen *s, struct row r)
{
	uint32_t at = s->npoly;

	if (poly_join(s, &r))
		return;
	if (at == TOP && s->poly[TOP - 1].targets >= r.targets)
		return;
	if (at == TOP)
		at--;
	else
		s->npoly++;
	for (; at > 0 && s->poly[at - 1].targets < r.targets; at--)
		s->poly[at] = s->poly[at - 1];
	s->poly[at] = r;
}

/* What is known of a dynamic call that is not resolved; NULL: it is none. */
static const struct cg_dynamic *why_not(const struct screen *s, const struct row *r)
{
	const struct cg_dynamic *d = r->site->implied ? NULL : callgraph_dynamic_at(s->g, r->caller, r->site->pc);

	return d && !d->is_resolved ? d : NULL;
}

static void unresolved_add(struct screen *s, struct row r, bool app)
{
	row_list *part = &s->unresolved[app ? 0 : r.site->cause == CG_NATIVE ? 2 : 1];
	const struct cg_dynamic *d = why_not(s, &r);

	if (part->len < TOP || s->head->is_verbose)
		vec_push(part, r);
	s->by_reason[d ? d->why.reason : REASON_NONE]++;
	s->by_cause[r.site->cause]++;
	s->nunresolved++;
}

static void survey_application_site(struct screen *s, struct row r)
{
	s->app_rows++;
	if (r.targets < 2)
		return;
	s->app_rows += listed_targets(s, callgraph_targets(s->g, r.site));
	if (s->app_poly++ == 0)
		s->npoly = 0;         /* the application's sites push out the library's */
}

static void survey_method(struct screen *s, method_id m)
{
	uint32_t n;
	const struct cg_site *sites = callgraph_sites(s->g, m, &n);
	bool app = is_own(s, m);

	if (is_part(s) && !app)
		return;
	for (uint32_t i = 0; i < n; i++) {
		struct row r = { &sites[i], m, callgraph_targets(s->g, &sites[i]).n, 1 };
		if (app)
			survey_application_site(s, r);
		if (r.targets > 1 && (app || !s->app_poly))
			poly_add(s, r);
		if (sites[i].cause != CG_RESOLVED)
			unresolved_add(s, r, app);
	}
}

static void survey(struct screen *s)
{
	uint32_t n = callgraph_nmethods(s->g);

	for (uint32_t k = 0; k < n; k++)
		survey_method(s, callgraph_method(s->g, k));
}

static void write_asked(struct screen *s, const char *label, const char *value)
{
	struct strbuf text = { 0 };

	if (!value)
		return;
	sink_printf(s->out, "  %-12s", label);
	escape_add(&text, ESCAPE_PLAIN, str_of(value));
	write_fitted(s, strbuf_str(&text), s->width - 14);
	sink_putc(s->out, '\n');
	strbuf_release(&text);
}

static void write_addition(void *ctx, const char *label, struct str text)
{
	write_asked(ctx, label, text.p);
}

static void write_head(struct screen *s)
{
	puts_styled(s, STYLE_BOLD, "Call graph");
	sink_putc(s->out, '\n');
	write_asked(s, "Entry", s->head->entry);
	write_asked(s, "Algorithm", s->head->algorithm);
	write_asked(s, "Class path", s->head->class_path);
	additions_show(callgraph_program(s->g), write_addition, s);
	write_asked(s, "JDK", s->head->jdk);
	sources_show(&s->head->facts, write_addition, s);
	settings_show(&s->head->settings, write_addition, s);
	sink_putc(s->out, '\n');
}

static void write_figure(struct screen *s, const char *label, uint64_t n)
{
	struct screen_out out = colours(s);

	screen_figure(&out, label, n);
}

static void write_figures(struct screen *s)
{
	const struct cg_stats *st = &s->stats;

	write_figure(s, "Methods", st->methods), write_figure(s, "Call sites", st->sites);
	sink_putc(s->out, '\n');
	write_figure(s, "Edges", st->edges), write_figure(s, "Polymorphic", st->poly_sites);
	screen_share(s->out, st->poly_sites, st->sites);
	write_figure(s, "Method edges", st->method_edges), write_figure(s, "Unresolved", st->unresolved);
	sink_putc(s->out, '\n');
	write_figure(s, "Classes", st->classes), write_figure(s, "Missing classes", s->p->phantoms.len);
	sink_putc(s->out, '\n');
	if (st->open_sites) {
		write_figure(s, "Open sites", st->open_sites);
		sink_puts(s->out, "  receivers may be of unknown class\n");
	}
	if (st->callback_edges) {
		write_figure(s, "Callback edges", st->callback_edges);
		sink_puts(s->out, "  only there if unknown code calls back\n");
	}
}

/* Where a site is, for people: Class.method:line, or @pc without line numbers. */
static void add_row_place(struct screen *s, const struct row *r, struct strbuf *out)
{
	uint32_t line = line_of(s->p, r->caller, r->site->pc);

	strbuf_clear(out);
	strbuf_addstr(out, names_method(&s->brief, r->caller));
	if (line)
		strbuf_addf(out, ":%u", (unsigned)line);
	else
		strbuf_addf(out, "@%u", (unsigned)r->site->pc);
}

static void add_field(struct screen *s, field_id f, struct strbuf *out)
{
	strbuf_addstr(out, names_class(&s->brief, field_row(s->p, f)->owner));
	strbuf_addch(out, '.');
	escape_add(out, ESCAPE_PLAIN, sel_name(s->p, field_row(s->p, f)->sel));
}

static struct str declared(struct screen *s, const struct cg_site *site)
{
	if (site->mref.i)
		return names_mref(&s->names, site->mref);
	if (site->cause == CG_NATIVE)
		return STR("native code");
	return site->op == IR_CALL_DYNAMIC ? STR("invokedynamic") : STR("made by the JVM");
}

/* How wide the columns of a table of sites are, when `used` columns are taken already. */
struct layout {
	uint32_t site, declared;
};

static struct layout lay_out(struct screen *s, const struct row *rows, uint32_t n, uint32_t used)
{
	struct strbuf place = { 0 };
	uint32_t room = s->width - used - 2, site = 0, target = 0;

	for (uint32_t i = 0; i < n; i++) {
		add_row_place(s, &rows[i], &place);
		uint32_t a = text_columns(strbuf_str(&place)), b = text_columns(declared(s, rows[i].site));
		site = a > site ? a : site;
		target = b > target ? b : target;
	}
	strbuf_release(&place);
	if (site + target > room && site > room / 2)
		site = target < room / 2 ? room - target : room / 2;
	if (site < 10)
		site = 10;            /* the heading */
	return (struct layout){ site, room - site };
}

static void write_row(struct screen *s, const struct row *r, struct layout l)
{
	struct strbuf place = { 0 };
	mref_id ref = r->site->mref;

	add_row_place(s, r, &place);
	struct str at = strbuf_str(&place);
	pad(s, l.site + 2 - write_name(s, at, at, l.site));
	if (ref.i)
		write_name(s, names_mref(&s->names, ref), names_mref(&s->brief, ref), l.declared);
	else
		write_fitted(s, declared(s, r->site), l.declared);
	sink_putc(s->out, '\n');
	strbuf_release(&place);
}

static void write_table_head(struct screen *s, const char *first, const char *site, struct layout l)
{
	style(s, STYLE_DIM);
	sink_printf(s->out, "  %s  %-*s  ", first, (int)l.site, site);
	sink_puts(s->out, "Declared target");
	plain(s);
	sink_putc(s->out, '\n');
}

static void write_poly(struct screen *s)
{
	struct layout l = lay_out(s, s->poly, s->npoly, 18);
	char targets[32], sites[32];

	if (!s->npoly || (is_part(s) && !s->app_poly))
		return;
	if (s->app_poly)
		title(s, s->head->selection.only ? "Polymorphic sites of these classes" : "Polymorphic sites of the application", s->app_poly);
	else
		title(s, "Polymorphic sites", s->stats.poly_sites);
	write_table_head(s, "Targets  Sites", "First site", l);
	for (uint32_t i = 0; i < s->npoly; i++) {
		const struct row *r = &s->poly[i];
		sink_printf(s->out, "  %7s  %5s  ", grouped(r->targets, targets), grouped(r->sites, sites));
		write_row(s, r, l);
	}
}

static const char *cause_name(unsigned c)
{
	return cg_cause_name((enum cg_cause)c);
}

static const char *reason_name(unsigned r)
{
	return dynamic_reason_name((enum dynamic_reason)r);
}

/* "reflection 12, native 3", most frequent first; the first of the counts is no news. */
static void write_counts(struct screen *s, const uint64_t *counts, unsigned n, const char *(*name)(unsigned))
{
	bool done[CG_CAUSES + REASONS] = { true };
	char buf[32];
	const char *before = "  ";

	for (unsigned round = 1; round < n; round++) {
		unsigned most = 0;
		for (unsigned c = 1; c < n; c++)
			if (!done[c] && (most == 0 || counts[c] > counts[most]))
				most = c;
		done[most] = true;
		if (!counts[most])
			break;
		sink_printf(s->out, "%s%s %s", before, name(most), grouped(counts[most], buf));
		before = ", ";
	}
	sink_putc(s->out, '\n');
}

/* The last line of a list of which only some are shown. */
static void write_more(struct screen *s, uint64_t hidden)
{
	char buf[32];

	if (!hidden)
		return;
	style(s, STYLE_DIM);
	sink_printf(s->out, "  … %s more\n", grouped(hidden, buf));
	plain(s);
}

static row_list pick_unresolved(const struct screen *s)
{
	row_list rows = { 0 };

	for (int part = 0; part < 3; part++)
		for (uint32_t i = 0; i < s->unresolved[part].len && (rows.len < TOP || s->head->is_verbose); i++)
			vec_push(&rows, s->unresolved[part].data[i]);
	return rows;
}

/* The reason in words, and where it began, unless that is the site itself. */
static void write_why(struct screen *s, const struct row *r)
{
	const struct cg_dynamic *d = why_not(s, r);
	struct strbuf place = { 0 };

	if (!d || !s->head->is_verbose || d->why.reason == REASON_CALL)
		return;
	if (d->why.field.i)
		add_field(s, d->why.field, &place);
	else
		add_place(&s->brief, d->why.method, d->why.pc, &place);
	if (d->why.name.i) {
		strbuf_adds(&place, "  ");
		escape_add(&place, ESCAPE_PLAIN, interned(&s->p->strings, d->why.name));
	}
	style(s, STYLE_DIM);
	pad(s, 17);
	sink_printf(s->out, "%s: ", dynamic_reason_help(d->why.reason));
	sink_str(s->out, strbuf_str(&place));
	plain(s);
	sink_putc(s->out, '\n');
	strbuf_release(&place);
}

static void write_unresolved_row(struct screen *s, const struct row *r, struct layout l)
{
	const struct cg_dynamic *d = why_not(s, r);

	style(s, STYLE_RED);
	sink_printf(s->out, "  %-13s", cg_cause_name(r->site->cause));
	plain(s);
	if (s->width >= WHY_WIDTH)
		sink_printf(s->out, "  %-9s", d ? dynamic_reason_name(d->why.reason) : "");
	sink_puts(s->out, "  ");
	write_row(s, r, l);
	write_why(s, r);
}

static void write_unresolved(struct screen *s)
{
	row_list rows = pick_unresolved(s);
	bool has_why = s->width >= WHY_WIDTH;
	struct layout l = lay_out(s, rows.data, rows.len, has_why ? 28 : 17);

	if (rows.len) {
		title(s, "Unresolved sites", s->nunresolved);
		write_counts(s, s->by_cause, CG_CAUSES, cause_name);
		if (s->head->is_verbose)
			write_counts(s, s->by_reason, REASONS, reason_name);
		write_table_head(s, has_why ? "Cause          Why      " : "Cause        ", "Site", l);
	}
	for (uint32_t i = 0; i < rows.len; i++)
		write_unresolved_row(s, &rows.data[i], l);
	write_more(s, s->nunresolved - rows.len);
	vec_release(&rows);
}

static void write_missing(struct screen *s)
{
	uint32_t n;
	const struct str *names = phantom_names(s->p, &s->order.mem, &n);
	struct strbuf text = { 0 };

	if (!n)
		return;
	title(s, "Missing classes", n);
	for (uint32_t i = 0; i < n && i < TOP; i++) {
		strbuf_clear(&text);
		escape_add(&text, ESCAPE_PLAIN, names[i]);
		sink_puts(s->out, "  ");
		write_fitted(s, strbuf_str(&text), s->width - 2);
		sink_putc(s->out, '\n');
	}
	write_more(s, n > TOP ? n - TOP : 0);
	strbuf_release(&text);
}

/* The application's targets of a polymorphic site, below it. */
static void write_targets(struct screen *s, struct cg_targets t, bool last_site)
{
	uint32_t left = listed_targets(s, t);

	for (uint32_t i = 0; i < t.n; i++) {
		if (!is_listed(s, t.methods[i]))
			continue;
		sink_puts(s->out, last_site ? "         " : "  │      ");
		sink_puts(s->out, --left ? "├─ " : "└─ ");
		write_method(s, t.methods[i], s->width - 12);
		sink_putc(s->out, '\n');
	}
}

/* What a site's row says after the name. */
static void add_note(const struct cg_site *site, uint32_t targets, struct strbuf *out)
{
	char buf[32];

	if (targets > 1)
		strbuf_addf(out, "  %s targets", grouped(targets, buf));
	if (targets == 0 && site->cause == CG_RESOLVED && site->open)
		strbuf_adds(out, "  no known target: receivers are of unknown class");
	else if (targets == 0 && site->cause == CG_RESOLVED)
		strbuf_adds(out, "  no target: no such object gets here");
	if (site->implied > 1)
		strbuf_addf(out, "  by %s%s", dynamic_sort_name((enum dynamic_sort)(site->implied - 1)), site->fact ? ", a fact" : "");
	else if (site->implied && site->cause != CG_NATIVE)
		strbuf_adds(out, "  implied");
	if (site->cause != CG_RESOLVED)
		strbuf_addf(out, "  unresolved: %s", cg_cause_name(site->cause));
}

static void write_note(struct screen *s, const struct cg_site *site, struct strbuf *note)
{
	style(s, site->cause != CG_RESOLVED ? STYLE_RED : STYLE_DIM);
	sink_str(s->out, strbuf_str(note));
	plain(s);
	sink_putc(s->out, '\n');
}

static void write_called(struct screen *s, const struct cg_site *site, struct cg_targets t, uint32_t width)
{
	if (t.n == 1)
		write_method(s, t.methods[0], width);
	else if (site->mref.i)
		write_name(s, names_mref(&s->names, site->mref), names_mref(&s->brief, site->mref), width);
	else
		write_fitted(s, declared(s, site), width);
}

static void write_site(struct screen *s, method_id caller, const struct cg_site *site, bool last)
{
	struct cg_targets t = order_targets(&s->order, site);
	struct strbuf note = { 0 };
	uint32_t line = line_of(s->p, caller, site->pc);

	add_note(site, t.n, &note);
	sink_puts(s->out, last ? "  └─ " : "  ├─ ");
	if (line)
		sink_printf(s->out, "%5u  ", (unsigned)line);
	else
		sink_printf(s->out, "@%-4u  ", (unsigned)site->pc);
	uint32_t used = 12 + (uint32_t)note.len;
	write_called(s, site, t, s->width > used + 8 ? s->width - used : 8);
	write_note(s, site, &note);
	if (t.n > 1)
		write_targets(s, t, last);
	strbuf_release(&note);
}

/* The sites of the method that are listed. */
static void list_sites(struct screen *s, method_id m)
{
	uint32_t n;
	const struct cg_site *sites = callgraph_sites(s->g, m, &n);

	vec_clear(&s->listed);
	for (uint32_t i = 0; i < n; i++)
		if (selection_has_site(&s->head->selection, s->p, &sites[i], callgraph_targets(s->g, &sites[i])))
			vec_push(&s->listed, &sites[i]);
}

static void write_caller(struct screen *s, method_id m)
{
	list_sites(s, m);
	if (s->listed.len == 0)
		return;
	sink_puts(s->out, "  ");
	style(s, STYLE_GREEN);
	write_method(s, m, s->width - 10);
	plain(s);
	if (callgraph_is_entry(s->g, m))
		puts_styled(s, STYLE_DIM, "  entry");
	sink_putc(s->out, '\n');
	for (uint32_t i = 0; i < s->listed.len; i++)
		write_site(s, m, s->listed.data[i], i + 1 == s->listed.len);
}

/* What was asked for is listed, however long it is. */
static bool has_listing(const struct screen *s)
{
	return s->app_rows && (s->head->selection.only || s->app_rows <= MAX_ROWS);
}

static void write_listing(struct screen *s)
{
	uint32_t n = callgraph_nmethods(s->g);

	if (!has_listing(s))
		return;
	sink_putc(s->out, '\n');
	puts_styled(s, STYLE_BOLD, s->head->selection.only ? "Calls of these classes" : "Calls of the application");
	sink_putc(s->out, '\n');
	for (uint32_t k = 0; k < n; k++)
		if (is_own(s, callgraph_method(s->g, k)))
			write_caller(s, callgraph_method(s->g, k));
}

static void write_left(struct screen *s)
{
	struct strbuf text = { 0 };

	if (!is_part(s))
		return;
	selection_tell(&s->head->selection, selection_apply(&s->head->selection, s->g, NULL), &text);
	write_asked(s, "Left out", text.s);
	strbuf_release(&text);
}

bool report_callgraph_text(struct sink *out, struct callgraph *g, const struct report_head *head)
{
	struct screen s = { .out = out, .g = g, .p = callgraph_program(g), .head = head, .stats = callgraph_stats(g) };

	s.width = head->width == 0 ? 100 : head->width < MIN_WIDTH ? MIN_WIDTH : head->width;
	names_init(&s.names, s.p, name_source, ESCAPE_PLAIN);
	names_init(&s.brief, s.p, name_brief, ESCAPE_PLAIN);
	order_init(&s.order, g);
	survey(&s);
	write_head(&s);
	write_figures(&s);
	write_left(&s);
	write_poly(&s);
	write_unresolved(&s);
	write_missing(&s);
	write_listing(&s);
	names_release(&s.names);
	names_release(&s.brief);
	strbuf_release(&s.scratch);
	vec_release(&s.listed);
	for (int part = 0; part < 3; part++)
		vec_release(&s.unresolved[part]);
	order_release(&s.order);
	return sink_finish(out);
}
