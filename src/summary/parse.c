/* SPDX-License-Identifier: Apache-2.0 */
/* parse.c - a summary from text; docs/formats/summary.md describes it. The text is walked twice: for declarations, then for what names
 * them. */
#include "summary/parse_p.h"

static bool declare_field(struct parser *r)
{
	struct cfield f = { 0 };

	if (!r->open_label.len)
		return parser_fail(r, "a field without its struct");
	if (!text_u64(&r->in, &f.offset) || !parser_layout(r, &f.layout) || !parser_name(r, &f.name))
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
	return !label.len || parser_add_label(r, 0, label, cir_layout(r->p, r->open).i);
}

static bool declare_layout(struct parser *r)
{
	static const char *const kinds[] = { "scalar", "struct", "array" };
	struct clayout l = { 0 };
	struct str label;

	text_skip_blanks(&r->in);
	if (!parser_label(r, '$', &label, &l.name) || !parser_kind(r, kinds, 3, &l.kind) || !text_u64(&r->in, &l.size))
		return false;
	if (l.kind == CLAYOUT_STRUCT) {
		l.first = r->p->fields.len;
		r->open = l;
		r->open_label = label;
		return true;
	}
	if (l.kind == CLAYOUT_ARRAY && (!(parser_word(r, "of") || parser_fail(r, "'of' expected")) || !parser_layout(r, &l.elem) ||
					!(parser_word(r, "x") || parser_fail(r, "'x' expected")) || !text_u64(&r->in, &l.count)))
		return false;
	return parser_add_label(r, 0, label, cir_layout(r->p, l).i);
}

/* Declarations */

static bool declare_object(struct parser *r)
{
	struct cobj o = { .fn = { r->fn } };
	struct str label;

	text_skip_blanks(&r->in);
	if (!parser_label(r, r->fn ? '.' : '@', &label, &o.name) || !parser_kind(r, cir_obj_kinds, COBJ_STRING + 1, &o.kind) ||
	    !parser_layout(r, &o.layout) || !parser_size(r, "size", &o.size))
		return false;
	if (o.kind == COBJ_FUNCTION)
		return parser_fail(r, "functions have their objects where they are");
	o.flags = (uint8_t)parser_flags(r, cir_obj_flags);
	return parser_loc(r, &o.loc) && parser_add_label(r, r->fn, label, cir_object(r->p, o).i);
}

static bool declare_address(struct parser *r)
{
	struct cobj *o = r->fn ? &vec_last(&r->places)->address : NULL;

	if (!o)
		return parser_fail(r, "an address without its function");
	o->flags = (uint8_t)parser_flags(r, cir_obj_flags);
	if ((parser_word(r, "name") && !parser_name(r, &o->name)) || (parser_word(r, "layout") && !parser_layout(r, &o->layout)) ||
	    !parser_size(r, "size", &o->size))
		return false;
	return !parser_word(r, "elsewhere") || parser_loc(r, &o->loc);
}

/* The variable's label is its name, unless it has a number; those of no function have names. */
static bool declare_var(struct parser *r, enum cvar_kind kind)
{
	struct cvar v = { .kind = (uint8_t)kind, .fn = { r->fn } };
	struct str label = STR("");

	text_skip_blanks(&r->in);
	if (!(r->fn ? parser_label(r, '%', &label, &v.name) : parser_name(r, &v.name)))
		return false;
	vec_push(&r->p->vars, v);
	return !v.name.i || !r->fn || parser_add_label(r, r->fn, label, r->p->vars.len - 1);
}

static bool declare_placed_var(struct parser *r, enum cvar_kind kind)
{
	return declare_var(r, kind) && parser_loc(r, &vec_last(&r->p->vars)->loc);
}

static bool declare_temps(struct parser *r)
{
	uint32_t n;

	if (!text_u32(&r->in, &n))
		return false;
	if (n > r->ntemps)                               /* each is named somewhere */
		return parser_fail(r, "more variables than the text can name");
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

	u.flags = (uint8_t)parser_flags(r, cir_use_flags);
	if (!parser_nth(r, "moves", &u.moves))
		return false;
	vec_push(&r->p->uses, u);
	return true;
}

static bool declare_param(struct parser *r)
{
	struct cfn *f = vec_last(&r->p->fns);

	if (!r->fn || f->result.i)
		return parser_fail(r, "a parameter without its function");
	if (!declare_var(r, CVAR_PARAM))
		return false;
	f->params = f->nparams++ ? f->params : r->p->vars.len - 1;
	if (parser_word(r, "use") && !declare_use(r))
		return false;
	return parser_loc(r, &vec_last(&r->p->vars)->loc);
}

static bool declare_result(struct parser *r)
{
	struct cfn *f = vec_last(&r->p->fns);

	if (!r->fn || f->result.i)
		return parser_fail(r, "a result without its function");
	if (!declare_placed_var(r, CVAR_RESULT))
		return false;
	f->result.i = r->p->vars.len - 1;
	return true;
}

