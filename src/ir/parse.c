/* SPDX-License-Identifier: Apache-2.0 */
/* parse.c - reads bodies from text, one line at a time; docs/ir.md specifies the form. Values keep their
 * numbers when these are 1 to n; else they are renumbered in ascending order. */
#include <errno.h>
#include <stdlib.h>

#include "base/text/textreader.h"
#include "ir/arith.h"
#include "ir/builder.h"
#include "ir/text_p.h"

struct parser {
	struct program *p;
	struct textreader in;          /* its item is the method */
	struct arena *mem;
	struct body_builder b;
	VEC(uint32_t) preds;           /* as written: block, count, predecessors */
	VEC(uint64_t) defs;            /* number in the text << 32 | value */
};

static bool is_word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

/* A keyword; blanks follow it, so that it is not taken for the start of a name. */
static bool accept_word(struct parser *r, const char *word)
{
	struct str w = text_peek_word(&r->in, is_word_char);
	const char *after = w.p + w.len;

	if (!str_is(w, word) || (after < r->in.end && !strchr(" \t\r\n", *after)))
		return false;
	r->in.at = after;
	return true;
}

static bool parse_u32(struct parser *r, uint32_t *v)
{
	uint64_t n = 0;
	const char *from = r->in.at;

	while (r->in.at < r->in.end && *r->in.at >= '0' && *r->in.at <= '9' && n <= UINT32_MAX)
		n = n * 10 + (uint64_t)(*r->in.at++ - '0');
	*v = (uint32_t)n;
	return (r->in.at > from && n < UINT32_MAX) || text_fail(&r->in, "number expected");
}

/* `v12`, `b3`: a letter and a number. */
static bool accept_numbered(struct parser *r, char letter, uint32_t *n)
{
	struct str w = text_peek_word(&r->in, is_word_char);

	if (w.len < 2 || w.p[0] != letter || w.p[1] < '0' || w.p[1] > '9')
		return false;
	r->in.at++;
	return parse_u32(r, n);
}

static bool parse_block_name(struct parser *r, uint32_t *n)
{
	return accept_numbered(r, 'b', n) || text_fail(&r->in, "block expected, such as b1");
}

static bool parse_quoted(struct parser *r, struct str *s)
{
	struct strbuf text = { 0 };
	bool ok = text_quoted(&r->in, &text);

	*s = (struct str){ ok ? arena_copy(r->mem, text.s, text.len) : "", ok ? (uint32_t)text.len : 0 };
	strbuf_release(&text);
	return ok;
}

/* A name or descriptor, quoted or plain. */
static bool parse_name(struct parser *r, bool (*is_plain)(struct str), struct str *s)
{
	text_skip_blanks(&r->in);
	if (r->in.at < r->in.end && *r->in.at == '"')
		return parse_quoted(r, s);
	const char *from = r->in.at;

	while (r->in.at < r->in.end && is_plain((struct str){ r->in.at, 1 }))
		r->in.at++;
	*s = (struct str){ from, (uint32_t)(r->in.at - from) };
	return s->len > 0 || text_fail(&r->in, "name expected");
}

/* References */

static bool check_class_name(struct parser *r, struct str s)
{
	return (s.len > 0 && s.len < 65536) || text_fail(&r->in, "class name of an impossible length");
}

static bool parse_class(struct parser *r, class_id *c)
{
	struct str name;

	if (!parse_name(r, ir_is_plain_name, &name) || !check_class_name(r, name))
		return false;
	*c = program_class(r->p, name);
	return true;
}

static bool parse_sel(struct parser *r, sel_id *sel)
{
	struct str name, desc;

	if (!parse_name(r, ir_is_plain_name, &name) || !text_expect(&r->in, ':', "':' and a descriptor expected") ||
	    !parse_name(r, ir_is_plain_desc, &desc))
		return false;
	*sel = program_sel(r->p, name, desc);
	return true;
}

static bool parse_member(struct parser *r, class_id *owner, sel_id *sel)
{
	return parse_class(r, owner) && text_expect(&r->in, '.', "'.' and a member's name expected") && parse_sel(r, sel);
}

static bool parse_mref(struct parser *r, uint32_t *ref)
{
	bool is_interface = accept_word(r, "interface");
	class_id owner;
	sel_id sel;

	if (!parse_member(r, &owner, &sel))
		return false;
	*ref = program_mref(r->p, owner, sel, is_interface).i;
	return true;
}

