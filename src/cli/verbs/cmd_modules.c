/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_modules.c - `sherd modules`: which bitcode belongs to what was built with `sherd cc`. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sys/jobs.h"
#include "cli/compile/bitcode_compile.h"
#include "cli/run.h"
#include "session/artifact/bitcode_files.h"

struct modules_args {
	struct shared_options shared;
	bool build, null;
};

static const struct option_row rows[] = {
	OPT_FLAG(struct modules_args, build, "build", NULL, "Input",
		 "compile what a compile_commands.json names and has no bitcode, or bitcode that is older than its source"),
	OPT_STRING(struct modules_args, shared.output, "output", "o", "FILE", "Output",
		   "write the list to FILE (default: standard output)"),
	OPT_FLAG(struct modules_args, null, "null", "0", "Output", "end each name with a zero byte, for xargs -0"),
	SHARED_RUN(struct modules_args),
};

/* An entry of a compile_commands.json that is compiled. */
struct entry {
	struct compiler_args args;
	struct compilers compilers;
	uint32_t source;
	const char *directory, *bitcode;      /* absolute, or relative to here, as the file has the directory */
	bool is_there;
};

struct work {
	const struct modules_args *a;
	int noperands;
	char **operands;
	struct arena mem;
	struct bitcode_files found;
	compdb commands;
	VEC(struct entry) entries;
	struct cli_run *r;
	bool failed;
};

static void complain(struct work *w, const char *sentence)
{
	term_error(&w->r->term, "%s", sentence);
	w->failed = true;
}

/* compile_commands.json */

