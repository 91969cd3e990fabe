/* SPDX-License-Identifier: Apache-2.0 */
/* parse.c - reads a C program from text; text_p.h specifies the form. The text is walked three times: for the names of functions,
 * for declarations, and for bodies, so that everything may name everything. Rows are as many as the text has lines and words. */
#include "base/map.h"
#include "base/text/textreader.h"
#include "cir/text_p.h"

enum walk { WALK_NAMES, WALK_DECLARATIONS, WALK_BODIES };

struct parser {
	struct cprogram *p;
	struct textreader in;
	bool new_rest;
	enum walk walk;
	uint32_t nth;                  /* functions met in this walk */
	cfn_id fn;                     /* whose body this is */
	str_id file;                   /* and its file */
	struct map layouts, objs, vars, fns;   /* by names, the latter three by function and name: the first row */
	VEC(cvar_id) args;
	struct strbuf text;
};

/* A row as it is written: `name%7`, `%7`, `name`, `_`. */
struct token {
	struct str name;
	char sign;                     /* 0: a name alone */
	uint32_t id;
};

static void skip_line(struct parser *r)
{
	while (r->in.at < r->in.end && *r->in.at != '\n')
		r->in.at++;
}

static bool is_word_char(char c)
{
	unsigned char u = (unsigned char)c;

	return (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || (u >= '0' && u <= '9') || u == '_' || u == '.' || u == '-' || u >= 0x80;
}

static bool is_sign(char c)
{
	return c == '$' || c == '@' || c == '%' || c == '#';
}

/* A keyword: not the name of a row. */
static bool accept_word(struct parser *r, const char *word)
{
	struct str w = text_peek_word(&r->in, is_word_char);
	const char *after = w.p + w.len;

	if (!str_is(w, word) || (after < r->in.end && is_sign(*after)))
		return false;
	r->in.at = after;
	return true;
}

static bool parse_offset(struct parser *r, bool negative, int32_t *off)
{
	uint64_t n;

	if (!text_u64(&r->in, &n))
		return false;
	if (n > (uint64_t)INT32_MAX + negative)
		return text_fail(&r->in, "offset is too large");
	*off = (int32_t)(negative ? -(int64_t)n : (int64_t)n);
	return true;
}

/* The text is good until the next string. */
static bool parse_quoted(struct parser *r, struct str *s)
{
	strbuf_clear(&r->text);
	bool ok = text_quoted(&r->in, &r->text);

	*s = strbuf_str(&r->text);
	return ok;
}

static bool at_quote(struct parser *r)
{
	text_skip_blanks(&r->in);
	return r->in.at < r->in.end && *r->in.at == '"';
}

/* `_` is the empty name. */
static bool parse_name(struct parser *r, struct str *s)
{
	if (at_quote(r))
		return parse_quoted(r, s);
	*s = text_peek_word(&r->in, is_word_char);
	r->in.at += s->len;
	if (s->len == 0)
		return text_fail(&r->in, "name expected");
	if (str_is(*s, "_"))
		s->len = 0;
	else if (!cir_is_plain(*s))
		return text_fail(&r->in, "name with other characters than letters, digits, dots and underscores: quote it");
	return true;
}

static bool parse_token(struct parser *r, struct token *t)
{
	*t = (struct token){ .name = STR("") };
	text_skip_blanks(&r->in);
	bool named = r->in.at == r->in.end || !is_sign(*r->in.at);

	if (named && !parse_name(r, &t->name))
		return false;
	if (r->in.at < r->in.end && is_sign(*r->in.at)) {
		t->sign = *r->in.at++;
		bool has_digit = r->in.at < r->in.end && *r->in.at >= '0' && *r->in.at <= '9';

		return has_digit ? text_u32(&r->in, &t->id) : text_fail(&r->in, "number expected");
	}
	return true;
}

static bool is_none(const struct token *t)
{
	return t->sign == 0 && t->name.len == 0;
}

/* The row of a declaration: named as written, with the number that is next. */
static bool parse_new(struct parser *r, char sign, uint32_t next, str_id *name)
{
	struct token t;

	if (!parse_token(r, &t))
		return false;
	*name = intern(&r->p->names, t.name);
	if (t.sign && t.sign != sign)
		return text_fail(&r->in, "wrong sign: $ is for layouts, @ for objects, % for variables, # for functions");
	return t.sign == 0 || t.id == next || text_fail(&r->in, "numbers must follow one another");
}

/* Rows that are named. Numbers may be of rows to come: cir_check looks at them at last. */

static bool find_name(struct parser *r, const struct map *m, uint32_t scope, struct str name, uint32_t *id)
{
	str_id s;

	*id = interner_find(&r->p->names, name, &s) ? map_get(m, map_key(scope, s.i)) : 0;
	return *id != 0;
}

static void add_name(struct map *m, uint32_t scope, str_id name, uint32_t id)
{
	uint32_t *at = name.i ? map_at(m, map_key(scope, name.i)) : NULL;

	if (at && *at == 0)
		*at = id;
}

/* Takes the row's number, if the token has one or is none; a number with another sign is an error. */
static bool take_number(struct parser *r, const struct token *t, char sign, uint32_t *id)
{
	*id = t->id;
	if (t->sign && t->sign != sign)
		text_fail(&r->in, "wrong sign: $ is for layouts, @ for objects, % for variables, # for functions");
	return t->sign || is_none(t);
}

static bool parse_layout_ref(struct parser *r, clayout_id *l)
{
	struct token t;

	if (!parse_token(r, &t))
		return false;
	if (take_number(r, &t, '$', &l->i))
		return !r->in.failed;
	return find_name(r, &r->layouts, 0, t.name, &l->i) || text_fail(&r->in, "unknown layout");
}

static bool parse_fn_ref(struct parser *r, cfn_id *f)
{
	struct token t;

	if (!parse_token(r, &t))
		return false;
	if (take_number(r, &t, '#', &f->i))
		return !r->in.failed;
	return find_name(r, &r->fns, 0, t.name, &f->i) || text_fail(&r->in, "unknown function");
}

static bool object_of(struct parser *r, const struct token *t, uint32_t *o)
{
	uint32_t f;

	if (take_number(r, t, '@', o))
		return !r->in.failed;
	if (find_name(r, &r->objs, r->fn.i, t->name, o) || find_name(r, &r->objs, 0, t->name, o))
		return true;
	if (!find_name(r, &r->fns, 0, t->name, &f) || f >= r->p->fns.len)
		return text_fail(&r->in, "unknown object");
	*o = r->p->fns.data[f].obj.i;
	return true;
}

static bool parse_object_ref(struct parser *r, uint32_t *o)
{
	struct token t;

	return parse_token(r, &t) && object_of(r, &t, o);
}

static bool var_of(struct parser *r, const struct token *t, uint32_t *v)
{
	if (take_number(r, t, '%', v))
		return !r->in.failed;
	if (find_name(r, &r->vars, r->fn.i, t->name, v))
		return true;
	if (str_is(t->name, "result")) {
		*v = r->p->fns.data[r->fn.i].result.i;
		return true;
	}
	str_id name = intern(&r->p->names, t->name);
	*v = cir_var(r->p, CVAR_LOCAL, name, r->fn).i;
	add_name(&r->vars, r->fn.i, name, *v);
	return true;
}

static bool parse_var_ref(struct parser *r, uint32_t *v)
{
	struct token t;

	return parse_token(r, &t) && var_of(r, &t, v);
}

/* Parts of lines */

static unsigned parse_flags(struct parser *r, const struct cir_flag *table)
{
	unsigned flags = 0;

	for (const struct cir_flag *f = table; f->word; f++)
		if (accept_word(r, f->word)) {
			flags |= f->bit;
			f = table - 1;
		}
	return flags;
}

static bool parse_loc(struct parser *r, cloc_id *loc)
{
	str_id file = r->file;
	uint32_t line, column = 0;
	struct str s;

	*loc = (cloc_id){ 0 };
	if (!text_accept(&r->in, '!'))
		return true;
	if (at_quote(r)) {
		if (!parse_quoted(r, &s))
			return false;
		file = intern(&r->p->names, s);
		if (!text_expect(&r->in, ':', "':' and a line expected"))
			return false;
	}
	if (!text_u32(&r->in, &line) || (text_accept(&r->in, ':') && !text_u32(&r->in, &column)))
		return false;
	*loc = cir_loc(r->p, file, line, column);
	return true;
}

static bool parse_kind(struct parser *r, const char *const *words, uint8_t n, const char *what, uint8_t *kind)
{
	for (*kind = 0; *kind < n; ++*kind)
		if (accept_word(r, words[*kind]))
			return true;
	return text_fail(&r->in, what);
}

/* Declarations */

static bool parse_field(struct parser *r, struct cfield *f)
{
	struct str name;

	if (!text_u64(&r->in, &f->offset) || !parse_layout_ref(r, &f->layout) || !parse_name(r, &name))
		return false;
	f->name = intern(&r->p->names, name);
	return true;
}

static bool parse_fields(struct parser *r, struct clayout *l)
{
	l->first = r->p->fields.len;
	if (!text_expect(&r->in, '{', "'{' and fields expected"))
		return false;
	if (text_accept(&r->in, '}'))
		return true;
	do {
		struct cfield f;

		if (!parse_field(r, &f))
			return false;
		vec_push(&r->p->fields, f);
	} while (text_accept(&r->in, ','));
	l->nfields = r->p->fields.len - l->first;
	return text_expect(&r->in, '}', "'}' expected");
}

static bool parse_layout(struct parser *r)
{
	static const char *const kinds[] = { "scalar", "struct", "array" };
	struct clayout l = { 0 };

	if (!parse_new(r, '$', r->p->layouts.len, &l.name) ||
	    !parse_kind(r, kinds, 3, "scalar, struct or array expected", &l.kind) || !text_u64(&r->in, &l.size))
		return false;
	if (l.kind == CLAYOUT_STRUCT && !parse_fields(r, &l))
		return false;
	if (l.kind == CLAYOUT_ARRAY && ((!accept_word(r, "of") && !text_fail(&r->in, "of and a layout expected")) ||
					!parse_layout_ref(r, &l.elem) || (accept_word(r, "x") && !text_u64(&r->in, &l.count))))
		return false;
	add_name(&r->layouts, 0, l.name, cir_layout(r->p, l).i);
	return true;
}

/* In any order. */
static bool parse_object_words(struct parser *r, struct cobj *o)
{
	for (const char *before = NULL; before != r->in.at;) {
		before = r->in.at;
		o->flags |= (uint8_t)parse_flags(r, cir_obj_flags);
		if ((accept_word(r, "size") && !text_u64(&r->in, &o->size)) || (accept_word(r, "in") && !parse_fn_ref(r, &o->fn)))
			return false;
	}
	return true;
}

/* `global`, `global node`, `global node size 16`. */
static bool parse_object(struct parser *r)
{
	struct cobj o = { 0 };

	if (!parse_new(r, '@', r->p->objs.len, &o.name) ||
	    !parse_kind(r, cir_obj_kinds, COBJ_STRING + 1, "kind of an object expected, such as global", &o.kind))
		return false;
	struct str w = text_peek_word(&r->in, is_word_char);
	bool plain = str_is(w, "size") || str_is(w, "in") || (w.len == 0 && (text_at_line_end(&r->in) || *r->in.at == '!'));

	for (const struct cir_flag *f = cir_obj_flags; f->word; f++)
		plain |= str_is(w, f->word);
	if (!plain && !parse_layout_ref(r, &o.layout))
		return false;
	if (!parse_object_words(r, &o) || !parse_loc(r, &o.loc))
		return false;
	cobj_id id = cir_object(r->p, o);
	if (o.kind != COBJ_FUNCTION)
		add_name(&r->objs, o.fn.i, o.name, id.i);
	return true;
}

static bool parse_var(struct parser *r)
{
	uint8_t kind;
	struct cvar v = { 0 };

	if (!parse_new(r, '%', r->p->vars.len, &v.name) ||
	    !parse_kind(r, cir_var_kinds, CVAR_LOCAL + 1, "kind of a variable expected, such as local", &kind) ||
	    !parse_fn_ref(r, &v.fn) || !parse_loc(r, &v.loc))
		return false;
	cvar_id id = cir_var(r->p, kind, v.name, v.fn);
	r->p->vars.data[id.i].loc = v.loc;
	add_name(&r->vars, v.fn.i, v.name, id.i);
	return true;
}

static bool parse_temps(struct parser *r)
{
	struct token first, last;
	cfn_id f;

	if (!parse_token(r, &first) || !text_expect(&r->in, '.', "'..' expected") || !text_expect(&r->in, '.', "'..' expected") ||
	    !parse_token(r, &last) || !parse_fn_ref(r, &f))
		return false;
	if (first.sign != '%' || last.sign != '%' || first.id != r->p->vars.len)
		return text_fail(&r->in, "numbers must follow one another");
	if (last.id < first.id || last.id - first.id >= CIR_TEMPS)
		return text_fail(&r->in, "too many temporaries for one line");
	for (uint32_t i = first.id; i <= last.id; i++)
		cir_var(r->p, CVAR_TEMP, (str_id){ 0 }, f);
	return true;
}

/* A parameter that is declared already, or the name of a new one. */
static bool parse_param(struct parser *r, struct cfn *f, cfn_id id)
{
	struct token t;
	uint32_t v;

	if (!parse_token(r, &t))
		return false;
	if (t.sign == 0) {
		str_id name = intern(&r->p->names, t.name);

		v = cir_var(r->p, CVAR_PARAM, name, id).i;
		add_name(&r->vars, id.i, name, v);
	} else if (!take_number(r, &t, '%', &v) || r->in.failed) {
		return false;
	}
	if (f->nparams == 0)
		f->params = v;
	return f->params + f->nparams++ == v || text_fail(&r->in, "parameters must follow one another");
}

static bool parse_params(struct parser *r, struct cfn *f, cfn_id id)
{
	f->params = r->p->vars.len;
	if (!text_expect(&r->in, '(', "'(' expected"))
		return false;
	if (text_accept(&r->in, ')'))
		return true;
	do {
		if (!parse_param(r, f, id))
			return false;
	} while (text_accept(&r->in, ','));
	return text_expect(&r->in, ')', "')' expected");
}

/* `rest _` asks for a new object. */
static bool parse_rest(struct parser *r, struct cfn *f)
{
	struct token t;

	if (!parse_token(r, &t))
		return false;
	r->new_rest = is_none(&t);
	return object_of(r, &t, &f->rest.i);
}

/* The number of a parameter, as rows have it. */
static bool parse_nth(struct parser *r, uint16_t *nth)
{
	uint32_t n;

	if (!text_u32(&r->in, &n) || n >= UINT16_MAX)
		return text_fail(&r->in, "number of a parameter expected");
	*nth = (uint16_t)(n + 1);
	return true;
}

/* In any order. */
static bool parse_fn_words(struct parser *r, struct cfn *f)
{
	for (const char *before = NULL; before != r->in.at;) {
		before = r->in.at;
		f->flags |= (uint16_t)parse_flags(r, cir_fn_flags);
		if ((accept_word(r, "result") && !parse_var_ref(r, &f->result.i)) ||
		    (accept_word(r, "object") && !parse_object_ref(r, &f->obj.i)) || (accept_word(r, "rest") && !parse_rest(r, f)) ||
		    (accept_word(r, "moves") && !parse_nth(r, &f->realloc)) ||
		    (accept_word(r, "returns") && !parse_nth(r, &f->returns)) ||
		    (accept_word(r, "other") && !parse_var_ref(r, &f->other.i)) || (accept_word(r, "of") && !parse_fn_ref(r, &f->of)))
			return false;
	}
	return parse_loc(r, &f->loc);
}

static bool parse_function(struct parser *r)
{
	cfn_id id = { r->p->fns.len };
	struct cfn f = { 0 };

	if (!parse_new(r, '#', id.i, &f.name) || !parse_params(r, &f, id) || !parse_fn_words(r, &f))
		return false;
	if (f.result.i == 0)
		f.result = cir_var(r->p, CVAR_RESULT, (str_id){ 0 }, id);
	if (f.obj.i == 0)
		f.obj = cir_object(r->p, (struct cobj){ .kind = COBJ_FUNCTION, .flags = f.flags & CFN_STATIC ? COBJ_STATIC : 0,
							.name = f.name, .fn = id, .loc = f.loc });
	vec_push(&r->p->fns, f);
	if (r->new_rest)
		cir_rest(r->p, id);
	r->new_rest = false;
	return true;
}

static bool parse_note(struct parser *r)
{
	struct cnote n = { 0 };
	struct str text;

	if (!parse_kind(r, cir_note_kinds, CNOTES, "kind of a note expected, such as asm", &n.kind) || !parse_fn_ref(r, &n.fn) ||
	    !parse_loc(r, &n.loc) || !parse_quoted(r, &text))
		return false;
	cir_note(r->p, n.kind, n.fn, n.loc, intern(&r->p->names, text));
	return true;
}

static bool parse_use(struct parser *r)
{
	struct cuse u = { 0 };

	if (!parse_var_ref(r, &u.param.i))
		return false;
	u.flags = (uint8_t)parse_flags(r, cir_use_flags);
	if (accept_word(r, "moves") && !parse_nth(r, &u.moves))
		return false;
	vec_push(&r->p->uses, u);
	return true;
}

static bool parse_declaration(struct parser *r)
{
	if (accept_word(r, "cprogram"))
		return text_u32(&r->in, &r->p->pointer_size);
	if (accept_word(r, "layout"))
		return parse_layout(r);
	if (accept_word(r, "object"))
		return parse_object(r);
	if (accept_word(r, "var"))
		return parse_var(r);
	if (accept_word(r, "temps"))
		return parse_temps(r);
	if (accept_word(r, "function"))
		return parse_function(r);
	if (accept_word(r, "use"))
		return parse_use(r);
	if (accept_word(r, "note"))
		return parse_note(r);
	if (accept_word(r, "initialisers"))
		return parse_fn_ref(r, &r->p->initialisers);
	return text_fail(&r->in, "declaration expected, such as layout, object, var, function");
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
		if (!parse_var_ref(r, &v.i))
			return false;
		vec_push(&r->args, v);
	} while (text_accept(&r->in, ','));
	return text_expect(&r->in, ')', "')' expected");
}

