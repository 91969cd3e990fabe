/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_cc.c - `sherd cc`: a C compiler that leaves bitcode beside objects, and a note about it in them.
 *
 *  * The compiler is run as if it had been called itself, with the same words; that decides what is printed and the
 * exit status. Then clang compiles the same sources into bitcode, and whatever happens to that is worth a warning
 * only. */
#define _XOPEN_SOURCE 700      /* realpath */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/compile/bitcode_compile.h"
#include "cli/options.h"
#include "cli/spawn.h"
#include "cli/term.h"
#include "session/artifact/bitcode_files.h"

#define INSIDE "SHERD_CC_INSIDE"      /* set for the compiler: it is not us again */

struct work {
	struct arena mem;
	struct compiler_args args;
	struct compilers compilers;
	word_list command;            /* the compiler with all its words; ends with NULL */
	VEC(struct bitcode_job) jobs; /* one a source that has bitcode */
	struct term term;
};

/* The command */

static void make_command(struct work *w, int n, char **words)
{
	for (uint32_t i = 0; i < w->compilers.command.len; i++)
		vec_push(&w->command, w->compilers.command.data[i]);
	for (int i = 0; i < n; i++)
		vec_push(&w->command, words[i]);
	vec_push(&w->command, NULL);
}

static char **command_words(const struct work *w)
{
	return (char **)(uintptr_t)w->command.data;
}

/* Returns only when it cannot be done. */
static int become_compiler(struct work *w)
{
	setenv(INSIDE, "1", 1);
	execvp(w->command.data[0], command_words(w));
	int e = errno;
	term_error(&w->term, "%s: %s; set SHERD_CC to a C compiler", w->command.data[0], strerror(e));
	return e == ENOENT ? SPAWN_NOT_FOUND : SPAWN_CANNOT_RUN;
}

static int run_compiler(struct work *w)
{
	struct spawn s = { command_words(w), INSIDE, "1", false };
	struct strbuf err = { 0 };
	int status = spawn_wait(&s, &err);

	if (err.len)
		term_error(&w->term, "%s; set SHERD_CC to a C compiler", err.s);
	strbuf_release(&err);
	return status;
}

/* Is there anything to do but to run the compiler? */
static bool makes_bitcode(const struct work *w)
{
	const char *off = getenv("SHERD_CC_OFF"), *to = w->args.output;
	char here[PATH_MAX];
	struct stat st;

	if ((off && *off && strcmp(off, "0") != 0) || (w->args.mode == COMPILER_NO_OBJECT && !w->args.links_lto))
		return false;
	if (to && (strcmp(to, "-") == 0 || (stat(to, &st) == 0 && !S_ISREG(st.st_mode))))     /* -o /dev/null */
		return false;
	return getcwd(here, sizeof(here)) && !compiler_args_is_trial(&w->args, here);
}

/* Bitcode */

static bool has_bitcode(const struct compiler_source *s)
{
	return s->language != SOURCE_ASSEMBLER && strcmp(s->path, "-") != 0;
}

/* Absolute, with the folder it is in resolved, but for what it is called itself. */
static const char *absolute(struct work *w, const char *path)
{
	const char *slash = strrchr(path, '/');
	struct strbuf out = { 0 };

	strbuf_add(&out, slash ? path : ".", slash ? (size_t)(slash - path) : 1);
	char *folder = realpath(slash == path ? "/" : out.s, NULL);
	strbuf_clear(&out);
	strbuf_addf(&out, "%s/%s", folder && strcmp(folder, "/") != 0 ? folder : "", slash ? slash + 1 : path);
	const char *copy = arena_strdup(&w->mem, out.s);
	free(folder);
	strbuf_release(&out);
	return copy;
}

static const char *bitcode_path(struct work *w, uint32_t source)
{
	struct strbuf name = { 0 };

	compiler_bitcode(&w->args, source, &name);
	const char *path = absolute(w, name.s);
	strbuf_release(&name);
	return path;
}

/* What an earlier compilation left does not belong to what comes now. */
static void remove_old(struct work *w)
{
	for (uint32_t i = 0; i < w->args.sources.len; i++)
		unlink(bitcode_path(w, i));
}

static void compile_all(struct work *w)
{
	for (uint32_t i = 0; i < w->args.sources.len; i++) {
		struct bitcode_job job = { .args = &w->args, .source = i, .with = &w->compilers };
		if (!has_bitcode(&w->args.sources.data[i]))
			continue;
		job.to = bitcode_path(w, i);
		vec_push(&w->jobs, job);
	}
	bitcode_compile(w->jobs.data, w->jobs.len, 1);
}

/* Notes */

static void warn_about(struct work *w, const char *source, const char *why)
{
	term_warning(&w->term, "no bitcode for %s: %s", strcmp(source, "-") == 0 ? "standard input" : source, why);
}

