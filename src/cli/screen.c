/* SPDX-License-Identifier: Apache-2.0 */
/* screen.c - screens drawn from tables: the --help of a verb from its options, `sherd help analyses` from analyses.def. */
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "session/analyses.h"

enum { NAME_COLUMN = 7, HELP_COLUMN = 31, HELP_WIDTH = 100 };

static const struct option_row about[] = {
	{ "help", "h", NULL, OPTION_FLAG, 0, NULL, "About", "this screen", NULL },
	{ "version", NULL, NULL, OPTION_FLAG, 0, NULL, "About", "the version of sherd", NULL },
};

struct screen {
	struct strbuf *out;
	bool color;
	int width;
};

static void heading(struct screen *s, const char *text)
{
	strbuf_addf(s->out, s->color ? "\n\033[1m%s\033[0m\n" : "\n%s\n", text);
}

static void indent(struct strbuf *out, int column)
{
	strbuf_addf(out, "%*s", column, "");
}

/* Adds words of `text` from column `at`, continuing lines at `column`; ends the line. */
static void wrap(struct screen *s, const char *text, int at, int column)
{
	bool first = true;

	while (*text) {
		int n = (int)strcspn(text, " \n");

		if (!first && at + 1 + n > s->width) {
			strbuf_addch(s->out, '\n');
			indent(s->out, column);
			at = column;
			first = true;
		}
		strbuf_addf(s->out, "%s%.*s", first ? "" : " ", n, text);
		at += n + !first;
		first = false;
		text += n;
		if (*text == '\n') {
			strbuf_addch(s->out, '\n');
			indent(s->out, column);
			at = column;
			first = true;
		}
		text += *text != 0;
	}
	strbuf_addch(s->out, '\n');
}

static void add_option_name(const struct option_row *o, struct strbuf *b)
{
	strbuf_addf(b, "  %s%s%s", o->alias ? "-" : "", o->alias ? o->alias : "", o->alias ? "," : "");
	indent(b, NAME_COLUMN - (int)b->len);
	strbuf_addf(b, "--%s", o->name);
	if (o->kind == OPTION_OPTIONAL)
		strbuf_addf(b, "[=%s]", o->arg);
	else if (o->arg)
		strbuf_addf(b, " %s", o->arg);
}

static const char *default_choice(const struct command_spec *spec, const struct option_row *o)
{
	const void *initial = spec->initial ? (const char *)spec->initial + o->offset : NULL;

	if (o->kind == OPTION_NAME)
		return *(const char *const *)initial;
	int choice = initial ? *(const int *)initial : 0;
	return choice == CHOICE_NONE ? NULL : o->choices[choice];
}

void option_tell(const struct option_row *o, struct strbuf *out)
{
	if (o->tell)
		o->tell(out);
	else
		strbuf_adds(out, o->help);
}

static void add_option_help(const struct command_spec *spec, const struct option_row *o, struct strbuf *b)
{
	option_tell(o, b);
	if (!o->choices)
		return;
	strbuf_addf(b, "; %s%s", o->choices[1] ? "one of " : "", o->choices[0]);
	for (const char *const *c = o->choices + 1; *c; c++)
		strbuf_addf(b, ", %s", *c);
	if (o->kind != OPTION_OPTIONAL && o->choices[1] && default_choice(spec, o))
		strbuf_addf(b, " (default: %s)", default_choice(spec, o));
}

static void option_line(struct screen *s, const struct command_spec *spec, const struct option_row *o)
{
	struct strbuf name = { 0 }, help = { 0 };

	add_option_name(o, &name);
	add_option_help(spec, o, &help);
	strbuf_addstr(s->out, strbuf_str(&name));
	if (name.len + 2 > HELP_COLUMN) {
		strbuf_addch(s->out, '\n');
		indent(s->out, HELP_COLUMN);
	} else {
		indent(s->out, HELP_COLUMN - (int)name.len);
	}
	wrap(s, help.s, HELP_COLUMN, HELP_COLUMN);
	strbuf_release(&name);
	strbuf_release(&help);
}

