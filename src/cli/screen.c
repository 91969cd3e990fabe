/* SPDX-License-Identifier: Apache-2.0 */
/* screen.c - the --help screen of a verb, drawn from its option table. */
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"

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
	return o->choices[initial ? *(const int *)initial : 0];
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
	if (o->kind != OPTION_OPTIONAL && o->choices[1])
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

void options_help(const struct command *c, bool color, int width, struct strbuf *out)
{
	struct screen s = { out, color, width > HELP_WIDTH ? HELP_WIDTH : width < 40 ? 40 : width };

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