static const struct bitcode_job *job_of(const struct work *w, uint32_t source)
{
	for (uint32_t i = 0; i < w->jobs.len; i++)
		if (w->jobs.data[i].source == source)
			return &w->jobs.data[i];
	return NULL;
}

static struct note note_about(struct work *w, uint32_t source)
{
	const struct compiler_source *s = &w->args.sources.data[source];
	const struct bitcode_job *job = job_of(w, source);
	bool is_stdin = strcmp(s->path, "-") == 0;

	if (job && job->ok)
		return (struct note){ .kind = NOTE_BITCODE, .path = str_of(job->to) };
	if (s->language != SOURCE_ASSEMBLER)
		warn_about(w, s->path, job ? job->why.s : "only files can be compiled twice");
	return (struct note){ .kind = s->language == SOURCE_ASSEMBLER ? NOTE_ASSEMBLER : NOTE_NONE,
			      .path = str_of(is_stdin ? "/dev/stdin" : absolute(w, s->path)) };
}

static struct note note_about_output(struct work *w)
{
	const char *path = absolute(w, w->args.output ? w->args.output : "a.out");

	return (struct note){ .kind = NOTE_OPTIMIZED, .path = str_of(path) };
}

static void write_notes(struct work *w, uint32_t source, struct note *notes, uint32_t n)
{
	struct strbuf object = { 0 }, err = { 0 };

	compiler_object(&w->args, source, &object);
	if (!bitcode_files_note(object.s, notes, n, &err))
		term_warning(&w->term, "no note about bitcode in %s", err.s);
	strbuf_release(&object);
	strbuf_release(&err);
}

static void note_all(struct work *w)
{
	uint32_t n = w->args.sources.len;
	struct note *notes = arena_array(&w->mem, struct note, n + 1);

	for (uint32_t i = 0; i < n; i++)
		notes[i] = note_about(w, i);
	for (uint32_t i = 0; i < n && w->args.mode == COMPILER_OBJECTS; i++)
		write_notes(w, i, &notes[i], 1);
	if (w->args.mode == COMPILER_OBJECTS)
		return;
	if (w->args.links_lto)
		notes[n++] = note_about_output(w);
	write_notes(w, 0, notes, n);
}

/* The verb */

static int compile(struct work *w)
{
	if (!makes_bitcode(w))
		return become_compiler(w);
	remove_old(w);
	int status = run_compiler(w);
	if (status)
		return status;
	compile_all(w);
	note_all(w);
	return 0;
}

static void release(struct work *w)
{
	for (uint32_t i = 0; i < w->jobs.len; i++)
		strbuf_release(&w->jobs.data[i].why);
	vec_release(&w->jobs);
	vec_release(&w->command);
	compilers_release(&w->compilers);
	compiler_args_release(&w->args);
	arena_release(&w->mem);
}

static int run_cc(void *values, int n, char **words)
{
	const struct shared_options none = { 0 };
	struct work w = { 0 };
	bool is_cxx = n && strcmp(words[0], "--c++") == 0;

	(void)values;
	if (is_cxx)
		n--, words++;
	if (n && strcmp(words[0], "--") == 0)
		n--, words++;
	if (getenv(INSIDE))
		return usage_error("SHERD_CC names sherd cc itself; name a compiler");
	term_init(&w.term, &none);
	arena_init(&w.mem);
	compiler_args_read(&w.args, (const char *const *)words, (uint32_t)n, NULL);
	compilers_find(&w.compilers, is_cxx || compiler_args_is_cxx(&w.args), &w.mem);
	make_command(&w, n, words);
	int status = SPAWN_NOT_FOUND;
	if (w.compilers.command.len)
		status = compile(&w);
	else
		term_error(&w.term, "no clang found: install clang, or set SHERD_CC to a C compiler");
	release(&w);
	return status;
}

const struct command_spec cmd_cc = {
	.synopsis = { "[--c++] [--] COMPILER-ARGUMENT...", NULL },
	.description = "A C compiler for builds: runs the real one with the same arguments, and leaves LLVM bitcode beside "
		       "every object, x.o.bc beside x.o. What the build prints, makes and returns stays the same. Objects "
		       "have a note about their bitcode, which linkers and ar keep; sherd modules reads it.\n"
		       "The compiler is $SHERD_CC, else the first of clang-19, clang-16, clang-14 and clang; for C++ its "
		       "counterpart, or $SHERD_CXX. All options are the compiler's own, but for --c++, which must come "
		       "first. SHERD_CC_OFF=1 turns bitcode off.",
	.examples = { { "make CC=\"sherd cc\"", "a Makefile" },
		      { "./configure CC=\"sherd cc\" && make", "autoconf" },
		      { "cmake -DCMAKE_C_COMPILER=sherd-cc -DCMAKE_CXX_COMPILER=sherd-c++ .", "CMake" },
		      { "sherd modules ./prog", "then: the bitcode of a program" },
		      { NULL, NULL } },
	.run = run_cc,
};
