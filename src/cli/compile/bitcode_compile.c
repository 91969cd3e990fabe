/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/compile/bitcode_compile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/output.h"
#include "cli/spawn.h"

/* Compilers */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool is_clang(const char *path)
{
	return strstr(base_name(path), "clang") != NULL;
}

static const char *value_of(const char *name)
{
	const char *v = getenv(name);

	return v && *v ? v : NULL;
}

static bool is_on_path(const char *name)
{
	const char *path = value_of("PATH");
	struct strbuf file = { 0 };
	bool found = false;

	for (const char *at = path ? path : "/usr/bin:/bin"; at && !found;) {
		const char *end = strchr(at, ':');
		size_t n = end ? (size_t)(end - at) : strlen(at);
		strbuf_clear(&file);
		strbuf_add(&file, n ? at : ".", n ? n : 1);
		strbuf_addf(&file, "/%s", name);
		found = access(file.s, X_OK) == 0;
		at = end ? end + 1 : NULL;
	}
	strbuf_release(&file);
	return found;
}

static const char *find_clang(bool is_cxx)
{
	static const char *const names[][2] = { { "clang-19", "clang++-19" }, { "clang-16", "clang++-16" },
						{ "clang-14", "clang++-14" }, { "clang", "clang++" } };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (is_on_path(names[i][is_cxx]))
			return names[i][is_cxx];
	return NULL;
}

const char *compiler_for_cxx(const char *name, struct arena *mem)
{
	static const char *const names[][2] = { { "clang", "clang++" }, { "gcc", "g++" }, { "cc", "c++" } };
	const char *base = base_name(name);
	struct strbuf out = { 0 };

	if (strstr(base, "++"))
		return name;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const char *at = strstr(base, names[i][0]), *rest = at ? at + strlen(names[i][0]) : NULL;
		if (!at || (*rest && *rest != '-') || (at > base && at[-1] != '-'))
			continue;
		strbuf_add(&out, name, (size_t)(at - name));
		strbuf_addf(&out, "%s%s", names[i][1], rest);
		name = arena_strdup(mem, out.s);
		break;
	}
	strbuf_release(&out);
	return name;
}

/* Bitcode comes from the compiler itself, if it is clang; a cache in front of it is no use then. */
static void choose_clang(struct compilers *c, bool is_cxx, struct arena *mem)
{
	const char *last = c->command.len ? c->command.data[c->command.len - 1] : NULL, *named = value_of("SHERD_CLANG");

	c->is_foreign = last && !is_clang(last);
	if (last && !c->is_foreign)
		c->clang = last;
	else if (named)
		c->clang = is_cxx ? compiler_for_cxx(named, mem) : named;
	else
		c->clang = find_clang(is_cxx);
}

void compilers_find(struct compilers *c, bool is_cxx, struct arena *mem)
{
	const char *cxx = is_cxx ? value_of("SHERD_CXX") : NULL, *named = cxx ? cxx : value_of("SHERD_CC");

	*c = (struct compilers){ 0 };
	if (named)
		compiler_split(str_of(named), true, mem, &c->command);
	else if (find_clang(is_cxx))
		vec_push(&c->command, find_clang(is_cxx));
	if (is_cxx && named && !cxx && c->command.len)
		*vec_last(&c->command) = compiler_for_cxx(*vec_last(&c->command), mem);
	choose_clang(c, is_cxx, mem);
}

void compilers_for(struct compilers *c, const char *name, bool is_cxx, struct arena *mem)
{
	*c = (struct compilers){ 0 };
	vec_push(&c->command, name);
	choose_clang(c, is_cxx, mem);
}

void compilers_release(struct compilers *c)
{
	vec_release(&c->command);
}

/* Jobs */

enum { AT_A_TIME = 64 };              /* each has a file for what clang says */

struct attempt {
	struct bitcode_job *job;
	word_list words;
	struct strbuf temporary;
	FILE *said;
};

/* clang writes into a file that is there and ours: whoever may write to the folder cannot know its name before. */
static bool prepare(struct attempt *t, struct bitcode_job *job, bool is_plain)
{
	*t = (struct attempt){ .job = job };
	int fd = temporary_open(job->to, "sherd-", &t->temporary);

	if (fd < 0) {
		strbuf_clear(&job->why);
		strbuf_addf(&job->why, "cannot write beside %s: %s", job->to, strerror(errno));
		strbuf_release(&t->temporary);
		return false;
	}
	close(fd);
	t->said = tmpfile();
	vec_push(&t->words, job->with->clang);
	compiler_bitcode_words(job->args, job->source, t->temporary.s, is_plain, &t->words);
	vec_push(&t->words, NULL);
	return true;
}

/* The first error that clang names, else the first line. */
static void read_reason(FILE *said, struct strbuf *out)
{
	char *line = NULL;
	size_t cap = 0;
	bool is_error = false;

	rewind(said);
	while (!is_error && getline(&line, &cap, said) >= 0) {
		is_error = strstr(line, "error:") != NULL;
		line[strcspn(line, "\n")] = 0;
		if (!is_error && out->len)
			continue;
		strbuf_clear(out);
		strbuf_adds(out, line);
	}
	free(line);
}

static void finish(struct attempt *t, int status)
{
	struct bitcode_job *job = t->job;

	strbuf_clear(&job->why);
	job->ok = status == 0 && rename(t->temporary.s, job->to) == 0;
	if (!job->ok) {
		int e = errno;
		unlink(t->temporary.s);
		if (status == SPAWN_NOT_FOUND)
			strbuf_addf(&job->why, "%s: command not found", job->with->clang);
		else if (status == 0)
			strbuf_addf(&job->why, "%s: %s", job->to, strerror(e));
		else if (t->said)
			read_reason(t->said, &job->why);
		if (!job->why.len)
			strbuf_addf(&job->why, "%s ended with status %d", job->with->clang, status);
	}
	if (t->said)
		fclose(t->said);
	vec_release(&t->words);
	strbuf_release(&t->temporary);
}

/* Those that are not done yet. */
static void attempt_some(struct bitcode_job *jobs, uint32_t n, bool is_plain, unsigned at_once)
{
	struct attempt tries[AT_A_TIME];
	struct spawn_job commands[AT_A_TIME];
	uint32_t k = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (jobs[i].ok || (is_plain && !jobs[i].with->is_foreign) || !jobs[i].with->clang)
			continue;
		if (!prepare(&tries[k], &jobs[i], is_plain))
			continue;
		commands[k] = (struct spawn_job){ (char **)(uintptr_t)tries[k].words.data, jobs[i].directory,
						  tries[k].said ? fileno(tries[k].said) : STDERR_FILENO, 0 };
		k++;
	}
	spawn_all(commands, k, at_once);
	for (uint32_t i = 0; i < k; i++)
		finish(&tries[i], commands[i].status);
}

void bitcode_compile(struct bitcode_job *jobs, uint32_t n, unsigned at_once)
{
	for (uint32_t at = 0; at < n; at += AT_A_TIME) {
		uint32_t some = n - at < AT_A_TIME ? n - at : AT_A_TIME;

		for (uint32_t i = at; i < at + some; i++) {
			jobs[i].ok = false;
			unlink(jobs[i].to);
			if (!jobs[i].with->clang)
				strbuf_adds(&jobs[i].why, "no clang found: install clang, or name it in SHERD_CLANG");
		}
		attempt_some(jobs + at, some, false, at_once);
		attempt_some(jobs + at, some, true, at_once);
	}
}
