// SPDX-License-Identifier: Apache-2.0
// links: base algo solve formats/archive formats/classfile ir load analysis session report formats/facts formats/properties
/* witnesses [-cp PATH] [--jdk DIR|none] (--main CLASS | --entry public | --component PATTERNS [--clients open])
 * [--only LIST] [--within PREFIX] [--every N] -
 * explains every receiver class (or each N-th) of every call that is dispatched, in classes whose printed name starts
 * with the prefix, and checks the witness; and spoils it in several ways, none of which may pass. The same for the
 * shortest path of calls to the caller. For each algorithm that keeps variables apart, or those of the list: `ok NAME`
 * or `not ok NAME` with the first that fail. The last line is `N witnesses, N spoiled, N wrong, N not shown`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/callgraph/path.h"
#include "session/component/study.h"

#define SHOWN 8

struct witnesses {
	struct inquiry inquiry;
	struct session s;
	struct session_opt open;
	const char *main_class;
	struct study study;                  /* .opt.component is NULL: a whole program */
	struct cg_entries entries;
	const char *only, *within;
	uint32_t every, turn;
	struct pta *facts;
	struct callgraph *g;
	struct strbuf text;
	VEC(struct pta_step) steps;          /* a witness that is to be spoiled */
	uint32_t checked, spoiled, wrong, unshown, longest;
};

static bool is_asked(const struct witnesses *k, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = k->only; at && *at; at += strcspn(at, ","), at += *at == ',')
		if (strcspn(at, ",") == n && memcmp(at, name, n) == 0)
			return true;
	return !k->only;
}

static void print_witness(struct witnesses *k, const struct pta_witness *w, class_id receiver, const char *what)
{
	strbuf_clear(&k->text);
	print_method(&k->s.program, w->caller, &k->text);
	strbuf_addf(&k->text, "@%u on ", (unsigned)w->site.pc);
	print_class(&k->s.program, receiver, &k->text);
	printf("  %s: %s\n", k->text.s, what);
	for (uint32_t i = 0; i < w->nsteps; i++) {
		const struct pta_step *s = &w->steps[i];
		strbuf_clear(&k->text);
		if (s->method.i)
			print_method(&k->s.program, s->method, &k->text);
		strbuf_adds(&k->text, " by ");
		if (s->by.i)
			print_method(&k->s.program, s->by, &k->text);
		printf("    sort %d %s@%d, value %u, of %u, index %u%s%s\n", (int)s->sort, k->text.s, (int)s->by_pc,
		       (unsigned)s->value, (unsigned)s->of, (unsigned)s->index, s->is_hidden ? " hidden" : "",
		       s->is_joined ? " joined" : "");
	}
}

static void complain(struct witnesses *k, const struct pta_witness *w, class_id receiver, const char *what)
{
	if (k->wrong++ < SHOWN)
		print_witness(k, w, receiver, what);
}

/* Spoiling */

static void must_fail(struct witnesses *k, const struct pta_witness *w, const char *how)
{
	const char *reason;

	k->spoiled++;
	if (pta_check_witness(k->facts, k->g, w, &reason))
		complain(k, w, w->receiver, how);
	else if (!reason)
		complain(k, w, w->receiver, "no reason is given");
}

static struct pta_witness copy_of(struct witnesses *k, const struct pta_witness *w)
{
	struct pta_witness copy = *w;

	vec_clear(&k->steps);
	for (uint32_t i = 0; i < w->nsteps; i++)
		vec_push(&k->steps, w->steps[i]);
	copy.steps = k->steps.data;
	return copy;
}

static void drop_step(struct witnesses *k, const struct pta_witness *w, uint32_t i)
{
	struct pta_witness copy = copy_of(k, w);

	memmove(&k->steps.data[i], &k->steps.data[i + 1], (w->nsteps - i - 1) * sizeof(*k->steps.data));
	copy.nsteps--;
	must_fail(k, &copy, "a step was dropped, and it passed");
}

