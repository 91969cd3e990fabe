/* SPDX-License-Identifier: Apache-2.0 */
/* screen.c - what the screens about C programs share. */
#include "report/c/c_p.h"

#define MIN_WIDTH 72

static struct str folder_of(struct str file)
{
	return str_sub(file, 0, (uint32_t)(str_rfind(file, '/') + 1));
}

/* What two folders begin with, up to a slash. */
static struct str common(struct str a, struct str b)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < a.len && i < b.len && a.p[i] == b.p[i]; i++)
		if (a.p[i] == '/')
			n = i + 1;
	return str_sub(a, 0, n);
}

/* The folder that all files of functions of the program are in. */
static struct str common_folder(const struct c_result *r)
{
	const struct cprogram *p = r->program;
	struct str folder = { 0 };
	bool first = true;

	for (uint32_t f = 1; f < p->fns.len; f++) {
		struct str file = interned(&p->names, p->locs.data[p->fns.data[f].loc.i].file);
		if (!p->fns.data[f].loc.i || !file.len || !c_is_own(r, (cfn_id){ f }))
			continue;
		folder = first ? folder_of(file) : common(folder, folder_of(file));
		first = false;
	}
	return folder;
}

void c_screen_init(struct c_screen *s, struct sink *out, const struct c_result *r, const struct c_head *head)
{
	*s = (struct c_screen){ .out = { out, head->color }, .r = r, .head = head };
	s->width = head->width == 0 ? 100 : head->width < MIN_WIDTH ? MIN_WIDTH : head->width;
	c_names_init(&s->names, r, ESCAPE_PLAIN);
	s->prefix = common_folder(r);
}

void c_screen_release(struct c_screen *s)
{
	c_names_release(&s->names);
	strbuf_release(&s->text);
}

void c_screen_pad(struct c_screen *s, uint32_t n)
{
	while (n-- > 0)
		sink_putc(s->out.out, ' ');
}

static struct str first_columns(struct str t, uint32_t n)
{
	return str_sub(t, 0, t.len - text_skip(t, n).len);
}

uint32_t c_screen_fitted(struct c_screen *s, struct str t, uint32_t width)
{
	uint32_t n = text_columns(t);

	if (n <= width) {
		sink_str(s->out.out, t);
		return n;
	}
	sink_puts(s->out.out, "…");
	sink_str(s->out.out, text_skip(t, n - width + 1));
	return width;
}

uint32_t c_screen_start(struct c_screen *s, struct str t, uint32_t width)
{
	uint32_t n = text_columns(t);

	if (n <= width) {
		sink_str(s->out.out, t);
		return n;
	}
	sink_str(s->out.out, first_columns(t, width - 1));
	sink_puts(s->out.out, "…");
	return width;
}

uint32_t c_name_columns(const struct c_screen *s, struct str t, uint32_t width)
{
	uint32_t n = text_columns(t);

	return n <= width || s->head->all || s->head->patterns.n ? n : width;
}

uint32_t c_screen_name(struct c_screen *s, struct str t, uint32_t width)
{
	uint32_t n = text_columns(t), room = c_name_columns(s, t, width);

	if (n <= room) {
		sink_str(s->out.out, t);
		return n;
	}
	sink_str(s->out.out, first_columns(t, room / 2));
	sink_puts(s->out.out, "…");
	sink_str(s->out.out, text_skip(t, n - (room - room / 2 - 1)));
	return room;
}

/* A row of facts whose value continues below itself; between words, which have no blanks in them. */
static void wrapped_fact(struct c_screen *s, const char *label, struct str value)
{
	enum { AT = 14 };
	uint32_t at = AT;

	screen_label(&s->out, label);
	for (uint32_t i = 0, end; i < value.len; i = end + 1) {
		for (end = i; end < value.len && value.p[end] != ' ';)
			end++;
		strbuf_clear(&s->text);
		escape_add(&s->text, ESCAPE_PLAIN, str_sub(value, i, end));
		uint32_t n = text_columns(strbuf_str(&s->text));
		if (at > AT && at + 1 + n > s->width) {
			sink_putc(s->out.out, '\n');
			c_screen_pad(s, AT);
			at = AT;
		} else if (at > AT) {
			sink_putc(s->out.out, ' ');
			at++;
		}
		at += c_screen_fitted(s, strbuf_str(&s->text), s->width - AT);
	}
	sink_putc(s->out.out, '\n');
}

