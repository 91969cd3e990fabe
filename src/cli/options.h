/* SPDX-License-Identifier: Apache-2.0 */
/* options.h - what a verb accepts, as one table: parsing, --help, completion and the test of the man
 * pages all read it. A verb is a file cmd_<verb>.c with three things, and a row in commands.def:
 *
 *	struct dump_args {
 *		struct shared_options shared;
 *		const char *method;
 *		int form;                                   // index into forms[]
 *		bool raw;
 *	};
 *	static const char *const forms[] = { "text", "json", NULL };     // the first is the default
 *
 *	static const struct option_row rows[] = {
 *		OPT_STRING(struct dump_args, method, "method", "m", "NAME", "What to print",
 *			   "only the methods called NAME"),
 *		OPT_FLAG(struct dump_args, raw, "raw", NULL, "What to print", "do not resolve names"),
 *		SHARED_INPUT(struct dump_args),             // -cp --jdk --no-manifest-class-path --no-cache
 *		SHARED_OUTPUT(struct dump_args, forms),     // --format -o --stats
 *		SHARED_RUN(struct dump_args),               // -j -q -v --color --progress --timeout --memory
 *	};
 *
 *	static int run(void *values, int n, char **operands)
 *	{
 *		struct dump_args *a = values;               // zeroed, or a copy of .initial, then parsed
 *		...
 *		return EXIT_DONE;
 *	}
 *	const struct command_spec cmd_dump = {
 *		.synopsis = { "CLASS... [OPTION]...", NULL },
 *		.description = "Prints what the analyses see of a class.",
 *		.rows = rows, .nrows = ARRAY_LEN(rows), .size = sizeof(struct dump_args),
 *		.examples = { { "sherd dump -cp app.jar app.Main", "every method of a class" }, { NULL, NULL } },
 *		.run = run,
 *	};
 *
 * --help and --version are added to every verb. Wrong options never reach run(). */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"
#include "base/strbuf.h"
#include "base/vec.h"

/* Exit statuses of the program. */
enum { EXIT_DONE = 0, EXIT_CHECK_FAILED = 1, EXIT_UNSERVED = 2, EXIT_BUDGET = 3 };

enum option_kind {
	OPTION_FLAG,          /* bool: true when given */
	OPTION_STRING,        /* const char *: borrowed from argv */
	OPTION_FIRST,         /* the same, but where an option or nothing follows it is "": the first operand is the value (option_first) */
	OPTION_INT,           /* int: 0 and up */
	OPTION_CHOICE,        /* int: index into choices; CHOICE_NONE in .initial: none unless it is given */
	OPTION_OPTIONAL,      /* as a choice, given only as --x=CHOICE; --x alone means choices[1] */
	OPTION_NAME,          /* const char *: one of choices, or "help", which the verb answers with what they mean */
	OPTION_LIST           /* option_list: of strings borrowed from argv; every time it is given adds one */
};

enum { CHOICE_NONE = -1 };

typedef VEC(const char *) option_list;         /* freed by options_release */

struct option_row {
	const char *name;     /* "class-path" for --class-path */
	const char *alias;    /* "j" for -j, "cp" for -cp, or NULL */
	const char *arg;      /* placeholder of the value in help; NULL for flags */
	enum option_kind kind;
	size_t offset;        /* of the value in the verb's struct */
	const char *const *choices;      /* NULL-terminated, or NULL; may be filled in before parsing */
	const char *group;    /* heading in --help; groups come in order of their first row */
	const char *help;     /* one phrase, lower case, no full stop; or NULL, and: */
	void (*tell)(struct strbuf *out);     /* adds the phrase, where it is made from a table */
};

#define OPT_FLAG(T, member, name, alias, group, help) \
	{ name, alias, NULL, OPTION_FLAG, offsetof(T, member), NULL, group, help, NULL }
#define OPT_STRING(T, member, name, alias, arg, group, help) \
	{ name, alias, arg, OPTION_STRING, offsetof(T, member), NULL, group, help, NULL }
#define OPT_FIRST(T, member, name, alias, arg, group, help) \
	{ name, alias, arg, OPTION_FIRST, offsetof(T, member), NULL, group, help, NULL }