static void swap_steps(struct witnesses *k, const struct pta_witness *w, uint32_t i)
{
	struct pta_witness copy = copy_of(k, w);
	struct pta_step s = k->steps.data[i];

	k->steps.data[i] = k->steps.data[i + 1];
	k->steps.data[i + 1] = s;
	must_fail(k, &copy, "steps were swapped, and it passed");
}

static void move_step(struct witnesses *k, const struct pta_witness *w, uint32_t i)
{
	struct pta_witness copy = copy_of(k, w);

	k->steps.data[i].by_pc += 100000;
	must_fail(k, &copy, "a step was moved, and it passed");
}

static void change_class(struct witnesses *k, const struct pta_witness *w)
{
	struct pta_witness copy = *w;

	copy.receiver = k->s.program.throwable.i == w->receiver.i ? k->s.program.object : k->s.program.throwable;
	must_fail(k, &copy, "the class was changed, and it passed");
	copy = *w;
	copy.object.i++;
	must_fail(k, &copy, "the object was changed, and it passed");
	copy = *w;
	copy.site.pc += 100000;
	must_fail(k, &copy, "the call was changed, and it passed");
}

static void spoil(struct witnesses *k, const struct pta_witness *w)
{
	change_class(k, w);
	for (uint32_t i = 0; i < w->nsteps; i++) {
		drop_step(k, w, i);
		if (i + 1 < w->nsteps)
			swap_steps(k, w, i);
		const struct pta_step *s = &w->steps[i];
		if (s->by.i && s->by_pc != PC_NONE && !s->is_hidden && !s->is_joined)
			move_step(k, w, i);
	}
}

/* Checking */

static void check_path(struct witnesses *k, const struct pta_witness *w, method_id from)
{
	struct call_path c = { 0 };
	const char *reason = "there is none";

	if (!call_path_find(k->g, from, w->caller, &c) || !call_path_check(k->g, from, w->caller, &c, &reason))
		complain(k, w, w->receiver, reason);
	if (c.calls.len) {
		c.calls.data[c.calls.len - 1].pc += 100000;
		if (call_path_check(k->g, from, w->caller, &c, &reason))
			complain(k, w, w->receiver, "the path was changed, and it passed");
		c.calls.len--;
		if (call_path_check(k->g, from, w->caller, &c, &reason))
			complain(k, w, w->receiver, "the path was cut, and it passed");
	}
	call_path_release(&c);
}

static void check_receiver(struct witnesses *k, method_id m, const struct cg_site *site, class_id receiver)
{
	struct pta_witness w = pta_explain_receiver(k->facts, m, site->pc, receiver);
	const char *reason = "not found";

	k->checked++;
	if (!w.found)
		w.caller = m, w.site = *site;
	if (!w.found || (w.nsteps > 1 && !pta_check_witness(k->facts, k->g, &w, &reason))) {
		complain(k, &w, receiver, reason);
	} else if (w.nsteps == 1) {
		if (k->unshown++ < SHOWN)
			print_witness(k, &w, receiver, "not shown");
	} else {
		k->longest = w.nsteps > k->longest ? w.nsteps : k->longest;
		spoil(k, &w);
		check_path(k, &w, k->entries.methods.data[0]);
	}
}

static bool is_within(struct witnesses *k, method_id m)
{
	if (!k->within)
		return true;
	strbuf_clear(&k->text);
	print_method(&k->s.program, m, &k->text);
	return str_starts(strbuf_str(&k->text), k->within);
}

static void check_method(struct witnesses *k, method_id m)
{
	uint32_t n;
	const struct cg_site *sites = callgraph_sites(k->g, m, &n);

	for (uint32_t i = 0; i < n; i++) {
		struct cg_classes c = callgraph_receivers(k->g, &sites[i]);
		for (uint32_t r = 0; r < c.n; r++)
			if (k->turn++ % k->every == 0)
				check_receiver(k, m, &sites[i], c.classes[r]);
	}
}