/* Of several, without their folders. */
static void add_files(const char *const *files, uint32_t n, struct strbuf *out)
{
	for (uint32_t i = 0; i < n && i < 3; i++) {
		struct str name = str_of(files[i]);
		if (n > 1)
			name = str_sub(name, (uint32_t)(str_rfind(name, '/') + 1), name.len);
		strbuf_adds(out, i ? ", " : "");
		strbuf_addstr(out, name);
	}
	if (n > 3)
		strbuf_addf(out, " and %u more", n - 3);
}

static void add_clients(const struct c_head *head, struct strbuf *out)
{
	strbuf_addf(out, "any client of the library, which can name %s", head->nexports ? "what is in " : "all that is visible");
	for (uint32_t i = 0; i < head->nexports && i < 3; i++)
		strbuf_addf(out, "%s%s", i ? ", " : "", head->exports[i]);
	if (head->nexports > 3)
		strbuf_addf(out, " and %u more", head->nexports - 3);
}

void c_screen_head(struct c_screen *s, const char *title)
{
	const struct c_head *head = s->head;
	struct strbuf text = { 0 };

	screen_puts(&s->out, STYLE_BOLD, title);
	sink_putc(s->out.out, '\n');
	add_files(head->modules, head->nmodules, &text);
	wrapped_fact(s, head->nmodules == 1 ? "Module" : "Modules", strbuf_str(&text));
	strbuf_clear(&text);
	add_files(head->summaries, head->nsummaries, &text);
	if (head->nsummaries)
		wrapped_fact(s, head->nsummaries == 1 ? "Summary" : "Summaries", strbuf_str(&text));
	strbuf_clear(&text);
	if (head->library)
		add_clients(head, &text);
	else
		strbuf_adds(&text, "main");
	wrapped_fact(s, "Entry", strbuf_str(&text));
	strbuf_clear(&text);
	strbuf_addf(&text, "%s, ", head->engine);
	if (head->categories)
		strbuf_addf(&text, "%u categories, ", head->categories);
	strbuf_adds(&text, head->fields ? "fields apart" : "every object as one cell");
	wrapped_fact(s, "Engine", strbuf_str(&text));
	sink_putc(s->out.out, '\n');
	strbuf_release(&text);
}

static void figure(struct c_screen *s, const char *label, uint64_t n)
{
	char buf[32];

	sink_printf(s->out.out, "  %-18s", label);
	screen_style(&s->out, STYLE_BOLD);
	sink_printf(s->out.out, "%13s", grouped(n, buf));
	screen_plain(&s->out);
}

static void figure_row(struct c_screen *s, const char *a, uint64_t na, const char *b, uint64_t nb)
{
	figure(s, a, na);
	sink_puts(s->out.out, "  ");
	figure(s, b, nb);
	sink_putc(s->out.out, '\n');
}

/* Those of the program: a reader counts neither models nor what stands for clients. */
void c_screen_figures(struct c_screen *s)
{
	struct cpta_stats st = *s->r->stats;

	figure_row(s, "Functions", st.functions, "Statements", st.statements);
	figure_row(s, "Variables", st.variables, "Points-to pairs", st.points_to_pairs);
	figure_row(s, "Objects", st.objects, "Cells", st.cells);
	figure_row(s, "Indirect calls", st.indirect_calls, "Their edges", st.indirect_edges);
	figure_row(s, "Unknown functions", s->head->nunknown, "Collapsed objects", st.collapsed);
}

void c_screen_title(struct c_screen *s, const char *text, uint64_t count)
{
	screen_title(&s->out, text, count);
}

void c_screen_more(struct c_screen *s, uint64_t hidden, const char *how)
{
	char buf[32];

	if (!hidden)
		return;
	screen_style(&s->out, STYLE_DIM);
	sink_printf(s->out.out, "  … %s more%s%s%s", grouped(hidden, buf), *how ? " (" : "", how, *how ? ")" : "");
	screen_plain(&s->out);
	sink_putc(s->out.out, '\n');
}

void c_add_place(const struct c_screen *s, cloc_id l, bool column, struct strbuf *out)
{
	const struct cloc *at = &s->r->program->locs.data[l.i];
	struct str file = interned(&s->r->program->names, at->file);

	if (!l.i || !file.len) {
		strbuf_adds(out, "?");
		return;
	}
	if (s->prefix.len && file.len > s->prefix.len && memcmp(file.p, s->prefix.p, s->prefix.len) == 0)
		file = str_sub(file, s->prefix.len, file.len);
	escape_add(out, ESCAPE_PLAIN, file);
	if (at->line)
		strbuf_addf(out, ":%u", at->line);
	if (at->line && at->column && column)
		strbuf_addf(out, ":%u", at->column);
}

