/* SPDX-License-Identifier: Apache-2.0 */
/* Strings that somebody asks for, and what they can be. */
#include "analysis/dynamic/casts.h"
#include "analysis/dynamic/text/texts_p.h"

enum { STRINGS_TOLD = 100, STRINGS_PRINTED = 20 };

void dynamic_string_release(struct dynamic_string *s)
{
	strbuf_release(&s->expression);
	strbuf_release(&s->example);
	strbuf_release(&s->strings);
	strbuf_release(&s->known);
}

static uint32_t node_of(struct values *v, const struct dynamic_string *s)
{
	const struct code c = *values_code(v, s->method);
	const struct ir_stmt *call = code_call(&c, s->pc, s->ref);

	if (!call || !code_operand(&c, call, s->operand))
		return 0;
	return texts_used(v, s->method.i, &c, block_of(c.body, code_index(&c, call)), code_operand(&c, call, s->operand));
}

void values_ask_strings(struct values *v, const struct dynamic_graph *g)
{
	for (uint32_t i = 0; i < v->opt->nstrings; i++) {
		struct dynamic_string *s = &v->opt->strings[i];
		if (s->node || !g->is_reached(g->ctx, s->method))
			continue;
		s->is_reached = true;
		s->node = node_of(v, s);
		if (s->node)
			texts_ask(v, s->node, NAME_OTHER);
	}
}

static void tell_unknown(struct values *v, struct dynamic_string *s, const struct language *known)
{
	s->reason = (enum dynamic_reason)v->nodes.data[texts_blame(v, s->node)].reason;
	if (!language_is_any(known) && !language_is_empty(known))
		language_print(v->texts.languages, known, STRINGS_PRINTED, &s->known);
}

static void tell(struct values *v, struct dynamic_string *s, const struct language *l)
{
	struct languages *ls = v->texts.languages;
	struct language_list list = language_list(ls, l, STRINGS_TOLD);
	struct str example;

	dynamic_string_release(s);
	s->is_any = language_is_any(l);
	s->is_widened = language_is_widened(l);
	s->is_finite = language_is_finite(l);
	language_print(ls, l, STRINGS_PRINTED, &s->expression);
	s->has_example = !s->is_any && language_example(ls, l, &example);
	if (s->has_example)
		strbuf_addstr(&s->example, example);
	s->nstrings = s->is_finite ? list.n : 0;
	s->has_more = list.more;
	for (uint32_t i = 0; i < s->nstrings; i++) {
		strbuf_addstr(&s->strings, list.s[i]);
		strbuf_addch(&s->strings, '\0');
	}
}

void values_answer_strings(struct values *v)
{
	for (uint32_t i = 0; i < v->opt->nstrings; i++) {
		const struct name *name = v->opt->strings[i].node ? texts_find(v, v->opt->strings[i].node) : NULL;
		if (name && name->full)
			tell(v, &v->opt->strings[i], name->full);
		if (name && name->full && v->opt->strings[i].is_any)
			tell_unknown(v, &v->opt->strings[i], name->known);
	}
}
