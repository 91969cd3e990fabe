/* SPDX-License-Identifier: Apache-2.0 */
/* parse.c - a summary from text; docs/formats/summary.md describes it. The text is walked twice: for declarations, then for what names
 * them. Labels are taken as they are written: whether they are those that writers give is seen when the whole is written again. */
#include "base/text/textreader.h"
#include "cir/words.h"
#include "summary/form_p.h"

/* A function's variables and its object, which comes behind all others. */
struct place {
	uint32_t vars;                 /* behind the last one */
	struct cobj address;
};

struct parser {
	struct summary *s;
	struct cprogram *p;
	struct textreader in;
	struct diag d;
	bool declares;                 /* the first walk */
	uint32_t fn, newest, ntemps;
	struct clayout open;           /* a struct whose fields follow */
	struct str open_label;         /* empty: there is none */
	bool has_end;
	VEC(struct place) places;      /* by function */
	struct interner labels;
	struct map rows;               /* by function and label */
	VEC(cvar_id) args;
	struct strbuf text;
};

static bool fail(struct parser *r, const char *what)
{
	return text_fail(&r->in, what);
}

/* Words and names */

static bool is_word_char(char c)
{
	unsigned char u = (unsigned char)c;

	return (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || (u >= '0' && u <= '9') || u == '_' || u == '.' || u == '-' || u >= 0x80;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static char peek(struct parser *r)
{
	text_skip_blanks(&r->in);
	return r->in.at < r->in.end ? *r->in.at : '\n';
}

static bool accept_word(struct parser *r, const char *word)
{
	struct str w = text_peek_word(&r->in, is_word_char);

	if (!str_is(w, word))
		return false;
	r->in.at += w.len;
	return true;
}

static bool parse_name(struct parser *r, str_id *name)
{
	struct str s = text_peek_word(&r->in, is_word_char);

	strbuf_clear(&r->text);
	if (peek(r) == '"') {
		if (!text_quoted(&r->in, &r->text))
			return false;
		s = strbuf_str(&r->text);
	} else if (!s.len) {
		return fail(r, "name expected");
	} else {
		r->in.at += s.len;
		s.len = str_is(s, "_") ? 0 : s.len;
	}
	*name = intern(&r->p->names, s);
	return true;
}

static bool parse_hex(struct parser *r, uint64_t *v)
{
	struct str w = text_peek_word(&r->in, is_word_char);

	*v = 0;
	for (uint32_t i = 0; i < w.len && w.len == 16; i++) {
		bool is_letter = w.p[i] >= 'a' && w.p[i] <= 'f';
		if (!is_letter && !is_digit(w.p[i]))
			return fail(r, "digest of 16 digits expected");
		*v = *v << 4 | (uint64_t)(w.p[i] - (is_letter ? 'a' - 10 : '0'));
	}
	r->in.at += w.len;
	return w.len == 16 || fail(r, "digest of 16 digits expected");
}

static bool parse_size(struct parser *r, const char *word, uint64_t *size)
{
	return !accept_word(r, word) || text_u64(&r->in, size);
}

/* The number of a parameter, as rows have it. */
static bool parse_nth(struct parser *r, const char *word, uint16_t *nth)
{
	uint32_t n;

	if (!accept_word(r, word))
		return true;
	if (!text_u32(&r->in, &n) || n >= UINT16_MAX)
		return fail(r, "number of a parameter expected");
	*nth = (uint16_t)(n + 1);
	return true;
}

static unsigned parse_flags(struct parser *r, const struct cir_flag *table)
{
	unsigned flags = 0;

	for (const struct cir_flag *f = table; f->word; f++)
		if (accept_word(r, f->word))
			flags |= f->bit;
	return flags;
}

static bool parse_kind(struct parser *r, const char *const *words, uint8_t n, uint8_t *kind)
{
	for (*kind = 0; *kind < n; ++*kind)
		if (accept_word(r, words[*kind]))
			return true;
	return fail(r, "kind expected");
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
		return fail(r, "line is out of range");
	*line = is_before ? fn->line - *line : fn->line + *line;
	*file = fn->file;
	return true;
}

static bool parse_loc(struct parser *r, cloc_id *loc)
{
	str_id file;
	uint32_t line, column;

	*loc = (cloc_id){ 0 };
	if (!text_accept(&r->in, '!'))
		return true;
	if (peek(r) != '"') {
		if (!parse_line_number(r, &file, &line))
			return false;
	} else if (!parse_name(r, &file) || !text_expect(&r->in, ':', "':' and a line expected") || !text_u32(&r->in, &line)) {
		return false;
	}
	if (!text_expect(&r->in, ':', "':' and a column expected") || !text_u32(&r->in, &column))
		return false;
	*loc = cir_loc(r->p, file, line, column);
	return true;
}

/* Labels */

/* A sign, then a plain or quoted name, then `/2`. */
static bool parse_label(struct parser *r, char sign, struct str *label, str_id *name)
{
	const char *from = r->in.at;

	if (!text_expect(&r->in, sign, "label of another kind expected: # is for functions, @ . for objects, % for variables, $ for layouts"))
		return false;
	bool has_name = r->in.at < r->in.end && *r->in.at != '/' && !is_digit(*r->in.at) && *r->in.at != '-';
	*name = (str_id){ 0 };
	if (has_name && !parse_name(r, name))
		return false;
	while (r->in.at < r->in.end && (is_word_char(*r->in.at) || *r->in.at == '/'))
		r->in.at++;
	*label = (struct str){ from, (uint32_t)(r->in.at - from) };
	return true;
}

static bool add_label(struct parser *r, uint32_t scope, struct str label, uint32_t row)
{
	uint32_t *at = map_at(&r->rows, map_key(scope, intern(&r->labels, label).i));
	bool is_new = *at == 0;

	*at = row;
	return is_new || fail(r, "label is there twice");
}

static bool find_label(struct parser *r, uint32_t scope, struct str label, uint32_t *row)
{
	str_id id;

	*row = interner_find(&r->labels, label, &id) ? map_get(&r->rows, map_key(scope, id.i)) : 0;
	return *row || fail(r, "nothing has this label");
}

static bool parse_reference(struct parser *r, char sign, uint32_t scope, uint32_t *row)
{
	struct str label;
	str_id name;

	text_skip_blanks(&r->in);
	return parse_label(r, sign, &label, &name) && find_label(r, scope, label, row);
}

static bool parse_fn(struct parser *r, cfn_id *f)
{
	return parse_reference(r, '#', 0, &f->i);
}

/* `#f:` says whose it is. */
static bool parse_owner(struct parser *r, uint32_t *fn, bool *is_function)
{
	cfn_id f;

	*fn = r->fn;
	*is_function = false;
	if (peek(r) != '#')
		return true;
	if (!parse_fn(r, &f))
		return false;
	*fn = f.i;
	*is_function = !text_accept(&r->in, ':');
	return true;
}

static bool parse_object(struct parser *r, uint32_t *o)
{
	uint32_t fn;
	bool is_function;

	if (!parse_owner(r, &fn, &is_function))
		return false;
	if (!is_function)
		return peek(r) == '@' ? parse_reference(r, '@', 0, o) : parse_reference(r, '.', fn, o);
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
		return fail(r, "variable is out of range");
	*v = is_param ? f->params + n - 1 : f->result.i + n;
	return true;
}

/* Of no function: the next one that is new, so many before the last that was, or any by its number. */
static bool parse_free(struct parser *r, uint32_t *v)
{
	uint32_t back = 0;

	if (text_accept(&r->in, '^')) {
		*v = ++r->newest;
	} else if (text_accept(&r->in, '~')) {
		if (r->in.at < r->in.end && is_digit(*r->in.at) && !text_u32(&r->in, &back))
			return false;
		*v = back < r->newest ? r->newest - back : 0;
	} else if (!text_expect(&r->in, ':', "variable expected") || !text_expect(&r->in, ':', "variable expected") ||
		   !text_u32(&r->in, v)) {
		return false;
	}
	return (*v && *v < r->places.data[0].vars) || fail(r, "variable is out of range");
}

static bool parse_var(struct parser *r, uint32_t *v)
{
	uint32_t fn;
	bool is_function;
	char c = peek(r);

	*v = 0;
	if (c == '_')
		return text_accept(&r->in, '_');
	if (c == '^' || c == '~' || c == ':')
		return parse_free(r, v);
	if (!parse_owner(r, &fn, &is_function))
		return false;
	if (!fn || is_function || peek(r) != '%')
		return fail(r, "variable expected");
	bool is_numbered = r->in.end - r->in.at > 1 && (is_digit(r->in.at[1]) || r->in.at[1] == '-');
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

static bool parse_layout(struct parser *r, clayout_id *l)
{
	char c = peek(r);
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
	while (r->in.at < r->in.end && *r->in.at == '[') {
		r->in.at++;
		if (!parse_array(r, from, l))
			return false;
	}
	return true;
}

static bool declare_field(struct parser *r)
{
	struct cfield f = { 0 };

	if (!r->open_label.len)
		return fail(r, "a field without its struct");
	if (!text_u64(&r->in, &f.offset) || !parse_layout(r, &f.layout) || !parse_name(r, &f.name))
		return false;
	vec_push(&r->p->fields, f);
	r->open.nfields++;
	return true;
}

/* Layouts come behind those that they mention: a struct gets its row when its fields are known. */
static bool close_struct(struct parser *r)
{
	struct str label = r->open_label;

	r->open_label.len = 0;
	return !label.len || add_label(r, 0, label, cir_layout(r->p, r->open).i);
}

static bool declare_layout(struct parser *r)
{
	static const char *const kinds[] = { "scalar", "struct", "array" };
	struct clayout l = { 0 };
	struct str label;

	text_skip_blanks(&r->in);
	if (!parse_label(r, '$', &label, &l.name) || !parse_kind(r, kinds, 3, &l.kind) || !text_u64(&r->in, &l.size))
		return false;
	if (l.kind == CLAYOUT_STRUCT) {
		l.first = r->p->fields.len;
		r->open = l;
		r->open_label = label;
		return true;
	}
	if (l.kind == CLAYOUT_ARRAY && (!(accept_word(r, "of") || fail(r, "'of' expected")) || !parse_layout(r, &l.elem) ||
					!(accept_word(r, "x") || fail(r, "'x' expected")) || !text_u64(&r->in, &l.count)))
		return false;
	return add_label(r, 0, label, cir_layout(r->p, l).i);
}

/* Declarations */

static bool declare_object(struct parser *r)
{
	struct cobj o = { .fn = { r->fn } };
	struct str label;

	text_skip_blanks(&r->in);
	if (!parse_label(r, r->fn ? '.' : '@', &label, &o.name) || !parse_kind(r, cir_obj_kinds, COBJ_STRING + 1, &o.kind) ||
	    !parse_layout(r, &o.layout) || !parse_size(r, "size", &o.size))
		return false;
	if (o.kind == COBJ_FUNCTION)
		return fail(r, "functions have their objects where they are");
	o.flags = (uint8_t)parse_flags(r, cir_obj_flags);
	return parse_loc(r, &o.loc) && add_label(r, r->fn, label, cir_object(r->p, o).i);
}

static bool declare_address(struct parser *r)
{
	struct cobj *o = r->fn ? &vec_last(&r->places)->address : NULL;

	if (!o)
		return fail(r, "an address without its function");
	o->flags = (uint8_t)parse_flags(r, cir_obj_flags);
	if ((accept_word(r, "name") && !parse_name(r, &o->name)) || (accept_word(r, "layout") && !parse_layout(r, &o->layout)) ||
	    !parse_size(r, "size", &o->size))
		return false;
	return !accept_word(r, "elsewhere") || parse_loc(r, &o->loc);
}

/* The variable's label is its name, unless it has a number; those of no function have names. */
static bool declare_var(struct parser *r, enum cvar_kind kind)
{
	struct cvar v = { .kind = (uint8_t)kind, .fn = { r->fn } };
	struct str label = STR("");

	text_skip_blanks(&r->in);
	if (!(r->fn ? parse_label(r, '%', &label, &v.name) : parse_name(r, &v.name)))
		return false;
	vec_push(&r->p->vars, v);
	return !v.name.i || !r->fn || add_label(r, r->fn, label, r->p->vars.len - 1);
}

static bool declare_placed_var(struct parser *r, enum cvar_kind kind)
{
	return declare_var(r, kind) && parse_loc(r, &vec_last(&r->p->vars)->loc);
}

static bool declare_temps(struct parser *r)
{
	uint32_t n;

	if (!text_u32(&r->in, &n))
		return false;
	if (n > r->ntemps)                               /* each is named somewhere */
		return fail(r, "more variables than the text can name");
	r->ntemps -= n;
	for (uint32_t i = 0; i < n; i++)
		cir_var(r->p, CVAR_TEMP, (str_id){ 0 }, (cfn_id){ r->fn });
	return true;
}

/* Its result follows its parameters. */
static void add_result(struct parser *r)
{
	struct cfn *f = vec_last(&r->p->fns);

	if (r->fn && !f->result.i)
		f->result = cir_var(r->p, CVAR_RESULT, (str_id){ 0 }, (cfn_id){ r->fn });
}

static bool declare_use(struct parser *r)
{
	struct cuse u = { .param = { r->p->vars.len - 1 } };

	u.flags = (uint8_t)parse_flags(r, cir_use_flags);
	if (!parse_nth(r, "moves", &u.moves))
		return false;
	vec_push(&r->p->uses, u);
	return true;
}

static bool declare_param(struct parser *r)
{
	struct cfn *f = vec_last(&r->p->fns);

	if (!r->fn || f->result.i)
		return fail(r, "a parameter without its function");
	if (!declare_var(r, CVAR_PARAM))
		return false;
	f->params = f->nparams++ ? f->params : r->p->vars.len - 1;
	if (accept_word(r, "use") && !declare_use(r))
		return false;
	return parse_loc(r, &vec_last(&r->p->vars)->loc);
}

static bool declare_result(struct parser *r)
{
	struct cfn *f = vec_last(&r->p->fns);

	if (!r->fn || f->result.i)
		return fail(r, "a result without its function");
	if (!declare_placed_var(r, CVAR_RESULT))
		return false;
	f->result.i = r->p->vars.len - 1;
	return true;
}

static bool declare_note(struct parser *r)
{
	struct cnote n = { .fn = { r->fn } };

	if (!parse_kind(r, cir_note_kinds, CNOTES, &n.kind) || !parse_name(r, &n.text) || !parse_loc(r, &n.loc))
		return false;
	vec_push(&r->p->notes, n);
	return true;
}

/* The variables of the function before end here. */
static void close_function(struct parser *r)
{
	add_result(r);
	vec_last(&r->places)->vars = r->p->vars.len;
}

static bool declare_function(struct parser *r)
{
	struct cfn f = { 0 };
	struct str label;

	close_function(r);
	r->fn = 0;
	text_skip_blanks(&r->in);
	if (!parse_label(r, '#', &label, &f.name))
		return false;
	f.flags = (uint16_t)parse_flags(r, cir_fn_flags);
	if (accept_word(r, "initialises"))
		r->p->initialisers.i = r->p->fns.len;
	if (!parse_nth(r, "moves", &f.realloc) || !parse_nth(r, "returns", &f.returns) || !parse_loc(r, &f.loc))
		return false;
	r->fn = r->p->fns.len;
	vec_push(&r->p->fns, f);
	vec_push(&r->places, ((struct place){ .address = { .kind = COBJ_FUNCTION, .flags = f.flags & CFN_STATIC ? COBJ_STATIC : 0,
							   .name = f.name, .fn = { r->fn }, .loc = f.loc } }));
	return add_label(r, 0, label, r->fn);
}

/* Statements */

static bool parse_args(struct parser *r)
{
	cvar_id v;

	vec_clear(&r->args);
	if (!text_expect(&r->in, '(', "'(' expected"))
		return false;
	if (text_accept(&r->in, ')'))
		return true;
	do {
		if (!parse_var(r, &v.i))
			return false;
		vec_push(&r->args, v);
	} while (text_accept(&r->in, ','));
	return text_expect(&r->in, ')', "')' expected");
}

static bool parse_call(struct parser *r, struct cstmt *s)
{
	struct ccall c = { .result = { s->dst } };

	s->op = C_CALL;
	if (text_accept(&r->in, '*') ? !parse_var(r, &c.pointer.i) : !parse_fn(r, &c.callee))
		return false;
	if (!parse_args(r))
		return false;
	c.nargs = r->args.len;
	c.flags = (uint8_t)parse_flags(r, cir_call_flags);
	if ((accept_word(r, "hint") && !parse_layout(r, &c.hint)) || !parse_size(r, "size", &c.size) ||
	    (accept_word(r, "memory") && !parse_object(r, &c.memory.i)))
		return false;
	uint8_t flags = (uint8_t)parse_flags(r, cir_stmt_flags);
	if (!parse_loc(r, &c.loc))
		return false;
	cir_call(r->p, c, r->args.data);
	vec_last(&r->p->stmts)->flags = flags;
	return true;
}

static bool parse_offset(struct parser *r, bool is_signed, int32_t *off)
{
	bool is_negative = is_signed && text_accept(&r->in, '-');
	uint32_t n;

	if (is_signed && !is_negative && !text_expect(&r->in, '+', "'+' and an offset expected"))
		return false;
	if (!text_u32(&r->in, &n))
		return false;
	if (n > (uint32_t)INT32_MAX + is_negative)
		return fail(r, "offset is too large");
	*off = (int32_t)(is_negative ? -(int64_t)n : (int64_t)n);
	return true;
}

/* `#f` is one, `#f:.x` is one, `#f:%x` is a variable. */
static bool is_object(struct parser *r)
{
	char c = peek(r);
	const char *from = r->in.at;
	struct str label;
	str_id name;

	if (c != '#' || !parse_label(r, '#', &label, &name))
		return c == '@' || c == '.' || c == '#';
	bool is_var = r->in.end - r->in.at > 1 && r->in.at[0] == ':' && r->in.at[1] == '%';
	r->in.at = from;
	return !is_var;
}

static bool parse_shift(struct parser *r, struct cstmt *s)
{
	s->op = C_SHIFT;
	if (!parse_offset(r, true, &s->off))
		return false;
	return !text_accept(&r->in, '+') || ((accept_word(r, "n") || fail(r, "'n' expected")) &&
					     text_expect(&r->in, '*', "'*' expected") && text_u32(&r->in, &s->width));
}

static bool parse_at(struct parser *r, struct cstmt *s)
{
	return (accept_word(r, "at") || fail(r, "'at' expected")) && parse_offset(r, false, &s->off);
}

static bool parse_right(struct parser *r, struct cstmt *s)
{
	if (text_accept(&r->in, '&')) {
		s->op = C_ADDR;
		return parse_object(r, &s->src) && ((peek(r) != '+' && peek(r) != '-') || parse_offset(r, true, &s->off));
	}
	if (is_object(r)) {
		s->op = C_GET;
		return parse_object(r, &s->src) && parse_at(r, s);
	}
	s->op = text_accept(&r->in, '*') ? C_LOAD : C_COPY;
	if (!parse_var(r, &s->src))
		return false;
	return s->op == C_LOAD || (peek(r) != '+' && peek(r) != '-') || parse_shift(r, s);
}

static bool parse_assigned(struct parser *r)
{
	return text_expect(&r->in, '=', "'=' expected");
}

static bool parse_assignment(struct parser *r, struct cstmt *s)
{
	if (text_accept(&r->in, '*')) {
		if (!parse_var(r, &s->dst) || !parse_assigned(r))
			return false;
		s->op = text_accept(&r->in, '*') ? C_MOVE : C_STORE;
		return parse_var(r, &s->src);
	}
	if (is_object(r)) {
		s->op = C_PUT;
		return parse_object(r, &s->dst) && parse_at(r, s) && parse_assigned(r) && parse_var(r, &s->src);
	}
	if (!parse_var(r, &s->dst) || !parse_assigned(r))
		return false;
	return accept_word(r, "call") ? parse_call(r, s) : parse_right(r, s);
}

static bool parse_stmt(struct parser *r)
{
	struct cstmt s = { 0 };

	if (!r->fn || !(r->p->fns.data[r->fn].flags & CFN_DEFINED))
		return fail(r, "a statement of no function that is defined");
	if (accept_word(r, "call") ? !parse_call(r, &s) : !parse_assignment(r, &s))
		return false;
	if (s.op == C_CALL)
		return true;
	if (accept_word(r, "for") && !text_u32(&r->in, &s.width))
		return false;
	s.flags = (uint8_t)parse_flags(r, cir_stmt_flags);
	if (!parse_loc(r, &s.loc))
		return false;
	cir_stmt(r->p, s);
	return true;
}

/* What a function says of rows of any function */

static bool parse_rest(struct parser *r)
{
	return parse_object(r, &r->p->fns.data[r->fn].rest.i);
}

static bool parse_other(struct parser *r)
{
	return parse_var(r, &r->p->fns.data[r->fn].other.i);
}

static bool parse_of(struct parser *r)
{
	return parse_fn(r, &r->p->fns.data[r->fn].of);
}

static bool parse_alias(struct parser *r)
{
	struct calias a = { 0 };

	r->fn = 0;
	if (!parse_name(r, &a.name) || !parse_object(r, &a.obj.i))
		return false;
	vec_push(&r->p->aliases, a);
	return true;
}

static void end_body(struct parser *r)
{
	if (r->fn && (r->p->fns.data[r->fn].flags & CFN_DEFINED))
		cir_end(r->p, (cfn_id){ r->fn });
}

/* Functions come in the order of the first walk. */
static void begin_body(struct parser *r, uint32_t fn)
{
	end_body(r);
	r->fn = fn;
	if (r->p->fns.data[fn].flags & CFN_DEFINED)
		cir_begin(r->p, (cfn_id){ fn });
}

/* The head */

static bool parse_version(struct parser *r)
{
	uint32_t version;

	return text_u32(&r->in, &version);
}

static bool parse_library(struct parser *r)
{
	return parse_name(r, &r->s->library);
}

static bool parse_options(struct parser *r)
{
	r->s->options = accept_word(r, "optimised") ? SUMMARY_OPTIMISED : 0;
	return true;
}

static bool parse_module(struct parser *r)
{
	struct summary_module m = { 0 };

	if (!parse_name(r, &m.name) || !parse_hex(r, &m.digest))
		return false;
	vec_push(&r->s->modules, m);
	return true;
}

static bool parse_exports(struct parser *r)
{
	return parse_hex(r, &r->s->exports);
}

static bool parse_models(struct parser *r)
{
	return parse_hex(r, &r->s->models);
}

static bool parse_inner(struct parser *r)
{
	str_id name;

	if (!parse_name(r, &name))
		return false;
	vec_push(&r->s->inner, name);
	return true;
}

static bool parse_pointers(struct parser *r)
{
	return text_u32(&r->in, &r->p->pointer_size);
}

static bool parse_end(struct parser *r)
{
	uint64_t digest;                                 /* seen when all is written again */

	r->has_end = true;
	return parse_hex(r, &digest);
}

/* Lines. `second`: what the second walk looks at. */

struct keyword {
	const char *word;
	bool (*parse)(struct parser *r);
	bool second;
};

static bool declare_temp(struct parser *r)
{
	return declare_placed_var(r, CVAR_TEMP);
}

static bool declare_local(struct parser *r)
{
	return declare_placed_var(r, CVAR_LOCAL);
}

static const struct keyword heads[] = {
	{ "sherd-summary", parse_version, false }, { "library", parse_library, false },    { "options", parse_options, false },
	{ "module", parse_module, false },         { "exports", parse_exports, false },    { "models", parse_models, false },
	{ "inner", parse_inner, false },           { "pointers", parse_pointers, false },  { "layout", declare_layout, false },
	{ "object", declare_object, false },       { "temps", declare_temps, false },      { "temp", declare_temp, false },
	{ "local", declare_local, false },         { "note", declare_note, false },        { "function", declare_function, false },
	{ "address", declare_address, false },     { "param", declare_param, false },      { "result", declare_result, false },
	{ "rest", parse_rest, true },              { "other", parse_other, true },         { "of", parse_of, true },
	{ "alias", parse_alias, true },            { "end", parse_end, false },            { "call", NULL, true },
};

static const struct keyword *keyword_of(struct parser *r)
{
	struct str w = text_peek_word(&r->in, is_word_char);

	for (uint32_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		if (str_is(w, heads[i].word))
			return &heads[i];
	return NULL;
}

static void skip_line(struct parser *r)
{
	while (r->in.at < r->in.end && *r->in.at != '\n')
		r->in.at++;
}

/* Variables that have no word of their own for it are declared: the result comes before them. */
static bool is_behind_result(const struct keyword *k)
{
	return k->parse == declare_temps || k->parse == declare_temp || k->parse == declare_local;
}

static bool parse_first(struct parser *r, const struct keyword *k)
{
	if (k && is_behind_result(k))
		add_result(r);
	if (is_digit(peek(r)))
		return declare_field(r);
	if (!close_struct(r))
		return false;
	if (k && !k->second) {
		r->in.at += strlen(k->word);
		return k->parse(r);
	}
	if (!k && is_word_char(peek(r)) && peek(r) != '_' && peek(r) != '.')
		return fail(r, "no line begins with this word");
	skip_line(r);
	return true;
}

static bool parse_second(struct parser *r, const struct keyword *k, uint32_t *fn)
{
	if (k && k->parse == declare_function)
		begin_body(r, ++*fn);
	if (k && k->second && k->parse) {
		if (!r->fn && k->parse != parse_alias)
			return fail(r, "a line without its function");
		if (k->parse == parse_alias)
			end_body(r);
		r->in.at += strlen(k->word);
		return k->parse(r);
	}
	if (k ? !k->second : is_digit(peek(r))) {
		skip_line(r);
		return true;
	}
	return parse_stmt(r);
}

static bool parse_walk(struct parser *r, bool declares, struct str text)
{
	uint32_t fn = 0;

	r->in.at = text.p;
	r->in.line = 1;
	r->fn = 0;
	r->has_end = false;
	while (text_next_line(&r->in)) {
		const struct keyword *k = keyword_of(r);
		if (r->has_end)
			return fail(r, "more lines behind the end");
		if (!(declares ? parse_first(r, k) : parse_second(r, k, &fn)) ||
		    (!text_at_line_end(&r->in) && !fail(r, "end of line expected")))
			return false;
		r->has_end |= k && k->parse == parse_end;
	}
	return r->has_end || fail(r, "the last line is missing: it was cut off");
}

/* The objects of functions come last. */
static void add_addresses(struct parser *r)
{
	close_function(r);
	for (uint32_t i = 1; i < r->p->fns.len; i++)
		r->p->fns.data[i].obj = cir_object(r->p, r->places.data[i].address);
}

bool summary_parse(struct summary *s, struct str text, struct strbuf *why)
{
	struct parser r = { .s = s, .p = &s->program, .ntemps = text.len };

	diag_init(&r.d);
	interner_init(&r.labels);
	r.in = (struct textreader){ .end = text.p + text.len, .comment = ';', .d = &r.d };
	vec_push(&r.places, (struct place){ 0 });
	bool ok = parse_walk(&r, true, text);
	if (ok) {
		add_addresses(&r);
		ok = parse_walk(&r, false, text);
		end_body(&r);
	}
	if (!ok)
		strbuf_adds(why, r.d.entries.data[0].text);
	diag_release(&r.d);
	interner_release(&r.labels);
	map_release(&r.rows);
	vec_release(&r.places);
	vec_release(&r.args);
	strbuf_release(&r.text);
	return ok;
}
