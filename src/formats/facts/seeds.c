/* SPDX-License-Identifier: Apache-2.0 */
/* seeds.c - what ProGuard's -printseeds prints: a class or a member a line. */
#include "formats/facts/facts_p.h"

static void set_sort(struct fact *row)
{
	if (str_is(row->name, "<clinit>")) {
		row->sort = FACT_INITIALISER;
		row->name = row->descriptor = (struct str){ "", 0 };
	} else if (row->descriptor.p[0] != '(') {
		row->sort = FACT_FIELD;
	} else {
		row->sort = str_is(row->name, "<init>") ? FACT_CONSTRUCTOR : FACT_INVOKE;
	}
}

static bool read_seed(struct factreader *r, struct str line, uint32_t first)
{
	struct fact row = *factreader_add(r, FACT_CLASS);

	if (!memchr(line.p, ':', line.len)) {
		if (!factname_class(r, line, 0, &row.class))
			return factreader_drop(r, first, "no name of a class");
	} else if (!factname_java_member(r, line, &row)) {
		return factreader_drop(r, first, "no member: write pkg.Cls: type name(types), or pkg.Cls: type name");
	} else {
		set_sort(&row);
	}
	if (!r->is_full)
		r->f->rows.data[first] = row;
	return true;
}

bool facts_read_seeds(struct factreader *r, struct span bytes)
{
	struct factlines l = factlines_of(bytes);
	struct str line;

	while (!r->is_full && factlines_next(&l, &line))
		if (fact_trim(line).len)
			read_seed(r, fact_trim(line), factreader_entry(r, l.line));
	return true;
}