static bool parse_call(struct parser *r, uint32_t result)
{
	struct ccall c = { .result = { result } };

	if (text_accept(&r->in, '*') ? !parse_var_ref(r, &c.pointer.i) : !parse_fn_ref(r, &c.callee))
		return false;
	if (!parse_args(r))
		return false;
	c.nargs = r->args.len;
	c.flags = (uint8_t)parse_flags(r, cir_call_flags);
	if ((accept_word(r, "hint") && !parse_layout_ref(r, &c.hint)) || (accept_word(r, "size") && !text_u64(&r->in, &c.size)) ||
	    (accept_word(r, "memory") && !parse_object_ref(r, &c.memory.i)))
		return false;
	uint8_t flags = (uint8_t)parse_flags(r, cir_stmt_flags);
	if (!parse_loc(r, &c.loc))
		return false;
	cir_call(r->p, c, r->args.data);
	vec_last(&r->p->stmts)->flags = flags;
	return true;
}

static bool parse_shift(struct parser *r, struct cstmt *s, bool negative)
{
	s->op = C_SHIFT;
	if (!parse_offset(r, negative, &s->off))
		return false;
	if (!text_accept(&r->in, '+'))
		return true;
	return (accept_word(r, "n") || text_fail(&r->in, "'n' expected")) && text_expect(&r->in, '*', "'*' expected") &&
	       text_u32(&r->in, &s->width);
}

