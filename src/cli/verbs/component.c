/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verbs/component.h"

#include <string.h>

static const char *const criteria_names[] = { "rc", "tm", "senders", "args" };

static void say_no_criterion(struct str item, unsigned allowed, struct strbuf *err)
{
	const char *before = ": use ";

	strbuf_addf(err, "--criteria cannot have '%.*s'", (int)item.len, item.p);
	for (size_t k = 0; k < ARRAY_LEN(criteria_names); k++) {
		if (!(allowed & 1u << k))
			continue;
		strbuf_addf(err, "%s%s", before, criteria_names[k]);
		before = ", ";
	}
}

bool criteria_read(const char *list, unsigned allowed, unsigned *out, struct strbuf *err)
{
	for (const char *at = list ? list : "rc,tm";; at++) {
		struct str item = { at, (uint32_t)strcspn(at, ",") };
		size_t k = 0;
		while (k < ARRAY_LEN(criteria_names) && !((allowed & 1u << k) && str_is(item, criteria_names[k])))
			k++;
		if (k == ARRAY_LEN(criteria_names)) {
			say_no_criterion(item, allowed, err);
			return false;
		}
		*out |= 1u << k;
		at += item.len;
		if (!*at)
			return true;
	}
}

bool component_prepare(struct study *x, const struct component_options *o, struct strbuf *err)
{
	struct fragment_opt opt = { o->component, o->interface, (enum clients)o->clients };

	return study_prepare(x, &opt, o->algorithm, o->heap, err);
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
