/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/compile/compiler_args.h"

#include <string.h>

#include "base/sys/mapfile.h"

enum {
	MAX_WORDS = 1 << 20,
	MAX_DEPTH = 16,               /* of response files in response files */
	MAX_RESPONSE = 64 << 20
};

/* Options */

enum value { VALUE_NO, VALUE_NEXT, VALUE_JOINED, VALUE_EITHER };
enum effect {
	EFFECT_KEEP = USE_KEEP,
	EFFECT_NEEDED = USE_NEEDED,
	EFFECT_DROP = USE_DROP,
	EFFECT_NO_OBJECT,
	EFFECT_OBJECTS,
	EFFECT_OUTPUT,
	EFFECT_LANGUAGE
};

static const struct option {
	struct str name;
	enum value value;
	enum effect effect;
} options[] = {
#define COMPILER_OPTION(name, value, use) { { name, sizeof(name) - 1 }, VALUE_##value, EFFECT_##use },
#include "cli/compile/compiler_options.def"
#undef COMPILER_OPTION
};

static bool option_fits(const struct option *o, struct str word)
{
	bool is_joined = o->value == VALUE_JOINED || o->value == VALUE_EITHER;

	return is_joined ? str_starts(word, o->name.p) : str_eq(word, o->name);
}

static const struct option *find_option(const char *word)
{
	static const struct option unknown = { { "", 0 }, VALUE_NO, EFFECT_KEEP };
	const struct option *best = &unknown;

	for (size_t i = 0; i < ARRAY_LEN(options); i++)
		if (option_fits(&options[i], str_of(word)) && options[i].name.len > best->name.len)
			best = &options[i];
	return best;
}

/* Words */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

/* One word at `at`, into `out`; returns where it ends. */
static uint32_t split_word(struct str t, uint32_t at, bool is_shell, struct strbuf *out)
{
	char quote = 0;

	for (; at < t.len && (quote || !is_blank(t.p[at])); at++) {
		char c = t.p[at];
		bool escapes = c == '\\' && at + 1 < t.len && !(is_shell && quote == '\'');

		if (escapes && is_shell && quote == '"' && !strchr("\"\\$`", t.p[at + 1]))
			escapes = false;
		if (escapes)
			strbuf_addch(out, t.p[++at]);
		else if (quote ? c == quote : c == '"' || c == '\'')
			quote = quote ? 0 : c;
		else
			strbuf_addch(out, c);
	}
	return at;
}

void compiler_split(struct str text, bool is_shell, struct arena *mem, word_list *out)
{
	struct strbuf word = { 0 };

	for (uint32_t at = 0; at < text.len && out->len < MAX_WORDS;) {
		if (is_blank(text.p[at])) {
			at++;
			continue;
		}
		strbuf_clear(&word);
		at = split_word(text, at, is_shell, &word);
		vec_push(out, arena_strdup(mem, word.s ? word.s : ""));
	}
	strbuf_release(&word);
}

static void open_words(struct compiler_args *a, const char *const *argv, uint32_t n, const char *directory);

static bool open_response(struct compiler_args *a, const char *name, const char *directory)
{
	struct strbuf path = { 0 };
	struct mapfile m;

	if (directory && name[0] != '/')
		strbuf_addf(&path, "%s/", directory);
	strbuf_adds(&path, name);
	bool ok = a->depth < MAX_DEPTH && mapfile_open(&m, path.s);
	strbuf_release(&path);
	if (!ok)
		return false;
	ok = m.bytes.len <= MAX_RESPONSE;
	if (ok) {
		word_list words = { 0 };
		compiler_split((struct str){ (const char *)m.bytes.p, (uint32_t)m.bytes.len }, false, &a->mem, &words);
		a->depth++;
		open_words(a, words.data, words.len, directory);
		a->depth--;
		vec_release(&words);
	}
	mapfile_close(&m);
	return ok;
}

static void open_words(struct compiler_args *a, const char *const *argv, uint32_t n, const char *directory)
{
	for (uint32_t i = 0; i < n && a->words.len < MAX_WORDS; i++) {
		if (argv[i][0] == '@' && open_response(a, argv[i] + 1, directory))
			continue;
		struct compiler_word w = { argv[i], USE_DROP };
		vec_push(&a->words, w);
	}
}