static bool parse_fref(struct parser *r, uint32_t *ref)
{
	class_id owner;
	sel_id sel;

	if (!parse_member(r, &owner, &sel))
		return false;
	*ref = program_fref(r->p, owner, sel).i;
	return true;
}

static bool parse_handle(struct parser *r, struct ir_stmt *s)
{
	for (uint16_t k = 1; k < IR_HANDLE_KINDS; k++) {
		if (!accept_word(r, ir_handle_names[k]))
			continue;
		s->sub = k;
		return k <= 4 ? parse_fref(r, &s->ref) : parse_mref(r, &s->ref);
	}
	return text_fail(&r->in, "kind of method handle expected, such as invokeStatic");
}

static bool parse_dynamic(struct parser *r, struct ir_stmt *s)
{
	mref_id bootstrap = { 0 };
	sel_id sel;

	if (!parse_sel(r, &sel) || (accept_word(r, "by") && !parse_mref(r, &bootstrap.i)))
		return false;
	s->ref = builder_dynamic(&r->b, bootstrap, sel);
	return true;
}

/* Numbers: the text up to the next blank, for the C library. */
static bool number_text(struct parser *r, char *text, size_t size)
{
	size_t n = 0;

	text_skip_blanks(&r->in);
	while (r->in.at < r->in.end && n + 1 < size && (is_word_char(*r->in.at) || *r->in.at == '-' || *r->in.at == '+'))
		text[n++] = *r->in.at++;
	text[n] = 0;
	return n > 0 || text_fail(&r->in, "number expected");
}

static bool parse_integer(struct parser *r, int64_t *v)
{
	char text[32], *end;

	if (!number_text(r, text, sizeof(text)))
		return false;
	errno = 0;
	*v = strtoll(text, &end, 10);
	return (*end == 0 && errno == 0) || text_fail(&r->in, "malformed number");
}

/* A decimal number, or the bits in hexadecimal; `size` is 4 or 8. */
static bool parse_real(struct parser *r, unsigned size, uint64_t *bits)
{
	char text[64], *end;

	if (!number_text(r, text, sizeof(text)))
		return false;
	*bits = 0;
	if (text[0] == '0' && text[1] == 'x') {
		*bits = strtoull(text, &end, 16);
	} else if (size == 4) {
		float f = strtof(text, &end);
		uint32_t low;

		memcpy(&low, &f, sizeof(f));
		*bits = low;
	} else {
		double d = strtod(text, &end);

		memcpy(bits, &d, sizeof(d));
	}
	return *end == 0 || text_fail(&r->in, "malformed number");
}

static bool parse_int_ref(struct parser *r, struct ir_stmt *s)
{
	int64_t v = 0;
	uint64_t bits = 0;

	if (s->op == IR_CONST_FLOAT ? !parse_real(r, 4, &bits) : !parse_integer(r, &v))
		return false;
	s->ref = s->op == IR_CONST_FLOAT ? (uint32_t)bits : (uint32_t)v;
	return (v >= INT32_MIN && v <= INT32_MAX) || text_fail(&r->in, "not a 32-bit number");
}

static bool parse_long_ref(struct parser *r, struct ir_stmt *s)
{
	int64_t v = 0;
	uint64_t bits = 0;

	if (s->op == IR_CONST_DOUBLE ? !parse_real(r, 8, &bits) : !parse_integer(r, &v))
		return false;
	s->ref = builder_long(&r->b, s->op == IR_CONST_DOUBLE ? (int64_t)bits : v);
	return true;
}

static bool parse_ref(struct parser *r, struct ir_stmt *s)
{
	struct str text;
	class_id c;

	switch ((enum ir_ref_kind)ir_ops[s->op].ref) {
	case IR_REF_NONE:
		return true;
	case IR_REF_INT:
		return parse_int_ref(r, s);
	case IR_REF_LONG:
		return s->op == IR_SWITCH || parse_long_ref(r, s);
	case IR_REF_STRING:
		if (!parse_quoted(r, &text))
			return false;
		s->ref = intern(&r->p->strings, text).i;
		return true;
	case IR_REF_CLASS:
		if (!parse_class(r, &c))
			return false;
		s->ref = c.i;
		return true;
	case IR_REF_MREF:
		return s->op == IR_CONST_HANDLE ? parse_handle(r, s) : parse_mref(r, &s->ref);
	case IR_REF_FREF:
		return parse_fref(r, &s->ref);
	case IR_REF_PARAM:
		text_skip_blanks(&r->in);
		return parse_u32(r, &s->ref);
	case IR_REF_DYNAMIC:
		return parse_dynamic(r, s);
	}
	return text_fail(&r->in, "malformed statement");
}

