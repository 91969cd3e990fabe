/* SPDX-License-Identifier: Apache-2.0 */
/* facts_text.h - facts as lines of text, for tests:
 *	LINE WORD CLASS NAME DESCRIPTOR =EXTRA [INTERFACES] if CONDITION FLAGS {FILTER} @CALLER:LINE#PC xCOUNT
 * where what is empty is left out, but `-` stands for an empty class, and for an empty name before a descriptor. */
#ifndef TESTS_UNIT_FORMATS_FACTS_TEXT_H
#define TESTS_UNIT_FORMATS_FACTS_TEXT_H

#include "formats/facts/facts.h"

static inline void facts_text_str(struct strbuf *out, const char *before, struct str s)
{
	if (s.len)
		strbuf_addf(out, "%s%.*s", before, (int)s.len, s.p);
}

static inline void facts_text_filter(struct strbuf *out, const struct fact_filter *f)
{
	strbuf_addf(out, " {%x/%x %x/%x", f->class_set, f->class_unset, f->member_set, f->member_unset);
	facts_text_str(out, " @", f->class_annotation);
	facts_text_str(out, " <", f->super);
	facts_text_str(out, " <@", f->super_annotation);
	facts_text_str(out, " .@", f->member_annotation);
	strbuf_addch(out, '}');
}

static inline void facts_text_place(struct strbuf *out, const struct fact_place *at)
{
	if (!at->class.len && !at->line)
		return;
	facts_text_str(out, " @", at->class);
	facts_text_str(out, ".", at->name);
	facts_text_str(out, "", at->descriptor);
	strbuf_addf(out, ":%u", at->line);
	if (at->pc != FACT_NO_PC)
		strbuf_addf(out, "#%u", at->pc);
}

static inline void facts_text_row(struct strbuf *out, const struct fact *f)
{
	strbuf_adds(out, fact_word(f->sort));
	facts_text_str(out, " ", f->class.len ? f->class : STR("-"));
	if (f->name.len || f->descriptor.len)
		facts_text_str(out, " ", f->name.len ? f->name : STR("-"));
	facts_text_str(out, " ", f->descriptor);
	facts_text_str(out, " =", f->extra);
	for (uint32_t i = 0; i < f->ninterfaces; i++)
		facts_text_str(out, i ? "," : " [", f->interfaces[i]);
	strbuf_adds(out, f->ninterfaces ? "]" : "");
	facts_text_str(out, " if ", f->condition);
	strbuf_addf(out, "%s%s%s%s", f->is_pattern ? " pattern" : "", f->all_public ? " public" : "", f->if_used ? " if-used" : "",
		    f->needs_all ? " needs-all" : "");
	if (f->filter)
		facts_text_filter(out, f->filter);
	facts_text_place(out, &f->at);
	if (f->count)
		strbuf_addf(out, " x%u", (unsigned)f->count);
}

static inline void facts_text(struct strbuf *out, const struct facts *f)
{
	for (uint32_t i = 0; i < f->rows.len; i++) {
		strbuf_addf(out, "%u ", f->rows.data[i].line);
		facts_text_row(out, &f->rows.data[i]);
		strbuf_addch(out, '\n');
	}
}

#endif