#define OPT_TOLD(T, member, name, alias, arg, group, tell) \
	{ name, alias, arg, OPTION_STRING, offsetof(T, member), NULL, group, NULL, tell }
#define OPT_LIST(T, member, name, alias, arg, group, help) \
	{ name, alias, arg, OPTION_LIST, offsetof(T, member), NULL, group, help, NULL }
#define OPT_INT(T, member, name, alias, arg, group, help) \
	{ name, alias, arg, OPTION_INT, offsetof(T, member), NULL, group, help, NULL }
#define OPT_CHOICE(T, member, name, alias, arg, list, group, help) \
	{ name, alias, arg, OPTION_CHOICE, offsetof(T, member), list, group, help, NULL }
#define OPT_NAME(T, member, name, alias, arg, list, group, help) \
	{ name, alias, arg, OPTION_NAME, offsetof(T, member), list, group, help, NULL }
#define OPT_OPTIONAL(T, member, name, alias, arg, list, group, help) \
	{ name, alias, arg, OPTION_OPTIONAL, offsetof(T, member), list, group, help, NULL }

enum when { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER };
enum stats_form { STATS_NONE, STATS_TEXT, STATS_JSON };
extern const char *const when_names[];        /* "auto", "always", "never" */
extern const char *const stats_names[];       /* "none", "text", "json" */

/* What every verb understands: the member `shared` of its struct. */
struct shared_options {
	const char *class_path;       /* NULL: not given */
	const char *jdk;              /* NULL: find one; "none": no library */
	bool no_cache, no_manifests;
	option_list facts;            /* files */
	option_list given, properties;       /* "key=value", files */
	bool environment;
	int format;                   /* index into the verb's formats */
	const char *output;           /* NULL: stdout */
	int stats;                    /* enum stats_form */
	int jobs;                     /* 0: as many as there are processors */
	bool quiet, verbose;
	int color, progress;          /* enum when */
	int timeout;                  /* seconds; 0: none */
	int memory;                   /* megabytes; 0: no limit */
};

#define SHARED_INPUT_FOR(T, group)                                                                                \
	OPT_STRING(T, shared.class_path, "class-path", "cp", "PATH", group,                          \
		   "directories, jars and jmods, separated by ':'; 'dir/*' means every jar in dir"),   \
	OPT_STRING(T, shared.jdk, "jdk", NULL, "DIR", group,                                         \
		   "JDK whose library is analysed, or 'none' (default: $JAVA_HOME, else java on PATH)"), \
	OPT_FLAG(T, shared.no_manifests, "no-manifest-class-path", NULL, group,                      \
		 "do not add what the Class-Path of jars' manifests names"),                           \
	OPT_FLAG(T, shared.no_cache, "no-cache", NULL, group, "neither read nor write the cached index of the JDK")
#define SHARED_INPUT(T) SHARED_INPUT_FOR(T, "Input")

/* Of verbs that follow calls. */
#define SHARED_FACTS(T)                                                                                \
	OPT_LIST(T, shared.facts, "facts", NULL, "FILE", "Analysis",                                   \
		 "assume what FILE says that reflection does: reachability metadata, rules or seeds of ProGuard, "  \
		 "a log of TamiFlex, a record of sherd; may be given more than once"),                         \
	OPT_LIST(T, shared.given, "property", "D", "KEY=VALUE", "Analysis",                            \
		 "at --assume env: the system property has this value; may be given more than once"),         \
	OPT_LIST(T, shared.properties, "properties", NULL, "FILE", "Analysis",                         \
		 "the same for each property of FILE"),                                                        \
	OPT_FLAG(T, shared.environment, "environment", NULL, "Analysis",                               \
		 "at --assume env: variables of the environment are those that sherd finds")

#define SHARED_OUTPUT(T, formats)                                                                      \
	OPT_CHOICE(T, shared.format, "format", NULL, "FORMAT", formats, "Output", "how the result is written"), \
	OPT_STRING(T, shared.output, "output", "o", "FILE", "Output", "write the result to FILE (default: standard output)"), \
	OPT_OPTIONAL(T, shared.stats, "stats", NULL, "FORM", stats_names, "Output",                    \
		     "summary of the run: counts, seconds per phase, peak memory; =json leaves standard output to it")

