/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - finds the verb, parses its options, runs it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/verbs/analysis.h"
#include "cli/argfile.h"
#include "cli/lost_input.h"
#include "cli/options.h"
#include "cli/term.h"

#ifndef SHERD_VERSION
#define SHERD_VERSION "unknown"
#endif

static bool group_starts(size_t i)
{
	return i == 0 || strcmp(commands[i].group, commands[i - 1].group) != 0;
}

void command_overview(void)
{
	bool color = term_color(WHEN_AUTO, STDOUT_FILENO);

	puts("sherd finds out what programs can do, without running them.\n\n"
	     "Usage: sherd VERB [OPTION]...");
	for (size_t i = 0; i < ncommands; i++) {
		if (group_starts(i))
			printf(color ? "\n\033[1m%s\033[0m\n" : "\n%s\n", commands[i].group);
		printf("  %-12s %s\n", commands[i].name, commands[i].help);
	}
	puts("\nStart with:  sherd callgraph -cp app.jar --main app.Main, or sherd pointsto app.bc\n"
	     "Then:        sherd VERB --help for the options, sherd help VERB for the manual");
}

static int print_version(void)
{
	puts("sherd " SHERD_VERSION);
	return EXIT_DONE;
}

static void *initial_values(const struct command_spec *spec)
{
	void *values = mem_zalloc(spec->size ? spec->size : 1);

	if (spec->initial)
		memcpy(values, spec->initial, spec->size);
	return values;
}

static int run_command(const struct command *c, int argc, char **given)
{
	struct strbuf err = { 0 };
	struct argfiles files;
	void *values = initial_values(c->spec);
	bool is_read = argfiles_expand(&files, c->spec, argc, given, &err);
	char **argv = files.words.data;
	int n = is_read ? options_parse(c->spec, files.n, argv, values, &err) : OPTIONS_BAD;
	int status = EXIT_DONE;

	if (n == OPTIONS_BAD) {
		status = usage_error("%s\nTry: sherd %s --help", err.s, c->name);
	} else if (n == OPTIONS_HELP) {
		command_print_help(c);
	} else if (n == OPTIONS_VERSION) {
		print_version();
	} else {
		argv[n] = NULL;
		status = c->spec->run(values, n, argv);
	}
	options_release(c->spec, values);
	argfiles_release(&files);
	free(values);
	strbuf_release(&err);
	return status;
}

/* Words that are a compiler's are never ours, but for one that nobody passes to a compiler in a build. */
static bool is_verbatim(const struct command *c, int argc, char **argv)
{
	return c->spec == &cmd_cc && !(argc == 1 && strcmp(argv[0], "--help") == 0);
}

static int unknown_command(const char *name)
{
	const char *near = command_nearest(name);

	if (near)
		return usage_error("unknown verb '%s'; did you mean '%s'?", name, near);
	return usage_error("unknown verb '%s'; sherd alone lists them", name);
}

static int dispatch(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "--help";

	if (strcmp(verb, "--version") == 0 || strcmp(verb, "-V") == 0)
		return print_version();
	if (strcmp(verb, "--help") == 0 || strcmp(verb, "-h") == 0) {
		command_overview();
		return EXIT_DONE;
	}
	const struct command *c = command_find(verb);

	if (c && is_verbatim(c, argc - 2, argv + 2))
		return c->spec->run(NULL, argc - 2, argv + 2);
	return c ? run_command(c, argc - 2, argv + 2) : unknown_command(verb);
}

/* Called by a name that build systems take for a compiler's. */
static bool is_called(char **argv, const char *name)
{
	const char *slash = argv[0] ? strrchr(argv[0], '/') : NULL;

	return argv[0] && strcmp(slash ? slash + 1 : argv[0], name) == 0;
}

static int start(int argc, char **argv)
{
	static char cxx[] = "--c++";

	if (is_called(argv, "sherd-cc"))
		return cmd_cc.run(NULL, argc - 1, argv + 1);
	if (is_called(argv, "sherd-c++")) {
		argv[0] = cxx;
		return cmd_cc.run(NULL, argc, argv);
	}
	return dispatch(argc, argv);
}

int main(int argc, char **argv)
{
	lost_input_watch();
	algorithm_names_init();
	int status = start(argc, argv);

	if ((fflush(stdout) != 0 || ferror(stdout)) && status != EXIT_UNSERVED)
		return usage_error("standard output cannot be written");
	return status;
}