/* Statements */

static uint16_t parse_call_sub(struct parser *r)
{
	for (uint16_t k = IR_CALL_LINK; k <= IR_CALL_TARGET; k++)
		if (accept_word(r, ir_call_names[k]))
			return k;
	return IR_CALL_WRITTEN;
}

static bool find_sub(unsigned op, struct str name, uint16_t *sub)
{
	if (op == IR_ALOAD || op == IR_ASTORE) {
		for (*sub = 1; *sub <= IR_KIND_SHORT; ++*sub)
			if (str_is(name, ir_kind_names[*sub]))
				return true;
		return false;
	}
	for (*sub = 0; *sub < 256; ++*sub)
		if (ir_ariths[*sub].name && str_is(name, ir_ariths[*sub].name))
			return true;
	return false;
}

/* `call.static`, or with what `sub` says as the last part: `op.iadd`, `aload.byte`. */
static bool parse_op(struct parser *r, struct ir_stmt *s)
{
	struct str w = text_peek_word(&r->in, is_word_char), name = w;
	int64_t dot = str_rfind(w, '.');
	bool has_sub = dot > 0 && (str_starts(w, "op.") || str_starts(w, "if.") || str_starts(w, "aload.") ||
				   str_starts(w, "astore."));

	r->in.at += w.len;
	if (has_sub)
		name = str_sub(w, 0, (uint32_t)dot);
	for (s->op = 0; s->op < IR_OPS; s->op++)
		if (str_is(name, ir_ops[s->op].text))
			break;
	if (s->op == IR_OPS)
		return text_fail(&r->in, "unknown operation");
	if (has_sub && !find_sub(s->op, str_sub(w, (uint32_t)dot + 1, w.len), &s->sub))
		return text_fail(&r->in, "unknown operation");
	if (ir_is_call(s->op))
		s->sub = parse_call_sub(r);
	if (s->op == IR_CAST)
		s->sub = accept_word(r, "known") ? IR_CAST_KNOWN : IR_CAST_ANY;
	return true;
}

/* The operands, with their numbers in the text for now. */
static bool parse_args(struct parser *r, struct ir_stmt *s)
{
	uint32_t v;

	s->args = r->b.args.len;
	if (!text_accept(&r->in, '(') || text_accept(&r->in, ')'))
		return true;
	do {
		if (!accept_numbered(r, 'v', &v))
			return text_fail(&r->in, "value expected, such as v1");
		vec_push(&r->b.args, v);
	} while (text_accept(&r->in, ','));
	s->nargs = r->b.args.len - s->args;
	return text_expect(&r->in, ')', "')' expected");
}

static bool parse_switch(struct parser *r, struct ir_stmt *s)
{
	uint32_t to;

	s->ref = r->b.longs.len;
	if (!accept_word(r, "default") || !parse_block_name(r, &to))
		return text_fail(&r->in, "default target expected");
	builder_succ(&r->b, to);
	while (text_accept(&r->in, ',')) {
		int64_t key;

		if (!parse_integer(r, &key) || !parse_block_name(r, &to))
			return false;
		builder_long(&r->b, key);
		builder_succ(&r->b, to);
	}
	return true;
}

static bool parse_targets(struct parser *r, struct ir_stmt *s)
{
	uint32_t to;

	if (s->op == IR_SWITCH)
		return parse_switch(r, s);
	if (s->op != IR_GOTO && s->op != IR_IF)
		return true;
	do {
		if (!parse_block_name(r, &to))
			return false;
		builder_succ(&r->b, to);
	} while (text_accept(&r->in, ','));
	return true;
}