static bool declare_note(struct parser *r)
{
	struct cnote n = { .fn = { r->fn } };

	if (!parser_kind(r, cir_note_kinds, CNOTES, &n.kind) || !parser_name(r, &n.text) || !parser_loc(r, &n.loc))
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
	if (!parser_label(r, '#', &label, &f.name))
		return false;
	f.flags = (uint16_t)parser_flags(r, cir_fn_flags);
	if (parser_word(r, "initialises"))
		r->p->initialisers.i = r->p->fns.len;
	if (!parser_nth(r, "moves", &f.realloc) || !parser_nth(r, "returns", &f.returns) || !parser_loc(r, &f.loc))
		return false;
	r->fn = r->p->fns.len;
	vec_push(&r->p->fns, f);
	vec_push(&r->places, ((struct place){ .address = { .kind = COBJ_FUNCTION, .flags = f.flags & CFN_STATIC ? COBJ_STATIC : 0,
							   .name = f.name, .fn = { r->fn }, .loc = f.loc } }));
	return parser_add_label(r, 0, label, r->fn);
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
		if (!parser_var(r, &v.i))
			return false;
		vec_push(&r->args, v);
	} while (text_accept(&r->in, ','));
	return text_expect(&r->in, ')', "')' expected");
}

static bool parse_call(struct parser *r, struct cstmt *s)
{
	struct ccall c = { .result = { s->dst } };

	s->op = C_CALL;
	if (text_accept(&r->in, '*') ? !parser_var(r, &c.pointer.i) : !parser_fn(r, &c.callee))
		return false;
	if (!parse_args(r))
		return false;
	c.nargs = r->args.len;
	c.flags = (uint8_t)parser_flags(r, cir_call_flags);
	if ((parser_word(r, "hint") && !parser_layout(r, &c.hint)) || !parser_size(r, "size", &c.size) ||
	    (parser_word(r, "memory") && !parser_object(r, &c.memory.i)))
		return false;
	uint8_t flags = (uint8_t)parser_flags(r, cir_stmt_flags);
	if (!parser_loc(r, &c.loc))
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
		return parser_fail(r, "offset is too large");
	*off = (int32_t)(is_negative ? -(int64_t)n : (int64_t)n);
	return true;
}

/* `#f` is one, `#f:.x` is one, `#f:%x` is a variable. */
static bool is_object(struct parser *r)
{
	char c = parser_peek(r);
	const char *from = r->in.at;
	struct str label;
	str_id name;

	if (c != '#' || !parser_label(r, '#', &label, &name))
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
	return !text_accept(&r->in, '+') || ((parser_word(r, "n") || parser_fail(r, "'n' expected")) &&
					     text_expect(&r->in, '*', "'*' expected") && text_u32(&r->in, &s->width));
}

static bool parse_at(struct parser *r, struct cstmt *s)
{
	return (parser_word(r, "at") || parser_fail(r, "'at' expected")) && parse_offset(r, false, &s->off);
}

static bool parse_right(struct parser *r, struct cstmt *s)
{
	if (text_accept(&r->in, '&')) {
		s->op = C_ADDR;
		return parser_object(r, &s->src) && ((parser_peek(r) != '+' && parser_peek(r) != '-') || parse_offset(r, true, &s->off));
	}
	if (is_object(r)) {
		s->op = C_GET;
		return parser_object(r, &s->src) && parse_at(r, s);
	}
	s->op = text_accept(&r->in, '*') ? C_LOAD : C_COPY;
	if (!parser_var(r, &s->src))
		return false;
	return s->op == C_LOAD || (parser_peek(r) != '+' && parser_peek(r) != '-') || parse_shift(r, s);
}

static bool parse_assigned(struct parser *r)
{
	return text_expect(&r->in, '=', "'=' expected");
}

static bool parse_assignment(struct parser *r, struct cstmt *s)
{
	if (text_accept(&r->in, '*')) {
		if (!parser_var(r, &s->dst) || !parse_assigned(r))
			return false;
		s->op = text_accept(&r->in, '*') ? C_MOVE : C_STORE;
		return parser_var(r, &s->src);
	}
	if (is_object(r)) {
		s->op = C_PUT;
		return parser_object(r, &s->dst) && parse_at(r, s) && parse_assigned(r) && parser_var(r, &s->src);
	}
	if (!parser_var(r, &s->dst) || !parse_assigned(r))
		return false;
	return parser_word(r, "call") ? parse_call(r, s) : parse_right(r, s);
}