static const char *join(struct work *w, const char *directory, const char *path)
{
	struct strbuf b = { 0 };

	if (path[0] != '/')
		strbuf_addf(&b, "%s/", directory);
	strbuf_adds(&b, path);
	const char *copy = arena_strdup(&w->mem, b.s);
	strbuf_release(&b);
	return copy;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool is_one_of(const char *name, const char *const *list)
{
	while (*list && strcmp(*list, name) != 0)
		list++;
	return *list != NULL;
}

/* How many words name the compiler: "ccache gcc", "sherd cc". */
static uint32_t compiler_words(const word_list *words)
{
	static const char *const caches[] = { "ccache", "sccache", "distcc", "icecc", NULL };
	uint32_t n = 0;

	while (n + 1 < words->len && is_one_of(base_name(words->data[n]), caches))
		n++;
	return n + 1 < words->len && strcmp(base_name(words->data[n]), "sherd") == 0 ? n + 2 : n + 1;
}

/* Behind our own name is the compiler that the variables say. */
static void find_compilers(struct work *w, struct entry *e, const char *const *name, uint32_t n)
{
	static const char *const ours[] = { "sherd-cc", "sherd-c++", NULL };
	const char *last = name[n - 1];
	bool is_ours = is_one_of(base_name(last), ours) || (n > 1 && strcmp(base_name(name[n - 2]), "sherd") == 0);
	bool is_cxx = compiler_args_is_cxx(&e->args) || strstr(base_name(last), "++");

	if (is_ours)
		compilers_find(&e->compilers, is_cxx, &w->mem);
	else
		compilers_for(&e->compilers, is_cxx ? compiler_for_cxx(last, &w->mem) : last, is_cxx, &w->mem);
}

static bool find_source(struct work *w, struct entry *e, const struct compdb_entry *c)
{
	const char *file = join(w, c->directory, c->file);

	for (e->source = 0; e->source < e->args.sources.len; e->source++) {
		const struct compiler_source *s = &e->args.sources.data[e->source];
		if (s->language != SOURCE_ASSEMBLER && strcmp(join(w, c->directory, s->path), file) == 0)
			return true;
	}
	e->source = 0;
	return e->args.sources.len == 1 && e->args.sources.data[0].language != SOURCE_ASSEMBLER;
}

static void add_entry(struct work *w, const struct compdb_entry *c)
{
	struct entry e = { .directory = c->directory };
	struct strbuf name = { 0 };
	word_list words = { 0 };

	if (c->command)
		compiler_split(str_of(c->command), true, &w->mem, &words);
	for (const char **at = c->arguments; at && *at; at++)
		vec_push(&words, *at);
	if (!words.len)
		vec_push(&words, "cc");
	uint32_t n = compiler_words(&words);
	compiler_args_read(&e.args, words.data + n, words.len - n, c->directory);
	if (!e.args.output && c->output)
		e.args.output = c->output;
	if (find_source(w, &e, c)) {
		find_compilers(w, &e, words.data, n);
		compiler_bitcode(&e.args, e.source, &name);
		e.bitcode = join(w, c->directory, name.s);
		vec_push(&w->entries, e);
	} else {
		compiler_args_release(&e.args);
	}
	vec_release(&words);
	strbuf_release(&name);
}

static bool is_current(struct work *w, const struct entry *e)
{
	struct stat bitcode, source;

	if (!e->is_there || stat(e->bitcode, &bitcode) != 0)
		return false;
	if (stat(join(w, e->directory, e->args.sources.data[e->source].path), &source) != 0)
		return true;
	return bitcode.st_mtim.tv_sec > source.st_mtim.tv_sec ||
	       (bitcode.st_mtim.tv_sec == source.st_mtim.tv_sec && bitcode.st_mtim.tv_nsec >= source.st_mtim.tv_nsec);
}

/* Objects that were never made may have no folder yet. */
static void make_folders(const char *path)
{
	struct strbuf b = { 0 };

	strbuf_adds(&b, path);
	for (char *at = strchr(b.s + 1, '/'); at; at = strchr(at + 1, '/')) {
		*at = 0;
		mkdir(b.s, 0777);
		*at = '/';
	}
	strbuf_release(&b);
}

static const char *real_path_of(struct work *w, const char *path)
{
	char here[4096];

	return path[0] == '/' || !getcwd(here, sizeof(here)) ? path : join(w, here, path);
}

static void build_missing(struct work *w)
{
	VEC(struct bitcode_job) jobs = { 0 };

	for (uint32_t i = 0; i < w->entries.len; i++) {
		struct entry *e = &w->entries.data[i];
		if (is_current(w, e))
			continue;
		struct bitcode_job job = { .args = &e->args, .source = e->source, .with = &e->compilers,
					   .directory = e->directory, .to = real_path_of(w, e->bitcode) };
		make_folders(job.to);
		vec_push(&jobs, job);
	}
	term_progress(&w->r->term, "compiling %u sources", (unsigned)jobs.len);
	bitcode_compile(jobs.data, jobs.len, jobs_count(w->a->shared.jobs));
	term_progress_end(&w->r->term);
	for (uint32_t i = 0; i < jobs.len; i++) {
		if (!jobs.data[i].ok)
			term_warning(&w->r->term, "no bitcode for %s: %s",
				     jobs.data[i].args->sources.data[jobs.data[i].source].path, jobs.data[i].why.s);
		strbuf_release(&jobs.data[i].why);
	}
	vec_release(&jobs);
}

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static void say_without(struct work *w, const char *path, uint32_t n, const char *first)
{
	const char *how = w->a->build ? "clang could not compile them" :
					"build with make CC=\"sherd cc\", or let sherd modules --build compile them";

	if (!w->entries.len) {
		term_error(&w->r->term, "%s: it names no source in C or C++", path);
		w->failed = true;
	} else if (n == w->entries.len) {
		term_error(&w->r->term, "%s: none of its %u sources has bitcode: %s", path, n, how);
		w->failed = true;
	} else if (n) {
		term_warning(&w->r->term, "%s: %u of %u sources have no bitcode (the first is %s): %s", path, n,
			     (unsigned)w->entries.len, first, how);
	}
}

static void add_commands(struct work *w, const char *path)
{
	struct strbuf err = { 0 };
	const char *first = NULL;
	uint32_t n = 0;

	vec_clear(&w->commands);
	bool ok = bitcode_files_commands(path, &w->mem, &w->commands, &err);
	for (uint32_t i = 0; ok && i < w->commands.len; i++)
		add_entry(w, &w->commands.data[i]);
	for (uint32_t i = 0; i < w->entries.len; i++)
		w->entries.data[i].is_there = is_file(w->entries.data[i].bitcode);
	if (ok && w->a->build)
		build_missing(w);
	for (uint32_t i = 0; i < w->entries.len; i++) {
		struct entry *e = &w->entries.data[i];
		if (!bitcode_files_add_file(&w->found, e->bitcode) && n++ == 0)
			first = e->args.sources.data[e->source].path;
	}
	if (ok)
		say_without(w, path, n, first);
	else
		complain(w, err.s);
	for (uint32_t i = 0; i < w->entries.len; i++) {
		compiler_args_release(&w->entries.data[i].args);
		compilers_release(&w->entries.data[i].compilers);
	}
	vec_clear(&w->entries);
	strbuf_release(&err);
}

/* All inputs */

static void add_operand(struct work *w, const char *path)
{
	struct strbuf err = { 0 };

	if (str_ends(str_of(path), ".json"))
		add_commands(w, path);
	else if (!bitcode_files_add(&w->found, path, &err))
		complain(w, err.s);
	strbuf_release(&err);
}

enum { NAMED = 10 };

static void say_missing(struct work *w)
{
	const file_list *l = &w->found.missing;

	for (uint32_t i = 0; i < l->len && i < NAMED; i++)
		term_error(&w->r->term, "%s is gone: build again with make CC=\"sherd cc\"", l->data[i]);
	if (l->len > NAMED)
		term_error(&w->r->term, "and %u more are gone", (unsigned)l->len - NAMED);
	w->failed |= l->len > 0;
}

static void say_list(struct work *w, const file_list *l, const char *one, const char *many, const char *what_to_do)
{
	if (l->len)
		term_warning(&w->r->term, "%u %s (the first is %s)%s", (unsigned)l->len, l->len == 1 ? one : many, l->data[0],
			     what_to_do);
}

static void say_notes(struct work *w)
{
	say_missing(w);
	say_list(w, &w->found.changed, "file is not the bitcode of the object that was linked",
		 "files are not the bitcode of the objects that were linked", ": build again");
	say_list(w, &w->found.none, "source has no bitcode: clang could not compile it",
		 "sources have no bitcode: clang could not compile them", "");
	say_list(w, &w->found.assembler, "source in assembler has no bitcode", "sources in assembler have no bitcode", "");
	say_list(w, &w->found.optimized, "program was linked with -flto and may have more bitcode than is listed",
		 "programs were linked with -flto and may have more bitcode than is listed",
		 ": build without -flto, or name the folder");
	if (!w->failed && !w->found.files.len)
		complain(w, "there is no bitcode in all of these");
}

static void check_names(struct work *w)
{
	for (uint32_t i = 0; i < w->found.files.len && !w->a->null; i++)
		if (strchr(w->found.files.data[i], '\n')) {
			complain(w, "the name of a file has a line end in it: take -0");
			return;
		}
}

static bool write_list(struct sink *out, void *ctx)
{
	const struct work *w = ctx;
	const file_list *l = &w->found.files;

	for (uint32_t i = 0; i < l->len; i++) {
		sink_write(out, l->data[i], strlen(l->data[i]));
		sink_write(out, w->a->null ? "" : "\n", 1);
	}
	return sink_finish(out);
}

static int serve(struct cli_run *r, void *ctx)
{
	struct work *w = ctx;

	w->r = r;
	for (int i = 0; i < w->noperands; i++)
		add_operand(w, w->operands[i]);
	bitcode_files_sort(&w->found);
	say_notes(w);
	check_names(w);
	return w->failed || !run_write(r, write_list, w) ? EXIT_UNSERVED : EXIT_DONE;
}

static int run_modules(void *values, int n, char **operands)
{
	struct work w = { .a = values, .noperands = n, .operands = operands };

	arena_init(&w.mem);
	bitcode_files_init(&w.found);
	int status = run_verb_alone(&w.a->shared, PHASES_C, serve, &w);
	bitcode_files_release(&w.found);
	vec_release(&w.commands);
	vec_release(&w.entries);
	arena_release(&w.mem);
	return status;
}

const struct command_spec cmd_modules = {
	.synopsis = { "PROGRAM|LIBRARY|OBJECT|FOLDER|compile_commands.json... [OPTION]...", NULL },
	.description = "Lists the bitcode of what was built with sherd cc, one file a line, sorted: of a program or shared "
		       "library, of all objects that were linked into it; of an archive, of its members; of a folder, of "
		       "all objects in it; of a compile_commands.json, of the sources it names.",
	.rows = rows,
	.nrows = ARRAY_LEN(rows),
	.size = sizeof(struct modules_args),
	.once = true,
	.needs_operands = "name a program, a library, or a folder that was built with make CC=\"sherd cc\"",
	.examples = { { "sherd pointsto $(sherd modules ./prog)", "a whole program" },
		      { "sherd modules libz.a", "a library" },
		      { "sherd modules --build build/compile_commands.json", "without building" },
		      { NULL, NULL } },
	.run = run_modules,
};