static void more_of_set(struct c_screen *s, uint32_t n)
{
	char buf[32];

	screen_style(&s->out, STYLE_DIM);
	sink_printf(s->out.out, " … %s more", grouped(n, buf));
	screen_plain(&s->out);
}

/* As the source has it, inside the function. */
static struct str shown_name(const struct c_screen *s, uint32_t rank)
{
	struct str name = s->names.text[rank];

	if (!s->locals.len || name.len <= s->locals.len || memcmp(name.p, s->locals.p, s->locals.len) != 0)
		return name;
	return str_sub(name, s->locals.len, name.len);
}

/* Names are never broken, and cut where they are longer than a line. On the last line there is room left to say how many are
 * missing. */
void c_screen_set(struct c_screen *s, struct c_set set, uint32_t at, uint32_t indent, uint32_t lines)
{
	enum { ROOM = 16 };
	uint32_t line = 1;
	bool first = true;

	for (uint32_t i = 0; i < set.n; i++) {
		struct str name = shown_name(s, set.ranks[i]);
		uint32_t room = s->width - indent - ROOM, n = c_name_columns(s, name, room) + 2;
		uint32_t limit = lines && line == lines && i + 1 < set.n ? s->width - ROOM : s->width;
		if ((!first || (at > indent && lines != 1)) && at + n > limit) {
			if (lines && line == lines) {
				more_of_set(s, set.n - i);
				break;
			}
			sink_putc(s->out.out, '\n');
			c_screen_pad(s, indent);
			at = indent;
			line++;
			first = true;
		}
		if (!first)
			sink_putc(s->out.out, ' ');
		c_screen_name(s, name, room);
		if (i + 1 < set.n)
			sink_putc(s->out.out, ',');
		at += n;
		first = false;
	}
	sink_putc(s->out.out, '\n');
}

/* What the note is about: it leaves room for the place. */
static uint32_t note_name(struct c_screen *s, str_id name)
{
	strbuf_clear(&s->text);
	escape_add(&s->text, ESCAPE_PLAIN, interned(&s->r->program->names, name));
	return c_screen_start(s, strbuf_str(&s->text), s->width / 2);
}

/* One kind of notes: what is assumed, and the places, as far as they fit into a few rows. */
static void note_rows(struct c_screen *s, const struct cnote *notes, uint32_t n)
{
	uint32_t shown = 0, all = s->head->all ? UINT32_MAX : 5;
	struct strbuf place = { 0 };

	for (; shown < n && shown < all; shown++) {
		const struct cnote *x = &notes[shown];
		uint32_t used = 4;
		strbuf_clear(&place);
		sink_puts(s->out.out, "    ");
		if (x->text.i)
			used = 4 + note_name(s, x->text);
		if (x->loc.i) {
			strbuf_adds(&place, used > 4 ? "  " : "");
			c_add_place(s, x->loc, false, &place);
		}
		if (x->fn.i)
			strbuf_addf(&place, "%sin %s", place.len || used > 4 ? "  " : "", s->names.fns[x->fn.i].p);
		c_screen_start(s, strbuf_str(&place), s->width - used);
		sink_putc(s->out.out, '\n');
	}
	strbuf_release(&place);
	if (shown < n)
		sink_puts(s->out.out, "  ");
	c_screen_more(s, n - shown, "--all lists them");
}

void c_screen_notes(struct c_screen *s)
{
	uint64_t left_out = s->r->stats->mismatched;
	c_note_vec notes = { 0 };
	char buf[32];

	c_notes(s->r, &notes);
	if (notes.len || left_out)
		c_screen_title(s, "Assumptions", notes.len + (left_out != 0));
	if (left_out) {
		sink_puts(s->out.out, "  calls with a wrong number of arguments are left out (--calls any)  ");
		screen_style(&s->out, STYLE_BOLD);
		sink_puts(s->out.out, grouped(left_out, buf));
		screen_plain(&s->out);
		sink_putc(s->out.out, '\n');
	}
	for (uint32_t i = 0, n; i < notes.len; i += n) {
		for (n = 1; i + n < notes.len && notes.data[i + n].kind == notes.data[i].kind;)
			n++;
		sink_printf(s->out.out, "  %s  ", c_note_title(notes.data[i].kind));
		screen_style(&s->out, STYLE_BOLD);
		sink_puts(s->out.out, grouped(n, buf));
		screen_plain(&s->out);
		sink_putc(s->out.out, '\n');
		note_rows(s, &notes.data[i], n);
	}
	vec_release(&notes);
}