/* What comes after `=`; a call is complete then. */
static bool parse_right(struct parser *r, struct cstmt *s)
{
	struct token t;

	if (text_accept(&r->in, '&')) {
		s->op = C_ADDR;
		if (!parse_object_ref(r, &s->src))
			return false;
		if (text_accept(&r->in, '+'))
			return parse_offset(r, false, &s->off);
		return !text_accept(&r->in, '-') || parse_offset(r, true, &s->off);
	}
	if (text_accept(&r->in, '*')) {
		s->op = C_LOAD;
		return parse_var_ref(r, &s->src);
	}
	if (!parse_token(r, &t))
		return false;
	if (accept_word(r, "at")) {
		s->op = C_GET;
		return object_of(r, &t, &s->src) && parse_offset(r, false, &s->off);
	}
	s->op = C_COPY;
	if (!var_of(r, &t, &s->src))
		return false;
	bool minus = text_accept(&r->in, '-');
	return (!minus && !text_accept(&r->in, '+')) || parse_shift(r, s, minus);
}

static bool parse_store(struct parser *r, struct cstmt *s)
{
	if (!parse_var_ref(r, &s->dst) || !text_expect(&r->in, '=', "'=' expected"))
		return false;
	s->op = text_accept(&r->in, '*') ? C_MOVE : C_STORE;
	return parse_var_ref(r, &s->src);
}