static void check_algorithm(struct witnesses *k, const struct algorithm *a)
{
	struct analysis x = { .algorithm = *a, .heap = pta_default_heap, .explains = true };
	uint32_t wrong = k->wrong;

	analysis_start(&x, &k->s, &k->entries);
	analysis_need(&x, JAVA_GRAPH);
	k->g = x.graph;
	k->facts = x.facts;
	for (uint32_t i = 0; i < callgraph_nmethods(k->g); i++)
		if (is_within(k, callgraph_method(k->g, i)))
			check_method(k, callgraph_method(k->g, i));
	printf("%s witnesses of %s\n", k->wrong == wrong ? "ok" : "not ok", a->name);
	fflush(stdout);
	analysis_forget(&x);
}

static bool find_entries(struct witnesses *k)
{
	if (k->main_class)
		return entries_main(&k->s, k->main_class, &k->entries);
	if (!k->study.opt.component)
		return entries_public(&k->s, &k->entries);
	if (!study_open(&k->study, &k->s))
		return false;
	fragment_entries(&k->study.fragment, &k->entries);
	return true;
}

static bool check_program(struct witnesses *k)
{
	struct algorithm a;

	if (!find_entries(k))
		return false;
	for (uint32_t i = 0; algorithm_get(i, &a); i++)
		if (algorithm_follows_variables(&a) && is_asked(k, a.name))
			check_algorithm(k, &a);
	return k->wrong == 0 && k->checked > 0;
}

static bool read_option(struct witnesses *k, char **at)
{
	if (strcmp(at[0], "-cp") == 0)
		k->open.class_path = at[1];
	else if (strcmp(at[0], "--jdk") == 0)
		k->open.jdk = at[1];
	else if (strcmp(at[0], "--main") == 0)
		k->main_class = at[1];
	else if (strcmp(at[0], "--component") == 0)
		k->study.opt.component = at[1];
	else if (strcmp(at[0], "--clients") == 0)
		k->study.opt.clients = strcmp(at[1], "open") == 0 ? CLIENTS_OPEN : CLIENTS_CLOSED;
	else if (strcmp(at[0], "--only") == 0)
		k->only = at[1];
	else if (strcmp(at[0], "--within") == 0)
		k->within = at[1];
	else if (strcmp(at[0], "--every") == 0)
		k->every = (uint32_t)atoi(at[1]);
	else
		return strcmp(at[0], "--entry") == 0 && strcmp(at[1], "public") == 0;
	return true;
}

int main(int argc, char **argv)
{
	struct witnesses k = { .every = 1, .open = { .use_cache = true } };
	bool is_usable = argc > 1 && argc % 2 == 1;

	for (int i = 1; is_usable && i + 1 < argc; i += 2)
		is_usable = read_option(&k, &argv[i]);
	if (!is_usable || !k.every) {
		fprintf(stderr, "usage: witnesses -cp PATH [--jdk DIR|none] (--main CLASS | --entry public | --component PATTERNS "
				"[--clients open]) [--only LIST] [--within PREFIX] [--every N]\n");
		return 2;
	}
	inquiry_init(&k.inquiry, PHASES_JAVA);
	bool holds = session_open(&k.s, &k.inquiry, &k.open) && check_program(&k);
	printf("%u witnesses, %u spoiled, %u wrong, %u not shown, longest %u\n", (unsigned)k.checked, (unsigned)k.spoiled,
	       (unsigned)k.wrong, (unsigned)k.unshown, (unsigned)k.longest);
	entries_release(&k.entries);
	study_close(&k.study);
	session_close(&k.s);
	inquiry_release(&k.inquiry);
	strbuf_release(&k.text);
	vec_release(&k.steps);
	return holds ? 0 : 1;
}
