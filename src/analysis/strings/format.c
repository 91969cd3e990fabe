/* SPDX-License-Identifier: Apache-2.0 */
/* format.c - formats of java.util.Formatter, as productions. A specifier is %[index$][flags][width][.precision]conversion. */
#include "analysis/strings/grammar_p.h"

struct specifier {
	uint32_t index;               /* of an argument from 1 on; 0: the next one */
	bool same;                    /* %<: the argument of the specifier before */
	bool flags, width, precision;
	char conversion;
};

struct formatting {
	struct grammar *g;
	struct str format;
	uint32_t at;
	const string_node *args;
	uint32_t count, next, last;   /* arguments; indices from 0 on */
	string_node sum;              /* everything up to here */
};

static string_node node_of(struct grammar *g, const struct language *l)
{
	string_node n = grammar_node(g);

	grammar_add_language(g, n, l);
	return n;
}

static void append(struct formatting *f, string_node part)
{
	string_node sum = grammar_node(f->g);

	grammar_add_concat(f->g, sum, f->sum, part);
	f->sum = sum;
}

static char peek(const struct formatting *f)
{
	return f->at < f->format.len ? f->format.p[f->at] : 0;
}

/* Digits, if there are any: their value, or a large one. */
static bool number(struct formatting *f, uint32_t *value)
{
	uint32_t from = f->at;

	for (*value = 0; peek(f) >= '0' && peek(f) <= '9'; f->at++)
		*value = *value < 1000000 ? *value * 10 + (uint32_t)(peek(f) - '0') : *value;
	return f->at > from;
}

static void read_index(struct formatting *f, struct specifier *s)
{
	uint32_t from = f->at, value;

	if (peek(f) == '<') {
		s->same = true;
		f->at++;
	} else if (peek(f) != '0' && number(f, &value) && peek(f) == '$') {
		s->index = value;
		f->at++;
	} else {
		f->at = from;
	}
}

static bool read_specifier(struct formatting *f, struct specifier *s)
{
	uint32_t value;

	*s = (struct specifier){ 0 };
	read_index(f, s);
	for (; peek(f) && strchr("-#+ 0,(", peek(f)); f->at++)
		s->flags = true;
	s->width = number(f, &value);
	if (peek(f) == '.') {
		f->at++;
		s->precision = true;
		if (!number(f, &value))
			return false;
	}
	s->conversion = peek(f);
	f->at++;
	return s->conversion != 0;
}

/* The argument, or none when it is not known. */
static string_node argument(struct formatting *f, const struct specifier *s)
{
	uint32_t i = s->same ? f->last : s->index ? s->index - 1 : f->next++;

	f->last = i;
	return i < f->count ? f->args[i] : (string_node){ 0 };
}

static string_node operate(struct formatting *f, string_node a, struct operation op)
{
	string_node n = grammar_node(f->g);

	grammar_add_operation(f->g, n, &op, a, (string_node){ 0 });
	return n;
}

/* As the argument is written, if that is among `expected`; all of these when it is not known. */
static string_node written_as(struct formatting *f, string_node arg, const struct language *expected)
{
	if (!arg.i)
		return node_of(f->g, expected);
	return operate(f, arg, (struct operation){ .kind = OP_FILTER, .filter = expected });
}

static const struct language *expression(struct formatting *f, const char *text)
{
	return language_of_expression(f->g->ls, text);
}

/* With flags, digits may be grouped, by what the locale has for that. */
static string_node integer(struct formatting *f, const struct specifier *s, string_node arg)
{
	if (s->flags)
		return node_of(f->g, expression(f, "[ (+-]?[0-9,.' \x80-\xff]+\\)?|null"));
	return written_as(f, arg, expression(f, "-?[0-9]+|null"));
}

