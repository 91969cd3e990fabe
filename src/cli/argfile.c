/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/argfile.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* What the words so far say of the next one. */
struct context {
	struct argfiles *a;
	const struct command_spec *spec;
	struct strbuf *err;
	bool is_value;                /* it is the value of an option */
	bool is_verbatim;             /* and so are all that follow: operands, or a command */
};

static void add_word(struct context *c, char *word)
{
	vec_push(&c->a->words, word);
	if (c->is_verbatim)
		return;
	bool is_operand = !c->is_value && (word[0] != '-' || !word[1]);

	c->is_verbatim = (!c->is_value && strcmp(word, "--") == 0) || (is_operand && c->spec->runs_command);
	c->is_value = !c->is_value && options_takes_next(c->spec, word);
}

/* Reading a file */

struct reading {
	struct context *c;
	const char *path;
	const char *at, *end;
	unsigned long line;
	struct strbuf word;
};

static bool fail(struct reading *r, unsigned long line, const char *why)
{
	strbuf_addf(r->c->err, "%s:%lu: %s", r->path, line, why);
	return false;
}

static bool is_blank(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\f' || ch == '\n' || ch == '\r';
}

static char next(struct reading *r)
{
	char ch = *r->at++;

	r->line += ch == '\n';
	return ch;
}

static void skip_blanks(struct reading *r)
{
	while (r->at < r->end && (is_blank(*r->at) || *r->at == '#')) {
		if (*r->at == '#')
			while (r->at < r->end && *r->at != '\n')
				r->at++;
		else
			next(r);
	}
}

static char escaped(char ch)
{
	return ch == 'n' ? '\n' : ch == 'r' ? '\r' : ch == 't' ? '\t' : ch == 'f' ? '\f' : ch;
}

/* Behind a backslash in quotes. At the end of a line, what is quoted goes on behind the blanks of the next one. */
static void read_escape(struct reading *r)
{
	char ch = next(r);

	if (ch != '\n' && ch != '\r') {
		strbuf_addch(&r->word, escaped(ch));
		return;
	}
	while (r->at < r->end && is_blank(*r->at))
		next(r);
}

static bool read_quoted(struct reading *r)
{
	unsigned long line = r->line;
	char quote = next(r);

	while (r->at < r->end && *r->at != quote && *r->at != '\n') {
		char ch = next(r);
		if (ch == '\\' && r->at < r->end)
			read_escape(r);
		else
			strbuf_addch(&r->word, ch);
	}
	if (r->at == r->end || *r->at == '\n')
		return fail(r, line, quote == '"' ? "a word that begins with \" does not end on its line; \\ at the end of the line continues it" :
						    "a word that begins with ' does not end on its line; \\ at the end of the line continues it");
	next(r);
	return true;
}

static bool read_word(struct reading *r)
{
	bool ok = true;

	strbuf_clear(&r->word);
	while (ok && r->at < r->end && !is_blank(*r->at)) {
		if (*r->at == '"' || *r->at == '\'')
			ok = read_quoted(r);
		else if (!*r->at)
			ok = fail(r, r->line, "there is a NUL byte: this is no text");
		else
			strbuf_addch(&r->word, next(r));
	}
	return ok;
}

/* A word of a file. */
static bool add_read(struct reading *r, unsigned long line)
{
	char *word = arena_strdup(&r->c->a->mem, r->word.s ? r->word.s : "");
	bool is_name = word[0] == '@' && !r->c->is_value && !r->c->is_verbatim;

	if (is_name && word[1] != '@')
		return fail(r, line, "a file of arguments cannot name another one; the word @x is written @@x");
	add_word(r->c, word + is_name);
	return true;
}

static bool read_words(struct reading *r)
{
	for (;;) {
		skip_blanks(r);
		if (r->at == r->end)
			return true;
		unsigned long line = r->line;
		if (!read_word(r) || !add_read(r, line))
			return false;
	}
}

static bool read_text(FILE *f, struct strbuf *out)
{
	char buf[4096];
	size_t n;

	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		strbuf_add(out, buf, n);
	return !ferror(f);
}

static bool cannot_read(struct context *c, const char *path)
{
	strbuf_addf(c->err, "the file of arguments %s cannot be read: %s; a word that begins with @ is written @@", path, strerror(errno));
	return false;
}

static bool add_file(struct context *c, const char *path)
{
	FILE *f = fopen(path, "rb");
	struct strbuf text = { 0 };

	if (!f)
		return cannot_read(c, path);
	bool ok = read_text(f, &text) || cannot_read(c, path);
	fclose(f);
	struct reading r = { .c = c, .path = path, .at = text.s, .end = text.s + text.len, .line = 1 };
	ok = ok && (!text.len || read_words(&r));
	strbuf_release(&r.word);
	strbuf_release(&text);
	return ok;
}

/* The command line */

bool argfiles_expand(struct argfiles *a, const struct command_spec *spec, int argc, char **argv, struct strbuf *err)
{
	struct context c = { a, spec, err, false, false };

	*a = (struct argfiles){ 0 };
	arena_init(&a->mem);
	for (int i = 0; i < argc; i++) {
		bool is_name = argv[i][0] == '@' && argv[i][1] && !c.is_value && !c.is_verbatim;
		if (is_name && argv[i][1] != '@' && !add_file(&c, argv[i] + 1))
			return false;
		if (!is_name || argv[i][1] == '@')
			add_word(&c, argv[i] + is_name);
	}
	if (a->words.len > INT_MAX / 2) {
		strbuf_adds(err, "there are too many arguments");
		return false;
	}
	a->n = (int)a->words.len;
	vec_push(&a->words, NULL);
	return true;
}

void argfiles_release(struct argfiles *a)
{
	vec_release(&a->words);
	arena_release(&a->mem);
}