/* `int v3 =`: the result and, if written, its kind. */
static bool parse_result(struct parser *r, uint32_t *number, enum ir_kind *kind)
{
	struct str w = text_peek_word(&r->in, is_word_char);

	*number = 0;
	*kind = IR_KIND_NONE;
	for (unsigned k = IR_KIND_INT; k <= IR_KIND_OBJECT; k++)
		if (str_is(w, ir_kind_names[k]))
			*kind = (enum ir_kind)k;
	if (*kind != IR_KIND_NONE)
		r->in.at += w.len;
	if (accept_numbered(r, 'v', number))
		return *number > 0 ? text_expect(&r->in, '=', "'=' expected") : text_fail(&r->in, "values are numbered from 1");
	return *kind == IR_KIND_NONE || text_fail(&r->in, "value expected, such as v1");
}

static bool define(struct parser *r, struct ir_stmt *s, uint32_t number, enum ir_kind kind)
{
	if (kind == IR_KIND_NONE)
		kind = ir_default_kind(r->p, s, r->b.dynamics.data);
	if (kind == IR_KIND_NONE)
		return text_fail(&r->in, "a result of type void");
	s->result = builder_value(&r->b, kind);
	vec_push(&r->defs, (uint64_t)number << 32 | s->result);
	return true;
}

static bool parse_pc(struct parser *r, uint32_t *pc)
{
	*pc = 0;
	if (text_accept(&r->in, '@') && !parse_u32(r, pc))
		return false;
	return text_at_line_end(&r->in) || text_fail(&r->in, "end of line expected");
}

static bool parse_stmt(struct parser *r)
{
	struct ir_stmt s = { 0 };
	enum ir_kind kind;
	uint32_t number;

	if (r->in.failed || !parse_result(r, &number, &kind) || !parse_op(r, &s) || !parse_ref(r, &s) ||
	    !parse_args(r, &s) || !parse_targets(r, &s) || !parse_pc(r, &s.pc))
		return false;
	if (number && !define(r, &s, number, kind))
		return false;
	vec_push(&r->b.stmts, s);
	return true;
}

static bool parse_block_preds(struct parser *r, uint32_t block)
{
	uint32_t at = r->preds.len, n;

	vec_push(&r->preds, block);
	vec_push(&r->preds, 0);
	while (accept_numbered(r, 'b', &n)) {
		vec_push(&r->preds, n);
		r->preds.data[at + 1]++;
	}
	return !r->in.failed;
}

/* `b2: preds b0 b1 handlers b5 @12`, after the label's number. */
static bool parse_block_head(struct parser *r, uint32_t number)
{
	uint32_t n;

	if (r->b.blocks.len == 0 && r->b.stmts.len > 0)
		return text_fail(&r->in, "statements before the first label");
	if (number != r->b.blocks.len || !text_expect(&r->in, ':', "':' expected"))
		return text_fail(&r->in, "blocks are numbered in order, from b0");
	builder_block(&r->b);
	if (accept_word(r, "preds") && !parse_block_preds(r, number))
		return false;
	if (accept_word(r, "handlers"))
		while (accept_numbered(r, 'b', &n))
			builder_handler(&r->b, n);
	return !r->in.failed && parse_pc(r, &r->b.blocks.data[number].pc);
}

static bool parse_line(struct parser *r)
{
	uint32_t number;

	if (accept_numbered(r, 'b', &number))
		return parse_block_head(r, number);
	return parse_stmt(r);
}

/* The end: values by number, predecessors in the order written */

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The rank of a value's number among all numbers; 0: it is not defined. */
static uint32_t rank_of(const struct parser *r, uint32_t number)
{
	uint32_t lo = 0, hi = r->defs.len;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (r->defs.data[mid] >> 32 < number)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < r->defs.len && r->defs.data[lo] >> 32 == number ? lo + 1 : 0;
}

static bool number_values(struct parser *r)
{
	uint32_t n = r->defs.len;
	uint32_t *rank = arena_array(r->mem, uint32_t, n + 1);      /* by value */
	uint8_t *kinds = arena_array(r->mem, uint8_t, n + 1);

	if (n)
		qsort(r->defs.data, n, sizeof(*r->defs.data), compare_u64);
	for (uint32_t i = 0; i < n; i++) {
		if (i && r->defs.data[i] >> 32 == r->defs.data[i - 1] >> 32)
			return text_fail(&r->in, "a value is defined twice");
		rank[(uint32_t)r->defs.data[i]] = i + 1;
		kinds[i + 1] = r->b.kinds.data[(uint32_t)r->defs.data[i]];
	}
	for (uint32_t i = 1; i <= n; i++)
		r->b.kinds.data[i] = kinds[i];
	for (uint32_t i = 0; i < r->b.stmts.len; i++)
		if (r->b.stmts.data[i].result)
			r->b.stmts.data[i].result = rank[r->b.stmts.data[i].result];
	for (uint32_t i = 0; i < r->b.args.len; i++) {
		r->b.args.data[i] = rank_of(r, r->b.args.data[i]);
		if (r->b.args.data[i] == 0)
			return text_fail(&r->in, "a value is used but not defined");
	}
	return true;
}