#define SHARED_RUN(T)                                                                                  \
	OPT_INT(T, shared.jobs, "jobs", "j", "N", "Run", "use N threads (default: one a processor)"),  \
	OPT_FLAG(T, shared.quiet, "quiet", "q", "Run", "print errors only"),                           \
	OPT_FLAG(T, shared.verbose, "verbose", "v", "Run", "print every warning"),                     \
	OPT_OPTIONAL(T, shared.color, "color", NULL, "WHEN", when_names, "Run", "colours"), \
	OPT_OPTIONAL(T, shared.progress, "progress", NULL, "WHEN", when_names, "Run",                  \
		     "progress line on standard error, if that is a terminal"),                      \
	OPT_INT(T, shared.timeout, "timeout", NULL, "SECONDS", "Run", "stop with status 3 after SECONDS"), \
	OPT_INT(T, shared.memory, "memory", NULL, "MB", "Run", "stop with status 3 beyond MB megabytes of memory")

struct command_example {
	const char *line, *why;
};

struct command_spec {
	const char *synopsis[6];      /* after "sherd VERB": one line each; NULL ends */
	const char *description;      /* sentences; wrapped when printed; '\n' starts a paragraph */
	const struct option_row *rows;
	size_t nrows;
	size_t size;                  /* of the values */
	const void *initial;          /* values before parsing; NULL: zeroes */
	const char *needs_operands;   /* refuse to run without any, with this hint; NULL: it may */
	bool once;                    /* refuse an option with a value that is given twice; else the last one counts */
	bool runs_command;            /* operands are a command: from the first one on, no word is an option of ours */
	struct command_example examples[8];
	/* `values` is parsed; operands are operands[0..n), then operands[n] is NULL. Returns an exit status. */
	int (*run)(void *values, int n, char **operands);
};

/* A row of commands.def. */
struct command {
	const char *name, *group, *help;
	const struct command_spec *spec;
};
#define COMMAND(name, spec, group, help) extern const struct command_spec spec;
#include "cli/commands.def"
#undef COMMAND
#define HELP_ANALYSES "analyses"      /* what `sherd help` knows beside the verbs */
extern const struct command commands[];
extern const size_t ncommands;
const struct command *command_find(const char *name);        /* NULL: unknown */
const char *command_nearest(const char *name);               /* NULL: nothing similar */

enum { OPTIONS_BAD = -1, OPTIONS_HELP = -2, OPTIONS_VERSION = -3 };

/* Parses argv[0..argc) (without the verb) into `values` and moves the operands to its front.
 * Returns how many there are, or OPTIONS_*; for OPTIONS_BAD, `err` holds a sentence without a newline. Always end with
 * options_release. */
int options_parse(const struct command_spec *spec, int argc, char **argv, void *values, struct strbuf *err);
void options_release(const struct command_spec *spec, void *values);

/* The value of an OPTION_FIRST that was given, from the option or from the front of the operands, which are then fewer; NULL: not given,
 * or there is no operand. */
const char *option_first(const char *value, int *n, char ***operands);

/* Is the word, where options are, one that takes its value from the next word? */
bool options_takes_next(const struct command_spec *spec, const char *word);

/* Adds the phrase that says what an option is for. */
void option_tell(const struct option_row *o, struct strbuf *out);

/* The --help screen of a verb, for a terminal of `width` columns. */
void options_help(const struct command *c, bool color, int width, struct strbuf *out);

/* The screen of `sherd help analyses`. */
void analyses_help(bool color, int width, struct strbuf *out);

/* The --help screen on stdout, as the terminal there likes it. */
void command_print_help(const struct command *c);
void command_overview(void);                    /* the screen of `sherd` alone */

/* The nearest of a NULL-terminated list by edit distance; NULL when none is similar. */
const char *nearest_name(const char *name, const char *const *list);

/* "sherd: " and a sentence on stderr, with "error" marked; returns EXIT_UNSERVED. */
int usage_error(const char *fmt, ...) ATTR_PRINTF(1, 2);

#endif
