/* SPDX-License-Identifier: Apache-2.0 */
/* table.c - the text of a table of models: rows and words. */
#include "cmodel/cmodel_p.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

/* Blanks and comments. */
static void skip(struct model_lexer *x)
{
	for (; x->at < x->text.len; x->at++) {
		if (x->text.p[x->at] == '#')
			while (x->at + 1 < x->text.len && x->text.p[x->at + 1] != '\n')
				x->at++;
		else if (!is_blank(x->text.p[x->at]))
			return;
		x->line += x->text.p[x->at] == '\n';
	}
}

static bool starts(const struct model_lexer *x, const char *s)
{
	return str_starts(str_sub(x->text, x->at, x->text.len), s);
}

static uint32_t while_letters(const struct model_lexer *x)
{
	uint32_t end = x->at;

	while (end < x->text.len && (is_letter(x->text.p[end]) || is_digit(x->text.p[end])))
		end++;
	return end;
}

void model_lexer_next(struct model_lexer *x)
{
	static const struct { const char *text; enum model_token token; } signs[] = {
		{ "...", TOKEN_REST }, { "<>", TOKEN_BOTH }, { "<<", TOKEN_READ_DEEP }, { ">>", TOKEN_WRITE_DEEP },
		{ "<", TOKEN_READ }, { ">", TOKEN_WRITE }, { "@", TOKEN_STREAM },
	};
	uint32_t end = x->at;

	skip(x);
	x->token = TOKEN_OTHER;
	if (x->at >= x->text.len) {
		x->token = TOKEN_END;
		end = x->at;
	} else if (is_letter(x->text.p[x->at]) || is_digit(x->text.p[x->at])) {
		x->token = is_digit(x->text.p[x->at]) ? TOKEN_NUMBER : TOKEN_NAME;
		end = while_letters(x);
	} else {
		end = x->at + 1;
		for (unsigned i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
			if (starts(x, signs[i].text)) {
				x->token = signs[i].token;
				end = x->at + (uint32_t)strlen(signs[i].text);
				break;
			}
	}
	x->word = str_sub(x->text, x->at, end);
	x->at = end;
}

struct model_lexer model_lexer_start(struct str text, uint32_t line)
{
	struct model_lexer x = { .text = text, .line = line };

	model_lexer_next(&x);
	return x;
}

/* Rows */

static bool fail(struct model_error *e, uint32_t line, const char *reason)
{
	if (!e->reason)
		*e = (struct model_error){ reason, line };
	return false;
}

static bool add_name(struct model_table *t, struct str name, uint32_t row, struct model_error *e)
{
	str_id id = intern(&t->names, name);

	while (t->row_of.len <= id.i)
		vec_push(&t->row_of, 0);
	if (t->row_of.data[id.i])
		return fail(e, t->rows.data[row].line, "the name has a row already");
	t->row_of.data[id.i] = row;
	return true;
}

/* name name ... up to something else */
static bool read_names(struct model_table *t, struct model_lexer *x, uint32_t row, struct model_error *e)
{
	if (x->token != TOKEN_NAME)
		return fail(e, x->line, "a name is missing");
	for (; x->token == TOKEN_NAME; model_lexer_next(x))
		if (!add_name(t, x->word, row, e))
			return false;
	return true;
}

static struct str from_here(const struct model_lexer *x)
{
	return str_sub(x->text, x->at - x->word.len, x->text.len);
}

static bool read_function(struct model_table *t, struct model_lexer *x, uint32_t row, struct model_error *e)
{
	if (!read_names(t, x, row, e))
		return false;
	if (!str_is(x->word, "("))
		return fail(e, x->line, "'(' and parameters are missing");
	t->rows.data[row].rest = from_here(x);
	return true;
}

static bool read_pure(struct model_table *t, struct model_lexer *x, uint32_t row, struct model_error *e)
{
	if (str_is(x->word, "!")) {
		t->rows.data[row].sets_errno = true;
		model_lexer_next(x);
	}
	return read_names(t, x, row, e) && (x->token == TOKEN_END || fail(e, x->line, "names of functions only"));
}

static bool read_object(struct model_table *t, struct model_lexer *x, uint32_t row, struct model_error *e)
{
	if (x->token != TOKEN_NAME || !add_name(t, x->word, row, e))
		return fail(e, x->line, "a name is missing");
	t->rows.data[row].name = x->word;
	model_lexer_next(x);
	t->rows.data[row].rest = from_here(x);
	return x->token == TOKEN_END || str_is(x->word, "=") || fail(e, x->line, "'=' expected");
}

static bool read_start(struct model_table *t, struct model_lexer *x, uint32_t row, struct model_error *e)
{
	if (x->token != TOKEN_NAME)
		return fail(e, x->line, "a name is missing");
	t->rows.data[row].name = x->word;
	model_lexer_next(x);
	t->rows.data[row].rest = from_here(x);
	return str_is(x->word, "(") || fail(e, x->line, "'(' and parameters are missing");
}

static const struct {
	const char *word;
	enum model_kind kind;
	bool (*read)(struct model_table *t, struct model_lexer *x, uint32_t row, struct model_error *e);
} forms[] = {
	{ "pure", MODEL_PURE, read_pure },       { "object", MODEL_OBJECT, read_object },
	{ "global", MODEL_GLOBAL, read_object }, { "start", MODEL_START, read_start },
};

static bool read_row(struct model_table *t, struct str text, uint32_t line, struct model_error *e)
{
	struct model_lexer x = model_lexer_start(text, line);
	uint32_t row = t->rows.len;

	if (x.token == TOKEN_END)
		return true;
	vec_push(&t->rows, ((struct model_row){ .kind = MODEL_FUNCTION, .line = line }));
	for (unsigned i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (str_is(x.word, forms[i].word)) {
			t->rows.data[row].kind = (uint8_t)forms[i].kind;
			model_lexer_next(&x);
			return forms[i].read(t, &x, row, e);
		}
	return read_function(t, &x, row, e);
}

/* The end of the line that starts at `i`, without its newline. */
static uint32_t line_end(struct str text, uint32_t i)
{
	while (i < text.len && text.p[i] != '\n')
		i++;
	return i;
}

bool model_table_read(struct model_table *t, struct str text, struct model_error *e)
{
	*t = (struct model_table){ 0 };
	*e = (struct model_error){ 0 };
	interner_init(&t->names);
	vec_push(&t->rows, (struct model_row){ 0 });
	for (uint32_t i = 0, line = 1; i < text.len && !e->reason;) {
		uint32_t end = line_end(text, i), lines = 1;
		/* lines that start with a blank go on with the row before */
		for (; end + 1 < text.len && (text.p[end + 1] == ' ' || text.p[end + 1] == '\t'); lines++)
			end = line_end(text, end + 1);
		read_row(t, str_sub(text, i, end), line, e);
		i = end + 1;
		line += lines;
	}
	return !e->reason;
}

void model_table_release(struct model_table *t)
{
	vec_release(&t->rows);
	vec_release(&t->row_of);
	interner_release(&t->names);
}

uint32_t model_table_row(const struct model_table *t, struct str name)
{
	str_id id;

	return interner_find(&t->names, name, &id) && id.i < t->row_of.len ? t->row_of.data[id.i] : 0;
}
