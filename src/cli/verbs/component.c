/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verbs/component.h"

#include <string.h>

#include "coverage/criteria.h"

/* By its bit: a row of coverage/criteria.def, or a list that only sherd requirements shows. NULL: there is none. */
static const char *criterion_name(unsigned bit)
{
	for (uint32_t k = 0; k < CRITERIA; k++)
		if (cov_criteria[k].bit == bit && !criterion_is_part(k))
			return cov_criteria[k].name;
	return bit == CRITERION_SENDERS ? "senders" : bit == CRITERION_ARGS ? "args" : NULL;
}

void criteria_tell(struct strbuf *out)
{
	const char *before = "what is to be exercised at a call: ";

	for (uint32_t k = 0; k < CRITERIA; k++) {
		if (criterion_is_part(k))
			continue;
		strbuf_addf(out, "%s%s %s", before, cov_criteria[k].name, cov_criteria[k].words);
		before = ", ";
	}
	before = " (default: ";
	for (uint32_t k = 0; k < CRITERIA; k++) {
		if (!cov_criteria[k].is_default)
			continue;
		strbuf_addf(out, "%s%s", before, cov_criteria[k].name);
		before = ",";
	}
	strbuf_addch(out, ')');
}

static void say_no_criterion(struct str item, unsigned allowed, struct strbuf *err)
{
	const char *before = ": use ";

	strbuf_addf(err, "--criteria cannot have '%.*s'", (int)item.len, item.p);
	for (unsigned bit = 1; bit; bit <<= 1) {
		if (!(allowed & bit))
			continue;
		strbuf_addf(err, "%s%s", before, criterion_name(bit));
		before = ", ";
	}
}

bool criteria_read(const char *list, unsigned allowed, unsigned *out, struct strbuf *err)
{
	if (!list)
		*out = criteria_default_bits();
	for (const char *at = list; at; at++) {
		struct str item = { at, (uint32_t)strcspn(at, ",") };
		unsigned bit = 1, needs = criteria_named(item);
		while (bit && !((allowed & bit) && str_is(item, criterion_name(bit))))
			bit <<= 1;
		if (!bit && needs && (allowed & needs) == needs)
			bit = needs;
		if (!bit) {
			say_no_criterion(item, allowed, err);
			return false;
		}
		*out |= bit;
		at += item.len;
		if (!*at)
			return true;
	}
	return true;
}

bool component_prepare(struct study *x, const struct component_options *o, struct strbuf *err)
{
	struct fragment_opt opt = { o->component, o->interface, (enum clients)o->clients };

	return study_prepare(x, &opt, o->algorithm, o->heap, err) && analysis_assume(&x->analysis, o->assume, err);
}

int component_run_verb(const struct study *x, const struct shared_options *o, int (*work)(struct cli_run *r, void *ctx),
		       void *ctx)
{
	struct shared_options with_tests = *o;
	struct strbuf path = { 0 };

	study_class_path(&x->opt, o->class_path, &path);
	with_tests.class_path = path.len ? path.s : o->class_path;
	int status = run_verb(&with_tests, work, ctx);
	strbuf_release(&path);
	return status;
}