static bool parse_put(struct parser *r, struct cstmt *s, const struct token *t)
{
	s->op = C_PUT;
	return object_of(r, t, &s->dst) && parse_offset(r, false, &s->off) && text_expect(&r->in, '=', "'=' expected") &&
	       parse_var_ref(r, &s->src);
}

static bool parse_assignment(struct parser *r, struct cstmt *s)
{
	struct token t;

	if (text_accept(&r->in, '*'))
		return parse_store(r, s);
	if (!parse_token(r, &t))
		return false;
	if (accept_word(r, "at"))
		return parse_put(r, s, &t);
	if (!var_of(r, &t, &s->dst) || !text_expect(&r->in, '=', "'=' expected"))
		return false;
	if (!accept_word(r, "call"))
		return parse_right(r, s);
	s->op = C_CALL;
	return parse_call(r, s->dst);
}

static bool parse_stmt(struct parser *r)
{
	struct cstmt s = { 0 };

	if (accept_word(r, "call"))
		return parse_call(r, 0);
	if (!parse_assignment(r, &s))
		return false;
	if (s.op == C_CALL)
		return true;
	if (s.op >= C_GET && accept_word(r, "for") && !text_u32(&r->in, &s.width))
		return false;
	s.flags = (uint8_t)parse_flags(r, cir_stmt_flags);
	if (!parse_loc(r, &s.loc))
		return false;
	cir_stmt(r->p, s);
	return true;
}