static bool parse_stmt(struct parser *r)
{
	struct cstmt s = { 0 };

	if (!r->fn || !(r->p->fns.data[r->fn].flags & CFN_DEFINED))
		return parser_fail(r, "a statement of no function that is defined");
	if (parser_word(r, "call") ? !parse_call(r, &s) : !parse_assignment(r, &s))
		return false;
	if (s.op == C_CALL)
		return true;
	if (parser_word(r, "for") && !text_u32(&r->in, &s.width))
		return false;
	s.flags = (uint8_t)parser_flags(r, cir_stmt_flags);
	if (!parser_loc(r, &s.loc))
		return false;
	cir_stmt(r->p, s);
	return true;
}

/* What a function says of rows of any function */

static bool parse_rest(struct parser *r)
{
	return parser_object(r, &r->p->fns.data[r->fn].rest.i);
}

static bool parse_other(struct parser *r)
{
	return parser_var(r, &r->p->fns.data[r->fn].other.i);
}

static bool parse_of(struct parser *r)
{
	return parser_fn(r, &r->p->fns.data[r->fn].of);
}

static bool parse_alias(struct parser *r)
{
	struct calias a = { 0 };

	r->fn = 0;
	if (!parser_name(r, &a.name) || !parser_object(r, &a.obj.i))
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
	return parser_name(r, &r->s->library);
}

static bool parse_options(struct parser *r)
{
	r->s->options = parser_word(r, "optimised") ? SUMMARY_OPTIMISED : 0;
	return true;
}

static bool parse_module(struct parser *r)
{
	struct summary_module m = { 0 };

	if (!parser_name(r, &m.name) || !parser_hex(r, &m.digest))
		return false;
	vec_push(&r->s->modules, m);
	return true;
}

static bool parse_uses(struct parser *r)
{
	struct summary_module m = { 0 };

	if (!parser_name(r, &m.name) || !parser_hex(r, &m.digest))
		return false;
	vec_push(&r->s->uses, m);
	return true;
}

static bool parse_attached(struct parser *r)
{
	return parser_name(r, &r->s->attached);
}

static bool parse_exports(struct parser *r)
{
	return parser_hex(r, &r->s->exports);
}

static bool parse_models(struct parser *r)
{
	return parser_hex(r, &r->s->models);
}

static bool parse_inner(struct parser *r)
{
	str_id name;

	if (!parser_name(r, &name))
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
	return parser_hex(r, &digest);
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

static const struct keyword keywords[] = {
	{ "sherd-summary", parse_version, false }, { "library", parse_library, false },    { "options", parse_options, false },
	{ "module", parse_module, false },         { "exports", parse_exports, false },    { "models", parse_models, false },
	{ "inner", parse_inner, false },           { "pointers", parse_pointers, false },  { "layout", declare_layout, false },
	{ "object", declare_object, false },       { "temps", declare_temps, false },      { "temp", declare_temp, false },
	{ "local", declare_local, false },         { "note", declare_note, false },        { "function", declare_function, false },
	{ "address", declare_address, false },     { "param", declare_param, false },      { "result", declare_result, false },
	{ "rest", parse_rest, true },              { "other", parse_other, true },         { "of", parse_of, true },
	{ "alias", parse_alias, true },            { "end", parse_end, false },            { "call", NULL, true },
	{ "uses", parse_uses, false },             { "attached", parse_attached, false },
};

static const struct keyword *keyword_of(struct parser *r)
{
	struct str w = text_peek_word(&r->in, parser_is_word_char);

	for (uint32_t i = 0; i < sizeof(keywords) / sizeof(*keywords); i++)
		if (str_is(w, keywords[i].word))
			return &keywords[i];
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
	if (parser_is_digit(parser_peek(r)))
		return declare_field(r);
	if (!close_struct(r))
		return false;
	if (k && !k->second) {
		r->in.at += strlen(k->word);
		return k->parse(r);
	}
	if (!k && parser_is_word_char(parser_peek(r)) && parser_peek(r) != '_' && parser_peek(r) != '.')
		return parser_fail(r, "no line begins with this word");
	skip_line(r);
	return true;
}

static bool parse_second(struct parser *r, const struct keyword *k, uint32_t *fn)
{
	if (k && k->parse == declare_function)
		begin_body(r, ++*fn);
	if (k && k->second && k->parse) {
		if (!r->fn && k->parse != parse_alias)
			return parser_fail(r, "a line without its function");
		if (k->parse == parse_alias)
			end_body(r);
		r->in.at += strlen(k->word);
		return k->parse(r);
	}
	if (k ? !k->second : parser_is_digit(parser_peek(r))) {
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
			return parser_fail(r, "more lines behind the end");
		if (!(declares ? parse_first(r, k) : parse_second(r, k, &fn)) ||
		    (!text_at_line_end(&r->in) && !parser_fail(r, "end of line expected")))
			return false;
		r->has_end |= k && k->parse == parse_end;
	}
	return r->has_end || parser_fail(r, "the last line is missing: it was cut off");
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
