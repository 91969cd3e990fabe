/* SPDX-License-Identifier: Apache-2.0 */
/* options.c - parsing of command lines by option tables. */
#include "cli/options.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

const char *const when_names[] = { "auto", "always", "never", NULL };
const char *const stats_names[] = { "none", "text", "json", NULL };

/* The state of one parse. argv is rewritten in place: operands never outnumber the words read. */
struct parse {
	const struct command_spec *spec;
	char **argv;
	int argc, at, operands;
	char *values;
	struct strbuf *err;
	uint64_t given;               /* by row, from bit 0: options with a value */
};

static int min3(int a, int b, int c)
{
	int m = a < b ? a : b;

	return m < c ? m : c;
}

enum { NAME_MAX_LEN = 40 };

/* Levenshtein's distance; names beyond NAME_MAX_LEN are unlike anything we know. */
static int edit_distance(const char *a, const char *b)
{
	int row[NAME_MAX_LEN + 1];
	int la = (int)strnlen(a, NAME_MAX_LEN + 1), lb = (int)strnlen(b, NAME_MAX_LEN + 1);

	if (la > NAME_MAX_LEN || lb > NAME_MAX_LEN)
		return INT_MAX;
	for (int j = 0; j <= lb; j++)
		row[j] = j;
	for (int i = 1; i <= la; i++) {
		int diagonal = row[0];

		row[0] = i;
		for (int j = 1; j <= lb; j++) {
			int up = row[j];

			row[j] = min3(up + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
			diagonal = up;
		}
	}
	return row[lb];
}

struct nearest {
	const char *name;
	int distance;
};

/* A word that begins like a longer name is near it however much is missing. */
static void nearest_try(struct nearest *best, const char *word, const char *candidate)
{
	size_t n = strlen(word);
	int d = n >= 2 && strncmp(candidate, word, n) == 0 ? 1 : edit_distance(word, candidate);

	if (d < best->distance && d <= (n < 4 ? 1 : n < 8 ? 2 : 3))
		*best = (struct nearest){ candidate, d };
}

const char *nearest_name(const char *name, const char *const *list)
{
	struct nearest best = { NULL, INT_MAX };

	for (; *list; list++)
		nearest_try(&best, name, *list);
	return best.name;
}

static const char *nearest_option(const struct command_spec *spec, const char *name)
{
	struct nearest best = { NULL, INT_MAX };

	for (size_t i = 0; i < spec->nrows; i++)
		nearest_try(&best, name, spec->rows[i].name);
	nearest_try(&best, name, "help");
	nearest_try(&best, name, "version");
	return best.name;
}

static int unknown_option(struct parse *p, const char *word, const char *name, size_t len)
{
	char stem[NAME_MAX_LEN + 1] = "";
	const char *near = NULL;

	if (len <= NAME_MAX_LEN) {
		memcpy(stem, name, len);
		near = nearest_option(p->spec, stem);
	}
	strbuf_addf(p->err, "unknown option '%s'", word);
	if (near)
		strbuf_addf(p->err, "; did you mean '--%s'?", near);
	return OPTIONS_BAD;
}

static const struct option_row *find_long(const struct command_spec *spec, const char *name, size_t len)
{
	for (size_t i = 0; i < spec->nrows; i++)
		if (strlen(spec->rows[i].name) == len && memcmp(spec->rows[i].name, name, len) == 0)
			return &spec->rows[i];
	return NULL;
}

static const struct option_row *find_alias(const struct command_spec *spec, const char *name, size_t len)
{
	for (size_t i = 0; i < spec->nrows; i++) {
		const char *a = spec->rows[i].alias;

		if (a && strlen(a) == len && memcmp(a, name, len) == 0)
			return &spec->rows[i];
	}
	return NULL;
}

static int set_int(struct parse *p, const struct option_row *o, const char *text)
{
	char *end;
	errno = 0;
	long n = strtol(text, &end, 10);

	if (end == text || *end || n < 0 || *text < '0' || *text > '9') {
		strbuf_addf(p->err, "--%s needs a number, not '%s'", o->name, text);
		return OPTIONS_BAD;
	}
	if (errno || n > INT_MAX) {
		strbuf_addf(p->err, "--%s can be at most %d, not %s", o->name, INT_MAX, text);
		return OPTIONS_BAD;
	}
	*(int *)(void *)(p->values + o->offset) = (int)n;
	return 0;
}

static void add_list(struct strbuf *b, const char *const *list)
{
	for (const char *const *c = list; *c; c++)
		strbuf_addf(b, "%s%s", c == list ? "" : ", ", *c);
}

static void say_no_choice(struct parse *p, const struct option_row *o, const char *text)
{
	const char *near = nearest_name(text, o->choices);

	strbuf_addf(p->err, "--%s cannot be '%s'", o->name, text);
	if (near)
		strbuf_addf(p->err, "; did you mean '%s'?", near);
	if (o->kind == OPTION_NAME) {
		strbuf_addf(p->err, " (--%s help lists them)", o->name);
		return;
	}
	strbuf_adds(p->err, " (one of: ");
	add_list(p->err, o->choices);
	strbuf_addch(p->err, ')');
}

/* Its number among the choices, or OPTIONS_BAD. */
static int find_choice(struct parse *p, const struct option_row *o, const char *text)
{
	for (int i = 0; o->choices[i]; i++)
		if (strcmp(o->choices[i], text) == 0)
			return i;
	say_no_choice(p, o, text);
	return OPTIONS_BAD;
}

static int set_choice(struct parse *p, const struct option_row *o, const char *text)
{
	int i = find_choice(p, o, text);

	if (i < 0)
		return i;
	*(int *)(void *)(p->values + o->offset) = i;
	return 0;
}

static int set_name(struct parse *p, const struct option_row *o, const char *text)
{
	if (strcmp(text, "help") != 0 && find_choice(p, o, text) < 0)
		return OPTIONS_BAD;
	*(const char **)(void *)(p->values + o->offset) = text;
	return 0;
}

static int set_value(struct parse *p, const struct option_row *o, const char *text)
{
	switch (o->kind) {
	case OPTION_FLAG:
		*(bool *)(p->values + o->offset) = true;
		return 0;
	case OPTION_STRING:
	case OPTION_FIRST:
		*(const char **)(void *)(p->values + o->offset) = text;
		return 0;
	case OPTION_INT:
		return set_int(p, o, text);
	case OPTION_CHOICE:
		return set_choice(p, o, text);
	case OPTION_OPTIONAL:
		return set_choice(p, o, text ? text : o->choices[1]);
	case OPTION_NAME:
		return set_name(p, o, text);
	case OPTION_LIST:
		vec_push((option_list *)(void *)(p->values + o->offset), text);
		return 0;
	}
	BUG("option kind %d", (int)o->kind);
}

/* Where the last one counts, the answer to the first is missing without a word. */
static int note_given(struct parse *p, const struct option_row *o)
{
	size_t row = (size_t)(o - p->spec->rows);

	if (!p->spec->once || o->kind == OPTION_FLAG || o->kind == OPTION_OPTIONAL || o->kind == OPTION_LIST || row >= 64)
		return 0;
	if (p->given >> row & 1) {
		strbuf_addf(p->err, "--%s is given twice", o->name);
		return OPTIONS_BAD;
	}
	p->given |= UINT64_C(1) << row;
	return 0;
}

static bool is_operand(const char *word)
{
	return word[0] != '-' || !word[1];
}

/* Sets an option whose value, if any, was attached to it; otherwise takes it from the next word. */
static int take_option(struct parse *p, const struct option_row *o, const char *attached)
{
	if (o->kind == OPTION_FLAG && attached) {
		strbuf_addf(p->err, "--%s takes no value", o->name);
		return OPTIONS_BAD;
	}
	if (note_given(p, o) < 0)
		return OPTIONS_BAD;
	if (o->kind == OPTION_FLAG || o->kind == OPTION_OPTIONAL || attached)
		return set_value(p, o, attached);
	if (o->kind == OPTION_FIRST && (p->at == p->argc || !is_operand(p->argv[p->at])))
		return set_value(p, o, "");
	if (p->at == p->argc) {
		strbuf_addf(p->err, "--%s needs a value: --%s %s", o->name, o->name, o->arg);
		return OPTIONS_BAD;
	}
	return set_value(p, o, p->argv[p->at++]);
}

static int parse_long(struct parse *p, const char *word)
{
	const char *name = word + 2, *eq = strchr(name, '=');
	size_t len = eq ? (size_t)(eq - name) : strlen(name);

	if (strcmp(name, "help") == 0)
		return OPTIONS_HELP;
	if (strcmp(name, "version") == 0)
		return OPTIONS_VERSION;
	const struct option_row *o = find_long(p->spec, name, len);

	return o ? take_option(p, o, eq ? eq + 1 : NULL) : unknown_option(p, word, name, len);
}

/* "-vqj4": flags, and at the end one option with its value. */
static int parse_letters(struct parse *p, const char *word)
{
	for (const char *s = word + 1; *s; s++) {
		if (*s == 'h')
			return OPTIONS_HELP;
		const struct option_row *o = find_alias(p->spec, s, 1);

		if (!o)
			return unknown_option(p, word, word + 1, strcspn(word + 1, "="));
		if (o->kind != OPTION_FLAG)
			return take_option(p, o, s[1] ? s + 1 : NULL);
		set_value(p, o, NULL);
	}
	return 0;
}

/* A single dash starts letters, or an alias of several letters ("-cp PATH", "-cp=PATH"). */
static int parse_short(struct parse *p, const char *word)
{
	const char *name = word + 1, *eq = strchr(name, '=');
	size_t len = eq ? (size_t)(eq - name) : strlen(name);
	const struct option_row *o = len > 1 ? find_alias(p->spec, name, len) : NULL;

	return o ? take_option(p, o, eq ? eq + 1 : NULL) : parse_letters(p, word);
}

const char *option_first(const char *value, int *n, char ***operands)
{
	if (!value || *value || *n == 0)
		return value && *value ? value : NULL;
	--*n;
	return *(*operands)++;
}

static bool needs_next(const struct option_row *o)
{
	return o && o->kind != OPTION_FLAG && o->kind != OPTION_OPTIONAL;
}

/* Of letters, the first one that is no flag decides: what follows it is its value. */
static bool letters_take_next(const struct command_spec *spec, const char *letters)
{
	for (const char *s = letters; *s; s++) {
		const struct option_row *o = find_alias(spec, s, 1);
		if (!o || o->kind != OPTION_FLAG)
			return needs_next(o) && !s[1];
	}
	return false;
}

bool options_takes_next(const struct command_spec *spec, const char *word)
{
	size_t len = strlen(word);

	if (len < 2 || word[0] != '-' || strchr(word, '='))
		return false;
	if (word[1] == '-')
		return needs_next(find_long(spec, word + 2, len - 2));
	const struct option_row *o = len > 2 ? find_alias(spec, word + 1, len - 1) : NULL;

	return o ? needs_next(o) : letters_take_next(spec, word + 1);
}

static int parse_word(struct parse *p, char *word)
{
	if (!is_operand(word))
		return word[1] == '-' ? parse_long(p, word) : parse_short(p, word);
	p->argv[p->operands++] = word;
	return 0;
}

int options_parse(const struct command_spec *spec, int argc, char **argv, void *values, struct strbuf *err)
{
	struct parse p = { spec, argv, argc, 0, 0, values, err, 0 };

	while (p.at < argc) {
		char *word = argv[p.at++];

		if (strcmp(word, "--") == 0)
			break;
		int r = parse_word(&p, word);

		if (r < 0)
			return r;
		if (spec->runs_command && p.operands)
			break;
	}
	while (p.at < argc)
		argv[p.operands++] = argv[p.at++];
	if (spec->needs_operands && p.operands == 0) {
		strbuf_addf(err, "nothing to work on: %s", spec->needs_operands);
		return OPTIONS_BAD;
	}
	return p.operands;
}

void options_release(const struct command_spec *spec, void *values)
{
	for (size_t i = 0; i < spec->nrows; i++)
		if (spec->rows[i].kind == OPTION_LIST)
			vec_release((option_list *)(void *)((char *)values + spec->rows[i].offset));
}