/* Lines. A body is between lines `{` and `}`. */

static bool begin_body(struct parser *r)
{
	if (r->fn.i)
		return text_fail(&r->in, "a body within a body");
	if (r->nth == 0)
		return text_fail(&r->in, "a body without its function");
	r->fn = (cfn_id){ r->nth };
	if (r->walk != WALK_BODIES)
		return true;
	const struct cfn *f = &r->p->fns.data[r->nth];
	if (f->stmts || f->nstmts)
		return text_fail(&r->in, "a second body");
	r->file = r->p->locs.data[f->loc.i].file;
	cir_begin(r->p, r->fn);
	return true;
}

static bool end_body(struct parser *r)
{
	if (r->fn.i == 0)
		return text_fail(&r->in, "'}' without a body");
	if (r->walk == WALK_BODIES)
		cir_end(r->p, r->fn);
	r->fn = (cfn_id){ 0 };
	r->file = (str_id){ 0 };
	return true;
}

/* Counts functions; their names are known before all else. */
static bool note_function(struct parser *r)
{
	struct token t;
	const char *from = r->in.at;

	if (!accept_word(r, "function"))
		return true;
	if (++r->nth == UINT32_MAX)
		return text_fail(&r->in, "too many functions");
	if (r->walk == WALK_NAMES) {
		if (!parse_token(r, &t))
			return false;
		add_name(&r->fns, 0, intern(&r->p->names, t.name), r->nth);
	}
	r->in.at = from;
	return true;
}

