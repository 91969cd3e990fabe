/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_completion.c - `sherd completion bash|zsh`: completion scripts from the option tables. */
#include <stdio.h>
#include <string.h>

#include "cli/options.h"

static void print_verbs(void)
{
	for (size_t i = 0; i < ncommands; i++)
		printf("%s%s", i ? " " : "", commands[i].name);
}

static void print_words(const struct command_spec *spec)
{
	for (size_t i = 0; i < spec->nrows; i++) {
		if (spec->rows[i].alias)
			printf("-%s ", spec->rows[i].alias);
		printf("--%s%s ", spec->rows[i].name, spec->rows[i].kind == OPTION_OPTIONAL ? "=" : "");
	}
	fputs("--help --version", stdout);
}

static void print_choices(const char *const *choices)
{
	for (size_t i = 0; choices[i]; i++)
		printf("%s%s", i ? " " : "", choices[i]);
}

/* A case arm for one option: what may follow it. */
static void bash_value(const struct command *c, const struct option_row *o)
{
	if (o->kind == OPTION_FLAG || o->kind == OPTION_OPTIONAL)
		return;
	printf("\t%s/--%s", c->name, o->name);
	if (o->alias)
		printf("|%s/-%s", c->name, o->alias);
	fputs(") ", stdout);
	if (o->choices) {
		fputs("words=\"", stdout);
		print_choices(o->choices);
		fputs("\"", stdout);
	} else {
		fputs(o->kind == OPTION_INT ? "return" : "_sherd_files; return", stdout);
	}
	fputs(" ;;\n", stdout);
}

/* "--stats=": bash sees the word, "=" and the value as three words. */
static void bash_optional(const struct command *c, const struct option_row *o)
{
	if (!o->choices)
		return;
	printf("\t%s/--%s) words=\"", c->name, o->name);
	print_choices(o->choices);
	fputs("\" ;;\n", stdout);
}

static void bash_cases(void (*arm)(const struct command *, const struct option_row *))
{
	for (size_t i = 0; i < ncommands; i++)
		for (size_t k = 0; k < commands[i].spec->nrows; k++)
			arm(&commands[i], &commands[i].spec->rows[k]);
}

static void bash_verbs(void)
{
	for (size_t i = 0; i < ncommands; i++) {
		printf("\t%s) words=\"", commands[i].name);
		print_words(commands[i].spec);
		fputs("\" ;;\n", stdout);
	}
}

/* Options whose value is the next word, as a pattern. */
static void bash_value_options(const struct command_spec *spec)
{
	const char *separator = "";

	for (size_t i = 0; i < spec->nrows; i++) {
		const struct option_row *o = &spec->rows[i];

		if (o->kind == OPTION_FLAG || o->kind == OPTION_OPTIONAL)
			continue;
		printf("%s--%s", separator, o->name);
		if (o->alias)
			printf("|-%s", o->alias);
		separator = "|";
	}
}

/* Sets `at` to the word that starts a command, 0: none. bash splits words at '=' and ':'. */
static void bash_command_start(const struct command *c)
{
	printf("\t%s)\n\twhile [ $i -lt $COMP_CWORD ]; do case ${COMP_WORDS[i]} in\n"
	       "\t\t--) at=$((i+1)); break ;;\n"
	       "\t\t=|:) i=$((i+2)) ;;\n\t\t", c->name);
	bash_value_options(c->spec);
	fputs(") i=$((i+2)); [ \"${COMP_WORDS[i-1]}\" = = ] && i=$((i+1)) ;;\n"
	      "\t\t-*) i=$((i+1)) ;;\n"
	      "\t\t*) at=$i; break ;;\n"
	      "\tesac; done\n"
	      "\t[ \"$at$i\" = \"0$COMP_CWORD\" ] && case ${COMP_WORDS[i]} in -*|=|:) ;; *) at=$i ;; esac ;;\n",
	      stdout);
}

static void bash_commands(void)
{
	fputs("_sherd_command() {\n\tlocal i=2\n\tat=0\n\tcase ${COMP_WORDS[1]} in\n", stdout);
	for (size_t i = 0; i < ncommands; i++)
		if (commands[i].spec->runs_command)
			bash_command_start(&commands[i]);
	fputs("\tesac\n"
	      "\t[ $at = 0 ] && return 1\n"
	      "\tif declare -F _command_offset > /dev/null; then _command_offset $at\n"
	      "\telif [ $at = $COMP_CWORD ]; then COMPREPLY=($(compgen -c -- \"$cur\"))\n"
	      "\telse _sherd_files; fi\n"
	      "\treturn 0\n}\n",
	      stdout);
}

