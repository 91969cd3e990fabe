/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_help.c - `sherd help VERB`: the installed manual page, else the --help screen. `sherd help analyses`: the table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/options.h"
#include "cli/term.h"

/* share/man beside the bin folder that holds this program: right for every prefix. False: not there. */
static bool page_path(const char *verb, struct strbuf *path)
{
	char self[4096];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n <= 0)
		return false;
	self[n] = 0;
	char *slash = strrchr(self, '/');

	if (!slash)
		return false;
	*slash = 0;
	strbuf_addf(path, "%s/../share/man/man1/sherd%s%s.1", self, verb[0] ? "-" : "", verb);
	return access(path->s, R_OK) == 0;
}

/* True when man ran and showed the page. */
static bool show_page(const char *path)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		execlp("man", "man", "-l", path, (char *)NULL);
		_exit(127);
	}
	return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void print_options(const struct command *c)
{
	struct strbuf out = { 0 };

	options_help(c, term_color(WHEN_AUTO, STDOUT_FILENO), term_width(STDOUT_FILENO), &out);
	fwrite(out.s, 1, out.len, stdout);
	strbuf_release(&out);
}

void command_print_help(const struct command *c)
{
	print_options(c);
	printf("\nThe whole story: sherd help %s\n", c->name);
}

static int print_analyses(void)
{
	struct strbuf out = { 0 };

	analyses_help(term_color(WHEN_AUTO, STDOUT_FILENO), term_width(STDOUT_FILENO), &out);
	fwrite(out.s, 1, out.len, stdout);
	strbuf_release(&out);
	return EXIT_DONE;
}

static int run(void *values, int n, char **operands)
{
	const char *verb = n > 0 ? operands[0] : "";
	const struct command *c = command_find(verb);
	struct strbuf path = { 0 };

	(void)values;
	if (strcmp(verb, HELP_ANALYSES) == 0)
		return print_analyses();
	if (n > 0 && !c)
		return usage_error("unknown verb '%s'; sherd alone lists them", verb);
	if (!page_path(verb, &path) || !show_page(path.s)) {
		if (c)
			print_options(c), puts("\nThis is all: the manual page is not installed.");
		else
			command_overview();
	}
	strbuf_release(&path);
	return EXIT_DONE;
}

const struct command_spec cmd_help = {
	.synopsis = { "[VERB]", HELP_ANALYSES, NULL },
	.description = "Shows the manual page of a verb, or of sherd itself. Where no page is installed, "
		       "the verb's --help screen is shown instead.\nWith 'analyses', lists what sherd can compute, what that "
		       "requires, and which verbs show it.",
	.examples = { { "sherd help callgraph", "everything about call graphs" },
		      { "sherd help analyses", "what can be computed, from what" },
		      { NULL, NULL } },
	.run = run,
};