/* Replaces the computed order of predecessors by the written one; body_check finds wrong ones. */
static bool order_preds(struct parser *r, struct ir_body *b)
{
	uint32_t *edges = arena_copy(r->mem, b->edges, b->nedges * sizeof(uint32_t));

	for (uint32_t at = 0; at < r->preds.len; at += 2 + r->preds.data[at + 1]) {
		const struct ir_block *k = &b->blocks[r->preds.data[at]];

		if (r->preds.data[at + 1] != k->npreds)
			return text_fail(&r->in, "predecessors do not fit the edges");
		for (uint32_t i = 0; i < k->npreds; i++)
			edges[k->preds + i] = r->preds.data[at + 2 + i];
	}
	b->edges = edges;
	return true;
}

static bool check_targets(struct parser *r)
{
	uint32_t n = r->b.blocks.len ? r->b.blocks.len : 1;
	bool ok = true;

	for (uint32_t i = 0; i < r->b.succs.len; i++)
		ok = ok && r->b.succs.data[i] < n;
	for (uint32_t i = 0; i < r->b.handlers.len; i++)
		ok = ok && r->b.handlers.data[i] < n;
	return ok || text_fail(&r->in, "edge to a block that does not exist");
}

static bool finish(struct parser *r, struct ir_body *b)
{
	const char *reason;

	if (r->in.failed || !number_values(r) || !check_targets(r))
		return false;
	*b = builder_finish(&r->b, r->mem);
	if (!order_preds(r, b))
		return false;
	return body_check(b, r->mem, &reason) || text_fail(&r->in, reason);
}

static void release(struct parser *r)
{
	builder_release(&r->b);
	vec_release(&r->preds);
	vec_release(&r->defs);
}

static struct textreader open_text(struct str text, struct diag *d)
{
	return (struct textreader){ .at = text.p, .end = text.p + text.len, .line = 1, .comment = '#', .has_tab = true, .d = d };
}

bool body_parse(struct program *p, struct str text, struct ir_body *b, struct arena *mem, struct diag *d)
{
	struct parser r = { .p = p, .in = open_text(text, d), .mem = mem };

	while (text_next_line(&r.in) && parse_line(&r))
		;
	bool ok = finish(&r, b);

	release(&r);
	return ok;
}

/* `method OWNER.NAME:DESC {` */
static bool parse_item_head(struct parser *r, class_id *owner, sel_id *sel)
{
	if (!accept_word(r, "method"))
		return text_fail(&r->in, "'method' expected");
	text_skip_blanks(&r->in);
	const char *from = r->in.at;

	if (!parse_member(r, owner, sel))
		return false;
	r->in.item = (struct str){ from, (uint32_t)(r->in.at - from) };
	return text_expect(&r->in, '{', "'{' expected") &&
	       (text_at_line_end(&r->in) || text_fail(&r->in, "end of line expected"));
}

static bool parse_item(struct parser *r)
{
	while (text_next_line(&r->in)) {
		if (text_accept(&r->in, '}'))
			return text_at_line_end(&r->in) || text_fail(&r->in, "end of line expected");
		if (!parse_line(r))
			return false;
	}
	return text_fail(&r->in, "'}' expected");
}

bool body_parse_next(struct program *p, struct str *text, class_id *owner, sel_id *sel, struct ir_body *b,
		     struct arena *mem, struct diag *d)
{
	struct parser r = { .p = p, .in = open_text(*text, d), .mem = mem };
	bool ok = text_next_line(&r.in);

	r.in.line = 1;
	ok = ok && parse_item_head(&r, owner, sel) && parse_item(&r) && finish(&r, b);
	*text = (struct str){ r.in.at, (uint32_t)(r.in.end - r.in.at) };
	release(&r);
	return ok;
}