/* A char is written as it is; a number is that of a character, which can be any. */
static string_node character(struct formatting *f, string_node arg)
{
	const struct language *one = language_one_char(f->g->ls);
	string_node any = node_of(f->g, language_iterate(f->g->ls, one, 1, 2));

	if (!arg.i)
		return any;
	string_node number = written_as(f, arg, expression(f, "[0-9]+")), n = grammar_node(f->g);
	string_node nothing = operate(f, number, (struct operation){ .kind = OP_SUBSTRING, .from = 0, .to = 0 });

	grammar_add_concat(f->g, n, nothing, any);      /* nothing at all without a number */
	grammar_add_node(f->g, n, written_as(f, arg, language_union(f->g->ls, one, expression(f, "null"))));
	return n;
}

static string_node any_string(struct formatting *f)
{
	return node_of(f->g, language_any(f->g->ls));
}

/* What a conversion makes of an argument, without its width. */
static string_node converted(struct formatting *f, const struct specifier *s, string_node arg)
{
	switch (s->conversion) {
	case 's': return arg.i ? arg : any_string(f);
	case 'S': return arg.i ? operate(f, arg, (struct operation){ .kind = OP_UPPER }) : any_string(f);
	case 'b': return node_of(f->g, expression(f, "true|false"));
	case 'B': return node_of(f->g, expression(f, "TRUE|FALSE"));
	case 'd': return integer(f, s, arg);
	case 'x': case 'h': return node_of(f->g, expression(f, "[ (+-]?(0x)?[0-9a-f]+\\)?|null"));
	case 'X': case 'H': return node_of(f->g, expression(f, "[ (+-]?(0X)?[0-9A-F]+\\)?|NULL"));
	case 'o': return node_of(f->g, expression(f, "[ (+-]?[0-7]+\\)?|null"));
	case 'c': return character(f, arg);
	case 'e': case 'f': case 'g': case 'a':
		return node_of(f->g, expression(f, "[ (+-]?(0x)?[0-9a-f,.'p+ \x80-\xff-]+\\)?|[(+-]?(NaN|Infinity)\\)?|null"));
	case 'E': case 'G': case 'A':
		return node_of(f->g, expression(f, "[ (+-]?(0X)?[0-9A-F,.'P+ \x80-\xff-]+\\)?|[(+-]?(NAN|INFINITY)\\)?|NULL"));
	default: return any_string(f);
	}
}

/* A precision cuts strings; a width fills up with blanks, or zeros. */
static void append_fitted(struct formatting *f, const struct specifier *s, string_node part)
{
	const struct language *blanks = expression(f, s->flags ? "[ 0]*" : " *");

	if (s->precision && strchr("sSbBhH", s->conversion))
		part = operate(f, part, (struct operation){ .kind = OP_SUBSTRING, .from = 0, .to = POSITION_UNKNOWN });
	if (s->width)
		append(f, node_of(f->g, blanks));
	append(f, part);
	if (s->width && s->flags)
		append(f, node_of(f->g, blanks));
}

static bool append_specifier(struct formatting *f)
{
	struct specifier s;

	if (!read_specifier(f, &s))
		return false;
	if (s.conversion == 'n') {
		append(f, node_of(f->g, expression(f, "\r?\n")));
	} else if (s.conversion == '%') {
		append_fitted(f, &s, node_of(f->g, language_of(f->g->ls, STR("%"))));
	} else {
		string_node arg = argument(f, &s);

		if (s.conversion == 't' || s.conversion == 'T')
			f->at++;
		append_fitted(f, &s, converted(f, &s, arg));
	}
	return true;
}

static bool append_text(struct formatting *f)
{
	uint32_t from = f->at;

	while (f->at < f->format.len && f->format.p[f->at] != '%')
		f->at++;
	if (f->at > from)
		append(f, node_of(f->g, language_of(f->g->ls, str_sub(f->format, from, f->at))));
	if (f->at == f->format.len)
		return true;
	f->at++;
	return append_specifier(f);
}

void grammar_add_format(struct grammar *g, string_node n, struct str format, const string_node *args, uint32_t count)
{
	struct formatting f = { .g = g, .format = format, .args = args, .count = count };

	f.sum = node_of(g, language_of(g->ls, STR("")));
	while (f.at < format.len) {
		if (!append_text(&f)) {
			grammar_add_language(g, n, language_any(g->ls));
			return;
		}
	}
	grammar_add_node(g, n, f.sum);
}