static bool group_seen(const struct option_row *rows, size_t before, const char *group)
{
	for (size_t i = 0; i < before; i++)
		if (strcmp(rows[i].group, group) == 0)
			return true;
	return false;
}

static void option_group(struct screen *s, const struct command_spec *spec, size_t from)
{
	const char *group = spec->rows[from].group;

	heading(s, group);
	for (size_t i = from; i < spec->nrows; i++)
		if (strcmp(spec->rows[i].group, group) == 0)
			option_line(s, spec, &spec->rows[i]);
}

static void usage_lines(struct screen *s, const struct command *c)
{
	for (size_t i = 0; i < ARRAY_LEN(c->spec->synopsis) && c->spec->synopsis[i]; i++)
		strbuf_addf(s->out, "%s sherd %s %s\n", i ? "      " : "Usage:", c->name, c->spec->synopsis[i]);
}

static void example_lines(struct screen *s, const struct command_spec *spec)
{
	if (!spec->examples[0].line)
		return;
	heading(s, "Examples");
	for (size_t i = 0; i < ARRAY_LEN(spec->examples) && spec->examples[i].line; i++)
		strbuf_addf(s->out, "  %s\n      %s\n", spec->examples[i].line, spec->examples[i].why);
}

static struct screen screen_of(bool color, int width, struct strbuf *out)
{
	return (struct screen){ out, color, width > HELP_WIDTH ? HELP_WIDTH : width < 40 ? 40 : width };
}

void options_help(const struct command *c, bool color, int width, struct strbuf *out)
{
	struct screen s = screen_of(color, width, out);

	usage_lines(&s, c);
	strbuf_addch(out, '\n');
	wrap(&s, c->spec->description, 0, 0);
	for (size_t i = 0; i < c->spec->nrows; i++)
		if (!group_seen(c->spec->rows, i, c->spec->rows[i].group))
			option_group(&s, c->spec, i);
	heading(&s, "About");
	for (size_t i = 0; i < ARRAY_LEN(about); i++)
		option_line(&s, c->spec, &about[i]);
	example_lines(&s, c->spec);
}

/* Analyses */

enum { ANALYSIS_COLUMN = 16 };

/* "requires graph, classes of a Java program" */
static void add_required(const struct analysis_row *of, struct strbuf *b)
{
	const char *before = "requires ";

	for (enum analysis_id k = 0; k < ANALYSES; k++) {
		if (!(of->requires & NEEDS(k)))
			continue;
		strbuf_addf(b, "%s%s", before, analyses[k].name);
		if (analyses[k].subject != of->subject)
			strbuf_addf(b, " of a %s", subject_name(analyses[k].subject));
		before = ", ";
	}
}

/* "shown by cover, report" */
static void add_verbs(const struct analysis_row *of, struct strbuf *b)
{
	const char *before = "shown by ";

	for (const char *at = of->verbs; *at; at += strspn(at, " ")) {
		size_t n = strcspn(at, " ");

		strbuf_addf(b, "%s%.*s", before, (int)n, at);
		before = ", ";
		at += n;
	}
}

static void analysis_lines(struct screen *s, const struct analysis_row *row)
{
	struct strbuf text = { 0 };

	strbuf_addf(s->out, "  %-*s", ANALYSIS_COLUMN - 2, row->name);
	strbuf_addf(&text, "%s%s", row->help, row->requires || row->verbs[0] ? "\n" : "");
	add_required(row, &text);
	strbuf_adds(&text, row->requires && row->verbs[0] ? "; " : "");
	add_verbs(row, &text);
	wrap(s, text.s, ANALYSIS_COLUMN, ANALYSIS_COLUMN);
	strbuf_release(&text);
}

void analyses_help(bool color, int width, struct strbuf *out)
{
	struct screen s = screen_of(color, width, out);

	wrap(&s, "What sherd can compute. Verbs compute what they show and all that this requires, in the order of this list.",
	     0, 0);
	for (enum analysis_id k = 0; k < ANALYSES; k++) {
		if (k == 0 || analyses[k].subject != analyses[k - 1].subject)
			heading(&s, subject_name(analyses[k].subject));
		analysis_lines(&s, &analyses[k]);
	}
}