/* Sources */

static const struct {
	const char *name;             /* of a file's end, and of -x */
	enum source_language language;
	bool is_selected;             /* a name of -x */
} languages[] = {
	{ ".c", SOURCE_C, false },     { ".i", SOURCE_C, false },     { ".cc", SOURCE_CXX, false },
	{ ".cp", SOURCE_CXX, false },  { ".cxx", SOURCE_CXX, false }, { ".cpp", SOURCE_CXX, false },
	{ ".CPP", SOURCE_CXX, false }, { ".c++", SOURCE_CXX, false }, { ".C", SOURCE_CXX, false },
	{ ".ii", SOURCE_CXX, false },  { ".s", SOURCE_ASSEMBLER, false }, { ".S", SOURCE_ASSEMBLER, false },
	{ ".sx", SOURCE_ASSEMBLER, false }, { "c", SOURCE_C, true },  { "cpp-output", SOURCE_C, true },
	{ "c++", SOURCE_CXX, true },   { "c++-cpp-output", SOURCE_CXX, true }, { "assembler", SOURCE_ASSEMBLER, true },
	{ "assembler-with-cpp", SOURCE_ASSEMBLER, true },
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool find_language(const char *name, bool is_selected, enum source_language *out)
{
	for (size_t i = 0; i < ARRAY_LEN(languages); i++)
		if (languages[i].is_selected == is_selected && strcmp(languages[i].name, name) == 0) {
			*out = languages[i].language;
			return true;
		}
	return false;
}

/* Other inputs are for the linker, or headers to be compiled. */
static void add_input(struct compiler_args *a, const char *path, const char *selected)
{
	struct compiler_source s = { path, selected, SOURCE_C };
	const char *end = strrchr(base_name(path), '.');

	if (selected ? find_language(selected, true, &s.language) : end && find_language(end, false, &s.language))
		vec_push(&a->sources, s);
	else
		a->objects++;
}

/* Meaning */

struct meaning {
	struct compiler_args *a;
	const char *selected;         /* by the last -x; NULL: the name of a source tells */
	bool no_object, objects, is_lto;
};

static void set_value(struct meaning *m, const struct option *o, const char *value)
{
	if (o->effect == EFFECT_OUTPUT)
		m->a->output = value;
	else if (o->effect == EFFECT_LANGUAGE)
		m->selected = strcmp(value, "none") == 0 ? NULL : value;
}

/* Returns how many words it has. */
static uint32_t take_option(struct meaning *m, uint32_t i)
{
	struct compiler_args *a = m->a;
	const char *word = a->words.data[i].text;
	const struct option *o = find_option(word);
	bool takes_next = o->value == VALUE_NEXT || (o->value == VALUE_EITHER && !word[o->name.len]);
	uint32_t n = takes_next && i + 1 < a->words.len ? 2 : 1;

	for (uint32_t k = 0; k < n; k++)
		a->words.data[i + k].use = o->effect <= EFFECT_DROP ? (enum compiler_use)o->effect : USE_DROP;
	m->no_object |= o->effect == EFFECT_NO_OBJECT;
	m->objects |= o->effect == EFFECT_OBJECTS;
	m->is_lto = str_starts(str_of(word), "-flto") || (m->is_lto && strcmp(word, "-fno-lto") != 0);
	if (n == 2)
		set_value(m, o, a->words.data[i + 1].text);
	else if (!takes_next)
		set_value(m, o, word + o->name.len);
	return n;
}

static void understand(struct meaning *m)
{
	struct compiler_args *a = m->a;
	bool only_inputs = false;

	for (uint32_t i = 0; i < a->words.len;) {
		const char *word = a->words.data[i].text;

		if (!only_inputs && strcmp(word, "--") == 0) {
			only_inputs = true;
			i++;
		} else if (only_inputs || word[0] != '-' || !word[1]) {
			add_input(a, word, m->selected);
			i++;
		} else {
			i += take_option(m, i);
		}
	}
}

void compiler_args_read(struct compiler_args *a, const char *const *argv, uint32_t n, const char *directory)
{
	struct meaning m = { .a = a };

	*a = (struct compiler_args){ .mode = COMPILER_LINK };
	arena_init(&a->mem);
	open_words(a, argv, n, directory);
	understand(&m);
	a->links_lto = m.is_lto && a->objects && !m.no_object && !m.objects;
	if (m.no_object)
		vec_clear(&a->sources);
	if (a->sources.len == 0)
		a->mode = COMPILER_NO_OBJECT;
	else if (m.objects)
		a->mode = COMPILER_OBJECTS;
}

void compiler_args_release(struct compiler_args *a)
{
	vec_release(&a->words);
	vec_release(&a->sources);
	arena_release(&a->mem);
}

bool compiler_args_is_cxx(const struct compiler_args *a)
{
	for (uint32_t i = 0; i < a->sources.len; i++)
		if (a->sources.data[i].language == SOURCE_CXX)
			return true;
	return false;
}

bool compiler_args_is_trial(const struct compiler_args *a, const char *directory)
{
	static const char *const names[] = { "conftest", "_configtest", "ztest", "CMakeCCompilerId.", "CMakeCXXCompilerId." };
	static const char *const folders[] = { "/CMakeFiles/CMakeTmp", "/CMakeFiles/CMakeScratch/", "/meson-private/" };

	for (size_t i = 0; i < ARRAY_LEN(folders); i++)
		if (strstr(directory, folders[i]) || (a->sources.len && strstr(a->sources.data[0].path, folders[i])))
			return true;
	for (size_t i = 0; i < ARRAY_LEN(names) && a->sources.len; i++)
		if (str_starts(str_of(base_name(a->sources.data[0].path)), names[i]))
			return true;
	return false;
}

/* Names */

void compiler_object(const struct compiler_args *a, uint32_t source, struct strbuf *out)
{
	if (a->output || a->mode != COMPILER_OBJECTS) {
		strbuf_adds(out, a->output ? a->output : "a.out");
		return;
	}
	const char *name = base_name(a->sources.data[source].path), *end = strrchr(name, '.');
	strbuf_addf(out, "%.*s.o", (int)(end ? (size_t)(end - name) : strlen(name)), name);
}

void compiler_bitcode(const struct compiler_args *a, uint32_t source, struct strbuf *out)
{
	const char *name = base_name(a->sources.data[source].path);
	unsigned same = 1;

	for (uint32_t i = 0; i < source; i++)
		same += strcmp(base_name(a->sources.data[i].path), name) == 0;
	compiler_object(a, source, out);
	if (a->mode == COMPILER_LINK)
		strbuf_addf(out, "-%s", name);
	if (a->mode == COMPILER_LINK && same > 1)
		strbuf_addf(out, "-%u", same);
	strbuf_adds(out, ".bc");
}

/* Compiling into bitcode */

/* With names and lines; as the source says it, so without optimizations, and without inline functions of the C
 * library that come with them; warnings were seen already, and what one compiler takes as C another one must, too. */
static const char *const for_bitcode[] = {
	"-g", "-fno-discard-value-names", "-Xclang", "-disable-llvm-passes", "-fno-inline", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=0",
	"-w",
	"-Qunused-arguments", "-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int", "-Wno-error=int-conversion",
	"-Wno-error=incompatible-function-pointer-types", "-Wno-error=incompatible-pointer-types", "-Wno-error=return-type",
	"-Wno-error=return-mismatch", "-Wno-error=register", "-emit-llvm", "-c", "-o",
};

void compiler_bitcode_words(const struct compiler_args *a, uint32_t source, const char *to, bool is_plain, word_list *out)
{
	const struct compiler_source *s = &a->sources.data[source];

	for (uint32_t i = 0; i < a->words.len; i++) {
		enum compiler_use use = a->words.data[i].use;
		if (use == USE_NEEDED || (use == USE_KEEP && !is_plain))
			vec_push(out, a->words.data[i].text);
	}
	for (size_t i = 0; i < ARRAY_LEN(for_bitcode); i++)
		vec_push(out, for_bitcode[i]);
	vec_push(out, to);
	if (s->selected) {
		vec_push(out, "-x");
		vec_push(out, s->selected);
	}
	if (s->path[0] == '-')
		vec_push(out, "--");
	vec_push(out, s->path);
}