static void print_bash(void)
{
	fputs("# bash completion of sherd: made by `sherd completion bash`\n"
	      "_sherd_files() { compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"${cur##*:}\")); }\n",
	      stdout);
	bash_commands();
	fputs("_sherd() {\n"
	      "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]} words= at\n"
	      "\tCOMPREPLY=()\n"
	      "\tif [ \"$COMP_CWORD\" = 1 ]; then COMPREPLY=($(compgen -W '",
	      stdout);
	print_verbs();
	fputs(" --help --version' -- \"$cur\")); return; fi\n"
	      "\tif _sherd_command; then return; fi\n"
	      "\tif [ \"$cur\" = = ]; then prev==; cur=; fi\n"
	      "\tif [ \"$prev\" = = ]; then\n"
	      "\tlocal i=$((COMP_CWORD-1)); [ \"${COMP_WORDS[i]}\" = = ] && i=$((i-1))\n"
	      "\tcase $verb/${COMP_WORDS[i]} in\n",
	      stdout);
	bash_cases(bash_optional);
	fputs("\tesac\n\telse case $verb/$prev in\n", stdout);
	bash_cases(bash_value);
	fputs("\thelp/help) words='", stdout);
	print_verbs();
	fputs(" " HELP_ANALYSES "' ;;\n\tcompletion/completion) words='bash zsh' ;;\n"
	      "\tesac; fi\n"
	      "\tcase \"$words$cur\" in -*) case $verb in\n",
	      stdout);
	bash_verbs();
	fputs("\tesac ;; esac\n"
	      "\tif [ -z \"$words\" ]; then _sherd_files; return; fi\n"
	      "\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
	      "\tcase \"${COMPREPLY[0]}\" in *=) compopt -o nospace 2>/dev/null ;; esac\n"
	      "}\n"
	      "complete -F _sherd sherd\n",
	      stdout);
}

/* Text inside '...' and [...] of an _arguments specification. */
static void zsh_text(const char *s)
{
	for (; *s; s++) {
		if (*s == '\'')
			fputs("'\\''", stdout);
		else if (strchr("[]:\\", *s))
			printf("\\%c", *s);
		else
			putchar(*s);
	}
}

static void zsh_value(const struct option_row *o)
{
	if (o->kind == OPTION_FLAG)
		return;
	fputs(o->kind == OPTION_OPTIONAL ? "::" : ":", stdout);
	zsh_text(o->arg);
	putchar(':');
	if (o->choices) {
		putchar('(');
		print_choices(o->choices);
		putchar(')');
	} else if (o->kind == OPTION_STRING || o->kind == OPTION_FIRST || o->kind == OPTION_LIST) {
		fputs("_files", stdout);
	}
}

static void zsh_option(const struct option_row *o)
{
	struct strbuf help = { 0 };

	option_tell(o, &help);
	if (o->alias) {
		printf("\t\t'-%s[", o->alias);
		zsh_text(help.s);
		putchar(']');
		zsh_value(o);
		fputs("' \\\n", stdout);
	}
	printf("\t\t'--%s%s[", o->name, o->kind == OPTION_OPTIONAL ? "=-" : o->kind == OPTION_FLAG ? "" : "=");
	zsh_text(help.s);
	putchar(']');
	zsh_value(o);
	fputs("' \\\n", stdout);
	strbuf_release(&help);
}

static void zsh_verb(const struct command *c)
{
	printf("\t%s) _arguments -s%s \\\n", c->name, c->spec->runs_command ? " -S -A '-*'" : "");
	for (size_t i = 0; i < c->spec->nrows; i++)
		zsh_option(&c->spec->rows[i]);
	fputs("\t\t'--help[the options of the verb]' '--version[the version of sherd]' \\\n\t\t", stdout);
	if (strcmp(c->name, "help") == 0) {
		fputs("'1:verb:(", stdout);
		print_verbs();
		fputs(" " HELP_ANALYSES ")' ;;\n", stdout);
	} else if (c->spec->runs_command) {
		fputs("'(-)1:command: _command_names -e' '*::argument: _normal' ;;\n", stdout);
	} else {
		fputs(strcmp(c->name, "completion") == 0 ? "'1:shell:(bash zsh)' ;;\n" : "'*:file:_files' ;;\n", stdout);
	}
}

static void print_zsh(void)
{
	fputs("#compdef sherd\n# zsh completion of sherd: made by `sherd completion zsh`\n_sherd() {\n"
	      "\tlocal -a verbs\n\tverbs=(\n",
	      stdout);
	for (size_t i = 0; i < ncommands; i++) {
		printf("\t\t'%s:", commands[i].name);
		zsh_text(commands[i].help);
		fputs("'\n", stdout);
	}
	fputs("\t)\n\tif (( CURRENT == 2 )); then _describe verb verbs; return; fi\n"
	      "\tlocal verb=$words[2]\n\tshift words; (( CURRENT-- ))\n\tcase $verb in\n",
	      stdout);
	for (size_t i = 0; i < ncommands; i++)
		zsh_verb(&commands[i]);
	fputs("\tesac\n}\n_sherd \"$@\"\n", stdout);
}

/* `verb --option` lines: tools/docs holds them against the manual pages. */
static void print_table(void)
{
	for (size_t i = 0; i < ncommands; i++) {
		printf("%s --help\n", commands[i].name);
		for (size_t k = 0; k < commands[i].spec->nrows; k++)
			printf("%s --%s\n", commands[i].name, commands[i].spec->rows[k].name);
	}
}

static int run(void *values, int n, char **operands)
{
	(void)values;
	if (n == 1 && strcmp(operands[0], "bash") == 0)
		print_bash();
	else if (n == 1 && strcmp(operands[0], "zsh") == 0)
		print_zsh();
	else if (n == 1 && strcmp(operands[0], "words") == 0)
		print_table();
	else
		return usage_error("completion is made for 'bash' or 'zsh'");
	return EXIT_DONE;
}

const struct command_spec cmd_completion = {
	.synopsis = { "bash|zsh", NULL },
	.description = "Prints a completion script for a shell, made from the options of this very program.",
	.examples = {
		{ "source <(sherd completion bash)", "completion in this shell" },
		{ "sherd completion zsh > ~/.zfunc/_sherd", "for zsh, when ~/.zfunc is on its fpath" },
		{ NULL, NULL },
	},
	.run = run,
};