static bool parse_line(struct parser *r)
{
	if (text_accept(&r->in, '{'))
		return begin_body(r);
	if (text_accept(&r->in, '}'))
		return end_body(r);
	if (r->fn.i == 0 && !note_function(r))
		return false;
	if (r->walk == WALK_DECLARATIONS && r->fn.i == 0)
		return parse_declaration(r);
	if (r->walk == WALK_BODIES && r->fn.i)
		return parse_stmt(r);
	skip_line(r);
	return true;
}

static bool parse_walk(struct parser *r, enum walk walk, struct str text)
{
	r->walk = walk;
	r->in.at = text.p;
	r->in.line = 1;
	r->nth = 0;
	while (text_next_line(&r->in))
		if (!parse_line(r) || (!text_at_line_end(&r->in) && !text_fail(&r->in, "end of line expected")))
			return false;
	return r->fn.i == 0 || text_fail(&r->in, "a body does not end");
}

static void release(struct parser *r)
{
	map_release(&r->layouts);
	map_release(&r->objs);
	map_release(&r->vars);
	map_release(&r->fns);
	vec_release(&r->args);
	strbuf_release(&r->text);
}

bool cir_parse(struct cprogram *p, struct str text, const char *artifact, struct diag *d)
{
	struct parser r = { .p = p, .in = { .end = text.p + text.len, .comment = ';', .artifact = artifact, .d = d } };
	const char *reason;
	bool ok = parse_walk(&r, WALK_NAMES, text) && parse_walk(&r, WALK_DECLARATIONS, text) && parse_walk(&r, WALK_BODIES, text);

	if (ok && !cir_check(p, &reason))
		ok = text_fail(&r.in, reason);
	release(&r);
	return ok;
}
