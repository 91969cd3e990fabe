/* SPDX-License-Identifier: Apache-2.0 */
/* component.h - what verbs share that are about a component without its clients. */
#ifndef CLI_VERBS_COMPONENT_H
#define CLI_VERBS_COMPONENT_H

#include "cli/verbs/analysis.h"
#include "session/component/study.h"

/* The member `component` of a verb's struct; .initial names its algorithm. */
struct component_options {
	const char *component, *interface;
	int clients;                  /* enum clients */
	const char *algorithm, *heap, *assume;
};

#define COMPONENT_OPTIONS(T)                                                                                          \
	OPT_STRING(T, component.component, "component", NULL, "PATTERNS", "The component",                            \
		   "its classes: 'java.text.*' a package, 'java.text.**' and below, '!x' without x, '@file' a list; " \
		   "several are separated by commas"),                                                                \
	OPT_STRING(T, component.interface, "interface", NULL, "WHAT", "The component",                                \
		   "what clients may use: 'public' members, 'protected' ones, too, 'tests:PATH' what these compiled " \
		   "tests name, or a file; a union is separated by commas (default: public; protected for open clients)"),\
	OPT_CHOICE(T, component.clients, "clients", NULL, "WHICH", clients_names, "The component",                    \
		   "'open': clients have classes of their own that the component may call; 'auto': like those of the tests"),                          \
	OPT_NAME(T, component.algorithm, "algorithm", NULL, "NAME", algorithm_names, "Analysis",                      \
		 "how receivers are found ('help' explains the names)"),                                              \
	ASSUME_OPTION(T, component.assume),                                                                           \
	SHARED_FACTS(T),                                                                                              \
	OPT_STRING(T, component.heap, "heap", NULL, "LIST", "Analysis",                                               \
		   "which objects are told apart by where they are created: 'strings=site,exceptions=merge', "        \
		   "'all=site'; not with cha and rta")

/* Reads "rc,tm" into `out`, as bits of a plan's criteria and of enum req_criterion; NULL means what is counted by default. Only
 * those of `allowed` can be had. False: `err` says what to write instead. */
bool criteria_read(const char *list, unsigned allowed, unsigned *out, struct strbuf *err);
/* The help of --criteria, for those that can be measured. */
void criteria_tell(struct strbuf *out);

/* Reads the options into a zeroed `x`. False when they make no sense: `err` says what to write instead. */
bool component_prepare(struct study *x, const struct component_options *o, struct strbuf *err);
/* As run_verb, with the classes of tests that the interface is taken from on the class path. */
int component_run_verb(const struct study *x, const struct shared_options *o, int (*work)(struct cli_run *r, void *ctx),
		       void *ctx);

#endif
