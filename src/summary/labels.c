/* SPDX-License-Identifier: Apache-2.0 */
/* labels.c - see parse_p.h. Labels are taken as they are written: whether they are those that writers give is seen when the whole is
 * written again. */
#include "summary/parse_p.h"

#define MAX_DEPTH 64                     /* as cir_check has it: each is found by all of its text */

bool parser_fail(struct parser *r, const char *what)
{
	return text_fail(&r->in, what);
}

/* Words and names */

bool parser_is_word_char(char c)
{
	unsigned char u = (unsigned char)c;

	return (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || (u >= '0' && u <= '9') || u == '_' || u == '.' || u == '-' || u >= 0x80;
}

bool parser_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

char parser_peek(struct parser *r)
{
	text_skip_blanks(&r->in);
	return r->in.at < r->in.end ? *r->in.at : '\n';
}

bool parser_word(struct parser *r, const char *word)
{
	struct str w = text_peek_word(&r->in, parser_is_word_char);

	if (!str_is(w, word))
		return false;
	r->in.at += w.len;
	return true;
}

bool parser_name(struct parser *r, str_id *name)
{
	struct str s = text_peek_word(&r->in, parser_is_word_char);

	strbuf_clear(&r->text);
	if (parser_peek(r) == '"') {
		if (!text_quoted(&r->in, &r->text))
			return false;
		s = strbuf_str(&r->text);
	} else if (!s.len) {
		return parser_fail(r, "name expected");
	} else {
		r->in.at += s.len;
		s.len = str_is(s, "_") ? 0 : s.len;
	}
	*name = intern(&r->p->names, s);
	return true;
}

bool parser_hex(struct parser *r, uint64_t *v)
{
	struct str w = text_peek_word(&r->in, parser_is_word_char);

	*v = 0;
	for (uint32_t i = 0; i < w.len && w.len == 16; i++) {
		bool is_letter = w.p[i] >= 'a' && w.p[i] <= 'f';
		if (!is_letter && !parser_is_digit(w.p[i]))
			return parser_fail(r, "digest of 16 digits expected");
		*v = *v << 4 | (uint64_t)(w.p[i] - (is_letter ? 'a' - 10 : '0'));
	}
	r->in.at += w.len;
	return w.len == 16 || parser_fail(r, "digest of 16 digits expected");
}

bool parser_size(struct parser *r, const char *word, uint64_t *size)
{
	return !parser_word(r, word) || text_u64(&r->in, size);
}

/* The number of a parameter, as rows have it. */
bool parser_nth(struct parser *r, const char *word, uint16_t *nth)
{
	uint32_t n;

	if (!parser_word(r, word))
		return true;
	if (!text_u32(&r->in, &n) || n >= UINT16_MAX)
		return parser_fail(r, "number of a parameter expected");
	*nth = (uint16_t)(n + 1);
	return true;
}

unsigned parser_flags(struct parser *r, const struct cir_flag *table)
{
	unsigned flags = 0;

	for (const struct cir_flag *f = table; f->word; f++)
		if (parser_word(r, f->word))
			flags |= f->bit;
	return flags;
}

bool parser_kind(struct parser *r, const char *const *words, uint8_t n, uint8_t *kind)
{
	for (*kind = 0; *kind < n; ++*kind)
		if (parser_word(r, words[*kind]))
			return true;
	return parser_fail(r, "kind expected");
}

/* Of the function at hand: its line, and so many more. */
static bool parse_line_number(struct parser *r, str_id *file, uint32_t *line)
{
	const struct cloc *fn = &r->p->locs.data[r->p->fns.data[r->fn].loc.i];
	bool is_before = text_accept(&r->in, '-');

	if (!is_before && !text_expect(&r->in, '+', "'+' and a line expected"))
		return false;
	if (!text_u32(&r->in, line))
		return false;
	if (is_before ? *line > fn->line : *line > UINT32_MAX - fn->line)
		return parser_fail(r, "line is out of range");
	*line = is_before ? fn->line - *line : fn->line + *line;
	*file = fn->file;
	return true;
}

bool parser_loc(struct parser *r, cloc_id *loc)
{
	str_id file;
	uint32_t line, column;

	*loc = (cloc_id){ 0 };
	if (!text_accept(&r->in, '!'))
		return true;
	if (parser_peek(r) != '"') {
		if (!parse_line_number(r, &file, &line))
			return false;
	} else if (!parser_name(r, &file) || !text_expect(&r->in, ':', "':' and a line expected") || !text_u32(&r->in, &line)) {
		return false;
	}
	if (!text_expect(&r->in, ':', "':' and a column expected") || !text_u32(&r->in, &column))
		return false;
	*loc = cir_loc(r->p, file, line, column);
	return true;
}

/* Labels */

/* A sign, then a plain or quoted name, then `/2`. */
bool parser_label(struct parser *r, char sign, struct str *label, str_id *name)
{
	const char *from = r->in.at;

	if (!text_expect(&r->in, sign, "label of another kind expected: # is for functions, @ . for objects, % for variables, $ for layouts"))
		return false;
	bool has_name = r->in.at < r->in.end && *r->in.at != '/' && !parser_is_digit(*r->in.at) && *r->in.at != '-';
	*name = (str_id){ 0 };
	if (has_name && !parser_name(r, name))
		return false;
	while (r->in.at < r->in.end && (parser_is_word_char(*r->in.at) || *r->in.at == '/'))
		r->in.at++;
	*label = (struct str){ from, (uint32_t)(r->in.at - from) };
	return true;
}

bool parser_add_label(struct parser *r, uint32_t scope, struct str label, uint32_t row)
{
	uint32_t *at = map_at(&r->rows, map_key(scope, intern(&r->labels, label).i));
	bool is_new = *at == 0;

	*at = row;
	return is_new || parser_fail(r, "label is there twice");
}

static bool find_label(struct parser *r, uint32_t scope, struct str label, uint32_t *row)
{
	str_id id;

	*row = interner_find(&r->labels, label, &id) ? map_get(&r->rows, map_key(scope, id.i)) : 0;
	return *row || parser_fail(r, "nothing has this label");
}

static bool parse_reference(struct parser *r, char sign, uint32_t scope, uint32_t *row)
{
	struct str label;
	str_id name;

	text_skip_blanks(&r->in);
	return parser_label(r, sign, &label, &name) && find_label(r, scope, label, row);
}

bool parser_fn(struct parser *r, cfn_id *f)
{
	return parse_reference(r, '#', 0, &f->i);
}

/* `#f:` says whose it is. */
static bool parse_owner(struct parser *r, uint32_t *fn, bool *is_function)
{
	cfn_id f;

	*fn = r->fn;
	*is_function = false;
	if (parser_peek(r) != '#')
		return true;
	if (!parser_fn(r, &f))
		return false;
	*fn = f.i;
	*is_function = !text_accept(&r->in, ':');
	return true;
}

bool parser_object(struct parser *r, uint32_t *o)
{
	uint32_t fn;
	bool is_function;

	if (!parse_owner(r, &fn, &is_function))
		return false;
	if (!is_function)
		return parser_peek(r) == '@' ? parse_reference(r, '@', 0, o) : parse_reference(r, '.', fn, o);
	*o = r->p->fns.data[fn].obj.i;
	return true;
}

/* `%7`, `%0`, `%-1`: by their place among the function's */
static bool parse_numbered(struct parser *r, uint32_t fn, uint32_t *v)
{
	const struct cfn *f = &r->p->fns.data[fn];
	uint32_t n;

	r->in.at++;
	bool is_param = text_accept(&r->in, '-');
	if (!text_u32(&r->in, &n))
		return false;
	if (is_param ? n == 0 || n > f->nparams : n >= r->places.data[fn].vars - f->result.i)
		return parser_fail(r, "variable is out of range");
	*v = is_param ? f->params + n - 1 : f->result.i + n;
	return !r->p->vars.data[*v].name.i || parser_fail(r, "a variable that has a name goes by it");
}

/* Of no function: the next one that is new, so many before the last that was, or any by its number. */
static bool parse_free(struct parser *r, uint32_t *v)
{
	uint32_t back = 0;

	if (text_accept(&r->in, '^')) {
		*v = ++r->newest;
	} else if (text_accept(&r->in, '~')) {
		if (r->in.at < r->in.end && parser_is_digit(*r->in.at) && !text_u32(&r->in, &back))
			return false;
		*v = back < r->newest ? r->newest - back : 0;
	} else if (!text_expect(&r->in, ':', "variable expected") || !text_expect(&r->in, ':', "variable expected") ||
		   !text_u32(&r->in, v)) {
		return false;
	}
	return (*v && *v < r->places.data[0].vars) || parser_fail(r, "variable is out of range");
}

bool parser_var(struct parser *r, uint32_t *v)
{
	uint32_t fn;
	bool is_function;
	char c = parser_peek(r);

	*v = 0;
	if (c == '_')
		return text_accept(&r->in, '_');
	if (c == '^' || c == '~' || c == ':')
		return parse_free(r, v);
	if (!parse_owner(r, &fn, &is_function))
		return false;
	if (!fn || is_function || parser_peek(r) != '%')
		return parser_fail(r, "variable expected");
	bool is_numbered = r->in.end - r->in.at > 1 && (parser_is_digit(r->in.at[1]) || r->in.at[1] == '-');
	return is_numbered ? parse_numbered(r, fn, v) : parse_reference(r, '%', fn, v);
}

/* Layouts */

/* Those that are written where they are used are rows, too: found again by how they are written. */
static bool share_layout(struct parser *r, const char *from, struct clayout l, clayout_id *id)
{
	struct str text = { from, (uint32_t)(r->in.at - from) };
	uint32_t *at = map_at(&r->rows, map_key(0, intern(&r->labels, text).i));

	if (!*at)
		*at = cir_layout(r->p, l).i;
	id->i = *at;
	return true;
}

static bool parse_array(struct parser *r, const char *from, clayout_id *l)
{
	struct clayout a = { .kind = CLAYOUT_ARRAY, .elem = *l };

	if (!text_u64(&r->in, &a.count))
		return false;
	a.size = a.count * r->p->layouts.data[l->i].size;
	if (text_accept(&r->in, ':') && !text_u64(&r->in, &a.size))
		return false;
	return text_expect(&r->in, ']', "']' expected") && share_layout(r, from, a, l);
}

bool parser_layout(struct parser *r, clayout_id *l)
{
	char c = parser_peek(r);
	const char *from = r->in.at;
	uint64_t size;

	*l = (clayout_id){ 0 };
	if (text_accept(&r->in, '_'))
		return true;
	if (c == '$') {
		if (!parse_reference(r, '$', 0, &l->i))
			return false;
	} else if (!text_u64(&r->in, &size) ||
		   !share_layout(r, from, (struct clayout){ .kind = CLAYOUT_SCALAR, .size = size }, l)) {
		return false;
	}
	for (uint32_t depth = 0; r->in.at < r->in.end && *r->in.at == '['; depth++) {
		r->in.at++;
		if (depth == MAX_DEPTH)
			return parser_fail(r, "arrays are nested too deep");
		if (!parse_array(r, from, l))
			return false;
	}
	return true;
}
