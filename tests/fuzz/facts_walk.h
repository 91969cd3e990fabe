/* SPDX-License-Identifier: Apache-2.0 */
/* facts_walk.h - any bytes as a file of facts of one form: what is read is as facts.h promises. */
#ifndef TESTS_FUZZ_FACTS_WALK_H
#define TESTS_FUZZ_FACTS_WALK_H

#include "base/compiler.h"
#include "formats/facts/facts.h"

static inline bool facts_walk_has_class(const struct fact *f)
{
	bool needs_none = f->sort == FACT_PROXY || f->sort == FACT_RESOURCE || f->sort == FACT_STRING ||
			  (f->sort == FACT_SERIALIZED && f->ninterfaces);

	return needs_none == !f->class.len;
}

static inline void facts_walk_row(const struct fact *f, uint32_t size)
{
	struct strbuf type = { 0 };

	if (f->sort >= FACT_SORTS || !f->line || f->line > size + 1 || !f->entry)
		BUG("a row without a source");
	if (!facts_walk_has_class(f) || (f->sort == FACT_PROXY && !f->ninterfaces))
		BUG("a row that is about nothing");
	if (f->sort == FACT_CONSTRUCTOR && !str_is(f->name, "<init>"))
		BUG("a constructor with another name");
	if (!f->is_pattern && !fact_matches_class(f, f->class))
		BUG("a class that does not match itself");
	fact_matches_class(f, STR("java.util.Map$Entry"));
	fact_matches_name(f, STR("getEntry"));
	fact_matches_descriptor(f, STR("(ILjava/lang/String;[[J)V"));
	if (f->descriptor.len && f->descriptor.p[0] != '(' && fact_add_java_type(&type, f->descriptor).len)
		BUG("a field with more than one type");
	if (fact_compare(f, f))
		BUG("a row that is not equal to itself");
	strbuf_release(&type);
}

static inline int facts_walk(enum facts_form form, const uint8_t *data, size_t size)
{
	struct facts f;
	struct diag d;

	facts_init(&f);
	diag_init(&d);
	bool ok = facts_read_as(&f, form, "f", (struct span){ data, size }, &d);
	if (!ok && !d.errors)
		BUG("refused without a reason");
	for (uint32_t i = 0; i < f.rows.len; i++)
		facts_walk_row(&f.rows.data[i], (uint32_t)size);
	diag_release(&d);
	facts_release(&f);
	return 0;
}

#endif
