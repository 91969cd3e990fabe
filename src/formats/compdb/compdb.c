/* SPDX-License-Identifier: Apache-2.0 */
/* compdb.c - entries of a compile_commands.json. */
#include "formats/compdb/compdb.h"

#include "base/text/jsonreader.h"

static const char *copy_text(struct jsonreader *j, struct arena *mem)
{
	return arena_strdup(mem, j->text.s ? j->text.s : "");
}

static void read_text(struct jsonreader *j, struct arena *mem, const char **out)
{
	if (jsonread_string(j))
		*out = copy_text(j, mem);
}

static void read_arguments(struct jsonreader *j, struct arena *mem, const char ***out)
{
	VEC(const char *) words = { 0 };

	if (jsonread_begin(j, '['))
		do
			vec_push(&words, jsonread_string(j) ? copy_text(j, mem) : NULL);
		while (jsonread_more(j, ']'));
	vec_push(&words, NULL);
	*out = arena_copy(mem, words.data, words.len * sizeof(*words.data));
	vec_release(&words);
}

static void read_member(struct jsonreader *j, struct arena *mem, struct compdb_entry *e)
{
	if (!jsonread_key(j))
		return;
	struct str name = strbuf_str(&j->text);
	const char **to = str_is(name, "directory") ? &e->directory :
			  str_is(name, "file")	    ? &e->file :
			  str_is(name, "output")    ? &e->output :
			  str_is(name, "command")   ? &e->command :
						      NULL;

	if (to)
		read_text(j, mem, to);
	else if (str_is(name, "arguments"))
		read_arguments(j, mem, &e->arguments);
	else
		jsonread_skip(j);
}

static void read_entry(struct jsonreader *j, struct arena *mem, compdb *out)
{
	struct compdb_entry e = { 0 };

	if (jsonread_begin(j, '{'))
		do
			read_member(j, mem, &e);
		while (jsonread_more(j, '}'));
	if (j->failed)
		return;
	if (!e.directory || !e.file || (!e.command && (!e.arguments || !e.arguments[0]))) {
		jsonread_fail(j, "an entry without directory, file, or command");
		return;
	}
	if (e.arguments && e.arguments[0])
		e.command = NULL;
	else
		e.arguments = NULL;
	vec_push(out, e);
}

bool compdb_read(struct span text, struct arena *mem, compdb *out, struct strbuf *err)
{
	struct jsonreader j = jsonread_of(text, err);

	if (jsonread_begin(&j, '['))
		do
			read_entry(&j, mem, out);
		while (jsonread_more(&j, ']'));
	bool ok = jsonread_end(&j);
	jsonread_release(&j);
	return ok;
}
