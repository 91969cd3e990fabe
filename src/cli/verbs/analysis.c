/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/verbs/analysis.h"

#include <stdio.h>
#include <string.h>

enum { ALGORITHMS_MAX = 63 };
const char *algorithm_names[ALGORITHMS_MAX + 1];
const char *assume_names[DYNAMIC_LEVELS + 1];

void algorithm_names_init(void)
{
	struct algorithm a;

	for (uint32_t k = 0; algorithm_get(k, &a); k++) {
		if (k == ALGORITHMS_MAX)
			BUG("more than %d algorithms", ALGORITHMS_MAX);
		algorithm_names[k] = a.name;
	}
	for (unsigned l = 0; l < DYNAMIC_LEVELS; l++)
		assume_names[l] = dynamic_level_name((enum dynamic_level)l);
}

static void list_algorithms(void)
{
	struct algorithm a;

	for (uint32_t k = 0; algorithm_get(k, &a); k++)
		printf("%-10s %s\n", a.name, a.help);
}

static void list_levels(void)
{
	for (unsigned l = 0; l < DYNAMIC_LEVELS; l++)
		printf("%-10s %s\n", dynamic_level_name((enum dynamic_level)l), dynamic_level_help((enum dynamic_level)l));
}

bool list_names(const char *algorithm, const char *assume)
{
	bool is_algorithm = strcmp(algorithm, "help") == 0, is_level = strcmp(assume, "help") == 0;

	if (is_algorithm)
		list_algorithms();
	else if (is_level)
		list_levels();
	return is_algorithm || is_level;
}

#define MANIFEST "manifest"           /* the start is what a manifest says */

static const char *start_of(const struct analysis_options *o)
{
	return o->main ? "main " : !o->entry ? MANIFEST : strcmp(o->entry, "public") == 0 ? "" : "file ";
}

bool analysis_prepare(struct analysis *x, const struct analysis_options *o, const struct shared_options *shared, struct strbuf *entry,
		      struct strbuf *err)
{
	if (o->main && o->entry)
		strbuf_adds(err, "--main and --entry say different starts: use one of them (a list can name a main "
				 "method, too)");
	else if (!o->main && !o->entry && !shared->class_path)
		strbuf_adds(err, "say where the program starts: either --main CLASS or --entry public|FILE");
	else if (analysis_choose(x, o->algorithm, o->heap, err))
		analysis_assume(x, o->assume, err);
	strbuf_addf(entry, "%s%s", start_of(o), o->main ? o->main : o->entry ? o->entry : "");
	return err->len == 0;
}

static bool complain_of_start(struct cli_run *r, const struct main_source *from)
{
	diag_add(&r->inquiry.diag, DIAG_E041, from->jar, (struct str){ 0 }, DIAG_NO_OFFSET, "%ssay where the program starts: either --main CLASS "
		 "or --entry public|FILE", from->jar ? "the manifest of the first jar names no Main-Class; " : "");
	return false;
}

/* Nobody named it, so it is said. */
static bool find_start(struct cli_run *r, struct strbuf *entry)
{
	struct main_source from;

	strbuf_clear(entry);
	strbuf_adds(entry, "main ");
	if (!session_main_class(&r->session, entry, &from))
		return complain_of_start(r, &from);
	term_note(&r->term, "the program starts at %s, the %s of %s; --main names another class", entry->s + strlen("main "), from.key,
		  from.jar);
	return true;
}

bool analysis_begin(struct analysis *x, struct cli_run *r, struct strbuf *entry)
{
	return (strcmp(entry->s, MANIFEST) != 0 || find_start(r, entry)) && analysis_run_from(x, &r->session, entry->s);
}

struct report_head analysis_head(struct cli_run *r, const struct analysis *x, const char *entry)
{
	struct report_head head = run_head(r);

	head.algorithm = x->algorithm.name;
	head.entry = entry;
	head.assume = analysis_assumes(x);
	return head;
}

void analysis_print_stats(struct cli_run *r, const struct analysis *x, const char *verb)
{
	struct stats st = { 0 };

	if (r->o->stats == STATS_NONE)
		return;
	analysis_stats(x, &r->session, &st);
	run_write_stats(r, verb, &st);
	stats_release(&st);
}
